/* What a worker that has joined a match can learn from its coordinator: what the match needs, and
 * of no other file even whether it is there; and whose questions are heard. */
#include "base/files.h"
#include "host/machines/answers.h"
#include "support.h"

#include <setjmp.h>
#include <sodium.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

static const char OWN[] = "return {}\n", SECRET[] = "return { key = 'of another bot' }\n";
static const struct seal_secret NONE;

static char folder[64];
static struct folders folders;
static struct tournament match;
static struct tournament_options options;
static struct seal_match seal;
static struct worker_list *list;
static struct answers *answers;
static uint8_t worker[SEAL_KEY];
static struct seal_keys keys;

static char *path_of(const char *name) {
    static char path[4][128];
    static int next;
    next = (next + 1) % 4;
    snprintf(path[next], sizeof *path, "%s/%s", folder, name);
    return path[next];
}

static void write_file(const char *name, const char *text) {
    struct fault fault = {0};
    if (!files_replace(path_of(name), text, strlen(text), &fault)) fail_msg("%s", fault.text);
}

/* A script of the match, one beside it, and two set-ups of the user. */
static int open_answers(void **state) {
    (void)state;
    struct fault fault = {0};
    char text[64];
    support_folder(folder);
    mkdir(path_of("bots"), 0700);
    mkdir(path_of("variants"), 0700);
    mkdir(path_of("variants/setups"), 0700);
    write_file("bots/own.lua", OWN);
    write_file("bots/secret.lua", SECRET);
    write_file("variants/setups/played.txt", "FBB2MXS398/..........\n");
    write_file("variants/setups/hidden.txt", "BFB2MXS398/..........\n");
    folders = (struct folders){.count = 1};
    strcpy(folders.base[0], folder);
    strcpy(folders.scripts, path_of("scripts"));
    options = (struct tournament_options){
        .folders = &folders, .rules = support_rules("duel"), .sources = sources_open(&READER_DISK)};
    folders.reader = sources_reader(options.sources);
    const struct reader *reader = folders.reader;
    assert_true(reader->read(reader->context, path_of("bots/own.lua"), text, sizeof text) > 0);
    assert_true(reader->read(reader->context, path_of("variants/setups/played.txt"), text,
                             sizeof text) > 0);
    assert_int_equal(reader->size(reader->context, path_of("bots/missing.lua")), -1);
    list = worker_list_open();
    assert_true(seal_match_draw(&seal, &fault) &&
                seal_worker_draw(seal.open, &NONE, worker, &keys, &fault));
    answers = answers_open(&(struct answers_options){.match = &match,
                                                     .options = &options,
                                                     .seal = &seal,
                                                     .secret = &NONE,
                                                     .variant = "duel",
                                                     .version = "1",
                                                     .digest = 1,
                                                     .list = list});
    return answers ? 0 : -1;
}

static int close_answers(void **state) {
    (void)state;
    answers_close(answers);
    worker_list_close(list);
    sources_close(options.sources);
    rules_free((struct rules *)(uintptr_t)options.rules);
    support_remove(path_of("variants/setups"));
    support_remove(path_of("variants"));
    support_remove(path_of("bots"));
    support_remove(folder);
    return 0;
}

static void begin(struct frame *question, enum messages_question number) {
    const struct messages_greeting greeting = {.version = "1", .worker = "guest", .threads = 1};
    assert_true(frame_open(question, MESSAGES_BYTES_MAX));
    messages_put_greeting(question, &greeting);
    frame_put_number(question, number);
}

/* The whole answer, with its yes or no; closes the question. Whoever repeats it gets none. */
static struct frame ask(struct frame *question) {
    size_t length = 0;
    struct frame answer;
    unsigned char *sealed = messages_seal(worker, &keys, MESSAGES_QUESTION, question, &length);
    assert_non_null(sealed);
    size_t told_length = 0;
    unsigned char *told = answers_hear(answers, sealed, length, &told_length);
    assert_non_null(told);
    assert_null(answers_hear(answers, sealed, length, &length));
    length = told_length;
    unsigned char *opened = malloc(length);
    assert_true(
        seal_open(keys.to_worker, MESSAGES_ANSWER, sealed + MESSAGES_HEAD, told, length, opened));
    assert_true(frame_open(&answer, MESSAGES_BYTES_MAX));
    frame_put(&answer, opened, length - SEAL_EXTRA);
    free(sealed);
    free(told);
    free(opened);
    frame_close(question);
    return answer;
}

