/* saved.c - a game as bytes.
 *
 * The bytes are those of its block (batch_inside.h), without pointers and without what follows from
 * the rest. They may come from anybody: a hash finds damage, and then everything is checked by
 * which memory is reached later, and everything that can be computed from the rest is. So what is
 * read is a game that the rules can go on with, and each side knows nothing false in it; whether
 * its earlier moves were legal, and whether more could be known, is not found out. */
#include <stdlib.h>
#include <string.h>

#include "batch_inside.h"
#include "core/know/integrity.h"
#include "core/play/calls.h"
#include "core/play/ending.h"

/* In front of a saved game. */
struct saved {
    char magic[8];
    uint32_t version, abi;
    uint64_t rules_hash, check; /* of everything behind it */
    uint32_t moves, flags;      /* options that shape a game */
    uint32_t plies, recorded;
    uint64_t block;
};
static const char SAVED_MAGIC[8] = "ENSIGNG";
enum { PLIES_MAX = 1 << 30 }; /* of a game that is read */

static struct saved saved_head(const ensign_batch *batch) {
    struct saved head = {.version = ensign_version(),
                         .abi = ENSIGN_ABI << 16 | ENSIGN_ENV_VERSION,
                         .rules_hash = batch->owner->hash,
                         .moves = batch->options.moves,
                         .flags = batch->options.flags,
                         .block = batch->plies_at};
    memcpy(head.magic, SAVED_MAGIC, sizeof head.magic);
    return head;
}

/* Leaves what must be kept: the same game gives the same bytes, wherever it lies and whatever was
 * asked of it. */
static void block_strip(const ensign_batch *batch, unsigned char *block) {
    struct slot slot, laid = {.begun = 0};
    memcpy(&slot, block, sizeof slot);
    if (slot.laying.on) { /* the rest is of an earlier game */
        laid.random = slot.random;
        memcpy(laid.info, slot.info, sizeof laid.info);
        laid.laying = slot.laying;
        laid.first = slot.first;
        memcpy(laid.setups, slot.setups, sizeof laid.setups);
        slot = laid;
        memset(block, 0, batch->plies_at);
    }
    slot.game.rules = NULL;
    slot.game.calls = NULL;
    slot.game.plies = NULL;
    slot.game.ply_capacity = 0;
    slot.begun = 0;
    memset(slot.lore.kind, 0, sizeof slot.lore.kind);
    for (int side = RED; side <= BLUE; side++) {
        unsigned char *group = block + batch->groups_at + (size_t)side * batch->groups_size;
        const size_t used = batch->views ? 0 : slot.lore.groups[side] * sizeof(struct hidden);
        for (size_t at = offsetof(struct hidden, possible); at < used; at += sizeof(struct hidden))
            memset(group + at, 0, sizeof(kindset));
        memset(group + used, 0, batch->groups_size - used);
        slot.lore.group[side] = NULL;
        slot.lore.counted[side] = false;
    }
    memcpy(block, &slot, sizeof slot);
    if (!batch->views) return;
    unsigned char *eyes = block + batch->eyes_at;
    for (size_t side = RED; side <= BLUE; side++)
        memset(eyes + offsetof(struct eyes, view) + side * sizeof(struct view) +
                   offsetof(struct view, rules),
               0, sizeof(struct rules *));
    memset(eyes + offsetof(struct eyes, told), 0, sizeof(struct events[2]));
}

size_t ensign_save(ensign_batch *batch, uint32_t game, void *out, size_t room) {
    if (!batch || game >= batch->options.games || !batch_enter(batch)) return 0;
    struct slot *slot = batch_slot(batch, game);
    struct saved head = saved_head(batch);
    head.recorded = moves_kept(batch, slot);
    head.plies = slot->laying.on ? 0 : slot->game.ply_count;
    const size_t plies = head.plies * sizeof(struct ply);
    const size_t moves = head.recorded * sizeof(struct move);
    const size_t length = sizeof head + batch->plies_at + plies + moves;
    if (out && length <= room) {
        unsigned char *to = (unsigned char *)out + sizeof head;
        memcpy(to, slot, batch->plies_at);
        block_strip(batch, to);
        if (plies) memcpy(to + batch->plies_at, slot->game.plies, plies);
        if (moves) memcpy(to + batch->plies_at + plies, batch->own[game].moves, moves);
        head.check = bytes_hash(0, to, length - sizeof head);
        memcpy(out, &head, sizeof head);
    }
    batch_leave(batch, ENSIGN_OK);
    return length;
}

