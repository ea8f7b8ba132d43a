/* The net: pages and messages over real sockets, and whoever wants too much of it. */
#include "serve/net/net.h"
#include "websocket.h"

#include "base/random.h"
#include "games/length.h"

#include <jansson.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include <cmocka.h>

enum { PAGE_BYTES = 300000, FLOOD_LINES = 6000, GAME_LINES = 150, TALKERS = 3, LISTENERS = 32 };

struct host {
    struct net *net;
    struct visitors *visitors;
    int port;
    pthread_t thread;
    char *large; /* a page of PAGE_BYTES */
    struct client *clients[LISTENERS];
    int opened;
    atomic_int heard, parted;
};

static bool find_page(void *context, struct visitor *visitor, const char *path,
                      struct net_page *page) {
    const struct host *host = context;
    (void)visitor;
    if (!strcmp(path, "/large")) {
        *page = (struct net_page){.type = "text/plain", .bytes = host->large, .length = PAGE_BYTES};
        return true;
    }
    if (!strcmp(path, "/short")) {
        *page = (struct net_page){.type = "text/plain",
                                  .bytes = "long",
                                  .length = 4,
                                  .gzip = "gz",
                                  .gzip_length = 2,
                                  .etag = "abc"};
        return true;
    }
    if (strcmp(path, "/")) return false;
    *page = (struct net_page){.type = "text/html", .bytes = "hello", .length = 5, .etag = "abc"};
    return true;
}

static void greet(void *context, struct client *client) {
    (void)context;
    client_send_now(client, json_pack("{s:s}", "type", "hello"));
}

static void remember(void *context, struct client *client) {
    struct host *host = context;
    host->clients[host->opened++] = client_hold(client);
    client_send_now(client, json_pack("{s:s}", "type", "hello"));
}

static void part(void *context, struct client *client) {
    struct host *host = context;
    client_hang_up(client);
    atomic_fetch_add(&host->parted, 1);
}

/* Echoes; "flood" gives more than is ever read, "game" a long answer, of lines of all lengths. */
/* After "wait" the client is not to be heard for long, after "moment" for a second. */
static int answer(void *context, struct client *client, const char *text, size_t length) {
    struct host *host = context;
    json_t *echo = json_stringn(text, length);
    if (length == 5 && !memcmp(text, "flood", 5))
        for (int i = 0; i < FLOOD_LINES; i++)
            client_send_now(client, json_pack("{s:s%}", "filler", text, (size_t)5));
    if (length == 4 && !memcmp(text, "game", 4))
        for (int i = 0; i < GAME_LINES; i++)
            client_send_now(client, json_pack("{s:i, s:s%}", "ply", i, "filler", host->large,
                                              (size_t)(i * 7919 % 70000)));
    client_send_now(client, json_pack("{s:i, s:o}", "length", (int)length, "echo", echo));
    atomic_fetch_add(&host->heard, 1);
    if (length == 4 && !memcmp(text, "wait", 4)) return 1000;
    return length == 6 && !memcmp(text, "moment", 6);
}

static void *serve(void *context) {
    struct host *host = context;
    net_run(host->net);
    return NULL;
}

static const char *const named[] = {"https://play.example.org"};
static const struct net_options usual = {
    .address = "127.0.0.1",
    .origins = {.origins = named, .count = 1, .loopback = true},
    .sockets = 1000,
    .unread = 1 << 20,
    .unread_seconds = 60,
    .header_seconds = 10,
    .ping_seconds = 30,
    .page = find_page,
    .opened = greet,
    .closed = part,
    .said = answer};

static struct host *open_host_for(struct net_options options, struct visitor_terms terms) {
    struct fault fault = {0};
    struct host *host = calloc(1, sizeof *host);
    assert_non_null(host);
    options.visitors = host->visitors = visitors_open(terms);
    assert_non_null(host->visitors);
    host->large = malloc(PAGE_BYTES);
    memset(host->large, 'x', PAGE_BYTES);
    options.context = host;
    host->net = net_open(&options, &fault);
    assert_non_null(host->net);
    host->port = net_port(host->net);
    assert_int_equal(pthread_create(&host->thread, NULL, serve, host), 0);
    return host;
}

static struct host *open_host(struct net_options options) {
    return open_host_for(options, (struct visitor_terms){1000, 10000, 1000, 1000});
}

static void close_host(struct host *host) {
    net_stop(host->net);
    pthread_join(host->thread, NULL);
    net_close(host->net);
    visitors_close(host->visitors);
    free(host->large);
    free(host);
}

/* Somebody else is served as ever. */
static void expect_served(const struct host *host) {
    int why;
    struct web *web = web_socket(host->port);
    assert_non_null(strstr(web_hear(web, &why), "hello"));
    web_say(web, "still there?");
    assert_non_null(strstr(web_hear(web, &why), "still there?"));
    web_close(web);
}

