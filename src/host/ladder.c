/* ladder.c - the bots of the search path by their levels. */
#include "ladder.h"

#include "stock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Orders by level; bots without one come last. */
static int level_order(const struct rung *rung) {
    return rung->card.level ? (int)rung->card.level : LEVEL_COUNT;
}

/* Bots come by name. */
static void add_rung(void *context, const struct stock_item *item) {
    struct ladder *ladder = context;
    if (ladder->count == LADDER_MAX || strlen(item->name) >= LADDER_NAME_MAX) return;
    struct rung rung = {0};
    snprintf(rung.name, sizeof rung.name, "%s", item->name);
    if (item->bot) rung.card = *item->bot;
    if (item->fault) rung.fault = *item->fault;
    int at = ladder->count++;
    for (; at > 0 && level_order(&ladder->list[at - 1]) > level_order(&rung); at--)
        ladder->list[at] = ladder->list[at - 1];
    ladder->list[at] = rung;
    ladder->levels += rung.card.level != LEVEL_NONE;
}

bool ladder_read(const struct folders *folders, struct ladder *ladder, struct fault *fault) {
    *ladder = (struct ladder){.list = calloc(LADDER_MAX, sizeof *ladder->list)};
    if (!ladder->list) return fault_set(fault, STATUS_NO_MEMORY, "no memory for a list of bots");
    return stock_visit(folders, STOCK_BOTS, add_rung, ladder, fault);
}

void ladder_clear(struct ladder *ladder) {
    free(ladder->list);
    *ladder = (struct ladder){0};
}

const struct rung *ladder_find(const struct ladder *ladder, enum bot_level level) {
    for (int i = 0; i < ladder->levels; i++)
        if (ladder->list[i].card.level == level) return &ladder->list[i];
    return NULL;
}

const struct rung *ladder_top(const struct ladder *ladder) {
    return ladder->levels ? ladder_find(ladder, ladder->list[ladder->levels - 1].card.level) : NULL;
}

const struct rung *ladder_appraiser(const struct ladder *ladder) {
    const struct rung *best = NULL;
    for (int i = 0; i < ladder->count; i++) {
        const struct rung *rung = &ladder->list[i];
        if (rung->card.appraises && (!best || rung->card.level > best->card.level)) best = rung;
    }
    return best;
}
