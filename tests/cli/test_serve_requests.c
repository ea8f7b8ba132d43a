/* Requests to `ensign serve --stdio` that are answered at once, and those that are wrong: each gets
 * one error and changes nothing. */
#include "driver.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void say_raw(struct driver *driver, const char *line) {
    driver_send(driver, line, strlen(line));
    driver_send(driver, "\n", 1);
}

/* A game of which this client holds both seats, red being asked for its first move. */
static void open_both_seats(struct driver *driver, const char *game) {
    driver_say(driver, "{'type':'new','variant':'duel','seed':1,"
                       "'setups':{'red':'random','blue':'random'}}");
    driver_await(driver, "move");
    assert_string_equal(driver_text(driver, "game"), game);
}

static void bad_values_of_a_new_game_are_named(void **state) {
    (void)state;
    static const struct {
        const char *key, *value, *expected;
    } wrong[] = {
        {"variant", "null", "\"variant\": expected"},
        {"variant", "\"no-such\"", "no-such"},
        {"variant", "7", "\"variant\": expected a text"},
        {"red", "[]", "\"red\": expected a text"},
        {"red", "\"no-such-bot\"", "no-such-bot"},
        {"blue", "\"\"", ""},
        {"blue", "\"ucc:\"", ""},
        {"blue", "\"json:/no/such/program\"", "/no/such/program"},
        {"seed", "-1", "\"seed\": expected a whole number"},
        {"seed", "1.5", "\"seed\": expected a whole number"},
        {"setups", "7", "\"setups\": expected an object"},
        {"setups", "{\"red\":7}", "in \"setups\": \"red\": expected a text"},
        {"setups", "{\"red\":\"M\"}", "in \"setups\", red"},
        {"position", "\"r\"", "in \"position\""},
        {"position", "{}", "\"position\": expected a text"},
        {"first", "\"green\"", "\"first\": expected \"red\" or \"blue\""},
        {"limits", "[]", "\"limits\": expected an object"},
        {"limits", "{\"plies\":-1}", "in \"limits\": \"plies\": expected"},
        {"limits", "{\"no_attack\":4294967296}", "in \"limits\": \"no_attack\": expected"},
        {"clock", "60", "\"clock\": expected an object"},
        {"clock", "{}", "in \"clock\": \"seconds\": expected a whole number from 1"},
        {"clock", "{\"seconds\":0.5}", "in \"clock\": \"seconds\": expected"},
        {"clock", "{\"seconds\":1,\"increment\":-1}", "in \"clock\": \"increment\""},
        {"names", "{\"red\":\"\"}", "in \"names\": \"red\": a name that can be seen"},
        {"names", "{\"blue\":\"a\\nb\"}", "in \"names\": \"blue\": control character U+000A"},
        {"names", "{\"blue\":[]}", "in \"names\": \"blue\": expected a text"},
        {"watch", "\"me\"", "\"watch\": expected"},
        {"watch", "true", "\"watch\": expected a text"},
        {"id", "[1]", "\"id\": expected a text or a number"}};
    struct driver driver;
    DRIVER_OPEN(&driver, NULL);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char line[256];
        bool variant = !strcmp(wrong[i].key, "variant");
        snprintf(line, sizeof line, "{\"type\":\"new\",%s\"%s\":%s}",
                 variant ? "" : "\"variant\":\"duel\",", wrong[i].key, wrong[i].value);
        say_raw(&driver, line);
        driver_expect_error(&driver, wrong[i].expected);
    }
    say_raw(&driver,
            "{\"type\":\"new\",\"variant\":\"duel\",\"position\":\"r\",\"first\":\"red\"}");
    driver_expect_error(&driver, "\"position\" does not go with");
    driver_say(&driver, "{'type':'list','what':'games'}");
    driver_await(&driver, "list");
    assert_int_equal(json_array_size(json_object_get(driver.message, "list")), 0);
    assert_int_equal(driver_close(&driver), 0);
}

