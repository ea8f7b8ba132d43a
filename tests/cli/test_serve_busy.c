/* A busy session of `ensign serve --stdio`: many games of all kinds at once, and a client that does
 * at random whatever it may. Every message fits the schema, and all of it ends well; sanitizers
 * find the rest. */
#include "driver.h"

#include "base/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { GAMES = 200, REQUESTS = 1500, AT_ONCE = 24 };

static void open_game(struct driver *driver, struct random *random) {
    static const char *const variants[] = {"duel", "duel", "quick", "lightning",
                                           "variants/examples/fog.lua"};
    const char *const players[] = {"rookie", "rookie", "rookie", "raider",
                                   "seer",   "me",     "me",     driver_program("declines")};
    const uint32_t programs = random_below(random, 10) ? 7 : 8;
    driver_say(driver,
               "{'type':'new','variant':'%s','red':'%s','blue':'%s','limits':{'plies':60},"
               "'id':%u}",
               variants[random_below(random, 5)], players[random_below(random, programs)],
               players[random_below(random, 7)], (unsigned)random_below(random, 100));
}

static void ask_something(struct driver *driver, struct random *random, int games) {
    static const char *const eyes[] = {"public", "red", "blue", "all"};
    const int game = 1 + (int)random_below(random, (uint32_t)games);
    switch (random_below(random, 9)) {
    case 0:
        driver_say(driver, "{'type':'watch','game':'%d','eyes':'%s'}", game,
                   eyes[random_below(random, 4)]);
        break;
    case 1:
        driver_say(driver, "{'type':'undo','game':'%d'}", game);
        break;
    case 2:
    case 3:
        driver_say(driver, "{'type':'leave','game':'%d'}", game);
        break;
    case 4:
        driver_say(driver, "{'type':'view','game':'%d'}", game);
        break;
    case 5:
        driver_say(driver, "{'type':'record','game':'%d'}", game);
        break;
    case 6:
        driver_say(driver, "{'type':'why','game':'%d','move':'a4-a5'}", game);
        break;
    case 7:
        driver_say(driver, "{'type':'draw','game':'%d'}", game);
        break;
    default:
        driver_say(driver, "{'type':'list','what':'games'}");
    }
}

/* Answers questions until the reply with the id "sync". */
static void answer_until_sync(struct driver *driver, struct random *random) {
    for (;;) {
        assert_non_null(driver_hear(driver));
        const char *type = driver_text(driver, "type");
        const char *id = json_string_value(json_object_get(driver->message, "id"));
        if (id && !strcmp(id, "sync")) return;
        if (!strcmp(type, "move")) driver_answer(driver, random_below(random, 100));
        if (!strcmp(type, "setup"))
            driver_say(driver, "{'type':'setup','game':'%s','seat':'%s','setup':null}",
                       driver_text(driver, "game"), driver_text(driver, "seat"));
        if (!strcmp(type, "draw"))
            driver_say(driver, "{'type':'draw','game':'%s','accept':false}",
                       driver_text(driver, "game"));
    }
}

static void a_busy_session_ends_well(void **state) {
    (void)state;
    struct driver driver;
    struct random random = random_stream(15, STREAM_PLAYOUT, 0);
    int games = 0;
    DRIVER_OPEN(&driver, "-j", "4");
    for (int request = 0; request < REQUESTS; request++) {
        if (games < GAMES && games * REQUESTS / GAMES <= request) {
            open_game(&driver, &random);
            games++;
        }
        ask_something(&driver, &random, games);
        if (request % AT_ONCE) continue;
        driver_say(&driver, "{'type':'list','what':'games','id':'sync'}");
        answer_until_sync(&driver, &random);
    }
    assert_int_equal(driver_close(&driver), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_busy_session_ends_well)};
    return cmocka_run_group_tests_name("serve_busy", tests, NULL, NULL);
}
