/* import.c - `ensign import`: converts records of other programs. */
#include "base/files.h"
#include "command.h"
#include "host/foreign/formats.h"
#include "jail/loader.h"
#include "outlet.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct import_values {
    struct arguments files;
    const char *folder;
};

static int run_import(const void *values);
const struct command command_import = {
    COMMAND(import, .folder = NULL),
    .summary = "convert records of other programs",
    .synopsis = {"FILE… [-o FOLDER]"},
    .prose =
        "Converts records of other programs: Gravon's GSN and XML, and logs of the manager of "
        "the 2012 UCC contest. The format is recognised from the file's text. Every move is "
        "judged; a game is kept up to its first illegal move. A single record goes to standard "
        "output.",
    .arguments = {{NULL, 0, "FILE", VALUE_FILE, INTO(import, files), .needed = true, .many = true}},
    .options =
        {
            {"output", 'o', "FOLDER", VALUE_FOLDER, INTO(import, folder),
             "write each record into this folder, as FILE's name with .rec"},
        },
};

enum { RULES_MAX = 8 };

struct importer {
    const struct folders *folders;
    struct rules *rules[RULES_MAX]; /* the stock variants loaded so far */
    int rules_count;
    const char *path;                    /* of the file being read */
    struct complaints complaints, notes; /* about it */
    int code;
};

static const struct rules *importer_rules(void *context, const char *variant, struct fault *fault) {
    struct importer *importer = context;
    for (int i = 0; i < importer->rules_count; i++)
        if (!strcmp(importer->rules[i]->name, variant)) return importer->rules[i];
    struct rules *rules = importer->rules_count < RULES_MAX
                              ? loader_variant(importer->folders, variant, fault)
                              : NULL;
    if (rules) importer->rules[importer->rules_count++] = rules;
    return rules;
}

static void importer_complain(void *context, const struct fault *wrong) {
    struct importer *importer = context;
    struct fault fault = *wrong;
    if (!fault.file[0]) fault_place(&fault, importer->path, 0, 0);
    cli_complain(&importer->complaints, &fault);
    importer->code = EXIT_SHORT;
}

/* What was read although it is unusual is no loss. */
static void importer_note(void *context, const struct fault *noted) {
    struct importer *importer = context;
    struct fault fault = *noted;
    char line[FAULT_FILE_MAX + LANGUAGE_TEXT_MAX];
    if (importer->notes.count++ >= COMPLAINTS_SHOWN) return;
    if (!fault.file[0]) fault_place(&fault, importer->path, 0, 0);
    language_fault_line(cli_tongue(), &fault, line, sizeof line);
    language_line(stderr, cli_tongue(), TEXT("ensign: warning: {1}"), line);
}

static int import_file(struct importer *importer, struct outlet *outlet, const char *path) {
    const struct foreign_help needs = {importer_rules, importer_complain, importer, importer_note};
    struct fault fault = {0};
    size_t length;
    importer->code = EXIT_DONE;
    importer->path = strcmp(path, "-") != 0 ? path : "standard input";
    char *text = files_read(path, FOREIGN_BYTES_MAX, &length, &fault);
    if (!text) return cli_fail(&fault);
    struct record *record = formats_import(text, length, path, &needs);
    cli_complained(&importer->notes);
    cli_complained(&importer->complaints);
    free(text);
    char *written = record ? record_write(record) : NULL;
    if (record && !written) fault_set(&fault, STATUS_NO_MEMORY, "out of memory");
    if (written && outlet_write(outlet, path, written, &fault) && outlet->folder) {
        const char *reason = record_tag_or(record, "Reason", "?");
        language_line(stdout, cli_tongue(),
                      record->move_count == 1 ? TEXT("{1}: {2}, {3} ply, {4} by {5}")
                                              : TEXT("{1}: {2}, {3} plies, {4} by {5}"),
                      outlet->written, record_tag_or(record, "Variant", "original"),
                      NUMBER_TEXT(record->move_count), record_tag_or(record, "Result", "*"),
                      reason);
    }
    if (fault.status != STATUS_OK) importer->code = cli_fail(&fault);
    free(written);
    record_free(record);
    return importer->code;
}

static int run_import(const void *values) {
    const struct import_values *asked = values;
    struct outlet outlet = {.folder = asked->folder, .ending = ".rec"};
    struct fault fault = {0};
    struct folders folders;
    if (asked->files.count > 1 && !asked->folder)
        return cli_misuse("import", "several files go into a folder: -o FOLDER is expected");
    if (!cli_folders(&folders)) return EXIT_HOST;
    if (!outlet_open(&outlet, &fault)) return cli_fail(&fault);
    struct importer importer = {.folders = &folders};
    int code = EXIT_DONE;
    for (int i = 0; i < asked->files.count; i++) {
        int one = import_file(&importer, &outlet, asked->files.list[i]);
        if (one > code) code = one;
    }
    for (int i = 0; i < importer.rules_count; i++) rules_free(importer.rules[i]);
    return code;
}
