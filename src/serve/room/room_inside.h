/* room_inside.h - the inside of a room, for room*.c alone. */
#ifndef ENSIGN_SERVE_ROOM_INSIDE_H
#define ENSIGN_SERVE_ROOM_INSIDE_H

#include "base/player_name.h"
#include "host/seat/message.h"
#include "host/table/history.h"
#include "host/table/table.h"
#include "room.h"
#include "serve/archive.h"
#include "serve/invitation.h"

#include <pthread.h>
#include <stdatomic.h>

struct letter {
    struct letter *next;
    struct client *client; /* held */
    json_t *request;       /* owned; NULL: the client has gone */
    unsigned char seat;    /* of a `sit` with the secret of it: a side; else neither */
    bool told_held;        /* the client knows that the game is held */
    bool plays;            /* bots must hear of it, if a player says so */
};

/* One request of a client. */
struct hearing {
    struct room *room;
    struct client *client;
    const json_t *request;
    struct session *session;
    struct fault *fault;
};

struct room {
    struct task task; /* first */
    const struct room_house *house;
    char id[ROOM_ID_MAX];
    uint64_t number;
    struct client *maker; /* held */
    json_t *request;      /* the `new` request, without its id; owned */
    json_t *opening;      /* an object with the id of that request; owned; NULL: it had none */
    struct invitation asked;
    char secret[2][SECRET_MAX]; /* of the seats; "" for a player's. That of an open seat is told to
                                   nobody before somebody takes it, and then to that client alone */
    char token[2][SECRET_MAX];  /* that an open seat was taken with, by a client that may not have
                                   heard  of it; "": none */
    char invite[2][SECRET_MAX]; /* codes that open seats are taken with, once; "": none */
    struct visitor *visitor;    /* whose game it is; held; NULL: nobody's, or without limits */
    atomic_bool owned;          /* it is somebody's (room_owner.c) */
    struct bot_claim claim;     /* of its bots' processes */
    struct alarm alarm;
    struct room_note note; /* the house's */

    pthread_mutex_t lock; /* guards the letters */
    struct letter *letters, **letters_end;
    const struct visitor *heard; /* whose letter was read last; to be compared only */
    unsigned char heard_side;    /* of that letter: a side, or neither */
    size_t sits;                 /* letters that have a seat */
    atomic_bool stopped;

    /* For the thread that runs the room. */
    bool ready;      /* the request was understood, and the game began */
    bool closed;     /* nobody is left: the room ends */
    bool asleep;     /* it has no bots now: they are built again when it is their turn, and before
                        a player answers */
    bool quietly;    /* nobody is told that the game is opened again, and nothing is written */
    bool rematch[2]; /* the side wants one */
    char next[ROOM_ID_MAX]; /* the game that a rematch made; empty: none */
    int64_t gone_since[2]; /* time of clock_ms() when a seat's holder left; 0: it is here, or nobody
                              ever held the seat */
    bool lost[2];          /* its connection was: it did not mean to go */
    int64_t idle_since;    /* the last turn, or request of a player */
    int64_t empty_since;   /* without subscribers; 0: it has some */
    int64_t away_since;    /* its owner is not here; 0: it is, or there is none */
    int64_t held_since; /* what happened last is not on the disk: nobody is told of it, nothing goes
                           on, and time stands still; 0: it is */
    bool told_held;     /* subscribers know */
    bool kept_early;    /* by room_keep_early() */
    struct archived *kept; /* a game from the archive that has not begun; owned */
    char *given_name[2];   /* of people who sat down later, or in the archive; owned */
    const struct edition *edition;
    struct chance chance;   /* of the game */
    uint64_t seed;          /* for the record */
    struct setup setups[2]; /* given ones */
    struct position position;
    struct limits limits;
    enum side first;
    struct game_clock clock; /* that the game begins with */
    struct record
        *about; /* further tags of the record of a game from the archive; owned; or NULL */
    struct table table;
    struct subscribers subscribers;
    struct buffer past[ONLOOKERS]; /* that spectators with these eyes are told of the game so far,
                                      as lines; empty: to be made where many ask */
    bool past_told[ONLOOKERS];     /* one of those who watch was */
    bool started;                  /* the listeners were told that the armies stand */
    uint32_t told;                 /* tellings of the session that they were told */
    uint32_t plies_told;           /* plies that they were told */
    bool ended;                    /* they were told the end; the players have gone */
    enum want asked_for[2];        /* the question that a client's seat has not answered yet */

    bool awaited;                  /* the maker's request for the game has no answer yet */
    struct fault why_not;          /* the game could not begin */
    struct room_standing standing; /* as the house was told */

    /* About the room, for others; under the lock. */
    char names[2][PLAYER_NAME_BYTES + 1]; /* or titles of bots */
    char *line;                           /* for the list; owned; NULL: to be made */
    char variant[WORD_MAX];
    uint32_t plies;
    enum result result;
    enum reason reason;
    bool listed, over, free_seat;
    bool published;         /* what is said here is so */
    struct room_card *card; /* owned; NULL: the game is not over */
    enum side free_side;
};

/* room.c: lets the referee go on until everybody has heard what happened. */
void room_settle(struct room *room);

/* What it says of the room has changed; under the lock. */
void room_forget_line(struct room *room);

/* The host failed in this game, not in others: ends it. */
void room_break_off(struct room *room, const struct fault *fault);

