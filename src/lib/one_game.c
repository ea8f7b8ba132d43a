/* one_game.c - what is done with a single game of a batch: copied, written as text, explained, and
 * imagined. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "batch_inside.h"
#include "core/know/sample.h"
#include "core/play/calls.h"
#include "core/text/layout.h"
#include "core/text/notation.h"

/* Games of the two have the same form. */
static bool batches_fit(const ensign_batch *one, const ensign_batch *other) {
    return one->owner->hash == other->owner->hash && one->options.moves == other->options.moves &&
           one->options.flags == other->options.flags;
}

bool moves_copy(struct own_history *to, const struct move *moves, uint32_t count) {
    if (!count) return true;
    if (count > to->moves_room) {
        struct move *longer = realloc(to->moves, count * sizeof *longer);
        if (!longer) return false;
        to->moves = longer;
        to->moves_room = count;
    }
    memcpy(to->moves, moves, count * sizeof *moves);
    return true;
}

void slot_settle(ensign_batch *batch, struct slot *slot) {
    slot->game.rules = batch->rules;
    slot->game.calls = batch->rules->calls;
    for (int side = RED; batch->views && side <= BLUE; side++)
        slot_eyes(batch, slot)->view[side].rules = batch->rules;
}

static ensign_status game_copy(ensign_batch *to, uint32_t at, const ensign_batch *from,
                               uint32_t game) {
    struct slot *target = batch_slot(to, at), *source = batch_slot(from, game);
    if (target == source) return ENSIGN_OK;
    struct own_history *own = &to->own[at];
    if (!moves_copy(own, from->own[game].moves, moves_kept(from, source))) return ENSIGN_NO_MEMORY;
    const uint32_t count = source->laying.on ? 0 : source->game.ply_count;
    const uint64_t begun = target->begun;
    memcpy(target, source, from->plies_at);
    memcpy((unsigned char *)target + to->groups_at, (unsigned char *)source + from->groups_at,
           from->plies_at - from->groups_at);
    target->begun = begun ? begun : 1;
    own->undo = own->undo_next = 0;
    slot_settle(to, target);
    return slot_adopt(to, at, source->game.plies, count) ? ENSIGN_OK : ENSIGN_NO_MEMORY;
}

ensign_status ensign_copy(ensign_batch *to, uint32_t at, ensign_batch *from, uint32_t game) {
    if (!to || !from || at >= to->options.games || game >= from->options.games ||
        !batches_fit(to, from))
        return ENSIGN_USAGE;
    if (!batch_enter(to)) return ENSIGN_BUSY;
    if (from != to && !batch_enter(from)) return batch_leave(to, ENSIGN_BUSY);
    const ensign_status status = game_copy(to, at, from, game);
    if (from != to) batch_leave(from, status);
    return batch_leave(to, status);
}

/* What a side or the public sees on a square: side and letter, ".." where nothing. */
static void square_seen(const ensign_batch *batch, struct slot *slot, int eyes, square at,
                        char out[2]) {
    const struct rules *rules = batch->rules;
    const struct game *game = &slot->game;
    const cell piece = slot->laying.on ? CELL_EMPTY : game->at[at];
    out[0] = out[1] = squareset_has(rules->board.lakes, at) ? '~' : '.';
    if (!piece) return;
    const enum side side = cell_side(piece);
    const squareset bit = squareset_of(at);
    bool there = true, known = eyes == ENSIGN_ALL || (int)side == eyes;
    if (!known && !batch->views) {
        known = slot->lore.shown[side] & bit;
    } else if (!known) {
        /* The public knows what both sides have seen. */
        const struct view *view =
            &slot_eyes(batch, slot)
                 ->view[eyes == ENSIGN_PUBLIC ? side_other(side) : (enum side)eyes];
        const uint16_t number = view->number[at];
        there = number != VIEW_EMPTY && view->piece[number].side == side;
        known = there && view->piece[number].kind != KIND_NONE &&
                (eyes != ENSIGN_PUBLIC || !view->piece[number].secret);
        if (eyes == ENSIGN_PUBLIC && rules->sight) known = there = false;
    }
    if (!there) return;
    out[0] = side == RED ? 'r' : 'b';
    out[1] = known ? rules->kind[cell_kind(piece)].letter : '?';
}

