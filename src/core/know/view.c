/* view.c - follows events and keeps one side's conclusions from them.
 *
 * No game is read here: set-ups and squares go in at the start, events afterwards. A piece's
 * possible kinds are narrowed by its moves and by abilities used on it; counting is left to
 * view_may_be(), since it depends on all pieces. */
#include "view.h"

#include "core/play/calls.h"
#include "core/play/ending.h"

#include <string.h>

static kindset army_kinds(const struct view *view, unsigned side) {
    kindset kinds = 0;
    for (kind_id kind = 1; kind <= view->rules->kinds; kind++)
        if (view->start[side][kind]) kinds |= kindset_of(kind);
    return kinds;
}

/* The next piece of the list, which has room for all that can be seen. Knowledge that somebody has
 * made up (a game that was read) may fill it: then its last piece is forgotten. */
static struct view_piece *piece_next(struct view *view) {
    enum { LAST = 2 * BOARD_SQUARES_MAX - 1 };
    if (view->count > LAST) view->count = LAST;
    return &view->piece[view->count++];
}

static void piece_add(struct view *view, enum side side, square at, kind_id kind, kindset laid) {
    struct view_piece *piece = piece_next(view);
    *piece = (struct view_piece){
        .side = (uint8_t)side, .at = at, .start = at, .kind = kind, .laid = laid, .open = laid};
    piece->may_be = kind ? kindset_of(kind) : laid;
    if (view->rules->open) {
        piece->open = piece->may_be;
        piece->shown = true;
    }
    view->number[at] = (uint16_t)(view->count - 1);
}

/* The kinds of a piece of the first position, whose side's pieces stand on `pieces`. */
static kindset kinds_laid(const struct view *view, enum side side, square at, squareset pieces) {
    const kindset army = army_kinds(view, side);
    const bool bound = view->rules->start[side].bound != 0;
    if (!bound || !setup_stands(view->rules, side, pieces)) return army;
    return army & setup_kinds(view->rules, side, at);
}

/* An enemy piece somewhere out of sight. */
static void piece_add_unseen(struct view *view, enum side side) {
    *piece_next(view) = (struct view_piece){.side = (uint8_t)side,
                                            .at = SQUARE_NONE,
                                            .start = SQUARE_NONE,
                                            .laid = army_kinds(view, side),
                                            .may_be = army_kinds(view, side),
                                            .open = army_kinds(view, side),
                                            .unseen = true};
}

void view_start(struct view *view, const struct rules *rules, enum side side, const cell *own,
                squareset enemy, const uint8_t *enemy_start, enum side first,
                struct limits limits) {
    memset(view, 0, sizeof *view);
    view->rules = rules;
    view->side = (uint8_t)side;
    view->to_move = (uint8_t)first;
    view->limits = limits;
    view->counters = counters_start(rules);
    memcpy(view->start[side_other(side)], enemy_start, sizeof view->start[0]);
    for (int at = 0; at < BOARD_SQUARES_MAX; at++) view->number[at] = VIEW_EMPTY;
    const enum side other = side_other(side);
    squareset pieces = 0;
    for (square at = 0; at < rules->board.squares; at++) { /* each is added with the whole army */
        if (!own[at] || cell_side(own[at]) != side) continue;
        view->start[side][cell_kind(own[at])]++;
        pieces |= squareset_of(at);
    }
    for (square at = 0; at < rules->board.squares; at++)
        if (squareset_has(pieces, at))
            piece_add(view, side, at, cell_kind(own[at]), kinds_laid(view, side, at, pieces));
        else if (squareset_has(enemy, at))
            piece_add(view, other, at, rules->open ? cell_kind(own[at]) : KIND_NONE,
                      kinds_laid(view, other, at, enemy));
    int hidden = rules->sight ? -squareset_count(enemy) : 0;
    for (kind_id kind = 1; rules->sight && kind <= rules->kinds; kind++)
        hidden += enemy_start[kind];
    while (hidden-- > 0) piece_add_unseen(view, side_other(side));
}

static struct view_piece *piece_on(struct view *view, square at) {
    return &view->piece[view->number[at]];
}

/* Any piece out of sight: they cannot be told apart. */
static uint16_t number_unseen(struct view *view) {
    int number = 0;
    while (number < view->count && !view->piece[number].unseen) number++;
    if (number == view->count) {
        piece_add_unseen(view, side_other((enum side)view->side));
        number = view->count - 1;
    }
    view->piece[number].unseen = false;
    return (uint16_t)number;
}

