/* batch.c - many games: made, begun, and played on decision by decision. */
#include "batch_inside.h"

#include <stdlib.h>
#include <string.h>

#include "core/play/calls.h"
#include "core/play/ending.h"
#include "core/text/notation.h"
#include "move_sets.h"

enum {
    GAMES_MAX = 1 << 20,
    MOVES_DEFAULT = 8,
    MOVES_MAX = 64,
    UNDO_MAX = 4096,
    PLIES_SPARE = 14, /* of a history, beyond those needed: the oldest are dropped when it is full;
                         more of them would leave the second cache before they are used again */
    PLIES_LONGEST = 1 << 20,
    LINE = 64,       /* bytes of a line of a cache */
    PAGE_LINES = 64, /* that an address modulo them is all that stores and loads compare at first */
    LINES_APART = 37,  /* of a game and the next, modulo them: their fields do not collide */
    AHEAD = 3,         /* games whose memory is fetched in advance */
    ARMIES_TRIED = 100 /* until a game is not over before it begins */
};

bool options_read(const ensign_options *options, ensign_options *full) {
    *full = (ensign_options){.size = sizeof *full, .games = 1};
    if (options) {
        if (options->size < offsetof(ensign_options, games) || options->size > sizeof *full)
            return false;
        memcpy(full, options, options->size);
    }
    full->size = sizeof *full;
    if (!full->games) full->games = 1;
    if (!full->planes) full->planes = ENSIGN_DEFAULT_PLANES;
    if (!full->moves) full->moves = MOVES_DEFAULT;
    return full->games >= 1 && full->games <= GAMES_MAX && full->flags < 2 * ENSIGN_RECORD &&
           full->planes < 2 * ENSIGN_SIGHT && full->moves <= MOVES_MAX && full->undo <= UNDO_MAX;
}

bool out_read(const ensign_out *out, ensign_out *full) {
    *full = (ensign_out){.size = sizeof *full};
    if (!out) return true;
    if (out->size < sizeof out->size || out->size > sizeof *full) return false;
    memcpy(full, out, out->size);
    return true;
}

static size_t rounded(size_t size) {
    return (size + LINE - 1) / LINE * LINE;
}

/* Plies that the repetition rules look at in nearly every game. */
static uint32_t plies_usual(const struct rules *rules) {
    return 2u * rules->two_squares + 4;
}

static void lay_blocks(ensign_batch *batch) {
    const struct rules *rules = batch->rules;
    batch->views = !lore_suffices(rules);
    batch->plies = plies_usual(rules) + PLIES_SPARE + batch->options.undo;
    batch->groups_at = rounded(sizeof(struct slot));
    const size_t groups =
        batch->views ? 0 : 2 * (size_t)lore_groups_max(rules) * sizeof(struct hidden);
    batch->groups_size = groups / 2;
    batch->told_at = batch->groups_at + groups;
    batch->eyes_at = rounded(batch->told_at + 2 * batch->options.moves * sizeof(struct told_move));
    batch->plies_at = rounded(batch->eyes_at + (batch->views ? sizeof(struct eyes) : 0));
    batch->stride = rounded(batch->plies_at + batch->plies * sizeof(struct ply));
    while (batch->stride / LINE % PAGE_LINES != LINES_APART) batch->stride += LINE;
}

static void batch_measure(ensign_batch *batch, const ensign_rules *owner) {
    batch->rules = owner->rules;
    batch->actions = &owner->actions;
    batch->bytes = owner->actions.bytes;
    const bool agent = batch->options.flags & ENSIGN_SETUPS_BY_AGENT;
    batch->action_count = agent ? batch->actions->count_all : batch->actions->count;
    batch->mask_words = (batch->action_count + 63) / 64;
    batch->planes = planes_count(batch->rules, &batch->options);
    batch->scalars = scalars_count(batch->rules);
    lay_blocks(batch);
}

