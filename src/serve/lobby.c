/* lobby.c - finds the room of each request; makes rooms; lists and checks.
 *
 * Tables are found by their ids, and by the secrets of their seats and the invitations to them, in
 * two trees (tsearch()) behind one lock, which also keeps a room from being freed while a letter is
 * handed to it. Lists and checks take processes, and so are tasks of their own.
 *
 * Nobody waits for the disk with this lock, nor does the thread that hears the clients. A game that
 * is not in memory is read by a task (struct errand), and what the client says to games meanwhile
 * waits behind it, in its order. */
#define _GNU_SOURCE
#include "lobby.h"
#include "serve/net/net.h"

#include "background.h"
#include "base/clock.h"
#include "confined.h"
#include "game_list.h"
#include "host/seat/message.h"
#include "host/seat/reply.h"
#include "serve/room/room.h"
#include "study.h"
#include "variant_cache.h"
#include "workers.h"

#include <math.h>
#include <pthread.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

enum {
    GAMES_ON_PAGE = 100, /* of a list, unless the client says another number */
    GAMES_OF_OWN = 1000, /* over standard input, and at most */
    LINES_BYTES = 1 << 20,
    GAME_BYTES = 1 << 18, /* counted where a game is played again: it may be long */
    CURSOR_DIGITS = 20,
    LOOK_LIFETIME = 10000, /* ms: of the answer that there is no game for a card */
    LISTS_LIFETIME = 30000 /* ms: of variants, bots and set-ups at a server of strangers */
};

struct lobby {
    struct lobby_options options;
    struct folders folders; /* of the options; with the reader, in a workshop */
    struct confined confined;
    struct room_house house;
    struct workers *workers;
    struct variant_cache *variants;
    struct workspace *workspace; /* NULL: none */
    struct background background;
    struct studies *studies;
    pthread_mutex_t lock; /* guards what follows */
    pthread_cond_t emptied;
    void *by_id, *by_secret; /* trees of struct place */
    size_t rooms;
    uint64_t games;  /* made so far */
    uint64_t orders; /* given to rooms so far */
    struct game_list lists[ROOM_LISTS];
    uint64_t standing[ROOM_STATES]; /* rooms in each state */
    struct alarms *alarms;
    struct bot_slots *slots;  /* NULL over standard input */
    struct reading *readings; /* games that are being read from the archive */
    struct look *looks;
};

/* A game that a thread reads. What it has read counts only if no room of the game was dropped
 * meanwhile: that room may have gone on with it. */
struct reading {
    struct reading *next;
    const char *key;
    bool outdated;
};

/* Somebody asked for the card of a game that is not in memory. */
struct look {
    struct look *next;
    char id[ROOM_ID_MAX];
    bool none;     /* it was read: there is no such game */
    int64_t until; /* clock_ms(), if so */
};

/* Where a room is found: under its id, a secret or an invitation. */
struct place {
    const char *key;
    struct room *room;
};

/* Shorter keys first: games in the order of their numbers. */
static int place_compare(const void *a, const void *b) {
    const char *one = ((const struct place *)a)->key, *other = ((const struct place *)b)->key;
    const size_t lengths[2] = {strlen(one), strlen(other)};
    if (lengths[0] != lengths[1]) return lengths[0] < lengths[1] ? -1 : 1;
    return strcmp(one, other);
}

static bool add_place(void **tree, const char *key, struct room *room) {
    struct place *place = malloc(sizeof *place);
    if (!place) return false;
    *place = (struct place){key, room};
    if (tsearch(place, tree, place_compare)) return true;
    free(place);
    return false;
}

static void drop_place(void **tree, const char *key) {
    const struct place wanted = {key, NULL};
    struct place **found = tfind(&wanted, tree, place_compare);
    if (!found) return;
    struct place *place = *found;
    tdelete(&wanted, tree, place_compare);
    free(place);
}

static struct room *find_room(void *const *tree, const char *key) {
    const struct place wanted = {key, NULL};
    struct place **found = tfind(&wanted, tree, place_compare);
    return found ? (*found)->room : NULL;
}

/* Notes how a room stands; `in`, or that it has gone. With the lock held. */
static void note_standing(struct lobby *lobby, struct room *room, bool in) {
    const struct room_note *note = room_note(room);
    struct game_list *game_list = &lobby->lists[note->standing.list];
    lobby->standing[note->standing.state] += in ? 1 : (uint64_t)-1;
    if (note->standing.list == ROOM_UNLISTED) return;
    if (in)
        game_list_add(game_list, note->order, room);
    else
        game_list_drop(game_list, note->order);
}

/* room_house.stands */
static void lobby_stands(void *context, struct room *room, struct room_standing standing) {
    struct lobby *lobby = context;
    pthread_mutex_lock(&lobby->lock);
    note_standing(lobby, room, false);
    room_note_standing(room, standing);
    note_standing(lobby, room, true);
    pthread_mutex_unlock(&lobby->lock);
}

