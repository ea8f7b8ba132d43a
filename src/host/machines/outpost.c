/* outpost.c - the process: threads that play, and one that reads.
 *
 * While it loads there is one thread, which reads the answers to its own questions. Later the first
 * thread reads all, and hands out orders and answers. */
#include "outpost.h"

#include "base/buffer.h"
#include "base/descriptors.h"
#include "host/match/hand.h"
#include "host/match/sources.h"
#include "host/player_child.h"
#include "jail/cage.h"
#include "jail/loader.h"
#include "jail/wire_fault.h"
#include "outpost_wire.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    RESOLVED_MAX = 1 << 12,
    FILES_BYTES_MAX = 64 << 20 /* of a match, in all */
};
static const uint32_t NOTHING = UINT32_MAX;

struct process;

/* A thread that plays. */
struct seat {
    struct process *process;
    pthread_t thread;
    uint32_t number, pair; /* the pair to play, or NOTHING; under the lock */
    struct hand hand;
};

/* A name that the coordinator has resolved: each player is opened by name for every game. */
struct resolved {
    enum folder_sort sort;
    char *name, *path;
};

struct process {
    int in, out;
    pthread_mutex_t lock;   /* guards what is sent, and all below */
    pthread_cond_t told;    /* an order or an answer has come */
    pthread_mutex_t asking; /* one question at a time; guards what is resolved */
    bool reading;           /* there is a thread that reads */
    bool answered;
    struct frame incoming, answer, outgoing;
    struct resolved *resolved;
    size_t resolved_count;

    struct terms terms;
    struct folders folders;
    struct finder finder;
    struct reader reader;
    struct sources *sources; /* keeps each file that was asked for */
    size_t file_bytes;       /* that were read; guarded by `sources` */
    struct rules *rules;
    struct setup_pool setups[2];
    struct tournament *match;
    struct seat *seats;
    struct processors processors;
    int threads;
    atomic_bool stop; /* never set: the process is killed */
};

static _Noreturn void give_up(void) {
    _exit(EXIT_FAILURE);
}

/* Sends process->outgoing. */
static void send_frame(struct process *process) {
    if (process->outgoing.broken ||
        wire_send(process->out, &process->outgoing, 0, WIRE_FOREVER) != WIRE_OK)
        give_up();
}

static void begin_frame(struct process *process, enum outpost_word word) {
    frame_clear(&process->outgoing);
    frame_put_number(&process->outgoing, word);
}

static _Noreturn void fail(struct process *process, const struct fault *fault) {
    pthread_mutex_lock(&process->lock);
    begin_frame(process, OUTPOST_FAILS);
    frame_put_fault(&process->outgoing, fault);
    send_frame(process);
    _exit(EXIT_SUCCESS);
}

/* Copies the rest of a frame. */
static void copy_rest(struct frame *to, struct frame *from) {
    frame_clear(to);
    frame_put(to, from->bytes + WIRE_HEADER + from->at, from->length - from->at);
}

/* Begins a question; end_question() must follow. */
static struct frame *begin_question(struct process *process, enum slip_question question) {
    pthread_mutex_lock(&process->asking);
    pthread_mutex_lock(&process->lock);
    begin_frame(process, OUTPOST_ASKS);
    frame_put_number(&process->outgoing, question);
    return &process->outgoing;
}

/* Sends the question and waits for the answer, in process->answer. False with a fault if it is a
 * no. release_answer() must follow. */
static bool ask(struct process *process, struct fault *fault) {
    send_frame(process);
    process->answered = false;
    if (!process->reading) {
        if (wire_next(process->in, &process->incoming) != WIRE_OK ||
            frame_take_number(&process->incoming) != OUTPOST_ANSWER)
            give_up();
        copy_rest(&process->answer, &process->incoming);
    } else {
        while (!process->answered) pthread_cond_wait(&process->told, &process->lock);
    }
    pthread_mutex_unlock(&process->lock);
    struct fault why;
    if (!process->answer.length)
        return fault_set(fault, STATUS_SYSTEM, "the coordinator does not answer");
    if (frame_take_number(&process->answer) == 1) return true;
    if (!frame_take_fault(&process->answer, &why)) give_up();
    if (fault) *fault = why;
    return false;
}

