/* lesson.c - plays a lesson at the terminal: each step is a game from a position. */
#include "lesson.h"

#include "cli/cli.h"
#include "host/lesson.h"
#include "jail/loader.h"

#include <stdio.h>
#include <string.h>

struct schooling {
    struct front *front;
    const struct folders *folders;
    const struct language *language;
    struct lesson lesson;
    struct rules *rules;
    const char *variant; /* of the rules */
    const char *path;
};

static bool learn_rules(struct schooling *school, const struct lesson_step *step,
                        struct fault *fault) {
    const char *variant = record_tag(step->record, "Variant");
    if (school->rules && !strcmp(school->variant, variant)) return true;
    rules_free(school->rules);
    school->variant = variant;
    school->rules = loader_variant(school->folders, variant, fault);
    return school->rules;
}

/* The step at which to begin; -1: none. */
static int choose_step(struct schooling *school) {
    const struct lesson *lesson = &school->lesson;
    const char *titles[LESSON_STEPS_MAX];
    if (!school->front->asks || lesson->count == 1) return 0;
    for (int i = 0; i < lesson->count; i++)
        titles[i] = language_text(school->language, lesson->step[i].title);
    return school->front->choose(school->front->self,
                                 language_text(school->language, TEXT("The lesson: begin with")),
                                 titles, lesson->count);
}

/* Plays a step. False at the end: the user leaves, or there is a fault. */
static bool play_step(struct schooling *school, int number, struct fault *fault) {
    struct front *front = school->front;
    const struct lesson_step *step = &school->lesson.step[number];
    const struct language *language = school->language;
    struct lesson_play play;
    char heading[LANGUAGE_TEXT_MAX], task[LANGUAGE_TEXT_MAX];
    if (!learn_rules(school, step, fault)) return false;
    if (!lesson_begin(&play, step, school->rules, fault)) {
        fault_place(fault, school->path, 0, 0);
        return false;
    }
    struct front_lesson words = {.title = heading,
                                 .text = language_text(language, step->text),
                                 .task = task,
                                 .done = language_text(language, step->done),
                                 .plies = (uint32_t)step->record->move_count,
                                 .last = number + 1 == school->lesson.count};
    language_write(heading, sizeof heading, language, "Lesson, {1} of {2}: {3}",
                   NUMBER_TEXT(number + 1), NUMBER_TEXT(school->lesson.count),
                   language_text(language, step->title));
    language_write(task, sizeof task, language, "Your task: {1}",
                   language_text(language, step->task));
    play.refusal = language_text(language, TEXT("The rules allow that, but it is not your task."));
    const enum side other = side_other(play.learner);
    struct table_options options = {.rules = school->rules, .game = lesson_terms(&play)};
    options.ready[other] = &play.other;
    options.game.names[play.learner] = "human";
    struct table table;
    struct front_game game = {
        .table = &table, .names = {"human", "human"}, .eyes = -1, .lesson = &words};
    game.names[other] = language_text(language, TEXT("the lesson"));
    table_init(&table);
    front->begin(front->self, 1, heading);
    bool goes_on = table_open(&table, &options, fault) && front->play(front->self, &game, fault) &&
                   !words.leaves;
    table_close(&table);
    return goes_on;
}

int lesson_run(struct front *front, const struct folders *folders, const struct language *language,
               const char *path, int step) {
    struct schooling school = {.front = front, .folders = folders, .language = language};
    struct fault fault = {0};
    char stock[FOLDER_PATH_MAX + 16];
    snprintf(stock, sizeof stock, "%s/lesson.txt", folders->scripts);
    school.path = path ? path : stock;
    if (lesson_read(&school.lesson, school.path, &fault)) {
        if (step > school.lesson.count) {
            fault_set(&fault, STATUS_USAGE, "this lesson has %d steps, not %d", school.lesson.count,
                      step);
            fault_place(&fault, school.path, 0, 0);
        }
        int at = fault.status != STATUS_OK ? -1 : step ? step - 1 : choose_step(&school);
        while (at >= 0 && at < school.lesson.count && play_step(&school, at, &fault)) at++;
    }
    lesson_clear(&school.lesson);
    rules_free(school.rules);
    if (fault.status != STATUS_OK) front->complain(front->self, &fault);
    return status_exit_code(fault.status);
}
