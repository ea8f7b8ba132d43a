/* Every command's table holds: its help page, its parser and its refusals say the same of each
 * option. */
#include "base/files.h"
#include "cli/cli.h"
#include "cli/columns.h"
#include "cli/help.h"
#include "host/seed.h"
#include "program.h"

#include <ctype.h>
#include <locale.h>
#include <lua.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { WORDS_MAX = 16, WORD_BYTES = 2048 };

/* A command line; the parser writes to the words and changes their order. */
struct line {
    char bytes[WORDS_MAX][WORD_BYTES];
    char *argv[WORDS_MAX + 1];
    int argc;
};

static void line_add(struct line *line, const char *word) {
    assert_true(line->argc < WORDS_MAX && strlen(word) < WORD_BYTES);
    strcpy(line->bytes[line->argc], word);
    line->argv[line->argc] = line->bytes[line->argc];
    line->argv[++line->argc] = NULL;
}

/* The command and the arguments that it needs. */
static void line_begin(struct line *line, const struct command *command) {
    line->argc = 0;
    line_add(line, command->name);
    for (int i = 0; i < ARGUMENTS_MAX; i++) {
        const struct parameter *argument = &command->arguments[i];
        if (argument->needed) line_add(line, argument->words ? argument->words[0] : "some");
    }
}

/* Reads the line; the parser's standard error goes to `said`. */
static bool read_line(const struct command *command, struct line *line, void *values, char *said,
                      size_t size) {
    int code = -1, before = dup(STDERR_FILENO);
    FILE *file = tmpfile();
    assert_non_null(file);
    fflush(stderr);
    dup2(fileno(file), STDERR_FILENO);
    bool right = command_read(command, line->argc, line->argv, values, &code);
    fflush(stderr);
    dup2(before, STDERR_FILENO);
    close(before);
    rewind(file);
    said[fread(said, 1, size - 1, file)] = 0;
    fclose(file);
    assert_int_equal(code, right ? EXIT_DONE : EXIT_USAGE);
    return right;
}

/* One line that names `name`; the line is complete. */
static void assert_refused(const struct command *command, struct line *line, const char *name) {
    char said[4096], head[64], *values = malloc(command->size);
    bool right = read_line(command, line, values, said, sizeof said);
    snprintf(head, sizeof head, "ensign %s: ", command->name);
    const char *end = strchr(said, '\n');
    if (right || strncmp(said, head, strlen(head)) != 0 || !strstr(said, name) || !end || end[1] ||
        !strstr(said, " --help\")\n"))
        fail_msg("%s: %s, no refusal of %s: %s", command->name, line->argv[1], name, said);
    free(values);
}

/* Reads the line, whose option has the value `word`, and compares the field. */
static void assert_accepted(const struct command *command, const struct parameter *option,
                            struct line *line, const char *word) {
    char said[4096], *values = malloc(command->size), *field = values + option->at;
    if (option->needs) {
        line_add(line, "--");
        strcat(line->argv[line->argc - 1], option->needs);
        line_add(line, "some");
    }
    if (!read_line(command, line, values, said, sizeof said))
        fail_msg("%s --%s %s: %s", command->name, option->name, word, said);
    assert_string_equal(said, "");
    uint64_t number = strtoull(word, NULL, 10);
    for (int i = 0; option->words && option->words[i]; i++)
        if (!strcmp(word, option->words[i]))
            number = (option->kind == VALUE_NUMBER ? option->most + 1 : 0) + (uint64_t)i;
    if (option->type == FIELD_BOOL) assert_true(*(bool *)field);
    if (option->type == FIELD_INT) assert_true(*(uint32_t *)(void *)field == (uint32_t)number);
    if (option->type == FIELD_UINT64) assert_true(*(uint64_t *)(void *)field == number);
    if (option->type == FIELD_DOUBLE) assert_true(*(double *)(void *)field == strtod(word, NULL));
    if (option->type == FIELD_TEXT) assert_string_equal(*(char **)(void *)field, word);
    if (option->type == FIELD_REPEATED)
        assert_string_equal(((struct repeated *)(void *)field)->list[0], word);
    free(values);
}

/* Calls `visit` with every option of every command, --help among them. */
static void visit_options(void (*visit)(const struct command *, const struct parameter *)) {
    int options = 0;
    for (int i = 0; COMMANDS[i]; i++) {
        const struct parameter *option;
        for (int j = 0; (option = command_option(COMMANDS[i], j)); j++, options++)
            visit(COMMANDS[i], option);
    }
    assert_true(options > 80);
}

