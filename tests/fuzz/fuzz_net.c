/* What anybody may send to the server's port. A net with a lobby behind it runs in a thread;
 * variants are loaded in this process, and there are no bots (see CMakeLists.txt).
 *
 * The first byte of an input says how its connection begins: '.' with the bytes as they are, 'w'
 * with a sound upgrade, so that the bytes are frames, 't' with that too, but each line is sent in a
 * sound frame. '`' and another byte cut the bytes: what comes before the cut has been read by the
 * server when the rest is sent; '``' is that byte itself. In lines $g, $r and $b stand for the id
 * and the secrets of a game that was made just before.
 *
 * Afterwards an honest client must be served, now and then a new one, and the server must end. */
#define _GNU_SOURCE
#include "fuzz.h"
#include "websocket.h"

#include "host/players.h"
#include "serve/lists.h"
#include "serve/lobby.h"
#include "serve/net/net.h"
#include "serve/pages.h"

#include <errno.h>
#include <jansson.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

enum {
    LINE_MAX_BYTES = 4096,
    PATIENCE_SECONDS = 10,
    LOOKS = 8,        /* inputs between two questions of the honest client */
    NEWCOMERS = 64,   /* inputs between two new honest clients */
    LIFETIME = 1000,  /* inputs that one server serves */
    GAMES_MAX = 3000, /* that are made there */

    /* Turns of the server's loop: one ends and the next reads; answers are queued, woken for, and
     * written. */
    READING = 2,
    WRITING = 3
};

static struct {
    struct net *net;
    struct visitors *visitors;
    struct lobby *lobby;
    struct pages *pages;
    pthread_t thread;
    struct web *honest;
    int inputs;
    atomic_int games;
    pthread_mutex_t lock;
    pthread_cond_t turned;
    unsigned long turns, wanted; /* of the loop, under the lock */
} server = {.lock = PTHREAD_MUTEX_INITIALIZER, .turned = PTHREAD_COND_INITIALIZER};

static const char *const names[] = {"duel", "infiltrator", "quick"};
enum { EDITIONS = sizeof names / sizeof *names };
static struct edition editions[EDITIONS];

const struct edition *__wrap_variant_cache_take(struct variant_cache *variants, const char *name,
                                                struct fault *fault);
void __wrap_variant_cache_return(struct variant_cache *variants, const struct edition *edition);
json_t *__wrap_lists_get(struct lists *lists, enum stock_part part, struct fault *fault);
bool __wrap_player_open(struct player *player, const struct player_options *options,
                        const char *text, const struct chance *chance, struct fault *fault);

const struct edition *__wrap_variant_cache_take(struct variant_cache *variants, const char *name,
                                                struct fault *fault) {
    (void)variants;
    for (size_t i = 0; i < EDITIONS; i++)
        if (!strcmp(name, names[i])) {
            server.games++;
            return &editions[i];
        }
    fault_set(fault, STATUS_NOT_FOUND, "there is no variant \"%s\"", name);
    return NULL;
}

void __wrap_variant_cache_return(struct variant_cache *variants, const struct edition *edition) {
    (void)variants, (void)edition;
}

json_t *__wrap_lists_get(struct lists *lists, enum stock_part part, struct fault *fault) {
    (void)lists, (void)part;
    fault_set(fault, STATUS_NOT_FOUND, "there are no lists");
    return NULL;
}

bool __wrap_player_open(struct player *player, const struct player_options *options,
                        const char *text, const struct chance *chance, struct fault *fault) {
    (void)player, (void)options, (void)chance;
    return fault_set(fault, STATUS_NOT_FOUND, "there is no bot \"%s\"", text);
}

/* What a running server holds is no leak. */
int __lsan_is_turned_off(void);
int __lsan_is_turned_off(void) {
    return server.net != NULL;
}

static bool find_page(void *context, struct visitor *visitor, const char *path,
                      struct net_page *page) {
    (void)context;
    (void)visitor;
    return pages_find(server.pages, path, page);
}

static void greet(void *context, struct client *client) {
    (void)context;
    client_send_now(client, json_pack("{s:s}", "type", "hello"));
}

static void miss(void *context, struct client *client) {
    (void)context;
    lobby_miss(server.lobby, client);
}

static int hear(void *context, struct client *client, const char *text, size_t length) {
    (void)context;
    return lobby_hear(server.lobby, client, text, length);
}

