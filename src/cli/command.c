/* command.c - parses the arguments of a command by its table, and prints its help page: synopsis,
 * prose, options, notes.
 *
 * getopt_long() splits the words; its own messages are off, since they neither name the command nor
 * suggest anything. All texts of a page are those of the language; names and placeholders stay
 * English. Defaults and ranges of values come from the table; help texts do not repeat them. */
#include "command.h"

#include "base/fault.h"
#include "base/words.h"
#include "columns.h"
#include "host/players.h"
#include "host/program/registered.h"
#include "host/seed.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const struct parameter OPTION_HELP = {"help", 'h', .help = TEXT("print this help")};

const struct parameter *command_option(const struct command *command, int number) {
    int count = 0;
    while (count < OPTIONS_MAX && command->options[count].name) count++;
    return number < count ? &command->options[number] : number == count ? &OPTION_HELP : NULL;
}

enum {
    HEAD_COLUMNS = 24, /* a longer head gets its own line */
    GAP = 3,
    RANGE_TOLD_MAX = 10000000 /* a larger limit is not worth printing */
};

void command_option_head(const struct parameter *option, char head[COMMAND_HEAD_MAX]) {
    char letter[5] = "    ";
    if (option->letter) snprintf(letter, sizeof letter, "-%c, ", option->letter);
    size_t used = (size_t)snprintf(head, COMMAND_HEAD_MAX, "  %s--%s", letter, option->name);
    const char *before = " ";
    if (option->argument) {
        used += (size_t)snprintf(head + used, COMMAND_HEAD_MAX - used, " %s", option->argument);
        before = "|";
    }
    for (int i = 0; option->words && option->words[i] && used < COMMAND_HEAD_MAX; i++, before = "|")
        used += (size_t)snprintf(head + used, COMMAND_HEAD_MAX - used, "%s%s", before,
                                 option->words[i]);
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

void command_option_text(const struct command *command, const struct parameter *option,
                         char text[COMMAND_OPTION_MAX]) {
    char facts[160];
    write_facts(command, option, facts, sizeof facts);
    snprintf(text, COMMAND_OPTION_MAX, "%s%s", language_text(cli_tongue(), option->help), facts);
}

static int columns_of_heads(const struct command *command) {
    const struct parameter *option;
    char head[COMMAND_HEAD_MAX];
    int widest = 0;
    for (int i = 0; (option = command_option(command, i)); i++) {
        command_option_head(option, head);
        int columns = columns_of(head, SIZE_MAX);
        if (columns > widest && columns <= HEAD_COLUMNS) widest = columns;
    }
    return widest + GAP;
}

static void print_options(FILE *out, const struct command *command) {
    const struct parameter *option;
    int indent = columns_of_heads(command);
    for (int i = 0; (option = command_option(command, i)); i++) {
        char head[COMMAND_HEAD_MAX], text[COMMAND_OPTION_MAX];
        command_option_head(option, head);
        command_option_text(command, option, text);
        int column = columns_print(out, head, indent);
        if (column > indent) fprintf(out, "\n%*s", indent, "");
        columns_wrap(out, text, indent, indent, HELP_COLUMNS);
    }
}

void command_page(FILE *out, const struct command *command) {
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

/* One reading of arguments. */
struct command_reading {
    const struct command *command;
    char *values;
    bool given[OPTIONS_MAX + 1];
    struct option longs[OPTIONS_MAX + 2]; /* `val` is the letter, or LONG_ONLY + number */
    char letters[2 * OPTIONS_MAX + 4];
};
enum { LONG_ONLY = 256, OPTION_NAME_MAX = 40, EXPECTED_MAX = 512 };

static void reading_begin(struct command_reading *reading, const struct command *command,
                          void *values) {
    const struct parameter *option;
    *reading = (struct command_reading){.command = command, .values = values};
    char *letter = reading->letters;
    *letter++ = ':';
    for (int i = 0; (option = command_option(command, i)); i++) {
        bool takes = option->kind != VALUE_FLAG;
        reading->longs[i] = (struct option){option->name, takes ? required_argument : no_argument,
                                            NULL, option->letter ? option->letter : LONG_ONLY + i};
        if (option->letter) *letter++ = option->letter;
        if (option->letter && takes) *letter++ = ':';
    }
}

static int option_of(const struct command_reading *reading, int val) {
    int number = 0;
    while (reading->longs[number].val != val) number++;
    return number;
}

static const char *value_expected(const struct parameter *parameter, char text[EXPECTED_MAX]) {
    static const char *const nouns[VALUE_KINDS] = {
        [VALUE_TEXT] = TEXT("a text"),
        [VALUE_FILE] = TEXT("a file"),
        [VALUE_FOLDER] = TEXT("a folder"),
        [VALUE_PATH] = TEXT("a file or a folder"),
        [VALUE_SCRIPT] = TEXT("the file of a variant or a bot"),
        [VALUE_RECORD] = TEXT("a record"),
        [VALUE_VARIANT] = TEXT("a variant"),
        [VALUE_GAME] = TEXT("a variant or a record"),
        [VALUE_BOT] = TEXT("a bot or \"[NAME=]json:COMMAND\""),
        [VALUE_PLAYER] = TEXT("\"human\", a bot or \"[NAME=]json:COMMAND\""),
        [VALUE_SETUP] = TEXT("a set-up's name, a file or \"random\""),
        [VALUE_LANGUAGE] = TEXT("a language"),
        [VALUE_MOVE] = TEXT("a move"),
        [VALUE_COMMAND] = TEXT("a command"),
        [VALUE_BUNDLE] = TEXT("a bundle")};
    const struct language *language = cli_tongue();
    size_t used = 0;
    text[0] = 0;
    if (parameter->kind == VALUE_NUMBER || parameter->kind == VALUE_SEED) {
        used = language_write(text, EXPECTED_MAX, language, "a whole number from {1} to {2}",
                              NUMBER_TEXT(parameter->least), NUMBER_TEXT(parameter->most));
    } else if (parameter->kind == VALUE_SECONDS) {
        language_write(text, EXPECTED_MAX, language, "a number above 0 and up to {1}",
                       NUMBER_TEXT(parameter->most));
    } else if (!parameter->words) {
        bool own = !parameter->name && parameter->help;
        snprintf(text, EXPECTED_MAX, "%s",
                 language_text(language, own ? parameter->help : nouns[parameter->kind]));
    }
    for (int i = 0; parameter->words && parameter->words[i] && used < EXPECTED_MAX; i++) {
        const char *between = !used                     ? ""
                              : parameter->words[i + 1] ? ", "
                                                        : language_text(language, TEXT(" or "));
        used += (size_t)snprintf(text + used, EXPECTED_MAX - used, "%s\"%s\"", between,
                                 parameter->words[i]);
    }
    return text;
}

static bool value_refuse(const struct command *command, const struct parameter *parameter,
                         const char *word) {
    char text[EXPECTED_MAX];
    value_expected(parameter, text);
    if (parameter->name)
        cli_misuse(command->name, "--%s is \"%s\", expected %s", parameter->name, word, text);
    else
        cli_misuse(command->name, "unexpected argument \"%s\", expected %s", word, text);
    return false;
}

static void value_put(const struct parameter *parameter, void *field, uint64_t number) {
    if (parameter->type == FIELD_UINT64) *(uint64_t *)field = number;
    if (parameter->type == FIELD_INT) *(uint32_t *)field = (uint32_t)number;
}

static int index_of(const char *const *words, const char *word) {
    for (int i = 0; words && words[i]; i++)
        if (!strcmp(words[i], word)) return i;
    return -1;
}

static bool value_read_number(const struct parameter *parameter, const char *word, void *field) {
    int instead = index_of(parameter->words, word);
    if (instead >= 0) {
        value_put(parameter, field, parameter->most + 1 + (uint64_t)instead);
        return true;
    }
    char *end = NULL;
    errno = 0;
    bool digits = *word >= '0' && *word <= '9'; /* strtoull() would take "-1" and blanks */
    uint64_t number = digits ? strtoull(word, &end, 10) : 0;
    if (!digits || *end || errno || number < parameter->least || number > parameter->most)
        return false;
    value_put(parameter, field, number);
    return true;
}

static bool value_read_seconds(const struct parameter *parameter, const char *word, void *field) {
    char *end;
    double seconds = strtod(word, &end);
    bool right = end != word && !*end && seconds > 0 && seconds <= (double)parameter->most;
    if (right) *(double *)field = seconds;
    return right;
}

/* False after an error message if there is no room for one more. */
static bool repeated_add(const struct command_reading *reading, const struct parameter *parameter,
                         const char *word) {
    struct repeated *repeated = (void *)(reading->values + parameter->at);
    if (repeated->count == REPEATED_MAX) {
        cli_misuse(reading->command->name, "--%s may be given %d times at most", parameter->name,
                   REPEATED_MAX);
        return false;
    }
    repeated->list[repeated->count++] = word;
    return true;
}

static bool value_read_word(const struct parameter *parameter, char *word, void *field) {
    if (parameter->kind == VALUE_WORD) {
        int index = index_of(parameter->words, word);
        if (index >= 0) value_put(parameter, field, (uint64_t)index);
        return index >= 0;
    }
    if (parameter->type == FIELD_TEXT) *(const char **)field = word;
    return *word;
}

/* The programs that stand for names, as long as the command runs. */
static struct {
    char *list[64];
    int count;
} opened;

static bool names_file(const char *word) {
    struct stat about;
    return !lstat(word, &about);
}

/* Puts the program in the place of a name that is registered (registered.h). False after an error
 * message. */
static bool value_open(const struct parameter *parameter, char **word) {
    struct folders folders;
    struct fault fault = {0};
    const bool file = parameter->kind == VALUE_FILE && names_file(*word);
    if (!parameter->opens || file || opened.count == 64 || !folders_find(&folders, NULL))
        return true;
    char *player = registered_player(&folders, *word, &fault);
    if (player) opened.list[opened.count++] = *word = player;
    if (fault.status != STATUS_OK) cli_fail(&fault);
    return fault.status == STATUS_OK;
}

/* The command of a program that is also the name of a file here was not typed: it stands for a '*',
 * in the folder of somebody who wants the command to be run. False after an error message. */
static bool value_is_typed(const struct command_reading *reading, const struct parameter *parameter,
                           const char *word) {
    const bool player =
        parameter->opens || parameter->kind == VALUE_BOT || parameter->kind == VALUE_PLAYER;
    if (!player || !player_is_program(word) || !names_file(word)) return true;
    cli_misuse(reading->command->name, "\"%s\" is the name of a file: it starts no program", word);
    return false;
}

/* Writes a value to its field. False after an error message. */
static bool value_read(const struct command_reading *reading, const struct parameter *parameter,
                       char *word) {
    void *field = reading->values + parameter->at;
    bool right;
    if (!value_is_typed(reading, parameter, word)) return false;
    switch (parameter->kind) {
    case VALUE_FLAG:
        if (parameter->type == FIELD_BOOL) *(bool *)field = true;
        return true;
    case VALUE_NUMBER:
        right = value_read_number(parameter, word, field);
        break;
    case VALUE_SECONDS:
        right = value_read_seconds(parameter, word, field);
        break;
    case VALUE_SEED:
        right = seed_give(word, parameter->most);
        break;
    default:
        right = value_read_word(parameter, word, field);
        if (right && parameter->most && strlen(word) > parameter->most) {
            cli_misuse(reading->command->name, "%s%s is too long (bytes: %zu, at most %" PRIu64 ")",
                       parameter->name ? "--" : "",
                       parameter->name ? parameter->name : parameter->argument, strlen(word),
                       parameter->most);
            return false;
        }
    }
    if (!right) return value_refuse(reading->command, parameter, word);
    return parameter->type != FIELD_REPEATED || repeated_add(reading, parameter, word);
}

static void complain_unknown(const struct command_reading *reading, const char *word) {
    char name[OPTION_NAME_MAX], known[OPTION_NAME_MAX], text[EXPECTED_MAX];
    struct fault fault = {0};
    snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "="), word);
    struct word_guess guess = word_guess_for(name);
    for (const struct option *option = reading->longs; option->name; option++) {
        snprintf(known, sizeof known, "--%s", option->name);
        word_offer(&guess, known);
    }
    fault_set(&fault, STATUS_USAGE, "unknown option \"%s\"", name);
    word_suggest(&guess, &fault);
    language_fault(cli_tongue(), &fault, text, sizeof text);
    cli_misuse(reading->command->name, "%s", text);
}

