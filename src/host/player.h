/* player.h - whoever answers for a side: a bot, a human, a program. The referee knows this
 * interface and nothing behind it.
 *
 * Functions may be NULL where a player has nothing to do or say, but `move` must be there, and
 * `setup` unless the player is always given one. A callback that returns false has filled the
 * fault, and its side forfeits for the reason that belongs to the fault's status. */
#ifndef ENSIGN_HOST_PLAYER_H
#define ENSIGN_HOST_PLAYER_H

#include "core/know/view.h"
#include "core/text/notation.h"
#include "lua/folders.h"
#include "lua/sandbox.h"

enum answer_type {
    ANSWER_MOVE, /* `move` is one of those that were offered */
    ANSWER_TEXT, /* `text` is to be read and judged */
    ANSWER_RESIGN,
    ANSWER_DRAW, /* offers a draw and will be asked again if it is declined */
    ANSWER_QUIT  /* breaks the game off: reason "unfinished" */
};

struct answer {
    enum answer_type type;
    struct move move;
    char text[MOVE_TEXT_MAX];
};

struct player {
    const char *name;    /* as in records */
    const char *program; /* the file of an external program, else NULL */
    void *self;
    bool own_setup; /* lays out its own army and cannot play with one that somebody else chose */
    /* A set-up; the view knows rules and side, no pieces. */
    bool (*setup)(void *self, const struct view *view, struct setup *setup, struct fault *fault);
    bool (*start)(void *self, const struct view *view, struct fault *fault);
    bool (*move)(void *self, const struct view *view, const struct move *moves, size_t count,
                 struct answer *answer, struct fault *fault);
    /* Called for both sides after every turn with all of its events, which the view has followed
     * already; also when the game ends without a move, and then the only event is the end. */
    bool (*observe)(void *self, const struct view *view, const struct events *events,
                    struct fault *fault);
    /* A set-up or move was refused. If this is NULL the side forfeits, else the player is asked
     * again. */
    void (*refused)(void *self, const struct fault *why);
    /* The other side offers a draw. NULL declines. */
    bool (*accepts_draw)(void *self, const struct view *view);
    bool (*finish)(void *self, const struct view *view, struct fault *fault);
    /* Of external programs: ends the program at once, with its process group, and returns when it
     * is gone. Also for another thread than the player's. */
    void (*kill)(void *self);
    void (*close)(void *self);
};

struct player_options {
    const struct folders *folders;
    const struct rules *rules;
    struct sandbox_limits limits; /* of a Lua bot */
    int deadline;                 /* ms that a process may take for an answer, from 1 */
    const char *opponent;         /* what an external program is told; may be NULL */
    struct nursery *nursery;      /* where Lua bots run; NULL: in this process */

    /* A Lua bot whose process was killed or stopped from outside gets another one, which is told
     * what the first one was but asked for none of its moves again. Else that is STATUS_KILLED. */
    bool catches_up;
};

enum { PLAYER_DEADLINE = 10000 };

/* The player that `text` names: a Lua bot by name or path, or "ucc:COMMAND". All its chance comes
 * from `chance`, the key of its seat, which its process gets to know; a program has its own.
 * `player->name` lives until `close`. False with a fault. */
bool player_open(struct player *player, const struct player_options *options, const char *text,
                 const struct chance *chance, struct fault *fault);

/* Does `text`, as player_open() takes it, name an external program? */
bool player_is_program(const char *text);

/* A Lua bot as a player, by name or path. `player->name` lives until `close`. */
bool player_bot(struct player *player, const struct folders *folders, const char *name,
                struct sandbox_limits limits, const struct chance *chance, struct fault *fault);

#endif
