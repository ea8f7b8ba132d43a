/* reply.h - what a seat says: reading one line of JSON, and the answers of a seat.
 *
 * Keys that are not known are ignored. A fault says which key, its value and what was expected; the
 * line then has no effect. */
#ifndef ENSIGN_HOST_SEAT_REPLY_H
#define ENSIGN_HOST_SEAT_REPLY_H

#include "base/fault.h"

#include <jansson.h>

enum {
    REPLY_BYTES_MAX = 1 << 16, /* of a line, with its line end */
    REPLY_VALUES_MAX = 100     /* in a line: each takes up to a hundred times its bytes of memory */
};

/* The object in a line of `length` bytes. NULL with a STATUS_TEXT fault if it is not one, has a key
 * twice, is too long or holds too many values. The caller frees with json_decref(). */
json_t *reply_object(const char *line, size_t length, struct fault *fault);

enum reply_type {
    REPLY_SETUP, /* `text`: a set-up or the name of one; NULL: one by chance */
    REPLY_MOVE,  /* `text` */
    REPLY_RESIGN,
    REPLY_DRAW_OFFER,
    REPLY_DRAW_ANSWER, /* `accepts` */
    REPLY_OTHER        /* no answer of a seat: another "type" */
};

struct reply {
    enum reply_type type;
    const char *text; /* lives as long as the object */
    bool accepts;
    int64_t ply; /* that it answers; -1: not said */
};

/* False with a STATUS_TEXT fault. */
bool reply_read(const json_t *object, struct reply *reply, struct fault *fault);

/* {"id":…} of a long line of which nothing else is read: an id of at most 64 bytes. NULL: it has
 * none. The line ends with a 0. */
json_t *reply_find_id(const char *line, size_t length);

/* The reply to a request, with its id if it has one. Returns `message`, which may be NULL. */
json_t *reply_to(const json_t *request, json_t *message);

/* Reads keys of any message. The value of `key`: NULL if it is missing or null; a flag then stays
 * as it was. False with a fault if it is of another type; `most` is the greatest number allowed,
 * from 0. */
bool reply_text(const json_t *object, const char *key, const char **text, struct fault *fault);
bool reply_flag(const json_t *object, const char *key, bool *flag, struct fault *fault);
bool reply_number(const json_t *object, const char *key, uint64_t most, bool *there,
                  uint64_t *number, struct fault *fault);

#endif
