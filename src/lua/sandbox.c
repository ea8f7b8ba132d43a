/* sandbox.c - the state's life and its three budgets: memory, fuel, time.
 *
 * Memory is counted in the allocator. A refused allocation lets Lua collect and try again; if that
 * fails too the call ends. Fuel is counted by a hook every `step` instructions and by
 * sandbox_charge() in library functions whose work grows with their arguments. Once a budget is
 * used up `stopped` is set, the hook fires at every instruction and raises each time, and `pcall`
 * (sandbox_library.c) passes the error on: no script survives its own stop. The clock is a backstop
 * for work that neither counts, such as whether long strings are equal.
 *
 * Finalizers, closing functions and weak tables are disabled (metamethods.c). There are no
 * coroutines: each would need its own hook. sandbox_library.c defines the library; only `require`
 * is here, since it reads files. */
#include "sandbox.h"

#include "base/clock.h"
#include "base/lines.h"
#include "base/paths.h"
#include "base/utf8.h"
#include "base/words.h"
#include "comparison.h"
#include "hash_seed.h"
#include "metamethods.h"
#include "profile.h"
#include "source_map.h"
#include "table_slots.h"

#include <lauxlib.h>
#include <locale.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    HOOK_INSTRUCTIONS = 1000,
    CHARGED_STRING_MIN = 1024,
    CHARGED_STRING_SHARE = 64,
    RESERVE_SHARE = 16,
    REQUIRE_COST = 200,   /* of a module */
    LOOK_COST = 3000,     /* of asking whether a file exists: the host may have to look for it */
    CHARGE_COST = 16,     /* share of a charge by C code in UNWATCHED_MAX */
    CALLS_DEEP = 200,     /* calls inside each other: as many as Lua lets C functions have */
    UNWATCHED_MAX = 20000 /* fuel charged by C code between checks of the clock */
};

const struct sandbox_limits SANDBOX_DEFAULTS = {50u * 1000 * 1000, 64u << 20};

/* Key of the registry: modules by the names of their files. */
static const char MODULES;

enum { SCRIPT_NAME_MAX = 256 };

/* A file that was run. Scripts know it by a name without its folder, so that no message that they
 * can read, and no byte that they hold, depends on where it lies. */
struct sandbox_file {
    struct sandbox_file *next;
    char name[SCRIPT_NAME_MAX]; /* unique; Lua's chunk name is '@' and this */
    char brief[LUA_IDSIZE];     /* the form of it that Lua puts before messages */
    char path[2 * SANDBOX_PATH_MAX];
    char folder[SANDBOX_PATH_MAX]; /* where it looks for modules */
};

static const int64_t SECOND = 1000000000; /* ns */

/* Has the call run for SANDBOX_SECONDS? The thread's CPU time costs a system call, so it is read
 * only after a second of wall time, counted from the first check, which a short call never makes.
 * From then on only CPU time counts: a busy machine ends no call. */
static bool is_late(struct sandbox *sandbox) {
    if (sandbox->watch.profile) return false; /* it takes many times as long */
    const int64_t most = (SANDBOX_SECONDS - 1) * SECOND;
    int64_t now = clock_ns();
    if (!sandbox->look_at) sandbox->look_at = now + SECOND;
    if (now <= sandbox->look_at) return false;
    int64_t own = clock_thread_ns();
    if (!sandbox->own_from) sandbox->own_from = own;
    int64_t used = own - sandbox->own_from;
    if (used >= most) return true;
    sandbox->look_at = now + (most - used);
    return false;
}

struct sandbox *sandbox_of(lua_State *lua) {
    return *(struct sandbox **)lua_getextraspace(lua);
}

static bool note_place(lua_State *lua);

/* Notes where memory ran out: Lua raises that without calling a message handler. Reading the stack
 * allocates nothing. Once the script's functions have been left, C code may be refused again. */
static void note_refusal(struct sandbox *sandbox, bool too_long) {
    lua_Debug record;
    sandbox->refused = true;
    if (note_place(sandbox->lua))
        sandbox->deep = !too_long && lua_getstack(sandbox->lua, CALLS_DEEP, &record);
}

