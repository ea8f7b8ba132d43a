/* cli.c - helpers of the commands: printing faults, loading variants and languages. */
#define _GNU_SOURCE /* vasprintf */
#include "cli.h"

#include "base/descriptors.h"
#include "base/fault.h"
#include "base/files.h"
#include "base/lines.h"
#include "base/paths.h"
#include "base/utf8.h"
#include "cli/columns.h"
#include "host/bot_levels.h"
#include "host/players.h"
#include "jail/jail.h"
#include "jail/loader.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

const char *cli_program = "ensign";

void cli_print_word(FILE *out, const char *word) {
    size_t plain = strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_-+=./,:@%");
    if (plain && !word[plain]) {
        fputs(word, out);
        return;
    }
    if (!utf8_is_safe(word, strlen(word))) {
        fputs("$'", out); /* for bash, zsh and ksh */
        for (; *word; word++) {
            bool letter = *word >= ' ' && *word <= '~' && *word != '\'' && *word != '\\';
            fprintf(out, letter ? "%c" : "\\x%02x", (unsigned char)*word);
        }
        putc('\'', out);
        return;
    }
    putc('\'', out);
    for (; *word; word++) fputs(*word == '\'' ? "'\\''" : (char[]){*word, 0}, out);
    putc('\'', out);
}

void cli_name_program(const char *word) {
    char *quoted;
    size_t length;
    FILE *out = open_memstream(&quoted, &length);
    if (!out) return;
    cli_print_word(out, word);
    if (!fclose(out)) cli_program = quoted;
}

void cli_line(FILE *out, const char *format, ...) {
    char *text = NULL;
    va_list args;
    va_start(args, format);
    if (vasprintf(&text, format, args) < 0) text = NULL;
    va_end(args);
    if (!text) return;
    utf8_make_safe(text);
    fprintf(out, "%s\n", text);
    free(text);
}

void cli_json_add(json_t **list, json_t *value) {
    if (!*list) {
        json_decref(value);
    } else if (json_array_append_new(*list, value)) {
        json_decref(*list);
        *list = NULL;
    }
}

int cli_json(json_t *document, size_t flags) {
    if (!document || json_dumpf(document, stdout, flags)) {
        struct fault fault = {0};
        fault_set(&fault, STATUS_NO_MEMORY,
                  document ? "the result cannot be written" : "out of memory");
        json_decref(document);
        return cli_fail(&fault);
    }
    putchar('\n');
    json_decref(document);
    return EXIT_DONE;
}

enum { EXCERPT_AROUND = 2, EXCERPT_COLUMNS = 100, EXCERPT_BYTES_MAX = 1 << 20 };

static bool is_script_fault(enum status status) {
    return status == STATUS_SCRIPT || status == STATUS_FUEL || status == STATUS_MEMORY ||
           status == STATUS_TIME;
}

/* Prints a line of an untrusted file: fault_set() replaces all but printable ASCII and well-formed
 * UTF-8. */
static void print_excerpt_line(FILE *out, int number, bool marked, char *line, size_t length) {
    struct fault shown;
    for (size_t i = 0; i < length; i++)
        if (line[i] == '\t') line[i] = ' ';
    fault_set(&shown, STATUS_OK, "%.*s%s",
              (int)(length < EXCERPT_COLUMNS ? length : EXCERPT_COLUMNS), line,
              length > EXCERPT_COLUMNS ? " ..." : "");
    fprintf(out, "%c %4d | %s\n", marked ? '>' : ' ', number, shown.text);
}

/* Points at a column, which counts bytes from 1. */
static void print_caret(FILE *out, const char *line, size_t length, int column) {
    char before[EXCERPT_COLUMNS + 1];
    if (column < 1 || (size_t)column > length || column > EXCERPT_COLUMNS) return;
    snprintf(before, sizeof before, "%.*s", column - 1, line);
    fprintf(out, ">      | %*s^\n", columns_of(before, SIZE_MAX), "");
}

static void print_excerpt(FILE *out, const struct fault *fault, bool points) {
    size_t length;
    char *text = files_read(fault->file, EXCERPT_BYTES_MAX, &length, NULL);
    if (!text) return;
    char *line = text + lines_mark(text, length);
    for (int number = 1; number <= fault->line + EXCERPT_AROUND && line < text + length; number++) {
        size_t size = lines_length(line, (size_t)(text + length - line));
        if (number >= fault->line - EXCERPT_AROUND)
            print_excerpt_line(out, number, number == fault->line, line, size);
        if (number == fault->line && points) print_caret(out, line, size, fault->column);
        line += size;
        line += lines_break(line, text + length);
    }
    free(text);
}

