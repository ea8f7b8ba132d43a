/* lobby.c - the start screen.
 *
 * A form of fields, each with its value and a line about it. Variants and bots are loaded for what
 * they say of themselves; a broken one says so and cannot be played. */
#include "lobby.h"

#include "cli/columns.h"
#include "dialog.h"
#include "guide.h"
#include "host/bot_levels.h"
#include "host/seed.h"
#include "jail/loader.h"
#include "scene.h"

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

struct lobby {
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

static const char *lobby_text(const struct lobby *lobby, const char *english) {
    return language_text(lobby->language, english);
}

static void lobby_add_game(void *context, const char *name, const char *path) {
    struct lobby *lobby = context;
    struct fault fault = {0};
    (void)path;
    if (lobby->game_count == GAMES_MAX || strlen(name) >= NAME_BYTES) return;
    struct game_entry *game = &lobby->games[lobby->game_count++];
    snprintf(game->name, sizeof game->name, "%s", name);
    struct rules *rules = loader_variant(lobby->folders, name, &fault);
    if (!rules) {
        game->broken = true;
        snprintf(game->title, sizeof game->title, "%s", name);
        char why[LANGUAGE_TEXT_MAX];
        language_fault(lobby->language, &fault, why, sizeof why);
        language_write(game->about, sizeof game->about, lobby->language, "cannot be played: {1}",
                       why);
        return;
    }
    game->first = (enum first_side)rules->first;
    snprintf(game->title, sizeof game->title, "%s", language_title(lobby->language, rules));
    char size[32];
    snprintf(size, sizeof size, "%d x %d", rules->board.files, rules->board.ranks);
    language_write(game->about, sizeof game->about, lobby->language, "{1}, pieces: {2}", size,
                   NUMBER_TEXT(rules->army_size));
    if (rules->edition[0]) {
        size_t used = strlen(game->about);
        snprintf(game->about + used, sizeof game->about - used, "; %s",
                 lobby_text(lobby, rules->edition));
    }
    rules_free(rules);
}

/* "medium: hunter"; a bot without a level is its name. */
static void write_bot(const struct lobby *lobby, const struct rung *bot, char out[ABOUT_BYTES]) {
    enum bot_level level = bot->card.level;
    snprintf(out, ABOUT_BYTES, "%s%s%s", level ? lobby_text(lobby, bot_level_name(level)) : "",
             level ? ": " : "", bot->name);
}

static void tell_bot(const struct lobby *lobby, const struct rung *bot, char out[ABOUT_BYTES]) {
    char why[LANGUAGE_TEXT_MAX];
    snprintf(out, ABOUT_BYTES, "%s",
             bot->card.about[0] ? lobby_text(lobby, bot->card.about) : bot->card.title);
    if (bot->fault.status == STATUS_OK) return;
    language_fault(lobby->language, &bot->fault, why, sizeof why);
    language_write(out, ABOUT_BYTES, lobby->language, "cannot be played: {1}", why);
}

static int find_bot(const struct lobby *lobby, const char *name, int otherwise) {
    for (int i = 0; i < lobby->bots.count; i++)
        if (!strcmp(lobby->bots.list[i].name, name)) return i;
    return otherwise;
}

static void take_terms(struct lobby *lobby, const struct terms *terms) {
    bool red = !strcmp(terms->player[RED], "human"), blue = !strcmp(terms->player[BLUE], "human");
    for (int i = 0; i < lobby->game_count; i++)
        if (!strcmp(lobby->games[i].name, terms->variant)) lobby->game = i;
    int usual = find_bot(lobby, "lieutenant", 0);
    for (int side = RED; side <= BLUE; side++)
        lobby->bot[side] = find_bot(lobby, terms->player[side], usual);
    lobby->seats = red && blue ? SEATS_BOTH : red ? SEATS_RED : blue ? SEATS_BLUE : SEATS_NONE;
    if (!lobby->bots.count) lobby->seats = SEATS_BOTH;
    lobby->first = terms->first;
    paces_open(&lobby->paces, &terms->pace);
}

static bool is_person(const struct lobby *lobby, enum side side) {
    return lobby->seats == SEATS_BOTH || lobby->seats == (side == RED ? SEATS_RED : SEATS_BLUE);
}

static bool is_shown(const struct lobby *lobby, enum field field) {
    if (field == FIELD_RED) return !is_person(lobby, RED);
    if (field == FIELD_BLUE) return !is_person(lobby, BLUE);
    if (field == FIELD_CLOCK) return lobby->seats != SEATS_NONE;
    return true;
}

static void give_terms(const struct lobby *lobby, struct terms *terms) {
    snprintf(terms->variant, sizeof terms->variant, "%s", lobby->games[lobby->game].name);
    for (int side = RED; side <= BLUE; side++) {
        snprintf(terms->player[side], sizeof terms->player[side], "%s",
                 is_person(lobby, (enum side)side) ? "human"
                                                   : lobby->bots.list[lobby->bot[side]].name);
    }
    terms->first = lobby->first;
    terms->pace = lobby->paces.list[is_shown(lobby, FIELD_CLOCK) ? lobby->paces.chosen : 0];
}

static const char *field_label(const struct lobby *lobby, enum field field) {
    switch (field) {
    case FIELD_GAME:
        return lobby_text(lobby, TEXT("Game"));
    case FIELD_SEATS:
        return lobby_text(lobby, TEXT("You play"));
    case FIELD_RED:
        return lobby_text(lobby, lobby->seats == SEATS_NONE ? TEXT("Red") : TEXT("Against"));
    case FIELD_BLUE:
        return lobby_text(lobby, lobby->seats == SEATS_NONE ? TEXT("Blue") : TEXT("Against"));
    case FIELD_FIRST:
        return lobby_text(lobby, TEXT("First move"));
    case FIELD_CLOCK:
        return lobby_text(lobby, TEXT("Clock"));
    case FIELD_SEED:
        return lobby_text(lobby, TEXT("Seed"));
    case FIELD_PLAY:
        break;
    }
    return "";
}

static const char *seats_text(const struct lobby *lobby, enum seats seats) {
    static const char *const names[SEATS_COUNT] = {TEXT("red"), TEXT("blue"),
                                                   TEXT("both: two people at one keyboard"),
                                                   TEXT("neither: watch two bots")};
    return lobby_text(lobby, names[seats]);
}

static const char *first_text(const struct lobby *lobby, int first) {
    if (first >= 0)
        return lobby_text(lobby, first == RED ? TEXT("red begins") : TEXT("blue begins"));
    switch (lobby->games[lobby->game].first) {
    case FIRST_RED:
        return lobby_text(lobby, TEXT("as the rules say: red"));
    case FIRST_BLUE:
        return lobby_text(lobby, TEXT("as the rules say: blue"));
    default:
        return lobby_text(lobby, TEXT("the rules leave it open: random"));
    }
}

static const struct rung *bot_of(const struct lobby *lobby, enum field field) {
    return &lobby->bots.list[lobby->bot[field == FIELD_RED ? RED : BLUE]];
}

static void field_value(const struct lobby *lobby, enum field field, char out[ABOUT_BYTES]) {
    const char *shown = "";
    switch (field) {
    case FIELD_GAME:
        shown = lobby->games[lobby->game].title;
        break;
    case FIELD_SEATS:
        shown = seats_text(lobby, lobby->seats);
        break;
    case FIELD_RED:
    case FIELD_BLUE:
        write_bot(lobby, bot_of(lobby, field), out);
        return;
    case FIELD_FIRST:
        shown = first_text(lobby, lobby->first);
        break;
    case FIELD_CLOCK:
        paces_write(&lobby->paces, lobby->language, lobby->paces.chosen, out, ABOUT_BYTES);
        return;
    case FIELD_SEED:
        shown = lobby_text(lobby, seed_given() ? TEXT("as given") : TEXT("random"));
        break;
    case FIELD_PLAY:
        shown = lobby_text(lobby, TEXT("Play"));
        break;
    }
    snprintf(out, ABOUT_BYTES, "%s", shown);
}

static void field_about(const struct lobby *lobby, enum field field, char out[ABOUT_BYTES]) {
    const char *about = "";
    if (field == FIELD_RED || field == FIELD_BLUE) {
        tell_bot(lobby, bot_of(lobby, field), out);
        return;
    }
    if (field == FIELD_GAME) about = lobby->games[lobby->game].about;
    if (field == FIELD_SEED)
        about = lobby_text(lobby, TEXT("the same seed gives the same random numbers"));
    snprintf(out, ABOUT_BYTES, "%s", about);
}

static void lobby_draw(void *context, struct screen *screen) {
    struct lobby *lobby = context;
    int width = screen->columns < FORM_COLUMNS ? screen->columns : FORM_COLUMNS;
    int left = (screen->columns - width) / 2, row = screen->rows > 16 ? FORM_ROW : 1;
    int label_columns = LABEL_COLUMNS;
    for (enum field field = FIELD_GAME; field < FIELD_PLAY; field++) {
        int columns = columns_of(field_label(lobby, field), SIZE_MAX) + 2;
        if (columns > label_columns && columns < width / 2) label_columns = columns;
    }
    /* Rows left after the fields, the blank row before the last, and the keys. */
    int spare = screen->rows - row - 2;
    for (int i = 0; i < FIELDS; i++) spare -= is_shown(lobby, (enum field)i);
    int title = left + screen_put(screen, 0, left, STYLE_TITLE, "Ensign") + 2;
    if (lobby->newcomer) {
        screen_put_in(screen, 0, title, screen->columns - title, STYLE_STRONG,
                      lobby_text(lobby, TEXT("Never played? Press t: a lesson of five minutes.")));
    }
    for (int i = 0; i < FIELDS; i++) {
        enum field field = (enum field)i;
        char shown[ABOUT_BYTES], marked[ABOUT_BYTES + 8], words[ABOUT_BYTES];
        bool here = field == lobby->field;
        lobby->row[field] = -1;
        if (!is_shown(lobby, field)) continue;
        if (field == FIELD_PLAY) row++;
        lobby->row[field] = row;
        field_value(lobby, field, shown);
        snprintf(marked, sizeof marked, "%s %s ", here ? ">" : " ", shown);
        screen_put_in(screen, row, left, label_columns, STYLE_PLAIN, field_label(lobby, field));
        screen_put(screen, row, left + label_columns, here ? STYLE_CHOSEN : STYLE_STRONG, marked);
        row++;
        field_about(lobby, field, words);
        int indent = label_columns + 2, room = spare < ABOUT_ROWS ? spare : ABOUT_ROWS;
        if (!*words || room < 1) continue;
        int lines =
            screen_wrap(screen, row, left + indent, width - indent, room, 0, STYLE_DIM, words);
        row += lines < room ? lines : room;
        spare -= lines < room ? lines : room;
    }
    scene_draw_keys(
        screen,
        lobby_text(lobby,
                   TEXT("↑↓:another field ←→:another value Enter:choose p:play ?:help q:leave")));
}

static int *field_index(struct lobby *lobby, enum field field, int *count) {
    if (field == FIELD_GAME) {
        *count = lobby->game_count;
        return &lobby->game;
    }
    *count = lobby->bots.count;
    return &lobby->bot[field == FIELD_RED ? RED : BLUE];
}

static void lobby_step(struct lobby *lobby, int by) {
    int count, *index;
    /* On Play, where the screen begins, the arrows change the game. */
    enum field field = lobby->field == FIELD_PLAY ? FIELD_GAME : lobby->field;
    switch (field) {
    case FIELD_GAME:
    case FIELD_RED:
    case FIELD_BLUE:
        index = field_index(lobby, field, &count);
        *index = (*index + by + count) % count;
        break;
    case FIELD_SEATS:
        if (lobby->bots.count)
            lobby->seats = (enum seats)(((int)lobby->seats + by + SEATS_COUNT) % SEATS_COUNT);
        break;
    case FIELD_FIRST:
        lobby->first = (lobby->first + 1 + by + 3) % 3 - 1;
        break;
    case FIELD_CLOCK:
        paces_step(&lobby->paces, by);
        break;
    case FIELD_SEED:
    case FIELD_PLAY:
        break;
    }
}

static void choose_from(struct lobby *lobby, enum field field) {
    static struct dialog_item
        items[GAMES_MAX > BOT_LEVELS_MAX + 1 ? GAMES_MAX : BOT_LEVELS_MAX + 1];
    static char name[BOT_LEVELS_MAX][ABOUT_BYTES], about[BOT_LEVELS_MAX][ABOUT_BYTES];
    int count, *index = field_index(lobby, field, &count), bots = 0;
    for (; field != FIELD_GAME && bots < count; bots++) {
        write_bot(lobby, &lobby->bots.list[bots], name[bots]);
        tell_bot(lobby, &lobby->bots.list[bots], about[bots]);
        items[bots] = (struct dialog_item){name[bots], about[bots]};
    }
    for (int i = 0; field == FIELD_GAME && i < count; i++)
        items[i] = (struct dialog_item){lobby->games[i].title, lobby->games[i].about};
    if (bots && lobby->seats != SEATS_NONE)
        items[count++] =
            (struct dialog_item){lobby_text(lobby, TEXT("a human")),
                                 lobby_text(lobby, TEXT("two people at one keyboard"))};
    int chosen = dialog_choose(lobby->screen, &lobby->behind, field_label(lobby, field), items,
                               count, *index);
    if (chosen < 0) return;
    if (bots && chosen == bots) {
        lobby->seats = SEATS_BOTH;
        lobby->field = FIELD_SEATS;
    } else {
        *index = chosen;
    }
}

static void choose_word(struct lobby *lobby) {
    struct dialog_item items[SEATS_COUNT];
    bool seats = lobby->field == FIELD_SEATS;
    int count = seats ? SEATS_COUNT : 3;
    if (seats && !lobby->bots.count) return;
    for (int i = 0; i < count; i++) {
        items[i] = (struct dialog_item){
            seats ? seats_text(lobby, (enum seats)i) : first_text(lobby, i - 1), NULL};
    }
    int chosen = dialog_choose(lobby->screen, &lobby->behind, field_label(lobby, lobby->field),
                               items, count, seats ? (int)lobby->seats : lobby->first + 1);
    if (chosen < 0) return;
    if (seats)
        lobby->seats = (enum seats)chosen;
    else
        lobby->first = chosen - 1;
}

/* The seed is not kept on the screen. */
static void type_seed(struct lobby *lobby) {
    char digits[SEED_TEXT_MAX] = "";
    bool typed = dialog_type(lobby->screen, &lobby->behind, lobby_text(lobby, TEXT("Seed")),
                             lobby_text(lobby, TEXT("A whole number:")), digits, sizeof digits);
    if (typed && !digits[0]) seed_forget();
    if (typed) seed_give(digits, UINT64_MAX);
}

/* True when the game begins. */
static bool lobby_enter(struct lobby *lobby) {
    switch (lobby->field) {
    case FIELD_GAME:
    case FIELD_RED:
    case FIELD_BLUE:
        choose_from(lobby, lobby->field);
        return false;
    case FIELD_SEATS:
    case FIELD_FIRST:
        choose_word(lobby);
        return false;
    case FIELD_CLOCK:
        paces_choose(&lobby->paces, lobby->language, lobby->screen, &lobby->behind,
                     field_label(lobby, FIELD_CLOCK));
        return false;
    case FIELD_SEED:
        type_seed(lobby);
        return false;
    case FIELD_PLAY:
        break;
    }
    const struct game_entry *game = &lobby->games[lobby->game];
    if (!game->broken) return true;
    dialog_read(lobby->screen, &lobby->behind, game->title, game->about);
    return false;
}

static void lobby_move(struct lobby *lobby, int by) {
    do lobby->field = (enum field)(((int)lobby->field + by + FIELDS) % FIELDS);
    while (!is_shown(lobby, lobby->field));
}

static void lobby_help(struct lobby *lobby) {
    struct rules *rules =
        loader_variant(lobby->folders, lobby->games[lobby->game].name, &(struct fault){0});
    guide_show(lobby->screen, &lobby->behind, lobby->language, rules, GUIDE_START);
    rules_free(rules);
}

enum answer_of_key { GO_ON, BEGIN, LEARN, LEAVE };

static enum answer_of_key lobby_key(struct lobby *lobby, int key) {
    switch (key) {
    case SCREEN_UP:
    case SCREEN_BACK_TAB:
    case 'k':
        lobby_move(lobby, -1);
        break;
    case SCREEN_DOWN:
    case SCREEN_TAB:
    case 'j':
        lobby_move(lobby, 1);
        break;
    case SCREEN_LEFT:
    case 'h':
        lobby_step(lobby, -1);
        break;
    case SCREEN_RIGHT:
    case 'l':
        lobby_step(lobby, 1);
        break;
    case 'p':
        lobby->field = FIELD_PLAY;
        return lobby_enter(lobby) ? BEGIN : GO_ON;
    case SCREEN_ENTER:
    case ' ':
        return lobby_enter(lobby) ? BEGIN : GO_ON;
    case 't':
        return LEARN;
    case '?':
    case SCREEN_F1:
        lobby_help(lobby);
        break;
    case SCREEN_ESCAPE:
    case 'q':
        return LEAVE;
    default:
        break;
    }
    return GO_ON;
}

static enum answer_of_key lobby_click(struct lobby *lobby, int row) {
    for (int field = 0; field < FIELDS; field++) {
        if (lobby->row[field] != row) continue;
        lobby->field = (enum field)field;
        return lobby_enter(lobby) ? BEGIN : GO_ON;
    }
    return GO_ON;
}

static enum answer_of_key lobby_run(struct lobby *lobby) {
    for (;;) {
        screen_clear(lobby->screen);
        lobby_draw(lobby, lobby->screen);
        lobby->screen->cursor_row = lobby->screen->cursor_column = -1;
        screen_show(lobby->screen);
        struct screen_event event = screen_wait(lobby->screen, -1);
        enum answer_of_key answer = GO_ON;
        if (event.type == SCREEN_CLOSED) return LEAVE;
        if (event.type == SCREEN_KEY) answer = lobby_key(lobby, event.command);
        if (event.type == SCREEN_MOUSE) answer = lobby_click(lobby, event.row);
        if (answer != GO_ON) return answer;
    }
}

bool lobby_choose(struct screen *screen, const struct folders *folders,
                  const struct language *language, bool newcomer, struct terms *terms) {
    struct lobby lobby = {.screen = screen,
                          .folders = folders,
                          .language = language,
                          .games = calloc(GAMES_MAX, sizeof *lobby.games),
                          .field = FIELD_PLAY,
                          .newcomer = newcomer};
    lobby.behind = (struct backdrop){lobby_draw, &lobby};
    bool begins = false;
    if (lobby.games) {
        folders_list(folders, FOLDER_VARIANTS, lobby_add_game, &lobby);
        if (!bot_levels_read(folders, &lobby.bots, &(struct fault){0}))
            bot_levels_clear(&lobby.bots);
        take_terms(&lobby, terms);
        enum answer_of_key answer = lobby.game_count ? lobby_run(&lobby) : LEAVE;
        begins = answer == BEGIN || answer == LEARN;
        terms->lesson = answer == LEARN;
        if (begins) give_terms(&lobby, terms);
    }
    free(lobby.games);
    bot_levels_clear(&lobby.bots);
    return begins;
}
