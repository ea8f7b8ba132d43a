/* legal.h - legal moves, and the reasons why others are refused.
 *
 * game_judge() decides one move and names the rule that refuses it; game_moves() lists all legal
 * moves. Tests compare both with a third, slower implementation. */
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
    ILLEGAL_BLOCKED, /* the way there is blocked */
    ILLEGAL_MOVEMENT,
    ILLEGAL_ABILITY, /* no such ability, wrong aim, wrong guess, none left */
    ILLEGAL_TWO_SQUARES,
    ILLEGAL_CHASE,
    ILLEGAL_LEAVES,  /* no piece leaves the square */
    ILLEGAL_SHELTER, /* the piece there cannot be attacked */
    ILLEGAL_BATTLE,  /* not by this piece, or not from where it stands */
    ILLEGAL_HELD,    /* the piece rests, or an ability holds it */
    ILLEGAL_VARIANT, /* a call of the variant refuses it (calls.h) */
    VERDICT_COUNT
};

/* "legal", "two-squares", …: the word used in records and in JSON. */
const char *verdict_name(enum verdict verdict);

/* The same as a short sentence for the user. */
const char *verdict_sentence(enum verdict verdict);

enum { VERDICT_TEXT_MAX = 256 };

/* The sentence for the verdict on a move, followed by the variant's reason if the variant refuses
 * it. Returns `out`. */
const char *verdict_text(const struct game *game, struct move move, enum verdict verdict,
                         char out[VERDICT_TEXT_MAX]);

enum verdict game_judge(const struct game *game, struct move move);

/* Lists at most `capacity` legal moves into `out`, sorted by origin, in an order that depends on
 * the position alone. Returns the number of legal moves, at most rules.moves_max; a capacity of
 * that size is fastest. All of `out` up to the capacity may be overwritten. A finished game has no
 * moves; a running one has none only if a variant's calls contradict themselves (calls.h). */
size_t game_moves(const struct game *game, struct move *out, size_t capacity);

/* The number of moves of the piece on `from`, whose side is to move: plain moves if `walks`, plus
 * uses of its abilities, with or without a move before them, if `acts`. Ignores the repetition
 * rules. Counts without listing. Reads `at`, `pieces` and the counters of abilities. */
uint32_t game_piece_count(const struct game *game, square from, bool walks, bool acts);

/* The move with this index, 0 … game_piece_count() - 1, among those. */
struct move game_piece_move(const struct game *game, square from, bool walks, uint32_t index);

/* Does the side to move have a legal move? Ignores the result. */
bool game_can_move(const struct game *game);

#endif