static void write_record(struct buffer *text, const ensign_batch *batch, uint32_t game) {
    const struct slot *slot = batch_slot(batch, game);
    char setup[SETUP_TEXT_MAX];
    for (int side = RED; side <= BLUE; side++) {
        setup_write(batch->rules, (enum side)side, &slot->setups[side], setup);
        buffer_add_text(text, "\n");
        buffer_add_text(text, side_name((enum side)side));
        buffer_add_text(text, " ");
        buffer_add_text(text, setup);
    }
    const uint32_t count = moves_kept(batch, slot);
    for (uint32_t i = 0; i < count; i++) {
        char move[MOVE_TEXT_MAX];
        move_text(batch->rules, batch->own[game].moves[i], false, move);
        buffer_add_text(text, i ? " " : "\n");
        buffer_add_text(text, move);
    }
}

size_t ensign_text(ensign_batch *batch, uint32_t game, int eyes, char *out, size_t room) {
    if (!batch || game >= batch->options.games || eyes < ENSIGN_RED || eyes > ENSIGN_ALL ||
        !batch_enter(batch))
        return 0;
    struct slot *slot = batch_slot(batch, game);
    const struct board *board = &batch->rules->board;
    struct buffer text = buffer_of(64 << 20);
    for (int rank = board->ranks; rank-- > 0;) {
        for (int file = 0; file < board->files; file++) {
            char seen[2];
            square_seen(batch, slot, eyes, (square)(rank * board->files + file), seen);
            buffer_add(&text, seen, sizeof seen);
        }
        buffer_add_text(&text, rank ? "/" : " ");
    }
    buffer_add_text(&text, side_name(slot_to_move(slot)));
    if (eyes == ENSIGN_ALL && (batch->options.flags & ENSIGN_RECORD))
        write_record(&text, batch, game);
    const size_t length = text.broken ? 0 : text_give(text.text, text.length, out, room);
    buffer_clear(&text);
    batch_leave(batch, ENSIGN_OK);
    return length;
}

size_t ensign_why(ensign_batch *batch, uint32_t game, int32_t action, char *out, size_t room) {
    if (!batch || game >= batch->options.games || !batch_enter(batch)) return 0;
    const struct slot *slot = batch_slot(batch, game);
    struct move move;
    const enum decided decided = slot_decide(batch, slot, action, &move);
    enum verdict verdict = LEGAL;
    if (decided == DECIDED_ILLEGAL) {
        const bool judged = !slot->laying.on && move.from != SQUARE_NONE;
        verdict = judged ? game_judge(&slot->game, move) : ILLEGAL_TEXT;
        if (slot_over(slot)) verdict = ILLEGAL_GAME_OVER;
    }
    char sentence[VERDICT_TEXT_MAX], text[VERDICT_TEXT_MAX + 32];
    if (verdict == ILLEGAL_TEXT)
        snprintf(sentence, sizeof sentence, "this action says nothing now");
    else
        verdict_text(&slot->game, move, verdict, sentence);
    const int length = snprintf(text, sizeof text, "%s: %s", verdict_name(verdict), sentence);
    batch_leave(batch, ENSIGN_OK);
    return text_give(text, (size_t)length, out, room);
}

size_t ensign_move_text(ensign_batch *batch, uint32_t game, int32_t action, char *out,
                        size_t room) {
    if (!batch || game >= batch->options.games || !batch_enter(batch)) return 0;
    const struct slot *slot = batch_slot(batch, game);
    struct move move;
    char text[MOVE_TEXT_MAX + ACTION_TEXT_MAX]; /* one or the other */
    size_t length = 0;
    const enum decided decided = slot_decide(batch, slot, action, &move);
    if (decided == DECIDED_MOVE)
        length = move_write(&slot->game, move, text);
    else if (decided != DECIDED_ILLEGAL)
        length = actions_write(batch->actions, (uint32_t)action,
                               batch_turns(batch, BLUE) ? slot_to_move(slot) : RED, text);
    batch_leave(batch, ENSIGN_OK);
    return length ? text_give(text, length, out, room) : 0;
}

