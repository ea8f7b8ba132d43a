/* database.c - SQLite, told to trust nothing in the file.
 *
 * The schema is compared row by row with that of an empty database made for this, so it does
 * not matter what else SQLite could put there. What remains is the trees of pages: a page that many
 * others point to makes a small file give rows without end. The progress handler ends a statement
 * whose steps exceed what the size of the file can explain; an honest row costs less than one step
 * for each of its bytes.
 *
 * A journal may name any file to be deleted when it is rolled back, so none is: this program leaves
 * none. */
#define _GNU_SOURCE
#include "database.h"

#include "base/clock.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

enum {
    WORK_BETWEEN = 10000,      /* steps between looks */
    WORK_ALWAYS = 10000000,    /* steps of any statement */
    WORK_FOR_BYTE = 8,         /* further steps for each byte of the file */
    NAP_NANOSECONDS = 10000000 /* between trials of a locked file */
};

/* Limits of SQLite that our own statements keep. */
static const struct {
    int limit, value;
} LIMITS[] = {
    {SQLITE_LIMIT_LENGTH, DATABASE_TEXT_MAX},
    {SQLITE_LIMIT_SQL_LENGTH, 1 << 16},
    {SQLITE_LIMIT_COLUMN, 64},
    {SQLITE_LIMIT_EXPR_DEPTH, 64},
    {SQLITE_LIMIT_COMPOUND_SELECT, 4},
    {SQLITE_LIMIT_FUNCTION_ARG, 8},
    {SQLITE_LIMIT_ATTACHED, 0},
    {SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 100},
    {SQLITE_LIMIT_VARIABLE_NUMBER, 64},
    {SQLITE_LIMIT_TRIGGER_DEPTH, 1},
    {SQLITE_LIMIT_WORKER_THREADS, 0},
};

