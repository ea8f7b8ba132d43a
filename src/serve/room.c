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

int64_t room_alarm(const struct room *room) {
    return atomic_load(&room->alarm);
}

void room_wake(struct room *room) {
    task_wake(&room->task);
}

void room_post(struct room *room, struct client *client, json_t *request) {
    struct letter *letter = calloc(1, sizeof *letter);
    if (!letter) {
        client_hang_up(client);
        json_decref(request);
        return;
    }
    letter->client = client_hold(client);
    letter->request = request;
    client_asks(client);
    pthread_mutex_lock(&room->lock);
    *room->letters_end = letter;
    room->letters_end = &letter->next;
    pthread_mutex_unlock(&room->lock);
    task_wake(&room->task);
}

void room_stop(struct room *room) {
    atomic_store(&room->stopped, true);
    pthread_mutex_lock(&room->lock);
    for (int side = RED; side <= BLUE; side++)
        if (room->seated[side] && room->players[side].kill)
            room->players[side].kill(room->players[side].self);
    pthread_mutex_unlock(&room->lock);
    task_wake(&room->task);
}

/* What is offered to whoever joins. */
static void add_offer(const struct room *room, json_t *line) {
    const json_t *clock = json_object_get(room->request, "clock");
    json_object_set_new(line, "title", json_string(room->edition->rules->title));
    json_object_set_new(line, "seat", json_string(side_name(room->free_side)));
    json_object_set_new(line, "clock", clock ? json_deep_copy(clock) : json_null());
}

json_t *room_line(struct room *room, bool open) {
    json_t *line = NULL;
    pthread_mutex_lock(&room->lock);
    bool wanted = room->house->open || open || !(room->over || room->asked.hidden);
    if (room->listed && room->free_seat == open && wanted)
        line = json_pack("{s:s, s:s, s:{s:s, s:s}, s:I, s:s?, s:s?}", "game", room->id, "variant",
                         room->variant, "names", "red", room->names[RED], "blue", room->names[BLUE],
                         "ply", (json_int_t)room->plies, "result",
                         room->over ? result_name(room->result) : NULL, "reason",
                         room->over ? reason_name(room->reason) : NULL);
    if (line && open) add_offer(room, line);
    pthread_mutex_unlock(&room->lock);
    return line;
}

enum room_state room_state(struct room *room) {
    pthread_mutex_lock(&room->lock);
    enum room_state state = room->over                         ? ROOM_OVER
                            : room->listed && !room->free_seat ? ROOM_PLAYING
                                                               : ROOM_FORMING;
    pthread_mutex_unlock(&room->lock);
    return state;
}

void room_reply(struct room *room, struct client *client, const json_t *request, json_t *message) {
    if (message && !json_object_get(message, "game"))
        json_object_set_new(message, "game", json_string(room->id));
    audience_reply(&room->audience, client, reply_to(request, message));
}

void room_refuse(struct room *room, struct client *client, const json_t *request,
                 const struct fault *fault) {
    room_reply(room, client, request, message_error(fault));
}

static struct letter *take_letter(struct room *room) {
    pthread_mutex_lock(&room->lock);
    struct letter *letter = room->letters;
    if (letter) room->letters = letter->next;
    if (!room->letters) room->letters_end = &room->letters;
    pthread_mutex_unlock(&room->lock);
    return letter;
}

static bool has_letters(struct room *room) {
    pthread_mutex_lock(&room->lock);
    bool has = room->letters;
    pthread_mutex_unlock(&room->lock);
    return has;
}

bool room_is_called(struct room *room) {
    return !room->house->open && has_letters(room) && !atomic_load(&room->stopped) &&
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
    return !room->house->open || room->audience.count || !client_is_gone(room->maker);
}

static void client_went(struct room *room, struct client *client) {
    room_leave_seats(room, client);
    audience_remove(&room->audience, client);
}

static void read_letters(struct room *room) {
    for (struct letter *letter; !room->closed && !room->held_since && (letter = take_letter(room));
         free_letter(letter)) {
        struct fault fault = {0};
        room->idle_since = clock_ms();
        if (!letter->request)
            client_went(room, letter->client);
        else if (room->asleep && !room_wake_up(room, &fault))
            room_refuse(room, letter->client, letter->request, &fault); /* perhaps later */
        else
            room_hear(room, letter->client, letter->request);
    }
    if (!is_wanted(room)) room->closed = true;
}

static void publish(struct room *room) {
    const struct session *session = room->referee.session;
    pthread_mutex_lock(&room->lock);
    room->plies = session->game.ply_count;
    room->over = session->over;
    room->result = session->result;
    room->reason = session->reason;
    room->free_seat = room_has_free_seat(room, &room->free_side);
    pthread_mutex_unlock(&room->lock);
}

void room_break_off(struct room *room, const struct fault *fault) {
    struct session *session = room->referee.session;
    if (atomic_load(&room->stopped)) return; /* its players were killed: it may go on one day */
    if (!session->over) session_stop(session, RESULT_NONE, REASON_UNFINISHED);
    room->told = session->tellings;
    clock_stop(room);
    room_keep_end(room);
    for (size_t i = 0; i < room->audience.count; i++)
        audience_send(&room->audience, &room->audience.list[i], message_error(fault));
    room_close_players(room);
    room_tell_end(room);
}

