/* test_told_seat.c - no byte of the seat protocol depends on what the onlooker may not know.
 *
 * A line of play is told to one side and to the public as messages (message.h); then once more with
 * something changed that this side cannot know: ranks of hidden enemies exchanged, an enemy moved
 * to another place that was out of sight from the start, or another last move out of sight. The
 * same bytes must be told. What is hidden is worked out from the true position and all of its
 * events, not from views. ENSIGN_GAMES sets the number of games. */
#include "base/buffer.h"
#include "host/seat/message.h"
#include "host/session.h"
#include "support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { PLIES = 40, GAMES = 480, TRIES = 12, TOLD_MAX = 4 << 20, ONLOOKED = 2 };

static const char *const VARIANTS[] = {"original",
                                       "infiltrator",
                                       "classic",
                                       "milton-bradley",
                                       "galaxy",
                                       "galaxy-duel",
                                       "russian",
                                       "duel",
                                       "barrage",
                                       "quick",
                                       "lightning",
                                       "variants/examples/fog.lua",
                                       "variants/examples/airborne.lua",
                                       "variants/examples/breakthrough.lua",
                                       "variants/examples/cordon.lua",
                                       "variants/examples/flag_moves_once.lua",
                                       "variants/examples/medic.lua",
                                       "variants/examples/phalanx.lua",
                                       "variants/examples/rescue.lua",
                                       "variants/examples/sentry.lua",
                                       "variants/examples/silent_defence.lua",
                                       "variants/examples/three_lakes.lua",
                                       "tests/data/upheaval_in_fog.lua"};
enum { VARIANT_COUNT = sizeof VARIANTS / sizeof *VARIANTS };

/* A line of play, and what `side` cannot know of it. */
struct line {
    const struct rules *rules;
    enum side side;
    uint64_t number;
    struct setup setups[2];
    struct move moves[PLIES];
    int plies;
    uint8_t result;
    squareset hidden; /* where enemies began of which nothing but steps was told */
    squareset still;  /* those of them that have not even moved */
    squareset seen;   /* squares of which the side ever learned something */
    /* Everything that happened, where functions of the variant may show more than the rules do. */
    struct events happened[PLIES + 1];
};

/* What the side (0) and the public (1) were told. */
struct told {
    struct buffer text[ONLOOKED];
};

static struct random chance;

static void told_clear(struct told *told) {
    for (int i = 0; i < ONLOOKED; i++) {
        told->text[i].length = 0;
        if (!told->text[i].ceiling) told->text[i] = buffer_of(TOLD_MAX);
    }
}

static void tell(struct buffer *text, json_t *message) {
    assert_true(message_write(message, text));
}

static const enum onlooker *onlookers_of(const struct line *line) {
    static enum onlooker onlookers[ONLOOKED];
    onlookers[0] = (enum onlooker)line->side;
    onlookers[1] = ONLOOKER_PUBLIC;
    return onlookers;
}

static void tell_start(const struct line *line, const struct session *session, struct told *told) {
    static const uint64_t seed = 7;
    for (int i = 0; i < ONLOOKED; i++) {
        const enum onlooker onlooker = onlookers_of(line)[i];
        const struct message_table table = {.id = "1",
                                            .names = {"a", "b"},
                                            .rules = line->rules,
                                            .first = RED,
                                            .limits = session->limits,
                                            .seed = &seed,
                                            .deadline = 1000};
        const struct outlook outlook = outlook_of(onlooker, &session->eyes);
        /* It is long, and of the game itself it has only the limits. */
        if (line->number % 16 == 0) tell(&told->text[i], message_game(&table, onlooker));
        tell(&told->text[i], message_start(&outlook));
    }
}

static void tell_events(const struct line *line, const struct session *session, struct told *told) {
    for (int i = 0; i < ONLOOKED; i++) {
        const struct outlook outlook = outlook_of(onlookers_of(line)[i], &session->eyes);
        tell(&told->text[i], message_events(&outlook));
    }
}

