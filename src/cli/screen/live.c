/* live.c - a game run by a referee in its own thread, for a screen in another.
 *
 * The file has two halves. seat_…() run in the referee's thread: each side's player is wrapped in a
 * seat, which copies views and events for the screen and, for a person, blocks on `answered`. The
 * public functions run in the screen's thread and signal `answered`. One mutex guards all that both
 * touch; functions marked "mutex held" expect it locked.
 *
 * The screen reads the offered moves outside the mutex, perhaps a little after the question ended.
 * So they are copied into two buffers in turn: a buffer is reused only after the question in the
 * other one was answered. */
#include "live.h"

#include "base/buffer.h"
#include "base/clock.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

struct turn_told {
    struct events to[2];
};

enum { LIVE_TURNS_MAX = 1 << 21 };

struct live {
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t answered;
    struct live_options options;
    struct player outer[2];
    struct seat {
        struct live *live;
        enum side side;
    } seat[2];

    /* Guarded by `mutex`. */
    struct live_state state;
    struct move *offered[2]; /* owned; of the latest two questions */
    unsigned questions;
    struct turn_told *turns;
    struct record *so_far; /* owned; NULL before the game has begun */
    uint32_t told[2];      /* turns that a side has events of */
    bool has_answer, accept, step, quit, takes_back;
    uint32_t keep; /* plies, of a game that is taken back */
    struct answer answer;
    int pause_ms;
    int64_t last_turn; /* clock_ms() */

    /* The referee's until its thread has ended. */
    bool played;
    struct referee_report report;
    struct fault fault;
};

/* Mutex held. */
static void live_change(struct live *live, enum live_stage stage, enum side side) {
    live->state.stage = stage;
    live->state.side = side;
    if (live->options.wake) live->options.wake(live->options.context);
}

static bool seat_setup(void *self, const struct view *view, struct setup *setup,
                       struct fault *fault) {
    struct seat *seat = self;
    struct player *inner = seat->live->options.players[seat->side];
    return inner->setup(inner->self, view, setup, fault);
}

static bool seat_start(void *self, const struct view *view, struct fault *fault) {
    struct seat *seat = self;
    struct live *live = seat->live;
    struct player *inner = live->options.players[seat->side];
    pthread_mutex_lock(&live->mutex);
    live->state.view[seat->side] = *view;
    live->state.started = seat->side == BLUE;
    live->last_turn = clock_ms();
    live_change(live, LIVE_THINKING, (enum side)view->to_move);
    if (!inner && live->options.hint) hint_start(live->options.hint, view);
    pthread_mutex_unlock(&live->mutex);
    return !inner || !inner->start || inner->start(inner->self, view, fault);
}

/* Waits until a bot may move. Mutex held. */
static void wait_for_pace(struct live *live, enum side side) {
    for (;;) {
        int64_t until = live->last_turn + live->pause_ms;
        if (live->quit || live->takes_back || live->step) break;
        if (live->pause_ms >= 0 && clock_ms() >= until) break;
        if (live->state.stage != LIVE_WAITING) live_change(live, LIVE_WAITING, side);
        if (live->pause_ms < 0)
            pthread_cond_wait(&live->answered, &live->mutex);
        else
            clock_wait(&live->answered, &live->mutex, until);
    }
    live->step = false;
    live_change(live, LIVE_THINKING, side);
}

/* Waits for a person's answer; false if the game is left or taken back instead. Mutex held. */
static bool wait_for_answer(struct live *live) {
    while (!live->has_answer && !live->quit && !live->takes_back)
        pthread_cond_wait(&live->answered, &live->mutex);
    bool answered = live->has_answer;
    live->has_answer = false;
    return answered;
}

/* Is the game left or taken back? Then `answer` says so. Mutex held. */
static bool is_cut_short(struct live *live, struct answer *answer) {
    bool cut = live->quit || live->takes_back;
    if (cut) answer->type = live->quit ? ANSWER_QUIT : ANSWER_TAKE_BACK;
    answer->keep = live->keep;
    live->takes_back = false;
    return cut;
}

static bool seat_move(void *self, const struct view *view, const struct move *moves, size_t count,
                      struct answer *answer, struct fault *fault) {
    struct seat *seat = self;
    struct live *live = seat->live;
    struct player *inner = live->options.players[seat->side];
    struct stopwatch *watch = live->options.referee.watch;
    bool hidden = !live->options.players[RED] && !live->options.players[BLUE];
    /* Between two people the screen lets it go, when it shows the board to the one who thinks. */
    if (watch && (inner || hidden)) stopwatch_hold(watch);
    pthread_mutex_lock(&live->mutex);
    bool answered = false;
    if (inner) {
        wait_for_pace(live, seat->side);
        if (watch) stopwatch_go(watch);
    } else {
        struct move *offered = live->offered[live->questions++ % 2];
        memcpy(offered, moves, count * sizeof *moves);
        live->state.moves = offered;
        live->state.count = count;
        live_change(live, LIVE_ASKED, seat->side);
        answered = wait_for_answer(live);
        *answer = live->answer;
        live->state.moves = NULL;
        live->state.count = 0;
        live_change(live, LIVE_THINKING, seat->side);
    }
    bool cut = !answered && is_cut_short(live, answer);
    pthread_mutex_unlock(&live->mutex);
    if (!inner || cut) return true;
    if (!inner->move(inner->self, view, moves, count, answer, fault)) return false;
    pthread_mutex_lock(&live->mutex);
    is_cut_short(live, answer);
    pthread_mutex_unlock(&live->mutex);
    return true;
}

