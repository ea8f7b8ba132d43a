/* Looking ahead, and all that a mind says, depend on what a side knows and on nothing else; the
 * numbers are the same on every machine. */
#include "core/value/belief_search.h"
#include "core/value/chase.h"
#include "core/value/exchange.h"
#include "core/value/initiative.h"

#include "base/buffer.h"
#include "base/digest.h"
#include "core/play/legal.h"
#include "games/line.h"
#include "games/sanitized.h"
#include "support.h"
#include "trial.h"
#include "variant/variant.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ROOM = 4096, LOOKED_AT = 3, LOOKS = 4, DEPTH = 2 };

static struct memory {
    struct measure measure;
    struct value value;
    struct mind mind;
    struct belief_search look;
    struct sampler sampler;
    double table[DEAL_ROOM];
    struct move moves[ROOM], room[ROOM];
    int32_t chances[ROOM], belief_search_chances[ROOM];
    int looks;
} memory;

static void begin(const struct rules *rules, uint64_t number) {
    struct random random = random_stream(41, STREAM_PLAYOUT, number);
    measure_make(&memory.measure, rules);
    value_begin(&memory.value, &memory.measure);
    trial_draw_habits(&random, &memory.value.habits);
    for (int side = RED; side <= BLUE; side++) {
        memory.look.mind[side].measure = &memory.measure;
        memory.look.mind[side].value = &memory.value;
    }
    memory.mind.measure = &memory.measure;
    memory.mind.value = &memory.value;
    memory.look.moves = memory.room;
    memory.look.chances = memory.belief_search_chances;
    memory.look.room = ROOM;
}

/* Beliefs about all enemies and the terms, as bytes. */
static void note_mind(const struct view *view, struct buffer *into) {
    const struct belief *belief = &memory.mind.belief;
    struct terms terms = {0};
    mind_read(&memory.mind, view);
    for (int i = 0; i < view->count; i++) {
        const struct view_piece *piece = &view->piece[i];
        if (piece->side == view->side || (piece->at == SQUARE_NONE && !piece->unseen)) continue;
        const int16_t *chance = belief->chance[belief->group_of[i]];
        buffer_add(into, chance, sizeof belief->chance[0]);
    }
    const int64_t sum = mind_sum(&memory.mind, &terms);
    buffer_add(into, &terms, sizeof terms);
    buffer_add(into, &sum, sizeof sum);
}

/* For looking ahead from a view that the mind has read, with nothing found yet. */
static void prepare_sampler(const struct view *view) {
    kindset may_be[2 * BOARD_SQUARES_MAX];
    view_all_may_be(view, may_be);
    mind_read(&memory.mind, view);
    memory.sampler.deal.table = memory.table;
    memory.sampler.deal.room = DEAL_ROOM;
    sampler_start(&memory.sampler, view, may_be, 0);
    belief_search_weigh(&memory.mind, &memory.sampler);
    assert_int_not_equal(deal_prepare(&memory.sampler.deal), DEAL_NONE);
    tree_clear(&memory.look.tree);
}

/* Has the side to press on, and what leads there? */
static void note_presses(const struct view *view, struct buffer *into) {
    const bool due = initiative_is_due(&memory.mind, view);
    struct initiative press = {0};
    initiative_read(&press, view);
    buffer_add(into, &due, sizeof due);
    buffer_add(into, &press.enemies, sizeof press.enemies);
    buffer_add(into, press.steps, sizeof press.steps);
}

/* The chances of the moves, and what looking ahead of a few of them says. */
static void note_moves(const struct game *game, const struct view *view, struct buffer *into,
                       uint64_t number) {
    const size_t count = game_moves(game, memory.moves, ROOM);
    int64_t sums[LOOKED_AT] = {0};
    if (!count || count > ROOM) return;
    mind_moves(&memory.mind, memory.moves, count, memory.chances);
    buffer_add(into, memory.chances, count * sizeof *memory.chances);
    note_presses(view, into);
    if (game->rules->sight || game->rules->calls || number % 4) return;
    prepare_sampler(view);
    struct random random = random_stream(43, STREAM_PLAYOUT, number);
    belief_search_ask(&memory.look, &memory.mind, memory.moves,
                      count < LOOKED_AT ? count : LOOKED_AT);
    for (int i = 0; i < LOOKS; i++)
        belief_search_once(&memory.look, &memory.sampler, &random, DEPTH, sums);
    for (int i = 0; i < LOOKED_AT; i++) {
        assert_true(sums[i] >= -(int64_t)LOOKS * CHANCE_CERTAIN);
        assert_true(sums[i] <= (int64_t)LOOKS * CHANCE_CERTAIN * 2);
    }
    buffer_add(into, sums, sizeof sums);
    memory.looks++;
}

