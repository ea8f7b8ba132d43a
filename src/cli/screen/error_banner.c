/* error_banner.c - a fault that stays under the board until its file is mended. */
#include "error_banner.h"

#include "cli/cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void error_banner_fault(struct error_banner *banner, const struct language *language,
                        const struct fault *fault) {
    char *lines = NULL;
    size_t length;
    *banner = (struct error_banner){0};
    language_fault_line(language, fault, banner->message, sizeof banner->message);
    FILE *out = open_memstream(&lines, &length);
    if (!out) return;
    cli_excerpt_lines(out, fault);
    if (!fclose(out)) snprintf(banner->excerpt, sizeof banner->excerpt, "%s", lines);
    free(lines);
}

void error_banner_faults(struct error_banner *banner, const struct language *language,
                         const struct faults *faults) {
    const struct remark *shown = faults->count ? &faults->list[0] : NULL;
    *banner = (struct error_banner){0};
    for (size_t i = 0; i < faults->count && shown->warning; i++)
        if (!faults->list[i].warning) shown = &faults->list[i];
    if (!shown) return;
    error_banner_fault(banner, language, &shown->fault);
    size_t length = strlen(banner->message), others = faults->errors + faults->warnings - 1;
    if (shown->page[0])
        length += (size_t)snprintf(banner->message + length, sizeof banner->message - length,
                                   " (%s)", shown->page);
    if (!others || length >= sizeof banner->message) return;
    banner->message[length++] = ' ';
    language_write(banner->message + length, sizeof banner->message - length, language,
                   "And {1} more.", NUMBER_TEXT(others));
}

static int message_rows(const struct error_banner *banner, struct screen *screen, int columns) {
    return screen_wrap(screen, 0, 0, columns, 0, 0, STYLE_PLAIN, banner->message);
}

static int excerpt_rows(const struct error_banner *banner) {
    int rows = 0;
    for (const char *line = banner->excerpt; (line = strchr(line, '\n')); line++) rows++;
    return rows;
}

int error_banner_rows(const struct error_banner *banner, struct screen *screen, int columns,
                      int most) {
    int message = message_rows(banner, screen, columns), excerpt = excerpt_rows(banner);
    if (message + excerpt <= most) return message + excerpt;
    int least = message + (excerpt > 0);
    return most < 0 ? 0 : least < most ? least : most;
}

void error_banner_draw(const struct error_banner *banner, struct screen *screen, int row, int rows,
                       int columns) {
    int message = message_rows(banner, screen, columns), excerpt = excerpt_rows(banner);
    bool whole = message + excerpt <= rows;
    if (message > rows - (excerpt > 0)) message = rows - (excerpt > 0 && rows > 1);
    screen_wrap(screen, row, 0, columns, message, 0, STYLE_WARNING, banner->message);
    int at = row + message;
    for (const char *line = banner->excerpt; *line && at < row + rows;) {
        size_t length = strcspn(line, "\n");
        char text[ERROR_BANNER_EXCERPT_MAX];
        snprintf(text, sizeof text, "%.*s", (int)length, line);
        if (whole || *line == '>')
            screen_put_in(screen, at++, 0, columns, *line == '>' ? STYLE_STRONG : STYLE_DIM, text);
        line += length + (line[length] == '\n');
    }
}
