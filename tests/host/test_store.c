/* The store of a match. */
#include "host/match/store.h"

#include "base/files.h"
#include "support.h"

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static struct store *created(void) {
    struct fault fault = {0};
    struct store *store = store_create(test_folder, &fault);
    if (!store || !store_commit(store, &fault)) fail_msg("%s: %s", fault.file, fault.text);
    return store;
}

static struct store *opened(enum store_mode mode) {
    struct fault fault = {0};
    struct store *store = store_open(test_folder, mode, &fault);
    if (!store) fail_msg("%s: %s", fault.file, fault.text);
    return store;
}

static void refused(enum store_mode mode, enum status status, const char *word) {
    struct fault fault = {0};
    assert_null(store_open(test_folder, mode, &fault));
    assert_int_equal(fault.status, status);
    if (!strstr(fault.text, word)) fail_msg("%s", fault.text);
    assert_int_equal(strncmp(fault.file, test_folder, strlen(test_folder)), 0);
}

static struct store_game game_of(uint32_t number) {
    return (struct store_game){.number = number,
                               .player = {number % 2, 1 - number % 2},
                               .result = RESULT_BLUE,
                               .reason = REASON_FORFEIT_FUEL,
                               .plies = 10 * number,
                               .seed = (UINT64_C(1) << 53) - number,
                               .usage = {{.calls = 3 + number,
                                          .metered = true,
                                          .fuel = UINT64_C(1) << 50,
                                          .fuel_greatest = 5000 + number,
                                          .ns = UINT64_C(123456789012345),
                                          .ns_greatest = 1},
                                         {.calls = 1, .ns = 2, .ns_greatest = 2}},
                               .setups = {"M../..F", NULL},
                               .forfeit = "a.lua:3: in move: “out of fuel”",
                               .hash = UINT64_C(0xfedcba9876543210) + number};
}

static void put_games(struct store *store, uint32_t first, uint32_t last) {
    struct fault fault = {0};
    for (uint32_t n = first; n <= last; n++) {
        struct store_game game = game_of(n);
        if (!store_put_game(store, &game, &fault)) fail_msg("%s", fault.text);
    }
}

static bool expect_game(void *context, const struct store_game *game, struct fault *fault) {
    (void)fault;
    uint32_t *expected = context;
    struct store_game good = game_of(*expected);
    assert_int_equal(game->number, *expected);
    assert_int_equal(game->player[RED], good.player[RED]);
    assert_int_equal(game->player[BLUE], good.player[BLUE]);
    assert_int_equal(game->result, good.result);
    assert_int_equal(game->reason, good.reason);
    assert_int_equal(game->plies, good.plies);
    assert_true(game->seed == good.seed && game->hash == good.hash);
    for (int side = RED; side <= BLUE; side++) {
        const struct usage *usage = &game->usage[side], *put = &good.usage[side];
        assert_true(usage->calls == put->calls && usage->metered == put->metered);
        assert_true(usage->fuel == put->fuel && usage->fuel_greatest == put->fuel_greatest);
        assert_true(usage->ns == put->ns && usage->ns_greatest == put->ns_greatest);
    }
    assert_string_equal(game->setups[RED], good.setups[RED]);
    assert_null(game->setups[BLUE]);
    assert_string_equal(game->forfeit, good.forfeit);
    ++*expected;
    return true;
}

/* Games 1 … `last`, each once and in order. */
static void expect_games(struct store *store, uint32_t last) {
    struct fault fault = {0};
    uint32_t next = 1;
    if (!store_games(store, expect_game, &next, &fault)) fail_msg("%s", fault.text);
    assert_int_equal(next, last + 1);
}

static void games_come_back_in_order_whatever_order_they_were_put_in(void **state) {
    (void)state;
    struct store *store = created();
    put_games(store, 4, 5);
    put_games(store, 1, 3);
    put_games(store, 2, 2);
    store_close(store);
    store = opened(STORE_READ);
    expect_games(store, 5);
    store_close(store);
}