static bool is_square(const struct rules *rules, square at) {
    return at < rules->board.squares || at == SQUARE_NONE;
}

static bool is_piece(const struct rules *rules, cell piece) {
    const cell marks = (cell)((rules->places ? CELL_RETURNED : 0) | rules->moved);
    return cell_kind(piece) >= 1 && cell_kind(piece) <= rules->kinds &&
           !(piece & ~(CELL_BLUE | (KINDS_MAX - 1) | marks));
}

static bool is_move(const struct rules *rules, struct move move) {
    return move.from < rules->board.squares && move.to < rules->board.squares &&
           is_square(rules, move.target) && move.choice <= rules->kinds &&
           (move.ability == ABILITY_NONE
                ? move.target == SQUARE_NONE && move.choice == KIND_NONE
                : move.ability < rules->abilities && move.target != SQUARE_NONE);
}

static bool chasers_are_sound(const struct rules *rules, const struct chaser chaser[2]) {
    for (int side = RED; side <= BLUE; side++)
        if (!is_square(rules, chaser[side].from) || !is_square(rules, chaser[side].to) ||
            !is_square(rules, chaser[side].quarry))
            return false;
    return true;
}

/* May the squares of these marks have them? */
static bool marks_are_sound(const struct rules *rules, const struct marks *marks) {
    const squareset low = marks->spent.low | marks->held.low, stood = marks->stood.low;
    const squareset high = marks->spent.high | marks->held.high;
    const squareset land = rules->marks ? rules->board.land : 0;
    return !((low | high) & ~land) &&
           !((stood | marks->stood.high) & ~(rules->stays ? rules->board.land : 0));
}

static bool counters_are_sound(const struct rules *rules, const struct counters *counters) {
    for (int side = RED; side <= BLUE; side++)
        for (int i = 0; i < COUNTERS_MAX; i++) {
            const bool there = i < rules->counters && (side == RED || rules->counter[i].each);
            const int16_t value = counters->of[side][i];
            if (value < (there ? rules->counter[i].from : 0) ||
                value > (there ? rules->counter[i].to : 0))
                return false;
        }
    return true;
}

/* Armies at the start and what has come back, against those of the rules. */
static bool armies_are_sound(const struct game *game) {
    const struct rules *rules = game->rules;
    uint8_t uses[ABILITIES_MAX] = {0}; /* at most, by tally */
    for (int i = 0; i < rules->abilities; i++) {
        const struct ability *ability = &rules->ability[i];
        uses[ability->tally.n] = ability->limit ? ability->limit : UINT8_MAX;
    }
    for (int side = RED; side <= BLUE; side++) {
        for (kind_id kind = 0; kind < KINDS_MAX; kind++) {
            const bool there = kind >= 1 && kind <= rules->kinds;
            const uint8_t *placed = &game->placed[side][kind];
            if (game->start[side][kind] > (there ? rules->start[side].count[kind] : 0) ||
                game->count[side][kind] > game->start[side][kind] ||
                *placed < game->returned[side][kind] || (*placed && !rules->places) ||
                *placed - game->returned[side][kind] > game_captured(game, (enum side)side, kind))
                return false;
        }
        for (int i = 0; i < ABILITIES_MAX; i++)
            if (game->uses[side][i] > uses[i]) return false;
    }
    return true;
}

/* What a ply says without its position. */
static bool ply_is_sound(const struct rules *rules, const struct ply *ply) {
    uint8_t used;
    memcpy(&used, (const unsigned char *)ply + offsetof(struct ply, used), 1);
    if (used > 1 || ply->changes > CHANGES_MAX || ply->placed >> ply->changes ||
        !is_move(rules, ply->move) || (used && ply->move.ability == ABILITY_NONE) ||
        !chasers_are_sound(rules, ply->chaser) ||
        (rules->marks && !marks_are_sound(rules, &ply->marks)) ||
        (rules->counters && !counters_are_sound(rules, &ply->counters)))
        return false;
    for (int i = 0; i < ply->changes; i++)
        if (!squareset_has(rules->board.land, ply->change[i].at & 127) ||
            ply->change[i].at >= rules->board.squares ||
            (ply->change[i].was && !is_piece(rules, ply->change[i].was)))
            return false;
    return true;
}

