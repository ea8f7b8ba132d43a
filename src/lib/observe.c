/* observe.c - what a side may know, as planes, cells, masks and numbers.
 *
 * Everything is made from struct known, from public counters and from the list of the mover's legal
 * moves: never from hidden kinds. */
#include "batch_inside.h"
#include "move_sets.h"

#include <stdio.h>
#include <string.h>

enum { KIND_GROUPS = 4, STATES = 6, PLANES_MAX = KIND_GROUPS * KINDS_MAX + STATES };

static const char *const KIND_GROUP_NAMES[KIND_GROUPS] = {"own", "shown", "may_be", "think"};
static const char *const STATE_NAMES[STATES] = {"own.hidden",  "their.hidden", "own.moved",
                                                "their.moved", "empty",        "lake"};

uint32_t planes_count(const struct rules *rules, const ensign_options *options) {
    uint32_t count = 0;
    for (int i = 0; i < KIND_GROUPS; i++)
        if (options->planes >> i & 1) count += rules->kinds;
    if (options->planes & ENSIGN_STATES) count += STATES;
    if (options->planes & ENSIGN_MOVES) count += options->moves;
    if (options->planes & ENSIGN_SIGHT) count++;
    return count;
}

size_t plane_name(const struct rules *rules, const ensign_options *options, uint32_t plane,
                  char *out, size_t room) {
    char name[WORD_MAX + 16];
    int length = 0;
    for (int i = 0; i < KIND_GROUPS && !length; i++) {
        if (!(options->planes >> i & 1)) continue;
        if (plane < rules->kinds)
            length = snprintf(name, sizeof name, "%s.%s", KIND_GROUP_NAMES[i],
                              rules->kind[plane + 1].name);
        plane -= rules->kinds;
    }
    if (!length && options->planes & ENSIGN_STATES) {
        if (plane < STATES) length = snprintf(name, sizeof name, "%s", STATE_NAMES[plane]);
        plane -= STATES;
    }
    if (!length && options->planes & ENSIGN_MOVES) {
        if (plane < options->moves) length = snprintf(name, sizeof name, "move.%u", plane + 1);
        plane -= options->moves;
    }
    if (!length && options->planes & ENSIGN_SIGHT && plane == 0)
        length = snprintf(name, sizeof name, "seen");
    return length ? text_give(name, (size_t)length, out, room) : 0;
}

enum { SCALARS = 6 };
static const char *const SCALAR_NAMES[SCALARS] = {"ply",       "quiet",     "own.run",
                                                  "own.chase", "their.run", "their.chase"};

uint32_t scalars_count(const struct rules *rules) {
    uint32_t count = SCALARS + 2u * rules->kinds + 2u * rules->abilities;
    for (int i = 0; i < rules->counters; i++) count += rules->counter[i].each ? 2 : 1;
    return count;
}

/* "own.counter.fuel", "their.counter.fuel"; "counter.round" of one that both sides share. */
static int counter_name(const struct rules *rules, uint32_t number, char *out, size_t room) {
    for (int i = 0; i < rules->counters; i++) {
        const struct counter *counter = &rules->counter[i];
        const uint32_t takes = counter->each ? 2 : 1;
        if (number < takes)
            return snprintf(out, room, "%scounter.%s",
                            !counter->each ? ""
                            : number       ? "their."
                                           : "own.",
                            counter->name);
        number -= takes;
    }
    return 0;
}

size_t scalar_name(const struct rules *rules, uint32_t scalar, char *out, size_t room) {
    char name[2 * WORD_MAX + 16];
    int length = 0;
    if (scalar < SCALARS) {
        length = snprintf(name, sizeof name, "%s", SCALAR_NAMES[scalar]);
    } else if (scalar - SCALARS < 2u * rules->kinds) {
        scalar -= SCALARS;
        length = snprintf(name, sizeof name, "%s.fallen.%s", scalar % 2 ? "their" : "own",
                          rules->kind[scalar / 2 + 1].name);
    } else if (scalar - SCALARS - 2u * rules->kinds < 2u * rules->abilities) {
        scalar -= SCALARS + 2u * rules->kinds;
        const struct ability *ability = &rules->ability[scalar / 2];
        length = snprintf(name, sizeof name, "%s.uses.%s.%s", scalar % 2 ? "their" : "own",
                          rules->kind[ability->actor].name, ability->name);
    } else {
        scalar -= SCALARS + 2u * rules->kinds + 2u * rules->abilities;
        length = counter_name(rules, scalar, name, sizeof name);
    }
    return length ? text_give(name, (size_t)length, out, room) : 0;
}

