/* games.c - the records of a folder as a person's games. */
#include "games.h"

#include "base/buffer.h"
#include "base/files.h"
#include "base/paths.h"
#include "base/utf8.h"
#include "hint.h"
#include "host/table/history.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

enum { GAMES_MAX = 1 << 20 };

static const char PERSON[] = "human";

static void copy_tag(const struct record *record, const char *name, char out[GAMES_TEXT_MAX]) {
    snprintf(out, GAMES_TEXT_MAX, "%s", record_tag_or(record, name, "?"));
    out[utf8_cut(out, strlen(out))] = 0;
    utf8_make_safe(out);
}

static void find_me(struct own_game *game, const struct record *record) {
    bool person[2];
    game->whole = true;
    for (int side = RED; side <= BLUE; side++) {
        person[side] = authors_part(record, (enum side)side, PERSON);
        if (!authors_whole(record, (enum side)side, game->player[side])) game->whole = false;
    }
    game->me = person[RED] == person[BLUE] ? -1 : person[RED] ? RED : BLUE;
}

static void find_date(struct own_game *game, const struct record *record, const char *path) {
    const char *date = record_tag(record, "Date");
    struct stat about;
    struct tm day;
    if (date && strlen(date) >= 10 && strspn(date, "0123456789-: ") == strlen(date))
        snprintf(game->date, sizeof game->date, "%s", date);
    else if (!stat(path, &about) && localtime_r(&about.st_mtim.tv_sec, &day))
        strftime(game->date, sizeof game->date, "%Y-%m-%d %H:%M:%S", &day);
}

/* False with a fault unless the whole record can be read. */
static bool read_game(const char *path, struct own_game *game, struct fault *fault) {
    size_t length;
    char *text = files_read_text(path, RECORD_BYTES_MAX, &length, fault);
    struct record *record = text ? record_read(text, length, fault) : NULL;
    bool whole = record && !record->damaged;
    if (text && !record) fault_set(fault, STATUS_NO_MEMORY, "out of memory");
    free(text);
    *game = (struct own_game){.plies = whole ? (uint32_t)record->move_count : 0};
    if (whole) {
        snprintf(game->file, sizeof game->file, "%s", path_file(path));
        copy_tag(record, "Variant", game->variant);
        copy_tag(record, "Red", game->player[RED]);
        copy_tag(record, "Blue", game->player[BLUE]);
        find_me(game, record);
        game->taken_back = record_tag(record, TAKEBACK_TAG);
        find_date(game, record, path);
        game->hints = hint_notes(record, RED) || hint_notes(record, BLUE);
        game->result = result_named(record_tag_or(record, "Result", "*"));
        game->reason = reason_named(record_tag_or(record, "Reason", reason_name(REASON_NONE)));
        if (game->reason == REASON_VARIANT)
            snprintf(game->ending, sizeof game->ending, "%s", record_tag_or(record, "Ending", ""));
        if (game->result == RESULT_COUNT) game->result = RESULT_NONE;
        if (game->reason == REASON_COUNT) game->reason = REASON_NONE;
    } else {
        fault_place(fault, path, 0, 0);
    }
    record_free(record);
    return whole;
}

static int compare_games(const void *left, const void *right) {
    const struct own_game *a = left, *b = right;
    int order = strcmp(a->date, b->date);
    return order ? order : strcmp(a->file, b->file);
}

bool own_games_read(struct own_games *games, const char *folder,
                    void (*complain)(void *context, const struct fault *fault), void *context,
                    struct fault *fault) {
    *games = (struct own_games){0};
    DIR *stream = opendir(folder);
    if (!stream) {
        fault_set(fault, errno == ENOENT || errno == ENOTDIR ? STATUS_NOT_FOUND : STATUS_SYSTEM,
                  "cannot be read: %s", strerror(errno));
        fault_place(fault, folder, 0, 0);
        return false;
    }
    bool room = true;
    for (struct dirent *entry; room && (entry = readdir(stream));) {
        char path[PATH_MAX];
        struct fault wrong = {0};
        int length = snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (!path_ends(entry->d_name, ".rec") || length >= (int)sizeof path) continue;
        struct own_game *list = array_grown(games->list, games->count, sizeof *list, GAMES_MAX);
        room = list;
        if (list) games->list = list;
        if (list && read_game(path, &list[games->count], &wrong))
            games->count++;
        else if (list)
            complain(context, &wrong);
    }
    closedir(stream);
    if (games->count) qsort(games->list, games->count, sizeof *games->list, compare_games);
    if (room) return true;
    own_games_clear(games);
    return fault_set(fault, STATUS_NO_MEMORY, "out of memory");
}

void own_games_clear(struct own_games *games) {
    free(games->list);
    *games = (struct own_games){0};
}

enum own_end own_game_end(const struct own_game *game) {
    if (game->result == RESULT_NONE) return OWN_UNFINISHED;
    if (game->result == RESULT_DRAW) return OWN_DRAWN;
    return (game->result == RESULT_RED) == (game->me == RED) ? OWN_WON : OWN_LOST;
}

const char *own_end_name(enum own_end outcome) {
    static const char *const names[OWN_ENDS] = {"won", "lost", "drawn", "unfinished"};
    return names[outcome];
}

const char *own_game_opponent(const struct own_game *game) {
    return game->me < 0 ? "" : game->player[side_other((enum side)game->me)];
}

bool own_game_counts(const struct own_game *game) {
    return game->me >= 0 && game->whole && game->result != RESULT_NONE;
}

/* The score that the game belongs to, put in its place if it is new; NULL if memory is short. */
static struct own_score *score_of(struct own_scores *scores, const struct own_game *game) {
    const char *opponent = own_game_opponent(game);
    size_t at = 0;
    for (; at < scores->count; at++) {
        int order = strcmp(scores->list[at].variant, game->variant);
        if (!order) order = strcmp(scores->list[at].opponent, opponent);
        if (!order) return &scores->list[at];
        if (order > 0) break;
    }
    struct own_score *list = array_grown(scores->list, scores->count, sizeof *list, GAMES_MAX);
    if (!list) return NULL;
    scores->list = list;
    memmove(&list[at + 1], &list[at], (scores->count++ - at) * sizeof *list);
    list[at] = (struct own_score){.variant = game->variant, .opponent = opponent};
    return &list[at];
}

bool own_games_score(const struct own_games *games, struct own_scores *scores) {
    *scores = (struct own_scores){0};
    for (size_t i = 0; i < games->count; i++) {
        const struct own_game *game = &games->list[i];
        if (!own_game_counts(game)) continue;
        struct own_score *score = score_of(scores, game);
        enum own_end outcome = own_game_end(game);
        if (!score) return false;
        score->games[outcome]++;
        scores->all.games[outcome]++;
        scores->streak_now = outcome == OWN_WON ? scores->streak_now + 1 : 0;
        if (scores->streak_now > scores->streak) scores->streak = scores->streak_now;
        if (!scores->longest || game->plies > scores->longest->plies) scores->longest = game;
        if (outcome == OWN_WON && (!scores->quickest || game->plies < scores->quickest->plies))
            scores->quickest = game;
    }
    return true;
}

void own_scores_clear(struct own_scores *scores) {
    free(scores->list);
    *scores = (struct own_scores){0};
}
