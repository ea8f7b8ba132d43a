/* line.h - a line of random play, and the same with something exchanged that one side cannot know.
 *
 * What is hidden from the side is worked out from the true position and all of its events, not from
 * views. Whoever tells the side, or the public, the line and its twin must tell them the same. */
#ifndef ENSIGN_TESTS_GAMES_LINE_H
#define ENSIGN_TESTS_GAMES_LINE_H

#include "base/buffer.h"
#include "base/random.h"
#include "core/know/eyes.h"

enum { LINE_PLIES = 40 };

/* Paths of all variants and examples, and of tests/data/upheaval_in_fog.lua; the last is NULL. */
const char *const *line_variants(void);

/* Whether something is hidden in armies that a client may give. */
bool line_may_be_given(const struct rules *rules);

struct line {
    const struct rules *rules;
    enum side side, first; /* who does not know; who moves first */
    uint64_t number;
    struct random chance;
    struct setup setups[2];
    struct move moves[LINE_PLIES];
    int plies;
    uint8_t result;
    squareset hidden; /* where enemies began of which nothing but steps was told, and battles whose
                         kinds are not */
    squareset fought; /* those of them that have fought */
    squareset still;  /* those of them that have not even moved */
    squareset seen;   /* squares of which the side ever learned something */
    /* Everything that happened: functions of the variant may show more than the rules do. */
    struct events happened[LINE_PLIES + 1];
};

/* A line of 1 to LINE_PLIES moves; the same for the same number. An odd one hides from blue. */
void line_draw(struct line *line, const struct rules *rules, enum side first, uint64_t number);

typedef void line_look(const struct line *line, const struct game *game, const struct eyes *eyes,
                       void *context);

/* Plays the line with these set-ups, and lets `look` (may be NULL) look at the start and after each
 * move. False if it cannot be played to the same end, or a function of the variant shows something
 * else than before. */
bool line_replay(const struct line *line, const struct setup setups[2], line_look *look,
                 void *context);

/* Keeps up with an event: `began` says for each square where the piece on it began. */
void began_follow(square began[BOARD_SQUARES_MAX], const struct event *event);

/* What the side learns of squares from its position: those in sight, and those on which a legal
 * move of its own ends or is blocked. */
squareset line_learns(const struct line *line, const struct game *game);

/* Exchanges ranks of hidden enemies, or places one that was never in sight and never moved on
 * another such square of its zone. Returns the number of changes; whether the line can be played
 * with them is for line_replay(). */
int line_exchange_ranks(struct line *line, struct setup setups[2]);
int line_exchange_places(struct line *line, struct setup setups[2]);

/* Set-ups with which the line can be replayed, and that the side cannot tell from its own. False if
 * none was found. */
bool line_twin(struct line *line, struct setup setups[2]);

/* Were these told the same? If not, prints the first line that differs. */
bool line_same_text(const struct buffer *one, const struct buffer *other);

#endif
