/* invitation.c - reads the keys of a `new` request, each with its own complaint. */
#include "invitation.h"

#include "base/player_name.h"
#include "base/words.h"
#include "core/text/layout.h"
#include "host/seat/reply.h"
#include "host/setups/setup_library.h"

#include <string.h>

static const char *const SIDES[2] = {"red", "blue"};

/* The object under `key`; NULL if there is none. */
static bool invitation_object(const json_t *request, const char *key, const json_t **object,
                              struct fault *fault) {
    *object = json_object_get(request, key);
    if (json_is_null(*object)) *object = NULL;
    return !*object || json_is_object(*object) ||
           fault_set(fault, STATUS_TEXT, "\"%s\": expected an object", key);
}

static bool read_players(const json_t *request, struct invitation *asked, struct fault *fault) {
    for (int side = RED; side <= BLUE; side++) {
        const char *text;
        if (!reply_text(request, SIDES[side], &text, fault)) return false;
        asked->holder[side] = !text || !strcmp(text, "me") ? HELD_BY_MAKER
                              : !strcmp(text, "open")      ? HELD_BY_NOBODY
                                                           : HELD_BY_PLAYER;
        asked->player[side] = text;
    }
    return true;
}

static bool read_pair(const json_t *request, const char *key, const char *texts[2],
                      struct fault *fault) {
    const json_t *pair;
    if (!invitation_object(request, key, &pair, fault)) return false;
    for (int side = RED; side <= BLUE && pair; side++)
        if (!reply_text(pair, SIDES[side], &texts[side], fault))
            return fault_within(fault, "in \"%s\"", key);
    return true;
}

/* Names of players appear in lists, records and messages to programs. */
static bool read_names(const json_t *request, struct invitation *asked, struct fault *fault) {
    if (!read_pair(request, "names", asked->name, fault)) return false;
    for (int side = RED; side <= BLUE; side++) {
        const char *name = asked->name[side];
        if (name && !player_name_check(name, fault))
            return fault_within(fault, "in \"names\": \"%s\"", SIDES[side]);
    }
    return true;
}

void invitation_forget_odd_names(json_t *request) {
    json_t *names = json_object_get(request, "names");
    for (int side = RED; side <= BLUE; side++) {
        const char *name = json_string_value(json_object_get(names, SIDES[side]));
        if (name && !player_name_check(name, NULL)) json_object_del(names, SIDES[side]);
    }
}

static bool read_side(const json_t *request, struct invitation *asked, struct fault *fault) {
    const char *text;
    if (!reply_text(request, "first", &text, fault)) return false;
    if (!text) return true;
    asked->has_first = true;
    asked->first = !strcmp(text, "blue") ? BLUE : RED;
    return asked->first == BLUE || !strcmp(text, "red") ||
           fault_set(fault, STATUS_TEXT, "\"first\": expected \"red\" or \"blue\", got \"%.40s\"",
                     text);
}

static bool read_limits(const json_t *request, struct invitation *asked, struct fault *fault) {
    const json_t *limits;
    bool there;
    uint64_t no_attack = 0, plies = 0;
    if (!invitation_object(request, "limits", &limits, fault)) return false;
    if (!limits) return true;
    if (!reply_number(limits, "no_attack", LIMIT_MAX, &there, &no_attack, fault) ||
        !reply_number(limits, "plies", LIMIT_MAX, &there, &plies, fault))
        return fault_within(fault, "in \"limits\"");
    asked->has_limits = true;
    asked->limits = (struct limits){(uint32_t)no_attack, (uint32_t)plies};
    return true;
}

static bool read_clock(const json_t *request, struct invitation *asked, struct fault *fault) {
    const json_t *clock;
    bool there;
    uint64_t seconds = 0, increment = 0;
    if (!invitation_object(request, "clock", &clock, fault)) return false;
    if (!clock) return true;
    if (!reply_number(clock, "seconds", PACE_SECONDS_MAX, &there, &seconds, fault) ||
        !reply_number(clock, "increment", PACE_SECONDS_MAX, &there, &increment, fault))
        return fault_within(fault, "in \"clock\"");
    asked->has_clock = true;
    asked->clock_ms = (int64_t)seconds * 1000;
    asked->increment_ms = (int64_t)increment * 1000;
    return seconds > 0 ||
           fault_set(fault, STATUS_TEXT,
                     "in \"clock\": \"seconds\": expected a whole number from 1 to %d",
                     PACE_SECONDS_MAX);
}

