/* archive.c - one row a game and one a turn; a lock, and a list of what could not be written yet.
 *
 * Each write is a deed of one game: statements and their values. A deed that fails waits in memory,
 * and so does every later one, so that the file never holds a turn without those before it; where
 * the file is damaged, every later one of the same game: the rows of others may be sound, and
 * SQLite undoes what it could not do. They are tried again by a later call, but not at once: a file
 * that another process has locked must not hold up every turn of every game. If memory is too short
 * for a deed to wait, nothing is written any more: what the file holds was true once.
 *
 * `changed` is the age of the archive, in seconds, when something happened in a game last. The age
 * is kept in `ran` once an hour; after a death it is at least that of the latest change. Old games
 * are forgotten when the archive is opened, as long as nobody plays one. */
#define _GNU_SOURCE
#include "archive.h"

#include "base/buffer.h"
#include "base/clock.h"
#include "base/paths.h"
#include "host/database.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    APPLICATION = 1164866387, /* "EnsS" */
    ARCHIVE_FORMAT = 2,
    ARCHIVE_FORMER = 1,     /* `changed` was a date, and friends' secrets were their senders' too */
    BUSY_MILLISECONDS = 50, /* that a deed waits for another process */
    PAUSE_MILLISECONDS = 500, /* between trials of what waits */
    STATEMENTS_MAX = 3,       /* of a deed */
    VALUES_MAX = 14,          /* of all of them */
    WAITING_MAX = 1 << 20,    /* deeds that wait for the disk */
    DAY_SECONDS = 24 * 60 * 60,
    AGE_MAX = INT32_MAX,        /* s: 68 years */
    AGE_MILLISECONDS = 3600000, /* after which the age is kept */
};

/* Compared with the file's word for word. */
#define FORMER_SCHEMA                                                                                  \
    "CREATE TABLE game(id TEXT PRIMARY KEY NOT NULL, changed INTEGER NOT NULL, request TEXT NOT NULL," \
    "  chance BLOB NOT NULL, seed INTEGER NOT NULL, red_secret TEXT, blue_secret TEXT,"                \
    "  red_name TEXT, blue_name TEXT, red_setup TEXT, blue_setup TEXT,"                                \
    "  red_left INTEGER NOT NULL, blue_left INTEGER NOT NULL, taken_back INTEGER NOT NULL DEFAULT 0,"  \
    "  result TEXT, reason TEXT, forfeit TEXT) WITHOUT ROWID;"                                         \
    "CREATE UNIQUE INDEX red_seat ON game(red_secret) WHERE red_secret IS NOT NULL;"                   \
    "CREATE UNIQUE INDEX blue_seat ON game(blue_secret) WHERE blue_secret IS NOT NULL;"                \
    "CREATE INDEX age ON game(changed);"                                                               \
    "CREATE TABLE turn(game TEXT NOT NULL, ply INTEGER NOT NULL, move TEXT NOT NULL,"                  \
    "  PRIMARY KEY(game, ply)) WITHOUT ROWID;"

/* `ran` has one row. */
#define SINCE_FORMER                                                                               \
    "CREATE TABLE ran(seconds INTEGER NOT NULL);"                                                  \
    "ALTER TABLE game ADD COLUMN red_invite TEXT;"                                                 \
    "ALTER TABLE game ADD COLUMN blue_invite TEXT;"                                                \
    "ALTER TABLE game ADD COLUMN next TEXT;"                                                       \
    "ALTER TABLE game ADD COLUMN red_token TEXT;"                                                  \
    "ALTER TABLE game ADD COLUMN blue_token TEXT;"                                                 \
    "CREATE UNIQUE INDEX red_invited ON game(red_invite) WHERE red_invite IS NOT NULL;"            \
    "CREATE UNIQUE INDEX blue_invited ON game(blue_invite) WHERE blue_invite IS NOT NULL;"
static const char SCHEMA[] = FORMER_SCHEMA SINCE_FORMER;
static const char MARKS[] = "PRAGMA application_id = 1164866387;" /* APPLICATION */
                            "PRAGMA user_version = 2;"            /* ARCHIVE_FORMAT */
                            "INSERT INTO ran VALUES(0);";

