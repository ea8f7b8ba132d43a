/* room_seats.c - people sit down, leave, come back, claim the game of somebody who does not, and
 * want another one. */
#include "room_inside.h"

#include "base/clock.h"
#include "base/player_name.h"
#include "host/safe_json.h"
#include "host/seat/reply.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Is the seat one that a person takes, and still free? */
static bool is_free(const struct room *room, enum side side) {
    return room->asked.holder[side] == HELD_BY_NOBODY && !room->given_name[side];
}

bool room_has_free_seat(const struct room *room, enum side *side) {
    *side = is_free(room, RED) ? RED : BLUE;
    return !room->house->open && !room->asked.hidden && room->subscribers.count &&
           !room->table.referee.session->over && is_free(room, *side);
}

/* Who takes a free seat: by the own name, from the request; else by that of the invitation, or as
 * "guest". With the token (NULL: none) the reply can be had again. */
static bool take_name(const struct hearing *hearing, enum side side, const char *token) {
    struct room *room = hearing->room;
    const char *given;
    if (!reply_text(hearing->request, "name", &given, hearing->fault)) return false;
    if (!is_free(room, side) || (room->house->open && !given)) return true;
    if (!given || !*given)
        given = room->asked.name[side] ? room->asked.name[side] : "guest";
    else if (!player_name_check(given, hearing->fault))
        return fault_within(hearing->fault, "\"name\"");
    char *name = strdup(given);
    if (!name) return fault_set(hearing->fault, STATUS_NO_MEMORY, "no memory for a name");
    room->given_name[side] = name;
    room->asked.name[side] = name;
    snprintf(room->token[side], SECRET_MAX, "%s", token ? token : "");
    table_rename(&room->table, side, name);
    pthread_mutex_lock(&room->lock);
    snprintf(room->names[side], sizeof room->names[side], "%s", name);
    room_forget_line(room);
    pthread_mutex_unlock(&room->lock);
    room_keep_name(room, side);
    return true;
}

/* Seconds until the game of a side that has gone may be claimed; null: it cannot be. */
static json_t *claim_seconds(const struct room *room, enum side side) {
    const int64_t since = room->gone_since[side];
    if (!since || !room->started || room->table.referee.session->over ||
        !room_has_client(room, side_other(side)) || !room->asked.has_clock)
        return json_null();
    const int64_t left = since + room->house->waits.claim - clock_ms();
    return json_integer(left > 0 ? (left + 999) / 1000 : 0);
}

static json_t *presence(const struct room *room, enum side side) {
    const bool here = !room->gone_since[side];
    return json_pack("{s:s, s:s, s:o, s:b, s:b, s:o}", "type", "presence", "side", side_name(side),
                     "name", safe_json(room->names[side]), "here", (int)here, "lost",
                     !here && room->lost[side], "claim", claim_seconds(room, side));
}

void room_tell_presence(struct room *room, enum side side) {
    if (room->house->open) return;
    for (size_t i = 0; i < room->subscribers.count; i++)
        subscribers_send(&room->subscribers, &room->subscribers.list[i], presence(room, side));
}

static json_t *wish(enum side side) {
    return json_pack("{s:s, s:s}", "type", "rematch", "side", side_name(side));
}

/* Tells a listener where the next game is, and its holder of a seat the secret of its seat there.
 */
static void tell_next(struct room *room, const struct listener *listener,
                      char secret[2][SECRET_MAX]) {
    json_t *news = json_pack("{s:s, s:s}", "type", "rematch", "new", room->next);
    if (listener->seated)
        json_object_set_new(news, "secret",
                            json_string(secret[side_other((enum side)listener->eyes)]));
    subscribers_send(&room->subscribers, listener, news);
}

/* Is there a next game, and has it not been forgotten? */
static bool has_next(const struct room *room, char secret[2][SECRET_MAX]) {
    return room->next[0] && room->house->find(room->house->context, room->next, secret);
}

void room_tell_company(struct room *room, const struct listener *listener) {
    char secret[2][SECRET_MAX];
    for (int side = RED; side <= BLUE && !room->house->open; side++) {
        if (room->gone_since[side])
            subscribers_send(&room->subscribers, listener, presence(room, (enum side)side));
        if (room->rematch[side])
            subscribers_send(&room->subscribers, listener, wish((enum side)side));
    }
    if (listener->seated && has_next(room, secret)) tell_next(room, listener, secret);
}

void room_leave_seats(struct room *room, struct client *client) {
    for (int side = RED; side <= BLUE; side++) {
        if (subscribers_holder(&room->subscribers, (enum side)side) != client) continue;
        subscribers_leave_seat(&room->subscribers, (enum side)side);
        room->gone_since[side] = clock_ms();
        room->lost[side] = client_is_lost(client);
        room->rematch[side] = false; /* who leaves would not hear of the next game */
        room_tell_presence(room, (enum side)side);
    }
}

