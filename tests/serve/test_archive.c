/* Games on disk: found again as they were, whatever the disk does in between. */
#define _GNU_SOURCE
#include "former_archive.h"

#include "serve/archive.h"

#include "host/support.h"

#include <setjmp.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum { PAGE_BYTES = 4096 };

static struct archive *open_here(void) {
    struct fault fault = {0};
    struct archive *archive = archive_open(test_folder, &fault);
    if (!archive) fail_msg("%s", fault.text);
    return archive;
}

static void path_here(char path[128]) {
    snprintf(path, 128, "%s/games.sqlite", test_folder);
}

/* A game between the two secrets "red of ID" and "blue of ID". */
static void add_game(struct archive *archive, const char *id) {
    struct archived game = {.seed = 1234567890123456789U, .request = "{}", .left = {5000, 6000}};
    snprintf(game.id, sizeof game.id, "%s", id);
    snprintf(game.secret[RED], sizeof game.secret[RED], "red of %s", id);
    snprintf(game.secret[BLUE], sizeof game.secret[BLUE], "blue of %s", id);
    for (size_t i = 0; i < CHANCE_BYTES; i++) game.chance.bytes[i] = (unsigned char)(255 - i);
    archive_add(archive, &game);
}

static void play(struct archive *archive, const char *id, uint32_t ply) {
    char move[32];
    const int64_t left[2] = {5000 - (int64_t)ply, 6000};
    snprintf(move, sizeof move, "move %u", ply);
    archive_turn(archive, id, ply, move, left);
}

static struct archived found(struct archive *archive, const char *id) {
    struct archived game;
    struct fault fault = {0};
    if (!archive_find(archive, id, &game, &fault) || !archive_read_moves(archive, &game, &fault))
        fail_msg("%s: %s", id, fault.text);
    return game;
}

static void assert_plies(struct archive *archive, const char *id, size_t count) {
    struct archived game = found(archive, id);
    assert_int_equal(game.move_count, count);
    for (size_t i = 0; i < count; i++) {
        char move[32];
        snprintf(move, sizeof move, "move %zu", i + 1);
        assert_string_equal(game.moves[i].text, move);
    }
    archived_clear(&game);
}

static void a_game_is_found_by_its_id_and_its_secrets_as_it_was_kept(void **state) {
    (void)state;
    struct archive *archive = open_here();
    struct fault fault = {0};
    struct archived game;
    add_game(archive, "one");
    archive_name(archive, "one", BLUE, "Ана", "token");
    archive_setup(archive, "one", RED, "F9/M9");
    for (uint32_t ply = 1; ply <= 12; ply++) play(archive, "one", ply);
    archive_end(archive, "one", "red", "forfeit time", "blue has left the game");
    archive_close(archive);
    archive = open_here();
    assert_true(archive_find_seat(archive, "blue of one", &game, &fault));
    assert_string_equal(game.id, "one");
    assert_string_equal(game.secret[RED], "red of one");
    assert_true(game.seed == 1234567890123456789U);
    assert_int_equal(game.chance.bytes[1], 254);
    assert_null(game.name[RED]);
    assert_string_equal(game.name[BLUE], "Ана");
    assert_string_equal(game.token[BLUE], "token");
    assert_string_equal(game.token[RED], "");
    assert_string_equal(game.setup[RED], "F9/M9");
    assert_null(game.setup[BLUE]);
    assert_int_equal(game.left[RED], 4988);
    assert_string_equal(game.result, "red");
    assert_string_equal(game.reason, "forfeit time");
    assert_string_equal(game.forfeit, "blue has left the game");
    assert_false(game.taken_back);
    archived_clear(&game);
    assert_plies(archive, "one", 12);
    assert_false(archive_find(archive, "two", &game, &fault));
    assert_int_equal(fault.status, STATUS_NOT_FOUND);
    assert_false(archive_find_seat(archive, "red of", &game, &fault));
    assert_false(archive_find_seat(archive, "", &game, &fault));
    archive_close(archive);
}