/* The question for a move, and the refusal of a move that is not legal. */
static void tell_question(const struct line *line, struct session *session, struct told *told) {
    const struct view *view = &session->eyes.view[line->side];
    struct random random = random_stream(line->number, STREAM_PLAYOUT, session->game.ply_count);
    struct fault fault = {0};
    size_t count;
    const struct move *moves = session_moves(session, &count, &fault);
    if (!moves) fail_msg("%s", fault.text);
    tell(&told->text[0], message_move(view, moves, count, NULL));
    for (int i = 0; i < 2; i++) {
        struct move move = moves[random_below(&random, (uint32_t)count)];
        char text[MOVE_TEXT_MAX];
        move.to = (square)random_below(&random, (uint32_t)line->rules->board.squares);
        if (i) move.from = (square)random_below(&random, (uint32_t)line->rules->board.squares);
        size_t length = move_text(line->rules, move, random_below(&random, 2), text);
        enum verdict verdict = move_read(&session->game, text, length, &move, &fault);
        if (verdict != LEGAL) tell(&told->text[0], message_refused(verdict, &fault));
    }
}

static struct session *open_session(const struct line *line, const struct setup setups[2]) {
    const struct session_options options = {.rules = line->rules, .plies = PLIES + 1};
    struct fault fault = {0};
    struct session *session = session_open(&options, &fault);
    assert_non_null(session);
    for (int side = RED; side <= BLUE; side++)
        if (!session_take_setup(session, (enum side)side, &setups[side], &fault))
            fail_msg("%s", fault.text);
    return session;
}

/* Plays a move; all of its events, not only those of a side. */
static void play_openly(struct session *session, struct move move, struct events *events) {
    static struct ply history[PLIES + 2];
    struct game copy = session->game;
    struct fault fault = {0};
    memcpy(history, copy.plies, copy.ply_count * sizeof *history);
    copy.plies = history;
    memset(events, 0, sizeof *events);
    game_play(&copy, move, events);
    if (!session_play(session, move, NULL, &fault)) fail_msg("%s", fault.text);
}

/* Plays the line's next move. False if it is not legal, or a function of the variant has shown
 * something else than before. */
static bool play_again(const struct line *line, struct session *session) {
    const uint32_t ply = session->game.ply_count;
    struct fault fault = {0};
    struct events events;
    if (!line->rules->calls) return session_play(session, line->moves[ply], NULL, &fault);
    if (game_judge(&session->game, line->moves[ply]) != LEGAL) return false;
    play_openly(session, line->moves[ply], &events);
    return !memcmp(&events, &line->happened[ply], sizeof events);
}

/* Tells the first plies of the line. False, with only a part told, if they cannot be played with
 * these set-ups to the same end. */
static bool tell_line(const struct line *line, const struct setup setups[2], struct told *told) {
    struct session *session = open_session(line, setups);
    bool same = true;
    told_clear(told);
    tell_start(line, session, told);
    for (int ply = 0; ply < line->plies && same; ply++) {
        if ((same = !session->over) && session->game.to_move == line->side)
            tell_question(line, session, told);
        same = same && play_again(line, session);
        if (same) tell_events(line, session, told);
    }
    same = same && session->game.result == line->result;
    if (same && !session->over && session->game.to_move == line->side)
        tell_question(line, session, told);
    session_close(session);
    return same;
}

/* Follows what happens to the enemies: `began` says for each square where the piece on it began. */
static void follow_events(struct line *line, const struct events *events,
                          square began[BOARD_SQUARES_MAX]) {
    for (int e = 0; e < events->count; e++) {
        const struct event *event = &events->list[e];
        const square ends[2] = {event->from, event->to};
        bool steps = event->type == EVENT_MOVE || event->type == EVENT_SWAP;
        for (int i = 0; i < 2; i++) {
            if (ends[i] == SQUARE_NONE || began[ends[i]] == SQUARE_NONE) continue;
            line->still &= ~squareset_of(began[ends[i]]);
            if (!steps) line->hidden &= ~squareset_of(began[ends[i]]);
        }
        if (steps) {
            square piece = began[event->from];
            began[event->from] = began[event->to];
            began[event->to] = piece;
        } else if (event->type == EVENT_BATTLE) {
            if (event->outcome == ATTACKER_WINS) began[event->to] = began[event->from];
            if (event->outcome == BOTH_FALL) began[event->to] = SQUARE_NONE;
            began[event->from] = SQUARE_NONE;
        } else if (event->type == EVENT_REMOVE) {
            began[event->from] = SQUARE_NONE;
        } else if (event->type == EVENT_PLACE) {
            began[event->to] = SQUARE_NONE;
        }
    }
}

