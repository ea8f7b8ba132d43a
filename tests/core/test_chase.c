/* Chases and races on small boards, all pairs of squares, held against plain recursion with moves
 * of its own. */
#include "core/value/chase.h"

#include "custom.h"
#include "support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { SQUARES = 30, DEPTH = 14 };

/* Kinds of all_kinds(), which has one of each. */
enum { FLAG = 1, BOMB, RUNNER, STEPPER, LEAPER, TURNER };

static struct rules *all_kinds(int files, int ranks, squareset lakes) {
    static const uint8_t count[CUSTOM_KINDS + 1] = {0, 1, 1, 1, 1, 1, 1};
    struct fault fault = {0};
    struct rules *rules = custom_rules(files, ranks, 2, lakes, count, false, &fault);
    if (!rules) fail_msg("%s", fault.text);
    return rules;
}

/* A board of letters: '.' free, '#' taken, '~' a lake. */
static struct slow {
    int files, ranks;
    char board[SQUARES];
    kindset hunter, prey; /* kinds */
    signed char memo[DEPTH + 1][2][SQUARES][SQUARES];
} slow;

static bool is_free(int file, int rank) {
    return file >= 0 && rank >= 0 && file < slow.files && rank < slow.ranks &&
           slow.board[rank * slow.files + file] == '.';
}

static const int WAY[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};

/* Lists squares that a piece of this kind goes to; `other` (perhaps -1) is the one piece that it
 * may enter, or may not pass. */
static int slow_moves(int kind, int from, int other, int list[64]) {
    const int file = from % slow.files, rank = from / slow.files;
    int count = 0;
    if (kind == LEAPER) {
        for (int x = -2; x <= 2; x++)
            for (int y = -2; y <= 2; y++)
                if (x * x + y * y == 5 && is_free(file + x, rank + y))
                    list[count++] = (rank + y) * slow.files + file + x;
        return count;
    }
    if (kind != RUNNER && kind != STEPPER && kind != TURNER) return 0;
    for (int way = 0; way < 4; way++) {
        int x = file, y = rank;
        for (int steps = 1; steps <= (kind == RUNNER ? 15 : 1); steps++) {
            x += WAY[way][0];
            y += WAY[way][1];
            if (!is_free(x, y)) break;
            const int to = y * slow.files + x;
            list[count++] = to;
            if (to == other) break;
            for (int turn = 0; kind == TURNER && turn < 4; turn++) {
                const int u = x + WAY[turn][0], v = y + WAY[turn][1];
                if (is_free(u, v) && v * slow.files + u != from) list[count++] = v * slow.files + u;
            }
        }
    }
    return count;
}

/* Is the prey caught within so many plies? */
static bool slow_caught(int plies, bool hunts, int hunter, int prey) {
    signed char *memo = &slow.memo[plies][hunts][hunter][prey];
    int list[64];
    if (!plies) return false;
    if (*memo) return *memo > 0;
    bool caught = slow_caught(plies - 1, !hunts, hunter, prey); /* who moves stays */
    for (int kind = 1; kind <= CUSTOM_KINDS; kind++) {
        if (!((hunts ? slow.hunter : slow.prey) >> kind & 1)) continue;
        int count =
            hunts ? slow_moves(kind, hunter, prey, list) : slow_moves(kind, prey, hunter, list);
        for (int i = 0; i < count; i++)
            if (hunts)
                caught |= list[i] == prey || slow_caught(plies - 1, false, list[i], prey);
            else if (list[i] != hunter)
                caught &= slow_caught(plies - 1, true, hunter, list[i]);
    }
    *memo = caught ? 1 : -1;
    return caught;
}

static int slow_plies(int plies, bool hunts, int hunter, int prey) {
    for (int ply = 1; ply <= plies; ply++)
        if (slow_caught(ply, hunts, hunter, prey)) return ply;
    return CHASE_NEVER;
}

static void add_piece(struct view *view, kindset *may_be, enum side side, square at,
                      kindset kinds) {
    may_be[view->count] = kinds;
    view->number[at] = (uint16_t)view->count;
    view->piece[view->count++] = (struct view_piece){.side = (uint8_t)side, .at = at};
}

static void clear_view(struct view *view, const struct rules *rules) {
    memset(view, 0, sizeof *view);
    view->rules = rules;
    for (int at = 0; at < BOARD_SQUARES_MAX; at++) view->number[at] = VIEW_EMPTY;
}

