/* Every example of the pages on bots is a complete bot: it plays a game of duel on each side. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bot/view_methods.h"
#include "games/met.h"
#include "variant/variant.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char FENCE[] = "```lua\n-- example: ";

static char *read_text(const char *path) {
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    char *text = calloc(1, 1 << 18);
    assert_non_null(text);
    size_t length = fread(text, 1, (1 << 18) - 1, file);
    assert_true(length > 0 && length < (1 << 18) - 1);
    fclose(file);
    return text;
}

/* Writes the example at `fence` to a file of its own name; returns where it ends. */
static const char *extract(const char *fence, const char *folder, char path[FOLDER_PATH_MAX]) {
    const char *name = fence + strlen(FENCE);
    const char *code = strchr(fence, '\n') + 1, *end = strstr(code, "\n```");
    assert_non_null(end);
    snprintf(path, FOLDER_PATH_MAX, "%s/%.*s.lua", folder, (int)strcspn(name, "\n"), name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(code, 1, (size_t)(end + 1 - code), file), end + 1 - code);
    fclose(file);
    return end + 1;
}

static void assert_plays(const struct folders *folders, const struct rules *rules,
                         const char *path) {
    struct tournament *match = met_rookie(folders, rules, path, NULL);
    if (match->forfeit_count) fail_msg("%s: %s", path, match->forfeits[0].fault.text);
    tournament_free(match);
}

/* Plays the examples of a page; returns how many there were. */
static int play_examples(const struct folders *folders, const struct rules *rules,
                         const char *folder, const char *page) {
    char *text = read_text(page);
    int examples = 0;
    for (const char *at = text; (at = strstr(at, FENCE)); examples++) {
        char path[FOLDER_PATH_MAX];
        at = extract(at, folder, path);
        assert_plays(folders, rules, path);
        unlink(path);
    }
    free(text);
    return examples;
}

static void every_example_plays_a_game(void **state) {
    (void)state;
    struct folders folders;
    struct fault fault = {0};
    assert_true(folders_find(&folders, &fault));
    struct rules *rules = variant_load(&folders, "duel", &fault);
    assert_non_null(rules);
    char folder[] = "/tmp/ensign-examples-XXXXXX";
    assert_non_null(mkdtemp(folder));
    assert_true(play_examples(&folders, rules, folder, ENSIGN_ROOT "/bots/README.md") >= 9);
    assert_true(play_examples(&folders, rules, folder, ENSIGN_ROOT "/bots/REFERENCE.md") >= 4);
    rmdir(folder);
    rules_free(rules);
}

static const luaL_Reg *const VIEW_LISTS[] = {VIEW_BOARD_METHODS,  VIEW_RULES_METHODS,
                                             VIEW_PIECE_METHODS,  VIEW_MOVE_METHODS,
                                             VIEW_SEARCH_METHODS, VIEW_SAMPLE_METHODS,
                                             VIEW_TEXT_METHODS,   VIEW_MIND_METHODS,
                                             VIEW_CHASE_METHODS,  NULL};
static const luaL_Reg *const GAME_LISTS[] = {GAME_METHODS, NULL};
static const luaL_Reg *const MIND_LISTS[] = {MIND_METHODS, NULL};

static bool is_registered(const luaL_Reg *const *lists, const char *name, size_t length) {
    for (; *lists; lists++) {
        for (const luaL_Reg *method = *lists; method->name; method++)
            if (strlen(method->name) == length && memcmp(method->name, name, length) == 0)
                return true;
    }
    return false;
}

/* Each method stands in the text after `mark`, with an opening parenthesis, and no other word does.
 */
static void assert_agrees(const char *path, const char *mark, const luaL_Reg *const *lists) {
    char *text = read_text(path), words[64];
    for (const luaL_Reg *const *list = lists; *list; list++) {
        for (const luaL_Reg *method = *list; method->name; method++) {
            snprintf(words, sizeof words, "%s%s(", mark, method->name);
            if (!strstr(text, words)) fail_msg("%s does not name %s", path, method->name);
        }
    }
    for (const char *at = text; (at = strstr(at, mark));) {
        at += strlen(mark);
        size_t length = strspn(at, "abcdefghijklmnopqrstuvwxyz_");
        if (length && !is_registered(lists, at, length))
            fail_msg("%s names %s%.*s, which is not there", path, mark, (int)length, at);
    }
    free(text);
}

static void reference_and_types_name_every_method_and_no_other(void **state) {
    (void)state;
    assert_agrees(ENSIGN_ROOT "/bots/REFERENCE.md", "`view:", VIEW_LISTS);
    assert_agrees(ENSIGN_ROOT "/bots/REFERENCE.md", "`game:", GAME_LISTS);
    assert_agrees(ENSIGN_ROOT "/scripts/bot_types.lua", "function view:", VIEW_LISTS);
    assert_agrees(ENSIGN_ROOT "/scripts/bot_types.lua", "function game:", GAME_LISTS);
    assert_agrees(ENSIGN_ROOT "/bots/REFERENCE.md", "`mind:", MIND_LISTS);
    assert_agrees(ENSIGN_ROOT "/scripts/bot_types.lua", "function mind:", MIND_LISTS);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_example_plays_a_game),
        cmocka_unit_test(reference_and_types_name_every_method_and_no_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
