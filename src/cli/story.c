/* story.c - tells the events of a game in sentences.
 *
 * An event that the previous one implies (the winner of a battle is revealed) gets no sentence. */
#include "story.h"

#include "core/know/view.h"

#include <stdio.h>
#include <string.h>

void story_clear(struct story *story) {
    memset(story, 0, sizeof *story);
    story->last.type = EVENT_END;
    story->from = story->to = story->target = SQUARE_NONE;
}

static void story_append(struct story *story, const char *line) {
    size_t length = strlen(line);
    while (story->length + length + 2 > sizeof story->text) {
        char *end = strchr(story->text, '\n');
        size_t cut = end ? (size_t)(end + 1 - story->text) : story->length;
        story->length -= cut;
        memmove(story->text, story->text + cut, story->length + 1);
    }
    memcpy(story->text + story->length, line, length);
    story->length += length;
    story->text[story->length++] = '\n';
    story->text[story->length] = 0;
}

/* An event and the words of its sentence. */
struct telling {
    const struct language *language;
    const struct rules *rules;
    const struct events *turn;
    const struct event *event; /* of the turn */
    const char *side, *kind;   /* translated */
    char from[SQUARE_TEXT_MAX], to[SQUARE_TEXT_MAX];
};

/* Where sight is limited either square may be unknown. */
static void tell_move(const struct telling *told, char *line, size_t size) {
    const struct language *language = told->language;
    if (*told->from && *told->to) {
        language_fill(line, size, "{1} {2}-{3}.", told->side, told->from, told->to);
    } else if (*told->from) {
        language_write(line, size, language, "{1}: a piece goes out of sight from {2}.", told->side,
                       told->from);
    } else if (*told->to) {
        language_write(line, size, language, "{1}: a piece comes into sight on {2}.", told->side,
                       told->to);
    } else {
        language_write(line, size, language, "{1}: a piece moves out of sight.", told->side);
    }
}

static void tell_battle(const struct telling *told, char *line, size_t size) {
    const struct language *language = told->language;
    const char *other = language_kind(language, told->rules, told->event->other);
    char move[2 * SQUARE_TEXT_MAX + 1];
    snprintf(move, sizeof move, "%sx%s", told->from, told->to);
    const char *pattern = TEXT("{1} {2}: {3} attacks {4}, both fall.");
    if (told->event->outcome == ATTACKER_WINS)
        pattern = TEXT("{1} {2}: {3} attacks, {4} falls.");
    else if (told->event->outcome == DEFENDER_WINS)
        pattern = TEXT("{1} {2}: {3} attacks and falls, {4} stays.");
    language_write(line, size, language, pattern, told->side, move, told->kind, other);
}

static void tell_learned(const struct telling *told, char *line, size_t size) {
    const struct language *language = told->language;
    char kinds[KINDS_MAX * WORD_MAX] = "";
    size_t used = 0;
    for (kindset left = told->event->kinds; left; left &= left - 1) {
        const char *kind = language_kind(language, told->rules, (kind_id)__builtin_ctz(left));
        used += language_fill(kinds + used, sizeof kinds - used, used ? " / {1}" : "{1}", kind);
    }
    language_write(line, size, language,
                   used ? TEXT("{1} learns: the piece on {2} is {3}.")
                        : TEXT("{1} learns something about the piece on {2}."),
                   told->side, told->from, kinds);
}

/* The kind that used an ability; KIND_NONE if several have it. */
static kind_id user_of(const struct rules *rules, const struct event *use) {
    kindset users = rules_users(rules, use->tally);
    return users & (users - 1) ? KIND_NONE : (kind_id)__builtin_ctz(users);
}

/* Was the guess right? The other events of the turn may tell; where sight is limited some are
 * missing. */
static const char *guess_pattern(const struct telling *told, const struct ability *ability) {
    const struct rules *rules = told->rules;
    kindset named = kindset_of(told->event->kind);
    if (ability->asks == ASKS_KIND && !rules->sight) {
        kindset fits = view_targets(rules, told->turn, (int)(told->event - told->turn->list));
        if (!(fits & named)) return TEXT("{1}: {2} on {3} uses {4} on {5}, naming {6}: wrong.");
        if (!(fits & rules->army & ~named))
            return TEXT("{1}: {2} on {3} uses {4} on {5}, naming {6}: right.");
    }
    return TEXT("{1}: {2} on {3} uses {4} on {5}, naming {6}.");
}

