/* player_process.h - a Lua bot as a player, in a process of its own. */
#ifndef ENSIGN_HOST_PLAYER_PROCESS_H
#define ENSIGN_HOST_PLAYER_PROCESS_H

#include "host/player.h"
#include "jail/zygote.h"

/* A template for bots under these options. NULL with a STATUS_SYSTEM fault. */
struct template *player_template(const struct player_options *options, struct fault *fault);

/* The bot of that name or path in a child of `options->template`, which player_template() opened
 * with the same rules, folders and limits. An answer after the deadline is STATUS_TIME; any other
 * misbehaviour of the process is STATUS_CRASH. `player->name` lives until `close`. */
bool player_process(struct player *player, const struct player_options *options, const char *name,
                    const struct chance *chance, struct fault *fault);

#endif
