/* gsn.h - Gravon's line format (`.gsn`): head, type, field, moves, END, ending. */
#ifndef ENSIGN_HOST_FOREIGN_GSN_H
#define ENSIGN_HOST_FOREIGN_GSN_H

#include "foreign.h"

/* Does the text begin with the head of the format? */
bool gsn_is(const char *text, size_t length);

/* Reads all it can and complains about the rest. */
void gsn_read(struct foreign *foreign, const struct foreign_help *help, const char *text,
              size_t length);

/* A text ended by 0, which the caller frees. NULL with a fault if the format has no type for the
 * game. The format cannot mark an unfinished game: its last line ends with the names. */
char *gsn_write(const struct foreign *foreign, struct fault *fault);

#endif
