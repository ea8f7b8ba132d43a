/* Tables of minds: files as `ensign learn --table` writes them. The first byte selects the variant.
 * One is refused with one line, or all of its numbers are within their ranges, its set-ups are
 * valid, and a mind can play by each of its styles. */
#include "fuzz.h"

#include "bot/learned_lua.h"
#include "core/know/view.h"
#include "core/play/legal.h"
#include "core/value/mind.h"

#include <stdlib.h>
#include <string.h>

struct text {
    const uint8_t *bytes;
    size_t length;
};

static const char PATH[] = "table.lua";

static long text_size(void *context, const char *path) {
    const struct text *text = context;
    return strcmp(path, PATH) == 0 ? (long)text->length : READER_DISK.size(NULL, path);
}

static long text_read(void *context, const char *path, char *out, size_t size) {
    const struct text *text = context;
    if (strcmp(path, PATH) != 0) return READER_DISK.read(NULL, path, out, size);
    if (size > text->length) size = text->length;
    memcpy(out, text->bytes, size);
    return (long)size;
}

static void require_style(const struct rules *rules, const struct style *style) {
    const int32_t *weight = &style->value.weights.own[0][0];
    fuzz_require(style->share >= 1 && style->share <= LEARNED_SHARE_MAX, "a share is in range");
    for (int i = 0; i < TERMS; i++)
        fuzz_require(weight[i] >= -WEIGHT_MAX && weight[i] <= WEIGHT_MAX, "so is a weight");
    fuzz_require(style->setups <= LEARNED_SETUPS_MAX, "so is the number of set-ups");
    for (uint32_t i = 0; i < style->setups; i++)
        fuzz_require(setup_check(rules, RED, &style->setup[i], NULL), "a set-up is valid");
}

/* The chances of the first moves of a game between random armies. */
static void value_moves(const struct rules *rules, const struct value *value) {
    struct fault fault = {0};
    struct random random = random_stream(1, STREAM_RED_SETUP, 0);
    struct setup red, blue;
    struct position position;
    struct game game;
    struct ply plies[8];
    struct view view;
    struct measure *measure = malloc(sizeof *measure);
    struct mind *mind = calloc(1, sizeof *mind);
    struct move *moves = malloc(rules->moves_max * sizeof *moves);
    int32_t *chances = malloc(rules->moves_max * sizeof *chances);
    fuzz_require(measure && mind && moves && chances, "there is memory");
    fuzz_require(setup_random(rules, RED, &random, &red, &fault) &&
                     setup_random(rules, RED, &random, &blue, &fault),
                 "there are set-ups");
    position_from_setups(rules, &red, &blue, RED, &position);
    game_start(&game, rules, &position, NULL, plies, 8);
    view_start(&view, rules, RED, position.at, game.pieces[BLUE], game.start[BLUE], RED,
               game.limits);
    size_t count = game_moves(&game, moves, rules->moves_max);
    measure_make(measure, rules);
    mind->measure = measure;
    mind->value = value;
    mind_read(mind, &view);
    mind_moves(mind, moves, count, chances);
    for (size_t i = 0; i < count; i++)
        fuzz_require(chances[i] >= 0 && chances[i] <= CHANCE_CERTAIN, "a chance is one");
    free(measure);
    free(mind);
    free(moves);
    free(chances);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0) return 0;
    const struct rules *rules = fuzz_rules(data[0]);
    struct text text = {data + 1, size - 1};
    const struct reader reader = {text_size, text_read, &text};
    struct folders folders = *fuzz_folders();
    struct fault fault = {0};
    struct learned *learned = malloc(sizeof *learned);
    fuzz_require(learned != NULL, "there is memory");
    folders.reader = &reader;
    if (learned_lua_load(&folders, PATH, rules, learned, &fault)) {
        fuzz_require(learned->styles >= 1 && learned->styles <= LEARNED_STYLES_MAX,
                     "there are styles");
        for (uint32_t i = 0; i < learned->styles; i++) {
            require_style(rules, &learned->style[i]);
            value_moves(rules, &learned->style[i].value);
        }
    } else {
        fuzz_require_fault(&fault);
    }
    free(learned);
    return 0;
}
