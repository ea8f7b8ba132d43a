/* room_keep.c - what of a game is on the disk, and a game from there.
 *
 * Nobody is told of anything that would be forgotten if the program died now. Where the disk takes
 * nothing, the room is held: what it says waits with its subscribers, its letters wait, its players
 * are not asked, and its clocks stand still until everything is written. */
#include "room_inside.h"

#include "base/clock.h"
#include "core/text/layout.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    GAME_BYTES = 512, /* of a game on the disk, besides its request */
    TURN_BYTES = 64
};

static struct archive *archive_of(const struct room *room) {
    return room->house->archive;
}

/* Counts what the games of its visitor take on the disk. */
static void charge(const struct room *room, size_t bytes) {
    visitor_charge(room->visitor, RATE_STORAGE, (double)bytes);
}

static void hold_unless(struct room *room, bool kept) {
    if (kept) return;
    if (!room->held_since) room->held_since = clock_ms();
    clock_mind(room);
    room->subscribers.held = true;
}

static json_t *held_message(const struct room *room, const char *why) {
    return json_pack("{s:s, s:s, s:s}", "type", "held", "game", room->id, "reason", why);
}

void room_tell_held(struct room *room) {
    const char *why = NULL;
    if (archive_is_whole(archive_of(room), room->id, &why)) return; /* since a moment ago */
    for (size_t i = 0; i < room->subscribers.count && !room->told_held; i++)
        client_send(room->subscribers.list[i].client, held_message(room, why));
    if (room->maker && !room->told_held && !subscribers_has(&room->subscribers, room->maker))
        client_send(room->maker, held_message(room, why));
    room->told_held = true;
    pthread_mutex_lock(&room->lock);
    for (struct letter *letter = room->letters; letter; letter = letter->next) {
        if (!letter->told_held && !subscribers_has(&room->subscribers, letter->client))
            client_send_now(letter->client, held_message(room, why));
        letter->told_held = true;
    }
    pthread_mutex_unlock(&room->lock);
}

bool room_is_free(struct room *room) {
    if (!room->held_since) return true;
    if (!archive_is_whole(archive_of(room), room->id, NULL)) return false;
    const int64_t lost = clock_ms() - room->held_since;
    room->held_since = 0;
    room->told_held = false;
    room->idle_since += lost;
    clock_mind(room);
    for (int side = RED; side <= BLUE; side++)
        if (room->gone_since[side]) room->gone_since[side] += lost;
    subscribers_release(&room->subscribers);
    for (size_t i = 0; i < room->subscribers.count; i++)
        room_tell_now(room, &room->subscribers.list[i]);
    return true;
}

bool room_keep_early(struct room *room, struct fault *fault) {
    room->clock = clock_asked(&room->asked);
    if (!room_draw_chance(room, fault)) return false;
    room_keep_new(room);
    room->kept_early = true;
    return true;
}

void room_keep_new(struct room *room) {
    struct archived game = {.chance = room->chance, .seed = room->seed};
    if (!archive_of(room)) return;
    snprintf(game.id, sizeof game.id, "%s", room->id);
    for (int side = RED; side <= BLUE; side++) {
        memcpy(game.secret[side], room->secret[side], sizeof game.secret[side]);
        memcpy(game.invite[side], room->invite[side], sizeof game.invite[side]);
        game.left[side] = room->clock.left[side];
    }
    game.request = json_dumps(room->request, JSON_COMPACT);
    if (game.request) charge(room, GAME_BYTES + strlen(game.request));
    if (game.request) hold_unless(room, archive_add(archive_of(room), &game));
    free(game.request);
}

void room_keep_name(struct room *room, enum side side) {
    if (archive_of(room))
        hold_unless(room, archive_name(archive_of(room), room->id, side, room->given_name[side],
                                       room->token[side]));
}

void room_keep_setup(struct room *room, enum side side) {
    char text[SETUP_TEXT_MAX];
    if (!archive_of(room)) return;
    setup_write(room->edition->rules, side, &room->table.referee.session->setups[side], text);
    charge(room, strlen(text));
    hold_unless(room, archive_setup(archive_of(room), room->id, side, text));
}

void room_keep_turn(struct room *room) {
    const struct record *record = room->table.referee.session->record;
    if (!archive_of(room) || !record->move_count) return;
    charge(room, TURN_BYTES);
    const struct game_clock clock = clock_now(room);
    hold_unless(room, archive_turn(archive_of(room), room->id, (uint32_t)record->move_count,
                                   record->moves[record->move_count - 1].text, clock.left));
}

void room_keep_undone(struct room *room) {
    const struct session *session = room->table.referee.session;
    const struct game_clock clock = clock_now(room);
    if (archive_of(room))
        hold_unless(room, archive_take_back(archive_of(room), room->id, session->game.ply_count,
                                            record_tag(session->record, TAKEBACK_TAG), clock.left));
}

void room_keep_next(struct room *room) {
    if (archive_of(room)) hold_unless(room, archive_next(archive_of(room), room->id, room->next));
}

void room_keep_end(struct room *room) {
    const struct session *session = room->table.referee.session;
    bool forfeited = session->forfeit.status != STATUS_OK;
    if (!archive_of(room)) return;
    const struct game_clock clock = clock_now(room);
    if (room->asked.has_clock)
        hold_unless(room, archive_clocks(archive_of(room), room->id, clock.left));
    hold_unless(room, archive_end(archive_of(room), room->id, result_name(session->result),
                                  reason_name(session->reason),
                                  forfeited ? session->forfeit.text : NULL));
}

/* It has moves, perhaps none, if the armies stood already; else they go on laying out. */
bool room_restore(struct room *room, struct fault *fault) {
    struct archived *kept = room->kept;
    room->chance = kept->chance;
    room->seed = kept->seed;
    for (int side = RED; side <= BLUE; side++) {
        room->clock.left[side] = kept->left[side];
        if (kept->name[side]) room->asked.name[side] = kept->name[side];
        room->given_name[side] = kept->name[side];
        kept->name[side] = NULL;
        if (kept->setup[side]) room->asked.setup[side] = kept->setup[side];
    }
    if (kept->taken_back && (!(room->about = record_new()) ||
                             !record_set_tag(room->about, TAKEBACK_TAG, kept->taken_back)))
        return fault_set(fault, STATUS_NO_MEMORY, "no memory for a game");
    if (!kept->setup[RED] || !kept->setup[BLUE]) return true;
    if (!archive_read_moves(archive_of(room), kept, &(struct fault){0}))
        return fault_set(fault, STATUS_SYSTEM, ARCHIVE_UNREADABLE);
    if (!kept->moves) kept->moves = calloc(1, sizeof *kept->moves);
    return kept->moves || fault_set(fault, STATUS_NO_MEMORY, "no memory for a game");
}
