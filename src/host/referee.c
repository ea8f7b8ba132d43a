/* referee.c - asks two players for what a session wants, until it is over.
 *
 * A player gets its side's view and events and the legal moves of its own pieces, nothing else. The
 * session judges every answer. Each step does what is most pressing: first the players hear what
 * they have not heard yet, then one of them is asked. */
#include "referee.h"

#include "base/clock.h"

#include <string.h>

enum { NS_A_MS = 1000000, SECOND = 1000 };

/* A fault of the host, not of a player. A program that cannot be started is not beaten. */
static bool is_host_fault(const struct fault *fault) {
    return fault->status == STATUS_NO_MEMORY || fault->status == STATUS_SYSTEM ||
           fault->status == STATUS_KILLED || fault->status == STATUS_START;
}

/* False if the host failed, not the player. */
static bool referee_forfeit(struct referee *referee, enum side loser, const struct fault *fault) {
    if (is_host_fault(fault)) return false;
    session_forfeit(referee->session, loser, fault);
    return true;
}

/* A fault of what a bot answered lies in its file. */
static void place_answer(const struct player *player, int line, struct fault *fault) {
    const bool its = !fault->file[0] || (player->file && !strcmp(fault->file, player->file));
    if (player->file && its && !fault->line) fault_place(fault, player->file, line, 0);
}

/* Tells a player what is left. The enemy's time says how hard it thought, so it is rounded up. */
static void tell_clock(const struct referee *referee, enum side side) {
    const struct player *player = referee->players[side];
    struct game_clock clock = {.increment = referee->options.pace.increment};
    if (!referee->options.pace.ms || !player || !player->clock) return;
    for (int of = RED; of <= BLUE; of++)
        clock.left[of] = (referee->left[of] + NS_A_MS - 1) / NS_A_MS;
    if (referee->options.watch) clock = stopwatch_look(referee->options.watch);
    const enum side other = side_other(side);
    clock.left[other] = (clock.left[other] + SECOND - 1) / SECOND * SECOND;
    player->clock(player->self, &referee->session->eyes.view[side], &clock);
}

/* The army of a side where the rules place it. */
static bool place_army(const struct referee *referee, enum side side, struct setup *setup,
                       struct fault *fault) {
    const struct rules *rules = referee->session->options.rules;
    if (rules->armies == ARMIES_GIVEN) {
        setup_given(rules, side, setup);
        return true;
    }
    struct random random = chance_random(referee->options.chance, CHANCE_SETUP, (uint64_t)side);
    return setup_random(rules, side, &random, setup, fault);
}

/* Feeds the session the caller's set-up for `side`, or else that of the rules, or else the
 * player's. */
static bool ask_setup(struct referee *referee, enum side side, struct fault *fault) {
    struct session *session = referee->session;
    const struct rules *rules = session->options.rules;
    const struct setup *given = referee->options.setups[side];
    struct player *player = rules->armies == ARMIES_PLACED ? referee->players[side] : NULL;
    struct setup placed;
    if (!given && rules->armies != ARMIES_PLACED) {
        if (!place_army(referee, side, &placed, fault)) return false;
        given = &placed;
    }
    while (session_wants(session, side) == WANT_SETUP) {
        struct setup answer = {0};
        *fault = (struct fault){0};
        tell_clock(referee, side);
        if (player && (!given || (referee->options.ask_anyway && player->setup)) &&
            !player->setup(player->self, &session->eyes.view[side], &answer, fault)) {
            if (fault->status == STATUS_NOT_FOUND || fault->status == STATUS_SETUP)
                place_answer(player, player->setup_line, fault);
            return referee_forfeit(referee, side, fault);
        }
        if (session_take_setup(session, side, given ? given : &answer, fault)) return true;
        if (fault->status != STATUS_SETUP || given) return false;
        if (!player->refused) {
            place_answer(player, player->setup_line, fault);
            return referee_forfeit(referee, side, fault);
        }
        player->refused(player->self, LEGAL, fault);
    }
    return true;
}

/* Notes that a player failed after the end: the first one, and not after a forfeit, where a failed
 * player is no news. */
static void note_late(struct referee *referee, enum side side, const struct fault *fault) {
    struct referee_report *report = &referee->report;
    if (referee->session->forfeit.status != STATUS_OK || report->late.status != STATUS_OK) return;
    report->late = *fault;
    report->late_side = side;
}

static void referee_follow(const struct referee *referee) {
    const struct referee_options *options = &referee->options;
    void (*follow)(void *context, const struct session *session) =
        referee->catching_up ? options->repeat : options->follow;
    if (follow) follow(options->context, referee->session);
}

