/* calls.c - makes a variant's calls, and checks and carries out their effects.
 *
 * Each effect is checked against the position left by those before it, so that no sequence can
 * produce a board outside the rules. All writes go through game_change(), so that undo works.
 *
 * The kept fault is per thread, like errno: calls are made deep inside listings and searches that
 * cannot return it. */
#include "calls.h"

#include <stdio.h>
#include <string.h>

enum { CALL_COST = 200 }; /* instructions that handing a question over is worth */

static _Thread_local struct fault kept;

static _Thread_local struct {
    uint64_t *fuel; /* NULL: calls cost nothing */
    uint64_t paid;
} payer;

const char *call_name(enum call call) {
    static const char *const names[CALL_COUNT] = {
        [CALL_LEGAL] = "legal",
        [CALL_BATTLE] = "battle",
        [CALL_AFTER_BATTLE] = "after_battle",
        [CALL_AFTER_MOVE] = "after_move",
        [CALL_TURN_START] = "turn_start",
        [CALL_ENDING] = "ending",
    };
    return names[call];
}

bool calls_failed(void) {
    return kept.status != STATUS_OK;
}

bool calls_take(struct fault *fault) {
    if (!calls_failed()) return false;
    if (fault) *fault = kept;
    kept.status = STATUS_OK;
    return true;
}

/* Keeps the first fault, with the ply of the failure. */
static void calls_keep(const struct game *game, struct fault *fault) {
    if (calls_failed()) return;
    fault_add(fault, " (ply %u)", (unsigned)(game->earlier + game->ply_count));
    kept = *fault;
}

uint64_t *calls_pay_from(uint64_t *fuel) {
    uint64_t *before = payer.fuel;
    payer.fuel = fuel;
    return before;
}

uint64_t calls_paid(void) {
    return payer.paid;
}

static struct calls_fuel fuel_at_hand(void) {
    return (struct calls_fuel){.max = payer.fuel ? *payer.fuel : UINT64_MAX};
}

static void calls_pay(const struct calls_fuel *fuel) {
    if (!payer.fuel) return;
    uint64_t cost = fuel->used < *payer.fuel ? fuel->used : *payer.fuel;
    *payer.fuel -= cost;
    payer.paid += cost;
}

/* Makes one call, unless the fuel is used up. */
static bool call_within(struct calls *calls, enum call call, const struct game *game,
                        const struct play *play, struct calls_fuel *fuel,
                        struct call_answer *answer, struct fault *fault) {
    if (fuel->max - fuel->used <= CALL_COST) {
        fuel->used = fuel->max;
        return fault_set(fault, STATUS_FUEL, "no fuel is left for %s", call_name(call));
    }
    fuel->used += CALL_COST;
    answer->fuel_max = fuel->max - fuel->used;
    answer->fuel = 0;
    bool answered = calls->ask(calls, call, game, play, answer, fault);
    fuel->used += answer->fuel < answer->fuel_max ? answer->fuel : answer->fuel_max;
    return answered;
}

/* Makes the call. False, with the fault kept, if it fails. */
static bool calls_ask(const struct game *game, enum call call, const struct play *play,
                      struct call_answer *answer) {
    struct calls_fuel fuel = fuel_at_hand();
    struct fault fault = {0};
    bool answered = call_within(game->calls, call, game, play, &fuel, answer, &fault);
    calls_pay(&fuel);
    if (!answered) calls_keep(game, &fault);
    return answered;
}

void calls_blame(const struct game *game, enum call call, const char *what) {
    struct fault fault = {0};
    fault_set(&fault, STATUS_RULES, "%s %s", call_name(call), what);
    game->calls->place(game->calls, call, &fault);
    calls_keep(game, &fault);
}

struct play calls_play(const struct game *game, struct move move) {
    return (struct play){.side = cell_side(game->at[move.from]),
                         .move = move,
                         .kind = cell_kind(game->at[move.from]),
                         .other = move.to == move.from ? KIND_NONE : cell_kind(game->at[move.to])};
}

bool calls_allow(const struct game *game, struct move move, char *why) {
    struct play play = calls_play(game, move);
    struct call_answer answer;
    bool refused = calls_ask(game, CALL_LEGAL, &play, &answer) && !answer.allowed;
    if (why && refused) memcpy(why, answer.why, CALL_WHY_MAX);
    return !refused;
}

bool calls_allow_each(struct calls *calls, const struct game *game, const struct plays *plays,
                      struct calls_fuel *fuel, bool *allowed, struct fault *fault) {
    for (size_t i = 0; i < plays->count; i++) {
        struct call_answer answer;
        if (!call_within(calls, CALL_LEGAL, game, &plays->play[i], fuel, &answer, fault))
            return false;
        allowed[i] = answer.allowed;
    }
    return true;
}

