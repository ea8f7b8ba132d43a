/* lanes_table.c - lays out a board in lines and classifies the kinds of a variant.
 *
 * A kind's movement is recognised by comparing its paths with those of a step and of a run. lanes.c
 * explains the memo and its bits. */
#include "lanes_table.h"

#include <string.h>

/* The square at index `along` of a line, in the direction of the copy. */
static square square_on(const struct board *board, int copy, int line, int along, int length) {
    int place = copy < 2 ? along : length - 1 - along;
    return copy % 2 ? board_square(board, line, place) : board_square(board, place, line);
}

static bool build_copies(struct lanes_table *table, const struct board *board) {
    if (board->squares >= NOWHERE) return false;
    for (int copy = 0; copy < 4; copy++) {
        int lines = copy % 2 ? board->files : board->ranks;
        int length = copy % 2 ? board->ranks : board->files;
        int fit = 64 / (length + 1);
        if (lines > 2 * fit) return false;
        for (int line = 0; line < lines; line++) {
            int word = 2 * copy + line / fit, base = line % fit * (length + 1);
            for (int along = 0; along < length; along++) {
                square at = square_on(board, copy, line, along, length);
                uint64_t bit = (uint64_t)1 << (base + along);
                table->place[at].word[word] = bit;
                table->square_at[word * 64 + base + along] = at;
                if (!squareset_has(board->land, at)) table->solid.word[word] |= bit;
            }
            table->solid.word[word] |= (uint64_t)1 << (base + length);
        }
    }
    for (square at = 0; at < board->squares; at++) {
        table->only[at] = squareset_of(at);
        table->once[at] = squareset_of(at) | board->neighbours[at];
        table->beside[at][0] = (uint64_t)board->neighbours[at];
        table->beside[at][1] = (uint64_t)(board->neighbours[at] >> 64);
    }
    return true;
}

/* Does the movement equal movement_build_walk() of this? */
static bool walks_as(const struct movement *movement, const struct board *board,
                     struct walk_of walk) {
    struct movement model;
    struct fault fault;
    if (!movement_build_walk(&model, board, walk, &fault)) return false;
    bool same = memcmp(model.start, movement->start, sizeof model.start) == 0;
    uint32_t nodes = model.start[BLUE][BOARD_SQUARES_MAX];
    for (uint32_t i = 0; same && i < nodes; i++)
        same = model.nodes[i].to == movement->nodes[i].to &&
               model.nodes[i].skip == movement->nodes[i].skip;
    movement_clear(&model);
    return same;
}

/* The reach of up to two steps, shifted so that the start is bit 2 * files + 2. False if that takes
 * more than 64 bits, or if a step over the edge would wrap into the reach. */
static bool build_diamonds(struct lanes_table *table, const struct rules *rules,
                           const struct movement *movement) {
    int files = rules->board.files, centre = 2 * files + 2;
    if (files < 4 || 4 * files + 5 > 64) return false;
    table->beside_centre = (uint64_t)5 << (centre - 1) | (uint64_t)1 << (centre - files) |
                           (uint64_t)1 << (centre + files);
    for (square at = 0; at < rules->board.squares; at++) {
        squareset reach = movement_reach(movement, RED, at, 0);
        table->twice[at] = reach | squareset_of(at);
        table->diamond[at] = 0;
        for (squareset left = reach; left;)
            table->diamond[at] |= (uint64_t)1 << (squareset_pop(&left) - at + centre);
    }
    return true;
}

