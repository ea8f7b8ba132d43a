/* session.c - the one place where a game is played.
 *
 * The true position is in `session->game` and nowhere else; views are updated through eyes.h, from
 * events alone. The record grows with the game: tags of the start when the game starts (or ends
 * before it), a text for each move, tags of the end when the session is sealed. */
#include "session.h"

#include "base/paths.h"
#include "core/play/calls.h"
#include "core/text/layout.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool no_memory(struct fault *fault) {
    return fault_set(fault, STATUS_NO_MEMORY, "no memory for a game");
}

static bool tag_limits(struct session *session, uint32_t no_attack, uint32_t plies) {
    char text[32];
    snprintf(text, sizeof text, "%" PRIu32 " %" PRIu32, no_attack, plies);
    return record_set_tag(session->record, "Limits", no_attack || plies ? text : "none");
}

static bool tag_clock(struct session *session) {
    char text[PACE_TEXT_MAX];
    if (!session->options.pace.ms) return true;
    pace_write(&session->options.pace, text);
    return record_set_tag(session->record, "Clock", text);
}

static bool tag_setup(struct session *session, enum side side) {
    char text[SETUP_TEXT_MAX];
    if (!session->has_setup[side]) return true;
    setup_write(session->options.rules, side, &session->setups[side], text);
    return record_set_tag(session->record, side == RED ? "RedSetup" : "BlueSetup", text);
}

static bool tag_position(struct session *session) {
    char text[POSITION_TEXT_MAX];
    if (!session->options.position) return true;
    position_write(session->options.rules, &session->start, text);
    return record_set_tag(session->record, "Position", text);
}

static bool tag_beginning(struct session *session, struct fault *fault) {
    const struct session_options *options = &session->options;
    const struct rules *rules = options->rules;
    struct record *record = session->record;
    const struct limits *limits = &session->limits, *usual = &rules->limits;
    char seed[24];
    if (!record || session->tagged) return true;
    session->tagged = true;
    snprintf(seed, sizeof seed, "%" PRIu64, options->seed);
    bool made = record_set_tag(record, "Variant", rules->name) &&
                record_set_tag(record, "Red", options->names[RED]) &&
                record_set_tag(record, "Blue", options->names[BLUE]) &&
                record_set_tag(record, "Seed", seed) && tag_clock(session);
    for (size_t i = 0; made && options->about && i < options->about->tag_count; i++) {
        const struct record_tag *tag = &options->about->tags[i];
        made = record_set_tag(record, tag->name, tag->value);
    }
    if (options->first != rules_first(rules))
        made = made && record_set_tag(record, "First", side_name(options->first));
    if (limits->no_attack != usual->no_attack || limits->plies != usual->plies)
        made = made && tag_limits(session, limits->no_attack, limits->plies);
    made = made && tag_position(session) && tag_setup(session, RED) && tag_setup(session, BLUE) &&
           record_set_tag(record, "Result", result_name(RESULT_NONE));
    return made || no_memory(fault);
}

/* File names without folders: the record must not depend on where bots are installed. */
static bool tag_forfeit(struct session *session) {
    struct fault forfeit = session->forfeit;
    char why[FAULT_FILE_MAX + FAULT_TEXT_MAX + 32];
    snprintf(forfeit.file, sizeof forfeit.file, "%s", path_file(session->forfeit.file));
    fault_format(&forfeit, why, sizeof why);
    return record_set_tag(session->record, "Forfeit", why);
}

bool session_seal(struct session *session, struct fault *fault) {
    struct record *record = session->record;
    if (!record || !session->over) return true;
    bool made = tag_beginning(session, fault);
    uint32_t plies = session->game.ply_count; /* the session's own ceiling may be the limit */
    if (session->reason == REASON_PLY_LIMIT && session->limits.plies != plies)
        made = made && tag_limits(session, session->limits.no_attack, plies);
    made = made && record_set_tag(record, "Result", result_name(session->result)) &&
           record_set_tag(record, "Reason", reason_name(session->reason));
    if (session->ending.text[0])
        made = made && record_set_tag(record, "Ending", session->ending.text);
    if (session->forfeit.status != STATUS_OK) made = made && tag_forfeit(session);
    return made || no_memory(fault);
}

/* Takes over the result of a game that the rules have ended. */
static void note_ending(struct session *session) {
    session->listed = false;
    if (!game_over(&session->game)) return;
    session->over = true;
    session->result = (enum result)session->game.result;
    session->reason = (enum reason)session->game.reason;
    calls_ending_words(&session->game, &session->ending);
    calls_take(NULL); /* without words the game is over all the same */
}

