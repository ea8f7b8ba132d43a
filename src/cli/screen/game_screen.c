/* game_screen.c - one game on the screen.
 *
 * The game runs in its own thread (live.h); this one owns the screen. Each key, resize and turn is
 * one round of the loop: follow the game, draw, wait. A person sees the view of the seated side
 * only; a watched game may show both. */
#include "game_screen.h"

#include "base/clock.h"
#include "core/text/notation.h"
#include "dialog.h"
#include "game_layout.h"
#include "game_log.h"
#include "guide.h"
#include "hint_thread.h"
#include "host/playback.h"
#include "host/table/history.h"
#include "hotseat_cover.h"
#include "lesson_panel.h"
#include "move_input.h"
#include "review.h"
#include "why.h"

#include <stdio.h>
#include <string.h>

enum { FLASH_MS = 1500, NOBODY = -1 };

static const int PACES[] = {0, 150, 300, GAME_PAUSE, 1000, 2000, 4000};
enum { PACES_COUNT = sizeof PACES / sizeof *PACES };

struct game_screen {
    struct screen *screen;
    const struct game_screen_options *options;
    const struct rules *rules;
    struct live *live;
    struct live_state state;
    struct backdrop behind;
    struct game_layout layout;
    struct move_input input;
    struct game_log log;
    struct lesson_panel lesson_panel; /* of a lesson */
    struct hint_thread hint_thread;
    int people;
    bool own_army;     /* a program lays out its army itself */
    enum side first;   /* to move */
    int seated;        /* enum side of the person at the screen; NOBODY: covered */
    enum eyes_of eyes; /* of a watched game */
    int told_to;       /* `seated` or `eyes` of the log */
    uint32_t told;     /* turns in the log */
    uint32_t refusals; /* already shown */
    uint32_t returns;  /* the same */
    int64_t flash_until;
    bool paused, leaving, explained, going_back;
};

static const char *game_text(const struct game_screen *game, const char *english) {
    return language_text(game->options->language, english);
}

static bool is_watched(const struct game_screen *game) {
    return !game->people;
}

static bool is_lesson(const struct game_screen *game) {
    return game->options->lesson;
}

static bool is_covered(const struct game_screen *game) {
    return game->seated == NOBODY && !is_watched(game);
}

/* Takes a person's seat at the screen; NOBODY: the next one uncovers it. */
static void take_seat(struct game_screen *game, int seated) {
    game->seated = seated;
    move_input_start(&game->input, &game->rules->board, seated == BLUE ? BLUE : RED);
    move_input_leave(&game->input);
}

/* Moves were taken back: what followed is forgotten. */
static void follow_back(struct game_screen *game) {
    const uint32_t ply = game->state.returned_to;
    if (game->returns == game->state.returns) return;
    game->returns = game->state.returns;
    game->going_back = false;
    game->told_to = NOBODY;
    game->told = 0;
    game_log_clear(&game->log);
    if (game->options->printed) printed_cut(game->options->printed, ply);
    take_seat(game, game->people == 1 ? game->seated : NOBODY);
    language_write(game->input.message, sizeof game->input.message, game->options->language,
                   "Taken back to ply {1}.", NUMBER_TEXT(ply));
}

/* Two people at an open game hide nothing from each other: whoever is asked sits down. */
static void seat_asked(struct game_screen *game) {
    if (game->people == 2 && game->rules->open && game->state.stage == LIVE_ASKED &&
        game->seated != (int)game->state.side)
        take_seat(game, (int)game->state.side);
}

/* Adds new turns to the log, from the events of the seated side. */
static void game_follow(struct game_screen *game) {
    live_look(game->live, &game->state);
    follow_back(game);
    seat_asked(game);
    int reader = is_watched(game) ? (int)game->eyes : game->seated;
    if (is_covered(game)) return;
    if (reader != game->told_to) {
        game_log_clear(&game->log);
        game->told_to = reader;
        game->told = 0;
    }
    if (game->told == game->state.turns) return;
    for (; game->told < game->state.turns; game->told++) {
        struct events events;
        enum side teller = is_watched(game) ? game_log_teller(game->eyes, game->first, game->told)
                                            : (enum side)game->seated;
        live_turn(game->live, teller, game->told, &events);
        game_log_add(&game->log, game->options->language, game->rules, &events);
    }
    if (game->log.battle) game->flash_until = clock_ms() + FLASH_MS;
}

static struct stopwatch *watch_of(const struct game_screen *game) {
    return table_watch(game->options->table);
}

