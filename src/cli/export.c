/* export.c - `ensign export`: converts records for other programs. */
#include "command.h"
#include "host/foreign/gsn.h"
#include "host/records.h"
#include "outlet.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct export_values {
    struct arguments records;
    const char *folder;
};

static const char *const FORMATS[] = {"gsn", NULL};

static int run_export(const void *values);
const struct command command_export = {
    COMMAND(export, .folder = NULL),
    .summary = "convert records for other programs",
    .synopsis = {"RECORD… [OPTIONS]"},
    .prose =
        "Converts records to GSN, Gravon's line format. GSN can hold games of original, barrage, "
        "duel and lightning (without rescues), and games of original from any position. It cannot "
        "say why a game ended, or that it was not finished. A single record goes to standard "
        "output.",
    .arguments = {{NULL, 0, "RECORD", VALUE_RECORD, INTO(export, records), .needed = true,
                   .many = true}},
    .options =
        {
            {"format", .kind = VALUE_WORD, .help = "output format", .words = FORMATS},
            {"output", 'o', "FOLDER", VALUE_FOLDER, INTO(export, folder),
             "write each game into this folder, as RECORD's name with .gsn"},
        },
};

static int export_record(struct records *records, struct outlet *outlet, const char *path) {
    struct fault fault = {0};
    struct foreign foreign = {0};
    char *text = NULL;
    if (records_play(records, path, UINT32_MAX, &fault) &&
        foreign_take(&foreign, records->record, &records->replay.session->game, &fault) &&
        (text = gsn_write(&foreign, &fault)) && outlet_write(outlet, path, text, &fault)) {
        if (foreign.result == RESULT_NONE)
            language_line(stderr, cli_tongue(),
                          "ensign: {1}: the game was not finished, so its GSN has no result", path);
        if (outlet->folder) {
            language_line(stdout, cli_tongue(),
                          foreign.move_count == 1 ? TEXT("{1}: {2} ply") : TEXT("{1}: {2} plies"),
                          outlet->written, NUMBER_TEXT(foreign.move_count));
        }
    }
    free(text);
    foreign_clear(&foreign);
    if (fault.status == STATUS_OK) return EXIT_DONE;
    if (!fault.file[0]) fault_place(&fault, strcmp(path, "-") != 0 ? path : "standard input", 0, 0);
    return cli_fail(&fault);
}

static int run_export(const void *values) {
    const struct export_values *asked = values;
    struct outlet outlet = {.folder = asked->folder, .ending = ".gsn"};
    struct fault fault = {0};
    struct folders folders;
    if (asked->records.count > 1 && !asked->folder)
        return cli_misuse("export", "several records go into a folder: -o FOLDER is expected");
    if (!cli_folders(&folders)) return EXIT_HOST;
    if (!outlet_open(&outlet, &fault)) return cli_fail(&fault);
    struct records records = {.folders = &folders};
    int code = EXIT_DONE;
    for (int i = 0; i < asked->records.count; i++) {
        int one = export_record(&records, &outlet, asked->records.list[i]);
        if (one > code) code = one;
    }
    records_clear(&records);
    return code;
}
