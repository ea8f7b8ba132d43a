/* codec.h - faults in frames. */
#ifndef ENSIGN_JAIL_CODEC_H
#define ENSIGN_JAIL_CODEC_H

#include "base/fault.h"
#include "jail/channel.h"
#include "lua/profile.h"

/* The form travels too, so that a fault from behind the wall can be translated. A hostile process
 * can at most choose which of the program's own sentences is shown for its text. */
void frame_put_fault(struct frame *frame, const struct fault *fault);

/* Takes a fault with safe texts, a sound form and a possible place; anything else breaks the frame
 * and leaves STATUS_OK. STATUS_NO_MEMORY becomes STATUS_MEMORY: the process ran out of its own. The
 * caller must check whether the process may name this file, and whether it may report failures of
 * the host (status_exit_code() 3). */
bool frame_take_fault(struct frame *frame, struct fault *fault);

/* A profile of a script between processes. */

enum {
    CHANNEL_PROFILE_MAX = 16 + PROFILE_SHOWN_MAX * (FAULT_FILE_MAX + 16)
}; /* bytes in a frame */

/* Puts the fuel in all and the lines that used most of it. */
void frame_put_profile(struct frame *frame, const struct profile *profile);

/* Adds what was put to `profile`. The lines are shown to people, so each must be of a file that the
 * process may read. False if it makes no sense; some lines may have been added then. */
bool frame_take_profile(struct frame *frame, struct profile *profile,
                        bool (*may_read)(const void *context, const char *path),
                        const void *context);

#endif