static void outdate_readings(struct lobby *lobby, const char *key) {
    for (struct reading *reading = lobby->readings; reading; reading = reading->next)
        if (!strcmp(reading->key, key)) reading->outdated = true;
}

static void drop_room(struct lobby *lobby, struct room *room) {
    note_standing(lobby, room, false);
    drop_place(&lobby->by_id, room_id(room));
    outdate_readings(lobby, room_id(room));
    for (int side = RED; side <= BLUE; side++) {
        const char *const words[] = {room_secret(room, (enum side)side),
                                     room_invite(room, (enum side)side)};
        for (int i = 0; i < 2; i++) {
            drop_place(&lobby->by_secret, words[i]);
            outdate_readings(lobby, words[i]);
        }
    }
}

static bool lobby_forget(void *context, struct room *room) {
    struct lobby *lobby = context;
    pthread_mutex_lock(&lobby->lock);
    bool called = room_is_called(room);
    if (!called) {
        drop_room(lobby, room);
        if (!--lobby->rooms) pthread_cond_broadcast(&lobby->emptied);
    }
    pthread_mutex_unlock(&lobby->lock);
    return !called;
}

static void lobby_alarm(void *context, struct alarm *alarm, int64_t at) {
    struct lobby *lobby = context;
    if (alarms_set(lobby->alarms, alarm, at)) lobby->options.wake(lobby->options.context);
}

static bool lobby_make(void *context, struct visitor *visitor, json_t *request,
                       char id[ROOM_ID_MAX], char secret[2][SECRET_MAX], struct fault *fault);
static bool lobby_find(void *context, const char *id, char secret[2][SECRET_MAX]);
static json_t *list_games(void *context, const json_t *request, struct fault *fault);

static struct room_waits usual_waits(struct room_waits waits) {
    enum { MINUTE = 60000 };
    return (struct room_waits){.claim = waits.claim ? waits.claim : MINUTE,
                               .doze = waits.doze ? waits.doze : MINUTE,
                               .leave = waits.leave ? waits.leave : 2 * MINUTE};
}

/* Everything that takes time counts as a room until it has ended, for lobby_close(). */
static void background_begins(struct lobby *lobby) {
    pthread_mutex_lock(&lobby->lock);
    lobby->rooms++;
    pthread_mutex_unlock(&lobby->lock);
}

static void background_done(void *context) {
    struct lobby *lobby = context;
    pthread_mutex_lock(&lobby->lock);
    if (!--lobby->rooms) pthread_cond_broadcast(&lobby->emptied);
    pthread_mutex_unlock(&lobby->lock);
}

/* room_house.study, and for a record without a game. */
static bool lobby_study(void *context, struct client *client, const json_t *request, const char *id,
                        char *record, struct fault *fault) {
    struct lobby *lobby = context;
    background_begins(lobby);
    const bool begun = study_begin(lobby->studies, client, request, id, record, fault);
    if (!begun) background_done(lobby);
    return begun;
}

static void free_lobby(struct lobby *lobby) {
    studies_close(lobby->studies);
    task_source_release(lobby->house.nobodys);
    workspace_close(lobby->workspace);
    lists_close(lobby->background.lists);
    variant_cache_close(lobby->variants);
    bot_slots_close(lobby->slots);
    alarms_close(lobby->alarms);
    for (int list = 0; list < ROOM_LISTS; list++) game_list_clear(&lobby->lists[list]);
    for (struct look *look = lobby->looks, *next; look; look = next) next = look->next, free(look);
    pthread_mutex_destroy(&lobby->lock);
    pthread_cond_destroy(&lobby->emptied);
    free(lobby);
}

