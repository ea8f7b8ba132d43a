/* arrange_screen.c - the set-up editor on the screen.
 *
 * editor.h changes the set-up; this file maps keys and clicks to its steps and draws the board and
 * the pieces left. Capital letters and digits are pieces in every variant, so commands are
 * lowercase letters. */
#include "arrange_screen.h"

#include "base/files.h"
#include "base/paths.h"
#include "base/words.h"
#include "cli/columns.h"
#include "core/text/layout.h"
#include "editor.h"
#include "game_layout.h"
#include "guide.h"
#include "host/setups/setup_library.h"
#include "lua/kind_names.h"
#include "setup_list.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { ITEM_COLUMNS = 22, NAME_MAX_BYTES = 200, TEXT_MAX = 1024 };

/* What is picked up. */
enum hold { HOLD_NOTHING, HOLD_SQUARE, HOLD_KIND };

struct arranging {
    struct screen *screen;
    const struct arrange_options *options;
    struct random *random;
    struct editor editor;
    struct game_layout layout;
    struct backdrop behind;
    square cursor; /* as the board is shown */
    enum hold hold;
    square held; /* of HOLD_SQUARE, as the board is shown */
    kind_id kind;
    char typed[LABEL_MAX];           /* of a label that may go on */
    square typed_at;                 /* where its beginning was typed, as the board is shown */
    bool typed_placed;               /* and was a piece by itself */
    char message[LANGUAGE_TEXT_MAX]; /* empty: the state of the set-up is shown */
    bool warns;
    char idea[LIBRARY_IDEA_MAX]; /* the library's remark on the set-up; may be empty */
    struct {
        int row, column;
    } item[KINDS_MAX]; /* where each kind is listed; row -1: not shown */
};

static const char *arrange_text(const struct arranging *a, const char *english) {
    return language_text(a->options->language, english);
}

/* A message too long for the row below the board opens in a window. */
static void arrange_say(struct arranging *a, bool warns, const char *words) {
    if (columns_of(words, SIZE_MAX) > a->screen->columns || strchr(words, '\n')) {
        dialog_read(a->screen, &a->behind,
                    warns ? arrange_text(a, TEXT("Something went wrong")) : NULL, words);
        return;
    }
    snprintf(a->message, sizeof a->message, "%s", words);
    a->warns = warns;
}

static void arrange_say_fault(struct arranging *a, const struct fault *fault) {
    char line[LANGUAGE_TEXT_MAX];
    language_fault_line(a->options->language, fault, line, sizeof line);
    arrange_say(a, true, line);
}

/* Converts between shown squares and red's point of view; its own inverse. */
static square turned(const struct arranging *a, square at) {
    return a->options->side == RED ? at : board_turn(&a->options->rules->board, at);
}

static bool is_in_zone(const struct arranging *a, square at) {
    return at != SQUARE_NONE && squareset_has(a->options->rules->board.zone[a->options->side], at);
}

static kind_id kind_on(const struct arranging *a, square at) {
    return a->editor.setup.at[turned(a, at)];
}

/* True, with the reason, if the set-up cannot be played yet. */
static bool setup_is_wrong(const struct arranging *a, char *why, size_t size) {
    struct fault fault = {0};
    int left = editor_left(&a->editor);
    if (left) {
        language_write(why, size, a->options->language, "Left to place: {1}.", NUMBER_TEXT(left));
        return true;
    }
    if (setup_check(a->options->rules, a->options->side, &a->editor.setup, &fault)) return false;
    language_fault(a->options->language, &fault, why, size);
    return true;
}

