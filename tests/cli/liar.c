/* liar.c - what a worker writes of its games passes through here (CMakeLists.txt). */
#define _GNU_SOURCE
#include "liar.h"

#include "base/digest.h"
#include "host/machines/worker.h"
#include "host/record.h"
#include "jail/zygote.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static bool lying;
static enum lie told;
static int truths;

static void set_record(struct finished *finished, char *text) {
    free(finished->record);
    finished->record = text;
    finished->game.hash = digest_of(text, strlen(text));
}

static void resign(struct finished *finished) {
    struct fault fault = {0};
    struct record *record = record_read(finished->record, strlen(finished->record), &fault);
    const bool red = finished->game.result == RESULT_RED;
    record->move_count /= 2;
    record_set_tag(record, "Result", red ? "blue" : "red");
    record_set_tag(record, "Reason", "resigned");
    set_record(finished, record_write(record));
    finished->game.result = red ? RESULT_BLUE : RESULT_RED;
    finished->game.reason = REASON_RESIGNED;
    finished->game.plies = (uint32_t)record->move_count;
    memset(finished->usage, 0, sizeof finished->usage);
    record_free(record);
}

static void escape(struct finished *finished) {
    char *text = NULL;
    if (asprintf(&text, "\033]0;owned\007\033[2J\n%s", finished->record) < 0) _exit(EXIT_FAILURE);
    set_record(finished, text);
}

static void change(struct finished *finished, enum lie lie) {
    struct tournament_game *game = &finished->game;
    char *setup = finished->setup[RED];
    switch (lie) {
    case LIE_WINNER:
        game->result = game->result == RESULT_RED ? RESULT_BLUE : RESULT_RED;
        break;
    case LIE_RESIGNED:
        resign(finished);
        break;
    case LIE_SETUP:
        for (size_t i = 1; setup[i]; i++)
            if (setup[i] != setup[0] && setup[i] != '/') {
                const char other = setup[i];
                setup[i] = setup[0];
                setup[0] = other;
                break;
            }
        break;
    case LIE_USAGE:
        finished->usage[RED].calls = 1000ull * (game->plies + 1);
        break;
    case LIE_ESCAPES:
        escape(finished);
        break;
    case LIE_FAULT:
        if (finished->fault) break;
        finished->fault = calloc(1, sizeof *finished->fault);
        fault_set(finished->fault, STATUS_SCRIPT, "it says so");
        break;
    case LIE_LENGTH:
    case LIE_LACK:
    default:
        break;
    }
}

void __real_games_put(struct frame *frame, struct finished *const games[2]);
void __wrap_games_put(struct frame *frame, struct finished *const games[2]);

/* The first pairs, of which one admits a worker, are those of the match. */
void __wrap_games_put(struct frame *frame, struct finished *const games[2]) {
    static const char nothing[MESSAGES_GAMES_MAX + 1];
    static int played;
    if (!lying || told >= LIES || played++ < truths) {
        __real_games_put(frame, games);
    } else if (told == LIE_LENGTH || told == LIE_LACK) {
        frame_put(frame, nothing, sizeof nothing);
    } else {
        change(games[0], told);
        __real_games_put(frame, games);
    }
}

void __real_messages_put_lack(struct frame *frame, const struct messages_lack *lack);
void __wrap_messages_put_lack(struct frame *frame, const struct messages_lack *lack);

void __wrap_messages_put_lack(struct frame *frame, const struct messages_lack *lack) {
    static const struct messages_lack file = {MESSAGES_LACKS_FILE, "/nowhere/some.lua"};
    __real_messages_put_lack(frame, lying && told == LIE_LACK ? &file : lack);
}

bool __real_pair_play_both(struct pair *pair, struct finished *games[2], struct fault *fault);
bool __wrap_pair_play_both(struct pair *pair, struct finished *games[2], struct fault *fault);

/* As on a machine that is slower than the deadline allows. */
bool __wrap_pair_play_both(struct pair *pair, struct finished *games[2], struct fault *fault) {
    static int played;
    struct tournament_options late = *pair->options;
    late.deadline = 1;
    if (lying && told >= SLOW_LATER && (played++ || told == SLOW_AT_ONCE)) pair->options = &late;
    return __real_pair_play_both(pair, games, fault);
}

static void say(void *context, const char *line) {
    (void)context;
    fprintf(stderr, "ensign: %s\n", line);
}

static atomic_bool ends;

static void note_end(int number) {
    (void)number;
    atomic_store(&ends, true);
}

struct machine liar_start_later(const char *url, const char *name, enum lie lie, int first) {
    struct machine machine;
    if (!machine_fork(&machine)) {
        machine_await(&machine, "waits for matches");
        return machine;
    }
    struct fault fault = {0};
    struct worker_options options = {
        .server = {.url = url, .part = "worker"},
        .greeting = {.version = ENSIGN_VERSION, .threads = 1},
        .threads = 1,
        .permits = {.fuel = UINT64_MAX, .memory = SIZE_MAX, .deadline = 60000},
        .stop = &ends,
        .say = say};
    snprintf(options.greeting.worker, sizeof options.greeting.worker, "%s", name);
    lying = true;
    truths = first;
    told = lie;
    zygote_open(0, NULL);
    signal(SIGTERM, note_end);
    _exit(worker_run(&options, &fault) ? EXIT_SUCCESS : EXIT_FAILURE);
}

struct machine liar_start(const char *url, const char *name, enum lie lie) {
    return liar_start_later(url, name, lie, 1);
}