static bool can_save(const struct sandbox *sandbox) {
    return sandbox->rest.most;
}

/* Charges for long strings here, because many operators and functions make them in one
 * instruction. Short strings and tables stay free: whether they are allocated anew depends on the
 * collector, and fuel must be the same on every run.
 *
 * After a refusal Lua collects garbage and asks again. The second request succeeds only if that
 * freed a sixteenth of the cap; otherwise a script at its cap would run a full collection for every
 * few bytes. */
static void *sandbox_allocate(void *context, void *block, size_t old_size, size_t new_size) {
    struct sandbox *sandbox = context;
    bool string = !block && old_size == LUA_TSTRING;
    bool object =
        !block && new_size <= SANDBOX_OBJECT_MAX &&
        (old_size == LUA_TTABLE || old_size == LUA_TFUNCTION || old_size == LUA_TUSERDATA);
    if (!block) old_size = 0;
    if (new_size == 0) {
        if (block && !arena_give(&sandbox->objects, block, old_size) &&
            !arena_give(&sandbox->rest, block, old_size))
            free(block);
        sandbox->memory_used -= old_size;
        return NULL;
    }
    if (sandbox->depth > 0 && new_size > old_size) {
        size_t used = sandbox->memory_used - old_size, most = sandbox->limits.memory;
        bool again = sandbox->collected;
        if (again) most -= most / RESERVE_SHARE;
        sandbox->collected = false;
        bool too_long = string && new_size > SANDBOX_STRING_MAX + 64;
        if (used > most || new_size > most - used || too_long) {
            note_refusal(sandbox, too_long);
            sandbox->collected = !again;
            return NULL;
        }
        if (string && new_size >= CHARGED_STRING_MIN) {
            uint64_t share = new_size / CHARGED_STRING_SHARE;
            sandbox->fuel_left -= sandbox->fuel_left < share ? sandbox->fuel_left : share;
            sandbox->unplaced += share;
        }
    }
    void *fresh = object               ? arena_take(&sandbox->objects, new_size)
                  : !can_save(sandbox) ? realloc(block, new_size)
                  : block              ? arena_resize(&sandbox->rest, block, old_size, new_size)
                                       : arena_take(&sandbox->rest, new_size);
    if (fresh) sandbox->memory_used += new_size - old_size;
    return fresh;
}

static void fuel_hook(lua_State *lua, lua_Debug *record) {
    (void)record;
    struct sandbox *sandbox = sandbox_of(lua);
    if (sandbox->stopped != STATUS_OK) sandbox_stop(lua, sandbox->stopped);
    if (sandbox->fuel_left < (uint64_t)sandbox->step) sandbox_stop(lua, STATUS_FUEL);
    sandbox->fuel_left -= (uint64_t)sandbox->step;
    if (is_late(sandbox)) sandbox_stop(lua, STATUS_TIME);
}

static struct sandbox_file *file_named(const struct sandbox *sandbox, const char *source) {
    struct sandbox_file *file = source[0] == '@' ? sandbox->files : NULL;
    while (file && strcmp(file->name, source + 1) != 0) file = file->next;
    return file;
}

const char *sandbox_path(const struct sandbox *sandbox, const char *source) {
    const struct sandbox_file *file = file_named(sandbox, source);
    return file ? file->path : source;
}

/* The entry of the file at `path`; a new one is called `name`, or if another one is called that,
 * `name` and a number. */
static struct sandbox_file *file_at(lua_State *lua, const char *path, const char *name) {
    struct sandbox *sandbox = sandbox_of(lua);
    struct sandbox_file *file = sandbox->files;
    while (file && strcmp(file->path, path) != 0) file = file->next;
    if (file) return file;
    file = can_save(sandbox) ? arena_take(&sandbox->rest, sizeof *file) : malloc(sizeof *file);
    if (!file) luaL_error(lua, "not enough memory");
    memset(file, 0, sizeof *file);
    char source[SCRIPT_NAME_MAX + 1];
    snprintf(source, sizeof source, "@%.*s", SCRIPT_NAME_MAX - 16, name);
    for (int number = 2; file_named(sandbox, source); number++)
        snprintf(source, sizeof source, "@%.*s#%d", SCRIPT_NAME_MAX - 16, name, number);
    snprintf(file->name, sizeof file->name, "%s", source + 1);
    snprintf(file->path, sizeof file->path, "%s", path);
    file->next = sandbox->files;
    sandbox->files = file;
    return file;
}

