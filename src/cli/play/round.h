/* round.h - one game that people play or watch: from what is to be played to the record.
 *
 * While it runs the game is kept in a file (host/saved.h), so that nothing that ends the program
 * ends the game. */
#ifndef ENSIGN_CLI_PLAY_ROUND_H
#define ENSIGN_CLI_PLAY_ROUND_H

#include "front.h"
#include "host/saved.h"
#include "lua/folders.h"
#include "lua/language.h"

struct round {
    /* The caller's, which stay the same from one game to the next. */
    const struct folders *folders;
    const struct language *language;
    struct front *front;
    const char *output; /* file or folder for finished records; NULL: the state folder */
    int deadline;       /* ms for an answer of a bot or program */
    bool trust;         /* bots run in this process */

    struct terms terms;
    struct rules *rules; /* of terms.variant, and where its bots run */
    struct nursery *nursery;
    struct setup setups[2];    /* what people laid out: where they begin in the next game */
    char kept[SAVED_PATH_MAX]; /* where the last game was left; empty if it is over */
    bool warned;               /* that games cannot be saved */
};

/* Loads the variant, unless `rules` are there, and opens the place for bots, before there is a
 * game. What is to be returned if that fails, else EXIT_DONE. */
int round_open(struct round *round);
void round_close(struct round *round);

/* Plays a game, or (`path`) goes on with one that was left there, and shows its end. Its chance
 * comes from the seed that was given, once (host/seed.h), else from one of its own: what a program
 * learns of one game, or reads in its record, says nothing about the next. Returns the exit code;
 * `*over` tells if it came to an end. */
int round_play(struct round *round, const char *path, bool *over);

/* Exchanges the sides. */
void round_exchange(struct round *round);

#endif
