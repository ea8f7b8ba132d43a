/* cli.h - the commands of the program, and the helpers they share.
 *
 * One file a command (command.h). A command writes its results to standard output and everything
 * else to standard error, and returns the exit code: EXIT_DONE, EXIT_SHORT, EXIT_USAGE or
 * EXIT_HOST. */
#ifndef ENSIGN_CLI_CLI_H
#define ENSIGN_CLI_CLI_H

#include "core/rules/rules.h"
#include "host/player_process.h"
#include "lua/language.h"
#include "variant/script_kind.h"

#include <jansson.h>
#include <stdio.h>

struct faults; /* base/fault.h */

enum {
    EXIT_DONE = 0,  /* done */
    EXIT_SHORT = 1, /* a check failed, or a game was forfeited or broken off */
    EXIT_USAGE = 2, /* wrong use */
    EXIT_HOST = 3   /* the host itself failed */
};

/* The word that started the program, for suggested commands: "./run". As a shell reads it. */
extern const char *cli_program;
void cli_name_program(const char *word); /* once; without memory it stays "ensign" */

/* Writes a word as a shell reads it: in quotes if it needs them. */
void cli_print_word(FILE *out, const char *word);

/* Prints a line and ends it. Control characters from names and paths, newlines included, are made
 * safe (base/utf8.h). */
void cli_line(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Adds a value to a list. Without memory (for `value` or here) `*list` becomes NULL, which
 * cli_json() reports. A NULL list stays NULL. */
void cli_json_add(json_t **list, json_t *value);

/* Prints a document and frees it. EXIT_DONE, or EXIT_HOST after an error (NULL: no memory). */
int cli_json(json_t *document, size_t flags);

/* Prints the script's lines around a fault, numbered: up to two before and after the fault's line,
 * which is marked '>'. Prints nothing if the fault has no line, is not a script's, or its file
 * cannot be read. */
void cli_excerpt(FILE *out, const struct fault *fault);

/* The same of any fault in a .lua file, with a '^' below its column, if it has one. */
void cli_excerpt_lines(FILE *out, const struct fault *fault);

/* Prints "ensign: file:line:column: text" to standard error, translated, and returns the exit code
 * of the fault's status. */
int cli_fail(const struct fault *fault);

/* A series of faults: the first COMPLAINTS_SHOWN are printed, the others counted. */
enum { COMPLAINTS_SHOWN = 20 };
struct complaints {
    size_t count;
};

/* cli_fail() for one fault of a series; returns its exit code, printed or not. */
int cli_complain(struct complaints *complaints, const struct fault *fault);

/* Prints how many faults were left out, if any, and starts a new series. */
void cli_complained(struct complaints *complaints);

/* Prints the first COMPLAINTS_SHOWN remarks to standard error, each with the page that explains it,
 * and the number of the others. */
void cli_remarks(const struct faults *faults);

/* Prints "ensign COMMAND: text" and the help command to standard error, translated; returns
 * EXIT_USAGE. */
int cli_misuse(const char *command, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Prints that a command needs a part (ENSIGN_…) that this program was built without; returns
 * EXIT_HOST. */
int cli_lacks(const char *command, const char *part);

/* Singular or plural noun for the number: "1 game", "0 games". For texts in English only. */
const char *cli_noun(uint64_t number, const char *one, const char *many);

/* Finds the folders. False after printing the fault (exit code EXIT_HOST). */
bool cli_folders(struct folders *folders);

/* Loads a variant by name or path. NULL after printing the fault, with `*exit_code` set: EXIT_USAGE
 * for a missing variant, EXIT_SHORT for a broken one. */
struct rules *cli_variant(const struct folders *folders, const char *name, int *exit_code);

/* The language of all that is printed for people: of --lang, else of LC_ALL, LC_MESSAGES or LANG,
 * which may name a missing or a broken one. NULL is English. It lives as long as the program. The
 * first call loads it, and comes before there are threads. */
const struct language *cli_tongue(void);

/* Chooses the language of --lang. False after printing the fault, with `*exit_code` set. */
bool cli_speak(const char *wanted, int *exit_code);

/* Warning that bots run without a filter of system calls; NULL where the system has one. */
const char *cli_cage_warning(void);

/* What to say where a player of that name may lose by repetition rules that it does not know; NULL:
 * nothing. */
const char *cli_repetition_hint(const char *player, const struct rules *rules);

/* The bot for an analysis: `asked`, or without one the strongest that says how its chances stand.
 * False after printing the fault, with `*exit_code` set. */
bool cli_appraiser(const struct folders *folders, const char *asked, char name[FOLDER_PATH_MAX],
                   int *exit_code);

/* Opens the template of a command's Lua bots; NULL if the bots are trusted. Prints
 * cli_cage_warning(). */
bool cli_template(bool trust, const struct player_options *options, struct template **template,
                  struct fault *fault);

#endif
