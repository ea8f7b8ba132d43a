/* figures.h - the figures of `ensign bench`, one function each.
 *
 * Each function runs for about `seconds` of processor time, or of wall time where other processes
 * or threads take part (turns in a child, exchanges with it, matches), and returns its units per
 * second. Preparations in the workshop do not count; drawing set-ups and starting games do. */
#ifndef ENSIGN_CLI_BENCH_FIGURES_H
#define ENSIGN_CLI_BENCH_FIGURES_H

#include "core/play/position.h"
#include "core/search/playout.h"
#include "lua/folders.h"

enum {
    FIGURE_RUNS = 5, /* of each figure: odd, so that one of them is the median */
    FIGURE_CAP = 1000,
    FIGURE_BATCH = 4096, /* games in a batch */
    FIGURE_ROUND = 64,   /* repetitions between two readings of the clock */
    FIGURE_FEW = 8       /* replaces both where moves are listed */
};

struct workshop {
    const struct folders *folders;
    const char *variant;
    struct rules *rules;
    struct playouts *playouts;
    struct random random;
    uint64_t seed;
    int batch; /* FIGURE_BATCH or FIGURE_FEW */
    int round; /* FIGURE_ROUND or FIGURE_FEW */
    struct game starts[FIGURE_BATCH];
    struct playout_result results[FIGURE_BATCH];
    struct ply *plies;  /* FIGURE_CAP + 64 */
    struct move *moves; /* room for the perft */
    struct ply *tails;  /* histories of sampled games */
    double *sums;       /* for dealing hidden armies */
    struct fault fault; /* of a figure that failed */
};

/* Loads the variant. False with workshop->fault; close it in either case. */
bool workshop_open(struct workshop *workshop, const struct folders *folders, const char *variant);
void workshop_close(struct workshop *workshop);

/* Random set-ups of both sides, red to move. False with workshop->fault. */
bool workshop_position(struct workshop *workshop, struct position *position);

/* A figure and how it is shown. */
struct figure {
    const char *key, *title, *unit;
    double per;   /* size of `unit` */
    bool inverse; /* show the time of one instead of the number per second */
    double (*measure)(struct workshop *workshop, double seconds);
};

struct reading {
    double run[FIGURE_RUNS]; /* in ascending order */
};

static inline double reading_median(const struct reading *reading) {
    return reading->run[FIGURE_RUNS / 2];
}

/* Measures all figures in turn, FIGURE_RUNS times over, so that a long disturbance spoils only one
 * run of each. `seconds` is for all runs of a figure. False with workshop->fault. */
bool workshop_measure(struct workshop *workshop, const struct figure *figures, size_t count,
                      double seconds, struct reading *readings);

/* Each returns 0, with workshop->fault, if it fails. */
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

/* Memory of a trivial bot's Lua state; 0 with workshop->fault if it fails. */
size_t workshop_state_bytes(struct workshop *workshop);

#endif
