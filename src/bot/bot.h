/* bot.h - one Lua bot in one game.
 *
 * A bot is a file that returns a table of callbacks (bots/REFERENCE.md). It sees a `struct view`
 * and its legal moves, nothing else. Each game has a new Lua state, so that games are independent.
 */
#ifndef ENSIGN_BOT_BOT_H
#define ENSIGN_BOT_BOT_H

#include "bot_advice.h"
#include "bot_file.h"
#include "core/know/view.h"
#include "core/text/notation.h"
#include "lua/folders.h"
#include "lua/sandbox.h"

struct bot;
struct faults; /* base/fault.h */

/* Loads the file at `path`; NULL with a fault. `chance` is the key of the bot's seat, from which
 * each moment has its own stream (CHANCE_TURN: 0 before the first turn; after `n` plies 2n + 2 for
 * the move and 2n + 1 for events). The key must be one that the bot may know. */
struct bot *bot_new(const struct folders *folders, const char *path, struct sandbox_limits limits,
                    const struct chance *chance, struct fault *fault);
void bot_free(struct bot *bot);

/* Loads the file and lists all its faults, by place. False if it has any. The card has a title even
 * if the file gives none, unless the file cannot be loaded. */
bool bot_examine(const struct folders *folders, const char *path, struct sandbox_limits limits,
                 struct bot_card *card, struct faults *faults);

/* The file's name without folder and ending (NAME for NAME/init.lua), and the file's title, by
 * default its name. Both live as long as the bot. */
const char *bot_name(const struct bot *bot);
const char *bot_title(const struct bot *bot);

/* The line of the bot's own file where `setup` or `move` begins; 0: in none. */
int bot_line(const struct bot *bot, bool of_setup);

enum { BOT_SETUP_NAME_MAX = 64 };

/* bot.setup(view), with a view that has no pieces yet: a set-up's text fills `setup` and leaves
 * `name` empty; the name of a set-up (letters, digits, '-', '_') fills `name`, for the caller to
 * look up. A bot without the callback gets a random set-up. Checks only the text of the set-up. */
bool bot_setup(struct bot *bot, const struct view *view, struct setup *setup,
               char name[BOT_SETUP_NAME_MAX], struct fault *fault);

/* bot.start(view), bot.observe(view, event), bot.finish(view, result); each may be absent. */
bool bot_start(struct bot *bot, const struct view *view, struct fault *fault);
bool bot_observe(struct bot *bot, const struct view *view, const struct event *event,
                 struct fault *fault);

/* Does the bot have `observe`? If not, bot_observe() only keeps the history and never fails. */
bool bot_observes(const struct bot *bot);

bool bot_finish(struct bot *bot, const struct view *view, struct fault *fault);

/* One of the legal moves, or a text that the caller must read and judge. */
struct bot_answer {
    bool is_text;
    size_t chosen; /* index of the move, unless it is a text */
    char text[MOVE_TEXT_MAX];
};

/* bot.move(view); `moves` are the legal moves. */
bool bot_move(struct bot *bot, const struct view *view, const struct move *moves, size_t count,
              struct bot_answer *answer, struct fault *fault);

/* In a game with a clock, before bot_start() and bot_move(): what is left on the side's own clock,
 * and what comes back after each move, in ms; and the fuel that the first is worth. The next
 * bot_move() gets no more than that. What `observe` uses after a move is taken off the next one. */
void bot_clock(struct bot *bot, int64_t left, int64_t increment, uint64_t fuel);
/* bot.explain(view), after bot_move() in the same turn: why it chose that move. No advice from a
 * bot without the callback. */
bool bot_explain(struct bot *bot, const struct view *view, const struct move *moves, size_t count,
                 struct advice *advice, struct fault *fault);

/* bot.appraise(view), which the bot must have: its chance to win, in parts of APPRAISAL_CERTAIN,
 * after each of the legal moves; without any, as the other side is to move, one number: as things
 * stand. */
bool bot_appraise(struct bot *bot, const struct view *view, const struct move *moves, size_t count,
                  uint16_t *chances, struct fault *fault);
bool bot_appraises(const struct bot *bot);

/* Fuel that the last callback used, in Lua instructions, at most that of the limits; also if it
 * failed. In a game with a clock that of a move contains what `observe` used before it. */
uint64_t bot_fuel(const struct bot *bot);

#endif