/* Exchanges on all squares, and chases and races of all pieces that are near each other. */
static void note_squares(const struct view *view, struct buffer *into) {
    const struct board *board = &view->rules->board;
    kindset may_be[2 * BOARD_SQUARES_MAX];
    view_all_may_be(view, may_be);
    for (square at = 0; at < board->squares; at++) {
        const int32_t value = exchange_on(&memory.mind, at);
        buffer_add(into, &value, sizeof value);
    }
    for (int i = 0; i < view->count; i++) {
        const struct view_piece *hunter = &view->piece[i];
        for (int j = 0; hunter->at != SQUARE_NONE && j < view->count; j++) {
            const struct view_piece *prey = &view->piece[j];
            if (prey->side == hunter->side || prey->at == SQUARE_NONE ||
                memory.measure.steps[hunter->at][prey->at] > 2)
                continue;
            const struct pursuit pursuit = {view, may_be, i, j, hunter->at, prey->at, j % 2};
            const int plies = chase_plies(&pursuit, 4);
            const struct race race = race_run(view, may_be, i, prey->at);
            buffer_add(into, &plies, sizeof plies);
            buffer_add(into, &race, sizeof race);
        }
    }
}

static void note_all(const struct line *line, const struct game *game, const struct eyes *eyes,
                     void *context) {
    const struct view *view = &eyes->view[line->side];
    if (game_over(game)) return;
    note_mind(view, context);
    note_squares(view, context);
    if (game->to_move == line->side) note_moves(game, view, context, game->ply_count / 2);
}

/* The same, with all ranks open to the side: what must differ. */
static void note_the_truth(const struct line *line, const struct game *game,
                           const struct eyes *eyes, void *context) {
    static struct view open;
    open = eyes->view[line->side];
    for (int i = 0; i < open.count; i++) {
        struct view_piece *piece = &open.piece[i];
        if (piece->at == SQUARE_NONE) continue;
        piece->kind = cell_kind(game->at[piece->at]);
        piece->may_be = kindset_of(piece->kind);
    }
    if (game_over(game)) return;
    note_mind(&open, context);
    note_squares(&open, context);
}

static bool same_notes(struct line *line, struct setup other[2], line_look *note) {
    struct buffer first = buffer_of(1 << 24), second = buffer_of(1 << 24);
    assert_true(line_replay(line, line->setups, note, &first));
    assert_true(line_replay(line, other, note, &second));
    assert_true(first.length > 0 && !first.broken && !second.broken);
    const bool same =
        first.length == second.length && memcmp(first.text, second.text, first.length) == 0;
    buffer_clear(&first);
    buffer_clear(&second);
    return same;
}

static void hidden_ranks_change_no_byte_of_what_a_mind_says(void **state) {
    (void)state;
    static struct line line;
    struct folders folders;
    struct fault fault = {0};
    int compared = 0, noticed = 0;
    memory.looks = 0;
    assert_true(folders_find(&folders, &fault));
    for (int i = 0; line_variants()[i]; i++) {
        struct rules *rules = variant_load(&folders, line_variants()[i], &fault);
        if (!rules) fail_msg("%s: %s", line_variants()[i], fault.text);
        begin(rules, (uint64_t)i);
        for (uint64_t number = 0; number < (sanitized() ? 2 : 8); number++) {
            struct setup other[2];
            line_draw(&line, rules, number / 2 % 2 ? BLUE : RED, number);
            if (!line_twin(&line, other)) continue;
            if (!same_notes(&line, other, note_all))
                fail_msg("%s, line %u", rules->name, (unsigned)number);
            noticed += !same_notes(&line, other, note_the_truth);
            compared++;
        }
        rules_free(rules);
    }
    assert_true(compared > (sanitized() ? 20 : 80));
    assert_true(memory.looks > compared);
    assert_true(noticed > compared / 2); /* the comparison can fail */
}

