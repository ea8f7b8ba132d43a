/* Exchanges in random games, held against a second implementation in real numbers that lists every
 * army the enemies near a square can be, and plays every order of attacks. */
#include "core/value/exchange.h"

#include "custom.h"
#include "games/sanitized.h"
#include "support.h"
#include "trial.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

enum { LINES = 4 };

static struct { int compared, long_ones, uncertain; } seen;

/* Whoever may attack the square. */
static struct attacker {
    bool own, there; /* there: not yet fallen, nor on the square */
    kind_id kind;    /* of ours */
    double chance[KINDS_MAX];
    bool comes[KINDS_MAX];
} attackers[LINES];

static double worth(kind_id kind) {
    return trial.measure.worth[kind] / (double)WORTH_UNIT;
}

static bool is_flag(kind_id kind) {
    return trial.rules->kind[kind].flag;
}

/* Does a winner of this kind leave the square empty? */
static bool goes_back(kind_id kind) {
    return trial.rules->stayers >> kind & 1;
}

static double slow_we_hold(kind_id holder);

/* Ours of this kind attacks a known enemy. */
static double slow_attack(kind_id own, kind_id enemy);

static double slow_enemy_holds(kind_id holder) {
    double best = 0;
    for (int i = 0; i < LINES; i++) {
        struct attacker *ours = &attackers[i];
        if (!ours->there || !ours->own) continue;
        ours->there = false;
        best = fmax(best, slow_attack(ours->kind, holder));
        ours->there = true;
    }
    return best;
}

static double slow_attack(kind_id own, kind_id enemy) {
    const enum outcome outcome = rules_outcome(trial.rules, own, enemy);
    double value = 0;
    if (outcome != DEFENDER_WINS) value += worth(enemy);
    if (outcome != ATTACKER_WINS) value -= worth(own);
    if (outcome == ATTACKER_WINS && !is_flag(enemy) && !goes_back(own)) value += slow_we_hold(own);
    if (outcome == DEFENDER_WINS && !is_flag(own)) value += slow_enemy_holds(enemy);
    return value;
}

/* The average over the kinds of attackers `i` and later of the least of their values and `least`.
 */
static double average(double values[LINES][KINDS_MAX], int i, double least) {
    double sum = 0;
    while (i < LINES && (!attackers[i].there || attackers[i].own)) i++;
    if (i == LINES) return least;
    for (int kind = 1; kind < KINDS_MAX; kind++)
        if (attackers[i].chance[kind] > 0)
            sum += attackers[i].chance[kind] * average(values, i + 1, fmin(least, values[i][kind]));
    return sum;
}

static double slow_we_hold(kind_id holder) {
    double values[LINES][KINDS_MAX] = {{0}}; /* 0: does not attack */
    for (int i = 0; i < LINES; i++) {
        struct attacker *enemy = &attackers[i];
        if (!enemy->there || enemy->own) continue;
        enemy->there = false;
        const double after_loss = slow_we_hold(holder);
        for (kind_id kind = 1; kind <= trial.rules->kinds; kind++) {
            if (!(enemy->chance[kind] > 0) || !enemy->comes[kind]) continue;
            const enum outcome outcome = rules_outcome(trial.rules, kind, holder);
            double *value = &values[i][kind];
            if (outcome != DEFENDER_WINS) *value -= worth(holder);
            if (outcome != ATTACKER_WINS) *value += worth(kind);
            if (outcome == ATTACKER_WINS && !is_flag(holder) && !goes_back(kind))
                *value += slow_enemy_holds(kind);
            if (outcome == DEFENDER_WINS && !is_flag(kind)) *value += after_loss;
        }
        enemy->there = true;
    }
    return average(values, 0, 0);
}

static void read_chances(int number, double chance[KINDS_MAX]) {
    const struct belief *belief = &trial.mind.belief;
    const int16_t *of = belief->chance[belief->group_of[number]];
    double sum = 0;
    for (int kind = 1; kind < KINDS_MAX; kind++) sum += of[kind];
    for (int kind = 0; kind < KINDS_MAX; kind++) chance[kind] = kind ? of[kind] / sum : 0;
}

/* Walks from the square each way, over the pieces of the game but that on `gone`. */
static void gather(const struct view *view, square at, int gone) {
    static const int by[LINES][2] = {{0, 1}, {1, 0}, {0, -1}, {-1, 0}};
    const struct board *board = &trial.rules->board;
    squareset taken = 0;
    for (int from = 0; from < board->squares; from++)
        if (trial.game.at[from] != CELL_EMPTY && from != gone) taken |= squareset_of((square)from);
    taken |= squareset_of(at); /* what is met there is attacked */
    for (int i = 0; i < LINES; i++) {
        int file = at % board->files, rank = at / board->files, found = -1;
        attackers[i] = (struct attacker){0};
        while (found < 0) {
            file += by[i][0];
            rank += by[i][1];
            if (file < 0 || rank < 0 || file >= board->files || rank >= board->ranks) break;
            const square next = (square)(rank * board->files + file);
            if (squareset_has(board->lakes, next)) break;
            if (squareset_has(taken, next)) found = next;
        }
        if (found < 0) continue;
        struct attacker *attacker = &attackers[i];
        const enum side side = cell_side(trial.game.at[found]);
        attacker->own = side == (enum side)view->side;
        attacker->kind = attacker->own ? cell_kind(trial.game.at[found]) : KIND_NONE;
        if (!attacker->own) read_chances(view->number[found], attacker->chance);
        for (kind_id kind = 1; kind <= trial.rules->kinds; kind++) {
            const uint8_t movement = trial.rules->kind[kind].movement;
            attacker->comes[kind] = movement != MOVEMENT_NONE &&
                                    squareset_has(movement_reach(&trial.rules->movement[movement],
                                                                 side, (square)found, taken),
                                                  at);
        }
        attacker->there = !attacker->own || attacker->comes[attacker->kind];
    }
}

