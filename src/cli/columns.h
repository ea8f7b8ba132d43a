/* columns.h - measuring, cutting, padding and wrapping text in terminal columns.
 *
 * A character may take two columns or, if it combines with the one before it, none; an unsafe one
 * (base/utf8.h) is shown as '?'. Needs an LC_CTYPE in UTF-8. */
#ifndef ENSIGN_CLI_COLUMNS_H
#define ENSIGN_CLI_COLUMNS_H

#include <stddef.h>
#include <stdio.h>

/* Columns of the first `length` bytes (SIZE_MAX: all) of a text. */
int columns_of(const char *text, size_t length);

/* Copies as many whole characters, with their combining marks, as fit into `columns` and `size`.
 * Returns the columns taken. */
int columns_cut(char *out, size_t size, const char *text, int columns);

/* Bytes of the first line when a text is broken after blanks into lines of at most `columns`. At
 * least one character, 0 at the end of the text. A '\n' ends a line and is not counted. */
size_t columns_break(const char *text, int columns);

/* Prints a text padded to `columns`: blanks after it, or before it if `columns` is negative.
 * Returns the columns taken. */
int columns_print(FILE *out, const char *text, int columns);

/* Prints words, wrapped before column `limit`, with later lines indented. `column` is the current
 * column; a blank precedes the first word unless it equals `indent`. Ends the line. */
void columns_wrap(FILE *out, const char *text, int column, int indent, int limit);

#endif
