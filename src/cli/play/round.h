/* round.h - one game that is played or watched at the terminal, from its terms to the record.
 *
 * A running game is kept in a file (host/table/saved.h), so that it survives the end of the
 * program. */
#ifndef ENSIGN_CLI_PLAY_ROUND_H
#define ENSIGN_CLI_PLAY_ROUND_H

#include "cli/ui.h"
#include "host/bot_levels.h"
#include "host/table/saved.h"
#include "lua/folders.h"
#include "lua/language.h"

struct round {
    /* Set by the caller, the same for all games. */
    const struct folders *folders;
    const struct language *language;
    struct ui *ui;
    const char *output; /* file or folder for finished records; NULL: the state folder */
    int deadline;       /* ms for each answer of a bot or program */
    bool trust;         /* bots run in this process */
    struct program_confines programs;
    bool verbose;         /* shows what bots print, which tells their pieces */
    bool passing;         /* games end with the program: no record, no list of games names them */
    const uint64_t *seed; /* of each new game; NULL: of host/seed.h */

    struct terms terms;
    struct rules *rules;                /* of terms.variant */
    struct template *template;          /* of the bots; NULL if they are trusted */
    struct setup setups[2];             /* of humans, the starting point of their next set-up */
    char kept[SAVED_PATH_MAX];          /* file of the last game if it is unfinished; else empty */
    char hint_bot[BOT_LEVELS_NAME_MAX]; /* bot that gives hints to the only person; empty: none */
    bool warned;                        /* the user knows that games cannot be saved */
};

/* Loads the variant, unless `rules` is set, and opens the template. Returns the exit code,
 * EXIT_DONE on success. */
int round_open(struct round *round);
void round_close(struct round *round);

/* Plays a new game, or continues the one saved at `path`, and shows its end. A passing game
 * that a bot's fault has ended stays saved up to that fault, so that it can go on once the bot is
 * mended. The given seed serves
 * one game (host/seed.h) and every other game has a seed of its own, so that one game or its record
 * tells nothing about the next. Returns the exit code; `*over`: the game has a result. */
int round_play(struct round *round, const char *path, bool *over);

/* Exchanges the players and their set-ups. */
void round_exchange(struct round *round);

#endif
