#include "scripted.h"

#include <stdlib.h>
#include <string.h>

static void write_bytes(struct scripted *scripted, const void *bytes, size_t count) {
    if (!scripted->log) return;
    if (scripted->log_length + count > scripted->log_size) {
        scripted->log_size = 2 * (scripted->log_length + count);
        scripted->log = realloc(scripted->log, scripted->log_size);
        if (!scripted->log) abort();
    }
    memcpy(scripted->log + scripted->log_length, bytes, count);
    scripted->log_length += count;
}

#define WRITE(scripted, value) write_bytes(scripted, &(value), sizeof(value))

/* Field by field, since the bytes between fields are nobody's; unused entries too, since a leak may
 * lie in them. */
static void write_view(struct scripted *scripted, const struct view *view) {
    WRITE(scripted, view->side);
    WRITE(scripted, view->to_move);
    WRITE(scripted, view->result);
    WRITE(scripted, view->reason);
    WRITE(scripted, view->plies);
    WRITE(scripted, view->quiet);
    WRITE(scripted, view->limits.no_attack);
    WRITE(scripted, view->limits.plies);
    WRITE(scripted, view->count);
    for (size_t i = 0; i < sizeof view->piece / sizeof view->piece[0]; i++) {
        const struct view_piece *piece = &view->piece[i];
        WRITE(scripted, piece->side);
        WRITE(scripted, piece->at);
        WRITE(scripted, piece->start);
        WRITE(scripted, piece->kind);
        WRITE(scripted, piece->may_be);
        WRITE(scripted, piece->moves);
        WRITE(scripted, piece->moved);
        WRITE(scripted, piece->shown);
        if ((int)i < view->count) {
            kindset may_be = view_may_be(view, (int)i);
            WRITE(scripted, may_be);
        }
    }
    WRITE(scripted, view->number);
    WRITE(scripted, view->start);
    WRITE(scripted, view->captured);
    WRITE(scripted, view->uses);
    if (scripted->peek) write_bytes(scripted, scripted->peek, BOARD_SQUARES_MAX);
}

static void write_move(struct scripted *scripted, struct move move) {
    WRITE(scripted, move.from);
    WRITE(scripted, move.to);
    WRITE(scripted, move.target);
    WRITE(scripted, move.ability);
    WRITE(scripted, move.choice);
}

static void write_event(struct scripted *scripted, const struct event *event) {
    WRITE(scripted, event->type);
    WRITE(scripted, event->side);
    WRITE(scripted, event->from);
    WRITE(scripted, event->to);
    WRITE(scripted, event->kind);
    WRITE(scripted, event->other);
    WRITE(scripted, event->outcome);
    WRITE(scripted, event->tally);
    WRITE(scripted, event->result);
    WRITE(scripted, event->reason);
}

static bool give_setup(void *self, const struct view *view, struct setup *setup,
                       struct fault *fault) {
    struct scripted *scripted = self;
    (void)fault;
    scripted->asked_for_setup++;
    write_view(scripted, view);
    *setup = scripted->setup;
    return true;
}

static bool start(void *self, const struct view *view, struct fault *fault) {
    (void)fault;
    write_view(self, view);
    return true;
}

static bool make_move(void *self, const struct view *view, const struct move *moves, size_t count,
                      struct answer *answer, struct fault *fault) {
    struct scripted *scripted = self;
    (void)fault;
    write_view(scripted, view);
    WRITE(scripted, count);
    for (size_t i = 0; i < count; i++) write_move(scripted, moves[i]);
    int number = scripted->made;
    if (number == SCRIPTED_MOVES_MAX || (scripted->quit_after && number == scripted->quit_after)) {
        answer->type = ANSWER_QUIT;
        return true;
    }
    if (number >= scripted->scripted)
        scripted->script[number] = moves[random_below(&scripted->random, (uint32_t)count)];
    answer->type = ANSWER_MOVE;
    answer->move = scripted->script[number];
    scripted->made++;
    return true;
}

static bool observe(void *self, const struct view *view, const struct events *events,
                    struct fault *fault) {
    struct scripted *scripted = self;
    (void)fault;
    for (const struct event *event = events->list; event < events->list + events->count; event++) {
        scripted->told++;
        write_view(scripted, view);
        write_event(scripted, event);
        if (event->from != SQUARE_NONE) scripted->seen |= squareset_of(event->from);
        if (event->to != SQUARE_NONE) scripted->seen |= squareset_of(event->to);
    }
    return true;
}

static bool finish(void *self, const struct view *view, struct fault *fault) {
    struct scripted *scripted = self;
    (void)fault;
    write_view(scripted, view);
    scripted->finished = true;
    scripted->last_result = view->result;
    return true;
}

void scripted_start(struct scripted *scripted, const char *name, const struct setup *setup,
                    uint64_t seed) {
    *scripted = (struct scripted){0};
    scripted->setup = *setup;
    scripted->random = random_stream(seed, STREAM_PLAYOUT, 0);
    scripted->player = (struct player){.name = name,
                                       .self = scripted,
                                       .setup = give_setup,
                                       .start = start,
                                       .move = make_move,
                                       .observe = observe,
                                       .finish = finish};
}

void scripted_log(struct scripted *scripted) {
    scripted->log_size = 1 << 16;
    scripted->log = malloc(scripted->log_size);
    if (!scripted->log) abort();
}

void scripted_clear(struct scripted *scripted) {
    free(scripted->log);
    scripted->log = NULL;
}