/* Reads up to the reply with the id "sync". Returns how many messages were refusals. */
static int refusals_until_sync(struct driver *driver) {
    int refusals = 0;
    for (;;) {
        assert_non_null(driver_hear(driver));
        const char *id = json_string_value(json_object_get(driver->message, "id"));
        if (id && !strcmp(id, "sync")) return refusals;
        const char *type = driver_text(driver, "type");
        refusals += !strcmp(type, "error") || !strcmp(type, "refused");
    }
}

/* LICENSE lies in the tests' current folder: its name is a set-up's, its text is nobody's business.
 */
static void a_setup_is_never_read_from_a_file(void **state) {
    (void)state;
    struct driver driver;
    DRIVER_OPEN(&driver, NULL);
    driver_say(&driver, "{'type':'new','variant':'duel','setups':{'red':'LICENSE'}}");
    driver_expect_error(&driver, "no set-up \"LICENSE\"");
    driver_say(&driver, "{'type':'new','variant':'duel'}");
    driver_await(&driver, "setup");
    driver_say(&driver, "{'type':'setup','game':'2','seat':'red','setup':'LICENSE'}");
    driver_await(&driver, "refused");
    assert_non_null(strstr(driver_text(&driver, "message"), "no set-up \"LICENSE\""));
    assert_int_equal(driver_close(&driver), 0);
}

/* Nobody is asked for an army, none is taken, and moves that are taken back leave them standing. */
static void armies_that_a_game_draws_stay_when_moves_are_taken_back(void **state) {
    (void)state;
    struct driver driver;
    char setup[2][64], move[32];
    DRIVER_OPEN(&driver, NULL);
    driver_say(&driver, "{'type':'new','variant':'variants/examples/melee.lua',"
                        "'setups':{'red':'random'}}");
    driver_expect_error(&driver, "\"setups\": each game of \"melee\" draws the armies");
    driver_say(&driver, "{'type':'new','variant':'variants/examples/melee.lua','seed':4,"
                        "'blue':'rookie'}");
    for (int i = 0; i < 2; i++) {
        driver_await(&driver, "move");
        snprintf(move, sizeof move, "%s", driver_move(&driver, 0));
        driver_say(&driver, "{'type':'record','game':'2'}");
        driver_await(&driver, "record");
        const char *tag = strstr(driver_text(&driver, "record"), "RedSetup");
        assert_non_null(tag);
        snprintf(setup[i], sizeof setup[i], "%.60s", tag);
        if (i) break;
        driver_say(&driver, "{'type':'move','game':'2','seat':'red','move':'%s'}", move);
        driver_await(&driver, "move");
        driver_say(&driver, "{'type':'undo','game':'2','ply':0}");
    }
    assert_string_equal(setup[0], setup[1]);
    assert_int_equal(driver_close(&driver), 0);
}

