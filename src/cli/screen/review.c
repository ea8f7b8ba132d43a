/* review.c - a recorded game on the screen.
 *
 * Going back replays the game from the start, with the views of both sides, so a side's view at a
 * ply comes from its events up to there and nothing else. */
#include "review.h"

#include "dialog.h"
#include "game_layout.h"
#include "guide.h"
#include "host/hint.h"
#include "host/playback.h"
#include "why.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE = 10, RUN_MS = 800, END_MAX = FAULT_TEXT_MAX };

struct review {
    struct screen *screen;
    const struct review_options *options;
    struct backdrop behind;
    struct game_layout layout;
    struct playback replay;        /* at the ply shown */
    const struct session *session; /* the replay's */
    uint32_t plies;                /* that can be replayed */
    enum eyes_of eyes_of;
    struct game_log shown; /* up to the ply shown */
    struct game_log whole; /* the whole game, for the list of moves */
    char end[END_MAX];     /* how the game ended, or what is wrong with the record */
    bool running;          /* steps automatically */
    square cursor;
};

static const char *review_text(const struct review *review, const char *english) {
    return language_text(review->options->language, english);
}

static void review_restart(struct review *review, struct game_log *log) {
    session_rewind(review->replay.session, 0, NULL);
    game_log_clear(log);
}

/* Plays the next move, already judged once. It can fail only if a variant's function now answers
 * differently. */
static bool review_step(struct review *review, struct game_log *log) {
    const struct session *session = review->session;
    enum side teller =
        game_log_teller(review->eyes_of, session->start.to_move, session->game.ply_count);
    if (!playback_step(&review->replay, NULL)) return false;
    game_log_add(log, review->options->language, review->options->rules,
                 &session->eyes.told[teller]);
    return true;
}

/* Plays on up to a ply. */
static void review_play_to(struct review *review, uint32_t ply, struct game_log *log) {
    while (review->session->game.ply_count < ply && review_step(review, log)) continue;
}

static void review_go_to(struct review *review, uint32_t ply) {
    if (ply > review->plies) ply = review->plies;
    if (ply < review->session->game.ply_count) review_restart(review, &review->shown);
    review_play_to(review, ply, &review->shown);
}

/* The next (direction 1) or previous (-1) ply with a battle; without one, the end or the start. */
static uint32_t next_battle(struct review *review, int direction) {
    uint32_t here = review->session->game.ply_count, found = direction < 0 ? 0 : review->plies;
    struct game_log log = {0};
    review_restart(review, &log);
    for (uint32_t ply = 1; ply <= review->plies && review_step(review, &log); ply++) {
        if (!log.battle) continue;
        if (direction < 0 && ply < here) found = ply;
        if (direction > 0 && ply > here) {
            found = ply;
            break;
        }
    }
    game_log_clear(&log);
    return found;
}

/* Changes the view. */
static void review_look_as(struct review *review, enum eyes_of eyes) {
    uint32_t ply = review->session->game.ply_count;
    review->eyes_of = eyes;
    review_restart(review, &review->whole);
    review_play_to(review, review->plies, &review->whole);
    review_restart(review, &review->shown);
    review_go_to(review, ply);
}

static void review_write_status(struct review *review) {
    language_write(review->layout.status, GAME_LAYOUT_TEXT_MAX, review->options->language,
                   "ply {1} of {2}, {3}", NUMBER_TEXT(review->session->game.ply_count),
                   NUMBER_TEXT(review->plies), review_text(review, game_log_eyes(review->eyes_of)));
}

/* Says whether the move shown was played after a hint. Returns the length. */
static size_t tell_hint(const struct review *review, char *out, size_t size) {
    uint32_t ply = review->session->game.ply_count;
    char bot[HINT_BOT_MAX];
    enum side mover = side_other((enum side)review->session->game.to_move);
    if (!ply || !hint_at(review->options->record, mover, ply, bot)) return 0;
    size_t length = (size_t)snprintf(out, size, " ");
    return length + language_write(out + length, size - length, review->options->language,
                                   "{1} gave a hint for this move.", bot);
}

static void review_write_message(struct review *review) {
    struct game_layout *layout = &review->layout;
    size_t length = game_log_tell(&review->shown, layout->message, sizeof layout->message);
    layout->message_style = STYLE_PLAIN;
    layout->brief = game_log_brief(&review->shown);
    length += tell_hint(review, layout->message + length, sizeof layout->message - length);
    if (review->session->game.ply_count < review->plies) return;
    const char *end = review->end, *note = review->options->note;
    layout->brief = *end ? end : note;
    snprintf(layout->message + length, sizeof layout->message - length, "%s%s%s%s",
             length ? "\n" : "", end, *end && note ? " " : "", note ? note : "");
    layout->message_style = STYLE_STRONG;
}

static void review_draw(void *context, struct screen *screen) {
    struct review *review = context;
    struct game_layout *layout = &review->layout;
    const struct view *view =
        &review->session->eyes.view[review->eyes_of == EYES_BLUE ? BLUE : RED];
    if (review->eyes_of == EYES_BOTH) {
        picture_views(&layout->picture, &review->session->eyes.view[RED],
                      &review->session->eyes.view[BLUE]);
    } else {
        picture_view(&layout->picture, view);
    }
    layout->marks = CHART_NO_MARKS;
    layout->marks.cursor = review->cursor;
    game_log_mark(&review->shown, &layout->marks);
    layout->panel.view = view;
    layout->panel.shown = review->session->game.ply_count;
    layout->panel.eyes = review->eyes_of;
    layout->keys = review_text(
        review, review->options->locked
                    ? TEXT("←→:step PgUp/PgDn:ten n/N:battle Space:run ?:help q:leave")
                    : TEXT("←→:step PgUp/PgDn:ten n/N:battle v:view Space:run ?:help q:leave"));
    review_write_status(review);
    review_write_message(review);
    game_layout_draw(layout, screen);
}

