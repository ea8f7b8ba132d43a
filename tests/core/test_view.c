/* What one side may know: RULES 8. Small positions first; then random games in which each view is
 * compared with the knowledge derived from the true position, and games played twice with hidden
 * ranks exchanged. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/rules/refusal.h"
#include "custom.h"
#include "manners.h"
#include "reference/reference_walk.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>

static struct table table;

static kindset kinds(const char *a, const char *b) {
    return kindset_of(table_kind(&table, a)) | (b ? kindset_of(table_kind(&table, b)) : 0);
}

static void assert_hidden(enum side watcher, const char *at) {
    assert_int_equal(table_seen(&table, watcher, at)->kind, KIND_NONE);
    assert_false(table_seen(&table, watcher, at)->shown);
    assert_false(table_seen(&table, side_other(watcher), at)->shown);
}

static void assert_shown(enum side watcher, const char *at, const char *name) {
    assert_int_equal(table_seen(&table, watcher, at)->kind, table_kind(&table, name));
    assert_int_equal(table_seen(&table, watcher, at)->may_be, kinds(name, NULL));
    assert_true(table_seen(&table, watcher, at)->shown);
    assert_true(table_seen(&table, side_other(watcher), at)->shown);
}

static void a_side_knows_its_own_army_and_no_enemy_kind(void **state) {
    (void)state;
    table_set(&table, "original", "rFa1 rMb1 bFj10 b9j9 red");
    assert_int_equal(table_seen(&table, RED, "b1")->kind, table_kind(&table, "marshal"));
    assert_int_equal(table_seen(&table, BLUE, "j9")->kind, table_kind(&table, "general"));
    assert_hidden(RED, "j9");
    assert_hidden(RED, "j10");
    assert_hidden(BLUE, "b1");
    /* Any piece of the army it faces. */
    assert_int_equal(view_may_be(&table.view[RED], table.view[RED].number[99]),
                     kinds("flag", "general"));
}

static void a_scouts_run_shows_it_and_a_step_does_not(void **state) {
    (void)state;
    table_set(&table, "original", "rFa1 r2b1 bFj10 b9j9 red");
    table_play(&table, "b1-b2");
    assert_hidden(BLUE, "b2");
    table_play(&table, "j9-j8 b2-b5");
    assert_shown(BLUE, "b5", "scout");
}

static void a_moved_piece_is_neither_bomb_nor_flag(void **state) {
    (void)state;
    table_set(&table, "original", "rFa1 r2b1 bFj10 b9j9 red");
    assert_true(table_seen(&table, BLUE, "b1")->may_be & kinds("bomb", "flag"));
    table_play(&table, "b1-b2");
    assert_false(table_seen(&table, BLUE, "b2")->may_be & kinds("bomb", "flag"));
    assert_true(table_seen(&table, BLUE, "b2")->moved);
    assert_int_equal(table_seen(&table, BLUE, "b2")->moves, 1);
    assert_false(table_seen(&table, BLUE, "a1")->moved);
}

static void the_survivor_of_a_battle_is_shown_for_good(void **state) {
    (void)state;
    table_set(&table, "original", "rFa1 r4a2 r8e4 bFj10 b9e5 red");
    table_play(&table, "e4xe5");
    assert_shown(RED, "e5", "general");
    assert_int_equal(table.view[BLUE].captured[RED][table_kind(&table, "colonel")], 1);
}

static void the_survivor_stays_shown(void **state) {
    (void)state;
    table_set(&table, "original", "rFa1 r4a2 r8e4 bFj10 b9e5 red");
    table_play(&table, "e4xe5 e5-e4 a2-a3 e4-f4");
    assert_shown(RED, "f4", "general");
}

