/* variant_format.h - the format of variant files as one table: each key, its type and its meaning.
 *
 * The loader checks files against it (variant.c), messages quote the expected value and the
 * page from it, and `ensign check --schema` prints it. Tests compare it with the annotations for
 * editors (scripts/variant_types.lua) and the reference in variants/REFERENCE.md. A new key needs a
 * row here, a line in each of those two, and code that reads it. */
#ifndef ENSIGN_VARIANT_VARIANT_FORMAT_H
#define ENSIGN_VARIANT_VARIANT_FORMAT_H

#include "base/fault.h"

/* Types that a value may have; a set. */
enum variant_type {
    VALUE_NUMBER = 1,    /* a whole number from `low` to `high` */
    VALUE_TEXT = 2,      /* `low` to `high` bytes; one of `words` if there are any */
    VALUE_BOOLEAN = 4,   /* true or false */
    VALUE_OFF = 8,       /* false */
    VALUE_TABLE = 16,    /* a table with names as keys */
    VALUE_NAMES = 32,    /* a list of texts */
    VALUE_WORDS = 64,    /* a list of `words` */
    VALUE_SQUARES = 128, /* a list of squares, as texts or numbers */
    VALUE_FUNCTION = 256,
    VALUE_ENTRIES = 512,  /* a list of tables */
    VALUE_NUMBERS = 2048, /* a list of whole numbers from `low` to `high` */
    VALUE_PAIRS = 4096,   /* a list of two squares each, as texts: "b3-a2" */
    VALUE_UNION = 8192,   /* a list of values that the row allows */
    VALUE_NEEDED = 1024   /* required after all files are merged */
};

struct variant_field {
    const char *table; /* "" is the file; "*" is a name that the author chooses, or a list index */
    const char *key;   /* "*" if the author chooses the names */
    unsigned types;
    int low, high;
    const char *words; /* separated by blanks, or NULL */
    const char *form;  /* describes a text without `words`, a table or a function; else NULL */
    const char *says;  /* its meaning, in a sentence */
};

/* In the order of the reference; ends with a NULL table. */
extern const struct variant_field VARIANT_FIELDS[];

/* The row for `key` in a table such as "pieces.*"; NULL if there is none. */
const struct variant_field *variant_field_find(const char *table, const char *key);

/* The row for a whole key such as "pieces.scout.beats[2]"; NULL if there is none. */
const struct variant_field *variant_field_of(const char *key);

/* "a whole number from 2 to 16 or false". Returns `out`. */
const char *variant_field_expected(const struct variant_field *field, char out[FAULT_EXPECTED_MAX]);

/* The section of variants/REFERENCE.md about a key, known or not: "variants/REFERENCE.md#pieces".
 */
const char *variant_page(const char *key);

#endif
