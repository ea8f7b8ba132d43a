/* new.c - `ensign new`: writes a working file to start from.
 *
 * The texts are templates in scripts/starters/ whose @WORDS@ are filled in. A new variant is loaded
 * once before it is written; an existing file is never overwritten. */
#include "base/files.h"
#include "base/words.h"
#include "bot/bot.h"
#include "cli.h"
#include "core/text/layout.h"
#include "host/wall/loader.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SORT_VARIANT, SORT_BOT, SORT_SETUP };
static const char *const SORTS[] = {"variant", "bot", "setup", NULL};

struct new_values {
    int sort;
    const char *name;
    const char *from, *variant; /* NULL: not given */
    uint64_t seed;              /* UINT64_MAX: not given */
};

static int run_new(const void *values);
const struct command command_new = {
    COMMAND(new, .seed = UINT64_MAX),
    .summary = "write a commented file to start from: a variant, a bot, a set-up",
    .synopsis = {"variant NAME [--from VARIANT]", "bot NAME", "setup NAME [-v VARIANT] [--seed N]"},
    .prose =
        "Writes a short commented file to start from, in the current folder: variants/NAME.lua, "
        "bots/NAME.lua or variants/setups/NAME.txt. An existing file is never overwritten.",
    .arguments = {{NULL, 0, NULL, VALUE_WORD, INTO(new, sort), .words = SORTS, .needed = true},
                  {NULL, 0, "NAME", VALUE_TEXT, INTO(new, name),
                   "a name that begins with a small letter", .needed = true}},
    .options =
        {
            {"from", 0, "VARIANT", VALUE_VARIANT, INTO(new, from),
             "variant that the new one extends (default duel)"},
            {OPTION_VARIANT, INTO(new, variant), "variant of the new set-up (default original)"},
            {"seed", 0, "N", VALUE_NUMBER, INTO(new, seed),
             "seed of the random army in the new set-up (default 1)", .most = UINT64_MAX - 1},
        },
};

enum { STARTER_BYTES_MAX = 1 << 16, WORDS_MAX = 12, VALUE_MAX = 1024, COMMAND_MAX = 1200 };

/* The new file, and the values of the template's @WORDS@. */
struct starter {
    const struct folders *folders;
    const char *name;           /* of the variant, bot or set-up */
    char title[WORD_MAX];       /* the name as a title */
    char path[FOLDER_PATH_MAX]; /* of the new file */
    int words;
    struct {
        const char *word;
        char value[VALUE_MAX];
    } word[WORDS_MAX];
};

static void set_word(struct starter *starter, const char *word, const char *value) {
    starter->word[starter->words].word = word;
    snprintf(starter->word[starter->words++].value, VALUE_MAX, "%s", value);
}

static void set_number(struct starter *starter, const char *word, int value) {
    char text[16];
    snprintf(text, sizeof text, "%d", value);
    set_word(starter, word, text);
}

