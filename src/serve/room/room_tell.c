/* room_tell.c - what a room's subscribers are told, each listener for its own eyes. The clock
 * (host/stopwatch.h) stands still while the room is held or nobody's. */
#include "room_inside.h"

#include "base/clock.h"

enum { PAST_BYTES = 16 << 20, SECOND = 1000 };

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

void room_forget_past(struct room *room, bool watched) {
    bool keep[ONLOOKERS] = {false};
    for (size_t i = 0; watched && i < room->subscribers.count; i++)
        if (!room->subscribers.list[i].seated) keep[room->subscribers.list[i].eyes] = true;
    for (int eyes = 0; eyes < ONLOOKERS; eyes++) {
        if (keep[eyes]) continue;
        buffer_clear(&room->past[eyes]);
        room->past_told[eyes] = false;
    }
}

/* Adds a message to the lines for all spectators with these eyes, or forgets them. */
static bool add_to_past(struct room *room, enum onlooker eyes, json_t *message) {
    const struct listener listener = {NULL, eyes, false};
    if (message_write(subscribers_mark(&room->subscribers, &listener, message), &room->past[eyes]))
        return true;
    buffer_clear(&room->past[eyes]);
    return false;
}

/* A message is made once for all who have the same past. */
static void tell_all(struct room *room, const struct session *session,
                     json_t *(*message)(const struct outlook *outlook)) {
    struct subscribers *subscribers = &room->subscribers;
    size_t before[ONLOOKERS];
    for (int eyes = 0; eyes < ONLOOKERS; eyes++) {
        const struct outlook outlook = outlook_of((enum onlooker)eyes, &session->eyes);
        before[eyes] = room->past[eyes].length;
        if (before[eyes]) add_to_past(room, (enum onlooker)eyes, message(&outlook));
    }
    for (size_t i = 0; i < subscribers->count; i++) {
        const struct listener *listener = &subscribers->list[i];
        const struct buffer *past = &room->past[listener->eyes];
        const struct outlook outlook = outlook_of(listener->eyes, &session->eyes);
        const size_t from = before[listener->eyes];
        if (!listener->seated && past->length)
            subscribers_send_lines(subscribers, listener, past->text + from, past->length - from);
        else
            subscribers_send(subscribers, listener, message(&outlook));
    }
}

bool room_shows(const struct room *room, const struct client *client, enum onlooker eyes) {
    const bool one = eyes == ONLOOKER_RED || eyes == ONLOOKER_BLUE;
    return eyes == ONLOOKER_PUBLIC || room->house->open || room->ended ||
           (one && subscribers_holder(&room->subscribers, (enum side)eyes) == client);
}

void room_close_eyes(struct room *room) {
    struct subscribers *subscribers = &room->subscribers;
    for (size_t i = subscribers->count; i-- > 0;) {
        const struct listener *listener = &subscribers->list[i];
        if (listener->seated || room_shows(room, listener->client, listener->eyes)) continue;
        subscribers_send(subscribers, listener,
                         json_pack("{s:s, s:s}", "type", "left", "reason", "eyes"));
        subscribers_drop(subscribers, i);
    }
}

void room_tell_game(struct room *room, const struct listener *listener) {
    const struct chance seat = chance_derive(&room->chance, CHANCE_SEAT, listener->eyes);
    const uint64_t seed = chance_number(&seat, CHANCE_GUEST, 0) >> 11;
    const struct game_clock clock = clock_asked(&room->asked);
    const struct message_table about = {.id = room->id,
                                        .names = {room->names[RED], room->names[BLUE]},
                                        .rules = room->edition->rules,
                                        .first = room->first,
                                        .limits = room->limits,
                                        .seed = listener->seated ? &seed : NULL,
                                        .clock = room->asked.has_clock ? &clock : NULL};
    subscribers_send(&room->subscribers, listener, message_game(&about, listener->eyes));
}

static json_t *now(struct room *room) {
    const struct session *session = room->table.referee.session;
    return json_pack("{s:s, s:o, s:o}", "type", "now", "ply",
                     session->started ? json_integer((json_int_t)session->game.ply_count)
                                      : json_null(),
                     "clock", clock_json(room));
}

