/* start_screen.c - the start screen.
 *
 * A form of fields, each with its value and a line about it. Variants and bots are loaded for what
 * they say of themselves; a broken one says so and cannot be played. */
#include "start_screen.h"

#include "cli/columns.h"
#include "dialog.h"
#include "game_layout.h"
#include "guide.h"
#include "host/bot_levels.h"
#include "host/seed.h"
#include "jail/loader.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PACES_MAX = 8 };

/* The clocks that the start screen offers. */
struct paces {
    struct pace list[PACES_MAX]; /* the first: no clock */
    int count, chosen;
};

enum { SECOND = 1000, MINUTE = 60 * SECOND };

/* As people play chess: minutes for the game, and seconds for each move. */
static const struct pace USUAL[] = {
    {0, 0},
    {5 * MINUTE, 3 * SECOND},
    {10 * MINUTE, 5 * SECOND},
    {15 * MINUTE, 10 * SECOND},
    {30 * MINUTE, 0},
    {60 * MINUTE, 0},
};
enum { USUAL_COUNT = sizeof USUAL / sizeof *USUAL };

/* The usual clocks, and the one asked for if it is another; that one is chosen. */
static void paces_open(struct paces *paces, const struct pace *asked) {
    *paces = (struct paces){.count = USUAL_COUNT, .chosen = USUAL_COUNT};
    for (int i = 0; i < USUAL_COUNT; i++) {
        paces->list[i] = USUAL[i];
        if (USUAL[i].ms == asked->ms && USUAL[i].increment == asked->increment) paces->chosen = i;
    }
    if (paces->chosen == USUAL_COUNT) paces->list[paces->count++] = *asked;
}

static void paces_step(struct paces *paces, int by) {
    paces->chosen = (paces->chosen + by + paces->count) % paces->count;
}

static void paces_write(const struct paces *paces, const struct language *language, int index,
                        char *out, size_t size) {
    const struct pace *pace = &paces->list[index];
    char minutes[24], seconds[24];
    snprintf(minutes, sizeof minutes, "%g", (double)pace->ms / MINUTE);
    snprintf(seconds, sizeof seconds, "%g", (double)pace->increment / SECOND);
    language_write(out, size, language,
                   !pace->ms         ? TEXT("no clock")
                   : pace->increment ? TEXT("{1} minutes each, {2} seconds more for a move")
                                     : TEXT("{1} minutes each"),
                   minutes, seconds);
}

/* Lets a person choose from a list. */
static void paces_choose(struct paces *paces, const struct language *language,
                         struct screen *screen, const struct backdrop *behind, const char *title) {
    char texts[PACES_MAX][LANGUAGE_TEXT_MAX];
    struct dialog_item items[PACES_MAX];
    for (int i = 0; i < paces->count; i++) {
        paces_write(paces, language, i, texts[i], sizeof texts[i]);
        items[i] = (struct dialog_item){texts[i], NULL};
    }
    int chosen = dialog_choose(screen, behind, title, items, paces->count, paces->chosen);
    if (chosen >= 0) paces->chosen = chosen;
}

enum {
    GAMES_MAX = 200,
    NAME_BYTES = 64,
    ABOUT_BYTES = 512,
    LABEL_COLUMNS = 14,
    FORM_COLUMNS = 76,
    FORM_ROW = 3,
    ABOUT_ROWS = 2
};

enum field {
    FIELD_GAME,
    FIELD_SEATS,
    FIELD_RED,
    FIELD_BLUE,
    FIELD_FIRST,
    FIELD_CLOCK,
    FIELD_SEED,
    FIELD_PLAY
};
enum { FIELDS = FIELD_PLAY + 1 };

enum seats { SEATS_RED, SEATS_BLUE, SEATS_BOTH, SEATS_NONE, SEATS_COUNT };

struct game_entry {
    char name[NAME_BYTES], title[TITLE_MAX], about[ABOUT_BYTES];
    enum first_side first;
    bool broken;
};

struct start_screen {
    struct screen *screen;
    struct backdrop behind;
    const struct folders *folders;
    const struct language *language;
    struct game_entry *games;
    struct bot_levels bots;
    int game_count;
    int game;
    int bot[2]; /* of red and of blue, if it is a bot's */
    enum seats seats;
    int first; /* enum side, -1: as the rules say */
    struct paces paces;
    enum field field; /* the selected one */
    int row[FIELDS];  /* of each field; -1: not shown */
    bool newcomer;    /* has no games yet */
};

static const char *start_screen_text(const struct start_screen *start, const char *english) {
    return language_text(start->language, english);
}

