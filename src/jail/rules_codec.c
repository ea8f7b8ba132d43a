/* rules_codec.c - rules as bytes, and back with every field checked.
 *
 * Everything that play relies on unchecked is checked here: indices, sets within the board and the
 * army, texts that end and are safe to print. rules_finish() judges the rest, as for every variant:
 * an army that fits, a flag, consistent effects. */
#include "rules_codec.h"

#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

enum {
    ABILITY_TIMES = ABILITY_INSTEAD | ABILITY_AFTER_STEP | ABILITY_AFTER_ATTACK,
    ABILITY_AIMS = AIM_ENEMY | AIM_OWN | AIM_EMPTY,
    EFFECTS_ALL = 2 * EFFECT_LEARN - 1 + MARK_MAX * EFFECT_HOLD,
    WAYS_MAX = 2 * BOARD_SQUARES_MAX * UINT8_MAX, /* of a movement */
    WAY_BARRED = BAR_STOP + 1 /* before the bars of its last square: it stops nowhere before */
};

/* Writes the ways of a movement: those that are no part of a longer one or, where some squares are
 * barred, one to each of its squares, which says what is barred there and stops nowhere before. */
static void put_ways(struct frame *frame, const struct movement *movement,
                     const struct board *board) {
    size_t counted = frame->length;
    uint32_t count = 0;
    frame_put_number(frame, 0); /* the count, filled in below */
    for (int side = RED; side <= BLUE; side++) {
        for (square from = 0; from < board->squares; from++) {
            const struct path_node *nodes = movement->nodes + movement->start[side][from];
            const uint8_t *bars =
                movement->bars ? movement->bars + movement->start[side][from] : NULL;
            uint32_t size = movement->start[side][from + 1] - movement->start[side][from];
            uint32_t ends[PATH_MAX_SQUARES]; /* where the nodes on the way to this one end */
            struct path path = {.side = (enum side)side, .from = from};
            for (uint32_t i = 0; i < size; i++) {
                while (path.length && ends[path.length - 1] <= i) path.length--;
                ends[path.length] = nodes[i].skip;
                path.squares[path.length++] = nodes[i].to;
                if (!bars && nodes[i].skip != i + 1) continue;
                const uint8_t head[4] = {(uint8_t)side, from, path.length,
                                         bars ? (uint8_t)(bars[i] | WAY_BARRED) : 0};
                frame_put(frame, head, sizeof head);
                frame_put(frame, path.squares, path.length);
                count++;
            }
        }
    }
    if (!frame->broken) memcpy(frame->bytes + CHANNEL_HEADER + counted, &count, sizeof count);
}

/* Grounds, links and walls. */
static void put_lines(struct frame *frame, const struct board *board) {
    frame_put(frame, &board->shelter, sizeof board->shelter);
    frame_put(frame, &board->stays, sizeof board->stays);
    frame_put_number(frame, board->grounds);
    for (int i = 0; i < board->grounds; i++) {
        frame_put_text(frame, board->ground[i].name);
        frame_put_number(frame, board->ground[i].sided);
        frame_put(frame, board->ground[i].squares, sizeof board->ground[i].squares);
    }
    frame_put(frame, board->linked, sizeof board->linked);
    frame_put(frame, board->walled, sizeof board->walled);
}

static void put_kind(struct frame *frame, const struct kind *kind) {
    frame_put_text(frame, kind->name);
    frame_put_text(frame, kind->label);
    frame_put_number(frame, (uint8_t)kind->letter);
    frame_put_number(frame, kind->flag);
    frame_put_number(frame, (uint32_t)(int32_t)kind->rank);
    frame_put_number(frame, kind->movement);
}

static void put_ability(struct frame *frame, const struct ability *ability) {
    frame_put_text(frame, ability->name);
    const uint8_t numbers[] = {ability->actor, ability->when,    ability->aims,
                               ability->asks,  ability->attacks, ability->tally.n,
                               ability->limit, ability->each,    ability->rest};
    frame_put(frame, numbers, sizeof numbers);
    frame_put_number(frame, ability->choices);
    frame_put(frame, ability->targets, sizeof ability->targets);
    frame_put(frame, ability->effects, sizeof ability->effects);
    frame_put(frame, ability->learn, sizeof ability->learn);
    frame_put(frame, ability->counts, sizeof ability->counts);
}

