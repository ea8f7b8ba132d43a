/* What a worker is sent by a match that means harm: its terms, and its answers to questions. They
 * are judged by what the worker's owner has allowed. */
#include "host/machines/remote_match.h"
#include "host/machines/verify.h"
#include "host/match/pair.h"
#include "host/players.h"
#include "host/record.h"
#include "host/setups/setup_library.h"
#include "jail/jail.h"
#include "support.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static const struct permits PERMITS = {.fuel = 1000000000, .memory = 512 << 20, .deadline = 60000};

static atomic_size_t taken; /* of the memory, by other matches */

/* Terms of a match of two players. */
static struct tournament_options options_of(const char *const players[2]) {
    static struct folders folders = {.scripts = "/scripts"};
    return (struct tournament_options){.folders = &folders,
                                       .players = players,
                                       .player_count = 2,
                                       .games = 2,
                                       .limits = {50000000, 64 << 20},
                                       .deadline = 10000};
}

typedef bool answer_question(void *context, const struct frame *question, struct frame *answer,
                             struct fault *fault);

static bool no_answer(void *context, const struct frame *question, struct frame *answer,
                      struct fault *fault) {
    (void)context, (void)question, (void)answer;
    return fault_set(fault, STATUS_SYSTEM, "the coordinator does not answer");
}

/* Why a match with these terms cannot be played. */
static struct fault begin(const struct tournament_options *options, bool trust,
                          answer_question *answer) {
    struct frame terms;
    struct fault fault = {0};
    struct chunk_cache *pieces = chunk_cache_open();
    const size_t before = taken;
    assert_true(pieces && frame_open(&terms, MESSAGES_BYTES_MAX));
    terms_put(&terms, options, "mine.lua", trust);
    const struct remote_match_options with = {
        .permits = &PERMITS, .pieces = pieces, .memory = &taken, .terms = &terms, .ask = answer};
    assert_null(remote_match_open(&with, 1, &fault));
    assert_int_equal(taken, before);
    frame_close(&terms);
    chunk_cache_close(pieces);
    return fault;
}

static void programs_are_not_run_unless_the_worker_allows_them(void **state) {
    static const char *const commands[] = {"json:/bin/sh -c 'touch PWNED'", "X=json:touch PWNED",
                                           "ucc:touch PWNED", "X=ucc:touch PWNED"};
    (void)state;
    for (int i = 0; i < 4; i++) {
        const char *const players[] = {"rookie", commands[i]};
        const struct tournament_options options = options_of(players);
        const struct fault fault = begin(&options, false, no_answer);
        assert_non_null(strstr(fault.text, "start the worker with --allow-programs"));
    }
    assert_int_equal(access("PWNED", F_OK), -1);
}

static void terms_are_held_against_the_workers_own_limits(void **state) {
    static const char *const players[] = {"rookie", "raider"};
    (void)state;
    struct tournament_options options = options_of(players);
    assert_non_null(strstr(begin(&options, true, no_answer).text, "--allow-trust"));
    options.limits.fuel = PERMITS.fuel + 1;
    assert_non_null(strstr(begin(&options, false, no_answer).text, "--fuel"));
    options = options_of(players);
    options.limits.memory = PERMITS.memory + 1;
    assert_non_null(strstr(begin(&options, false, no_answer).text, "--memory"));
    options = options_of(players);
    options.programs.memory = SIZE_MAX;
    assert_non_null(strstr(begin(&options, false, no_answer).text, "--memory"));
    options = options_of(players);
    options.deadline = PERMITS.deadline + 1;
    assert_non_null(strstr(begin(&options, false, no_answer).text, "--deadline"));
    options = options_of(players);
    assert_non_null(strstr(begin(&options, false, no_answer).text, "does not answer"));
}

/* All that runs at once counts: two bots a thread, set-ups and files, of all matches. */
static void memory_is_that_of_all_matches_together(void **state) {
    static const char *const players[] = {"rookie", "raider"};
    static const struct {
        size_t bot, taken; /* MiB */
        const char *why;
    } asked[] = {{224, 0, "does not answer"}, /* 2 * 224 + 64 of 512 */
                 {225, 0, "the match needs 450 MiB for a thread and 64 for set-ups and files"},
                 {100, 248, "does not answer"},
                 {100, 249, "other matches have the memory of this worker"},
                 {100, 512, "other matches have the memory of this worker"}};
    (void)state;
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        struct tournament_options options = options_of(players);
        options.limits.memory = asked[i].bot << 20;
        taken = asked[i].taken << 20;
        const struct fault fault = begin(&options, false, no_answer);
        if (!strstr(fault.text, asked[i].why)) fail_msg("%zu: %s", i, fault.text);
    }
    taken = 0;
}

/* Even if the terms were believed. */
static void a_process_that_has_refused_programs_starts_none(void **state) {
    (void)state;
    const pid_t child = fork();
    if (!child) {
        if (!jail_refuse_programs()) _exit(2);
        if (!jail_filters()) _exit(1);
        execl("/bin/true", "true", (char *)NULL);
        _exit(errno == EPERM ? 1 : 3);
    }
    int status;
    waitpid(child, &status, 0);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 1);
    struct player player;
    struct fault fault = {0};
    const struct player_options options = {.deadline = 1000, .programs = {.refused = true}};
    const struct chance chance = {{0}};
    assert_false(player_open(&player, &options, "json:/bin/true", &chance, &fault));
    assert_string_equal(fault.text, "external programs are not allowed here");
}

