/* net_web.c - what libwebsockets reports: requests for pages, and the life of WebSockets. */
#include "net_inside.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
    HOST_MAX = 256,
    EXTENSIONS_MAX = 256,
    ANSWER_BYTES = 2048,
    SENT_CHUNK = 1 << 14,
    ETAG_BYTES = NET_ETAG_MAX + 8,
    UPGRADE_PAGES = 4,      /* what a WebSocket costs to open */
    MOMENT = 20000,         /* us until a page that is being made is asked for again */
    TOO_MANY_REQUESTS = 429 /* HTTP's */
};

static const char NO_PAGE[] = "there is no such page\n";

/* Copies a header; "" where there is none or it is too long. */
static void header_of(struct lws *wsi, enum lws_token_indexes token, char *out, int size) {
    if (lws_hdr_copy(wsi, out, size, token) <= 0) *out = 0;
}

/* Adds a header of every answer. */
static bool add_header(struct lws *wsi, const char *name, const char *value, unsigned char **at,
                       unsigned char *end) {
    return !lws_add_http_header_by_name(wsi, (const unsigned char *)name,
                                        (const unsigned char *)value, (int)strlen(value), at, end);
}

static bool is_compressed(const struct net_page *page) {
    return page->gzip && page->bytes == page->gzip;
}

/* Compressed it is another representation. */
static void quote_etag(const struct net_page *page, char etag[ETAG_BYTES]) {
    snprintf(etag, ETAG_BYTES, "\"%s%s\"", page->etag, is_compressed(page) ? "-gzip" : "");
}

static bool add_headers(struct lws *wsi, const struct net_page *page, unsigned char **at,
                        unsigned char *end) {
    static const char *const always[][2] = {{"content-security-policy:",
                                             "default-src 'self'; frame-ancestors 'none'; "
                                             "base-uri 'none'; form-action 'none'"},
                                            {"x-content-type-options:", "nosniff"},
                                            {"referrer-policy:", "no-referrer"},
                                            {"cross-origin-opener-policy:", "same-origin"},
                                            {"cross-origin-resource-policy:", "same-origin"}};
    char etag[ETAG_BYTES];
    for (size_t i = 0; i < sizeof always / sizeof *always; i++)
        if (!add_header(wsi, always[i][0], always[i][1], at, end)) return false;
    if ((page->gzip && !add_header(wsi, "vary:", "accept-encoding", at, end)) ||
        (is_compressed(page) && !add_header(wsi, "content-encoding:", "gzip", at, end)))
        return false;
    if (!page->etag[0]) return add_header(wsi, "cache-control:", "no-store", at, end);
    quote_etag(page, etag);
    return add_header(wsi, "cache-control:", "no-cache", at, end) &&
           add_header(wsi, "etag:", etag, at, end);
}

static int send_page(struct socket *socket);

/* Begins to answer with the socket's page; `body` is false for HEAD. */
static int answer(struct socket *socket, unsigned status, bool body) {
    struct lws *wsi = socket->wsi;
    struct net_page *page = &socket->page;
    unsigned char bytes[LWS_PRE + ANSWER_BYTES], *start = bytes + LWS_PRE, *at = start;
    unsigned char *end = bytes + sizeof bytes;
    if (lws_add_http_common_headers(wsi, status | LWSAHH_FLAG_NO_SERVER_NAME, page->type,
                                    page->length, &at, end) ||
        !add_headers(wsi, page, &at, end) ||
        (status == TOO_MANY_REQUESTS && !add_header(wsi, "retry-after:", "10", &at, end)) ||
        lws_finalize_write_http_header(wsi, start, &at, end))
        return -1;
    socket->sent = body ? 0 : page->length;
    socket->sending = true;
    return send_page(socket);
}

static void drop_page(struct socket *socket) {
    free(socket->page.owned);
    socket->page = (struct net_page){0};
    socket->sending = false;
}

static int answer_text(struct socket *socket, unsigned status, const char *text, bool body) {
    drop_page(socket);
    socket->page = (struct net_page){.type = "text/plain", .bytes = text, .length = strlen(text)};
    return answer(socket, status, body);
}

