/* An installed program: in any folder, moved, with an empty home; its manual pages, and completion.
 */
#include "base/files.h"
#include "cli/help.h"
#include "cli/manual.h"
#include "console.h"
#include "program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <cmocka.h>

/* Runs a command in a shell, in a folder of its own, as somebody whose home is empty and who has
 * nothing in the environment; fails the test unless it ends with 0. All that it prints; free it. */
static char *printed_by(const char *command) {
    char whole[4096];
    snprintf(
        whole, sizeof whole,
        "cd '%s' && mkdir -p home && { env -i HOME=\"$PWD/home\" PATH=/usr/bin:/bin sh -ec '%s'"
        "; } 2>&1",
        console_folder(), command);
    FILE *pipe = popen(whole, "r");
    assert_non_null(pipe);
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    for (int c; (c = fgetc(pipe)) != EOF;) fputc(c, out);
    fclose(out);
    const int status = pclose(pipe);
    if (status) fail_msg("%d: %s\n%s", status, command, text);
    return text;
}

static void expect_in(char *text, const char *word) {
    if (!strstr(text, word)) fail_msg("\"%s\" is not in:\n%s", word, text);
}

/* Installs the program under one name and moves it to another: moved/. */
static int install(void **state) {
    (void)state;
    char command[1024];
    snprintf(command, sizeof command,
             "d=$(dirname \"%s\"); cmake --install \"$d\" --prefix \"$PWD/first\" >/dev/null && "
             "mv first moved && echo installed",
             ENSIGN_PROGRAM);
    char *text = printed_by(command);
    const bool well = strstr(text, "installed");
    if (!well) fputs(text, stderr);
    free(text);
    return well ? 0 : -1;
}

static void a_moved_program_plays_with_its_own_scripts(void **state) {
    (void)state;
    char *text = printed_by("moved/bin/ensign match rookie cadet -v duel -n 2 --seed 3");
    expect_in(text, "hash: ");
    free(text);
    text = printed_by("moved/bin/ensign list variants");
    expect_in(text, "lightning");
    free(text);
    text = printed_by("cd moved/share/ensign/bots/programs; ../../../../bin/ensign match "
                      "json:./player.py rookie -v duel -n 2");
    expect_in(text, "player.py");
    free(text);
}

/* What it suggests can be typed again. */
static void a_program_in_a_folder_with_a_blank_says_its_name_in_quotes(void **state) {
    (void)state;
    char *text = printed_by("mkdir \"a blank\" && cp moved/bin/ensign \"a blank\" && "
                            "\"a blank/ensign\" report || rm -r \"a blank\"");
    expect_in(text, "(see \"'a blank/ensign' report --help\")");
    free(text);
}

static void python_drives_a_moved_program(void **state) {
    (void)state;
    char *text = printed_by("cd moved/share/ensign/bots/programs; python3 -B -c \""
                            "import ensign; print(ensign.program())\"");
    expect_in(text, "/moved/bin/ensign\n");
    free(text);
}

/* From the folder of Python's modules, with the library beside it. */
static void python_finds_a_moved_module_and_its_library(void **state) {
    (void)state;
    char *text =
        printed_by("PYTHONPATH=$(echo $PWD/moved/lib/python3*/site-packages) && "
                   "export PYTHONPATH && python3 -B -c \"import ensign; print(ensign.program())\" "
                   "&& if python3 -c \"import numpy\" 2>/dev/null; then python3 -B -c \""
                   "from ensign import Batch, library; print(library());"
                   "print(Batch(games=4).reset().step_random().size)\"; fi");
    expect_in(text, "/moved/bin/ensign\n");
    if (strchr(text, '\n')[1]) {
        expect_in(text, "/moved/lib");
        expect_in(text, "\n4\n");
    }
    free(text);
}

/* The library, as somebody finds it who has only what is installed. */
static void a_program_is_compiled_against_an_installed_library(void **state) {
    (void)state;
    char *text = printed_by("PKG_CONFIG_PATH=$(echo $PWD/moved/lib*/pkgconfig "
                            "$PWD/moved/lib/*/pkgconfig | tr \" \" :) && export PKG_CONFIG_PATH && "
                            "cc -Wall -Werror -o moved/bin/outside " ENSIGN_ROOT
                            "/tests/data/outside.c $(pkg-config --cflags --libs ensign) && "
                            "LD_LIBRARY_PATH=$(pkg-config --variable=libdir ensign) "
                            "moved/bin/outside && rm moved/bin/outside");
    assert_string_equal(text, "games have ended\n");
    free(text);
}

