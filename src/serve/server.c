/* server.c - each socket is a client of the lobby; two more pages say how the server is. */
#include "server.h"

#include "base/clock.h"
#include "host/seat/message.h"
#include "jail/zygote.h"
#include "share.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    METRICS_BYTES = 8192,
    METRICS_MS = 10000, /* between two looks: coarser than the pace of a game */
    PING_SECONDS = 40,
    BOTS_NICE = 10, /* bots think with what people's moves leave of the processors */
};

struct server {
    struct server_options options;
    struct lobby *lobby;
    struct net *net;
    struct pages *pages;
    struct visitors *visitors;
    int64_t since; /* clock_ms() of the start */
    struct buffer metrics;
    int64_t metrics_at; /* clock_ms() when they are made anew */
    char address[80];
};

static struct net *_Atomic interrupted; /* the net to be stopped by a signal */

static void stop_net(int signal_number) {
    struct net *net = interrupted;
    (void)signal_number;
    if (net) net_stop(net);
}

static void wake_net(void *context) {
    const struct server *server = context;
    net_wake(server->net);
}

static void greet(void *context, struct client *client) {
    const struct server *server = context;
    const int heartbeat = server->options.heartbeat;
    json_t *hello =
        json_pack("{s:s, s:i, s:s, s:o, s:i}", "type", "hello", "protocol", SEAT_PROTOCOL,
                  "version", server->options.version, "languages", pages_languages(server->pages),
                  "heartbeat", heartbeat ? heartbeat : NET_HEARTBEAT);
    if (server->options.lobby.workshop) json_object_set_new(hello, "workshop", json_true());
    client_send_now(client, hello);
}

static void miss(void *context, struct client *client) {
    const struct server *server = context;
    lobby_miss(server->lobby, client);
}

static int hear(void *context, struct client *client, const char *text, size_t length) {
    const struct server *server = context;
    return lobby_hear(server->lobby, client, text, length);
}

static int ask_due(void *context) {
    const struct server *server = context;
    return lobby_due(server->lobby);
}

static bool add_metric(struct buffer *out, const char *name, const char *type, const char *help,
                       double value) {
    char line[512];
    snprintf(line, sizeof line, "# HELP ensign_%s %s\n# TYPE ensign_%s %s\nensign_%s %.15g\n", name,
             help, name, type, name, value);
    return buffer_add_text(out, line);
}

/* Numbers about the server as a whole, rarely made: where few play, each of them might tell a
 * player more than the board does. */
static bool write_metrics(const struct server *server, struct buffer *out) {
    const struct net_figures net = net_figures(server->net);
    const struct lobby_figures lobby = lobby_figures(server->lobby);
    const struct {
        const char *name, *type, *help;
        double value;
    } metrics[] = {
        {"up_seconds", "gauge", "Seconds since the start.",
         (double)((clock_ms() - server->since) / 1000)},
        {"sockets", "gauge", "Open connections.", (double)net.sockets},
        {"clients", "gauge", "Open WebSockets.", (double)net.clients},
        {"sockets_accepted_total", "counter", "Connections so far.", (double)net.accepted},
        {"refused_total", "counter", "Connections and requests turned away.", (double)net.refused},
        {"over_limits_total", "counter", "Connections and requests refused by a visitor's limits.",
         (double)visitors_refused(server->visitors)},
        {"cut_off_total", "counter",
         "Clients whose messages are too long, or that read too little.", (double)net.cut_off},
        {"messages_heard_total", "counter", "Messages from clients.", (double)net.heard},
        {"games_forming", "gauge", "Games with a free seat or without set-ups.",
         (double)lobby.forming},
        {"games_playing", "gauge", "Games that are played.", (double)lobby.playing},
        {"games_over", "gauge", "Games over that somebody still looks at.", (double)lobby.over},
        {"games_total", "counter", "Games made.", (double)lobby.made},
        {"bots_waiting", "gauge", "Games whose bots wait for their turn to think.",
         (double)lobby.waiting},
        {"messages_told_total", "counter", "Messages to clients.", (double)net.told},
    };
    for (size_t i = 0; i < sizeof metrics / sizeof *metrics; i++)
        if (!add_metric(out, metrics[i].name, metrics[i].type, metrics[i].help, metrics[i].value))
            return false;
    return true;
}

/* "ok", or why games cannot begin or go on. */
static bool tell_health(struct server *server, struct net_page *page) {
    enum { UNAVAILABLE = 503 };
    struct archive *archive = server->options.lobby.archive;
    struct fault fault = {0};
    bool well = lobby_is_well(server->lobby, &fault);
    if (well && archive && !archive_seems_whole(archive))
        well = fault_set(&fault, STATUS_SYSTEM, "games cannot be written");
    char *text = malloc(FAULT_TEXT_MAX + 2);
    if (!text) return false;
    const int length = snprintf(text, FAULT_TEXT_MAX + 2, "%s\n", well ? "ok" : fault.text);
    *page = (struct net_page){.type = "text/plain",
                              .bytes = text,
                              .length = (size_t)length,
                              .owned = text,
                              .status = well ? 0 : UNAVAILABLE};
    return true;
}