static struct view_piece *piece_appears(struct view *view, square at) {
    view->number[at] = number_unseen(view);
    struct view_piece *piece = piece_on(view, at);
    piece->at = piece->start = at;
    return piece;
}

/* An enemy piece goes out of sight. It can no longer be told from the others there, so everything
 * known about it is dropped. */
static void piece_vanishes(struct view *view, square at) {
    struct view_piece *piece = piece_on(view, at);
    *piece = (struct view_piece){.side = piece->side,
                                 .at = SQUARE_NONE,
                                 .start = SQUARE_NONE,
                                 .laid = army_kinds(view, piece->side),
                                 .may_be = army_kinds(view, piece->side),
                                 .open = army_kinds(view, piece->side),
                                 .unseen = true};
    view->number[at] = VIEW_EMPTY;
    marks_clear(&view->marks, at);
}

/* A piece that fights or uses an ability is visible while it does. */
static void piece_shows_up(struct view *view, square at) {
    if (view->rules->sight && view->number[at] == VIEW_EMPTY) piece_appears(view, at);
}

squareset view_sight(const struct rules *rules, enum side side, const cell *at) {
    if (!rules->sight) return rules->board.land;
    squareset seen = 0;
    for (square from = 0; from < rules->board.squares; from++) {
        if (!at[from] || cell_side(at[from]) != side) continue;
        seen |= squareset_of(from) | rules->sight->from[side][cell_kind(at[from])][from];
    }
    return seen;
}

squareset view_sees(const struct view *view) {
    cell own[BOARD_SQUARES_MAX] = {0};
    for (int i = 0; i < view->count; i++) {
        const struct view_piece *piece = &view->piece[i];
        if (piece->side == view->side && piece->at != SQUARE_NONE)
            own[piece->at] = cell_of((enum side)piece->side, piece->kind);
    }
    return view_sight(view->rules, (enum side)view->side, own);
}

bool view_enters_enemy(const struct view *view, struct move move) {
    const uint16_t number = view->number[move.to];
    return move.to != move.from && number != VIEW_EMPTY && view->piece[number].side != view->side;
}

int view_fallen_unknown(const struct view *view, enum side side) {
    int unknown = 0;
    for (int i = 0; view->rules->fallen_hidden && i < view->count; i++)
        unknown += view->piece[i].side == side && view_piece_fallen(&view->piece[i]) &&
                   view->piece[i].kind == KIND_NONE;
    return unknown;
}

int view_fallen(const struct view *view, enum side side) {
    int fallen = view_fallen_unknown(view, side);
    for (kind_id kind = 1; kind <= view->rules->kinds; kind++) fallen += view->captured[side][kind];
    return fallen;
}

static squareset occupied(const struct view *view) {
    squareset set = 0;
    for (square at = 0; at < view->rules->board.squares; at++)
        if (view->number[at] != VIEW_EMPTY) set |= squareset_of(at);
    return set;
}

static bool is_one(kindset kinds) {
    return kinds && !(kinds & (kinds - 1));
}

/* `at` is SQUARE_NONE for a piece that falls out of sight, `kind` KIND_NONE for one whose kind is
 * not told. */
static void piece_falls(struct view *view, square at, kind_id kind) {
    uint16_t number = at == SQUARE_NONE ? number_unseen(view) : view->number[at];
    struct view_piece *piece = &view->piece[number];
    piece->at = SQUARE_NONE;
    if (kind == KIND_NONE) kind = piece->kind;
    if (kind == KIND_NONE && is_one(piece->may_be)) kind = (kind_id)__builtin_ctz(piece->may_be);
    if (kind != KIND_NONE) {
        piece->kind = kind;
        piece->may_be = kindset_of(kind);
        view->captured[piece->side][kind]++;
    }
    const bool told = !view->rules->fallen_hidden || is_one(piece->open);
    piece->shown |= told || (piece->side != view->side && kind != KIND_NONE);
    if (at == SQUARE_NONE) return;
    view->number[at] = VIEW_EMPTY;
    marks_clear(&view->marks, at);
}

