/* The pages (every *.md) as a reader finds them: the first is short, lines are, too, and links lead
 * somewhere. So do the names of pages in messages and comments. */
#include "base/files.h"

#include <ctype.h>
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

enum { PATH_LENGTH = 1024, FIRST_PAGE_MAX = 10240, LINE_MAX_COLUMNS = 100 };

static char *read_text(const char *path) {
    size_t length;
    struct fault fault = {0};
    char *text = files_read(path, 1 << 20, &length, &fault);
    if (!text) fail_msg("%s: %s", path, fault.text);
    return text;
}

static bool ends_with(const char *text, const char *end) {
    const size_t length = strlen(text);
    return length >= strlen(end) && !strcmp(text + length - strlen(end), end);
}

/* Calls `use` with each file below the folder whose name has one of the endings; returns how many
 * there were. Hidden folders and those of builds are left out. */
static int each_file(const char *folder, const char *const *endings,
                     void (*use)(const char *path)) {
    DIR *open = opendir(folder);
    int count = 0;
    if (!open) fail_msg("%s cannot be read", folder);
    for (struct dirent *entry; (entry = readdir(open));) {
        char path[PATH_LENGTH];
        struct stat status;
        const char *name = entry->d_name;
        if (*name == '.' || !strncmp(name, "build", 5)) continue;
        assert_true(snprintf(path, sizeof path, "%s/%s", folder, name) < PATH_LENGTH);
        if (lstat(path, &status)) continue;
        if (S_ISDIR(status.st_mode)) count += each_file(path, endings, use);
        if (!S_ISREG(status.st_mode)) continue;
        for (int i = 0; endings[i]; i++) {
            if (!ends_with(name, endings[i])) continue;
            use(path);
            count++;
        }
    }
    closedir(open);
    return count;
}

/* The next line, with its end cut off; NULL after the last. `code` says whether it is in a block of
 * code, fences included. */
static char *next_line(char **rest, bool *code, bool *fenced) {
    char *line = strsep(rest, "\n");
    if (!line) return NULL;
    const bool fence = !strncmp(line, "```", 3);
    *code = *fenced || fence;
    if (fence) *fenced = !*fenced;
    return line;
}

/* The anchor of a heading: small letters, blanks as hyphens, other signs left out. */
static void heading_anchor(const char *heading, char *anchor, size_t size) {
    size_t used = 0;
    for (; *heading && used + 1 < size; heading++) {
        const unsigned char byte = (unsigned char)*heading;
        if (byte == ' ')
            anchor[used++] = '-';
        else if (isalnum(byte) || byte == '-' || byte == '_' || byte >= 0x80)
            anchor[used++] = (char)tolower(byte);
    }
    anchor[used] = 0;
}

static bool has_anchor(const char *path, const char *wanted) {
    char *text = read_text(path), *rest = text, *line;
    bool code, fenced = false, found = false;
    while (!found && (line = next_line(&rest, &code, &fenced))) {
        const size_t level = strspn(line, "#");
        char anchor[256];
        if (code || !level || line[level] != ' ') continue;
        heading_anchor(line + level + 1, anchor, sizeof anchor);
        found = !strcmp(anchor, wanted);
    }
    free(text);
    return found;
}

/* Fails unless the target, "PATH#ANCHOR" or a part of it, is there, seen from `folder`. */
static void assert_leads(const char *page, const char *folder, const char *target) {
    const char *anchor = strchr(target, '#');
    const int length = anchor ? (int)(anchor - target) : (int)strlen(target);
    char path[PATH_LENGTH];
    if (length)
        snprintf(path, sizeof path, "%s/%.*s", folder, length, target);
    else
        snprintf(path, sizeof path, "%s", page);
    if (access(path, F_OK)) fail_msg("%s: %s is not there", page, target);
    if (anchor && !has_anchor(path, anchor + 1)) fail_msg("%s: %s has no heading", page, target);
}

/* Installed are the scripts, the games, the bots and all pages, in the same places. */
static void assert_installed(const char *folder, const char *target) {
    char path[PATH_LENGTH];
    snprintf(path, sizeof path, "%s/%.*s", folder, (int)strcspn(target, "#"), target);
    char *root = realpath(ENSIGN_ROOT, NULL), *whole = realpath(path, NULL);
    assert_true(root && whole);
    const char *place = whole + strlen(root) + 1;
    if (!ends_with(place, ".md") && strcmp(place, "LICENSE") && strncmp(place, "scripts", 7) &&
        strncmp(place, "variants", 8) && strncmp(place, "bots", 4))
        fail_msg("%s is not part of an installed copy", place);
    free(root);
    free(whole);
}