ensign_status ensign_shape_of(const ensign_rules *owner, const ensign_options *options,
                              ensign_shape *shape) {
    ensign_batch batch = {.owner = NULL};
    if (!owner || !shape || shape->size < sizeof shape->size || shape->size > sizeof *shape ||
        !options_read(options, &batch.options))
        return ENSIGN_USAGE;
    batch_measure(&batch, owner);
    const struct rules *rules = owner->rules;
    const ensign_shape full = {
        .size = shape->size,
        .files = rules->board.files,
        .ranks = rules->board.ranks,
        .squares = rules->board.squares,
        .kinds = rules->kinds,
        .army = {rules->start[RED].size, rules->start[BLUE].size},
        .zone = {rules->start[RED].zone_size, rules->start[BLUE].zone_size},
        .actions = batch.action_count,
        .mask_words = batch.mask_words,
        .ways = owner->actions.ways,
        .planes = batch.planes,
        .scalars = batch.scalars,
        .plies_max = rules->limits.plies,
        .calls = rules->calls != NULL,
        .env_version = ENSIGN_ENV_VERSION,
        .rules_hash = owner->hash,
        .game_bytes =
            batch.stride + sizeof(struct own_history) + batch.options.undo * batch.plies_at,
    };
    memcpy(shape, &full, shape->size);
    return ENSIGN_OK;
}

/* NULL without memory; aligned, since a block begins a line. */
static void *blocks_new(size_t count, size_t size) {
    if (!size || count > SIZE_MAX / 2 / size) return NULL;
    void *blocks = aligned_alloc(LINE, rounded(count * size));
    if (blocks) memset(blocks, 0, rounded(count * size));
    return blocks;
}

ensign_batch *ensign_batch_new(ensign_rules *rules, const ensign_options *options,
                               ensign_error *error) {
    ensign_options full;
    if (!rules || !options_read(options, &full)) {
        error_set(error, ENSIGN_USAGE, NULL, rules ? "an option is out of range" : "no rules");
        return NULL;
    }
    if (full.flags & ENSIGN_SETUPS_BY_AGENT && rules->rules->armies == ARMIES_BY_CHANCE) {
        error_set(error, ENSIGN_USAGE, NULL, "each game of this variant draws the armies");
        return NULL;
    }
    ensign_batch *batch = calloc(1, sizeof *batch);
    if (batch) {
        batch->options = full;
        batch->owner = ensign_rules_share(rules);
        atomic_flag_clear(&batch->busy);
        batch_measure(batch, rules);
        batch->blocks = blocks_new(full.games, batch->stride);
        batch->own = calloc(full.games, sizeof *batch->own);
        batch->moves = calloc(batch->rules->moves_max + 1, sizeof *batch->moves);
        if (full.undo) batch->undo = blocks_new((size_t)full.games * full.undo, batch->plies_at);
    }
    if (!batch || !batch->blocks || !batch->own || !batch->moves || (full.undo && !batch->undo)) {
        ensign_batch_free(batch);
        error_set(error, ENSIGN_NO_MEMORY, NULL, "no memory for the games");
        return NULL;
    }
    for (uint32_t i = 0; i < full.games; i++) { /* over until they are begun */
        struct slot *slot = batch_slot(batch, i);
        slot->game.rules = batch->rules;
        slot->game.result = RESULT_DRAW;
        slot->game.reason = REASON_UNFINISHED;
        slot_adopt(batch, i, NULL, 0);
    }
    return batch;
}

void ensign_batch_free(ensign_batch *batch) {
    if (!batch) return;
    for (uint32_t i = 0; batch->own && i < batch->options.games; i++) {
        free(batch->own[i].longer);
        free(batch->own[i].moves);
    }
    ensign_rules_free(batch->owner);
    free(batch->own);
    free(batch->blocks);
    free(batch->undo);
    free(batch->moves);
    free(batch);
}

ensign_status batch_fail(ensign_batch *batch, ensign_status status, const char *text) {
    fault_set(&batch->fault, STATUS_USAGE, "%s", text);
    return batch_leave(batch, status);
}

