/* actions.h - the moves of a variant as numbers, and back.
 *
 * A move is one decision, or two where the piece may use an ability: which piece goes where, then
 * what the ability does. All numbers are known from the rules alone. Squares and directions are
 * those of the side that moves, whose back rank is rank 0:
 *
 *     way * squares + from                   a piece goes. Ways 0 to ranks - 2 lead to the other
 *                                            ranks of its file, the next files - 1 to the other
 *                                            files of its rank; then come the other displacements
 *                                            of the variant, by ranks, then files
 *     stay + from                            a piece stays and uses an ability
 *     uses + slot * squares + target         the ability: its name, the kind it names, its target
 *     none                                   it uses none after all
 *     setups + kind                          kind on the next square of the zone; 0: none
 *
 * Rules without abilities have only the first line, and the last if agents lay out armies. */
#ifndef ENSIGN_LIB_ACTIONS_H
#define ENSIGN_LIB_ACTIONS_H

#include "bytes.h"
#include "core/play/legal.h"

enum { WAYS_MAX = 30 + 400, SLOTS_MAX = 256, ACTION_TEXT_MAX = 96 };

struct actions {
    const struct rules *rules;
    const struct bytes_writer *bytes;
    squareset first_file;   /* lakes included */
    uint32_t squares, ways; /* `ways` without staying */
    uint32_t stay, uses, none, setups;
    uint32_t count;     /* without those of set-ups */
    uint32_t count_all; /* with them */
    int slots;
    struct {
        char name[WORD_MAX]; /* of the ability */
        kind_id choice;
    } slot[SLOTS_MAX];
    int8_t by[WAYS_MAX][2];                                /* files and ranks of the later ways */
    int16_t way[2 * BOARD_LINES_MAX][2 * BOARD_LINES_MAX]; /* by files + 15, ranks + 15; -1: none */
    uint8_t file[BOARD_SQUARES_MAX], rank[BOARD_SQUARES_MAX];
};

/* False with a fault if the variant has too many ways or abilities. */
bool actions_derive(struct actions *actions, const struct rules *rules, struct fault *fault);

static inline uint32_t actions_way(const struct actions *actions, square from, square to) {
    const int file = actions->file[from], rank = actions->rank[from];
    const int to_file = actions->file[to], to_rank = actions->rank[to];
    if (file == to_file)
        return rank == to_rank ? actions->ways : (uint32_t)(to_rank - (to_rank > rank));
    if (rank == to_rank)
        return (uint32_t)(actions->rules->board.ranks - 1 + to_file - (to_file > file));
    return (uint32_t)actions->way[to_file - file + 15][to_rank - rank + 15];
}

/* The first decision of a move, with squares of the side that moves. */
static inline uint32_t actions_of(const struct actions *actions, square from, square to) {
    return actions_way(actions, from, to) * actions->squares + from;
}

/* The second decision of a move that uses an ability. */
uint32_t actions_of_use(const struct actions *actions, struct move move);

/* What an action says. */
struct decision {
    enum { DECIDES_MOVE, DECIDES_USE, DECIDES_NONE, DECIDES_SETUP, DECIDES_NOTHING } type;
    square from, to; /* of DECIDES_MOVE; `to` is `from` for one that stays; DECIDES_NOTHING off the
                        board */
    int slot;
    square target;
    kind_id kind; /* of DECIDES_SETUP */
};

struct decision actions_read(const struct actions *actions, int64_t action);

/* The move that a piece of `kind` makes with this slot; ABILITY_NONE if it has no such ability. */
struct move actions_use(const struct actions *actions, square from, square to, kind_id kind,
                        int slot, square target);

/* "a4-a5", "a4@", "@sabotage:e9=bomb", "@-", "=scout", "=-"; 0 if it leads off the board. Reading
 * takes the same; -1: no such action. Squares in texts are those of the board. */
size_t actions_write(const struct actions *actions, uint32_t action, enum side side,
                     char out[ACTION_TEXT_MAX]);
int64_t actions_parse(const struct actions *actions, enum side side, const char *text);

/* A square of the board as a side counts it; its own inverse. */
static inline square actions_square(const struct actions *actions, enum side side, bool absolute,
                                    square at) {
    return side == RED || absolute ? at : board_turn(&actions->rules->board, at);
}

#endif
