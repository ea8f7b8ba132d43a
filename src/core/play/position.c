/* position.c - checks and draws set-ups, builds positions.
 *
 * A random set-up is a uniform permutation, drawn again until a piece can move: rejection keeps the
 * rest uniform. */
#include "position.h"

#include <string.h>

enum { SETUP_TRIES = 100000 };

/* Can a pacer make a first move? The list of squares around it is padded with its own. */
static bool setup_paces(const struct rules *rules, const struct setup *setup) {
    for (int i = rules->zone_size; i-- > 0;) { /* the front is the likelier place */
        square from = rules->zone[i];
        if (!(rules->pacers >> setup->at[from] & 1)) continue;
        const square *around = rules->board.around[from];
        if (!setup->at[around[0]] || !setup->at[around[1]] || !setup->at[around[2]] ||
            !setup->at[around[3]])
            return true;
    }
    return false;
}

/* Can any piece make a first move? */
static bool setup_moves(const struct rules *rules, const struct setup *setup) {
    if (setup_paces(rules, setup)) return true;
    squareset own = 0;
    for (int i = 0; i < rules->zone_size; i++)
        if (setup->at[rules->zone[i]]) own |= squareset_of(rules->zone[i]);
    for (squareset left = own; left;) {
        square from = squareset_pop(&left);
        kind_id kind = setup->at[from];
        if (!((rules->mobile & ~rules->pacers) >> kind & 1)) continue;
        const struct movement *movement = &rules->movement[rules->kind[kind].movement];
        if (movement_reach(movement, RED, from, own) & ~own) return true;
    }
    return false;
}

bool setup_check(const struct rules *rules, const struct setup *setup, struct fault *fault) {
    int count[KINDS_MAX] = {0};
    char where[SQUARE_TEXT_MAX];
    const struct board *board = &rules->board;
    for (square at = 0; at < board->squares; at++) {
        kind_id kind = setup->at[at];
        if (kind == KIND_NONE) continue;
        if (kind > rules->kinds)
            return fault_set(fault, STATUS_SETUP, "a piece that %s does not have", rules->name);
        if (!squareset_has(board->zone[RED], at))
            return fault_set(
                fault, STATUS_SETUP, "%s on %s, expected it on land in the set-up zone of %d ranks",
                rules->kind[kind].name, square_text(board, at, where), board->zone_ranks);
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

/* Moves pieces from the first squares of the board to those of the zone; they differ if there are
 * lakes among them. */
static void spread(const struct rules *rules, kind_id *at) {
    for (int i = rules->zone_size; i-- > 0 && rules->zone[i] != i;) {
        kind_id kind = at[i];
        at[i] = KIND_NONE;
        at[rules->zone[i]] = kind;
    }
}

bool setup_random(const struct rules *rules, struct random *random, struct setup *setup,
                  struct fault *fault) {
    for (int tries = 0; tries < SETUP_TRIES; tries++) {
        memcpy(setup->at, rules->muster, sizeof setup->at);
        random_shuffle(random, setup->at, rules->alike, rules->zone_size);
        spread(rules, setup->at);
        if (setup_moves(rules, setup)) return true;
    }
    return fault_set(fault, STATUS_RULES, "%d random set-ups and none in which a piece can move",
                     SETUP_TRIES);
}

/* Turns eight cells of a set-up round and marks the pieces as blue's. A kind is below 32, so adding
 * 31 sets CELL_BLUE unless it is 0, and never carries into the next cell. */
static uint64_t turn_eight(uint64_t eight) {
    const uint64_t each = UINT64_C(0x0101010101010101);
    return __builtin_bswap64(eight | ((eight + 31 * each) & CELL_BLUE * each));
}

void setup_mirror(const struct rules *rules, const struct setup *setup, struct setup *mirrored) {
    const struct board *board = &rules->board;
    *mirrored = (struct setup){0};
    for (square at = 0; at < board->squares; at++) {
        int file = board->files - 1 - board_file(board, at);
        mirrored->at[board_square(board, file, board_rank(board, at))] = setup->at[at];
    }
}

void position_from_setups(const struct rules *rules, const struct setup *red,
                          const struct setup *blue, enum side first, struct position *position) {
    int squares = rules->board.squares, at = 0;
    memset(position->at + squares, CELL_EMPTY, sizeof position->at - (size_t)squares);
    for (; at + 8 <= squares; at += 8) {
        uint64_t ours, theirs;
        memcpy(&ours, red->at + at, sizeof ours);
        memcpy(&theirs, blue->at + squares - 8 - at, sizeof theirs);
        ours |= turn_eight(theirs);
        memcpy(position->at + at, &ours, sizeof ours);
    }
    for (; at < squares; at++) {
        kind_id theirs = blue->at[squares - 1 - at];
        position->at[at] = (cell)(red->at[at] | (theirs ? cell_of(BLUE, theirs) : CELL_EMPTY));
    }
    position->to_move = first;
}

bool position_check(const struct rules *rules, const struct position *position,
                    struct fault *fault) {
    int count[2][KINDS_MAX] = {{0}};
    char where[SQUARE_TEXT_MAX];
    const struct board *board = &rules->board;
    for (square at = 0; at < board->squares; at++) {
        cell piece = position->at[at];
        if (piece == CELL_EMPTY) continue;
        kind_id kind = cell_kind(piece);
        if (kind == KIND_NONE || kind > rules->kinds)
            return fault_set(fault, STATUS_SETUP, "a piece that %s does not have", rules->name);
        if (!squareset_has(board->land, at))
            return fault_set(fault, STATUS_SETUP, "%s on %s, which is a lake",
                             rules->kind[kind].name, square_text(board, at, where));
        int most = rules->kind[kind].count;
        if (++count[cell_side(piece)][kind] <= most) continue;
        return cell_side(piece) == RED
                   ? fault_set(fault, STATUS_SETUP, "%d red pieces of kind %s, expected at most %d",
                               most + 1, rules->kind[kind].name, most)
                   : fault_set(fault, STATUS_SETUP,
                               "%d blue pieces of kind %s, expected at most %d", most + 1,
                               rules->kind[kind].name, most);
    }
    return true;
}
