/* visitors.c - a tree by address behind one lock, and a list of those whom nobody holds.
 *
 * No call does more than look up, add and drop a few, so threads hardly wait for each other. */
#define _GNU_SOURCE
#include "visitors.h"

#include "base/clock.h"

#include <arpa/inet.h>
#include <math.h>
#include <pthread.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

enum {
    ADDRESS_BYTES = 16,
    NETWORK_BYTES = 8, /* of an IPv6 address: the rest is chosen by one household */
    DAY = 86400        /* s */
};

struct rate {
    double each_second, most;
};

static const struct rate CONNECTION = {20, 200}; /* messages of one connection */

struct visitor {
    unsigned char address[ADDRESS_BYTES]; /* first: the key */
    struct visitors *all;
    int holders;
    struct visitor *older, *newer; /* of those whom nobody holds */
    int64_t held[VISITOR_HOLDINGS];
    struct allowance used[VISITOR_RATES];
    struct task_source *source;
    struct bot_share bots;
};

struct visitors {
    struct rate rate[VISITOR_RATES];
    int64_t most[VISITOR_HOLDINGS];
    pthread_mutex_t lock; /* guards what follows, and all visitors */
    void *tree;
    struct visitor *oldest, *newest;
    size_t remembered;
    uint64_t refused;
};

struct visitors *visitors_open(struct visitor_terms terms) {
    struct visitors *visitors = calloc(1, sizeof *visitors);
    if (!visitors) return NULL;
    const double requests = terms.requests, storage = (double)terms.storage * (1 << 20);
    *visitors =
        (struct visitors){.rate = {[RATE_PAGES] = {requests, 8 * requests},
                                   [RATE_REQUESTS] = {requests, 5 * requests},
                                   [RATE_BYTES] = {requests * (20 << 10), requests * (120 << 10)},
                                   [RATE_BACKGROUND] = {requests / 20, requests / 4},
                                   [RATE_GAMES] = {terms.games / 240.0, terms.games},
                                   [RATE_FETCHES] = {terms.games / 240.0, terms.games},
                                   [RATE_STORAGE] = {storage / DAY, storage}},
                          .most = {[HOLDS_SOCKETS] = terms.sockets,
                                   [HOLDS_GAMES] = terms.games,
                                   [HOLDS_WATCHED] = terms.sockets + terms.games,
                                   [HOLDS_UNREAD] = (int64_t)terms.requests * (320 << 10)}};
    pthread_mutex_init(&visitors->lock, NULL);
    return visitors;
}

static int visitor_compare(const void *a, const void *b) {
    return memcmp(a, b, ADDRESS_BYTES);
}

/* An IPv4 address as one of IPv6, which mapped ones already are. */
static bool read_address(const char *text, unsigned char out[ADDRESS_BYTES]) {
    static const unsigned char mapped[12] = {[10] = 0xff, 0xff};
    memcpy(out, mapped, sizeof mapped);
    if (inet_pton(AF_INET, text, out + sizeof mapped) == 1) return true;
    if (inet_pton(AF_INET6, text, out) != 1) return false;
    if (memcmp(out, mapped, sizeof mapped))
        memset(out + NETWORK_BYTES, 0, ADDRESS_BYTES - NETWORK_BYTES);
    return true;
}

/* Refills an allowance for the time that has passed. Debts do not grow beyond what is refilled in
 * the time of a full one. */
static void refill(struct allowance *allowance, struct rate rate) {
    const int64_t now = clock_ms();
    allowance->used -= (double)(now - allowance->at) * rate.each_second / 1000;
    if (allowance->used < 0) allowance->used = 0;
    if (allowance->used > 2 * rate.most) allowance->used = 2 * rate.most;
    allowance->at = now;
}

static bool spend(struct allowance *allowance, struct rate rate, double amount, int *wait) {
    refill(allowance, rate);
    const double missing = allowance->used + amount - rate.most;
    *wait = (int)ceil(missing / rate.each_second);
    if (missing > 0) return false;
    allowance->used += amount;
    return true;
}

