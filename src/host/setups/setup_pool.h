/* setup_pool.h - files of set-ups: a single one on several lines, or many, one a line.
 *
 * A line may begin with a number (how often the set-up was seen) and end with a comment ('#'). */
#ifndef ENSIGN_HOST_SETUPS_SETUP_POOL_H
#define ENSIGN_HOST_SETUPS_SETUP_POOL_H

#include "core/text/layout.h"

enum { SETUP_POOL_BYTES_MAX = 64 << 20, SETUP_POOL_MAX = 8 << 20 };

struct setup_origin {
    uint64_t seen; /* the number before the set-up; 1 without one */
    int line;
};

struct setup_pool {
    struct setup *list;
    struct setup_origin *origins; /* as many */
    size_t count;
    enum side side; /* whose they are */
};

/* The side whose set-ups a text holds: where the sides differ, the one that all of them fit; red if
 * they fit neither. */
enum side setup_pool_side(const struct rules *rules, const char *text, size_t length);

/* Reads and checks every set-up of a text, for a side. False with a fault at the first that is
 * wrong. Free with setup_pool_clear(). */
bool setup_pool_read(const struct rules *rules, enum side side, const char *text, size_t length,
                     struct setup_pool *setups, struct fault *fault);

/* The same, but skips wrong set-ups after a call of `complain`, with line and column. False with a
 * fault if the text has no content or memory is short. */
bool setup_pool_survey(const struct rules *rules, enum side side, const char *text, size_t length,
                       void (*complain)(void *context, const struct fault *fault), void *context,
                       struct setup_pool *setups, struct fault *fault);

/* Adds a set-up that has been checked. False if memory is short. */
bool setup_pool_add(struct setup_pool *setups, const struct setup *setup,
                    struct setup_origin origin);

void setup_pool_clear(struct setup_pool *setups);

#endif
