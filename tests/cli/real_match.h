/* real_match.h - a match of two stock bots from set-ups that people played, killed twice on
 * the way, for tests that pin its numbers. */
#ifndef ENSIGN_TESTS_CLI_REAL_MATCH_H
#define ENSIGN_TESTS_CLI_REAL_MATCH_H

enum {
    REAL_MATCH_PAIRS = 1000,
    REAL_MATCH_FEW = 100 /* only the first: all take half a minute of processor time */
};

/* The number of pairs to play: all only with ENSIGN_LONG=1. */
int real_match_pairs(void);

/* Plays that many pairs of raider against rookie (original, seed 4) into the folder, which must be
 * empty: begun, killed, resumed, killed, resumed. The set-ups are a sample of real ones.
 * Returns the final output of `match --json`; the caller frees. Skips the test if the real set-ups
 * are missing. */
char *real_match_play(const char *folder, int pairs);

#endif
