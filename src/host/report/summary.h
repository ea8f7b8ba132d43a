/* summary.h - everything that a match's report shows, as numbers and films.
 *
 * Read from a match's folder (store.h) or from single records. Results come from the store; records
 * are replayed for the first side, the squares of battles and the films. A missing or changed
 * record costs its film, not its result. */
#ifndef ENSIGN_HOST_REPORT_SUMMARY_H
#define ENSIGN_HOST_REPORT_SUMMARY_H

#include "host/film.h"
#include "host/match/rating.h"
#include "host/match/sprt.h"
#include "host/playback.h"
#include "lua/folders.h"

enum { SUMMARY_TEXT_MAX = 256 };

struct summary_game {
    uint32_t number; /* from 1 */
    uint8_t player[2];
    uint8_t result, reason;
    uint8_t first; /* enum side; SUMMARY_UNKNOWN without a record */
    bool paired;   /* with the game before it */
    uint32_t plies;
    uint64_t seed;
    int32_t setup[2]; /* index into `setup_list`, SUMMARY_NO_SETUP if none was accepted */
    uint64_t hash;    /* of the record; 0: unknown */
    char *forfeit;    /* owned; NULL: not forfeited */
};
enum { SUMMARY_NO_SETUP = -1, SUMMARY_UNKNOWN = 2 };

struct summary_setup {
    char *text;                   /* owned; one line */
    struct statistics statistics; /* of the sides that played it */
};

struct summary {
    const struct rules *rules;
    struct rules *own_rules; /* owned; NULL: `rules` are the caller's */
    char version[SUMMARY_TEXT_MAX], pairing[SUMMARY_TEXT_MAX], command[SUMMARY_TEXT_MAX];
    char bot[SUMMARY_TEXT_MAX];   /* that plays both families of set-ups; empty: players are bots */
    char ended[SUMMARY_TEXT_MAX]; /* "complete", "decided", or empty: not ended */
    bool is_match;                /* else single records: nothing is planned, seeded or paired */
    bool has_seed;                /* false while an external program plays (store.h) */
    uint64_t seed;
    uint32_t planned; /* games; 0: unknown */
    uint64_t hash;    /* over all games, as in tournament.h; 0: none */
    bool has_sprt;
    struct sprt sprt; /* of player 0 against player 1 */

    int players;
    char name[RATING_PLAYERS_MAX][TITLE_MAX];
    struct statistics total[RATING_PLAYERS_MAX];
    struct statistics *cross; /* owned; [i * players + j]: of i against j */
    enum rating_kind rating_kind;
    struct rating rating[RATING_PLAYERS_MAX];

    uint32_t games;
    struct summary_game *list;           /* owned, by number */
    struct statistics red, first;        /* of red; of the side that moves first */
    uint32_t setups;                     /* different ones */
    struct summary_setup *setup_list;    /* owned */
    uint32_t flags[BOARD_SQUARES_MAX];   /* flags on each square at the start */
    uint32_t battles[BOARD_SQUARES_MAX]; /* attacks on each square */
    uint32_t unread;                     /* records that could not be used */
    struct fault unread_why;             /* of the first one */
    struct reel reel;
};

struct summary_options {
    const struct folders *folders;
    const char *variant; /* name or path of the rules; NULL: those of the match or the record */
    uint32_t games_max;  /* films; UINT32_MAX with bytes_max SIZE_MAX: of all games */
    size_t bytes_max;    /* of films */
};

/* Name or path of the rules of the match in a folder, unless the options give them; empty if it
 * cannot be read. */
enum { SUMMARY_PATH_MAX = 2048 };
void summary_variant(const char *folder, const struct summary_options *options,
                     char path[SUMMARY_PATH_MAX]);

/* Reads the match in a folder. NULL with a fault if there is none or its rules cannot be loaded.
 * Free with summary_free(). */
struct summary *summary_of_folder(const char *folder, const struct summary_options *options,
                                  struct fault *fault);

/* A report of `count` single records, to be filled with summary_add_record() and completed with
 * summary_finish(). NULL if memory is short. `rules` must outlive it. */
struct summary *summary_of_records(const struct rules *rules, uint32_t count,
                                   const struct summary_options *options);

/* Adds a record whose replay, under the report's rules, has just been opened, and plays it. False
 * with a fault if playback_run() finds one or memory is short; the report is then incomplete. */
bool summary_add_record(struct summary *report, struct playback *replay, struct fault *fault);
bool summary_finish(struct summary *report, struct fault *fault);
void summary_free(struct summary *report);

/* The average score, 0..1, with its 95 % interval from the pairs, clipped to 0..1. Low and high are
 * NAN without pairs, all three without games. */
struct summary_score {
    double score, low, high;
};
struct summary_score summary_score(const struct statistics *statistics);

#endif