static bool read_public(const json_t *request, struct invitation *asked, struct fault *fault) {
    bool listed = true;
    if (!reply_flag(request, "public", &listed, fault)) return false;
    asked->hidden = !listed;
    return true;
}

static bool read_watch(const json_t *request, struct invitation *asked, struct fault *fault) {
    const char *text;
    asked->watch = ONLOOKERS;
    if (!reply_text(request, "watch", &text, fault)) return false;
    if (!text) return true;
    asked->watch = onlooker_named(text);
    return asked->watch != ONLOOKERS ||
           fault_set(fault, STATUS_TEXT,
                     "\"watch\": expected \"public\", \"red\", \"blue\" or \"all\", got \"%.40s\"",
                     text);
}

bool invitation_read(const json_t *request, struct invitation *asked, struct fault *fault) {
    *asked = (struct invitation){.request = request};
    if (!reply_text(request, "variant", &asked->variant, fault)) return false;
    if (!asked->variant)
        return fault_set(fault, STATUS_TEXT, "\"variant\": expected the name or path of a variant");
    bool read = read_players(request, asked, fault) && read_names(request, asked, fault) &&
                read_pair(request, "setups", asked->setup, fault) &&
                reply_text(request, "position", &asked->position, fault) &&
                reply_number(request, "seed", UINT64_MAX, &asked->has_seed, &asked->seed, fault) &&
                read_side(request, asked, fault) && read_limits(request, asked, fault) &&
                read_clock(request, asked, fault) && read_public(request, asked, fault) &&
                read_watch(request, asked, fault);
    if (!read) return false;
    if (asked->position && (asked->setup[RED] || asked->setup[BLUE] || asked->has_first))
        return fault_set(fault, STATUS_TEXT,
                         "\"position\" does not go with \"setups\" or \"first\"");
    return true;
}

bool invitation_is_modest(const struct invitation *asked, struct fault *fault) {
    if (asked->has_seed || asked->position || asked->has_limits || asked->has_first)
        return fault_set(fault, STATUS_USAGE,
                         "\"seed\", \"position\", \"limits\" and \"first\" cannot be chosen here");
    if (!word_is_name(asked->variant))
        return fault_set(fault, STATUS_USAGE, "\"variant\": expected a name");
    for (int side = RED; side <= BLUE; side++) {
        bool player = asked->holder[side] == HELD_BY_PLAYER;
        if (player && !word_is_name(asked->player[side]))
            return fault_set(fault, STATUS_USAGE, "\"%s\": expected the name of a bot",
                             side_name((enum side)side));
        if (asked->setup[side] && asked->holder[side] != HELD_BY_MAKER)
            return fault_set(fault, STATUS_USAGE, "in \"setups\": %s is not your seat",
                             side_name((enum side)side));
        if (asked->setup[side] && strlen(asked->setup[side]) >= SETUP_TEXT_MAX)
            return fault_set(fault, STATUS_USAGE,
                             "in \"setups\": %s: at most %d bytes are expected",
                             side_name((enum side)side), SETUP_TEXT_MAX - 1);
    }
    return asked->watch == ONLOOKERS || asked->watch == ONLOOKER_PUBLIC ||
           fault_set(fault, STATUS_USAGE, "\"watch\": expected \"public\"");
}

/* Copies the value of a key, if it is there; of an object only the keys `inside`. */
static void keep_key(json_t *kept, const json_t *from, const char *key,
                     const char *const inside[2]) {
    const json_t *value = json_object_get(from, key);
    if (!value) return;
    json_t *copy = json_is_object(value) && inside[0] ? json_object() : json_deep_copy(value);
    for (int i = 0; i < 2 && json_is_object(value) && inside[0]; i++)
        keep_key(copy, value, inside[i], (const char *const[2]){NULL});
    json_object_set_new(kept, key, copy);
}

json_t *invitation_kept(const json_t *request) {
    static const struct {
        const char *key, *inside[2];
    } keys[] = {{"type", {NULL}},
                {"variant", {NULL}},
                {"red", {NULL}},
                {"blue", {NULL}},
                {"names", {"red", "blue"}},
                {"setups", {"red", "blue"}},
                {"position", {NULL}},
                {"seed", {NULL}},
                {"first", {NULL}},
                {"limits", {"no_attack", "plies"}},
                {"clock", {"seconds", "increment"}},
                {"public", {NULL}},
                {"watch", {NULL}}};
    json_t *kept = json_object();
    for (size_t i = 0; kept && i < sizeof keys / sizeof *keys; i++)
        keep_key(kept, request, keys[i].key, keys[i].inside);
    return kept;
}
