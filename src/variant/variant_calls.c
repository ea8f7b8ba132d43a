/* variant_calls.c - a pool of Lua states for one variant.
 *
 * A call takes a state out of the pool, or makes one, and puts it back. Each call finds its state
 * as the files of the variant left it when they were loaded, byte by byte (sandbox_restore()), and
 * has its own fuel, so that the answer depends on the arguments alone.
 *
 * The rules own the calls: rules_free() closes them. */
#include "variant_calls.h"

#include "answer_lua.h"
#include "position_lua.h"
#include "variables.h"

#include <lauxlib.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum {
    CALL_STEP = 100, /* instructions counted at a time */
    /* A state that holds more bytes than usual takes longer to restore: fuel for each call. */
    USUAL_BYTES = 256 << 10,
    BYTES_SHARE = 64
};

/* Registry keys of the functions and the position. */
static const char FUNCTIONS[CALL_COUNT], POSITION;

struct state {
    struct sandbox *sandbox;
    struct position_lua *position; /* Lua's memory */
    uint64_t fuel;                 /* of restoring it */
    struct state *next;
};

struct variant_calls {
    struct calls calls; /* first, so that the core's pointer can be cast */
    const struct rules *rules;
    struct variant_calls_source source;
    char scripts[SANDBOX_PATH_MAX];
    struct variant_file file[CHAIN_MAX]; /* as in `source` */
    struct file_cache cache;             /* the files that the scripts required */
    struct variant_asker asker;          /* `ask` is NULL if the states below answer */
    struct sandbox_watch watch;          /* of the state that loaded the variant */
    char (*changed)[WORD_MAX];           /* variables, by call; NULL: nobody asks */
    uint64_t asked[CALL_COUNT];          /* since somebody does */
    pthread_mutex_t lock;                /* guards the pool, and the cache while a state is made */
    struct state *pool;
};

static struct variant_calls *calls_of(struct calls *calls) {
    return (struct variant_calls *)calls;
}

/* Stores the functions of the table at the absolute index `table`, and a position, in the registry
 * for run_call(). Runs in a protected call. */
static void register_calls(lua_State *lua, const struct rules *rules, unsigned declared,
                           int table) {
    char key[VARIANT_KEY_MAX];
    for (int call = 0; call < CALL_COUNT; call++) {
        if (!(declared >> call & 1)) continue;
        variant_get(lua, table, variant_key(key, "calls.%s", call_name((enum call)call)));
        lua_rawsetp(lua, LUA_REGISTRYINDEX, &FUNCTIONS[call]);
    }
    variant_get(lua, table, "pieces");
    position_lua_push(lua, rules, lua_gettop(lua));
    lua_rawsetp(lua, LUA_REGISTRYINDEX, &POSITION);
    lua_pop(lua, 1);
}

/* A state of the pool for a sandbox that has registered the calls. NULL without memory. */
static struct state *state_of(struct sandbox *sandbox) {
    struct state *state = calloc(1, sizeof *state);
    if (!state) return NULL;
    state->sandbox = sandbox;
    sandbox->step = CALL_STEP;
    lua_rawgetp(sandbox->lua, LUA_REGISTRYINDEX, &POSITION);
    state->position = lua_touserdata(sandbox->lua, -1);
    lua_pop(sandbox->lua, 1);
    if (!sandbox_save(sandbox)) {
        free(state);
        return NULL;
    }
    if (sandbox->memory_used > USUAL_BYTES)
        state->fuel = (sandbox->memory_used - USUAL_BYTES) / BYTES_SHARE;
    return state;
}

struct again {
    struct variant_calls *self;
    struct variant_source *source;
    bool merged;
};

static int load_again(lua_State *lua) {
    struct again *again = lua_touserdata(lua, 1);
    luaL_checkstack(lua, 64, "loading a variant");
    again->merged = variant_source_merge_again(again->source);
    if (again->merged)
        register_calls(lua, again->self->rules, again->self->calls.declared, lua_gettop(lua));
    return 0;
}

