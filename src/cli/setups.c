/* setups.c - `ensign setups`: prints the set-up library or one set-up of it, or judges files of
 * set-ups: errors, repeats, mirror images, and maps of where each kind stands. */
#include "base/files.h"
#include "base/words.h"
#include "cli/setups/heat.h"
#include "columns.h"
#include "command.h"
#include "host/check/fitting.h"
#include "host/safe_json.h"
#include "host/setups/catalogue.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct setups_values {
    struct arguments sources;
    const char *variant, *lang, *renamed;
    bool list, json, deletes;
};

enum { IDEA_INDENT = 4, IDEA_COLUMNS = 76 };

/* Renames or deletes the user's own set-ups. */
static int change_library(const struct folders *folders, const struct language *language,
                          const struct setups_values *asked) {
    int code = EXIT_DONE;
    for (int i = 0; i < asked->sources.count; i++) {
        const char *name = asked->sources.list[i];
        char path[FOLDER_PATH_MAX];
        struct fault fault = {0};
        bool done = asked->deletes
                        ? setup_library_delete(folders, name, path, &fault)
                        : setup_library_rename(folders, name, asked->renamed, path, &fault);
        int one = EXIT_DONE;
        if (done)
            language_line(stdout, language,
                          asked->deletes ? TEXT("Deleted: {1}") : TEXT("The set-up is in {1}"),
                          path);
        else
            one = cli_fail(&fault);
        if (one > code) code = one;
    }
    return code;
}

static int run_setups(const void *values);
const struct command command_setups = {
    COMMAND(setups, .json = false),
    .summary = "browse named set-ups, or judge files of set-ups",
    .synopsis = {"[NAME|FILE…] [OPTIONS]"},
    .prose =
        "Without arguments, prints the set-ups of the library, front rank first, each with its "
        "idea. A NAME draws that set-up on its board. A FILE of set-ups is judged: wrong lines are "
        "reported, repeated and mirrored set-ups are counted, and maps show where each kind "
        "stands. A number before a set-up says how often it was seen.",
    .arguments = {{NULL, 0, "NAME|FILE", VALUE_SETUP, INTO(setups, sources),
                   "a set-up's name or a file", .many = true}},
    .options =
        {
            {OPTION_VARIANT, INTO(setups, variant),
             "of the library, only set-ups of this variant; for a FILE, its variant (default: "
             "original if its set-ups fit it, else the first that they fit)"},
            {"list", INTO(setups, list),
             "list the lines of a file that repeat or mirror an earlier line"},
            {"rename", 0, "NEW", VALUE_TEXT, INTO(setups, renamed),
             "give your own set-up NAME another name"},
            {"delete", INTO(setups, deletes),
             "delete your own set-ups of these names; those that come with the program stay",
             .excludes = "rename"},
            {OPTION_JSON, INTO(setups, json)},
            {OPTION_LANG, INTO(setups, lang)},
        },
};

struct judge {
    const struct folders *folders;
    const struct language *language;
    const char *variant; /* NULL if none was named */
    bool list;
    bool as_json;
    json_t *json;                 /* array of results; NULL without --json or without memory */
    struct rules *rules;          /* for files; loaded when first needed */
    const char *path;             /* of the file being read */
    json_t *faults;               /* of that file; NULL without --json or without memory */
    struct complaints complaints; /* about that file */
    int code;
};

/* The zone alone, its front rank first. */
static void draw_zone(const struct rules *rules, enum side side, const struct setup *setup) {
    const struct board *board = &rules->board;
    for (int rank = board->zone_ranks[side] - 1; rank >= 0; rank--) {
        printf("%*s", IDEA_INDENT - 1, "");
        for (int file = 0; file < board->files; file++) {
            square at = board_square(board, file, rank);
            kind_id kind = setup->at[at];
            char label[LABEL_MAX + 2];
            if (kind != KIND_NONE) picture_label(&rules->kind[kind], label);
            if (kind != KIND_NONE) printf(" [%s]", label);
            if (kind == KIND_NONE)
                fputs(squareset_has(board->lakes, board_own(board, side, at)) ? " ~~~~" : "   . ",
                      stdout);
        }
        putchar('\n');
    }
}

static void draw_setup(const struct rules *rules, enum side side, const struct setup *setup) {
    cell cells[BOARD_SQUARES_MAX] = {0};
    for (square at = 0; at < rules->board.squares; at++)
        if (setup->at[at] != KIND_NONE)
            cells[board_own(&rules->board, side, at)] = cell_of(side, setup->at[at]);
    struct terminal terminal = terminal_of(stdout);
    struct picture picture;
    picture_cells(&picture, rules, cells);
    picture.below = side;
    terminal_draw(&terminal, &picture, NULL, 0);
}

