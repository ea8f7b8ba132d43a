/* The page of `ensign report` in a browser: every ply, as each side sees it, agrees with
 * the core; it requests nothing from the network, and fits a phone. */
#include "base/files.h"
#include "browser.h"
#include "core/know/eyes.h"
#include "games/fabricated.h"
#include "host/playback.h"
#include "program.h"
#include "variant/variant.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#define HOSTILE "</script><script>window.broken=1</script><img src=x onerror=window.broken=1>"

enum { GAME = 4 /* the one that is clicked through */, PATH_ROOM = 128 };

static struct browser *browser;
static struct folders folders;

/* A match in a fresh folder and its page. */
struct game_layout {
    char folder[PATH_ROOM], page[2 * PATH_ROOM];
    struct rules *rules;
    uint32_t games;
};

static void make_layout(struct game_layout *layout, const struct fabrication *plan) {
    struct fault fault = {0};
    snprintf(layout->folder, sizeof layout->folder, "/tmp/ensign-page-XXXXXX");
    assert_non_null(mkdtemp(layout->folder));
    snprintf(layout->page, sizeof layout->page, "%s/page.html", layout->folder);
    layout->rules = variant_load(&folders, plan->variant, &fault);
    if (!layout->rules) fail_msg("%s", fault.text);
    layout->games = 2 * plan->pairs * (uint32_t)(plan->players * (plan->players - 1) / 2);
    char match[PATH_ROOM + 8];
    snprintf(match, sizeof match, "%s/match", layout->folder);
    fabricated_match(match, layout->rules, plan);
    program_expect(PROGRAM("report", match, "-o", layout->page), 0, "");
}

static void clear_layout(struct game_layout *layout) {
    char path[2 * PATH_ROOM];
    for (uint32_t g = 1; g <= layout->games; g++) {
        snprintf(path, sizeof path, "%s/match/%04u.rec", layout->folder, g);
        unlink(path);
    }
    snprintf(path, sizeof path, "%s/match/match.sqlite", layout->folder);
    unlink(path);
    snprintf(path, sizeof path, "%s/match", layout->folder);
    rmdir(path);
    unlink(layout->page);
    rmdir(layout->folder);
    rules_free(layout->rules);
}

static const struct fabrication DUEL = {.variant = "infiltrator",
                                        .names = {"anna", "boris", "clara"},
                                        .players = 3,
                                        .pairs = 3,
                                        .plies = 120,
                                        .forfeit = 5,
                                        .why = "bots/boris.lua:7: no idea"};

static void need_browser(void) {
    if (!browser) skip();
}

static void run_script(const char *expression) {
    json_decref(browser_value(browser, expression));
}

static json_int_t number_of(const char *expression) {
    json_t *value = browser_value(browser, expression);
    assert_true(json_is_integer(value));
    json_int_t number = json_integer_value(value);
    json_decref(value);
    return number;
}

static void expect_text(const char *expression, const char *expected) {
    json_t *value = browser_value(browser, expression);
    const char *text = json_string_value(value);
    if (!text || !strstr(text, expected))
        fail_msg("%s: \"%s\", expected \"%s\"", expression, text ? text : "nothing", expected);
    json_decref(value);
}

/* For every square of the board what can be seen there: "a1 red 10", "b2 blue", "c3 blue ?", "d4",
 * with "fog" where it is out of sight. In all three views; and the move that is marked
 * in the list. */
#define LOOK                                                                                       \
    "['red', 'blue', 'open'].map((eyes) => {"                                                      \
    "  document.querySelector(`input[value=${eyes}]`).click();"                                    \
    "  return [...document.querySelectorAll('#position [data-square]')].map((square) => {"         \
    "    const piece = square.querySelector('.red, .blue');"                                       \
    "    const label = square.querySelector('.label');"                                            \
    "    return [square.dataset.square, piece && piece.getAttribute('class'),"                     \
    "      label && label.textContent, square.querySelector('.fog') && 'fog']"                     \
    "      .filter((part) => part !== null).join(' ');"                                            \
    "  });"                                                                                        \
    "}).concat((document.querySelector('.moves [aria-current]') || {}).textContent)"

