/* player_json.h - an external program as a player, through the seat protocol: JSON, one object a
 * line (bots/programs/README.md).
 *
 * It plays every variant, from any set-up or position. The program starts when it is first told
 * something, and is stopped when the game is over or the player is closed. */
#ifndef ENSIGN_HOST_PROGRAM_PLAYER_JSON_H
#define ENSIGN_HOST_PROGRAM_PLAYER_JSON_H

#include "host/player.h"
#include "program.h"

enum {
    JSON_FAREWELL = 500, /* ms to exit after the end */
    JSON_ASIDES_MAX = 64 /* lines that are no answer, between a question and its answer */
};

struct json_options {
    const struct rules *rules;
    const struct folders *folders; /* of set-ups with a name */
    const char *opponent;          /* name for the program; NULL: unknown */
    const struct chance *chance;   /* of its seat */
    struct program_options program;
};

/* The program of `command` (program_command.h). False with a fault as program_open(). */
bool player_json(struct player *player, const char *command, const struct json_options *options,
                 struct fault *fault);

#endif