/* Narrows the kinds of a piece to those that can walk this way. */
static void piece_walks(struct view *view, square from, square to) {
    const struct rules *rules = view->rules;
    struct view_piece *piece = piece_on(view, from);
    if (piece->open & (piece->open - 1)) { /* otherwise the way tells nothing new */
        kindset walkers = rules->mobile;
        if (!rules->same_walk)
            walkers = rules_walkers(rules, (enum side)piece->side, occupied(view), from, to);
        piece->open &= walkers;
        piece->may_be &= walkers;
    }
    piece->moved = true;
    if (piece->moves < UINT16_MAX) piece->moves++;
}

static void piece_goes(struct view *view, square from, square to) {
    marks_swap(&view->marks, from, to);
    view->number[to] = view->number[from];
    view->number[from] = VIEW_EMPTY;
    piece_on(view, to)->at = to;
}

static void follow_move(struct view *view, const struct event *event) {
    if (event->from != SQUARE_NONE && event->to != SQUARE_NONE) {
        piece_walks(view, event->from, event->to);
        piece_goes(view, event->from, event->to);
    } else if (event->from != SQUARE_NONE) {
        piece_vanishes(view, event->from);
    } else if (event->to != SQUARE_NONE) {
        struct view_piece *piece = piece_appears(view, event->to);
        piece->may_be &= view->rules->mobile;
        piece->open &= view->rules->mobile;
        piece->moved = true;
        piece->moves = 1;
    }
}

kindset view_silent_winners(const struct rules *rules, const struct event *event) {
    bool attacker = event->outcome == ATTACKER_WINS;
    kindset winners = 0;
    for (kind_id kind = 1; kind <= rules->kinds; kind++) {
        kind_id from = attacker ? kind : event->kind, to = attacker ? event->other : kind;
        enum outcome outcome =
            rules_outcome_on(rules, (enum side)event->side, event->from, event->to, from, to);
        if ((outcome == (enum outcome)event->outcome || outcome == ASK_THE_VARIANT) &&
            rules->after_battle[from][to] == AFTER_BATTLE_SILENT)
            winners |= kindset_of(kind);
    }
    if (attacker && rules->stayers) winners &= event->stays ? rules->stayers : ~rules->stayers;
    return winners;
}

static void narrow_winner(struct view *view, const struct event *event) {
    const kindset winners = view_silent_winners(view->rules, event);
    struct view_piece *winner =
        piece_on(view, event->outcome == ATTACKER_WINS ? event->from : event->to);
    winner->open &= winners;
    winner->may_be &= winners;
}

/* The kinds of which both sides know a piece that stands, on another square than `but`. */
static kindset kinds_in_the_open(const struct view *view, enum side side, square but) {
    kindset kinds = 0;
    for (int i = 0; i < view->count; i++) {
        const struct view_piece *piece = &view->piece[i];
        if (piece->side == side && piece->at != SQUARE_NONE && piece->at != but && piece->shown &&
            !piece->secret)
            kinds |= kindset_of(piece->kind);
    }
    return kinds;
}

/* The kinds that a piece of a side may have been which fell on `at`, by what else happened in the
 * turn: while the game goes on it was no flag, and what its fall shows has been shown. */
static kindset fallen_kinds(const struct view *view, const struct events *events, enum side side,
                            square at) {
    const struct rules *rules = view->rules;
    const struct calls *calls = rules->calls;
    bool by_falls = !(calls && (calls->declared & CALLS_EFFECTS)); /* what is shown is so */
    int falls = 0;
    kindset shown = 0, kinds = army_kinds(view, side);
    for (int i = 0; i < events->count; i++) {
        struct event event = events->list[i];
        if (event.type == EVENT_END) return kinds;
        falls += event_fallen(&event, side) != NULL;
        if (event.type == EVENT_REVEAL && event.side == side) shown |= kindset_of(event.kind);
        by_falls &= event.type != EVENT_ABILITY;
    }
    const kindset standing = (kinds & rules->flags) | kinds_in_the_open(view, side, at);
    kinds &= ~rules->flags;
    for (kind_id kind = 1; rules->falls_show && falls == 1 && kind <= rules->kinds; kind++) {
        const kindset shows = rules->fall_shows[kind];
        if ((!rules->sight && (shows & standing & ~shown)) || (by_falls && (shown & ~shows)))
            kinds &= ~kindset_of(kind);
    }
    return kinds;
}

