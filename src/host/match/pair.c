/* pair.c - what both games of a pair share, and what they exchange (tournament.h). */
#include "pair.h"

#include "base/digest.h"
#include "match_game.h"

#include <stdlib.h>
#include <string.h>

void finished_free(struct finished *finished) {
    if (!finished) return;
    free(finished->record);
    for (int i = 0; i < MATCH_GAME_LOGS; i++) free(finished->log[i]);
    free(finished->fault);
    free(finished);
}

/* The player of `side` in game `number`, as a number in the pair: 0 is red in the first game. */
static int member_of(uint32_t number, enum side side) {
    return number % 2 ? (int)side_other(side) : (int)side;
}

static bool has_external(const struct tournament *match, const uint8_t players[2]) {
    return match->external[players[0]] || match->external[players[1]];
}

static struct finished *finished_new(const struct rules *rules, uint32_t number,
                                     const uint8_t players[2], const struct match_game *game) {
    struct finished *finished = calloc(1, sizeof *finished);
    if (!finished) return NULL;
    const struct referee_report *report = &game->report;
    finished->number = number;
    finished->game = (struct tournament_game){
        .player = {players[RED], players[BLUE]},
        .result = (uint8_t)report->result,
        .reason = (uint8_t)report->reason,
        .plies = report->plies,
        .seed = game->referee.seed,
        .hash = digest_of(game->record, strlen(game->record)),
    };
    for (int side = RED; side <= BLUE; side++) {
        const struct setup *setup = &report->setups[side];
        if (!setup_check(rules, (enum side)side, setup, NULL)) continue;
        setup_write(rules, (enum side)side, setup, finished->setup[side]);
    }
    memcpy(finished->usage, report->usage, sizeof finished->usage);
    finished->record = game->record;
    memcpy(finished->log, game->log, sizeof finished->log);
    bool forfeited = report->forfeit.status != STATUS_OK;
    const struct fault *fault = forfeited ? &report->forfeit : &report->late;
    finished->late_side = report->late_side;
    finished->overdue = fault->status == STATUS_TIME && !report->fell;
    if (fault->status != STATUS_OK) {
        finished->fault = malloc(sizeof *finished->fault);
        if (finished->fault) *finished->fault = *fault;
    }
    return finished;
}

/* The chance of a game; a program may remember the first of a pair. */
static struct chance game_chance(const struct chance *pair, bool externals, uint32_t game) {
    return chance_derive(pair, CHANCE_GAME, externals ? game : 0);
}

static uint64_t told_seed(const struct chance *game) {
    return chance_number(game, CHANCE_TOLD, 0) >> 11;
}

/* A game of a pair. "In the pair" means as numbered by member_of(). */
struct encounter {
    uint32_t number;
    uint8_t players[2];         /* by side */
    struct chance chance;       /* of the game */
    const struct setup *own[2]; /* by number in the pair; NULL: the player is asked */
    struct referee_options referee;
};

/* Plays a game and hands it over; `stood` are its set-ups, by number in the pair. False if that
 * failed or was given up. */
static bool encounter_play(const struct pair *pair, const struct encounter *encounter,
                           struct setup stood[2], struct fault *fault) {
    const struct tournament_options *options = pair->options;
    static const struct limits none = {0};
    const uint32_t number = encounter->number;
    struct match_game game = {.seat = {.folders = options->folders,
                                       .rules = options->rules,
                                       .limits = options->limits,
                                       .deadline = options->deadline,
                                       .programs = options->programs,
                                       .template = pair->template},
                              .referee = encounter->referee,
                              .external = has_external(pair->match, encounter->players),
                              .logs = options->log};
    for (int side = RED; side <= BLUE; side++) {
        int member = member_of(number, (enum side)side);
        game.player[side] = options->players[tournament_seat(options, encounter->players[side])];
        game.name[side] = pair->match->name[encounter->players[side]];
        game.renamed = options->family_count != 2;
        game.chance[side] = chance_derive(&encounter->chance, CHANCE_SEAT, (uint64_t)member);
        game.referee.setups[side] = encounter->own[member];
    }
    game.referee.seed = told_seed(&encounter->chance);
    game.referee.give_up = pair->stop;
    game.referee.pace = options->pace;
    if (options->no_limits) game.referee.limits = &none;
    if (!match_game_play(&game, fault) || !game.record) return false;
    struct finished *finished = finished_new(options->rules, number, encounter->players, &game);
    if (!finished) {
        free(game.record);
        for (int i = 0; i < MATCH_GAME_LOGS; i++) free(game.log[i]);
        return fault_set(fault, STATUS_NO_MEMORY, "out of memory");
    }
    for (int side = RED; side <= BLUE; side++)
        stood[member_of(number, (enum side)side)] = game.report.setups[side];
    pair->finished(pair->context, finished);
    return true;
}

static enum side first_side(const struct tournament_options *options, const struct chance *pair) {
    if (options->first != TOURNAMENT_FIRST_RULES)
        return options->first == TOURNAMENT_FIRST_RED ? RED : BLUE;
    return rules_draw_first(options->rules, pair);
}

/* Draws a side's army from a family, by the chance of a pair or of one game of it. */
static bool draw_setup(const struct tournament_options *options, const struct chance *chance,
                       int member, enum side side, struct setup *setup, struct fault *fault) {
    struct random draw = chance_random(chance, CHANCE_SETUP, (uint64_t)member);
    const struct tournament_family *family =
        &options->family[options->family_count == 2 ? member : 0];
    if (!family->setups) return setup_random(options->rules, side, &draw, setup, fault);
    *setup = family->setups->list[random_below(&draw, (uint32_t)family->setups->count)];
    return true;
}

