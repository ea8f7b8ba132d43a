/* note.h - what a finished game adds to its match besides its row in the table of games, until it
 * is counted: the set-ups, what the players used, a fault. Small, since many games may wait for a
 * long one; a struct fault alone is several times as long. */
#ifndef ENSIGN_HOST_MATCH_NOTE_H
#define ENSIGN_HOST_MATCH_NOTE_H

#include "base/fault.h"
#include "core/play/game.h"
#include "host/usage.h"

struct note {
    struct usage usage[2];
    enum status status;  /* of its fault; STATUS_OK: none */
    enum side late_side; /* the side that failed after the end, if not a forfeit */
    int line, column;
    char
        texts[]; /* set-ups of red and blue, the fault's file and text; empty where there is none */
};

/* Copies everything. A set-up may be NULL or empty: none. Free with free(). NULL without memory. */
struct note *note_new(const struct usage usage[2], const char *const setups[2],
                      const struct fault *fault, enum side late_side);

/* The set-up of a side, one line, as long as the note; NULL: none. */
const char *note_setup(const struct note *note, enum side side);

/* The fault, without quoted lines; STATUS_OK if there is none. */
void note_fault(const struct note *note, struct fault *fault);

#endif
