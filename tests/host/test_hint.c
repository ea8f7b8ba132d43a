/* test_hint.c - hints: what they are told, what they say, and that they end. */
#include "host/hint.h"

#include "cli/hint_text.h"
#include "core/text/layout.h"
#include "host/session.h"
#include "support.h"
#include "walled.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char RED_SETUP[] = "M.9......./..2......./..2.....S./..3..3BFB.";
static const char BLUE_SETUP[] = ".......9.M/..2......./..2.....S./..3..3BFB.";

static uint32_t noted;

static void note_ply(void *context, uint32_t ply) {
    (void)context;
    noted = ply;
}

static struct session *begin(const char *red, const char *blue) {
    struct fault fault = {0};
    const char *const texts[] = {red, blue};
    struct session *session =
        session_open(&(struct session_options){.rules = walled_rules}, &fault);
    assert_non_null(session);
    for (int side = RED; side <= BLUE; side++) {
        struct setup setup;
        if (!setup_read(walled_rules, RED, texts[side], strlen(texts[side]), &setup, &fault) ||
            !session_take_setup(session, (enum side)side, &setup, &fault))
            fail_msg("%s", fault.text);
    }
    return session;
}

/* Red's helper, which hears these moves. */
static struct hint listen(struct session *session, struct template *template, const char *bot,
                          int deadline, const char *moves) {
    struct hint hint = {.options = {.bot = bot,
                                    .player = walled_options(template, deadline),
                                    .chance = {{7}},
                                    .given = note_ply}};
    char text[MOVE_TEXT_MAX];
    int used;
    hint_start(&hint, &session->eyes.view[RED]);
    for (; sscanf(moves, "%95s%n", text, &used) == 1; moves += used) {
        struct fault fault = {0};
        if (!session_play_text(session, text, strlen(text), NULL, &fault))
            fail_msg("%s", fault.text);
        assert_true(hint_observe(&hint, &session->eyes.view[RED], &session->eyes.told[RED]));
    }
    return hint;
}

static bool ask(struct hint *hint, struct session *session, const atomic_bool *give_up,
                char text[HINT_TEXT_MAX], struct fault *fault) {
    size_t count;
    struct move move;
    struct advice advice;
    const struct move *moves = session_moves(session, &count, fault);
    noted = 0;
    *fault = (struct fault){0};
    if (!hint_ask(hint, &session->eyes.view[RED], moves, count, give_up, &move, &advice, fault))
        return false;
    hint_tell(NULL, &session->eyes.view[RED], "adviser", move, &advice, moves, text);
    return true;
}

static void a_hint_comes_with_the_bots_own_numbers(void **state) {
    (void)state;
    char path[128], text[HINT_TEXT_MAX];
    struct fault fault;
    walled_bot("adviser",
               "local turns = 0\n"
               "return { api = 1,\n"
               "observe = function() turns = turns + 1 end,\n"
               "move = function(view) return 'a5xa6' end,\n"
               "explain = function(view) local list, moves = {}, view:moves()\n"
               "  for i = 1, #moves do if view:is_attack(moves[i]) then list[1] =\n"
               "    { move = moves[i], score = turns, chance = 2 / 3, stake = 3.04 } end end\n"
               "  list[2] = { move = moves[1], score = -1.5 }\n"
               "  return list end }",
               path);
    struct template *template = walled_template(SANDBOX_DEFAULTS);
    struct session *session = begin(RED_SETUP, BLUE_SETUP);
    struct hint hint = listen(session, template, path, PATIENT, "a4-a5 a7-a6");
    if (!ask(&hint, session, NULL, text, &fault)) fail_msg("%s", fault.text);
    assert_string_equal(text, "adviser would play a5xa6: score 2.00, 67 % to win the battle, "
                              "3.0 at stake. Next best: c1-b1 (-1.50).");
    assert_int_equal(noted, 3);
    hint_clear(&hint);
    session_close(session);
    template_close(template);
}

/* Two enemies that red cannot tell apart are exchanged. */
static void a_hint_tells_nothing_that_the_enemy_hides(void **state) {
    (void)state;
    static const char *const bots[] = {"seer", "hunter", "raider"};
    static const char *const others[] = {".......M.9/..2......./..2.....S./..3..3BFB.",
                                         ".......9.M/..2......./..2.....S./..3..3FBB.",
                                         ".......9.M/..3......./..2.....S./..2..3BFB."};
    struct template *template = walled_template(SANDBOX_DEFAULTS);
    for (size_t b = 0; b < sizeof bots / sizeof *bots; b++) {
        for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
            char text[2][HINT_TEXT_MAX];
            for (int game = 0; game < 2; game++) {
                struct fault fault;
                struct session *session = begin(RED_SETUP, game ? others[i] : BLUE_SETUP);
                struct hint hint = listen(session, template, bots[b], PATIENT, "a4-a5 h8-h7");
                if (!ask(&hint, session, NULL, text[game], &fault)) fail_msg("%s", fault.text);
                hint_clear(&hint);
                session_close(session);
            }
            assert_string_equal(text[0], text[1]);
        }
    }
    template_close(template);
}

