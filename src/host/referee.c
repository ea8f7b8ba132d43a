/* referee.c - one game between two players.
 *
 * The true position lives in `struct table` and nowhere else. All that a player is given is a view,
 * which is built from its own set-up and from events, the legal moves of its own pieces, and the
 * events themselves. Whatever a player answers is judged here, however it came about. */
#include "referee.h"

#include "core/know/eyes.h"
#include "core/play/calls.h"
#include "core/text/layout.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* History of a game without a ply limit; the memory behind it is only touched as it is used. */
enum { PLIES_CEILING = 1 << 20 };

struct table {
    const struct rules *rules;
    struct player *const *players;
    enum side first;
    struct limits limits;
    struct game game;
    struct eyes eyes;
    struct ply *plies;
    struct move *moves;
    struct record *record; /* may be NULL */
    const struct referee_options *options;
    bool catching_up; /* the moves that were played before are being played */
    struct referee_report *report;
    bool given_up; /* by the caller: nobody is told anything any more */
    bool stopped;  /* broken off, or forfeited before the game began; the report is complete */
    bool out_of_memory;
};

static enum reason forfeit_reason(enum status status) {
    switch (status) {
    case STATUS_TEXT:
    case STATUS_SETUP:
    case STATUS_ILLEGAL_MOVE:
        return REASON_FORFEIT_ILLEGAL;
    case STATUS_FUEL:
        return REASON_FORFEIT_FUEL;
    case STATUS_TIME:
        return REASON_FORFEIT_TIME;
    case STATUS_MEMORY:
        return REASON_FORFEIT_MEMORY;
    case STATUS_CRASH:
        return REASON_FORFEIT_CRASH;
    default:
        return REASON_FORFEIT_ERROR;
    }
}

/* Is the fault the host's own, so that nobody can be blamed for it? */
static bool is_host_fault(const struct fault *fault) {
    return fault->status == STATUS_NO_MEMORY || fault->status == STATUS_SYSTEM ||
           fault->status == STATUS_KILLED;
}

static void stop(struct table *table, enum result result, enum reason reason) {
    table->report->result = result;
    table->report->reason = reason;
    table->stopped = true;
}

/* `loser` broke something. False when it was the host that failed. */
static bool forfeit(struct table *table, enum side loser, const struct fault *fault) {
    if (is_host_fault(fault)) return false;
    table->report->forfeit = *fault;
    stop(table, result_win(side_other(loser)), forfeit_reason(fault->status));
    return true;
}

static bool ask_setup(struct table *table, enum side side, const struct referee_options *options,
                      struct fault *fault) {
    const struct setup *given = options->setups[side];
    struct player *player = table->players[side];
    const struct rules *rules = table->rules;
    struct setup *setup = &table->report->setups[side];
    cell nothing[BOARD_SQUARES_MAX] = {0};
    uint8_t army[KINDS_MAX] = {0};
    for (int k = 1; k <= rules->kinds; k++) army[k] = rules->kind[k].count;
    view_start(&table->eyes.view[side], rules, side, nothing, 0, army, table->first, table->limits);
    for (;;) {
        struct setup answer = {0};
        *fault = (struct fault){0};
        if ((!given || (options->ask_anyway && player->setup)) &&
            !player->setup(player->self, &table->eyes.view[side], &answer, fault)) {
            return forfeit(table, side, fault);
        }
        if (given) answer = *given;
        if (setup_check(rules, &answer, fault)) {
            *setup = answer;
            return true;
        }
        if (given) return false; /* a caller's set-ups must be right */
        if (!player->refused) return forfeit(table, side, fault);
        player->refused(player->self, fault);
    }
}

/* `side` broke when the game was over. Who has forfeited is broken already, and of two faults the
 * first is enough. */
static void note_late(struct table *table, enum side side, const struct fault *fault) {
    struct referee_report *report = table->report;
    if (report->forfeit.status != STATUS_OK || report->late.status != STATUS_OK) return;
    report->late = *fault;
    report->late_side = side;
}

