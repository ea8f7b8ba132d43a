/* Our records as GSN and back, and real games as logs of the UCC manager and back: moves, set-ups
 * and results must be the same. */
#include "base/files.h"
#include "core/text/layout.h"
#include "host/foreign/formats.h"
#include "host/foreign/gsn.h"
#include "host/playback.h"
#include "host/program/ucc_text.h"
#include "support.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char *const NAMES[] = {"original", "duel", "barrage", "lightning", "milton-bradley"};
enum { NAME_COUNT = sizeof NAMES / sizeof *NAMES, PLIES_MAX = 3000 };
static struct rules *stock_rules[NAME_COUNT];

static const struct rules *stock(void *context, const char *variant, struct fault *fault) {
    (void)context;
    for (int i = 0; i < NAME_COUNT; i++)
        if (!strcmp(NAMES[i], variant)) return stock_rules[i];
    fault_set(fault, STATUS_NOT_FOUND, "no variant \"%s\"", variant);
    return NULL;
}

static void complain(void *context, const struct fault *fault) {
    (void)context;
    fail_msg("%d:%d: %s", fault->line, fault->column, fault->text);
}

static const struct foreign_help help = {.rules = stock, .complain = complain};

static int load(void **state) {
    (void)state;
    for (int i = 0; i < NAME_COUNT; i++) stock_rules[i] = support_rules(NAMES[i]);
    return 0;
}

static int unload(void **state) {
    (void)state;
    for (int i = 0; i < NAME_COUNT; i++) rules_free(stock_rules[i]);
    return 0;
}

/* A game with its history. */
static struct game game;
static struct ply history[PLIES_MAX];

static void assert_same_tag(const struct record *a, const struct record *b, const char *name) {
    const char *first = record_tag(a, name), *second = record_tag(b, name);
    if ((first && !second) || (first && strcmp(first, second) != 0))
        fail_msg("%s: \"%s\" became \"%s\"", name, first, second ? second : "nothing");
}

static void assert_same_game(const struct record *before, const struct record *after) {
    assert_same_tag(before, after, "RedSetup");
    assert_same_tag(before, after, "BlueSetup");
    assert_same_tag(before, after, "Position");
    assert_same_tag(before, after, "Result");
    assert_same_tag(before, after, "Red");
    assert_same_tag(before, after, "Blue");
    assert_int_equal(before->move_count, after->move_count);
    for (size_t i = 0; i < before->move_count; i++) {
        const char *a = before->moves[i].text, *b = after->moves[i].text;
        if (strcmp(a, b) != 0) fail_msg("ply %zu: %s became %s", i + 1, a, b);
    }
}

/* `record` was replayed into `game`. */
static void assert_survives_gsn(const struct record *record) {
    struct foreign foreign;
    struct fault fault = {0};
    if (!foreign_take(&foreign, record, &game, &fault)) fail_msg("%s", fault.text);
    char *text = gsn_write(&foreign, &fault);
    foreign_clear(&foreign);
    if (!text) fail_msg("%s", fault.text);
    struct record *back = formats_import(text, strlen(text), NULL, &help);
    assert_non_null(back);
    assert_string_equal(record_tag(back, "Variant"), game.rules->name);
    assert_same_game(record, back);
    record_free(back);
    free(text);
}

/* A random game of these rules that some end before the rules do: a record of it, and `game`. */
static struct record *random_game(const struct rules *rules, uint64_t seed) {
    struct random chance = random_stream(seed, STREAM_PLAYOUT, 0);
    struct record *record = record_new();
    struct position position;
    struct setup setups[2];
    struct fault fault = {0};
    const struct limits none = {0};
    char text[SETUP_TEXT_MAX];
    struct move *moves = malloc(rules->moves_max * sizeof *moves);
    assert_non_null(record);
    assert_non_null(moves);
    for (int side = RED; side <= BLUE; side++) {
        assert_true(setup_random(rules, RED, &chance, &setups[side], &fault));
        setup_write(rules, RED, &setups[side], text);
        record_set_tag(record, side == RED ? "RedSetup" : "BlueSetup", text);
    }
    record_set_tag(record, "Red", "one vs two");
    record_set_tag(record, "Blue", "Zoë");
    record_set_tag(record, "Limits", "none");
    position_from_setups(rules, &setups[RED], &setups[BLUE], RED, &position);
    uint32_t plies = 1 + random_below(&chance, PLIES_MAX - 1);
    game_start(&game, rules, &position, &none, history, PLIES_MAX);
    while (!game_over(&game) && game.ply_count < plies) {
        char move[MOVE_TEXT_MAX];
        size_t count = game_moves(&game, moves, rules->moves_max), walks = 0;
        for (size_t i = 0; i < count; i++)
            if (moves[i].ability == ABILITY_NONE) moves[walks++] = moves[i];
        if (!walks) break;
        struct move chosen = moves[random_below(&chance, (uint32_t)walks)];
        move_write(&game, chosen, move);
        record_add_move(record, move);
        game_play(&game, chosen, NULL);
    }
    free(moves);
    if (!game_over(&game)) {
        static const enum result results[] = {RESULT_RED, RESULT_BLUE, RESULT_DRAW};
        enum result result = results[random_below(&chance, 3)];
        game_stop(&game, result, result == RESULT_DRAW ? REASON_AGREED : REASON_RESIGNED);
    }
    record_set_tag(record, "Result", result_name((enum result)game.result));
    return record;
}