/* Room for one more turn of a side. Mutex held. */
static bool live_grow(struct live *live, enum side side) {
    uint32_t count = live->told[side_other(side)];
    if (live->told[side] < count) return true; /* the other side made it */
    struct turn_told *turns =
        array_grown(live->turns, live->told[side], sizeof *turns, LIVE_TURNS_MAX);
    if (turns) live->turns = turns;
    return turns;
}

static bool seat_observe(void *self, const struct view *view, const struct events *events,
                         struct fault *fault) {
    struct seat *seat = self;
    struct live *live = seat->live;
    struct player *inner = live->options.players[seat->side];
    enum side other = side_other(seat->side);
    pthread_mutex_lock(&live->mutex);
    bool room = live_grow(live, seat->side);
    if (room && !inner && live->options.hint) room = hint_observe(live->options.hint, view, events);
    if (room) {
        live->turns[live->told[seat->side]++].to[seat->side] = *events;
        live->state.view[seat->side] = *view;
        uint32_t told = live->told[other];
        live->state.turns = told < live->told[seat->side] ? told : live->told[seat->side];
        live->last_turn = clock_ms();
        live_change(live, LIVE_THINKING, (enum side)view->to_move);
    }
    pthread_mutex_unlock(&live->mutex);
    if (!room) return fault_set(fault, STATUS_NO_MEMORY, "no memory to follow the game");
    return !inner || !inner->observe || inner->observe(inner->self, view, events, fault);
}

static void seat_refused(void *self, enum verdict verdict, const struct fault *why) {
    struct seat *seat = self;
    struct live *live = seat->live;
    struct player *inner = live->options.players[seat->side];
    if (inner) {
        inner->refused(inner->self, verdict, why);
        return;
    }
    pthread_mutex_lock(&live->mutex);
    live->state.refusal = *why;
    live->state.refusals++;
    pthread_mutex_unlock(&live->mutex);
}

static bool seat_accepts_draw(void *self, const struct view *view) {
    struct seat *seat = self;
    struct live *live = seat->live;
    struct player *inner = live->options.players[seat->side];
    if (inner) return inner->accepts_draw && inner->accepts_draw(inner->self, view);
    pthread_mutex_lock(&live->mutex);
    live_change(live, LIVE_OFFERED, seat->side);
    bool accept = wait_for_answer(live) && live->accept;
    live_change(live, LIVE_THINKING, side_other(seat->side));
    pthread_mutex_unlock(&live->mutex);
    return accept;
}

static void seat_uncover(void *self, const struct session *session) {
    const struct seat *seat = self;
    struct player *inner = seat->live->options.players[seat->side];
    if (inner && inner->uncover) inner->uncover(inner->self, session);
}

static bool seat_finish(void *self, const struct view *view, struct fault *fault) {
    struct seat *seat = self;
    struct player *inner = seat->live->options.players[seat->side];
    return !inner || !inner->finish || inner->finish(inner->self, view, fault);
}

static bool add_moves(struct record *to, const struct record *from) {
    bool made = true;
    for (size_t i = to->move_count; i < from->move_count && made; i++)
        made = record_add_move(to, from->moves[i].text);
    return made;
}

static struct record *copy_record(const struct record *from) {
    struct record *copy = record_new();
    bool made = copy != NULL;
    for (size_t i = 0; made && i < from->tag_count; i++)
        made = record_set_tag(copy, from->tags[i].name, from->tags[i].value);
    if (made && add_moves(copy, from)) return copy;
    record_free(copy);
    return NULL;
}

/* Called by the referee. */
static void live_follow(void *self, const struct session *session) {
    struct live *live = self;
    const struct referee_options *asked = &live->options.referee;
    bool kept = session->record && session->started;
    pthread_mutex_lock(&live->mutex);
    if (kept && !live->so_far)
        live->so_far = copy_record(session->record);
    else if (kept)
        add_moves(live->so_far, session->record);
    pthread_mutex_unlock(&live->mutex);
    if (asked->follow) asked->follow(asked->context, session);
}

static bool live_admits(void *self, const struct session *session, const struct answer *answer,
                        struct fault *fault) {
    const struct referee_options *asked = &((struct live *)self)->options.referee;
    return !asked->admits || asked->admits(asked->context, session, answer, fault);
}

static void *live_run(void *self) {
    struct live *live = self;
    struct player *const players[2] = {&live->outer[RED], &live->outer[BLUE]};
    struct referee_options options = live->options.referee;
    options.follow = live_follow;
    options.admits = live_admits;
    options.context = live;
    live->played = referee_play(live->options.rules, players, &options, live->options.record,
                                &live->report, &live->fault);
    pthread_mutex_lock(&live->mutex);
    live_change(live, LIVE_OVER, RED);
    pthread_mutex_unlock(&live->mutex);
    return NULL;
}

