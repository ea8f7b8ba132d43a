/* formats.h - imports a foreign game of any known format. */
#ifndef ENSIGN_HOST_FOREIGN_FORMATS_H
#define ENSIGN_HOST_FOREIGN_FORMATS_H

#include "foreign.h"

/* Recognises the format by the text or, if that is damaged, by the ending of the file's `name` (may
 * be NULL), and makes a record, which the caller frees. Faults go to `help`. NULL, after a
 * complaint, if foreign_record() makes none. */
struct record *formats_import(const char *text, size_t length, const char *name,
                              const struct foreign_help *help);

#endif