static void in_lightning_a_straight_double_step_may_be_scout_or_captain(void **state) {
    (void)state;
    table_set(&table, "lightning", "rFa1 r6b1 r2c1 bFj10 b9j9 red");
    table_play(&table, "b1-b3");
    assert_hidden(BLUE, "b3");
    assert_int_equal(table_seen(&table, BLUE, "b3")->may_be, kinds("scout", "captain"));
    table_play(&table, "j9-j8 c1-c3");
    assert_hidden(BLUE, "c3");
    assert_int_equal(table_seen(&table, BLUE, "c3")->may_be, kinds("scout", "captain"));
}

static void in_lightning_a_corner_or_a_long_run_tells(void **state) {
    (void)state;
    table_set(&table, "lightning", "rFa1 r6b1 r2j1 bFj10 b9i9 red");
    table_play(&table, "b1-c2");
    assert_shown(BLUE, "c2", "captain");
    table_play(&table, "i9-i8 j1-j4");
    assert_shown(BLUE, "j4", "scout");
}

static void concealed_battles_are_forgotten(void **state) {
    (void)state;
    table_set(&table, "original", "rFa1 r4a2 r8e4 bFj10 b9e5 red");
    struct rules *conceal = malloc(sizeof *conceal);
    assert_non_null(conceal);
    memcpy(conceal, table.rules, sizeof *conceal);
    memset(conceal->after_battle, AFTER_BATTLE_CONCEAL, sizeof conceal->after_battle);
    table.game.rules = conceal;
    views_start(table.view, &table.game);
    table_play(&table, "e4xe5");
    assert_int_equal(table.events.list[0].other, table_kind(&table, "general"));
    assert_hidden(RED, "e5");
    assert_int_equal(table.view[BLUE].captured[RED][table_kind(&table, "colonel")], 1);
    free(conceal);
}

static void fallen_and_shown_pieces_narrow_the_rest(void **state) {
    (void)state;
    table_set(&table, "original", "rFa1 rMe4 r4h2 bFj10 b9e5 b2j9 red");
    table_play(&table, "e4xe5");
    uint16_t scout = table.view[RED].number[table_square(&table, "j9")];
    assert_false(view_may_be(&table.view[RED], scout) & kinds("general", NULL));
    table_play(&table, "j9-j8");
    assert_int_equal(view_may_be(&table.view[RED], scout), kinds("scout", NULL));
}

/* What both sides may know of each piece, by its id in the reference, derived from the truth. */
struct lore {
    bool shown[512], moved[512];
    kindset may_be[512], walked[512]; /* by all that was told, and by its moves alone */
};

enum { PLIES = 300 };

static struct trial {
    const struct rules *rules;
    struct reference *reference;
    struct game game;
    struct ply plies[PLIES];
    struct view view[2];
    struct events events;
    struct lore lore;
    struct position start;
    bool touched[BOARD_SQUARES_MAX]; /* a piece that started there moved, fought or was aimed at */
    struct move moves[4096];
    struct random random;
} trial;

/* Kinds that could make this walk on the board as it is. */
static kindset walkers(const struct reference_state *before, struct move move) {
    kindset set = 0;
    for (kind_id kind = 1; kind <= trial.rules->kinds; kind++) {
        struct reach reach;
        reference_walk(trial.reference, before, before->to_move, kind, move.from, &reach);
        if (reach.to[move.to]) set |= kindset_of(kind);
    }
    return set;
}