/* Whose answer is awaited. An outsider that has offered a draw may still move. */
static enum side side_asked(const struct referee *referee) {
    const struct session *session = referee->session;
    const enum side side = (enum side)session->game.to_move;
    return session->draw_offered && referee->players[side] ? side_other(side) : side;
}

/* The clock of people runs for the side that is asked now; nothing changes if it does already. */
static void run_watch(const struct referee *referee) {
    if (referee->options.watch && referee->begun && !referee->session->over)
        stopwatch_run(referee->options.watch, side_asked(referee));
}

/* Lets both players observe new events; the side whose turn it was first, so that it forfeits if
 * both fail. */
static bool referee_tell(struct referee *referee, struct fault *fault) {
    struct session *session = referee->session;
    const enum side order[2] = {session->teller, side_other(session->teller)};
    struct fault broken = {0};
    enum side loser = RED;
    referee->heard = session->tellings;
    referee->declined = false;
    if (session->over && referee->options.watch) stopwatch_stop(referee->options.watch, RED);
    referee_follow(referee);
    for (int i = 0; i < 2; i++) {
        struct player *player = referee->players[order[i]];
        *fault = (struct fault){0};
        if (!player || !player->observe ||
            player->observe(player->self, &session->eyes.view[order[i]],
                            &session->eyes.told[order[i]], fault))
            continue;
        if (is_host_fault(fault)) return false;
        if (session->over) {
            note_late(referee, order[i], fault);
        } else if (broken.status == STATUS_OK) {
            broken = *fault;
            loser = order[i];
        }
    }
    if (broken.status != STATUS_OK) session_forfeit(session, loser, &broken);
    return true;
}

static void blame_declined(struct fault *fault) {
    *fault = (struct fault){0};
    fault_set(fault, STATUS_ILLEGAL_MOVE, "the draw was declined; a move is expected");
}

void referee_answer_draw(struct referee *referee, bool accept) {
    struct session *session = referee->session;
    const enum side offerer = (enum side)session->game.to_move;
    struct player *player = referee->players[offerer];
    struct fault declined;
    if (session_wants(session, side_other(offerer)) != WANT_DRAW_ANSWER) return;
    session_answer_draw(session, accept);
    if (accept) return;
    referee->declined = !player;
    if (!player || !player->refused) return;
    blame_declined(&declined);
    player->refused(player->self, LEGAL, &declined);
}

bool referee_declined(struct referee *referee, struct fault *fault) {
    if (!referee->declined) return false;
    referee->declined = false;
    blame_declined(fault);
    return true;
}

static void ask_draw(struct referee *referee, enum side side) {
    struct player *player = referee->players[side];
    bool accepts = player->accepts_draw &&
                   player->accepts_draw(player->self, &referee->session->eyes.view[side]);
    referee_answer_draw(referee, accepts);
}

/* False with a fault if the answer is refused, or the host fails. */
static bool take_answer(struct referee *referee, enum side side, struct answer *answer,
                        enum verdict *verdict, struct fault *fault) {
    struct session *session = referee->session;
    const struct referee_options *options = &referee->options;
    *verdict = LEGAL;
    if (options->admits && !options->admits(options->context, session, answer, fault)) return false;
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
        return session_offer_draw(session, fault);
    }
    return fault_set(fault, STATUS_ILLEGAL_MOVE, "an answer of unknown type %d", (int)answer->type);
}

/* Calls the player's `move`, counts what it uses and takes that off its clock. */
static bool call_move(struct referee *referee, enum side side, const struct move *moves,
                      size_t count, struct answer *answer, struct fault *fault) {
    const struct view *view = &referee->session->eyes.view[side];
    struct player *player = referee->players[side];
    tell_clock(referee, side);
    int64_t from = clock_ns();
    bool answered = player->move(player->self, view, moves, count, answer, fault);
    uint64_t took = (uint64_t)(clock_ns() - from);
    usage_count(&referee->report.usage[side], player->metered, answer->fuel, took);
    referee->left[side] -= player->metered ? pace_ns(answer->fuel) : (int64_t)took;
    return answered;
}

static bool has_fallen(const struct referee *referee, enum side side) {
    if (referee->options.watch) return !stopwatch_look(referee->options.watch).left[side];
    return referee->options.pace.ms && referee->left[side] <= 0;
}

/* Why a side forfeits that has no time left. */
static void blame_clock(struct referee *referee, enum side side, struct fault *fault) {
    const struct pace *pace = &referee->options.pace;
    char text[PACE_TEXT_MAX];
    *fault = (struct fault){0};
    referee->report.fell = true;
    pace_write(pace, text);
    if (pace->ms)
        fault_set(fault, STATUS_TIME,
                  "no time left on the clock of %s, which began with %s seconds", side_name(side),
                  text);
    else
        fault_set(fault, STATUS_TIME, "no time left on the clock of %s", side_name(side));
}

