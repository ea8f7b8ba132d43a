/* The schema of the seat protocol: it is one, every message of real games fits it and hardly any
 * mutilated one does, and the validator of these tests (schema.h) judges all of them as a library
 * does (Debian's python3-jsonschema, through schema.py). */
#include "schema.h"

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

/* What programs and clients say. */
static const char *const ANSWERS[] = {
    "{\"type\":\"setup\",\"setup\":null}",
    "{\"type\":\"setup\",\"setup\":\"steady\",\"game\":\"7\",\"seat\":\"red\",\"id\":1}",
    "{\"type\":\"move\",\"move\":\"a4-a5\",\"ply\":12}",
    "{\"type\":\"move\",\"move\":\"a4-a5\",\"reason\":\"it looked good\"}",
    "{\"type\":\"resign\"}",
    "{\"type\":\"draw\",\"accept\":false}",
    "{\"type\":\"draw\"}",
};
static const char *const REQUESTS[] = {
    "{\"type\":\"new\",\"variant\":\"duel\",\"red\":\"me\",\"blue\":\"rookie\",\"seed\":7,"
    "\"setups\":{\"red\":\"steady\"},\"first\":\"red\",\"limits\":{\"no_attack\":0,\"plies\":0},"
    "\"clock\":{\"seconds\":600,\"increment\":5},\"names\":{\"red\":\"Ann\"},\"watch\":\"public\","
    "\"id\":\"a\"}",
    "{\"type\":\"sit\",\"seat\":\"secret\"}",
    "{\"type\":\"join\",\"game\":\"7\"}",
    "{\"type\":\"join\",\"invite\":\"code\",\"name\":\"Ana\"}",
    "{\"type\":\"watch\",\"game\":\"7\",\"eyes\":\"public\"}",
    "{\"type\":\"view\",\"game\":\"7\",\"eyes\":\"red\"}",
    "{\"type\":\"why\",\"game\":\"7\",\"move\":\"a4-a5\"}",
    "{\"type\":\"undo\",\"game\":\"7\",\"ply\":3}",
    "{\"type\":\"record\",\"game\":\"7\"}",
    "{\"type\":\"list\",\"what\":\"games\"}",
    "{\"type\":\"check\",\"file\":\"x.lua\",\"text\":\"return 1\"}",
    "{\"type\":\"leave\",\"game\":\"7\"}",
};

/* What `ensign serve` replies. */
static const char *const REPLIES[] = {
    "{\"type\":\"created\",\"game\":\"7\",\"seats\":{\"red\":\"secret\"},\"watch\":\"7\",\"id\":1}",
    "{\"type\":\"sat\",\"game\":\"7\",\"seat\":\"red\"}",
    "{\"type\":\"watching\",\"game\":\"7\",\"eyes\":\"public\"}",
    "{\"type\":\"view\",\"game\":\"7\",\"eyes\":\"red\",\"ply\":0,\"position\":\"r?b?/.. red\","
    "\"to_move\":\"red\",\"result\":null,\"reason\":null}",
    "{\"type\":\"why\",\"game\":\"7\",\"move\":\"a4-a5\",\"legal\":true,\"rule\":\"legal\","
    "\"message\":\"the move is legal\",\"plies\":[3,7]}",
    "{\"type\":\"undone\",\"game\":\"7\",\"ply\":3,\"position\":\"r2b?/.? red\"}",
    "{\"type\":\"done\",\"game\":\"7\",\"id\":\"e\"}",
    "{\"type\":\"record\",\"game\":\"7\",\"record\":\"[Variant \\\"duel\\\"]\"}",
    "{\"type\":\"list\",\"what\":\"games\",\"list\":[\"7\"]}",
    "{\"type\":\"checked\",\"file\":\"x.lua\",\"report\":{}}",
    "{\"type\":\"left\",\"game\":\"7\"}",
};

enum { CORPUS_MAX = 1 << 16 };

static struct {
    FILE *file; /* each line: definition, verdict of schema.c, message */
    int fitting, refused;
} corpus;

static char why[SCHEMA_WHY_MAX];

static bool corpus_add(const char *definition, const json_t *message) {
    bool fit = schema_fits(definition, message, why);
    corpus.fitting += fit;
    corpus.refused += !fit;
    fprintf(corpus.file, "%s %d ", definition, fit);
    json_dumpf(message, corpus.file, JSON_COMPACT);
    fputc('\n', corpus.file);
    return fit;
}

