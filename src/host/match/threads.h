/* threads.h - the carrier that plays pairs in threads of this process, `jobs` of the options, the
 * calling one among them. */
#ifndef ENSIGN_HOST_MATCH_THREADS_H
#define ENSIGN_HOST_MATCH_THREADS_H

#include "carrier.h"

extern const struct carrier THREADS;

#endif
