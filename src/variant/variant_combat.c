/* variant_combat.c - the outcome of each pair of pieces, and whether its winner is shown.
 *
 * An outcome comes from the first of these that decides it: an exception that names the other
 * piece, an exception for "all", the combat function, the ranks. Contradictory exceptions of one
 * level are refused, so that the order of pieces never matters.
 *
 * A combat function that takes the squares is called for each two places of the board: squares of
 * the same grounds are one. Only if an answer depends on them, or forbids an attack, the rules get
 * tables of battles by place. */
#include "variant_combat.h"

#include "lua/member.h"
#include "lua/walk.h"

#include <lauxlib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct exceptions {
    kindset beats, kills, loses_to, repels;
    bool beats_all, kills_all, loses_to_all, repels_all;
};

static bool read_exceptions(const struct variant_build *build, kind_id id,
                            struct exceptions *exceptions) {
    const char *name = build->rules->kind[id].name;
    char key[VARIANT_KEY_MAX];
    bool good = variant_kinds(build, variant_key(key, "pieces.%s.beats", name), &exceptions->beats,
                              &exceptions->beats_all);
    good &= variant_kinds(build, variant_key(key, "pieces.%s.kills", name), &exceptions->kills,
                          &exceptions->kills_all);
    good &= variant_kinds(build, variant_key(key, "pieces.%s.loses_to", name),
                          &exceptions->loses_to, &exceptions->loses_to_all);
    good &= variant_kinds(build, variant_key(key, "pieces.%s.repels", name), &exceptions->repels,
                          &exceptions->repels_all);
    return good;
}

/* Hides the table of members on top of the stack behind an empty one, so that every write calls
 * __newindex. */
static void guard_members(lua_State *lua, const char *object) {
    static const char refuse[] = "error('what combat is handed cannot be changed', 2)";
    member_guard(lua, object, MEMBER_NEEDED);
    lua_newtable(lua);
    lua_createtable(lua, 0, 3);
    lua_pushvalue(lua, -3);
    lua_setfield(lua, -2, "__index");
    if (luaL_loadbufferx(lua, refuse, sizeof refuse - 1, "=combat", "t") != LUA_OK) lua_error(lua);
    lua_setfield(lua, -2, "__newindex");
    lua_pushboolean(lua, 0);
    lua_setfield(lua, -2, "__metatable");
    lua_setmetatable(lua, -2);
    lua_remove(lua, -2);
}

/* Pushes a list of the read-only tables that describe the pieces to the combat function. */
static void push_pieces(const struct variant_build *build) {
    lua_State *lua = build->lua;
    lua_createtable(lua, build->rules->kinds, 0);
    for (kind_id id = 1; id <= build->rules->kinds; id++) {
        const struct kind *kind = &build->rules->kind[id];
        lua_createtable(lua, 0, 6);
        sandbox_push_text(lua, kind->name);
        lua_setfield(lua, -2, "name");
        sandbox_push_text(lua, kind->label);
        lua_setfield(lua, -2, "label");
        lua_pushlstring(lua, &kind->letter, 1);
        lua_setfield(lua, -2, "letter");
        lua_pushinteger(lua, kind->rank);
        lua_setfield(lua, -2, "rank");
        lua_pushboolean(lua, kind->flag);
        lua_setfield(lua, -2, "flag");
        lua_pushboolean(lua, kind->movement != MOVEMENT_NONE);
        lua_setfield(lua, -2, "mobile");
        guard_members(lua, "piece");
        lua_rawseti(lua, -2, id);
    }
}

/* What a square is to an attacker, for each ground. */
enum standing { NOT_THERE, THERE, OWN, ENEMYS, BOTH_SIDES };

static enum standing standing_of(const struct ground *ground, enum side side, square at) {
    const bool own = squareset_has(ground->squares[side], at);
    const bool enemys = squareset_has(ground->squares[side_other(side)], at);
    if (!ground->sided) return own ? THERE : NOT_THERE;
    return own && enemys ? BOTH_SIDES : own ? OWN : enemys ? ENEMYS : NOT_THERE;
}

