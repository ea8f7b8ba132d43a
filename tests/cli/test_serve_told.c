/* What clients of `ensign serve --stdio` are told later, and again: by watch, sit and undo. */
#include "console.h"
#include "driver.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { STREAMS = 6 };

/* All that one listener was told since its latest `game`, and before that. */
struct stream {
    const char *key, *value;
    char *text, *before;
};

static struct stream streams[STREAMS] = {{"seat", "red", 0, 0},    {"seat", "blue", 0, 0},
                                         {"eyes", "red", 0, 0},    {"eyes", "blue", 0, 0},
                                         {"eyes", "public", 0, 0}, {"eyes", "all", 0, 0}};

static void forget_streams(void) {
    for (int i = 0; i < STREAMS; i++) {
        free(streams[i].text), free(streams[i].before);
        streams[i].text = streams[i].before = NULL;
    }
}

static void note(const struct driver *driver) {
    static const char *const types[] = {"game", "start", "events", "end"};
    const char *type = driver_text(driver, "type");
    size_t which = 0;
    while (which < 4 && strcmp(type, types[which]) != 0) which++;
    for (int i = 0; i < STREAMS && which < 4; i++) {
        struct stream *stream = &streams[i];
        const char *seat = json_string_value(json_object_get(driver->message, "seat"));
        const char *eyes = json_string_value(json_object_get(driver->message, "eyes"));
        const char *got = !strcmp(stream->key, "seat") ? seat : seat ? NULL : eyes;
        if (!got || strcmp(got, stream->value) != 0) continue;
        if (!which) {
            free(stream->before);
            stream->before = stream->text;
            stream->text = NULL;
        }
        size_t length = stream->text ? strlen(stream->text) : 0;
        stream->text = realloc(stream->text, length + strlen(driver->line) + 2);
        sprintf(stream->text + length, "%s\n", driver->line);
    }
}

/* Notes everything until a message of this type. */
static void note_until(struct driver *driver, const char *type) {
    for (;;) {
        assert_non_null(driver_hear(driver));
        const char *got = driver_text(driver, "type");
        if (!strcmp(got, "error")) fail_msg("%.300s", driver->line);
        note(driver);
        if (!strcmp(got, type)) return;
    }
}

static void assert_told_again(void) {
    for (int i = 0; i < STREAMS; i++) {
        assert_non_null(streams[i].text);
        assert_non_null(streams[i].before);
        if (strcmp(streams[i].before, streams[i].text) != 0)
            fail_msg("%s %s:\n%.400s\nand\n%.400s", streams[i].key, streams[i].value,
                     streams[i].before, streams[i].text);
    }
}

/* Sits in both seats and watches with all eyes; everything is told. */
static void attend(struct driver *driver, const char *game, char secrets[2][40]) {
    for (int i = 0; i < 2; i++) {
        driver_say(driver, "{'type':'sit','seat':'%s'}", secrets[i]);
        note_until(driver, "sat");
    }
    for (int i = 2; i < STREAMS; i++) {
        driver_say(driver, "{'type':'watch','game':'%s','eyes':'%s'}", game, streams[i].value);
        note_until(driver, "watching");
    }
    driver_say(driver, "{'type':'view','game':'%s','eyes':'all','id':'sync'}", game);
    do { /* an error if the armies do not stand yet */
        assert_non_null(driver_hear(driver));
        note(driver);
    } while (!json_object_get(driver->message, "id"));
}

static void keep_secrets(const struct driver *driver, char secrets[2][40]) {
    const json_t *seats = json_object_get(driver->message, "seats");
    snprintf(secrets[0], 40, "%s", json_string_value(json_object_get(seats, "red")));
    snprintf(secrets[1], 40, "%s", json_string_value(json_object_get(seats, "blue")));
}

/* Plays both seats of a game whose streams are noted until it is over or has `plies` plies. A seat
 * that is taken again may be asked again. */
static void note_play(struct driver *driver, long plies) {
    long answered = -1;
    for (size_t number = 1;; number = number * 5 + 1) {
        assert_non_null(driver_hear(driver));
        note(driver);
        const char *type = driver_text(driver, "type");
        if (!strcmp(type, "error") || !strcmp(type, "refused")) fail_msg("%.300s", driver->line);
        if (!strcmp(type, "end")) return;
        if (strcmp(type, "move") != 0) continue;
        const long ply = driver_number(driver, "ply");
        if (ply == plies) return;
        if (ply == answered) continue;
        answered = ply;
        driver_answer(driver, number >> 3);
    }
}

