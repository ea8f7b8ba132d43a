/* Loading stock variants and playing small hand-made positions, for the tests of the core. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support.h"

#include "games/sanitized.h"

#include "core/text/layout.h"
#include "variant/variant.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const STOCK[STOCK_COUNT] = {"original",       "duel",     "infiltrator", "classic",
                                        "milton-bradley", "galaxy",   "galaxy-duel", "russian",
                                        "barrage",        "quick",    "lightning",   "lattaque",
                                        "luzhanqi",       "salpakan", "jungle"};

static struct rules *loaded[STOCK_COUNT];

static struct rules *load_rules(const char *name) {
    struct folders folders;
    struct fault fault;
    struct rules *rules = NULL;
    char text[FAULT_FILE_MAX + FAULT_TEXT_MAX + 32] = "";
    if (folders_find(&folders, &fault)) rules = variant_load(&folders, name, &fault);
    if (!rules) {
        fault_format(&fault, text, sizeof text);
        fail_msg("%s does not load: %s", name, text);
    }
    return rules;
}

const struct rules *stock_rules(const char *name) {
    int i = 0;
    while (i < STOCK_COUNT && strcmp(STOCK[i], name) != 0) i++;
    if (i == STOCK_COUNT) fail_msg("%s is no stock variant", name);
    if (!loaded[i]) loaded[i] = load_rules(name);
    return loaded[i];
}

struct rules *example_rules(const char *name) {
    char path[512];
    snprintf(path, sizeof path, ENSIGN_ROOT "/variants/examples/%s.lua", name);
    return load_rules(path);
}

void stock_clear(void) {
    for (int i = 0; i < STOCK_COUNT; i++) {
        rules_free(loaded[i]);
        loaded[i] = NULL;
    }
}

int stock_teardown(void **state) {
    (void)state;
    stock_clear();
    return 0;
}

void views_start(struct view view[2], const struct game *game) {
    for (int side = RED; side <= BLUE; side++) {
        enum side other = side_other((enum side)side);
        view_start(&view[side], game->rules, (enum side)side, game->at, game->pieces[other],
                   game->start[other], (enum side)game->to_move, game->limits);
    }
}

void table_start(struct table *table, const char *variant, const char *position,
                 const struct limits *limits) {
    static const struct limits none = {0, 0};
    struct position start;
    struct fault fault = {0};
    table->rules = stock_rules(variant);
    if (!position_read(table->rules, position, strlen(position), &start, &fault))
        fail_msg("position \"%s\": %d: %s", position, fault.column, fault.text);
    if (!position_check(table->rules, &start, &fault))
        fail_msg("position \"%s\": %s", position, fault.text);
    game_start(&table->game, table->rules, &start, limits ? limits : &none, table->plies,
               TABLE_PLIES);
    views_start(table->view, &table->game);
    table->events.count = 0;
}

void table_set(struct table *table, const char *variant, const char *pieces) {
    const struct board *board = &stock_rules(variant)->board;
    char on[BOARD_SQUARES_MAX][2] = {{0}}, text[POSITION_TEXT_MAX];
    size_t used = 0;
    while (strcmp(pieces, "red") != 0 && strcmp(pieces, "blue") != 0) {
        square at;
        size_t length = square_read(board, pieces + 2, strlen(pieces + 2), &at);
        if (length == 0 || at == SQUARE_NONE) fail_msg("no piece at \"%s\"", pieces);
        on[at][0] = pieces[0];
        on[at][1] = pieces[1];
        pieces += 2 + length;
        pieces += strspn(pieces, " ");
    }
    for (int rank = board->ranks - 1; rank >= 0; rank--) {
        for (int file = 0; file < board->files; file++) {
            square at = board_square(board, file, rank);
            text[used++] = on[at][0] ? on[at][0] : '.';
            if (on[at][0]) text[used++] = on[at][1];
        }
        text[used++] = rank ? '/' : ' ';
    }
    strcpy(text + used, pieces);
    table_start(table, variant, text, NULL);
}

enum verdict table_judge(struct table *table, const char *move) {
    struct move read;
    return move_read(&table->game, move, strlen(move), &read, NULL);
}

void table_play(struct table *table, const char *moves) {
    while (*moves) {
        size_t length = strcspn(moves, " ");
        struct move move;
        struct fault fault = {0};
        enum verdict verdict = move_read(&table->game, moves, length, &move, &fault);
        if (verdict != LEGAL)
            fail_msg("%.*s: %s: %s", (int)length, moves, verdict_name(verdict), fault.text);
        table->events.count = 0;
        game_play(&table->game, move, &table->events);
        view_turn(&table->view[RED], &table->events);
        view_turn(&table->view[BLUE], &table->events);
        moves += length;
        moves += strspn(moves, " ");
    }
}

square table_square(const struct table *table, const char *text) {
    square at;
    size_t length = strlen(text);
    if (square_read(&table->rules->board, text, length, &at) != length || at == SQUARE_NONE)
        fail_msg("%s is no square", text);
    return at;
}

kind_id table_kind(const struct table *table, const char *name) {
    kind_id kind = rules_kind(table->rules, name, strlen(name));
    if (kind == KIND_NONE) fail_msg("%s is no kind", name);
    return kind;
}

kind_id table_at(const struct table *table, const char *at) {
    return cell_kind(table->game.at[table_square(table, at)]);
}

const struct view_piece *table_seen(const struct table *table, enum side side, const char *at) {
    const struct view *view = &table->view[side];
    uint16_t number = view->number[table_square(table, at)];
    if (number == VIEW_EMPTY) fail_msg("%s sees nothing on %s", side_name(side), at);
    return &view->piece[number];
}

int table_events(const struct table *table, enum event_type type) {
    int count = 0;
    for (int i = 0; i < table->events.count; i++) count += table->events.list[i].type == type;
    return count;
}

uint64_t positions_wanted(void) {
    const char *text = getenv("ENSIGN_POSITIONS"), *all = getenv("ENSIGN_LONG");
    if (text && atoll(text) > 0) return (uint64_t)atoll(text);
    if (all && strcmp(all, "1") == 0) return 10000000;
    return sanitized() ? 100000 : 1000000;
}

void random_start(const struct rules *rules, struct random *random, struct game *game,
                  struct ply *plies, struct eyes *eyes) {
    struct setup setups[2];
    struct position position;
    for (int side = RED; side <= BLUE; side++)
        assert_true(setup_random(rules, RED, random, &setups[side], NULL));
    position_from_setups(rules, &setups[RED], &setups[BLUE], RED, &position);
    game_start(game, rules, &position, NULL, plies, TABLE_PLIES);
    eyes_open(eyes, game);
}
