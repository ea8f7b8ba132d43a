/* command.h - a command as data: its name, its arguments and options, and the function to run.
 *
 * The file of a command holds a struct of values, one struct command and the function that runs it.
 * The parser, the usage errors and the help page come from that table, so an option is
 * described once. getopt_long() parses the words; the error messages are our own. */
#ifndef ENSIGN_CLI_COMMAND_H
#define ENSIGN_CLI_COMMAND_H

#include "cli.h"

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The kind of a value. Kinds of text differ in completion and in the noun of an error message. */
enum value_kind {
    VALUE_FLAG,    /* an option without a value */
    VALUE_NUMBER,  /* `least` to `most`; or a word of `words`, the first of which is most + 1 */
    VALUE_SECONDS, /* above 0, at most `most`; may have a fraction */
    VALUE_WORD,    /* one of `words`: its index */
    VALUE_SEED,    /* 0 to `most`, secret: passed to host/seed.h and wiped from the arguments */
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
    VALUE_BUNDLE, /* an installed one */
    VALUE_KINDS
};

/* Words of the command line, which owns them. */
struct arguments {
    char **list;
    int count;
};

enum { REPEATED_MAX = 8 };

/* The values of an option that may be given several times, in order. */
struct repeated {
    const char *list[REPEATED_MAX];
    int count;
};

/* The type of the field that receives a value. */
enum field_type {
    FIELD_NONE, /* the value is checked and dropped */
    FIELD_BOOL,
    FIELD_INT,
    FIELD_UINT64,
    FIELD_DOUBLE,
    FIELD_TEXT, /* the word itself */
    FIELD_REPEATED,
    FIELD_LIST
};

/* An option, or an argument known by its position. */
struct parameter {
    const char *name;     /* "games" of --games; NULL: an argument */
    char letter;          /* 'n' of -n; 0: none */
    const char *argument; /* placeholder of the value: "GAMES"; NULL: none, or one of `words` */
    enum value_kind kind;
    size_t at; /* the field of the command's values, and its type: INTO() */
    enum field_type type;
    const char *help; /* of an argument: the expected value, "a match's folder or a record" */

    uint64_t least, most;     /* range of a number; `most`: bytes of a text, 0: no limit */
    const char *const *words; /* ends with NULL */
    const char *excludes;     /* name of the option it cannot be combined with */
    const char *needs;        /* name of the one without which it says nothing */
    bool needed, many;        /* of an argument; `many` takes all remaining words */
    bool opens;               /* a player: the name of a registered program stands for it */
    bool unkept;              /* the words typed are kept without this option and its value */
};