/* While turns are waited for, each has the next come at once. */
static int count_turn(void *context) {
    (void)context;
    pthread_mutex_lock(&server.lock);
    const bool more = server.turns < server.wanted;
    if (more && ++server.turns == server.wanted) pthread_cond_signal(&server.turned);
    pthread_mutex_unlock(&server.lock);
    return more ? 0 : lobby_due(server.lobby);
}

static void wake(void *context) {
    (void)context;
    net_wake(server.net);
}

static void *serve(void *context) {
    net_run(server.net);
    return context;
}

/* Waits until the loop has begun so many turns. */
static void await_turns(unsigned count) {
    pthread_mutex_lock(&server.lock);
    server.wanted = server.turns + count;
    net_wake(server.net);
    while (server.turns < server.wanted) pthread_cond_wait(&server.turned, &server.lock);
    pthread_mutex_unlock(&server.lock);
}

static void ask_honestly(struct web *web) {
    int why;
    const char *heard;
    web_say(web, "{\"type\":\"view\",\"game\":\"none\",\"id\":\"honest\"}");
    while ((heard = web_hear(web, &why)) && !strstr(heard, "honest")) {}
    fuzz_require(heard && strstr(heard, "there is no game"), "an honest client is answered");
}

static void welcome_newcomer(void) {
    struct web *web = web_open(net_port(server.net));
    fuzz_require(web_ask(web, "GET", "/", "") == 200, "there is a page");
    fuzz_require(web_upgrade(web, "/ws", "") == 101, "there is a WebSocket");
    ask_honestly(web);
    web_close(web);
}

static void close_server(void) {
    if (!server.net) return;
    web_close(server.honest);
    net_stop(server.net);
    pthread_join(server.thread, NULL);
    fuzz_require(lobby_close(server.lobby), "the games end");
    net_close(server.net);
    visitors_close(server.visitors);
    pages_close(server.pages);
    server.net = NULL;
    server.games = 0;
}

static void open_server(void) {
    static const struct folders none;
    static bool known;
    struct fault fault = {0};
    const struct lobby_options lobby = {.folders = fuzz_folders(),
                                        .shown = fuzz_folders(),
                                        .limits = SANDBOX_DEFAULTS,
                                        .deadline = 1000,
                                        .jobs = 2,
                                        .bots = {BOT_SLOTS, BOT_SLOTS_OF_VISITOR},
                                        .trust = true,
                                        .waits = {1, 1, 1},
                                        .wake = wake};
    server.visitors = visitors_open((struct visitor_terms){64, 4000, 100000, 1000});
    const struct net_options net = {.address = "127.0.0.1",
                                    .origins = {.loopback = true},
                                    .sockets = 64,
                                    .visitors = server.visitors,
                                    .unread = 1 << 16,
                                    .unread_seconds = PATIENCE_SECONDS,
                                    .header_seconds = PATIENCE_SECONDS,
                                    .ping_seconds = PATIENCE_SECONDS,
                                    .page = find_page,
                                    .opened = greet,
                                    .closed = miss,
                                    .said = hear,
                                    .due = count_turn};
    for (size_t i = 0; i < EDITIONS && !known; i++)
        editions[i] = (struct edition){.rules = variant_load(fuzz_folders(), names[i], &fault),
                                       .folders = *fuzz_folders()};
    if (!known) atexit(close_server);
    known = true;
    server.pages = pages_open(&none, NULL, NULL, &fault);
    server.lobby = lobby_open(&lobby, &fault);
    server.net = net_open(&net, &fault);
    if (!server.pages || !server.visitors || !server.lobby || !server.net)
        fuzz_require(false, fault.text);
    fuzz_require(!pthread_create(&server.thread, NULL, serve, NULL), "there is a thread");
    server.honest = web_open(net_port(server.net));
    fuzz_require(web_upgrade(server.honest, "/ws", "") == 101, "there is a WebSocket");
}

/* A game whose id, whose seats' secrets and the used invitation to red stand behind 'g', 'r', 'b'
 * and 'i'. */
enum { GAME, RED_SECRET, BLUE_SECRET, INVITE, WORDS };

struct game_words {
    char word[WORDS][40];
};

static json_t *hear_honest(const char *type) {
    const char *heard;
    int why;
    while ((heard = web_hear(server.honest, &why)) && !strstr(heard, type)) {}
    return heard ? json_loads(heard, 0, NULL) : NULL;
}

static void copy_word(char word[40], const json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    fuzz_require(text, "an honest client makes a game");
    snprintf(word, 40, "%s", text);
}

