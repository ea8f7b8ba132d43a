/* archive.c - two tables, one row a game and one a turn; a lock, and a list of what could not be
 * written yet.
 *
 * Each write is a deed: statements and their values. A deed that fails waits in memory, and so does
 * every later one, so that the file never holds a turn without those before it. They are tried
 * again by a later call, but not at once: a file that another process has locked must not hold up
 * every turn of every game. If memory is too short for a deed to wait, nothing is written any more:
 * what the file holds was true once. */
#define _GNU_SOURCE
#include "archive.h"

#include "base/buffer.h"
#include "base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    ARCHIVE_FORMAT = 1,
    BUSY_MILLISECONDS = 50,   /* that a deed waits for another process */
    PAUSE_MILLISECONDS = 500, /* between trials of what waits */
    STATEMENTS_MAX = 3,       /* of a deed */
    VALUES_MAX = 12,          /* of all of them */
    WAITING_MAX = 1 << 20     /* deeds that wait for the disk */
};

static const char SCHEMA[] =
    "PRAGMA application_id = 1164866387;" /* "EnsS" */
    "PRAGMA user_version = 1;"            /* ARCHIVE_FORMAT */
    "CREATE TABLE game(id TEXT PRIMARY KEY NOT NULL, changed INTEGER NOT NULL, request TEXT NOT NULL,"
    "  chance BLOB NOT NULL, seed INTEGER NOT NULL, red_secret TEXT, blue_secret TEXT,"
    "  red_name TEXT, blue_name TEXT, red_setup TEXT, blue_setup TEXT,"
    "  red_left INTEGER NOT NULL, blue_left INTEGER NOT NULL, taken_back INTEGER NOT NULL DEFAULT 0,"
    "  result TEXT, reason TEXT, forfeit TEXT) WITHOUT ROWID;"
    "CREATE UNIQUE INDEX red_seat ON game(red_secret) WHERE red_secret IS NOT NULL;"
    "CREATE UNIQUE INDEX blue_seat ON game(blue_secret) WHERE blue_secret IS NOT NULL;"
    "CREATE INDEX age ON game(changed);"
    "CREATE TABLE turn(game TEXT NOT NULL, ply INTEGER NOT NULL, move TEXT NOT NULL,"
    "  PRIMARY KEY(game, ply)) WITHOUT ROWID;";

enum statement {
    ADD_GAME,
    SET_RED_NAME,
    SET_BLUE_NAME,
    SET_RED_SETUP,
    SET_BLUE_SETUP,
    SET_CLOCKS,
    SET_TAKEN_BACK,
    DROP_TURNS,
    ADD_TURN,
    SET_END,
    FIND_GAME,
    FIND_SEAT,
    GET_TURNS,
    TIDY_TURNS,
    TIDY_GAMES,
    STATEMENTS
};

#define NOW "CAST(strftime('%s', 'now') AS INTEGER)"
#define COLUMNS                                                                                    \
    "id, request, chance, seed, red_secret, blue_secret, red_name, blue_name, red_setup, "         \
    "blue_setup, red_left, blue_left, result, reason, forfeit, "                                   \
    "taken_back"

static const char *const SQL[STATEMENTS] = {
    [ADD_GAME] = "INSERT OR REPLACE INTO game(changed, " COLUMNS ") VALUES(" NOW
                 ", ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, NULL, NULL, NULL, 0)",
    [SET_RED_NAME] = "UPDATE game SET red_name = ?2, changed = " NOW " WHERE id = ?1",
    [SET_BLUE_NAME] = "UPDATE game SET blue_name = ?2, changed = " NOW " WHERE id = ?1",
    [SET_RED_SETUP] = "UPDATE game SET red_setup = ?2, changed = " NOW " WHERE id = ?1",
    [SET_BLUE_SETUP] = "UPDATE game SET blue_setup = ?2, changed = " NOW " WHERE id = ?1",
    [SET_CLOCKS] = "UPDATE game SET red_left = ?2, blue_left = ?3, changed = " NOW " WHERE id = ?1",
    [SET_TAKEN_BACK] = "UPDATE game SET taken_back = ?2, result = NULL, reason = NULL, "
                       "forfeit = NULL, changed = " NOW " WHERE id = ?1",
    [DROP_TURNS] = "DELETE FROM turn WHERE game = ?1 AND ply > ?2",
    [ADD_TURN] = "INSERT OR REPLACE INTO turn VALUES(?1, ?2, ?3)",
    [SET_END] =
        "UPDATE game SET result = ?2, reason = ?3, forfeit = ?4, changed = " NOW " WHERE id = ?1",
    [FIND_GAME] = "SELECT " COLUMNS " FROM game WHERE id = ?1",
    [FIND_SEAT] = "SELECT " COLUMNS " FROM game WHERE red_secret = ?1 OR blue_secret = ?1",
    [GET_TURNS] = "SELECT move FROM turn WHERE game = ?1 ORDER BY ply",
    [TIDY_TURNS] =
        "DELETE FROM turn WHERE game IN (SELECT id FROM game WHERE changed < " NOW " - ?1)",
    [TIDY_GAMES] = "DELETE FROM game WHERE changed < " NOW " - ?1",
};

