/* lesson_panel.c - beside the board of a lesson: what a step explains, asks for, and shows at its
 * end. */
#include "lesson_panel.h"

#include <stdio.h>

enum { PARTS_MAX = 2, WORDS_MAX = 2 * LANGUAGE_TEXT_MAX + 2 };

struct part {
    const char *text;
    enum screen_style style;
};

/* The paragraphs to show; returns how many. */
static int lesson_panel_parts(const struct lesson_panel *lesson_panel,
                              struct part parts[PARTS_MAX]) {
    const struct ui_lesson *lesson = lesson_panel->lesson;
    int count = 0;
    if (lesson_panel->done) {
        parts[count++] = (struct part){lesson->done, STYLE_PLAIN};
    } else {
        if (*lesson->text) parts[count++] = (struct part){lesson->text, STYLE_PLAIN};
        parts[count++] = (struct part){lesson->task, STYLE_STRONG};
    }
    return count;
}

void lesson_panel_draw(void *context, struct screen *screen, int row, int column, int rows,
                       int columns) {
    struct lesson_panel *lesson_panel = context;
    struct part parts[PARTS_MAX];
    int count = lesson_panel_parts(lesson_panel, parts), lines[PARTS_MAX], used = count - 1,
        first = 0;
    for (int i = 0; i < count; i++)
        used += lines[i] = screen_wrap(screen, 0, 0, columns, 0, 0, STYLE_PLAIN, parts[i].text);
    lesson_panel->whole = used <= rows;
    if (!lesson_panel->whole) first = count - 1; /* the task matters most */
    for (int i = first, at = 0; i < count; at += lines[i++] + 1)
        screen_wrap(screen, row + at, column, columns, rows - at, 0, parts[i].style, parts[i].text);
}

void lesson_panel_read(struct lesson_panel *lesson_panel, struct screen *screen,
                       const struct backdrop *behind) {
    struct part parts[PARTS_MAX];
    char words[WORDS_MAX];
    int count = lesson_panel_parts(lesson_panel, parts);
    if (lesson_panel->whole) return;
    snprintf(words, sizeof words, "%s%s%s", parts[0].text, count > 1 ? "\n\n" : "",
             count > 1 ? parts[1].text : "");
    dialog_read(screen, behind, lesson_panel->lesson->title, words);
}

void lesson_panel_wait(struct lesson_panel *lesson_panel, struct screen *screen,
                       const struct backdrop *behind) {
    lesson_panel->done = true;
    lesson_panel->whole = false; /* until it is drawn */
    for (bool first = true;; first = false) {
        screen_clear(screen);
        behind->draw(behind->context, screen);
        if (first) lesson_panel_read(lesson_panel, screen, behind);
        screen_show(screen);
        struct screen_event event = screen_wait(screen, -1);
        lesson_panel->lesson->leaves = event.type == SCREEN_CLOSED;
        if (event.type == SCREEN_CLOSED || event.type == SCREEN_MOUSE) return;
        if (event.type != SCREEN_KEY) continue;
        lesson_panel->lesson->leaves = event.command == 'q' || event.command == SCREEN_ESCAPE;
        if (lesson_panel->lesson->leaves || event.command == SCREEN_ENTER || event.command == ' ')
            return;
    }
}
