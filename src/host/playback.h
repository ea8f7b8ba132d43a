/* playback.h - a record played again under the rules of its variant.
 *
 * Every move is judged as the referee would judge it. `[Limits "none"]` switches the draw limits
 * off, `[Limits "200 4000"]` gives those for plies without an attack and plies in all. */
#ifndef ENSIGN_HOST_PLAYBACK_H
#define ENSIGN_HOST_PLAYBACK_H

#include "session.h"

/* A record on its way through a session. */
struct playback {
    const struct record *record; /* must outlive the replay */
    struct session *session;     /* owned; how it stands after `plies`. NULL: it has no start */
    uint32_t plies;              /* moves that were played */
    bool legal; /* every move is, and result and reason are those recorded (where recorded) */
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

/* Begins a replay, before the first move. False with a fault, and no session, when the start is
 * malformed or a call of the variant fails. Close it in either case; what it has found stays. */
bool playback_open(struct playback *replay, const struct record *record, const struct rules *rules,
                   struct fault *fault);
void playback_close(struct playback *replay);

/* Plays the next move of the record; session_rewind() on the session goes back. False if there is
 * none, and with a fault when it is illegal (`replay` tells which) or a call fails. */
bool playback_step(struct playback *replay, struct fault *fault);

/* Plays on until `plies` of the record's moves have been played (UINT32_MAX: all). False with a
 * fault when a move is illegal, a call fails, or (all moves played) result or reason contradict the
 * tags. A game that ends for reasons outside the rules (resigned, agreed, forfeits, unfinished)
 * takes result and reason from the tags. */
bool playback_run(struct playback *replay, uint32_t plies, struct fault *fault);

#endif
