/* call_process.c - both ends of a question to a variant's calls.
 *
 * A question is the flat part of a game and the move in question or, for CALL_LEGAL, many moves. If
 * it asks for the log, what the call prints is the tail of its answer (frame_put_tail).
 * Both ends have the same rules. A position's methods read nothing but the game itself
 * (position_lua.c). */
#include "call_process.h"

#include "base/clock.h"
#include "base/processors.h"
#include "base/utf8.h"
#include "bot_process.h"
#include "codec.h"
#include "core/play/calls.h"
#include "exchange.h"
#include "jail.h"
#include "lua/logbook.h"
#include "variant/variant_calls.h"
#include "zygote.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    QUESTION_MAX = sizeof(struct game) + CALLS_ALLOW_MAX * sizeof(struct play) + 64,
    ANSWER_MAX = sizeof(struct call_answer) + sizeof(struct fault) + LOGBOOK_ROOM + 64
};

/* Address space beyond the cap of the Lua states. */
static const size_t SPARE_MEMORY = (size_t)256 << 20;

struct call_process {
    struct call_process *next; /* unused one */
    struct locked_process process;
    struct channel_watch watch;   /* of the process */
    uint32_t sequence;            /* of the last question */
    struct processors processors; /* it may run on these */
    struct frame question, answer;
};

struct call_processes {
    const struct rules *rules;
    char scripts[FOLDER_PATH_MAX];
    unsigned number;           /* unique, from 1 */
    pthread_mutex_t lock;      /* guards what follows */
    struct template *template; /* of the processes; NULL before the first question */
    struct call_process *unused;
};

static void put_words(struct frame *frame, const struct ending_words *words) {
    frame_put_text(frame, words->text);
    frame_put_number(frame, (uint32_t)words->count);
    for (int i = 0; i < words->count; i++) {
        frame_put_text(frame, words->tongue[i].tag);
        frame_put_text(frame, words->tongue[i].text);
    }
}

/* False if they are more than there can be. Texts are made safe to show. */
static bool take_words(struct frame *frame, struct ending_words *words) {
    frame_take_text(frame, words->text, sizeof words->text);
    uint32_t count = frame_take_number(frame);
    if (frame->broken || count > ENDING_TONGUES_MAX) return false;
    words->count = (int)count;
    utf8_make_safe(words->text);
    for (uint32_t i = 0; i < count; i++) {
        struct ending_tongue *tongue = &words->tongue[i];
        frame_take_text(frame, tongue->tag, sizeof tongue->tag);
        frame_take_text(frame, tongue->text, sizeof tongue->text);
        utf8_make_safe(tongue->tag);
        utf8_make_safe(tongue->text);
    }
    return !frame->broken;
}

static void put_answer(struct frame *frame, const struct call_answer *answer) {
    frame_put_number(frame, answer->allowed);
    frame_put(frame, answer->why, sizeof answer->why);
    frame_put_number(frame, answer->outcome);
    frame_put_number(frame, answer->result);
    put_words(frame, &answer->words);
    frame_put_number(frame, (uint32_t)answer->count);
    frame_put(frame, answer->deed, sizeof answer->deed);
}

/* Puts a byte for each of the moves: is it allowed? */
static void put_allowed(struct frame *frame, const bool *allowed, size_t count) {
    unsigned char byte[CALLS_ALLOW_MAX];
    for (size_t i = 0; i < count; i++) byte[i] = allowed[i];
    frame_put(frame, byte, count);
}

static void answer_question(const struct rules *rules, struct logbook *book, struct frame *question,
                            struct frame *answer) {
    struct game game;
    struct plays plays;
    bool allowed[CALLS_ALLOW_MAX];
    struct call_answer given = {0};
    struct calls_fuel fuel = {0};
    struct fault fault = {0};
    enum call call = (enum call)frame_take_number(question);
    bool all = frame_take_number(question) != 0;
    bool logged = frame_take_number(question) != 0;
    book->closed = !logged;
    plays.count = frame_take_number(question);
    frame_take(question, plays.play, plays.count * sizeof *plays.play);
    frame_take(question, &game, sizeof game);
    frame_take(question, &fuel.max, sizeof fuel.max);
    game.rules = rules;
    game.calls = rules->calls;
    game.plies = NULL;
    given.fuel_max = fuel.max;
    bool answered = all ? calls_allow_each(rules->calls, &game, &plays, &fuel, allowed, &fault)
                        : rules->calls->ask(rules->calls, call, &game,
                                            plays.count ? plays.play : NULL, &given, &fault);
    frame_clear(answer);
    frame_put_number(answer, answered);
    frame_put(answer, all ? &fuel.used : &given.fuel, sizeof fuel.used);
    if (!answered)
        frame_put_fault(answer, &fault);
    else if (all)
        put_allowed(answer, allowed, plays.count);
    else
        put_answer(answer, &given);
    if (logged) frame_put_tail(answer, book->text, book->length);
    logbook_clear(book);
}

