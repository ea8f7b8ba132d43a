/* analysis.c - takes two bots through a record and asks them at every ply. */
#include "analysis.h"

#include "host/players.h"
#include "playback.h"
#include "seed.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct seats {
    const struct analysis_options *options;
    struct analysis *analysis;
    struct playback replay;
    struct player bot[2];
    bool opened[2];
    struct move *moves; /* of the turn */
    uint16_t *chances;  /* after them */
    size_t count;
};

static bool no_memory(struct fault *fault) {
    return fault_set(fault, STATUS_NO_MEMORY, "out of memory");
}

static bool open_seat(struct seats *seats, enum side side, const struct chance *game,
                      struct fault *fault) {
    const struct chance chance = chance_derive(game, CHANCE_SEAT, (uint64_t)side);
    struct player *bot = &seats->bot[side];
    const struct analysis_options *options = seats->options;
    if (!player_open(bot, &options->seat, options->bot, &chance, fault)) return false;
    seats->opened[side] = true;
    return bot->appraise ||
           fault_set(fault, STATUS_USAGE,
                     "bot \"%s\" does not say how its chances stand: it has no function appraise",
                     bot->name);
}

/* Before the first turn: the bot lays out an army as in the game, which nobody uses. */
static bool start_seat(struct seats *seats, enum side side, const struct record *record,
                       struct fault *fault) {
    const struct player *bot = &seats->bot[side];
    const struct session *session = seats->replay.session;
    const struct rules *rules = seats->options->seat.rules;
    static const cell nothing[BOARD_SQUARES_MAX];
    const struct view *view = &session->eyes.view[side];
    if (bot->setup && !record_tag(record, "Position")) {
        struct setup setup;
        struct view empty;
        view_start(&empty, rules, side, nothing, 0, rules->start[side_other(side)].count,
                   (enum side)view->to_move, view->limits);
        if (!bot->setup(bot->self, &empty, &setup, fault)) return false;
    }
    return !bot->start || bot->start(bot->self, view, fault);
}

static size_t index_of(const struct seats *seats, struct move move) {
    size_t at = 0;
    while (at < seats->count && !move_equal(seats->moves[at], move)) at++;
    return at;
}

/* Lists the moves of the side to move. */
static bool list_moves(struct seats *seats, struct fault *fault) {
    const struct move *moves = session_moves(seats->replay.session, &seats->count, fault);
    if (moves) memcpy(seats->moves, moves, seats->count * sizeof *moves);
    return moves;
}

/* Asks the side to move for the chances of all its moves. */
static bool ask_mover(struct seats *seats, enum side side, struct analysis_ply *ply,
                      struct fault *fault) {
    const struct player *bot = &seats->bot[side];
    const struct view *view = &seats->replay.session->eyes.view[side];
    if (!bot->appraise(bot->self, view, seats->moves, seats->count, seats->chances, fault))
        return false;
    size_t best = 0;
    for (size_t i = 1; i < seats->count; i++)
        if (seats->chances[i] > seats->chances[best]) best = i;
    ply->side = (uint8_t)side;
    ply->best_chance = seats->chances[best];
    move_text(view->rules, seats->moves[best], view_enters_enemy(view, seats->moves[best]),
              ply->best);
    return true;
}

/* Asks both sides how things stand. */
static bool ask_both(struct seats *seats, struct analysis_ply *ply, uint32_t at,
                     struct fault *fault) {
    const struct session *session = seats->replay.session;
    const enum side mover = (enum side)session->game.to_move, other = side_other(mover);
    struct analysis *analysis = seats->analysis;
    const struct player *bot = &seats->bot[other];
    if (!list_moves(seats, fault) || !ask_mover(seats, mover, ply, fault) ||
        !bot->appraise(bot->self, &session->eyes.view[other], NULL, 0, &analysis->chance[other][at],
                       fault))
        return false;
    analysis->chance[mover][at] = ply->best_chance;
    return true;
}

