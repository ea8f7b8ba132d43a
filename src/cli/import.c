/* import.c - `ensign import`: records of other programs into ours. */
#include "host/foreign/import.h"
#include "base/files.h"
#include "cli.h"
#include "host/wall/loader.h"
#include "options.h"
#include "outlet.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: ensign import FILE… [-o FOLDER]\n"
    "\n"
    "Turns records of other programs into ours: Gravon's GSN and XML, and logs of the manager of\n"
    "the 2012 UCC contest. What a file is, its text tells. Every move is judged; a game is kept up\n"
    "to the first that is illegal. A single record goes to standard output.\n"
    "\n"
    "  -o, --output FOLDER  each record into a file of this folder, FILE's name with .rec\n"
    "  -h, --help           this text\n";

static const struct option options[] = {
    {"output", required_argument, NULL, 'o'},
    {"help", no_argument, NULL, 'h'},
    {0},
};

enum { RULES_MAX = 8 };

struct importer {
    const struct folders *folders;
    struct rules *rules[RULES_MAX]; /* the stock variants that were needed */
    int rules_count;
    const char *path;             /* of the file being read */
    struct complaints complaints; /* about it */
    int code;
};

static const struct rules *load_rules(void *context, const char *variant, struct fault *fault) {
    struct importer *importer = context;
    for (int i = 0; i < importer->rules_count; i++) {
        if (!strcmp(importer->rules[i]->name, variant)) return importer->rules[i];
    }
    struct rules *rules = importer->rules_count < RULES_MAX
                              ? loader_variant(importer->folders, variant, fault)
                              : NULL;
    if (rules) importer->rules[importer->rules_count++] = rules;
    return rules;
}

static void complain(void *context, const struct fault *wrong) {
    struct importer *importer = context;
    struct fault fault = *wrong;
    if (!fault.file[0]) fault_place(&fault, importer->path, 0, 0);
    cli_complain(&importer->complaints, &fault);
    importer->code = EXIT_SHORT;
}

static const char *tag_or(const struct record *record, const char *name, const char *otherwise) {
    const char *value = record_tag(record, name);
    return value ? value : otherwise;
}

static int import_file(struct importer *importer, struct outlet *outlet, const char *path) {
    const struct foreign_help needs = {load_rules, complain, importer};
    struct fault fault = {0};
    size_t length;
    importer->code = EXIT_DONE;
    importer->path = strcmp(path, "-") != 0 ? path : "standard input";
    char *text = files_read(path, FOREIGN_BYTES_MAX, &length, &fault);
    if (!text) return cli_fail(&fault);
    struct record *record = import_text(text, length, path, &needs);
    cli_complained(&importer->complaints);
    free(text);
    char *written = record ? record_write(record) : NULL;
    if (record && !written) fault_set(&fault, STATUS_NO_MEMORY, "out of memory");
    if (written && outlet_write(outlet, path, written, &fault) && outlet->folder) {
        cli_line(stdout, "%s: %s, %zu %s, %s by %s", outlet->written,
                 tag_or(record, "Variant", "original"), record->move_count,
                 cli_noun(record->move_count, "ply", "plies"), tag_or(record, "Result", "*"),
                 tag_or(record, "Reason", "?"));
    }
    if (fault.status != STATUS_OK) importer->code = cli_fail(&fault);
    free(written);
    record_free(record);
    return importer->code;
}

int command_import(int argc, char **argv) {
    struct importer importer = {0};
    struct outlet outlet = {.ending = ".rec"};
    struct fault fault = {0};
    struct folders folders;
    for (int option; (option = options_next(argc, argv, ":o:h", options)) != -1;) {
        if (option == 'h') {
            fputs(help, stdout);
            return EXIT_DONE;
        }
        if (option != 'o') return EXIT_USAGE;
        outlet.folder = optarg;
    }
    if (optind >= argc) return cli_misuse(argv[0], "a file is expected");
    if (argc - optind > 1 && !outlet.folder) {
        return cli_misuse(argv[0], "several files go into a folder: -o FOLDER is expected");
    }
    if (!cli_folders(&folders)) return EXIT_HOST;
    if (!outlet_open(&outlet, &fault)) return cli_fail(&fault);
    importer.folders = &folders;
    int code = EXIT_DONE;
    for (int i = optind; i < argc; i++) {
        int one = import_file(&importer, &outlet, argv[i]);
        if (one > code) code = one;
    }
    for (int i = 0; i < importer.rules_count; i++) rules_free(importer.rules[i]);
    return code;
}
