/* paces.c - the clocks that the start screen offers. */
#include "paces.h"

#include <stdio.h>

enum { SECOND = 1000, MINUTE = 60 * SECOND };

/* As people play chess: minutes for the game, and seconds for each move. */
static const struct pace USUAL[] = {
    {0, 0},
    {5 * MINUTE, 3 * SECOND},
    {10 * MINUTE, 5 * SECOND},
    {15 * MINUTE, 10 * SECOND},
    {30 * MINUTE, 0},
    {60 * MINUTE, 0},
};
enum { USUAL_COUNT = sizeof USUAL / sizeof *USUAL };

void paces_open(struct paces *paces, const struct pace *asked) {
    *paces = (struct paces){.count = USUAL_COUNT, .chosen = USUAL_COUNT};
    for (int i = 0; i < USUAL_COUNT; i++) {
        paces->list[i] = USUAL[i];
        if (USUAL[i].ms == asked->ms && USUAL[i].increment == asked->increment) paces->chosen = i;
    }
    if (paces->chosen == USUAL_COUNT) paces->list[paces->count++] = *asked;
}

void paces_step(struct paces *paces, int by) {
    paces->chosen = (paces->chosen + by + paces->count) % paces->count;
}

void paces_write(const struct paces *paces, const struct language *language, int index, char *out,
                 size_t size) {
    const struct pace *pace = &paces->list[index];
    char minutes[24], seconds[24];
    snprintf(minutes, sizeof minutes, "%g", (double)pace->ms / MINUTE);
    snprintf(seconds, sizeof seconds, "%g", (double)pace->increment / SECOND);
    language_write(out, size, language,
                   !pace->ms         ? TEXT("no clock")
                   : pace->increment ? TEXT("{1} minutes each, {2} seconds more for a move")
                                     : TEXT("{1} minutes each"),
                   minutes, seconds);
}

void paces_choose(struct paces *paces, const struct language *language, struct screen *screen,
                  const struct backdrop *behind, const char *title) {
    char texts[PACES_MAX][LANGUAGE_TEXT_MAX];
    struct dialog_item items[PACES_MAX];
    for (int i = 0; i < paces->count; i++) {
        paces_write(paces, language, i, texts[i], sizeof texts[i]);
        items[i] = (struct dialog_item){texts[i], NULL};
    }
    int chosen = dialog_choose(screen, behind, title, items, paces->count, paces->chosen);
    if (chosen >= 0) paces->chosen = chosen;
}
