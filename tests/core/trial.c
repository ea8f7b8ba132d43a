#include "trial.h"

#include "core/play/legal.h"
#include "games/sanitized.h"
#include "manners.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

struct trial trial;

void trial_draw_habits(struct random *random, struct habits *habits) {
    for (int sign = 0; sign < SIGNS; sign++)
        for (int kind = 0; kind < KINDS_MAX; kind++)
            habits->ratio[sign][kind] =
                (uint16_t)(HABIT_UNIT / 2 + random_below(random, 2 * HABIT_UNIT));
}

static void play_game(void (*expect)(enum side side)) {
    enum { LOOK_ONE_IN = 7, QUIET = 30 };
    const struct manner *manner = manner_draw(&trial.random);
    const struct limits limits = {random_below(&trial.random, 2) ? QUIET : 0, 0};
    struct position start;
    assert_true(manner_position(manner, trial.rules, &trial.random, &start));
    game_start(&trial.game, trial.rules, &start, &limits, trial.plies, TRIAL_PLIES);
    eyes_open(&trial.eyes, &trial.game);
    while (!game_over(&trial.game)) {
        trial.count = game_moves(&trial.game, trial.moves, TRIAL_ROOM);
        if (!trial.count || trial.count > TRIAL_ROOM) return;
        const struct move move =
            manner_choose(manner, &trial.game, trial.moves, trial.count, &trial.random);
        if (random_below(&trial.random, LOOK_ONE_IN) == 0)
            expect((enum side)random_below(&trial.random, 2));
        eyes_play(&trial.eyes, &trial.game, move);
    }
}

void trial_play(const struct rules *rules, uint64_t number, int positions,
                void (*expect)(enum side side)) {
    trial.rules = rules;
    trial.random = random_stream(31, STREAM_PLAYOUT, number);
    measure_make(&trial.measure, rules);
    value_begin(&trial.value, &trial.measure);
    trial.mind.measure = &trial.measure;
    trial.mind.value = &trial.value;
    trial.positions = 0;
    if (sanitized()) positions /= 8;
    while (trial.positions < positions) play_game(expect);
}
