/* fault.c - the table of statuses and the text of faults.
 *
 * Faults carry pieces of files that nobody vouches for; what leaves here is printable UTF-8 on one
 * line. */
#include "fault.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    int exit_code;
} statuses[STATUS_COUNT] = {
    [STATUS_OK] = {"ok", 0},
    [STATUS_TEXT] = {"text", 1},
    [STATUS_RULES] = {"rules", 1},
    [STATUS_SETUP] = {"setup", 1},
    [STATUS_ILLEGAL_MOVE] = {"illegal-move", 1},
    [STATUS_SCRIPT] = {"script", 1},
    [STATUS_FUEL] = {"fuel", 1},
    [STATUS_TIME] = {"time", 1},
    [STATUS_MEMORY] = {"memory", 1},
    [STATUS_CRASH] = {"crash", 1},
    [STATUS_NOT_FOUND] = {"not-found", 2},
    [STATUS_USAGE] = {"usage", 2},
    [STATUS_NO_MEMORY] = {"no-memory", 3},
    [STATUS_SYSTEM] = {"system", 3},
};

const char *status_name(enum status status) {
    return statuses[status].name;
}

int status_exit_code(enum status status) {
    return statuses[status].exit_code;
}

/* Length of the well-formed UTF-8 sequence at `text`, 0 if there is none (overlong forms and
 * surrogates are none). */
static size_t sequence_length(const unsigned char *text) {
    unsigned char first = text[0];
    if (first < 0x80) return 1;
    size_t length = first >= 0xC2 && first < 0xE0 ? 2 : first >= 0xE0 && first < 0xF0 ? 3 : 0;
    if (first >= 0xF0 && first < 0xF5) length = 4;
    for (size_t i = 1; i < length; i++)
        if ((text[i] & 0xC0) != 0x80) return 0;
    if (first == 0xE0 && text[1] < 0xA0) return 0;
    if (first == 0xED && text[1] > 0x9F) return 0;
    if (first == 0xF0 && text[1] < 0x90) return 0;
    if (first == 0xF4 && text[1] > 0x8F) return 0;
    return length;
}

/* Control characters (those of U+0080..U+009F too) and broken sequences become '?'; a sequence cut
 * by the end of the buffer goes. */
static void make_printable(char *text) {
    unsigned char *in = (unsigned char *)text, *out = in;
    while (*in) {
        size_t length = sequence_length(in);
        bool control = *in < 0x20 || *in == 0x7F || (length == 2 && *in == 0xC2 && in[1] < 0xA0);
        if (length == 0 || control) {
            *out++ = '?';
            in += length ? length : 1;
        } else {
            memmove(out, in, length);
            out += length;
            in += length;
        }
    }
    *out = 0;
}

bool fault_setv(struct fault *fault, enum status status, const char *format, va_list args) {
    if (!fault) return false;
    fault->status = status;
    int needed = vsnprintf(fault->text, sizeof fault->text, format, args);
    if (needed >= (int)sizeof fault->text) {
        size_t end = sizeof fault->text - 4;
        while (end > 0 && ((unsigned char)fault->text[end] & 0xC0) == 0x80) end--;
        memcpy(fault->text + end, "...", 4);
    }
    make_printable(fault->text);
    return false;
}

bool fault_set(struct fault *fault, enum status status, const char *format, ...) {
    va_list args;
    va_start(args, format);
    fault_setv(fault, status, format, args);
    va_end(args);
    return false;
}

void fault_place(struct fault *fault, const char *file, int line, int column) {
    if (!fault) return;
    if (file) {
        snprintf(fault->file, sizeof fault->file, "%s", file);
        make_printable(fault->file);
    }
    if (line) fault->line = line;
    if (column) fault->column = column;
}

size_t fault_format(const struct fault *fault, char *out, size_t size) {
    char place[FAULT_FILE_MAX + 32] = "";
    size_t used = 0;
    if (fault->file[0]) used += (size_t)snprintf(place, sizeof place, "%s:", fault->file);
    if (fault->line)
        used += (size_t)snprintf(place + used, sizeof place - used,
                                 fault->file[0] ? "%d:" : "line %d:", fault->line);
    if (fault->line && fault->column)
        used += (size_t)snprintf(place + used, sizeof place - used, "%d:", fault->column);
    int needed = snprintf(out, size, "%s%s%s", place, used ? " " : "", fault->text);
    return needed < 0 ? 0 : (size_t)needed;
}
