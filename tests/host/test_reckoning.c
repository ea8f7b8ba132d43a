/* Bots that try to compute secrets, from ../shared/attacks/reckoning; skipped where those are
 * missing. test_tournament.c has similar bots. */
#include "base/files.h"
#include "host/match/store.h"
#include "host/match/tournament.h"
#include "support.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { PATH_BYTES = 1200, PIECES = 40 };

/* The bot's file in `path`. */
static const char *attack(const char *name, char path[PATH_BYTES]) {
    const char *shared = getenv("ENSIGN_SHARED");
    snprintf(path, PATH_BYTES, "%.1000s/attacks/reckoning/%s.lua",
             shared ? shared : ENSIGN_ROOT "/../shared", name);
    if (access(path, R_OK)) skip();
    return path;
}

/* In this process: what a bot reckons does not depend on where it does so. */
static struct tournament *play(const struct rules *rules, const char *bot, const char *enemy,
                               uint32_t games, struct store *store) {
    struct fault fault = {0};
    const char *const players[] = {bot, enemy};
    struct tournament_options options = {.folders = support_folders(),
                                         .rules = rules,
                                         .players = players,
                                         .player_count = 2,
                                         .games = games,
                                         .jobs = 2,
                                         .chance = {{6}},
                                         .limits = SANDBOX_DEFAULTS,
                                         .store = store};
    struct tournament *match = tournament_run(&options, &fault);
    if (!match) fail_msg("%s: %s", fault.file, fault.text);
    return match;
}

struct hits {
    int right, pieces;
};

/* What the bot said it knows of the enemy's army in a game, held against that army. */
static void count_hits(const char *folder, uint32_t number, struct hits *hits) {
    char path[128];
    size_t length;
    struct fault fault = {0};
    snprintf(path, sizeof path, "%s/%04" PRIu32 ".rec", folder, number);
    char *text = files_read(path, RECORD_BYTES_MAX, &length, &fault);
    assert_non_null(text);
    struct record *record = support_record(text);
    const char *why = record_tag(record, "Forfeit");
    const char *army = record_tag(record, number % 2 ? "BlueSetup" : "RedSetup");
    const char *said = why ? strstr(why, "SAYS ") : NULL;
    hits->pieces += PIECES;
    if (said) { /* and else it broke over what it could not find out, perhaps before armies stood */
        said += strlen("SAYS ");
        assert_non_null(army);
        for (size_t i = 0; army[i] && said[i]; i++)
            hits->right += army[i] != '/' && said[i] == army[i];
    }
    record_free(record);
    free(text);
}

/* An army of `original` that is drawn by chance agrees with another on 4.8 of 40 squares. */
static void assert_names_no_more_than_chance(const char *name) {
    enum { GAMES = 20 };
    char path[PATH_BYTES], folder[64];
    struct fault fault = {0};
    struct hits hits = {0};
    attack(name, path);
    support_folder(folder);
    struct rules *original = support_rules("original");
    struct store *store = store_create(folder, &fault);
    assert_non_null(store);
    tournament_free(play(original, path, "rookie", GAMES, store));
    store_close(store);
    for (uint32_t number = 1; number <= GAMES; number++) count_hits(folder, number, &hits);
    support_remove(folder);
    rules_free(original);
    print_message("%s: %d of %d pieces\n", name, hits.right, hits.pieces);
    assert_in_range(hits.right, 0, hits.pieces / 5);
}

static void who_runs_its_chance_backwards_names_no_more_than_chance(void **state) {
    (void)state;
    assert_names_no_more_than_chance("cheat_says");
}

static void who_deals_as_the_host_deals_names_no_more_than_chance(void **state) {
    (void)state;
    assert_names_no_more_than_chance("cheat_dealt");
}

/* Both lay out the same army and draw the same numbers; what `mirror` knows more would show. */
static void who_looks_for_its_own_army_on_the_other_side_plays_as_if_it_were_blind(void **state) {
    (void)state;
    enum { GAMES = 60 };
    char one[PATH_BYTES], other[PATH_BYTES];
    attack("mirror", one);
    attack("blind", other);
    struct tournament *mirror = play(duel, one, "raider", GAMES, NULL);
    struct tournament *blind = play(duel, other, "raider", GAMES, NULL);
    for (int i = 0; i < GAMES; i++) {
        assert_int_equal(mirror->games[i].result, blind->games[i].result);
        assert_int_equal(mirror->games[i].reason, blind->games[i].reason);
        assert_int_equal(mirror->games[i].plies, blind->games[i].plies);
    }
    assert_int_equal(mirror->forfeit_count, 0);
    tournament_free(mirror);
    tournament_free(blind);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_runs_its_chance_backwards_names_no_more_than_chance),
        cmocka_unit_test(who_deals_as_the_host_deals_names_no_more_than_chance),
        cmocka_unit_test(who_looks_for_its_own_army_on_the_other_side_plays_as_if_it_were_blind),
    };
    return cmocka_run_group_tests(tests, load_duel, drop_duel);
}