static void live_free(struct live *live) {
    for (int i = 0; i < 2; i++) free(live->offered[i]);
    free(live->turns);
    record_free(live->so_far);
    free(live);
}

static void seat_player(struct live *live, enum side side) {
    const struct player *inner = live->options.players[side];
    live->seat[side] = (struct seat){live, side};
    live->outer[side] = (struct player){.name = inner ? inner->name : "human",
                                        .self = &live->seat[side],
                                        .own_setup = inner && inner->own_setup,
                                        .setup = inner && inner->setup ? seat_setup : NULL,
                                        .start = seat_start,
                                        .move = seat_move,
                                        .observe = seat_observe,
                                        .refused = inner && !inner->refused ? NULL : seat_refused,
                                        .accepts_draw = seat_accepts_draw,
                                        .uncover = seat_uncover,
                                        .finish = seat_finish};
}

struct live *live_start(const struct live_options *options, struct fault *fault) {
    struct live *live = calloc(1, sizeof *live);
    bool room = live != NULL;
    for (int i = 0; room && i < 2; i++) {
        live->offered[i] = malloc(options->rules->moves_max * sizeof *live->offered[i]);
        room = live->offered[i] != NULL;
    }
    if (!room) {
        fault_set(fault, STATUS_NO_MEMORY, "no memory for a game");
        if (live) live_free(live);
        return NULL;
    }
    live->options = *options;
    live->pause_ms = options->pause_ms;
    for (int side = RED; side <= BLUE; side++) seat_player(live, (enum side)side);
    pthread_mutex_init(&live->mutex, NULL);
    clock_condition(&live->answered);
    /* Signals go to the screen's thread. */
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int failed = pthread_create(&live->thread, NULL, live_run, live);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!failed) return live;
    fault_set(fault, STATUS_SYSTEM, "no thread for a game: %s", strerror(failed));
    pthread_cond_destroy(&live->answered);
    pthread_mutex_destroy(&live->mutex);
    live_free(live);
    return NULL;
}

void live_look(struct live *live, struct live_state *state) {
    pthread_mutex_lock(&live->mutex);
    *state = live->state;
    pthread_mutex_unlock(&live->mutex);
}

void live_turn(struct live *live, enum side side, uint32_t turn, struct events *events) {
    pthread_mutex_lock(&live->mutex);
    *events = turn < live->told[side] ? live->turns[turn].to[side] : (struct events){0};
    pthread_mutex_unlock(&live->mutex);
}

struct record *live_record(struct live *live) {
    pthread_mutex_lock(&live->mutex);
    struct record *copy = live->so_far ? copy_record(live->so_far) : NULL;
    pthread_mutex_unlock(&live->mutex);
    return copy;
}

/* Wakes the referee's thread with an answer. Mutex held. */
static void live_resume(struct live *live) {
    live->state.stage = LIVE_THINKING;
    live->has_answer = true;
    pthread_cond_signal(&live->answered);
}

void live_answer(struct live *live, const struct answer *answer) {
    pthread_mutex_lock(&live->mutex);
    if (live->state.stage == LIVE_ASKED) {
        live->answer = *answer;
        live_resume(live);
    }
    pthread_mutex_unlock(&live->mutex);
}

void live_accept(struct live *live, bool accept) {
    pthread_mutex_lock(&live->mutex);
    if (live->state.stage == LIVE_OFFERED) {
        live->accept = accept;
        live_resume(live);
    }
    pthread_mutex_unlock(&live->mutex);
}

void live_pace(struct live *live, int pause_ms) {
    pthread_mutex_lock(&live->mutex);
    live->pause_ms = pause_ms;
    pthread_cond_signal(&live->answered);
    pthread_mutex_unlock(&live->mutex);
}

void live_step(struct live *live) {
    pthread_mutex_lock(&live->mutex);
    if (live->state.stage == LIVE_WAITING) {
        live->step = true;
        pthread_cond_signal(&live->answered);
    }
    pthread_mutex_unlock(&live->mutex);
}

void live_take_back(struct live *live, uint32_t keep) {
    pthread_mutex_lock(&live->mutex);
    live->takes_back = true;
    live->keep = keep;
    pthread_cond_signal(&live->answered);
    pthread_mutex_unlock(&live->mutex);
}

void live_quit(struct live *live) {
    pthread_mutex_lock(&live->mutex);
    live->quit = true;
    pthread_cond_signal(&live->answered);
    pthread_mutex_unlock(&live->mutex);
}

bool live_end(struct live *live, struct referee_report *report, struct fault *fault) {
    pthread_join(live->thread, NULL);
    bool played = live->played;
    if (played) *report = live->report;
    if (!played && fault) *fault = live->fault;
    pthread_cond_destroy(&live->answered);
    pthread_mutex_destroy(&live->mutex);
    live_free(live);
    return played;
}
