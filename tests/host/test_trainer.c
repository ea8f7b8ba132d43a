/* Learning by self-play, or against fixed opponents: the same for any number of threads and after
 * an interruption, on every machine; files that hold something else are refused. */
#include "host/learn/learned.h"
#include "host/learn/trainer_inside.h"

#include "base/digest.h"
#include "base/files.h"
#include "games/sanitized.h"
#include "host/setups/setup_pool.h"
#include "jail/loader.h"
#include "support.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static const struct chance CHANCE = {{3, 1, 4, 1, 5, 9, 2, 6}};
static struct rules *rules;
static struct opponent beginner = {.name = "beginner.lua"};
static struct opponent pair[2]; /* beginner, and one with other set-ups and habits */
static char path[] = "/tmp/ensign_school_XXXXXX";

static struct style *style_of(struct opponent *opponent) {
    return &opponent->learned.style[0];
}

/* Plays by the rules alone, with a few set-ups. */
static void make_beginner(void) {
    struct style *style = style_of(&beginner);
    struct measure *measure = malloc(sizeof *measure);
    struct random random = chance_random(&CHANCE, CHANCE_SETUP, 1);
    assert_non_null(measure);
    measure_make(measure, rules);
    beginner.learned.styles = 1;
    style->share = 1;
    value_begin(&style->value, measure);
    style->setups = 8;
    for (uint32_t i = 0; i < style->setups; i++) camp_draw(measure, &random, 50, &style->setup[i]);
    pair[0] = pair[1] = beginner;
    pair[1].name = "second.lua";
    style = style_of(&pair[1]);
    style->setups = 4;
    for (uint32_t i = 0; i < style->setups; i++) camp_draw(measure, &random, 50, &style->setup[i]);
    style->value.habits.ratio[SIGN_STOOD][1] += 64;
    free(measure);
}

static int load(void **state) {
    (void)state;
    int file = mkstemp(path);
    if (file < 0) return -1;
    close(file);
    rules = support_rules("barrage");
    if (!rules) return -1;
    make_beginner();
    return 0;
}

static int drop(void **state) {
    (void)state;
    unlink(path);
    rules_free(rules);
    return 0;
}

static struct trainer *enter_against(const struct opponent *opponents, int count, int jobs) {
    struct fault fault = {0};
    struct trainer *trainer = trainer_new(rules, opponents, count, &CHANCE, 7, jobs, &fault);
    if (!trainer) fail_msg("%s", fault.text);
    return trainer;
}

static struct trainer *enter(int jobs) {
    return enter_against(NULL, 0, jobs);
}

static void learn(struct trainer *trainer, int classes) {
    while (classes--) trainer_class(trainer);
}

/* The file that a match would read. */
static char *written(const struct trainer *trainer) {
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    assert_non_null(out);
    learned_write(out, trainer, true);
    assert_int_equal(fclose(out), 0);
    return text;
}

static void assert_same(const struct trainer *one, const struct trainer *other) {
    char *first = written(one), *second = written(other);
    assert_string_equal(first, second);
    free(first);
    free(second);
    assert_memory_equal(&one->state, &other->state, sizeof one->state);
}

static void expect_same_with_threads(const struct opponent *opponents, int count) {
    struct trainer *one = enter_against(opponents, count, 1);
    struct trainer *three = enter_against(opponents, count, 3);
    const int classes = sanitized() ? 1 : 5;
    learn(one, classes);
    learn(three, classes);
    assert_same(one, three);
    trainer_free(one);
    trainer_free(three);
}

static void the_number_of_threads_makes_no_difference(void **state) {
    (void)state;
    expect_same_with_threads(NULL, 0);
    expect_same_with_threads(&beginner, 1);
    expect_same_with_threads(pair, 2);
}

static void expect_to_go_on(const struct opponent *opponents, int count) {
    struct fault fault = {0};
    struct trainer *whole = enter_against(opponents, count, 2);
    struct trainer *first = enter_against(opponents, count, 2);
    struct trainer *second = enter_against(opponents, count, 1);
    const int classes = sanitized() ? 1 : 3;
    learn(whole, 2 * classes);
    learn(first, classes);
    if (!trainer_save(first, path, &fault)) fail_msg("%s", fault.text);
    if (!trainer_load(second, path, &fault)) fail_msg("%s", fault.text);
    learn(second, classes);
    assert_same(whole, second);
    trainer_free(whole);
    trainer_free(first);
    trainer_free(second);
}

static void learning_goes_on_where_it_was_interrupted(void **state) {
    (void)state;
    expect_to_go_on(NULL, 0);
    expect_to_go_on(&beginner, 1);
    expect_to_go_on(pair, 2);
}

/* What is given out after a few classes is pinned: floating point is the same everywhere. */
static void the_same_is_learned_on_every_machine(void **state) {
    (void)state;
    struct value value;
    struct trainer *trainer = enter(2);
    learn(trainer, 8);
    memset(&value, 0, sizeof value);
    trainer_value(trainer, &value);
    assert_int_equal(digest_of(&value, sizeof value), UINT64_C(0x2b3ddcf59ac1ec1f));
    trainer_free(trainer);
}

static void what_is_learned_is_better_than_the_beginning(void **state) {
    (void)state;
    if (sanitized()) skip();
    struct trainer *trainer = enter(2);
    struct value first, later;
    trainer_value(trainer, &first);
    learn(trainer, 40);
    trainer_value(trainer, &later);
    const double points = trainer_compare(trainer, &later, &first, 600, &CHANCE);
    assert_true(points > 55);
    assert_true(trainer_compare(trainer, &first, &later, 600, &CHANCE) < 45);
    trainer_free(trainer);
}