/* Did the move attack a piece that its side did not know, and what was it? */
static void note_battle(const struct seats *seats, squareset known, struct analysis_ply *ply) {
    const struct events *told = &seats->replay.session->eyes.told[ply->side];
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
static bool play_ply(struct seats *seats, struct analysis_ply *ply, struct fault *fault) {
    struct playback *replay = &seats->replay;
    struct session *session = replay->session;
    const squareset known = known_squares(&session->eyes.view[ply->side]);
    memcpy(ply->played, replay->record->moves[replay->plies].text, sizeof ply->played);
    if (!playback_step(replay, fault)) return false;
    const struct move move = session->plies[replay->plies - 1].move;
    size_t at = index_of(seats, move);
    if (at == seats->count)
        return fault_set(fault, STATUS_SYSTEM, "%s is not among the moves listed", ply->played);
    ply->played_chance = seats->chances[at];
    note_battle(seats, known, ply);
    for (int side = RED; side <= BLUE; side++) {
        const struct player *bot = &seats->bot[side];
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

static bool watch_game(struct seats *seats, struct fault *fault) {
    const struct analysis_options *options = seats->options;
    struct analysis *analysis = seats->analysis;
    for (uint32_t at = 0; at < analysis->count; at++) {
        struct analysis_ply *ply = &analysis->plies[at];
        if (options->progress) options->progress(options->context, at, analysis->count);
        if (!ask_both(seats, ply, at, fault) || !play_ply(seats, ply, fault)) {
            fault_within(fault, "ply %" PRIu32, at + 1);
            return false;
        }
    }
    if (analysis->result != RESULT_NONE) {
        note_result(analysis);
        return true;
    }
    return ask_both(seats, &(struct analysis_ply){0}, analysis->count, fault);
}

/* Judges the whole record before any bot is asked, which takes longer. */
static bool judge_record(struct seats *seats, const struct record *record, struct fault *fault) {
    struct playback replay;
    struct analysis *analysis = seats->analysis;
    bool judged = playback_open(&replay, record, seats->options->seat.rules, fault) &&
                  playback_run(&replay, UINT32_MAX, fault);
    analysis->result = replay.result;
    analysis->reason = replay.reason;
    analysis->count = replay.plies;
    playback_close(&replay);
    return judged;
}

static bool make_room(struct seats *seats, struct fault *fault) {
    const size_t moves = seats->options->seat.rules->moves_max;
    struct analysis *analysis = seats->analysis;
    const size_t count = (size_t)analysis->count + 1;
    seats->moves = calloc(moves, sizeof *seats->moves);
    seats->chances = calloc(moves, sizeof *seats->chances);
    analysis->plies = calloc(count, sizeof *analysis->plies);
    for (int side = RED; side <= BLUE; side++)
        analysis->chance[side] = calloc(count, sizeof(uint16_t));
    return (seats->moves && seats->chances && analysis->plies && analysis->chance[RED] &&
            analysis->chance[BLUE]) ||
           no_memory(fault);
}

static bool open_seats(struct seats *seats, const struct record *record, struct fault *fault) {
    struct chance game;
    bool opened = playback_open(&seats->replay, record, seats->options->seat.rules, fault) &&
                  seed_stretch(seats->options->seed, &game, fault);
    for (int side = RED; side <= BLUE && opened; side++)
        opened = open_seat(seats, (enum side)side, &game, fault) &&
                 start_seat(seats, (enum side)side, record, fault);
    if (opened) snprintf(seats->analysis->bot, TITLE_MAX, "%s", seats->bot[RED].name);
    return opened;
}

bool analysis_run(const struct analysis_options *options, const struct record *record,
                  struct analysis *analysis, struct fault *fault) {
    *analysis = (struct analysis){.count = 0};
    struct seats *seats = calloc(1, sizeof *seats);
    if (!seats) return no_memory(fault);
    seats->options = options;
    seats->analysis = analysis;
    bool done = judge_record(seats, record, fault) && make_room(seats, fault) &&
                open_seats(seats, record, fault) && watch_game(seats, fault);
    for (int side = RED; side <= BLUE; side++)
        if (seats->opened[side]) seats->bot[side].close(seats->bot[side].self);
    playback_close(&seats->replay);
    free(seats->moves);
    free(seats->chances);
    free(seats);
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