/* Sends as much as the socket takes; the next piece goes when it is writable again. */
static int send_page(struct socket *socket) {
    struct lws *wsi = socket->wsi;
    const struct net_page *page = &socket->page;
    unsigned char bytes[LWS_PRE + SENT_CHUNK];
    lws_set_timeout(wsi, PENDING_TIMEOUT_HTTP_CONTENT, socket->net->options.header_seconds);
    while (socket->sent < page->length) {
        if (lws_partial_buffered(wsi)) {
            lws_callback_on_writable(wsi);
            return 0;
        }
        size_t left = page->length - socket->sent, piece = left < SENT_CHUNK ? left : SENT_CHUNK;
        memcpy(bytes + LWS_PRE, (const char *)page->bytes + socket->sent, piece);
        enum lws_write_protocol how = piece == left ? LWS_WRITE_HTTP_FINAL : LWS_WRITE_HTTP;
        if (lws_write(wsi, bytes + LWS_PRE, piece, how) < 0) return -1;
        socket->sent += piece;
    }
    drop_page(socket);
    return lws_http_transaction_completed(wsi) ? -1 : 0;
}

static bool is_unchanged(struct socket *socket) {
    char known[128], etag[ETAG_BYTES];
    if (!socket->page.etag[0]) return false;
    header_of(socket->wsi, WSI_TOKEN_HTTP_IF_NONE_MATCH, known, sizeof known);
    quote_etag(&socket->page, etag);
    return strstr(known, etag);
}

/* The address in an element of X-Forwarded-For, which may have brackets and a port. False if it
 * makes no sense. */
static bool read_forwarded(const char *element, size_t length, char address[INET6_ADDRSTRLEN]) {
    unsigned char bytes[sizeof(struct in6_addr)];
    const char *colon = memchr(element, ':', length);
    const char *end = *element == '[' ? memchr(element, ']', length) : NULL;
    if (end)
        element++, length = (size_t)(end - element);
    else if (colon && !memchr(colon + 1, ':', length - (size_t)(colon + 1 - element)))
        length = (size_t)(colon - element);
    if (!length || length >= INET6_ADDRSTRLEN) return false;
    memcpy(address, element, length);
    address[length] = 0;
    return strlen(address) == length &&
           (inet_pton(AF_INET, address, bytes) == 1 || inet_pton(AF_INET6, address, bytes) == 1);
}

/* Whom a request behind a proxy is counted under: the last address of all its headers
 * X-Forwarded-For, which is the one that the proxy has added; if that makes no sense, the proxy's.
 */
static const char *forwarded_address(struct socket *socket, char address[INET6_ADDRSTRLEN]) {
    static const char blank[] = " \t,";
    char list[NET_HEADER_BYTES + 1];
    header_of(socket->wsi, WSI_TOKEN_X_FORWARDED_FOR, list, sizeof list);
    size_t end = strlen(list), start;
    while (end && strchr(blank, list[end - 1])) end--;
    for (start = end; start && !strchr(blank, list[start - 1]);) start--;
    return read_forwarded(list + start, end - start, address) ? address : socket->address;
}

/* Knows whose request it is, and whether it is allowed: it counts as so many pages. False with a
 * fault. */
static bool admit_request(struct socket *socket, int pages, struct fault *fault) {
    char address[INET6_ADDRSTRLEN];
    const bool proxied =
        socket->net->options.origins.proxied && origin_check_is_loopback(socket->address);
    if (proxied && !socket_belongs(socket, forwarded_address(socket, address)))
        return fault_set(fault, STATUS_USAGE, "too many connections from your address");
    return visitor_spend(socket->visitor, RATE_PAGES, pages, fault);
}

/* The last answer of this socket: a body may follow, or the visitor is to wait. */
static int answer_and_close(struct socket *socket, unsigned status, const char *text) {
    int ended = answer_text(socket, status, text, true);
    return ended ? ended : -1;
}

/* libwebsockets takes a body for the next request, or, if it came together with the request before,
 * looks for it for ever. */