static void write_scalars(const ensign_batch *batch, struct slot *slot, enum side side,
                          float *out) {
    const struct game *game = &slot->game;
    const struct rules *rules = game->rules;
    const enum side enemy = side_other(side);
    *out++ = (float)slot_ply(slot);
    *out++ = (float)game->quiet;
    for (int i = 0; i < 2; i++) {
        const struct chaser *chaser = &game->chaser[i ? enemy : side];
        *out++ = rules->sight ? 0 : chaser->run; /* whom a piece meets may be out of sight */
        *out++ = rules->sight ? 0 : chaser->chase;
    }
    for (kind_id kind = 1; kind <= rules->kinds; kind++) {
        *out++ = game_captured(game, side, kind);
        *out++ = rules->fallen_hidden ? slot_eyes(batch, slot)->view[side].captured[enemy][kind]
                                      : game_captured(game, enemy, kind);
    }
    for (int i = 0; i < rules->abilities; i++) { /* an ability shares the number of its tally */
        *out++ = game->uses[side][rules->ability[i].tally.n];
        *out++ = game->uses[enemy][rules->ability[i].tally.n];
    }
    for (int i = 0; i < rules->counters; i++) {
        *out++ = (float)counters_get(&game->counters, rules, side, i);
        if (rules->counter[i].each) *out++ = (float)counters_get(&game->counters, rules, enemy, i);
    }
}

static void known_turn(const struct bytes_writer *bytes, unsigned squares, struct known *known) {
    bytes->turn(known->kind + 1, known->kinds, squares);
    bytes->turn(&known->own, (int)(&known->seen - &known->own) + 1, squares);
    bytes->turn(known->group_at, known->groups[1], squares);
}

static void write_moves(const ensign_batch *batch, struct slot *slot, enum side side,
                        uint8_t *out) {
    const uint32_t squares = batch->actions->squares, room = batch->options.moves;
    const struct told_move *told = slot_told(batch, slot, side);
    memset(out, 0, (size_t)squares * room);
    for (uint32_t i = 0; i < slot->told_count; i++, out += squares) {
        const struct told_move *move = &told[(slot->told_next + room - 1 - i) % room];
        if (move->from != SQUARE_NONE) out[batch_square(batch, side, move->from)] = 85;
        if (move->to != SQUARE_NONE)
            out[batch_square(batch, side, move->to)] = move->attack ? 255 : 170;
    }
}

static void write_planes(const ensign_batch *batch, struct slot *slot, enum side side,
                         const struct known *known, uint8_t *out) {
    squareset sets[PLANES_MAX], *end = sets;
    const struct bytes_writer *bytes = batch->bytes;
    const uint32_t squares = batch->actions->squares, groups = batch->options.planes;
    const int kinds = known->kinds, own = known->groups[0], enemy = known->groups[1] - own;
    const squareset *at = known->group_at;
    const kindset *of = known->group_kinds;
    if (groups & ENSIGN_OWN_KINDS) {
        bytes->possible(end, known->kind, kinds, known->own, NULL, NULL, 0);
        end += kinds;
    }
    if (groups & ENSIGN_SHOWN_KINDS) {
        bytes->possible(end, known->kind, kinds, known->shown, NULL, NULL, 0);
        end += kinds;
    }
    if (groups & ENSIGN_MAY_BE) {
        bytes->possible(end, known->kind, kinds, known->shown, at + own, of + own, enemy);
        end += kinds;
    }
    if (groups & ENSIGN_THEY_THINK) {
        bytes->possible(end, known->kind, kinds, known->open, at, of, own);
        end += kinds;
    }
    if (groups & ENSIGN_STATES) {
        squareset ground[2] = {batch->rules->board.land, batch->rules->board.lakes};
        if (batch_turns(batch, side)) bytes->turn(ground, 2, squares);
        *end++ = known->own & ~known->told;
        *end++ = known->enemy & ~known->shown;
        *end++ = known->moved[0];
        *end++ = known->moved[1];
        *end++ = ground[0] & known->seen & ~known->own & ~known->enemy;
        *end++ = ground[1];
    }
    bytes->planes(out, squares, sets, (int)(end - sets), 255);
    out += (size_t)(end - sets) * squares;
    if (groups & ENSIGN_MOVES) {
        write_moves(batch, slot, side, out);
        out += (size_t)squares * batch->options.moves;
    }
    if (groups & ENSIGN_SIGHT) bytes->planes(out, squares, &known->seen, 1, 255);
}

static void write_cells(const ensign_batch *batch, enum side side, const struct known *known,
                        uint8_t *out) {
    const squareset sets[BOARD_SETS] = {known->enemy, known->moved[0] | known->moved[1],
                                        known->told | (known->enemy & ~known->shown),
                                        batch->rules->board.lakes};
    batch->bytes->board(out, batch->actions->squares, known->at, known->own | known->shown, sets,
                        batch_turns(batch, side));
}