static void a_game_taken_back_forgets_its_later_plies_and_its_end(void **state) {
    (void)state;
    struct archive *archive = open_here();
    const int64_t left[2] = {1, 2};
    add_game(archive, "one");
    for (uint32_t ply = 1; ply <= 12; ply++) play(archive, "one", ply);
    archive_end(archive, "one", "blue", "flag", NULL);
    archive_take_back(archive, "one", 4, "12 to 4", left);
    assert_plies(archive, "one", 4);
    play(archive, "one", 5);
    struct archived game = found(archive, "one"), row;
    assert_true(archive_find(archive, "one", &row, NULL)); /* many moves take a while */
    assert_null(row.moves);
    archived_clear(&row);
    assert_null(game.result);
    assert_string_equal(game.taken_back, "12 to 4");
    assert_int_equal(game.move_count, 5);
    archived_clear(&game);
    archive_close(archive);
}

static void only_its_owner_can_read_it_and_one_process_uses_it(void **state) {
    (void)state;
    char path[128];
    struct stat about;
    struct fault fault = {0};
    struct archive *archive = open_here();
    path_here(path);
    assert_int_equal(stat(path, &about), 0);
    assert_int_equal(about.st_mode & 077, 0);
    assert_null(archive_open(test_folder, &fault));
    assert_int_equal(fault.status, STATUS_USAGE);
    assert_non_null(strstr(fault.text, "another process"));
    archive_close(archive);
}

static void what_is_no_archive_is_refused_and_left_alone(void **state) {
    (void)state;
    char path[128];
    static const char text[] = "This is a shopping list, long enough to be none of SQLite's files: "
                               "bread, butter, honey, milk, and another hundred bytes of nothing.";
    struct fault fault = {0};
    path_here(path);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    assert_null(archive_open(test_folder, &fault));
    assert_int_equal(fault.status, STATUS_TEXT);
    char read[sizeof text] = "";
    file = fopen(path, "r");
    assert_non_null(file);
    assert_int_equal(fread(read, 1, sizeof read - 1, file), sizeof text - 1);
    fclose(file);
    assert_string_equal(read, text);
}

/* Overwrites everything behind the first page. */
static void a_damaged_file_costs_its_games_and_no_other(void **state) {
    (void)state;
    char path[128];
    struct archived game;
    struct fault fault = {0};
    struct archive *archive = open_here();
    for (int i = 0; i < 50; i++) {
        char id[17];
        snprintf(id, sizeof id, "game %d", i);
        add_game(archive, id);
        for (uint32_t ply = 1; ply <= 40; ply++) play(archive, id, ply);
    }
    archive_close(archive);
    path_here(path);
    struct stat about;
    assert_int_equal(stat(path, &about), 0);
    FILE *file = fopen(path, "r+");
    assert_non_null(file);
    fseek(file, 4096, SEEK_SET);
    for (long at = 4096; at < about.st_size; at++) fputc('x', file);
    fclose(file);
    archive = open_here();
    assert_false(archive_find(archive, "game 7", &game, &fault));
    assert_int_equal(fault.status, STATUS_SYSTEM);
    add_game(archive, "new"); /* waits in memory */
    play(archive, "new", 1);
    assert_false(archive_is_whole(archive, NULL, NULL));
    archive_close(archive);
}

static bool holds(const char *page, const char *text) {
    return memmem(page, PAGE_BYTES, text, strlen(text));
}

/* Overwrites the pages on which there are only rows of this game. Returns how many. */
static int damage_pages(const char *id, const char *const others[2]) {
    char path[128], page[PAGE_BYTES];
    int damaged = 0;
    path_here(path);
    FILE *file = fopen(path, "r+");
    assert_non_null(file);
    for (long at = 0; fread(page, PAGE_BYTES, 1, file) == 1; at += PAGE_BYTES) {
        if (!holds(page, id) || holds(page, others[0]) || holds(page, others[1])) continue;
        memset(page, 'x', PAGE_BYTES);
        fseek(file, at, SEEK_SET);
        fwrite(page, PAGE_BYTES, 1, file);
        fseek(file, at + PAGE_BYTES, SEEK_SET);
        damaged++;
    }
    fclose(file);
    return damaged;
}

