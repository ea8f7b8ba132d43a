/* rules.c - checks a variant as a whole and derives what play reads.
 *
 * What a single key may hold is the script layer's business; here is judged what makes a game: an
 * army that fits, a flag, something that moves, effects that do not contradict each other, and a
 * bound on the number of legal moves. */
#include "rules.h"

#include "base/random.h"
#include "core/play/calls.h"

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
    if (rules->calls) rules->calls->close(rules->calls);
    free(rules);
}

static bool letter_allowed(char letter) {
    return (letter >= 'A' && letter <= 'Z') || (letter >= '0' && letter <= '9');
}

static bool check_board(struct rules *rules, struct fault *fault) {
    struct board *board = &rules->board;
    if (board_derive(board)) return true;
    if (board->files < 1 || board->files > BOARD_LINES_MAX || board->ranks < 2 ||
        board->ranks > BOARD_LINES_MAX || board->files * board->ranks > BOARD_SQUARES_MAX)
        return fault_set(fault, STATUS_RULES,
                         "board of %d x %d squares, expected 1 to %d files, 2 to %d ranks and at "
                         "most %d squares",
                         board->files, board->ranks, BOARD_LINES_MAX, BOARD_LINES_MAX,
                         BOARD_SQUARES_MAX);
    if (board->zone_ranks < 1 || board->zone_ranks > board->ranks / 2)
        return fault_set(fault, STATUS_RULES,
                         "set-up zone of %d ranks, expected 1 to half of the board's %d",
                         board->zone_ranks, board->ranks);
    return fault_set(fault, STATUS_RULES, "a lake lies off the board");
}

static bool check_kind(struct rules *rules, kind_id id, struct fault *fault) {
    const struct kind *kind = &rules->kind[id];
    if (!letter_allowed(kind->letter))
        return fault_set(fault, STATUS_RULES, "%s: letter \"%c\", expected one of A-Z or 0-9",
                         kind->name, kind->letter);
    if (kind->count < 1)
        return fault_set(fault, STATUS_RULES, "%s: no piece in the army", kind->name);
    if (kind->movement != MOVEMENT_NONE && kind->movement >= rules->movements)
        return fault_set(fault, STATUS_RULES, "%s: no such movement", kind->name);
    for (kind_id other = 1; other < id; other++) {
        if (!strcmp(rules->kind[other].name, kind->name))
            return fault_set(fault, STATUS_RULES, "two kinds named \"%s\"", kind->name);
        if (rules->kind[other].letter == kind->letter)
            return fault_set(fault, STATUS_RULES, "%s and %s have the same letter \"%c\"",
                             rules->kind[other].name, kind->name, kind->letter);
    }
    return true;
}

static bool check_army(struct rules *rules, struct fault *fault) {
    if (rules->kinds < 1 || rules->kinds >= KINDS_MAX)
        return fault_set(fault, STATUS_RULES, "%d kinds of piece, expected 1 to %d", rules->kinds,
                         KINDS_MAX - 1);
    int size = 0;
    rules->army = rules->mobile = rules->flags = 0;
    for (kind_id id = 1; id <= rules->kinds; id++) {
        if (!check_kind(rules, id, fault)) return false;
        rules->army_count[id] = rules->kind[id].count;
        size += rules->kind[id].count;
        rules->army |= kindset_of(id);
        if (rules->kind[id].movement != MOVEMENT_NONE) rules->mobile |= kindset_of(id);
        if (rules->kind[id].flag) rules->flags |= kindset_of(id);
    }
    int zone = squareset_count(rules->board.zone[RED]);
    int other_zone = squareset_count(rules->board.zone[BLUE]);
    if (zone != other_zone)
        return fault_set(fault, STATUS_RULES,
                         "set-up zones of %d and %d squares, expected the same for both sides",
                         zone, other_zone);
    squareset turned = 0;
    for (square at = 0; at < rules->board.squares; at++)
        if (squareset_has(rules->board.zone[RED], at))
            turned |= squareset_of(board_turn(&rules->board, at));
    if (turned != rules->board.zone[BLUE])
        return fault_set(fault, STATUS_RULES,
                         "lakes in the set-up zones differ when the board is turned round");
    if (size > zone)
        return fault_set(fault, STATUS_RULES,
                         "army of %d pieces does not fit the set-up zone of %d squares", size,
                         zone);
    if (rules->zone_filled && size != zone)
        return fault_set(fault, STATUS_RULES,
                         "army of %d pieces, expected %d to fill the set-up zone", size, zone);
    rules->army_size = (uint8_t)size;
    if (!rules->flags) return fault_set(fault, STATUS_RULES, "the army has no flag");
    if (!rules->mobile) return fault_set(fault, STATUS_RULES, "no piece of the army can move");
    return true;
}

