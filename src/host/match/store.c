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

enum { APPLICATION = 1164866375 /* "EnsG" */, FORMAT = 3, BUSY_MILLISECONDS = 5000 };

static const char MARKS[] = "PRAGMA application_id = 1164866375;" /* APPLICATION */
                            "PRAGMA user_version = 3";            /* FORMAT */

/* Compared with the file's word for word. */
static const char SCHEMA[] =
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

static sqlite3_stmt *store_statement(struct store *store, enum statement which) {
    return database_statement(&store->database, &store->statement[which], SQL[which]);
}

/* The text must live until the statement has run. */
static void bind_text(sqlite3_stmt *statement, int index, const char *text) {
    sqlite3_bind_text(statement, index, text, -1, SQLITE_STATIC); /* NULL binds NULL */
}

static void bind_number(sqlite3_stmt *statement, int index, uint64_t number) {
    sqlite3_bind_int64(statement, index, (sqlite3_int64)number);
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

static bool store_connect(struct store *store, struct fault *fault) {
    struct stat about;
    if (!database_open(&store->database, store->path,
                       store->mode == STORE_WRITE ? DATABASE_WRITE : DATABASE_READ, fault))
        return false;
    if (!stat(store->path, &about)) store->device = about.st_dev, store->inode = about.st_ino;
    return true;
}

bool store_in_place(const struct store *store, struct fault *fault) {
    struct stat about;
    if (store->in_memory) return true;
    bool found = !stat(store->path, &about);
    if (found && about.st_dev == store->device && about.st_ino == store->inode) return true;
    fault_set(fault, STATUS_SYSTEM,
              "was moved or replaced during the match, which can be resumed from where it is now");
    fault_place(fault, store->path, 0, 0);
    return false;
}

static struct store *new_store(const char *folder, enum store_mode mode, struct fault *fault) {
    struct store *store = calloc(1, sizeof *store);
    if (!store) {
        fault_set(fault, STATUS_NO_MEMORY, "out of memory");
        return NULL;
    }
    store->database.patience = BUSY_MILLISECONDS;
    store->mode = mode;
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
    return database_open_memory(&store->database, fault) &&
           database_execute(&store->database, MARKS, fault) &&
           database_execute(&store->database, "BEGIN", fault) &&
           database_execute(&store->database, SCHEMA, fault);
}

struct store *store_create(const char *folder, struct fault *fault) {
    struct store *store = new_store(folder, STORE_WRITE, fault);
    if (store && is_new(store, fault) && files_folder(folder, fault) &&
        lock_folder(store, folder, fault)) {
        atomic_file_sweep(folder); /* of one that was killed as it wrote its file */
        if (files_empty_folder(folder, fault) && begin_in_memory(store, fault)) return store;
    }
    store_close(store);
    return NULL;
}

static bool is_match(struct store *store, struct fault *fault) {
    if (!database_is(&store->database, APPLICATION, fault)) return false;
    const int format = database_number(&store->database, "PRAGMA user_version");
    if (format == FORMAT) return database_has_schema(&store->database, SCHEMA, fault);
    fault_set(fault, STATUS_TEXT, "is a match of format %d; this program reads format %d", format,
              FORMAT);
    fault_place(fault, store->path, 0, 0);
    return false;
}

struct store *store_open(const char *folder, enum store_mode mode, struct fault *fault) {
    struct store *store = new_store(folder, mode, fault);
    struct stat about;
    if (!store) return NULL;
    if (stat(store->path, &about) != 0) {
        if (errno == ENOENT || errno == ENOTDIR)
            fault_set(fault, STATUS_NOT_FOUND, "no match is there: the folder has no file %s",
                      STORE_FILE);
        else
            fault_set(fault, STATUS_SYSTEM, "%s", strerror(errno));
        fault_place(fault, folder, 0, 0);
    } else if ((mode == STORE_READ || lock_folder(store, folder, fault)) &&
               store_connect(store, fault) && is_match(store, fault) &&
               (mode == STORE_READ || database_enter_wal(&store->database, fault))) {
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
    if (store->mode == STORE_WRITE && store->database.handle && !store->in_memory) {
        if (!sqlite3_get_autocommit(store->database.handle))
            database_execute(&store->database, "COMMIT", NULL);
        /* A single file can be copied, and read from a read-only folder. SQLite refuses this while
         * another process reads, and removes files by their names. */
        sqlite3_busy_timeout(store->database.handle, 0);
        if (store_in_place(store, NULL))
            database_execute(&store->database, "PRAGMA journal_mode = MEMORY", NULL);
    }
    database_close(&store->database);
    if (store->lock >= 0) close(store->lock);
    free(store);
}

void store_wait(struct store *store,
                bool (*waits)(void *context, const char *path, int64_t waited_ms), void *context) {
    store->database.waits = waits;
    store->database.context = context;
}

const char *store_folder(const struct store *store) {
    return store->folder;
}

bool store_begin(struct store *store, struct fault *fault) {
    return store->in_memory || database_execute(&store->database, "BEGIN IMMEDIATE", fault);
}

/* Writes the file of a store in memory and goes on with the file. */
static bool move_to_disk(struct store *store, struct fault *fault) {
    sqlite3_int64 size = 0;
    char *bytes = (char *)sqlite3_serialize(store->database.handle, "main", &size, 0);
    if (!bytes) return fault_set(fault, STATUS_NO_MEMORY, "out of memory");
    bool written = files_write_new(store->path, bytes, (size_t)size, ATOMIC_FILE_DURABLE, fault);
    sqlite3_free(bytes);
    if (!written) return false;
    finalize(store);
    database_close(&store->database);
    store->in_memory = false;
    return store_connect(store, fault) && database_enter_wal(&store->database, fault);
}

bool store_commit(struct store *store, struct fault *fault) {
    return database_execute(&store->database, "COMMIT", fault) &&
           (!store->in_memory || move_to_disk(store, fault));
}

bool store_put_meta(struct store *store, const char *key, const char *value, struct fault *fault) {
    sqlite3_stmt *statement = store_statement(store, PUT_META);
    bind_text(statement, 1, key);
    bind_text(statement, 2, value);
    return database_run(&store->database, statement, fault);
}

bool store_put_player(struct store *store, uint32_t number, const struct store_player *player,
                      struct fault *fault) {
    sqlite3_stmt *statement = store_statement(store, PUT_PLAYER);
    bind_number(statement, 1, number);
    bind_text(statement, 2, player->name);
    bind_text(statement, 3, player->source);
    bind_text(statement, 4, player->hash);
    return database_run(&store->database, statement, fault);
}

bool store_put_source(struct store *store, const char *path, uint64_t hash, struct fault *fault) {
    sqlite3_stmt *statement = store_statement(store, PUT_SOURCE);
    char text[STORE_HASH_MAX];
    store_write_hash(hash, text);
    bind_text(statement, 1, path);
    bind_text(statement, 2, text);
    return database_run(&store->database, statement, fault);
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
    return database_run(&store->database, statement, fault);
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
    return database_run(&store->database, statement, fault) && put_usage(store, game, RED, fault) &&
           put_usage(store, game, BLUE, fault);
}

bool store_drop_games(struct store *store, uint32_t first, uint32_t last, struct fault *fault) {
    for (int i = 0; i < 2; i++) {
        sqlite3_stmt *statement = store_statement(store, i ? DROP_USAGE : DROP_GAMES);
        bind_number(statement, 1, first);
        bind_number(statement, 2, last);
        if (!database_run(&store->database, statement, fault)) return false;
    }
    return true;
}

const char *store_meta(struct store *store, const char *key) {
    sqlite3_stmt *statement = store_statement(store, GET_META);
    bind_text(statement, 1, key);
    if (!statement || sqlite3_step(statement) != SQLITE_ROW) return NULL;
    return (const char *)sqlite3_column_text(statement, 0);
}

bool store_meta_within(struct store *store, const char *key, uint64_t least, uint64_t most,
                       uint64_t *number, struct fault *fault) {
    const char *text = store_meta(store, key);
    size_t digits = text ? strspn(text, "0123456789") : 0;
    if (digits && digits < 20 && !text[digits]) {
        *number = strtoull(text, NULL, 10);
        if (*number >= least && *number <= most) return true;
        fault_set(fault, STATUS_TEXT,
                  "\"%s\" is %s; a number from %" PRIu64 " to %" PRIu64 " is expected", key, text,
                  least, most);
    } else {
        fault_set(fault, STATUS_TEXT, "\"%s\" is \"%.40s\", a number is expected", key,
                  text ? text : "");
    }
    fault_place(fault, store->path, 0, 0);
    return false;
}

bool store_meta_number(struct store *store, const char *key, uint64_t *number,
                       struct fault *fault) {
    return store_meta_within(store, key, 0, UINT64_MAX, number, fault);
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