/* The maker of a game had the secrets of all its open seats, for friends. Each of them becomes an
 * invitation, to be used once, also by a friend who sat there already. A rematch named both
 * players, and each had only the own secret. */
#define INVITED(side, other)                                                                       \
    "UPDATE game SET " side "_invite = " side "_secret, " side "_secret = new_secret(), " side     \
    "_name = NULL WHERE CASE WHEN json_valid(request) THEN request ->> '$.public' = 0"             \
    " AND request ->> '$." side "' = 'open' AND (coalesce(request ->> '$." other "', 'me') = 'me'" \
    " OR request ->> '$." other "' = 'open' AND request ->> '$.names' IS NULL) ELSE 0 END;"

static const char FROM_FORMER[] =
    "BEGIN IMMEDIATE;" SINCE_FORMER "UPDATE game SET changed = 0;" /**/
    INVITED("red", "blue") INVITED("blue", "red");

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
    SET_NEXT,
    FIND_GAME,
    FIND_SEAT,
    GET_TURNS,
    SET_RAN,
    TIDY_TURNS,
    TIDY_GAMES,
    STATEMENTS
};

#define NOW "?20" /* bound by run() */
#define OLD "(SELECT id FROM game WHERE changed < ?21)"
#define COLUMNS                                                                                    \
    "id, request, chance, seed, red_secret, blue_secret, red_name, blue_name, red_setup, "         \
    "blue_setup, red_left, blue_left, result, reason, forfeit, "                                   \
    "taken_back, red_invite, blue_invite, next, red_token, blue_token"

static const char *const SQL[STATEMENTS] = {
    [ADD_GAME] =
        "INSERT OR REPLACE INTO game(changed, " COLUMNS ") VALUES(" NOW
        ", ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, NULL, NULL, NULL, 0, ?13, ?14, NULL, "
        "NULL, NULL)",
    [SET_RED_NAME] =
        "UPDATE game SET red_name = ?2, red_token = ?3, changed = " NOW " WHERE id = ?1",
    [SET_BLUE_NAME] =
        "UPDATE game SET blue_name = ?2, blue_token = ?3, changed = " NOW " WHERE id = ?1",
    [SET_RED_SETUP] = "UPDATE game SET red_setup = ?2, changed = " NOW " WHERE id = ?1",
    [SET_BLUE_SETUP] = "UPDATE game SET blue_setup = ?2, changed = " NOW " WHERE id = ?1",
    [SET_CLOCKS] = "UPDATE game SET red_left = ?2, blue_left = ?3, changed = " NOW " WHERE id = ?1",
    [SET_TAKEN_BACK] = "UPDATE game SET taken_back = ?2, result = NULL, reason = NULL, "
                       "forfeit = NULL, changed = " NOW " WHERE id = ?1",
    [DROP_TURNS] = "DELETE FROM turn WHERE game = ?1 AND ply > ?2",
    [ADD_TURN] = "INSERT OR REPLACE INTO turn VALUES(?1, ?2, ?3)",
    [SET_END] =
        "UPDATE game SET result = ?2, reason = ?3, forfeit = ?4, changed = " NOW " WHERE id = ?1",
    [SET_NEXT] = "UPDATE game SET next = ?2, changed = " NOW " WHERE id = ?1",
    [FIND_GAME] = "SELECT " COLUMNS " FROM game WHERE id = ?1",
    [FIND_SEAT] = "SELECT " COLUMNS " FROM game WHERE red_secret = ?1 OR blue_secret = ?1"
                  " OR red_invite = ?1 OR blue_invite = ?1",
    [GET_TURNS] = "SELECT move FROM turn WHERE game = ?1 ORDER BY ply",
    [SET_RAN] = "UPDATE ran SET seconds = " NOW,
    [TIDY_TURNS] = "DELETE FROM turn WHERE game IN " OLD,
    [TIDY_GAMES] = "DELETE FROM game WHERE id IN " OLD,
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
    struct database database;
    sqlite3_stmt *prepared[STATEMENTS];
    int folder; /* locked while it is open */
    char path[1024];
    struct deed *waiting; /* oldest first */
    size_t waiting_count;
    int64_t again_at;   /* time of clock_ms() from which they are tried again */
    bool lost;          /* one of them could not be kept */
    bool stuck;         /* the disk takes nothing; else they are of damaged games */
    const char *why;    /* they wait; NULL: nothing does */
    atomic_bool behind; /* there is a `why` */
    void (*report)(void *context, const struct fault *why);
    void *context;
    int64_t age;    /* s, when it was opened */
    int64_t since;  /* clock_ms() then */
    int64_t age_at; /* clock_ms() when it is kept next */
};