/* Tells both players of the turn that eyes have followed; the mover first, so that it is the one to
 * forfeit if both break. A player that breaks after the end changes nothing any more. */
static bool tell(struct table *table, enum side mover, struct fault *fault) {
    const enum side order[2] = {mover, side_other(mover)};
    for (int i = 0; i < 2; i++) {
        struct player *player = table->players[order[i]];
        *fault = (struct fault){0};
        if (!player->observe || player->observe(player->self, &table->eyes.view[order[i]],
                                                &table->eyes.told[order[i]], fault)) {
            continue;
        }
        if (is_host_fault(fault)) return false;
        if (game_over(&table->game) || table->stopped) {
            note_late(table, order[i], fault);
        } else {
            forfeit(table, order[i], fault);
        }
    }
    return true;
}

static void keep(struct table *table) {
    const struct referee_options *options = table->options;
    if (options->keep && table->record) options->keep(options->context, table->record);
}

static bool play_move(struct table *table, struct move move, struct fault *fault) {
    enum side mover = table->game.to_move;
    char text[MOVE_TEXT_MAX];
    move_write(&table->game, move, text);
    if (table->record && !record_add_move(table->record, text)) table->out_of_memory = true;
    eyes_play(&table->eyes, &table->game, move);
    if (calls_take(fault)) return false;
    if (!table->catching_up) keep(table);
    return tell(table, mover, fault);
}

/* One question to the side to move. `*done` when the turn is over: a move was played or the game
 * was stopped. `offered` keeps whether a draw was declined in this turn. */
static bool ask_move(struct table *table, size_t count, bool *offered, bool *done,
                     struct fault *fault) {
    enum side side = table->game.to_move, other = side_other(side);
    struct player *player = table->players[side];
    struct answer answer = {0};
    *done = true;
    *fault = (struct fault){0};
    if (!player->move(player->self, &table->eyes.view[side], table->moves, count, &answer, fault)) {
        return forfeit(table, side, fault);
    }
    *fault = (struct fault){0};
    struct move move = answer.move;
    enum verdict verdict;
    char sentence[VERDICT_TEXT_MAX];
    switch (answer.type) {
    case ANSWER_MOVE:
        verdict = game_judge(&table->game, move);
        if (verdict == LEGAL) return play_move(table, move, fault);
        fault_set(fault, STATUS_ILLEGAL_MOVE, "%s",
                  verdict_text(&table->game, move, verdict, sentence));
        break;
    case ANSWER_TEXT:
        answer.text[sizeof answer.text - 1] = 0;
        verdict = move_read(&table->game, answer.text, strlen(answer.text), &move, fault);
        if (verdict == LEGAL) return play_move(table, move, fault);
        break;
    case ANSWER_RESIGN:
        stop(table, result_win(other), REASON_RESIGNED);
        return true;
    case ANSWER_QUIT:
        stop(table, RESULT_NONE, REASON_UNFINISHED);
        return true;
    case ANSWER_DRAW: {
        struct player *opponent = table->players[other];
        if (!*offered && opponent->accepts_draw &&
            opponent->accepts_draw(opponent->self, &table->eyes.view[other])) {
            stop(table, RESULT_DRAW, REASON_AGREED);
            return true;
        }
        fault_set(fault, STATUS_ILLEGAL_MOVE,
                  *offered ? "a draw was declined in this turn already; a move is expected"
                           : "the draw was declined; a move is expected");
        *done = false;
        if (!*offered) {
            *offered = true;
            if (player->refused) player->refused(player->self, fault);
            return true;
        }
        break;
    }
    default:
        fault_set(fault, STATUS_ILLEGAL_MOVE, "an answer of unknown type %d", (int)answer.type);
    }
    if (!player->refused) {
        *done = true;
        return forfeit(table, side, fault);
    }
    *done = false;
    player->refused(player->self, fault);
    return true;
}

