/* Names of people: one rule in every script, wherever a name comes in; the page counts alike
 * (page_parts.mjs reads the same file). */
#include "table.h"

#include "base/buffer.h"
#include "base/player_name.h"
#include "base/utf8.h"
#include "host/support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct room_waits USUAL;

/* Each [name, letters or null, whether it is allowed]. */
static json_t *read_cases(void) {
    json_error_t error;
    json_t *cases = json_load_file(ENSIGN_ROOT "/tests/data/player_names.json", 0, &error);
    if (!cases) fail_msg("%d: %s", error.line, error.text);
    return cases;
}

static void a_name_has_at_most_forty_letters_in_any_script_and_nothing_invisible(void **state) {
    (void)state;
    json_t *cases = read_cases();
    size_t i;
    const json_t *item;
    json_array_foreach(cases, i, item) {
        const char *name = json_string_value(json_array_get(item, 0));
        const bool allowed = json_is_true(json_array_get(item, 2));
        struct fault fault = {0};
        if (player_name_check(name, &fault) != allowed) fail_msg("\"%s\": %s", name, fault.text);
        if (!allowed) assert_int_equal(fault.status, STATUS_TEXT);
    }
    json_decref(cases);
}

/* Says a request with this name, and hears its reply, or the refusal of the name. */
static void says_named(struct person *person, json_t *request, const char *reply, bool allowed) {
    char *line = json_dumps(request, JSON_COMPACT);
    lobby_hear(person->house->lobby, person->client, line, strlen(line));
    if (allowed)
        person_awaits(person, reply);
    else
        person_is_refused(person, "name");
    free(line);
    json_decref(request);
}

static void every_way_in_has_the_same_rule_and_the_name_arrives_as_it_is(void **state) {
    (void)state;
    struct house house;
    struct person ana, boris;
    json_t *cases = read_cases();
    const json_t *item;
    size_t i;
    char invite[WORD_BYTES], game[WORD_BYTES];
    house_open(&house, NULL, USUAL);
    json_array_foreach(cases, i, item) {
        const char *name = json_string_value(json_array_get(item, 0));
        const bool allowed = json_is_true(json_array_get(item, 2));
        person_comes(&ana, &house), person_comes(&boris, &house);
        says_named(&ana,
                   json_pack("{s:s, s:s, s:s, s:{s:s}}", "type", "new", "variant", "quick", "blue",
                             "open", "names", "red", name),
                   "created", allowed);
        person_says(&ana, "{'type':'new','variant':'quick','blue':'open','public':false}");
        person_awaits(&ana, "created");
        person_copies_invite(invite, &ana, "blue");
        person_copies(game, &ana, "game");
        const bool joins = allowed || !*name; /* none is given */
        says_named(&boris,
                   json_pack("{s:s, s:s, s:s}", "type", "join", "invite", invite, "name", name),
                   "joined", joins);
        if (joins) {
            const json_t *names = json_object_get(person_awaits(&boris, "game"), "names");
            assert_string_equal(json_string_value(json_object_get(names, "blue")),
                                *name ? name : "guest");
        } else {
            person_says(&boris, "{'type':'join','invite':'%s'}", invite); /* it is still open */
            person_awaits(&boris, "joined");
        }
        person_goes(&ana), person_goes(&boris);
    }
    json_decref(cases);
    house_close(&house);
}

static void a_safe_text_stays_as_it_is_where_it_is_shown(void **state) {
    (void)state;
    json_t *cases = read_cases();
    const json_t *item;
    size_t i;
    json_array_foreach(cases, i, item) {
        const char *name = json_string_value(json_array_get(item, 0));
        char *copy = strdup(name);
        utf8_make_safe(copy);
        if (json_is_true(json_array_get(item, 2))) assert_string_equal(copy, name);
        assert_true(utf8_is_safe(copy, strlen(copy)));
        free(copy);
    }
    json_decref(cases);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_name_has_at_most_forty_letters_in_any_script_and_nothing_invisible),
        cmocka_unit_test(every_way_in_has_the_same_rule_and_the_name_arrives_as_it_is),
        cmocka_unit_test(a_safe_text_stays_as_it_is_where_it_is_shown),
    };
    return cmocka_run_group_tests_name("names", tests, NULL, NULL);
}
