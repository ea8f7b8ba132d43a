#include "trainer_inside.h"

#include "base/digest.h"
#include "jail/rules_codec.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
    *hash = digest_of(frame.bytes + CHANNEL_HEADER, frame.length);
    frame_close(&frame);
    free(played);
    return true;
}

/* Begins with the habits and set-ups of a style. */
static void begin_as(struct trainer *trainer, const struct style *style, struct random *random) {
    struct trainer_state *state = &trainer->state;
    state->habits = style->value.habits;
    state->stage_first = style->value;
    if (style->setups)
        camp_begin_with(&state->camp, &trainer->measure, random, style->setup, style->setups);
}

/* Are so many games played that each term is met often? Where they are not, free weights drift into
 * patience: games in which nobody attacks. */
static bool is_small(const struct rules *rules) {
    enum { SMALL = 12 };
    return rules_size(rules) <= SMALL;
}

/* The best response to a strong opponent is near it. */
static void begin_as_first_opponent(struct trainer *trainer, struct random *random) {
    struct trainer_state *state = &trainer->state;
    begin_as(trainer, opponent_chief(&trainer->opponents[0]), random);
    fit_begin(&state->fit, &state->stage_first.weights);
    state->past[0] = state->stage_first;
    state->made_for ^= opponents_mark(trainer->opponents, trainer->opponent_count);
    opponents_meet(&trainer->roster, trainer->opponents, trainer->opponent_count);
}

/* As many classes as move some 500,000 pieces: 51,200 games of armies of ten. */
static uint64_t stage_of(const struct rules *rules) {
    enum { PIECES = 8000 };
    return PIECES / (uint64_t)rules_size(rules);
}

struct trainer *trainer_new(const struct rules *rules, const struct opponent *opponents,
                            int opponent_count, const struct chance *chance, uint64_t seed,
                            int jobs, struct fault *fault) {
    struct trainer *trainer = calloc(1, sizeof *trainer);
    if (trainer) trainer->episodes = calloc((size_t)jobs, sizeof *trainer->episodes);
    bool ok = trainer && trainer->episodes;
    for (int i = 0; ok && i < jobs; i++) ok = (trainer->episodes[i] = selfplay_new(rules)) != NULL;
    if (trainer) trainer->jobs = jobs;
    ok = ok && fingerprint(rules, &trainer->state.made_for);
    if (!ok) {
        trainer_free(trainer);
        fault_set(fault, STATUS_NO_MEMORY, "no memory for learning");
        return NULL;
    }
    struct value value;
    trainer->rules = rules;
    trainer->opponents = opponents;
    trainer->opponent_count = opponent_count;
    trainer->stage = stage_of(rules);
    trainer->state.chance = *chance;
    trainer->state.seed = seed;
    measure_make(&trainer->measure, rules);
    value_begin(&value, &trainer->measure);
    fit_begin(&trainer->state.fit, &value.weights);
    habits_even(&trainer->state.habits);
    trainer->state.past[0] = trainer->state.stage_first = value;
    trainer->state.past_count = 1;
    struct random random = chance_random(chance, CHANCE_SETUP, 0);
    camp_begin(&trainer->state.camp, &trainer->measure, &random);
    if (opponent_count) begin_as_first_opponent(trainer, &random);
    return trainer;
}

void trainer_free(struct trainer *trainer) {
    if (!trainer) return;
    for (int i = 0; trainer->episodes && i < trainer->jobs; i++)
        selfplay_free(trainer->episodes[i]);
    free(trainer->episodes);
    free(trainer);
}

void trainer_invite(struct trainer *trainer, const struct setup *setups, size_t count) {
    if (trainer->opponent_count) return;
    camp_invite(&trainer->state.camp, setups,
                (uint32_t)(count < CAMP_GUESTS ? count : CAMP_GUESTS));
}

/* Pieces of each kind that are as good as seen before the first, and the part of armies that may
 * begin anywhere. */
enum { PRIOR = 200 };
static const double UNUSUAL = 0.2;

bool trainer_show(struct trainer *trainer, const struct examples *examples, int share,
                  struct fault *fault) {
    struct habit_counts counts = {0};
    struct habits even;
    if (!examples_count(examples, trainer->rules, &counts, fault)) return false;
    habits_even(&even);
    habits_learn(&counts, trainer->rules, &even, PRIOR, UNUSUAL, &trainer->example_habits);
    trainer->examples = examples;
    trainer->example_share = share;
    trainer->state.made_for ^= (uint32_t)(examples->mark >> 32) + (uint32_t)share;
    return true;
}

