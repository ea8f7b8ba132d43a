/* repetition.c - refuses repetitions.
 *
 * Turns alternate strictly, so a side's last moves are every second ply of the history. The history
 * is read only if the counter of one piece's consecutive moves is high enough. Our rulings where
 * the rule sheets are silent: a move that is not straight crosses one border, between its ends; a
 * piece swapped by an ability starts afresh; an attack counts among the moves of a Russian chase,
 * and an ability that is used in place does not, nor is it a flight.
 * The chase rules see the board after the effects of a variant's calls (calls.h), but assume that
 * the new move has none; a piece touched by an effect counts as another one. */
#include "repetition.h"

#include "turn.h"

/* The borders between squares of one line that a move crosses: those between lo and hi, which are
 * files on a rank and ranks on a file. */
struct crossing {
    enum { RANK_LINE, FILE_LINE, NO_LINE } way;
    int line; /* its number; for moves along no line, a number for the pair of squares */
    int lo, hi;
};

static int lesser(int a, int b) {
    return a < b ? a : b;
}

static int greater(int a, int b) {
    return a > b ? a : b;
}

static struct crossing crossing_of(const struct board *board, struct move move) {
    int from_file = board_file(board, move.from), from_rank = board_rank(board, move.from);
    int to_file = board_file(board, move.to), to_rank = board_rank(board, move.to);
    if (from_rank == to_rank)
        return (struct crossing){RANK_LINE, from_rank, lesser(from_file, to_file),
                                 greater(from_file, to_file)};
    if (from_file == to_file)
        return (struct crossing){FILE_LINE, from_file, lesser(from_rank, to_rank),
                                 greater(from_rank, to_rank)};
    int pair = lesser(move.from, move.to) << 8 | greater(move.from, move.to);
    return (struct crossing){NO_LINE, pair, 0, 1};
}

/* The borders that both cross; lo == hi if there is none. */
static struct crossing crossing_both(struct crossing a, struct crossing b) {
    struct crossing both = {a.way, a.line, greater(a.lo, b.lo), lesser(a.hi, b.hi)};
    if (a.way != b.way || a.line != b.line || both.lo > both.hi) both.hi = both.lo;
    return both;
}

bool repetition_to_and_fro(const struct board *board, const struct move *moves, int count) {
    struct crossing common = crossing_of(board, moves[0]);
    for (int i = 1; i < count && common.lo < common.hi; i++)
        common = crossing_both(common, crossing_of(board, moves[i]));
    return common.lo < common.hi;
}

static bool two_squares_forbids(const struct game *game, struct move move) {
    const struct chaser *own = &game->chaser[game->to_move];
    int limit = game->rules->two_squares;
    if (limit == 0 || own->run < limit || own->to != move.from) return false;
    struct move moves[TWO_SQUARES_MAX + 1] = {move};
    for (int i = 1; i <= limit; i++) moves[i] = game->plies[game->ply_count - 2 * (uint32_t)i].move;
    return repetition_to_and_fro(&game->rules->board, moves, limit + 1);
}

/* The marks after a move without an attack. */
static struct marks marks_then(const struct game *game, struct move move) {
    struct turn turn = {0};
    if (move.ability != ABILITY_NONE) turn_resolve(game, move, &turn, NULL);
    return marks_after(game, move, &turn);
}

/* The change of the hash when `side` changes a counter. */
static uint64_t counters_hash(const struct game *game, enum side side, struct counting counting) {
    const struct rules *rules = game->rules;
    int counter = counting.counter - 1;
    if (counting.how & COUNTING_ENEMY) side = side_other(side);
    if (!rules->counter[counter].each) side = RED;
    int was = counters_get(&game->counters, rules, side, counter);
    return game_counter_key(counter, side, was) ^
           game_counter_key(counter, side, counting_result(rules, counting, was));
}

/* Hash of the position after a move without an attack. */
static uint64_t hash_after(const struct game *game, struct move move) {
    const struct rules *rules = game->rules;
    enum side side = (enum side)game->to_move;
    kind_id kind = cell_kind(game->at[move.from]);
    if (move.ability == ABILITY_NONE)
        return game->hash ^ rules->key[side][kind][move.from] ^ rules->key[side][kind][move.to];
    struct turn turn;
    turn_resolve(game, move, &turn, NULL);
    cell at[BOARD_SQUARES_MAX];
    for (int i = 0; i < turn.changes; i++) at[turn.change[i].at] = game->at[turn.change[i].at];
    uint64_t hash = game->hash;
    for (int i = 0; i < turn.changes; i++) {
        square where = turn.change[i].at;
        cell was = at[where], now = turn.change[i].now;
        if (was) hash ^= rules->key[cell_side(was)][cell_kind(was)][where];
        if (now) hash ^= rules->key[cell_side(now)][cell_kind(now)][where];
        at[where] = now;
    }
    return turn.counting.counter ? hash ^ counters_hash(game, side, turn.counting) : hash;
}