/* Takes a visitor out of the list of those whom nobody holds. */
static void unlist(struct visitor *visitor) {
    struct visitors *all = visitor->all;
    *(visitor->older ? &visitor->older->newer : &all->oldest) = visitor->newer;
    *(visitor->newer ? &visitor->newer->older : &all->newest) = visitor->older;
    visitor->older = visitor->newer = NULL;
    all->remembered--;
}

static void forget(struct visitor *visitor) {
    unlist(visitor);
    tdelete(visitor, &visitor->all->tree, visitor_compare);
    task_source_release(visitor->source);
    free(visitor);
}

static bool owes_nothing(struct visitor *visitor) {
    for (int rate = 0; rate < VISITOR_RATES; rate++) {
        refill(&visitor->used[rate], visitor->all->rate[rate]);
        if (visitor->used[rate].used > 0) return false;
    }
    return true;
}

void visitors_close(struct visitors *visitors) {
    if (!visitors) return;
    while (visitors->oldest) forget(visitors->oldest);
    pthread_mutex_destroy(&visitors->lock);
    free(visitors);
}

/* Finds or adds one, with the lock held. */
static struct visitor *find_visitor(struct visitors *visitors, const unsigned char *address) {
    struct visitor **found = tfind(address, &visitors->tree, visitor_compare);
    if (found) return *found;
    struct visitor *visitor = calloc(1, sizeof *visitor);
    if (!visitor) return NULL;
    memcpy(visitor->address, address, ADDRESS_BYTES);
    visitor->all = visitors;
    visitor->source = task_source_open();
    if (visitor->source && tsearch(visitor, &visitors->tree, visitor_compare)) return visitor;
    task_source_release(visitor->source);
    free(visitor);
    return NULL;
}

static bool is_listed(const struct visitor *visitor) {
    return visitor->older || visitor->all->oldest == visitor;
}

struct visitor *visitors_meet(struct visitors *visitors, const char *address) {
    unsigned char bytes[ADDRESS_BYTES];
    if (!visitors || !read_address(address, bytes)) return NULL;
    pthread_mutex_lock(&visitors->lock);
    struct visitor *visitor = find_visitor(visitors, bytes);
    if (visitor && is_listed(visitor)) unlist(visitor);
    if (visitor) visitor->holders++;
    pthread_mutex_unlock(&visitors->lock);
    return visitor;
}

struct visitor *visitor_hold(struct visitor *visitor) {
    if (!visitor) return NULL;
    pthread_mutex_lock(&visitor->all->lock);
    visitor->holders++;
    pthread_mutex_unlock(&visitor->all->lock);
    return visitor;
}

void visitor_release(struct visitor *visitor) {
    if (!visitor) return;
    struct visitors *all = visitor->all;
    pthread_mutex_lock(&all->lock);
    if (!--visitor->holders) {
        visitor->older = all->newest;
        *(all->newest ? &all->newest->newer : &all->oldest) = visitor;
        all->newest = visitor;
        all->remembered++;
        /* Two for each that is added: the list shrinks as debts are paid. */
        for (int i = 0; i < 2 && all->oldest; i++)
            if (all->remembered > VISITORS_REMEMBERED || owes_nothing(all->oldest))
                forget(all->oldest);
    }
    pthread_mutex_unlock(&all->lock);
}

static bool refuse(struct visitors *visitors, enum visitor_rate rate, int wait,
                   struct fault *fault) {
    static const char *const reasons[] = {
        [RATE_PAGES] = "too many connections from your address: try again in %d s",
        [RATE_REQUESTS] = "too many requests from your address: try again in %d s",
        [RATE_BYTES] = "too much was sent to and from your address: try again in %d s",
        [RATE_BACKGROUND] = "too many lists, checks and files for your address: try again in %d s",
        [RATE_GAMES] = "too many games from your address: try again in %d s",
        [RATE_FETCHES] = "too many old games for your address: try again in %d s",
        [RATE_STORAGE] = "the games from your address take too much space: try again in %d s"};
    visitors->refused++;
    if (!fault) return false;
    fault->wait = wait;
    return fault_set(fault, STATUS_USAGE, reasons[rate], wait);
}

