/* rules.c - derives the tables for play and bounds the number of legal moves. The other checks are
 * in refusal.c. */
#include "rules.h"

#include "base/random.h"
#include "refusal.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct rules *rules_new(void) {
    return calloc(1, sizeof(struct rules));
}

void rules_free(struct rules *rules) {
    if (!rules) return;
    for (int i = 0; i < MOVEMENTS_MAX; i++) movement_clear(&rules->movement[i]);
    free(rules->ability);
    free(rules->called);
    free(rules->sight);
    free(rules->battles);
    if (rules->calls) rules->calls->close(rules->calls);
    free(rules);
}

static squareset stands_of(const struct rules *rules, enum side side) {
    squareset stands = 0;
    for (int i = 0; i < rules->abilities; i++)
        for (square at = 0; at < rules->board.squares; at++)
            if (rules->ability[i].targets[side][at]) stands |= squareset_of(at);
    return stands;
}

/* The most choices an ability offers for one target. */
static size_t choices_count(const struct ability *ability) {
    return ability->asks == ASKS_NOTHING ? 1 : (size_t)__builtin_popcount(ability->choices);
}

/* The most moves one piece of this kind can have. */
static size_t kind_moves_max(const struct rules *rules, kind_id id) {
    const struct kind *kind = &rules->kind[id];
    size_t most = 0;
    for (int side = RED; side <= BLUE; side++) {
        for (square from = 0; from < rules->board.squares; from++) {
            if (!squareset_has(rules->board.land, from)) continue;
            squareset reach = 0;
            if (kind->movement != MOVEMENT_NONE)
                reach = movement_ever(&rules->movement[kind->movement], (enum side)side, from,
                                      BAR_STOP);
            size_t moves = (size_t)squareset_count(reach);
            for (int i = 0; i < rules->abilities; i++) {
                const struct ability *ability = &rules->ability[i];
                if (ability->actor != id) continue;
                size_t targets = 0;
                if (ability->when & ABILITY_INSTEAD)
                    targets += (size_t)squareset_count(ability->targets[side][from]);
                if (ability->when & (ABILITY_AFTER_STEP | ABILITY_AFTER_ATTACK))
                    for (squareset left = reach; left;)
                        targets +=
                            (size_t)squareset_count(ability->targets[side][squareset_pop(&left)]);
                moves += targets * choices_count(ability);
            }
            if (moves > most) most = moves;
        }
    }
    return most;
}

/* The kinds that may not start everywhere, those with the fewest squares first, and the most
 * squares that those placed before can leave each. */
static void derive_bound(struct start *start, squareset zone) {
    start->bound = 0;
    for (kind_id id = 1; id < KINDS_MAX; id++) {
        if (!start->count[id] || start->on[id] == zone) continue;
        int at = start->bound++;
        for (; at > 0 &&
               squareset_count(start->on[start->order[at - 1]]) > squareset_count(start->on[id]);
             at--)
            start->order[at] = start->order[at - 1];
        start->order[at] = id;
    }
    for (int i = 0; i < start->bound; i++) {
        const squareset on = start->on[start->order[i]];
        start->open[i] = (uint8_t)squareset_count(on);
        for (int before = 0; before < i; before++)
            if (!(start->on[start->order[before]] & ~on))
                start->open[i] = (uint8_t)(start->open[i] - start->count[start->order[before]]);
    }
}

/* Lays the army out kind by kind, the most numerous first: the longer the leading run, the less is
 * left to shuffle. Empty squares count as a kind. */
static void derive_muster(struct start *start) {
    int count[KINDS_MAX] = {start->zone_size - start->size}, places = start->zone_size;
    for (kind_id id = 1; id < KINDS_MAX; id++) count[id] = start->count[id];
    for (int i = 0; i < start->bound; i++) {
        places -= count[start->order[i]];
        count[start->order[i]] = 0;
    }
    kind_id first = KIND_NONE;
    for (kind_id id = 1; id < KINDS_MAX; id++)
        if (count[id] > count[first]) first = id;
    start->alike = (uint8_t)count[first];
    memset(start->muster, KIND_NONE, sizeof start->muster);
    kind_id id = first, next = KIND_NONE;
    for (int i = 0; i < places; i++) {
        while (count[id] == 0) id = next++;
        start->muster[i] = id;
        count[id]--;
    }
}

