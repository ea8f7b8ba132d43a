/* visitors.c - a tree by address behind one lock, and a list of those whom nobody holds.
 *
 * A site is a visitor too, which its networks hold; what they use is counted for both. No call does
 * more than look up, add and drop a few, so threads hardly wait for each other. */
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
    SITE_BYTES = 6,    /* all behind these may be one, too, */
    SITE_NETWORKS = 4, /* and has so much of what a network may have */
    GAMES_A_STUDY = 16,
    DAY = 86400 /* s */
};

struct rate {
    double each_second, most;
};

static const struct rate CONNECTION = {20, 200}; /* messages of one connection */

struct visitor {
    unsigned char address[ADDRESS_BYTES]; /* first: the key */
    struct visitor *site;                 /* of an IPv6 network; held */
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
                                   [RATE_READING] = {requests * (5 << 10), requests * (2 << 10)},
                                   [RATE_BACKGROUND] = {requests / 20, requests / 4},
                                   [RATE_GAMES] = {terms.games / 240.0, terms.games},
                                   [RATE_FETCHES] = {terms.games / 240.0, terms.games},
                                   [RATE_STORAGE] = {storage / DAY, storage}},
                          .most = {[HOLDS_SOCKETS] = terms.sockets,
                                   [HOLDS_GAMES] = terms.games,
                                   [HOLDS_WATCHED] = terms.sockets + terms.games,
                                   [HOLDS_STUDIES] = terms.games / GAMES_A_STUDY + 1,
                                   [HOLDS_UNREAD] = (int64_t)terms.requests * (320 << 10)}};
    pthread_mutex_init(&visitors->lock, NULL);
    return visitors;
}

static int visitor_compare(const void *a, const void *b) {
    return memcmp(a, b, ADDRESS_BYTES);
}

static const unsigned char MAPPED[12] = {[10] = 0xff, 0xff}; /* IPv4 */

static bool is_network(const unsigned char address[ADDRESS_BYTES]) {
    return memcmp(address, MAPPED, sizeof MAPPED) && !address[ADDRESS_BYTES - 1];
}

/* The key of the site of a network, which is that of no network. */
static void site_of(const unsigned char network[ADDRESS_BYTES], unsigned char out[ADDRESS_BYTES]) {
    memset(out, 0, ADDRESS_BYTES);
    memcpy(out, network, SITE_BYTES);
    out[ADDRESS_BYTES - 1] = 1;
}

/* An IPv4 address as one of IPv6, which mapped ones already are; of others the network. */
static bool read_address(const char *text, unsigned char out[ADDRESS_BYTES]) {
    memcpy(out, MAPPED, sizeof MAPPED);
    if (inet_pton(AF_INET, text, out + sizeof MAPPED) == 1) return true;
    if (inet_pton(AF_INET6, text, out) != 1) return false;
    if (memcmp(out, MAPPED, sizeof MAPPED))
        memset(out + NETWORK_BYTES, 0, ADDRESS_BYTES - NETWORK_BYTES);
    return true;
}

static bool is_site(const struct visitor *visitor) {
    return !visitor->site && memcmp(visitor->address, MAPPED, sizeof MAPPED);
}

static struct rate rate_of(const struct visitor *visitor, enum visitor_rate which) {
    struct rate rate = visitor->all->rate[which];
    if (is_site(visitor)) rate.each_second *= SITE_NETWORKS, rate.most *= SITE_NETWORKS;
    return rate;
}