static void who_comes_late_or_again_is_told_the_same_bytes(void **state) {
    (void)state;
    static const char *const variants[] = {"duel", "infiltrator", "lightning"};
    struct driver driver;
    char secrets[2][40], game[16];
    DRIVER_OPEN(&driver, "-j", "2");
    for (int i = 0; i < 3; i++) {
        snprintf(game, sizeof game, "%d", i + 1);
        driver_say(&driver,
                   "{'type':'new','variant':'%s','seed':3,'red':'open','blue':'open',"
                   "'limits':{'plies':60}, 'setups':{'red':'random','blue':'random'},"
                   "'clock':{'seconds':1000}}",
                   variants[i]);
        driver_await(&driver, "created");
        keep_secrets(&driver, secrets);
        attend(&driver, game, secrets);
        driver_say(&driver, "{'type':'sit','seat':'%s'}", secrets[0]);
        note_play(&driver, 25);
        forget_streams();
        attend(&driver, game, secrets);
        attend(&driver, game, secrets);
        assert_told_again();
        forget_streams();
        driver_say(&driver, "{'type':'leave','game':'%s'}", game);
        driver_await(&driver, "left");
    }
    assert_int_equal(driver_close(&driver), 0);
}

static void who_watched_from_the_start_was_told_what_a_late_one_is_told(void **state) {
    (void)state;
    struct driver driver;
    char secrets[2][40];
    DRIVER_OPEN(&driver, "-j", "2");
    driver_say(&driver, "{'type':'new','variant':'duel','seed':5,'red':'open','blue':'open',"
                        "'limits':{'plies':40},'clock':{'seconds':1000,'increment':1}}");
    driver_await(&driver, "created");
    keep_secrets(&driver, secrets);
    attend(&driver, "1", secrets);
    forget_streams();
    attend(&driver, "1", secrets);
    for (int side = 0; side < 2; side++)
        driver_say(&driver, "{'type':'setup','game':'1','seat':'%s','setup':null}",
                   side ? "blue" : "red");
    note_play(&driver, 1000);
    for (int i = 1; i < STREAMS; i++) note_until(&driver, "end");
    attend(&driver, "1", secrets);
    assert_told_again();
    forget_streams();
    assert_int_equal(driver_close(&driver), 0);
}

static void a_game_resigned_before_its_start_is_told_to_late_ones_too(void **state) {
    (void)state;
    struct driver driver;
    char secrets[2][40];
    DRIVER_OPEN(&driver, NULL);
    driver_say(&driver, "{'type':'new','variant':'duel','red':'open','blue':'open'}");
    driver_await(&driver, "created");
    keep_secrets(&driver, secrets);
    attend(&driver, "1", secrets);
    driver_say(&driver, "{'type':'resign','game':'1','seat':'blue'}");
    for (int i = 0; i < STREAMS; i++) note_until(&driver, "end");
    for (int i = 0; i < 2; i++) {
        driver_say(&driver, "{'type':'sit','seat':'%s'}", secrets[i]);
        note_until(&driver, "end");
    }
    for (int i = 2; i < STREAMS; i++) {
        driver_say(&driver, "{'type':'watch','game':'1','eyes':'%s'}", streams[i].value);
        note_until(&driver, "end");
    }
    assert_told_again();
    forget_streams();
    assert_int_equal(driver_close(&driver), 0);
}

static void a_game_of_bots_is_watched_while_it_runs_and_told_in_order(void **state) {
    (void)state;
    struct driver driver;
    DRIVER_OPEN(&driver, "-j", "1", "--trust");
    for (int game = 1; game <= 40; game++) {
        long ply = -1;
        driver_say(&driver, "{'type':'new','variant':'duel','red':'rookie','blue':'rookie'}");
        driver_await(&driver, "created");
        driver_say(&driver, "{'type':'watch','game':'%d','eyes':'public'}", game);
        driver_await(&driver, "watching");
        driver_await(&driver, "game");
        do {
            driver_hear(&driver);
            const char *type = driver_text(&driver, "type");
            if (!strcmp(type, "start") && ply < 0)
                ply = 0;
            else if (!strcmp(type, "events"))
                assert_int_equal(driver_number(&driver, "ply"), ++ply);
            else
                assert_string_equal(type, "end");
        } while (strcmp(driver_text(&driver, "type"), "end") != 0);
    }
    assert_int_equal(driver_close(&driver), 0);
}

