/* ucc_log.h - the log of a game that the manager of the 2012 UCC contest wrote. DESIGN 9. */
#ifndef ENSIGN_HOST_FOREIGN_UCC_LOG_H
#define ENSIGN_HOST_FOREIGN_UCC_LOG_H

#include "foreign.h"

/* Is there a line "NAME RED SETUP" near the beginning? */
bool ucc_log_is(const char *text, size_t length);

/* Reads what is there and complains of the rest; what stands before the first set-up is passed
 * over. Such a game is one of "milton-bradley". */
void ucc_log_read(struct foreign *foreign, const struct foreign_help *help, const char *text,
                  size_t length);

#endif