struct lobby *lobby_open(const struct lobby_options *options, struct fault *fault) {
    struct lobby *lobby = calloc(1, sizeof *lobby);
    if (!lobby) {
        fault_set(fault, STATUS_NO_MEMORY, "no memory for games");
        return NULL;
    }
    lobby->options = *options;
    pthread_mutex_init(&lobby->lock, NULL);
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&lobby->emptied, &monotonic);
    pthread_condattr_destroy(&monotonic);
    lobby->alarms = alarms_open();
    if (!options->open) lobby->slots = bot_slots_open(options->bots);
    lobby->folders = *options->folders;
    if (options->workshop) {
        confined_open(&lobby->confined, &lobby->folders);
        lobby->folders.reader = &lobby->confined.reader;
    }
    lobby->variants = variant_cache_open(&lobby->folders, options->trust, options->workshop);
    if (lobby->variants && options->workshop)
        lobby->workspace = workspace_open(lobby->variants, &lobby->folders);
    bool for_strangers = !options->open && !options->workshop;
    const struct folders *shown = options->workshop ? &lobby->folders : options->shown;
    struct lists *lists = lists_open(shown, for_strangers ? LISTS_LIFETIME : 0);
    if (lobby->variants && lists && !lobby->workspace == !options->workshop && lobby->alarms &&
        !lobby->slots == options->open)
        lobby->workers = workers_open(options->jobs, fault);
    else
        fault_set(fault, STATUS_NO_MEMORY, "no memory for games");
    lobby->house = (struct room_house){.shown = shown,
                                       .variants = lobby->variants,
                                       .workers = lobby->workers,
                                       .limits = options->limits,
                                       .deadline = options->deadline,
                                       .programs = options->programs,
                                       .key = options->key,
                                       .open = options->open,
                                       .forget = lobby_forget,
                                       .stands = lobby_stands,
                                       .make = lobby_make,
                                       .find = lobby_find,
                                       .study = lobby_study,
                                       .archive = options->archive,
                                       .waits = usual_waits(options->waits),
                                       .alarm = lobby_alarm,
                                       .slots = lobby->slots,
                                       .nobodys = task_source_open(),
                                       .context = lobby};
    lobby->background = (struct background){.workers = lobby->workers,
                                            .folders = &lobby->folders,
                                            .lists = lists,
                                            .workspace = lobby->workspace,
                                            .one_check = !options->open,
                                            .games = list_games,
                                            .done = background_done,
                                            .context = lobby};
    const struct study_terms studies = {.workers = lobby->workers,
                                        .variants = lobby->variants,
                                        .slots = lobby->slots,
                                        .folders = &lobby->folders,
                                        .limits = options->limits,
                                        .deadline = options->deadline,
                                        .key = options->key,
                                        .open = options->open || options->workshop,
                                        .done = background_done,
                                        .context = lobby};
    if (lobby->workers) lobby->studies = studies_open(&studies);
    if (lobby->studies) return lobby;
    if (lobby->workers) fault_set(fault, STATUS_NO_MEMORY, "no memory for games");
    workers_close(lobby->workers);
    free_lobby(lobby);
    return NULL;
}

struct visit {
    void (*visit)(struct room *room, void *context);
    void *context;
};

static void visit_node(const void *node, VISIT which, void *closure) {
    const struct visit *visit = closure;
    const struct place *const *place = node;
    if (which == postorder || which == leaf) visit->visit((*place)->room, visit->context);
}

/* Calls `visit` for each room, with the lock held. */
static void visit_rooms(struct lobby *lobby, void (*visit)(struct room *room, void *context),
                        void *context) {
    struct visit closure = {visit, context};
    twalk_r(lobby->by_id, visit_node, &closure);
}

static void stop_room(struct room *room, void *context) {
    (void)context;
    room_stop(room);
}

/* Waits a moment for the last room to end, with the lock held. */
static void await_end(struct lobby *lobby) {
    enum { MOMENT = 50000000 /* ns */ };
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += (until.tv_nsec + MOMENT) / 1000000000;
    until.tv_nsec = (until.tv_nsec + MOMENT) % 1000000000;
    pthread_cond_timedwait(&lobby->emptied, &lobby->lock, &until);
}

/* Rooms are stopped again and again: one may have been about to start a program. */
bool lobby_close(struct lobby *lobby) {
    if (!lobby) return true;
    const int64_t until = clock_ms() + LOBBY_PATIENCE;
    studies_stop(lobby->studies);
    pthread_mutex_lock(&lobby->lock);
    while (lobby->rooms && clock_ms() < until) {
        visit_rooms(lobby, stop_room, NULL);
        await_end(lobby);
    }
    bool empty = !lobby->rooms;
    pthread_mutex_unlock(&lobby->lock);
    if (!empty) return false;
    workers_close(lobby->workers);
    free_lobby(lobby);
    return true;
}

static void reply(struct client *client, const json_t *request, json_t *message) {
    client_send_now(client, reply_to(request, message));
}

static void refuse(struct client *client, const json_t *request, const struct fault *fault) {
    reply(client, request, message_error(fault));
}

/* The id of a new game: a number where the clients are the user's own, else a word that cannot be
 * guessed. */
static bool draw_id(const struct lobby *lobby, uint64_t number, char id[ROOM_ID_MAX],
                    struct fault *fault) {
    enum { LETTERS = 12 };
    unsigned char bytes[LETTERS];
    if (lobby->options.open) {
        snprintf(id, ROOM_ID_MAX, "%llu", (unsigned long long)number);
        return true;
    }
    if (getrandom(bytes, sizeof bytes, 0) != LETTERS)
        return fault_set(fault, STATUS_SYSTEM, "the system gives no random numbers");
    for (int i = 0; i < LETTERS; i++) id[i] = "bcdfghjkmnpqrstvwxyz23456789BCDF"[bytes[i] % 32];
    id[LETTERS] = 0;
    return true;
}

/* Lets a room be found, with the lock held. */
static bool place_room(struct lobby *lobby, struct room *room, struct fault *fault) {
    room_note(room)->order = ++lobby->orders;
    note_standing(lobby, room, true);
    bool added = add_place(&lobby->by_id, room_id(room), room);
    for (int side = RED; side <= BLUE; side++) {
        const char *const words[] = {room_secret(room, (enum side)side),
                                     room_invite(room, (enum side)side)};
        for (int i = 0; i < 2; i++)
            if (added && words[i][0]) added = add_place(&lobby->by_secret, words[i], room);
    }
    lobby->rooms++;
    if (!added) room_stop(room);
    return added || fault_set(fault, STATUS_NO_MEMORY, "no memory for a game");
}

