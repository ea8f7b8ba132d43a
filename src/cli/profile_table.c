/* profile_table.c - where fuel went, line by line, with the text of each line. */
#include "profile_table.h"

#include "base/files.h"
#include "base/lines.h"
#include "base/paths.h"
#include "base/utf8.h"
#include "cli.h"
#include "host/safe_json.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { LINES_SHOWN = 20, TEXT_SHOWN = 60, FILE_BYTES_MAX = 1 << 20 };

static const double SHARE_SHOWN = 0.001;

/* Copies a line of a file without the blanks around it; empty if it cannot be read. */
static void read_line(const struct profile_line *line, char out[TEXT_SHOWN + 1]) {
    size_t length;
    out[0] = 0;
    char *text = files_read(line->file, FILE_BYTES_MAX, &length, NULL);
    const char *at = text ? text + lines_mark(text, length) : NULL;
    for (int i = 1; i < line->line && at; i++) {
        at += strcspn(at, "\r\n");
        at += lines_break(at, text + length);
    }
    if (at) {
        at += strspn(at, " \t");
        size_t size = lines_length(at, strlen(at));
        size = utf8_cut(at, size < TEXT_SHOWN ? size : TEXT_SHOWN);
        memcpy(out, at, size);
        out[size] = 0;
        utf8_make_safe(out);
    }
    free(text);
}

static double share_of(const struct profile *profile, uint64_t fuel) {
    const uint64_t total = profile_total(profile);
    return total ? (double)fuel / (double)total : 0;
}

void profile_table_print(FILE *out, const struct profile *profile) {
    struct profile_line lines[LINES_SHOWN];
    size_t count = profile_greatest(profile, lines, LINES_SHOWN);
    char text[TEXT_SHOWN + 1];
    uint64_t shown = 0;
    language_line(out, cli_tongue(),
                  "fuel by line, {1} in all:", NUMBER_TEXT(profile_total(profile)));
    for (size_t i = 0; i < count && share_of(profile, lines[i].fuel) >= SHARE_SHOWN; i++) {
        read_line(&lines[i], text);
        cli_line(out, "  %5.1f %%  %11" PRIu64 "  %s:%d  %s",
                 100 * share_of(profile, lines[i].fuel), lines[i].fuel, path_file(lines[i].file),
                 lines[i].line, text);
        shown += lines[i].fuel;
    }
    const uint64_t rest = profile_total(profile) - shown;
    if (rest)
        cli_line(out, "  %5.1f %%  %11" PRIu64 "  %s", 100 * share_of(profile, rest), rest,
                 language_text(cli_tongue(), TEXT("elsewhere")));
}

json_t *profile_table_json(const struct profile *profile) {
    struct profile_line lines[PROFILE_SHOWN_MAX];
    size_t count = profile_greatest(profile, lines, PROFILE_SHOWN_MAX);
    char text[TEXT_SHOWN + 1];
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++) {
        read_line(&lines[i], text);
        json_array_append_new(list, json_pack("{s:o, s:i, s:I, s:f, s:s}", "file",
                                              safe_json(lines[i].file), "line", lines[i].line,
                                              "fuel", (json_int_t)lines[i].fuel, "share",
                                              share_of(profile, lines[i].fuel), "text", text));
    }
    return json_pack("{s:I, s:o}", "fuel", (json_int_t)profile_total(profile), "lines", list);
}
