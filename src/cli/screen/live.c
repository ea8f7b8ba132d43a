/* live.c - lets a game go on in its own thread, for a screen in another.
 *
 * run_…() and live_hear() belong to the game's thread, which steps through the game and, for a
 * person, blocks on `answered`. The public functions run in the screen's thread and signal
 * `answered`. One mutex guards all that both touch; functions marked "mutex held" expect it locked.
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

/* The events of a turn, as each side is told. */
struct turn_told {
    struct events to[2];
};

enum { LIVE_TURNS_MAX = 1 << 21 };

struct live {
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t answered;
    struct live_options options;

    /* Guarded by `mutex`. */
    struct live_state state;
    struct move *offered[2]; /* owned; of the latest two questions */
    unsigned questions;
    struct turn_told *turns; /* owned */
    struct record *so_far;   /* owned; NULL before the game has begun */
    bool has_answer, accept, step, quit, takes_back;
    uint32_t keep; /* plies, of a game that is taken back */
    struct answer answer;
    int pause_ms;
    int64_t last_turn; /* clock_ms() */

    /* The game's until its thread has ended. */
    uint32_t heard; /* tellings of the session */
    bool paced;     /* the bot of this turn has waited */
    bool failed;
    struct fault fault;
};

/* Mutex held. */
static void live_change(struct live *live, enum live_stage stage, enum side side) {
    live->state.stage = stage;
    live->state.side = side;
    if (live->options.wake) live->options.wake(live->options.context);
}