/* Are there as many plies as the repetition rules look back? */
static bool history_suffices(const struct game *game) {
    const struct rules *rules = game->rules;
    for (int side = RED; side <= BLUE; side++) {
        const struct chaser *chaser = &game->chaser[side];
        const uint32_t run = chaser->run < rules->two_squares ? chaser->run : rules->two_squares;
        if (game->ply_count + (side != game->to_move) < 2 * run ||
            (rules->chase == CHASE_ISF && chaser->chase > game->ply_count + 1))
            return false;
    }
    return true;
}

/* Every position back to the first of the history is one of pieces on land. */
static bool history_is_sound(const struct game *game) {
    struct game past = *game;
    for (uint32_t i = 0; i < game->ply_count; i++)
        if (!ply_is_sound(game->rules, &game->plies[i])) return false;
    for (;;) {
        if (!past.ply_count) past.hash = 0;
        if (!integrity_game(&past, NULL)) return false;
        if (!past.ply_count) return true;
        game_undo(&past);
    }
}

static bool limits_are_sound(const struct game *game) {
    const struct limits *limits = &game->rules->limits;
    const uint32_t left = limits->plies > game->earlier ? limits->plies - game->earlier : 1;
    return game->limits.no_attack == limits->no_attack &&
           game->limits.plies == (limits->plies ? left : 0);
}

/* A running game has not ended by what can be read off its position. */
static bool goes_on(const struct game *game) {
    struct game found = *game;
    found.ply_capacity = UINT32_MAX;
    if (!found.calls) ending_find(&found, side_other((enum side)game->to_move), NULL);
    return found.result == RESULT_NONE;
}

static bool game_is_sound(const struct game *game, const struct slot *slot) {
    const struct rules *rules = game->rules;
    if (game->to_move > BLUE || game->result >= RESULT_COUNT || game->reason >= REASON_COUNT ||
        (game->result == RESULT_NONE) != (game->reason == REASON_NONE) ||
        game->earlier > PLIES_MAX || game->ply_count > PLIES_MAX ||
        !chasers_are_sound(rules, game->chaser) || !marks_are_sound(rules, &game->marks) ||
        !counters_are_sound(rules, &game->counters))
        return false;
    for (int at = 0; at < BOARD_SQUARES_MAX; at++)
        if (game->at[at] && (at >= rules->board.squares || !is_piece(rules, game->at[at])))
            return false;
    if (!armies_are_sound(game) || !history_is_sound(game) || !history_suffices(game)) return false;
    if (game->reason == REASON_UNFINISHED) /* not begun */
        return game->result == RESULT_DRAW && !slot_ply(slot) &&
               !(game->pieces[RED] | game->pieces[BLUE]);
    return limits_are_sound(game) && (game_over(game) || goes_on(game)) &&
           game->to_move == (slot->first ^ (slot_ply(slot) & 1));
}

/* Hidden pieces are those that are not shown, each in one group that may be what it is. */
static bool groups_are_sound(struct slot *slot, enum side side) {
    const struct lore *lore = &slot->lore;
    const struct rules *rules = slot->game.rules;
    squareset left = slot->game.pieces[side] & ~lore->shown[side];
    if (lore->groups[side] > lore_groups_max(rules)) return false;
    for (int i = 0; i < lore->groups[side]; i++) {
        const struct hidden *group = &lore->group[side][i];
        if (!group->at || group->at & ~left || group->kinds & ~rules->army) return false;
        left &= ~group->at;
        for (squareset rest = group->at; rest;)
            if (!(group->kinds >> cell_kind(slot->game.at[squareset_pop(&rest)]) & 1)) return false;
        for (int j = 0; j < i; j++)
            if (lore->group[side][j].kinds == group->kinds) return false;
    }
    return !left;
}

static bool lore_is_sound(struct slot *slot) {
    struct lore *lore = &slot->lore;
    const struct game *game = &slot->game;
    for (squareset left = game->pieces[RED] | game->pieces[BLUE]; left;) {
        const square at = squareset_pop(&left);
        lore->kind[cell_kind(game->at[at])] |= squareset_of(at);
    }
    for (int side = RED; side <= BLUE; side++)
        if ((lore->shown[side] | lore->moved[side]) & ~game->pieces[side] ||
            !groups_are_sound(slot, (enum side)side))
            return false;
    return true;
}

