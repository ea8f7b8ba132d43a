/* store.h - a match on disk: "match.sqlite" in its folder, and a record a game beside it.
 *
 * The file is an SQLite database (format version in `PRAGMA user_version`), which other programs
 * may read at any time, also while the match runs:
 *
 *   meta(key, value)      what the match is, as texts; see below
 *   player(number, name, source, hash)
 *   source(path, hash)    every file that the match was played with, as it was then
 *   game(number, red, blue, result, reason, plies, seed, red_setup, blue_setup, forfeit, hash)
 *
 * Games count from 1, players from 0. Results and reasons are the names of records; set-ups are
 * those that stood on the board, NULL where a player laid out none that was accepted; `forfeit`
 * says why the loser of a forfeit lost, else it is NULL. A game's row is there only when its record
 * is, whose XXH3 hash it holds (16 hexadecimal digits, as all hashes). Nothing depends on the clock
 * or on the order in which games were finished.
 *
 * Keys of `meta`; those marked * are there only where the match has such a thing:
 *   ensign     version of the program         variant      the rules' name
 *   title      the rules' title               variant_path what was asked for: a name or a path
 *   seed*      of all chance                  games        planned, in all
 *   seed_check* one-way, of the seed's key    renewed*     "yes": resumed without the seed
 *   pairing    "round-robin", "gauntlet" or "versus"
 *   first      "rules", "red" or "blue"       fuel, memory, deadline   limits of a bot
 *   setups*    a file or "random"             versus*      the other family of set-ups
 *   bot*       who plays both families        sprt*        "ELO0,ELO1,ALPHA,BETA"
 *   trust*     "yes"                          directory    the current folder
 *   command    as one may type it again       arguments    the same, a JSON list of words
 *   ended*     "complete" or "decided"
 *
 * A program that plays can read this file. While one does there is `seed_check` instead of `seed`;
 * the seed and the `command` with it come when the match has ended, unless it was renewed, since
 * then no one seed gives all of its games. Words of `arguments` do not name the seed. */
#ifndef ENSIGN_HOST_MATCH_STORE_H
#define ENSIGN_HOST_MATCH_STORE_H

#include "core/play/game.h"

enum {
    STORE_PATH_MAX = 1024,
    STORE_HASH_MAX = 17 /* bytes of a hash as text, with its final 0 */
};

struct store;

enum store_mode { STORE_READ, STORE_WRITE };

struct store_player {
    const char *name, *source; /* as in records and tables; what was asked for */
    const char *hash;          /* over all files that it consists of */
};

struct store_game {
    uint32_t number;    /* from 1 */
    uint32_t player[2]; /* numbers of red and blue, from 0 */
    enum result result;
    enum reason reason;
    uint32_t plies;
    uint64_t seed;         /* tells which games shared chance (tournament.h) */
    const char *setups[2]; /* one line each; NULL: none */
    const char *forfeit;   /* NULL: none */
    uint64_t hash;         /* of the record's text */
};

/* A store in a folder that is new or empty. NULL with a fault: STATUS_USAGE if the folder holds
 * anything, else STATUS_SYSTEM. */
struct store *store_create(const char *folder, struct fault *fault);

/* The store of a folder, to be read or written on. Only one process at a time may write. NULL with
 * a fault: STATUS_NOT_FOUND if there is none, STATUS_TEXT if the file is something else,
 * STATUS_USAGE if another process is writing, else STATUS_SYSTEM. */
struct store *store_open(const char *folder, enum store_mode mode, struct fault *fault);

const char *store_folder(const struct store *store); /* as it was given */

/* Removes the files of a store that has just been created, and frees it. */
void store_discard(struct store *store);

/* Commits and frees; NULL is allowed. After a writer has closed all is in the one file. */
void store_close(struct store *store);

/* Between these two writes are kept together: all of them are in the file, or none. */
bool store_begin(struct store *store, struct fault *fault);
bool store_commit(struct store *store, struct fault *fault);

/* Writers replace what has the same key, number or path. False with a STATUS_SYSTEM fault. */
bool store_put_meta(struct store *store, const char *key, const char *value, struct fault *fault);
bool store_put_player(struct store *store, uint32_t number, const struct store_player *player,
                      struct fault *fault);
bool store_put_source(struct store *store, const char *path, uint64_t hash, struct fault *fault);
bool store_put_game(struct store *store, const struct store_game *game, struct fault *fault);

/* Removes all games after `last`; their records are the caller's to remove. */
bool store_drop_games(struct store *store, uint32_t last, struct fault *fault);

/* The value of a key; NULL if it is not there (no fault) or cannot be read. Lives until the next
 * call for meta. */
const char *store_meta(struct store *store, const char *key);

/* A number among meta: false with a STATUS_TEXT fault if it is not there or none. */
bool store_meta_number(struct store *store, const char *key, uint64_t *number, struct fault *fault);

/* Calls `visit` with each row in order of number or path; what it is given lives for that call.
 * A visit that returns false ends it. False with a fault if a row cannot be read (STATUS_TEXT:
 * somebody has written to the file) or a visit failed, which fills the same fault. */
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

/* "FOLDER/0001.rec": where the record of a game lies, in a match of so many games in all. */
void store_record_path(const char *folder, uint32_t games, uint32_t number,
                       char path[STORE_PATH_MAX]);

/* 16 digits, and back; false if they are none. */
void store_write_hash(uint64_t hash, char out[STORE_HASH_MAX]);
bool store_read_hash(const char *text, uint64_t *hash);

#endif