/* A set-up of an example, or its mirror image. False and nothing drawn if there are none. */
static bool draw_shown(const struct trainer *trainer, struct random *random, struct setup *setup) {
    if (!trainer->examples) return false;
    const uint32_t number = random_below(random, 2 * (uint32_t)trainer->examples->taught);
    const struct example *example = &trainer->examples->list[number / 2];
    if (!example->has_setup[number % 2]) return false;
    *setup = example->setups[number % 2];
    setup_perhaps_mirror(trainer->rules, random, setup);
    return true;
}

void trainer_draw_setup(struct trainer *trainer, struct pupil *pupil, int side, bool camp) {
    struct random *random = &pupil->random;
    uint32_t sort = random_below(random, 16);
    pupil->judged[side] = -1;
    if (sort >= 14 || trainer->rules->armies == ARMIES_BY_CHANCE) {
        setup_random(trainer->rules, RED, random, &pupil->setups[side], NULL);
    } else if (camp && sort < 3) {
        uint32_t number = random_below(random, CAMP_SETUPS);
        pupil->setups[side] = trainer->state.camp.setup[number];
        pupil->judged[side] = (int)number;
    } else if (sort < 8 && draw_shown(trainer, random, &pupil->setups[side])) {
        return;
    } else {
        camp_draw(&trainer->measure, random, 20 + random_below(random, 200), &pupil->setups[side]);
    }
}

/* Classes after which strength is noted: 1, 2, 4, …, 128, 256, 384, … */
static bool is_noted(uint64_t classes) {
    return classes % 128 == 0 || (classes & (classes - 1)) == 0;
}

static void note_strength(struct trainer *trainer) {
    struct trainer_state *state = &trainer->state;
    if (!is_noted(state->classes)) return;
    if (state->notes == TRAINER_NOTES) { /* every second one of the later half goes */
        int half = TRAINER_NOTES / 2, kept = half;
        for (int i = half; i < TRAINER_NOTES; i += 2) state->note[kept++] = state->note[i];
        state->notes = kept;
    }
    struct value value;
    trainer_value(trainer, &value);
    struct chance chance = chance_derive(&state->chance, CHANCE_CHECK, state->classes);
    /* Of set-ups alone no past is kept, and no page shows it. */
    const double past = trainer->table_count
                            ? 50
                            : trainer_compare(trainer, &value, &state->past[state->past_count / 2],
                                              TRAINER_NOTE_GAMES, &chance);
    /* Means of what came lately begin with 0; in part, that is still in them. */
    const double counted = 1 - pow(0.99, (double)(state->classes * CLASS_GAMES));
    state->note[state->notes++] = (struct trainer_note){
        .games = state->classes * CLASS_GAMES,
        .against_first = trainer_compare_first(trainer, TRAINER_NOTE_GAMES, &chance),
        .against_past = past,
        .plies = state->plies / counted,
        .draws = state->draws / counted};
}

/* Seats an older self, half of the time the first, which plays by the rules alone; no weights are
 * learned from its turns. */
static void seat_older_self(struct trainer *trainer, int side, struct pupil *pupil) {
    struct trainer_state *state = &trainer->state;
    const bool by_rules = random_below(&pupil->random, 2);
    pupil->options.values[side] =
        &state->past[by_rules ? 0 : random_below(&pupil->random, state->past_count)];
    trainer_draw_setup(trainer, pupil, side, false);
}

/* Seats the one whose turn it is. Some of its set-ups are not its own, so that more is learned than
 * an answer to those. */
static void seat_met(struct trainer *trainer, uint64_t turn, int side, struct pupil *pupil) {
    enum { STRANGE_ONE_IN = 8 };
    const struct style *style = roster_turn(&trainer->roster, turn);
    pupil->options.fixed[side] = true;
    pupil->options.values[side] = &style->value;
    trainer_draw_setup(trainer, pupil, side, false);
    if (trainer->rules->armies != ARMIES_BY_CHANCE && random_below(&pupil->random, STRANGE_ONE_IN))
        style_draw_setup(style, trainer->rules, &pupil->random, &pupil->setups[side]);
}

/* Who plays game `number` of a class against the learner. */
enum rival trainer_rival(const struct trainer *trainer, int number) {
    if (trainer->opponent_count) return SOMEBODY_MET;
    if (trainer->roster.count) {
        if (number % 2 == 0) return SOMEBODY_MET;
        number /= 2;
    }
    return number % 2 ? OLDER_SELF : ITSELF;
}

