/* lane_judge.c - the repetition rules on the history of a lane.
 *
 * A struct game counts runs and chases ply by ply; a lane works them out from its last plies when
 * needed, which is rare, and compares positions square by square. */
#include "lane_judge.h"

#include "core/play/repetition.h"
#include "core/play/turn.h"
#include "lane_inside.h"

#include <string.h>

/* The ply `back` plies ago. False if it is not known; it does not matter then. */
static bool ply_ago(const struct lane *lane, uint32_t back, struct lane_ply *ply) {
    uint32_t index = lane->ply - back;
    if (back > lane->ply - lane->known) return false;
    *ply = lane->crowd ? lane_ply_in(lane->crowd, lane, index) : lane->plies[index];
    return true;
}

static bool two_squares_forbids(const struct lanes_table *table, const struct lane *lane,
                                struct move move) {
    int limit = table->rules->two_squares;
    struct move moves[TWO_SQUARES_MAX + 1] = {move};
    if (!limit) return false;
    for (int i = 1; i <= limit; i++) {
        struct lane_ply past;
        if (!ply_ago(lane, 2 * (uint32_t)i, &past) || past.to != moves[i - 1].from)
            return false; /* another piece's move */
        moves[i] = (struct move){past.from, past.to, SQUARE_NONE, ABILITY_NONE, KIND_NONE};
    }
    return repetition_to_and_fro(&table->rules->board, moves, limit + 1);
}

static bool enemy_beside(const struct lanes_table *table, const cell *at, square to,
                         enum side enemy) {
    for (squareset next = table->rules->board.neighbours[to]; next;) {
        cell piece = at[squareset_pop(&next)];
        if (piece && cell_side(piece) == enemy) return true;
    }
    return false;
}

/* Takes plies back on a copy of the board as long as the chase lasts, RULES 5. A repeated position
 * counts only if the chase began before it. */
static bool isf_chase_forbids(const struct lanes_table *table, const struct lane *lane,
                              struct move move) {
    struct lane_ply past, before;
    if (ply_ago(lane, 2, &past) && move.from == past.to && move.to == past.from) return false;
    enum side enemy = side_other(lane_to_move(lane));
    cell at[BOARD_SQUARES_MAX], after[BOARD_SQUARES_MAX];
    for (int i = 0; i < BOARD_SQUARES_MAX; i++)
        after[i] = at[i] = lane->game.at[i] & (cell)~CELL_RETURNED;
    struct turn turn;
    turn_resolve(&lane->game, move, &turn, NULL);
    for (int i = 0; i < turn.changes; i++)
        after[turn.change[i].at] = turn.change[i].now & (cell)~CELL_RETURNED;

    bool seen = false;
    for (uint32_t back = 1; ply_ago(lane, back, &past); back++) {
        bool grows = back % 2 ? !past.attack && ply_ago(lane, back + 1, &before) &&
                                    lanes_beside(table, past.from, before.to)
                              : enemy_beside(table, at, past.to, enemy);
        if (!grows) return false;
        if (seen) return true;
        if (past.attack) return false;
        if (past.placed != SQUARE_NONE) at[past.placed] = CELL_EMPTY;
        if (past.from != past.to) {
            at[past.from] = at[past.to];
            at[past.to] = CELL_EMPTY;
        }
        seen = memcmp(at, after, sizeof at) == 0;
    }
    return false;
}

static bool stands(const struct lane *lane, square at, enum side side) {
    return lane->game.at[at] && cell_side(lane->game.at[at]) == side;
}

/* An ability that is used in place neither chases nor runs. */
static bool moved(const struct lane_ply *ply) {
    return ply->from != ply->to;
}

/* The enemy ran, was followed and ran again; this third move would end beside it. The piece it
 * first ran from must really have stood there: not fallen in the attack that brought it there, and
 * not be replaced by the follower. */
static bool russian_chase_forbids(const struct lanes_table *table, const struct lane *lane,
                                  struct move move) {
    struct lane_ply ran, chased, first, threat;
    enum side side = lane_to_move(lane);
    return ply_ago(lane, 1, &ran) && ply_ago(lane, 2, &chased) && ply_ago(lane, 3, &first) &&
           ply_ago(lane, 4, &threat) && moved(&ran) && moved(&chased) && moved(&first) &&
           moved(&threat) && !ran.attack && !first.attack && first.to == ran.from &&
           lanes_beside(table, first.from, threat.to) &&
           (chased.from == threat.to ||
            (chased.to != threat.to && stands(lane, threat.to, side))) &&
           lanes_beside(table, chased.to, ran.from) && stands(lane, chased.to, side) &&
           lanes_beside(table, move.to, ran.to);
}

enum verdict lane_judge(const struct lanes_table *table, const struct lane *lane,
                        struct move move) {
    const struct rules *rules = table->rules;
    if (two_squares_forbids(table, lane, move)) return ILLEGAL_TWO_SQUARES;
    bool attack = lane->game.at[move.to] ||
                  (move.ability != ABILITY_NONE && rules->ability[move.ability].attacks);
    if (rules->chase == CHASE_NONE || move.to == move.from || attack ||
        !enemy_beside(table, lane->game.at, move.to, side_other(lane_to_move(lane))))
        return LEGAL;
    bool forbidden = rules->chase == CHASE_ISF ? isf_chase_forbids(table, lane, move)
                                               : russian_chase_forbids(table, lane, move);
    return forbidden ? ILLEGAL_CHASE : LEGAL;
}
