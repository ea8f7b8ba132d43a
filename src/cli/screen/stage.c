/* stage.c - one game on the screen.
 *
 * The game runs in its own thread (live.h); this one owns the screen. Each key, resize and turn is
 * one round of the loop: follow the game, draw, wait. A person sees the view of the seated side
 * only; a watched game may show both. */
#include "stage.h"

#include "adviser.h"
#include "base/clock.h"
#include "chronicle.h"
#include "core/text/notation.h"
#include "cover.h"
#include "dialog.h"
#include "guide.h"
#include "hand.h"
#include "host/playback.h"
#include "host/table/history.h"
#include "review.h"
#include "scene.h"
#include "tutor.h"
#include "why.h"

#include <stdio.h>
#include <string.h>

enum { FLASH_MS = 1500, NOBODY = -1 };

static const int PACES[] = {0, 150, 300, STAGE_PAUSE, 1000, 2000, 4000};
enum { PACES_COUNT = sizeof PACES / sizeof *PACES };

struct stage {
    struct screen *screen;
    const struct stage_options *options;
    const struct rules *rules;
    struct live *live;
    struct live_state state;
    struct backdrop behind;
    struct scene scene;
    struct hand hand;
    struct chronicle chronicle;
    struct tutor tutor; /* of a lesson */
    struct adviser adviser;
    int people;
    bool own_army;     /* a program lays out its army itself */
    enum side first;   /* to move */
    int seated;        /* enum side of the person at the screen; NOBODY: covered */
    enum eyes_of eyes; /* of a watched game */
    int told_to;       /* `seated` or `eyes` of the chronicle */
    uint32_t told;     /* turns in the chronicle */
    uint32_t refusals; /* already shown */
    uint32_t returns;  /* the same */
    int64_t flash_until;
    bool paused, leaving, explained, going_back;
};

static const char *stage_text(const struct stage *stage, const char *english) {
    return language_text(stage->options->language, english);
}

static bool is_watched(const struct stage *stage) {
    return !stage->people;
}

static bool is_lesson(const struct stage *stage) {
    return stage->options->lesson;
}

static bool is_covered(const struct stage *stage) {
    return stage->seated == NOBODY && !is_watched(stage);
}

/* Takes a person's seat at the screen; NOBODY: the next one uncovers it. */
static void take_seat(struct stage *stage, int seated) {
    stage->seated = seated;
    hand_start(&stage->hand, &stage->rules->board, seated == BLUE ? BLUE : RED);
    hand_leave(&stage->hand);
}

/* Moves were taken back: what followed is forgotten. */
static void follow_back(struct stage *stage) {
    const uint32_t ply = stage->state.returned_to;
    if (stage->returns == stage->state.returns) return;
    stage->returns = stage->state.returns;
    stage->going_back = false;
    stage->told_to = NOBODY;
    stage->told = 0;
    chronicle_clear(&stage->chronicle);
    if (stage->options->printed) printed_cut(stage->options->printed, ply);
    take_seat(stage, stage->people == 1 ? stage->seated : NOBODY);
    language_write(stage->hand.message, sizeof stage->hand.message, stage->options->language,
                   "Taken back to ply {1}.", NUMBER_TEXT(ply));
}

/* Adds new turns to the chronicle, from the events of the seated side. */
static void stage_follow(struct stage *stage) {
    live_look(stage->live, &stage->state);
    follow_back(stage);
    int reader = is_watched(stage) ? (int)stage->eyes : stage->seated;
    if (is_covered(stage)) return;
    if (reader != stage->told_to) {
        chronicle_clear(&stage->chronicle);
        stage->told_to = reader;
        stage->told = 0;
    }
    if (stage->told == stage->state.turns) return;
    for (; stage->told < stage->state.turns; stage->told++) {
        struct events events;
        enum side teller = is_watched(stage)
                               ? chronicle_teller(stage->eyes, stage->first, stage->told)
                               : (enum side)stage->seated;
        live_turn(stage->live, teller, stage->told, &events);
        chronicle_add(&stage->chronicle, stage->options->language, stage->rules, &events);
    }
    if (stage->chronicle.battle) stage->flash_until = clock_ms() + FLASH_MS;
}

static struct stopwatch *watch_of(const struct stage *stage) {
    return table_watch(stage->options->table);
}

