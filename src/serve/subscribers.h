/* subscribers.h - who is told about a game: clients that hold a seat, and clients that watch.
 *
 * Everything that a listener is told about the game is made for its eyes (host/seat/outlook.h), and
 * carries the id of the game and the listener's "seat" or "eyes". What is said while the
 * subscribers are held waits until they are released. */
#ifndef ENSIGN_SERVE_SUBSCRIBERS_H
#define ENSIGN_SERVE_SUBSCRIBERS_H

#include "client.h"
#include "host/seat/outlook.h"

enum { LISTENERS_MAX = 1 << 16, PARCELS_MAX = 1 << 20 };

struct listener {
    struct client *client; /* held */
    enum onlooker eyes;
    bool seated; /* holds the seat of the side `eyes` */
};

/* A message that waits. */
struct parcel {
    struct client *client; /* held */
    json_t *message;       /* owned; NULL: lines */
    char *lines;           /* owned */
};

struct subscribers {
    const char *id; /* of the game */
    struct listener *list;
    size_t count;
    bool held;
    struct parcel *parcels; /* oldest first */
    size_t parcel_count;
};

/* Adds a listener, once. NULL with a fault without memory, or if the client's visitor watches all
 * that it may. Valid until the list changes. */
const struct listener *subscribers_add(struct subscribers *subscribers, struct client *client,
                                       enum onlooker eyes, bool seated, struct fault *fault);

/* Removes a client with its seats. Returns how many listeners went. */
size_t subscribers_remove(struct subscribers *subscribers, const struct client *client);

/* Removes the listener at an index. */
void subscribers_drop(struct subscribers *subscribers, size_t index);

/* Nobody holds this seat any more. */
void subscribers_leave_seat(struct subscribers *subscribers, enum side side);

/* The client that holds the seat of a side; NULL if none does. */
struct client *subscribers_holder(const struct subscribers *subscribers, enum side side);
bool subscribers_has(const struct subscribers *subscribers, const struct client *client);
void subscribers_clear(struct subscribers *subscribers); /* drops what waits */

/* Marks a message (NULL is allowed) with game and seat or eyes, and returns it. */
json_t *subscribers_mark(const struct subscribers *subscribers, const struct listener *listener,
                         json_t *message);

/* Sends a message to a listener, marked. Frees the message. */
void subscribers_send(struct subscribers *subscribers, const struct listener *listener,
                      json_t *message);

/* Sends lines of marked messages. */
void subscribers_send_lines(struct subscribers *subscribers, const struct listener *listener,
                            const char *lines, size_t length);

/* The same as subscribers_send() for whoever holds the seat of a side, if anybody does. */
void subscribers_send_seat(struct subscribers *subscribers, enum side side, json_t *message);

/* Sends any client a message as it is. Frees it. */
void subscribers_reply(struct subscribers *subscribers, struct client *client, json_t *message);

/* Sends what has waited, in order. */
void subscribers_release(struct subscribers *subscribers);

#endif
