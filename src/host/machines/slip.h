/* slip.h - what machines tell each other about a match, as frames (wall/wire.h).
 *
 * Integers and structs travel as they lie in memory, so a worker first compares SLIP_PROTOCOL and
 * the program's version (SLIP_GREETING). Whatever is taken is checked as if an enemy had sent it.
 *
 * Subjects of NATS, each followed by ".MATCH", the id of a match:
 *   ensign.open     the match wants workers: an announcement, every second
 *   ensign.over     it wants none any more
 *   ensign.ask      questions of a worker, answered by the coordinator
 *   ensign.jobs     pairs to be played; in the stream ENSIGN_JOBS
 *   ensign.results  games; in the stream ENSIGN_RESULTS
 * and ensign.worker.NAME: who a worker is and what it does, every second. */
#ifndef ENSIGN_HOST_MACHINES_SLIP_H
#define ENSIGN_HOST_MACHINES_SLIP_H

#include "host/match/pair.h"
#include "host/wall/wire.h"

enum {
    SLIP_PROTOCOL = 2,
    SLIP_MATCH_MAX = 33,      /* an id: 32 hexadecimal digits, and the final 0 */
    SLIP_WORKER_MAX = 64,     /* a worker's name, with the final 0 */
    SLIP_VERSION_MAX = 32,    /* a program's version, with the final 0 */
    SLIP_JOB_PAIRS = 4096,    /* in a job at most */
    SLIP_BYTES_MAX = 1000000, /* a message; the usual ceiling of a server is 1 MiB */
    SLIP_PIECE = 500000,      /* of a file in one answer */
    SLIP_SETUPS_PIECE = 4096  /* set-ups in one answer */
};

/* An id by chance, for a match or a session. False with a STATUS_SYSTEM fault. */
bool slip_draw_id(char id[SLIP_MATCH_MAX], struct fault *fault);

/* Questions: a greeting, then its number and what is listed; answers begin with a yes (1), or with
 * a no (0) and a fault. */
enum slip_question {
    SLIP_ASKS_TERMS,  /* -                        terms */
    SLIP_ASKS_PATH,   /* sort, name               path: as folders_resolve() */
    SLIP_ASKS_FILE,   /* path                     size (SLIP_NO_FILE: none), hash (64 bits) */
    SLIP_ASKS_BYTES,  /* hash, offset             up to SLIP_PIECE bytes of the file */
    SLIP_ASKS_SETUPS, /* family, first            up to SLIP_SETUPS_PIECE set-ups, each a text */
    SLIP_ASKS_KNOWN,  /* -                        number of a pair that the coordinator knows */
    SLIP_SHOWS_KNOWN, /* the pair's games         - */
    SLIP_QUESTIONS
};

static const uint32_t SLIP_NO_FILE = UINT32_MAX;

/* Who asks. */
struct slip_greeting {
    char version[SLIP_VERSION_MAX], worker[SLIP_WORKER_MAX];
    bool programs, trust; /* what it was allowed to run */
};

void slip_put_greeting(struct frame *frame, const struct slip_greeting *greeting);

/* False if the frame is of another protocol, or no greeting at all. */
bool slip_take_greeting(struct frame *frame, struct slip_greeting *greeting);

/* What a worker must know to play the pairs of a match. */
struct terms {
    char variant[FOLDER_PATH_MAX];
    char scripts[FOLDER_PATH_MAX]; /* the coordinator's folder of shared scripts */
    bool trust;                    /* bots run in the worker's own process */
    uint32_t setups[2];            /* how many the families have; 0: random ones */
    struct tournament_options options;
    char *players[TOURNAMENT_PLAYERS_MAX];
    char family[2][FOLDER_PATH_MAX];
};

/* Takes from the options what fixes games, and the key of the match. */
void terms_put(struct frame *frame, const struct tournament_options *options, const char *variant,
               bool trust);

/* False with a fault if terms_put() cannot have sent it, or without memory. The terms must not be
 * moved; free with terms_clear() in either case. */
bool terms_take(struct frame *frame, struct terms *terms, struct fault *fault);
void terms_clear(struct terms *terms);

/* The games of a pair, in order. */
void games_put(struct frame *frame, struct finished *const games[2]);

/* New games of this pair; false if games_put() cannot have sent them or they do not fit the match.
 * A record must have its hash. */
bool games_take(struct frame *frame, const struct tournament *match, uint32_t pair,
                struct finished *games[2]);

/* Over all of the games that the same pair always has, whoever plays it: not its times. Never 0. */
uint64_t games_digest(struct finished *const games[2]);

#endif