bool referee_watch(struct referee *referee) {
    struct fault fault;
    if (!referee->options.watch || !referee->begun || referee->session->over) return false;
    run_watch(referee);
    for (int side = RED; side <= BLUE; side++) {
        if (!has_fallen(referee, (enum side)side)) continue;
        blame_clock(referee, (enum side)side, &fault);
        session_forfeit(referee->session, (enum side)side, &fault);
        return true;
    }
    return false;
}

/* Forfeits for a side that has no time left; `*fell`: it has not. False if the host failed. */
static bool judge_clock(struct referee *referee, enum side side, bool answered, bool *fell,
                        struct fault *fault) {
    *fell = false;
    if (!answered && is_host_fault(fault)) return false;
    if (!has_fallen(referee, side)) return true;
    *fell = true;
    blame_clock(referee, side, fault);
    return referee_forfeit(referee, side, fault);
}

/* A move was made. */
static void add_increment(struct referee *referee, enum side side) {
    referee->left[side] += referee->options.pace.increment * NS_A_MS;
    if (!referee->options.watch) return;
    stopwatch_add(referee->options.watch, side);
    run_watch(referee);
}

bool referee_take(struct referee *referee, enum side side, struct answer *answer,
                  enum verdict *verdict, struct fault *fault) {
    *verdict = LEGAL;
    if (referee_watch(referee)) return true;
    if (!take_answer(referee, side, answer, verdict, fault)) return false;
    if (answer->type == ANSWER_MOVE || answer->type == ANSWER_TEXT) add_increment(referee, side);
    return true;
}

static bool is_interrupted(const struct referee *referee) {
    return referee->options.interrupt && atomic_load(referee->options.interrupt);
}

/* Asks the side to move once. A refused answer forfeits unless the player has `refused`. False when
 * the host fails. */
static bool ask_move(struct referee *referee, enum side side, struct fault *fault) {
    struct session *session = referee->session;
    struct player *player = referee->players[side];
    struct answer answer = {0};
    enum verdict verdict;
    size_t count;
    const struct move *moves = session_moves(session, &count, fault);
    if (!moves) return false;
    *fault = (struct fault){0};
    bool fell, answered = call_move(referee, side, moves, count, &answer, fault);
    if (!judge_clock(referee, side, answered, &fell, fault)) return false;
    if (fell || is_interrupted(referee)) return true;
    if (!answered) return referee_forfeit(referee, side, fault);
    *fault = (struct fault){0};
    if (take_answer(referee, side, &answer, &verdict, fault)) {
        if (answer.type == ANSWER_MOVE || answer.type == ANSWER_TEXT) add_increment(referee, side);
        return true;
    }
    if (fault->status != STATUS_ILLEGAL_MOVE && fault->status != STATUS_TEXT) return false;
    if (!player->refused) {
        place_answer(player, player->move_line, fault);
        return referee_forfeit(referee, side, fault);
    }
    player->refused(player->self, verdict, fault);
    return true;
}

/* Plays the moves of a continued game; stops early only if a player forfeits. */
static bool catch_up(struct referee *referee, struct fault *fault) {
    const struct referee_options *options = &referee->options;
    struct session *session = referee->session;
    for (size_t i = 0; i < options->played_count && session->forfeit.status == STATUS_OK; i++) {
        const struct record_move *played = &options->played[i];
        *fault = (struct fault){0};
        if (!session_play_text(session, played->text, strlen(played->text), NULL, fault)) {
            fault_place(fault, NULL, played->line, played->column);
            return false;
        }
        if (!referee_tell(referee, fault)) return false;
    }
    return true;
}

/* The armies stand: starts the players. */
static bool referee_begin(struct referee *referee, struct fault *fault) {
    struct session *session = referee->session;
    referee->begun = true;
    for (int side = RED; side <= BLUE && session->forfeit.status == STATUS_OK; side++) {
        struct player *player = referee->players[side];
        *fault = (struct fault){0};
        tell_clock(referee, (enum side)side);
        if (player && player->start &&
            !player->start(player->self, &session->eyes.view[side], fault) &&
            !referee_forfeit(referee, (enum side)side, fault))
            return false;
    }
    referee->catching_up = referee->options.played;
    if (referee->catching_up && referee->heard == session->tellings) referee_follow(referee);
    if (!catch_up(referee, fault)) return false;
    referee->catching_up = false;
    run_watch(referee);
    if (referee->heard == session->tellings) referee_follow(referee);
    return true;
}

