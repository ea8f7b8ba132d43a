/* report_json.c - a report's numbers as JSON.
 *
 * Also chooses the set-ups that are listed (most played, best, worst) and the bins of the lengths.
 */
#include "report_json.h"

#include "host/safe_json.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    BINS_MAX = 24,       /* of the histogram of lengths */
    SETUPS_SHOWN = 4,    /* of the most played, the best and the worst each */
    SETUP_PAIRS_MIN = 4, /* to be called best or worst */
    FORFEITS_MAX = 1000
};

/* Rounded to a multiple of `unit`; null if infinite or undefined. */
static json_t *number_json(double number, double unit) {
    return isfinite(number) ? json_real(round(number / unit) * unit + 0.0) : json_null();
}

static json_t *elo_json(struct elo elo) {
    return json_pack("[o, o, o]", number_json(elo.difference, 0.01), number_json(elo.low, 0.01),
                     number_json(elo.high, 0.01));
}

static json_t *counts_json(const uint32_t *counts, int count) {
    json_t *array = json_array();
    for (int i = 0; i < count; i++) json_array_append_new(array, json_integer(counts[i]));
    return array;
}

/* Wins, draws, losses, pairs, and the score with its interval. */
static json_t *score_json(const struct statistics *statistics) {
    struct summary_score score = summary_score(statistics);
    return json_pack(
        "{s:I, s:I, s:I, s:o, s:o, s:o, s:o}", "wins", (json_int_t)statistics->wins, "draws",
        (json_int_t)statistics->draws, "losses", (json_int_t)statistics->losses, "pairs",
        counts_json(statistics->pairs, PAIR_SCORES), "score", number_json(score.score, 1e-6), "low",
        number_json(score.low, 1e-6), "high", number_json(score.high, 1e-6));
}

static json_t *reasons_json(const uint32_t counts[REASON_COUNT]) {
    json_t *reasons = json_object();
    for (int r = 0; r < REASON_COUNT; r++) {
        if (!counts[r]) continue;
        json_object_set_new(reasons, reason_name((enum reason)r), json_integer(counts[r]));
    }
    return reasons;
}

static json_t *players_json(const struct summary *report) {
    json_t *players = json_array();
    for (int i = 0; i < report->players; i++) {
        const struct statistics *total = &report->total[i];
        struct rating rating = report->rating[i];
        json_t *player = score_json(total);
        json_object_set_new(player, "name", safe_json(report->name[i]));
        json_object_set_new(player, "forfeits", reasons_json(total->forfeits));
        json_object_set_new(player, "elo", elo_json(statistics_elo(total)));
        json_object_set_new(player, "rating",
                            report->rating_kind == RATING_NONE
                                ? json_null()
                                : elo_json((struct elo){rating.elo, rating.low, rating.high}));
        json_array_append_new(players, player);
    }
    return players;
}

static json_t *meetings_json(const struct summary *report) {
    json_t *meetings = json_array();
    for (int i = 0; i < report->players; i++) {
        for (int j = i + 1; j < report->players; j++) {
            const struct statistics *sum = &report->cross[i * report->players + j];
            if (!(sum->wins + sum->draws + sum->losses)) continue;
            json_t *meeting = score_json(sum);
            json_object_set_new(meeting, "first", json_integer(i));
            json_object_set_new(meeting, "second", json_integer(j));
            json_object_set_new(meeting, "elo", elo_json(statistics_elo(sum)));
            json_object_set_new(meeting, "normalized", elo_json(statistics_normalized_elo(sum)));
            json_object_set_new(meeting, "los", number_json(statistics_los(sum), 1e-6));
            json_object_set_new(meeting, "draw_ratio",
                                number_json(statistics_draw_ratio(sum), 1e-6));
            json_array_append_new(meetings, meeting);
        }
    }
    return meetings;
}

