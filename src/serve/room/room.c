/* room.c - a room's life: letters, slices of play, the end.
 *
 * A room whose bots need nobody else plays for a slice of time and then lets others play; letters
 * are read before each slice, when everybody has been told of every turn. It is over for good when
 * it was stopped or nobody is left who could ask for it. */
#include "room_inside.h"

#include "base/clock.h"
#include "host/players.h"
#include "host/seat/reply.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SLICE = 5,         /* ms */
    STEPS_BETWEEN = 16 /* between looks at the clock and the letters */
};

const char *room_id(const struct room *room) {
    return room->id;
}

const char *room_secret(const struct room *room, enum side side) {
    return room->secret[side];
}

const char *room_invite(const struct room *room, enum side side) {
    return room->invite[side];
}

struct room_note *room_note(struct room *room) {
    return &room->note;
}

void room_wake(struct room *room) {
    task_wake(&room->task);
}

void room_stop(struct room *room) {
    atomic_store(&room->stopped, true);
    table_kill(&room->table);
    task_wake(&room->task);
}

void room_forget_line(struct room *room) {
    free(room->line);
    room->line = NULL;
}

void room_note_standing(struct room *room, struct room_standing standing) {
    pthread_mutex_lock(&room->lock);
    room->note.standing = standing;
    room_forget_line(room);
    pthread_mutex_unlock(&room->lock);
}

/* What is offered to whoever joins. */
static void add_offer(const struct room *room, json_t *line) {
    const json_t *clock = json_object_get(room->request, "clock");
    json_object_set_new(line, "title", json_string(room->edition->rules->title));
    json_object_set_new(line, "seat", json_string(side_name(room->free_side)));
    json_object_set_new(line, "clock", clock ? json_deep_copy(clock) : json_null());
}

/* With the lock held. NULL without memory. */
static char *make_line(const struct room *room) {
    json_t *line =
        json_pack("{s:s, s:s, s:{s:s, s:s}, s:I, s:s?, s:s?}", "game", room->id, "variant",
                  room->variant, "names", "red", room->names[RED], "blue", room->names[BLUE], "ply",
                  (json_int_t)room->plies, "result", room->over ? result_name(room->result) : NULL,
                  "reason", room->over ? reason_name(room->reason) : NULL);
    if (line && room->note.standing.list == ROOM_OPEN) add_offer(room, line);
    char *text = line ? json_dumps(line, JSON_COMPACT) : NULL;
    json_decref(line);
    return text;
}

void room_add_line(struct room *room, struct buffer *lines) {
    pthread_mutex_lock(&room->lock);
    if (!room->line) room->line = make_line(room);
    buffer_add_text(lines, room->line ? room->line : "null");
    pthread_mutex_unlock(&room->lock);
}

void room_reply(struct room *room, struct client *client, const json_t *request, json_t *message) {
    if (message && !json_object_get(message, "game"))
        json_object_set_new(message, "game", json_string(room->id));
    subscribers_reply(&room->subscribers, client, reply_to(request, message));
}

void room_refuse(struct room *room, struct client *client, const json_t *request,
                 const struct fault *fault) {
    room_reply(room, client, request, message_error(fault));
}

bool room_is_called(struct room *room) {
    return !room->house->open && room_has_letters(room) && !atomic_load(&room->stopped) &&
           room->why_not.status == STATUS_OK;
}

static void free_letter(struct letter *letter) {
    client_is_answered(letter->client);
    client_release(letter->client);
    json_decref(letter->request);
    free(letter);
}

/* Whether somebody can still ask for the room: its maker or a listener. At a server it is anybody
 * with its id or the secret of a seat. */
static bool is_wanted(const struct room *room) {
    return !room->house->open || room->subscribers.count || !client_is_gone(room->maker);
}

static void client_went(struct room *room, struct client *client) {
    room_leave_seats(room, client);
    subscribers_remove(&room->subscribers, client);
}

/* Reads letters for a slice of time. True if there are more. */
static bool read_letters(struct room *room) {
    const int64_t until = clock_ms() + SLICE;
    bool more = true;
    for (struct letter *letter; !room->closed && !room->held_since &&
                                (more = clock_ms() <= until) && (letter = room_take_letter(room));
         free_letter(letter)) {
        struct fault fault = {0};
        if (room_is_players(room, letter)) room->idle_since = clock_ms();
        if (!letter->request)
            client_went(room, letter->client);
        else if (room->asleep && letter->plays && room_is_players(room, letter) &&
                 !room_wake_up(room, &fault))
            room_refuse(room, letter->client, letter->request, &fault); /* perhaps later */
        else
            room_hear(room, letter->client, letter->request);
    }
    if (!is_wanted(room)) room->closed = true;
    return !room->closed && !more && room_has_letters(room);
}

