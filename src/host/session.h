/* session.h - one running game: the position with its history, both views, the record, the end.
 *
 * A session never waits. It says what it wants of each side and takes answers, which it judges and
 * turns into what both sides are told. It knows no players, threads or clocks: the referee asks
 * players and answers a session; replays, trial games and imports feed one. No other code plays a
 * game.
 *
 * All fields may be read; only the functions write them. What may reach a side is in `eyes` (that
 * side's view and what it was told) and in session_moves() while it is to move. */
#ifndef ENSIGN_HOST_SESSION_H
#define ENSIGN_HOST_SESSION_H

#include "core/know/eyes.h"
#include "record.h"

enum want { WANT_NOTHING, WANT_SETUP, WANT_MOVE, WANT_DRAW_ANSWER };

struct session_options {
    const struct rules *rules;       /* must outlive the session */
    const struct position *position; /* where the game starts; NULL: from the sides' set-ups */
    enum side first;                 /* moves first after set-ups; a position says it itself */
    const struct limits *limits;     /* NULL: those of the rules */
    uint32_t plies;                  /* the game is drawn by the ply limit after so many, 1 …
                                        SESSION_PLIES_MAX; 0: as the limits say */
    const char *names[2];            /* of the players: a record is kept; NULL: none is */
    uint64_t seed;                   /* only written into the record */
};

enum { SESSION_PLIES_MAX = 1 << 20 }; /* of a game without a ply limit */

struct session {
    struct game game;  /* the truth, once `started` */
    struct eyes eyes;  /* both views; what each side was told last */
    uint32_t tellings; /* how often both sides were told something: each turn, and an end that came
                          without a move */
    enum side teller;  /* whose turn it was in the last of them */
    bool started, over;
    enum result result; /* RESULT_NONE also for a game that was broken off */
    enum reason reason;
    struct fault forfeit;   /* why the loser of a forfeit lost; else STATUS_OK */
    struct setup setups[2]; /* those that were accepted */
    bool has_setup[2];
    struct record *record; /* owned; NULL: none is kept. Result "*" until session_seal() */

    /* For session.c alone. */
    struct session_options options;
    struct position start;
    struct limits limits;
    struct ply *plies;
    struct move *moves;
    size_t move_count;
    bool listed;                      /* `moves` are those of this turn */
    bool tagged;                      /* the record says how the game began */
    bool draw_offered, draw_declined; /* in this turn */
};

/* Starts at once from a position, else wants two set-ups. `options` is copied, with its names by
 * reference. NULL with a fault without memory, or when a call of the variant fails. */
struct session *session_open(const struct session_options *options, struct fault *fault);
void session_close(struct session *session); /* NULL is allowed */

/* What the session wants of a side. Both may owe a set-up; a move or an answer to a draw offer is
 * owed by one at a time; nobody owes anything once the session is over. */
enum want session_wants(const struct session *session, enum side side);

/* Takes a set-up that is wanted; the second starts the game. False with a STATUS_SETUP fault, and
 * nothing has changed; or when a call of the variant fails. */
bool session_take_setup(struct session *session, enum side side, const struct setup *setup,
                        struct fault *fault);

/* The legal moves of the side to move, listed once a turn; they stay where they are until the turn
 * ends. NULL with a fault when a call of the variant fails. */
const struct move *session_moves(struct session *session, size_t *count, struct fault *fault);

/* Judges a move and plays it if it is legal; then both sides have been told (`eyes.told`). Ends a
 * draw offer of the side to move. False with a fault: STATUS_ILLEGAL_MOVE, or STATUS_TEXT for a
 * text that means no move, leaves the session as it was, and `verdict` (may be NULL) names the
 * rule; after any other, with `verdict` LEGAL, the session cannot go on. */
bool session_play(struct session *session, struct move move, enum verdict *verdict,
                  struct fault *fault);
bool session_play_text(struct session *session, const char *text, size_t length,
                       enum verdict *verdict, struct fault *fault);

/* The side to move offers a draw, which the other side is then to answer. False, and nothing has
 * changed, if one was declined in this turn. */
bool session_offer_draw(struct session *session);
void session_answer_draw(struct session *session, bool accept);

/* Ends the session for a reason outside the rules: agreed, resigned, a forfeit, unfinished. Both
 * sides are told. */
void session_stop(struct session *session, enum result result, enum reason reason);

/* `loser` broke the rules or itself: `why` decides the reason and is kept as `forfeit`. */
void session_forfeit(struct session *session, enum side loser, const struct fault *why);

/* Goes back to the position after `ply` plies (0 … game.ply_count), with views and record as they
 * were then; nobody is told. The session runs again if it was over. False when a call of the
 * variant fails, and the session cannot go on. */
bool session_rewind(struct session *session, uint32_t ply, struct fault *fault);

/* Writes the end of a session that is over into its record. False without memory. */
bool session_seal(struct session *session, struct fault *fault);

#endif