static void put_goals(struct frame *frame, const struct rules *rules) {
    frame_put_number(frame, rules->stayers);
    frame_put(frame, rules->fall_shows, sizeof rules->fall_shows);
    frame_put_number(frame, rules->repetition);
    frame_put_number(frame, rules->counters);
    for (int i = 0; i < rules->counters; i++) {
        const struct counter *counter = &rules->counter[i];
        const int16_t numbers[] = {counter->each, counter->from, counter->to, counter->start};
        frame_put_text(frame, counter->name);
        frame_put(frame, numbers, sizeof numbers);
    }
    frame_put_number(frame, rules->goals);
    for (int i = 0; i < rules->goals; i++) {
        const struct goal *goal = &rules->goal[i];
        const uint8_t numbers[] = {goal->after, goal->counter, goal->result};
        frame_put_number(frame, goal->kinds);
        frame_put(frame, goal->at, sizeof goal->at);
        frame_put(frame, numbers, sizeof numbers);
        frame_put(frame, &goal->reaches, sizeof goal->reaches);
    }
}

/* Battles that depend on the squares. */
static void put_battles(struct frame *frame, const struct rules *rules) {
    const struct battles *battles = rules->battles;
    frame_put_number(frame, battles ? battles->places : 0);
    if (!battles) return;
    frame_put(frame, battles->place, sizeof battles->place);
    for (int from = 0; from < battles->places; from++)
        for (int to = 0; to < battles->places; to++)
            frame_put(frame, battles->outcome[from][to], sizeof battles->outcome[from][to]);
}

void rules_put(struct frame *frame, const struct rules *rules) {
    const struct board *board = &rules->board;
    frame_put_text(frame, rules->title);
    frame_put_text(frame, rules->edition);
    frame_put_text(frame, rules->note);
    const uint8_t shape[] = {
        board->files,         board->ranks,       board->zone_ranks[RED], board->zone_ranks[BLUE],
        rules->zone_filled,   rules->two_squares, rules->chase,           rules->first,
        rules->fallen_hidden, rules->open,        rules->armies};
    frame_put(frame, shape, sizeof shape);
    frame_put(frame, board->zone_only, sizeof board->zone_only);
    put_lines(frame, board);
    frame_put(frame, &board->lakes, sizeof board->lakes);
    frame_put_number(frame, rules->kinds);
    for (kind_id kind = 1; kind <= rules->kinds; kind++) put_kind(frame, &rules->kind[kind]);
    for (int side = RED; side <= BLUE; side++) {
        frame_put(frame, rules->start[side].count, sizeof rules->start[side].count);
        frame_put(frame, rules->start[side].only, sizeof rules->start[side].only);
    }
    frame_put_number(frame, rules->movements);
    for (int i = 0; i < rules->movements; i++) {
        put_ways(frame, &rules->movement[i], board);
        frame_put(frame, &rules->movement[i].ground, sizeof rules->movement[i].ground);
    }
    frame_put_number(frame, rules->draw_without);
    frame_put_number(frame, rules->limits.no_attack);
    frame_put_number(frame, rules->limits.plies);
    frame_put_number(frame, (uint32_t)rules->called_count);
    for (int i = 0; i < rules->called_count; i++) {
        frame_put_number(frame, rules->called[i].kind);
        frame_put_text(frame, rules->called[i].tag);
        frame_put_text(frame, rules->called[i].text);
    }
    frame_put_number(frame, rules->abilities);
    for (int i = 0; i < rules->abilities; i++) put_ability(frame, &rules->ability[i]);
    frame_put_number(frame, rules->sight != NULL);
    if (rules->sight) frame_put(frame, rules->sight, sizeof *rules->sight);
    frame_put(frame, rules->outcome, sizeof rules->outcome);
    frame_put(frame, rules->after_battle, sizeof rules->after_battle);
    put_battles(frame, rules);
    put_goals(frame, rules);
}

static bool rules_refuse(struct fault *fault, const char *field) {
    return fault_set(fault, STATUS_CRASH, "sent invalid rules: %s", field);
}