static void count_reports(void *context, const struct fault *why) {
    char *text = context;
    if (why) snprintf(text, FAULT_TEXT_MAX, "%s", why->text);
}

static void damaged_pages_hold_the_game_whose_rows_they_had_and_no_other(void **state) {
    (void)state;
    enum { PLIES = 1000 };
    static const char *const ids[] = {"game A", "game B", "game C"};
    static const int64_t left[2] = {0};
    char report[FAULT_TEXT_MAX] = "";
    const char *why = NULL;
    struct archive *archive = open_here();
    for (int i = 0; i < 3; i++) {
        add_game(archive, ids[i]);
        for (uint32_t ply = 1; ply <= PLIES; ply++) play(archive, ids[i], ply);
    }
    archive_close(archive);
    assert_true(damage_pages(ids[1], (const char *const[]){ids[0], ids[2]}) > 0);
    archive = open_here();
    archive_watch(archive, count_reports, report);
    assert_false(archive_take_back(archive, ids[1], 0, "1000 to 0", left));
    assert_non_null(strstr(report, "damaged"));
    assert_non_null(strstr(report, ids[1]));
    for (int i = 0; i < 3; i += 2) {
        assert_true(archive_turn(archive, ids[i], PLIES + 1, "move 1001", left));
        assert_true(archive_is_whole(archive, ids[i], NULL));
        assert_plies(archive, ids[i], PLIES + 1);
    }
    assert_false(archive_turn(archive, ids[1], 1, "a4-a5", left)); /* not without what is before */
    assert_false(archive_is_whole(archive, ids[1], &why));
    assert_string_equal(why, "failed");
    assert_false(archive_seems_whole(archive)); /* no new games begin */
    archive_close(archive);
    archive = open_here();
    for (int i = 0; i < 3; i += 2) assert_plies(archive, ids[i], PLIES + 1);
    archive_close(archive);
}

static void while_another_connection_locks_it_everything_waits_and_nothing_is_lost(void **state) {
    (void)state;
    char path[128];
    sqlite3 *other = NULL;
    struct archive *archive = open_here();
    path_here(path);
    add_game(archive, "one");
    play(archive, "one", 1);
    assert_int_equal(sqlite3_open(path, &other), SQLITE_OK);
    assert_int_equal(sqlite3_exec(other, "BEGIN IMMEDIATE", NULL, NULL, NULL), SQLITE_OK);
    add_game(archive, "two");
    for (uint32_t ply = 1; ply <= 1000; ply++) play(archive, "two", ply); /* without waiting each */
    assert_false(archive_is_whole(archive, NULL, NULL));
    assert_plies(archive, "one", 1);
    assert_int_equal(sqlite3_exec(other, "ROLLBACK", NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(other);
    archive_close(archive);
    archive = open_here();
    assert_plies(archive, "two", 1000);
    assert_true(archive_is_whole(archive, NULL, NULL));
    archive_close(archive);
}

/* A disk is full for a process whose files must not grow. */
static void after_a_full_disk_nothing_is_lost_and_the_order_is_kept(void **state) {
    (void)state;
    struct rlimit usual, full = {0};
    struct archive *archive = open_here();
    add_game(archive, "one");
    play(archive, "one", 1);
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &usual), 0);
    full.rlim_max = usual.rlim_max;
    full.rlim_cur = 4096;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &full), 0);
    for (uint32_t ply = 2; ply <= 300; ply++) play(archive, "one", ply);
    bool behind = !archive_is_whole(archive, NULL, NULL);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &usual), 0);
    assert_true(behind);
    archive_close(archive);
    archive = open_here();
    assert_plies(archive, "one", 300);
    archive_close(archive);
}