/* Broken off by the caller's wish. */
static bool is_given_up(const struct table *table) {
    return table->options->give_up && atomic_load(table->options->give_up);
}

static bool play_turns(struct table *table, struct fault *fault) {
    while (!table->stopped && !game_over(&table->game)) {
        if (is_given_up(table)) {
            stop(table, RESULT_NONE, REASON_UNFINISHED);
            table->given_up = true;
            break;
        }
        size_t count = game_moves(&table->game, table->moves, table->rules->moves_max);
        if (calls_take(fault)) return false;
        bool offered = false, done = false;
        while (!done) {
            if (!ask_move(table, count, &offered, &done, fault)) return false;
        }
    }
    return true;
}

/* Plays what was played before; stops early only if a player breaks over it. */
static bool catch_up(struct table *table, struct fault *fault) {
    const struct referee_options *options = table->options;
    table->catching_up = true;
    for (size_t i = 0; i < options->played_count && !table->stopped; i++) {
        const struct record_move *played = &options->played[i];
        struct move move;
        *fault = (struct fault){0};
        if (move_read(&table->game, played->text, strlen(played->text), &move, fault) != LEGAL) {
            fault_place(fault, NULL, played->line, played->column);
            return false;
        }
        if (!play_move(table, move, fault)) return false;
    }
    table->catching_up = false;
    return true;
}

/* What ended the game from outside is public too; the views follow it without a turn. */
static bool tell_stop(struct table *table, struct fault *fault) {
    const struct event end = {.type = EVENT_END,
                              .side = table->game.to_move,
                              .from = SQUARE_NONE,
                              .to = SQUARE_NONE,
                              .ability = ABILITY_NONE,
                              .result = (uint8_t)table->report->result,
                              .reason = (uint8_t)table->report->reason};
    for (int side = RED; side <= BLUE; side++) {
        table->eyes.view[side].result = end.result;
        table->eyes.view[side].reason = end.reason;
        table->eyes.told[side] = (struct events){.count = 1, .list = {end}};
    }
    return tell(table, table->game.to_move, fault);
}

static bool start_players(struct table *table, struct fault *fault) {
    for (int side = RED; side <= BLUE && !table->stopped; side++) {
        struct player *player = table->players[side];
        *fault = (struct fault){0};
        if (player->start && !player->start(player->self, &table->eyes.view[side], fault) &&
            !forfeit(table, (enum side)side, fault)) {
            return false;
        }
    }
    return true;
}

static bool finish_players(struct table *table, struct fault *fault) {
    for (int side = RED; side <= BLUE; side++) {
        struct player *player = table->players[side];
        *fault = (struct fault){0};
        if (!player->finish || player->finish(player->self, &table->eyes.view[side], fault)) {
            continue;
        }
        if (is_host_fault(fault)) return false;
        note_late(table, (enum side)side, fault);
    }
    return true;
}

static bool write_tag(struct table *table, const char *name, const char *value) {
    if (!record_set_tag(table->record, name, value)) table->out_of_memory = true;
    return !table->out_of_memory;
}

static void write_limits(struct table *table, uint32_t no_attack, uint32_t plies) {
    char text[32];
    snprintf(text, sizeof text, "%" PRIu32 " %" PRIu32, no_attack, plies);
    write_tag(table, "Limits", no_attack || plies ? text : "none");
}

/* A set-up that was never accepted has no tag. */
static void write_tags_before(struct table *table) {
    const struct limits *limits = &table->limits, *usual = &table->rules->limits;
    char text[SETUP_TEXT_MAX];
    if (!table->record) return;
    write_tag(table, "Variant", table->rules->name);
    write_tag(table, "Red", table->players[RED]->name);
    write_tag(table, "Blue", table->players[BLUE]->name);
    snprintf(text, sizeof text, "%" PRIu64, table->options->seed);
    write_tag(table, "Seed", text);
    bool first_is_usual =
        table->rules->first == FIRST_BLUE ? table->first == BLUE : table->first == RED;
    if (!first_is_usual) write_tag(table, "First", side_name(table->first));
    if (limits->no_attack != usual->no_attack || limits->plies != usual->plies) {
        write_limits(table, limits->no_attack, limits->plies);
    }
    for (int side = RED; side <= BLUE; side++) {
        const struct setup *setup = &table->report->setups[side];
        if (!setup_check(table->rules, setup, NULL)) continue;
        setup_write(table->rules, setup, text);
        write_tag(table, side == RED ? "RedSetup" : "BlueSetup", text);
    }
    write_tag(table, "Result", result_name(RESULT_NONE));
}

