/* refusal.c - checks that a variant can be played, and words the refusals.
 *
 * The script layer checks the values of single keys. Checked here: an army that fits the zone, a
 * flag, a mobile kind, and effects without contradictions. */
#include "refusal.h"

#include <string.h>

bool refusals_add(struct refusals *refusals, struct refusal refusal) {
    if (refusals->count < REFUSALS_MAX) refusals->list[refusals->count++] = refusal;
    return false;
}

/* What board_derive() refuses, once the size is known to be good. */
static struct refusal refused_zones(const struct board *board) {
    for (int side = RED; side <= BLUE; side++) {
        const int ranks = board->zone_ranks[side];
        const bool both = board->zone_ranks[RED] == board->zone_ranks[BLUE];
        const bool whole = !board->zone_only[RED] && !board->zone_only[BLUE];
        if (ranks < 1 || ranks > (both && whole ? board->ranks / 2 : board->ranks))
            return (struct refusal){.code = REFUSED_ZONE, .side = (uint8_t)side, .value = ranks};
    }
    squareset meet = board->zone[RED] & board->zone[BLUE];
    if (!meet) return (struct refusal){.code = REFUSED_LAKE};
    return (struct refusal){.code = REFUSED_ZONES_MEET, .value = squareset_pop(&meet)};
}

bool refusals_check_board(struct rules *rules, struct refusals *refusals) {
    struct board *board = &rules->board;
    board->zone[RED] = board->zone[BLUE] = 0;
    if (board_derive(board)) return true;
    if (board->files < 1 || board->files > BOARD_LINES_MAX || board->ranks < 2 ||
        board->ranks > BOARD_LINES_MAX || board->files * board->ranks > BOARD_SQUARES_MAX)
        return refusals_add(refusals, (struct refusal){.code = REFUSED_BOARD,
                                                       .value = board->files,
                                                       .expected = board->ranks});
    return refusals_add(refusals, refused_zones(board));
}

static bool letter_allowed(char letter) {
    return (letter >= 'A' && letter <= 'Z') || (letter >= '0' && letter <= '9');
}

static bool check_kind(const struct rules *rules, kind_id id, struct refusals *refusals) {
    const struct kind *kind = &rules->kind[id];
    struct refusal refusal = {.kind = id, .value = kind->letter};
    bool good = true;
    if (!letter_allowed(kind->letter)) {
        refusal.code = REFUSED_LETTER;
        good = refusals_add(refusals, refusal);
    }
    for (kind_id other = 1; other < id; other++) {
        refusal.other = other;
        if (!strcmp(rules->kind[other].name, kind->name)) {
            refusal.code = REFUSED_NAME_TWICE;
            good = refusals_add(refusals, refusal);
        }
        if (rules->kind[other].letter == kind->letter) {
            refusal.code = REFUSED_LETTER_TWICE;
            good = refusals_add(refusals, refusal);
        }
    }
    const int red = rules->start[RED].count[id], blue = rules->start[BLUE].count[id];
    const int most = red > blue ? red : blue;
    if (most < 1 || most > BOARD_SQUARES_MAX)
        good = refusals_add(refusals,
                            (struct refusal){.code = REFUSED_PIECES, .kind = id, .value = most});
    return good;
}

/* A board with pieces on some of the squares on which they may start. */
struct placing {
    const struct start *start;
    kind_id at[BOARD_SQUARES_MAX];
    squareset zone; /* the side's own squares */
};

/* Places one more piece of a kind, and others elsewhere if need be: an augmenting path. */
static bool place_one(struct placing *placing, kind_id kind, squareset *tried) {
    const squareset only = placing->start->only[kind];
    const squareset on = only ? only & placing->zone : placing->zone;
    while (on & ~*tried) {
        squareset left = on & ~*tried;
        const square at = squareset_pop(&left);
        *tried |= squareset_of(at);
        if (placing->at[at] == KIND_NONE || place_one(placing, placing->at[at], tried)) {
            placing->at[at] = kind;
            return true;
        }
    }
    return false;
}

