/* session.h - one running game: position with history, both views, record, result.
 *
 * A session never waits. It states what it wants from each side, judges each answer and turns it
 * into events for both sides. It knows no players, threads or clocks: the referee asks players and
 * feeds a session; so do replays, trial games and imports. No other code plays a game.
 *
 * All fields may be read; only the functions write them. A side may see only its own half of `eyes`
 * (view and events) and, while it is to move, session_moves(). */
#ifndef ENSIGN_HOST_SESSION_H
#define ENSIGN_HOST_SESSION_H

#include "bot/pace.h"
#include "core/know/eyes.h"
#include "core/play/calls.h"
#include "record.h"

enum want { WANT_NOTHING, WANT_SETUP, WANT_MOVE, WANT_DRAW_ANSWER };

struct session_options {
    const struct rules *rules;       /* must outlive the session */
    const struct position *position; /* starting position; NULL: both sides are asked for set-ups */
    enum side first;                 /* moves first after set-ups; ignored with a position */
    const struct limits *limits;     /* NULL: those of the rules */
    uint32_t plies;                  /* drawn by the ply limit after this many plies, 1 …
                                        SESSION_PLIES_MAX; 0: after those of the limits */
    const char *names[2];            /* of the players, for the record; NULL: no record is kept */
    struct pace pace;                /* the clock, only for the record; ms 0: none */
    uint64_t seed;                   /* only for the record */
    const struct record *about;      /* further tags for the record; may be NULL */
};

enum { SESSION_PLIES_MAX = 1 << 20 }; /* of a game without a ply limit */

struct session {
    struct game game;  /* the true position, valid once `started` */
    struct eyes eyes;  /* both views, and the latest events for each side */
    uint32_t tellings; /* how many times events went to both sides: once a turn, and once for an end
                          without a move */
    enum side teller;  /* side to move at the latest of them */
    bool started, over;
    enum result result; /* RESULT_NONE also for an unfinished game that is over */
    enum reason reason;
    struct ending_words ending; /* the variant's own, if the game ended so */
    struct fault forfeit;       /* why the loser of a forfeit lost; else STATUS_OK */
    struct setup setups[2];     /* accepted ones */
    bool has_setup[2];
    struct record *record; /* owned; NULL: none is kept. Result "*" until session_seal() */

    /* For session.c alone. */
    struct session_options options;
    struct position start;
    struct limits limits;
    struct ply *plies;
    struct move *moves;
    size_t move_count;
    bool listed;                      /* `moves` is up to date */
    bool tagged;                      /* the record has the tags of the start */
    bool draw_offered, draw_declined; /* in this turn */
};

/* Starts at once from a position, else wants two set-ups. `options` is copied; the names and
 * further tags are kept by reference. NULL with a fault if memory is short or a call of the variant
 * fails. */
struct session *session_open(const struct session_options *options, struct fault *fault);
void session_close(struct session *session); /* NULL is allowed */

/* What the session wants from a side. A set-up may be wanted from both sides at once, a move from
 * one. While a draw is offered an answer is wanted from the other side, and the move still: it
 * withdraws the offer. Nothing is wanted once the session is over. */
enum want session_wants(const struct session *session, enum side side);

/* Takes a set-up; the second one starts the game. False and nothing changed with a STATUS_SETUP
 * fault, or with STATUS_USAGE unless a set-up of that side is wanted; with another fault if memory
 * is short or a call of the variant fails. */
bool session_take_setup(struct session *session, enum side side, const struct setup *setup,
                        struct fault *fault);

/* The legal moves of the side to move, listed once a turn and valid until the turn ends. NULL with
 * a fault if a call of the variant fails. */
const struct move *session_moves(struct session *session, size_t *count, struct fault *fault);

/* Plays a move if it is legal; `eyes.told` then has its events for each side. Withdraws a pending
 * draw offer. False with a fault: after STATUS_ILLEGAL_MOVE, or STATUS_TEXT for a malformed text,
 * the session is unchanged and `verdict` (may be NULL) names the rule; after any other fault
 * `verdict` is LEGAL and the session is unusable. */
bool session_play(struct session *session, struct move move, enum verdict *verdict,
                  struct fault *fault);
bool session_play_text(struct session *session, const char *text, size_t length,
                       enum verdict *verdict, struct fault *fault);

/* The side to move offers a draw, which stands until the other side answers or a move is made.
 * False with a STATUS_ILLEGAL_MOVE fault, and nothing changes, unless a move is wanted, and after
 * an offer in this turn. */
bool session_offer_draw(struct session *session, struct fault *fault);
void session_answer_draw(struct session *session, bool accept);

/* Ends the session for a reason outside the rules: agreed, resigned, a forfeit, unfinished. The end
 * becomes an event for both sides. */
void session_stop(struct session *session, enum result result, enum reason reason);

/* The same for a game that ended like this before; `forfeit` is why its loser forfeited, NULL: no
 * forfeit. */
void session_stop_again(struct session *session, enum result result, enum reason reason,
                        const char *forfeit);

/* The player of a side has another name from now on, as the record says if the game has not
 * started. Kept by reference. */
void session_rename(struct session *session, enum side side, const char *name);

/* `loser` forfeits: the status of `why` decides the reason, and `forfeit` keeps a copy. */
void session_forfeit(struct session *session, enum side loser, const struct fault *why);

/* Returns to the position after `ply` plies (0 … game.ply_count), with views and record as they
 * were then; no event says so. A session that was over runs again, unless it was sealed. False if a
 * call of the variant fails; the session is then unusable. */
bool session_rewind(struct session *session, uint32_t ply, struct fault *fault);

/* Writes the result of a session that is over into its record. False if memory is short. */
bool session_seal(struct session *session, struct fault *fault);

#endif
