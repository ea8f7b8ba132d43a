/* pin.h - a fault that stays under the board until its file is mended. */
#ifndef ENSIGN_CLI_SCREEN_PIN_H
#define ENSIGN_CLI_SCREEN_PIN_H

#include "base/fault.h"
#include "lua/language.h"
#include "screen.h"

enum { PIN_MESSAGE_MAX = FAULT_FILE_MAX + LANGUAGE_TEXT_MAX + 256, PIN_EXCERPT_MAX = 1024 };

struct pin {
    char message[PIN_MESSAGE_MAX]; /* empty: nothing is pinned */
    char excerpt[PIN_EXCERPT_MAX]; /* lines of the script; the one at fault begins with '>' */
};

/* Pins the first fault, and says how many more there are; an empty list pins nothing. */
void pin_faults(struct pin *pin, const struct language *language, const struct faults *faults);
void pin_fault(struct pin *pin, const struct language *language, const struct fault *fault);

/* Rows that it takes of at most `most`: where not all lines fit, the excerpt is the line at fault.
 */
int pin_rows(const struct pin *pin, struct screen *screen, int columns, int most);

/* Draws it into as many rows as pin_rows() said. */
void pin_draw(const struct pin *pin, struct screen *screen, int row, int rows, int columns);

#endif
