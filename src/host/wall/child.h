/* child.h - the life of a process that runs one bot, and what is said to it.
 *
 * The process locks itself up before it hears of any bot, builds its own view from what the host
 * tells it (own pieces, the enemy's squares, events, legal moves) and asks for the files of its bot
 * by name. It answers each frame with one frame, or first with questions for files. */
#ifndef ENSIGN_HOST_WALL_CHILD_H
#define ENSIGN_HOST_WALL_CHILD_H

#include "core/know/view.h"
#include "lua/folders.h"
#include "lua/sandbox.h"

/* A frame to the child holds any number of these, each followed by what is named: numbers as
 * uint32_t, texts as their length and their bytes. */
enum child_order {
    CHILD_OPEN,   /* struct chance of its seat, text: path of the bot's file */
    CHILD_SETUP,  /* struct child_table */
    CHILD_START,  /* struct child_table */
    CHILD_TURN,   /* number, that many struct event: a turn both sides have seen */
    CHILD_STOP,   /* the same: what ended the game from outside */
    CHILD_MOVE,   /* number, that many struct move: the legal ones */
    CHILD_FINISH, /* nothing */
    CHILD_FILE    /* a file (wire_files.h); answers CHILD_ASKS */
};

/* A frame from the child holds one of these; a child that has been told several things answers the
 * last of them, or says what failed first. */
enum child_answer {
    CHILD_DONE,
    CHILD_OPENED, /* number: 1 if the bot observes turns; text: the bot's name */
    CHILD_LAID,   /* struct setup */
    CHILD_NAMED,  /* text: name of a set-up of the library */
    CHILD_CHOSE,  /* number: index of the move */
    CHILD_WROTE,  /* text of a move */
    CHILD_FAILED, /* numbers: enum status, line, column; texts: file, what */
    CHILD_ASKS    /* text: path of a file that it wants to read */
};

enum { CHILD_ANSWER_MAX = 1 << 12 }; /* bytes of an answer */

/* What a view begins with; no pieces before the set-ups. */
struct child_table {
    uint8_t side, first;
    cell own[BOARD_SQUARES_MAX];
    uint8_t enemy_start[KINDS_MAX];
    squareset enemy;
    struct limits limits;
};

struct child_work {
    const struct rules *rules;
    struct folders folders;
    struct sandbox_limits limits;
};

/* Bytes of the largest order to a child under these rules, files not counted. */
size_t child_order_max(const struct rules *rules);

/* Bytes of the largest frame to a child: an order, and the turns that wait for it. */
size_t child_frame_max(const struct rules *rules);

/* Bytes of memory of its own that a process with such a bot must have. */
size_t child_memory(struct sandbox_limits limits);

/* What the exit code of a process says that has not asked for its bot's file: "has no memory". */
const char *child_exit_text(int code);

/* The life of one, as nursery.h runs it; `context` is a struct child_work. */
void child_run(const void *context, int in, int out);

#endif
