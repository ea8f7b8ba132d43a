/* view.h - what one side may know of a running game. RULES 8.
 *
 * Built only from the side's own set-up, the squares of the enemy's pieces and the events, so it
 * cannot leak anything else. It serves every kind of player. A piece keeps its number for the whole
 * game; where the rules limit sight, an enemy that goes out of sight is forgotten, and its number
 * is reused for the next one that comes into sight. */
#ifndef ENSIGN_CORE_KNOW_VIEW_H
#define ENSIGN_CORE_KNOW_VIEW_H

#include "core/play/event.h"
#include "core/play/game.h"

struct view_piece {
    uint8_t side;    /* enum side */
    square at;       /* SQUARE_NONE if fallen or out of sight: view_piece_fallen() */
    square start;    /* its first known square */
    kind_id kind;    /* KIND_NONE for an enemy not yet shown */
    kindset laid;    /* possible kinds by where it started: of a set-up that both sides know to be
                        one, else the army */
    kindset may_be;  /* possible kinds, by its moves and what was shown; view_may_be() considers
                        counts too */
    kindset refuted; /* kinds ruled out by abilities used on it */
    uint16_t moves;  /* saturates at 65535 */
    bool moved;
    bool shown;  /* the other side knows the kind */
    bool secret; /* that side knows it by EVENT_LEARN alone */
    bool unseen; /* an enemy out of sight: kind and square unknown */

    /* What both sides have seen of it; of an enemy out of sight it is forgotten. */
    kindset open;  /* possible kinds for one who knows neither army's ranks but those shown to both
                      sides: of an own piece, what the enemy can tell */
    kind_id dared; /* of the known, mobile enemies that it stepped beside while hidden, the kind of
                      the highest rank; KIND_NONE if there was none */
    kind_id fled;  /* the same of those that it stepped away from */
    uint8_t stood; /* turns of its side that it spent beside a known, mobile enemy without moving,
                      while hidden; saturates at 255 */
};

enum { VIEW_RECENT = 48 };

struct view {
    const struct rules *rules;
    uint8_t side; /* whose view this is */
    uint8_t to_move;
    uint8_t result, reason;
    uint32_t plies; /* played */
    uint32_t quiet; /* plies in a row without an attack */
    struct limits limits;
    int count; /* pieces ever seen, both sides */
    struct view_piece piece[2 * BOARD_SQUARES_MAX];
    uint16_t number[BOARD_SQUARES_MAX]; /* piece on a square, VIEW_EMPTY if none */
    uint8_t start[2][KINDS_MAX];        /* the armies at the start; both sides know both */
    uint8_t captured[2][KINDS_MAX];     /* fallen pieces by side and kind, those whose kind is
                                           known */
    uint8_t uses[2][ABILITIES_MAX];
    struct marks marks; /* of the pieces in sight */
    struct counters counters;
    uint8_t recent_count;            /* at most VIEW_RECENT */
    struct move recent[VIEW_RECENT]; /* the latest unbroken run of plain moves (to empty squares, in
                                        sight, without other effects), oldest first */
};

enum { VIEW_EMPTY = 65535 };

static inline bool view_piece_fallen(const struct view_piece *piece) {
    return piece->at == SQUARE_NONE && !piece->unseen;
}

/* Has the piece fallen, and is its kind known? Then `captured` counts it. Where the rules hide the
 * fallen, the others share what is left of an army with the pieces on the board. */
static inline bool view_piece_counted(const struct view_piece *piece) {
    return view_piece_fallen(piece) && piece->kind != KIND_NONE;
}

/* `own` are the side's cells, in an open game also the enemy's (others are ignored), `enemy` the
 * visible squares with enemy pieces, `enemy_start` the enemy's army by kind (public: the army of
 * the rules, or of a record's position). */
void view_start(struct view *view, const struct rules *rules, enum side side, const cell *own,
                squareset enemy, const uint8_t *enemy_start, enum side first, struct limits limits);

/* What the other side would know, if the board's hidden pieces were those of `at` (cells that fit
 * the view): the view of an imagined enemy. The rules must not limit sight. */
void view_turned(const struct view *view, const cell *at, struct view *other);

/* Follows one turn, given as the events filtered for this side (eyes.h), in order. The other side
 * is to move afterwards. */
void view_turn(struct view *view, const struct events *events);

/* The kinds that the hidden winner of a battle may be: those that win it without being shown. */
kindset view_silent_winners(const struct rules *rules, const struct event *event);

/* The kinds of a target of which the events of a turn would be the same, for the use of an ability
 * at index `at`, by any of the abilities that share the tally. All must be in sight. */
kindset view_targets(const struct rules *rules, const struct events *events, int at);

/* The squares that `side` sees with its pieces among these cells; all land unless the variant
 * limits sight. Most variants hide ranks only; one with `sight` hides pieces too: a side then sees
 * its own squares and those in sight of its pieces, by kind and square. */
squareset view_sight(const struct rules *rules, enum side side, const cell *at);

/* The same for the side of a view. */
squareset view_sees(const struct view *view);

/* Does a move go onto a square where the side knows an enemy? */
bool view_enters_enemy(const struct view *view, struct move move);

/* How many pieces of a side have fallen and not returned; of these, how many are of a kind that is
 * not known: none unless the rules hide the fallen. */
int view_fallen(const struct view *view, enum side side);
int view_fallen_unknown(const struct view *view, enum side side);

/* Possible kinds of a piece, with the fallen and shown pieces of its side counted, minus the
 * refuted ones (their consequences for other pieces are not worked out). One kind means
 * certainty. */
kindset view_may_be(const struct view *view, int piece);

/* The same for all pieces at once; `out` has room for view->count sets. */
void view_all_may_be(const struct view *view, kindset *out);

#endif
