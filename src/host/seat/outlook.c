/* outlook.c - positions and events of an onlooker, from one view or two. */
#include "outlook.h"

#include <string.h>

static const char *const NAMES[] = {"red", "blue", "public", "all"};

const char *onlooker_name(enum onlooker onlooker) {
    return NAMES[onlooker];
}

enum onlooker onlooker_named(const char *name) {
    int i = 0;
    while (i < ONLOOKERS && strcmp(NAMES[i], name) != 0) i++;
    return (enum onlooker)i;
}

struct outlook outlook_of(enum onlooker onlooker, const struct eyes *eyes) {
    struct outlook outlook = {.onlooker = onlooker};
    for (int side = RED; side <= BLUE; side++) {
        if (onlooker <= ONLOOKER_BLUE && (int)onlooker != side) continue;
        outlook.view[side] = &eyes->view[side];
        outlook.told[side] = &eyes->told[side];
    }
    return outlook;
}

struct outlook outlook_of_side(const struct view *view, const struct events *told) {
    struct outlook outlook = {.onlooker = (enum onlooker)view->side};
    outlook.view[view->side] = view;
    outlook.told[view->side] = told;
    return outlook;
}

const struct view *outlook_view(const struct outlook *outlook) {
    return outlook->view[outlook->onlooker == ONLOOKER_BLUE ? BLUE : RED];
}

/* The view from which the onlooker knows the pieces of `side`. */
static const struct view *view_of_pieces(const struct outlook *outlook, enum side side) {
    switch (outlook->onlooker) {
    case ONLOOKER_PUBLIC:
        return outlook->view[side_other(side)];
    case ONLOOKER_ALL:
        return outlook->view[side];
    default:
        return outlook_view(outlook);
    }
}

static squareset squares_seen(const struct outlook *outlook) {
    const struct rules *rules = outlook_view(outlook)->rules;
    if (!rules->sight || outlook->onlooker == ONLOOKER_ALL) return rules->board.land;
    return outlook->onlooker == ONLOOKER_PUBLIC ? 0 : view_sees(outlook_view(outlook));
}

/* The letters of the known pieces by square, with their sides; 0 where there is none. */
static void place_pieces(const struct outlook *outlook, squareset seen,
                         char letter[BOARD_SQUARES_MAX], uint8_t owner[BOARD_SQUARES_MAX]) {
    memset(letter, 0, BOARD_SQUARES_MAX);
    for (int side = RED; side <= BLUE; side++) {
        const struct view *view = view_of_pieces(outlook, (enum side)side);
        for (int i = 0; i < view->count; i++) {
            const struct view_piece *piece = &view->piece[i];
            if (piece->side != side || piece->at == SQUARE_NONE) continue;
            if (!squareset_has(seen, piece->at)) continue;
            owner[piece->at] = (uint8_t)side;
            bool secret = outlook->onlooker == ONLOOKER_PUBLIC && piece->secret;
            letter[piece->at] =
                piece->kind == KIND_NONE || secret ? '?' : view->rules->kind[piece->kind].letter;
        }
    }
}

size_t outlook_position(const struct outlook *outlook, char *out) {
    const struct view *view = outlook_view(outlook);
    const struct board *board = &view->rules->board;
    char letter[BOARD_SQUARES_MAX];
    uint8_t owner[BOARD_SQUARES_MAX];
    const squareset seen = squares_seen(outlook);
    char *end = out;
    place_pieces(outlook, seen, letter, owner);
    for (int rank = board->ranks - 1; rank >= 0; rank--) {
        for (int file = 0; file < board->files; file++) {
            square at = board_square(board, file, rank);
            if (letter[at]) {
                *end++ = owner[at] == RED ? 'r' : 'b';
                *end++ = letter[at];
            } else {
                *end++ = squareset_has(seen | board->lakes, at) ? '.' : '?';
            }
        }
        *end++ = rank ? '/' : ' ';
    }
    const char *to_move = side_name((enum side)view->to_move);
    strcpy(end, to_move);
    return (size_t)(end - out) + strlen(to_move);
}

