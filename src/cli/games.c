/* games.c - `ensign games`: the games that a person has played, and the score. */
#include "host/games.h"

#include "columns.h"
#include "command.h"
#include "host/safe_json.h"
#include "host/table/saved.h"

#include <string.h>

static const char *const OUTCOME_WORDS[] = {"won", "lost", "drawn", "unfinished", NULL};

struct games_values {
    const char *folder, *variant, *against, *since, *until, *lang;
    int result; /* enum own_end; -1: any */
    bool json;
};

static int run_games(const void *values);
const struct command command_games = {
    COMMAND(games, .result = -1),
    .summary = "list the games you have played, and your score",
    .synopsis = {"[FOLDER] [OPTIONS]"},
    .prose = "Lists the records in FOLDER, oldest first, and adds up your games by variant and "
             "opponent. Without FOLDER these are the finished games of \"ensign play\". A game "
             "is yours if \"human\" played one side of it.",
    .arguments = {{NULL, 0, "FOLDER", VALUE_FOLDER, INTO(games, folder), "a folder of records"}},
    .options =
        {
            {OPTION_VARIANT, INTO(games, variant), "only games of this variant"},
            {"against", 0, "PLAYER", VALUE_PLAYER, INTO(games, against),
             "only games against this opponent"},
            {"result", 0, NULL, VALUE_WORD, INTO(games, result), "only games that ended so for you",
             .words = OUTCOME_WORDS},
            {"since", 0, "DATE", VALUE_TEXT, INTO(games, since),
             "only games begun on that day or later: 2026-03-14, 2026-03 or 2026"},
            {"until", 0, "DATE", VALUE_TEXT, INTO(games, until),
             "only games begun on that day or earlier"},
            {OPTION_JSON, INTO(games, json)},
            {OPTION_LANG, INTO(games, lang)},
        },
    .notes = {"A game that somebody else played in part, as after \"play --continue --red "
              "hunter\", is listed but not counted."},
};

/* A day, a month or a year; NULL: none is given. */
static bool is_date(const char *text) {
    static const char form[] = "0000-00-00";
    size_t length = text ? strlen(text) : 4;
    if (length != 4 && length != 7 && length != 10) return false;
    for (size_t i = 0; text && i < length; i++) {
        bool digit = text[i] >= '0' && text[i] <= '9';
        if (form[i] == '0' ? !digit : text[i] != form[i]) return false;
    }
    return true;
}

static bool is_wanted(const struct games_values *asked, const struct own_game *game) {
    if (asked->variant && strcmp(asked->variant, game->variant) != 0) return false;
    if (asked->against && strcmp(asked->against, own_game_opponent(game)) != 0) return false;
    if (asked->since && strcmp(game->date, asked->since) < 0) return false;
    if (asked->until && strncmp(game->date, asked->until, strlen(asked->until)) > 0) return false;
    return asked->result < 0 ||
           (game->me >= 0 && own_game_end(game) == (enum own_end)asked->result);
}

struct gallery {
    const struct language *language;
    struct complaints complaints;
    struct own_games games;
    struct own_scores scores;
    int exit_code; /* EXIT_SHORT after a record that cannot be read */
};

static void gallery_complain(void *context, const struct fault *fault) {
    struct gallery *gallery = context;
    cli_complain(&gallery->complaints, fault);
    gallery->exit_code = EXIT_SHORT;
}

static const char *outcome_word(const struct gallery *gallery, enum own_end outcome) {
    static const char *const words[OWN_ENDS] = {TEXT("won"), TEXT("lost"), TEXT("drawn"),
                                                TEXT("unfinished")};
    return language_text(gallery->language, words[outcome]);
}

/* For a game that is not mine: the side that won. */
static const char *game_word(const struct gallery *gallery, const struct own_game *game) {
    if (game->me < 0 && game->result == RESULT_RED)
        return language_text(gallery->language, TEXT("Red"));
    if (game->me < 0 && game->result == RESULT_BLUE)
        return language_text(gallery->language, TEXT("Blue"));
    return outcome_word(gallery, own_game_end(game));
}