static void a_killed_process_leaves_every_turn_that_was_kept_and_no_lock(void **state) {
    (void)state;
    int told[2];
    assert_int_equal(pipe(told), 0);
    pid_t child = fork();
    if (!child) {
        struct fault fault = {0};
        struct archive *archive = archive_open(test_folder, &fault);
        add_game(archive, "one");
        for (uint32_t ply = 1; ply <= 5000; ply++) {
            play(archive, "one", ply);
            if (write(told[1], "x", 1) != 1) break;
        }
        pause();
    }
    close(told[1]);
    size_t plies = 0;
    char byte;
    while (plies < 777 && read(told[0], &byte, 1) == 1) plies++;
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    while (read(told[0], &byte, 1) == 1) plies++;
    close(told[0]);
    struct archive *archive = open_here();
    struct archived game = found(archive, "one");
    assert_in_range(game.move_count, plies, plies + 1);
    archived_clear(&game);
    archive_close(archive);
}

static void change(const char *sql) {
    char path[128];
    sqlite3 *database = NULL;
    path_here(path);
    assert_int_equal(sqlite3_open(path, &database), SQLITE_OK);
    char *error = NULL;
    if (sqlite3_exec(database, sql, NULL, NULL, &error)) fail_msg("%s: %s", sql, error);
    sqlite3_close(database);
}

static void refused(enum status status, const char *word) {
    struct fault fault = {0};
    assert_null(archive_open(test_folder, &fault));
    assert_int_equal(fault.status, status);
    if (!strstr(fault.text, word)) fail_msg("%s", fault.text);
}

static void a_file_with_anything_else_in_it_is_refused(void **state) {
    (void)state;
    static const char *const CHANGES[] = {
        "create trigger more after insert on turn begin delete from game; end",
        "create view more as select * from game",
        "create unique index more on game(red_name)",
        "alter table game add column more",
        "drop index age",
    };
    for (size_t i = 0; i < sizeof CHANGES / sizeof *CHANGES; i++) {
        struct archive *archive = open_here();
        add_game(archive, "one");
        archive_close(archive);
        change(CHANGES[i]);
        refused(STATUS_TEXT, "not the expected database");
        remove_test_folder(NULL);
        make_test_folder(NULL);
    }
}

static void a_folder_or_file_that_others_may_write_is_refused(void **state) {
    (void)state;
    char path[128];
    struct stat about;
    archive_close(open_here());
    path_here(path);
    for (int i = 0; i < 2; i++) {
        const mode_t open_to[] = {0720, 0702};
        assert_int_equal(chmod(test_folder, open_to[i]), 0);
        refused(STATUS_USAGE, "can be written by other users");
        assert_int_equal(chmod(test_folder, 0700), 0);
        assert_int_equal(chmod(path, open_to[i]), 0);
        refused(STATUS_USAGE, "can be written by other users");
        assert_int_equal(chmod(path, 0600), 0);
    }
    assert_int_equal(chmod(path, 0644), 0);
    archive_close(open_here());
    assert_int_equal(stat(path, &about), 0);
    assert_int_equal(about.st_mode & 0777, 0600);
    if (geteuid()) return;
    assert_int_equal(chown(path, 65534, 65534), 0);
    refused(STATUS_USAGE, "belongs to another user");
    assert_int_equal(chown(path, 0, 0), 0);
    assert_int_equal(chown(test_folder, 65534, 65534), 0);
    refused(STATUS_USAGE, "belongs to another user");
}

static void a_linked_file_is_refused(void **state) {
    (void)state;
    char path[128], other[160];
    archive_close(open_here());
    path_here(path);
    snprintf(other, sizeof other, "%s-elsewhere", path);
    assert_int_equal(rename(path, other), 0);
    assert_int_equal(symlink(other, path), 0);
    refused(STATUS_TEXT, "is a link");
}

static int days_ahead;
static sqlite3_vfs *right, wrong;

/* The clock of SQLite's dates. */
static int wrong_time(sqlite3_vfs *vfs, sqlite3_int64 *now) {
    (void)vfs;
    int code = right->xCurrentTimeInt64(right, now);
    *now += (sqlite3_int64)days_ahead * 86400000;
    return code;
}

