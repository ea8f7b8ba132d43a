/* variant_abilities.c - tabulates `targets` for each side and square and `resolve` for each target
 * and choice.
 *
 * An ability of the rules belongs to one kind. Kinds that share an ability table in Lua get an
 * entry each, all with one tally, so that they use up the limit together. */
#include "variant_abilities.h"

#include "base/words.h"
#include "lua/board_lua.h"
#include "lua/walk.h"

#include <lauxlib.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The ability being built. */
struct making {
    struct variant_build *build;
    struct ability *ability;
    char key[VARIANT_KEY_MAX]; /* pieces.KIND.abilities.NAME */
};

static const char *part_key(const struct making *making, const char *part,
                            char out[VARIANT_KEY_MAX]) {
    return variant_key(out, "%.200s.%s", making->key, part);
}

static bool read_choices(const struct making *making) {
    struct ability *ability = making->ability;
    const struct rules *rules = making->build->rules;
    char key[VARIANT_KEY_MAX];
    kindset except;
    bool all;
    if (!variant_kinds(making->build, part_key(making, "except", key), &except, &all)) return false;
    if (ability->asks == ASKS_NOTHING) return true;
    for (kind_id id = 1; id <= rules->kinds; id++)
        if (!(except & kindset_of(id))) ability->choices |= kindset_of(id);
    return true;
}

static bool read_words(const struct making *making) {
    struct variant_build *build = making->build;
    struct ability *ability = making->ability;
    char key[VARIANT_KEY_MAX];
    ability->when =
        (uint8_t)variant_words(build, part_key(making, "when", key), ABILITY_TIME_WORDS, 1);
    ability->aims =
        (uint8_t)variant_words(build, part_key(making, "aims", key), ABILITY_AIM_WORDS, 1);
    ability->asks =
        (uint8_t)variant_words(build, part_key(making, "asks", key), ABILITY_ASKS_WORDS, 0);
    ability->limit = (uint8_t)variant_number(build, part_key(making, "limit", key), 0);
    ability->each = (uint8_t)variant_number(build, part_key(making, "each", key), 0);
    ability->rest = (uint8_t)variant_number(build, part_key(making, "rest", key), 0);
    ability->attacks =
        variant_boolean(build, part_key(making, "attacks", key), (ability->aims & AIM_ENEMY) != 0);
    bool good = true;
    static const char *const needed[] = {"targets", "resolve"};
    for (int i = 0; i < 2; i++) {
        part_key(making, needed[i], key);
        if (variant_get(build->lua, build->table, key) == LUA_TNIL)
            good = variant_refuse(build->source, key, "%s is missing; every ability needs it", key);
        lua_pop(build->lua, 1);
    }
    return read_choices(making) && good;
}

enum effect_value {
    WHOM,
    YES,
    LEARN,
    HOLD,
    COUNT,
    BATTLE
}; /* "target", "actor" or "both"; true; see read_learn() and so on */

static const struct {
    const char *key;
    enum effect_value value;
    uint16_t yes, target, actor;
} EFFECTS[] = {
    {"remove", WHOM, 0, EFFECT_REMOVE_TARGET, EFFECT_REMOVE_ACTOR},
    {"reveal", WHOM, 0, EFFECT_REVEAL_TARGET, EFFECT_REVEAL_ACTOR},
    {"conceal", WHOM, 0, EFFECT_CONCEAL_TARGET, EFFECT_CONCEAL_ACTOR},
    {"learn", LEARN, EFFECT_LEARN, 0, 0},
    {"hold", HOLD, EFFECT_HOLD, 0, 0},
    {"add", COUNT, 0, 0, 0},
    {"set", COUNT, 0, 0, 0},
    {"battle", BATTLE, 0, 0, 0},
    {"swap", YES, EFFECT_SWAP, 0, 0},
    {"place", YES, EFFECT_PLACE, 0, 0},
    {"win", YES, EFFECT_WIN, 0, 0},
    {"lose", YES, EFFECT_LOSE, 0, 0},
    {"draw", YES, EFFECT_DRAW, 0, 0},
};
enum {
    EFFECT_COUNT = sizeof EFFECTS / sizeof EFFECTS[0],
    EFFECTS_TEXT_MAX = 160 /* of a list of them, or a hint at one */
};

