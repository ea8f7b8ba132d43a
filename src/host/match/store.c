/* store.c - the tables of a match, and how they survive.
 *
 * A new store is in memory until its first commit, which writes its file whole or not at all: a
 * file that is there can be resumed. From then on the database is in WAL mode with `synchronous =
 * NORMAL`: commits survive the death of this process at any moment; after a power cut the file is
 * consistent but may lack the last commits. That is enough, since a game whose row is missing is
 * played again with the same outcome. No journal is ever left to be rolled back, which readers,
 * who may not write, could not do: WAL mode is entered and left without a journal on disk, since
 * each of the two steps is a single write of the first page.
 *
 * A folder has one writer at a time, which locks the folder itself: locking the file would break
 * SQLite's own locks, which a process loses when it closes any descriptor of the file. A store
 * belongs to one thread at a time. store_rows.c reads the tables. */
#define _GNU_SOURCE
#include "store_inside.h"

#include "base/files.h"
#include "base/paths.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { APPLICATION = 1164866375 /* "EnsG" */, BUSY_MILLISECONDS = 5000 };

static const char SCHEMA[] =
    "PRAGMA application_id = 1164866375;" /* APPLICATION */
    "PRAGMA user_version = 2;"            /* STORE_FORMAT */
    "CREATE TABLE meta(key TEXT PRIMARY KEY NOT NULL, value TEXT NOT NULL) WITHOUT ROWID;"
    "CREATE TABLE player(number INTEGER PRIMARY KEY, name TEXT NOT NULL, source TEXT NOT NULL,"
    "  hash TEXT NOT NULL);"
    "CREATE TABLE source(path TEXT PRIMARY KEY NOT NULL, hash TEXT NOT NULL) WITHOUT ROWID;"
    "CREATE TABLE game(number INTEGER PRIMARY KEY, red INTEGER NOT NULL, blue INTEGER NOT NULL,"
    "  result TEXT NOT NULL, reason TEXT NOT NULL, plies INTEGER NOT NULL, seed INTEGER NOT NULL,"
    "  red_setup TEXT, blue_setup TEXT, forfeit TEXT, hash TEXT NOT NULL);"
    "CREATE TABLE usage(game INTEGER NOT NULL, side TEXT NOT NULL, calls INTEGER NOT NULL,"
    "  fuel INTEGER, fuel_greatest INTEGER, ms REAL NOT NULL, ms_greatest REAL NOT NULL,"
    "  PRIMARY KEY(game, side)) WITHOUT ROWID;";

static const char *const SQL[STATEMENTS] = {
    [PUT_META] = "INSERT OR REPLACE INTO meta VALUES(?1, ?2)",
    [PUT_PLAYER] = "INSERT OR REPLACE INTO player VALUES(?1, ?2, ?3, ?4)",
    [PUT_SOURCE] = "INSERT OR REPLACE INTO source VALUES(?1, ?2)",
    [PUT_GAME] = "INSERT OR REPLACE INTO game VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
    [PUT_USAGE] = "INSERT OR REPLACE INTO usage VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    [DROP_GAMES] = "DELETE FROM game WHERE number BETWEEN ?1 AND ?2",
    [DROP_USAGE] = "DELETE FROM usage WHERE game BETWEEN ?1 AND ?2",
    [GET_META] = "SELECT value FROM meta WHERE key = ?1",
};

/* The errno of a failed read or write; 0 if unknown. SQLite often clears sqlite3_system_errno() on
 * the way back. */
static int system_error(const struct store *store) {
    int error = 0;
    sqlite3_file *journal = NULL;
    sqlite3_file_control(store->database, NULL, SQLITE_FCNTL_LAST_ERRNO, &error);
    if (error) return error;
    sqlite3_file_control(store->database, NULL, SQLITE_FCNTL_JOURNAL_POINTER, &journal);
    if (journal && journal->pMethods)
        journal->pMethods->xFileControl(journal, SQLITE_FCNTL_LAST_ERRNO, &error);
    return error ? error : sqlite3_system_errno(store->database);
}

