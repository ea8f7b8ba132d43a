/* printed.h - what bots and a variant's calls print in a game, by ply.
 *
 * A bot prints what its side knows, so a line is shown only where that side's pieces are;
 * a call sees both sides, and so must who reads its lines. The lines
 * lie in a file without a name as well, from which the next process of `watch` reads them: they
 * must not be in the memory of a process that forks bots. */
#ifndef ENSIGN_CLI_SCREEN_PRINTED_H
#define ENSIGN_CLI_SCREEN_PRINTED_H

#include "core/rules/rules.h"
#include "lua/logbook.h"

#include <pthread.h>

struct printed_line {
    uint32_t ply; /* that is played, or was played last */
    int side;     /* of the bot; -1: a call of the variant */
    char *text;
};

struct printed {
    pthread_mutex_t mutex;
    int file;                  /* -1: none */
    bool recalled;             /* what an earlier process added to it has been read */
    struct printed_line *line; /* owned, with the texts */
    size_t count;
};

void printed_open(struct printed *printed);
void printed_close(struct printed *printed);

/* Adds a line; any thread may. One before the first ply begins anew if later ones are there. */
void printed_add(struct printed *printed, int side, const struct log_line *line);

/* Forgets what was printed after a ply. */
void printed_cut(struct printed *printed, uint32_t ply);

/* The lines of `side` about a ply, at most `most`; returns how many. They stay valid until
 * printed_cut(). */
size_t printed_find(struct printed *printed, int side, uint32_t ply, const char **texts,
                    size_t most);

#endif
