/* saved.h - running games as files, so that whatever ends the program ends no game.
 *
 * A game that is being played is a record with the result "*" in the user's state folder
 * ($XDG_STATE_HOME/ensign/saved, else ~/.local/state/ensign/saved), one file a game. The file is
 * whole at every moment: a turn is added with one write, and what was there is never touched. It
 * holds both set-ups, and so what its players may not know of each other: only its owner may read
 * it. To the tags of a record it adds what continuing needs and they do not say: "RedPlayer",
 * "BluePlayer" and "VariantPath", where names are not enough.
 *
 * While an external program plays, which can read whatever the user can, the game is held in memory
 * and written when it is left, after the program has ended.
 *
 * The program that plays a game holds a lock on its file, which ends with the program in whatever
 * way that ends; a file without a lock has been left. */
#ifndef ENSIGN_HOST_SAVED_H
#define ENSIGN_HOST_SAVED_H

#include "record.h"

enum { SAVED_PATH_MAX = 1024, SAVED_NAME_MAX = 256, SAVED_LISTED_MAX = 100 };

/* $XDG_STATE_HOME/ensign/NAME, else ~/.local/state/ensign/NAME, made if it is not there. False
 * (STATUS_SYSTEM) without a home or if it cannot be made. */
bool saved_folder(const char *name, char path[SAVED_PATH_MAX], struct fault *fault);

/* What may be told of a game that was left: nothing that a player of it may not know. */
struct saved_summary {
    char path[SAVED_PATH_MAX];
    char variant[SAVED_NAME_MAX];   /* as variant_load() takes it */
    char player[2][SAVED_NAME_MAX]; /* as player_open() takes them, or "human" */
    uint32_t plies;                 /* that the file holds */
    int64_t when;                   /* it was written last, in seconds since 1970 */
};

/* Games that were left, the latest first, at most SAVED_LISTED_MAX; returns how many. The caller
 * frees the list, NULL if there is none. The files are read in a process of its own: a bot's
 * process may be forked from this one and must not inherit a hidden rank. */
size_t saved_list(struct saved_summary **list);

/* The same of one file, which may lie anywhere, read in the same way: players and variant of a file
 * that does not lie in the state folder are names only, since they could have been written by
 * anybody. False with a fault if it cannot be read. */
bool saved_look(const char *path, struct saved_summary *summary, struct fault *fault);

/* A game that this program plays. */
struct saved {
    char path[SAVED_PATH_MAX]; /* empty before the first turn was kept */
    int file;                  /* -1: none; locked */
    size_t moves;              /* that the file holds */
    int64_t length;            /* of the file */
    struct record *tags;       /* that are added to those of the record; owned */
    char *held;                /* the game as text while it is kept from the disk; owned */
    size_t held_moves;
    char variant[SAVED_NAME_MAX]; /* of what is held */
    struct fault fault;           /* why the game is not kept as it stands; else STATUS_OK */
};

/* Nothing is written before the first saved_keep(). Tags may be added with record_set_tag() to
 * `saved->tags`. False without memory. */
bool saved_start(struct saved *saved, struct fault *fault);

/* Takes over a game that was left: its record (freed by the caller) and, if the file lies in the
 * state folder, the file. If something in it is malformed `damage` says what, and the file is kept
 * under another name ("….damaged") when the game goes on. False with a fault if it is not there
 * (STATUS_NOT_FOUND), if another program plays it (STATUS_USAGE), or if it cannot be read. */
bool saved_take(struct saved *saved, const char *path, struct record **record, struct fault *damage,
                struct fault *fault);

/* The file is to be kept under another name too if moves of its record turn out not to be legal. */
void saved_distrust(struct saved *saved);

/* Writes what has been added to the record since the last time; what referee_options.keep is to
 * call. What fails is tried again next time. */
void saved_keep(struct saved *saved, const struct record *record);

/* The same in memory alone, instead of what was held before. What fails leaves that as it was. */
void saved_hold(struct saved *saved, const struct record *record);

/* Writes what is held, if anything is, to a file; false with `saved->fault`. */
bool saved_release(struct saved *saved);

/* Closes the file. A game that is over needs it no more. */
void saved_end(struct saved *saved, bool over);

#endif
