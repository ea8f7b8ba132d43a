/* examples.c - each record is judged move by move as `replay` does it, and kept as its moves. */
#include "examples.h"

#include "base/buffer.h"
#include "base/digest.h"
#include "base/files.h"
#include "base/paths.h"
#include "core/know/eyes.h"
#include "core/play/calls.h"
#include "host/records.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct record_paths {
    char **list;
    size_t count;
};

static bool add_path(struct record_paths *paths, const char *path) {
    char **list = array_grown(paths->list, paths->count, sizeof *list, EXAMPLES_MAX);
    if (!list) return false;
    paths->list = list;
    list[paths->count] = strdup(path);
    return list[paths->count] && ++paths->count;
}

static void clear_paths(struct record_paths *paths) {
    for (size_t i = 0; i < paths->count; i++) free(paths->list[i]);
    free(paths->list);
}

static int compare_paths(const void *left, const void *right) {
    return strcmp(*(char *const *)left, *(char *const *)right);
}

/* Adds the records of a folder, and of those in it to a few levels. Links to folders are not
 * followed: a few that go round are a path for each way through them. */
static bool find_records(struct record_paths *paths, const char *folder, int levels,
                         struct fault *fault) {
    DIR *stream = opendir(folder);
    if (!stream) {
        fault_set(fault, errno == ENOENT || errno == ENOTDIR ? STATUS_NOT_FOUND : STATUS_SYSTEM,
                  "cannot be read: %s", strerror(errno));
        fault_place(fault, folder, 0, 0);
        return false;
    }
    bool ok = true;
    for (struct dirent *entry; ok && (entry = readdir(stream));) {
        char path[PATH_MAX];
        struct stat about;
        int length = snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (entry->d_name[0] == '.' || length >= (int)sizeof path || lstat(path, &about)) continue;
        if (S_ISDIR(about.st_mode) && levels > 0)
            ok = find_records(paths, path, levels - 1, fault);
        else if (path_ends(path, ".rec") && path_is_file(path) && !add_path(paths, path))
            ok = fault_set(fault, STATUS_NO_MEMORY, "out of memory");
    }
    closedir(stream);
    return ok;
}

/* The set-up of a side in a starting position; false if that is none. */
static bool setup_of(const struct rules *rules, const struct position *start, enum side side,
                     struct setup *setup) {
    const int squares = rules->board.squares;
    *setup = (struct setup){0};
    for (int at = 0; at < squares; at++) {
        const cell piece = start->at[at];
        if (piece == CELL_EMPTY || cell_side(piece) != side) continue;
        setup->at[side == RED ? at : squares - 1 - at] = cell_kind(piece);
    }
    return setup_check(rules, side, setup, NULL);
}

static bool is_strange(const struct folders *folders, const struct record *record, enum side side) {
    char path[FOLDER_PATH_MAX];
    const char *name = record_tag_or(record, side == RED ? "Red" : "Blue", "?");
    return !folders_resolve(folders, FOLDER_BOTS, name, path, NULL);
}

/* False without memory. */
static bool keep_example(struct examples *examples, const struct folders *folders,
                         const struct rules *rules, const struct playback *replay) {
    const struct game *game = &replay->session->game;
    struct example *list = array_grown(examples->list, examples->count, sizeof *list, EXAMPLES_MAX);
    if (!list) return false;
    examples->list = list;
    struct example *example = &list[examples->count];
    *example = (struct example){.count = game->ply_count};
    struct limits limits;
    record_start(replay->record, rules, &example->start, &limits, NULL);
    for (int side = RED; side <= BLUE; side++) {
        example->strange[side] = is_strange(folders, replay->record, (enum side)side);
        example->has_setup[side] =
            example->strange[side] &&
            setup_of(rules, &example->start, (enum side)side, &example->setups[side]);
    }
    example->moves = malloc((example->count + 1) * sizeof *example->moves);
    if (!example->moves) return false;
    for (uint32_t i = 0; i < example->count; i++) example->moves[i] = game->plies[i].move;
    examples->count++;
    uint64_t mark = examples->mark;
    mark = digest_add(mark, example->start.at, sizeof example->start.at);
    for (uint32_t i = 0; i < example->count; i++) {
        const struct move move = example->moves[i];
        const uint8_t squares[] = {move.from, move.to};
        mark = digest_add(mark, squares, sizeof squares);
    }
    examples->mark = mark | 1;
    return true;
}