/* The places of a board, each with its standings. */
struct places {
    int count;
    uint8_t standing[PLACES_MAX][GROUNDS_MAX];
    uint8_t of[2][BOARD_SQUARES_MAX]; /* by the attacker's side */
};

/* Adds the place of a square unless it is there; its number, PLACES_MAX if there are too many. */
static int place_find(struct places *places, const uint8_t standing[GROUNDS_MAX]) {
    int place = 0;
    while (place < places->count && memcmp(places->standing[place], standing, GROUNDS_MAX) != 0)
        place++;
    if (place == PLACES_MAX) return place;
    memcpy(places->standing[place], standing, GROUNDS_MAX);
    if (place == places->count) places->count++;
    return place;
}

/* Tells the places of the board apart; without `grounds` it is one. */
static bool places_build(const struct variant_build *build, bool grounds, struct places *places) {
    const struct board *board = &build->rules->board;
    *places = (struct places){.count = 1};
    for (int side = RED; side <= BLUE && grounds; side++)
        for (square at = 0; at < board->squares; at++) {
            uint8_t standing[GROUNDS_MAX] = {NOT_THERE};
            for (int i = 0; i < board->grounds; i++)
                standing[i] = (uint8_t)standing_of(&board->ground[i], (enum side)side, at);
            const int place = place_find(places, standing);
            if (place == PLACES_MAX)
                return variant_refuse(build->source, "combat",
                                      "combat takes squares, and the grounds make more than %d "
                                      "kinds of them",
                                      PLACES_MAX);
            places->of[side][at] = (uint8_t)place;
        }
    return true;
}

/* Pushes a list of the read-only tables that describe the places to the combat function. */
static void push_places(const struct variant_build *build, const struct places *places) {
    static const char *const owners[] = {[OWN] = "own", [ENEMYS] = "enemy", [BOTH_SIDES] = "both"};
    const struct board *board = &build->rules->board;
    lua_State *lua = build->lua;
    lua_createtable(lua, places->count, 0);
    for (int place = 0; place < places->count; place++) {
        lua_createtable(lua, 0, board->grounds);
        for (int i = 0; i < board->grounds; i++) {
            const uint8_t standing = places->standing[place][i];
            if (standing > THERE)
                sandbox_push_text(lua, owners[standing]);
            else
                lua_pushboolean(lua, standing == THERE);
            lua_setfield(lua, -2, board->ground[i].name);
        }
        guard_members(lua, "square");
        lua_rawseti(lua, -2, place + 1);
    }
}

/* Does the function at `key` take more than `count` arguments? */
static bool takes_more(const struct variant_build *build, const char *key, int count) {
    lua_Debug debug;
    variant_get(build->lua, build->table, key);
    lua_getinfo(build->lua, ">u", &debug);
    return debug.nparams > count || debug.isvararg;
}

/* The answers that a function may give: words, and perhaps false as the last; their indices. */
struct words {
    int count;
    const char *word[CANNOT_ATTACK + 1]; /* NULL: false */
    const char *expected;
};

static const struct words SHOWN = {3,
                                   {[AFTER_BATTLE_REVEAL] = "reveal",
                                    [AFTER_BATTLE_CONCEAL] = "conceal",
                                    [AFTER_BATTLE_SILENT] = "silent"},
                                   "\"reveal\", \"conceal\" or \"silent\""};

/* What a function is asked about: lists on the stack, and which of their elements it is passed. */
struct question {
    const char *key;
    int pieces, places; /* places: 0 if it takes no squares */
    kind_id attacker, defender;
    int from, to;        /* places */
    const char *outcome; /* passed if it is not NULL */
};