static void games_after_the_last_one_wanted_are_dropped(void **state) {
    (void)state;
    struct store *store = created();
    struct fault fault = {0};
    put_games(store, 2, 3);
    uint32_t next = 2;
    assert_true(store_drop_games(store, 3, UINT32_MAX, &fault));
    assert_true(store_games(store, expect_game, &next, &fault));
    assert_int_equal(next, 3);
    store_close(store);
}

static bool expect_player(void *context, uint32_t number, const struct store_player *player,
                          struct fault *fault) {
    int *count = context;
    assert_int_equal(number, (*count)++);
    assert_string_equal(player->name, number ? "raider" : "it's");
    assert_string_equal(player->source, number ? "raider" : "bots/it's.lua");
    assert_string_equal(player->hash, "0123456789abcdef");
    return number == 0 || fault_set(fault, STATUS_USAGE, "enough");
}

static bool expect_source(void *context, const char *path, uint64_t hash, struct fault *fault) {
    (void)fault;
    int *count = context;
    assert_string_equal(path, *count ? "b.lua" : "a.lua");
    assert_true(hash == (*count ? UINT64_MAX : 0));
    ++*count;
    return true;
}

static void players_sources_and_meta_come_back(void **state) {
    (void)state;
    struct store *store = created();
    struct fault fault = {0};
    const struct store_player players[] = {{"it's", "bots/it's.lua", "0123456789abcdef"},
                                           {"raider", "raider", "0123456789abcdef"}};
    assert_true(store_put_player(store, 1, &players[1], &fault));
    assert_true(store_put_player(store, 0, &players[0], &fault));
    assert_true(store_put_source(store, "b.lua", 7, &fault));
    assert_true(store_put_source(store, "b.lua", UINT64_MAX, &fault));
    assert_true(store_put_source(store, "a.lua", 0, &fault));
    assert_true(store_put_meta(store, "seed", "18446744073709551615", &fault));
    assert_true(store_put_meta(store, "games", "many", &fault));
    store_close(store);
    store = opened(STORE_READ);
    int count = 0;
    assert_false(store_players(store, expect_player, &count, &fault));
    assert_string_equal(fault.text, "enough");
    assert_int_equal(count, 2);
    count = 0;
    assert_true(store_sources(store, expect_source, &count, &fault));
    assert_int_equal(count, 2);
    uint64_t seed;
    assert_null(store_meta(store, "nothing"));
    assert_string_equal(store_meta(store, "games"), "many");
    assert_false(store_meta_number(store, "games", &seed, &fault));
    assert_non_null(strstr(fault.text, "\"games\" is \"many\""));
    store_close(store);
}

static void a_game_is_found_by_its_record_and_by_its_number_first(void **state) {
    (void)state;
    struct store *store = created();
    struct fault fault = {0};
    struct store_game game;
    put_games(store, 1, 6);
    for (uint32_t n = 3; n <= 5; n++) {
        game = game_of(n);
        game.hash = 77; /* the same moves */
        assert_true(store_put_game(store, &game, &fault));
    }
    static const struct {
        uint64_t hash;
        uint32_t named, number;
    } cases[] = {{77, 4, 4}, {77, 5, 5}, {77, 0, 3}, {77, 2, 3}, {77, UINT32_MAX, 3}, {78, 4, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_true(store_find_game(store, cases[i].hash, cases[i].named, &game, &fault));
        assert_int_equal(game.number, cases[i].number);
        assert_true(!game.setups[0] && !game.setups[1] && !game.forfeit);
    }
    store_close(store);
}

static void a_folder_that_cannot_be_looked_into_is_not_said_to_be_empty(void **state) {
    (void)state;
    char path[128];
    struct fault fault = {0};
    snprintf(path, sizeof path, "%s/circle", test_folder);
    assert_int_equal(symlink("circle", path), 0);
    assert_null(store_open(path, STORE_READ, &fault));
    assert_int_equal(fault.status, STATUS_SYSTEM);
    assert_string_equal(fault.text, strerror(ELOOP));
    assert_string_equal(fault.file, path);
}

static void a_number_out_of_its_range_is_told_with_the_range(void **state) {
    (void)state;
    struct store *store = created();
    static const char *const values[] = {"9",
                                         "101",
                                         "18446744073709551615",
                                         "99999999999999999999",
                                         "-1",
                                         "0x10",
                                         "1e1",
                                         " 10",
                                         "10 ",
                                         "",
                                         "NaN"};
    uint64_t number = 0;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        struct fault fault = {0};
        assert_true(store_put_meta(store, "fuel", values[i], &fault));
        assert_false(store_meta_within(store, "fuel", 10, 100, &number, &fault));
        assert_int_equal(fault.status, STATUS_TEXT);
        assert_ptr_equal(strstr(fault.text, "\"fuel\" is "), fault.text);
        assert_non_null(strstr(fault.text, i < 2 ? "from 10 to 100 is expected" : "is expected"));
        assert_non_null(strstr(fault.file, STORE_FILE));
    }
    assert_true(store_put_meta(store, "fuel", "100", NULL));
    assert_true(store_meta_within(store, "fuel", 10, 100, &number, NULL));
    assert_int_equal(number, 100);
    store_close(store);
}