static bool out_of_memory(struct fault *fault) {
    return fault_set(fault, STATUS_NO_MEMORY, "no memory for rules");
}

/* A number up to `most`; a larger one breaks the frame. */
static uint32_t take_below(struct frame *frame, uint32_t most) {
    uint32_t number = frame_take_number(frame);
    if (number > most) frame->broken = true;
    return frame->broken ? 0 : number;
}

/* A text that is safe to print on a line. */
static void take_line(struct frame *frame, char *out, size_t size) {
    frame_take_text(frame, out, size);
    if (!utf8_is_safe(out, strlen(out))) frame->broken = true;
}

/* The name of a kind or an ability. */
static void take_name(struct frame *frame, char out[WORD_MAX]) {
    frame_take_text(frame, out, WORD_MAX);
    bool begins = out[0] >= 'a' && out[0] <= 'z';
    if (!begins || out[strspn(out, "abcdefghijklmnopqrstuvwxyz0123456789_")]) frame->broken = true;
}

static void take_lines(struct frame *frame, struct board *board) {
    frame_take(frame, &board->shelter, sizeof board->shelter);
    frame_take(frame, &board->stays, sizeof board->stays);
    board->grounds = (uint8_t)take_below(frame, GROUNDS_MAX);
    for (int i = 0; i < board->grounds; i++) {
        struct ground *ground = &board->ground[i];
        take_name(frame, ground->name);
        ground->sided = take_below(frame, 1) != 0;
        frame_take(frame, ground->squares, sizeof ground->squares);
    }
    frame_take(frame, board->linked, sizeof board->linked);
    frame_take(frame, board->walled, sizeof board->walled);
}

static bool take_shape(struct frame *frame, struct rules *rules, struct fault *fault) {
    uint8_t shape[11];
    struct board *board = &rules->board;
    take_line(frame, rules->title, sizeof rules->title);
    take_line(frame, rules->edition, sizeof rules->edition);
    take_line(frame, rules->note, sizeof rules->note);
    frame_take(frame, shape, sizeof shape);
    frame_take(frame, board->zone_only, sizeof board->zone_only);
    take_lines(frame, board);
    frame_take(frame, &board->lakes, sizeof board->lakes);
    board->files = shape[0];
    board->ranks = shape[1];
    board->zone_ranks[RED] = shape[2];
    board->zone_ranks[BLUE] = shape[3];
    rules->zone_filled = shape[4] != 0;
    rules->two_squares = shape[5];
    rules->chase = shape[6];
    rules->first = shape[7];
    rules->fallen_hidden = shape[8] != 0;
    rules->open = shape[9] != 0;
    rules->armies = shape[10];
    bool fits = rules->chase <= CHASE_RUSSIAN && rules->first <= FIRST_CHOSEN &&
                rules->armies <= ARMIES_BY_CHANCE;
    /* Derived now, since checking ways needs the board. */
    return (!frame->broken && fits && board_derive(board)) ||
           rules_refuse(fault, "board or settings");
}

static bool take_kinds(struct frame *frame, struct rules *rules, struct fault *fault) {
    rules->kinds = (uint8_t)take_below(frame, KINDS_MAX - 1);
    for (kind_id id = 1; id <= rules->kinds; id++) {
        struct kind *kind = &rules->kind[id];
        take_name(frame, kind->name);
        take_line(frame, kind->label, sizeof kind->label);
        kind->letter = (char)take_below(frame, 'Z');
        kind->flag = take_below(frame, 1) != 0;
        int32_t rank = (int32_t)frame_take_number(frame);
        if (rank < -RANK_MAX || rank > RANK_MAX) frame->broken = true;
        kind->rank = (int16_t)rank;
        kind->movement = (uint8_t)take_below(frame, UINT8_MAX);
    }
    return !frame->broken || rules_refuse(fault, "pieces");
}