/* Our piece attacks the enemy that stands there first. */
static double slow_first_attack(kind_id own, int number) {
    double chance[KINDS_MAX], sum = 0;
    read_chances(number, chance);
    for (kind_id kind = 1; kind <= trial.rules->kinds; kind++)
        if (chance[kind] > 0) sum += chance[kind] * slow_attack(own, kind);
    return sum;
}

static void expect(const char *what, square at, int32_t found, double wanted) {
    int in_line = 0, hidden = 0;
    for (int i = 0; i < LINES; i++) {
        in_line += attackers[i].there;
        for (int kind = 1; kind < KINDS_MAX; kind++)
            hidden |= attackers[i].chance[kind] > 0 && attackers[i].chance[kind] < 1;
    }
    if (fabs((double)found / EXCHANGE_UNIT - wanted) > 0.0005)
        fail_msg("%s, ply %u: %s %d: %f, not %f", trial.rules->name, trial.game.ply_count, what, at,
                 (double)found / EXCHANGE_UNIT, wanted);
    seen.compared++;
    seen.long_ones += in_line >= 2 && found;
    seen.uncertain += in_line >= 2 && hidden && found;
}

static void expect_square(const struct view *view, square at) {
    const int number = view->number[at];
    const int32_t found = exchange_on(&trial.mind, at);
    double wanted = 0;
    if (number == VIEW_EMPTY) {
        assert_int_equal(found, 0);
        return;
    }
    gather(view, at, -1);
    if (view->piece[number].side == view->side) {
        wanted = slow_we_hold(view->piece[number].kind);
    } else {
        for (int i = 0; i < LINES; i++) {
            if (!attackers[i].there || !attackers[i].own) continue;
            attackers[i].there = false;
            wanted = fmax(wanted, slow_first_attack(attackers[i].kind, number));
            attackers[i].there = true;
        }
    }
    expect("square", at, found, wanted);
}

static void expect_move(const struct view *view, struct move move) {
    const int there = move.to == move.from ? VIEW_EMPTY : view->number[move.to];
    const kind_id own = cell_kind(trial.game.at[move.from]);
    gather(view, move.to, move.from);
    expect("move to", move.to, exchange_move(&trial.mind, move),
           there == VIEW_EMPTY ? slow_we_hold(own) : slow_first_attack(own, there));
}

static void expect_position(enum side side) {
    const struct view *view = &trial.eyes.view[side];
    trial_draw_habits(&trial.random, &trial.value.habits);
    mind_read(&trial.mind, view);
    for (square at = 0; at < trial.rules->board.squares; at++) expect_square(view, at);
    if (side == (enum side)trial.game.to_move)
        for (size_t i = 0; i < trial.count; i++) expect_move(view, trial.moves[i]);
    trial.positions++;
}

static void exchanges_are_those_of_every_army_and_order(void **state) {
    (void)state;
    seen.compared = seen.long_ones = seen.uncertain = 0;
    for (int i = 0; i < STOCK_COUNT; i++)
        trial_play(stock_rules(STOCK[i]), (uint64_t)i, 500, expect_position);
    if (sanitized()) return;
    assert_true(seen.compared > 100000);
    assert_true(seen.long_ones > 5000);
    assert_true(seen.uncertain > 4000);
}

static void they_are_with_odd_pieces(void **state) {
    (void)state;
    static const uint8_t count[CUSTOM_KINDS + 1] = {0, 1, 2, 2, 3, 2, 2};
    struct fault fault = {0};
    seen.compared = seen.long_ones = seen.uncertain = 0;
    for (int i = 0; i < 2; i++) {
        struct rules *rules = custom_rules(6, 6, 2, 0, count, i == 1, &fault);
        if (!rules) fail_msg("%s", fault.text);
        trial_play(rules, 100u + (uint64_t)i, 2000, expect_position);
        rules_free(rules);
    }
    if (sanitized()) return;
    assert_true(seen.uncertain > 4000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exchanges_are_those_of_every_army_and_order),
        cmocka_unit_test(they_are_with_odd_pieces),
    };
    return cmocka_run_group_tests_name("core/exchange", tests, NULL, stock_teardown);
}