static void an_opponent_plays_without_chance_and_counts_nothing(void **state) {
    (void)state;
    struct trainer *trainer = enter_against(&beginner, 1, 1);
    struct selfplay *episode = selfplay_new(rules);
    struct lesson_taken *taken = calloc(2, sizeof *taken);
    assert_true(episode && taken);
    for (int side = RED; side <= BLUE; side++) {
        static const struct habit_counts none;
        struct habit_counts counts = {0};
        struct selfplay_options options = {
            .measure = &trainer->measure,
            .values = {&style_of(&beginner)->value, &style_of(&beginner)->value},
            .setups = {&style_of(&beginner)->setup[0], &style_of(&beginner)->setup[side]},
            .fixed = {true, true},
            .draw = 0.3,
            .noise = 0.1,
            .restless = 2,
            .forward = 0.5,
            .wander = 0.1,
        };
        for (uint64_t i = 0; i < 2; i++)
            selfplay_play(episode, &options, chance_random(&CHANCE, CHANCE_GAME, i), &taken[i],
                          &counts);
        assert_int_equal(taken[0].plies, taken[1].plies);
        assert_int_equal(taken[0].result, taken[1].result);
        assert_int_equal(taken[0].turns, 0);
        assert_memory_equal(&counts, &none, sizeof counts);
        options.fixed[side] = false; /* then chance makes games differ */
        for (uint64_t i = 0; i < 2; i++)
            selfplay_play(episode, &options, chance_random(&CHANCE, CHANCE_GAME, i), &taken[i],
                          &counts);
        assert_true(taken[0].plies != taken[1].plies);
        assert_memory_not_equal(&counts, &none, sizeof counts);
    }
    free(taken);
    selfplay_free(episode);
    trainer_free(trainer);
}

static void an_opponent_never_learns(void **state) {
    (void)state;
    if (sanitized()) skip();
    const struct opponent before = beginner;
    struct value now;
    struct trainer *trainer = enter_against(&beginner, 1, 2);
    trainer_value(trainer, &now);
    assert_memory_equal(&now, &style_of(&beginner)->value, sizeof now); /* as which it begins */
    learn(trainer, 45); /* by then selves of the past are kept */
    trainer_value(trainer, &now);
    assert_memory_not_equal(&now.weights, &style_of(&beginner)->value.weights, sizeof now.weights);
    assert_memory_not_equal(&now.habits, &style_of(&beginner)->value.habits, sizeof now.habits);
    assert_int_equal(trainer->state.past_count, 2);
    assert_memory_equal(&trainer->state.past[0], &before.learned.style[0].value, sizeof now);
    assert_memory_equal(&beginner, &before, sizeof before);
    trainer_free(trainer);
}

/* It begins as the first. */
static void several_opponents_never_learn(void **state) {
    (void)state;
    struct opponent before[2];
    struct value now;
    memcpy(before, pair, sizeof before);
    struct trainer *trainer = enter_against(pair, 2, 2);
    trainer_value(trainer, &now);
    assert_memory_equal(&now, &style_of(&pair[0])->value, sizeof now);
    for (uint32_t i = 0; i < style_of(&pair[0])->setups; i++)
        assert_memory_equal(&trainer->state.camp.setup[i], &style_of(&pair[0])->setup[i],
                            sizeof(struct setup));
    learn(trainer, 10);
    trainer_value(trainer, &now);
    assert_memory_not_equal(&now.weights, &style_of(&pair[0])->value.weights, sizeof now.weights);
    assert_memory_equal(pair, before, sizeof before);
    trainer_free(trainer);
}

/* The trainer after a class, if the learner begins as the beginner. The caller frees. */
static struct trainer *class_against(const struct opponent *opponents, int count) {
    struct trainer *trainer = enter_against(&beginner, 1, 2);
    opponents_meet(&trainer->roster, opponents, count);
    learn(trainer, 1);
    return trainer;
}

/* Told that one army in five is unusual: a kind that never began at a sign still may, and shares of
 * signs still sum to one. So it is with what began beside a flag; of kinds that can move that tells
 * nothing. Signs of another sort are as they were counted. */
static void unusual_armies_may_begin_anywhere(void **state) {
    (void)state;
    struct habit_counts counts = {0};
    struct habits even, habits;
    const kind_id flag = rules_kind_named(rules, "flag"), spy = rules_kind_named(rules, "spy");
    habits_even(&even);
    counts.seen[SIGN_START][flag] = counts.seen[SIGN_START + 1][spy] = 1000000000;
    counts.seen[SIGN_STOOD][flag] = counts.seen[SIGN_STOOD + 1][spy] = 1000000000;
    counts.seen[SIGN_BESIDE][flag] = counts.seen[SIGN_BESIDE + 1][spy] = 1000000000;
    habits_learn(&counts, rules, &even, 0.001, 0.2, &habits);
    assert_int_equal(habits.ratio[SIGN_START + 1][flag], 51); /* a fifth of 256 */
    assert_int_equal(habits.ratio[SIGN_START][spy], 51);
    assert_int_equal(habits.ratio[SIGN_START][flag] + habits.ratio[SIGN_START + 1][flag], 512);
    assert_int_equal(habits.ratio[SIGN_STOOD + 1][flag], 4); /* the least that is learned */
    assert_int_equal(habits.ratio[SIGN_BESIDE + 1][flag], 51);
    assert_int_equal(habits.ratio[SIGN_BESIDE][spy], HABIT_UNIT); /* it can move */
}

/* With as many opponents as games some are another: eight that stand together, or every eighth.
 * Each eight changes what a class learns, and the changes of its plies by all eights of a kind are
 * together those of meeting the other only. So each opponent had one game. */
static void opponents_are_met_evenly(void **state) {
    (void)state;
    if (sanitized()) skip();
    enum { EIGHTS = CLASS_GAMES / 8 };
    struct opponent other = pair[1], *all = malloc(CLASS_GAMES * sizeof *all);
    assert_non_null(all);
    int32_t *weights = &style_of(&other)->value.weights.own[0][0];
    for (int i = 0; i < TERMS; i++) weights[i] *= -1;
    struct trainer *usual = class_against(&beginner, 1), *unlike = class_against(&other, 1);
    const double plies = usual->state.plies;
    for (int together = 0; together < 2; together++) {
        double change = 0;
        for (int eight = 0; eight < EIGHTS; eight++) {
            for (int i = 0; i < CLASS_GAMES; i++)
                all[i] = (together ? i / 8 : i % EIGHTS) == eight ? other : beginner;
            struct trainer *trainer = class_against(all, CLASS_GAMES);
            assert_memory_not_equal(&trainer->state.fit, &usual->state.fit,
                                    sizeof trainer->state.fit);
            change += trainer->state.plies - plies;
            trainer_free(trainer);
        }
        assert_true(fabs(change) > 1);
        assert_true(fabs(change - (unlike->state.plies - plies)) < 1e-6);
    }
    trainer_free(usual);
    trainer_free(unlike);
    free(all);
}

