/* figures.h - what `ensign bench` measures, one function a figure.
 *
 * A workshop holds everything that the functions need; each of them works for about so many seconds
 * of processor time, or of the clock on the wall where another process or thread has a share (turns
 * in a child, questions to one, matches), and returns how many of its units it did in a second.
 * Nothing that is set up beforehand counts; random set-ups and the start of the games that are
 * drawn from them do. */
#ifndef ENSIGN_CLI_BENCH_FIGURES_H
#define ENSIGN_CLI_BENCH_FIGURES_H

#include "core/play/position.h"
#include "core/search/playout.h"
#include "lua/folders.h"

enum {
    FIGURE_RUNS = 5, /* of each figure: odd, so that one of them is the median */
    FIGURE_CAP = 1000,
    FIGURE_BATCH = 4096, /* games that are played at once */
    FIGURE_ROUND = 64,   /* things done one after the other between two looks at the clock */
    FIGURE_FEW = 8       /* in place of both where games take long */
};

struct workshop {
    const struct folders *folders;
    const char *variant;
    struct rules *rules;
    struct playouts *playouts;
    struct random random;
    uint64_t seed;
    int batch; /* FIGURE_BATCH, or FIGURE_FEW where moves are listed */
    int round; /* likewise of playouts one at a time */
    struct game starts[FIGURE_BATCH];
    struct playout_result results[FIGURE_BATCH];
    struct ply *plies;  /* FIGURE_CAP + 64 */
    struct move *moves; /* room for the perft */
    struct ply *tails;  /* histories of sampled games */
    double *sums;       /* for dealing hidden armies */
    struct fault fault; /* why a figure is not to be had */
};

/* Loads the variant. False with workshop->fault; to be closed in either case. */
bool workshop_open(struct workshop *workshop, const struct folders *folders, const char *variant);
void workshop_close(struct workshop *workshop);

/* Random set-ups of both sides, red to move. False with workshop->fault. */
bool workshop_position(struct workshop *workshop, struct position *position);

/* A figure and how it is shown. */
struct figure {
    const char *key, *title, *unit;
    double per;   /* measured units in one of `unit` */
    bool inverse; /* the time one takes, not how many a second */
    double (*measure)(struct workshop *workshop, double seconds);
};

struct reading {
    double run[FIGURE_RUNS]; /* in ascending order */
};

static inline double reading_median(const struct reading *reading) {
    return reading->run[FIGURE_RUNS / 2];
}

/* Measures all figures once, then all again, FIGURE_RUNS times: a disturbance that lasts spoils one
 * run of each. `seconds` is for all runs of a figure. False with workshop->fault. */
bool workshop_measure(struct workshop *workshop, const struct figure *figures, size_t count,
                      double seconds, struct reading *readings);

/* Each returns 0, with workshop->fault, when it cannot be done. */
double figure_playouts(struct workshop *workshop, double seconds);           /* plies */
double figure_batches(struct workshop *workshop, double seconds);            /* plies */
double figure_sampled(struct workshop *workshop, double seconds);            /* plies */
double figure_listed(struct workshop *workshop, double seconds);             /* plies */
double figure_perft(struct workshop *workshop, double seconds);              /* leaves */
double figure_perft_unbulked(struct workshop *workshop, double seconds);     /* leaves */
double figure_loads(struct workshop *workshop, double seconds);              /* variants */
double figure_bot_turns(struct workshop *workshop, double seconds);          /* turns */
double figure_bot_turns_in_child(struct workshop *workshop, double seconds); /* turns */
double figure_exchanges(struct workshop *workshop, double seconds);      /* questions and answers */
double figure_lua_counted(struct workshop *workshop, double seconds);    /* rounds of a loop */
double figure_lua_uncounted(struct workshop *workshop, double seconds);  /* the same */
double figure_copies(struct workshop *workshop, double seconds);         /* games */
double figure_match(struct workshop *workshop, double seconds);          /* games */
double figure_match_two_jobs(struct workshop *workshop, double seconds); /* games */

/* What the Lua state of a trivial bot holds; 0, with workshop->fault, if it cannot be loaded. */
size_t workshop_state_bytes(struct workshop *workshop);

#endif
