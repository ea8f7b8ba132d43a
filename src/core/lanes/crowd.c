/* crowd.c - seats games and plays the rare moves, one game at a time.
 *
 * For those each seat has a lane, so endings, abilities and judgements are those of lanes.c. Only
 * the lane's counts and limits stay current; the rest is updated when needed. */
#include "crowd_inside.h"

#include "core/play/cells.h"
#include "lane_judge.h"
#include "lane_special.h"

#include <stdlib.h>
#include <string.h>

struct crowd *crowd_new(const struct lanes_table *table, uint32_t cap) {
    uint32_t rows = LANE_PAST_MAX;
    while (rows < LANE_PAST_MAX + cap + 1) rows *= 2;
    struct crowd *crowd = aligned_alloc(_Alignof(struct lane), sizeof *crowd);
    struct crowd_row *row = aligned_alloc(_Alignof(slice), rows * sizeof *row);
    if (!crowd || !row) {
        free(crowd);
        free(row);
        return NULL;
    }
    memset(crowd, 0, sizeof *crowd);
    crowd->table = table;
    crowd->cap = cap;
    crowd->row = row;
    crowd->rows = rows;
    crowd->clock = LANE_PAST_MAX;
    crowd->next_stop = UINT32_MAX;
    memset(crowd->stop, 255, sizeof crowd->stop);
    memset(&crowd->placed, NOBODY_CODE, sizeof crowd->placed);
    memset(crowd->turner_at, NOBODY_CODE, sizeof crowd->turner_at);
    crowd_read_rules(crowd);
    return crowd;
}

void crowd_free(struct crowd *crowd) {
    if (crowd) free(crowd->row);
    free(crowd);
}

enum side crowd_to_move(const struct crowd *crowd) {
    return (enum side)(crowd->clock & 1);
}

/* Adds a piece to a square, or removes it. */
static inline void plane_toggle(struct crowd *crowd, int seat, square at, cell piece) {
    slice(*planes)[PLANE] = crowd->plane[cell_side(piece)];
    uint64_t bit = (uint64_t)1 << seat_bit(seat);
    *slice_word(&planes[LANE_ALL][at], seat) ^= bit;
    *slice_word(&planes[crowd->table->set_of[piece]][at], seat) ^= bit;
    if (crowd->guessing >> cell_kind(piece) & 1)
        *slice_word(&planes[PLANE_GUESSERS][at], seat) ^= bit;
}

static void cell_put(struct crowd *crowd, int seat, square at, cell piece) {
    if (crowd->at[seat][at]) plane_toggle(crowd, seat, at, crowd->at[seat][at]);
    if (piece) plane_toggle(crowd, seat, at, piece);
    crowd->at[seat][at] = piece;
}

/* A turner moves, or falls: to NOWHERE. */
static void move_turner(struct crowd *crowd, int seat, enum side side, square from, square to) {
    struct each *turner = crowd->turner_at[side];
    while (each_of(turner, seat) != crowd->code_of[from]) turner++;
    *each_byte(turner, seat) = crowd->code_of[to];
}

/* Rebuilds a seat's list of turners. */
static void find_turners(struct crowd *crowd, int seat) {
    squareset all = cells_of_kinds(crowd->at[seat], crowd->table->turners);
    squareset blue = cells_blue(crowd->at[seat]);
    for (int side = RED; side <= BLUE; side++) {
        squareset left = all & (side == BLUE ? blue : ~blue);
        for (int i = 0; i < crowd->turners; i++)
            *each_byte(&crowd->turner_at[side][i], seat) =
                left ? crowd->code_of[squareset_pop(&left)] : NOBODY_CODE;
    }
}

/* Notes whether an ability other than guessing is available, with a piece to bring back if all need
 * one. */
static void note_able(struct crowd *crowd, int seat, enum side side) {
    const struct lane *lane = &crowd->lane[seat];
    bool able = lane->may_use[side] && !crowd->brings_back;
    if (lane->may_use[side])
        for (kindset left = crowd->brings_back; left && !able; left &= left - 1)
            able = game_returnable(&lane->game, side, (kind_id)__builtin_ctz(left));
    slice_set(&crowd->able[side], seat, able);
}

/* Rebuilds what depends on acting pieces, after any of them may have changed or used an ability. */
static void note_acting(struct crowd *crowd, int seat) {
    if (crowd->turners) find_turners(crowd, seat);
    for (int side = RED; side <= BLUE; side++) note_able(crowd, seat, (enum side)side);
}

