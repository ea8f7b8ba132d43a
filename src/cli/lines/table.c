/* table.c - prompts and answers at a terminal shared by one or two humans.
 *
 * Every prompt is flushed before the program waits, so that it also works through pipes. */
#include "table.h"

#include <ctype.h>
#include <poll.h>
#include <string.h>

void table_open(struct table *table, FILE *in, FILE *out, const struct folders *folders,
                const struct language *language) {
    memset(table, 0, sizeof *table);
    table->terminal = terminal_of(out);
    table->folders = folders;
    table->language = language;
    table->in = in;
    table->seated = -1;
}

void table_begin(struct table *table, int people) {
    table->people = people;
    table->told = 0;
    table->interrupted = false;
    table->seated = -1;
}

/* Unbuffered, so that poll() on the descriptor holds for the stream. */
void table_heed(struct table *table, struct changes *changes) {
    table->changes = changes;
    table->interrupted = false;
    setvbuf(table->in, NULL, _IONBF, 0);
}

/* Waits until there is something to read. False if a change came first. */
static bool wait_for_input(struct table *table) {
    if (!table->changes) return true;
    struct pollfd waits[] = {{.fd = fileno(table->in), .events = POLLIN},
                             {.fd = changes_descriptor(table->changes), .events = POLLIN}};
    while (!table->interrupted) {
        if (poll(waits, 2, -1) < 0) continue; /* a signal that was handled */
        if (waits[1].revents) table->interrupted = changes_happened(table->changes);
        if (!table->interrupted && waits[0].revents) return true;
    }
    return false;
}

static void skip_rest(struct table *table) {
    int byte;
    do byte = fgetc(table->in);
    while (byte != '\n' && byte != EOF);
}

bool table_ask(struct table *table, const char *prompt, char line[TABLE_LINE_MAX]) {
    *line = 0;
    if (table->ended || table->interrupted) return false;
    fputs(prompt, table->terminal.out);
    fflush(table->terminal.out);
    if (!wait_for_input(table)) {
        fputc('\n', table->terminal.out);
        return false;
    }
    if (!fgets(line, TABLE_LINE_MAX, table->in)) {
        table->ended = true;
        fputc('\n', table->terminal.out);
        return false;
    }
    size_t length = strlen(line);
    if (length == TABLE_LINE_MAX - 1 && line[length - 1] != '\n') skip_rest(table);
    while (length && isspace((unsigned char)line[length - 1])) line[--length] = 0;
    size_t blanks = 0;
    while (isspace((unsigned char)line[blanks])) blanks++;
    memmove(line, line + blanks, length - blanks + 1);
    return true;
}

bool table_quits(const char *line) {
    return !strcmp(line, "quit") || !strcmp(line, "q");
}

bool table_agrees(struct table *table, const char *question) {
    char line[TABLE_LINE_MAX], prompt[512];
    snprintf(prompt, sizeof prompt, "%s ", language_text(table->language, question));
    while (table_ask(table, prompt, line)) {
        if (!strcmp(line, "y") || !strcmp(line, language_text(table->language, "yes"))) return true;
        if (!strcmp(line, "n") || !strcmp(line, language_text(table->language, "no"))) return false;
        language_line(table->terminal.out, table->language, "Please answer y or n.");
    }
    return false;
}

void table_hand_over(struct table *table, enum side side, const char *news) {
    bool from_other = table->people > 1 && table->seated != (int)side;
    table->seated = (int)side;
    if (!from_other || table->ended) return;
    char line[TABLE_LINE_MAX], prompt[256];
    terminal_clear(&table->terminal);
    fputs(news, table->terminal.out);
    snprintf(
        prompt, sizeof prompt, "%s ",
        language_text(table->language,
                      side == RED
                          ? TEXT("Red's turn. Press Enter when only red can see the screen.")
                          : TEXT("Blue's turn. Press Enter when only blue can see the screen.")));
    if (table_ask(table, prompt, line)) terminal_clear(&table->terminal);
}
