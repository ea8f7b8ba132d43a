#include "look.h"

#include "core/play/legal.h"

#include <string.h>

void look_weigh(const struct mind *mind, struct sampler *sampler) {
    for (int i = 0; i < sampler->deal.pieces; i++) {
        const float *weight = mind->belief.weight[mind->belief.group_of[sampler->piece[i]]];
        double *into = sampler->deal.weight[i];
        for (int kind = 1; kind < KINDS_MAX; kind++)
            if (into[kind] > 0) into[kind] = weight[kind] > 1e-6F ? (double)weight[kind] : 1e-6;
    }
}

/* The best move of the side to move by its own lights; its chance to win. */
static size_t best_move(struct look *look, size_t count, int32_t *chance) {
    enum side side = (enum side)look->game.to_move;
    struct mind *mind = &look->mind[side];
    mind_read(mind, &look->eyes.view[side]);
    mind_moves(mind, look->moves, count, look->chances);
    size_t best = 0;
    for (size_t i = 1; i < count; i++)
        if (look->chances[i] > look->chances[best]) best = i;
    *chance = look->chances[best];
    return best;
}

static int32_t ended_chance(const struct look *look, enum side own) {
    if (look->game.result == result_win(own)) return CHANCE_CERTAIN;
    return look->game.result == result_win(side_other(own)) ? 0 : CHANCE_CERTAIN / 2;
}

/* Plays on until `own` has to choose again after `depth` plies or more. */
static int32_t play_on(struct look *look, enum side own, int depth) {
    for (;;) {
        if (game_over(&look->game)) return ended_chance(look, own);
        size_t count = game_moves(&look->game, look->moves, look->room);
        if (count > look->room) count = look->room;
        if (count == 0) return CHANCE_CERTAIN / 2;
        int32_t chance;
        size_t best = best_move(look, count, &chance);
        look->plies_played++;
        if (depth <= 0) return look->game.to_move == own ? chance : CHANCE_CERTAIN - chance;
        eyes_play(&look->eyes, &look->game, look->moves[best]);
        depth--;
    }
}

void look_once(struct look *look, struct sampler *sampler, struct random *random,
               const struct move *moves, size_t count, int depth, int64_t *sums) {
    const struct view *view = sampler->view;
    enum side own = (enum side)view->side, enemy = side_other(own);
    if (depth > LOOK_DEPTH_MAX) depth = LOOK_DEPTH_MAX;
    sampler_draw(sampler, random, &look->start, look->start_plies, LOOK_PLIES);
    view_turned(view, look->start.at, &look->enemy);
    for (size_t i = 0; i < count; i++) {
        look->game = look->start;
        memcpy(look->plies, look->start_plies, look->start.ply_count * sizeof *look->plies);
        look->game.plies = look->plies;
        look->eyes.view[own] = *view;
        look->eyes.view[enemy] = look->enemy;
        if (game_judge(&look->game, moves[i]) == LEGAL) {
            eyes_play(&look->eyes, &look->game, moves[i]);
            sums[i] += play_on(look, own, depth);
        } else {
            sums[i] += CHANCE_CERTAIN / 2;
        }
    }
}
