/* list.c - `ensign list`: the variants, bots, set-ups and programs that have a name.
 *
 * Each is loaded for its title; a broken one is listed with its fault and does not stop the list.
 */
#include "columns.h"
#include "command.h"
#include "host/bundle/installed.h"
#include "host/program/registered.h"
#include "host/safe_json.h"
#include "host/stock.h"

#include <stdio.h>

/* By enum stock_part; after them what only this machine has. */
enum { PROGRAMS = STOCK_PARTS };
static const char *const PARTS[] = {"variants", "bots", "setups", "programs", NULL};

struct list_values {
    int part; /* -1: all */
    const char *lang;
    bool json, mine;
};

static int run_list(const void *values);
const struct command command_list = {
    COMMAND(list, .part = -1),
    .summary = "list the variants, bots, set-ups and programs that can be found",
    .synopsis = {"[variants|bots|setups|programs] [OPTIONS]", "--mine"},
    .prose =
        "Lists variants and bots with their titles, the set-ups of the library, and the programs that are registered under a name (see bots/programs/README.md).",
    .arguments = {{NULL, 0, NULL, VALUE_WORD, INTO(list, part), .words = PARTS}},
    .options =
        {
            {"mine", INTO(list, mine), "list the installed bundles and what they hold, instead"},
            {OPTION_JSON, INTO(list, json)},
            {OPTION_LANG, INTO(list, lang)},
        },
};

struct listing {
    const struct language *language;
    bool as_json;
    json_t *json; /* the current list; NULL without memory */
    struct complaints complaints;
    int exit_code; /* EXIT_SHORT after a broken entry */
};

static void print_name(const char *name, int columns) {
    fputs("  ", stdout);
    columns_print(stdout, name, columns);
}

static void print_variant(const struct listing *listing, const struct stock_item *item) {
    const struct board *board = &item->rules->board;
    char pieces[64];
    print_name(item->name, 16);
    putchar(' ');
    columns_print(stdout, language_title(listing->language, item->rules), 24);
    language_write(pieces, sizeof pieces, listing->language, "pieces: {1}",
                   NUMBER_TEXT(rules_size(item->rules)));
    printf(" %2d x %-2d  ", board->files, board->ranks);
    columns_print(stdout, pieces, 12);
    printf("  %s\n", language_text(listing->language, item->rules->edition));
}

static void print_bot(const struct listing *listing, const struct stock_item *item) {
    const struct bot_card *bot = item->bot;
    const char *level = bot_level_name(bot->level);
    print_name(item->name, 16);
    putchar(' ');
    columns_print(stdout, bot->title, 16);
    putchar(' ');
    columns_print(stdout, bot->level ? language_text(listing->language, level) : "", 13);
    printf(" %s\n", bot->about[0] ? language_text(listing->language, bot->about) : "");
}

static void print_item(const struct listing *listing, const struct stock_item *item) {
    if (item->fault) {
        print_name(item->name, 16);
        printf(" %s\n", language_text(listing->language, TEXT("cannot be loaded")));
    } else if (item->rules) {
        print_variant(listing, item);
    } else if (item->bot) {
        print_bot(listing, item);
    } else {
        print_name(item->name, 20);
        printf("  %s\n", item->setup->fits);
    }
}

static void list_item(void *context, const struct stock_item *item) {
    struct listing *listing = context;
    if (item->fault) {
        cli_complain(&listing->complaints, item->fault);
        listing->exit_code = EXIT_SHORT;
    }
    if (listing->as_json)
        cli_json_add(&listing->json, stock_item_json(item));
    else
        print_item(listing, item);
}

static void set_part(json_t **document, const char *name, json_t *list) {
    if (json_object_set_new(*document, name, list)) {
        json_decref(*document);
        *document = NULL;
    }
}

/* Lists one part; nothing more of any part after a failure of the host. */
static void list_part(struct listing *listing, const struct folders *folders, enum stock_part part,
                      json_t **document) {
    static const char *const titles[] = {TEXT("variants"), TEXT("bots"), TEXT("setups")};
    struct fault fault = {0};
    listing->json = listing->as_json ? json_array() : NULL;
    if (!listing->as_json) puts(language_text(listing->language, titles[part]));
    if (listing->exit_code != EXIT_HOST && !stock_visit(folders, part, list_item, listing, &fault))
        listing->exit_code = cli_fail(&fault);
    if (listing->as_json) set_part(document, stock_part_name(part), listing->json);
}

