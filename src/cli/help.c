/* help.c - `ensign help`: the list of commands, and the page of one. */
#include "help.h"

#include "base/words.h"
#include "manual.h"

#include <string.h>

struct help_values {
    struct arguments words;
    const char *manual;
    bool complete;
};

static int run_help(const void *values);
const struct command command_help = {
    COMMAND(help, .manual = NULL),
    .summary = "print the help of a command",
    .synopsis = {"[COMMAND]", "--manual FOLDER", "--complete -- [WORD…]"},
    .prose = "Prints the help of a command, like COMMAND --help. Without COMMAND, lists the "
             "commands.",
    .arguments = {{NULL, 0, "COMMAND", VALUE_COMMAND, INTO(help, words), .many = true}},
    .options =
        {{"manual", 0, "FOLDER", VALUE_FOLDER, INTO(help, manual),
          "write the manual pages of all commands into a folder"},
         {"complete", INTO(help, complete),
          "print the words that can follow those after \"ensign\", for the completion of shells",
          .excludes = "manual"}},
};

const struct command *const COMMANDS[] = {&command_play,     &command_match,  &command_replay,
                                          &command_analyse,  &command_report, &command_games,
                                          &command_check,    &command_learn,  &command_show,
                                          &command_import,   &command_export, &command_setups,
                                          &command_selfplay, &command_moves,  &command_new,
                                          &command_watch,    &command_trace,  &command_worker,
                                          &command_workers,  &command_serve,  &command_list,
                                          &command_pack,     &command_get,    &command_remove,
                                          &command_bench,    &command_help,   NULL};

const struct command *help_find(const char *name) {
    struct fault fault = {0};
    char text[LANGUAGE_TEXT_MAX];
    struct word_guess guess = word_guess_for(name);
    for (int i = 0; COMMANDS[i]; i++) {
        if (!strcmp(name, COMMANDS[i]->name)) return COMMANDS[i];
        word_offer(&guess, COMMANDS[i]->name);
    }
    fault_set(&fault, STATUS_USAGE, "unknown command \"%s\"", name);
    word_suggest(&guess, &fault);
    language_fault(cli_tongue(), &fault, text, sizeof text);
    language_line(stderr, cli_tongue(), "ensign: {1} (see \"{2} --help\")", text, cli_program);
    return NULL;
}

void help_overview(FILE *out) {
    const struct language *language = cli_tongue();
    language_line(out, language, "usage: ensign COMMAND [ARGUMENTS]");
    fputc('\n', out);
    for (int i = 0; COMMANDS[i]; i++)
        fprintf(out, "  %-8s  %s\n", COMMANDS[i]->name,
                language_text(language, COMMANDS[i]->summary));
    fputc('\n', out);
    language_line(
        out, language,
        "\"{1} help COMMAND\" prints the help of a command, \"{1} --version\" the version.",
        cli_program);
}

static int run_help(const void *values) {
    const struct help_values *asked = values;
    const char *const name = asked->words.count ? asked->words.list[0] : NULL;
    struct fault fault = {0};
    if (asked->complete) {
        completion_print(stdout, &asked->words);
        return EXIT_DONE;
    }
    if (asked->words.count > !asked->manual)
        return cli_misuse("help", "unexpected argument \"%s\"", asked->words.list[!asked->manual]);
    if (asked->manual) return manual_write(asked->manual, &fault) ? EXIT_DONE : cli_fail(&fault);
    const struct command *command = name ? help_find(name) : NULL;
    if (name && !command) return EXIT_USAGE;
    if (command)
        command_page(stdout, command);
    else
        help_overview(stdout);
    return EXIT_DONE;
}