static void start_screen_add_game(void *context, const char *name, const char *path) {
    struct start_screen *start = context;
    struct fault fault = {0};
    (void)path;
    if (start->game_count == GAMES_MAX || strlen(name) >= NAME_BYTES) return;
    struct game_entry *game = &start->games[start->game_count++];
    snprintf(game->name, sizeof game->name, "%s", name);
    struct rules *rules = loader_variant(start->folders, name, &fault);
    if (!rules) {
        game->broken = true;
        snprintf(game->title, sizeof game->title, "%s", name);
        char why[LANGUAGE_TEXT_MAX];
        language_fault(start->language, &fault, why, sizeof why);
        language_write(game->about, sizeof game->about, start->language, "cannot be played: {1}",
                       why);
        return;
    }
    game->first = (enum first_side)rules->first;
    snprintf(game->title, sizeof game->title, "%s", language_title(start->language, rules));
    char size[32];
    snprintf(size, sizeof size, "%d x %d", rules->board.files, rules->board.ranks);
    language_write(game->about, sizeof game->about, start->language, "{1}, pieces: {2}", size,
                   NUMBER_TEXT(rules_size(rules)));
    if (rules->edition[0]) {
        size_t used = strlen(game->about);
        snprintf(game->about + used, sizeof game->about - used, "; %s",
                 start_screen_text(start, rules->edition));
    }
    rules_free(rules);
}

/* "medium: hunter"; a bot without a level is its name. */
static void write_bot(const struct start_screen *start, const struct rung *bot,
                      char out[ABOUT_BYTES]) {
    enum bot_level level = bot->card.level;
    snprintf(out, ABOUT_BYTES, "%s%s%s",
             level ? start_screen_text(start, bot_level_name(level)) : "", level ? ": " : "",
             bot->name);
}

static void tell_bot(const struct start_screen *start, const struct rung *bot,
                     char out[ABOUT_BYTES]) {
    char why[LANGUAGE_TEXT_MAX];
    snprintf(out, ABOUT_BYTES, "%s",
             bot->card.about[0] ? start_screen_text(start, bot->card.about) : bot->card.title);
    if (bot->fault.status == STATUS_OK) return;
    language_fault(start->language, &bot->fault, why, sizeof why);
    language_write(out, ABOUT_BYTES, start->language, "cannot be played: {1}", why);
}

static int find_bot(const struct start_screen *start, const char *name, int otherwise) {
    for (int i = 0; i < start->bots.count; i++)
        if (!strcmp(start->bots.list[i].name, name)) return i;
    return otherwise;
}

static void take_terms(struct start_screen *start, const struct terms *terms) {
    bool red = !strcmp(terms->player[RED], "human"), blue = !strcmp(terms->player[BLUE], "human");
    for (int i = 0; i < start->game_count; i++)
        if (!strcmp(start->games[i].name, terms->variant)) start->game = i;
    int usual = find_bot(start, "lieutenant", 0);
    for (int side = RED; side <= BLUE; side++)
        start->bot[side] = find_bot(start, terms->player[side], usual);
    start->seats = red && blue ? SEATS_BOTH : red ? SEATS_RED : blue ? SEATS_BLUE : SEATS_NONE;
    if (!start->bots.count) start->seats = SEATS_BOTH;
    start->first = terms->first;
    paces_open(&start->paces, &terms->pace);
}

static bool is_person(const struct start_screen *start, enum side side) {
    return start->seats == SEATS_BOTH || start->seats == (side == RED ? SEATS_RED : SEATS_BLUE);
}

static bool is_shown(const struct start_screen *start, enum field field) {
    if (field == FIELD_RED) return !is_person(start, RED);
    if (field == FIELD_BLUE) return !is_person(start, BLUE);
    if (field == FIELD_CLOCK) return start->seats != SEATS_NONE;
    return true;
}

static void give_terms(const struct start_screen *start, struct terms *terms) {
    snprintf(terms->variant, sizeof terms->variant, "%s", start->games[start->game].name);
    for (int side = RED; side <= BLUE; side++) {
        snprintf(terms->player[side], sizeof terms->player[side], "%s",
                 is_person(start, (enum side)side) ? "human"
                                                   : start->bots.list[start->bot[side]].name);
    }
    terms->first = start->first;
    terms->pace = start->paces.list[is_shown(start, FIELD_CLOCK) ? start->paces.chosen : 0];
}

