/* claim.h - does a game do what a variant's own test says of it?
 *
 * Plays the test's position and moves under the compiled rules and compares what has happened with
 * what the test expects. */
#ifndef ENSIGN_HOST_CHECK_CLAIM_H
#define ENSIGN_HOST_CHECK_CLAIM_H

#include "base/faults.h"
#include "core/rules/rules.h"
#include "variant/variant_tests.h"

/* Tries one test. False after an error for each of its expectations that does not hold, or for what
 * keeps it from being tried, was added at its place in `file`. */
bool claim_holds(const struct rules *rules, const char *file, const struct claim *claim,
                 struct faults *faults);

#endif