/* Adds fuel to the line of the innermost function that is Lua. */
static void note_fuel(lua_State *lua, uint64_t fuel) {
    struct sandbox *sandbox = sandbox_of(lua);
    lua_Debug record;
    fuel += sandbox->unplaced;
    sandbox->unplaced = 0;
    for (int level = 0; lua_getstack(lua, level, &record); level++) {
        lua_getinfo(lua, "Sl", &record);
        if (record.currentline <= 0) continue;
        profile_add(sandbox->watch.profile, sandbox_path(sandbox, record.source),
                    record.currentline, fuel);
        return;
    }
    profile_add(sandbox->watch.profile, NULL, 0, fuel);
}

/* Counts single instructions, so that each goes to its line. A call may take its time: only fuel
 * limits it, exactly as without a profile. */
static void profile_hook(lua_State *lua, lua_Debug *record) {
    struct sandbox *sandbox = sandbox_of(lua);
    note_fuel(lua, 1);
    if (++sandbox->ticks % sandbox->step) return;
    fuel_hook(lua, record);
}

/* Notes where the error at hand was raised: the innermost function that is Lua. False, with nothing
 * changed, if there is none. */
static bool note_place(lua_State *lua) {
    struct sandbox *sandbox = sandbox_of(lua);
    lua_Debug record;
    for (int level = 0; level < 64 && lua_getstack(lua, level, &record); level++) {
        lua_getinfo(lua, "Sl", &record);
        if (record.currentline <= 0) continue;
        sandbox->raised_line = record.currentline;
        snprintf(sandbox->raised_file, sizeof sandbox->raised_file, "%.*s", FAULT_FILE_MAX - 1,
                 sandbox_path(sandbox, record.source));
        return true;
    }
    return false;
}

static void forget_place(struct sandbox *sandbox) {
    sandbox->raised_line = 0;
    sandbox->raised_file[0] = 0;
}

_Noreturn void sandbox_stop(lua_State *lua, enum status why) {
    struct sandbox *sandbox = sandbox_of(lua);
    if (sandbox->stopped == STATUS_OK) {
        sandbox->stopped = why;
        if (!note_place(lua)) forget_place(sandbox);
    }
    lua_sethook(lua, fuel_hook, LUA_MASKCOUNT, 1);
    lua_pushnil(lua); /* never read: `stopped` has the reason */
    lua_error(lua);
    abort(); /* lua_error() does not return */
}

void sandbox_charge(lua_State *lua, uint64_t amount) {
    struct sandbox *sandbox = sandbox_of(lua);
    if (sandbox->fuel_left <= amount) {
        sandbox->fuel_left = 0;
        sandbox_stop(lua, STATUS_FUEL);
    }
    sandbox->fuel_left -= amount;
    sandbox_charged(lua, amount);
}

void sandbox_charged(lua_State *lua, uint64_t amount) {
    struct sandbox *sandbox = sandbox_of(lua);
    if (sandbox->fuel_left == 0) sandbox_stop(lua, STATUS_FUEL);
    if (sandbox->watch.profile) note_fuel(lua, amount);
    sandbox->unwatched += amount + CHARGE_COST; /* C code that loops meets no hook */
    if (sandbox->unwatched < UNWATCHED_MAX) return;
    sandbox->unwatched = 0;
    if (is_late(sandbox)) sandbox_stop(lua, STATUS_TIME);
}

/* Is the error on top of the stack a refused allocation? A luaL_Buffer raises it as a string. */
static bool is_out_of_memory(lua_State *lua, int status) {
    if (status == LUA_OK || !sandbox_of(lua)->refused) return false;
    return status == LUA_ERRMEM || (lua_type(lua, -1) == LUA_TSTRING &&
                                    strcmp(lua_tostring(lua, -1), "not enough memory") == 0);
}

