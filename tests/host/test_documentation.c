/* The README files are true: every example runs, every excerpt is in its file, and
 * scripts/README.md names every module and option. */
#include "games/met.h"
#include "host/check/claim.h"
#include "host/check/trial.h"
#include "lua/language.h"
#include "variant/variant.h"
#include "variant/variant_calls.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static struct folders folders;

static int find_folders(void **state) {
    (void)state;
    struct fault fault = {0};
    setenv("ENSIGN_DATA", ENSIGN_ROOT, 1);
    return folders_find(&folders, &fault) ? 0 : -1;
}

static char *read_text(const char *path) {
    char whole[FOLDER_PATH_MAX];
    snprintf(whole, sizeof whole, "%s/%s", ENSIGN_ROOT, path);
    FILE *file = fopen(whole, "rb");
    if (!file) fail_msg("%s cannot be read", whole);
    char *text = calloc(1, 1 << 18);
    assert_non_null(text);
    size_t length = fread(text, 1, (1 << 18) - 1, file);
    assert_true(length < (1 << 18) - 1);
    fclose(file);
    return text;
}

/* One variant: it loads, its tests hold, and random games of it go well. */
static void pass_variant(struct rules *rules, struct claims *claims, struct faults *faults,
                         const char *name) {
    struct fault fault = {0};
    struct trial trial;
    for (int i = 0; rules && i < claims->count; i++)
        claim_holds(rules, claims, &claims->list[i], faults);
    if (faults->errors)
        fail_msg("%s:%d: %s", name, faults->list[0].fault.line, faults->list[0].fault.text);
    const struct trial_options options = {.rules = rules, .games = 4, .seed = 1};
    if (!trial_run(&options, &trial, &fault)) fail_msg("%s: %s", name, fault.text);
    claims_clear(claims);
    rules_free(rules);
    free(faults);
}

/* Calls `use` with each block of Lua of the page whose first line is "-- MARK: NAME"; returns how
 * many there were. */
static int each_block(const char *page, const char *mark,
                      void (*use)(const char *name, const char *code, size_t length)) {
    char *text = read_text(page), begin[64];
    int count = 0;
    snprintf(begin, sizeof begin, "```lua\n-- %s: ", mark);
    for (const char *at = text; (at = strstr(at, begin)); count++) {
        const char *name = at + strlen(begin), *code = at + strlen("```lua\n");
        const char *end = strstr(code, "\n```");
        char word[64];
        assert_non_null(end);
        snprintf(word, sizeof word, "%.*s", (int)strcspn(name, "\n"), name);
        use(word, code, (size_t)(end + 1 - code));
        at = end;
    }
    free(text);
    return count;
}

static void use_variant(const char *name, const char *code, size_t length) {
    char path[96];
    struct claims claims;
    struct faults *faults = faults_new();
    snprintf(path, sizeof path, "variants/%s.lua", name);
    struct rules *rules = variant_examine_text(&folders, path, code, length, faults, &claims);
    pass_variant(rules, &claims, faults, path);
}

static void every_variant_of_the_pages_is_playable(void **state) {
    (void)state;
    assert_true(each_block("variants/README.md", "example", use_variant) >= 8);
    assert_true(each_block("scripts/README.md", "variant", use_variant) >= 4);
    assert_true(each_block("README.md", "example", use_variant) >= 1);
}

static void every_example_variant_passes_its_tests_and_random_games(void **state) {
    (void)state;
    DIR *folder = opendir(ENSIGN_ROOT "/variants/examples");
    assert_non_null(folder);
    int count = 0;
    for (struct dirent *entry; (entry = readdir(folder));) {
        if (!strstr(entry->d_name, ".lua")) continue;
        char path[FOLDER_PATH_MAX];
        struct claims claims;
        struct faults *faults = faults_new();
        snprintf(path, sizeof path, "%s/variants/examples/%s", ENSIGN_ROOT, entry->d_name);
        struct rules *rules = variant_examine(&folders, path, faults, &claims);
        if (!claims.count) fail_msg("%s carries no tests", path);
        pass_variant(rules, &claims, faults, path);
        count++;
    }
    closedir(folder);
    assert_true(count >= 7);
}

static void use_bot(const char *name, const char *code, size_t length) {
    struct fault fault = {0};
    char path[] = "/tmp/ensign-bot-XXXXXX.lua";
    int file = mkstemps(path, 4);
    assert_true(file >= 0 && write(file, code, length) == (ssize_t)length);
    close(file);
    struct rules *rules = variant_load(&folders, "duel", &fault);
    assert_non_null(rules);
    struct tournament *match = met_rookie(&folders, rules, path, NULL);
    unlink(path);
    if (match->forfeit_count) fail_msg("%s: %s", name, match->forfeits[0].fault.text);
    tournament_free(match);
    rules_free(rules);
}

static void every_bot_of_the_scripts_page_plays(void **state) {
    (void)state;
    assert_true(each_block("scripts/README.md", "bot", use_bot) >= 1);
}