static void no_file_of_an_installed_program_names_the_build(void **state) {
    (void)state;
    char command[512];
    snprintf(command, sizeof command, "grep -rlF -e %s -e $PWD/first moved || echo none",
             ENSIGN_ROOT);
    char *text = printed_by(command);
    assert_string_equal(text, "none\n");
    free(text);
}

/* The page of the manual, as it was written. */
static char *manual_page(const char *name) {
    char command[256];
    snprintf(command, sizeof command, "zcat moved/share/man/man?/%s.?.gz", name);
    return printed_by(command);
}

static void every_command_has_a_manual_page_with_every_option(void **state) {
    (void)state;
    char *overview = manual_page("ensign"), name[64], head[COMMAND_HEAD_MAX + 8];
    for (int i = 0; COMMANDS[i]; i++) {
        const struct parameter *option;
        snprintf(name, sizeof name, "ensign-%s", COMMANDS[i]->name);
        char *page = manual_page(name);
        expect_in(page, ".SH NAME\nensign\\-");
        for (int j = 0; (option = command_option(COMMANDS[i], j)); j++) {
            size_t used = (size_t)snprintf(head, sizeof head, "\\-\\-");
            for (const char *at = option->name; *at; at++)
                used += (size_t)snprintf(head + used, sizeof head - used, "%s%c",
                                         *at == '-' ? "\\" : "", *at);
            expect_in(page, head);
        }
        free(page);
        snprintf(name, sizeof name, ".BR ensign\\-%s (6)\n", COMMANDS[i]->name);
        expect_in(overview, name);
    }
    free(overview);
}

static void the_formats_have_manual_pages_from_the_documentation(void **state) {
    (void)state;
    static const char *const pages[][2] = {{"ensign-variant", "\\fBextends\\fR"},
                                           {"ensign-bot", "\\fBapi\\fR"},
                                           {"ensign-record", "[Reason \"flag\"]"},
                                           {"ensign-protocol", "\"type\":\"setup\""}};
    for (int i = 0; i < 4; i++) {
        char *page = manual_page(pages[i][0]);
        expect_in(page, ".SH NAME\nensign\\-");
        if (!strstr(page, pages[i][1])) fail_msg("%s lacks %s", pages[i][0], pages[i][1]);
        assert_null(strstr(page, "```"));
        assert_null(strstr(page, "]("));
        free(page);
    }
}

/* The words that can follow these (up to a NULL), between newlines. */
static char *following(const char *const *words) {
    char *text, *out = NULL;
    size_t length;
    struct arguments typed = {(char **)(uintptr_t)words, 0};
    while (words[typed.count]) typed.count++;
    FILE *file = open_memstream(&out, &length);
    fputc('\n', file);
    completion_print(file, &typed);
    fclose(file);
    for (text = out; (text = strchr(text, '\t'));) *text = '\n';
    return out;
}

static void expect_following(const char *word, const char *const *words) {
    char *text = following(words), line[64];
    snprintf(line, sizeof line, "\n%s\n", word);
    if (!strstr(text, line)) fail_msg("%s does not follow %s: %s", word, words[0], text);
    free(text);
}
#define FOLLOWS(word, ...) expect_following(word, (const char *const[]){__VA_ARGS__})

static void the_words_that_may_follow_are_those_of_the_tables_and_folders(void **state) {
    (void)state;
    FOLLOWS("match", NULL);
    FOLLOWS("duel", "show", NULL);
    FOLLOWS("duel", "match", "rookie", "-v", NULL);
    FOLLOWS("raider", "match", "rookie", NULL);
    FOLLOWS("human", "play", "--red", NULL);
    FOLLOWS("corner-fortress", "match", "rookie", "--setups", NULL);
    FOLLOWS("blue", "match", "--first", NULL);
    FOLLOWS("uk", "play", "--lang", NULL);
    FOLLOWS(":folders", "serve", "--data", NULL);
    FOLLOWS(":files", "check", NULL);
    FOLLOWS("--seed", "match", "rookie", "--variant=duel", NULL);
}

static void nothing_follows_what_no_command_takes(void **state) {
    (void)state;
    static const char *const none[][4] = {{"nothing", NULL}, {"match", "--games", NULL}};
    for (int i = 0; i < 2; i++) {
        char *text = following(none[i]);
        assert_string_equal(text, "\n");
        free(text);
    }
    char *text = following((const char *const[]){"match", "--variant", "duel", NULL});
    assert_null(strstr(text, "\n--variant\n")); /* it is given once */
    free(text);
    text = following((const char *const[]){"show", "duel", NULL});
    assert_null(strstr(text, "\nduel\n")); /* one game is enough */
    free(text);
}

/* Types lines in a shell, with a tab at the end of each, among files whose names are commands, and
 * expects the arguments of the program that is started then: a script that prints them, and asks
 * the real one what can follow. */
