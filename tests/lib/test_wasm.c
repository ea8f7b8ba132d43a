/* The npm package under node: its games are those of the native library, decision by decision. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buffer.h"
#include "games/line.h"
#include "learner.h"

enum { PLIES = 60, TEXT_MAX = 1 << 14, FILES_MAX = 64 };

static void add(struct buffer *lines, const char *format, ...) {
    static char text[TEXT_MAX];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    buffer_add_text(lines, text);
}

/* FNV-1a of 32 bits. */
static uint32_t hash_of(const void *bytes, size_t length) {
    const unsigned char *at = bytes;
    uint32_t hash = UINT32_C(0x811c9dc5);
    for (size_t i = 0; i < length; i++) hash = (hash ^ at[i]) * UINT32_C(0x01000193);
    return hash;
}

static void tell(struct learner *learner, struct buffer *lines) {
    static char text[TEXT_MAX];
    static const int sides[] = {0, 1, -1};
    const ensign_out *out = &learner->out;
    const ensign_shape *shape = &learner->shape;
    const size_t games = learner->options.games;
    const struct {
        const void *array;
        size_t row;
    } told[] = {{out->planes, (size_t)shape->planes * shape->squares},
                {out->mask, shape->actions},
                {out->mask_bits, shape->mask_words * sizeof(uint64_t)},
                {out->cells, shape->squares},
                {out->scalars, shape->scalars * sizeof(float)},
                {out->reward, 2 * sizeof(float)},
                {out->reason, 1},
                {out->ply, sizeof(uint32_t)},
                {out->info_hash, sizeof(uint64_t)}};
    for (int i = 0; i < 3; i++) {
        assert_int_equal(ensign_observe(learner->batch, sides[i], &learner->out), ENSIGN_OK);
        for (size_t j = 0; j < sizeof told / sizeof *told; j++)
            add(lines, "%s%" PRIx32, j ? " " : "", hash_of(told[j].array, games * told[j].row));
        buffer_add_text(lines, "\n");
    }
    for (int eyes = 0; eyes <= ENSIGN_ALL; eyes++) {
        ensign_text(learner->batch, 0, eyes, text, sizeof text);
        add(lines, "%s\n", text);
    }
    ensign_text(learner->batch, 1, ENSIGN_PUBLIC, text, sizeof text);
    add(lines, "%s\n", text);
}

static int over(const struct learner *learner, int game) {
    return learner->out.terminated[game] || learner->out.truncated[game];
}

/* Two games, of which the first is played by numbers and taken back at times, and the second at
 * random. */
static void play(struct learner *learner, struct buffer *lines) {
    static char move[64], why[1024];
    ensign_batch *batch = learner->batch;
    ensign_title(learner->rules, why, sizeof why);
    add(lines, "%s %" PRIx64 " %u %u\n", why, learner->shape.rules_hash, learner->shape.actions,
        learner->shape.planes);
    ensign_reset(batch, NULL, NULL, NULL, &learner->out);
    for (uint32_t n = 0; !over(learner, 0); n++) {
        tell(learner, lines);
        const int32_t action = learner_action(learner, 0, UINT64_C(7919) * n);
        const int32_t actions[2] = {action, -1};
        ensign_move_text(batch, 0, action, move, sizeof move);
        ensign_why(batch, 0, (int32_t)(7919 * n % learner->shape.actions), why, sizeof why);
        add(lines, "%s %s\n", move, why);
        assert_int_equal(ensign_step(batch, actions, &learner->out), ENSIGN_OK);
        if (n % 5 == 4) {
            assert_int_equal(ensign_undo(batch, 0), ENSIGN_OK);
            ensign_observe(batch, -1, &learner->out);
            assert_int_equal(ensign_step(batch, actions, &learner->out), ENSIGN_OK);
        }
        if (over(learner, 1) || n % 2) continue;
        int32_t played[2];
        const size_t length = ensign_save(batch, 0, NULL, 0);
        unsigned char *saved = malloc(length);
        ensign_save(batch, 0, saved, length);
        const ensign_status status = ensign_step_random(batch, played, &learner->out);
        if (status == ENSIGN_OK) add(lines, "%d\n", (int)played[1]);
        assert_int_equal(ensign_load(batch, 0, saved, length, NULL), ENSIGN_OK);
        ensign_observe(batch, -1, &learner->out);
        free(saved);
        if (status != ENSIGN_OK) add(lines, "%s\n", ensign_status_name(status));
    }
    tell(learner, lines);
}

