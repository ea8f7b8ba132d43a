/* Pairs are given out to workers that are fast, slow, silent or false, without a network: all of
 * them are played, none is counted twice, and not much is played in vain. */
#include "host/machines/schedule.h"
#include "support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { PAIRS = 50000, WORKERS = 1000, PAIR_MS = 400, TICK_MS = 100, JOBS_MAX = 4096 };

/* A job in the queue or in a worker's hand. */
struct handed {
    uint32_t *pairs, count, done;
    int64_t until; /* when the next pair is played */
    int worker;    /* -1: in the queue */
};

struct world {
    struct tournament match;
    struct tournament_options options;
    struct batch batch;
    atomic_bool stop;
    struct schedule *schedule;
    struct random chance;
    int64_t now;
    struct handed jobs[JOBS_MAX];
    int count;
    uint64_t played, counted, others;
    uint8_t times[PAIRS]; /* counted, by pair */
};

static uint64_t digest_of(uint32_t pair) {
    return 1000 + pair;
}

static struct world *open_world(uint32_t pairs, uint64_t seed) {
    struct world *world = calloc(1, sizeof *world);
    assert_non_null(world);
    world->match.game_count = 2 * pairs;
    world->match.games = calloc(2 * pairs, sizeof *world->match.games);
    struct result_writer *writer =
        result_writer_open(&world->match, &world->options, &world->stop, NULL);
    assert_non_null(writer);
    world->batch = (struct batch){&world->match, &world->options, writer, &world->stop};
    world->chance = random_stream(seed, STREAM_PLAYOUT, 0);
    world->schedule = schedule_open(&world->batch, random_stream(seed, STREAM_PLAYOUT, 1));
    assert_non_null(world->schedule);
    return world;
}

static void close_world(struct world *world) {
    for (int i = 0; i < world->count; i++) free(world->jobs[i].pairs);
    schedule_close(world->schedule);
    memset(world->match.games, 0, world->match.game_count * sizeof *world->match.games);
    assert_true(result_writer_close(world->batch.writer, NULL));
    free(world->match.games);
    free(world);
}

static void give_jobs(struct world *world, int threads) {
    uint32_t pairs[SCHEDULE_PAIRS_MAX], count;
    while ((count = schedule_job(world->schedule, world->now, threads, pairs))) {
        assert_true(world->count < JOBS_MAX);
        struct handed *job = &world->jobs[world->count++];
        *job = (struct handed){.count = count, .worker = -1};
        job->pairs = malloc(count * sizeof *job->pairs);
        memcpy(job->pairs, pairs, count * sizeof *pairs);
    }
}

static void drop_job(struct world *world, int index) {
    free(world->jobs[index].pairs);
    world->jobs[index] = world->jobs[--world->count];
}

/* A pair is played by a worker and taken. */
static void take(struct world *world, uint32_t pair, int worker, bool lies, uint32_t ms) {
    uint64_t digest = digest_of(pair) + (lies ? 7 : 0);
    world->played++;
    switch (schedule_take(world->schedule, pair, digest, (uint32_t)worker + 1, ms)) {
    case SCHEDULE_NEW:
        world->counted++;
        assert_int_equal(world->times[pair]++, 0);
        break;
    case SCHEDULE_KNOWN:
        break;
    case SCHEDULE_OTHER:
        world->others++;
    }
}

