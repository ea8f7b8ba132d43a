/* game_lua.c - view:sample, and the methods of samples: playing on one, reading it, searching it.
 *
 * A sample can be used in the turn it was drawn in. Searches and playouts leave it unchanged, and
 * stop when the bot runs out of fuel. */
#include "search_lua.h"

#include "core/play/calls.h"
#include "lua/member.h"
#include "view_arguments.h"
#include "view_methods.h"

#include <string.h>

/* Lua aligns its memory to eight bytes only; game_lua_at() finds the aligned place inside. */
struct game_lua {
    uint32_t turn;  /* the view's plies when it was drawn */
    uint32_t floor; /* plies before the first that the bot plays */
    struct game game;
    struct ply plies[GAME_PLIES];
};

enum { GAME_LUA_SIZE = sizeof(struct game_lua) + _Alignof(struct game_lua) - 1 };
_Static_assert((size_t)GAME_LUA_SIZE <= SANDBOX_OBJECT_MAX, "a sample may be a key");

static const char GAMES; /* registry key of the samples' metatable */

static struct game_lua *game_lua_at(void *memory) {
    uintptr_t mask = _Alignof(struct game_lua) - 1;
    return (struct game_lua *)(((uintptr_t)memory + mask) & ~mask);
}

/* The sample in argument `index`; `metatable` is the index of the samples' metatable. Raises for
 * one from an earlier turn unless it `may_be_old`. */
static struct game_lua *check_game(lua_State *lua, struct view_lua *self, const char *method,
                                   int index, int metatable, bool may_be_old) {
    void *memory = lua_touserdata(lua, index);
    bool is_game = memory && lua_getmetatable(lua, index);
    if (is_game) {
        is_game = lua_rawequal(lua, -1, metatable);
        lua_pop(lua, 1);
    }
    if (!is_game && index == 1) member_colon(lua, "game", strchr(method, ':') + 1);
    if (!is_game) view_refuse(lua, method, index, "a sample of this game");
    struct game_lua *game = game_lua_at(memory);
    if (!self->view) luaL_error(lua, "%s: samples can be used only during a callback", method);
    if (!may_be_old && (game->turn != self->view->plies || !game->game.rules)) {
        luaL_error(lua, "%s: the sample is from an earlier turn; view:sample(game) draws it again",
                   method);
    }
    return game;
}

static struct view_lua *owner(lua_State *lua) {
    return lua_touserdata(lua, lua_upvalueindex(1));
}

static struct game_lua *game_self(lua_State *lua, const char *method) {
    return check_game(lua, owner(lua), method, 1, lua_upvalueindex(2), false);
}

/* A whole number from `least` to `most`. */
static lua_Integer check_whole(lua_State *lua, const char *method, int index, lua_Integer least,
                               lua_Integer most) {
    int is_integer;
    lua_Integer number = lua_tointegerx(lua, index, &is_integer);
    if (!is_integer || lua_type(lua, index) != LUA_TNUMBER || number < least || number > most) {
        lua_settop(lua, index);
        view_refuse(lua, method, index,
                    lua_pushfstring(lua, "a whole number from %d to %d", (int)least, (int)most));
    }
    return number;
}

/* A search that may use up the bot's fuel. */
static struct search search_of(const struct view_lua *self, const struct values *values) {
    struct searcher *searcher = self->searcher;
    return (struct search){.values = values,
                           .own = (enum side)self->view->side,
                           .moves = searcher->moves,
                           .room = searcher->room,
                           .far = searcher->far,
                           .paid = calls_paid(),
                           .nodes_max = self->sandbox->fuel_left / NODE_FUEL + 1};
}

static int push_value(lua_State *lua, int32_t value) {
    lua_pushnumber(lua, (double)value / VALUE_UNIT);
    return 1;
}