/* A new state, from the files of the variant. */
static struct state *state_new(struct variant_calls *self, struct fault *fault) {
    struct variant_source *source = calloc(1, sizeof *source);
    struct faults *faults = faults_new();
    struct state *state = NULL;
    if (!source || !faults) {
        free(source);
        free(faults);
        fault_set(fault, STATUS_NO_MEMORY, "no memory for a Lua state");
        return NULL;
    }
    memcpy(source->file, self->file, sizeof self->file);
    source->count = self->source.count;
    source->faults = faults;
    source->sandbox = sandbox_new_saved(self->scripts, self->file[0].path, SANDBOX_DEFAULTS, fault);
    if (source->sandbox) {
        struct again again = {.self = self, .source = source};
        source->lua = source->sandbox->lua;
        source->sandbox->reader = &self->cache.reader;
        lua_pushcfunction(source->lua, load_again);
        lua_pushlightuserdata(source->lua, &again);
        bool loaded = sandbox_call(source->sandbox, 1, 0, NULL, fault) && again.merged;
        source->sandbox->watch = self->watch; /* the load has been watched before */
        if (loaded) state = state_of(source->sandbox);
        if (!state) sandbox_free(source->sandbox);
    }
    if (!state && faults_first(faults)) *fault = *faults_first(faults);
    if (!state && fault->status == STATUS_OK)
        fault_set(fault, STATUS_NO_MEMORY, "no memory for a Lua state");
    free(source);
    free(faults);
    return state;
}

static struct state *state_take(struct variant_calls *self, struct fault *fault) {
    pthread_mutex_lock(&self->lock);
    struct state *state = self->pool;
    if (state)
        self->pool = state->next;
    else
        state = state_new(self, fault);
    pthread_mutex_unlock(&self->lock);
    return state;
}

static void state_give(struct variant_calls *self, struct state *state) {
    pthread_mutex_lock(&self->lock);
    state->next = self->pool;
    self->pool = state;
    pthread_mutex_unlock(&self->lock);
}

/* The variables of a call's function. */
static struct variables *seen_by(lua_State *lua, enum call call) {
    if (!lua_checkstack(lua, 1)) return NULL;
    lua_rawgetp(lua, LUA_REGISTRYINDEX, &FUNCTIONS[call]);
    struct variables *seen = variables_of(lua);
    lua_pop(lua, 1);
    return seen;
}

/* Comparing takes as long as a call or longer: the first ones, then some. */
static bool is_looked_at(struct variant_calls *self, enum call call) {
    enum { ALL_OF = 256, EVERY = 64 };
    if (!self->changed || self->changed[call][0]) return false;
    const uint64_t asked = self->asked[call]++;
    return asked < ALL_OF || asked % EVERY == 0;
}

/* A call under way. */
struct asking {
    const struct rules *rules;
    enum call call;
    const struct play *play;
    struct call_answer *answer;
    bool answered;
    struct fault *fault;
};

static int run_call(lua_State *lua) {
    struct asking *asking = lua_touserdata(lua, 1);
    lua_rawgetp(lua, LUA_REGISTRYINDEX, &FUNCTIONS[asking->call]);
    lua_rawgetp(lua, LUA_REGISTRYINDEX, &POSITION);
    if (asking->play) position_lua_push_play(lua, asking->rules, asking->call, asking->play);
    lua_call(lua, asking->play ? 2 : 1, 2);
    asking->answered =
        answer_lua_read(lua, asking->rules, asking->call, asking->answer, asking->fault);
    return 0;
}

static void place_call(struct calls *calls, enum call call, struct fault *fault) {
    struct variant_calls *self = calls_of(calls);
    if (!fault->file[0])
        fault_place(fault, self->source.written[call].file, self->source.written[call].line, 0);
}

