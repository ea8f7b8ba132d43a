/* line_input.c - prompts and answers at a terminal shared by one or two humans.
 *
 * Every prompt is flushed before the program waits, so that it also works through pipes. */
#include "line_input.h"

#include <ctype.h>
#include <poll.h>
#include <string.h>

void line_input_open(struct line_input *input, FILE *in, FILE *out, const struct folders *folders,
                     const struct language *language) {
    memset(input, 0, sizeof *input);
    input->terminal = terminal_of(out);
    input->folders = folders;
    input->language = language;
    input->in = in;
    input->seated = -1;
}

void line_input_begin(struct line_input *input, int people) {
    input->people = people;
    input->interrupted = false;
    input->seated = -1;
}

/* Unbuffered, so that poll() on the descriptor holds for the stream. */
void line_input_heed(struct line_input *input, struct changes *changes) {
    input->changes = changes;
    input->interrupted = false;
    setvbuf(input->in, NULL, _IONBF, 0);
}

/* Waits until there is something to read. False if a change came first. */
static bool wait_for_input(struct line_input *input) {
    if (!input->changes) return true;
    struct pollfd waits[] = {{.fd = fileno(input->in), .events = POLLIN},
                             {.fd = changes_descriptor(input->changes), .events = POLLIN}};
    while (!input->interrupted) {
        if (poll(waits, 2, -1) < 0) continue; /* a signal that was handled */
        if (waits[1].revents) input->interrupted = changes_happened(input->changes);
        if (!input->interrupted && waits[0].revents) return true;
    }
    return false;
}

static void skip_rest(struct line_input *input) {
    int byte;
    do byte = fgetc(input->in);
    while (byte != '\n' && byte != EOF);
}

bool line_input_ask(struct line_input *input, const char *prompt, char line[LINE_INPUT_MAX]) {
    *line = 0;
    if (input->ended || input->interrupted) return false;
    fputs(prompt, input->terminal.out);
    fflush(input->terminal.out);
    if (!wait_for_input(input)) {
        fputc('\n', input->terminal.out);
        return false;
    }
    if (!fgets(line, LINE_INPUT_MAX, input->in)) {
        input->ended = true;
        fputc('\n', input->terminal.out);
        return false;
    }
    size_t length = strlen(line);
    if (length == LINE_INPUT_MAX - 1 && line[length - 1] != '\n') skip_rest(input);
    while (length && isspace((unsigned char)line[length - 1])) line[--length] = 0;
    size_t blanks = 0;
    while (isspace((unsigned char)line[blanks])) blanks++;
    memmove(line, line + blanks, length - blanks + 1);
    return true;
}

bool line_input_quits(const char *line) {
    return !strcmp(line, "quit") || !strcmp(line, "q");
}

bool line_input_agrees(struct line_input *input, const char *question) {
    char line[LINE_INPUT_MAX], prompt[512];
    snprintf(prompt, sizeof prompt, "%s ", language_text(input->language, question));
    while (line_input_ask(input, prompt, line)) {
        if (!strcmp(line, "y") || !strcmp(line, language_text(input->language, "yes"))) return true;
        if (!strcmp(line, "n") || !strcmp(line, language_text(input->language, "no"))) return false;
        language_line(input->terminal.out, input->language, "Please answer y or n.");
    }
    return false;
}

void line_input_hand_over(struct line_input *input, enum side side, const char *news) {
    bool from_other = input->people > 1 && input->seated != (int)side;
    input->seated = (int)side;
    if (!from_other || input->ended) return;
    char line[LINE_INPUT_MAX], prompt[256];
    terminal_clear(&input->terminal);
    fputs(news, input->terminal.out);
    snprintf(
        prompt, sizeof prompt, "%s ",
        language_text(input->language,
                      side == RED
                          ? TEXT("Red's turn. Press Enter when only red can see the screen.")
                          : TEXT("Blue's turn. Press Enter when only blue can see the screen.")));
    if (line_input_ask(input, prompt, line)) terminal_clear(&input->terminal);
}
