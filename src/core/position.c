/* position.c - judges and draws set-ups, lays out positions.
 *
 * A random set-up is a uniform permutation that is drawn again until something can move: rejection
 * keeps it uniform over what is left. */
#include "position.h"

#include <string.h>

enum { SETUP_TRIES = 100000 };

/* Can any piece of this set-up move while the enemy is still away? */
static bool setup_moves(const struct rules *rules, const struct setup *setup) {
    squareset own = 0;
    for (square at = 0; at < rules->board.squares; at++)
        if (setup->at[at]) own |= squareset_of(at);
    for (square from = rules->board.squares; from-- > 0;) { /* the front is the likelier place */
        if (!setup->at[from]) continue;
        uint8_t movement = rules->kind[setup->at[from]].movement;
        if (movement != MOVEMENT_NONE &&
            movement_reach(&rules->movement[movement], RED, from, own) & ~own)
            return true;
    }
    return false;
}

bool setup_check(const struct rules *rules, const struct setup *setup, struct fault *fault) {
    int count[KINDS_MAX] = {0};
    const struct board *board = &rules->board;
    for (square at = 0; at < board->squares; at++) {
        kind_id kind = setup->at[at];
        if (kind == KIND_NONE) continue;
        if (kind > rules->kinds)
            return fault_set(fault, STATUS_SETUP, "a piece of no kind of %s", rules->name);
        if (!squareset_has(board->zone[RED], at))
            return fault_set(fault, STATUS_SETUP,
                             "%s on %c%d, expected it on land in the set-up zone of %d ranks",
                             rules->kind[kind].name, 'a' + board_file(board, at),
                             board_rank(board, at) + 1, board->zone_ranks);
        count[kind]++;
    }
    for (kind_id kind = 1; kind <= rules->kinds; kind++)
        if (count[kind] != rules->kind[kind].count)
            return fault_set(fault, STATUS_SETUP, "%d pieces of kind %s (%c), expected %d",
                             count[kind], rules->kind[kind].name, rules->kind[kind].letter,
                             rules->kind[kind].count);
    if (!setup_moves(rules, setup))
        return fault_set(fault, STATUS_SETUP,
                         "no piece can make a first move, expected at least one that can");
    return true;
}

bool setup_random(const struct rules *rules, struct random *random, struct setup *setup,
                  struct fault *fault) {
    square zone[BOARD_SQUARES_MAX];
    uint32_t squares = 0;
    for (squareset left = rules->board.zone[RED]; left;) zone[squares++] = squareset_pop(&left);

    for (int tries = 0; tries < SETUP_TRIES; tries++) {
        memset(setup, 0, sizeof *setup);
        uint32_t placed = 0;
        for (kind_id kind = 1; kind <= rules->kinds; kind++) {
            for (int i = 0; i < rules->kind[kind].count; i++, placed++) {
                uint32_t pick = placed + random_below(random, squares - placed);
                square at = zone[pick];
                zone[pick] = zone[placed];
                zone[placed] = at;
                setup->at[at] = kind;
            }
        }
        if (setup_moves(rules, setup)) return true;
    }
    return fault_set(fault, STATUS_RULES, "%d random set-ups and none in which a piece can move",
                     SETUP_TRIES);
}

void position_from_setups(const struct rules *rules, const struct setup *red,
                          const struct setup *blue, enum side first, struct position *position) {
    memset(position, 0, sizeof *position);
    position->to_move = first;
    for (square at = 0; at < rules->board.squares; at++) {
        if (red->at[at]) position->at[at] = cell_of(RED, red->at[at]);
        if (blue->at[at]) position->at[board_turn(&rules->board, at)] = cell_of(BLUE, blue->at[at]);
    }
}

bool position_check(const struct rules *rules, const struct position *position,
                    struct fault *fault) {
    int count[2][KINDS_MAX] = {{0}};
    const struct board *board = &rules->board;
    for (square at = 0; at < board->squares; at++) {
        cell piece = position->at[at];
        if (piece == CELL_EMPTY) continue;
        kind_id kind = cell_kind(piece);
        if (kind == KIND_NONE || kind > rules->kinds)
            return fault_set(fault, STATUS_SETUP, "a piece of no kind of %s", rules->name);
        if (!squareset_has(board->land, at))
            return fault_set(fault, STATUS_SETUP, "%s on %c%d, which is a lake",
                             rules->kind[kind].name, 'a' + board_file(board, at),
                             board_rank(board, at) + 1);
        if (++count[cell_side(piece)][kind] > rules->kind[kind].count)
            return fault_set(fault, STATUS_SETUP, "%d %s pieces of kind %s, expected at most %d",
                             count[cell_side(piece)][kind], side_name(cell_side(piece)),
                             rules->kind[kind].name, rules->kind[kind].count);
    }
    return true;
}
