/* cli.h - the commands of the program, and the little that they share.
 *
 * One file a command (command.h). A command writes its results to standard output and everything
 * else to standard error, and returns the exit code: EXIT_DONE, EXIT_SHORT, EXIT_USAGE or
 * EXIT_HOST. */
#ifndef ENSIGN_CLI_CLI_H
#define ENSIGN_CLI_CLI_H

#include "command.h"
#include "core/rules/rules.h"
#include "host/wall/player_child.h"
#include "lua/language.h"
#include "variant/script_kind.h"

#include <jansson.h>
#include <stdio.h>

struct faults; /* base/faults.h */

enum {
    EXIT_DONE = 0,  /* done */
    EXIT_SHORT = 1, /* what was checked or played fell short */
    EXIT_USAGE = 2, /* wrong use */
    EXIT_HOST = 3   /* the host itself failed */
};

extern const struct command command_bench, command_check, command_export, command_help,
    command_import, command_list, command_match, command_moves, command_new, command_play,
    command_replay, command_report, command_setups, command_show, command_watch;

/* What people typed to start the program, for commands that are suggested to them: "./run". */
extern const char *cli_program;

/* Prints a line with its end. What a name or path puts into it is made safe (base/utf8.h), a line's
 * end included. */
void cli_line(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Adds a value to a list. Without the value, for want of memory, there is no list any more either:
 * `*list` becomes NULL, which cli_json() then tells. A list that is NULL stays so. */
void cli_json_add(json_t **list, json_t *value);

/* Prints a document and frees it. Returns EXIT_DONE, or EXIT_HOST after a complaint if it is NULL.
 */
int cli_json(json_t *document, size_t flags);

/* Prints the lines of a script around a fault, for the person who has to mend it: up to two before
 * and after the fault's line, numbered, that line marked with '>'. Nothing if the fault has no
 * line, is none of a script's, or its file cannot be read any more. */
void cli_excerpt(FILE *out, const struct fault *fault);

/* Prints "ensign: file:line:column: text" to standard error and returns the exit code that belongs
 * to the fault's status, so that `return cli_fail(&fault)` reads well. */
int cli_fail(const struct fault *fault);

/* The same in a language. */
int cli_fail_in(const struct language *language, const struct fault *fault);

/* Complaints about many things of a kind: the first of them are printed, the others counted. */
enum { COMPLAINTS_SHOWN = 20 };
struct complaints {
    size_t count;
    const struct language *language;
};

/* cli_fail_in() for one of many; the same exit code, printed or not. */
int cli_complain(struct complaints *complaints, const struct fault *fault);

/* Says how many were not printed, if any, and begins anew. */
void cli_complained(struct complaints *complaints);

/* Prints the first of them to standard error in that form, each with the page that explains it, and
 * how many more there are. */
void cli_remarks(const struct faults *faults);

/* Prints "ensign COMMAND: text" and where help is to be found to standard error; EXIT_USAGE. */
int cli_misuse(const char *command, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The noun that goes with the number: "1 game", "0 games". For what is said in English only. */
const char *cli_noun(uint64_t number, const char *one, const char *many);

/* Finds the folders; prints the fault and returns false if that fails (exit code EXIT_HOST). */
bool cli_folders(struct folders *folders);

/* Loads a variant by name or path. NULL after the fault was printed; `*exit_code` is what to
 * return: a variant that does not exist is wrong use, a broken one fell short. */
struct rules *cli_variant(const struct folders *folders, const char *name, int *exit_code);

/* The language that was asked for with --lang, or (`wanted` NULL) that of LC_ALL, LC_MESSAGES or
 * LANG; NULL is English. False after the fault was printed, with what to return; a language of the
 * locale that does not exist or is broken is no reason to fail. The caller frees. */
bool cli_language(const struct folders *folders, const char *wanted, struct language **language,
                  int *exit_code);

/* What a file of Lua is meant to be, even if it is wrong: the folder "bots" or "variants" that it
 * lies in says so; elsewhere the table that it returns (script_kind.h). SCRIPT_BROKEN with a fault
 * if it cannot be run at all. */
enum script_kind cli_script(const struct folders *folders, const char *path, struct fault *fault);

/* Where a command's Lua bots run, to be opened before there is a game or a thread; NULL if they are
 * trusted. Says so if this system cannot lock them up completely. */
bool cli_nursery(bool trust, const struct player_options *options, struct nursery **nursery,
                 struct fault *fault);

#endif