static void show_entry(struct judge *judge, const struct catalogue_entry *shown, bool whole) {
    if (judge->as_json) {
        cli_json_add(&judge->json, catalogue_json(shown));
        return;
    }
    cli_line(stdout, "  %s", shown->entry.name);
    if (whole)
        draw_setup(shown->rules, shown->side, &shown->entry.setup);
    else
        draw_zone(shown->rules, shown->side, &shown->entry.setup);
    printf("%*s", IDEA_INDENT, "");
    columns_wrap(stdout, language_text(judge->language, shown->entry.idea), IDEA_INDENT,
                 IDEA_INDENT, IDEA_COLUMNS);
}

/* Prints the library, or the set-up of that name. */
static int judge_browse(struct judge *judge, const char *name) {
    struct catalogue catalogue;
    struct fault fault = {0};
    struct word_guess guess = word_guess_for(name ? name : "");
    int code = EXIT_DONE;
    bool found = false;
    if (!catalogue_open(&catalogue, judge->folders, judge->variant, &fault)) {
        code = cli_fail(&fault);
        catalogue_close(&catalogue);
        return code;
    }
    const struct rules *group = NULL;
    for (size_t i = 0; i < catalogue.count; i++) {
        const struct catalogue_entry *entry = &catalogue.list[i];
        word_offer(&guess, entry->entry.name);
        if (name && strcmp(name, entry->entry.name) != 0) continue;
        found = true;
        if (!entry->rules) {
            cli_fail(&entry->fault);
            code = EXIT_SHORT;
            continue;
        }
        if (!judge->as_json && (name || entry->rules != group)) {
            if (group) putchar('\n');
            cli_line(stdout, "%s", entry->fits);
        }
        group = entry->rules;
        show_entry(judge, entry, name != NULL);
    }
    if (!name && !found && !judge->as_json) {
        if (judge->variant) {
            language_line(stdout, judge->language, "The library has no set-up for {1}.",
                          judge->variant);
        } else {
            language_line(stdout, judge->language, "The library has no set-ups.");
        }
    }
    if (name && !found) {
        if (judge->variant)
            fault_set(&fault, STATUS_NOT_FOUND, "no set-up \"%s\" for \"%s\"", name,
                      judge->variant);
        else
            fault_set(&fault, STATUS_NOT_FOUND, "no set-up \"%s\"", name);
        word_suggest(&guess, &fault);
        code = cli_fail(&fault);
    }
    catalogue_close(&catalogue);
    return code;
}

/* Reports a wrong line of the current file. */
static void judge_complain(void *context, const struct fault *wrong) {
    struct judge *judge = context;
    struct fault fault = *wrong;
    fault_place(&fault, judge->path, 0, 0);
    judge->code = EXIT_SHORT;
    if (judge->as_json) {
        cli_json_add(&judge->faults, json_pack("{s:i, s:i, s:s}", "line", fault.line, "column",
                                               fault.column, "text", fault.text));
    } else {
        cli_complain(&judge->complaints, &fault);
    }
}

/* `{"flag": [[shares of the front rank], …], …}` */
static json_t *heat_json(const struct rules *rules, enum side side,
                         const struct setup_tally *tally) {
    json_t *heat = json_object();
    for (kind_id kind = 1; kind <= rules->kinds; kind++) {
        json_t *ranks = json_array();
        for (int rank = rules->board.zone_ranks[side] - 1; rank >= 0; rank--) {
            json_t *shares = json_array();
            for (int file = 0; file < rules->board.files; file++) {
                uint64_t stood = tally->stood[kind][board_square(&rules->board, file, rank)];
                json_array_append_new(
                    shares, json_real(tally->seen ? (double)stood / (double)tally->seen : 0));
            }
            json_array_append_new(ranks, shares);
        }
        json_object_set_new(heat, rules->kind[kind].name, ranks);
    }
    return heat;
}

static json_t *twins_json(const struct setup_pool *setups, const struct setup_tally *tally) {
    json_t *twins = json_array();
    for (size_t i = 0; i < tally->twin_count; i++) {
        const struct setup_twins *pair = &tally->twins[i];
        json_array_append_new(twins, json_pack("{s:i, s:s, s:i}", "line",
                                               setups->origins[pair->second].line, "is",
                                               pair->mirrored ? "mirror" : "repeat", "of",
                                               setups->origins[pair->first].line));
    }
    return twins;
}

static void report_json(struct judge *judge, const struct setup_pool *setups,
                        const struct setup_tally *tally) {
    json_t *document =
        json_pack("{s:o, s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:O}", "file", safe_json(judge->path),
                  "variant", judge->rules->name, "setups", (json_int_t)setups->count, "seen",
                  (json_int_t)tally->seen, "distinct", (json_int_t)tally->distinct, "repeats",
                  (json_int_t)tally->repeats, "mirrors", (json_int_t)tally->mirrors, "symmetric",
                  (json_int_t)tally->symmetric, "faults", judge->faults);
    if (judge->list) json_object_set_new(document, "twins", twins_json(setups, tally));
    json_object_set_new(document, "heat", heat_json(judge->rules, setups->side, tally));
    cli_json_add(&judge->json, document);
}