/* Runs a process; `known` is a struct bot_process_work. */
static void call_process_run(const void *known, int in, int out) {
    const struct bot_process_work *work = known;
    const struct rules *rules = work->rules;
    struct frame question, answer;
    struct logbook book = {.length = 0};
    const struct sandbox_watch watch = {.log = &book};
    variant_calls_watch(rules, &watch);
    if (!frame_open(&question, QUESTION_MAX) || !frame_open(&answer, ANSWER_MAX) ||
        !jail_lock(CALL_PROCESS_MEMORY + SPARE_MEMORY))
        _exit(EXIT_FAILURE);
    for (;;) {
        uint32_t sequence = 0;
        if (channel_receive(in, &question, &sequence, CHANNEL_FOREVER) != CHANNEL_OK) break;
        answer_question(rules, &book, &question, &answer);
        if (channel_send(out, &answer, sequence, CHANNEL_FOREVER) != CHANNEL_OK) break;
    }
    _exit(EXIT_SUCCESS);
}

/* Of a process that has been ended. */
static void call_process_free(struct call_process *self) {
    frame_close(&self->question);
    frame_close(&self->answer);
    free(self);
}

static struct call_process *call_process_start(struct call_processes *all, struct fault *fault) {
    struct call_process *self = calloc(1, sizeof *self);
    if (self && frame_open(&self->question, QUESTION_MAX) &&
        frame_open(&self->answer, ANSWER_MAX)) {
        self->question.watch = self->answer.watch = &self->watch;
        if (template_take(all->template, &self->process, fault)) {
            self->watch.pid = self->process.pid;
            return self;
        }
    } else {
        fault_set(fault, STATUS_NO_MEMORY, "no memory for a variant's calls");
    }
    if (self) call_process_free(self);
    return NULL;
}

/* Starts the template unless it runs. The caller holds the lock. */
static bool call_processes_open(struct call_processes *all, struct fault *fault) {
    if (!all->template)
        all->template = bot_process_template(call_process_run, all->rules, all->scripts,
                                             SANDBOX_DEFAULTS, fault);
    return all->template;
}

static struct call_process *call_process_take(struct call_processes *all, struct fault *fault) {
    pthread_mutex_lock(&all->lock);
    bool open = call_processes_open(all, fault);
    struct call_process *self = all->unused;
    if (self) all->unused = self->next;
    pthread_mutex_unlock(&all->lock);
    if (!open) return NULL;
    if (!self) return call_process_start(all, fault);
    /* The asking thread waits for the answer, so its own processor is the fastest for both. */
    struct processors processors;
    processors_get(0, &processors);
    if (memcmp(&processors, &self->processors, sizeof processors) != 0) {
        self->processors = processors;
        processors_set(self->process.pid, &processors);
    }
    return self;
}

static void call_process_give(struct call_processes *all, struct call_process *self) {
    pthread_mutex_lock(&all->lock);
    self->next = all->unused;
    all->unused = self;
    pthread_mutex_unlock(&all->lock);
}

/* False if the answer is invalid. The core judges its effects (core/play/calls.c). */
static bool call_process_take_answer(struct frame *frame, const struct rules *rules,
                                     struct call_answer *answer) {
    uint32_t allowed = frame_take_number(frame);
    frame_take(frame, answer->why, sizeof answer->why);
    uint32_t outcome = frame_take_number(frame), result = frame_take_number(frame);
    if (!take_words(frame, &answer->words)) return false;
    uint32_t count = frame_take_number(frame);
    frame_take(frame, answer->deed, sizeof answer->deed);
    if (frame->broken || allowed > 1 || outcome > BOTH_FALL || result >= RESULT_COUNT ||
        count > DEEDS_MAX || !memchr(answer->why, 0, sizeof answer->why))
        return false;
    utf8_make_safe(answer->why);
    answer->allowed = allowed != 0;
    answer->outcome = (enum outcome)outcome;
    answer->result = (enum result)result;
    answer->count = (int)count;
    for (uint32_t i = 0; i < count; i++) {
        const struct deed *deed = &answer->deed[i];
        bool kind = deed->type != DEED_PLACE || (deed->kind >= 1 && deed->kind <= rules->kinds);
        bool counts = deed->type != DEED_COUNT ||
                      (deed->counting.counter >= 1 && deed->counting.counter <= rules->counters);
        if (deed->type > DEED_DRAW || deed->side > BLUE || !kind || !counts) return false;
    }
    return true;
}

