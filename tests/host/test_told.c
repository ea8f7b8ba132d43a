/* test_told.c - no byte sent to a bot's process depends on hidden ranks.
 *
 * A game is played, and then once more with the same moves after hidden pieces of the enemy have
 * changed places, so that nothing which the side has seen contradicts it. What the host sends to
 * the side's process in the two games must be the same to the byte. This test plays the
 * process itself, in place of the pipes (see CMakeLists.txt). */
#include "games/line.h"
#include "games/sanitized.h"
#include "host/player_process.h"
#include "host/referee.h"
#include "jail/bot_process.h"
#include "jail/channel.h"
#include "scripted.h"
#include "support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { PLIES = 50, PAIRS = 10000, PAIRS_SANITIZED = 500, TRIES = 20, TOLD_MAX = 1 << 20 };

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
                                       "lattaque",
                                       "luzhanqi",
                                       "salpakan",
                                       "variants/examples/fog.lua",
                                       "variants/examples/airborne.lua",
                                       "variants/examples/arbiter.lua",
                                       "variants/examples/heights.lua",
                                       "variants/examples/lookout.lua",
                                       "variants/examples/melee.lua",
                                       "variants/examples/rescue.lua",
                                       "variants/examples/silent_defence.lua",
                                       "variants/examples/pikes.lua",
                                       "variants/examples/three_lakes.lua"};
enum { VARIANT_COUNT = sizeof VARIANTS / sizeof *VARIANTS };

/* What the process has been told, and what it does. */
static struct {
    const struct rules *rules;
    struct setup setup;
    struct random random;
    uint32_t chosen[PLIES]; /* in the first game; made again in the second */
    int made, given;        /* moves of this game; those that are to be made again */
    unsigned char told[TOLD_MAX];
    size_t length;
    enum bot_process_order last; /* of the frame told last */
    uint32_t offered;            /* moves, in it */
    const unsigned char *leak;   /* on purpose: BOARD_SQUARES_MAX bytes that every frame betrays */
} process;

static void skip_bytes(struct frame *frame, size_t size) {
    frame->at += size;
    assert_true(frame->at <= frame->length);
}

/* Finds the last order of a frame. */
static void read_orders(const struct frame *told) {
    struct frame frame = *told;
    char path[FOLDER_PATH_MAX];
    frame.at = 0;
    while (frame.at < frame.length) {
        process.last = (enum bot_process_order)frame_take_number(&frame);
        switch (process.last) {
        case BOT_PROCESS_OPEN:
            skip_bytes(&frame, 32 + sizeof(uint32_t)); /* its chance, and wishes */
            frame_take_text(&frame, path, sizeof path);
            break;
        case BOT_PROCESS_SETUP:
        case BOT_PROCESS_START:
            skip_bytes(&frame, sizeof(struct bot_process_table));
            break;
        case BOT_PROCESS_TURN:
        case BOT_PROCESS_STOP:
            skip_bytes(&frame, frame_take_number(&frame) * sizeof(struct event));
            if (process.rules->sight) skip_bytes(&frame, sizeof(squareset));
            break;
        case BOT_PROCESS_MOVE:
            process.offered = frame_take_number(&frame);
            skip_bytes(&frame, process.offered * sizeof(struct move));
            break;
        case BOT_PROCESS_FINISH:
            break;
        default:
            fail_msg("order %d is not known here", (int)process.last);
        }
        assert_false(frame.broken);
    }
}

enum channel_result __wrap_channel_send(int to, struct frame *frame, uint32_t sequence,
                                        int64_t deadline);
enum channel_result __wrap_channel_receive(int from, struct frame *frame, uint32_t *sequence,
                                           int64_t deadline);
bool __wrap_template_take(struct template *template, struct locked_process *child,
                          struct fault *fault);
int __wrap_locked_process_end(struct locked_process *child);

