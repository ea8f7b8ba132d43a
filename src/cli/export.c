/* export.c - `ensign export`: our records into those of other programs. */
#include "cli.h"
#include "host/foreign/gsn.h"
#include "options.h"
#include "outlet.h"
#include "records.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: ensign export RECORD… [OPTIONS]\n"
    "\n"
    "Turns records into Gravon's line format, GSN, which holds games of original, barrage, duel\n"
    "and lightning (without rescues), and games of original from any position. It has no word for\n"
    "how a game ended, nor for one that did not. A single record goes to standard output.\n"
    "\n"
    "      --format gsn     the format; there is one\n"
    "  -o, --output FOLDER  each into a file of this folder, RECORD's name with .gsn\n"
    "  -h, --help           this text\n";

enum { OPTION_FORMAT = 256 };

static const struct option options[] = {
    {"format", required_argument, NULL, OPTION_FORMAT},
    {"output", required_argument, NULL, 'o'},
    {"help", no_argument, NULL, 'h'},
    {0},
};

static int export_record(struct records *records, struct outlet *outlet, const char *path) {
    struct fault fault = {0};
    struct foreign foreign = {0};
    char *text = NULL;
    if (records_play(records, path, UINT32_MAX, &fault) &&
        foreign_take(&foreign, records->record, &records->replay.session->game, &fault) &&
        (text = gsn_write(&foreign, &fault)) && outlet_write(outlet, path, text, &fault)) {
        if (foreign.result == RESULT_NONE) {
            cli_line(stderr, "ensign: %s: the game was not finished, so its GSN tells no result",
                     path);
        }
        if (outlet->folder) {
            cli_line(stdout, "%s: %zu %s", outlet->written, foreign.move_count,
                     cli_noun(foreign.move_count, "ply", "plies"));
        }
    }
    free(text);
    foreign_clear(&foreign);
    if (fault.status == STATUS_OK) return EXIT_DONE;
    if (!fault.file[0]) fault_place(&fault, strcmp(path, "-") != 0 ? path : "standard input", 0, 0);
    return cli_fail(&fault);
}

int command_export(int argc, char **argv) {
    struct records records = {0};
    struct outlet outlet = {.ending = ".gsn"};
    struct fault fault = {0};
    struct folders folders;
    for (int option; (option = options_next(argc, argv, ":o:h", options)) != -1;) {
        switch (option) {
        case OPTION_FORMAT:
            if (strcmp(optarg, "gsn") != 0) {
                return cli_misuse(argv[0], "--format \"%s\": \"gsn\" is expected", optarg);
            }
            break;
        case 'o':
            outlet.folder = optarg;
            break;
        case 'h':
            fputs(help, stdout);
            return EXIT_DONE;
        default:
            return EXIT_USAGE;
        }
    }
    if (optind >= argc) return cli_misuse(argv[0], "a record is expected");
    if (argc - optind > 1 && !outlet.folder) {
        return cli_misuse(argv[0], "several records go into a folder: -o FOLDER is expected");
    }
    if (!cli_folders(&folders)) return EXIT_HOST;
    if (!outlet_open(&outlet, &fault)) return cli_fail(&fault);
    records.folders = &folders;
    int code = EXIT_DONE;
    for (int i = optind; i < argc; i++) {
        int one = export_record(&records, &outlet, argv[i]);
        if (one > code) code = one;
    }
    records_clear(&records);
    return code;
}
