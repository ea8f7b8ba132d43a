/* States of learning, with a hash that is right: anybody can count it. The first byte selects who
 * is learned from: 's' itself, 'a' an opponent, 'r' set-ups alone; with '0' the rest is the file.
 * Otherwise changes of 12 bytes follow: which part of the state, how many bytes are written (by two
 * bits; a higher bit repeats them over 64 places), where in the part (two bytes), and the bytes.
 *
 * A state is refused with one line, or a class can be played with it, and what is then written is a
 * bot's table that can be read. */
#include "fuzz.h"

#include "base/files.h"
#include "host/learn/learned.h"
#include "host/learn/trainer_inside.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct chance CHANCE = {{3, 1, 4, 1, 5, 9, 2, 6}};
static char path[] = "/tmp/ensign_fuzz_school_XXXXXX";
static struct opponent opponent = {.name = "opponent.lua"};

static struct trainer *enter(uint8_t sort) {
    const struct rules *rules = fuzz_rules_named("quick");
    struct fault fault = {0};
    struct trainer *trainer = trainer_new(rules, &opponent, sort == 'a', &CHANCE, 7, 1, &fault);
    fuzz_require(trainer != NULL, "there is memory");
    if (sort == 'r')
        fuzz_require(trainer_muster(trainer, &opponent, 1, &fault), "set-ups can be learned");
    return trainer;
}

static void make_opponent(void) {
    struct trainer *trainer =
        trainer_new(fuzz_rules_named("quick"), NULL, 0, &CHANCE, 7, 1, &(struct fault){0});
    fuzz_require(trainer != NULL, "there is memory");
    opponent.learned.styles = 1;
    trainer_style(trainer, &opponent.learned.style[0]);
    trainer_free(trainer);
}

#define PART(field)                                                                                \
    { offsetof(struct trainer_state, field), sizeof(((struct trainer_state *)0)->field) }

static const struct {
    size_t at, size;
} PARTS[] = {PART(classes),
             PART(fit.steps),
             PART(fit.first),
             PART(fit.own),
             PART(fit.shared),
             PART(fit.weight),
             PART(fit.mean),
             PART(fit.bend),
             PART(counts),
             PART(habits),
             PART(camp),
             PART(stage_began),
             PART(stage_first),
             PART(league),
             PART(repertoire),
             PART(past),
             PART(past_count),
             PART(plies),
             PART(draws),
             PART(notes),
             PART(note),
             PART(rungs),
             PART(rung),
             PART(made_for),
             PART(camp.games),
             PART(camp.points),
             PART(league.share),
             PART(league.count),
             PART(repertoire.standing),
             PART(repertoire.steps),
             PART(fit.surprise),
             PART(seed)};
enum { PART_COUNT = sizeof PARTS / sizeof *PARTS, CHANGE = 12, REPEATS = 64 };

static void change(struct trainer_state *state, const uint8_t *data) {
    const size_t part = data[0] % PART_COUNT, width = (size_t)1 << (data[1] & 3);
    unsigned char *bytes = (unsigned char *)state + PARTS[part].at;
    const size_t places = PARTS[part].size / width;
    const size_t first = ((size_t)data[2] << 8 | data[3]) * (data[1] & 8 ? 97 : 1);
    for (size_t i = 0; i < (data[1] & 4 ? REPEATS : 1) && places; i++)
        memcpy(bytes + (first + i) % places * width, data + 4, width);
}

static void require_readable(const struct trainer *trainer) {
    struct fault fault = {0};
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    fuzz_require(out != NULL, "there is memory");
    learned_write(out, trainer, true);
    fuzz_require(fclose(out) == 0, "it is written");
    struct learned *learned = malloc(sizeof *learned);
    fuzz_require(learned && files_replace(path, text, length, &fault), "it is kept");
    fuzz_require(learned_lua_load(fuzz_folders(), path, trainer->rules, learned, &fault),
                 "what is written can be read");
    free(learned);
    free(text);
}

static void load(uint8_t sort, const void *bytes, size_t length) {
    struct fault fault = {0};
    struct trainer *trainer = enter(sort);
    fuzz_require(files_replace(path, bytes, length, &fault), "it is kept");
    if (trainer_load(trainer, path, &fault)) {
        require_readable(trainer);
        trainer_class(trainer);
        fuzz_require(!trainer_check(trainer->rules, &trainer->state), "what was learned is sound");
        require_readable(trainer);
    } else {
        fuzz_require_fault(&fault);
        fuzz_require(trainer->state.classes == 0, "nothing changes");
    }
    trainer_free(trainer);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static bool made;
    if (size == 0) return 0;
    if (!made) {
        int file = mkstemp(path);
        fuzz_require(file >= 0, "a file can be made");
        close(file);
        make_opponent();
        made = true;
    }
    if (data[0] == '0') {
        load('s', data + 1, size - 1);
    } else {
        struct trainer *trainer = enter(data[0]);
        struct trainer_state *state = malloc(sizeof *state + sizeof(uint64_t));
        fuzz_require(state != NULL, "there is memory");
        *state = trainer->state;
        state->classes = state->fit.steps = 3;
        for (size_t at = 1; at + CHANGE <= size; at += CHANGE) change(state, data + at);
        const uint64_t hash = trainer_hash(state);
        memcpy(state + 1, &hash, sizeof hash);
        load(data[0], state, sizeof *state + sizeof hash);
        free(state);
        trainer_free(trainer);
    }
    unlink(path);
    return 0;
}