static void a_page_comes_with_its_headers_and_once(void **state) {
    (void)state;
    struct host *host = open_host(usual);
    struct web *web = web_open(host->port);
    assert_int_equal(web_ask(web, "GET", "/", ""), 200);
    assert_non_null(strstr(web->input, "content-type: text/html"));
    assert_non_null(strstr(web->input, "content-security-policy: default-src 'self'"));
    assert_non_null(strstr(web->input, "x-content-type-options: nosniff"));
    assert_non_null(strstr(web->input, "referrer-policy: no-referrer"));
    assert_non_null(strstr(web->input, "etag: \"abc\""));
    assert_non_null(strstr(web->input, "\r\n\r\nhello"));
    assert_int_equal(web_ask(web, "GET", "/", "If-None-Match: \"abc\"\r\n"), 304);
    assert_int_equal(web_ask(web, "HEAD", "/", ""), 200);
    assert_null(strstr(web->input, "hello"));
    assert_int_equal(web_ask(web, "GET", "/large", ""), 200);
    assert_non_null(strstr(web->input, "cache-control: no-store"));
    assert_true(web->length > PAGE_BYTES);
    web_close(web);
    close_host(host);
}

static void a_page_is_compressed_for_who_takes_that(void **state) {
    static const char *const takes[] = {"gzip", "deflate, GZIP;q=0.5, br", "br , gzip ; q=1.0"};
    static const char *const refuses[] = {"",   "gzip;q=0",       "br, gzip; q=0.000, deflate",
                                          "br", "gzipped, xgzip", "identity"};
    char header[128];
    (void)state;
    struct host *host = open_host(usual);
    struct web *web = web_open(host->port);
    for (size_t i = 0; i < sizeof takes / sizeof *takes; i++) {
        snprintf(header, sizeof header, "Accept-Encoding: %s\r\n", takes[i]);
        assert_int_equal(web_ask(web, "GET", "/short", header), 200);
        assert_non_null(strstr(web->input, "content-encoding: gzip"));
        assert_non_null(strstr(web->input, "content-length: 2\r\n"));
        assert_non_null(strstr(web->input, "etag: \"abc-gzip\""));
        assert_non_null(strstr(web->input, "\r\n\r\ngz"));
        snprintf(header, sizeof header, "Accept-Encoding: %s\r\nIf-None-Match: \"abc-gzip\"\r\n",
                 takes[i]);
        assert_int_equal(web_ask(web, "GET", "/short", header), 304);
    }
    for (size_t i = 0; i < sizeof refuses / sizeof *refuses; i++) {
        snprintf(header, sizeof header, "Accept-Encoding: %s\r\n", refuses[i]);
        assert_int_equal(web_ask(web, "GET", "/short", *refuses[i] ? header : ""), 200);
        assert_null(strstr(web->input, "content-encoding"));
        assert_non_null(strstr(web->input, "vary: accept-encoding"));
        assert_non_null(strstr(web->input, "\r\n\r\nlong"));
    }
    assert_int_equal(web_ask(web, "GET", "/short", "If-None-Match: \"abc-gzip\"\r\n"), 200);
    web_close(web);
    close_host(host);
}

static void what_is_no_page_is_not_found(void **state) {
    (void)state;
    struct host *host = open_host(usual);
    static const char *const paths[] = {"/none", "/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd",
                                        "/..%2f..%2fetc/passwd", "/ws"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        int status = web_status(host->port, "GET", paths[i], "");
        if (status != 404 && status != 403 && status != 400 && status != 0)
            fail_msg("%s gives %d", paths[i], status);
    }
    assert_int_equal(web_status(host->port, "DELETE", "/", ""), 405);
    expect_served(host);
    close_host(host);
}

static void a_list_of_extensions_is_passed_over_and_a_long_one_refused(void **state) {
    (void)state;
    enum { MANY = 1000 };
    char headers[MANY + 64];
    struct host *host = open_host(usual);
    static const int lengths[] = {1, 100, 250, 256, MANY};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        struct web *web = web_open(host->port);
        snprintf(headers, sizeof headers, "Sec-WebSocket-Extensions: %0*d\r\n", lengths[i], 0);
        assert_int_equal(web_upgrade(web, "/ws", headers), lengths[i] < 256 ? 101 : 400);
        web_close(web);
    }
    close_host(host);
}

/* A proxy that sends the requests of many over one connection would give others its answers. */
static void a_body_is_not_heard_as_the_next_request(void **state) {
    (void)state;
    static const struct {
        const char *body;
        int status;
        bool ends;
    } tries[] = {
        {"Content-Length: 0\r\n", 200, false},
        {"Content-Length: 20\r\n\r\nGET / HTTP/1.1\r\n\r\n", 400, true},
        {"Content-Length: 9\r\nHost: evil.example\r\n\r\nGET /none", 403, true},
        {"Transfer-Encoding: chunked\r\n\r\n12\r\nGET / HTTP/1.1\r\n\r\n\r\n0\r\n", 400, true},
        {"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /", 400, true}};
    struct host *host = open_host(usual);
    for (size_t i = 0; i < sizeof tries / sizeof *tries; i++) {
        struct web *web = web_open(host->port);
        assert_int_equal(web_ask(web, "GET", "/", tries[i].body), tries[i].status);
        if (tries[i].ends)
            assert_int_equal(web_ask(web, "GET", "/", ""), 0);
        else
            assert_int_equal(web_ask(web, "HEAD", "/none", ""), 404);
        web_close(web);
    }
    expect_served(host);
    close_host(host);
}

