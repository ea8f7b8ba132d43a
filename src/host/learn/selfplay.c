
#include "selfplay.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "core/play/calls.h"
#include "core/play/legal.h"
#include "core/value/initiative.h"

/* A position after a turn of one side. */
struct turn_taken {
    uint32_t from, to; /* in `parts` */
    double chance;     /* as valued then */
};

struct selfplay {
    const struct rules *rules;
    struct game game;
    struct ply plies[SELFPLAY_PLIES_MAX + 1];
    struct eyes eyes;
    struct mind mind[2];
    struct terms terms;
    struct turn_taken turns[2][SELFPLAY_PLIES_MAX];
    uint32_t turn_count[2];
    struct part *parts;
    uint32_t part_count, part_room;
    size_t room;
    int32_t *chances;
    struct move *moves;
};

struct selfplay *selfplay_new(const struct rules *rules) {
    struct selfplay *episode = calloc(1, sizeof *episode);
    if (!episode) return NULL;
    episode->rules = rules;
    episode->room = rules->moves_max;
    episode->part_room = SELFPLAY_PLIES_MAX * 400;
    episode->moves = malloc(episode->room * sizeof *episode->moves);
    episode->chances = malloc(episode->room * sizeof *episode->chances);
    episode->parts = malloc(episode->part_room * sizeof *episode->parts);
    if (episode->moves && episode->chances && episode->parts) return episode;
    selfplay_free(episode);
    return NULL;
}

void selfplay_free(struct selfplay *episode) {
    if (!episode) return;
    free(episode->moves);
    free(episode->chances);
    free(episode->parts);
    free(episode);
}

/* The move with the highest chance to win, of those in the list. */
static size_t best_move(struct selfplay *episode, enum side side, size_t count, double noise,
                        struct random *random) {
    mind_moves(&episode->mind[side], episode->moves, count, episode->chances);
    double best = -1, highest = 0;
    size_t chosen = 0;
    for (size_t i = 0; i < count; i++)
        if (episode->chances[i] > highest) highest = episode->chances[i];
    highest /= CHANCE_CERTAIN;
    double scale = noise * 4 * (highest * (1 - highest) + 0.002);
    for (size_t i = 0; i < count; i++) {
        double value = (double)episode->chances[i] / CHANCE_CERTAIN + scale * random_part(random);
        if (value <= best) continue;
        best = value;
        chosen = i;
    }
    return chosen;
}

/* Leaves only moves that press on in the list, if there are any. */
static size_t keep_presses(struct selfplay *episode, const struct view *view, size_t count) {
    struct move *moves = episode->moves;
    struct initiative press;
    size_t kept = 0;
    initiative_read(&press, view);
    for (size_t i = 0; i < count; i++) {
        const struct move move = moves[i];
        if (!initiative_has(&press, move)) continue;
        moves[i] = moves[kept];
        moves[kept++] = move;
    }
    return kept ? kept : count;
}

static size_t pick_move(struct selfplay *episode, const struct selfplay_options *options,
                        enum side side, size_t count, struct random *random) {
    const struct view *view = &episode->eyes.view[side];
    mind_read(&episode->mind[side], view);
    bool presses = initiative_is_due(&episode->mind[side], view);
    double noise = 0;
    if (!options->fixed[side]) {
        if (options->wander > 0 && random_part(random) < options->wander)
            return random_below(random, (uint32_t)count);
        if (options->restless && view->quiet >= options->restless)
            presses |= random_part(random) < options->forward;
        noise = options->noise;
    }
    if (presses) count = keep_presses(episode, view, count);
    return best_move(episode, side, count, noise, random);
}

/* Notes the position after a turn, as its side sees it. */
static void note_turn(struct selfplay *episode, enum side side, int64_t sum) {
    struct mind *mind = &episode->mind[side];
    const int32_t *terms = &episode->terms.own[0][0];
    struct turn_taken *turn = &episode->turns[side][episode->turn_count[side]];
    turn->from = episode->part_count;
    for (int32_t term = 0; term < TERMS; term++) {
        if (!terms[term] || episode->part_count == episode->part_room) continue;
        episode->parts[episode->part_count++] = (struct part){term, terms[term]};
    }
    turn->to = episode->part_count;
    turn->chance = (double)value_chance(mind->measure, sum) / CHANCE_CERTAIN;
    episode->turn_count[side]++;
}

/* The slope of each weight: each turn's value is drawn towards what came after it. */
static void learn_side(const struct selfplay *episode, enum side side, double lambda, double result,
                       struct lesson_taken *taken) {
    double target = result;
    for (uint32_t i = episode->turn_count[side]; i-- > 0;) {
        const struct turn_taken *turn = &episode->turns[side][i];
        double error = target - turn->chance;
        for (uint32_t j = turn->from; j < turn->to; j++) {
            double amount = (double)episode->parts[j].amount / TERM_UNIT;
            taken->slope[episode->parts[j].term] += error * amount;
        }
        taken->surprise += error * error;
        target = lambda * target + (1 - lambda) * turn->chance;
    }
    taken->turns += episode->turn_count[side];
}