static int game_moves_list(lua_State *lua) {
    struct view_lua *self = owner(lua);
    struct game_lua *game = game_self(lua, "game:moves");
    struct searcher *searcher = self->searcher;
    size_t count = game_moves(&game->game, searcher->moves, searcher->room);
    if (count > searcher->room) count = searcher->room;
    search_lua_settle(lua, "game:moves");
    sandbox_charge(lua, 20 + count);
    lua_createtable(lua, (int)count, 0);
    for (size_t i = 0; i < count; i++) {
        lua_pushinteger(lua, move_pack(searcher->moves[i]));
        lua_rawseti(lua, -2, (lua_Integer)i + 1);
    }
    return 1;
}

/* Raises for an illegal move. The repetition rules and the variant's calls are ignored: they may
 * depend on ranks that are hidden from the bot. */
static void check_legal(lua_State *lua, const struct game_lua *game, const char *method,
                        struct move move) {
    enum verdict verdict = game_judge(&game->game, move);
    search_lua_settle(lua, method);
    if (verdict == LEGAL || verdict == ILLEGAL_TWO_SQUARES || verdict == ILLEGAL_CHASE ||
        verdict == ILLEGAL_VARIANT)
        return;
    luaL_error(lua, "%s: this move is not legal here: %s", method, verdict_sentence(verdict));
}

static int game_play_move(lua_State *lua) {
    struct view_lua *self = owner(lua);
    struct game_lua *game = game_self(lua, "game:play");
    struct move move = view_move(lua, self, "game:play", 2);
    sandbox_charge(lua, NODE_FUEL);
    if (game->game.ply_count - game->floor >= GAME_DEPTH_MAX)
        return luaL_error(lua, "game:play: more than %d moves on one sample", GAME_DEPTH_MAX);
    check_legal(lua, game, "game:play", move);
    game_play(&game->game, move, NULL);
    search_lua_settle(lua, "game:play");
    return 0;
}

static int game_undo_move(lua_State *lua) {
    struct game_lua *game = game_self(lua, "game:undo");
    lua_Integer most = (lua_Integer)(game->game.ply_count - game->floor), times = 1;
    if (!lua_isnoneornil(lua, 2)) times = check_whole(lua, "game:undo", 2, 0, GAME_DEPTH_MAX);
    if (times > most) {
        return luaL_error(lua, "game:undo: %d moves to take back, but only %d were played",
                          (int)times, (int)most);
    }
    sandbox_charge(lua, (uint64_t)(times * NODE_FUEL) / 2);
    while (times-- > 0) game_undo(&game->game);
    return 0;
}

static int game_copy(lua_State *lua) {
    struct view_lua *self = owner(lua);
    struct game_lua *game = check_game(lua, self, "game:copy", 1, lua_upvalueindex(2), true);
    const struct game_lua *other =
        check_game(lua, self, "game:copy", 2, lua_upvalueindex(2), false);
    sandbox_charge(lua, 30 + 2 * other->game.ply_count);
    if (game == other) return 0;
    memcpy(game, other, offsetof(struct game_lua, plies));
    memcpy(game->plies, other->plies, other->game.ply_count * sizeof *game->plies);
    game->game.plies = game->plies;
    return 0;
}

static int game_kind_at(lua_State *lua) {
    struct view_lua *self = owner(lua);
    struct game_lua *game = game_self(lua, "game:kind_at");
    cell piece = game->game.at[view_square(lua, self, "game:kind_at", 2)];
    if (piece == CELL_EMPTY) {
        lua_pushnil(lua);
        return 1;
    }
    sandbox_push_text(lua, game->game.rules->kind[cell_kind(piece)].name);
    sandbox_push_text(lua, side_name(cell_side(piece)));
    return 2;
}

static int game_to_move(lua_State *lua) {
    struct game_lua *game = game_self(lua, "game:to_move");
    sandbox_push_text(lua, side_name((enum side)game->game.to_move));
    return 1;
}

static int game_depth(lua_State *lua) {
    struct game_lua *game = game_self(lua, "game:depth");
    lua_pushinteger(lua, (lua_Integer)(game->game.ply_count - game->floor));
    return 1;
}