ensign_status ensign_batch_error(const ensign_batch *batch, ensign_error *error) {
    if (!batch) return ENSIGN_USAGE;
    error_set(error, batch->fault.status ? ENSIGN_SCRIPT : ENSIGN_OK, &batch->fault, NULL);
    return ENSIGN_OK;
}

uint32_t slot_needed(const ensign_batch *batch, const struct slot *slot) {
    const struct rules *rules = batch->rules;
    uint32_t needed = 0;
    for (int side = RED; side <= BLUE; side++) {
        const struct chaser *chaser = &slot->game.chaser[side];
        const uint32_t run = chaser->run < rules->two_squares ? chaser->run : rules->two_squares;
        if (2 * run > needed) needed = 2 * run;
        if (rules->chase == CHASE_ISF && chaser->chase > needed) needed = chaser->chase;
    }
    needed += 4;
    const uint32_t repeatable = ending_repeatable(&slot->game) + 1;
    if (repeatable > needed) needed = repeatable;
    needed += batch->options.undo;
    return needed < slot->game.ply_count ? needed : slot->game.ply_count;
}

bool slot_adopt(ensign_batch *batch, uint32_t game, const struct ply *plies, uint32_t count) {
    struct slot *slot = batch_slot(batch, game);
    struct own_history *own = &batch->own[game];
    unsigned char *block = (unsigned char *)slot;
    struct hidden *groups = (struct hidden *)(void *)(block + batch->groups_at);
    slot->lore.group[RED] = groups;
    slot->lore.group[BLUE] = groups + lore_groups_max(batch->rules);
    struct ply *home = own->longer ? own->longer : (struct ply *)(void *)(block + batch->plies_at);
    uint32_t room = own->longer ? own->room : batch->plies;
    if (count + 2 > room) {
        room = 2 * count + PLIES_SPARE;
        home = calloc(room, sizeof *home); /* what no ply sets is saved, too */
        if (!home) return false;
        if (plies) memcpy(home, plies, count * sizeof *plies);
        free(own->longer);
        own->longer = home;
        own->room = room;
    } else if (count) {
        memmove(home, plies, count * sizeof *plies);
    }
    slot->game.plies = home;
    slot->game.ply_capacity = room;
    return true;
}

/* Makes room for plies: without it the core would draw the game. */
static __attribute__((noinline)) bool history_make_room(ensign_batch *batch, uint32_t number) {
    struct game *game = &batch_slot(batch, number)->game;
    const uint32_t kept = slot_needed(batch, batch_slot(batch, number));
    const uint32_t dropped = game->ply_count - kept;
    const bool grows = kept + PLIES_SPARE / 2 > game->ply_capacity;
    if (grows && game->ply_capacity > PLIES_LONGEST / 2) return false;
    const struct ply *from = game->plies + dropped;
    game->ply_count = kept;
    game->earlier += dropped;
    if (game->limits.plies) game->limits.plies -= dropped;
    if (!grows) {
        memmove(game->plies, from, kept * sizeof *from);
        return true;
    }
    struct own_history *own = &batch->own[number];
    struct ply *longer = calloc(2 * (size_t)game->ply_capacity, sizeof *longer);
    if (!longer) return false;
    memcpy(longer, from, kept * sizeof *from);
    free(own->longer);
    own->longer = game->plies = longer;
    own->room = game->ply_capacity = 2 * game->ply_capacity;
    return true;
}

void slot_open(ensign_batch *batch, struct slot *slot) {
    if (batch->views)
        eyes_open(slot_eyes(batch, slot), &slot->game);
    else
        lore_start(&slot->lore, &slot->game);
}

