/* quoted.c - printf(), then each apostrophe becomes a quote. */
#include "quoted.h"

#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

int quoted_write(char line[QUOTED_MAX], const char *form, va_list args) {
    int length = vsnprintf(line, QUOTED_MAX, form, args);
    assert_in_range(length, 1, QUOTED_MAX - 1);
    for (char *at = line; (at = strchr(at, '\''));) *at = '"';
    return length;
}
