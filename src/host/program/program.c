/* program.c - connects a command (program_command.h) with its process (process.h).
 *
 * The end of the process is noticed only when a line is owed, so that a game does not depend on how
 * fast a program exits. */
#include "program.h"

#include "base/clock.h"
#include "base/files.h"
#include "external_wall.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ERRORS_SHOWN = 300, SAID_MAX = 1 << 12 };

struct program {
    struct program_command command;
    char name[PROGRAM_NAME_MAX];
    int deadline;
    pthread_mutex_t lock;    /* held while the process is started or stopped */
    struct process *process; /* NULL unless it runs */
    bool broken;             /* it failed to answer: do not wait for its exit */
    struct program_confines confines;
    struct tempdir scratch; /* its fresh folder; its path is empty if it has none */
    bool keeps;             /* the folder stays */
    struct log log;
    struct program_probe *probe;
    uint32_t ply; /* that lines are about, … */
    const char *function;
    char said[SAID_MAX]; /* the start of a line on standard error */
    size_t said_length;
};

struct program *program_open(const char *command, const struct program_options *options,
                             struct fault *fault) {
    struct program *program = options->confines.refused ? NULL : calloc(1, sizeof *program);
    if (options->confines.refused) {
        fault_set(fault, STATUS_USAGE, "external programs are not allowed here");
        return NULL;
    }
    if (!program) {
        fault_set(fault, STATUS_NO_MEMORY, "no memory for a player");
        return NULL;
    }
    pthread_mutex_init(&program->lock, NULL);
    program->deadline = options->deadline;
    program->log.sink = options->log;
    program->probe = options->probe;
    program->function = "load";
    program->confines = options->confines;
    if (program->confines.wall) program->confines.fresh = true;
    if (!program->confines.memory) program->confines.memory = PROGRAM_MEMORY;
    if (!program_command_read(&program->command, command, fault)) {
        program_close(program);
        return NULL;
    }
    snprintf(program->name, sizeof program->name, "%s",
             options->label ? options->label : program->command.name);
    if ((program->confines.fresh && !program_command_fix(&program->command, fault)) ||
        (program->confines.wall && !external_wall_check(fault))) {
        program_close(program);
        return NULL;
    }
    return program;
}

void program_close(struct program *program) {
    if (!program) return;
    program_stop(program, 0);
    pthread_mutex_destroy(&program->lock);
    program_command_clear(&program->command);
    free(program);
}

const char *program_name(const struct program *program) {
    return program->name;
}

const char *program_path(const struct program *program) {
    return program->command.path;
}

static const char *program_folder(const struct program *program) {
    return program->scratch.path[0] ? program->scratch.path : program->command.folder;
}

static void tell_line(struct program *program) {
    log_tell(&program->log, program->ply, program->function, program->said, program->said_length);
    program->said_length = 0;
}

/* Passes on whole lines, and those that are too long in parts. */
static void hear_errors(void *context, const char *bytes, size_t length) {
    struct program *program = context;
    for (size_t i = 0; i < length; i++) {
        if (bytes[i] != '\n') program->said[program->said_length++] = bytes[i] ? bytes[i] : '?';
        if (program->said_length == SAID_MAX || (bytes[i] == '\n' && program->said_length))
            tell_line(program);
    }
}

void program_now(struct program *program, uint32_t ply, const char *function) {
    program->ply = ply;
    program->function = function;
}