/* Classifies the kinds by movement; false if there could be too many destinations. */
static bool build_kinds(struct lanes_table *table, const struct rules *rules) {
    const struct board *board = &rules->board;
    int longest = board->files > board->ranks ? board->files : board->ranks;
    uint8_t set[MOVEMENTS_MAX];
    for (int i = 0; i < rules->movements; i++)
        set[i] = walks_as(&rules->movement[i], board, (struct walk_of){.reach = 1}) ? LANE_STEPPERS
                 : walks_as(&rules->movement[i], board, (struct walk_of){.reach = PATH_MAX_SQUARES})
                     ? LANE_RUNNERS
                     : LANE_OTHERS;
    int destinations[2] = {0};
    for (kind_id id = 1; id <= rules->kinds; id++) {
        const struct kind *kind = &rules->kind[id];
        uint8_t member = kind->movement == MOVEMENT_NONE ? LANE_OTHERS : set[kind->movement];
        bool odd = kind->movement != MOVEMENT_NONE && member == LANE_OTHERS;
        if (odd) table->odd |= kindset_of(id);
        if (odd &&
            walks_as(&rules->movement[kind->movement], board,
                     (struct walk_of){.reach = 2, .turns = true}) &&
            build_diamonds(table, rules, &rules->movement[kind->movement]))
            table->turners |= kindset_of(id);
        if (odd || kind->abilities) table->acting |= kindset_of(id);
        for (int side = RED; side <= BLUE; side++) {
            const int count = rules->start[side].count[id];
            if (member == LANE_STEPPERS) destinations[side] += 4 * count;
            if (member == LANE_RUNNERS) destinations[side] += 2 * (longest - 1) * count;
        }
        table->kinds[member] |= kindset_of(id);
        for (int marks = 0; marks < 2 * BOARD_SQUARES_MAX; marks += CELL_BLUE)
            table->set_of[marks | id] = member;
    }
    return destinations[RED] <= DESTINATIONS_MAX && destinations[BLUE] <= DESTINATIONS_MAX;
}

/* The squares of which one must hold an enemy for a piece on `at` to have a use of the ability.
 * Every square if its uses depend on more than enemies and paths. */
static squareset ability_scope(const struct rules *rules, const struct ability *ability,
                               enum side side, square at) {
    uint8_t movement = rules->kind[ability->actor].movement;
    squareset stands = ability->when & ABILITY_INSTEAD ? squareset_of(at) : 0, scope = 0;
    if ((ability->when & (ABILITY_AFTER_STEP | ABILITY_AFTER_ATTACK)) && movement != MOVEMENT_NONE)
        stands |= movement_reach(&rules->movement[movement], side, at, 0);
    while (stands) scope |= ability->targets[side][squareset_pop(&stands)];
    bool enemies_tell = ability->aims == AIM_ENEMY && ability->asks != ASKS_CAPTURED;
    return enemies_tell || !scope ? scope : ~(squareset)0;
}

static void build_duty(struct duty *duty, const struct rules *rules, kind_id id, bool odd) {
    const struct kind *kind = &rules->kind[id];
    unsigned when = 0;
    memset(duty, 0, sizeof *duty);
    for (square at = 0; at < rules->board.squares; at++)
        duty->walk[RED][at] = duty->walk[BLUE][at] = squareset_of(at);
    for (unsigned left = kind->abilities; left; left &= left - 1) {
        const struct ability *ability = &rules->ability[__builtin_ctz(left)];
        when |= ability->when;
        for (int side = RED; side <= BLUE; side++)
            for (square at = 0; at < rules->board.squares; at++)
                duty->scope[side][at] |= ability_scope(rules, ability, (enum side)side, at);
    }
    bool goes = odd || (when & (ABILITY_AFTER_STEP | ABILITY_AFTER_ATTACK));
    if (kind->movement == MOVEMENT_NONE || !goes) return;
    for (int side = RED; side <= BLUE; side++)
        for (square at = 0; at < rules->board.squares; at++)
            duty->walk[side][at] |=
                movement_reach(&rules->movement[kind->movement], (enum side)side, at, 0);
}

/* Kinds with equal duties share one. If there are too many, the remaining kinds share the last, as
 * the union of theirs. */
static void build_duties(struct lanes_table *table, const struct rules *rules) {
    int duties = 0;
    for (kind_id id = 1; id <= rules->kinds; id++) {
        if (!(table->acting & kindset_of(id))) continue;
        struct duty duty;
        build_duty(&duty, rules, id, table->odd & kindset_of(id));
        int same = 0;
        while (same < duties && memcmp(&table->duty[same], &duty, sizeof duty) != 0) same++;
        if (same == DUTIES_MAX) {
            squareset *sum = (squareset *)&table->duty[--same], *more = (squareset *)&duty;
            for (size_t i = 0; i < sizeof duty / sizeof *sum; i++) sum[i] |= more[i];
        } else {
            table->duty[same] = duty;
        }
        if (same == duties) duties++;
        table->duty_of[id] = (uint8_t)same;
        for (int side = RED; side <= BLUE; side++) {
            for (square at = 0; at < rules->board.squares; at++)
                if (duty.scope[side][at]) table->uses[side][id] |= squareset_of(at);
            table->scoped[side] |= table->uses[side][id];
        }
    }
}

