/* compliance.h - tests an external program: does it keep to its protocol in every variant?
 *
 * It plays games against an opponent that moves at random, as red and as blue by turns: from armies
 * of its own and, where its protocol knows that, in the middle of games of random moves. Its
 * answers must be legal and in time; an offer of a draw must be answered; and at the end it must
 * exit. A program that is told a seed plays some games twice, and once with messages and once with
 * lines between the questions that no protocol has. Each fault names variant, seed, game, ply and
 * position; the same terms repeat it. */
#ifndef ENSIGN_HOST_CHECK_COMPLIANCE_H
#define ENSIGN_HOST_CHECK_COMPLIANCE_H

#include "base/fault.h"
#include "lua/folders.h"

#include <jansson.h>
#include <stdatomic.h>

struct compliance_terms {
    const struct folders *folders;
    const char *program;     /* as player_open() takes it */
    const char *variant;     /* NULL: all that have a name and that the protocol can express */
    uint32_t positions;      /* in which it is asked for a move, in each variant */
    int deadline;            /* ms for each answer, from 1 */
    bool wall;               /* it is locked up (program/external_wall.h) */
    uint64_t seed;           /* of all games */
    const atomic_bool *stop; /* when this becomes true no further game begins */
};

/* Adds its faults to `faults`: errors that lose games, and warnings. `facts`, an object, gets the
 * figures of `check --json`. True if there are no errors and nothing was left out. */
bool compliance_test(const struct compliance_terms *terms, struct faults *faults, json_t *facts);

#endif
