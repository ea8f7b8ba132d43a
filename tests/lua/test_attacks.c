/* Hostile scripts as variants: the whole file, and the body of a callback. Variants are loaded in
 * the host's own process, so each must end by itself, with a tidy fault or as rules that can be
 * played. */
#include "base/fault.h"
#include "variant/variant.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>
#include <glob.h>

enum { PATIENCE = 60 }; /* seconds for one script, also on a slow machine under sanitizers */

static struct folders folders;

static int find_folders(void **state) {
    (void)state;
    struct fault fault = {0};
    setenv("ENSIGN_DATA", ENSIGN_ROOT, 1);
    return folders_find(&folders, &fault) ? 0 : -1;
}

/* Loads prefix + script + suffix, with its tests; the first fault must be one printable line. */
static void expect_tidy_end(const char *name, const char *prefix, const char *script, size_t length,
                            const char *suffix) {
    size_t before = strlen(prefix), after = strlen(suffix);
    char *text = malloc(before + length + after);
    assert_non_null(text);
    memcpy(text, prefix, before);
    memcpy(text + before, script, length);
    memcpy(text + before + length, suffix, after);
    time_t begun = time(NULL);
    struct fault fault = {0};
    struct faults *faults = faults_new();
    struct claims claims;
    assert_non_null(faults);
    struct rules *rules = variant_examine_text(&folders, "variants/hostile.lua", text,
                                               before + length + after, faults, &claims);
    if (faults_first(faults)) fault = *faults_first(faults);
    claims_clear(&claims);
    free(faults);
    free(text);
    if (time(NULL) - begun > PATIENCE) fail_msg("%s ran for more than %d s", name, PATIENCE);
    if (!rules && (fault.status == STATUS_OK || !fault.text[0] || strpbrk(fault.text, "\n\r\033")))
        fail_msg("%s: no tidy reason", name);
    rules_free(rules);
}

/* The scripts of a folder of attacks, "" for the folder itself. */
static void each_script(const char *folder, const char *prefix, const char *suffix) {
    const char *shared = getenv("ENSIGN_SHARED");
    char pattern[1024];
    snprintf(pattern, sizeof pattern, "%s/attacks/%s*.lua",
             shared ? shared : ENSIGN_ROOT "/../shared", folder);
    glob_t found;
    if (glob(pattern, 0, NULL, &found) != 0) skip();
    for (size_t i = 0; i < found.gl_pathc; i++) {
        static char script[1 << 16];
        FILE *file = fopen(found.gl_pathv[i], "rb");
        assert_non_null(file);
        size_t length = fread(script, 1, sizeof script, file);
        fclose(file);
        expect_tidy_end(found.gl_pathv[i], prefix, script, length, suffix);
    }
    globfree(&found);
}

static void a_hostile_variant_ends_with_a_tidy_reason(void **state) {
    (void)state;
    each_script("", "", "\n");
    each_script("heap/", "", "\n");
    each_script("variants/", "", "\n");
    each_script("reckoning/", "", "\n");
}

static void a_hostile_callback_of_a_variant_ends_with_a_tidy_reason(void **state) {
    (void)state;
    each_script("", "return { api = 1, extends = \"duel\", combat = function(...)\n", "\nend }\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hostile_variant_ends_with_a_tidy_reason),
        cmocka_unit_test(a_hostile_callback_of_a_variant_ends_with_a_tidy_reason),
    };
    return cmocka_run_group_tests(tests, find_folders, NULL);
}
