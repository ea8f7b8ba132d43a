/* profile.c - a counter for each line of each file. */
#include "profile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct profile_file {
    char name[FAULT_FILE_MAX];
    uint64_t *fuel; /* by line, from 0 */
    int lines;
};

struct profile {
    struct profile_file file[PROFILE_FILES_MAX];
    int files, last; /* `last` is the file of the last addition */
    uint64_t total;
};

struct profile *profile_new(void) {
    return calloc(1, sizeof(struct profile));
}

void profile_free(struct profile *profile) {
    if (profile) profile_clear(profile);
    free(profile);
}

void profile_clear(struct profile *profile) {
    for (int i = 0; i < profile->files; i++) free(profile->file[i].fuel);
    *profile = (struct profile){.files = 0};
}

static struct profile_file *file_named(struct profile *profile, const char *name) {
    if (profile->files && !strcmp(profile->file[profile->last].name, name))
        return &profile->file[profile->last];
    for (int i = 0; i < profile->files; i++) {
        if (strcmp(profile->file[i].name, name) != 0) continue;
        profile->last = i;
        return &profile->file[i];
    }
    if (profile->files == PROFILE_FILES_MAX || strlen(name) >= FAULT_FILE_MAX) return NULL;
    profile->last = profile->files++;
    struct profile_file *file = &profile->file[profile->last];
    snprintf(file->name, sizeof file->name, "%s", name);
    return file;
}

void profile_add(struct profile *profile, const char *file, int line, uint64_t fuel) {
    profile->total += fuel;
    if (!file || line < 0 || line >= PROFILE_LINES_MAX) return;
    struct profile_file *found = file_named(profile, file);
    if (!found) return;
    if (line >= found->lines) {
        int lines = 2 * line + 64;
        uint64_t *grown = realloc(found->fuel, (size_t)lines * sizeof *grown);
        if (!grown) return;
        memset(grown + found->lines, 0, (size_t)(lines - found->lines) * sizeof *grown);
        found->fuel = grown;
        found->lines = lines;
    }
    found->fuel[line] += fuel;
}

uint64_t profile_total(const struct profile *profile) {
    return profile->total;
}

size_t profile_greatest(const struct profile *profile, struct profile_line *lines, size_t room) {
    size_t count = 0;
    for (int i = 0; i < profile->files; i++) {
        const struct profile_file *file = &profile->file[i];
        for (int line = 0; line < file->lines; line++) {
            const uint64_t fuel = file->fuel[line];
            size_t at = count;
            while (at && lines[at - 1].fuel < fuel) at--;
            if (!fuel || at == room) continue;
            count += count < room;
            memmove(lines + at + 1, lines + at, (count - 1 - at) * sizeof *lines);
            lines[at] = (struct profile_line){file->name, line, fuel};
        }
    }
    return count;
}
