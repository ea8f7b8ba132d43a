/* ui_lines.c - the interface in lines of text, at a terminal or through pipes.
 *
 * Through a pipe only the game itself asks questions: the program that writes the pipe would not
 * expect others. */
#include "arrange.h"
#include "cli/cli.h"
#include "cli/columns.h"
#include "cli/picture.h"
#include "cli/ui.h"
#include "host/playback.h"
#include "human.h"
#include "lua/logbook.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LESSON_COLUMNS = 80 };

/* Somebody who watches a game between two bots, and knows what both sides know together. At a
 * terminal every move is drawn and waits for Enter; in a pipe only the story is printed. */
struct spectator {
    struct line_input *input;
    struct table *table;
    int eyes; /* enum side whose view is shown, -1: both */
    struct story story;
    uint32_t heard;        /* tellings of the session */
    bool asked;            /* about this turn */
    unsigned long unasked; /* moves to play before asking again */
};

struct plain_ui {
    struct ui *ui;
    struct line_input input;

    /* Of a game. */
    struct table *table;
    struct human human[2];      /* the people, */
    struct spectator spectator; /* or whoever looks on */
    bool over, finished;        /* its end was heard, and was told */
};

/* Notes how a question ended. */
static void lines_note(struct plain_ui *lines) {
    lines->ui->ended = lines->input.ended;
    lines->ui->interrupted = lines->input.interrupted;
}

static void lines_say(void *self, const char *line) {
    struct plain_ui *lines = self;
    cli_line(lines->input.terminal.out, "%s", line);
}

/* Flushes earlier output first. */
static void lines_complain(void *self, const struct fault *fault) {
    struct plain_ui *lines = self;
    fflush(lines->input.terminal.out);
    cli_fail(fault);
}

static bool lines_agrees(void *self, const char *question) {
    struct plain_ui *lines = self;
    char prompt[512];
    snprintf(prompt, sizeof prompt, "%s (y/n)", question);
    bool agrees = line_input_agrees(&lines->input, prompt);
    lines_note(lines);
    return agrees;
}

static int lines_choose(void *self, const char *question, const char *const *items, int count) {
    struct plain_ui *lines = self;
    char line[LINE_INPUT_MAX], prompt[256];
    fprintf(lines->input.terminal.out, "%s\n", question);
    for (int i = 0; i < count; i++) cli_line(lines->input.terminal.out, "%3d  %s", i + 1, items[i]);
    snprintf(prompt, sizeof prompt, "1-%d> ", count);
    while (line_input_ask(&lines->input, prompt, line)) {
        char *end;
        long number = strtol(line, &end, 10);
        if (end > line && !*end && number >= 1 && number <= count) return (int)number - 1;
    }
    return -1;
}

static void lines_begin(void *self, int people, const char *summary) {
    struct plain_ui *lines = self;
    line_input_begin(&lines->input, people);
    lines_note(lines);
    lines_say(self, summary);
    fflush(lines->input.terminal.out); /* before any fault on standard error */
}

static bool lines_arrange(void *self, const struct rules *rules, enum side side,
                          struct random *random, struct setup *setup, struct fault *fault) {
    struct plain_ui *lines = self;
    bool arranged = arrange_ask(&lines->input, rules, side, random, setup, fault);
    lines_note(lines);
    return arranged;
}

/* Explains a step of a lesson before its game. */
static void explain_step(struct plain_ui *lines, const struct ui_lesson *lesson) {
    FILE *out = lines->input.terminal.out;
    columns_wrap(out, lesson->text, 0, 0, LESSON_COLUMNS);
    if (*lesson->text) fputc('\n', out);
    columns_wrap(out, lesson->task, 0, 0, LESSON_COLUMNS);
}

/* Says after the game what has been seen, and waits for the user to go on. */
static void end_step(struct plain_ui *lines, struct ui_lesson *lesson, bool broken_off) {
    struct line_input *input = &lines->input;
    char line[LINE_INPUT_MAX];
    lesson->leaves = broken_off;
    if (broken_off) return;
    columns_wrap(input->terminal.out, lesson->done, 0, 0, LESSON_COLUMNS);
    if (lesson->last) return;
    lesson->leaves =
        !line_input_ask(input,
                        language_text(input->language, TEXT("Enter: the next step, q: leave> ")),
                        line) ||
        line_input_quits(line);
    lines_note(lines);
}

enum { AT_ONCE_MAX = 1000000 }; /* more moves than any game has */

static void spectator_draw(const struct spectator *spectator) {
    const struct view *view = spectator->table->referee.session->eyes.view;
    struct picture picture;
    if (spectator->eyes < 0)
        picture_views(&picture, &view[RED], &view[BLUE]);
    else
        picture_view(&picture, &view[spectator->eyes]);
    picture_mark(&picture, spectator->story.from, spectator->story.to, spectator->story.target);
    terminal_draw(&spectator->input->terminal, &picture, NULL, 0);
}

