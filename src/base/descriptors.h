/* descriptors.h - are there enough file descriptors, and are the first three what they should be?
 *
 * During a game a file that cannot be opened looks missing and a process without pipes looks
 * crashed; the bot would be blamed. So there is a check before a game, and a server keeps the last
 * descriptors for the games that it has. */
#ifndef ENSIGN_BASE_DESCRIPTORS_H
#define ENSIGN_BASE_DESCRIPTORS_H

#include "fault.h"

#include <stdint.h>

enum {
    DESCRIPTORS_OF_PLAY = 24, /* for one game, at its peak */
    DESCRIPTORS_OF_GAME = 14, /* for each further game at the same time */

    /* The highest numbers, which a server keeps: from connections, and a part of them from new
     * games and bots as well. The rest is for files and the calls of variants. */
    DESCRIPTORS_NOT_FOR_SOCKETS = 64,
    DESCRIPTORS_NOT_FOR_BOTS = 32
};

/* Puts something that can be neither read nor written in the place of standard input, output and
 * error where the caller closed them. Else a file or socket that is opened later would have their
 * numbers, and get what is printed. Also in place of an input that cannot be read: who waits for a
 * pipe's other end is never told of its end. */
void descriptors_hold_standard(void);

/* Raises the limit as far as possible and checks that `count` more files can be opened. False with
 * a STATUS_SYSTEM fault. */
bool descriptors_reserve(int count, struct fault *fault);

/* Is this one, just opened, among the `kept` highest that the limit allows? A new descriptor has
 * the lowest free number, so all below it are in use. */
bool descriptor_is_kept(int descriptor, int kept);

/* False with a STATUS_SYSTEM fault if a descriptor opened now would be among the `kept` highest. */
bool descriptors_left(int kept, struct fault *fault);

/* What has gone through a TCP socket so far, in bytes; zeroed where the system does not tell. */
struct descriptor_traffic {
    int64_t read;  /* from it */
    int64_t taken; /* by the other end */
    bool waits;    /* there is more for the other end */
};
struct descriptor_traffic descriptor_traffic(int descriptor);

/* Is this errno about a shortage of descriptors? */
bool descriptors_are_short(int error);

#endif
