/* record.h - one game as text (`.rec`): tags in brackets, then moves.
 *
 * Reading is done in two steps, since the moves mean nothing without the rules: record_read() takes
 * the text apart and keeps every move with its place; playback.h plays them. Tags
 * that are not known here are kept and written again. To the tags of the format the referee adds
 * "Forfeit": why a side forfeited. */
#ifndef ENSIGN_HOST_RECORD_H
#define ENSIGN_HOST_RECORD_H

#include "core/text/notation.h"

enum { RECORD_BYTES_MAX = 16 << 20, TAG_NAME_MAX = 64 };

struct faults; /* base/faults.h */

struct record_tag {
    char name[TAG_NAME_MAX];
    char *value;
    int line, column; /* of the value; 0 if it was not read from a text */
};

struct record_move {
    char text[MOVE_TEXT_MAX];
    int line, column;
};

struct record {
    struct record_tag *tags;
    size_t tag_count;
    struct record_move *moves;
    size_t move_count;
    bool damaged; /* what could be read is here, the first fault was returned by record_read() */
};

struct record *record_new(void); /* NULL without memory */
void record_free(struct record *record);

/* NULL when there is no such tag. */
struct record_tag *record_find_tag(const struct record *record, const char *name);
const char *record_tag(const struct record *record, const char *name);
bool record_set_tag(struct record *record, const char *name, const char *value);
bool record_add_move(struct record *record, const char *text);

/* Takes a text apart. Always returns a record (NULL only without memory); if something is
 * malformed, `damaged` is set, `fault` holds the first place and what was expected there, and
 * everything else that could be read is kept. */
struct record *record_read(const char *text, size_t length, struct fault *fault);

/* The same with all that is malformed, in order. */
struct record *record_examine(const char *text, size_t length, struct faults *faults);

/* The text, wrapped at 100 columns; the caller frees. NULL without memory. */
char *record_write(const struct record *record);

#endif
