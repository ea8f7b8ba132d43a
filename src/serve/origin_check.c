/* origin_check.c - compares the names that a request gives. */
#define _GNU_SOURCE
#include "origin_check.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <string.h>
#include <strings.h>

/* What follows "http://" or "https://"; NULL if the text starts with neither. */
static const char *origin_host(const char *origin) {
    if (!strncasecmp(origin, "http://", 7)) return origin + 7;
    if (!strncasecmp(origin, "https://", 8)) return origin + 8;
    return NULL;
}

/* Length of the host at the start of "host:port" or "[address]:port", whole otherwise; 0 if it is
 * neither. */
static size_t host_length(const char *host) {
    size_t length;
    if (*host == '[') {
        const char *end = strchr(host, ']');
        if (!end) return 0;
        length = (size_t)(end - host) + 1;
    } else {
        length = strspn(host, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._");
    }
    const char *rest = host + length;
    if (!*rest) return length;
    if (*rest != ':' || !rest[1] || strlen(rest) > 6) return 0;
    return rest[1 + strspn(rest + 1, "0123456789")] ? 0 : length;
}

bool origin_check_is_origin(const char *text) {
    const char *host = origin_host(text);
    return host && host_length(host);
}

bool origin_check_is_loopback(const char *address) {
    struct in_addr four;
    struct in6_addr six;
    if (inet_pton(AF_INET, address, &four) == 1) return ntohl(four.s_addr) >> 24 == 127;
    return inet_pton(AF_INET6, address, &six) == 1 && IN6_IS_ADDR_LOOPBACK(&six);
}

static bool is_local_name(const char *host, size_t length) {
    char name[64];
    if (*host == '[') host++, length -= 2;
    if (length >= sizeof name) return false;
    memcpy(name, host, length);
    name[length] = 0;
    return !strcasecmp(name, "localhost") || origin_check_is_loopback(name);
}

bool origin_check_takes_host(const struct origin_check *check, const char *host) {
    size_t length = host_length(host);
    if (!length) return false;
    if (!check->loopback || is_local_name(host, length)) return true;
    for (int i = 0; i < check->count; i++)
        if (!strcasecmp(origin_host(check->origins[i]), host)) return true;
    return false;
}

bool origin_check_takes_origin(const struct origin_check *check, const char *origin,
                               const char *host) {
    if (!*origin) return true;
    for (int i = 0; i < check->count; i++)
        if (!strcasecmp(check->origins[i], origin)) return true;
    const char *own = origin_host(origin);
    return own && !strcasecmp(own, host);
}
