/* bot.c - one bot: its sandbox, its callbacks and its view.
 *
 * The file's table is read once, at loading; later changes to it have no effect. Callbacks run in
 * sandbox_call() by a C function that also builds the arguments, so that running out of memory
 * there is the bot's failure. */
#include "bot.h"

#include "base/fault.h"
#include "base/paths.h"
#include "base/words.h"
#include "core/play/calls.h"
#include "core/text/layout.h"
#include "lua/logbook.h"
#include "lua/sandbox.h"
#include "lua/source_map.h"
#include "view_arguments.h"
#include "view_text.h"

#include <lauxlib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct bot {
    struct sandbox *sandbox;
    struct view_lua view;
    int view_ref;
    struct bot_file file;
    struct advice *advice; /* of the call to `explain` that runs */
    uint16_t *chances;     /* of the call to `appraise` that runs */
    uint64_t fuel_max;     /* of a callback */
    uint64_t used;         /* by the last one */
    uint64_t observed;     /* used by `observe` since the last move */
    uint64_t clock_fuel;   /* left on the clock */
    uint64_t moment;       /* whose random stream the sandbox draws from */
    char path[FOLDER_PATH_MAX];
    char name[TITLE_MAX];
    struct faults *faults; /* collects the table's faults; NULL: the first one is raised */
};

/* Places a fault of what a callback returned. */
static void place_answer(const struct bot *bot, enum bot_callback callback, struct fault *fault) {
    const struct bot_place *place = &bot->file.place[callback];
    fault_place(fault, place->line ? place->file : bot->path, place->line, 0);
}

/* Reads the table that the file returned; the arguments are that table and the `struct bot`. */
static int open_bot(lua_State *lua) {
    struct bot *bot = lua_touserdata(lua, 2);
    bot_file_read(lua, &bot->file, bot->faults);
    view_lua_push(&bot->view, lua, bot->sandbox);
    bot->view_ref = luaL_ref(lua, LUA_REGISTRYINDEX);
    return 0;
}

/* A view that is printed shows its board. */
static bool show_view(void *context, lua_State *lua, int index, struct logbook *book) {
    const struct view_lua *view = context;
    char text[VIEW_TEXT_MAX];
    if (!view->view || lua_touserdata(lua, index) != view->handle) return false;
    logbook_add(book, text, view_text(view->view, text));
    return true;
}

static void watch_bot(struct bot *bot, const struct sandbox_watch *watch) {
    bot->sandbox->watch = *watch;
    if (!watch->log) return;
    watch->log->show = show_view;
    watch->log->context = &bot->view;
}

/* Loads the file. Faults of its table go to `faults`, or the first to `fault` if that is NULL. */
static struct bot *load_bot(const struct folders *folders, const char *path,
                            struct sandbox_limits limits, const struct chance *chance,
                            struct faults *faults, struct fault *fault) {
    struct bot *bot = calloc(1, sizeof *bot);
    if (!bot) {
        fault_set(fault, STATUS_NO_MEMORY, "no memory for a bot");
        return NULL;
    }
    for (int i = 0; i < BOT_CALLBACKS; i++) bot->file.ref[i] = LUA_NOREF;
    bot->fuel_max = limits.fuel;
    snprintf(bot->path, sizeof bot->path, "%s", path);
    path_script_name(path, bot->name, sizeof bot->name);
    bot->faults = faults;
    bot->sandbox = sandbox_new(folders->scripts, path, limits, fault);
    if (!bot->sandbox) goto failed;
    if (folders->watch) watch_bot(bot, folders->watch);
    sandbox_chance(bot->sandbox, chance, 0);
    bot->sandbox->reader = folders_reader(folders);
    if (!sandbox_run_file(bot->sandbox, path, fault)) goto failed;
    lua_State *lua = bot->sandbox->lua;
    lua_pushcfunction(lua, open_bot);
    lua_insert(lua, -2);
    lua_pushlightuserdata(lua, bot);
    if (!sandbox_call(bot->sandbox, 2, 0, NULL, fault)) {
        if (!fault->file[0]) fault_place(fault, path, 0, 0);
        goto failed;
    }
    return bot;
failed:
    bot_free(bot);
    return NULL;
}