static void every_pair_is_counted_once(void **state) {
    (void)state;
    struct world *world = open_world(PAIRS, 3);
    bool busy[WORKERS] = {false};
    int64_t ideal = (int64_t)PAIRS * PAIR_MS / WORKERS;
    while (schedule_left(world->schedule)) {
        give_jobs(world, WORKERS);
        int next = 0;
        for (int i = 0; i < world->count; i++) {
            struct handed *job = &world->jobs[i];
            if (job->worker >= 0) continue;
            while (next < WORKERS && busy[next]) next++;
            if (next == WORKERS) break;
            busy[next] = true;
            job->worker = next;
            job->until = world->now + PAIR_MS;
        }
        world->now += TICK_MS;
        for (int i = world->count; i-- > 0;) {
            struct handed *job = &world->jobs[i];
            if (job->worker < 0) continue;
            /* One in ten is ten times as slow; one in fifty falls silent with a job in hand. */
            const int worker = job->worker, pace = PAIR_MS * (worker % 10 == 3 ? 10 : 1);
            if (worker % 50 == 7 && world->now > 5000) continue;
            for (; job->done < job->count && job->until <= world->now; job->until += pace)
                take(world, job->pairs[job->done++], worker, false, (uint32_t)pace);
            if (job->done < job->count) continue;
            busy[worker] = false;
            drop_job(world, i);
        }
        assert_true(world->now < 100 * ideal);
    }
    assert_int_equal(world->counted, PAIRS);
    assert_int_equal(world->others, 0);
    /* A tenth is slow, so a match cannot be much faster than 1.1 times the ideal; the checks and
     * what is given out twice cost less than a quarter. */
    assert_true(world->now < 3 * ideal + 60000);
    assert_true(world->played < PAIRS * 5 / 4);
    assert_true(world->played > PAIRS); /* some were checked */
    close_world(world);
}

static void jobs_are_short_at_first_and_at_the_end(void **state) {
    (void)state;
    struct world *world = open_world(4000, 4);
    uint32_t pairs[SCHEDULE_PAIRS_MAX], last = 0, most = 0;
    assert_int_equal(schedule_job(world->schedule, 0, 1, pairs),
                     1); /* nobody knows how long one takes */
    take(world, pairs[0], 0, false, 100);
    while (schedule_left(world->schedule)) {
        uint32_t count = schedule_job(world->schedule, world->now, 1, pairs);
        assert_true(count <= SCHEDULE_MS / 100 + 1); /* half a minute, and a check */
        for (uint32_t i = 0; i < count; i++) take(world, pairs[i], 0, false, 100);
        world->now += count * 100;
        if (count > most) most = count;
        last = count;
    }
    assert_in_range(most, SCHEDULE_MS / 100 - 10, SCHEDULE_MS / 100 + 1);
    assert_true(last <= 2);
    close_world(world);
}

static void what_one_holds_for_too_long_is_shared_out(void **state) {
    (void)state;
    enum { ALL = 1000, THREADS = 64 };
    struct world *world = open_world(ALL, 7);
    uint32_t held[SCHEDULE_PAIRS_MAX], pairs[SCHEDULE_PAIRS_MAX], count;
    bool again[ALL] = {false};
    take(world, 0, 0, false, 1); /* so fast that somebody who is slow gets very many */
    const uint32_t given = schedule_job(world->schedule, 0, 0, held);
    uint32_t holds = 0;
    for (uint32_t i = 0; i < given; i++) /* without what is only a check */
        if (!schedule_finished(world->schedule, held[i])) held[holds++] = held[i];
    assert_true(holds > ALL / 3);
    while ((count = schedule_job(world->schedule, world->now, THREADS, pairs)))
        for (uint32_t i = 0; i < count; i++) take(world, pairs[i], 1, false, 800);
    assert_int_equal(schedule_left(world->schedule), holds);
    world->now += 1000 * 1000;
    uint32_t last = holds;
    while (schedule_left(world->schedule)) {
        count = schedule_job(world->schedule, world->now, THREADS, pairs);
        assert_in_range(count, 1, holds / (2 * THREADS) + 1);
        for (uint32_t i = 0; i < count; i++) {
            assert_int_equal(pairs[i], held[--last]); /* the holder plays them in order */
            assert_false(again[pairs[i]]);
            again[pairs[i]] = true;
            take(world, pairs[i], 1, false, 800);
        }
    }
    assert_int_equal(schedule_open_jobs(world->schedule), 0);
    close_world(world);
}