void sandbox_caught(lua_State *lua, int status) {
    struct sandbox *sandbox = sandbox_of(lua);
    if (sandbox->stopped == STATUS_OK && is_out_of_memory(lua, status))
        sandbox->stopped = STATUS_MEMORY;
    if (sandbox->stopped != STATUS_OK) sandbox_stop(lua, sandbox->stopped);
}

static int message_handler(lua_State *lua) {
    struct sandbox *sandbox = sandbox_of(lua);
    if (sandbox->stopped != STATUS_OK) return 1;
    if (!note_place(lua)) forget_place(sandbox);
    if (lua_type(lua, 1) == LUA_TSTRING) hint_for(lua, lua_tostring(lua, 1), sandbox->hint);
    return 1;
}

static void set_own_folder(struct sandbox *sandbox, const char *path) {
    path_folder(path, sandbox->own, sizeof sandbox->own);
    if (!strcmp(sandbox->own, "/")) sandbox->own[0] = 0; /* a '/' and a file follow */
}

/* A text that is handed to Lua line by line, so that its compiler's line is known. */
struct source_text {
    const char *at, *end;
    int line;
};

static const char *next_source_line(lua_State *lua, void *context, size_t *length) {
    struct source_text *text = context;
    const char *line = text->at;
    (void)lua;
    *length = lines_length(line, (size_t)(text->end - line));
    *length += lines_break(line + *length, text->end);
    text->at += *length;
    text->line++;
    return *length ? line : NULL;
}

/* Compiles the text of a file. */
static void load_text(lua_State *lua, struct sandbox_file *file, const char *text, size_t length) {
    const size_t head = source_head(text, length);
    struct source_text source = {.at = text + head, .end = text + length};
    /* An empty chunk shows how Lua shortens this name, even if the text is malformed. */
    lua_pushfstring(lua, "@%s", file->name);
    lua_Debug record;
    if (luaL_loadbufferx(lua, "", 0, lua_tostring(lua, -1), "t") != LUA_OK) lua_error(lua);
    lua_getinfo(lua, ">S", &record);
    snprintf(file->brief, sizeof file->brief, "%s", record.short_src);
    const char *wide = utf8_wide(text, length);
    if (wide) luaL_error(lua, "%s:1: is in %s; UTF-8 is expected", record.short_src, wide);
    if (source.at < source.end && *source.at == LUA_SIGNATURE[0])
        luaL_error(lua, "%s:1: not a text but compiled Lua or other binary data", record.short_src);
    int status = lua_load(lua, next_source_line, &source, lua_tostring(lua, -1), "t");
    if (status == LUA_ERRRUN) /* the compiler calls itself for each bracket and block */
        luaL_error(lua, "%s:%d: too many brackets or blocks inside each other (%s)",
                   record.short_src, source.line, lua_tostring(lua, -1));
    if (status != LUA_OK) lua_error(lua);
    lua_remove(lua, -2);
}

/* Pushes the bytes of a file as a buffer that Lua owns. The file is not open while Lua may raise.
 */
static const char *read_file(lua_State *lua, struct sandbox_file *file, size_t *length) {
    const struct reader *reader = sandbox_of(lua)->reader;
    long size = reader->size(reader->context, file->path);
    if (!file->brief[0])
        snprintf(file->brief, sizeof file->brief, "%.*s", LUA_IDSIZE - 1, file->name);
    if (size < 0) luaL_error(lua, "%s:0: cannot be read", file->brief);
    if (size > READER_FILE_MAX)
        luaL_error(lua, "%s:0: is larger than the 1 MiB that a script may have", file->brief);
    char *text = lua_newuserdatauv(lua, (size_t)size + 1, 0);
    long got = reader->read(reader->context, file->path, text, (size_t)size);
    if (got < 0) luaL_error(lua, "%s:0: cannot be read", file->brief);
    *length = (size_t)got;
    return text;
}

/* Runs the file and pushes the one value it returns. */
static void run_named(lua_State *lua, struct sandbox_file *file) {
    size_t length;
    const char *text = read_file(lua, file, &length);
    load_text(lua, file, text, length);
    lua_remove(lua, -2);
    lua_call(lua, 0, 1);
}

