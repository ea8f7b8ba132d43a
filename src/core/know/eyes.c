/* eyes.c - the events of a turn, cut to what either side may know. RULES 8.
 *
 * Without limits of sight both sides are told the same. With them, a side is told everything of its
 * own pieces and of battles and abilities, since these happen in the open; of the enemy's other
 * moves it learns as much as it sees before and after them. A square that may not be told is
 * SQUARE_NONE in the event. */
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

/* What `side` is told of one event of the other side's; false if nothing. `open` are the squares
 * that it has seen before the turn, sees after it, or that the turn itself gives away. */
static bool tell(struct event *event, squareset before, squareset after, squareset *open) {
    switch ((enum event_type)event->type) {
    case EVENT_MOVE:
        if (!squareset_has(before, event->from)) event->from = SQUARE_NONE;
        if (!squareset_has(after, event->to)) event->to = SQUARE_NONE;
        return true;
    case EVENT_BATTLE:
    case EVENT_ABILITY:
        *open |= squareset_of(event->from) | squareset_of(event->to);
        return true;
    case EVENT_REMOVE: /* what has fallen is public */
        if (!squareset_has(before | *open, event->from)) event->from = SQUARE_NONE;
        return true;
    case EVENT_PLACE: /* and so is what comes back */
        if (!squareset_has(after, event->to)) event->to = SQUARE_NONE;
        return true;
    case EVENT_REVEAL:
    case EVENT_CONCEAL:
        return squareset_has(after | *open, event->from);
    case EVENT_SWAP: /* its own pieces stand on squares that it sees before and after */
        if (!squareset_has(before | after | *open, event->from)) event->from = SQUARE_NONE;
        if (!squareset_has(before | after | *open, event->to)) event->to = SQUARE_NONE;
        return event->from != SQUARE_NONE || event->to != SQUARE_NONE;
    case EVENT_END:
        return true;
    }
    return true;
}

static void cut(const struct events *all, enum side side, squareset before, squareset after,
                struct events *told) {
    squareset open = 0;
    told->count = 0;
    for (int i = 0; i < all->count; i++) {
        struct event event = all->list[i];
        bool own = event.side == side && event.type != EVENT_END;
        if (own && (event.type == EVENT_BATTLE || event.type == EVENT_ABILITY))
            open |= squareset_of(event.from) | squareset_of(event.to);
        if (own || tell(&event, before, after, &open)) told->list[told->count++] = event;
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
            cut(&all, (enum side)side, before[side], after, told);
            told->seen = game->pieces[side_other((enum side)side)] & after;
        } else {
            *told = all;
        }
        view_turn(&eyes->view[side], told);
    }
}