/* A number is a ply to go to, a move is judged where it would be played. */
static void ask_ply(struct review *review) {
    char line[MOVE_TEXT_MAX] = "";
    if (!dialog_type(review->screen, &review->behind, review_text(review, TEXT("Ply or move")),
                     review_text(review, TEXT("A ply to go to, or a move: is it legal here?")),
                     line, sizeof line) ||
        !line[0])
        return;
    char *end;
    unsigned long ply = strtoul(line, &end, 10);
    if (end > line && !*end)
        review_go_to(review, ply < UINT32_MAX ? (uint32_t)ply : UINT32_MAX);
    else
        why_tell(review->screen, &review->behind, review->options->language, review->session,
                 review->eyes_of, line);
}

static void review_move_cursor(struct review *review, int key) {
    int right = (key == 'l') - (key == 'h'), up = (key == 'k') - (key == 'j');
    if (review->cursor == SQUARE_NONE)
        review->cursor = board_square(&review->options->rules->board, 0, 0);
    else
        review->cursor = chart_step(&review->layout.chart, review->cursor, right, up);
}

/* False when the review is left. */
static bool review_key(struct review *review, int key) {
    uint32_t here = review->session->game.ply_count;
    review->running = review->running && key == '?';
    switch (key) {
    case SCREEN_LEFT:
        review_go_to(review, here ? here - 1 : 0);
        break;
    case SCREEN_RIGHT:
    case SCREEN_ENTER:
        if (review->options->so_far && here == review->plies) return false;
        review_go_to(review, here + 1);
        break;
    case SCREEN_PAGE_UP:
        review_go_to(review, here > PAGE ? here - PAGE : 0);
        break;
    case SCREEN_PAGE_DOWN:
        review_go_to(review, here + PAGE);
        break;
    case SCREEN_HOME:
        review_go_to(review, 0);
        break;
    case SCREEN_END:
        review_go_to(review, review->plies);
        break;
    case 'n':
    case 'N': {
        uint32_t ply = next_battle(review, key == 'n' ? 1 : -1);
        review_restart(review, &review->shown);
        review_go_to(review, ply);
        break;
    }
    case ':':
        ask_ply(review);
        break;
    case ' ':
        review->running = here < review->plies;
        break;
    case 'v':
        if (!review->options->locked)
            review_look_as(review, (enum eyes_of)((review->eyes_of + 1) % EYES_COUNT));
        break;
    case 'h':
    case 'j':
    case 'k':
    case 'l':
        review_move_cursor(review, key);
        break;
    case '?':
    case SCREEN_F1:
        guide_show(review->screen, &review->behind, review->options->language,
                   review->options->rules, GUIDE_REVIEW);
        break;
    case 'q':
    case SCREEN_ESCAPE:
        return false;
    default:
        break;
    }
    return true;
}

static void review_run(struct review *review) {
    for (;;) {
        screen_clear(review->screen);
        review_draw(review, review->screen);
        screen_show(review->screen);
        struct screen_event event = screen_wait(review->screen, review->running ? RUN_MS : -1);
        if (event.type == SCREEN_CLOSED) return;
        if (event.type == SCREEN_TIMEOUT) {
            review_go_to(review, review->session->game.ply_count + 1);
            review->running = review->session->game.ply_count < review->plies;
        }
        if (event.type == SCREEN_MOUSE)
            review->cursor = game_layout_square(&review->layout, event.row, event.column);
        if (event.type == SCREEN_WHEEL)
            review_key(review, event.key == SCREEN_UP ? SCREEN_LEFT : SCREEN_RIGHT);
        if (event.type == SCREEN_KEY && !review_key(review, event.command)) return;
    }
}

/* Replays the game once to learn its length and end. False with a fault if it cannot start. */
static bool review_prepare(struct review *review, struct fault *fault) {
    const struct review_options *options = review->options;
    struct playback *replay = &review->replay;
    struct fault wrong = {0};
    if (!playback_open(replay, options->record, options->rules, fault)) return false;
    review->session = replay->session;
    bool played = playback_run(replay, UINT32_MAX, &wrong);
    if (played && options->so_far) {
        review->end[0] = 0;
    } else if (played) {
        language_end(options->language, replay->result, replay->reason, &replay->session->ending,
                     review->end, sizeof review->end);
    } else {
        snprintf(review->end, sizeof review->end, "%s", wrong.text);
    }
    review->plies = replay->plies;
    return true;
}

bool review_show(struct screen *screen, const struct review_options *options, struct fault *fault) {
    struct review *review = calloc(1, sizeof *review);
    if (!review) return fault_set(fault, STATUS_NO_MEMORY, "no memory for a game");
    review->screen = screen;
    review->options = options;
    bool ready = review_prepare(review, fault);
    if (ready) {
        review->behind = (struct backdrop){review_draw, review};
        review->cursor = SQUARE_NONE;
        review->layout.language = options->language;
        review->layout.panel = (struct panel){.rules = options->rules,
                                              .movelist = &review->whole.movelist,
                                              .printed = options->printed,
                                              .first = review->session->start.to_move};
        language_write(review->layout.title, GAME_LAYOUT_TEXT_MAX, options->language,
                       "{1}: red {2}, blue {3}", language_title(options->language, options->rules),
                       record_tag_or(options->record, "Red", "?"),
                       record_tag_or(options->record, "Blue", "?"));
        review_look_as(review, options->eyes);
        review_go_to(review, options->ply);
        review_run(review);
    }
    game_log_clear(&review->shown);
    game_log_clear(&review->whole);
    playback_close(&review->replay);
    free(review);
    return ready;
}
