/* summary.c - reads a match for its report.
 *
 * The rows of the store come first and decide all results; then the records are read one by one, so
 * that only one is in memory besides the films. */
#include "summary.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/digest.h"
#include "base/files.h"
#include "base/paths.h"
#include "base/utf8.h"
#include "host/match/store.h"
#include "host/match/tournament.h"
#include "jail/loader.h"

/* Sums by player, opponent, side and set-up. Both games of a pair depend on one another, so the
 * pair is one observation (statistics.h); it counts if both games are known. For a set-up it counts
 * if the set-up was played in both: by either player in turn if set-ups are drawn, else by its own
 * player on either side (tournament.h). */
/* Set-ups by their text; starts as 0. */
struct setup_index {
    uint32_t *slots; /* owned; 1 + index into report->setup_list; 0: free */
    uint32_t room;   /* a power of two */
};

static uint32_t *slot_of(const struct setup_index *index, const struct summary *report,
                         const char *text) {
    uint32_t at = (uint32_t)digest_of(text, strlen(text)) & (index->room - 1);
    while (index->slots[at] && strcmp(report->setup_list[index->slots[at] - 1].text, text) != 0)
        at = (at + 1) & (index->room - 1);
    return &index->slots[at];
}

/* Makes room for one more in the list and in the index, which stays half empty. */
static bool setup_index_grow(struct setup_index *index, struct summary *report) {
    struct summary_setup *list = array_grown(report->setup_list, report->setups, sizeof *list,
                                             2 * (size_t)TOURNAMENT_GAMES_MAX);
    if (!list) return false;
    report->setup_list = list;
    if (report->setups < index->room / 2) return true;
    uint32_t room = index->room ? 2 * index->room : 64, *slots = calloc(room, sizeof *slots);
    if (!slots) return false;
    free(index->slots);
    *index = (struct setup_index){slots, room};
    for (uint32_t i = 0; i < report->setups; i++) *slot_of(index, report, list[i].text) = i + 1;
    return true;
}

/* The index of a set-up, which is added to the report if new. False if memory is short. */
static bool tally_setup(struct setup_index *index, struct summary *report, const char *text,
                        int32_t *number) {
    if (!setup_index_grow(index, report)) return false;
    uint32_t *slot = slot_of(index, report, text);
    if (!*slot) {
        char *copy = strdup(text);
        if (!copy) return false;
        report->setup_list[report->setups++] = (struct summary_setup){.text = copy};
        *slot = report->setups;
    }
    *number = (int32_t)*slot - 1;
    return true;
}

static void setup_index_clear(struct setup_index *index) {
    free(index->slots);
    *index = (struct setup_index){0};
}

/* Is this game the second of a pair with the one before it? */
static bool ends_pair(const struct summary *report, uint32_t g) {
    if (!report->is_match || g == 0) return false;
    const struct summary_game *second = &report->list[g], *first = second - 1;
    return second->number % 2 == 0 && first->number + 1 == second->number &&
           first->player[RED] == second->player[BLUE] && first->player[BLUE] == second->player[RED];
}

/* Adds a game to a sum, from the point of view of `side`. Returns the half points. */
static int tally_add(struct statistics *sum, const struct summary_game *game, enum side side) {
    return statistics_add(sum, side, (enum result)game->result, (enum reason)game->reason);
}

/* Half points of a side, from those of red. */
static int points_of(int side, int red_points) {
    return side == RED ? red_points : 2 - red_points;
}

/* `red_points`: of the game before and of this one. */
static void tally_add_setups(struct summary *report, const struct summary_game *game, bool paired,
                             const int red_points[2]) {
    for (int side = RED; side <= BLUE; side++) {
        if (game->setup[side] == SUMMARY_NO_SETUP) continue;
        struct statistics *sum = &report->setup_list[game->setup[side]].statistics;
        tally_add(sum, game, (enum side)side);
        if (!paired) continue;
        const int32_t *before = game[-1].setup;
        int stood = before[side] == game->setup[side] ? side : (int)side_other((enum side)side);
        if (before[stood] != game->setup[side]) continue;
        statistics_add_pair(sum, points_of(stood, red_points[0]) + points_of(side, red_points[1]));
    }
}