/* game:counter(name, [side]) */
static int game_counter(lua_State *lua) {
    const struct game *game = &game_self(lua, "game:counter")->game;
    int counter = view_counter(lua, game->rules, "game:counter", 2);
    bool each = game->rules->counter[counter].each;
    enum side side = each ? view_side(lua, "game:counter", 3) : RED;
    lua_pushinteger(lua, counters_get(&game->counters, game->rules, side, counter));
    return 1;
}

static int game_is_over(lua_State *lua) {
    struct game_lua *game = game_self(lua, "game:over");
    if (!game_over(&game->game)) {
        lua_pushnil(lua);
        return 1;
    }
    sandbox_push_text(lua, result_name((enum result)game->game.result));
    sandbox_push_text(lua, reason_name((enum reason)game->game.reason));
    return 2;
}

static int game_evaluate(lua_State *lua) {
    struct view_lua *self = owner(lua);
    struct game_lua *game = game_self(lua, "game:evaluate");
    struct search search = search_of(self, search_lua_values(lua, self, "game:evaluate", 2));
    sandbox_charge(lua, NODE_FUEL);
    return push_value(lua, search_evaluate(&search, game->game.at, (enum result)game->game.result));
}

/* Reads the list of moves in argument 2 into the searcher; returns their number. */
static size_t read_prospects(lua_State *lua, struct view_lua *self, const struct game_lua *game) {
    struct prospect *prospects = self->searcher->prospects;
    size_t most = game->game.rules->moves_max, count = lua_rawlen(lua, 2);
    if (count > most) {
        luaL_error(lua, "game:score: a list of %d moves, but no position has more than %d",
                   (int)count, (int)most);
    }
    sandbox_charge(lua, 3 * NODE_FUEL * count);
    for (size_t i = 0; i < count; i++) {
        prospects[i].move = view_move_in(lua, self, "game:score", 2, (lua_Integer)i + 1);
        check_legal(lua, game, "game:score", prospects[i].move);
    }
    return count;
}

/* game:score(moves, sums, values, depth[, nodes]): adds the value of each move to its sum. Returns
 * the depth that could be finished. */
static int game_score(lua_State *lua) {
    struct view_lua *self = owner(lua);
    struct game_lua *game = game_self(lua, "game:score");
    lua_settop(lua, 6);
    if (!lua_istable(lua, 2)) view_refuse(lua, "game:score", 2, "a list of moves");
    if (!lua_istable(lua, 3)) view_refuse(lua, "game:score", 3, "a table for the sums");
    struct search search = search_of(self, search_lua_values(lua, self, "game:score", 4));
    int depth = (int)check_whole(lua, "game:score", 5, 1, SEARCH_DEPTH_MAX);
    uint64_t nodes = GAME_NODES;
    if (!lua_isnil(lua, 6)) nodes = (uint64_t)check_whole(lua, "game:score", 6, 1, GAME_NODES_MAX);
    if (game->game.ply_count - game->floor >= GAME_DEPTH_MAX)
        return luaL_error(lua, "game:score: more than %d moves on one sample", GAME_DEPTH_MAX);
    struct prospect *prospects = self->searcher->prospects;
    size_t count = read_prospects(lua, self, game);
    sandbox_charge(lua, NODE_FUEL * count); /* played whatever is left */
    search.nodes_max = count + self->sandbox->fuel_left / NODE_FUEL + 1;
    if (search.nodes_max > nodes) search.nodes_max = nodes;
    int done =
        lookahead_score(&search, &self->searcher->lookahead, &game->game, prospects, count, depth);
    search_lua_settle(lua, "game:score");
    sandbox_charge(lua, NODE_FUEL * (search.nodes - count));
    for (size_t i = 0; i < count; i++) {
        lua_rawgeti(lua, 3, (lua_Integer)i + 1);
        lua_pushnumber(lua, lua_tonumber(lua, -1) + (double)prospects[i].value / VALUE_UNIT);
        lua_rawseti(lua, 3, (lua_Integer)i + 1);
        lua_pop(lua, 1);
    }
    lua_pushinteger(lua, done);
    return 1;
}