/* The next option's number, -1 after the last, -2 after an error message. */
static int next_option(const struct command_reading *reading, int argc, char **argv) {
    const char *name = reading->command->name;
    char text[EXPECTED_MAX];
    int current = optind ? optind : 1;
    int found = getopt_long(argc, argv, reading->letters, reading->longs, NULL);
    if (found != '?' && found != ':') return found == -1 ? -1 : option_of(reading, found);
    /* optind is past a long option, but not yet past a letter that others follow. */
    const char *word = argv[optind > current ? optind - 1 : current];
    bool is_long = !strncmp(word, "--", 2);
    if (found == ':') {
        value_expected(command_option(reading->command, option_of(reading, optopt)), text);
        cli_misuse(name, "option \"%s\" needs a value: %s", argv[optind - 1], text);
    } else if (optopt && !is_long) {
        cli_misuse(name, "unknown option \"-%c\"", optopt);
    } else if (optopt) {
        cli_misuse(name, "option \"%s\" takes no value", word);
    } else {
        complain_unknown(reading, word);
    }
    return -2;
}

/* Replaces --seed and whatever else is not kept, with its value, in the arguments. */
static char no_word[] = "";

bool command_keeps(const char *word) {
    return word != no_word;
}

/* Drops the option just read, and its value, from the arguments. */
static void drop_option(char **argv) {
    int last = optind - 1;
    if (argv[last] == optarg) argv[last - 1] = no_word;
    argv[last] = no_word;
}