/* A match whose only file is the variant; `text` NULL: its module m1, m2, … are a MiB each. */
static const char *variant_text;
static bool other_bytes;

static void fill_module(char *text, size_t size) {
    memset(text, '-', size);
    memcpy(text + size - 12, "\nreturn {}\n\n", 12);
}

static bool tell_files(void *context, const struct frame *question, struct frame *answer,
                       struct fault *fault) {
    enum { MODULE = READER_FILE_MAX };
    static char module[MODULE];
    static struct messages_hash hashes[2];
    struct frame asked = *question;
    char path[FOLDER_PATH_MAX] = "";
    (void)context, (void)fault;
    frame_clear(answer);
    if (!module[0]) fill_module(module, MODULE);
    hashes[0] = messages_hash(variant_text, strlen(variant_text));
    hashes[1] = messages_hash(module, MODULE);
    const uint32_t number = frame_take_number(&asked);
    if (number == MESSAGES_ASKS_PATH) {
        frame_put_number(answer, 1);
        frame_put_text(answer, "/v/mine.lua");
    } else if (number == MESSAGES_ASKS_FILE) {
        frame_take_text(&asked, path, sizeof path);
        const bool variant = !strcmp(path, "/v/mine.lua");
        const bool is_module = !variant && strstr(path, "/m");
        frame_put_number(answer, variant     ? (uint32_t)strlen(variant_text)
                                 : is_module ? MODULE
                                             : MESSAGES_NO_FILE);
        frame_put(answer, &hashes[variant ? 0 : 1], sizeof *hashes);
    } else {
        struct messages_hash hash;
        frame_take(&asked, &hash, sizeof hash);
        const uint32_t at = frame_take_number(&asked);
        const bool variant = !memcmp(&hash, &hashes[0], sizeof hash);
        const char *text = variant ? variant_text : module;
        const size_t left = (variant ? strlen(variant_text) : MODULE) - at;
        frame_put(answer, text + at, left < MESSAGES_PIECE ? left : MESSAGES_PIECE);
        if (other_bytes) answer->bytes[CHANNEL_HEADER] ^= 1;
    }
    return true;
}

static void a_file_that_is_not_what_its_hash_says_is_not_run(void **state) {
    static const char *const players[] = {"rookie", "raider"};
    (void)state;
    const struct tournament_options options = options_of(players);
    variant_text = "return {}";
    other_bytes = true;
    const struct fault fault = begin(&options, false, tell_files);
    other_bytes = false;
    assert_non_null(strstr(fault.text, "sends something else than this file"));
}

static void files_without_end_fill_no_memory(void **state) {
    static const char *const players[] = {"rookie", "raider"};
    (void)state;
    const struct tournament_options options = options_of(players);
    variant_text = "for i = 1, 500 do require('m' .. i) end return {}";
    const struct fault fault = begin(&options, false, tell_files);
    assert_string_equal(fault.text, "the files of the match are longer than 64 MiB");
}

static bool resolve_here(void *context, enum folder_sort sort, const char *name,
                         char path[FOLDER_PATH_MAX], struct fault *fault) {
    (void)sort, (void)name, (void)fault;
    snprintf(path, FOLDER_PATH_MAX, "%s", (const char *)context);
    return true;
}

static long size_of_nothing(void *context, const char *path) {
    (void)context, (void)path;
    return -1;
}

static long read_nothing(void *context, const char *path, char *out, size_t size) {
    (void)context, (void)path, (void)out, (void)size;
    return -1;
}

/* The match says where a set-up lies, and that it has no such file: the worker's own is not read.
 */
static void a_path_of_the_match_opens_no_file_of_the_worker(void **state) {
    static const struct reader reader = {size_of_nothing, read_nothing, NULL};
    char path[] = "/tmp/ensign-own-XXXXXX";
    const int file = mkstemp(path);
    (void)state;
    assert_true(file >= 0 && write(file, "the secret of this machine\n", 27) == 27);
    close(file);
    const struct finder finder = {resolve_here, path};
    const struct folders folders = {.reader = &reader, .finder = &finder};
    struct library_setup found;
    struct fault fault = {0};
    char text[512];
    struct rules *rules = support_rules("duel");
    assert_false(setup_library_find(&folders, rules, RED, "mine", &found, &fault));
    rules_free(rules);
    fault_format(&fault, text, sizeof text);
    assert_non_null(strstr(text, "cannot be read"));
    assert_null(strstr(text, "secret"));
    unlink(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(programs_are_not_run_unless_the_worker_allows_them),
        cmocka_unit_test(terms_are_held_against_the_workers_own_limits),
        cmocka_unit_test(memory_is_that_of_all_matches_together),
        cmocka_unit_test(a_process_that_has_refused_programs_starts_none),
        cmocka_unit_test(a_file_that_is_not_what_its_hash_says_is_not_run),
        cmocka_unit_test(files_without_end_fill_no_memory),
        cmocka_unit_test(a_path_of_the_match_opens_no_file_of_the_worker),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
