/* answer_lua.c - checks the types of answers; the core checks whether effects fit the position.
 *
 * Strings are recognized by lua_type(): lua_isstring() accepts numbers too, and lua_tostring()
 * converts those in place. */
#include "answer_lua.h"

#include "base/utf8.h"
#include "base/words.h"
#include "lua/board_lua.h"
#include "lua/walk.h"
#include "variant_source.h"

#include <string.h>

/* The key that marks an effect, and the keys that go with it. */
static const struct {
    const char *key;
    enum deed_type type;
    const char *with; /* a second square, or NULL */
    bool piece;       /* the key holds a kind, and `at` and `side` belong to it */
    bool square;      /* the key holds a square */
    bool side;        /* the key holds a side */
    bool counter;     /* the key holds a counter, and `with` and `side` belong to it */
} EFFECTS[] = {
    {"remove", DEED_REMOVE, NULL, false, true, false, false},
    {"reveal", DEED_REVEAL, NULL, false, true, false, false},
    {"conceal", DEED_CONCEAL, NULL, false, true, false, false},
    {"place", DEED_PLACE, "at", true, false, false, false},
    {"swap", DEED_SWAP, "with", false, true, false, false},
    {"add", DEED_COUNT, "by", false, false, false, true},
    {"set", DEED_COUNT, "to", false, false, false, true},
    {"win", DEED_WIN, NULL, false, false, true, false},
    {"lose", DEED_WIN, NULL, false, false, true, false},
    {"draw", DEED_DRAW, NULL, false, false, false, false},
};
enum { EFFECT_COUNT = sizeof EFFECTS / sizeof EFFECTS[0] };

const char *answer_effect(int index) {
    return index < EFFECT_COUNT ? EFFECTS[index].key : NULL;
}

/* The position in `words` of the text at `index`, or -1. */
static int among(lua_State *lua, int index, const char *const *words, int count) {
    if (lua_type(lua, index) != LUA_TSTRING) return -1;
    for (int i = 0; i < count; i++)
        if (!strcmp(lua_tostring(lua, index), words[i])) return i;
    return -1;
}

static bool answer_refuse(lua_State *lua, enum call call, const char *what, int index,
                          const char *expected, struct fault *fault) {
    char value[VALUE_TEXT_MAX];
    return fault_set(fault, STATUS_RULES, "%s returned %s%s, expected %s", call_name(call), what,
                     variant_value(lua, index, value), expected);
}

/* Refuses the value on top of the stack, which an effect has at `key`. */
static bool refuse_value(lua_State *lua, enum call call, const char *key, const char *expected,
                         struct fault *fault) {
    char what[64];
    snprintf(what, sizeof what, "an effect with %s = ", key);
    return answer_refuse(lua, call, what, -1, expected, fault);
}

/* A text of the variant for people, cut between characters. */
static void read_why(lua_State *lua, int index, char out[CALL_WHY_MAX]) {
    const char *text = lua_type(lua, index) == LUA_TSTRING ? lua_tostring(lua, index) : "";
    size_t used = utf8_cut(text, strnlen(text, CALL_WHY_MAX - 1));
    memcpy(out, text, used);
    out[used] = 0;
    utf8_make_safe(out);
}

static bool read_square(lua_State *lua, const struct rules *rules, enum call call, int effect,
                        const char *key, square *at, struct fault *fault) {
    sandbox_push_text(lua, key);
    lua_rawget(lua, effect);
    bool good = board_square_at(lua, -1, &rules->board, at) ||
                refuse_value(lua, call, key, "a square of the board, such as 1 or \"a1\"", fault);
    lua_pop(lua, 1);
    return good;
}

static bool read_side(lua_State *lua, enum call call, int effect, const char *key, uint8_t *side,
                      struct fault *fault) {
    static const char *const sides[] = {"red", "blue"};
    sandbox_push_text(lua, key);
    lua_rawget(lua, effect);
    int found = among(lua, -1, sides, 2);
    if (found < 0) refuse_value(lua, call, key, "\"red\" or \"blue\"", fault);
    lua_pop(lua, 1);
    *side = (uint8_t)(found == 1 ? BLUE : RED);
    return found >= 0;
}