size_t calls_allow_all(const struct game *game, struct move *moves, size_t count) {
    struct calls *calls = game->calls;
    size_t left = 0;
    for (size_t at = 0; at < count;) {
        struct plays plays = {.count = count - at};
        bool allowed[CALLS_ALLOW_MAX];
        struct calls_fuel fuel = fuel_at_hand();
        struct fault fault = {0};
        if (plays.count > CALLS_ALLOW_MAX) plays.count = CALLS_ALLOW_MAX;
        for (size_t i = 0; i < plays.count; i++) plays.play[i] = calls_play(game, moves[at + i]);
        if (!(calls->allow ? calls->allow : calls_allow_each)(calls, game, &plays, &fuel, allowed,
                                                              &fault)) {
            calls_keep(game, &fault);
            memset(allowed, true, sizeof allowed);
        }
        calls_pay(&fuel);
        for (size_t i = 0; i < plays.count; i++, at++)
            if (allowed[i]) moves[left++] = moves[at];
    }
    return left;
}

enum outcome calls_battle(const struct game *game, struct move move) {
    struct play play = calls_play(game, move);
    struct call_answer answer;
    return calls_ask(game, CALL_BATTLE, &play, &answer) ? answer.outcome : BOTH_FALL;
}

enum result calls_ending(const struct game *game) {
    struct call_answer answer;
    if (!calls_want(game, CALL_ENDING) || !calls_ask(game, CALL_ENDING, NULL, &answer))
        return RESULT_NONE;
    return answer.result;
}

void calls_ending_words(const struct game *game, struct ending_words *words) {
    struct call_answer answer;
    words->text[0] = 0;
    words->count = 0;
    if (game->reason == REASON_VARIANT && calls_want(game, CALL_ENDING) &&
        calls_ask(game, CALL_ENDING, NULL, &answer) && answer.result == (enum result)game->result)
        *words = answer.words;
}

/* The effects of an answer being carried out. */
struct doing {
    struct game *game;
    enum call call;
    struct turn *turn;
    struct events *events;
    squareset revealed, concealed; /* by this answer */
};

/* Keeps a fault about an effect. */
__attribute__((format(printf, 3, 4))) static bool effect_refuse(const struct doing *doing,
                                                                const char *effect,
                                                                const char *format, ...) {
    char why[FAULT_TEXT_MAX / 2], what[FAULT_TEXT_MAX];
    va_list args;
    va_start(args, format);
    vsnprintf(why, sizeof why, format, args);
    va_end(args);
    snprintf(what, sizeof what, "returned an effect that cannot be: %s: %s", effect, why);
    calls_blame(doing->game, doing->call, what);
    return false;
}

static const struct board *board_of(const struct doing *doing) {
    return &doing->game->rules->board;
}

/* "red's miner". */
static const char *piece_text(const struct doing *doing, cell piece, char out[WORD_MAX + 8]) {
    snprintf(out, WORD_MAX + 8, "%s's %s", side_name(cell_side(piece)),
             doing->game->rules->kind[cell_kind(piece)].name);
    return out;
}

static void effect_tell(const struct doing *doing, enum event_type type, enum side side,
                        square from, square to, kind_id kind) {
    struct events *events = doing->events;
    if (events && events->count < EVENTS_MAX)
        events->list[events->count++] = (struct event){
            .type = (uint8_t)type, .side = (uint8_t)side, .from = from, .to = to, .kind = kind};
}

/* Writes a square; the repetition rules treat its piece as a different one from now on. */
static bool effect_change(const struct doing *doing, const char *effect, square at, cell now) {
    if (!game_change(doing->game, at, now))
        return effect_refuse(doing, effect, "the effects of one turn change more than %d squares",
                             CHANGES_MAX);
    doing->turn->touched |= squareset_of(at);
    return true;
}

static bool on_land(const struct doing *doing, square at) {
    const struct board *board = board_of(doing);
    return at < board->squares && squareset_has(board->land, at);
}

static bool check_piece(const struct doing *doing, const char *effect, square at) {
    char where[SQUARE_TEXT_MAX];
    if (!on_land(doing, at)) return effect_refuse(doing, effect, "no square of the board");
    if (doing->game->at[at]) return true;
    return effect_refuse(doing, effect, "nothing stands on %s",
                         square_text(board_of(doing), at, where));
}

static bool do_remove(const struct doing *doing, square at) {
    if (!check_piece(doing, "remove", at)) return false;
    const cell piece = doing->game->at[at];
    if (doing->game->rules->kind[cell_kind(piece)].flag)
        doing->turn->flags_fallen |= (uint8_t)(1 << cell_side(piece));
    effect_tell(doing, EVENT_REMOVE, cell_side(piece), at, SQUARE_NONE, cell_kind(piece));
    marks_clear(&doing->game->marks, at);
    return effect_change(doing, "remove", at, CELL_EMPTY);
}