static int wrong_days(sqlite3_vfs *vfs, double *now) {
    (void)vfs;
    int code = right->xCurrentTime(right, now);
    *now += days_ahead;
    return code;
}

static void no_clock_that_jumps_makes_a_game_old(void **state) {
    (void)state;
    static const int JUMPS[] = {45, 365, -730, 0, 90};
    right = sqlite3_vfs_find(NULL);
    wrong = *right;
    wrong.zName = "wrong";
    wrong.xCurrentTime = wrong_days;
    wrong.xCurrentTimeInt64 = wrong_time;
    sqlite3_vfs_register(&wrong, 1);
    struct archive *archive = open_here();
    add_game(archive, "one");
    play(archive, "one", 1);
    archive_close(archive);
    for (size_t i = 0; i < sizeof JUMPS / sizeof *JUMPS; i++) {
        char id[8];
        days_ahead = JUMPS[i];
        archive = open_here();
        assert_plies(archive, "one", 1);
        snprintf(id, sizeof id, "at %zu", i);
        add_game(archive, id);
        archive_close(archive);
    }
    days_ahead = 0;
    sqlite3_vfs_unregister(&wrong);
    archive = open_here();
    assert_plies(archive, "one", 1);
    assert_plies(archive, "at 0", 0);
    archive_close(archive);
}

static void a_game_is_forgotten_once_a_server_has_run_for_thirty_days_without_it(void **state) {
    (void)state;
    struct archive *archive = open_here();
    struct archived game;
    struct fault fault = {0};
    add_game(archive, "old");
    play(archive, "old", 1);
    archive_close(archive);
    change("update ran set seconds = 86400 * 29");
    archive = open_here();
    assert_plies(archive, "old", 1);
    add_game(archive, "new");
    play(archive, "new", 1);
    archive_close(archive);
    change("update ran set seconds = 86400 * 31");
    archive = open_here();
    assert_false(archive_find(archive, "old", &game, &fault));
    assert_plies(archive, "new", 1);
    archive_close(archive);
    change("update ran set seconds = -1 << 62");
    archive = open_here();
    assert_plies(archive, "new", 1);
    archive_close(archive);
}

static void an_archive_of_an_earlier_version_is_taken_over_with_all_of_its_games(void **state) {
    (void)state;
    struct archive *archive = open_here();
    add_game(archive, "one");
    play(archive, "one", 1);
    archive_close(archive);
    change(TO_FORMER_ARCHIVE);
    archive = open_here();
    assert_plies(archive, "one", 1);
    archive_close(archive);
    change("pragma user_version = 3");
    refused(STATUS_TEXT, "of another version (3)");
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, make_test_folder, remove_test_folder)
    const struct CMUnitTest tests[] = {
        TEST(a_game_is_found_by_its_id_and_its_secrets_as_it_was_kept),
        TEST(a_game_taken_back_forgets_its_later_plies_and_its_end),
        TEST(only_its_owner_can_read_it_and_one_process_uses_it),
        TEST(what_is_no_archive_is_refused_and_left_alone),
        TEST(a_damaged_file_costs_its_games_and_no_other),
        TEST(damaged_pages_hold_the_game_whose_rows_they_had_and_no_other),
        TEST(while_another_connection_locks_it_everything_waits_and_nothing_is_lost),
        TEST(after_a_full_disk_nothing_is_lost_and_the_order_is_kept),
        TEST(a_killed_process_leaves_every_turn_that_was_kept_and_no_lock),
        TEST(a_file_with_anything_else_in_it_is_refused),
        TEST(a_folder_or_file_that_others_may_write_is_refused),
        TEST(a_linked_file_is_refused),
        TEST(no_clock_that_jumps_makes_a_game_old),
        TEST(a_game_is_forgotten_once_a_server_has_run_for_thirty_days_without_it),
        TEST(an_archive_of_an_earlier_version_is_taken_over_with_all_of_its_games),
    };
    return cmocka_run_group_tests_name("archive", tests, NULL, NULL);
}
