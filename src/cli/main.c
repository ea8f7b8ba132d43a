/* main.c - which command is meant.
 *
 * Holds the table of commands and what they share: how a fault is printed and how a variant is
 * fetched. Everything else is in the file of the command. */
#include "cli.h"
#include "excerpt.h"
#include "options.h"

#include "host/cage.h"
#include "script/variant.h"
#include "script/words.h"

#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *summary;
} commands[] = {
    {"play", command_play, "play a game in the terminal"},
    {"match", command_match, "let bots play many games and count"},
    {"replay", command_replay, "step through a record, or judge every move of it"},
    {"check", command_check, "check variants, bots, set-ups and records"},
    {"show", command_show, "print the rule sheet of a variant"},
    {"moves", command_moves, "list legal moves, or say why a move is not one"},
    {"list", command_list, "list the variants and bots that can be found"},
    {"bench", command_bench, "measure the speed of playouts, bots and matches"},
};
enum { COMMANDS = sizeof commands / sizeof commands[0] };

static int help(FILE *out) {
    fprintf(out, "usage: ensign COMMAND [ARGUMENTS]\n\n");
    for (int i = 0; i < COMMANDS; i++) {
        fprintf(out, "  %-8s %s\n", commands[i].name, commands[i].summary);
    }
    fprintf(out,
            "\n\"ensign COMMAND --help\" tells more about one of them, \"ensign --version\" the "
            "version.\n");
    return EXIT_DONE;
}

int cli_fail(const struct fault *fault) {
    char line[FAULT_FILE_MAX + FAULT_TEXT_MAX + 32];
    fault_format(fault, line, sizeof line);
    fprintf(stderr, "ensign: %s\n", line);
    excerpt_print(stderr, fault);
    return status_exit_code(fault->status);
}

int cli_misuse(const char *command, const char *format, ...) {
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    fprintf(stderr, "ensign %s: %s (see \"ensign %s --help\")\n", command, text, command);
    return EXIT_USAGE;
}

bool cli_folders(struct folders *folders) {
    struct fault fault = {0};
    if (folders_find(folders, &fault)) return true;
    cli_fail(&fault);
    return false;
}

struct rules *cli_variant(const struct folders *folders, const char *name, int *exit_code) {
    struct fault fault = {0};
    struct rules *rules = variant_load(folders, name, &fault);
    *exit_code = rules ? EXIT_DONE : cli_fail(&fault);
    return rules;
}

bool cli_nursery(bool trust, const struct player_options *options, struct nursery **nursery,
                 struct fault *fault) {
    *nursery = NULL;
    if (trust) return true;
    if (!cage_filters()) {
        fputs("ensign: this system filters no system calls; bots run under the other limits only\n",
              stderr);
    }
    *nursery = player_nursery(options, fault);
    return *nursery;
}

static int run_command(int argc, char **argv) {
    const char *word = argv[0];
    char hint[WORD_HINT_MAX];
    struct word_guess guess = word_guess_for(word);
    for (int i = 0; i < COMMANDS; i++) {
        if (!strcmp(word, commands[i].name)) return commands[i].run(argc, argv);
        word_offer(&guess, commands[i].name);
    }
    fprintf(stderr, "ensign: unknown command \"%s\"%s (see \"ensign --help\")\n", word,
            word_hint(&guess, hint));
    return EXIT_USAGE;
}

int main(int argc, char **argv) {
    setlocale(LC_CTYPE, ""); /* for the terminal only: numbers are read and written as in C */
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