/* The field of struct COMMAND_values that receives a value, and its type. */
#define INTO(command, field)                                                                       \
    .at = offsetof(struct command##_values, field),                                                \
    .type = _Generic(((struct command##_values *)0)->field,                                        \
        bool: FIELD_BOOL,                                                                          \
        int: FIELD_INT,                                                                            \
        uint32_t: FIELD_INT,                                                                       \
        uint64_t: FIELD_UINT64,                                                                    \
        double: FIELD_DOUBLE,                                                                      \
        const char *: FIELD_TEXT,                                                                  \
        struct repeated: FIELD_REPEATED,                                                           \
        struct arguments: FIELD_LIST)

/* Options of several commands; INTO() follows, and a help text where none is given here. */
#define OPTION_DEADLINE                                                                            \
    .name = "deadline", .argument = "MS", .kind = VALUE_NUMBER, .least = 1, .most = INT_MAX,       \
    .help = TEXT("time limit for each answer of a bot or program, in milliseconds")
#define OPTION_FRESH                                                                               \
    .name = "fresh", .help = TEXT("each external program runs in a new empty folder for each game")
#define OPTION_WALL                                                                                \
    .name = "wall",                                                                                \
    .help = TEXT(                                                                                  \
        "external programs are locked up: no network, no other processes, no files outside a "     \
        "fresh folder (see src/jail/README.md)")
#define OPTION_JSON .name = "json", .help = TEXT("print one JSON document")
/* command_run() chooses the language. */
#define OPTION_LANG                                                                                \
    .name = "lang", .argument = "TAG", .kind = VALUE_LANGUAGE,                                     \
    .help = TEXT("language: en, bg, uk, hr, es, ru or one of your own (default: the locale's)")
#define OPTION_SEED .name = "seed", .argument = "N", .kind = VALUE_NUMBER, .most = UINT64_MAX
#define OPTION_SEED_SECRET                                                                         \
    .name = "seed", .argument = "N", .kind = VALUE_SEED, .most = UINT64_MAX,                       \
    .help = TEXT("seed of everything random; the same seed repeats it (default: a new seed)")
#define OPTION_TRUST                                                                               \
    .name = "trust", .help = TEXT("run bots in this process instead of a locked process for each")
#define OPTION_CREDS                                                                               \
    .name = "creds", .argument = "FILE", .kind = VALUE_FILE, .unkept = true,                       \
    .help = TEXT("credentials for the NATS server")
#define OPTION_KEY                                                                                 \
    .name = "key", .argument = "FILE", .kind = VALUE_FILE, .unkept = true,                         \
    .help = TEXT("a secret that match and workers share: neither deals with others")
#define OPTION_VARIANT                                                                             \
    .name = "variant", .letter = 'v', .argument = "VARIANT", .kind = VALUE_VARIANT

enum { SYNOPSIS_MAX = 3, NOTES_MAX = 3, ARGUMENTS_MAX = 2, OPTIONS_MAX = 28 };

struct command {
    const char *name;
    const char *summary;                /* one line of the list of commands */
    const char *synopsis[SYNOPSIS_MAX]; /* without "ensign NAME" */
    const char *prose;
    struct parameter arguments[ARGUMENTS_MAX];
    struct parameter options[OPTIONS_MAX]; /* --help is added to every command */
    const char *notes[NOTES_MAX];          /* paragraphs after the options */
    const void *defaults;                  /* initial values */
    size_t size;                           /* of the values */
    size_t typed; /* offset of a struct arguments that receives all words, the command's name first;
                     0: none */
    int (*run)(const void *values); /* returns the exit code */
};

/* The command of that name, with run_NAME(), struct NAME_values and initial values. */
#define COMMAND(command, ...)                                                                      \
    .name = #command, .defaults = &(const struct command##_values){__VA_ARGS__},                   \
    .size = sizeof(struct command##_values), .run = run_##command

extern const struct command command_analyse, command_bench, command_check, command_export,
    command_games, command_get, command_help, command_import, command_learn, command_list,
    command_match, command_moves, command_new, command_pack, command_play, command_remove,
    command_replay, command_report, command_serve, command_selfplay, command_setups, command_show,
    command_trace, command_watch, command_worker, command_workers;

/* All of them in the order of the overview (help.c); ends with NULL. */
extern const struct command *const COMMANDS[];

/* A command's option by number; --help is the last, then NULL. */
const struct parameter *command_option(const struct command *command, int number);

/* Reads the arguments, the command's name first, into `values`. False after printing the help
 * (EXIT_DONE) or an error (EXIT_USAGE). */
bool command_read(const struct command *command, int argc, char **argv, void *values,
                  int *exit_code);

enum { HELP_COLUMNS = 100, COMMAND_HEAD_MAX = 80, COMMAND_OPTION_MAX = LANGUAGE_TEXT_MAX + 160 };

/* An option as the help page shows it: "  -n, --games GAMES"; what it means, with its default and
 * range. */
void command_option_head(const struct parameter *option, char head[COMMAND_HEAD_MAX]);
void command_option_text(const struct command *command, const struct parameter *option,
                         char text[COMMAND_OPTION_MAX]);

/* Prints the command's help page in lines of at most HELP_COLUMNS. */
void command_page(FILE *out, const struct command *command);

/* False for a word that was wiped: a secret seed or its option. */
bool command_keeps(const char *word);

/* Reads the arguments and runs the command. Returns the exit code. */
int command_run(const struct command *command, int argc, char **argv);

#endif