static void print_count(const struct language *language, const char *english, size_t count) {
    printf("  ");
    columns_print(stdout, language_text(language, english), 31);
    printf("%8zu\n", count);
}

static void judge_report(struct judge *judge, const struct setup_pool *setups,
                         const struct setup_tally *tally) {
    const struct language *language = judge->language;
    language_line(stdout, language, "{1}: set-ups of {2}: {3}, seen {4} times", judge->path,
                  judge->rules->name, NUMBER_TEXT(setups->count), NUMBER_TEXT(tally->seen));
    print_count(language, TEXT("different ones"), tally->distinct);
    print_count(language, TEXT("lines that repeat another"), tally->repeats);
    print_count(language, TEXT("pairs that mirror each other"), tally->mirrors);
    if (tally->symmetric) print_count(language, TEXT("symmetric"), tally->symmetric);
    for (size_t i = 0; judge->list && i < tally->twin_count; i++) {
        const struct setup_twins *pair = &tally->twins[i];
        printf("  ");
        language_line(stdout, language,
                      pair->mirrored ? TEXT("line {1} mirrors line {2}")
                                     : TEXT("line {1} repeats line {2}"),
                      NUMBER_TEXT(setups->origins[pair->second].line),
                      NUMBER_TEXT(setups->origins[pair->first].line));
    }
    struct terminal terminal = terminal_of(stdout);
    if (setups->count) heat_draw(&terminal, language, judge->rules, setups->side, tally);
}

static int judge_file(struct judge *judge, const char *path) {
    struct fault fault = {0};
    struct setup_pool setups = {0};
    struct setup_tally tally = {0};
    size_t length;
    int code = EXIT_DONE;
    if (judge->variant && !judge->rules) {
        judge->rules = cli_variant(judge->folders, judge->variant, &code);
        if (!judge->rules) return code;
    }
    judge->code = EXIT_DONE;
    judge->path = strcmp(path, "-") != 0 ? path : "standard input";
    judge->faults = judge->as_json ? json_array() : NULL;
    char *text = files_read_text(path, SETUP_POOL_BYTES_MAX, &length, &fault);
    if (text && !judge->variant) {
        rules_free(judge->rules);
        judge->rules = fitting_setups(judge->folders, text, length, &fault).rules;
    }
    bool read = text && judge->rules &&
                setup_pool_survey(judge->rules, setup_pool_side(judge->rules, text, length), text,
                                  length, judge_complain, judge, &setups, &fault);
    cli_complained(&judge->complaints);
    if (read && setup_tally(judge->rules, &setups, &tally, &fault)) {
        if (judge->as_json) {
            report_json(judge, &setups, &tally);
        } else {
            fflush(stderr);
            judge_report(judge, &setups, &tally);
        }
    } else {
        if (!fault.file[0]) fault_place(&fault, judge->path, 0, 0);
        judge->code = cli_fail(&fault);
    }
    json_decref(judge->faults);
    setup_tally_clear(&tally);
    setup_pool_clear(&setups);
    free(text);
    return judge->code;
}

/* A word that is both a name in the library and a file counts as the name. */
static bool is_file(const struct folders *folders, const char *word) {
    char path[FOLDER_PATH_MAX];
    struct stat about;
    if (!word_is_name(word)) return true;
    return !folders_resolve(folders, FOLDER_SETUPS, word, path, NULL) && !stat(word, &about) &&
           S_ISREG(about.st_mode);
}

static int run_setups(const void *values) {
    const struct setups_values *asked = values;
    struct folders folders;
    int code = EXIT_DONE;
    if (asked->renamed && asked->sources.count != 1)
        return cli_misuse("setups", "--rename NEW: one NAME is expected");
    if (asked->deletes && !asked->sources.count)
        return cli_misuse("setups", "--delete: a NAME is expected");
    if (!cli_folders(&folders)) return EXIT_HOST;
    struct judge judge = {.folders = &folders,
                          .language = cli_tongue(),
                          .variant = asked->variant,
                          .list = asked->list,
                          .as_json = asked->json};
    if (asked->renamed || asked->deletes) return change_library(&folders, judge.language, asked);
    judge.json = asked->json ? json_array() : NULL;
    int count = asked->sources.count;
    if (!count) code = judge_browse(&judge, NULL);
    for (int i = 0; i < count; i++) {
        const char *source = asked->sources.list[i];
        int one =
            is_file(&folders, source) ? judge_file(&judge, source) : judge_browse(&judge, source);
        if (one > code) code = one;
    }
    if (asked->json) {
        bool one = count == 1 && json_array_size(judge.json) == 1;
        int printed =
            cli_json(one ? json_incref(json_array_get(judge.json, 0)) : json_incref(judge.json),
                     JSON_INDENT(1));
        if (printed > code) code = printed;
        json_decref(judge.json);
    }
    rules_free(judge.rules);
    return code;
}
