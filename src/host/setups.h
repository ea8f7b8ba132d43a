/* setups.h - files of set-ups: one on several lines, or many, one a line.
 *
 * A line may begin with a number (how often the set-up was seen) and end with a comment from '#'.
 */
#ifndef ENSIGN_HOST_SETUPS_H
#define ENSIGN_HOST_SETUPS_H

#include "core/layout.h"

struct setups {
    struct setup *list;
    size_t count;
};

/* Reads and checks every set-up of a text; the first that is wrong ends it with a fault at its
 * line. Free with setups_clear(). */
bool setups_read(const struct rules *rules, const char *text, size_t length, struct setups *setups,
                 struct fault *fault);
void setups_clear(struct setups *setups);

#endif
