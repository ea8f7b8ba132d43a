/* gsn.h - Gravon's line format (`.gsn`): a head, the type, the field, the moves, END, the ending.
 */
#ifndef ENSIGN_HOST_FOREIGN_GSN_H
#define ENSIGN_HOST_FOREIGN_GSN_H

#include "foreign.h"

/* Does it begin as such a file does? */
bool gsn_is(const char *text, size_t length);

/* Reads what is there and complains of the rest. */
void gsn_read(struct foreign *foreign, const struct foreign_help *help, const char *text,
              size_t length);

/* A text ended by 0, to be freed by the caller. NULL with a fault for a game that the format has no
 * type for. It has no word for a game that was not finished: then the last line ends with the
 * names. */
char *gsn_write(const struct foreign *foreign, struct fault *fault);

#endif
