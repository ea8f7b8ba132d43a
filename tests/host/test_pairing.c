/* Who meets whom. */
#include "host/match/tournament.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void everybody_meets_everybody_once_in_each_round(void **state) {
    (void)state;
    for (int players = 2; players <= 64; players++) {
        const struct pairing pairing = {.players = players};
        uint32_t meetings = pairing_meetings(&pairing);
        assert_int_equal(meetings, players * (players - 1) / 2);
        for (uint32_t round = 0; round < 3; round++) {
            bool met[64][64] = {{false}};
            for (uint32_t i = 0; i < meetings; i++) {
                uint8_t pair[2];
                pairing_players(&pairing, round * meetings + i, pair);
                assert_true(pair[0] < pair[1] && pair[1] < players);
                assert_false(met[pair[0]][pair[1]]);
                met[pair[0]][pair[1]] = true;
            }
        }
    }
}

static void in_a_gauntlet_the_first_player_meets_each_other_one(void **state) {
    (void)state;
    const struct pairing pairing = {.players = 5, .gauntlet = true};
    assert_int_equal(pairing_meetings(&pairing), 4);
    for (uint32_t pair = 0; pair < 12; pair++) {
        uint8_t players[2];
        pairing_players(&pairing, pair, players);
        assert_int_equal(players[0], 0);
        assert_int_equal(players[1], 1 + pair % 4);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everybody_meets_everybody_once_in_each_round),
        cmocka_unit_test(in_a_gauntlet_the_first_player_meets_each_other_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