static const char *field_label(const struct start_screen *start, enum field field) {
    switch (field) {
    case FIELD_GAME:
        return start_screen_text(start, TEXT("Game"));
    case FIELD_SEATS:
        return start_screen_text(start, TEXT("You play"));
    case FIELD_RED:
        return start_screen_text(start, start->seats == SEATS_NONE ? TEXT("Red") : TEXT("Against"));
    case FIELD_BLUE:
        return start_screen_text(start,
                                 start->seats == SEATS_NONE ? TEXT("Blue") : TEXT("Against"));
    case FIELD_FIRST:
        return start_screen_text(start, TEXT("First move"));
    case FIELD_CLOCK:
        return start_screen_text(start, TEXT("Clock"));
    case FIELD_SEED:
        return start_screen_text(start, TEXT("Seed"));
    case FIELD_PLAY:
        break;
    }
    return "";
}

static const char *seats_text(const struct start_screen *start, enum seats seats) {
    static const char *const names[SEATS_COUNT] = {TEXT("red"), TEXT("blue"),
                                                   TEXT("both: two people at one keyboard"),
                                                   TEXT("neither: watch two bots")};
    return start_screen_text(start, names[seats]);
}

static const char *first_text(const struct start_screen *start, int first) {
    if (first >= 0)
        return start_screen_text(start, first == RED ? TEXT("red begins") : TEXT("blue begins"));
    switch (start->games[start->game].first) {
    case FIRST_RED:
        return start_screen_text(start, TEXT("as the rules say: red"));
    case FIRST_BLUE:
        return start_screen_text(start, TEXT("as the rules say: blue"));
    default:
        return start_screen_text(start, TEXT("the rules leave it open: random"));
    }
}

static const struct rung *bot_of(const struct start_screen *start, enum field field) {
    return &start->bots.list[start->bot[field == FIELD_RED ? RED : BLUE]];
}

static void field_value(const struct start_screen *start, enum field field, char out[ABOUT_BYTES]) {
    const char *shown = "";
    switch (field) {
    case FIELD_GAME:
        shown = start->games[start->game].title;
        break;
    case FIELD_SEATS:
        shown = seats_text(start, start->seats);
        break;
    case FIELD_RED:
    case FIELD_BLUE:
        write_bot(start, bot_of(start, field), out);
        return;
    case FIELD_FIRST:
        shown = first_text(start, start->first);
        break;
    case FIELD_CLOCK:
        paces_write(&start->paces, start->language, start->paces.chosen, out, ABOUT_BYTES);
        return;
    case FIELD_SEED:
        shown = start_screen_text(start, seed_given() ? TEXT("as given") : TEXT("random"));
        break;
    case FIELD_PLAY:
        shown = start_screen_text(start, TEXT("Play"));
        break;
    }
    snprintf(out, ABOUT_BYTES, "%s", shown);
}

static void field_about(const struct start_screen *start, enum field field, char out[ABOUT_BYTES]) {
    const char *about = "";
    if (field == FIELD_RED || field == FIELD_BLUE) {
        tell_bot(start, bot_of(start, field), out);
        return;
    }
    if (field == FIELD_GAME) about = start->games[start->game].about;
    if (field == FIELD_SEED)
        about = start_screen_text(start, TEXT("the same seed gives the same random numbers"));
    snprintf(out, ABOUT_BYTES, "%s", about);
}

static void start_screen_draw(void *context, struct screen *screen) {
    struct start_screen *start = context;
    int width = screen->columns < FORM_COLUMNS ? screen->columns : FORM_COLUMNS;
    int left = (screen->columns - width) / 2, row = screen->rows > 16 ? FORM_ROW : 1;
    int label_columns = LABEL_COLUMNS;
    for (enum field field = FIELD_GAME; field < FIELD_PLAY; field++) {
        int columns = columns_of(field_label(start, field), SIZE_MAX) + 2;
        if (columns > label_columns && columns < width / 2) label_columns = columns;
    }
    /* Rows left after the fields, the blank row before the last, and the keys. */
    int spare = screen->rows - row - 2;
    for (int i = 0; i < FIELDS; i++) spare -= is_shown(start, (enum field)i);
    int title = left + screen_put(screen, 0, left, STYLE_TITLE, "Ensign") + 2;
    if (start->newcomer) {
        screen_put_in(
            screen, 0, title, screen->columns - title, STYLE_STRONG,
            start_screen_text(start, TEXT("Never played? Press t: a lesson of five minutes.")));
    }
    for (int i = 0; i < FIELDS; i++) {
        enum field field = (enum field)i;
        char shown[ABOUT_BYTES], marked[ABOUT_BYTES + 8], words[ABOUT_BYTES];
        bool here = field == start->field;
        start->row[field] = -1;
        if (!is_shown(start, field)) continue;
        if (field == FIELD_PLAY) row++;
        start->row[field] = row;
        field_value(start, field, shown);
        snprintf(marked, sizeof marked, "%s %s ", here ? ">" : " ", shown);
        screen_put_in(screen, row, left, label_columns, STYLE_PLAIN, field_label(start, field));
        screen_put(screen, row, left + label_columns, here ? STYLE_CHOSEN : STYLE_STRONG, marked);
        row++;
        field_about(start, field, words);
        int indent = label_columns + 2, room = spare < ABOUT_ROWS ? spare : ABOUT_ROWS;
        if (!*words || room < 1) continue;
        int lines =
            screen_wrap(screen, row, left + indent, width - indent, room, 0, STYLE_DIM, words);
        row += lines < room ? lines : room;
        spare -= lines < room ? lines : room;
    }
    game_layout_draw_keys(
        screen,
        start_screen_text(
            start, TEXT("↑↓:another field ←→:another value Enter:choose p:play ?:help q:leave")));
}

