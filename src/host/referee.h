/* referee.h - runs one game between two players.
 *
 * The referee asks the players for what a session (session.h) wants and passes its events on to
 * them. A player that breaks a rule or fails forfeits; only a fault of the host, or in the options,
 * or a program that cannot be started makes the referee fail.
 *
 * referee_play() plays a whole game between two players. With referee_step() a game goes on in
 * small steps, and a seat may be held by an outsider, a person or a program far away: the referee
 * then waits for the caller to give it the outsider's answers. */
#ifndef ENSIGN_HOST_REFEREE_H
#define ENSIGN_HOST_REFEREE_H

#include "player.h"
#include "session.h"
#include "stopwatch.h"
#include "usage.h"

#include <stdatomic.h>

struct referee_options {
    const struct setup *setups[2]; /* NULL: the player is asked for one, unless the rules place the
                                      armies */
    const struct chance *chance;   /* of the game; needed where the rules draw armies and none is
                                      given */
    bool ask_anyway; /* ask a player with `setup` even where one is given, and ignore the answer: it
                        draws the same random numbers as in the game that is continued */
    const struct position *position; /* starting position; NULL: set-ups */
    enum side first;
    const struct limits *limits; /* NULL: those of the rules */
    struct pace pace;        /* each side's clock; ms 0: none. What a move takes of it is its fuel
                                if the player is metered, else time */
    struct stopwatch *watch; /* the clock of people, instead: runs for the side that is to answer,
                                player or outsider, from when the armies stand until the end. With
                                it `pace` is what players and record are told, 0: nothing */
    uint64_t seed;           /* only for the record */
    const char *names[2];    /* for the record; NULL: the player's */
    const struct record *about; /* further tags for the record; may be NULL */

    /* Moves of a continued game. They are judged as always and both players observe every turn, but
     * no player is asked for a move until all of them have been played. A bot's random numbers for
     * a turn do not depend on earlier turns (bot/bot.h), so the game goes on as if it had never
     * been interrupted. An illegal move makes referee_play() fail. */
    const struct record_move *played;
    size_t played_count;

    /* When this becomes true the game ends before the next move, as unfinished, without another
     * call to the players. May be NULL. */
    const atomic_bool *give_up;

    /* While this is true no answer to a question for a move counts. May be NULL. */
    const atomic_bool *interrupt;

    /* Called when the game begins (behind the moves of a continued one), and from then on whenever
     * the session has told both sides something, before the players observe it. The session's
     * record is complete up to then, with result "*". May be NULL. */
    void (*follow)(void *context, const struct session *session);
    /* The same before each `follow` that is left out: when a continued game begins, and for each of
     * its moves. May be NULL. */
    void (*repeat)(void *context, const struct session *session);
    void *context;

    /* Judges an answer in a move's place before the session does: false, with a STATUS_ILLEGAL_MOVE
     * fault, refuses it. NULL: admits all. */
    bool (*admits)(void *context, const struct session *session, const struct answer *answer,
                   struct fault *fault);
};

struct referee_report {
    enum result result;
    enum reason reason;
    uint32_t plies;
    struct ending_words ending; /* the variant's own, if any */
    struct setup setups[2];
    struct fault forfeit; /* why the loser of a forfeit lost, and at which ply; STATUS_OK if none */
    struct fault late;    /* why a player failed after the end, which does not change the result;
                             STATUS_OK if none did, and in a forfeit */
    enum side late_side;  /* of that player */
    bool fell;            /* the loser had no time left on its clock */
    struct usage usage[2]; /* by side */
};

struct referee {
    struct session *session; /* owned */
    struct referee_report report;
    struct referee_options options;

    /* Private to referee.c. */
    struct player *players[2];
    int64_t left[2];  /* ns on the clocks */
    uint32_t heard;   /* session->tellings that the players have observed */
    bool begun;       /* the players were started */
    bool catching_up; /* playing the moves of a continued game */
    bool given_up;    /* by the caller: no more calls to the players */
    bool declined;    /* a draw that an outsider offered, which was not told yet */
    bool finished;
};

enum referee_step {
    REFEREE_WENT_ON, /* something was asked or told */
    REFEREE_WAITS,   /* for an outsider, or the game is over and the players have been told */
    REFEREE_FAILED   /* the host did; with a fault */
};

/* Begins a game. A player that is NULL is an outsider. Players and what the options point to must
 * outlive the referee. False with a fault; close it in either case. */
bool referee_open(struct referee *referee, const struct rules *rules,
                  struct player *const players[2], const struct referee_options *options,
                  bool with_record, struct fault *fault);
void referee_close(struct referee *referee);

/* Asks one player for one thing, or lets the players observe one turn. */
enum referee_step referee_step(struct referee *referee, struct fault *fault);

/* An outsider's answer: in its turn a move or an offer of a draw; at any time its resignation, or
 * that it leaves the game. False with a fault: after STATUS_ILLEGAL_MOVE, or STATUS_TEXT for a
 * malformed text, it is refused, and `verdict` is the rule that a move breaks, else LEGAL; after
 * any other fault the game cannot go on. An answer that comes too late is none: then its side has
 * lost. */
bool referee_take(struct referee *referee, enum side side, struct answer *answer,
                  enum verdict *verdict, struct fault *fault);

/* An outsider's answer to a draw offer. A player that offered is not asked for its move before; an
 * outsider may move, which withdraws the offer. A player that offered is told of a refusal. An
 * outsider is told by the caller, before it is asked for its move: referee_declined() is true,
 * once, if there is such news, with the words as a fault. */
void referee_answer_draw(struct referee *referee, bool accept);
bool referee_declined(struct referee *referee, struct fault *fault);

/* Lets the clock run for the side that is asked now. True if a side has just lost since its time is
 * up. The referee looks before each step and each answer that it takes. */
bool referee_watch(struct referee *referee);

/* The game is over: completes the record (of the session) and the report. False if memory is
 * short. */
bool referee_seal(struct referee *referee, struct fault *fault);

/* Plays to the end. `record` (empty; may be NULL) receives tags and moves. False with a fault, and
 * the record unchanged, only when the host fails or the given set-ups or moves are not legal. */
bool referee_play(const struct rules *rules, struct player *const players[2],
                  const struct referee_options *options, struct record *record,
                  struct referee_report *report, struct fault *fault);

#endif