/* The server once looked for such a body for ever. */
static void a_body_behind_another_request_stops_nothing(void **state) {
    (void)state;
    static const char *const hosts[] = {"localhost", "evil.example"};
    static const char *const methods[] = {"GET", "HEAD", "POST", "OPTIONS", "DELETE"};
    struct host *host = open_host(usual);
    for (size_t i = 0; i < 2 * sizeof methods / sizeof *methods; i++) {
        char second[256];
        struct web *web = web_open(host->port);
        snprintf(second, sizeof second,
                 "Host: localhost\r\n\r\n%s / HTTP/1.1\r\nHost: %s\r\n"
                 "Content-Length: 9\r\n\r\nabcde",
                 methods[i / 2], hosts[i % 2]);
        assert_int_equal(web_ask(web, "GET", "/", second), 200);
        expect_served(host);
        web_close(web);
    }
    close_host(host);
}

static void another_host_or_origin_is_turned_away(void **state) {
    (void)state;
    struct host *host = open_host(usual);
    static const struct {
        const char *path, *headers;
        int status;
    } tries[] = {{"/ws", "", 101},
                 {"/ws", "Origin: http://localhost\r\n", 101},
                 {"/ws", "Host: 127.0.0.1:80\r\nOrigin: http://127.0.0.1:80\r\n", 101},
                 {"/ws", "Host: [::1]:80\r\nOrigin: https://play.example.org\r\n", 101},
                 {"/ws", "Host: play.example.org\r\nOrigin: https://play.example.org\r\n", 101},
                 {"/ws", "Origin: http://localhost:81\r\n", 403},
                 {"/ws", "Origin: null\r\n", 403},
                 {"/ws", "Origin: http://evil.example\r\n", 403},
                 {"/ws", "Origin: https://play.example.org.evil.example\r\n", 403},
                 {"/ws", "Host: evil.example\r\n", 403},
                 {"/ws", "Host: evil.example\r\nOrigin: http://evil.example\r\n", 403},
                 {"/ws", "Host: localhost@evil.example\r\n", 403},
                 {"/elsewhere", "", 404},
                 {"/ws", "Sec-WebSocket-Protocol: ensign\r\n", 404}};
    for (size_t i = 0; i < sizeof tries / sizeof *tries; i++) {
        struct web *web = web_open(host->port);
        int status = web_upgrade(web, tries[i].path, tries[i].headers);
        if (status != tries[i].status)
            fail_msg("%s %s gives %d: %s", tries[i].path, tries[i].headers, status, web->input);
        web_close(web);
    }
    assert_int_equal(web_status(host->port, "GET", "/", "Host: evil.example\r\n"), 403);
    assert_int_equal(web_status(host->port, "GET", "/", "Host: play.example.org\r\n"), 200);
    close_host(host);
}

static void nothing_but_WebSockets_can_be_upgraded_to(void **state) {
    (void)state;
    static const char *const upgrades[] = {
        "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n",
        "Connection: Upgrade\r\nUpgrade: other\r\n"};
    struct host *host = open_host(usual);
    for (int i = 0; i < 4; i++) {
        struct web *web = web_open(host->port);
        if (i >= 2) assert_int_equal(web_ask(web, "GET", "/", ""), 200); /* on the same socket */
        assert_int_equal(web_ask(web, "GET", "/", upgrades[i % 2]), 403);
        web_close(web);
    }
    assert_int_equal(web_status(host->port, "CONNECT", "/", ""), 0);
    expect_served(host);
    close_host(host);
}

static void a_message_may_come_in_pieces_and_have_64_KiB(void **state) {
    (void)state;
    struct host *host = open_host(usual);
    struct web *web = web_socket(host->port);
    char *long_text = calloc(1, 65537);
    int why;
    memset(long_text, 'x', 65536);
    web_hear(web, &why);
    web_frame(web, WEB_TEXT, false, "one ", 4);
    web_frame(web, WEB_PING, true, "?", 1);
    web_frame(web, WEB_CONTINUED, false, "and ", 4);
    web_frame(web, WEB_CONTINUED, true, "two", 3);
    assert_string_equal(web_hear(web, &why), "{\"length\":11,\"echo\":\"one and two\"}");
    web_frame(web, WEB_TEXT, true, long_text, 65535);
    assert_non_null(strstr(web_hear(web, &why), "{\"length\":65535,"));
    web_frame(web, WEB_TEXT, true, long_text, 65536);
    assert_int_equal(web_hear_end(web), 1009);
    web_close(web);
    web = web_socket(host->port); /* the same in pieces without an end */
    for (int i = 0; i < 40; i++)
        web_frame(web, i ? WEB_CONTINUED : WEB_TEXT, false, long_text, 2000);
    assert_int_equal(web_hear_end(web), 1009);
    web_close(web);
    free(long_text);
    close_host(host);
}

static void messages_that_are_no_texts_end_the_socket(void **state) {
    (void)state;
    struct host *host = open_host(usual);
    struct web *web = web_socket(host->port);
    web_frame(web, WEB_BINARY, true, "text", 4);
    assert_int_equal(web_hear_end(web), 1003);
    web_close(web);
    web = web_socket(host->port);
    web_frame(web, WEB_TEXT, true, "\xff\xfe", 2);
    assert_int_equal(web_hear_end(web), 1007);
    web_close(web);
    expect_served(host);
    close_host(host);
}

