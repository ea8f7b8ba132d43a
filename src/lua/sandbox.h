/* sandbox.h - a Lua state for running an untrusted file.
 *
 * An allow-listed library (sandbox_library.c), text chunks only, `require` only for modules in the
 * shared scripts and beside the requiring file, a memory cap, strings of 1 MiB at most, fuel,
 * `pairs` and `next` in a fixed order, its own seeded math.random, no addresses in `tostring`.
 * Errors become faults with file, line and callback. What a script can read of its errors names no
 * folder: it is the same wherever its files lie.
 *
 * Fuel is counted in Lua instructions, in steps of `step`; long strings and library functions cost
 * more by size. Growing tables costs nothing: its moment depends on hashing, and fuel must be the
 * same in every process.
 *
 * The limits give clear errors; they do not protect against flaws of the interpreter itself. */
#ifndef ENSIGN_LUA_SANDBOX_H
#define ENSIGN_LUA_SANDBOX_H

#include "base/chance.h"
#include "base/fault.h"
#include "base/reader.h"
#include "hint.h"
#include "object_arena.h"

#include <lua.h>

struct sandbox_limits {
    uint64_t fuel; /* instructions for each call from outside; at least 1,000 */
    size_t memory; /* bytes the state may hold while a script runs */
};

/* What is noted of a script for the person who runs it; NULL: nothing. A game is the same with and
 * without. */
struct sandbox_watch {
    struct logbook *log;     /* what it prints (logbook.h) */
    struct profile *profile; /* which lines use how much fuel (profile.h) */
};

/* Fuel 50,000,000 and 64 MiB. */
extern const struct sandbox_limits SANDBOX_DEFAULTS;

enum {
    SANDBOX_PATH_MAX = 1024,
    SANDBOX_STRING_MAX = 1 << 20, /* bytes of a string */
    SANDBOX_OBJECT_MAX = 1 << 18, /* bytes; a larger object lies elsewhere in each process, so no
                                     script may get it and use it as a key */
    SANDBOX_ARENA = 2,            /* times the memory: the most that an arena may take */
    SANDBOX_SECONDS =
        5 /* CPU time of the thread for one call: a backstop for work that fuel does not count */
};

struct sandbox {
    lua_State *lua;
    struct sandbox_limits limits;
    size_t memory_used;
    int step; /* instructions counted at a time: 1,000; the owner may set fewer, which is slower */
    uint64_t fuel_left;   /* of the running call */
    enum status stopped;  /* STATUS_FUEL, STATUS_MEMORY or STATUS_TIME if that ended the last call,
                             else STATUS_OK */
    struct chance key;    /* key of math.random; math.randomseed sets it */
    uint64_t moment;      /* number of the key's stream */
    bool drawn;           /* `random` has been derived from that stream */
    struct random random; /* for sandbox_random() */
    struct sandbox_watch watch;
    const struct reader *reader;    /* from the disk; the owner may set another */
    struct sandbox_file *files;     /* that were run; owned */
    char scripts[SANDBOX_PATH_MAX]; /* where `require` looks first */
    char own[SANDBOX_PATH_MAX];     /* the folder of the last file run */

    /* Private to sandbox.c. */
    int depth;          /* nested running calls */
    int ticks;          /* instructions of the outermost call, while they are profiled one by one */
    uint64_t unplaced;  /* fuel of long strings not yet in the profile */
    bool refused;       /* the allocator has refused a request in the outermost call */
    bool deep;          /* then a script's calls were very deep inside each other */
    bool collected;     /* the last request was refused: Lua repeats it after a collection */
    uint64_t unwatched; /* fuel charged by C code since the clock was last looked at */
    int64_t look_at;    /* monotonic time of the next check of the thread's CPU time; 0: not set */
    int64_t own_from;   /* the thread's CPU time at the first check; 0 before it */
    int raised_line;    /* where the last error was raised */
    char raised_file[FAULT_FILE_MAX];
    char hint[HINT_MAX];   /* at what was probably meant */
    struct sandbox *saved; /* what sandbox_save() found; NULL: nothing yet */
    struct object_arena objects;
    struct object_arena rest; /* all other memory, if the state can be saved; else unused */
};

/* A state for the file at `path`, whose folder becomes `own`. NULL with STATUS_NO_MEMORY, or
 * STATUS_SYSTEM for an unsupported build of the Lua library. */
struct sandbox *sandbox_new(const char *scripts, const char *path, struct sandbox_limits limits,
                            struct fault *fault);