/* Points against two, in either order, are those against each. */
static void the_score_is_against_all_opponents(void **state) {
    (void)state;
    enum { GAMES = 256 };
    const struct opponent turned[] = {pair[1], pair[0]};
    struct trainer *trainer = enter_against(pair, 2, 2);
    double score[4];
    for (int i = 0; i < 4; i++) {
        opponents_meet(&trainer->roster, i == 1 ? turned : &pair[i == 3], i < 2 ? 2 : 1);
        score[i] = trainer_compare_first(trainer, GAMES, &CHANCE);
    }
    assert_true(score[2] != score[3] && score[0] != score[2] && score[1] != score[3]);
    assert_true(score[0] + score[1] == score[2] + score[3]);
    trainer_free(trainer);
}

static void it_learns_to_beat_its_opponent(void **state) {
    (void)state;
    if (sanitized()) skip();
    struct value later;
    struct trainer *trainer = enter_against(&beginner, 1, 2);
    const double first = trainer_compare_first(trainer, 600, &CHANCE);
    assert_true(first > 42 && first < 58); /* it begins as that */
    learn(trainer, 40);
    trainer_value(trainer, &later);
    assert_true(trainer_compare(trainer, &later, &style_of(&beginner)->value, 600, &CHANCE) > 55);
    assert_true(trainer_compare_first(trainer, 600, &CHANCE) > 58);
    trainer_free(trainer);
}

/* Does the variant have its row, or its kind? */
static bool can_show(int sign) {
    if (sign < SIGN_MOVES) return sign < rules->board.zone_ranks[RED] * SIGN_START_PLACES;
    if (sign < SIGN_DARED || sign >= SIGN_STOOD) return true;
    return (sign < SIGN_FLED ? sign - SIGN_DARED : sign - SIGN_FLED) <= rules->kinds;
}

/* For the kinds that there are. */
static void assert_same_value(const struct value *one, const struct value *other) {
    const struct terms *first = &one->weights, *second = &other->weights;
    assert_memory_equal(first->own[1], second->own[1], rules->kinds * sizeof first->own[1]);
    assert_memory_equal(first->enemy[1], second->enemy[1], rules->kinds * sizeof first->enemy[1]);
    assert_memory_equal(first->whole, second->whole, sizeof first->whole);
    for (int sign = 0; sign < SIGNS; sign++)
        if (can_show(sign))
            assert_memory_equal(&one->habits.ratio[sign][1], &other->habits.ratio[sign][1],
                                rules->kinds * sizeof one->habits.ratio[sign][1]);
}

static void assert_same_style(const struct style *one, const struct style *other) {
    assert_same_value(&one->value, &other->value);
    assert_int_equal(one->setups, other->setups);
    assert_memory_equal(one->setup, other->setup, one->setups * sizeof *one->setup);
}

/* Weights, habits and the best set-ups come back as they were. */
static void what_was_learned_can_be_an_opponent(void **state) {
    (void)state;
    struct fault fault = {0};
    struct style style;
    struct trainer *trainer = enter_against(&beginner, 1, 2);
    struct learned *learned = malloc(sizeof *learned);
    learn(trainer, 3);
    char *text = written(trainer);
    assert_non_null(strstr(text, "`ensign learn barrage --against beginner.lua --seed 7 "));
    assert_true(files_replace(path, text, strlen(text), &fault));
    if (!loader_learned(support_folders(), path, rules, learned, &fault))
        fail_msg("%s", fault.text);
    trainer_style(trainer, &style);
    assert_int_equal(learned->styles, 1);
    assert_same_style(&learned->style[0], &style);
    assert_int_equal(style.setups, CAMP_KEPT);
    free(text);
    free(learned);
    trainer_free(trainer);
}

/* Short stages: the first ends after four classes, each other one after two. */
static struct trainer *enter_league(int jobs) {
    struct trainer *trainer = enter(jobs);
    trainer->stage = 2;
    return trainer;
}

/* What was learned until then is the first style; the next stage begins as that. */
static void a_stage_ends_with_a_style_of_the_league(void **state) {
    (void)state;
    struct trainer *trainer = enter_league(2), *endless = enter(2);
    const struct league *league = &trainer->state.league;
    struct style style;
    struct value now;
    learn(trainer, 3);
    assert_int_equal(league->count, 0);
    learn(trainer, 1);
    learn(endless, 4);
    trainer_style(endless, &style);
    assert_int_equal(league->count, 1);
    assert_memory_equal(&league->style[0].value, &style.value, sizeof style.value);
    assert_memory_equal(league->style[0].setup, style.setup, sizeof style.setup);
    assert_true(league->share[0] == 1);
    trainer_value(trainer, &now);
    assert_memory_equal(&now, &style.value, sizeof now);
    assert_memory_equal(trainer->state.camp.setup, style.setup, sizeof *style.setup);
    learn(trainer, 1);
    assert_int_equal(league->count, 1);
    learn(trainer, 1);
    assert_int_equal(league->count, 2);
    assert_memory_equal(&league->style[0].value, &style.value, sizeof style.value);
    assert_memory_not_equal(&league->style[1].value, &style.value, sizeof style.value);
    trainer_free(trainer);
    trainer_free(endless);
}

static void expect_rivals(const struct trainer *trainer, int itself, int older, int met) {
    int games[3] = {0};
    for (int i = 0; i < CLASS_GAMES; i++) games[trainer_rival(trainer, i)]++;
    assert_int_equal(games[ITSELF], itself);
    assert_int_equal(games[OLDER_SELF], older);
    assert_int_equal(games[SOMEBODY_MET], met);
}

static void half_the_games_are_against_older_selves_and_then_a_quarter(void **state) {
    (void)state;
    struct trainer *trainer = enter(1), *against = enter_against(&beginner, 1, 1);
    expect_rivals(trainer, CLASS_GAMES / 2, CLASS_GAMES / 2, 0);
    roster_add(&trainer->roster, style_of(&beginner), 1);
    expect_rivals(trainer, CLASS_GAMES / 4, CLASS_GAMES / 4, CLASS_GAMES / 2);
    expect_rivals(against, 0, 0, CLASS_GAMES);
    trainer_free(trainer);
    trainer_free(against);
}

/* Each with its own set-ups. */
static void a_stage_learns_to_beat_the_league(void **state) {
    (void)state;
    if (sanitized()) skip();
    struct trainer *trainer = enter(2);
    trainer->stage = 40;
    const struct league *league = &trainer->state.league;
    learn(trainer, 120);
    assert_int_equal(league->count, 2);
    assert_true(league->points[1][0] > 0.52);
    assert_true(league->points[1][0] + league->points[0][1] == 1);
    assert_true(league->share[1] > league->share[0]);
    trainer_free(trainer);
}

