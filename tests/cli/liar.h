/* liar.h - a worker of the real program's parts that plays honestly, but sends something else. */
#ifndef ENSIGN_TESTS_CLI_LIAR_H
#define ENSIGN_TESTS_CLI_LIAR_H

#include "machines.h"

enum lie {
    LIE_WINNER,   /* the other side has won; the record is as it was */
    LIE_RESIGNED, /* half of the moves, and a side resigns: a game that can be, but was not played
                   */
    LIE_SETUP,    /* another army than stands in the record */
    LIE_USAGE,    /* a thousand times as many calls as turns */
    LIE_ESCAPES,  /* a record that a terminal obeys */
    LIE_FAULT,    /* a bot that failed after the end, but did not */
    LIE_LENGTH,   /* the games are too long for a message */
    LIE_LACK,     /* they need a file that the match does not need */
    LIES,
    SLOW_LATER = LIES, /* no lie: no bot answers in time, but in the first pair */
    SLOW_AT_ONCE
};

/* A worker of one thread, which tells the truth only about the first pair: it is admitted. The
 * other tells it about so many pairs, at least 1. */
struct machine liar_start(const char *url, const char *name, enum lie lie);
struct machine liar_start_later(const char *url, const char *name, enum lie lie, int truths);

#endif
