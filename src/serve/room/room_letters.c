/* room_letters.c - what waits to be heard, and whose turn it is.
 *
 * The two players come first, in turns with each other and with those who look on: whoever asks for
 * the whole game again and again holds up others who do, and no player, whose time may be running.
 * Letters of one client, and of one player, are read in their order. */
#include "room_inside.h"

#include <stdlib.h>
#include <string.h>

enum { NO_SIDE = 2 };

/* The seat that a `sit` may take: it is its player's. */
static unsigned char seat_of(const struct room *room, const json_t *request) {
    const char *type = json_string_value(json_object_get(request, "type"));
    const char *secret = json_string_value(json_object_get(request, "seat"));
    if (!type || strcmp(type, "sit") != 0) return NO_SIDE;
    if (secret_is(secret, room->secret[RED])) return RED;
    return secret_is(secret, room->secret[BLUE]) ? BLUE : NO_SIDE;
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
    letter->seat = seat_of(room, request);
    letter->plays = request && room_plays(request);
    /* What a player of nobody's game waits for is its own. */
    if (letter->seat != NO_SIDE && !atomic_load(&room->owned))
        task_move(&room->task, visitor_source(client_visitor(client)));
    client_asks(client);
    pthread_mutex_lock(&room->lock);
    *room->letters_end = letter;
    room->letters_end = &letter->next;
    room->sits += letter->seat != NO_SIDE;
    pthread_mutex_unlock(&room->lock);
    task_wake(&room->task);
}

bool room_has_letters(struct room *room) {
    pthread_mutex_lock(&room->lock);
    bool has = room->letters;
    pthread_mutex_unlock(&room->lock);
    return has;
}

/* What follows is for the thread that runs the room. */

static bool holds_seat(const struct room *room, const struct client *client) {
    return subscribers_holder(&room->subscribers, RED) == client ||
           subscribers_holder(&room->subscribers, BLUE) == client;
}

bool room_is_players(const struct room *room, const struct letter *letter) {
    return letter->seat != NO_SIDE || holds_seat(room, letter->client);
}

bool room_is_asked_to_play(struct room *room) {
    bool asked = false;
    pthread_mutex_lock(&room->lock);
    for (const struct letter *letter = room->letters; letter && !asked; letter = letter->next)
        asked = letter->plays && holds_seat(room, letter->client);
    pthread_mutex_unlock(&room->lock);
    return asked;
}

/* And this with the lock held. */

/* Who sits where. */
struct seated {
    struct client *holder[2];
};

static unsigned char side_of(const struct letter *letter, const struct seated *seated) {
    if (letter->seat != NO_SIDE) return letter->seat;
    if (letter->client == seated->holder[RED]) return RED;
    return letter->client == seated->holder[BLUE] ? BLUE : NO_SIDE;
}

/* The first letter of the client that has written this one. */
static struct letter **first_of(struct room *room, const struct letter *letter) {
    struct letter **link = &room->letters;
    while ((*link)->client != letter->client) link = &(*link)->next;
    return link;
}

/* A letter of a player, the other one if a player was heard last; NULL: there is none. */
static struct letter **find_players(struct room *room, const struct seated *seated) {
    bool any = room->sits;
    for (int side = RED; side <= BLUE; side++)
        any = any || (seated->holder[side] && client_awaits(seated->holder[side]));
    for (struct letter *letter = any ? room->letters : NULL; letter; letter = letter->next) {
        const unsigned char side = side_of(letter, seated);
        if (side != NO_SIDE && side != room->heard_side) return first_of(room, letter);
    }
    return NULL;
}

/* A letter of somebody else, of another visitor than the last if there is one: nobody waits for the
 * many of somebody else. NULL: there is none. */
static struct letter **find_others(struct room *room, const struct seated *seated) {
    enum { LOOKED_AT = 1000 };
    struct letter *first = NULL, *letter = room->letters;
    for (int i = 0; letter && i < LOOKED_AT; letter = letter->next, i++) {
        if (side_of(letter, seated) != NO_SIDE) continue;
        if (!first) first = letter;
        if (!room->heard || client_visitor(letter->client) != room->heard) break;
    }
    if (!letter || side_of(letter, seated) != NO_SIDE) letter = first;
    return letter ? first_of(room, letter) : NULL;
}

struct letter *room_take_letter(struct room *room) {
    struct seated seated;
    for (int side = RED; side <= BLUE; side++)
        seated.holder[side] = subscribers_holder(&room->subscribers, (enum side)side);
    pthread_mutex_lock(&room->lock);
    struct letter **link = find_players(room, &seated);
    if (!link) link = find_others(room, &seated);
    if (!link) link = &room->letters;
    struct letter *letter = *link;
    if (letter) {
        *link = letter->next;
        if (!letter->next) room->letters_end = link;
        room->heard = client_visitor(letter->client);
        room->heard_side = side_of(letter, &seated);
        room->sits -= letter->seat != NO_SIDE;
    }
    pthread_mutex_unlock(&room->lock);
    return letter;
}