bool store_fail(const struct store *store, struct fault *fault) {
    int code = sqlite3_errcode(store->database) & 0xFF;
    int error = code == SQLITE_IOERR ? system_error(store) : 0;
    if (code == SQLITE_NOTADB || code == SQLITE_CORRUPT) {
        fault_set(fault, STATUS_TEXT, "is no match, or a damaged one: %s",
                  sqlite3_errmsg(store->database));
    } else if (sqlite3_extended_errcode(store->database) == SQLITE_READONLY_ROLLBACK) {
        fault_set(fault, STATUS_TEXT, "was left in the midst of a change, which sqlite3 can undo");
    } else if (error) {
        fault_set(fault, STATUS_SYSTEM, "%s", strerror(error));
    } else {
        fault_set(fault, STATUS_SYSTEM, "%s", sqlite3_errmsg(store->database));
    }
    fault_place(fault, store->path, 0, 0);
    return false;
}

bool store_malformed(const struct store *store, struct fault *fault, const char *what) {
    fault_set(fault, STATUS_TEXT, "%s", what);
    fault_place(fault, store->path, 0, 0);
    return false;
}

static bool store_execute(struct store *store, const char *sql, struct fault *fault) {
    return sqlite3_exec(store->database, sql, NULL, NULL, NULL) == SQLITE_OK ||
           store_fail(store, fault);
}

/* The prepared statement, ready for values; NULL on failure. */
static sqlite3_stmt *store_statement(struct store *store, enum statement which) {
    sqlite3_stmt **statement = &store->statement[which];
    if (!*statement && sqlite3_prepare_v3(store->database, SQL[which], -1,
                                          SQLITE_PREPARE_PERSISTENT, statement, NULL))
        return NULL;
    sqlite3_reset(*statement);
    return *statement;
}

/* The text must live until the statement has run. */
static void bind_text(sqlite3_stmt *statement, int index, const char *text) {
    sqlite3_bind_text(statement, index, text, -1, SQLITE_STATIC); /* NULL binds NULL */
}

static void bind_number(sqlite3_stmt *statement, int index, uint64_t number) {
    sqlite3_bind_int64(statement, index, (sqlite3_int64)number);
}

static bool statement_run(struct store *store, sqlite3_stmt *statement, struct fault *fault) {
    if (!statement) return store_fail(store, fault);
    bool done = sqlite3_step(statement) == SQLITE_DONE || store_fail(store, fault);
    sqlite3_reset(statement);
    sqlite3_clear_bindings(statement);
    return done;
}

/* The number of a PRAGMA; -1 on failure. */
static int pragma(struct store *store, const char *sql) {
    sqlite3_stmt *statement = NULL;
    int number = -1;
    if (sqlite3_prepare_v2(store->database, sql, -1, &statement, NULL) == SQLITE_OK &&
        sqlite3_step(statement) == SQLITE_ROW)
        number = sqlite3_column_int(statement, 0);
    sqlite3_finalize(statement);
    return number;
}