/* Plays red's first moves until `turns` questions were answered; returns the events as lines. */
static char *events_of_turns(struct driver *driver, int turns) {
    char *text = strdup("");
    for (int asked = 0;;) {
        assert_non_null(driver_hear(driver));
        const char *type = driver_text(driver, "type");
        if (!strcmp(type, "error")) fail_msg("%.300s", driver->line);
        if (!strcmp(type, "events")) {
            text = realloc(text, strlen(text) + strlen(driver->line) + 2);
            strcat(strcat(text, driver->line), "\n");
        }
        if (strcmp(type, "move") != 0) continue;
        if (asked++ == turns) return text;
        driver_answer(driver, 1);
    }
}

static void a_game_taken_back_goes_on_as_if_it_never_was(void **state) {
    (void)state;
    const char *const opponents[] = {"rookie", "hunter", driver_program("declines")};
    struct driver driver;
    DRIVER_OPEN(&driver, "-j", "2");
    for (int i = 0; i < 3; i++) {
        driver_say(&driver,
                   "{'type':'new','variant':'duel','seed':11,'blue':'%s',"
                   "'setups':{'red':'random'}}",
                   opponents[i]);
        char *first = events_of_turns(&driver, 4);
        driver_say(&driver, "{'type':'undo','game':'%d','ply':0,'id':'u'}", i + 1);
        driver_await(&driver, "undone");
        assert_int_equal(driver_number(&driver, "ply"), 0);
        driver_await(&driver, "done");
        char *again = events_of_turns(&driver, 4);
        assert_string_equal(first, again);
        driver_say(&driver, "{'type':'undo','game':'%d'}", i + 1);
        driver_await(&driver, "undone");
        assert_int_equal(driver_number(&driver, "ply"), 6);
        driver_await(&driver, "move");
        driver_say(&driver, "{'type':'resign','game':'%d'}", i + 1);
        driver_await(&driver, "end");
        driver_say(&driver, "{'type':'undo','game':'%d','ply':3}", i + 1);
        driver_await(&driver, "undone");
        driver_await(&driver, "move");
        assert_int_equal(driver_number(&driver, "ply"), 4);
        driver_say(&driver, "{'type':'leave','game':'%d'}", i + 1);
        driver_await(&driver, "left");
        free(first), free(again);
    }
    assert_int_equal(driver_close(&driver), 0);
}

static void moves_are_taken_back_only_by_who_holds_every_seat_without_a_bot(void **state) {
    (void)state;
    struct driver driver;
    DRIVER_OPEN(&driver, NULL);
    driver_say(&driver, "{'type':'new','variant':'duel','red':'rookie','blue':'rookie'}");
    driver_await(&driver, "end");
    driver_say(&driver, "{'type':'undo','game':'1'}");
    driver_expect_error(&driver, "only a client that holds every seat");
    driver_say(&driver, "{'type':'new','variant':'duel','blue':'open',"
                        "'setups':{'red':'random','blue':'random'}}");
    driver_await(&driver, "move");
    driver_say(&driver, "{'type':'undo','game':'2'}");
    driver_expect_error(&driver, "only a client that holds every seat");
    driver_say(&driver,
               "{'type':'new','variant':'duel','setups':{'red':'random','blue':'random'}}");
    driver_await(&driver, "move");
    driver_say(&driver, "{'type':'undo','game':'3'}");
    driver_expect_error(&driver, "no move to take back");
    driver_say(&driver, "{'type':'new','variant':'original','blue':'ucc:tests/host/ucc/walker.sh',"
                        "'setups':{'red':'random'}}");
    for (int i = 0; i < 2; i++) {
        driver_await(&driver, "move");
        driver_answer(&driver, 0);
    }
    driver_await(&driver, "move");
    driver_say(&driver, "{'type':'undo','game':'4'}");
    driver_expect_error(&driver, "lays out its own army");
    assert_int_equal(driver_close(&driver), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_comes_late_or_again_is_told_the_same_bytes),
        cmocka_unit_test(who_watched_from_the_start_was_told_what_a_late_one_is_told),
        cmocka_unit_test(a_game_resigned_before_its_start_is_told_to_late_ones_too),
        cmocka_unit_test(a_game_of_bots_is_watched_while_it_runs_and_told_in_order),
        cmocka_unit_test(a_game_taken_back_goes_on_as_if_it_never_was),
        cmocka_unit_test(moves_are_taken_back_only_by_who_holds_every_seat_without_a_bot),
    };
    return cmocka_run_group_tests_name("serve_told", tests, NULL, NULL);
}