static void corpus_add_sound(const char *definition, const json_t *message) {
    char *text = json_dumps(message, JSON_COMPACT);
    if (!corpus_add(definition, message)) fail_msg("%s\n%.1000s", why, text);
    free(text);
}

/* Adds the whole message once for each way to break a part of it: a key left out, one too many, and
 * values of other types. `part` is a part of `whole`, which is as before afterwards. */
static void corpus_add_broken(const char *definition, json_t *whole, json_t *part) {
    json_t *const others[] = {json_null(),        json_true(),       json_integer(-1),
                              json_integer(1),    json_real(1.0),    json_real(1.5),
                              json_string(""),    json_string("a1"), json_string("é"),
                              json_string("red"), json_array(),      json_object()};
    json_t *keys = json_array();
    const char *key;
    json_t *value;
    json_object_foreach(part, key, value) json_array_append_new(keys, json_string(key));
    for (size_t k = 0; k < json_array_size(keys); k++) {
        key = json_string_value(json_array_get(keys, k));
        value = json_incref(json_object_get(part, key));
        json_object_del(part, key);
        corpus_add(definition, whole);
        for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
            json_object_set(part, key, others[i]);
            corpus_add(definition, whole);
        }
        json_object_set_new(part, key, value);
        if (json_is_object(value)) corpus_add_broken(definition, whole, value);
        if (json_is_array(value) && json_is_object(json_array_get(value, 0)))
            corpus_add_broken(definition, whole, json_array_get(value, 0));
    }
    if (json_is_object(part)) {
        json_object_set_new(part, "surplus", json_true());
        corpus_add(definition, whole);
        json_object_del(part, "surplus");
    }
    json_decref(keys);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) json_decref(others[i]);
}

/* Breaks a message that fits `prefix` and its type; the library is slow with all definitions. */
static void corpus_break(const char *prefix, json_t *message) {
    char definition[64];
    snprintf(definition, sizeof definition, "%s_%s", prefix,
             json_string_value(json_object_get(message, "type")));
    corpus_add_broken(definition, message, message);
}

/* Takes a message of the host. Only the first of its sort is also broken. */
static void corpus_take(json_t *message, json_t *seen) {
    const char *type = json_string_value(json_object_get(message, "type"));
    corpus_add_sound("from_host", message);
    if (!json_object_get(seen, type)) {
        json_object_set_new(seen, type, json_true());
        corpus_break("tells", message);
    }
    json_decref(message);
}

/* A game's introduction has the whole variant, which is enough to break in part. */
static json_t *shortened(json_t *message) {
    json_t *variant = json_object_get(message, "variant");
    json_t *kinds = json_object_get(variant, "kinds"), *few = json_array();
    for (size_t i = 0; i < json_array_size(kinds); i++)
        if (json_array_size(json_object_get(json_array_get(kinds, i), "abilities")))
            json_array_append(few, json_array_get(kinds, i));
    json_object_set_new(variant, "kinds", few);
    json_t *row = json_pack("{s:{s:s}}", "scout", "bomb", "defender");
    json_object_set_new(variant, "battles", row);
    return message;
}

static void collect_game(const char *variant, json_t *seen) {
    struct rules *rules = support_rules(variant);
    const struct session_options options = {.rules = rules, .plies = 60};
    struct fault fault = {0};
    struct session *session = session_open(&options, &fault);
    struct random random = random_stream(3, STREAM_PLAYOUT, 0);
    const uint64_t seed = 7;
    for (int side = RED; side <= BLUE; side++) {
        struct setup setup;
        assert_true(setup_random(rules, RED, &random, &setup, &fault));
        assert_true(session_take_setup(session, (enum side)side, &setup, &fault));
    }
    const struct game_clock clock = {{1000, 2000}, 5};
    const struct message_table table = {
        .id = "1", .names = {"a", "é"}, .rules = rules, .seed = &seed, .clock = &clock};
    const struct outlook outlook = outlook_of(ONLOOKER_RED, &session->eyes);
    corpus_take(shortened(message_game(&table, ONLOOKER_RED)), seen);
    corpus_take(message_setup(), seen);
    corpus_take(message_start(&outlook), seen);
    while (!session->over) {
        size_t count;
        const enum side side = (enum side)session->game.to_move;
        const struct move *moves = session_moves(session, &count, &fault);
        if (session->game.ply_count % 30 == 0)
            corpus_take(message_move(&session->eyes.view[side], moves, count, &clock), seen);
        const struct move move = moves[random_below(&random, (uint32_t)count)];
        assert_true(session_play(session, move, NULL, &fault));
        if (session->game.ply_count % 3 == 0) corpus_take(message_events(&outlook), seen);
    }
    enum verdict verdict;
    session_play_text(session, "a4-a5", 5, &verdict, &fault);
    corpus_take(message_refused(verdict, &fault), seen);
    corpus_take(message_refused(LEGAL, &fault), seen);
    corpus_take(message_draw(RED), seen);
    corpus_take(message_error(&fault), seen);
    session_forfeit(session, RED, &fault);
    corpus_take(message_end(session), seen);
    session_close(session);
    rules_free(rules);
}