struct bot *bot_new(const struct folders *folders, const char *path, struct sandbox_limits limits,
                    const struct chance *chance, struct fault *fault) {
    struct fault own = {0};
    return load_bot(folders, path, limits, chance, NULL, fault ? fault : &own);
}

/* Places the faults of the table at their keys. */
static void place_faults(const struct folders *folders, const char *path, struct faults *faults) {
    const struct reader *reader = folders_reader(folders);
    long size = reader->size(reader->context, path);
    char *text = size >= 0 ? malloc((size_t)size + 1) : NULL;
    long length = text ? reader->read(reader->context, path, text, (size_t)size) : -1;
    if (length >= 0) text[length] = 0;
    for (size_t i = 0; i < faults->count; i++) {
        struct remark *remark = &faults->list[i];
        if (remark->fault.file[0]) continue;
        struct source_place place = {0};
        if (length >= 0) place = source_map_find(text, (size_t)length, remark->key);
        fault_place(&remark->fault, path, place.line ? place.line : 1, place.column);
    }
    free(text);
}

bool bot_examine(const struct folders *folders, const char *path, struct sandbox_limits limits,
                 struct bot_card *card, struct faults *faults) {
    struct fault fault = {0};
    struct bot *bot = load_bot(folders, path, limits, &(const struct chance){{0}}, faults, &fault);
    if (!bot) remark_explain(faults_add(faults, &fault), "bots/REFERENCE.md");
    *card = bot ? bot->file.card : (struct bot_card){0};
    if (bot) snprintf(card->title, sizeof card->title, "%s", bot_title(bot));
    bot_free(bot);
    place_faults(folders, path, faults);
    faults_sort(faults, path);
    return faults->errors == 0;
}

void bot_free(struct bot *bot) {
    if (!bot) return;
    sandbox_free(bot->sandbox);
    view_lua_clear(&bot->view);
    free(bot);
}

const char *bot_title(const struct bot *bot) {
    return bot->file.card.title[0] ? bot->file.card.title : bot->name;
}

const char *bot_name(const struct bot *bot) {
    return bot->name;
}

bool bot_observes(const struct bot *bot) {
    return bot->file.ref[BOT_OBSERVE] != LUA_NOREF;
}

/* Calls a callback with the view, and with the event or the end of the game. */
static int run_callback(lua_State *lua) {
    struct bot *bot = lua_touserdata(lua, 1);
    enum bot_callback callback = (enum bot_callback)lua_tointeger(lua, 2);
    const struct event *event = lua_touserdata(lua, 3);
    int arguments = 1;
    lua_rawgeti(lua, LUA_REGISTRYINDEX, bot->file.ref[callback]);
    lua_rawgeti(lua, LUA_REGISTRYINDEX, bot->view_ref);
    if (callback == BOT_OBSERVE) {
        view_lua_push_event(&bot->view, lua, event);
        arguments = 2;
    } else if (callback == BOT_FINISH) {
        sandbox_push_text(lua, result_name((enum result)bot->view.view->result));
        sandbox_push_text(lua, reason_name((enum reason)bot->view.view->reason));
        arguments = 3;
    }
    lua_call(lua, arguments, 1);
    if (callback == BOT_EXPLAIN) bot_advice_read(lua, &bot->view, bot->advice);
    if (callback == BOT_APPRAISE) bot_appraisal_read(lua, &bot->view, bot->chances);
    return 1;
}

/* Each turn has its own random stream, and so have the events after it: a bot that takes over a
 * game draws the same numbers as one that played it from the start. A second call in the same
 * moment continues the stream. The key is the seat's, or that of math.randomseed. */
static void turn_chance(struct bot *bot, enum bot_callback callback, const struct view *view) {
    if (callback != BOT_MOVE && callback != BOT_EXPLAIN && callback != BOT_APPRAISE &&
        callback != BOT_OBSERVE)
        return;
    uint64_t moment = 2 * (uint64_t)view->plies + (callback == BOT_OBSERVE ? 1 : 2);
    if (moment == bot->moment) return;
    bot->moment = moment;
    sandbox_chance(bot->sandbox, &bot->sandbox->key, moment);
}

