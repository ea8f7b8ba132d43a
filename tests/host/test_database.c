/* A match's file that a stranger wrote: refused in one line, whatever is in it. */
#include "host/database.h"
#include "host/match/store.h"

#include "base/files.h"
#include "support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

enum { PAGE = 4096, PLAYERS = 3 };

static void path_here(char path[128]) {
    snprintf(path, 128, "%s/" STORE_FILE, test_folder);
}

/* A match of three players and a game. */
static void make_match(void) {
    struct fault fault = {0};
    struct store *store = store_create(test_folder, &fault);
    assert_non_null(store);
    const struct store_player player = {"x", "y", "z"};
    for (uint32_t i = 0; i < PLAYERS; i++) assert_true(store_put_player(store, i, &player, &fault));
    const struct store_game game = {
        .number = 1, .player = {0, 1}, .result = RESULT_RED, .reason = REASON_FLAG, .plies = 9};
    assert_true(store_put_game(store, &game, &fault));
    assert_true(store_put_meta(store, "games", "2", &fault));
    assert_true(store_commit(store, &fault));
    store_close(store);
}

static void change(const char *sql) {
    char path[128];
    sqlite3 *database;
    path_here(path);
    assert_int_equal(sqlite3_open(path, &database), SQLITE_OK);
    char *error = NULL;
    if (sqlite3_exec(database, sql, NULL, NULL, &error)) fail_msg("%s: %s", sql, error);
    sqlite3_close(database);
}

static bool visit_player(void *context, uint32_t number, const struct store_player *player,
                         struct fault *fault) {
    (void)context, (void)number, (void)player, (void)fault;
    return true;
}

static bool visit_source(void *context, const char *path, uint64_t hash, struct fault *fault) {
    (void)context, (void)path, (void)hash, (void)fault;
    return true;
}

static bool visit_game(void *context, const struct store_game *game, struct fault *fault) {
    (void)context, (void)game, (void)fault;
    return true;
}

/* Reads all that a report reads. */
static bool read_match(enum store_mode mode, struct fault *fault) {
    struct store *store = store_open(test_folder, mode, fault);
    bool read = store && store_players(store, visit_player, NULL, fault) &&
                store_sources(store, visit_source, NULL, fault) &&
                store_games(store, visit_game, NULL, fault);
    store_close(store);
    return read;
}

/* Neither a reader nor a writer takes it; both say why. */
static void assert_refused(const char *what, const char *word) {
    for (int mode = STORE_READ; mode <= STORE_WRITE; mode++) {
        struct fault fault = {0};
        if (read_match((enum store_mode)mode, &fault)) fail_msg("read: %s", what);
        assert_int_equal(fault.status, STATUS_TEXT);
        if (!strstr(fault.text, word)) fail_msg("%s: %s", what, fault.text);
        assert_int_equal(strncmp(fault.file, test_folder, strlen(test_folder)), 0);
    }
}

#define ENDLESS "(with recursive c(n) as (select 1 union all select n + 1 from c) select n from c)"

