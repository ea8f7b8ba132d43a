/* client.c - a queue of lines behind a lock. */
#include "client.h"

#include "host/seat/message.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { USUAL_BYTES = 1 << 12 /* of a message; longer ones are long */ };

struct client {
    atomic_int holders;
    pthread_mutex_t lock; /* guards what follows */
    pthread_cond_t room;
    struct buffer queue;
    size_t unread;              /* bytes, in the queue or taken from it */
    bool waits;                 /* senders wait while the queue is full */
    struct visitor *visitor;    /* held; set once */
    struct allowance allowance; /* of requests; for the thread that hears it */
    bool gone, goodbye;
    char word[SECRET_MAX]; /* "": none */
    int requests;          /* not obeyed yet */
    size_t asked;          /* bytes said since there were none */
    bool checking;
    json_t *check; /* waits for its turn; owned */
    void (*wake)(void *context);
    void *context;

    char (*games)[CLIENT_GAME_MAX]; /* this and what follows: guarded by the lobby's lock */
    size_t game_count;
    struct errand *errand;
};

struct client *client_open(size_t unread, void (*wake)(void *context), void *context) {
    struct client *client = calloc(1, sizeof *client);
    if (!client) return NULL;
    atomic_init(&client->holders, 1);
    pthread_mutex_init(&client->lock, NULL);
    pthread_cond_init(&client->room, NULL);
    client->queue = buffer_of(unread ? unread : CLIENT_QUEUE_MAX);
    client->waits = !unread;
    client->wake = wake;
    client->context = context;
    return client;
}

struct client *client_hold(struct client *client) {
    atomic_fetch_add(&client->holders, 1);
    return client;
}

void client_release(struct client *client) {
    if (!client || atomic_fetch_sub(&client->holders, 1) > 1) return;
    buffer_clear(&client->queue);
    free(client->games);
    visitor_leaves_unread(client->visitor, -(int64_t)client->unread);
    visitor_release(client->visitor);
    json_decref(client->check);
    pthread_cond_destroy(&client->room);
    pthread_mutex_destroy(&client->lock);
    free(client);
}

void client_is_of(struct client *client, struct visitor *visitor) {
    client->visitor = visitor_hold(visitor);
}

struct visitor *client_visitor(const struct client *client) {
    return client ? client->visitor : NULL;
}

bool client_may_ask(struct client *client, size_t length, struct fault *fault) {
    pthread_mutex_lock(&client->lock);
    client->asked = (client->requests ? client->asked : 0) + length;
    pthread_mutex_unlock(&client->lock);
    visitor_charge(client->visitor, RATE_BYTES, (double)length);
    if (!visitor_may_ask(client->visitor, &client->allowance, fault)) return false;
    if (length <= USUAL_BYTES) return true;
    if (!visitor_spend(client->visitor, RATE_READING, 0, fault)) return false;
    visitor_charge(client->visitor, RATE_READING, (double)length); /* perhaps a debt */
    return true;
}

static void cut_off(struct client *client) {
    client->gone = true;
    pthread_cond_broadcast(&client->room);
}

/* What nobody will read is freed now: a game may hold the client for long. */
void client_hang_up(struct client *client) {
    pthread_mutex_lock(&client->lock);
    cut_off(client);
    const size_t unread = client->waits ? 0 : client->queue.length;
    if (unread) buffer_clear(&client->queue);
    pthread_mutex_unlock(&client->lock);
    client_reads(client, unread);
}

bool client_is_gone(struct client *client) {
    pthread_mutex_lock(&client->lock);
    bool gone = client->gone;
    pthread_mutex_unlock(&client->lock);
    return gone;
}

void client_says_goodbye(struct client *client) {
    pthread_mutex_lock(&client->lock);
    client->goodbye = true;
    pthread_mutex_unlock(&client->lock);
}

bool client_is_lost(struct client *client) {
    pthread_mutex_lock(&client->lock);
    bool lost = client->gone && !client->goodbye;
    pthread_mutex_unlock(&client->lock);
    return lost;
}

void client_is_known_as(struct client *client, const char word[SECRET_MAX]) {
    pthread_mutex_lock(&client->lock);
    memcpy(client->word, word, SECRET_MAX);
    pthread_mutex_unlock(&client->lock);
}

bool client_is_same(struct client *one, struct client *other) {
    char word[SECRET_MAX];
    if (one == other) return true;
    pthread_mutex_lock(&one->lock);
    memcpy(word, one->word, SECRET_MAX);
    pthread_mutex_unlock(&one->lock);
    pthread_mutex_lock(&other->lock);
    const bool same = secret_is(word, other->word);
    pthread_mutex_unlock(&other->lock);
    return same;
}

static int requests_full(const struct client *client) {
    return client->waits ? CLIENT_REQUESTS_FULL : CLIENT_REQUESTS_OF_ONE;
}

void client_asks(struct client *client) {
    pthread_mutex_lock(&client->lock);
    client->requests++;
    pthread_mutex_unlock(&client->lock);
}