static void random_games_come_back_from_gsn_as_they_were(void **state) {
    (void)state;
    for (int v = 0; v < 4; v++) {
        for (uint64_t seed = 1; seed <= 40; seed++) {
            struct record *record = random_game(stock_rules[v], seed);
            record_set_tag(record, "Red", "anna");
            assert_survives_gsn(record);
            record_free(record);
        }
    }
}

static void names_do_not_get_mixed_up_with_the_words_between_them(void **state) {
    (void)state;
    struct record *record = random_game(stock_rules[1], 3);
    struct foreign foreign;
    struct fault fault = {0};
    assert_true(foreign_take(&foreign, record, &game, &fault));
    char *text = gsn_write(&foreign, &fault);
    assert_non_null(strstr(text, "\none_vs two vs Zoë result 0 winner "));
    foreign_clear(&foreign);
    free(text);
    record_free(record);
}

/* Replays a record into `game` and its history. */
static void replay_game(const char *name, const struct record *record, const struct rules *rules) {
    struct fault fault = {0};
    struct playback replay;
    assert_true(record->move_count < PLIES_MAX);
    if (!playback_open(&replay, record, rules, &fault) ||
        !playback_run(&replay, UINT32_MAX, &fault))
        fail_msg("%s: %s", name, fault.text);
    game = replay.session->game;
    game.plies = memcpy(history, game.plies, game.ply_count * sizeof *history);
    playback_close(&replay);
}

/* The records of a folder, each replayed into `game`. */
static int for_each(const char *folder, const struct rules *rules,
                    void (*visit)(const struct record *record)) {
    char path[600];
    const char *data = support_data();
    if (!data) skip();
    snprintf(path, sizeof path, "%s/%s", data, folder);
    DIR *files = opendir(path);
    int count = 0;
    assert_non_null(files);
    for (struct dirent *entry; (entry = readdir(files));) {
        struct fault fault = {0};
        size_t length;
        if (entry->d_name[0] == '.') continue;
        snprintf(path, sizeof path, "%s/%s/%s", data, folder, entry->d_name);
        char *text = files_read(path, RECORD_BYTES_MAX, &length, &fault);
        if (!text) fail_msg("%s", fault.text);
        struct record *record = record_read(text, length, &fault);
        replay_game(entry->d_name, record, rules);
        visit(record);
        record_free(record);
        free(text);
        count++;
    }
    closedir(files);
    return count;
}

static void games_that_start_from_a_position_come_back_too(void **state) {
    (void)state;
    assert_int_equal(for_each("chase", stock_rules[0], assert_survives_gsn), 99);
}

/* The manager's letter of a kind. */
static char ucc_letter(const struct rules *rules, kind_id kind) {
    const char *name = rules->kind[kind].name;
    if (!strcmp(name, "spy")) return 's';
    return rules->kind[kind].letter;
}

static void write_rows(FILE *out, enum side side, const struct position *start) {
    const struct ucc_frame frame = {game.rules, RED};
    for (int row = 0; row < UCC_ROWS; row++) {
        for (int x = 0; x < UCC_SIZE; x++) {
            square at = ucc_square(&frame, x, side == RED ? row : UCC_SIZE - UCC_ROWS + row);
            fputc(ucc_letter(game.rules, cell_kind(start->at[at])), out);
        }
        fputc('\n', out);
    }
}

