/* paces.h - the clocks that the start screen offers. */
#ifndef ENSIGN_CLI_SCREEN_PACES_H
#define ENSIGN_CLI_SCREEN_PACES_H

#include "bot/pace.h"
#include "dialog.h"
#include "lua/language.h"

enum { PACES_MAX = 8 };

struct paces {
    struct pace list[PACES_MAX]; /* the first: no clock */
    int count, chosen;
};

/* The usual clocks, and the one asked for if it is another; that one is chosen. */
void paces_open(struct paces *paces, const struct pace *asked);

void paces_step(struct paces *paces, int by);
void paces_write(const struct paces *paces, const struct language *language, int index, char *out,
                 size_t size);

/* Lets a person choose from a list. */
void paces_choose(struct paces *paces, const struct language *language, struct screen *screen,
                  const struct backdrop *behind, const char *title);

#endif
