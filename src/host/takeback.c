/* takeback.c - moves taken back. */
#include "takeback.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TAKEBACK_TEXT_MAX = 4096, ENTRY_MAX = 64 };

static const char BETWEEN[] = ", ", TO[] = " to ", LEFT_OUT[] = "…, ";

bool takeback_check(uint32_t plies, uint32_t keep, bool own_army, struct fault *fault) {
    if (keep >= plies)
        return fault_set(fault, STATUS_ILLEGAL_MOVE, "there is no move to take back");
    if (own_army)
        return fault_set(fault, STATUS_ILLEGAL_MOVE,
                         "no move can be taken back: a program lays out its own army");
    return true;
}

/* The end of the last entry of a list, " to 10", if the game has gone on from there; else NULL. */
static char *last_end(char *list, size_t from) {
    char *end = NULL, *at = list;
    while ((at = strstr(at, TO))) end = at++;
    return end && strtoull(end + strlen(TO), NULL, 10) == from ? end : NULL;
}

bool takeback_go_on(const struct record *before, uint32_t keep, struct record *tags) {
    char list[TAKEBACK_TEXT_MAX], entry[ENTRY_MAX] = "";
    const char *earlier = record_tag_or(before, TAKEBACK_TAG, ""), *left_out = "";
    /* A full list drops its oldest entries. */
    while (strlen(earlier) + ENTRY_MAX + sizeof LEFT_OUT > sizeof list) {
        const char *next = strstr(earlier, BETWEEN);
        earlier = next ? next + strlen(BETWEEN) : "";
        left_out = LEFT_OUT;
    }
    snprintf(list, sizeof list, "%s%s", left_out, earlier);
    if (keep < before->move_count) {
        /* Several steps back, with no move in between, are one. */
        char *end = last_end(list, before->move_count);
        if (end)
            *end = 0;
        else
            snprintf(entry, sizeof entry, "%s%zu", *earlier ? BETWEEN : "", before->move_count);
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s%u", entry, TO, keep);
    }
    return !*list || record_set_tag(tags, TAKEBACK_TAG, list);
}