/* A side that lost a piece knows what beat it; and what is shown by the fall of a piece. */
static void learn_in_silence(struct token attacker, struct token defender) {
    const struct rules *rules = trial.rules;
    const struct reference_state *after = reference_now(trial.reference);
    const struct move move = after->move;
    const enum outcome outcome = reference_fight(trial.reference, (enum side)attacker.side,
                                                 move.from, move.to, attacker.kind, defender.kind);
    kindset shows[2] = {0, 0}, winners = 0;
    for (kind_id kind = 1; kind <= rules->kinds; kind++) {
        const kind_id by = outcome == ATTACKER_WINS ? kind : attacker.kind;
        const kind_id met = outcome == ATTACKER_WINS ? defender.kind : kind;
        if (reference_fight(trial.reference, (enum side)attacker.side, move.from, move.to, by,
                            met) == outcome)
            winners |= kindset_of(kind);
    }
    if (outcome == ATTACKER_WINS) trial.lore.may_be[attacker.id] &= winners;
    if (outcome == DEFENDER_WINS) trial.lore.may_be[defender.id] &= winners;
    if (outcome != ATTACKER_WINS) shows[attacker.side] |= rules->fall_shows[attacker.kind];
    if (outcome != DEFENDER_WINS) shows[defender.side] |= rules->fall_shows[defender.kind];
    for (square s = 0; s < rules->board.squares; s++) {
        struct token token = reference_on(trial.reference, after, s);
        if (token.id && (shows[token.side] >> token.kind & 1)) trial.lore.shown[token.id] = true;
    }
}

static void learn(const struct reference_state *before, struct move move) {
    struct lore *lore = &trial.lore;
    const struct reference_state *after = reference_now(trial.reference);
    struct token mover = reference_on(trial.reference, before, move.from);
    struct token defender = {0};
    if (move.to != move.from) {
        defender = reference_on(trial.reference, before, move.to);
        lore->moved[mover.id] = true;
        lore->walked[mover.id] &= walkers(before, move);
        lore->may_be[mover.id] &= lore->walked[mover.id];
        if (lore->walked[mover.id] == kindset_of(mover.kind)) lore->shown[mover.id] = true;
    }
    if (defender.id && trial.rules->after_battle[1][1] == AFTER_BATTLE_REVEAL)
        lore->shown[mover.id] = lore->shown[defender.id] = true;
    if (defender.id && trial.rules->after_battle[1][1] == AFTER_BATTLE_SILENT)
        learn_in_silence(mover, defender);
    if (move.ability != ABILITY_NONE && after->survived) {
        const struct ability *ability = &trial.rules->ability[move.ability];
        struct token aim = reference_on(trial.reference, before, move.target);
        uint16_t effects = ability->effects[aim.kind][move.choice];
        if (effects & EFFECT_REVEAL_ACTOR) lore->shown[mover.id] = true;
    }
    for (uint16_t id = (uint16_t)(before->last_id + 1); id <= after->last_id; id++) {
        lore->may_be[id] = lore->walked[id] = UINT32_MAX;
        lore->shown[id] = trial.rules->open;
        lore->moved[id] = false;
    }
}

static void compare_piece(enum side watcher, square at, struct token token, const kindset *may_be) {
    const struct view *view = &trial.view[watcher];
    if (!token.id) {
        assert_int_equal(view->number[at], VIEW_EMPTY);
        return;
    }
    assert_int_not_equal(view->number[at], VIEW_EMPTY);
    int number = view->number[at];
    const struct view_piece *piece = &view->piece[number];
    assert_int_equal(piece->at, at);
    assert_int_equal(piece->side, token.side);
    assert_int_equal(piece->moved, trial.lore.moved[token.id]);
    assert_int_equal(piece->shown, trial.lore.shown[token.id]);
    bool known = token.side == watcher || trial.lore.shown[token.id];
    assert_int_equal(piece->kind, known ? token.kind : KIND_NONE);
    assert_true(piece->may_be & kindset_of(token.kind));
    assert_int_equal(view_may_be(view, number), may_be[number]);
    assert_true(may_be[number] & kindset_of(token.kind));
    assert_false(may_be[number] & ~piece->may_be);
    assert_false(piece->may_be & ~trial.lore.may_be[token.id]);
}

