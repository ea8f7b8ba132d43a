/* sheet.c - parts of a variant's rule sheet in words.
 *
 * The compiled rules keep tables, not the words of the variant's file; what is said here is read
 * off these tables, and so is what will be played. A table that fits no phrase is described by its
 * extent. */
#include "sheet.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A text that grows up to its size. */
struct text {
    char *out;
    size_t size, length;
};

static void add(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void add(struct text *text, const char *format, ...) {
    if (text->length + 1 >= text->size) return;
    va_list args;
    va_start(args, format);
    int bytes = vsnprintf(text->out + text->length, text->size - text->length, format, args);
    va_end(args);
    if (bytes < 0) return;
    text->length += (size_t)bytes;
    if (text->length >= text->size) text->length = text->size - 1;
}

/* Do two movements enter the same squares from everywhere on an empty board? */
static bool same_reach(const struct board *board, const struct movement *a,
                       const struct movement *b) {
    for (int side = RED; side <= BLUE; side++) {
        for (squareset rest = board->land; rest;) {
            square from = squareset_pop(&rest);
            if (movement_reach(a, (enum side)side, from, 0) !=
                movement_reach(b, (enum side)side, from, 0)) {
                return false;
            }
        }
    }
    return true;
}

static bool walks(const struct rules *rules, const struct movement *movement, int reach,
                  bool turns) {
    struct movement walk = {0};
    if (!movement_build_walk(&walk, &rules->board, reach, turns, NULL)) return false;
    bool same = same_reach(&rules->board, movement, &walk);
    movement_clear(&walk);
    return same;
}

void sheet_movement(const struct rules *rules, kind_id kind, char *out, size_t size) {
    uint8_t index = rules->kind[kind].movement;
    if (index == MOVEMENT_NONE) {
        snprintf(out, size, "never moves");
        return;
    }
    const struct movement *movement = &rules->movement[index];
    if (walks(rules, movement, 1, false)) {
        snprintf(out, size, "one square");
        return;
    }
    if (walks(rules, movement, PATH_MAX_SQUARES, false)) {
        snprintf(out, size, "any number of squares in a line");
        return;
    }
    for (int reach = 2; reach < PATH_MAX_SQUARES; reach++) {
        if (walks(rules, movement, reach, false)) {
            snprintf(out, size, "up to %d squares in a line", reach);
            return;
        }
        if (reach <= 3 && walks(rules, movement, reach, true)) {
            snprintf(out, size, "up to %d squares, turning corners", reach);
            return;
        }
    }
    snprintf(out, size, "in a way of its own");
}

static void add_when(struct text *text, unsigned when) {
    const char *const words[] = {"in place of a move", "after a step to an empty square",
                                 "after an attack it survives"};
    const char *between = "";
    for (int i = 0; i < 3; i++) {
        if (!(when & (1u << i))) continue;
        add(text, "%s%s", between, words[i]);
        between = " or ";
    }
}

/* Where red's actor must stand, read off the squares from which it has targets. */
static void add_where(struct text *text, const struct rules *rules, const struct ability *ability) {
    const struct board *board = &rules->board;
    squareset from = 0, back = 0;
    for (square at = 0; at < board->squares; at++) {
        if (ability->targets[RED][at]) from |= squareset_of(at);
        if (board_rank(board, at) == board->ranks - 1) back |= squareset_of(at);
    }
    if (from == board->zone[BLUE]) {
        add(text, ", while on the enemy's set-up ranks");
    } else if (from == (back & board->land)) {
        add(text, ", while on the enemy's back rank");
    } else if (from != board->land) {
        add(text, ", on %d squares of the board", squareset_count(from));
    }
}

static void add_range(struct text *text, const struct rules *rules, const struct ability *ability) {
    const struct board *board = &rules->board;
    squareset all = 0;
    int nearest = BOARD_LINES_MAX, farthest = 0;
    bool straight = true;
    for (square from = 0; from < board->squares; from++) {
        for (squareset rest = ability->targets[RED][from]; rest;) {
            square at = squareset_pop(&rest);
            int files = abs(board_file(board, at) - board_file(board, from));
            int ranks = abs(board_rank(board, at) - board_rank(board, from));
            int distance = files > ranks ? files : ranks;
            all |= squareset_of(at);
            straight = straight && (!files || !ranks);
            if (distance < nearest) nearest = distance;
            if (distance > farthest) farthest = distance;
        }
    }
    if (all == board->zone[RED]) {
        add(text, " in its own set-up zone");
    } else if (straight && farthest == 1) {
        add(text, " on a neighbouring square");
    } else if (straight) {
        add(text, " %d to %d squares away along a rank or file", nearest, farthest);
    } else {
        add(text, " up to %d squares away", farthest);
    }
}

static void add_effects(struct text *text, unsigned effects) {
    static const struct {
        unsigned effect;
        const char *words;
    } phrases[] = {
        {EFFECT_REMOVE_TARGET, "the target is removed"},
        {EFFECT_REMOVE_ACTOR, "the user is removed"},
        {EFFECT_REVEAL_TARGET, "the target is revealed"},
        {EFFECT_REVEAL_ACTOR, "the user is revealed"},
        {EFFECT_CONCEAL_TARGET, "the target is hidden again"},
        {EFFECT_CONCEAL_ACTOR, "the user is hidden again"},
        {EFFECT_SWAP, "user and target change places"},
        {EFFECT_PLACE, "that piece returns there, hidden"},
        {EFFECT_WIN, "its side wins"},
        {EFFECT_LOSE, "its side loses"},
        {EFFECT_DRAW, "the game is drawn"},
    };
    const char *between = "";
    for (size_t i = 0; i < sizeof phrases / sizeof phrases[0]; i++) {
        if (!(effects & phrases[i].effect)) continue;
        add(text, "%s%s", between, phrases[i].words);
        between = ", ";
    }
    if (!*between) add(text, "nothing happens");
}

/* The effects over all pairs of a target and a choice that are (or are not) of one kind. False when
 * they differ. */
static bool common_effects(const struct rules *rules, const struct ability *ability, bool right,
                           unsigned *effects) {
    bool found = false;
    for (kind_id target = 0; target <= rules->kinds; target++) {
        bool aimed = target ? (ability->aims & (AIM_ENEMY | AIM_OWN)) != 0
                            : (ability->aims & AIM_EMPTY) != 0;
        for (kind_id choice = 0; aimed && choice <= rules->kinds; choice++) {
            bool named = ability->asks == ASKS_NOTHING ? choice == KIND_NONE
                         : choice ? (ability->choices & kindset_of(choice)) != 0
                                  : false;
            if (!named || (ability->asks == ASKS_KIND && (target == choice) != right)) continue;
            if (found && *effects != ability->effects[target][choice]) return false;
            *effects = ability->effects[target][choice];
            found = true;
        }
    }
    return found;
}

static void add_outcome(struct text *text, const struct rules *rules,
                        const struct ability *ability) {
    unsigned right = 0, wrong = 0;
    bool guess = ability->asks == ASKS_KIND;
    if (!common_effects(rules, ability, true, &right) ||
        (guess && !common_effects(rules, ability, false, &wrong))) {
        add(text, " What happens depends on the pieces.");
    } else if (guess) {
        add(text, " Right: ");
        add_effects(text, right);
        add(text, ". Wrong: ");
        add_effects(text, wrong);
        add(text, ".");
    } else {
        add(text, " Then ");
        add_effects(text, right);
        add(text, ".");
    }
}

void sheet_ability(const struct rules *rules, const struct ability *ability, char *out,
                   size_t size) {
    struct text text = {out, size, 0};
    add_when(&text, ability->when);
    add_where(&text, rules, ability);
    add(&text, "; aimed at ");
    const char *const aims[] = {"an enemy piece", "an own piece", "an empty square"};
    const char *between = "";
    for (int i = 0; i < 3; i++) {
        if (!(ability->aims & (1u << i))) continue;
        add(&text, "%s%s", between, aims[i]);
        between = " or ";
    }
    add_range(&text, rules, ability);
    if (ability->asks == ASKS_KIND) add(&text, "; names a kind");
    if (ability->asks == ASKS_CAPTURED) add(&text, "; names a fallen piece of its own side");
    add(&text, ".");
    add_outcome(&text, rules, ability);
    if (ability->limit == 1) add(&text, " Once a game for each side.");
    if (ability->limit > 1) {
        add(&text, " At most %d times a game for each side.", ability->limit);
    }
    if (ability->attacks) add(&text, " Counts as an attack.");
    if (*out >= 'a' && *out <= 'z') *out = (char)(*out - 'a' + 'A');
}

bool sheet_same_ability(const struct ability *a, const struct ability *b) {
    return !strcmp(a->name, b->name) && a->when == b->when && a->aims == b->aims &&
           a->asks == b->asks && a->attacks == b->attacks && a->tally == b->tally &&
           a->limit == b->limit && a->choices == b->choices &&
           !memcmp(a->targets, b->targets, sizeof a->targets) &&
           !memcmp(a->effects, b->effects, sizeof a->effects);
}

const char *sheet_chase(const struct rules *rules) {
    switch ((enum chase_rule)rules->chase) {
    case CHASE_ISF:
        return "isf";
    case CHASE_RUSSIAN:
        return "russian";
    case CHASE_NONE:
        break;
    }
    return "none";
}

const char *sheet_first(const struct rules *rules) {
    switch ((enum first_side)rules->first) {
    case FIRST_RED:
        return "red";
    case FIRST_BLUE:
        return "blue";
    case FIRST_CHOSEN:
        break;
    }
    return "chosen";
}

const char *sheet_after_battle(const struct rules *rules) {
    static const char *const words[] = {[AFTER_BATTLE_REVEAL] = "reveal",
                                        [AFTER_BATTLE_CONCEAL] = "conceal",
                                        [AFTER_BATTLE_SILENT] = "silent"};
    const char *common = NULL;
    for (kind_id a = 1; a <= rules->kinds; a++) {
        if (!(rules->mobile & kindset_of(a))) continue;
        for (kind_id d = 1; d <= rules->kinds; d++) {
            if (rules->outcome[a][d] == BOTH_FALL) continue;
            const char *word = words[rules->after_battle[a][d]];
            if (common && common != word) return "mixed";
            common = word;
        }
    }
    return common ? common : words[AFTER_BATTLE_REVEAL];
}
