/* film.h - one recorded game as a page replays it: the board after every ply, and the knowledge of
 * each side.
 *
 * A page knows no rules, so the record is played here, and the film lists changes of squares only.
 * A square is a number of these bits:
 *   0-4   kind of the piece on it, 0 for none
 *   5     its side (1: blue)
 *   6     it has moved
 *   7     the other side knows its kind
 *   8     the other side knows that it has moved
 *   9     the other side cannot see it
 *   10    red cannot see the square       11    blue cannot see the square
 *
 * The text is in base 64 ("A-Za-z0-9-_"), four digits for a number of 24 bits, highest first. Each
 * ply is one number
 *   from << 17 | to << 10 | told << 8 | changes
 * followed by `changes` numbers of square << 12 | its new value. `from` and `to` are the squares of
 * the piece that moved (equal if it stayed). In an attack the bits of `told` say whether the kind
 * of the attacker (0) and of the defender (1) was shown; in any other move, whether the other side
 * has seen `from` (0) and `to` (1). 255 changes mean a plain step and no further numbers: the piece
 * went to an empty square in sight of both sides and gets bits 6 and 8. The text opens with one
 * more such number: the changes from two armies in full sight, kinds and moves unknown to the
 * enemy, to the views at the start. */
#ifndef ENSIGN_HOST_FILM_H
#define ENSIGN_HOST_FILM_H

#include "base/buffer.h"
#include "core/text/layout.h"
#include "host/playback.h"

struct film_note {
    uint32_t ply; /* from 1 */
    char move[MOVE_TEXT_MAX];
};

struct film {
    char start[POSITION_TEXT_MAX]; /* starting position, with the side to move */
    enum side first;
    uint32_t plies;
    char ending[CALL_WHY_MAX]; /* the variant's own words for the end; may be empty */
    char *text;                /* owned */
    size_t length;
    struct film_note *notes; /* owned; the text of each move with an ability */
    size_t note_count;

    /* How the chances stood as a bot saw them, if it was asked: before each ply and at the end one
     * number, red's per mille << 12 | blue's. */
    char *chances; /* owned; NULL: it was not */
    char bot[TITLE_MAX];
};

/* Appends a number as such a text has it. */
void film_add_number(struct buffer *text, unsigned number);

/* Films a replay that has just been opened, playing it to its end, and adds its attacks to
 * `battles`, by the square attacked. The film ends before an illegal move, which the replay and
 * `fault` then name. False with a fault if memory is short or a call of the variant fails. Free
 * with film_clear() in either case. */
bool film_make(struct playback *replay, struct film *film, uint32_t battles[BOARD_SQUARES_MAX],
               struct fault *fault);
void film_clear(struct film *film);

/* A sample of a match's films that keeps a page small enough to open.
 *
 * Pairs are sampled by a hash of their number: those below a limit are kept, so that no rhythm of
 * the pairing is favoured. Whenever the films pass the ceiling on bytes, the limit is halved and
 * films above it are dropped. Pinned games (forfeits) stay while they take less than a quarter of
 * the bytes. */

enum { REEL_BYTES_MAX = 8 << 20 };

struct reel_game {
    uint32_t game; /* its index in the match, from 0 */
    bool pinned;
    struct film film;
};

struct reel {
    /* Set by the caller; the rest starts as 0. */
    size_t bytes_max;   /* of films; SIZE_MAX: no ceiling */
    uint32_t games;     /* in the match */
    uint32_t games_max; /* films of unpinned games, rounded up to pairs */

    size_t count;
    struct reel_game *list; /* owned, in the order of the games */
    size_t bytes, pinned_bytes;
    uint64_t limit; /* hashes below it are kept; 0: not determined yet */
};

/* Would reel_add() keep the game at this index? */
bool reel_wants(struct reel *reel, uint32_t game, bool pinned);

/* Takes the film, which is empty afterwards. False if memory is short. */
bool reel_add(struct reel *reel, uint32_t game, bool pinned, struct film *film);

void reel_clear(struct reel *reel);

#endif