static void only_the_tables_that_this_program_makes_are_read(void **state) {
    (void)state;
    static const char *const CHANGES[] = {
        "alter table meta rename to m; create view meta as select key, value from m union all"
        " select 'x', n from " ENDLESS " where n < 0",
        "alter table player rename to p; create table player(number integer primary key,"
        " name text as (replace(hex(zeroblob(100000)), '00', hex(zeroblob(2200)))), source text,"
        " hash text); insert into player(number) select number from p",
        "create table more(x)",
        "create view more as select * from game",
        "create index more on game(plies)",
        "create index more on game(abs(plies)) where hex(zeroblob(1000000)) <> ''",
        "create trigger more after insert on meta begin delete from game; end",
        "create trigger more after delete on game begin insert into meta select n, n from " ENDLESS
        "; end",
        "alter table player add column more text",
        "alter table player add column more text as (hex(zeroblob(1000000)))",
        "alter table game rename column plies to ply",
        "drop table usage",
        "drop table source",
        "pragma writable_schema = on; update sqlite_schema set sql = replace(sql, 'name TEXT',"
        " 'name TEXT CHECK(name <> hex(zeroblob(1000000)))') where name = 'player'",
        "pragma writable_schema = on; insert into sqlite_schema values('table', 'v', 'v', 0,"
        " 'create virtual table v using pragma_table_info(meta)')",
        "analyze",
    };
    struct fault fault = {0};
    make_match();
    assert_true(read_match(STORE_READ, &fault));
    char path[128];
    path_here(path);
    size_t length;
    char *good = files_read(path, 1 << 20, &length, &fault);
    assert_non_null(good);
    for (size_t i = 0; i < sizeof CHANGES / sizeof *CHANGES; i++) {
        change(CHANGES[i]);
        assert_refused(CHANGES[i], "not the expected database");
        assert_true(files_write_anew(path, good, length, &fault));
    }
    assert_true(read_match(STORE_WRITE, &fault));
    free(good);
}

static void a_text_of_megabytes_is_refused(void **state) {
    (void)state;
    make_match();
    change("update player set name = hex(zeroblob(1000000)) where number = 1");
    assert_refused("a long name", "more than 1048576 bytes");
}

static void what_is_of_another_type_makes_no_sense(void **state) {
    (void)state;
    static const char *const CHANGES[] = {
        "update game set number = -1",
        "update game set plies = 1 << 40",
        "update game set result = x'00ff'",
        "update game set hash = 'x'",
        "update usage set ms = -1",
        "update usage set calls = 'many', fuel = -7",
        "update player set number = 1 << 40 where number = 1",
        "insert into source values('x', 'y')",
    };
    make_match();
    char path[128];
    struct fault fault = {0};
    size_t length;
    path_here(path);
    char *good = files_read(path, 1 << 20, &length, &fault);
    for (size_t i = 0; i < sizeof CHANGES / sizeof *CHANGES; i++) {
        change(CHANGES[i]);
        assert_refused(CHANGES[i], "makes no sense");
        assert_true(files_write_anew(path, good, length, &fault));
    }
    free(good);
}

static void put_number(unsigned char *at, uint32_t number, int bytes) {
    for (int i = 0; i < bytes; i++) at[i] = (unsigned char)(number >> 8 * (bytes - 1 - i));
}

/* Writes an inner page all of whose children are the page `child`. */
static void fill_page(unsigned char page[PAGE], uint32_t child) {
    enum { CHILDREN = 200, CELL = 5, HEAD = 12 };
    memset(page, 0, PAGE);
    page[0] = 5;
    put_number(page + 3, CHILDREN, 2);
    put_number(page + 5, PAGE - CHILDREN * CELL, 2);
    put_number(page + 8, child, 4);
    for (uint32_t i = 0; i < CHILDREN; i++) {
        unsigned char *put = page + PAGE - CELL * (i + 1);
        put_number(put, child, 4);
        put[4] = (unsigned char)(1 + i / 2);
        put_number(page + HEAD + 2 * i, (uint32_t)(put - page), 2);
    }
}

