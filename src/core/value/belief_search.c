#include "belief_search.h"

#include "core/play/calls.h"
#include "core/play/legal.h"

#include <string.h>

/* How much what comes after a turn says of it, beside the mind's word at that turn. */
enum { LATER = 4, LATER_OF = 5 };

void belief_search_weigh(const struct mind *mind, struct sampler *sampler) {
    for (int i = 0; i < sampler->deal.pieces; i++) {
        const float *weight = mind->belief.weight[mind->belief.group_of[sampler->piece[i]]];
        double *into = sampler->deal.weight[i];
        for (int kind = 1; kind < KINDS_MAX; kind++)
            if (into[kind] > 0) into[kind] = weight[kind] > 1e-6F ? (double)weight[kind] : 1e-6;
    }
}

/* The best move of the side to move by its own lights; its chance to win. */
static size_t best_move(struct belief_search *look, size_t count, int32_t *chance) {
    enum side side = (enum side)look->game.to_move;
    struct mind *mind = &look->mind[side];
    mind_read(mind, &look->eyes.view[side]);
    mind_moves(mind, look->moves, count, look->chances);
    look->plies_played++;
    size_t best = 0;
    for (size_t i = 1; i < count; i++)
        if (look->chances[i] > look->chances[best]) best = i;
    *chance = look->chances[best];
    return best;
}

static int32_t ended_chance(const struct belief_search *look, enum side own) {
    if (look->game.result == result_win(own)) return CHANCE_CERTAIN;
    return look->game.result == result_win(side_other(own)) ? 0 : CHANCE_CERTAIN / 2;
}

/* Our turns on the way of one game that is played on. */
struct passage {
    enum side own;
    uint64_t way;
    int turns;
    struct {
        struct tree_node *node; /* NULL: not in the tree */
        struct tree_choice *choice;
        int32_t chance; /* as the mind valued it */
        int32_t luck;   /* in the move */
    } turn[LOOK_DEPTH_MAX];
    bool grown; /* a node was added */
};

/* The luck in a move that is about to be played. */
static int32_t luck_of(const struct game *game, struct move move, const struct stakes *stakes) {
    const kind_id mover = cell_kind(game->at[move.from]), met = cell_kind(game->at[move.to]);
    return stakes->luck[evaluation_end(game->rules, (enum side)game->to_move, move, mover, met)];
}

static void pass(struct passage *passage, struct tree_node *node, struct tree_choice *choice,
                 int32_t chance, int32_t luck) {
    passage->turn[passage->turns].node = node;
    passage->turn[passage->turns].choice = choice;
    passage->turn[passage->turns].luck = luck;
    passage->turn[passage->turns++].chance = chance;
}

/* Tells the nodes that were passed what came of it, less luck: what later turns say, and the
 * earlier the less. Returns what that comes to at the beginning. */
static int64_t belief_search_back(const struct passage *passage, int32_t last) {
    int64_t found = last;
    for (int i = passage->turns; i-- > 0;) {
        struct tree_node *node = passage->turn[i].node;
        found -= passage->turn[i].luck;
        if (node) {
            struct tree_choice *choice = passage->turn[i].choice;
            node->tried++;
            choice->tried++;
            choice->sum += found;
        }
        found = (found * LATER + (int64_t)passage->turn[i].chance * (LATER_OF - LATER)) / LATER_OF;
    }
    return found;
}

/* A turn of either side that is not in the tree. False if the game is to be left here, with our
 * chance to win. */
static bool play_by_mind(struct belief_search *look, struct passage *passage, bool ours,
                         bool may_end, struct move *move, int32_t *chance) {
    size_t count = game_moves(&look->game, look->moves, look->room);
    if (count > look->room) count = look->room;
    *chance = CHANCE_CERTAIN / 2;
    if (count == 0) return false;
    *move = look->moves[best_move(look, count, chance)];
    if (!ours) return true;
    const struct evaluation *evaluation = &look->mind[passage->own].evaluation;
    struct tree_node *node = NULL;
    if (!passage->grown)
        node = tree_add(&look->tree, passage->way, look->moves, look->chances, count);
    for (int i = 0; node && i < node->count; i++)
        evaluation_stakes(evaluation, node->choice[i].move, &node->choice[i].stakes);
    passage->grown = true;
    if (may_end) return false;
    struct stakes stakes;
    evaluation_stakes(evaluation, *move, &stakes);
    pass(passage, node, node ? node->choice : NULL, *chance, luck_of(&look->game, *move, &stakes));
    return true;
}

/* Plays on for `depth` plies at least, and until we have to choose where we have not chosen before.
 */
static int64_t play_on(struct belief_search *look, struct passage *passage, int depth) {
    int32_t chance;
    for (int ply = 0; !game_over(&look->game); ply++) {
        const bool ours = look->game.to_move == passage->own;
        struct tree_node *node = ours ? tree_find(&look->tree, passage->way) : NULL;
        struct move move;
        if (node) {
            struct tree_choice *choice = tree_choose(node);
            move = choice->move;
            chance = node->choice->chance;
            if (ply >= LOOK_DEPTH_MAX || game_judge(&look->game, move) != LEGAL)
                return belief_search_back(passage, chance);
            pass(passage, node, choice, chance, luck_of(&look->game, move, &choice->stakes));
        } else if (!play_by_mind(look, passage, ours, ply >= depth, &move, &chance)) {
            return belief_search_back(passage, chance);
        }
        eyes_play(&look->eyes, &look->game, move);
        passage->way = tree_way_on(passage->way, &look->eyes.told[passage->own]);
    }
    return belief_search_back(passage, ended_chance(look, passage->own));
}

void belief_search_ask(struct belief_search *look, const struct mind *mind,
                       const struct move *moves, size_t count) {
    look->asked_count = count;
    for (size_t i = 0; i < count; i++) {
        look->asked[i].move = moves[i];
        evaluation_stakes(&mind->evaluation, moves[i], &look->asked[i].stakes);
    }
}

bool belief_search_once(struct belief_search *look, struct sampler *sampler, struct random *random,
                        int depth, int64_t *sums) {
    const uint64_t paid = calls_paid();
    int64_t found[LOOK_MOVES_MAX];
    const struct view *view = sampler->view;
    enum side own = (enum side)view->side, enemy = side_other(own);
    if (depth > LOOK_DEPTH_MAX) depth = LOOK_DEPTH_MAX;
    sampler_draw(sampler, random, &look->start, look->start_plies, LOOK_PLIES);
    view_turned(view, look->start.at, &look->enemy);
    for (size_t i = 0; i < look->asked_count; i++) {
        const struct move move = look->asked[i].move;
        look->game = look->start;
        memcpy(look->plies, look->start_plies, look->start.ply_count * sizeof *look->plies);
        look->game.plies = look->plies;
        look->eyes.view[own] = *view;
        look->eyes.view[enemy] = look->enemy;
        if (game_judge(&look->game, move) == LEGAL) {
            const int32_t luck = luck_of(&look->game, move, &look->asked[i].stakes);
            eyes_play(&look->eyes, &look->game, move);
            struct passage passage = {.own = own, .way = tree_way(move)};
            passage.way = tree_way_on(passage.way, &look->eyes.told[own]);
            found[i] = play_on(look, &passage, depth) - luck;
        } else {
            found[i] = CHANCE_CERTAIN / 2;
        }
        if (calls_paid() - paid > look->calls_max) return false;
    }
    for (size_t i = 0; i < look->asked_count; i++) sums[i] += found[i];
    return true;
}