static bool ask_here(struct variant_calls *self, const struct game *game, struct asking *asking) {
    struct state *state = state_take(self, asking->fault);
    if (!state) return false;
    struct sandbox *sandbox = state->sandbox;
    sandbox_restore(sandbox);
    state->position->game = game;
    struct variables *before =
        is_looked_at(self, asking->call) ? seen_by(sandbox->lua, asking->call) : NULL;
    const uint64_t most = asking->answer->fuel_max;
    sandbox->limits.fuel = most < CALL_FUEL ? most : CALL_FUEL;
    lua_pushcfunction(sandbox->lua, run_call);
    lua_pushlightuserdata(sandbox->lua, asking);
    bool ran = sandbox_call(sandbox, 1, 0, call_name(asking->call), asking->fault);
    struct variables *now = before ? seen_by(sandbox->lua, asking->call) : NULL;
    if (now) variables_compare(before, now, self->changed[asking->call]);
    free(before);
    free(now);
    asking->answer->fuel =
        state->fuel +
        (sandbox->stopped == STATUS_FUEL ? sandbox->limits.fuel : sandbox_fuel_used(sandbox));
    state_give(self, state);
    return ran && asking->answered;
}

static bool answer_call(struct calls *calls, enum call call, const struct game *game,
                        const struct play *play, struct call_answer *answer, struct fault *fault) {
    struct variant_calls *self = calls_of(calls);
    const struct variant_asker *asker = &self->asker;
    struct asking asking = {self->rules, call, play, answer, false, fault};
    bool answered = asker->ask ? asker->ask(asker->context, call, game, play, answer, fault)
                               : ask_here(self, game, &asking);
    if (!answered) place_call(calls, call, fault);
    return answered;
}

static void look_at_calls(struct calls *calls, char changed[CALL_COUNT][WORD_MAX]) {
    struct variant_calls *self = calls_of(calls);
    self->changed = changed;
    memset(self->asked, 0, sizeof self->asked);
}

static void close_calls(struct calls *calls) {
    struct variant_calls *self = calls_of(calls);
    if (self->asker.close) self->asker.close(self->asker.context);
    for (struct state *next; self->pool; self->pool = next) {
        next = self->pool->next;
        sandbox_free(self->pool->sandbox);
        free(self->pool);
    }
    for (int i = 0; i < self->source.count; i++) free(self->file[i].text);
    file_cache_clear(&self->cache);
    pthread_mutex_destroy(&self->lock);
    free(self);
}

/* Notes the place of the function on top of the stack. */
static void note_place(lua_State *lua, struct variant_calls *self, int call) {
    lua_Debug record;
    lua_pushvalue(lua, -1);
    lua_getinfo(lua, ">S", &record);
    snprintf(self->source.written[call].file, sizeof self->source.written[call].file, "%s",
             sandbox_path(sandbox_of(lua), record.source));
    self->source.written[call].line = record.linedefined;
}

/* Attaches the calls, whose `declared` is set, to the rules. */
static void attach(struct variant_calls *self, struct rules *rules) {
    self->calls.ask = answer_call;
    self->calls.place = place_call;
    self->calls.look = look_at_calls;
    self->rules = rules;
    pthread_mutex_init(&self->lock, NULL);
    file_cache_open(&self->cache, &READER_DISK);
    rules->calls = &self->calls;
    self->calls.close = close_calls;
}

bool variant_calls_build(struct variant_build *build) {
    lua_State *lua = build->lua;
    struct rules *rules = build->rules;
    struct variant_calls *self = calloc(1, sizeof *self);
    if (!self) {
        struct fault fault = {0};
        fault_set(&fault, STATUS_NO_MEMORY, "no memory for calls");
        return variant_refuse_fault(build->source, "calls", &fault);
    }
    for (int call = 0; call < CALL_COUNT; call++) {
        char key[VARIANT_KEY_MAX];
        variant_key(key, "calls.%s", call_name((enum call)call));
        if (variant_get(lua, build->table, key) == LUA_TFUNCTION) {
            self->calls.declared |= 1u << call;
            note_place(lua, self, call);
        }
        lua_pop(lua, 1);
    }
    bool has_battle = self->calls.declared >> CALL_BATTLE & 1,
         asks = rules_have_outcome(rules, ASK_THE_VARIANT);
    if (!self->calls.declared)
        free(self);
    else
        attach(self, rules);
    if (has_battle && !asks)
        return variant_refuse(build->source, "calls.battle",
                              "calls.battle is never asked: combat never returns \"ask\"");
    if (asks && !has_battle)
        return variant_refuse(build->source, "combat",
                              "combat returned \"ask\", but there is no calls.battle to be asked");
    return true;
}