/* May the visitor have one more game? */
static bool admit_game(struct visitor *visitor, struct fault *fault) {
    return visitor_spend(visitor, RATE_STORAGE, 0, fault) &&
           visitor_spend(visitor, RATE_GAMES, 1, fault);
}

/* Opens a room that nobody finds yet, with the lock held; `maker` may be NULL. This, deliver() and
 * send_background() set the request to NULL when they have given it away: it must not be looked at
 * by two threads. */
static struct room *open_room(struct lobby *lobby, struct visitor *visitor, struct client *maker,
                              json_t **request, struct fault *fault) {
    char id[ROOM_ID_MAX];
    const uint64_t number = ++lobby->games;
    if (lobby->rooms >= LOBBY_GAMES_MAX) {
        fault_set(fault, STATUS_SYSTEM, "there are %d games already; try again later",
                  LOBBY_GAMES_MAX);
        return NULL;
    }
    if (!admit_game(visitor, fault) || !draw_id(lobby, number, id, fault)) return NULL;
    struct room *room = room_open(&lobby->house, id, number, visitor, maker, *request, fault);
    if (room) *request = NULL;
    return room;
}

/* Notes that a room may have the client in its subscribers, with the lock held. Over standard input
 * all rooms are told when it goes. */
static bool enter_room(struct lobby *lobby, struct client *client, const char *game,
                       struct fault *fault) {
    if (lobby->options.open || client_enter(client, game)) return true;
    for (size_t i = 0; client_game(client, i); i++)
        while (client_game(client, i) && !find_room(&lobby->by_id, client_game(client, i)))
            client_exit(client, client_game(client, i));
    return client_enter(client, game) ||
           fault_set(fault, STATUS_USAGE, "you are in %d games; leave one of them",
                     CLIENT_GAMES_MAX);
}

/* Games that would not be kept are not begun. */
static bool can_keep(const struct lobby *lobby, struct fault *fault) {
    return !lobby->options.archive || archive_seems_whole(lobby->options.archive) ||
           fault_set(fault, STATUS_SYSTEM, "the server cannot keep games now; try again later");
}

static bool begin_room(struct lobby *lobby, struct client *client, json_t **request,
                       struct fault *fault) {
    if (!can_keep(lobby, fault)) return false;
    json_t *id = json_incref(json_object_get(*request, "id"));
    pthread_mutex_lock(&lobby->lock);
    struct room *room = open_room(lobby, client_visitor(client), client, request, fault);
    if (room && !place_room(lobby, room, fault)) room = NULL;
    if (room && !enter_room(lobby, client, room_id(room), fault)) {
        room_stop(room);
        room = NULL;
    }
    if (room) room_wake(room);
    pthread_mutex_unlock(&lobby->lock);
    if (!room && !*request && id) *request = json_pack("{s:O}", "id", id); /* to be refused by */
    json_decref(id);
    return room;
}

/* room_house.make */
static bool lobby_make(void *context, struct visitor *visitor, json_t *request,
                       char id[ROOM_ID_MAX], char secret[2][SECRET_MAX], struct fault *fault) {
    struct lobby *lobby = context;
    pthread_mutex_lock(&lobby->lock);
    struct room *room = open_room(lobby, visitor, NULL, &request, fault);
    pthread_mutex_unlock(&lobby->lock);
    json_decref(request);
    const bool kept = room && room_keep_early(room, fault); /* waits for the disk */
    pthread_mutex_lock(&lobby->lock);
    if (room && !place_room(lobby, room, fault)) room = NULL;
    if (room && !kept) {
        room_stop(room);
        room = NULL;
    }
    if (room) {
        strcpy(id, room_id(room));
        for (int side = RED; side <= BLUE; side++)
            strcpy(secret[side], room_secret(room, (enum side)side));
        room_wake(room);
    }
    pthread_mutex_unlock(&lobby->lock);
    return room;
}

/* room_house.find */
static bool lobby_find(void *context, const char *id, char secret[2][SECRET_MAX]) {
    struct lobby *lobby = context;
    struct archived kept = {0};
    struct fault fault = {0};
    pthread_mutex_lock(&lobby->lock);
    const struct room *room = find_room(&lobby->by_id, id);
    for (int side = RED; side <= BLUE && room; side++)
        strcpy(secret[side], room_secret(room, (enum side)side));
    pthread_mutex_unlock(&lobby->lock);
    if (room) return true;
    if (!lobby->options.archive || !archive_find(lobby->options.archive, id, &kept, &fault))
        return false;
    memcpy(secret, kept.secret, sizeof kept.secret);
    archived_clear(&kept);
    return true;
}

static bool makes_listener(const char *type) {
    return !strcmp(type, "sit") || !strcmp(type, "join") || !strcmp(type, "watch");
}