static void write_rules(const ensign_rules *rules, const char *path) {
    unsigned char bytes[1 << 18];
    const size_t length = ensign_rules_write(rules, bytes, sizeof bytes);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_in_range(length, 1, sizeof bytes);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

/* The first line that differs. */
static void compare(char *native, char *package) {
    char *rest[2], *line[2] = {strtok_r(native, "\n", &rest[0]), strtok_r(package, "\n", &rest[1])};
    for (int number = 1; line[0] || line[1]; number++) {
        if (!line[0] || !line[1] || strcmp(line[0], line[1]))
            fail_msg("line %d: %s\nof the package: %s", number, line[0] ? line[0] : "(end)",
                     line[1] ? line[1] : "(end)");
        for (int i = 0; i < 2; i++) line[i] = strtok_r(NULL, "\n", &rest[i]);
    }
}

/* Runs a function of wasm.mjs; what it says. */
static char *node(const char *function, const char *arguments) {
    struct buffer said = buffer_of(1 << 26), command = buffer_of(8192);
    static char part[1 << 16];
    add(&command, "node " ENSIGN_ROOT "/tests/lib/wasm.mjs " ENSIGN_NPM " %s %s 2>&1", function,
        arguments);
    FILE *pipe = popen(command.text, "r");
    assert_non_null(pipe);
    for (size_t length; (length = fread(part, 1, sizeof part, pipe));)
        buffer_add(&said, part, length);
    buffer_add_text(&said, "");
    if (pclose(pipe)) fail_msg("%s", said.text);
    buffer_clear(&command);
    return buffer_take(&said);
}

static void games_of_every_variant_are_those_of_the_native_library(void **state) {
    (void)state;
    if (!*ENSIGN_NPM) skip();
    char folder[] = "/tmp/ensign_wasm_XXXXXX", path[FILES_MAX][64];
    int files = 0;
    struct buffer lines = buffer_of(1 << 26), arguments = buffer_of(8192);
    assert_non_null(mkdtemp(folder));
    add(&arguments, "%d", PLIES);
    for (const char *const *variant = line_variants(); *variant; variant++) {
        struct learner learner;
        ensign_options options = {
            .games = 2, .seed = 58, .undo = 2, .flags = ENSIGN_RECORD, .plies_limit = PLIES};
        learner_open(&learner, *variant, &options);
        if (!learner.shape.calls) {
            snprintf(path[files], sizeof path[files], "%s/%d", folder, files);
            write_rules(learner.rules, path[files]);
            add(&arguments, " %s", path[files++]);
            play(&learner, &lines);
        }
        learner_close(&learner);
    }
    char *said = node("games", arguments.text);
    for (int i = 0; i < files; i++) unlink(path[i]);
    rmdir(folder);
    compare(lines.text, said);
    free(said);
    buffer_clear(&lines);
    buffer_clear(&arguments);
}

static void damaged_rules_are_refused_or_played(void **state) {
    (void)state;
    if (!*ENSIGN_NPM) skip();
    free(node("damaged_rules_are_refused_or_played", ENSIGN_NPM "/rules/infiltrator.rules"));
}

#define CHECKED(function)                                                                          \
    static void function(void **state) {                                                           \
        (void)state;                                                                               \
        if (!*ENSIGN_NPM) skip();                                                                  \
        free(node(#function, ""));                                                                 \
    }
CHECKED(wrong_use_is_an_error)
CHECKED(arrays_are_right_when_memory_has_grown)
CHECKED(declarations_name_what_there_is)

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(games_of_every_variant_are_those_of_the_native_library),
        cmocka_unit_test(damaged_rules_are_refused_or_played),
        cmocka_unit_test(wrong_use_is_an_error),
        cmocka_unit_test(arrays_are_right_when_memory_has_grown),
        cmocka_unit_test(declarations_name_what_there_is),
    };
    if (!*ENSIGN_NPM) print_message("skipped: libensign was not built as WebAssembly\n");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