static void who_is_to_wait_is_not_heard_and_keeps_the_socket(void **state) {
    (void)state;
    struct host *host = open_host(usual);
    struct web *web = web_socket(host->port);
    int why;
    assert_non_null(strstr(web_hear(web, &why), "hello"));
    for (int i = 0; i < 40; i++) web_say(web, i ? "after it" : "moment");
    assert_non_null(strstr(web_hear(web, &why), "moment"));
    for (int i = 1; i < 40; i++) assert_non_null(strstr(web_hear(web, &why), "after it"));
    atomic_store(&host->heard, 0);
    for (int i = 0; i < 40; i++) web_say(web, i ? "after it" : "wait");
    assert_non_null(strstr(web_hear(web, &why), "wait"));
    enum { OTHERS = 20 };
    for (int i = 0; i < OTHERS; i++) expect_served(host);
    assert_int_equal(atomic_load(&host->heard), 1 + OTHERS);
    assert_null(web_overhear(web));
    assert_false(web->ended);
    web_close(web);
    close_host(host);
}

static void a_busy_client_is_heard_again_when_it_has_its_answers(void **state) {
    (void)state;
    struct net_options options = usual;
    options.opened = remember;
    struct host *host = open_host(options);
    struct web *web = web_socket(host->port);
    int why;
    assert_non_null(strstr(web_hear(web, &why), "hello"));
    struct client *client = host->clients[0];
    for (int i = 0; i < CLIENT_REQUESTS_OF_ONE; i++) client_asks(client);
    web_say(web, "heard, since it was not known to be busy");
    assert_non_null(strstr(web_hear(web, &why), "since"));
    web_say(web, "later");
    for (int i = 0; i < 5; i++) {
        struct web *other = web_socket(host->port);
        assert_non_null(strstr(web_hear(other, &why), "hello"));
        web_say(other, "still there?");
        assert_non_null(strstr(web_hear(other, &why), "still there?"));
        web_close(other);
        client_release(host->clients[1 + i]);
    }
    assert_null(web_overhear(web));
    client_is_answered(client);
    assert_non_null(strstr(web_hear(web, &why), "later"));
    client_release(client);
    web_close(web);
    close_host(host);
}

static void who_never_reads_is_cut_off(void **state) {
    (void)state;
    struct net_options options = usual;
    options.unread = 4096;
    struct host *host = open_host(options);
    struct web *web = web_socket(host->port);
    web_say(web, "flood");
    assert_int_equal(web_hear_end(web), 0);
    web_close(web);
    expect_served(host);
    close_host(host);
}

/* A client whose system takes little at a time, as a phone's does. */
static struct web *slow_socket(const struct host *host) {
    const int little = 1 << 16;
    struct web *web = web_open(host->port);
    setsockopt(web->socket, SOL_SOCKET, SO_RCVBUF, &little, sizeof little);
    assert_int_equal(web_upgrade(web, "/ws", ""), 101);
    return web;
}

/* Waits until the server has begun to send more than the client's system takes. */
static void await_backlog(const struct web *web) {
    char byte;
    assert_int_equal(recv(web->socket, &byte, 1, MSG_PEEK), 1);
}

static struct net_options for_long_answers(void) {
    struct net_options options = usual;
    options.unread = 32 << 20;
    return options;
}

static void hear_game(struct web *web) {
    int why;
    for (int i = 0; i < GAME_LINES; i++) {
        char ply[32];
        snprintf(ply, sizeof ply, "{\"ply\":%d,", i);
        const char *line = web_hear(web, &why);
        if (!line || strncmp(line, ply, strlen(ply)) != 0) fail_msg("no %s: %.40s", ply, line);
    }
    assert_non_null(strstr(web_hear(web, &why), "\"game\""));
}

/* It says heartbeats, or is not to be heard; reads nothing, or too little to count. */
static void who_stops_reading_is_cut_off_whatever_it_says(void **state) {
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        struct net_options options = for_long_answers();
        options.unread_seconds = 1;
        struct host *host = open_host(options);
        struct web *web = slow_socket(host);
        web_say(web, "game");
        await_backlog(web);
        if (kind == 1) web_say(web, "wait");
        while (!atomic_load(&host->parted)) {
            char byte;
            struct pollfd end = {.fd = web->socket}; /* waits a moment */
            poll(&end, 1, 100);
            if (kind != 1) web_say(web, "{\"type\":\"heartbeat\",\"ms\":500}");
            if (kind == 2) recv(web->socket, &byte, 1, 0);
        }
        expect_served(host);
        web_close(web);
        close_host(host);
    }
}

static void who_reads_slowly_but_on_stays(void **state) {
    (void)state;
    struct net_options options = for_long_answers();
    options.unread_seconds = 1;
    struct host *host = open_host(options);
    struct web *web = slow_socket(host);
    int why;
    assert_non_null(strstr(web_hear(web, &why), "hello"));
    web_say(web, "game");
    await_backlog(web);
    for (int i = 0; i < GAME_LINES; i++) { /* some seconds in all */
        struct pollfd end = {.fd = -1};
        poll(&end, 1, 20);
        assert_non_null(web_hear(web, &why));
    }
    assert_non_null(strstr(web_hear(web, &why), "\"game\""));
    assert_int_equal(atomic_load(&host->parted), 0);
    web_close(web);
    close_host(host);
}

static void what_one_address_leaves_unread_is_bounded_and_cuts_off_who_leaves_it(void **state) {
    (void)state;
    struct host *host =
        open_host_for(for_long_answers(), (struct visitor_terms){1000, 20, 1000, 1000});
    struct web *reader = web_socket(host->port), *greedy = slow_socket(host);
    int why;
    assert_non_null(strstr(web_hear(reader, &why), "hello"));
    for (int i = 0; i < 2; i++) web_say(greedy, "game"); /* one is allowed */
    while (!atomic_load(&host->parted)) sched_yield();
    web_say(reader, "still there?");
    assert_non_null(strstr(web_hear(reader, &why), "still there?"));
    web_say(reader, "game"); /* nothing is held against it any more */
    hear_game(reader);
    web_close(greedy);
    web_close(reader);
    close_host(host);
}

