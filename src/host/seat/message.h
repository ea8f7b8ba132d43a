/* message.h - what the host tells a seat, a spectator or an external program, as JSON.
 *
 * bots/programs/README.md describes the protocol, message_schema() defines it. A message about the
 * game is made from an outlook (outlook.h) or from the legal moves of the side to move, never from
 * the true position.
 *
 * All functions return a new object, or NULL without memory. */
#ifndef ENSIGN_HOST_SEAT_MESSAGE_H
#define ENSIGN_HOST_SEAT_MESSAGE_H

#include "bot/pace.h"
#include "core/play/legal.h"
#include "outlook.h"

#include <jansson.h>

struct session; /* host/session.h */

enum { SEAT_PROTOCOL = 1 };

/* The JSON Schema (draft 2020-12) of every message in both directions: $defs/from_host, from_client
 * (what `ensign serve` takes), and from_program (what a player may answer). */
const char *message_schema(void);

/* The introduction of a game. */
struct message_table {
    const char *id;
    const char *names[2]; /* of the players, by side */
    const struct rules *rules;
    enum side first;
    struct limits limits;
    const uint64_t *seed; /* of the seat's own chance, below 2^53; NULL: a spectator has none */
    int deadline;         /* ms for an answer; 0: none */
    const struct game_clock *clock; /* NULL: none */
};

json_t *message_game(const struct message_table *table, enum onlooker onlooker);

/* The shape of a variant: board, kinds, battles, limits. */
json_t *message_variant(const struct rules *rules, enum side first, struct limits limits);

/* What a picture of a variant's board needs of that: lakes, zone, and each kind's name, letter,
 * label and count. */
json_t *message_outline(const struct rules *rules);

/* Who falls, by the names of the mobile attackers and of all defenders: a part of it. */
json_t *message_battles(const struct rules *rules);
/* Those that are otherwise between some squares; `rules` has battles that depend on them. */
json_t *message_battles_on(const struct rules *rules);

/* The variant's counters by name: a number, or one for each side. NULL if there are none. */
json_t *message_counters(const struct view *view);

/* Asks for a set-up. */
json_t *message_setup(void);

/* Both armies stand. */
json_t *message_start(const struct outlook *outlook);

/* Asks for a move. */
json_t *message_move(const struct view *view, const struct move *moves, size_t count,
                     const struct game_clock *clock);

/* The latest turn, or an end without a move. */
json_t *message_events(const struct outlook *outlook);

/* The same, or JSON null before the first turn. */
json_t *message_last(const struct outlook *outlook);

/* `side` offers a draw. */
json_t *message_draw(enum side side);

/* An answer was refused: a move for breaking a rule (`verdict`), or anything else (LEGAL). */
json_t *message_refused(enum verdict verdict, const struct fault *why);

/* The game of this session is over: position and set-ups, uncovered. */
json_t *message_end(const struct session *session);

/* Something that was said could not be read or done. */
json_t *message_error(const struct fault *why);

/* A line of JSON with its line end, added to `out`. Frees the message; false if it is NULL or does
 * not fit. */
struct buffer;
bool message_write(json_t *message, struct buffer *out);

#endif
