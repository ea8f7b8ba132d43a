/* setup_pool.c - files of set-ups.
 *
 * A file has one set-up on each line if its first line of content has several ranks ('/') or any
 * line has all of them; else it is a single set-up with one rank on each line. Every set-up in a
 * pool has passed setup_check(). */
#include "setup_pool.h"

#include "base/buffer.h"
#include "base/lines.h"

#include <stdlib.h>
#include <string.h>

/* Larger counts are cut to about this, so that their sum cannot overflow. */
static const uint64_t SEEN_MAX = UINT64_C(1000000000000);

struct setups_line {
    const char *text; /* without count and comment */
    size_t length;    /* without blanks at the end */
    int column;       /* of `text`, from 1 */
    uint64_t seen;    /* the count */
};

/* Splits a line into count (digits and a blank), content and comment. */
static struct setups_line line_content(const char *text, size_t length) {
    const char *comment = memchr(text, '#', length);
    size_t end = comment ? (size_t)(comment - text) : length, start = 0;
    uint64_t seen = 1;
    while (end && lines_blank(text[end - 1])) end--;
    while (start < end && lines_blank(text[start])) start++;
    size_t digits = start;
    while (digits < end && text[digits] >= '0' && text[digits] <= '9') digits++;
    if (digits > start && digits < end && lines_blank(text[digits])) {
        seen = 0;
        for (; start < digits; start++)
            if (seen < SEEN_MAX) seen = 10 * seen + (uint64_t)(text[start] - '0');
        while (start < end && lines_blank(text[start])) start++;
    }
    return (struct setups_line){text + start, end - start, (int)start + 1, seen};
}

/* Is there one set-up a line? `anything`: there is content. */
static bool one_a_line(const struct rules *rules, enum side side, const char *text, size_t length,
                       bool *anything) {
    int borders = rules->board.zone_ranks[side] - 1;
    *anything = false;
    for (size_t at = 0; at < length;) {
        size_t line_end = lines_length(text + at, length - at);
        struct setups_line line = line_content(text + at, line_end);
        int slashes = 0;
        for (size_t i = 0; i < line.length; i++) slashes += line.text[i] == '/';
        if (line.length && (slashes >= borders || (slashes && !*anything))) {
            *anything = true;
            return true;
        }
        *anything |= line.length > 0;
        at += line_end;
        at += lines_break(text + at, text + length);
    }
    return false;
}

static bool setup_pool_grow(struct setup_pool *setups) {
    struct setup *list = array_grown(setups->list, setups->count, sizeof *list, SETUP_POOL_MAX);
    if (!list) return false;
    setups->list = list;
    struct setup_origin *origins =
        array_grown(setups->origins, setups->count, sizeof *origins, SETUP_POOL_MAX);
    if (origins) setups->origins = origins;
    return origins;
}

bool setup_pool_add(struct setup_pool *setups, const struct setup *setup,
                    struct setup_origin origin) {
    if (!setup_pool_grow(setups)) return false;
    setups->list[setups->count] = *setup;
    setups->origins[setups->count++] = origin;
    return true;
}

static bool add_setup(const struct rules *rules, enum side side, const struct setups_line *line,
                      int number, struct setup_pool *setups, struct fault *fault) {
    struct setup setup;
    return setup_read(rules, side, line->text, line->length, &setup, fault) &&
           setup_check(rules, side, &setup, fault) &&
           (setup_pool_add(setups, &setup, (struct setup_origin){line->seen, number}) ||
            fault_set(fault, STATUS_NO_MEMORY, "out of memory"));
}

/* Without `complain` the first fault ends the reading. */
bool setup_pool_survey(const struct rules *rules, enum side side, const char *text, size_t length,
                       void (*complain)(void *context, const struct fault *fault), void *context,
                       struct setup_pool *setups, struct fault *fault) {
    struct fault wrong = {0}; /* places within a line are moved to places in the text */
    const size_t mark = lines_mark(text, length);
    text += mark;
    length -= mark;
    bool anything, many = one_a_line(rules, side, text, length, &anything);
    *setups = (struct setup_pool){.side = side};
    if (!anything)
        return fault_set(fault, STATUS_TEXT, "holds no set-up; at least one is expected");
    int number = 1;
    for (size_t at = 0; at < length; number++) {
        size_t end = many ? lines_length(text + at, length - at) : length;
        struct setups_line line =
            many ? line_content(text + at, end) : (struct setups_line){text, length, 1, 1};
        if (line.length && !add_setup(rules, side, &line, number, setups, &wrong)) {
            if (many) {
                fault_place(&wrong, NULL, number,
                            wrong.column ? line.column + wrong.column - 1 : line.column);
            }
            if (!complain || wrong.status == STATUS_NO_MEMORY) break;
            complain(context, &wrong);
            wrong = (struct fault){0};
        }
        at += end;
        at += lines_break(text + at, text + length);
    }
    if (wrong.status == STATUS_OK) return true;
    setup_pool_clear(setups);
    fault_repeat(fault, &wrong);
    fault_place(fault, NULL, wrong.line, wrong.column);
    return false;
}

bool setup_pool_read(const struct rules *rules, enum side side, const char *text, size_t length,
                     struct setup_pool *setups, struct fault *fault) {
    return setup_pool_survey(rules, side, text, length, NULL, NULL, setups, fault);
}

enum side setup_pool_side(const struct rules *rules, const char *text, size_t length) {
    struct setup_pool setups = {0};
    bool fits[2] = {true, false};
    for (int side = RED; side <= BLUE && !rules->same_starts; side++) {
        fits[side] = setup_pool_read(rules, (enum side)side, text, length, &setups, NULL);
        setup_pool_clear(&setups);
    }
    return fits[BLUE] && !fits[RED] ? BLUE : RED;
}

void setup_pool_clear(struct setup_pool *setups) {
    free(setups->list);
    free(setups->origins);
    *setups = (struct setup_pool){0};
}