/* Where the fallen stay hidden a side counts the other's only as far as it knows them. */
static void compare_fallen(const struct view *view, enum side side,
                           const struct reference_state *state) {
    int fallen = 0, known = 0;
    for (kind_id k = 1; k <= trial.rules->kinds; k++) {
        fallen += state->fallen[side][k];
        known += view->captured[side][k];
        assert_in_range(view->captured[side][k], 0, state->fallen[side][k]);
    }
    assert_int_equal(known + view_fallen_unknown(view, side), fallen);
    if (side == (enum side)view->side || !trial.rules->fallen_hidden)
        assert_int_equal(known, fallen);
}

static void compare_views(void) {
    const struct reference_state *state = reference_now(trial.reference);
    for (int watcher = RED; watcher <= BLUE; watcher++) {
        const struct view *view = &trial.view[watcher];
        kindset may_be[2 * BOARD_SQUARES_MAX];
        view_all_may_be(view, may_be);
        for (square s = 0; s < trial.rules->board.squares; s++)
            compare_piece((enum side)watcher, s, reference_on(trial.reference, state, s), may_be);
        for (int side = RED; side <= BLUE; side++) compare_fallen(view, (enum side)side, state);
        assert_int_equal(view->to_move, state->to_move);
        assert_int_equal(view->plies, trial.reference->plies);
        assert_int_equal(view->quiet, state->quiet);
        assert_int_equal(view->result, state->result);
        assert_int_equal(view->reason, state->reason);
    }
}

/* No event names a kind that the rules do not show. */
static void compare_events(void) {
    for (int i = 0; i < trial.events.count; i++) {
        struct event event = trial.events.list[i];
        if (event.type == EVENT_MOVE || event.type == EVENT_CONCEAL || event.type == EVENT_SWAP) {
            assert_int_equal(event.kind, KIND_NONE);
            assert_int_equal(event.other, KIND_NONE);
        }
    }
}

static void play_trial(bool compare) {
    const struct manner *manner = manner_draw(&trial.random);
    assert_true(manner_position(manner, trial.rules, &trial.random, &trial.start));
    memset(&trial.lore, 0, sizeof trial.lore);
    for (int i = 0; i < 512; i++) trial.lore.may_be[i] = trial.lore.walked[i] = UINT32_MAX;
    for (int i = 0; i < 512; i++) trial.lore.shown[i] = trial.rules->open;
    memset(trial.touched, 0, sizeof trial.touched);
    memset(trial.view, 0, sizeof trial.view);
    reference_start(trial.reference, &trial.start, NULL);
    game_start(&trial.game, trial.rules, &trial.start, NULL, trial.plies, PLIES);
    views_start(trial.view, &trial.game);
    uint16_t first_id[512] = {0}, square_of[512] = {0};
    for (square s = 0; s < trial.rules->board.squares; s++) {
        uint16_t id = reference_on(trial.reference, reference_now(trial.reference), s).id;
        first_id[id] = id;
        square_of[id] = s;
    }
    while (!game_over(&trial.game)) {
        size_t count = game_moves(&trial.game, trial.moves, 4096);
        struct move move = manner_choose(manner, &trial.game, trial.moves, count, &trial.random);
        const struct reference_state *before = reference_now(trial.reference);
        square met[3] = {move.from, move.to, move.target};
        for (int i = 0; i < 3; i++) {
            if (met[i] == SQUARE_NONE) continue;
            uint16_t id = reference_on(trial.reference, before, met[i]).id;
            if (id && first_id[id]) trial.touched[square_of[id]] = true;
        }
        trial.events.count = 0;
        game_play(&trial.game, move, &trial.events);
        reference_play(trial.reference, move);
        learn(before, move);
        view_turn(&trial.view[RED], &trial.events);
        view_turn(&trial.view[BLUE], &trial.events);
        if (compare) {
            compare_events();
            compare_views();
        }
    }
}

static void begin_trials(const struct rules *rules, uint64_t index) {
    trial.rules = rules;
    trial.random = random_stream(8, STREAM_PLAYOUT, index);
    trial.reference = reference_new(rules, true, PLIES);
    assert_non_null(trial.reference);
}

