/* hotseat_cover.c - hides the board while two people change places. */
#include "hotseat_cover.h"

#include "dialog.h"
#include "game_layout.h"
#include "guide.h"

enum { MARGIN = 2, WHY_ROWS = 2, WORDS_ROWS = 3 };

static const char *hotseat_cover_text(const struct hotseat_cover *cover, const char *english) {
    return language_text(cover->language, english);
}

void hotseat_cover_draw(void *context, struct screen *screen) {
    const struct hotseat_cover *cover = context;
    bool red = cover->side == RED;
    int row = screen->rows / 2, width = screen->columns - 2 * MARGIN;
    screen_put_in(screen, 0, 0, screen->columns, STYLE_TITLE, cover->title);
    if (cover->why)
        screen_wrap(screen, row - WHY_ROWS, MARGIN, width, WHY_ROWS, 0, STYLE_PLAIN, cover->why);
    screen_wrap(
        screen, row, MARGIN, width, WORDS_ROWS, 0, red ? STYLE_RED : STYLE_BLUE,
        hotseat_cover_text(
            cover, red ? TEXT("Red's turn. Press Enter when only red can see the screen.")
                       : TEXT("Blue's turn. Press Enter when only blue can see the screen.")));
    game_layout_draw_keys(screen, hotseat_cover_text(cover, TEXT("Enter:show ?:help q:leave")));
}

bool hotseat_cover_wait(struct screen *screen, const struct hotseat_cover *cover) {
    struct hotseat_cover drawn = *cover;
    const struct backdrop behind = {hotseat_cover_draw, &drawn};
    for (;;) {
        screen_clear(screen);
        hotseat_cover_draw(&drawn, screen);
        screen_show(screen);
        struct screen_event event = screen_wait(screen, -1);
        if (event.type == SCREEN_CLOSED) return false;
        if (event.type != SCREEN_KEY) continue;
        if (event.command == SCREEN_ENTER) return true;
        if (event.command == '?' || event.command == SCREEN_F1)
            guide_show(screen, &behind, cover->language, cover->rules, GUIDE_ARRANGE);
        if (event.command == 'q' &&
            dialog_confirm(screen, &behind, hotseat_cover_text(cover, TEXT("Leave this game?")),
                           hotseat_cover_text(cover, TEXT("leave")),
                           hotseat_cover_text(cover, TEXT("go on playing"))))
            return false;
    }
}