void cli_excerpt(FILE *out, const struct fault *fault) {
    if (is_script_fault(fault->status) && fault->line > 0 && strcmp(fault->file, "-") != 0)
        print_excerpt(out, fault, false);
}

void cli_excerpt_lines(FILE *out, const struct fault *fault) {
    if (fault->line > 0 && path_ends(fault->file, ".lua")) print_excerpt(out, fault, true);
}

int cli_fail(const struct fault *fault) {
    char line[FAULT_FILE_MAX + LANGUAGE_TEXT_MAX];
    language_fault_line(cli_tongue(), fault, line, sizeof line);
    fprintf(stderr, "ensign: %s\n", line);
    cli_excerpt(stderr, fault);
    return status_exit_code(fault->status);
}

int cli_complain(struct complaints *complaints, const struct fault *fault) {
    return complaints->count++ < COMPLAINTS_SHOWN ? cli_fail(fault)
                                                  : status_exit_code(fault->status);
}

static void print_left_out(size_t all, size_t shown) {
    if (all > shown)
        language_line(stderr, cli_tongue(), "ensign: and {1} more", NUMBER_TEXT(all - shown));
}

void cli_complained(struct complaints *complaints) {
    print_left_out(complaints->count, COMPLAINTS_SHOWN);
    complaints->count = 0;
}

void cli_remarks(const struct faults *faults) {
    const struct language *language = cli_tongue();
    size_t shown = faults->count < COMPLAINTS_SHOWN ? faults->count : COMPLAINTS_SHOWN;
    for (size_t i = 0; i < shown; i++) {
        const struct remark *remark = &faults->list[i];
        char text[FAULT_FILE_MAX + LANGUAGE_TEXT_MAX];
        language_fault_line(language, &remark->fault, text, sizeof text);
        language_print(stderr, language,
                       remark->warning ? TEXT("ensign: warning: {1}") : "ensign: {1}", text);
        if (remark->page[0]) language_print(stderr, language, " (see {1})", remark->page);
        fputc('\n', stderr);
        cli_excerpt(stderr, &remark->fault);
    }
    print_left_out(faults->errors + faults->warnings, shown);
}

int cli_misuse(const char *command, const char *format, ...) {
    char text[LANGUAGE_TEXT_MAX];
    struct fault fault = {0};
    va_list args;
    va_start(args, format);
    fault_setv(&fault, STATUS_USAGE, format, args);
    va_end(args);
    language_fault(cli_tongue(), &fault, text, sizeof text);
    language_line(stderr, cli_tongue(), "ensign {1}: {2} (see \"{3} {1} --help\")", command, text,
                  cli_program);
    return EXIT_USAGE;
}

int cli_lacks(const char *command, const char *part) {
    language_line(stderr, cli_tongue(),
                  "ensign {1}: this program was built without {2} (see \"{3} --version\")", command,
                  part, cli_program);
    return EXIT_HOST;
}

const char *cli_noun(uint64_t number, const char *one, const char *many) {
    return number == 1 ? one : many;
}

bool cli_folders(struct folders *folders) {
    struct fault fault = {0};
    if (folders_find(folders, &fault)) return true;
    cli_fail(&fault);
    return false;
}

struct rules *cli_variant(const struct folders *folders, const char *name, int *exit_code) {
    struct fault fault = {0};
    struct faults *faults = faults_new();
    if (!faults) {
        fault_set(&fault, STATUS_NO_MEMORY, "no memory to load a variant");
        *exit_code = cli_fail(&fault);
        return NULL;
    }
    struct rules *rules = loader_examine(folders, name, faults);
    *exit_code = EXIT_DONE;
    if (!rules) {
        const struct fault *first = faults_first(faults);
        *exit_code = cli_fail(first);
        if (faults->errors > 1)
            language_line(stderr, cli_tongue(), "ensign: and {1} more; \"{2} check {3}\" shows all",
                          NUMBER_TEXT(faults->errors - 1), cli_program, first->file);
    }
    free(faults);
    return rules;
}

