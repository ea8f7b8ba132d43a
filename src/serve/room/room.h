/* room.h - one game of the server: referee, players, seats, clock, and who is told.
 *
 * A room is a task: whatever concerns it comes as a letter, and one thread at a time reads the
 * letters and lets the referee go on. So bots think while other rooms go on, and nothing here
 * needs a lock but the letters and a few lines about the room for others. */
#ifndef ENSIGN_SERVE_ROOM_H
#define ENSIGN_SERVE_ROOM_H

#include "serve/alarms.h"
#include "serve/bot_slots.h"
#include "serve/secret.h"
#include "serve/subscribers.h"
#include "serve/variant_cache.h"
#include "serve/workers.h"

#include "base/chance.h"
#include "host/program/program.h"
#include "lua/folders.h"
#include "lua/sandbox.h"

struct room;
struct archived;
enum { ROOM_ID_MAX = 40 };

enum room_state { ROOM_FORMING, ROOM_PLAYING, ROOM_OVER, ROOM_STATES };

/* The list of games in which a room stands: those with a free seat, or those that run or, over
 * standard input, are over. */
enum room_list { ROOM_UNLISTED, ROOM_OPEN, ROOM_SHOWN, ROOM_LISTS };

struct room_standing {
    enum room_state state;
    enum room_list list;
};

/* How long a room waits, in ms. */
struct room_waits {
    int64_t claim; /* for an absent player, whose game may then be claimed */
    int64_t doze;  /* for a move, before the bots are given back */
    int64_t leave; /* for subscribers to return, before the room leaves the memory */
};

/* What all rooms share. */
struct room_house {
    const struct folders *shown; /* in which clients name set-ups */
    struct variant_cache *variants;
    struct workers *workers;
    struct sandbox_limits limits; /* of Lua bots */
    int deadline;                 /* ms for an answer of a process */
    struct program_confines programs;
    struct chance key; /* games without a seed of their own derive from it */
    bool open; /* clients may look at everything: they are the user's own (standard input) */

    /* The room is over for good and must not be found any more; called, by any thread, before it is
     * freed. False if room_is_called() by now: then it goes on. */
    bool (*forget)(void *context, struct room *room);
    /* Its standing is another one now (room_standing()). */
    void (*stands)(void *context, struct room *room, struct room_standing standing);
    /* The room must be woken at a time of clock_ms(), instead of when it said before. */
    void (*alarm)(void *context, struct alarm *alarm, int64_t at);
    /* Makes a room of this visitor for a request, which it takes over, without a maker, and sits
     * nobody down: for a rematch. Fills its id and the secrets of its seats. Any thread. */
    bool (*make)(void *context, struct visitor *visitor, json_t *request, char id[ROOM_ID_MAX],
                 char secret[2][SECRET_MAX], struct fault *fault);

    /* Fills the secrets of a game's seats, whether it is in memory or in the archive. False if
     * there is no such game. Any thread. */
    bool (*find)(void *context, const char *id, char secret[2][SECRET_MAX]);

    /* Begins a study (serve/study.h) of the game of this id, which is over, and of whose record it
     * takes the text over. Any thread. */
    bool (*study)(void *context, struct client *client, const json_t *request, const char *id,
                  char *record, struct fault *fault);
    void *context;

    struct bot_slots *slots;     /* NULL: bots are not counted */
    struct task_source *nobodys; /* of games that are nobody's */

    struct archive *archive; /* NULL: games are not kept */
    struct room_waits waits;
};

/* A room for a `new` request, which it takes over unless it fails; of that only what makes up the
 * game is kept. `number` counts the house's games, from 1. The room counts as one of the visitor's.
 * It plays once room_post() has been called, which reports what is wrong with the request. NULL
 * with a fault if the visitor has all it may have, or the system is short of something. */
struct room *room_open(const struct room_house *house, const char *id, uint64_t number,
                       struct visitor *visitor, struct client *maker, json_t *request,
                       struct fault *fault);

/* A room for a game of the archive, which it takes over with all it owns. It is nobody's, or, if no
 * person has a seat in it, the visitor's. NULL with a fault. */
struct room *room_reopen(const struct room_house *house, struct visitor *visitor,
                         struct archived *kept, struct fault *fault);

/* Keeps a game of room_open() before it begins: it is told elsewhere as soon as it is kept, which
 * archive_is_whole() says. False with a fault. */
bool room_keep_early(struct room *room, struct fault *fault);

/* Has a letter come for which the room must go on? Not if it could not begin, nor over standard
 * input, where a room that ends is over for good. */
bool room_is_called(struct room *room);

/* Hands a request to the room, and the request's ownership; NULL: the client has gone. Any thread
 * may call it until the room is forgotten. */
void room_post(struct room *room, struct client *client, json_t *request);

/* Is this "type" of request for a room? Others must not be posted. */
bool room_obeys(const char *type);

/* Ends the room as soon as its players let it; kills external programs. As room_post(). */
void room_stop(struct room *room);

const char *room_id(const struct room *room);

/* The secret of a seat, "" if a player holds it, and the code of the invitation to it, "" if there
 * is none. Neither changes. */
const char *room_secret(const struct room *room, enum side side);
const char *room_invite(const struct room *room, enum side side);

void room_wake(struct room *room);

/* What is shown of a game that is over where its link is shared: a title, a sentence or two, the
 * board. In English: who reads it is not known. */
enum { CARD_TITLE_MAX = 1024, CARD_TEXT_MAX = 512 };
enum card_type { CARD_FREE, CARD_LAKE, CARD_RED, CARD_BLUE };
struct card_square {
    enum card_type type;
    char label[LABEL_MAX]; /* of a piece; ASCII */
};
struct room_card {
    char title[CARD_TITLE_MAX], about[CARD_TEXT_MAX];
    int files, ranks;
    struct card_square at[BOARD_SQUARES_MAX];
};

enum card_state {
    CARD_NONE,  /* the game is not over */
    CARD_LATER, /* it comes from the archive: to be asked again in a moment */
    CARD_READY
};

/* Any thread. */
enum card_state room_card(struct room *room, struct room_card *card);

/* What the house notes about it: its number in the lists, from 1 in the order in which rooms came
 * into the memory, and how it stands. */
struct room_note {
    uint64_t order;
    struct room_standing standing;
};
struct room_note *room_note(struct room *room);
void room_note_standing(struct room *room, struct room_standing standing);

/* Adds a line about the room, as JSON, for the list in which it stands: made when something in it
 * has changed. */
void room_add_line(struct room *room, struct buffer *lines);

#endif