/* A value of a statement. */
struct value {
    enum { VALUE_IS_NULL, VALUE_IS_TEXT, VALUE_IS_NUMBER, VALUE_IS_KEY } type;
    union {
        const char *text; /* owned by a deed that waits */
        int64_t number;
        struct chance key;
    };
};

/* Statements to be run together, or not at all. */
struct deed {
    enum statement statement[STATEMENTS_MAX];
    int end[STATEMENTS_MAX]; /* of the values of each */
    int statements, values;
    struct value value[VALUES_MAX];
};

struct archive {
    pthread_mutex_t lock;
    sqlite3 *database;
    sqlite3_stmt *prepared[STATEMENTS];
    int folder; /* locked while it is open */
    char path[1024];
    struct deed *waiting; /* oldest first */
    size_t waiting_count;
    int64_t again_at; /* time of clock_ms() from which they are tried again */
    bool lost;        /* one of them could not be kept */
};

static bool archive_fail(const struct archive *archive, enum status status, struct fault *fault) {
    fault_set(fault, status, "%s", sqlite3_errmsg(archive->database));
    fault_place(fault, archive->path, 0, 0);
    return false;
}

static sqlite3_stmt *prepared(struct archive *archive, enum statement which) {
    sqlite3_stmt **statement = &archive->prepared[which];
    if (!*statement && sqlite3_prepare_v3(archive->database, SQL[which], -1,
                                          SQLITE_PREPARE_PERSISTENT, statement, NULL))
        return NULL;
    sqlite3_reset(*statement);
    sqlite3_clear_bindings(*statement);
    return *statement;
}

static void bind(sqlite3_stmt *statement, int index, const struct value *value) {
    switch (value->type) {
    case VALUE_IS_NULL:
        sqlite3_bind_null(statement, index);
        break;
    case VALUE_IS_TEXT:
        sqlite3_bind_text(statement, index, value->text, -1, SQLITE_STATIC);
        break;
    case VALUE_IS_NUMBER:
        sqlite3_bind_int64(statement, index, value->number);
        break;
    case VALUE_IS_KEY:
        sqlite3_bind_blob(statement, index, value->key.bytes, CHANCE_BYTES, SQLITE_STATIC);
    }
}

static bool run(struct archive *archive, const struct deed *deed, int which) {
    sqlite3_stmt *statement = prepared(archive, deed->statement[which]);
    if (!statement) return false;
    const int first = which ? deed->end[which - 1] : 0;
    for (int i = first; i < deed->end[which]; i++) bind(statement, i - first + 1, &deed->value[i]);
    bool done = sqlite3_step(statement) == SQLITE_DONE;
    sqlite3_reset(statement);
    return done;
}

static bool execute(struct archive *archive, const char *sql) {
    return sqlite3_exec(archive->database, sql, NULL, NULL, NULL) == SQLITE_OK;
}

static bool do_deed(struct archive *archive, const struct deed *deed) {
    if (deed->statements == 1) return run(archive, deed, 0);
    bool done = execute(archive, "BEGIN IMMEDIATE");
    if (!done) return false;
    for (int i = 0; i < deed->statements && done; i++) done = run(archive, deed, i);
    if (done && execute(archive, "COMMIT")) return true;
    execute(archive, "ROLLBACK");
    return false;
}

static void free_deed(struct deed *deed) {
    for (int i = 0; i < deed->values; i++)
        if (deed->value[i].type == VALUE_IS_TEXT) free((char *)(uintptr_t)deed->value[i].text);
}

/* Copies a deed with its texts. */
static bool copy_deed(struct deed *copy, const struct deed *deed) {
    bool copied = true;
    *copy = *deed;
    for (int i = 0; i < deed->values; i++) {
        if (deed->value[i].type != VALUE_IS_TEXT) continue;
        copy->value[i].text = strdup(deed->value[i].text);
        copied = copied && copy->value[i].text;
    }
    if (!copied) free_deed(copy);
    return copied;
}

