/* Named set-ups: the included ones, the user's, and the faults of others. */
#include "host/setups/setup_library.h"

#include "base/files.h"
#include "games/met.h"
#include "host/match/tournament.h"
#include "host/player_process.h"
#include "host/setups/setup_pool.h"
#include "jail/zygote.h"
#include "support.h"
#include "variant/variant.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static const char *const VARIANTS[] = {"original", "infiltrator", "duel",        "barrage",
                                       "quick",    "galaxy",      "galaxy-duel", "lightning"};
enum { VARIANT_COUNT = sizeof VARIANTS / sizeof *VARIANTS };

static void stock_armies_have_enough_set_ups_each_with_an_idea(void **state) {
    (void)state;
    size_t all = 0;
    for (int v = 0; v < VARIANT_COUNT; v++) {
        struct rules *rules = support_rules(VARIANTS[v]);
        struct setup_library library;
        struct fault fault = {0};
        assert_true(setup_library_open(&library, support_folders(), rules, RED, &fault));
        assert_true(library.count >= (v == 0 ? 12 : 2));
        all += library.count;
        for (size_t i = 0; i < library.count; i++) {
            assert_true(setup_check(rules, RED, &library.list[i].setup, &fault));
            if (strlen(library.list[i].idea) < 40) fail_msg("%s has no idea", library.list[i].name);
        }
        setup_library_close(&library);
        rules_free(rules);
    }
    assert_true(all >= 24);
}

static void no_stock_set_up_is_another_or_its_mirror_image(void **state) {
    (void)state;
    for (int v = 0; v < VARIANT_COUNT; v++) {
        struct rules *rules = support_rules(VARIANTS[v]);
        struct setup_library library;
        struct fault fault = {0};
        assert_true(setup_library_open(&library, support_folders(), rules, RED, &fault));
        for (size_t i = 0; i < library.count; i++) {
            struct setup mirrored;
            setup_mirror(rules, &library.list[i].setup, &mirrored);
            for (size_t k = 0; k < i; k++) {
                const struct setup *other = &library.list[k].setup;
                assert_memory_not_equal(&library.list[i].setup, other, sizeof *other);
                assert_memory_not_equal(&mirrored, other, sizeof *other);
            }
        }
        setup_library_close(&library);
        rules_free(rules);
    }
}

/* The army of `milton-bradley` has the same kinds under other letters. */
static void the_usual_letters_serve_a_variant_with_letters_of_its_own(void **state) {
    (void)state;
    struct rules *original = support_rules("original"), *old = support_rules("milton-bradley");
    struct library_setup a, b;
    struct fault fault = {0};
    assert_true(setup_library_find(support_folders(), original, RED, "blitz", &a, &fault));
    assert_true(setup_library_find(support_folders(), old, RED, "blitz", &b, &fault));
    for (square at = 0; at < original->board.squares; at++)
        assert_string_equal(original->kind[a.setup.at[at]].name, old->kind[b.setup.at[at]].name);
    rules_free(original);
    rules_free(old);
}

static void a_name_that_is_none_is_answered_with_the_nearest_that_fits(void **state) {
    (void)state;
    struct library_setup found;
    struct fault fault = {0};
    assert_false(setup_library_find(support_folders(), duel, RED, "duel-corne", &found, &fault));
    assert_int_equal(fault.status, STATUS_NOT_FOUND);
    assert_string_equal(fault.text,
                        "no set-up \"duel-corne\" for \"duel\", did you mean \"duel-corner\"?");
}

static void a_set_up_of_another_army_is_refused_with_what_does_not_fit(void **state) {
    (void)state;
    struct library_setup found;
    struct fault fault = {0};
    assert_false(setup_library_find(support_folders(), duel, RED, "blitz", &found, &fault));
    assert_non_null(strstr(fault.file, "variants/setups/blitz.txt"));
    assert_non_null(strstr(fault.text, "the set-up does not fit \"duel\": "));
}

/* The block of variants/README.md that is a file of the library. */
static void the_example_of_the_documentation_is_a_set_up(void **state) {
    (void)state;
    size_t length;
    struct fault fault = {0};
    char *text = files_read(ENSIGN_ROOT "/variants/README.md", 1 << 20, &length, &fault);
    assert_non_null(text);
    char *block = strstr(text, "```\n# Everything at once");
    assert_non_null(block);
    block += 4;
    struct setup_pool setups;
    if (!setup_pool_read(duel, RED, block, (size_t)(strstr(block, "\n```") - block), &setups,
                         &fault))
        fail_msg("%s", fault.text);
    setup_pool_clear(&setups);
    free(text);
}

