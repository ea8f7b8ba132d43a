/* store_rows.c - reads the tables of a match. Every value is checked: the file may come from a
 * stranger, with pages that two others point to: numbers that do not ascend are damage. */
#include "store_inside.h"

/* A cursor over rows. Texts live until the next step. */
struct store_rows {
    struct store *store;
    sqlite3_stmt *statement;
};

static bool rows_open(struct store_rows *rows, struct store *store, const char *sql,
                      struct fault *fault) {
    *rows = (struct store_rows){.store = store};
    return database_statement(&store->database, &rows->statement, sql) ||
           database_fail(&store->database, fault);
}

/* False after the last row, and on failure, which sets `*failed`. */
static bool rows_next(struct store_rows *rows, bool *failed, struct fault *fault) {
    int code = sqlite3_step(rows->statement);
    *failed = code != SQLITE_ROW && code != SQLITE_DONE;
    if (*failed) database_fail(&rows->store->database, fault);
    return code == SQLITE_ROW;
}

static const char *row_text(const struct store_rows *rows, int column) {
    return (const char *)sqlite3_column_text(rows->statement, column);
}

/* The number in a column; clears `*sound` unless it is within 0 … `most`. */
static uint64_t row_number(const struct store_rows *rows, int column, uint64_t most, bool *sound) {
    sqlite3_int64 number = sqlite3_column_int64(rows->statement, column);
    if (number < 0 || (uint64_t)number > most) *sound = false;
    return (uint64_t)number;
}

bool store_players(struct store *store,
                   bool (*visit)(void *context, uint32_t number, const struct store_player *player,
                                 struct fault *fault),
                   void *context, struct fault *fault) {
    struct store_rows rows;
    bool failed = !rows_open(
        &rows, store, "SELECT number, name, source, hash FROM player ORDER BY number", fault);
    for (uint64_t least = 0; !failed && rows_next(&rows, &failed, fault);) {
        bool sound = true;
        uint32_t number = (uint32_t)row_number(&rows, 0, UINT32_MAX, &sound);
        const struct store_player player = {row_text(&rows, 1), row_text(&rows, 2),
                                            row_text(&rows, 3)};
        sound = sound && number >= least && player.name && player.source && player.hash;
        least = number + UINT64_C(1);
        failed = !(sound ? visit(context, number, &player, fault)
                         : database_malformed(&store->database, fault,
                                              "a row of \"player\" makes no sense"));
    }
    sqlite3_finalize(rows.statement);
    return !failed;
}

bool store_sources(struct store *store,
                   bool (*visit)(void *context, const char *path, uint64_t hash,
                                 struct fault *fault),
                   void *context, struct fault *fault) {
    struct store_rows rows;
    bool failed = !rows_open(&rows, store, "SELECT path, hash FROM source ORDER BY path", fault);
    while (!failed && rows_next(&rows, &failed, fault)) {
        uint64_t hash;
        const char *path = row_text(&rows, 0), *text = row_text(&rows, 1);
        bool sound = path && text && store_read_hash(text, &hash);
        failed = !(sound ? visit(context, path, hash, fault)
                         : database_malformed(&store->database, fault,
                                              "a row of \"source\" makes no sense"));
    }
    sqlite3_finalize(rows.statement);
    return !failed;
}

/* Nanoseconds of a column in milliseconds; clears `*sound` if it is negative or beyond all time. */
static uint64_t row_ns(const struct store_rows *rows, int column, bool *sound) {
    double ns = sqlite3_column_double(rows->statement, column) * 1e6;
    if (ns >= 0 && ns < 1e18) return (uint64_t)(ns + 0.5);
    *sound = false;
    return 0;
}

/* The five columns from `column` on; nothing where the row has no usage. */
static struct usage row_usage(const struct store_rows *rows, int column, bool *sound) {
    return (struct usage){
        .calls = row_number(rows, column, UINT32_MAX, sound),
        .metered = sqlite3_column_type(rows->statement, column + 1) != SQLITE_NULL,
        .fuel = row_number(rows, column + 1, INT64_MAX, sound),
        .fuel_greatest = row_number(rows, column + 2, INT64_MAX, sound),
        .ns = row_ns(rows, column + 3, sound),
        .ns_greatest = row_ns(rows, column + 4, sound),
    };
}