static bool view_piece_is_sound(const struct rules *rules, const struct view_piece *piece) {
    const unsigned char *bytes = (const unsigned char *)piece;
    const kindset kinds = piece->laid | piece->may_be | piece->refuted | piece->open;
    return piece->side <= BLUE && is_square(rules, piece->at) && is_square(rules, piece->start) &&
           piece->kind <= rules->kinds && piece->dared <= rules->kinds &&
           piece->fled <= rules->kinds && !(kinds & ~rules->army) &&
           bytes[offsetof(struct view_piece, moved)] <= 1 &&
           bytes[offsetof(struct view_piece, shown)] <= 1 &&
           bytes[offsetof(struct view_piece, secret)] <= 1 &&
           bytes[offsetof(struct view_piece, unseen)] <= 1;
}

/* The latest plain moves can be taken back one by one from the pieces of the view; where sight is
 * limited, nobody does. */
static bool recent_is_sound(const struct view *view) {
    squareset taken = 0;
    if (view->recent_count > VIEW_RECENT) return false;
    for (int i = 0; i < view->count; i++)
        if (view->piece[i].at != SQUARE_NONE) taken |= squareset_of(view->piece[i].at);
    for (int i = view->recent_count; i-- > 0;) {
        const struct move move = view->recent[i];
        if (!is_move(view->rules, move) || move.ability != ABILITY_NONE) return false;
        if (view->rules->sight) continue;
        if (!squareset_has(taken, move.to) || squareset_has(taken, move.from)) return false;
        taken ^= squareset_of(move.from) | squareset_of(move.to);
    }
    return true;
}

/* No side has more pieces than its army, less those that are known to have fallen: what is drawn
 * for hidden ones has room for no more. */
static bool pieces_are_counted(const struct view *view) {
    int left[2][KINDS_MAX], room[2] = {0, 0};
    for (int side = RED; side <= BLUE; side++)
        for (kind_id kind = 0; kind < KINDS_MAX; kind++) {
            left[side][kind] = view->start[side][kind] - view->captured[side][kind];
            room[side] += left[side][kind];
        }
    for (int i = 0; i < view->count; i++) {
        const struct view_piece *piece = &view->piece[i];
        if (view_piece_counted(piece)) continue;
        if (!room[piece->side]-- || (piece->kind != KIND_NONE && !left[piece->side][piece->kind]--))
            return false;
    }
    return true;
}

/* What a view says without the game. */
static bool view_is_whole(const struct view *view, enum side side) {
    const struct rules *rules = view->rules;
    int standing = 0;
    if (view->side != side || view->to_move > BLUE || view->result >= RESULT_COUNT ||
        view->reason >= REASON_COUNT || view->count < 0 || view->count > 2 * BOARD_SQUARES_MAX ||
        !counters_are_sound(rules, &view->counters) || !marks_are_sound(rules, &view->marks))
        return false;
    for (int i = 0; i < view->count; i++) {
        const struct view_piece *piece = &view->piece[i];
        if (!view_piece_is_sound(rules, piece)) return false;
        if (piece->at == SQUARE_NONE) continue;
        if (view->number[piece->at] != i) return false;
        standing++;
    }
    for (int at = 0; at < BOARD_SQUARES_MAX; at++) standing -= view->number[at] != VIEW_EMPTY;
    for (int owner = RED; owner <= BLUE; owner++)
        for (kind_id kind = 0; kind < KINDS_MAX; kind++)
            if (view->start[owner][kind] > rules->start[owner].count[kind] ||
                view->captured[owner][kind] > view->start[owner][kind])
                return false;
    return !standing && pieces_are_counted(view) && recent_is_sound(view);
}

/* Nothing in the view is false. Where sight is limited, its numbers may be behind the game's. */
static bool view_is_sound(const struct view *view, enum side side, const struct game *game) {
    if (!view_is_whole(view, side)) return false;
    struct view seen = *view;
    struct game there = *game;
    there.ply_count += there.earlier;
    if (game->rules->sight) {
        seen.plies = there.ply_count;
        seen.quiet = game->quiet;
        seen.to_move = game->to_move;
        seen.result = game->result;
        seen.reason = game->reason;
        seen.counters = game->counters;
        for (int owner = RED; owner <= BLUE; owner++)
            for (kind_id kind = 1; kind <= game->rules->kinds; kind++)
                seen.captured[owner][kind] = game_captured(game, (enum side)owner, kind);
    }
    return integrity_view(&seen, &there, NULL);
}

