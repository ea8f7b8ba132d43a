/* learned.h - what was learned, as a Lua file: a table that a bot's script returns or requires. */
#ifndef ENSIGN_HOST_LEARN_LEARNED_H
#define ENSIGN_HOST_LEARN_LEARNED_H

#include "trainer.h"

#include <stdio.h>

/* Writes a bot that plays by it, or the table alone. */
void learned_write(FILE *out, const struct trainer *trainer, bool table);

#endif