static void what_was_committed_survives_the_death_of_the_writer(void **state) {
    (void)state;
    int ready[2];
    char byte;
    assert_int_equal(pipe(ready), 0);
    pid_t writer = fork();
    if (writer == 0) {
        struct store *store = store_create(test_folder, NULL);
        for (uint32_t n = 1; n <= 6; n++) {
            struct store_game game = game_of(n);
            if (n == 1 || n == 5) store_begin(store, NULL);
            store_put_game(store, &game, NULL);
            if (n == 4) store_commit(store, NULL);
        }
        if (write(ready[1], "", 1) == 1) pause();
        _exit(1);
    }
    assert_int_equal(read(ready[0], &byte, 1), 1);
    /* While it lives others may read, but not write. */
    struct store *store = opened(STORE_READ);
    expect_games(store, 4);
    store_close(store);
    refused(STORE_WRITE, STATUS_USAGE, "another process");
    assert_int_equal(kill(writer, SIGKILL), 0);
    assert_int_equal(waitpid(writer, NULL, 0), writer);
    store = opened(STORE_WRITE);
    expect_games(store, 4);
    put_games(store, 5, 6);
    expect_games(store, 6);
    store_close(store);
    close(ready[0]);
    close(ready[1]);
}

/* The life of a store, as a match leads it: begun, two games at once, closed, opened again. */
static void live(void) {
    struct store *store = store_create(test_folder, NULL);
    store_put_meta(store, "games", "2", NULL);
    store_commit(store, NULL);
    store_begin(store, NULL);
    put_games(store, 1, 2);
    store_commit(store, NULL);
    store_close(store);
    store_close(store_open(test_folder, STORE_WRITE, NULL));
}

/* Whether a stopped process is about to make a call that may change a file. */
static bool is_about_to_write(pid_t process) {
    struct __ptrace_syscall_info info;
    assert_true(ptrace(PTRACE_GET_SYSCALL_INFO, process, sizeof info, &info) > 0);
    if (info.op != PTRACE_SYSCALL_INFO_ENTRY) return false;
    switch (info.entry.nr) {
    case SYS_openat:
    case SYS_write:
    case SYS_pwrite64:
    case SYS_ftruncate:
    case SYS_renameat2:
    case SYS_unlinkat:
#ifdef SYS_unlink /* not on every processor */
    case SYS_unlink:
#endif
        return true;
    default:
        return false;
    }
}

/* Runs live() in another process, which is killed before its write of this number, from 0. False if
 * it made fewer. */
