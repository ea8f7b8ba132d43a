#include "school.h"

#include "base/files.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* A game of a class. */
struct pupil {
    struct episode_options options;
    struct setup setups[2];
    int camp[2]; /* numbers of its set-ups in the camp; -1: of its own */
    struct random random;
    struct lesson_taken taken;
    struct habit_counts habits;
};

/* Games to be played by several threads. */
struct hall {
    struct school *school;
    struct pupil *pupils;
    int count;
    atomic_int next, seat;
};

static void *play_some(void *context) {
    struct hall *hall = context;
    struct episode *episode = hall->school->episodes[atomic_fetch_add(&hall->seat, 1)];
    for (;;) {
        int number = atomic_fetch_add(&hall->next, 1);
        if (number >= hall->count) return NULL;
        struct pupil *pupil = &hall->pupils[number];
        episode_play(episode, &pupil->options, pupil->random, &pupil->taken, &pupil->habits);
    }
}

static void play_all(struct school *school, struct pupil *pupils, int count) {
    struct hall hall = {.school = school, .pupils = pupils, .count = count};
    pthread_t threads[SCHOOL_JOBS_MAX];
    int started = 0;
    while (started < school->jobs - 1 &&
           pthread_create(&threads[started], NULL, play_some, &hall) == 0)
        started++;
    play_some(&hall);
    while (started > 0) pthread_join(threads[--started], NULL);
}

/* What the meaning of the terms depends on. */
static uint64_t fingerprint(const struct rules *rules) {
    uint64_t hash = XXH3_64bits(&rules->board.lakes, sizeof rules->board.lakes);
    const uint8_t numbers[] = {rules->board.files, rules->board.ranks, rules->board.zone_ranks,
                               rules->kinds,       rules->abilities,   TERMS >> 8,
                               TERMS & 255};
    hash = XXH3_64bits_withSeed(numbers, sizeof numbers, hash);
    for (kind_id kind = 1; kind <= rules->kinds; kind++) {
        const struct kind *of = &rules->kind[kind];
        const uint8_t what[] = {of->count, of->movement, of->flag};
        hash = XXH3_64bits_withSeed(of->name, strlen(of->name), hash);
        hash = XXH3_64bits_withSeed(what, sizeof what, hash);
        hash = XXH3_64bits_withSeed(rules->outcome[kind], sizeof rules->outcome[kind], hash);
    }
    return hash;
}

/* The best response to a strong opponent is near it. */
static void begin_as_first_opponent(struct school *school, struct random *random) {
    const struct learned *learned = &school->opponents[0].learned;
    struct school_state *state = &school->state;
    fit_begin(&state->fit, &learned->value.weights);
    state->habits = learned->value.habits;
    state->past[0] = learned->value;
    if (learned->setups)
        camp_begin_with(&state->camp, &school->measure, random, learned->setup, learned->setups);
    state->made_for ^= opponents_mark(school->opponents, school->opponent_count);
}

