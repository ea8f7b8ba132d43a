/* legal.h - which moves a position allows, and why another is refused.
 *
 * Two ways to the same answer: game_judge() decides one move and names the rule that refuses it,
 * game_moves() lists all legal moves. Tests hold both against a third, slower one. */
#ifndef ENSIGN_CORE_PLAY_LEGAL_H
#define ENSIGN_CORE_PLAY_LEGAL_H

#include "game.h"

enum verdict {
    LEGAL,
    ILLEGAL_TEXT,
    ILLEGAL_OFF_BOARD,
    ILLEGAL_GAME_OVER,
    ILLEGAL_NOT_YOURS, /* no piece of the side to move stands there */
    ILLEGAL_IMMOBILE_KIND,
    ILLEGAL_LAKE,
    ILLEGAL_OWN_PIECE,
    ILLEGAL_BLOCKED, /* the piece could go there if the way were free */
    ILLEGAL_MOVEMENT,
    ILLEGAL_ABILITY, /* no such ability, wrong aim, wrong guess, none left */
    ILLEGAL_TWO_SQUARES,
    ILLEGAL_CHASE,
    ILLEGAL_VARIANT, /* a call of the variant refuses it (calls.h) */
    VERDICT_COUNT
};

/* "legal", "two-squares", …: the word used in records and in JSON. */
const char *verdict_name(enum verdict verdict);

/* The same in a short sentence for people. */
const char *verdict_sentence(enum verdict verdict);

enum { VERDICT_TEXT_MAX = 256 };

/* The sentence for a move that was judged so, and behind it the variant's own words where it is the
 * variant that refuses. Returns `out`. */
const char *verdict_text(const struct game *game, struct move move, enum verdict verdict,
                         char out[VERDICT_TEXT_MAX]);

enum verdict game_judge(const struct game *game, struct move move);

/* Lists the legal moves, by origin, in an order that depends on the position alone, into `out`, at
 * most `capacity` of them, and returns how many there are; never more than rules.moves_max, and
 * with that capacity at the quickest. `out` is written over up to it, whatever there is to list. A
 * finished game has none, and only a variant whose calls contradict themselves (calls.h) has none
 * in a game that runs. */
size_t game_moves(const struct game *game, struct move *out, size_t capacity);

/* Of the piece on `from`, whose side is to move: how many moves it has if `walks`, plus, if `acts`,
 * how many uses of its abilities, with or without a move before them; whatever the repetition rules
 * say. Counted, not listed. Reads `at`, `pieces` and what abilities count. */
uint32_t game_piece_count(const struct game *game, square from, bool walks, bool acts);

/* The one with this index, 0 … game_piece_count() - 1, among them. */
struct move game_piece_move(const struct game *game, square from, bool walks, uint32_t index);

/* Has the side to move any legal move? Does not look at the result. */
bool game_can_move(const struct game *game);

#endif