enum channel_result __wrap_channel_send(int to, struct frame *frame, uint32_t sequence,
                                        int64_t deadline) {
    (void)to, (void)sequence, (void)deadline; /* numbers of frames are the system's own chance */
    assert_true(process.length + frame->length + BOARD_SQUARES_MAX <= TOLD_MAX);
    memcpy(process.told + process.length, frame->bytes + CHANNEL_HEADER, frame->length);
    process.length += frame->length;
    if (process.leak) {
        memcpy(process.told + process.length, process.leak, BOARD_SQUARES_MAX);
        process.length += BOARD_SQUARES_MAX;
    }
    read_orders(frame);
    return CHANNEL_OK;
}

enum channel_result __wrap_channel_receive(int from, struct frame *frame, uint32_t *sequence,
                                           int64_t deadline) {
    (void)from, (void)sequence, (void)deadline;
    frame_clear(frame);
    switch (process.last) {
    case BOT_PROCESS_OPEN:
        frame_put_number(frame, BOT_PROCESS_OPENED);
        for (int i = 0; i < 4; i++) frame_put_number(frame, 0);
        frame_put_text(frame, "told");
        break;
    case BOT_PROCESS_SETUP:
        frame_put_number(frame, BOT_PROCESS_LAID);
        frame_put(frame, &process.setup, sizeof process.setup);
        break;
    case BOT_PROCESS_MOVE: {
        uint32_t *chosen = &process.chosen[process.made % PLIES];
        if (process.made >= process.given) *chosen = random_below(&process.random, process.offered);
        process.made++;
        frame_put_number(frame, BOT_PROCESS_CHOSE);
        frame_put(frame, &(uint64_t){0}, sizeof(uint64_t)); /* fuel */
        frame_put_number(frame, *chosen < process.offered ? *chosen : 0);
        break;
    }
    default:
        frame_put_number(frame, BOT_PROCESS_DONE);
    }
    return CHANNEL_OK;
}

bool __wrap_template_take(struct template *template, struct locked_process *child,
                          struct fault *fault) {
    (void)template, (void)fault;
    *child = (struct locked_process){.pid = 1, .to = -1, .from = -1, .held = -1};
    return true;
}

int __wrap_locked_process_end(struct locked_process *child) {
    (void)child;
    return 0;
}

/* One game, and which pieces of the enemy nothing has been told of but their steps. */
struct round {
    const struct rules *rules;
    enum side side; /* of the process */
    struct scripted enemy;
    struct referee_report report;
    struct move moves[PLIES];
    int plies;
    squareset hidden; /* where they began */
};

/* Follows what has happened to the pieces of the enemy: `began` says for each square where the
 * piece on it began. All events are looked at, also those that a side is not told of. */
static void follow_events(struct round *round, const struct events *events,
                          square began[BOARD_SQUARES_MAX]) {
    for (int e = 0; e < events->count; e++) {
        const struct event *event = &events->list[e];
        const square ends[2] = {event->from, event->to};
        bool steps = event->type == EVENT_MOVE || event->type == EVENT_SWAP;
        for (int i = 0; i < 2 && !steps; i++)
            if (ends[i] != SQUARE_NONE && began[ends[i]] != SQUARE_NONE)
                round->hidden &= ~squareset_of(began[ends[i]]);
        began_follow(began, event);
    }
}

static void follow(struct round *round, const struct setup setups[2], const struct record *record) {
    struct position position;
    struct ply plies[PLIES + 1];
    struct game game;
    square began[BOARD_SQUARES_MAX];
    position_from_setups(round->rules, &setups[RED], &setups[BLUE], RED, &position);
    game_start(&game, round->rules, &position, &(struct limits){0, PLIES}, plies, PLIES + 1);
    round->hidden = game.pieces[side_other(round->side)];
    for (int at = 0; at < BOARD_SQUARES_MAX; at++)
        began[at] = squareset_has(round->hidden, (square)at) ? (square)at : SQUARE_NONE;
    for (size_t i = 0; i < record->move_count; i++) {
        struct fault fault = {0};
        struct events events = {0};
        const char *text = record->moves[i].text;
        if (move_read(&game, text, strlen(text), &round->moves[i], &fault) != LEGAL)
            fail_msg("%s: %s: %s", round->rules->name, text, fault.text);
        game_play(&game, round->moves[i], &events);
        follow_events(round, &events, began);
    }
    round->plies = (int)record->move_count;
}

