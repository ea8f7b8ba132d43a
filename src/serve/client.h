/* client.h - one connection, as the games see it: somebody to whom lines can be sent.
 *
 * Lines wait in a bounded queue until the connection takes them. Any thread may send. There are two
 * kinds of clients: for one, a sender waits while the queue is full, so that a client that does not
 * read slows its own games down; the other, one of many, never makes anybody wait and is cut off.
 * Its requests are counted until they have been obeyed, and a client is busy, and should not be
 * heard, while too many of them or too many lines wait. A client lives until everybody who holds it
 * has released it. */
#ifndef ENSIGN_SERVE_CLIENT_H
#define ENSIGN_SERVE_CLIENT_H

#include "secret.h"
#include "visitors.h"

#include "base/buffer.h"

#include <jansson.h>

struct client;

enum {
    CLIENT_REQUESTS_FULL = 1000,
    CLIENT_REQUESTS_OF_ONE = 64,   /* of a client, one of many, */
    CLIENT_ASKED_FULL = 256 << 10, /* and bytes that it has said since none of them waited */
    CLIENT_QUEUE_FULL = 4 << 20,   /* bytes after which senders wait */
    CLIENT_QUEUE_MAX = 256 << 20,  /* bytes: the ceiling */
    CLIENT_UNREAD_FREE = 64 << 10, /* bytes that it may leave unread though its visitor's others
                                      leave too many */
    CLIENT_GAMES_MAX = 256,        /* of a client, one of many, at a time */
    CLIENT_GAME_MAX = 40           /* bytes of a game's id, with the final 0 */
};

/* `wake(context)` is called, by any thread, when the queue is no longer empty, the client may no
 * longer be busy, or it was cut off, and never after client_hang_up(); it must not call back.
 * `unread` is the number of bytes in the queue, at most CLIENT_QUEUE_MAX, beyond which the client
 * is cut off; 0: senders wait. NULL without memory. */
struct client *client_open(size_t unread, void (*wake)(void *context), void *context);
struct client *client_hold(struct client *client); /* returns it */

/* Whose connection it is: what is sent is charged to the visitor, whom it holds. To be said before
 * anything else. NULL: nobody's. */
void client_is_of(struct client *client, struct visitor *visitor);
struct visitor *client_visitor(const struct client *client);

/* May it be heard? False with a fault of visitor_may_ask(). `length`: bytes that it has said. They
 * may be those of a request that waits next. */
bool client_may_ask(struct client *client, size_t length, struct fault *fault);
void client_release(struct client *client); /* NULL is allowed */

/* The connection has ended: nothing is sent any more, what waits is dropped unless senders wait for
 * space, and nobody waits. */
void client_hang_up(struct client *client);
bool client_is_gone(struct client *client);

/* The word that its user has drawn for all connections of one page or program. Two connections that
 * said the same one are the same user's. */
void client_is_known_as(struct client *client, const char word[SECRET_MAX]);
bool client_is_same(struct client *one, struct client *other);

/* It has ended as it should: who leaves says so. Otherwise the connection was lost. */
void client_says_goodbye(struct client *client);
bool client_is_lost(struct client *client);

/* A request of the client waits, and has been obeyed. */
void client_asks(struct client *client);
void client_is_answered(struct client *client);
bool client_is_busy(struct client *client);
bool client_awaits(struct client *client); /* has a request that was not obeyed yet */

/* One check at a time: is it this request's turn? If not, it is taken over and waits for its turn,
 * instead of `*outdated`, which has waited so far and is given back; NULL: none has. */
bool client_may_check(struct client *client, json_t *request, json_t **outdated);

/* The check is done: the next request, to be checked at once by the caller, who frees it; NULL:
 * none waits. */
json_t *client_next_check(struct client *client);

/* Queues a message as one line, and frees it. A message that is NULL (no memory), or does not fit,
 * ends the connection, since the client would miss something. client_send_now() does not wait: for
 * the thread that empties the queue. */
void client_send(struct client *client, json_t *message);

/* The same with lines as they are sent; NULL: no memory. */
void client_send_lines(struct client *client, const char *lines, size_t length);
void client_send_now(struct client *client, json_t *message);

/* What fetches games for its requests (lobby.c); NULL: nothing. The caller's lock guards it, and
 * the games below. */
struct errand;
struct errand *client_errand(const struct client *client);
void client_set_errand(struct client *client, struct errand *errand);

/* The games that may have the client in their subscribers: only they need to know when it has gone.
 * client_enter() is false without memory, or after CLIENT_GAMES_MAX. client_game() is NULL behind
 * the last. */
bool client_enter(struct client *client, const char *game);
void client_exit(struct client *client, const char *game);
const char *client_game(const struct client *client, size_t index);

/* Moves the queue into `out`, which is empty. False if nothing is queued. The bytes are unread
 * until client_reads() has counted them: a client is cut off where those of its visitor are too
 * many. */
bool client_take(struct client *client, struct buffer *out);
void client_reads(struct client *client, size_t length);

#endif