/* A template with its words filled in; NULL with a fault. The caller frees. */
static char *starter_fill(const struct starter *starter, const char *file, struct fault *fault) {
    char path[FOLDER_PATH_MAX + 64];
    size_t length, used = 0;
    snprintf(path, sizeof path, "%s/starters/%s", starter->folders->scripts, file);
    char *pattern = files_read(path, STARTER_BYTES_MAX, &length, fault);
    char *out = pattern ? calloc(2, STARTER_BYTES_MAX) : NULL;
    if (pattern && !out) fault_set(fault, STATUS_NO_MEMORY, "no memory for a file");
    for (const char *at = pattern; out && *at && used < STARTER_BYTES_MAX;) {
        size_t word = *at == '@' ? strspn(at + 1, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") : 0;
        bool filled = false;
        for (int i = 0; word && at[word + 1] == '@' && i < starter->words; i++) {
            if (strlen(starter->word[i].word) != word) continue;
            if (strncmp(starter->word[i].word, at + 1, word) != 0) continue;
            used += (size_t)snprintf(out + used, VALUE_MAX, "%s", starter->word[i].value);
            at += word + 2;
            filled = true;
            break;
        }
        if (!filled) out[used++] = *at++;
    }
    free(pattern);
    return out;
}

/* The most numerous kind other than the flag, mobile kinds first. The new variant has one fewer of
 * it, to make room for its own piece. */
static kind_id most_numerous(const struct rules *rules) {
    kind_id best = KIND_NONE;
    for (kind_id kind = 1; kind <= rules->kinds; kind++) {
        const struct kind *it = &rules->kind[kind], *other = &rules->kind[best];
        if (it->flag) continue;
        bool moves = it->movement != MOVEMENT_NONE;
        bool other_moves = best != KIND_NONE && other->movement != MOVEMENT_NONE;
        if (best == KIND_NONE || (moves && !other_moves) ||
            (moves == other_moves && it->count > other->count))
            best = kind;
    }
    return best;
}

/* Sets the words that depend on the extended variant. */
static void set_variant_words(struct starter *starter, const struct rules *rules,
                              const char *base) {
    static const char *const names[] = {"rider", "lancer", "herald", "warden", "ranger"};
    static const char letters[] = "RLHWAEGIKNOQTUVYZCDJMPSXBF0123456789";
    kind_id fewer = most_numerous(rules);
    const char *piece = names[0];
    char letter[2] = "R";
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        piece = names[i];
        if (rules_kind(rules, piece, strlen(piece)) == KIND_NONE) break;
    }
    for (const char *at = letters; *at; at++) {
        *letter = *at;
        if (rules_kind_of_letter(rules, *at) == KIND_NONE) break;
    }
    set_word(starter, "BASE", base);
    set_word(starter, "FEWER", rules->kind[fewer].name);
    set_number(starter, "COUNT", rules->kind[fewer].count - 1);
    set_word(starter, "PIECE", piece);
    set_word(starter, "LETTER", letter);
    set_number(starter, "RANK", rules->kind[fewer].rank + 1);
    set_word(starter, "STRONGEST", rules->kind[rules->kinds].name);
}

/* Writes the file and prints two commands to try with it. */
static int write_file(const struct starter *starter, const char *text, const char *first,
                      const char *second) {
    struct fault fault = {0};
    if (!files_folders(starter->path, SIZE_MAX, &fault) ||
        !files_write_new(starter->path, text, strlen(text), 0, &fault))
        return cli_fail(&fault);
    printf("wrote %s; open it in an editor, then type\n  %s %s\n  %s %s\n", starter->path,
           cli_program, first, cli_program, second);
    return EXIT_DONE;
}

static int new_variant(struct starter *starter, const char *base) {
    int code;
    struct fault fault = {0};
    char check[COMMAND_MAX], watch[COMMAND_MAX];
    snprintf(check, sizeof check, "check %s", starter->path);
    snprintf(watch, sizeof watch, "watch %s", starter->path);
    struct rules *rules = cli_variant(starter->folders, base, &code);
    if (!rules) return code;
    set_variant_words(starter, rules, base);
    rules_free(rules);
    char *text = starter_fill(starter, "variant.lua.in", &fault);
    rules = text ? loader_variant_text(starter->folders, starter->path, text, strlen(text), &fault)
                 : NULL;
    code = rules ? write_file(starter, text, check, watch) : cli_fail(&fault);
    rules_free(rules);
    free(text);
    return code;
}

static int new_bot(struct starter *starter) {
    struct fault fault = {0};
    char check[COMMAND_MAX], match[COMMAND_MAX];
    snprintf(check, sizeof check, "check %s", starter->path);
    snprintf(match, sizeof match, "match %s rookie -v duel -n 100", starter->name);
    char *text = starter_fill(starter, "bot.lua.in", &fault);
    int code = text ? write_file(starter, text, check, match) : cli_fail(&fault);
    free(text);
    return code;
}

/* "# 1 F Flag, 6 B Bomb, …" over several lines. */
static void set_counts(struct starter *starter, const struct rules *rules) {
    char text[VALUE_MAX] = "#";
    size_t length = 1, line = 1;
    for (kind_id kind = 1; kind <= rules->kinds; kind++) {
        const struct kind *it = &rules->kind[kind];
        char item[2 * WORD_MAX];
        size_t size = (size_t)snprintf(item, sizeof item, " %d %c %s%s", it->count, it->letter,
                                       it->name, kind < rules->kinds ? "," : "");
        if (length + size + 3 > sizeof text) break;
        if (line + size > 96) {
            length += (size_t)snprintf(text + length, sizeof text - length, "\n#");
            line = 1;
        }
        memcpy(text + length, item, size + 1);
        length += size;
        line += size;
    }
    set_word(starter, "COUNTS", text);
}