const char *variant_abilities_effect(int index) {
    return index < EFFECT_COUNT ? EFFECTS[index].key : NULL;
}

/* A target and a choice for which `resolve` is asked. */
struct pair {
    kind_id target, choice;
    const char *key, *call; /* for faults */
};

/* The piece named by the value on top of the stack, which it pops; KIND_NONE if none is. */
static kind_id pop_kind(const struct making *making) {
    lua_State *lua = making->build->lua;
    const struct rules *rules = making->build->rules;
    bool text = lua_type(lua, -1) == LUA_TSTRING;
    kind_id kind = text ? rules_kind_named(rules, lua_tostring(lua, -1)) : KIND_NONE;
    lua_pop(lua, 1);
    return kind;
}

/* The kinds whose rank is at least that of the one in `at_least`, or those in `one_of`, of the
 * table on top of the stack. Empty if it is none such. */
static kindset read_question(const struct making *making) {
    lua_State *lua = making->build->lua;
    const struct rules *rules = making->build->rules;
    int question = lua_gettop(lua), keys = 0;
    kindset asked = 0;
    struct walk walk;
    walk_start(lua, &walk, question);
    while (walk_step(lua, &walk)) keys++;
    lua_pushliteral(lua, "at_least");
    lua_rawget(lua, question);
    kind_id least = pop_kind(making);
    for (kind_id id = 1; least && id <= rules->kinds; id++)
        if (rules->kind[id].rank >= rules->kind[least].rank) asked |= kindset_of(id);
    lua_pushliteral(lua, "one_of");
    lua_rawget(lua, question);
    bool known = true;
    size_t count = lua_type(lua, -1) == LUA_TTABLE ? (size_t)lua_rawlen(lua, -1) : 0;
    for (size_t i = 1; i <= count && i <= KINDS_MAX; i++) {
        lua_rawgeti(lua, -1, (lua_Integer)i);
        kind_id one = pop_kind(making);
        known = known && one != KIND_NONE;
        if (one != KIND_NONE) asked |= kindset_of(one);
    }
    lua_pop(lua, 1);
    return known && keys == 1 ? asked : 0;
}

/* What the user learns: "kind", or the answer to a question about the target. */
static bool read_learn(const struct making *making, const struct pair *pair) {
    lua_State *lua = making->build->lua;
    const struct rules *rules = making->build->rules;
    struct ability *ability = making->ability;
    kindset *learn = &ability->learn[pair->target][pair->choice], army = 0;
    char value[VALUE_TEXT_MAX];
    for (kind_id id = 1; id <= rules->kinds; id++) army |= kindset_of(id);
    *learn = 0;
    if (lua_type(lua, -1) == LUA_TBOOLEAN && !lua_toboolean(lua, -1)) return true;
    if (lua_type(lua, -1) == LUA_TSTRING && !strcmp(lua_tostring(lua, -1), "kind")) {
        *learn = kindset_of(pair->target);
    } else if (lua_type(lua, -1) == LUA_TTABLE) {
        kindset asked = read_question(making);
        if (asked) *learn = asked >> pair->target & 1 ? asked : army & ~asked;
    }
    if (*learn) {
        ability->effects[pair->target][pair->choice] |= EFFECT_LEARN;
        return true;
    }
    return variant_refuse_result(
        making->build, pair->key,
        "%s returned learn = %s, expected \"kind\", { at_least = PIECE } or { one_of = { PIECE, … } }, "
        "with pieces of the army",
        pair->call, variant_value(lua, -1, value));
}

