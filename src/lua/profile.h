/* profile.h - which lines of a script use how much fuel. */
#ifndef ENSIGN_LUA_PROFILE_H
#define ENSIGN_LUA_PROFILE_H

#include "base/fault.h"

#include <stddef.h>
#include <stdint.h>

/* Shown are the lines that used most, at most PROFILE_SHOWN_MAX. */
enum { PROFILE_FILES_MAX = 64, PROFILE_LINES_MAX = 1 << 16, PROFILE_SHOWN_MAX = 64 };

struct profile_line {
    const char *file;
    int line; /* from 1 */
    uint64_t fuel;
};

struct profile;

struct profile *profile_new(void); /* NULL without memory */
void profile_free(struct profile *profile);

void profile_clear(struct profile *profile);

/* Adds the fuel of a line. Lines beyond the limits, and those without memory, only count in the
 * total. */
void profile_add(struct profile *profile, const char *file, int line, uint64_t fuel);

uint64_t profile_total(const struct profile *profile);

/* Fills `lines` with the lines that used most, the greatest first; returns their number. The names
 * live as long as the profile. */
size_t profile_greatest(const struct profile *profile, struct profile_line *lines, size_t room);

#endif