/* False after an error message for an option that has its value already. */
static bool option_is_new(const struct command_reading *reading, int number) {
    const struct parameter *option = command_option(reading->command, number);
    if (!reading->given[number] || option->type == FIELD_REPEATED) return true;
    cli_misuse(reading->command->name, "--%s is given twice", option->name);
    return false;
}

static bool option_is_given(const struct command_reading *reading, const char *name) {
    const struct parameter *option;
    for (int i = 0; (option = command_option(reading->command, i)); i++)
        if (reading->given[i] && !strcmp(option->name, name)) return true;
    return false;
}

static bool options_fit_together(const struct command_reading *reading) {
    const struct command *command = reading->command;
    const struct parameter *option;
    for (int i = 0; (option = command_option(command, i)); i++) {
        const char *excluded = option->excludes, *needed = option->needs;
        if (!reading->given[i]) continue;
        if (excluded && option_is_given(reading, excluded)) {
            cli_misuse(command->name, "--%s and --%s do not go together", excluded, option->name);
            return false;
        }
        if (needed && !option_is_given(reading, needed)) {
            cli_misuse(command->name, "--%s goes with --%s only", option->name, needed);
            return false;
        }
    }
    return true;
}

static bool read_arguments(const struct command_reading *reading, char **words, int count) {
    const struct command *command = reading->command;
    int next = 0;
    for (int i = 0; i < ARGUMENTS_MAX; i++) {
        const struct parameter *argument = &command->arguments[i];
        char text[EXPECTED_MAX];
        if (next >= count && argument->needed) {
            cli_misuse(command->name, "%s is expected", value_expected(argument, text));
            return false;
        }
        if (argument->many) {
            const struct arguments rest = {words + next, count - next};
            memcpy(reading->values + argument->at, &rest, sizeof rest);
        }
        bool exists = argument->argument || argument->words;
        for (int taken = 0; exists && next < count && (!taken || argument->many); taken++)
            if (!value_open(argument, &words[next]) ||
                !value_read(reading, argument, words[next++]))
                return false;
    }
    if (next < count) cli_misuse(command->name, "unexpected argument \"%s\"", words[next]);
    return next >= count;
}