static void derive_start(struct rules *rules, enum side side) {
    struct start *start = &rules->start[side];
    const squareset zone = board_own_set(&rules->board, side, rules->board.zone[side]);
    start->zone_size = start->size = 0;
    start->kinds = 0;
    for (squareset left = zone; left;) start->zone[start->zone_size++] = squareset_pop(&left);
    for (kind_id id = 1; id <= rules->kinds; id++) {
        start->on[id] = start->only[id] ? start->only[id] & zone : zone;
        start->size = (uint8_t)(start->size + start->count[id]);
        if (start->count[id]) start->kinds |= kindset_of(id);
    }
    derive_bound(start, zone);
    derive_muster(start);
}

static void derive_keys(struct rules *rules) {
    struct random random = random_stream(0, STREAM_PLAYOUT, 0);
    for (int side = RED; side <= BLUE; side++)
        for (int kind = 1; kind < KINDS_MAX; kind++)
            for (int at = 0; at < BOARD_SQUARES_MAX; at++)
                rules->key[side][kind][at] = random_next(&random);
}

static void derive_army(struct rules *rules) {
    const struct start *red = &rules->start[RED], *blue = &rules->start[BLUE];
    rules->army = rules->mobile = rules->flags = 0;
    for (kind_id id = 1; id <= rules->kinds; id++) {
        const struct kind *kind = &rules->kind[id];
        rules->army |= kindset_of(id);
        if (kind->movement != MOVEMENT_NONE) rules->mobile |= kindset_of(id);
        if (kind->flag) rules->flags |= kindset_of(id);
    }
    for (int side = RED; side <= BLUE; side++) derive_start(rules, (enum side)side);
    rules->same_starts = !memcmp(red->count, blue->count, sizeof red->count) &&
                         !memcmp(red->on, blue->on, sizeof red->on) &&
                         red->zone_size == blue->zone_size &&
                         !memcmp(red->zone, blue->zone, red->zone_size) &&
                         rules->board.zone_ranks[RED] == rules->board.zone_ranks[BLUE];
}

static void derive_abilities(struct rules *rules) {
    rules->places = rules->calls && (rules->calls->declared & CALLS_EFFECTS);
    rules->marks = rules->stays;
    for (int i = 0; i < rules->abilities; i++) {
        const struct ability *ability = &rules->ability[i];
        rules->marks |= ability->each || ability->rest;
        for (kind_id target = 0; target <= rules->kinds; target++)
            for (kind_id choice = 0; choice <= rules->kinds; choice++) {
                if (ability->effects[target][choice] & EFFECT_PLACE) rules->places = true;
                if (effect_hold(ability->effects[target][choice])) rules->marks = true;
            }
    }
    for (int side = RED; side <= BLUE; side++)
        rules->stands[side] = stands_of(rules, (enum side)side);
}

static void derive_goals(struct rules *rules) {
    rules->stays = false;
    for (int i = 0; i < rules->goals; i++) rules->stays |= rules->goal[i].after > 1;
    rules->falls_show = false;
    for (kind_id id = 1; id <= rules->kinds; id++) rules->falls_show |= rules->fall_shows[id] != 0;
}

unsigned rules_outcomes(const struct rules *rules, kind_id attacker, kind_id defender) {
    const struct battles *battles = rules->battles;
    if (!battles) return 1u << rules->outcome[attacker][defender];
    unsigned outcomes = 0;
    for (int from = 0; from < battles->places; from++)
        for (int to = 0; to < battles->places; to++)
            outcomes |= 1u << battles->outcome[from][to][attacker][defender];
    return outcomes;
}

bool rules_have_outcome(const struct rules *rules, enum outcome outcome) {
    for (kind_id a = 1; a <= rules->kinds; a++)
        for (kind_id d = 1; d <= rules->kinds; d++)
            if (rules_outcomes(rules, a, d) >> outcome & 1) return true;
    return false;
}

