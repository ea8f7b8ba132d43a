/* audience.h - who is told about a game: clients that hold a seat, and clients that watch.
 *
 * Everything that a listener is told about the game is made for its eyes (host/seat/outlook.h), and
 * carries the id of the game and the listener's "seat" or "eyes". What is said while the audience
 * is held waits until it is released. */
#ifndef ENSIGN_SERVE_AUDIENCE_H
#define ENSIGN_SERVE_AUDIENCE_H

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

struct audience {
    const char *id; /* of the game */
    struct listener *list;
    size_t count;
    bool held;
    struct parcel *parcels; /* oldest first */
    size_t parcel_count;
};

/* Adds a listener, once. NULL with a fault without memory, or if the client's visitor watches all
 * that it may. Valid until the audience changes. */
const struct listener *audience_add(struct audience *audience, struct client *client,
                                    enum onlooker eyes, bool seated, struct fault *fault);

/* Removes a client with its seats. Returns how many listeners went. */
size_t audience_remove(struct audience *audience, const struct client *client);

/* Removes the listener at an index. */
void audience_drop(struct audience *audience, size_t index);

/* Nobody holds this seat any more. */
void audience_leave_seat(struct audience *audience, enum side side);

/* The client that holds the seat of a side; NULL if none does. */
struct client *audience_holder(const struct audience *audience, enum side side);
bool audience_has(const struct audience *audience, const struct client *client);
void audience_clear(struct audience *audience); /* drops what waits */

/* Marks a message (NULL is allowed) with game and seat or eyes, and returns it. */
json_t *audience_mark(const struct audience *audience, const struct listener *listener,
                      json_t *message);

/* Sends a message to a listener, marked. Frees the message. */
void audience_send(struct audience *audience, const struct listener *listener, json_t *message);

/* Sends lines of marked messages. */
void audience_send_lines(struct audience *audience, const struct listener *listener,
                         const char *lines, size_t length);

/* The same as audience_send() for whoever holds the seat of a side, if anybody does. */
void audience_send_seat(struct audience *audience, enum side side, json_t *message);

/* Sends any client a message as it is. Frees it. */
void audience_reply(struct audience *audience, struct client *client, json_t *message);

/* Sends what has waited, in order. */
void audience_release(struct audience *audience);

#endif