/* Half of a lane's memo. */
static uint32_t memo_read(const struct crowd *crowd, int seat, enum side side) {
    uint32_t last = crowd->square_of[each_of(&crowd->last[side], seat)];
    uint32_t chain = each_of(&crowd->run[side], seat) > 1 ? last : NOWHERE;
    return last | chain << 8 | (uint32_t)each_of(&crowd->ran[side], seat) << RAN_BIT |
           (uint32_t)side << SIDE_BIT;
}

/* `last` is the side's last move. */
static void memo_write(struct crowd *crowd, int seat, enum side side, uint32_t memo,
                       struct lane_ply last) {
    *each_byte(&crowd->last[side], seat) = crowd->code_of[memo & 127];
    *each_byte(&crowd->came[side], seat) = crowd->code_of[last.from];
    *each_byte(&crowd->run[side], seat) = (memo >> 8 & 127) == NOWHERE ? 1 : RUN_MAX;
    *each_byte(&crowd->ran[side], seat) = memo >> RAN_BIT & 7;
}

struct lane_ply lane_ply_in(const struct crowd *crowd, const struct lane *lane, uint32_t time) {
    const struct crowd_row *row = &crowd->row[time & (crowd->rows - 1)];
    int seat = (int)(lane - crowd->lane);
    uint8_t placed = each_of(&row->placed, seat);
    return (struct lane_ply){crowd->square_of[each_of(&row->from, seat)],
                             crowd->square_of[each_of(&row->to, seat)],
                             placed == NOBODY_CODE ? SQUARE_NONE : crowd->square_of[placed],
                             slice_has(&row->attack, seat)};
}

static uint8_t code_placed(const struct crowd *crowd, struct lane_ply ply) {
    return ply.placed == SQUARE_NONE ? NOBODY_CODE : crowd->code_of[ply.placed];
}

static void row_write(struct crowd *crowd, int seat, uint32_t time, struct lane_ply ply) {
    struct crowd_row *row = &crowd->row[time & (crowd->rows - 1)];
    *each_byte(&row->from, seat) = crowd->code_of[ply.from];
    *each_byte(&row->to, seat) = crowd->code_of[ply.to];
    *each_byte(&row->placed, seat) = code_placed(crowd, ply);
    slice_set(&row->attack, seat, ply.attack);
}

static bool is_empty(const struct crowd *crowd) {
    slice busy = crowd->busy;
    return (busy[0] | busy[1] | busy[2] | busy[3]) == 0;
}

void crowd_enter(struct crowd *crowd, int seat, const struct game *start, struct random random) {
    struct lane *lane = &crowd->lane[seat];
    enum side side = (enum side)start->to_move;
    uint32_t past = lane_past(start);
    if (is_empty(crowd)) {
        crowd->clock = LANE_PAST_MAX + (uint32_t)side; /* so that it cannot overflow */
        crowd->next_stop = UINT32_MAX;
    }
    lane_begin(crowd->table, lane, start, crowd->cap, random, crowd->clock - past);
    lane->crowd = crowd;
    lane->plies = &crowd->last_ply[seat];
    lane->mask = 0;
    struct lane_ply ply[2] = {{.from = NOWHERE}, {.from = NOWHERE}};
    for (uint32_t back = past; back > 0; back--) {
        ply[back & 1] = lane_ply_of(start, back);
        row_write(crowd, seat, crowd->clock - back, ply[back & 1]);
    }
    for (square at = 0; at < crowd->table->rules->board.squares; at++)
        if (crowd->at[seat][at] != start->at[at]) cell_put(crowd, seat, at, start->at[at]);
    note_acting(crowd, seat);
    memo_write(crowd, seat, side, (uint32_t)lane->memo, ply[0]);
    memo_write(crowd, seat, side_other(side), (uint32_t)(lane->memo >> 32), ply[1]);
    for (int i = 0; i < 4; i++) *seat_number(crowd->random[i], seat) = lane->random.state[i];
    slice_set(&crowd->busy, seat, true);
    crowd->stop[seat] = lane->stop;
    if (lane->stop < crowd->next_stop) crowd->next_stop = lane->stop;
}