void sandbox_free(struct sandbox *sandbox);

/* The same for a state that can be saved: all its memory lies in arenas. */
struct sandbox *sandbox_new_saved(const char *scripts, const char *path,
                                  struct sandbox_limits limits, struct fault *fault);

/* Collects the garbage and notes the whole state, once, while no script runs. False without
 * memory. */
bool sandbox_save(struct sandbox *sandbox);

/* Makes the state what it was after sandbox_save(), whatever scripts have done or how they ended:
 * each byte of it, and with them the addresses of what is made next, the collector's work, chance
 * and the files that were run. */
void sandbox_restore(struct sandbox *sandbox);

/* Runs the file and pushes the one value it returns. Refuses bytecode and files over 1 MiB. */
bool sandbox_run_file(struct sandbox *sandbox, const char *path, struct fault *fault);

/* The same for a text that is already in memory; faults call it `path`. */
bool sandbox_run_text(struct sandbox *sandbox, const char *path, const char *text, size_t length,
                      struct fault *fault);

/* lua_pcall for everything that runs a script: `arguments` values above the function are passed,
 * exactly `results` are left. On an error nothing is left, and `fault` holds file, line and "in
 * CALLBACK: message" (STATUS_SCRIPT, STATUS_FUEL, STATUS_MEMORY or STATUS_TIME); `callback` NULL
 * leaves the "in …" out. An error object's __tostring is never run. The memory cap applies only
 * inside such a call, so the host can prepare arguments freely. */
bool sandbox_call(struct sandbox *sandbox, int arguments, int results, const char *callback,
                  struct fault *fault);

/* Fuel that the last call from outside used, at most `limits.fuel`. The same in every process. */
uint64_t sandbox_fuel_used(const struct sandbox *sandbox);

/* Sets the random stream to that of `key` for `moment` (CHANCE_TURN); a new sandbox has key zero
 * and moment 0. The stream is derived only when first used: most turns of most bots draw
 * nothing. */
void sandbox_chance(struct sandbox *sandbox, const struct chance *key, uint64_t moment);

/* The generator of the current stream. */
struct random *sandbox_random(struct sandbox *sandbox);

/* The path of a file that was run, by the `source` of its functions (lua_Debug), which tells
 * scripts no folder; of others the source itself. */
const char *sandbox_path(const struct sandbox *sandbox, const char *source);

/* The sandbox that a state belongs to. */
struct sandbox *sandbox_of(lua_State *lua);

/* For C functions that scripts call: charges `amount` instructions of fuel for work that the
 * interpreter does not count. Raises if the fuel is out. */
void sandbox_charge(lua_State *lua, uint64_t amount);

/* The same for work that has been taken off `fuel_left` already. */
void sandbox_charged(lua_State *lua, uint64_t amount);

/* Ends the running call with this status, as if a limit had been reached: no script survives it.
 * For failures that differ from run to run. Raises. */
_Noreturn void sandbox_stop(lua_State *lua, enum status why);

/* For C functions that catch errors, right after lua_pcall() has returned `status` and, unless that
 * is LUA_OK, left the error on top of the stack: raises again if the running call has been stopped
 * or is out of memory. No script survives that: when garbage is collected differs from run to run.
 */
void sandbox_caught(lua_State *lua, int status);

/* Sets the globals of a new state to the allow-listed names; scripts can reach nothing else besides
 * `require`. For sandbox_new(). May raise. */
void sandbox_open_library(lua_State *lua);

/* Makes the C function on top of the stack, if it has no upvalue, an object of the state: scripts
 * may use it as a key (object_arena.h), and the address of a function differs in each process. */
void sandbox_own_function(lua_State *lua);

/* Pushes a C text. lua_pushstring() looks for it in a cache by where it lies: whether a long text
 * is found there or takes memory anew, and with it when garbage is collected and where the next
 * objects lie, would differ in each process. For the same reason no field is read or written by
 * lua_getfield() or lua_setfield() if its name comes from a script or a path. */
void sandbox_push_text(lua_State *lua, const char *text);
#pragma GCC poison lua_pushstring

/* Pushes the result of a script's `tostring`: never an address. Calls `__tostring`, so it may run
 * Lua and raise. */
const char *sandbox_tostring(lua_State *lua, int index);

/* Length of the list at `index`. Raises for a table with `__len`, which could claim any length. */
lua_Unsigned sandbox_plain_length(lua_State *lua, int index);

#endif
