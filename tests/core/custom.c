/* Rules without a variant file, for boards and abilities that the stock variants lack. */
#include "custom.h"

#include "core/rules/movement.h"
#include "core/rules/refusal.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    char letter;
    int16_t rank;
} KINDS[CUSTOM_KINDS + 1] = {
    [CUSTOM_FLAG] = {"flag", 'F', 0},     [CUSTOM_BOMB] = {"bomb", 'B', 9},
    [CUSTOM_RUNNER] = {"runner", 'R', 2}, [CUSTOM_STEPPER] = {"stepper", '5', 5},
    [CUSTOM_LEAPER] = {"leaper", 'L', 3}, [CUSTOM_TURNER] = {"turner", 'T', 4},
    [CUSTOM_BEARER] = {"bearer", 'E', 0},
};

static bool build_leaps(struct rules *rules, struct movement *movement, struct fault *fault) {
    static const int leaps[8][2] = {{1, 2},   {2, 1},   {2, -1}, {1, -2},
                                    {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}};
    struct path *paths = calloc((size_t)2 * 8 * BOARD_SQUARES_MAX, sizeof *paths);
    size_t count = 0;
    if (!paths) return false;
    for (int side = RED; side <= BLUE; side++) {
        for (square from = 0; from < rules->board.squares; from++) {
            if (squareset_has(rules->board.lakes, from)) continue;
            for (int i = 0; i < 8; i++) {
                int file = board_file(&rules->board, from) + leaps[i][0];
                int rank = board_rank(&rules->board, from) + leaps[i][1];
                if (file < 0 || rank < 0) continue;
                square to = board_square(&rules->board, file, rank);
                if (to == SQUARE_NONE || squareset_has(rules->board.lakes, to)) continue;
                paths[count++] = (struct path){
                    .side = (enum side)side, .from = from, .length = 1, .squares = {to}};
            }
        }
    }
    bool built = movement_build(movement, &rules->board, paths, count, fault);
    free(paths);
    return built;
}

static struct ability *add_ability(struct rules *rules, const char *name, kind_id actor) {
    struct ability *ability = &rules->ability[rules->abilities];
    strcpy(ability->name, name);
    ability->actor = actor;
    ability->tally.n = rules->abilities;
    rules->kind[actor].abilities |= (uint16_t)(1u << rules->abilities);
    rules->abilities++;
    return ability;
}

static void aim_at_neighbours(struct rules *rules, struct ability *ability) {
    for (int side = RED; side <= BLUE; side++) {
        for (square at = 0; at < rules->board.squares; at++)
            if (squareset_has(rules->board.land, at))
                ability->targets[side][at] = rules->board.neighbours[at];
    }
}

static void add_abilities(struct rules *rules, const kind_id *id) {
    kindset army = 0;
    for (kind_id k = 1; k <= rules->kinds; k++) army |= kindset_of(k);
    if (id[CUSTOM_STEPPER]) {
        struct ability *swap = add_ability(rules, "swap", id[CUSTOM_STEPPER]);
        swap->when = ABILITY_INSTEAD;
        swap->aims = AIM_OWN | AIM_EMPTY;
        aim_at_neighbours(rules, swap);
        for (kind_id k = 0; k <= rules->kinds; k++) swap->effects[k][KIND_NONE] = EFFECT_SWAP;
    }
    if (id[CUSTOM_TURNER]) {
        struct ability *blast = add_ability(rules, "blast", id[CUSTOM_TURNER]);
        blast->when = ABILITY_AFTER_STEP | ABILITY_AFTER_ATTACK;
        blast->aims = AIM_ENEMY;
        blast->attacks = true;
        blast->limit = 2;
        aim_at_neighbours(rules, blast);
        for (kind_id k = 1; k <= rules->kinds; k++)
            blast->effects[k][KIND_NONE] = EFFECT_REMOVE_TARGET | EFFECT_REMOVE_ACTOR;
    }
    if (id[CUSTOM_RUNNER]) {
        struct ability *back = add_ability(rules, "return", id[CUSTOM_RUNNER]);
        back->when = ABILITY_INSTEAD;
        back->aims = AIM_EMPTY;
        back->asks = ASKS_CAPTURED;
        back->limit = 3;
        back->choices = army & ~kindset_of(id[CUSTOM_FLAG]);
        for (int side = RED; side <= BLUE; side++) {
            for (square at = 0; at < rules->board.squares; at++)
                if (squareset_has(rules->board.land, at))
                    back->targets[side][at] = rules->board.zone[side] & ~squareset_of(at);
        }
        for (kind_id k = 1; k <= rules->kinds; k++) back->effects[0][k] = EFFECT_PLACE;
    }
    if (id[CUSTOM_LEAPER]) {
        struct ability *name = add_ability(rules, "name", id[CUSTOM_LEAPER]);
        name->when = ABILITY_INSTEAD | ABILITY_AFTER_STEP;
        name->aims = AIM_ENEMY;
        name->asks = ASKS_KIND;
        name->choices = kindset_of(id[CUSTOM_FLAG]);
        aim_at_neighbours(rules, name);
        for (kind_id k = 1; k <= rules->kinds; k++) {
            name->effects[k][id[CUSTOM_FLAG]] =
                k == id[CUSTOM_FLAG] ? EFFECT_WIN : EFFECT_LOSE | EFFECT_REVEAL_TARGET;
        }
    }
}

