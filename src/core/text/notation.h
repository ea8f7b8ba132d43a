/* notation.h - moves as text; variants/FORMATS.md describes the forms.
 *
 * move_text() writes a move and move_parse() parses one, without a position; move_write() and
 * move_read() do the same with one. Writers add a final 0 and return the length without it. The
 * parser stays within the given length and places faults at line and column of the text. */
#ifndef ENSIGN_CORE_TEXT_NOTATION_H
#define ENSIGN_CORE_TEXT_NOTATION_H

#include "core/play/legal.h"

enum { MOVE_TEXT_MAX = 96 };

/* "a4-a5", "a4xa5", "e7@e9=bomb", "e6-e7@e8=marshal". The ability's name precedes the target
 * ("e7@sabotage:e9=bomb") if any kind with an ability of its tally has more than one ability. That
 * is public, so both sides write the same text. `attack`: an enemy stands on `to`. A square out of
 * sight (SQUARE_NONE) is "…". */
size_t move_text(const struct rules *rules, struct move move, bool attack, char out[MOVE_TEXT_MAX]);

/* The text of a move that is about to be made in `game`. */
size_t move_write(const struct game *game, struct move move, char out[MOVE_TEXT_MAX]);

/* The move told by these events of a turn, and whether an enemy stood on `to`. Squares out of sight
 * are SQUARE_NONE; of abilities with the same tally it is the first. False for an end without a
 * move. */
bool move_of_turn(const struct rules *rules, const struct events *events, struct move *move,
                  bool *attack);

/* A parsed move, before it is matched with a piece. */
struct move_pattern {
    square from, to;    /* `to` is `from` if the piece stays */
    char sign;          /* '-' or 'x' between them; 0: none */
    square target;      /* of an ability, else SQUARE_NONE */
    uint16_t abilities; /* set of indices into rules.ability: those of the name written, or all */
    kind_id choice;     /* KIND_NONE if none was written */
};

enum spelling {
    AS_WRITTEN, /* as move_text() writes it; "x" and "-" are equivalent */
    AS_TYPED    /* blanks and "a4a5" are accepted too */
};

/* LEGAL, or ILLEGAL_TEXT or ILLEGAL_OFF_BOARD with a STATUS_TEXT fault (which may be NULL). */
enum verdict move_parse(const struct rules *rules, const char *text, size_t length,
                        enum spelling spelling, struct move_pattern *pattern, struct fault *fault);

/* Does `move` match the pattern? */
bool move_fits(const struct move_pattern *pattern, struct move move);

/* The first of these moves that matches the pattern, or NULL. */
const struct move *move_offered(const struct move_pattern *pattern, const struct move *moves,
                                size_t count);

/* Finds the move and its verdict, with the first ability that makes it legal. If none does, `move`
 * has the ability that the verdict is about, which need not be one of the piece's. */
enum verdict move_resolve(const struct game *game, const struct move_pattern *pattern,
                          struct move *move);

/* Parses a move AS_WRITTEN and judges it. Unless it is LEGAL, `fault` (may be NULL) gives the
 * reason: STATUS_TEXT if the text is not a move (`move` is then unchanged), else
 * STATUS_ILLEGAL_MOVE. */
enum verdict move_read(const struct game *game, const char *text, size_t length, struct move *move,
                       struct fault *fault);

#endif