static void play(struct round *round, const struct setup setups[2], bool again) {
    struct player child = {0};
    struct player *players[2];
    struct fault fault = {0};
    struct record *record = record_new();
    const struct player_options options = {.folders = support_folders(),
                                           .rules = round->rules,
                                           .limits = SANDBOX_DEFAULTS,
                                           .deadline = 1000,
                                           .template = (struct template *)&process};
    struct referee_options referee = {.first = RED, .limits = &(struct limits){0, PLIES}};
    for (int side = RED; side <= BLUE && round->rules->armies == ARMIES_BY_CHANCE; side++)
        referee.setups[side] = &setups[side];
    assert_non_null(record);
    process.rules = round->rules;
    process.setup = setups[round->side];
    process.length = 0;
    process.given = again ? process.made : 0;
    process.made = 0;
    if (again) {
        round->enemy.setup = setups[side_other(round->side)];
        round->enemy.scripted = round->enemy.made;
        round->enemy.made = 0;
    } else {
        scripted_start(&round->enemy, "enemy", &setups[side_other(round->side)],
                       random_next(&process.random));
    }
    assert_true(
        player_process(&child, &options, "bots/rookie.lua", &(const struct chance){{1}}, &fault));
    players[round->side] = &child;
    players[side_other(round->side)] = &round->enemy.player;
    if (!referee_play(round->rules, players, &referee, record, &round->report, &fault))
        fail_msg("%s", fault.text);
    if (round->report.forfeit.status != STATUS_OK)
        fail_msg("%s: %s", round->rules->name, round->report.forfeit.text);
    child.close(child.self);
    if (!again) follow(round, setups, record);
    record_free(record);
}

/* Can the moves be played with these set-ups, to the same end? */
static bool can_be_played(const struct round *round, const struct setup setups[2]) {
    struct position position;
    struct ply plies[PLIES + 1];
    struct game game;
    position_from_setups(round->rules, &setups[RED], &setups[BLUE], RED, &position);
    game_start(&game, round->rules, &position, &(struct limits){0, PLIES}, plies, PLIES + 1);
    for (int i = 0; i < round->plies; i++) {
        if (game_over(&game) || game_judge(&game, round->moves[i]) != LEGAL) return false;
        game_play(&game, round->moves[i], NULL);
    }
    return game.result == (uint8_t)round->report.result &&
           game.reason == (uint8_t)round->report.reason;
}

/* Where a piece that began on `at` stands in its side's set-up. */
static square setup_square(const struct rules *rules, enum side side, square at) {
    return side == RED ? at : board_turn(&rules->board, at);
}

/* In a set-up: squares are red's. */
static bool may_start(const struct rules *rules, kind_id kind, square at) {
    return kind == KIND_NONE || squareset_has(rules->start[RED].on[kind], at);
}

/* Exchanges hidden pieces of the enemy of which nothing but steps was seen. Returns how many pairs;
 * whether they could have made those steps is for can_be_played(). */
