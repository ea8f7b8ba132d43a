/* test_page_model.c - the page's model of a game (src/serve/page/model.js) knows, after every ply
 * of random games of all variants, exactly what its onlooker knows; what it thinks a hidden piece
 * may be is never wrong. Node runs it over the messages (page_model.mjs). */
#include "core/text/layout.h"
#include "host/seat/message.h"
#include "host/session.h"
#include "support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char *const VARIANTS[] = {"original",
                                       "infiltrator",
                                       "classic",
                                       "milton-bradley",
                                       "galaxy",
                                       "galaxy-duel",
                                       "russian",
                                       "duel",
                                       "barrage",
                                       "quick",
                                       "lightning",
                                       "lattaque",
                                       "luzhanqi",
                                       "salpakan",
                                       "jungle",
                                       "variants/examples/fog.lua",
                                       "variants/examples/airborne.lua",
                                       "variants/examples/breakthrough.lua",
                                       "variants/examples/cordon.lua",
                                       "variants/examples/flag_moves_once.lua",
                                       "variants/examples/heights.lua",
                                       "variants/examples/hounds.lua",
                                       "variants/examples/medic.lua",
                                       "variants/examples/phalanx.lua",
                                       "variants/examples/rescue.lua",
                                       "variants/examples/sentry.lua",
                                       "variants/examples/silent_defence.lua",
                                       "variants/examples/three_lakes.lua",
                                       "tests/data/upheaval.lua",
                                       "tests/data/upheaval_in_fog.lua"};
enum { VARIANT_COUNT = sizeof VARIANTS / sizeof *VARIANTS, PLIES = 240 };

/* A game: what each onlooker is told of it, a line a message. */
struct scene {
    struct rules *rules;
    struct session *session;
    FILE *lines[ONLOOKERS];
    char *text[ONLOOKERS];
    size_t size[ONLOOKERS];
};

static void tell(struct scene *scene, int onlooker, json_t *message, bool with_position) {
    const struct eyes *eyes = &scene->session->eyes;
    json_t *line = json_pack("{s:o}", "take", message);
    assert_non_null(line);
    if (with_position) {
        char text[POSITION_TEXT_MAX];
        const struct outlook own = outlook_of((enum onlooker)onlooker, eyes);
        const struct outlook truth = outlook_of(ONLOOKER_ALL, eyes);
        outlook_position(&own, text);
        json_object_set_new(line, "position", json_string(text));
        outlook_position(&truth, text);
        json_object_set_new(line, "truth", json_string(text));
    }
    assert_int_equal(json_dumpf(line, scene->lines[onlooker], JSON_COMPACT), 0);
    fputc('\n', scene->lines[onlooker]);
    json_decref(line);
}

static void tell_all(struct scene *scene, json_t *(*message)(const struct outlook *outlook)) {
    for (int onlooker = 0; onlooker < ONLOOKERS; onlooker++) {
        const struct outlook outlook = outlook_of((enum onlooker)onlooker, &scene->session->eyes);
        tell(scene, onlooker, message(&outlook), true);
    }
}

/* Mostly an attack or an ability, if there is one: plain moves teach little. */
static struct move choose(const struct scene *scene, struct random *random,
                          const struct move *moves, size_t count) {
    struct move move = moves[random_below(random, (uint32_t)count)];
    for (int i = 0; i < 6; i++) {
        if (move.ability != ABILITY_NONE || scene->session->game.at[move.to]) break;
        move = moves[random_below(random, (uint32_t)count)];
    }
    return move;
}

static void play(struct scene *scene, struct random *random) {
    struct session *session = scene->session;
    struct fault fault = {0};
    while (!session->over) {
        size_t count;
        const enum side side = (enum side)session->game.to_move;
        const struct move *moves = session_moves(session, &count, &fault);
        if (!moves) fail_msg("%s", fault.text);
        tell(scene, (int)side, message_move(&session->eyes.view[side], moves, count, NULL), true);
        if (!session_play(session, choose(scene, random, moves, count), NULL, &fault))
            fail_msg("%s", fault.text);
        tell_all(scene, message_events);
    }
}

static void open_scene(struct scene *scene, const char *variant, struct random *random) {
    struct fault fault = {0};
    scene->rules = support_rules(variant);
    const struct session_options options = {.rules = scene->rules, .plies = PLIES};
    scene->session = session_open(&options, &fault);
    assert_non_null(scene->session);
    for (int side = RED; side <= BLUE; side++) {
        struct setup setup;
        assert_true(setup_random(scene->rules, (enum side)side, random, &setup, &fault));
        assert_true(session_take_setup(scene->session, (enum side)side, &setup, &fault));
    }
    const struct message_table table = {
        .id = "1", .names = {"a", "b"}, .rules = scene->rules, .limits = scene->session->limits};
    for (int onlooker = 0; onlooker < ONLOOKERS; onlooker++) {
        scene->lines[onlooker] = open_memstream(&scene->text[onlooker], &scene->size[onlooker]);
        assert_non_null(scene->lines[onlooker]);
        tell(scene, onlooker, message_game(&table, (enum onlooker)onlooker), false);
    }
    tell_all(scene, message_start);
}

static void close_scene(struct scene *scene, FILE *file) {
    for (int onlooker = 0; onlooker < ONLOOKERS; onlooker++) {
        fclose(scene->lines[onlooker]);
        fwrite(scene->text[onlooker], 1, scene->size[onlooker], file);
        free(scene->text[onlooker]);
    }
    session_close(scene->session);
    rules_free(scene->rules);
}

static void the_page_knows_after_every_ply_what_its_eyes_know(void **state) {
    (void)state;
    char path[96], command[512], line[1024];
    snprintf(path, sizeof path, "%s/lines", test_folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    for (uint64_t game = 0; game < VARIANT_COUNT; game++) {
        struct random random = random_stream(16, STREAM_PLAYOUT, game);
        struct scene scene = {0};
        open_scene(&scene, VARIANTS[game], &random);
        play(&scene, &random);
        close_scene(&scene, file);
    }
    fclose(file);
    snprintf(command, sizeof command,
             "node '%s/tests/host/page_model.mjs' '%s/src/serve/page' '%s' 2>&1", ENSIGN_ROOT,
             ENSIGN_ROOT, path);
    FILE *node = popen(command, "r");
    assert_non_null(node);
    while (fgets(line, sizeof line, node)) print_message("%s", line);
    assert_int_equal(pclose(node), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_page_knows_after_every_ply_what_its_eyes_know,
                                        make_test_folder, remove_test_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