static void release_answer(struct process *process) {
    pthread_mutex_unlock(&process->asking);
}

static bool recall(struct process *process, enum folder_sort sort, const char *name,
                   char path[FOLDER_PATH_MAX]) {
    bool known = false;
    pthread_mutex_lock(&process->asking);
    for (size_t i = 0; i < process->resolved_count && !known; i++) {
        const struct resolved *resolved = &process->resolved[i];
        known = resolved->sort == sort && !strcmp(resolved->name, name);
        if (known) snprintf(path, FOLDER_PATH_MAX, "%s", resolved->path);
    }
    pthread_mutex_unlock(&process->asking);
    return known;
}

/* Called before release_answer(). */
static void remember(struct process *process, enum folder_sort sort, const char *name,
                     const char *path) {
    struct resolved *grown =
        array_grown(process->resolved, process->resolved_count, sizeof *grown, RESOLVED_MAX);
    if (!grown) return;
    process->resolved = grown;
    struct resolved *added = &grown[process->resolved_count];
    *added = (struct resolved){sort, strdup(name), strdup(path)};
    if (added->name && added->path) process->resolved_count++;
}

static bool resolve(void *context, enum folder_sort sort, const char *name,
                    char path[FOLDER_PATH_MAX], struct fault *fault) {
    struct process *process = context;
    if (recall(process, sort, name, path)) return true;
    struct frame *question = begin_question(process, SLIP_ASKS_PATH);
    frame_put_number(question, sort);
    frame_put_text(question, name);
    bool found = ask(process, fault);
    if (found) frame_take_text(&process->answer, path, FOLDER_PATH_MAX);
    if (found && process->answer.broken) give_up();
    if (found) remember(process, sort, name, path);
    release_answer(process);
    return found;
}

/* Size and hash of a file. Without an answer the games would differ from those of other machines,
 * so none is played on. */
static uint32_t ask_file(struct process *process, const char *path, struct slip_hash *hash) {
    struct fault fault = {0};
    struct frame *question = begin_question(process, SLIP_ASKS_FILE);
    frame_put_text(question, path);
    if (!ask(process, &fault)) fail(process, &fault);
    uint32_t size = frame_take_number(&process->answer);
    frame_take(&process->answer, hash, sizeof *hash);
    if (process->answer.broken) give_up();
    release_answer(process);
    return size;
}

static long file_size(void *context, const char *path) {
    struct slip_hash hash;
    uint32_t size = ask_file(context, path, &hash);
    return size == SLIP_NO_FILE ? -1 : (long)size;
}

static long file_read(void *context, const char *path, char *out, size_t size) {
    struct process *process = context;
    struct fault fault = {0};
    struct slip_hash hash, got_hash;
    const uint32_t whole = ask_file(process, path, &hash);
    if (whole == SLIP_NO_FILE) return -1;
    if (size > whole) size = whole;
    process->file_bytes += size;
    if (process->file_bytes > FILES_BYTES_MAX) {
        fault_set(&fault, STATUS_MEMORY, "the files of the match are longer than %d MiB",
                  FILES_BYTES_MAX >> 20);
        fail(process, &fault);
    }
    for (size_t at = 0; at < size;) {
        struct frame *question = begin_question(process, SLIP_ASKS_BYTES);
        frame_put(question, &hash, sizeof hash);
        frame_put_number(question, (uint32_t)at);
        if (!ask(process, &fault)) fail(process, &fault);
        struct frame *answer = &process->answer;
        size_t got = answer->length - answer->at;
        if (got > size - at) got = size - at;
        if (!got) give_up();
        frame_take(answer, out + at, got);
        release_answer(process);
        at += got;
    }
    got_hash = slip_hash(out, size);
    if (size == whole && memcmp(&hash, &got_hash, sizeof hash) != 0) {
        fault_set(&fault, STATUS_CRASH, "the coordinator sends something else than this file");
        fault_place(&fault, path, 0, 0);
        fail(process, &fault);
    }
    return (long)size;
}