static bool live_until(int write) {
    int status;
    pid_t process = fork();
    assert_true(process >= 0);
    if (process == 0) {
        if (ptrace(PTRACE_TRACEME, 0, NULL, NULL)) _exit(1);
        raise(SIGSTOP);
        live();
        _exit(0);
    }
    assert_int_equal(waitpid(process, &status, 0), process);
    assert_true(WIFSTOPPED(status));
    assert_int_equal(ptrace(PTRACE_SETOPTIONS, process, NULL, PTRACE_O_TRACESYSGOOD), 0);
    for (int writes = -1; writes < write; writes += is_about_to_write(process)) {
        assert_int_equal(ptrace(PTRACE_SYSCALL, process, NULL, NULL), 0);
        assert_int_equal(waitpid(process, &status, 0), process);
        if (!WIFSTOPPED(status)) return false;
    }
    assert_int_equal(kill(process, SIGKILL), 0);
    assert_int_equal(waitpid(process, &status, 0), process);
    return true;
}

static bool count_game(void *context, const struct store_game *game, struct fault *fault) {
    (void)fault;
    ++*(uint32_t *)context;
    assert_int_equal(game->number, *(uint32_t *)context);
    return true;
}

/* Games that can be read, or -1 if the store is not there. */
static int games_there(enum store_mode mode) {
    uint32_t games = 0;
    struct fault fault = {0};
    struct store *store = store_open(test_folder, mode, &fault);
    if (!store && fault.status != STATUS_NOT_FOUND) fail_msg("%s: %s", fault.file, fault.text);
    if (!store) return -1;
    assert_string_equal(store_meta(store, "games"), "2");
    assert_true(store_games(store, count_game, &games, &fault));
    store_close(store);
    return (int)games;
}

/* A reader must not need to write: where it cannot undo a change, nobody may have left one. */
static void whenever_the_writer_is_killed_the_store_is_whole_or_not_there(void **state) {
    bool seen[4] = {false};
    for (int write = 0; live_until(write); write++) {
        int games = games_there(STORE_READ);
        assert_int_equal(games_there(STORE_WRITE), games);
        if (games == -1) store_close(created()); /* the folder is as good as new */
        seen[1 + games] = true;
        remove_test_folder(state);
        make_test_folder(state);
    }
    assert_true(seen[0] && seen[1] && !seen[2] && seen[3]); /* never one game */
}

/* Another program that has locked the match. */
struct locker {
    sqlite3 *database;
    int asked, until; /* asks after which it lets go; -1: never */
};

static bool ask_locker(void *context, const char *path, int64_t waited_ms) {
    struct locker *locker = context;
    assert_true(waited_ms >= 0);
    assert_non_null(strstr(path, STORE_FILE));
    if (++locker->asked == locker->until)
        assert_int_equal(sqlite3_exec(locker->database, "ROLLBACK", NULL, NULL, NULL), SQLITE_OK);
    return locker->until >= 0 || locker->asked < 3;
}

static void while_another_program_locks_it_a_store_waits_and_loses_nothing(void **state) {
    (void)state;
    char path[128];
    struct fault fault = {0};
    struct locker locker = {.until = 3};
    struct store *store = created();
    put_games(store, 1, 2);
    snprintf(path, sizeof path, "%s/" STORE_FILE, test_folder);
    assert_int_equal(sqlite3_open(path, &locker.database), SQLITE_OK);
    store_wait(store, ask_locker, &locker);
    for (uint32_t number = 3; number <= 4; number++) {
        const struct store_game game = game_of(number);
        assert_int_equal(sqlite3_exec(locker.database, "BEGIN IMMEDIATE", NULL, NULL, NULL),
                         SQLITE_OK);
        locker.asked = 0;
        if (!store_begin(store, &fault) || !store_put_game(store, &game, &fault) ||
            !store_commit(store, &fault))
            fail_msg("%s", fault.text);
        assert_int_equal(locker.asked, locker.until);
    }
    locker.until = -1; /* and until it is told not to */
    locker.asked = 0;
    assert_int_equal(sqlite3_exec(locker.database, "BEGIN IMMEDIATE", NULL, NULL, NULL), SQLITE_OK);
    assert_false(store_begin(store, &fault));
    assert_int_equal(fault.status, STATUS_SYSTEM);
    assert_non_null(strstr(fault.text, "locked by another process"));
    sqlite3_close(locker.database);
    expect_games(store, 4);
    store_close(store);
}