/* The fuel of a callback: with a clock a move has no more than is left on it. */
static uint64_t fuel_for(const struct bot *bot, enum bot_callback callback) {
    enum { FUEL_LEAST = 1000 };
    if (callback != BOT_MOVE || !bot->view.clock.running) return bot->fuel_max;
    uint64_t fuel = bot->clock_fuel;
    fuel = fuel > bot->observed + FUEL_LEAST ? fuel - bot->observed : FUEL_LEAST;
    return fuel < bot->fuel_max ? fuel : bot->fuel_max;
}

static void count_fuel(struct bot *bot, enum bot_callback callback) {
    bot->used = sandbox_fuel_used(bot->sandbox);
    if (callback == BOT_OBSERVE) bot->observed += bot->used;
    if (callback != BOT_MOVE) return;
    if (bot->view.clock.running) bot->used += bot->observed;
    bot->observed = 0;
}

/* Leaves the callback's result on the stack; false if the callback fails. */
static bool call_back(struct bot *bot, enum bot_callback callback, const struct view *view,
                      const struct move *moves, size_t count, const struct event *event,
                      struct fault *fault) {
    lua_State *lua = bot->sandbox->lua;
    turn_chance(bot, callback, view);
    view_lua_enter(&bot->view, view, moves, count);
    bot->sandbox->limits.fuel = fuel_for(bot, callback);
    bot->view.paid = calls_paid();
    uint64_t *payer = calls_pay_from(&bot->sandbox->fuel_left); /* for games that it imagines */
    lua_pushcfunction(lua, run_callback);
    lua_pushlightuserdata(lua, bot);
    lua_pushinteger(lua, callback);
    lua_pushlightuserdata(lua, (void *)(uintptr_t)event);
    bool ok = sandbox_call(bot->sandbox, 3, 1, BOT_CALLBACK_NAMES[callback], fault);
    calls_pay_from(payer);
    calls_take(NULL); /* a failure in an imagined game is none of the true one */
    count_fuel(bot, callback);
    view_lua_leave(&bot->view);
    if (!ok && fault && fault->status == STATUS_FUEL)
        fault_add(fault, "; view:fuel() tells what is left");
    if (!ok && fault && !fault->file[0]) fault_place(fault, bot->path, 0, 0);
    return ok;
}

/* Calls a callback without a result, if the bot has it. */
static bool notify(struct bot *bot, enum bot_callback callback, const struct view *view,
                   const struct event *event, struct fault *fault) {
    if (bot->file.ref[callback] == LUA_NOREF) return true;
    if (!call_back(bot, callback, view, NULL, 0, event, fault)) return false;
    lua_settop(bot->sandbox->lua, 0);
    return true;
}

bool bot_setup(struct bot *bot, const struct view *view, struct setup *setup,
               char name[BOT_SETUP_NAME_MAX], struct fault *fault) {
    name[0] = 0;
    if (bot->file.ref[BOT_SETUP] == LUA_NOREF)
        return setup_random(view->rules, (enum side)view->side, sandbox_random(bot->sandbox), setup,
                            fault);
    if (!call_back(bot, BOT_SETUP, view, NULL, 0, NULL, fault)) return false;
    lua_State *lua = bot->sandbox->lua;
    struct fault wrong = {0};
    bool ok = false;
    if (lua_type(lua, -1) == LUA_TSTRING) {
        size_t length;
        const char *text = lua_tolstring(lua, -1, &length);
        ok = setup_read(view->rules, (enum side)view->side, text, length, setup, &wrong);
        /* In a zone of several ranks a single word is not a set-up, so it must be a name. */
        if (!ok && word_is_name(text) && strlen(text) == length) {
            memcpy(name, text, length + 1);
            ok = true;
        }
        if (!ok) {
            fault_repeat(fault, &wrong);
            fault_within(fault, "in setup: line %d, column %d of the set-up", wrong.line,
                         wrong.column);
        }
    } else {
        fault_set(fault, STATUS_SCRIPT, "in setup: returned %s, expected a set-up's text or name",
                  luaL_typename(lua, -1));
    }
    if (!ok) place_answer(bot, BOT_SETUP, fault);
    lua_settop(lua, 0);
    return ok;
}

