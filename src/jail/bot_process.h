/* bot_process.h - the process that runs one bot, and its protocol with the host.
 *
 * The process locks itself up before it learns its bot, builds its own view from the host's orders
 * (own pieces, the enemy's squares, events, legal moves) and asks for the bot's files by name. It
 * answers each frame with one frame, after any questions for files. If the host wants its log, each
 * answer ends with what the bot printed since the one before (frame_put_tail). */
#ifndef ENSIGN_JAIL_BOT_PROCESS_H
#define ENSIGN_JAIL_BOT_PROCESS_H

#include "codec.h"
#include "core/know/view.h"
#include "lua/folders.h"
#include "lua/logbook.h"
#include "lua/sandbox.h"
#include "zygote.h"

/* A frame to the child holds any number of orders, each followed by its data. Numbers are uint32_t,
 * texts a length and bytes. */
enum bot_process_order {
    BOT_PROCESS_OPEN, /* struct chance of its seat, number: set of enum bot_process_wish, text: path
                   of the bot's file */
    BOT_PROCESS_SETUP,    /* struct bot_process_table */
    BOT_PROCESS_START,    /* struct bot_process_table */
    BOT_PROCESS_TURN,     /* number, that many struct event; `seen` if the rules have sight */
    BOT_PROCESS_STOP,     /* the same, when the game ended other than by a turn */
    BOT_PROCESS_CLOCK,    /* struct bot_process_clock */
    BOT_PROCESS_MOVE,     /* number, that many struct move: the legal moves */
    BOT_PROCESS_EXPLAIN,  /* the same, after BOT_PROCESS_MOVE */
    BOT_PROCESS_APPRAISE, /* the same; no moves: the other side is to move */
    BOT_PROCESS_FINISH,   /* nothing */
    BOT_PROCESS_SPEND,    /* nothing: asks for the profile since it was last asked for */
    BOT_PROCESS_FILE      /* a file (channel_files.h); answers BOT_PROCESS_ASKS */
};

/* A frame from the child holds one answer: to the last order of the frame, or the fault of the
 * first order that failed. */
enum bot_process_answer {
    BOT_PROCESS_DONE,
    BOT_PROCESS_OPENED,    /* numbers: 1 if the bot observes turns, 1 if it has `appraise`, lines of
                        its    `setup` and `move`; text: the bot's name */
    BOT_PROCESS_LAID,      /* struct setup */
    BOT_PROCESS_NAMED,     /* text: name of a set-up of the library */
    BOT_PROCESS_CHOSE,     /* uint64_t: fuel of the callback; number: index of the move */
    BOT_PROCESS_WROTE,     /* the same; text of a move */
    BOT_PROCESS_EXPLAINED, /* struct advice */
    BOT_PROCESS_APPRAISED, /* uint16_t for each of the moves, at least one */
    BOT_PROCESS_FAILED,    /* the same as BOT_PROCESS_CHOSE; a fault (codec.h) */
    BOT_PROCESS_SPENT,     /* a profile (codec.h) */
    BOT_PROCESS_ASKS       /* text: path of a file to read */
};

enum bot_process_wish { BOT_PROCESS_LOGS = 1, BOT_PROCESS_PROFILES = 2 };

enum { BOT_PROCESS_ANSWER_MAX = 1 << 12 }; /* bytes of an answer without chances and wishes */

/* The start of a view; without pieces before the set-ups. */
struct bot_process_table {
    uint8_t side, first;
    cell own[BOARD_SQUARES_MAX];
    uint8_t enemy_start[KINDS_MAX];
    squareset enemy;
    struct limits limits;
};

/* The clock of the bot's own side. */
struct bot_process_clock {
    int64_t left, increment; /* ms */
};

/* What a template of bots, or of a variant's calls, knows. */
struct bot_process_work {
    const struct rules *rules;
    struct folders folders; /* `scripts` alone */
    struct sandbox_limits limits;
};

/* A template whose children do that job, and know a struct bot_process_work. NULL with a fault. */
struct template *bot_process_template(jail_job *run, const struct rules *rules, const char *scripts,
                                      struct sandbox_limits limits, struct fault *fault);

/* Bytes of the largest order under these rules, not counting files. */
size_t bot_process_order_max(const struct rules *rules);

/* Bytes of the largest frame to a child: an order and the turns queued before it. */
size_t bot_process_frame_max(const struct rules *rules);

/* Bytes of the largest answer, with all that may be wished for or without. */
size_t bot_process_answer_max(const struct rules *rules, bool wished);

/* Bytes of address space that a process with such a bot needs beyond the host's. */
size_t bot_process_memory(struct sandbox_limits limits);

/* Describes the exit code of a process that ended before it asked for its bot's file: "has no
 * memory". */
const char *bot_process_exit_text(int code);

/* Runs the process, as template_work.run; `known` is a struct bot_process_work. */
void bot_process_run(const void *known, int in, int out);

#endif