static void an_address_and_all_have_only_so_many_sockets(void **state) {
    (void)state;
    for (int all = 0; all < 2; all++) {
        struct net_options options = usual;
        struct visitor_terms terms = {1000, 10000, 1000, 1000};
        *(all ? &options.sockets : &terms.sockets) = 3;
        struct host *host = open_host_for(options, terms);
        struct web *web[3];
        for (int i = 0; i < 3; i++) web[i] = web_socket(host->port);
        assert_int_equal(web_status(host->port, "GET", "/", ""), 503);
        web_close(web[0]);
        for (web[0] = web_open(host->port); web_upgrade(web[0], "/ws", "") != 101;) {
            web_close(web[0]); /* the end of the old one may not have been seen */
            web[0] = web_open(host->port);
        }
        for (int i = 0; i < 3; i++) web_close(web[i]);
        close_host(host);
    }
}

/* Opens a WebSocket for each, and returns its status. */
struct forwarded {
    const char *headers;
    int status;
};

static void expect_forwarded(const struct forwarded *tries, size_t count) {
    struct net_options options = usual;
    options.origins.proxied = true;
    struct host *host = open_host_for(options, (struct visitor_terms){1, 10000, 1000, 1000});
    struct web **web = calloc(count, sizeof(struct web *));
    for (size_t i = 0; i < count; i++) {
        web[i] = web_open(host->port);
        const int status = web_upgrade(web[i], "/ws", tries[i].headers);
        if (status != tries[i].status) fail_msg("%s gives %d", tries[i].headers, status);
    }
    for (size_t i = 0; i < count; i++) web_close(web[i]);
    free(web);
    close_host(host);
}

#define EXPECT_FORWARDED(...)                                                                      \
    do {                                                                                           \
        const struct forwarded tries[] = {__VA_ARGS__};                                            \
        expect_forwarded(tries, sizeof tries / sizeof *tries);                                     \
    } while (0)

static void behind_a_proxy_the_address_is_the_one_it_names(void **state) {
    (void)state;
    EXPECT_FORWARDED(
        {"X-Forwarded-For: 192.0.2.1\r\n", 101}, {"X-Forwarded-For: 192.0.2.2\r\n", 101},
        {"X-Forwarded-For: 192.0.2.9, 192.0.2.1\r\n", 503},
        {"X-Forwarded-For: 192.0.2.9,192.0.2.3 ,\r\n", 101},
        {"X-Forwarded-For: 192.0.2.3:4711\r\n", 503}, {"X-Forwarded-For: 2001:db8::1\r\n", 101},
        {"X-Forwarded-For: [2001:db8::2]:443\r\n", 503},
        {"X-Forwarded-For: ::ffff:192.0.2.1\r\n", 503});
}

static void many_or_long_lists_of_forwarders_end_with_the_proxys_word(void **state) {
    (void)state;
    enum { OTHERS = 300 };
    static char long_list[32 + 9 * OTHERS + 16] = "X-Forwarded-For: ";
    for (int i = 0; i < OTHERS; i++) strcat(long_list, "1.1.1.1, ");
    char *end = long_list + strlen(long_list);
    static char one[sizeof long_list], again[sizeof long_list];
    strcpy(end, "9.9.9.8\r\n");
    strcpy(one, long_list);
    strcpy(again, long_list);
    EXPECT_FORWARDED(
        {one, 101}, {again, 503}, {"X-Forwarded-For: 5.5.5.5\r\nX-Forwarded-For: 9.9.9.7\r\n", 101},
        {"X-Forwarded-For: 5.5.5.6\r\nX-Forwarded-For: 9.9.9.7\r\n", 503},
        {"X-Forwarded-For: 5.5.5.6\r\nAccept: */*\r\nX-Forwarded-For: 5.5.5.7, 9.9.9.8\r\n", 503},
        {"X-Forwarded-For: 5.5.5.6\r\n", 101});
}

static void a_forwarder_that_is_no_address_counts_as_the_proxy(void **state) {
    (void)state;
    EXPECT_FORWARDED({"X-Forwarded-For: nobody\r\n", 101}, {"X-Forwarded-For: unknown\r\n", 503},
                     {"", 503}, {"X-Forwarded-For: \r\n", 503}, {"X-Forwarded-For: 1.2.3\r\n", 503},
                     {"X-Forwarded-For: 192.0.2.1, 300.1.1.1\r\n", 503},
                     {"X-Forwarded-For: [::1\r\n", 503}, {"X-Forwarded-For: ,,,\r\n", 503},
                     {"X-Forwarded-For: 192.0.2.1\r\n", 101});
}

static void pages_are_counted_for_the_visitor_over_all_its_connections(void **state) {
    (void)state;
    enum { EACH_SECOND = 2, AT_ONCE = 3 * EACH_SECOND };
    struct net_options options = usual;
    options.origins.proxied = true;
    struct host *host =
        open_host_for(options, (struct visitor_terms){100, EACH_SECOND, 1000, 1000});
    int served = 0, refused = 0;
    while (!refused) {
        const int status = web_status(host->port, "GET", "/", "X-Forwarded-For: 192.0.2.1\r\n");
        served += status == 200;
        refused += status == 429;
        assert_true(status == 200 || status == 429);
        assert_true(served < 10 * AT_ONCE);
    }
    assert_true(served >= AT_ONCE);
    assert_int_equal(web_status(host->port, "GET", "/", "X-Forwarded-For: 192.0.2.2\r\n"), 200);
    close_host(host);
}