/* Is there a square for every piece? */
static bool check_places(const struct rules *rules, enum side side, struct refusals *refusals) {
    struct placing placing = {.start = &rules->start[side]};
    placing.zone = board_own_set(&rules->board, side, rules->board.zone[side]);
    for (kind_id id = 1; id <= rules->kinds; id++)
        for (int i = 0; i < placing.start->count[id]; i++) {
            squareset tried = 0;
            if (!place_one(&placing, id, &tried))
                return refusals_add(refusals, (struct refusal){.code = REFUSED_START,
                                                               .kind = id,
                                                               .side = (uint8_t)side,
                                                               .value = placing.start->count[id],
                                                               .expected = i});
        }
    return true;
}

static bool check_fit(const struct rules *rules, enum side side, struct refusals *refusals) {
    struct refusal refusal = {.side = (uint8_t)side,
                              .expected = squareset_count(rules->board.zone[side])};
    for (kind_id id = 1; id <= rules->kinds; id++) refusal.value += rules->start[side].count[id];
    if (refusal.value > refusal.expected)
        refusal.code = REFUSED_ARMY_LARGE;
    else if (rules->zone_filled && refusal.value != refusal.expected)
        refusal.code = REFUSED_ARMY_SMALL;
    else
        return check_places(rules, side, refusals);
    return refusals_add(refusals, refusal);
}

/* Do the armies and zones of the sides differ by intent? */
static bool sides_differ(const struct rules *rules) {
    const struct board *board = &rules->board;
    return board->zone_only[RED] != board_own_set(board, BLUE, board->zone_only[BLUE]) ||
           board->zone_ranks[RED] != board->zone_ranks[BLUE] ||
           memcmp(rules->start[RED].count, rules->start[BLUE].count,
                  sizeof rules->start[RED].count) != 0 ||
           memcmp(rules->start[RED].only, rules->start[BLUE].only, sizeof rules->start[RED].only) !=
               0;
}

static bool check_fits(const struct rules *rules, struct refusals *refusals) {
    const struct board *board = &rules->board;
    if (!sides_differ(rules)) {
        if (board_own_set(board, BLUE, board->zone[BLUE]) != board->zone[RED])
            return refusals_add(refusals, (struct refusal){.code = REFUSED_ZONES});
        return check_fit(rules, RED, refusals);
    }
    return check_fit(rules, RED, refusals) && check_fit(rules, BLUE, refusals);
}

bool refusals_check_army(const struct rules *rules, struct refusals *refusals) {
    bool good = true, mobile[2] = {false};
    if (rules->kinds < 1 || rules->kinds >= KINDS_MAX)
        return refusals_add(refusals,
                            (struct refusal){.code = REFUSED_KINDS, .value = rules->kinds});
    for (kind_id id = 1; id <= rules->kinds; id++) {
        good &= check_kind(rules, id, refusals);
        for (int side = RED; side <= BLUE; side++)
            mobile[side] |=
                rules->start[side].count[id] && rules->kind[id].movement != MOVEMENT_NONE;
    }
    for (int side = RED; side <= BLUE; side++)
        if (!mobile[side])
            return refusals_add(refusals,
                                (struct refusal){.code = REFUSED_IMMOBILE, .side = (uint8_t)side});
    return (!rules->board.squares || check_fits(rules, refusals)) && good;
}

static bool conceals(const struct rules *rules) {
    for (int i = 0; i < rules->abilities; i++)
        for (int target = 0; target <= rules->kinds; target++)
            for (int choice = 0; choice <= rules->kinds; choice++)
                if (rules->ability[i].effects[target][choice] &
                    (EFFECT_CONCEAL_ACTOR | EFFECT_CONCEAL_TARGET))
                    return true;
    return false;
}

/* An open game hides nothing, and so nothing that is hidden can be shown. */
static bool check_open(const struct rules *rules, struct refusals *refusals) {
    bool has[] = {[HIDING_FALLEN] = rules->fallen_hidden,
                  [HIDING_WINNERS] = false,
                  [HIDING_SIGHT] = rules->sight != NULL,
                  [HIDING_FALLS] = false,
                  [HIDING_EFFECTS] = conceals(rules)};
    for (kind_id id = 1; id <= rules->kinds; id++) {
        has[HIDING_FALLS] |= rules->fall_shows[id] != 0;
        for (kind_id other = 1; other <= rules->kinds; other++)
            has[HIDING_WINNERS] |= rules->after_battle[id][other] != AFTER_BATTLE_REVEAL;
    }
    for (int i = 0; i < (int)sizeof has; i++)
        if (has[i])
            return refusals_add(refusals, (struct refusal){.code = REFUSED_OPEN, .value = i});
    return true;
}

