/* replay.h - a record played again under the rules of its variant.
 *
 * Every move is judged as the referee would judge it. `[Limits "none"]` switches the draw limits
 * off, `[Limits "200 4000"]` gives those for plies without an attack and plies in all. */
#ifndef ENSIGN_HOST_REPLAY_H
#define ENSIGN_HOST_REPLAY_H

#include "record.h"

/* What a replay found. */
struct replay {
    bool legal;     /* every move is, and result and reason are those recorded (where recorded) */
    uint32_t plies; /* moves that were played */
    enum result result;
    enum reason reason;
    uint32_t illegal_ply; /* from 1; 0 if none */
    enum verdict rule;    /* why that move is illegal */
    char illegal_move[MOVE_TEXT_MAX];
};

/* The position a record starts from and what it says of limits and first side. A record without
 * moves of a game that was forfeited may lack the set-ups that were not accepted: nothing stands
 * there. False with a fault at the tag's place. */
bool record_start(const struct record *record, const struct rules *rules, struct position *position,
                  struct limits *limits, struct fault *fault);

/* Adds all that keeps record_start() from succeeding, each at its tag's place. */
void record_start_examine(const struct record *record, const struct rules *rules,
                          struct faults *faults);

/* Plays up to `plies` moves (UINT32_MAX: all) into `game`, whose history `history` holds
 * `record->move_count + 1` plies. False with a fault when the start is malformed, a move is
 * illegal, or (all moves played) result or reason contradict the tags; `replay` tells which. A game
 * that ends for reasons outside the rules (resigned, agreed, forfeits, unfinished) takes result and
 * reason from the tags. */
bool record_replay(const struct record *record, const struct rules *rules, uint32_t plies,
                   struct game *game, struct ply *history, struct replay *replay,
                   struct fault *fault);

#endif