/* What a client knows already, from "from": plies; -1: nothing. */
static bool read_from(const struct hearing *hearing, int64_t *known) {
    const struct room *room = hearing->room;
    uint64_t from = 0;
    bool there;
    *known = -1;
    if (!reply_number(hearing->request, "from", UINT32_MAX, &there, &from, hearing->fault))
        return false;
    if (there && room->started && !room_was_taken_back(room) &&
        from <= hearing->session->game.ply_count)
        *known = (int64_t)from;
    return true;
}

/* Tells a listener the game from there on. */
static void tell_game_from(struct room *room, const struct listener *listener, int64_t known) {
    if (known < 0) room_tell_game(room, listener);
    room_tell_past(room, listener, known);
    room_tell_end_to(room, listener);
    room_tell_now(room, listener);
}

/* The seat is another client's now. */
static json_t *lost_seat(enum side side) {
    return json_pack("{s:s, s:s, s:s}", "type", "left", "reason", "seat", "seat", side_name(side));
}

/* Gives a client a seat. What `reply` says goes out first. Frees it. */
static bool sit_down(const struct hearing *hearing, enum side side, int64_t known, json_t *reply) {
    struct room *room = hearing->room;
    struct client *before = subscribers_holder(&room->subscribers, side);
    if (before && before != hearing->client) {
        const struct listener gone = {before, (enum onlooker)side, true};
        if (!room->house->open) subscribers_send(&room->subscribers, &gone, lost_seat(side));
        subscribers_leave_seat(&room->subscribers, side);
        room_close_eyes(room);
    }
    const struct listener *listener = subscribers_add(&room->subscribers, hearing->client,
                                                      (enum onlooker)side, true, hearing->fault);
    if (!listener) {
        json_decref(reply);
        return false;
    }
    const struct listener seated = *listener;
    hearing_reply(hearing, reply);
    tell_game_from(room, &seated, known);
    room->asked_for[side] = WANT_NOTHING;
    room->gone_since[side] = 0;
    room_tell_presence(room, side);
    room_tell_company(room, &seated);
    return true;
}

/* With "again" a seat that another client has taken meanwhile stays with it. */
bool obey_sit(const struct hearing *hearing) {
    struct room *room = hearing->room;
    const char *secret;
    int64_t known;
    bool again = false;
    if (!reply_text(hearing->request, "seat", &secret, hearing->fault)) return false;
    int side = RED;
    while (side <= BLUE && !secret_is(secret, room->secret[side])) side++;
    if (side > BLUE) return fault_set(hearing->fault, STATUS_NOT_FOUND, "no seat has this secret");
    if (!read_from(hearing, &known) ||
        !reply_flag(hearing->request, "again", &again, hearing->fault))
        return false;
    struct client *holder = subscribers_holder(&room->subscribers, (enum side)side);
    if (again && holder && !client_is_same(holder, hearing->client)) {
        hearing_reply(hearing, lost_seat((enum side)side));
        return true;
    }
    return room_own(room, hearing->client, hearing->fault) &&
           take_name(hearing, (enum side)side, NULL) &&
           sit_down(hearing, (enum side)side, known,
                    json_pack("{s:s, s:s}", "type", "sat", "seat", side_name((enum side)side)));
}

/* The seat that an invitation is for, or without one any free seat of a listed game; or the one
 * that was taken with this token before. */
static bool choose_free_seat(const struct hearing *hearing, const char *code, const char *token,
                             int *side) {
    const struct room *room = hearing->room;
    for (*side = RED; *side <= BLUE; ++*side)
        if (secret_is(token, room->token[*side])) return true;
    *side = RED;
    while (*side <= BLUE &&
           !(code ? secret_is(code, room->invite[*side]) : is_free(room, (enum side) * side)))
        ++*side;
    if (code && *side > BLUE)
        return fault_set(hearing->fault, STATUS_NOT_FOUND, "there is no such invitation");
    if (code && !is_free(room, (enum side) * side))
        return fault_set(hearing->fault, STATUS_USAGE,
                         "this invitation was used already; the game can still be watched");
    return code || (*side <= BLUE && !room->asked.hidden && !hearing->session->over) ||
           fault_set(hearing->fault, STATUS_USAGE, "no seat of this game is free");
}

bool obey_invitation(const struct hearing *hearing) {
    const struct room *room = hearing->room;
    const json_t *clock = json_object_get(room->request, "clock");
    const char *code;
    int side;
    if (!reply_text(hearing->request, "invite", &code, hearing->fault) ||
        !choose_free_seat(hearing, code, NULL, &side))
        return false;
    hearing_reply(hearing,
                  json_pack("{s:s, s:s, s:s, s:s, s:{s:s, s:s}, s:o}", "type", "invitation",
                            "variant", room->variant, "title", room->edition->rules->title, "seat",
                            side_name((enum side)side), "names", "red", room->names[RED], "blue",
                            room->names[BLUE], "clock",
                            clock ? json_deep_copy(clock) : json_null()));
    return true;
}

bool obey_join(const struct hearing *hearing) {
    struct room *room = hearing->room;
    const char *code, *token;
    int side;
    if (!reply_text(hearing->request, "invite", &code, hearing->fault) ||
        !secret_read(hearing->request, "token", &token, hearing->fault) ||
        !choose_free_seat(hearing, code, token, &side) ||
        !room_own(room, hearing->client, hearing->fault) ||
        !take_name(hearing, (enum side)side, token))
        return false;
    return sit_down(hearing, (enum side)side, -1,
                    json_pack("{s:s, s:s, s:s}", "type", "joined", "seat",
                              side_name((enum side)side), "secret", room->secret[side]));
}

