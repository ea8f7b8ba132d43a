/* player.h - whoever answers for a side: a bot, a human, a program. The referee knows this
 * interface and nothing behind it.
 *
 * All functions but `close` may be NULL where a player has nothing to do or say; `setup` and `move`
 * must be there. A callback that returns false has filled the fault, and its side forfeits for the
 * reason that belongs to the fault's status. */
#ifndef ENSIGN_HOST_PLAYER_H
#define ENSIGN_HOST_PLAYER_H

#include "core/notation.h"
#include "core/view.h"
#include "script/folders.h"
#include "script/sandbox.h"

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
    const char *name; /* as in records */
    void *self;
    /* A set-up; the view knows rules and side, no pieces. */
    bool (*setup)(void *self, const struct view *view, struct setup *setup, struct fault *fault);
    bool (*start)(void *self, const struct view *view, struct fault *fault);
    bool (*move)(void *self, const struct view *view, const struct move *moves, size_t count,
                 struct answer *answer, struct fault *fault);
    /* Called for both sides after every turn, once for each event; the view has followed the whole
     * turn already. */
    bool (*observe)(void *self, const struct view *view, const struct event *event,
                    struct fault *fault);
    /* A set-up or move was refused. If this is NULL the side forfeits, else the player is asked
     * again. */
    void (*refused)(void *self, const struct fault *why);
    /* The other side offers a draw. NULL declines. */
    bool (*accepts_draw)(void *self, const struct view *view);
    bool (*finish)(void *self, const struct view *view, struct fault *fault);
    void (*close)(void *self);
};

/* A Lua bot as a player, by name or path. `player->name` lives until `close`. */
bool player_bot(struct player *player, const struct folders *folders, const char *name,
                struct sandbox_limits limits, struct random random, struct fault *fault);

#endif
