/* The zygote: what it starts, from any thread and at any time, and what is left when it is killed.
 */
#include "base/fault.h"
#include "games/met.h"
#include "host/check/trial.h"
#include "host/player_process.h"
#include "host/players.h"
#include "host/processes.h"
#include "host/shortage.h"
#include "host/support.h"
#include "jail/loader.h"

#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum { PROCESSES_MAX = 64, THREADS = 4 };

static const char CALLS[] = "variants/examples/phalanx.lua";

struct loaded {
    struct rules *rules;
    struct template *template;
};

static struct template *template_for(const struct rules *rules, struct fault *fault) {
    const struct player_options bots = {
        .folders = support_folders(), .rules = rules, .limits = SANDBOX_DEFAULTS};
    return player_template(&bots, fault);
}

static bool try_load(const char *name, struct loaded *loaded, struct fault *fault) {
    loaded->rules = loader_variant(support_folders(), name, fault);
    loaded->template = loaded->rules ? template_for(loaded->rules, fault) : NULL;
    if (!loaded->template) rules_free(loaded->rules);
    return loaded->template;
}

static struct loaded load(const char *name) {
    struct fault fault = {0};
    struct loaded loaded;
    if (!try_load(name, &loaded, &fault)) fail_msg("%s: %s", name, fault.text);
    return loaded;
}

static void unload(struct loaded loaded) {
    template_close(loaded.template);
    rules_free(loaded.rules);
}

/* Everything below a process, at most PROCESSES_MAX. */
static int descendants(pid_t process, pid_t *all, int count) {
    pid_t children[PROCESSES_MAX];
    int born = processes_of(process, children, PROCESSES_MAX);
    assert_in_range(count + born, 0, PROCESSES_MAX);
    for (int i = 0; i < born; i++) {
        all[count++] = children[i];
        count = descendants(children[i], all, count);
    }
    return count;
}

static void assert_all_end(const pid_t *all, int count) {
    for (int i = 0; i < count; i++) assert_true(process_ends(all[i]));
}

static uint64_t hash_of(const struct rules *rules, struct template *template, const char *bot) {
    struct tournament *match = met_rookie(support_folders(), rules, bot, template);
    uint64_t hash = match->hash;
    tournament_free(match);
    return hash;
}

/* The same games with a variant that was loaded in this process, and bots that play in it. */
static uint64_t hash_here(const char *variant, const char *bot) {
    struct rules *rules = support_rules(variant);
    uint64_t hash = hash_of(rules, NULL, bot);
    rules_free(rules);
    return hash;
}

static void bots_play_the_same_games_as_in_this_process(void **state) {
    (void)state;
    static const char *const names[] = {"duel", CALLS};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct loaded loaded = load(names[i]);
        assert_true(hash_of(loaded.rules, loaded.template, "hunter") ==
                    hash_here(names[i], "hunter"));
        unload(loaded);
    }
}

static void a_variant_loaded_in_this_process_can_be_told_too(void **state) {
    (void)state;
    struct fault fault = {0};
    struct rules *rules = support_rules(CALLS);
    struct template *template = template_for(rules, &fault);
    if (!template) fail_msg("%s", fault.text);
    assert_true(hash_of(rules, template, "hunter") == hash_here(CALLS, "hunter"));
    template_close(template);
    rules_free(rules);
}

/* A thread's games of one variant, or its loading. */
struct worker {
    pthread_t thread;
    const char *name;
    struct loaded loaded; /* played if there are rules, else loaded */
    uint64_t hash;
    bool done;
    struct fault fault;
    atomic_bool over; /* it can be joined */
};

static void *work(void *context) {
    struct worker *worker = context;
    struct loaded loaded;
    if (worker->loaded.rules) {
        worker->hash = hash_of(worker->loaded.rules, worker->loaded.template, "raider");
        worker->done = true;
    } else {
        worker->done = try_load(worker->name, &loaded, &worker->fault);
        if (worker->done) unload(loaded);
    }
    atomic_store(&worker->over, true);
    return NULL;
}

