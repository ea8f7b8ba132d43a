/* fault.c - the table of statuses and the text of faults.
 *
 * Faults carry pieces of files that nobody vouches for; what leaves here is printable UTF-8 on one
 * line. */
#include "fault.h"

#include "utf8.h"

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
    [STATUS_KILLED] = {"killed", 3},
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

bool fault_setv(struct fault *fault, enum status status, const char *format, va_list args) {
    if (!fault) return false;
    fault->status = status;
    int needed = vsnprintf(fault->text, sizeof fault->text, format, args);
    if (needed >= (int)sizeof fault->text) {
        memcpy(fault->text + utf8_cut(fault->text, sizeof fault->text - 4), "...", 4);
    }
    utf8_make_safe(fault->text);
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
        utf8_make_safe(fault->file);
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
