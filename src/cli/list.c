/* list.c - `ensign list`: which variants, bots and set-ups can be found.
 *
 * Each is loaded, since only that tells what it is; one that cannot be loaded is listed with its
 * fault and never keeps the others from being shown. */
#include "cli.h"
#include "cli/setups/catalogue.h"
#include "columns.h"
#include "options.h"
#include "script/bot.h"
#include "script/variant.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

static const char help[] =
    "usage: ensign list [variants|bots|setups] [--json]\n"
    "\n"
    "Lists what can be played, and by whom, with titles, and the set-ups that have a name.\n"
    "\n"
    "      --json    one JSON document\n"
    "  -h, --help    this text\n" LANG_USAGE;

enum { OPTION_JSON = 256 };

static const struct option options[] = {
    {"json", no_argument, NULL, OPTION_JSON},
    {"help", no_argument, NULL, 'h'},
    LANG_OPTION,
    {0},
};

struct listing {
    const struct folders *folders;
    const struct language *language;
    json_t *json;  /* NULL: text */
    int exit_code; /* EXIT_SHORT once something could not be loaded */
};

static void list_broken(struct listing *listing, const char *name, const char *path,
                        const struct fault *fault) {
    cli_fail(fault);
    listing->exit_code = EXIT_SHORT;
    if (listing->json) {
        json_array_append_new(listing->json, json_pack("{s:s, s:s, s:s}", "name", name, "path",
                                                       path, "fault", fault->text));
    } else {
        printf("  %-16s %s\n", name, language_text(listing->language, TEXT("cannot be loaded")));
    }
}

static void list_variant(void *context, const char *name, const char *path) {
    struct listing *listing = context;
    struct fault fault = {0};
    struct rules *rules = variant_load(listing->folders, name, &fault);
    if (!rules) {
        list_broken(listing, name, path, &fault);
        return;
    }
    const struct board *board = &rules->board;
    if (listing->json) {
        json_array_append_new(listing->json,
                              json_pack("{s:s, s:s, s:s, s:s, s:i, s:i, s:i}", "name", name,
                                        "title", rules->title, "edition", rules->edition, "path",
                                        path, "files", board->files, "ranks", board->ranks,
                                        "pieces", rules->army_size));
    } else {
        char pieces[64];
        printf("  %-16s ", name);
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
    struct fault fault = {0};
    struct bot *bot =
        bot_new(listing->folders, path, SANDBOX_DEFAULTS, &(const struct chance){{0}}, &fault);
    if (!bot) {
        list_broken(listing, name, path, &fault);
        return;
    }
    if (listing->json) {
        json_array_append_new(listing->json, json_pack("{s:s, s:s, s:s}", "name", name, "title",
                                                       bot_title(bot), "path", path));
    } else {
        printf("  %-16s %s\n", name, bot_title(bot));
    }
    bot_free(bot);
}

static void list_setups(struct listing *listing) {
    struct catalogue catalogue;
    struct fault fault = {0};
    if (!catalogue_open(&catalogue, listing->folders, NULL, &fault)) {
        listing->exit_code = cli_fail(&fault);
    }
    for (size_t i = 0; i < catalogue.count; i++) {
        const struct catalogue_entry *entry = &catalogue.list[i];
        const char *name = entry->entry.name, *path = entry->entry.path;
        if (!entry->rules) {
            list_broken(listing, name, path, &entry->fault);
        } else if (listing->json) {
            json_array_append_new(listing->json, catalogue_json(entry));
        } else {
            printf("  %-20s  %s\n", name, entry->fits);
        }
    }
    catalogue_close(&catalogue);
}

int command_list(int argc, char **argv) {
    bool as_json = false;
    const char *lang = NULL;
    struct language *language;
    int code;
    for (int option; (option = options_next(argc, argv, ":h", options)) != -1;) {
        if (option == OPTION_WRONG) return EXIT_USAGE;
        if (option == 'h') {
            fputs(help, stdout);
            return EXIT_DONE;
        }
        if (option == OPTION_LANG) {
            lang = optarg;
        } else {
            as_json = true;
        }
    }
    bool variants = true, bots = true, setups = true;
    if (optind < argc) {
        variants = !strcmp(argv[optind], "variants");
        bots = !strcmp(argv[optind], "bots");
        setups = !strcmp(argv[optind], "setups");
    }
    if ((!variants && !bots && !setups) || argc - optind > 1) {
        const char *word = argc - optind > 1 ? argv[optind + 1] : argv[optind];
        return cli_misuse(argv[0], "\"%s\": \"variants\", \"bots\" or \"setups\" is expected",
                          word);
    }
    struct folders folders;
    if (!cli_folders(&folders)) return EXIT_HOST;
    if (!cli_language(&folders, lang, &language, &code)) return code;
    struct listing listing = {.folders = &folders, .language = language};
    json_t *document = as_json ? json_object() : NULL;
    const struct {
        bool wanted;
        const char *name, *title;
        enum folder_sort sort;
        void (*visit)(void *context, const char *name, const char *path);
    } parts[] = {{variants, "variants", TEXT("variants"), FOLDER_VARIANTS, list_variant},
                 {bots, "bots", TEXT("bots"), FOLDER_BOTS, list_bot}};
    for (int i = 0; i < 2; i++) {
        if (!parts[i].wanted) continue;
        listing.json = as_json ? json_array() : NULL;
        if (!as_json) puts(language_text(language, parts[i].title));
        folders_list(&folders, parts[i].sort, parts[i].visit, &listing);
        if (as_json) json_object_set_new(document, parts[i].name, listing.json);
    }
    if (setups) {
        listing.json = as_json ? json_array() : NULL;
        if (!as_json) printf("setups\n");
        list_setups(&listing);
        if (as_json) json_object_set_new(document, "setups", listing.json);
    }
    if (as_json) {
        json_dumpf(document, stdout, JSON_INDENT(1));
        putchar('\n');
        json_decref(document);
    }
    language_free(language);
    return listing.exit_code;
}