static struct room_standing standing_of(const struct room *room) {
    const bool hidden = !room->house->open && (room->over || room->asked.hidden);
    return (struct room_standing){.state = room->over        ? ROOM_OVER
                                           : room->free_seat ? ROOM_FORMING
                                                             : ROOM_PLAYING,
                                  .list = room->free_seat ? ROOM_OPEN
                                          : hidden        ? ROOM_UNLISTED
                                                          : ROOM_SHOWN};
}

/* Tells the house how the room stands, when that changes. */
static void take_stand(struct room *room) {
    const struct room_standing now = standing_of(room), before = room->standing;
    if (now.state == before.state && now.list == before.list) return;
    room->standing = now;
    room->house->stands(room->house->context, room, now);
}

static void publish(struct room *room) {
    const struct session *session = room->table.referee.session;
    pthread_mutex_lock(&room->lock);
    room_forget_line(room);
    room->plies = session->game.ply_count;
    room->over = session->over;
    room->result = session->result;
    room->reason = session->reason;
    room->free_seat = room_has_free_seat(room, &room->free_side);
    pthread_mutex_unlock(&room->lock);
    room_make_card(room);
    take_stand(room);
}

void room_break_off(struct room *room, const struct fault *fault) {
    struct session *session = room->table.referee.session;
    if (atomic_load(&room->stopped)) return; /* its players were killed: it may go on one day */
    if (!session->over) session_stop(session, RESULT_NONE, REASON_UNFINISHED);
    room_forget_past(room, false);
    room->told = session->tellings;
    clock_stop(room);
    room_keep_end(room);
    for (size_t i = 0; i < room->subscribers.count; i++)
        subscribers_send(&room->subscribers, &room->subscribers.list[i], message_error(fault));
    room_close_players(room);
    room_tell_end(room);
}

static bool all_is_told(const struct room *room) {
    const struct session *session = room->table.referee.session;
    return room->started == session->started && room->told == session->tellings;
}

void room_settle(struct room *room) {
    struct session *session = room->table.referee.session;
    struct fault fault = {0};
    enum referee_step step = REFEREE_WENT_ON;
    while (step == REFEREE_WENT_ON && !room->ended && !(session->started && all_is_told(room))) {
        step = referee_step(&room->table.referee, &fault);
        if (step == REFEREE_FAILED) room_break_off(room, &fault);
    }
}

/* Where a draw is offered, and where it is declined, the clock goes on for another side. */
static void watch_clock(struct room *room) {
    struct stopwatch *watch = table_watch(&room->table);
    const int before = watch ? stopwatch_side(watch) : -1;
    if (!watch || referee_watch(&room->table.referee) || before < 0) return;
    if (stopwatch_side(watch) != before) room_tell_clocks(room);
}

/* Plays until the referee waits, a letter has come or the slice is over. True if there is more to
 * play. */
static bool play_slice(struct room *room) {
    const int64_t until = clock_ms() + SLICE;
    struct fault fault = {0};
    for (int steps = 1; !room->ended; steps++) {
        watch_clock(room);
        enum referee_step step = referee_step(&room->table.referee, &fault);
        if (step == REFEREE_FAILED || !room_ask(room, &fault)) {
            room_break_off(room, &fault);
            return false;
        }
        if (step == REFEREE_WAITS || room->held_since) return false;
        if (atomic_load(&room->stopped)) return true;
        if (steps < STEPS_BETWEEN || !all_is_told(room)) continue;
        if (clock_ms() >= until) return true;
        steps = 0;
    }
    return false;
}

/* Is something wanted from a bot? */
static bool is_bots_turn(const struct room *room) {
    bool wanted = false;
    for (int side = RED; side <= BLUE; side++)
        wanted =
            wanted || (!room_has_client(room, (enum side)side) &&
                       session_wants(room->table.referee.session, (enum side)side) != WANT_NOTHING);
    return wanted;
}

static void tell_players(struct room *room, const struct fault *fault) {
    for (int side = RED; side <= BLUE; side++)
        subscribers_send_seat(&room->subscribers, (enum side)side, message_error(fault));
}

/* The same without bots, until it is the turn of one; not in nobody's game. */
static bool play_asleep(struct room *room) {
    struct fault fault = {0};
    if (!room_ask(room, &fault)) {
        room_break_off(room, &fault);
        return false;
    }
    if (!room->owned || !is_bots_turn(room) ||
        !bot_slots_take(room->house->slots, &room->claim, true))
        return false;
    if (room_wake_up(room, &fault)) return true;
    tell_players(room, &fault);
    return false;
}