/* False if the fault is invalid: this process cannot know of a failure of the host. Reports quote
 * the lines around a place, so it is dropped unless it lies in a file of the variant. */
static bool call_process_take_fault(struct frame *frame, const struct rules *rules,
                                    struct fault *fault) {
    if (!frame_take_fault(frame, fault) || status_exit_code(fault->status) == 3) return false;
    if (!variant_calls_read(rules, fault->file))
        fault->file[0] = 0, fault->line = fault->column = 0;
    return true;
}

/* A question, and where its answer goes. */
struct question {
    enum call call;
    const struct game *game;
    const struct play *plays;
    size_t count;
    uint64_t fuel_max;          /* the most instructions to use */
    uint64_t *fuel;             /* those used */
    bool *allowed;              /* for each of the plays; NULL: see `answer` */
    struct call_answer *answer; /* about one play or the position */
};

/* Where this thread's logs go. */
static _Thread_local struct log *listener;

void call_process_listen(struct log *log) {
    listener = log;
}

static enum channel_result call_process_exchange(struct call_process *self,
                                                 const struct question *question) {
    const int64_t deadline = clock_ms() + CALL_PROCESS_DEADLINE;
    self->watch.held_up = 0;
    if (++self->sequence == 0) self->sequence = 1; /* 0 would accept any */
    frame_clear(&self->question);
    frame_put_number(&self->question, question->call);
    frame_put_number(&self->question, question->allowed != NULL);
    frame_put_number(&self->question, listener != NULL);
    frame_put_number(&self->question, (uint32_t)question->count);
    frame_put(&self->question, question->plays, question->count * sizeof *question->plays);
    frame_put(&self->question, question->game, sizeof *question->game);
    frame_put(&self->question, &question->fuel_max, sizeof question->fuel_max);
    return exchange(&self->process, &self->question, &self->answer, self->sequence, deadline);
}

/* Says why there is no answer; true if another process may have ended it. */
static bool call_process_blame(enum call call, const struct ending *ending, struct fault *fault) {
    if (ending->kind == ENDING_LATE)
        fault_set(fault, STATUS_TIME, "%s %s", call_name(call), ending->how);
    else if (ending->kind == ENDING_ORPHAN)
        fault_set(fault, STATUS_KILLED, "the process that starts others for %s is gone",
                  call_name(call));
    else
        fault_set(fault, ending_status(ending), "the process that answers %s %s", call_name(call),
                  ending->how);
    return ending_is_doubtful(ending);
}

static bool take_allowed(struct frame *frame, const struct question *question) {
    unsigned char allowed[CALLS_ALLOW_MAX];
    frame_take(frame, allowed, question->count);
    for (size_t i = 0; i < question->count; i++) question->allowed[i] = allowed[i] != 0;
    return !frame->broken;
}

static void end_unused(struct call_processes *all) {
    pthread_mutex_lock(&all->lock);
    for (struct call_process *next; all->unused; all->unused = next) {
        next = all->unused->next;
        locked_process_end(&all->unused->process);
        call_process_free(all->unused);
    }
    pthread_mutex_unlock(&all->lock);
}

/* Asks one process. Sets `*again` if it may have been ended from outside, so that another one may
 * answer. */