/* The expected view. `eyes` 2: uncovered. */
static void expected_square(const struct game *game, const struct eyes *all, int eyes, square at,
                            char out[64]) {
    char name[SQUARE_TEXT_MAX];
    const struct rules *rules = game->rules;
    square_write(&rules->board, at, name);
    int used = snprintf(out, 64, "%s", name);
    if (eyes == 2) {
        cell piece = game->at[at];
        if (piece) {
            snprintf(out + used, 64 - (size_t)used, " %s %s", side_name(cell_side(piece)),
                     rules->kind[cell_kind(piece)].label);
        }
        return;
    }
    const struct view *view = &all->view[eyes];
    if (view->number[at] != VIEW_EMPTY) {
        const struct view_piece *piece = &view->piece[view->number[at]];
        const char *label = piece->kind ? rules->kind[piece->kind].label : piece->moved ? "?" : "";
        used += snprintf(out + used, 64 - (size_t)used, " %s%s%s",
                         side_name((enum side)piece->side), *label ? " " : "", label);
    }
    if (!squareset_has(view_sees(view), at)) snprintf(out + used, 64 - (size_t)used, " fog");
}

static void expect_boards(const struct game *game, const struct eyes *all, json_t *seen) {
    const struct board *board = &game->rules->board;
    for (int eyes = 0; eyes < 3; eyes++) {
        json_t *squares = json_array_get(seen, (size_t)eyes);
        size_t next = 0;
        for (square at = 0; at < board->squares; at++) {
            char expected[64];
            if (squareset_has(board->lakes, at)) continue;
            expected_square(game, all, eyes, at, expected);
            const char *found = json_string_value(json_array_get(squares, next++));
            if (!found || strcmp(found, expected) != 0) {
                fail_msg("ply %u, eyes %d: \"%s\", expected \"%s\"", game->ply_count, eyes,
                         found ? found : "nothing", expected);
            }
        }
        assert_int_equal(json_array_size(squares), next);
    }
}

/* Opens a game of the page and clicks through it with `next`, looking at every position. */
static void click_through(const struct game_layout *layout, uint32_t number) {
    char path[2 * PATH_ROOM], fragment[32];
    struct fault fault = {0};
    size_t length;
    snprintf(path, sizeof path, "%s/match/%04u.rec", layout->folder, number);
    snprintf(fragment, sizeof fragment, "#game=%u", number);
    char *text = files_read(path, RECORD_BYTES_MAX, &length, &fault);
    assert_non_null(text);
    struct record *record = record_read(text, length, &fault);
    free(text);
    struct position position;
    struct limits limits;
    struct game game;
    struct eyes *eyes = malloc(sizeof *eyes);
    struct ply *history = malloc((record->move_count + 1) * sizeof *history);
    assert_true(eyes && history);
    assert_true(record_start(record, layout->rules, &position, &limits, &fault));
    game_start(&game, layout->rules, &position, &limits, history, (uint32_t)record->move_count + 1);
    eyes_open(eyes, &game);
    browser_load(browser, layout->page, fragment);
    assert_int_equal(number_of("document.querySelectorAll('.moves button').length"),
                     record->move_count);
    json_t *seen = browser_value(browser, LOOK);
    expect_boards(&game, eyes, seen);
    json_decref(seen);
    for (size_t i = 0; i < record->move_count; i++) {
        struct move move;
        const char *written = record->moves[i].text;
        assert_int_equal(move_read(&game, written, strlen(written), &move, &fault), LEGAL);
        eyes_play(eyes, &game, move);
        seen = browser_value(browser, "document.getElementById('step-next').click(), " LOOK);
        expect_boards(&game, eyes, seen);
        const char *marked = json_string_value(json_array_get(seen, 3));
        if (!marked || !strstr(marked, written)) fail_msg("%s, expected %s", marked, written);
        json_decref(seen);
    }
    assert_string_equal(browser_complaints(browser), "");
    free(history);
    free(eyes);
    record_free(record);
}

static void every_ply_shows_what_each_side_saw(void **state) {
    (void)state;
    need_browser();
    struct game_layout layout;
    make_layout(&layout, &DUEL);
    browser_resize(browser, 1200, 900, false);
    click_through(&layout, GAME);
    clear_layout(&layout);
}

