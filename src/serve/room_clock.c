/* room_clock.c - thinking time of both sides.
 *
 * It runs for the side to move from the moment the armies stand until the end, for bots and
 * programs too. Where one of these has offered a draw and waits, it runs for the side that is to
 * answer. A side that has none left forfeits: when it is noticed that it thinks too long, or when
 * its move comes too late. */
#include "room_inside.h"

#include "base/clock.h"

struct game_clock clock_asked(const struct invitation *asked) {
    return (struct game_clock){{asked->clock_ms, asked->clock_ms}, asked->increment_ms};
}

/* A client that has offered a draw may still move. */
static enum side side_asked(const struct room *room) {
    const struct session *session = room->referee.session;
    const enum side side = (enum side)session->game.to_move;
    return session->draw_offered && !room_has_client(room, side) ? side_other(side) : side;
}

/* The time stands still while the room is held. */
static int64_t time_here(const struct room *room) {
    return room->held_since ? room->held_since : clock_ms();
}

int64_t clock_due(const struct room *room) {
    if (!room->clock_from || room->held_since) return INT64_MAX;
    return room->clock_from + room->clock.left[room->thinker];
}

void clock_start(struct room *room) {
    if (!room->asked.has_clock) return;
    room->thinker = side_asked(room);
    room->clock_from = time_here(room);
    room_set_alarm(room);
}

static void spend_time(struct room *room) {
    game_clock_spend(&room->clock, room->thinker, time_here(room) - room->clock_from);
}

bool clock_pass(struct room *room) {
    if (!room->clock_from || room->thinker == side_asked(room)) return false;
    spend_time(room);
    clock_start(room);
    return true;
}

void clock_turn(struct room *room, enum side mover) {
    if (!room->clock_from) return;
    spend_time(room);
    game_clock_add(&room->clock, mover);
    clock_start(room);
}

static struct game_clock clock_now(const struct room *room) {
    struct game_clock clock = room->clock;
    if (room->clock_from)
        game_clock_spend(&clock, room->thinker, time_here(room) - room->clock_from);
    return clock;
}

/* How long a bot or a program thought is told in whole seconds, as in a match: finer, it might say
 * more about its army than the pace of the game does. */
struct game_clock clock_told(const struct room *room) {
    enum { SECOND = 1000 };
    struct game_clock clock = clock_now(room);
    for (int side = RED; side <= BLUE; side++)
        if (!room_has_client(room, (enum side)side))
            clock.left[side] = (clock.left[side] + SECOND - 1) / SECOND * SECOND;
    return clock;
}

json_t *clock_json(const struct room *room) {
    if (!room->asked.has_clock) return json_null();
    const struct game_clock clock = clock_told(room);
    return json_pack("{s:I, s:I, s:s?}", "red", (json_int_t)clock.left[RED], "blue",
                     (json_int_t)clock.left[BLUE], "running",
                     room->clock_from ? side_name(room->thinker) : NULL);
}

void clock_charge(struct room *room) {
    room->clock = clock_now(room);
    if (room->clock_from) room->clock_from = time_here(room);
}

void clock_stop(struct room *room) {
    room->clock = clock_now(room);
    room->clock_from = 0;
    room->house->alarm(room->house->context, &room->alarm, INT64_MAX);
}

static bool has_run_out(const struct room *room, enum side side) {
    return !clock_now(room).left[side];
}

bool clock_is_over(struct room *room) {
    struct session *session = room->referee.session;
    if (!room->clock_from || session->over) return false;
    for (int side = RED; side <= BLUE; side++) {
        if (!has_run_out(room, (enum side)side)) continue;
        struct fault late = {0};
        fault_set(&late, STATUS_TIME, "no time left on the clock of %s",
                  side_name((enum side)side));
        session_forfeit(session, (enum side)side, &late);
        return true;
    }
    return false;
}