/* Are armies drawn for this game of a pair? Else it has those of the first. */
static bool draws_setups(const struct tournament_options *options, bool externals,
                         uint32_t number) {
    return tournament_families(options) &&
           (externals || number % 2 == 0 || !options->rules->same_starts);
}

/* Draws both armies of a game, by number in the pair. */
static bool draw_setups(const struct tournament_options *options, const struct chance *chance,
                        uint32_t number, struct setup drawn[2], struct fault *fault) {
    for (int side = RED; side <= BLUE; side++) {
        const int member = member_of(number, (enum side)side);
        if (!draw_setup(options, chance, member, (enum side)side, &drawn[member], fault))
            return false;
    }
    return true;
}

/* Gives the players drawn armies: of two families each plays its own in both games; of one family
 * the players exchange them for the second game, unless red's would not do for blue. */
static void give_drawn(const struct tournament_options *options, const struct setup drawn[2],
                       struct encounter *encounter) {
    bool exchanged =
        tournament_families(options) == 1 && encounter->number % 2 && options->rules->same_starts;
    for (int member = 0; member < 2; member++)
        encounter->own[member] = &drawn[exchanged ? 1 - member : member];
}

bool pair_play(struct pair *pair, struct fault *fault) {
    const struct tournament_options *options = pair->options;
    const struct chance chance = chance_derive(&options->chance, CHANCE_PAIR, pair->number);
    struct setup drawn[2], stood[2] = {pair->stood[RED], pair->stood[BLUE]};
    uint8_t players[2];
    *fault = (struct fault){0};
    pairing_players(&pair->match->pairing, pair->number, players);
    bool externals = has_external(pair->match, players);
    for (uint32_t game = 0; game < 2; game++) {
        struct encounter encounter = {.number = 2 * pair->number + game,
                                      .players = {players[game], players[1 - game]},
                                      .chance = game_chance(&chance, externals, game),
                                      .referee.first = first_side(options, &chance)};
        const struct chance *drawing = externals ? &encounter.chance : &chance;
        if (draws_setups(options, externals, encounter.number) &&
            !draw_setups(options, drawing, encounter.number, drawn, fault))
            return false;
        if (tournament_families(options)) give_drawn(options, drawn, &encounter);
        for (int member = 0; game && !externals && !tournament_families(options) && member < 2;
             member++) {
            /* If none was accepted, or the other side has another army, the player is asked
             * again. */
            if (!options->rules->same_starts ||
                !setup_check(options->rules, RED, &stood[member], NULL))
                continue;
            encounter.own[member] = &stood[member];
            encounter.referee.ask_anyway = true;
        }
        if (!pair->has[game] && !encounter_play(pair, &encounter, stood, fault)) return false;
    }
    return true;
}

enum side pair_first(const struct tournament_options *options, uint32_t number) {
    const struct chance chance = chance_derive(&options->chance, CHANCE_PAIR, number);
    return first_side(options, &chance);
}

/* Whether the game has this army, or ended by a forfeit before any was accepted. */
static bool has_setup(const struct tournament_options *options, const struct finished *game,
                      enum side side, const struct setup *drawn) {
    char text[SETUP_TEXT_MAX];
    setup_write(options->rules, side, drawn, text);
    return !strcmp(text, game->setup[side]) ||
           (!game->setup[side][0] && reason_is_forfeit((enum reason)game->game.reason));
}

/* Whether both games have the same armies, where both have any: the players laid them out. */
static bool same_setups(struct finished *const games[2]) {
    for (int side = RED; side <= BLUE; side++) {
        const char *first = games[0]->setup[side], *second = games[1]->setup[1 - side];
        if (first[0] && second[0] && strcmp(first, second) != 0) return false;
    }
    return true;
}

/* Whether a Lua bot has passed its deadline in the game, not used up its clock. */
static bool is_overdue(const struct tournament_options *options, const struct finished *game) {
    const bool forfeit = game->game.reason == REASON_FORFEIT_TIME;
    return (forfeit && !options->pace.ms) ||
           (!forfeit && game->fault && game->fault->status == STATUS_TIME);
}

bool pair_allows(const struct tournament *match, const struct tournament_options *options,
                 struct finished *const games[2]) {
    const uint32_t number = games[0]->number / 2;
    const struct chance chance = chance_derive(&options->chance, CHANCE_PAIR, number);
    const bool externals = has_external(match, games[0]->game.player);
    struct setup drawn[2];
    for (uint32_t game = 0; game < 2; game++) {
        const struct chance own = game_chance(&chance, externals, game);
        struct encounter encounter = {.number = games[game]->number};
        if (games[game]->game.seed != told_seed(&own)) return false;
        if (!externals && is_overdue(options, games[game])) return false;
        if (!tournament_families(options)) continue;
        if (draws_setups(options, externals, encounter.number) &&
            !draw_setups(options, externals ? &own : &chance, encounter.number, drawn, NULL))
            return true; /* nobody can say */
        give_drawn(options, drawn, &encounter);
        for (int side = RED; side <= BLUE; side++)
            if (!has_setup(options, games[game], (enum side)side,
                           encounter.own[member_of(encounter.number, (enum side)side)]))
                return false;
    }
    return tournament_families(options) || externals || !options->rules->same_starts ||
           same_setups(games);
}

static void keep_game(void *context, struct finished *finished) {
    struct finished **games = context;
    games[finished->number % 2] = finished;
}

bool pair_play_both(struct pair *pair, struct finished *games[2], struct fault *fault) {
    games[0] = games[1] = NULL;
    pair->has[0] = pair->has[1] = false;
    pair->finished = keep_game;
    pair->context = games;
    if (pair_play(pair, fault)) return true;
    finished_free(games[0]); /* it fails before the second */
    games[0] = NULL;
    return false;
}
