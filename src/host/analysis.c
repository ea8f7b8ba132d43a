/* analysis.c - takes two bots through a record and asks them at every ply. */
#include "analysis.h"

#include "host/players.h"
#include "playback.h"
#include "safe_json.h"
#include "seed.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct analyser {
    const struct analysis_options *options;
    struct analysis *analysis;
    struct playback replay;
    struct player bot[2];
    bool opened[2];
    struct move *moves; /* of the turn */
    uint16_t *chances;  /* after them */
    size_t count;
    uint32_t at; /* the ply to look at; behind the end: that is done */
};

static bool no_memory(struct fault *fault) {
    return fault_set(fault, STATUS_NO_MEMORY, "out of memory");
}

static bool open_seat(struct analyser *analyser, enum side side, const struct chance *game,
                      struct fault *fault) {
    const struct chance chance = chance_derive(game, CHANCE_SEAT, (uint64_t)side);
    struct player *bot = &analyser->bot[side];
    const struct analysis_options *options = analyser->options;
    if (!player_open(bot, &options->seat, options->bot, &chance, fault)) return false;
    analyser->opened[side] = true;
    return bot->appraise ||
           fault_set(fault, STATUS_USAGE,
                     "bot \"%s\" does not say how its chances stand: it has no function appraise",
                     bot->name);
}

/* Before the first turn: the bot lays out an army as in the game, which nobody uses. */
static bool start_seat(struct analyser *analyser, enum side side, const struct record *record,
                       struct fault *fault) {
    const struct player *bot = &analyser->bot[side];
    const struct session *session = analyser->replay.session;
    const struct rules *rules = analyser->options->seat.rules;
    static const cell nothing[BOARD_SQUARES_MAX];
    const struct view *view = &session->eyes.view[side];
    if (bot->setup && rules->armies == ARMIES_PLACED && !record_tag(record, "Position")) {
        struct setup setup;
        struct view empty;
        view_start(&empty, rules, side, nothing, 0, rules->start[side_other(side)].count,
                   (enum side)view->to_move, view->limits);
        if (!bot->setup(bot->self, &empty, &setup, fault)) return false;
    }
    return !bot->start || bot->start(bot->self, view, fault);
}

static size_t index_of(const struct analyser *analyser, struct move move) {
    size_t at = 0;
    while (at < analyser->count && !move_equal(analyser->moves[at], move)) at++;
    return at;
}

/* Lists the moves of the side to move. */
static bool list_moves(struct analyser *analyser, struct fault *fault) {
    const struct move *moves = session_moves(analyser->replay.session, &analyser->count, fault);
    if (moves) memcpy(analyser->moves, moves, analyser->count * sizeof *moves);
    return moves;
}

/* Asks the side to move for the chances of all its moves. */
static bool ask_mover(struct analyser *analyser, enum side side, struct analysis_ply *ply,
                      struct fault *fault) {
    const struct player *bot = &analyser->bot[side];
    const struct view *view = &analyser->replay.session->eyes.view[side];
    if (!bot->appraise(bot->self, view, analyser->moves, analyser->count, analyser->chances, fault))
        return false;
    size_t best = 0;
    for (size_t i = 1; i < analyser->count; i++)
        if (analyser->chances[i] > analyser->chances[best]) best = i;
    ply->side = (uint8_t)side;
    ply->best_chance = analyser->chances[best];
    move_text(view->rules, analyser->moves[best], view_enters_enemy(view, analyser->moves[best]),
              ply->best);
    return true;
}

/* Asks both sides how things stand. */
static bool ask_both(struct analyser *analyser, struct analysis_ply *ply, uint32_t at,
                     struct fault *fault) {
    const struct session *session = analyser->replay.session;
    const enum side mover = (enum side)session->game.to_move, other = side_other(mover);
    struct analysis *analysis = analyser->analysis;
    const struct player *bot = &analyser->bot[other];
    if (!list_moves(analyser, fault) || !ask_mover(analyser, mover, ply, fault) ||
        !bot->appraise(bot->self, &session->eyes.view[other], NULL, 0, &analysis->chance[other][at],
                       fault))
        return false;
    analysis->chance[mover][at] = ply->best_chance;
    return true;
}

/* Did the move attack a piece that its side did not know, and what was it? */
static void note_battle(const struct analyser *analyser, squareset known,
                        struct analysis_ply *ply) {
    const struct events *told = &analyser->replay.session->eyes.told[ply->side];
    for (int i = 0; i < told->count; i++) {
        const struct event *event = &told->list[i];
        if (event->type != EVENT_BATTLE || event->side != ply->side) continue;
        ply->blind = !squareset_has(known, event->to);
        ply->met = event->other;
    }
}

/* The squares of the pieces whose kind the side knows. */
static squareset known_squares(const struct view *view) {
    squareset known = 0;
    for (int i = 0; i < view->count; i++) {
        const kindset kinds = view_may_be(view, i);
        if (view->piece[i].at != SQUARE_NONE && !(kinds & (kinds - 1)))
            known |= squareset_of(view->piece[i].at);
    }
    return known;
}