/* The maker was told that the game begins, or why not. */
static void answer_maker(struct room *room) {
    if (room->awaited) client_is_answered(room->maker);
    room->awaited = false;
}

static void free_room(struct room *room) {
    answer_maker(room);
    client_release(room->maker);
    visitor_give(room->visitor, HOLDS_GAMES);
    visitor_release(room->visitor);
    json_decref(room->request);
    json_decref(room->opening);
    free(room->line);
    free(room->card);
    table_close(&room->table);
    record_free(room->about);
    room_forget_past(room, false);
    for (int side = RED; side <= BLUE; side++) free(room->given_name[side]);
    if (room->kept) archived_clear(room->kept);
    free(room->kept);
    pthread_mutex_destroy(&room->lock);
    free(room);
}

/* Frees a room that was never used; its request stays with the caller. */
static void free_but_request(struct room *room) {
    room->request = NULL;
    free_room(room);
}

/* Ends the room: players, subscribers, letters. */
static enum task_result leave_room(struct room *room) {
    if (!room->house->forget(room->house->context, room)) {
        room->closed = false; /* a letter has come */
        return TASK_MORE;
    }
    room->house->alarm(room->house->context, &room->alarm, INT64_MAX);
    for (struct letter *letter; (letter = room_take_letter(room)); free_letter(letter)) {
        struct fault gone = {0};
        fault_set(&gone, STATUS_NOT_FOUND, "game %s is over and gone", room->id);
        if (room->why_not.status != STATUS_OK) gone = room->why_not;
        if (letter->request) room_refuse(room, letter->client, letter->request, &gone);
    }
    room_close_players(room);
    referee_close(&room->table.referee); /* of rules that are given back now */
    variant_cache_return(room->house->variants, room->edition);
    subscribers_clear(&room->subscribers);
    free_room(room);
    return TASK_ENDED;
}

static void end_game(struct room *room) {
    struct fault fault = {0};
    if (!room->table.referee.session->over || room->ended) return;
    session_seal(room->table.referee.session, &fault); /* while the players' names are there */
    room_close_players(room);
    room_tell_end(room);
}

/* Begins the game. A room that cannot is closed. */
static void get_ready(struct room *room) {
    struct fault fault = {0};
    room->idle_since = clock_ms();
    room->ready = room_begin(room, &fault);
    if (room->ready) {
        if (room->kept) end_game(room); /* one that was over is, for the first letter too */
        publish(room);                  /* a program may take long to move */
    } else {
        if (room->maker) room_refuse(room, room->maker, room->opening, &fault);
        room->why_not = fault;
        room->closed = true;
    }
    answer_maker(room);
}

/* A side may lose on time while the bots sleep. They need not hear of it. */
static void end_on_time(struct room *room) {
    if (room->ready && referee_watch(&room->table.referee)) room->asleep = false;
}

/* Has the room slots for its bots, if it is about to build them? It is woken when it has. */
static bool may_build_bots(struct room *room) {
    const bool builds = room->ready ? room->asleep && room_is_asked_to_play(room) : !room->kept;
    return !builds || bot_slots_take(room->house->slots, &room->claim, true);
}

static enum task_result room_run(struct task *task) {
    struct room *room = (struct room *)task;
    const bool stopped = atomic_load(&room->stopped);
    if (!stopped && room->asleep && room_is_free(room)) end_on_time(room);
    if (!stopped && !may_build_bots(room)) {
        if (room->ready) room_set_alarm(room);
        return TASK_IDLE;
    }
    if (!stopped && !room->ready) get_ready(room);
    const bool goes_on = !atomic_load(&room->stopped) && room_is_free(room);
    bool more = goes_on && room->ready && !room->closed && read_letters(room);
    if (room->closed || atomic_load(&room->stopped)) return leave_room(room);
    if (goes_on && !room->held_since)
        more = (room->asleep ? play_asleep(room) : play_slice(room)) || more;
    if (room->held_since) {
        room_tell_held(room);
        room_set_alarm(room);
        return TASK_IDLE;
    }
    publish(room);
    if (more && !room->asleep) room_give_way(room);
    if (more) return TASK_MORE;
    end_game(room);
    room_rest(room);
    return room->closed ? TASK_MORE : TASK_IDLE;
}

/* The secrets of the seats that clients hold. Where clients are the user's own, the secret of an
 * open seat is its invitation; the seats of a rematch are taken already. */