static void draw_item(struct arranging *a, struct screen *screen, kind_id id, int row, int column,
                      int columns) {
    const struct kind *kind = &a->options->rules->kind[id];
    int left = a->editor.left[id];
    bool held = a->hold == HOLD_KIND && a->kind == id;
    enum screen_style style = held ? STYLE_CHOSEN : left ? STYLE_PLAIN : STYLE_DIM;
    char counts[16];
    snprintf(counts, sizeof counts, "%d/%d", left,
             a->options->rules->start[a->options->side].count[id]);
    screen_fill(screen, row, column, 1, columns, style, L' ');
    if (held) screen_put(screen, row, column, style, ">");
    screen_put(screen, row, column + 2, held || !left ? style : STYLE_KEY, kind->label);
    screen_put_in(screen, row, column + 5, 5, style, counts);
    screen_put_in(screen, row, column + 10, columns - 10, style,
                  language_kind(a->options->language, a->options->rules, id));
    a->item[id].row = row;
    a->item[id].column = column;
}

/* The pieces left, in one column or, where rows are few, several. */
static void draw_left(void *context, struct screen *screen, int row, int column, int rows,
                      int columns) {
    struct arranging *a = context;
    const struct rules *rules = a->options->rules;
    int across = columns / ITEM_COLUMNS > 0 ? columns / ITEM_COLUMNS : 1;
    if (rules->kinds + 1 <= rows) across = 1;
    int width = columns / across < ITEM_COLUMNS + 6 ? columns / across : ITEM_COLUMNS + 6;
    screen_put_in(screen, row, column, columns, STYLE_TITLE,
                  arrange_text(a, TEXT("Left to place")));
    for (kind_id id = 1; id <= rules->kinds; id++) {
        int line = 1 + (id - 1) / across;
        a->item[id].row = -1;
        if (line >= rows) continue;
        draw_item(a, screen, id, row + line, column + (id - 1) % across * width, width);
    }
    int used = 2 + (rules->kinds + across - 1) / across;
    if (used < rows)
        screen_wrap(screen, row + used, column, columns, rows - used, 0, STYLE_DIM,
                    language_text(a->options->language, a->idea));
}

static void arrange_draw(void *context, struct screen *screen) {
    struct arranging *a = context;
    struct game_layout *layout = &a->layout;
    const struct board *board = &a->options->rules->board;
    picture_board(&layout->picture, board);
    layout->picture.rules = a->options->rules;
    layout->picture.below = a->options->side;
    for (square at = 0; at < board->squares; at++) {
        if (!is_in_zone(a, at) || kind_on(a, at) == KIND_NONE) continue;
        layout->picture.at[at] = (struct picture_square){
            .type = PICTURE_PIECE, .side = (uint8_t)a->options->side, .kind = kind_on(a, at)};
    }
    layout->marks = CHART_NO_MARKS;
    layout->marks.cursor = a->cursor;
    if (a->hold == HOLD_SQUARE) layout->marks.selected = a->held;
    snprintf(layout->title, sizeof layout->title, "%s", a->options->title);
    snprintf(layout->status, sizeof layout->status, "%s",
             arrange_text(a, a->options->side == RED ? TEXT("Red's army") : TEXT("Blue's army")));
    char why[TEXT_MAX];
    bool wrong = setup_is_wrong(a, why, sizeof why);
    if (a->message[0]) {
        snprintf(layout->message, sizeof layout->message, "%s", a->message);
    } else {
        snprintf(layout->message, sizeof layout->message, "%s",
                 wrong ? why : arrange_text(a, TEXT("The army is complete. Press d to begin.")));
    }
    layout->message_style = a->warns && a->message[0] ? STYLE_WARNING : STYLE_PLAIN;
    layout->keys = arrange_text(
        a,
        a->hold == HOLD_NOTHING
            ? TEXT("Enter:pick up Tab:next kind r:random c:clear f:library d:done ?:help q:leave")
            : TEXT("Enter:put down Esc:cancel Delete:remove ?:help"));
    for (int id = 0; id < KINDS_MAX; id++) a->item[id].row = -1;
    game_layout_draw(layout, screen);
}

static void let_go(struct arranging *a) {
    a->hold = HOLD_NOTHING;
}

