/* programs.c - the test programs of one floor in one file: runs the one that is named, as if it
 * stood alone; of its functions all, or those that match a pattern with '*' and '?'. */
#include "jail/zygote.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

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
    const char *functions = argc == 3 ? argv[2] : getenv("ENSIGN_TEST_FUNCTIONS");
    if (functions) cmocka_set_test_filter(functions);
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
        if (argc >= 2 && argc <= 3 && !strcmp(argv[1], programs[i].name)) return programs[i].run();
    fprintf(stderr, "usage: %s PROGRAM [FUNCTIONS], one of\n", argv[0]);
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
        fprintf(stderr, "  %s\n", programs[i].name);
    return 2;
}