void client_is_answered(struct client *client) {
    pthread_mutex_lock(&client->lock);
    bool relieved = client->requests-- == requests_full(client);
    relieved = relieved || (client->waits && !client->requests);
    if (relieved && !client->gone) client->wake(client->context);
    pthread_mutex_unlock(&client->lock);
}

bool client_is_busy(struct client *client) {
    pthread_mutex_lock(&client->lock);
    const bool waiting = !client->waits && client->requests && client->asked > CLIENT_ASKED_FULL;
    const bool busy = waiting || client->requests >= requests_full(client) ||
                      client->queue.length > CLIENT_QUEUE_FULL;
    pthread_mutex_unlock(&client->lock);
    return busy;
}

bool client_awaits(struct client *client) {
    pthread_mutex_lock(&client->lock);
    bool awaits = client->requests > 0;
    pthread_mutex_unlock(&client->lock);
    return awaits;
}

/* Before something is queued, with the lock held. */
static void await_space(struct client *client) {
    while (client->waits && !client->gone && client->queue.length > CLIENT_QUEUE_FULL)
        pthread_cond_wait(&client->room, &client->lock);
}

/* Something was queued behind the first `before` bytes, unless it did not fit. Returns its length.
 * Waking inside the lock: whoever hangs up knows that nobody wakes him any more. */
static size_t note_queued(struct client *client, size_t before, bool fits) {
    const size_t added = client->queue.length - before;
    client->unread += added;
    const bool few = visitor_leaves_unread(client->visitor, (int64_t)added);
    if (!fits || (!few && client->unread > CLIENT_UNREAD_FREE)) cut_off(client);
    if (!before || client->gone) client->wake(client->context);
    return added;
}

/* Queues a line, unless it could not be made. */
static void queue_line(struct client *client, const char *line, size_t length, bool waits) {
    size_t added = 0;
    pthread_mutex_lock(&client->lock);
    if (waits) await_space(client);
    const size_t before = client->queue.length;
    if (!client->gone)
        added = note_queued(client, before, line && buffer_add(&client->queue, line, length));
    pthread_mutex_unlock(&client->lock);
    visitor_charge(client->visitor, RATE_BYTES, (double)added);
}

/* The line is made before the client is locked: a long one takes time, and the thread of the
 * network waits for the lock. */
static void queue_message(struct client *client, json_t *message, bool waits) {
    struct buffer line = buffer_of(CLIENT_QUEUE_MAX);
    buffer_reserve(&line, USUAL_BYTES);
    const bool made = message_write(message, &line);
    queue_line(client, made ? line.text : NULL, line.length, waits);
    buffer_clear(&line);
}

void client_send(struct client *client, json_t *message) {
    queue_message(client, message, true);
}

void client_send_now(struct client *client, json_t *message) {
    queue_message(client, message, false);
}

void client_send_lines(struct client *client, const char *lines, size_t length) {
    queue_line(client, lines, length, true);
}

struct errand *client_errand(const struct client *client) {
    return client->errand;
}

void client_set_errand(struct client *client, struct errand *errand) {
    client->errand = errand;
}

static size_t find_game(const struct client *client, const char *game) {
    size_t i = 0;
    while (i < client->game_count && strcmp(client->games[i], game) != 0) i++;
    return i;
}

bool client_enter(struct client *client, const char *game) {
    if (find_game(client, game) < client->game_count) return true;
    char(*games)[CLIENT_GAME_MAX] =
        array_grown(client->games, client->game_count, sizeof *games, CLIENT_GAMES_MAX);
    if (!games) return false;
    client->games = games;
    snprintf(games[client->game_count++], CLIENT_GAME_MAX, "%s", game);
    return true;
}

void client_exit(struct client *client, const char *game) {
    const size_t i = find_game(client, game);
    if (i == client->game_count) return;
    memmove(client->games[i], client->games[--client->game_count], CLIENT_GAME_MAX);
}

const char *client_game(const struct client *client, size_t index) {
    return index < client->game_count ? client->games[index] : NULL;
}

bool client_take(struct client *client, struct buffer *out) {
    pthread_mutex_lock(&client->lock);
    struct buffer queued = client->queue;
    client->queue = *out;
    client->queue.ceiling = queued.ceiling;
    *out = queued;
    pthread_cond_broadcast(&client->room);
    pthread_mutex_unlock(&client->lock);
    return out->length;
}

void client_reads(struct client *client, size_t length) {
    pthread_mutex_lock(&client->lock);
    client->unread -= length;
    pthread_mutex_unlock(&client->lock);
    visitor_leaves_unread(client->visitor, -(int64_t)length);
}

bool client_may_check(struct client *client, json_t *request, json_t **outdated) {
    *outdated = NULL;
    pthread_mutex_lock(&client->lock);
    const bool turn = !client->checking;
    client->checking = true;
    if (!turn) {
        *outdated = client->check;
        client->check = request;
    }
    pthread_mutex_unlock(&client->lock);
    return turn;
}

json_t *client_next_check(struct client *client) {
    pthread_mutex_lock(&client->lock);
    json_t *next = client->check;
    client->check = NULL;
    client->checking = next;
    pthread_mutex_unlock(&client->lock);
    return next;
}