static int *field_index(struct start_screen *start, enum field field, int *count) {
    if (field == FIELD_GAME) {
        *count = start->game_count;
        return &start->game;
    }
    *count = start->bots.count;
    return &start->bot[field == FIELD_RED ? RED : BLUE];
}

static void start_screen_step(struct start_screen *start, int by) {
    int count, *index;
    /* On Play, where the screen begins, the arrows change the game. */
    enum field field = start->field == FIELD_PLAY ? FIELD_GAME : start->field;
    switch (field) {
    case FIELD_GAME:
    case FIELD_RED:
    case FIELD_BLUE:
        index = field_index(start, field, &count);
        *index = (*index + by + count) % count;
        break;
    case FIELD_SEATS:
        if (start->bots.count)
            start->seats = (enum seats)(((int)start->seats + by + SEATS_COUNT) % SEATS_COUNT);
        break;
    case FIELD_FIRST:
        start->first = (start->first + 1 + by + 3) % 3 - 1;
        break;
    case FIELD_CLOCK:
        paces_step(&start->paces, by);
        break;
    case FIELD_SEED:
    case FIELD_PLAY:
        break;
    }
}

static void choose_from(struct start_screen *start, enum field field) {
    static struct dialog_item
        items[GAMES_MAX > BOT_LEVELS_MAX + 1 ? GAMES_MAX : BOT_LEVELS_MAX + 1];
    static char name[BOT_LEVELS_MAX][ABOUT_BYTES], about[BOT_LEVELS_MAX][ABOUT_BYTES];
    int count, *index = field_index(start, field, &count), bots = 0;
    for (; field != FIELD_GAME && bots < count; bots++) {
        write_bot(start, &start->bots.list[bots], name[bots]);
        tell_bot(start, &start->bots.list[bots], about[bots]);
        items[bots] = (struct dialog_item){name[bots], about[bots]};
    }
    for (int i = 0; field == FIELD_GAME && i < count; i++)
        items[i] = (struct dialog_item){start->games[i].title, start->games[i].about};
    if (bots && start->seats != SEATS_NONE)
        items[count++] =
            (struct dialog_item){start_screen_text(start, TEXT("a human")),
                                 start_screen_text(start, TEXT("two people at one keyboard"))};
    int chosen = dialog_choose(start->screen, &start->behind, field_label(start, field), items,
                               count, *index);
    if (chosen < 0) return;
    if (bots && chosen == bots) {
        start->seats = SEATS_BOTH;
        start->field = FIELD_SEATS;
    } else {
        *index = chosen;
    }
}

static void choose_word(struct start_screen *start) {
    struct dialog_item items[SEATS_COUNT];
    bool seats = start->field == FIELD_SEATS;
    int count = seats ? SEATS_COUNT : 3;
    if (seats && !start->bots.count) return;
    for (int i = 0; i < count; i++) {
        items[i] = (struct dialog_item){
            seats ? seats_text(start, (enum seats)i) : first_text(start, i - 1), NULL};
    }
    int chosen = dialog_choose(start->screen, &start->behind, field_label(start, start->field),
                               items, count, seats ? (int)start->seats : start->first + 1);
    if (chosen < 0) return;
    if (seats)
        start->seats = (enum seats)chosen;
    else
        start->first = chosen - 1;
}

/* The seed is not kept on the screen. */
static void type_seed(struct start_screen *start) {
    char digits[SEED_TEXT_MAX] = "";
    bool typed =
        dialog_type(start->screen, &start->behind, start_screen_text(start, TEXT("Seed")),
                    start_screen_text(start, TEXT("A whole number:")), digits, sizeof digits);
    if (typed && !digits[0]) seed_forget();
    if (typed) seed_give(digits, UINT64_MAX);
}

