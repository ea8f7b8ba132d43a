/* player_ucc.c - connects the referee with a program that speaks the UCC 2012 protocol.
 *
 * ucc_text.h makes the lines from the view and events alone; process.h handles pipes and signals.
 * The program's n-th line is its n-th answer, however early it comes. Its end is noticed only when
 * it owes an answer, so that a game does not depend on how fast it exits. */
#include "player_ucc.h"

#include "base/paths.h"
#include "process.h"
#include "ucc_text.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WORDS_MAX = 32, LINE_MAX_BYTES = 128, ERRORS_SHOWN = 300 };

struct ucc {
    char *words[WORDS_MAX + 1]; /* of the command; words[0] is replaced by the path */
    char *storage;              /* of the words; owned */
    char path[FOLDER_PATH_MAX], folder[FOLDER_PATH_MAX];
    char name[UCC_NAME_MAX], opponent[UCC_NAME_MAX];
    int deadline;
    struct ucc_frame frame;
    struct setup army;            /* that it laid out */
    pthread_mutex_t lock;         /* held while a process is started or stopped */
    struct process *process;      /* NULL before the set-up and after the end */
    bool broken;                  /* it failed to answer: do not wait for its exit */
    char answer[LINE_MAX_BYTES];  /* the last line read */
    char echo[32];                /* its own words for the move being judged; else empty */
    char refusal[FAULT_TEXT_MAX]; /* why the referee refused the last answer; else empty */
};

/* Splits `text`, which it changes, at blanks outside quotes. */
static bool split_words(struct ucc *ucc, char *text, struct fault *fault) {
    int count = 0;
    char *out = text;
    for (;;) {
        text += strspn(text, " \t\n");
        if (!*text) break;
        if (count == WORDS_MAX)
            return fault_set(fault, STATUS_USAGE, "ucc: more than %d words", WORDS_MAX);
        ucc->words[count++] = out;
        char quote = 0;
        for (; *text && (quote || !strchr(" \t\n", *text)); text++)
            if (quote ? *text == quote : *text == '\'' || *text == '"')
                quote = quote ? 0 : *text;
            else if (*text == '\\' && quote != '\'' && text[1])
                *out++ = *++text;
            else
                *out++ = *text;
        if (quote) return fault_set(fault, STATUS_USAGE, "ucc: a quote (%c) is not closed", quote);
        bool more = *text != 0;
        *out++ = 0; /* not beyond the blank, which has been read */
        if (more) text++;
    }
    if (count && ucc->words[0][0]) return true;
    return fault_set(fault, STATUS_USAGE,
                     "\"ucc:\": the command of a program is expected after it");
}

static bool is_program(const char *path) {
    return path_is_file(path) && !access(path, X_OK);
}

/* The program of that name on PATH. */
static bool search_path(struct ucc *ucc, const char *name) {
    const char *folders = getenv("PATH");
    for (const char *rest = folders ? folders : "/usr/bin:/bin"; *rest;) {
        size_t length = strcspn(rest, ":");
        int needed = snprintf(ucc->path, sizeof ucc->path, "%.*s/%s", (int)length, rest, name);
        if (length && needed < (int)sizeof ucc->path && is_program(ucc->path)) return true;
        rest += length + (rest[length] == ':');
    }
    return false;
}

/* Fills path and folder. Does not follow the program's own link: its folder is the one named. */
static bool find_program(struct ucc *ucc, struct fault *fault) {
    const char *name = ucc->words[0], *slash = strrchr(name, '/');
    strcpy(ucc->folder, ".");
    if (!slash) {
        if (search_path(ucc, name)) return true;
        return fault_set(fault, STATUS_NOT_FOUND,
                         "ucc: no program \"%s\" on PATH; a file is named with its folder, as in "
                         "./%s",
                         name, name);
    }
    char folder[FOLDER_PATH_MAX];
    char *full = path_folder(name, folder, sizeof folder) ? realpath(folder, NULL) : NULL;
    bool fits =
        full && snprintf(ucc->folder, sizeof ucc->folder, "%s", full) < (int)sizeof ucc->folder;
    fits = fits &&
           snprintf(ucc->path, sizeof ucc->path, "%s/%s", full, slash + 1) < (int)sizeof ucc->path;
    free(full);
    if (!fits || access(ucc->path, F_OK))
        return fault_set(fault, STATUS_NOT_FOUND, "ucc: no program \"%s\"", name);
    if (is_program(ucc->path)) return true;
    return fault_set(fault, STATUS_USAGE, "ucc: \"%s\" is not an executable file", name);
}

