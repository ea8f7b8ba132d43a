/* sitting_keep.c - a game's file, from which it is taken up, and its record at the end.
 *
 * An external program can read the user's files, so its game is written only after it has ended. */
#include "base/files.h"
#include "base/paths.h"
#include "cli/cli.h"
#include "core/text/layout.h"
#include "host/playback.h"
#include "host/players.h"
#include "host/table/history.h"
#include "rescue.h"
#include "sitting.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Takes the set-ups of a continued game and cuts its record to the playable moves, with the reason
 * in `damage`. False with a fault if the game cannot be continued. */
static bool sitting_understand(struct sitting *sitting, struct fault *damage, struct fault *fault) {
    struct round *round = sitting->round;
    struct record *record = sitting->before;
    struct playback replay;
    struct fault wrong = {0};
    if (record_tag(record, "Position")) {
        return fault_set(fault, STATUS_USAGE,
                         "begins with a position; a game from two set-ups is expected");
    }
    const char *pace = record_tag(record, "Clock");
    if (pace && !pace_read(pace, &sitting->pace, fault)) return false;
    if (!playback_open(&replay, record, round->rules, fault)) return false;
    sitting->limits = replay.session->limits;
    sitting->first = replay.session->start.to_move;
    for (int side = RED; side <= BLUE; side++)
        suspicions_read(&sitting->marks[side], round->rules, (enum side)side, record);
    bool played = playback_run(&replay, UINT32_MAX, &wrong);
    playback_close(&replay);
    for (int side = RED; side <= BLUE; side++) {
        const char *text = record_tag(record, side == RED ? "RedSetup" : "BlueSetup");
        if (!text || !setup_read(round->rules, (enum side)side, text, strlen(text),
                                 &round->setups[side], fault)) {
            return side == RED ? fault_set(fault, STATUS_TEXT, "the set-up of red is missing")
                               : fault_set(fault, STATUS_TEXT, "the set-up of blue is missing");
        }
    }
    if (!played && replay.illegal_ply) {
        if (damage->status == STATUS_OK) *damage = wrong;
        record->move_count = replay.illegal_ply - 1;
        if (!record->damaged) saved_distrust(&sitting->saved);
    }
    return true;
}

bool sitting_take_up(struct sitting *sitting, const char *path, struct fault *fault) {
    struct round *round = sitting->round;
    struct ui *ui = round->ui;
    struct fault damage = {0};
    char line[512];
    if (!saved_take(&sitting->saved, path, &sitting->before, &damage, fault)) return false;
    if (!sitting_understand(sitting, &damage, fault)) {
        fault_place(fault, path, 0, 0);
        return false;
    }
    if (damage.status == STATUS_OK) return true;
    fault_place(&damage, path, 0, 0);
    ui->complain(ui->self, &damage);
    if (!ui->asks) return true;
    language_write(line, sizeof line, round->language,
                   "Only the first {1} plies of the game can be played. Continue from there?",
                   NUMBER_TEXT(sitting->before->move_count));
    return ui->agrees(ui->self, line);
}

/* Sets a tag to an absolute path, which holds in any folder. */
static void set_path_tag(struct record *tags, const char *name, const char *path) {
    char *whole = realpath(path, NULL);
    record_set_tag(tags, name, whole ? whole : path);
    free(whole);
}

void sitting_keep_marks(struct sitting *sitting) {
    for (int side = RED; side <= BLUE; side++)
        suspicions_write(&sitting->marks[side], sitting->round->rules, (enum side)side,
                         sitting->saved.tags);
}

void sitting_set_tags(struct sitting *sitting) {
    const struct terms *terms = &sitting->round->terms;
    struct record *tags = sitting->saved.tags;
    for (int side = RED; side <= BLUE && sitting->before; side++)
        hint_copy(sitting->before, (enum side)side, tags);
    sitting_keep_marks(sitting);
    if (path_is_meant(terms->variant, ".lua")) set_path_tag(tags, "VariantPath", terms->variant);
    for (int side = RED; side <= BLUE; side++) {
        const char *player = terms->player[side], *tag = side == RED ? "RedPlayer" : "BluePlayer";
        if (player_is_program(player))
            record_set_tag(tags, tag, player);
        else if (path_is_meant(player, ".lua"))
            set_path_tag(tags, tag, player);
    }
}

bool sitting_set_about(struct sitting *sitting) {
    const struct record *before = sitting->before;
    const struct session *session = sitting->table.referee.session;
    char now[32] = "";
    time_t second = time(NULL);
    struct tm day;
    if (before)
        return history_go_on(before, before->move_count, session->options.names, sitting->about);
    return !round_people(sitting->round) || !localtime_r(&second, &day) ||
           !strftime(now, sizeof now, "%Y-%m-%d %H:%M:%S", &day) ||
           record_set_tag(sitting->about, "Date", now);
}

