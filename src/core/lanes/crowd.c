/* crowd.c - seats games, and plays what is rare or concerns one of them alone.
 *
 * For that each seat has a lane, so that endings, abilities and judgements are those of lanes.c. Of
 * it the crowd keeps current only what fights and acting pieces change; the rest is brought up to
 * date when it is needed. */
#include "crowd_inside.h"

#include "core/cells.h"
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
    const struct rules *rules = table->rules;
    crowd->run_limit = rules->two_squares ? rules->two_squares : RUN_MAX + 1;
    memset(crowd->square_of, NOWHERE, sizeof crowd->square_of);
    memset(crowd->code_of, NOBODY_CODE, sizeof crowd->code_of);
    memset(&crowd->placed, NOBODY_CODE, sizeof crowd->placed);
    for (square at = 0; at < rules->board.squares; at++) {
        int rank = board_rank(&rules->board, at), file = board_file(&rules->board, at);
        crowd->code_of[at] = (uint8_t)(rank << 4 | file);
        crowd->square_of[crowd->code_of[at]] = at;
        if (squareset_has(rules->board.land, at)) continue;
        for (int mine = 0; mine < 2; mine++) crowd->plane[mine][LANE_ALL][at] = ~NO_GAME;
    }
    return crowd;
}

void crowd_free(struct crowd *crowd) {
    if (crowd) free(crowd->row);
    free(crowd);
}

/* Writes what stands on a square. */
static void put(struct crowd *crowd, int seat, square at, cell piece) {
    for (int mine = 0; mine < 2; mine++)
        for (int set = 0; set < LANE_OTHERS; set++)
            slice_set(&crowd->plane[mine][set][at], seat, false);
    crowd->at[seat][at] = piece;
    if (!piece) return;
    slice(*planes)[PLANE] = crowd->plane[cell_side(piece) ^ crowd->side[seat]];
    uint8_t kin = crowd->table->set_of[piece];
    slice_set(&planes[LANE_ALL][at], seat, true);
    if (kin < LANE_OTHERS) slice_set(&planes[kin][at], seat, true);
}

/* The squares of a game in each plane, by the cells and by who moves when the clock is even. */
static void find_planes(const struct lanes_table *table, const cell *at, uint8_t even,
                        squareset planes[2][LANE_OTHERS]) {
    squareset blue = cells_blue(at), taken = cells_taken(at);
    squareset runners = cells_of_kinds(at, table->kinds[LANE_RUNNERS]);
    squareset others = cells_of_kinds(at, table->kinds[LANE_OTHERS]);
    for (int mine = 0; mine < 2; mine++) {
        squareset own = taken & ((mine ^ even) == BLUE ? blue : ~blue);
        planes[mine][LANE_ALL] = own;
        planes[mine][LANE_STEPPERS] = own & ~runners & ~others;
        planes[mine][LANE_RUNNERS] = own & runners;
    }
}

/* Seats another game: turns the bits of this seat where the new game differs from the last. */
static void lay_out(struct crowd *crowd, int seat, const struct game *start, uint8_t even) {
    squareset was[2][LANE_OTHERS], now[2][LANE_OTHERS];
    find_planes(crowd->table, crowd->at[seat], crowd->side[seat], was);
    find_planes(crowd->table, start->at, even, now);
    memcpy(crowd->at[seat], start->at, sizeof crowd->at[seat]);
    crowd->side[seat] = even;
    uint64_t bit = (uint64_t)1 << seat_bit(seat);
    for (int mine = 0; mine < 2; mine++) {
        for (int set = 0; set < LANE_OTHERS; set++) {
            squareset turn = was[mine][set] ^ now[mine][set];
            for (int half = 0; half < 2; half++) {
                uint64_t *word = slice_word(&crowd->plane[mine][set][64 * half], seat);
                for (uint64_t left = squareset_half(turn, half); left; left &= left - 1)
                    word[SLICE_WORDS * __builtin_ctzll(left)] ^= bit;
            }
        }
    }
}

/* Half of a lane's memo. */
static uint32_t memo_read(const struct crowd *crowd, int seat, int mine) {
    uint32_t last = crowd->square_of[each_of(&crowd->last[mine], seat)];
    uint32_t chain = each_of(&crowd->run[mine], seat) > 1 ? last : NOWHERE;
    return last | chain << 8 | (uint32_t)each_of(&crowd->ran[mine], seat) << RAN_BIT |
           (uint32_t)(crowd->side[seat] ^ mine) << SIDE_BIT;
}