/* A shared game: its page with its card in the head, or that of the server; its picture. */
static bool find_shared(struct server *server, struct visitor *visitor, const char *id,
                        bool picture, struct net_page *page) {
    struct room_card card;
    struct net_page index;
    const enum card_state state = lobby_card(server->lobby, visitor, id, &card);
    if (state == CARD_LATER) {
        *page = (struct net_page){.later = true};
        return true;
    }
    if (picture) {
        visitor_charge(visitor, RATE_PAGES, SHARE_COST);
        return state == CARD_READY && share_picture(&card, page);
    }
    if (!pages_find(server->pages, "/", &index)) return false;
    if (state == CARD_NONE) {
        *page = index;
        return true;
    }
    const struct server_options *options = &server->options;
    char origin[NET_PATH_MAX];
    snprintf(origin, sizeof origin, "%s/", options->origin_count ? options->origins[0] : "");
    const bool made =
        share_page(&index, &card, id, options->origin_count ? origin : server->address, page);
    free(index.owned);
    return made;
}

static bool find_page(void *context, struct visitor *visitor, const char *path,
                      struct net_page *page) {
    struct server *server = context;
    char id[ROOM_ID_MAX];
    bool picture;
    if (share_path(path, id, &picture)) return find_shared(server, visitor, id, picture, page);
    if (!strcmp(path, "/healthz")) return tell_health(server, page);
    if (strcmp(path, "/metrics")) return pages_find(server->pages, path, page);
    const int64_t now = clock_ms();
    if (now >= server->metrics_at) {
        buffer_clear(&server->metrics);
        if (!write_metrics(server, &server->metrics)) return false;
        server->metrics_at = now + METRICS_MS;
    }
    char *text = strdup(server->metrics.text); /* while it is sent, others may be made */
    *page = (struct net_page){.type = "text/plain; version=0.0.4",
                              .bytes = text,
                              .length = server->metrics.length,
                              .owned = text};
    return text;
}

static bool open_net(struct server *server, struct fault *fault) {
    const struct server_options *options = &server->options;
    const struct net_options net = {
        .address = options->address,
        .port = options->port,
        .origins = {.origins = options->origins,
                    .count = options->origin_count,
                    .loopback = origin_check_is_loopback(options->address),
                    .proxied = options->proxied},
        .sockets = options->sockets,
        .visitors = server->visitors,
        .unread = NET_UNREAD,
        .unread_seconds = NET_UNREAD_SECONDS,
        .header_seconds = NET_HEADER_SECONDS,
        .ping_seconds = PING_SECONDS,
        .page = find_page,
        .opened = greet,
        .closed = miss,
        .said = hear,
        .due = ask_due,
        .context = server};
    server->net = net_open(&net, fault);
    if (!server->net) return false;
    const bool six = strchr(options->address, ':');
    snprintf(server->address, sizeof server->address, six ? "http://[%s]:%d/" : "http://%s:%d/",
             options->address, net_port(server->net));
    return true;
}

struct server *server_open(const struct server_options *options, struct fault *fault) {
    struct server *server = calloc(1, sizeof *server);
    if (!server) {
        fault_set(fault, STATUS_NO_MEMORY, "no memory to serve");
        return NULL;
    }
    server->options = *options;
    server->since = clock_ms();
    server->metrics = buffer_of(METRICS_BYTES);
    server->visitors = visitors_open(options->visitors);
    zygote_nice(BOTS_NICE);
    server->pages = pages_open(options->lobby.folders, options->page, options->sheet, fault);
    if (!server->visitors) fault_set(fault, STATUS_NO_MEMORY, "no memory to serve");
    if (server->pages && server->visitors && open_net(server, fault)) return server;
    server_close(server);
    return NULL;
}

const char *server_address(const struct server *server) {
    return server->address;
}

bool server_run(struct server *server, bool *tidy, struct fault *fault) {
    static const int signals[] = {SIGINT, SIGTERM};
    struct sigaction stop = {.sa_handler = stop_net, .sa_flags = (int)SA_RESETHAND}, before[2];
    server->options.lobby.wake = wake_net;
    server->options.lobby.context = server;
    *tidy = true;
    server->lobby = lobby_open(&server->options.lobby, fault);
    if (!server->lobby) return false;
    signal(SIGPIPE, SIG_IGN);
    interrupted = server->net;
    for (int i = 0; i < 2; i++) sigaction(signals[i], &stop, &before[i]);
    net_run(server->net);
    interrupted = NULL;
    *tidy = lobby_close(server->lobby);
    for (int i = 0; *tidy && i < 2; i++) sigaction(signals[i], &before[i], NULL);
    return true;
}

void server_close(struct server *server) {
    if (!server) return;
    net_close(server->net);
    visitors_close(server->visitors);
    pages_close(server->pages);
    buffer_clear(&server->metrics);
    free(server);
}
