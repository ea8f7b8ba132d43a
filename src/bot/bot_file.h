/* bot_file.h - the table that a bot's file returns: its callbacks, and what the bot says of itself.
 */
#ifndef ENSIGN_BOT_BOT_FILE_H
#define ENSIGN_BOT_BOT_FILE_H

#include "core/rules/rules.h"
#include "lua/folders.h"

#include <lua.h>

struct faults; /* base/fault.h */

/* How strong a bot claims to be, as an opponent for people. */
enum bot_level {
    LEVEL_NONE, /* the file gives none */
    LEVEL_BEGINNER,
    LEVEL_EASY,
    LEVEL_MEDIUM,
    LEVEL_HARD,
    LEVEL_EXPERT,
    LEVEL_MASTER,
    LEVEL_GRANDMASTER,
    LEVEL_COUNT
};

/* The words for levels, from LEVEL_BEGINNER on, ended by NULL. They are English texts for people,
 * too. */
extern const char *const BOT_LEVELS[LEVEL_COUNT];

/* "beginner"; "" for LEVEL_NONE. */
const char *bot_level_name(enum bot_level level);

enum { BOT_ABOUT_MAX = 160 }; /* bytes, with the final 0 */

/* What a bot says of itself. */
struct bot_card {
    char title[TITLE_MAX];     /* empty if the file gives none */
    char about[BOT_ABOUT_MAX]; /* how it plays, one line; the same */
    enum bot_level level;
    bool appraises; /* it has `appraise` */
};

enum bot_callback {
    BOT_SETUP,
    BOT_START,
    BOT_MOVE,
    BOT_EXPLAIN,
    BOT_APPRAISE,
    BOT_OBSERVE,
    BOT_FINISH,
    BOT_CALLBACKS
};
extern const char *const BOT_CALLBACK_NAMES[BOT_CALLBACKS];

/* Where a callback begins; line 0: unknown. */
struct bot_place {
    char file[FOLDER_PATH_MAX];
    int line;
};

struct bot_file {
    struct bot_card card;
    int ref[BOT_CALLBACKS]; /* in Lua's registry; LUA_NOREF if the bot has none */
    struct bot_place place[BOT_CALLBACKS];
};

/* Reads what is at index 1 of the stack. Its faults go to `faults`; without that the first one is
 * raised. */
void bot_file_read(lua_State *lua, struct bot_file *file, struct faults *faults);

#endif