/* Starts the game with the armies of slot->setups. */
static void slot_start(ensign_batch *batch, struct slot *slot) {
    struct position position;
    struct game *game = &slot->game;
    position_from_setups(batch->rules, &slot->setups[RED], &slot->setups[BLUE],
                         (enum side)slot->first, &position);
    game_start(game, batch->rules, &position, NULL, game->plies, game->ply_capacity);
    slot_open(batch, slot);
    for (int side = RED; side <= BLUE; side++)
        slot->info[side] =
            bytes_hash((uint64_t)slot->first, slot->setups[side].at, sizeof slot->setups[side].at);
}

/* Seed of a game that was given none. */
static uint64_t episode_seed(const ensign_batch *batch, uint32_t game, uint64_t episode) {
    const uint64_t numbers[2] = {game, episode};
    return bytes_hash(batch->options.seed, numbers, sizeof numbers);
}

/* Draws armies until the game can be played. */
static bool draw_armies(ensign_batch *batch, struct slot *slot, uint64_t seed) {
    struct random random[2] = {random_stream(seed, STREAM_RED_SETUP, 0),
                               random_stream(seed, STREAM_BLUE_SETUP, 0)};
    for (int i = 0; i < ARMIES_TRIED; i++) {
        for (int side = RED; side <= BLUE; side++)
            if (!setup_random(batch->rules, (enum side)side, &random[side], &slot->setups[side],
                              &batch->fault))
                return false;
        slot_start(batch, slot);
        if (!game_over(&slot->game)) break;
    }
    return true;
}

/* Begins a game. `setups` NULL: armies are drawn, or laid out by the agents. */
static bool slot_begin(ensign_batch *batch, uint32_t number, uint64_t seed,
                       const struct setup *setups) {
    struct slot *slot = batch_slot(batch, number);
    struct own_history *own = &batch->own[number];
    slot->random = random_stream(seed, STREAM_PLAYOUT, 0);
    slot->first = (uint8_t)rules_first(batch->rules);
    if (batch->rules->first == FIRST_CHOSEN)
        slot->first = (uint8_t)(random_next(&slot->random) >> 63);
    slot->truncated = slot->pending = 0;
    slot->told_count = slot->told_next = 0;
    slot->laying.on = 0;
    own->undo = own->undo_next = 0;
    if (setups) {
        memcpy(slot->setups, setups, sizeof slot->setups);
        slot_start(batch, slot);
        return true;
    }
    if (!(batch->options.flags & ENSIGN_SETUPS_BY_AGENT)) return draw_armies(batch, slot, seed);
    memset(slot->setups, 0, sizeof slot->setups);
    game_stop(&slot->game, RESULT_NONE, REASON_NONE);
    slot->game.ply_count = slot->game.earlier = 0;
    slot->laying = (struct laying){.on = 1, .side = RED};
    slot->info[RED] = slot->info[BLUE] = slot->first;
    return true;
}

void slot_set_up(ensign_batch *batch, uint32_t number, const struct setup setups[2],
                 enum side first, const struct limits *limits) {
    struct slot *slot = batch_slot(batch, number);
    slot_begin(batch, number, 0, setups);
    slot->begun++;
    slot->first = (uint8_t)first;
    slot_start(batch, slot);
    slot->game.limits = *limits;
}

/* Bytes of an army in `setups`. */
static size_t zones_size(const struct rules *rules) {
    const size_t red = rules->start[RED].zone_size, blue = rules->start[BLUE].zone_size;
    return red > blue ? red : blue;
}

/* Reads the armies of a game, and judges them. */
static bool setups_read(ensign_batch *batch, const uint8_t *kinds, struct setup setups[2]) {
    const struct rules *rules = batch->rules;
    memset(setups, 0, 2 * sizeof *setups);
    for (int side = RED; side <= BLUE; side++, kinds += zones_size(rules)) {
        const struct start *start = &rules->start[side];
        for (int i = 0; i < start->zone_size; i++) {
            if (kinds[i] > rules->kinds)
                return fault_set(&batch->fault, STATUS_SETUP, "kind %d, expected 0 to %d", kinds[i],
                                 rules->kinds);
            setups[side].at[start->zone[i]] = kinds[i];
        }
        if (!setup_check(rules, (enum side)side, &setups[side], &batch->fault)) return false;
    }
    return true;
}

