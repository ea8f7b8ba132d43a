/* command.h - a command as data: its name, what it takes, where that goes, and the function to run.
 *
 * The file of a command holds a plain struct of values, one struct command and the function that
 * runs it. The parser, the usage errors and the help page (help.h) come from that table, so an
 * option is described once. Words are parsed by getopt_long(); the complaints are our own. */
#ifndef ENSIGN_CLI_COMMAND_H
#define ENSIGN_CLI_COMMAND_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a value is. The texts differ in how they are completed and in the noun of a complaint. */
enum value_kind {
    VALUE_FLAG,    /* an option without a value */
    VALUE_NUMBER,  /* `least` to `most`; or a word of `words`, the first of which is most + 1 */
    VALUE_SECONDS, /* above 0, at most `most`; may have a fraction */
    VALUE_WORD,    /* one of `words`: its index */
    VALUE_SEED,    /* 0 to `most`, secret: it goes to host/seed.h and is wiped from the arguments */
    VALUE_TEXT,
    VALUE_FILE,
    VALUE_FOLDER,
    VALUE_PATH, /* a file or a folder */
    VALUE_SCRIPT,
    VALUE_RECORD,
    VALUE_VARIANT,
    VALUE_GAME, /* a variant or a record */
    VALUE_BOT,
    VALUE_PLAYER,
    VALUE_SETUP,
    VALUE_LANGUAGE,
    VALUE_MOVE,
    VALUE_COMMAND,
    VALUE_KINDS
};

/* Words of the command line, which belong to it. */
struct arguments {
    char **list;
    int count;
};

/* The type of the field that a value is written to. */
enum field_type {
    FIELD_NONE, /* the value is checked and not kept */
    FIELD_BOOL,
    FIELD_INT,
    FIELD_UINT64,
    FIELD_DOUBLE,
    FIELD_TEXT, /* the word itself */
    FIELD_LIST
};

/* An option, or an argument that is known by its place. */
struct parameter {
    const char *name;     /* "games" of --games; NULL: an argument */
    char letter;          /* 'n' of -n; 0: none */
    const char *argument; /* stands for the value: "GAMES"; NULL: none, or one of the words */
    enum value_kind kind;
    size_t at; /* the field of the command's values, and its type: INTO() */
    enum field_type type;
    const char *help; /* of an argument: what is expected, "a match's folder or a record" */

    uint64_t least, most;     /* of a number; the bytes of a text, where it has a limit */
    const char *const *words; /* up to a NULL */
    const char *excludes;     /* name of an option that it cannot be combined with */
    bool needed, many;        /* of an argument; many go on to the last word */
};

/* Where a value goes: a field of struct COMMAND_values, whose type the compiler tells. */
#define INTO(command, field)                                                                       \
    .at = offsetof(struct command##_values, field),                                                \
    .type = _Generic(((struct command##_values *)0)->field,                                        \
        bool: FIELD_BOOL,                                                                          \
        int: FIELD_INT,                                                                            \
        uint32_t: FIELD_INT,                                                                       \
        uint64_t: FIELD_UINT64,                                                                    \
        double: FIELD_DOUBLE,                                                                      \
        const char *: FIELD_TEXT,                                                                  \
        struct arguments: FIELD_LIST)

/* Options that several commands have, behind which INTO() comes, and a help where there is none. */
#define OPTION_DEADLINE                                                                            \
    .name = "deadline", .argument = "MS", .kind = VALUE_NUMBER, .least = 1, .most = INT_MAX,       \
    .help = "milliseconds that a bot or program has for an answer"
#define OPTION_JSON .name = "json", .help = "print one JSON document"
#define OPTION_LANG                                                                                \
    .name = "lang", .argument = "TAG", .kind = VALUE_LANGUAGE,                                     \
    .help = "en, bg, uk, hr, es, ru, or a language of your own (else the locale's)"
#define OPTION_SEED .name = "seed", .argument = "N", .kind = VALUE_NUMBER, .most = UINT64_MAX
#define OPTION_SEED_SECRET                                                                         \
    .name = "seed", .argument = "N", .kind = VALUE_SEED, .most = UINT64_MAX,                       \
    .help = "the same seed gives the same chance (by chance)"
#define OPTION_TRUST                                                                               \
    .name = "trust", .help = "run bots in this process, not each in a locked one of its own"
#define OPTION_VARIANT                                                                             \
    .name = "variant", .letter = 'v', .argument = "VARIANT", .kind = VALUE_VARIANT

enum { SYNOPSIS_MAX = 3, NOTES_MAX = 3, ARGUMENTS_MAX = 2, OPTIONS_MAX = 24 };

struct command {
    const char *name;
    const char *summary;                /* for the list of commands, one line */
    const char *synopsis[SYNOPSIS_MAX]; /* without "ensign NAME" */
    const char *prose;
    struct parameter arguments[ARGUMENTS_MAX];
    struct parameter options[OPTIONS_MAX]; /* without --help, which every command has */
    const char *notes[NOTES_MAX];          /* paragraphs behind the options */
    const void *defaults;                  /* the values before anything is read */
    size_t size;                           /* of the values */
    size_t typed; /* of a command that keeps its words: offset of a struct arguments that gets all
                     of them, its name first */
    int (*run)(const void *values); /* returns the exit code */
};

/* A command of that name with run_NAME() and struct NAME_values, and some defaults of the values.
 */
#define COMMAND(command, ...)                                                                      \
    .name = #command, .defaults = &(const struct command##_values){__VA_ARGS__},                   \
    .size = sizeof(struct command##_values), .run = run_##command

/* A command's option by its number; --help is the last one, behind it is NULL. */
const struct parameter *command_option(const struct command *command, int number);

/* Reads the arguments, of which the first is the command's name, into `values`. False if nothing is
 * left to do: help was printed (EXIT_DONE), or a complaint (EXIT_USAGE). */
bool command_read(const struct command *command, int argc, char **argv, void *values,
                  int *exit_code);

/* Is a word of the arguments still there? A secret seed and its option are not. */
bool command_keeps(const char *word);

/* Reads the arguments and runs the command; the exit code. */
int command_run(const struct command *command, int argc, char **argv);

#endif