static void views_know_what_the_truth_allows_and_all_of_it(void **state) {
    (void)state;
    for (int i = 0; i < STOCK_COUNT; i++) {
        begin_trials(stock_rules(STOCK[i]), (uint64_t)i);
        for (int game = 0; game < 40; game++) play_trial(true);
        reference_free(trial.reference);
    }
}

static void concealing_views_know_less(void **state) {
    (void)state;
    struct rules *conceal = malloc(sizeof *conceal);
    assert_non_null(conceal);
    memcpy(conceal, stock_rules("barrage"), sizeof *conceal);
    memset(conceal->after_battle, AFTER_BATTLE_CONCEAL, sizeof conceal->after_battle);
    begin_trials(conceal, 99);
    for (int game = 0; game < 60; game++) play_trial(true);
    reference_free(trial.reference);
    free(conceal);
}

static void what_a_silent_battle_tells_depends_on_the_squares(void **state) {
    (void)state;
    static const uint8_t count[CUSTOM_KINDS + 1] = {
        [CUSTOM_FLAG] = 1,    [CUSTOM_BOMB] = 2,   [CUSTOM_RUNNER] = 2,
        [CUSTOM_STEPPER] = 2, [CUSTOM_LEAPER] = 2, [CUSTOM_TURNER] = 2};
    struct random random = random_stream(41, STREAM_PLAYOUT, 0);
    for (uint64_t i = 0; i < 8; i++) {
        struct fault fault = {0};
        struct rules *rules = custom_rules(6, 6, 2, 0, count, false, &fault);
        assert_non_null(rules);
        memset(rules->after_battle, AFTER_BATTLE_SILENT, sizeof rules->after_battle);
        custom_battles(rules, &random, false);
        begin_trials(rules, 300 + i);
        reference_free(trial.reference);
        trial.reference = reference_new(rules, false, PLIES);
        assert_non_null(trial.reference);
        for (int game = 0; game < 30; game++) play_trial(true);
        reference_free(trial.reference);
        rules_free(rules);
    }
}

static void both_sides_know_every_piece_of_an_open_game(void **state) {
    (void)state;
    static const char *const names[] = {"barrage", "lightning", "infiltrator"};
    for (int i = 0; i < 3; i++) {
        struct rules *open = malloc(sizeof *open);
        assert_non_null(open);
        memcpy(open, stock_rules(names[i]), sizeof *open);
        open->open = true;
        begin_trials(open, 200u + (uint64_t)i);
        for (int game = 0; game < 30; game++) play_trial(true);
        reference_free(trial.reference);
        free(open);
    }
}

/* Two of the pieces of one side that nothing ever touched, of different kinds; false if none. */
static bool untouched_pair(enum side side, square *a, square *b) {
    for (*a = 0; *a < trial.rules->board.squares; ++*a) {
        cell first = trial.start.at[*a];
        if (first == CELL_EMPTY || cell_side(first) != side || trial.touched[*a]) continue;
        for (*b = (square)(*a + 1); *b < trial.rules->board.squares; ++*b) {
            cell second = trial.start.at[*b];
            if (second == CELL_EMPTY || second == first || cell_side(second) != side) continue;
            if (!trial.touched[*b]) return true;
        }
    }
    return false;
}

