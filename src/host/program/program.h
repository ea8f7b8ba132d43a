/* program.h - an external program as a player names it, and its process during a game.
 *
 * Knows pipes, lines, deadlines and what a failing program is told to have done; the protocols
 * (player_ucc.h and others) know what the lines mean. A program runs at most once at a time.
 * When it ends or is stopped, or the host dies, everything that it started is ended too. For one
 * thread at a time, except where noted. */
#ifndef ENSIGN_HOST_PROGRAM_PROGRAM_H
#define ENSIGN_HOST_PROGRAM_PROGRAM_H

#include "host/player.h"
#include "lua/logbook.h"
#include "process.h"
#include "program_command.h"

enum {
    PROGRAM_FOLDERS_KEPT = 20,            /* fresh folders of programs that failed, in all */
    PROGRAM_SEND_MAX = PROCESS_QUEUE_MAX, /* bytes that may wait for a program to read them */
    PROGRAM_LINE_MAX = PROCESS_LINE_MAX   /* bytes of a line that it writes, without its end */
};

/* A test of a program (check/compliance.h): what more it is told than in a game, and how it takes
 * that. */
struct program_probe {
    const char *before;  /* lines that it is sent before each question; NULL: none */
    bool keys;           /* each message has further keys */
    uint32_t asides;     /* its lines that were no answer, … */
    struct fault aside;  /* … and what was wrong with the first of them */
    bool stopped, exits; /* it was told the end of the game, and has exited in time … */
    char status[PROCESS_STATUS_MAX]; /* … with this status */
};

struct program_options {
    const char *label; /* its name, shorter than PROGRAM_NAME_MAX; NULL: that of its file */
    int deadline;      /* ms for each line that it owes, at least 1 */
    struct program_confines confines;
    const struct log_sink *log;  /* of what it writes on standard error; NULL: nothing is kept */
    struct program_probe *probe; /* NULL: it is not tested */
};

struct program;

/* Reads the command (program_command.h) and finds the program's file, but does not start it. NULL
 * with a fault: STATUS_USAGE or STATUS_NOT_FOUND for the command or the interpreter of
 * a script, STATUS_NO_MEMORY, STATUS_SYSTEM if the kernel cannot build the wall. */
struct program *program_open(const char *command, const struct program_options *options,
                             struct fault *fault);

/* Kills the process if it runs, and frees. NULL is allowed. */
void program_close(struct program *program);

/* The label, else the file's name, as safe UTF-8 (utf8.h); and the absolute path of the file. Both
 * live until program_close(). */
const char *program_name(const struct program *program);
const char *program_path(const struct program *program);

/* Starts the process, which must not run. False with a fault: STATUS_START if the program cannot be
 * run, STATUS_SYSTEM or STATUS_NO_MEMORY if the host fails. */
bool program_start(struct program *program, struct fault *fault);

/* From program_start() to program_stop(), even if the process has ended meanwhile. */
bool program_is_running(const struct program *program);

/* What the program writes on standard error from now on is about this ply and this function, as in
 * the log of a bot. */
void program_now(struct program *program, uint32_t ply, const char *function);

/* Sends bytes to a running program; never waits. Messages are collected and written when the next
 * line is read, when the program is stopped, or by program_flush(). The bytes are dropped if the
 * program has ended or leaves more than PROGRAM_SEND_MAX bytes unread. */
void program_send(struct program *program, const void *bytes, size_t length);
void program_flush(struct program *program);

/* Reads the next line that is not blank, without its end, into `line`; 0 bytes become '?'. `size`
 * is 2 … PROGRAM_LINE_MAX + 1. The n-th call gets the n-th line, whenever the program wrote it.
 * False with a fault and program_blame(), in which `what` is what the program owes ("move"):
 * STATUS_TIME after the deadline, STATUS_ILLEGAL_MOVE for a line that does not fit, STATUS_CRASH if
 * the program has ended. */
bool program_read(struct program *program, char *line, size_t size, const char *what,
                  struct fault *fault);

/* The same for one answer of several lines, or after lines that are none: it is `due` at a time of
 * clock_ms(), the first of which program_due() tells. */
int64_t program_due(const struct program *program);
bool program_read_by(struct program *program, int64_t due, char *line, size_t size,
                     const char *what, struct fault *fault);

/* Adds the end of the program's standard error to the fault, and places it at the program's name in
 * its working folder. A fresh folder is not removed; only the first PROGRAM_FOLDERS_KEPT are kept.
 * Returns false. */
bool program_blame(struct program *program, struct fault *fault);

/* Closes the program's standard input, gives it `milliseconds` to exit (none if a line was missed),
 * and kills it with everything that it started. Then removes
 * its fresh folder. Does nothing if it does not run. */
void program_stop(struct program *program, int milliseconds);

/* Kills the process with everything that it started, and waits for their end; it counts as running
 * until program_stop(). Any thread may call it at any time before program_close(). */
void program_kill(struct program *program);

#endif