/* A view of the slow board. Pieces that stand still belong to both sides. */
static void read_board(struct view *view, kindset *may_be, const struct rules *rules) {
    clear_view(view, rules);
    for (int at = 0; at < slow.files * slow.ranks; at++)
        if (slow.board[at] == '#')
            add_piece(view, may_be, at % 2 ? RED : BLUE, (square)at, kindset_of(BOMB));
}

static struct rules *set_board(int files, int ranks, const char *board) {
    squareset lakes = 0;
    slow.files = files;
    slow.ranks = ranks;
    memcpy(slow.board, board, (size_t)(files * ranks));
    for (int at = 0; at < files * ranks; at++)
        if (board[at] == '~') lakes |= squareset_of((square)at);
    return all_kinds(files, ranks, lakes);
}

/* Compares all pairs of squares. Returns how many are caught, later than at once. */
static int compare_all(const struct rules *rules, kindset hunter, kindset prey) {
    static struct view view;
    kindset may_be[2 * BOARD_SQUARES_MAX];
    int late = 0;
    slow.hunter = hunter;
    slow.prey = prey;
    memset(slow.memo, 0, sizeof slow.memo);
    for (int pair = 0; pair < slow.files * slow.ranks * slow.files * slow.ranks; pair++) {
        const int from = pair / (slow.files * slow.ranks), at = pair % (slow.files * slow.ranks);
        if (from == at || slow.board[from] != '.' || slow.board[at] != '.') continue;
        read_board(&view, may_be, rules);
        add_piece(&view, may_be, BLUE, (square)from, hunter);
        add_piece(&view, may_be, RED, (square)at, prey);
        for (int hunts = 0; hunts < 2; hunts++) {
            const struct pursuit pursuit = {&view,          may_be,       view.count - 2,
                                            view.count - 1, (square)from, (square)at,
                                            hunts == 1};
            const int found = chase_plies(&pursuit, DEPTH);
            const int wanted = slow_plies(DEPTH, hunts, from, at);
            if (found != wanted)
                fail_msg("%d hunts %d, it moves: %d: %d plies, not %d", from, at, hunts, found,
                         wanted);
            late += found != CHASE_NEVER && found > 2;
        }
    }
    return late;
}

static const struct {
    int files, ranks;
    const char *board;
} BOARDS[] = {{5, 5,
               ".#..."
               "..#.~"
               "#...."
               "~..#."
               "....."},
              {6, 4,
               "....#."
               ".~#.#."
               ".#..~."
               "......"},
              {4, 7,
               ".#.."
               ".#.."
               "..~."
               "~..."
               "#..."
               ".#.#"
               "..#."},
              {4, 4,
               "...."
               "...."
               "...."
               "...."}};

static void chases_are_those_of_plain_recursion(void **state) {
    (void)state;
    static const kindset kinds[][2] = {
        {1u << STEPPER, 1u << STEPPER}, {1u << STEPPER, 1u << RUNNER},
        {1u << TURNER, 1u << RUNNER},   {1u << STEPPER, 1u << LEAPER},
        {1u << STEPPER, 1u << TURNER},  {1u << RUNNER, 1u << RUNNER},
        {1u << LEAPER, 1u << LEAPER},   {1u << STEPPER | 1u << TURNER, 1u << RUNNER | 1u << LEAPER},
        {1u << STEPPER, 1u << FLAG}};
    int late = 0;
    for (size_t b = 0; b < sizeof BOARDS / sizeof *BOARDS; b++) {
        struct rules *rules = set_board(BOARDS[b].files, BOARDS[b].ranks, BOARDS[b].board);
        for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
            late += compare_all(rules, kinds[i][0], kinds[i][1]);
        rules_free(rules);
    }
    assert_true(late > 500);
}

/* A hunter that cannot win or tie does not count; of one known in part the kinds that may. */
static void a_hunter_has_to_be_able_to_win(void **state) {
    (void)state;
    static struct view view;
    kindset may_be[2 * BOARD_SQUARES_MAX];
    struct rules *rules = set_board(5, 1 + 3,
                                    "....."
                                    "....."
                                    "....."
                                    ".....");
    read_board(&view, may_be, rules);
    add_piece(&view, may_be, BLUE, 0, kindset_of(RUNNER));
    add_piece(&view, may_be, RED, 3, kindset_of(STEPPER));
    const struct pursuit pursuit = {&view, may_be, 0, 1, 0, 3, true};
    assert_int_equal(chase_plies(&pursuit, DEPTH), CHASE_NEVER);
    may_be[0] = kindset_of(RUNNER) | kindset_of(STEPPER) | kindset_of(BOMB);
    assert_int_equal(chase_plies(&pursuit, 1), CHASE_NEVER);
    may_be[1] = kindset_of(STEPPER) | kindset_of(RUNNER); /* which the runner ties */
    assert_int_equal(chase_plies(&pursuit, 1), 1);
    rules_free(rules);
}