/* Has the screen drawn again when the clock shows another second. A person whose time is up
 * answers no more: the referee looks at the clock before it looks at the answer. */
static void follow_clock(struct game_screen *game) {
    if (!watch_of(game)) return;
    int tick = stopwatch_tick(watch_of(game));
    game->screen->alarm = tick > 0 ? clock_ms() + tick : 0;
    if (tick == 0 && game->state.stage == LIVE_ASKED)
        live_answer(game->live, &(struct answer){.type = ANSWER_QUIT});
}

/* Begins and ends the input's turns, and shows a new refusal. */
static void serve_input(struct game_screen *game) {
    const struct live_state *state = &game->state;
    bool asked = state->stage == LIVE_ASKED && game->seated == (int)state->side;
    if (state->refusals != game->refusals) {
        game->refusals = state->refusals;
        game->going_back = false;
        snprintf(game->input.message, sizeof game->input.message, "%s",
                 game_text(game, state->refusal.text));
    }
    if (asked && watch_of(game)) stopwatch_go(watch_of(game));
    hint_thread_look(&game->hint_thread);
    if (!asked) {
        move_input_leave(&game->input);
        hint_thread_forget(&game->hint_thread);
    } else if (!game->input.view) {
        move_input_take(&game->input, &state->view[state->side], state->moves, state->count);
    }
}

static void game_write_status(struct game_screen *game) {
    const struct live_state *state = &game->state;
    const struct language *language = game->options->language;
    char *out = game->layout.status;
    const char *turn = NUMBER_TEXT(state->turns / 2 + 1);
    const char *name = game->options->names[state->side];
    if (game->leaving) {
        language_write(out, GAME_LAYOUT_TEXT_MAX, language, "leaving…");
    } else if (game->going_back) {
        language_write(out, GAME_LAYOUT_TEXT_MAX, language, "taking back…");
    } else if (state->stage == LIVE_WAITING && game->paused) {
        language_write(out, GAME_LAYOUT_TEXT_MAX, language, "{1}. paused", turn);
    } else if (state->stage == LIVE_THINKING || state->stage == LIVE_WAITING) {
        language_write(out, GAME_LAYOUT_TEXT_MAX, language, "{1}. {2} is thinking…", turn, name);
    } else {
        language_write(out, GAME_LAYOUT_TEXT_MAX, language,
                       state->side == RED ? TEXT("{1}. red to move") : TEXT("{1}. blue to move"),
                       turn);
    }
    if (game->lesson_panel.done) *out = 0;
    if (watch_of(game)) {
        char left[2][STOPWATCH_TEXT_MAX];
        const struct game_clock clock = stopwatch_look(watch_of(game));
        for (int side = RED; side <= BLUE; side++) stopwatch_text(clock.left[side], left[side]);
        size_t used = strlen(out);
        snprintf(out + used, GAME_LAYOUT_TEXT_MAX - used, "  [%s] (%s)", left[RED], left[BLUE]);
    }
    if (!is_watched(game)) return;
    size_t length = strlen(out);
    snprintf(out + length, GAME_LAYOUT_TEXT_MAX - length, ", %s",
             game_text(game, game_log_eyes(game->eyes)));
}

static void game_write_message(struct game_screen *game) {
    struct game_layout *layout = &game->layout;
    const struct live_state *state = &game->state;
    size_t length = game_log_tell(&game->log, layout->message, sizeof layout->message);
    layout->brief = game_log_brief(&game->log);
    layout->message_style = clock_ms() < game->flash_until ? STYLE_STRONG : STYLE_PLAIN;
    if (game->input.message[0]) {
        snprintf(layout->message, sizeof layout->message, "%s", game->input.message);
        layout->message_style = STYLE_WARNING;
    } else if (game->hint_thread.text[0]) {
        snprintf(layout->message, sizeof layout->message, "%s", game->hint_thread.text);
        layout->brief = game->hint_thread.brief[0] ? game->hint_thread.brief : NULL;
        layout->message_style = STYLE_STRONG;
    } else if (game->people == 2 && state->stage == LIVE_ASKED &&
               game->seated != (int)state->side) {
        language_fill(layout->message + length, sizeof layout->message - length, "\n{1}",
                      game_text(game, state->side == RED
                                          ? TEXT("Press Enter to pass the keyboard to red.")
                                          : TEXT("Press Enter to pass the keyboard to blue.")));
        layout->message_style = STYLE_STRONG;
        layout->brief = NULL;
    } else if (is_lesson(game) && !length) {
        snprintf(layout->message, sizeof layout->message, "%s",
                 game_text(game, TEXT("Arrows move the cursor, Enter picks up a piece and puts "
                                      "it down.")));
    }
}

