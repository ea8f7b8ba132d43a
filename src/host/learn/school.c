#include "school_inside.h"

#include "jail/rules_wire.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* Of all that learning depends on: the program and the rules, not what is only shown of them. */
static bool fingerprint(const struct rules *rules, uint64_t *hash) {
    struct rules *played = malloc(sizeof *played);
    struct frame frame;
    if (!played || !frame_open(&frame, RULES_WIRE_MAX)) {
        free(played);
        return false;
    }
    *played = *rules;
    played->title[0] = played->edition[0] = played->note[0] = 0;
    played->called_count = 0;
    frame_put_text(&frame, ENSIGN_VERSION);
    frame_put_number(&frame, TERMS);
    rules_put(&frame, played);
    *hash = XXH3_64bits(frame.bytes + WIRE_HEADER, frame.length);
    frame_close(&frame);
    free(played);
    return true;
}

/* Begins with the habits and set-ups of a style. */
static void begin_as(struct school *school, const struct style *style, struct random *random) {
    struct school_state *state = &school->state;
    state->habits = style->value.habits;
    state->stage_first = style->value;
    if (style->setups)
        camp_begin_with(&state->camp, &school->measure, random, style->setup, style->setups);
}

/* Are so many games played that each term is met often? Where they are not, free weights drift into
 * patience: games in which nobody attacks. */
static bool is_small(const struct rules *rules) {
    enum { SMALL = 12 };
    return rules->army_size <= SMALL;
}

/* The best response to a strong opponent is near it. */
static void begin_as_first_opponent(struct school *school, struct random *random) {
    struct school_state *state = &school->state;
    begin_as(school, opponent_chief(&school->opponents[0]), random);
    fit_begin(&state->fit, &state->stage_first.weights);
    state->past[0] = state->stage_first;
    state->made_for ^= opponents_mark(school->opponents, school->opponent_count);
    opponents_meet(&school->roster, school->opponents, school->opponent_count);
}

/* As many classes as move some 500,000 pieces: 51,200 games of armies of ten. */
static uint64_t stage_of(const struct rules *rules) {
    enum { PIECES = 8000 };
    return PIECES / (uint64_t)rules->army_size;
}

struct school *school_new(const struct rules *rules, const struct opponent *opponents,
                          int opponent_count, const struct chance *chance, uint64_t seed, int jobs,
                          struct fault *fault) {
    struct school *school = calloc(1, sizeof *school);
    if (school) school->episodes = calloc((size_t)jobs, sizeof *school->episodes);
    bool ok = school && school->episodes;
    for (int i = 0; ok && i < jobs; i++) ok = (school->episodes[i] = episode_new(rules)) != NULL;
    if (school) school->jobs = jobs;
    ok = ok && fingerprint(rules, &school->state.made_for);
    if (!ok) {
        school_free(school);
        fault_set(fault, STATUS_NO_MEMORY, "no memory for learning");
        return NULL;
    }
    struct value value;
    school->rules = rules;
    school->opponents = opponents;
    school->opponent_count = opponent_count;
    school->stage = stage_of(rules);
    school->state.chance = *chance;
    school->state.seed = seed;
    measure_make(&school->measure, rules);
    value_begin(&value, &school->measure);
    fit_begin(&school->state.fit, &value.weights);
    habits_even(&school->state.habits);
    school->state.past[0] = school->state.stage_first = value;
    school->state.past_count = 1;
    struct random random = chance_random(chance, CHANCE_SETUP, 0);
    camp_begin(&school->state.camp, &school->measure, &random);
    if (opponent_count) begin_as_first_opponent(school, &random);
    return school;
}

void school_free(struct school *school) {
    if (!school) return;
    for (int i = 0; school->episodes && i < school->jobs; i++) episode_free(school->episodes[i]);
    free(school->episodes);
    free(school);
}

void school_invite(struct school *school, const struct setup *setups, size_t count) {
    if (school->opponent_count) return;
    camp_invite(&school->state.camp, setups, (uint32_t)(count < CAMP_GUESTS ? count : CAMP_GUESTS));
}