/* An event for both sides: the game ended without a move. */
static void tell_end(struct session *session) {
    enum side side_to_move = session->options.first;
    if (session->started) side_to_move = (enum side)session->game.to_move;
    const struct event end = {.type = EVENT_END,
                              .side = (uint8_t)side_to_move,
                              .from = SQUARE_NONE,
                              .to = SQUARE_NONE,
                              .result = (uint8_t)session->result,
                              .reason = (uint8_t)session->reason};
    for (int side = RED; side <= BLUE; side++) {
        session->eyes.view[side].result = end.result;
        session->eyes.view[side].reason = end.reason;
        session->eyes.told[side] = (struct events){.count = 1, .list = {end}};
    }
    session->teller = side_to_move;
    session->tellings++;
}

static bool session_start(struct session *session, struct fault *fault) {
    const struct rules *rules = session->options.rules;
    uint32_t capacity = session->options.plies ? session->options.plies : session->limits.plies;
    if (!capacity || capacity > SESSION_PLIES_MAX) capacity = SESSION_PLIES_MAX;
    session->plies = malloc(capacity * sizeof *session->plies);
    session->moves = malloc((rules->moves_max + 1) * sizeof *session->moves);
    if (!session->plies || !session->moves) return no_memory(fault);
    if (!tag_beginning(session, fault)) return false;
    game_start(&session->game, rules, &session->start, &session->limits, session->plies, capacity);
    if (calls_take(fault)) return false;
    eyes_open(&session->eyes, &session->game);
    session->started = true;
    note_ending(session);
    if (session->over) tell_end(session);
    return true;
}

/* Views before any piece is placed: the rules and the first side. */
static void open_views(struct session *session) {
    const struct rules *rules = session->options.rules;
    const cell nothing[BOARD_SQUARES_MAX] = {0};
    for (int side = RED; side <= BLUE; side++) {
        view_start(&session->eyes.view[side], rules, (enum side)side, nothing, 0,
                   rules->start[side_other((enum side)side)].count, session->options.first,
                   session->limits);
    }
}

struct session *session_open(const struct session_options *options, struct fault *fault) {
    struct session *session = calloc(1, sizeof *session);
    bool ready = session != NULL;
    if (ready) {
        session->options = *options;
        session->limits = options->limits ? *options->limits : options->rules->limits;
        if (options->names[RED]) ready = (session->record = record_new()) != NULL;
    }
    if (!ready) {
        no_memory(fault);
    } else if (options->position) {
        session->start = *options->position;
        session->options.first = options->position->to_move;
        ready = session_start(session, fault);
    } else {
        open_views(session);
    }
    if (ready) return session;
    session_close(session);
    return NULL;
}

void session_close(struct session *session) {
    if (!session) return;
    record_free(session->record);
    free(session->plies);
    free(session->moves);
    free(session);
}

bool session_take_setup(struct session *session, enum side side, const struct setup *setup,
                        struct fault *fault) {
    if (session_wants(session, side) != WANT_SETUP)
        return fault_set(fault, STATUS_USAGE, "no set-up of %s is expected now", side_name(side));
    if (!setup_check(session->options.rules, side, setup, fault)) return false;
    session->setups[side] = *setup;
    session->has_setup[side] = true;
    if (!session->has_setup[side_other(side)]) return true;
    position_from_setups(session->options.rules, &session->setups[RED], &session->setups[BLUE],
                         session->options.first, &session->start);
    return session_start(session, fault);
}

void session_stop(struct session *session, enum result result, enum reason reason) {
    session->over = true;
    session->result = result;
    session->reason = reason;
    session->listed = session->draw_offered = false;
    if (session->started && result != RESULT_NONE) game_stop(&session->game, result, reason);
    tell_end(session);
}

void session_stop_again(struct session *session, enum result result, enum reason reason,
                        const char *forfeit) {
    if (forfeit) fault_set(&session->forfeit, STATUS_SCRIPT, "%s", forfeit);
    session_stop(session, result, reason);
}

void session_rename(struct session *session, enum side side, const char *name) {
    if (session->options.names[RED]) session->options.names[side] = name;
}

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

void session_forfeit(struct session *session, enum side loser, const struct fault *why) {
    session->forfeit = *why;
    session_stop(session, result_win(side_other(loser)), forfeit_reason(why->status));
}

enum want session_wants(const struct session *session, enum side side) {
    if (session->over) return WANT_NOTHING;
    if (!session->started) return session->has_setup[side] ? WANT_NOTHING : WANT_SETUP;
    bool turn = session->game.to_move == side;
    if (turn) return WANT_MOVE;
    return session->draw_offered ? WANT_DRAW_ANSWER : WANT_NOTHING;
}