ensign_status ensign_reset(ensign_batch *batch, const uint8_t *which, const uint64_t *seeds,
                           const uint8_t *setups, ensign_out *out) {
    ensign_out full;
    if (!batch || !out_read(out, &full)) return ENSIGN_USAGE;
    if (!batch_enter(batch)) return ENSIGN_BUSY;
    const size_t row = 2 * zones_size(batch->rules);
    struct setup given[2];
    for (uint32_t i = 0; setups && i < batch->options.games; i++)
        if ((!which || which[i]) && !setups_read(batch, setups + i * row, given))
            return batch_leave(batch, ENSIGN_SETUP);
    for (uint32_t i = 0; i < batch->options.games; i++) {
        struct slot *slot = batch_slot(batch, i);
        if (!which || which[i]) {
            const uint64_t seed = seeds ? seeds[i] : episode_seed(batch, i, slot->begun);
            if (setups) setups_read(batch, setups + i * row, given);
            if (!slot_begin(batch, i, seed, setups ? given : NULL))
                return batch_leave(batch, ENSIGN_SETUP);
            slot->begun++;
        }
        row_observe(batch, slot, slot_to_move(slot), &full, i);
        row_end(batch, slot, &full, i);
    }
    return batch_leave(batch, ENSIGN_OK);
}

/* Keeps what undo needs. */
static __attribute__((noinline)) void undo_keep(ensign_batch *batch, uint32_t number) {
    const uint32_t most = batch->options.undo;
    struct own_history *own = &batch->own[number];
    unsigned char *entry = batch->undo + ((size_t)number * most + own->undo_next) * batch->plies_at;
    memcpy(entry, batch_slot(batch, number), batch->plies_at);
    own->undo_next = (own->undo_next + 1) % most;
    if (own->undo < most) own->undo++;
}

ensign_status ensign_undo(ensign_batch *batch, uint32_t number) {
    if (!batch || number >= batch->options.games) return ENSIGN_USAGE;
    if (!batch_enter(batch)) return ENSIGN_BUSY;
    struct own_history *own = &batch->own[number];
    if (!own->undo) return batch_fail(batch, ENSIGN_USAGE, "nothing kept to take back");
    const uint32_t most = batch->options.undo;
    struct slot *slot = batch_slot(batch, number);
    const struct game now = slot->game;
    own->undo--;
    own->undo_next = (own->undo_next + most - 1) % most;
    memcpy(slot, batch->undo + ((size_t)number * most + own->undo_next) * batch->plies_at,
           batch->plies_at);
    struct game *game = &slot->game;
    const uint32_t dropped = now.earlier - game->earlier; /* since then */
    game->plies = now.plies;
    game->ply_capacity = now.ply_capacity;
    if (!slot->laying.on && now.earlier >= game->earlier && game->ply_count >= dropped) {
        game->ply_count -= dropped;
        game->earlier += dropped;
        if (game->limits.plies) game->limits.plies -= dropped;
    }
    return batch_leave(batch, ENSIGN_OK);
}

static __attribute__((noinline)) bool record_move(ensign_batch *batch, uint32_t number,
                                                  struct move move) {
    struct own_history *own = &batch->own[number];
    const uint32_t ply = slot_ply(batch_slot(batch, number));
    if (ply >= own->moves_room) {
        const uint32_t room = 2 * ply + 64;
        struct move *moves = realloc(own->moves, room * sizeof *moves);
        if (!moves) return false;
        own->moves = moves;
        own->moves_room = room;
    }
    own->moves[ply] = move;
    return true;
}

static void told_add(ensign_batch *batch, struct slot *slot, enum side side, struct move move,
                     bool attack) {
    slot_told(batch, slot, side)[slot->told_next] = (struct told_move){move.from, move.to, attack};
}