static void a_closed_store_is_one_file(void **state) {
    (void)state;
    char path[128];
    struct stat about;
    struct store *store = created();
    put_games(store, 1, 1);
    store_close(store);
    static const char *const company[] = {"-wal", "-shm", "-journal"};
    for (int i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "%s/match.sqlite%s", test_folder, company[i]);
        assert_int_not_equal(stat(path, &about), 0);
    }
}

static void a_folder_that_holds_anything_gets_no_new_store(void **state) {
    (void)state;
    struct fault fault = {0};
    store_close(created());
    assert_null(store_create(test_folder, &fault));
    assert_int_equal(fault.status, STATUS_USAGE);
}

static void a_folder_in_which_somebody_begins_gets_no_second_store(void **state) {
    (void)state;
    struct fault fault = {0};
    struct store *store = store_create(test_folder, &fault);
    assert_non_null(store);
    assert_null(store_create(test_folder, &fault));
    assert_int_equal(fault.status, STATUS_USAGE);
    assert_non_null(strstr(fault.text, "another process"));
    assert_true(store_commit(store, &fault));
    store_close(store);
}

static void what_is_no_match_is_refused_in_plain_words(void **state) {
    (void)state;
    char path[128];
    struct fault fault = {0};
    refused(STORE_READ, STATUS_NOT_FOUND, "match.sqlite");
    snprintf(path, sizeof path, "%s/match.sqlite", test_folder);
    static const char text[] = "This is a text that somebody has given the wrong name, alas.";
    assert_true(files_write_new(path, text, strlen(text), 0, &fault));
    refused(STORE_READ, STATUS_TEXT, "not the expected database");
    refused(STORE_WRITE, STATUS_TEXT, "not the expected database");
    assert_int_equal(unlink(path), 0);
    assert_true(files_write_new(path, "", 0, 0, &fault));
    refused(STORE_READ, STATUS_TEXT, "not the expected database");
}

static void what_another_program_left_half_done_is_not_touched(void **state) {
    (void)state;
    char path[128];
    struct fault fault = {0};
    store_close(created());
    snprintf(path, sizeof path, "%s/match.sqlite-journal", test_folder);
    assert_true(files_write_new(path, "half", 4, 0, &fault));
    refused(STORE_READ, STATUS_TEXT, "sqlite3 can undo");
}

/* Pipes above all: opening one blocks, and SQLite would block too. */
static void a_pipe_a_device_or_a_folder_is_no_match_and_nobody_waits_for_it(void **state) {
    (void)state;
    static const char *const names[] = {"match.sqlite", "match.sqlite-wal", "match.sqlite-shm",
                                        "match.sqlite-journal"};
    for (int i = 0; i < 4; i++) {
        char path[128];
        struct fault fault = {0};
        if (i > 0) store_close(created());
        snprintf(path, sizeof path, "%s/%s", test_folder, names[i]);
        for (int what = 0; what < 4; what++) {
            int made = what == 0   ? mkfifo(path, 0600)
                       : what == 1 ? symlink("/dev/zero", path)
                       : what == 2 ? mkdir(path, 0700)
                                   : symlink("/dev/full", path);
            assert_int_equal(made, 0);
            refused(STORE_READ, STATUS_TEXT, "a database is expected");
            refused(STORE_WRITE, STATUS_TEXT, "a database is expected");
            assert_null(store_create(test_folder, &fault));
            assert_int_equal(fault.status, STATUS_USAGE);
            assert_int_equal(remove(path), 0);
        }
        if (i == 0) continue;
        snprintf(path, sizeof path, "%s/match.sqlite", test_folder);
        assert_int_equal(unlink(path), 0);
    }
}