/* Has the screen drawn again when the clock shows another second. A person whose time is up
 * answers no more: the referee looks at the clock before it looks at the answer. */
static void follow_clock(struct stage *stage) {
    if (!watch_of(stage)) return;
    int tick = stopwatch_tick(watch_of(stage));
    stage->screen->alarm = tick > 0 ? clock_ms() + tick : 0;
    if (tick == 0 && stage->state.stage == LIVE_ASKED)
        live_answer(stage->live, &(struct answer){.type = ANSWER_QUIT});
}

/* Begins and ends the hand's turns, and shows a new refusal. */
static void serve_hand(struct stage *stage) {
    const struct live_state *state = &stage->state;
    bool asked = state->stage == LIVE_ASKED && stage->seated == (int)state->side;
    if (state->refusals != stage->refusals) {
        stage->refusals = state->refusals;
        stage->going_back = false;
        snprintf(stage->hand.message, sizeof stage->hand.message, "%s",
                 stage_text(stage, state->refusal.text));
    }
    if (asked && watch_of(stage)) stopwatch_go(watch_of(stage));
    adviser_look(&stage->adviser);
    if (!asked) {
        hand_leave(&stage->hand);
        adviser_forget(&stage->adviser);
    } else if (!stage->hand.view) {
        hand_take(&stage->hand, &state->view[state->side], state->moves, state->count);
    }
}

static void stage_write_status(struct stage *stage) {
    const struct live_state *state = &stage->state;
    const struct language *language = stage->options->language;
    char *out = stage->scene.status;
    const char *turn = NUMBER_TEXT(state->turns / 2 + 1);
    const char *name = stage->options->names[state->side];
    if (stage->leaving) {
        language_write(out, SCENE_TEXT_MAX, language, "leaving…");
    } else if (stage->going_back) {
        language_write(out, SCENE_TEXT_MAX, language, "taking back…");
    } else if (state->stage == LIVE_WAITING && stage->paused) {
        language_write(out, SCENE_TEXT_MAX, language, "{1}. paused", turn);
    } else if (state->stage == LIVE_THINKING || state->stage == LIVE_WAITING) {
        language_write(out, SCENE_TEXT_MAX, language, "{1}. {2} is thinking…", turn, name);
    } else {
        language_write(out, SCENE_TEXT_MAX, language,
                       state->side == RED ? TEXT("{1}. red to move") : TEXT("{1}. blue to move"),
                       turn);
    }
    if (stage->tutor.done) *out = 0;
    if (watch_of(stage)) {
        char left[2][STOPWATCH_TEXT_MAX];
        const struct game_clock clock = stopwatch_look(watch_of(stage));
        for (int side = RED; side <= BLUE; side++) stopwatch_text(clock.left[side], left[side]);
        size_t used = strlen(out);
        snprintf(out + used, SCENE_TEXT_MAX - used, "  [%s] (%s)", left[RED], left[BLUE]);
    }
    if (!is_watched(stage)) return;
    size_t length = strlen(out);
    snprintf(out + length, SCENE_TEXT_MAX - length, ", %s",
             stage_text(stage, chronicle_eyes(stage->eyes)));
}

static void stage_write_message(struct stage *stage) {
    struct scene *scene = &stage->scene;
    const struct live_state *state = &stage->state;
    size_t length = chronicle_tell(&stage->chronicle, scene->message, sizeof scene->message);
    scene->brief = chronicle_brief(&stage->chronicle);
    scene->message_style = clock_ms() < stage->flash_until ? STYLE_STRONG : STYLE_PLAIN;
    if (stage->hand.message[0]) {
        snprintf(scene->message, sizeof scene->message, "%s", stage->hand.message);
        scene->message_style = STYLE_WARNING;
    } else if (stage->adviser.text[0]) {
        snprintf(scene->message, sizeof scene->message, "%s", stage->adviser.text);
        scene->brief = stage->adviser.brief[0] ? stage->adviser.brief : NULL;
        scene->message_style = STYLE_STRONG;
    } else if (stage->people == 2 && state->stage == LIVE_ASKED &&
               stage->seated != (int)state->side) {
        language_fill(scene->message + length, sizeof scene->message - length, "\n{1}",
                      stage_text(stage, state->side == RED
                                            ? TEXT("Press Enter to pass the keyboard to red.")
                                            : TEXT("Press Enter to pass the keyboard to blue.")));
        scene->message_style = STYLE_STRONG;
        scene->brief = NULL;
    } else if (is_lesson(stage) && !length) {
        snprintf(scene->message, sizeof scene->message, "%s",
                 stage_text(stage, TEXT("Arrows move the cursor, Enter picks up a piece and puts "
                                        "it down.")));
    }
}