static void told_added(const ensign_batch *batch, struct slot *slot) {
    const unsigned most = batch->options.moves, next = slot->told_next + 1u;
    slot->told_next = (uint8_t)(next == most ? 0 : next);
    slot->told_count = (uint8_t)(slot->told_count + (slot->told_count < most));
}

static void play_seen(ensign_batch *batch, struct slot *slot, struct move move) {
    struct eyes *eyes = slot_eyes(batch, slot);
    eyes_play(eyes, &slot->game, move);
    for (int side = RED; side <= BLUE; side++) {
        const struct events *told = &eyes->told[side];
        struct move as_told = {SQUARE_NONE, SQUARE_NONE, SQUARE_NONE, ABILITY_NONE, KIND_NONE};
        bool attack = false;
        move_of_turn(batch->rules, told, &as_told, &attack);
        told_add(batch, slot, (enum side)side, as_told, attack);
        slot->info[side] =
            bytes_hash(slot->info[side], told->list, (size_t)told->count * sizeof *told->list);
        if (batch->rules->sight)
            slot->info[side] = bytes_hash(slot->info[side], &told->seen, sizeof told->seen);
    }
}

/* Plays a legal move. */
static ensign_status slot_play(ensign_batch *batch, uint32_t number, struct move move) {
    struct slot *slot = batch_slot(batch, number);
    struct game *game = &slot->game;
    const ensign_options *options = &batch->options;
    if (game->ply_count + 2 > game->ply_capacity && !history_make_room(batch, number))
        return ENSIGN_NO_MEMORY;
    if (options->flags & ENSIGN_RECORD && !record_move(batch, number, move))
        return ENSIGN_NO_MEMORY;
    slot->pending = 0;
    if (batch->views) {
        play_seen(batch, slot, move);
    } else {
        told_add(batch, slot, RED, move, game->at[move.to] != CELL_EMPTY);
        const uint64_t told = lore_play(&slot->lore, game, move);
        for (int side = RED; side <= BLUE; side++)
            slot->info[side] = (slot->info[side] ^ told) * UINT64_C(0x9e3779b97f4a7c15) >> 1 ^
                               slot->info[side] << 31;
    }
    told_added(batch, slot);
    slot->truncated =
        !game_over(game) && ((options->plies_limit && slot_ply(slot) >= options->plies_limit) ||
                             (options->no_attack_limit && game->quiet >= options->no_attack_limit));
    if (!game->calls || !calls_failed()) return ENSIGN_OK;
    calls_take(&batch->fault);
    return ENSIGN_SCRIPT;
}

/* Sets a piece of an army that an agent lays out. */
static void slot_lay(ensign_batch *batch, struct slot *slot, kind_id kind) {
    struct laying *laying = &slot->laying;
    const uint8_t side = laying->side;
    const struct start *start = &batch->rules->start[side];
    slot->setups[side].at[start->zone[laying->next++]] = kind;
    slot->info[side] = bytes_hash(slot->info[side], &kind, sizeof kind);
    if (laying->next < start->zone_size) return;
    laying->next = 0;
    laying->side = BLUE;
    if (side == RED) return;
    laying->on = 0;
    slot_start(batch, slot);
}