/* Where the fallen stay hidden: both pieces are of kinds that go with such a battle. What a side
 * knows comes first, then what is known to all. */
static void narrow_both(struct view *view, const struct events *events, const struct event *event) {
    const struct rules *rules = view->rules;
    struct view_piece *piece[2] = {piece_on(view, event->from), piece_on(view, event->to)};
    const kind_id told[2] = {event->kind, event->other};
    const bool stands[2] = {event->outcome == ATTACKER_WINS, event->outcome == DEFENDER_WINS};
    const bool silent = (stands[0] && !told[0]) || (stands[1] && !told[1]);
    for (int open = 0; open <= 1; open++) {
        kindset kinds[2], fitting[2] = {0, 0};
        for (int i = 0; i < 2; i++) {
            kinds[i] = open             ? piece[i]->open
                       : piece[i]->kind ? kindset_of(piece[i]->kind)
                                        : piece[i]->may_be;
            if (!stands[i])
                kinds[i] &= fallen_kinds(view, events, (enum side)piece[i]->side, piece[i]->at);
            else if (told[i])
                kinds[i] = kindset_of(told[i]);
        }
        if (stands[0]) kinds[0] &= event->stays ? rules->stayers : ~rules->stayers;
        for (kindset left = kinds[0]; left; left &= left - 1)
            for (kindset right = kinds[1]; right; right &= right - 1) {
                const int a = __builtin_ctz(left), d = __builtin_ctz(right);
                const enum outcome outcome = rules_outcome_on(
                    rules, (enum side)event->side, event->from, event->to, (kind_id)a, (kind_id)d);
                if (outcome != (enum outcome)event->outcome && outcome != ASK_THE_VARIANT) continue;
                if (silent && rules->after_battle[a][d] != AFTER_BATTLE_SILENT) continue;
                fitting[0] |= kindset_of((kind_id)a);
                fitting[1] |= kindset_of((kind_id)d);
            }
        for (int i = 0; i < 2; i++) {
            if (stands[i] && told[i]) continue;
            if (open)
                piece[i]->open = fitting[i];
            else if (piece[i]->kind == KIND_NONE)
                piece[i]->may_be = fitting[i];
        }
    }
}

static void follow_battle(struct view *view, const struct events *events, int at) {
    const struct event *event = &events->list[at];
    piece_shows_up(view, event->from);
    piece_shows_up(view, event->to);
    piece_walks(view, event->from, event->to);
    if (view->rules->fallen_hidden)
        narrow_both(view, events, event);
    else if (event->outcome != BOTH_FALL && (event->kind == KIND_NONE || event->other == KIND_NONE))
        narrow_winner(view, event);
    if (event->outcome != DEFENDER_WINS) piece_falls(view, event->to, event->other);
    if (event->outcome != ATTACKER_WINS)
        piece_falls(view, event->from, event->kind);
    else if (!event->stays)
        piece_goes(view, event->from, event->to);
}

static void follow_removal(struct view *view, const struct events *events, int at) {
    const struct event *event = &events->list[at];
    if (event->from != SQUARE_NONE) piece_shows_up(view, event->from);
    if (view->rules->fallen_hidden && event->from != SQUARE_NONE) {
        const kindset kinds = fallen_kinds(view, events, (enum side)event->side, event->from);
        struct view_piece *piece = piece_on(view, event->from);
        piece->open &= kinds;
        if (piece->kind == KIND_NONE) piece->may_be &= kinds;
    }
    piece_falls(view, event->from, event->kind);
}

/* Is the next event that a piece is held? */
static bool told_held(const struct events *events, int *at, square from, unsigned turns) {
    if (++*at == events->count) return false;
    const struct event *told = &events->list[*at];
    return told->type == EVENT_HOLD && told->from == from && told->turns == turns;
}

/* May it be told because another piece has fallen? */
static bool is_shown_by_fall(const struct rules *rules, const struct event *event) {
    kindset shown = 0;
    for (kind_id kind = 1; rules->falls_show && kind <= rules->kinds; kind++)
        shown |= rules->fall_shows[kind];
    return event->type == EVENT_REVEAL && (shown >> event->kind & 1);
}

