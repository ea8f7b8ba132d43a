/* player_ucc.c - speaks the UCC 2012 protocol with a program on behalf of the referee.
 *
 * The protocol's lines are made from the view and from events alone (ucc_text.h), pipes and signals
 * are process.h's. The n-th line that the program writes is its n-th answer, however early it
 * comes. That it has gone is noticed when it is asked for a move and at no other time, so that a
 * game does not depend on how fast it went. */
#include "player_ucc.h"

#include "base/paths.h"
#include "process.h"
#include "ucc_text.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { WORDS_MAX = 32, LINE_MAX_BYTES = 128, ERRORS_SHOWN = 300 };

struct ucc {
    char *words[WORDS_MAX + 1]; /* of the command; words[0] is replaced by the path */
    char *storage;              /* what the words point into; owned */
    char path[FOLDER_PATH_MAX], folder[FOLDER_PATH_MAX];
    char name[UCC_NAME_MAX], opponent[UCC_NAME_MAX];
    int deadline;
    struct ucc_frame frame;
    struct setup army;            /* what it laid out */
    pthread_mutex_t lock;         /* held while a process is started or stopped */
    struct process *process;      /* NULL before the set-up and after the end */
    bool broken;                  /* it owes a line: no time is lost on its farewell */
    char answer[LINE_MAX_BYTES];  /* the last line that was read */
    char echo[32];                /* own words of the move that is being judged; else empty */
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
        *out++ = 0; /* at most where the blank stood, which has been read */
        if (more) text++;
    }
    if (count && ucc->words[0][0]) return true;
    return fault_set(fault, STATUS_USAGE,
                     "\"ucc:\": the command of a program is expected behind it");
}

static bool is_program(const char *path) {
    struct stat about;
    return !stat(path, &about) && S_ISREG(about.st_mode) && !access(path, X_OK);
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

/* Fills path and folder. The program's own link, if it is one, is not followed: its folder is where
 * it was found. */
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
    char *folder = strndup(name, (size_t)(slash - name) + 1);
    char *full = folder ? realpath(folder, NULL) : NULL;
    bool fits =
        full && snprintf(ucc->folder, sizeof ucc->folder, "%s", full) < (int)sizeof ucc->folder;
    fits = fits &&
           snprintf(ucc->path, sizeof ucc->path, "%s/%s", full, slash + 1) < (int)sizeof ucc->path;
    free(folder);
    free(full);
    if (!fits || access(ucc->path, F_OK))
        return fault_set(fault, STATUS_NOT_FOUND, "ucc: no program \"%s\"", name);
    if (is_program(ucc->path)) return true;
    return fault_set(fault, STATUS_USAGE, "ucc: \"%s\" is not an executable file", name);
}

/* Adds to the fault what the program had to say about it, and its name. */
static bool explain(struct ucc *ucc, struct fault *fault) {
    char errors[ERRORS_SHOWN];
    if (ucc->process && process_errors(ucc->process, errors, sizeof errors))
        fault_add(fault, "; its standard error ends: %s", errors);
    fault_place(fault, ucc->name, 0, 0);
    return false;
}

static void send(struct ucc *ucc, const char *text) {
    process_send(ucc->process, text, strlen(text));
}

/* Reads a line into ucc->answer; `what` is what the program owes. */
static bool read_answer(struct ucc *ucc, const char *what, struct fault *fault) {
    char status[PROCESS_STATUS_MAX];
    switch (process_line(ucc->process, ucc->answer, sizeof ucc->answer, ucc->deadline)) {
    case PROCESS_LINE:
        return true;
    case PROCESS_LATE:
        fault_set(fault, STATUS_TIME, "no %s within %d ms", what, ucc->deadline);
        break;
    case PROCESS_LONG:
        fault_set(fault, STATUS_ILLEGAL_MOVE,
                  "a line of more than %d bytes, or nothing but blank ones, instead of a %s",
                  LINE_MAX_BYTES - 1, what);
        break;
    case PROCESS_END:
        process_status(ucc->process, status);
        fault_set(fault, STATUS_CRASH, "the program has ended instead of giving a %s (%s)", what,
                  status);
        break;
    }
    ucc->broken = true;
    return explain(ucc, fault);
}

