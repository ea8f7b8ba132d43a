/* marking.h - the list in which a person chooses the mark of a hidden enemy piece. */
#ifndef ENSIGN_CLI_SCREEN_MARKING_H
#define ENSIGN_CLI_SCREEN_MARKING_H

#include "cli/suspicions.h"
#include "dialog.h"
#include "lua/language.h"

/* Asks what the piece on `at` is thought to be, and marks it. False if it is no hidden enemy. */
bool marking_ask(struct screen *screen, const struct backdrop *behind,
                 const struct language *language, const struct view *view, square at,
                 struct suspicions *marks);

#endif
