/* new.c - `ensign new`: writes a working file to start from.
 *
 * A new variant is loaded once before it is written; an existing file is never overwritten. */
#include "base/files.h"
#include "base/words.h"
#include "command.h"
#include "host/starter.h"
#include "jail/loader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SORT_VARIANT, SORT_BOT, SORT_SETUP };
static const char *const SORTS[] = {"variant", "bot", "setup", NULL};
static const char SORTS_EXPECTED[] = "\"variant\", \"bot\" or \"setup\"";

struct new_values {
    int sort;
    const char *name;
    const char *from, *variant; /* NULL: not given */
    uint64_t seed;              /* UINT64_MAX: not given */
};

static int run_new(const void *values);
const struct command command_new = {
    COMMAND(new, .sort = -1, .seed = UINT64_MAX),
    .summary = "write a commented file to start from: a variant, a bot, a set-up",
    .synopsis = {"variant NAME [--from VARIANT]", "bot NAME", "setup NAME [-v VARIANT] [--seed N]"},
    .prose =
        "Writes a short commented file to start from, in the current folder: variants/NAME.lua, "
        "bots/NAME.lua or variants/setups/NAME.txt. An existing file is never overwritten. "
        "Asks at a terminal for what is left out.",
    .arguments = {{NULL, 0, NULL, VALUE_WORD, INTO(new, sort), .words = SORTS},
                  {NULL, 0, "NAME", VALUE_TEXT, INTO(new, name),
                   "a name that begins with a small letter"}},
    .options =
        {
            {"from", 0, "VARIANT", VALUE_VARIANT, INTO(new, from),
             "variant that the new one extends (default duel)"},
            {OPTION_VARIANT, INTO(new, variant), "variant of the new set-up (default original)"},
            {"seed", 0, "N", VALUE_NUMBER, INTO(new, seed),
             "seed of the random army in the new set-up (default 1)", .most = UINT64_MAX - 1},
        },
};

enum { COMMAND_MAX = 1200, READ_MAX = 80 };

struct new_file {
    const struct folders *folders;
    const char *name; /* of the variant, bot or set-up */
    char path[FOLDER_PATH_MAX];
};

/* Writes the file and prints two commands to try with it. */
static int write_file(const struct new_file *file, const char *text, const char *first,
                      const char *second) {
    struct fault fault = {0};
    if (!files_folders(file->path, SIZE_MAX, &fault) ||
        !files_write_new(file->path, text, strlen(text), 0, &fault))
        return cli_fail(&fault);
    language_line(stdout, cli_tongue(), "wrote {1}; open it in an editor, then type", file->path);
    printf("  %s %s\n  %s %s\n", cli_program, first, cli_program, second);
    return EXIT_DONE;
}

static int new_variant(struct new_file *file, const char *base) {
    int code;
    struct fault fault = {0};
    char check[COMMAND_MAX], watch[COMMAND_MAX];
    snprintf(check, sizeof check, "check %s", file->path);
    snprintf(watch, sizeof watch, "watch %s", file->path);
    struct rules *rules = cli_variant(file->folders, base, &code);
    if (!rules) return code;
    char *text = starter_variant(file->folders, file->name, rules, base, &fault);
    rules_free(rules);
    rules =
        text ? loader_variant_text(file->folders, file->path, text, strlen(text), &fault) : NULL;
    code = rules ? write_file(file, text, check, watch) : cli_fail(&fault);
    rules_free(rules);
    free(text);
    return code;
}

static int new_bot(struct new_file *file) {
    struct fault fault = {0};
    char check[COMMAND_MAX], match[COMMAND_MAX];
    snprintf(check, sizeof check, "check %s", file->path);
    snprintf(match, sizeof match, "match %s rookie -v duel -n 100", file->name);
    char *text = starter_bot(file->folders, file->name, &fault);
    int code = text ? write_file(file, text, check, match) : cli_fail(&fault);
    free(text);
    return code;
}

static int new_setup(struct new_file *file, const char *variant, uint64_t seed) {
    int code;
    struct fault fault = {0};
    struct rules *rules = cli_variant(file->folders, variant, &code);
    if (!rules) return code;
    char *text = starter_setup(file->folders, file->name, rules, variant, seed, &fault);
    char check[COMMAND_MAX], play[COMMAND_MAX];
    snprintf(check, sizeof check, "check %s -v %s", file->path, variant);
    snprintf(play, sizeof play, "play %s --setup %s", variant, file->name);
    code = text ? write_file(file, text, check, play) : cli_fail(&fault);
    free(text);
    rules_free(rules);
    return code;
}