/* Is the next event that a counter changes like this? */
static bool told_count(const struct events *events, int *at, enum side user,
                       struct counting counting) {
    if (++*at == events->count) return false;
    const struct event *told = &events->list[*at];
    enum side side = counting.how & COUNTING_ENEMY ? side_other(user) : user;
    return told->type == EVENT_COUNT && told->side == side &&
           told->counter == counting.counter - 1 && told->by == counting.by &&
           told->sets == (counting.how & COUNTING_SETS);
}

/* Would a use with these effects have produced the events that follow the use at index `at`? They
 * come in the order of turn.c; events of calls come after them. */
static bool events_match(const struct rules *rules, const struct events *events, int at,
                         const struct ability *ability, kind_id kind) {
    const struct event *use = &events->list[at];
    const unsigned effects = ability->effects[kind][use->kind], held = effect_hold(effects);
    const bool swap = effects & EFFECT_SWAP;
    const struct {
        unsigned effect;
        enum event_type type;
        square from;
    } order[] = {
        {EFFECT_LEARN, EVENT_LEARN, use->to},
        {EFFECT_REVEAL_ACTOR, EVENT_REVEAL, use->from},
        {EFFECT_REVEAL_TARGET, EVENT_REVEAL, use->to},
        {EFFECT_CONCEAL_ACTOR, EVENT_CONCEAL, use->from},
        {EFFECT_CONCEAL_TARGET, EVENT_CONCEAL, use->to},
        {EFFECT_REMOVE_TARGET, EVENT_REMOVE, use->to},
        {EFFECT_REMOVE_ACTOR, EVENT_REMOVE, use->from},
        {EFFECT_SWAP, EVENT_SWAP, use->from},
    };
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        if (!(effects & order[i].effect)) continue;
        if (++at == events->count) return false;
        const struct event *told = &events->list[at];
        if (told->type != order[i].type || told->from != order[i].from) return false;
        if (told->type == EVENT_LEARN && told->kinds &&
            told->kinds != ability->learn[kind][use->kind])
            return false;
    }
    if (ability->rest && !(effects & EFFECT_REMOVE_ACTOR) &&
        !told_held(events, &at, swap ? use->to : use->from, ability->rest))
        return false;
    if (held && !(effects & EFFECT_REMOVE_TARGET) &&
        !told_held(events, &at, swap ? use->from : use->to, held))
        return false;
    const struct counting *counting = &ability->counts[kind][use->kind];
    if (counting->counter && !told_count(events, &at, (enum side)use->side, *counting))
        return false;
    const struct calls *calls = rules->calls;
    do at++;
    while (at < events->count && is_shown_by_fall(rules, &events->list[at]));
    return at == events->count || events->list[at].type == EVENT_END ||
           (calls && (calls->declared & CALLS_EFFECTS));
}

kindset view_targets(const struct rules *rules, const struct events *events, int at) {
    const struct event *use = &events->list[at];
    kindset fits = 0;
    for (unsigned left = rules_sharing(rules, use->tally); left; left &= left - 1) {
        const struct ability *ability = &rules->ability[__builtin_ctz(left)];
        for (kind_id kind = 1; kind <= rules->kinds; kind++)
            if (events_match(rules, events, at, ability, kind)) fits |= kindset_of(kind);
    }
    return fits;
}

/* Does one side not know the kind? */
static bool piece_is_hidden(const struct view *view, const struct view_piece *piece) {
    return piece->side == view->side ? !piece->shown : piece->kind == KIND_NONE;
}

/* A use of an ability rules out the target's kinds for which the events would have differed. */
static void narrow_target(struct view *view, const struct events *events, int at) {
    const struct rules *rules = view->rules;
    const struct event *use = &events->list[at];
    if (view->number[use->to] == VIEW_EMPTY) return;
    struct view_piece *target = piece_on(view, use->to);
    if (piece_is_hidden(view, target))
        target->refuted |= rules->army & ~view_targets(rules, events, at);
}

static void follow_ability(struct view *view, const struct events *events, int at) {
    const struct event *event = &events->list[at];
    piece_shows_up(view, event->from);
    struct view_piece *user = piece_on(view, event->from);
    user->may_be &= rules_users(view->rules, event->tally);
    user->open &= rules_users(view->rules, event->tally);
    view->uses[event->side][event->tally.n]++;
    if (view->rules->ability[rules_first_sharing(view->rules, event->tally)].each) {
        unsigned spent = mark_count_at(&view->marks.spent, event->from);
        mark_count_set(&view->marks.spent, event->from, spent < MARK_MAX ? spent + 1 : MARK_MAX);
    }
    narrow_target(view, events, at);
}