/* Where armies are given, each piece has a square of its own. */
static bool check_given(const struct rules *rules, struct refusals *refusals) {
    for (int side = RED; side <= BLUE; side++) {
        const struct start *start = &rules->start[side];
        squareset taken = 0;
        for (kind_id id = 1; id <= rules->kinds; id++) {
            const int squares = squareset_count(start->only[id] & ~taken);
            if (start->count[id] && squares != start->count[id])
                return refusals_add(refusals, (struct refusal){.code = REFUSED_GIVEN,
                                                               .kind = id,
                                                               .side = (uint8_t)side,
                                                               .value = start->count[id],
                                                               .expected = squares});
            if (start->count[id]) taken |= start->only[id];
        }
    }
    return true;
}

bool refusals_check_limits(const struct rules *rules, struct refusals *refusals) {
    int two_squares = rules->two_squares;
    kindset army = ((kindset)2 << rules->kinds) - 2;
    bool good = true;
    if (two_squares && (two_squares < TWO_SQUARES_MIN || two_squares > TWO_SQUARES_MAX))
        good = refusals_add(refusals,
                            (struct refusal){.code = REFUSED_TWO_SQUARES, .value = two_squares});
    if (rules->limits.no_attack > LIMIT_MAX)
        good = refusals_add(refusals, (struct refusal){.code = REFUSED_NO_ATTACK,
                                                       .value = (int)rules->limits.no_attack});
    if (rules->limits.plies > LIMIT_MAX)
        good = refusals_add(
            refusals, (struct refusal){.code = REFUSED_PLIES, .value = (int)rules->limits.plies});
    if (rules->draw_without & ~army)
        good = refusals_add(refusals, (struct refusal){.code = REFUSED_DRAW_WITHOUT});
    if (rules->armies == ARMIES_GIVEN) good &= check_given(rules, refusals);
    if (rules->open) good &= check_open(rules, refusals);
    if (!rules->open && rules_have_outcome(rules, CANNOT_ATTACK))
        good = refusals_add(refusals, (struct refusal){.code = REFUSED_BARRED});
    kindset shown = 0;
    for (kind_id id = 1; id <= rules->kinds; id++) shown |= rules->fall_shows[id];
    for (int side = RED; side <= BLUE; side++) {
        int pieces = 0;
        for (kind_id id = 1; id <= rules->kinds; id++)
            if (shown & kindset_of(id)) pieces += rules->start[side].count[id];
        if (pieces > FALL_SHOWS_MAX) {
            good =
                refusals_add(refusals, (struct refusal){.code = REFUSED_FALL_OF, .value = pieces});
            break;
        }
    }
    if (rules->repetition &&
        (rules->repetition < REPETITION_MIN || rules->repetition > REPETITION_MAX))
        good = refusals_add(
            refusals, (struct refusal){.code = REFUSED_REPETITION, .value = rules->repetition});
    return good;
}

/* Can an ability or a call change the counter? */
static bool counter_moves(const struct rules *rules, int number) {
    if (rules->calls && (rules->calls->declared & CALLS_EFFECTS)) return true;
    for (int i = 0; i < rules->abilities; i++)
        for (int target = 0; target <= rules->kinds; target++)
            for (int choice = 0; choice <= rules->kinds; choice++)
                if (rules->ability[i].counts[target][choice].counter == number + 1) return true;
    return false;
}

static bool check_counter(const struct rules *rules, int number, struct refusals *refusals) {
    const struct counter *counter = &rules->counter[number];
    struct refusal refusal = {.value = number};
    if (counter->from < -COUNTER_MAX || counter->to > COUNTER_MAX || counter->from >= counter->to ||
        counter->start < counter->from || counter->start > counter->to)
        refusal.code = REFUSED_COUNTER;
    else if (!counter_moves(rules, number))
        refusal.code = REFUSED_COUNTER_IDLE;
    else
        return true;
    return refusals_add(refusals, refusal);
}