/* 500 texts to each; with ENSIGN_LONG=1 2,000. */
static int talks(void) {
    return at_length() ? 2000 : 500;
}

static void *talk(void *context) {
    const struct host *host = context;
    for (int i = 0; i < talks(); i++)
        for (int n = 0; n < LISTENERS; n++) {
            client_send_now(host->clients[n], json_pack("{s:i}", "talk", i));
            sched_yield(); /* so that queues run empty in between */
        }
    return NULL;
}

static void what_many_threads_say_all_arrives(void **state) {
    (void)state;
    struct net_options options = usual;
    options.opened = remember;
    options.unread = 16 << 20;
    options.ping_seconds = 600; /* nobody answers a ping while all but one are not read */
    struct host *host = open_host(options);
    struct web *web[LISTENERS];
    pthread_t talkers[TALKERS];
    int why;
    host->opened = 0;
    for (int n = 0; n < LISTENERS; n++) {
        web[n] = web_socket(host->port);
        assert_non_null(web_hear(web[n], &why)); /* it is remembered */
    }
    for (int i = 0; i < TALKERS; i++)
        assert_int_equal(pthread_create(&talkers[i], NULL, talk, host), 0);
    for (int n = 0; n < LISTENERS; n++)
        for (int i = 0; i < TALKERS * talks(); i++) assert_non_null(web_hear(web[n], &why));
    for (int i = 0; i < TALKERS; i++) pthread_join(talkers[i], NULL);
    for (int n = 0; n < LISTENERS; n++) {
        client_release(host->clients[n]);
        web_close(web[n]);
    }
    close_host(host);
}

static void what_is_said_while_a_long_answer_is_unsent_arrives_too(void **state) {
    (void)state;
    struct host *host = open_host(for_long_answers());
    for (int pings = 0; pings < 2; pings++) {
        struct web *web = slow_socket(host);
        int why;
        assert_non_null(strstr(web_hear(web, &why), "hello"));
        web_say(web, "game");
        await_backlog(web);
        for (int i = 0; i < 3; i++) {
            web_say(web, i ? "and this" : "game");
            if (pings) web_frame(web, WEB_PING, true, "?", 1);
        }
        hear_game(web);
        hear_game(web);
        for (int i = 0; i < 2; i++) assert_non_null(strstr(web_hear(web, &why), "and this"));
        web_say(web, "still there?");
        assert_non_null(strstr(web_hear(web, &why), "still there?"));
        web_close(web);
    }
    close_host(host);
}

static void each_of_many_slow_readers_is_told_everything(void **state) {
    (void)state;
    enum { READERS = 8, GAMES = 3 };
    struct host *host = open_host(for_long_answers());
    struct web *web[READERS];
    int why;
    for (int n = 0; n < READERS; n++) {
        web[n] = slow_socket(host);
        assert_non_null(strstr(web_hear(web[n], &why), "hello"));
    }
    for (int game = 0; game < GAMES; game++)
        for (int n = 0; n < READERS; n++) web_say(web[n], "game");
    for (int n = 0; n < READERS; n++)
        for (int game = 0; game < GAMES; game++) hear_game(web[n]);
    for (int n = 0; n < READERS; n++) web_close(web[n]);
    close_host(host);
}

/* Without a limit of its own a reader may take as long as it likes, a little at a time. */
static void a_slow_reader_gets_the_whole_page(void **state) {
    (void)state;
    struct host *host = open_host(usual);
    struct web *web = web_open(host->port);
    const int little = 1 << 16;
    setsockopt(web->socket, SOL_SOCKET, SO_RCVBUF, &little, sizeof little);
    for (int i = 0; i < 3; i++) { /* on the same connection */
        assert_int_equal(web_ask(web, "GET", "/large", ""), 200);
        assert_true(web->length > PAGE_BYTES);
    }
    web_close(web);
    close_host(host);
}

static void what_is_queued_is_sent_before_the_goodbye(void **state) {
    (void)state;
    struct host *host = open_host(for_long_answers());
    struct web *web = slow_socket(host);
    int why;
    assert_non_null(strstr(web_hear(web, &why), "hello"));
    web_say(web, "game");
    await_backlog(web);
    net_stop(host->net);
    hear_game(web);
    assert_int_equal(web_hear_end(web), 1001);
    web_close(web);
    close_host(host);
}

static void half_a_request_and_silence_are_not_waited_for(void **state) {
    (void)state;
    struct net_options options = usual;
    options.header_seconds = options.ping_seconds = 1;
    struct host *host = open_host(options);
    struct web *half = web_open(host->port), *none = web_open(host->port);
    struct web *silent = web_socket(host->port);
    web_send(half, "GET / HTTP/1.1\r\nHost: loc", 25);
    while (!half->ended) assert_int_equal(web_hear_end(half), 0);
    while (!none->ended) assert_int_equal(web_hear_end(none), 0);
    int pinged = 0;
    while (!silent->ended) { /* a client that answers no ping */
        char bytes[64];
        ssize_t got = recv(silent->socket, bytes, sizeof bytes, 0);
        pinged += got > 0 && memchr(bytes, 0x80 | WEB_PING, (size_t)got) != NULL;
        silent->ended = got <= 0;
    }
    assert_int_equal(pinged, 1);
    web_close(half);
    web_close(none);
    web_close(silent);
    expect_served(host);
    close_host(host);
}