/* The side whose seat the client holds; with both seats, the one to move. */
static bool own_side(const struct hearing *hearing, enum side *side) {
    *side = (enum side)hearing->session->game.to_move;
    if (!hearing_holds(hearing, *side)) *side = side_other(*side);
    return hearing_holds(hearing, *side) ||
           fault_set(hearing->fault, STATUS_USAGE, "you hold no seat in this game");
}

bool obey_claim(const struct hearing *hearing) {
    struct room *room = hearing->room;
    enum side side;
    if (!own_side(hearing, &side)) return false;
    const enum side other = side_other(side);
    const int64_t since = room->gone_since[other];
    if (!room->started || hearing->session->over)
        return fault_set(hearing->fault, STATUS_USAGE, "there is no game to claim");
    if (!room_has_client(room, other) || !since)
        return fault_set(hearing->fault, STATUS_USAGE, "%s is here", side_name(other));
    if (!room->asked.has_clock)
        return fault_set(hearing->fault, STATUS_USAGE,
                         "without a clock %s may come back at any time", side_name(other));
    const int64_t left = since + room->house->waits.claim - clock_ms();
    if (left > 0)
        return fault_set(hearing->fault, STATUS_USAGE, "the game can be claimed in %d seconds",
                         (int)((left + 999) / 1000));
    struct fault absent = {0};
    fault_set(&absent, STATUS_TIME, "%s has left the game", side_name(other));
    session_forfeit(hearing->session, other, &absent);
    return hearing_settle(hearing);
}

/* The request for the next game: the same, with the sides exchanged. */
static json_t *next_request(const struct room *room) {
    json_t *next =
        json_pack("{s:s, s:s, s:b}", "type", "new", "variant", room->asked.variant, "public", 0);
    json_t *names = json_object(), *clock = json_object_get(room->request, "clock");
    for (int side = RED; side <= BLUE; side++) {
        const char *key = side_name(side_other((enum side)side));
        bool person = room_has_client(room, (enum side)side);
        json_object_set_new(next, key, json_string(person ? "open" : room->asked.player[side]));
        if (person) json_object_set_new(names, key, json_string(room->names[side]));
    }
    json_object_set_new(next, "names", names);
    invitation_forget_odd_names(next); /* those of an old game may be */
    if (clock) json_object_set(next, "clock", clock);
    return next;
}

/* Makes the next game and tells everybody where it is. */
static bool begin_rematch(const struct hearing *hearing) {
    struct room *room = hearing->room;
    const struct room_house *house = room->house;
    char secret[2][SECRET_MAX];
    json_t *next = next_request(room);
    if (!next) return fault_set(hearing->fault, STATUS_NO_MEMORY, "no memory for a game");
    if (!house->make(house->context, room->visitor, next, room->next, secret, hearing->fault))
        return false;
    room_keep_next(room);
    room->rematch[RED] = room->rematch[BLUE] = false;
    for (size_t i = 0; i < room->subscribers.count; i++)
        tell_next(room, &room->subscribers.list[i], secret);
    return true;
}

/* A game has one next game: a client that asks again is told where it is. */
static void tell_next_again(const struct hearing *hearing, char secret[2][SECRET_MAX]) {
    const struct subscribers *subscribers = &hearing->room->subscribers;
    for (size_t i = 0; i < subscribers->count; i++)
        if (subscribers->list[i].client == hearing->client && subscribers->list[i].seated)
            tell_next(hearing->room, &subscribers->list[i], secret);
}

/* Notes that the client wants another game, for each seat that it holds. True if all agree. */
static bool agree_on_rematch(const struct hearing *hearing) {
    struct room *room = hearing->room;
    bool agreed = true;
    for (int side = RED; side <= BLUE; side++) {
        if (!room_has_client(room, (enum side)side)) continue;
        const bool asks = hearing_holds(hearing, (enum side)side);
        room->rematch[side] = room->rematch[side] || asks;
        agreed = agreed && room->rematch[side];
    }
    return agreed;
}

bool obey_rematch(const struct hearing *hearing) {
    struct room *room = hearing->room;
    enum side side;
    if (room->house->open)
        return fault_set(hearing->fault, STATUS_USAGE, "make another game with \"new\"");
    if (!own_side(hearing, &side)) return false;
    if (!hearing->session->over)
        return fault_set(hearing->fault, STATUS_USAGE, "the game is not over");
    char secret[2][SECRET_MAX];
    if (has_next(room, secret)) {
        tell_next_again(hearing, secret);
    } else if (agree_on_rematch(hearing)) {
        if (!begin_rematch(hearing)) return false;
    } else {
        for (size_t i = 0; i < room->subscribers.count; i++)
            subscribers_send(&room->subscribers, &room->subscribers.list[i], wish(side));
    }
    return hearing_settle(hearing);
}
