/* custom_calls.h - calls with random answers that depend only on the position: they refuse moves,
 * decide battles, and return all effects that do not contradict the board. */
#ifndef ENSIGN_TESTS_CORE_CUSTOM_CALLS_H
#define ENSIGN_TESTS_CORE_CUSTOM_CALLS_H

#include "core/play/calls.h"

/* All calls are declared. NULL without memory. */
struct calls *custom_calls(void);

#endif
