/* bot.h - one Lua bot in one game.
 *
 * A bot is a file that returns a table of callbacks (bots/README.md). It sees a `struct view` and
 * the legal moves it is handed, and nothing else. Each game has a fresh state, so that games do not
 * depend on one another. */
#ifndef ENSIGN_BOT_BOT_H
#define ENSIGN_BOT_BOT_H

#include "core/know/view.h"
#include "core/text/notation.h"
#include "lua/folders.h"
#include "lua/sandbox.h"

struct bot;
struct faults; /* base/faults.h */

/* Loads the file at `path`. `chance` is the key of its seat, with a stream of its own for each turn
 * (CHANCE_TURN, moment: 0 before the first turn; after `n` plies 2n + 2 for the move, 2n + 1 for
 * what is observed). The bot can find out all of each stream, and must be allowed to know the key.
 * NULL with a fault. */
struct bot *bot_new(const struct folders *folders, const char *path, struct sandbox_limits limits,
                    const struct chance *chance, struct fault *fault);
void bot_free(struct bot *bot);

/* Loads the file and says all that is wrong with it, by place. False if anything is. */
bool bot_examine(const struct folders *folders, const char *path, struct sandbox_limits limits,
                 char title[TITLE_MAX], struct faults *faults);

/* The file's name without folder and ending (of NAME/init.lua: NAME), and the title that the file
 * gives, else that name. Both live as long as the bot. */
const char *bot_name(const struct bot *bot);
const char *bot_title(const struct bot *bot);

enum { BOT_SETUP_NAME_MAX = 64 };

/* bot.setup(view): a set-up as text or as view:random_setup() gave it, or the name of one. A name
 * (letters, digits, '-', '_') is put into `name`, for the caller to find; else `name` is empty and
 * `setup` filled. A bot without the callback gets a random one. `view` has no pieces yet. Does not
 * judge the set-up beyond its text. */
bool bot_setup(struct bot *bot, const struct view *view, struct setup *setup,
               char name[BOT_SETUP_NAME_MAX], struct fault *fault);

/* bot.start(view), bot.observe(view, event), bot.finish(view, result); each may be absent. */
bool bot_start(struct bot *bot, const struct view *view, struct fault *fault);
bool bot_observe(struct bot *bot, const struct view *view, const struct event *event,
                 struct fault *fault);

/* Does it have the callback `observe`? Without one bot_observe() only takes notes and never fails.
 */
bool bot_observes(const struct bot *bot);

bool bot_finish(struct bot *bot, const struct view *view, struct fault *fault);

/* One of the moves that a bot was given, or a text that is still to be read and judged. */
struct bot_answer {
    bool is_text;
    size_t chosen; /* index of the move */
    char text[MOVE_TEXT_MAX];
};

/* bot.move(view). `moves` are the legal ones. */
bool bot_move(struct bot *bot, const struct view *view, const struct move *moves, size_t count,
              struct bot_answer *answer, struct fault *fault);

#endif
