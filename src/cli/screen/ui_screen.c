/* ui_screen.c - `play` on a full screen.
 *
 * The screen stays open from one question to the next. Messages that must outlive it (where a game
 * is saved, what went wrong) are kept and printed once the terminal is restored. */
#include "arrange_screen.h"
#include "base/paths.h"
#include "cli/cli.h"
#include "cli/ui.h"
#include "dialog.h"
#include "error_banner.h"
#include "game_layout.h"
#include "game_screen.h"
#include "host/table/saved.h"
#include "hotseat_cover.h"
#include "printed.h"
#include "review.h"
#include "screen_curses.h"
#include "start_screen.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEPT_FAULTS_MAX = 8, WORDS_MAX = 4096, ITEMS_MAX = 128 };

struct stand_notes {
    char words[WORDS_MAX]; /* lines to print at the end */
    struct fault faults[KEPT_FAULTS_MAX];
    int fault_count;
    char said[LANGUAGE_TEXT_MAX]; /* shown with the next board */
    int pause_ms;                 /* before each bot's move */
    struct game_screen_looks looks;
};

struct screen_stand {
    struct ui *ui;
    struct screen screen;
    struct backdrop behind; /* an empty screen with a title */
    const struct folders *folders;
    const struct language *language;
    int people;    /* of the game at hand */
    bool arranged; /* a person has laid out an army for it */
    char title[SCREEN_LINES_MAX];
    struct stand_notes notes;
    struct error_banner banner;
    struct printed printed;
};

static const char *stand_text(const struct screen_stand *stand, const char *english) {
    return language_text(stand->language, english);
}

static void stand_draw(void *context, struct screen *screen) {
    const struct screen_stand *stand = context;
    int rows = 2;
    screen_put_in(screen, 0, 0, screen->columns, STYLE_TITLE, stand->title);
    if (stand->notes.said[0])
        rows += 1 + screen_wrap(screen, rows, 0, screen->columns, screen->rows, 0, STYLE_STRONG,
                                stand->notes.said);
    int most = screen->rows - rows - 1;
    error_banner_draw(&stand->banner, screen, rows,
                      error_banner_rows(&stand->banner, screen, screen->columns, most),
                      screen->columns);
}

/* Notes how a question ended. */
static void stand_note(struct screen_stand *stand) {
    stand->ui->interrupted = stand->screen.interrupted;
    stand->ui->ended = stand->screen.closed && !stand->screen.interrupted;
}

static void keep_words(struct screen_stand *stand, const char *line) {
    char *words = stand->notes.words;
    size_t length = strlen(words);
    if (length + strlen(line) + 2 > WORDS_MAX) length = 0; /* the last lines matter most */
    snprintf(words + length, WORDS_MAX - length, "%s\n", line);
}

static void stand_say(void *self, const char *line) {
    struct screen_stand *stand = self;
    if (stand->screen.changes)
        snprintf(stand->notes.said, sizeof stand->notes.said, "%s", line);
    else
        keep_words(stand, line);
}

static void stand_complain(void *self, const struct fault *fault) {
    struct screen_stand *stand = self;
    char line[FAULT_FILE_MAX + LANGUAGE_TEXT_MAX];
    if (stand->notes.fault_count < KEPT_FAULTS_MAX)
        stand->notes.faults[stand->notes.fault_count++] = *fault;
    language_fault_line(stand->language, fault, line, sizeof line);
    dialog_read(&stand->screen, &stand->behind, stand_text(stand, TEXT("Something went wrong")),
                line);
    stand_note(stand);
}

/* No question here risks a loss, so Enter means yes. */
static bool stand_agrees(void *self, const char *question) {
    struct screen_stand *stand = self;
    const struct dialog_item items[] = {{stand_text(stand, TEXT("yes")), NULL},
                                        {stand_text(stand, TEXT("no")), NULL}};
    bool agrees = dialog_choose(&stand->screen, &stand->behind, question, items, 2, 0) == 0;
    stand_note(stand);
    return agrees;
}

