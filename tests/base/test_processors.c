/* Who holds which processor. */
#include "base/processors.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static int count(const struct processors *processors) {
    int bits = 0;
    for (int i = 0; i < 16; i++) bits += __builtin_popcountll(processors->set[i]);
    return bits;
}

static void a_claim_binds_and_its_release_frees(void **state) {
    (void)state;
    struct processors before, during, after;
    struct processor_claim claim = PROCESSOR_UNCLAIMED;
    processors_get(0, &before);
    if (!processors_claim(&before, &claim)) skip(); /* eight others hold each of them */
    processors_get(0, &during);
    assert_int_equal(count(&during), 1);
    assert_true(during.set[claim.processor / 64] >> (claim.processor % 64) & 1);
    processors_release(&before, &claim);
    processors_get(0, &after);
    assert_memory_equal(&before, &after, sizeof before);
    assert_int_equal(claim.socket, -1);
}

/* Only one processor is allowed, so that what other programs claim does not matter. */
static void those_who_must_share_know_of_each_other_across_processes(void **state) {
    (void)state;
    struct processors before, one = {{0}};
    struct processor_claim first = PROCESSOR_UNCLAIMED, second = PROCESSOR_UNCLAIMED;
    processors_get(0, &before);
    for (int i = 0; i < 16 && !count(&one); i++) one.set[i] = before.set[i] & -before.set[i];
    if (!processors_claim(&one, &first)) skip();
    if (!processors_claim(&one, &second)) skip();
    assert_int_equal(first.processor, second.processor);
    assert_int_not_equal(first.others, second.others);
    pid_t child = fork();
    if (child == 0) {
        struct processor_claim third = PROCESSOR_UNCLAIMED;
        bool claimed = processors_claim(&one, &third);
        _exit(claimed && (third.others == first.others || third.others == second.others));
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    processors_release(&before, &first);
    processors_release(&before, &second);
}

static void a_claim_changes_only_for_a_better_one(void **state) {
    (void)state;
    struct processors before;
    struct processor_claim first = PROCESSOR_UNCLAIMED;
    processors_get(0, &before);
    if (!processors_claim(&before, &first)) skip();
    struct processor_claim held = first;
    if (processors_claim(&before, &first)) assert_true(first.others < held.others);
    processors_release(&before, &first);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_claim_binds_and_its_release_frees),
        cmocka_unit_test(those_who_must_share_know_of_each_other_across_processes),
        cmocka_unit_test(a_claim_changes_only_for_a_better_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