/* The number of turns for which the target is held. */
static bool read_hold(const struct making *making, const struct pair *pair) {
    lua_State *lua = making->build->lua;
    uint16_t *effects = &making->ability->effects[pair->target][pair->choice];
    char value[VALUE_TEXT_MAX];
    int whole = 0;
    if (lua_type(lua, -1) == LUA_TBOOLEAN && !lua_toboolean(lua, -1)) return true;
    lua_Integer turns = lua_type(lua, -1) == LUA_TNUMBER ? lua_tointegerx(lua, -1, &whole) : 0;
    if (!whole || turns < 1 || turns > MARK_MAX)
        return variant_refuse_result(making->build, pair->key,
                                     "%s returned hold = %s, expected a number of turns, 1 to %d",
                                     pair->call, variant_value(lua, -1, value), MARK_MAX);
    *effects = (uint16_t)(*effects | turns * EFFECT_HOLD);
    return true;
}

/* Leaves the value at `name` of the table on top of the stack above it; its type. */
static int push_field(lua_State *lua, const char *name) {
    sandbox_push_text(lua, name);
    return lua_rawget(lua, -2);
}

/* The number at `name`, or `fallback`; INT_MIN for anything else. */
static int number_at(lua_State *lua, const char *name, int fallback) {
    int whole = 0, type = push_field(lua, name);
    lua_Integer number = type == LUA_TNUMBER ? lua_tointegerx(lua, -1, &whole) : 0;
    lua_pop(lua, 1);
    if (type == LUA_TNIL) return fallback;
    return whole && number >= -COUNTER_MAX && number <= COUNTER_MAX ? (int)number : INT_MIN;
}

/* Reads `add` with `by` and `side`, or `set` with `to` and `side`, of the table on top of the
 * stack. */
static bool read_counting(const struct making *making, const struct pair *pair) {
    static const char *const sides[] = {"own", "enemy"};
    struct variant_build *build = making->build;
    lua_State *lua = build->lua;
    struct counting counting = {0};
    const char *with = NULL, *key = pair->key, *call = pair->call;
    char value[VALUE_TEXT_MAX], name[WORD_MAX] = "";
    bool adds = push_field(lua, "add") != LUA_TNIL;
    lua_pop(lua, 1);
    bool sets = push_field(lua, "set") != LUA_TNIL;
    lua_pop(lua, 1);
    static const char *const parts[] = {"by", "to", "side"};
    for (int i = 0; i < 3; i++) {
        bool there = push_field(lua, parts[i]) != LUA_TNIL;
        if (there && (i == 0 ? !adds : i == 1 ? !sets : !adds && !sets)) with = parts[i];
        lua_pop(lua, 1);
    }
    if (with)
        return variant_refuse_result(build, key, "%s returned %s without %s", call, with,
                                     !strcmp(with, "by")   ? "add"
                                     : !strcmp(with, "to") ? "set"
                                                           : "add or set");
    if (!adds && !sets) return true;
    if (adds && sets)
        return variant_refuse_result(
            build, key, "%s returned add and set, expected one of them in a use", call);
    if (push_field(lua, adds ? "add" : "set") == LUA_TSTRING)
        snprintf(name, sizeof name, "%s", lua_tostring(lua, -1));
    int number = rules_counter_named(build->rules, name);
    if (number < 0)
        return variant_refuse_result(build, key,
                                     "%s returned %s = %s, expected the name of a counter", call,
                                     adds ? "add" : "set", variant_value(lua, -1, value));
    lua_pop(lua, 1);
    int by = adds ? number_at(lua, "by", 1) : number_at(lua, "to", INT_MIN);
    if (by == INT_MIN)
        return variant_refuse_result(build, key, "%s returned %s without a whole number in %s",
                                     call, adds ? "add" : "set", adds ? "by" : "to");
    bool own = true;
    if (push_field(lua, "side") != LUA_TNIL) {
        const char *side = lua_type(lua, -1) == LUA_TSTRING ? lua_tostring(lua, -1) : "";
        own = !strcmp(side, sides[0]);
        if (!own && strcmp(side, sides[1]) != 0)
            return variant_refuse_result(build, key,
                                         "%s returned side = %s, expected \"own\" or \"enemy\"",
                                         call, variant_value(lua, -1, value));
    }
    lua_pop(lua, 1);
    counting.counter = (uint8_t)(number + 1);
    counting.how = (uint8_t)((own ? 0 : COUNTING_ENEMY) | (sets ? COUNTING_SETS : 0));
    counting.by = (int16_t)by;
    making->ability->counts[pair->target][pair->choice] = counting;
    return true;
}