/* Plays the record's next move and tells both sides. */
static bool play_ply(struct analyser *analyser, struct analysis_ply *ply, struct fault *fault) {
    struct playback *replay = &analyser->replay;
    struct session *session = replay->session;
    const squareset known = known_squares(&session->eyes.view[ply->side]);
    memcpy(ply->played, replay->record->moves[replay->plies].text, sizeof ply->played);
    if (!playback_step(replay, fault)) return false;
    const struct move move = session->plies[replay->plies - 1].move;
    size_t at = index_of(analyser, move);
    if (at == analyser->count)
        return fault_set(fault, STATUS_SYSTEM, "%s is not among the moves listed", ply->played);
    ply->played_chance = analyser->chances[at];
    note_battle(analyser, known, ply);
    for (int side = RED; side <= BLUE; side++) {
        const struct player *bot = &analyser->bot[side];
        if (bot->observe &&
            !bot->observe(bot->self, &session->eyes.view[side], &session->eyes.told[side], fault))
            return false;
    }
    return true;
}

/* The chances at the end of a game with a result. */
static void note_result(struct analysis *analysis) {
    for (int side = RED; side <= BLUE; side++) {
        const enum result won = result_win((enum side)side);
        analysis->chance[side][analysis->count] = analysis->result == won ? APPRAISAL_CERTAIN
                                                  : analysis->result == RESULT_DRAW
                                                      ? APPRAISAL_CERTAIN / 2
                                                      : 0;
    }
}

bool analyser_step(struct analyser *analyser, struct fault *fault) {
    struct analysis *analysis = analyser->analysis;
    const uint32_t at = analyser->at;
    if (at > analysis->count) return false;
    if (at == analysis->count) {
        struct analysis_ply none = {0};
        if (analysis->result != RESULT_NONE)
            note_result(analysis);
        else if (!ask_both(analyser, &none, at, fault))
            return false;
        analyser->at++;
        return false;
    }
    struct analysis_ply *ply = &analysis->plies[at];
    if (!ask_both(analyser, ply, at, fault) || !play_ply(analyser, ply, fault)) {
        fault_within(fault, "ply %" PRIu32, at + 1);
        return false;
    }
    analyser->at++;
    return true;
}

uint32_t analyser_ply(const struct analyser *analyser) {
    return analyser->at < analyser->analysis->count ? analyser->at : analyser->analysis->count;
}

/* Judges the whole record before any bot is asked, which takes longer. */
static bool judge_record(struct analyser *analyser, const struct record *record,
                         struct fault *fault) {
    struct playback replay;
    struct analysis *analysis = analyser->analysis;
    bool judged = playback_open(&replay, record, analyser->options->seat.rules, fault) &&
                  playback_run(&replay, UINT32_MAX, fault);
    analysis->result = replay.result;
    analysis->reason = replay.reason;
    analysis->count = replay.plies;
    playback_close(&replay);
    return judged;
}

static bool make_room(struct analyser *analyser, struct fault *fault) {
    const size_t moves = analyser->options->seat.rules->moves_max;
    struct analysis *analysis = analyser->analysis;
    const size_t count = (size_t)analysis->count + 1;
    analyser->moves = calloc(moves, sizeof *analyser->moves);
    analyser->chances = calloc(moves, sizeof *analyser->chances);
    analysis->plies = calloc(count, sizeof *analysis->plies);
    for (int side = RED; side <= BLUE; side++)
        analysis->chance[side] = calloc(count, sizeof(uint16_t));
    return (analyser->moves && analyser->chances && analysis->plies && analysis->chance[RED] &&
            analysis->chance[BLUE]) ||
           no_memory(fault);
}

static bool open_seats(struct analyser *analyser, const struct record *record,
                       struct fault *fault) {
    struct chance game;
    bool opened = playback_open(&analyser->replay, record, analyser->options->seat.rules, fault) &&
                  seed_stretch(analyser->options->seed, &game, fault);
    for (int side = RED; side <= BLUE && opened; side++)
        opened = open_seat(analyser, (enum side)side, &game, fault) &&
                 start_seat(analyser, (enum side)side, record, fault);
    if (opened) snprintf(analyser->analysis->bot, TITLE_MAX, "%s", analyser->bot[RED].name);
    return opened;
}

void analyser_close(struct analyser *analyser) {
    if (!analyser) return;
    for (int side = RED; side <= BLUE; side++)
        if (analyser->opened[side]) analyser->bot[side].close(analyser->bot[side].self);
    playback_close(&analyser->replay);
    free(analyser->moves);
    free(analyser->chances);
    free(analyser);
}

