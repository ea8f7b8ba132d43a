/* match_table.c - prints the results of a match.
 *
 * Two players are compared by their Elo difference; more get joint ratings and a cross table, with
 * the best player on top. The words are those of the language (cli_tongue()), and columns are as
 * wide as their heads. */
#include "match_table.h"

#include "cli/cli.h"
#include "cli/columns.h"
#include "host/match/rating.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBER_MAX = 32, NAME_COLUMNS_MAX = 24 };

/* A column of numbers, which stand at its right end: its head, and its least width. */
struct column {
    const char *head;
    int width;
};

static void print_cell(const char *text, int columns) {
    putchar(' ');
    columns_print(stdout, text, -columns);
}

/* Translates and prints the heads, and widens columns that are too narrow for them. */
static void print_heads(struct column *columns, int count) {
    for (int i = 0; i < count; i++) {
        columns[i].head = language_text(cli_tongue(), columns[i].head);
        int needed = columns_of(columns[i].head, SIZE_MAX);
        if (needed > columns[i].width) columns[i].width = needed;
        print_cell(columns[i].head, columns[i].width);
    }
    putchar('\n');
}

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

/* "52.1 %" */
static const char *share_text(double share, char out[NUMBER_MAX]) {
    char number[NUMBER_MAX];
    snprintf(out, NUMBER_MAX, "%.20s %%", percent_text(share, number));
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
    standing->width = columns_of(language_text(cli_tongue(), TEXT("player")), SIZE_MAX);
    if (standing->width < 6) standing->width = 6;
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
    const struct language *language = cli_tongue();
    uint32_t pairs = match->counted / 2;
    const char *title = language_title(language, plan->match.rules);
    if (!tournament_complete(match)) {
        language_print(stdout, language, "{1}: {2} of {3} games", title,
                       NUMBER_TEXT(match->counted), NUMBER_TEXT(match->game_count));
    } else {
        language_print(stdout, language,
                       pairs == 1 ? TEXT("{1}: {2} games in {3} pair")
                                  : TEXT("{1}: {2} games in {3} pairs"),
                       title, NUMBER_TEXT(match->counted), NUMBER_TEXT(pairs));
    }
    if (plan_tells_seed(plan, match))
        language_print(stdout, language, ", seed {1}", NUMBER_TEXT(plan->seed));
    putchar('\n');
    if (plan->asked.versus) {
        language_line(stdout, language, "two families of set-ups, both played by {1}",
                      plan->match.players[0]);
    }
}

static uint32_t forfeit_count(const struct statistics *statistics) {
    uint32_t count = 0;
    for (int r = 0; r < REASON_COUNT; r++) count += statistics->forfeits[r];
    return count;
}

static void print_player(const struct standing *standing, int player, const struct column *column) {
    const struct statistics *statistics = &standing->match->statistics[player];
    const struct rating *rating = &standing->rating[player];
    char text[4][NUMBER_MAX], interval[3 * NUMBER_MAX];
    snprintf(interval, sizeof interval, "  %6s … %-6s", elo_text(rating->low, text[2]),
             elo_text(rating->high, text[3]));
    print_name(standing, player);
    print_cell(NUMBER_TEXT(statistics->wins), column++->width);
    print_cell(NUMBER_TEXT(statistics->draws), column++->width);
    print_cell(NUMBER_TEXT(statistics->losses), column++->width);
    print_cell(NUMBER_TEXT(forfeit_count(statistics)), column++->width);
    print_cell(share_text(statistics_score(statistics), text[0]), column++->width);
    print_cell(elo_text(rating->elo, text[1]), column++->width);
    print_cell(interval, column++->width);
    print_cell(share_text(statistics_los(statistics), text[0]), column->width);
    putchar('\n');
}

static void print_players(const struct standing *standing) {
    const struct language *language = cli_tongue();
    bool two = standing->match->player_count == 2;
    struct column columns[] = {{TEXT("wins"), 7},           {TEXT("draws"), 7},
                               {TEXT("losses"), 7},         {TEXT("forfeits"), 9},
                               {TEXT("score"), 8},          {two ? "Elo" : TEXT("rating"), 7},
                               {TEXT("95 % interval"), 17}, {"LOS", 8}};
    printf("\n");
    columns_print(stdout, language_text(language, TEXT("player")), standing->width);
    print_heads(columns, sizeof columns / sizeof columns[0]);
    for (int i = 0; i < standing->match->player_count; i++)
        print_player(standing, standing->order[i], columns);
    if (standing->kind == RATING_PRIOR) {
        language_line(stdout, language,
                      "(a player has won or lost every game: each rating counts one more drawn "
                      "pair)");
    }
}

/* The cross table: points per hundred games. */
static void print_cross(const struct standing *standing) {
    const struct tournament *match = standing->match;
    int count = match->player_count;
    printf("\n");
    columns_print(stdout, language_text(cli_tongue(), TEXT("score %")), standing->width + 3);
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
    putchar('\n');
    language_print(stdout, cli_tongue(), "pairs, by points of {1}: ", match->name[0]);
    for (int i = 0; i < PAIR_SCORES; i++)
        printf("%s%s %" PRIu32, i ? ", " : "", points[i], match->statistics[0].pairs[i]);
    printf("\n");
}

