/* front_lines.c - the front in lines of text, at a terminal or through pipes.
 *
 * Through a pipe only the game itself asks questions: the program that writes the pipe would not
 * expect others. */
#include "arrange.h"
#include "cli/cli.h"
#include "cli/columns.h"
#include "cli/picture.h"
#include "cli/play/front.h"
#include "host/playback.h"
#include "lua/logbook.h"
#include "player_human.h"
#include "spectator.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LESSON_COLUMNS = 80 };

struct plain_front {
    struct front *front;
    struct table table;
    struct spectator spectator;
};

/* Notes how a question ended. */
static void lines_note(struct plain_front *lines) {
    lines->front->ended = lines->table.ended;
    lines->front->interrupted = lines->table.interrupted;
}

static void lines_say(void *self, const char *line) {
    struct plain_front *lines = self;
    cli_line(lines->table.terminal.out, "%s", line);
}

/* Flushes earlier output first. */
static void lines_complain(void *self, const struct fault *fault) {
    struct plain_front *lines = self;
    fflush(lines->table.terminal.out);
    cli_fail(fault);
}

static bool lines_agrees(void *self, const char *question) {
    struct plain_front *lines = self;
    char prompt[512];
    snprintf(prompt, sizeof prompt, "%s (y/n)", question);
    bool agrees = table_agrees(&lines->table, prompt);
    lines_note(lines);
    return agrees;
}

static int lines_choose(void *self, const char *question, const char *const *items, int count) {
    struct plain_front *lines = self;
    char line[TABLE_LINE_MAX], prompt[256];
    fprintf(lines->table.terminal.out, "%s\n", question);
    for (int i = 0; i < count; i++) cli_line(lines->table.terminal.out, "%3d  %s", i + 1, items[i]);
    snprintf(prompt, sizeof prompt, "1-%d> ", count);
    while (table_ask(&lines->table, prompt, line)) {
        char *end;
        long number = strtol(line, &end, 10);
        if (end > line && !*end && number >= 1 && number <= count) return (int)number - 1;
    }
    return -1;
}

static void lines_begin(void *self, int people, const char *summary) {
    struct plain_front *lines = self;
    table_begin(&lines->table, people);
    lines_note(lines);
    lines_say(self, summary);
    fflush(lines->table.terminal.out); /* before any fault on standard error */
}

static bool lines_arrange(void *self, const struct rules *rules, enum side side,
                          struct random *random, struct setup *setup, struct fault *fault) {
    struct plain_front *lines = self;
    bool arranged = arrange_ask(&lines->table, rules, side, random, setup, fault);
    lines_note(lines);
    return arranged;
}

/* Explains a step of a lesson before its game. */
static void explain_step(struct plain_front *lines, const struct front_lesson *lesson) {
    FILE *out = lines->table.terminal.out;
    columns_wrap(out, lesson->text, 0, 0, LESSON_COLUMNS);
    if (*lesson->text) fputc('\n', out);
    columns_wrap(out, lesson->task, 0, 0, LESSON_COLUMNS);
}

/* Says after the game what has been seen, and waits for the user to go on. */
static void end_step(struct plain_front *lines, struct front_lesson *lesson, bool broken_off) {
    struct table *table = &lines->table;
    char line[TABLE_LINE_MAX];
    lesson->leaves = broken_off;
    if (broken_off) return;
    columns_wrap(table->terminal.out, lesson->done, 0, 0, LESSON_COLUMNS);
    if (lesson->last) return;
    lesson->leaves =
        !table_ask(table, language_text(table->language, TEXT("Enter: the next step, q: leave> ")),
                   line) ||
        table_quits(line);
    lines_note(lines);
}

static bool lines_play(void *self, const struct front_game *game, struct referee_report *report,
                       struct fault *fault) {
    struct plain_front *lines = self;
    size_t told = game->referee.played_count;
    struct player players[2] = {{0}, {0}};
    bool people[2] = {!game->players[RED], !game->players[BLUE]}, ready = true;
    lines->table.hint = game->hint;
    lines->table.marks = game->marks;
    lines->table.teaches = game->lesson;
    if (game->taken_back) {
        language_line(lines->table.terminal.out, lines->table.language, "Taken back to ply {1}.",
                      NUMBER_TEXT(told));
    }
    /* A continued game repeats its last two turns. */
    lines->table.told = told > 2 ? (uint32_t)told - 2 : 0;
    for (int side = RED; side <= BLUE && ready; side++)
        if (people[side])
            ready = player_human(&players[side], &lines->table, (enum side)side, fault);
        else
            players[side] = *game->players[side];
    if (!people[RED] && !people[BLUE])
        spectator_start(&lines->spectator, &lines->table, game->eyes, players);
    struct player *const seats[2] = {&players[RED], &players[BLUE]};
    lines->table.watch = game->referee.watch;
    if (game->lesson) explain_step(lines, game->lesson);
    bool played =
        ready && referee_play(game->rules, seats, &game->referee, game->record, report, fault);
    lines_note(lines);
    if (played && game->lesson) end_step(lines, game->lesson, report->plies < game->lesson->plies);
    for (int side = RED; side <= BLUE; side++)
        if (people[side] && players[side].close) players[side].close(players[side].self);
    return played;
}

/* Draws the final position with all ranks. */
static void lines_uncover(struct plain_front *lines, const struct front_end *end) {
    FILE *out = lines->table.terminal.out;
    struct playback replay;
    if (playback_open(&replay, end->record, end->rules, NULL) &&
        playback_run(&replay, UINT32_MAX, NULL)) {
        fputc('\n', out);
        language_line(out, lines->table.language, "Uncovered:");
        struct picture picture;
        picture_game(&picture, &replay.session->game);
        terminal_draw(&lines->table.terminal, &picture, NULL, 0);
    }
    playback_close(&replay);
}

static void lines_end(void *self, const struct front_end *end) {
    struct plain_front *lines = self;
    const struct language *language = lines->table.language;
    FILE *out = lines->table.terminal.out;
    bool over = end->report->result != RESULT_NONE;
    char words[512];
    if (!over && lines->table.interrupted) return; /* the game goes on at once */
    if (lines->table.ended) language_line(out, language, "The input has ended.");
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
    struct plain_front *lines = self;
    table_heed(&lines->table, changes);
    lines_note(lines);
}

static void lines_pin(void *self, const struct faults *faults) {
    struct plain_front *lines = self;
    fflush(lines->table.terminal.out);
    cli_remarks(faults);
}

static bool lines_await(void *self, const struct rules *rules, const struct record *record) {
    (void)rules, (void)record;
    struct plain_front *lines = self;
    const char *question =
        language_text(lines->table.language, TEXT("Fix and save the file. Or stop watching?"));
    while (!lines_agrees(self, question)) {
        if (lines->table.interrupted) return true;
        if (lines->table.ended) return false;
    }
    return false;
}

static void lines_close(void *self) {
    free(self);
}

bool front_lines(struct front *front, const struct folders *folders,
                 const struct language *language, struct fault *fault) {
    struct plain_front *lines = calloc(1, sizeof *lines);
    if (!lines) return fault_set(fault, STATUS_NO_MEMORY, "out of memory");
    *front = (struct front){.self = lines,
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
    lines->front = front;
    table_open(&lines->table, stdin, stdout, folders, language);
    lines->table.save_as = front->save_as;
    return true;
}