static void fog_covers_what_was_out_of_sight(void **state) {
    (void)state;
    need_browser();
    struct game_layout layout;
    static const struct fabrication plan = {.variant = "variants/examples/fog.lua",
                                            .names = {"anna", "boris"},
                                            .players = 2,
                                            .pairs = 1,
                                            .plies = 60};
    make_layout(&layout, &plan);
    click_through(&layout, 1);
    clear_layout(&layout);
}

static void buttons_keys_slider_and_list_lead_to_a_ply(void **state) {
    (void)state;
    need_browser();
    static const char ply[] = "Number(document.querySelector('.slider').value)";
    struct game_layout layout;
    make_layout(&layout, &DUEL);
    browser_load(browser, layout.page, "#game=2&ply=10");
    json_int_t last = number_of("Number(document.querySelector('.slider').max)");
    assert_int_equal(number_of(ply), 10);
    run_script("document.getElementById('step-last').click()");
    assert_int_equal(number_of(ply), last);
    run_script("document.getElementById('step-first').click()");
    assert_int_equal(number_of(ply), 0);
    run_script("document.getElementById('step-next').focus()");
    browser_key(browser, "ArrowRight");
    browser_key(browser, "ArrowRight");
    browser_key(browser, "ArrowLeft");
    assert_int_equal(number_of(ply), 1);
    browser_key(browser, "End");
    assert_int_equal(number_of(ply), last);
    browser_key(browser, "Home");
    assert_int_equal(number_of(ply), 0);
    run_script("document.querySelectorAll('.moves button')[6].click()");
    assert_int_equal(number_of(ply), 7);
    run_script("(() => { const slider = document.querySelector('.slider'); slider.value = 12;"
               "slider.dispatchEvent(new Event('input')); })()");
    expect_text("document.querySelector('.told').textContent", "Ply 12.");
    clear_layout(&layout);
}

static void the_board_is_turned_for_blue(void **state) {
    (void)state;
    need_browser();
    static const char below[] =
        "(() => { const place = (name) => document.querySelector(`[data-square=${name}]`)"
        "  .getBoundingClientRect();"
        "  return Number(place('a1').top > place('a10').top) * 2 +"
        "    Number(place('a1').left < place('j1').left); })()";
    struct game_layout layout;
    make_layout(&layout, &DUEL);
    /* Empty groups have no place, so every square is to be taken: uncovered, at the start. */
    browser_load(browser, layout.page, "#game=1");
    run_script("document.querySelector('input[value=red]').click()");
    assert_int_equal(number_of(below), 3);
    run_script("document.querySelector('input[value=blue]').click()");
    assert_int_equal(number_of(below), 0);
    clear_layout(&layout);
}

static void nothing_is_wider_than_a_phone(void **state) {
    (void)state;
    need_browser();
    struct game_layout layout;
    make_layout(&layout, &DUEL);
    browser_resize(browser, 390, 844, true);
    browser_load(browser, layout.page, "");
    assert_int_equal(number_of("document.documentElement.scrollWidth"), 390);
    json_t *wide = browser_value(
        browser, "[...document.querySelectorAll('main *')].filter((one) => !one.closest('.scroll')"
                 "  && one.getBoundingClientRect().right > 390.5).map((one) => one.outerHTML)"
                 "  .join('\\n').slice(0, 500)");
    assert_string_equal(json_string_value(wide), "");
    json_decref(wide);
    browser_resize(browser, 1200, 900, false);
    clear_layout(&layout);
}

static void names_and_forfeits_are_never_markup(void **state) {
    (void)state;
    need_browser();
    struct game_layout layout;
    static const struct fabrication plan = {.variant = "duel",
                                            .names = {HOSTILE, "\"><b>&lt;\\u003c"},
                                            .players = 2,
                                            .pairs = 3,
                                            .plies = 100,
                                            .forfeit = 2,
                                            .why = "<!--" HOSTILE};
    make_layout(&layout, &plan);
    browser_load(browser, layout.page, "");
    assert_int_equal(number_of("Number(window.broken || 0)"), 0);
    assert_int_equal(number_of("document.querySelectorAll('img, b').length"), 0);
    expect_text("document.title", HOSTILE);
    expect_text("document.querySelector('h1').textContent", "\"><b>&lt;\\u003c");
    expect_text("document.querySelector('#forfeits').textContent", "<!--" HOSTILE);
    assert_string_equal(browser_complaints(browser), "");
    clear_layout(&layout);
}

