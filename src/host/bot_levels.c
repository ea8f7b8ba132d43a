/* bot_levels.c - the bots of the search path by their levels. */
#include "bot_levels.h"

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
    struct bot_levels *ladder = context;
    if (ladder->count == BOT_LEVELS_MAX || strlen(item->name) >= BOT_LEVELS_NAME_MAX) return;
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

bool bot_levels_read(const struct folders *folders, struct bot_levels *ladder,
                     struct fault *fault) {
    *ladder = (struct bot_levels){.list = calloc(BOT_LEVELS_MAX, sizeof *ladder->list)};
    if (!ladder->list) return fault_set(fault, STATUS_NO_MEMORY, "no memory for a list of bots");
    return stock_visit(folders, STOCK_BOTS, add_rung, ladder, fault);
}

void bot_levels_clear(struct bot_levels *ladder) {
    free(ladder->list);
    *ladder = (struct bot_levels){0};
}

const struct rung *bot_levels_find(const struct bot_levels *ladder, enum bot_level level) {
    for (int i = 0; i < ladder->levels; i++)
        if (ladder->list[i].card.level == level) return &ladder->list[i];
    return NULL;
}

const struct rung *bot_levels_top(const struct bot_levels *ladder) {
    return ladder->levels ? bot_levels_find(ladder, ladder->list[ladder->levels - 1].card.level)
                          : NULL;
}

const struct rung *bot_levels_appraiser(const struct bot_levels *ladder) {
    const struct rung *best = NULL;
    for (int i = 0; i < ladder->count; i++) {
        const struct rung *rung = &ladder->list[i];
        if (rung->card.appraises && (!best || rung->card.level > best->card.level)) best = rung;
    }
    return best;
}