void sandbox_push_text(lua_State *lua, const char *text) {
    lua_pushlstring(lua, text, strlen(text));
}

static bool is_file(const struct sandbox *sandbox, const char *path) {
    return sandbox->reader->size(sandbox->reader->context, path) >= 0;
}

static bool is_module_name(const char *name, size_t length) {
    bool in_word = false;
    if (length > 128 || strlen(name) != length) return false;
    for (; *name; name++) {
        bool word =
            (*name >= 'a' && *name <= 'z') || (*name >= '0' && *name <= '9') || *name == '_';
        if (!word && (*name != '.' || !in_word)) return false;
        in_word = word;
    }
    return in_word;
}

/* The folder of the requiring file: that of the innermost Lua function. There is none if `require`
 * itself is used as a callback. */
static void find_folder(lua_State *lua, char folder[SANDBOX_PATH_MAX]) {
    lua_Debug record;
    snprintf(folder, SANDBOX_PATH_MAX, "%s", sandbox_of(lua)->own);
    for (int level = 0; lua_getstack(lua, level, &record); level++) {
        lua_getinfo(lua, "S", &record);
        const struct sandbox_file *file = file_named(sandbox_of(lua), record.source);
        if (!file) continue;
        snprintf(folder, SANDBOX_PATH_MAX, "%s", file->folder);
        return;
    }
}

/* ", did you mean" one of the shared modules, or nothing. */
static const char *module_hint(const char *name, char hint[WORD_HINT_MAX]) {
    struct word_guess guess = word_guess_for(name);
    char known[WORD_GUESS_MAX];
    int length;
    for (const char *list = ENSIGN_MODULES; sscanf(list, " %63s%n", known, &length) == 1;
         list += length)
        word_offer(&guess, known);
    return word_hint(&guess, hint);
}

/* Whether there is such a module; one that was run is not looked for again. */
static bool find_module(lua_State *lua, const char *path) {
    const struct sandbox *sandbox = sandbox_of(lua);
    for (const struct sandbox_file *file = sandbox->files; file; file = file->next)
        if (!strcmp(file->path, path)) return true;
    sandbox_charge(lua, LOOK_COST);
    return is_file(sandbox, path);
}

/* require "a.b": a/b.lua in the shared scripts, else in the folder of the requiring file. A
 * module's own requires are relative to the folder where it was found, so a file and its modules
 * use the same names, and a shared module means the same everywhere. A module is run once; while it
 * runs its entry is `false`. */
static int script_require(lua_State *lua) {
    struct sandbox *sandbox = sandbox_of(lua);
    size_t length;
    const char *name = luaL_checklstring(lua, 1, &length);
    if (!is_module_name(name, length))
        return luaL_error(lua, "module names are small letters, digits and '_' joined with dots, "
                               "such as \"pieces.standard\"");
    char relative[SCRIPT_NAME_MAX], path[2 * SANDBOX_PATH_MAX], folder[SANDBOX_PATH_MAX],
        hint[WORD_HINT_MAX];
    snprintf(relative, sizeof relative, "%s", name);
    for (char *c = relative; *c; c++)
        if (*c == '.') *c = '/';
    snprintf(path, sizeof path, "%s/%s.lua", sandbox->scripts, relative);
    if (find_module(lua, path)) {
        snprintf(folder, sizeof folder, "%s", sandbox->scripts);
    } else {
        find_folder(lua, folder);
        snprintf(path, sizeof path, "%s/%s.lua", folder, relative);
        if (!find_module(lua, path))
            return luaL_error(lua,
                              "no module '%s'%s: %s.lua is neither among the shared scripts nor "
                              "beside the file that requires it",
                              name, module_hint(name, hint), relative);
    }
    strcat(relative, ".lua");
    struct sandbox_file *file = file_at(lua, path, relative);
    snprintf(file->folder, sizeof file->folder, "%s", folder);
    sandbox_charge(lua, REQUIRE_COST);
    lua_settop(lua, 1);
    lua_rawgetp(lua, LUA_REGISTRYINDEX, &MODULES);
    sandbox_push_text(lua, file->name);
    lua_pushvalue(lua, 3);
    lua_rawget(lua, 2);
    if (lua_isboolean(lua, 4) && !lua_toboolean(lua, 4))
        return luaL_error(lua, "module '%s' requires itself (%s)", name, file->name);
    if (!lua_isnil(lua, 4)) return 1;
    lua_settop(lua, 3);
    lua_pushvalue(lua, 3);
    lua_pushboolean(lua, 0);
    lua_rawset(lua, 2);
    run_named(lua, file);
    if (lua_isnil(lua, -1) || (lua_isboolean(lua, -1) && !lua_toboolean(lua, -1)))
        return luaL_error(lua, "module '%s' (%s) returns nothing", name, file->name);
    lua_insert(lua, 3);
    lua_pushvalue(lua, 3);
    lua_rawset(lua, 2);
    return 1;
}

