/* hint.h - what a bot would do in a person's place, and why.
 *
 * It hears what the person's side is told, from the beginning, and nothing else. Each hint is given
 * by a new process of the bot, behind the wall, with a chance of its own: hints change nothing in
 * the game, and one that hangs or fails is only a hint that fails. */
#ifndef ENSIGN_HOST_HINT_H
#define ENSIGN_HOST_HINT_H

#include "player.h"
#include "record.h"

enum { HINT_BOT_MAX = 64 };

struct hint_options {
    const char *bot;              /* by name or path */
    struct player_options player; /* of the bot; `catches_up` is off */
    struct chance chance;         /* for the hints alone (CHANCE_HINT) */

    /* Called after each hint, in the thread that asked for it. */
    void (*given)(void *context, uint32_t ply);
    void *context;
};

struct hint {
    struct hint_options options;
    struct view start;    /* of the person's side, before the first turn */
    bool started;         /* `start` is set */
    struct events *turns; /* all turns so far, as told to the side; owned */
    uint32_t turn_count;
};

/* The army stands; once a game. */
void hint_start(struct hint *hint, const struct view *view);

/* A turn has been played, or the game has ended. False if memory is short. */
bool hint_observe(struct hint *hint, const struct view *view, const struct events *events);

/* What the bot would play in the turn of this view, and its reasons, none if it gives none or they
 * fail. Takes up to the deadline for each of its calls, or until `give_up` (may be NULL) becomes
 * true. False with a fault. */
bool hint_ask(struct hint *hint, const struct view *view, const struct move *moves, size_t count,
              const atomic_bool *give_up, struct move *move, struct advice *advice,
              struct fault *fault);

void hint_clear(struct hint *hint);

/* Notes in the tag "RedHints" or "BlueHints" that a bot gave the side a hint for a ply, counted
 * from 1: "seer at 5, seer at 9". False if memory is short. */
bool hint_note(struct record *tags, enum side side, const char *bot, uint32_t ply);

/* The value of the tag; NULL: no hints. */
const char *hint_notes(const struct record *record, enum side side);

/* Copies the tag, if there is one. False if memory is short. */
bool hint_copy(const struct record *from, enum side side, struct record *to);

/* The bot that gave the side a hint for this ply; false: none did. */
bool hint_at(const struct record *record, enum side side, uint32_t ply, char bot[HINT_BOT_MAX]);

#endif