static void who_lies_is_told_from_who_does_not(void **state) {
    (void)state;
    struct world *world = open_world(2000, 5);
    uint32_t pairs[SCHEDULE_PAIRS_MAX];
    int turn = 0;
    while (schedule_left(world->schedule) && !world->others) {
        uint32_t count = schedule_job(world->schedule, world->now, 2, pairs);
        const int worker = turn++ % 2;
        for (uint32_t i = 0; i < count; i++) take(world, pairs[i], worker, worker == 1, 200);
        world->now += 1000;
    }
    assert_int_equal(world->others, 1);
    assert_true(world->counted < 400); /* it was found out early */
    close_world(world);
}

/* A worker holds a job, and says of what it sends that each pair took it a day. */
static void claims_of_slowness_hold_no_pair_back(void **state) {
    enum { DAY_MS = 24 * 3600 * 1000, PATIENCE_MS = 600000 };
    (void)state;
    struct world *world = open_world(200, 7);
    uint32_t held[SCHEDULE_PAIRS_MAX], pairs[SCHEDULE_PAIRS_MAX];
    take(world, 199, -1, false, 50); /* by the match itself */
    bool holds = false;
    while (schedule_left(world->schedule)) {
        uint32_t count = schedule_job(world->schedule, world->now, 2, pairs);
        if (schedule_left(world->schedule) < 150 && !holds) {
            holds = schedule_job(world->schedule, world->now, 2, held);
            assert_true(holds);
        }
        for (uint32_t i = 0; i < count; i++) take(world, pairs[i], 1, false, DAY_MS);
        world->now += 1000;
        assert_true(world->now < PATIENCE_MS);
    }
    close_world(world);
}

/* Somebody takes the jobs away, or the games. */
static void silence_is_told_after_a_minute_and_then_less_often(void **state) {
    enum { SECOND_MS = 1000, DAY_S = 24 * 3600 };
    static const int64_t due[] = {60, 120, 240, 480, 960, 1920, 3840, 3840};
    (void)state;
    struct world *world = open_world(200, 8);
    uint32_t pairs[SCHEDULE_PAIRS_MAX];
    int told = 0;
    world->now = SECOND_MS;
    assert_true(schedule_job(world->schedule, world->now, 1, pairs));
    schedule_hear(world->schedule, world->now);
    for (int64_t last = 1, second = 1; second < DAY_S && told < 8; second++) {
        const int64_t silence = schedule_silence(world->schedule, second * SECOND_MS, 1);
        if (!silence) continue;
        assert_int_equal(silence, (second - last) * SECOND_MS);
        assert_in_range(second - last, due[told], due[told] + 2);
        last = second;
        told++;
    }
    assert_int_equal(told, 8);
    close_world(world);
}

static void games_threads_and_jobs_that_are_not_there_break_the_silence(void **state) {
    (void)state;
    struct world *world = open_world(200, 9);
    uint32_t pairs[SCHEDULE_PAIRS_MAX];
    for (int64_t now = 1; now < 1000000; now += 1000) /* nothing is given out */
        assert_int_equal(schedule_silence(world->schedule, now, 1), 0);
    assert_true(schedule_job(world->schedule, 1000000, 1, pairs));
    for (int64_t now = 1000000; now < 2000000; now += 1000) /* nobody plays */
        assert_int_equal(schedule_silence(world->schedule, now, 0), 0);
    for (int64_t now = 2000000; now < 3000000; now += 1000) { /* games come */
        assert_int_equal(schedule_silence(world->schedule, now, 1), 0);
        if (now % 50000 == 0) schedule_hear(world->schedule, now);
    }
    close_world(world);
}

/* Plays what is out, and whatever is given out until nothing is left. */
static void play_all(struct world *world) {
    uint32_t pairs[SCHEDULE_PAIRS_MAX], count;
    while (schedule_left(world->schedule)) {
        while ((count = schedule_job(world->schedule, world->now, 2, pairs)))
            for (uint32_t i = 0; i < count; i++) take(world, pairs[i], 1, false, 10);
        world->now += 1000;
    }
}

