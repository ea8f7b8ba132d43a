/* match_json.c - `match --json` and `--events`.
 *
 * Games are written one at a time, since a million of them as one tree would fill the memory.
 * Nothing here depends on the clock, on -j, or on interruptions. */
#include "match_json.h"

#include "host/match/rating.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <string.h>

enum { FLAGS = JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(9) };

/* A number rounded to `unit`; null if it is infinite or undefined, which JSON cannot express. */
static json_t *real(double value, double unit) {
    return isfinite(value) ? json_real(round(value / unit) * unit + 0.0) : json_null();
}

static json_t *elo_json(double elo) {
    return real(elo, 0.1);
}

static json_t *forfeits_json(const struct statistics *statistics) {
    json_t *forfeits = json_object();
    for (int r = 0; r < REASON_COUNT; r++) {
        if (!statistics->forfeits[r]) continue;
        json_object_set_new(forfeits, reason_name((enum reason)r),
                            json_integer(statistics->forfeits[r]));
    }
    return forfeits;
}

static json_t *pairs_json(const struct statistics *statistics) {
    json_t *pairs = json_array();
    for (int i = 0; i < PAIR_SCORES; i++)
        json_array_append_new(pairs, json_integer(statistics->pairs[i]));
    return pairs;
}

static json_t *player_json(const struct tournament *match, int player,
                           const struct rating *rating) {
    const struct statistics *statistics = &match->statistics[player];
    struct elo elo = statistics_elo(statistics);
    return json_pack("{s:s, s:I, s:I, s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
                     "name", match->name[player], "wins", (json_int_t)statistics->wins, "losses",
                     (json_int_t)statistics->losses, "draws", (json_int_t)statistics->draws,
                     "forfeits", forfeits_json(statistics), "score",
                     real(statistics_score(statistics), 0.0001), "elo", elo_json(elo.difference),
                     "elo_low", elo_json(elo.low), "elo_high", elo_json(elo.high), "los",
                     real(statistics_los(statistics), 0.0001), "pentanomial",
                     pairs_json(statistics), "rating", elo_json(rating->elo), "rating_low",
                     elo_json(rating->low), "rating_high", elo_json(rating->high));
}

static json_t *players_json(const struct tournament *match) {
    struct rating ratings[TOURNAMENT_PLAYERS_MAX];
    json_t *players = json_array();
    rating_estimate(match->cross, match->player_count, ratings);
    for (int i = 0; i < match->player_count; i++)
        json_array_append_new(players, player_json(match, i, &ratings[i]));
    return players;
}

/* A row for each player: its results against each player, null against itself. */
static json_t *cross_json(const struct tournament *match) {
    json_t *rows = json_array();
    for (int i = 0; i < match->player_count; i++) {
        json_t *row = json_array();
        for (int k = 0; k < match->player_count; k++) {
            const struct statistics *met = &match->cross[i * match->player_count + k];
            json_array_append_new(
                row, i == k ? json_null()
                            : json_pack("{s:I, s:I, s:I, s:o}", "wins", (json_int_t)met->wins,
                                        "losses", (json_int_t)met->losses, "draws",
                                        (json_int_t)met->draws, "pentanomial", pairs_json(met)));
        }
        json_array_append_new(rows, row);
    }
    return rows;
}

static json_t *sprt_json(const struct tournament *match, const struct sprt *sprt) {
    return json_pack("{s:f, s:f, s:f, s:f, s:o, s:o, s:o, s:s}", "elo0", sprt->elo0, "elo1",
                     sprt->elo1, "alpha", sprt->alpha, "beta", sprt->beta, "llr",
                     real(sprt_llr(sprt, match->statistics[0].pairs), 0.0001), "lower",
                     real(sprt_lower(sprt), 0.0001), "upper", real(sprt_upper(sprt), 0.0001),
                     "decision", sprt_decision_name(match->decision));
}

/* The document without its games; NULL without memory. */
static json_t *match_json_document(const struct tournament *match, const struct plan *plan) {
    char hash[STORE_HASH_MAX];
    store_write_hash(match->hash, hash);
    json_t *all = json_pack(
        "{s:s, s:o, s:I, s:I, s:b, s:o, s:o}", "variant", plan->match.rules->name, "seed",
        plan_tells_seed(plan, match) ? json_integer((json_int_t)plan->seed) : json_null(),
        "planned", (json_int_t)match->game_count, "played", (json_int_t)match->counted, "complete",
        tournament_complete(match), "players", players_json(match), "cross", cross_json(match));
    if (plan->match.sprt) json_object_set_new(all, "sprt", sprt_json(match, plan->match.sprt));
    json_object_set_new(all, "hash", json_string(hash));
    return all;
}

static json_t *game_json(const struct tournament *match, uint32_t number) {
    const struct tournament_game *game = &match->games[number];
    return json_pack("{s:s, s:s, s:s, s:s, s:I, s:I}", "red", match->name[game->player[RED]],
                     "blue", match->name[game->player[BLUE]], "result",
                     result_name((enum result)game->result), "reason",
                     reason_name((enum reason)game->reason), "plies", (json_int_t)game->plies,
                     "seed", (json_int_t)game->seed);
}

/* Writes and frees a value. False without memory; write errors are found at the end of main(). */
static bool match_json_write(json_t *value) {
    bool whole = value;
    if (whole) json_dumpf(value, stdout, FLAGS);
    json_decref(value);
    return whole;
}

static bool print_games(const struct tournament *match) {
    bool whole = true;
    fputs("\"games\":[", stdout);
    for (uint32_t n = 0; n < match->counted; n++) {
        fputs(n ? ",\n" : "\n", stdout);
        whole = match_json_write(game_json(match, n)) && whole;
    }
    fputs("],\n", stdout);
    return whole;
}

bool match_json_print(const struct tournament *match, const struct plan *plan) {
    json_t *all = match_json_document(match, plan), *value;
    const char *key, *before = "{";
    bool whole = all;
    json_object_foreach(all, key, value) {
        fputs(before, stdout);
        if (!strcmp(key, "players")) whole = print_games(match) && whole;
        printf("\"%s\":", key);
        json_dumpf(value, stdout, FLAGS);
        before = ",\n";
    }
    puts("}");
    json_decref(all);
    return whole;
}

void match_json_game(const struct tournament *match, uint32_t number, const struct fault *forfeit) {
    json_t *line = json_pack("{s:s, s:I}", "event", "game", "game", (json_int_t)number + 1);
    json_t *game = game_json(match, number);
    json_object_update(line, game);
    json_decref(game);
    if (forfeit->status != STATUS_OK) {
        char why[FAULT_FILE_MAX + FAULT_TEXT_MAX + 32];
        fault_format(forfeit, why, sizeof why);
        json_object_set_new(line, "forfeit", json_string(why));
    }
    match_json_write(line);
    putchar('\n');
    fflush(stdout);
}

bool match_json_end(const struct tournament *match, const struct plan *plan) {
    json_t *line = json_pack("{s:s}", "event", "match"), *all = match_json_document(match, plan);
    json_object_update(line, all);
    json_decref(all);
    bool whole = match_json_write(line);
    putchar('\n');
    return whole;
}