void school_draw_setup(struct school *school, struct pupil *pupil, int side, bool camp) {
    struct random *random = &pupil->random;
    uint32_t sort = random_below(random, 16);
    pupil->judged[side] = -1;
    if (camp && sort < 9) {
        uint32_t number = random_below(random, CAMP_SETUPS);
        pupil->setups[side] = school->state.camp.setup[number];
        pupil->judged[side] = (int)number;
    } else if (sort < 12) {
        camp_draw(&school->measure, random, 20 + random_below(random, 200), &pupil->setups[side]);
    } else {
        setup_random(school->rules, random, &pupil->setups[side], NULL);
    }
}

/* Classes after which strength is noted: 1, 2, 4, …, 128, 256, 384, … */
static bool is_noted(uint64_t classes) {
    return classes % 128 == 0 || (classes & (classes - 1)) == 0;
}

static void note_strength(struct school *school) {
    struct school_state *state = &school->state;
    if (!is_noted(state->classes)) return;
    if (state->notes == SCHOOL_NOTES) { /* every second one of the later half goes */
        int half = SCHOOL_NOTES / 2, kept = half;
        for (int i = half; i < SCHOOL_NOTES; i += 2) state->note[kept++] = state->note[i];
        state->notes = kept;
    }
    struct value value;
    school_value(school, &value);
    struct chance chance = chance_derive(&state->chance, CHANCE_CHECK, state->classes);
    /* Of set-ups alone no past is kept, and no page shows it. */
    const double past = school->table_count
                            ? 50
                            : school_compare(school, &value, &state->past[state->past_count / 2],
                                             SCHOOL_NOTE_GAMES, &chance);
    /* Means of what came lately begin with 0; in part, that is still in them. */
    const double counted = 1 - pow(0.99, (double)(state->classes * CLASS_GAMES));
    state->note[state->notes++] = (struct school_note){
        .games = state->classes * CLASS_GAMES,
        .against_first = school_compare_first(school, SCHOOL_NOTE_GAMES, &chance),
        .against_past = past,
        .plies = state->plies / counted,
        .draws = state->draws / counted};
}

/* Seats an older self; no weights are learned from its turns. */
static void seat_older_self(struct school *school, int side, struct pupil *pupil) {
    struct school_state *state = &school->state;
    pupil->options.values[side] = &state->past[random_below(&pupil->random, state->past_count)];
    school_draw_setup(school, pupil, side, false);
}

/* Seats the one whose turn it is. Some of its set-ups are not its own, so that more is learned than
 * an answer to those. */
static void seat_met(struct school *school, uint64_t turn, int side, struct pupil *pupil) {
    enum { STRANGE_ONE_IN = 8 };
    const struct style *style = roster_turn(&school->roster, turn);
    pupil->options.fixed[side] = true;
    pupil->options.values[side] = &style->value;
    school_draw_setup(school, pupil, side, false);
    if (random_below(&pupil->random, STRANGE_ONE_IN))
        style_draw_setup(style, school->rules, &pupil->random, &pupil->setups[side]);
}

/* Who plays game `number` of a class against the learner. */
enum rival { ITSELF, OLDER_SELF, SOMEBODY_MET };

/* All games are against opponents, if there are any. In a stage of the league every second one is
 * against that: a style that met nobody else would be an answer to that alone, and easily beaten by
 * the next. Of those against itself every fourth is against an older self. */
static enum rival rival_of(const struct school *school, int number) {
    if (school->opponent_count) return SOMEBODY_MET;
    if (school->roster.count) {
        if (number % 2 == 0) return SOMEBODY_MET;
        number /= 2;
    }
    return number % 4 == 3 ? OLDER_SELF : ITSELF;
}

enum side school_draw_first(const struct school *school, struct random *random) {
    if (school->rules->first == FIRST_CHOSEN) return (enum side)random_below(random, 2);
    return rules_first(school->rules);
}