static bool read_kind(lua_State *lua, const struct rules *rules, enum call call, int effect,
                      const char *key, kind_id *kind, struct fault *fault) {
    sandbox_push_text(lua, key);
    lua_rawget(lua, effect);
    bool text = lua_type(lua, -1) == LUA_TSTRING;
    *kind = text ? rules_kind_named(rules, lua_tostring(lua, -1)) : KIND_NONE;
    if (*kind == KIND_NONE) refuse_value(lua, call, key, "a piece of the army", fault);
    lua_pop(lua, 1);
    return *kind != KIND_NONE;
}

/* A counter, by how much or what it is set to, and whose it is. */
static bool read_counting(lua_State *lua, const struct rules *rules, enum call call, int effect,
                          const char *key, struct deed *deed, struct fault *fault) {
    bool sets = !strcmp(key, "set");
    sandbox_push_text(lua, key);
    lua_rawget(lua, effect);
    bool text = lua_type(lua, -1) == LUA_TSTRING;
    int number = text ? rules_counter_named(rules, lua_tostring(lua, -1)) : -1;
    if (number < 0) return refuse_value(lua, call, key, "a counter of the variant", fault);
    const struct counter *counter = &rules->counter[number];
    sandbox_push_text(lua, sets ? "to" : "by");
    int whole = 1, type = lua_rawget(lua, effect);
    lua_Integer by = type == LUA_TNIL && !sets ? 1 : lua_tointegerx(lua, -1, &whole);
    bool fits = whole && (sets ? by >= counter->from && by <= counter->to
                               : by >= -COUNTER_MAX && by <= COUNTER_MAX);
    if (!fits || (type == LUA_TSTRING))
        return refuse_value(lua, call, sets ? "to" : "by",
                            sets ? "a whole number within the counter's range" : "a whole number",
                            fault);
    lua_pop(lua, 2);
    deed->counting =
        (struct counting){(uint8_t)(number + 1), sets ? COUNTING_SETS : 0, (int16_t)by};
    if (counter->each) return read_side(lua, call, effect, "side", &deed->side, fault);
    lua_pushliteral(lua, "side");
    bool alone = lua_rawget(lua, effect) == LUA_TNIL ||
                 refuse_value(lua, call, "side", "none, since both sides share the counter", fault);
    lua_pop(lua, 1);
    return alone;
}

/* Refuses keys that do not go with EFFECTS[i]. */
static bool check_effect_keys(lua_State *lua, enum call call, int effect, int i,
                              struct fault *fault) {
    char value[VALUE_TEXT_MAX];
    struct walk walk;
    walk_start(lua, &walk, effect);
    while (walk_step(lua, &walk)) {
        const char *key = lua_type(lua, -2) == LUA_TSTRING ? lua_tostring(lua, -2) : "";
        if (!strcmp(key, EFFECTS[i].key) || (EFFECTS[i].with && !strcmp(key, EFFECTS[i].with)) ||
            ((EFFECTS[i].piece || EFFECTS[i].counter) && !strcmp(key, "side")))
            continue;
        const char *with = EFFECTS[i].with;
        const char *side = EFFECTS[i].piece || EFFECTS[i].counter ? "side" : NULL;
        fault_set(
            fault, STATUS_RULES,
            "%s returned an effect with the key %s beside %s, expected %s%s%s and one of "
            "remove, reveal, conceal, place, swap, add, set, win, lose or draw in each effect",
            call_name(call), variant_value(lua, -2, value), EFFECTS[i].key,
            with   ? with
            : side ? side
                   : "nothing else",
            with && side ? ", " : "", with && side ? side : "");
        lua_settop(lua, walk.keys - 1);
        return false;
    }
    return true;
}