static void follow_reveal(struct view *view, const struct event *event) {
    piece_shows_up(view, event->from);
    struct view_piece *piece = piece_on(view, event->from);
    piece->kind = event->kind;
    piece->may_be = piece->open = kindset_of(event->kind);
    piece->shown = true;
    piece->secret = false;
}

/* Would every ability that shares the tally tell this kind, if it were the target's? */
static bool tells_kind(const struct rules *rules, const struct event *use, kind_id kind) {
    for (unsigned left = rules_sharing(rules, use->tally); left; left &= left - 1) {
        const struct ability *ability = &rules->ability[__builtin_ctz(left)];
        if (!(ability->effects[kind][use->kind] & EFFECT_LEARN) ||
            ability->learn[kind][use->kind] != kindset_of(kind))
            return false;
    }
    return true;
}

/* The use of an ability comes right before what it tells. The owner of a piece can work out when
 * the other side has learned its kind. */
static void follow_learn(struct view *view, const struct events *events, int at) {
    const struct event *event = &events->list[at], *use = &events->list[at - 1];
    piece_shows_up(view, event->from);
    struct view_piece *piece = piece_on(view, event->from);
    if (piece->side == view->side) {
        bool told =
            event->side != view->side && !piece->shown && tells_kind(view->rules, use, piece->kind);
        piece->shown |= told;
        piece->secret |= told;
        return;
    }
    if (piece->kind != KIND_NONE || !event->kinds) return;
    piece->may_be &= event->kinds;
    if (event->kinds & (event->kinds - 1)) return;
    piece->kind = (kind_id)__builtin_ctz(event->kinds);
    piece->shown = piece->secret = true;
}

static void follow_conceal(struct view *view, const struct event *event) {
    if (view->rules->open) return;
    piece_shows_up(view, event->from);
    struct view_piece *piece = piece_on(view, event->from);
    piece->shown = piece->secret = false;
    piece->refuted = 0;
    piece->open = piece->laid;
    if (piece->moved) piece->open &= view->rules->mobile;
    if (piece->side == view->side) return;
    piece->kind = KIND_NONE;
    piece->may_be = piece->open;
}

static void follow_swap(struct view *view, const struct event *event) {
    if (event->from == SQUARE_NONE || event->to == SQUARE_NONE) {
        /* look_around() sees the piece that stands there now. */
        square seen = event->from == SQUARE_NONE ? event->to : event->from;
        if (view->number[seen] != VIEW_EMPTY) piece_vanishes(view, seen);
        return;
    }
    uint16_t first = view->number[event->from], second = view->number[event->to];
    view->number[event->from] = second;
    view->number[event->to] = first;
    marks_swap(&view->marks, event->from, event->to);
    if (first != VIEW_EMPTY) view->piece[first].at = event->to;
    if (second != VIEW_EMPTY) view->piece[second].at = event->from;
}

static void follow_place(struct view *view, const struct event *event) {
    bool own = event->side == view->side;
    view->captured[event->side][event->kind]--;
    if (event->to == SQUARE_NONE)
        piece_add_unseen(view, (enum side)event->side);
    else
        piece_add(view, (enum side)event->side, event->to,
                  own || view->rules->open ? event->kind : KIND_NONE,
                  army_kinds(view, event->side));
}

/* After a turn: pieces that have come into sight or gone out of it. */
static void look_around(struct view *view, squareset seen) {
    for (square at = 0; at < view->rules->board.squares; at++) {
        bool known = view->number[at] != VIEW_EMPTY && piece_on(view, at)->side != view->side;
        if (known && !squareset_has(seen, at)) piece_vanishes(view, at);
    }
    for (; seen;) {
        square at = squareset_pop(&seen);
        if (view->number[at] == VIEW_EMPTY) piece_appears(view, at);
    }
}