/* Keeps a deed that the disk does not take. */
static void let_wait(struct archive *archive, const struct deed *deed) {
    struct deed *waiting = archive->lost ? NULL
                                         : array_grown(archive->waiting, archive->waiting_count,
                                                       sizeof *waiting, WAITING_MAX);
    if (waiting) archive->waiting = waiting;
    if (waiting && copy_deed(&waiting[archive->waiting_count], deed))
        archive->waiting_count++;
    else
        archive->lost = true;
}

/* Tries what waits, in order. True if nothing waits any more. */
static bool catch_up(struct archive *archive) {
    size_t done = 0;
    if (archive->waiting_count && clock_ms() < archive->again_at) return false;
    while (done < archive->waiting_count && do_deed(archive, &archive->waiting[done]))
        free_deed(&archive->waiting[done++]);
    archive->waiting_count -= done;
    if (done)
        memmove(archive->waiting, archive->waiting + done,
                archive->waiting_count * sizeof *archive->waiting);
    if (archive->waiting_count) archive->again_at = clock_ms() + PAUSE_MILLISECONDS;
    return !archive->waiting_count && !archive->lost;
}

static void archive_do(struct archive *archive, const struct deed *deed) {
    pthread_mutex_lock(&archive->lock);
    if (!catch_up(archive)) {
        let_wait(archive, deed);
    } else if (!do_deed(archive, deed)) {
        let_wait(archive, deed);
        archive->again_at = clock_ms() + PAUSE_MILLISECONDS;
    }
    pthread_mutex_unlock(&archive->lock);
}

static void add_value(struct deed *deed, struct value value) {
    deed->value[deed->values++] = value;
    deed->end[deed->statements - 1] = deed->values;
}

static void add_statement(struct deed *deed, enum statement statement) {
    deed->statement[deed->statements++] = statement;
}

static void add_text(struct deed *deed, const char *text) {
    add_value(deed, (struct value){.type = text ? VALUE_IS_TEXT : VALUE_IS_NULL, .text = text});
}

static void add_number(struct deed *deed, int64_t number) {
    add_value(deed, (struct value){.type = VALUE_IS_NUMBER, .number = number});
}

void archive_add(struct archive *archive, const struct archived *game) {
    struct deed deed = {.statements = 0};
    add_statement(&deed, ADD_GAME);
    add_text(&deed, game->id);
    add_text(&deed, game->request);
    add_value(&deed, (struct value){.type = VALUE_IS_KEY, .key = game->chance});
    add_number(&deed, (int64_t)game->seed);
    for (int side = RED; side <= BLUE; side++)
        add_text(&deed, game->secret[side][0] ? game->secret[side] : NULL);
    for (int side = RED; side <= BLUE; side++) add_text(&deed, game->name[side]);
    for (int side = RED; side <= BLUE; side++) add_text(&deed, game->setup[side]);
    for (int side = RED; side <= BLUE; side++) add_number(&deed, game->left[side]);
    archive_do(archive, &deed);
}

static void set_text(struct archive *archive, enum statement statement, const char *id,
                     const char *text) {
    struct deed deed = {.statements = 0};
    add_statement(&deed, statement);
    add_text(&deed, id);
    add_text(&deed, text);
    archive_do(archive, &deed);
}

void archive_name(struct archive *archive, const char *id, enum side side, const char *name) {
    set_text(archive, side == RED ? SET_RED_NAME : SET_BLUE_NAME, id, name);
}

void archive_setup(struct archive *archive, const char *id, enum side side, const char *setup) {
    set_text(archive, side == RED ? SET_RED_SETUP : SET_BLUE_SETUP, id, setup);
}

static void add_clocks(struct deed *deed, const char *id, const int64_t left[2]) {
    add_statement(deed, SET_CLOCKS);
    add_text(deed, id);
    add_number(deed, left[RED]);
    add_number(deed, left[BLUE]);
}

void archive_turn(struct archive *archive, const char *id, uint32_t ply, const char *move,
                  const int64_t left[2]) {
    struct deed deed = {.statements = 0};
    add_statement(&deed, ADD_TURN);
    add_text(&deed, id);
    add_number(&deed, ply);
    add_text(&deed, move);
    add_clocks(&deed, id, left);
    archive_do(archive, &deed);
}

