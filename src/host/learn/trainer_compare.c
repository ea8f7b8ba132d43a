/* trainer_compare.c - what one scores against another, without learning from it. */
#include "trainer_inside.h"

#include <stdlib.h>

/* One that plays in a comparison, with the set-ups of its style or else as in learning; or else
 * each of a roster in turn. */
struct contestant {
    const struct value *value;
    const struct style *style;
    const struct roster *all;
};

static struct contestant in_turn(const struct contestant *contestant, uint32_t turn) {
    if (!contestant->all) return *contestant;
    const struct style *style = roster_turn(contestant->all, turn);
    return (struct contestant){&style->value, style, NULL};
}

struct selfplay_options trainer_contest(const struct trainer *trainer) {
    return (struct selfplay_options){
        .measure = &trainer->measure, .first = rules_first(trainer->rules), .noise = 0.002};
}

/* Seats two for game `number`. In both games of a pair chance is the same. */
static void seat_contestants(struct trainer *trainer, const struct contestant players[2],
                             uint32_t number, const struct chance *chance, struct pupil *pupil) {
    pupil->random = chance_random(chance, CHANCE_GAME, number / 2);
    trainer_draw_setup(trainer, pupil, RED, true);
    trainer_draw_setup(trainer, pupil, BLUE, true);
    pupil->options = trainer_contest(trainer);
    for (uint32_t i = 0; i < 2; i++) {
        const uint32_t side = (number + i) % 2;
        pupil->options.values[side] = players[i].value;
        pupil->options.setups[side] = &pupil->setups[side];
        if (players[i].style)
            style_draw_setup(players[i].style, trainer->rules, &pupil->random,
                             &pupil->setups[side]);
    }
}

/* Points of a hundred of the first. 0 with trainer->fault. */
static double compare(struct trainer *trainer, const struct contestant *first,
                      const struct contestant *second, uint32_t games,
                      const struct chance *chance) {
    struct pupil *pupils = calloc(games, sizeof *pupils);
    double points = 0;
    if (!pupils) {
        fault_set(&trainer->fault, STATUS_NO_MEMORY, "no memory for learning");
        return 0;
    }
    for (uint32_t i = 0; i < games; i++) {
        const uint32_t other_order = i / 2 * 5; /* as even, and pairs each with each */
        const struct contestant players[2] = {in_turn(first, other_order), in_turn(second, i / 2)};
        seat_contestants(trainer, players, i, chance, &pupils[i]);
    }
    hall_play(trainer->episodes, trainer->jobs, pupils, (int)games);
    for (uint32_t i = 0; i < games; i++) {
        points += pupil_points(&pupils[i], i % 2 ? BLUE : RED);
        if (pupils[i].taken.fault.status != STATUS_OK) trainer->fault = pupils[i].taken.fault;
    }
    free(pupils);
    return 100 * points / games;
}

double trainer_compare(struct trainer *trainer, const struct value *first,
                       const struct value *second, uint32_t games, const struct chance *chance) {
    const struct contestant players[2] = {{.value = first}, {.value = second}};
    return compare(trainer, &players[0], &players[1], games, chance);
}

double trainer_compare_styles(struct trainer *trainer, const struct style *one,
                              const struct style *other, uint32_t games,
                              const struct chance *chance) {
    const struct contestant players[2] = {{&one->value, one, NULL}, {&other->value, other, NULL}};
    return compare(trainer, &players[0], &players[1], games, chance);
}

double trainer_compare_first(struct trainer *trainer, uint32_t games, const struct chance *chance) {
    struct style *now = malloc(sizeof *now);
    if (!now) {
        fault_set(&trainer->fault, STATUS_NO_MEMORY, "no memory for learning");
        return 0;
    }
    trainer_style(trainer, now);
    const bool met = trainer->opponent_count > 0;
    struct contestant learner = {.value = &now->value, .style = met ? now : NULL};
    struct contestant other = {.value = &trainer->state.past[0]};
    if (met) other.all = &trainer->roster;
    if (trainer->table_count) {
        learner.all = &trainer->roster;
        other.all = &trainer->given;
    }
    const double points = compare(trainer, &learner, &other, games, chance);
    free(now);
    return points;
}