static void adopt_keeper(struct variant_calls *self, struct file_cache *cache) {
    self->cache = *cache;
    self->cache.reader.context = &self->cache;
    self->cache.closed = true;
    file_cache_open(cache, cache->from);
}

void variant_calls_adopt(struct rules *rules, struct variant_source *source,
                         struct file_cache *cache) {
    struct variant_calls *self = calls_of(rules->calls);
    self->watch = source->sandbox->watch;
    snprintf(self->scripts, sizeof self->scripts, "%s", source->sandbox->scripts);
    memcpy(self->file, source->file, sizeof self->file);
    self->source.count = source->count;
    source->count = 0;
    memset(source->file, 0, sizeof source->file);
    adopt_keeper(self, cache);
}

void variant_calls_describe(const struct rules *rules, struct variant_calls_source *source) {
    const struct variant_calls *self = calls_of(rules->calls);
    *source = self->source;
    source->declared = self->calls.declared;
    for (int i = 0; i < source->count; i++)
        memcpy(source->path[i], self->file[i].path, sizeof source->path[i]);
}

bool variant_calls_defer(struct rules *rules, const struct variant_calls_source *source,
                         const char *scripts, struct file_cache *cache) {
    struct variant_calls *self = calloc(1, sizeof *self);
    if (!self) return false;
    self->source = *source;
    self->calls.declared = source->declared;
    snprintf(self->scripts, sizeof self->scripts, "%s", scripts);
    bool whole = true;
    for (int i = 0; i < source->count && whole; i++) {
        memcpy(self->file[i].path, source->path[i], sizeof self->file[i].path);
        whole = variant_file_read(&self->file[i], &cache->reader, NULL);
    }
    if (!whole) {
        for (int i = 0; i < source->count; i++) free(self->file[i].text);
        free(self);
        return false;
    }
    attach(self, rules);
    adopt_keeper(self, cache);
    return true;
}

static bool allow_elsewhere(struct calls *calls, const struct game *game, const struct plays *plays,
                            struct calls_fuel *fuel, bool *allowed, struct fault *fault) {
    const struct variant_asker *asker = &calls_of(calls)->asker;
    if (asker->allow(asker->context, game, plays, fuel, allowed, fault)) return true;
    place_call(calls, CALL_LEGAL, fault);
    return false;
}

void variant_calls_ask_elsewhere(struct rules *rules, struct variant_asker asker) {
    calls_of(rules->calls)->asker = asker;
    rules->calls->allow = allow_elsewhere;
}

void *variant_calls_asked(const struct rules *rules,
                          bool (*answers)(void *context, enum call call, const struct game *game,
                                          const struct play *play, struct call_answer *answer,
                                          struct fault *fault)) {
    const struct variant_asker *asker = rules->calls ? &calls_of(rules->calls)->asker : NULL;
    return asker && asker->ask == answers ? asker->context : NULL;
}

bool variant_calls_read(const struct rules *rules, const char *path) {
    const struct variant_calls *self = calls_of(rules->calls);
    for (int i = 0; i < self->source.count; i++)
        if (!strcmp(self->file[i].path, path)) return true;
    for (size_t i = 0; i < self->cache.count; i++)
        if (!strcmp(self->cache.list[i].path, path)) return true;
    return false;
}

const struct file_cache *variant_calls_files(const struct rules *rules) {
    return &calls_of(rules->calls)->cache;
}

const struct variant_file *variant_calls_own_files(const struct rules *rules) {
    return calls_of(rules->calls)->file;
}

void variant_calls_watch(const struct rules *rules, const struct sandbox_watch *watch) {
    calls_of(rules->calls)->watch = *watch;
    if (watch->log) watch->log->show = position_lua_show;
}
