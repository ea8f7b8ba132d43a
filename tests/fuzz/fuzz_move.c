/* Move texts, one a line, played in one game. The first byte selects the variant, the second how
 * many random plies come before. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

enum { PLIES = 400 };

static struct ply plies[PLIES];
static struct game game;

static void play_some(const struct rules *rules, unsigned count) {
    struct random random = random_stream(count, STREAM_PLAYOUT, 1);
    struct move *moves = calloc(rules->moves_max + 1, sizeof *moves);
    fuzz_require(moves != NULL, "there is memory");
    for (unsigned i = 0; i < count && !game_over(&game); i++) {
        size_t found = game_moves(&game, moves, rules->moves_max);
        game_play(&game, moves[random_below(&random, (uint32_t)found)], NULL);
    }
    free(moves);
}

static void try_line(const char *text, size_t length) {
    struct move move, again;
    struct fault fault = {0};
    enum verdict verdict = move_read(&game, text, length, &move, &fault);
    fuzz_require(verdict < VERDICT_COUNT, "a verdict is one of the list");
    if (verdict != LEGAL) {
        fuzz_require_fault(&fault);
        return;
    }
    char written[MOVE_TEXT_MAX];
    size_t used = move_write(&game, move, written);
    fuzz_require(used < MOVE_TEXT_MAX && used == strlen(written), "a written move fits");
    fuzz_require(move_read(&game, written, used, &again, &fault) == LEGAL,
                 "what was written is read");
    fuzz_require(move_equal(move, again), "it reads the same");
    fuzz_require(game_judge(&game, move) == LEGAL, "a move that is read is legal");
    struct events events = {0};
    game_play(&game, move, &events);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 2) return 0;
    const struct rules *rules = fuzz_rules(data[0]);
    struct random random = random_stream(data[1], STREAM_RED_SETUP, 0);
    struct setup red, blue;
    struct position position;
    fuzz_require(setup_random(rules, RED, &random, &red, NULL), "red can be laid out");
    fuzz_require(setup_random(rules, RED, &random, &blue, NULL), "blue can be laid out");
    position_from_setups(rules, &red, &blue, RED, &position);
    game_start(&game, rules, &position, NULL, plies, PLIES);
    play_some(rules, data[1]);
    const char *text = (const char *)data + 2, *end = (const char *)data + size;
    while (text < end && !game_over(&game)) {
        const char *stop = memchr(text, '\n', (size_t)(end - text));
        if (!stop) stop = end;
        try_line(text, (size_t)(stop - text));
        text = stop + 1;
    }
    return 0;
}