/* "hunter", or "human - human". */
static const char *players_text(const struct own_game *game, char out[2 * GAMES_TEXT_MAX + 8]) {
    if (game->me >= 0) return own_game_opponent(game);
    snprintf(out, 2 * GAMES_TEXT_MAX + 8, "%s - %s", game->player[RED], game->player[BLUE]);
    return out;
}

static void widen(int *columns, const char *text) {
    int needed = columns_of(text, SIZE_MAX);
    if (needed > *columns) *columns = needed;
}

static void print_after_gap(const char *text, int columns) {
    fputs("  ", stdout);
    columns_print(stdout, text, columns);
}

static void print_games(const struct gallery *gallery) {
    int variant = 0, players = 0, outcome = 0;
    char text[2 * GAMES_TEXT_MAX + 8];
    bool others = false, taken_back = false, hints = false;
    for (size_t i = 0; i < gallery->games.count; i++) {
        const struct own_game *game = &gallery->games.list[i];
        widen(&variant, game->variant);
        widen(&players, players_text(game, text));
        widen(&outcome, game_word(gallery, game));
    }
    for (size_t i = 0; i < gallery->games.count; i++) {
        const struct own_game *game = &gallery->games.list[i];
        bool shared = game->me >= 0 && !game->whole;
        printf("%.10s", game->date);
        print_after_gap(game->variant, variant);
        print_after_gap(players_text(game, text), players);
        print_after_gap(game_word(gallery, game), outcome);
        printf("%s%s%5u%s ", shared ? "*" : " ", game->taken_back ? "<" : " ", game->plies,
               game->hints ? "?" : " ");
        cli_line(stdout, "%s%s%s", game->file, game->ending[0] ? "  " : "", game->ending);
        others |= shared;
        taken_back |= game->taken_back;
        hints |= game->hints;
    }
    if (others || taken_back || hints) putchar('\n');
    if (others)
        language_line(stdout, gallery->language, "* played in part by somebody else; not counted");
    if (taken_back) language_line(stdout, gallery->language, "< moves were taken back");
    if (hints) language_line(stdout, gallery->language, "? played with hints");
}

static void print_score(const struct own_score *score, const int columns[2 + OWN_UNFINISHED]) {
    char number[24];
    print_after_gap(score->variant, columns[0]);
    print_after_gap(score->opponent, columns[1]);
    for (int i = 0; i < OWN_UNFINISHED; i++)
        print_after_gap(language_number(number, score->games[i]), -columns[2 + i]);
    putchar('\n');
}

static void print_scores(const struct gallery *gallery) {
    const struct own_scores *scores = &gallery->scores;
    const struct language *language = gallery->language;
    int columns[2 + OWN_UNFINISHED] = {0};
    const char *heads[] = {language_text(language, TEXT("variant")),
                           language_text(language, TEXT("opponent")),
                           outcome_word(gallery, OWN_WON), outcome_word(gallery, OWN_LOST),
                           outcome_word(gallery, OWN_DRAWN)};
    if (!scores->count) return;
    for (int i = 0; i < 2 + OWN_UNFINISHED; i++) widen(&columns[i], heads[i]);
    for (size_t i = 0; i < scores->count; i++) {
        widen(&columns[0], scores->list[i].variant);
        widen(&columns[1], scores->list[i].opponent);
    }
    putchar('\n');
    for (int i = 0; i < 2 + OWN_UNFINISHED; i++)
        print_after_gap(heads[i], i < 2 ? columns[i] : -columns[i]);
    putchar('\n');
    for (size_t i = 0; i < scores->count; i++) print_score(&scores->list[i], columns);
    struct own_score all = scores->all;
    all.variant = all.opponent = "";
    if (scores->count > 1) print_score(&all, columns);
    putchar('\n');
    language_line(stdout, language, "Games won in a row: {1}; now: {2}.",
                  NUMBER_TEXT(scores->streak), NUMBER_TEXT(scores->streak_now));
    language_line(stdout, language, "The longest game, in plies: {1}, {2}",
                  NUMBER_TEXT(scores->longest->plies), scores->longest->file);
    if (scores->quickest) {
        language_line(stdout, language, "The quickest win, in plies: {1}, {2}",
                      NUMBER_TEXT(scores->quickest->plies), scores->quickest->file);
    }
}

