/* position.c - checks and draws set-ups, builds positions.
 *
 * A random set-up is a uniform permutation, drawn again until a piece can move: rejection keeps the
 * rest uniform. */
#include "position.h"

#include <string.h>

enum { SETUP_TRIES = 100000 };

/* Can a pacer make a first move? The list of squares around it is padded with its own. */
static bool setup_paces(const struct rules *rules, enum side side, const struct setup *setup) {
    const struct start *start = &rules->start[side];
    const struct board *board = &rules->board;
    for (int i = start->zone_size; i-- > 0;) { /* the front is the likelier place */
        square from = start->zone[i];
        if (!(rules->pacers >> setup->at[from] & 1)) continue;
        const square *around = board->around[board_own(board, side, from)];
        for (int way = 0; way < WAYS; way++)
            if (!setup->at[board_own(board, side, around[way])]) return true;
    }
    return false;
}

/* Can any piece make a first move? */
static bool setup_moves(const struct rules *rules, enum side side, const struct setup *setup) {
    const struct start *start = &rules->start[side];
    const struct board *board = &rules->board;
    if (setup_paces(rules, side, setup)) return true;
    squareset own = 0;
    for (int i = 0; i < start->zone_size; i++)
        if (setup->at[start->zone[i]]) own |= squareset_of(board_own(board, side, start->zone[i]));
    for (squareset left = own; left;) {
        square from = squareset_pop(&left);
        kind_id kind = setup->at[board_own(board, side, from)];
        if (!((rules->mobile & ~rules->pacers) >> kind & 1)) continue;
        const struct movement *movement = &rules->movement[rules->kind[kind].movement];
        if (movement_reach(movement, side, from, own) & ~own) return true;
    }
    return false;
}

kindset setup_kinds(const struct rules *rules, enum side side, square at) {
    const struct start *start = &rules->start[side];
    const square own = board_own(&rules->board, side, at);
    kindset kinds = 0;
    for (kindset left = start->kinds; left; left &= left - 1) {
        const kind_id kind = (kind_id)__builtin_ctz(left);
        if (squareset_has(start->on[kind], own)) kinds |= kindset_of(kind);
    }
    return kinds;
}

bool setup_stands(const struct rules *rules, enum side side, squareset pieces) {
    return !rules->open && !(pieces & ~rules->board.zone[side]) &&
           squareset_count(pieces) == rules->start[side].size;
}

/* May the piece start on this square of its side's own? */
static bool check_square(const struct rules *rules, enum side side, kind_id kind, square own,
                         struct fault *fault) {
    char where[SQUARE_TEXT_MAX];
    const struct board *board = &rules->board;
    const square at = board_own(board, side, own);
    if (!squareset_has(board->zone[side], at) && !board->zone_only[side])
        return fault_set(
            fault, STATUS_SETUP, "%s on %s, expected it on land in the set-up zone of %d ranks",
            rules->kind[kind].name, square_text(board, own, where), board->zone_ranks[side]);
    if (!squareset_has(board->zone[side], at))
        return fault_set(fault, STATUS_SETUP, "%s on %s, which is not in the set-up zone",
                         rules->kind[kind].name, square_text(board, at, where));
    if (!squareset_has(rules->start[side].on[kind], own) && rules->start[side].count[kind])
        return fault_set(fault, STATUS_SETUP, "%s on %s, where it may not start",
                         rules->kind[kind].name, square_text(board, at, where));
    return true;
}

bool setup_check(const struct rules *rules, enum side side, const struct setup *setup,
                 struct fault *fault) {
    int count[KINDS_MAX] = {0};
    const uint8_t *expected = rules->start[side].count;
    for (square own = 0; own < rules->board.squares; own++) {
        kind_id kind = setup->at[own];
        if (kind == KIND_NONE) continue;
        if (kind > rules->kinds)
            return fault_set(fault, STATUS_SETUP, "a piece that %s does not have", rules->name);
        if (!check_square(rules, side, kind, own, fault)) return false;
        count[kind]++;
    }
    for (kind_id kind = 1; kind <= rules->kinds; kind++)
        if (count[kind] != expected[kind])
            return fault_set(fault, STATUS_SETUP, "%d pieces of kind %s (%c), expected %d",
                             count[kind], rules->kind[kind].name, rules->kind[kind].letter,
                             expected[kind]);
    if (!setup_moves(rules, side, setup))
        return fault_set(fault, STATUS_SETUP,
                         "no piece can make a first move, expected at least one that can");
    return true;
}