/* Is the whole game played again for it? */
static bool plays_again(const char *type) {
    return makes_listener(type) || !strcmp(type, "undo");
}

/* What names the room of a request. */
struct address {
    const char *key, *what, *unknown;
    bool secret;
};

static struct address address_of(const json_t *request, const char *type) {
    const json_t *invite = json_object_get(request, "invite");
    if (!strcmp(type, "sit"))
        return (struct address){"seat", "the secret of a seat", "no seat has this secret", true};
    if (!strcmp(type, "invitation") || (!strcmp(type, "join") && invite && !json_is_null(invite)))
        return (struct address){"invite", "the code of an invitation",
                                "there is no such invitation", true};
    return (struct address){"game", "the id of a game", NULL, false};
}

static void tell_gone(struct room *room, void *context) {
    room_post(room, context, NULL);
}

/* Tells the games of a client that it has gone, with the lock held. */
static void tell_games(struct lobby *lobby, struct client *client) {
    const char *game;
    for (size_t i = 0; (game = client_game(client, i)); i++) {
        struct room *room = find_room(&lobby->by_id, game);
        if (room) tell_gone(room, client);
    }
}

/* Hands a request to its room, with the lock held. */
static bool hand_over(struct lobby *lobby, struct client *client, struct room *room,
                      json_t **request, struct fault *fault) {
    const char *type = json_string_value(json_object_get(*request, "type"));
    const bool listens = makes_listener(type), again = plays_again(type);
    const bool leaves = !strcmp(type, "leave");
    if (listens && !enter_room(lobby, client, room_id(room), fault)) {
        room_wake(room); /* it may come from the archive */
        return false;
    }
    if (again) visitor_charge(client_visitor(client), RATE_BYTES, GAME_BYTES);
    if (leaves) client_exit(client, room_id(room));
    room_post(room, client, *request);
    *request = NULL;
    return true;
}

static struct room *find_addressed(struct lobby *lobby, const struct address *address,
                                   const char *key) {
    return find_room(address->secret ? &lobby->by_secret : &lobby->by_id, key);
}

/* The room of a game that may have left the memory, from the archive, with the lock held, which is
 * given back while the disk is read. NULL with a fault. */
static struct room *fetch_room(struct lobby *lobby, struct visitor *visitor,
                               const struct address *address, const char *key,
                               struct fault *fault) {
    struct archive *archive = lobby->options.archive;
    struct room *room = NULL;
    bool found = true;
    while (found && !(room = find_addressed(lobby, address, key))) {
        struct archived kept;
        struct reading reading = {.next = lobby->readings, .key = key}, **at;
        lobby->readings = &reading;
        pthread_mutex_unlock(&lobby->lock);
        found = (address->secret ? archive_find_seat : archive_find)(archive, key, &kept, fault);
        pthread_mutex_lock(&lobby->lock);
        for (at = &lobby->readings; *at != &reading;) at = &(*at)->next;
        *at = reading.next;
        if (!found) break;
        if (reading.outdated || find_addressed(lobby, address, key)) {
            archived_clear(&kept);
            continue;
        }
        room = room_reopen(&lobby->house, visitor, &kept, fault);
        return room && place_room(lobby, room, fault) ? room : NULL;
    }
    return room;
}

/* What the client is told of a game that could not be fetched. */
static bool explain(const struct address *address, const char *key, struct fault *fault) {
    const bool unreadable = fault->status == STATUS_SYSTEM;
    if (unreadable) *fault = (struct fault){0}; /* what exactly is not the client's business */
    if (unreadable) return fault_set(fault, STATUS_SYSTEM, ARCHIVE_UNREADABLE);
    if (fault->status != STATUS_OK && fault->status != STATUS_NOT_FOUND) return false;
    return address->unknown ? fault_set(fault, STATUS_NOT_FOUND, "%s", address->unknown)
                            : fault_set(fault, STATUS_NOT_FOUND, "there is no game \"%.40s\"", key);
}

/* A client's requests for games, of which the first must be read from the archive. */
struct errand {
    struct task task; /* first */
    struct lobby *lobby;
    struct client *client; /* held */
    json_t *requests;      /* an array; guarded by the lobby's lock */
    bool paid;             /* its visitor has, for one game */
};

/* The next request; NULL, and the client has no errand any more, if there is none. A client that
 * has gone meanwhile goes behind all that it had said. */
static json_t *errand_next(struct errand *errand) {
    struct client *client = errand->client;
    pthread_mutex_lock(&errand->lobby->lock);
    json_t *request = json_incref(json_array_get(errand->requests, 0));
    if (request) {
        json_array_remove(errand->requests, 0);
    } else {
        client_set_errand(client, NULL);
        if (client_is_gone(client)) tell_games(errand->lobby, client);
    }
    pthread_mutex_unlock(&errand->lobby->lock);
    return request;
}