static const char *keys_of(const struct game_screen *game) {
    if (is_watched(game))
        return game_text(game,
                         TEXT("Space:step p:pause b:back ::why v:view +/-:speed ?:help q:leave"));
    if (game->lesson_panel.done) return game_text(game, TEXT("Enter:go on q:leave"));
    if (is_lesson(game) && game->input.view && game->input.pointing.from == SQUARE_NONE)
        return game_text(game, TEXT("Enter:pick up Tab:next ::type ?:help q:leave"));
    if (is_lesson(game) && !game->input.view)
        return game_text(game, TEXT("+/-:speed ?:help q:leave"));
    if (!game->input.view) return game_text(game, TEXT("u:take back +/-:speed ?:help q:leave"));
    if (game->input.pointing.from != SQUARE_NONE)
        return game_text(game, TEXT("Enter:go there Tab:next Esc:put down ?:help"));
    return game_text(
        game,
        TEXT("Enter:pick up ::type i:hint m:mark u:take back d:draw r:resign ?:help q:leave"));
}

/* The prompt appears only once a person is asked for a move. */
static void draw_cover(struct game_screen *game, struct screen *screen) {
    struct hotseat_cover cover = {.language = game->options->language,
                                  .rules = game->rules,
                                  .title = game->layout.title,
                                  .side = game->state.side};
    if (game->state.stage == LIVE_ASKED)
        hotseat_cover_draw(&cover, screen);
    else
        screen_put(screen, 0, 0, STYLE_TITLE, game->layout.title);
}

/* The side whose view the panel shows. */
static enum side reader_of(const struct game_screen *game) {
    if (!is_watched(game)) return (enum side)game->seated;
    return game->eyes == EYES_BLUE ? BLUE : RED;
}

/* Whose pieces are shown. */
static enum eyes_of shown_eyes(const struct game_screen *game) {
    if (is_watched(game)) return game->eyes;
    return game->seated == BLUE ? EYES_BLUE : EYES_RED;
}

static void draw_board(struct game_screen *game, struct screen *screen) {
    struct game_layout *layout = &game->layout;
    const struct view *view = &game->state.view[reader_of(game)];
    if (is_watched(game) && game->eyes == EYES_BOTH)
        picture_views(&layout->picture, &game->state.view[RED], &game->state.view[BLUE]);
    else
        picture_view(&layout->picture, view);
    if (game->options->marks && !is_watched(game))
        suspicions_show(&game->options->marks[game->seated], view, &layout->picture);
    layout->marks = CHART_NO_MARKS;
    move_input_mark(&game->input, &layout->marks);
    layout->marks.advised = hint_thread_squares(&game->hint_thread);
    game_log_mark(&game->log, &layout->marks);
    layout->marks.flash = clock_ms() < game->flash_until;
    layout->panel.view = view;
    layout->panel.shown = game->log.movelist.count;
    layout->panel.eyes = shown_eyes(game);
    layout->keys = keys_of(game);
    game_write_status(game);
    game_write_message(game);
    game_layout_draw(layout, screen);
}

static void game_draw(void *context, struct screen *screen) {
    struct game_screen *game = context;
    game_follow(game);
    serve_input(game);
    follow_clock(game);
    if (is_covered(game))
        draw_cover(game, screen);
    else if (game->state.started)
        draw_board(game, screen);
    else
        screen_put(screen, 0, 0, STYLE_TITLE, game->layout.title);
}

static void set_pace(struct game_screen *game) {
    live_pace(game->live, game->paused ? -1 : *game->options->pause_ms);
}

static void change_pace(struct game_screen *game, int step) {
    int at = 0;
    while (at + 1 < PACES_COUNT && PACES[at] < *game->options->pause_ms) at++;
    at += step;
    if (at >= 0 && at < PACES_COUNT) *game->options->pause_ms = PACES[at];
    set_pace(game);
    language_write(game->input.message, sizeof game->input.message, game->options->language,
                   "Bots wait {1} ms before they move.", NUMBER_TEXT(*game->options->pause_ms));
}