enum decided slot_decide(ensign_batch *batch, const struct slot *slot, int64_t action,
                         struct move *move) {
    const struct actions *actions = batch->actions;
    const enum side side = slot_to_move(slot);
    struct decision decision = actions_read(actions, action);
    *move = (struct move){SQUARE_NONE, SQUARE_NONE, SQUARE_NONE, ABILITY_NONE, KIND_NONE};
    if (slot_over(slot) || (slot->laying.on != 0) != (decision.type == DECIDES_SETUP))
        return DECIDED_ILLEGAL;
    if (slot->laying.on) {
        move->choice = decision.kind;
        const bool fits = laying_kinds(batch, slot) & kindset_of(decision.kind);
        return fits ? DECIDED_SETUP : DECIDED_ILLEGAL;
    }
    if ((slot->pending != 0) != (decision.type == DECIDES_USE || decision.type == DECIDES_NONE))
        return DECIDED_ILLEGAL;
    const struct game *game = &slot->game;
    if (slot->pending) {
        move->from = slot->from;
        move->to = slot->to;
        if (decision.type == DECIDES_USE) {
            *move = actions_use(actions, slot->from, slot->to, cell_kind(game->at[slot->from]),
                                decision.slot, batch_square(batch, side, decision.target));
            if (move->ability == ABILITY_NONE) return DECIDED_ILLEGAL;
        }
        return game_judge(game, *move) == LEGAL ? DECIDED_MOVE : DECIDED_ILLEGAL;
    }
    if (decision.type != DECIDES_MOVE) return DECIDED_ILLEGAL;
    move->from = batch_square(batch, side, decision.from);
    move->to = batch_square(batch, side, decision.to);
    if (!squareset_has(game->pieces[side], move->from)) return DECIDED_ILLEGAL;
    if (batch->rules->kind[cell_kind(game->at[move->from])].abilities) {
        const size_t count = slot_moves(batch, slot);
        for (size_t i = 0; i < count; i++)
            if (batch->moves[i].from == move->from && batch->moves[i].to == move->to &&
                batch->moves[i].ability != ABILITY_NONE)
                return DECIDED_PENDING;
    }
    return game_judge(game, *move) == LEGAL ? DECIDED_MOVE : DECIDED_ILLEGAL;
}

static ensign_status slot_step(ensign_batch *batch, uint32_t number, int32_t action) {
    struct slot *slot = batch_slot(batch, number);
    struct move move;
    const enum decided decided = slot_decide(batch, slot, action, &move);
    if (decided == DECIDED_ILLEGAL) return ENSIGN_ILLEGAL;
    if (batch->options.undo) undo_keep(batch, number);
    switch (decided) {
    case DECIDED_SETUP:
        slot_lay(batch, slot, (kind_id)move.choice);
        return ENSIGN_OK;
    case DECIDED_PENDING:
        slot->pending = 1;
        slot->from = move.from;
        slot->to = move.to;
        return ENSIGN_OK;
    default:
        return slot_play(batch, number, move);
    }
}

/* The first decision of a move. */
static int32_t action_of(const ensign_batch *batch, enum side side, struct move move) {
    return (int32_t)actions_of(batch->actions, batch_square(batch, side, move.from),
                               batch_square(batch, side, move.to));
}

static ensign_status slot_step_random(ensign_batch *batch, uint32_t number, int32_t *played) {
    struct slot *slot = batch_slot(batch, number);
    if (slot->laying.on || slot->pending) return ENSIGN_USAGE;
    const struct move move = draw_move(&slot->game, &slot->random, batch->moves);
    if (move.from == SQUARE_NONE) {
        calls_take(&batch->fault);
        game_stop(&slot->game, RESULT_DRAW, REASON_FAULT);
        return ENSIGN_SCRIPT;
    }
    if (played) *played = action_of(batch, slot_to_move(slot), move);
    if (batch->options.undo) undo_keep(batch, number);
    return slot_play(batch, number, move);
}

static void fetch_lines(const unsigned char *block, size_t from, size_t end) {
    for (size_t at = from / LINE * LINE; at < end; at += LINE) __builtin_prefetch(block + at, 1);
}

