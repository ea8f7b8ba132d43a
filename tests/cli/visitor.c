#include "visitor.h"

#include "base/files.h"
#include "friend.h"
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
#include <unistd.h>

#include <cmocka.h>

enum { URL_ROOM = 192, COMMAND_ROOM = 512 };

struct browser *visitor, *other_visitor;
struct served visitor_server;
char visitor_folder[64];

static char *prelude; /* serve_page.js */

int one_visitor_comes(void **state) {
    (void)state;
    struct fault fault = {0};
    size_t length;
    signal(SIGPIPE, SIG_IGN);
    prelude = files_read(ENSIGN_ROOT "/tests/cli/serve_page.js", 1 << 20, &length, &fault);
    assert_non_null(prelude);
    visitor = browser_open();
    support_folder(visitor_folder);
    if (visitor) SERVED_OPEN(&visitor_server, NULL, visitor_folder, NULL);
    return 0;
}

int two_visitors_come(void **state) {
    one_visitor_comes(state);
    other_visitor = visitor ? browser_open() : NULL;
    return 0;
}

int visitors_go(void **state) {
    (void)state;
    browser_close(visitor);
    browser_close(other_visitor);
    free(prelude);
    if (visitor_server.process) served_end(&visitor_server, SIGTERM);
    support_remove(visitor_folder);
    return 0;
}

void visitor_needed(void) {
    if (!visitor) skip();
}

void visitor_does(struct browser *in, const char *script) {
    json_decref(browser_value(in, script));
}

bool visitor_sees(struct browser *in, const char *expression) {
    json_t *value = browser_value(in, expression);
    bool is = json_is_true(value);
    json_decref(value);
    return is;
}

void visitor_awaits(struct browser *in, const char *expression) {
    char text[COMMAND_ROOM + 64];
    snprintf(text, sizeof text, "page.until(() => %s).then(() => true)", expression);
    visitor_does(in, text);
}

char *visitor_reads(struct browser *in, const char *expression) {
    json_t *value = browser_value(in, expression);
    if (!json_is_string(value)) fail_msg("%s: no text", expression);
    char *text = strdup(json_string_value(value));
    json_decref(value);
    return text;
}

void visitor_expects(struct browser *in, const char *expression, const char *text) {
    char *found = visitor_reads(in, expression);
    if (strcmp(found, text) != 0) fail_msg("%s: \"%s\", expected \"%s\"", expression, found, text);
    free(found);
}

void visitor_comes(struct browser *in, const char *fragment, bool phone) {
    char url[URL_ROOM];
    snprintf(url, sizeof url, "%s%s", visitor_server.url, fragment);
    browser_resize(in, phone ? 360 : 1280, phone ? 640 : 900, phone);
    browser_visit(in, url);
    visitor_does(in, prelude);
}

void visitor_accepts(struct browser *in, const char *link, const char *army) {
    char text[COMMAND_ROOM];
    visitor_comes(in, link, false);
    visitor_awaits(in, "document.querySelector('.arrival option[value=own]')");
    snprintf(text, sizeof text, "document.querySelector('.arrival select').value = '%s'", army);
    visitor_does(in, text);
    visitor_clicks(in, ".arrival button.play");
}

struct place visitor_place(struct browser *in, const char *expression) {
    json_t *value = browser_value(in, expression);
    const struct place place = {json_number_value(json_object_get(value, "x")),
                                json_number_value(json_object_get(value, "y"))};
    json_decref(value);
    return place;
}

struct place visitor_square(struct browser *in, const char *name) {
    char text[COMMAND_ROOM];
    snprintf(text, sizeof text, "page.square('%s')", name);
    return visitor_place(in, text);
}

void visitor_clicks(struct browser *in, const char *selector) {
    char text[COMMAND_ROOM];
    snprintf(text, sizeof text, "page.place('%s')", selector);
    const struct place at = visitor_place(in, text);
    browser_click(in, at.x, at.y);
}

void visitor_clicks_square(struct browser *in, const char *name) {
    const struct place at = visitor_square(in, name);
    browser_click(in, at.x, at.y);
}

void visitor_agrees(struct browser *in) {
    visitor_clicks(in, "dialog.question button[value=yes]");
}

void visitor_resigns(struct browser *in) {
    visitor_clicks(in, "[data-action=resign]");
    visitor_agrees(in);
    visitor_awaits(in, "page.over");
}

void visitor_tabs_to(struct browser *in, const char *selector) {
    char reached[COMMAND_ROOM];
    snprintf(reached, sizeof reached, "document.activeElement.matches('%s')", selector);
    for (int i = 0; i < 80 && !visitor_sees(in, reached); i++) browser_key(in, "Tab");
    assert_true(visitor_sees(in, reached));
}

