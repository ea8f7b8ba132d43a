/* belief_search.h - looks ahead on what is known: plays on from a view, with both sides by their
 * values.
 *
 * Each time an enemy army is drawn by belief. Every move that is asked about is played against it,
 * then the enemy answers by what it would know, with our hidden pieces hidden, and we by what we
 * would know and by what was found before at the same turn (tree.h). So nobody acts on what he
 * cannot know, and the same armies judge all moves.
 *
 * What is found is a mean of how we would value the position at each of our turns on the way and at
 * the end: the first counts a fifth, the next a fifth of the rest, and so on. A long way says more
 * of the position, a short one says it with less of chance.
 *
 * What an attack of ours on an unknown piece gains or loses by the army that was drawn, against
 * what we expected of it, is luck, and is taken off: on the average that changes nothing, and fewer
 * armies tell as much (luck-adjusted rollouts, as in backgammon; control variates). */
#ifndef ENSIGN_CORE_VALUE_BELIEF_SEARCH_H
#define ENSIGN_CORE_VALUE_BELIEF_SEARCH_H

#include "core/know/eyes.h"
#include "core/know/sample.h"
#include "mind.h"
#include "tree.h"

enum {
    LOOK_DEPTH_MAX = 64,                           /* plies after the move that is asked about */
    LOOK_PLIES = SAMPLE_TAIL + LOOK_DEPTH_MAX + 3, /* of a game */
    LOOK_MOVES_MAX = 256                           /* asked about at once */
};

/* Memory for looking ahead, kept for a game. */
struct belief_search {
    struct mind mind[2]; /* ours and the enemy's */
    struct game game;
    struct ply plies[LOOK_PLIES];
    struct eyes eyes;
    struct game start; /* the imagined game before the moves that are asked about */
    struct ply start_plies[LOOK_PLIES];
    struct view enemy;
    struct tree tree; /* of our later turns; to be cleared when there is another view */
    struct {
        struct move move;
        struct stakes stakes;
    } asked[LOOK_MOVES_MAX];
    size_t asked_count;
    struct move *moves;    /* the caller's room */
    int32_t *chances;      /* the same */
    size_t room;           /* of both */
    uint64_t plies_played; /* counted up */
    uint64_t calls_max;    /* instructions that a look's calls may use, if they are paid for */
};

/* Makes the sampler's weights those of the belief of `mind`, which has read the sampler's view. The
 * deal must then be prepared. */
void belief_search_weigh(const struct mind *mind, struct sampler *sampler);

/* From now on looks are at these legal moves, at most LOOK_MOVES_MAX, of the view that `mind` has
 * read. */
void belief_search_ask(struct belief_search *look, const struct mind *mind,
                       const struct move *moves, size_t count);

/* Draws an army and looks `depth` plies or more, 0 to LOOK_DEPTH_MAX, beyond each of the moves that
 * were asked about: until it is our turn, and one at which we have not been before. Adds the
 * chances to win, in CHANCE_CERTAIN, to `sums`; less luck, one may be below 0 or above certainty.
 * The view is that of the sampler. Adds nothing and returns false once the variant's calls have
 * used more than `look->calls_max`. */
bool belief_search_once(struct belief_search *look, struct sampler *sampler, struct random *random,
                        int depth, int64_t *sums);

#endif
