/* options.h - the arguments of a command, read with getopt_long and refused in our own words. */
#ifndef ENSIGN_CLI_OPTIONS_H
#define ENSIGN_CLI_OPTIONS_H

#include <getopt.h>
#include <stdbool.h>
#include <stdint.h>

enum {
    OPTION_WRONG = '?', /* the complaint has been printed; return EXIT_USAGE */
    OPTION_LANG = 0x2000
};

/* The option of every command that writes for people; its text goes to cli_language(). */
#define LANG_OPTION                                                                                \
    { "lang", required_argument, NULL, OPTION_LANG }
#define LANG_USAGE                                                                                 \
    "  --lang TAG       en, bg, uk, hr, es, ru, or a language of your own (else the locale's)\n"

/* Like getopt_long(), whose globals `optarg` and `optind` it sets: the next option, -1 after the
 * last, OPTION_WRONG for an unknown option or a missing value. argv[0] is the command's name.
 * `letters` must begin with ':' (after a '+' if there is one). */
int options_next(int argc, char **argv, const char *letters, const struct option *options);

/* Reads a whole number from `least` to `most`. False after a complaint that names the option. */
bool options_number(const char *command, const char *option, const char *text, uint64_t least,
                    uint64_t most, uint64_t *value);

/* Takes a seed from 0 to `most` out of the arguments (host/seed.h). False after a complaint. */
bool options_seed(const char *command, char *text, uint64_t most);

#endif
