/* ucc_text.h - the lines of the UCC 2012 protocol, translated to and from our board. DESIGN 9.
 *
 * In the protocol x counts from the left and y from the top, 0 to 9, for both sides; RED owns the
 * top four rows and moves first. RED is our side that begins; the protocol's board is ours, turned
 * by 180 degrees if red begins. Kinds are matched by name, whatever letters the variant gives them.
 * Knows nothing of processes. */
#ifndef ENSIGN_HOST_PROGRAM_UCC_TEXT_H
#define ENSIGN_HOST_PROGRAM_UCC_TEXT_H

#include "core/know/view.h"

enum {
    UCC_SIZE = 10,     /* rows and columns */
    UCC_ROWS = 4,      /* of a set-up */
    UCC_NAME_MAX = 64, /* bytes of a name in a line, with its final 0 */
    UCC_TEXT_MAX = 256 /* bytes of any text written here, with its final 0 */
};

struct ucc_frame {
    const struct rules *rules;
    enum side red; /* our side that is RED in the protocol: the first to move */
};

/* Whether the protocol can express this variant: standard board, army of 40, every piece and battle
 * shown, straight moves, no abilities. False with a STATUS_USAGE fault that says why not. */
bool ucc_fits(const struct rules *rules, struct fault *fault);

/* The square at x and y, SQUARE_NONE outside the board. */
square ucc_square(const struct ucc_frame *frame, int x, int y);

/* "RED NAME 10 10": the greeting for our `side`, which plays against `opponent`. All writers fill
 * `out`, of UCC_TEXT_MAX bytes, with whole lines and return the length. */
size_t ucc_write_greeting(const struct ucc_frame *frame, enum side side, const char *opponent,
                          char *out);

/* Ten lines: own pieces by letter, '#' for any enemy, '+' for a lake, '.' for an empty square. */
size_t ucc_write_board(const struct ucc_frame *frame, const struct view *view, char *out);

/* The status line of an EVENT_MOVE or EVENT_BATTLE: the move's text and its outcome. `echo` is the
 * mover's own text; NULL makes one. */
size_t ucc_write_turn(const struct ucc_frame *frame, const struct event *event, const char *echo,
                      char *out);

/* "QUIT NAME COLOUR RESULT TURN REDVALUE BLUEVALUE" of a finished game; `names` by our sides. */
size_t ucc_write_quit(const struct ucc_frame *frame, const struct view *view,
                      const char *const names[2], char *out);

/* Reads row 0 … 3 of the set-up of our `side`, the top row of its zone first. Does not count
 * pieces. False with a STATUS_SETUP fault. */
bool ucc_read_row(const struct ucc_frame *frame, enum side side, int row, const char *text,
                  struct setup *setup, struct fault *fault);

struct ucc_answer {
    bool surrenders;
    square from, to;
    char echo[32]; /* its words, separated by single blanks */
};

/* Reads "X Y UP|DOWN|LEFT|RIGHT [N]" or "SURRENDER", with blanks anywhere. False with a
 * STATUS_ILLEGAL_MOVE fault if it is something else or leaves the board. */
bool ucc_read_answer(const struct ucc_frame *frame, const char *text, struct ucc_answer *answer,
                     struct fault *fault);

/* `name` as one word of printable ASCII; "unknown" if none is left. */
void ucc_name(const char *name, char out[UCC_NAME_MAX]);

#endif