static const char *keys_of(const struct stage *stage) {
    if (is_watched(stage))
        return stage_text(stage,
                          TEXT("Space:step p:pause b:back ::why v:view +/-:speed ?:help q:leave"));
    if (stage->tutor.done) return stage_text(stage, TEXT("Enter:go on q:leave"));
    if (is_lesson(stage) && stage->hand.view && stage->hand.pointing.from == SQUARE_NONE)
        return stage_text(stage, TEXT("Enter:pick up Tab:next ::type ?:help q:leave"));
    if (is_lesson(stage) && !stage->hand.view)
        return stage_text(stage, TEXT("+/-:speed ?:help q:leave"));
    if (!stage->hand.view) return stage_text(stage, TEXT("u:take back +/-:speed ?:help q:leave"));
    if (stage->hand.pointing.from != SQUARE_NONE)
        return stage_text(stage, TEXT("Enter:go there Tab:next Esc:put down ?:help"));
    return stage_text(
        stage,
        TEXT("Enter:pick up ::type i:hint m:mark u:take back d:draw r:resign ?:help q:leave"));
}

/* The prompt appears only once a person is asked for a move. */
static void draw_cover(struct stage *stage, struct screen *screen) {
    struct cover cover = {.language = stage->options->language,
                          .rules = stage->rules,
                          .title = stage->scene.title,
                          .side = stage->state.side};
    if (stage->state.stage == LIVE_ASKED)
        cover_draw(&cover, screen);
    else
        screen_put(screen, 0, 0, STYLE_TITLE, stage->scene.title);
}

/* The side whose view the panel shows. */
static enum side reader_of(const struct stage *stage) {
    if (!is_watched(stage)) return (enum side)stage->seated;
    return stage->eyes == EYES_BLUE ? BLUE : RED;
}

/* Whose pieces are shown. */
static enum eyes_of shown_eyes(const struct stage *stage) {
    if (is_watched(stage)) return stage->eyes;
    return stage->seated == BLUE ? EYES_BLUE : EYES_RED;
}

static void draw_board(struct stage *stage, struct screen *screen) {
    struct scene *scene = &stage->scene;
    const struct view *view = &stage->state.view[reader_of(stage)];
    if (is_watched(stage) && stage->eyes == EYES_BOTH)
        picture_views(&scene->picture, &stage->state.view[RED], &stage->state.view[BLUE]);
    else
        picture_view(&scene->picture, view);
    if (stage->options->marks && !is_watched(stage))
        suspicions_show(&stage->options->marks[stage->seated], view, &scene->picture);
    scene->marks = CHART_NO_MARKS;
    hand_mark(&stage->hand, &scene->marks);
    scene->marks.advised = adviser_squares(&stage->adviser);
    chronicle_mark(&stage->chronicle, &scene->marks);
    scene->marks.flash = clock_ms() < stage->flash_until;
    scene->panel.view = view;
    scene->panel.shown = stage->chronicle.movelist.count;
    scene->panel.eyes = shown_eyes(stage);
    scene->keys = keys_of(stage);
    stage_write_status(stage);
    stage_write_message(stage);
    scene_draw(scene, screen);
}

static void stage_draw(void *context, struct screen *screen) {
    struct stage *stage = context;
    stage_follow(stage);
    serve_hand(stage);
    follow_clock(stage);
    if (is_covered(stage))
        draw_cover(stage, screen);
    else if (stage->state.started)
        draw_board(stage, screen);
    else
        screen_put(screen, 0, 0, STYLE_TITLE, stage->scene.title);
}

static void set_pace(struct stage *stage) {
    live_pace(stage->live, stage->paused ? -1 : *stage->options->pause_ms);
}

