/* test_told_seat.c - no byte of the seat protocol depends on what the onlooker may not know.
 *
 * A line of play is told to one side and to the public as messages (message.h); then once more with
 * something changed that this side cannot know: ranks of hidden enemies exchanged, an enemy moved
 * to another place that was out of sight from the start, or another last move out of sight. The
 * same bytes must be told. ENSIGN_GAMES sets the number of games. */
#include "games/line.h"
#include "host/seat/message.h"
#include "support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { GAMES = 480, TRIES = 12, TOLD_MAX = 4 << 20, ONLOOKED = 2, MOVES_MAX = 4096 };

/* What the side (0) and the public (1) were told. */
struct told {
    struct buffer text[ONLOOKED];
};

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

static void tell_start(const struct line *line, const struct eyes *eyes, struct told *told) {
    static const uint64_t seed = 7;
    for (int i = 0; i < ONLOOKED; i++) {
        const enum onlooker onlooker = onlookers_of(line)[i];
        const struct message_table table = {.id = "1",
                                            .names = {"a", "b"},
                                            .rules = line->rules,
                                            .first = line->first,
                                            .limits = line->rules->limits,
                                            .seed = &seed,
                                            .deadline = 1000};
        const struct outlook outlook = outlook_of(onlooker, eyes);
        /* It is long, and of the game itself it has only the limits. */
        if (line->number % 16 == 0) tell(&told->text[i], message_game(&table, onlooker));
        tell(&told->text[i], message_start(&outlook));
    }
}

static void tell_events(const struct line *line, const struct eyes *eyes, struct told *told) {
    for (int i = 0; i < ONLOOKED; i++) {
        const struct outlook outlook = outlook_of(onlookers_of(line)[i], eyes);
        tell(&told->text[i], message_events(&outlook));
    }
}

/* The question for a move, and the refusal of a move that is not legal. */
static void tell_question(const struct line *line, const struct game *game, const struct eyes *eyes,
                          struct told *told) {
    static struct move moves[MOVES_MAX];
    const size_t count = game_moves(game, moves, MOVES_MAX);
    struct random random = random_stream(line->number, STREAM_PLAYOUT, game->ply_count);
    tell(&told->text[0], message_move(&eyes->view[line->side], moves, count, NULL));
    for (int i = 0; i < 2; i++) {
        struct move move = moves[random_below(&random, (uint32_t)count)];
        struct fault fault = {0};
        char text[MOVE_TEXT_MAX];
        move.to = (square)random_below(&random, (uint32_t)line->rules->board.squares);
        if (i) move.from = (square)random_below(&random, (uint32_t)line->rules->board.squares);
        size_t length = move_text(line->rules, move, random_below(&random, 2), text);
        enum verdict verdict = move_read(game, text, length, &move, &fault);
        if (verdict != LEGAL) tell(&told->text[0], message_refused(verdict, &fault));
    }
}

static void tell_position(const struct line *line, const struct game *game, const struct eyes *eyes,
                          void *context) {
    struct told *told = context;
    if (game->ply_count)
        tell_events(line, eyes, told);
    else
        tell_start(line, eyes, told);
    if (!game_over(game) && game->to_move == line->side) tell_question(line, game, eyes, told);
}

/* Tells the line. False, with only a part told, if it cannot be played with these set-ups. */
static bool tell_line(const struct line *line, const struct setup setups[2], struct told *told) {
    told_clear(told);
    return line_replay(line, setups, tell_position, told);
}

static bool same_bytes(const struct told *a, const struct told *b) {
    for (int i = 0; i < ONLOOKED; i++)
        if (!line_same_text(&a->text[i], &b->text[i])) return false;
    return true;
}

static int games_wanted(void) {
    const char *games = getenv("ENSIGN_GAMES");
    return games ? atoi(games) : GAMES;
}

static struct told before, after;

typedef int exchange_function(struct line *line, struct setup setups[2]);

/* Tells the line with something exchanged. False if nothing that was tried fits. */
static bool compare_exchanged(struct line *line, exchange_function *exchange, const char *variant) {
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
    const char *const *variants = line_variants();
    int count = 0;
    while (variants[count]) count++;
    const int wanted = games_wanted() / count + 1;
    uint64_t number = 0;
    for (int v = 0; v < count; v++) {
        struct rules *rules = support_rules(variants[v]);
        for (int done = rules->open ? wanted : 0, games = 0; done < wanted; games++) {
            line_draw(&line, rules, RED, ++number);
            assert_true(tell_line(&line, line.setups, &before));
            done += compare_exchanged(&line, line_exchange_ranks, variants[v]);
            if (games > 50 * wanted) fail_msg("%s: hardly a rank can be exchanged", variants[v]);
        }
        rules_free(rules);
    }
}

