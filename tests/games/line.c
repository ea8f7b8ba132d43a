/* line.c - the true game, its events, and what they leave hidden. */
#include "line.h"

#include "core/play/legal.h"

#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { TRIES = 12, MOVES_MAX = 4096 };

const char *const *line_variants(void) {
    static glob_t found;
    if (found.gl_pathc) return (const char *const *)found.gl_pathv;
    assert_int_equal(glob("variants/*.lua", 0, NULL, &found), 0);
    assert_int_equal(glob("variants/examples/*.lua", GLOB_APPEND, NULL, &found), 0);
    assert_int_equal(glob("tests/data/upheaval_in_fog.lua", GLOB_APPEND, NULL, &found), 0);
    assert_int_equal(glob("tests/data/unseen_archers.lua", GLOB_APPEND, NULL, &found), 0);
    assert_true(found.gl_pathc >= 23);
    return (const char *const *)found.gl_pathv;
}

bool line_may_be_given(const struct rules *rules) {
    return !rules->open && rules->armies != ARMIES_BY_CHANCE;
}

/* A game that is played before the eyes of both sides. */
struct played {
    struct game game;
    struct eyes eyes;
    struct ply history[LINE_PLIES + 1];
};

static void play_open(struct played *play, const struct line *line, const struct setup setups[2]) {
    struct position position;
    position_from_setups(line->rules, &setups[RED], &setups[BLUE], line->first, &position);
    game_start(&play->game, line->rules, &position, NULL, play->history, LINE_PLIES + 1);
    eyes_open(&play->eyes, &play->game);
}

/* Plays a move; all of its events, not only those of a side. */
static void play_openly(struct played *play, struct move move, struct events *events) {
    static struct ply history[LINE_PLIES + 1];
    struct game copy = play->game;
    memcpy(history, copy.plies, copy.ply_count * sizeof *history);
    copy.plies = history;
    memset(events, 0, sizeof *events);
    game_play(&copy, move, events);
    eyes_play(&play->eyes, &play->game, move);
}

/* An event without the kinds of the fallen. */
static struct event without_fallen(struct event event) {
    for (int side = RED; side <= BLUE; side++) {
        kind_id *kind = event_fallen(&event, (enum side)side);
        if (kind) *kind = KIND_NONE;
    }
    return event;
}

/* Where the kinds of the fallen are told to their own side alone, is all the rest the same? */
static bool shows_same(const struct events *one, const struct events *other) {
    bool same = one->count == other->count;
    for (int i = 0; i < one->count && same; i++) {
        const struct event a = without_fallen(one->list[i]), b = without_fallen(other->list[i]);
        same = !memcmp(&a, &b, sizeof a);
    }
    return same;
}

/* Plays the line's next move. False if it is not legal, or a function of the variant has shown
 * something else than before. */
static bool play_again(const struct line *line, struct played *play) {
    const uint32_t ply = play->game.ply_count;
    struct events events;
    if (game_over(&play->game) || game_judge(&play->game, line->moves[ply]) != LEGAL) return false;
    play_openly(play, line->moves[ply], &events);
    if (line->rules->fallen_hidden) return shows_same(&events, &line->happened[ply]);
    return !line->rules->calls || !memcmp(&events, &line->happened[ply], sizeof events);
}

bool line_replay(const struct line *line, const struct setup setups[2], line_look *look,
                 void *context) {
    static struct played play;
    bool same = true;
    play_open(&play, line, setups);
    if (look) look(line, &play.game, &play.eyes, context);
    for (int ply = 0; ply < line->plies && same; ply++) {
        same = play_again(line, &play);
        if (same && look) look(line, &play.game, &play.eyes, context);
    }
    return same && play.game.result == line->result;
}

void began_follow(square began[BOARD_SQUARES_MAX], const struct event *event) {
    if (event->type == EVENT_MOVE || event->type == EVENT_SWAP) {
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
            const bool fights = line->rules->fallen_hidden && event->type == EVENT_BATTLE;
            if (fights) line->fought |= squareset_of(began[ends[i]]);
            if (!steps && !fights) line->hidden &= ~squareset_of(began[ends[i]]);
        }
        began_follow(began, event);
    }
}

