/* programs.c - the test programs of one floor in one file: runs the one that is named, as if it
 * stood alone. */
#include "jail/nursery.h"

#include <signal.h>
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

/* Tests send these to what they start; nohup and a shell's & have them ignored. */
static void heed_signals(void) {
    static const int sent[] = {SIGHUP, SIGINT, SIGQUIT};
    for (size_t i = 0; i < sizeof sent / sizeof *sent; i++) signal(sent[i], SIG_DFL);
}

int main(int argc, char **argv) {
    zygote_open(argc, argv);
    heed_signals();
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
        if (argc == 2 && !strcmp(argv[1], programs[i].name)) return programs[i].run();
    fprintf(stderr, "usage: %s PROGRAM, one of\n", argv[0]);
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
        fprintf(stderr, "  %s\n", programs[i].name);
    return 2;
}
