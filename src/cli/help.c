/* help.c - `ensign help`: the list of commands, and the page of one: synopsis, prose, options,
 * notes.
 *
 * All texts are those of the language; names and placeholders stay English. Defaults and ranges of
 * values come from the command's table; help texts do not repeat them. */
#include "help.h"

#include "base/words.h"
#include "cli.h"
#include "columns.h"

#include <inttypes.h>
#include <string.h>

struct help_values {
    const char *command;
};

static int run_help(const void *values);
const struct command command_help = {
    COMMAND(help, .command = NULL),
    .summary = "print the help of a command",
    .synopsis = {"[COMMAND]"},
    .prose = "Prints the help of a command, like COMMAND --help. Without COMMAND, lists the "
             "commands.",
    .arguments = {{NULL, 0, "COMMAND", VALUE_COMMAND, INTO(help, command)}},
};

const struct command *const COMMANDS[] = {&command_play,
                                          &command_match,
                                          &command_replay,
                                          &command_analyse,
                                          &command_report,
                                          &command_games,
                                          &command_check,
                                          &command_learn,
                                          &command_show,
                                          &command_import,
                                          &command_export,
                                          &command_setups,
                                          &command_moves,
                                          &command_new,
                                          &command_watch,
                                          &command_trace,
                                          &command_worker,
                                          &command_workers,
                                          &command_serve,
                                          &command_list,
                                          &command_bench,
                                          &command_help,
                                          NULL};

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
        fprintf(out, "  %-8s %s\n", COMMANDS[i]->name,
                language_text(language, COMMANDS[i]->summary));
    fputc('\n', out);
    language_line(
        out, language,
        "\"{1} help COMMAND\" prints the help of a command, \"{1} --version\" the version.",
        cli_program);
}

enum {
    HEAD_MAX = 80,
    HEAD_COLUMNS = 24, /* a longer head gets its own line */
    GAP = 3,
    RANGE_TOLD_MAX = 10000000 /* a larger limit is not worth printing */
};

/* "  -n, --games GAMES" */
static void write_head(const struct parameter *option, char head[HEAD_MAX]) {
    char letter[5] = "    ";
    if (option->letter) snprintf(letter, sizeof letter, "-%c, ", option->letter);
    size_t used = (size_t)snprintf(head, HEAD_MAX, "  %s--%s", letter, option->name);
    const char *before = " ";
    if (option->argument) {
        used += (size_t)snprintf(head + used, HEAD_MAX - used, " %s", option->argument);
        before = "|";
    }
    for (int i = 0; option->words && option->words[i] && used < HEAD_MAX; i++, before = "|")
        used += (size_t)snprintf(head + used, HEAD_MAX - used, "%s%s", before, option->words[i]);
}

/* The initial value of the field, "200"; empty if it is not a valid value. */
static void write_default(const struct command *command, const struct parameter *option, char *text,
                          size_t size) {
    const char *field = (const char *)command->defaults + option->at;
    uint64_t number = 0;
    text[0] = 0;
    if (option->type == FIELD_TEXT) {
        const char *word = *(const char *const *)(const void *)field;
        snprintf(text, size, "%s", word ? word : "");
    } else if (option->type == FIELD_DOUBLE) {
        snprintf(text, size, "%g", *(const double *)(const void *)field);
    } else if (option->type == FIELD_INT) {
        number = *(const uint32_t *)(const void *)field;
    } else if (option->type == FIELD_UINT64) {
        number = *(const uint64_t *)(const void *)field;
    }
    if (option->kind == VALUE_NUMBER && number >= option->least && number <= option->most)
        snprintf(text, size, "%" PRIu64, number);
}

/* " (default 200; 0 to 100000)": the default and the range, where they exist. */
static void write_facts(const struct command *command, const struct parameter *option, char *text,
                        size_t size) {
    const struct language *language = cli_tongue();
    char usual[64];
    write_default(command, option, usual, sizeof usual);
    bool ranged = option->kind == VALUE_NUMBER && option->most <= RANGE_TOLD_MAX;
    const char *least = NUMBER_TEXT(option->least), *most = NUMBER_TEXT(option->most);
    text[0] = 0;
    if (*usual && ranged)
        language_write(text, size, language, " (default {1}; {2} to {3})", usual, least, most);
    else if (*usual)
        language_write(text, size, language, " (default {1})", usual);
    else if (ranged)
        language_write(text, size, language, " ({1} to {2})", least, most);
}

static int columns_of_heads(const struct command *command) {
    const struct parameter *option;
    char head[HEAD_MAX];
    int widest = 0;
    for (int i = 0; (option = command_option(command, i)); i++) {
        write_head(option, head);
        int columns = columns_of(head, SIZE_MAX);
        if (columns > widest && columns <= HEAD_COLUMNS) widest = columns;
    }
    return widest + GAP;
}

static void print_options(FILE *out, const struct command *command) {
    const struct parameter *option;
    int indent = columns_of_heads(command);
    for (int i = 0; (option = command_option(command, i)); i++) {
        char head[HEAD_MAX], facts[160], text[LANGUAGE_TEXT_MAX + 160];
        write_head(option, head);
        write_facts(command, option, facts, sizeof facts);
        snprintf(text, sizeof text, "%s%s", language_text(cli_tongue(), option->help), facts);
        int column = columns_print(out, head, indent);
        if (column > indent) fprintf(out, "\n%*s", indent, "");
        columns_wrap(out, text, indent, indent, HELP_COLUMNS);
    }
}

void help_page(FILE *out, const struct command *command) {
    const char *usage = language_text(cli_tongue(), TEXT("usage:"));
    int columns = columns_of(usage, SIZE_MAX);
    for (int i = 0; i < SYNOPSIS_MAX && command->synopsis[i]; i++) {
        columns_print(out, i ? "" : usage, columns);
        fprintf(out, " ensign %s %s\n", command->name, command->synopsis[i]);
    }
    fputc('\n', out);
    columns_wrap(out, language_text(cli_tongue(), command->prose), 0, 0, HELP_COLUMNS);
    fputc('\n', out);
    print_options(out, command);
    for (int i = 0; i < NOTES_MAX && command->notes[i]; i++) {
        fputc('\n', out);
        columns_wrap(out, language_text(cli_tongue(), command->notes[i]), 0, 0, HELP_COLUMNS);
    }
}

static int run_help(const void *values) {
    const struct help_values *asked = values;
    const struct command *command = asked->command ? help_find(asked->command) : NULL;
    if (asked->command && !command) return EXIT_USAGE;
    if (command)
        help_page(stdout, command);
    else
        help_overview(stdout);
    return EXIT_DONE;
}
