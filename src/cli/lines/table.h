/* table.h - the terminal at which one or two people sit.
 *
 * Two people at one terminal (hot seat) must not see each other's ranks: before the other side's
 * board is shown the screen is wiped and the keyboard handed over. Only public things may be
 * written between table_hand_over() and the board. */
#ifndef ENSIGN_CLI_LINES_TABLE_H
#define ENSIGN_CLI_LINES_TABLE_H

#include "host/changes.h"
#include "lua/folders.h"
#include "lua/language.h"
#include "terminal.h"

enum { TABLE_LINE_MAX = 256, TABLE_PATH_MAX = 1024 };

struct table {
    struct terminal terminal;
    const struct language *language; /* of all that is written here */
    const struct folders *folders;   /* where set-ups with a name are looked for */
    FILE *in;
    int people;              /* who play: 0, 1 or 2 */
    uint32_t told;           /* turns that were told in an earlier session */
    int seated;              /* enum side of whoever looks at the screen, -1 before the first */
    bool ended;              /* the input has ended */
    struct changes *changes; /* what interrupts questions; NULL: nothing */
    bool interrupted;        /* a question was, since table_begin() */
    char *save_as;           /* where the record is to go, TABLE_PATH_MAX bytes; the caller's */
};

void table_open(struct table *table, FILE *in, FILE *out, const struct folders *folders,
                const struct language *language);

/* A game of so many people begins. */
void table_begin(struct table *table, int people);

/* From now on a change of these files interrupts what is being asked. To be called before anything
 * is read. */
void table_heed(struct table *table, struct changes *changes);

/* Asks with a prompt and reads a line without its end and the blanks around it. False once the
 * input has ended, and when it was interrupted. Longer lines are cut. */
bool table_ask(struct table *table, const char *prompt, char line[TABLE_LINE_MAX]);

/* Is the line the command to leave, "quit" or "q"? */
bool table_quits(const char *line);

/* Asks a question, an English text, until "y" or "n"; false at the end of the input too. */
bool table_agrees(struct table *table, const char *question);

/* Seats `side`. With two people, when the other one was seated: wipes the screen, shows `news`
 * (public), waits for Enter, and wipes again. */
void table_hand_over(struct table *table, enum side side, const char *news);

#endif
