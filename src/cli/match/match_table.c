/* match_table.c - prints the results of a match.
 *
 * Two players are compared by their Elo difference; more get joint ratings and a cross table, with
 * the best player on top. */
#include "match_table.h"

#include "cli/cli.h"
#include "cli/columns.h"
#include "host/match/rating.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBER_MAX = 16, NAME_COLUMNS_MAX = 24 };

/* The players in the order of the table, with their ratings. */
struct standing {
    const struct tournament *match;
    int order[TOURNAMENT_PLAYERS_MAX];
    struct rating rating[TOURNAMENT_PLAYERS_MAX]; /* by player; of two, the Elo difference */
    enum rating_kind kind;
    int width; /* columns of the longest name */
};

/* "+17", "-inf", "?". */
static const char *elo_text(double elo, char out[NUMBER_MAX]) {
    if (isnan(elo)) return "?";
    if (isinf(elo)) return elo > 0 ? "+inf" : "-inf";
    snprintf(out, NUMBER_MAX, "%+.0f", round(elo) + 0.0); /* no "-0" */
    return out;
}

static const char *percent_text(double share, char out[NUMBER_MAX]) {
    if (isnan(share)) return "?";
    snprintf(out, NUMBER_MAX, "%.1f", 100 * share);
    return out;
}

static void rank_players(struct standing *standing) {
    const struct tournament *match = standing->match;
    for (int i = 0; i < match->player_count; i++) standing->order[i] = i;
    if (match->player_count == 2) {
        for (int i = 0; i < 2; i++) {
            struct elo elo = statistics_elo(&match->statistics[i]);
            standing->rating[i] = (struct rating){elo.difference, elo.low, elo.high};
        }
        return;
    }
    standing->kind = rating_estimate(match->cross, match->player_count, standing->rating);
    /* Stable: equal players keep their order in the arguments. */
    for (int i = 1; i < match->player_count; i++) {
        int player = standing->order[i], at = i;
        double elo = standing->rating[player].elo;
        while (at > 0 && elo > standing->rating[standing->order[at - 1]].elo) {
            standing->order[at] = standing->order[at - 1];
            at--;
        }
        standing->order[at] = player;
    }
}

static void find_width(struct standing *standing) {
    standing->width = 6;
    for (int i = 0; i < standing->match->player_count; i++) {
        int columns = columns_of(standing->match->name[i], SIZE_MAX);
        if (columns > standing->width) standing->width = columns;
    }
    if (standing->width > NAME_COLUMNS_MAX) standing->width = NAME_COLUMNS_MAX;
}

static void print_name(const struct standing *standing, int player) {
    char name[TITLE_MAX];
    columns_cut(name, sizeof name, standing->match->name[player], standing->width);
    columns_print(stdout, name, standing->width);
}

static void print_head(const struct tournament *match, const struct plan *plan) {
    uint32_t pairs = match->counted / 2;
    printf("%s: ", plan->match.rules->title);
    if (!tournament_complete(match)) printf("%" PRIu32 " of ", match->counted);
    if (tournament_complete(match)) {
        printf("%" PRIu32 " games in %" PRIu32 " %s", match->counted, pairs,
               cli_noun(pairs, "pair", "pairs"));
    } else {
        printf("%" PRIu32 " games", match->game_count);
    }
    if (plan_tells_seed(plan, match)) printf(", seed %" PRIu64, plan->seed);
    putchar('\n');
    if (plan->asked.versus)
        cli_line(stdout, "two families of set-ups, both played by %s", plan->match.players[0]);
}

static uint32_t forfeit_count(const struct statistics *statistics) {
    uint32_t count = 0;
    for (int r = 0; r < REASON_COUNT; r++) count += statistics->forfeits[r];
    return count;
}

static void print_player(const struct standing *standing, int player) {
    const struct statistics *statistics = &standing->match->statistics[player];
    const struct rating *rating = &standing->rating[player];
    char text[5][NUMBER_MAX];
    print_name(standing, player);
    printf(" %7" PRIu32 " %7" PRIu32 " %7" PRIu32 " %9" PRIu32 " %6s %% %7s   %6s … %-6s %6s %%\n",
           statistics->wins, statistics->draws, statistics->losses, forfeit_count(statistics),
           percent_text(statistics_score(statistics), text[0]), elo_text(rating->elo, text[1]),
           elo_text(rating->low, text[2]), elo_text(rating->high, text[3]),
           percent_text(statistics_los(statistics), text[4]));
}

static void print_players(const struct standing *standing) {
    bool two = standing->match->player_count == 2;
    printf("\n");
    columns_print(stdout, "player", standing->width);
    printf(" %7s %7s %7s %9s %8s %7s   %-15s %8s\n", "wins", "draws", "losses", "forfeits", "score",
           two ? "Elo" : "rating", "95 % interval", "LOS");
    for (int i = 0; i < standing->match->player_count; i++)
        print_player(standing, standing->order[i]);
    if (standing->kind == RATING_PRIOR)
        printf("(a player has won or lost every game: each rating counts one more drawn pair)\n");
}

/* The cross table: points per hundred games. */
static void print_cross(const struct standing *standing) {
    const struct tournament *match = standing->match;
    int count = match->player_count;
    printf("\n");
    columns_print(stdout, "score %", standing->width + 3);
    for (int k = 0; k < count; k++) printf(" %5d", k + 1);
    printf("\n");
    for (int i = 0; i < count; i++) {
        int self = standing->order[i];
        printf("%2d ", i + 1);
        print_name(standing, self);
        for (int k = 0; k < count; k++) {
            int other = standing->order[k];
            char text[NUMBER_MAX];
            const struct statistics *met = &match->cross[self * count + other];
            bool none = self == other || !(met->wins + met->draws + met->losses);
            printf(" %5s", none ? "-" : percent_text(statistics_score(met), text));
        }
        printf("\n");
    }
}