/* Seats the players of game `number` of a class. */
static void seat_pupil(struct school *school, const struct value *now, int number,
                       struct pupil *pupil) {
    struct school_state *state = &school->state;
    const double n = (double)(state->classes - state->stage_began);
    const uint64_t game = state->classes * CLASS_GAMES + (uint64_t)number;
    const enum rival rival = rival_of(school, number);
    pupil->random = chance_random(&state->chance, CHANCE_GAME, game);
    const int rival_side = (int)random_below(&pupil->random, 2);
    pupil->options = (struct episode_options){
        .measure = &school->measure,
        .first = school_draw_first(school, &pupil->random),
        .lambda = 0.65,
        .draw = 0.3,
        .quiet = 80,
        .noise = 0.02 + 0.06 / (1 + n / 200),
        .restless = 12,
        .forward = 0.2 + 0.8 * state->draws,
        .wander = 0.01,
    };
    for (int side = RED; side <= BLUE; side++) {
        pupil->options.setups[side] = &pupil->setups[side];
        if (rival == ITSELF || side != rival_side) {
            pupil->options.values[side] = now;
            pupil->options.learns[side] = true;
            school_draw_setup(school, pupil, side, true);
        } else if (rival == SOMEBODY_MET) {
            seat_met(school, school->opponent_count ? game : game / 2, side, pupil);
        } else {
            seat_older_self(school, side, pupil);
        }
    }
}

void school_count_game(struct school *school, const struct pupil *pupil) {
    struct school_state *state = &school->state;
    state->plies += 0.01 * (pupil->taken.plies - state->plies);
    state->draws += 0.01 * ((pupil->taken.result == RESULT_DRAW) - state->draws);
    if (pupil->taken.fault.status != STATUS_OK) school->fault = pupil->taken.fault;
}

/* Notes what a game says besides the weights. */
static void take_note(struct school *school, const struct pupil *pupil) {
    struct school_state *state = &school->state;
    for (int side = RED; side <= BLUE; side++) {
        if (pupil->judged[side] < 0) continue;
        if (!pupil->options.learns[1 - side] && !pupil->options.fixed[1 - side])
            continue; /* an older self: an easier game */
        state->camp.games[pupil->judged[side]]++;
        state->camp.points[pupil->judged[side]] += pupil_points(pupil, (enum side)side);
    }
    habit_counts_add(&state->counts, &pupil->habits);
    school_count_game(school, pupil);
}

/* The value of now becomes one of the past. If there is no room every second of those goes; the
 * first stays. */
static void keep_past(struct school *school) {
    struct school_state *state = &school->state;
    if (state->past_count == SCHOOL_PAST) {
        for (int i = 1; i < SCHOOL_PAST / 2; i++) state->past[i] = state->past[2 * i];
        state->past_count = SCHOOL_PAST / 2;
    }
    school_value(school, &state->past[state->past_count++]);
}

/* A style tells more of those that are met than the first classes do. */
static void learn_habits(struct school *school) {
    enum { PRIOR = 200, PRIOR_OF_STYLE = 10000 };
    static const double UNUSUAL = 0.2;
    struct school_state *state = &school->state;
    habits_learn(&state->counts, school->rules, &state->stage_first.habits,
                 school->roster.count ? PRIOR_OF_STYLE : PRIOR, UNUSUAL, &state->habits);
}

/* Points a game of a set-up that nothing is known of. */
static double usual_points(const struct school *school) {
    return school->roster.count ? camp_mean(&school->state.camp) : 0.5;
}

/* The style joins the league, and all are balanced anew. Each stage spends a fourth of its games on
 * that, GAMES_MOST of each two at most. */
static void join_league(struct school *school, const struct style *style) {
    enum { GAMES_LEAST = 64, GAMES_MOST = 1000 };
    struct league *league = &school->state.league;
    const struct chance chance =
        chance_derive(&school->state.chance, CHANCE_LEAGUE, school->state.classes);
    const int newest = league_join(league, style);
    uint64_t games = school->stage * CLASS_GAMES / 4 / (uint64_t)(newest + 1);
    if (games < GAMES_LEAST) games = GAMES_LEAST;
    if (games > GAMES_MOST) games = GAMES_MOST;
    for (int i = 0; i < newest; i++) {
        const struct chance pair = chance_derive(&chance, CHANCE_PAIR, (uint64_t)i);
        league_note(league, newest, i,
                    school_compare_styles(school, style, &league->style[i],
                                          (uint32_t)(games & ~1ULL), &pair) /
                        100);
    }
    league_balance(league);
    league_meet(&school->roster, league);
}