/* With the lock held. */
static bool spend_rate(struct visitor *visitor, enum visitor_rate rate, double amount,
                       struct fault *fault) {
    int wait;
    return spend(&visitor->used[rate], visitor->all->rate[rate], amount, &wait) ||
           refuse(visitor->all, rate, wait, fault);
}

bool visitor_spend(struct visitor *visitor, enum visitor_rate rate, double amount,
                   struct fault *fault) {
    if (!visitor) return true;
    pthread_mutex_lock(&visitor->all->lock);
    bool spent = spend_rate(visitor, rate, amount, fault);
    pthread_mutex_unlock(&visitor->all->lock);
    return spent;
}

void visitor_charge(struct visitor *visitor, enum visitor_rate rate, double amount) {
    if (!visitor) return;
    pthread_mutex_lock(&visitor->all->lock);
    refill(&visitor->used[rate], visitor->all->rate[rate]);
    visitor->used[rate].used += amount;
    pthread_mutex_unlock(&visitor->all->lock);
}

bool visitor_may_ask(struct visitor *visitor, struct allowance *connection, struct fault *fault) {
    int wait;
    if (!visitor) return true;
    pthread_mutex_lock(&visitor->all->lock);
    bool may = spend_rate(visitor, RATE_BYTES, 0, fault);
    if (may && !spend(connection, CONNECTION, 1, &wait)) {
        may = fault_set(fault, STATUS_USAGE,
                        "too many requests over one connection: try again in %d s", wait);
        fault->wait = wait;
        visitor->all->refused++;
    }
    may = may && spend_rate(visitor, RATE_REQUESTS, 1, fault);
    pthread_mutex_unlock(&visitor->all->lock);
    return may;
}

bool visitor_take(struct visitor *visitor, enum visitor_holding holding, struct fault *fault) {
    static const char *const reasons[] = {
        [HOLDS_SOCKETS] = "your address has %d connections, the most allowed",
        [HOLDS_GAMES] = ("your address has %d open games, the most allowed: end one, or leave it "
                         "and try again in two minutes"),
        [HOLDS_WATCHED] = "your address watches %d games, the most allowed: leave one of them"};
    if (!visitor) return true;
    struct visitors *all = visitor->all;
    pthread_mutex_lock(&all->lock);
    const bool taken = visitor->held[holding] < all->most[holding];
    if (taken)
        visitor->held[holding]++;
    else
        all->refused++;
    pthread_mutex_unlock(&all->lock);
    return taken || fault_set(fault, STATUS_USAGE, reasons[holding], (int)all->most[holding]);
}

void visitor_give(struct visitor *visitor, enum visitor_holding holding) {
    if (!visitor) return;
    pthread_mutex_lock(&visitor->all->lock);
    visitor->held[holding]--;
    pthread_mutex_unlock(&visitor->all->lock);
}

bool visitor_leaves_unread(struct visitor *visitor, int64_t bytes) {
    if (!visitor) return true;
    struct visitors *all = visitor->all;
    pthread_mutex_lock(&all->lock);
    visitor->held[HOLDS_UNREAD] += bytes;
    const bool may = visitor->held[HOLDS_UNREAD] <= all->most[HOLDS_UNREAD];
    pthread_mutex_unlock(&all->lock);
    return may;
}

struct task_source *visitor_source(const struct visitor *visitor) {
    return visitor ? visitor->source : NULL;
}

struct bot_share *visitor_bots(struct visitor *visitor) {
    return visitor ? &visitor->bots : NULL;
}

uint64_t visitors_refused(struct visitors *visitors) {
    pthread_mutex_lock(&visitors->lock);
    uint64_t refused = visitors->refused;
    pthread_mutex_unlock(&visitors->lock);
    return refused;
}
