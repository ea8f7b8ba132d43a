/* player.h - a bot, a human or a program that answers for a side. The referee knows only this
 * interface.
 *
 * Callbacks may be NULL, except `move`, and `setup` unless the player is always given a set-up. A
 * callback that returns false has filled the fault, and its side forfeits for the reason that
 * belongs to the fault's status. */
#ifndef ENSIGN_HOST_PLAYER_H
#define ENSIGN_HOST_PLAYER_H

#include "bot/bot_advice.h"
#include "bot/pace.h"
#include "core/know/view.h"
#include "core/text/notation.h"
#include "lua/folders.h"
#include "lua/logbook.h"
#include "lua/sandbox.h"

#include <stdatomic.h>

struct session;       /* session.h */
struct program_probe; /* program/program.h */

enum answer_type {
    ANSWER_MOVE, /* `move` */
    ANSWER_TEXT, /* the move in `text`, to be parsed and judged */
    ANSWER_RESIGN,
    ANSWER_DRAW, /* offers a draw; the player is asked again if it is declined */
    ANSWER_QUIT  /* ends the game without a result: reason "unfinished" */
};

struct answer {
    enum answer_type type;
    struct move move;
    char text[MOVE_TEXT_MAX];
    uint64_t fuel; /* that the call used, and with a clock also `observe` since the last one; valid
                      also when it failed. Only of a metered player */
};

/* The offered move that an answer of type ANSWER_MOVE or ANSWER_TEXT is. False with a
 * STATUS_ILLEGAL_MOVE fault. */
bool answer_find(const struct view *view, const struct answer *answer, const struct move *moves,
                 size_t count, struct move *move, struct fault *fault);

struct player {
    const char *name;    /* as in records */
    const char *program; /* the file of an external program, else NULL */
    void *self;
    const char *file; /* of a Lua bot, and the lines in it where its `setup` and `move` begin (0:
                         elsewhere), for faults of what it answers; else NULL */
    int setup_line, move_line;
    bool own_setup; /* cannot play with a set-up that it has not chosen itself */
    bool metered;   /* a Lua bot: its answers tell their fuel */
    /* Asks for a set-up; the view has rules and side, no pieces. */
    bool (*setup)(void *self, const struct view *view, struct setup *setup, struct fault *fault);
    bool (*start)(void *self, const struct view *view, struct fault *fault);
    bool (*move)(void *self, const struct view *view, const struct move *moves, size_t count,
                 struct answer *answer, struct fault *fault);
    /* In a game with a clock, before `setup`, `start` and `move`: what is left. The side's own
     * clock is exact, that of the other one in whole seconds. */
    void (*clock)(void *self, const struct view *view, const struct game_clock *clock);
    /* After `move` in the same turn, and only there: why it chose that move. Nothing depends on it.
     */
    bool (*explain)(void *self, const struct view *view, const struct move *moves, size_t count,
                    struct advice *advice, struct fault *fault);
    /* The chances to win, in parts of APPRAISAL_CERTAIN: after each of the moves of its turn; with
     * none, as the other side is to move, one number, as things stand. NULL: it says nothing. */
    bool (*appraise)(void *self, const struct view *view, const struct move *moves, size_t count,
                     uint16_t *chances, struct fault *fault);
    /* Called for both sides after every turn with all of its events, already applied to the view,
     * and when the game ends without a move, with the end as the only event. */
    bool (*observe)(void *self, const struct view *view, const struct events *events,
                    struct fault *fault);
    /* A set-up or move was refused, and the player is asked again. NULL: it forfeits instead.
     * `verdict` is the rule that a move breaks, else LEGAL. */
    void (*refused)(void *self, enum verdict verdict, const struct fault *why);
    /* The other side offers a draw. NULL declines. */
    bool (*accepts_draw)(void *self, const struct view *view);
    /* The game is over, before `finish`: everything may be known now. */
    void (*uncover)(void *self, const struct session *session);
    bool (*finish)(void *self, const struct view *view, struct fault *fault);
    /* Adds where the fuel went since the last time. NULL: it was not opened with `profiles`. */
    bool (*spent)(void *self, struct profile *profile, struct fault *fault);
    /* External programs: kills the program with everything that it started, and waits for their
     * end. Any thread may call it. */
    void (*kill)(void *self);
    void (*close)(void *self);
};

/* How an external program is confined. */
struct program_confines {
    bool refused;  /* none may be opened: a STATUS_USAGE fault */
    bool fresh;    /* it runs in an empty folder, which is removed when it is stopped */
    bool wall;     /* it is locked up (program/external_wall.h), in a fresh folder */
    size_t memory; /* bytes that it may have behind the wall; 0: PROGRAM_MEMORY */
};

#define PROGRAM_MEMORY ((size_t)1 << 30)

struct player_options {
    const struct folders *folders;
    const struct rules *rules;
    struct sandbox_limits limits; /* of a Lua bot */
    int deadline;                 /* ms that a process may take for an answer, from 1 */
    const char *opponent;         /* opponent's name for an external program; may be NULL */
    struct template *template;    /* where Lua bots run; NULL: in this process */
    struct program_confines programs;
    struct program_probe *probe; /* of an external program that is tested; NULL: it is not */
    const struct log_sink *log;  /* of what a Lua bot prints; NULL: nothing is kept */
    bool profiles;               /* a Lua bot notes where its fuel goes, and is slower */

    /* A Lua bot whose process was killed or stopped from outside gets a new one, which observes the
     * game so far without being asked for those moves again. Else the fault is STATUS_KILLED. So
     * does one that crashed, if it does not do so again and again (TEMPLATE_TRIES). */
    bool catches_up;

    /* The caller plays the game again: a crash is STATUS_KILLED too. */
    bool spares_crash;

    /* When this becomes true a Lua bot that is late is not waited for any longer: STATUS_KILLED.
     * NULL: it never does. */
    const atomic_bool *give_up;
};

enum { PLAYER_DEADLINE = 10000 };

#endif
