/* match_json.c - `match --json` and `--events`.
 *
 * Games are written one at a time, since a million of them as one tree would fill the memory.
 * Nothing but "time", which only --verbose adds, depends on the clock, nothing on -j or on
 * interruptions. */
#include "match_json.h"

#include "host/match/rating.h"
#include "host/safe_json.h"

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

/* Null for a player without fuel: an external program, or one that was never asked. */
static json_t *fuel_json(const struct usage *usage) {
    if (!usage->metered) return json_null();
    return json_pack("{s:o, s:I}", "mean", real(usage_fuel_mean(usage), 0.1), "greatest",
                     (json_int_t)usage->fuel_greatest);
}

static json_t *time_json(const struct usage *usage) {
    return json_pack("{s:o, s:o}", "mean", real(usage_ms_mean(usage), 0.0001), "greatest",
                     real(usage_ms(usage->ns_greatest), 0.0001));
}

static json_t *player_json(const struct tournament *match, int player,
                           const struct rating *rating) {
    const struct statistics *statistics = &match->statistics[player];
    const struct usage *usage = &match->usage[player];
    struct elo elo = statistics_elo(statistics);
    return json_pack(
        "{s:s, s:I, s:I, s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:I, "
        "s:o}",
        "name", match->name[player], "wins", (json_int_t)statistics->wins, "losses",
        (json_int_t)statistics->losses, "draws", (json_int_t)statistics->draws, "forfeits",
        forfeits_json(statistics), "score", real(statistics_score(statistics), 0.0001), "elo",
        elo_json(elo.difference), "elo_low", elo_json(elo.low), "elo_high", elo_json(elo.high),
        "los", real(statistics_los(statistics), 0.0001), "pentanomial", pairs_json(statistics),
        "rating", elo_json(rating->elo), "rating_low", elo_json(rating->low), "rating_high",
        elo_json(rating->high), "calls", (json_int_t)usage->calls, "fuel", fuel_json(usage));
}

static json_t *players_json(const struct tournament *match, bool verbose) {
    struct rating ratings[TOURNAMENT_PLAYERS_MAX];
    json_t *players = json_array();
    rating_estimate(match->cross, match->player_count, ratings);
    for (int i = 0; i < match->player_count; i++) {
        json_t *player = player_json(match, i, &ratings[i]);
        if (verbose) json_object_set_new(player, "time", time_json(&match->usage[i]));
        json_array_append_new(players, player);
    }
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
    json_t *all =
        json_pack("{s:s, s:o, s:I, s:I, s:b, s:o, s:o}", "variant", plan->match.rules->name, "seed",
                  plan_tells_seed(plan, match) ? json_integer((json_int_t)plan->seed) : json_null(),
                  "planned", (json_int_t)match->game_count, "played", (json_int_t)match->counted,
                  "complete", tournament_complete(match), "players",
                  players_json(match, plan->asked.verbose), "cross", cross_json(match));
    if (plan->match.sprt) json_object_set_new(all, "sprt", sprt_json(match, plan->match.sprt));
    json_object_set_new(all, "hash", json_string(hash));
    return all;
}

struct buffer match_json_setups(void) {
    return buffer_of((size_t)TOURNAMENT_GAMES_MAX * 2 * SETUP_TEXT_MAX);
}

void match_json_keep(struct buffer *setups, const struct tournament_news *news) {
    for (int side = RED; side <= BLUE; side++) {
        const char *setup = news->setups[side] ? news->setups[side] : "";
        buffer_add(setups, setup, strlen(setup) + 1);
    }
}

/* Empty or NULL: none was accepted. */
static json_t *setup_json(const char *setup) {
    return setup && *setup ? safe_json(setup) : json_null();
}

static json_t *game_json(const struct tournament *match, uint32_t number,
                         const char *const setups[2]) {
    const struct tournament_game *game = &match->games[number];
    return json_pack("{s:s, s:s, s:s, s:s, s:I, s:I, s:{s:o, s:o}}", "red",
                     match->name[game->player[RED]], "blue", match->name[game->player[BLUE]],
                     "result", result_name((enum result)game->result), "reason",
                     reason_name((enum reason)game->reason), "plies", (json_int_t)game->plies,
                     "seed", (json_int_t)game->seed, "setups", "red", setup_json(setups[RED]),
                     "blue", setup_json(setups[BLUE]));
}

/* Writes and frees a value. False without memory; write errors are found at the end of main(). */
static bool match_json_write(json_t *value) {
    bool whole = value;
    if (whole) json_dumpf(value, stdout, FLAGS);
    json_decref(value);
    return whole;
}

static bool print_games(const struct tournament *match, const struct buffer *setups,
                        const char *end_line) {
    bool whole = true;
    const char *at = setups->text;
    fputs("\"games\":[", stdout);
    for (uint32_t n = 0; n < match->counted; n++) {
        const char *of_game[2] = {at, at + strlen(at) + 1};
        at = of_game[BLUE] + strlen(of_game[BLUE]) + 1;
        printf("%s%s", n ? "," : "", end_line);
        whole = match_json_write(game_json(match, n, of_game)) && whole;
    }
    printf("],%s", end_line);
    return whole;
}

bool match_json_print(const struct tournament *match, const struct plan *plan,
                      const struct buffer *setups) {
    if (setups->broken) return false;
    json_t *all = match_json_document(match, plan), *value;
    const char *key, *end_line = plan->asked.events ? "" : "\n";
    bool whole = all, first = true;
    json_object_foreach(all, key, value) {
        if (first)
            putchar('{');
        else
            printf(",%s", end_line);
        first = false;
        if (!strcmp(key, "players")) whole = print_games(match, setups, end_line) && whole;
        printf("\"%s\":", key);
        json_dumpf(value, stdout, FLAGS);
    }
    puts("}");
    json_decref(all);
    return whole;
}

void match_json_game(const struct tournament *match, const struct tournament_news *news) {
    json_t *line = json_pack("{s:s, s:I}", "event", "game", "game", (json_int_t)news->number + 1);
    json_t *game = game_json(match, news->number, news->setups);
    json_object_update(line, game);
    json_decref(game);
    if (news->forfeit.status != STATUS_OK) {
        char why[FAULT_FILE_MAX + FAULT_TEXT_MAX + 32];
        fault_format(&news->forfeit, why, sizeof why);
        json_object_set_new(line, "forfeit", json_string(why));
    }
    match_json_write(line);
    putchar('\n');
    fflush(stdout);
}

void match_json_anew(void) {
    puts("{\"event\":\"anew\"}");
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