static void a_league_is_the_same_with_threads_and_after_an_interruption(void **state) {
    (void)state;
    static const int breaks[] = {4, 3, 5, 8}; /* 4: between two stages */
    const size_t count = sanitized() ? 1 : sizeof breaks / sizeof *breaks;
    struct fault fault = {0};
    struct trainer *whole = enter_league(3);
    learn(whole, 9);
    assert_int_equal(whole->state.league.count, 3);
    for (size_t i = 0; i < count; i++) {
        struct trainer *first = enter_league(1), *second = enter_league(2);
        learn(first, breaks[i]);
        if (!trainer_save(first, path, &fault)) fail_msg("%s", fault.text);
        if (!trainer_load(second, path, &fault)) fail_msg("%s", fault.text);
        learn(second, 9 - breaks[i]);
        assert_same(whole, second);
        trainer_free(first);
        trainer_free(second);
    }
    trainer_free(whole);
}

/* All styles that are played come back, by their shares, and no others; with the habits that are
 * given out. */
static void styles_of_a_league_can_be_opponents(void **state) {
    (void)state;
    struct fault fault = {0};
    struct trainer *trainer = enter_league(2);
    struct league *league = &trainer->state.league;
    struct opponent *opponent = calloc(1, sizeof *opponent);
    assert_non_null(opponent);
    learn(trainer, 8);
    assert_int_equal(league->count, 3);
    league->share[0] = 0.25;
    league->share[1] = 0;
    league->share[2] = 0.75;
    char *text = written(trainer);
    assert_true(files_replace(path, text, strlen(text), &fault));
    if (!loader_learned(support_folders(), path, rules, &opponent->learned, &fault))
        fail_msg("%s", fault.text);
    assert_int_equal(opponent->learned.styles, 2);
    for (int i = 0; i < 2; i++) {
        struct style given = league->style[2 * i];
        trainer_give_habits(trainer, &league->style[2 * i].value.habits, &given.value.habits);
        assert_same_style(&opponent->learned.style[i], &given);
        assert_int_equal(opponent->learned.style[i].share, i ? 750 : 250);
    }
    struct trainer *answer = enter_against(opponent, 1, 2); /* begins as the style played most */
    struct value now;
    trainer_value(answer, &now);
    assert_memory_equal(&now, &opponent->learned.style[1].value, sizeof now);
    int met[2] = {0};
    for (uint64_t turn = 0; turn < 64; turn++)
        met[roster_turn(&answer->roster, turn) == &opponent->learned.style[1]]++;
    assert_int_equal(met[0], 16);
    learn(answer, 1);
    free(text);
    free(opponent);
    trainer_free(answer);
    trainer_free(trainer);
}

static struct trainer *enter_muster(const struct opponent *tables, int count, int jobs) {
    struct fault fault = {0};
    struct trainer *trainer = enter(jobs);
    if (!trainer_muster(trainer, tables, count, &fault)) fail_msg("%s", fault.text);
    return trainer;
}

/* Styles keep their weights and shares, and all their habits but those of starts, which are the
 * same for all. */
static void set_ups_are_learned_alone(void **state) {
    (void)state;
    struct opponent *table = calloc(1, sizeof *table), *again = calloc(1, sizeof *again);
    struct fault fault = {0};
    assert_true(table && again);
    *table = pair[0];
    table->learned.styles = 2;
    table->learned.style[1] = pair[1].learned.style[0];
    table->learned.style[0].share = 3;
    table->learned.style[1].value.weights.whole[WHOLE_LEAD] += 500;
    struct trainer *trainer = enter_muster(table, 1, 2);
    learn(trainer, 3);
    char *text = written(trainer);
    assert_non_null(strstr(text, " --repertoire beginner.lua --seed 7"));
    assert_true(files_replace(path, text, strlen(text), &fault));
    free(text);
    if (!loader_learned(support_folders(), path, rules, &again->learned, &fault))
        fail_msg("%s", fault.text);
    assert_int_equal(again->learned.styles, 2);
    const size_t after_starts = offsetof(struct habits, ratio[SIGN_MOVES]);
    for (int i = 0; i < 2; i++) {
        const struct style *was = &table->learned.style[i], *is = &again->learned.style[i];
        assert_int_equal(is->share, i ? 250 : 750);
        assert_memory_equal(&is->value.weights, &was->value.weights, sizeof was->value.weights);
        assert_memory_equal((const char *)&is->value.habits + after_starts,
                            (const char *)&was->value.habits + after_starts,
                            sizeof was->value.habits - after_starts);
        assert_int_equal(is->setups, REPERTOIRE_DEALT);
        for (uint32_t s = 0; s < is->setups; s++)
            assert_true(setup_check(rules, RED, &is->setup[s], NULL));
    }
    const struct habits *one = &again->learned.style[0].value.habits,
                        *other = &again->learned.style[1].value.habits;
    assert_memory_equal(one, other, after_starts);
    assert_memory_not_equal(one, &table->learned.style[0].value.habits, after_starts);
    trainer_free(trainer);
    free(table);
    free(again);
}

static void set_ups_are_the_same_with_threads_and_after_an_interruption(void **state) {
    (void)state;
    const int classes = sanitized() ? 20 : 36, before = classes / 2; /* weights step after 16 */
    struct fault fault = {0};
    struct trainer *whole = enter_muster(pair, 2, 3), *first = enter_muster(pair, 2, 1),
                   *second = enter_muster(pair, 2, 2);
    learn(whole, classes);
    learn(first, before);
    if (!trainer_save(first, path, &fault)) fail_msg("%s", fault.text);
    if (!trainer_load(second, path, &fault)) fail_msg("%s", fault.text);
    learn(second, classes - before);
    assert_same(whole, second);
    for (int role = 0; role < REPERTOIRE_ROLES; role++) {
        const double *weight = whole->state.repertoire.standing[role].weight;
        assert_true(weight[0] != weight[1]);
    }
    trainer_free(whole);
    trainer_free(first);
    trainer_free(second);
}