static void start(struct worker *worker) {
    assert_int_equal(pthread_create(&worker->thread, NULL, work, worker), 0);
}

static void join(struct worker *worker) {
    assert_int_equal(pthread_join(worker->thread, NULL), 0);
}

static void a_variant_with_calls_is_played_by_threads_at_once(void **state) {
    (void)state;
    struct loaded loaded = load(CALLS);
    struct worker workers[THREADS];
    /* The first questions come from all of them. */
    for (int i = 0; i < THREADS; i++) {
        workers[i] = (struct worker){.loaded = loaded};
        start(&workers[i]);
    }
    for (int i = 0; i < THREADS; i++) join(&workers[i]);
    /* Nothing was forked from the process that held the games. */
    pid_t own[2];
    assert_int_equal(processes_of(getpid(), own, 2), 1);
    assert_int_equal(own[0], zygote_process());
    unload(loaded);
    uint64_t expected = hash_here(CALLS, "raider");
    for (int i = 0; i < THREADS; i++) assert_true(workers[i].done && workers[i].hash == expected);
}

static void variants_are_loaded_by_threads_while_others_play(void **state) {
    (void)state;
    static const char *const names[THREADS] = {"original", "infiltrator", CALLS, "galaxy-duel"};
    struct loaded loaded = load("duel");
    struct worker player = {.loaded = loaded}, loaders[THREADS];
    start(&player);
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < THREADS; i++) {
            loaders[i] = (struct worker){.name = names[i]};
            start(&loaders[i]);
        }
        for (int i = 0; i < THREADS; i++) {
            join(&loaders[i]);
            if (!loaders[i].done) fail_msg("%s: %s", names[i], loaders[i].fault.text);
        }
    }
    join(&player);
    unload(loaded);
    assert_true(player.hash == hash_here("duel", "raider"));
}

