/* Threads that run tasks. */
#include "serve/workers.h"

#include "base/clock.h"
#include "base/standby.h"

#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>

#include <cmocka.h>

enum { TASKS = 20, STEPS = 300, PATIENCE_MS = 20000 };

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
        assert_true(
            task_begin(workers, &runners[i].task, (enum task_pace)(i % (TASK_OWN + 1)), &fault));
    }
    for (int i = 0; i < TASKS; i++) task_wake(&runners[i].task);
    workers_close(workers); /* waits for them */
    for (int i = 0; i < TASKS; i++) assert_int_equal(atomic_load(&runners[i].steps), STEPS);
    assert_int_equal(atomic_load(&overlaps), 0);
}

struct nice {
    struct task task; /* first */
    int nice;
};

static enum task_result look_at_nice(struct task *task) {
    ((struct nice *)task)->nice = getpriority(PRIO_PROCESS, 0); /* of this thread */
    return TASK_ENDED;
}

static void studies_give_way_to_all_others(void **state) {
    (void)state;
    struct fault fault = {0};
    struct nice tasks[TASK_OWN + 1];
    struct workers *workers = workers_open(1, &fault);
    const int usual = getpriority(PRIO_PROCESS, 0);
    for (int pace = 0; pace <= TASK_OWN; pace++) {
        tasks[pace] = (struct nice){.task = {.run = look_at_nice}};
        assert_true(task_begin(workers, &tasks[pace].task, (enum task_pace)pace, &fault));
        task_wake(&tasks[pace].task);
    }
    workers_close(workers);
    const int study = usual + WORKERS_NICE < 19 ? usual + WORKERS_NICE : 19;
    for (int pace = 0; pace <= TASK_OWN; pace++)
        assert_int_equal(tasks[pace].nice, pace == TASK_STUDY ? study : usual);
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

/* A task that stands by in each of its steps. */
struct waiter {
    struct task task; /* first */
    int steps;
};

static atomic_int at_work, most_at_work, away;
static atomic_bool released;

static void enter_work(void) {
    int now = atomic_fetch_add(&at_work, 1) + 1, most = atomic_load(&most_at_work);
    while (now > most && !atomic_compare_exchange_weak(&most_at_work, &most, now)) {}
}

static void leave_work(void) {
    sched_yield();
    atomic_fetch_sub(&at_work, 1);
}

static enum task_result wait_and_go_on(struct task *task) {
    struct waiter *waiter = (struct waiter *)task;
    enter_work();
    leave_work();
    standby_begin();
    atomic_fetch_add(&away, 1);
    while (!atomic_load(&released)) sched_yield();
    atomic_fetch_sub(&away, 1);
    standby_end();
    enter_work();
    leave_work();
    return --waiter->steps ? TASK_MORE : TASK_ENDED;
}

static bool reaches(atomic_int *count, int wanted) {
    const int64_t until = clock_ms() + PATIENCE_MS;
    while (atomic_load(count) != wanted && clock_ms() < until) sched_yield();
    return atomic_load(count) == wanted;
}

/* Waiters for all threads and more, and one that does not wait. */
static void others_run_while_tasks_stand_by_as_long_as_there_are_threads(void **state) {
    (void)state;
    enum { TURNS = 2, THREADS = TURNS + WORKERS_SPARE };
    static struct waiter waiters[THREADS + 5];
    for (int full = 0; full < 2; full++) {
        struct fault fault = {0};
        struct runner runner = {.task = {.run = run_once}, .gate = true, .steps = STEPS - 1};
        struct workers *workers = workers_open(TURNS, &fault);
        const int count = full ? THREADS + 5 : THREADS - 1;
        assert_non_null(workers);
        assert_true(task_begin(workers, &runner.task, TASK_SLOW, &fault));
        atomic_store(&released, false);
        for (int i = 0; i < count; i++) {
            waiters[i] = (struct waiter){.task = {.run = wait_and_go_on}, .steps = 1};
            assert_true(task_begin(workers, &waiters[i].task, TASK_SLOW, &fault));
            task_wake(&waiters[i].task);
        }
        task_wake(&runner.task);
        assert_true(reaches(&away, full ? THREADS : count));
        if (full)
            assert_int_equal(workers_waiting(workers), 5 + 1);
        else
            assert_true(reaches(&runner.steps, STEPS));
        atomic_store(&released, true);
        workers_close(workers);
        assert_int_equal(atomic_load(&runner.steps), STEPS);
        assert_int_equal(atomic_load(&away), 0);
    }
}

/* Tasks that note whose they are. */
struct mark {
    struct task task; /* first */
    char whose;
};

static char marks[64];
static atomic_int mark_count;

static enum task_result leave_mark(struct task *task) {
    marks[atomic_fetch_add(&mark_count, 1)] = ((struct mark *)task)->whose;
    return TASK_ENDED;
}

static void begin_mark(struct workers *workers, struct mark *mark, struct task_source *source,
                       char whose) {
    struct fault fault = {0};
    *mark = (struct mark){.task = {.run = leave_mark, .source = source}, .whose = whose};
    assert_true(task_begin(workers, &mark->task, TASK_SLOW, &fault));
    task_wake(&mark->task);
}

static void tasks_of_one_source_do_not_hold_up_those_of_another(void **state) {
    (void)state;
    enum { MANY = 20 };
    static struct mark many[MANY], few[2];
    struct fault fault = {0};
    struct workers *workers = workers_open(1, &fault);
    struct task_source *one = task_source_open(), *other = task_source_open();
    struct runner gate = {.task = {.run = run_once}, .steps = STEPS - 1};
    assert_true(task_begin(workers, &gate.task, TASK_SLOW, &fault));
    task_wake(&gate.task);
    while (!atomic_load(&gate.inside)) sched_yield();
    for (int i = 0; i < MANY; i++) begin_mark(workers, &many[i], one, 'm');
    for (int i = 0; i < 2; i++) begin_mark(workers, &few[i], other, 'f');
    task_source_release(one); /* its tasks hold it */
    task_source_release(other);
    atomic_store(&gate.gate, true);
    workers_close(workers);
    assert_int_equal(atomic_load(&mark_count), MANY + 2);
    assert_memory_equal(marks, "mfmfmm", 6);
}

/* The other source's few are behind the one's many until they are moved: from the end of a line,
 * its middle, and, the last that it has, out of the queue; and to the end of another. */
static void a_task_that_waits_can_be_given_to_another_source(void **state) {
    (void)state;
    enum { MANY = 6 };
    static struct mark many[MANY], last;
    struct fault fault = {0};
    struct workers *workers = workers_open(1, &fault);
    struct task_source *one = task_source_open(), *other = task_source_open(),
                       *third = task_source_open();
    struct runner gate = {.task = {.run = run_once}, .steps = STEPS - 1};
    atomic_store(&mark_count, 0);
    assert_true(task_begin(workers, &gate.task, TASK_SLOW, &fault));
    task_wake(&gate.task);
    while (!atomic_load(&gate.inside)) sched_yield();
    begin_mark(workers, &last, third, 'l');
    for (int i = 0; i < MANY; i++) begin_mark(workers, &many[i], one, (char)('0' + i));
    task_move(&many[MANY - 1].task, other);
    task_move(&many[2].task, other);
    task_move(&many[2].task, other);
    task_move(&last.task, one);
    task_source_release(one), task_source_release(other), task_source_release(third);
    atomic_store(&gate.gate, true);
    workers_close(workers);
    assert_int_equal(atomic_load(&mark_count), MANY + 1);
    assert_memory_equal(marks,
                        "05"
                        "12"
                        "34l",
                        MANY + 1);
}

/* In its last run, too, after which nobody else holds its source. */
static void a_task_that_runs_can_be_given_to_another_source(void **state) {
    (void)state;
    for (int own = 0; own < 2; own++) {
        struct fault fault = {0};
        struct workers *workers = workers_open(2, &fault);
        struct task_source *one = task_source_open(), *other = task_source_open();
        struct runner runner = {.task = {.run = run_once, .source = one}, .steps = STEPS - 2};
        assert_true(task_begin(workers, &runner.task, own ? TASK_OWN : TASK_QUICK, &fault));
        task_source_release(one);
        task_wake(&runner.task);
        while (!atomic_load(&runner.inside)) sched_yield();
        task_wake(&runner.task);
        task_move(&runner.task, other);
        task_move(&runner.task, NULL);
        task_move(&runner.task, other);
        task_source_release(other);
        atomic_store(&runner.gate, true);
        workers_close(workers);
        assert_int_equal(atomic_load(&runner.steps), STEPS);
    }
}

/* Of two sources come more runners than there are turns, none of which ends before its gate opens.
 */
static void sources_share_the_turns_and_leave_some_for_one_that_comes(void **state) {
    (void)state;
    enum { TURNS = 6, SOURCES = 2, RUNNERS = TURNS + 2 };
    static struct runner runners[SOURCES][RUNNERS], other;
    static const int shares[SOURCES] = {TURNS / 2, TURNS / 3};
    struct fault fault = {0};
    struct workers *workers = workers_open(TURNS, &fault);
    other = (struct runner){
        .task = {.run = run_once, .source = task_source_open()}, .gate = true, .steps = STEPS - 1};
    for (int i = 0; i < SOURCES; i++) {
        struct task_source *source = task_source_open();
        for (int k = 0; k < RUNNERS; k++) {
            runners[i][k] =
                (struct runner){.task = {.run = run_once, .source = source}, .steps = STEPS - 1};
            assert_true(task_begin(workers, &runners[i][k].task, TASK_SLOW, &fault));
            task_wake(&runners[i][k].task);
        }
        while (!atomic_load(&runners[i][0].inside)) sched_yield();
        task_source_release(source);
    }
    assert_true(task_begin(workers, &other.task, TASK_SLOW, &fault));
    task_wake(&other.task);
    assert_true(reaches(&other.steps, STEPS));
    task_source_release(other.task.source);
    for (int i = 0; i < SOURCES; i++) {
        int inside = 0;
        for (int k = 0; k < RUNNERS; k++) inside += atomic_load(&runners[i][k].inside);
        assert_in_range(inside, 1, shares[i]);
    }
    for (int i = 0; i < SOURCES; i++)
        for (int k = 0; k < RUNNERS; k++) atomic_store(&runners[i][k].gate, true);
    workers_close(workers);
    for (int i = 0; i < SOURCES; i++)
        for (int k = 0; k < RUNNERS; k++)
            assert_int_equal(atomic_load(&runners[i][k].steps), STEPS);
}

static enum task_result stand_by_first(struct task *task) {
    standby_begin();
    atomic_fetch_add(&away, 1);
    while (!atomic_load(&released)) sched_yield();
    atomic_fetch_sub(&away, 1);
    standby_end();
    return run_once(task);
}

/* More come back than there are turns, and none of them ends before its gate opens. */
static void those_that_come_back_leave_turns_for_another_source(void **state) {
    (void)state;
    enum { TURNS = 4 };
    static struct runner runners[TASKS], other;
    struct fault fault = {0};
    struct workers *workers = workers_open(TURNS, &fault);
    struct task_source *source = task_source_open();
    other = (struct runner){
        .task = {.run = run_once, .source = task_source_open()}, .gate = true, .steps = STEPS - 1};
    atomic_store(&released, false);
    for (int i = 0; i < TASKS; i++) {
        runners[i] =
            (struct runner){.task = {.run = stand_by_first, .source = source}, .steps = STEPS - 1};
        assert_true(task_begin(workers, &runners[i].task, TASK_SLOW, &fault));
        task_wake(&runners[i].task);
    }
    assert_true(reaches(&away, TASKS));
    atomic_store(&released, true);
    assert_true(reaches(&away, 0));
    assert_true(task_begin(workers, &other.task, TASK_SLOW, &fault));
    task_wake(&other.task);
    assert_true(reaches(&other.steps, STEPS));
    for (int i = 0; i < TASKS; i++) atomic_store(&runners[i].gate, true);
    workers_close(workers);
    for (int i = 0; i < TASKS; i++) assert_int_equal(atomic_load(&runners[i].steps), STEPS);
    task_source_release(other.task.source);
    task_source_release(source);
}

static void no_more_tasks_work_at_a_time_when_those_that_stood_by_come_back(void **state) {
    (void)state;
    enum { TURNS = 3 };
    static struct waiter waiters[TASKS];
    struct fault fault = {0};
    struct workers *workers = workers_open(TURNS, &fault);
    atomic_store(&released, true);
    atomic_store(&most_at_work, 0);
    for (int i = 0; i < TASKS; i++) {
        waiters[i] = (struct waiter){.task = {.run = wait_and_go_on}, .steps = STEPS};
        assert_true(task_begin(workers, &waiters[i].task, TASK_SLOW, &fault));
    }
    for (int i = 0; i < TASKS; i++) task_wake(&waiters[i].task);
    workers_close(workers);
    for (int i = 0; i < TASKS; i++) assert_int_equal(waiters[i].steps, 0);
    assert_int_equal(atomic_load(&at_work), 0);
    assert_in_range(atomic_load(&most_at_work), 1, TURNS);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tasks_run_one_at_a_time_until_they_end),
        cmocka_unit_test(studies_give_way_to_all_others),
        cmocka_unit_test(others_run_while_tasks_stand_by_as_long_as_there_are_threads),
        cmocka_unit_test(tasks_of_one_source_do_not_hold_up_those_of_another),
        cmocka_unit_test(a_task_that_waits_can_be_given_to_another_source),
        cmocka_unit_test(a_task_that_runs_can_be_given_to_another_source),
        cmocka_unit_test(sources_share_the_turns_and_leave_some_for_one_that_comes),
        cmocka_unit_test(those_that_come_back_leave_turns_for_another_source),
        cmocka_unit_test(no_more_tasks_work_at_a_time_when_those_that_stood_by_come_back),
        cmocka_unit_test(a_task_that_is_woken_while_it_runs_runs_once_more),
    };
    return cmocka_run_group_tests_name("workers", tests, NULL, NULL);
}