/* Of a table whose set-ups are any at all. */
static void learned_set_ups_are_better_than_any(void **state) {
    (void)state;
    if (sanitized()) skip();
    struct opponent *table = calloc(1, sizeof *table);
    struct random random = random_stream(9, STREAM_PLAYOUT, 0);
    assert_non_null(table);
    *table = beginner;
    struct style *style = style_of(table);
    for (uint32_t i = 0; i < style->setups; i++)
        assert_true(setup_random(rules, RED, &random, &style->setup[i], NULL));
    struct trainer *trainer = enter_muster(table, 1, 2);
    learn(trainer, 128);
    assert_true(trainer_compare_first(trainer, 600, &CHANCE) > 55);
    trainer_free(trainer);
    free(table);
}

static void expect_other_state(struct trainer *saved, struct trainer *loaded) {
    struct fault fault = {0};
    saved->state.classes = 1;
    assert_true(trainer_save(saved, path, &fault));
    assert_false(trainer_load(loaded, path, &fault));
    assert_non_null(strstr(fault.text, "is about other opponents or set-ups, "));
    assert_int_equal(loaded->state.classes, 0);
    trainer_free(saved);
    trainer_free(loaded);
}

static void set_ups_are_not_learned_on_with_other_tables(void **state) {
    (void)state;
    const struct opponent turned[] = {pair[1], pair[0]};
    expect_other_state(enter_muster(pair, 2, 1), enter_muster(turned, 2, 1));
    expect_other_state(enter_muster(pair, 2, 1), enter_muster(pair, 1, 1));
    expect_other_state(enter_muster(pair, 1, 1), enter_against(pair, 1, 1));
    expect_other_state(enter_against(pair, 1, 1), enter_muster(pair, 1, 1));
    expect_other_state(enter_muster(pair, 1, 1), enter(1));
    expect_other_state(enter(1), enter_muster(pair, 1, 1));
}

static void expect_stranger(const struct opponent *saved, int saved_count,
                            const struct opponent *loaded, int loaded_count) {
    struct fault fault = {0};
    struct trainer *first = enter_against(saved, saved_count, 1);
    struct trainer *second = enter_against(loaded, loaded_count, 1);
    first->state.classes = 1;
    assert_true(trainer_save(first, path, &fault));
    assert_false(trainer_load(second, path, &fault));
    assert_int_equal(fault.status, STATUS_TEXT);
    assert_string_equal(fault.text, "is about other opponents or set-ups, or another order of them "
                                    "(--against, --repertoire); remove it to begin anew");
    assert_int_equal(second->state.classes, 0);
    trainer_free(first);
    trainer_free(second);
}

static void learning_does_not_go_on_against_another_opponent(void **state) {
    (void)state;
    struct opponent other = beginner;
    expect_stranger(&beginner, 1, NULL, 0);
    expect_stranger(NULL, 0, &beginner, 1);
    style_of(&other)->value.weights.whole[WHOLE_LEAD]++;
    expect_stranger(&beginner, 1, &other, 1);
    other = beginner;
    style_of(&other)->value.habits.ratio[SIGN_STOOD][1]++;
    expect_stranger(&beginner, 1, &other, 1);
    other = beginner;
    style_of(&other)->setups--;
    expect_stranger(&other, 1, &beginner, 1);
}

static void learning_does_not_go_on_against_opponents_in_another_order(void **state) {
    (void)state;
    const struct opponent turned[] = {pair[1], pair[0]}, twice[] = {pair[0], pair[0]};
    expect_stranger(pair, 2, turned, 2);
    expect_stranger(pair, 2, pair, 1);
    expect_stranger(pair, 1, pair, 2);
    expect_stranger(pair, 2, twice, 2);
    expect_stranger(twice, 2, pair, 1);
}

static void expect_refused(const char *text, size_t length, const char *why) {
    struct fault fault = {0};
    struct trainer *trainer = enter(1);
    struct trainer_state *before = malloc(sizeof *before);
    assert_non_null(before);
    memcpy(before, &trainer->state, sizeof *before);
    assert_true(files_replace(path, text, length, &fault));
    assert_false(trainer_load(trainer, path, &fault));
    assert_int_equal(fault.status, STATUS_TEXT);
    assert_string_equal(fault.file, path);
    if (!strstr(fault.text, why)) fail_msg("%s", fault.text);
    assert_memory_equal(before, &trainer->state, sizeof *before);
    free(before);
    trainer_free(trainer);
}

static void a_file_of_something_else_is_refused(void **state) {
    (void)state;
    struct fault fault = {0};
    struct trainer *trainer = enter(1);
    size_t length;
    learn(trainer, 1);
    assert_true(trainer_save(trainer, path, &fault));
    char *text = files_read(path, 1 << 24, &length, &fault);
    assert_non_null(text);
    static const size_t lengths[] = {0, 1, 7, 8, 1000};
    for (size_t i = 0; i < 5; i++) expect_refused(text, lengths[i], "does not hold");
    expect_refused(text, length - 1, "does not hold");
    for (size_t at = 0; at < length; at += length / 9) {
        text[at] = (char)(text[at] ^ 16);
        expect_refused(text, length, "does not hold");
        text[at] = (char)(text[at] ^ 16);
    }
    free(text);
    trainer_free(trainer);
}

/* Whose state is as long, but need not mean the same. */
static void a_file_of_another_version_is_refused(void **state) {
    (void)state;
    struct fault fault = {0};
    struct trainer *trainer = enter(1);
    size_t length;
    assert_true(trainer_save(trainer, path, &fault));
    char *text = files_read(path, 1 << 24, &length, &fault);
    assert_non_null(text);
    const uint64_t hash = digest_of(&trainer->state, sizeof trainer->state);
    memcpy(text + length - sizeof hash, &hash, sizeof hash);
    expect_refused(text, length, "does not hold what this version");
    free(text);
    trainer_free(trainer);
}

/* Learns with rules that are freed at once, and goes on with the others. */
static bool goes_on_after(struct rules *other_rules, struct fault *fault) {
    struct rules *const usual = rules;
    rules = other_rules;
    struct trainer *other = enter(1);
    assert_true(trainer_save(other, path, fault));
    trainer_free(other);
    rules_free(rules);
    rules = usual;
    struct trainer *trainer = enter(1);
    const bool goes_on = trainer_load(trainer, path, fault);
    trainer_free(trainer);
    return goes_on;
}

/* What is only shown of them does not count. */
static void learning_goes_on_with_the_same_rules_alone(void **state) {
    (void)state;
    for (int change = 0; change < 5; change++) {
        struct fault fault = {0};
        struct rules *other = support_rules(change == 4 ? "duel" : "barrage");
        if (change == 0) strcpy(other->title, "Another title");
        if (change == 1) other->limits.no_attack++;
        if (change == 2) other->two_squares = 0;
        if (change == 3) other->outcome[1][2] = BOTH_FALL;
        const bool goes_on = goes_on_after(other, &fault);
        assert_int_equal(goes_on, change == 0);
        if (change > 0 && !strstr(fault.text, "is about other rules; remove it to begin anew"))
            fail_msg("change %d: %s", change, fault.text);
    }
}

