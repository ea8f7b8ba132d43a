/* origin_check.h - who may come in from the web: the Host and Origin of a request.
 *
 * A page of another site can make a browser send requests here, with an Origin that tells; with a
 * name of its own that it has pointed at this machine, also with a Host that tells. So on a
 * loopback address only names of this machine are taken for a Host, elsewhere any; and an Origin
 * must be this host itself. Origins that are named are taken anywhere. Programs send no Origin. */
#ifndef ENSIGN_SERVE_ORIGIN_CHECK_H
#define ENSIGN_SERVE_ORIGIN_CHECK_H

#include <stdbool.h>
#include <stddef.h>

struct origin_check {
    const char *const *origins; /* "https://example.org", without a final '/' */
    int count;
    bool loopback; /* listens on a loopback address */
    bool proxied;  /* requests from this machine say in X-Forwarded-For whom they are for */
};

/* Is the text an origin: http:// or https://, a host, maybe a port, nothing more? */
bool origin_check_is_origin(const char *text);

/* Is the numeric address one of this machine alone (127.0.0.0/8, ::1)? */
bool origin_check_is_loopback(const char *address);

/* May a request have this Host ("localhost:8080")? */
bool origin_check_takes_host(const struct origin_check *check, const char *host);

/* May a page of this origin open a WebSocket here? `origin` is "" where the request has none; the
 * host has been taken. */
bool origin_check_takes_origin(const struct origin_check *check, const char *origin,
                               const char *host);

#endif
