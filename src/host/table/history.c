/* history.c - who played which plies of a game, and which moves were taken back. */
#include "history.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { AUTHORS_TEXT_MAX = 4096, TAKEBACK_TEXT_MAX = 4096, ENTRY_MAX = 64 };

static const char FROM[] = " from ", BETWEEN[] = ", ", TO[] = " to ", LEFT_OUT[] = "…, ";

static const char *name_tag(enum side side) {
    return side == RED ? "Red" : "Blue";
}

static const char *played_tag(enum side side) {
    return side == RED ? "RedPlayed" : "BluePlayed";
}

/* The last entry of a list: where it begins; its first ply in `*from` and the length of its name,
 * both 0 if it is malformed. */
static char *last_entry(char *list, unsigned long *from, size_t *length) {
    char *entry = list, *at = list, *word = NULL;
    while ((at = strstr(at, FROM))) word = at++;
    *from = word ? strtoul(word + strlen(FROM), NULL, 10) : 0;
    for (at = list; word && (at = strstr(at, BETWEEN)) && at < word; at++)
        entry = at + strlen(BETWEEN);
    *length = word ? (size_t)(word - entry) : 0;
    return entry;
}

/* Cuts the last entry off; false if it is the only one. */
static bool cut_entry(char *list, char *entry) {
    if (entry == list) return false;
    entry[-(ptrdiff_t)strlen(BETWEEN)] = 0;
    return true;
}

/* `keep` of its moves are left. */
static bool authors_go_on(const struct record *before, size_t keep, enum side side,
                          const char *name, struct record *tags) {
    char list[AUTHORS_TEXT_MAX + TAG_NAME_MAX];
    const char *was = record_tag_or(before, name_tag(side), name);
    const char *played = record_tag(before, played_tag(side));
    unsigned long from;
    size_t length;
    if (played)
        snprintf(list, AUTHORS_TEXT_MAX, "%s", played);
    else
        snprintf(list, AUTHORS_TEXT_MAX, "%s%s1", was, FROM);
    char *entry = last_entry(list, &from, &length);
    while (from > keep && cut_entry(list, entry)) entry = last_entry(list, &from, &length);
    if (from > keep) return true; /* nothing was played yet */
    if (strlen(name) != length || strncmp(entry, name, length) != 0) {
        size_t used = strlen(list);
        int added =
            snprintf(list + used, sizeof list - used, "%s%s%s%zu", BETWEEN, name, FROM, keep + 1);
        if (added < 0 || (size_t)added >= sizeof list - used) list[used] = 0;
    } else if (entry == list) {
        return true; /* one player throughout */
    }
    return record_set_tag(tags, played_tag(side), list);
}

bool authors_whole(const struct record *record, enum side side, const char *name) {
    return !record_tag(record, played_tag(side)) &&
           !strcmp(record_tag_or(record, name_tag(side), ""), name);
}

bool authors_part(const struct record *record, enum side side, const char *name) {
    char list[AUTHORS_TEXT_MAX];
    unsigned long from;
    size_t length;
    const char *played = record_tag(record, played_tag(side));
    if (!played) return authors_whole(record, side, name);
    snprintf(list, sizeof list, "%s", played);
    for (;;) {
        char *entry = last_entry(list, &from, &length);
        if (strlen(name) == length && !strncmp(entry, name, length)) return true;
        if (!cut_entry(list, entry)) return false;
    }
}

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

bool history_go_on(const struct record *before, size_t keep, const char *const names[2],
                   struct record *tags) {
    const char *date = record_tag(before, "Date");
    return takeback_go_on(before, (uint32_t)keep, tags) &&
           (!date || record_set_tag(tags, "Date", date)) &&
           authors_go_on(before, keep, RED, names[RED], tags) &&
           authors_go_on(before, keep, BLUE, names[BLUE], tags);
}
