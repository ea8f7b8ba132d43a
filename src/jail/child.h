/* child.h - the process that runs one bot, and its protocol with the host.
 *
 * The process locks itself up before it learns its bot, builds its own view from the host's orders
 * (own pieces, the enemy's squares, events, legal moves) and asks for the bot's files by name. It
 * answers each frame with one frame, after any questions for files. If the host wants its log, each
 * answer ends with what the bot printed since the one before (frame_put_tail). */
#ifndef ENSIGN_JAIL_CHILD_H
#define ENSIGN_JAIL_CHILD_H

#include "core/know/view.h"
#include "lua/folders.h"
#include "lua/logbook.h"
#include "lua/sandbox.h"
#include "nursery.h"
#include "wire_profile.h"

/* A frame to the child holds any number of orders, each followed by its data. Numbers are uint32_t,
 * texts a length and bytes. */
enum child_order {
    CHILD_OPEN,     /* struct chance of its seat, number: set of enum child_wish, text: path of the
                       bot's file */
    CHILD_SETUP,    /* struct child_table */
    CHILD_START,    /* struct child_table */
    CHILD_TURN,     /* number, that many struct event; `seen` if the rules have sight */
    CHILD_STOP,     /* the same, when the game ended other than by a turn */
    CHILD_CLOCK,    /* struct child_clock */
    CHILD_MOVE,     /* number, that many struct move: the legal moves */
    CHILD_EXPLAIN,  /* the same, after CHILD_MOVE */
    CHILD_APPRAISE, /* the same; no moves: the other side is to move */
    CHILD_FINISH,   /* nothing */
    CHILD_SPEND,    /* nothing: asks for the profile since it was last asked for */
    CHILD_FILE      /* a file (wire_files.h); answers CHILD_ASKS */
};

/* A frame from the child holds one answer: to the last order of the frame, or the fault of the
 * first order that failed. */
enum child_answer {
    CHILD_DONE,
    CHILD_OPENED,    /* numbers: 1 if the bot observes turns, 1 if it has `appraise`, lines of its
                        `setup` and `move`; text: the bot's name */
    CHILD_LAID,      /* struct setup */
    CHILD_NAMED,     /* text: name of a set-up of the library */
    CHILD_CHOSE,     /* uint64_t: fuel of the callback; number: index of the move */
    CHILD_WROTE,     /* the same; text of a move */
    CHILD_EXPLAINED, /* struct advice */
    CHILD_APPRAISED, /* uint16_t for each of the moves, at least one */
    CHILD_FAILED,    /* the same as CHILD_CHOSE; a fault (wire_fault.h) */
    CHILD_SPENT,     /* a profile (wire_profile.h) */
    CHILD_ASKS       /* text: path of a file to read */
};

enum child_wish { CHILD_LOGS = 1, CHILD_PROFILES = 2 };

enum { CHILD_ANSWER_MAX = 1 << 12 }; /* bytes of an answer without chances and wishes */

/* The start of a view; without pieces before the set-ups. */
struct child_table {
    uint8_t side, first;
    cell own[BOARD_SQUARES_MAX];
    uint8_t enemy_start[KINDS_MAX];
    squareset enemy;
    struct limits limits;
};

/* The clock of the bot's own side. */
struct child_clock {
    int64_t left, increment; /* ms */
};

/* What a nursery of bots, or of a variant's calls, knows. */
struct child_work {
    const struct rules *rules;
    struct folders folders; /* `scripts` alone */
    struct sandbox_limits limits;
};

/* A nursery whose children do that job, and know a struct child_work. NULL with a fault. */
struct nursery *child_nursery(nursery_job *run, const struct rules *rules, const char *scripts,
                              struct sandbox_limits limits, struct fault *fault);

/* Bytes of the largest order under these rules, not counting files. */
size_t child_order_max(const struct rules *rules);

/* Bytes of the largest frame to a child: an order and the turns queued before it. */
size_t child_frame_max(const struct rules *rules);

/* Bytes of the largest answer, with all that may be wished for or without. */
size_t child_answer_max(const struct rules *rules, bool wished);

/* Bytes of address space that a process with such a bot needs beyond the host's. */
size_t child_memory(struct sandbox_limits limits);

/* Describes the exit code of a process that ended before it asked for its bot's file: "has no
 * memory". */
const char *child_exit_text(int code);

/* Runs the process, as nursery_work.run; `known` is a struct child_work. */
void child_run(const void *known, int in, int out);

#endif