/* deliver() in a thread that may wait for the disk. */
static bool errand_deliver(struct errand *errand, json_t **request, struct fault *fault) {
    struct lobby *lobby = errand->lobby;
    struct visitor *visitor = client_visitor(errand->client);
    const char *type = json_string_value(json_object_get(*request, "type")), *key = NULL;
    const struct address address = address_of(*request, type);
    if (!reply_text(*request, address.key, &key, fault)) return false;
    pthread_mutex_lock(&lobby->lock);
    struct room *room = find_addressed(lobby, &address, key);
    const bool paid = room || errand->paid || visitor_spend(visitor, RATE_FETCHES, 1, fault);
    if (!room && paid) room = fetch_room(lobby, visitor, &address, key, fault);
    errand->paid = false;
    const bool delivered = room && hand_over(lobby, errand->client, room, request, fault);
    pthread_mutex_unlock(&lobby->lock);
    return delivered || (!room && paid && explain(&address, key, fault));
}

static void errand_free(struct errand *errand) {
    client_release(errand->client);
    json_decref(errand->requests);
    free(errand);
}

static enum task_result errand_go(struct task *task) {
    struct errand *errand = (struct errand *)task;
    struct lobby *lobby = errand->lobby;
    for (json_t *request; (request = errand_next(errand));) {
        struct fault fault = {0};
        if (!errand_deliver(errand, &request, &fault)) refuse(errand->client, request, &fault);
        json_decref(request);
        client_is_answered(errand->client);
    }
    errand_free(errand);
    background_done(lobby);
    return TASK_ENDED;
}

/* Gives the request to the client's errand, or to a new one, with the lock held. */
static bool send_errand(struct lobby *lobby, struct client *client, json_t **request,
                        struct fault *fault) {
    struct errand *errand = client_errand(client);
    const bool fresh = !errand;
    if (fresh && !visitor_spend(client_visitor(client), RATE_FETCHES, 1, fault)) return false;
    if (fresh && (errand = calloc(1, sizeof *errand)))
        *errand = (struct errand){
            .task = {.run = errand_go, .source = visitor_source(client_visitor(client))},
            .lobby = lobby,
            .client = client_hold(client),
            .requests = json_array(),
            .paid = true};
    if (!errand || json_array_append(errand->requests, *request) ||
        (fresh && !task_begin(lobby->workers, &errand->task, TASK_QUICK, fault))) {
        if (errand && fresh) errand_free(errand);
        return fault_set(fault, STATUS_NO_MEMORY, "no memory for a request");
    }
    client_asks(client);
    json_decref(*request);
    *request = NULL;
    if (!fresh) return true;
    client_set_errand(client, errand);
    lobby->rooms++;
    task_wake(&errand->task);
    return true;
}

/* Hands a request to its room, or to whoever fetches this. */
static bool deliver(struct lobby *lobby, struct client *client, const char *type, json_t **request,
                    struct fault *fault) {
    const struct address address = address_of(*request, type);
    const char *key;
    if (!reply_text(*request, address.key, &key, fault)) return false;
    if (!key)
        return fault_set(fault, STATUS_TEXT, "\"%s\": expected %s", address.key, address.what);
    pthread_mutex_lock(&lobby->lock);
    struct room *room =
        client_errand(client) ? NULL : find_addressed(lobby, &address, key); /* in their order */
    const bool sent = room ? hand_over(lobby, client, room, request, fault)
                           : lobby->options.archive && send_errand(lobby, client, request, fault);
    pthread_mutex_unlock(&lobby->lock);
    return sent || (!room && !lobby->options.archive && explain(&address, key, fault));
}

/* Reads what part of a list is wanted. */
static bool read_page(const struct lobby *lobby, const json_t *request, uint64_t *after,
                      uint64_t *limit, struct fault *fault) {
    const char *cursor;
    bool there;
    *after = 0;
    *limit = lobby->options.open ? GAMES_OF_OWN : GAMES_ON_PAGE;
    if (!reply_number(request, "limit", GAMES_OF_OWN, &there, limit, fault) ||
        !reply_text(request, "after", &cursor, fault))
        return false;
    if (!*limit) return fault_set(fault, STATUS_TEXT, "\"limit\": expected 1 to %d", GAMES_OF_OWN);
    if (!cursor) return true;
    const size_t digits = strspn(cursor, "0123456789");
    *after = strtoull(cursor, NULL, 10);
    return (digits && digits < CURSOR_DIGITS && !cursor[digits] && *after) ||
           fault_set(fault, STATUS_TEXT, "\"after\": expected the \"next\" of a list");
}

/* Adds the lines of a page, with the lock held. Returns the cursor of the page behind it, 0: none.
 */
static uint64_t add_page(const struct lobby *lobby, enum room_list which, uint64_t after,
                         uint64_t limit, struct buffer *lines) {
    const bool newest_first = !lobby->options.open;
    const struct game_list *list = &lobby->lists[which];
    struct room *room;
    for (; (room = game_list_next(list, after, newest_first)) && limit; limit--) {
        if (lines->length > 1) buffer_add_text(lines, ",");
        room_add_line(room, lines);
        after = room_note(room)->order;
    }
    return room ? after : 0;
}