static void expect_completed(const char *shell) {
    static const char *const lines[][2] = {
        {"show du", "[show][duel]."},
        {"match rookie --var", "[match][rookie][--variant]."},
        {"match rookie -v du", "[match][rookie][-v][duel]."},
        {"match rookie --variant=du", "[match][rookie][--variant=duel]."},
        {"play --red huma", "[play][--red][human]."},
        {"match --setups corner-f", "[match][--setups][corner-fortress]."},
        {"check it", "[check][it's $(touch harm);touch harm & \"two\" *.lua]."},
        {"check --fuel=1 it", "[check][--fuel=1][it's $(touch harm);touch harm & \"two\" *.lua]."},
        {"serve --data pla", "[serve][--data][place of `touch harm`"}, /* zsh removes its slash */
        {"serve --data=pla", "[serve][--data=place of `touch harm`"},
        {"show nast", "[show][nast]."}, /* no variant can have that name */
        {"check line", "[check][line"},
    };
    char text[1024], command[1024];
    snprintf(text, sizeof text,
             "#!/bin/sh\n[ \"$1\" != help ] || exec '%s/moved/bin/ensign' \"$@\"\n"
             "printf typed:\nprintf '[%%s]' \"$@\"\necho .\n",
             console_folder());
    assert_int_equal(chmod(console_file(0, "witness/ensign", text), 0755), 0);
    console_file(0, "shop/it's $(touch harm);touch harm & \"two\" *.lua", "");
    console_file(0, "shop/line\n;touch harm;\n$(touch harm).lua", "");
    console_file(0, "shop/place of `touch harm`/file", "");
    console_file(0, "shop/variants/nasty$(touch harm).lua", "");
    console_file(0, "shop/variants/nasty;touch harm;.lua", "");
    snprintf(command, sizeof command,
             "cd '%s/shop' && exec env -i TERM=xterm LC_ALL=C.UTF-8 HOME='%s/home' "
             "PATH='%s/witness:/usr/bin:/bin' %s",
             console_folder(), console_folder(), console_folder(), shell);
    struct console console;
    console_open_other(&console, (const char *const[]){"/bin/sh", "-c", command, NULL});
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        console_expect(&console, "ready> ");
        snprintf(text, sizeof text, "ensign %s\t\r", lines[i][0]);
        console_send(&console, text);
        snprintf(text, sizeof text, "typed:%s", lines[i][1]);
        console_expect(&console, text);
    }
    console_expect(&console, "ready> ");
    console_send(&console, "exit\r");
    console_finish(&console);
    console_clear(&console);
    char *harm = printed_by("find . -name harm");
    assert_string_equal(harm, "");
    free(harm);
}

static void bash_completes_names_options_and_files(void **state) {
    (void)state;
    console_file(0, "home/rc.bash",
                 "PS1='ready> '\n. ../moved/share/bash-completion/completions/ensign\n");
    expect_completed("bash --rcfile ../home/rc.bash -i");
}

static void zsh_completes_names_options_and_files(void **state) {
    (void)state;
    console_file(0, "home/.zshrc",
                 "PS1='ready> '\nfpath=(../moved/share/zsh/site-functions $fpath)\n"
                 "autoload -U compinit\ncompinit -u -D\n");
    expect_completed("zsh -i");
}

static void fish_completes_names_options_and_files(void **state) {
    (void)state;
    console_file(0, "home/.config/fish/config.fish",
                 "function fish_prompt\necho 'ready> '\nend\nset fish_greeting\n");
    expect_completed("XDG_DATA_DIRS=../moved/share:/usr/share fish -i");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_moved_program_plays_with_its_own_scripts),
        cmocka_unit_test(a_program_in_a_folder_with_a_blank_says_its_name_in_quotes),
        cmocka_unit_test(python_drives_a_moved_program),
        cmocka_unit_test(python_finds_a_moved_module_and_its_library),
        cmocka_unit_test(a_program_is_compiled_against_an_installed_library),
        cmocka_unit_test(no_file_of_an_installed_program_names_the_build),
        cmocka_unit_test(every_command_has_a_manual_page_with_every_option),
        cmocka_unit_test(the_formats_have_manual_pages_from_the_documentation),
        cmocka_unit_test(the_words_that_may_follow_are_those_of_the_tables_and_folders),
        cmocka_unit_test(nothing_follows_what_no_command_takes),
        cmocka_unit_test(bash_completes_names_options_and_files),
        cmocka_unit_test(zsh_completes_names_options_and_files),
        cmocka_unit_test(fish_completes_names_options_and_files),
    };
    return cmocka_run_group_tests(tests, install, NULL);
}