/* Keeps some turns of either side, by chance. */
static void keep_turns(const struct selfplay *episode, struct random *random,
                       struct lesson_taken *taken) {
    uint32_t all = episode->turn_count[RED] + episode->turn_count[BLUE];
    for (int i = 0; all && i < TURNS_KEPT; i++) {
        uint32_t number = random_below(random, all);
        bool blue = number >= episode->turn_count[RED];
        if (blue) number -= episode->turn_count[RED];
        const struct turn_taken *turn = &episode->turns[blue][number];
        uint32_t length = turn->to - turn->from;
        if (taken->part_count + length > PARTS_KEPT) return;
        memcpy(taken->parts + taken->part_count, episode->parts + turn->from,
               length * sizeof *taken->parts);
        taken->turn[taken->kept].from = taken->part_count;
        taken->turn[taken->kept].to = taken->part_count += length;
        taken->turn[taken->kept++].bend = turn->chance * (1 - turn->chance);
    }
}

void selfplay_play(struct selfplay *episode, const struct selfplay_options *options,
                   struct random random, struct lesson_taken *taken, struct habit_counts *habits) {
    enum { COUNTED_EVERY = 8 };
    struct position position;
    memset(taken, 0, sizeof *taken);
    position_from_setups(episode->rules, options->setups[RED], options->setups[BLUE],
                         options->first, &position);
    struct limits limits = episode->rules->limits;
    if (!limits.plies || limits.plies > SELFPLAY_PLIES_MAX) limits.plies = SELFPLAY_PLIES_MAX;
    if (options->quiet && (!limits.no_attack || limits.no_attack > options->quiet))
        limits.no_attack = options->quiet;
    game_start(&episode->game, episode->rules, &position, &limits, episode->plies,
               SELFPLAY_PLIES_MAX);
    eyes_open(&episode->eyes, &episode->game);
    episode->part_count = 0;
    for (int side = RED; side <= BLUE; side++) {
        episode->turn_count[side] = 0;
        episode->mind[side].measure = options->measure;
        episode->mind[side].value = options->values[side];
    }
    uint32_t count_at = random_below(&random, COUNTED_EVERY);
    while (!game_over(&episode->game)) {
        enum side side = (enum side)episode->game.to_move;
        size_t count = game_moves(&episode->game, episode->moves, episode->room);
        if (count == 0) break;
        if (!options->fixed[side] && episode->game.ply_count % COUNTED_EVERY == count_at)
            habit_counts_note(habits, &episode->game, &episode->eyes.view[side]);
        size_t chosen = pick_move(episode, options, side, count, &random);
        int64_t sum = 0;
        bool noted = false;
        memset(&episode->terms, 0, sizeof episode->terms);
        if (options->learns[side])
            noted = evaluation_walk(&episode->mind[side].evaluation, episode->moves[chosen], &sum,
                                    &episode->terms);
        eyes_play(&episode->eyes, &episode->game, episode->moves[chosen]);
        if (!options->learns[side] || game_over(&episode->game)) continue;
        if (!noted) {
            mind_read(&episode->mind[side], &episode->eyes.view[side]);
            sum = mind_sum(&episode->mind[side], &episode->terms);
        }
        note_turn(episode, side, sum);
    }
    calls_take(&taken->fault);
    keep_turns(episode, &random, taken);
    taken->result = (enum result)episode->game.result;
    taken->plies = episode->game.ply_count;
    for (int side = RED; side <= BLUE; side++) {
        double result = taken->result == result_win((enum side)side)               ? 1
                        : taken->result == result_win(side_other((enum side)side)) ? 0
                                                                                   : options->draw;
        if (options->learns[side])
            learn_side(episode, (enum side)side, options->lambda, result, taken);
    }
}

struct hall {
    struct selfplay *const *episodes;
    struct pupil *pupils;
    int count;
    atomic_int next, seat;
};

static void *play_some(void *context) {
    struct hall *hall = context;
    struct selfplay *episode = hall->episodes[atomic_fetch_add(&hall->seat, 1)];
    for (;;) {
        int number = atomic_fetch_add(&hall->next, 1);
        if (number >= hall->count) return NULL;
        struct pupil *pupil = &hall->pupils[number];
        selfplay_play(episode, &pupil->options, pupil->random, &pupil->taken, &pupil->habits);
    }
}

void hall_play(struct selfplay *const *episodes, int jobs, struct pupil *pupils, int count) {
    struct hall hall = {.episodes = episodes, .pupils = pupils, .count = count};
    pthread_t threads[HALL_JOBS_MAX];
    int started = 0;
    while (started < jobs - 1 && pthread_create(&threads[started], NULL, play_some, &hall) == 0)
        started++;
    play_some(&hall);
    while (started > 0) pthread_join(threads[--started], NULL);
}

double pupil_points(const struct pupil *pupil, enum side side) {
    if (pupil->taken.result == result_win(side)) return 1;
    return pupil->taken.result == RESULT_DRAW ? 0.5 : 0;
}
