/* The stock bots stand in their order: seer beats hunter, hunter beats raider, raider beats rookie;
 * and so do those of the levels, cadet to commodore, which take little time.
 *
 * A quick run plays 40 games a pairing, 20 of levels, 12 where seer thinks, and asks for 60 % of
 * the points; with ENSIGN_LONG=1 it is 200 games and 65 %. Every other variant is played too, for a
 * few games: no stock bot may ever forfeit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "games/length.h"
#include "support.h"

#include "host/match/tournament.h"

#include <stdlib.h>
#include <string.h>

static struct tournament *play(const char *variant, const char *better, const char *worse,
                               uint32_t games) {
    struct rules *rules = support_rules(variant);
    const char *players[] = {better, worse};
    struct fault fault = {0};
    struct tournament *match =
        tournament_run(&(struct tournament_options){.folders = support_folders(),
                                                    .rules = rules,
                                                    .players = players,
                                                    .player_count = 2,
                                                    .games = games,
                                                    .jobs = 2,
                                                    .chance = {{1}},
                                                    .limits = SANDBOX_DEFAULTS},
                       &fault);
    if (!match) fail_msg("%s: %s", variant, fault.text);
    rules_free(rules);
    return match;
}

static void assert_no_forfeit(const struct tournament *match, const char *variant) {
    if (match->forfeit_count) fail_msg("%s: %s", variant, match->forfeits[0].fault.text);
}

/* In a large army, in a small one, and where pieces have abilities. */
static void assert_stronger(const char *better, const char *worse, uint32_t games) {
    static const char *const variants[] = {"original", "duel", "infiltrator"};
    const bool is_long = at_length();
    const double least = is_long ? 0.65 : 0.60;
    for (size_t i = 0; i < sizeof variants / sizeof *variants; i++) {
        struct tournament *match = play(variants[i], better, worse, is_long ? 200 : games);
        assert_no_forfeit(match, variants[i]);
        const struct statistics *won = &match->statistics[0];
        const double score = statistics_score(won);
        print_message("%s: %s against %s +%u =%u -%u, %.1f %%\n", variants[i], better, worse,
                      won->wins, won->draws, won->losses, 100 * score);
        if (score < least) fail_msg("expected at least %.0f %%", 100 * least);
        tournament_free(match);
    }
}

static void seer_beats_hunter_by_a_clear_margin(void **state) {
    (void)state;
    assert_stronger("seer", "hunter", 12);
}

static void hunter_beats_raider_by_a_clear_margin(void **state) {
    (void)state;
    assert_stronger("hunter", "raider", 40);
}

static void raider_beats_rookie_by_a_clear_margin(void **state) {
    (void)state;
    assert_stronger("raider", "rookie", 40);
}

static void each_level_beats_the_one_below_by_a_clear_margin(void **state) {
    (void)state;
    static const char *const levels[] = {"rookie",     "cadet",     "midshipman",
                                         "lieutenant", "commander", "commodore"};
    for (size_t i = 1; i < sizeof levels / sizeof *levels; i++)
        assert_stronger(levels[i], levels[i - 1], 20);
}

static void chance_never_attacks_what_is_known_to_be_stronger(void **state) {
    (void)state;
    static const char *const variants[] = {"duel", "barrage", "infiltrator"};
    for (size_t i = 0; i < sizeof variants / sizeof *variants; i++) {
        struct tournament *match = play(variants[i], "tests/data/sober.lua", "hunter", 20);
        assert_no_forfeit(match, variants[i]);
        tournament_free(match);
    }
}

static void no_stock_bot_forfeits_in_any_stock_variant(void **state) {
    (void)state;
    static const char *const variants[] = {"classic", "milton-bradley", "galaxy", "galaxy-duel",
                                           "russian", "barrage",        "quick",  "lightning"};
    for (size_t i = 0; i < sizeof variants / sizeof *variants; i++) {
        struct tournament *match = play(variants[i], "seer", "hunter", 2);
        assert_no_forfeit(match, variants[i]);
        tournament_free(match);
        match = play(variants[i], "hunter", "raider", 4);
        assert_no_forfeit(match, variants[i]);
        tournament_free(match);
        match = play(variants[i], "commodore", "cadet", 6); /* set-ups learned and by rule */
        assert_no_forfeit(match, variants[i]);
        tournament_free(match);
        match = play(variants[i], "raider", "rookie", 4);
        assert_no_forfeit(match, variants[i]);
        tournament_free(match);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(seer_beats_hunter_by_a_clear_margin),
        cmocka_unit_test(hunter_beats_raider_by_a_clear_margin),
        cmocka_unit_test(raider_beats_rookie_by_a_clear_margin),
        cmocka_unit_test(each_level_beats_the_one_below_by_a_clear_margin),
        cmocka_unit_test(chance_never_attacks_what_is_known_to_be_stronger),
        cmocka_unit_test(no_stock_bot_forfeits_in_any_stock_variant),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
