/* fault.h - error values: what went wrong, where, and what was expected.
 *
 * Code that can fail because of its input fills a `struct fault`; nothing below the command line
 * prints. One table gives each status its name and exit code. The text is one line of English
 * without the place; `file`, `line` and `column` are separate, for editors, and empty or 0 where
 * unknown.
 *
 * A fault keeps the structure of its text for translation (language_fault()). The text consists of
 * parts, each made from one format; the arguments are spans of the text. A part with {1}, {2}, …
 * in place of its arguments is a pattern:
 *
 *     fault_set(&fault, STATUS_SETUP, "%d pieces of kind %s", 3, "spy");   "{1} pieces of kind {2}"
 *     fault_within(&fault, "in setup");                       "in setup", "{1} pieces of kind {2}"
 */
#ifndef ENSIGN_BASE_FAULT_H
#define ENSIGN_BASE_FAULT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum status {
    STATUS_OK,
    STATUS_TEXT,         /* malformed text: a move, set-up, position, record or Lua source */
    STATUS_RULES,        /* a variant that cannot be played as written */
    STATUS_SETUP,        /* a set-up that its variant does not allow */
    STATUS_ILLEGAL_MOVE, /* a move against the rules */
    STATUS_SCRIPT,       /* a Lua error inside a script */
    STATUS_FUEL,         /* a script used up its work units */
    STATUS_TIME,         /* a script passed its deadline */
    STATUS_MEMORY,       /* a script passed its memory cap */
    STATUS_CRASH,        /* a player's process died */
    STATUS_KILLED,       /* a player's process was killed or stopped from outside */
    STATUS_START,        /* an external program cannot be started */
    STATUS_NOT_FOUND,    /* no such file, variant, bot or kind */
    STATUS_USAGE,        /* wrong use of a command */
    STATUS_NO_MEMORY,    /* the host itself could not allocate */
    STATUS_SYSTEM,       /* the host itself failed: files, threads, processes */
    STATUS_COUNT
};

enum {
    FAULT_FILE_MAX = 1024, /* as long as the path of any script */
    FAULT_TEXT_MAX = 640,
    FAULT_PARTS_MAX = 6,
    FAULT_ARGUMENTS_MAX = 12,     /* of all parts */
    FAULT_PART_ARGUMENTS_MAX = 9, /* of one, {1} to {9} */
    FAULT_PATTERN_MAX = FAULT_TEXT_MAX + 3 * FAULT_PART_ARGUMENTS_MAX
};

/* The structure of a text: its parts in order, and the arguments of all parts in order, as offsets
 * into the text. Bytes between parts (": ") belong to none. */
struct fault_form {
    uint16_t parts;
    struct {
        uint16_t start, end;
        uint16_t arguments; /* number of arguments in this part */
    } part[FAULT_PARTS_MAX];
    struct {
        uint16_t start, end;
    } argument[FAULT_ARGUMENTS_MAX];
};

struct fault {
    enum status status;
    int line;   /* from 1; 0 when unknown */
    int column; /* from 1; 0 when unknown */
    int wait;   /* seconds after which it may be tried again; 0 when unknown */
    char file[FAULT_FILE_MAX];
    char text[FAULT_TEXT_MAX]; /* safe UTF-8 (utf8.h), no final newline */
    struct fault_form form;    /* of `text`; no parts where unknown */
};

/* "ok", "text", …; never NULL. */
const char *status_name(enum status status);

/* The program's exit code: 0 done, 1 bad input, 2 wrong use, 3 the host failed. */
int status_exit_code(enum status status);

/* Sets status and text of `fault` (which may be NULL) and keeps its place. Unsafe characters become
 * '?' (utf8.h). A text that is too long is cut between two characters and has no parts. The
 * arguments may lie in the text of `fault`. The format "%s" makes a part without arguments: the
 * text is its own pattern. Always returns false, for `return fault_set(…)`. */
