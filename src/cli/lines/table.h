/* table.h - prompts and answers at a terminal shared by one or two humans.
 *
 * Two humans at one terminal (hot seat) must not see each other's ranks: the screen is wiped and
 * the keyboard handed over before the other side's board is shown. Between table_hand_over() and
 * the board only public information may be written. */
#ifndef ENSIGN_CLI_LINES_TABLE_H
#define ENSIGN_CLI_LINES_TABLE_H

#include "cli/suspicions.h"
#include "host/changes.h"
#include "host/hint.h"
#include "host/stopwatch.h"
#include "lua/folders.h"
#include "lua/language.h"
#include "terminal.h"

enum { TABLE_LINE_MAX = 256, TABLE_PATH_MAX = 1024 };

struct table {
    struct terminal terminal;
    const struct language *language;
    const struct folders *folders; /* search path of named set-ups */
    FILE *in;
    int people;               /* human players: 0, 1 or 2 */
    uint32_t told;            /* plies whose story is not repeated */
    bool teaches;             /* the game is a step of a lesson */
    int seated;               /* enum side of the human at the screen, -1 before the first */
    bool ended;               /* the input has ended */
    struct stopwatch *watch;  /* of the game; NULL: it has no clock */
    struct changes *changes;  /* interrupt questions; NULL: none */
    bool interrupted;         /* a question was interrupted since table_begin() */
    struct suspicions *marks; /* of both sides */
    struct hint *hint;        /* for the only human; NULL: there are no hints */
    char *save_as;            /* path for the record, TABLE_PATH_MAX bytes, owned by the caller */
};

void table_open(struct table *table, FILE *in, FILE *out, const struct folders *folders,
                const struct language *language);

/* Begins a game of so many humans. */
void table_begin(struct table *table, int people);

/* From now on a change of these files interrupts any question. Call it before anything is read. */
void table_heed(struct table *table, struct changes *changes);

/* Prints a prompt and reads a line, trimmed of blanks and its end; a longer line is cut. False at
 * the end of the input or after an interruption. */
bool table_ask(struct table *table, const char *prompt, char line[TABLE_LINE_MAX]);

/* Is the line the command to leave, "quit" or "q"? */
bool table_quits(const char *line);

/* Asks an English question, translated, until "y" or "n". False also at the end of the input. */
bool table_agrees(struct table *table, const char *question);

/* Seats `side`. With two humans and the other one seated: wipes the screen, shows `news` (public),
 * waits for Enter, and wipes again. */
void table_hand_over(struct table *table, enum side side, const char *news);

#endif
