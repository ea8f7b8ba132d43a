/* playback.h - replays a record under the rules of its variant.
 *
 * Every move is judged as in a game. `[Limits "none"]` switches the draw limits off,
 * `[Limits "200 4000"]` sets plies without an attack and plies in all. */
#ifndef ENSIGN_HOST_PLAYBACK_H
#define ENSIGN_HOST_PLAYBACK_H

#include "session.h"

struct playback {
    const struct record *record; /* must outlive the replay */
    struct session *session;     /* owned, after `plies`; NULL if the start cannot be read */
    uint32_t plies;              /* moves played */
    bool legal; /* all moves are, and the result and reason agree with the tags, if any */
    enum result result;
    enum reason reason;
    uint32_t illegal_ply; /* from 1; 0 if none */
    enum verdict rule;    /* that this move breaks */
    char illegal_move[MOVE_TEXT_MAX];
};

/* Reads the starting position, with the side to move, and the limits. A forfeited game without
 * moves may lack set-ups that were not accepted: those squares are empty. False with a fault at the
 * tag's place. */
bool record_start(const struct record *record, const struct rules *rules, struct position *position,
                  struct limits *limits, struct fault *fault);

/* Adds every fault that record_start() can find, each at its tag's place. */
void record_start_examine(const struct record *record, const struct rules *rules,
                          struct faults *faults);

/* Opens a replay before the first move. False with a fault, and no session, when the start is
 * malformed or a call of the variant fails. Close it in either case; only the session goes, the
 * other fields stay. */
bool playback_open(struct playback *replay, const struct record *record, const struct rules *rules,
                   struct fault *fault);
void playback_close(struct playback *replay);

/* Plays the next move of the record; session_rewind() on the session goes back. False at the end,
 * and with a fault when the move is illegal (`replay` says which) or a call fails. */
bool playback_step(struct playback *replay, struct fault *fault);

/* Plays until `plies` of the record's moves have been played (UINT32_MAX: all). False with a fault
 * when a move is illegal, a call fails, or, after all moves, result or reason contradict the tags.
 * For reasons outside the rules (resigned, agreed, forfeits, unfinished) the tags decide. */
bool playback_run(struct playback *replay, uint32_t plies, struct fault *fault);

#endif
