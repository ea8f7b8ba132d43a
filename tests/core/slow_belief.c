/* The beliefs of slow_value.h. */
#include "slow_value.h"

#include <math.h>
#include <string.h>

/* Every piece has a row of its own; rows and columns are scaled in turn. */
void slow_belief(const struct view *view, const struct habits *habits, double chance[][KINDS_MAX]) {
    enum { ROUNDS = 6 };
    const struct rules *rules = view->rules;
    bool counted[2 * BOARD_SQUARES_MAX] = {false}, hidden = false;
    struct origins origins;
    origins_read(view, &origins);
    for (int i = 0; i < view->count; i++) {
        const struct view_piece *piece = &view->piece[i];
        memset(chance[i], 0, sizeof chance[i]);
        const bool told = piece->kind != KIND_NONE; /* if it has fallen, what it was */
        counted[i] =
            piece->side != view->side && (piece->at != SQUARE_NONE || piece->unseen || !told);
        if (!counted[i]) continue;
        kindset may_be = view_may_be(view, i);
        const bool certain = __builtin_popcount(may_be) == 1;
        uint8_t signs[SIGN_SORTS];
        signs_of(view, &origins, piece, signs);
        hidden |= !certain;
        for (kind_id kind = 1; kind <= rules->kinds; kind++) {
            if (!(may_be >> kind & 1)) continue;
            chance[i][kind] = 1;
            for (int s = 0; s < SIGN_SORTS && !certain; s++)
                chance[i][kind] *= fmax(1, habits->ratio[signs[s]][kind]) / HABIT_UNIT;
        }
    }
    for (int round = 0; round <= (hidden ? ROUNDS : 0); round++) {
        for (int i = 0; i < view->count; i++) {
            double sum = 0;
            for (int kind = 1; kind < KINDS_MAX; kind++) sum += chance[i][kind];
            for (int kind = 1; kind < KINDS_MAX && sum > 0; kind++) chance[i][kind] /= sum;
        }
        if (round == ROUNDS) break;
        for (int kind = 1; kind <= rules->kinds && hidden; kind++) {
            double sum = 0,
                   left = view->start[1 - view->side][kind] - view->captured[1 - view->side][kind];
            for (int i = 0; i < view->count; i++) sum += chance[i][kind];
            for (int i = 0; i < view->count && sum > 0; i++) chance[i][kind] *= left / sum;
        }
    }
}