/* room_letters.c: the next letter, NULL if there is none; it is freed by the caller. */
struct letter *room_take_letter(struct room *room);
bool room_has_letters(struct room *room);
bool room_is_players(const struct room *room, const struct letter *letter);
/* Does a letter of a player wait that bots must hear of? */
bool room_is_asked_to_play(struct room *room);

/* room_begin.c: draws the game's chance from the request. */
bool room_draw_chance(struct room *room, struct fault *fault);

/* Understands the request, opens the players and the game. False with a fault. */
bool room_begin(struct room *room, struct fault *fault);

/* The set-up that a client gives a side, as setup_library_read(); "random" draws from the game's
 * chance. */
bool room_read_setup(const struct room *room, enum side side, const char *text, struct setup *setup,
                     struct fault *fault);

/* Opens players and referee again, `plies` plies into the game. False with a fault, and the game as
 * it was. */
bool room_begin_again(struct room *room, uint32_t plies, struct fault *fault);
void room_close_players(struct room *room);

/* room_tell.c: what subscribers are told. */
void room_tell_game(struct room *room, const struct listener *listener);
/* A table_listener's `hear`. */
void room_hear_game(void *context, const struct session *session, bool again);
/* From the turn after ply `from` on; -1: everything. */
void room_tell_past(struct room *room, const struct listener *listener, int64_t from);
/* The past is another one, or, if it has spectators still, is kept for more of them. */
void room_forget_past(struct room *room, bool watched);
/* May a client watch with these eyes now? */
bool room_shows(const struct room *room, const struct client *client, enum onlooker eyes);
/* Sends away listeners whose eyes they may not have any more. */
void room_close_eyes(struct room *room);
void room_tell_end(struct room *room);
/* Where the game is: ends the past that a listener is told. */
void room_tell_now(struct room *room, const struct listener *listener);
void room_tell_clocks(struct room *room); /* they have changed, for all */
void room_tell_end_to(struct room *room, const struct listener *listener);
bool room_ask(struct room *room, struct fault *fault);

/* room_owner.c: the game is the client's visitor's, who sits down, unless its owner is here. False,
 * with a fault, if it is nobody's then. `fault` may be NULL. */
bool room_own(struct room *room, const struct client *client, struct fault *fault);
void room_pass_on(struct room *room);         /* where its owner has gone */
bool room_has_seats(const struct room *room); /* for people */

/* What it has of the clock. */
struct game_clock clock_asked(const struct invitation *asked);
struct game_clock clock_now(struct room *room);
struct game_clock clock_told(struct room *room); /* what anybody is told of it */
json_t *clock_json(struct room *room);           /* the same, and which of them runs; null: none */
int64_t clock_due(struct room *room);            /* in clock_ms(); INT64_MAX: never */
void clock_mind(struct room *room); /* whether the room is held, or nobody's, has changed */
void clock_stop(struct room *room);

/* room_hear.c: obeys a request of a client. */
void room_hear(struct room *room, struct client *client, const json_t *request);
bool room_plays(const json_t *request); /* must bots hear of it? */
void hearing_reply(const struct hearing *hearing, json_t *message);
bool hearing_holds(const struct hearing *hearing, enum side side);
bool hearing_settle(const struct hearing *hearing);

/* room_seats.c: people come, go, and want another game. */
bool obey_sit(const struct hearing *hearing);
bool obey_invitation(const struct hearing *hearing);
bool obey_join(const struct hearing *hearing);
bool obey_claim(const struct hearing *hearing);
bool obey_rematch(const struct hearing *hearing);
/* May anybody join? */
bool room_has_free_seat(const struct room *room, enum side *side);
void room_leave_seats(struct room *room, struct client *client);
void room_tell_presence(struct room *room, enum side side);
/* Whose seats are empty and who wants a rematch, to one listener. */
void room_tell_company(struct room *room, const struct listener *listener);

/* room_sleep.c: what an idle game gives back, and where it comes from again. */
bool room_has_bots(const struct room *room); /* or programs, now */
void room_set_alarm(struct room *room);
void room_rest(struct room *room);
void room_give_way(struct room *room); /* to games of others, between turns */
bool room_wake_up(struct room *room, struct fault *fault);

/* room_card.c: its card, where the game is over, and none where it goes on again. */
void room_make_card(struct room *room);

/* room_keep.c: the game in the archive, where there is one. What cannot be kept holds the room. */
void room_keep_new(struct room *room);
void room_keep_name(struct room *room, enum side side);
void room_keep_setup(struct room *room, enum side side);
void room_keep_turn(struct room *room);
void room_keep_undone(struct room *room);
void room_keep_end(struct room *room);
void room_keep_next(struct room *room);

/* Tells whoever waits that the room is held. */
void room_tell_held(struct room *room);

/* True if the room is not held, any more. */
bool room_is_free(struct room *room);
bool room_restore(struct room *room, struct fault *fault);

/* Sends a reply with the request's id. Frees it. */
void room_reply(struct room *room, struct client *client, const json_t *request, json_t *message);
void room_refuse(struct room *room, struct client *client, const json_t *request,
                 const struct fault *fault);

/* Was it, at some time? Who was away may know moves that do not count any more. */
static inline bool room_was_taken_back(const struct room *room) {
    return record_tag(room->table.referee.session->record, TAKEBACK_TAG);
}

static inline bool room_has_client(const struct room *room, enum side side) {
    return room->asked.holder[side] != HELD_BY_PLAYER;
}

#endif
