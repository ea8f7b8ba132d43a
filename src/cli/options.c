/* options.c - the arguments of a command.
 *
 * getopt_long does the work but its own complaints are silenced: they name no command of ours and
 * suggest nothing. What an option means is the command's business. */
#include "options.h"

#include "base/words.h"
#include "cli.h"
#include "host/seed.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OPTION_NAME_MAX = 40 };

static void complain_unknown(const char *command, const char *word, const struct option *options) {
    char name[OPTION_NAME_MAX], known[OPTION_NAME_MAX], hint[WORD_HINT_MAX];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "="), word);
    struct word_guess guess = word_guess_for(name);
    for (const struct option *o = options; o->name; o++) {
        snprintf(known, sizeof known, "--%s", o->name);
        word_offer(&guess, known);
    }
    cli_misuse(command, "unknown option \"%s\"%s", name, word_hint(&guess, hint));
}

int options_next(int argc, char **argv, const char *letters, const struct option *options) {
    opterr = 0;
    int current = optind ? optind : 1;
    int found = getopt_long(argc, argv, letters, options, NULL);
    if (found == '?') {
        /* A long option is passed over at once, a letter may have others behind it. */
        const char *word = argv[optind > current ? optind - 1 : current];
        if (optopt && strncmp(word, "--", 2) != 0) {
            cli_misuse(argv[0], "unknown option \"-%c\"", optopt);
        } else if (optopt) {
            cli_misuse(argv[0], "option \"%s\" takes no value", word);
        } else {
            complain_unknown(argv[0], word, options);
        }
        return OPTION_WRONG;
    }
    if (found == ':') {
        cli_misuse(argv[0], "option \"%s\" wants a value", argv[optind - 1]);
        return OPTION_WRONG;
    }
    return found;
}

static bool refuse_number(const char *command, const char *option, const char *text, uint64_t least,
                          uint64_t most) {
    cli_misuse(command, "%s \"%s\": a whole number from %" PRIu64 " to %" PRIu64 " is expected",
               option, text, least, most);
    return false;
}

bool options_number(const char *command, const char *option, const char *text, uint64_t least,
                    uint64_t most, uint64_t *value) {
    char *end = NULL;
    errno = 0;
    bool digits = *text >= '0' && *text <= '9'; /* strtoull would take "-1" and blanks */
    uint64_t number = digits ? strtoull(text, &end, 10) : 0;
    if (!digits || *end || errno || number < least || number > most) {
        return refuse_number(command, option, text, least, most);
    }
    *value = number;
    return true;
}

bool options_seed(const char *command, char *text, uint64_t most) {
    return seed_give(text, most) || refuse_number(command, "--seed", text, 0, most);
}