/* A game from random set-ups, with both sides' views. */
static struct game game;
static struct ply plies[TABLE_PLIES];
static struct eyes eyes;

/* What an enemy whose losses are hidden knows by them alone, the side cannot tell: of such a piece
 * the imagined enemy knows what both sides do. */
static void expect_no_more_known(const struct view *turned, const struct view *view) {
    assert_int_equal(turned->count, view->count);
    for (int i = 0; i < view->count; i++) {
        const struct view_piece *imagined = &turned->piece[i], *piece = &view->piece[i];
        assert_int_equal(imagined->at, piece->at);
        if (piece->at == SQUARE_NONE) continue;
        assert_int_equal(imagined->kind, piece->kind);
        assert_int_equal(imagined->shown, piece->shown);
        assert_int_equal(piece->may_be & ~imagined->may_be, 0);
        assert_int_equal(imagined->open, piece->open);
    }
    assert_memory_equal(turned->number, view->number, sizeof view->number);
}

/* What the enemy knows, as the side can tell, is what it does know. */
static void an_imagined_enemy_knows_what_the_true_one_does(void **state) {
    (void)state;
    static struct view turned;
    int compared = 0;
    for (int i = 0; i < STOCK_COUNT; i++) {
        const struct rules *rules = stock_rules(STOCK[i]);
        struct random random = random_stream(47, STREAM_PLAYOUT, (uint64_t)i);
        for (int round = 0; round < 12; round++) {
            random_start(rules, &random, &game, plies, &eyes);
            while (!game_over(&game)) {
                const size_t count = game_moves(&game, memory.moves, ROOM);
                eyes_play(&eyes, &game, memory.moves[random_below(&random, (uint32_t)count)]);
                if (random_below(&random, 8)) continue;
                for (int side = RED; side <= BLUE; side++) {
                    view_turned(&eyes.view[side], game.at, &turned);
                    if (rules->fallen_hidden)
                        expect_no_more_known(&turned, &eyes.view[1 - side]);
                    else
                        assert_memory_equal(&turned, &eyes.view[1 - side], sizeof turned);
                    compared++;
                }
            }
        }
    }
    assert_true(compared > 1000);
}

/* The luck in a move of the side whose view the mind has read. */
static double luck_in(const struct mind *mind, const struct game *imagined, struct move move) {
    struct stakes stakes;
    const kind_id mover = cell_kind(imagined->at[move.from]),
                  met = cell_kind(imagined->at[move.to]);
    evaluation_stakes(&mind->evaluation, move, &stakes);
    return (double)stakes.luck[evaluation_end(imagined->rules, (enum side)imagined->to_move, move,
                                              mover, met)] /
           CHANCE_CERTAIN;
}

/* Our move, then the best of each side by its own lights until it is our turn after `depth` plies
 * or more, less our luck; written without the tree, which is empty at the first look. */
static double slow_look(const struct view *view, struct move move, int depth) {
    static struct game imagined;
    static struct ply played[LOOK_PLIES];
    static struct eyes seen;
    static struct mind mind;
    static struct move moves[ROOM];
    static int32_t chances[ROOM];
    double found[LOOK_DEPTH_MAX], luck[LOOK_DEPTH_MAX], first_luck, last = 0.5;
    int turns = 0;
    mind.measure = &memory.measure;
    mind.value = &memory.value;
    imagined = memory.look.start;
    memcpy(played, memory.look.start_plies, imagined.ply_count * sizeof *played);
    imagined.plies = played;
    seen.view[view->side] = *view;
    view_turned(view, imagined.at, &seen.view[1 - view->side]);
    mind_read(&mind, view);
    first_luck = luck_in(&mind, &imagined, move);
    eyes_play(&seen, &imagined, move);
    for (int ply = 0;; ply++) {
        if (game_over(&imagined)) {
            last = imagined.result == RESULT_DRAW                         ? 0.5
                   : imagined.result == result_win((enum side)view->side) ? 1
                                                                          : 0;
            break;
        }
        size_t best = 0;
        const size_t count = game_moves(&imagined, moves, ROOM);
        mind_read(&mind, &seen.view[imagined.to_move]);
        mind_moves(&mind, moves, count, chances);
        for (size_t i = 1; i < count; i++)
            if (chances[i] > chances[best]) best = i;
        const double chance = (double)chances[best] / CHANCE_CERTAIN;
        if (imagined.to_move == view->side && ply >= depth) {
            last = chance;
            break;
        }
        if (imagined.to_move == view->side) {
            luck[turns] = luck_in(&mind, &imagined, moves[best]);
            found[turns++] = chance;
        }
        eyes_play(&seen, &imagined, moves[best]);
    }
    while (turns-- > 0) last = 0.2 * found[turns] + 0.8 * (last - luck[turns]);
    return last - first_luck;
}

