/* Records of games that were really played: all must verify. Skipped where the data is not there.
 */
#include "support.h"

#include "base/files.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Calls `judge` for each record of a folder under the data and returns how many there were. */
static int each_record(const char *sort, const char *variant,
                       void (*judge)(const char *path, const struct record *record,
                                     const struct rules *rules)) {
    char folder_path[1200];
    int count = 0;
    if (!support_data()) skip();
    snprintf(folder_path, sizeof folder_path, "%s/%s", support_data(), sort);
    DIR *folder = opendir(folder_path);
    if (!folder) skip();
    struct rules *rules = support_rules(variant);
    for (struct dirent *entry; (entry = readdir(folder));) {
        char path[1600];
        struct fault fault = {0};
        size_t length;
        if (!strstr(entry->d_name, ".rec")) continue;
        snprintf(path, sizeof path, "%s/%s", folder_path, entry->d_name);
        char *text = files_read(path, RECORD_BYTES_MAX, &length, &fault);
        assert_non_null(text);
        struct record *record = support_record(text);
        assert_string_equal(record_tag(record, "Variant"), variant);
        judge(path, record, rules);
        record_free(record);
        free(text);
        count++;
    }
    closedir(folder);
    rules_free(rules);
    return count;
}

static void verify(const char *path, const struct record *record, const struct rules *rules) {
    struct fault fault = {0};
    struct playback replay;
    if (!playback_open(&replay, record, rules, &fault) ||
        !playback_run(&replay, UINT32_MAX, &fault))
        fail_msg("%s:%d:%d: %s", path, fault.line, fault.column, fault.text);
    assert_true(replay.legal);
    assert_int_equal(replay.plies, record->move_count);
    assert_string_equal(result_name(replay.result), record_tag(record, "Result"));
    assert_string_equal(reason_name(replay.reason), record_tag(record, "Reason"));
    playback_close(&replay);
}

static void all_games_of_the_2012_contest_end_as_they_were_judged(void **state) {
    (void)state;
    assert_int_equal(each_record("ucc", "milton-bradley", verify), 89);
}

static long two_squares_refusals;

/* All moves are legal, the one that was to follow is refused for the recorded rule. */
static void verify_chase(const char *path, const struct record *record, const struct rules *rules) {
    struct fault fault = {0};
    struct playback replay;
    struct move move;
    if (!playback_open(&replay, record, rules, &fault) ||
        !playback_run(&replay, UINT32_MAX, &fault))
        fail_msg("%s:%d:%d: %s", path, fault.line, fault.column, fault.text);
    struct game game = replay.session->game;
    assert_int_equal(replay.plies, record->move_count);
    assert_int_equal(rules->two_squares, 3);
    const char *next = record_tag(record, "NextIllegal"), *blank = strchr(next, ' ');
    assert_non_null(blank);
    enum verdict verdict = move_read(&game, next, (size_t)(blank - next), &move, &fault);
    if (strcmp(verdict_name(verdict), blank + 1) != 0)
        fail_msg("%s: %s was judged \"%s\"", path, next, verdict_name(verdict));
    /* The rule bites in these games all the same: count what it refuses on the way back. */
    while (game.ply_count) {
        game_undo(&game);
        for (squareset rest = game.mobile[game.to_move]; rest;) {
            square from = squareset_pop(&rest);
            for (squareset to = rules->board.neighbours[from]; to;) {
                struct move other = {from, squareset_pop(&to), SQUARE_NONE, ABILITY_NONE,
                                     KIND_NONE};
                two_squares_refusals += game_judge(&game, other) == ILLEGAL_TWO_SQUARES;
            }
        }
    }
    playback_close(&replay);
}

static void chases_are_legal_up_to_the_move_that_the_rule_forbids(void **state) {
    (void)state;
    two_squares_refusals = 0;
    assert_int_equal(each_record("chase", "original", verify_chase), 99);
    assert_true(two_squares_refusals > 100);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_games_of_the_2012_contest_end_as_they_were_judged),
        cmocka_unit_test(chases_are_legal_up_to_the_move_that_the_rule_forbids),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