/* Ends the stage. The next begins as the style that is played most, and goes on from its weights as
 * freely as that did from the rules; of large armies as the newest, whose weights are still held
 * back towards the rules. */
static void next_stage(struct school *school) {
    struct school_state *state = &school->state;
    struct league *league = &state->league;
    struct style *style = malloc(sizeof *style);
    struct random random = chance_random(&state->chance, CHANCE_LEAGUE, state->classes);
    if (!style) {
        fault_set(&school->fault, STATUS_NO_MEMORY, "no memory for learning");
        return;
    }
    school_style(school, style);
    join_league(school, style);
    free(style);
    state->stage_began = state->classes;
    memset(&state->counts, 0, sizeof state->counts);
    if (is_small(school->rules)) {
        begin_as(school, &league->style[league_chief(league)], &random);
        fit_begin(&state->fit, &state->stage_first.weights);
    } else {
        begin_as(school, &league->style[league->count - 1], &random);
        fit_resume(&state->fit);
    }
}

static bool is_stage_over(const struct school *school) {
    const uint64_t classes = school->state.classes - school->state.stage_began;
    return !school->opponent_count && classes >= school->stage * (school->roster.count ? 1 : 2);
}

/* A class of games that weights are learned from. */
static void weights_class(struct school *school) {
    enum { PAST_EVERY = 40, HABITS_EVERY = 10, FADE_EVERY = 100, CAMP_EVERY = 30 };
    struct school_state *state = &school->state;
    const struct lesson_taken *taken[CLASS_GAMES];
    struct value now;
    struct pupil *pupils = calloc(CLASS_GAMES, sizeof *pupils);
    if (!pupils) {
        fault_set(&school->fault, STATUS_NO_MEMORY, "no memory for learning");
        return;
    }
    fit_read(state->fit.weight, &now.weights);
    now.habits = state->habits;
    for (int i = 0; i < CLASS_GAMES; i++) seat_pupil(school, &now, i, &pupils[i]);
    hall_play(school->episodes, school->jobs, pupils, CLASS_GAMES);
    for (int i = 0; i < CLASS_GAMES; i++) {
        take_note(school, &pupils[i]);
        taken[i] = &pupils[i].taken;
    }
    fit_step(&state->fit, &school->measure, taken, CLASS_GAMES);
    free(pupils);
    state->classes++;
    if (state->classes % HABITS_EVERY == 0 || state->classes - state->stage_began < 5)
        learn_habits(school);
    if (state->classes % FADE_EVERY == 0) habit_counts_fade(&state->counts);
    if (state->classes % PAST_EVERY == 0) keep_past(school);
    if (state->classes % CAMP_EVERY == 0) {
        struct random random = chance_random(&state->chance, CHANCE_SETUP, state->classes);
        camp_improve(&state->camp, &school->measure, &random, 3 * school->rules->army_size,
                     usual_points(school));
    }
}

void school_class(struct school *school) {
    if (school->table_count)
        muster_class(school);
    else
        weights_class(school);
    note_strength(school);
    if (!school->table_count && is_stage_over(school)) next_stage(school);
}

void school_value(const struct school *school, struct value *value) {
    fit_read(school->state.fit.mean, &value->weights);
    value->habits = school->state.habits;
}

void school_style(const struct school *school, struct style *style) {
    uint8_t order[CAMP_SETUPS];
    camp_order(&school->state.camp, usual_points(school), order);
    memset(style, 0, sizeof *style);
    style->share = 1;
    school_value(school, &style->value);
    style->setups = CAMP_KEPT;
    for (int i = 0; i < CAMP_KEPT; i++) style->setup[i] = school->state.camp.setup[order[i]];
}
