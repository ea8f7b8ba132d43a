/* ui.h - the user interface of a game: lines of text, or a full screen.
 *
 * play.c and round.c use only this interface; the texts they pass are already translated. It
 * belongs to one thread, but it may let a game go on in another one. */
#ifndef ENSIGN_CLI_UI_H
#define ENSIGN_CLI_UI_H

#include "base/fault.h"
#include "cli/suspicions.h"
#include "host/changes.h"
#include "host/hint.h"
#include "host/table/table.h"
#include "lua/folders.h"
#include "lua/language.h"

#include <sys/types.h>

enum { UI_PATH_MAX = 1024 };

/* The terms of a game, from the options, an unfinished game or the start screen. */
struct terms {
    char variant[FOLDER_PATH_MAX];   /* as variant_load() takes it */
    char player[2][FOLDER_PATH_MAX]; /* "human", or as player_open() takes them */
    char setup[FOLDER_PATH_MAX];     /* of humans, as setup_library_load() takes it; empty: ask */
    int first;                       /* enum side, -1: as the rules say */
    struct pace pace;                /* of the clock; ms 0: none */
    bool lesson;                     /* the lesson instead of a game */
};

/* A step of a lesson, which is a game that ends when its task is done. */
struct ui_lesson {
    const char *title, *text, *task, *done;
    uint32_t plies; /* of the step */
    bool last;      /* no step follows */
    bool leaves;    /* set by play(): the user wants no further step */
};

/* A game to play. */
struct ui_game {
    struct table *table;      /* open, with the armies of people */
    const char *names[2];     /* of the players, as typed */
    struct suspicions *marks; /* of both sides */
    struct hint *hint;        /* for the only person; NULL: there are no hints */
    int eyes; /* enum side that a person played before bots took the game over, -1: none, or both */
    struct ui_lesson *lesson; /* NULL: an ordinary game */
};

/* A game that has ended or was broken off. */
struct ui_end {
    const struct rules *rules;
    const struct record *record;
    const struct referee_report *report;
    const char *path;  /* where the record lies; NULL: nowhere */
    const char *saved; /* file of a game that can be continued; NULL: none */
    bool passing;      /* it is kept nowhere on purpose */
};

struct ui {
    void *self;
    bool asks;                 /* may ask questions outside a game: a user is at the terminal */
    int signal;                /* that ends the program, known after close(); 0: none */
    bool takes_signals;        /* catches signals that end the program, and leaves the game first */
    bool ended;                /* the input has ended */
    bool interrupted;          /* a question was broken off by a changed file */
    char save_as[UI_PATH_MAX]; /* path for the record, given during the game; else empty */

    /* Shows a line. */
    void (*say)(void *self, const char *line);

    /* Shows a fault; also on standard error unless a screen covers it. */
    void (*complain)(void *self, const struct fault *fault);

    /* Asks a yes-no question. False also at the end of the input. */
    bool (*agrees)(void *self, const char *question);

    /* Index of one of `items`; -1: none. */
    int (*choose)(void *self, const char *question, const char *const *items, int count);

    /* Start screen: lets the user change `terms`. False if the user leaves. NULL: none. */
    bool (*start)(void *self, struct terms *terms);

    /* A game of 0, 1 or 2 humans begins; `summary` names variant and players. */
    void (*begin)(void *self, int people, const char *summary);

    /* Lets the human of `side` lay out an army, beginning with what of `setup` fits, or with a
     * random one. False without words in `fault` when the human left; `setup` is then what stood on
     * the board. */
    bool (*arrange)(void *self, const struct rules *rules, enum side side, struct random *random,
                    struct setup *setup, struct fault *fault);

    /* Plays a game to its end, as the table's client. False with a fault if the host fails. */
    bool (*play)(void *self, const struct ui_game *game, struct fault *fault);

    /* Shows what the bot of a side (enum side) prints, or (-1) a call of the variant, which sees
     * both sides. Any thread may call it. */
    void (*log)(void *self, int side, const struct log_line *line);

    /* Shows how the game ended; if it is over, all ranks too. */
    void (*end)(void *self, const struct ui_end *end);

    /* From now on a change of these files interrupts any question, and so the game. Call it before
     * anything is read, and again to clear an interruption. */
    void (*heed)(void *self, struct changes *changes);

    /* Shows what is wrong with a file, on a screen until the next call; empty: nothing. */
    void (*pin)(void *self, const struct faults *faults);

    /* Waits for a change of the files, with a game to look at meanwhile (rules and record NULL:
     * none). False if the user leaves instead. */
    bool (*await)(void *self, const struct rules *rules, const struct record *record);

    void (*close)(void *self);
};

/* An interface of lines on standard input and output; a full screen. False with a fault. */
bool ui_lines(struct ui *ui, const struct folders *folders, const struct language *language,
              struct fault *fault);
bool ui_screen(struct ui *ui, const struct folders *folders, const struct language *language,
               struct fault *fault);

/* The screen if the terminal can show one, else (or if `plain`) lines. False with a fault. */
bool ui_open(struct ui *ui, bool plain, const struct folders *folders,
             const struct language *language, struct fault *fault);

#endif