static json_t *sprt_json(const struct summary *report) {
    if (!report->has_sprt || report->players < 2) return json_null();
    const struct sprt *sprt = &report->sprt;
    const uint32_t *pairs = report->cross[1].pairs; /* of player 0 against player 1 */
    return json_pack(
        "{s:f, s:f, s:f, s:f, s:o, s:o, s:o, s:s}", "elo0", sprt->elo0, "elo1", sprt->elo1, "alpha",
        sprt->alpha, "beta", sprt->beta, "llr", number_json(sprt_llr(sprt, pairs), 1e-4), "lower",
        number_json(sprt_lower(sprt), 1e-4), "upper", number_json(sprt_upper(sprt), 1e-4),
        "decision", sprt_decision_name(sprt_decide(sprt, pairs)));
}

static int compare_plies(const void *a, const void *b) {
    const uint32_t *first = a, *second = b;
    return (*first > *second) - (*first < *second);
}

/* The narrowest of 1, 2, 5, 10, … plies a bin that needs at most BINS_MAX bins. */
static uint32_t bin_width(uint32_t longest) {
    for (uint32_t power = 1;; power *= 10) {
        static const uint32_t steps[] = {1, 2, 5};
        for (int i = 0; i < 3; i++)
            if (longest / (steps[i] * power) < BINS_MAX) return steps[i] * power;
    }
}

static json_t *lengths_json(const struct summary *report) {
    uint32_t games = report->games, counts[BINS_MAX] = {0};
    uint32_t *plies = games ? malloc(games * sizeof *plies) : NULL;
    if (!plies) return json_null();
    double sum = 0;
    for (uint32_t g = 0; g < games; g++) sum += plies[g] = report->list[g].plies;
    qsort(plies, games, sizeof *plies, compare_plies);
    uint32_t longest = plies[games - 1], width = bin_width(longest);
    for (uint32_t g = 0; g < games; g++) counts[plies[g] / width]++;
    double median = (plies[(games - 1) / 2] + (double)plies[games / 2]) / 2;
    json_t *lengths = json_pack("{s:I, s:o, s:f, s:I, s:I, s:o}", "shortest", (json_int_t)plies[0],
                                "mean", number_json(sum / games, 0.01), "median", median, "longest",
                                (json_int_t)longest, "bin", (json_int_t)width, "counts",
                                counts_json(counts, (int)(longest / width) + 1));
    free(plies);
    return lengths;
}

static json_t *forfeits_json(const struct summary *report) {
    json_t *forfeits = json_array();
    for (uint32_t g = 0; g < report->games && json_array_size(forfeits) < FORFEITS_MAX; g++) {
        const struct summary_game *game = &report->list[g];
        if (!reason_is_forfeit((enum reason)game->reason)) continue;
        enum side loser = game->result == RESULT_RED ? BLUE : RED;
        json_array_append_new(
            forfeits, json_pack("{s:I, s:i, s:s, s:s, s:o}", "game", (json_int_t)game->number,
                                "player", (int)game->player[loser], "side", side_name(loser),
                                "reason", reason_name((enum reason)game->reason), "text",
                                game->forfeit ? safe_json(game->forfeit) : json_null()));
    }
    return forfeits;
}

static double pairs_in(const struct summary_setup *setup) {
    return statistics_spread(setup->statistics.pairs).pairs;
}

/* The merit of a set-up for one of the lists; -INFINITY: not to be listed. */
static double most_played(const struct summary_setup *setup) {
    return pairs_in(setup) > 1 ? pairs_in(setup) : -INFINITY;
}

static double surely_good(const struct summary_setup *setup) {
    double low = summary_score(&setup->statistics).low;
    return pairs_in(setup) >= SETUP_PAIRS_MIN && low > 0.5 ? low : -INFINITY;
}

static double surely_bad(const struct summary_setup *setup) {
    double high = summary_score(&setup->statistics).high;
    return pairs_in(setup) >= SETUP_PAIRS_MIN && high < 0.5 ? -high : -INFINITY;
}

