/* referee.c - asks two players for what a session wants, until it is over.
 *
 * A player gets its side's view and events and the legal moves of its own pieces, nothing else. The
 * session judges every answer. */
#include "referee.h"

#include "session.h"

#include <string.h>

struct referee_table {
    struct player *const *players;
    const struct referee_options *options;
    struct session *session;
    uint32_t heard;   /* session->tellings that the players have observed */
    bool catching_up; /* playing the moves of a continued game */
    bool given_up;    /* by the caller: no more calls to the players */
    struct referee_report *report;
};

/* A fault of the host, not of a player. */
static bool is_host_fault(const struct fault *fault) {
    return fault->status == STATUS_NO_MEMORY || fault->status == STATUS_SYSTEM ||
           fault->status == STATUS_KILLED;
}

/* False if the host failed, not the player. */
static bool referee_forfeit(struct referee_table *table, enum side loser,
                            const struct fault *fault) {
    if (is_host_fault(fault)) return false;
    session_forfeit(table->session, loser, fault);
    return true;
}

/* Feeds the session the caller's set-up for `side`, or else the player's. */
static bool ask_setup(struct referee_table *table, enum side side, struct fault *fault) {
    struct session *session = table->session;
    const struct setup *given = table->options->setups[side];
    struct player *player = table->players[side];
    while (session_wants(session, side) == WANT_SETUP) {
        struct setup answer = {0};
        *fault = (struct fault){0};
        if ((!given || (table->options->ask_anyway && player->setup)) &&
            !player->setup(player->self, &session->eyes.view[side], &answer, fault))
            return referee_forfeit(table, side, fault);
        if (session_take_setup(session, side, given ? given : &answer, fault)) return true;
        if (fault->status != STATUS_SETUP || given) return false;
        if (!player->refused) return referee_forfeit(table, side, fault);
        player->refused(player->self, LEGAL, fault);
    }
    return true;
}

/* Notes that a player failed after the end: the first one, and not after a forfeit, where a failed
 * player is no news. */
static void note_late(struct referee_table *table, enum side side, const struct fault *fault) {
    struct referee_report *report = table->report;
    if (table->session->forfeit.status != STATUS_OK || report->late.status != STATUS_OK) return;
    report->late = *fault;
    report->late_side = side;
}

/* Lets both players observe new events; the side whose turn it was first, so that it forfeits if
 * both fail. */
static bool referee_tell(struct referee_table *table, struct fault *fault) {
    struct session *session = table->session;
    const enum side order[2] = {session->teller, side_other(session->teller)};
    struct fault broken = {0};
    enum side loser = RED;
    if (table->heard == session->tellings) return true;
    table->heard = session->tellings;
    for (int i = 0; i < 2; i++) {
        struct player *player = table->players[order[i]];
        *fault = (struct fault){0};
        if (!player->observe || player->observe(player->self, &session->eyes.view[order[i]],
                                                &session->eyes.told[order[i]], fault))
            continue;
        if (is_host_fault(fault)) return false;
        if (session->over) {
            note_late(table, order[i], fault);
        } else if (broken.status == STATUS_OK) {
            broken = *fault;
            loser = order[i];
        }
    }
    if (broken.status == STATUS_OK) return true;
    session_forfeit(session, loser, &broken);
    return referee_tell(table, fault);
}

static void referee_keep(struct referee_table *table) {
    const struct referee_options *options = table->options;
    if (options->keep && table->session->record && !table->catching_up)
        options->keep(options->context, table->session->record);
}

/* Asks the other side whether it accepts a draw; a fault if it declines. */
static bool offer_draw(struct referee_table *table, enum side side, struct fault *fault) {
    struct session *session = table->session;
    struct player *opponent = table->players[side_other(side)];
    if (!session_offer_draw(session)) {
        return fault_set(fault, STATUS_ILLEGAL_MOVE,
                         "a draw was declined in this turn already; a move is expected");
    }
    session_answer_draw(
        session, opponent->accepts_draw &&
                     opponent->accepts_draw(opponent->self, &session->eyes.view[side_other(side)]));
    return session->over ||
           fault_set(fault, STATUS_ILLEGAL_MOVE, "the draw was declined; a move is expected");
}

/* False with a fault if the answer is refused, or the host fails. */
static bool take_answer(struct referee_table *table, enum side side, struct answer *answer,
                        enum verdict *verdict, struct fault *fault) {
    struct session *session = table->session;
    *verdict = LEGAL;
    switch (answer->type) {
    case ANSWER_MOVE:
        return session_play(session, answer->move, verdict, fault);
    case ANSWER_TEXT:
        answer->text[sizeof answer->text - 1] = 0;
        return session_play_text(session, answer->text, strlen(answer->text), verdict, fault);
    case ANSWER_RESIGN:
        session_stop(session, result_win(side_other(side)), REASON_RESIGNED);
        return true;
    case ANSWER_QUIT:
        session_stop(session, RESULT_NONE, REASON_UNFINISHED);
        return true;
    case ANSWER_DRAW:
        return offer_draw(table, side, fault);
    }
    return fault_set(fault, STATUS_ILLEGAL_MOVE, "an answer of unknown type %d", (int)answer->type);
}