static int open_state(lua_State *lua) {
    if (!metamethods_mute(lua)) return luaL_error(lua, "a Lua library that is not known");
    lua_newtable(lua);
    lua_rawsetp(lua, LUA_REGISTRYINDEX, &MODULES);
    sandbox_open_library(lua);
    lua_pushcfunction(lua, script_require);
    sandbox_own_function(lua);
    lua_setglobal(lua, "require");
    return 0;
}

/* `rest` is the most that the arena beside that of the objects may take. */
static struct sandbox *sandbox_make(const char *scripts, const char *path,
                                    struct sandbox_limits limits, size_t rest,
                                    struct fault *fault) {
    struct sandbox *sandbox = NULL;
    if (!metamethods_proved() || !hash_seed_proved() || !table_slots_proved()) goto unknown_library;
    sandbox = calloc(1, sizeof *sandbox);
    if (!sandbox) goto no_memory;
    sandbox->limits = limits;
    sandbox->objects.most = SANDBOX_ARENA * limits.memory;
    sandbox->rest.most = rest;
    sandbox->step = HOOK_INSTRUCTIONS;
    sandbox->reader = &READER_DISK;
    snprintf(sandbox->scripts, sizeof sandbox->scripts, "%s", scripts);
    set_own_folder(sandbox, path);
    sandbox->lua = hash_seed_state(sandbox_allocate, sandbox);
    if (!sandbox->lua) goto no_memory;
    *(struct sandbox **)lua_getextraspace(sandbox->lua) = sandbox;
    lua_pushcfunction(sandbox->lua, open_state);
    int status = lua_pcall(sandbox->lua, 0, 0, 0);
    if (status == LUA_ERRMEM) goto no_memory;
    if (status != LUA_OK) goto unknown_library;
    return sandbox;
no_memory:
    sandbox_free(sandbox);
    fault_set(fault, STATUS_NO_MEMORY, "no memory for a Lua state");
    return NULL;
unknown_library:
    sandbox_free(sandbox);
    fault_set(fault, STATUS_SYSTEM,
              "this Lua library is not known: it would run finalizers of scripts, hash texts "
              "differently each time or hide how large a table is; expected one that works as Lua "
              "5.4.4");
    return NULL;
}

struct sandbox *sandbox_new(const char *scripts, const char *path, struct sandbox_limits limits,
                            struct fault *fault) {
    return sandbox_make(scripts, path, limits, 0, fault);
}

struct sandbox *sandbox_new_saved(const char *scripts, const char *path,
                                  struct sandbox_limits limits, struct fault *fault) {
    return sandbox_make(scripts, path, limits, SANDBOX_ARENA * limits.memory, fault);
}

bool sandbox_save(struct sandbox *sandbox) {
    lua_gc(sandbox->lua, LUA_GCCOLLECT);
    sandbox->saved = malloc(sizeof *sandbox->saved);
    if (!sandbox->saved) return false;
    *sandbox->saved = *sandbox;
    return arena_save(&sandbox->objects) && arena_save(&sandbox->rest);
}

void sandbox_restore(struct sandbox *sandbox) {
    memcpy(sandbox, sandbox->saved, offsetof(struct sandbox, objects));
    arena_restore(&sandbox->objects);
    arena_restore(&sandbox->rest);
}

