/* sitting.h - the state of one game at the terminal: round.c plays it, sitting_keep.c keeps it in
 * its file and as a record. */
#ifndef ENSIGN_CLI_PLAY_SITTING_H
#define ENSIGN_CLI_PLAY_SITTING_H

#include "base/buffer.h"
#include "cli/suspicions.h"
#include "host/table/table.h"
#include "lua/logbook.h"
#include "round.h"

#include <pthread.h>
#include <string.h>

struct sitting;

/* Where a side's bot prints to. */
struct sitting_log {
    const struct sitting *sitting;
    enum side side;
    struct log_sink sink;
};

/* The state of one game. */
struct sitting {
    struct round *round;
    struct table table;
    struct sitting_log log[2];
    struct log_sink calls_sink;
    struct log calls;          /* what the variant's calls print */
    struct buffer calls_lines; /* kept until a person's game is over: they see both armies */
    bool has_external;         /* an external program plays */
    pthread_mutex_t lock;      /* guards `saved` while the game runs */
    struct saved saved;
    struct record *about;  /* tags of the record: when it was played, and who played which plies */
    struct record *before; /* of a game that goes on, cut to the moves that are left; else NULL */
    struct limits limits;  /* of that game */
    struct pace pace;      /* of the clock; ms 0: none */
    uint64_t seed;
    struct chance chance;       /* of the seed */
    struct suspicions marks[2]; /* of people, by side */
    struct hint hint;           /* for the only person */
    bool hinted;                /* since the file was written */
    enum side first;
};

static inline bool round_is_human(const struct round *round, int side) {
    return !strcmp(round->terms.player[side], "human");
}

static inline int round_people(const struct round *round) {
    return round_is_human(round, RED) + round_is_human(round, BLUE);
}

/* Continues the game in the file at `path`. False without words in `fault` if the user declines to
 * continue a damaged game. */
bool sitting_take_up(struct sitting *sitting, const char *path, struct fault *fault);

/* The tags that only continuing a game needs; among them people's marks, for their own file. */
void sitting_set_tags(struct sitting *sitting);
void sitting_keep_marks(struct sitting *sitting);

/* The record's tags of when a person began to play, and who played which plies. Games of bots have
 * no date: the same seed gives the same record. False without memory. */
bool sitting_set_about(struct sitting *sitting);

/* Writes how to continue the game, as a whole line. */
void sitting_write_where(const struct sitting *sitting, char *words, size_t size);

/* A table_listener's `hear`: keeps the game. Also called by another thread. */
void sitting_keep(void *context, const struct session *session, bool again);

/* A signal is about to end the program: kills the external programs, then writes the game. */
void sitting_save(void *context);

/* Writes the record to the named path. If that fails or none is named, writes it to the state
 * folder if it is needed, so that no game is lost. Returns the exit code; `path`: where it is. */
int sitting_write_record(struct sitting *sitting, const struct record *record, bool needed,
                         char path[UI_PATH_MAX]);

#endif