static char *page_of(const struct command *command) {
    char *page = NULL;
    size_t length;
    FILE *out = open_memstream(&page, &length);
    command_page(out, command);
    fclose(out);
    return page;
}

/* Lines of the page that begin with this option. */
static int count_heads(const char *page, const struct parameter *option) {
    int count = 0;
    char head[64];
    snprintf(head, sizeof head, "--%s", option->name);
    size_t length = strlen(head);
    for (const char *line = page; *line; line += strcspn(line, "\n") + 1) {
        if (line[0] != ' ' || line[1] != ' ' || line[6] == ' ') continue;
        bool letter = option->letter ? line[3] == option->letter : line[3] == ' ';
        bool name = !strncmp(line + 6, head, length) && strchr(" \n", line[6 + length]);
        count += letter && name;
    }
    return count;
}

static void check_head(const struct command *command, const struct parameter *option) {
    char *page = page_of(command);
    if (count_heads(page, option) != 1) fail_msg("--%s in:\n%s", option->name, page);
    if (!option->help || !*option->help)
        fail_msg("%s --%s has no help", command->name, option->name);
    free(page);
}

static void every_option_stands_once_in_the_help_of_its_command(void **state) {
    (void)state;
    visit_options(check_head);
}

/* The page adds the default itself where the table has one, in brackets at the end of the option.
 */
static void check_default(const struct command *command, const struct parameter *option) {
    char *page = page_of(command), head[64], *at;
    snprintf(head, sizeof head, "--%s", option->name);
    for (at = page; strncmp(at + 6, head, strlen(head)) || !strchr(" \n", at[6 + strlen(head)]);)
        at += strcspn(at, "\n") + 1;
    int told = 0;
    do {
        char *end = at + strcspn(at, "\n");
        for (char *found = at; (found = strstr(found, "(default")) && found < end; found++) told++;
        at = end + 1;
    } while (at[0] == ' ' && !strncmp(at, "        ", 8));
    if (told > 1) fail_msg("%s --%s has %d defaults:\n%s", command->name, option->name, told, page);
    free(page);
}

static void every_option_has_at_most_one_default(void **state) {
    (void)state;
    visit_options(check_default);
}

static bool takes_any(enum value_kind kind) {
    return kind > VALUE_SEED;
}

/* A flag takes no value; all others take a valid one, and refuse an empty one. */
static void check_refusal(const struct command *command, const struct parameter *option) {
    struct line line;
    char word[WORD_BYTES], name[64];
    snprintf(name, sizeof name, "--%s", option->name);
    line_begin(&line, command);
    snprintf(word, sizeof word, "--%s=%s", option->name, takes_any(option->kind) ? "" : "-x");
    line_add(&line, word);
    assert_refused(command, &line, name);
    if (option->kind == VALUE_FLAG) return;

    line_begin(&line, command);
    line_add(&line, name);
    assert_refused(command, &line, name);
    if (takes_any(option->kind) && !option->most) return;

    line_begin(&line, command);
    if (takes_any(option->kind)) {
        memset(word, 'x', sizeof word);
        word[option->most + 1] = 0;
    } else {
        snprintf(word, sizeof word, "%llu", (unsigned long long)option->most + 1);
        if (option->most == UINT64_MAX) strcpy(word, "18446744073709551616");
        if (option->kind == VALUE_WORD) strcpy(word, "neither");
    }
    line_add(&line, name);
    line_add(&line, word);
    assert_refused(command, &line, name);
    if (option->kind != VALUE_NUMBER || !option->least) return;

    line_begin(&line, command);
    line_add(&line, name);
    snprintf(word, sizeof word, "%llu", (unsigned long long)option->least - 1);
    line_add(&line, word);
    assert_refused(command, &line, name);
}

static void a_bad_value_is_refused_in_a_line_that_names_the_option(void **state) {
    (void)state;
    visit_options(check_refusal);
}

static void accept(const struct command *command, const struct parameter *option,
                   const char *word) {
    struct line line;
    char name[64], joined[WORD_BYTES];
    snprintf(name, sizeof name, "--%s", option->name);
    line_begin(&line, command);
    line_add(&line, name);
    if (option->kind != VALUE_FLAG) line_add(&line, word);
    assert_accepted(command, option, &line, word);
    if (option->kind == VALUE_FLAG) return;

    line_begin(&line, command);
    snprintf(joined, sizeof joined, "--%s=%s", option->name, word);
    line_add(&line, joined);
    assert_accepted(command, option, &line, word);
    if (!option->letter) return;

    line_begin(&line, command);
    snprintf(joined, sizeof joined, "-%c%s", option->letter, word);
    line_add(&line, joined);
    assert_accepted(command, option, &line, word);
}