static void memo_write(struct crowd *crowd, int seat, int mine, uint32_t memo) {
    *each_byte(&crowd->last[mine], seat) = crowd->code_of[memo & 127];
    *each_byte(&crowd->run[mine], seat) = (memo >> 8 & 127) == NOWHERE ? 1 : RUN_MAX;
    *each_byte(&crowd->ran[mine], seat) = memo >> RAN_BIT & 7;
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

static void remember(struct crowd *crowd, int seat, uint32_t time, struct lane_ply ply) {
    struct crowd_row *row = &crowd->row[time & (crowd->rows - 1)];
    *each_byte(&row->from, seat) = crowd->code_of[ply.from];
    *each_byte(&row->to, seat) = crowd->code_of[ply.to];
    *each_byte(&row->placed, seat) = code_placed(crowd, ply);
    slice_set(&row->attack, seat, ply.attack);
}

void crowd_enter(struct crowd *crowd, int seat, const struct game *start, struct random random) {
    struct lane *lane = &crowd->lane[seat];
    int mine = crowd->clock & 1;
    uint32_t past = lane_past(start);
    lane_begin(crowd->table, lane, start, crowd->cap, random, crowd->clock - past);
    lane->crowd = crowd;
    lane->plies = &crowd->last_ply[seat];
    lane->mask = 0;
    for (uint32_t back = past; back > 0; back--)
        remember(crowd, seat, crowd->clock - back, lane_ply_of(start, back));
    lay_out(crowd, seat, start, (uint8_t)(start->to_move ^ mine));
    memo_write(crowd, seat, mine, (uint32_t)lane->memo);
    memo_write(crowd, seat, !mine, (uint32_t)(lane->memo >> 32));
    for (int i = 0; i < 4; i++) *seat_number(crowd->random[i], seat) = lane->random.state[i];
    slice_set(&crowd->busy, seat, true);
    crowd->stop[seat] = lane->stop;
    if (lane->stop < crowd->next_stop) crowd->next_stop = lane->stop;
}

struct lane *crowd_lane_now(struct crowd *crowd, int seat) {
    struct lane *lane = &crowd->lane[seat];
    int mine = crowd->clock & 1;
    lane->ply = crowd->clock;
    lane->memo = memo_read(crowd, seat, mine) | (uint64_t)memo_read(crowd, seat, !mine) << 32;
    lane->game.to_move = (uint8_t)crowd_mover(crowd, seat);
    memcpy(lane->game.at, crowd->at[seat], sizeof lane->game.at);
    return lane;
}

const struct lane *crowd_lane(const struct crowd *crowd, int seat) {
    return &crowd->lane[seat];
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
    slice_set(&crowd->busy, seat, false);
}

void crowd_draw_again(struct crowd *crowd) {
    for (int seat = 0; seat < SEATS; seat++) {
        uint32_t plain = each_of(&crowd->count, seat);
        uint32_t count = plain + (uint32_t)*seat_number(crowd->special, seat);
        uint64_t product = *seat_number(crowd->low, seat);
        if (count == 0 || (uint32_t)product >= -count % count) continue;
        struct random random;
        for (int i = 0; i < 4; i++) random.state[i] = *seat_number(crowd->random[i], seat);
        do product = (random_next(&random) >> 32) * count;
        while ((uint32_t)product < -count % count);
        for (int i = 0; i < 4; i++) *seat_number(crowd->random[i], seat) = random.state[i];
        *seat_number(crowd->whole, seat) = product >> 32;
        slice_set(&crowd->acts, seat, product >> 32 >= plain);
    }
}

uint32_t crowd_count_special(struct crowd *crowd, int seat) {
    memcpy(crowd->lane[seat].game.at, crowd->at[seat], sizeof crowd->at[seat]);
    return special_count(crowd->table, &crowd->lane[seat]);
}

static struct move special_drawn(struct crowd *crowd, int seat) {
    uint64_t index = *seat_number(crowd->whole, seat) - each_of(&crowd->count, seat);
    return special_move(crowd->table, crowd_lane_now(crowd, seat), (uint32_t)index);
}

bool crowd_choose_special(struct crowd *crowd, int seat) {
    struct move move = special_drawn(crowd, seat);
    if (move.ability != ABILITY_NONE) return false;
    *each_byte(&crowd->from, seat) = crowd->code_of[move.from];
    *each_byte(&crowd->to, seat) = crowd->code_of[move.to];
    slice_set(&crowd->attack, seat, crowd->at[seat][move.to] != CELL_EMPTY);
    return true;
}

bool crowd_is_forbidden(struct crowd *crowd, int seat) {
    struct move move = {crowd->square_of[each_of(&crowd->from, seat)],
                        crowd->square_of[each_of(&crowd->to, seat)], SQUARE_NONE, ABILITY_NONE,
                        KIND_NONE};
    return lane_judge(crowd->table, crowd_lane_now(crowd, seat), move) != LEGAL;
}

/* A piece of the side to move comes to a square or goes from it. */
static inline void toggle(struct crowd *crowd, int seat, square at, uint8_t kin) {
    slice(*own)[PLANE] = crowd->plane[crowd->clock & 1];
    uint64_t bit = (uint64_t)1 << seat_bit(seat);
    *slice_word(&own[LANE_ALL][at], seat) ^= bit;
    if (kin < LANE_OTHERS) *slice_word(&own[kin][at], seat) ^= bit;
}

void crowd_shift(struct crowd *crowd, int seat) {
    square from = crowd->square_of[each_of(&crowd->from, seat)];
    square to = crowd->square_of[each_of(&crowd->to, seat)];
    cell *at = crowd->at[seat], actor = at[from];
    toggle(crowd, seat, from, crowd->table->set_of[actor]);
    toggle(crowd, seat, to, crowd->table->set_of[actor]);
    at[from] = CELL_EMPTY;
    at[to] = actor;
    if (crowd->table->acting)
        special_step(crowd->table, &crowd->lane[seat], crowd_mover(crowd, seat), from, to, actor);
}

bool crowd_fight(struct crowd *crowd, int seat) {
    const struct lanes_table *table = crowd->table;
    struct lane *lane = &crowd->lane[seat];
    square from = crowd->square_of[each_of(&crowd->from, seat)];
    square to = crowd->square_of[each_of(&crowd->to, seat)];
    cell *at = crowd->at[seat], actor = at[from], defender = at[to];
    enum outcome outcome = rules_outcome(table->rules, cell_kind(actor), cell_kind(defender));
    enum side side = crowd_mover(crowd, seat);
    if (table->acting) special_step(table, lane, side, from, to, actor);
    at[from] = CELL_EMPTY;
    at[to] = outcome == ATTACKER_WINS ? actor : outcome == DEFENDER_WINS ? defender : CELL_EMPTY;
    toggle(crowd, seat, from, table->set_of[actor]);
    if (outcome == ATTACKER_WINS) toggle(crowd, seat, to, table->set_of[actor]);
    uint64_t gone = (uint64_t)(outcome != DEFENDER_WINS) << seat_bit(seat);
    for (int set = 0; set < LANE_OTHERS; set++)
        *slice_word(&crowd->plane[~crowd->clock & 1][set][to], seat) &= ~gone;
    lane->ply = crowd->clock + 1;
    if (table->rules->draw_without) memcpy(lane->game.at, at, sizeof lane->game.at);
    bool on = lane_battle(table, lane, side, to, outcome, actor, defender);
    crowd->stop[seat] = lane->stop;
    return on;
}

bool crowd_play_slowly(struct crowd *crowd, int seat) {
    struct lane *lane = crowd_lane_now(crowd, seat);
    lane->changed = 0;
    bool on = slice_has(&crowd->acts, seat)
                  ? lane_play_special(crowd->table, lane, special_drawn(crowd, seat),
                                      (uint32_t)*seat_number(crowd->whole, seat))
                  : lane_ply_slowly(crowd->table, lane, (uint32_t)*seat_number(crowd->whole, seat));
    for (squareset left = lane->changed; left;) {
        square at = squareset_pop(&left);
        put(crowd, seat, at, lane->game.at[at]);
    }
    struct lane_ply ply = crowd->last_ply[seat];
    *each_byte(&crowd->from, seat) = crowd->code_of[ply.from];
    *each_byte(&crowd->to, seat) = crowd->code_of[ply.to];
    *each_byte(&crowd->placed, seat) = code_placed(crowd, ply);
    slice_set(&crowd->attack, seat, ply.attack);
    crowd->stop[seat] = lane->stop;
    return on;
}

void crowd_stop_games(struct crowd *crowd, uint8_t over[SEATS], int *count) {
    crowd->next_stop = UINT32_MAX;
    for (int seat = 0; seat < SEATS; seat++) {
        if (!slice_has(&crowd->busy, seat)) continue;
        if (crowd->stop[seat] > crowd->clock) {
            if (crowd->stop[seat] < crowd->next_stop) crowd->next_stop = crowd->stop[seat];
            continue;
        }
        lane_finish(crowd->table, crowd_lane_now(crowd, seat));
        crowd_note_over(crowd, seat, over, count);
    }
}

int crowd_run(struct crowd *crowd, uint8_t over[SEATS]) {
    int count;
    do count = crowd_ply(crowd, over);
    while (count == 0);
    return count;
}