static void hidden_ranks_change_nothing_that_the_other_side_receives(void **state) {
    (void)state;
    static struct view again;
    static struct game twin;
    static struct ply history[PLIES];
    int compared = 0;
    for (int i = 0; i < STOCK_COUNT; i++) {
        if (stock_rules(STOCK[i])->open) continue;
        begin_trials(stock_rules(STOCK[i]), 1000u + (uint64_t)i);
        for (int game = 0; game < 40; game++) {
            square a, b;
            play_trial(false);
            if (trial.game.reason == REASON_IMMOBILE || !untouched_pair(BLUE, &a, &b)) continue;
            cell kept = trial.start.at[a];
            trial.start.at[a] = trial.start.at[b];
            trial.start.at[b] = kept;
            memset(&again, 0, sizeof again);
            game_start(&twin, trial.rules, &trial.start, NULL, history, PLIES);
            view_start(&again, trial.rules, RED, twin.at, twin.pieces[BLUE], twin.start[BLUE],
                       (enum side)twin.to_move, twin.limits);
            uint32_t plies = trial.game.ply_count, ply = 0;
            while (ply < plies && game_judge(&twin, trial.plies[ply].move) == LEGAL) {
                struct events events = {0};
                game_play(&twin, trial.plies[ply++].move, &events);
                view_turn(&again, &events);
            }
            /* Another army may be walled in or out of moves; such a game tells nothing here. */
            if (ply < plies || twin.reason != trial.game.reason) continue;
            assert_memory_equal(&again, &trial.view[RED], sizeof again);
            compared++;
        }
        reference_free(trial.reference);
    }
    assert_true(compared > 100);
}

/* The events of a move, the end left out, if the piece on `at` were of this kind. False if that
 * piece could not make the move. */
static bool told_if(const struct game *game, struct move move, square at, kind_id kind,
                    struct events *events) {
    static struct ply plies[2];
    static struct game twin;
    struct position position = {.to_move = (enum side)game->to_move};
    memcpy(position.at, game->at, sizeof position.at);
    position.at[at] = cell_of(cell_side(game->at[at]), kind);
    game_start(&twin, game->rules, &position, NULL, plies, 2);
    if (game_over(&twin) || game_judge(&twin, move) != LEGAL) return false;
    memset(events, 0, sizeof *events);
    game_play(&twin, move, events);
    if (events->list[events->count - 1].type == EVENT_END) events->count--;
    return true;
}

/* The kinds that the target of a use cannot be by what was told, found by playing the move with
 * each; `tried` are those with which it can be played. */
static kindset refuted_by(const struct game *game, struct move move, kindset *tried) {
    struct events truth, told;
    kindset refuted = 0;
    *tried = 0;
    if (!told_if(game, move, move.target, cell_kind(game->at[move.target]), &truth)) return 0;
    for (kind_id kind = 1; kind <= game->rules->kinds; kind++) {
        if (!told_if(game, move, move.target, kind, &told)) continue;
        *tried |= kindset_of(kind);
        if (told.count != truth.count ||
            memcmp(told.list, truth.list, (size_t)truth.count * sizeof *truth.list) != 0)
            refuted |= kindset_of(kind);
    }
    return refuted;
}

/* Returns how many kinds were ruled out. */
static int follow_uses(const struct rules *rules, uint64_t index) {
    int ruled_out = 0;
    begin_trials(rules, index);
    const struct manner *manner = manner_draw(&trial.random);
    assert_true(manner_position(manner, rules, &trial.random, &trial.start));
    memset(trial.view, 0, sizeof trial.view);
    game_start(&trial.game, rules, &trial.start, NULL, trial.plies, PLIES);
    views_start(trial.view, &trial.game);
    while (!game_over(&trial.game)) {
        size_t count = game_moves(&trial.game, trial.moves, 4096);
        struct move move = trial.moves[random_below(&trial.random, (uint32_t)count)];
        struct view *watcher = &trial.view[trial.game.to_move];
        struct view_piece *target = NULL;
        kindset before = 0, refuted = 0, tried = 0;
        if (move.ability != ABILITY_NONE && watcher->number[move.target] != VIEW_EMPTY) {
            target = &watcher->piece[watcher->number[move.target]];
            before = target->refuted;
            refuted = refuted_by(&trial.game, move, &tried);
        }
        trial.events.count = 0;
        game_play(&trial.game, move, &trial.events);
        view_turn(&trial.view[RED], &trial.events);
        view_turn(&trial.view[BLUE], &trial.events);
        if (!target || target->kind != KIND_NONE) continue;
        assert_int_equal(target->refuted & tried, (before | refuted) & tried);
        assert_int_equal(before & ~target->refuted, 0);
        ruled_out += __builtin_popcount(refuted);
    }
    reference_free(trial.reference);
    return ruled_out;
}

