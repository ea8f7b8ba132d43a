/* pointing.c - builds a move by pointing at squares. */
#include "pointing.h"

struct pointing pointing_of(const struct move *moves, size_t count) {
    return (struct pointing){.moves = moves, .count = count, .from = SQUARE_NONE};
}

bool pointing_movable(const struct pointing *pointing, square from) {
    for (size_t i = 0; i < pointing->count; i++)
        if (pointing->moves[i].from == from) return true;
    return false;
}

/* Does the move fit the choices so far? */
static bool is_meant(const struct pointing *pointing, const struct move *move) {
    if (move->from != pointing->from) return false;
    return !pointing->settled || (move->to == pointing->to && move->ability == pointing->ability);
}

squareset pointing_targets(const struct pointing *pointing) {
    squareset targets = 0;
    for (size_t i = 0; i < pointing->count && !pointing->settled; i++) {
        const struct move *move = &pointing->moves[i];
        if (is_meant(pointing, move) && move->to != move->from) targets |= squareset_of(move->to);
    }
    return targets;
}

squareset pointing_aims(const struct pointing *pointing) {
    squareset aims = 0;
    for (size_t i = 0; i < pointing->count; i++) {
        const struct move *move = &pointing->moves[i];
        if (!is_meant(pointing, move) || move->target == SQUARE_NONE) continue;
        if (pointing->settled || move->to == move->from) aims |= squareset_of(move->target);
    }
    return aims;
}

/* Does the move fit the choices so far and the square pointed at? */
static bool leads_through(const struct pointing *pointing, const struct move *move, square at) {
    if (!is_meant(pointing, move)) return false;
    if (pointing->settled || move->to == move->from) return move->target == at;
    return move->to == at;
}

int pointing_ways(const struct pointing *pointing, square at,
                  struct pointing_way ways[POINTING_WAYS_MAX]) {
    int count = 0;
    for (size_t i = 0; i < pointing->count; i++) {
        const struct move *move = &pointing->moves[i];
        if (!leads_through(pointing, move, at)) continue;
        struct pointing_way *way = NULL;
        for (int j = 0; j < count && !way; j++)
            if (ways[j].to == move->to && ways[j].ability == move->ability) way = &ways[j];
        if (!way) {
            if (count == POINTING_WAYS_MAX) break;
            way = &ways[count++];
            *way = (struct pointing_way){move->to, move->ability, move->target, 1};
        } else if (way->target != move->target) {
            way->target = SQUARE_NONE;
            way->targets++;
        }
    }
    return count;
}

kindset pointing_choices(const struct pointing *pointing, const struct pointing_way *way,
                         struct move *move) {
    kindset choices = 0;
    for (size_t i = 0; i < pointing->count; i++) {
        const struct move *offered = &pointing->moves[i];
        if (offered->from != pointing->from || offered->to != way->to ||
            offered->ability != way->ability || offered->target != way->target)
            continue;
        *move = *offered;
        if (offered->choice != KIND_NONE) choices |= kindset_of((kind_id)offered->choice);
    }
    return choices;
}