static bool has_body(struct lws *wsi) {
    char length[8];
    header_of(wsi, WSI_TOKEN_HTTP_CONTENT_LENGTH, length, sizeof length);
    return lws_hdr_total_length(wsi, WSI_TOKEN_HTTP_TRANSFER_ENCODING) > 0 ||
           (lws_hdr_total_length(wsi, WSI_TOKEN_HTTP_CONTENT_LENGTH) > 0 && strcmp(length, "0"));
}

/* Whether gzip is among the encodings that a request takes, and not with the quality 0. A list that
 * is too long has none. */
static bool takes_gzip(struct lws *wsi) {
    char list[256], *rest;
    header_of(wsi, WSI_TOKEN_HTTP_ACCEPT_ENCODING, list, sizeof list);
    for (char *one = strtok_r(list, ",", &rest); one; one = strtok_r(NULL, ",", &rest)) {
        one += strspn(one, " \t");
        const size_t name = strcspn(one, "; \t");
        const char *quality = strstr(one, "q=");
        if (name == 4 && !strncasecmp(one, "gzip", name))
            return !quality || strspn(quality + 2, "0.") != strcspn(quality + 2, " \t");
    }
    return false;
}

static int answer_path(struct socket *socket, const char *path);

static int hear_request(struct socket *socket, const char *path, size_t length) {
    struct fault fault = {0};
    struct lws *wsi = socket->wsi;
    struct net *net = socket->net;
    char host[HOST_MAX];
    const bool head = lws_hdr_total_length(wsi, WSI_TOKEN_HEAD_URI) > 0, body = has_body(wsi);
    header_of(wsi, WSI_TOKEN_HOST, host, sizeof host);
    if (!origin_check_takes_host(&net->options.origins, host)) {
        net->figures.refused++;
        const int ended =
            answer_text(socket, HTTP_STATUS_FORBIDDEN, "this host has another name\n", !head);
        return body ? -1 : ended;
    }
    if (!admit_request(socket, 1, &fault)) {
        net->figures.refused++;
        return answer_and_close(socket, TOO_MANY_REQUESTS, "too many requests: try again later\n");
    }
    if (!head && lws_hdr_total_length(wsi, WSI_TOKEN_GET_URI) <= 0)
        return answer_and_close(socket, HTTP_STATUS_METHOD_NOT_ALLOWED, "only GET and HEAD\n");
    if (body) return answer_and_close(socket, HTTP_STATUS_BAD_REQUEST, "a request has no body\n");
    if (strlen(path) != length || length >= NET_PATH_MAX)
        return answer_text(socket, HTTP_STATUS_NOT_FOUND, NO_PAGE, !head);
    return answer_path(socket, path);
}

static int await_page(struct socket *socket, const char *path) {
    if (!socket->awaited) {
        socket->awaited = strdup(path);
        lws_set_timeout(socket->wsi, PENDING_TIMEOUT_HTTP_CONTENT,
                        socket->net->options.header_seconds);
    }
    lws_set_timer_usecs(socket->wsi, MOMENT);
    return socket->awaited ? 0 : -1;
}

static int look_for_page(struct socket *socket) {
    char *path = socket->awaited;
    if (!path) return 0;
    const int answered = answer_path(socket, path);
    if (socket->page.later) return answered;
    socket->awaited = NULL;
    free(path);
    return answered;
}

/* Answers with the page of a path, or waits a moment for it: as long as for a request. */
static int answer_path(struct socket *socket, const char *path) {
    struct lws *wsi = socket->wsi;
    const struct net_options *options = &socket->net->options;
    const bool head = lws_hdr_total_length(wsi, WSI_TOKEN_HEAD_URI) > 0;
    drop_page(socket);
    if (!options->page(options->context, socket->visitor, path, &socket->page))
        return answer_text(socket, HTTP_STATUS_NOT_FOUND, NO_PAGE, !head);
    if (socket->page.later) return await_page(socket, path);
    if (socket->page.gzip && takes_gzip(wsi)) {
        socket->page.bytes = socket->page.gzip;
        socket->page.length = socket->page.gzip_length;
    }
    if (!is_unchanged(socket))
        return answer(socket, socket->page.status ? socket->page.status : HTTP_STATUS_OK, !head);
    socket->page.length = 0;
    return answer(socket, HTTP_STATUS_NOT_MODIFIED, false);
}

