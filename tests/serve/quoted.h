/* quoted.h - requests as tests write them: with apostrophes for quotes. */
#ifndef ENSIGN_TESTS_SERVE_QUOTED_H
#define ENSIGN_TESTS_SERVE_QUOTED_H

#include <stdarg.h>

enum { QUOTED_MAX = 4096 };

/* Writes `form` with quotes for its apostrophes; returns the length, which must fit. */
int quoted_write(char line[QUOTED_MAX], const char *form, va_list args);

#endif
