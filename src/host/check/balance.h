/* balance.h - is a variant fair, and does every piece have a part in it?
 *
 * Many games by random moves from random set-ups, played as fast as that goes (playout.h). Nothing
 * is checked on the way: that is what trial games are for (trial.h). The same seed gives the same
 * figures. Variants that are asked during play are not played here: they would take too long. */
#ifndef ENSIGN_HOST_CHECK_BALANCE_H
#define ENSIGN_HOST_CHECK_BALANCE_H

#include "core/play/game.h"

struct balance_options {
    const struct rules *rules; /* without calls */
    uint32_t games;            /* 0: none */
    uint64_t seed;
    int64_t deadline; /* a time of clock_ms(): no further games are begun then; 0: none */
};

enum { QUARTILES = 3 };

struct balance {
    uint32_t games;
    uint32_t wins[2], draws;           /* wins by side */
    uint32_t first_wins, first_losses; /* of the side that began */
    uint32_t reasons[REASON_COUNT];    /* games by how they ended */
    uint32_t shortest, longest;        /* plies of a game */
    uint32_t quartile[QUARTILES];      /* a quarter, half, three quarters last that long at most */
    uint64_t attacks[KINDS_MAX];       /* by the attacker's kind, both sides */
    uint64_t falls[KINDS_MAX];         /* off the board at the end, by kind, both sides */
};

/* Plays the games, fewer where time runs out. False with a fault when a set-up cannot be drawn or
 * memory is short. */
bool balance_run(const struct balance_options *options, struct balance *balance,
                 struct fault *fault);

#endif