/* One number of a state, or some bytes, that cannot have been learned. */
static void forge(struct trainer_state *made, int change) {
    static const double not_numbers[] = {(double)NAN, (double)INFINITY, -(double)INFINITY, 1e308};
    struct style *style = &made->league.style[0];
    double *const numbers[] = {&made->fit.first[5],
                               &made->fit.own[TERMS - 1],
                               &made->fit.shared[0],
                               &made->fit.weight[40],
                               &made->fit.mean[40],
                               &made->fit.bend[3][3],
                               &made->fit.bend[7][2],
                               &made->fit.surprise,
                               &made->camp.points[CAMP_SETUPS - 1],
                               &made->plies,
                               &made->draws,
                               &made->note[0].against_first,
                               &made->note[0].plies};
    enum { NUMBERS = sizeof numbers / sizeof *numbers, KINDS = 4 };
    made->notes = 1;
    if (change < NUMBERS * KINDS) {
        *numbers[change / KINDS] = not_numbers[change % KINDS];
        return;
    }
    switch (change - NUMBERS * KINDS) {
    case 0:
        made->past_count = 0;
        break;
    case 1:
        made->past_count = TRAINER_PAST + 1;
        break;
    case 2:
        made->notes = -1;
        break;
    case 3:
        made->rungs = TRAINER_RUNGS + 1;
        break;
    case 4:
        made->league.count = LEAGUE_MAX + 1;
        break;
    case 5:
        made->repertoire.count = REPERTOIRE_SETUPS + 1;
        break;
    case 6:
        made->repertoire.steps = -1;
        break;
    case 7:
        made->stage_began = made->classes + 1;
        break;
    case 8:
        made->classes = UINT64_MAX;
        break;
    case 9:
        made->fit.steps = UINT64_MAX;
        break;
    case 10:
        memset(&made->counts, 0xff, sizeof made->counts);
        break;
    case 11:
        made->past[0].weights.whole[0] = WEIGHT_MAX + 1;
        break;
    case 12:
        made->stage_first.weights.own[1][0] = INT32_MIN;
        break;
    case 13:
        memset(made->camp.setup[9].at, 0xee, sizeof made->camp.setup[9].at);
        break;
    case 14:
        memset(made->camp.setup[0].at, 0, sizeof made->camp.setup[0].at);
        break;
    case 15:
        made->camp.games[1] = UINT32_MAX;
        break;
    case 16:
        made->camp.points[1] = 2;
        break;
    case 17:
        made->camp.setup[3].at[BOARD_SQUARES_MAX - 1] = 1;
        break;
    case 18:
        made->rungs = 1, made->rung[0].against[1].wins = 3;
        break;
    case 19:
        made->rungs = 1, made->rung[0].games = UINT64_MAX;
        break;
    case 20:
        made->fit.bend[7][2] = 0.5;
        break; /* with nothing on the diagonal */
    default:
        *style = (struct style){.share = 1, .value = made->past[0]};
        made->league.count = 1;
        made->league.share[0] = 1;
        made->league.points[0][0] = 0.5;
    }
    switch (change - NUMBERS * KINDS) {
    case 21:
        style->setups = LEARNED_SETUPS_MAX + 1;
        break;
    case 22:
        style->setups = 1;
        break; /* with nothing on the board */
    case 23:
        style->share = 0;
        break;
    case 24:
        style->value.weights.whole[WHOLE_ONE] = -WEIGHT_MAX - 1;
        break;
    case 25:
        made->league.share[0] = 0.5;
        break;
    case 26:
        made->league.share[0] = (double)NAN;
        break;
    case 27:
        made->league.points[0][0] = (double)NAN;
        break;
    }
}

/* Whoever can count can make the hash right. */
static void what_cannot_have_been_learned_is_refused(void **state) {
    (void)state;
    enum { CHANGES = 13 * 4 + 28 };
    struct trainer *trainer = enter(1);
    struct trainer_state *made = malloc(sizeof *made + sizeof(uint64_t));
    assert_non_null(made);
    for (int change = 0; change < CHANGES; change++) {
        memcpy(made, &trainer->state, sizeof *made);
        forge(made, change);
        const uint64_t hash = trainer_hash(made);
        memcpy(made + 1, &hash, sizeof hash);
        expect_refused((const char *)made, sizeof *made + sizeof hash,
                       "does not hold what was learned: ");
    }
    free(made);
    trainer_free(trainer);
}

/* Of any bytes at all no bot comes that has numbers beyond their range. */
static void forged_bytes_do_no_harm(void **state) {
    (void)state;
    static const size_t parts[] = {
        offsetof(struct trainer_state, fit),        offsetof(struct trainer_state, habits),
        offsetof(struct trainer_state, camp),       offsetof(struct trainer_state, stage_first),
        offsetof(struct trainer_state, league),     offsetof(struct trainer_state, past),
        offsetof(struct trainer_state, plies),      offsetof(struct trainer_state, counts),
        offsetof(struct trainer_state, repertoire), offsetof(struct trainer_state, classes)};
    struct trainer *trainer = enter(1);
    struct trainer_state *made = malloc(sizeof *made + sizeof(uint64_t));
    struct random random = chance_random(&CHANCE, CHANCE_SETUP, 2);
    assert_non_null(made);
    for (uint32_t number = 0; number < 70; number++) {
        struct fault fault = {0};
        memcpy(made, &trainer->state, sizeof *made);
        for (uint32_t i = 0; i < 1 + number % 20; i++) {
            size_t at = parts[random_below(&random, 10)] + random_below(&random, 4096);
            ((unsigned char *)made)[at % sizeof *made] = (unsigned char)random_next(&random);
        }
        const uint64_t hash = trainer_hash(made);
        memcpy(made + 1, &hash, sizeof hash);
        assert_true(files_replace(path, (const char *)made, sizeof *made + sizeof hash, &fault));
        struct trainer *loaded = enter(1);
        if (trainer_load(loaded, path, &fault)) {
            if (number % 8 == 0) learn(loaded, 1);
            assert_null(trainer_check(rules, &loaded->state));
            free(written(loaded));
        } else {
            assert_int_equal(fault.status, STATUS_TEXT);
        }
        trainer_free(loaded);
    }
    free(made);
    trainer_free(trainer);
}

