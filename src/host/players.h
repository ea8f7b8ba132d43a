/* players.h - opens whoever is to answer for a side. */
#ifndef ENSIGN_HOST_PLAYERS_H
#define ENSIGN_HOST_PLAYERS_H

#include "player.h"

/* Opens the player that `text` names: a Lua bot by name or path, or an external program as
 * "ucc:COMMAND" (player_ucc.h), or as "NAME=ucc:COMMAND", where NAME is a word (word_is_name()). A
 * bot draws its random numbers from `chance`, the key of its seat, which its process knows.
 * `player->name` lives until `close`. False with a fault. */
bool player_open(struct player *player, const struct player_options *options, const char *text,
                 const struct chance *chance, struct fault *fault);

/* Does `text`, as player_open() takes it, name an external program? */
bool player_is_program(const char *text);

/* Does it name a program whose protocol knows nothing of the repetition rules that `rules` has, so
 * that it may lose by them? */
bool player_is_unaware(const char *text, const struct rules *rules);

/* Can a program's protocol express the variant? False with a STATUS_USAGE fault that says why not.
 */
bool player_fits(const char *text, const struct rules *rules, struct fault *fault);

/* Is the player told the seed of its chance? */
bool player_has_seed(const char *text);

/* A Lua bot in this process, by name or path. Reads `folders`, `limits`, `log` and `profiles`.
 * `player->name` lives until `close`. */
bool player_bot(struct player *player, const struct player_options *options, const char *name,
                const struct chance *chance, struct fault *fault);

#endif