static bool check_goal(const struct rules *rules, int number, struct refusals *refusals) {
    const struct goal *goal = &rules->goal[number];
    const struct board *board = &rules->board;
    struct refusal refusal = {.code = REFUSED_GOAL, .value = number};
    bool shared = false;
    if (goal->kinds & ~(((kindset)2 << rules->kinds) - 2)) return refusals_add(refusals, refusal);
    if (goal->kinds) {
        if (!(goal->at[RED] | goal->at[BLUE]) || (goal->at[RED] | goal->at[BLUE]) & ~board->land)
            refusal.code = REFUSED_GOAL_PLACE;
        else if (goal->at[RED] & board->zone[RED] || goal->at[BLUE] & board->zone[BLUE])
            refusal.code = REFUSED_GOAL_ZONE;
        else if (goal->after <= MARK_MAX)
            refusal.code = REFUSED_MOVES; /* nothing is wrong */
    } else if (goal->counter < rules->counters) {
        const struct counter *counter = &rules->counter[goal->counter];
        shared = !counter->each;
        if (goal->reaches < counter->from || goal->reaches > counter->to ||
            goal->reaches == counter->start)
            refusal.code = REFUSED_GOAL_COUNT;
        else
            refusal.code = REFUSED_MOVES;
    }
    if (refusal.code == REFUSED_MOVES) {
        if (goal->result < GOAL_RESULTS &&
            (shared ? goal->result >= GOAL_DRAW : goal->result <= GOAL_DRAW))
            return true;
        refusal.code = REFUSED_GOAL_RESULT;
    }
    return refusals_add(refusals, refusal);
}

bool refusals_check_goals(const struct rules *rules, struct refusals *refusals) {
    bool good = true;
    for (int i = 0; i < rules->counters; i++) good &= check_counter(rules, i, refusals);
    for (int i = 0; i < rules->goals; i++) good &= check_goal(rules, i, refusals);
    bool ends = rules->goals || (rules->calls && rules->calls->declared >> CALL_ENDING & 1);
    for (kind_id id = 1; id <= rules->kinds; id++) ends |= rules->kind[id].flag;
    if (!ends) return refusals_add(refusals, (struct refusal){.code = REFUSED_NO_FLAG});
    return good;
}

/* No effect of `first` may be combined with one of `second`. */
static const struct {
    uint16_t first, second;
    const char *text;
} CONTRADICTIONS[] = {
    {EFFECT_LEARN, EFFECT_CONCEAL_TARGET, "learns about its target and conceals it"},
    {EFFECT_REVEAL_TARGET, EFFECT_CONCEAL_TARGET, "reveals and conceals its target"},
    {EFFECT_REVEAL_ACTOR, EFFECT_CONCEAL_ACTOR, "reveals and conceals its actor"},
    {EFFECT_REMOVE_TARGET, EFFECT_CONCEAL_TARGET, "removes and conceals its target"},
    {EFFECT_REMOVE_ACTOR, EFFECT_CONCEAL_ACTOR, "removes and conceals its actor"},
    {EFFECT_SWAP, EFFECT_PLACE | EFFECT_REMOVE_ACTOR | EFFECT_REMOVE_TARGET,
     "swaps pieces that it removes or places"},
    {EFFECT_WIN, EFFECT_LOSE | EFFECT_DRAW, "ends the game in two ways"},
    {EFFECT_LOSE, EFFECT_DRAW, "ends the game in two ways"},
};

/* The contradiction within a set of effects, or NULL. */
static const char *contradiction(unsigned effects) {
    for (size_t i = 0; i < sizeof CONTRADICTIONS / sizeof *CONTRADICTIONS; i++)
        if ((effects & CONTRADICTIONS[i].first) && (effects & CONTRADICTIONS[i].second))
            return CONTRADICTIONS[i].text;
    return NULL;
}

static bool counting_makes_sense(const struct rules *rules, const struct counting *counting) {
    if (counting->counter > rules->counters || (counting->how & ~(COUNTING_ENEMY | COUNTING_SETS)))
        return false;
    const struct counter *counter = &rules->counter[counting->counter - 1];
    int range = counter->to - counter->from;
    if (counting->how & COUNTING_SETS)
        return counting->by >= counter->from && counting->by <= counter->to;
    return counting->by && counting->by >= -range && counting->by <= range;
}

