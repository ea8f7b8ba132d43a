/* story.c - what happened in a game, in sentences for people.
 *
 * An event that only spells out what the one before it implies (the winner of a battle is revealed)
 * gets no sentence of its own. */
#include "story.h"

#include "core/notation.h"

#include <stdio.h>
#include <string.h>

const char *story_side(enum side side) {
    return side == RED ? "Red" : "Blue";
}

void story_clear(struct story *story) {
    memset(story, 0, sizeof *story);
    story->last.type = EVENT_END;
    story->from = story->to = story->target = SQUARE_NONE;
}

static void append(struct story *story, const char *line) {
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

static const char *kind_name(const struct rules *rules, kind_id kind) {
    return kind == KIND_NONE ? "piece" : rules->kind[kind].name;
}

static const char *article(const char *word) {
    return strchr("aeiou", *word) ? "an" : "a";
}

/* Where sight is limited either end may be out of it. */
static void tell_move(const char *side, const char *from, const char *to, char *line, size_t size) {
    if (*from && *to) {
        snprintf(line, size, "%s %s-%s.", side, from, to);
    } else if (*from) {
        snprintf(line, size, "%s: a piece goes out of sight from %s.", side, from);
    } else if (*to) {
        snprintf(line, size, "%s: a piece comes into sight on %s.", side, to);
    } else {
        snprintf(line, size, "%s moves out of sight.", side);
    }
}

static void tell_battle(const struct rules *rules, const struct event *event, const char *side,
                        const char *from, const char *to, char *line, size_t size) {
    const char *attacker = kind_name(rules, event->kind),
               *defender = kind_name(rules, event->other);
    const char *own = side_name((enum side)event->side);
    const char *enemy = side_name(side_other((enum side)event->side));
    char fate[WORD_MAX + 24] = "both fall";
    if (event->outcome == ATTACKER_WINS) {
        snprintf(fate, sizeof fate, "%s's %s falls", enemy, defender);
    } else if (event->outcome == DEFENDER_WINS) {
        snprintf(fate, sizeof fate, "%s's %s falls", own, attacker);
    }
    snprintf(line, size, "%s %sx%s: %s attacks %s, %s.", side, from, to, attacker, defender, fate);
}

static void tell_ability(const struct rules *rules, const struct event *event, const char *side,
                         const char *from, const char *to, char *line, size_t size) {
    const struct ability *ability = &rules->ability[event->ability];
    const char *actor = rules->kind[ability->actor].name;
    int length =
        snprintf(line, size, "%s's %s on %s: %s of %s", side, actor, from, ability->name, to);
    if (event->kind != KIND_NONE && length > 0 && (size_t)length < size) {
        length += snprintf(line + length, size - (size_t)length, ", naming %s",
                           rules->kind[event->kind].name);
    }
    if (length > 0 && (size_t)length < size) snprintf(line + length, size - (size_t)length, ".");
}

/* A reveal that the battle or the ability just told has already said. */
static bool already_told(const struct story *story, const struct rules *rules,
                         const struct event *event) {
    const struct event *last = &story->last;
    if (last->type == EVENT_BATTLE) return true;
    return last->type == EVENT_ABILITY && last->side == event->side &&
           rules->ability[last->ability].actor == event->kind;
}

void story_add(struct story *story, const struct rules *rules, const struct event *event) {
    char line[256] = "", from[SQUARE_TEXT_MAX] = "", to[SQUARE_TEXT_MAX] = "";
    const char *side = story_side((enum side)event->side);
    const char *kind = kind_name(rules, event->kind);
    if (event->from != SQUARE_NONE) square_write(&rules->board, event->from, from);
    if (event->to != SQUARE_NONE) square_write(&rules->board, event->to, to);
    switch ((enum event_type)event->type) {
    case EVENT_MOVE:
        tell_move(side, from, to, line, sizeof line);
        break;
    case EVENT_BATTLE:
        tell_battle(rules, event, side, from, to, line, sizeof line);
        break;
    case EVENT_ABILITY:
        tell_ability(rules, event, side, from, to, line, sizeof line);
        break;
    case EVENT_REMOVE:
        snprintf(line, sizeof line, "%s's %s on %s is removed.", side, kind, from);
        break;
    case EVENT_REVEAL:
        if (already_told(story, rules, event)) break;
        snprintf(line, sizeof line, "%s's piece on %s is %s %s.", side, from, article(kind), kind);
        break;
    case EVENT_CONCEAL:
        snprintf(line, sizeof line, "%s's piece on %s is face down again.", side, from);
        break;
    case EVENT_SWAP:
        snprintf(line, sizeof line, "%s and %s change places.", from, to);
        break;
    case EVENT_PLACE:
        snprintf(line, sizeof line, "%s's %s returns on %s.", side, kind, to);
        break;
    case EVENT_END:
        break;
    }
    if (*line) append(story, line);
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

static const char *why(enum reason reason) {
    switch (reason) {
    case REASON_FLAG:
        return "'s flag has fallen";
    case REASON_IMMOBILE:
        return " has nothing left that can move";
    case REASON_BOTH_IMMOBILE:
        return "neither side has anything left that can move";
    case REASON_NO_MINERS:
        return "no miners are left and both flags are walled in";
    case REASON_NO_ATTACK_LIMIT:
        return "too many moves without an attack";
    case REASON_PLY_LIMIT:
        return "the game has reached its limit of moves";
    case REASON_ABILITY:
        return "an ability decided the game";
    case REASON_AGREED:
        return "both sides agreed";
    case REASON_RESIGNED:
        return " resigned";
    case REASON_FORFEIT_ILLEGAL:
        return " forfeits by an illegal move";
    case REASON_FORFEIT_FUEL:
        return " forfeits: it thought for too long";
    case REASON_FORFEIT_TIME:
        return " forfeits: it passed its deadline";
    case REASON_FORFEIT_MEMORY:
        return " forfeits: it ran out of memory";
    case REASON_FORFEIT_ERROR:
        return " forfeits by an error";
    case REASON_FORFEIT_CRASH:
        return " forfeits: its process died";
    case REASON_UNFINISHED:
    case REASON_NONE:
    case REASON_COUNT:
        break;
    }
    return "the game was broken off";
}

void story_end(enum result result, enum reason reason, char *out, size_t size) {
    const char *cause = why(reason);
    bool of_loser = *cause == ' ' || *cause == '\''; /* goes on after the loser's name */
    if (result == RESULT_NONE) {
        snprintf(out, size, "The game is unfinished: %s.", cause);
    } else if (result == RESULT_DRAW) {
        snprintf(out, size, "A draw: %s.", cause);
    } else {
        enum side winner = result == RESULT_RED ? RED : BLUE;
        snprintf(out, size, "%s wins: %s%s.", story_side(winner),
                 of_loser ? side_name(side_other(winner)) : "", cause);
    }
}