size_t slot_moves(ensign_batch *batch, const struct slot *slot) {
    return game_moves(&slot->game, batch->moves, batch->rules->moves_max);
}

/* Pieces that are still to be laid out on the squares of a zone from `next` on. */
struct muster {
    const struct start *start;
    int next, pieces;
    uint8_t left[KINDS_MAX];
    kind_id on[BOARD_SQUARES_MAX]; /* by the zone's squares: the bound piece meant for it */
    bool tried[BOARD_SQUARES_MAX];
};

/* Finds a square for a piece of a kind that may not start everywhere, moving others if need be. */
static bool muster_place(struct muster *muster, kind_id kind) {
    const struct start *start = muster->start;
    for (int i = muster->next; i < start->zone_size; i++) {
        if (muster->tried[i] || !squareset_has(start->on[kind], start->zone[i])) continue;
        muster->tried[i] = true;
        if (muster->on[i] && !muster_place(muster, muster->on[i])) continue;
        muster->on[i] = kind;
        return true;
    }
    return false;
}

/* Can all of them be placed? The others find room wherever the bound ones leave it. */
static bool muster_fits(struct muster *muster) {
    if (muster->pieces > muster->start->zone_size - muster->next) return false;
    memset(muster->on, 0, sizeof muster->on);
    for (int i = 0; i < muster->start->bound; i++)
        for (int pieces = muster->left[muster->start->order[i]]; pieces; pieces--) {
            memset(muster->tried, 0, sizeof muster->tried);
            if (!muster_place(muster, muster->start->order[i])) return false;
        }
    return true;
}

kindset laying_kinds(const ensign_batch *batch, const struct slot *slot) {
    const struct rules *rules = batch->rules;
    const struct start *start = &rules->start[slot->laying.side];
    struct muster muster = {.start = start, .next = slot->laying.next + 1, .pieces = start->size};
    memcpy(muster.left, start->count, sizeof muster.left);
    for (int i = 0; i < slot->laying.next; i++) {
        const kind_id kind = slot->setups[slot->laying.side].at[start->zone[i]];
        if (kind) muster.left[kind]--, muster.pieces--;
    }
    kindset kinds = muster_fits(&muster) ? kindset_of(KIND_NONE) : 0;
    const square at = start->zone[slot->laying.next];
    muster.pieces--;
    for (kind_id kind = 1; kind <= rules->kinds; kind++) {
        if (!muster.left[kind] || !squareset_has(start->on[kind], at)) continue;
        muster.left[kind]--;
        if (muster_fits(&muster)) kinds |= kindset_of(kind);
        muster.left[kind]++;
    }
    return kinds;
}

/* Gives `visit` each legal action. Inlined, since the compiler can then write bits or bytes
 * directly. */
static inline __attribute__((always_inline)) void each_action(
    ensign_batch *batch, struct slot *slot, void (*visit)(void *mask, uint32_t action),
    void *mask) {
    const struct actions *actions = batch->actions;
    const enum side side = slot_to_move(slot);
    if (slot_over(slot)) return;
    if (slot->laying.on) {
        for (kindset left = laying_kinds(batch, slot); left; left &= left - 1)
            visit(mask, actions->setups + (uint32_t)__builtin_ctz(left));
        return;
    }
    const size_t count = slot_moves(batch, slot);
    const bool turns = batch_turns(batch, side);
    const square last = (square)(actions->squares - 1);
    for (size_t i = 0; i < count; i++) {
        struct move move = batch->moves[i];
        if (slot->pending) {
            if (move.from != slot->from || move.to != slot->to) continue;
            if (turns && move.target != SQUARE_NONE) move.target = (square)(last - move.target);
            visit(mask,
                  move.ability == ABILITY_NONE ? actions->none : actions_of_use(actions, move));
        } else if (turns) {
            visit(mask, actions_of(actions, (square)(last - move.from), (square)(last - move.to)));
        } else {
            visit(mask, actions_of(actions, move.from, move.to));
        }
    }
}

static inline void visit_bit(void *mask, uint32_t action) {
    ((uint64_t *)mask)[action / 64] |= (uint64_t)1 << action % 64;
}

static inline void visit_byte(void *mask, uint32_t action) {
    ((uint8_t *)mask)[action] = 1;
}

