/* excerpt.c - shows a few lines of a file that nobody vouches for.
 *
 * Whatever is not printable ASCII or well-formed UTF-8 becomes '?', tabs become blanks, long lines
 * are cut: fault_set() does all of that for any text, and so each line passes through it. */
#include "excerpt.h"

#include "base/files.h"

#include <stdlib.h>
#include <string.h>

enum { AROUND = 2, COLUMNS = 100, BYTES_MAX = 1 << 20 };

static bool of_a_script(enum status status) {
    return status == STATUS_SCRIPT || status == STATUS_FUEL || status == STATUS_MEMORY ||
           status == STATUS_TIME;
}

static void print_line(FILE *out, int number, bool marked, char *line, size_t length) {
    struct fault shown;
    for (size_t i = 0; i < length; i++)
        if (line[i] == '\t') line[i] = ' ';
    if (length && line[length - 1] == '\r') length--;
    fault_set(&shown, STATUS_OK, "%.*s%s", (int)(length < COLUMNS ? length : COLUMNS), line,
              length > COLUMNS ? " ..." : "");
    fprintf(out, "%c %4d | %s\n", marked ? '>' : ' ', number, shown.text);
}

void excerpt_print(FILE *out, const struct fault *fault) {
    if (!of_a_script(fault->status) || fault->line < 1 || !strcmp(fault->file, "-")) return;
    size_t length;
    char *text = files_read(fault->file, BYTES_MAX, &length, NULL);
    if (!text) return;
    char *line = text;
    for (int number = 1; number <= fault->line + AROUND && line < text + length; number++) {
        char *end = memchr(line, '\n', (size_t)(text + length - line));
        size_t size = end ? (size_t)(end - line) : (size_t)(text + length - line);
        if (number >= fault->line - AROUND)
            print_line(out, number, number == fault->line, line, size);
        line += size + 1;
    }
    free(text);
}