/* What failed is no loss of anybody: neither in learning nor in a comparison. */
static void a_call_that_fails_ends_learning(void **state) {
    (void)state;
    static const char text[] = "return { api = 1, extends = 'barrage', calls = {\n"
                               "turn_start = function() error('out of order') end } }";
    struct fault fault = {0};
    struct rules *const usual = rules;
    char variant[sizeof path + 4];
    snprintf(variant, sizeof variant, "%s.lua", path);
    assert_true(files_replace(variant, text, sizeof text - 1, &fault));
    rules = support_rules(variant);
    unlink(variant);
    for (int compares = 0; compares < 2; compares++) {
        struct trainer *trainer = enter(1);
        if (compares)
            assert_true(trainer_compare_first(trainer, 2, &CHANCE) <= 100);
        else
            trainer_class(trainer);
        if (!strstr(trainer->fault.text, "out of order")) fail_msg("%s", trainer->fault.text);
        trainer_free(trainer);
    }
    rules_free(rules);
    rules = usual;
}

/* Set-ups that others found good are played from the first class on, half of the camp at most; what
 * it begins with against opponents are theirs. */
static void guests_join_the_camp(void **state) {
    (void)state;
    enum { GUESTS = CAMP_GUESTS + 8 };
    struct setup guests[GUESTS];
    struct random random = random_stream(3, STREAM_PLAYOUT, 0);
    struct trainer *with = enter(1), *without = enter(1), *against = enter_against(&beginner, 1, 1);
    const struct camp other = against->state.camp;
    for (int i = 0; i < GUESTS; i++)
        assert_true(setup_random(rules, RED, &random, &guests[i], NULL));
    trainer_invite(with, guests, 3);
    assert_memory_equal(with->state.camp.setup, guests, 3 * sizeof *guests);
    assert_memory_equal(with->state.camp.setup + 3, without->state.camp.setup + 3,
                        (CAMP_SETUPS - 3) * sizeof *guests);
    trainer_invite(with, guests, GUESTS);
    assert_memory_equal(with->state.camp.setup, guests, CAMP_GUESTS * sizeof *guests);
    assert_memory_equal(with->state.camp.setup + CAMP_GUESTS,
                        without->state.camp.setup + CAMP_GUESTS,
                        (CAMP_SETUPS - CAMP_GUESTS) * sizeof *guests);
    learn(with, 1);
    learn(without, 1);
    assert_memory_not_equal(&with->state.fit, &without->state.fit, sizeof with->state.fit);
    trainer_invite(against, guests, GUESTS);
    assert_memory_equal(&against->state.camp, &other, sizeof other);
    trainer_free(with);
    trainer_free(without);
    trainer_free(against);
}

static int differing(const struct setup *one, const struct setup *other, bool mirrored) {
    struct setup turned = *other;
    int differ = 0;
    if (mirrored) setup_mirror(rules, other, &turned);
    for (square at = 0; at < rules->board.squares; at++) differ += one->at[at] != turned.at[at];
    return differ;
}

/* However long copies of the best replace the worst: the camp never comes to be one set-up. */
static void set_ups_of_a_camp_stay_apart(void **state) {
    (void)state;
    enum { ROUNDS = 400, LEAST = 10 };
    static struct measure measure;
    static struct camp camp;
    struct random random = random_stream(5, STREAM_PLAYOUT, 0);
    measure_make(&measure, rules);
    camp_begin(&camp, &measure, &random);
    const struct camp first = camp;
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < CAMP_SETUPS; i++) {
            camp.games[i] = LEAST;
            camp.points[i] = random_below(&random, LEAST + 1);
        }
        camp_improve(&camp, &measure, &random, LEAST, 0.5);
    }
    int kept = 0;
    for (int i = 0; i < CAMP_SETUPS; i++) {
        assert_true(setup_check(rules, RED, &camp.setup[i], NULL));
        kept += differing(&camp.setup[i], &first.setup[i], false) == 0;
        for (int j = 0; j < i; j++) {
            assert_true(differing(&camp.setup[i], &camp.setup[j], false) >= CAMP_APART);
            assert_true(differing(&camp.setup[i], &camp.setup[j], true) >= CAMP_APART);
        }
    }
    assert_true(kept < CAMP_SETUPS / 8);
}

enum { RECORDED = 32, RECORDED_PLIES = 60 };

/* Games of random moves whose red, a stranger, always lays out the same army. */
static void make_examples(struct examples *examples, uint64_t seed) {
    struct game game;
    struct ply plies[RECORDED_PLIES + 1];
    struct move moves[512];
    *examples =
        (struct examples){.list = calloc(RECORDED, sizeof *examples->list), .mark = seed | 1};
    assert_non_null(examples->list);
    for (int g = 0; g < RECORDED; g++) {
        struct random random = random_stream(seed, STREAM_PLAYOUT, (uint64_t)g);
        struct example *example = &examples->list[examples->count++];
        *example = (struct example){.strange = {true, false}, .has_setup = {true, false}};
        example->moves = malloc(RECORDED_PLIES * sizeof *example->moves);
        assert_non_null(example->moves);
        example->setups[RED] = style_of(&beginner)->setup[0];
        assert_true(setup_random(rules, RED, &random, &example->setups[BLUE], NULL));
        position_from_setups(rules, &example->setups[RED], &example->setups[BLUE], RED,
                             &example->start);
        game_start(&game, rules, &example->start, NULL, plies, RECORDED_PLIES + 1);
        while (!game_over(&game) && example->count < RECORDED_PLIES) {
            const uint32_t count = (uint32_t)game_moves(&game, moves, 512);
            const struct move chosen = moves[random_below(&random, count)];
            example->moves[example->count++] = chosen;
            game_play(&game, chosen, NULL);
        }
    }
    examples_hold(examples);
}

static struct trainer *enter_shown(const struct examples *examples, int share, int jobs) {
    struct fault fault = {0};
    struct trainer *trainer = enter(jobs);
    if (!trainer_show(trainer, examples, share, &fault)) fail_msg("%s", fault.text);
    return trainer;
}

