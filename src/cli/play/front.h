/* front.h - how play meets people around a game: in lines of text, or on a screen.
 *
 * play.c and round.c know this interface and nothing behind it. Texts that they hand over are in
 * the people's language already. All of it belongs to one thread, but while a game is played the
 * callbacks of its players and `keep` may be called by another. */
#ifndef ENSIGN_CLI_PLAY_FRONT_H
#define ENSIGN_CLI_PLAY_FRONT_H

#include "host/changes.h"
#include "host/player.h"
#include "host/referee.h"
#include "lua/folders.h"
#include "lua/language.h"

enum { FRONT_PATH_MAX = 1024 };

/* What is to be played: as options say it, a game that was left, or the start screen. */
struct terms {
    char variant[FOLDER_PATH_MAX];   /* as variant_load() takes it */
    char player[2][FOLDER_PATH_MAX]; /* "human", or as player_open() takes them */
    char setup[FOLDER_PATH_MAX]; /* of people, as setup_library_load() takes it; empty: they lay it
                                    out */
    int first;                   /* enum side, -1: as the rules say */
};

/* A game that is to be played. */
struct front_game {
    const struct rules *rules;
    struct player *players[2]; /* NULL: a person, whose set-up is given */
    const char *names[2];      /* of the players, as people gave them */
    struct referee_options referee;
    struct record *record;
};

/* A game that has ended or was broken off. */
struct front_end {
    const struct rules *rules;
    const struct record *record;
    const struct referee_report *report;
    const char *path;  /* where the record lies; NULL: nowhere */
    const char *saved; /* from where the game can be continued; NULL: from nowhere */
};

struct front {
    void *self;
    bool asks;                    /* somebody can be asked about what lies outside of a game */
    int signal;                   /* that has ended the program, known after close(); 0: none */
    bool takes_signals;           /* that are to end the program, and leaves the game first */
    bool ended;                   /* nobody is there any more */
    bool interrupted;             /* what was being asked was broken off, and goes on at once */
    char save_as[FRONT_PATH_MAX]; /* where the record is to go; empty if nobody has said so during
                                     the game */

    /* A line about anything. */
    void (*say)(void *self, const char *line);

    /* Something that went wrong; it has been printed to standard error if that is not hidden. */
    void (*complain)(void *self, const struct fault *fault);

    /* False also when nobody is there any more. */
    bool (*agrees)(void *self, const char *question);

    /* Index of one of `items`; -1: none. */
    int (*choose)(void *self, const char *question, const char *const *items, int count);

    /* Asks what is to be played, beginning with what `terms` say. False when nothing is. NULL:
     * nobody is asked. */
    bool (*start)(void *self, struct terms *terms);

    /* A game of so many people (0, 1, 2) is about to begin; `summary` is a line on who plays what.
     */
    void (*begin)(void *self, int people, const char *summary);

    /* Lets the person of `side` lay out an army; one that is valid already is where that begins,
     * else one drawn from `random`. False without words in `fault` when the person left. */
    bool (*arrange)(void *self, const struct rules *rules, enum side side, struct random *random,
                    struct setup *setup, struct fault *fault);

    /* Lets the referee run a game, with people in the seats that are free. False with a fault when
     * the host fails. */
    bool (*play)(void *self, const struct front_game *game, struct referee_report *report,
                 struct fault *fault);

    /* Shows what became of the game, all ranks included if it is over. */
    void (*end)(void *self, const struct front_end *end);

    void (*close)(void *self);
};

/* Lines on standard input and output; the screen of the terminal. False with a fault. */
bool front_lines(struct front *front, const struct folders *folders,
                 const struct language *language, struct fault *fault);
bool front_screen(struct front *front, const struct folders *folders,
                  const struct language *language, struct fault *fault);

/* Of front_lines() only. From now on a change of these files interrupts whatever people are asked,
 * and with that the game; to be called before anything is read, and to forget an interruption. */
void front_lines_heed(struct front *front, struct changes *changes);

#endif
