/* formats.h - foreign records of any known format into ours. */
#ifndef ENSIGN_HOST_FOREIGN_FORMATS_H
#define ENSIGN_HOST_FOREIGN_FORMATS_H

#include "foreign.h"

/* Recognises the format by the text, or, where that is damaged, by the ending of the file's `name`
 * (may be NULL), and makes a record of it. Everything that is wrong is complained of. NULL, after a
 * complaint, if there is nothing to keep; the caller frees. */
struct record *formats_import(const char *text, size_t length, const char *name,
                              const struct foreign_help *help);

#endif