static void a_turn_that_was_taken_back_is_not_told(void **state) {
    (void)state;
    char text[2][HINT_TEXT_MAX];
    struct fault fault;
    struct template *template = walled_template(SANDBOX_DEFAULTS);
    struct session *session = begin(RED_SETUP, BLUE_SETUP);
    struct hint hint = listen(session, template, "hunter", PATIENT, "");
    assert_true(ask(&hint, session, NULL, text[0], &fault));
    struct hint later = listen(session, template, "hunter", PATIENT, "a4-a5 a7-a6");
    assert_true(session_rewind(session, 0, &fault));
    assert_true(ask(&later, session, NULL, text[1], &fault));
    assert_string_equal(text[0], text[1]);
    hint_clear(&hint);
    hint_clear(&later);
    session_close(session);
    template_close(template);
}

static void a_bot_that_hangs_or_fails_gives_no_hint(void **state) {
    (void)state;
    static const char endless[] = "return { api = 1, move = function() while true do end end }";
    char path[128], text[HINT_TEXT_MAX];
    struct fault fault;
    atomic_bool give_up;
    const struct sandbox_limits limits = {.fuel = UINT64_MAX / 4, .memory = 8 << 20};
    struct template *template = walled_template(limits);
    struct session *session = begin(RED_SETUP, BLUE_SETUP);
    struct hint hint = listen(session, template, walled_bot("endless", endless, path), QUICK, "");
    assert_false(ask(&hint, session, NULL, text, &fault));
    assert_int_equal(fault.status, STATUS_TIME);
    atomic_init(&give_up, true);
    hint.options.player.deadline = PATIENT;
    assert_false(ask(&hint, session, &give_up, text, &fault));
    assert_int_equal(fault.status, STATUS_KILLED);
    walled_bot("endless", "return { api = 1, move = function() return 'a1-a9' end }", path);
    assert_false(ask(&hint, session, NULL, text, &fault));
    assert_int_equal(fault.status, STATUS_ILLEGAL_MOVE);
    assert_int_equal(noted, 0);
    hint_clear(&hint);
    session_close(session);
    template_close(template);
}

static void reasons_that_make_no_sense_are_left_out(void **state) {
    (void)state;
    static const char *const reasons[] = {"error('no')",
                                          "5",
                                          "{ { move = view:moves()[1] } }",
                                          "{ { move = 1, score = 1 } }",
                                          "{ { move = view:moves()[1], score = 0 / 0 } }",
                                          "{ { move = view:moves()[1], score = 1, chance = 2 } }",
                                          "{ 1 }"};
    struct template *template = walled_template(SANDBOX_DEFAULTS);
    struct session *session = begin(RED_SETUP, BLUE_SETUP);
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++) {
        char path[128], bot[512], text[HINT_TEXT_MAX];
        struct fault fault;
        snprintf(bot, sizeof bot,
                 "return { api = 1, move = function(view) return 'a4-a5' end,\n"
                 "explain = function(view) local list = %s return list end }",
                 reasons[i]);
        struct hint hint = listen(session, template, walled_bot("adviser", bot, path), PATIENT, "");
        if (!ask(&hint, session, NULL, text, &fault)) fail_msg("%s: %s", reasons[i], fault.text);
        assert_string_equal(text, "adviser would play a4-a5.");
        hint_clear(&hint);
    }
    session_close(session);
    template_close(template);
}

static void hints_are_noted_by_ply(void **state) {
    (void)state;
    struct record *record = record_new(), *copy = record_new();
    char bot[HINT_BOT_MAX];
    assert_null(hint_notes(record, RED));
    assert_true(hint_note(record, RED, "seer", 1) && hint_note(record, RED, "seer", 9) &&
                hint_note(record, RED, "seer", 9) && hint_note(record, RED, "master", 11));
    assert_string_equal(hint_notes(record, RED), "seer at 1, seer at 9, master at 11");
    assert_null(hint_notes(record, BLUE));
    assert_true(hint_copy(record, RED, copy) && hint_copy(record, BLUE, copy));
    assert_true(hint_at(copy, RED, 11, bot));
    assert_string_equal(bot, "master");
    assert_true(hint_at(copy, RED, 1, bot) && hint_at(copy, RED, 9, bot));
    assert_false(hint_at(copy, RED, 2, bot) || hint_at(copy, BLUE, 1, bot));
    record_free(record);
    record_free(copy);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WALLED(a_hint_comes_with_the_bots_own_numbers),
        WALLED(a_hint_tells_nothing_that_the_enemy_hides),
        WALLED(a_turn_that_was_taken_back_is_not_told),
        WALLED(a_bot_that_hangs_or_fails_gives_no_hint),
        WALLED(reasons_that_make_no_sense_are_left_out),
        cmocka_unit_test(hints_are_noted_by_ply),
    };
    return cmocka_run_group_tests_name("host/hint", tests, NULL, NULL);
}