static int64_t age_now(const struct archive *archive) {
    return archive->age + (clock_ms() - archive->since) / 1000;
}

static sqlite3_stmt *prepared(struct archive *archive, enum statement which) {
    return database_statement(&archive->database, &archive->prepared[which], SQL[which]);
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

/* Binds a time to a name where the statement has it. */
static void bind_time(sqlite3_stmt *statement, const char *name, int64_t seconds) {
    int index = statement ? sqlite3_bind_parameter_index(statement, name) : 0;
    if (index) sqlite3_bind_int64(statement, index, seconds);
}

static bool run(struct archive *archive, const struct deed *deed, int which, struct fault *fault) {
    sqlite3_stmt *statement = prepared(archive, deed->statement[which]);
    const int first = which ? deed->end[which - 1] : 0;
    for (int i = first; i < deed->end[which]; i++) bind(statement, i - first + 1, &deed->value[i]);
    bind_time(statement, "?20", age_now(archive));
    bind_time(statement, "?21", age_now(archive) - (int64_t)ARCHIVE_KEPT_DAYS * DAY_SECONDS);
    return database_run(&archive->database, statement, fault);
}

static bool execute(struct archive *archive, const char *sql, struct fault *fault) {
    return database_execute(&archive->database, sql, fault);
}

static bool do_deed(struct archive *archive, const struct deed *deed, struct fault *fault) {
    if (deed->statements == 1) return run(archive, deed, 0, fault);
    bool done = execute(archive, "BEGIN IMMEDIATE", fault);
    if (!done) return false;
    for (int i = 0; i < deed->statements && done; i++) done = run(archive, deed, i, fault);
    if (done && execute(archive, "COMMIT", fault)) return true;
    if (!sqlite3_get_autocommit(archive->database.handle)) execute(archive, "ROLLBACK", NULL);
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

/* The disk takes nothing. */
static void fall_behind(struct archive *archive, const struct fault *fault) {
    static const char *const WHY[] = {
        [DATABASE_DAMAGED] = "failed", [DATABASE_LOCKED] = "locked", [DATABASE_FULL] = "full"};
    const bool was_whole = !archive->why;
    archive->why = WHY[archive->database.trouble];
    atomic_store(&archive->behind, true);
    archive->again_at = clock_ms() + PAUSE_MILLISECONDS;
    if (was_whole && archive->report) archive->report(archive->context, fault);
}

static void be_whole(struct archive *archive) {
    if (!archive->why) return;
    archive->why = NULL;
    atomic_store(&archive->behind, false);
    if (archive->report) archive->report(archive->context, NULL);
}

static const char *game_of(const struct deed *deed) {
    return deed->value[0].text;
}

/* Does one of the first deeds that wait concern this game? */
static bool has_waiting(const struct archive *archive, size_t count, const char *game) {
    size_t i = 0;
    while (i < count && strcmp(game_of(&archive->waiting[i]), game) != 0) i++;
    return i < count;
}

/* Tries what waits, each game's in order, until the disk takes nothing. False if that is now. A
 * game whose rows are damaged waits alone. */
static bool catch_up(struct archive *archive) {
    struct fault fault = {0}, first = {0};
    size_t kept = 0;
    if (archive->waiting_count && clock_ms() < archive->again_at) return !archive->stuck;
    archive->stuck = archive->lost;
    for (size_t i = 0; i < archive->waiting_count; i++) {
        struct deed *deed = &archive->waiting[i];
        const bool tried = !archive->stuck && !has_waiting(archive, kept, game_of(deed));
        if (tried && do_deed(archive, deed, &fault)) {
            free_deed(deed);
            continue;
        }
        if (tried) archive->stuck = archive->database.trouble != DATABASE_DAMAGED;
        if (tried && !kept) first = fault;
        archive->waiting[kept++] = *deed;
    }
    archive->waiting_count = kept;
    if (kept) fall_behind(archive, &first);
    if (!kept && !archive->lost) be_whole(archive);
    return !archive->stuck;
}

/* Keeps the age, once in a while. */
static void keep_age(struct archive *archive) {
    static const struct deed deed = {.statement = {SET_RAN}, .statements = 1};
    if (clock_ms() < archive->age_at) return;
    archive->age_at = clock_ms() + AGE_MILLISECONDS;
    do_deed(archive, &deed, NULL);
}

static bool archive_do(struct archive *archive, const struct deed *deed) {
    struct fault fault = {0};
    pthread_mutex_lock(&archive->lock);
    bool done = catch_up(archive) && !has_waiting(archive, archive->waiting_count, game_of(deed));
    if (done && !do_deed(archive, deed, &fault)) {
        archive->stuck = archive->database.trouble != DATABASE_DAMAGED;
        fault_add(&fault, " (game %s)", game_of(deed));
        fall_behind(archive, &fault);
        done = false;
    }
    if (!done) let_wait(archive, deed);
    if (done) keep_age(archive);
    pthread_mutex_unlock(&archive->lock);
    return done;
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

bool archive_add(struct archive *archive, const struct archived *game) {
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
    for (int side = RED; side <= BLUE; side++)
        add_text(&deed, game->invite[side][0] ? game->invite[side] : NULL);
    return archive_do(archive, &deed);
}

static bool set_text(struct archive *archive, enum statement statement, const char *id,
                     const char *text) {
    struct deed deed = {.statements = 0};
    add_statement(&deed, statement);
    add_text(&deed, id);
    add_text(&deed, text);
    return archive_do(archive, &deed);
}

bool archive_name(struct archive *archive, const char *id, enum side side, const char *name,
                  const char *token) {
    struct deed deed = {.statements = 0};
    add_statement(&deed, side == RED ? SET_RED_NAME : SET_BLUE_NAME);
    add_text(&deed, id);
    add_text(&deed, name);
    add_text(&deed, *token ? token : NULL);
    return archive_do(archive, &deed);
}

bool archive_setup(struct archive *archive, const char *id, enum side side, const char *setup) {
    return set_text(archive, side == RED ? SET_RED_SETUP : SET_BLUE_SETUP, id, setup);
}

bool archive_next(struct archive *archive, const char *id, const char *next) {
    return set_text(archive, SET_NEXT, id, next);
}

static void add_clocks(struct deed *deed, const char *id, const int64_t left[2]) {
    add_statement(deed, SET_CLOCKS);
    add_text(deed, id);
    add_number(deed, left[RED]);
    add_number(deed, left[BLUE]);
}

bool archive_turn(struct archive *archive, const char *id, uint32_t ply, const char *move,
                  const int64_t left[2]) {
    struct deed deed = {.statements = 0};
    add_statement(&deed, ADD_TURN);
    add_text(&deed, id);
    add_number(&deed, ply);
    add_text(&deed, move);
    add_clocks(&deed, id, left);
    return archive_do(archive, &deed);
}

bool archive_take_back(struct archive *archive, const char *id, uint32_t ply,
                       const char *taken_back, const int64_t left[2]) {
    struct deed deed = {.statements = 0};
    add_statement(&deed, DROP_TURNS);
    add_text(&deed, id);
    add_number(&deed, ply);
    add_statement(&deed, SET_TAKEN_BACK);
    add_text(&deed, id);
    add_text(&deed, taken_back);
    add_clocks(&deed, id, left);
    return archive_do(archive, &deed);
}

bool archive_clocks(struct archive *archive, const char *id, const int64_t left[2]) {
    struct deed deed = {.statements = 0};
    add_clocks(&deed, id, left);
    return archive_do(archive, &deed);
}

bool archive_end(struct archive *archive, const char *id, const char *result, const char *reason,
                 const char *forfeit) {
    struct deed deed = {.statements = 0};
    add_statement(&deed, SET_END);
    add_text(&deed, id);
    add_text(&deed, result);
    add_text(&deed, reason);
    add_text(&deed, forfeit);
    return archive_do(archive, &deed);
}

bool archive_is_whole(struct archive *archive, const char *game, const char **why) {
    pthread_mutex_lock(&archive->lock);
    bool whole = catch_up(archive);
    if (whole) whole = game ? !has_waiting(archive, archive->waiting_count, game) : !archive->why;
    if (!whole && why) *why = archive->why;
    pthread_mutex_unlock(&archive->lock);
    return whole;
}

bool archive_seems_whole(struct archive *archive) {
    return !atomic_load(&archive->behind);
}

void archive_watch(struct archive *archive, void (*report)(void *context, const struct fault *why),
                   void *context) {
    pthread_mutex_lock(&archive->lock);
    archive->report = report;
    archive->context = context;
    pthread_mutex_unlock(&archive->lock);
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

/* The same into a place of `size` bytes; "" if it is NULL. */
static void copy_column(sqlite3_stmt *row, int column, char *out, size_t size) {
    const char *text = (const char *)sqlite3_column_text(row, column);
    snprintf(out, size, "%s", text ? text : "");
}

static void read_row(sqlite3_stmt *row, struct archived *game) {
    const void *key = sqlite3_column_blob(row, 2);
    copy_column(row, 0, game->id, sizeof game->id);
    game->request = column_text(row, 1);
    if (key && sqlite3_column_bytes(row, 2) == CHANCE_BYTES)
        memcpy(game->chance.bytes, key, CHANCE_BYTES);
    game->seed = (uint64_t)sqlite3_column_int64(row, 3);
    for (int side = RED; side <= BLUE; side++) {
        copy_column(row, 4 + side, game->secret[side], sizeof game->secret[side]);
        copy_column(row, 16 + side, game->invite[side], sizeof game->invite[side]);
        copy_column(row, 19 + side, game->token[side], sizeof game->token[side]);
        game->name[side] = column_text(row, 6 + side);
        game->setup[side] = column_text(row, 8 + side);
        game->left[side] = sqlite3_column_int64(row, 10 + side);
    }
    game->result = column_text(row, 12);
    game->reason = column_text(row, 13);
    game->forfeit = column_text(row, 14);
    copy_column(row, 18, game->next, sizeof game->next);
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
        if (moves) game->moves = moves;
        if (!moves || !text) break;
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
        whole = game->request;
    }
    if (!whole && step == SQLITE_DONE)
        fault_set(fault, STATUS_NOT_FOUND, "there is no such game");
    else if (!whole && !database_fail(&archive->database, fault))
        fault->status = STATUS_SYSTEM;
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

bool archive_read_moves(struct archive *archive, struct archived *game, struct fault *fault) {
    pthread_mutex_lock(&archive->lock);
    const bool read = read_turns(archive, game);
    if (!read && !database_fail(&archive->database, fault)) fault->status = STATUS_SYSTEM;
    pthread_mutex_unlock(&archive->lock);
    return read;
}

static bool commit_marks(struct archive *archive, struct fault *fault) {
    return execute(archive, MARKS, fault) && execute(archive, "COMMIT", fault);
}

static void new_secret(sqlite3_context *context, int count, sqlite3_value **values) {
    char secret[SECRET_MAX];
    (void)count, (void)values;
    if (secret_draw(secret))
        sqlite3_result_text(context, secret, -1, SQLITE_TRANSIENT);
    else
        sqlite3_result_error(context, "the system gives no random numbers", -1);
}

static bool convert_former(struct archive *archive, struct fault *fault) {
    struct database *database = &archive->database;
    return (sqlite3_create_function(database->handle, "new_secret", 0, SQLITE_UTF8, NULL,
                                    new_secret, NULL, NULL) == SQLITE_OK ||
            database_fail(database, fault)) &&
           execute(archive, FROM_FORMER, fault) && commit_marks(archive, fault);
}

/* Makes or checks the tables, and reads the age. */
static bool prepare_tables(struct archive *archive, struct fault *fault) {
    struct database *database = &archive->database;
    int format = database_number(database, "PRAGMA user_version");
    if (format < 0) return database_fail(database, fault);
    if (format == 0 && database_number(database, "SELECT EXISTS(SELECT 1 FROM sqlite_schema)") == 0)
        return database_enter_wal(database, fault) && execute(archive, "BEGIN IMMEDIATE", fault) &&
               execute(archive, SCHEMA, fault) && commit_marks(archive, fault);
    if (!database_is(database, APPLICATION, fault)) return false;
    if (format == ARCHIVE_FORMER)
        return database_has_schema(database, FORMER_SCHEMA, fault) &&
               database_enter_wal(database, fault) && convert_former(archive, fault);
    if (format != ARCHIVE_FORMAT) {
        fault_set(fault, STATUS_TEXT, "is an archive of another version (%d)", format);
        fault_place(fault, archive->path, 0, 0);
        return false;
    }
    return database_has_schema(database, SCHEMA, fault) && database_enter_wal(database, fault);
}

/* A file that says nonsense is not tidied ever again. */
static void read_age(struct archive *archive) {
    static const char SECONDS[] = "SELECT max(coalesce((SELECT max(seconds) FROM ran), 0),"
                                  " coalesce((SELECT max(changed) FROM game), 0))";
    sqlite3_stmt *statement = NULL;
    if (database_statement(&archive->database, &statement, SECONDS) &&
        sqlite3_step(statement) == SQLITE_ROW)
        archive->age = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    if (archive->age < 0 || archive->age > AGE_MAX) archive->age = 0;
    archive->since = clock_ms();
}

static void tidy(struct archive *archive) {
    static const struct deed deed = {.statement = {TIDY_TURNS, TIDY_GAMES}, .statements = 2};
    do_deed(archive, &deed, NULL);
}

/* Is it ours alone? Whoever may write there could exchange every game. */
static bool is_private(const struct stat *about, const char *path, struct fault *fault) {
    if (about->st_uid != geteuid())
        fault_set(fault, STATUS_USAGE, "belongs to another user");
    else if (about->st_mode & (S_IWGRP | S_IWOTH))
        fault_set(fault, STATUS_USAGE, "can be written by other users (chmod go-w)");
    else
        return true;
    fault_place(fault, path, 0, 0);
    return false;
}

/* The files must be, too; those that others can read are closed to them. */
static bool are_private(const struct archive *archive, struct fault *fault) {
    static const char *const NAMES[] = {"games.sqlite", "games.sqlite-wal", "games.sqlite-shm",
                                        "games.sqlite-journal"};
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
        struct stat about;
        if (fstatat(archive->folder, NAMES[i], &about, AT_SYMLINK_NOFOLLOW) ||
            !S_ISREG(about.st_mode))
            continue;
        if (!is_private(&about, archive->path, fault)) return false;
        if (about.st_mode & (S_IRWXG | S_IRWXO)) fchmodat(archive->folder, NAMES[i], 0600, 0);
    }
    return true;
}

/* Makes the folder and holds it against other processes. */
static bool lock_folder(struct archive *archive, const char *folder, struct fault *fault) {
    struct stat about;
    if (mkdir(folder, 0700) && errno != EEXIST)
        fault_set(fault, STATUS_SYSTEM, "cannot be made: %s", strerror(errno));
    else if (!path_is_folder(folder))
        fault_set(fault, STATUS_USAGE, "is a file; a folder is expected");
    else if ((archive->folder = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)) < 0 ||
             fstat(archive->folder, &about))
        fault_set(fault, STATUS_SYSTEM, "%s", strerror(errno));
    else if (!is_private(&about, folder, fault))
        return false;
    else if (flock(archive->folder, LOCK_EX | LOCK_NB))
        fault_set(fault, STATUS_USAGE, "another process keeps its games here");
    else
        return are_private(archive, fault);
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
    archive->database.patience = BUSY_MILLISECONDS;
    mode_t before = umask(077);
    bool opened = lock_folder(archive, folder, fault) &&
                  database_open(&archive->database, archive->path, DATABASE_MAKE, fault) &&
                  prepare_tables(archive, fault);
    umask(before);
    if (opened) {
        read_age(archive);
        tidy(archive);
        return archive;
    }
    archive_close(archive);
    return NULL;
}

void archive_close(struct archive *archive) {
    if (!archive) return;
    archive->again_at = archive->age_at = 0;
    if (archive->since && catch_up(archive)) keep_age(archive);
    for (size_t i = 0; i < archive->waiting_count; i++) free_deed(&archive->waiting[i]);
    free(archive->waiting);
    for (int i = 0; i < STATEMENTS; i++) sqlite3_finalize(archive->prepared[i]);
    database_close(&archive->database);
    if (archive->folder >= 0) close(archive->folder);
    pthread_mutex_destroy(&archive->lock);
    free(archive);
}
