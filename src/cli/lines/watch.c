/* watch.c - a game between two bots, watched at the terminal.
 *
 * On a screen every move is shown on the board and waits for Enter; in a pipe the story is printed
 * as it goes. */
#include "watch.h"

#include <stdlib.h>
#include <string.h>

enum { AT_ONCE_MAX = 1000000 }; /* more moves than any game has */

static void draw(const struct watch *watch) {
    struct picture picture;
    picture_views(&picture, watch->view[RED], watch->view[BLUE]);
    picture_mark(&picture, watch->story.from, watch->story.to, watch->story.target);
    terminal_draw(&watch->table->terminal, &picture, NULL, 0);
}

/* Reads how many moves are to be played before the next question. */
static bool read_count(const char *line, unsigned long *moves) {
    size_t length = strspn(line, "0123456789");
    if (line[length] || length > 7) return false;
    *moves = length ? strtoul(line, NULL, 10) : 1;
    return *moves >= 1 && *moves <= AT_ONCE_MAX;
}

/* Shows the position and asks how to go on. */
static void pause_game(struct watch *watch) {
    char line[TABLE_LINE_MAX], prompt[256];
    const struct table *table = watch->table;
    unsigned long moves;
    snprintf(
        prompt, sizeof prompt, "%s> ",
        language_text(table->language, TEXT("Enter: next move; a number: so many; end; quit")));
    fprintf(table->terminal.out, "\n%s", watch->story.text);
    draw(watch);
    while (table_ask(watch->table, prompt, line) && !table_quits(line)) {
        if (!strcmp(line, "end")) {
            watch->unasked = UINT32_MAX;
            return;
        }
        if (read_count(line, &moves)) {
            watch->unasked = moves - 1;
            return;
        }
        language_line(table->terminal.out, table->language,
                      "\"{1}\" is none of these: Enter, a number from 1 to {2}, end, quit.", line,
                      NUMBER_TEXT(AT_ONCE_MAX));
    }
    watch->quit = true;
}

static bool watch_setup(void *self, const struct view *view, struct setup *setup,
                        struct fault *fault) {
    struct watched *seat = self;
    struct player *inner = &seat->watch->inner[seat->side];
    return inner->setup(inner->self, view, setup, fault);
}

static bool watch_begin(void *self, const struct view *view, struct fault *fault) {
    struct watched *seat = self;
    struct player *inner = &seat->watch->inner[seat->side];
    seat->watch->view[seat->side] = view;
    return !inner->start || inner->start(inner->self, view, fault);
}

static bool watch_move(void *self, const struct view *view, const struct move *moves, size_t count,
                       struct answer *answer, struct fault *fault) {
    struct watched *seat = self;
    struct watch *watch = seat->watch;
    struct player *inner = &watch->inner[seat->side];
    if (seat->refused) {
        /* The same question once more: the board has been shown. */
    } else if (watch->table->terminal.screen && !watch->unasked) {
        pause_game(watch);
    } else {
        fputs(watch->story.text, watch->table->terminal.out);
        if (watch->unasked) watch->unasked--;
    }
    seat->refused = false;
    story_clear(&watch->story);
    if (watch->quit) {
        answer->type = ANSWER_QUIT;
        return true;
    }
    return inner->move(inner->self, view, moves, count, answer, fault);
}

static bool watch_observe(void *self, const struct view *view, const struct events *events,
                          struct fault *fault) {
    struct watched *seat = self;
    struct player *inner = &seat->watch->inner[seat->side];
    if (seat->side == RED && view->plies <= seat->watch->table->told) {
        story_clear(&seat->watch->story);
    }
    for (int e = 0; seat->side == RED && e < events->count; e++) {
        story_add(&seat->watch->story, seat->watch->table->language, view->rules, &events->list[e]);
    }
    return !inner->observe || inner->observe(inner->self, view, events, fault);
}

static void watch_refused(void *self, const struct fault *why) {
    struct watched *seat = self;
    struct player *inner = &seat->watch->inner[seat->side];
    seat->refused = true;
    inner->refused(inner->self, why);
}

static bool watch_finish(void *self, const struct view *view, struct fault *fault) {
    struct watched *seat = self;
    struct player *inner = &seat->watch->inner[seat->side];
    if (seat->side == RED) fputs(seat->watch->story.text, seat->watch->table->terminal.out);
    return !inner->finish || inner->finish(inner->self, view, fault);
}

void watch_start(struct watch *watch, struct table *table, struct player players[2]) {
    memset(watch, 0, sizeof *watch);
    watch->table = table;
    story_clear(&watch->story);
    for (int side = RED; side <= BLUE; side++) {
        watch->inner[side] = players[side];
        watch->seat[side] = (struct watched){watch, (enum side)side, false};
        players[side] =
            (struct player){.name = watch->inner[side].name,
                            .self = &watch->seat[side],
                            .setup = watch_setup,
                            .start = watch_begin,
                            .move = watch_move,
                            .observe = watch_observe,
                            .refused = watch->inner[side].refused ? watch_refused : NULL,
                            .finish = watch_finish};
    }
}