/* The language tag of a locale: "uk" of "uk_UA.UTF-8". Empty if there is none, or if the locale's
 * encoding is not UTF-8. */
static void locale_tag(const char *locale, char tag[NAME_TAG_MAX]) {
    const char *letters = strchr(locale, '.');
    bool readable =
        !letters || !strncasecmp(letters, ".utf-8", 6) || !strncasecmp(letters, ".utf8", 5);
    size_t length = strspn(locale, "abcdefghijklmnopqrstuvwxyz");
    bool ends = !locale[length] || strchr("_.@-", locale[length]);
    if (!readable || !ends || length < 2 || length > 3) length = 0;
    snprintf(tag, NAME_TAG_MAX, "%.*s", (int)length, locale);
}

/* The language of what is printed. */
static struct {
    struct language *language; /* NULL: English */
    bool chosen;
} tongue;

bool cli_speak(const char *wanted, int *exit_code) {
    char tag[NAME_TAG_MAX];
    struct folders folders;
    struct fault fault = {0};
    struct language *language = NULL;
    locale_tag(wanted, tag);
    if (strcmp(tag, "en") != 0) {
        if (folders_find(&folders, &fault))
            language = loader_language(&folders, *tag ? tag : wanted, &fault);
        if (!language) {
            *exit_code = cli_fail(&fault);
            return false;
        }
    }
    language_free(tongue.language);
    tongue.language = language;
    tongue.chosen = true;
    return true;
}

/* The tag of LC_ALL, LC_MESSAGES or LANG. */
static void environment_tag(char tag[NAME_TAG_MAX]) {
    static const char *const variables[] = {"LC_ALL", "LC_MESSAGES", "LANG"};
    *tag = 0;
    for (int i = 0; i < 3; i++) {
        const char *value = getenv(variables[i]);
        if (!value || !*value) continue;
        locale_tag(value, tag);
        return;
    }
}

const struct language *cli_tongue(void) {
    char tag[NAME_TAG_MAX];
    struct folders folders;
    struct fault fault = {0};
    if (tongue.chosen) return tongue.language;
    tongue.chosen = true; /* a fault of the language itself is printed in English */
    environment_tag(tag);
    if (!*tag || !strcmp(tag, "en") || !folders_find(&folders, &fault)) return NULL;
    tongue.language = loader_language(&folders, tag, &fault);
    if (!tongue.language && fault.status != STATUS_NOT_FOUND) cli_fail(&fault);
    return tongue.language;
}

const char *cli_repetition_hint(const char *player, const struct rules *rules) {
    if (!player_is_unaware(player, rules)) return NULL;
    return language_text(cli_tongue(),
                         TEXT("programs of the UCC protocol do not know the repetition rules of "
                              "this variant and may lose by them; milton-bradley has none"));
}

const char *cli_cage_warning(void) {
    return jail_filters() ? NULL
                          : TEXT("this system cannot filter system calls; bots run under the other "
                                 "limits only");
}

bool cli_template(bool trust, const struct player_options *options, struct template **template,
                  struct fault *fault) {
    *template = NULL;
    if (!descriptors_reserve(DESCRIPTORS_OF_PLAY, fault)) return false;
    if (trust) return true;
    if (cli_cage_warning())
        fprintf(stderr, "ensign: %s\n", language_text(cli_tongue(), cli_cage_warning()));
    *template = player_template(options, fault);
    return *template;
}

bool cli_appraiser(const struct folders *folders, const char *asked, char name[FOLDER_PATH_MAX],
                   int *exit_code) {
    struct bot_levels ladder;
    struct fault fault = {0};
    if (asked) {
        snprintf(name, FOLDER_PATH_MAX, "%s", asked);
        return true;
    }
    if (bot_levels_read(folders, &ladder, &fault)) {
        const struct rung *rung = bot_levels_appraiser(&ladder);
        if (rung) snprintf(name, FOLDER_PATH_MAX, "%s", rung->name);
        if (!rung)
            fault_set(&fault, STATUS_NOT_FOUND,
                      "no bot here says how its chances stand; name one with --bot");
    }
    bot_levels_clear(&ladder);
    if (fault.status == STATUS_OK) return true;
    *exit_code = cli_fail(&fault);
    return false;
}