/* Picks up a kind, if any piece of it is left. */
static void take_kind(struct arranging *a, kind_id kind) {
    if (!a->editor.left[kind]) {
        arrange_say(a, true,
                    arrange_text(a, TEXT("None of these is left; pick one up from the board.")));
        return;
    }
    a->hold = HOLD_KIND;
    a->kind = kind;
}

static void next_kind(struct arranging *a, int step) {
    int kinds = a->options->rules->kinds;
    int from = a->hold == HOLD_KIND ? a->kind : step > 0 ? 0 : 1;
    for (int i = 1; i <= kinds; i++) {
        int kind = (from - 1 + step * i + 2 * kinds * kinds) % kinds + 1;
        if (!a->editor.left[kind]) continue;
        take_kind(a, (kind_id)kind);
        return;
    }
    arrange_say(a, false, arrange_text(a, TEXT("All pieces are placed.")));
}

static void advance_cursor(struct arranging *a) {
    square next = editor_free(&a->editor, turned(a, a->cursor));
    if (next != SQUARE_NONE) a->cursor = turned(a, next);
}

/* False after a message. */
static bool arrange_place(struct arranging *a, kind_id kind) {
    if (!is_in_zone(a, a->cursor)) {
        arrange_say(a, true, arrange_text(a, TEXT("You can place pieces in your own zone only.")));
        return false;
    }
    if (editor_place(&a->editor, turned(a, a->cursor), kind)) return true;
    if (!editor_allows(&a->editor, turned(a, a->cursor), kind)) {
        arrange_say(a, true, arrange_text(a, TEXT("This piece may not start there.")));
        return false;
    }
    arrange_say(a, true,
                arrange_text(a, TEXT("None of these is left; pick one up from the board.")));
    return false;
}

/* Enter or a click on the square under the cursor. */
static void arrange_point(struct arranging *a) {
    square at = a->cursor;
    if (a->hold == HOLD_KIND) {
        arrange_place(a, a->kind);
        if (!a->editor.left[a->kind]) let_go(a);
    } else if (a->hold == HOLD_SQUARE) {
        if (!is_in_zone(a, at)) {
            arrange_say(a, true,
                        arrange_text(a, TEXT("You can place pieces in your own zone only.")));
            return;
        }
        if (at != a->held && !editor_swap(&a->editor, turned(a, a->held), turned(a, at)))
            arrange_say(a, true, arrange_text(a, TEXT("This piece may not start there.")));
        let_go(a);
    } else if (is_in_zone(a, at) && kind_on(a, at) != KIND_NONE) {
        a->hold = HOLD_SQUARE;
        a->held = at;
    } else {
        arrange_say(
            a, false,
            arrange_text(a, TEXT("Type a piece's letter, or take one from the list with Tab.")));
    }
}

static void take_off(struct arranging *a) {
    square at = a->hold == HOLD_SQUARE ? a->held : a->cursor;
    if (is_in_zone(a, at)) editor_lift(&a->editor, turned(a, at));
    let_go(a);
}

static void fill_from_library(struct arranging *a) {
    struct library_setup chosen;
    struct fault fault = {0};
    const struct setup_list list = {.screen = a->screen,
                                    .behind = &a->behind,
                                    .language = a->options->language,
                                    .folders = a->options->folders,
                                    .rules = a->options->rules,
                                    .side = a->options->side};
    switch (setup_list_choose(&list, &chosen, &fault)) {
    case SETUP_LIST_CHOSEN:
        editor_fill(&a->editor, &chosen.setup);
        snprintf(a->idea, sizeof a->idea, "%s", chosen.idea);
        break;
    case SETUP_LIST_EMPTY:
        arrange_say(a, true, arrange_text(a, TEXT("The library has no set-up for this game.")));
        break;
    case SETUP_LIST_FAILED:
        arrange_say_fault(a, &fault);
        break;
    case SETUP_LIST_LEFT:
        break;
    }
}