/* Adds the SETUPS_SHOWN set-ups of largest merit, the earlier of equals first. */
static void add_setups(const struct summary *report, json_t *list, const char *as,
                       double (*merit)(const struct summary_setup *)) {
    uint32_t best[SETUPS_SHOWN];
    double merits[SETUPS_SHOWN];
    int count = 0;
    for (uint32_t s = 0; s < report->setups; s++) {
        double value = merit(&report->setup_list[s]);
        if (!isfinite(value) || (count == SETUPS_SHOWN && value <= merits[count - 1])) continue;
        int at = count < SETUPS_SHOWN ? count++ : count - 1;
        for (; at > 0 && merits[at - 1] < value; at--) {
            best[at] = best[at - 1];
            merits[at] = merits[at - 1];
        }
        best[at] = s;
        merits[at] = value;
    }
    for (int i = 0; i < count; i++) {
        const struct summary_setup *setup = &report->setup_list[best[i]];
        json_t *entry = score_json(&setup->statistics);
        json_object_set_new(entry, "as", json_string(as));
        json_object_set_new(entry, "setup", safe_json(setup->text));
        json_array_append_new(list, entry);
    }
}

static json_t *setups_json(const struct summary *report) {
    json_t *list = json_array();
    uint32_t judged = 0;
    for (uint32_t s = 0; s < report->setups; s++)
        judged += pairs_in(&report->setup_list[s]) >= SETUP_PAIRS_MIN;
    add_setups(report, list, "most", most_played);
    add_setups(report, list, "best", surely_good);
    add_setups(report, list, "worst", surely_bad);
    return json_pack("{s:I, s:I, s:i, s:o}", "different", (json_int_t)report->setups, "judged",
                     (json_int_t)judged, "judged_from", SETUP_PAIRS_MIN, "list", list);
}

static json_t *squares_json(squareset squares) {
    json_t *list = json_array();
    while (squares) json_array_append_new(list, json_integer(squareset_pop(&squares)));
    return list;
}

/* Pairs of squares, each once. */
static json_t *lines_json(const squareset lines[BOARD_SQUARES_MAX]) {
    json_t *list = json_array();
    for (int at = 0; at < BOARD_SQUARES_MAX; at++)
        for (squareset left = lines[at]; left;) {
            const int other = squareset_pop(&left);
            if (other > at) json_array_append_new(list, json_pack("[i, i]", at, other));
        }
    return list;
}

/* The grounds, and the signs that squares show. */
static json_t *ground_json(const struct board *board) {
    json_t *list = json_array();
    for (int i = 0; i < board->grounds; i++) {
        const char sign[2] = {ground_sign(i), 0};
        squareset shown = 0;
        for (squareset left = ground_squares(&board->ground[i]); left;) {
            const square at = squareset_pop(&left);
            if (board_shown_ground(board, at) == i) shown |= squareset_of(at);
        }
        json_array_append_new(list, json_pack("{s:s, s:s, s:o}", "name", board->ground[i].name,
                                              "sign", sign, "squares", squares_json(shown)));
    }
    return list;
}

static json_t *board_json(const struct rules *rules) {
    const struct board *board = &rules->board;
    json_t *kinds = json_array();
    for (kind_id kind = 1; kind <= rules->kinds; kind++) {
        const struct kind *k = &rules->kind[kind];
        json_array_append_new(kinds, json_pack("{s:s, s:s, s:s%, s:i}", "name", k->name, "label",
                                               k->label, "letter", &k->letter, (size_t)1, "count",
                                               rules_most(rules, kind)));
    }
    return json_pack("{s:i, s:i, s:i, s:o, s:o, s:o, s:o, s:o}", "files", (int)board->files,
                     "ranks", (int)board->ranks, "zone", (int)board->zone_ranks[RED], "lakes",
                     squares_json(board->lakes), "ground", ground_json(board), "links",
                     lines_json(board->linked), "walls", lines_json(board->walled), "kinds", kinds);
}

