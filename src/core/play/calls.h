/* calls.h - functions of a variant that are called during play.
 *
 * Most rules of a variant are tabulated (rules.h). Those that depend on the position are functions,
 * called here through the loader. Answers must depend on the arguments alone.
 *
 * In a ply the calls come in the order of `enum call`, each for the position left by those before
 * it: is the move legal, who falls; then, unless that decides the game, the effects after the
 * battle, after the move and at the start of the other side's turn; then whether the game has
 * ended. Effects are checked and carried out here. They cause no further calls: an effect is
 * neither a move nor a battle.
 *
 * When a call fails, or its effects contradict the position, the thread keeps the first such fault
 * until calls_take() fetches it. Until then CALL_LEGAL forbids nothing, so that no list of moves is
 * too short, and the current or next ply ends its game as a draw by REASON_FAULT. Check for a fault
 * after playing with a variant that has calls.
 *
 * Calls made for a bot's imagined games are paid for with its fuel (calls_pay_from()). When that is
 * used up, calls fail without being made, which ends those games at once. */
#ifndef ENSIGN_CORE_PLAY_CALLS_H
#define ENSIGN_CORE_PLAY_CALLS_H

#include "turn.h"

/* A move as calls receive it; after the move, without an ability that the piece did not survive to
 * use. */
struct play {
    enum side side; /* the mover */
    struct move move;
    kind_id kind;         /* of the moving piece */
    kind_id other;        /* of the attacked piece, else KIND_NONE */
    enum outcome outcome; /* of that attack, in CALL_AFTER_BATTLE and CALL_AFTER_MOVE */
};

enum deed_type {
    DEED_REMOVE,  /* at: the piece falls; a flag ends the game */
    DEED_REVEAL,  /* at: its kind is shown for good */
    DEED_CONCEAL, /* at: face down again */
    DEED_PLACE,   /* at (empty land), side, kind: a fallen piece returns, at most once in a game */
    DEED_SWAP,    /* at, to: the contents of two squares are exchanged; one may be empty */
    DEED_COUNT,   /* side, counting: a counter changes */
    DEED_WIN,     /* side */
    DEED_DRAW
};

/* One effect. */
struct deed {
    uint8_t type; /* enum deed_type */
    uint8_t side; /* enum side */
    square at, to;
    kind_id kind;
    uint8_t unused[3]; /* no padding: it travels as it lies in memory */
    struct counting counting;
};

enum { CALL_WHY_MAX = 160, ENDING_TONGUES_MAX = 8 };

/* The variant's own words for an ending, on one line. */
struct ending_words {
    char text[CALL_WHY_MAX]; /* empty: none */
    int count;               /* of the same in other languages */
    struct ending_tongue {
        char tag[NAME_TAG_MAX];
        char text[CALL_WHY_MAX];
    } tongue[ENDING_TONGUES_MAX];
};

struct call_answer {
    uint64_t fuel_max;         /* set by the caller: the most instructions to use; the variant's own
                                  limit applies too */
    uint64_t fuel;             /* used, also by a call that fails: the same in every process; all
                                  of `fuel_max` if it was not enough */
    bool allowed;              /* CALL_LEGAL */
    char why[CALL_WHY_MAX];    /* CALL_LEGAL: the variant's reason for a refusal; may be empty */
    enum outcome outcome;      /* CALL_BATTLE: not ASK_THE_VARIANT */
    enum result result;        /* CALL_ENDING: RESULT_NONE if the game goes on */
    struct ending_words words; /* CALL_ENDING, unless the game goes on */
    int count;                 /* effects, in order; at most DEEDS_MAX */
    struct deed deed[DEEDS_MAX];
};

enum { CALLS_ALLOW_MAX = 64 };

/* Moves that are asked about at once; at most CALLS_ALLOW_MAX. */
struct plays {
    size_t count;
    struct play play[CALLS_ALLOW_MAX];
};

/* What some calls may use, in instructions, and have used. */
struct calls_fuel {
    uint64_t max, used;
};

/* "legal", "after_battle", …: as in variant files. */
const char *call_name(enum call call);

static inline bool calls_want(const struct game *game, enum call call) {
    return game->calls && game->calls->declared >> call & 1;
}

/* Keeps a fault as if the call had failed with it. */
void calls_blame(const struct game *game, enum call call, const char *what);

/* The play of a move that is about to be made. */
struct play calls_play(const struct game *game, struct move move);

/* Calls CALL_LEGAL, which must be declared. `why` (CALL_WHY_MAX bytes or NULL) receives the
 * variant's reason for a refusal, which may be empty. */
bool calls_allow(const struct game *game, struct move move, char *why);

/* The same for each of the moves: removes those not allowed, keeping the order, and returns the
 * number left. */
size_t calls_allow_all(const struct game *game, struct move *moves, size_t count);

/* Calls CALL_LEGAL for each of the plays and fills `allowed`. False with a fault, at the first that
 * fails. */
bool calls_allow_each(struct calls *calls, const struct game *game, const struct plays *plays,
                      struct calls_fuel *fuel, bool *allowed, struct fault *fault);

/* Calls CALL_BATTLE, which must be declared, for an attack. */
enum outcome calls_battle(const struct game *game, struct move move);

/* Makes the call, if it is declared, and carries out its effects in the ply being played. Adds
 * decisions to `turn` and public events to `events`, which may be NULL. */
void calls_effects(struct game *game, enum call call, const struct play *play, struct turn *turn,
                   struct events *events);

/* Calls CALL_ENDING, if it is declared. */
enum result calls_ending(const struct game *game);

/* The variant's words for the end of a game that is over. None unless CALL_ENDING decided it: the
 * call is made again, and answers the same. */
void calls_ending_words(const struct game *game, struct ending_words *words);

/* From now on this thread's calls are paid for with `*fuel`, which is the thread's alone; NULL:
 * they cost nothing. Returns the pointer in force before. */
uint64_t *calls_pay_from(uint64_t *fuel);

/* Instructions paid for by this thread so far. */
uint64_t calls_paid(void);

/* Does this thread keep the fault of a failed call? */
bool calls_failed(void);

/* Moves the kept fault to `fault` (may be NULL); false if there is none. */
bool calls_take(struct fault *fault);

#endif