static void open_file(struct arranging *a) {
    char word[FOLDER_PATH_MAX] = "";
    struct setup setup;
    struct fault fault = {0};
    if (!dialog_type(a->screen, &a->behind, arrange_text(a, TEXT("Open a set-up")),
                     arrange_text(a, TEXT("Its name, or a file:")), word, sizeof word) ||
        !word[0])
        return;
    if (setup_library_load(a->options->folders, a->options->rules, a->options->side, word,
                           a->random, &setup, &fault))
        editor_fill(&a->editor, &setup);
    else
        arrange_say_fault(a, &fault);
}

/* One rank per line, front rank first. */
static bool write_setup(const struct arranging *a, const char *path, bool replaces,
                        struct fault *fault) {
    char lines[SETUP_TEXT_MAX + 1];
    size_t length = setup_write(a->options->rules, a->options->side, &a->editor.setup, lines);
    for (size_t i = 0; i < length; i++)
        if (lines[i] == '/') lines[i] = '\n';
    lines[length++] = '\n';
    return replaces ? files_replace(path, lines, length, fault)
                    : files_write_new(path, lines, length, 0, fault);
}

static bool agrees_to_replace(struct arranging *a, const char *name) {
    char question[TEXT_MAX];
    language_write(question, sizeof question, a->options->language, "Replace your set-up \"{1}\"?",
                   name);
    return dialog_confirm(a->screen, &a->behind, question, arrange_text(a, TEXT("yes")),
                          arrange_text(a, TEXT("no")));
}

/* The path of a set-up in the library: a new one, or (`*replaces`) one of the user's own. A name
 * that is elsewhere on the search path is refused: one of the two would hide the other. False after
 * a message, or if the user declines. */
static bool place_in_library(struct arranging *a, const char *name, char path[FOLDER_PATH_MAX],
                             bool *replaces) {
    const struct arrange_options *options = a->options;
    const struct folders folders = folders_of_variant(options->folders, options->rules->name);
    char line[TEXT_MAX];
    struct fault fault = {0};
    if (!word_is_new_name(name)) {
        language_write(line, sizeof line, options->language,
                       "A name starts with a lowercase letter and has lowercase letters, "
                       "digits, '-' and '_' (characters: at most {1}).",
                       NUMBER_TEXT(WORD_MAX - 1));
        arrange_say(a, true, line);
        return false;
    }
    *replaces = setup_library_own(&folders, name, path, NULL);
    if (*replaces) return agrees_to_replace(a, name);
    if (folders_resolve(&folders, FOLDER_SETUPS, name, path, &fault)) {
        language_write(line, sizeof line, options->language,
                       "The library already has a set-up \"{1}\": {2}", name, path);
        arrange_say(a, true, line);
        return false;
    }
    fault = (struct fault){0};
    if (folders_own(FOLDER_SETUPS, name, path, &fault)) return true;
    arrange_say_fault(a, &fault);
    return false;
}

static void arrange_save(struct arranging *a) {
    char name[NAME_MAX_BYTES] = "", path[FOLDER_PATH_MAX], line[TEXT_MAX];
    struct fault fault = {0};
    bool replaces = false;
    if (setup_is_wrong(a, line, sizeof line)) {
        arrange_say(a, true, line);
        return;
    }
    if (!dialog_type(a->screen, &a->behind, arrange_text(a, TEXT("Save this set-up")),
                     arrange_text(a, TEXT("A name for the library, or a file:")), name,
                     sizeof name) ||
        !name[0])
        return;
    if (path_is_meant(name, ".txt"))
        snprintf(path, sizeof path, "%s", name);
    else if (!place_in_library(a, name, path, &replaces))
        return;
    if (write_setup(a, path, replaces, &fault)) {
        language_write(line, sizeof line, a->options->language, "The set-up is in {1}", path);
        arrange_say(a, false, line);
    } else {
        arrange_say_fault(a, &fault);
    }
}