/* Pushes the function and its arguments; how many these are. */
static int push_question(const struct variant_build *build, const struct question *question) {
    lua_State *lua = build->lua;
    variant_get(lua, build->table, question->key);
    const int top = lua_gettop(lua);
    lua_rawgeti(lua, question->pieces, question->attacker);
    lua_rawgeti(lua, question->pieces, question->defender);
    if (question->outcome) sandbox_push_text(lua, question->outcome);
    if (question->places) {
        lua_rawgeti(lua, question->places, question->from + 1);
        lua_rawgeti(lua, question->places, question->to + 1);
    }
    return lua_gettop(lua) - top;
}

/* Calls a function for one of the words. */
static bool ask_function(const struct variant_build *build, const struct question *question,
                         const struct words *words, uint8_t *answer) {
    lua_State *lua = build->lua;
    char value[VALUE_TEXT_MAX];
    if (!variant_call(build, question->key, push_question(build, question))) return false;
    const bool refuses = lua_type(lua, -1) == LUA_TBOOLEAN && !lua_toboolean(lua, -1);
    const char *word = lua_type(lua, -1) == LUA_TSTRING ? lua_tostring(lua, -1) : "";
    *answer = 0;
    while (*answer < words->count &&
           (words->word[*answer] ? strcmp(word, words->word[*answer]) != 0 : !refuses))
        ++*answer;
    if (*answer == words->count) {
        *answer = 0; /* the tables hold no other number */
        return variant_refuse_result(
            build, question->key, "%s returned %s for %s against %s, expected %s", question->key,
            variant_value(lua, -1, value), build->rules->kind[question->attacker].name,
            build->rules->kind[question->defender].name, words->expected);
    }
    lua_pop(lua, 1);
    return true;
}

/* Finds the exception for this pair. False after a refusal of contradictory ones. */
static bool find_exception(const struct variant_build *build, const struct exceptions *a,
                           const struct exceptions *d, kind_id attacker, kind_id defender,
                           bool *found, uint8_t *outcome) {
    bool wins = (a->beats & kindset_of(defender)) || (d->loses_to & kindset_of(attacker));
    bool falls = (d->repels & kindset_of(attacker)) != 0;
    bool both = (a->kills & kindset_of(defender)) != 0;
    if (!wins && !falls && !both) {
        wins = a->beats_all || d->loses_to_all;
        falls = d->repels_all;
        both = a->kills_all;
    }
    *found = wins || falls || both;
    *outcome = both ? BOTH_FALL : wins ? ATTACKER_WINS : DEFENDER_WINS;
    if (wins + falls + both <= 1) return true;
    char key[VARIANT_KEY_MAX];
    const char *name = build->rules->kind[defender].name;
    if (both)
        return variant_refuse(
            build->source, variant_key(key, "pieces.%s.kills", build->rules->kind[attacker].name),
            "%s says that both fall when %s attacks %s, but %s says something else", key,
            build->rules->kind[attacker].name, name, wins ? "beats or loses_to" : "repels");
    return variant_refuse(build->source, variant_key(key, "pieces.%s.repels", name),
                          "pieces.%s.repels says that %s loses its attack, but beats or "
                          "loses_to says that it wins",
                          name, build->rules->kind[attacker].name);
}

static uint8_t compare_ranks(int attacker, int defender) {
    if (attacker == defender) return BOTH_FALL;
    return attacker > defender ? ATTACKER_WINS : DEFENDER_WINS;
}

/* The outcome of a battle, ASK_THE_VARIANT if it depends on the squares. */
static enum outcome one_outcome(const struct rules *rules, kind_id attacker, kind_id defender) {
    const unsigned outcomes = rules_outcomes(rules, attacker, defender) & ~(1u << CANNOT_ATTACK);
    if (!outcomes || (outcomes & (outcomes - 1))) return ASK_THE_VARIANT;
    return (enum outcome)__builtin_ctz(outcomes);
}