/* The user fights the target as if it had attacked it, but from where it stands. */
static bool read_battle(const struct making *making, const struct pair *pair) {
    lua_State *lua = making->build->lua;
    const struct rules *rules = making->build->rules;
    kind_id actor = making->ability->actor, target = pair->target;
    uint16_t *effects = &making->ability->effects[target][pair->choice];
    char value[VALUE_TEXT_MAX];
    if (lua_type(lua, -1) == LUA_TBOOLEAN && !lua_toboolean(lua, -1)) return true;
    if (lua_type(lua, -1) != LUA_TBOOLEAN)
        return variant_refuse_result(making->build, pair->key,
                                     "%s returned battle = %s, expected true or nothing",
                                     pair->call, variant_value(lua, -1, value));
    bool fights = rules->kind[actor].movement != MOVEMENT_NONE;
    enum outcome outcome = rules_outcome(rules, actor, target);
    const unsigned outcomes = target == KIND_NONE ? 0 : rules_outcomes(rules, actor, target);
    const bool varies = (outcomes & (outcomes - 1)) != 0;
    if (!fights || target == KIND_NONE || varies || outcome == ASK_THE_VARIANT)
        return variant_refuse_result(making->build, pair->key, "%s returned battle = true, but %s",
                                     pair->call,
                                     target == KIND_NONE ? "the target is empty"
                                     : !fights ? "the piece never moves, and has no battles"
                                     : varies  ? "combat leaves this battle to the squares"
                                               : "combat leaves this battle to the position");
    bool shown = rules->after_battle[actor][target] == AFTER_BATTLE_REVEAL;
    if (outcome != DEFENDER_WINS) *effects |= EFFECT_REMOVE_TARGET;
    if (outcome != ATTACKER_WINS) *effects |= EFFECT_REMOVE_ACTOR;
    if (shown && outcome == ATTACKER_WINS) *effects |= EFFECT_REVEAL_ACTOR;
    if (shown && outcome == DEFENDER_WINS) *effects |= EFFECT_REVEAL_TARGET;
    return true;
}

/* Learning is as exact as the answers differ: targets with the same answer cannot be told apart,
 * all others can. */
static void settle_learn(const struct rules *rules, struct ability *ability) {
    for (kind_id choice = 0; choice <= rules->kinds; choice++) {
        kindset settled[KINDS_MAX] = {0};
        for (kind_id a = 1; a <= rules->kinds; a++)
            for (kind_id b = 1; b <= rules->kinds; b++)
                if (ability->learn[a][choice] &&
                    ability->learn[a][choice] == ability->learn[b][choice])
                    settled[a] |= kindset_of(b);
        for (kind_id a = 1; a <= rules->kinds; a++) ability->learn[a][choice] = settled[a];
    }
}

/* The word that was probably meant, else all that may stand there. */
static const char *effect_hint(const struct word_guess *guess, char hint[EFFECTS_TEXT_MAX]) {
    size_t length = strlen(word_hint(guess, hint));
    for (int i = 0; i < EFFECT_COUNT && (i || !length) && length < EFFECTS_TEXT_MAX; i++)
        length += (size_t)snprintf(hint + length, EFFECTS_TEXT_MAX - length, "%s%s",
                                   !i                      ? ", expected "
                                   : i + 1 == EFFECT_COUNT ? " or "
                                                           : ", ",
                                   EFFECTS[i].key);
    return hint;
}