/* True if the set-up can be played; else says why not. */
static bool arrange_accept(struct arranging *a) {
    char why[TEXT_MAX];
    if (!setup_is_wrong(a, why, sizeof why)) return true;
    arrange_say(a, true, why);
    return false;
}

static void arrange_shuffle(struct arranging *a) {
    struct fault fault = {0};
    if (!editor_shuffle(&a->editor, a->random, &fault)) arrange_say_fault(a, &fault);
}

static void arrange_move_cursor(struct arranging *a, int right, int up) {
    square next = chart_step(&a->layout.chart, a->cursor, right, up);
    if (is_in_zone(a, next)) a->cursor = next;
}

static bool take_direction(struct arranging *a, int key) {
    switch (key) {
    case SCREEN_LEFT:
    case 'h':
        arrange_move_cursor(a, -1, 0);
        return true;
    case SCREEN_RIGHT:
    case 'l':
        arrange_move_cursor(a, 1, 0);
        return true;
    case SCREEN_UP:
    case 'k':
        arrange_move_cursor(a, 0, 1);
        return true;
    case SCREEN_DOWN:
    case 'j':
        arrange_move_cursor(a, 0, -1);
        return true;
    default:
        return false;
    }
}

/* Does a label begin with the typed text, and go on? */
static bool begins_label(const struct rules *rules, const char *typed) {
    size_t length = strlen(typed);
    for (kind_id kind = 1; kind <= rules->kinds; kind++) {
        const char *label = rules->kind[kind].label;
        if (strlen(label) > length && !strncmp(label, typed, length)) return true;
    }
    return false;
}

/* Takes a letter, or the next character of a label: "1" places a saboteur, a "0" after it replaces
 * that by a marshal. False if no piece is meant. */
static bool take_letter(struct arranging *a, int key) {
    const struct rules *rules = a->options->rules;
    char typed[LABEL_MAX + 1];
    size_t length = (size_t)snprintf(typed, sizeof typed, "%s%c", a->typed, key);
    kind_id kind = length > 1 ? rules_kind(rules, typed, length) : KIND_NONE;
    if (kind != KIND_NONE) {
        if (a->typed_placed) editor_undo(&a->editor);
        a->cursor = a->typed_at;
    } else {
        length = (size_t)snprintf(typed, sizeof typed, "%c", key);
        kind = rules_kind(rules, typed, length);
    }
    a->typed[0] = 0;
    bool goes_on = length < LABEL_MAX && begins_label(rules, typed);
    if (kind == KIND_NONE && !goes_on) return false;
    let_go(a);
    a->typed_at = a->cursor;
    a->typed_placed = kind != KIND_NONE && arrange_place(a, kind);
    if (goes_on) memcpy(a->typed, typed, length + 1);
    if (a->typed_placed) advance_cursor(a);
    return true;
}

static void type_kind(struct arranging *a) {
    const struct arrange_options *options = a->options;
    char word[LANGUAGE_NAME_MAX] = "", line[TEXT_MAX];
    if (!dialog_type(a->screen, &a->behind, arrange_text(a, TEXT("Piece")),
                     arrange_text(a, TEXT("Its name, letter or label:")), word, sizeof word) ||
        !word[0])
        return;
    kind_id kind = kind_called(options->language, options->rules, word, strlen(word));
    if (kind == KIND_NONE) {
        language_write(line, sizeof line, options->language, "No piece is called \"{1}\".", word);
        arrange_say(a, true, line);
    } else if (arrange_place(a, kind)) {
        advance_cursor(a);
    }
}