static bool call_process_ask(struct call_processes *all, const struct question *question,
                             bool *again, struct fault *fault) {
    struct call_process *self = call_process_take(all, fault);
    *again = false;
    if (!self) return false;
    enum channel_result result = call_process_exchange(self, question);
    struct ending ending;
    if (result != CHANNEL_OK) {
        ending = exchange_end(&self->process, result, CALL_PROCESS_DEADLINE);
        *again = call_process_blame(question->call, &ending, fault);
        call_process_free(self);
        if (ending.kind == ENDING_ORPHAN) end_unused(all); /* so are they, or most of them */
        return false;
    }
    char said[LOGBOOK_ROOM];
    size_t said_length = listener ? frame_take_tail(&self->answer, said, sizeof said) : 0;
    bool answers = frame_take_number(&self->answer) != 0;
    frame_take(&self->answer, question->fuel, sizeof *question->fuel);
    bool sound = !answers ? call_process_take_fault(&self->answer, all->rules, fault)
                 : question->allowed
                     ? take_allowed(&self->answer, question)
                     : call_process_take_answer(&self->answer, all->rules, question->answer);
    if (sound) {
        if (said_length)
            log_tell(listener, (uint32_t)question->game->earlier + question->game->ply_count,
                     call_name(question->call), said, said_length);
        call_process_give(all, self);
        return answers;
    }
    ending = exchange_refuse(&self->process, ENDING_MISDEED, "sent an answer that makes no sense");
    call_process_blame(question->call, &ending, fault);
    call_process_free(self);
    return false;
}

static bool call_processes_try(struct call_processes *all, const struct question *question,
                               struct fault *fault) {
    bool again = true;
    for (int i = 0; i < TEMPLATE_TRIES && again; i++) {
        *fault = (struct fault){0};
        if (call_process_ask(all, question, &again, fault)) return true;
    }
    return false;
}

/* The thread's last question about many moves. The move made next is usually one of them and judged
 * again; the same question has the same answer. */
static _Thread_local struct {
    unsigned all; /* their number; 0: no question yet */
    struct game game;
    struct play plays[CALLS_ALLOW_MAX];
    bool allowed[CALLS_ALLOW_MAX];
    size_t count;
} lately;

static void remember_allowed(const struct call_processes *all, const struct question *question) {
    lately.all = all->number;
    lately.game = *question->game;
    lately.count = question->count;
    memcpy(lately.plays, question->plays, question->count * sizeof *question->plays);
    memcpy(lately.allowed, question->allowed, question->count * sizeof *question->allowed);
}

/* Whether this move was among them and allowed. */
static bool is_remembered(const struct call_processes *all, const struct game *game,
                          const struct play *play) {
    if (lately.all != all->number || memcmp(&lately.game, game, sizeof *game) != 0) return false;
    for (size_t i = 0; i < lately.count; i++)
        if (lately.allowed[i] && move_equal(lately.plays[i].move, play->move)) return true;
    return false;
}

static bool call_processes_ask(void *context, enum call call, const struct game *game,
                               const struct play *play, struct call_answer *answer,
                               struct fault *fault) {
    const struct question question = {.call = call,
                                      .game = game,
                                      .plays = play,
                                      .count = play != NULL,
                                      .fuel_max = answer->fuel_max,
                                      .fuel = &answer->fuel,
                                      .answer = answer};
    if (call == CALL_LEGAL && answer->fuel_max == UINT64_MAX &&
        is_remembered(context, game, play)) {
        answer->allowed = true;
        return true;
    }
    return call_processes_try(context, &question, fault);
}

static bool call_processes_allow(void *context, const struct game *game, const struct plays *plays,
                                 struct calls_fuel *fuel, bool *allowed, struct fault *fault) {
    const struct question question = {.call = CALL_LEGAL,
                                      .game = game,
                                      .plays = plays->play,
                                      .count = plays->count,
                                      .fuel_max = fuel->max,
                                      .fuel = &fuel->used,
                                      .allowed = allowed};
    if (!call_processes_try(context, &question, fault)) return false;
    remember_allowed(context, &question);
    return true;
}

static void call_processes_close(void *context) {
    struct call_processes *all = context;
    end_unused(all);
    template_close(all->template);
    pthread_mutex_destroy(&all->lock);
    free(all);
}

static atomic_uint numbers; /* given out so far */

bool call_process_attach(struct rules *rules, const char *scripts) {
    struct call_processes *all = calloc(1, sizeof *all);
    if (!all) return false;
    all->rules = rules;
    snprintf(all->scripts, sizeof all->scripts, "%s", scripts);
    all->number = atomic_fetch_add(&numbers, 1) + 1;
    pthread_mutex_init(&all->lock, NULL);
    variant_calls_ask_elsewhere(rules,
                                (struct variant_asker){call_processes_ask, call_processes_allow,
                                                       call_processes_close, all});
    return true;
}
