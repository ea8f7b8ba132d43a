/* archive.h - the games of a server on disk: `games.sqlite` in its data folder.
 *
 * A turn is committed before anybody is told of it, so every game goes on after the program has
 * died at any moment with the last move that anybody knows (WAL with synchronous = NORMAL: after a
 * power cut the file is consistent, and the last moments may be missing). The file holds armies,
 * secrets and keys; only its owner can read it, and one process at a time uses it.
 *
 * If the disk fails or somebody else has locked the file, what cannot be written waits in memory
 * and is written soon after the disk takes it again, in the order in which it happened; until then
 * nobody may be told of it, and a game must not be read from here. Where only pages are damaged,
 * the games with rows there wait, and others go on.
 *
 * The age of a game is the time for which servers have run with the file since something happened
 * in it. No clock that is wrong or set has a part in it.
 *
 * Any thread may call these functions. */
#ifndef ENSIGN_SERVE_ARCHIVE_H
#define ENSIGN_SERVE_ARCHIVE_H

#include "secret.h"

#include "base/chance.h"
#include "host/record.h"

struct archive;

/* What a client is told: why exactly is not its business. */
#define ARCHIVE_UNREADABLE "the game cannot be read now; try again later"

enum {
    ARCHIVE_ID_MAX = 40,
    ARCHIVE_KEPT_DAYS = 30 /* that a server runs while nothing happens in a game */
};

/* A game as it is on the disk. Texts are owned: archived_clear(). */
struct archived {
    char id[ARCHIVE_ID_MAX];
    char secret[2][SECRET_MAX];      /* of the seats; "" for a player's */
    char invite[2][SECRET_MAX];      /* to the seats; "": none */
    char token[2][SECRET_MAX];       /* that open seats were taken with; "": none */
    char next[ARCHIVE_ID_MAX];       /* the game that a rematch made; "": none */
    struct chance chance;            /* of the game */
    uint64_t seed;                   /* for the record */
    char *request;                   /* what the game was made with, JSON */
    char *name[2];                   /* of the seats' holders; NULL: not sat down yet */
    char *setup[2];                  /* NULL: not laid out yet */
    char *result, *reason, *forfeit; /* NULL: it runs; no forfeit */
    int64_t left[2];                 /* ms on the clocks */
    char *taken_back;                /* the record's tag (host/table/history.h); NULL: never */
    struct record_move *moves;       /* of archive_read_moves() */
    size_t move_count;
};
void archived_clear(struct archived *game);

/* Opens or makes the archive in a folder, which is made too, and forgets games older than
 * ARCHIVE_KEPT_DAYS. NULL with a fault: STATUS_USAGE if another process uses it or
 * others may write there, STATUS_TEXT if the file is damaged or something else, STATUS_SYSTEM. */
struct archive *archive_open(const char *folder, struct fault *fault);

/* NULL is allowed. */
void archive_close(struct archive *archive);

/* All that follow return true if everything so far of the game is on the disk: else it waits. */

/* Writes a new game, without moves. */
bool archive_add(struct archive *archive, const struct archived *game);

/* Who sits at a side, and the token (may be "") that the seat was taken with; the army that was
 * laid out. */
bool archive_name(struct archive *archive, const char *id, enum side side, const char *name,
                  const char *token);
bool archive_setup(struct archive *archive, const char *id, enum side side, const char *setup);

/* The move that made ply `ply` (from 1), and what the clocks show then. */
bool archive_turn(struct archive *archive, const char *id, uint32_t ply, const char *move,
                  const int64_t left[2]);

/* The game was taken back to `ply` (from 0), and runs, even if it was over. `taken_back` is the
 * record's tag. */
bool archive_take_back(struct archive *archive, const char *id, uint32_t ply,
                       const char *taken_back, const int64_t left[2]);

/* What the clocks show at the end. */
bool archive_clocks(struct archive *archive, const char *id, const int64_t left[2]);

/* The game is over. `forfeit` NULL: it was none. */
bool archive_end(struct archive *archive, const char *id, const char *result, const char *reason,
                 const char *forfeit);

/* Is everything of a game (NULL: of all) on the disk? Else `*why` (NULL is allowed) is "full",
 * "locked" or "failed". */
bool archive_is_whole(struct archive *archive, const char *game, const char **why);

/* The same of all, as it was last seen, without waiting for the disk. */
bool archive_seems_whole(struct archive *archive);

/* Calls `report` whenever the disk takes nothing any more, with the reason, and when everything is
 * written again, with NULL; not for long, and by any thread. */
void archive_watch(struct archive *archive, void (*report)(void *context, const struct fault *why),
                   void *context);

/* A rematch made the game `next`. */
bool archive_next(struct archive *archive, const char *id, const char *next);

/* Finds a game by its id, or by the secret of a seat or an invitation, without its moves, which may
 * be many. False with a fault: STATUS_NOT_FOUND, STATUS_SYSTEM. */
bool archive_find(struct archive *archive, const char *id, struct archived *game,
                  struct fault *fault);
bool archive_find_seat(struct archive *archive, const char *secret, struct archived *game,
                       struct fault *fault);
bool archive_read_moves(struct archive *archive, struct archived *game, struct fault *fault);

#endif