json_t *report_games(const struct summary *report) {
    json_t *games = json_array();
    for (uint32_t g = 0; g < report->games; g++) {
        const struct summary_game *game = &report->list[g];
        const char *first =
            game->first == SUMMARY_UNKNOWN ? NULL : side_name((enum side)game->first);
        json_array_append_new(
            games,
            json_pack("{s:I, s:o, s:o, s:s, s:s, s:I, s:I, s:s?, s:o}", "game",
                      (json_int_t)game->number, "red", safe_json(report->name[game->player[RED]]),
                      "blue", safe_json(report->name[game->player[BLUE]]), "result",
                      result_name((enum result)game->result), "reason",
                      reason_name((enum reason)game->reason), "plies", (json_int_t)game->plies,
                      "seed", (json_int_t)game->seed, "first", first, "forfeit",
                      game->forfeit ? safe_json(game->forfeit) : json_null()));
    }
    return games;
}

static void put_texts(const struct summary *report, json_t *document) {
    char hash[17], seed[21];
    snprintf(hash, sizeof hash, "%016" PRIx64, report->hash);
    snprintf(seed, sizeof seed, "%" PRIu64, report->seed);
    json_object_set_new(document, "variant", json_string(report->rules->name));
    json_object_set_new(document, "title", safe_json(report->rules->title));
    json_object_set_new(document, "match", json_boolean(report->is_match));
    json_object_set_new(document, "ensign", safe_json(report->version));
    json_object_set_new(document, "pairing", safe_json(report->pairing));
    json_object_set_new(document, "command", safe_json(report->command));
    json_object_set_new(document, "bot", *report->bot ? safe_json(report->bot) : json_null());
    json_object_set_new(document, "ended", *report->ended ? safe_json(report->ended) : json_null());
    json_object_set_new(document, "hash", report->hash ? json_string(hash) : json_null());
    json_object_set_new(document, "seed", report->has_seed ? json_string(seed) : json_null());
}

static void put_endings(const struct summary *report, json_t *document) {
    uint32_t reasons[REASON_COUNT] = {0}, forfeited = 0;
    for (uint32_t g = 0; g < report->games; g++) reasons[report->list[g].reason]++;
    for (int r = 0; r < REASON_COUNT; r++)
        if (reason_is_forfeit((enum reason)r)) forfeited += reasons[r];
    json_object_set_new(document, "reasons", reasons_json(reasons));
    json_object_set_new(document, "forfeited", json_integer(forfeited));
    json_object_set_new(document, "forfeits", forfeits_json(report));
}

json_t *report_numbers(const struct summary *report) {
    static const char *const ratings[] = {"none", "likely", "prior"};
    int squares = report->rules->board.squares;
    char unread[FAULT_FILE_MAX + FAULT_TEXT_MAX + 32];
    fault_format(&report->unread_why, unread, sizeof unread);
    json_t *document = json_object();
    put_texts(report, document);
    json_object_set_new(document, "planned", json_integer(report->planned));
    json_object_set_new(document, "played", json_integer(report->games));
    json_object_set_new(document, "ratings", json_string(ratings[report->rating_kind]));
    json_object_set_new(document, "players", players_json(report));
    json_object_set_new(document, "meetings", meetings_json(report));
    json_object_set_new(document, "sprt", sprt_json(report));
    json_object_set_new(document, "lengths", lengths_json(report));
    put_endings(report, document);
    json_object_set_new(document, "red", score_json(&report->red));
    json_object_set_new(document, "first", score_json(&report->first));
    json_object_set_new(document, "setups", setups_json(report));
    json_object_set_new(document, "flags", counts_json(report->flags, squares));
    json_object_set_new(document, "battles", counts_json(report->battles, squares));
    json_object_set_new(document, "unread", json_integer(report->unread));
    json_object_set_new(document, "unread_why", report->unread ? safe_json(unread) : json_null());
    json_object_set_new(document, "board", board_json(report->rules));
    return document;
}
