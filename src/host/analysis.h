/* analysis.h - how the chances stood in a recorded game, as a bot sees them.
 *
 * Two bots of a kind, one a side, hear the game as their side heard it and say at each ply how
 * likely they are to win (player.h, `appraise`). Each has its side's view alone, so that what it
 * says depends on nothing that its side did not know. */
#ifndef ENSIGN_HOST_ANALYSIS_H
#define ENSIGN_HOST_ANALYSIS_H

#include "player.h"
#include "record.h"

#include <jansson.h>

/* Chances are parts of APPRAISAL_CERTAIN. Those of a ply are the mover's, after the move, as they
 * stood before it was played. */
struct analysis_ply {
    uint8_t side;               /* that moved */
    char played[MOVE_TEXT_MAX]; /* as the record has it */
    char best[MOVE_TEXT_MAX];   /* the first of those with the highest chance */
    uint16_t played_chance, best_chance;
    bool blind;  /* it attacked a piece that could have been of several kinds */
    kind_id met; /* the kind of that piece, if the battle showed it, else KIND_NONE */
};

struct analysis {
    char bot[TITLE_MAX];
    struct analysis_ply *plies; /* owned */
    uint32_t count;
    uint16_t *chance[2]; /* owned; of each side before each ply, and at the end: the result, if
                            there is one. With the move, the best chance counts */
    enum result result;
    enum reason reason;
};

struct analysis_options {
    struct player_options seat; /* of the bots; with the rules of the record */
    const char *bot;            /* as player_open() takes it */
    uint64_t seed;              /* of the game; gives the bots' chance as in `ensign trace` */

    /* Called before each ply is looked at; may be NULL. */
    void (*progress)(void *context, uint32_t ply, uint32_t plies);
    void *context;
};

/* An analysis that goes on ply by ply. Options, record and `analysis` must outlive it; `progress`
 * is not called. NULL with a fault if the record is not one game by the rules to its end, or a bot
 * fails. analysis_clear() frees the analysis in any case. */
struct analyser;
struct analyser *analyser_open(const struct analysis_options *options, const struct record *record,
                               struct analysis *analysis, struct fault *fault);

/* Looks at the next ply, or the end. False once that is done, or with a fault of a bot. */
bool analyser_step(struct analyser *analyser, struct fault *fault);
uint32_t analyser_ply(const struct analyser *analyser); /* plies looked at so far */
void analyser_close(struct analyser *analyser);         /* NULL is allowed */

/* All of it at once. False with a fault. */
bool analysis_run(const struct analysis_options *options, const struct record *record,
                  struct analysis *analysis, struct fault *fault);
void analysis_clear(struct analysis *analysis);

/* The document of `ensign analyse --json` (src/cli/README.md): chances are 0 … 1, `ply` counts from
 * 1. NULL without memory. */
json_t *analysis_json(const struct analysis *analysis, const struct rules *rules,
                      const struct record *record);

/* What the move of a ply cost by what its side could know then. */
static inline uint16_t analysis_loss(const struct analysis_ply *ply) {
    return (uint16_t)(ply->best_chance - ply->played_chance);
}

enum { WORST_MAX = 3, WORST_LEAST = APPRAISAL_CERTAIN / 100 };

/* The plies, from 0, of a side's moves that cost most, and at least WORST_LEAST, the worst first. A
 * best move that was passed by for several turns counts once. Returns how many. */
int analysis_worst(const struct analysis *analysis, enum side side, uint32_t worst[WORST_MAX]);

#endif