static json_t *score_json(const struct own_score *score) {
    json_t *json = json_object();
    if (score->variant) json_object_set_new(json, "variant", safe_json(score->variant));
    if (score->opponent) json_object_set_new(json, "opponent", safe_json(score->opponent));
    for (int i = 0; i < OWN_UNFINISHED; i++)
        json_object_set_new(json, own_end_name((enum own_end)i), json_integer(score->games[i]));
    return json;
}

static json_t *game_json(const struct own_game *game) {
    bool mine = game->me >= 0;
    return json_pack("{s:o, s:s, s:o, s:o, s:o, s:s, s:s, s:o, s:I, s:s?, s:s?, s:b, s:b, s:b}",
                     "file", safe_json(game->file), "date", game->date, "variant",
                     safe_json(game->variant), "red", safe_json(game->player[RED]), "blue",
                     safe_json(game->player[BLUE]), "result", result_name(game->result), "reason",
                     reason_name(game->reason), "ending",
                     game->ending[0] ? safe_json(game->ending) : json_null(), "plies",
                     (json_int_t)game->plies, "me", mine ? side_name((enum side)game->me) : NULL,
                     "outcome", mine ? own_end_name(own_game_end(game)) : NULL, "counts",
                     own_game_counts(game), "taken_back", game->taken_back, "hints", game->hints);
}

static json_t *file_json(const struct own_game *game) {
    return game ? safe_json(game->file) : json_null();
}

static json_t *gallery_json(const struct gallery *gallery, const char *folder) {
    const struct own_scores *scores = &gallery->scores;
    json_t *games = json_array(), *list = json_array();
    for (size_t i = 0; i < gallery->games.count; i++)
        cli_json_add(&games, game_json(&gallery->games.list[i]));
    for (size_t i = 0; i < scores->count; i++) cli_json_add(&list, score_json(&scores->list[i]));
    return json_pack("{s:o, s:o, s:o, s:o, s:I, s:I, s:o, s:o}", "folder", safe_json(folder),
                     "games", games, "scores", list, "total", score_json(&scores->all), "streak",
                     (json_int_t)scores->streak, "streak_now", (json_int_t)scores->streak_now,
                     "longest", file_json(scores->longest), "quickest_win",
                     file_json(scores->quickest));
}

/* Reads the games and drops those that are not wanted. */
static bool gallery_fill(struct gallery *gallery, const struct games_values *asked,
                         const char *folder, struct fault *fault) {
    struct own_games *games = &gallery->games;
    size_t kept = 0;
    if (!own_games_read(games, folder, gallery_complain, gallery, fault)) return false;
    for (size_t i = 0; i < games->count; i++)
        if (is_wanted(asked, &games->list[i])) games->list[kept++] = games->list[i];
    games->count = kept;
    return own_games_score(games, &gallery->scores) ||
           fault_set(fault, STATUS_NO_MEMORY, "out of memory");
}

static int run_games(const void *values) {
    const struct games_values *asked = values;
    struct folders folders;
    const struct language *language = cli_tongue();
    struct fault fault = {0};
    char own[SAVED_PATH_MAX];
    int code;
    if (!is_date(asked->since) || !is_date(asked->until))
        return cli_misuse("games", "\"%s\": a date as 2026-03-14, 2026-03 or 2026 is expected",
                          is_date(asked->since) ? asked->until : asked->since);
    if (!cli_folders(&folders)) return EXIT_HOST;
    struct gallery gallery = {.language = language};
    const char *folder = asked->folder ? asked->folder : own;
    if ((asked->folder || saved_folder("games", own, &fault)) &&
        gallery_fill(&gallery, asked, folder, &fault)) {
        cli_complained(&gallery.complaints);
        code = EXIT_DONE;
        if (asked->json) {
            code = cli_json(gallery_json(&gallery, folder), JSON_INDENT(1));
        } else if (!gallery.games.count) {
            language_line(stdout, language, "No games found in {1}", folder);
        } else {
            print_games(&gallery);
            print_scores(&gallery);
        }
        if (code == EXIT_DONE) code = gallery.exit_code;
    } else {
        code = cli_fail(&fault);
    }
    own_scores_clear(&gallery.scores);
    own_games_clear(&gallery.games);
    return code;
}