static void tell_ability(const struct telling *told, char *line, size_t size) {
    const struct language *language = told->language;
    const struct rules *rules = told->rules;
    uint8_t ability = rules_first_sharing(rules, told->event->tally);
    const char *name = language_text(language, rules->ability[ability].name);
    const char *actor = language_kind(language, rules, user_of(rules, told->event));
    if (told->event->kind == KIND_NONE) {
        language_write(line, size, language, "{1}: {2} on {3} uses {4} on {5}.", told->side, actor,
                       told->from, name, told->to);
    } else {
        language_write(line, size, language, guess_pattern(told, &rules->ability[ability]),
                       told->side, actor, told->from, name, told->to, told->kind);
    }
}

/* Is a reveal implied by the battle or ability just told? */
static bool already_told(const struct story *story, const struct rules *rules,
                         const struct event *event) {
    const struct event *last = &story->last;
    if (last->type == EVENT_BATTLE) return event->from == last->from || event->from == last->to;
    return last->type == EVENT_ABILITY && last->side == event->side &&
           user_of(rules, last) == event->kind;
}

/* "Red: Points = 3.", without the side where both share the counter. */
static void tell_count(const struct telling *told, char *line, size_t size) {
    const struct event *event = told->event;
    bool each = told->rules->counter[event->counter].each;
    snprintf(line, size, "%s%s%s = %d.", each ? told->side : "", each ? ": " : "",
             language_counter(told->language, told->rules, event->counter), event->now);
}

/* The sentence of an event; empty if it has none. */
static void story_tell(const struct story *story, const struct telling *told, char *line,
                       size_t size) {
    const struct language *language = told->language;
    *line = 0;
    switch ((enum event_type)told->event->type) {
    case EVENT_MOVE:
        tell_move(told, line, size);
        break;
    case EVENT_BATTLE:
        tell_battle(told, line, size);
        break;
    case EVENT_ABILITY:
        tell_ability(told, line, size);
        break;
    case EVENT_REMOVE:
        language_write(line, size, language,
                       *told->from ? TEXT("{1}: {2} on {3} is removed.")
                                   : TEXT("{1}: {2} is removed out of sight."),
                       told->side, told->kind, told->from);
        break;
    case EVENT_HOLD:
        language_write(line, size, language, "{1}: the piece on {2} may not move. Turns: {3}.",
                       told->side, told->from, NUMBER_TEXT(told->event->turns));
        break;
    case EVENT_COUNT:
        tell_count(told, line, size);
        break;
    case EVENT_LEARN:
        tell_learned(told, line, size);
        break;
    case EVENT_REVEAL:
        if (already_told(story, told->rules, told->event)) break;
        language_write(line, size, language, "{1}: the piece on {2} is {3}.", told->side,
                       told->from, told->kind);
        break;
    case EVENT_CONCEAL:
        language_write(line, size, language, "{1}: the piece on {2} is face down again.",
                       told->side, told->from);
        break;
    case EVENT_SWAP:
        if (!*told->from || !*told->to) break;
        language_write(line, size, language, "{1} and {2} swap places.", told->from, told->to);
        break;
    case EVENT_PLACE:
        language_write(line, size, language,
                       *told->to ? TEXT("{1}: {2} returns on {3}.")
                                 : TEXT("{1}: {2} returns out of sight."),
                       told->side, told->kind, told->to);
        break;
    case EVENT_END:
        break;
    }
}

static void story_add_event(struct story *story, struct telling told) {
    const struct language *language = told.language;
    const struct rules *rules = told.rules;
    const struct event *event = told.event;
    char line[512];
    told.side = language_side(language, (enum side)event->side);
    told.kind = language_kind(language, rules, event->kind);
    if (event->from != SQUARE_NONE) square_write(&rules->board, event->from, told.from);
    if (event->to != SQUARE_NONE) square_write(&rules->board, event->to, told.to);
    story_tell(story, &told, line, sizeof line);
    if (*line) story_append(story, line);
    if (event->type == EVENT_MOVE || event->type == EVENT_BATTLE) {
        story->from = event->from;
        story->to = event->to;
        story->target = SQUARE_NONE;
    } else if (event->type == EVENT_ABILITY) {
        bool stepped = story->last.type == EVENT_MOVE && story->last.side == event->side;
        if (!stepped) story->from = story->to = event->from;
        story->target = event->to;
    }
    story->last = *event;
}

void story_add(struct story *story, const struct language *language, const struct rules *rules,
               const struct events *turn) {
    for (int i = 0; i < turn->count; i++)
        story_add_event(story, (struct telling){.language = language,
                                                .rules = rules,
                                                .turn = turn,
                                                .event = &turn->list[i]});
}
