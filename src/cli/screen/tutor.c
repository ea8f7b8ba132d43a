/* tutor.c - beside the board of a lesson: what a step explains, asks for, and shows at its end. */
#include "tutor.h"

#include <stdio.h>

enum { PARTS_MAX = 2, WORDS_MAX = 2 * LANGUAGE_TEXT_MAX + 2 };

struct part {
    const char *text;
    enum screen_style style;
};

/* The paragraphs to show; returns how many. */
static int tutor_parts(const struct tutor *tutor, struct part parts[PARTS_MAX]) {
    const struct front_lesson *lesson = tutor->lesson;
    int count = 0;
    if (tutor->done) {
        parts[count++] = (struct part){lesson->done, STYLE_PLAIN};
    } else {
        if (*lesson->text) parts[count++] = (struct part){lesson->text, STYLE_PLAIN};
        parts[count++] = (struct part){lesson->task, STYLE_STRONG};
    }
    return count;
}

void tutor_draw(void *context, struct screen *screen, int row, int column, int rows, int columns) {
    struct tutor *tutor = context;
    struct part parts[PARTS_MAX];
    int count = tutor_parts(tutor, parts), lines[PARTS_MAX], used = count - 1, first = 0;
    for (int i = 0; i < count; i++)
        used += lines[i] = screen_wrap(screen, 0, 0, columns, 0, 0, STYLE_PLAIN, parts[i].text);
    tutor->whole = used <= rows;
    if (!tutor->whole) first = count - 1; /* the task matters most */
    for (int i = first, at = 0; i < count; at += lines[i++] + 1)
        screen_wrap(screen, row + at, column, columns, rows - at, 0, parts[i].style, parts[i].text);
}

void tutor_read(struct tutor *tutor, struct screen *screen, const struct backdrop *behind) {
    struct part parts[PARTS_MAX];
    char words[WORDS_MAX];
    int count = tutor_parts(tutor, parts);
    if (tutor->whole) return;
    snprintf(words, sizeof words, "%s%s%s", parts[0].text, count > 1 ? "\n\n" : "",
             count > 1 ? parts[1].text : "");
    dialog_read(screen, behind, tutor->lesson->title, words);
}

void tutor_wait(struct tutor *tutor, struct screen *screen, const struct backdrop *behind) {
    tutor->done = true;
    tutor->whole = false; /* until it is drawn */
    for (bool first = true;; first = false) {
        screen_clear(screen);
        behind->draw(behind->context, screen);
        if (first) tutor_read(tutor, screen, behind);
        screen_show(screen);
        struct screen_event event = screen_wait(screen, -1);
        tutor->lesson->leaves = event.type == SCREEN_CLOSED;
        if (event.type == SCREEN_CLOSED || event.type == SCREEN_MOUSE) return;
        if (event.type != SCREEN_KEY) continue;
        tutor->lesson->leaves = event.command == 'q' || event.command == SCREEN_ESCAPE;
        if (tutor->lesson->leaves || event.command == SCREEN_ENTER || event.command == ' ') return;
    }
}