enum { FEW = 4 };

/* Acting pieces are tracked everywhere if they are few, else only where they may have a use. */
static void build_sight(struct lanes_table *table, const struct rules *rules) {
    int acting = 0;
    for (kind_id id = 1; id <= rules->kinds; id++)
        if (table->acting & ~table->odd & kindset_of(id)) acting += rules_most(rules, id);
    table->open = acting > FEW ? table->odd : table->acting;
    for (int side = RED; side <= BLUE; side++) {
        if (acting > FEW) table->gate[side] = table->scoped[side];
        squareset post = acting > FEW ? table->scoped[side] : rules->board.land;
        for (kind_id id = 1; id <= rules->kinds; id++)
            if (table->acting & kindset_of(id))
                table->sight[side][id] = table->odd & kindset_of(id) ? rules->board.land : post;
    }
}

/* Finds the kinds whose only ability is to aim at an enemy in reach, perhaps naming its kind. */
static void build_guesses(struct lanes_table *table, const struct rules *rules) {
    for (kind_id id = 1; id <= rules->kinds; id++) {
        unsigned has = rules->kind[id].abilities;
        table->guess[id] = ABILITY_NONE;
        if (!has || (has & (has - 1)) || (table->odd & kindset_of(id))) continue;
        uint8_t index = (uint8_t)__builtin_ctz(has);
        const struct ability *ability = &rules->ability[index];
        bool steps = table->set_of[id] == LANE_STEPPERS || ability->when == ABILITY_INSTEAD;
        if (ability->aims != AIM_ENEMY || ability->asks == ASKS_CAPTURED || !steps ||
            (ability->when & ABILITY_AFTER_ATTACK))
            continue;
        table->guess[id] = index;
        table->guesses[id] =
            ability->asks == ASKS_KIND ? (uint8_t)__builtin_popcount(ability->choices) : 1;
    }
}

/* False if lanes cannot follow an ability. */
static bool build_abilities(struct lanes_table *table, const struct rules *rules) {
    bool idle = false; /* a turn can leave the position unchanged without being an attack */
    for (int i = 0; i < rules->abilities; i++) {
        const struct ability *ability = &rules->ability[i];
        for (int target = 0; target <= rules->kinds; target++) {
            for (int choice = 0; choice <= rules->kinds; choice++) {
                unsigned effects = ability->effects[target][choice];
                if (effects & EFFECT_SWAP) return false;
                if (ability->attacks) continue;
                if (effects & (EFFECT_REMOVE_TARGET | EFFECT_REMOVE_ACTOR)) return false;
                if (!(effects & EFFECT_PLACE)) idle = true;
            }
        }
    }
    static const uint32_t runs_needed[] = {
        [CHASE_NONE] = RAN_BITS + (1 << RAN_BIT), /* never matches: the memo has three bits */
        [CHASE_ISF] = 7 << RAN_BIT,
        [CHASE_RUSSIAN] = 3 << RAN_BIT};
    table->chase_bits =
        rules->chase == CHASE_ISF && idle ? 1 << RAN_BIT : runs_needed[rules->chase];
    return true;
}

const char *lanes_table_build(struct lanes_table *table, const struct rules *rules) {
    memset(table, 0, sizeof *table);
    table->rules = rules;
    if (rules->calls) return "it asks the variant's own functions during play";
    if (rules->stayers) return "some winners stay on their square";
    if (rules->goals || rules->counters) return "it has goals or counters";
    if (rules->repetition) return "a repeated position ends its games";
    if (!rules->board.plain) return "its board has links, walls or shelter";
    for (int i = 0; i < rules->movements; i++) {
        if (rules->movement[i].flood) return "pieces go round the corners of a ground";
        if (rules->movement[i].bars) return "some ways are for moves or attacks alone";
    }
    if (rules->battles) return "its battles depend on the squares";
    if (rules->marks) return "its pieces rest, are held, or count their uses";
    if (!build_copies(table, &rules->board)) return "the lines of its board do not fit the words";
    if (!build_kinds(table, rules)) return "its armies can have too many destinations";
    if (!build_abilities(table, rules)) return "an ability exchanges or removes pieces quietly";
    build_duties(table, rules);
    build_sight(table, rules);
    build_guesses(table, rules);
    return NULL;
}
