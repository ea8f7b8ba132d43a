/* view_text.h - what a side knows of the board, as a picture in text. */
#ifndef ENSIGN_BOT_VIEW_TEXT_H
#define ENSIGN_BOT_VIEW_TEXT_H

#include "core/know/view.h"
#include "core/text/diagram.h"

/* A title, the board, and what has fallen: kinds with their numbers. */
enum { VIEW_TEXT_MAX = DIAGRAM_MAX + 128 + 8 * 2 * KINDS_MAX };

/* The board with this side's back rank at the bottom, and what has fallen. "r9" and "bM" are pieces
 * of known kind, "b?" one of unknown kind that never moved, "b!" one that has moved, "~" a lake,
 * "." an empty square and "?" one out of sight. `out` holds VIEW_TEXT_MAX bytes. Returns the
 * length; the last line has no line end. */
size_t view_text(const struct view *view, char *out);

#endif
