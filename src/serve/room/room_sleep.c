/* room_sleep.c - what an idle game of a server gives back.
 *
 * After a minute without a move the bots' processes go, and sooner while others wait for some; they
 * are built again, from the same chance and the events so far, before a player answers. So do those
 * of a game that bots play alone, where an address with fewer waits for some. A game
 * without subscribers leaves the memory altogether, sooner if it never began: the archive has
 * it, unless the disk does not take it now. So does none whose clock runs. Over standard input
 * nothing sleeps. */
#include "room_inside.h"

#include "base/clock.h"

bool room_has_bots(const struct room *room) {
    return room->table.opened[RED] || room->table.opened[BLUE];
}

static bool may_doze(const struct room *room) {
    const struct session *session = room->table.referee.session;
    return room_has_bots(room) && !room->table.own_army && session->started && !session->over &&
           !session->draw_offered;
}

void room_give_way(struct room *room) {
    if (room_has_seats(room) || !may_doze(room) ||
        !bot_slots_are_owed(room->house->slots, &room->claim))
        return;
    room_close_players(room);
    room->asleep = true;
}

static bool may_leave(const struct room *room) {
    const struct session *session = room->table.referee.session;
    const bool runs = room->asked.has_clock && session->started && !session->over;
    return !room->subscribers.count && !runs && (room->house->archive || room->ended);
}

/* ms without a move before the bots go. */
static int64_t time_to_doze(const struct room *room) {
    enum { WANTED = 2000 };
    const int64_t doze = room->house->waits.doze;
    return doze > WANTED && bot_slots_are_wanted(room->house->slots, &room->claim) ? WANTED : doze;
}

/* ms without subscribers before it leaves. */
static int64_t time_to_leave(const struct room *room) {
    enum { SOONER = 12 };
    const int64_t leave = room->house->waits.leave;
    return room->started ? leave : leave / SOONER;
}

void room_set_alarm(struct room *room) {
    enum { HELD_MILLISECONDS = 250 }; /* until the disk is tried again */
    int64_t at = room->held_since ? clock_ms() + HELD_MILLISECONDS : clock_due(room);
    if (!room->house->open && !room->held_since && !room_is_called(room)) {
        const int64_t empty_since = room->empty_since ? room->empty_since : clock_ms();
        const int64_t doze = room->idle_since + time_to_doze(room),
                      leave = empty_since + time_to_leave(room),
                      pass_on = room->away_since + room->house->waits.leave;
        if (may_doze(room) && doze < at) at = doze;
        if (may_leave(room) && leave < at) at = leave;
        if (room->away_since && pass_on < at) at = pass_on;
    }
    room->house->alarm(room->house->context, &room->alarm, at);
}

static bool is_on_disk(const struct room *room) {
    return !room->house->archive || archive_is_whole(room->house->archive, room->id, NULL);
}

void room_rest(struct room *room) {
    const int64_t now = clock_ms();
    room_pass_on(room);
    room_forget_past(room, true);
    if (room->subscribers.count)
        room->empty_since = 0;
    else if (!room->empty_since)
        room->empty_since = now;
    if (!room->house->open && may_leave(room) && now - room->empty_since >= time_to_leave(room)) {
        room->closed = is_on_disk(room);
        if (!room->closed) room->empty_since = now; /* tries again later */
    } else if (!room->house->open && may_doze(room) &&
               now - room->idle_since >= time_to_doze(room)) {
        room_close_players(room);
        room->asleep = true;
    }
    room_set_alarm(room);
}

bool room_wake_up(struct room *room, struct fault *fault) {
    const enum want asked[2] = {room->asked_for[RED], room->asked_for[BLUE]};
    const bool started = room->started;
    const uint32_t plies = started ? room->table.referee.session->game.ply_count : 0;
    room->quietly = started;
    bool awake = room_begin_again(room, plies, fault);
    if (awake && started) room_settle(room);
    room->quietly = false;
    room->asleep = !awake;
    room->asked_for[RED] = asked[RED];
    room->asked_for[BLUE] = asked[BLUE];
    return awake;
}
