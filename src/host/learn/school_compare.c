/* school_compare.c - what one scores against another, without learning from it. */
#include "school_inside.h"

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

struct episode_options school_contest(const struct school *school) {
    return (struct episode_options){
        .measure = &school->measure, .first = rules_first(school->rules), .noise = 0.002};
}

/* Seats two for game `number`. In both games of a pair chance is the same. */
static void seat_contestants(struct school *school, const struct contestant players[2],
                             uint32_t number, const struct chance *chance, struct pupil *pupil) {
    pupil->random = chance_random(chance, CHANCE_GAME, number / 2);
    school_draw_setup(school, pupil, RED, true);
    school_draw_setup(school, pupil, BLUE, true);
    pupil->options = school_contest(school);
    for (uint32_t i = 0; i < 2; i++) {
        const uint32_t side = (number + i) % 2;
        pupil->options.values[side] = players[i].value;
        pupil->options.setups[side] = &pupil->setups[side];
        if (players[i].style)
            style_draw_setup(players[i].style, school->rules, &pupil->random, &pupil->setups[side]);
    }
}

/* Points of a hundred of the first. 0 with school->fault. */
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
        const uint32_t other_order = i / 2 * 5; /* as even, and pairs each with each */
        const struct contestant players[2] = {in_turn(first, other_order), in_turn(second, i / 2)};
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
    const struct contestant players[2] = {{.value = first}, {.value = second}};
    return compare(school, &players[0], &players[1], games, chance);
}

double school_compare_styles(struct school *school, const struct style *one,
                             const struct style *other, uint32_t games,
                             const struct chance *chance) {
    const struct contestant players[2] = {{&one->value, one, NULL}, {&other->value, other, NULL}};
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
    struct contestant learner = {.value = &now->value, .style = met ? now : NULL};
    struct contestant other = {.value = &school->state.past[0]};
    if (met) other.all = &school->roster;
    if (school->table_count) {
        learner.all = &school->roster;
        other.all = &school->given;
    }
    const double points = compare(school, &learner, &other, games, chance);
    free(now);
    return points;
}