/* The armies that agents have laid out so far, square by square. */
static bool laying_is_sound(ensign_batch *batch, struct slot *slot) {
    const struct laying laid = slot->laying;
    struct setup setups[2];
    if (!(batch->options.flags & ENSIGN_SETUPS_BY_AGENT) || laid.on > 1 || laid.side > BLUE ||
        laid.next >= batch->rules->start[laid.side].zone_size)
        return false;
    memcpy(setups, slot->setups, sizeof setups);
    memset(slot->setups, 0, sizeof slot->setups);
    for (int side = RED; side <= laid.side; side++) {
        const struct start *start = &batch->rules->start[side];
        const int squares = side == laid.side ? laid.next : start->zone_size;
        slot->laying.side = (uint8_t)side;
        for (int i = 0; i < squares; i++) {
            const kind_id kind = setups[side].at[start->zone[i]];
            slot->laying.next = (uint8_t)i;
            if (kind > batch->rules->kinds || !(laying_kinds(batch, slot) & kindset_of(kind)))
                return false;
            slot->setups[side].at[start->zone[i]] = kind;
        }
    }
    slot->laying = laid;
    return !memcmp(setups, slot->setups, sizeof setups);
}

/* The set-ups of the text; of one that is not known nothing. */
static bool setups_are_sound(const struct rules *rules, const struct setup setups[2]) {
    for (int side = RED; side <= BLUE; side++) {
        uint8_t count[KINDS_MAX] = {0};
        squareset zone = 0;
        for (int i = 0; i < rules->start[side].zone_size; i++)
            zone |= squareset_of(rules->start[side].zone[i]);
        for (int at = 0; at < BOARD_SQUARES_MAX; at++) {
            const kind_id kind = setups[side].at[at];
            if (kind && (!squareset_has(zone, (square)at) || kind > rules->kinds ||
                         count[kind]++ == rules->start[side].count[kind]))
                return false;
        }
    }
    return true;
}

/* The piece that has moved may use an ability. */
static bool pending_is_sound(ensign_batch *batch, const struct slot *slot) {
    const size_t count = slot_moves(batch, slot);
    for (size_t i = 0; i < count; i++)
        if (batch->moves[i].from == slot->from && batch->moves[i].to == slot->to &&
            batch->moves[i].ability != ABILITY_NONE)
            return true;
    return false;
}

static bool told_is_sound(const ensign_batch *batch, struct slot *slot) {
    const struct rules *rules = batch->rules;
    if (slot->told_count > batch->options.moves || slot->told_next >= batch->options.moves)
        return false;
    for (int side = RED; side <= BLUE; side++)
        for (uint32_t i = 0; i < batch->options.moves; i++) {
            const struct told_move *told = &slot_told(batch, slot, (enum side)side)[i];
            if (told->attack > 1 || !is_square(rules, told->from) || !is_square(rules, told->to))
                return false;
        }
    return true;
}

/* Completes a slot that was read, with room for its plies, and judges it. */
static bool slot_is_sound(ensign_batch *batch, struct slot *slot, const struct move *moves,
                          uint32_t recorded) {
    struct game *game = &slot->game;
    const uint64_t *state = slot->random.state;
    if (!(state[0] | state[1] | state[2] | state[3]) && game->reason != REASON_UNFINISHED)
        return false;
    if (slot->first > BLUE || slot->truncated > 1 || slot->pending > 1) return false;
    if (slot->laying.on)
        return !game->ply_count && !recorded && !slot->pending && !slot->truncated &&
               laying_is_sound(batch, slot);
    if (!setups_are_sound(batch->rules, slot->setups) || !told_is_sound(batch, slot) ||
        !game_is_sound(game, slot) || recorded != moves_kept(batch, slot))
        return false;
    for (uint32_t i = 0; i < recorded; i++)
        if (!is_move(batch->rules, moves[i])) return false;
    if (game->reason == REASON_UNFINISHED) return !slot->pending;
    for (int side = RED; batch->views && side <= BLUE; side++)
        if (!view_is_sound(&slot_eyes(batch, slot)->view[side], (enum side)side, game))
            return false;
    return (batch->views || lore_is_sound(slot)) &&
           (!slot->pending || pending_is_sound(batch, slot));
}

