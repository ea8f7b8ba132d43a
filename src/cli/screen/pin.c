/* pin.c - a fault that stays under the board until its file is mended. */
#include "pin.h"

#include "cli/cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void pin_fault(struct pin *pin, const struct language *language, const struct fault *fault) {
    char *lines = NULL;
    size_t length;
    *pin = (struct pin){0};
    language_fault_line(language, fault, pin->message, sizeof pin->message);
    FILE *out = open_memstream(&lines, &length);
    if (!out) return;
    cli_excerpt_lines(out, fault);
    if (!fclose(out)) snprintf(pin->excerpt, sizeof pin->excerpt, "%s", lines);
    free(lines);
}

void pin_faults(struct pin *pin, const struct language *language, const struct faults *faults) {
    const struct remark *shown = faults->count ? &faults->list[0] : NULL;
    *pin = (struct pin){0};
    for (size_t i = 0; i < faults->count && shown->warning; i++)
        if (!faults->list[i].warning) shown = &faults->list[i];
    if (!shown) return;
    pin_fault(pin, language, &shown->fault);
    size_t length = strlen(pin->message), others = faults->errors + faults->warnings - 1;
    if (shown->page[0])
        length += (size_t)snprintf(pin->message + length, sizeof pin->message - length, " (%s)",
                                   shown->page);
    if (!others || length >= sizeof pin->message) return;
    pin->message[length++] = ' ';
    language_write(pin->message + length, sizeof pin->message - length, language, "And {1} more.",
                   NUMBER_TEXT(others));
}

static int message_rows(const struct pin *pin, struct screen *screen, int columns) {
    return screen_wrap(screen, 0, 0, columns, 0, 0, STYLE_PLAIN, pin->message);
}

static int excerpt_rows(const struct pin *pin) {
    int rows = 0;
    for (const char *line = pin->excerpt; (line = strchr(line, '\n')); line++) rows++;
    return rows;
}

int pin_rows(const struct pin *pin, struct screen *screen, int columns, int most) {
    int message = message_rows(pin, screen, columns), excerpt = excerpt_rows(pin);
    if (message + excerpt <= most) return message + excerpt;
    int least = message + (excerpt > 0);
    return most < 0 ? 0 : least < most ? least : most;
}

void pin_draw(const struct pin *pin, struct screen *screen, int row, int rows, int columns) {
    int message = message_rows(pin, screen, columns), excerpt = excerpt_rows(pin);
    bool whole = message + excerpt <= rows;
    if (message > rows - (excerpt > 0)) message = rows - (excerpt > 0 && rows > 1);
    screen_wrap(screen, row, 0, columns, message, 0, STYLE_WARNING, pin->message);
    int at = row + message;
    for (const char *line = pin->excerpt; *line && at < row + rows;) {
        size_t length = strcspn(line, "\n");
        char text[PIN_EXCERPT_MAX];
        snprintf(text, sizeof text, "%.*s", (int)length, line);
        if (whole || *line == '>')
            screen_put_in(screen, at++, 0, columns, *line == '>' ? STYLE_STRONG : STYLE_DIM, text);
        line += length + (line[length] == '\n');
    }
}
