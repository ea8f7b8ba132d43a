/* `ensign serve --workshop`: for browsers on this machine only; in Chromium a variant is made,
 * broken, mended, saved and played. */
#include "browser.h"
#include "host/served.h"
#include "host/support.h"
#include "program.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum { MISUSE = 2, SCRIPT_MAX = 1024 };

static struct served server;
static char folder[64], data[64]; /* where it runs; of its games */

static void start_server(void) {
    support_folder(folder);
    support_folder(data);
    SERVED_OPEN(&server, folder, data, "--workshop");
}

static void stop_server(void) {
    char variants[128];
    served_end(&server, SIGTERM);
    snprintf(variants, sizeof variants, "%s/variants", folder);
    support_remove(variants);
    support_remove(folder);
    support_remove(data);
}

/* Waits until an expression of the page is true. */
static void await(struct browser *browser, const char *expression) {
    char text[SCRIPT_MAX];
    snprintf(text, sizeof text,
             "new Promise((resolve) => { const look = () => { try { if (%s) return resolve(true); "
             "} catch {} setTimeout(look, 15); }; look(); })",
             expression);
    json_decref(browser_value(browser, text));
}

static void run_script(struct browser *browser, const char *expression) {
    json_decref(browser_value(browser, expression));
}

/* Types into the field of the text as somebody would: in place of all that is there. */
static void type_text(struct browser *browser, const char *text) {
    char script[SCRIPT_MAX];
    snprintf(script, sizeof script,
             "(() => { const field = document.querySelector('.editor textarea'); field.focus(); "
             "field.select(); return document.execCommand('insertText', false, \"%s\"); })()",
             text);
    run_script(browser, script);
}

static void make_variant(struct browser *browser, const char *name) {
    char script[SCRIPT_MAX];
    run_script(browser, "[...document.querySelectorAll('.workshop button')].find((button) => "
                        "button.textContent.startsWith('New')).click()");
    snprintf(script, sizeof script,
             "(() => { document.querySelector('dialog input').value = '%s'; "
             "document.querySelector('dialog form').requestSubmit(); })()",
             name);
    run_script(browser, script);
    await(browser, "document.querySelector('.editor textarea').value.includes('api = 1') && "
                   "document.querySelector('.summary.good') && document.querySelector('.facts')");
}

#define MENDED                                                                                     \
    "return { api = 1, extends = 'duel', title = 'Mended', army = { flag = 1, miner = 4 } }"

static void a_variant_is_made_broken_mended_saved_and_played(void **state) {
    (void)state;
    struct browser *browser = browser_open();
    if (!browser) skip();
    char path[128], text[256] = "";
    start_server();
    browser_resize(browser, 360, 640, true);
    browser_visit(browser, server.url);
    await(browser, "document.querySelector('.to-workshop:not([hidden])')");
    run_script(browser, "document.querySelector('.to-workshop').click()");
    await(browser, "document.querySelector('.verdict button')");
    make_variant(browser, "mine");

    type_text(browser, "return {\\n  api = 1,\\n  extends = 'duel',\\n  titel = 'Mine',\\n}\\n");
    await(browser, "document.querySelector('.remarks li.error button .where').textContent === "
                   "'line 4' && document.querySelector('.facts.past')");
    run_script(browser, "document.querySelector('.remarks li button').click()");
    await(browser, "getSelection().toString() === \"  titel = 'Mine',\" && "
                   "document.documentElement.scrollWidth <= innerWidth");
    type_text(browser, MENDED "\\n");
    await(browser, "document.querySelector('.facts:not(.past) h2').textContent === 'Mended'");
    run_script(browser, "document.querySelector('.workshop button.main').click()");
    await(browser, "location.hash.startsWith('#/game/') && "
                   "document.querySelector('.board .movable')");

    run_script(browser, "location.hash = '#/'"); /* no set-up of the library has this army */
    await(browser, "document.querySelector('[name=variant][value=mine]').closest('.card')"
                   ".querySelectorAll('.board .pieces .red').length === 12");

    snprintf(path, sizeof path, "%s/variants/mine.lua", folder);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_true(fread(text, 1, sizeof text - 1, file) > 0);
    fclose(file);
    assert_string_equal(text, MENDED "\n");
    assert_string_equal(browser_complaints(browser), "");
    browser_close(browser);
    stop_server();
}

static void a_workshop_is_refused_where_others_could_reach_it(void **state) {
    (void)state;
    program_expect(PROGRAM("serve", "--workshop", "--listen", "0.0.0.0:0"), MISUSE,
                   "--listen needs a loopback address");
    program_expect(PROGRAM("serve", "--workshop", "--listen", "[::]:0"), MISUSE,
                   "--listen needs a loopback address");
    program_expect(PROGRAM("serve", "--workshop", "--proxy"), MISUSE, "--workshop is for browsers");
    program_expect(PROGRAM("serve", "--workshop", "--origin", "https://example.org"), MISUSE,
                   "--workshop is for browsers");
    program_expect(PROGRAM("serve", "--workshop", "--stdio"), MISUSE, "--workshop is for browsers");
}

static void files_are_no_folders_to_serve(void **state) {
    (void)state;
    program_expect(PROGRAM("serve", "--page", "README.md"), MISUSE, "a folder is expected");
    program_expect(PROGRAM("serve", "--setups", "no/such/folder"), MISUSE, "a folder is expected");
    program_expect(PROGRAM("serve", "--data", "README.md"), MISUSE, "a folder is expected");
}

int main(void) {
    signal(SIGPIPE, SIG_IGN);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_workshop_is_refused_where_others_could_reach_it),
        cmocka_unit_test(files_are_no_folders_to_serve),
        cmocka_unit_test(a_variant_is_made_broken_mended_saved_and_played),
    };
    return cmocka_run_group_tests_name("serve_workshop", tests, NULL, NULL);
}
