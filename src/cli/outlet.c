/* outlet.c - where the results of a command that turns files into others go. */
#include "outlet.h"

#include "host/files.h"

#include <stdio.h>
#include <string.h>

bool outlet_open(struct outlet *outlet, struct fault *fault) {
    return !outlet->folder || files_folder(outlet->folder, fault);
}

bool outlet_write(struct outlet *outlet, const char *source, const char *text,
                  struct fault *fault) {
    outlet->written[0] = 0;
    if (!outlet->folder) {
        fputs(text, stdout);
        return true;
    }
    const char *slash = strrchr(source, '/');
    const char *name = strcmp(source, "-") == 0 ? "standard-input" : slash ? slash + 1 : source;
    const char *dot = strrchr(name, '.');
    int length = (int)(dot && dot > name ? (size_t)(dot - name) : strlen(name));
    if (snprintf(outlet->written, sizeof outlet->written, "%s/%.*s%s", outlet->folder, length, name,
                 outlet->ending) >= (int)sizeof outlet->written) {
        return fault_set(fault, STATUS_USAGE, "%s: the path of its result is too long", source);
    }
    return files_write_new(outlet->written, text, strlen(text), fault);
}