static void the_first_look_follows_the_best_moves_of_both_sides(void **state) {
    (void)state;
    int compared = 0;
    for (int i = 0; i < STOCK_COUNT; i++) {
        const struct rules *rules = stock_rules(STOCK[i]);
        if (rules->sight || rules->calls) continue;
        struct random random = random_stream(59, STREAM_PLAYOUT, (uint64_t)i);
        begin(rules, (uint64_t)i);
        random_start(rules, &random, &game, plies, &eyes);
        while (!game_over(&game) && game.ply_count < 200) {
            const struct view *view = &eyes.view[game.to_move];
            const size_t count = game_moves(&game, memory.moves, ROOM);
            const struct move move = memory.moves[random_below(&random, (uint32_t)count)];
            if (random_below(&random, 12) == 0) {
                const int depth = (int)random_below(&random, 12);
                int64_t sum = 0;
                prepare_sampler(view);
                belief_search_ask(&memory.look, &memory.mind, &move, 1);
                belief_search_once(&memory.look, &memory.sampler, &random, depth, &sum);
                const double slow = slow_look(view, move, depth);
                assert_true(fabs((double)sum / CHANCE_CERTAIN - slow) < 1e-6);
                compared++;
            }
            eyes_play(&eyes, &game, move);
        }
    }
    assert_true(compared > 80);
}

/* A digest of what minds say in games that they play themselves. */
static uint64_t mind_digest(const char *variant, uint64_t number) {
    const struct rules *rules = stock_rules(variant);
    struct random random = random_stream(53, STREAM_PLAYOUT, number);
    struct buffer notes = buffer_of(1 << 26);
    begin(rules, number);
    random_start(rules, &random, &game, plies, &eyes);
    while (!game_over(&game) && game.ply_count < 120) {
        const struct view *view = &eyes.view[game.to_move];
        note_mind(view, &notes);
        note_moves(&game, view, &notes, game.ply_count);
        const size_t count = game_moves(&game, memory.moves, ROOM);
        size_t best = random_below(&random, (uint32_t)count);
        for (size_t i = 0; i < count; i++)
            if (memory.chances[i] > memory.chances[best]) best = i;
        eyes_play(&eyes, &game, memory.moves[best]);
    }
    assert_false(notes.broken);
    const uint64_t digest = digest_of(notes.text, notes.length);
    buffer_clear(&notes);
    return digest;
}

/* Pinned: the same from every compiler, with sanitizers, and without AVX2. */
static void a_mind_says_the_same_on_every_machine(void **state) {
    (void)state;
    static const struct {
        const char *variant;
        uint64_t digest;
    } pinned[] = {{"original", UINT64_C(0x01c2d2061d938a63)},
                  {"duel", UINT64_C(0x22fa7d15df68329a)},
                  {"infiltrator", UINT64_C(0x79928dee7abb0d50)},
                  {"galaxy", UINT64_C(0x834aa6cdb8f4d1bf)},
                  {"lightning", UINT64_C(0x17e3ccf8006de70c)}};
    for (size_t i = 0; i < sizeof pinned / sizeof *pinned; i++)
        assert_int_equal(mind_digest(pinned[i].variant, i), pinned[i].digest);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hidden_ranks_change_no_byte_of_what_a_mind_says),
        cmocka_unit_test(an_imagined_enemy_knows_what_the_true_one_does),
        cmocka_unit_test(the_first_look_follows_the_best_moves_of_both_sides),
        cmocka_unit_test(a_mind_says_the_same_on_every_machine),
    };
    return cmocka_run_group_tests_name("core/belief_search", tests, NULL, stock_teardown);
}