struct lane *crowd_lane_now(struct crowd *crowd, int seat) {
    struct lane *lane = &crowd->lane[seat];
    enum side side = crowd_to_move(crowd);
    lane->ply = crowd->clock;
    lane->memo = memo_read(crowd, seat, side) | (uint64_t)memo_read(crowd, seat, side_other(side))
                                                    << 32;
    lane->game.to_move = (uint8_t)side;
    memcpy(lane->game.at, crowd->at[seat], sizeof lane->game.at);
    return lane;
}

const struct lane *crowd_lane(struct crowd *crowd, int seat) {
    struct lane *lane = &crowd->lane[seat];
    memcpy(lane->game.at, crowd->at[seat], sizeof lane->game.at);
    return lane;
}

void crowd_leave(struct crowd *crowd, int seat, struct lane *lane, struct lane_ply *plies) {
    *lane = *crowd_lane_now(crowd, seat);
    uint32_t known = lane->known;
    for (uint32_t time = known; time < lane->ply; time++)
        plies[time - known] = lane_ply_in(crowd, &crowd->lane[seat], time);
    for (int i = 0; i < 4; i++) lane->random.state[i] = *seat_number(crowd->random[i], seat);
    lane->crowd = NULL;
    lane->plies = plies;
    lane->mask = UINT32_MAX;
    lane->known = 0;
    lane->ply -= known;
    lane->started -= known;
    lane->stop -= known;
    lane->end -= known;
    if (lane->quiet_stop != UINT32_MAX) lane->quiet_stop -= known;
    lane_lay_out(crowd->table, lane);
    crowd_vacate(crowd, seat);
}

void crowd_draw_again(struct crowd *crowd) {
    for (int seat = 0; seat < SEATS; seat++) {
        uint32_t plain = each_of(&crowd->count, seat);
        uint32_t count = plain + (uint32_t)*seat_number(crowd->special, seat);
        uint64_t product = *seat_number(crowd->low, seat);
        /* A seat that was never taken has an all-zero stream, which would never end the loop. */
        if (!slice_has(&crowd->busy, seat) || count == 0 || (uint32_t)product >= -count % count)
            continue;
        struct random random;
        for (int i = 0; i < 4; i++) random.state[i] = *seat_number(crowd->random[i], seat);
        do product = (random_next(&random) >> 32) * count;
        while ((uint32_t)product < -count % count);
        for (int i = 0; i < 4; i++) *seat_number(crowd->random[i], seat) = random.state[i];
        *seat_number(crowd->whole, seat) = product >> 32;
        slice_set(&crowd->acts, seat, product >> 32 >= plain);
    }
}

/* Does this guess only tell of pieces? That changes nothing in a playout. */
static bool is_idle(const struct crowd *crowd, int seat, struct move move) {
    enum { SHOWS = EFFECT_REVEAL_TARGET | EFFECT_REVEAL_ACTOR | EFFECT_LEARN };
    const struct rules *rules = crowd->table->rules;
    if (move.ability != crowd->guesser || rules->draw_without) return false;
    kind_id target = cell_kind(crowd->at[seat][move.target]);
    return !(rules->ability[move.ability].effects[target][move.choice] & ~(unsigned)SHOWS);
}

bool crowd_choose_special(struct crowd *crowd, int seat) {
    uint32_t index = (uint32_t)*seat_number(crowd->whole, seat) - each_of(&crowd->count, seat);
    struct move move = special_move(crowd->table, crowd_lane_with_pieces(crowd, seat), index);
    bool uses = move.ability != ABILITY_NONE;
    crowd->drawn[seat] = move;
    if (uses && !is_idle(crowd, seat, move)) return false;
    *each_byte(&crowd->from, seat) = crowd->code_of[move.from];
    *each_byte(&crowd->to, seat) = crowd->code_of[move.to];
    slice_set(&crowd->idle, seat, uses);
    slice_set(&crowd->attack, seat,
              uses ? crowd->table->rules->ability[move.ability].attacks
                   : crowd->at[seat][move.to] != CELL_EMPTY);
    return true;
}

bool crowd_is_forbidden(struct crowd *crowd, int seat) {
    struct move move = {crowd->square_of[each_of(&crowd->from, seat)],
                        crowd->square_of[each_of(&crowd->to, seat)], SQUARE_NONE, ABILITY_NONE,
                        KIND_NONE};
    if (slice_has(&crowd->acts, seat)) move = crowd->drawn[seat];
    return lane_judge(crowd->table, crowd_lane_now(crowd, seat), move) != LEGAL;
}