/* Refuses a table without the key of an effect; suggests the key that was probably meant. */
static bool refuse_effect(lua_State *lua, enum call call, int effect, struct fault *fault) {
    char hint[WORD_HINT_MAX] = "", value[VALUE_TEXT_MAX] = "";
    struct walk walk;
    walk_start(lua, &walk, effect);
    if (walk_step(lua, &walk)) {
        if (lua_type(lua, -2) == LUA_TSTRING) {
            struct word_guess guess = word_guess_for(lua_tostring(lua, -2));
            for (int i = 0; i < EFFECT_COUNT; i++) word_offer(&guess, EFFECTS[i].key);
            word_hint(&guess, hint);
        }
        variant_value(lua, -2, value);
        lua_settop(lua, walk.keys - 1);
    }
    return fault_set(fault, STATUS_RULES,
                     "%s returned an effect with the key %s, expected remove, reveal, conceal, "
                     "place, swap, win, lose or draw%s",
                     call_name(call), value[0] ? value : "(none)", hint);
}

static bool read_effect(lua_State *lua, const struct rules *rules, enum call call, int effect,
                        struct deed *deed, struct fault *fault) {
    int i = 0;
    for (; i < EFFECT_COUNT; i++) {
        sandbox_push_text(lua, EFFECTS[i].key);
        bool here = lua_rawget(lua, effect) != LUA_TNIL;
        lua_pop(lua, 1);
        if (here) break;
    }
    if (i == EFFECT_COUNT) return refuse_effect(lua, call, effect, fault);
    if (!check_effect_keys(lua, call, effect, i, fault)) return false;
    const char *key = EFFECTS[i].key, *with = EFFECTS[i].with;
    *deed = (struct deed){.type = (uint8_t)EFFECTS[i].type, .at = SQUARE_NONE, .to = SQUARE_NONE};
    if (EFFECTS[i].piece)
        return read_kind(lua, rules, call, effect, key, &deed->kind, fault) &&
               read_square(lua, rules, call, effect, with, &deed->at, fault) &&
               read_side(lua, call, effect, "side", &deed->side, fault);
    if (EFFECTS[i].counter) return read_counting(lua, rules, call, effect, key, deed, fault);
    if (EFFECTS[i].square)
        return read_square(lua, rules, call, effect, key, &deed->at, fault) &&
               (!with || read_square(lua, rules, call, effect, with, &deed->to, fault));
    if (EFFECTS[i].side) {
        if (!read_side(lua, call, effect, key, &deed->side, fault)) return false;
        if (!strcmp(key, "lose")) deed->side = (uint8_t)side_other((enum side)deed->side);
        return true;
    }
    sandbox_push_text(lua, key);
    lua_rawget(lua, effect);
    bool good = lua_type(lua, -1) == LUA_TBOOLEAN && lua_toboolean(lua, -1);
    if (!good) refuse_value(lua, call, key, "true", fault);
    lua_pop(lua, 1);
    return good;
}

/* nil, one effect, or a list of them. */
static bool read_effects(lua_State *lua, const struct rules *rules, enum call call, int index,
                         struct call_answer *answer, struct fault *fault) {
    static const char expected[] = "an effect such as { remove = \"a1\" }, a list of them, or nil";
    answer->count = 0;
    if (lua_isnil(lua, index)) return true;
    if (lua_type(lua, index) != LUA_TTABLE)
        return answer_refuse(lua, call, "", index, expected, fault);
    lua_Unsigned length = lua_rawlen(lua, index);
    lua_pushnil(lua);
    if (!lua_next(lua, index)) return true;
    lua_pop(lua, 2);
    if (length == 0) {
        answer->count = 1;
        return read_effect(lua, rules, call, index, &answer->deed[0], fault);
    }
    if (length > DEEDS_MAX)
        return fault_set(fault, STATUS_RULES, "%s returned %d effects, expected at most %d",
                         call_name(call), (int)length, DEEDS_MAX);
    for (lua_Integer i = 1; i <= (lua_Integer)length; i++) {
        lua_rawgeti(lua, index, i);
        bool good = lua_type(lua, -1) == LUA_TTABLE
                        ? read_effect(lua, rules, call, lua_gettop(lua),
                                      &answer->deed[answer->count++], fault)
                        : answer_refuse(lua, call, "a list with ", -1, expected, fault);
        lua_pop(lua, 1);
        if (!good) return false;
    }
    return true;
}