static bool do_turn_up(struct doing *doing, square at, bool up) {
    const char *effect = up ? "reveal" : "conceal";
    char where[SQUARE_TEXT_MAX], whose[WORD_MAX + 8];
    if (!check_piece(doing, effect, at)) return false;
    const cell piece = doing->game->at[at];
    *(up ? &doing->revealed : &doing->concealed) |= squareset_of(at);
    if (squareset_has(doing->revealed & doing->concealed, at))
        return effect_refuse(doing, effect, "%s on %s is revealed and concealed at once",
                             piece_text(doing, piece, whose),
                             square_text(board_of(doing), at, where));
    effect_tell(doing, up ? EVENT_REVEAL : EVENT_CONCEAL, cell_side(piece), at, SQUARE_NONE,
                up ? cell_kind(piece) : KIND_NONE);
    return true;
}

static bool do_place(const struct doing *doing, const struct deed *deed) {
    struct game *game = doing->game;
    enum side side = (enum side)deed->side;
    cell piece = (cell)(cell_of(side, deed->kind) | CELL_RETURNED);
    char where[SQUARE_TEXT_MAX], whose[WORD_MAX + 8], taken[WORD_MAX + 8];
    if (!on_land(doing, deed->at))
        return effect_refuse(doing, "place", "no square of the board, or a lake");
    if (game->at[deed->at])
        return effect_refuse(doing, "place", "%s cannot stand on %s, where %s stands",
                             piece_text(doing, piece, whose),
                             square_text(board_of(doing), deed->at, where),
                             piece_text(doing, game->at[deed->at], taken));
    if (game->rules->fallen_hidden)
        return effect_refuse(doing, "place", "%s cannot return where `fallen` is \"hidden\"",
                             piece_text(doing, piece, whose));
    if (!game_returnable(game, side, deed->kind))
        return effect_refuse(doing, "place", "%s has not fallen, or has returned once before",
                             piece_text(doing, piece, whose));
    if (!effect_change(doing, "place", deed->at, piece)) return false;
    struct ply *ply = &game->plies[game->ply_count - 1];
    ply->placed |= UINT32_C(1) << (ply->changes - 1);
    game->placed[side][deed->kind]++;
    effect_tell(doing, EVENT_PLACE, side, SQUARE_NONE, deed->at, deed->kind);
    return true;
}

static bool do_swap(const struct doing *doing, square at, square to) {
    struct game *game = doing->game;
    char where[SQUARE_TEXT_MAX], whither[SQUARE_TEXT_MAX];
    if (!on_land(doing, at) || !on_land(doing, to))
        return effect_refuse(doing, "swap", "no square of the board, or a lake");
    cell here = game->at[at], there = game->at[to];
    if (at == to || (!here && !there))
        return effect_refuse(doing, "swap", "nothing to exchange between %s and %s",
                             square_text(board_of(doing), at, where),
                             square_text(board_of(doing), to, whither));
    marks_swap(&game->marks, at, to);
    effect_tell(doing, EVENT_SWAP, cell_side(here ? here : there), at, to, KIND_NONE);
    return effect_change(doing, "swap", at, there) && effect_change(doing, "swap", to, here);
}

static bool do_end(const struct doing *doing, enum result result) {
    if (doing->turn->decided != RESULT_NONE && doing->turn->decided != result)
        return effect_refuse(doing, result == RESULT_DRAW ? "draw" : "win",
                             "the game ends in two ways at once");
    doing->turn->decided = (uint8_t)result;
    return true;
}

static bool carry_out(struct doing *doing, const struct deed *deed) {
    if (++doing->turn->deeds > DEEDS_MAX)
        return effect_refuse(doing, "too many", "more than %d effects in one turn", DEEDS_MAX);
    switch ((enum deed_type)deed->type) {
    case DEED_REMOVE:
        return do_remove(doing, deed->at);
    case DEED_REVEAL:
        return do_turn_up(doing, deed->at, true);
    case DEED_CONCEAL:
        return do_turn_up(doing, deed->at, false);
    case DEED_PLACE:
        return do_place(doing, deed);
    case DEED_SWAP:
        return do_swap(doing, deed->at, deed->to);
    case DEED_COUNT:
        game_count(doing->game, (enum side)deed->side, deed->counting, doing->events);
        return true;
    case DEED_WIN:
        return do_end(doing, result_win((enum side)deed->side));
    case DEED_DRAW:
        return do_end(doing, RESULT_DRAW);
    }
    return true;
}

void calls_effects(struct game *game, enum call call, const struct play *play, struct turn *turn,
                   struct events *events) {
    struct doing doing = {.game = game, .call = call, .turn = turn, .events = events};
    struct call_answer answer;
    if (!calls_want(game, call) || !calls_ask(game, call, play, &answer)) return;
    for (int i = 0; i < answer.count; i++)
        if (!carry_out(&doing, &answer.deed[i])) return;
}
