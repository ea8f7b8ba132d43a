/* room_keep.c - what of a game is on the disk, and a game from there. */
#include "room_inside.h"

#include "base/clock.h"
#include "core/text/layout.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct archive *archive_of(const struct room *room) {
    return room->house->archive;
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
    if (game.request) archive_add(archive_of(room), &game);
    free(game.request);
}

void room_keep_name(struct room *room, enum side side) {
    if (archive_of(room)) archive_name(archive_of(room), room->id, side, room->given_name[side]);
}

void room_keep_setup(struct room *room, enum side side) {
    char text[SETUP_TEXT_MAX];
    if (!archive_of(room)) return;
    setup_write(room->edition->rules, &room->referee.session->setups[side], text);
    archive_setup(archive_of(room), room->id, side, text);
}

void room_keep_turn(struct room *room) {
    const struct record *record = room->referee.session->record;
    if (!archive_of(room) || !record->move_count) return;
    archive_turn(archive_of(room), room->id, (uint32_t)record->move_count,
                 record->moves[record->move_count - 1].text, room->clock.left);
}

void room_keep_undone(struct room *room) {
    if (archive_of(room))
        archive_take_back(archive_of(room), room->id, (uint32_t)room->played_count,
                          record_tag(room->about, TAKEBACK_TAG), room->clock.left);
}

void room_keep_next(struct room *room) {
    if (archive_of(room)) archive_next(archive_of(room), room->id, room->next);
}

void room_keep_end(struct room *room) {
    const struct session *session = room->referee.session;
    bool forfeited = session->forfeit.status != STATUS_OK;
    if (!archive_of(room)) return;
    if (room->asked.has_clock) archive_clocks(archive_of(room), room->id, room->clock.left);
    archive_end(archive_of(room), room->id, result_name(session->result),
                reason_name(session->reason), forfeited ? session->forfeit.text : NULL);
}

/* `played` is given if the armies stood already; else they go on laying out. */
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
    room->played = kept->moves ? kept->moves : calloc(1, sizeof *room->played);
    room->played_count = kept->move_count;
    kept->moves = NULL;
    return room->played || fault_set(fault, STATUS_NO_MEMORY, "no memory for a game");
}
