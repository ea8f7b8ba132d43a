/* The words that a variant's own ending gives: in the session, its record and its last message,
 * answered from behind the wall. */
#include "host/seat/message.h"
#include "host/session.h"
#include "jail/loader.h"
#include "schema.h"
#include "support.h"

#include "core/text/layout.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct rules *rules; /* of the running test */

/* A duel that red wins when its scout stands on rank 9; `words` is the ending's second value. */
static struct session *start(const char *words) {
    char text[1024];
    struct fault fault = {0};
    struct position position = {.to_move = RED};
    int length =
        snprintf(text, sizeof text,
                 "return { api = 1, extends = 'duel', calls = { ending = function(position)\n"
                 "  for _, at in ipairs(position:squares('red', 'scout')) do\n"
                 "    if position:board():rank(at) == 9 then return 'red'%s%s end\n"
                 "  end\nend } }\n",
                 words ? ", " : "", words ? words : "");
    rules = loader_variant_text(support_folders(), "gate.lua", text, (size_t)length, &fault);
    if (!rules) fail_msg("%s:%d: %s", fault.file, fault.line, fault.text);
    position.at[0] = cell_of(RED, rules_kind_named(rules, "flag"));
    position.at[70] = cell_of(RED, rules_kind_named(rules, "scout"));
    position.at[98] = cell_of(BLUE, rules_kind_named(rules, "flag"));
    position.at[25] = cell_of(BLUE, rules_kind_named(rules, "marshal"));
    const struct session_options options = {
        .rules = rules, .position = &position, .names = {"alice", "bob"}};
    struct session *session = session_open(&options, &fault);
    if (!session) fail_msg("%s", fault.text);
    return session;
}

static void play(struct session *session, const char *move) {
    struct fault fault = {0};
    if (!session_play_text(session, move, strlen(move), NULL, &fault)) fail_msg("%s", fault.text);
}

static void finish(struct session *session) {
    session_close(session);
    rules_free(rules);
}

static const char *ending_tag(struct session *session) {
    assert_true(session_seal(session, NULL));
    return record_tag(session->record, "Ending");
}

static void end_message(const struct session *session, const char *expected) {
    char why[SCHEMA_WHY_MAX];
    json_t *message = message_end(session);
    if (!schema_fits("tells_end", message, why)) fail_msg("%s", why);
    char *text = json_dumps(message, JSON_COMPACT);
    if (expected ? !strstr(text, expected) : strstr(text, "\"ending") != NULL) fail_msg("%s", text);
    free(text);
    json_decref(message);
}

static void a_text_is_in_the_record_and_the_message(void **state) {
    (void)state;
    struct session *session = start("'The gate is taken.'");
    play(session, "a8-b8");
    play(session, "f3-f4");
    assert_string_equal(session->ending.text, "");
    play(session, "b8-b9");
    assert_int_equal(session->reason, REASON_VARIANT);
    assert_string_equal(ending_tag(session), "The gate is taken.");
    end_message(session, "\"ending\":\"The gate is taken.\"}");
    finish(session);
}

static void texts_by_language_reach_each_reader(void **state) {
    (void)state;
    struct session *session = start("{ es = 'La puerta cae.', en = 'The gate falls.', uk = 'Х' }");
    struct fault fault = {0};
    char line[128];
    play(session, "a8-a9");
    end_message(session, "\"ending\":\"The gate falls.\",\"endings\":{\"es\":\"La puerta cae.\",");
    assert_string_equal(ending_tag(session), "The gate falls.");
    for (int spanish = 0; spanish <= 1; spanish++) {
        struct language *language =
            spanish ? loader_language(support_folders(), "es", &fault) : NULL;
        language_end(language, session->result, session->reason, &session->ending, line,
                     sizeof line);
        assert_non_null(strstr(line, spanish ? " La puerta cae." : "Red wins. The gate falls."));
        language_free(language);
    }
    finish(session);
}

static void words_are_one_line_and_bounded(void **state) {
    (void)state;
    struct session *session = start("('a\\n\\27[31m' .. ('\\u{448}'):rep(200))");
    play(session, "a8-a9");
    assert_int_equal(strlen(session->ending.text), CALL_WHY_MAX - 1); /* 7 bytes and 76 letters */
    for (const char *c = session->ending.text; *c; c++) assert_false(*c >= 0 && *c < ' ');
    finish(session);
}

static void an_ending_without_words_says_nothing(void **state) {
    (void)state;
    struct session *session = start(NULL);
    play(session, "a8-a9");
    assert_int_equal(session->reason, REASON_VARIANT);
    assert_null(ending_tag(session));
    end_message(session, NULL);
    finish(session);
}

static void words_go_when_the_last_move_is_taken_back(void **state) {
    (void)state;
    struct session *session = start("'The gate is taken.'");
    play(session, "a8-a9");
    assert_true(session_rewind(session, 0, NULL));
    assert_string_equal(session->ending.text, "");
    session_stop(session, RESULT_BLUE, REASON_RESIGNED);
    assert_null(ending_tag(session));
    finish(session);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_text_is_in_the_record_and_the_message),
        cmocka_unit_test(texts_by_language_reach_each_reader),
        cmocka_unit_test(words_are_one_line_and_bounded),
        cmocka_unit_test(an_ending_without_words_says_nothing),
        cmocka_unit_test(words_go_when_the_last_move_is_taken_back),
    };
    return cmocka_run_group_tests_name("ending", tests, NULL, NULL);
}
