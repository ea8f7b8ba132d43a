/* scripted.h - a player for tests: follows a script and logs everything it receives. */
#ifndef ENSIGN_TESTS_HOST_SCRIPTED_H
#define ENSIGN_TESTS_HOST_SCRIPTED_H

#include "host/player.h"

enum { SCRIPTED_MOVES_MAX = 1000 };

struct scripted {
    struct player player; /* what the referee gets */
    struct setup setup;
    struct random random; /* for moves beyond the script */

    struct move script[SCRIPTED_MOVES_MAX]; /* moves that were made, and those to make */
    int scripted, made;                     /* how many of `script` to make; how many were made */
    int quit_after;                         /* breaks the game off after so many moves; 0: never */

    char *log; /* everything received, as bytes; NULL: not wanted */
    size_t log_length, log_size;
    squareset seen;      /* squares that stood in any event */
    const cell *peek;    /* a leak on purpose: cells that the log is to betray; else NULL */
    int asked_for_setup; /* times */
    int told;            /* events received */
    uint8_t last_result; /* of the view when the game was finished */
    bool finished;
};

/* A player with this set-up that plays random moves. */
void scripted_start(struct scripted *scripted, const char *name, const struct setup *setup,
                    uint64_t seed);
void scripted_log(struct scripted *scripted);
void scripted_clear(struct scripted *scripted);

#endif
