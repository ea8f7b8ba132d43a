/* store.h - a match on disk: "match.sqlite" in its folder, with one record file per game.
 *
 * The file is an SQLite database, which other programs may read at any time, even while the match
 * runs. bots/MATCHES.md describes its tables ("match.sqlite"), and a test compares them: `meta`,
 * `player`, `source` (every file that the match was played with, as it was read), `game` and
 * `usage`. The format's version is in `PRAGMA user_version`: 3. Earlier ones, of programs before
 * 0.2.0, have other hashes.
 *
 * Every game's row has a record and holds its hash. Only the columns `ms` and `ms_greatest` of
 * `usage` depend on the clock, nothing on the order in which games were finished.
 *
 * Keys of `meta`; those marked * are optional:
 *   ensign     version of the program         variant      the rules' name
 *   title      the rules' title               variant_path as given: a name or a path
 *   seed*      of all chance                  games        planned in all
 *   seed_check* one-way hash of the seed's key renewed*    "yes": resumed without the seed
 *   pairing    "round-robin", "gauntlet" or "versus"
 *   first      "rules", "red" or "blue"       fuel, memory, deadline   limits of a bot
 *   setups*    a file or "random"             versus*      the other family of set-ups
 *   bot*       plays both families            sprt*        "ELO0,ELO1,ALPHA,BETA"
 *   trust*     "yes"                          directory    the current folder
 *   over*      its id at a NATS server (host/machines/)
 *   command    to be typed again              arguments    the same, a JSON list of words
 *   ended*     "complete" or "decided"
 *
 * An external program can read this file. While one plays, `seed_check` stands in place of `seed`;
 * the seed, and the `command` with it, are added when the match has ended, unless it was renewed:
 * then no single seed gives all of its games. `arguments` never contains the seed. */
#ifndef ENSIGN_HOST_MATCH_STORE_H
#define ENSIGN_HOST_MATCH_STORE_H

#include "core/play/game.h"
#include "host/usage.h"

#define STORE_FILE "match.sqlite" /* in the match's folder */

enum {
    STORE_PATH_MAX = 1024,
    STORE_HASH_MAX = 17 /* bytes of a hash as text, with its final 0 */
};

struct store;

enum store_mode { STORE_READ, STORE_WRITE };

struct store_player {
    const char *name, *source; /* as in records and tables; as given by the user */
    const char *hash;          /* over all of its files */
};

struct store_game {
    uint32_t number;    /* from 1 */
    uint32_t player[2]; /* numbers of red and blue, from 0 */
    enum result result;
    enum reason reason;
    uint32_t plies;
    uint64_t seed;         /* the same for games that share chance (tournament.h) */
    struct usage usage[2]; /* by side */
    const char *setups[2]; /* one line each; NULL: none */
    const char *forfeit;   /* NULL: none */
    uint64_t hash;         /* of the record's text */
};

/* Creates a store for a new or empty folder. Its file appears, whole, with the first
 * store_commit(); if it is closed before that, nothing is left. NULL with a fault: STATUS_USAGE if
 * the folder is not empty, else STATUS_SYSTEM. */
struct store *store_create(const char *folder, struct fault *fault);

/* Opens the store of a folder. Only one process at a time may write. NULL with a fault:
 * STATUS_NOT_FOUND if there is none, STATUS_TEXT if the file is something else or of another
 * format, STATUS_USAGE if another process is writing, else STATUS_SYSTEM. */
struct store *store_open(const char *folder, enum store_mode mode, struct fault *fault);

/* From now on a file that another process has locked is waited for until `waits` says no; without
 * it, for five seconds. */
void store_wait(struct store *store,
                bool (*waits)(void *context, const char *path, int64_t waited_ms), void *context);

const char *store_folder(const struct store *store); /* as it was given */

/* Commits, unless the store is new, and frees; NULL is allowed. A writer leaves everything in the
 * one file. */
void store_close(struct store *store);

/* Is the file still where it was opened, or is there none yet? False with a fault: what is written
 * to the folder now would belong to another match, or to none. */
bool store_in_place(const struct store *store, struct fault *fault);

/* Writes between these two are atomic: the file holds all of them or none. A new store has begun
 * already. */
bool store_begin(struct store *store, struct fault *fault);
bool store_commit(struct store *store, struct fault *fault);

/* These replace a row with the same key, number or path. False with a STATUS_SYSTEM fault. */
bool store_put_meta(struct store *store, const char *key, const char *value, struct fault *fault);
bool store_put_player(struct store *store, uint32_t number, const struct store_player *player,
                      struct fault *fault);
bool store_put_source(struct store *store, const char *path, uint64_t hash, struct fault *fault);
bool store_put_game(struct store *store, const struct store_game *game, struct fault *fault);

/* Removes the rows of the games from `first` to `last`; the caller removes their records. */
bool store_drop_games(struct store *store, uint32_t first, uint32_t last, struct fault *fault);

/* The value of a key; NULL if missing or unreadable. Lives until the next call for meta. */
const char *store_meta(struct store *store, const char *key);

/* The same as a number, of any size or from `least` to `most`. False with a STATUS_TEXT fault if it
 * is missing or no such number. */
bool store_meta_number(struct store *store, const char *key, uint64_t *number, struct fault *fault);
bool store_meta_within(struct store *store, const char *key, uint64_t least, uint64_t most,
                       uint64_t *number, struct fault *fault);

/* Call `visit` with each row in order of number or path; its texts live for that call. A visit that
 * returns false, having filled `fault`, ends the loop. False with a fault if a visit failed or a
 * row cannot be read (STATUS_TEXT if it is malformed). */
bool store_players(struct store *store,
                   bool (*visit)(void *context, uint32_t number, const struct store_player *player,
                                 struct fault *fault),
                   void *context, struct fault *fault);
bool store_sources(struct store *store,
                   bool (*visit)(void *context, const char *path, uint64_t hash,
                                 struct fault *fault),
                   void *context, struct fault *fault);
bool store_games(struct store *store,
                 bool (*visit)(void *context, const struct store_game *game, struct fault *fault),
                 void *context, struct fault *fault);

/* Finds the game whose record has this hash: of several the one with the number `named`, else the
 * first. It comes without texts and usage, with number 0 if there is none. False with a fault if
 * the rows cannot be read. */
bool store_find_game(struct store *store, uint64_t hash, uint32_t named, struct store_game *game,
                     struct fault *fault);

/* "FOLDER/0001.rec": the path of a game's record, in a match of `games` games in all. */
void store_record_path(const char *folder, uint32_t games, uint32_t number,
                       char path[STORE_PATH_MAX]);

/* The same for what "red", "blue" or the "variant" printed: "0001-red.log". */
void store_log_path(const char *folder, uint32_t games, uint32_t number, const char *whose,
                    char path[STORE_PATH_MAX]);

/* A hash as 16 hexadecimal digits, and back; false if the text is anything else. */
void store_write_hash(uint64_t hash, char out[STORE_HASH_MAX]);
bool store_read_hash(const char *text, uint64_t *hash);

#endif