/* The log that the manager would have written of the game, ended with the record's reason. */
static char *write_log(const struct record *record) {
    static struct game again;
    static struct ply plies[PLIES_MAX];
    const struct ucc_frame frame = {game.rules, RED};
    struct position start;
    struct limits limits;
    struct fault fault = {0};
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    assert_non_null(out);
    assert_true(record_start(record, game.rules, &start, &limits, &fault));
    game_start(&again, game.rules, &start, &limits, plies, PLIES_MAX);
    fprintf(out, "Game initialised.\n../../agents/x/%s RED SETUP\n", record_tag(record, "Red"));
    write_rows(out, RED, &start);
    fprintf(out, "%s BLUE SETUP\n", record_tag(record, "Blue"));
    write_rows(out, BLUE, &start);
    for (uint32_t i = 0; i < game.ply_count; i++) {
        struct events events = {0};
        char line[UCC_TEXT_MAX];
        game_play(&again, game.plies[i].move, &events);
        ucc_write_turn(&frame, &events.list[0], NULL, line);
        if (again.reason == REASON_FLAG) strcpy(strstr(line, "KILLS"), "VICTORY_FLAG\n");
        fprintf(out, "%u %s: %s", i / 2 + 1, i % 2 ? "BLU" : "RED", line);
    }
    const char *reason = record_tag(record, "Reason"), *result = record_tag(record, "Result");
    fprintf(out, "Game ends on %s's turn - REASON: %s\n", !strcmp(result, "red") ? "RED" : "BLUE",
            !strcmp(reason, "flag")       ? "Captured the flag"
            : !strcmp(reason, "immobile") ? "Destroyed all mobile enemy pieces"
                                          : "Game declared a draw after 1 turns");
    fputs("x RED VICTORY 1 2 3\n", out);
    fclose(out);
    return text;
}

static void assert_survives_log(const struct record *record) {
    char *text = write_log(record);
    struct record *back = formats_import(text, strlen(text), NULL, &help);
    assert_non_null(back);
    assert_same_game(record, back);
    assert_same_tag(record, back, "Reason");
    assert_same_tag(record, back, "Variant");
    record_free(back);
    free(text);
}

static void real_games_come_back_from_the_managers_log_as_they_were(void **state) {
    (void)state;
    assert_int_equal(for_each("ucc", stock_rules[4], assert_survives_log), 89);
}

static void assert_refused(const char *variant, const char *record_text, const char *words) {
    struct rules *rules = support_rules(variant);
    struct record *record = support_record(record_text);
    struct foreign foreign = {0};
    struct fault fault = {0};
    replay_game(variant, record, rules);
    char *text = foreign_take(&foreign, record, &game, &fault) ? gsn_write(&foreign, &fault) : NULL;
    assert_null(text);
    if (!strstr(fault.text, words)) fail_msg("\"%s\" says no \"%s\"", fault.text, words);
    foreign_clear(&foreign);
    record_free(record);
    rules_free(rules);
}

static void what_gsn_cannot_say_is_refused_by_name(void **state) {
    (void)state;
    assert_refused("quick",
                   "[RedSetup \"M9S22.../33....../FBB.....\"]\n"
                   "[BlueSetup \"M9S22.../33....../FBB.....\"]\n1. a3-a4 h6-h5",
                   "a board of 8 x 8");
    assert_refused("infiltrator",
                   "[Position \"bF......b2../........../........../........../........../"
                   "........../........../........../........../rF.......r2rX red\"]\n"
                   "1. j1-j2 h10-h9",
                   "the kind \"saboteur\"");
    assert_refused("lightning",
                   "[Position \"........bF./.......b2../r7........./........../........../"
                   "........../........../........../........../rF........r2 red\"]\n"
                   "1. j1-j2 h9-h8",
                   "GSN has no type for a position of \"lightning\"");
    assert_refused("classic",
                   "[Position \"bF......b2../........../........../........../........../"
                   "........../........../........../........../rF.......r2r3 red\"]\n"
                   "1. j1-j2 h10-h9",
                   "GSN has no type for a position of \"classic\"");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_games_come_back_from_gsn_as_they_were),
        cmocka_unit_test(names_do_not_get_mixed_up_with_the_words_between_them),
        cmocka_unit_test(games_that_start_from_a_position_come_back_too),
        cmocka_unit_test(real_games_come_back_from_the_managers_log_as_they_were),
        cmocka_unit_test(what_gsn_cannot_say_is_refused_by_name),
    };
    return cmocka_run_group_tests(tests, load, unload);
}