/* Puts pages between a table's root and its only leaf that each point to the next 201 times. */
static void fold_table(const char *table, int levels) {
    char path[128], sql[128];
    struct database database = {0};
    struct fault fault = {0};
    path_here(path);
    snprintf(sql, sizeof sql, "SELECT rootpage FROM sqlite_schema WHERE name = '%s'", table);
    assert_true(database_open(&database, path, DATABASE_READ, &fault));
    const int root = database_number(&database, sql);
    database_close(&database);
    assert_true(root > 1);
    struct stat about;
    assert_int_equal(stat(path, &about), 0);
    uint32_t pages = (uint32_t)(about.st_size / PAGE);
    FILE *file = fopen(path, "r+");
    unsigned char page[PAGE], head[100];
    fseek(file, (long)(root - 1) * PAGE, SEEK_SET);
    assert_int_equal(fread(page, 1, PAGE, file), PAGE);
    fseek(file, 0, SEEK_END);
    assert_int_equal(fwrite(page, 1, PAGE, file), PAGE); /* the leaf */
    uint32_t last = ++pages;
    for (int level = 1; level < levels; level++) {
        fill_page(page, last);
        assert_int_equal(fwrite(page, 1, PAGE, file), PAGE);
        last = ++pages;
    }
    fill_page(page, last);
    fseek(file, (long)(root - 1) * PAGE, SEEK_SET);
    assert_int_equal(fwrite(page, 1, PAGE, file), PAGE);
    fseek(file, 0, SEEK_SET);
    assert_int_equal(fread(head, 1, sizeof head, file), sizeof head);
    put_number(head + 28, pages, 4);
    fseek(file, 0, SEEK_SET);
    assert_int_equal(fwrite(head, 1, sizeof head, file), sizeof head);
    assert_int_equal(fclose(file), 0);
}

static void a_page_with_many_parents_gives_no_rows_without_end(void **state) {
    (void)state;
    make_match();
    fold_table("player", 5);
    assert_refused("player", "makes no sense");
}

static void a_statement_ends_that_the_size_of_the_file_cannot_explain(void **state) {
    (void)state;
    char path[128];
    struct database database = {0};
    struct fault fault = {0};
    sqlite3_stmt *statement = NULL;
    make_match();
    fold_table("player", 5);
    path_here(path);
    assert_true(database_open(&database, path, DATABASE_READ, &fault));
    assert_non_null(database_statement(&database, &statement, "SELECT sum(number) FROM player"));
    assert_int_equal(sqlite3_step(statement), SQLITE_INTERRUPT);
    database_fail(&database, &fault);
    assert_int_equal(fault.status, STATUS_TEXT);
    assert_non_null(strstr(fault.text, "more work than its size explains"));
    sqlite3_finalize(statement);
    database_close(&database);
}

static void neither_a_link_nor_a_journal_is_followed(void **state) {
    (void)state;
    char path[128], other[160], victim[160], bytes[600] = "\xd9\xd5\x05\xf9\x20\xa1\x63\xd7";
    struct fault fault = {0};
    make_match();
    path_here(path);
    snprintf(other, sizeof other, "%s-journal", path);
    snprintf(victim, sizeof victim, "%s/victim", test_folder);
    assert_true(files_write_anew(victim, "precious", 8, &fault));
    assert_true(files_write_anew(other, bytes, sizeof bytes, &fault));
    assert_refused("a journal", "in the midst of a change");
    assert_int_equal(access(victim, F_OK), 0);
    assert_int_equal(unlink(other), 0);
    static const char *const ENDINGS[] = {"-wal", "-shm", "-journal"};
    for (int i = 0; i < 3; i++) {
        snprintf(other, sizeof other, "%s%s", path, ENDINGS[i]);
        assert_int_equal(symlink(victim, other), 0);
        assert_refused(other, "is a link");
        assert_int_equal(unlink(other), 0);
    }
    snprintf(other, sizeof other, "%s-elsewhere", path);
    assert_int_equal(rename(path, other), 0);
    assert_int_equal(symlink(other, path), 0);
    assert_refused("a linked match", "is a link");
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, make_test_folder, remove_test_folder)
    const struct CMUnitTest tests[] = {
        TEST(only_the_tables_that_this_program_makes_are_read),
        TEST(a_text_of_megabytes_is_refused),
        TEST(what_is_of_another_type_makes_no_sense),
        TEST(a_page_with_many_parents_gives_no_rows_without_end),
        TEST(a_statement_ends_that_the_size_of_the_file_cannot_explain),
        TEST(neither_a_link_nor_a_journal_is_followed),
    };
    return cmocka_run_group_tests_name("database", tests, NULL, NULL);
}