static int stand_choose(void *self, const char *question, const char *const *items, int count) {
    struct screen_stand *stand = self;
    struct dialog_item list[ITEMS_MAX];
    if (count > ITEMS_MAX) count = ITEMS_MAX;
    for (int i = 0; i < count; i++) list[i] = (struct dialog_item){items[i], NULL};
    return dialog_choose(&stand->screen, &stand->behind, question, list, count, 0);
}

/* Is there a record of a game, or a game that was left? */
static bool has_games(void) {
    static const char *const names[] = {"games", "saved"};
    bool found = false;
    char folder[SAVED_PATH_MAX];
    for (int i = 0; i < 2; i++) {
        DIR *stream = saved_folder(names[i], folder, NULL) ? opendir(folder) : NULL;
        for (struct dirent *entry; stream && (entry = readdir(stream));)
            found = found || path_ends(entry->d_name, ".rec");
        if (stream) closedir(stream);
    }
    return found;
}

static bool stand_start(void *self, struct terms *terms) {
    struct screen_stand *stand = self;
    return start_screen_choose(&stand->screen, stand->folders, stand->language, !has_games(),
                               terms);
}

static void stand_begin(void *self, int people, const char *summary) {
    struct screen_stand *stand = self;
    stand->people = people;
    stand->arranged = false;
    if (!stand->screen.changes) stand->notes.pause_ms = GAME_PAUSE;
    snprintf(stand->title, sizeof stand->title, "%s", summary);
}

static bool stand_arrange(void *self, const struct rules *rules, enum side side,
                          struct random *random, struct setup *setup, struct fault *fault) {
    struct screen_stand *stand = self;
    const struct arrange_options options = {.language = stand->language,
                                            .rules = rules,
                                            .folders = stand->folders,
                                            .side = side,
                                            .title = stand->title};
    const struct hotseat_cover cover = {
        .language = stand->language,
        .rules = rules,
        .title = stand->title,
        .why = stand_text(stand, TEXT("Each side sets up its army in secret.")),
        .side = side};
    stand->arranged = (stand->people < 2 || hotseat_cover_wait(&stand->screen, &cover)) &&
                      arrange_on_screen(&stand->screen, &options, random, setup, fault);
    stand_note(stand);
    return stand->arranged;
}

static bool stand_play(void *self, const struct ui_game *game, struct fault *fault) {
    struct screen_stand *stand = self;
    int lesson_pause = GAME_PAUSE / 2;
    const struct game_screen_options options = {
        .language = stand->language,
        .table = game->table,
        .names = {game->names[RED], game->names[BLUE]},
        .marks = game->marks,
        .hint = game->hint,
        .arranged = stand->arranged,
        .eyes = game->eyes < 0      ? EYES_BOTH
                : game->eyes == RED ? EYES_RED
                                    : EYES_BLUE,
        .lesson = game->lesson,
        .pause_ms = game->lesson ? &lesson_pause : &stand->notes.pause_ms,
        .looks = stand->screen.changes ? &stand->notes.looks : NULL,
        .printed = &stand->printed,
        .note = stand->notes.said};
    printed_cut(&stand->printed, (uint32_t)game->table->options.game.played_count);
    bool played = game_screen_play(&stand->screen, &options, fault);
    stand->notes.said[0] = 0;
    stand_note(stand);
    return played;
}

/* The game uncovered, to step through. */
static void stand_review(struct screen_stand *stand, const struct ui_end *end, const char *words) {
    const struct review_options options = {.language = stand->language,
                                           .rules = end->rules,
                                           .record = end->record,
                                           .ply = UINT32_MAX,
                                           .printed = &stand->printed,
                                           .note = words};
    struct fault fault = {0};
    if (!review_show(&stand->screen, &options, &fault)) stand_complain(stand, &fault);
    stand_note(stand);
}