squareset line_learns(const struct line *line, const struct game *game) {
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
    static struct move moves[MOVES_MAX];
    static struct played play;
    const struct game *game = &play.game;
    square began[BOARD_SQUARES_MAX];
    play_open(&play, line, line->setups);
    line->hidden = line->still = game->pieces[side_other(line->side)];
    line->seen = line_learns(line, game);
    for (int at = 0; at < BOARD_SQUARES_MAX; at++)
        began[at] = squareset_has(line->hidden, (square)at) ? (square)at : SQUARE_NONE;
    while (line->plies < plies && !game_over(game)) {
        size_t count = game_moves(game, moves, MOVES_MAX);
        struct move move = moves[random_below(&line->chance, (uint32_t)count)];
        struct events *events = &line->happened[line->plies];
        play_openly(&play, move, events);
        follow_events(line, events, began);
        line->seen |= line_learns(line, game);
        line->moves[line->plies++] = move;
    }
    line->result = game->result;
}

void line_draw(struct line *line, const struct rules *rules, enum side first, uint64_t number) {
    struct fault fault = {0};
    *line = (struct line){.rules = rules,
                          .number = number,
                          .side = number % 2 ? BLUE : RED,
                          .first = first,
                          .chance = random_stream(number, STREAM_PLAYOUT, 1)};
    for (int side = RED; side <= BLUE; side++)
        assert_true(
            setup_random(rules, (enum side)side, &line->chance, &line->setups[side], &fault));
    line_play(line, 1 + (int)random_below(&line->chance, LINE_PLIES));
}

/* Where a piece that began on `at` stands in its side's set-up. */
static square setup_square(const struct line *line, enum side side, square at) {
    return side == RED ? at : board_turn(&line->rules->board, at);
}

static square random_square(struct line *line, squareset *set) {
    squareset left = *set;
    for (uint32_t i = random_below(&line->chance, (uint32_t)squareset_count(*set)); i; i--)
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

int line_exchange_ranks(struct line *line, struct setup setups[2]) {
    struct setup *setup = &setups[side_other(line->side)];
    const struct setup before = *setup;
    squareset left = line->hidden;
    /* Few or many: the more, the less likely it is that all of them fit; least where they fought.
     */
    const uint32_t most = line->rules->fallen_hidden ? 2 : (uint32_t)squareset_count(left) / 2;
    uint32_t pairs = 1 + random_below(&line->chance, 1 + most);
    for (uint32_t i = 0; i < pairs && squareset_count(left) > 1; i++) {
        square a = random_square(line, &left);
        exchange_squares(line, setup, a, random_square(line, &left));
    }
    int changed = 0;
    for (int at = 0; at < BOARD_SQUARES_MAX; at++) changed += before.at[at] != setup->at[at];
    return changed;
}

int line_exchange_places(struct line *line, struct setup setups[2]) {
    const enum side enemy = side_other(line->side);
    squareset pieces = line->still & ~line->seen, empty = 0;
    for (int at = 0; at < line->rules->board.squares; at++)
        if (squareset_has(line->rules->board.zone[enemy], (square)at) &&
            !setups[enemy].at[setup_square(line, enemy, (square)at)])
            empty |= squareset_of((square)at);
    empty &= ~line->seen;
    if (!line->rules->sight || !pieces || !empty) return 0;
    exchange_squares(line, &setups[enemy], random_square(line, &pieces),
                     random_square(line, &empty));
    return 1;
}

bool line_twin(struct line *line, struct setup setups[2]) {
    for (int i = 0; i < TRIES; i++) {
        const bool places = line->rules->sight && i % 2 == 0;
        memcpy(setups, line->setups, sizeof line->setups);
        int changed =
            places ? line_exchange_places(line, setups) : line_exchange_ranks(line, setups);
        const enum side enemy = side_other(line->side);
        if (changed && setup_check(line->rules, enemy, &setups[enemy], NULL) &&
            line_replay(line, setups, NULL, NULL))
            return true;
    }
    return false;
}

bool line_same_text(const struct buffer *one, const struct buffer *other) {
    const struct buffer *both[] = {one, other};
    size_t at = 0, start = 0;
    while (at < one->length && at < other->length && one->text[at] == other->text[at]) at++;
    if (at == one->length && at == other->length) return true;
    for (size_t i = 0; i < at; i++)
        if (one->text[i] == '\n') start = i + 1;
    for (int i = 0; i < 2; i++) {
        const int left = (int)(both[i]->length - start);
        const char *line = left ? both[i]->text + start : "";
        const char *end = memchr(line, '\n', (size_t)left);
        print_message("%.*s\n", end ? (int)(end - line) : left, line);
    }
    return false;
}
