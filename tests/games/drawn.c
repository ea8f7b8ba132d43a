#include "drawn.h"

#include "core/text/layout.h"

#include <setjmp.h>
#include <stdlib.h>

#include <cmocka.h>

struct record *drawn_record(const struct rules *rules, uint64_t setup_seed, uint64_t move_seed,
                            uint32_t plies) {
    static const char *const tags[2] = {"RedSetup", "BlueSetup"};
    struct record *record = record_new();
    struct ply *history = calloc(plies + 1, sizeof *history);
    struct move *moves = calloc(rules->moves_max, sizeof *moves);
    assert_true(record && history && moves);
    struct setup setups[2];
    struct position position;
    struct game game;
    struct random dealing = random_stream(setup_seed, STREAM_RED_SETUP, 0);
    struct random moving = random_stream(move_seed, STREAM_PLAYOUT, 0);
    record_set_tag(record, "Variant", rules->name);
    for (int side = RED; side <= BLUE; side++) {
        char text[SETUP_TEXT_MAX];
        assert_true(setup_random(rules, RED, &dealing, &setups[side], NULL));
        setup_write(rules, RED, &setups[side], text);
        record_set_tag(record, tags[side], text);
    }
    position_from_setups(rules, &setups[RED], &setups[BLUE], RED, &position);
    record_set_tag(record, "First", "red");
    game_start(&game, rules, &position, NULL, history, plies + 1);
    while (game.ply_count < plies && !game_over(&game)) {
        char text[MOVE_TEXT_MAX];
        size_t count = game_moves(&game, moves, rules->moves_max);
        struct move move = moves[random_below(&moving, (uint32_t)count)];
        move_write(&game, move, text);
        assert_true(record_add_move(record, text));
        game_play(&game, move, NULL);
    }
    enum reason reason = game_over(&game) ? (enum reason)game.reason : REASON_UNFINISHED;
    record_set_tag(record, "Result", result_name((enum result)game.result));
    record_set_tag(record, "Reason", reason_name(reason));
    free(moves);
    free(history);
    return record;
}
