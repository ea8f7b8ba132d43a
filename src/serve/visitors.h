/* visitors.h - how much of a server each of its visitors uses.
 *
 * A visitor is an IPv4 address, or an IPv6 network of 64 bits: one household. What it uses is
 * counted here and not for a connection, so nobody gains by coming again. All networks in one of 48
 * bits, a site, together have four times as much, and the threads and bots of one visitor: somebody
 * may have all 65,536 of them. Rates are allowances that
 * time refills, holdings are counted until they are given back. Visitors that hold nothing are
 * remembered until they owe nothing, VISITORS_REMEMBERED of them at most: those that left first are
 * forgotten first.
 *
 * Any thread may call these functions. NULL is a visitor without limits: the client on standard
 * input. */
#ifndef ENSIGN_SERVE_VISITORS_H
#define ENSIGN_SERVE_VISITORS_H

#include "bot_slots.h"
#include "workers.h"

#include "base/fault.h"

#include <stdint.h>

struct visitors;
struct visitor;

enum {
    VISITORS_REMEMBERED = 1 << 16,
    VISITOR_SOCKETS = 256, /* the usual terms */
    VISITOR_REQUESTS = 200,
    VISITOR_GAMES = 256,
    VISITOR_STORAGE = 64
};

enum visitor_rate {
    RATE_PAGES,      /* connections, and requests of HTTP */
    RATE_REQUESTS,   /* messages over WebSockets */
    RATE_BYTES,      /* of messages, both ways */
    RATE_READING,    /* bytes of long messages, which the thread of the network reads as JSON */
    RATE_BACKGROUND, /* requests that take a process or touch the disk */
    RATE_GAMES,      /* made */
    RATE_FETCHES,    /* of games from the disk, anybody's */
    RATE_STORAGE,    /* bytes of games on the disk */
    VISITOR_RATES
};

enum visitor_holding {
    HOLDS_SOCKETS,
    HOLDS_GAMES,   /* its own (room_owner.c) */
    HOLDS_WATCHED, /* anybody's games, once for each client that watches */
    HOLDS_STUDIES, /* questions about games that are over, under way or waiting (study.h) */
    HOLDS_UNREAD,  /* bytes that wait for its clients */
    VISITOR_HOLDINGS
};

/* What one visitor may use; the rest follows from these (src/serve/README.md). */
struct visitor_terms {
    int sockets;  /* at a time */
    int requests; /* a second */
    int games;    /* at a time, in memory; and as many new ones in four minutes, and fetches */
    int storage;  /* MiB a day */
};

/* Something that is used up and refilled by time. Zeroed, it is full. */
struct allowance {
    double used;
    int64_t at; /* time of clock_ms() when it was reckoned */
};

/* NULL without memory. Close it when all visitors are released. */
struct visitors *visitors_open(struct visitor_terms terms);
void visitors_close(struct visitors *visitors); /* NULL is allowed */

/* The visitor of a numeric address, to be released. NULL if it is none, or without memory. */
struct visitor *visitors_meet(struct visitors *visitors, const char *address);
struct visitor *visitor_hold(struct visitor *visitor); /* returns it */
void visitor_release(struct visitor *visitor);

/* Uses up a part of an allowance, if that much is left; else false, with a fault that says how long
 * it takes to refill, in its text and its `wait`. `fault` may be NULL. */
bool visitor_spend(struct visitor *visitor, enum visitor_rate rate, double amount,
                   struct fault *fault);

/* Uses it up even if that makes a debt, during which visitor_spend() fails. */
void visitor_charge(struct visitor *visitor, enum visitor_rate rate, double amount);

/* A message over one of its connections, which has an allowance of its own so that it leaves some
 * to others at the same address. */
bool visitor_may_ask(struct visitor *visitor, struct allowance *connection, struct fault *fault);

/* Takes one more of a holding: false, with a fault, if it has all that it may have. */
bool visitor_take(struct visitor *visitor, enum visitor_holding holding, struct fault *fault);
void visitor_give(struct visitor *visitor, enum visitor_holding holding);

/* So many more bytes wait for its clients, or fewer. False if they are more than it may have. */
bool visitor_leaves_unread(struct visitor *visitor, int64_t bytes);

/* Whose tasks take turns with those of other visitors (workers.h): its site's, if it has one. */
struct task_source *visitor_source(const struct visitor *visitor);
struct bot_share *visitor_bots(struct visitor *visitor); /* of the bots of its games; likewise */

/* How many were refused something so far. */
uint64_t visitors_refused(struct visitors *visitors);

#endif
