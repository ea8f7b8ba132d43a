/* The bots of the search path by level. */
#include "base/fault.h"
#include "host/bot_levels.h"
#include "jail/loader.h"
#include "support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static struct bot_levels bot_levels_of(struct rung *list, int count, int levels) {
    return (struct bot_levels){.list = list, .count = count, .levels = levels};
}

static void the_strongest_bot_that_says_its_chances_is_asked(void **state) {
    (void)state;
    struct rung list[] = {
        {.name = "a", .card = {.level = LEVEL_EASY, .appraises = true}},
        {.name = "b", .card = {.level = LEVEL_HARD, .appraises = true}},
        {.name = "c", .card = {.level = LEVEL_HARD, .appraises = true}},
        {.name = "d", .card = {.level = LEVEL_EXPERT}},
        {.name = "e", .card = {.appraises = true}},
    };
    struct bot_levels ladder = bot_levels_of(list, 5, 4);
    assert_string_equal(bot_levels_appraiser(&ladder)->name, "b");
    list[0].card.appraises = list[1].card.appraises = list[2].card.appraises = false;
    assert_string_equal(bot_levels_appraiser(&ladder)->name, "e");
    list[4].card.appraises = false;
    assert_null(bot_levels_appraiser(&ladder));
}

static void a_bots_card_tells_whether_it_says_its_chances(void **state) {
    (void)state;
    struct bot_card card;
    struct faults *faults = faults_new();
    assert_non_null(faults);
    assert_true(loader_bot(support_folders(), "tests/data/appraiser.lua", &card, faults));
    assert_true(card.appraises);
    assert_true(loader_bot(support_folders(), "bots/rookie.lua", &card, faults));
    assert_false(card.appraises);
    free(faults);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_strongest_bot_that_says_its_chances_is_asked),
        cmocka_unit_test(a_bots_card_tells_whether_it_says_its_chances),
    };
    return cmocka_run_group_tests_name("host/ladder", tests, NULL, NULL);
}