static void every_broken_request_gets_one_refusal_and_leaves_the_game_alone(void **state) {
    (void)state;
    /* No value below makes one of these valid again. */
    static const struct {
        const char *fields, *broken[4];
    } requests[] = {{"\"type\":\"move\"", {"type", "game", "move", NULL}},
                    {"\"type\":\"setup\"", {"type", "game", "setup", NULL}},
                    {"\"type\":\"draw\"", {"type", "game", "accept", NULL}},
                    {"\"type\":\"resign\"", {"game", "seat", NULL}},
                    {"\"type\":\"resign\",\"seat\":\"red\"", {"game", NULL}},
                    {"\"type\":\"sit\"", {"seat", NULL}},
                    {"\"type\":\"watch\"", {"game", NULL}},
                    {"\"type\":\"view\"", {"game", NULL}},
                    {"\"type\":\"why\"", {"game", NULL}},
                    {"\"type\":\"undo\"", {"game", "ply", NULL}},
                    {"\"type\":\"record\"", {"game", NULL}},
                    {"\"type\":\"leave\"", {"game", NULL}},
                    {"\"type\":\"list\"", {"what", NULL}},
                    {"\"type\":\"check\"", {"file", NULL}},
                    {"\"type\":\"check\",\"file\":\"x.lua\"", {"text", NULL}}};
    static const char *const values[] = {NULL,
                                         "null",
                                         "-1",
                                         "1e300",
                                         "99999999999999999999",
                                         "[]",
                                         "{}",
                                         "[[[1]]]",
                                         "true",
                                         "\"\"",
                                         "\"green\"",
                                         "\"\\u00e9\\ud83d\\ude00\\u202e\"",
                                         "18446744073709551615"};
    struct driver driver;
    int tried = 0;
    DRIVER_OPEN(&driver, NULL);
    open_both_seats(&driver, "1");
    char *before = driver_record(&driver, "1");
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++)
        for (int key = 0; requests[i].broken[key]; key++)
            for (size_t value = 0; value < sizeof values / sizeof *values; value++) {
                const char *name = requests[i].broken[key], *broken = values[value];
                char line[512], field[128] = "";
                bool draw = !strcmp(name, "accept") && (!broken || !strcmp(broken, "true"));
                bool text = !strcmp(name, "text") && broken && broken[0] == '"';
                bool seat = !strcmp(name, "seat") && (!broken || !strcmp(broken, "null"));
                if (draw || text || (seat && strstr(requests[i].fields, "resign")))
                    continue; /* these mean something */
                if (broken) snprintf(field, sizeof field, ",\"%s\":%s", name, broken);
                const char *type = strcmp(name, "type") ? requests[i].fields : "\"x\":1";
                snprintf(line, sizeof line, "{%s%s%s}", type,
                         strcmp(name, "game") ? ",\"game\":\"1\"" : "", field);
                say_raw(&driver, line);
                driver_say(&driver, "{'type':'view','game':'1','id':'sync'}");
                if (refusals_until_sync(&driver) != 1) fail_msg("%s", line);
                tried++;
            }
    char *after = driver_record(&driver, "1");
    assert_string_equal(before, after);
    assert_true(tried > 200);
    free(before), free(after);
    assert_int_equal(driver_close(&driver), 0);
}

static void a_line_that_is_no_message_gets_one_error(void **state) {
    (void)state;
    enum { LONG = 65536 };
    struct driver driver;
    char *line = malloc(3 * LONG);
    DRIVER_OPEN(&driver, NULL);
    open_both_seats(&driver, "1");
    memset(line, '[', LONG);
    driver_send(&driver, line, LONG - 1);
    driver_send(&driver, "\n", 1);
    driver_expect_error(&driver, "a message of more than 100 values");
    driver_send(&driver, line, 50);
    driver_send(&driver, "\n", 1);
    driver_expect_error(&driver, "not a JSON object");
    driver_send(&driver, line, LONG);
    driver_send(&driver, "\n", 1);
    driver_expect_error(&driver, "a message of more than 65535 bytes");
    memset(line, ' ', 3 * LONG);
    line[LONG] = '{';
    driver_send(&driver, line, 3 * LONG);
    say_raw(&driver, "\"");
    for (int i = 0; i < 256; i++) line[i] = (char)(i == '\n' || i == '\r' ? 1 : i);
    line[256] = '\n';
    driver_send(&driver, line, 257);
    driver_expect_error(&driver, "not a JSON object");
    static const char *const lines[] = {
        "7", "[]", "\"text\"", "{\"type\":\"move\"", "{\"a\":1,\"a\":2}", "nonsense", "{}"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        say_raw(&driver, lines[i]);
        driver_expect_error(&driver, i == 6 ? "\"type\": expected" : "JSON object");
    }
    driver_send(&driver, "\n \r\n\t\n", 6);
    driver_say(&driver, "{'type':'view','game':'1','id':'sync'}");
    assert_int_equal(refusals_until_sync(&driver), 0);
    driver_send(&driver, "{\"type\":\"resign\",\"game\"", 23); /* the end comes in a line */
    assert_int_equal(driver_close(&driver), 0);
    free(line);
}