void archive_take_back(struct archive *archive, const char *id, uint32_t ply,
                       const char *taken_back, const int64_t left[2]) {
    struct deed deed = {.statements = 0};
    add_statement(&deed, DROP_TURNS);
    add_text(&deed, id);
    add_number(&deed, ply);
    add_statement(&deed, SET_TAKEN_BACK);
    add_text(&deed, id);
    add_text(&deed, taken_back);
    add_clocks(&deed, id, left);
    archive_do(archive, &deed);
}

void archive_clocks(struct archive *archive, const char *id, const int64_t left[2]) {
    struct deed deed = {.statements = 0};
    add_clocks(&deed, id, left);
    archive_do(archive, &deed);
}

void archive_end(struct archive *archive, const char *id, const char *result, const char *reason,
                 const char *forfeit) {
    struct deed deed = {.statements = 0};
    add_statement(&deed, SET_END);
    add_text(&deed, id);
    add_text(&deed, result);
    add_text(&deed, reason);
    add_text(&deed, forfeit);
    archive_do(archive, &deed);
}

void archive_tidy(struct archive *archive) {
    struct deed deed = {.statements = 0};
    add_statement(&deed, TIDY_TURNS);
    add_number(&deed, (int64_t)ARCHIVE_KEPT_DAYS * 24 * 3600);
    add_statement(&deed, TIDY_GAMES);
    add_number(&deed, (int64_t)ARCHIVE_KEPT_DAYS * 24 * 3600);
    archive_do(archive, &deed);
}

bool archive_is_behind(struct archive *archive) {
    pthread_mutex_lock(&archive->lock);
    bool behind = !catch_up(archive);
    pthread_mutex_unlock(&archive->lock);
    return behind;
}

void archived_clear(struct archived *game) {
    free(game->request);
    free(game->result);
    free(game->reason);
    free(game->forfeit);
    free(game->taken_back);
    free(game->moves);
    for (int side = RED; side <= BLUE; side++) {
        free(game->name[side]);
        free(game->setup[side]);
    }
    *game = (struct archived){0};
}

/* A copy of a column's text; NULL if it is NULL. */
static char *column_text(sqlite3_stmt *row, int column) {
    const char *text = (const char *)sqlite3_column_text(row, column);
    return text ? strdup(text) : NULL;
}

static void read_row(sqlite3_stmt *row, struct archived *game) {
    const char *id = (const char *)sqlite3_column_text(row, 0);
    const void *key = sqlite3_column_blob(row, 2);
    snprintf(game->id, sizeof game->id, "%s", id ? id : "");
    game->request = column_text(row, 1);
    if (key && sqlite3_column_bytes(row, 2) == CHANCE_BYTES)
        memcpy(game->chance.bytes, key, CHANCE_BYTES);
    game->seed = (uint64_t)sqlite3_column_int64(row, 3);
    for (int side = RED; side <= BLUE; side++) {
        const char *secret = (const char *)sqlite3_column_text(row, 4 + side);
        snprintf(game->secret[side], sizeof game->secret[side], "%s", secret ? secret : "");
        game->name[side] = column_text(row, 6 + side);
        game->setup[side] = column_text(row, 8 + side);
        game->left[side] = sqlite3_column_int64(row, 10 + side);
    }
    game->result = column_text(row, 12);
    game->reason = column_text(row, 13);
    game->forfeit = column_text(row, 14);
    /* 0: never; 1, in older files: at some time. */
    if (sqlite3_column_type(row, 15) == SQLITE_TEXT)
        game->taken_back = column_text(row, 15);
    else if (sqlite3_column_int(row, 15))
        game->taken_back = strdup("?");
}

static bool read_turns(struct archive *archive, struct archived *game) {
    sqlite3_stmt *rows = prepared(archive, GET_TURNS);
    int step = SQLITE_ERROR;
    if (!rows) return false;
    sqlite3_bind_text(rows, 1, game->id, -1, SQLITE_STATIC);
    while ((step = sqlite3_step(rows)) == SQLITE_ROW) {
        struct record_move *moves =
            array_grown(game->moves, game->move_count, sizeof *moves, RECORD_BYTES_MAX);
        const char *text = (const char *)sqlite3_column_text(rows, 0);
        if (!moves || !text) break;
        game->moves = moves;
        moves[game->move_count] = (struct record_move){.line = 0};
        snprintf(moves[game->move_count++].text, MOVE_TEXT_MAX, "%s", text);
    }
    sqlite3_reset(rows);
    return step == SQLITE_DONE;
}

