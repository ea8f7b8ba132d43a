/* spectator.c - watching a game between two bots in line mode.
 *
 * At a terminal every move is drawn and waits for Enter; in a pipe only the story is printed. */
#include "spectator.h"

#include <stdlib.h>
#include <string.h>

enum { AT_ONCE_MAX = 1000000 }; /* more moves than any game has */

static void spectator_draw(const struct spectator *spectator) {
    const struct view *view = spectator->table->referee.session->eyes.view;
    struct picture picture;
    if (spectator->eyes < 0)
        picture_views(&picture, &view[RED], &view[BLUE]);
    else
        picture_view(&picture, &view[spectator->eyes]);
    picture_mark(&picture, spectator->story.from, spectator->story.to, spectator->story.target);
    terminal_draw(&spectator->input->terminal, &picture, NULL, 0);
}

/* Reads the number of moves to play before the next question. */
static bool read_count(const char *line, unsigned long *moves) {
    size_t length = strspn(line, "0123456789");
    if (line[length] || length > 7) return false;
    *moves = length ? strtoul(line, NULL, 10) : 1;
    return *moves >= 1 && *moves <= AT_ONCE_MAX;
}

/* Shows the position and asks how many moves to play. False if the user leaves. */
static bool pause_game(struct spectator *spectator) {
    char line[LINE_INPUT_MAX], prompt[256];
    const struct line_input *input = spectator->input;
    unsigned long moves;
    snprintf(prompt, sizeof prompt, "%s> ",
             language_text(input->language,
                           TEXT("Enter: next move; a number: that many moves; end; quit")));
    fprintf(input->terminal.out, "\n%s", spectator->story.text);
    spectator_draw(spectator);
    while (line_input_ask(spectator->input, prompt, line) && !line_input_quits(line)) {
        if (!strcmp(line, "end")) {
            spectator->unasked = UINT32_MAX;
            return true;
        }
        if (read_count(line, &moves)) {
            spectator->unasked = moves - 1;
            return true;
        }
        language_line(input->terminal.out, input->language,
                      "\"{1}\" is none of these: Enter, a number from 1 to {2}, end, quit.", line,
                      NUMBER_TEXT(AT_ONCE_MAX));
    }
    return false;
}

bool spectator_lets_go_on(struct spectator *spectator) {
    bool goes_on = true;
    if (spectator->asked || spectator->table->referee.session->over) return true;
    spectator->asked = true;
    if (spectator->input->terminal.screen && !spectator->unasked) {
        goes_on = pause_game(spectator);
    } else {
        fputs(spectator->story.text, spectator->input->terminal.out);
        if (spectator->unasked) spectator->unasked--;
    }
    story_clear(&spectator->story);
    return goes_on;
}

void spectator_hear(struct spectator *spectator, const struct session *session) {
    const enum side teller = spectator->eyes == BLUE ? BLUE : RED;
    const struct view *view = &session->eyes.view[teller];
    spectator->asked = false;
    if (spectator->heard == session->tellings) return;
    spectator->heard = session->tellings;
    if (view->plies + 2 <= spectator->table->options.game.played_count)
        story_clear(&spectator->story); /* the last two turns are repeated */
    story_add(&spectator->story, spectator->input->language, view->rules,
              &session->eyes.told[teller]);
}

void spectator_finish(const struct spectator *spectator) {
    fputs(spectator->story.text, spectator->input->terminal.out);
}

void spectator_sit(struct spectator *spectator, struct line_input *input, struct table *table,
                   int eyes) {
    *spectator = (struct spectator){.input = input, .table = table, .eyes = eyes, .asked = true};
    story_clear(&spectator->story);
}
