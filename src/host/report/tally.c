/* tally.c - sums over the games of a report.
 *
 * Both games of a pair depend on one another, so the pair is one observation (statistics.h); it
 * counts if both games are known. For a set-up it counts if the set-up was played in both: by
 * either player in turn if set-ups are drawn, else by its own player on either side (tournament.h).
 */
#include "tally.h"

#include "base/buffer.h"
#include "host/match/tournament.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

static uint32_t *slot_of(const struct setup_index *index, const struct summary *report,
                         const char *text) {
    uint32_t at = (uint32_t)XXH3_64bits(text, strlen(text)) & (index->room - 1);
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

bool tally_setup(struct setup_index *index, struct summary *report, const char *text,
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

void setup_index_clear(struct setup_index *index) {
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

bool tally_games(struct summary *report) {
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

void tally_first(struct summary *report) {
    for (uint32_t g = 0, points = 0; g < report->games; g++) {
        const struct summary_game *game = &report->list[g];
        if (game->first == SUMMARY_UNKNOWN) continue;
        uint32_t before = points;
        points = (uint32_t)tally_add(&report->first, game, (enum side)game->first);
        if (game->paired && game[-1].first == game->first)
            statistics_add_pair(&report->first, (int)(before + points));
    }
}

void tally_flags(struct summary *report, const struct position *start) {
    for (square at = 0; at < report->rules->board.squares; at++) {
        cell piece = start->at[at];
        if (piece && report->rules->kind[cell_kind(piece)].flag) report->flags[at]++;
    }
}