static void a_use_rules_out_the_kinds_on_which_it_would_have_looked_otherwise(void **state) {
    (void)state;
    static const uint8_t count[CUSTOM_KINDS + 1] = {
        [CUSTOM_FLAG] = 1,    [CUSTOM_BOMB] = 2,   [CUSTOM_RUNNER] = 2,
        [CUSTOM_STEPPER] = 2, [CUSTOM_LEAPER] = 2, [CUSTOM_TURNER] = 2};
    struct fault fault = {0};
    struct rules *custom = custom_rules(6, 6, 2, 0, count, true, &fault);
    assert_non_null(custom);
    int stock = 0;
    for (uint64_t game = 0; game < 60; game++) {
        stock += follow_uses(stock_rules("infiltrator"), game);
        stock += follow_uses(stock_rules("galaxy"), game);
        follow_uses(custom, game);
    }
    assert_true(stock > 100);
    /* A reach that only shows its target where the guess is right, and nothing where it is not. */
    for (kind_id kind = 1; kind <= custom->kinds; kind++)
        for (kind_id choice = 0; choice <= custom->kinds; choice++)
            for (int i = 0; i < custom->abilities; i++)
                if (custom->ability[i].asks == ASKS_KIND)
                    custom->ability[i].effects[kind][choice] =
                        kind == choice ? EFFECT_REVEAL_TARGET : 0;
    struct refusals refusals;
    assert_true(rules_finish(custom, &refusals));
    int shown = 0;
    for (uint64_t game = 0; game < 60; game++) shown += follow_uses(custom, game);
    assert_true(shown > 20);
    rules_free(custom);
}

static void a_wrong_guess_rules_out_what_was_named(void **state) {
    (void)state;
    table_set(&table, "infiltrator", "rFa1 rXe7 bFj10 bMe8 b9j9 red");
    table_play(&table, "e7@e8=general");
    assert_hidden(RED, "e8");
    assert_int_equal(table_seen(&table, RED, "e8")->refuted, kinds("general", NULL));
    int number = table.view[RED].number[table_seen(&table, RED, "e8")->at];
    assert_int_equal(view_may_be(&table.view[RED], number) & kinds("general", NULL), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_side_knows_its_own_army_and_no_enemy_kind),
        cmocka_unit_test(a_scouts_run_shows_it_and_a_step_does_not),
        cmocka_unit_test(a_moved_piece_is_neither_bomb_nor_flag),
        cmocka_unit_test(the_survivor_of_a_battle_is_shown_for_good),
        cmocka_unit_test(the_survivor_stays_shown),
        cmocka_unit_test(in_lightning_a_straight_double_step_may_be_scout_or_captain),
        cmocka_unit_test(in_lightning_a_corner_or_a_long_run_tells),
        cmocka_unit_test(concealed_battles_are_forgotten),
        cmocka_unit_test(fallen_and_shown_pieces_narrow_the_rest),
        cmocka_unit_test(views_know_what_the_truth_allows_and_all_of_it),
        cmocka_unit_test(concealing_views_know_less),
        cmocka_unit_test(what_a_silent_battle_tells_depends_on_the_squares),
        cmocka_unit_test(both_sides_know_every_piece_of_an_open_game),
        cmocka_unit_test(a_wrong_guess_rules_out_what_was_named),
        cmocka_unit_test(a_use_rules_out_the_kinds_on_which_it_would_have_looked_otherwise),
        cmocka_unit_test(hidden_ranks_change_nothing_that_the_other_side_receives),
    };
    return cmocka_run_group_tests_name("core/view", tests, NULL, stock_teardown);
}
