/* trace.c - a game up to one ply, with the bot in a seat that passes everything on until then. */
#include "trace.h"

#include "base/clock.h"
#include "base/utf8.h"
#include "core/know/why.h"
#include "core/text/layout.h"
#include "host/players.h"
#include "lua/profile.h"
#include "playback.h"
#include "referee.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The bot's seat. It leaves the game when the bot has answered. */
struct traced {
    struct player bot;
    struct trace *trace;
    struct profile *profile;
    bool asked;
    struct fault failed; /* of the profile */
};

static bool traced_setup(void *self, const struct view *view, struct setup *setup,
                         struct fault *fault) {
    struct traced *traced = self;
    return traced->bot.setup(traced->bot.self, view, setup, fault);
}

static bool traced_start(void *self, const struct view *view, struct fault *fault) {
    struct traced *traced = self;
    return traced->bot.start(traced->bot.self, view, fault);
}

static bool traced_observe(void *self, const struct view *view, const struct events *events,
                           struct fault *fault) {
    struct traced *traced = self;
    return traced->asked || traced->bot.observe(traced->bot.self, view, events, fault);
}

/* Writes the answer as text and judges it. */
static void judge_answer(struct trace *trace, const struct move *moves, size_t count) {
    const struct answer *answer = &trace->answer;
    const struct rules *rules = trace->view.rules;
    struct why why;
    if (answer->type == ANSWER_TEXT) {
        memcpy(trace->move, answer->text, sizeof trace->move);
        utf8_make_safe(trace->move);
        why_text(&trace->view, moves, count, answer->text, strlen(answer->text), &why);
        if (!why.legal)
            fault_set(&trace->fault, STATUS_ILLEGAL_MOVE, "%s: %s", trace->move, why.text);
        return;
    }
    unsigned number = trace->view.number[answer->move.to];
    bool attack = number < (unsigned)trace->view.count && answer->move.to != answer->move.from &&
                  trace->view.piece[number].side != trace->side;
    move_text(rules, answer->move, attack, trace->move);
}

static bool traced_move(void *self, const struct view *view, const struct move *moves, size_t count,
                        struct answer *answer, struct fault *fault) {
    struct traced *traced = self;
    struct trace *trace = traced->trace;
    struct profile *before = traced->profile ? profile_new() : NULL;
    traced->asked = true;
    trace->view = *view;
    answer->type = ANSWER_QUIT;
    if (before) traced->bot.spent(traced->bot.self, before, &traced->failed);
    profile_free(before);
    int64_t from = clock_ns();
    trace->answered =
        traced->bot.move(traced->bot.self, view, moves, count, &trace->answer, &trace->fault);
    trace->ns = (uint64_t)(clock_ns() - from);
    if (traced->profile && traced->failed.status == STATUS_OK &&
        trace->fault.status != STATUS_CRASH && trace->fault.status != STATUS_KILLED)
        traced->bot.spent(traced->bot.self, traced->profile, &traced->failed);
    if (trace->answered) judge_answer(trace, moves, count);
    (void)fault;
    return true;
}

/* The other side, and the bot's where it is not asked: never asked for a move. */
static bool absent_move(void *self, const struct view *view, const struct move *moves, size_t count,
                        struct answer *answer, struct fault *fault) {
    (void)self, (void)view, (void)moves, (void)count, (void)fault;
    answer->type = ANSWER_QUIT;
    return true;
}

/* Finds whose turn it is, and the record's move. */
static bool look_at_record(const struct trace_options *options, struct trace *trace,
                           enum side *first, struct fault *fault) {
    struct playback replay;
    const struct record *record = options->record;
    const uint32_t before = options->ply - 1;
    bool reached = before <= record->move_count ||
                   fault_set(fault, STATUS_USAGE,
                             "ply %" PRIu32 ": the record has %zu, so at most %zu is expected",
                             options->ply, record->move_count, record->move_count + 1);
    reached = reached && playback_open(&replay, record, options->seat.rules, fault);
    if (!reached) return false;
    *first = replay.session->start.to_move;
    while (reached && replay.plies < before) reached = playback_step(&replay, fault);
    if (reached && replay.session->over)
        reached = fault_set(fault, STATUS_USAGE, "ply %" PRIu32 ": the game is over by then",
                            options->ply);
    trace->side = (enum side)replay.session->game.to_move;
    playback_close(&replay);
    if (reached && before < record->move_count)
        memcpy(trace->played, record->moves[before].text, sizeof trace->played);
    return reached;
}

