/* main.c - finds the named command and runs it. */
#include "base/descriptors.h"
#include "command.h"
#include "help.h"
#include "jail/zygote.h"

#include <errno.h>
#include <locale.h>
#include <lua.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int run_command(int argc, char **argv) {
    const struct command *command = help_find(argv[0]);
    return command ? command_run(command, argc, argv) : EXIT_USAGE;
}

/* The version; the parts, by the names of their build options (1: built in); the Lua. */
static void print_version(void) {
    printf(
        "ensign %s\nENSIGN_SERVE=%d ENSIGN_CLUSTER=%d ENSIGN_SCREEN=%d ENSIGN_FOREIGN_XML=%d\n%s\n",
        ENSIGN_VERSION, ENSIGN_SERVE, ENSIGN_CLUSTER, ENSIGN_SCREEN, ENSIGN_FOREIGN_XML,
        LUA_RELEASE);
}

int main(int argc, char **argv) {
    descriptors_hold_standard();
    zygote_open(argc, argv);  /* first of all, so that it never knows anything worth hiding */
    signal(SIGXFSZ, SIG_IGN); /* a file at its size limit is reported like a full disk */
    /* LC_CTYPE only: numbers keep the C format. Output is always UTF-8, so a single-byte locale is
     * replaced by C.UTF-8 for counting columns. */
    setlocale(LC_CTYPE, "");
    if (MB_CUR_MAX == 1) setlocale(LC_CTYPE, "C.UTF-8");
    if (argc && *argv[0]) cli_name_program(argv[0]);
    if (argc < 2) {
        help_overview(stderr);
        return EXIT_USAGE;
    }
    int code = EXIT_DONE;
    if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))
        help_overview(stdout);
    else if (!strcmp(argv[1], "--version"))
        print_version();
    else
        code = run_command(argc - 1, argv + 1);
    errno = 0; /* it stays so if it was an earlier write that failed */
    if (fflush(stdout) || ferror(stdout)) {
        fprintf(stderr, "ensign: standard output: %s\n",
                errno ? strerror(errno) : "cannot be written");
        return EXIT_HOST;
    }
    return code;
}
