/* typed.h - moves as people type them, in any language and on any keyboard. */
#ifndef ENSIGN_CLI_TYPED_H
#define ENSIGN_CLI_TYPED_H

#include "core/text/notation.h"
#include "lua/language.h"

/* Rewrites a line for move_parse(): Cyrillic letters before '=' become Latin (keyboard.h), and the
 * kind behind it (kind_called()) becomes its name. Text that does not fit is cut. */
void typed_move(const struct language *language, const struct rules *rules, const char *line,
                char *out, size_t size);

enum typed {
    TYPED_MOVE,
    TYPED_WRONG, /* it begins with a square, but is no move */
    TYPED_OTHER  /* it does not */
};

/* Reads a typed move with move_parse(). Unless it is one, `why` has words for a person. */
enum typed typed_read(const struct language *language, const struct rules *rules, const char *line,
                      struct move_pattern *pattern, char *why, size_t size);

#endif