/* Can one of the two survive? */
static bool has_winner(const struct rules *rules, kind_id attacker, kind_id defender) {
    return (rules_outcomes(rules, attacker, defender) & ~(1u << CANNOT_ATTACK | 1u << BOTH_FALL)) !=
           0;
}

/* Fills rules.after_battle. */
static bool build_shown(const struct variant_build *build, int pieces) {
    struct rules *rules = build->rules;
    bool asks = variant_get(build->lua, build->table, "after_battle") == LUA_TFUNCTION;
    lua_pop(build->lua, 1);
    const char *word = variant_text(build, "after_battle", SHOWN.word[AFTER_BATTLE_REVEAL]);
    uint8_t same = AFTER_BATTLE_REVEAL;
    while (!asks && strcmp(word, SHOWN.word[same]) != 0) same++;
    for (kind_id a = 1; a <= rules->kinds; a++) {
        for (kind_id d = 1; d <= rules->kinds; d++) {
            const struct question question = {.key = "after_battle",
                                              .pieces = pieces,
                                              .attacker = a,
                                              .defender = d,
                                              .outcome = outcome_name(one_outcome(rules, a, d))};
            rules->after_battle[a][d] = same;
            if (asks && rules->kind[a].movement != MOVEMENT_NONE && has_winner(rules, a, d) &&
                !ask_function(build, &question, &SHOWN, &rules->after_battle[a][d]))
                return false;
        }
    }
    return true;
}

/* Reads `advances`, `fallen` and `fall_of`. */
static bool build_consequences(const struct variant_build *build) {
    struct rules *rules = build->rules;
    lua_State *lua = build->lua;
    char key[VARIANT_KEY_MAX];
    bool good = true, all;
    rules->fallen_hidden = !strcmp(variant_text(build, "fallen", "shown"), "hidden");
    for (kind_id id = 1; id <= rules->kinds; id++) {
        variant_key(key, "pieces.%s.advances", rules->kind[id].name);
        if (variant_boolean(build, key, true)) continue;
        if (rules->kind[id].movement == MOVEMENT_NONE)
            good = variant_refuse(build->source, key, "%s has no effect: %s never attacks", key,
                                  rules->kind[id].name);
        rules->stayers |= kindset_of(id);
    }
    if (variant_get(lua, build->table, "fall_of") != LUA_TTABLE) {
        lua_pop(lua, 1);
        return good;
    }
    struct walk walk;
    walk_start(lua, &walk, lua_gettop(lua));
    while (walk_step(lua, &walk)) {
        char name[WORD_MAX];
        if (lua_type(lua, -1) != LUA_TTABLE) continue;
        snprintf(name, sizeof name, "%s", lua_tostring(lua, -2));
        good &= variant_piece_known(build, variant_key(key, "fall_of.%s", name), name);
        kind_id fallen = rules_kind_named(rules, name);
        kindset shown = 0;
        variant_key(key, "fall_of.%s.reveal", name);
        if (variant_get(lua, build->table, key) == LUA_TSTRING) {
            kind_id kind = rules_kind_named(rules, lua_tostring(lua, -1));
            good &= variant_piece_known(build, key, lua_tostring(lua, -1));
            if (kind != KIND_NONE) shown = kindset_of(kind);
        } else {
            good &= variant_kinds(build, key, &shown, &all);
        }
        lua_pop(lua, 1);
        if (fallen != KIND_NONE) rules->fall_shows[fallen] = shown;
    }
    lua_pop(lua, 1);
    return good;
}

/* One table of outcomes for each two places, first; then what the rules keep of them. */
struct combat {
    const struct variant_build *build;
    struct exceptions exceptions[KINDS_MAX];
    struct places places;
    struct question question; /* without function: places is 0, and key NULL */
    struct battles *battles;
};

