/* sandbox.h - one Lua state in which a file nobody vouches for may run.
 *
 * An allow-listed library (library.c), text chunks only, `require` for modules under the shared
 * scripts and the folder of the file that asks only, a memory cap, strings of 1 MiB at most, fuel,
 * `pairs` and `next` in a fixed order, its own seeded math.random, no addresses in `tostring`.
 * Errors come back as faults with file, line and the callback that ran.
 *
 * Fuel is counted in Lua instructions, in steps of 1,000; long strings and library functions take
 * more by their size. Tables do not: when they grow depends on how their keys are hashed, which
 * differs from process to process, and fuel must not.
 *
 * These limits give tidy errors; they are no wall against a flaw of the interpreter itself. */
#ifndef ENSIGN_LUA_SANDBOX_H
#define ENSIGN_LUA_SANDBOX_H

#include "base/chance.h"
#include "base/fault.h"
#include "base/reader.h"

#include <lua.h>

struct sandbox_limits {
    uint64_t fuel; /* instructions for each call from outside; at least 1,000 */
    size_t memory; /* bytes the state may hold while a script runs */
};

/* Fuel 50,000,000 and 64 MiB. */
extern const struct sandbox_limits SANDBOX_DEFAULTS;

enum {
    SANDBOX_PATH_MAX = 1024,
    SANDBOX_STRING_MAX = 1 << 20, /* bytes of a string */
    SANDBOX_SECONDS =
        5 /* of the thread's own time, the backstop for one call: what fuel does not see */
};

struct sandbox {
    lua_State *lua;
    struct sandbox_limits limits;
    size_t memory_used;
    uint64_t fuel_left;  /* of the running call */
    enum status stopped; /* STATUS_FUEL, STATUS_MEMORY or STATUS_TIME when that ended the last call,
                            else STATUS_OK */
    struct chance key;   /* where math.random's chance comes from; math.randomseed sets it */
    uint64_t moment;     /* which of the key's streams it draws from */
    bool drawn;          /* from that stream: `random` is where it stands */
    struct random random;           /* for sandbox_random() */
    const struct reader *reader;    /* from the disk; the owner may set another */
    char scripts[SANDBOX_PATH_MAX]; /* where `require` looks first */
    char own[SANDBOX_PATH_MAX];     /* the folder of the last file run */

    /* The rest is for sandbox.c alone. */
    int depth;          /* calls that are running, one inside the other */
    bool refused;       /* the allocator refused something since the outermost call began */
    bool collected;     /* the last request was refused: the next is the same after a collection */
    uint64_t unwatched; /* fuel charged by C code since the clock was last looked at */
    int64_t look_at;    /* when to ask for the thread's own time, by the monotonic clock */
    int64_t own_from;   /* the thread's own time at the first look; 0 before it */
    int raised_line;    /* where the last error was raised */
    char raised_file[FAULT_FILE_MAX];
};

/* A state for the file at `path`, whose folder becomes the own folder. NULL with STATUS_NO_MEMORY,
 * or STATUS_SYSTEM if this Lua library is built in a way that has not been reckoned with. */
struct sandbox *sandbox_new(const char *scripts, const char *path, struct sandbox_limits limits,
                            struct fault *fault);
void sandbox_free(struct sandbox *sandbox);

/* Runs the file and leaves the one value it returns on the stack. Refuses bytecode and files over 1
 * MiB. */
bool sandbox_run_file(struct sandbox *sandbox, const char *path, struct fault *fault);

/* The same for a text that is already in memory; `path` is what faults call it. */
bool sandbox_run_text(struct sandbox *sandbox, const char *path, const char *text, size_t length,
                      struct fault *fault);

/* lua_pcall for everything that runs a script: `arguments` values above the function are passed,
 * exactly `results` are left. On an error nothing is left, and `fault` holds file, line and "in
 * CALLBACK: message" (STATUS_SCRIPT, STATUS_FUEL, STATUS_MEMORY or STATUS_TIME); `callback` NULL
 * leaves the "in …" out. The error object is never asked to print itself by a script. The memory
 * cap binds only inside such a call, so that the host can prepare arguments without one. */
bool sandbox_call(struct sandbox *sandbox, int arguments, int results, const char *callback,
                  struct fault *fault);

/* From now on chance is the stream of `key` for `moment` (CHANCE_TURN); a new sandbox has the key
 * zero and moment 0. The stream is derived when something is drawn from it: most turns of most bots
 * draw nothing. */
void sandbox_chance(struct sandbox *sandbox, const struct chance *key, uint64_t moment);

/* What is to be drawn from. */
struct random *sandbox_random(struct sandbox *sandbox);

/* The sandbox that a state belongs to. */
struct sandbox *sandbox_of(lua_State *lua);

/* For C functions that scripts call: takes `amount` instructions' worth of fuel for work that the
 * interpreter does not count. Raises when the fuel is out. */
void sandbox_charge(lua_State *lua, uint64_t amount);

/* For C functions that catch errors, right after lua_pcall() has returned `status` and, unless that
 * is LUA_OK, left the error on top of the stack: raises again if the running call has been stopped
 * or is out of memory. No script survives that: when garbage is collected differs from run to run.
 */
void sandbox_caught(lua_State *lua, int status);

#endif