/* Of a turn in the mover's own events: what both sides know of each other to know. */
static void keep_open_events(const struct events *told, struct events *open) {
    open->count = 0;
    open->seen = 0;
    for (int i = 0; i < told->count; i++) {
        struct event event = told->list[i];
        bool in_the_open = event.type == EVENT_BATTLE || event.type == EVENT_ABILITY;
        bool shared = in_the_open || event.type == EVENT_MOVE || event.type == EVENT_REMOVE ||
                      event.type == EVENT_PLACE || event.type == EVENT_END;
        if (!shared) continue;
        if (!in_the_open) event.from = event.to = SQUARE_NONE;
        open->list[open->count++] = event;
    }
}

/* Are these one event, of which one side may not know all squares? */
static bool is_same_event(const struct event *a, const struct event *b) {
    return a->type == b->type && a->side == b->side &&
           (a->from == b->from || a->from == SQUARE_NONE || b->from == SQUARE_NONE) &&
           (a->to == b->to || a->to == SQUARE_NONE || b->to == SQUARE_NONE);
}

static bool is_among(const struct event *event, const struct events *told, int from) {
    for (int i = from; i < told->count; i++)
        if (is_same_event(event, &told->list[i])) return true;
    return false;
}

/* All events of a turn, each as the owner of the piece was told it, in full. What only one side was
 * told comes before the next event that both were told. */
static void join_events(const struct events *const told[2], struct events *joined) {
    int next[2] = {0, 0};
    joined->count = 0;
    joined->seen = 0;
    while (joined->count < EVENTS_MAX &&
           (next[RED] < told[RED]->count || next[BLUE] < told[BLUE]->count)) {
        const struct event *event[2];
        for (int side = RED; side <= BLUE; side++)
            event[side] = next[side] < told[side]->count ? &told[side]->list[next[side]] : NULL;
        bool both = event[RED] && event[BLUE] && is_same_event(event[RED], event[BLUE]);
        bool only_red = event[RED] && !is_among(event[RED], told[BLUE], next[BLUE]);
        int teller = both ? event[RED]->side : only_red ? RED : BLUE;
        joined->list[joined->count++] = *event[teller];
        for (int side = RED; side <= BLUE; side++) next[side] += both || side == teller;
    }
}

/* The event as a side was told it; NULL if it was not. */
static const struct event *told_to(const struct outlook *outlook, enum side side,
                                   const struct event *event) {
    const struct events *told = outlook->told[side];
    for (int i = 0; i < told->count; i++)
        if (is_same_event(&told->list[i], event)) return &told->list[i];
    return NULL;
}

/* What pieces have learned, and hidden falls: nothing of it is public, and who sees all sees what
 * either side was told. */
static void settle_secrets(const struct outlook *outlook, struct events *events) {
    const bool all = outlook->onlooker == ONLOOKER_ALL;
    const bool hidden = outlook_view(outlook)->rules->fallen_hidden;
    for (int i = 0; i < events->count; i++) {
        struct event *event = &events->list[i];
        if (event->type == EVENT_LEARN) {
            const struct event *told = told_to(outlook, (enum side)event->side, event);
            event->kinds = all && told ? told->kinds : 0;
        }
        for (int side = RED; hidden && side <= BLUE; side++) {
            kind_id *fallen = event_fallen(event, (enum side)side);
            if (!fallen) continue;
            const struct event *told = told_to(outlook, (enum side)side, event);
            struct event own = told ? *told : *event;
            *fallen = all && told ? *event_fallen(&own, (enum side)side) : KIND_NONE;
        }
    }
}

void outlook_events(const struct outlook *outlook, struct events *events) {
    const struct view *view = outlook_view(outlook);
    const struct events *told = outlook->told[view->side];
    bool joint = view->rules->sight && outlook->onlooker >= ONLOOKER_PUBLIC && told->count;
    if (!joint)
        *events = *told;
    else if (outlook->onlooker == ONLOOKER_ALL)
        join_events(outlook->told, events);
    else
        keep_open_events(outlook->told[told->list[0].side], events);
    if (outlook->onlooker >= ONLOOKER_PUBLIC) settle_secrets(outlook, events);
}