/* Fills all sums of the games in the list, and the ratings. False if memory is short. */
static bool tally_games(struct summary *report) {
    int players = report->players;
    report->cross = calloc((size_t)players * (size_t)players + 1, sizeof *report->cross);
    if (!report->cross) return false;
    struct standings standings = {players, report->total, report->cross, 0};
    int points[2] = {0}; /* half points of red in the game before and in this one */
    for (uint32_t g = 0; g < report->games; g++) {
        struct summary_game *game = &report->list[g];
        game->paired = ends_pair(report, g);
        points[0] = points[1];
        points[1] = standings_add(&standings, game->player, (enum result)game->result,
                                  (enum reason)game->reason, game->paired);
        tally_add(&report->red, game, RED);
        if (game->paired) statistics_add_pair(&report->red, points[0] + points[1]);
        tally_add_setups(report, game, game->paired, points);
    }
    if (players > 1) report->rating_kind = rating_estimate(report->cross, players, report->rating);
    return true;
}

/* Fills the sums of the side that moved first, once the records have been read. */
static void tally_first(struct summary *report) {
    for (uint32_t g = 0, points = 0; g < report->games; g++) {
        const struct summary_game *game = &report->list[g];
        if (game->first == SUMMARY_UNKNOWN) continue;
        uint32_t before = points;
        points = (uint32_t)tally_add(&report->first, game, (enum side)game->first);
        if (game->paired && game[-1].first == game->first)
            statistics_add_pair(&report->first, (int)(before + points));
    }
}

/* Counts the squares of both flags at the start of a game. */
static void tally_flags(struct summary *report, const struct position *start) {
    for (square at = 0; at < report->rules->board.squares; at++) {
        cell piece = start->at[at];
        if (piece && report->rules->kind[cell_kind(piece)].flag) report->flags[at]++;
    }
}

static bool no_memory(struct fault *fault) {
    return fault_set(fault, STATUS_NO_MEMORY, "out of memory");
}

void summary_free(struct summary *report) {
    if (!report) return;
    for (uint32_t g = 0; g < report->games; g++) free(report->list[g].forfeit);
    for (uint32_t s = 0; s < report->setups; s++) free(report->setup_list[s].text);
    reel_clear(&report->reel);
    rules_free(report->own_rules);
    free(report->list);
    free(report->setup_list);
    free(report->cross);
    free(report);
}

struct summary_score summary_score(const struct statistics *statistics) {
    struct summary_score score = {statistics_score(statistics), NAN, NAN};
    struct pair_spread spread = statistics_spread(statistics->pairs);
    if (spread.pairs > 0) {
        double error = NORMAL_95 * sqrt(spread.variance / spread.pairs);
        score.low = fmax(0, spread.mean - error);
        score.high = fmin(1, spread.mean + error);
    }
    return score;
}

static struct summary *report_new(const struct summary_options *options) {
    struct summary *report = calloc(1, sizeof *report);
    if (!report) return NULL;
    report->reel.bytes_max = options->bytes_max;
    report->reel.games_max = options->games_max;
    return report;
}

/* Appends a game with a copy of its forfeit. NULL if memory is short. */
static struct summary_game *summary_add_game(struct summary *report, const char *forfeit) {
    uint32_t n = report->games;
    struct summary_game *list = array_grown(report->list, n, sizeof *list, TOURNAMENT_GAMES_MAX);
    if (!list) return NULL;
    report->list = list;
    struct summary_game *game = &report->list[n];
    *game = (struct summary_game){.setup = {SUMMARY_NO_SETUP, SUMMARY_NO_SETUP},
                                  .first = SUMMARY_UNKNOWN};
    if (forfeit && !(game->forfeit = strdup(forfeit))) return NULL;
    report->games++;
    return game;
}

struct match_rows {
    struct summary *report;
    struct setup_index setups;
    const char *path; /* of the folder, for faults */
};

static bool summary_refuse(const struct match_rows *rows, struct fault *fault, const char *what) {
    fault_set(fault, STATUS_TEXT, "%s", what);
    fault_place(fault, rows->path, 0, 0);
    return false;
}

static bool take_player(void *context, uint32_t number, const struct store_player *player,
                        struct fault *fault) {
    struct match_rows *rows = context;
    struct summary *report = rows->report;
    if (number != (uint32_t)report->players || report->players == RATING_PLAYERS_MAX)
        return summary_refuse(rows, fault, "the players of the match are not numbered in order");
    snprintf(report->name[report->players], TITLE_MAX, "%s", player->name);
    utf8_make_safe(report->name[report->players++]);
    return true;
}