/* The number at `key` of the options in argument 2, from 0 to `most`; `other` if it is missing. */
static double option(lua_State *lua, const char *key, double other, double most) {
    double number = other;
    sandbox_push_text(lua, key);
    if (lua_rawget(lua, 2) != LUA_TNIL) {
        number = lua_tonumber(lua, -1);
        if (lua_type(lua, -1) != LUA_TNUMBER || !(number >= 0 && number <= most))
            luaL_error(lua, "game:playout: %s must be a number from 0 to %d", key, (int)most);
    }
    lua_pop(lua, 1);
    return number;
}

/* game:playout([options]): plays random moves to the end or for a number of plies. Returns the
 * value and the plies. */
static int game_playout(lua_State *lua) {
    struct view_lua *self = owner(lua);
    struct game_lua *game = game_self(lua, "game:playout");
    const struct values *values = NULL;
    double plies = GAME_PLAYOUT_MAX, guided = 0;
    lua_settop(lua, 2);
    if (lua_istable(lua, 2)) {
        view_check_keys(lua, "game:playout", 2, "plies, guided and values");
        plies = option(lua, "plies", plies, GAME_PLAYOUT_MAX);
        guided = option(lua, "guided", 0, 1);
        values = search_lua_values_option(lua, self, "game:playout", 2);
    } else if (!lua_isnil(lua, 2)) {
        view_refuse(lua, "game:playout", 2, "a table with plies, guided and values");
    }
    struct search search = search_of(self, values);
    struct game before = game->game;
    search_playout(&search, &game->game, sandbox_random(self->sandbox), (uint32_t)plies,
                   (uint32_t)(guided * 256));
    enum result result = (enum result)game->game.result;
    int32_t value = values ? search_evaluate(&search, game->game.at, result) : 0;
    game->game = before;
    search_lua_settle(lua, "game:playout");
    sandbox_charge(lua, NODE_FUEL * (search.nodes + 4));
    if (values)
        push_value(lua, value);
    else if (result == RESULT_NONE || result == RESULT_DRAW)
        lua_pushinteger(lua, 0);
    else
        lua_pushinteger(lua, result == result_win(search.own) ? 1 : -1);
    lua_pushinteger(lua, (lua_Integer)search.nodes);
    return 2;
}

/* Totals of many playouts, as the bot counts wins and losses. */
struct sums {
    lua_Integer wins, losses, plies;
    int64_t value; /* in units of VALUE_UNIT */
};

static void add_playout(const struct search *search, const cell cells[BOARD_SQUARES_MAX],
                        enum result result, uint64_t plies, struct sums *sums) {
    sums->wins += result == result_win(search->own);
    sums->losses += result == result_win(side_other(search->own));
    sums->plies += (lua_Integer)plies;
    if (search->values) sums->value += search_evaluate(search, cells, result);
}

/* Plays them in lanes or crowds; both give the same games. */
static void play_together(lua_State *lua, struct game_lua *game, const struct search *search,
                          size_t count, uint32_t plies, struct sums *sums) {
    struct view_lua *self = owner(lua);
    struct game start = game->game;
    uint32_t end = start.ply_count + plies;
    bool breaks_off = !start.limits.plies || end < start.limits.plies;
    if (breaks_off) start.limits.plies = end;
    sandbox_charge(lua, TOGETHER_FUEL * count);
    playout_repeat(self->playouts, &start, count, random_next(sandbox_random(self->sandbox)),
                   self->results);
    for (size_t i = 0; i < count; i++) {
        bool broken_off = breaks_off && self->results[i].reason == REASON_PLY_LIMIT;
        add_playout(search, self->results[i].at,
                    broken_off ? RESULT_NONE : (enum result)self->results[i].result,
                    self->results[i].plies, sums);
    }
    sandbox_charge(lua, TOGETHER_PLY_FUEL * (uint64_t)sums->plies);
}