bool examples_read(struct examples *examples, const struct folders *folders,
                   const struct rules *rules, const char *variant, const char *folder,
                   void (*complain)(void *context, const struct fault *fault), void *context,
                   struct fault *fault) {
    struct record_paths paths = {0};
    enum { LEVELS = 8 };
    bool ok = find_records(&paths, folder, LEVELS, fault);
    if (paths.count) qsort(paths.list, paths.count, sizeof *paths.list, compare_paths);
    struct records records = {.folders = folders};
    const size_t before = examples->count;
    for (size_t i = 0; ok && i < paths.count; i++) {
        struct fault wrong = {0};
        char name[FOLDER_PATH_MAX];
        records_variant(paths.list[i], name);
        if (strcmp(name, rules->name) != 0) {
            fault_set(&wrong, STATUS_TEXT, "a game of \"%s\", not of \"%s\"", name, rules->name);
            fault_place(&wrong, paths.list[i], 0, 0);
            complain(context, &wrong);
            continue;
        }
        records.variant = variant;
        if (!records_play(&records, paths.list[i], UINT32_MAX, &wrong))
            complain(context, &wrong);
        else if (records.replay.session->game.ply_count &&
                 !keep_example(examples, folders, rules, &records.replay))
            ok = fault_set(fault, STATUS_NO_MEMORY, "out of memory");
    }
    records_clear(&records);
    clear_paths(&paths);
    if (ok && examples->count == before) {
        fault_set(fault, STATUS_NOT_FOUND, "holds no record of a game of \"%s\"", rules->name);
        fault_place(fault, folder, 0, 0);
        return false;
    }
    return ok;
}

void examples_hold(struct examples *examples) {
    if (examples->count == 0) return;
    struct example *held = malloc(examples->count * sizeof *held);
    size_t taught = 0, count = 0;
    examples->taught = examples->count;
    if (!held) return;
    for (size_t i = 0; i < examples->count; i++)
        if (i % EXAMPLES_HELD_EVERY == EXAMPLES_HELD_EVERY - 1)
            held[count++] = examples->list[i];
        else
            examples->list[taught++] = examples->list[i];
    memcpy(examples->list + taught, held, count * sizeof *held);
    examples->taught = taught;
    free(held);
}

/* Plays an example and calls `look` at every eighth ply, for the side to move, if the other one is
 * a stranger. */
static bool watch(const struct example *example, const struct rules *rules,
                  void (*look)(void *context, const struct game *game, const struct view *view),
                  void *context, struct fault *fault) {
    enum { LOOKED_AT_EVERY = 8 };
    struct watched {
        struct game game;
        struct eyes eyes;
        struct ply plies[];
    } *watched = malloc(sizeof *watched + (example->count + 1) * sizeof *watched->plies);
    if (!watched) return fault_set(fault, STATUS_NO_MEMORY, "out of memory");
    const struct limits none = {0};
    game_start(&watched->game, rules, &example->start, &none, watched->plies, example->count + 1);
    eyes_open(&watched->eyes, &watched->game);
    for (uint32_t i = 0; i < example->count; i++) {
        const enum side side = (enum side)watched->game.to_move;
        if (i / 2 % (LOOKED_AT_EVERY / 2) == 0 && example->strange[side_other(side)])
            look(context, &watched->game, &watched->eyes.view[side]);
        eyes_play(&watched->eyes, &watched->game, example->moves[i]);
    }
    calls_take(fault);
    free(watched);
    return fault->status == STATUS_OK;
}

static void look_for_signs(void *context, const struct game *game, const struct view *view) {
    habit_counts_note(context, game, view);
}

bool examples_count(const struct examples *examples, const struct rules *rules,
                    struct habit_counts *counts, struct fault *fault) {
    for (size_t i = 0; i < examples->taught; i++)
        if (!watch(&examples->list[i], rules, look_for_signs, counts, fault)) return false;
    return true;
}

struct loss_look {
    const struct habits *habits;
    struct belief_loss *loss;
    struct belief belief;
};

/* Chances are rounded down: one of 0 counts as half of the least there is. */
static void look_for_losses(void *context, const struct game *game, const struct view *view) {
    struct loss_look *look = context;
    const int phase = (view->plies >= 24) + (view->plies >= 72) + (view->plies >= 180);
    belief_make(&look->belief, view, look->habits);
    for (int i = 0; i < view->count; i++) {
        const struct view_piece *piece = &view->piece[i];
        if (piece->side == view->side || piece->at == SQUARE_NONE || piece->kind != KIND_NONE)
            continue;
        const kind_id kind = cell_kind(game->at[piece->at]);
        const double chance = look->belief.chance[look->belief.group_of[i]][kind];
        look->loss->sum[phase][kind] -= log((chance > 0 ? chance : 0.5) / CHANCE_ONE);
        look->loss->pieces[phase][kind]++;
    }
}

bool examples_loss(const struct examples *examples, const struct rules *rules,
                   const struct habits *habits, struct belief_loss *loss, struct fault *fault) {
    struct loss_look look = {.habits = habits, .loss = loss};
    *loss = (struct belief_loss){0};
    for (size_t i = examples->taught; i < examples->count; i++)
        if (!watch(&examples->list[i], rules, look_for_losses, &look, fault)) return false;
    return true;
}

void examples_clear(struct examples *examples) {
    for (size_t i = 0; i < examples->count; i++) free(examples->list[i].moves);
    free(examples->list);
    *examples = (struct examples){0};
}
