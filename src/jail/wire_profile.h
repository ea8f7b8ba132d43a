/* wire_profile.h - a profile of a script between processes. */
#ifndef ENSIGN_JAIL_WIRE_PROFILE_H
#define ENSIGN_JAIL_WIRE_PROFILE_H

#include "lua/profile.h"
#include "wire.h"

enum { WIRE_PROFILE_MAX = 16 + PROFILE_SHOWN_MAX * (FAULT_FILE_MAX + 16) }; /* bytes in a frame */

/* Puts the fuel in all and the lines that used most of it. */
void frame_put_profile(struct frame *frame, const struct profile *profile);

/* Adds what was put to `profile`. The lines are shown to people, so each must be of a file that the
 * process may read. False if it makes no sense; some lines may have been added then. */
bool frame_take_profile(struct frame *frame, struct profile *profile,
                        bool (*may_read)(const void *context, const char *path),
                        const void *context);

#endif
