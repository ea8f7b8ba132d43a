/* Matches over several machines while everything fails: workers, server and coordinator are killed,
 * the network is cut, a worker stops, or is another version. The games are always those of
 * one thread, each counted once. With ENSIGN_LONG=1 twice as many games, and workers are killed
 * twenty times, server and coordinator five times. */
#include "games/length.h"
#include "gate.h"
#include "machines.h"
#include "match_folder.h"
#include "program.h"

#include "host/machines/jetstream.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { CUT_MS = 30000 };

static const char *games = "80", seed[] = "11";
static int killed_workers = 8, killed_servers = 2, killed_coordinators = 2;
static struct nats nats;
static char folder[2][MATCH_FOLDER_MAX]; /* of one process; over machines */

static int play_alone(void **state) {
    (void)state;
    if (at_length())
        games = "160", killed_workers = 20, killed_servers = 5, killed_coordinators = 5;
    match_folder_make(folder[0]);
    struct program_run run = PROGRAM("match", "hunter", "raider", "-v", "duel", "-n", games,
                                     "--seed", seed, "-o", folder[0], "--trust");
    assert_int_equal(run.exit_code, 0);
    program_clear(&run);
    return 0;
}

static int forget(void **state) {
    (void)state;
    match_folder_remove(folder[0]);
    return 0;
}

static int open_server(void **state) {
    (void)state;
    nats_open(&nats, true, NULL);
    match_folder_make(folder[1]);
    return 0;
}

static int close_server(void **state) {
    (void)state;
    nats_close(&nats);
    match_folder_remove(folder[1]);
    return 0;
}

static struct machine begin(void) {
    return MACHINE("match", "hunter", "raider", "-v", "duel", "-n", games, "--seed", seed, "-o",
                   folder[1], "--events", "--over", nats.url);
}

static struct machine go_on(void) {
    return MACHINE("match", "--resume", "-o", folder[1], "--events", "--over", nats.url);
}

/* Waits for the end of the match and compares it with that of one thread. */
static void finish(struct machine *match) {
    int code = machine_end(match, 0);
    char *err = machine_text(match, true);
    if (code) fail_msg("exit code %d: %s", code, err);
    free(err);
    machine_clear(match);
    match_folder_assert_same(folder[0], folder[1]);
}

static void workers_are_killed(void **state) {
    (void)state;
    struct machine worker[2] = {worker_start(nats.url, "one", "1"),
                                worker_start(nats.url, "two", "1")};
    struct machine match = begin();
    for (int i = 0; i < killed_workers; i++) {
        char name[24];
        snprintf(name, sizeof name, "next%d", i);
        machine_await_lines(&match, 1 + i * 3);
        machine_end(&worker[i % 2], SIGKILL);
        machine_clear(&worker[i % 2]);
        worker[i % 2] = worker_start(nats.url, name, "1");
    }
    finish(&match);
    for (int i = 0; i < 2; i++) worker_end(&worker[i]);
}

static void the_server_is_killed(void **state) {
    (void)state;
    struct machine worker = worker_start(nats.url, "one", "2");
    struct machine match = begin();
    for (int i = 0; i < killed_servers; i++) {
        machine_await_lines(&match, 1 + i * 15);
        nats_kill(&nats);
        wait_ms(300); /* games that are over meanwhile must wait */
        nats_start(&nats);
    }
    finish(&match);
    worker_end(&worker);
}

static void the_coordinator_is_killed(void **state) {
    (void)state;
    struct machine worker = worker_start(nats.url, "one", "2");
    struct machine match = begin();
    for (int i = 0; i < killed_coordinators; i++) {
        machine_await_lines(&match, 6 + i * 15);
        machine_end(&match, SIGKILL);
        machine_clear(&match);
        match = go_on();
    }
    finish(&match);
    worker_end(&worker);
}

/* One worker of two is behind a network that is cut for half a minute, and one stops answering. */
static void the_network_is_cut_and_a_worker_stops(void **state) {
    (void)state;
    struct gate *gate = gate_open(nats.port);
    struct machine behind = worker_start(gate_url(gate), "behind", "1");
    struct machine stopped = worker_start(nats.url, "stopped", "1");
    struct machine match = begin();
    machine_await_lines(&match, 20);
    gate_cut(gate, true);
    kill(stopped.process, SIGSTOP);
    wait_ms(CUT_MS);
    gate_cut(gate, false);
    finish(&match);
    kill(stopped.process, SIGCONT);
    worker_end(&stopped);
    worker_end(&behind);
    gate_close(gate);
}

/* What another program at the same server may say. */
static void another_version_is_not_played_with(void **state) {
    (void)state;
    const struct jetstream_options options = {.url = nats.url, .part = "test"};
    struct fault fault = {0};
    struct jetstream *jetstream = jetstream_open(&options, &fault);
    struct machine worker = worker_start(nats.url, "one", "1");
    static const char announcement[] =
        "{\"match\":\"0123456789abcdef0123456789abcdef\",\"session\":\"1\",\"protocol\":1,"
        "\"version\":\"99.1\",\"title\":\"duel\"}";
    assert_non_null(jetstream);
    assert_true(jetstream_say(jetstream, "ensign.open.0123456789abcdef0123456789abcdef",
                              announcement, sizeof announcement - 1));
    machine_await(&worker, "the coordinator is version 99.1 (protocol 1), this worker is version");
    jetstream_close(jetstream);
    /* The worker is not disturbed by it. */
    struct machine match = begin();
    finish(&match);
    worker_end(&worker);
}

static atomic_int hearing; /* 1: it has begun; 2: it has ended */

static void hear_slowly(void *context, const char *subject, const void *bytes, size_t length,
                        void **reply, size_t *reply_length) {
    (void)context, (void)subject, (void)bytes, (void)length, (void)reply, (void)reply_length;
    atomic_store(&hearing, 1);
    wait_ms(500);
    atomic_store(&hearing, 2);
}

/* What a callback uses may be freed once the connection is closed. */
static void nothing_is_heard_after_the_end(void **state) {
    (void)state;
    struct fault fault = {0};
    const struct jetstream_options options = {.url = nats.url, .part = "test"};
    struct jetstream *jetstream = jetstream_open(&options, &fault);
    assert_non_null(jetstream);
    assert_true(jetstream_listen(jetstream, "ensign.open.*", hear_slowly, NULL, &fault));
    assert_true(jetstream_say(jetstream, "ensign.open.x", "", 0));
    while (!atomic_load(&hearing)) wait_ms(1);
    jetstream_close(jetstream);
    assert_int_equal(atomic_load(&hearing), 2);
}

#define FAULT(test) cmocka_unit_test_setup_teardown(test, open_server, close_server)

int main(void) {
    const struct CMUnitTest tests[] = {
        FAULT(workers_are_killed),
        FAULT(the_server_is_killed),
        FAULT(the_coordinator_is_killed),
        FAULT(the_network_is_cut_and_a_worker_stops),
        FAULT(another_version_is_not_played_with),
        FAULT(nothing_is_heard_after_the_end),
    };
    return cmocka_run_group_tests(tests, play_alone, forget);
}