#define GAME_COLUMNS                                                                               \
    "SELECT number, red, blue, result, reason, plies, seed, red_setup, blue_setup, forfeit, hash, "

#define NO_USAGE "0, NULL, 0, 0, 0, 0, NULL, 0, 0, 0 FROM game "

static const char GAMES_SQL[] =
    GAME_COLUMNS "r.calls, r.fuel, r.fuel_greatest, r.ms, r.ms_greatest, "
                 "b.calls, b.fuel, b.fuel_greatest, b.ms, b.ms_greatest FROM game "
                 "LEFT JOIN usage AS r ON r.game = number AND r.side = 'red' "
                 "LEFT JOIN usage AS b ON b.game = number AND b.side = 'blue' "
                 "ORDER BY number";

/* False if the row is malformed. */
static bool row_game(const struct store_rows *rows, struct store_game *game) {
    bool sound = true;
    const char *result = row_text(rows, 3), *reason = row_text(rows, 4);
    const char *hash = row_text(rows, 10);
    *game = (struct store_game){
        .number = (uint32_t)row_number(rows, 0, UINT32_MAX, &sound),
        .player = {(uint32_t)row_number(rows, 1, UINT32_MAX, &sound),
                   (uint32_t)row_number(rows, 2, UINT32_MAX, &sound)},
        .result = result ? result_named(result) : RESULT_COUNT,
        .reason = reason ? reason_named(reason) : REASON_COUNT,
        .plies = (uint32_t)row_number(rows, 5, UINT32_MAX, &sound),
        .seed = row_number(rows, 6, INT64_MAX, &sound),
        .setups = {row_text(rows, 7), row_text(rows, 8)},
        .forfeit = row_text(rows, 9),
        .usage = {row_usage(rows, 11, &sound), row_usage(rows, 16, &sound)},
    };
    return sound && game->number > 0 && game->result != RESULT_COUNT &&
           game->reason != REASON_COUNT && hash && store_read_hash(hash, &game->hash);
}

bool store_games(struct store *store,
                 bool (*visit)(void *context, const struct store_game *game, struct fault *fault),
                 void *context, struct fault *fault) {
    struct store_rows rows;
    bool failed = !rows_open(&rows, store, GAMES_SQL, fault);
    for (uint64_t least = 1; !failed && rows_next(&rows, &failed, fault);) {
        struct store_game game;
        bool sound = row_game(&rows, &game) && game.number >= least;
        least = game.number + UINT64_C(1);
        failed = !(sound ? visit(context, &game, fault)
                         : database_malformed(&store->database, fault,
                                              "a row of \"game\" makes no sense"));
    }
    sqlite3_finalize(rows.statement);
    return !failed;
}

bool store_find_game(struct store *store, uint64_t hash, uint32_t named, struct store_game *game,
                     struct fault *fault) {
    /* A record that still has its name is found by the key; another costs a look at each row. */
    static const char SQL[] =
        GAME_COLUMNS NO_USAGE "WHERE number = ?1 AND hash = ?2 UNION ALL " GAME_COLUMNS NO_USAGE
                              "WHERE hash = ?2 LIMIT 1";
    struct store_rows rows;
    char text[STORE_HASH_MAX];
    *game = (struct store_game){.number = 0};
    if (!rows_open(&rows, store, SQL, fault)) return false;
    store_write_hash(hash, text);
    sqlite3_bind_int64(rows.statement, 1, named);
    sqlite3_bind_text(rows.statement, 2, text, -1, SQLITE_STATIC);
    bool failed;
    if (rows_next(&rows, &failed, fault) && !row_game(&rows, game))
        failed = !database_malformed(&store->database, fault, "a row of \"game\" makes no sense");
    game->forfeit = game->setups[0] = game->setups[1] = NULL;
    sqlite3_finalize(rows.statement);
    return !failed;
}
