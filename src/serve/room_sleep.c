/* room_sleep.c - what an idle game of a server gives back.
 *
 * After a minute without a move the bots' processes go; they are built again, from the same chance
 * and the events so far, before anything else happens. A game without an audience leaves the memory
 * altogether: the archive has it, unless the disk does not take it now. So does none whose clock
 * runs. Over standard input nothing sleeps. */
#include "room_inside.h"

#include "base/clock.h"

static bool has_bots(const struct room *room) {
    return room->seated[RED] || room->seated[BLUE];
}

static bool may_doze(const struct room *room) {
    const struct session *session = room->referee.session;
    return has_bots(room) && !room->own_army && session->started && !session->over &&
           !session->draw_offered;
}

static bool may_leave(const struct room *room) {
    const struct session *session = room->referee.session;
    const bool runs = room->asked.has_clock && session->started && !session->over;
    return !room->audience.count && !runs && (room->house->archive || room->ended);
}

void room_set_alarm(struct room *room) {
    enum { HELD_MILLISECONDS = 250 }; /* until the disk is tried again */
    int64_t at = room->held_since ? clock_ms() + HELD_MILLISECONDS : clock_due(room);
    if (!room->house->open && !room->held_since) {
        const struct room_waits *waits = &room->house->waits;
        if (may_doze(room) && room->idle_since + waits->doze < at)
            at = room->idle_since + waits->doze;
        if (may_leave(room) && room->idle_since + waits->leave < at)
            at = room->idle_since + waits->leave;
    }
    atomic_store(&room->alarm, at);
    if (at != INT64_MAX) room->house->alarm(room->house->context, at);
}

static bool is_on_disk(const struct room *room) {
    return !room->house->archive || archive_is_whole(room->house->archive, NULL);
}

void room_rest(struct room *room) {
    const int64_t idle = clock_ms() - room->idle_since;
    if (!room->house->open && may_leave(room) && idle >= room->house->waits.leave) {
        room->closed = is_on_disk(room);
        if (!room->closed) room->idle_since = clock_ms(); /* tries again later */
    } else if (!room->house->open && may_doze(room) && idle >= room->house->waits.doze) {
        room_close_players(room);
        room->asleep = true;
    }
    room_set_alarm(room);
}

bool room_wake_up(struct room *room, struct fault *fault) {
    const bool was_offered = room->offered;
    const enum want asked[2] = {room->asked_for[RED], room->asked_for[BLUE]};
    const uint32_t plies = room->referee.session->game.ply_count;
    room->quietly = true;
    bool awake = room_begin_again(room, plies, fault);
    if (awake) room_settle(room);
    room->quietly = false;
    room->asleep = !awake;
    room->offered = was_offered;
    room->asked_for[RED] = asked[RED];
    room->asked_for[BLUE] = asked[BLUE];
    return awake;
}
