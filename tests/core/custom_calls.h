/* custom_calls.h - calls that answer by chance, but always the same to the same position: they
 * refuse moves, decide battles, and do whatever effects can do without contradicting the board. */
#ifndef ENSIGN_TESTS_CORE_CUSTOM_CALLS_H
#define ENSIGN_TESTS_CORE_CUSTOM_CALLS_H

#include "core/play/calls.h"

/* All calls are declared. NULL without memory. */
struct calls *custom_calls(void);

#endif
