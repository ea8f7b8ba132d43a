/* setup_tally.h - figures of many set-ups: squares of each kind, duplicates, mirror images. */
#ifndef ENSIGN_HOST_SETUPS_SETUP_TALLY_H
#define ENSIGN_HOST_SETUPS_SETUP_TALLY_H

#include "setup_pool.h"

/* Two of the set-ups, by index, the earlier first. */
struct setup_twins {
    size_t first, second;
    bool mirrored; /* each is the other's mirror image; else they are equal */
};

struct setup_tally {
    uint64_t seen;                                /* sum of the counts */
    uint64_t stood[KINDS_MAX][BOARD_SQUARES_MAX]; /* times a kind was on a square; as red */
    size_t distinct;                              /* different set-ups */
    size_t repeats;                               /* set-ups equal to an earlier one */
    size_t mirrors;            /* pairs of different set-ups that mirror each other */
    size_t symmetric;          /* different set-ups that are their own mirror image */
    struct setup_twins *twins; /* sorted by `second`: all repeats, and each pair of mirrors once, by
                                  its first set-ups */
    size_t twin_count;
};

/* Free with setup_tally_clear(). False if memory is short. */
bool setup_tally(const struct rules *rules, const struct setup_pool *setups,
                 struct setup_tally *tally, struct fault *fault);
void setup_tally_clear(struct setup_tally *tally);

#endif