static void collect_texts(const char *definition, const char *prefix, const char *const *texts,
                          size_t count) {
    for (size_t i = 0; i < count; i++) {
        json_t *message = json_loads(texts[i], 0, NULL);
        assert_non_null(message);
        corpus_add_sound(definition, message);
        corpus_break(prefix, message);
        json_decref(message);
    }
}

static void a_library_judges_every_message_as_the_tests_do(void **state) {
    (void)state;
    static const char *const variants[] = {"lightning", "duel", "variants/examples/fog.lua",
                                           "variants/examples/rescue.lua"};
    char path[96], command[512];
    json_t *seen = json_object();
    snprintf(path, sizeof path, "%s/corpus", test_folder);
    corpus.file = fopen(path, "w");
    assert_non_null(corpus.file);
    for (size_t i = 0; i < sizeof variants / sizeof *variants; i++) collect_game(variants[i], seen);
    collect_texts("from_program", "answers", ANSWERS, sizeof ANSWERS / sizeof *ANSWERS);
    collect_texts("from_client", "asks", REQUESTS, sizeof REQUESTS / sizeof *REQUESTS);
    collect_texts("from_host", "replies", REPLIES, sizeof REPLIES / sizeof *REPLIES);
    fclose(corpus.file);
    json_decref(seen);
    print_message("%d messages fit, %d do not\n", corpus.fitting, corpus.refused);
    assert_true(corpus.fitting > 200 && corpus.refused > 2000);
    snprintf(command, sizeof command,
             "python3 '%s/tests/host/schema.py' '%s/src/host/seat/schema.json' '%s' 2>&1",
             ENSIGN_ROOT, ENSIGN_ROOT, path);
    FILE *library = popen(command, "r");
    char line[1024];
    while (fgets(line, sizeof line, library)) print_message("%s", line);
    assert_int_equal(pclose(library), 0);
}

/* Every schema in `schema` that describes a value has a sentence; a $ref may leave it to what it
 * refers to. */
static void require_descriptions(const char *name, const json_t *schema) {
    const json_t *properties = json_object_get(schema, "properties");
    const char *key;
    json_t *part;
    const char *text = json_string_value(json_object_get(schema, "description"));
    if (!json_object_get(schema, "$ref") && (!text || text[strlen(text) - 1] != '.'))
        fail_msg("%s: a description, as a sentence, is expected", name);
    json_object_foreach((json_t *)properties, key, part) require_descriptions(key, part);
}

static void every_key_is_described_in_a_sentence(void **state) {
    (void)state;
    const char *name;
    json_t *definition;
    json_object_foreach(json_object_get(schema_document(), "$defs"), name, definition)
        require_descriptions(name, definition);
}

static void the_host_is_held_to_its_keys_and_a_client_is_not(void **state) {
    (void)state;
    const char setup[] = "{\"type\":\"setup\",\"mood\":\"good\"}";
    const char resign[] = "{\"type\":\"resign\",\"mood\":\"bad\"}";
    assert_false(schema_fits_line("from_host", setup, strlen(setup), why));
    assert_string_equal(why, "/mood: is not expected: \"good\"");
    assert_true(schema_fits_line("from_client", resign, strlen(resign), why));
    assert_true(schema_fits_line("from_program", resign, strlen(resign), why));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_library_judges_every_message_as_the_tests_do,
                                        make_test_folder, remove_test_folder),
        cmocka_unit_test(every_key_is_described_in_a_sentence),
        cmocka_unit_test(the_host_is_held_to_its_keys_and_a_client_is_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