/* Reads the number of moves to play before the next question. */
static bool read_count(const char *line, unsigned long *moves) {
    size_t length = strspn(line, "0123456789");
    if (line[length] || length > 7) return false;
    *moves = length ? strtoul(line, NULL, 10) : 1;
    return *moves >= 1 && *moves <= AT_ONCE_MAX;
}

/* Shows the position and asks how many moves to play. False if the user leaves. */
static bool pause_game(struct spectator *spectator) {
    char line[LINE_INPUT_MAX], prompt[256];
    const struct line_input *input = spectator->input;
    unsigned long moves;
    snprintf(prompt, sizeof prompt, "%s> ",
             language_text(input->language,
                           TEXT("Enter: next move; a number: that many moves; end; quit")));
    fprintf(input->terminal.out, "\n%s", spectator->story.text);
    spectator_draw(spectator);
    while (line_input_ask(spectator->input, prompt, line) && !line_input_quits(line)) {
        if (!strcmp(line, "end")) {
            spectator->unasked = UINT32_MAX;
            return true;
        }
        if (read_count(line, &moves)) {
            spectator->unasked = moves - 1;
            return true;
        }
        language_line(input->terminal.out, input->language,
                      "\"{1}\" is none of these: Enter, a number from 1 to {2}, end, quit.", line,
                      NUMBER_TEXT(AT_ONCE_MAX));
    }
    return false;
}

/* Called before the game goes on: waits, once a turn, until it may. False if the user leaves. */
static bool spectator_lets_go_on(struct spectator *spectator) {
    bool goes_on = true;
    if (spectator->asked || spectator->table->referee.session->over) return true;
    spectator->asked = true;
    if (spectator->input->terminal.screen && !spectator->unasked) {
        goes_on = pause_game(spectator);
    } else {
        fputs(spectator->story.text, spectator->input->terminal.out);
        if (spectator->unasked) spectator->unasked--;
    }
    story_clear(&spectator->story);
    return goes_on;
}

static void spectator_hear(struct spectator *spectator, const struct session *session) {
    const enum side teller = spectator->eyes == BLUE ? BLUE : RED;
    const struct view *view = &session->eyes.view[teller];
    spectator->asked = false;
    if (spectator->heard == session->tellings) return;
    spectator->heard = session->tellings;
    if (view->plies + 2 <= spectator->table->options.game.played_count)
        story_clear(&spectator->story); /* the last two turns are repeated */
    story_add(&spectator->story, spectator->input->language, view->rules,
              &session->eyes.told[teller]);
}

static void spectator_finish(const struct spectator *spectator) {
    fputs(spectator->story.text, spectator->input->terminal.out);
}

static void spectator_sit(struct spectator *spectator, struct line_input *input,
                          struct table *table, int eyes) {
    *spectator = (struct spectator){.input = input, .table = table, .eyes = eyes, .asked = true};
    story_clear(&spectator->story);
}

/* A table_listener's `hear`. Between two people the clock stands still from here on, until the one
 * to move has seen the board. */
static void lines_hear(void *context, const struct session *session, bool again) {
    struct plain_ui *lines = context;
    struct stopwatch *watch = table_watch(lines->table);
    (void)again;
    if (watch && lines->input.people == 2) stopwatch_hold(watch);
    for (int side = RED; side <= BLUE; side++)
        if (table_is_person(lines->table, (enum side)side))
            human_hear(&lines->human[side], session);
    if (!lines->input.people) spectator_hear(&lines->spectator, session);
    lines->over = session->over && session->started;
}

/* Tells the end of the game, before the players are done. */
static void tell_finish(struct plain_ui *lines) {
    if (!lines->over || lines->finished) return;
    lines->finished = true;
    for (int side = RED; side <= BLUE; side++)
        if (table_is_person(lines->table, (enum side)side)) human_finish(&lines->human[side]);
    if (!lines->input.people) spectator_finish(&lines->spectator);
}

/* Asks a person for what the game waits for. False with a fault if the host fails. */
static bool ask_person(struct plain_ui *lines, struct fault *fault) {
    struct referee *referee = &lines->table->referee;
    const enum side to_move = (enum side)referee->session->game.to_move;
    if (!referee->session->draw_offered) return human_move(&lines->human[to_move], fault);
    referee_answer_draw(referee, human_accepts_draw(&lines->human[side_other(to_move)]));
    return true;
}

/* Lets the game go on until it is over. False with a fault if the host fails. */
static bool lines_run(struct plain_ui *lines, struct fault *fault) {
    struct referee *referee = &lines->table->referee;
    enum verdict verdict;
    for (;;) {
        tell_finish(lines);
        if (!lines->input.people && !spectator_lets_go_on(&lines->spectator))
            referee_take(referee, RED, &(struct answer){.type = ANSWER_QUIT}, &verdict, fault);
        const enum referee_step step = referee_step(referee, fault);
        if (step == REFEREE_FAILED) return false;
        if (step == REFEREE_WENT_ON) continue;
        if (referee->session->over) return true;
        if (!ask_person(lines, fault)) return false;
    }
}