/* The armies, after the kinds. rules_finish() counts them. */
static bool take_starts(struct frame *frame, struct rules *rules, struct fault *fault) {
    const squareset board = board_back(&rules->board, RED, rules->board.ranks);
    for (int side = RED; side <= BLUE; side++) {
        struct start *start = &rules->start[side];
        frame_take(frame, start->count, sizeof start->count);
        frame_take(frame, start->only, sizeof start->only);
        for (int kind = 0; kind < KINDS_MAX; kind++) {
            const bool known = kind >= 1 && kind <= rules->kinds;
            if (start->count[kind] > (known ? BOARD_SQUARES_MAX : 0) ||
                (start->only[kind] & ~(known ? board : 0)))
                frame->broken = true;
        }
    }
    return !frame->broken || rules_refuse(fault, "armies");
}

/* Reads the ground that a movement floods. */
static bool take_flood(struct frame *frame, const struct rules *rules, struct movement *movement,
                       struct fault *fault) {
    squareset ground = 0;
    frame_take(frame, &ground, sizeof ground);
    if (frame->broken || (ground & ~rules->board.land)) return rules_refuse(fault, "ways to move");
    return !ground || movement_add_flood(movement, &rules->board, ground, fault) ||
           out_of_memory(fault);
}

/* Reads `count` ways and builds the movement. */
static bool take_ways(struct frame *frame, struct rules *rules, uint32_t count, struct path *ways,
                      struct fault *fault) {
    for (uint32_t i = 0; i < count; i++) {
        uint8_t head[4];
        frame_take(frame, head, sizeof head);
        if (frame->broken || head[0] > BLUE || head[2] > PATH_MAX_SQUARES ||
            head[3] > (WAY_BARRED | BAR_STOP) || (head[3] && !(head[3] & WAY_BARRED)))
            return rules_refuse(fault, "ways to move");
        ways[i] = (struct path){.side = head[0] ? BLUE : RED,
                                .from = head[1],
                                .length = head[2],
                                .last_bars = head[3] & BAR_STOP,
                                .bars = head[3] & WAY_BARRED ? BAR_STOP : 0};
        frame_take(frame, ways[i].squares, head[2]);
        /* No movement begins in a lake. */
        if (frame->broken || ways[i].from >= rules->board.squares ||
            !squareset_has(rules->board.land, ways[i].from))
            return rules_refuse(fault, "ways to move");
    }
    struct movement *movement = &rules->movement[rules->movements];
    if (movement_build(movement, &rules->board, ways, count, fault)) {
        rules->movements++; /* rules_free() clears it */
        return take_flood(frame, rules, movement, fault);
    }
    return fault->status == STATUS_NO_MEMORY ? false : rules_refuse(fault, "ways to move");
}

static bool take_movements(struct frame *frame, struct rules *rules, struct fault *fault) {
    uint32_t movements = take_below(frame, MOVEMENTS_MAX);
    for (uint32_t i = 0; i < movements; i++) {
        uint32_t count = take_below(frame, WAYS_MAX);
        /* A way takes at least five bytes, which bounds the allocation. */
        if (frame->broken || count > (frame->length - frame->at) / 5)
            return rules_refuse(fault, "ways to move");
        struct path *ways = malloc((count + 1) * sizeof *ways);
        if (!ways) return out_of_memory(fault);
        bool built = take_ways(frame, rules, count, ways, fault);
        free(ways);
        if (!built) return false;
    }
    return !frame->broken || rules_refuse(fault, "ways to move");
}

static bool take_called(struct frame *frame, struct rules *rules, struct fault *fault) {
    rules->called_count = (int)take_below(frame, CALLED_MAX);
    rules->called = calloc((size_t)rules->called_count + 1, sizeof *rules->called);
    if (!rules->called) return out_of_memory(fault);
    for (int i = 0; i < rules->called_count; i++) {
        struct called *called = &rules->called[i];
        called->kind = (uint8_t)take_below(frame, called_counter(COUNTERS_MAX - 1));
        take_line(frame, called->tag, sizeof called->tag);
        take_line(frame, called->text, sizeof called->text);
    }
    return !frame->broken || rules_refuse(fault, "names");
}

static bool is_on_land(const struct rules *rules, square at, squareset set) {
    bool from_land = at < rules->board.squares && squareset_has(rules->board.land, at);
    return !(set & ~(from_land ? rules->board.land : 0));
}

