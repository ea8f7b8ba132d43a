/* What toolkit.prospects pays for: bots that score moves rely on it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bot_table.h"

#include <stdio.h>

static struct bot_table *table;

static int open_original(void **state) {
    (void)state;
    table = bot_table_open("original");
    return 0;
}

static int close_table(void **state) {
    (void)state;
    bot_table_close(table);
    return 0;
}

/* The score of the scout's attack from e1 on e6, compared with 0. */
static bool attack_holds(const char *comparison) {
    char text[1024];
    snprintf(text, sizeof text,
             "(function()\n"
             "  local hope = require('toolkit.prospects')(view)\n"
             "  hope:read(view)\n"
             "  for _, move in ipairs(view:moves()) do\n"
             "    if view:text(move) == 'e1xe6' then return hope:score(view, move) %s 0 end\n"
             "  end\n"
             "  error('no such move')\n"
             "end)()",
             comparison);
    return bot_table_holds(table, text);
}

static void a_scout_is_paid_for_learning_an_unknown_rank_only(void **state) {
    (void)state;
    bot_table_place(table, "rFa1 r2e1 r4e7 bMe6 b9j9 bFj10 red");
    assert_true(attack_holds(">"));
    bot_table_play(table, "e7xe6");
    bot_table_play(table, "j9-i9");
    assert_true(attack_holds("<"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_scout_is_paid_for_learning_an_unknown_rank_only),
    };
    return cmocka_run_group_tests(tests, open_original, close_table);
}
