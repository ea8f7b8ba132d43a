/* invitation.h - what a `new` request asks for: variant, players, set-ups, limits, clock. */
#ifndef ENSIGN_SERVE_INVITATION_H
#define ENSIGN_SERVE_INVITATION_H

#include "base/chance.h"
#include "bot/pace.h"
#include "core/know/eyes.h"
#include "host/player.h"
#include "host/seat/outlook.h"

#include <jansson.h>

enum seat_holder {
    HELD_BY_PLAYER, /* a bot or an external program */
    HELD_BY_MAKER,  /* whoever made the game: "me" */
    HELD_BY_NOBODY  /* whoever comes with the seat's secret: "open" */
};

/* Texts live as long as the request. */
struct invitation {
    const json_t *request;
    const char *variant; /* name or path */
    enum seat_holder holder[2];
    const char *player[2]; /* HELD_BY_PLAYER: as player_open() takes it */
    const char *name[2];   /* by player_name_check(); NULL: none given */
    bool hidden;           /* "public": false, in no list */
    const char *setup[2];  /* a text or a name; NULL: the seat is asked */
    const char *position;  /* NULL: the game starts with set-ups */
    bool has_seed, has_first, has_limits, has_clock;
    uint64_t seed;
    enum side first;
    struct limits limits;
    int64_t clock_ms, increment_ms;
    enum onlooker watch; /* the maker watches; ONLOOKERS: does not */
};

/* Reads a request, which must outlive the invitation. False with a STATUS_TEXT fault. */
bool invitation_read(const json_t *request, struct invitation *asked, struct fault *fault);

/* Takes names out of a request of an earlier version that today's rule refuses. */
void invitation_forget_odd_names(json_t *request);

/* A new object with the keys that make up the game, whatever else the request holds; NULL without
 * memory. */
json_t *invitation_kept(const json_t *request);

/* Whether a client from outside may ask for this: bots and variants by name, set-ups of its own
 * seats, and no seed, which would tell it the other army. False with a STATUS_USAGE fault. */
bool invitation_is_modest(const struct invitation *asked, struct fault *fault);

#endif
