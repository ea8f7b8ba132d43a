/* outlet.c - writing the results of import and export. */
#include "outlet.h"

#include "base/files.h"
#include "base/paths.h"

#include <stdio.h>
#include <string.h>

bool outlet_name(const char *source, const char *ending, char *name, size_t size) {
    size_t room = size - strlen(ending);
    bool fits = path_stem(strcmp(source, "-") ? source : "standard-input", name, room);
    strcat(name, ending);
    return fits;
}

bool outlet_open(struct outlet *outlet, struct fault *fault) {
    return !outlet->folder || files_folder(outlet->folder, fault);
}

bool outlet_write(struct outlet *outlet, const char *source, const char *text,
                  struct fault *fault) {
    char name[FOLDER_PATH_MAX];
    outlet->written[0] = 0;
    if (!outlet->folder) {
        fputs(text, stdout);
        return true;
    }
    if (!outlet_name(source, outlet->ending, name, sizeof name) ||
        snprintf(outlet->written, sizeof outlet->written, "%s/%s", outlet->folder, name) >=
            (int)sizeof outlet->written)
        return fault_set(fault, STATUS_USAGE, "%s: the path of its result is too long", source);
    return files_write_new(outlet->written, text, strlen(text), 0, fault);
}