/* Reads the effect whose key and value are on top of the stack. */
static bool read_effect(const struct making *making, const struct pair *pair) {
    const char *key = pair->key, *call = pair->call;
    uint16_t *effects = &making->ability->effects[pair->target][pair->choice];
    lua_State *lua = making->build->lua;
    char value[VALUE_TEXT_MAX], hint[EFFECTS_TEXT_MAX];
    const char *name =
        lua_type(lua, -2) == LUA_TSTRING ? lua_tostring(lua, -2) : variant_value(lua, -2, value);
    struct word_guess guess = word_guess_for(name);
    if (!strcmp(name, "by") || !strcmp(name, "to") || !strcmp(name, "side")) return true;
    for (int i = 0; i < EFFECT_COUNT; i++) {
        word_offer(&guess, EFFECTS[i].key);
        if (strcmp(EFFECTS[i].key, name) != 0) continue;
        if (EFFECTS[i].value == LEARN) return read_learn(making, pair);
        if (EFFECTS[i].value == HOLD) return read_hold(making, pair);
        if (EFFECTS[i].value == COUNT) return true; /* read_counting() */
        if (EFFECTS[i].value == BATTLE) return read_battle(making, pair);
        if (lua_type(lua, -1) == LUA_TBOOLEAN &&
            (EFFECTS[i].value == YES || !lua_toboolean(lua, -1))) {
            if (lua_toboolean(lua, -1)) *effects |= EFFECTS[i].yes;
            return true;
        }
        const char *whom = EFFECTS[i].value == WHOM && lua_type(lua, -1) == LUA_TSTRING
                               ? lua_tostring(lua, -1)
                               : "";
        bool both = strcmp(whom, "both") == 0;
        if (both || strcmp(whom, "target") == 0) *effects |= EFFECTS[i].target;
        if (both || strcmp(whom, "actor") == 0) *effects |= EFFECTS[i].actor;
        if (both || strcmp(whom, "target") == 0 || strcmp(whom, "actor") == 0) return true;
        return variant_refuse_result(making->build, key, "%s returned %s = %s, expected %s", call,
                                     name, variant_value(lua, -1, value),
                                     EFFECTS[i].value == YES
                                         ? "true or nothing"
                                         : "\"target\", \"actor\", \"both\" or nothing");
    }
    return variant_refuse_result(making->build, key, "%s returned the unknown effect \"%.40s\"%s",
                                 call, name, effect_hint(&guess, hint));
}

static void push_name(const struct variant_build *build, kind_id id) {
    if (id == KIND_NONE)
        lua_pushnil(build->lua);
    else
        sandbox_push_text(build->lua, build->rules->kind[id].name);
}

static const char *quoted(const struct variant_build *build, kind_id id, char out[WORD_MAX + 2]) {
    if (id == KIND_NONE) return "nil";
    snprintf(out, WORD_MAX + 2, "\"%s\"", build->rules->kind[id].name);
    return out;
}

static bool read_effects(const struct making *making, kind_id target, kind_id choice) {
    struct variant_build *build = making->build;
    struct ability *ability = making->ability;
    lua_State *lua = build->lua;
    char key[VARIANT_KEY_MAX], value[VALUE_TEXT_MAX], call[2 * VARIANT_KEY_MAX];
    char words[3][WORD_MAX + 2];
    variant_get(lua, build->table, part_key(making, "resolve", key));
    push_name(build, ability->actor);
    push_name(build, target);
    push_name(build, choice);
    snprintf(call, sizeof call, "%s(%s, %s, %s)", key, quoted(build, ability->actor, words[0]),
             quoted(build, target, words[1]), quoted(build, choice, words[2]));
    if (!variant_call(build, key, 3)) return false;
    if (lua_type(lua, -1) != LUA_TTABLE)
        return variant_refuse_result(build, key, "%s returned %s, expected a table of effects",
                                     call, variant_value(lua, -1, value));
    struct walk walk;
    walk_start(lua, &walk, lua_gettop(lua));
    const struct pair pair = {target, choice, key, call};
    while (walk_step(lua, &walk))
        if (!read_effect(making, &pair)) return false;
    if (!read_counting(making, &pair)) return false;
    lua_pop(lua, 1);
    return true;
}