static bool find(struct archive *archive, enum statement by, const char *key, struct archived *game,
                 struct fault *fault) {
    *game = (struct archived){0};
    pthread_mutex_lock(&archive->lock);
    catch_up(archive);
    sqlite3_stmt *row = prepared(archive, by);
    int step = SQLITE_ERROR;
    if (row) {
        sqlite3_bind_text(row, 1, key, -1, SQLITE_STATIC);
        step = sqlite3_step(row);
    }
    bool whole = step == SQLITE_ROW;
    if (whole) {
        read_row(row, game);
        sqlite3_reset(row);
        whole = read_turns(archive, game) && game->request;
    }
    if (!whole && step == SQLITE_DONE)
        fault_set(fault, STATUS_NOT_FOUND, "there is no such game");
    else if (!whole)
        archive_fail(archive, STATUS_SYSTEM, fault);
    if (row) sqlite3_reset(row);
    pthread_mutex_unlock(&archive->lock);
    if (!whole) archived_clear(game);
    return whole;
}

bool archive_find(struct archive *archive, const char *id, struct archived *game,
                  struct fault *fault) {
    return find(archive, FIND_GAME, id, game, fault);
}

bool archive_find_seat(struct archive *archive, const char *secret, struct archived *game,
                       struct fault *fault) {
    return find(archive, FIND_SEAT, secret, game, fault);
}

static int read_pragma(struct archive *archive, const char *sql) {
    sqlite3_stmt *statement = NULL;
    int number = -1;
    if (sqlite3_prepare_v2(archive->database, sql, -1, &statement, NULL) == SQLITE_OK &&
        sqlite3_step(statement) == SQLITE_ROW)
        number = sqlite3_column_int(statement, 0);
    sqlite3_finalize(statement);
    return number;
}

static bool prepare_tables(struct archive *archive, struct fault *fault) {
    sqlite3_busy_timeout(archive->database, BUSY_MILLISECONDS);
    int format = read_pragma(archive, "PRAGMA user_version");
    bool empty = format == 0 && read_pragma(archive, "SELECT count(*) FROM sqlite_schema") == 0;
    if (format < 0) return archive_fail(archive, STATUS_TEXT, fault);
    if (!empty && format != ARCHIVE_FORMAT) {
        fault_set(fault, STATUS_TEXT, "is no archive of games, or of another version (%d)", format);
        fault_place(fault, archive->path, 0, 0);
        return false;
    }
    if (!execute(archive, "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;"))
        return archive_fail(archive, STATUS_SYSTEM, fault);
    if (!empty) return true;
    bool made = execute(archive, "BEGIN") && execute(archive, SCHEMA) && execute(archive, "COMMIT");
    return made || archive_fail(archive, STATUS_SYSTEM, fault);
}

/* Makes the folder and holds it against other processes. */
static bool lock_folder(struct archive *archive, const char *folder, struct fault *fault) {
    if (mkdir(folder, 0700) && errno != EEXIST)
        fault_set(fault, STATUS_SYSTEM, "cannot be made: %s", strerror(errno));
    else if ((archive->folder = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)) < 0)
        fault_set(fault, STATUS_SYSTEM, "%s", strerror(errno));
    else if (flock(archive->folder, LOCK_EX | LOCK_NB))
        fault_set(fault, STATUS_USAGE, "another process keeps its games here");
    else
        return true;
    fault_place(fault, folder, 0, 0);
    return false;
}

struct archive *archive_open(const char *folder, struct fault *fault) {
    struct archive *archive = calloc(1, sizeof *archive);
    if (!archive) {
        fault_set(fault, STATUS_NO_MEMORY, "no memory for games");
        return NULL;
    }
    archive->folder = -1;
    pthread_mutex_init(&archive->lock, NULL);
    snprintf(archive->path, sizeof archive->path, "%s/games.sqlite", folder);
    bool opened = lock_folder(archive, folder, fault);
    if (opened) {
        mode_t before = umask(077);
        opened = sqlite3_open(archive->path, &archive->database) == SQLITE_OK
                     ? prepare_tables(archive, fault)
                     : archive_fail(archive, STATUS_SYSTEM, fault);
        umask(before);
    }
    if (opened) return archive;
    archive_close(archive);
    return NULL;
}

void archive_close(struct archive *archive) {
    if (!archive) return;
    archive->again_at = 0;
    catch_up(archive);
    for (size_t i = 0; i < archive->waiting_count; i++) free_deed(&archive->waiting[i]);
    free(archive->waiting);
    for (int i = 0; i < STATEMENTS; i++) sqlite3_finalize(archive->prepared[i]);
    sqlite3_close(archive->database);
    if (archive->folder >= 0) close(archive->folder);
    pthread_mutex_destroy(&archive->lock);
    free(archive);
}
