/* playout.c - plays games in crowds or lanes, or by listing moves where lanes do not fit.
 *
 * A large batch fills a crowd: the next game takes the seat of each finished one. Once none is
 * waiting and few are left, these finish in lanes, several at a time, and the last ones alone. The
 * results are the same in all cases. */
#include "playout.h"

#include "core/lanes/crowd.h"

#include <stdlib.h>
#include <string.h>

enum { CROWD_WORTH = 96 }; /* from this many games on a crowd is faster than lanes */

struct playouts {
    struct lanes_table table;
    struct lane lane[LANES_TOGETHER];
    const struct rules *rules;
    const char *why_listed;
    uint32_t cap;
    struct lane_ply *lane_plies; /* LANE_PAST_MAX + cap for each lane */
    struct crowd *crowd;         /* NULL if moves are listed or crowds are impossible */
    struct ply *plies;           /* LANE_PAST_MAX + cap if moves are listed, else NULL */
    struct move *moves;          /* rules.moves_max if moves are listed, else NULL */
};

struct playouts *playouts_new(const struct rules *rules, uint32_t cap) {
    struct playouts *playouts = aligned_alloc(_Alignof(struct playouts), sizeof *playouts);
    if (!playouts) return NULL;
    memset(playouts, 0, sizeof *playouts);
    playouts->rules = rules;
    playouts->cap = cap;
    playouts->why_listed = lanes_table_build(&playouts->table, rules);
    size_t plies = LANE_PAST_MAX + (size_t)cap;
    bool complete;
    if (playouts->why_listed) {
        playouts->plies = malloc(plies * sizeof *playouts->plies);
        playouts->moves = malloc(rules->moves_max * sizeof *playouts->moves);
        complete = playouts->plies && playouts->moves;
    } else {
        bool crowds = !crowd_why_not(&playouts->table);
        playouts->lane_plies = malloc(LANES_TOGETHER * plies * sizeof *playouts->lane_plies);
        if (crowds) playouts->crowd = crowd_new(&playouts->table, cap);
        complete = playouts->lane_plies && (playouts->crowd || !crowds);
    }
    if (complete) return playouts;
    playouts_free(playouts);
    return NULL;
}

void playouts_free(struct playouts *playouts) {
    if (!playouts) return;
    crowd_free(playouts->crowd);
    free(playouts->lane_plies);
    free(playouts->plies);
    free(playouts->moves);
    free(playouts);
}

const char *playouts_why_listed(const struct playouts *playouts) {
    return playouts->why_listed;
}

int playouts_at_once(const struct playouts *playouts, const char **why) {
    if (why) *why = NULL;
    if (playouts->crowd) return SEATS;
    if (why) *why = playouts->why_listed ? playouts->why_listed : crowd_why_not(&playouts->table);
    return playouts->why_listed ? 1 : LANES_TOGETHER;
}

const char *playouts_instructions(void) {
    return lanes_instructions();
}

static void result_fill(const struct game *game, uint32_t plies, const uint16_t attacks[KINDS_MAX],
                        struct playout_result *result) {
    result->result = game->result;
    result->reason = game->reason;
    result->plies = plies;
    memcpy(result->attacks, attacks, sizeof result->attacks);
    memcpy(result->at, game->at, sizeof result->at);
}

static const uint16_t NO_ATTACKS[KINDS_MAX];

/* Plays a copy of the game by listing moves; copies the history needed by the repetition rules. */
static void run_listed(struct playouts *playouts, const struct game *start, struct random *random,
                       struct playout_result *result) {
    struct game game = *start;
    uint16_t attacks[KINDS_MAX] = {0};
    uint32_t past = lane_past(start), forgotten = start->ply_count - past;
    if (past) memcpy(playouts->plies, start->plies + forgotten, past * sizeof *playouts->plies);
    game.plies = playouts->plies;
    game.ply_count = past;
    game.ply_capacity = past + playouts->cap;
    game.earlier += forgotten;
    if (game.limits.plies) game.limits.plies -= forgotten;
    for (int side = RED; side <= BLUE; side++)
        if (game.chaser[side].chase > past) game.chaser[side].chase = (uint16_t)past;
    while (!game_over(&game)) {
        size_t count = game_moves(&game, playouts->moves, playouts->rules->moves_max);
        if (count == 0) break;
        struct move move = playouts->moves[random_below(random, (uint32_t)count)];
        if (move.to != move.from && game.at[move.to]) attacks[cell_kind(game.at[move.from])]++;
        game_play(&game, move, NULL);
    }
    result_fill(&game, game.ply_count - past, attacks, result);
}

static struct lane_ply *plies_of_lane(const struct playouts *playouts, int lane) {
    return playouts->lane_plies + (size_t)lane * (LANE_PAST_MAX + (size_t)playouts->cap);
}

static void enter_lane(struct playouts *playouts, int lane, const struct game *start,
                       struct random random) {
    lane_start(&playouts->table, &playouts->lane[lane], start, playouts->cap, random,
               plies_of_lane(playouts, lane));
}

static void leave_lane(const struct lane *lane, struct playout_result *result) {
    result_fill(&lane->game, lane->ply - lane->started, lane->attacks, result);
}

void playout_run(struct playouts *playouts, const struct game *start, struct random random,
                 struct playout_result *result) {
    if (game_over(start)) {
        result_fill(start, 0, NO_ATTACKS, result);
    } else if (playouts->why_listed) {
        run_listed(playouts, start, &random, result);
    } else {
        enter_lane(playouts, 0, start, random);
        lane_run(&playouts->table, &playouts->lane[0]);
        leave_lane(&playouts->lane[0], result);
    }
}