/* Frees what lies in no arena. */
static void free_blocks(struct sandbox *sandbox) {
    if (sandbox->lua) lua_close(sandbox->lua);
    for (struct sandbox_file *file = sandbox->files, *next; file; file = next) {
        next = file->next;
        free(file);
    }
}

void sandbox_free(struct sandbox *sandbox) {
    if (!sandbox) return;
    if (!can_save(sandbox)) free_blocks(sandbox);
    arena_close(&sandbox->objects);
    arena_close(&sandbox->rest);
    free(sandbox->saved);
    free(sandbox);
}

void sandbox_chance(struct sandbox *sandbox, const struct chance *key, uint64_t moment) {
    sandbox->key = *key;
    sandbox->moment = moment;
    sandbox->drawn = false;
}

struct random *sandbox_random(struct sandbox *sandbox) {
    if (!sandbox->drawn) {
        sandbox->random = chance_random(&sandbox->key, CHANCE_TURN, sandbox->moment);
        sandbox->drawn = true;
    }
    return &sandbox->random;
}

/* Moves a leading "FILE:LINE: " of a known file from `message` into `fault`; returns the rest. */
static const char *take_place(const struct sandbox *sandbox, const char *message,
                              struct fault *fault) {
    const char *rest = message;
    size_t best = 0;
    for (const struct sandbox_file *file = sandbox->files; file; file = file->next) {
        const size_t length = strlen(file->brief);
        if (length <= best || strncmp(message, file->brief, length) || message[length] != ':')
            continue;
        char *end;
        long line = strtol(message + length + 1, &end, 10);
        if (end == message + length + 1 || strncmp(end, ": ", 2) != 0) continue;
        best = length;
        rest = end + 2;
        fault_place(fault, file->path, (int)line, 0);
    }
    return rest;
}

/* Turns the error object on top of the stack into a fault, without running anything. */
static void error_describe(struct sandbox *sandbox, int status, const char *callback,
                           struct fault *fault) {
    lua_State *lua = sandbox->lua;
    struct fault place = {0};
    fault_place(&place, sandbox->raised_file, sandbox->raised_line, 0);
    const char *message = lua_type(lua, -1) == LUA_TSTRING ? lua_tostring(lua, -1) : NULL;
    if (sandbox->stopped == STATUS_OK && is_out_of_memory(lua, status))
        sandbox->stopped = STATUS_MEMORY;
    switch (sandbox->stopped) {
    case STATUS_FUEL:
        fault_set(fault, STATUS_FUEL, "out of fuel: more than %llu instructions",
                  (unsigned long long)sandbox->limits.fuel);
        break;
    case STATUS_TIME:
        fault_set(fault, STATUS_TIME, "running for more than %d seconds", SANDBOX_SECONDS);
        break;
    case STATUS_MEMORY:
        if (sandbox->deep)
            fault_set(fault, STATUS_MEMORY,
                      "stack overflow: calls inside each other without end need more than the %zu "
                      "KiB that a script may hold",
                      sandbox->limits.memory / 1024);
        else
            fault_set(fault, STATUS_MEMORY,
                      "out of memory: a script may hold %zu KiB, and 1024 KiB in one string",
                      sandbox->limits.memory / 1024);
        break;
    default:
        if (message) {
            const char *rest = take_place(sandbox, message, &place);
            fault_set(fault, STATUS_SCRIPT, "%.600s%s", rest, sandbox->hint);
        } else if (lua_type(lua, -1) == LUA_TNUMBER) {
            fault_set(fault, STATUS_SCRIPT, "error %g", (double)lua_tonumber(lua, -1));
        } else {
            fault_set(fault, STATUS_SCRIPT, "the error raised is a %s, expected a text",
                      luaL_typename(lua, -1));
        }
    }
    if (callback) fault_within(fault, "in %s", callback);
    fault_place(fault, place.file, place.line, 0);
}

static locale_t plain;

static void open_locale(void) {
    plain = newlocale(LC_ALL_MASK, "C", NULL); /* always available, without allocation */
}