static bool check_effects(const struct rules *rules, const struct ability *ability,
                          struct refusal refusal, struct refusals *refusals) {
    unsigned effects = ability->effects[refusal.kind][refusal.other];
    bool empty = refusal.kind == KIND_NONE;
    const struct counting *counting = &ability->counts[refusal.kind][refusal.other];
    unsigned on_target = EFFECT_REMOVE_TARGET | EFFECT_REVEAL_TARGET | EFFECT_CONCEAL_TARGET |
                         EFFECT_LEARN | MARK_MAX * EFFECT_HOLD;
    refusal.value = (int)effects;
    if (counting->counter && !counting_makes_sense(rules, counting)) {
        refusal.code = REFUSED_COUNTING;
        refusal.value = counting->by;
    } else if (empty && (effects & on_target)) {
        refusal.code = REFUSED_EMPTY_TARGET;
    } else if ((effects & EFFECT_PLACE) && (!empty || ability->asks != ASKS_CAPTURED)) {
        refusal.code = REFUSED_PLACE;
    } else if (contradiction(effects)) {
        refusal.code = REFUSED_CONTRADICTION;
    } else {
        return true;
    }
    return refusals_add(refusals, refusal);
}

static bool check_ability(const struct rules *rules, uint8_t index, struct refusals *refusals) {
    const struct ability *ability = &rules->ability[index];
    struct refusal refusal = {.ability = index};
    if (!ability->when) {
        refusal.code = REFUSED_NO_TIME;
        return refusals_add(refusals, refusal);
    }
    if (!ability->aims) {
        refusal.code = REFUSED_NO_AIM;
        return refusals_add(refusals, refusal);
    }
    if (ability->asks != ASKS_NOTHING && !ability->choices) {
        refusal.code = REFUSED_NO_CHOICE;
        return refusals_add(refusals, refusal);
    }
    if (ability->asks == ASKS_CAPTURED && rules->fallen_hidden) {
        refusal.code = REFUSED_CAPTURED;
        return refusals_add(refusals, refusal);
    }
    if (ability->tally.n >= ABILITIES_MAX) {
        refusal.code = REFUSED_TALLY;
        refusal.value = ability->tally.n;
        return refusals_add(refusals, refusal);
    }
    if (ability->each > MARK_MAX || ability->rest > MARK_MAX) {
        refusal.code = REFUSED_MARKS;
        refusal.value = ability->each > ability->rest ? ability->each : ability->rest;
        return refusals_add(refusals, refusal);
    }
    if ((ability->when & ABILITY_AFTER_ATTACK) && (rules->stayers >> ability->actor & 1)) {
        refusal.code = REFUSED_STAYS;
        return refusals_add(refusals, refusal);
    }
    for (int i = 0; i < index; i++) {
        const struct ability *other = &rules->ability[i];
        if (!tally_same(other->tally, ability->tally)) continue;
        if (other->each != ability->each || other->rest != ability->rest) {
            refusal.code = REFUSED_SHARED_MARKS;
            return refusals_add(refusals, refusal);
        }
        if (other->limit != ability->limit) {
            refusal.code = REFUSED_SHARED_LIMIT;
            refusal.value = ability->limit;
            refusal.expected = other->limit;
            return refusals_add(refusals, refusal);
        }
        if (other->attacks != ability->attacks) {
            refusal.code = REFUSED_SHARED_ATTACKS;
            return refusals_add(refusals, refusal);
        }
    }
    for (refusal.kind = 0; refusal.kind <= rules->kinds; refusal.kind++)
        for (refusal.other = 0; refusal.other <= rules->kinds; refusal.other++)
            if (!check_effects(rules, ability, refusal, refusals)) return false;
    return true;
}

bool refusals_check_abilities(const struct rules *rules, struct refusals *refusals) {
    bool good = true;
    if (rules->abilities > ABILITIES_MAX)
        return refusals_add(refusals,
                            (struct refusal){.code = REFUSED_ABILITIES, .value = rules->abilities});
    for (int i = 0; i < rules->abilities; i++) good &= check_ability(rules, (uint8_t)i, refusals);
    return good;
}

static const char *kind_or_none(const struct rules *rules, kind_id kind) {
    return kind ? rules->kind[kind].name : "none";
}