static void derive_walks(struct rules *rules) {
    uint8_t walk = MOVEMENT_NONE;
    rules->moved = rules->calls ? CELL_WALKED : 0;
    rules->same_walk = rules->near_walk = true;
    rules->pacers = rules->runners = rules->odd = 0;
    for (kind_id id = 1; id <= rules->kinds; id++) {
        const struct kind *kind = &rules->kind[id];
        if (kind->abilities) rules->odd |= kindset_of(id);
        if (kind->movement == MOVEMENT_NONE) continue;
        if (walk == MOVEMENT_NONE) walk = kind->movement;
        if (kind->movement != walk) rules->same_walk = false;
        const struct movement *movement = &rules->movement[kind->movement];
        if (!movement->near) rules->near_walk = false;
        if (movement->pace) rules->pacers |= kindset_of(id);
        if (!movement->step && !movement->run) rules->odd |= kindset_of(id);
        if (!movement->step && movement->run && !kind->abilities) rules->runners |= kindset_of(id);
    }
    if (rules->board.plain && !rules_bar(rules)) return;
    /* Sets of squares by their places mind neither links nor walls nor shelter, nor attacks that
     * may not be made. */
    rules->near_walk = false;
    rules->pacers = rules->runners = 0;
    rules->odd |= rules->mobile;
}

static bool bound_moves(struct rules *rules, struct refusals *refusals) {
    size_t moves = 0, of_kind[KINDS_MAX];
    for (kind_id id = 1; id <= rules->kinds; id++) of_kind[id] = kind_moves_max(rules, id);
    for (int side = RED; side <= BLUE; side++) {
        size_t sum = 0;
        for (kind_id id = 1; id <= rules->kinds; id++)
            sum += rules->start[side].count[id] * of_kind[id];
        if (sum > moves) moves = sum;
    }
    rules->moves_max = WAYS_ROOM + moves;
    return moves <= MOVES_CEILING ||
           refusals_add(refusals, (struct refusal){.code = REFUSED_MOVES, .value = (int)moves});
}

/* Not among the checks of refusal.h: a loader builds the movements after those. */
static bool check_movements(const struct rules *rules, struct refusals *refusals) {
    bool good = true;
    for (kind_id id = 1; id <= rules->kinds; id++)
        if (rules->kind[id].movement != MOVEMENT_NONE &&
            rules->kind[id].movement >= rules->movements)
            good = refusals_add(refusals, (struct refusal){.code = REFUSED_MOVEMENT, .kind = id});
    return good;
}

bool rules_finish(struct rules *rules, struct refusals *refusals) {
    refusals->count = 0;
    if (!refusals_check_board(rules, refusals) || !refusals_check_army(rules, refusals) ||
        !refusals_check_limits(rules, refusals) || !refusals_check_goals(rules, refusals) ||
        !refusals_check_abilities(rules, refusals) || !check_movements(rules, refusals) ||
        !bound_moves(rules, refusals))
        return false;
    derive_army(rules);
    derive_goals(rules);
    derive_abilities(rules);
    rules->watched = rules->marks || rules->goals || rules->repetition;
    if (rules->battles) rules->battles->bars = rules_have_outcome(rules, CANNOT_ATTACK);
    derive_walks(rules);
    steps_derive(&rules->steps, &rules->board);
    derive_keys(rules);
    return true;
}

uint16_t rules_sharing(const struct rules *rules, struct tally_id tally) {
    unsigned sharing = 0;
    for (unsigned i = 0; i < rules->abilities; i++)
        sharing |= (unsigned)tally_same(rules->ability[i].tally, tally) << i;
    return (uint16_t)sharing;
}

uint8_t rules_first_sharing(const struct rules *rules, struct tally_id tally) {
    return (uint8_t)__builtin_ctz(rules_sharing(rules, tally));
}

kindset rules_users(const struct rules *rules, struct tally_id tally) {
    kindset users = 0;
    for (unsigned left = rules_sharing(rules, tally); left; left &= left - 1)
        users |= kindset_of(rules->ability[__builtin_ctz(left)].actor);
    return users;
}

