/* liar.c - between a worker and its outpost stands a process that changes what passes. */
#define _GNU_SOURCE
#include "liar.h"

#include "host/machines/outpost.h"
#include "host/machines/outpost_wire.h"
#include "host/machines/worker.h"
#include "host/record.h"

#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>
#include <xxhash.h>

#include <cmocka.h>

static const struct permits PERMITS = {.fuel = UINT64_MAX, .memory = SIZE_MAX, .deadline = 60000};

static void set_record(struct finished *finished, char *text) {
    free(finished->record);
    finished->record = text;
    finished->game.hash = XXH3_64bits(text, strlen(text));
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
    case LIE_LENGTH:
    case LIES:
        break;
    }
}

/* Changes the games of a frame that says so. */
static void lie_about(struct frame *frame, enum lie lie) {
    static const struct tournament match = {.pairing = {2, false}, .player_count = 2};
    static const char nothing[SLIP_GAMES_MAX + 1];
    struct finished *games[2];
    const uint32_t word = frame_take_number(frame), thread = frame_take_number(frame);
    if (!games_take(frame, &match, 0, games)) _exit(EXIT_FAILURE);
    change(games[0], lie);
    frame_clear(frame);
    frame_put_number(frame, word);
    frame_put_number(frame, thread);
    if (lie == LIE_LENGTH)
        frame_put(frame, nothing, sizeof nothing);
    else
        games_put(frame, games);
    for (int i = 0; i < 2; i++) finished_free(games[i]);
}

/* The nursery's work. */
static void run_between(const void *known, int in, int out) {
    const enum lie lie = *(const enum lie *)known;
    int down[2], up[2], played = 0;
    struct frame frame;
    if (pipe(down) || pipe(up)) _exit(EXIT_FAILURE);
    if (!fork()) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        outpost_run(&PERMITS, down[0], up[1]);
        _exit(EXIT_FAILURE);
    }
    close(down[0]);
    close(up[1]);
    if (!frame_open(&frame, OUTPOST_FRAME_MAX)) _exit(EXIT_FAILURE);
    for (;;) {
        struct pollfd ends[] = {{.fd = in, .events = POLLIN}, {.fd = up[0], .events = POLLIN}};
        poll(ends, 2, -1);
        const bool back = !ends[0].revents;
        if (wire_next(back ? up[0] : in, &frame) != WIRE_OK) _exit(EXIT_SUCCESS);
        if (back && frame_take_number(&frame) == OUTPOST_PLAYED && played++) {
            frame.at = 0;
            lie_about(&frame, lie);
        }
        if (wire_send(back ? out : down[1], &frame, 0, WIRE_FOREVER) != WIRE_OK)
            _exit(EXIT_SUCCESS);
    }
}

static const void *learn_lie(struct frame *told) {
    static enum lie lie;
    frame_take(told, &lie, sizeof lie);
    return &lie;
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

struct machine liar_start(const char *url, const char *name, enum lie lie) {
    struct machine machine;
    if (!machine_fork(&machine)) {
        machine_await(&machine, "waits for matches");
        return machine;
    }
    struct fault fault = {0};
    struct worker_options options = {.server = {.url = url, .name = "liar"},
                                     .greeting = {.version = ENSIGN_VERSION, .threads = 1},
                                     .threads = 1,
                                     .stop = &ends,
                                     .say = say};
    snprintf(options.greeting.worker, sizeof options.greeting.worker, "%s", name);
    struct frame told;
    zygote_open(0, NULL);
    if (!frame_open(&told, sizeof lie)) _exit(EXIT_FAILURE);
    frame_put(&told, &lie, sizeof lie);
    options.nursery = nursery_open((struct nursery_work){run_between, learn_lie}, &told, &fault);
    signal(SIGTERM, note_end);
    const bool worked = options.nursery && worker_run(&options, &fault);
    nursery_close(options.nursery);
    _exit(worked ? EXIT_SUCCESS : EXIT_FAILURE);
}
