/* support.h - what the tests of the core share: the stock variants, and a game set up from texts.
 *
 * Every function fails the running test with a message on an error. */
#ifndef ENSIGN_TESTS_CORE_SUPPORT_H
#define ENSIGN_TESTS_CORE_SUPPORT_H

#include "core/know/eyes.h"
#include "core/text/layout.h"
#include "core/text/notation.h"

enum { STOCK_COUNT = 15, STOCK_LANES = 11 /* the first ones fit the lanes */, TABLE_PLIES = 600 };

extern const char *const STOCK[STOCK_COUNT];

/* The rules of a stock variant, loaded once and shared; freed by stock_clear(). */
const struct rules *stock_rules(const char *name);
void stock_clear(void);

/* The rules of a variant of variants/examples; the caller frees. */
struct rules *example_rules(const char *name);

/* cmocka's group teardown that frees the stock rules. */
int stock_teardown(void **state);

/* A game with its history and the two views that follow it. */
struct table {
    const struct rules *rules;
    struct game game;
    struct ply plies[TABLE_PLIES];
    struct view view[2];
    struct events events; /* of the last turn */
};

/* Starts a game of a stock variant in a position given as text; `limits` NULL: without limits. */
void table_start(struct table *table, const char *variant, const char *position,
                 const struct limits *limits);

/* The same from single pieces: side, letter and square of each, then the side to move, as in
 * "rFa1 rMb4 bFj10 b9b5 red". */
void table_set(struct table *table, const char *variant, const char *pieces);

/* Judges a move given as text. */
enum verdict table_judge(struct table *table, const char *move);

/* Plays moves separated by blanks, all of which must be legal. */
void table_play(struct table *table, const char *moves);

square table_square(const struct table *table, const char *text);
kind_id table_kind(const struct table *table, const char *name);

/* The kind on a square, or KIND_NONE. */
kind_id table_at(const struct table *table, const char *at);

/* The piece that `side` sees on a square; there must be one. */
const struct view_piece *table_seen(const struct table *table, enum side side, const char *at);

/* Events of that type in the last turn. */
int table_events(const struct table *table, enum event_type type);

/* Both views, as they are at the start of a game. */
void views_start(struct view view[2], const struct game *game);

/* Starts a game from random set-ups, red first, with both sides' eyes; `plies` has room for
 * TABLE_PLIES. */
void random_start(const struct rules *rules, struct random *random, struct game *game,
                  struct ply *plies, struct eyes *eyes);

/* The number of positions of a random comparison: a million, ten million with ENSIGN_LONG=1, a
 * tenth under sanitizers, or ENSIGN_POSITIONS. */
uint64_t positions_wanted(void);

#endif