/* Why these effects cannot go together on a target of this kind, or NULL. */
static const char *contradiction(const struct ability *ability, kind_id target, unsigned effects) {
    unsigned on_target = EFFECT_REMOVE_TARGET | EFFECT_REVEAL_TARGET | EFFECT_CONCEAL_TARGET;
    unsigned ends = effects & (EFFECT_WIN | EFFECT_LOSE | EFFECT_DRAW);
    if (target == KIND_NONE && (effects & on_target)) return "does something to an empty square";
    if ((effects & EFFECT_PLACE) && (target != KIND_NONE || ability->asks != ASKS_CAPTURED))
        return "places a piece where none can be placed: the target must be empty and the choice "
               "a captured kind";
    if ((effects & EFFECT_REVEAL_TARGET) && (effects & EFFECT_CONCEAL_TARGET))
        return "reveals and conceals its target";
    if ((effects & EFFECT_REVEAL_ACTOR) && (effects & EFFECT_CONCEAL_ACTOR))
        return "reveals and conceals its actor";
    if ((effects & EFFECT_REMOVE_TARGET) && (effects & EFFECT_CONCEAL_TARGET))
        return "removes and conceals its target";
    if ((effects & EFFECT_REMOVE_ACTOR) && (effects & EFFECT_CONCEAL_ACTOR))
        return "removes and conceals its actor";
    if ((effects & EFFECT_SWAP) &&
        (effects & (EFFECT_PLACE | EFFECT_REMOVE_ACTOR | EFFECT_REMOVE_TARGET)))
        return "swaps pieces that it removes or places";
    if (ends & (ends - 1)) return "ends the game in two ways";
    return NULL;
}

static bool check_ability(struct rules *rules, int index, struct fault *fault) {
    const struct ability *ability = &rules->ability[index];
    const char *kind = rules->kind[ability->actor].name;
    if (!ability->when || !ability->aims)
        return fault_set(fault, STATUS_RULES, "%s.%s can never be used", kind, ability->name);
    if (ability->tally.n >= ABILITIES_MAX)
        return fault_set(fault, STATUS_RULES, "%s.%s: tally out of range", kind, ability->name);
    for (int other = 0; other < index; other++)
        if (tally_same(rules->ability[other].tally, ability->tally) &&
            rules->ability[other].limit != ability->limit)
            return fault_set(fault, STATUS_RULES, "%s.%s: limit %d, but %d for one counted with it",
                             kind, ability->name, ability->limit, rules->ability[other].limit);
    if (ability->asks != ASKS_NOTHING && !ability->choices)
        return fault_set(fault, STATUS_RULES, "%s.%s asks for a kind and allows none", kind,
                         ability->name);
    for (kind_id target = 0; target <= rules->kinds; target++) {
        for (kind_id choice = 0; choice <= rules->kinds; choice++) {
            unsigned effects = ability->effects[target][choice];
            const char *why = contradiction(ability, target, effects);
            if (why)
                return fault_set(fault, STATUS_RULES, "%s.%s %s (target %s, choice %s)", kind,
                                 ability->name, why, target ? rules->kind[target].name : "none",
                                 choice ? rules->kind[choice].name : "none");
            if (effects & EFFECT_PLACE) rules->places = true;
        }
    }
    return true;
}

static bool check_scalars(const struct rules *rules, struct fault *fault) {
    if (rules->two_squares == 1 || rules->two_squares > TWO_SQUARES_MAX)
        return fault_set(fault, STATUS_RULES,
                         "two-squares limit %d, expected 2 to %d, or 0 for none",
                         rules->two_squares, TWO_SQUARES_MAX);
    if (rules->limits.plies > LIMIT_MAX || rules->limits.no_attack > LIMIT_MAX)
        return fault_set(fault, STATUS_RULES, "draw limit over %d plies", LIMIT_MAX);
    if (rules->draw_without & ~rules->army)
        return fault_set(fault, STATUS_RULES, "draw_without names a kind that the army lacks");
    return true;
}