/* Mutex held. */
static void note_refusal(struct live *live, const struct fault *why) {
    live->state.refusal = *why;
    live->state.refusals++;
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

/* The game begins, perhaps not for the first time. Mutex held. */
static void hear_beginning(struct live *live, const struct session *session) {
    live->heard = 0;
    live->state.turns = 0;
    record_free(live->so_far);
    live->so_far = copy_record(session->record);
}

/* Without memory the game goes on, and the screen shows less of its past. Mutex held. */
static void hear_turn(struct live *live, const struct session *session) {
    struct turn_told *turns =
        array_grown(live->turns, live->state.turns, sizeof *turns, LIVE_TURNS_MAX);
    live->heard = session->tellings;
    if (live->so_far) add_moves(live->so_far, session->record);
    if (!turns) return;
    live->turns = turns;
    memcpy(turns[live->state.turns++].to, session->eyes.told, sizeof turns->to);
}

/* A table_listener's `hear`. Between two people the clock stands still from here on, until the
 * screen shows the board to the one who is to move. */
static void live_hear(void *context, const struct session *session, bool again) {
    struct live *live = context;
    struct stopwatch *watch = table_watch(live->options.table);
    (void)again;
    if (watch && table_people(live->options.table) == 2) stopwatch_hold(watch);
    pthread_mutex_lock(&live->mutex);
    if (!session->tellings)
        hear_beginning(live, session);
    else if (live->heard != session->tellings)
        hear_turn(live, session);
    memcpy(live->state.view, session->eyes.view, sizeof live->state.view);
    live->state.started = session->started;
    live->last_turn = clock_ms();
    live->paced = false;
    live_change(live, LIVE_THINKING, (enum side)session->game.to_move);
    pthread_mutex_unlock(&live->mutex);
}

/* Has the user another wish than that the game goes on? Mutex held. */
static bool is_cut_short(const struct live *live) {
    return live->quit || live->takes_back;
}

/* Waits until a bot may move. Mutex held. */
static void wait_for_pace(struct live *live, enum side side) {
    while (!is_cut_short(live) && !live->step) {
        const int64_t until = live->last_turn + live->pause_ms;
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
    while (!live->has_answer && !is_cut_short(live))
        pthread_cond_wait(&live->answered, &live->mutex);
    const bool answered = live->has_answer;
    live->has_answer = false;
    return answered;
}

/* Before a bot moves, once a turn: its clock stands still while it waits for its pace. */
static void run_pace(struct live *live) {
    struct table *table = live->options.table;
    const struct session *session = table->referee.session;
    const enum side side = (enum side)session->game.to_move;
    struct stopwatch *watch = table_watch(table);
    if (live->paced || !session->started || session->over || live->heard != session->tellings ||
        !live->state.started || table_is_person(table, side))
        return;
    live->paced = true;
    if (watch) stopwatch_hold(watch);
    pthread_mutex_lock(&live->mutex);
    wait_for_pace(live, side);
    pthread_mutex_unlock(&live->mutex);
    if (watch) stopwatch_go(watch);
}

/* Gives the referee a person's answer, which it may refuse. False with a fault if the host fails.
 */
static bool run_answer(struct live *live, enum side side, struct answer *answer) {
    enum verdict verdict;
    if (referee_take(&live->options.table->referee, side, answer, &verdict, &live->fault))
        return true;
    if (live->fault.status != STATUS_ILLEGAL_MOVE && live->fault.status != STATUS_TEXT)
        return false;
    pthread_mutex_lock(&live->mutex);
    note_refusal(live, &live->fault);
    pthread_mutex_unlock(&live->mutex);
    live->fault = (struct fault){0};
    return true;
}

/* Asks a person for a move. */
static bool ask_move(struct live *live, enum side side) {
    struct session *session = live->options.table->referee.session;
    struct answer answer = {0};
    size_t count;
    const struct move *moves = session_moves(session, &count, &live->fault);
    if (!moves) return false;
    pthread_mutex_lock(&live->mutex);
    if (referee_declined(&live->options.table->referee, &live->fault)) {
        note_refusal(live, &live->fault);
        live->fault = (struct fault){0};
    }
    struct move *offered = live->offered[live->questions++ % 2];
    live->state.moves = memcpy(offered, moves, count * sizeof *moves);
    live->state.count = count;
    live_change(live, LIVE_ASKED, side);
    const bool answered = wait_for_answer(live);
    answer = live->answer;
    live->state.moves = NULL;
    live->state.count = 0;
    live_change(live, LIVE_THINKING, side);
    pthread_mutex_unlock(&live->mutex);
    return !answered || run_answer(live, side, &answer);
}

/* Asks a person about a draw. */
static void ask_draw(struct live *live, enum side side) {
    struct stopwatch *watch = table_watch(live->options.table);
    if (watch) stopwatch_hold(watch);
    pthread_mutex_lock(&live->mutex);
    live_change(live, LIVE_OFFERED, side);
    const bool answered = wait_for_answer(live), accepts = answered && live->accept;
    live_change(live, LIVE_THINKING, side_other(side));
    pthread_mutex_unlock(&live->mutex);
    if (watch) stopwatch_go(watch);
    referee_answer_draw(&live->options.table->referee, accepts);
}

/* Obeys the wish of the user who leaves or takes moves back. False with a fault if the host fails.
 */
static bool run_wish(struct live *live) {
    struct table *table = live->options.table;
    pthread_mutex_lock(&live->mutex);
    const bool leaves = live->quit, goes_back = !leaves && live->takes_back;
    const uint32_t keep = live->keep;
    live->takes_back = false;
    atomic_store(&table->interrupted, leaves);
    pthread_mutex_unlock(&live->mutex);
    if (table->referee.session->over) return true;
    if (leaves) return run_answer(live, RED, &(struct answer){.type = ANSWER_QUIT});
    if (!goes_back) return true;
    const bool back = table_take_back(table, keep, &live->fault);
    pthread_mutex_lock(&live->mutex);
    if (back) {
        live->state.turns = 0;
        live->state.returns++;
        live->state.returned_to = keep;
    } else {
        note_refusal(live, &live->fault); /* the game is as it was */
        live->fault = (struct fault){0};
    }
    pthread_mutex_unlock(&live->mutex);
    return true;
}

static bool run_people(struct live *live) {
    const struct session *session = live->options.table->referee.session;
    const enum side side = (enum side)session->game.to_move;
    if (!session->draw_offered) return ask_move(live, side);
    ask_draw(live, side_other(side));
    return true;
}

/* False with a fault if the host fails. */
static bool run_game(struct live *live) {
    struct referee *referee = &live->options.table->referee;
    for (;;) {
        run_pace(live);
        if (!run_wish(live)) return false;
        const enum referee_step step = referee_step(referee, &live->fault);
        if (step == REFEREE_FAILED) return false;
        if (step == REFEREE_WENT_ON) continue;
        if (referee->session->over) return true;
        if (!run_people(live)) return false;
    }
}

static void *live_run(void *self) {
    struct live *live = self;
    live->failed = !run_game(live);
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

struct live *live_start(const struct live_options *options, struct fault *fault) {
    const size_t moves_max = options->table->options.rules->moves_max;
    struct live *live = calloc(1, sizeof *live);
    bool room = live != NULL;
    for (int i = 0; room && i < 2; i++) {
        live->offered[i] = malloc(moves_max * sizeof *live->offered[i]);
        room = live->offered[i] != NULL;
    }
    if (!room) {
        fault_set(fault, STATUS_NO_MEMORY, "no memory for a game");
        if (live) live_free(live);
        return NULL;
    }
    live->options = *options;
    live->pause_ms = options->pause_ms;
    options->table->client = (struct table_listener){live_hear, live};
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
    *events = turn < live->state.turns ? live->turns[turn].to[side] : (struct events){0};
    pthread_mutex_unlock(&live->mutex);
}

struct record *live_record(struct live *live) {
    pthread_mutex_lock(&live->mutex);
    struct record *copy = live->so_far ? copy_record(live->so_far) : NULL;
    pthread_mutex_unlock(&live->mutex);
    return copy;
}

/* Wakes the game's thread with an answer. Mutex held. */
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

/* The game is to be left or taken back. Mutex held. */
static void live_interrupt(struct live *live) {
    atomic_store(&live->options.table->interrupted, true);
    pthread_cond_signal(&live->answered);
}

void live_take_back(struct live *live, uint32_t keep) {
    pthread_mutex_lock(&live->mutex);
    live->takes_back = true;
    live->keep = keep;
    live_interrupt(live);
    pthread_mutex_unlock(&live->mutex);
}

void live_quit(struct live *live) {
    pthread_mutex_lock(&live->mutex);
    live->quit = true;
    live_interrupt(live);
    pthread_mutex_unlock(&live->mutex);
}

bool live_end(struct live *live, struct fault *fault) {
    pthread_join(live->thread, NULL);
    const bool played = !live->failed;
    if (!played && fault) *fault = live->fault;
    live->options.table->client = (struct table_listener){0};
    pthread_cond_destroy(&live->answered);
    pthread_mutex_destroy(&live->mutex);
    live_free(live);
    return played;
}
