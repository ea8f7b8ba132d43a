/* room_clock.c - what is told of the clock (host/stopwatch.h), which stands still while the room is
 * held or nobody's. */
#include "room_inside.h"

#include "base/clock.h"

struct game_clock clock_asked(const struct invitation *asked) {
    return (struct game_clock){{asked->clock_ms, asked->clock_ms}, asked->increment_ms};
}

struct game_clock clock_now(struct room *room) {
    struct stopwatch *watch = table_watch(&room->table);
    return watch ? stopwatch_look(watch) : room->clock;
}

int64_t clock_due(struct room *room) {
    struct stopwatch *watch = table_watch(&room->table);
    const int64_t left = watch ? stopwatch_left(watch) : -1;
    return left < 0 ? INT64_MAX : clock_ms() + left;
}

void clock_mind(struct room *room) {
    struct stopwatch *watch = table_watch(&room->table);
    if (watch) (room->held_since || !room->owned ? stopwatch_hold : stopwatch_go)(watch);
}

/* How long a bot or a program thought is told in whole seconds, as in a match: finer, it might say
 * more about its army than the pace of the game does. */
struct game_clock clock_told(struct room *room) {
    enum { SECOND = 1000 };
    struct game_clock clock = clock_now(room);
    for (int side = RED; side <= BLUE; side++)
        if (!room_has_client(room, (enum side)side))
            clock.left[side] = (clock.left[side] + SECOND - 1) / SECOND * SECOND;
    return clock;
}

json_t *clock_json(struct room *room) {
    struct stopwatch *watch = table_watch(&room->table);
    if (!room->asked.has_clock) return json_null();
    const struct game_clock clock = clock_told(room);
    const int side = watch && room->owned ? stopwatch_side(watch) : -1;
    return json_pack("{s:I, s:I, s:s?}", "red", (json_int_t)clock.left[RED], "blue",
                     (json_int_t)clock.left[BLUE], "running",
                     side < 0 ? NULL : side_name((enum side)side));
}

void clock_stop(struct room *room) {
    struct stopwatch *watch = table_watch(&room->table);
    if (watch) stopwatch_stop(watch, RED);
    room->house->alarm(room->house->context, &room->alarm, INT64_MAX);
}