static bool lines_play(void *self, const struct ui_game *game, struct fault *fault) {
    struct plain_ui *lines = self;
    struct table *table = game->table;
    lines->table = table;
    lines->input.hint = game->hint;
    lines->input.marks = game->marks;
    lines->input.teaches = game->lesson;
    lines->over = lines->finished = false;
    for (int side = RED; side <= BLUE; side++)
        human_sit(&lines->human[side], &lines->input, table, (enum side)side);
    spectator_sit(&lines->spectator, &lines->input, table, game->eyes);
    table->client = (struct table_listener){lines_hear, lines};
    if (game->lesson) explain_step(lines, game->lesson);
    bool played = lines_run(lines, fault);
    lines_note(lines);
    if (played && game->lesson)
        end_step(lines, game->lesson, table->referee.session->game.ply_count < game->lesson->plies);
    return played;
}

/* Draws the final position with all ranks. */
static void lines_uncover(struct plain_ui *lines, const struct ui_end *end) {
    FILE *out = lines->input.terminal.out;
    struct playback replay;
    if (playback_open(&replay, end->record, end->rules, NULL) &&
        playback_run(&replay, UINT32_MAX, NULL)) {
        fputc('\n', out);
        language_line(out, lines->input.language, "Uncovered:");
        struct picture picture;
        picture_game(&picture, &replay.session->game);
        terminal_draw(&lines->input.terminal, &picture, NULL, 0);
    }
    playback_close(&replay);
}

static void lines_end(void *self, const struct ui_end *end) {
    struct plain_ui *lines = self;
    const struct language *language = lines->input.language;
    FILE *out = lines->input.terminal.out;
    bool over = end->report->result != RESULT_NONE;
    char words[512];
    if (!over && lines->input.interrupted) return; /* the game goes on at once */
    if (lines->input.ended) language_line(out, language, "The input has ended.");
    if (over) {
        lines_uncover(lines, end);
        language_end(language, end->report->result, end->report->reason, &end->report->ending,
                     words, sizeof words);
        language_line(out, language, "{1} Plies: {2}.", words, NUMBER_TEXT(end->report->plies));
    }
    if (end->report->forfeit.status != STATUS_OK) lines_complain(self, &end->report->forfeit);
    if (end->path) language_line(out, language, "The record is in {1}", end->path);
    if (end->saved) {
        language_line(out, language,
                      "The game is saved; \"{1} play --continue\" goes on with it. It is in {2}",
                      cli_program, end->saved);
    }
    if (end->path || end->saved || end->passing) return;
    if (end->report->plies || !over) language_line(out, language, "The game could not be saved.");
}

static void lines_log(void *self, int side, const struct log_line *line) {
    char words[LOGBOOK_ROOM + 64];
    snprintf(words, sizeof words, "[%s %" PRIu32 " %s] %s",
             side < 0 ? "variant" : side_name((enum side)side), line->ply, line->callback,
             line->text);
    lines_say(self, words);
}

static void lines_heed(void *self, struct changes *changes) {
    struct plain_ui *lines = self;
    line_input_heed(&lines->input, changes);
    lines_note(lines);
}

static void lines_pin(void *self, const struct faults *faults) {
    struct plain_ui *lines = self;
    fflush(lines->input.terminal.out);
    cli_remarks(faults);
}

static bool lines_await(void *self, const struct rules *rules, const struct record *record) {
    (void)rules, (void)record;
    struct plain_ui *lines = self;
    const char *question =
        language_text(lines->input.language, TEXT("Fix and save the file. Or stop watching?"));
    while (!lines_agrees(self, question)) {
        if (lines->input.interrupted) return true;
        if (lines->input.ended) return false;
    }
    return false;
}

static void lines_close(void *self) {
    free(self);
}

bool ui_lines(struct ui *ui, const struct folders *folders, const struct language *language,
              struct fault *fault) {
    struct plain_ui *lines = calloc(1, sizeof *lines);
    if (!lines) return fault_set(fault, STATUS_NO_MEMORY, "out of memory");
    *ui = (struct ui){.self = lines,
                      .asks = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO),
                      .say = lines_say,
                      .complain = lines_complain,
                      .agrees = lines_agrees,
                      .choose = lines_choose,
                      .begin = lines_begin,
                      .arrange = lines_arrange,
                      .play = lines_play,
                      .log = lines_log,
                      .end = lines_end,
                      .heed = lines_heed,
                      .pin = lines_pin,
                      .await = lines_await,
                      .close = lines_close};
    lines->ui = ui;
    line_input_open(&lines->input, stdin, stdout, folders, language);
    lines->input.save_as = ui->save_as;
    return true;
}
