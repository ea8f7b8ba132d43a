/* front_screen.c - `play` on a full screen.
 *
 * The screen stays open from one question to the next. Messages that must outlive it (where a game
 * is saved, what went wrong) are kept and printed once the terminal is restored. */
#include "arrange_screen.h"
#include "base/paths.h"
#include "cli/cli.h"
#include "cli/play/front.h"
#include "cover.h"
#include "dialog.h"
#include "host/saved.h"
#include "lobby.h"
#include "review.h"
#include "screen_curses.h"
#include "stage.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FAULTS_MAX = 8, WORDS_MAX = 4096, ITEMS_MAX = 128 };

struct screen_stand {
    struct front *front;
    struct screen screen;
    struct backdrop behind; /* an empty screen with a title */
    const struct folders *folders;
    const struct language *language;
    int people;    /* of the game at hand */
    bool arranged; /* a person has laid out an army for it */
    int pause_ms;  /* before each bot's move */
    char title[SCREEN_LINES_MAX];
    char words[WORDS_MAX]; /* lines to print at the end */
    struct fault faults[FAULTS_MAX];
    int fault_count;
};

static const char *stand_text(const struct screen_stand *stand, const char *english) {
    return language_text(stand->language, english);
}

static void stand_draw(void *context, struct screen *screen) {
    const struct screen_stand *stand = context;
    screen_put_in(screen, 0, 0, screen->columns, STYLE_TITLE, stand->title);
}

static void keep_words(struct screen_stand *stand, const char *line) {
    size_t length = strlen(stand->words);
    if (length + strlen(line) + 2 > sizeof stand->words)
        length = 0; /* the last lines matter most */
    snprintf(stand->words + length, sizeof stand->words - length, "%s\n", line);
}

static void stand_say(void *self, const char *line) {
    keep_words(self, line);
}

static void stand_complain(void *self, const struct fault *fault) {
    struct screen_stand *stand = self;
    char line[FAULT_FILE_MAX + LANGUAGE_TEXT_MAX];
    if (stand->fault_count < FAULTS_MAX) stand->faults[stand->fault_count++] = *fault;
    language_fault_line(stand->language, fault, line, sizeof line);
    dialog_read(&stand->screen, &stand->behind, stand_text(stand, TEXT("Something went wrong")),
                line);
}

/* No question here risks a loss, so Enter means yes. */
static bool stand_agrees(void *self, const char *question) {
    struct screen_stand *stand = self;
    const struct dialog_item items[] = {{stand_text(stand, TEXT("yes")), NULL},
                                        {stand_text(stand, TEXT("no")), NULL}};
    return dialog_choose(&stand->screen, &stand->behind, question, items, 2, 0) == 0;
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
    return lobby_choose(&stand->screen, stand->folders, stand->language, !has_games(), terms);
}

static void stand_begin(void *self, int people, const char *summary) {
    struct screen_stand *stand = self;
    stand->people = people;
    stand->arranged = false;
    stand->pause_ms = STAGE_PAUSE;
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
    const struct cover cover = {
        .language = stand->language,
        .rules = rules,
        .title = stand->title,
        .why = stand_text(stand, TEXT("Each side sets up its army in secret.")),
        .side = side};
    if (stand->people > 1 && !cover_wait(&stand->screen, &cover)) return false;
    stand->arranged = arrange_on_screen(&stand->screen, &options, random, setup, fault);
    return stand->arranged;
}

static bool stand_play(void *self, const struct front_game *game, struct referee_report *report,
                       struct fault *fault) {
    struct screen_stand *stand = self;
    int lesson_pause = STAGE_PAUSE / 2;
    const struct stage_options options = {.language = stand->language,
                                          .rules = game->rules,
                                          .players = {game->players[RED], game->players[BLUE]},
                                          .names = {game->names[RED], game->names[BLUE]},
                                          .referee = game->referee,
                                          .record = game->record,
                                          .marks = game->marks,
                                          .hint = game->hint,
                                          .arranged = stand->arranged && !game->taken_back,
                                          .eyes = game->eyes < 0      ? EYES_BOTH
                                                  : game->eyes == RED ? EYES_RED
                                                                      : EYES_BLUE,
                                          .lesson = game->lesson,
                                          .taken_back = game->taken_back,
                                          .pause_ms =
                                              game->lesson ? &lesson_pause : &stand->pause_ms};
    return stage_play(&stand->screen, &options, report, fault);
}

/* The game uncovered, to step through. */
static void stand_review(struct screen_stand *stand, const struct front_end *end,
                         const char *words) {
    const struct review_options options = {.language = stand->language,
                                           .rules = end->rules,
                                           .record = end->record,
                                           .ply = UINT32_MAX,
                                           .note = words};
    struct fault fault = {0};
    if (!review_show(&stand->screen, &options, &fault)) stand_complain(stand, &fault);
}

static void stand_end(void *self, const struct front_end *end) {
    struct screen_stand *stand = self;
    char line[FRONT_PATH_MAX + 256], words[512];
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
    if (end->report->forfeit.status != STATUS_OK) stand_complain(self, &end->report->forfeit);
    if (over) stand_review(stand, end, line);
    if (end->saved) {
        language_write(line, sizeof line, stand->language,
                       "The game is saved; \"{1} play --continue\" goes on with it. It is in {2}",
                       cli_program, end->saved);
        keep_words(stand, line);
    }
}

static void stand_close(void *self) {
    struct screen_stand *stand = self;
    stand->front->signal = stand->screen.signal;
    screen_close(&stand->screen);
    fputs(stand->words, stdout);
    fflush(stdout);
    for (int i = 0; i < stand->fault_count; i++) cli_fail(&stand->faults[i]);
    free(stand);
}

bool front_screen(struct front *front, const struct folders *folders,
                  const struct language *language, struct fault *fault) {
    struct screen_stand *stand = calloc(1, sizeof *stand);
    if (!stand) return fault_set(fault, STATUS_NO_MEMORY, "out of memory");
    if (!screen_curses_open(&stand->screen, fault)) {
        free(stand);
        return false;
    }
    *front = (struct front){.self = stand,
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
                            .end = stand_end,
                            .close = stand_close};
    stand->front = front;
    stand->behind = (struct backdrop){stand_draw, stand};
    stand->folders = folders;
    stand->language = language;
    stand->screen.keyboard = keyboard_of(language_tag(language));
    snprintf(stand->title, sizeof stand->title, "Ensign");
    return true;
}
