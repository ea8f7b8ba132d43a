/* calls.h - what a variant decides during play, because it depends on the position.
 *
 * Nearly all that a variant says is tabulated (rules.h). The rest is asked for here, of whoever
 * loaded the variant; a variant that declares no call is never asked. Answers must depend on
 * nothing but what is handed over.
 *
 * In a ply the calls come in the order of `enum call`, each for the position as the ones before it
 * have left it: is the move legal, who falls; then, unless the game is decided by that, the effects
 * after the battle, after the move, and at the start of the other side's turn; then whether the
 * game has ended. Effects are checked and carried out here and call nobody in turn: what they do is
 * no move and no battle.
 *
 * The first call of a thread that fails, or whose effects contradict the position, is kept until
 * calls_take() fetches its fault. Until then nothing is forbidden by CALL_LEGAL, so that a list of
 * moves never comes out too short, and the next ply to be played (or the one at hand) ends its game
 * as a draw by REASON_FAULT. Whoever plays a game of a variant with calls asks afterwards. */
#ifndef ENSIGN_CORE_PLAY_CALLS_H
#define ENSIGN_CORE_PLAY_CALLS_H

#include "turn.h"

enum call {
    CALL_LEGAL,        /* may this move be made, which is legal otherwise? */
    CALL_BATTLE,       /* who falls? For pairs of which rules.outcome says ASK_THE_VARIANT */
    CALL_AFTER_BATTLE, /* effects */
    CALL_AFTER_MOVE,   /* effects, after every turn of a side */
    CALL_TURN_START,   /* effects, when the other side's turn begins; not before the first ply */
    CALL_ENDING,       /* has the game ended? Asked at the start too */
    CALL_COUNT
};

/* Set of the calls that answer with effects. */
enum { CALLS_EFFECTS = 1 << CALL_AFTER_BATTLE | 1 << CALL_AFTER_MOVE | 1 << CALL_TURN_START };

/* A move as calls are told of it; afterwards without an ability that its piece did not live to use.
 */
struct play {
    enum side side; /* who makes it */
    struct move move;
    kind_id kind;         /* of the piece that moves */
    kind_id other;        /* of the piece that it attacks, else KIND_NONE */
    enum outcome outcome; /* of that attack, in CALL_AFTER_BATTLE and CALL_AFTER_MOVE */
};

enum deed_type {
    DEED_REMOVE,  /* at: what stands there falls; a flag ends the game */
    DEED_REVEAL,  /* at: the other side knows its kind for good */
    DEED_CONCEAL, /* at: face down again */
    DEED_PLACE, /* at (empty land), side, kind: a fallen piece returns, each once a game at most */
    DEED_SWAP,  /* at, to: the two squares exchange what stands on them; one may be empty */
    DEED_WIN,   /* side */
    DEED_DRAW
};

/* One effect. */
struct deed {
    uint8_t type; /* enum deed_type */
    uint8_t side; /* enum side */
    square at, to;
    kind_id kind;
};

enum { CALL_WHY_MAX = 160 };

struct call_answer {
    bool allowed;           /* CALL_LEGAL */
    char why[CALL_WHY_MAX]; /* CALL_LEGAL: the variant's own words for a refusal; may be empty */
    enum outcome outcome;   /* CALL_BATTLE: one of the three */
    enum result result;     /* CALL_ENDING: RESULT_NONE if the game goes on */
    int count;              /* effects, in order; DEEDS_MAX at most */
    struct deed deed[DEEDS_MAX];
};

enum { CALLS_ALLOW_MAX = 64 };

struct calls {
    unsigned declared; /* set of 1 << enum call: what may be asked */
    /* Fills the part of `answer` that belongs to the call. `play` is NULL for CALL_TURN_START and
     * CALL_ENDING. May be called from any thread. False with a fault. */
    bool (*ask)(struct calls *calls, enum call call, const struct game *game,
                const struct play *play, struct call_answer *answer, struct fault *fault);
    /* CALL_LEGAL about up to CALLS_ALLOW_MAX moves at once, for those who answer from afar: fills
     * `allowed` for each. NULL: they are asked one by one. */
    bool (*allow)(struct calls *calls, const struct game *game, const struct play *plays,
                  size_t count, bool *allowed, struct fault *fault);
    /* Places a fault about an answer where that call is written. */
    void (*place)(struct calls *calls, enum call call, struct fault *fault);
    void (*close)(struct calls *calls); /* frees it all */
};

/* "legal", "after_battle", …: as in variant files. */
const char *call_name(enum call call);

static inline bool calls_want(const struct game *game, enum call call) {
    return game->calls && game->calls->declared >> call & 1;
}

/* Keeps a fault of the variant's as if the call had failed with it. */
void calls_blame(const struct game *game, enum call call, const char *what);

/* A move that is about to be made. */
struct play calls_play(const struct game *game, struct move move);

/* Asks CALL_LEGAL, which must be declared. `why` (CALL_WHY_MAX bytes or NULL) receives the
 * variant's words for a refusal, perhaps none. */
bool calls_allow(const struct game *game, struct move move, char *why);

/* The same about each of the moves: strikes out those that are not allowed and returns how many are
 * left, in their order. */
size_t calls_allow_all(const struct game *game, struct move *moves, size_t count);

/* Asks CALL_BATTLE, which must be declared, about an attack. */
enum outcome calls_battle(const struct game *game, struct move move);

/* Asks for effects, if that call is declared, and carries them out in the ply that is being played.
 * What they decide goes into `turn`, what both sides may know into `events`, which may be NULL. */
void calls_effects(struct game *game, enum call call, const struct play *play, struct turn *turn,
                   struct events *events);

/* Asks CALL_ENDING, if it is declared. */
enum result calls_ending(const struct game *game);

/* Has a call failed on this thread whose fault was not fetched yet? */
bool calls_failed(void);

/* Fetches the fault (`fault` may be NULL) and forgets it; false if there is none. */
bool calls_take(struct fault *fault);

#endif