/* `does`: what the ability does wrong, as a verb phrase. */
static bool effects_fault(const struct refusal *refusal, const struct rules *rules,
                          const char *does, struct fault *fault) {
    const struct ability *ability = &rules->ability[refusal->ability];
    return fault_set(fault, STATUS_RULES, "%s.%s %s (target %s, choice %s)",
                     rules->kind[ability->actor].name, ability->name, does,
                     kind_or_none(rules, refusal->kind), kind_or_none(rules, refusal->other));
}

static bool ability_fault(const struct refusal *refusal, const struct rules *rules,
                          struct fault *fault) {
    const struct ability *ability = &rules->ability[refusal->ability];
    const char *actor = rules->kind[ability->actor].name, *name = ability->name;
    switch (refusal->code) {
    case REFUSED_NO_TIME:
        return fault_set(fault, STATUS_RULES, "%s.%s can never be used: \"when\" is empty", actor,
                         name);
    case REFUSED_NO_AIM:
        return fault_set(fault, STATUS_RULES, "%s.%s can never be used: \"aims\" is empty", actor,
                         name);
    case REFUSED_NO_CHOICE:
        return fault_set(fault, STATUS_RULES, "%s.%s asks for a kind and allows none", actor, name);
    case REFUSED_CAPTURED:
        return fault_set(
            fault, STATUS_RULES,
            "%s.%s asks for a captured piece, and `fallen = \"hidden\"` keeps from the "
            "enemy which have been captured",
            actor, name);
    case REFUSED_TALLY:
        return fault_set(fault, STATUS_RULES, "%s.%s has tally %d, expected 0 to %d", actor, name,
                         refusal->value, ABILITIES_MAX - 1);
    case REFUSED_SHARED_LIMIT:
        return fault_set(fault, STATUS_RULES,
                         "%s.%s has the limit %d, expected %d as in the abilities counted with it",
                         actor, name, refusal->value, refusal->expected);
    case REFUSED_MARKS:
        return fault_set(fault, STATUS_RULES,
                         "%s.%s has \"each\" or \"rest\" of %d, expected 0 to %d", actor, name,
                         refusal->value, MARK_MAX);
    case REFUSED_SHARED_MARKS:
        return fault_set(fault, STATUS_RULES,
                         "%s.%s differs in \"each\" or \"rest\" from the abilities counted with it",
                         actor, name);
    case REFUSED_SHARED_ATTACKS:
        return fault_set(fault, STATUS_RULES,
                         "%s.%s differs in \"attacks\" from the abilities counted with it", actor,
                         name);
    case REFUSED_EMPTY_TARGET:
        return effects_fault(refusal, rules, "does something to an empty square", fault);
    case REFUSED_STAYS:
        return fault_set(
            fault, STATUS_RULES,
            "%s.%s is used after an attack, on the attacked square, but %s stays where "
            "it is (advances = false)",
            actor, name, actor);
    case REFUSED_COUNTING:
        return effects_fault(refusal, rules,
                             "changes a counter by nothing, or by more than its range", fault);
    case REFUSED_PLACE:
        return effects_fault(refusal, rules,
                             "places a piece where none can be placed: the target must be empty "
                             "and the choice a captured kind",
                             fault);
    default:
        return effects_fault(refusal, rules, contradiction((unsigned)refusal->value), fault);
    }
}

/* "red's ", "blue's ", or nothing where the sides have the same army and zone. */
static const char *whose(const struct refusal *refusal, const struct rules *rules) {
    if (!sides_differ(rules)) return "";
    return refusal->side == RED ? "red's " : "blue's ";
}

static bool counter_fault(const struct refusal *refusal, const struct rules *rules,
                          struct fault *fault) {
    const struct counter *counter = &rules->counter[refusal->value];
    if (refusal->code == REFUSED_COUNTER_IDLE)
        return fault_set(fault, STATUS_RULES,
                         "nothing changes the counter %s: no ability returns `add` or `set` of it, "
                         "and there is no call with effects",
                         counter->name);
    return fault_set(fault, STATUS_RULES,
                     "the counter %s goes from %d to %d and starts at %d, expected from < to, "
                     "numbers of at most %d, and a start between them",
                     counter->name, counter->from, counter->to, counter->start, COUNTER_MAX);
}