const struct move *session_moves(struct session *session, size_t *count, struct fault *fault) {
    if (!session->listed) {
        size_t room = session->options.rules->moves_max;
        session->move_count = game_moves(&session->game, session->moves, room);
        if (calls_take(fault)) return NULL;
        session->listed = true;
    }
    *count = session->move_count;
    return session->moves;
}

static bool play_legal(struct session *session, struct move move, struct fault *fault) {
    enum side mover = (enum side)session->game.to_move;
    if (session->record) {
        char text[MOVE_TEXT_MAX];
        move_write(&session->game, move, text);
        if (!record_add_move(session->record, text)) return no_memory(fault);
    }
    eyes_play(&session->eyes, &session->game, move);
    if (calls_take(fault)) return false;
    session->draw_offered = session->draw_declined = false;
    session->teller = mover;
    session->tellings++;
    note_ending(session);
    return true;
}

/* Returns false. A call of the variant that failed in judging turns the refusal into its fault. */
static bool session_refuse(enum verdict *verdict, struct fault *fault) {
    if (calls_take(fault)) *verdict = LEGAL;
    return false;
}

/* Moves that were listed this turn are legal: judging one again would ask the variant again. */
static bool is_listed(const struct session *session, struct move move) {
    size_t i = 0, count = session->listed ? session->move_count : 0;
    while (i < count && !move_equal(session->moves[i], move)) i++;
    return i < count;
}

/* False with a fault unless moves can be played. */
static bool is_running(const struct session *session, enum verdict *verdict, struct fault *fault) {
    if (session->started && !session->over) return true;
    *verdict = ILLEGAL_GAME_OVER;
    return fault_set(fault, STATUS_ILLEGAL_MOVE, "%s", verdict_sentence(ILLEGAL_GAME_OVER));
}

bool session_play(struct session *session, struct move move, enum verdict *verdict,
                  struct fault *fault) {
    enum verdict judged;
    if (!verdict) verdict = &judged;
    if (!is_running(session, verdict, fault)) return false;
    *verdict = is_listed(session, move) ? LEGAL : game_judge(&session->game, move);
    if (*verdict == LEGAL) return play_legal(session, move, fault);
    char sentence[VERDICT_TEXT_MAX];
    fault_set(fault, STATUS_ILLEGAL_MOVE, "%s",
              verdict_text(&session->game, move, *verdict, sentence));
    return session_refuse(verdict, fault);
}

bool session_play_text(struct session *session, const char *text, size_t length,
                       enum verdict *verdict, struct fault *fault) {
    enum verdict judged;
    struct move move;
    if (!verdict) verdict = &judged;
    if (!is_running(session, verdict, fault)) return false;
    *verdict = move_read(&session->game, text, length, &move, fault);
    return *verdict == LEGAL ? play_legal(session, move, fault) : session_refuse(verdict, fault);
}

bool session_offer_draw(struct session *session, struct fault *fault) {
    enum verdict verdict;
    if (!is_running(session, &verdict, fault)) return false;
    if (session->draw_offered)
        return fault_set(fault, STATUS_ILLEGAL_MOVE,
                         "your draw offer waits for an answer; a move withdraws it");
    if (session->draw_declined)
        return fault_set(fault, STATUS_ILLEGAL_MOVE,
                         "a draw was declined in this turn already; a move is expected");
    session->draw_offered = true;
    return true;
}

void session_answer_draw(struct session *session, bool accept) {
    if (!session->draw_offered) return;
    session->draw_offered = false;
    session->draw_declined = !accept;
    if (accept) session_stop(session, RESULT_DRAW, REASON_AGREED);
}

bool session_rewind(struct session *session, uint32_t ply, struct fault *fault) {
    struct game *game = &session->game;
    struct ply *plies = session->plies;
    session->over = session->draw_offered = session->draw_declined = false;
    session->result = RESULT_NONE;
    session->reason = REASON_NONE;
    session->ending.text[0] = 0;
    session->forfeit = (struct fault){0};
    if (session->record) session->record->move_count = ply;
    game_start(game, session->options.rules, &session->start, &session->limits, plies,
               game->ply_capacity);
    if (calls_take(fault)) return false;
    eyes_open(&session->eyes, game);
    while (game->ply_count < ply) {
        /* Playing a ply writes its entry again, with the same move. */
        eyes_play(&session->eyes, game, plies[game->ply_count].move);
        if (calls_take(fault)) return false;
    }
    note_ending(session);
    return true;
}