static struct frame ask_file(const char *path) {
    struct frame question;
    begin(&question, MESSAGES_ASKS_FILE);
    frame_put_text(&question, path);
    return ask(&question);
}

static struct frame ask_path(enum folder_sort sort, const char *name) {
    struct frame question;
    begin(&question, MESSAGES_ASKS_PATH);
    frame_put_number(&question, sort);
    frame_put_text(&question, name);
    return ask(&question);
}

static struct frame ask_bytes(const char *text) {
    struct frame question;
    const struct messages_hash hash = messages_hash(text, strlen(text));
    begin(&question, MESSAGES_ASKS_BYTES);
    frame_put(&question, &hash, sizeof hash);
    frame_put_number(&question, 0);
    return ask(&question);
}

static void expect_same(struct frame one, struct frame other) {
    assert_int_equal(one.length, other.length);
    assert_memory_equal(one.bytes + CHANNEL_HEADER, other.bytes + CHANNEL_HEADER, one.length);
    frame_close(&one);
    frame_close(&other);
}

static void files_of_the_match_are_given_by_their_hash(void **state) {
    (void)state;
    char path[FOLDER_PATH_MAX];
    struct messages_hash hash, is = messages_hash(OWN, strlen(OWN));
    struct frame answer = ask_path(FOLDER_SETUPS, "played");
    assert_int_equal(frame_take_number(&answer), 1);
    assert_int_equal(frame_take_number(&answer), 1);
    frame_take_text(&answer, path, sizeof path);
    assert_string_equal(path, path_of("variants/setups/played.txt"));
    frame_close(&answer);
    answer = ask_file(path_of("bots/own.lua"));
    assert_int_equal(frame_take_number(&answer), 1);
    assert_int_equal(frame_take_number(&answer), strlen(OWN));
    frame_take(&answer, &hash, sizeof hash);
    assert_memory_equal(&hash, &is, sizeof hash);
    frame_close(&answer);
    answer = ask_bytes(OWN);
    assert_int_equal(frame_take_number(&answer), 1);
    assert_int_equal(answer.length - answer.at, strlen(OWN));
    frame_close(&answer);
    answer = ask_file(path_of("bots/missing.lua"));
    assert_int_equal(frame_take_number(&answer), 1);
    assert_int_equal(frame_take_number(&answer), MESSAGES_NO_FILE);
    frame_close(&answer);
}

