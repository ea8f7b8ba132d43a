/* bot_table.h - a position and a bot that plays it, for tests of the bot API. */
#ifndef ENSIGN_TESTS_BOT_BOT_TABLE_H
#define ENSIGN_TESTS_BOT_BOT_TABLE_H

#include "bot/bot.h"
#include "core/know/view.h"
#include "core/text/layout.h"
#include "variant/variant.h"

enum { TABLE_PLIES = 256 };

struct bot_table {
    struct folders folders;
    struct rules *rules;
    struct game game;
    struct ply plies[TABLE_PLIES];
    struct view view[2];
    struct bot *bots[2]; /* get every move; may be NULL */
    struct move *moves;
    size_t count;
    char folder[64]; /* for the bots' files; removed at the end */
    struct fault fault;
};

/* A table for a stock variant; the test fails if that cannot be loaded. */
struct bot_table *bot_table_open(const char *variant);
void bot_table_close(struct bot_table *table);

/* Sets up a position: "rFa1 rMe3 bFj10 red" is two pieces of red, one of blue, red to move. */
void bot_table_place(struct bot_table *table, const char *position);

/* The same from two random set-ups. */
void bot_table_deal(struct bot_table *table, struct random *random);

/* Plays a move given as text; views and seated bots follow. */
void bot_table_play(struct bot_table *table, const char *move);

/* A bot from the text of its file, called probe.lua. NULL with table->fault. */
struct bot *bot_table_bot(struct bot_table *table, const char *text, struct sandbox_limits limits);

/* Asks a bot for the move of the side to move. */
bool bot_table_ask(struct bot_table *table, struct bot *bot, struct bot_answer *answer);

/* Whether a bot of this text moves without a fault; otherwise table->fault. */
bool bot_table_runs(struct bot_table *table, const char *text, struct sandbox_limits limits);

/* Whether this Lua expression over `view` is true for a bot to move. A failing expression is
 * printed with its error. */
bool bot_table_holds(struct bot_table *table, const char *expression);

/* The fault's text when a bot evaluates this expression; "" when there is none. */
const char *bot_table_error(struct bot_table *table, const char *expression);

/* It must be one line and hold `part`. */
void bot_table_expect_error(struct bot_table *table, const char *expression, const char *part);

#endif