enum side trainer_draw_first(const struct trainer *trainer, struct random *random) {
    if (trainer->rules->first == FIRST_CHOSEN) return (enum side)random_below(random, 2);
    return rules_first(trainer->rules);
}

/* Seats the players of game `number` of a class. */
static void seat_pupil(struct trainer *trainer, const struct value *now, int number,
                       struct pupil *pupil) {
    struct trainer_state *state = &trainer->state;
    const double n = (double)(state->classes - state->stage_began);
    const uint64_t game = state->classes * CLASS_GAMES + (uint64_t)number;
    const enum rival rival = trainer_rival(trainer, number);
    pupil->random = chance_random(&state->chance, CHANCE_GAME, game);
    const int rival_side = (int)random_below(&pupil->random, 2);
    pupil->options = (struct selfplay_options){
        .measure = &trainer->measure,
        .first = trainer_draw_first(trainer, &pupil->random),
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
            trainer_draw_setup(trainer, pupil, side, true);
        } else if (rival == SOMEBODY_MET) {
            seat_met(trainer, trainer->opponent_count ? game : game / 2, side, pupil);
        } else {
            seat_older_self(trainer, side, pupil);
        }
    }
}

void trainer_count_game(struct trainer *trainer, const struct pupil *pupil) {
    struct trainer_state *state = &trainer->state;
    state->plies += 0.01 * (pupil->taken.plies - state->plies);
    state->draws += 0.01 * ((pupil->taken.result == RESULT_DRAW) - state->draws);
    if (pupil->taken.fault.status != STATUS_OK) trainer->fault = pupil->taken.fault;
}

/* Notes what a game says besides the weights. */
static void take_note(struct trainer *trainer, const struct pupil *pupil) {
    struct trainer_state *state = &trainer->state;
    for (int side = RED; side <= BLUE; side++) {
        if (pupil->judged[side] < 0) continue;
        if (!pupil->options.learns[1 - side] && !pupil->options.fixed[1 - side])
            continue; /* an older self: an easier game */
        state->camp.games[pupil->judged[side]]++;
        state->camp.points[pupil->judged[side]] += pupil_points(pupil, (enum side)side);
    }
    habit_counts_add(&state->counts, &pupil->habits);
    trainer_count_game(trainer, pupil);
}

/* The value of now becomes one of the past. If there is no room every second of those goes; the
 * first stays. */
static void keep_past(struct trainer *trainer) {
    struct trainer_state *state = &trainer->state;
    if (state->past_count == TRAINER_PAST) {
        for (int i = 1; i < TRAINER_PAST / 2; i++) state->past[i] = state->past[2 * i];
        state->past_count = TRAINER_PAST / 2;
    }
    trainer_value(trainer, &state->past[state->past_count++]);
}

/* A style tells more of those that are met than the first classes do. */
static void learn_habits(struct trainer *trainer) {
    enum { PRIOR_OF_STYLE = 10000 };
    struct trainer_state *state = &trainer->state;
    habits_learn(&state->counts, trainer->rules, &state->stage_first.habits,
                 trainer->roster.count ? PRIOR_OF_STYLE : PRIOR, UNUSUAL, &state->habits);
}

/* Points a game of a set-up that nothing is known of. */
static double usual_points(const struct trainer *trainer) {
    return trainer->roster.count ? camp_mean(&trainer->state.camp) : 0.5;
}

/* The style joins the league, and all are balanced anew. Each stage spends a fourth of its games on
 * that, GAMES_MOST of each two at most. */
static void join_league(struct trainer *trainer, const struct style *style) {
    enum { GAMES_LEAST = 64, GAMES_MOST = 1000 };
    struct league *league = &trainer->state.league;
    const struct chance chance =
        chance_derive(&trainer->state.chance, CHANCE_LEAGUE, trainer->state.classes);
    const int newest = league_join(league, style);
    uint64_t games = trainer->stage * CLASS_GAMES / 4 / (uint64_t)(newest + 1);
    if (games < GAMES_LEAST) games = GAMES_LEAST;
    if (games > GAMES_MOST) games = GAMES_MOST;
    for (int i = 0; i < newest; i++) {
        const struct chance pair = chance_derive(&chance, CHANCE_PAIR, (uint64_t)i);
        league_note(league, newest, i,
                    trainer_compare_styles(trainer, style, &league->style[i],
                                           (uint32_t)(games & ~1ULL), &pair) /
                        100);
    }
    league_balance(league);
    league_meet(&trainer->roster, league);
}

