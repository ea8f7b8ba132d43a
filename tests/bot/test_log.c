/* What a bot prints: its form, its bounds, and that it changes nothing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bot_table.h"
#include "lua/logbook.h"
#include "lua/profile.h"

#include <stdio.h>
#include <string.h>

static struct bot_table *table;
static struct logbook book;
static struct sandbox_watch watch;

static int open_table(void **state) {
    (void)state;
    table = bot_table_open("original");
    bot_table_place(table, "rFa1 rMe3 r3e4 bFj10 b9j9 bBj8 b4e5 red");
    return 0;
}

static int close_table(void **state) {
    (void)state;
    bot_table_close(table);
    return 0;
}

/* The fuel that a move takes with these statements before it. `random`: what it then draws. */
static uint64_t fuel_of(const char *statements, const struct sandbox_watch *seen, double *random) {
    char text[1024];
    struct bot_answer answer;
    snprintf(text, sizeof text,
             "local bot = { api = 1 }\n"
             "function bot.move(view)\n %s\n return tostring(view:random())\nend\nreturn bot",
             statements);
    logbook_clear(&book);
    table->folders.watch = seen;
    struct bot *bot = bot_table_bot(table, text, SANDBOX_DEFAULTS);
    table->folders.watch = NULL;
    if (!bot || !bot_table_ask(table, bot, &answer)) fail_msg("%s", table->fault.text);
    uint64_t fuel = bot_fuel(bot);
    if (random) assert_int_equal(sscanf(answer.text, "%lf", random), 1);
    bot_free(bot);
    return fuel;
}

/* What the statements print. */
static const char *printed(const char *statements) {
    watch = (struct sandbox_watch){.log = &book};
    fuel_of(statements, &watch, NULL);
    return book.text;
}

static void printing_costs_the_call_alone_whether_anybody_reads_it_or_not(void **state) {
    (void)state;
    static const char loop[] =
        "local show = %s\n"
        "local list = { 1, 2.5, { name = 'a text of some length' }, long = ('x'):rep(2000) }\n"
        "for i = 1, 20000 do show('value', i, list, view) end";
    char prints[512], calls[512];
    double unread, read;
    snprintf(prints, sizeof prints, loop, "print");
    snprintf(calls, sizeof calls, loop, "type"); /* a function in C that does nothing */
    watch = (struct sandbox_watch){.log = &book};
    uint64_t off = fuel_of(prints, NULL, &unread), on = fuel_of(prints, &watch, &read);
    assert_int_equal(off, on);
    assert_true(read == unread && book.length > 1000);
    assert_int_equal(off, fuel_of(calls, NULL, NULL));
    assert_in_range(off, 100000, 200000);
}

static void a_profile_counts_the_same_fuel_and_finds_the_line(void **state) {
    (void)state;
    static const char text[] = "local sum = 0\n"
                               "for i = 1, 30000 do\n"
                               "sum = sum + i * i % 7\n"
                               "end\n"
                               "local moves = view:moves() local s = ('x'):rep(200000) print(#s)";
    struct profile_line lines[8];
    struct sandbox_watch seen = {.profile = profile_new()};
    double with, without;
    assert_non_null(seen.profile);
    uint64_t fuel = fuel_of(text, &seen, &with);
    assert_int_equal(fuel, fuel_of(text, NULL, &without));
    assert_true(with == without);
    size_t count = profile_greatest(seen.profile, lines, 8);
    assert_true(count > 3);
    assert_int_equal(lines[0].line, 5); /* two lines of the probe precede the statements */
    assert_non_null(strstr(lines[0].file, "probe.lua"));
    assert_true(lines[0].fuel > 80000 && lines[0].fuel > lines[1].fuel);
    bool charged = false; /* what C code charges goes to the line that called it */
    for (size_t i = 0; i < count; i++) charged |= lines[i].line == 7 && lines[i].fuel > 20000;
    assert_true(charged);
    /* Fuel is taken in steps of 1,000; the load counts in the profile too. */
    assert_in_range(profile_total(seen.profile), fuel - 1000, fuel + 3000);
    profile_free(seen.profile);
}

static void values_are_shown_readably_and_metamethods_are_not_run(void **state) {
    (void)state;
    assert_string_equal(printed("print('a', 1, 2.0, 0.5, true, nil, print)"),
                        "a 1 2.0 0.5 true nil function\n");
    assert_string_equal(printed("view:log({ 3, 4, x = 'y', [2.5] = false, ['a b'] = { {} } })"),
                        "{3, 4, [2.5] = false, [\"a b\"] = {{}}, x = \"y\"}\n");
    assert_string_equal(printed("print(setmetatable({ 1 }, { __tostring = error }))"), "{1}\n");
    assert_string_equal(printed("local t = {} t.t = t print(t)"), "{t = {t = {t = {t = {…}}}}}\n");
}