struct rules *custom_rules(int files, int ranks, int zone_ranks, squareset lakes,
                           const uint8_t count[CUSTOM_KINDS + 1], bool abilities,
                           struct fault *fault) {
    struct rules *rules = rules_new();
    kind_id id[CUSTOM_KINDS + 1] = {0};
    if (!rules) return NULL;
    strcpy(rules->name, "custom");
    strcpy(rules->title, "Custom");
    rules->board.files = (uint8_t)files;
    rules->board.ranks = (uint8_t)ranks;
    rules->board.zone_ranks[RED] = rules->board.zone_ranks[BLUE] = (uint8_t)zone_ranks;
    rules->board.lakes = lakes;
    rules->two_squares = 3;
    rules->chase = CHASE_ISF;
    if (!board_derive(&rules->board)) {
        fault_set(fault, STATUS_RULES, "the board is refused");
        rules_free(rules);
        return NULL;
    }
    rules->movements = 4;
    if (!movement_build_walk(&rules->movement[0], &rules->board, (struct walk_of){.reach = 1},
                             fault) ||
        !movement_build_walk(&rules->movement[1], &rules->board, (struct walk_of){.reach = 15},
                             fault) ||
        !movement_build_walk(&rules->movement[2], &rules->board,
                             (struct walk_of){.reach = 2, .turns = true}, fault) ||
        !build_leaps(rules, &rules->movement[3], fault)) {
        rules_free(rules);
        return NULL;
    }
    static const uint8_t movement[CUSTOM_KINDS + 1] = {0, MOVEMENT_NONE, MOVEMENT_NONE, 1, 0, 3, 2,
                                                       0};
    for (int k = 1; k <= CUSTOM_KINDS; k++) {
        if (!count[k]) continue;
        id[k] = ++rules->kinds;
        struct kind *kind = &rules->kind[id[k]];
        strcpy(kind->name, KINDS[k].name);
        kind->label[0] = kind->letter = KINDS[k].letter;
        kind->rank = KINDS[k].rank;
        kind->flag = k == CUSTOM_FLAG || k == CUSTOM_BEARER;
        kind->movement = movement[k];
        rules->start[RED].count[id[k]] = rules->start[BLUE].count[id[k]] = count[k];
    }
    for (kind_id a = 1; a <= rules->kinds; a++) {
        for (kind_id d = 1; d <= rules->kinds; d++) {
            int strength = rules->kind[a].rank - rules->kind[d].rank;
            rules->outcome[a][d] = (uint8_t)(strength > 0   ? ATTACKER_WINS
                                             : strength < 0 ? DEFENDER_WINS
                                                            : BOTH_FALL);
        }
    }
    if (abilities) {
        rules->ability = calloc(ABILITIES_MAX, sizeof *rules->ability);
        if (rules->ability) add_abilities(rules, id);
    }
    struct refusals refusals;
    if (!rules_finish(rules, &refusals)) {
        refusal_fault(&refusals.list[0], rules, fault);
        rules_free(rules);
        return NULL;
    }
    return rules;
}

void custom_battles(struct rules *rules, struct random *random, bool bars) {
    enum { CUSTOM_PLACES = 3 };
    struct refusals refusals;
    struct battles *battles = rules->battles = calloc(1, sizeof *battles);
    if (!battles) abort();
    battles->places = CUSTOM_PLACES;
    for (int side = RED; side <= BLUE; side++)
        for (square at = 0; at < rules->board.squares; at++)
            battles->place[side][at] = (uint8_t)random_below(random, CUSTOM_PLACES);
    for (int from = 0; from < CUSTOM_PLACES; from++)
        for (int to = 0; to < CUSTOM_PLACES; to++)
            for (kind_id a = 1; a <= rules->kinds; a++)
                for (kind_id d = 1; d <= rules->kinds; d++) {
                    const uint32_t drawn = random_below(random, bars ? 8 : 6);
                    battles->outcome[from][to][a][d] = drawn < 3   ? (uint8_t)drawn
                                                       : drawn < 6 ? rules->outcome[a][d]
                                                                   : CANNOT_ATTACK;
                }
    for (kind_id a = 1; a <= rules->kinds; a++)
        for (kind_id d = 1; d <= rules->kinds; d++) {
            const uint8_t bare = battles->outcome[0][0][a][d];
            rules->outcome[a][d] = bare == CANNOT_ATTACK ? DEFENDER_WINS : bare;
        }
    rules->open = bars;
    if (!rules_finish(rules, &refusals)) abort();
}