bool bot_start(struct bot *bot, const struct view *view, struct fault *fault) {
    return notify(bot, BOT_START, view, NULL, fault);
}

bool bot_observe(struct bot *bot, const struct view *view, const struct event *event,
                 struct fault *fault) {
    view_lua_follow(&bot->view, view, event);
    return notify(bot, BOT_OBSERVE, view, event, fault);
}

bool bot_finish(struct bot *bot, const struct view *view, struct fault *fault) {
    return notify(bot, BOT_FINISH, view, NULL, fault);
}

/* Reads the answer on top of the stack. */
static bool read_answer(struct bot *bot, const struct move *moves, size_t count,
                        struct bot_answer *answer, struct fault *fault) {
    lua_State *lua = bot->sandbox->lua;
    *answer = (struct bot_answer){.is_text = false};
    if (lua_type(lua, -1) == LUA_TSTRING) {
        size_t length;
        const char *text = lua_tolstring(lua, -1, &length);
        if (length >= sizeof answer->text || strlen(text) != length) {
            return fault_set(fault, STATUS_ILLEGAL_MOVE,
                             "in move: returned a text of %zu bytes, which is not a move", length);
        }
        answer->is_text = true;
        memcpy(answer->text, text, length + 1);
        return true;
    }
    int is_integer = 0;
    lua_Integer packed = 0;
    if (lua_type(lua, -1) == LUA_TNUMBER) packed = lua_tointegerx(lua, -1, &is_integer);
    if (!is_integer) {
        return fault_set(fault, STATUS_SCRIPT,
                         "in move: returned %s, expected a move or its text: does every way "
                         "through the function return one of view:moves()?",
                         luaL_typename(lua, -1));
    }
    const struct move move = move_unpack(packed);
    bool is_move = move_pack(move) == packed;
    for (size_t i = 0; is_move && i < count; i++) {
        if (!move_equal(moves[i], move)) continue;
        answer->chosen = i;
        return true;
    }
    return fault_set(fault, STATUS_ILLEGAL_MOVE,
                     "in move: returned %lld, which is not one of the %zu legal moves; ask "
                     "view:moves() in each turn",
                     (long long)packed, count);
}

bool bot_move(struct bot *bot, const struct view *view, const struct move *moves, size_t count,
              struct bot_answer *answer, struct fault *fault) {
    if (!call_back(bot, BOT_MOVE, view, moves, count, NULL, fault)) return false;
    bool ok = read_answer(bot, moves, count, answer, fault);
    if (!ok) place_answer(bot, BOT_MOVE, fault);
    lua_settop(bot->sandbox->lua, 0);
    return ok;
}

int bot_line(const struct bot *bot, bool of_setup) {
    const struct bot_place *place = &bot->file.place[of_setup ? BOT_SETUP : BOT_MOVE];
    return strcmp(place->file, bot->path) != 0 ? 0 : place->line;
}

bool bot_explain(struct bot *bot, const struct view *view, const struct move *moves, size_t count,
                 struct advice *advice, struct fault *fault) {
    *advice = (struct advice){0};
    bot->advice = advice;
    if (bot->file.ref[BOT_EXPLAIN] == LUA_NOREF) return true;
    bool ok = call_back(bot, BOT_EXPLAIN, view, moves, count, NULL, fault);
    if (ok) lua_settop(bot->sandbox->lua, 0);
    if (!ok) advice->count = 0;
    return ok;
}

bool bot_appraises(const struct bot *bot) {
    return bot->file.card.appraises;
}

bool bot_appraise(struct bot *bot, const struct view *view, const struct move *moves, size_t count,
                  uint16_t *chances, struct fault *fault) {
    bot->chances = chances;
    if (!call_back(bot, BOT_APPRAISE, view, moves, count, NULL, fault)) return false;
    lua_settop(bot->sandbox->lua, 0);
    return true;
}

uint64_t bot_fuel(const struct bot *bot) {
    return bot->used;
}

void bot_clock(struct bot *bot, int64_t left, int64_t increment, uint64_t fuel) {
    bot->view.clock.running = true;
    bot->view.clock.left = left;
    bot->view.clock.increment = increment;
    bot->clock_fuel = fuel;
}