static void one_example_in_eight_is_held_back(void **state) {
    (void)state;
    struct examples examples;
    make_examples(&examples, 3);
    const struct move *eighth = examples.list[examples.taught].moves;
    assert_int_equal(examples.count, RECORDED);
    assert_int_equal(examples.taught, RECORDED - RECORDED / EXAMPLES_HELD_EVERY);
    for (size_t i = 0; i < examples.taught; i++)
        assert_ptr_not_equal(examples.list[i].moves, eighth);
    examples_clear(&examples);
}

/* Of all kinds together, a piece. */
static double loss_of(const struct examples *examples, const struct habits *habits) {
    struct fault fault = {0};
    struct belief_loss loss;
    double sum = 0, pieces = 0;
    if (!examples_loss(examples, rules, habits, &loss, &fault)) fail_msg("%s", fault.text);
    for (int p = 0; p < LOSS_PHASES; p++) {
        for (int k = 0; k < KINDS_MAX; k++) {
            sum += loss.sum[p][k];
            pieces += loss.pieces[p][k];
        }
    }
    return sum / pieces;
}

/* Games held back show it: there, too, red's pieces begin where they did. */
static double outside_loss(const struct examples *examples, const struct trainer *trainer) {
    struct habits habits;
    trainer_give_habits(trainer, &trainer->state.habits, &habits);
    return loss_of(examples, &habits);
}

static void habits_of_examples_are_learned_by_their_share(void **state) {
    (void)state;
    struct examples examples;
    struct habits even;
    make_examples(&examples, 3);
    struct trainer *without = enter(2), *some = enter_shown(&examples, 20, 2);
    struct trainer *all = enter_shown(&examples, 100, 2);
    learn(without, 2);
    learn(some, 2);
    learn(all, 2);
    habits_even(&even);
    const double by_counts = loss_of(&examples, &even);
    const double by_all = outside_loss(&examples, all);
    const double by_some = outside_loss(&examples, some);
    assert_true(by_all < by_counts - 0.2);
    assert_true(by_all < by_some - 0.05);
    assert_true(by_some < outside_loss(&examples, without) - 0.05);
    trainer_free(without);
    trainer_free(some);
    trainer_free(all);
    examples_clear(&examples);
}

/* Those of red, who is no stranger here, show nothing. */
static void only_strangers_show_habits(void **state) {
    (void)state;
    struct fault fault = {0};
    struct examples examples;
    struct habit_counts counts = {0}, none = {0};
    make_examples(&examples, 3);
    for (size_t i = 0; i < examples.count; i++) examples.list[i].strange[RED] = false;
    assert_true(examples_count(&examples, rules, &counts, &fault));
    assert_memory_equal(&counts, &none, sizeof counts);
    for (size_t i = 0; i < examples.count; i++) examples.list[i].strange[RED] = true;
    assert_true(examples_count(&examples, rules, &counts, &fault));
    assert_memory_not_equal(&counts, &none, sizeof counts);
    examples_clear(&examples);
}

static void learning_with_examples_goes_on_with_the_same_ones_alone(void **state) {
    (void)state;
    struct fault fault = {0};
    struct examples examples, others;
    make_examples(&examples, 3);
    make_examples(&others, UINT64_C(4) << 40);
    examples.mark = UINT64_C(3) << 40 | 1;
    struct trainer *whole = enter_shown(&examples, 50, 1), *first = enter_shown(&examples, 50, 2);
    struct trainer *second = enter_shown(&examples, 50, 1), *other = enter_shown(&others, 50, 1);
    learn(whole, 2);
    learn(first, 1);
    if (!trainer_save(first, path, &fault)) fail_msg("%s", fault.text);
    assert_false(trainer_load(other, path, &fault));
    fault = (struct fault){0};
    if (!trainer_load(second, path, &fault)) fail_msg("%s", fault.text);
    learn(second, 1);
    assert_same(whole, second);
    trainer_free(whole);
    trainer_free(first);
    trainer_free(second);
    trainer_free(other);
    examples_clear(&examples);
    examples_clear(&others);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_number_of_threads_makes_no_difference),
        cmocka_unit_test(learning_goes_on_where_it_was_interrupted),
        cmocka_unit_test(the_same_is_learned_on_every_machine),
        cmocka_unit_test(what_is_learned_is_better_than_the_beginning),
        cmocka_unit_test(an_opponent_plays_without_chance_and_counts_nothing),
        cmocka_unit_test(an_opponent_never_learns),
        cmocka_unit_test(several_opponents_never_learn),
        cmocka_unit_test(unusual_armies_may_begin_anywhere),
        cmocka_unit_test(opponents_are_met_evenly),
        cmocka_unit_test(the_score_is_against_all_opponents),
        cmocka_unit_test(it_learns_to_beat_its_opponent),
        cmocka_unit_test(what_was_learned_can_be_an_opponent),
        cmocka_unit_test(a_stage_ends_with_a_style_of_the_league),
        cmocka_unit_test(half_the_games_are_against_older_selves_and_then_a_quarter),
        cmocka_unit_test(a_stage_learns_to_beat_the_league),
        cmocka_unit_test(a_league_is_the_same_with_threads_and_after_an_interruption),
        cmocka_unit_test(styles_of_a_league_can_be_opponents),
        cmocka_unit_test(set_ups_are_learned_alone),
        cmocka_unit_test(set_ups_are_the_same_with_threads_and_after_an_interruption),
        cmocka_unit_test(learned_set_ups_are_better_than_any),
        cmocka_unit_test(set_ups_are_not_learned_on_with_other_tables),
        cmocka_unit_test(learning_does_not_go_on_against_another_opponent),
        cmocka_unit_test(learning_does_not_go_on_against_opponents_in_another_order),
        cmocka_unit_test(guests_join_the_camp),
        cmocka_unit_test(set_ups_of_a_camp_stay_apart),
        cmocka_unit_test(one_example_in_eight_is_held_back),
        cmocka_unit_test(habits_of_examples_are_learned_by_their_share),
        cmocka_unit_test(only_strangers_show_habits),
        cmocka_unit_test(learning_with_examples_goes_on_with_the_same_ones_alone),
        cmocka_unit_test(a_file_of_something_else_is_refused),
        cmocka_unit_test(a_file_of_another_version_is_refused),
        cmocka_unit_test(learning_goes_on_with_the_same_rules_alone),
        cmocka_unit_test(what_cannot_have_been_learned_is_refused),
        cmocka_unit_test(forged_bytes_do_no_harm),
        cmocka_unit_test(a_call_that_fails_ends_learning),
    };
    return cmocka_run_group_tests_name("host/trainer", tests, load, drop);
}