static bool goal_fault(const struct refusal *refusal, const struct rules *rules,
                       struct fault *fault) {
    const struct goal *goal = &rules->goal[refusal->value];
    const struct counter *counter = &rules->counter[goal->kinds ? 0 : goal->counter];
    switch (refusal->code) {
    case REFUSED_GOAL_PLACE:
        return fault_set(
            fault, STATUS_RULES,
            "no piece can stand there: expected squares of the board for a side or both, "
            "and no lakes");
    case REFUSED_GOAL_ZONE: {
        const squareset red = goal->at[RED] & rules->board.zone[RED];
        squareset within = red ? red : goal->at[BLUE] & rules->board.zone[BLUE];
        const char *side = side_name(red ? RED : BLUE);
        char at[SQUARE_TEXT_MAX];
        square_write(&rules->board, squareset_pop(&within), at);
        return fault_set(fault, STATUS_RULES,
                         "%s of %s's goal is in %s's own set-up zone: the game could be over "
                         "before it starts",
                         at, side, side);
    }
    case REFUSED_GOAL_COUNT:
        return fault_set(fault, STATUS_RULES,
                         "%s cannot reach %d: it starts at %d and goes from %d to %d",
                         counter->name, goal->reaches, counter->start, counter->from, counter->to);
    case REFUSED_GOAL_RESULT:
        return fault_set(fault, STATUS_RULES, "\"%s\" is no result of this goal, expected %s",
                         goal->result < GOAL_RESULTS ? GOAL_RESULT_WORDS[goal->result] : "none",
                         !goal->kinds && !counter->each
                             ? "\"red\", \"blue\" or \"draw\", since both sides share the counter"
                             : "\"win\", \"lose\" or \"draw\"");
    default:
        return fault_set(fault, STATUS_RULES,
                         "a goal that is not about pieces of the army or a counter");
    }
}

static bool open_fault(const struct refusal *refusal, struct fault *fault) {
    static const char *const what[] = {[HIDING_FALLEN] =
                                           "`fallen = \"hidden\"` hides what has fallen",
                                       [HIDING_WINNERS] = "`after_battle` hides winners",
                                       [HIDING_SIGHT] = "`sight` hides pieces",
                                       [HIDING_FALLS] = "`fall_of` shows pieces that are hidden",
                                       [HIDING_EFFECTS] = "an ability conceals pieces"};
    return fault_set(fault, STATUS_RULES,
                     "both sides know all pieces of an open game, but %s: expected one of the two",
                     what[refusal->value]);
}