const char *const ABILITY_TIME_WORDS[] = {"instead", "after_step", "after_attack", NULL};
const char *const ABILITY_AIM_WORDS[] = {"enemy", "own", "empty", NULL};
const char *const ABILITY_ASKS_WORDS[] = {"kind", "captured", NULL};

const char *const GOAL_RESULT_WORDS[] = {"win", "lose", "draw", "red", "blue", NULL};

const char *chase_name(enum chase_rule chase) {
    static const char *const names[] = {
        [CHASE_NONE] = "none", [CHASE_ISF] = "isf", [CHASE_RUSSIAN] = "russian"};
    return names[chase];
}

const char *armies_name(enum army_source armies) {
    static const char *const names[] = {
        [ARMIES_PLACED] = "placed", [ARMIES_GIVEN] = "given", [ARMIES_BY_CHANCE] = "chance"};
    return names[armies];
}

enum side rules_draw_first(const struct rules *rules, const struct chance *chance) {
    struct random coin = chance_random(chance, CHANCE_FIRST, 0);
    if (rules->first != FIRST_CHOSEN) return rules_first(rules);
    return random_below(&coin, 2) ? BLUE : RED;
}

const char *outcome_name(enum outcome outcome) {
    static const char *const names[] = {[ATTACKER_WINS] = "attacker",
                                        [DEFENDER_WINS] = "defender",
                                        [BOTH_FALL] = "both",
                                        [ASK_THE_VARIANT] = "ask",
                                        [CANNOT_ATTACK] = "none"};
    return names[outcome];
}

int rules_counter_named(const struct rules *rules, const char *name) {
    int i = rules->counters - 1;
    while (i >= 0 && strcmp(rules->counter[i].name, name) != 0) i--;
    return i;
}

int counting_result(const struct rules *rules, struct counting counting, int value) {
    const struct counter *counter = &rules->counter[counting.counter - 1];
    int now = counting.how & COUNTING_SETS ? counting.by : value + counting.by;
    if (now > counter->to) return counter->to;
    return now < counter->from ? counter->from : now;
}

kind_id rules_kind_named(const struct rules *rules, const char *name) {
    kind_id id = rules->kinds;
    while (id != KIND_NONE && strcmp(rules->kind[id].name, name) != 0) id--;
    return id;
}

kind_id rules_kind_of_letter(const struct rules *rules, char letter) {
    char capital = letter >= 'a' && letter <= 'z' ? (char)(letter - 'a' + 'A') : letter;
    kind_id id = rules->kinds;
    while (id != KIND_NONE && rules->kind[id].letter != capital) id--;
    return id;
}

kind_id rules_kind(const struct rules *rules, const char *text, size_t length) {
    for (kind_id id = 1; id <= rules->kinds; id++)
        if (strlen(rules->kind[id].name) == length &&
            !strncasecmp(rules->kind[id].name, text, length))
            return id;
    kind_id lettered = length == 1 ? rules_kind_of_letter(rules, text[0]) : KIND_NONE;
    if (lettered != KIND_NONE) return lettered;
    for (kind_id id = 1; id <= rules->kinds; id++)
        if (strlen(rules->kind[id].label) == length &&
            !strncasecmp(rules->kind[id].label, text, length))
            return id;
    return KIND_NONE;
}

kindset rules_walkers(const struct rules *rules, enum side side, squareset occupied, square from,
                      square to) {
    kindset walkers = 0;
    const bool beside = squareset_has(rules->board.neighbours[from], to);
    if (beside && rules->mobile == rules->pacers) return rules->mobile;
    for (int i = 0; i < rules->movements; i++) {
        if (rules->movement[i].step && !beside) continue;
        if (!squareset_has(movement_reach(&rules->movement[i], side, from, occupied), to)) continue;
        for (kind_id id = 1; id <= rules->kinds; id++)
            if (rules->kind[id].movement == i) walkers |= kindset_of(id);
    }
    return walkers;
}

const char *rules_called(const struct rules *rules, uint8_t kind, const char *tag) {
    for (int i = 0; i < rules->called_count; i++) {
        const struct called *called = &rules->called[i];
        if (called->kind == kind && !strcmp(called->tag, tag)) return called->text;
    }
    return NULL;
}