static void write_masks(ensign_batch *batch, struct slot *slot, enum side side, uint64_t *bits,
                        uint8_t *bytes) {
    squareset ways[2 * BOARD_LINES_MAX];
    const bool asked = side == slot_to_move(slot);
    const struct actions *actions = batch->actions;
    if (asked && !slot->laying.on && !slot_over(slot) &&
        moves_by_way(&slot->game, actions, batch_turns(batch, side), ways)) {
        const int straight = batch->rules->board.files + batch->rules->board.ranks - 2;
        const size_t steps = (size_t)straight * actions->squares;
        if (bytes) {
            batch->bytes->planes(bytes, actions->squares, ways, straight, 1);
            memset(bytes + steps, 0, batch->action_count - steps);
        }
        if (bits) batch->bytes->pack(bits, batch->mask_words, actions->squares, ways, straight);
        return;
    }
    if (bytes) {
        memset(bytes, 0, batch->action_count);
        if (asked) each_action(batch, slot, visit_byte, bytes);
    }
    if (bits) {
        memset(bits, 0, batch->mask_words * sizeof *bits);
        if (asked) each_action(batch, slot, visit_bit, bits);
    }
}

/* While armies are laid out a side knows its own pieces so far. */
static void known_of_laying(const ensign_batch *batch, const struct slot *slot, enum side side,
                            struct known *known) {
    const struct rules *rules = batch->rules;
    memset(known, 0, offsetof(struct known, group_at));
    known->kinds = rules->kinds;
    known->groups[0] = known->groups[1] = 0;
    const struct start *start = &rules->start[side];
    const int laid = side == slot->laying.side  ? slot->laying.next
                     : side < slot->laying.side ? start->zone_size
                                                : 0;
    for (int i = 0; i < laid; i++) {
        const kind_id kind = slot->setups[side].at[start->zone[i]];
        const square at = board_own(&rules->board, side, start->zone[i]);
        if (kind) known->kind[kind] |= squareset_of(at);
        if (kind) known->own |= squareset_of(at);
        known->room[at] = kind;
    }
    known->at = known->room;
    known->seen = rules->board.land;
    known->group_at[0] = known->own;
    known->group_kinds[0] = rules->army;
    known->groups[0] = known->groups[1] = 1;
}

/* The larger arrays of a row. */
static __attribute__((noinline)) void row_arrays(ensign_batch *batch, struct slot *slot,
                                                 enum side side, const ensign_out *out,
                                                 size_t row) {
    const uint32_t squares = batch->actions->squares;
    if (out->planes || out->cells) {
        struct known known;
        if (slot->laying.on)
            known_of_laying(batch, slot, side, &known);
        else if (batch->views)
            known_of_view(&slot_eyes(batch, slot)->view[side], &known);
        else
            known_of_lore(&slot->lore, &slot->game, side, out->planes != NULL, &known);
        if (out->cells) write_cells(batch, side, &known, out->cells + row * squares);
        if (out->planes) {
            if (batch_turns(batch, side)) known_turn(batch->bytes, squares, &known);
            write_planes(batch, slot, side, &known, out->planes + row * batch->planes * squares);
        }
    }
    if (out->mask_bits || out->mask)
        write_masks(batch, slot, side,
                    out->mask_bits ? out->mask_bits + row * batch->mask_words : NULL,
                    out->mask ? out->mask + row * batch->action_count : NULL);
    if (out->scalars) {
        if (slot->laying.on)
            memset(out->scalars + row * batch->scalars, 0, batch->scalars * sizeof(float));
        else
            write_scalars(batch, slot, side, out->scalars + row * batch->scalars);
    }
}

void row_observe(ensign_batch *batch, struct slot *slot, enum side side, const ensign_out *out,
                 size_t row) {
    if (out->planes || out->cells || out->mask_bits || out->mask || out->scalars)
        row_arrays(batch, slot, side, out, row);
    if (out->to_move) out->to_move[row] = (uint8_t)slot_to_move(slot);
    if (out->episode) out->episode[row] = slot->begun - 1;
    if (out->ply) out->ply[row] = slot_ply(slot);
    if (out->info_hash) out->info_hash[row] = slot->info[side];
}

void row_end(const ensign_batch *batch, const struct slot *slot, const ensign_out *out,
             size_t row) {
    (void)batch;
    const bool over = !slot->laying.on && game_over(&slot->game);
    if (out->reward) {
        const int won = !over                              ? 0
                        : slot->game.result == RESULT_RED  ? 1
                        : slot->game.result == RESULT_BLUE ? -1
                                                           : 0;
        out->reward[2 * row] = (float)won;
        out->reward[2 * row + 1] = (float)-won;
    }
    if (out->terminated) out->terminated[row] = over;
    if (out->truncated) out->truncated[row] = !over && slot->truncated;
    if (out->reason) out->reason[row] = over ? slot->game.reason : REASON_NONE;
}