/* True when the game begins. */
static bool start_screen_enter(struct start_screen *start) {
    switch (start->field) {
    case FIELD_GAME:
    case FIELD_RED:
    case FIELD_BLUE:
        choose_from(start, start->field);
        return false;
    case FIELD_SEATS:
    case FIELD_FIRST:
        choose_word(start);
        return false;
    case FIELD_CLOCK:
        paces_choose(&start->paces, start->language, start->screen, &start->behind,
                     field_label(start, FIELD_CLOCK));
        return false;
    case FIELD_SEED:
        type_seed(start);
        return false;
    case FIELD_PLAY:
        break;
    }
    const struct game_entry *game = &start->games[start->game];
    if (!game->broken) return true;
    dialog_read(start->screen, &start->behind, game->title, game->about);
    return false;
}

static void start_screen_move(struct start_screen *start, int by) {
    do start->field = (enum field)(((int)start->field + by + FIELDS) % FIELDS);
    while (!is_shown(start, start->field));
}

static void start_screen_help(struct start_screen *start) {
    struct rules *rules =
        loader_variant(start->folders, start->games[start->game].name, &(struct fault){0});
    guide_show(start->screen, &start->behind, start->language, rules, GUIDE_START);
    rules_free(rules);
}

enum answer_of_key { GO_ON, BEGIN, LEARN, LEAVE };

static enum answer_of_key start_screen_key(struct start_screen *start, int key) {
    switch (key) {
    case SCREEN_UP:
    case SCREEN_BACK_TAB:
    case 'k':
        start_screen_move(start, -1);
        break;
    case SCREEN_DOWN:
    case SCREEN_TAB:
    case 'j':
        start_screen_move(start, 1);
        break;
    case SCREEN_LEFT:
    case 'h':
        start_screen_step(start, -1);
        break;
    case SCREEN_RIGHT:
    case 'l':
        start_screen_step(start, 1);
        break;
    case 'p':
        start->field = FIELD_PLAY;
        return start_screen_enter(start) ? BEGIN : GO_ON;
    case SCREEN_ENTER:
    case ' ':
        return start_screen_enter(start) ? BEGIN : GO_ON;
    case 't':
        return LEARN;
    case '?':
    case SCREEN_F1:
        start_screen_help(start);
        break;
    case SCREEN_ESCAPE:
    case 'q':
        return LEAVE;
    default:
        break;
    }
    return GO_ON;
}

static enum answer_of_key start_screen_click(struct start_screen *start, int row) {
    for (int field = 0; field < FIELDS; field++) {
        if (start->row[field] != row) continue;
        start->field = (enum field)field;
        return start_screen_enter(start) ? BEGIN : GO_ON;
    }
    return GO_ON;
}

static enum answer_of_key start_screen_run(struct start_screen *start) {
    for (;;) {
        screen_clear(start->screen);
        start_screen_draw(start, start->screen);
        start->screen->cursor_row = start->screen->cursor_column = -1;
        screen_show(start->screen);
        struct screen_event event = screen_wait(start->screen, -1);
        enum answer_of_key answer = GO_ON;
        if (event.type == SCREEN_CLOSED) return LEAVE;
        if (event.type == SCREEN_KEY) answer = start_screen_key(start, event.command);
        if (event.type == SCREEN_MOUSE) answer = start_screen_click(start, event.row);
        if (answer != GO_ON) return answer;
    }
}

bool start_screen_choose(struct screen *screen, const struct folders *folders,
                         const struct language *language, bool newcomer, struct terms *terms) {
    struct start_screen start = {.screen = screen,
                                 .folders = folders,
                                 .language = language,
                                 .games = calloc(GAMES_MAX, sizeof *start.games),
                                 .field = FIELD_PLAY,
                                 .newcomer = newcomer};
    start.behind = (struct backdrop){start_screen_draw, &start};
    bool begins = false;
    if (start.games) {
        folders_list(folders, FOLDER_VARIANTS, start_screen_add_game, &start);
        if (!bot_levels_read(folders, &start.bots, &(struct fault){0}))
            bot_levels_clear(&start.bots);
        take_terms(&start, terms);
        enum answer_of_key answer = start.game_count ? start_screen_run(&start) : LEAVE;
        begins = answer == BEGIN || answer == LEARN;
        terms->lesson = answer == LEARN;
        if (begins) give_terms(&start, terms);
    }
    free(start.games);
    bot_levels_clear(&start.bots);
    return begins;
}