/* Moves pieces from the first squares of the board to `places`, `count` of them in ascending order.
 */
static void spread(kind_id *at, const square *places, int count) {
    for (int i = count; i-- > 0 && places[i] != i;) {
        kind_id kind = at[i];
        at[i] = KIND_NONE;
        at[places[i]] = kind;
    }
}

/* Places the bound kinds, each on squares that are left to it. Fewer squares than there may be make
 * this arrangement too likely: then it is given up in as many cases as makes it even. */
static bool place_bound(const struct start *start, struct random *random, kind_id *at,
                        squareset *free) {
    for (int i = 0; i < start->bound; i++) {
        const kind_id kind = start->order[i];
        square open[BOARD_SQUARES_MAX];
        uint32_t count = 0;
        for (squareset left = start->on[kind] & *free; left;) open[count++] = squareset_pop(&left);
        const uint32_t pieces = start->count[kind], most = start->open[i];
        if (count < pieces) return false;
        for (uint32_t piece = 0; count < most && piece < pieces; piece++)
            if (random_below(random, most - piece) >= count - piece) return false;
        for (uint32_t piece = 0; piece < pieces; piece++) {
            const uint32_t drawn = random_below(random, count);
            at[open[drawn]] = kind;
            *free &= ~squareset_of(open[drawn]);
            open[drawn] = open[--count];
        }
    }
    return true;
}

/* One try of setup_random() where kinds are bound. */
static bool draw_bound(const struct start *start, struct random *random, kind_id *at) {
    squareset free = 0;
    kind_id rest[BOARD_SQUARES_MAX];
    unsigned count = 0;
    memset(at, KIND_NONE, BOARD_SQUARES_MAX);
    for (int i = 0; i < start->zone_size; i++) free |= squareset_of(start->zone[i]);
    if (!place_bound(start, random, at, &free)) return false;
    memcpy(rest, start->muster, sizeof rest);
    random_shuffle(random, rest, start->alike, (unsigned)squareset_count(free));
    while (free) at[squareset_pop(&free)] = rest[count++];
    return true;
}

bool setup_random(const struct rules *rules, enum side side, struct random *random,
                  struct setup *setup, struct fault *fault) {
    const struct start *start = &rules->start[side];
    for (int tries = 0; tries < SETUP_TRIES; tries++) {
        if (start->bound) {
            if (!draw_bound(start, random, setup->at)) continue;
        } else {
            memcpy(setup->at, start->muster, sizeof setup->at);
            random_shuffle(random, setup->at, start->alike, start->zone_size);
            spread(setup->at, start->zone, start->zone_size);
        }
        if (setup_moves(rules, side, setup)) return true;
    }
    return fault_set(fault, STATUS_RULES, "%d random set-ups and none in which a piece can move",
                     SETUP_TRIES);
}

void setup_given(const struct rules *rules, enum side side, struct setup *setup) {
    const struct start *start = &rules->start[side];
    *setup = (struct setup){0};
    for (kind_id id = 1; id <= rules->kinds; id++)
        for (squareset left = start->count[id] ? start->on[id] : 0; left;)
            setup->at[squareset_pop(&left)] = id;
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

/* A whole army in its zone stands where its pieces may start. */
static bool check_starts(const struct rules *rules, const struct position *position,
                         const squareset pieces[2], struct fault *fault) {
    for (int side = RED; side <= BLUE; side++) {
        if (!rules->start[side].bound || !setup_stands(rules, (enum side)side, pieces[side]))
            continue;
        for (squareset left = pieces[side]; left;) {
            const square at = squareset_pop(&left);
            if (!check_square(rules, (enum side)side, cell_kind(position->at[at]),
                              board_own(&rules->board, (enum side)side, at), fault))
                return false;
        }
    }
    return true;
}

bool position_check(const struct rules *rules, const struct position *position,
                    struct fault *fault) {
    int count[2][KINDS_MAX] = {{0}};
    squareset pieces[2] = {0};
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
        enum side side = cell_side(piece);
        pieces[side] |= squareset_of(at);
        int most = rules->start[side].count[kind];
        if (++count[side][kind] <= most) continue;
        return side == RED
                   ? fault_set(fault, STATUS_SETUP, "%d red pieces of kind %s, expected at most %d",
                               most + 1, rules->kind[kind].name, most)
                   : fault_set(fault, STATUS_SETUP,
                               "%d blue pieces of kind %s, expected at most %d", most + 1,
                               rules->kind[kind].name, most);
    }
    return check_starts(rules, position, pieces, fault);
}