/* Asks the side to move once. A refused answer forfeits unless the player has `refused`, but a
 * declined draw is no fault the first time. False when the host fails. */
static bool ask_move(struct referee_table *table, enum side side, struct fault *fault) {
    struct session *session = table->session;
    struct player *player = table->players[side];
    struct answer answer = {0};
    enum verdict verdict;
    size_t count;
    const struct move *moves = session_moves(session, &count, fault);
    if (!moves) return false;
    bool declined = session->draw_declined;
    uint32_t plies = session->game.ply_count;
    *fault = (struct fault){0};
    if (!player->move(player->self, &session->eyes.view[side], moves, count, &answer, fault))
        return referee_forfeit(table, side, fault);
    *fault = (struct fault){0};
    if (take_answer(table, side, &answer, &verdict, fault)) {
        if (session->game.ply_count > plies) referee_keep(table);
        return true;
    }
    if (fault->status != STATUS_ILLEGAL_MOVE && fault->status != STATUS_TEXT) return false;
    if (player->refused) {
        player->refused(player->self, verdict, fault);
        return true;
    }
    if (session->draw_declined && !declined) return true;
    return referee_forfeit(table, side, fault);
}

static bool play_turns(struct referee_table *table, struct fault *fault) {
    struct session *session = table->session;
    const atomic_bool *give_up = table->options->give_up;
    while (!session->over) {
        enum side side = (enum side)session->game.to_move;
        if (give_up && atomic_load(give_up)) {
            session_stop(session, RESULT_NONE, REASON_UNFINISHED);
            table->given_up = true;
            return true;
        }
        if (!ask_move(table, side, fault) || !referee_tell(table, fault)) return false;
    }
    return true;
}

/* Plays the moves of a continued game; stops early only if a player forfeits. */
static bool catch_up(struct referee_table *table, struct fault *fault) {
    const struct referee_options *options = table->options;
    struct session *session = table->session;
    table->catching_up = true;
    for (size_t i = 0; i < options->played_count && session->forfeit.status == STATUS_OK; i++) {
        const struct record_move *played = &options->played[i];
        *fault = (struct fault){0};
        if (!session_play_text(session, played->text, strlen(played->text), NULL, fault)) {
            fault_place(fault, NULL, played->line, played->column);
            return false;
        }
        if (!referee_tell(table, fault)) return false;
    }
    table->catching_up = false;
    return true;
}

static bool start_players(struct referee_table *table, struct fault *fault) {
    struct session *session = table->session;
    for (int side = RED; side <= BLUE && session->forfeit.status == STATUS_OK; side++) {
        struct player *player = table->players[side];
        *fault = (struct fault){0};
        if (player->start && !player->start(player->self, &session->eyes.view[side], fault) &&
            !referee_forfeit(table, (enum side)side, fault))
            return false;
    }
    return true;
}

static bool finish_players(struct referee_table *table, struct fault *fault) {
    for (int side = RED; side <= BLUE; side++) {
        struct player *player = table->players[side];
        *fault = (struct fault){0};
        if (player->uncover) player->uncover(player->self, table->session);
        if (!player->finish ||
            player->finish(player->self, &table->session->eyes.view[side], fault))
            continue;
        if (is_host_fault(fault)) return false;
        note_late(table, (enum side)side, fault);
    }
    return true;
}

static bool referee_run(struct referee_table *table, struct fault *fault) {
    struct session *session = table->session;
    for (int side = RED; side <= BLUE && !session->over; side++)
        if (!ask_setup(table, (enum side)side, fault)) return false;
    if (!session->started) return true; /* forfeited over a set-up; no player was started */
    if (!start_players(table, fault) || !catch_up(table, fault)) return false;
    referee_keep(table);
    if (!play_turns(table, fault)) return false;
    if (table->given_up) return true;
    return referee_tell(table, fault) && finish_players(table, fault);
}

/* Fills the caller's report and record. */
static bool report_session(struct session *session, struct record *record,
                           struct referee_report *report, struct fault *fault) {
    if (!session_seal(session, fault)) return false;
    report->result = session->result;
    report->reason = session->reason;
    report->plies = session->game.ply_count;
    report->forfeit = session->forfeit;
    memcpy(report->setups, session->setups, sizeof report->setups);
    if (!record) return true;
    struct record kept = *session->record;
    *session->record = *record;
    *record = kept;
    return true;
}

bool referee_play(const struct rules *rules, struct player *const players[2],
                  const struct referee_options *options, struct record *record,
                  struct referee_report *report, struct fault *fault) {
    struct fault local = {0};
    struct session_options game = {
        .rules = rules, .first = options->first, .limits = options->limits, .seed = options->seed};
    for (int side = RED; side <= BLUE && record; side++) game.names[side] = players[side]->name;
    *report = (struct referee_report){0};
    struct referee_table table = {.players = players, .options = options, .report = report};
    table.session = session_open(&game, &local);
    bool played = table.session && referee_run(&table, &local) &&
                  report_session(table.session, record, report, &local);
    if (!played && fault) *fault = local;
    session_close(table.session);
    return played;
}