static void a_stale_answer_changes_nothing(void **state) {
    (void)state;
    struct driver driver;
    char move[32];
    DRIVER_OPEN(&driver, NULL);
    open_both_seats(&driver, "1");
    snprintf(move, sizeof move, "%s", driver_move(&driver, 0));
    driver_say(&driver, "{'type':'move','game':'1','move':'%s','ply':4}", move);
    driver_expect_error(&driver, "an answer for ply 4, the game is at ply 0");
    driver_say(&driver, "{'type':'move','game':'1','seat':'blue','move':'%s'}", move);
    driver_expect_error(&driver, "blue is not asked for a move now");
    driver_say(&driver, "{'type':'move','game':'1','move':'%s','ply':0,'id':1.5}", move);
    driver_await(&driver, "done");
    driver_say(&driver, "{'type':'move','game':'1','move':'%s','ply':0}", move);
    driver_expect_error(&driver, "an answer for ply 0, the game is at ply 1");
    driver_say(&driver, "{'type':'move','game':'1','move':'%s'}", move);
    driver_await(&driver, "refused");
    assert_string_equal(driver_text(&driver, "rule"), "not-yours");
    driver_await(&driver, "move");
    assert_int_equal(driver_number(&driver, "ply"), 1);
    assert_int_equal(driver_close(&driver), 0);
}

static void why_view_list_and_check_are_answered(void **state) {
    (void)state;
    struct driver driver;
    char move[32];
    DRIVER_OPEN(&driver, NULL);
    open_both_seats(&driver, "1");
    snprintf(move, sizeof move, "%s", driver_move(&driver, 0));
    driver_say(&driver, "{'type':'why','game':'1','move':'%s'}", move);
    driver_await(&driver, "why");
    assert_string_equal(driver_text(&driver, "rule"), "legal");
    driver_say(&driver, "{'type':'why','game':'1','move':'\303\251\303\251'}");
    driver_await(&driver, "why");
    assert_string_equal(driver_text(&driver, "rule"), "text");
    static const char *const eyes[] = {"public", "red", "blue", "all"};
    for (int i = 0; i < 4; i++) {
        driver_say(&driver, "{'type':'view','game':'1','eyes':'%s','id':%d}", eyes[i], i);
        driver_await(&driver, "view");
        assert_string_equal(driver_text(&driver, "eyes"), eyes[i]);
        bool red = strchr(driver_text(&driver, "position"), 'F') != NULL;
        assert_int_equal(red, i > 0);
    }
    static const char *const lists[] = {"variants", "bots", "setups", "games"};
    for (int i = 0; i < 4; i++) {
        driver_say(&driver, "{'type':'list','what':'%s'}", lists[i]);
        driver_await(&driver, "list");
        assert_true(json_array_size(json_object_get(driver.message, "list")) > 0);
    }
    driver_say(&driver, "{'type':'check','file':'x.lua','text':'return {','id':9}");
    driver_await(&driver, "checked");
    assert_string_equal(driver_text(&driver, "file"), "x.lua");
    assert_int_equal(driver_close(&driver), 0);
}

static void a_game_left_is_gone_and_goes_on_for_nobody(void **state) {
    (void)state;
    struct driver driver;
    DRIVER_OPEN(&driver, NULL);
    open_both_seats(&driver, "1");
    driver_say(&driver, "{'type':'leave','game':'1','id':1}");
    driver_await(&driver, "left");
    driver_say(&driver, "{'type':'view','game':'1'}");
    driver_hear(&driver);
    assert_string_equal(driver_text(&driver, "type"), "error");
    driver_say(&driver, "{'type':'new','variant':'duel','red':'rookie','blue':'rookie'}");
    driver_await(&driver, "end");
    for (int i = 0; i < 2; i++) driver_say(&driver, "{'type':'leave','game':'2'}");
    driver_await(&driver, "left");
    driver_hear(&driver);
    assert_string_equal(driver_text(&driver, "type"), "error");
    assert_int_equal(driver_close(&driver), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_values_of_a_new_game_are_named),
        cmocka_unit_test(a_setup_is_never_read_from_a_file),
        cmocka_unit_test(every_broken_request_gets_one_refusal_and_leaves_the_game_alone),
        cmocka_unit_test(armies_that_a_game_draws_stay_when_moves_are_taken_back),
        cmocka_unit_test(a_line_that_is_no_message_gets_one_error),
        cmocka_unit_test(a_stale_answer_changes_nothing),
        cmocka_unit_test(why_view_list_and_check_are_answered),
        cmocka_unit_test(a_game_left_is_gone_and_goes_on_for_nobody),
    };
    return cmocka_run_group_tests_name("serve_requests", tests, NULL, NULL);
}