static void check_acceptance(const struct command *command, const struct parameter *option) {
    char word[WORD_BYTES] = "some";
    if (!strcmp(option->name, "help")) return;
    if (option->kind == VALUE_NUMBER) {
        snprintf(word, sizeof word, "%llu", (unsigned long long)option->least);
        accept(command, option, word);
    }
    if (option->kind == VALUE_NUMBER || option->kind == VALUE_SECONDS || option->kind == VALUE_SEED)
        snprintf(word, sizeof word, "%llu", (unsigned long long)option->most);
    if (takes_any(option->kind) && option->most) {
        memset(word, 'x', sizeof word);
        word[option->most] = 0;
    }
    if (option->kind != VALUE_WORD) accept(command, option, word);
    for (int i = 0; option->words && option->words[i]; i++)
        accept(command, option, option->words[i]);
    seed_forget();
}

static void a_good_value_comes_to_its_field(void **state) {
    (void)state;
    visit_options(check_acceptance);
}

/* A value that the option takes. */
static void write_good_value(const struct parameter *option, char word[WORD_BYTES]) {
    strcpy(word, option->words ? option->words[0] : "some");
    if (option->kind == VALUE_NUMBER || option->kind == VALUE_SECONDS || option->kind == VALUE_SEED)
        snprintf(word, WORD_BYTES, "%llu", (unsigned long long)option->most);
}

static void give(struct line *line, const struct parameter *option, bool by_letter) {
    char name[64], word[WORD_BYTES];
    if (by_letter)
        snprintf(name, sizeof name, "-%c", option->letter);
    else
        snprintf(name, sizeof name, "--%s", option->name);
    line_add(line, name);
    if (option->kind == VALUE_FLAG) return;
    write_good_value(option, word);
    line_add(line, word);
}

/* By its name, by its letter, with other words between. */
static void check_once(const struct command *command, const struct parameter *option) {
    char said[64];
    if (!strcmp(option->name, "help") || option->type == FIELD_REPEATED) return;
    snprintf(said, sizeof said, "--%s is given twice", option->name);
    for (int ways = 0; ways < 4; ways++) {
        struct line line;
        if (ways && !option->letter) break;
        line_begin(&line, command);
        give(&line, option, ways & 1);
        line_add(&line, "some");
        give(&line, option, ways & 2);
        assert_refused(command, &line, said);
        seed_forget();
    }
}

static void an_option_that_is_given_twice_is_refused_by_its_name(void **state) {
    (void)state;
    visit_options(check_once);
}

/* INTO() cannot check that the field has the option's type and belongs to no other option. */
static void check_type(const struct command *command, const struct parameter *option) {
    bool whole = option->type == FIELD_INT || option->type == FIELD_UINT64, right;
    switch (option->kind) {
    case VALUE_FLAG:
        right = option->type == FIELD_BOOL || !strcmp(option->name, "help");
        break;
    case VALUE_NUMBER:
        right = whole && option->least <= option->most &&
                (option->type == FIELD_UINT64 || option->most < UINT32_MAX);
        break;
    case VALUE_SECONDS:
        right = option->type == FIELD_DOUBLE;
        break;
    case VALUE_WORD:
        right = option->words && (option->type == FIELD_INT || option->type == FIELD_NONE);
        break;
    case VALUE_SEED:
        right = option->type == FIELD_NONE;
        break;
    default:
        right = option->type == FIELD_TEXT || option->type == FIELD_REPEATED;
    }
    if (!right) fail_msg("%s --%s", command->name, option->name);
    if (option->type) assert_true(option->at < command->size);
    const struct parameter *other;
    bool found = !option->excludes, needed = !option->needs;
    for (int i = 0; (other = command_option(command, i)); i++) {
        if (option->type && other->type && other->at == option->at)
            assert_string_equal(other->name, option->name);
        found = found || !strcmp(other->name, option->excludes);
        needed = needed || !strcmp(other->name, option->needs);
    }
    if (!found) fail_msg("%s --%s excludes --%s", command->name, option->name, option->excludes);
    if (!needed) fail_msg("%s --%s needs --%s", command->name, option->name, option->needs);
}

static void every_option_has_its_own_field_for_its_kind_of_value(void **state) {
    (void)state;
    visit_options(check_type);
}