/* The parts of a game's block that a step touches. */
static void fetch_ahead(const ensign_batch *batch, uint32_t number) {
    enum { LORE = offsetof(struct slot, lore), GROUPS = 3 * sizeof(struct hidden) };
    if (number >= batch->options.games) return;
    const unsigned char *block = batch->blocks + number * batch->stride;
    const struct game *game = (const struct game *)(const void *)block;
    fetch_lines(block, 0, offsetof(struct game, at) + batch->actions->squares);
    if (!batch->views) {
        fetch_lines(block, LORE, LORE + (batch->rules->kinds + 1u) * sizeof(squareset));
        fetch_lines(block, LORE + offsetof(struct lore, shown), offsetof(struct slot, setups));
        fetch_lines(block, batch->groups_at, batch->groups_at + GROUPS);
        fetch_lines(block, batch->groups_at + batch->groups_size,
                    batch->groups_at + batch->groups_size + GROUPS);
    }
    const unsigned char *ply = (const unsigned char *)(game->plies + game->ply_count);
    __builtin_prefetch(ply, 1);
    __builtin_prefetch(ply + LINE, 1);
}

/* The worst of two: memory, functions, wrong use, illegal actions. */
static ensign_status worse(ensign_status a, ensign_status b) {
    static const uint8_t weight[] = {
        [ENSIGN_OK] = 0,    [ENSIGN_ILLEGAL] = 1, [ENSIGN_USAGE] = 2,
        [ENSIGN_SETUP] = 3, [ENSIGN_SCRIPT] = 4,  [ENSIGN_NO_MEMORY] = 5};
    return weight[a] >= weight[b] ? a : b;
}

/* A decision in each game: of `actions`, or at random. */
static ensign_status batch_step(ensign_batch *batch, const int32_t *actions, int32_t *played,
                                const ensign_out *out) {
    ensign_status status = ENSIGN_OK;
    for (uint32_t i = 0; i < batch->options.games; i++) {
        struct slot *slot = batch_slot(batch, i);
        ensign_status here = ENSIGN_OK;
        if (i + 2 * AHEAD < batch->options.games)
            __builtin_prefetch(batch->blocks + (i + 2 * AHEAD) * batch->stride);
        fetch_ahead(batch, i + AHEAD);
        if (played) played[i] = -1;
        if (!slot_over(slot)) {
            if (!actions)
                here = slot_step_random(batch, i, played ? &played[i] : NULL);
            else if (actions[i] != -1)
                here = slot_step(batch, i, actions[i]);
        }
        row_end(batch, slot, out, i);
        if (here == ENSIGN_ILLEGAL && out->reason) out->reason[i] = ENSIGN_REASON_ILLEGAL;
        if ((batch->options.flags & ENSIGN_AUTO_RESET) && slot_over(slot)) {
            if (!slot_begin(batch, i, episode_seed(batch, i, slot->begun), NULL))
                here = ENSIGN_SETUP;
            slot->begun++;
        }
        row_observe(batch, slot, slot_to_move(slot), out, i);
        status = worse(status, here);
    }
    return status;
}

ensign_status ensign_step(ensign_batch *batch, const int32_t *actions, ensign_out *out) {
    ensign_out full;
    if (!batch || !actions || !out_read(out, &full)) return ENSIGN_USAGE;
    if (!batch_enter(batch)) return ENSIGN_BUSY;
    return batch_leave(batch, batch_step(batch, actions, NULL, &full));
}

ensign_status ensign_step_random(ensign_batch *batch, int32_t *played, ensign_out *out) {
    ensign_out full;
    if (!batch || !out_read(out, &full)) return ENSIGN_USAGE;
    if (!batch_enter(batch)) return ENSIGN_BUSY;
    return batch_leave(batch, batch_step(batch, NULL, played, &full));
}

ensign_status ensign_observe(ensign_batch *batch, int side, ensign_out *out) {
    ensign_out full;
    if (!batch || side < -1 || side > BLUE || !out_read(out, &full)) return ENSIGN_USAGE;
    if (!batch_enter(batch)) return ENSIGN_BUSY;
    for (uint32_t i = 0; i < batch->options.games; i++) {
        struct slot *slot = batch_slot(batch, i);
        const enum side whose = side < 0 ? slot_to_move(slot) : (enum side)side;
        row_observe(batch, slot, whose, &full, i);
        row_end(batch, slot, &full, i);
    }
    return batch_leave(batch, ENSIGN_OK);
}