void sitting_write_where(const struct sitting *sitting, char *words, size_t size) {
    size_t length =
        language_write(words, size, sitting->round->language,
                       "The game is saved; \"{1} play --continue\" goes on with it. It is in {2}",
                       cli_program, sitting->saved.path);
    snprintf(words + length, size - length, "\n");
}

/* Hints know what the only person is told; without memory there are no more of them. */
static void tell_hint(struct sitting *sitting, const struct session *session) {
    const enum side side = round_is_human(sitting->round, RED) ? RED : BLUE;
    if (!sitting->hint.options.bot) return;
    if (!session->tellings)
        hint_start(&sitting->hint, &session->eyes.view[side]);
    else
        hint_observe(&sitting->hint, &session->eyes.view[side], &session->eyes.told[side]);
}

void sitting_keep(void *context, const struct session *session, bool again) {
    struct sitting *sitting = context;
    struct stopwatch *watch = table_watch(&sitting->table);
    char words[512];
    tell_hint(sitting, session);
    if (again || !session->started) return;
    pthread_mutex_lock(&sitting->lock);
    const struct game_clock clock = watch ? stopwatch_look(watch) : (struct game_clock){0};
    sitting->saved.has_clock = watch;
    memcpy(sitting->saved.left, clock.left, sizeof clock.left);
    bool begins = !sitting->saved.length && !sitting->has_external && !sitting->round->passing;
    if (sitting->hinted) saved_renew(&sitting->saved, session->record);
    sitting->hinted = false;
    (sitting->has_external ? saved_hold : saved_keep)(&sitting->saved, session->record);
    pthread_mutex_unlock(&sitting->lock);
    if (!begins || !sitting->saved.length) return;
    sitting_write_where(sitting, words, sizeof words);
    rescue_say(words);
}

void sitting_save(void *context) {
    struct sitting *sitting = context;
    char words[512];
    pthread_mutex_lock(&sitting->lock);
    table_kill(&sitting->table);
    if (sitting->round->passing) {
        words[0] = 0;
    } else if (saved_release(&sitting->saved) && sitting->saved.length) {
        sitting_write_where(sitting, words, sizeof words);
    } else {
        snprintf(words, sizeof words, "%s\n",
                 language_text(sitting->round->language, TEXT("The game could not be saved.")));
    }
    pthread_mutex_unlock(&sitting->lock);
    rescue_say(words);
}

static bool is_folder(const char *path) {
    return path_is_folder(path) || path_ends(path, "/");
}

/* A free name in a folder: "duel-20260314-201500.rec". */
static bool place_in(const char *folder, const struct rules *rules, char path[UI_PATH_MAX]) {
    char stamp[32] = "";
    size_t length = strlen(folder);
    time_t now = time(NULL);
    struct tm day;
    if (localtime_r(&now, &day)) strftime(stamp, sizeof stamp, "%Y%m%d-%H%M%S", &day);
    for (int i = 1; i < 1000; i++) { /* two games may end in one second */
        char number[8] = "";
        if (i > 1) snprintf(number, sizeof number, "-%d", i);
        int used =
            snprintf(path, UI_PATH_MAX, "%s%s%s-%s%s.rec", folder,
                     length && folder[length - 1] == '/' ? "" : "/", rules->name, stamp, number);
        if (used < 0 || used >= UI_PATH_MAX) return false;
        if (access(path, F_OK)) return true;
    }
    return false;
}

int sitting_write_record(struct sitting *sitting, const struct record *record, bool needed,
                         char path[UI_PATH_MAX]) {
    struct round *round = sitting->round;
    struct ui *ui = round->ui;
    const char *named = ui->save_as[0] ? ui->save_as : round->output;
    char folder[SAVED_PATH_MAX];
    struct fault fault = {0};
    int code = EXIT_DONE;
    *path = 0;
    char *text = record_write(record);
    if (!text) return EXIT_HOST;
    bool written = false;
    if (named && is_folder(named))
        written = place_in(named, round->rules, path);
    else if (named)
        written = snprintf(path, UI_PATH_MAX, "%s", named) < UI_PATH_MAX;
    written = written && files_write_new(path, text, strlen(text), ATOMIC_FILE_DURABLE, &fault);
    if (named && !written) {
        ui->complain(ui->self, &fault);
        code = status_exit_code(fault.status);
    }
    if (!written && needed) {
        written = saved_folder("games", folder, &fault) && place_in(folder, round->rules, path) &&
                  files_write_new(path, text, strlen(text), ATOMIC_FILE_DURABLE, &fault);
        if (!written) {
            ui->complain(ui->self, &fault);
            code = status_exit_code(fault.status);
        }
    }
    if (!written) *path = 0;
    free(text);
    return code;
}