bool refusal_fault(const struct refusal *refusal, const struct rules *rules, struct fault *fault) {
    const char *kind = rules->kind[refusal->kind].name;
    char where[SQUARE_TEXT_MAX];
    int value = refusal->value, expected = refusal->expected;
    switch (refusal->code) {
    case REFUSED_BOARD:
        return fault_set(fault, STATUS_RULES,
                         "board of %d x %d with %d squares, expected 1 to %d files, 2 to %d ranks "
                         "and at most %d squares",
                         value, expected, value * expected, BOARD_LINES_MAX, BOARD_LINES_MAX,
                         BOARD_SQUARES_MAX);
    case REFUSED_ZONE:
        return fault_set(fault, STATUS_RULES, "%sset-up zone of %d ranks, expected 1 to %s%d",
                         whose(refusal, rules), value,
                         rules->board.zone_ranks[RED] == rules->board.zone_ranks[BLUE]
                             ? "half of the board's "
                             : "the board's ",
                         rules->board.ranks);
    case REFUSED_ZONES_MEET:
        square_write(&rules->board, (square)value, where);
        return fault_set(fault, STATUS_RULES,
                         "%s is in the set-up zones of both sides, expected zones apart", where);
    case REFUSED_LAKE:
        return fault_set(fault, STATUS_RULES, "a lake lies off the board");
    case REFUSED_ZONES:
        return fault_set(fault, STATUS_RULES,
                         "lakes in the set-up zones differ when the board is turned round");
    case REFUSED_KINDS:
        return fault_set(fault, STATUS_RULES, "army of %d kinds of piece, expected 1 to %d", value,
                         KINDS_MAX - 1);
    case REFUSED_LETTER:
        return fault_set(fault, STATUS_RULES, "%s has the letter \"%c\", expected A-Z or 0-9", kind,
                         value);
    case REFUSED_LETTER_TWICE:
        return fault_set(fault, STATUS_RULES,
                         "%s and %s have the same letter \"%c\", expected one of its own for each",
                         rules->kind[refusal->other].name, kind, value);
    case REFUSED_NAME_TWICE:
        return fault_set(fault, STATUS_RULES, "two kinds named \"%s\"", kind);
    case REFUSED_PIECES:
        return fault_set(fault, STATUS_RULES, "%d pieces of kind %s, expected 1 to %d", value, kind,
                         BOARD_SQUARES_MAX);
    case REFUSED_MOVEMENT:
        return fault_set(fault, STATUS_RULES, "%s moves in a way that does not exist", kind);
    case REFUSED_NO_FLAG:
        return fault_set(fault, STATUS_RULES,
                         "army has no flag, expected a piece that says flag = true, or a goal, "
                         "or calls.ending");
    case REFUSED_IMMOBILE:
        return fault_set(fault, STATUS_RULES, "%sarmy has no piece that can move",
                         whose(refusal, rules));
    case REFUSED_ARMY_LARGE:
        return fault_set(fault, STATUS_RULES,
                         "%sarmy of %d pieces does not fit the set-up zone of %d squares",
                         whose(refusal, rules), value, expected);
    case REFUSED_ARMY_SMALL:
        return fault_set(fault, STATUS_RULES,
                         "%sarmy of %d pieces does not fill the set-up zone of %d squares, which "
                         "zone.filled asks for",
                         whose(refusal, rules), value, expected);
    case REFUSED_START:
        return fault_set(fault, STATUS_RULES,
                         "%sarmy has %d of %s, and squares on which they may start for %d of them: "
                         "the zone lacks the others, or other pieces need them",
                         whose(refusal, rules), value, kind, expected);
    case REFUSED_TWO_SQUARES:
        return fault_set(fault, STATUS_RULES,
                         "two-squares limit %d, expected %d to %d, or 0 for none", value,
                         TWO_SQUARES_MIN, TWO_SQUARES_MAX);
    case REFUSED_NO_ATTACK:
    case REFUSED_PLIES:
        return fault_set(fault, STATUS_RULES, "draw limit of %u plies, expected at most %d",
                         (unsigned)value, LIMIT_MAX);
    case REFUSED_DRAW_WITHOUT:
        return fault_set(fault, STATUS_RULES, "draw_without names a kind that the army lacks");
    case REFUSED_ABILITIES:
        return fault_set(fault, STATUS_RULES, "%d abilities, expected at most %d", value,
                         ABILITIES_MAX);
    case REFUSED_FALL_OF:
        return fault_set(fault, STATUS_RULES,
                         "falls can show %d pieces of a side in all, expected at most %d", value,
                         FALL_SHOWS_MAX);
    case REFUSED_GIVEN:
        return fault_set(fault, STATUS_RULES,
                         "%sarmy has %d of %s and %d squares on which they start, expected one for "
                         "each piece",
                         whose(refusal, rules), value, kind, expected);
    case REFUSED_BARRED:
        return fault_set(fault, STATUS_RULES,
                         "it returns false, and the moves that are left would show what hidden "
                         "pieces are: expected `open = true`, or a battle");
    case REFUSED_OPEN:
        return open_fault(refusal, fault);
    case REFUSED_REPETITION:
        return fault_set(fault, STATUS_RULES, "repetition %d, expected %d to %d, or 0 for none",
                         value, REPETITION_MIN, REPETITION_MAX);
    case REFUSED_COUNTER:
    case REFUSED_COUNTER_IDLE:
        return counter_fault(refusal, rules, fault);
    case REFUSED_GOAL:
    case REFUSED_GOAL_PLACE:
    case REFUSED_GOAL_ZONE:
    case REFUSED_GOAL_COUNT:
    case REFUSED_GOAL_RESULT:
        return goal_fault(refusal, rules, fault);
    case REFUSED_MOVES:
        return fault_set(fault, STATUS_RULES,
                         "up to %d legal moves in a position, expected at most %d: an ability has "
                         "too many targets and choices",
                         value, MOVES_CEILING);
    default:
        return ability_fault(refusal, rules, fault);
    }
}