/* Chooses the language of --lang, if it is given. False after an error message. */
static bool speak(const struct command *command, const void *values, int *exit_code) {
    const struct parameter *option;
    for (int i = 0; (option = command_option(command, i)); i++) {
        if (option->kind != VALUE_LANGUAGE) continue;
        const char *word = *(const char *const *)(const void *)((const char *)values + option->at);
        return !word || cli_speak(word, exit_code);
    }
    return true;
}

bool command_read(const struct command *command, int argc, char **argv, void *values,
                  int *exit_code) {
    struct command_reading reading;
    reading_begin(&reading, command, values);
    memcpy(values, command->defaults, command->size);
    *exit_code = EXIT_USAGE;
    optind = opterr = 0;
    for (int number; (number = next_option(&reading, argc, argv)) != -1;) {
        const struct parameter *option = number < 0 ? NULL : command_option(command, number);
        if (option == &OPTION_HELP) {
            if (!speak(command, values, exit_code)) return false;
            command_page(stdout, command);
            *exit_code = EXIT_DONE;
            return false;
        }
        char *word = optarg;
        if (!option || !option_is_new(&reading, number) || !value_open(option, &word) ||
            !value_read(&reading, option, word))
            return false;
        if (option->kind == VALUE_SEED || option->unkept) drop_option(argv);
        reading.given[number] = true;
    }
    const struct arguments typed = {argv, argc};
    if (command->typed) memcpy(reading.values + command->typed, &typed, sizeof typed);
    bool right =
        options_fit_together(&reading) && read_arguments(&reading, argv + optind, argc - optind);
    if (right) *exit_code = EXIT_DONE;
    return right;
}

int command_run(const struct command *command, int argc, char **argv) {
    int code;
    void *values = malloc(command->size);
    if (!values) {
        struct fault fault = {0};
        fault_set(&fault, STATUS_NO_MEMORY, "out of memory");
        return cli_fail(&fault);
    }
    if (command_read(command, argc, argv, values, &code) && speak(command, values, &code)) {
        cli_tongue(); /* loaded before there are threads */
        code = command->run(values);
    }
    free(values);
    while (opened.count) free(opened.list[--opened.count]);
    return code;
}
