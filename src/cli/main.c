/* main.c - which command is meant.
 *
 * Holds the table of commands. Everything else is in the file of the command. */
#include "cli.h"

#include "base/words.h"

#include <errno.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *summary;
} commands[] = {
    {"play", command_play, "play a game in the terminal"},
    {"match", command_match, "let bots play many games and count"},
    {"replay", command_replay, "step through a record, or judge every move of it"},
    {"report", command_report, "write a match or a game as a page for the browser"},
    {"check", command_check, "check variants, bots, set-ups and records"},
    {"show", command_show, "print the rule sheet of a variant"},
    {"import", command_import, "turn records of other programs into ours"},
    {"export", command_export, "turn our records into those of other programs"},
    {"setups", command_setups, "browse named set-ups, or judge files of set-ups"},
    {"moves", command_moves, "list legal moves, or say why a move is not one"},
    {"new", command_new, "write a commented file to start from: a variant, a bot, a set-up"},
    {"watch", command_watch, "play on while the file of a variant or a bot is being written"},
    {"list", command_list, "list the variants, bots and set-ups that can be found"},
    {"bench", command_bench, "measure the speed of playouts, bots and matches"},
};
enum { COMMANDS = sizeof commands / sizeof commands[0] };

static int help(FILE *out) {
    fprintf(out, "usage: ensign COMMAND [ARGUMENTS]\n\n");
    for (int i = 0; i < COMMANDS; i++) {
        fprintf(out, "  %-8s %s\n", commands[i].name, commands[i].summary);
    }
    fprintf(out,
            "\n\"%s COMMAND --help\" tells more about one of them, \"%s --version\" the "
            "version.\n",
            cli_program, cli_program);
    return EXIT_DONE;
}

static int run_command(int argc, char **argv) {
    const char *word = argv[0];
    char hint[WORD_HINT_MAX];
    struct word_guess guess = word_guess_for(word);
    for (int i = 0; i < COMMANDS; i++) {
        if (!strcmp(word, commands[i].name)) return commands[i].run(argc, argv);
        word_offer(&guess, commands[i].name);
    }
    cli_line(stderr, "ensign: unknown command \"%s\"%s (see \"%s --help\")", word,
             word_hint(&guess, hint), cli_program);
    return EXIT_USAGE;
}

int main(int argc, char **argv) {
    signal(SIGXFSZ, SIG_IGN); /* a file that may grow no more is told as a full disk is */
    /* For the terminal only: numbers are read and written as in C. What is written is UTF-8 in any
     * case, so where the locale is another one, columns are counted as in C.UTF-8. */
    setlocale(LC_CTYPE, "");
    if (MB_CUR_MAX == 1) setlocale(LC_CTYPE, "C.UTF-8");
    if (argc && *argv[0]) cli_program = argv[0];
    if (argc < 2) {
        help(stderr);
        return EXIT_USAGE;
    }
    int code;
    if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help")) {
        code = help(stdout);
    } else if (!strcmp(argv[1], "--version")) {
        code = printf("ensign %s\n", ENSIGN_VERSION) < 0 ? EXIT_HOST : EXIT_DONE;
    } else {
        code = run_command(argc - 1, argv + 1);
    }
    if (fflush(stdout) || ferror(stdout)) {
        fprintf(stderr, "ensign: standard output: %s\n", strerror(errno));
        return EXIT_HOST;
    }
    return code;
}
