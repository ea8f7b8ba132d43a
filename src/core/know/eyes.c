/* eyes.c - filters the events of a turn for each side. RULES 8.
 *
 * With unlimited sight both sides get the same events, but for what a piece has learned, and where
 * the rules say so the kinds of the fallen, which are told to their side alone. Otherwise a side
 * gets every event of its own pieces, and every battle and use of an ability, since these happen in
 * the open; of the enemy's other moves it gets only the squares it sees before and after them. A
 * hidden square is SQUARE_NONE in the event. */
#include "eyes.h"

void eyes_open(struct eyes *eyes, const struct game *game) {
    for (int side = RED; side <= BLUE; side++) {
        enum side other = side_other((enum side)side);
        squareset seen = game->pieces[other] & view_sight(game->rules, (enum side)side, game->at);
        view_start(&eyes->view[side], game->rules, (enum side)side, game->at, seen,
                   game->start[other], (enum side)game->to_move, game->limits);
        eyes->told[side].count = 0;
    }
}

/* Cuts one event of the enemy to what a side may know; false if that is nothing. `before` and
 * `after` are the squares it sees before and after the turn, `open` those that the turn itself
 * gives away. */
static bool event_filter(struct event *event, squareset before, squareset after, squareset *open) {
    switch ((enum event_type)event->type) {
    case EVENT_MOVE:
        if (!squareset_has(before, event->from)) event->from = SQUARE_NONE;
        if (!squareset_has(after, event->to)) event->to = SQUARE_NONE;
        return true;
    case EVENT_BATTLE:
    case EVENT_ABILITY:
        *open |= squareset_of(event->from) | squareset_of(event->to);
        return true;
    case EVENT_REMOVE: /* falls are public */
        if (!squareset_has(before | *open, event->from)) event->from = SQUARE_NONE;
        return true;
    case EVENT_PLACE: /* and so are returns */
        if (!squareset_has(after, event->to)) event->to = SQUARE_NONE;
        return true;
    case EVENT_LEARN:
        return squareset_has(before | after | *open, event->from);
    case EVENT_HOLD:
    case EVENT_REVEAL:
    case EVENT_CONCEAL:
        return squareset_has(after | *open, event->from);
    case EVENT_SWAP: /* the side's own squares are in sight before and after */
        if (!squareset_has(before | after | *open, event->from)) event->from = SQUARE_NONE;
        if (!squareset_has(before | after | *open, event->to)) event->to = SQUARE_NONE;
        return event->from != SQUARE_NONE || event->to != SQUARE_NONE;
    case EVENT_COUNT: /* public */
    case EVENT_END:
        return true;
    }
    return true;
}

static void events_filter(const struct events *all, enum side side, squareset before,
                          squareset after, struct events *told) {
    squareset open = 0;
    told->count = 0;
    for (int i = 0; i < all->count; i++) {
        struct event event = all->list[i];
        bool own = event.side == side && event.type != EVENT_END;
        if (own && (event.type == EVENT_BATTLE || event.type == EVENT_ABILITY))
            open |= squareset_of(event.from) | squareset_of(event.to);
        if (own || event_filter(&event, before, after, &open)) told->list[told->count++] = event;
    }
}

/* What the other side has learned is its secret, and what it has lost may be. */
static void events_keep_secret(struct events *told, const struct rules *rules, enum side side) {
    for (int i = 0; i < told->count; i++) {
        struct event *event = &told->list[i];
        if (event->type == EVENT_LEARN && event->side != side) event->kinds = 0;
        kind_id *fallen = rules->fallen_hidden ? event_fallen(event, side_other(side)) : NULL;
        if (fallen) *fallen = KIND_NONE;
    }
}

void eyes_play(struct eyes *eyes, struct game *game, struct move move) {
    const struct rules *rules = game->rules;
    struct events all = {.count = 0};
    squareset before[2], after;
    for (int side = RED; rules->sight && side <= BLUE; side++)
        before[side] = view_sight(rules, (enum side)side, game->at);
    game_play(game, move, &all);
    for (int side = RED; side <= BLUE; side++) {
        struct events *told = &eyes->told[side];
        if (rules->sight) {
            after = view_sight(rules, (enum side)side, game->at);
            events_filter(&all, (enum side)side, before[side], after, told);
            told->seen = game->pieces[side_other((enum side)side)] & after;
        } else {
            *told = all;
        }
        events_keep_secret(told, rules, (enum side)side);
        view_turn(&eyes->view[side], told);
    }
}
