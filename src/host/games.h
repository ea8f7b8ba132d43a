/* games.h - the records of a folder as a person's games: whom one played, how it ended, when.
 *
 * Read from the tags alone; no move is judged. One's own side is the one that "human" played. */
#ifndef ENSIGN_HOST_GAMES_H
#define ENSIGN_HOST_GAMES_H

#include "core/play/calls.h"
#include "core/rules/rules.h"

enum { GAMES_TEXT_MAX = 128, GAMES_DATE_MAX = 20 };

enum own_end { OWN_WON, OWN_LOST, OWN_DRAWN, OWN_UNFINISHED, OWN_ENDS };

struct own_game {
    char file[GAMES_TEXT_MAX * 2];
    char variant[GAMES_TEXT_MAX], player[2][GAMES_TEXT_MAX];
    char date[GAMES_DATE_MAX]; /* "2026-03-14 20:15:00"; without a tag, of the file */
    enum result result;
    enum reason reason;
    char ending[CALL_WHY_MAX]; /* the variant's own words, or empty */
    uint32_t plies;
    int me;          /* enum side; -1: nobody or both sides are "human" */
    bool whole;      /* one player on each side, from the first ply to the last */
    bool taken_back; /* some moves were; it counts all the same */
    bool hints;      /* bots gave hints */
};

struct own_games {
    struct own_game *list; /* oldest first */
    size_t count;
};

/* Reads the records (".rec") of a folder. `complain` is told of each that cannot be read. False
 * with a fault if the folder cannot be read or memory is short. Free with own_games_clear(). */
bool own_games_read(struct own_games *games, const char *folder,
                    void (*complain)(void *context, const struct fault *fault), void *context,
                    struct fault *fault);
void own_games_clear(struct own_games *games);

/* How it ended for me; for a game without me, who won is in `result`. */
enum own_end own_game_end(const struct own_game *game);
const char *own_end_name(enum own_end outcome); /* "won", "lost", "drawn", "unfinished" */

/* The name of the opponent; empty without me. */
const char *own_game_opponent(const struct own_game *game);

/* Does it count for a score: is it mine, over, and played by the same two throughout? */
bool own_game_counts(const struct own_game *game);

/* Won, lost and drawn games of one variant against one opponent. */
struct own_score {
    const char *variant, *opponent; /* of a game of the list */
    uint32_t games[OWN_UNFINISHED];
};

struct own_scores {
    struct own_score *list; /* by variant, then opponent */
    size_t count;
    struct own_score all;
    uint32_t streak, streak_now;               /* games won in a row: at most, at the end */
    const struct own_game *longest, *quickest; /* of those that count; quickest win; or NULL */
};

/* Adds up the games that count. False if memory is short. Free with own_scores_clear(). */
bool own_games_score(const struct own_games *games, struct own_scores *scores);
void own_scores_clear(struct own_scores *scores);

#endif