static bool draw_secrets(struct room *room, struct fault *fault) {
    const bool invites = room->maker && !room->house->open;
    for (int side = RED; side <= BLUE; side++) {
        const bool open = room->asked.holder[side] == HELD_BY_NOBODY;
        if ((room_has_client(room, (enum side)side) && !secret_draw(room->secret[side])) ||
            (open && invites && !secret_draw(room->invite[side])))
            return fault_set(fault, STATUS_SYSTEM, "the system gives no random numbers");
    }
    return true;
}

static enum task_pace room_pace(const struct room *room) {
    enum task_pace pace = TASK_QUICK;
    for (int side = RED; side <= BLUE; side++)
        if (!room_has_client(room, (enum side)side)) {
            if (player_is_program(room->asked.player[side])) return TASK_OWN;
            pace = TASK_SLOW;
        }
    return pace;
}

/* A room for a request, or a game of the archive (NULL: a new one) that was made by it. It takes
 * the request over unless it fails. */
static struct room *new_room(const struct room_house *house, const char *id,
                             const struct archived *kept, struct visitor *visitor, json_t *request,
                             struct fault *fault) {
    struct room *room = calloc(1, sizeof *room);
    if (!room) {
        fault_set(fault, STATUS_NO_MEMORY, "no memory for a game");
        return NULL;
    }
    *room = (struct room){.task = {.run = room_run},
                          .house = house,
                          .request = request,
                          .claim = {.task = &room->task},
                          .alarm = {.task = &room->task},
                          .subscribers = {.id = room->id}};
    snprintf(room->id, sizeof room->id, "%s", id);
    room->letters_end = &room->letters;
    pthread_mutex_init(&room->lock, NULL);
    table_init(&room->table);
    const bool read = invitation_read(request, &room->asked, fault);
    room->owned = read && (!kept || (!room_has_seats(room) && !kept->result));
    if (!room->owned) visitor = NULL;
    if (!read || !visitor_take(visitor, HOLDS_GAMES, fault)) {
        free_but_request(room);
        return NULL;
    }
    room->visitor = visitor_hold(visitor);
    room->task.source = room->owned ? visitor_source(visitor) : house->nobodys;
    room->claim.share = visitor_bots(visitor);
    for (int side = RED; side <= BLUE; side++)
        room->claim.bots += !room_has_client(room, (enum side)side);
    return room;
}

struct room *room_open(const struct room_house *house, const char *id, uint64_t number,
                       struct visitor *visitor, struct client *maker, json_t *request,
                       struct fault *fault) {
    json_t *kept = invitation_kept(request);
    struct room *room = kept ? new_room(house, id, NULL, visitor, kept, fault) : NULL;
    if (!kept) fault_set(fault, STATUS_NO_MEMORY, "no memory for a game");
    if (!room) {
        json_decref(kept);
        return NULL;
    }
    const json_t *told_id = json_object_get(request, "id");
    room->opening = told_id ? json_pack("{s:o}", "id", json_deep_copy(told_id)) : NULL;
    room->number = number;
    if (maker) room->maker = client_hold(maker);
    bool ready = (house->open || !maker || invitation_is_modest(&room->asked, fault)) &&
                 draw_secrets(room, fault);
    if (!ready || !task_begin(house->workers, &room->task, room_pace(room), fault)) {
        free_room(room);
        return NULL;
    }
    json_decref(request);
    room->awaited = maker;
    if (maker) client_asks(maker);
    return room;
}

struct room *room_reopen(const struct room_house *house, struct visitor *visitor,
                         struct archived *kept, struct fault *fault) {
    json_t *request = json_loads(kept->request, 0, NULL);
    if (request)
        invitation_forget_odd_names(request); /* some were taken once */
    else
        fault_set(fault, STATUS_TEXT, "the game was kept badly");
    struct room *room = request ? new_room(house, kept->id, kept, visitor, request, fault) : NULL;
    struct archived *own = room ? malloc(sizeof *own) : NULL;
    if (!own) {
        if (room) fault_set(fault, STATUS_NO_MEMORY, "no memory for a game");
        archived_clear(kept);
        if (room) free_room(room);
        if (!room) json_decref(request);
        return NULL;
    }
    *own = *kept;
    room->kept = own;
    memcpy(room->secret, kept->secret, sizeof room->secret);
    memcpy(room->invite, kept->invite, sizeof room->invite);
    memcpy(room->token, kept->token, sizeof room->token);
    memcpy(room->next, kept->next, sizeof room->next);
    if (task_begin(house->workers, &room->task, room_pace(room), fault)) return room;
    free_room(room);
    return NULL;
}