static void take_setups(struct process *process, int family) {
    struct tournament_family *to = &process->terms.options.family[family];
    struct setup_pool *pool = &process->setups[family];
    struct fault fault = {0};
    const uint32_t count = process->terms.setups[family];
    while (pool->count < count) {
        struct frame *question = begin_question(process, SLIP_ASKS_SETUPS);
        frame_put_number(question, (uint32_t)family);
        frame_put_number(question, (uint32_t)pool->count);
        bool given = ask(process, &fault);
        const size_t before = pool->count;
        while (given && process->answer.at < process->answer.length) {
            char text[SETUP_TEXT_MAX];
            struct setup setup;
            frame_take_text(&process->answer, text, sizeof text);
            if (pool->count == count) give_up();
            given = setup_read(process->rules, text, strlen(text), &setup, &fault) &&
                    (setup_pool_add(pool, &setup, (struct setup_origin){1, 0}) ||
                     fault_set(&fault, STATUS_NO_MEMORY, "out of memory"));
        }
        release_answer(process);
        if (!given) fail(process, &fault);
        if (pool->count == before) give_up();
    }
    to->setups = count ? pool : NULL;
}

/* Loads variant, set-ups and players. */
static void load(struct process *process) {
    struct tournament_options *options = &process->terms.options;
    struct fault fault = {0};
    process->reader = (struct reader){file_size, file_read, process};
    process->finder = (struct finder){resolve, process};
    process->sources = sources_open(&process->reader);
    if (!process->sources) give_up();
    process->folders =
        (struct folders){.reader = sources_reader(process->sources), .finder = &process->finder};
    memcpy(process->folders.scripts, process->terms.scripts, sizeof process->folders.scripts);
    process->rules = loader_variant(&process->folders, process->terms.variant, &fault);
    if (!process->rules) fail(process, &fault);
    options->folders = &process->folders;
    options->rules = process->rules;
    options->stop = &process->stop;
    const struct player_options bots = {
        .folders = options->folders, .rules = options->rules, .limits = options->limits};
    if (!descriptors_reserve(DESCRIPTORS_OF_PLAY + process->threads * DESCRIPTORS_OF_GAME,
                             &fault) ||
        (!process->terms.trust && !(options->nursery = player_nursery(&bots, &fault))))
        fail(process, &fault);
    for (int i = 0; i < options->family_count; i++) take_setups(process, i);
    process->match = tournament_open(options, &fault);
    if (!process->match) fail(process, &fault);
}

static void play(struct seat *seat, uint32_t number) {
    struct process *process = seat->process;
    struct fault fault = {0};
    struct pair pair = {.match = process->match,
                        .options = &process->terms.options,
                        .nursery = seat->hand.nursery,
                        .stop = &process->stop,
                        .number = number};
    struct finished *games[2];
    if (!pair_play_both(&pair, games, &fault)) fail(process, &fault);
    pthread_mutex_lock(&process->lock);
    begin_frame(process, OUTPOST_PLAYED);
    frame_put_number(&process->outgoing, seat->number);
    games_put(&process->outgoing, games);
    send_frame(process);
    pthread_mutex_unlock(&process->lock);
    for (int i = 0; i < 2; i++) finished_free(games[i]);
}

static void *seat_run(void *context) {
    struct seat *seat = context;
    struct process *process = seat->process;
    seat->hand = hand_open(&process->processors, process->terms.options.nursery, false);
    for (;;) {
        pthread_mutex_lock(&process->lock);
        while (seat->pair == NOTHING) pthread_cond_wait(&process->told, &process->lock);
        const uint32_t pair = seat->pair;
        seat->pair = NOTHING;
        pthread_mutex_unlock(&process->lock);
        hand_settle(&seat->hand);
        play(seat, pair);
    }
    return NULL;
}

