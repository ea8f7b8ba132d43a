/* Games as bytes for the library: those of a game, changed at any place, with a hash that fits, or
 * made up. Reading refuses them and leaves the batch as it was, or gives a game that is consistent,
 * can be shown to everybody, played on and taken back, and is written and read alike. */
#include "core/know/integrity.h"
#include "fuzz.h"
#include "learner.h"
#include "lib/batch_inside.h"

#include <stdlib.h>
#include <string.h>

enum {
    CHECK_AT = 24, /* of the hash, in the head */
    HEAD = 56,
    ROOM = 1 << 17,
    TEXT = 1 << 16,
    PLIES = 24,
    UNDO = 8,
    MADE_UP = 0x80,
    CHANGE = 5 /* bytes: where (4), by what */
};

static const char *const VARIANTS[] = {"original", "duel",      "infiltrator", "galaxy",
                                       "russian",  "lightning", "lattaque",    "luzhanqi",
                                       "salpakan", "jungle",    "quick",       "milton-bradley"};
enum { VARIANT_COUNT = sizeof VARIANTS / sizeof *VARIANTS, FLAG_SETS = 4 };

static unsigned char game[ROOM], again[ROOM];

/* A batch of two games: the first is read into, the second stays as it is. */
static struct learner *learner_of(unsigned number, unsigned flags) {
    static struct learner opened[VARIANT_COUNT][FLAG_SETS];
    struct learner *learner = &opened[number % VARIANT_COUNT][flags % FLAG_SETS];
    const uint32_t set = (flags & 1 ? ENSIGN_RECORD : 0) | (flags & 2 ? ENSIGN_SETUPS_BY_AGENT : 0);
    if (!learner->batch)
        learner_open(learner, VARIANTS[number % VARIANT_COUNT],
                     &(ensign_options){.games = 2, .flags = set, .undo = UNDO});
    return learner;
}

static void step(struct learner *learner, int32_t first, int32_t second) {
    const ensign_status status =
        ensign_step(learner->batch, (int32_t[]){first, second}, &learner->out);
    fuzz_require(status == ENSIGN_OK, "an action of the mask is taken");
}

static void begin(struct learner *learner, uint8_t plies) {
    const uint64_t seeds[2] = {plies, 1};
    struct random random = random_stream(plies, STREAM_PLAYOUT, 0);
    fuzz_require(ensign_reset(learner->batch, NULL, seeds, NULL, &learner->out) == ENSIGN_OK,
                 "games begin");
    for (uint8_t ply = 0; ply < plies && !learner->out.terminated[0]; ply++)
        step(learner, learner_action(learner, 0, random_next(&random)), -1);
}

static void sign(unsigned char *bytes, size_t length) {
    const uint64_t check = bytes_hash(0, bytes + HEAD, length - HEAD);
    memcpy(bytes + CHECK_AT, &check, sizeof check);
}

static void require_consistent(const struct learner *learner) {
    const struct slot *slot = batch_slot(learner->batch, 0);
    struct fault fault = {0};
    fuzz_require(slot->laying.on || integrity_game(&slot->game, &fault), fault.text);
}

/* Everything that can be asked of the game, some moves, and back. */
static void use(struct learner *learner, uint64_t seed) {
    static char text[TEXT];
    struct random random = random_stream(seed, STREAM_PLAYOUT, 1);
    int taken = 0;
    for (int eyes = ENSIGN_RED; eyes <= ENSIGN_ALL; eyes++)
        fuzz_require(ensign_text(learner->batch, 0, eyes, text, sizeof text) > 0, "it is shown");
    for (int side = 0; side <= 1; side++) ensign_observe(learner->batch, side, &learner->out);
    for (; taken < PLIES; taken++) {
        ensign_observe(learner->batch, -1, &learner->out);
        if (learner->out.terminated[0] || learner->out.truncated[0]) break;
        const int32_t action = learner_action(learner, 0, random_next(&random));
        fuzz_require(action >= 0, "a running game has a legal action");
        step(learner, action, -1);
        require_consistent(learner);
    }
    for (int back = 0; back < UNDO && back < taken; back++)
        if (ensign_undo(learner->batch, 0) == ENSIGN_OK) require_consistent(learner);
    for (int side = 0; side <= 1; side++)
        ensign_sample(learner->batch, 0, side, NULL, seed, learner->batch, 1, 1);
}

/* The bytes of a game that was played, changed; or those of the input. */
static size_t forge(struct learner *learner, const uint8_t *data, size_t size) {
    size_t length = ensign_save(learner->batch, 0, game, sizeof game);
    fuzz_require(length > HEAD && length <= sizeof game, "a game is saved");
    if (data[0] >= MADE_UP) {
        const size_t most = size - 3 < sizeof game ? size - 3 : sizeof game;
        memcpy(game, data + 3, most);
        length = most;
    }
    for (size_t at = 3; at + CHANGE <= size && data[0] < MADE_UP; at += CHANGE) {
        uint32_t where;
        memcpy(&where, data + at, sizeof where);
        game[where % length] ^= data[at + 4];
    }
    if (length > HEAD) sign(game, length);
    return length;
}

/* What follows from the rest is computed anew when a game is read, so its own bytes count. */
static void require_same_again(struct learner *learner) {
    const size_t length = ensign_save(learner->batch, 0, game, sizeof game);
    fuzz_require(ensign_load(learner->batch, 0, game, length, NULL) == ENSIGN_OK,
                 "what was written is read");
    fuzz_require(ensign_save(learner->batch, 0, again, sizeof again) == length &&
                     !memcmp(game, again, length),
                 "a game that was read is the same bytes");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    ensign_error error = {.size = sizeof error};
    if (size < 3) return 0;
    fuzz_folders(); /* where variants are */
    struct learner *learner = learner_of(data[0] % MADE_UP, data[1]);
    begin(learner, data[2]);
    const size_t before = ensign_save(learner->batch, 0, again, sizeof again);
    const size_t length = forge(learner, data, size);
    const ensign_status status = ensign_load(learner->batch, 0, game, length, &error);
    if (status != ENSIGN_OK) {
        fuzz_require(status == ENSIGN_DATA && error.text[0], "what is refused has a reason");
        fuzz_require(ensign_save(learner->batch, 0, game, sizeof game) == before &&
                         !memcmp(game, again, before),
                     "what is refused leaves the game as it was");
        return 0;
    }
    require_consistent(learner);
    require_same_again(learner);
    use(learner, data[2]);
    return 0;
}
