/* sample.h - whole games that one side may be playing, drawn by chance: a view with an army for the
 * enemy that fits all that the view knows.
 *
 * A sample is a struct game like any other; whatever plays on it learns nothing of the true one,
 * since it is made of the view alone. It has fallen and returned pieces, uses of abilities, quiet
 * plies and limits as the view has them. Of the history it has the latest moves, as far back as
 * they were plain moves without attacks or abilities and as far as a repetition rule looks at them
 * (SAMPLE_TAIL at most); what an attack interrupted is not counted. Where the rules limit sight,
 * pieces out of sight stand anywhere that is not seen, those that never move in their own zone, and
 * there is no history. */
#ifndef ENSIGN_CORE_KNOW_SAMPLE_H
#define ENSIGN_CORE_KNOW_SAMPLE_H

#include "deal.h"
#include "view.h"

enum { SAMPLE_TAIL = VIEW_RECENT };

struct sampler {
    const struct view *view; /* as it is in this turn */
    struct deal deal;
    uint16_t piece[DEAL_PIECES_MAX]; /* by number in `deal`: the view's number */

    /* The rest is for sample.c alone. */
    enum side hidden;             /* the side whose army is drawn */
    bool fresh;                   /* nobody has moved, and that side will be second */
    uint8_t placed[2][KINDS_MAX]; /* pieces that abilities brought back, of known kinds */
    int first_returned;           /* pieces with this number and above were brought back */
    int tail;                     /* recent moves that are replayed; settled by the first sample */
    bool tail_settled;
    struct position base;          /* before those moves: known pieces, and the latest draw */
    square stood[DEAL_PIECES_MAX]; /* where the hidden pieces stand in it; SQUARE_NONE for those
                                      out of sight */
    cell mark[DEAL_PIECES_MAX];    /* what their cells are marked with there */
    squareset dark;                /* where those out of sight may stand */
};

/* Begins with the view as it is now, its game running. `may_be` are the kinds each of the view's
 * pieces may be, at least; `clear` squares on which nothing stands though they may be out of sight.
 * The weights are even; the caller may change those in sampler->deal that are not 0, and then calls
 * deal_prepare(). */
void sampler_start(struct sampler *sampler, const struct view *view, const kindset *may_be,
                   squareset clear);

/* Draws an army and starts a game with it. Draws again, some hundred times at most, where the game
 * would be over or an army that has not moved yet could not. `capacity` is at least SAMPLE_TAIL
 * more than what will be played. */
void sampler_draw(struct sampler *sampler, struct random *random, struct game *game,
                  struct ply *plies, uint32_t capacity);

#endif