/* The number of pairs by score, from which the interval is computed. */
static void print_pairs(const struct tournament *match) {
    static const char *const points[PAIR_SCORES] = {"0", "½", "1", "1½", "2"};
    printf("\npairs, by points of %s: ", match->name[0]);
    for (int i = 0; i < PAIR_SCORES; i++)
        printf("%s%s %" PRIu32, i ? ", " : "", points[i], match->statistics[0].pairs[i]);
    printf("\n");
}

static void print_sprt(const struct tournament *match, const struct sprt *sprt) {
    double llr = sprt_llr(sprt, match->statistics[0].pairs);
    double lower = sprt_lower(sprt), upper = sprt_upper(sprt);
    switch (match->decision) {
    case SPRT_H0:
        printf("SPRT: decided for H0, %+g Elo rather than %+g", sprt->elo0, sprt->elo1);
        break;
    case SPRT_H1:
        printf("SPRT: decided for H1, %+g Elo rather than %+g", sprt->elo1, sprt->elo0);
        break;
    default:
        printf("SPRT: undecided between H0, %+g Elo, and H1, %+g", sprt->elo0, sprt->elo1);
    }
    printf("; LLR %.2f, bounds %.2f and %.2f\n", llr, lower, upper);
}

/* Forfeits of each player by reason. */
static void print_forfeits(const struct tournament *match) {
    for (int i = 0; i < match->player_count; i++) {
        const struct statistics *statistics = &match->statistics[i];
        if (!forfeit_count(statistics)) continue;
        const char *before = ": ";
        printf("forfeits of %s", match->name[i]);
        for (int r = 0; r < REASON_COUNT; r++) {
            if (!statistics->forfeits[r]) continue;
            printf("%s%s %" PRIu32, before, reason_name((enum reason)r), statistics->forfeits[r]);
            before = ", ";
        }
        printf("\n");
    }
}

/* "12.3"; "-" where there is no figure. */
static const char *mean_text(double mean, int digits, char out[NUMBER_MAX]) {
    if (isnan(mean)) return "-";
    snprintf(out, NUMBER_MAX, "%.*f", digits, mean);
    return out;
}

/* What the players used for a move. */
static void print_usage(const struct standing *standing) {
    printf("\n");
    columns_print(stdout, "for a move", standing->width);
    printf(" %9s %12s %12s %11s %11s\n", "calls", "fuel: mean", "greatest", "ms: mean", "greatest");
    for (int i = 0; i < standing->match->player_count; i++) {
        const struct usage *usage = &standing->match->usage[standing->order[i]];
        double fuel = usage->metered ? (double)usage->fuel_greatest : NAN;
        double ms = usage->calls ? usage_ms(usage->ns_greatest) : NAN;
        char text[4][NUMBER_MAX];
        print_name(standing, standing->order[i]);
        printf(" %9" PRIu64 " %12s %12s %11s %11s\n", usage->calls,
               mean_text(usage_fuel_mean(usage), 1, text[0]), mean_text(fuel, 0, text[1]),
               mean_text(usage_ms_mean(usage), 4, text[2]), mean_text(ms, 4, text[3]));
    }
}

static void print_ends(const struct tournament *match) {
    const char *before = "ends: ";
    for (int r = 0; r < REASON_COUNT; r++) {
        if (!match->reasons[r]) continue;
        printf("%s%s %" PRIu32, before, reason_name((enum reason)r), match->reasons[r]);
        before = ", ";
    }
    if (match->counted) printf("\nplies a game: %.1f\n", (double)match->plies / match->counted);
    printf("hash: %016" PRIx64 "\n", match->hash);
}

void match_table_print(const struct tournament *match, const struct plan *plan) {
    struct standing standing = {.match = match};
    rank_players(&standing);
    find_width(&standing);
    print_head(match, plan);
    print_players(&standing);
    if (match->player_count == 2)
        print_pairs(match);
    else
        print_cross(&standing);
    print_usage(&standing);
    printf("\n");
    if (plan->match.sprt) print_sprt(match, plan->match.sprt);
    print_forfeits(match);
    print_ends(match);
}

/* Prints faults of bots: `broke` is the verb, `more` describes the games whose faults were not
 * kept. */
static void tell_faults(const struct tournament *match, const struct tournament_fault *list,
                        uint32_t count, const char *broke, const char *more) {
    struct fault last = {0};
    for (uint32_t i = 0; i < count; i++) {
        if (i == TOURNAMENT_FAULTS_KEPT) {
            fprintf(stderr, "ensign: … and %s: %" PRIu32 "\n", more, count - i);
            return;
        }
        const struct tournament_game *game = &match->games[list[i].number];
        const struct fault *fault = &list[i].fault;
        char why[FAULT_FILE_MAX + FAULT_TEXT_MAX + 32];
        fault_format(fault, why, sizeof why);
        fprintf(stderr, "ensign: game %" PRIu32 ": %s (%s) %s: %s\n", list[i].number + 1,
                match->name[game->player[list[i].side]], side_name(list[i].side), broke, why);
        if (fault->line != last.line || strcmp(fault->file, last.file) != 0)
            cli_excerpt(stderr, fault);
        last = *fault;
    }
}

void match_table_faults(const struct tournament *match) {
    tell_faults(match, match->forfeits, match->forfeit_count, "forfeits",
                "more games that were forfeited");
    tell_faults(match, match->late, match->late_count, "failed after the end",
                "more games that a bot failed after");
}