void room_tell_now(struct room *room, const struct listener *listener) {
    if (room->house->open && !room->asked.has_clock) return; /* who drives asks with "view" */
    subscribers_send(&room->subscribers, listener, now(room));
}

void room_tell_clocks(struct room *room) {
    for (size_t i = 0; i < room->subscribers.count && room->asked.has_clock; i++)
        room_tell_now(room, &room->subscribers.list[i]);
}

static void tell_undone(struct room *room, const struct session *session) {
    struct subscribers *subscribers = &room->subscribers;
    for (size_t i = 0; i < subscribers->count; i++) {
        char position[POSITION_TEXT_MAX];
        const struct outlook outlook = outlook_of(subscribers->list[i].eyes, &session->eyes);
        outlook_position(&outlook, position);
        json_t *undone = json_pack("{s:s, s:I, s:s}", "type", "undone", "ply",
                                   (json_int_t)session->game.ply_count, "position", position);
        json_t *counters = message_counters(&session->eyes.view[RED]);
        if (counters) json_object_set_new(undone, "counters", counters);
        subscribers_send(subscribers, &subscribers->list[i], undone);
    }
}

void room_hear_game(void *context, const struct session *session, bool again) {
    struct room *room = context;
    if (again) return;
    room->asked_for[RED] = room->asked_for[BLUE] = WANT_NOTHING;
    if (session->started && !room->started) {
        room->started = true;
        if (room->table.options.game.played) {
            room->told = session->tellings;
            room->plies_told = session->game.ply_count;
            if (room->quietly) return;
            room_keep_undone(room);
            tell_undone(room, session);
            room_tell_clocks(room);
            return;
        }
        room->plies_told = 0;
        for (int side = RED; side <= BLUE && !room->asked.position; side++)
            room_keep_setup(room, (enum side)side);
        tell_all(room, session, message_start);
        for (int side = RED; side <= BLUE; side++) /* its game can be claimed now */
            if (room->gone_since[side]) room_tell_presence(room, (enum side)side);
        room_tell_clocks(room);
    }
    if (room->told == session->tellings) return;
    room->told = session->tellings;
    if (session->game.ply_count > room->plies_told) { /* not just the end */
        room->plies_told = session->game.ply_count;
        room_keep_turn(room);
        room->idle_since = clock_ms();
    }
    if (session->over) {
        clock_stop(room);
        room_keep_end(room);
    }
    tell_all(room, session, message_events);
    if (!session->over) room_tell_clocks(room);
}

static bool tell_past(struct room *room, const struct listener *listener, bool all,
                      json_t *message) {
    if (all) return add_to_past(room, listener->eyes, message);
    subscribers_send(&room->subscribers, listener, message);
    return true;
}

/* Plays the game again for one listener, or for all spectators with its eyes, whose lines are made.
 * False if memory is short or a call of the variant fails. */
static bool replay_for(struct room *room, const struct listener *listener, bool all, int64_t from,
                       struct session *replay) {
    const struct session *session = room->table.referee.session;
    const struct outlook outlook = outlook_of(listener->eyes, &replay->eyes);
    for (int side = RED; side <= BLUE && !room->asked.position; side++)
        if (!session_take_setup(replay, (enum side)side, &session->setups[side], NULL))
            return false;
    if (from < 0 && !tell_past(room, listener, all, message_start(&outlook))) return false;
    for (uint32_t ply = 0; ply < session->game.ply_count; ply++) {
        if (!session_play(replay, session->game.plies[ply].move, NULL, NULL)) return false;
        if (ply >= from && !tell_past(room, listener, all, message_events(&outlook))) return false;
    }
    if (session->over && !replay->over) {
        session_stop(replay, session->result, session->reason);
        return tell_past(room, listener, all, message_events(&outlook));
    }
    return true;
}

/* The end of a game before its start is all of its past. */
static void tell_early_end(struct room *room, const struct listener *listener) {
    const struct session *session = room->table.referee.session;
    const struct outlook outlook = outlook_of(listener->eyes, &session->eyes);
    if (!room->told || room->table.options.game.played) return;
    subscribers_send(&room->subscribers, listener, message_events(&outlook));
}