static void ask_to_leave(struct game_screen *game) {
    if (!dialog_confirm(
            game->screen, &game->behind,
            game_text(game, is_lesson(game) ? TEXT("Leave the lesson?") : TEXT("Leave this game?")),
            game_text(game, TEXT("leave")), game_text(game, TEXT("go on playing"))))
        return;
    game->leaving = true;
    live_quit(game->live);
}

/* Asks a person about a wish of the other side; between two people the board is covered meanwhile.
 */
static bool ask_other(struct game_screen *game, const char *question, const char *yes) {
    int seated = game->seated;
    if (game->people == 2) game->seated = NOBODY;
    bool agrees = dialog_confirm(game->screen, &game->behind, game_text(game, question),
                                 game_text(game, yes), game_text(game, TEXT("go on playing")));
    game->seated = seated;
    return agrees;
}

/* Takes back the last move of the person at the screen, and what followed. */
static void take_back(struct game_screen *game) {
    const struct view *view = &game->state.view[game->seated];
    if (is_lesson(game)) {
        snprintf(game->input.message, sizeof game->input.message, "%s",
                 game_text(game, TEXT("No move is taken back in the lesson.")));
        return;
    }
    uint32_t plies = view->plies, back = (int)view->to_move == game->seated ? 2 : 1;
    uint32_t keep = plies < back ? plies : plies - back;
    struct fault fault;
    if (!takeback_check(plies, keep, game->own_army, &fault)) {
        snprintf(game->input.message, sizeof game->input.message, "%s",
                 game_text(game, fault.text));
        return;
    }
    if (game->people == 2 &&
        !ask_other(game,
                   game->seated == RED
                       ? TEXT("Red wants to take back its last move. Does blue agree?")
                       : TEXT("Blue wants to take back its last move. Does red agree?"),
                   TEXT("take it back")))
        return;
    game->going_back = true;
    hint_thread_forget(&game->hint_thread);
    move_input_leave(&game->input);
    live_take_back(game->live, keep);
}

/* Asks the strongest bot what it would do. */
static void ask_hint(struct game_screen *game) {
    const struct live_state *state = &game->state;
    if (is_watched(game)) return;
    if (!game->options->hint)
        snprintf(game->input.message, sizeof game->input.message, "%s",
                 game_text(game, game->people == 2 || is_lesson(game)
                                     ? TEXT("Hints are for games against a bot.")
                                     : TEXT("No bot here gives hints: none has a level.")));
    else if (game->input.view)
        hint_thread_ask(&game->hint_thread, &state->view[state->side], state->moves, state->count);
}

/* Asks what the piece on `at` is thought to be, and marks it. False if it is no hidden enemy. */
static bool choose_mark(struct screen *screen, const struct backdrop *behind,
                        const struct language *language, const struct view *view, square at,
                        struct suspicions *marks) {
    const struct rules *rules = view->rules;
    kindset choices = suspicions_choices(view, at);
    char texts[KINDS_MAX][LANGUAGE_NAME_MAX + LABEL_MAX + 8], name[SQUARE_TEXT_MAX];
    char title[LANGUAGE_TEXT_MAX];
    struct dialog_item items[KINDS_MAX + 1];
    kind_id kinds[KINDS_MAX + 1];
    int count = 0, chosen = 0;
    if (!choices) return false;
    square place = suspicions_place(view, at);
    for (kind_id kind = rules->kinds; kind > KIND_NONE; kind--) {
        if (!(choices & kindset_of(kind))) continue;
        snprintf(texts[count], sizeof texts[count], "%s  %s", rules->kind[kind].label,
                 language_kind(language, rules, kind));
        items[count] = (struct dialog_item){texts[count], NULL};
        if (marks->kind[place] == kind) chosen = count;
        kinds[count++] = kind;
    }
    items[count] = (struct dialog_item){language_text(language, TEXT("no mark")), NULL};
    kinds[count++] = KIND_NONE;
    square_write(&rules->board, at, name);
    language_write(title, sizeof title, language, "What do you think stands on {1}?", name);
    chosen = dialog_choose(screen, behind, title, items, count, chosen);
    if (chosen >= 0) marks->kind[place] = kinds[chosen];
    return true;
}

/* Marks the enemy under the cursor. */
static void mark_piece(struct game_screen *game) {
    struct move_input *input = &game->input;
    if (is_watched(game) || !game->options->marks || !game->state.started) return;
    const struct view view = game->state.view[game->seated];
    if (!choose_mark(game->screen, &game->behind, game->options->language, &view, input->cursor,
                     &game->options->marks[game->seated]))
        snprintf(input->message, sizeof input->message, "%s",
                 game_text(game, TEXT("Marks are for hidden enemies: put the cursor on one.")));
}

