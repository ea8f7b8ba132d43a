/* saved.h - running games as files, so that a game survives the end of the program.
 *
 * A running game is a record with the result "*" in the user's state folder
 * ($XDG_STATE_HOME/ensign/saved, else ~/.local/state/ensign/saved), one file a game. Games of
 * `ensign watch` lie beside it in "watched" while they are watched. The file is
 * complete at every moment: each turn is appended with one write. It holds both set-ups, so only
 * its owner may read it. Where names are not enough to continue a game, the tags "RedPlayer",
 * "BluePlayer" and "VariantPath" are added.
 *
 * An external program can read all files of the user. While one plays, the game is held in memory
 * and written when the game is left, after the program has ended.
 *
 * The program that plays a game holds a lock on its file, which the system drops when the program
 * ends; a file without a lock is a game that was left. */
#ifndef ENSIGN_HOST_TABLE_SAVED_H
#define ENSIGN_HOST_TABLE_SAVED_H

#include "host/record.h"

enum { SAVED_PATH_MAX = 1024, SAVED_NAME_MAX = 256, SAVED_LISTED_MAX = 100 };

/* Folders of running games: those that may be gone on with, and those that `watch` plays, which end
 * with it and are listed nowhere. */
#define SAVED_GAMES "saved"
#define SAVED_WATCHED "watched"

/* $XDG_STATE_HOME/ensign/NAME, else ~/.local/state/ensign/NAME, made if missing. False
 * (STATUS_SYSTEM) without a home or if it cannot be made. */
bool saved_folder(const char *name, char path[SAVED_PATH_MAX], struct fault *fault);

/* A game that was left, without any hidden information. */
struct saved_summary {
    char path[SAVED_PATH_MAX];
    char variant[SAVED_NAME_MAX];   /* as variant_load() takes it */
    char player[2][SAVED_NAME_MAX]; /* as player_open() takes them, or "human" */
    uint32_t plies;
    int64_t when; /* last written, in seconds since 1970 */
};

/* Games that were left, latest first, at most SAVED_LISTED_MAX; returns how many. The caller frees
 * the list, which is NULL if empty. */
size_t saved_list(struct saved_summary **list);

/* The same of one file, wherever it is. A file outside the state folder is not trusted: its players
 * and variant must be names, and paths and commands are left empty. False with a fault if it cannot
 * be read. */
bool saved_look(const char *path, struct saved_summary *summary, struct fault *fault);

/* A game that this program plays. */
struct saved {
    const char *folder;        /* SAVED_GAMES or SAVED_WATCHED */
    char path[SAVED_PATH_MAX]; /* empty before the first write */
    int file;                  /* locked; -1: none */
    size_t moves;              /* in the file */
    int64_t length;            /* of the file */
    struct record *tags;       /* extra tags, written before those of the record; owned */
    char *held;                /* text of a game that is kept off the disk; owned */
    size_t held_moves;
    char variant[SAVED_NAME_MAX]; /* of the held game */
    bool has_clock;               /* the game has one: */
    int64_t left[2];              /* ms that each side has left; set before a turn is kept */
    int64_t left_kept[2];         /* in the file */
    struct fault fault;           /* why the latest turn could not be saved; else STATUS_OK */
};

/* Nothing is written before the first saved_keep(). Add extra tags with record_set_tag() to
 * `saved->tags`. `folder` is one of the two above. False if memory is short. */
bool saved_start(struct saved *saved, const char *folder, struct fault *fault);

/* Deletes what a killed `watch` left more than a day ago. */
void saved_sweep_watched(void);

/* Takes over a game that was left: its record (freed by the caller) and, if the file is in the
 * state folder, the file. `damage` is the first fault in a malformed file, of which a copy
 * ("….damaged") stays. False with a fault if there is no such file (STATUS_NOT_FOUND), if another
 * program plays the game (STATUS_USAGE), or if the file cannot be read. */
bool saved_take(struct saved *saved, const char *path, struct record **record, struct fault *damage,
                struct fault *fault);

/* Keeps a copy of a file whose moves are not all legal. */
void saved_distrust(struct saved *saved);

/* Appends the record's new moves to the file, or writes it anew if it has fewer than the file; for
 * referee_options.follow. A failed write sets `saved->fault` and is tried again at the next call.
 */
void saved_keep(struct saved *saved, const struct record *record);

/* What the sides had left in a game that was taken over; false if its file does not say. */
bool saved_clock(const struct record *record, int64_t left[2]);

/* The same in memory only. On failure the text held before stays. */
void saved_hold(struct saved *saved, const struct record *record);

/* Writes the begun file again: the extra tags have changed. */
void saved_renew(struct saved *saved, const struct record *record);

/* Writes the held game, if any, to a file; false with `saved->fault`. */
bool saved_release(struct saved *saved);

/* Closes the file, and deletes it if the game is over. */
void saved_end(struct saved *saved, bool over);

#endif
