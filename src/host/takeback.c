/* takeback.c - moves taken back. */
#include "takeback.h"

#include <stdio.h>
#include <string.h>

enum { TAKEBACK_TEXT_MAX = 4096 };

static const char BETWEEN[] = ", ", LEFT_OUT[] = "…, ";

bool takeback_check(uint32_t plies, uint32_t keep, bool own_army, struct fault *fault) {
    if (keep >= plies)
        return fault_set(fault, STATUS_ILLEGAL_MOVE, "there is no move to take back");
    if (own_army)
        return fault_set(fault, STATUS_ILLEGAL_MOVE,
                         "no move can be taken back: a program lays out its own army");
    return true;
}

bool takeback_go_on(const struct record *before, uint32_t keep, struct record *tags) {
    char list[TAKEBACK_TEXT_MAX], entry[64] = "";
    const char *earlier = record_tag_or(before, TAKEBACK_TAG, "");
    if (keep < before->move_count)
        snprintf(entry, sizeof entry, "%zu to %u", before->move_count, keep);
    if (!*earlier && !*entry) return true;
    /* A full list drops its oldest entries. */
    const char *left_out = "";
    while (strlen(earlier) + sizeof entry + sizeof LEFT_OUT > sizeof list) {
        const char *next = strstr(earlier, BETWEEN);
        earlier = next ? next + strlen(BETWEEN) : "";
        left_out = LEFT_OUT;
    }
    snprintf(list, sizeof list, "%s%s%s%s", left_out, earlier, *earlier && *entry ? BETWEEN : "",
             entry);
    return record_set_tag(tags, TAKEBACK_TAG, list);
}