/* background.games */
static json_t *list_games(void *context, const json_t *request, struct fault *fault) {
    struct lobby *lobby = context;
    const char *what = json_string_value(json_object_get(request, "what"));
    const enum room_list list = !strcmp(what, "open") ? ROOM_OPEN : ROOM_SHOWN;
    struct buffer lines = buffer_of(LINES_BYTES);
    uint64_t after, limit;
    if (!read_page(lobby, request, &after, &limit, fault)) return NULL;
    buffer_add_text(&lines, "[");
    pthread_mutex_lock(&lobby->lock);
    const uint64_t next = add_page(lobby, list, after, limit, &lines);
    pthread_mutex_unlock(&lobby->lock);
    buffer_add_text(&lines, "]");
    json_t *array = lines.broken ? NULL : json_loadb(lines.text, lines.length, 0, NULL);
    buffer_clear(&lines);
    json_t *reply = json_pack("{s:s, s:s, s:o}", "type", "list", "what", what, "list", array);
    if (!reply) fault_set(fault, STATUS_NO_MEMORY, "no memory for a list");
    if (reply && next) {
        char cursor[CURSOR_DIGITS + 1];
        snprintf(cursor, sizeof cursor, "%llu", (unsigned long long)next);
        json_object_set_new(reply, "next", json_string(cursor));
    }
    return reply;
}

static bool send_background(struct lobby *lobby, struct client *client, const char *type,
                            json_t **request, struct fault *fault) {
    const char *what = json_string_value(json_object_get(*request, "what"));
    const bool games = !strcmp(type, "list") && background_lists_games(&lobby->background, what);
    if (!games && !visitor_spend(client_visitor(client), RATE_BACKGROUND, 1, fault)) return false;
    if (strcmp(type, "list") && !lobby->options.open && !lobby->workspace)
        return fault_set(fault, STATUS_USAGE,
                         "\"%s\" is for the workshop: ensign serve --workshop opens it", type);
    background_begins(lobby);
    bool sent = background_run(&lobby->background, client, *request, fault);
    if (sent)
        *request = NULL;
    else
        background_done(lobby);
    return sent;
}

/* Notes by which word a client is known that may get a seat. */
static bool learn_word(struct client *client, const char *type, const json_t *request,
                       struct fault *fault) {
    const char *word = NULL;
    const bool seats = !strcmp(type, "new") || !strcmp(type, "sit") || !strcmp(type, "join");
    if (seats && !secret_read(request, "client", &word, fault)) return false;
    if (word) client_is_known_as(client, word);
    return true;
}

static bool obey(struct lobby *lobby, struct client *client, json_t **request,
                 struct fault *fault) {
    const json_t *value = json_object_get(*request, "type");
    const char *type = json_string_value(value);
    if (!type) return fault_set(fault, STATUS_TEXT, "\"type\": expected the kind of message");
    if (!learn_word(client, type, *request, fault)) return false;
    if (!strcmp(type, "new")) return begin_room(lobby, client, request, fault);
    if (background_is(type)) return send_background(lobby, client, type, request, fault);
    if (study_is(type) && json_object_get(*request, "record"))
        return lobby_study(lobby, client, *request, NULL, NULL, fault);
    if (room_obeys(type)) return deliver(lobby, client, type, request, fault);
    if (!strcmp(type, "heartbeat")) /* none that the net could keep */
        return fault_set(fault, STATUS_TEXT,
                         "\"ms\": expected %d to %d milliseconds, over a WebSocket",
                         NET_HEARTBEAT_LEAST, NET_HEARTBEAT_MOST);
    return fault_set(
        fault, STATUS_TEXT,
        "\"type\": expected new, move, setup, draw, resign, sit, watch, view, why, "
        "undo, invitation, join, claim, rematch, record, analyse, explore, advise, leave, list or "
        "check, got \"%.40s\"",
        type);
}

/* False, and the id is taken out, if it is not one. */
static bool check_id(json_t *request, struct fault *fault) {
    const json_t *id = json_object_get(request, "id");
    if (!id || json_is_string(id) || json_is_number(id)) return true;
    json_object_del(request, "id");
    return fault_set(fault, STATUS_TEXT, "\"id\": expected a text or a number");
}

/* The id of a request that is refused unheard or could not be read; NULL: none. Numbers of any
 * length and NUL characters are read here. */
static json_t *read_id_only(const char *line, size_t length) {
    enum { READABLE = 4096 };
    static const double exact = 9007199254740992; /* 2^53 */
    struct fault none = {0};
    json_t *request =
        length > READABLE ? reply_find_id(line, length) : reply_object(line, length, &none);
    if (!request && length <= READABLE)
        request = json_loadb(line, length, JSON_ALLOW_NUL | JSON_DECODE_INT_AS_REAL, NULL);
    const json_t *id = json_object_get(request, "id");
    const double number = json_real_value(id);
    if (json_is_real(id) && number == trunc(number) && fabs(number) < exact)
        json_object_set_new(request, "id", json_integer((json_int_t)number));
    if (request) check_id(request, &none);
    return request;
}