static void list_program(void *context, const char *name, const char *path) {
    struct listing *listing = context;
    struct registered registered;
    struct fault fault = {0};
    const bool right = registered_read(path, &registered, &fault);
    if (!right) {
        cli_complain(&listing->complaints, &fault);
        listing->exit_code = EXIT_SHORT;
    }
    if (listing->as_json) {
        json_t *item = json_pack("{s:o, s:o}", "name", safe_json(name), "path", safe_json(path));
        if (right) {
            json_object_set_new(item, "protocol", json_string(registered.protocol));
            json_object_set_new(item, "command", safe_json(registered.command));
            json_object_set_new(item, "about", safe_json(registered.about));
        }
        cli_json_add(&listing->json, item);
        return;
    }
    print_name(name, 16);
    if (right)
        cli_line(stdout, " %-4s %s", registered.protocol,
                 registered.about[0] ? registered.about : registered.command);
    else
        printf(" %s\n", language_text(listing->language, TEXT("cannot be loaded")));
}

static void note_any(void *context, const char *name, const char *path) {
    bool *any = context;
    (void)name, (void)path;
    *any = true;
}

/* `asked`: even if there are none. */
static void list_programs(struct listing *listing, const struct folders *folders, bool asked,
                          json_t **document) {
    bool any = asked || listing->as_json;
    folders_list(folders, FOLDER_PROGRAMS, note_any, &any);
    if (!any) return;
    listing->json = listing->as_json ? json_array() : NULL;
    if (!listing->as_json) puts(language_text(listing->language, TEXT("programs")));
    folders_list(folders, FOLDER_PROGRAMS, list_program, listing);
    if (listing->as_json) set_part(document, PARTS[PROGRAMS], listing->json);
}

static void list_bundle(void *context, const json_t *about) {
    static const char *const titles[BUNDLE_SORTS] = {[FOLDER_VARIANTS] = TEXT("variants"),
                                                     [FOLDER_BOTS] = TEXT("bots"),
                                                     [FOLDER_LANGUAGES] = TEXT("languages"),
                                                     [FOLDER_SETUPS] = TEXT("setups")};
    struct listing *listing = context;
    if (listing->as_json) {
        cli_json_add(&listing->json, json_deep_copy(about));
        return;
    }
    print_name(bundle_text(about, "name"), 16);
    const char *means = bundle_text(about, "about");
    cli_line(stdout, " %s%s%s", bundle_text(about, "release"), *means ? "  " : "", means);
    if (*bundle_text(about, "key"))
        language_line(stdout, listing->language, "    signed by {1}", bundle_text(about, "key"));
    for (int sort = 0; sort < BUNDLE_SORTS; sort++) {
        const json_t *names = json_object_get(json_object_get(about, "holds"), BUNDLE_KEYS[sort]);
        if (!json_array_size(names)) continue;
        printf("    %s:", language_text(listing->language, titles[sort]));
        for (size_t i = 0; i < json_array_size(names); i++)
            printf(" %s", json_string_value(json_array_get(names, i)));
        putchar('\n');
    }
}

static int list_mine(struct listing *listing, const struct folders *folders) {
    listing->json = listing->as_json ? json_array() : NULL;
    if (!listing->as_json) puts(language_text(listing->language, TEXT("bundles")));
    installed_list(folders, list_bundle, listing);
    if (!listing->as_json) return EXIT_DONE;
    return cli_json(json_pack("{s:o}", "bundles", listing->json), JSON_INDENT(1));
}

static int run_list(const void *values) {
    const struct list_values *asked = values;
    const struct language *language = cli_tongue();
    int code;
    struct folders folders;
    if (asked->mine && asked->part >= 0)
        return cli_misuse("list", "unexpected argument \"%s\"", PARTS[asked->part]);
    if (!cli_folders(&folders)) return EXIT_HOST;
    struct listing listing = {.language = language, .as_json = asked->json};
    if (asked->mine) return list_mine(&listing, &folders);
    json_t *document = asked->json ? json_object() : NULL;
    for (enum stock_part part = 0; part < STOCK_PARTS; part++)
        if (asked->part < 0 || asked->part == (int)part)
            list_part(&listing, &folders, part, &document);
    if (asked->part < 0 || asked->part == PROGRAMS)
        list_programs(&listing, &folders, asked->part == PROGRAMS, &document);
    cli_complained(&listing.complaints);
    if (!asked->json) return listing.exit_code;
    code = cli_json(document, JSON_INDENT(1));
    return code == EXIT_DONE ? listing.exit_code : code;
}
