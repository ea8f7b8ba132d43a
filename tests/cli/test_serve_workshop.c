/* `ensign serve --workshop` serves browsers on this machine only. */
#include "program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { MISUSE = 2 };

static void a_workshop_is_refused_where_others_could_reach_it(void **state) {
    (void)state;
    program_expect(PROGRAM("serve", "--workshop", "--listen", "0.0.0.0:0"), MISUSE,
                   "--listen needs a loopback address");
    program_expect(PROGRAM("serve", "--workshop", "--listen", "[::]:0"), MISUSE,
                   "--listen needs a loopback address");
    program_expect(PROGRAM("serve", "--workshop", "--proxy"), MISUSE, "--workshop is for browsers");
    program_expect(PROGRAM("serve", "--workshop", "--origin", "https://example.org"), MISUSE,
                   "--workshop is for browsers");
    program_expect(PROGRAM("serve", "--workshop", "--stdio"), MISUSE, "--workshop is for browsers");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_workshop_is_refused_where_others_could_reach_it),
    };
    return cmocka_run_group_tests_name("serve_workshop", tests, NULL, NULL);
}