static bool take_game(void *context, const struct store_game *row, struct fault *fault) {
    struct match_rows *rows = context;
    struct summary *report = rows->report;
    uint32_t players = (uint32_t)report->players;
    if (row->player[RED] >= players || row->player[BLUE] >= players ||
        row->player[RED] == row->player[BLUE])
        return summary_refuse(rows, fault, "a game of the match names an unknown player");
    /* An interrupted match may lack a game but have later ones; like the match, the report counts
     * the games before the gap. */
    if (row->number != report->games + 1) return true;
    struct summary_game *game = summary_add_game(report, row->forfeit);
    if (!game) return no_memory(fault);
    game->number = row->number;
    game->player[RED] = (uint8_t)row->player[RED];
    game->player[BLUE] = (uint8_t)row->player[BLUE];
    game->result = (uint8_t)row->result;
    game->reason = (uint8_t)row->reason;
    game->plies = row->plies;
    game->seed = row->seed;
    game->hash = row->hash;
    report->hash = digest_add_number(report->hash, row->hash);
    for (int side = RED; side <= BLUE; side++)
        if (row->setups[side] &&
            !tally_setup(&rows->setups, report, row->setups[side], &game->setup[side]))
            return no_memory(fault);
    return true;
}

static void copy_meta(struct store *store, const char *key, char out[SUMMARY_TEXT_MAX]) {
    const char *value = store_meta(store, key);
    snprintf(out, SUMMARY_TEXT_MAX, "%s", value ? value : "");
}

static bool read_meta(struct store *store, struct summary *report, struct fault *fault) {
    uint64_t planned;
    char sprt[SUMMARY_TEXT_MAX];
    report->has_seed = store_meta(store, "seed");
    if ((report->has_seed && !store_meta_number(store, "seed", &report->seed, fault)) ||
        !store_meta_number(store, "games", &planned, fault))
        return false;
    report->is_match = true;
    report->planned = (uint32_t)planned;
    copy_meta(store, "ensign", report->version);
    copy_meta(store, "pairing", report->pairing);
    copy_meta(store, "command", report->command);
    copy_meta(store, "bot", report->bot);
    copy_meta(store, "ended", report->ended);
    copy_meta(store, "sprt", sprt);
    report->has_sprt = *sprt;
    return !*sprt || sprt_read(sprt, &report->sprt, fault);
}

/* The rules of the match; a relative path starts at the folder the match was started in. */
static void read_variant(struct store *store, const struct summary_options *options,
                         char path[SUMMARY_PATH_MAX]) {
    char asked[STORE_PATH_MAX] = "";
    const char *value = options->variant;
    if (!value) value = store_meta(store, "variant_path");
    if (!value) value = store_meta(store, "variant");
    snprintf(asked, sizeof asked, "%s", value ? value : "");
    bool is_path = !options->variant && path_is_meant(asked, ".lua");
    const char *directory = is_path && *asked != '/' ? store_meta(store, "directory") : NULL;
    snprintf(path, SUMMARY_PATH_MAX, "%s%s%s", directory ? directory : "", directory ? "/" : "",
             asked);
}

static struct rules *summary_rules(struct store *store, const struct summary_options *options,
                                   struct fault *fault) {
    char path[SUMMARY_PATH_MAX];
    read_variant(store, options, path);
    return loader_variant(options->folders, path, fault);
}

void summary_variant(const char *folder, const struct summary_options *options,
                     char path[SUMMARY_PATH_MAX]) {
    struct store *store = store_open(folder, STORE_READ, NULL);
    *path = 0;
    if (store) read_variant(store, options, path);
    store_close(store);
}

static void cannot_use(struct summary *report, const char *path, const struct fault *fault) {
    if (report->unread++) return;
    report->unread_why = *fault;
    if (!fault->file[0]) fault_place(&report->unread_why, path, 0, 0);
}

/* Adds first side, flags, battles and film from a replay that has just been opened. */
static bool watch_replay(struct summary *report, uint32_t index, struct playback *replay,
                         struct fault *fault) {
    struct summary_game *game = &report->list[index];
    struct film film;
    bool made = film_make(replay, &film, report->battles, fault);
    if (made) {
        game->first = (uint8_t)film.first;
        tally_flags(report, &replay->session->start);
        if (reel_wants(&report->reel, index, game->forfeit != NULL))
            made = reel_add(&report->reel, index, game->forfeit != NULL, &film) || no_memory(fault);
    }
    film_clear(&film);
    return made;
}