/* The person has moved, offered a draw or resigned. */
static void game_answer(struct game_screen *game, const struct answer *answer) {
    hint_thread_forget(&game->hint_thread);
    move_input_leave(&game->input);
    live_answer(game->live, answer);
}

/* One move of a watched game; the first step pauses it. */
static void game_step(struct game_screen *game) {
    if (!game->paused) {
        game->paused = true;
        set_pace(game);
    } else {
        live_step(game->live);
    }
}

/* Steps through the game so far; a watched game pauses. */
static void step_back(struct game_screen *game) {
    struct fault fault = {0};
    game->paused = is_watched(game);
    set_pace(game);
    game->screen->alarm = 0;
    struct record *record = live_record(game->live);
    if (!record) return;
    const struct review_options options = {
        .language = game->options->language,
        .rules = game->rules,
        .record = record,
        .ply = record->move_count ? (uint32_t)record->move_count - 1 : 0,
        .note = game_text(game, TEXT("This is the last ply so far; → goes back to the game.")),
        .printed = game->options->printed,
        .eyes = shown_eyes(game),
        .locked = !is_watched(game),
        .so_far = true};
    if (!review_show(game->screen, &options, &fault))
        language_fault_line(options.language, &fault, game->input.message,
                            sizeof game->input.message);
    record_free(record);
}

/* Says of a move of a watched game whether it would be legal now. */
static void ask_why(struct game_screen *game) {
    char line[MOVE_TEXT_MAX] = "";
    struct fault fault = {0};
    struct playback replay = {0};
    if (!dialog_type(game->screen, &game->behind, game_text(game, TEXT("Why not?")),
                     game_text(game, TEXT("A move: is it legal now?")), line, sizeof line) ||
        !line[0])
        return;
    struct record *record = live_record(game->live);
    if (record && playback_open(&replay, record, game->rules, &fault) &&
        playback_run(&replay, UINT32_MAX, &fault))
        why_tell(game->screen, &game->behind, game->options->language, replay.session, game->eyes,
                 line);
    playback_close(&replay);
    record_free(record);
}

static void game_key(struct game_screen *game, int key) {
    struct answer answer = {0};
    bool used, asked_other = game->state.stage == LIVE_ASKED &&
                             game->seated != (int)game->state.side && game->people == 2;
    game->flash_until = 0;
    if (asked_other && key == SCREEN_ENTER) {
        game->seated = game->seated == NOBODY ? (int)game->state.side : NOBODY;
        move_input_start(&game->input, &game->rules->board, game->state.side);
        return;
    }
    if (is_covered(game) && key != 'q' && key != '?' && key != SCREEN_F1) return;
    if (key == SCREEN_ESCAPE && game->hint_thread.asking) {
        hint_thread_stop(&game->hint_thread);
        return;
    }
    if (move_input_key(&game->input, &game->layout.chart, key, &answer, &used)) {
        game_answer(game, &answer);
        return;
    }
    if (used) return;
    switch (key) {
    case '?':
    case SCREEN_F1:
        if (is_lesson(game)) lesson_panel_read(&game->lesson_panel, game->screen, &game->behind);
        guide_show(game->screen, &game->behind, game->options->language, game->rules,
                   is_watched(game) ? GUIDE_WATCH : GUIDE_PLAY);
        break;
    case '+':
    case '=':
        change_pace(game, -1);
        break;
    case '-':
        change_pace(game, 1);
        break;
    case 'm':
        mark_piece(game);
        break;
    case 'i':
        ask_hint(game);
        break;
    case 'q':
        ask_to_leave(game);
        break;
    case 'b':
        if (!is_lesson(game) && game->state.started) step_back(game);
        break;
    case ':':
        if (is_watched(game)) ask_why(game);
        break;
    case 'u':
        if (!is_watched(game) && game->state.started && !game->going_back) take_back(game);
        break;
    case 'p':
        game->paused = is_watched(game) && !game->paused;
        set_pace(game);
        break;
    case 'v':
        if (is_watched(game)) game->eyes = (enum eyes_of)((game->eyes + 1) % EYES_COUNT);
        break;
    case ' ':
    case SCREEN_ENTER:
        if (is_watched(game)) game_step(game);
        break;
    default:
        break;
    }
}