static int64_t most_of(const struct visitor *visitor, enum visitor_holding holding) {
    return visitor->all->most[holding] * (is_site(visitor) ? SITE_NETWORKS : 1);
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

/* Seconds until so much is left; 0: it is. */
static int time_until(struct allowance *allowance, struct rate rate, double amount) {
    refill(allowance, rate);
    const double missing = allowance->used + amount - rate.most;
    return missing > 0 ? (int)ceil(missing / rate.each_second) : 0;
}

/* Takes a visitor out of the list of those whom nobody holds. */
static void unlist(struct visitor *visitor) {
    struct visitors *all = visitor->all;
    *(visitor->older ? &visitor->older->newer : &all->oldest) = visitor->newer;
    *(visitor->newer ? &visitor->newer->older : &all->newest) = visitor->older;
    visitor->older = visitor->newer = NULL;
    all->remembered--;
}

/* Takes back a hold. False if there are others. */
static bool let_go(struct visitor *visitor) {
    struct visitors *all = visitor->all;
    if (--visitor->holders) return false;
    visitor->older = all->newest;
    *(all->newest ? &all->newest->newer : &all->oldest) = visitor;
    all->newest = visitor;
    all->remembered++;
    return true;
}

static void forget(struct visitor *visitor) {
    unlist(visitor);
    tdelete(visitor, &visitor->all->tree, visitor_compare);
    if (visitor->site) let_go(visitor->site);
    task_source_release(visitor->source);
    free(visitor);
}

static bool owes_nothing(struct visitor *visitor) {
    for (enum visitor_rate rate = 0; rate < VISITOR_RATES; rate++) {
        refill(&visitor->used[rate], rate_of(visitor, rate));
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

static bool is_listed(const struct visitor *visitor) {
    return visitor->older || visitor->all->oldest == visitor;
}

/* Finds or adds one, and holds it, with the lock held. */
static struct visitor *find_visitor(struct visitors *visitors, const unsigned char *address) {
    struct visitor **found = tfind(address, &visitors->tree, visitor_compare);
    struct visitor *visitor = found ? *found : calloc(1, sizeof *visitor);
    if (found) {
        if (is_listed(visitor)) unlist(visitor);
        visitor->holders++;
        return visitor;
    }
    if (!visitor) return NULL;
    unsigned char site[ADDRESS_BYTES];
    *visitor = (struct visitor){.all = visitors, .holders = 1};
    memcpy(visitor->address, address, ADDRESS_BYTES);
    site_of(address, site);
    const bool network = is_network(address);
    visitor->site = network ? find_visitor(visitors, site) : NULL;
    visitor->source = network ? NULL : task_source_open();
    if ((network ? visitor->site != NULL : visitor->source != NULL) &&
        tsearch(visitor, &visitors->tree, visitor_compare))
        return visitor;
    if (visitor->site) let_go(visitor->site);
    task_source_release(visitor->source);
    free(visitor);
    return NULL;
}

struct visitor *visitors_meet(struct visitors *visitors, const char *address) {
    unsigned char bytes[ADDRESS_BYTES];
    if (!visitors || !read_address(address, bytes)) return NULL;
    pthread_mutex_lock(&visitors->lock);
    struct visitor *visitor = find_visitor(visitors, bytes);
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
    const bool added = let_go(visitor);
    /* Three for each that is added, perhaps with a site: the list shrinks as debts are paid. */
    for (int i = 0; i < 3 && added && all->oldest; i++)
        if (all->remembered > VISITORS_REMEMBERED || owes_nothing(all->oldest)) forget(all->oldest);
    pthread_mutex_unlock(&all->lock);
}

static bool refuse(struct visitors *visitors, enum visitor_rate rate, int wait,
                   struct fault *fault) {
    static const char *const reasons[] = {
        [RATE_PAGES] = "too many connections from your address: try again in %d s",
        [RATE_REQUESTS] = "too many requests from your address: try again in %d s",
        [RATE_BYTES] = "too much was sent to and from your address: try again in %d s",
        [RATE_READING] = "too many long requests from your address: try again in %d s",
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
static void use(struct visitor *visitor, enum visitor_rate rate, double amount) {
    for (; visitor; visitor = visitor->site) {
        refill(&visitor->used[rate], rate_of(visitor, rate));
        visitor->used[rate].used += amount;
    }
}

/* With the lock held. */
static bool spend_rate(struct visitor *visitor, enum visitor_rate rate, double amount,
                       struct fault *fault) {
    for (struct visitor *one = visitor; one; one = one->site) {
        const int wait = time_until(&one->used[rate], rate_of(one, rate), amount);
        if (wait) return refuse(one->all, rate, wait, fault);
    }
    use(visitor, rate, amount);
    return true;
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
    use(visitor, rate, amount);
    pthread_mutex_unlock(&visitor->all->lock);
}

bool visitor_may_ask(struct visitor *visitor, struct allowance *connection, struct fault *fault) {
    if (!visitor) return true;
    pthread_mutex_lock(&visitor->all->lock);
    bool may = spend_rate(visitor, RATE_BYTES, 0, fault);
    const int wait = may ? time_until(connection, CONNECTION, 1) : 0;
    if (wait) {
        may = fault_set(fault, STATUS_USAGE,
                        "too many requests over one connection: try again in %d s", wait);
        fault->wait = wait;
        visitor->all->refused++;
    }
    connection->used += may;
    may = may && spend_rate(visitor, RATE_REQUESTS, 1, fault);
    pthread_mutex_unlock(&visitor->all->lock);
    return may;
}

bool visitor_take(struct visitor *visitor, enum visitor_holding holding, struct fault *fault) {
    static const char *const reasons[] = {
        [HOLDS_SOCKETS] = "your address has %d connections, the most allowed",
        [HOLDS_GAMES] = ("your address has %d open games, the most allowed: end one, or leave it "
                         "and try again in two minutes"),
        [HOLDS_WATCHED] = "your address watches %d games, the most allowed: leave one of them",
        [HOLDS_STUDIES] = "your address has %d analyses under way, the most allowed: try again "
                          "in a moment"};
    if (!visitor) return true;
    struct visitors *all = visitor->all;
    pthread_mutex_lock(&all->lock);
    const struct visitor *full = visitor;
    while (full && full->held[holding] < most_of(full, holding)) full = full->site;
    for (struct visitor *one = visitor; one && !full; one = one->site) one->held[holding]++;
    all->refused += full != NULL;
    pthread_mutex_unlock(&all->lock);
    return !full || fault_set(fault, STATUS_USAGE, reasons[holding], (int)most_of(full, holding));
}

void visitor_give(struct visitor *visitor, enum visitor_holding holding) {
    if (!visitor) return;
    struct visitors *all = visitor->all;
    pthread_mutex_lock(&all->lock);
    for (; visitor; visitor = visitor->site) visitor->held[holding]--;
    pthread_mutex_unlock(&all->lock);
}

bool visitor_leaves_unread(struct visitor *visitor, int64_t bytes) {
    if (!visitor) return true;
    struct visitors *all = visitor->all;
    bool may = true;
    pthread_mutex_lock(&all->lock);
    for (; visitor; visitor = visitor->site) {
        visitor->held[HOLDS_UNREAD] += bytes;
        may = may && visitor->held[HOLDS_UNREAD] <= most_of(visitor, HOLDS_UNREAD);
    }
    pthread_mutex_unlock(&all->lock);
    return may;
}

struct task_source *visitor_source(const struct visitor *visitor) {
    if (visitor && visitor->site) visitor = visitor->site;
    return visitor ? visitor->source : NULL;
}

struct bot_share *visitor_bots(struct visitor *visitor) {
    if (visitor && visitor->site) visitor = visitor->site;
    return visitor ? &visitor->bots : NULL;
}

uint64_t visitors_refused(struct visitors *visitors) {
    pthread_mutex_lock(&visitors->lock);
    uint64_t refused = visitors->refused;
    pthread_mutex_unlock(&visitors->lock);
    return refused;
}