/* The squares from where some ability of this side reaches anything. */
static squareset stands_of(const struct rules *rules, enum side side) {
    squareset stands = 0;
    for (int i = 0; i < rules->abilities; i++)
        for (square at = 0; at < rules->board.squares; at++)
            if (rules->ability[i].targets[side][at]) stands |= squareset_of(at);
    return stands;
}

/* Choices that one use of an ability can offer on one target. */
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
                reach = movement_reach(&rules->movement[kind->movement], (enum side)side, from, 0);
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

/* Lays the army out kind by kind, first the one of which there is most: the more squares hold the
 * same, the less is left to be shuffled. Empty squares count as a kind. */
static void derive_muster(struct rules *rules) {
    rules->zone_size = 0;
    for (squareset left = rules->board.zone[RED]; left;)
        rules->zone[rules->zone_size++] = squareset_pop(&left);
    int count[KINDS_MAX] = {rules->zone_size - rules->army_size};
    kind_id first = KIND_NONE;
    for (kind_id id = 1; id <= rules->kinds; id++) {
        count[id] = rules->kind[id].count;
        if (count[id] > count[first]) first = id;
    }
    rules->alike = (uint8_t)count[first];
    memset(rules->muster, KIND_NONE, sizeof rules->muster);
    kind_id id = first, next = KIND_NONE;
    for (int i = 0; i < rules->zone_size; i++) {
        while (count[id] == 0) id = next++;
        rules->muster[i] = id;
        count[id]--;
    }
}

static void derive_keys(struct rules *rules) {
    struct random random = random_stream(0, STREAM_PLAYOUT, 0);
    for (int side = RED; side <= BLUE; side++)
        for (int kind = 1; kind < KINDS_MAX; kind++)
            for (int at = 0; at < BOARD_SQUARES_MAX; at++)
                rules->key[side][kind][at] = random_next(&random);
}

bool rules_finish(struct rules *rules, struct fault *fault) {
    rules->places = rules->calls && (rules->calls->declared & CALLS_EFFECTS);
    rules->moved = rules->calls ? CELL_WALKED : 0;
    if (!check_board(rules, fault) || !check_army(rules, fault) || !check_scalars(rules, fault))
        return false;
    if (rules->abilities > ABILITIES_MAX)
        return fault_set(fault, STATUS_RULES, "%d abilities, expected at most %d", rules->abilities,
                         ABILITIES_MAX);
    for (int i = 0; i < rules->abilities; i++)
        if (!check_ability(rules, i, fault)) return false;
    for (int side = RED; side <= BLUE; side++)
        rules->stands[side] = stands_of(rules, (enum side)side);

    uint8_t walk = MOVEMENT_NONE;
    rules->same_walk = rules->near_walk = true;
    rules->pacers = rules->runners = rules->odd = 0;
    rules->moves_max = 0;
    for (kind_id id = 1; id <= rules->kinds; id++) {
        const struct kind *kind = &rules->kind[id];
        rules->moves_max += kind->count * kind_moves_max(rules, id);
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
    if (rules->moves_max > MOVES_CEILING)
        return fault_set(fault, STATUS_RULES,
                         "up to %zu legal moves in a position, expected at most %d: an ability has "
                         "too many targets and choices",
                         rules->moves_max, MOVES_CEILING);
    rules->moves_max += WAYS_ROOM;
    derive_muster(rules);
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
    for (int i = 0; i < rules->movements; i++) {
        if (!squareset_has(movement_reach(&rules->movement[i], side, from, occupied), to)) continue;
        for (kind_id id = 1; id <= rules->kinds; id++)
            if (rules->kind[id].movement == i) walkers |= kindset_of(id);
    }
    return walkers;
}

const char *rules_called(const struct rules *rules, kind_id kind, const char *tag) {
    for (int i = 0; i < rules->called_count; i++) {
        const struct called *called = &rules->called[i];
        if (called->kind == kind && !strcmp(called->tag, tag)) return called->text;
    }
    return NULL;
}
