/* Hidden information over the pipe of `ensign serve --stdio`: two games that differ only in what
 * one side cannot know give its seat, and public spectators, the same bytes. */
#include "driver.h"

#include "core/text/layout.h"
#include "core/text/notation.h"
#include "games/line.h"
#include "host/support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { GAMES = 2, TOLD_MAX = 1 << 20 };

/* Adds a message to what the side or the public was told, if it is for them. */
static void note(struct buffer *told, const struct driver *driver, enum side side) {
    const char *seat = json_string_value(json_object_get(driver->message, "seat"));
    const char *eyes = json_string_value(json_object_get(driver->message, "eyes"));
    const char *type = driver_text(driver, "type");
    if (!strcmp(type, "end") || !strcmp(type, "created")) return; /* everything is uncovered */
    if (!(seat ? !strcmp(seat, side_name(side)) : eyes && !strcmp(eyes, "public"))) return;
    const char *id = strstr(driver->line, "\"game\":\"");
    assert_non_null(id);
    buffer_add(told, driver->line, (size_t)(id - driver->line));
    buffer_add_text(told, strchr(id + 8, '"'));
    assert_true(buffer_add_text(told, "\n"));
}

/* Hears everything up to the next question for a move or the end. */
static void hear_turn(struct buffer *told, struct driver *driver, enum side side) {
    for (;;) {
        assert_non_null(driver_hear(driver));
        note(told, driver, side);
        const char *type = driver_text(driver, "type");
        if (!strcmp(type, "error") || !strcmp(type, "refused")) fail_msg("%.400s", driver->line);
        if (!strcmp(type, "move")) return;
        if (!strcmp(type, "end") && json_object_get(driver->message, "eyes")) return;
    }
}

/* Plays the line with these set-ups. What its side and the public are told. */
static struct buffer tell_game(struct driver *driver, const char *variant, const struct line *line,
                               const struct setup setups[2]) {
    static int number;
    struct buffer told = buffer_of(TOLD_MAX);
    char armies[2][SETUP_TEXT_MAX], move[MOVE_TEXT_MAX];
    for (int side = RED; side <= BLUE; side++)
        setup_write(line->rules, (enum side)side, &setups[side], armies[side]);
    driver_say(driver,
               "{'type':'new','variant':'%s','seed':7,'watch':'public','first':'red','setups':"
               "{'red':'%s','blue':'%s'}}",
               variant, armies[RED], armies[BLUE]);
    number++;
    hear_turn(&told, driver, line->side);
    for (int ply = 0; ply < line->plies; ply++) {
        move_text(line->rules, line->moves[ply], false, move);
        driver_say(driver, "{'type':'move','game':'%d','move':'%s'}", number, move);
        hear_turn(&told, driver, line->side);
    }
    driver_say(driver, "{'type':'leave','game':'%d'}", number);
    driver_await(driver, "left");
    return told;
}

static void a_side_and_the_public_are_told_the_same_whatever_the_enemy_hides(void **state) {
    (void)state;
    static struct line line;
    struct driver driver;
    uint64_t number = 0;
    DRIVER_OPEN(&driver, "-j", "2");
    for (const char *const *variant = line_variants(); *variant; variant++) {
        struct rules *rules = support_rules(*variant);
        for (int games = line_may_be_given(rules) ? 0 : GAMES; games < GAMES; games++) {
            struct setup other[2];
            do line_draw(&line, rules, RED, ++number);
            while (!line_twin(&line, other));
            struct buffer told = tell_game(&driver, *variant, &line, line.setups);
            struct buffer again = tell_game(&driver, *variant, &line, other);
            if (!line_same_text(&told, &again))
                fail_msg("%s, game %u", *variant, (unsigned)line.number);
            buffer_clear(&told);
            buffer_clear(&again);
        }
        rules_free(rules);
    }
    assert_int_equal(driver_close(&driver), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_side_and_the_public_are_told_the_same_whatever_the_enemy_hides),
    };
    return cmocka_run_group_tests_name("serve_secrets", tests, NULL, NULL);
}