/* A text, or a table of texts by language with one in English; or nothing. */
static bool read_words(lua_State *lua, int index, struct ending_words *words, struct fault *fault) {
    static const char expected[] =
        "its words as a text, or texts by language such as { en = \"The gate is taken.\" }";
    *words = (struct ending_words){0};
    if (lua_isnil(lua, index)) return true;
    if (lua_type(lua, index) == LUA_TSTRING) {
        read_why(lua, index, words->text);
        return true;
    }
    if (lua_type(lua, index) != LUA_TTABLE)
        return answer_refuse(lua, CALL_ENDING, "a result and ", index, expected, fault);
    struct walk walk;
    walk_start(lua, &walk, index);
    while (walk_step(lua, &walk)) {
        const char *tag = lua_type(lua, -2) == LUA_TSTRING ? lua_tostring(lua, -2) : "";
        bool english = !strcmp(tag, "en");
        bool sound = *tag && strlen(tag) < NAME_TAG_MAX && utf8_is_safe(tag, strlen(tag)) &&
                     lua_type(lua, -1) == LUA_TSTRING;
        if (!sound || (!english && words->count == ENDING_TONGUES_MAX)) {
            lua_settop(lua, walk.keys - 1);
            return fault_set(
                fault, STATUS_RULES,
                "ending returned words by language, expected texts with the tags of at "
                "most %d languages and \"en\"",
                ENDING_TONGUES_MAX);
        }
        if (english) {
            read_why(lua, -1, words->text);
            continue;
        }
        struct ending_tongue *tongue = &words->tongue[words->count++];
        memcpy(tongue->tag, tag, strlen(tag) + 1);
        read_why(lua, lua_gettop(lua), tongue->text);
    }
    if (words->text[0]) return true;
    return fault_set(fault, STATUS_RULES,
                     "ending returned words by language without \"en\", expected it for all "
                     "languages that have none");
}

bool answer_lua_read(lua_State *lua, const struct rules *rules, enum call call,
                     struct call_answer *answer, struct fault *fault) {
    static const char *const results[] = {"red", "blue", "draw"};
    const char *const outcomes[] = {outcome_name(ATTACKER_WINS), outcome_name(DEFENDER_WINS),
                                    outcome_name(BOTH_FALL)};
    int first = lua_gettop(lua) - 1, found;
    switch (call) {
    case CALL_LEGAL:
        if (lua_type(lua, first) != LUA_TBOOLEAN)
            return answer_refuse(lua, call, "", first, "true, or false and the reason as text",
                                 fault);
        answer->allowed = lua_toboolean(lua, first);
        read_why(lua, first + 1, answer->why);
        return true;
    case CALL_BATTLE:
        found = among(lua, first, outcomes, 3);
        if (found < 0)
            return answer_refuse(lua, call, "", first, "\"attacker\", \"defender\" or \"both\"",
                                 fault);
        answer->outcome = (enum outcome)found;
        return true;
    case CALL_ENDING:
        found = among(lua, first, results, 3);
        if (found < 0 && !lua_isnil(lua, first))
            return answer_refuse(lua, call, "", first, "\"red\", \"blue\", \"draw\" or nil", fault);
        answer->result = found < 0    ? RESULT_NONE
                         : found == 2 ? RESULT_DRAW
                                      : result_win(found == 1 ? BLUE : RED);
        return read_words(lua, first + 1, &answer->words, fault);
    case CALL_AFTER_BATTLE:
    case CALL_AFTER_MOVE:
    case CALL_TURN_START:
    case CALL_COUNT:
        break;
    }
    return read_effects(lua, rules, call, first, answer, fault);
}
