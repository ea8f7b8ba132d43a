/* notation.h - moves as text; README.md describes the forms.
 *
 * One function writes a move, one parses it; both know the rules and no position. move_write() and
 * move_read() are the same for those who have one. Writers return the length of what they wrote,
 * which ends with 0. The parser reads no further than the given length and places its fault at line
 * and column of the text. */
#ifndef ENSIGN_CORE_TEXT_NOTATION_H
#define ENSIGN_CORE_TEXT_NOTATION_H

#include "core/play/legal.h"

enum { MOVE_TEXT_MAX = 96 };

/* "a4-a5", "a4xa5", "e7@e9=bomb", "e6-e7@e8=marshal". The ability's name stands before the target
 * ("e7@sabotage:e9=bomb") if a kind that has it, or has one that looks the same, has another one
 * too: both sides can tell, so that they write the same. `attack`: an enemy stands on `to`. A
 * square out of sight (SQUARE_NONE) is "…". */
size_t move_text(const struct rules *rules, struct move move, bool attack, char out[MOVE_TEXT_MAX]);

/* The text of a move that is about to be made in `game`. */
size_t move_write(const struct game *game, struct move move, char out[MOVE_TEXT_MAX]);

/* A move as it was written, before the piece that makes it is looked at. */
struct move_pattern {
    square from, to;    /* `to` is `from` if the piece stays */
    square target;      /* of an ability, else SQUARE_NONE */
    uint16_t abilities; /* set of indices into rules.ability: those of that name; all if none was
                           written */
    kind_id choice;     /* KIND_NONE if none was written */
};

enum spelling {
    AS_WRITTEN, /* what move_text() writes; "x" and "-" mean the same */
    AS_TYPED    /* also in either case, with blanks, and "a4a5" */
};

/* LEGAL, or ILLEGAL_TEXT or ILLEGAL_OFF_BOARD with a STATUS_TEXT fault (which may be NULL). */
enum verdict move_parse(const struct rules *rules, const char *text, size_t length,
                        enum spelling spelling, struct move_pattern *pattern, struct fault *fault);

/* Is `move` what was written? */
bool move_fits(const struct move_pattern *pattern, struct move move);

/* The first of these moves that is what was written; NULL if none is. */
const struct move *move_offered(const struct move_pattern *pattern, const struct move *moves,
                                size_t count);

/* The move that was written, with the first ability that makes it legal, and its judgement. If none
 * does the move has the ability that the judgement is about, which need not be one of the piece. */
enum verdict move_resolve(const struct game *game, const struct move_pattern *pattern,
                          struct move *move);

/* Parses a move AS_WRITTEN and judges it. Unless it is LEGAL `fault` (may be NULL) says why:
 * STATUS_TEXT where the text is no move (and `move` is left alone), else STATUS_ILLEGAL_MOVE. */
enum verdict move_read(const struct game *game, const char *text, size_t length, struct move *move,
                       struct fault *fault);

#endif