static void start_seats(struct process *process) {
    process->seats = calloc((size_t)process->threads, sizeof *process->seats);
    if (!process->seats) give_up();
    processors_get(0, &process->processors);
    for (int i = 0; i < process->threads; i++) {
        struct seat *seat = &process->seats[i];
        *seat = (struct seat){.process = process, .number = (uint32_t)i, .pair = NOTHING};
        if (pthread_create(&seat->thread, NULL, seat_run, seat)) give_up();
    }
}

/* Locked. */
static _Noreturn void refuse_pair(struct process *process, uint32_t pair) {
    struct fault fault = {0};
    fault_set(&fault, STATUS_CRASH, "the match has no pair %u", pair + 1);
    pthread_mutex_unlock(&process->lock);
    fail(process, &fault);
}

/* Hands out orders and answers until the pipe is closed. */
static void read_orders(struct process *process) {
    struct frame *incoming = &process->incoming;
    while (wire_next(process->in, incoming) == WIRE_OK) {
        const uint32_t word = frame_take_number(incoming);
        pthread_mutex_lock(&process->lock);
        if (word == OUTPOST_ANSWER) {
            copy_rest(&process->answer, incoming);
            process->answered = true;
        } else {
            const uint32_t thread = frame_take_number(incoming), pair = frame_take_number(incoming);
            if (word != OUTPOST_PLAYS || incoming->broken || thread >= (uint32_t)process->threads)
                give_up();
            if (pair >= process->match->game_count / 2) refuse_pair(process, pair);
            process->seats[thread].pair = pair;
        }
        pthread_cond_broadcast(&process->told);
        pthread_mutex_unlock(&process->lock);
    }
}

void outpost_run(const void *known, int in, int out) {
    static struct process process;
    const struct permits *permits = known;
    struct fault fault = {0};
    if (!permits->programs && !cage_refuse_programs()) give_up();
    process.in = in;
    process.out = out;
    pthread_mutex_init(&process.lock, NULL);
    pthread_mutex_init(&process.asking, NULL);
    pthread_cond_init(&process.told, NULL);
    if (!frame_open(&process.incoming, OUTPOST_FRAME_MAX) ||
        !frame_open(&process.answer, OUTPOST_FRAME_MAX) ||
        !frame_open(&process.outgoing, OUTPOST_FRAME_MAX))
        give_up();
    if (wire_next(in, &process.incoming) != WIRE_OK ||
        frame_take_number(&process.incoming) != OUTPOST_BEGINS)
        give_up();
    zygote_open(0, NULL); /* of its own; what came so far is no secret */
    process.threads = (int)frame_take_number(&process.incoming);
    copy_rest(&process.answer, &process.incoming);
    if (process.threads < 1 || process.threads > OUTPOST_THREADS_MAX) give_up();
    if (!terms_take(&process.answer, &process.terms, &fault) ||
        !terms_are_permitted(&process.terms, permits, &fault))
        fail(&process, &fault);
    process.terms.options.programs.refused = !permits->programs;
    load(&process);
    start_seats(&process);
    pthread_mutex_lock(&process.lock);
    process.reading = true;
    begin_frame(&process, OUTPOST_READY);
    send_frame(&process);
    pthread_mutex_unlock(&process.lock);
    read_orders(&process);
    give_up();
}

static const void *learn_permits(struct frame *told) {
    static struct permits permits;
    frame_take(told, &permits, sizeof permits);
    return told->broken ? NULL : &permits;
}

struct nursery *outpost_nursery(const struct permits *permits, struct fault *fault) {
    struct frame told;
    struct nursery *nursery = NULL;
    if (frame_open(&told, sizeof *permits)) {
        frame_put(&told, permits, sizeof *permits);
        nursery = nursery_open((struct nursery_work){outpost_run, learn_permits}, &told, fault);
    } else {
        fault_set(fault, STATUS_NO_MEMORY, "out of memory");
    }
    frame_close(&told);
    return nursery;
}
