/* The stem: variants, and nurseries of their bots, from processes that have never held a game. */
#include "games/met.h"
#include "host/wall/player_child.h"
#include "host/wall/rules_wire.h"
#include "host/wall/stem.h"
#include "processes.h"
#include "shortage.h"
#include "support.h"

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

static struct stem *stem;
static pid_t stem_pid;

static int open_stem(void **state) {
    (void)state;
    stem = stem_open(support_folders(), support_folders(), SANDBOX_DEFAULTS, NULL);
    if (stem) stem_pid = stem_process(stem);
    return stem ? 0 : -1;
}

static int close_stem(void **state) {
    (void)state;
    stem_close(stem);
    stem = NULL;
    return process_ends(stem_pid) && processes_of(getpid(), NULL, 0) == 0 ? 0 : -1;
}

struct loaded {
    struct rules *rules;
    struct nursery *nursery;
};

static struct loaded load(const char *name) {
    struct fault fault = {0};
    struct loaded loaded;
    if (!stem_variant(stem, name, &loaded.rules, &loaded.nursery, &fault))
        fail_msg("%s: %s", name, fault.text);
    return loaded;
}

static void unload(struct loaded loaded) {
    nursery_close(loaded.nursery);
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

static uint64_t hash_of(const struct rules *rules, struct nursery *nursery, const char *bot) {
    struct tournament *match = met_rookie(support_folders(), rules, bot, nursery);
    uint64_t hash = match->hash;
    tournament_free(match);
    return hash;
}

/* The same games with rules and nursery made by this process. */
static uint64_t hash_here(const char *variant, const char *bot) {
    struct fault fault = {0};
    struct rules *rules = loader_variant(support_folders(), variant, &fault);
    const struct player_options bots = {
        .folders = support_folders(), .rules = rules, .limits = SANDBOX_DEFAULTS};
    struct nursery *nursery = rules ? player_nursery(&bots, &fault) : NULL;
    if (!nursery) fail_msg("%s", fault.text);
    uint64_t hash = hash_of(rules, nursery, bot);
    nursery_close(nursery);
    rules_free(rules);
    return hash;
}

static void rules_are_those_that_the_loader_gives(void **state) {
    (void)state;
    static const char *const names[] = {"original", "infiltrator", "galaxy",
                                        "variants/examples/fog.lua", CALLS};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct frame frames[2];
        struct rules *here = loader_variant(support_folders(), names[i], NULL);
        struct loaded there = load(names[i]);
        assert_string_equal(here->name, there.rules->name);
        assert_int_equal(here->calls != NULL, there.rules->calls != NULL);
        for (int k = 0; k < 2; k++) {
            assert_true(frame_open(&frames[k], RULES_WIRE_MAX));
            rules_put(&frames[k], k ? there.rules : here);
        }
        assert_int_equal(frames[0].length, frames[1].length);
        assert_memory_equal(frames[0].bytes + WIRE_HEADER, frames[1].bytes + WIRE_HEADER,
                            frames[0].length);
        for (int k = 0; k < 2; k++) frame_close(&frames[k]);
        unload(there);
        rules_free(here);
    }
}

static void faults_are_those_of_the_loader(void **state) {
    (void)state;
    static const char *const names[] = {"no-such-variant", "bots/rookie.lua"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct fault here = {0}, there = {0};
        struct loaded loaded;
        assert_null(loader_variant(support_folders(), names[i], &here));
        assert_false(stem_variant(stem, names[i], &loaded.rules, &loaded.nursery, &there));
        assert_null(loaded.rules);
        assert_null(loaded.nursery);
        assert_int_equal(here.status, there.status);
        assert_string_equal(here.text, there.text);
        assert_string_equal(here.file, there.file);
        assert_int_equal(here.line, there.line);
    }
}

static void bots_play_the_same_games_as_from_a_nursery_of_the_host(void **state) {
    (void)state;
    static const char *const names[] = {"duel", CALLS};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct loaded loaded = load(names[i]);
        assert_true(hash_of(loaded.rules, loaded.nursery, "hunter") ==
                    hash_here(names[i], "hunter"));
        unload(loaded);
    }
}