static bool play_again(struct room *room, const struct listener *listener, bool all, int64_t from,
                       struct fault *fault) {
    struct session_options options = {
        .rules = room->edition->rules, .first = room->first, .limits = &room->limits};
    if (room->asked.position) options.position = &room->position;
    struct session *replay = session_open(&options, fault);
    bool played = replay && replay_for(room, listener, all, from, replay);
    session_close(replay);
    return played;
}

/* The first spectator is told the past as it is played again; for the next ones it is kept. */
static bool tell_kept_past(struct room *room, const struct listener *listener) {
    struct buffer *past = &room->past[listener->eyes];
    struct fault fault = {0};
    if (listener->seated) return false;
    if (!room->past_told[listener->eyes]) {
        room->past_told[listener->eyes] = true;
        return false;
    }
    if (!past->length) {
        *past = buffer_of(PAST_BYTES);
        if (!play_again(room, listener, true, -1, &fault)) buffer_clear(past);
    }
    if (past->length)
        subscribers_send_lines(&room->subscribers, listener, past->text, past->length);
    return past->length;
}

void room_tell_past(struct room *room, const struct listener *listener, int64_t from) {
    struct fault fault = {0};
    if (!room->started) {
        tell_early_end(room, listener);
        return;
    }
    if (tell_kept_past(room, listener) || play_again(room, listener, false, from, &fault)) return;
    fault_set(&fault, STATUS_NO_MEMORY, "the game so far cannot be told");
    subscribers_send(&room->subscribers, listener, message_error(&fault));
}

void room_tell_end_to(struct room *room, const struct listener *listener) {
    if (room->ended)
        subscribers_send(&room->subscribers, listener, message_end(room->table.referee.session));
}

void room_tell_end(struct room *room) {
    room->ended = true;
    clock_stop(room);
    for (size_t i = 0; i < room->subscribers.count; i++)
        room_tell_end_to(room, &room->subscribers.list[i]);
    room_tell_clocks(room);
    if (!room->maker || subscribers_has(&room->subscribers, room->maker)) return;
    const struct listener maker = {room->maker, ONLOOKER_PUBLIC, false};
    room_tell_end_to(room, &maker);
}

/* The question for a side that a client plays. NULL without memory or, with a fault, if a call of
 * the variant fails. */
static json_t *question(struct room *room, enum side side, enum want want, struct fault *fault) {
    struct session *session = room->table.referee.session;
    if (want == WANT_SETUP) return message_setup();
    if (want == WANT_DRAW_ANSWER) return message_draw(side_other(side));
    size_t count;
    const struct move *moves = session_moves(session, &count, fault);
    if (!moves) return NULL;
    const struct game_clock clock = clock_told(room);
    return message_move(&session->eyes.view[side], moves, count,
                        room->asked.has_clock ? &clock : NULL);
}

bool room_ask(struct room *room, struct fault *fault) {
    struct session *session = room->table.referee.session;
    struct fault declined;
    for (int side = RED; side <= BLUE; side++) {
        if (!room_has_client(room, (enum side)side)) continue;
        enum want want = session_wants(session, (enum side)side);
        bool untold = session->tellings != room->told || session->started != room->started;
        bool given = want == WANT_SETUP && (room->table.referee.options.setups[side] ||
                                            session->options.rules->armies != ARMIES_PLACED);
        if (want == WANT_NOTHING || untold || given) continue;
        if (!subscribers_holder(&room->subscribers, (enum side)side)) continue;
        if (want == WANT_MOVE && referee_declined(&room->table.referee, &declined)) {
            subscribers_send_seat(&room->subscribers, (enum side)side,
                                  message_refused(LEGAL, &declined));
            room->asked_for[side] = WANT_NOTHING; /* it is asked again */
        }
        if (want == room->asked_for[side]) continue;
        json_t *asks = question(room, (enum side)side, want, fault);
        if (!asks && fault->status != STATUS_OK) return false;
        room->asked_for[side] = want;
        subscribers_send_seat(&room->subscribers, (enum side)side, asks);
    }
    return true;
}
