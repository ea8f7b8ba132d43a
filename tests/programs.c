/* programs.c - the test programs of one floor in one file: runs the one that is named, as if it
 * stood alone. */
#include <stdio.h>
#include <string.h>

#define PROGRAM(name) int main_of_##name(void);
#include LIST_OF_PROGRAMS
#undef PROGRAM

static const struct {
    const char *name;
    int (*run)(void);
} programs[] = {
#define PROGRAM(name) {#name, main_of_##name},
#include LIST_OF_PROGRAMS
};

int main(int argc, char **argv) {
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
        if (argc == 2 && !strcmp(argv[1], programs[i].name)) return programs[i].run();
    fprintf(stderr, "usage: %s PROGRAM, one of\n", argv[0]);
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
        fprintf(stderr, "  %s\n", programs[i].name);
    return 2;
}
