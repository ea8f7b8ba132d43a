/* school_compare.c - what one scores against another, without learning from it. */
#include "school_inside.h"

#include <stdlib.h>

/* One that plays in a comparison, with the set-ups of its style or else as in learning. */
struct contestant {
    const struct value *value;
    const struct style *style;
};

/* Seats two for game `number`. In both games of a pair chance is the same. */
static void seat_contestants(struct school *school, const struct contestant players[2],
                             uint32_t number, const struct chance *chance, struct pupil *pupil) {
    pupil->random = chance_random(chance, CHANCE_GAME, number / 2);
    school_draw_setup(school, pupil, RED, true);
    school_draw_setup(school, pupil, BLUE, true);
    pupil->options = (struct episode_options){
        .measure = &school->measure, .first = rules_first(school->rules), .noise = 0.002};
    for (uint32_t i = 0; i < 2; i++) {
        const uint32_t side = (number + i) % 2;
        pupil->options.values[side] = players[i].value;
        pupil->options.setups[side] = &pupil->setups[side];
        if (players[i].style)
            style_draw_setup(players[i].style, school->rules, &pupil->random, &pupil->setups[side]);
    }
}

/* Points of a hundred of the first; with NULL the second are those on the roster, in turn. 0 with
 * school->fault. */
static double compare(struct school *school, const struct contestant *first,
                      const struct contestant *second, uint32_t games,
                      const struct chance *chance) {
    struct pupil *pupils = calloc(games, sizeof *pupils);
    double points = 0;
    if (!pupils) {
        fault_set(&school->fault, STATUS_NO_MEMORY, "no memory for learning");
        return 0;
    }
    for (uint32_t i = 0; i < games; i++) {
        const struct style *met = second ? NULL : roster_turn(&school->roster, i / 2);
        const struct contestant players[2] = {
            *first, second ? *second : (struct contestant){&met->value, met}};
        seat_contestants(school, players, i, chance, &pupils[i]);
    }
    hall_play(school->episodes, school->jobs, pupils, (int)games);
    for (uint32_t i = 0; i < games; i++) {
        points += pupil_points(&pupils[i], i % 2 ? BLUE : RED);
        if (pupils[i].taken.fault.status != STATUS_OK) school->fault = pupils[i].taken.fault;
    }
    free(pupils);
    return 100 * points / games;
}

double school_compare(struct school *school, const struct value *first, const struct value *second,
                      uint32_t games, const struct chance *chance) {
    const struct contestant players[2] = {{first, NULL}, {second, NULL}};
    return compare(school, &players[0], &players[1], games, chance);
}

double school_compare_styles(struct school *school, const struct style *one,
                             const struct style *other, uint32_t games,
                             const struct chance *chance) {
    const struct contestant players[2] = {{&one->value, one}, {&other->value, other}};
    return compare(school, &players[0], &players[1], games, chance);
}

double school_compare_first(struct school *school, uint32_t games, const struct chance *chance) {
    struct style *now = malloc(sizeof *now);
    if (!now) {
        fault_set(&school->fault, STATUS_NO_MEMORY, "no memory for learning");
        return 0;
    }
    school_style(school, now);
    const bool met = school->opponent_count > 0;
    const struct contestant learner = {&now->value, met ? now : NULL},
                            beginning = {&school->state.past[0], NULL};
    const double points = compare(school, &learner, met ? NULL : &beginning, games, chance);
    free(now);
    return points;
}
