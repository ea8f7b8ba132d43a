/* error_banner.h - a fault that stays under the board until its file is mended. */
#ifndef ENSIGN_CLI_SCREEN_ERROR_BANNER_H
#define ENSIGN_CLI_SCREEN_ERROR_BANNER_H

#include "base/fault.h"
#include "lua/language.h"
#include "screen.h"

enum {
    ERROR_BANNER_MESSAGE_MAX = FAULT_FILE_MAX + LANGUAGE_TEXT_MAX + 256,
    ERROR_BANNER_EXCERPT_MAX = 1024
};

struct error_banner {
    char message[ERROR_BANNER_MESSAGE_MAX]; /* empty: nothing is pinned */
    char excerpt[ERROR_BANNER_EXCERPT_MAX]; /* lines of the script; the one at fault begins with '>'
                                             */
};

/* Pins the first fault, and says how many more there are; an empty list pins nothing. */
void error_banner_faults(struct error_banner *banner, const struct language *language,
                         const struct faults *faults);
void error_banner_fault(struct error_banner *banner, const struct language *language,
                        const struct fault *fault);

/* Rows that it takes of at most `most`: where not all lines fit, the excerpt is the line at fault.
 */
int error_banner_rows(const struct error_banner *banner, struct screen *screen, int columns,
                      int most);

/* Draws it into as many rows as error_banner_rows() said. */
void error_banner_draw(const struct error_banner *banner, struct screen *screen, int row, int rows,
                       int columns);

#endif