/* Whatever is asked for, a file that is there and one that is not are answered alike. */
static void files_that_the_match_does_not_need_cannot_be_told_from_missing_ones(void **state) {
    static const char *const files[][2] = {
        {"bots/secret.lua", "bots/nothing.lua"},
        {"bots/../bots/own.lua", "bots/../bots/none.lua"},
        {"bots//own.lua", "bots//non.lua"},
        {"variants/setups/hidden.txt", "variants/setups/harder.txt"},
        {"bots", "bats"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        expect_same(ask_file(path_of(files[i][0])), ask_file(path_of(files[i][1])));
    expect_same(ask_file("/etc/passwd"), ask_file("/etc/nothing"));
    struct frame answer = ask_file(path_of("bots/secret.lua"));
    frame_take_number(&answer);
    assert_int_equal(frame_take_number(&answer), MESSAGES_NOT_LISTED);
    frame_close(&answer);
    answer = ask_bytes(SECRET);
    assert_int_equal(frame_take_number(&answer), 0);
    frame_close(&answer);
}

/* Nor names, of which a near one is suggested to people. */
static void names_that_the_match_does_not_need_cannot_be_told_from_missing_ones(void **state) {
    static const enum folder_sort sorts[] = {FOLDER_SETUPS, FOLDER_BOTS, FOLDER_VARIANTS,
                                             FOLDER_LANGUAGES};
    static const char *const names[][2] = {
        {"hidden", "hiddex"}, {"secret", "secrex"}, {"duel", "duex"}, {"en", "ex"}};
    (void)state;
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 4; k++)
            expect_same(ask_path(sorts[i], names[k][0]), ask_path(sorts[i], names[k][1]));
    expect_same(ask_path(FOLDER_BOTS, path_of("bots/secret.lua")),
                ask_path(FOLDER_BOTS, path_of("bots/secrex.lua")));
    expect_same(ask_path(FOLDER_SETUPS, path_of("variants/setups/hidden.txt")),
                ask_path(FOLDER_SETUPS, path_of("variants/setups/hiddex.txt")));
    expect_same(ask_path(FOLDER_SETUPS, "../setups/played"),
                ask_path(FOLDER_SETUPS, "../setups/other"));
}

/* Is a question of this worker answered? */
static bool is_heard(const uint8_t key[SEAL_KEY], const struct seal_keys *shared) {
    struct frame question;
    size_t length = 0;
    begin(&question, MESSAGES_ASKS_KNOWN);
    unsigned char *sealed = messages_seal(key, shared, MESSAGES_QUESTION, &question, &length);
    unsigned char *told = answers_hear(answers, sealed, length, &length);
    const bool heard = told;
    free(sealed);
    free(told);
    frame_close(&question);
    return heard;
}

/* One that has not been searched for: of four thousand one will do. */
static void a_key_that_cost_nothing_is_not_heard(void **state) {
    enum { KEYS = 8, BY_CHANCE = 2 };
    struct fault fault = {0};
    int heard = 0;
    (void)state;
    for (int i = 0; i < KEYS; i++) {
        uint8_t key[SEAL_KEY], own[SEAL_KEY], other[SEAL_KEY];
        struct seal_keys shared;
        crypto_kx_keypair(key, own);
        assert_int_equal(crypto_sign_ed25519_pk_to_curve25519(other, seal.open), 0);
        assert_int_equal(
            crypto_kx_client_session_keys(shared.to_worker, shared.to_match, key, own, other), 0);
        heard += is_heard(key, &shared);
    }
    assert_true(heard <= BY_CHANCE);
    for (int i = 0; i < 2; i++) {
        uint8_t key[SEAL_KEY];
        struct seal_keys shared;
        assert_true(seal_worker_draw(seal.open, &NONE, key, &shared, &fault));
        assert_true(is_heard(key, &shared));
    }
}

/* Not even by what the coordinator remembers of keys. */
static void what_is_sealed_with_other_keys_is_not_heard(void **state) {
    const struct seal_keys zeros = {{0}, {0}};
    static const uint8_t zero[SEAL_KEY];
    uint8_t key[SEAL_KEY];
    struct seal_keys shared;
    struct fault fault = {0};
    (void)state;
    assert_false(is_heard(zero, &zeros));
    assert_true(seal_worker_draw(seal.open, &NONE, key, &shared, &fault));
    assert_false(is_heard(key, &zeros));
    assert_false(is_heard(key, &keys));
    assert_false(is_heard(zero, &zeros));
    assert_true(is_heard(key, &shared));
}

/* It shuts strangers out by itself. */
static void with_a_shared_secret_any_key_will_do(void **state) {
    enum { KEYS = 64 };
    const struct seal_secret secret = {.given = true, .bytes = {7}};
    struct fault fault = {0};
    int found = 0;
    (void)state;
    for (int i = 0; i < KEYS; i++) {
        uint8_t key[SEAL_KEY];
        struct seal_keys own, others;
        assert_true(seal_worker_draw(seal.open, &secret, key, &own, &fault));
        found += seal_worker_keys(&seal, &secret, key, &others);
        assert_memory_equal(&own, &others, sizeof own);
    }
    assert_int_equal(found, KEYS);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_of_the_match_are_given_by_their_hash),
        cmocka_unit_test(files_that_the_match_does_not_need_cannot_be_told_from_missing_ones),
        cmocka_unit_test(names_that_the_match_does_not_need_cannot_be_told_from_missing_ones),
        cmocka_unit_test(a_key_that_cost_nothing_is_not_heard),
        cmocka_unit_test(what_is_sealed_with_other_keys_is_not_heard),
        cmocka_unit_test(with_a_shared_secret_any_key_will_do),
    };
    return cmocka_run_group_tests(tests, open_answers, close_answers);
}
