/* ucc_log.h - game logs of the manager of the 2012 UCC contest. DESIGN 9. */
#ifndef ENSIGN_HOST_FOREIGN_UCC_LOG_H
#define ENSIGN_HOST_FOREIGN_UCC_LOG_H

#include "foreign.h"

/* Is there a set-up's head or a turn near the beginning? */
bool ucc_log_is(const char *text, size_t length);

/* Reads all it can, from the first set-up on, and complains about the rest. The variant is
 * "milton-bradley". */
void ucc_log_read(struct foreign *foreign, const struct foreign_help *help, const char *text,
                  size_t length);

#endif
