/* messages.h - what machines tell each other about a match, as frames (jail/channel.h).
 *
 * Integers travel as they lie in memory, so a worker first compares MESSAGES_PROTOCOL and the
 * program's version (notices.h). Whatever is taken is checked as if an enemy had sent it.
 *
 * Subjects of NATS, each followed by ".MATCH", the id of a match (seal.h):
 *   ensign.open     the match wants workers: an announcement, every second; signed
 *   ensign.over     it wants none any more; signed
 *   ensign.ask      questions of a worker, answered by the coordinator; sealed
 *   ensign.jobs     pairs to be played; signed; in the stream ENSIGN_JOBS
 *   ensign.results  games; sealed; in the stream ENSIGN_RESULTS
 * and ensign.worker.NAME: who a worker is and what it does, every second, for people. */
#ifndef ENSIGN_HOST_MACHINES_MESSAGES_H
#define ENSIGN_HOST_MACHINES_MESSAGES_H

#include "host/match/pair.h"
#include "jail/channel.h"
#include "seal.h"

enum {
    MESSAGES_PROTOCOL = 7,
    MESSAGES_WORKER_MAX = 64,     /* a worker's name, with the final 0 */
    MESSAGES_VERSION_MAX = 32,    /* a program's version, with the final 0 */
    MESSAGES_JOB_PAIRS = 4096,    /* in a job at most */
    MESSAGES_BYTES_MAX = 1000000, /* a message; the usual ceiling of a server is 1 MiB */
    MESSAGES_GAMES_MAX = 998000,  /* of the games of a pair; longer ones are played by the match */
    MESSAGES_PIECE = 500000,      /* of a file in one answer */
    MESSAGES_SETUPS_PIECE = 4096, /* set-ups in one answer */
    MESSAGES_PAIR_MS = 24 * 3600 * 1000, /* that a pair can take */
    MESSAGES_HEAD = 4 + SEAL_KEY, /* before what is sealed: the protocol, and the worker's key */
    MESSAGES_JOB_HEAD = SEAL_SIGNATURE + 8 /* before the pairs of a job: signature and number */
};

/* What is sealed or signed: the kinds of seal.h. */
enum messages_kind {
    MESSAGES_QUESTION = 'q',
    MESSAGES_ANSWER = 'a',
    MESSAGES_GAMES = 'g',
    MESSAGES_JOB = 'j'
};

/* Whether it can be the name of a worker: letters, digits, '-' and '_'. */
bool messages_is_name(const char *name);

/* A whole message of a worker: the head, and the body of the frame, sealed. The caller frees; NULL
 * without memory. */
unsigned char *messages_seal(const uint8_t worker[SEAL_KEY], const struct seal_keys *keys,
                             enum messages_kind kind, const struct frame *body, size_t *length);

/* Questions: a greeting, then its number and what is listed; answers begin with a yes (1), or with
 * a no (0) and a fault. */
enum messages_question {
    MESSAGES_ASKS_TERMS,  /* -                        terms */
    MESSAGES_ASKS_PATH,   /* sort, name               0 (not listed), or 1 and its path */
    MESSAGES_ASKS_FILE,   /* path                     size or MESSAGES_NO_FILE or …NOT_LISTED;
                             messages_hash() */
    MESSAGES_ASKS_BYTES,  /* hash, offset             up to MESSAGES_PIECE bytes of the file */
    MESSAGES_ASKS_SETUPS, /* family, first            up to MESSAGES_SETUPS_PIECE set-ups, each a
                             text */
    MESSAGES_ASKS_KNOWN,  /* -                        number of a pair that the coordinator knows */
    MESSAGES_SHOWS_KNOWN, /* the pair's games         - */
    MESSAGES_STAYS,       /* -                        -; every few seconds, while it plays */
    MESSAGES_QUESTIONS
};

/* A match lists the files that its coordinator has needed so far: no others are told of. */
static const uint32_t MESSAGES_NO_FILE = UINT32_MAX, MESSAGES_NOT_LISTED = UINT32_MAX - 1;

/* Why the games of a pair are not sent: the coordinator then plays it. */
struct messages_lack {
    uint32_t sort; /* of the name; MESSAGES_LACKS_FILE, and it is a path; of the others none */
    char name[FOLDER_PATH_MAX];
};
enum {
    MESSAGES_LACKS_FILE = FOLDER_SETUPS + 1,
    MESSAGES_LACKS_ROOM, /* they are too long for a message */
    MESSAGES_LACKS_TIME  /* a player passed its deadline: on the match's own machine it may not */
};

void messages_put_lack(struct frame *frame, const struct messages_lack *lack);

/* False if it makes no sense. */
bool messages_take_lack(struct frame *frame, struct messages_lack *lack);

/* Of a file's bytes. Files of one match are kept for another, whose coordinator may be an enemy. */
struct messages_hash {
    uint8_t bytes[32];
};
struct messages_hash messages_hash(const void *bytes, size_t length);

/* Who asks. */
struct messages_greeting {
    char version[MESSAGES_VERSION_MAX], worker[MESSAGES_WORKER_MAX];
    int threads;
    uint64_t number; /* rises with each question, so that one that somebody repeats is known */
};

/* With a number of its own. */
void messages_put_greeting(struct frame *frame, const struct messages_greeting *greeting);

/* False if it is no greeting. */
bool messages_take_greeting(struct frame *frame, struct messages_greeting *greeting);

/* What a worker lets matches do on its machine, whatever their terms say. */
struct permits {
    bool programs, trust; /* external programs; bots without the wall */
    uint64_t fuel;        /* the most that a match may give a bot's callback, */
    int deadline;         /* or an answer, in ms */
    size_t memory;        /* and bytes for all that runs at once, of all matches */
};

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

/* Whether the worker lets the match have all this. False with a fault that says which option of the
 * worker is missing. */
bool terms_are_permitted(const struct terms *terms, const struct permits *permits,
                         struct fault *fault);

/* The games of a pair, in order. */
void games_put(struct frame *frame, struct finished *const games[2]);

/* New games of this pair; false if games_put() cannot have sent them, or no game can have these
 * numbers and texts. A record must have its hash. */
bool games_take(struct frame *frame, const struct tournament *match, uint32_t pair,
                struct finished *games[2]);

/* Over all of the games that the same pair always has, whoever plays it: not its times. Never 0. */
uint64_t games_digest(struct finished *const games[2]);

#endif
