/* Runs one fuzz target over the files of a folder, in the order of their names: the kept corpus as
 * an ordinary test, for compilers without libFuzzer. */
#include "fuzz.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

static int visible(const struct dirent *entry) {
    return entry->d_name[0] != '.';
}

static bool run_file(const char *path) {
    enum { BYTES_MAX = 1 << 20 };
    static uint8_t buffer[BYTES_MAX];
    FILE *file = fopen(path, "rb");
    if (!file) return false;
    size_t size = fread(buffer, 1, BYTES_MAX, file);
    fclose(file);
    /* A block of exactly that size, so that reading past the end is noticed. */
    uint8_t *data = malloc(size ? size : 1);
    if (!data) return false;
    for (size_t i = 0; i < size; i++) data[i] = buffer[i];
    printf("%s\n", path);
    fflush(stdout);
    LLVMFuzzerTestOneInput(data, size);
    free(data);
    return true;
}

int main(int argc, char **argv) {
    struct dirent **entries;
    if (argc != 2) {
        fprintf(stderr, "usage: %s FOLDER\n", argv[0]);
        return 2;
    }
    int count = scandir(argv[1], &entries, visible, alphasort), ran = 0;
    for (int i = 0; i < count; i++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", argv[1], entries[i]->d_name);
        ran += run_file(path);
        free(entries[i]);
    }
    if (count >= 0) free(entries);
    return ran > 0 && ran == count ? 0 : 1;
}