static bool all_is_told(const struct room *room) {
    const struct session *session = room->referee.session;
    return room->started == session->started && room->told == session->tellings;
}

void room_settle(struct room *room) {
    struct session *session = room->referee.session;
    struct fault fault = {0};
    enum referee_step step = REFEREE_WENT_ON;
    while (step == REFEREE_WENT_ON && !room->ended && !(session->started && all_is_told(room))) {
        step = referee_step(&room->referee, &fault);
        if (step == REFEREE_FAILED) room_break_off(room, &fault);
    }
}

/* Plays until the referee waits, a letter has come or the slice is over. True if there is more to
 * play. */
static bool play_slice(struct room *room) {
    const int64_t until = clock_ms() + SLICE;
    struct fault fault = {0};
    for (int steps = 1; !room->ended; steps++) {
        if (clock_pass(room)) room_tell_clocks(room);
        enum referee_step step =
            clock_is_over(room) ? REFEREE_WENT_ON : referee_step(&room->referee, &fault);
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

/* What a room has from the first. */
/* The maker was told that the game begins, or why not. */
static void answer_maker(struct room *room) {
    if (room->awaited) client_is_answered(room->maker);
    room->awaited = false;
}

static void free_room(struct room *room) {
    answer_maker(room);
    client_release(room->maker);
    json_decref(room->request);
    free(room->played);
    record_free(room->about);
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

/* Ends the room: players, audience, letters. */
static enum task_result leave_room(struct room *room) {
    if (!room->house->forget(room->house->context, room)) {
        room->closed = false; /* a letter has come */
        return TASK_MORE;
    }
    for (struct letter *letter; (letter = take_letter(room)); free_letter(letter)) {
        struct fault gone = {0};
        fault_set(&gone, STATUS_NOT_FOUND, "game %s is over and gone", room->id);
        if (room->why_not.status != STATUS_OK) gone = room->why_not;
        if (letter->request) room_refuse(room, letter->client, letter->request, &gone);
    }
    room_close_players(room);
    if (room->referee.session) referee_close(&room->referee);
    shelf_return(room->house->shelf, room->edition);
    audience_clear(&room->audience);
    free_room(room);
    return TASK_ENDED;
}

static void end_game(struct room *room) {
    struct fault fault = {0};
    if (!room->referee.session->over || room->ended) return;
    session_seal(room->referee.session, &fault); /* while the players' names are there */
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
    } else {
        if (room->maker) room_refuse(room, room->maker, room->request, &fault);
        room->why_not = fault;
        room->closed = true;
    }
    answer_maker(room);
}

/* A side may lose on time while the bots sleep. They need not hear of it. */
static void end_on_time(struct room *room) {
    if (clock_is_over(room)) room->asleep = false;
}

static enum task_result room_run(struct task *task) {
    struct room *room = (struct room *)task;
    if (!room->ready && !atomic_load(&room->stopped)) get_ready(room);
    const bool goes_on = !atomic_load(&room->stopped) && room_is_free(room);
    if (goes_on && room->ready && !room->closed) read_letters(room);
    if (goes_on && room->ready && room->asleep) end_on_time(room);
    if (room->closed || atomic_load(&room->stopped)) return leave_room(room);
    bool more = goes_on && !room->asleep && !room->held_since && play_slice(room);
    if (room->held_since) {
        room_tell_held(room);
        room_set_alarm(room);
        return TASK_IDLE;
    }
    publish(room);
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

/* A room for a request, which it takes over unless it fails. */
static struct room *new_room(const struct room_house *house, const char *id, json_t *request,
                             struct fault *fault) {
    struct room *room = calloc(1, sizeof *room);
    if (!room) {
        fault_set(fault, STATUS_NO_MEMORY, "no memory for a game");
        return NULL;
    }
    *room = (struct room){.task = {.run = room_run},
                          .house = house,
                          .request = request,
                          .audience = {.id = room->id}};
    snprintf(room->id, sizeof room->id, "%s", id);
    room->letters_end = &room->letters;
    atomic_init(&room->alarm, INT64_MAX);
    pthread_mutex_init(&room->lock, NULL);
    if (invitation_read(request, &room->asked, fault)) return room;
    free_but_request(room);
    return NULL;
}

struct room *room_open(const struct room_house *house, const char *id, uint64_t number,
                       struct client *maker, json_t *request, struct fault *fault) {
    struct room *room = new_room(house, id, request, fault);
    if (!room) return NULL;
    room->number = number;
    if (maker) room->maker = client_hold(maker);
    bool ready = (house->open || !maker || invitation_is_modest(&room->asked, fault)) &&
                 draw_secrets(room, fault);
    if (!ready || !task_begin(house->workers, &room->task, room_pace(room), fault)) {
        free_but_request(room);
        return NULL;
    }
    room->awaited = maker;
    if (maker) client_asks(maker);
    return room;
}

struct room *room_reopen(const struct room_house *house, struct archived *kept,
                         struct fault *fault) {
    json_t *request = json_loads(kept->request, 0, NULL);
    if (request)
        invitation_forget_odd_names(request); /* some were taken once */
    else
        fault_set(fault, STATUS_TEXT, "the game was kept badly");
    struct room *room = request ? new_room(house, kept->id, request, fault) : NULL;
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