static bool tabulate(const struct making *making) {
    char key[VARIANT_KEY_MAX];
    struct ability *ability = making->ability;
    const struct rules *rules = making->build->rules;
    bool good = true; /* `resolve` is asked even if `targets` has faults */
    for (int side = RED; side <= BLUE && good; side++)
        for (square from = 0; from < rules->board.squares && good; from++)
            if (squareset_has(rules->board.land, from))
                good = variant_squares(making->build, part_key(making, "targets", key),
                                       (enum side)side, from, &ability->targets[side][from]);
    for (kind_id target = 0; target <= rules->kinds; target++) {
        if (!(ability->aims & (target == KIND_NONE ? AIM_EMPTY : AIM_ENEMY | AIM_OWN))) continue;
        for (kind_id choice = 0; choice <= rules->kinds; choice++) {
            bool asked = ability->asks == ASKS_NOTHING
                             ? choice == KIND_NONE
                             : (ability->choices & kindset_of(choice)) && choice != KIND_NONE;
            if (asked && !read_effects(making, target, choice)) return false;
        }
    }
    settle_learn(rules, ability);
    return good;
}

/* Adds the ability whose table is on top of the stack. The table at index `shared` maps ability
 * tables to tallies, or to false after a fault. */
static bool add_ability(struct variant_build *build, kind_id actor, const char *name, int shared) {
    struct rules *rules = build->rules;
    lua_State *lua = build->lua;
    struct making making = {.build = build};
    variant_key(making.key, "pieces.%s.abilities.%s", rules->kind[actor].name, name);
    if (!rules->ability) rules->ability = calloc(ABILITIES_MAX, sizeof *rules->ability);
    if (!rules->ability) luaL_error(lua, "no memory for abilities");
    if (rules->abilities == ABILITIES_MAX)
        return variant_refuse(build->source, making.key, "%s: more than %d abilities", making.key,
                              ABILITIES_MAX);
    making.ability = &rules->ability[rules->abilities];
    memset(making.ability, 0, sizeof *making.ability);
    making.ability->actor = actor;
    making.ability->tally.n = rules->abilities;
    snprintf(making.ability->name, sizeof making.ability->name, "%s", name);
    int table = lua_gettop(lua);
    lua_pushvalue(lua, table);
    int known = lua_rawget(lua, shared);
    if (known == LUA_TBOOLEAN) return false; /* its faults were reported for another piece */
    if (known == LUA_TNUMBER) making.ability->tally.n = (uint8_t)lua_tointeger(lua, -1);
    bool good = read_words(&making) && tabulate(&making);
    lua_settop(lua, table);
    lua_pushvalue(lua, table);
    if (good)
        lua_pushinteger(lua, making.ability->tally.n);
    else
        lua_pushboolean(lua, 0);
    lua_rawset(lua, shared);
    if (!good) return false;
    rules->kind[actor].abilities |= (uint16_t)(1u << rules->abilities);
    rules->abilities++;
    return true;
}

/* Adds the abilities of one piece, sorted by name so that their numbers are always the same. */
static bool add_abilities(struct variant_build *build, kind_id actor, int shared) {
    lua_State *lua = build->lua;
    char key[VARIANT_KEY_MAX];
    bool good = true;
    variant_key(key, "pieces.%s.abilities", build->rules->kind[actor].name);
    if (variant_get(lua, build->table, key) != LUA_TTABLE) {
        lua_pop(lua, 1);
        return true;
    }
    struct walk walk;
    walk_start(lua, &walk, lua_gettop(lua));
    while (walk_step(lua, &walk))
        if (lua_type(lua, -1) == LUA_TTABLE)
            good &= add_ability(build, actor, lua_tostring(lua, -2), shared);
    lua_pop(lua, 1);
    return good;
}

bool variant_abilities_build(struct variant_build *build) {
    lua_newtable(build->lua);
    int shared = lua_gettop(build->lua);
    bool good = true;
    for (kind_id id = 1; id <= build->rules->kinds; id++) good &= add_abilities(build, id, shared);
    lua_pop(build->lua, 1);
    return good;
}