static void unknown_options_are_refused_by_every_command(void **state) {
    (void)state;
    for (int i = 0; COMMANDS[i]; i++) {
        struct line line;
        line_begin(&line, COMMANDS[i]);
        line_add(&line, "--hlep");
        assert_refused(COMMANDS[i], &line, "unknown option \"--hlep\", did you mean \"--help\"?");
        line_begin(&line, COMMANDS[i]);
        line_add(&line, "-Z");
        assert_refused(COMMANDS[i], &line, "unknown option \"-Z\"");
    }
}

static void arguments_are_counted_by_every_command(void **state) {
    (void)state;
    for (int i = 0; COMMANDS[i]; i++) {
        const struct command *command = COMMANDS[i];
        struct line line;
        bool many = command->arguments[0].many;
        for (int j = 0; j < ARGUMENTS_MAX; j++) {
            if (many || !command->arguments[j].needed) continue;
            line_begin(&line, command);
            line.argv[line.argc = j + 1] = NULL;
            assert_refused(command, &line, " expected (see");
        }
        if (many || command->arguments[1].many) continue; /* ARGUMENTS_MAX is 2 */
        line_begin(&line, command);
        for (int j = 0; j < ARGUMENTS_MAX; j++) {
            const struct parameter *optional = &command->arguments[j];
            if (optional->needed || (!optional->argument && !optional->words)) continue;
            line_add(&line, optional->words ? optional->words[0] : "some");
        }
        line_add(&line, "surplus");
        assert_refused(command, &line, "unexpected argument \"surplus\"");
    }
}

static void every_page_fits_and_begins_with_the_synopsis(void **state) {
    (void)state;
    for (int i = 0; COMMANDS[i]; i++) {
        char *page = page_of(COMMANDS[i]), head[64];
        snprintf(head, sizeof head, "usage: ensign %s ", COMMANDS[i]->name);
        assert_int_equal(strncmp(page, head, strlen(head)), 0);
        for (const char *line = page; *line; line += strcspn(line, "\n") + 1) {
            size_t length = strcspn(line, "\n");
            if (columns_of(line, length) > 100) fail_msg("%.*s", (int)length, line);
            if (length && line[length - 1] == ' ') fail_msg("%.*s|", (int)length, line);
        }
        free(page);
    }
}

static void options_that_do_not_go_together_are_refused(void **state) {
    (void)state;
    struct line line;
    line_begin(&line, &command_play);
    line_add(&line, "--seed");
    line_add(&line, "12345");
    line_add(&line, "--continue");
    assert_refused(&command_play, &line, "--continue and --seed do not go together");
    seed_forget();
}

static void options_stand_anywhere_and_end_with_two_dashes(void **state) {
    (void)state;
    struct line line = {.argc = 0};
    char said[1024], *values = malloc(command_setups.size);
    const char *const words[] = {"setups", "--lis", "a", "-vduel", "b", "--", "--json"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) line_add(&line, words[i]);
    assert_true(read_line(&command_setups, &line, values, said, sizeof said));
    assert_string_equal(line.argv[line.argc - 3], "a");
    assert_string_equal(line.argv[line.argc - 2], "b");
    assert_string_equal(line.argv[line.argc - 1], "--json");
    const struct parameter *option;
    for (int i = 0; (option = command_option(&command_setups, i)); i++) {
        const char *field = values + option->at;
        if (option->type == FIELD_BOOL) assert_int_equal(*field, !strcmp(option->name, "list"));
        if (!strcmp(option->name, "variant"))
            assert_string_equal(*(const char *const *)(const void *)field, "duel");
    }
    free(values);
}

static void an_option_that_repeats_keeps_its_values_in_order(void **state) {
    (void)state;
    struct line line;
    char said[1024], word[32], *values = malloc(command_learn.size);
    line_begin(&line, &command_learn);
    for (int i = 0; i < REPEATED_MAX; i++) {
        snprintf(word, sizeof word, "--against=%d", i);
        line_add(&line, word);
    }
    assert_true(read_line(&command_learn, &line, values, said, sizeof said));
    const struct parameter *option;
    for (int i = 0; (option = command_option(&command_learn, i)); i++) {
        if (strcmp(option->name, "against") != 0) continue;
        const struct repeated *repeated = (void *)(values + option->at);
        assert_int_equal(repeated->count, REPEATED_MAX);
        for (int j = 0; j < REPEATED_MAX; j++) assert_int_equal(atoi(repeated->list[j]), j);
    }
    line_add(&line, "--against=one-more");
    assert_refused(&command_learn, &line, "--against may be given 8 times at most");
    free(values);
}

