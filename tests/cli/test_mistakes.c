/* Typical mistakes in bots, variants, set-ups, records, languages and commands, each with its
 * message: place, value and remedy. tests/data/mistakes.txt holds them. */
#include "console.h"
#include "program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

enum { LINES_MAX = 64, WORDS_MAX = 16, MISTAKES_LEAST = 40 };

struct mistake {
    char *sort, *title, *body, *expected[LINES_MAX];
    int count;
};

/* Takes the mistake that begins at `at`, behind its "=== ", apart; returns where the next one does,
 * or NULL. */
static char *take_mistake(char *at, struct mistake *mistake) {
    char *next = strstr(at, "\n=== "), *line;
    memset(mistake, 0, sizeof *mistake);
    if (next) *next = 0, next += 5;
    mistake->sort = strsep(&at, ":");
    mistake->title = strsep(&at, "\n");
    mistake->body = at;
    at = strstr(at, "\n>>> ");
    if (!at) fail_msg("%s: no line with \">>> \"", mistake->title);
    at++[0] = 0;
    while ((line = strsep(&at, "\n")))
        if (!strncmp(line, ">>> ", 4)) mistake->expected[mistake->count++] = line + 4;
    return next;
}

/* Runs the command of the mistake on its file, whose path is left in `path`. */
static struct program_run make_mistake(const struct mistake *mistake, char path[256]) {
    static const struct {
        const char *sort, *file, *words[8];
    } sorts[] = {
        {"bot", "bots/mistake.lua", {"check", "-v", "duel"}},
        {"variant", "mistake.lua", {"check", "--balance", "0", "-n", "20"}},
        {"setup", "mistake.txt", {"check", "-v", "duel"}},
        {"record", "mistake.rec", {"check"}},
        {"language", "mistake.lua", {"show", "duel", "--lang"}},
    };
    const char *words[WORDS_MAX] = {NULL};
    int count = 0;
    if (!strcmp(mistake->sort, "command")) {
        for (char *rest = mistake->body, *word; (word = strsep(&rest, " "));) words[count++] = word;
        path[0] = 0;
        return program_run(NULL, words);
    }
    for (size_t i = 0; i < sizeof sorts / sizeof *sorts; i++) {
        if (strcmp(sorts[i].sort, mistake->sort) != 0) continue;
        snprintf(path, 256, "%s", console_file(0, sorts[i].file, mistake->body));
        while (sorts[i].words[count]) words[count] = sorts[i].words[count], count++;
        words[count] = path;
        return program_run(NULL, words);
    }
    fail_msg("%s: what is a %s?", mistake->title, mistake->sort);
    abort();
}

/* Does the line hold the expectation, in which FILE stands for the path? */
static bool line_fits(const char *line, const char *expected, const char *path) {
    char whole[1024];
    const char *at = path[0] ? strstr(expected, "FILE") : NULL;
    if (!at) return strstr(line, expected);
    snprintf(whole, sizeof whole, "%.*s%s%s", (int)(at - expected), expected, path, at + 4);
    return strstr(line, whole);
}

static void judge_messages(const struct mistake *mistake, const char *path,
                           const struct program_run *run) {
    int count = 0;
    char *rest = strdup(run->err), *all = rest, *line;
    while ((line = strsep(&rest, "\n"))) {
        if (strncmp(line, "ensign", 6) != 0) continue; /* of the excerpt */
        if (count >= mistake->count || !line_fits(line, mistake->expected[count], path))
            fail_msg("%s: %s\nexpected: %s\ngot: %s", mistake->sort, mistake->title,
                     count < mistake->count ? mistake->expected[count] : "no more", run->err);
        count++;
    }
    if (count != mistake->count)
        fail_msg("%s: %s\nexpected: %s\ngot: %s", mistake->sort, mistake->title,
                 mistake->expected[count], run->err);
    if (!run->exit_code) fail_msg("%s: %s: nothing is wrong", mistake->sort, mistake->title);
    free(all);
}

/* The text with another end of each line, behind a head. The caller frees. */
static char *rewritten(const char *text, const char *head, const char *end) {
    char *out = NULL;
    size_t length;
    FILE *file = open_memstream(&out, &length);
    fputs(head, file);
    for (; *text; text++)
        if (*text == '\n')
            fputs(end, file);
        else
            fputc(*text, file);
    fclose(file);
    return out;
}

/* Makes all mistakes of files, each written like that, and of commands if nothing is. */
static void make_mistakes(const char *head, const char *end) {
    char folder[128];
    int made = 0;
    const bool changed = *head || strcmp(end, "\n") != 0;
    FILE *file = fopen(ENSIGN_ROOT "/tests/data/mistakes.txt", "rb");
    assert_non_null(file);
    char *text = program_text(file), *at = strstr(text, "\n=== ");
    snprintf(folder, sizeof folder, "%s/bots", console_folder());
    mkdir(folder, 0700);
    assert_non_null(at);
    for (at += 5; at; made++) {
        struct mistake mistake;
        char path[256];
        at = take_mistake(at, &mistake);
        if (changed && !strcmp(mistake.sort, "command")) continue;
        char *body = mistake.body = rewritten(mistake.body, head, changed ? end : "\n");
        struct program_run run = make_mistake(&mistake, path);
        judge_messages(&mistake, path, &run);
        program_clear(&run);
        free(body);
    }
    assert_true(made >= MISTAKES_LEAST);
    free(text);
}

static void each_mistake_has_one_message_with_place_value_and_remedy(void **state) {
    (void)state;
    make_mistakes("", "\n");
}

static void a_mistake_has_the_same_place_whatever_ends_the_lines(void **state) {
    (void)state;
    make_mistakes("", "\r");
    make_mistakes("", "\r\n");
}

static void a_mistake_has_the_same_place_behind_a_mark_of_byte_order(void **state) {
    (void)state;
    make_mistakes("\xEF\xBB\xBF", "\r");
}

/* As Windows' editors once saved a text. */
static void a_text_in_utf_16_is_told_so(void **state) {
    (void)state;
    static const char *const names[] = {"bots/wide.lua", "wide.lua", "wide.txt", "wide.rec"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[256];
        snprintf(path, sizeof path, "%s", console_file(0, names[i], ""));
        FILE *file = fopen(path, "w");
        assert_non_null(file);
        fwrite("\xFF\xFE[\0V\0]\0\n\0", 1, 10, file);
        fclose(file);
        char expected[320];
        snprintf(expected, sizeof expected, "ensign: %s:1:1: is in UTF-16; UTF-8 is expected",
                 path);
        program_expect(program_run(NULL, (const char *const[]){"check", path, NULL}), 1, expected);
        if (i != 1) continue;
        snprintf(expected, sizeof expected, "ensign: %s:1: is in UTF-16; UTF-8 is expected", path);
        program_expect(program_run(NULL, (const char *const[]){"show", path, NULL}), 1, expected);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_mistake_has_one_message_with_place_value_and_remedy),
        cmocka_unit_test(a_mistake_has_the_same_place_whatever_ends_the_lines),
        cmocka_unit_test(a_mistake_has_the_same_place_behind_a_mark_of_byte_order),
        cmocka_unit_test(a_text_in_utf_16_is_told_so),
    };
    return cmocka_run_group_tests_name("cli/mistakes", tests, NULL, NULL);
}
