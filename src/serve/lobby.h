/* lobby.h - the games of a server, and which request concerns which game.
 *
 * One thread hears the clients and calls everything here; the games run in the lobby's workers. The
 * lobby knows neither standard input nor sockets. */
#ifndef ENSIGN_SERVE_LOBBY_H
#define ENSIGN_SERVE_LOBBY_H

#include "archive.h"
#include "bot_slots.h"
#include "client.h"
#include "serve/room/room.h"

#include "base/chance.h"
#include "host/program/program.h"
#include "lua/sandbox.h"

struct lobby;

enum {
    LOBBY_GAMES_MAX = 100000, /* games at a time, those over and not left included */
    LOBBY_PATIENCE = 3000     /* ms for players to end */
};

struct lobby_options {
    const struct folders *folders;
    const struct folders *shown; /* of lists, and in which clients name set-ups; perhaps the same;
                                    both must outlive the lobby */
    struct chance key;
    struct sandbox_limits limits; /* of Lua bots */
    int deadline;                 /* ms for an answer of a bot's process or a program */
    struct program_confines programs;
    int jobs;                /* games at a time whose bots think, 1 … 256 */
    struct slots_terms bots; /* not over standard input, where there is no limit */
    bool trust;              /* bots run in this process */
    struct archive *archive; /* NULL: games are not kept; must outlive the lobby */
    bool open;               /* clients may look at everything */
    bool workshop;           /* clients may edit the current folder's variants and bots */
    struct room_waits waits; /* 0: a minute, a minute, two minutes */

    /* Called by any thread when lobby_due() may have become earlier. */
    void (*wake)(void *context);
    void *context;
};

/* NULL with a fault. */
struct lobby *lobby_open(const struct lobby_options *options, struct fault *fault);

/* Ends all games and players. False if some of them have not ended in time: the process should then
 * exit, which ends them. NULL is allowed. */
bool lobby_close(struct lobby *lobby);

/* A client said a line, without its end. Returns the seconds for which it should not be heard,
 * mostly 0: it has asked for more than its visitor may, and was told so. */
int lobby_hear(struct lobby *lobby, struct client *client, const char *line, size_t length);

/* A client has gone: client_hang_up(), and every game is told. */
void lobby_miss(struct lobby *lobby, struct client *client);

/* Wakes the games whose clocks say so. Returns the ms until the next of them, -1: none. */
int lobby_due(struct lobby *lobby);

/* Why no game can begin now, in a fault; true if they can. */
bool lobby_is_well(struct lobby *lobby, struct fault *fault);

/* The card of a game (room_card()), which the visitor may have fetched from the archive for it.
 * CARD_NONE also if there is no such game. For the thread of lobby_hear(). */
enum card_state lobby_card(struct lobby *lobby, struct visitor *visitor, const char *id,
                           struct room_card *card);

/* Numbers of the lobby as a whole, for any thread. */
struct lobby_figures {
    uint64_t forming, playing, over; /* games now, by state: seats wait for somebody; a game runs;
                                        it has ended, and somebody still looks at it */
    uint64_t made;                   /* since the start */
    int waiting;                     /* games that wait for a thread to ask their bots */
};
struct lobby_figures lobby_figures(struct lobby *lobby);

#endif