void visitor_chooses_rookie(struct browser *in, const char *variant, bool phone) {
    char fragment[64];
    snprintf(fragment, sizeof fragment, "#/new/%s", variant);
    visitor_comes(in, fragment, phone);
    visitor_awaits(in, "document.querySelector('form.start option[value=chance]')");
    visitor_does(in, "page.form.opponent.value = 'rookie'; page.form.side.value = 'red'; "
                     "page.form.clock.value = ''; page.form.army.value = 'chance'");
}

char *visitor_invites(struct browser *in, const char *variant, const char *clock,
                      const char *army) {
    char text[COMMAND_ROOM];
    visitor_chooses_rookie(in, variant, false);
    snprintf(text, sizeof text,
             "page.form.opponent.value = ':friend'; page.form.clock.value = '%s'; "
             "page.form.army.value = '%s'",
             clock, army);
    visitor_does(in, text);
    visitor_clicks(in, "button.play");
    visitor_awaits(in, "document.querySelector('.invitation input')");
    return visitor_reads(in, "new URL(document.querySelector('.invitation input').value).hash");
}

void visitor_meets(struct browser *in, struct friend *friend, const char *clock) {
    char *link = visitor_invites(in, "duel", clock, "chance");
    friend_comes(friend, &visitor_server);
    friend_sits(friend, link);
    free(link);
    friend_lays_out(friend);
    visitor_does(in, "page.ready()");
}

void visitor_lays_out(struct browser *in, const char *army) {
    char text[COMMAND_ROOM];
    visitor_awaits(in, "document.querySelector('.setup textarea')");
    if (army) {
        visitor_does(in, "document.querySelector('.setup details').open = true");
        snprintf(text, sizeof text, "page.setUp('infiltrator test %s')", army);
        visitor_does(in, text);
    } else {
        visitor_does(in, "page.button('.setup .tools', 'Shuffle').click()");
    }
    visitor_awaits(in, "!document.querySelector('.setup .library button.main').disabled");
    visitor_clicks(in, ".setup .library button.main");
}

bool visitor_chooses(struct browser *in, char from[8], char to[8]) {
    visitor_does(in, "page.ready()");
    if (visitor_sees(in, "page.over")) return false;
    json_t *move = browser_value(in, "page.choice()");
    snprintf(from, 8, "%s", json_string_value(json_array_get(move, 0)));
    snprintf(to, 8, "%s", json_string_value(json_array_get(move, 1)));
    json_decref(move);
    return true;
}

void visitor_moves(struct browser *in, const char *from, const char *to) {
    visitor_does(in, "page.ready()");
    visitor_clicks_square(in, from);
    visitor_clicks_square(in, to);
}

void visitor_moves_on(struct browser *in) {
    char from[8], to[8];
    assert_true(visitor_chooses(in, from, to));
    visitor_moves(in, from, to);
}

void visitor_awaits_ply(struct browser *in, int ply) {
    char text[64];
    snprintf(text, sizeof text, "page.plies >= %d", ply);
    visitor_awaits(in, text);
}

/* The board of the record after a ply, as these eyes knew it; the caller frees. */
static char *recorded(const char *path, const char *eyes, int ply) {
    char number[16];
    snprintf(number, sizeof number, "%d", ply);
    struct program_run run = PROGRAM("replay", path, "--json", "--eyes", eyes, "--ply", number);
    assert_int_equal(run.exit_code, 0);
    json_t *document = json_loads(run.out, 0, NULL);
    const char *position = json_string_value(json_object_get(document, "position"));
    char *text = strndup(position, strcspn(position, " "));
    json_decref(document);
    program_clear(&run);
    return text;
}

static void compare_ply(struct browser *in, const char *path, const char *eyes, int ply) {
    char command[64];
    snprintf(command, sizeof command, "page.at(%d)", ply);
    char *shown = visitor_reads(in, command), *expected = recorded(path, eyes, ply);
    assert_string_equal(shown, expected);
    free(expected);
    free(shown);
}

void visitor_compares(struct browser *in, int step) {
    static const char *const eyes[] = {"red", "blue", "all"};
    char path[64];
    char *record = visitor_reads(in, "page.record()");
    program_file(path, ".rec", record, strlen(record));
    for (int i = 0; i < 3; i++) {
        char selector[64], shown[COMMAND_ROOM];
        snprintf(selector, sizeof selector, ".eyes [value=%s]", eyes[i]);
        snprintf(shown, sizeof shown, "document.querySelector('.game[data-eyes=%s]')", eyes[i]);
        visitor_clicks(in, selector);
        visitor_awaits(in, shown);
        json_t *plies = browser_value(in, "page.plies");
        const int count = (int)json_integer_value(plies);
        for (int ply = 0; ply <= count; ply += step) compare_ply(in, path, eyes[i], ply);
        compare_ply(in, path, eyes[i], count);
        json_decref(plies);
    }
    unlink(path);
    free(record);
}

void visitor_is_content(struct browser *in) {
    assert_string_equal(browser_complaints(in), "");
}