/* Adds the end of the program's standard error and its name to the fault. */
static bool ucc_explain(struct ucc *ucc, struct fault *fault) {
    char errors[ERRORS_SHOWN];
    if (ucc->process && process_errors(ucc->process, errors, sizeof errors))
        fault_add(fault, "; its standard error ends: %s", errors);
    fault_place(fault, ucc->name, 0, 0);
    return false;
}

static void ucc_send(struct ucc *ucc, const char *text) {
    process_send(ucc->process, text, strlen(text));
}

/* Reads a line into ucc->answer; `what` is what the program owes. */
static bool ucc_read_line(struct ucc *ucc, const char *what, struct fault *fault) {
    char status[PROCESS_STATUS_MAX];
    switch (process_line(ucc->process, ucc->answer, sizeof ucc->answer, ucc->deadline)) {
    case PROCESS_LINE:
        return true;
    case PROCESS_LATE:
        fault_set(fault, STATUS_TIME, "no %s within %d ms", what, ucc->deadline);
        break;
    case PROCESS_LONG:
        fault_set(fault, STATUS_ILLEGAL_MOVE,
                  "a line of more than %d bytes, or only blank ones, instead of a %s",
                  LINE_MAX_BYTES - 1, what);
        break;
    case PROCESS_END:
        process_status(ucc->process, status);
        fault_set(fault, STATUS_CRASH, "the program ended instead of giving a %s (%s)", what,
                  status);
        break;
    }
    ucc->broken = true;
    return ucc_explain(ucc, fault);
}

static bool ucc_setup(void *self, const struct view *view, struct setup *setup,
                      struct fault *fault) {
    struct ucc *ucc = self;
    if (ucc->refusal[0]) {
        fault_set(fault, STATUS_SETUP, "%s", ucc->refusal);
        return ucc_explain(ucc, fault);
    }
    /* No ply has been played: the side to move begins. */
    ucc->frame = (struct ucc_frame){view->rules, (enum side)view->to_move};
    pthread_mutex_lock(&ucc->lock);
    ucc->process = process_start(ucc->path, ucc->folder, ucc->words, fault);
    pthread_mutex_unlock(&ucc->lock);
    if (!ucc->process) return ucc_explain(ucc, fault);
    char text[UCC_TEXT_MAX];
    ucc_write_greeting(&ucc->frame, (enum side)view->side, ucc->opponent, text);
    ucc_send(ucc, text);
    for (int row = 0; row < UCC_ROWS; row++) {
        if (!ucc_read_line(ucc, "set-up", fault)) return false;
        if (!ucc_read_row(&ucc->frame, (enum side)view->side, row, ucc->answer, setup, fault))
            return ucc_explain(ucc, fault);
    }
    ucc->army = *setup;
    return true;
}

/* Whether the army stands as the program laid it out. */
static bool army_stands(const struct ucc *ucc, const struct view *view) {
    for (int i = 0; i < view->count; i++) {
        const struct view_piece *piece = &view->piece[i];
        square at = view->side == RED ? piece->at : board_turn(&view->rules->board, piece->at);
        if (piece->side == view->side && ucc->army.at[at] != piece->kind) return false;
    }
    return true;
}

static bool ucc_start(void *self, const struct view *view, struct fault *fault) {
    struct ucc *ucc = self;
    if (ucc->process && army_stands(ucc, view)) return true;
    fault_set(fault, STATUS_USAGE, "the program lays out its own army and cannot be given one");
    return ucc_explain(ucc, fault);
}

static bool ucc_move(void *self, const struct view *view, const struct move *moves, size_t count,
                     struct answer *answer, struct fault *fault) {
    struct ucc *ucc = self;
    (void)moves, (void)count;
    if (ucc->refusal[0]) {
        fault_set(fault, STATUS_ILLEGAL_MOVE, "the answer is \"%s\": %s", ucc->answer,
                  ucc->refusal);
        return ucc_explain(ucc, fault);
    }
    char text[UCC_TEXT_MAX];
    if (!view->plies) ucc_send(ucc, "START\n");
    ucc_write_board(&ucc->frame, view, text);
    ucc_send(ucc, text);
    struct ucc_answer given;
    if (!ucc_read_line(ucc, "move", fault)) return false;
    if (!ucc_read_answer(&ucc->frame, ucc->answer, &given, fault)) return ucc_explain(ucc, fault);
    if (given.surrenders) {
        answer->type = ANSWER_RESIGN;
        return true;
    }
    const struct move move = {given.from, given.to, SQUARE_NONE, ABILITY_NONE, KIND_NONE};
    answer->type = ANSWER_TEXT;
    move_text(view->rules, move, false, answer->text);
    memcpy(ucc->echo, given.echo, sizeof ucc->echo);
    return true;
}