static void write_text(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

/* A data folder of the user's own, with set-ups in it, and a bot that asks for one. */
static char home[64];

static int settle(void **state) {
    (void)state;
    char path[128];
    snprintf(home, sizeof home, "/tmp/ensign-library-XXXXXX");
    if (!mkdtemp(home)) return -1;
    snprintf(path, sizeof path, "%s/ensign/variants/setups/mine.txt", home);
    if (!files_folders(path, SIZE_MAX, NULL)) return -1;
    write_text(path, "# All on the left,\n#   for once.\n\nM9S2......\n2.........\n33........\n"
                     "FBB.......\n");
    snprintf(path, sizeof path, "%s/asks.lua", home);
    write_text(path, "return { api = 1, setup = function() return \"mine\" end,\n"
                     "  move = function(view) return view:moves()[1] end }\n");
    snprintf(path, sizeof path, "%s/errs.lua", home);
    write_text(path, "return { api = 1, setup = function() return \"mien\" end,\n"
                     "  move = function(view) return view:moves()[1] end }\n");
    return setenv("XDG_DATA_HOME", home, 1);
}

static int leave(void **state) {
    (void)state;
    char command[128];
    unsetenv("XDG_DATA_HOME");
    snprintf(command, sizeof command, "rm -r '%s'", home);
    return system(command) == 0 ? 0 : -1;
}

static void users_add_a_set_up_by_putting_a_file_into_their_folder(void **state) {
    (void)state;
    struct folders folders;
    struct fault fault = {0};
    assert_true(folders_find(&folders, &fault));
    struct random random = random_stream(1, STREAM_RED_SETUP, 0);
    struct library_setup found;
    struct setup setup;
    assert_true(setup_library_find(&folders, duel, RED, "mine", &found, &fault));
    assert_string_equal(found.name, "mine");
    assert_string_equal(found.idea, "All on the left, for once.");
    assert_true(setup_library_load(&folders, duel, RED, "mine", &random, &setup, &fault));
    assert_memory_equal(&setup, &found.setup, sizeof setup);
}

static void a_variant_in_a_folder_brings_its_own(void **state) {
    (void)state;
    struct folders folders;
    struct fault fault = {0};
    struct library_setup found;
    char path[128];
    static const char *const parts[] = {"variants", "variants/club", "variants/club/setups"};
    for (int i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "%s/ensign/%s", home, parts[i]);
        mkdir(path, 0700);
    }
    snprintf(path, sizeof path, "%s/ensign/variants/club/init.lua", home);
    write_text(path, "return { api = 1, extends = \"duel\", title = \"Club\" }\n");
    snprintf(path, sizeof path, "%s/ensign/variants/club/setups/ours.txt", home);
    write_text(path, "M9S2....../2........./33......../FBB.......\n");
    assert_true(folders_find(&folders, &fault));
    struct rules *club = variant_load(&folders, "club", &fault);
    assert_non_null(club);
    if (!setup_library_find(&folders, club, RED, "ours", &found, &fault))
        fail_msg("%s", fault.text);
    assert_true(setup_library_find(&folders, club, RED, "mine", &found, &fault));
    assert_false(setup_library_find(&folders, duel, RED, "ours", &found, &fault));
    assert_int_equal(fault.status, STATUS_NOT_FOUND);
    rules_free(club);
}

/* Two games of a bot of the user's against rookie, in locked processes or in this one. */
static struct tournament *play(const char *bot, bool locked, const struct rules *rules) {
    struct folders folders;
    struct fault fault = {0};
    char path[128];
    assert_true(folders_find(&folders, &fault));
    snprintf(path, sizeof path, "%s/%s", home, bot);
    const struct player_options bots = {
        .folders = &folders, .rules = rules, .limits = SANDBOX_DEFAULTS};
    struct template *template = locked ? player_template(&bots, &fault) : NULL;
    struct tournament *match = met_rookie(&folders, rules, path, template);
    template_close(template);
    return match;
}

static void a_bot_may_answer_with_a_name_inside_the_wall_and_outside(void **state) {
    (void)state;
    struct tournament *inside = play("asks.lua", true, duel),
                      *outside = play("asks.lua", false, duel);
    assert_int_equal(inside->forfeit_count, 0);
    assert_int_equal(inside->hash, outside->hash);
    tournament_free(inside);
    tournament_free(outside);
}

static void a_bot_that_names_no_set_up_forfeits_and_is_told_the_nearest(void **state) {
    (void)state;
    for (int locked = 0; locked < 2; locked++) {
        struct tournament *match = play("errs.lua", locked, duel);
        assert_int_equal(match->forfeit_count, 2);
        assert_int_equal(match->games[0].reason, REASON_FORFEIT_ILLEGAL);
        assert_string_equal(
            match->forfeits[0].fault.text,
            "in setup: no set-up \"mien\" for \"duel\", did you mean \"mine\"? (ply 0)");
        assert_non_null(strstr(match->forfeits[0].fault.file, "errs.lua"));
        tournament_free(match);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stock_armies_have_enough_set_ups_each_with_an_idea),
        cmocka_unit_test(no_stock_set_up_is_another_or_its_mirror_image),
        cmocka_unit_test(the_usual_letters_serve_a_variant_with_letters_of_its_own),
        cmocka_unit_test(a_name_that_is_none_is_answered_with_the_nearest_that_fits),
        cmocka_unit_test(a_set_up_of_another_army_is_refused_with_what_does_not_fit),
        cmocka_unit_test(the_example_of_the_documentation_is_a_set_up),
        cmocka_unit_test_setup_teardown(users_add_a_set_up_by_putting_a_file_into_their_folder,
                                        settle, leave),
        cmocka_unit_test_setup_teardown(a_variant_in_a_folder_brings_its_own, settle, leave),
        cmocka_unit_test_setup_teardown(a_bot_may_answer_with_a_name_inside_the_wall_and_outside,
                                        settle, leave),
        cmocka_unit_test_setup_teardown(a_bot_that_names_no_set_up_forfeits_and_is_told_the_nearest,
                                        settle, leave),
    };
    return cmocka_run_group_tests(tests, load_duel, drop_duel);
}