/* Adds a game's record. False if memory is short; other faults only count as unread. */
static bool watch_file(struct summary *report, uint32_t index, const char *path) {
    struct summary_game *game = &report->list[index];
    struct fault why = {0};
    size_t length = 0;
    char *text = files_read(path, RECORD_BYTES_MAX, &length, &why);
    struct record *record = NULL;
    bool whole = text != NULL;
    if (whole && digest_of(text, length) != game->hash)
        whole = fault_set(&why, STATUS_TEXT, "differs from the record that the match wrote");
    if (whole) {
        record = record_read(text, length, &why);
        whole = record ? !record->damaged : no_memory(&why);
    }
    free(text);
    struct playback replay = {0};
    if (whole) {
        whole = playback_open(&replay, record, report->rules, &why) &&
                watch_replay(report, index, &replay, &why);
    }
    playback_close(&replay);
    record_free(record);
    if (!whole) cannot_use(report, path, &why);
    return why.status != STATUS_NO_MEMORY;
}

static bool watch_folder(struct summary *report, const char *folder, struct fault *fault) {
    report->reel.games = report->games;
    for (uint32_t g = 0; g < report->games; g++) {
        char path[STORE_PATH_MAX];
        store_record_path(folder, report->planned, report->list[g].number, path);
        if (!watch_file(report, g, path)) return no_memory(fault);
    }
    tally_first(report);
    return true;
}

struct summary *summary_of_folder(const char *folder, const struct summary_options *options,
                                  struct fault *fault) {
    struct summary *report = report_new(options);
    if (!report) {
        no_memory(fault);
        return NULL;
    }
    struct match_rows rows = {.report = report, .path = folder};
    struct store *store = store_open(folder, STORE_READ, fault);
    bool read = store && read_meta(store, report, fault) &&
                (report->rules = report->own_rules = summary_rules(store, options, fault)) &&
                store_players(store, take_player, &rows, fault) &&
                store_games(store, take_game, &rows, fault) &&
                (tally_games(report) || no_memory(fault));
    store_close(store);
    setup_index_clear(&rows.setups);
    if (read && watch_folder(report, folder, fault)) return report;
    summary_free(report);
    return NULL;
}

struct summary *summary_of_records(const struct rules *rules, uint32_t count,
                                   const struct summary_options *options) {
    struct summary *report = report_new(options);
    if (!report) return NULL;
    report->rules = rules;
    report->reel.games = count;
    return report;
}

/* Index of the player of that name, added if new; -1 if there are too many. */
static int player_named(struct summary *report, const char *name) {
    char cut[TITLE_MAX];
    snprintf(cut, sizeof cut, "%s", name);
    for (int i = 0; i < report->players; i++)
        if (!strcmp(report->name[i], cut)) return i;
    if (report->players == RATING_PLAYERS_MAX) return -1;
    memcpy(report->name[report->players], cut, sizeof cut);
    return report->players++;
}

bool summary_add_record(struct summary *report, struct playback *replay, struct fault *fault) {
    static const char *const sides[2] = {"Red", "Blue"};
    const struct record *record = replay->record;
    struct summary_game *game = summary_add_game(report, record_tag(record, "Forfeit"));
    if (!game) return no_memory(fault);
    for (int side = RED; side <= BLUE; side++) {
        const char *name = record_tag(record, sides[side]);
        int player = player_named(report, name ? name : "?");
        if (player < 0) {
            return fault_set(fault, STATUS_USAGE, "at most %d players are expected in all records",
                             RATING_PLAYERS_MAX);
        }
        game->player[side] = (uint8_t)player;
    }
    if (!watch_replay(report, report->games - 1, replay, fault) ||
        !playback_run(replay, UINT32_MAX, fault))
        return false;
    game->number = report->games;
    game->result = (uint8_t)replay->result;
    game->reason = (uint8_t)replay->reason;
    game->plies = replay->plies;
    return true;
}

bool summary_finish(struct summary *report, struct fault *fault) {
    if (!tally_games(report)) return no_memory(fault);
    tally_first(report);
    return true;
}