static void stand_end(void *self, const struct ui_end *end) {
    struct screen_stand *stand = self;
    char line[UI_PATH_MAX + 256], words[512];
    bool over = end->report->result != RESULT_NONE;
    if (over) {
        language_end(stand->language, end->report->result, end->report->reason,
                     &end->report->ending, words, sizeof words);
        language_write(line, sizeof line, stand->language, "{1} Plies: {2}.", words,
                       NUMBER_TEXT(end->report->plies));
        keep_words(stand, line);
    }
    line[0] = 0;
    if (end->path) {
        language_write(line, sizeof line, stand->language, "The record is in {1}", end->path);
        keep_words(stand, line);
    }
    if (end->report->forfeit.status != STATUS_OK && stand->screen.changes)
        error_banner_fault(&stand->banner, stand->language, &end->report->forfeit);
    else if (end->report->forfeit.status != STATUS_OK)
        stand_complain(self, &end->report->forfeit);
    if (over) stand_review(stand, end, line);
    if (end->saved) {
        language_write(line, sizeof line, stand->language,
                       "The game is saved; \"{1} play --continue\" goes on with it. It is in {2}",
                       cli_program, end->saved);
        keep_words(stand, line);
    }
}

static void stand_log(void *self, int side, const struct log_line *line) {
    struct screen_stand *stand = self;
    printed_add(&stand->printed, side, line);
}

static void stand_heed(void *self, struct changes *changes) {
    struct screen_stand *stand = self;
    stand->screen.changes = changes;
    stand->screen.interrupted = false;
    stand->screen.closed = stand->screen.signal != 0;
    stand_note(stand);
}

static void stand_pin(void *self, const struct faults *faults) {
    struct screen_stand *stand = self;
    error_banner_faults(&stand->banner, stand->language, faults);
}

/* Waits before the first game. */
static void await_game(struct screen_stand *stand) {
    struct screen *screen = &stand->screen;
    for (;;) {
        screen_clear(screen);
        stand_draw(stand, screen);
        game_layout_draw_keys(screen, stand_text(stand, TEXT("Fix and save the file. q:leave")));
        screen_show(screen);
        struct screen_event event = screen_wait(screen, -1);
        if (event.type == SCREEN_CLOSED) return;
        if (event.type == SCREEN_KEY && event.command == 'q') return;
    }
}

static bool stand_await(void *self, const struct rules *rules, const struct record *record) {
    struct screen_stand *stand = self;
    struct fault fault = {0};
    const struct review_options options = {
        .language = stand->language,
        .rules = rules,
        .record = record,
        .ply = UINT32_MAX,
        .note = stand_text(stand, TEXT("Fix and save the file, and the game goes on.")),
        .printed = &stand->printed,
        .eyes = stand->notes.looks.eyes,
        .so_far = true};
    if (!record || !review_show(&stand->screen, &options, &fault)) await_game(stand);
    stand_note(stand);
    return stand->screen.interrupted;
}

static void stand_close(void *self) {
    struct screen_stand *stand = self;
    stand->ui->signal = stand->screen.signal;
    screen_close(&stand->screen);
    fputs(stand->notes.words, stdout);
    fflush(stdout);
    for (int i = 0; i < stand->notes.fault_count; i++) cli_fail(&stand->notes.faults[i]);
    printed_close(&stand->printed);
    free(stand);
}

bool ui_screen(struct ui *ui, const struct folders *folders, const struct language *language,
               struct fault *fault) {
    struct screen_stand *stand = calloc(1, sizeof *stand);
    if (!stand) return fault_set(fault, STATUS_NO_MEMORY, "out of memory");
    if (!screen_curses_open(&stand->screen, fault)) {
        free(stand);
        return false;
    }
    *ui = (struct ui){.self = stand,
                      .asks = true,
                      .takes_signals = true,
                      .say = stand_say,
                      .complain = stand_complain,
                      .agrees = stand_agrees,
                      .choose = stand_choose,
                      .start = stand_start,
                      .begin = stand_begin,
                      .arrange = stand_arrange,
                      .play = stand_play,
                      .log = stand_log,
                      .end = stand_end,
                      .heed = stand_heed,
                      .pin = stand_pin,
                      .await = stand_await,
                      .close = stand_close};
    stand->ui = ui;
    stand->behind = (struct backdrop){stand_draw, stand};
    stand->screen.banner = &stand->banner;
    printed_open(&stand->printed);
    stand->notes.pause_ms = GAME_PAUSE;
    stand->folders = folders;
    stand->language = language;
    stand->screen.keyboard = keyboard_of(language_tag(language));
    snprintf(stand->title, sizeof stand->title, "Ensign");
    return true;
}