int lobby_hear(struct lobby *lobby, struct client *client, const char *line, size_t length) {
    struct fault fault = {0};
    json_t *request = NULL;
    if (!client_may_ask(client, length, &fault)) {
        request = read_id_only(line, length);
        refuse(client, request, &fault);
    } else if (strspn(line, " \t\r") < length) {
        request = reply_object(line, length, &fault);
        const bool read = request;
        if (!read) request = read_id_only(line, length);
        if (!read || !check_id(request, &fault) || !obey(lobby, client, &request, &fault))
            refuse(client, request, &fault);
        fault.wait = 0; /* that one thing is refused, not the client */
    }
    json_decref(request);
    return fault.wait;
}

void lobby_miss(struct lobby *lobby, struct client *client) {
    client_hang_up(client);
    pthread_mutex_lock(&lobby->lock);
    if (lobby->options.open) visit_rooms(lobby, tell_gone, client);
    if (!client_errand(client)) tell_games(lobby, client); /* else at its end */
    pthread_mutex_unlock(&lobby->lock);
}

/* Fetches a game for its card. */
struct card_errand {
    struct task task; /* first */
    struct lobby *lobby;
    struct visitor *visitor; /* held */
    struct look *look;
};

/* With the lock held. */
static void drop_look(struct lobby *lobby, struct look *look) {
    struct look **at = &lobby->looks;
    while (*at != look) at = &(*at)->next;
    *at = look->next;
    free(look);
}

/* With the lock held. What nobody asks for again is dropped. */
static struct look *find_look(struct lobby *lobby, const char *id) {
    const int64_t now = clock_ms();
    struct look *found = NULL;
    for (struct look *look = lobby->looks, *next; look; look = next) {
        next = look->next;
        if (look->none && look->until < now)
            drop_look(lobby, look);
        else if (!strcmp(look->id, id))
            found = look;
    }
    return found;
}

static enum task_result card_errand_go(struct task *task) {
    struct card_errand *errand = (struct card_errand *)task;
    struct lobby *lobby = errand->lobby;
    struct look *look = errand->look;
    const struct address by_id = {.secret = false};
    struct fault fault = {0};
    pthread_mutex_lock(&lobby->lock);
    struct room *room = fetch_room(lobby, errand->visitor, &by_id, look->id, &fault);
    if (room) {
        room_wake(room);
        drop_look(lobby, look);
    } else {
        look->none = true;
        look->until = clock_ms() + LOOK_LIFETIME;
    }
    pthread_mutex_unlock(&lobby->lock);
    visitor_release(errand->visitor);
    free(errand);
    background_done(lobby);
    return TASK_ENDED;
}

/* Looks for a game in the archive, with the lock held. False if that cannot be. */
static bool begin_look(struct lobby *lobby, struct visitor *visitor, const char *id) {
    if (!lobby->options.archive || !visitor_spend(visitor, RATE_FETCHES, 1, NULL)) return false;
    struct look *look = calloc(1, sizeof *look);
    struct card_errand *errand = look ? calloc(1, sizeof *errand) : NULL;
    if (errand)
        *errand =
            (struct card_errand){.task = {.run = card_errand_go, .source = visitor_source(visitor)},
                                 .lobby = lobby,
                                 .look = look};
    if (!errand || !task_begin(lobby->workers, &errand->task, TASK_QUICK, NULL)) {
        free(errand);
        free(look);
        return false;
    }
    errand->visitor = visitor_hold(visitor);
    snprintf(look->id, sizeof look->id, "%s", id);
    look->next = lobby->looks;
    lobby->looks = look;
    lobby->rooms++;
    task_wake(&errand->task);
    return true;
}

enum card_state lobby_card(struct lobby *lobby, struct visitor *visitor, const char *id,
                           struct room_card *card) {
    enum card_state state = CARD_NONE;
    pthread_mutex_lock(&lobby->lock);
    struct room *room = find_room(&lobby->by_id, id);
    struct look *look = room ? NULL : find_look(lobby, id);
    if (room)
        state = room_card(room, card);
    else if (look && look->none)
        drop_look(lobby, look);
    else if (look || begin_look(lobby, visitor, id))
        state = CARD_LATER;
    pthread_mutex_unlock(&lobby->lock);
    return state;
}

int lobby_due(struct lobby *lobby) {
    return alarms_ring(lobby->alarms);
}

bool lobby_is_well(struct lobby *lobby, struct fault *fault) {
    (void)lobby;
    return zygote_is_well(fault);
}

struct lobby_figures lobby_figures(struct lobby *lobby) {
    struct lobby_figures figures = {.waiting = workers_waiting(lobby->workers)};
    pthread_mutex_lock(&lobby->lock);
    figures.made = lobby->games;
    figures.forming = lobby->standing[ROOM_FORMING];
    figures.playing = lobby->standing[ROOM_PLAYING];
    figures.over = lobby->standing[ROOM_OVER];
    pthread_mutex_unlock(&lobby->lock);
    return figures;
}
