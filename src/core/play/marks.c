/* marks.c - moves marks with their pieces, and adds those of abilities. */
#include "marks.h"

#include "turn.h"

void marks_clear(struct marks *marks, square at) {
    mark_count_set(&marks->spent, at, 0);
    mark_count_set(&marks->held, at, 0);
    mark_count_set(&marks->stood, at, 0);
}

static void count_swap(struct mark_count *count, square at, square to) {
    unsigned here = mark_count_at(count, at);
    mark_count_set(count, at, mark_count_at(count, to));
    mark_count_set(count, to, here);
}

void marks_swap(struct marks *marks, square at, square to) {
    count_swap(&marks->spent, at, to);
    count_swap(&marks->held, at, to);
    mark_count_set(&marks->stood, at, 0);
    mark_count_set(&marks->stood, to, 0);
}

/* The use of an ability by the piece on move.to. */
static void mark_use(struct marks *marks, const struct ability *ability, struct move move,
                     unsigned effects) {
    bool swap = effects & EFFECT_SWAP;
    square actor = swap ? move.target : move.to, target = swap ? move.to : move.target;
    if (swap) marks_swap(marks, move.to, move.target);
    unsigned spent = mark_count_at(&marks->spent, actor);
    if (ability->each) mark_count_set(&marks->spent, actor, spent + 1);
    if (ability->rest) mark_count_set(&marks->held, actor, ability->rest);
    if (effect_hold(effects)) mark_count_set(&marks->held, target, effect_hold(effects));
    if (effects & (EFFECT_REMOVE_TARGET | EFFECT_PLACE)) marks_clear(marks, move.target);
    if (effects & EFFECT_REMOVE_ACTOR) marks_clear(marks, move.to);
}

struct marks marks_after(const struct game *game, struct move move, const struct turn *turn) {
    struct marks marks = game->marks;
    marks_pass(&marks, game->pieces[game->to_move]);
    if (move.to != move.from) {
        bool fights = game->at[move.to] != CELL_EMPTY;
        if (!fights || turn->outcome != DEFENDER_WINS) {
            marks_clear(&marks, move.to);
            if (!turn->stays) marks_swap(&marks, move.from, move.to);
        }
        if (fights && turn->outcome == BOTH_FALL) marks_clear(&marks, move.to);
        if (!turn->stays) marks_clear(&marks, move.from);
    }
    if (turn->used) mark_use(&marks, &game->rules->ability[move.ability], move, turn->effects);
    return marks;
}