/* Ends the stage. The next begins as the style that is played most, and goes on from its weights as
 * freely as that did from the rules; of large armies as the newest, whose weights are still held
 * back towards the rules. */
static void next_stage(struct trainer *trainer) {
    struct trainer_state *state = &trainer->state;
    struct league *league = &state->league;
    struct style *style = malloc(sizeof *style);
    struct random random = chance_random(&state->chance, CHANCE_LEAGUE, state->classes);
    if (!style) {
        fault_set(&trainer->fault, STATUS_NO_MEMORY, "no memory for learning");
        return;
    }
    trainer_style(trainer, style);
    join_league(trainer, style);
    free(style);
    state->stage_began = state->classes;
    memset(&state->counts, 0, sizeof state->counts);
    if (is_small(trainer->rules)) {
        begin_as(trainer, &league->style[league_chief(league)], &random);
        fit_begin(&state->fit, &state->stage_first.weights);
    } else {
        begin_as(trainer, &league->style[league->count - 1], &random);
        fit_resume(&state->fit);
    }
}

static bool is_stage_over(const struct trainer *trainer) {
    const uint64_t classes = trainer->state.classes - trainer->state.stage_began;
    return !trainer->opponent_count && classes >= trainer->stage * (trainer->roster.count ? 1 : 2);
}

/* A class of games that weights are learned from. */
static void weights_class(struct trainer *trainer) {
    enum { PAST_EVERY = 40, HABITS_EVERY = 10, FADE_EVERY = 100, CAMP_EVERY = 30 };
    struct trainer_state *state = &trainer->state;
    const struct lesson_taken *taken[CLASS_GAMES];
    struct value now;
    struct pupil *pupils = calloc(CLASS_GAMES, sizeof *pupils);
    if (!pupils) {
        fault_set(&trainer->fault, STATUS_NO_MEMORY, "no memory for learning");
        return;
    }
    fit_read(state->fit.weight, &now.weights);
    now.habits = state->habits;
    for (int i = 0; i < CLASS_GAMES; i++) seat_pupil(trainer, &now, i, &pupils[i]);
    hall_play(trainer->episodes, trainer->jobs, pupils, CLASS_GAMES);
    for (int i = 0; i < CLASS_GAMES; i++) {
        take_note(trainer, &pupils[i]);
        taken[i] = &pupils[i].taken;
    }
    fit_step(&state->fit, &trainer->measure, taken, CLASS_GAMES);
    free(pupils);
    state->classes++;
    if (state->classes % HABITS_EVERY == 0 || state->classes - state->stage_began < 5)
        learn_habits(trainer);
    if (state->classes % FADE_EVERY == 0) habit_counts_fade(&state->counts);
    if (state->classes % PAST_EVERY == 0) keep_past(trainer);
    if (state->classes % CAMP_EVERY == 0) {
        struct random random = chance_random(&state->chance, CHANCE_SETUP, state->classes);
        camp_improve(&state->camp, &trainer->measure, &random,
                     3 * (uint32_t)rules_size(trainer->rules), usual_points(trainer));
    }
}

void trainer_class(struct trainer *trainer) {
    if (trainer->table_count)
        muster_class(trainer);
    else
        weights_class(trainer);
    note_strength(trainer);
    if (!trainer->table_count && is_stage_over(trainer)) next_stage(trainer);
}

void trainer_value(const struct trainer *trainer, struct value *value) {
    fit_read(trainer->state.fit.mean, &value->weights);
    value->habits = trainer->state.habits;
}

void trainer_give_habits(const struct trainer *trainer, const struct habits *own,
                         struct habits *habits) {
    const bool as_it_is = trainer->opponent_count || trainer->table_count;
    if (as_it_is)
        *habits = *own;
    else
        habits_outside(own, &trainer->example_habits, trainer->example_share, habits);
}

void trainer_style(const struct trainer *trainer, struct style *style) {
    uint8_t order[CAMP_SETUPS];
    camp_order(&trainer->state.camp, usual_points(trainer), order);
    memset(style, 0, sizeof *style);
    style->share = 1;
    trainer_value(trainer, &style->value);
    style->setups = CAMP_KEPT;
    for (int i = 0; i < CAMP_KEPT; i++) style->setup[i] = trainer->state.camp.setup[order[i]];
}