static bool ability_sound(const struct rules *rules, const struct ability *ability) {
    kindset army = 0;
    for (kind_id kind = 1; kind <= rules->kinds; kind++) army |= kindset_of(kind);
    for (int side = RED; side <= BLUE; side++)
        for (int at = 0; at < BOARD_SQUARES_MAX; at++)
            if (!is_on_land(rules, (square)at, ability->targets[side][at])) return false;
    for (int target = 0; target < KINDS_MAX; target++)
        for (int choice = 0; choice < KINDS_MAX; choice++) {
            bool known = target <= rules->kinds && choice <= rules->kinds;
            if (ability->effects[target][choice] & (known ? ~EFFECTS_ALL : ~0)) return false;
            bool learns = ability->effects[target][choice] & EFFECT_LEARN;
            kindset learn = ability->learn[target][choice];
            if (learns ? (learn & ~army) || !(learn >> target & 1) : learn != 0) return false;
            if (!known && ability->counts[target][choice].counter) return false;
        }
    return ability->actor >= 1 && ability->actor <= rules->kinds &&
           !(ability->when & ~ABILITY_TIMES) && !(ability->aims & ~ABILITY_AIMS) &&
           ability->asks <= ASKS_CAPTURED && ability->tally.n < ABILITIES_MAX &&
           !(ability->choices & ~army) && (ability->asks == ASKS_NOTHING) == !ability->choices;
}

static bool take_abilities(struct frame *frame, struct rules *rules, struct fault *fault) {
    uint32_t count = take_below(frame, ABILITIES_MAX);
    if (count) rules->ability = calloc(ABILITIES_MAX, sizeof *rules->ability);
    if (count && !rules->ability) return out_of_memory(fault);
    for (uint32_t i = 0; i < count; i++) {
        struct ability *ability = &rules->ability[i];
        uint8_t numbers[9];
        take_name(frame, ability->name);
        frame_take(frame, numbers, sizeof numbers);
        ability->actor = numbers[0];
        ability->when = numbers[1];
        ability->aims = numbers[2];
        ability->asks = numbers[3];
        ability->attacks = numbers[4] != 0;
        ability->tally.n = numbers[5];
        ability->limit = numbers[6];
        ability->each = numbers[7];
        ability->rest = numbers[8];
        ability->choices = frame_take_number(frame);
        frame_take(frame, ability->targets, sizeof ability->targets);
        frame_take(frame, ability->effects, sizeof ability->effects);
        frame_take(frame, ability->learn, sizeof ability->learn);
        frame_take(frame, ability->counts, sizeof ability->counts);
        if (frame->broken || !ability_sound(rules, ability))
            return rules_refuse(fault, "abilities");
        rules->kind[ability->actor].abilities |= (uint16_t)(1u << i);
        rules->abilities++;
    }
    return !frame->broken || rules_refuse(fault, "abilities");
}

static bool take_sight(struct frame *frame, struct rules *rules, struct fault *fault) {
    if (!take_below(frame, 1)) return !frame->broken || rules_refuse(fault, "sight");
    rules->sight = malloc(sizeof *rules->sight);
    if (!rules->sight) return out_of_memory(fault);
    frame_take(frame, rules->sight, sizeof *rules->sight);
    for (int side = RED; side <= BLUE; side++)
        for (int kind = 0; kind < KINDS_MAX; kind++)
            for (int at = 0; at < BOARD_SQUARES_MAX; at++) {
                squareset seen = rules->sight->from[side][kind][at];
                bool known = kind >= 1 && kind <= rules->kinds;
                if (frame->broken || (seen && !known) || !is_on_land(rules, (square)at, seen))
                    return rules_refuse(fault, "sight");
            }
    return true;
}

static bool take_battles(struct frame *frame, struct rules *rules, struct fault *fault) {
    frame_take(frame, rules->outcome, sizeof rules->outcome);
    frame_take(frame, rules->after_battle, sizeof rules->after_battle);
    for (int attacker = 0; attacker < KINDS_MAX; attacker++)
        for (int defender = 0; defender < KINDS_MAX; defender++)
            if (rules->outcome[attacker][defender] > ASK_THE_VARIANT ||
                rules->after_battle[attacker][defender] > AFTER_BATTLE_SILENT)
                return rules_refuse(fault, "battles");
    return !frame->broken || rules_refuse(fault, "battles");
}

