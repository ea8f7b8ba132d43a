/* hall.h - the games of a server, and the door: which request concerns which game.
 *
 * One thread hears the clients and calls everything here; the games run in the hall's workers. The
 * hall knows neither standard input nor sockets. */
#ifndef ENSIGN_SERVE_HALL_H
#define ENSIGN_SERVE_HALL_H

#include "archive.h"
#include "bot_slots.h"
#include "client.h"
#include "serve/room/room.h"

#include "base/chance.h"
#include "host/program/program.h"
#include "lua/sandbox.h"

struct hall;

enum {
    HALL_GAMES_MAX = 100000, /* games at a time, those over and not left included */
    HALL_PATIENCE = 3000     /* ms for players to end */
};

struct hall_options {
    const struct folders *folders;
    const struct folders *shown; /* of lists, and in which clients name set-ups; perhaps the same;
                                    both must outlive the hall */
    struct chance key;
    struct sandbox_limits limits; /* of Lua bots */
    int deadline;                 /* ms for an answer of a bot's process or a program */
    struct program_confines programs;
    int jobs;                /* games at a time whose bots think, 1 … 256 */
    struct slots_terms bots; /* not over standard input, where there is no limit */
    bool trust;              /* bots run in this process */
    struct archive *archive; /* NULL: games are not kept; must outlive the hall */
    bool open;               /* clients may look at everything */
    bool workshop;           /* clients may edit the current folder's variants and bots */
    struct room_waits waits; /* 0: a minute, a minute, two minutes */

    /* Called by any thread when hall_due() may have become earlier. */
    void (*wake)(void *context);
    void *context;
};

/* NULL with a fault. */
struct hall *hall_open(const struct hall_options *options, struct fault *fault);

/* Ends all games and players. False if some of them have not ended in time: the process should then
 * exit, which ends them. NULL is allowed. */
bool hall_close(struct hall *hall);

/* A client said a line, without its end. Returns the seconds for which it should not be heard,
 * mostly 0: it has asked for more than its visitor may, and was told so. */
int hall_hear(struct hall *hall, struct client *client, const char *line, size_t length);

/* A client has gone: client_hang_up(), and every game is told. */
void hall_miss(struct hall *hall, struct client *client);

/* Wakes the games whose clocks say so. Returns the ms until the next of them, -1: none. */
int hall_due(struct hall *hall);

/* Why no game can begin now, in a fault; true if they can. */
bool hall_is_well(struct hall *hall, struct fault *fault);

/* Numbers of the hall as a whole, for any thread. */
struct hall_figures {
    uint64_t forming, playing, over; /* games now, by state: seats wait for somebody; a game runs;
                                        it has ended, and somebody still looks at it */
    uint64_t made;                   /* since the start */
    int waiting;                     /* games that wait for a thread to ask their bots */
};
struct hall_figures hall_figures(struct hall *hall);

#endif