/* A link whose words are the name of a page leads to that page. `end` is where the words end. */
static void assert_named(const char *page, const char *line, const char *end, const char *target) {
    const char *from = end;
    while (from > line && from[-1] != '[') from--;
    if (*from == '`') from++, end--;
    char words[PATH_LENGTH], path[PATH_LENGTH];
    snprintf(words, sizeof words, "%.*s", (int)(end - from), from);
    snprintf(path, sizeof path, "%.*s", (int)strcspn(target, "#"), target);
    const char *name = strrchr(words, '/');
    if (ends_with(words, ".md") && !ends_with(path, name ? name : words))
        fail_msg("%s: [%s] leads to %s", page, words, target);
}

static const char *const PAGES[] = {".md", NULL};

static void follow_links(const char *page) {
    char *text = read_text(page), *rest = text, *line, folder[PATH_LENGTH];
    bool code, fenced = false;
    snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(page, '/') - page), page);
    while ((line = next_line(&rest, &code, &fenced))) {
        for (char *at = line; !code && (at = strstr(at, "]("));) {
            char target[PATH_LENGTH];
            at += 2;
            snprintf(target, sizeof target, "%.*s", (int)strcspn(at, ")"), at);
            if (strstr(target, "://")) continue;
            assert_leads(page, folder, target);
            assert_named(page, line, at - 2, target);
            if (*target != '#') assert_installed(folder, target);
        }
    }
    if (fenced) fail_msg("%s: a block of code has no end", page);
    free(text);
}

static void every_link_leads_to_a_file_and_a_heading(void **state) {
    (void)state;
    assert_true(each_file(ENSIGN_ROOT, PAGES, follow_links) >= 15);
}

/* "FOLDER/PAGE.md" with or without an anchor, in code, comments and texts. */
static void follow_names(const char *path) {
    static const char SIGNS[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./#-";
    char *text = read_text(path);
    for (char *at = text; (at = strstr(at, ".md")); at += 3) {
        char *from = at, target[PATH_LENGTH];
        while (from > text && from[-1] != '#' && strchr(SIGNS, from[-1])) from--;
        snprintf(target, sizeof target, "%.*s", (int)strspn(from, SIGNS), from);
        while (ends_with(target, ".")) target[strlen(target) - 1] = 0;
        if (strchr(target, '/')) assert_leads(path, ENSIGN_ROOT, target);
    }
    free(text);
}

static void every_page_that_the_program_names_is_there(void **state) {
    (void)state;
    static const char *const sources[] = {".c", ".h", ".lua", ".txt", ".in", ".json", ".js", NULL};
    assert_true(each_file(ENSIGN_ROOT "/src", sources, follow_names) > 0);
    assert_true(each_file(ENSIGN_ROOT "/scripts", sources, follow_names) > 0);
    assert_true(each_file(ENSIGN_ROOT "/bots", sources, follow_names) > 0);
    assert_true(each_file(ENSIGN_ROOT "/variants", sources, follow_names) > 0);
}

/* Lines of text; tables and code cannot be broken. */
static void measure_lines(const char *page) {
    char *text = read_text(page), *rest = text, *line;
    bool code, fenced = false;
    for (int number = 1; (line = next_line(&rest, &code, &fenced)); number++) {
        int columns = 0;
        for (const char *at = line; *at; at++) columns += ((unsigned char)*at & 0xc0) != 0x80;
        if (!code && *line != '|' && columns > LINE_MAX_COLUMNS)
            fail_msg("%s:%d: %d columns, at most %d", page, number, columns, LINE_MAX_COLUMNS);
    }
    free(text);
}

static void no_line_of_text_is_wider_than_the_code(void **state) {
    (void)state;
    each_file(ENSIGN_ROOT, PAGES, measure_lines);
}

static void the_first_page_has_at_most_ten_kilobytes(void **state) {
    (void)state;
    char *text = read_text(ENSIGN_ROOT "/README.md");
    if (strlen(text) > FIRST_PAGE_MAX)
        fail_msg("README.md has %zu bytes, at most %d", strlen(text), FIRST_PAGE_MAX);
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_link_leads_to_a_file_and_a_heading),
        cmocka_unit_test(every_page_that_the_program_names_is_there),
        cmocka_unit_test(no_line_of_text_is_wider_than_the_code),
        cmocka_unit_test(the_first_page_has_at_most_ten_kilobytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