/* Pairs of a liar, of all sorts: with the rest of their job in somebody's hand, before they were
 * given out, and at the end. */
static void what_is_struck_is_given_out_once_more_and_nothing_else_is_forgotten(void **state) {
    enum { COUNT = 400, LIAR = 8 };
    (void)state;
    struct world *world = open_world(COUNT, 12);
    uint32_t pairs[SCHEDULE_PAIRS_MAX];
    take(world, 0, 1, false, 10); /* the pace */
    for (int round = 0; round < 3; round++) {
        bool lied[COUNT] = {false};
        const uint32_t count = schedule_job(world->schedule, world->now, 2, pairs);
        for (uint32_t i = 0; i < count; i += 3) take(world, pairs[i], LIAR, true, 10);
        for (uint32_t pair = 0; pair < COUNT; pair += 7)
            if (!schedule_finished(world->schedule, pair)) take(world, pair, LIAR, true, 10);
        for (uint32_t pair = 0; pair < COUNT; pair++) {
            if (schedule_worker(world->schedule, pair) != LIAR + 1) continue;
            lied[pair] = true;
            world->times[pair] = 0;
            schedule_strike(world->schedule, pair);
        }
        for (uint32_t pair = 0; pair < COUNT; pair++) {
            if (lied[pair]) assert_false(schedule_finished(world->schedule, pair));
            if (!lied[pair] && schedule_finished(world->schedule, pair))
                assert_int_equal(schedule_digest(world->schedule, pair), digest_of(pair));
        }
        world->now += 1000;
    }
    play_all(world);
    schedule_strike(world->schedule, 17);
    world->times[17] = 0;
    play_all(world);
    for (uint32_t pair = 0; pair < COUNT; pair++) {
        assert_int_equal(world->times[pair], 1);
        assert_int_equal(schedule_digest(world->schedule, pair), digest_of(pair));
    }
    assert_int_equal(schedule_open_jobs(world->schedule), 0);
    schedule_trust(world->schedule, 18);
    assert_int_equal(schedule_worker(world->schedule, 18), SCHEDULE_HERE);
    close_world(world);
}

static void what_was_finished_before_is_not_given_out(void **state) {
    (void)state;
    struct world *world = open_world(100, 6);
    schedule_close(world->schedule);
    for (uint32_t number = 0; number < 200; number++)
        if (number % 4 < 3) world->match.games[number].reason = 1; /* each other pair has both */
    world->schedule = schedule_open(&world->batch, world->chance);
    assert_int_equal(schedule_left(world->schedule), 50);
    uint32_t pairs[SCHEDULE_PAIRS_MAX];
    while (schedule_left(world->schedule)) {
        uint32_t count = schedule_job(world->schedule, world->now, 0, pairs);
        for (uint32_t i = 0; i < count; i++) {
            assert_int_equal(pairs[i] % 2, 1);
            take(world, pairs[i], 0, false, 10);
        }
        world->now += 1000;
    }
    assert_int_equal(schedule_open_jobs(world->schedule), 0);
    close_world(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_pair_is_counted_once),
        cmocka_unit_test(jobs_are_short_at_first_and_at_the_end),
        cmocka_unit_test(what_one_holds_for_too_long_is_shared_out),
        cmocka_unit_test(who_lies_is_told_from_who_does_not),
        cmocka_unit_test(claims_of_slowness_hold_no_pair_back),
        cmocka_unit_test(silence_is_told_after_a_minute_and_then_less_often),
        cmocka_unit_test(games_threads_and_jobs_that_are_not_there_break_the_silence),
        cmocka_unit_test(what_is_struck_is_given_out_once_more_and_nothing_else_is_forgotten),
        cmocka_unit_test(what_was_finished_before_is_not_given_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
