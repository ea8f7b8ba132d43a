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
        snprintf(game.secret[side], sizeof game.secret[side], "%s", room->secret[side]);
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
    if (!archive_of(room) || room->quietly) return;
    setup_write(room->edition->rules, &room->referee.session->setups[side], text);
    archive_setup(archive_of(room), room->id, side, text);
}

void room_keep_turn(struct room *room) {
    const struct record *record = room->referee.session->record;
    if (!archive_of(room) || room->quietly || !record->move_count) return;
    archive_turn(archive_of(room), room->id, (uint32_t)record->move_count,
                 record->moves[record->move_count - 1].text, room->clock.left);
}

void room_keep_undone(struct room *room) {
    if (!archive_of(room) || room->quietly) return;
    archive_turn(archive_of(room), room->id, (uint32_t)room->played_count, NULL, room->clock.left);
    archive_end(archive_of(room), room->id, NULL, NULL, NULL);
}

void room_keep_end(struct room *room) {
    const struct session *session = room->referee.session;
    bool forfeited = session->forfeit.status != STATUS_OK;
    if (!archive_of(room) || room->quietly) return;
    archive_end(archive_of(room), room->id, result_name(session->result),
                reason_name(session->reason), forfeited ? session->forfeit.text : NULL);
}

/* Reads a set-up of the archive. */
static bool restore_setup(struct room *room, enum side side, struct fault *fault) {
    const char *text = room->kept->setup[side];
    return setup_read(room->edition->rules, text, strlen(text), &room->setups[side], fault) &&
           setup_check(room->edition->rules, &room->setups[side], fault);
}

bool room_restore(struct room *room, struct fault *fault) {
    struct archived *kept = room->kept;
    room->chance = kept->chance;
    room->seed = kept->seed;
    for (int side = RED; side <= BLUE; side++) {
        if (kept->left[side] > 0) room->clock.left[side] = kept->left[side];
        if (kept->name[side]) room->asked.name[side] = kept->name[side];
        room->given_name[side] = kept->name[side];
        kept->name[side] = NULL;
        if (kept->setup[side] && !restore_setup(room, (enum side)side, fault)) return false;
        room->asked.setup[side] = kept->setup[side];
    }
    if (!kept->setup[RED] || !kept->setup[BLUE]) return true;
    room->played = calloc(kept->move_count + 1, sizeof *room->played);
    if (!room->played) return fault_set(fault, STATUS_NO_MEMORY, "no memory for a game");
    if (kept->move_count) memcpy(room->played, kept->moves, kept->move_count * sizeof *kept->moves);
    room->played_count = kept->move_count;
    return true;
}