static int new_setup(struct starter *starter, const char *variant, uint64_t seed) {
    int code;
    struct fault fault = {0};
    struct rules *rules = cli_variant(starter->folders, variant, &code);
    if (!rules) return code;
    struct setup setup;
    char *text = NULL, line[SETUP_TEXT_MAX];
    struct random random = random_stream(seed, STREAM_RED_SETUP, 0);
    if (setup_random(rules, &random, &setup, &fault)) {
        setup_write(rules, &setup, line);
        for (char *slash = line; (slash = strchr(slash, '/'));) *slash = '\n';
        set_word(starter, "VARIANT", variant);
        set_word(starter, "SETUP", line);
        set_counts(starter, rules);
        text = starter_fill(starter, "setup.txt.in", &fault);
    }
    char check[COMMAND_MAX], play[COMMAND_MAX];
    snprintf(check, sizeof check, "check %s -v %s", starter->path, variant);
    snprintf(play, sizeof play, "play %s --setup %s", variant, starter->name);
    code = text ? write_file(starter, text, check, play) : cli_fail(&fault);
    free(text);
    rules_free(rules);
    return code;
}

/* Names become file names and words of commands. The title of "my-game" is "My game". */
static bool take_name(struct starter *starter, const char *name) {
    if (!word_is_new_name(name)) {
        cli_misuse("new",
                   "\"%s\": a name begins with a small letter and has small letters, digits, '-' "
                   "and '_', at most %d in all",
                   name, WORD_MAX - 1);
        return false;
    }
    starter->name = name;
    snprintf(starter->title, sizeof starter->title, "%s", name);
    for (char *at = starter->title; *at; at++)
        if (*at == '-' || *at == '_') *at = ' ';
    starter->title[0] = (char)toupper((unsigned char)starter->title[0]);
    set_word(starter, "TITLE", starter->title);
    return true;
}

/* The place of each sort of file. */
static const struct {
    const char *folder, *ending;
    enum folder_sort sort;
} PLACES[] = {
    [SORT_VARIANT] = {"variants", ".lua", FOLDER_VARIANTS},
    [SORT_BOT] = {"bots", ".lua", FOLDER_BOTS},
    [SORT_SETUP] = {"variants/setups", ".txt", FOLDER_SETUPS},
};

/* False if the name is taken anywhere on the search path: the new file would hide the old one. */
static bool is_new(const struct starter *starter, int sort) {
    char path[FOLDER_PATH_MAX];
    struct fault none;
    if (!folders_resolve(starter->folders, PLACES[sort].sort, starter->name, path, &none))
        return true;
    cli_misuse("new", "there is a %s \"%s\" already: %s", SORTS[sort], starter->name, path);
    return false;
}

static int starter_make(struct starter *starter, const struct new_values *asked) {
    snprintf(starter->path, sizeof starter->path, "%s/%s%s", PLACES[asked->sort].folder,
             starter->name, PLACES[asked->sort].ending);
    if (!is_new(starter, asked->sort)) return EXIT_USAGE;
    switch (asked->sort) {
    case SORT_VARIANT:
        return new_variant(starter, asked->from ? asked->from : "duel");
    case SORT_BOT:
        return new_bot(starter);
    default:
        return new_setup(starter, asked->variant ? asked->variant : "original",
                         asked->seed != UINT64_MAX ? asked->seed : 1);
    }
}

/* Each option belongs to one sort. */
static bool options_fit(const struct new_values *asked) {
    bool seed = asked->seed != UINT64_MAX;
    const char *wrong = asked->from && asked->sort != SORT_VARIANT ? "--from goes with a variant"
                        : asked->variant && asked->sort != SORT_SETUP
                            ? "--variant goes with a setup"
                        : seed && asked->sort != SORT_SETUP ? "--seed goes with a setup"
                                                            : NULL;
    if (wrong) cli_misuse("new", "%s", wrong);
    return !wrong;
}

static int run_new(const void *values) {
    const struct new_values *asked = values;
    const char *from = asked->from;
    struct folders folders;
    struct starter starter = {.folders = &folders};
    if (from && (strchr(from, '/') || strchr(from, '.')))
        return cli_misuse("new", "--from takes the name of a variant, not the path \"%s\"", from);
    if (!options_fit(asked) || !take_name(&starter, asked->name)) return EXIT_USAGE;
    if (!cli_folders(&folders)) return EXIT_HOST;
    return starter_make(&starter, asked);
}