static bool take_places(struct frame *frame, struct rules *rules, struct fault *fault) {
    const uint8_t places = (uint8_t)take_below(frame, PLACES_MAX);
    if (!places) return !frame->broken || rules_refuse(fault, "battles");
    struct battles *battles = rules->battles = calloc(1, sizeof *battles);
    if (!battles) return out_of_memory(fault);
    battles->places = places;
    frame_take(frame, battles->place, sizeof battles->place);
    for (int from = 0; from < places; from++)
        for (int to = 0; to < places; to++) {
            uint8_t(*outcome)[KINDS_MAX] = battles->outcome[from][to];
            frame_take(frame, outcome, sizeof battles->outcome[from][to]);
            for (int pair = 0; pair < KINDS_MAX * KINDS_MAX; pair++)
                if (outcome[pair / KINDS_MAX][pair % KINDS_MAX] > CANNOT_ATTACK)
                    return rules_refuse(fault, "battles");
        }
    for (int side = RED; side <= BLUE; side++)
        for (int at = 0; at < BOARD_SQUARES_MAX; at++)
            if (battles->place[side][at] >= places) return rules_refuse(fault, "battles");
    return !frame->broken || rules_refuse(fault, "battles");
}

/* rules_finish() judges the rest. */
static bool take_goals(struct frame *frame, struct rules *rules, struct fault *fault) {
    rules->stayers = frame_take_number(frame);
    frame_take(frame, rules->fall_shows, sizeof rules->fall_shows);
    kindset army = ((kindset)2 << rules->kinds) - 2, named = rules->stayers;
    for (int kind = 0; kind < KINDS_MAX; kind++) named |= rules->fall_shows[kind];
    if (frame->broken || (named & ~army)) return rules_refuse(fault, "battles");
    rules->repetition = (uint8_t)take_below(frame, REPETITION_MAX);
    rules->counters = (uint8_t)take_below(frame, COUNTERS_MAX);
    for (int i = 0; i < rules->counters; i++) {
        struct counter *counter = &rules->counter[i];
        int16_t numbers[4];
        take_name(frame, counter->name);
        frame_take(frame, numbers, sizeof numbers);
        counter->each = numbers[0] != 0;
        counter->from = numbers[1];
        counter->to = numbers[2];
        counter->start = numbers[3];
    }
    rules->goals = (uint8_t)take_below(frame, GOALS_MAX);
    for (int i = 0; i < rules->goals; i++) {
        struct goal *goal = &rules->goal[i];
        uint8_t numbers[3];
        goal->kinds = frame_take_number(frame);
        frame_take(frame, goal->at, sizeof goal->at);
        frame_take(frame, numbers, sizeof numbers);
        frame_take(frame, &goal->reaches, sizeof goal->reaches);
        goal->after = numbers[0];
        goal->counter = numbers[1];
        goal->result = numbers[2];
        if (frame->broken || (!goal->kinds && goal->counter >= rules->counters))
            return rules_refuse(fault, "goals");
    }
    return !frame->broken || rules_refuse(fault, "goals");
}

struct rules *rules_take(struct frame *frame, struct fault *fault) {
    struct rules *rules = rules_new();
    struct fault local = {0};
    if (!fault) fault = &local;
    if (!rules) {
        out_of_memory(fault);
        return NULL;
    }
    bool sound = take_shape(frame, rules, fault) && take_kinds(frame, rules, fault) &&
                 take_starts(frame, rules, fault) && take_movements(frame, rules, fault);
    if (sound) {
        rules->draw_without = frame_take_number(frame);
        rules->limits.no_attack = frame_take_number(frame);
        rules->limits.plies = frame_take_number(frame);
    }
    sound = sound && take_called(frame, rules, fault) && take_abilities(frame, rules, fault) &&
            take_sight(frame, rules, fault) && take_battles(frame, rules, fault) &&
            take_places(frame, rules, fault) && take_goals(frame, rules, fault);
    if (sound) return rules;
    rules_free(rules);
    return NULL;
}