/* What the side learns of squares from its position: those in sight, and those on which a legal
 * move of its own ends or is blocked. */
static squareset squares_learned(const struct line *line, const struct game *game) {
    static const int steps[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
    const struct board *board = &line->rules->board;
    squareset learned = view_sight(line->rules, line->side, game->at);
    for (squareset runners = game->runners[line->side]; line->rules->sight && runners;) {
        const square from = squareset_pop(&runners);
        for (int i = 0; i < 4; i++) {
            int file = board_file(board, from), rank = board_rank(board, from);
            square at;
            do {
                at = board_square(board, file += steps[i][0], rank += steps[i][1]);
                if (at != SQUARE_NONE) learned |= squareset_of(at);
            } while (at != SQUARE_NONE && game->at[at] == CELL_EMPTY);
        }
    }
    return learned;
}

/* Plays up to `plies` random moves, and notes what they leave hidden from the side. */
static void line_play(struct line *line, int plies) {
    static struct move moves[4096];
    struct session *session = open_session(line, line->setups);
    struct game *game = &session->game;
    square began[BOARD_SQUARES_MAX];
    line->hidden = line->still = game->pieces[side_other(line->side)];
    line->seen = squares_learned(line, game);
    for (int at = 0; at < BOARD_SQUARES_MAX; at++)
        began[at] = squareset_has(line->hidden, (square)at) ? (square)at : SQUARE_NONE;
    while (line->plies < plies && !game_over(game)) {
        size_t count = game_moves(game, moves, sizeof moves / sizeof *moves);
        struct move move = moves[random_below(&chance, (uint32_t)count)];
        struct events *events = &line->happened[line->plies];
        play_openly(session, move, events);
        follow_events(line, events, began);
        line->seen |= squares_learned(line, game);
        line->moves[line->plies++] = move;
    }
    line->result = game->result;
    session_close(session);
}

static void line_draw(struct line *line, const struct rules *rules, uint64_t number) {
    struct fault fault = {0};
    *line = (struct line){.rules = rules, .number = number, .side = number % 2 ? BLUE : RED};
    chance = random_stream(number, STREAM_PLAYOUT, 1);
    for (int side = RED; side <= BLUE; side++)
        assert_true(setup_random(rules, &chance, &line->setups[side], &fault));
    line_play(line, 1 + (int)random_below(&chance, PLIES));
}

/* Where a piece that began on `at` stands in its side's set-up. */
static square setup_square(const struct line *line, enum side side, square at) {
    return side == RED ? at : board_turn(&line->rules->board, at);
}

static square random_square(squareset *set) {
    squareset left = *set;
    for (uint32_t i = random_below(&chance, (uint32_t)squareset_count(*set)); i; i--)
        squareset_pop(&left);
    square at = squareset_pop(&left);
    *set &= ~squareset_of(at);
    return at;
}

static void exchange_squares(const struct line *line, struct setup *setup, square a, square b) {
    enum side enemy = side_other(line->side);
    kind_id *one = &setup->at[setup_square(line, enemy, a)];
    kind_id *other = &setup->at[setup_square(line, enemy, b)];
    kind_id kind = *one;
    *one = *other;
    *other = kind;
}

/* Exchanges ranks of hidden enemies. Whether these could have made their steps is for tell_line().
 * Returns how many ranks changed. */
static int exchange_ranks(const struct line *line, struct setup setups[2]) {
    struct setup *setup = &setups[side_other(line->side)];
    const struct setup before = *setup;
    squareset left = line->hidden;
    /* Few or many: the more, the less likely it is that all of them fit. */
    uint32_t pairs = 1 + random_below(&chance, 1 + (uint32_t)squareset_count(left) / 2);
    for (uint32_t i = 0; i < pairs && squareset_count(left) > 1; i++) {
        square a = random_square(&left);
        exchange_squares(line, setup, a, random_square(&left));
    }
    int changed = 0;
    for (int at = 0; at < BOARD_SQUARES_MAX; at++) changed += before.at[at] != setup->at[at];
    return changed;
}

/* Places an enemy that was never in sight and never moved on another such square of its zone. */
static int exchange_places(const struct line *line, struct setup setups[2]) {
    const enum side enemy = side_other(line->side);
    squareset pieces = line->still & ~line->seen, empty = 0;
    for (int at = 0; at < line->rules->board.squares; at++)
        if (squareset_has(line->rules->board.zone[enemy], (square)at) &&
            !setups[enemy].at[setup_square(line, enemy, (square)at)])
            empty |= squareset_of((square)at);
    empty &= ~line->seen;
    if (!line->rules->sight || !pieces || !empty) return 0;
    exchange_squares(line, &setups[enemy], random_square(&pieces), random_square(&empty));
    return 1;
}

static const char *first_difference(const struct buffer *a, const struct buffer *b) {
    static char text[2][1000];
    size_t at = 0, start = 0;
    while (at < a->length && at < b->length && a->text[at] == b->text[at]) at++;
    for (size_t i = 0; i < at; i++)
        if (a->text[i] == '\n') start = i + 1;
    snprintf(text[0], sizeof text[0], "%.*s", (int)strcspn(a->text + start, "\n"), a->text + start);
    snprintf(text[1], sizeof text[1], "%.*s", (int)strcspn(b->text + start, "\n"), b->text + start);
    print_message("%s\n%s\n", text[0], text[1]);
    return text[0];
}

static bool same_bytes(const struct told *a, const struct told *b) {
    for (int i = 0; i < ONLOOKED; i++) {
        if (a->text[i].length == b->text[i].length &&
            !memcmp(a->text[i].text, b->text[i].text, a->text[i].length))
            continue;
        first_difference(&a->text[i], &b->text[i]);
        return false;
    }
    return true;
}

static int games_wanted(void) {
    const char *games = getenv("ENSIGN_GAMES");
    return games ? atoi(games) : GAMES;
}

static struct told before, after;

typedef int exchange_function(const struct line *line, struct setup setups[2]);

/* Tells the line with something exchanged. False if nothing that was tried fits. */
static bool compare_exchanged(const struct line *line, exchange_function *exchange,
                              const char *variant) {
    for (int i = 0; i < TRIES; i++) {
        struct setup other[2];
        memcpy(other, line->setups, sizeof other);
        if (!exchange(line, other) || !tell_line(line, other, &after)) continue;
        if (same_bytes(&before, &after)) return true;
        fail_msg("%s, game %u, %d plies: what %s or the public is told depends on what is hidden",
                 variant, (unsigned)line->number, line->plies, side_name(line->side));
    }
    return false;
}

static void hidden_ranks_change_no_byte_of_a_message(void **state) {
    (void)state;
    static struct line line;
    const int wanted = games_wanted() / VARIANT_COUNT + 1;
    uint64_t number = 0;
    for (int v = 0; v < VARIANT_COUNT; v++) {
        struct rules *rules = support_rules(VARIANTS[v]);
        for (int done = 0, games = 0; done < wanted; games++) {
            line_draw(&line, rules, ++number);
            assert_true(tell_line(&line, line.setups, &before));
            done += compare_exchanged(&line, exchange_ranks, VARIANTS[v]);
            if (games > 50 * wanted) fail_msg("%s: hardly a rank can be exchanged", VARIANTS[v]);
        }
        rules_free(rules);
    }
}

static void places_out_of_sight_change_no_byte_of_a_message(void **state) {
    (void)state;
    static struct line line;
    const int wanted = games_wanted() / 20;
    struct rules *rules = support_rules("variants/examples/fog.lua");
    for (int done = 0, games = 0; done < wanted; games++) {
        line_draw(&line, rules, 1000000 + (uint64_t)games);
        assert_true(tell_line(&line, line.setups, &before));
        done += compare_exchanged(&line, exchange_places, "fog");
        assert_true(games < 50 * wanted);
    }
    rules_free(rules);
}

/* Is the enemy's next move one that the side sees nothing of? */
static bool is_out_of_sight(const struct line *line, const struct game *game, struct move move) {
    const squareset seen = squares_learned(line, game);
    return move.ability == ABILITY_NONE && game->at[move.to] == CELL_EMPTY &&
           !squareset_has(seen, move.from) && !squareset_has(seen, move.to);
}

/* Adds each of the enemy's moves out of sight to the line; all must be told alike. Returns how many
 * were compared. */
static int compare_moves_out_of_sight(struct line *line) {
    struct session *session = open_session(line, line->setups);
    struct fault fault = {0};
    size_t count;
    int told = 0;
    for (int ply = 0; ply < line->plies; ply++)
        assert_true(session_play(session, line->moves[ply], NULL, &fault));
    const struct move *moves = session->over ? NULL : session_moves(session, &count, &fault);
    const int ply = line->plies++;
    for (size_t i = 0; moves && i < count; i++) {
        line->moves[ply] = moves[i];
        if (!is_out_of_sight(line, &session->game, moves[i]) ||
            !tell_line(line, line->setups, told ? &after : &before))
            continue;
        if (told++ && !same_bytes(&before, &after))
            fail_msg("game %u: moves out of sight are told apart", (unsigned)line->number);
    }
    session_close(session);
    return told > 1;
}

static void moves_out_of_sight_are_all_told_alike(void **state) {
    (void)state;
    static struct line line;
    struct rules *rules = support_rules("variants/examples/fog.lua");
    int compared = 0;
    for (int games = 0; games < games_wanted() / 20; games++) {
        line_draw(&line, rules, 2000000 + (uint64_t)games);
        if (line.plies < PLIES && (line.plies % 2 ? BLUE : RED) != line.side)
            compared += compare_moves_out_of_sight(&line);
    }
    rules_free(rules);
    assert_true(compared > games_wanted() / 80);
}

/* Proof that these tests can fail: the same games told as to an onlooker who sees everything. */
static void a_leak_of_hidden_ranks_is_noticed(void **state) {
    (void)state;
    static struct line line;
    struct rules *rules = support_rules("original");
    int noticed = 0;
    for (uint64_t number = 1; number <= 20; number++) {
        struct setup other[2];
        line_draw(&line, rules, number);
        memcpy(other, line.setups, sizeof other);
        if (!exchange_ranks(&line, other)) continue;
        const struct setup *const setups[2] = {line.setups, other};
        struct told *const tolds[2] = {&before, &after};
        for (int i = 0; i < 2; i++) {
            struct session *session = open_session(&line, setups[i]);
            const struct outlook outlook = outlook_of(ONLOOKER_ALL, &session->eyes);
            told_clear(tolds[i]);
            tell(&tolds[i]->text[0], message_start(&outlook));
            session_close(session);
        }
        noticed += before.text[0].length == after.text[0].length &&
                   memcmp(before.text[0].text, after.text[0].text, before.text[0].length) != 0;
    }
    rules_free(rules);
    assert_true(noticed > 10);
}

static int forget(void **state) {
    (void)state;
    for (int i = 0; i < ONLOOKED; i++) {
        buffer_clear(&before.text[i]);
        buffer_clear(&after.text[i]);
    }
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hidden_ranks_change_no_byte_of_a_message),
        cmocka_unit_test(places_out_of_sight_change_no_byte_of_a_message),
        cmocka_unit_test(moves_out_of_sight_are_all_told_alike),
        cmocka_unit_test(a_leak_of_hidden_ranks_is_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, forget);
}
