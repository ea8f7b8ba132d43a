/* real_match.h - a match of two stock bots that start from set-ups of people, killed twice on its
 * way: for tests that keep its numbers. */
#ifndef ENSIGN_TESTS_CLI_REAL_MATCH_H
#define ENSIGN_TESTS_CLI_REAL_MATCH_H

enum {
    REAL_MATCH_PAIRS = 1000,
    REAL_MATCH_FEW = 100 /* the first of them: all take half a minute of a processor */
};

/* How many pairs are to be played: all only with ENSIGN_LONG=1. */
int real_match_pairs(void);

/* Plays so many pairs of raider against rookie (original, seed 4) into the folder, which must be
 * empty: begun, killed, resumed, killed, resumed. The set-ups are a sample of those people played.
 * Returns what `match --json` said at last; the caller frees. Skips the test where the real set-ups
 * are not there. */
char *real_match_play(const char *folder, int pairs);

#endif