static int exchange(const struct round *round, struct setup setups[2]) {
    enum side enemy = side_other(round->side);
    struct setup *setup = &setups[enemy];
    square hidden[BOARD_SQUARES_MAX];
    int count = 0, exchanged = 0;
    for (squareset left = round->hidden; left;)
        hidden[count++] = setup_square(round->rules, enemy, squareset_pop(&left));
    for (int i = count - 1; i > 0; i--) { /* in any order */
        int k = (int)random_below(&process.random, (uint32_t)i + 1);
        square moved = hidden[i];
        hidden[i] = hidden[k];
        hidden[k] = moved;
    }
    /* Few or many: the more, the less likely it is that all of them fit. */
    int pairs = 1 + (int)random_below(&process.random, 1 + (uint32_t)count / 2);
    for (int i = 0; i + 1 < count && exchanged < pairs; i += 2) {
        kind_id kind = setup->at[hidden[i]], other = setup->at[hidden[i + 1]];
        if (kind == other || !may_start(round->rules, kind, hidden[i + 1]) ||
            !may_start(round->rules, other, hidden[i]))
            continue;
        setup->at[hidden[i]] = other;
        setup->at[hidden[i + 1]] = kind;
        exchanged++;
    }
    return exchanged;
}

static void open_round(struct round *round, const struct rules *rules, uint64_t number,
                       struct setup setups[2]) {
    struct fault fault = {0};
    memset(round, 0, sizeof *round);
    round->rules = rules;
    round->side = number % 2 ? BLUE : RED;
    process.random = random_stream(number, STREAM_PLAYOUT, 0);
    for (int side = RED; side <= BLUE; side++)
        assert_true(setup_random(rules, RED, &process.random, &setups[side], &fault));
}

static void hidden_ranks_change_no_byte_that_a_process_is_told(void **state) {
    (void)state;
    static unsigned char before[TOLD_MAX];
    static struct round round;
    const int least = sanitized() ? PAIRS_SANITIZED : PAIRS;
    int pairs = 0, wanted = least / VARIANT_COUNT + 1;
    uint64_t number = 0, exchanged = 0;
    for (int v = 0; v < VARIANT_COUNT; v++) {
        struct rules *rules = support_rules(VARIANTS[v]);
        for (int done = 0, games = 0; done < wanted; games++) {
            struct setup setups[2], other[2];
            open_round(&round, rules, ++number, setups);
            play(&round, setups, false);
            size_t length = process.length;
            memcpy(before, process.told, length);
            for (int i = 0; i < TRIES; i++) {
                memcpy(other, setups, sizeof other);
                int changed = exchange(&round, other);
                if (!changed || !can_be_played(&round, other)) continue;
                play(&round, other, true);
                if (process.length != length || memcmp(before, process.told, length) != 0)
                    fail_msg("%s, game %u: what a process is told depends on hidden ranks",
                             VARIANTS[v], (unsigned)number);
                exchanged += (uint64_t)changed;
                done++;
                pairs++;
                break;
            }
            if (games > 50 * wanted) fail_msg("%s: hardly a rank can be exchanged", VARIANTS[v]);
        }
        rules_free(rules);
    }
    print_message("%d pairs of games, %u exchanges of ranks\n", pairs, (unsigned)exchanged);
    assert_true(pairs >= least && exchanged > (uint64_t)pairs);
}

/* Proof that the test can fail: leaked ranks are noticed. */
static void a_leak_of_hidden_ranks_is_noticed(void **state) {
    (void)state;
    static unsigned char before[TOLD_MAX];
    static struct round round;
    struct rules *rules = support_rules("original");
    struct setup setups[2], other[2];
    int noticed = 0;
    for (uint64_t number = 1; number <= 20; number++) {
        open_round(&round, rules, number, setups);
        process.leak = setups[side_other(round.side)].at;
        play(&round, setups, false);
        size_t length = process.length;
        memcpy(before, process.told, length);
        memcpy(other, setups, sizeof other);
        if (exchange(&round, other) && can_be_played(&round, other)) {
            process.leak = other[side_other(round.side)].at;
            play(&round, other, true);
            noticed += process.length == length && memcmp(before, process.told, length) != 0;
        }
    }
    process.leak = NULL;
    rules_free(rules);
    assert_true(noticed > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hidden_ranks_change_no_byte_that_a_process_is_told),
        cmocka_unit_test(a_leak_of_hidden_ranks_is_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