static void game_click(struct game_screen *game, int row, int column) {
    struct answer answer = {0};
    square at = game_layout_square(&game->layout, row, column);
    game->flash_until = 0;
    if (at == SQUARE_NONE || is_covered(game)) return;
    if (move_input_point(&game->input, at, &answer)) game_answer(game, &answer);
}

static void answer_offer(struct game_screen *game) {
    enum side side = game->state.side;
    live_accept(game->live,
                ask_other(game,
                          side == BLUE ? TEXT("Red offers a draw. Does blue accept it?")
                                       : TEXT("Blue offers a draw. Does red accept it?"),
                          TEXT("accept the draw")));
}

static void game_wake(void *context) {
    screen_wake(context);
}

/* Shows the words of a lesson once, if they have no room beside the board. */
static bool explain_step(struct game_screen *game) {
    if (!is_lesson(game) || game->explained || !game->input.view) return false;
    game->explained = true;
    lesson_panel_read(&game->lesson_panel, game->screen, &game->behind);
    return true;
}

static void game_run(struct game_screen *game) {
    for (;;) {
        screen_clear(game->screen);
        game_draw(game, game->screen);
        screen_show(game->screen);
        if (game->state.stage == LIVE_OVER) return;
        if (explain_step(game)) continue;
        if (game->state.stage == LIVE_OFFERED && !game->leaving) {
            answer_offer(game);
            continue;
        }
        int left = clock_left(game->flash_until);
        struct screen_event event = screen_wait(game->screen, left > 0 ? left : -1);
        if (event.type == SCREEN_CLOSED) {
            live_quit(game->live);
            return;
        }
        if (event.type == SCREEN_KEY) game_key(game, event.command);
        if (event.type == SCREEN_MOUSE) game_click(game, event.row, event.column);
    }
}

bool game_screen_play(struct screen *screen, const struct game_screen_options *options,
                      struct fault *fault) {
    struct table *table = options->table;
    struct game_screen game = {.screen = screen,
                               .options = options,
                               .rules = table->options.rules,
                               .people = table_people(table),
                               .own_army = table->own_army,
                               .first = table->options.game.first,
                               .eyes = options->eyes,
                               .told_to = NOBODY};
    if (options->looks && is_watched(&game)) {
        game.paused = options->looks->paused;
        if (options->looks->chosen) game.eyes = options->looks->eyes;
    }
    const struct live_options live = {.table = table,
                                      .pause_ms = game.paused ? -1 : *options->pause_ms,
                                      .wake = game_wake,
                                      .context = screen};
    game.behind = (struct backdrop){game_draw, &game};
    game.layout.language = options->language;
    game.layout.panel = (struct panel){.rules = game.rules,
                                       .printed = options->printed,
                                       .movelist = &game.log.movelist,
                                       .first = game.first};
    language_write(game.layout.title, GAME_LAYOUT_TEXT_MAX, options->language,
                   "{1}: red {2}, blue {3}", language_title(options->language, game.rules),
                   options->names[RED], options->names[BLUE]);
    if (options->lesson) {
        snprintf(game.layout.title, GAME_LAYOUT_TEXT_MAX, "%s", options->lesson->title);
        game.lesson_panel =
            (struct lesson_panel){.language = options->language, .lesson = options->lesson};
        game.layout.draw_panel = lesson_panel_draw;
        game.layout.context = &game.lesson_panel;
    }
    game.input = (struct move_input){
        .screen = screen, .behind = &game.behind, .language = options->language};
    game.input.arranged = options->arranged && game.people == 1;
    const int only = table_is_person(table, RED) ? RED : BLUE;
    take_seat(&game, game.people == 1 ? only : NOBODY);
    if (options->note && *options->note)
        snprintf(game.input.message, sizeof game.input.message, "%s", options->note);
    game_log_clear(&game.log);
    game.hint_thread = (struct hint_thread){
        .hint = options->hint, .screen = screen, .language = options->language};
    game.live = live_start(&live, fault);
    if (!game.live) return false;
    game_run(&game);
    hint_thread_clear(&game.hint_thread);
    screen->alarm = 0;
    if (options->looks && is_watched(&game))
        *options->looks = (struct game_screen_looks){true, game.paused, game.eyes};
    if (is_lesson(&game)) {
        options->lesson->leaves = game.log.movelist.count < options->lesson->plies;
        if (!options->lesson->leaves) lesson_panel_wait(&game.lesson_panel, screen, &game.behind);
    }
    game_log_clear(&game.log);
    return live_end(game.live, fault);
}