static bool play_game(struct table *table, const struct referee_options *options,
                      struct fault *fault) {
    for (int side = RED; side <= BLUE && !table->stopped; side++) {
        if (!ask_setup(table, (enum side)side, options, fault)) return false;
    }
    write_tags_before(table);
    if (table->stopped) return true;
    struct position position;
    position_from_setups(table->rules, &table->report->setups[RED], &table->report->setups[BLUE],
                         table->first, &position);
    uint32_t capacity = table->limits.plies;
    if (!capacity || capacity > PLIES_CEILING) capacity = PLIES_CEILING;
    table->plies = malloc(capacity * sizeof *table->plies);
    table->moves = malloc(table->rules->moves_max * sizeof *table->moves);
    if (!table->plies || !table->moves) {
        return fault_set(fault, STATUS_NO_MEMORY, "no memory for a game of %" PRIu32 " plies",
                         capacity);
    }
    game_start(&table->game, table->rules, &position, &table->limits, table->plies, capacity);
    if (calls_take(fault)) return false;
    eyes_open(&table->eyes, &table->game);
    if (!start_players(table, fault) || !catch_up(table, fault)) return false;
    keep(table);
    if (!play_turns(table, fault)) return false;
    bool from_outside = table->stopped;
    if (!from_outside) {
        table->report->result = table->game.result;
        table->report->reason = table->game.reason;
    }
    table->report->plies = table->game.ply_count;
    if (table->given_up) return true;
    if ((from_outside || !table->report->plies) && !tell_stop(table, fault)) return false;
    return finish_players(table, fault);
}

/* What is known only afterwards. */
static void write_tags_after(struct table *table) {
    const struct referee_report *report = table->report;
    if (!table->limits.plies && report->reason == REASON_PLY_LIMIT) {
        write_limits(table, table->limits.no_attack, PLIES_CEILING);
    }
    write_tag(table, "Result", result_name(report->result));
    write_tag(table, "Reason", reason_name(report->reason));
    if (report->forfeit.status == STATUS_OK) return;
    /* Without folders, so that the same game has the same record wherever its bots lie. */
    struct fault forfeit = report->forfeit;
    const char *slash = strrchr(report->forfeit.file, '/');
    if (slash) snprintf(forfeit.file, sizeof forfeit.file, "%s", slash + 1);
    char why[FAULT_FILE_MAX + FAULT_TEXT_MAX + 32];
    fault_format(&forfeit, why, sizeof why);
    write_tag(table, "Forfeit", why);
}

bool referee_play(const struct rules *rules, struct player *const players[2],
                  const struct referee_options *options, struct record *record,
                  struct referee_report *report, struct fault *fault) {
    struct fault local = {0};
    struct table *table = calloc(1, sizeof *table);
    if (!table) return fault_set(fault, STATUS_NO_MEMORY, "out of memory");
    *report = (struct referee_report){0};
    table->rules = rules;
    table->players = players;
    table->first = options->first;
    table->limits = options->limits ? *options->limits : rules->limits;
    table->record = record;
    table->report = report;
    table->options = options;
    bool played = play_game(table, options, &local);
    if (played && record) write_tags_after(table);
    if (played && table->out_of_memory) {
        played = fault_set(&local, STATUS_NO_MEMORY, "out of memory");
    }
    if (!played && fault) *fault = local;
    free(table->plies);
    free(table->moves);
    free(table);
    return played;
}