/* Appends a plain move to the recent ones; any other turn clears them. */
static void recent_note(struct view *view, const struct events *events) {
    struct move move = {SQUARE_NONE, SQUARE_NONE, SQUARE_NONE, ABILITY_NONE, KIND_NONE};
    bool plain = true;
    for (int i = 0; i < events->count; i++) {
        const struct event *event = &events->list[i];
        if (event->type == EVENT_MOVE) {
            move.from = event->from;
            move.to = event->to;
        }
        plain = plain && (event->type == EVENT_MOVE || event->type == EVENT_REVEAL ||
                          event->type == EVENT_CONCEAL || event->type == EVENT_END);
    }
    if (!plain || move.from == SQUARE_NONE || move.to == SQUARE_NONE) {
        view->recent_count = 0;
        return;
    }
    if (view->recent_count == VIEW_RECENT) {
        memmove(view->recent, view->recent + 1, (VIEW_RECENT - 1) * sizeof *view->recent);
        view->recent_count--;
    }
    view->recent[view->recent_count++] = move;
}

/* Of the pieces of the other side next to a square that both sides know and that can move, the kind
 * of the highest rank. */
static kind_id known_beside(const struct view *view, square at, unsigned side) {
    const struct rules *rules = view->rules;
    kind_id highest = KIND_NONE;
    for (squareset around = rules->board.neighbours[at]; around;) {
        uint16_t number = view->number[squareset_pop(&around)];
        if (number == VIEW_EMPTY) continue;
        const struct view_piece *piece = &view->piece[number];
        if (piece->side == side || !piece->shown || piece->secret) continue;
        if (!(rules->mobile & kindset_of(piece->kind))) continue;
        if (!highest || rules->kind[piece->kind].rank > rules->kind[highest].rank)
            highest = piece->kind;
    }
    return highest;
}

static void keep_higher(const struct rules *rules, kind_id *kept, kind_id kind) {
    if (kind && (!*kept || rules->kind[kind].rank > rules->kind[*kept].rank)) *kept = kind;
}

/* A hidden piece has stepped: away from what it knows, or towards it. */
static void note_step(struct view *view, const struct event *event) {
    if (event->type != EVENT_MOVE || event->from == SQUARE_NONE || event->to == SQUARE_NONE) return;
    struct view_piece *piece = piece_on(view, event->to);
    if (!piece_is_hidden(view, piece)) return;
    keep_higher(view->rules, &piece->fled, known_beside(view, event->from, piece->side));
    keep_higher(view->rules, &piece->dared, known_beside(view, event->to, piece->side));
}

/* The hidden pieces of the side that has moved which stayed beside known ones; it has moved to
 * `stepped`. */
static void note_stood(struct view *view, unsigned side, squareset stepped) {
    squareset near = 0;
    for (int i = 0; i < view->count; i++) {
        const struct view_piece *known = &view->piece[i];
        if (known->side != side && known->at != SQUARE_NONE && known->shown && !known->secret &&
            (view->rules->mobile & kindset_of(known->kind)))
            near |= view->rules->board.neighbours[known->at];
    }
    for (near &= ~stepped; near;) {
        square at = squareset_pop(&near);
        if (view->number[at] == VIEW_EMPTY) continue;
        struct view_piece *piece = piece_on(view, at);
        if (piece->side == side && piece_is_hidden(view, piece) && piece->stood < UINT8_MAX)
            piece->stood++;
    }
}

static squareset squares_of_side(const struct view *view, unsigned side) {
    squareset own = 0;
    for (int i = 0; i < view->count; i++)
        if (view->piece[i].side == side && view->piece[i].at != SQUARE_NONE)
            own |= squareset_of(view->piece[i].at);
    return own;
}

/* The game goes on: what stands where a goal ends it is of none of that goal's kinds. */
static void narrow_at_goals(struct view *view) {
    const struct rules *rules = view->rules;
    for (int i = 0; i < rules->goals; i++)
        for (int side = RED; side <= BLUE; side++) {
            squareset left = ending_goal_squares(&rules->goal[i], (enum side)side,
                                                 (enum side)view->to_move, &view->marks);
            for (; left;) {
                square at = squareset_pop(&left);
                if (view->number[at] == VIEW_EMPTY) continue;
                struct view_piece *piece = piece_on(view, at);
                if (piece->side != side || !piece_is_hidden(view, piece)) continue;
                piece->open &= ~rules->goal[i].kinds;
                if (piece->kind == KIND_NONE) piece->may_be &= ~rules->goal[i].kinds;
            }
        }
}