/* How many plies ago, less than `most`, was the position that the move brings back? 0: never. */
static uint32_t chase_repeats(const struct game *game, struct move move, uint32_t most) {
    uint64_t after = hash_after(game, move);
    struct marks marks = {0};
    if (game->rules->marks) marks = marks_then(game, move);
    for (uint32_t d = 1; d < most; d++) {
        const struct ply *ply = &game->plies[game->ply_count - d];
        if (ply->hash == after && (!game->rules->marks || marks_equal(&ply->marks, &marks)))
            return d;
    }
    return 0;
}

static bool isf_chase_forbids(const struct game *game, struct move move) {
    const struct chaser *own = &game->chaser[game->to_move];
    if (own->chase < 2 || (move.from == own->to && move.to == own->from)) return false;
    return chase_repeats(game, move, own->chase) != 0;
}

static bool russian_chase_forbids(const struct game *game, struct move move) {
    const struct chaser *own = &game->chaser[game->to_move];
    return own->chase >= 2 && own->quarry != SQUARE_NONE &&
           squareset_has(game->rules->board.neighbours[move.to], own->quarry);
}

struct suspects repetition_suspects(const struct game *game) {
    const struct rules *rules = game->rules;
    const struct chaser *own = &game->chaser[game->to_move];
    enum side enemy = side_other((enum side)game->to_move);
    struct suspects suspects = {SQUARE_NONE, 0};
    if (rules->two_squares && own->run >= rules->two_squares) suspects.from = own->to;
    if (rules->chase != CHASE_NONE && own->chase >= 2)
        suspects.to = board_joined(&rules->board, game->pieces[enemy]);
    return suspects;
}

enum verdict repetition_judge(const struct game *game, struct move move) {
    if (two_squares_forbids(game, move)) return ILLEGAL_TWO_SQUARES;
    const struct rules *rules = game->rules;
    enum side enemy = side_other((enum side)game->to_move);
    bool stays = move.to == move.from;
    bool attack =
        game->at[move.to] || (move.ability != ABILITY_NONE && rules->ability[move.ability].attacks);
    if (rules->chase == CHASE_NONE || stays || attack ||
        !(rules->board.neighbours[move.to] & game->pieces[enemy]))
        return LEGAL;
    bool forbidden = rules->chase == CHASE_ISF ? isf_chase_forbids(game, move)
                                               : russian_chase_forbids(game, move);
    return forbidden ? ILLEGAL_CHASE : LEGAL;
}

/* Number of the `back`-th last ply of the side to move. */
static uint32_t own_ply(const struct game *game, int back) {
    return game->ply_count + 1 - 2 * (uint32_t)back;
}

/* The squares beside the first border of a crossing by `move`. */
static void border_squares(const struct board *board, struct move move, struct crossing crossing,
                           square out[2]) {
    out[0] = move.from;
    out[1] = move.to;
    for (int i = 0; i < 2; i++)
        if (crossing.way == RANK_LINE)
            out[i] = board_square(board, crossing.lo + i, board_rank(board, move.from));
        else if (crossing.way == FILE_LINE)
            out[i] = board_square(board, board_file(board, move.from), crossing.lo + i);
}

/* The longest run of the side's last moves that share a border with `move`, up to the limit. */
static void explain_two_squares(const struct game *game, struct move move,
                                struct evidence *evidence) {
    const struct board *board = &game->rules->board;
    const struct chaser *own = &game->chaser[game->to_move];
    struct crossing common = crossing_of(board, move);
    if (own->to != move.from) return;
    for (int back = 1; back <= own->run && back <= game->rules->two_squares; back++) {
        struct move earlier = game->plies[own_ply(game, back) - 1].move;
        struct crossing both = crossing_both(common, crossing_of(board, earlier));
        if (both.lo >= both.hi) break;
        common = both;
        for (int i = back - 1; i > 0; i--) evidence->ply[i] = evidence->ply[i - 1];
        evidence->ply[0] = own_ply(game, back);
        evidence->count = back;
    }
    border_squares(board, move, common, evidence->border);
}

void repetition_explain(const struct game *game, struct move move, struct evidence *evidence) {
    const struct chaser *own = &game->chaser[game->to_move];
    *evidence = (struct evidence){.verdict = repetition_judge(game, move),
                                  .border = {SQUARE_NONE, SQUARE_NONE}};
    if (evidence->verdict != ILLEGAL_CHASE) {
        if (move.to != move.from) explain_two_squares(game, move, evidence);
    } else if (game->rules->chase == CHASE_ISF) {
        evidence->position = game->ply_count - chase_repeats(game, move, own->chase);
        evidence->since = game->ply_count + 1 - own->chase;
    } else {
        evidence->count = 2; /* the rule allows no more */
        evidence->ply[0] = own_ply(game, 2);
        evidence->ply[1] = own_ply(game, 1);
        evidence->since = evidence->ply[0];
    }
}