static void change_pace(struct stage *stage, int step) {
    int at = 0;
    while (at + 1 < PACES_COUNT && PACES[at] < *stage->options->pause_ms) at++;
    at += step;
    if (at >= 0 && at < PACES_COUNT) *stage->options->pause_ms = PACES[at];
    set_pace(stage);
    language_write(stage->hand.message, sizeof stage->hand.message, stage->options->language,
                   "Bots wait {1} ms before they move.", NUMBER_TEXT(*stage->options->pause_ms));
}

static void ask_to_leave(struct stage *stage) {
    if (!dialog_confirm(stage->screen, &stage->behind,
                        stage_text(stage, is_lesson(stage) ? TEXT("Leave the lesson?")
                                                           : TEXT("Leave this game?")),
                        stage_text(stage, TEXT("leave")), stage_text(stage, TEXT("go on playing"))))
        return;
    stage->leaving = true;
    live_quit(stage->live);
}

/* Asks a person about a wish of the other side; between two people the board is covered meanwhile.
 */
static bool ask_other(struct stage *stage, const char *question, const char *yes) {
    int seated = stage->seated;
    if (stage->people == 2) stage->seated = NOBODY;
    bool agrees = dialog_confirm(stage->screen, &stage->behind, stage_text(stage, question),
                                 stage_text(stage, yes), stage_text(stage, TEXT("go on playing")));
    stage->seated = seated;
    return agrees;
}

/* Takes back the last move of the person at the screen, and what followed. */
static void take_back(struct stage *stage) {
    const struct view *view = &stage->state.view[stage->seated];
    if (is_lesson(stage)) {
        snprintf(stage->hand.message, sizeof stage->hand.message, "%s",
                 stage_text(stage, TEXT("No move is taken back in the lesson.")));
        return;
    }
    uint32_t plies = view->plies, back = (int)view->to_move == stage->seated ? 2 : 1;
    uint32_t keep = plies < back ? plies : plies - back;
    struct fault fault;
    if (!takeback_check(plies, keep, stage->own_army, &fault)) {
        snprintf(stage->hand.message, sizeof stage->hand.message, "%s",
                 stage_text(stage, fault.text));
        return;
    }
    if (stage->people == 2 &&
        !ask_other(stage,
                   stage->seated == RED
                       ? TEXT("Red wants to take back its last move. Does blue agree?")
                       : TEXT("Blue wants to take back its last move. Does red agree?"),
                   TEXT("take it back")))
        return;
    stage->going_back = true;
    adviser_forget(&stage->adviser);
    hand_leave(&stage->hand);
    live_take_back(stage->live, keep);
}

