/* Threads that run tasks. */
#include "serve/workers.h"

#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <cmocka.h>

enum { TASKS = 20, STEPS = 300 };

struct runner {
    struct task task; /* first */
    atomic_int inside, steps;
    atomic_bool gate; /* the first step waits for it */
};

static atomic_int overlaps;

static bool runner_step(struct runner *runner) {
    if (atomic_fetch_add(&runner->inside, 1)) atomic_fetch_add(&overlaps, 1);
    while (!atomic_load(&runner->gate)) sched_yield();
    atomic_fetch_sub(&runner->inside, 1);
    return atomic_fetch_add(&runner->steps, 1) + 1 == STEPS;
}

static enum task_result run_on(struct task *task) {
    return runner_step((struct runner *)task) ? TASK_ENDED : TASK_MORE;
}

static enum task_result run_once(struct task *task) {
    return runner_step((struct runner *)task) ? TASK_ENDED : TASK_IDLE;
}

static void tasks_run_one_at_a_time_until_they_end(void **state) {
    (void)state;
    struct fault fault = {0};
    struct runner runners[TASKS];
    struct workers *workers = workers_open(3, &fault);
    assert_non_null(workers);
    for (int i = 0; i < TASKS; i++) {
        runners[i] = (struct runner){.task = {.run = run_on}, .gate = true};
        assert_true(task_begin(workers, &runners[i].task, (enum task_pace)(i % 3), &fault));
    }
    for (int i = 0; i < TASKS; i++) task_wake(&runners[i].task);
    workers_close(workers); /* waits for them */
    for (int i = 0; i < TASKS; i++) assert_int_equal(atomic_load(&runners[i].steps), STEPS);
    assert_int_equal(atomic_load(&overlaps), 0);
}

static void a_task_that_is_woken_while_it_runs_runs_once_more(void **state) {
    (void)state;
    for (int own = 0; own < 2; own++) {
        struct fault fault = {0};
        struct workers *workers = workers_open(2, &fault);
        struct runner runner = {.task = {.run = run_once}, .steps = STEPS - 2};
        assert_true(task_begin(workers, &runner.task, own ? TASK_OWN : TASK_QUICK, &fault));
        task_wake(&runner.task);
        while (!atomic_load(&runner.inside)) sched_yield();
        task_wake(&runner.task);
        task_wake(&runner.task);
        atomic_store(&runner.gate, true);
        workers_close(workers);
        assert_int_equal(atomic_load(&runner.steps), STEPS);
    }
    assert_int_equal(atomic_load(&overlaps), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tasks_run_one_at_a_time_until_they_end),
        cmocka_unit_test(a_task_that_is_woken_while_it_runs_runs_once_more),
    };
    return cmocka_run_group_tests_name("workers", tests, NULL, NULL);
}