static void write_text(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static void a_variant_that_finds_too_few_descriptors_comes_later(void **state) {
    (void)state;
    bool done = false;
    unload(load(CALLS)); /* with the spare zygote */
    const int open = shortage_open();
    for (int left = 0; !done; left++) {
        struct fault fault = {0};
        struct rules *rules;
        shortage_begin(left);
        rules = loader_variant(support_folders(), CALLS, &fault);
        shortage_end();
        done = rules;
        if (!done) {
            assert_int_equal(fault.status, STATUS_SYSTEM);
            if (!strstr(fault.text, strerror(EMFILE))) fail_msg("%s", fault.text);
        }
        rules_free(rules);
        assert_int_equal(shortage_open(), open);
        assert_in_range(left, 0, 8);
    }
}

/* A process that is locked up, of those below this one; 0: none. */
static pid_t find_locked(void) {
    pid_t children[PROCESSES_MAX];
    int count = processes_of(zygote_process(), children, PROCESSES_MAX);
    for (int i = 0; i < count && i < PROCESSES_MAX; i++)
        if (process_status_line(children[i], "NoNewPrivs:") == 1) return children[i];
    return 0;
}

/* Has a thread load a variant that takes long, and stops the locked process in which it runs.
 * Again, if it ended too soon. */
static pid_t load_and_stop(struct worker *slow) {
    start(slow);
    for (;;) {
        if (atomic_load(&slow->over)) {
            join(slow);
            atomic_store(&slow->over, false);
            start(slow);
        }
        pid_t locked = find_locked();
        if (locked && kill(locked, SIGSTOP) == 0 && process_stops(locked)) return locked;
    }
}

static void a_variant_that_never_ends_delays_nobody_else(void **state) {
    (void)state;
    char path[128];
    snprintf(path, sizeof path, "%s/slow.lua", test_folder);
    write_text(path, "while true do end");
    struct worker slow = {.name = path};
    pid_t locked = load_and_stop(&slow); /* it never ends now */
    unload(load("duel"));
    kill(locked, SIGCONT);
    join(&slow);
    assert_false(slow.done);
    assert_int_equal(slow.fault.status, STATUS_FUEL);
    assert_true(process_ends(locked));
}

/* Loads a variant whose process gets this signal so many times. */
static struct fault load_killed(int number, int times) {
    char path[128];
    snprintf(path, sizeof path, "%s/slow.lua", test_folder);
    write_text(path, "while true do end");
    struct worker slow = {.name = path};
    pid_t locked = load_and_stop(&slow);
    for (int i = 0; i < times && !atomic_load(&slow.over); i++) {
        kill(locked, number);
        kill(locked, SIGCONT);
        assert_true(process_ends(locked));
        while (i + 1 < times && !atomic_load(&slow.over) && !(locked = find_locked())) {}
    }
    join(&slow);
    return slow.fault;
}

static void a_process_killed_while_it_loads_is_started_again(void **state) {
    (void)state;
    static const int numbers[] = {SIGKILL, SIGSEGV, SIGTERM};
    for (int i = 0; i < 3; i++) {
        const struct fault fault = load_killed(numbers[i], 1);
        if (fault.status != STATUS_FUEL) fail_msg("signal %d: %s", numbers[i], fault.text);
    }
    assert_int_equal(load_killed(SIGKILL, 1000).status, STATUS_KILLED);
    unload(load("duel"));
}

/* Whether a bot of that template can be opened. */
static bool opens_bot(struct loaded loaded, struct fault *fault) {
    struct player player;
    const struct player_options seat = {.folders = support_folders(),
                                        .rules = loaded.rules,
                                        .limits = SANDBOX_DEFAULTS,
                                        .deadline = PLAYER_DEADLINE,
                                        .template = loaded.template};
    if (!player_open(&player, &seat, "rookie", &(const struct chance){{1}}, fault)) return false;
    player.close(player.self);
    return true;
}

static void a_killed_template_takes_its_bots_along_and_is_made_anew_twice(void **state) {
    (void)state;
    struct fault fault = {0};
    pid_t bots[PROCESSES_MAX];
    struct loaded loaded = load("duel");
    for (int times = 0; times < TEMPLATE_TRIES; times++) {
        assert_true(opens_bot(loaded, &fault));
        pid_t template = template_process(loaded.template);
        int count = descendants(template, bots, 0);
        assert_in_range(count, 1, PROCESSES_MAX);
        kill(template, SIGKILL);
        assert_true(process_ends(template));
        assert_all_end(bots, count);
    }
    assert_false(opens_bot(loaded, &fault));
    assert_int_equal(fault.status, STATUS_SYSTEM);
    assert_string_equal(fault.text, "the process that starts bots was killed or stopped");
    unload(loaded);
    loaded = load("duel");
    assert_true(opens_bot(loaded, &fault));
    unload(loaded);
}

/* Those of bots and of calls. */
static void games_are_the_same_although_all_templates_were_killed(void **state) {
    (void)state;
    struct loaded loaded = load(CALLS);
    const uint64_t whole = hash_of(loaded.rules, loaded.template, "hunter");
    for (int times = 1; times < TEMPLATE_TRIES; times++) {
        pid_t all[PROCESSES_MAX];
        const int count = processes_of(zygote_process(), all, PROCESSES_MAX);
        assert_in_range(count, 2, PROCESSES_MAX);
        for (int i = 0; i < count; i++) kill(all[i], SIGKILL);
        assert_all_end(all, count);
        assert_true(hash_of(loaded.rules, loaded.template, "hunter") == whole);
    }
    unload(loaded);
}

static void without_the_zygote_games_go_on_and_others_are_begun(void **state) {
    (void)state;
    struct fault fault = {0};
    struct loaded loaded = load(CALLS);
    assert_true(opens_bot(loaded, &fault));
    for (int times = 0; times < 3; times++) {
        pid_t zygote = zygote_process();
        kill(zygote, times % 2 ? SIGTERM : SIGKILL);
        assert_true(process_ends(zygote));
        struct loaded other = load(times ? "duel" : CALLS);
        assert_int_not_equal(zygote_process(), zygote);
        assert_true(opens_bot(other, &fault));
        unload(other);
        unload(load("quick")); /* there is a spare one again */
    }
    uint64_t hash = hash_of(loaded.rules, loaded.template, "hunter");
    unload(loaded);
    assert_true(hash == hash_here(CALLS, "hunter"));
}

/* Has a variant's tests and random games played where it is loaded. */
static void try_out(const char *name) {
    struct loader_trial trial = {.work = &TRIAL_WORK, .judge = true, .games = 3, .seconds = 20};
    struct faults *faults = faults_new();
    struct rules *rules = loader_try(support_folders(), name, &trial, faults);
    if (!rules) fail_msg("%s", faults_first(faults)->text);
    assert_true(trial.played);
    assert_int_equal(trial.trial.games, 3);
    rules_free(rules);
    free(faults);
}

static void when_all_zygotes_are_killed_at_once_others_are_begun(void **state) {
    (void)state;
    struct fault fault = {0};
    pid_t all[PROCESSES_MAX];
    struct loaded loaded = load(CALLS);
    for (int times = 0; times < 2; times++) {
        all[0] = zygote_process();
        int count = descendants(all[0], all, 1);
        assert_in_range(count, 3, PROCESSES_MAX); /* two zygotes, the template */
        for (int i = 0; i < count; i++) kill(all[i], SIGKILL);
        assert_all_end(all, count);
        assert_true(opens_bot(loaded, &fault));
        unload(loaded);
        try_out(CALLS);
        loaded = load(CALLS);
    }
    assert_true(hash_of(loaded.rules, loaded.template, "hunter") == hash_here(CALLS, "hunter"));
    unload(loaded);
}

static void a_spare_zygote_that_was_killed_is_replaced(void **state) {
    (void)state;
    pid_t spares[PROCESSES_MAX];
    unload(load("duel"));
    for (int times = 0; times < 2; times++) {
        pid_t zygote = zygote_process();
        int count = processes_of(zygote, spares, PROCESSES_MAX);
        assert_in_range(count, 1, PROCESSES_MAX);
        for (int i = 0; i < count; i++) kill(spares[i], SIGKILL);
        assert_all_end(spares, count);
        unload(load("duel"));
        assert_int_equal(zygote_process(), zygote);
        assert_in_range(processes_of(zygote, spares, PROCESSES_MAX), 1, PROCESSES_MAX);
    }
}

static void a_zygote_that_is_stopped_is_not_waited_for(void **state) {
    (void)state;
    const pid_t zygote = zygote_process();
    unload(load("duel")); /* there is a spare one */
    kill(zygote, SIGSTOP);
    assert_true(process_stops(zygote));
    assert_true(zygote_is_well(NULL));
    assert_int_not_equal(zygote_process(), zygote);
    assert_true(process_ends(zygote));
    unload(load("duel"));
}

/* Kills the zygote and its spare. */
static void kill_zygotes(void) {
    pid_t all[PROCESSES_MAX];
    unload(load("duel")); /* there is a spare one */
    int count = descendants(zygote_process(), all, 0);
    assert_in_range(count, 1, PROCESSES_MAX - 1);
    all[count++] = zygote_process();
    for (int i = 0; i < count; i++) kill(all[i], SIGKILL);
    assert_all_end(all, count);
}

static void zygotes_that_are_killed_again_and_again_are_not_begun_at_once(void **state) {
    (void)state;
    struct fault fault = {0};
    for (int times = 0; times < 2 * ZYGOTE_STARTS; times++) {
        kill_zygotes();
        if (!zygote_is_well(&fault)) break;
    }
    assert_int_equal(fault.status, STATUS_SYSTEM);
    assert_in_range(fault.wait, 1, ZYGOTE_PAUSE_SECONDS);
    assert_non_null(strstr(fault.text, "was killed: it is started again in "));
}

static void what_is_closed_leaves_nothing_but_zygotes(void **state) {
    (void)state;
    struct loaded first = load("duel"), second = load(CALLS);
    assert_true(opens_bot(first, NULL));
    assert_true(opens_bot(second, NULL));
    struct template *twin = template_twin(first.template, NULL);
    assert_non_null(twin);
    const pid_t templates[] = {template_process(first.template), template_process(second.template),
                               template_process(twin)};
    unload(first);
    unload(second);
    struct locked_process child;
    assert_true(template_take(twin, &child, NULL)); /* it does not depend on the first one */
    locked_process_end(&child);
    template_close(twin);
    assert_all_end(templates, 3);
    pid_t all[PROCESSES_MAX];
    assert_int_equal(descendants(getpid(), all, 0), 2); /* the zygote and its spare */
}

/* A host that tells the processes below it through a pipe and then waits to be killed. */
static _Noreturn void be_host(int out) {
    pid_t all[PROCESSES_MAX];
    zygote_open(0, NULL); /* the other one is the test's */
    struct loaded first = load("duel"), second = load(CALLS);
    hash_of(second.rules, second.template, "rookie");
    if (!opens_bot(first, NULL)) _exit(EXIT_FAILURE);
    int count = descendants(getpid(), all, 0);
    size_t size = (size_t)count * sizeof *all;
    if (write(out, all, size) != (ssize_t)size) _exit(EXIT_FAILURE);
    close(out);
    for (;;) pause();
}

static void a_killed_host_leaves_no_process(void **state) {
    (void)state;
    pid_t all[PROCESSES_MAX];
    int ends[2];
    size_t size = 0;
    assert_int_equal(pipe(ends), 0);
    pid_t host = fork();
    if (host == 0) {
        close(ends[0]);
        be_host(ends[1]);
    }
    close(ends[1]);
    for (ssize_t got; (got = read(ends[0], (char *)all + size, sizeof all - size)) > 0;)
        size += (size_t)got;
    close(ends[0]);
    int count = (int)(size / sizeof *all);
    assert_in_range(count, 8, PROCESSES_MAX); /* two zygotes, three templates, bots, calls */
    kill(host, SIGKILL);
    waitpid(host, NULL, 0);
    assert_all_end(all, count);
}

#define SCRIPT(test) cmocka_unit_test_setup_teardown(test, make_test_folder, remove_test_folder)

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bots_play_the_same_games_as_in_this_process),
        cmocka_unit_test(a_variant_loaded_in_this_process_can_be_told_too),
        cmocka_unit_test(a_variant_with_calls_is_played_by_threads_at_once),
        cmocka_unit_test(variants_are_loaded_by_threads_while_others_play),
        cmocka_unit_test(a_variant_that_finds_too_few_descriptors_comes_later),
        SCRIPT(a_variant_that_never_ends_delays_nobody_else),
        SCRIPT(a_process_killed_while_it_loads_is_started_again),
        cmocka_unit_test(a_killed_template_takes_its_bots_along_and_is_made_anew_twice),
        cmocka_unit_test(games_are_the_same_although_all_templates_were_killed),
        cmocka_unit_test(what_is_closed_leaves_nothing_but_zygotes),
        cmocka_unit_test(without_the_zygote_games_go_on_and_others_are_begun),
        cmocka_unit_test(a_spare_zygote_that_was_killed_is_replaced),
        cmocka_unit_test(when_all_zygotes_are_killed_at_once_others_are_begun),
        cmocka_unit_test(a_zygote_that_is_stopped_is_not_waited_for),
        cmocka_unit_test(zygotes_that_are_killed_again_and_again_are_not_begun_at_once),
        cmocka_unit_test(a_killed_host_leaves_no_process),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