/* Only WebSockets: libwebsockets would speak HTTP/2 as well. An upgrade that it does not know it
 * has refused itself by now, with all headers freed; unless this hangs up, it reads the name again.
 */
static int judge_upgrade_name(struct socket *socket) {
    char name[16];
    header_of(socket->wsi, WSI_TOKEN_UPGRADE, name, sizeof name);
    if (!strcasecmp(name, "websocket")) return 0;
    socket->net->figures.refused++;
    if (*name) lws_return_http_status(socket->wsi, HTTP_STATUS_FORBIDDEN, "only WebSockets");
    return -1;
}

static const char *upgrade_refusal(struct socket *socket, unsigned *status, struct fault *fault) {
    struct lws *wsi = socket->wsi;
    struct net *net = socket->net;
    char path[8], host[HOST_MAX], origin[HOST_MAX];
    header_of(wsi, WSI_TOKEN_GET_URI, path, sizeof path);
    header_of(wsi, WSI_TOKEN_HOST, host, sizeof host);
    header_of(wsi, WSI_TOKEN_ORIGIN, origin, sizeof origin);
    *status = HTTP_STATUS_FORBIDDEN;
    if (!origin_check_takes_host(&net->options.origins, host)) return "this host has another name";
    if ((!*origin && lws_hdr_total_length(wsi, WSI_TOKEN_ORIGIN) > 0) ||
        !origin_check_takes_origin(&net->options.origins, origin, host))
        return "pages of other sites are not served";
    *status = HTTP_STATUS_NOT_FOUND;
    if (strcmp(path, "/ws")) return "WebSockets are at /ws";
    if (lws_hdr_total_length(wsi, WSI_TOKEN_PROTOCOL) > 0) return "there are no subprotocols";
    *status = HTTP_STATUS_BAD_REQUEST; /* libwebsockets would copy them over its answer */
    if (lws_hdr_total_length(wsi, WSI_TOKEN_EXTENSIONS) >= EXTENSIONS_MAX)
        return "too many extensions";
    *status = HTTP_STATUS_SERVICE_UNAVAILABLE;
    if (net->leaving) return "the server ends";
    return admit_request(socket, UPGRADE_PAGES, fault) ? NULL : fault->text;
}

static int judge_upgrade(struct socket *socket) {
    unsigned status;
    struct fault fault = {0};
    const char *refusal = upgrade_refusal(socket, &status, &fault);
    if (!refusal) return 0;
    socket->net->figures.refused++;
    lws_return_http_status(socket->wsi, status, refusal);
    return -1;
}

int net_callback(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                 size_t length) {
    struct socket *socket = wsi ? lws_get_opaque_user_data(wsi) : NULL;
    (void)user;
    if (!socket) return lws_callback_http_dummy(wsi, reason, user, in, length);
    socket->wsi = wsi;
    switch (reason) {
    case LWS_CALLBACK_HTTP:
        return hear_request(socket, in, length);
    case LWS_CALLBACK_TIMER:
        return look_for_page(socket);
    case LWS_CALLBACK_HTTP_WRITEABLE:
        return socket->sending ? send_page(socket) : 0;
    case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE:
        return judge_upgrade_name(socket);
    case LWS_CALLBACK_RAW_ADOPT: /* after CONNECT, without any timeout */
        return -1;
    case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION:
        return judge_upgrade(socket);
    case LWS_CALLBACK_ESTABLISHED:
        return socket_open_client(socket);
    case LWS_CALLBACK_RECEIVE:
        return socket->client ? socket_hear(socket, in, length) : -1;
    case LWS_CALLBACK_RECEIVE_PONG:
        socket_lives(socket);
        return 0;
    case LWS_CALLBACK_WS_PEER_INITIATED_CLOSE:
        if (socket->client) client_says_goodbye(socket->client);
        return 0;
    case LWS_CALLBACK_SERVER_WRITEABLE:
        return socket->client ? socket_tell(socket) : 0;
    case LWS_CALLBACK_WSI_DESTROY:
        lws_set_opaque_user_data(wsi, NULL);
        socket_close(socket);
        return 0;
    default:
        return 0;
    }
}