static bool lock_folder(struct store *store, const char *folder, struct fault *fault) {
    store->lock = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (store->lock < 0) {
        fault_set(fault, STATUS_SYSTEM, "the folder cannot be read: %s", strerror(errno));
        fault_place(fault, folder, 0, 0);
        return false;
    }
    /* Where folders cannot be locked (some network file systems) other writers are not kept out. */
    if (flock(store->lock, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return true;
    fault_set(fault, STATUS_USAGE, "another process is playing this match");
    fault_place(fault, folder, 0, 0);
    return false;
}

/* Whether the database and the files that SQLite puts beside it are regular or missing. SQLite
 * reads whatever stands under these names and would wait for ever at a pipe. */
static bool are_files(struct store *store, struct fault *fault) {
    static const char *const ENDINGS[] = {"", "-wal", "-shm", "-journal"};
    for (size_t i = 0; i < sizeof ENDINGS / sizeof *ENDINGS; i++) {
        char path[sizeof store->path + 16];
        struct stat about;
        snprintf(path, sizeof path, "%s%s", store->path, ENDINGS[i]);
        if (stat(path, &about) || S_ISREG(about.st_mode)) continue;
        fault_set(fault, STATUS_TEXT, "%s",
                  S_ISDIR(about.st_mode) ? "is a folder; a match's file is expected"
                                         : "is a pipe or a device; a match's file is expected");
        fault_place(fault, path, 0, 0);
        return false;
    }
    return true;
}

static bool enter_wal(struct store *store, struct fault *fault) {
    sqlite3_stmt *statement = NULL;
    sqlite3_prepare_v2(store->database, "PRAGMA journal_mode", -1, &statement, NULL);
    const char *mode = statement && sqlite3_step(statement) == SQLITE_ROW
                           ? (const char *)sqlite3_column_text(statement, 0)
                           : NULL;
    bool known = mode, there = mode && !strcmp(mode, "wal");
    sqlite3_finalize(statement);
    if (!known) return store_fail(store, fault);
    return (there || store_execute(store, "PRAGMA journal_mode = MEMORY", fault)) &&
           store_execute(store, "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL", fault);
}

static bool store_connect(struct store *store, struct fault *fault) {
    int flags = store->mode == STORE_WRITE ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY;
    if (!are_files(store, fault)) return false;
    if (sqlite3_open_v2(store->path, &store->database, flags | SQLITE_OPEN_NOMUTEX, NULL))
        return store_fail(store, fault);
    sqlite3_busy_timeout(store->database, BUSY_MILLISECONDS);
    /* A hostile file may contain triggers and views. */
    sqlite3_db_config(store->database, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(store->database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    sqlite3_db_config(store->database, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
    return store->mode == STORE_READ || enter_wal(store, fault);
}

static struct store *new_store(const char *folder, enum store_mode mode, struct fault *fault) {
    struct store *store = calloc(1, sizeof *store);
    if (!store) {
        fault_set(fault, STATUS_NO_MEMORY, "out of memory");
        return NULL;
    }
    store->mode = mode;
    store->format = STORE_FORMAT;
    store->lock = -1;
    int length = snprintf(store->path, sizeof store->path, "%s/%s", folder, STORE_FILE);
    if (length < 0 || length >= STORE_PATH_MAX) {
        fault_set(fault, STATUS_USAGE, "the path of the folder is too long");
        free(store);
        return NULL;
    }
    snprintf(store->folder, sizeof store->folder, "%s", folder);
    return store;
}

static bool is_new(const struct store *store, struct fault *fault) {
    if (!path_is_file(store->path)) return true;
    fault_set(fault, STATUS_USAGE,
              "the folder holds a match, which --resume goes on with; a new or empty one is "
              "expected");
    fault_place(fault, store->folder, 0, 0);
    return false;
}

/* Begins the transaction that the first store_commit() ends. */
static bool begin_in_memory(struct store *store, struct fault *fault) {
    store->in_memory = true;
    return (sqlite3_open_v2(":memory:", &store->database,
                            SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) == SQLITE_OK ||
            store_fail(store, fault)) &&
           store_execute(store, "BEGIN", fault) && store_execute(store, SCHEMA, fault);
}

struct store *store_create(const char *folder, struct fault *fault) {
    struct store *store = new_store(folder, STORE_WRITE, fault);
    if (store && is_new(store, fault) && files_folder(folder, fault) &&
        lock_folder(store, folder, fault)) {
        draft_sweep(folder); /* of one that was killed as it wrote its file */
        if (files_empty_folder(folder, fault) && begin_in_memory(store, fault)) return store;
    }
    store_close(store);
    return NULL;
}

static bool is_match(struct store *store, struct fault *fault) {
    int application = pragma(store, "PRAGMA application_id");
    if (application < 0) return store_fail(store, fault);
    if (application != APPLICATION)
        return store_malformed(store, fault, "is a database, but no match");
    store->format = pragma(store, "PRAGMA user_version");
    if (store->format == STORE_FORMAT ||
        (store->format == STORE_FORMER && store->mode == STORE_READ))
        return true;
    if (store->format == STORE_FORMER)
        fault_set(fault, STATUS_USAGE,
                  "is a match of an earlier version of this program, which can be reported on but "
                  "not continued");
    else
        fault_set(fault, STATUS_TEXT, "is a match of format %d; this program reads format %d",
                  store->format, STORE_FORMAT);
    fault_place(fault, store->path, 0, 0);
    return false;
}

struct store *store_open(const char *folder, enum store_mode mode, struct fault *fault) {
    struct store *store = new_store(folder, mode, fault);
    struct stat about;
    if (!store) return NULL;
    if (stat(store->path, &about) != 0) {
        fault_set(fault, STATUS_NOT_FOUND, "no match is there: the folder has no file %s",
                  STORE_FILE);
        fault_place(fault, folder, 0, 0);
    } else if ((mode == STORE_READ || lock_folder(store, folder, fault)) &&
               store_connect(store, fault) && is_match(store, fault)) {
        return store;
    }
    store_close(store);
    return NULL;
}

static void finalize(struct store *store) {
    for (int i = 0; i < STATEMENTS; i++) {
        sqlite3_finalize(store->statement[i]);
        store->statement[i] = NULL;
    }
}

void store_close(struct store *store) {
    if (!store) return;
    finalize(store);
    if (store->mode == STORE_WRITE && store->database && !store->in_memory) {
        if (!sqlite3_get_autocommit(store->database))
            sqlite3_exec(store->database, "COMMIT", NULL, NULL, NULL);
        /* A single file can be copied, and read from a read-only folder. SQLite refuses this while
         * another process reads. */
        sqlite3_busy_timeout(store->database, 0);
        sqlite3_exec(store->database, "PRAGMA journal_mode = MEMORY", NULL, NULL, NULL);
    }
    sqlite3_close(store->database);
    if (store->lock >= 0) close(store->lock);
    free(store);
}

const char *store_folder(const struct store *store) {
    return store->folder;
}

bool store_begin(struct store *store, struct fault *fault) {
    return store->in_memory || store_execute(store, "BEGIN", fault);
}

/* Writes the file of a store in memory and goes on with the file. */
static bool move_to_disk(struct store *store, struct fault *fault) {
    sqlite3_int64 size = 0;
    char *bytes = (char *)sqlite3_serialize(store->database, "main", &size, 0);
    if (!bytes) return fault_set(fault, STATUS_NO_MEMORY, "out of memory");
    bool written = files_write_new(store->path, bytes, (size_t)size, DRAFT_DURABLE, fault);
    sqlite3_free(bytes);
    if (!written) return false;
    finalize(store);
    sqlite3_close(store->database);
    store->database = NULL;
    store->in_memory = false;
    return store_connect(store, fault);
}

bool store_commit(struct store *store, struct fault *fault) {
    return store_execute(store, "COMMIT", fault) &&
           (!store->in_memory || move_to_disk(store, fault));
}

bool store_put_meta(struct store *store, const char *key, const char *value, struct fault *fault) {
    sqlite3_stmt *statement = store_statement(store, PUT_META);
    bind_text(statement, 1, key);
    bind_text(statement, 2, value);
    return statement_run(store, statement, fault);
}

bool store_put_player(struct store *store, uint32_t number, const struct store_player *player,
                      struct fault *fault) {
    sqlite3_stmt *statement = store_statement(store, PUT_PLAYER);
    bind_number(statement, 1, number);
    bind_text(statement, 2, player->name);
    bind_text(statement, 3, player->source);
    bind_text(statement, 4, player->hash);
    return statement_run(store, statement, fault);
}

bool store_put_source(struct store *store, const char *path, uint64_t hash, struct fault *fault) {
    sqlite3_stmt *statement = store_statement(store, PUT_SOURCE);
    char text[STORE_HASH_MAX];
    store_write_hash(hash, text);
    bind_text(statement, 1, path);
    bind_text(statement, 2, text);
    return statement_run(store, statement, fault);
}

static bool put_usage(struct store *store, const struct store_game *game, enum side side,
                      struct fault *fault) {
    const struct usage *usage = &game->usage[side];
    sqlite3_stmt *statement = store_statement(store, PUT_USAGE);
    bind_number(statement, 1, game->number);
    bind_text(statement, 2, side_name(side));
    bind_number(statement, 3, usage->calls);
    if (usage->metered) { /* otherwise NULL */
        bind_number(statement, 4, usage->fuel);
        bind_number(statement, 5, usage->fuel_greatest);
    }
    sqlite3_bind_double(statement, 6, usage_ms(usage->ns));
    sqlite3_bind_double(statement, 7, usage_ms(usage->ns_greatest));
    return statement_run(store, statement, fault);
}

bool store_put_game(struct store *store, const struct store_game *game, struct fault *fault) {
    sqlite3_stmt *statement = store_statement(store, PUT_GAME);
    char hash[STORE_HASH_MAX];
    store_write_hash(game->hash, hash);
    bind_number(statement, 1, game->number);
    bind_number(statement, 2, game->player[RED]);
    bind_number(statement, 3, game->player[BLUE]);
    bind_text(statement, 4, result_name(game->result));
    bind_text(statement, 5, reason_name(game->reason));
    bind_number(statement, 6, game->plies);
    bind_number(statement, 7, game->seed);
    bind_text(statement, 8, game->setups[RED]);
    bind_text(statement, 9, game->setups[BLUE]);
    bind_text(statement, 10, game->forfeit);
    bind_text(statement, 11, hash);
    return statement_run(store, statement, fault) && put_usage(store, game, RED, fault) &&
           put_usage(store, game, BLUE, fault);
}

bool store_drop_games(struct store *store, uint32_t first, uint32_t last, struct fault *fault) {
    for (int i = 0; i < 2; i++) {
        sqlite3_stmt *statement = store_statement(store, i ? DROP_USAGE : DROP_GAMES);
        bind_number(statement, 1, first);
        bind_number(statement, 2, last);
        if (!statement_run(store, statement, fault)) return false;
    }
    return true;
}

const char *store_meta(struct store *store, const char *key) {
    sqlite3_stmt *statement = store_statement(store, GET_META);
    bind_text(statement, 1, key);
    if (!statement || sqlite3_step(statement) != SQLITE_ROW) return NULL;
    return (const char *)sqlite3_column_text(statement, 0);
}

bool store_meta_number(struct store *store, const char *key, uint64_t *number,
                       struct fault *fault) {
    const char *text = store_meta(store, key);
    size_t digits = text ? strspn(text, "0123456789") : 0;
    if (digits && digits < 20 && !text[digits]) {
        *number = strtoull(text, NULL, 10);
        return true;
    }
    fault_set(fault, STATUS_TEXT, "\"%s\" is \"%s\", a number is expected", key, text ? text : "");
    fault_place(fault, store->path, 0, 0);
    return false;
}

void store_record_path(const char *folder, uint32_t games, uint32_t number,
                       char path[STORE_PATH_MAX]) {
    int digits = snprintf(NULL, 0, "%" PRIu32, games);
    snprintf(path, STORE_PATH_MAX, "%s/%0*" PRIu32 ".rec", folder, digits < 4 ? 4 : digits, number);
}

void store_log_path(const char *folder, uint32_t games, uint32_t number, const char *whose,
                    char path[STORE_PATH_MAX]) {
    char record[STORE_PATH_MAX];
    store_record_path(folder, games, number, record);
    snprintf(path, STORE_PATH_MAX, "%.*s-%s.log", (int)(strlen(record) - strlen(".rec")), record,
             whose);
}

void store_write_hash(uint64_t hash, char out[STORE_HASH_MAX]) {
    snprintf(out, STORE_HASH_MAX, "%016" PRIx64, hash);
}

bool store_read_hash(const char *text, uint64_t *hash) {
    if (strspn(text, "0123456789abcdef") != STORE_HASH_MAX - 1 || strlen(text) != 16) return false;
    *hash = strtoull(text, NULL, 16);
    return true;
}
