/* cli.c - what the commands share: how a fault is printed, how a variant is fetched. */
#include "cli.h"

#include "excerpt.h"
#include "host/cage.h"
#include "script/variant.h"

#include <stdio.h>

int cli_fail(const struct fault *fault) {
    char line[FAULT_FILE_MAX + FAULT_TEXT_MAX + 32];
    fault_format(fault, line, sizeof line);
    fprintf(stderr, "ensign: %s\n", line);
    excerpt_print(stderr, fault);
    return status_exit_code(fault->status);
}

int cli_misuse(const char *command, const char *format, ...) {
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    fprintf(stderr, "ensign %s: %s (see \"ensign %s --help\")\n", command, text, command);
    return EXIT_USAGE;
}

bool cli_folders(struct folders *folders) {
    struct fault fault = {0};
    if (folders_find(folders, &fault)) return true;
    cli_fail(&fault);
    return false;
}

struct rules *cli_variant(const struct folders *folders, const char *name, int *exit_code) {
    struct fault fault = {0};
    struct rules *rules = variant_load(folders, name, &fault);
    *exit_code = rules ? EXIT_DONE : cli_fail(&fault);
    return rules;
}

bool cli_nursery(bool trust, const struct player_options *options, struct nursery **nursery,
                 struct fault *fault) {
    *nursery = NULL;
    if (trust) return true;
    if (!cage_filters()) {
        fputs("ensign: this system filters no system calls; bots run under the other limits only\n",
              stderr);
    }
    *nursery = player_nursery(options, fault);
    return *nursery;
}