static void use_language(const char *name, const char *code, size_t length) {
    struct fault fault = {0};
    char path[] = "/tmp/ensign-language-XXXXXX.lua";
    int file = mkstemps(path, 4);
    assert_true(file >= 0 && write(file, code, length) == (ssize_t)length);
    close(file);
    struct language *language = language_load(&folders, path, &fault);
    unlink(path);
    if (!language) fail_msg("%s: %s", name, fault.text);
    language_free(language);
}

static void every_language_of_the_scripts_page_loads(void **state) {
    (void)state;
    assert_true(each_block("scripts/README.md", "example", use_language) >= 1);
}

static void use_excerpt(const char *name, const char *code, size_t length) {
    char path[96];
    snprintf(path, sizeof path, "variants/%s.lua", name);
    char *text = read_text(path), *excerpt = strndup(code, length);
    if (!strstr(text, strchr(excerpt, '\n') + 1)) fail_msg("%s does not have %s", path, excerpt);
    free(excerpt);
    free(text);
}

static void every_excerpt_stands_in_its_variant(void **state) {
    (void)state;
    assert_true(each_block("variants/REFERENCE.md", "excerpt", use_excerpt) >= 1);
}

/* Fails unless the page has `word` between backticks or at the start of what stands there. */
static void assert_told(const char *page, const char *word) {
    char quoted[600];
    snprintf(quoted, sizeof quoted, "`%s", word);
    if (!strstr(page, quoted)) fail_msg("scripts/README.md does not tell of %s", word);
}

/* The names behind `mark` in a file, such as those of its options. */
static void assert_names_told(const char *page, const char *file, const char *mark,
                              const char *before) {
    char *text = read_text(file), word[96];
    int count = 0;
    for (const char *at = text; (at = strstr(at, mark)); count++) {
        at += strlen(mark);
        snprintf(word, sizeof word, "%s%.*s", before,
                 (int)strspn(at, "abcdefghijklmnopqrstuvwxyz_"), at);
        assert_told(page, word);
    }
    if (!count) fail_msg("%s has no \"%s\"", file, mark);
    free(text);
}

static void the_scripts_page_knows_every_module_and_option(void **state) {
    (void)state;
    static const char *const places[] = {"", "pieces", "abilities", "toolkit"};
    char *page = read_text("scripts/README.md"), path[FOLDER_PATH_MAX], module[512];
    for (int i = 0; i < 4; i++) {
        snprintf(path, sizeof path, "%s/scripts/%s", ENSIGN_ROOT, places[i]);
        DIR *folder = opendir(path);
        assert_non_null(folder);
        for (struct dirent *entry; (entry = readdir(folder));) {
            const char *end = strstr(entry->d_name, ".lua");
            if (!end) continue;
            bool types = strstr(entry->d_name, "_types.lua") != NULL;
            snprintf(module, sizeof module, "%s%s%.*s%s", places[i], i ? "." : "",
                     (int)(end - entry->d_name), entry->d_name, types ? ".lua" : "");
            assert_told(page, module);
        }
        closedir(folder);
    }
    assert_names_told(page, "scripts/boards.lua", "\nboards.", "boards.");
    assert_names_told(page, "scripts/armies.lua", "\narmies.", "armies.");
    assert_names_told(page, "scripts/abilities/guess_attack.lua", "options.", "");
    assert_names_told(page, "scripts/abilities/rescue.lua", "options.", "");
    free(page);
}

static int count_scripts(const char *folder) {
    char path[512];
    int count = 0;
    snprintf(path, sizeof path, ENSIGN_ROOT "/%s", folder);
    DIR *open = opendir(path);
    assert_non_null(open);
    for (struct dirent *entry; (entry = readdir(open));) {
        const char *dot = strrchr(entry->d_name, '.');
        count += dot && !strcmp(dot, ".lua");
    }
    closedir(open);
    return count;
}

/* Numbers that are written as words follow the folders. */
static void the_pages_count_the_bots_and_games_that_are_there(void **state) {
    (void)state;
    static const char *const numbers[] = {
        "Zero",  "One",  "Two", "Three",  "Four",   "Five",     "Six",      "Seven",
        "Eight", "Nine", "Ten", "Eleven", "Twelve", "Thirteen", "Fourteen", "Fifteen"};
    static const struct {
        const char *page, *folder, *words;
    } cases[] = {{"README.md", "variants", "%s games, from the full board"},
                 {"README.md", "bots", "%s bots, from one that moves at random"},
                 {"bots/README.md", "bots", "%s bots are included"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *page = read_text(cases[i].page), words[128];
        const int count = count_scripts(cases[i].folder);
        assert_in_range(count, 1, 15);
        snprintf(words, sizeof words, cases[i].words, numbers[count]);
        if (!strstr(page, words)) fail_msg("%s lacks \"%s\"", cases[i].page, words);
        free(page);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_variant_of_the_pages_is_playable),
        cmocka_unit_test(every_example_variant_passes_its_tests_and_random_games),
        cmocka_unit_test(every_bot_of_the_scripts_page_plays),
        cmocka_unit_test(every_language_of_the_scripts_page_loads),
        cmocka_unit_test(every_excerpt_stands_in_its_variant),
        cmocka_unit_test(the_pages_count_the_bots_and_games_that_are_there),
        cmocka_unit_test(the_scripts_page_knows_every_module_and_option),
    };
    return cmocka_run_group_tests(tests, find_folders, NULL);
}