/* Moves of one kind to a square, by relaxing until nothing changes. */
static int slow_distance(kindset kinds, int from, int to) {
    int distance[SQUARES], list[64];
    for (int at = 0; at < SQUARES; at++) distance[at] = at == from ? 0 : 1000;
    const char kept = slow.board[to], left = slow.board[from];
    slow.board[from] = '.';
    if (kept == '#') slow.board[to] = '.';
    for (bool changed = true; changed;) {
        changed = false;
        for (int at = 0; at < slow.files * slow.ranks; at++) {
            if (distance[at] == 1000 || (at == to && kept == '#')) continue;
            for (int kind = 1; kind <= CUSTOM_KINDS; kind++) {
                const int count =
                    kinds >> kind & 1 ? slow_moves(kind, at, kept == '#' ? to : -1, list) : 0;
                for (int i = 0; i < count; i++) {
                    if (distance[list[i]] <= distance[at] + 1) continue;
                    distance[list[i]] = distance[at] + 1;
                    changed = true;
                }
            }
        }
    }
    slow.board[to] = kept;
    slow.board[from] = left;
    return distance[to] == 1000 ? CHASE_NEVER : distance[to];
}

/* Ranks of custom.c: who wins or ties by attacking. */
static kindset slow_winners(kindset kinds, kindset others) {
    static const int rank[] = {0, 0, 9, 2, 5, 3, 4};
    kindset found = 0;
    for (int kind = RUNNER; kind <= TURNER; kind++)
        for (int other = FLAG; other <= TURNER; other++)
            if ((kinds >> kind & 1) && (others >> other & 1) && rank[kind] >= rank[other])
                found |= kindset_of((kind_id)kind);
    return found;
}

static void races_are_won_by_the_nearest_that_may_win(void **state) {
    (void)state;
    static struct view view;
    kindset may_be[2 * BOARD_SQUARES_MAX];
    struct random random = random_stream(59, STREAM_PLAYOUT, 0);
    int compared = 0, met = 0;
    for (size_t b = 0; b < sizeof BOARDS / sizeof *BOARDS; b++) {
        struct rules *rules = set_board(BOARDS[b].files, BOARDS[b].ranks, BOARDS[b].board);
        const int squares = slow.files * slow.ranks;
        for (int round = 0; round < 300; round++) {
            memcpy(slow.board, BOARDS[b].board, (size_t)squares);
            read_board(&view, may_be, rules);
            const int first = view.count;
            for (int i = 0; i < 4; i++) {
                const int at = (int)random_below(&random, (uint32_t)squares);
                if (slow.board[at] != '.') continue;
                kindset kinds = kindset_of((kind_id)(1 + random_below(&random, TURNER)));
                if (i == 3) kinds |= kindset_of((kind_id)(1 + random_below(&random, TURNER)));
                add_piece(&view, may_be, i % 2 ? RED : BLUE, (square)at, kinds);
                slow.board[at] = '#';
            }
            for (int number = first; number < view.count; number++) {
                const int to = (int)random_below(&random, (uint32_t)squares);
                if (slow.board[to] == '~') continue;
                const struct race race = race_run(&view, may_be, number, (square)to);
                int theirs = CHASE_NEVER;
                for (int i = 0; i < view.count; i++) {
                    const kindset kinds = slow_winners(may_be[i], may_be[number]);
                    if (view.piece[i].side == view.piece[number].side || !kinds) continue;
                    const int moves = slow_distance(kinds, view.piece[i].at, to);
                    if (moves < theirs) theirs = moves;
                    if (race.number == i) assert_int_equal(race.theirs, moves);
                }
                assert_int_equal(race.own,
                                 slow_distance(may_be[number], view.piece[number].at, to));
                assert_int_equal(race.theirs, theirs);
                assert_true((race.number == VIEW_EMPTY) == (theirs == CHASE_NEVER));
                met += theirs != CHASE_NEVER && race.own != CHASE_NEVER;
                compared++;
            }
        }
        rules_free(rules);
    }
    assert_true(compared > 2000);
    assert_true(met > 500);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chases_are_those_of_plain_recursion),
        cmocka_unit_test(a_hunter_has_to_be_able_to_win),
        cmocka_unit_test(races_are_won_by_the_nearest_that_may_win),
    };
    return cmocka_run_group_tests_name("core/chase", tests, NULL, NULL);
}
