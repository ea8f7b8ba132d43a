/* line_input.h - prompts and answers at a terminal shared by one or two humans.
 *
 * Two humans at one terminal (hot seat) must not see each other's ranks: the screen is wiped and
 * the keyboard handed over before the other side's board is shown. Between line_input_hand_over()
 * and the board only public information may be written. */
#ifndef ENSIGN_CLI_LINES_LINE_INPUT_H
#define ENSIGN_CLI_LINES_LINE_INPUT_H

#include "cli/suspicions.h"
#include "host/changes.h"
#include "host/hint.h"
#include "lua/folders.h"
#include "lua/language.h"
#include "terminal.h"

enum { LINE_INPUT_MAX = 256, LINE_INPUT_PATH_MAX = 1024 };

struct line_input {
    struct terminal terminal;
    const struct language *language;
    const struct folders *folders; /* search path of named set-ups */
    FILE *in;
    int people;               /* human players: 0, 1 or 2 */
    bool teaches;             /* the game is a step of a lesson */
    int seated;               /* enum side of the human at the screen, -1 before the first */
    bool ended;               /* the input has ended */
    struct changes *changes;  /* interrupt questions; NULL: none */
    bool interrupted;         /* a question was interrupted since line_input_begin() */
    struct suspicions *marks; /* of both sides */
    struct hint *hint;        /* for the only human; NULL: there are no hints */
    char *save_as; /* path for the record, LINE_INPUT_PATH_MAX bytes, owned by the caller */
};

void line_input_open(struct line_input *input, FILE *in, FILE *out, const struct folders *folders,
                     const struct language *language);

/* Begins a game of so many humans. */
void line_input_begin(struct line_input *input, int people);

/* From now on a change of these files interrupts any question. Call it before anything is read. */
void line_input_heed(struct line_input *input, struct changes *changes);

/* Prints a prompt and reads a line, trimmed of blanks and its end; a longer line is cut. False at
 * the end of the input or after an interruption. */
bool line_input_ask(struct line_input *input, const char *prompt, char line[LINE_INPUT_MAX]);

/* Is the line the command to leave, "quit" or "q"? */
bool line_input_quits(const char *line);

/* Asks an English question, translated, until "y" or "n". False also at the end of the input. */
bool line_input_agrees(struct line_input *input, const char *question);

/* Seats `side`. With two humans and the other one seated: wipes the screen, shows `news` (public),
 * waits for Enter, and wipes again. */
void line_input_hand_over(struct line_input *input, enum side side, const char *news);

#endif