static void a_store_that_cannot_be_begun_leaves_nothing(void **state) {
    (void)state;
    char path[128];
    struct stat about;
    struct fault fault = {0};
    const struct rlimit little = {20000, RLIM_INFINITY}, usual = {RLIM_INFINITY, RLIM_INFINITY};
    void (*before)(int) = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &little), 0);
    struct store *store = store_create(test_folder, &fault);
    bool begun = store && store_commit(store, &fault);
    setrlimit(RLIMIT_FSIZE, &usual);
    signal(SIGXFSZ, before);
    assert_true(store && !begun);
    store_close(store);
    assert_int_equal(fault.status, STATUS_SYSTEM);
    assert_non_null(strstr(fault.text, strerror(EFBIG)));
    static const char *const endings[] = {"", "-wal", "-shm", "-journal"};
    for (int i = 0; i < 4; i++) {
        snprintf(path, sizeof path, "%s/match.sqlite%s", test_folder, endings[i]);
        assert_int_not_equal(lstat(path, &about), 0);
    }
    store_close(created());
}

static void records_are_numbered_so_that_they_sort(void **state) {
    (void)state;
    char path[STORE_PATH_MAX];
    store_record_path("a/b", 20, 7, path);
    assert_string_equal(path, "a/b/0007.rec");
    store_record_path("a", 100000, 7, path);
    assert_string_equal(path, "a/000007.rec");
}

static void only_sixteen_digits_are_a_hash(void **state) {
    (void)state;
    uint64_t hash;
    char text[STORE_HASH_MAX];
    store_write_hash(0xab, text);
    assert_string_equal(text, "00000000000000ab");
    assert_true(store_read_hash(text, &hash) && hash == 0xab);
    assert_false(store_read_hash("00000000000000a", &hash));
    assert_false(store_read_hash("00000000000000ab0", &hash));
    assert_false(store_read_hash("00000000000000g0", &hash));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(games_come_back_in_order_whatever_order_they_were_put_in,
                                        make_test_folder, remove_test_folder),
        cmocka_unit_test_setup_teardown(games_after_the_last_one_wanted_are_dropped,
                                        make_test_folder, remove_test_folder),
        cmocka_unit_test_setup_teardown(players_sources_and_meta_come_back, make_test_folder,
                                        remove_test_folder),
        cmocka_unit_test_setup_teardown(a_game_is_found_by_its_record_and_by_its_number_first,
                                        make_test_folder, remove_test_folder),
        cmocka_unit_test_setup_teardown(a_folder_that_cannot_be_looked_into_is_not_said_to_be_empty,
                                        make_test_folder, remove_test_folder),
        cmocka_unit_test_setup_teardown(a_number_out_of_its_range_is_told_with_the_range,
                                        make_test_folder, remove_test_folder),
        cmocka_unit_test_setup_teardown(what_was_committed_survives_the_death_of_the_writer,
                                        make_test_folder, remove_test_folder),
        cmocka_unit_test_setup_teardown(
            whenever_the_writer_is_killed_the_store_is_whole_or_not_there, make_test_folder,
            remove_test_folder),
        cmocka_unit_test_setup_teardown(
            while_another_program_locks_it_a_store_waits_and_loses_nothing, make_test_folder,
            remove_test_folder),
        cmocka_unit_test_setup_teardown(a_closed_store_is_one_file, make_test_folder,
                                        remove_test_folder),
        cmocka_unit_test_setup_teardown(a_folder_that_holds_anything_gets_no_new_store,
                                        make_test_folder, remove_test_folder),
        cmocka_unit_test_setup_teardown(a_folder_in_which_somebody_begins_gets_no_second_store,
                                        make_test_folder, remove_test_folder),
        cmocka_unit_test_setup_teardown(what_is_no_match_is_refused_in_plain_words,
                                        make_test_folder, remove_test_folder),
        cmocka_unit_test_setup_teardown(what_another_program_left_half_done_is_not_touched,
                                        make_test_folder, remove_test_folder),
        cmocka_unit_test_setup_teardown(
            a_pipe_a_device_or_a_folder_is_no_match_and_nobody_waits_for_it, make_test_folder,
            remove_test_folder),
        cmocka_unit_test_setup_teardown(a_store_that_cannot_be_begun_leaves_nothing,
                                        make_test_folder, remove_test_folder),
        cmocka_unit_test(records_are_numbered_so_that_they_sort),
        cmocka_unit_test(only_sixteen_digits_are_a_hash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
