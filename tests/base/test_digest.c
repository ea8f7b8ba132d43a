/* Digests, compared with what b2sum prints, and those of several things with those of their bytes
 * in a row. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/digest.h"

/* printf abc | b2sum -l 128 */
static void a_digest_is_the_first_half_of_blake2b_with_128_bits(void **state) {
    (void)state;
    assert_int_equal(digest_of("abc", 3), UINT64_C(0xcf4ab791c62b8d2b));
    assert_int_equal(digest_of("", 0), UINT64_C(0xcae66941d9efbd40));
}

static void things_are_added_behind_the_digest_of_those_before(void **state) {
    (void)state;
    static const unsigned char bytes[] = {1, 2, 3, 4, 5, 6, 7, 8, 'x', 'y'};
    const uint64_t before = UINT64_C(0x0102030405060708);
    assert_int_equal(digest_add(before, "xy", 2), digest_of(bytes, sizeof bytes));
    assert_int_equal(digest_add(before, NULL, 0), digest_of(bytes, 8));
    assert_int_equal(digest_add_number(7, before),
                     digest_of("\0\0\0\0\0\0\0\7\1\2\3\4\5\6\7\10", 16));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_digest_is_the_first_half_of_blake2b_with_128_bits),
        cmocka_unit_test(things_are_added_behind_the_digest_of_those_before),
    };
    return cmocka_run_group_tests_name("base/digest", tests, NULL, NULL);
}