void crowd_play_special(struct crowd *crowd, int seat) {
    struct move move = crowd->drawn[seat];
    if (move.from != move.to) {
        cell actor = crowd->at[seat][move.from];
        cell_put(crowd, seat, move.from, CELL_EMPTY);
        cell_put(crowd, seat, move.to, actor);
        if (crowd->table->turners >> cell_kind(actor) & 1)
            move_turner(crowd, seat, cell_side(actor), move.from, move.to);
    }
    if (!slice_has(&crowd->attack, seat)) return;
    struct lane *lane = &crowd->lane[seat];
    lane->ply = crowd->clock + 1;
    lane_note_attack(lane);
    crowd->stop[seat] = lane->stop;
}

bool crowd_fight(struct crowd *crowd, int seat) {
    const struct lanes_table *table = crowd->table;
    struct lane *lane = &crowd->lane[seat];
    square from = crowd->square_of[each_of(&crowd->from, seat)];
    square to = crowd->square_of[each_of(&crowd->to, seat)];
    cell actor = crowd->at[seat][from], defender = crowd->at[seat][to];
    enum outcome outcome = rules_outcome(table->rules, cell_kind(actor), cell_kind(defender));
    /* As cell_put(), without its checks. */
    plane_toggle(crowd, seat, from, actor);
    crowd->at[seat][from] = CELL_EMPTY;
    if (outcome != DEFENDER_WINS) {
        plane_toggle(crowd, seat, to, defender);
        if (outcome == ATTACKER_WINS) plane_toggle(crowd, seat, to, actor);
        crowd->at[seat][to] = outcome == ATTACKER_WINS ? actor : CELL_EMPTY;
    }
    lane->ply = crowd->clock + 1;
    if (table->rules->draw_without) memcpy(lane->game.at, crowd->at[seat], sizeof lane->game.at);
    bool on = lane_battle(table, lane, crowd_to_move(crowd), to, outcome, actor, defender);
    crowd->stop[seat] = lane->stop;
    if (outcome != DEFENDER_WINS && (table->turners >> cell_kind(defender) & 1))
        move_turner(crowd, seat, cell_side(defender), to, NOWHERE);
    if (table->turners >> cell_kind(actor) & 1)
        move_turner(crowd, seat, cell_side(actor), from, outcome == ATTACKER_WINS ? to : NOWHERE);
    /* A fallen piece may be the first one to bring back; a battle never makes `able` false. */
    for (int side = RED; side <= BLUE; side++)
        if (lane->may_use[side] && !slice_has(&crowd->able[side], seat))
            note_able(crowd, seat, (enum side)side);
    return on;
}

bool crowd_play_slowly(struct crowd *crowd, int seat) {
    struct lane *lane = crowd_lane_now(crowd, seat);
    lane->changed = 0;
    bool on = slice_has(&crowd->acts, seat)
                  ? lane_play_special(crowd->table, lane, crowd->drawn[seat],
                                      (uint32_t)*seat_number(crowd->whole, seat))
                  : lane_ply_slowly(crowd->table, lane, (uint32_t)*seat_number(crowd->whole, seat));
    for (squareset left = lane->changed; left;) {
        square at = squareset_pop(&left);
        cell_put(crowd, seat, at, lane->game.at[at]);
    }
    note_acting(crowd, seat);
    struct lane_ply ply = crowd->last_ply[seat];
    *each_byte(&crowd->from, seat) = crowd->code_of[ply.from];
    *each_byte(&crowd->to, seat) = crowd->code_of[ply.to];
    *each_byte(&crowd->placed, seat) = code_placed(crowd, ply);
    slice_set(&crowd->attack, seat, ply.attack);
    crowd->stop[seat] = lane->stop;
    return on;
}

void crowd_stop_games(struct crowd *crowd, uint8_t over[SEATS], int *count) {
    uint32_t next = UINT32_MAX;
    for (int seat = 0; seat < SEATS; seat++) {
        if (__builtin_expect(crowd->stop[seat] <= crowd->clock, 0)) {
            lane_finish(crowd->table, crowd_lane_now(crowd, seat));
            crowd_note_over(crowd, seat, over, count);
        }
        next = crowd->stop[seat] < next ? crowd->stop[seat] : next;
    }
    crowd->next_stop = next;
}