static void print_sprt(const struct tournament *match, const struct sprt *sprt) {
    static const char *const said[] = {
        [SPRT_H0] = TEXT("SPRT: decided for H0, {1} Elo rather than {2}"),
        [SPRT_H1] = TEXT("SPRT: decided for H1, {2} Elo rather than {1}"),
    };
    bool decided = match->decision == SPRT_H0 || match->decision == SPRT_H1;
    char elo0[NUMBER_MAX], elo1[NUMBER_MAX], llr[NUMBER_MAX], lower[NUMBER_MAX], upper[NUMBER_MAX];
    snprintf(elo0, sizeof elo0, "%+g", sprt->elo0);
    snprintf(elo1, sizeof elo1, "%+g", sprt->elo1);
    snprintf(llr, sizeof llr, "%.2f", sprt_llr(sprt, match->statistics[0].pairs));
    snprintf(lower, sizeof lower, "%.2f", sprt_lower(sprt));
    snprintf(upper, sizeof upper, "%.2f", sprt_upper(sprt));
    language_print(stdout, cli_tongue(),
                   decided ? said[match->decision]
                           : TEXT("SPRT: undecided between H0, {1} Elo, and H1, {2}"),
                   elo0, elo1);
    language_line(stdout, cli_tongue(), "; LLR {1}, bounds {2} and {3}", llr, lower, upper);
}

/* ": flag 23, immobile 4" */
static void print_reasons(const uint32_t reasons[REASON_COUNT]) {
    const char *before = ": ";
    for (int r = 0; r < REASON_COUNT; r++) {
        if (!reasons[r]) continue;
        printf("%s%s %" PRIu32, before, language_reason(cli_tongue(), (enum reason)r), reasons[r]);
        before = ", ";
    }
    putchar('\n');
}

/* Forfeits of each player by reason. */
static void print_forfeits(const struct tournament *match) {
    for (int i = 0; i < match->player_count; i++) {
        const struct statistics *statistics = &match->statistics[i];
        if (!forfeit_count(statistics)) continue;
        language_print(stdout, cli_tongue(), "forfeits of {1}", match->name[i]);
        print_reasons(statistics->forfeits);
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
    struct column columns[] = {{TEXT("calls"), 9},
                               {TEXT("fuel: mean"), 12},
                               {TEXT("greatest"), 12},
                               {TEXT("ms: mean"), 11},
                               {TEXT("greatest"), 11}};
    printf("\n");
    columns_print(stdout, language_text(cli_tongue(), TEXT("for a move")), standing->width);
    print_heads(columns, sizeof columns / sizeof columns[0]);
    for (int i = 0; i < standing->match->player_count; i++) {
        const struct usage *usage = &standing->match->usage[standing->order[i]];
        double fuel = usage->metered ? (double)usage->fuel_greatest : NAN;
        double ms = usage->calls ? usage_ms(usage->ns_greatest) : NAN;
        char text[NUMBER_MAX];
        print_name(standing, standing->order[i]);
        print_cell(NUMBER_TEXT(usage->calls), columns[0].width);
        print_cell(mean_text(usage_fuel_mean(usage), 1, text), columns[1].width);
        print_cell(mean_text(fuel, 0, text), columns[2].width);
        print_cell(mean_text(usage_ms_mean(usage), 4, text), columns[3].width);
        print_cell(mean_text(ms, 4, text), columns[4].width);
        putchar('\n');
    }
}

static void print_ends(const struct tournament *match) {
    const struct language *language = cli_tongue();
    if (match->counted) {
        char plies[NUMBER_MAX];
        snprintf(plies, sizeof plies, "%.1f", (double)match->plies / match->counted);
        fputs(language_text(language, TEXT("ends")), stdout);
        print_reasons(match->reasons);
        language_line(stdout, language, "plies a game: {1}", plies);
    }
    language_print(stdout, language, "hash");
    printf(": %016" PRIx64 "\n", match->hash);
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

/* Prints faults of bots: `broke` names the game, player, side and fault, `more` the number of games
 * whose faults were not kept. */
static void tell_faults(const struct tournament *match, const struct tournament_fault *list,
                        uint32_t count, const char *broke, const char *more) {
    const struct language *language = cli_tongue();
    struct fault last = {0};
    for (uint32_t i = 0; i < count; i++) {
        if (i == TOURNAMENT_FAULTS_KEPT) {
            language_line(stderr, language, more, NUMBER_TEXT(count - i));
            return;
        }
        const struct tournament_game *game = &match->games[list[i].number];
        const struct fault *fault = &list[i].fault;
        char why[FAULT_FILE_MAX + LANGUAGE_TEXT_MAX];
        language_fault_line(language, fault, why, sizeof why);
        language_line(stderr, language, broke, NUMBER_TEXT(list[i].number + 1),
                      match->name[game->player[list[i].side]],
                      language_text(language, side_name(list[i].side)), why);
        if (fault->line != last.line || strcmp(fault->file, last.file) != 0)
            cli_excerpt(stderr, fault);
        last = *fault;
    }
}

void match_table_faults(const struct tournament *match) {
    tell_faults(match, match->forfeits, match->forfeit_count,
                TEXT("ensign: game {1}: {2} ({3}) forfeits: {4}"),
                TEXT("ensign: … and more games that were forfeited: {1}"));
    tell_faults(match, match->late, match->late_count,
                TEXT("ensign: game {1}: {2} ({3}) failed after the end: {4}"),
                TEXT("ensign: … and more games that a bot failed after: {1}"));
}