/* Asks the strongest bot what it would do. */
static void ask_hint(struct stage *stage) {
    const struct live_state *state = &stage->state;
    if (is_watched(stage)) return;
    if (!stage->options->hint)
        snprintf(stage->hand.message, sizeof stage->hand.message, "%s",
                 stage_text(stage, stage->people == 2 || is_lesson(stage)
                                       ? TEXT("Hints are for games against a bot.")
                                       : TEXT("No bot here gives hints: none has a level.")));
    else if (stage->hand.view)
        adviser_ask(&stage->adviser, &state->view[state->side], state->moves, state->count);
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
static void mark_piece(struct stage *stage) {
    struct hand *hand = &stage->hand;
    if (is_watched(stage) || !stage->options->marks || !stage->state.started) return;
    const struct view view = stage->state.view[stage->seated];
    if (!choose_mark(stage->screen, &stage->behind, stage->options->language, &view, hand->cursor,
                     &stage->options->marks[stage->seated]))
        snprintf(hand->message, sizeof hand->message, "%s",
                 stage_text(stage, TEXT("Marks are for hidden enemies: put the cursor on one.")));
}

/* The person has moved, offered a draw or resigned. */
static void stage_answer(struct stage *stage, const struct answer *answer) {
    adviser_forget(&stage->adviser);
    hand_leave(&stage->hand);
    live_answer(stage->live, answer);
}

/* One move of a watched game; the first step pauses it. */
static void stage_step(struct stage *stage) {
    if (!stage->paused) {
        stage->paused = true;
        set_pace(stage);
    } else {
        live_step(stage->live);
    }
}

/* Steps through the game so far; a watched game pauses. */
static void step_back(struct stage *stage) {
    struct fault fault = {0};
    stage->paused = is_watched(stage);
    set_pace(stage);
    stage->screen->alarm = 0;
    struct record *record = live_record(stage->live);
    if (!record) return;
    const struct review_options options = {
        .language = stage->options->language,
        .rules = stage->rules,
        .record = record,
        .ply = record->move_count ? (uint32_t)record->move_count - 1 : 0,
        .note = stage_text(stage, TEXT("This is the last ply so far; → goes back to the game.")),
        .printed = stage->options->printed,
        .eyes = shown_eyes(stage),
        .locked = !is_watched(stage),
        .so_far = true};
    if (!review_show(stage->screen, &options, &fault))
        language_fault_line(options.language, &fault, stage->hand.message,
                            sizeof stage->hand.message);
    record_free(record);
}

/* Says of a move of a watched game whether it would be legal now. */
static void ask_why(struct stage *stage) {
    char line[MOVE_TEXT_MAX] = "";
    struct fault fault = {0};
    struct playback replay = {0};
    if (!dialog_type(stage->screen, &stage->behind, stage_text(stage, TEXT("Why not?")),
                     stage_text(stage, TEXT("A move: is it legal now?")), line, sizeof line) ||
        !line[0])
        return;
    struct record *record = live_record(stage->live);
    if (record && playback_open(&replay, record, stage->rules, &fault) &&
        playback_run(&replay, UINT32_MAX, &fault))
        why_tell(stage->screen, &stage->behind, stage->options->language, replay.session,
                 stage->eyes, line);
    playback_close(&replay);
    record_free(record);
}

static void stage_key(struct stage *stage, int key) {
    struct answer answer = {0};
    bool used, asked_other = stage->state.stage == LIVE_ASKED &&
                             stage->seated != (int)stage->state.side && stage->people == 2;
    stage->flash_until = 0;
    if (asked_other && key == SCREEN_ENTER) {
        stage->seated = stage->seated == NOBODY ? (int)stage->state.side : NOBODY;
        hand_start(&stage->hand, &stage->rules->board, stage->state.side);
        return;
    }
    if (is_covered(stage) && key != 'q' && key != '?' && key != SCREEN_F1) return;
    if (key == SCREEN_ESCAPE && stage->adviser.asking) {
        adviser_stop(&stage->adviser);
        return;
    }
    if (hand_key(&stage->hand, &stage->scene.chart, key, &answer, &used)) {
        stage_answer(stage, &answer);
        return;
    }
    if (used) return;
    switch (key) {
    case '?':
    case SCREEN_F1:
        if (is_lesson(stage)) tutor_read(&stage->tutor, stage->screen, &stage->behind);
        guide_show(stage->screen, &stage->behind, stage->options->language, stage->rules,
                   is_watched(stage) ? GUIDE_WATCH : GUIDE_PLAY);
        break;
    case '+':
    case '=':
        change_pace(stage, -1);
        break;
    case '-':
        change_pace(stage, 1);
        break;
    case 'm':
        mark_piece(stage);
        break;
    case 'i':
        ask_hint(stage);
        break;
    case 'q':
        ask_to_leave(stage);
        break;
    case 'b':
        if (!is_lesson(stage) && stage->state.started) step_back(stage);
        break;
    case ':':
        if (is_watched(stage)) ask_why(stage);
        break;
    case 'u':
        if (!is_watched(stage) && stage->state.started && !stage->going_back) take_back(stage);
        break;
    case 'p':
        stage->paused = is_watched(stage) && !stage->paused;
        set_pace(stage);
        break;
    case 'v':
        if (is_watched(stage)) stage->eyes = (enum eyes_of)((stage->eyes + 1) % EYES_COUNT);
        break;
    case ' ':
    case SCREEN_ENTER:
        if (is_watched(stage)) stage_step(stage);
        break;
    default:
        break;
    }
}

static void stage_click(struct stage *stage, int row, int column) {
    struct answer answer = {0};
    square at = scene_square(&stage->scene, row, column);
    stage->flash_until = 0;
    if (at == SQUARE_NONE || is_covered(stage)) return;
    if (hand_point(&stage->hand, at, &answer)) stage_answer(stage, &answer);
}

static void answer_offer(struct stage *stage) {
    enum side side = stage->state.side;
    live_accept(stage->live,
                ask_other(stage,
                          side == BLUE ? TEXT("Red offers a draw. Does blue accept it?")
                                       : TEXT("Blue offers a draw. Does red accept it?"),
                          TEXT("accept the draw")));
}

static void stage_wake(void *context) {
    screen_wake(context);
}

/* Shows the words of a lesson once, if they have no room beside the board. */
static bool explain_step(struct stage *stage) {
    if (!is_lesson(stage) || stage->explained || !stage->hand.view) return false;
    stage->explained = true;
    tutor_read(&stage->tutor, stage->screen, &stage->behind);
    return true;
}

static void stage_run(struct stage *stage) {
    for (;;) {
        screen_clear(stage->screen);
        stage_draw(stage, stage->screen);
        screen_show(stage->screen);
        if (stage->state.stage == LIVE_OVER) return;
        if (explain_step(stage)) continue;
        if (stage->state.stage == LIVE_OFFERED && !stage->leaving) {
            answer_offer(stage);
            continue;
        }
        int left = clock_left(stage->flash_until);
        struct screen_event event = screen_wait(stage->screen, left > 0 ? left : -1);
        if (event.type == SCREEN_CLOSED) {
            live_quit(stage->live);
            return;
        }
        if (event.type == SCREEN_KEY) stage_key(stage, event.command);
        if (event.type == SCREEN_MOUSE) stage_click(stage, event.row, event.column);
    }
}

bool stage_play(struct screen *screen, const struct stage_options *options, struct fault *fault) {
    struct table *table = options->table;
    struct stage stage = {.screen = screen,
                          .options = options,
                          .rules = table->options.rules,
                          .people = table_people(table),
                          .own_army = table->own_army,
                          .first = table->options.game.first,
                          .eyes = options->eyes,
                          .told_to = NOBODY};
    if (options->looks && is_watched(&stage)) {
        stage.paused = options->looks->paused;
        if (options->looks->chosen) stage.eyes = options->looks->eyes;
    }
    const struct live_options game = {.table = table,
                                      .pause_ms = stage.paused ? -1 : *options->pause_ms,
                                      .wake = stage_wake,
                                      .context = screen};
    stage.behind = (struct backdrop){stage_draw, &stage};
    stage.scene.language = options->language;
    stage.scene.panel = (struct panel){.rules = stage.rules,
                                       .printed = options->printed,
                                       .movelist = &stage.chronicle.movelist,
                                       .first = stage.first};
    language_write(stage.scene.title, SCENE_TEXT_MAX, options->language, "{1}: red {2}, blue {3}",
                   language_title(options->language, stage.rules), options->names[RED],
                   options->names[BLUE]);
    if (options->lesson) {
        snprintf(stage.scene.title, SCENE_TEXT_MAX, "%s", options->lesson->title);
        stage.tutor = (struct tutor){.language = options->language, .lesson = options->lesson};
        stage.scene.draw_panel = tutor_draw;
        stage.scene.context = &stage.tutor;
    }
    stage.hand =
        (struct hand){.screen = screen, .behind = &stage.behind, .language = options->language};
    stage.hand.arranged = options->arranged && stage.people == 1;
    const int only = table_is_person(table, RED) ? RED : BLUE;
    take_seat(&stage, stage.people == 1 ? only : NOBODY);
    if (options->note && *options->note)
        snprintf(stage.hand.message, sizeof stage.hand.message, "%s", options->note);
    chronicle_clear(&stage.chronicle);
    stage.adviser =
        (struct adviser){.hint = options->hint, .screen = screen, .language = options->language};
    stage.live = live_start(&game, fault);
    if (!stage.live) return false;
    stage_run(&stage);
    adviser_clear(&stage.adviser);
    screen->alarm = 0;
    if (options->looks && is_watched(&stage))
        *options->looks = (struct stage_looks){true, stage.paused, stage.eyes};
    if (is_lesson(&stage)) {
        options->lesson->leaves = stage.chronicle.movelist.count < options->lesson->plies;
        if (!options->lesson->leaves) tutor_wait(&stage.tutor, screen, &stage.behind);
    }
    chronicle_clear(&stage.chronicle);
    return live_end(stage.live, fault);
}