/* Names become file names and words of commands. */
static bool take_name(struct new_file *file, const char *name) {
    file->name = name;
    if (word_is_new_name(name)) return true;
    cli_misuse("new",
               "\"%s\": a name begins with a small letter and has small letters, digits, '-' "
               "and '_', at most %d in all",
               name, WORD_MAX - 1);
    return false;
}

/* The place of each sort of file. */
static const struct {
    const char *folder, *ending;
    enum folder_sort sort;
} PLACES[] = {
    [SORT_VARIANT] = {"variants", ".lua", FOLDER_VARIANTS},
    [SORT_BOT] = {"bots", ".lua", FOLDER_BOTS},
    [SORT_SETUP] = {"variants/setups", ".txt", FOLDER_SETUPS},
};

/* False if the name is taken anywhere on the search path: the new file would hide the old one. */
static bool is_new(const struct new_file *file, int sort) {
    char path[FOLDER_PATH_MAX];
    struct fault none;
    if (!folders_resolve(file->folders, PLACES[sort].sort, file->name, path, &none)) return true;
    cli_misuse("new", "\"%s\" exists already: %s", file->name, path);
    return false;
}

static int make_file(struct new_file *file, const struct new_values *asked) {
    snprintf(file->path, sizeof file->path, "%s/%s%s", PLACES[asked->sort].folder, file->name,
             PLACES[asked->sort].ending);
    if (!is_new(file, asked->sort)) return EXIT_USAGE;
    switch (asked->sort) {
    case SORT_VARIANT:
        return new_variant(file, asked->from ? asked->from : "duel");
    case SORT_BOT:
        return new_bot(file);
    default:
        return new_setup(file, asked->variant ? asked->variant : "original",
                         asked->seed != UINT64_MAX ? asked->seed : 1);
    }
}

/* Each option belongs to one sort. */
static bool options_fit(const struct new_values *asked) {
    bool seed = asked->seed != UINT64_MAX;
    const char *wrong = asked->from && asked->sort != SORT_VARIANT ? "--from goes with a variant"
                        : asked->variant && asked->sort != SORT_SETUP
                            ? "--variant goes with a setup"
                        : seed && asked->sort != SORT_SETUP ? "--seed goes with a setup"
                                                            : NULL;
    if (wrong) cli_misuse("new", "%s", wrong);
    return !wrong;
}

/* Asks at the terminal for a line; false without one. */
static bool ask_line(const char *question, char *line, size_t size) {
    fprintf(stderr, "%s ", language_text(cli_tongue(), question));
    fflush(stderr);
    if (!fgets(line, (int)size, stdin)) return false;
    line[strcspn(line, "\r\n")] = 0;
    return true;
}

/* Asks for what was left out; `name` keeps the name. False after an error message. */
static bool ask_rest(struct new_values *asked, char name[READ_MAX]) {
    const bool asks = isatty(STDIN_FILENO) && isatty(STDERR_FILENO);
    char sort[READ_MAX];
    while (asks && asked->sort < 0 &&
           ask_line(TEXT("What do you want to begin: variant, bot or setup?"), sort, sizeof sort))
        for (int i = 0; SORTS[i]; i++)
            if (!strcmp(SORTS[i], sort)) asked->sort = i;
    if (asked->sort < 0) {
        cli_misuse("new", "%s is expected", SORTS_EXPECTED);
        return false;
    }
    while (asks && (!asked->name || !word_is_new_name(asked->name)) &&
           ask_line(TEXT("Its name (a small letter, then small letters, digits, - and _):"), name,
                    READ_MAX))
        asked->name = name;
    if (!asked->name)
        cli_misuse("new", "%s is expected",
                   language_text(cli_tongue(), TEXT("a name that begins with a small letter")));
    return asked->name;
}

static int run_new(const void *values) {
    struct new_values given = *(const struct new_values *)values, *asked = &given;
    const char *from = asked->from;
    char name[READ_MAX];
    struct folders folders;
    struct new_file file = {.folders = &folders};
    if (from && (strchr(from, '/') || strchr(from, '.')))
        return cli_misuse("new", "--from takes the name of a variant, not the path \"%s\"", from);
    if ((asked->sort < 0 || !asked->name) && !ask_rest(asked, name)) return EXIT_USAGE;
    if (!options_fit(asked) || !take_name(&file, asked->name)) return EXIT_USAGE;
    if (!cli_folders(&folders)) return EXIT_HOST;
    return make_file(&file, asked);
}
