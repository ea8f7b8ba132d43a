/* list.c - `ensign list`: the variants, bots and set-ups on the search path.
 *
 * Each is loaded for its title; a broken one is listed with its fault and does not stop the list.
 */
#include "cli.h"
#include "cli/setups/catalogue.h"
#include "columns.h"
#include "host/safe_json.h"
#include "host/wall/loader.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PART_VARIANTS, PART_BOTS, PART_SETUPS };
static const char *const PARTS[] = {"variants", "bots", "setups", NULL};

struct list_values {
    int part; /* -1: all */
    bool json;
    const char *lang;
};

static int run_list(const void *values);
const struct command command_list = {
    COMMAND(list, .part = -1),
    .summary = "list the variants, bots and set-ups that can be found",
    .synopsis = {"[variants|bots|setups] [OPTIONS]"},
    .prose = "Lists variants and bots with their titles, and the set-ups of the library.",
    .arguments = {{NULL, 0, NULL, VALUE_WORD, INTO(list, part), .words = PARTS}},
    .options =
        {
            {OPTION_JSON, INTO(list, json)},
            {OPTION_LANG, INTO(list, lang)},
        },
};

struct listing {
    const struct folders *folders;
    const struct language *language;
    bool as_json;
    json_t *json; /* the current list; NULL without memory */
    struct complaints complaints;
    int exit_code; /* EXIT_SHORT after a broken entry; EXIT_HOST after a failure of the host, which
                      skips the rest */
};

static void print_name(const char *name, int columns) {
    fputs("  ", stdout);
    columns_print(stdout, name, columns);
}

static void list_broken(struct listing *listing, const char *name, const char *path,
                        const struct fault *fault) {
    if (status_exit_code(fault->status) == EXIT_HOST) { /* the others would fail too */
        listing->exit_code = cli_fail(fault);
        return;
    }
    cli_complain(&listing->complaints, fault);
    listing->exit_code = EXIT_SHORT;
    if (listing->as_json) {
        cli_json_add(&listing->json, json_pack("{s:o, s:o, s:s}", "name", safe_json(name), "path",
                                               safe_json(path), "fault", fault->text));
    } else {
        print_name(name, 16);
        printf(" %s\n", language_text(listing->language, TEXT("cannot be loaded")));
    }
}

static void list_variant(void *context, const char *name, const char *path) {
    struct listing *listing = context;
    struct fault fault = {0};
    if (listing->exit_code == EXIT_HOST) return;
    struct rules *rules = loader_variant(listing->folders, name, &fault);
    if (!rules) {
        list_broken(listing, name, path, &fault);
        return;
    }
    const struct board *board = &rules->board;
    if (listing->as_json) {
        cli_json_add(&listing->json,
                     json_pack("{s:o, s:s, s:s, s:o, s:i, s:i, s:i}", "name", safe_json(name),
                               "title", rules->title, "edition", rules->edition, "path",
                               safe_json(path), "files", board->files, "ranks", board->ranks,
                               "pieces", rules->army_size));
    } else {
        char pieces[64];
        print_name(name, 16);
        putchar(' ');
        columns_print(stdout, language_title(listing->language, rules), 24);
        language_write(pieces, sizeof pieces, listing->language, "pieces: {1}",
                       NUMBER_TEXT(rules->army_size));
        printf(" %2d x %-2d  ", board->files, board->ranks);
        columns_print(stdout, pieces, 12);
        printf("  %s\n", language_text(listing->language, rules->edition));
    }
    rules_free(rules);
}

static void list_bot(void *context, const char *name, const char *path) {
    struct listing *listing = context;
    char title[TITLE_MAX];
    if (listing->exit_code == EXIT_HOST) return;
    struct faults *faults = faults_new();
    if (!faults) {
        struct fault fault = {0};
        fault_set(&fault, STATUS_NO_MEMORY, "out of memory");
        list_broken(listing, name, path, &fault);
    } else if (!loader_bot(listing->folders, path, title, faults)) {
        list_broken(listing, name, path, faults_first(faults));
    } else if (listing->as_json) {
        cli_json_add(&listing->json, json_pack("{s:o, s:s, s:o}", "name", safe_json(name), "title",
                                               title, "path", safe_json(path)));
    } else {
        print_name(name, 16);
        printf(" %s\n", title);
    }
    free(faults);
}

static void list_setups(struct listing *listing) {
    struct catalogue catalogue;
    struct fault fault = {0};
    if (listing->exit_code == EXIT_HOST) return;
    if (!catalogue_open(&catalogue, listing->folders, NULL, &fault))
        listing->exit_code = cli_fail(&fault);
    for (size_t i = 0; i < catalogue.count; i++) {
        const struct catalogue_entry *entry = &catalogue.list[i];
        const char *name = entry->entry.name, *path = entry->entry.path;
        if (!entry->rules) {
            list_broken(listing, name, path, &entry->fault);
        } else if (listing->as_json) {
            cli_json_add(&listing->json, catalogue_json(entry));
        } else {
            print_name(name, 20);
            printf("  %s\n", entry->fits);
        }
    }
    catalogue_close(&catalogue);
}

static void set_part(json_t **document, const char *name, json_t *list) {
    if (json_object_set_new(*document, name, list)) {
        json_decref(*document);
        *document = NULL;
    }
}

static int run_list(const void *values) {
    const struct list_values *asked = values;
    struct language *language;
    int code;
    struct folders folders;
    if (!cli_folders(&folders)) return EXIT_HOST;
    if (!cli_language(&folders, asked->lang, &language, &code)) return code;
    struct listing listing = {.folders = &folders,
                              .language = language,
                              .as_json = asked->json,
                              .complaints.language = language};
    json_t *document = asked->json ? json_object() : NULL;
    const struct {
        const char *title;
        enum folder_sort sort;
        void (*visit)(void *context, const char *name, const char *path);
    } parts[] = {{TEXT("variants"), FOLDER_VARIANTS, list_variant},
                 {TEXT("bots"), FOLDER_BOTS, list_bot}};
    for (int i = 0; i < 2; i++) {
        if (asked->part >= 0 && asked->part != i) continue;
        listing.json = asked->json ? json_array() : NULL;
        if (!asked->json) puts(language_text(language, parts[i].title));
        folders_list(&folders, parts[i].sort, parts[i].visit, &listing);
        if (asked->json) set_part(&document, PARTS[i], listing.json);
    }
    if (asked->part < 0 || asked->part == PART_SETUPS) {
        listing.json = asked->json ? json_array() : NULL;
        if (!asked->json) puts(language_text(language, TEXT("setups")));
        list_setups(&listing);
        if (asked->json) set_part(&document, PARTS[PART_SETUPS], listing.json);
    }
    cli_complained(&listing.complaints);
    language_free(language);
    if (!asked->json) return listing.exit_code;
    code = cli_json(document, JSON_INDENT(1));
    return code == EXIT_DONE ? listing.exit_code : code;
}
