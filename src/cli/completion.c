/* completion.c - the words that may come next, for the shells (src/package/completion.*).
 *
 * A shell gives the words before the one that is typed, and chooses among what is printed; so the
 * names are those of the moment, and a new option needs nothing in a script. Nothing is loaded. */
#include "base/words.h"
#include "host/bundle/installed.h"
#include "manual.h"

#include <string.h>

static void print_word(FILE *out, const char *word, const char *means) {
    fprintf(out, "%s%s%s\n", word, means ? "\t" : "",
            means ? language_text(cli_tongue(), means) : "");
}

/* Shells put the words into a command line as they are. A folder that was unpacked here may hold
 * files named as commands or options. */
static void print_name(void *context, const char *name, const char *path) {
    (void)path;
    if (word_is_name(name)) print_word(context, name, NULL);
}

static void print_names(FILE *out, enum folder_sort sort) {
    struct folders folders;
    if (folders_find(&folders, NULL)) folders_list(&folders, sort, print_name, out);
}

static void print_bundle(void *context, const json_t *about) {
    print_name(context, json_string_value(json_object_get(about, "name")), NULL);
}

static void print_bundles(FILE *out) {
    struct folders folders;
    if (folders_find(&folders, NULL)) installed_list(&folders, print_bundle, out);
}

static void print_commands(FILE *out) {
    for (int i = 0; COMMANDS[i]; i++) print_word(out, COMMANDS[i]->name, COMMANDS[i]->summary);
}

/* The values of an option or argument. */
static void print_values(FILE *out, const struct parameter *parameter) {
    for (int i = 0; parameter->words && parameter->words[i]; i++)
        print_word(out, parameter->words[i], NULL);
    switch (parameter->kind) {
    case VALUE_PLAYER:
    case VALUE_BOT:
        if (parameter->kind == VALUE_PLAYER) print_word(out, "human", NULL);
        print_names(out, FOLDER_BOTS);
        if (parameter->opens) print_names(out, FOLDER_PROGRAMS);
        break;
    case VALUE_VARIANT:
    case VALUE_GAME:
        print_names(out, FOLDER_VARIANTS);
        break;
    case VALUE_SETUP:
        print_word(out, "random", NULL);
        print_names(out, FOLDER_SETUPS);
        break;
    case VALUE_LANGUAGE:
        print_word(out, "en", NULL);
        print_names(out, FOLDER_LANGUAGES);
        break;
    case VALUE_COMMAND:
        print_commands(out);
        break;
    case VALUE_BUNDLE:
        print_bundles(out);
        return;
    case VALUE_FOLDER:
        fputs(":folders\n", out);
        return;
    case VALUE_FLAG:
    case VALUE_NUMBER:
    case VALUE_SECONDS:
    case VALUE_WORD:
    case VALUE_SEED:
    case VALUE_TEXT:
    case VALUE_MOVE:
    case VALUE_KINDS:
        return;
    case VALUE_FILE:
    case VALUE_PATH:
    case VALUE_SCRIPT:
    case VALUE_RECORD:
        break;
    }
    if (parameter->kind != VALUE_COMMAND && parameter->kind != VALUE_LANGUAGE)
        fputs(":files\n", out);
}

static const struct command *find_command(const char *name) {
    for (int i = 0; COMMANDS[i]; i++)
        if (!strcmp(name, COMMANDS[i]->name)) return COMMANDS[i];
    return NULL;
}

/* The option that a word is, with or without "=VALUE"; NULL if it is none. */
static const struct parameter *find_option(const struct command *command, const char *word) {
    const struct parameter *option;
    for (int i = 0; (option = command_option(command, i)); i++) {
        const size_t length = strlen(option->name);
        if (word[0] != '-') return NULL;
        if (word[1] == option->letter && option->letter && !word[2]) return option;
        if (word[1] == '-' && !strncmp(word + 2, option->name, length) &&
            (!word[2 + length] || word[2 + length] == '='))
            return option;
    }
    return NULL;
}

void completion_print(FILE *out, const struct arguments *typed) {
    if (!typed->count) {
        print_commands(out);
        fputs("--help\n--version\n", out);
        return;
    }
    const struct command *command = find_command(typed->list[0]);
    if (!command) return;
    uint64_t given = 0; /* options, by number */
    int arguments = 0;
    for (int i = 1; i < typed->count; i++) {
        const char *word = typed->list[i];
        const struct parameter *option = find_option(command, word);
        if (!option) {
            arguments++;
            continue;
        }
        for (int number = 0; command_option(command, number); number++)
            if (command_option(command, number) == option && option->type != FIELD_REPEATED)
                given |= UINT64_C(1) << number;
        if (option->kind == VALUE_FLAG || strchr(word, '=')) continue;
        const bool divided = i + 1 < typed->count && !strcmp(typed->list[i + 1], "="); /* by bash */
        if (divided) i++;
        if (++i == typed->count) {
            print_values(out, option);
            return;
        }
    }
    for (int i = 0, taken = 0; i < ARGUMENTS_MAX; i++, taken++) {
        const struct parameter *argument = &command->arguments[i];
        if (!argument->argument && !argument->words) break;
        if (arguments == taken || argument->many) {
            print_values(out, argument);
            break;
        }
    }
    for (int i = 0; command_option(command, i); i++) {
        const struct parameter *option = command_option(command, i);
        char word[COMMAND_HEAD_MAX];
        snprintf(word, sizeof word, "--%s", option->name);
        if (!(given >> i & 1)) print_word(out, word, option->help);
    }
}
