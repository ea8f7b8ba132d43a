/* balance.h - is a variant fair, and does every piece matter?
 *
 * Plays many games of random moves from random set-ups at full speed (playout.h), without the
 * checks of trial games (trial.h). The same seed gives the same figures. Variants with calls are
 * too slow for this. */
#ifndef ENSIGN_HOST_CHECK_BALANCE_H
#define ENSIGN_HOST_CHECK_BALANCE_H

#include "core/play/game.h"

struct balance_options {
    const struct rules *rules; /* without calls */
    uint32_t games;            /* 0: none */
    uint64_t seed;
    int64_t deadline; /* a time of clock_ms() after which no games are started; 0: none */
};

enum { QUARTILES = 3 };

struct balance {
    uint32_t games;
    uint32_t wins[2], draws;           /* wins by side */
    uint32_t first_wins, first_losses; /* of the side that moved first */
    uint32_t reasons[REASON_COUNT];    /* games by reason */
    uint32_t shortest, longest;        /* plies of a game */
    uint32_t quartile[QUARTILES];      /* of the plies of a game */
    uint64_t attacks[KINDS_MAX];       /* by the attacker's kind, both sides */
    uint64_t falls[KINDS_MAX];         /* off the board at the end, by kind, both sides */
};

/* Plays the games, or fewer if time runs out. False with a fault if a set-up cannot be drawn or
 * memory is short. */
bool balance_run(const struct balance_options *options, struct balance *balance,
                 struct fault *fault);

#endif