/* True when the editor closes; `*content` if its set-up was confirmed. */
static bool arrange_key(struct arranging *a, int key, bool *content) {
    bool lettered = key < 0x80 && (isupper(key) || isdigit(key));
    if (!lettered) a->typed[0] = 0;
    if (take_direction(a, key)) return false;
    a->message[0] = 0;
    if (lettered) {
        if (!take_letter(a, key))
            arrange_say(a, true, arrange_text(a, TEXT("No piece has this letter.")));
        return false;
    }
    switch (key) {
    case SCREEN_ENTER:
    case ' ':
        arrange_point(a);
        break;
    case SCREEN_TAB:
        next_kind(a, 1);
        break;
    case SCREEN_BACK_TAB:
        next_kind(a, -1);
        break;
    case SCREEN_DELETE:
    case SCREEN_BACKSPACE:
    case 'x':
        take_off(a);
        break;
    case SCREEN_ESCAPE:
        let_go(a);
        break;
    case '?':
    case SCREEN_F1:
        guide_show(a->screen, &a->behind, a->options->language, a->options->rules, GUIDE_ARRANGE);
        break;
    case 'd':
        *content = arrange_accept(a);
        return *content;
    case 'q':
        return dialog_confirm(a->screen, &a->behind,
                              arrange_text(a, TEXT("Leave without playing?")),
                              arrange_text(a, TEXT("leave")), arrange_text(a, TEXT("go on")));
    default:
        let_go(a);
        if (key == 'r' || key == 'o' || key == 'c' || key == 'u') a->idea[0] = 0;
        if (key == 'r') arrange_shuffle(a);
        if (key == ':') type_kind(a);
        if (key == 'm') editor_mirror(&a->editor);
        if (key == 'f') fill_from_library(a);
        if (key == 'o') open_file(a);
        if (key == 's') arrange_save(a);
        if (key == 'c') editor_clear(&a->editor);
        if (key == 'u' && !editor_undo(&a->editor))
            arrange_say(a, false, arrange_text(a, TEXT("There is nothing to undo.")));
        if (key == 'y') editor_redo(&a->editor);
    }
    return false;
}

static void arrange_click(struct arranging *a, int row, int column) {
    square at = game_layout_square(&a->layout, row, column);
    a->message[0] = a->typed[0] = 0;
    if (is_in_zone(a, at)) {
        a->cursor = at;
        arrange_point(a);
        return;
    }
    for (kind_id kind = 1; kind <= a->options->rules->kinds; kind++) {
        int from = a->item[kind].column;
        if (a->item[kind].row == row && column >= from && column < from + ITEM_COLUMNS)
            take_kind(a, kind);
    }
}

static bool has_pieces(const struct setup *setup) {
    static const struct setup none;
    return memcmp(setup, &none, sizeof none) != 0;
}

bool arrange_on_screen(struct screen *screen, const struct arrange_options *options,
                       struct random *random, struct setup *setup, struct fault *fault) {
    struct arranging a = {.screen = screen, .options = options, .random = random};
    const struct rules *rules = options->rules;
    editor_start(&a.editor, rules, options->side, setup);
    if (!has_pieces(&a.editor.setup)) {
        if (!setup_random(rules, options->side, random, setup, fault)) return false;
        editor_start(&a.editor, rules, options->side, setup);
    }
    a.behind = (struct backdrop){arrange_draw, &a};
    a.layout.language = options->language;
    a.layout.draw_panel = draw_left;
    a.layout.context = &a;
    a.cursor = turned(&a, board_square(&rules->board, (rules->board.files - 1) / 2,
                                       rules->board.zone_ranks[options->side] - 1));
    bool content = false;
    for (;;) {
        screen_clear(screen);
        arrange_draw(&a, screen);
        screen_show(screen);
        struct screen_event event = screen_wait(screen, -1);
        if (event.type == SCREEN_CLOSED) break;
        if (event.type == SCREEN_MOUSE) arrange_click(&a, event.row, event.column);
        if (event.type != SCREEN_KEY || !arrange_key(&a, event.command, &content)) continue;
        break;
    }
    *setup = a.editor.setup;
    return content;
}