/* The latest unbroken run of plain moves. */
static void view_recent(struct view *view, const struct game *game) {
    uint32_t count = 0;
    while (count < VIEW_RECENT && count < game->ply_count) {
        const struct ply *ply = &game->plies[game->ply_count - 1 - count];
        if (ply->changes != 2 || ply->change[1].was != CELL_EMPTY) break;
        count++;
    }
    for (uint32_t i = 0; i < count; i++)
        view->recent[i] = game->plies[game->ply_count - count + i].move;
    view->recent_count = (uint8_t)count;
}

/* The view of a side, as far as samples read it. */
static void view_of_lore(const ensign_batch *batch, struct slot *slot, enum side side,
                         struct view *view) {
    const struct game *game = &slot->game;
    struct known known;
    known_of_lore(&slot->lore, game, side, true, &known);
    memset(view, 0, sizeof *view);
    view->rules = batch->rules;
    view->side = (uint8_t)side;
    view->to_move = game->to_move;
    view->plies = slot_ply(slot);
    view->quiet = game->quiet;
    view->limits = game->limits;
    if (view->limits.plies) view->limits.plies += game->earlier;
    memcpy(view->start, game->start, sizeof view->start);
    for (int at = 0; at < BOARD_SQUARES_MAX; at++) view->number[at] = VIEW_EMPTY;
    for (int owner = RED; owner <= BLUE; owner++) {
        for (kind_id kind = 1; kind <= batch->rules->kinds; kind++)
            view->captured[owner][kind] = game_captured(game, (enum side)owner, kind);
        for (squareset left = game->pieces[owner]; left;) {
            const square at = squareset_pop(&left);
            const bool shows = owner == (int)side || squareset_has(known.shown, at);
            const kind_id kind = shows ? cell_kind(game->at[at]) : KIND_NONE;
            view->number[at] = (uint16_t)view->count;
            view->piece[view->count++] =
                (struct view_piece){.side = (uint8_t)owner, .at = at, .start = at, .kind = kind};
        }
    }
    for (int i = known.groups[0]; i < known.groups[1]; i++)
        for (squareset left = known.group_at[i]; left;)
            view->piece[view->number[squareset_pop(&left)]].may_be = known.group_kinds[i];
    view_recent(view, game);
}

struct imagination {
    struct sampler sampler;
    struct view view;
    kindset may_be[2 * BOARD_SQUARES_MAX];
    struct ply plies[SAMPLE_TAIL + 8];
    double table[DEAL_ROOM];
};

static bool imagine_weigh(struct imagination *imagined, const ensign_batch *batch, enum side side,
                          const float *weights) {
    struct deal *deal = &imagined->sampler.deal;
    const size_t kinds = batch->rules->kinds + UINT32_C(1);
    for (int i = 0; weights && i < deal->pieces; i++) {
        const square at = imagined->view.piece[imagined->sampler.piece[i]].at;
        if (at == SQUARE_NONE) continue;
        const float *weight = weights + batch_square(batch, side, at) * kinds;
        for (size_t kind = 1; kind < kinds; kind++) {
            if (!(weight[kind] >= 0 && weight[kind] < 1e30f)) return false;
            deal->weight[i][kind] *= (double)weight[kind];
        }
    }
    return deal_prepare(deal) != DEAL_NONE;
}

