/* film.h - one recorded game as a page replays it: what stands where after every ply, and what of
 * it each side may know.
 *
 * A page knows no rules. The record is played here, through the core's eyes (eyes.h, RULES 8); what
 * is written down is only how squares change. A square holds, in bits:
 *   0-4   kind of the piece that stands there, 0 if none does
 *   5     its side (1: blue)
 *   6     it has moved
 *   7     the other side knows its kind
 *   8     the other side knows that it has moved
 *   9     the other side does not see it at all
 *   10    red does not see the square       11    blue does not see it
 *
 * The text is made of digits in base 64 ("A-Za-z0-9-_"), four for a number of 24 bits, the highest
 * first. For every ply one number
 *   from << 17 | to << 10 | told << 8 | changes
 * and then so many changes, each square << 12 | what it holds from now on. `from` and `to` are the
 * squares of the piece that moved (the same if it stayed). `told` says of an attack whether it has
 * shown the kind of the attacker (bit 0) and of the defender (bit 1), of any other move whether the
 * other side has seen `from` (bit 0) and `to` (bit 1).
 * 255 changes stand for the plain step: the piece went to an empty square and has now moved, in
 * sight of both (bits 6 and 8), and nothing else. Before the first ply stands one more such number
 * with the changes that lead from two armies in full sight, of which nobody knows anything, to
 * what each side sees of them. */
#ifndef ENSIGN_HOST_FILM_H
#define ENSIGN_HOST_FILM_H

#include "core/text/layout.h"
#include "playback.h"

struct film_note {
    uint32_t ply; /* from 1 */
    char move[MOVE_TEXT_MAX];
};

struct film {
    char start[POSITION_TEXT_MAX]; /* where the pieces stand first, and the side to move */
    enum side first;
    uint32_t plies;
    char *text; /* owned */
    size_t length;
    struct film_note *notes; /* owned; moves that use an ability, in their words */
    size_t note_count;
};

/* Films a replay that has just been opened, and adds its attacks to `battles`, by the square
 * attacked; the replay is played to its end on the way. One whose moves are illegal from some ply
 * on is filmed up to there, with the reason in the replay and in `fault`. False with a fault
 * without memory, or when a call of the variant fails. Free with film_clear() in either case. */
bool film_make(struct playback *replay, struct film *film, uint32_t battles[BOARD_SQUARES_MAX],
               struct fault *fault);
void film_clear(struct film *film);

#endif