/* A secret seed is wiped from the words, and words without it and its option are kept. */
static void a_secret_seed_leaves_nothing_behind(void **state) {
    (void)state;
    static const char *const ways[][2] = {
        {"--seed", "8716253"}, {"--seed=8716253"}, {"-s", "8716253"}, {"-s8716253"}};
    struct match_line {
        struct line line;
        char values[512], said[512];
    } *all = malloc(sizeof *all);
    for (int i = 0; i < 4; i++) {
        struct line *line = &all->line;
        memset(line, 0, sizeof *line);
        assert_true(command_match.size <= sizeof all->values);
        line_begin(line, &command_match);
        line_add(line, "anna");
        for (int j = 0; j < 2 && ways[i][j]; j++) line_add(line, ways[i][j]);
        line_add(line, "--json");
        line_add(line, "bert");
        assert_true(read_line(&command_match, line, all->values, all->said, sizeof all->said));
        assert_true(seed_given());
        seed_forget();
        for (size_t at = 0; at + 7 <= sizeof *all; at++)
            assert_int_not_equal(memcmp((char *)all + at, "8716253", 7), 0);
        int kept = 0;
        for (int j = 0; j < line->argc; j++) kept += command_keeps(line->argv[j]);
        assert_int_equal(kept, 4); /* match anna --json bert */
    }
    free(all);
}

static void help_is_printed_in_every_way_it_is_asked_for(void **state) {
    (void)state;
    for (int i = 0; COMMANDS[i]; i++) {
        const char *name = COMMANDS[i]->name;
        char *page = page_of(COMMANDS[i]);
        const struct program_run runs[] = {PROGRAM(name, "--help"), PROGRAM(name, "-h"),
                                           PROGRAM("help", name)};
        for (int j = 0; j < 3; j++) {
            assert_string_equal(runs[j].out, page);
            program_expect(runs[j], 0, "");
        }
        free(page);
    }
    struct program_run overview = PROGRAM("--help"), same = PROGRAM("help");
    assert_string_equal(overview.out, same.out);
    for (int i = 0; COMMANDS[i]; i++) {
        char head[64];
        snprintf(head, sizeof head, "\n  %-8s  %s\n", COMMANDS[i]->name, COMMANDS[i]->summary);
        assert_non_null(strstr(overview.out, head));
    }
    program_expect(overview, 0, "");
    program_expect(same, 0, "");
    struct program_run version = PROGRAM("--version");
    assert_string_equal(version.out, "ensign " ENSIGN_VERSION "\n"
                                     "ENSIGN_SERVE=1 ENSIGN_CLUSTER=1 ENSIGN_SCREEN=1 "
                                     "ENSIGN_FOREIGN_XML=1\n" LUA_RELEASE "\n");
    program_expect(version, 0, "");
    program_expect(PROGRAM("help", "mach"), 2, "did you mean \"match\"");
}

static void the_first_page_names_every_command(void **state) {
    (void)state;
    size_t length;
    char *page = files_read(ENSIGN_ROOT "/README.md", 1 << 20, &length, NULL), name[64];
    assert_non_null(page);
    const char *table = strstr(page, "\n## Commands\n");
    assert_non_null(table);
    for (int i = 0; COMMANDS[i]; i++) {
        snprintf(name, sizeof name, "`%s", COMMANDS[i]->name);
        if (!strstr(table, name)) fail_msg("README.md does not name %s", COMMANDS[i]->name);
    }
    free(page);
}

int main(void) {
    setlocale(LC_CTYPE, "C.UTF-8"); /* pages are UTF-8, as the program prints them */
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_page_names_every_command),
        cmocka_unit_test(every_option_stands_once_in_the_help_of_its_command),
        cmocka_unit_test(every_option_has_at_most_one_default),
        cmocka_unit_test(an_option_that_is_given_twice_is_refused_by_its_name),
        cmocka_unit_test(every_option_has_its_own_field_for_its_kind_of_value),
        cmocka_unit_test(a_bad_value_is_refused_in_a_line_that_names_the_option),
        cmocka_unit_test(a_good_value_comes_to_its_field),
        cmocka_unit_test(unknown_options_are_refused_by_every_command),
        cmocka_unit_test(arguments_are_counted_by_every_command),
        cmocka_unit_test(every_page_fits_and_begins_with_the_synopsis),
        cmocka_unit_test(options_that_do_not_go_together_are_refused),
        cmocka_unit_test(options_stand_anywhere_and_end_with_two_dashes),
        cmocka_unit_test(an_option_that_repeats_keeps_its_values_in_order),
        cmocka_unit_test(a_secret_seed_leaves_nothing_behind),
        cmocka_unit_test(help_is_printed_in_every_way_it_is_asked_for),
    };
    return cmocka_run_group_tests_name("cli/commands", tests, NULL, NULL);
}
