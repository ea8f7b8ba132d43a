/* test_page_parts.c - the modules of the page that need no document do what they say; Node runs
 * them (page_parts.mjs). */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static void armies_saved_setups_and_the_connection_work_as_they_say(void **state) {
    char line[1024];
    (void)state;
    FILE *node = popen("node '" ENSIGN_ROOT "/tests/serve/page_parts.mjs' '" ENSIGN_ROOT
                       "/src/serve/page' 2>&1",
                       "r");
    assert_non_null(node);
    while (fgets(line, sizeof line, node)) print_message("%s", line);
    assert_int_equal(pclose(node), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(armies_saved_setups_and_the_connection_work_as_they_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