/* Has one of the enemies that fought another rank? */
static bool differs_where_they_fought(const struct line *line, const struct setup other[2]) {
    const enum side enemy = side_other(line->side);
    for (squareset left = line->fought; left;) {
        const square began = squareset_pop(&left);
        const square at = enemy == RED ? began : board_turn(&line->rules->board, began);
        if (other[enemy].at[at] != line->setups[enemy].at[at]) return true;
    }
    return false;
}

/* Where a battle tells no kinds, those that fight have secrets for the tests above, too. */
static void ranks_of_those_that_fought_are_exchanged_where_no_battle_tells_them(void **state) {
    (void)state;
    static const char *const paths[] = {"variants/luzhanqi.lua", "variants/salpakan.lua"};
    static struct line line;
    for (int i = 0; i < 2; i++) {
        struct rules *rules = support_rules(paths[i]);
        int fought = 0;
        for (uint64_t number = 0; number < 400 && fought < 5; number++) {
            struct setup other[2];
            line_draw(&line, rules, RED, number);
            fought += line_twin(&line, other) && differs_where_they_fought(&line, other);
        }
        assert_int_equal(fought, 5);
        rules_free(rules);
    }
}

static void places_out_of_sight_change_no_byte_of_a_message(void **state) {
    (void)state;
    static struct line line;
    const int wanted = games_wanted() / 20;
    struct rules *rules = support_rules("variants/examples/fog.lua");
    for (int done = 0, games = 0; done < wanted; games++) {
        line_draw(&line, rules, RED, 1000000 + (uint64_t)games);
        assert_true(tell_line(&line, line.setups, &before));
        done += compare_exchanged(&line, line_exchange_places, "fog");
        assert_true(games < 50 * wanted);
    }
    rules_free(rules);
}

static struct move unseen[MOVES_MAX];
static size_t unseen_count;

/* Lists the enemy's moves behind the line that the side sees nothing of. */
static void list_unseen(const struct line *line, const struct game *game, const struct eyes *eyes,
                        void *context) {
    (void)eyes, (void)context;
    const bool behind = (int)game->ply_count == line->plies && !game_over(game);
    const size_t count = behind ? game_moves(game, unseen, MOVES_MAX) : 0;
    const squareset seen = line_learns(line, game);
    unseen_count = 0;
    for (size_t i = 0; i < count; i++) {
        const struct move move = unseen[i];
        if (move.ability == ABILITY_NONE && game->at[move.to] == CELL_EMPTY &&
            !squareset_has(seen, move.from) && !squareset_has(seen, move.to))
            unseen[unseen_count++] = move;
    }
}

/* Adds each of the enemy's moves out of sight to the line; all must be told alike. Returns how many
 * were compared. */
static int compare_moves_out_of_sight(struct line *line) {
    int told = 0;
    assert_true(line_replay(line, line->setups, list_unseen, NULL));
    const int ply = line->plies++;
    for (size_t i = 0; i < unseen_count; i++) {
        line->moves[ply] = unseen[i];
        if (!tell_line(line, line->setups, told ? &after : &before)) continue;
        if (told++ && !same_bytes(&before, &after))
            fail_msg("game %u: moves out of sight are told apart", (unsigned)line->number);
    }
    return told > 1;
}

static void moves_out_of_sight_are_all_told_alike(void **state) {
    (void)state;
    static struct line line;
    struct rules *rules = support_rules("variants/examples/fog.lua");
    int compared = 0;
    for (int games = 0; games < games_wanted() / 20; games++) {
        line_draw(&line, rules, RED, 2000000 + (uint64_t)games);
        if (line.plies < LINE_PLIES && (line.plies % 2 ? BLUE : RED) != line.side)
            compared += compare_moves_out_of_sight(&line);
    }
    rules_free(rules);
    assert_true(compared > games_wanted() / 80);
}

static void tell_everything(const struct line *line, const struct game *game,
                            const struct eyes *eyes, void *context) {
    struct told *told = context;
    const struct outlook outlook = outlook_of(ONLOOKER_ALL, eyes);
    (void)line;
    if (!game->ply_count) tell(&told->text[0], message_start(&outlook));
}

/* Proof that these tests can fail: the same games told as to an onlooker who sees everything. */
static void a_leak_of_hidden_ranks_is_noticed(void **state) {
    (void)state;
    static struct line line;
    struct rules *rules = support_rules("original");
    int noticed = 0;
    for (uint64_t number = 1; number <= 20; number++) {
        struct setup other[2];
        line_draw(&line, rules, RED, number);
        if (!line_twin(&line, other)) continue;
        told_clear(&before);
        told_clear(&after);
        line_replay(&line, line.setups, tell_everything, &before);
        line_replay(&line, other, tell_everything, &after);
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
        cmocka_unit_test(ranks_of_those_that_fought_are_exchanged_where_no_battle_tells_them),
        cmocka_unit_test(places_out_of_sight_change_no_byte_of_a_message),
        cmocka_unit_test(moves_out_of_sight_are_all_told_alike),
        cmocka_unit_test(a_leak_of_hidden_ranks_is_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, forget);
}