/* Is the answer the record's move, however that is spelt? */
static bool is_same(const struct rules *rules, const struct trace *trace) {
    struct move_pattern mine, theirs;
    return move_parse(rules, trace->move, strlen(trace->move), AS_WRITTEN, &mine, NULL) == LEGAL &&
           move_parse(rules, trace->played, strlen(trace->played), AS_WRITTEN, &theirs, NULL) ==
               LEGAL &&
           mine.from == theirs.from && mine.to == theirs.to && mine.target == theirs.target &&
           mine.choice == theirs.choice &&
           (mine.target == SQUARE_NONE || (mine.abilities & theirs.abilities));
}

/* The set-ups of the record, or its position. */
static bool take_start(const struct record *record, const struct rules *rules,
                       struct referee_options *options, struct setup setups[2],
                       struct position *position, struct limits *limits, struct fault *fault) {
    if (!record_start(record, rules, position, limits, fault)) return false;
    options->limits = limits;
    if (record_tag(record, "Position")) {
        options->position = position;
        return true;
    }
    for (int side = RED; side <= BLUE; side++) {
        const char *text = record_tag(record, side == RED ? "RedSetup" : "BlueSetup");
        if (!text || !setup_read(rules, (enum side)side, text, strlen(text), &setups[side], fault))
            return false;
        options->setups[side] = &setups[side];
    }
    return true;
}

static bool play_up_to(const struct trace_options *options, struct traced *traced, enum side first,
                       struct fault *fault) {
    const struct rules *rules = options->seat.rules;
    struct referee_options game = {.first = first,
                                   .ask_anyway = !options->drawn,
                                   .played = options->record->moves,
                                   .played_count = options->ply - 1};
    struct setup setups[2] = {{{0}}, {{0}}};
    struct position position;
    struct limits limits;
    struct referee_report report;
    if (!take_start(options->record, rules, &game, setups, &position, &limits, fault)) return false;
    struct player seat = {.name = traced->bot.name,
                          .self = traced,
                          .metered = traced->bot.metered,
                          .setup = traced_setup,
                          .start = traced->bot.start ? traced_start : NULL,
                          .move = traced_move,
                          .observe = traced->bot.observe ? traced_observe : NULL};
    traced->trace->metered = traced->bot.metered;
    struct player other = {.name = "other", .move = absent_move};
    struct player *players[2] = {&other, &other};
    players[traced->trace->side] = &seat;
    if (!referee_play(rules, players, &game, NULL, &report, fault)) return false;
    if (traced->asked) return true;
    *fault = report.forfeit; /* it failed before */
    return false;
}

bool trace_run(const struct trace_options *options, struct trace *trace, struct profile *profile,
               struct fault *fault) {
    enum side first;
    memset(trace, 0, sizeof *trace);
    if (!look_at_record(options, trace, &first, fault)) return false;
    struct traced *traced = calloc(1, sizeof *traced);
    if (!traced) return fault_set(fault, STATUS_NO_MEMORY, "out of memory");
    traced->trace = trace;
    traced->profile = profile;
    bool played = player_open(&traced->bot, &options->seat, options->bot,
                              &options->chance[trace->side], fault);
    if (played) {
        played = play_up_to(options, traced, first, fault);
        traced->bot.close(traced->bot.self);
    }
    if (played && traced->failed.status != STATUS_OK) {
        *fault = traced->failed;
        played = false;
    }
    free(traced);
    trace->same = trace->move[0] && trace->played[0] && is_same(options->seat.rules, trace);
    return played;
}