struct school *school_new(const struct rules *rules, const struct opponent *opponents,
                          int opponent_count, const struct chance *chance, uint64_t seed, int jobs,
                          struct fault *fault) {
    struct school *school = calloc(1, sizeof *school);
    if (school) school->episodes = calloc((size_t)jobs, sizeof *school->episodes);
    bool ok = school && school->episodes;
    for (int i = 0; ok && i < jobs; i++) ok = (school->episodes[i] = episode_new(rules)) != NULL;
    if (school) school->jobs = jobs;
    if (!ok) {
        school_free(school);
        fault_set(fault, STATUS_NO_MEMORY, "no memory for learning");
        return NULL;
    }
    struct value value;
    school->rules = rules;
    school->opponents = opponents;
    school->opponent_count = opponent_count;
    school->state.made_for = fingerprint(rules);
    school->state.chance = *chance;
    school->state.seed = seed;
    measure_make(&school->measure, rules);
    value_begin(&value, &school->measure);
    fit_begin(&school->state.fit, &value.weights);
    habits_even(&school->state.habits);
    school->state.past[0] = value;
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

static void draw_setup(struct school *school, struct pupil *pupil, int side, bool camp) {
    struct random *random = &pupil->random;
    uint32_t sort = random_below(random, 16);
    pupil->camp[side] = -1;
    if (camp && sort < 9) {
        uint32_t number = random_below(random, CAMP_SETUPS);
        pupil->setups[side] = school->state.camp.setup[number];
        pupil->camp[side] = (int)number;
    } else if (sort < 15) {
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
    /* Means of what came lately begin with 0; in part, that is still in them. */
    const double counted = 1 - pow(0.99, (double)(state->classes * CLASS_GAMES));
    state->note[state->notes++] = (struct school_note){
        .games = state->classes * CLASS_GAMES,
        .against_first = school_compare_first(school, SCHOOL_NOTE_GAMES, &chance),
        .against_past = school_compare(school, &value, &state->past[state->past_count / 2],
                                       SCHOOL_NOTE_GAMES, &chance),
        .plies = state->plies / counted,
        .draws = state->draws / counted};
}

/* Seats an older self; nothing is learned from its turns. */
static void seat_older_self(struct school *school, int side, struct pupil *pupil) {
    struct school_state *state = &school->state;
    pupil->options.values[side] = &state->past[random_below(&pupil->random, state->past_count)];
    draw_setup(school, pupil, side, false);
}

/* The opponents have their turns one after the other. */
static const struct opponent *opponent_in_turn(const struct school *school, uint64_t turn) {
    return &school->opponents[turn % (uint64_t)school->opponent_count];
}

/* Seats the opponent whose turn game `number` is. Some of its set-ups are not its own, so that more
 * is learned than an answer to those. */
static void seat_opponent(struct school *school, uint64_t number, int side, struct pupil *pupil) {
    enum { STRANGE_ONE_IN = 8 };
    const struct opponent *opponent = opponent_in_turn(school, number);
    pupil->options.fixed[side] = true;
    pupil->options.values[side] = &opponent->learned.value;
    draw_setup(school, pupil, side, false);
    if (random_below(&pupil->random, STRANGE_ONE_IN))
        opponent_draw_setup(opponent, school->rules, &pupil->random, &pupil->setups[side]);
}

/* Seats the players of game `number` of a class: without opponents a quarter of the games are
 * against an older self. */
static void seat_pupil(struct school *school, const struct value *now, int number,
                       struct pupil *pupil) {
    struct school_state *state = &school->state;
    const double n = (double)state->classes;
    const uint64_t game = state->classes * CLASS_GAMES + (uint64_t)number;
    pupil->random = chance_random(&state->chance, CHANCE_GAME, game);
    const bool against_other = school->opponent_count || number % 4 == 3;
    const int other_side = (int)random_below(&pupil->random, 2);
    pupil->options = (struct episode_options){
        .measure = &school->measure,
        .first = rules_first(school->rules),
        .lambda = 0.65,
        .draw = 0.3,
        .quiet = 80,
        .noise = 0.02 + 0.06 / (1 + n / 200),
        .restless = 12,
        .forward = 0.2 + 0.8 * state->draws,
        .wander = 0.01,
    };
    if (school->rules->first == FIRST_CHOSEN)
        pupil->options.first = (enum side)random_below(&pupil->random, 2);
    for (int side = RED; side <= BLUE; side++) {
        pupil->options.setups[side] = &pupil->setups[side];
        if (!against_other || side != other_side) {
            pupil->options.values[side] = now;
            pupil->options.learns[side] = true;
            draw_setup(school, pupil, side, true);
        } else if (school->opponent_count) {
            seat_opponent(school, game, side, pupil);
        } else {
            seat_older_self(school, side, pupil);
        }
    }
}

static double points_of(const struct pupil *pupil, enum side side) {
    if (pupil->taken.result == result_win(side)) return 1;
    return pupil->taken.result == RESULT_DRAW ? 0.5 : 0;
}

/* Notes what a game says besides the weights. */
static void take_note(struct school *school, const struct pupil *pupil) {
    struct school_state *state = &school->state;
    for (int side = RED; side <= BLUE; side++) {
        if (pupil->camp[side] < 0) continue;
        if (!pupil->options.learns[1 - side] && !school->opponent_count)
            continue; /* an easier game */
        state->camp.games[pupil->camp[side]]++;
        state->camp.points[pupil->camp[side]] += points_of(pupil, (enum side)side);
    }
    habit_counts_add(&state->counts, &pupil->habits);
    state->plies += 0.01 * (pupil->taken.plies - state->plies);
    state->draws += 0.01 * ((pupil->taken.result == RESULT_DRAW) - state->draws);
    if (pupil->taken.fault.status != STATUS_OK) school->fault = pupil->taken.fault;
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

/* Of opponents the first file tells more than the first classes do. */
static void learn_habits(struct school *school) {
    enum { PRIOR = 200, PRIOR_OF_FILE = 10000 };
    struct school_state *state = &school->state;
    habits_learn(&state->counts, school->rules, &state->past[0].habits,
                 school->opponent_count ? PRIOR_OF_FILE : PRIOR, &state->habits);
}

/* Points a game of a set-up that nothing is known of. */
static double usual_points(const struct school *school) {
    return school->opponent_count ? camp_mean(&school->state.camp) : 0.5;
}

void school_class(struct school *school) {
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
    play_all(school, pupils, CLASS_GAMES);
    for (int i = 0; i < CLASS_GAMES; i++) {
        take_note(school, &pupils[i]);
        taken[i] = &pupils[i].taken;
    }
    fit_step(&state->fit, &school->measure, taken, CLASS_GAMES);
    free(pupils);
    state->classes++;
    if (state->classes % HABITS_EVERY == 0 || state->classes < 5) learn_habits(school);
    if (state->classes % FADE_EVERY == 0) habit_counts_fade(&state->counts);
    if (state->classes % PAST_EVERY == 0) keep_past(school);
    if (state->classes % CAMP_EVERY == 0) {
        struct random random = chance_random(&state->chance, CHANCE_SETUP, state->classes);
        camp_improve(&state->camp, &school->measure, &random, 3 * school->rules->army_size,
                     usual_points(school));
    }
    note_strength(school);
}

void school_value(const struct school *school, struct value *value) {
    fit_read(school->state.fit.mean, &value->weights);
    value->habits = school->state.habits;
}

void school_camp_order(const struct school *school, uint8_t order[CAMP_SETUPS]) {
    camp_order(&school->state.camp, usual_points(school), order);
}

/* Draws set-ups for `side` and the opponent as the bots of their files would. */
static void draw_as_bots(struct school *school, const struct opponent *opponent,
                         struct pupil *pupil, enum side side) {
    uint8_t order[CAMP_SETUPS];
    school_camp_order(school, order);
    pupil->setups[side] = school->state.camp.setup[order[random_below(&pupil->random, CAMP_KEPT)]];
    draw_setup(school, pupil, side_other(side), false);
    opponent_draw_setup(opponent, school->rules, &pupil->random, &pupil->setups[side_other(side)]);
}

/* As school_compare(); with NULL the second are the opponents in turn. */
static double compare(struct school *school, const struct value *first, const struct value *second,
                      uint32_t games, const struct chance *chance) {
    struct pupil *pupils = calloc(games, sizeof *pupils);
    double points = 0;
    if (!pupils) return 0;
    for (uint32_t i = 0; i < games; i++) {
        struct pupil *pupil = &pupils[i];
        const struct opponent *opponent = second ? NULL : opponent_in_turn(school, i / 2);
        const struct value *other = second ? second : &opponent->learned.value;
        pupil->random = chance_random(chance, CHANCE_GAME, i / 2);
        if (opponent) {
            draw_as_bots(school, opponent, pupil, i % 2 ? BLUE : RED);
        } else {
            draw_setup(school, pupil, RED, true);
            draw_setup(school, pupil, BLUE, true);
        }
        pupil->options = (struct episode_options){
            .measure = &school->measure,
            .first = rules_first(school->rules),
            .values = {i % 2 ? other : first, i % 2 ? first : other},
            .noise = 0.002,
        };
        pupil->options.setups[RED] = &pupil->setups[RED];
        pupil->options.setups[BLUE] = &pupil->setups[BLUE];
    }
    play_all(school, pupils, (int)games);
    for (uint32_t i = 0; i < games; i++) points += points_of(&pupils[i], i % 2 ? BLUE : RED);
    free(pupils);
    return 100 * points / games;
}

double school_compare(struct school *school, const struct value *first, const struct value *second,
                      uint32_t games, const struct chance *chance) {
    return compare(school, first, second, games, chance);
}

double school_compare_first(struct school *school, uint32_t games, const struct chance *chance) {
    struct value value;
    school_value(school, &value);
    return compare(school, &value, school->opponent_count ? NULL : &school->state.past[0], games,
                   chance);
}

/* A file is the state, then its hash. */
bool school_save(const struct school *school, const char *path, struct fault *fault) {
    const size_t size = sizeof school->state;
    const uint64_t hash = XXH3_64bits(&school->state, size);
    char *text = malloc(size + sizeof hash);
    if (!text) return fault_set(fault, STATUS_NO_MEMORY, "out of memory");
    memcpy(text, &school->state, size);
    memcpy(text + size, &hash, sizeof hash);
    bool ok = files_replace(path, text, size + sizeof hash, fault);
    free(text);
    return ok;
}

bool school_load(struct school *school, const char *path, struct fault *fault) {
    const size_t size = sizeof school->state;
    uint64_t hash;
    size_t length;
    char *text = files_read(path, 2 * size, &length, fault);
    if (!text) return false;
    bool whole = length == size + sizeof hash;
    if (whole) memcpy(&hash, text + size, sizeof hash);
    whole = whole && hash == XXH3_64bits(text, size);
    struct school_state *state = whole ? malloc(size) : NULL;
    if (state) memcpy(state, text, size);
    free(text);
    if (!state) {
        fault_set(fault, STATUS_TEXT,
                  "does not hold what this version of ensign has learned; remove it to begin anew");
    } else if (state->made_for >> 32 != school->state.made_for >> 32) {
        fault_set(fault, STATUS_TEXT, "is about other rules; remove it to begin anew");
    } else if (state->made_for != school->state.made_for) {
        fault_set(fault, STATUS_TEXT,
                  "is about other opponents, or another order of them (--against); remove it to "
                  "begin anew");
    } else {
        school->state = *state;
        free(state);
        return true;
    }
    free(state);
    fault_place(fault, path, 0, 0);
    return false;
}
