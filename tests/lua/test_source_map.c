/* The line and column at which a key of the returned table is written. */
#include "lua/source_map.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void expect(const char *text, const char *key, int line, int column, int depth) {
    struct source_place place = source_map_find(text, strlen(text), key);
    if (place.line != line || place.column != column || place.depth != depth)
        fail_msg("%s in\n%s\nat %d:%d, %d parts; expected %d:%d, %d", key, text, place.line,
                 place.column, place.depth, line, column, depth);
}

static void keys_are_found_at_any_depth(void **state) {
    (void)state;
    const char *text = "return {\n  a = 1, b = {\n    c = 2; [\"d\"] = { e = 3 },\n  },\n}";
    expect(text, "a", 2, 3, 1);
    expect(text, "b.c", 3, 5, 2);
    expect(text, "b.d.e", 3, 22, 3);
}

static void a_missing_part_gives_the_place_of_what_holds_it(void **state) {
    (void)state;
    const char *text = "\nreturn { a = { b = 1 },\n c = make { d = 2 } }";
    expect(text, "a.x.y", 2, 10, 1);
    expect(text, "c.d", 3, 2, 1);
    expect(text, "x", 2, 1, 0);
    expect(text, "", 2, 1, 0);
}

static void what_is_assigned_to_the_returned_table_is_found(void **state) {
    (void)state;
    const char *text = "local bot = { api = 1 }\nbot.title = 'x'\n"
                       "function bot.move(view)\n  bot.setup = 2\n  return view\nend\n"
                       "bot.army = {\n  spy = 1, list = { 1, 2 } }\nreturn bot\n";
    expect(text, "api", 1, 15, 1);
    expect(text, "title", 2, 5, 1);
    expect(text, "move", 3, 14, 1);
    expect(text, "setup", 9, 1, 0);
    expect(text, "army.spy", 8, 3, 2);
    expect(text, "army.list[2]", 8, 24, 3);
    expect(text, "army.miner", 7, 5, 1);
}

static void elements_of_lists_are_counted(void **state) {
    (void)state;
    const char *text = "return { list = { 1, x = 0, f(1, 2), [\"y\"] = 5,\n  { a = 1 } } }";
    expect(text, "list[1]", 1, 19, 2);
    expect(text, "list[2]", 1, 29, 2);
    expect(text, "list[3]", 2, 3, 2);
    expect(text, "list[3].a", 2, 5, 3);
    expect(text, "list[4].a", 1, 10, 1);
    expect(text, "list.x", 1, 22, 2);
}

static void commas_in_functions_calls_and_tables_end_no_field(void **state) {
    (void)state;
    const char *text = "return { f = function(a, b) if a then return a, b end\n"
                       "  for i = 1, 2 do local t = { x = 1, y = 2 } end\n"
                       "  while a do a = nil end repeat local z, w until true end,\n"
                       "  g = call(1, { y = 2 }), y = 3 }";
    expect(text, "y", 4, 27, 1);
    expect(text, "x", 1, 1, 0);
}

static void strings_and_comments_are_passed_over(void **state) {
    (void)state;
    const char *text = "-- return { a = 1 }\n--[==[ return { a = 2 } ]] ]==]\n"
                       "local s = [[ return { a = 3 } ]] .. 'it\\'s { ' .. \"\\\"}\"\n"
                       "return { -- a = 4\n  b = \"}, a = 5\", [ [[k]] ] = 1, a = 6 }";
    expect(text, "a", 5, 34, 1);
    expect(text, "k", 5, 21, 1);
}

static void comparisons_are_no_fields(void **state) {
    (void)state;
    expect("return { x == y, x = 1 }", "x", 1, 18, 1);
}

static void a_key_written_twice_is_at_its_last_place(void **state) {
    (void)state;
    expect("return { a = 1,\n a = 2 }", "a", 2, 2, 1);
}

static void a_returned_variable_is_followed_to_its_table(void **state) {
    (void)state;
    expect("local v = {\n army = { x = 1 } }\nlocal function f() return 1 end\nreturn v", "army.x",
           2, 11, 2);
    expect("local v = make()\nreturn v", "army", 2, 1, 0);
}

static void text_that_returns_nothing_has_no_places(void **state) {
    (void)state;
    expect("local x = { a = 1 }", "a", 0, 0, 0);
    expect("", "a", 0, 0, 0);
    expect("return { a = { ", "a.b", 1, 10, 1);
    expect("return { [[", "a", 1, 1, 0);
}

static void lines_are_counted_whatever_ends_them(void **state) {
    (void)state;
    expect("return {\r a = 1,\r\n b = [[x\r\ry]], -- c\r  c = 2 }", "a", 2, 2, 1);
    expect("return {\r a = 1,\r\n b = [[x\r\ry]], -- c\r  c = 2 }", "b", 3, 2, 1);
    expect("return {\r a = 1,\r\n b = [[x\r\ry]], -- c\r  c = 2 }", "c", 6, 3, 1);
}

static void what_stands_before_the_lua_of_a_file_is_passed_over(void **state) {
    (void)state;
    expect("\xEF\xBB\xBFreturn { a = 1 }", "a", 1, 10, 1);
    expect("#!/usr/bin/env return {\nreturn { a = 1 }", "a", 2, 10, 1);
    expect("\xEF\xBB\xBF#!'\rreturn { a = 1 }", "a", 2, 10, 1);
    expect("#", "a", 0, 0, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_are_found_at_any_depth),
        cmocka_unit_test(a_missing_part_gives_the_place_of_what_holds_it),
        cmocka_unit_test(what_is_assigned_to_the_returned_table_is_found),
        cmocka_unit_test(elements_of_lists_are_counted),
        cmocka_unit_test(commas_in_functions_calls_and_tables_end_no_field),
        cmocka_unit_test(strings_and_comments_are_passed_over),
        cmocka_unit_test(comparisons_are_no_fields),
        cmocka_unit_test(a_key_written_twice_is_at_its_last_place),
        cmocka_unit_test(a_returned_variable_is_followed_to_its_table),
        cmocka_unit_test(lines_are_counted_whatever_ends_them),
        cmocka_unit_test(what_stands_before_the_lua_of_a_file_is_passed_over),
        cmocka_unit_test(text_that_returns_nothing_has_no_places),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