bool program_start(struct program *program, struct fault *fault) {
    const struct program_command *command = &program->command;
    if (program->confines.fresh && !tempdir_make(&program->scratch, fault)) return false;
    struct external_wall wall = {-1, program->confines.memory};
    const bool walled = program->confines.wall;
    if (walled && !external_wall_open(&wall, program->scratch.path, wall.memory, fault)) {
        tempdir_remove(&program->scratch);
        return false;
    }
    pthread_mutex_lock(&program->lock);
    program->process = process_start(command->path, program_folder(program), command->words,
                                     walled ? &wall : NULL, fault);
    pthread_mutex_unlock(&program->lock);
    external_wall_close(&wall);
    program->broken = program->keeps = false;
    if (program->process && program->log.sink) process_hear(program->process, hear_errors, program);
    if (program->process) return true;
    tempdir_remove(&program->scratch);
    /* Says more than the system does. */
    if (fault->status == STATUS_START && !program_command_check(command, fault))
        fault->status = STATUS_START;
    return program_blame(program, fault);
}

bool program_is_running(const struct program *program) {
    return program->process;
}

void program_send(struct program *program, const void *bytes, size_t length) {
    process_send(program->process, bytes, length);
}

void program_flush(struct program *program) {
    process_flush(program->process);
}

int64_t program_due(const struct program *program) {
    return clock_ms() + program->deadline;
}

bool program_read(struct program *program, char *line, size_t size, const char *what,
                  struct fault *fault) {
    return program_read_by(program, program_due(program), line, size, what, fault);
}

bool program_read_by(struct program *program, int64_t due, char *line, size_t size,
                     const char *what, struct fault *fault) {
    char status[PROCESS_STATUS_MAX];
    switch (process_line(program->process, line, size, clock_left(due))) {
    case PROCESS_LINE:
        return true;
    case PROCESS_LATE:
        fault_set(fault, STATUS_TIME, "no %s within %d ms", what, program->deadline);
        break;
    case PROCESS_LONG:
        fault_set(fault, STATUS_ILLEGAL_MOVE,
                  "a line of more than %zu bytes, or only blank ones, instead of a %s", size - 1,
                  what);
        break;
    case PROCESS_END:
        process_status(program->process, status);
        fault_set(fault, STATUS_CRASH, "the program ended instead of giving a %s (%s)", what,
                  status);
        break;
    }
    program->broken = true;
    return program_blame(program, fault);
}

bool program_blame(struct program *program, struct fault *fault) {
    static atomic_int kept;
    char errors[ERRORS_SHOWN];
    pthread_mutex_lock(&program->lock); /* another thread may kill it and remove the folder */
    if (program->scratch.path[0] && !program->keeps)
        program->keeps = atomic_fetch_add(&kept, 1) < PROGRAM_FOLDERS_KEPT;
    if (program->keeps) fault_add(fault, "; its folder is kept");
    if (program->process && process_errors(program->process, errors, sizeof errors))
        fault_add(fault, "; its standard error ends: %s", errors);
    /* Records leave folders out: the same game has the same record in any of them. */
    char place[FAULT_FILE_MAX];
    bool fits = snprintf(place, sizeof place, "%s/%s", program_folder(program), program->name) <
                (int)sizeof place;
    pthread_mutex_unlock(&program->lock);
    fault_place(fault, fits ? place : program->name, 0, 0);
    return false;
}

/* Of a program that has ended. */
static void remove_folder(struct program *program) {
    if (program->keeps)
        program->scratch.path[0] = 0;
    else
        tempdir_remove(&program->scratch);
}

void program_stop(struct program *program, int milliseconds) {
    char status[PROCESS_STATUS_MAX];
    pthread_mutex_lock(&program->lock);
    struct program_probe *probe = program->process ? program->probe : NULL;
    process_stop(program->process, program->broken ? 0 : milliseconds, status);
    program->process = NULL;
    if (probe && milliseconds) {
        probe->stopped = true;
        probe->exits = status[0];
        memcpy(probe->status, status, sizeof status);
    }
    if (program->said_length) tell_line(program);
    remove_folder(program);
    pthread_mutex_unlock(&program->lock);
}

void program_kill(struct program *program) {
    pthread_mutex_lock(&program->lock);
    if (program->process) process_kill(program->process);
    remove_folder(program);
    pthread_mutex_unlock(&program->lock);
}