struct batch {
    const struct game *starts;
    size_t step; /* between starts: 1, or 0 if all games have the same */
    size_t count, next;
    uint64_t seed;
    struct playout_result *results;
    size_t in_lane[LANES_TOGETHER]; /* index of the game in each lane */
    size_t on_seat[SEATS];          /* index of the game on each seat */
    uint8_t staying[SEATS];         /* seats whose games move into lanes next, the last one first */
    int stay;                       /* number of those seats */
};

static const struct game *start_of(const struct batch *batch, size_t index) {
    return &batch->starts[index * batch->step];
}

/* Goes to the next game that is not over at its start; false if none is left. */
static bool skip_finished(struct batch *batch) {
    for (; batch->next < batch->count; batch->next++) {
        const struct game *start = start_of(batch, batch->next);
        if (!game_over(start)) return true;
        result_fill(start, 0, NO_ATTACKS, &batch->results[batch->next]);
    }
    return false;
}

static struct random random_of(const struct batch *batch, size_t index) {
    return random_stream(batch->seed, STREAM_PLAYOUT, index);
}

/* Puts a game left in the crowd, else the next new one, into the lane; false if there is none. */
static bool fill_lane(struct playouts *playouts, struct batch *batch, int lane) {
    size_t *index = &batch->in_lane[lane];
    if (batch->stay) {
        int seat = batch->staying[--batch->stay];
        *index = batch->on_seat[seat];
        crowd_leave(playouts->crowd, seat, &playouts->lane[lane], plies_of_lane(playouts, lane));
        return true;
    }
    if (!skip_finished(batch)) return false;
    *index = batch->next++;
    enter_lane(playouts, lane, start_of(batch, *index), random_of(batch, *index));
    return true;
}

static void run_in_lanes(struct playouts *playouts, struct batch *batch) {
    struct lane *lanes[LANES_TOGETHER];
    unsigned busy = 0;
    for (int i = 0; i < LANES_TOGETHER; i++) {
        lanes[i] = &playouts->lane[i];
        busy |= (unsigned)fill_lane(playouts, batch, i) << i;
    }
    while (busy == (1u << LANES_TOGETHER) - 1) {
        unsigned over = lanes_run(&playouts->table, lanes);
        for (int i = 0; i < LANES_TOGETHER; i++) {
            if (!(over >> i & 1)) continue;
            leave_lane(lanes[i], &batch->results[batch->in_lane[i]]);
            if (!fill_lane(playouts, batch, i)) busy &= ~(1u << i);
        }
    }
    for (int i = 0; i < LANES_TOGETHER; i++) {
        if (!(busy >> i & 1)) continue;
        lane_run(&playouts->table, lanes[i]);
        leave_lane(lanes[i], &batch->results[batch->in_lane[i]]);
    }
}

/* Fills free seats with the next games, as long as their side to move is the crowd's. */
static void fill_seats(struct playouts *playouts, struct batch *batch, uint8_t *free, int *count) {
    while (*count && skip_finished(batch) &&
           start_of(batch, batch->next)->to_move == crowd_to_move(playouts->crowd)) {
        int seat = free[--*count];
        batch->on_seat[seat] = batch->next++;
        crowd_enter(playouts->crowd, seat, start_of(batch, batch->on_seat[seat]),
                    random_of(batch, batch->on_seat[seat]));
    }
}

/* Plays until few games are left, which stay on their seats. */
static void run_in_crowd(struct playouts *playouts, struct batch *batch) {
    uint8_t free[SEATS];
    int count = SEATS;
    for (int seat = 0; seat < SEATS; seat++) free[seat] = (uint8_t)seat;
    while (skip_finished(batch) || SEATS - count >= CROWD_WORTH) {
        fill_seats(playouts, batch, free, &count);
        for (int over = crowd_ply(playouts->crowd, free + count); over > 0; over--, count++)
            leave_lane(crowd_lane(playouts->crowd, free[count]),
                       &batch->results[batch->on_seat[free[count]]]);
    }
    bool is_free[SEATS] = {false};
    for (int i = 0; i < count; i++) is_free[free[i]] = true;
    for (int seat = 0; seat < SEATS; seat++)
        if (!is_free[seat]) batch->staying[batch->stay++] = (uint8_t)seat;
}

static void run_batch(struct playouts *playouts, struct batch *batch) {
    if (!playouts->why_listed) {
        if (playouts->crowd && batch->count >= CROWD_WORTH) run_in_crowd(playouts, batch);
        run_in_lanes(playouts, batch);
        return;
    }
    for (size_t i = 0; i < batch->count; i++)
        playout_run(playouts, start_of(batch, i), random_of(batch, i), &batch->results[i]);
}

void playout_batch(struct playouts *playouts, const struct game *starts, size_t count,
                   uint64_t seed, struct playout_result *results) {
    struct batch batch = {starts, .step = 1, .count = count, .seed = seed, .results = results};
    run_batch(playouts, &batch);
}

void playout_repeat(struct playouts *playouts, const struct game *start, size_t count,
                    uint64_t seed, struct playout_result *results) {
    struct batch batch = {start, .step = 0, .count = count, .seed = seed, .results = results};
    run_batch(playouts, &batch);
}
