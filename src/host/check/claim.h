/* claim.h - runs the tests that a variant brings along.
 *
 * Plays the test's position and moves under the compiled rules and compares the outcome with the
 * test's expectations. */
#ifndef ENSIGN_HOST_CHECK_CLAIM_H
#define ENSIGN_HOST_CHECK_CLAIM_H

#include "base/fault.h"
#include "core/rules/rules.h"
#include "variant/variant_tests.h"

/* Runs one test of `claims`. False after adding an error, at its place in the file, for each
 * expectation that does not hold, or for the reason why the test cannot be run. */
bool claim_holds(const struct rules *rules, const struct claims *claims, const struct claim *claim,
                 struct faults *faults);

#endif
