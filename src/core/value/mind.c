#include "mind.h"

void mind_read(struct mind *mind, const struct view *view) {
    belief_make(&mind->belief, view, &mind->value->habits);
    evaluation_make(&mind->evaluation, view, mind->measure, &mind->belief, &mind->value->weights);
}

void mind_moves(struct mind *mind, const struct move *moves, size_t count, int32_t *chances) {
    for (size_t i = 0; i < count; i++) chances[i] = evaluation_move(&mind->evaluation, moves[i]);
}

int64_t mind_sum(const struct mind *mind, struct terms *terms) {
    return evaluation_sum(&mind->evaluation, terms);
}
