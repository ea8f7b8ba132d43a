/* variant_combat.c - the outcome of each pair of pieces, and whether its winner is shown.
 *
 * An outcome comes from the first of these that decides it: an exception that names the other
 * piece, an exception for "all", the combat function, the ranks. Contradictory exceptions of one
 * level are refused, so that the order of pieces never matters. */
#include "variant_combat.h"

#include "lua/member.h"
#include "lua/walk.h"

#include <lauxlib.h>
#include <stdio.h>
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

/* Pushes a list of the read-only tables that describe the pieces to the combat function. */
static void push_pieces(const struct variant_build *build) {
    static const char refuse[] = "error('the pieces that combat is handed cannot be changed', 2)";
    lua_State *lua = build->lua;
    lua_createtable(lua, build->rules->kinds, 0);
    for (kind_id id = 1; id <= build->rules->kinds; id++) {
        const struct kind *kind = &build->rules->kind[id];
        lua_newtable(lua); /* the script's table: empty, so that every write calls __newindex */
        lua_createtable(lua, 0, 2);
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
        member_guard(lua, "piece", MEMBER_NEEDED);
        lua_setfield(lua, -2, "__index");
        if (luaL_loadbufferx(lua, refuse, sizeof refuse - 1, "=combat", "t") != LUA_OK)
            lua_error(lua);
        lua_setfield(lua, -2, "__newindex");
        lua_pushboolean(lua, 0);
        lua_setfield(lua, -2, "__metatable");
        lua_setmetatable(lua, -2);
        lua_rawseti(lua, -2, id);
    }
}

/* The words that a function may return; their indices are the answers. */
struct words {
    int count;
    const char *word[4];
    const char *expected;
};

static const struct words SHOWN = {3,
                                   {[AFTER_BATTLE_REVEAL] = "reveal",
                                    [AFTER_BATTLE_CONCEAL] = "conceal",
                                    [AFTER_BATTLE_SILENT] = "silent"},
                                   "\"reveal\", \"conceal\" or \"silent\""};

/* Calls the function at `key` for one of the words; passes `outcome` if it is not NULL. */
static bool ask_function(const struct variant_build *build, const char *key, int pieces,
                         kind_id attacker, kind_id defender, const char *outcome,
                         const struct words *words, uint8_t *answer) {
    lua_State *lua = build->lua;
    char value[VALUE_TEXT_MAX];
    variant_get(lua, build->table, key);
    lua_rawgeti(lua, pieces, attacker);
    lua_rawgeti(lua, pieces, defender);
    if (outcome) sandbox_push_text(lua, outcome);
    if (!variant_call(build, key, outcome ? 3 : 2)) return false;
    const char *word = lua_type(lua, -1) == LUA_TSTRING ? lua_tostring(lua, -1) : "";
    *answer = 0;
    while (*answer < words->count && strcmp(word, words->word[*answer]) != 0) ++*answer;
    if (*answer == words->count)
        return variant_refuse_result(build, key, "%s returned %s for %s against %s, expected %s",
                                     key, variant_value(lua, -1, value),
                                     build->rules->kind[attacker].name,
                                     build->rules->kind[defender].name, words->expected);
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
            uint8_t outcome = rules->outcome[a][d];
            rules->after_battle[a][d] = same;
            if (asks && rules->kind[a].movement != MOVEMENT_NONE && outcome != BOTH_FALL &&
                !ask_function(build, "after_battle", pieces, a, d, outcome_name(outcome), &SHOWN,
                              &rules->after_battle[a][d]))
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

bool variant_combat_build(struct variant_build *build) {
    struct rules *rules = build->rules;
    lua_State *lua = build->lua;
    const struct words outcomes = {4,
                                   {outcome_name(ATTACKER_WINS), outcome_name(DEFENDER_WINS),
                                    outcome_name(BOTH_FALL), outcome_name(ASK_THE_VARIANT)},
                                   "\"attacker\", \"defender\", \"both\" or \"ask\""};
    struct exceptions exceptions[KINDS_MAX];
    bool found, asks = variant_get(lua, build->table, "combat") == LUA_TFUNCTION, good = true;
    int top = lua_gettop(lua) - 1;
    push_pieces(build);
    int pieces = lua_gettop(lua);
    for (kind_id id = 1; id <= rules->kinds; id++)
        good &= read_exceptions(build, id, &exceptions[id]);
    for (kind_id a = 1; a <= rules->kinds; a++) {
        if (rules->kind[a].movement == MOVEMENT_NONE) continue;
        for (kind_id d = 1; d <= rules->kinds; d++) {
            uint8_t *outcome = &rules->outcome[a][d];
            good &= find_exception(build, &exceptions[a], &exceptions[d], a, d, &found, outcome);
            if (found) continue;
            if (!asks)
                *outcome = compare_ranks(rules->kind[a].rank, rules->kind[d].rank);
            else if (!ask_function(build, "combat", pieces, a, d, NULL, &outcomes, outcome))
                good = asks = false;
        }
    }
    good &= build_shown(build, pieces);
    good &= build_consequences(build);
    lua_settop(lua, top);
    return good;
}
