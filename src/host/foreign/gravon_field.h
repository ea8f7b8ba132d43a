/* gravon_field.h - letters, squares and game types of both Gravon formats.
 *
 * The field is 100 letters from a1 rank by rank: 'A' empty, '_' a lake, red 'B' … 'M', blue
 * 'N' … 'Y', each in the order of FOREIGN_KIND_NAMES. Files are A to I and K, in old texts J. */
#ifndef ENSIGN_HOST_FOREIGN_GRAVON_FIELD_H
#define ENSIGN_HOST_FOREIGN_GRAVON_FIELD_H

#include "foreign.h"

enum { GRAVON_FIELD = 100, GRAVON_TYPES = 5 };

/* Gravon's game types by number. They follow the rules of the international federation, as our
 * "original" and its variants do. */
struct gravon_type {
    const char *word;    /* in XML */
    const char *also;    /* another word for it; may be NULL */
    const char *variant; /* ours */
    bool free;           /* armies of any pieces, anywhere in the zones */
};
extern const struct gravon_type GRAVON_TYPE[GRAVON_TYPES];

/* Sets the variant and reads the armies from `field`. With `type` -1 (unknown) the number of pieces
 * decides. Complains about every wrong letter; one leaves the game without armies. `column` is that
 * of the field's first letter, 0 if unknown. */
void gravon_field_read(struct foreign *foreign, const struct foreign_help *help, int type,
                       const char *field, size_t length, int line, int column);

/* `out` holds GRAVON_FIELD + 1 bytes. */
void gravon_field_write(const struct foreign *foreign, char *out);

/* Reads a square from the start of a text: a file and '1' … '9', ':' or "10". Returns the bytes
 * used, 0 if there is none. */
size_t gravon_square_read(const char *text, size_t length, square *at);

/* "K:": two letters and a final 0. */
void gravon_square_write(square at, char out[3]);

#endif