/* A game that is read, until it is known to be sound. */
struct candidate {
    struct slot *slot; /* a block without its history */
    struct ply *plies;
    struct move *moves;
};

static ensign_status candidate_read(ensign_batch *batch, const struct saved *head,
                                    const unsigned char *from, struct candidate *read) {
    const size_t plies = head->plies * sizeof(struct ply);
    const size_t moves = head->recorded * sizeof(struct move);
    unsigned char *block = aligned_alloc(_Alignof(max_align_t) * 4, batch->plies_at);
    read->slot = (struct slot *)(void *)block;
    read->plies = malloc(plies + 1);
    read->moves = malloc(moves + 1);
    if (!block || !read->plies || !read->moves) return ENSIGN_NO_MEMORY;
    memcpy(block, from, batch->plies_at);
    memcpy(read->plies, from + batch->plies_at, plies);
    memcpy(read->moves, from + batch->plies_at + plies, moves);
    struct slot *slot = read->slot;
    if (!batch->views && (slot->lore.groups[RED] > lore_groups_max(batch->rules) ||
                          slot->lore.groups[BLUE] > lore_groups_max(batch->rules)))
        return ENSIGN_DATA;
    block_strip(batch, block);
    if (slot->game.ply_count != head->plies) return ENSIGN_DATA;
    slot_settle(batch, slot);
    slot->game.plies = read->plies;
    for (int side = RED; side <= BLUE; side++)
        slot->lore.group[side] =
            (struct hidden *)(void *)(block + batch->groups_at + (size_t)side * batch->groups_size);
    const bool sound = slot_is_sound(batch, slot, read->moves, head->recorded);
    if (slot->game.calls && calls_take(&batch->fault)) return ENSIGN_SCRIPT;
    return sound ? ENSIGN_OK : ENSIGN_DATA;
}

static ensign_status game_load(ensign_batch *batch, uint32_t game, const unsigned char *bytes,
                               size_t length) {
    struct saved head, ours = saved_head(batch);
    if (length < sizeof head + batch->plies_at) return ENSIGN_DATA;
    memcpy(&head, bytes, sizeof head);
    ours.plies = head.plies;
    ours.recorded = head.recorded;
    ours.check = head.check;
    const unsigned char *from = bytes + sizeof head;
    const uint64_t behind = length - sizeof head - batch->plies_at;
    if (memcmp(&head, &ours, sizeof head) != 0 ||
        behind != head.plies * (uint64_t)sizeof(struct ply) +
                      head.recorded * (uint64_t)sizeof(struct move) ||
        bytes_hash(0, from, length - sizeof head) != head.check)
        return ENSIGN_DATA;
    struct candidate read = {NULL, NULL, NULL};
    ensign_status status = candidate_read(batch, &head, from, &read);
    if (status == ENSIGN_OK && !moves_copy(&batch->own[game], read.moves, head.recorded))
        status = ENSIGN_NO_MEMORY;
    if (status == ENSIGN_OK) {
        struct slot *slot = batch_slot(batch, game);
        const uint64_t begun = slot->begun;
        memcpy(slot, read.slot, batch->plies_at);
        slot->begun = begun ? begun : 1;
        batch->own[game].undo = batch->own[game].undo_next = 0;
        if (!slot_adopt(batch, game, read.plies, head.plies)) status = ENSIGN_NO_MEMORY;
    }
    free(read.slot);
    free(read.plies);
    free(read.moves);
    return status;
}

ensign_status ensign_load(ensign_batch *batch, uint32_t game, const void *bytes, size_t length,
                          ensign_error *error) {
    if (!batch || !bytes || game >= batch->options.games) return ENSIGN_USAGE;
    if (!batch_enter(batch)) return ENSIGN_BUSY;
    const ensign_status status = game_load(batch, game, bytes, length);
    if (status == ENSIGN_SCRIPT)
        error_set(error, status, &batch->fault, NULL);
    else if (status != ENSIGN_OK)
        error_set(error, status, NULL,
                  status == ENSIGN_DATA
                      ? "damaged, or no game of these rules, options and this version"
                      : "no memory for the game");
    return batch_leave(batch, status);
}