struct analyser *analyser_open(const struct analysis_options *options, const struct record *record,
                               struct analysis *analysis, struct fault *fault) {
    *analysis = (struct analysis){.count = 0};
    struct analyser *analyser = calloc(1, sizeof *analyser);
    if (!analyser) {
        no_memory(fault);
        return NULL;
    }
    analyser->options = options;
    analyser->analysis = analysis;
    if (judge_record(analyser, record, fault) && make_room(analyser, fault) &&
        open_seats(analyser, record, fault))
        return analyser;
    analyser_close(analyser);
    return NULL;
}

bool analysis_run(const struct analysis_options *options, const struct record *record,
                  struct analysis *analysis, struct fault *fault) {
    struct analyser *analyser = analyser_open(options, record, analysis, fault);
    bool more = analyser;
    while (more) {
        if (options->progress && analyser->at < analysis->count)
            options->progress(options->context, analyser->at, analysis->count);
        more = analyser_step(analyser, fault);
    }
    const bool done = analyser && analyser->at > analysis->count;
    analyser_close(analyser);
    return done;
}

void analysis_clear(struct analysis *analysis) {
    free(analysis->plies);
    free(analysis->chance[RED]);
    free(analysis->chance[BLUE]);
    *analysis = (struct analysis){.count = 0};
}

/* Is the same best move passed by in a worse moment that is listed? */
static bool is_listed(const struct analysis *analysis, const uint32_t *worst, int count,
                      uint32_t at) {
    for (int i = 0; i < count; i++)
        if (!strcmp(analysis->plies[worst[i]].best, analysis->plies[at].best)) return true;
    return false;
}

int analysis_worst(const struct analysis *analysis, enum side side, uint32_t worst[WORST_MAX]) {
    int count = 0;
    for (; count < WORST_MAX; count++) {
        uint16_t most = WORST_LEAST - 1;
        for (uint32_t at = 0; at < analysis->count; at++) {
            const struct analysis_ply *ply = &analysis->plies[at];
            if (ply->side != side || analysis_loss(ply) <= most ||
                is_listed(analysis, worst, count, at))
                continue;
            most = analysis_loss(ply);
            worst[count] = at;
        }
        if (most < WORST_LEAST) break;
    }
    return count;
}

static double share_of(int chance) {
    return (double)chance / APPRAISAL_CERTAIN;
}

static json_t *chances_json(const struct analysis *analysis, enum side side) {
    json_t *list = json_array();
    for (uint32_t at = 0; at <= analysis->count; at++)
        json_array_append_new(list, json_real(share_of(analysis->chance[side][at])));
    return list;
}

static json_t *ply_json(const struct analysis *analysis, uint32_t at) {
    const struct analysis_ply *ply = &analysis->plies[at];
    return json_pack("{s:I, s:s, s:s, s:f, s:s, s:f}", "ply", (json_int_t)at + 1, "side",
                     side_name((enum side)ply->side), "move", ply->played, "chance",
                     share_of(ply->played_chance), "best", ply->best, "best_chance",
                     share_of(ply->best_chance));
}

/* `luck` is what the rest of the game's next moment added to the chance after the move. */
static json_t *worst_json(const struct analysis *analysis, const struct rules *rules,
                          enum side side) {
    uint32_t worst[WORST_MAX];
    int count = analysis_worst(analysis, side, worst);
    json_t *list = json_array();
    for (int i = 0; i < count; i++) {
        const struct analysis_ply *ply = &analysis->plies[worst[i]];
        const int after = analysis->chance[side][worst[i] + 1];
        json_t *met = ply->blind && ply->met != KIND_NONE ? json_string(rules->kind[ply->met].name)
                                                          : json_null();
        json_array_append_new(list, json_pack("{s:I, s:s, s:f, s:s, s:f, s:f, s:f, s:b, s:o}",
                                              "ply", (json_int_t)worst[i] + 1, "move", ply->played,
                                              "chance", share_of(ply->played_chance), "best",
                                              ply->best, "best_chance", share_of(ply->best_chance),
                                              "loss", share_of(analysis_loss(ply)), "luck",
                                              share_of(after - ply->played_chance), "blind",
                                              (int)ply->blind, "met", met));
    }
    return list;
}

json_t *analysis_json(const struct analysis *analysis, const struct rules *rules,
                      const struct record *record) {
    json_t *plies = json_array();
    for (uint32_t at = 0; at < analysis->count; at++)
        json_array_append_new(plies, ply_json(analysis, at));
    return json_pack(
        "{s:s, s:o, s:o, s:o, s:s, s:s, s:{s:o, s:o}, s:o, s:{s:o, s:o}}", "variant", rules->name,
        "bot", safe_json(analysis->bot), "red", safe_json(record_tag_or(record, "Red", "?")),
        "blue", safe_json(record_tag_or(record, "Blue", "?")), "result",
        result_name(analysis->result), "reason", reason_name(analysis->reason), "chances", "red",
        chances_json(analysis, RED), "blue", chances_json(analysis, BLUE), "plies", plies, "worst",
        "red", worst_json(analysis, rules, RED), "blue", worst_json(analysis, rules, BLUE));
}