static const struct {
    int option, value;
} SETTINGS[] = {
    {SQLITE_DBCONFIG_DEFENSIVE, 1},      {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
    {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0}, {SQLITE_DBCONFIG_ENABLE_VIEW, 0},
    {SQLITE_DBCONFIG_ENABLE_FKEY, 0},    {SQLITE_DBCONFIG_DQS_DML, 0},
    {SQLITE_DBCONFIG_DQS_DDL, 0},
};

/* The errno of a failed read or write; 0 if unknown. SQLite often clears sqlite3_system_errno() on
 * the way back. */
static int system_error(const struct database *database) {
    int error = 0;
    sqlite3_file *journal = NULL;
    sqlite3_file_control(database->handle, NULL, SQLITE_FCNTL_LAST_ERRNO, &error);
    if (error) return error;
    sqlite3_file_control(database->handle, NULL, SQLITE_FCNTL_JOURNAL_POINTER, &journal);
    if (journal && journal->pMethods)
        journal->pMethods->xFileControl(journal, SQLITE_FCNTL_LAST_ERRNO, &error);
    return error ? error : sqlite3_system_errno(database->handle);
}

static enum database_trouble trouble_of(int code, int error) {
    const bool full = error == ENOSPC || error == EDQUOT || error == EFBIG;
    if (code == SQLITE_FULL || full) return DATABASE_FULL;
    return code == SQLITE_BUSY || code == SQLITE_LOCKED ? DATABASE_LOCKED : DATABASE_DAMAGED;
}

bool database_fail(struct database *database, struct fault *fault) {
    const char *words = sqlite3_errmsg(database->handle);
    int code = sqlite3_errcode(database->handle) & 0xFF;
    int error = code == SQLITE_IOERR ? system_error(database) : 0;
    database->trouble = trouble_of(code, error);
    if (code == SQLITE_NOTADB || code == SQLITE_CORRUPT)
        fault_set(fault, STATUS_TEXT, "is not the expected database, or a damaged one: %s", words);
    else if (code == SQLITE_INTERRUPT)
        fault_set(fault, STATUS_TEXT, "is damaged: it takes far more work than its size explains");
    else if (code == SQLITE_TOOBIG)
        fault_set(fault, STATUS_TEXT, "holds a text of more than %d bytes", DATABASE_TEXT_MAX);
    else if (code == SQLITE_BUSY || code == SQLITE_LOCKED)
        fault_set(fault, STATUS_SYSTEM, "is locked by another process");
    else if (error)
        fault_set(fault, STATUS_SYSTEM, "%s", strerror(error));
    else
        fault_set(fault, STATUS_SYSTEM, "%s", words);
    fault_place(fault, database->path, 0, 0);
    return false;
}

bool database_malformed(const struct database *database, struct fault *fault, const char *what) {
    fault_set(fault, STATUS_TEXT, "%s", what);
    fault_place(fault, database->path, 0, 0);
    return false;
}

/* SQLite reads whatever stands under these names and would wait for ever at a pipe. */
static bool check_files(const char *path, struct fault *fault) {
    static const char *const ENDINGS[] = {"", "-wal", "-shm", "-journal"};
    enum { JOURNAL = 3 };
    for (size_t i = 0; i < sizeof ENDINGS / sizeof *ENDINGS; i++) {
        char file[DATABASE_PATH_MAX + 16];
        struct stat about;
        snprintf(file, sizeof file, "%s%s", path, ENDINGS[i]);
        if (lstat(file, &about)) continue;
        if (S_ISDIR(about.st_mode))
            fault_set(fault, STATUS_TEXT, "is a folder; a database is expected");
        else if (S_ISLNK(about.st_mode))
            fault_set(fault, STATUS_TEXT, "is a link; a database is expected");
        else if (!S_ISREG(about.st_mode))
            fault_set(fault, STATUS_TEXT, "is a pipe or a device; a database is expected");
        else if (i == JOURNAL && about.st_size)
            fault_set(fault, STATUS_TEXT,
                      "was left in the midst of a change, which sqlite3 can "
                      "undo");
        else
            continue;
        fault_place(fault, i == JOURNAL && S_ISREG(about.st_mode) ? path : file, 0, 0);
        return false;
    }
    return true;
}

/* Bytes that the file has, and what waits to be merged into it. */
static uint64_t file_bytes(const struct database *database) {
    char log[sizeof database->path + 8];
    struct stat about;
    uint64_t bytes = stat(database->path, &about) ? 0 : (uint64_t)about.st_size;
    snprintf(log, sizeof log, "%s-wal", database->path);
    return bytes + (stat(log, &about) ? 0 : (uint64_t)about.st_size);
}

/* Ends a statement that does not. */
static int count_work(void *context) {
    struct database *database = context;
    database->work += WORK_BETWEEN;
    return database->work > WORK_ALWAYS &&
           database->work > WORK_ALWAYS + WORK_FOR_BYTE * file_bytes(database);
}

static int wait_for_lock(void *context, int tries) {
    struct database *database = context;
    if (!tries) database->locked_since = clock_ms();
    const int64_t waited = clock_ms() - database->locked_since;
    bool goes_on = database->waits ? database->waits(database->context, database->path, waited)
                                   : waited < database->patience;
    if (goes_on) nanosleep(&(struct timespec){.tv_nsec = NAP_NANOSECONDS}, NULL);
    return goes_on;
}

static bool open_with(struct database *database, const char *path, int flags, struct fault *fault) {
    if (sqlite3_open_v2(path, &database->handle, flags | SQLITE_OPEN_NOMUTEX, NULL))
        return database_fail(database, fault);
    for (size_t i = 0; i < sizeof SETTINGS / sizeof *SETTINGS; i++)
        sqlite3_db_config(database->handle, SETTINGS[i].option, SETTINGS[i].value, NULL);
    for (size_t i = 0; i < sizeof LIMITS / sizeof *LIMITS; i++)
        sqlite3_limit(database->handle, LIMITS[i].limit, LIMITS[i].value);
    sqlite3_busy_handler(database->handle, wait_for_lock, database);
    sqlite3_progress_handler(database->handle, WORK_BETWEEN, count_work, database);
    return database_execute(
        database, "PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0; PRAGMA temp_store = MEMORY",
        fault);
}

/* Links to the folder are the user's own; the file itself must not be one. */
static bool resolve(const struct database *database, char out[DATABASE_PATH_MAX]) {
    const char *slash = strrchr(database->path, '/');
    char folder[DATABASE_PATH_MAX], real[PATH_MAX];
    if (!slash) return snprintf(out, DATABASE_PATH_MAX, "%s", database->path) > 0;
    snprintf(folder, sizeof folder, "%.*s", (int)(slash - database->path) + 1, database->path);
    if (!realpath(folder, real)) return false;
    int length = snprintf(out, DATABASE_PATH_MAX, "%s%s", real, slash);
    return length > 0 && length < DATABASE_PATH_MAX;
}

bool database_open(struct database *database, const char *path, enum database_mode mode,
                   struct fault *fault) {
    static const int FLAGS[] = {[DATABASE_READ] = SQLITE_OPEN_READONLY,
                                [DATABASE_WRITE] = SQLITE_OPEN_READWRITE,
                                [DATABASE_MAKE] = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE};
    char real[DATABASE_PATH_MAX];
    if (snprintf(database->path, sizeof database->path, "%s", path) >= (int)sizeof database->path)
        return fault_set(fault, STATUS_USAGE, "the path of the folder is too long");
    if (!check_files(path, fault)) return false;
    if (resolve(database, real))
        return open_with(database, real, FLAGS[mode] | SQLITE_OPEN_NOFOLLOW, fault);
    fault_set(fault, STATUS_SYSTEM, "%s", strerror(errno));
    fault_place(fault, path, 0, 0);
    return false;
}

bool database_open_memory(struct database *database, struct fault *fault) {
    return open_with(database, ":memory:", SQLITE_OPEN_READWRITE, fault);
}

void database_close(struct database *database) {
    sqlite3_close(database->handle);
    database->handle = NULL;
}

bool database_execute(struct database *database, const char *sql, struct fault *fault) {
    database->work = 0;
    return sqlite3_exec(database->handle, sql, NULL, NULL, NULL) == SQLITE_OK ||
           database_fail(database, fault);
}

int database_number(struct database *database, const char *sql) {
    sqlite3_stmt *statement = NULL;
    int number = -1;
    if (database_statement(database, &statement, sql) && sqlite3_step(statement) == SQLITE_ROW)
        number = sqlite3_column_int(statement, 0);
    sqlite3_finalize(statement);
    return number;
}

sqlite3_stmt *database_statement(struct database *database, sqlite3_stmt **cached,
                                 const char *sql) {
    database->work = 0;
    if (!*cached &&
        sqlite3_prepare_v3(database->handle, sql, -1, SQLITE_PREPARE_PERSISTENT, cached, NULL))
        return NULL;
    sqlite3_reset(*cached);
    sqlite3_clear_bindings(*cached);
    return *cached;
}

bool database_run(struct database *database, sqlite3_stmt *statement, struct fault *fault) {
    bool done =
        (statement && sqlite3_step(statement) == SQLITE_DONE) || database_fail(database, fault);
    sqlite3_reset(statement);
    return done;
}

/* Steps to the next thing of a schema. False at the end and, with `*failed`, on failure. */
static bool next_thing(sqlite3_stmt *things, bool *failed) {
    int code = things ? sqlite3_step(things) : SQLITE_ERROR;
    *failed = code != SQLITE_ROW && code != SQLITE_DONE;
    return code == SQLITE_ROW;
}

static const char *thing_text(sqlite3_stmt *thing, int column) {
    const char *text = (const char *)sqlite3_column_text(thing, column);
    return text ? text : "";
}

/* Type, name, table and statement. */
static bool same_thing(sqlite3_stmt *thing, sqlite3_stmt *other) {
    for (int column = 0; column < 4; column++)
        if (strcmp(thing_text(thing, column), thing_text(other, column)) != 0) return false;
    return true;
}

/* Compares the things of two schemas, in order. */
static bool same_schema(struct database *database, struct database *model, struct fault *fault) {
    static const char SQL[] =
        "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name";
    sqlite3_stmt *things = NULL, *models = NULL;
    bool failed = false, model_failed = false, same = true;
    database_statement(database, &things, SQL);
    database_statement(model, &models, SQL);
    for (bool has = true, wanted = true; same && (has || wanted);) {
        has = next_thing(things, &failed);
        wanted = next_thing(models, &model_failed);
        if (failed || model_failed) break;
        same = has == wanted && (!has || same_thing(things, models));
    }
    if (!same) {
        if (sqlite3_data_count(things))
            fault_set(fault, STATUS_TEXT,
                      "is not the expected database: \"%.40s\" is not as this program makes it",
                      thing_text(things, 1));
        else
            fault_set(fault, STATUS_TEXT, "is not the expected database: \"%.40s\" is missing",
                      thing_text(models, 1));
        fault_place(fault, database->path, 0, 0);
    }
    if (failed) database_fail(database, fault);
    if (model_failed) database_fail(model, fault);
    sqlite3_finalize(things);
    sqlite3_finalize(models);
    return same && !failed && !model_failed;
}

bool database_is(struct database *database, int application, struct fault *fault) {
    int found = database_number(database, "PRAGMA application_id");
    if (found < 0) return database_fail(database, fault);
    if (found == application) return true;
    fault_set(fault, STATUS_TEXT, "is not the expected database");
    fault_place(fault, database->path, 0, 0);
    return false;
}

bool database_has_schema(struct database *database, const char *schema, struct fault *fault) {
    struct database model = {0};
    bool has = database_open_memory(&model, fault) && database_execute(&model, schema, fault) &&
               same_schema(database, &model, fault);
    database_close(&model);
    return has;
}

static bool is_in_wal(struct database *database, bool *known) {
    sqlite3_stmt *statement = NULL;
    bool asked = database_statement(database, &statement, "PRAGMA journal_mode") &&
                 sqlite3_step(statement) == SQLITE_ROW;
    const char *mode = asked ? (const char *)sqlite3_column_text(statement, 0) : NULL;
    bool there = mode && !strcmp(mode, "wal");
    *known = mode;
    sqlite3_finalize(statement);
    return there;
}

bool database_enter_wal(struct database *database, struct fault *fault) {
    bool known, there = is_in_wal(database, &known);
    if (!known) return database_fail(database, fault);
    return (there || database_execute(database, "PRAGMA journal_mode = MEMORY", fault)) &&
           database_execute(database, "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL",
                            fault);
}