/* The move that ends a game is not echoed. A turn's first event is the move, if there was one. */
static bool ucc_observe(void *self, const struct view *view, const struct events *events,
                        struct fault *fault) {
    struct ucc *ucc = self;
    const struct event *event = &events->list[0];
    (void)fault;
    if (event->type != EVENT_MOVE && event->type != EVENT_BATTLE) return true;
    if (!ucc->process || view->result != RESULT_NONE) return true;
    char text[UCC_TEXT_MAX];
    bool own = event->side == view->side && ucc->echo[0];
    ucc_write_turn(&ucc->frame, event, own ? ucc->echo : NULL, text);
    ucc->echo[0] = 0;
    ucc_send(ucc, text);
    return true;
}

/* A refused answer loses: when asked again, the player fails with the reason. */
static void ucc_refused(void *self, const struct fault *why) {
    struct ucc *ucc = self;
    snprintf(ucc->refusal, sizeof ucc->refusal, "%s", why->text);
}

static void ucc_stop(struct ucc *ucc, int milliseconds) {
    pthread_mutex_lock(&ucc->lock);
    process_stop(ucc->process, milliseconds);
    ucc->process = NULL;
    pthread_mutex_unlock(&ucc->lock);
}

static bool ucc_finish(void *self, const struct view *view, struct fault *fault) {
    struct ucc *ucc = self;
    (void)fault;
    if (!ucc->process) return true;
    char text[UCC_TEXT_MAX];
    const char *names[2];
    names[view->side] = ucc->name;
    names[side_other((enum side)view->side)] = ucc->opponent;
    ucc_write_quit(&ucc->frame, view, names, text);
    ucc_send(ucc, text);
    ucc_stop(ucc, ucc->broken ? 0 : UCC_FAREWELL);
    return true;
}

static void ucc_kill(void *self) {
    struct ucc *ucc = self;
    pthread_mutex_lock(&ucc->lock);
    if (ucc->process) process_kill(ucc->process);
    pthread_mutex_unlock(&ucc->lock);
}

static void ucc_close(void *self) {
    struct ucc *ucc = self;
    ucc_stop(ucc, 0);
    pthread_mutex_destroy(&ucc->lock);
    free(ucc->storage);
    free(ucc);
}

static bool ucc_prepare(struct ucc *ucc, const char *command, const struct ucc_options *options,
                        struct fault *fault) {
    ucc->deadline = options->deadline;
    ucc_name(options->opponent ? options->opponent : "", ucc->opponent);
    ucc->storage = strdup(command);
    if (!ucc->storage) return fault_set(fault, STATUS_NO_MEMORY, "no memory for a player");
    if (!split_words(ucc, ucc->storage, fault) || !find_program(ucc, fault)) return false;
    ucc_name(path_file(ucc->path), ucc->name);
    ucc->words[0] = ucc->path;
    return ucc_fits(options->rules, fault);
}

bool player_ucc(struct player *player, const char *command, const struct ucc_options *options,
                struct fault *fault) {
    struct ucc *ucc = calloc(1, sizeof *ucc);
    if (!ucc) return fault_set(fault, STATUS_NO_MEMORY, "no memory for a player");
    pthread_mutex_init(&ucc->lock, NULL);
    if (!ucc_prepare(ucc, command, options, fault)) {
        ucc_close(ucc);
        return false;
    }
    *player = (struct player){.name = ucc->name,
                              .program = ucc->path,
                              .self = ucc,
                              .own_setup = true,
                              .setup = ucc_setup,
                              .start = ucc_start,
                              .move = ucc_move,
                              .observe = ucc_observe,
                              .refused = ucc_refused,
                              .finish = ucc_finish,
                              .kill = ucc_kill,
                              .close = ucc_close};
    return true;
}
