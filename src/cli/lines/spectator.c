/* spectator.c - watching a game between two bots in line mode.
 *
 * At a terminal every move is drawn and waits for Enter; in a pipe only the story is printed. */
#include "spectator.h"

#include <stdlib.h>
#include <string.h>

enum { AT_ONCE_MAX = 1000000 }; /* more moves than any game has */

static void spectator_draw(const struct spectator *spectator) {
    struct picture picture;
    if (spectator->eyes < 0)
        picture_views(&picture, spectator->view[RED], spectator->view[BLUE]);
    else
        picture_view(&picture, spectator->view[spectator->eyes]);
    picture_mark(&picture, spectator->story.from, spectator->story.to, spectator->story.target);
    terminal_draw(&spectator->table->terminal, &picture, NULL, 0);
}

/* Reads the number of moves to play before the next question. */
static bool read_count(const char *line, unsigned long *moves) {
    size_t length = strspn(line, "0123456789");
    if (line[length] || length > 7) return false;
    *moves = length ? strtoul(line, NULL, 10) : 1;
    return *moves >= 1 && *moves <= AT_ONCE_MAX;
}

/* Shows the position and asks how many moves to play. */
static void pause_game(struct spectator *spectator) {
    char line[TABLE_LINE_MAX], prompt[256];
    const struct table *table = spectator->table;
    unsigned long moves;
    snprintf(prompt, sizeof prompt, "%s> ",
             language_text(table->language,
                           TEXT("Enter: next move; a number: that many moves; end; quit")));
    fprintf(table->terminal.out, "\n%s", spectator->story.text);
    spectator_draw(spectator);
    while (table_ask(spectator->table, prompt, line) && !table_quits(line)) {
        if (!strcmp(line, "end")) {
            spectator->unasked = UINT32_MAX;
            return;
        }
        if (read_count(line, &moves)) {
            spectator->unasked = moves - 1;
            return;
        }
        language_line(table->terminal.out, table->language,
                      "\"{1}\" is none of these: Enter, a number from 1 to {2}, end, quit.", line,
                      NUMBER_TEXT(AT_ONCE_MAX));
    }
    spectator->quit = true;
}

/* One side's events tell the story. */
static bool is_teller(const struct spectator_seat *seat) {
    return seat->side == (seat->spectator->eyes == BLUE ? BLUE : RED);
}

static bool spectator_setup(void *self, const struct view *view, struct setup *setup,
                            struct fault *fault) {
    struct spectator_seat *seat = self;
    struct player *inner = &seat->spectator->inner[seat->side];
    return inner->setup(inner->self, view, setup, fault);
}

static bool spectator_begin(void *self, const struct view *view, struct fault *fault) {
    struct spectator_seat *seat = self;
    struct player *inner = &seat->spectator->inner[seat->side];
    seat->spectator->view[seat->side] = view;
    return !inner->start || inner->start(inner->self, view, fault);
}

static bool spectator_move(void *self, const struct view *view, const struct move *moves,
                           size_t count, struct answer *answer, struct fault *fault) {
    struct spectator_seat *seat = self;
    struct spectator *spectator = seat->spectator;
    struct player *inner = &spectator->inner[seat->side];
    if (seat->refused) {
        /* Asked again: the board has been shown. */
    } else if (spectator->table->terminal.screen && !spectator->unasked) {
        pause_game(spectator);
    } else {
        fputs(spectator->story.text, spectator->table->terminal.out);
        if (spectator->unasked) spectator->unasked--;
    }
    seat->refused = false;
    story_clear(&spectator->story);
    if (spectator->quit) {
        answer->type = ANSWER_QUIT;
        return true;
    }
    return inner->move(inner->self, view, moves, count, answer, fault);
}

static bool spectator_observe(void *self, const struct view *view, const struct events *events,
                              struct fault *fault) {
    struct spectator_seat *seat = self;
    struct player *inner = &seat->spectator->inner[seat->side];
    if (is_teller(seat) && view->plies <= seat->spectator->table->told)
        story_clear(&seat->spectator->story);
    if (is_teller(seat))
        story_add(&seat->spectator->story, seat->spectator->table->language, view->rules, events);
    return !inner->observe || inner->observe(inner->self, view, events, fault);
}

static void spectator_refused(void *self, enum verdict verdict, const struct fault *why) {
    struct spectator_seat *seat = self;
    struct player *inner = &seat->spectator->inner[seat->side];
    seat->refused = true;
    inner->refused(inner->self, verdict, why);
}

static void spectator_uncover(void *self, const struct session *session) {
    const struct spectator_seat *seat = self;
    const struct player *inner = &seat->spectator->inner[seat->side];
    if (inner->uncover) inner->uncover(inner->self, session);
}

static bool spectator_finish(void *self, const struct view *view, struct fault *fault) {
    struct spectator_seat *seat = self;
    struct player *inner = &seat->spectator->inner[seat->side];
    if (is_teller(seat)) fputs(seat->spectator->story.text, seat->spectator->table->terminal.out);
    return !inner->finish || inner->finish(inner->self, view, fault);
}

void spectator_start(struct spectator *spectator, struct table *table, int eyes,
                     struct player players[2]) {
    memset(spectator, 0, sizeof *spectator);
    spectator->table = table;
    spectator->eyes = eyes;
    story_clear(&spectator->story);
    for (int side = RED; side <= BLUE; side++) {
        spectator->inner[side] = players[side];
        spectator->seat[side] = (struct spectator_seat){spectator, (enum side)side, false};
        players[side] =
            (struct player){.name = spectator->inner[side].name,
                            .self = &spectator->seat[side],
                            .setup = spectator_setup,
                            .start = spectator_begin,
                            .move = spectator_move,
                            .observe = spectator_observe,
                            .refused = spectator->inner[side].refused ? spectator_refused : NULL,
                            .uncover = spectator_uncover,
                            .finish = spectator_finish};
    }
}