static bool finish_players(struct referee *referee, struct fault *fault) {
    referee->finished = true;
    if (referee->options.watch) stopwatch_stop(referee->options.watch, RED);
    if (!referee->begun || referee->given_up) return true;
    for (int side = RED; side <= BLUE; side++) {
        struct player *player = referee->players[side];
        *fault = (struct fault){0};
        if (player && player->uncover) player->uncover(player->self, referee->session);
        if (!player || !player->finish ||
            player->finish(player->self, &referee->session->eyes.view[side], fault))
            continue;
        if (is_host_fault(fault)) return false;
        note_late(referee, (enum side)side, fault);
    }
    return true;
}

/* Asks the first player that owes something. `*asked`: there was one. */
static bool ask_player(struct referee *referee, bool *asked, struct fault *fault) {
    *asked = true;
    for (int side = RED; side <= BLUE; side++) {
        enum want want = session_wants(referee->session, (enum side)side);
        const bool given = referee->options.setups[side] ||
                           referee->session->options.rules->armies != ARMIES_PLACED;
        if (want == WANT_SETUP && (referee->players[side] || given))
            return ask_setup(referee, (enum side)side, fault);
        if (!referee->players[side]) continue;
        if (want == WANT_MOVE && !referee->session->draw_offered) /* else it waits for the answer */
            return ask_move(referee, (enum side)side, fault);
        if (want == WANT_DRAW_ANSWER) {
            ask_draw(referee, (enum side)side);
            return true;
        }
    }
    *asked = false;
    return true;
}

static void give_up(struct referee *referee) {
    const atomic_bool *wish = referee->options.give_up;
    const struct session *session = referee->session;
    if (!wish || !session->started || session->over || !atomic_load(wish)) return;
    session_stop(referee->session, RESULT_NONE, REASON_UNFINISHED);
    referee->given_up = true;
}

enum referee_step referee_step(struct referee *referee, struct fault *fault) {
    struct session *session = referee->session;
    bool done = true, asked = true;
    if (referee->finished) return REFEREE_WAITS;
    if (referee->begun) give_up(referee);
    referee_watch(referee);
    if (session->started && !referee->begun)
        done = referee_begin(referee, fault);
    else if (referee->heard != session->tellings && !referee->given_up)
        done = referee_tell(referee, fault);
    else if (session->over)
        done = finish_players(referee, fault);
    else
        done = ask_player(referee, &asked, fault);
    if (!done) return REFEREE_FAILED;
    return asked ? REFEREE_WENT_ON : REFEREE_WAITS;
}

bool referee_open(struct referee *referee, const struct rules *rules,
                  struct player *const players[2], const struct referee_options *options,
                  bool with_record, struct fault *fault) {
    struct session_options game = {.rules = rules,
                                   .position = options->position,
                                   .first = options->first,
                                   .limits = options->limits,
                                   .pace = options->pace,
                                   .seed = options->seed,
                                   .about = options->about};
    *referee = (struct referee){.players = {players[RED], players[BLUE]}, .options = *options};
    for (int side = RED; side <= BLUE && with_record; side++)
        game.names[side] = options->names[side] ? options->names[side] : players[side]->name;
    for (int side = RED; side <= BLUE; side++) referee->left[side] = options->pace.ms * NS_A_MS;
    referee->session = session_open(&game, fault);
    return referee->session;
}

void referee_close(struct referee *referee) {
    session_close(referee->session);
    referee->session = NULL;
}

/* Says at which ply a player forfeited, 0 for its set-up. The record shows that by its moves. */
static void place_in_game(const struct session *session, struct fault *forfeit) {
    fault_add(forfeit, " (ply %u)", session->started ? session->game.ply_count + 1 : 0);
}

bool referee_seal(struct referee *referee, struct fault *fault) {
    struct session *session = referee->session;
    struct referee_report *report = &referee->report;
    if (!session_seal(session, fault)) return false;
    report->result = session->result;
    report->reason = session->reason;
    report->plies = session->game.ply_count;
    report->ending = session->ending;
    report->forfeit = session->forfeit;
    if (session->forfeit.status != STATUS_OK) place_in_game(session, &report->forfeit);
    memcpy(report->setups, session->setups, sizeof report->setups);
    return true;
}

bool referee_play(const struct rules *rules, struct player *const players[2],
                  const struct referee_options *options, struct record *record,
                  struct referee_report *report, struct fault *fault) {
    struct fault local = {0};
    struct referee referee;
    enum referee_step step = REFEREE_FAILED;
    if (referee_open(&referee, rules, players, options, record, &local)) do
            step = referee_step(&referee, &local);
        while (step == REFEREE_WENT_ON);
    bool played = step == REFEREE_WAITS && referee_seal(&referee, &local);
    if (played && record) {
        struct record kept = *referee.session->record;
        *referee.session->record = *record;
        *record = kept;
    }
    *report = referee.report;
    if (!played && fault) *fault = local;
    referee_close(&referee);
    return played;
}