/* Its clients over libraries answer with what they were asked. */
static void who_answers_pings_stays(void **state) {
    (void)state;
    struct net_options options = usual;
    options.ping_seconds = 1;
    struct host *host = open_host(options);
    struct web *web = web_socket(host->port);
    for (int pings = 0; pings < 3;) {
        char bytes[64];
        const ssize_t got = recv(web->socket, bytes, sizeof bytes, 0);
        assert_true(got > 0);
        const char *ping = memchr(bytes, 0x80 | WEB_PING, (size_t)got);
        if (!ping) continue;
        web_frame(web, WEB_PONG, true, ping + 2, (size_t)ping[1]);
        pings++;
    }
    web_close(web);
    close_host(host);
}

static void say_heartbeat(struct web *web, int ms) {
    char text[64];
    snprintf(text, sizeof text, "{ \"type\": \"heartbeat\", \"ms\": %d }", ms);
    web_say(web, text);
}

/* It is told one for each of its own, whoever else says nothing is pinged as ever; and once it goes
 * silent it is closed long before those. */
static void heartbeats_go_both_ways_and_their_silence_ends_the_connection(void **state) {
    (void)state;
    struct host *host = open_host(usual);
    struct web *web = web_socket(host->port), *other = web_socket(host->port);
    int why;
    assert_non_null(strstr(web_hear(web, &why), "hello"));
    for (int i = 0; i < 4; i++) {
        say_heartbeat(web, NET_HEARTBEAT_LEAST);
        assert_string_equal(web_hear(web, &why), "{\"type\":\"heartbeat\"}");
    }
    do why = -1;
    while (web_hear(web, &why));
    assert_int_equal(why, 0); /* without a goodbye: it may be gone */
    assert_non_null(strstr(web_hear(other, &why), "hello"));
    web_say(other, "still here");
    assert_non_null(strstr(web_hear(other, &why), "still here"));
    web_close(web), web_close(other);
    close_host(host);
}

/* With an allowance of five messages, which the heartbeats in time do not touch. */
static void heartbeats_in_time_are_not_counted_and_others_are(void **state) {
    (void)state;
    struct host *host = open_host_for(usual, (struct visitor_terms){1000, 1, 1000, 1000});
    struct web *web = web_socket(host->port);
    int why;
    assert_non_null(strstr(web_hear(web, &why), "hello"));
    for (int i = 0; i < 6; i++) {
        say_heartbeat(web, NET_HEARTBEAT_LEAST);
        assert_string_equal(web_hear(web, &why), "{\"type\":\"heartbeat\"}");
    }
    assert_int_equal(visitors_refused(host->visitors), 0);
    for (int i = 0; i < 7; i++) say_heartbeat(web, NET_HEARTBEAT_LEAST);
    web_say(web, "heard later");
    const char *line;
    do assert_non_null(line = web_hear(web, &why));
    while (!strstr(line, "later"));
    assert_true(visitors_refused(host->visitors) > 0);
    web_close(web);
    close_host(host);
}

/* Until what a visitor may send in a while is used up by frames that are no message. */
static void expect_counted(enum web_opcode opcode, const char *bytes, size_t length) {
    enum { FRAMES_MAX = 1 << 22 };
    struct host *host = open_host_for(usual, (struct visitor_terms){1000, 1, 1000, 1000});
    struct web *web = web_socket(host->port);
    int why;
    assert_non_null(strstr(web_hear(web, &why), "hello"));
    if (opcode == WEB_CONTINUED) web_frame(web, WEB_TEXT, false, "", 0);
    for (int sent = 0; !visitors_refused(host->visitors); sent++) {
        assert_true(sent < FRAMES_MAX);
        web_frame(web, opcode, opcode != WEB_CONTINUED, bytes, length);
    }
    web_close(web);
    close_host(host);
}

static void frames_that_are_no_message_are_counted_too(void **state) {
    (void)state;
    expect_counted(WEB_PING, "", 0);
    expect_counted(WEB_PONG, "", 0);
    expect_counted(WEB_PONG, "0123456789", 10);
    expect_counted(WEB_CONTINUED, "", 0);
}

static void a_heartbeat_that_cannot_be_kept_is_a_message_like_others(void **state) {
    (void)state;
    static const char *const texts[] = {"{\"type\":\"heartbeat\"}",
                                        "{\"type\":\"heartbeat\",\"ms\":499}",
                                        "{\"type\":\"heartbeat\",\"ms\":60001}",
                                        "{\"type\":\"heartbeat\",\"ms\":1e3}",
                                        "{\"type\":\"heartbeats\",\"ms\":1000}",
                                        "[\"heartbeat\",1000]"};
    struct host *host = open_host(usual);
    struct web *web = web_socket(host->port);
    int why;
    assert_non_null(strstr(web_hear(web, &why), "hello"));
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char length[32];
        web_say(web, texts[i]);
        snprintf(length, sizeof length, "{\"length\":%zu,", strlen(texts[i]));
        assert_non_null(strstr(web_hear(web, &why), length));
    }
    web_close(web);
    close_host(host);
}