/* string.upper(), "%a" and the like depend on the C locale, which must not be the user's. */
static locale_t plain_locale(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, open_locale);
    return plain;
}

bool sandbox_call(struct sandbox *sandbox, int arguments, int results, const char *callback,
                  struct fault *fault) {
    lua_State *lua = sandbox->lua;
    int base = lua_gettop(lua) - arguments;
    if (sandbox->depth == 0) {
        sandbox->fuel_left = sandbox->limits.fuel;
        sandbox->stopped = STATUS_OK;
        sandbox->refused = sandbox->collected = sandbox->deep = false;
        sandbox->look_at = sandbox->own_from = 0;
        sandbox->ticks = 0;
        if (sandbox->watch.profile)
            lua_sethook(lua, profile_hook, LUA_MASKCOUNT, 1);
        else
            lua_sethook(lua, fuel_hook, LUA_MASKCOUNT, sandbox->step);
    }
    forget_place(sandbox);
    sandbox->hint[0] = 0;
    if (!lua_checkstack(lua, 8 + (results > 0 ? results : 0)))
        return fault_set(fault, STATUS_NO_MEMORY, "no memory for a Lua stack");
    lua_pushcfunction(lua, message_handler);
    lua_insert(lua, base);
    locale_t users = uselocale(plain_locale());
    const struct comparison_payer payer =
        comparison_pays((struct comparison_payer){lua, sandbox_charge});
    sandbox->depth++;
    int status = lua_pcall(lua, arguments, results, base);
    sandbox->depth--;
    comparison_pays(payer);
    uselocale(users);
    lua_remove(lua, base);
    if (status == LUA_OK) return true;
    error_describe(sandbox, status, callback, fault);
    lua_settop(lua, base - 1);
    return false;
}

uint64_t sandbox_fuel_used(const struct sandbox *sandbox) {
    return sandbox->limits.fuel - sandbox->fuel_left;
}

/* The file that is run from outside, whose path is argument 1. */
static struct sandbox_file *own_file(lua_State *lua) {
    const char *path = lua_touserdata(lua, 1);
    struct sandbox_file *file = file_at(lua, path, path_file(path));
    snprintf(file->folder, sizeof file->folder, "%s", sandbox_of(lua)->own);
    return file;
}

static int run_text(lua_State *lua) {
    load_text(lua, own_file(lua), lua_touserdata(lua, 2), (size_t)lua_tointeger(lua, 3));
    lua_call(lua, 0, 1);
    return 1;
}

static int run_file(lua_State *lua) {
    run_named(lua, own_file(lua));
    return 1;
}

/* Places a fault that has no place in the file. */
static bool place_file(const char *path, struct fault *fault) {
    if (fault && fault->file[0] == 0) fault_place(fault, path, 0, 0);
    return false;
}

bool sandbox_run_file(struct sandbox *sandbox, const char *path, struct fault *fault) {
    if (!is_file(sandbox, path)) {
        fault_set(fault, STATUS_NOT_FOUND, "no such file");
        return place_file(path, fault);
    }
    set_own_folder(sandbox, path);
    lua_pushcfunction(sandbox->lua, run_file);
    lua_pushlightuserdata(sandbox->lua, (void *)(uintptr_t)path);
    return sandbox_call(sandbox, 1, 1, NULL, fault) || place_file(path, fault);
}

bool sandbox_run_text(struct sandbox *sandbox, const char *path, const char *text, size_t length,
                      struct fault *fault) {
    if (length > READER_FILE_MAX) {
        fault_set(fault, STATUS_TEXT, "is larger than the 1 MiB that a script may have");
        return place_file(path, fault);
    }
    set_own_folder(sandbox, path);
    lua_pushcfunction(sandbox->lua, run_text);
    lua_pushlightuserdata(sandbox->lua, (void *)(uintptr_t)path);
    lua_pushlightuserdata(sandbox->lua, (void *)(uintptr_t)text);
    lua_pushinteger(sandbox->lua, (lua_Integer)length);
    return sandbox_call(sandbox, 3, 1, NULL, fault) || place_file(path, fault);
}