static void tables_show_the_numbers(void **state) {
    (void)state;
    need_browser();
    struct game_layout layout;
    make_layout(&layout, &DUEL);
    char match[PATH_ROOM + 8];
    snprintf(match, sizeof match, "%s/match", layout.folder);
    struct program_run run = PROGRAM("report", match, "--json");
    json_t *numbers = json_loads(run.out, 0, NULL), *player;
    assert_non_null(numbers);
    browser_load(browser, layout.page, "");
    size_t index;
    json_array_foreach(json_object_get(numbers, "players"), index, player) {
        char row[256], expected[64];
        snprintf(row, sizeof row,
                 "[...document.querySelectorAll('#ratings tbody tr')].map((one) =>"
                 " [...one.children].map((cell) => cell.textContent).join('|') + '|')"
                 " .find((one) => one.startsWith('%s|'))",
                 json_string_value(json_object_get(player, "name")));
        snprintf(expected, sizeof expected, "|%d|%d|%d|",
                 (int)json_integer_value(json_object_get(player, "wins")),
                 (int)json_integer_value(json_object_get(player, "draws")),
                 (int)json_integer_value(json_object_get(player, "losses")));
        expect_text(row, expected);
    }
    json_decref(numbers);
    program_clear(&run);
    clear_layout(&layout);
}

static void the_games_of_each_variant_are_shown_by_themselves(void **state) {
    (void)state;
    need_browser();
    struct fabrication plan = DUEL;
    struct game_layout first, second;
    char one[2 * PATH_ROOM], other[2 * PATH_ROOM];
    make_layout(&first, &DUEL);
    plan.variant = "quick";
    plan.forfeit = 0;
    make_layout(&second, &plan);
    snprintf(one, sizeof one, "%s/match/0001.rec", first.folder);
    snprintf(other, sizeof other, "%s/match/0002.rec", second.folder);
    program_expect(PROGRAM("report", one, other, other, "-o", first.page), 0, "");
    browser_load(browser, first.page, "");
    expect_text("document.querySelector('nav').textContent", "InfiltratorQuick");
    expect_text("document.querySelector('[aria-current]').textContent", "Infiltrator");
    expect_text("document.querySelector('dl').textContent", "Games1");
    run_script("new Promise((done) => { addEventListener('hashchange', () => done(1));"
               " document.querySelectorAll('nav a')[1].click(); })");
    expect_text("document.querySelector('[aria-current]').textContent", "Quick");
    expect_text("document.querySelector('dl').textContent", "Games2");
    browser_load(browser, first.page, "#variant=quick&game=2&ply=1");
    expect_text("document.querySelector('[aria-current]').textContent", "Quick");
    assert_string_equal(browser_complaints(browser), "");
    clear_layout(&second);
    clear_layout(&first);
}

static int open_browser(void **state) {
    (void)state;
    struct fault fault = {0};
    browser = browser_open();
    return folders_find(&folders, &fault) ? 0 : -1;
}

static int close_browser(void **state) {
    (void)state;
    browser_close(browser);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_ply_shows_what_each_side_saw),
        cmocka_unit_test(fog_covers_what_was_out_of_sight),
        cmocka_unit_test(buttons_keys_slider_and_list_lead_to_a_ply),
        cmocka_unit_test(the_board_is_turned_for_blue),
        cmocka_unit_test(nothing_is_wider_than_a_phone),
        cmocka_unit_test(names_and_forfeits_are_never_markup),
        cmocka_unit_test(the_games_of_each_variant_are_shown_by_themselves),
        cmocka_unit_test(tables_show_the_numbers),
    };
    return cmocka_run_group_tests(tests, open_browser, close_browser);
}