static bool ucc_setup(void *self, const struct view *view, struct setup *setup,
                      struct fault *fault) {
    struct ucc *ucc = self;
    if (ucc->refusal[0]) {
        fault_set(fault, STATUS_SETUP, "%s", ucc->refusal);
        return explain(ucc, fault);
    }
    /* Nothing has been played yet: whoever is to move begins. */
    ucc->frame = (struct ucc_frame){view->rules, (enum side)view->to_move};
    pthread_mutex_lock(&ucc->lock);
    ucc->process = process_start(ucc->path, ucc->folder, ucc->words, fault);
    pthread_mutex_unlock(&ucc->lock);
    if (!ucc->process) return explain(ucc, fault);
    char text[UCC_TEXT_MAX];
    ucc_write_greeting(&ucc->frame, (enum side)view->side, ucc->opponent, text);
    send(ucc, text);
    for (int row = 0; row < UCC_ROWS; row++) {
        if (!read_answer(ucc, "set-up", fault)) return false;
        if (!ucc_read_row(&ucc->frame, (enum side)view->side, row, ucc->answer, setup, fault))
            return explain(ucc, fault);
    }
    ucc->army = *setup;
    return true;
}

/* Does the army stand as the program laid it out? */
static bool stands(const struct ucc *ucc, const struct view *view) {
    for (int i = 0; i < view->count; i++) {
        const struct view_piece *piece = &view->piece[i];
        square at = view->side == RED ? piece->at : board_turn(&view->rules->board, piece->at);
        if (piece->side == view->side && ucc->army.at[at] != piece->kind) return false;
    }
    return true;
}

static bool ucc_start(void *self, const struct view *view, struct fault *fault) {
    struct ucc *ucc = self;
    if (ucc->process && stands(ucc, view)) return true;
    fault_set(fault, STATUS_USAGE, "the program lays out its own army and cannot be given one");
    return explain(ucc, fault);
}

static bool ucc_move(void *self, const struct view *view, const struct move *moves, size_t count,
                     struct answer *answer, struct fault *fault) {
    struct ucc *ucc = self;
    (void)moves, (void)count;
    if (ucc->refusal[0]) {
        fault_set(fault, STATUS_ILLEGAL_MOVE, "the answer is \"%s\": %s", ucc->answer,
                  ucc->refusal);
        return explain(ucc, fault);
    }
    char text[UCC_TEXT_MAX];
    if (!view->plies) send(ucc, "START\n");
    ucc_write_board(&ucc->frame, view, text);
    send(ucc, text);
    struct ucc_answer given;
    if (!read_answer(ucc, "move", fault)) return false;
    if (!ucc_read_answer(&ucc->frame, ucc->answer, &given, fault)) return explain(ucc, fault);
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

/* The move that ends a game has no echo. A turn's first event is the move, if there was one. */
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
    send(ucc, text);
    return true;
}

/* A refused answer is the end of it: asked again, the player says why. */
static void ucc_refused(void *self, const struct fault *why) {
    struct ucc *ucc = self;
    snprintf(ucc->refusal, sizeof ucc->refusal, "%s", why->text);
}

static void stop(struct ucc *ucc, int milliseconds) {
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
    send(ucc, text);
    stop(ucc, ucc->broken ? 0 : UCC_FAREWELL);
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
    stop(ucc, 0);
    pthread_mutex_destroy(&ucc->lock);
    free(ucc->storage);
    free(ucc);
}

static bool prepare(struct ucc *ucc, const char *command, const struct ucc_options *options,
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
    if (!prepare(ucc, command, options, fault)) {
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