/* Requests and frames with random changes. */
static void damaged_bytes_harm_nobody_else(void **state) {
    (void)state;
    static const char request[] = "GET /ws HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n"
                                  "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                                  "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
    struct host *host = open_host(usual);
    struct random random = random_stream(7, STREAM_PLAYOUT, 0);
    for (int i = 0; i < 600; i++) {
        char bytes[512];
        size_t length = sizeof request - 1;
        memcpy(bytes, request, length);
        for (uint32_t n = 40 + random_below(&random, 40); n; n--)
            bytes[length++] = (char)random_next(&random); /* frames by chance */
        bytes[sizeof request - 1] = (char)(random_below(&random, 2) ? 0x81 : bytes[length - 1]);
        const bool whole = i % 3 == 0; /* the request is left as it is */
        for (uint32_t n = whole ? 0 : 1 + random_below(&random, 6); n; n--)
            bytes[random_below(&random, sizeof request - 1)] = (char)random_next(&random);
        struct web *web = web_open(host->port);
        web_send(web, bytes, random_below(&random, 4) ? length : random_below(&random, 200));
        shutdown(web->socket, SHUT_WR);
        while (!web->ended) {
            char answer_bytes[4096];
            web->ended = recv(web->socket, answer_bytes, sizeof answer_bytes, 0) <= 0;
        }
        web_close(web);
        if (i % 100 == 0) expect_served(host);
    }
    expect_served(host);
    close_host(host);
}

static void the_end_is_said_to_everybody(void **state) {
    (void)state;
    struct host *host = open_host(usual);
    struct web *one = web_socket(host->port), *other = web_socket(host->port);
    struct web *page = web_open(host->port);
    net_stop(host->net);
    assert_int_equal(web_hear_end(one), 1001);
    assert_int_equal(web_hear_end(other), 1001);
    close_host(host);
    web_close(one);
    web_close(other);
    web_close(page);
}

static void a_port_that_is_taken_is_a_fault_of_one_line(void **state) {
    (void)state;
    struct host *host = open_host(usual);
    struct fault fault = {0};
    struct net_options options = usual;
    options.port = host->port;
    assert_null(net_open(&options, &fault));
    assert_int_equal(fault.status, STATUS_USAGE);
    assert_non_null(strstr(fault.text, "Address already in use"));
    options.address = "localhost";
    assert_null(net_open(&options, &fault));
    assert_non_null(strstr(fault.text, "\"localhost\" is not an IPv4 or IPv6 address"));
    close_host(host);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_page_comes_with_its_headers_and_once),
        cmocka_unit_test(a_page_is_compressed_for_who_takes_that),
        cmocka_unit_test(what_is_no_page_is_not_found),
        cmocka_unit_test(a_list_of_extensions_is_passed_over_and_a_long_one_refused),
        cmocka_unit_test(a_body_is_not_heard_as_the_next_request),
        cmocka_unit_test(a_body_behind_another_request_stops_nothing),
        cmocka_unit_test(another_host_or_origin_is_turned_away),
        cmocka_unit_test(nothing_but_WebSockets_can_be_upgraded_to),
        cmocka_unit_test(a_message_may_come_in_pieces_and_have_64_KiB),
        cmocka_unit_test(messages_that_are_no_texts_end_the_socket),
        cmocka_unit_test(who_is_to_wait_is_not_heard_and_keeps_the_socket),
        cmocka_unit_test(a_busy_client_is_heard_again_when_it_has_its_answers),
        cmocka_unit_test(who_never_reads_is_cut_off),
        cmocka_unit_test(an_address_and_all_have_only_so_many_sockets),
        cmocka_unit_test(behind_a_proxy_the_address_is_the_one_it_names),
        cmocka_unit_test(many_or_long_lists_of_forwarders_end_with_the_proxys_word),
        cmocka_unit_test(a_forwarder_that_is_no_address_counts_as_the_proxy),
        cmocka_unit_test(pages_are_counted_for_the_visitor_over_all_its_connections),
        cmocka_unit_test(what_many_threads_say_all_arrives),
        cmocka_unit_test(what_is_said_while_a_long_answer_is_unsent_arrives_too),
        cmocka_unit_test(who_stops_reading_is_cut_off_whatever_it_says),
        cmocka_unit_test(who_reads_slowly_but_on_stays),
        cmocka_unit_test(what_one_address_leaves_unread_is_bounded_and_cuts_off_who_leaves_it),
        cmocka_unit_test(each_of_many_slow_readers_is_told_everything),
        cmocka_unit_test(a_slow_reader_gets_the_whole_page),
        cmocka_unit_test(what_is_queued_is_sent_before_the_goodbye),
        cmocka_unit_test(half_a_request_and_silence_are_not_waited_for),
        cmocka_unit_test(who_answers_pings_stays),
        cmocka_unit_test(heartbeats_go_both_ways_and_their_silence_ends_the_connection),
        cmocka_unit_test(heartbeats_in_time_are_not_counted_and_others_are),
        cmocka_unit_test(frames_that_are_no_message_are_counted_too),
        cmocka_unit_test(a_heartbeat_that_cannot_be_kept_is_a_message_like_others),
        cmocka_unit_test(damaged_bytes_harm_nobody_else),
        cmocka_unit_test(the_end_is_said_to_everybody),
        cmocka_unit_test(a_port_that_is_taken_is_a_fault_of_one_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