static void make_game(struct game_words *words) {
    static const char *const sides[] = {"blue", "red"};
    web_say(server.honest, "{\"type\":\"new\",\"variant\":\"duel\",\"red\":\"open\","
                           "\"blue\":\"open\",\"public\":false}");
    json_t *created = hear_honest("\"created\"");
    copy_word(words->word[GAME], created, "game");
    for (int i = 0; i < 2; i++) {
        char join[100];
        copy_word(words->word[INVITE], json_object_get(created, "invites"), sides[i]);
        snprintf(join, sizeof join, "{\"type\":\"join\",\"invite\":\"%s\"}", words->word[INVITE]);
        web_say(server.honest, join);
        json_t *joined = hear_honest("\"joined\"");
        copy_word(words->word[i ? RED_SECRET : BLUE_SECRET], joined, "secret");
        json_decref(joined);
    }
    json_decref(created);
    char leave[100];
    snprintf(leave, sizeof leave, "{\"type\":\"leave\",\"game\":\"%s\"}", words->word[0]);
    web_say(server.honest, leave);
}

/* Sends a line in a frame, with the words of a game in the place of $g, $r, $b and $i. */
static void say_line(struct web *web, const struct game_words *words, const uint8_t *line,
                     size_t length) {
    static const char letters[] = "grbi";
    char text[LINE_MAX_BYTES];
    size_t size = 0;
    for (size_t i = 0; i < length && size + sizeof words->word[0] < sizeof text; i++) {
        const char *letter =
            line[i] == '$' && i + 1 < length && line[i + 1] ? strchr(letters, line[i + 1]) : NULL;
        if (!letter) {
            text[size++] = (char)line[i];
            continue;
        }
        size +=
            (size_t)snprintf(text + size, sizeof text - size, "%s", words->word[letter - letters]);
        i++;
    }
    web_frame(web, WEB_TEXT, true, text, size);
}

static void say_lines(struct web *web, const uint8_t *data, size_t size) {
    struct game_words words = {{"", "", ""}};
    const bool plays = size && memchr(data, '$', size);
    if (plays) make_game(&words);
    for (size_t at = 0; at < size;) {
        const uint8_t *end = memchr(data + at, '\n', size - at);
        const size_t length = end ? (size_t)(end - data) - at : size - at;
        say_line(web, &words, data + at, length);
        at += length + 1;
    }
    static const char last[] = "{\"type\":\"view\",\"game\":\"$g\",\"id\":\"last one\"}";
    const char *heard = "";
    int why;
    if (!plays) return;
    say_line(web, &words, (const uint8_t *)last, sizeof last - 1);
    while ((heard = web_hear(web, &why)) && !strstr(heard, "last one")) {}
}

/* Sends the bytes in the pieces that they are cut into. */
static void send_pieces(struct web *web, const uint8_t *data, size_t size) {
    uint8_t *piece = malloc(size + 1);
    size_t length = 0;
    fuzz_require(piece != NULL, "there is memory");
    for (size_t i = 0; i < size; i++) {
        const bool escape = data[i] == '`' && i + 1 < size;
        if (escape) i++;
        if (!escape || data[i] == '`') {
            piece[length++] = data[i];
            continue;
        }
        web_send(web, piece, length);
        await_turns(READING);
        length = 0;
    }
    web_send(web, piece, length);
    free(piece);
    await_turns(READING + WRITING);
}

/* Reads up to the server's end, which must come. */
static void hear_end(int socket) {
    char bytes[1 << 14];
    const struct timeval patience = {.tv_sec = 3 * PATIENCE_SECONDS};
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    shutdown(socket, SHUT_WR);
    ssize_t got;
    do got = TEMP_FAILURE_RETRY(recv(socket, bytes, sizeof bytes, 0));
    while (got > 0);
    fuzz_require(got == 0 || (errno != EAGAIN && errno != EWOULDBLOCK), "the server hangs up");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static struct web web;
    if (!server.net) open_server();
    const char begins = size ? (char)data[0] : '.';
    if (size) data++, size--;
    web.socket = web_connect(net_port(server.net));
    web.length = 0;
    web.ended = false;
    if (begins != '.') fuzz_require(web_upgrade(&web, "/ws", "") == 101, "there is a WebSocket");
    if (begins == 't')
        say_lines(&web, data, size);
    else
        send_pieces(&web, data, size);
    hear_end(web.socket);
    close(web.socket);
    server.inputs++;
    if (server.inputs % LOOKS == 0) ask_honestly(server.honest);
    if (server.inputs % NEWCOMERS == 0) welcome_newcomer();
    if (server.inputs % LIFETIME == 0 || server.games > GAMES_MAX) close_server();
    return 0;
}