static void control_characters_do_not_pass(void **state) {
    (void)state;
    assert_string_equal(printed("print('red \\27[31m', 'a\\tb\\r\\0c\\xff', 'бомба', "
                                "'\\u{202e}left')"),
                        "red ?[31m a b??c? бомба ?left\n");
    assert_string_equal(printed("print('two\\nlines')"), "two\nlines\n");
}

static void a_log_is_cut_once_and_says_so(void **state) {
    (void)state;
    const char *text = printed("for i = 1, 5000 do print('line', i) end");
    assert_true(strlen(text) <= LOGBOOK_ROOM);
    const char *note = strstr(text, "(cut: more than 8192 bytes)\n");
    assert_non_null(note);
    assert_int_equal(note[strlen("(cut: more than 8192 bytes)\n")], 0);
    assert_non_null(strstr(printed("print(('x'):rep(20000))"), "(cut"));
}

static void a_view_is_drawn_as_its_side_knows_it(void **state) {
    (void)state;
    static const char picture[] = "red's view after ply 0, red to move\n"
                                  "    a  b  c  d  e  f  g  h  i  j\n"
                                  "10  .  .  .  .  .  .  .  .  . b? 10\n"
                                  " 9  .  .  .  .  .  .  .  .  . b? 9\n"
                                  " 8  .  .  .  .  .  .  .  .  . b? 8\n"
                                  " 7  .  .  .  .  .  .  .  .  .  . 7\n"
                                  " 6  .  .  ~  ~  .  .  ~  ~  .  . 6\n"
                                  " 5  .  .  ~  ~ b?  .  ~  ~  .  . 5\n"
                                  " 4  .  .  .  . r3  .  .  .  .  . 4\n"
                                  " 3  .  .  .  . rM  .  .  .  .  . 3\n"
                                  " 2  .  .  .  .  .  .  .  .  .  . 2\n"
                                  " 1 rF  .  .  .  .  .  .  .  .  . 1\n"
                                  "    a  b  c  d  e  f  g  h  i  j\n"
                                  "fallen: none\n";
    assert_string_equal(printed("print(view)"), picture);
    assert_string_equal(printed("print(tostring(view))"), picture);
    assert_true(bot_table_holds(table, "#string.format('%s', view) == #tostring(view)"));
}

static void a_table_of_the_view_holds_what_its_methods_tell(void **state) {
    (void)state;
    static const char *const truths[] = {
        "view:table().side == view:side() and view:table().to_move == 'red'",
        "view:table().variant == 'original' and view:table().files == 10",
        "view:table().ply == view:ply() and view:table().result == nil",
        "#view:table().pieces == #view:mine() + #view:enemies()",
        "#view:table().moves == #view:moves()",
        "view:table().moves[1] == view:text(view:moves()[1])",
        "view:table().pieces[view:at('e3')].kind == 'marshal'",
        "view:table().pieces[view:at('e3')].name == 'e3'",
        "view:table().pieces[view:at('e5')].kind == nil",
        "#view:table().pieces[view:at('e5')].may_be == #view:may_be(view:at('e5'))",
        "view:table().pieces[view:at('e5')].square == view:square('e5')",
        "next(view:table().captured.blue) == nil",
    };
    for (size_t i = 0; i < sizeof truths / sizeof *truths; i++)
        assert_true(bot_table_holds(table, truths[i]));
}

/* Pieces of the enemy that a side cannot tell apart change places: it sees the same. */
static void hidden_ranks_are_in_no_text_of_a_view(void **state) {
    (void)state;
    static const char all[] = "print(view) print(view:table()) print(view:history())";
    char first[LOGBOOK_ROOM];
    bot_table_place(table, "rFa1 rMe3 r3e4 bFj10 b9j9 bBj8 b4e5 b5g7 red");
    snprintf(first, sizeof first, "%s", printed(all));
    bot_table_place(table, "rFa1 rMe3 r3e4 bBj10 bFj9 b9j8 b5e5 b4g7 red");
    assert_string_equal(printed(all), first);
    bot_table_place(table, "rFa1 rMe3 r3e4 bFj10 b9j9 bBj8 b4e5 red");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(printing_costs_the_call_alone_whether_anybody_reads_it_or_not),
        cmocka_unit_test(a_profile_counts_the_same_fuel_and_finds_the_line),
        cmocka_unit_test(values_are_shown_readably_and_metamethods_are_not_run),
        cmocka_unit_test(control_characters_do_not_pass),
        cmocka_unit_test(a_log_is_cut_once_and_says_so),
        cmocka_unit_test(a_view_is_drawn_as_its_side_knows_it),
        cmocka_unit_test(a_table_of_the_view_holds_what_its_methods_tell),
        cmocka_unit_test(hidden_ranks_are_in_no_text_of_a_view),
    };
    return cmocka_run_group_tests(tests, open_table, close_table);
}