static void trusted_bots_need_no_nursery(void **state) {
    (void)state;
    struct rules *rules;
    assert_true(stem_variant(stem, CALLS, &rules, NULL, NULL));
    assert_true(hash_of(rules, NULL, "hunter") == hash_here(CALLS, "hunter"));
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
        worker->hash = hash_of(worker->loaded.rules, worker->loaded.nursery, "raider");
        worker->done = true;
    } else {
        worker->done =
            stem_variant(stem, worker->name, &loaded.rules, &loaded.nursery, &worker->fault);
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
    pid_t own[2];
    /* The first questions come from all of them. */
    for (int i = 0; i < THREADS; i++) {
        workers[i] = (struct worker){.loaded = loaded};
        start(&workers[i]);
    }
    for (int i = 0; i < THREADS; i++) join(&workers[i]);
    /* Nothing was forked from the process that held the games. */
    assert_int_equal(processes_of(getpid(), own, 2), 1);
    assert_int_equal(own[0], stem_pid);
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

/* A variant with calls takes three descriptors, and another for the nursery of its calls. */
static void a_variant_that_finds_too_few_descriptors_comes_later(void **state) {
    (void)state;
    enum { NEEDED = 4 };
    const int open = shortage_open();
    for (int left = 0; left <= NEEDED; left++) {
        struct fault fault = {0};
        struct loaded loaded;
        shortage_begin(left);
        bool done = stem_variant(stem, CALLS, &loaded.rules, &loaded.nursery, &fault);
        shortage_end();
        assert_int_equal(done, left == NEEDED);
        if (done) {
            unload(loaded);
        } else {
            assert_int_equal(fault.status, STATUS_SYSTEM);
            if (!strstr(fault.text, strerror(EMFILE))) fail_msg("%s", fault.text);
        }
        assert_int_equal(shortage_open(), open);
    }
    unload(load(CALLS));
}

/* Has a thread load a variant that takes long, and stops the process in which its shoot has it
 * loaded, once that is locked up: before, it still holds the shoot's pipes and may outlive it.
 * Again, if it ended too soon. */
static pid_t load_and_stop(struct worker *slow, pid_t *shoot) {
    start(slow);
    for (;;) {
        pid_t locked;
        if (atomic_load(&slow->over)) {
            join(slow);
            atomic_store(&slow->over, false);
            start(slow);
        }
        if (processes_of(stem_pid, shoot, 1) < 1 || processes_of(*shoot, &locked, 1) < 1) continue;
        if (process_status_line(locked, "NoNewPrivs:") != 1) continue;
        if (kill(locked, SIGSTOP) == 0 && process_stops(locked)) return locked;
    }
}

static void a_variant_that_never_ends_delays_nobody_else(void **state) {
    (void)state;
    char path[128];
    snprintf(path, sizeof path, "%s/slow.lua", test_folder);
    write_text(path, "while true do end");
    struct worker slow = {.name = path};
    pid_t shoot;
    pid_t locked = load_and_stop(&slow, &shoot); /* it never ends now */
    unload(load("duel"));
    kill(locked, SIGCONT);
    join(&slow);
    assert_false(slow.done);
    assert_int_equal(slow.fault.status, STATUS_FUEL);
    assert_true(process_ends(shoot));
}

static void a_shoot_killed_while_it_loads_is_nobodys_fault_but_the_killers(void **state) {
    (void)state;
    char path[128];
    snprintf(path, sizeof path, "%s/slow.lua", test_folder);
    write_text(path, "while true do end");
    struct worker slow;
    pid_t shoot, locked;
    int tries = 0;
    do { /* on a busy machine it may be over before it is killed */
        slow = (struct worker){.name = path};
        locked = load_and_stop(&slow, &shoot);
        kill(shoot, SIGKILL);
        join(&slow);
    } while ((slow.fault.status == STATUS_TIME || slow.fault.status == STATUS_FUEL) && ++tries < 3);
    assert_int_equal(slow.fault.status, STATUS_KILLED);
    assert_true(process_ends(locked));
    unload(load("duel"));
}

/* Whether a bot of that nursery can be opened. */
static bool opens_bot(struct loaded loaded, struct fault *fault) {
    struct player player;
    const struct player_options seat = {.folders = support_folders(),
                                        .rules = loaded.rules,
                                        .limits = SANDBOX_DEFAULTS,
                                        .deadline = PLAYER_DEADLINE,
                                        .nursery = loaded.nursery};
    if (!player_open(&player, &seat, "rookie", &(const struct chance){{1}}, fault)) return false;
    player.close(player.self);
    return true;
}

static void a_shoot_killed_as_a_nursery_takes_its_bots_along(void **state) {
    (void)state;
    struct fault fault = {0};
    pid_t bots[PROCESSES_MAX];
    struct loaded loaded = load("duel");
    assert_true(opens_bot(loaded, &fault));
    pid_t shoot = nursery_process(loaded.nursery);
    int count = descendants(shoot, bots, 0);
    assert_in_range(count, 1, PROCESSES_MAX);
    kill(shoot, SIGKILL);
    assert_all_end(bots, count);
    assert_false(opens_bot(loaded, &fault));
    assert_int_equal(fault.status, STATUS_SYSTEM);
    unload(loaded);
    loaded = load("duel");
    assert_true(opens_bot(loaded, &fault));
    unload(loaded);
}

static void without_the_stem_games_go_on_and_nothing_is_loaded(void **state) {
    (void)state;
    struct fault fault = {0};
    pid_t all[PROCESSES_MAX];
    struct loaded loaded = load(CALLS), none;
    assert_true(opens_bot(loaded, &fault));
    int count = descendants(stem_pid, all, 0);
    kill(stem_pid, SIGKILL);
    assert_true(process_ends(stem_pid));
    assert_false(stem_variant(stem, "duel", &none.rules, &none.nursery, &fault));
    assert_int_equal(fault.status, STATUS_SYSTEM);
    assert_non_null(strstr(fault.text, "was killed or stopped"));
    uint64_t hash = hash_of(loaded.rules, loaded.nursery, "hunter");
    unload(loaded);
    assert_all_end(all, count);
    assert_true(hash == hash_here(CALLS, "hunter"));
}

static void closing_the_stem_ends_all_that_it_has_started(void **state) {
    (void)state;
    pid_t all[PROCESSES_MAX];
    struct loaded first = load("duel"), second = load(CALLS);
    assert_true(opens_bot(first, NULL));
    assert_true(opens_bot(second, NULL));
    struct nursery *twin = nursery_twin(first.nursery, NULL);
    assert_non_null(twin);
    int count = descendants(stem_pid, all, 0);
    assert_in_range(count, 4, PROCESSES_MAX);
    nursery_close(twin);
    nursery_close(first.nursery);
    stem_close(stem);
    stem = NULL;
    nursery_close(second.nursery);
    rules_free(second.rules);
    rules_free(first.rules);
    assert_all_end(all, count);
}

/* A host that tells the processes below it through a pipe and then waits to be killed. */
static _Noreturn void be_host(int out) {
    pid_t all[PROCESSES_MAX];
    open_stem(NULL);
    struct loaded first = load("duel"), second = load(CALLS);
    hash_of(second.rules, second.nursery, "rookie");
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
    assert_in_range(count, 6, PROCESSES_MAX); /* the stem, two shoots, a nursery, bots */
    kill(host, SIGKILL);
    waitpid(host, NULL, 0);
    assert_all_end(all, count);
}

/* With a folder for scripts, but not in it. */
static int with_folder(void **state) {
    make_test_folder(state);
    return open_stem(state);
}

static int without_folder(void **state) {
    int closed = close_stem(state);
    remove_test_folder(state);
    return closed;
}

#define STEM(test) cmocka_unit_test_setup_teardown(test, open_stem, close_stem)
#define SCRIPT(test) cmocka_unit_test_setup_teardown(test, with_folder, without_folder)

int main(void) {
    const struct CMUnitTest tests[] = {
        STEM(rules_are_those_that_the_loader_gives),
        STEM(faults_are_those_of_the_loader),
        STEM(bots_play_the_same_games_as_from_a_nursery_of_the_host),
        STEM(trusted_bots_need_no_nursery),
        STEM(a_variant_with_calls_is_played_by_threads_at_once),
        STEM(variants_are_loaded_by_threads_while_others_play),
        STEM(a_variant_that_finds_too_few_descriptors_comes_later),
        SCRIPT(a_variant_that_never_ends_delays_nobody_else),
        SCRIPT(a_shoot_killed_while_it_loads_is_nobodys_fault_but_the_killers),
        STEM(a_shoot_killed_as_a_nursery_takes_its_bots_along),
        STEM(without_the_stem_games_go_on_and_nothing_is_loaded),
        STEM(closing_the_stem_ends_all_that_it_has_started),
        cmocka_unit_test(a_killed_host_leaves_no_process),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
