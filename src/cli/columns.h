/* columns.h - texts in columns of a terminal.
 *
 * A character may take two columns or, if it combines with the one before it, none; what is not
 * safe (base/utf8.h) is shown as '?'. Needs a locale whose LC_CTYPE is UTF-8. */
#ifndef ENSIGN_CLI_COLUMNS_H
#define ENSIGN_CLI_COLUMNS_H

#include <stddef.h>
#include <stdio.h>

/* How many columns the first `length` bytes (SIZE_MAX: all) of a text take. */
int columns_of(const char *text, size_t length);

/* Copies as much of a text as takes at most `columns` and fits, whole characters with all that
 * combines with them. Returns the columns taken. */
int columns_cut(char *out, size_t size, const char *text, int columns);

/* Bytes of the first line of a text that is broken behind blanks into lines of at most so many
 * columns; at least one character, 0 at the end. A '\n' ends a line and is none of its bytes. */
size_t columns_break(const char *text, int columns);

/* Prints a text in at least so many columns, filled with blanks behind it, or before it if
 * `columns` is negative. Returns the columns taken. */
int columns_print(FILE *out, const char *text, int columns);

/* Prints words, broken before column `limit`, later lines indented; the first word comes at
 * `column`, where the line stands, after a blank unless that is `indent`. Ends the line. */
void columns_wrap(FILE *out, const char *text, int column, int indent, int limit);

#endif