/* Puts a drawn game where it belongs, with what each side knows in it. */
static ensign_status imagine_put(struct imagination *imagined, ensign_batch *to, uint32_t at,
                                 const ensign_batch *from, uint32_t game, enum side side,
                                 const struct game *drawn) {
    const ensign_status status = game_copy(to, at, from, game);
    if (status != ENSIGN_OK) return status;
    struct slot *slot = batch_slot(to, at);
    const enum side other = side_other(side);
    slot->game = *drawn;
    slot->game.rules = to->rules;
    slot->game.calls = to->rules->calls;
    memset(&slot->setups[other], 0, sizeof slot->setups[other]);
    slot->info[other] = bytes_hash(slot->info[side], drawn->at, sizeof drawn->at);
    if (!to->views) {
        memset(slot->lore.kind, 0, sizeof slot->lore.kind);
        for (squareset left = drawn->pieces[RED] | drawn->pieces[BLUE]; left;) {
            const square on = squareset_pop(&left);
            slot->lore.kind[cell_kind(drawn->at[on])] |= squareset_of(on);
        }
    } else if (to->rules->sight) {
        struct view kept = slot_eyes(to, slot)->view[side];
        eyes_open(slot_eyes(to, slot), &slot->game);
        slot_eyes(to, slot)->view[side] = kept;
    } else {
        view_turned(&imagined->view, drawn->at, &slot_eyes(to, slot)->view[other]);
    }
    return slot_adopt(to, at, drawn->plies, drawn->ply_count) ? ENSIGN_OK : ENSIGN_NO_MEMORY;
}

static ensign_status imagine(struct imagination *imagined, ensign_batch *batch, uint32_t game,
                             enum side side, const float *weights, uint64_t seed, ensign_batch *to,
                             uint32_t first, uint32_t count) {
    struct slot *slot = batch_slot(batch, game);
    if (slot->laying.on || slot->pending || slot_over(slot)) return ENSIGN_USAGE;
    if (batch->views)
        imagined->view = slot_eyes(batch, slot)->view[side];
    else
        view_of_lore(batch, slot, side, &imagined->view);
    if (batch->views)
        view_all_may_be(&imagined->view, imagined->may_be);
    else
        for (int i = 0; i < imagined->view.count; i++)
            imagined->may_be[i] = imagined->view.piece[i].may_be;
    imagined->sampler.deal.table = imagined->table;
    imagined->sampler.deal.room = DEAL_ROOM;
    sampler_start(&imagined->sampler, &imagined->view, imagined->may_be, 0);
    if (!imagine_weigh(imagined, batch, side, weights)) return ENSIGN_USAGE;
    struct random random = random_stream(seed, STREAM_PLAYOUT, 0);
    ensign_status status = ENSIGN_OK;
    for (uint32_t i = first; i < first + count && status == ENSIGN_OK; i++) {
        struct game drawn = {.rules = NULL}; /* its padding is saved, too */
        sampler_draw(&imagined->sampler, &random, &drawn, imagined->plies,
                     sizeof imagined->plies / sizeof *imagined->plies);
        if (calls_failed()) {
            calls_take(&batch->fault);
            return ENSIGN_SCRIPT;
        }
        status = imagine_put(imagined, to, i, batch, game, side, &drawn);
        batch_slot(to, i)->random = random_stream(seed, STREAM_PLAYOUT, i + UINT64_C(1));
    }
    return status;
}

ensign_status ensign_sample(ensign_batch *batch, uint32_t game, int side, const float *weights,
                            uint64_t seed, ensign_batch *to, uint32_t first, uint32_t count) {
    if (!batch || !to || game >= batch->options.games || side < RED || side > BLUE ||
        first > to->options.games || count > to->options.games - first || !batches_fit(batch, to) ||
        (batch == to && game >= first && game - first < count))
        return ENSIGN_USAGE;
    if (!batch_enter(batch)) return ENSIGN_BUSY;
    if (batch != to && !batch_enter(to)) return batch_leave(batch, ENSIGN_BUSY);
    struct imagination *imagined = malloc(sizeof *imagined);
    /* What is not written later goes into the game, and into what is saved of it. */
    if (imagined) memset(imagined, 0, offsetof(struct imagination, table));
    const ensign_status status =
        imagined ? imagine(imagined, batch, game, (enum side)side, weights, seed, to, first, count)
                 : ENSIGN_NO_MEMORY;
    free(imagined);
    if (batch != to) batch_leave(to, status);
    return batch_leave(batch, status);
}
