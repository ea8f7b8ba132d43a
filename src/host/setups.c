/* setups.c - files of set-ups.
 *
 * A file whose first line of content holds several ranks ('/') has one set-up on each line; any
 * other is a single set-up with one rank on each line. Every set-up in `struct setups` has passed
 * setup_check(). */
#include "setups.h"

#include <stdlib.h>
#include <string.h>

struct line {
    const char *text; /* without count and comment */
    size_t length;    /* without blanks at the end */
    int column;       /* of `text`, from 1 */
};

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

/* The content of one line: the count in front, digits with a blank behind them, is left out. */
static struct line line_content(const char *text, size_t length) {
    const char *comment = memchr(text, '#', length);
    size_t end = comment ? (size_t)(comment - text) : length, start = 0;
    while (end && is_blank(text[end - 1])) end--;
    while (start < end && is_blank(text[start])) start++;
    size_t digits = start;
    while (digits < end && text[digits] >= '0' && text[digits] <= '9') digits++;
    if (digits > start && digits < end && is_blank(text[digits])) {
        start = digits;
        while (start < end && is_blank(text[start])) start++;
    }
    return (struct line){text + start, end - start, (int)start + 1};
}

static size_t line_length(const char *text, size_t length) {
    const char *end = memchr(text, '\n', length);
    return end ? (size_t)(end - text) : length;
}

/* The first line that is not blank and no comment; length 0 if there is none. */
static struct line first_content(const char *text, size_t length) {
    struct line line = {0};
    for (size_t at = 0; at < length && !line.length;) {
        size_t line_end = line_length(text + at, length - at);
        line = line_content(text + at, line_end);
        at += line_end + 1;
    }
    return line;
}

static bool add_setup(const struct rules *rules, const char *text, size_t length,
                      struct setups *setups, struct fault *fault) {
    size_t count = setups->count;
    if (!(count & (count - 1))) { /* the list doubles at every power of two */
        struct setup *more =
            realloc(setups->list, (count ? 2 * count : 1) * sizeof setups->list[0]);
        if (!more) return fault_set(fault, STATUS_NO_MEMORY, "out of memory");
        setups->list = more;
    }
    struct setup *setup = &setups->list[count];
    if (!setup_read(rules, text, length, setup, fault)) return false;
    if (!setup_check(rules, setup, fault)) return false;
    setups->count++;
    return true;
}

bool setups_read(const struct rules *rules, const char *text, size_t length, struct setups *setups,
                 struct fault *fault) {
    struct fault local = {0}; /* places within a line are moved to places in the text */
    int number = 1;
    bool read = true;
    *setups = (struct setups){0};
    struct line first = first_content(text, length);
    if (!first.length) {
        return fault_set(fault, STATUS_TEXT, "holds no set-up; at least one is expected");
    }
    if (rules->board.zone_ranks > 1 && !memchr(first.text, '/', first.length)) {
        read = add_setup(rules, text, length, setups, &local);
    } else {
        for (size_t at = 0; read && at < length; number++) {
            size_t line_end = line_length(text + at, length - at);
            struct line line = line_content(text + at, line_end);
            if (line.length) {
                read = add_setup(rules, line.text, line.length, setups, &local);
                if (!read) {
                    int column = local.column ? line.column + local.column - 1 : line.column;
                    fault_place(&local, NULL, number, column);
                }
            }
            at += line_end + 1;
        }
    }
    if (read) return true;
    setups_clear(setups);
    fault_set(fault, local.status, "%s", local.text);
    fault_place(fault, NULL, local.line, local.column);
    return false;
}

void setups_clear(struct setups *setups) {
    free(setups->list);
    *setups = (struct setups){0};
}