bool fault_set(struct fault *fault, enum status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
bool fault_setv(struct fault *fault, enum status status, const char *format, va_list args)
    __attribute__((format(printf, 3, 0)));

/* fault_within() puts a part and ": " before the text, fault_add() a part after it, cutting the
 * text if necessary. Status and place stay. Both return false; `fault` may be NULL. */
bool fault_within(struct fault *fault, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
bool fault_add(struct fault *fault, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool fault_addv(struct fault *fault, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));

/* Copies everything but the place. Returns false; `fault` may be NULL. */
bool fault_repeat(struct fault *fault, const struct fault *other);

/* Do the offsets of `fault->form` fit `fault->text`? For faults from another process. */
bool fault_form_is_sound(const struct fault *fault);

/* One part, split into pattern and arguments. */
struct fault_part {
    char pattern[FAULT_PATTERN_MAX];
    const char *argument[FAULT_PART_ARGUMENTS_MAX + 1]; /* in `bytes`; NULL after the last */
    char bytes[FAULT_TEXT_MAX + FAULT_PART_ARGUMENTS_MAX];
};

/* Reads part `index`, which is below `fault->form.parts`. */
void fault_read_part(const struct fault *fault, int index, struct fault_part *part);

/* Sets the place; NULL or 0 keeps the file, line or column. Of a path that is too long the end is
 * kept, behind "...". `fault` may be NULL. */
void fault_place(struct fault *fault, const char *file, int line, int column);

/* Writes "file:line:column: " without the unknown parts. Returns the length needed. */
size_t fault_place_write(const struct fault *fault, char *out, size_t size);

/* The same with the text. */
size_t fault_format(const struct fault *fault, char *out, size_t size);

/* A list of all faults of one input.
 *
 * A remark is a fault with details for editors and pages: the key, the value found, the value
 * expected, and the page that explains it. Errors make the input unusable; warnings point at
 * probable mistakes. Past FAULTS_MAX remarks, further ones are only counted, except that an error
 * replaces the last warning. */

enum {
    FAULTS_MAX = 20,
    FAULT_KEY_MAX = 256,
    FAULT_VALUE_MAX = 64,
    FAULT_EXPECTED_MAX = 192,
    FAULT_PAGE_MAX = 64
};

struct remark {
    struct fault fault;
    bool warning;
    char page[FAULT_PAGE_MAX]; /* "variants/REFERENCE.md#pieces"; "" if there is none */
    char key[FAULT_KEY_MAX]; /* names joined with dots, elements of lists in brackets; may be "" */
    char value[FAULT_VALUE_MAX];       /* as in the input; "" unless it is a single value */
    char expected[FAULT_EXPECTED_MAX]; /* "" if only the text says it */
    char meant[FAULT_KEY_MAX];         /* the key that this one probably misspells, or "" */
};

struct faults {
    size_t errors, warnings;            /* all added, listed or not */
    size_t count;                       /* of `list` */
    struct remark list[FAULTS_MAX + 1]; /* the last one takes remarks that do not fit */
};

/* Empty; NULL without memory. The caller frees with free(). */
struct faults *faults_new(void);

/* Add a copy of a fault and return the remark, for details to be filled in; never NULL. */
struct remark *faults_add(struct faults *faults, const struct fault *fault);
struct remark *faults_warn(struct faults *faults, const struct fault *fault);

/* Sets the page that explains it. */
void remark_explain(struct remark *remark, const char *page);

/* Is the list full of errors? Then faults_miss() counts a further one without a text: inputs can
 * have hundreds of thousands. */
bool faults_full(const struct faults *faults);
void faults_miss(struct faults *faults);

/* Is there an error about this key, a part of it, or a table that contains it? Used to leave out
 * errors that follow from one already listed. */
bool faults_about(const struct faults *faults, const char *key);

/* Is there an error at the same place with the same text, perhaps behind a part that says where it
 * was met (fault_within()), and at another ply? */
bool faults_holds(const struct faults *faults, const struct fault *fault);

/* Sorts by place: the file `first`, then the others by name; in each by line and column. */
void faults_sort(struct faults *faults, const char *first);

/* The first error in the list, or NULL. */
const struct fault *faults_first(const struct faults *faults);

#endif
