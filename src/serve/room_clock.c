/* room_clock.c - thinking time of both sides.
 *
 * It runs for the side to move from the moment the armies stand, for bots and programs too. A side
 * that has none left forfeits: when it is noticed that it thinks too long, or when its move comes
 * too late. */
#include "room_inside.h"

#include "base/clock.h"

struct game_clock clock_asked(const struct invitation *asked) {
    return (struct game_clock){{asked->clock_ms, asked->clock_ms}, asked->increment_ms};
}

int64_t clock_due(const struct room *room) {
    const struct session *session = room->referee.session;
    if (!room->asked.has_clock || !session->started || session->over) return INT64_MAX;
    return room->clock_from + room->clock.left[session->game.to_move];
}

void clock_start(struct room *room) {
    if (!room->asked.has_clock) return;
    room->clock_from = clock_ms();
    room_set_alarm(room);
}

void clock_turn(struct room *room, enum side mover) {
    if (!room->asked.has_clock) return;
    const int64_t now = clock_ms();
    game_clock_spend(&room->clock, mover, now - room->clock_from);
    game_clock_add(&room->clock, mover);
    room->clock_from = now;
    room_set_alarm(room);
}

struct game_clock clock_now(const struct room *room) {
    const struct session *session = room->referee.session;
    struct game_clock clock = room->clock;
    if (!room->started || session->over) return clock;
    game_clock_spend(&clock, session->game.to_move, clock_ms() - room->clock_from);
    return clock;
}

void clock_stop(struct room *room) {
    atomic_store(&room->alarm, INT64_MAX);
}

static bool has_run_out(const struct room *room, enum side side, bool thinking) {
    int64_t left = room->clock.left[side];
    return left <= (thinking ? clock_ms() - room->clock_from : 0);
}

bool clock_is_over(struct room *room) {
    struct session *session = room->referee.session;
    if (!room->asked.has_clock || !room->started || session->over) return false;
    for (int side = RED; side <= BLUE; side++) {
        if (!has_run_out(room, (enum side)side, session->game.to_move == side)) continue;
        struct fault late = {0};
        fault_set(&late, STATUS_TIME, "no time left on the clock of %s",
                  side_name((enum side)side));
        session_forfeit(session, (enum side)side, &late);
        return true;
    }
    return false;
}
