/* bot_slots.c - two lists behind a lock: the claims that hold slots, and those that wait. */
#include "bot_slots.h"

#include <pthread.h>
#include <stdlib.h>

enum {
    WOKEN_AT_ONCE = 8, /* of those that may give slots back */
    STUDIES_PART = 4   /* the part of all slots that studies may have */
};

struct claim_list {
    struct bot_claim *first, *last;
};

struct bot_slots {
    struct slots_terms terms;
    pthread_mutex_t lock; /* guards everything below, and all claims and shares */
    struct claim_list holding, waiting;
    struct bot_share all;
    int studied; /* held by studies */
};

struct bot_slots *bot_slots_open(struct slots_terms terms) {
    struct bot_slots *slots = calloc(1, sizeof *slots);
    if (!slots) return NULL;
    slots->terms = terms;
    pthread_mutex_init(&slots->lock, NULL);
    return slots;
}

void bot_slots_close(struct bot_slots *slots) {
    if (!slots) return;
    pthread_mutex_destroy(&slots->lock);
    free(slots);
}

static void list_add(struct claim_list *list, struct bot_claim *claim) {
    claim->list = list;
    claim->next = NULL;
    claim->previous = list->last;
    *(list->last ? &list->last->next : &list->first) = claim;
    list->last = claim;
}

static void list_remove(struct bot_claim *claim) {
    struct claim_list *list = claim->list;
    *(claim->previous ? &claim->previous->next : &list->first) = claim->next;
    *(claim->next ? &claim->next->previous : &list->last) = claim->previous;
    claim->list = NULL;
}

static int held_by(const struct bot_claim *claim) {
    return claim->share ? claim->share->held : 0;
}

/* Has its visitor all that it may have, so that only its other games can make room? */
static bool wants_own_only(const struct bot_slots *slots, const struct bot_claim *claim) {
    const int own = held_by(claim);
    return own && own + claim->bots > slots->terms.of_visitor;
}

/* Does a study wait for other studies, so that no game can make room? */
static bool wants_studies_only(const struct bot_slots *slots, const struct bot_claim *claim) {
    return claim->study && slots->studied &&
           slots->studied + claim->bots > slots->terms.all / STUDIES_PART;
}

/* A game always fits where there is no other. */
static bool fits(const struct bot_slots *slots, const struct bot_claim *claim) {
    const int all = slots->all.held;
    return (!all || all + claim->bots <= slots->terms.all) && !wants_own_only(slots, claim) &&
           !wants_studies_only(slots, claim);
}

static void count(struct bot_slots *slots, const struct bot_claim *claim, int bots) {
    slots->all.held += bots;
    if (claim->study) slots->studied += bots;
    if (claim->share) claim->share->held += bots;
}

static void hand_out(struct bot_slots *slots, struct bot_claim *claim) {
    count(slots, claim, claim->bots);
    list_add(&slots->holding, claim);
}

/* Wakes some that hold slots, those first that were not woken for longest, of one visitor where its
 * own share is used up. */
static void ask_back(struct bot_slots *slots, const struct bot_claim *wanting) {
    const bool own_only = wants_own_only(slots, wanting);
    struct bot_claim *last = slots->holding.last, *next;
    int woken = 0;
    for (struct bot_claim *claim = slots->holding.first; claim && woken < WOKEN_AT_ONCE;
         claim = next) {
        next = claim == last ? NULL : claim->next;
        if (own_only && claim->share != wanting->share) continue;
        list_remove(claim);
        list_add(&slots->holding, claim);
        task_wake(claim->task);
        woken++;
    }
}

bool bot_slots_take(struct bot_slots *slots, struct bot_claim *claim, bool may_wait) {
    if (!slots || !claim->bots) return true;
    pthread_mutex_lock(&slots->lock);
    bool held = claim->list == &slots->holding;
    if (!held && !claim->list && fits(slots, claim)) {
        hand_out(slots, claim);
        held = true;
    } else if (!held) {
        if (!claim->list && may_wait) list_add(&slots->waiting, claim);
        if (!wants_studies_only(slots, claim)) ask_back(slots, claim);
    }
    pthread_mutex_unlock(&slots->lock);
    return held;
}

/* The first claim that fits, of a visitor that has the fewest; NULL: none. */
static struct bot_claim *next_claim(const struct bot_slots *slots) {
    struct bot_claim *next = NULL;
    for (struct bot_claim *claim = slots->waiting.first; claim; claim = claim->next)
        if (fits(slots, claim) && (!next || held_by(claim) < held_by(next))) next = claim;
    return next;
}

/* Gives slots to claims that wait, with the lock held. */
static void serve_waiting(struct bot_slots *slots) {
    for (struct bot_claim *next; (next = next_claim(slots));) {
        list_remove(next);
        hand_out(slots, next);
        task_wake(next->task);
    }
}

void bot_slots_give(struct bot_slots *slots, struct bot_claim *claim) {
    if (!slots) return;
    pthread_mutex_lock(&slots->lock);
    const struct claim_list *list = claim->list;
    if (list) list_remove(claim);
    if (list == &slots->holding) {
        count(slots, claim, -claim->bots);
        serve_waiting(slots);
    }
    pthread_mutex_unlock(&slots->lock);
}

void bot_slots_move(struct bot_slots *slots, struct bot_claim *claim, struct bot_share *share) {
    if (!slots) return;
    pthread_mutex_lock(&slots->lock);
    const bool held = claim->list == &slots->holding;
    if (held) count(slots, claim, -claim->bots);
    claim->share = share;
    if (held) count(slots, claim, claim->bots);
    serve_waiting(slots);
    pthread_mutex_unlock(&slots->lock);
}

bool bot_slots_are_wanted(struct bot_slots *slots, const struct bot_claim *claim) {
    bool wanted = false;
    if (!slots) return false;
    pthread_mutex_lock(&slots->lock);
    for (const struct bot_claim *other = slots->waiting.first; other && !wanted;
         other = other->next)
        wanted = !wants_studies_only(slots, other) &&
                 (!wants_own_only(slots, other) || other->share == claim->share);
    pthread_mutex_unlock(&slots->lock);
    return wanted;
}

bool bot_slots_are_owed(struct bot_slots *slots, const struct bot_claim *claim) {
    bool owed = false;
    if (!slots) return false;
    pthread_mutex_lock(&slots->lock);
    for (const struct bot_claim *other = slots->waiting.first; other && !owed; other = other->next)
        owed = !wants_studies_only(slots, other) && !wants_own_only(slots, other) &&
               held_by(other) + other->bots < held_by(claim);
    pthread_mutex_unlock(&slots->lock);
    return owed;
}
