/* player_ucc.c - connects the referee with a program that speaks the UCC 2012 protocol.
 *
 * ucc_text.h makes the lines from the view and events alone; program.h handles the process. The
 * program's n-th line is its n-th answer, however early it comes. */
#include "player_ucc.h"

#include "ucc_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_MAX_BYTES = 128 };

struct ucc {
    struct program *program;
    char name[UCC_NAME_MAX], opponent[UCC_NAME_MAX];
    struct ucc_frame frame;
    struct setup army;            /* that it laid out */
    char answer[LINE_MAX_BYTES];  /* the last line read */
    char echo[32];                /* its own words for the move being judged; else empty */
    char refusal[FAULT_TEXT_MAX]; /* why the referee refused the last answer; else empty */
};

static void ucc_send(struct ucc *ucc, const char *text) {
    program_send(ucc->program, text, strlen(text));
}

/* Reads a line into ucc->answer; `what` is what the program owes. */
static bool ucc_read_line(struct ucc *ucc, const char *what, struct fault *fault) {
    return program_read(ucc->program, ucc->answer, sizeof ucc->answer, what, fault);
}

static bool ucc_setup(void *self, const struct view *view, struct setup *setup,
                      struct fault *fault) {
    struct ucc *ucc = self;
    if (ucc->refusal[0]) {
        fault_set(fault, STATUS_SETUP, "%s", ucc->refusal);
        return program_blame(ucc->program, fault);
    }
    /* No ply has been played: the side to move begins. */
    ucc->frame = (struct ucc_frame){view->rules, (enum side)view->to_move};
    if (!program_start(ucc->program, fault)) return false;
    char text[UCC_TEXT_MAX];
    ucc_write_greeting(&ucc->frame, (enum side)view->side, ucc->opponent, text);
    ucc_send(ucc, text);
    for (int row = 0; row < UCC_ROWS; row++) {
        if (!ucc_read_line(ucc, "set-up", fault)) return false;
        if (!ucc_read_row(&ucc->frame, (enum side)view->side, row, ucc->answer, setup, fault))
            return program_blame(ucc->program, fault);
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
    if (program_is_running(ucc->program) && army_stands(ucc, view)) return true;
    fault_set(fault, STATUS_USAGE, "the program lays out its own army and cannot be given one");
    return program_blame(ucc->program, fault);
}

static bool ucc_move(void *self, const struct view *view, const struct move *moves, size_t count,
                     struct answer *answer, struct fault *fault) {
    struct ucc *ucc = self;
    (void)moves, (void)count;
    if (ucc->refusal[0]) {
        fault_set(fault, STATUS_ILLEGAL_MOVE, "the answer is \"%s\": %s", ucc->answer,
                  ucc->refusal);
        return program_blame(ucc->program, fault);
    }
    char text[UCC_TEXT_MAX];
    program_now(ucc->program, view->plies + 1, "move");
    if (!view->plies) ucc_send(ucc, "START\n");
    ucc_write_board(&ucc->frame, view, text);
    ucc_send(ucc, text);
    struct ucc_answer given;
    if (!ucc_read_line(ucc, "move", fault)) return false;
    if (!ucc_read_answer(&ucc->frame, ucc->answer, &given, fault))
        return program_blame(ucc->program, fault);
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
    if (!program_is_running(ucc->program) || view->result != RESULT_NONE) return true;
    char text[UCC_TEXT_MAX];
    bool own = event->side == view->side && ucc->echo[0];
    ucc_write_turn(&ucc->frame, event, own ? ucc->echo : NULL, text);
    ucc->echo[0] = 0;
    ucc_send(ucc, text);
    return true;
}

/* A refused answer loses: when asked again, the player fails with the reason. */
static void ucc_refused(void *self, enum verdict verdict, const struct fault *why) {
    struct ucc *ucc = self;
    (void)verdict;
    snprintf(ucc->refusal, sizeof ucc->refusal, "%s", why->text);
}

static bool ucc_finish(void *self, const struct view *view, struct fault *fault) {
    struct ucc *ucc = self;
    (void)fault;
    if (!program_is_running(ucc->program)) return true;
    char text[UCC_TEXT_MAX];
    const char *names[2];
    program_now(ucc->program, view->plies, "finish");
    names[view->side] = ucc->name;
    names[side_other((enum side)view->side)] = ucc->opponent;
    ucc_write_quit(&ucc->frame, view, names, text);
    ucc_send(ucc, text);
    program_stop(ucc->program, UCC_FAREWELL);
    return true;
}

static void ucc_kill(void *self) {
    struct ucc *ucc = self;
    program_kill(ucc->program);
}

static void ucc_close(void *self) {
    struct ucc *ucc = self;
    program_close(ucc->program);
    free(ucc);
}

bool player_ucc(struct player *player, const char *command, const struct ucc_options *options,
                struct fault *fault) {
    struct ucc *ucc = calloc(1, sizeof *ucc);
    if (!ucc) return fault_set(fault, STATUS_NO_MEMORY, "no memory for a player");
    ucc->program = program_open(command, &options->program, fault);
    if (!ucc->program || !ucc_fits(options->rules, fault)) {
        ucc_close(ucc);
        return false;
    }
    ucc_name(program_name(ucc->program), ucc->name);
    ucc_name(options->opponent ? options->opponent : "", ucc->opponent);
    *player = (struct player){.name = ucc->name,
                              .program = program_path(ucc->program),
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
