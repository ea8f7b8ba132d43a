/* record.h - one game as text (`.rec`): tags in brackets, then moves.
 *
 * record_read() parses the text and keeps every move with its place; playback.h plays the moves,
 * which takes the rules. Unknown tags are kept and written back. "Forfeit", added to the tags of
 * the format, says why a side forfeited. */
#ifndef ENSIGN_HOST_RECORD_H
#define ENSIGN_HOST_RECORD_H

#include "core/text/notation.h"

enum { RECORD_BYTES_MAX = 16 << 20, TAG_NAME_MAX = 64, RECORD_COMMENT_MAX = 64 };

struct faults; /* base/fault.h */

struct record_tag {
    char name[TAG_NAME_MAX];
    char *value;
    int line, column; /* of the value; 0 if not read from a text */
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
    char comment[RECORD_COMMENT_MAX]; /* the last one of the text, if it is shorter than this */
    bool damaged;                     /* the text was malformed: only the readable parts are here */
};

struct record *record_new(void); /* NULL if memory is short */
void record_free(struct record *record);

/* NULL if there is no such tag. */
struct record_tag *record_find_tag(const struct record *record, const char *name);
const char *record_tag(const struct record *record, const char *name);
const char *record_tag_or(const struct record *record, const char *name, const char *otherwise);
bool record_set_tag(struct record *record, const char *name, const char *value);
bool record_add_move(struct record *record, const char *text);

/* Parses a text. Returns a record even of a malformed one, with `damaged` set, the first fault in
 * `fault`, and everything that can be read. NULL only if memory is short. */
struct record *record_read(const char *text, size_t length, struct fault *fault);

/* The same with all faults, in order. */
struct record *record_examine(const char *text, size_t length, struct faults *faults);

/* The text, wrapped at 100 columns; the caller frees. NULL if memory is short. */
char *record_write(const struct record *record);

#endif