/* The outcome of a pair at two places. */
static bool decide(struct combat *combat, bool found, uint8_t exception, uint8_t *outcome) {
    static const struct words outcomes = {CANNOT_ATTACK + 1,
                                          {[ATTACKER_WINS] = "attacker",
                                           [DEFENDER_WINS] = "defender",
                                           [BOTH_FALL] = "both",
                                           [ASK_THE_VARIANT] = "ask"},
                                          "\"attacker\", \"defender\", \"both\", \"ask\" or false"};
    const struct question *question = &combat->question;
    const struct kind *kind = combat->build->rules->kind;
    *outcome = exception;
    if (found) return true;
    if (question->key) return ask_function(combat->build, question, &outcomes, outcome);
    *outcome = compare_ranks(kind[question->attacker].rank, kind[question->defender].rank);
    return true;
}

/* Fills the tables for a pair at all places; a function that has failed is not called again. */
static bool decide_pair(struct combat *combat, kind_id attacker, kind_id defender) {
    struct question *question = &combat->question;
    bool found;
    uint8_t exception;
    question->attacker = attacker;
    question->defender = defender;
    if (!find_exception(combat->build, &combat->exceptions[attacker], &combat->exceptions[defender],
                        attacker, defender, &found, &exception))
        return false;
    for (question->from = 0; question->from < combat->places.count; question->from++)
        for (question->to = 0; question->to < combat->places.count; question->to++)
            if (!decide(
                    combat, found, exception,
                    &combat->battles->outcome[question->from][question->to][attacker][defender])) {
                question->key = NULL;
                return false;
            }
    return true;
}

/* Gives the rules the outcomes, and the tables if they say more. */
static void settle(const struct combat *combat) {
    struct rules *rules = combat->build->rules;
    bool needed = false;
    for (kind_id a = 1; a <= rules->kinds; a++)
        for (kind_id d = 1; d <= rules->kinds && rules->kind[a].movement != MOVEMENT_NONE; d++) {
            const unsigned outcomes = rules_outcomes(rules, a, d);
            const uint8_t bare = combat->battles->outcome[0][0][a][d];
            needed |= (outcomes & (outcomes - 1)) || bare == CANNOT_ATTACK;
            rules->outcome[a][d] = bare == CANNOT_ATTACK ? DEFENDER_WINS : bare;
        }
    if (needed) return;
    free(rules->battles);
    rules->battles = NULL;
}

/* Fills rules.outcome, and rules.battles if need be. */
static bool build_outcomes(struct combat *combat) {
    const struct variant_build *build = combat->build;
    struct rules *rules = build->rules;
    bool good = places_build(build, combat->question.places, &combat->places);
    combat->battles = rules->battles = calloc(1, sizeof *combat->battles);
    if (!combat->battles) luaL_error(build->lua, "out of memory");
    combat->battles->places = (uint8_t)combat->places.count;
    memcpy(combat->battles->place, combat->places.of, sizeof combat->battles->place);
    if (combat->question.places) {
        push_places(build, &combat->places);
        combat->question.places = lua_gettop(build->lua);
    }
    for (kind_id a = 1; a <= rules->kinds; a++)
        for (kind_id d = 1; d <= rules->kinds && rules->kind[a].movement != MOVEMENT_NONE; d++)
            good &= decide_pair(combat, a, d);
    settle(combat);
    return good;
}

bool variant_combat_build(struct variant_build *build) {
    lua_State *lua = build->lua;
    struct combat combat = {.build = build};
    const bool asks = variant_get(lua, build->table, "combat") == LUA_TFUNCTION;
    const int top = lua_gettop(lua) - 1;
    bool good = true;
    push_pieces(build);
    combat.question.pieces = lua_gettop(lua);
    if (asks) combat.question.key = "combat";
    if (asks) combat.question.places = takes_more(build, "combat", 2);
    for (kind_id id = 1; id <= build->rules->kinds; id++)
        good &= read_exceptions(build, id, &combat.exceptions[id]);
    good &= build_outcomes(&combat);
    good &= build_shown(build, combat.question.pieces);
    good &= build_consequences(build);
    lua_settop(lua, top);
    return good;
}
