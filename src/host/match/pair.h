/* pair.h - the two games of a pair, played by whoever has the match's options: a thread of this
 * process or another machine. The same pair gives the same games everywhere. */
#ifndef ENSIGN_HOST_MATCH_PAIR_H
#define ENSIGN_HOST_MATCH_PAIR_H

#include "match_game.h"
#include "tournament.h"

struct finished {
    struct finished *next; /* for the result writer's queue */
    uint32_t number;       /* from 0 */
    struct tournament_game game;
    char *record;                  /* the text, owned */
    char *log[MATCH_GAME_LOGS];    /* as in struct match_game; owned */
    char setup[2][SETUP_TEXT_MAX]; /* empty: none was accepted */
    struct usage usage[2];         /* by side */
    struct fault *fault;           /* of the forfeit, or of a player that failed after the end;
                                      owned; may be NULL */
    enum side late_side;           /* the side that failed after the end */
    bool overdue; /* a player passed its deadline: on another machine it may not; not told by
                     games_take() */
};

void finished_free(struct finished *finished); /* NULL is allowed */

struct pair {
    const struct tournament *match;
    const struct tournament_options *options; /* `jobs`, `sprt`, `store` are not read */
    struct template *template;
    const atomic_bool *stop; /* true: give up */
    uint32_t number;         /* of the pair, from 0 */
    bool has[2];             /* games that are not to be played */
    struct setup stood[2];   /* if it has the first of them: its set-ups, by side */

    void (*finished)(void *context, struct finished *finished); /* takes ownership */
    void *context;
};

/* Plays the games in order. False if it was given up, with STATUS_OK, or with a fault if the host
 * fails. */
bool pair_play(struct pair *pair, struct fault *fault);

/* The same, with both games in `games`, the caller's; none if it fails. `finished`, `context` and
 * `has` of the pair are not read. */
bool pair_play_both(struct pair *pair, struct finished *games[2], struct fault *fault);

/* The side that begins in the games of a pair. */
enum side pair_first(const struct tournament_options *options, uint32_t number);

/* Whether another machine's games can be those of their pair, as far as the chance of the match
 * fixes them: seeds, and armies that are drawn. None is `overdue`: such a pair is not sent. */
bool pair_allows(const struct tournament *match, const struct tournament_options *options,
                 struct finished *const games[2]);

#endif
