/* sample.h - random complete games consistent with a view: the view plus an enemy army that fits
 * it.
 *
 * Pieces that fell hidden are drawn too, so that the rest is in the right proportion. A sample is
 * an ordinary struct game, made from the view alone, so playing on it reveals nothing of the true
 * one. Fallen and returned pieces, uses of abilities, quiet plies and limits are the view's. The
 * history holds the latest unbroken run of plain moves, as far back as a repetition rule looks
 * (SAMPLE_TAIL at most). Where the rules limit sight there is no history; pieces out of sight stand
 * on random squares out of sight, immobile ones where they may start. */
#ifndef ENSIGN_CORE_KNOW_SAMPLE_H
#define ENSIGN_CORE_KNOW_SAMPLE_H

#include "deal.h"
#include "view.h"

enum { SAMPLE_TAIL = VIEW_RECENT };

struct sampler {
    const struct view *view; /* of this turn */
    struct deal deal;
    uint16_t piece[DEAL_PIECES_MAX]; /* by number in `deal`: the view's number */

    /* Private to sample.c. */
    enum side hidden;             /* the side whose army is drawn */
    bool fresh;                   /* no ply played yet, and `hidden` moves second */
    uint8_t placed[2][KINDS_MAX]; /* returned pieces of known kinds */
    int first_returned;           /* pieces numbered from here on were brought back */
    int tail;                     /* recent moves to replay; settled by the first sample */
    bool tail_settled;
    struct position base;          /* before those moves: known pieces and the latest draw */
    square stood[DEAL_PIECES_MAX]; /* squares of the hidden pieces in `base`; SQUARE_NONE for the
                                      fallen and those out of sight */
    cell mark[DEAL_PIECES_MAX];    /* marks of their cells in `base` */
    squareset dark;                /* possible squares of those out of sight */
};

/* Starts from a view of a running game. `may_be` are the possible kinds of each of the view's
 * pieces, or a superset; `clear` squares known to be empty although out of sight. All weights in
 * sampler->deal are 0 or 1; the caller may change those that are not 0, and must then call
 * deal_prepare(). */
void sampler_start(struct sampler *sampler, const struct view *view, const kindset *may_be,
                   squareset clear);

/* Draws an army and starts a game with it. Draws again, a few hundred times at most, if the game
 * would be over or the army would have no first move. `capacity` must exceed the plies to be played
 * by SAMPLE_TAIL. */
void sampler_draw(struct sampler *sampler, struct random *random, struct game *game,
                  struct ply *plies, uint32_t capacity);

#endif
