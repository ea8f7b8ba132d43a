/* lesson.c - a lesson: steps to play, each from a position.
 *
 * A step is an ordinary game from a position. Its referee admits only the line's moves: another
 * legal move is refused with the lesson's words, an illegal one with the game's own. */
#include "lesson.h"

#include "base/files.h"
#include "base/lines.h"
#include "core/text/layout.h"
#include "playback.h"

#include <stdlib.h>
#include <string.h>

enum { LESSON_BYTES_MAX = 1 << 20 };

static const char STEP[] = "[Step \"";

/* The next line that begins a step, from `at` on; NULL: none. */
static const char *next_step(const char *text, const char *at) {
    while ((at = strstr(at, STEP)) && at > text && at[-1] != '\n' && at[-1] != '\r') at++;
    return at;
}

static bool read_step(struct lesson_step *step, const char *text, size_t length,
                      struct fault *fault) {
    static const char *const needed[] = {"Variant", "Position", "Task"};
    step->record = record_read(text, length, fault);
    if (!step->record) return fault_set(fault, STATUS_NO_MEMORY, "out of memory");
    if (step->record->damaged) return false;
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        if (!record_tag(step->record, needed[i]))
            return fault_set(fault, STATUS_TEXT, "this step has no tag \"%s\"", needed[i]);
    if (!step->record->move_count)
        return fault_set(fault, STATUS_TEXT, "this step has no moves; its task is the last one");
    step->title = record_tag(step->record, "Step");
    step->text = record_tag_or(step->record, "Text", "");
    step->task = record_tag(step->record, "Task");
    step->done = record_tag_or(step->record, "Done", "");
    return true;
}

/* The line of a fault of the step that begins at `first`. */
static int line_in_file(const struct fault *fault, int first) {
    return fault->line ? fault->line + first - 1 : first;
}

bool lesson_read(struct lesson *lesson, const char *path, struct fault *fault) {
    size_t length;
    *lesson = (struct lesson){.count = 0};
    char *text = files_read_text(path, LESSON_BYTES_MAX, &length, fault);
    if (!text) return false;
    bool good = true;
    const char *at = next_step(text, text);
    if (!at) good = fault_set(fault, STATUS_TEXT, "no step begins here, expected [Step \"TITLE\"]");
    if (!good) fault_place(fault, path, 0, 0);
    for (const char *end; good && at; at = end) {
        int line = lines_number(text, at);
        end = next_step(text, at + 1);
        if (lesson->count == LESSON_STEPS_MAX) {
            good = fault_set(fault, STATUS_TEXT, "too many steps, at most %d", LESSON_STEPS_MAX);
            fault_place(fault, path, line, 0);
            break;
        }
        struct lesson_step *step = &lesson->step[lesson->count++];
        step->line = line;
        good = read_step(step, at, end ? (size_t)(end - at) : strlen(at), fault);
        if (!good) fault_place(fault, path, line_in_file(fault, line), 0);
    }
    free(text);
    return good;
}

void lesson_clear(struct lesson *lesson) {
    for (int i = 0; i < lesson->count; i++) record_free(lesson->step[i].record);
    lesson->count = 0;
}

static bool other_move(void *self, const struct view *view, const struct move *moves, size_t count,
                       struct answer *answer, struct fault *fault) {
    const struct lesson_play *play = self;
    const struct record *line = play->step->record;
    (void)moves, (void)count, (void)fault;
    answer->type = view->plies < line->move_count ? ANSWER_TEXT : ANSWER_QUIT;
    if (answer->type == ANSWER_TEXT)
        snprintf(answer->text, sizeof answer->text, "%s", line->moves[view->plies].text);
    return true;
}

bool lesson_begin(struct lesson_play *play, const struct lesson_step *step,
                  const struct rules *rules, struct fault *fault) {
    struct playback replay;
    const bool even = step->record->move_count % 2 == 0;
    *play = (struct lesson_play){.step = step};
    bool good = record_start(step->record, rules, &play->position, &play->limits, fault) &&
                playback_open(&replay, step->record, rules, fault);
    if (good) {
        good = playback_run(&replay, UINT32_MAX, fault);
        playback_close(&replay);
    }
    if (!good) fault_place(fault, NULL, line_in_file(fault, step->line), 0);
    play->learner = even ? side_other(play->position.to_move) : play->position.to_move;
    play->other = (struct player){.name = "lesson", .self = play, .move = other_move};
    return good;
}

/* Refuses whatever is legal but not the next move of the line. */
static bool lesson_admits(void *context, const struct session *session, const struct answer *answer,
                          struct fault *fault) {
    const struct lesson_play *play = context;
    const struct record *line = play->step->record;
    const struct game *game = &session->game;
    const uint32_t ply = game->ply_count;
    if (game->to_move != play->learner || answer->type == ANSWER_QUIT) return true;
    if (answer->type == ANSWER_MOVE) {
        struct move task = {0};
        char made[MOVE_TEXT_MAX], wanted[MOVE_TEXT_MAX];
        if (game_judge(game, answer->move) != LEGAL) return true;
        if (ply < line->move_count)
            move_read(game, line->moves[ply].text, strlen(line->moves[ply].text), &task, NULL);
        move_write(game, answer->move, made);
        move_write(game, task, wanted);
        if (!strcmp(made, wanted)) return true;
    }
    return fault_set(fault, STATUS_ILLEGAL_MOVE, "%s", play->refusal);
}

struct referee_options lesson_terms(struct lesson_play *play) {
    return (struct referee_options){.position = &play->position,
                                    .first = play->position.to_move,
                                    .limits = &play->limits,
                                    .admits = lesson_admits,
                                    .context = play};
}