/* Those of an event that are in sight. */
static squareset squares_of(const struct event *event) {
    squareset from = event->from == SQUARE_NONE ? 0 : squareset_of(event->from);
    return from | (event->to == SQUARE_NONE ? 0 : squareset_of(event->to));
}

void view_turn(struct view *view, const struct events *events) {
    bool attack = false;
    squareset stepped = 0;
    if (view->rules->marks) marks_pass(&view->marks, squares_of_side(view, view->to_move));
    for (int i = 0; i < events->count; i++) {
        const struct event *event = &events->list[i];
        attack |= event_attacks(view->rules, event);
        switch ((enum event_type)event->type) {
        case EVENT_MOVE:
            follow_move(view, event);
            note_step(view, event);
            stepped |= squares_of(event);
            break;
        case EVENT_BATTLE:
            follow_battle(view, events, i);
            stepped |= squares_of(event);
            break;
        case EVENT_ABILITY:
            follow_ability(view, events, i);
            break;
        case EVENT_REMOVE:
            follow_removal(view, events, i);
            break;
        case EVENT_REVEAL:
            follow_reveal(view, event);
            break;
        case EVENT_CONCEAL:
            follow_conceal(view, event);
            break;
        case EVENT_HOLD:
            if (view->number[event->from] != VIEW_EMPTY)
                mark_count_set(&view->marks.held, event->from, event->turns);
            break;
        case EVENT_COUNT:
            *counters_of(&view->counters, view->rules, (enum side)event->side, event->counter) =
                event->now;
            break;
        case EVENT_LEARN:
            follow_learn(view, events, i);
            break;
        case EVENT_SWAP:
            follow_swap(view, event);
            stepped |= squares_of(event);
            break;
        case EVENT_PLACE:
            follow_place(view, event);
            break;
        case EVENT_END:
            view->result = event->result;
            view->reason = event->reason;
            break;
        }
    }
    note_stood(view, view->to_move, stepped);
    if (view->rules->sight) look_around(view, events->seen);
    recent_note(view, events);
    view->plies++;
    view->quiet = attack ? 0 : view->quiet + 1;
    view->to_move = (uint8_t)side_other((enum side)view->to_move);
    if (view->rules->stays) marks_stand(&view->marks, squares_of_side(view, view->to_move));
    if (view->rules->goals && view->result == RESULT_NONE) narrow_at_goals(view);
}

/* The fallen whose kinds one side does not know: which of its own have fallen the imagined enemy
 * counts by what still stands, and of the others it knows what both sides do. */
static void fallen_turned(const struct view *view, const cell *at, struct view *other) {
    if (!view->rules->fallen_hidden) return;
    uint8_t left[KINDS_MAX];
    memcpy(left, view->start[other->side], sizeof left);
    for (square on = 0; on < view->rules->board.squares; on++)
        if (at[on] && cell_side(at[on]) == other->side) left[cell_kind(at[on])]--;
    for (kind_id kind = 1; kind <= view->rules->kinds; kind++)
        left[kind] = (uint8_t)(left[kind] - view->captured[other->side][kind]);
    for (int i = 0; i < view->count; i++) {
        struct view_piece *piece = &other->piece[i];
        if (piece->at != SQUARE_NONE || piece->unseen) continue;
        if (piece->side == other->side && piece->kind == KIND_NONE) {
            kind_id kind = 1;
            while (kind < view->rules->kinds && !left[kind]) kind++;
            left[kind]--;
            other->captured[other->side][kind]++;
            piece->kind = kind;
            piece->may_be = kindset_of(kind);
        } else if (piece->side == view->side && !piece->shown) {
            other->captured[view->side][piece->kind]--;
            piece->kind = KIND_NONE;
            piece->may_be = piece->open;
        }
    }
}

void view_turned(const struct view *view, const cell *at, struct view *other) {
    *other = *view;
    other->side = (uint8_t)side_other((enum side)view->side);
    fallen_turned(view, at, other);
    for (int i = 0; i < view->count; i++) {
        struct view_piece *piece = &other->piece[i];
        if (piece->at == SQUARE_NONE) continue;
        if (piece->side == other->side) {
            piece->shown = piece->kind != KIND_NONE;
            piece->kind = cell_kind(at[piece->at]);
        } else if (!piece->shown) {
            piece->kind = KIND_NONE;
        }
        piece->may_be = piece->kind ? kindset_of(piece->kind) : piece->open;
    }
}