/* Plays them by listing moves, while there is fuel. */
static void play_one_by_one(lua_State *lua, struct game_lua *game, struct search *search,
                            size_t count, uint32_t plies, struct sums *sums) {
    struct view_lua *self = owner(lua);
    const struct game before = game->game;
    for (size_t i = 0; i < count && search->nodes < search->nodes_max; i++) {
        uint64_t nodes = search->nodes;
        search_playout(search, &game->game, sandbox_random(self->sandbox), plies, 0);
        add_playout(search, game->game.at, (enum result)game->game.result, search->nodes - nodes,
                    sums);
        game->game = before;
        search_lua_settle(lua, "game:playouts");
    }
    sandbox_charge(lua, NODE_FUEL * (search->nodes + 4 * count));
}

/* game:playouts([options]): plays many unguided playouts of one sample. */
static int game_playouts(lua_State *lua) {
    struct view_lua *self = owner(lua);
    struct game_lua *game = game_self(lua, "game:playouts");
    lua_settop(lua, 2);
    if (lua_isnil(lua, 2)) {
        lua_newtable(lua);
        lua_replace(lua, 2);
    }
    if (!lua_istable(lua, 2))
        view_refuse(lua, "game:playouts", 2, "a table with count, plies and values");
    view_check_keys(lua, "game:playouts", 2, "count, plies and values");
    size_t count = (size_t)view_whole_option(lua, "game:playouts", 2, "count", GAME_PLAYOUTS, 1,
                                             GAME_PLAYOUTS_MAX);
    uint32_t plies = (uint32_t)view_whole_option(lua, "game:playouts", 2, "plies", GAME_PLAYOUT_MAX,
                                                 1, GAME_PLAYOUT_MAX);
    struct search search = search_of(self, search_lua_values_option(lua, self, "game:playouts", 2));
    struct sums sums = {0};
    if (search_lua_plays_together(lua, self))
        play_together(lua, game, &search, count, plies, &sums);
    else
        play_one_by_one(lua, game, &search, count, plies, &sums);
    if (search.values)
        lua_pushnumber(lua, (double)sums.value / VALUE_UNIT / (double)count);
    else
        lua_pushnumber(lua, (double)(sums.wins - sums.losses) / (double)count);
    lua_pushinteger(lua, sums.wins);
    lua_pushinteger(lua, (lua_Integer)count - sums.wins - sums.losses);
    lua_pushinteger(lua, sums.losses);
    lua_pushinteger(lua, sums.plies);
    return 5;
}

const luaL_Reg GAME_METHODS[] = {
    {"copy", game_copy},         {"depth", game_depth},
    {"evaluate", game_evaluate}, {"kind_at", game_kind_at},
    {"moves", game_moves_list},  {"counter", game_counter},
    {"over", game_is_over},      {"play", game_play_move},
    {"playout", game_playout},   {"playouts", game_playouts},
    {"score", game_score},       {"to_move", game_to_move},
    {"undo", game_undo_move},    {NULL, NULL},
};

/* view:sample([into]): a game with a possible army for the enemy. */
static int method_sample(lua_State *lua) {
    struct view_lua *self = view_self(lua, "sample");
    struct game_lua *game;
    lua_settop(lua, 2);
    search_lua_push_metatable(lua, self, "game", &GAMES, GAME_METHODS);
    if (lua_isnil(lua, 2)) {
        game = game_lua_at(lua_newuserdatauv(lua, GAME_LUA_SIZE, 0));
        memset(game, 0, offsetof(struct game_lua, plies));
        lua_insert(lua, 3);
        lua_setmetatable(lua, 3);
        lua_replace(lua, 2);
    } else {
        game = check_game(lua, self, "view:sample", 2, 3, true);
    }
    bool by_chain = search_lua_prepare_samples(lua, self);
    sampler_draw(&self->searcher->sampler, sandbox_random(self->sandbox), &game->game, game->plies,
                 GAME_PLIES);
    search_lua_settle(lua, "view:sample");
    game->floor = game->game.ply_count;
    game->turn = self->view->plies;
    sandbox_charge(lua, 150 + NODE_FUEL * game->floor + (by_chain ? 300u : 0u));
    lua_settop(lua, 2);
    return 1;
}

const luaL_Reg VIEW_SAMPLE_METHODS[] = {
    {"sample", method_sample},
    {NULL, NULL},
};
