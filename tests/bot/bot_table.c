/* Small positions for tests of bots. Faults of the preparation end the test; faults of the bot
 * under test are kept in the table. */
#include "bot_table.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <setjmp.h>

#include <cmocka.h>

struct bot_table *bot_table_open(const char *variant) {
    struct bot_table *table = calloc(1, sizeof *table);
    assert_non_null(table);
    if (!folders_find(&table->folders, &table->fault)) fail_msg("%s", table->fault.text);
    table->rules = variant_load(&table->folders, variant, &table->fault);
    if (!table->rules) fail_msg("%s: %s", table->fault.file, table->fault.text);
    table->moves = calloc(table->rules->moves_max, sizeof *table->moves);
    assert_non_null(table->moves);
    strcpy(table->folder, "/tmp/ensign-bots-XXXXXX");
    assert_non_null(mkdtemp(table->folder));
    return table;
}

static void probe_path(const struct bot_table *table, char path[FOLDER_PATH_MAX]) {
    snprintf(path, FOLDER_PATH_MAX, "%s/probe.lua", table->folder);
}

void bot_table_close(struct bot_table *table) {
    char path[FOLDER_PATH_MAX];
    probe_path(table, path);
    unlink(path);
    rmdir(table->folder);
    rules_free(table->rules);
    free(table->moves);
    free(table);
}

/* "rMe3" puts red's marshal on e3. */
static void place_piece(const struct rules *rules, const char *word, struct position *position) {
    square at = SQUARE_NONE;
    kind_id kind = rules_kind(rules, word + 1, 1);
    size_t used = square_read(&rules->board, word + 2, strlen(word) - 2, &at);
    if (kind == KIND_NONE || at == SQUARE_NONE || word[2 + used]) fail_msg("piece '%s'", word);
    position->at[at] = cell_of(word[0] == 'b' ? BLUE : RED, kind);
}

static void start_at(struct bot_table *table, const struct position *position) {
    struct game *game = &table->game;
    game_start(game, table->rules, position, NULL, table->plies, TABLE_PLIES);
    for (int side = RED; side <= BLUE; side++) {
        view_start(&table->view[side], table->rules, (enum side)side, position->at,
                   game->pieces[!side], game->start[!side], position->to_move, game->limits);
    }
    table->count = game_moves(game, table->moves, table->rules->moves_max);
}

void bot_table_place(struct bot_table *table, const char *text) {
    struct position position = {.to_move = RED};
    char words[512], *rest = words;
    snprintf(words, sizeof words, "%s", text);
    for (char *word; (word = strtok_r(rest, " ", &rest));)
        if (strcmp(word, "blue") == 0)
            position.to_move = BLUE;
        else if (strcmp(word, "red") != 0)
            place_piece(table->rules, word, &position);
    if (!position_check(table->rules, &position, &table->fault)) fail_msg("%s", table->fault.text);
    start_at(table, &position);
}

void bot_table_deal(struct bot_table *table, struct random *random) {
    struct setup setup[2];
    struct position position;
    for (int side = RED; side <= BLUE; side++)
        if (!setup_random(table->rules, RED, random, &setup[side], &table->fault))
            fail_msg("%s", table->fault.text);
    position_from_setups(table->rules, &setup[RED], &setup[BLUE], RED, &position);
    start_at(table, &position);
}

void bot_table_play(struct bot_table *table, const char *text) {
    struct move move;
    if (move_read(&table->game, text, strlen(text), &move, &table->fault) != LEGAL)
        fail_msg("%s: %s", text, table->fault.text);
    struct events events = {0};
    game_play(&table->game, move, &events);
    view_turn(&table->view[RED], &events);
    view_turn(&table->view[BLUE], &events);
    for (int side = RED; side <= BLUE; side++) {
        for (int i = 0; table->bots[side] && i < events.count; i++)
            if (!bot_observe(table->bots[side], &table->view[side], &events.list[i], &table->fault))
                fail_msg("%s", table->fault.text);
    }
    table->count = game_moves(&table->game, table->moves, table->rules->moves_max);
}

struct bot *bot_table_bot(struct bot_table *table, const char *text, struct sandbox_limits limits) {
    char path[FOLDER_PATH_MAX];
    probe_path(table, path);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
    table->fault = (struct fault){0};
    return bot_new(&table->folders, path, limits, &(const struct chance){{7}}, &table->fault);
}

bool bot_table_ask(struct bot_table *table, struct bot *bot, struct bot_answer *answer) {
    table->fault = (struct fault){0};
    return bot_move(bot, &table->view[table->game.to_move], table->moves, table->count, answer,
                    &table->fault);
}

bool bot_table_runs(struct bot_table *table, const char *text, struct sandbox_limits limits) {
    struct bot *bot = bot_table_bot(table, text, limits);
    if (!bot) return false;
    struct bot_answer answer;
    bool ok = bot_table_ask(table, bot, &answer);
    bot_free(bot);
    return ok;
}

static bool run(struct bot_table *table, const char *format, const char *expression) {
    char text[2048];
    snprintf(text, sizeof text, format, expression);
    return bot_table_runs(table, text, SANDBOX_DEFAULTS);
}

bool bot_table_holds(struct bot_table *table, const char *expression) {
    bool ok = run(table,
                  "local function same(a, b)\n"
                  "  return table.concat(a, ' ') == b\n"
                  "end\n"
                  "return { api = 1, move = function(view)\n"
                  "  if not (%s) then error('does not hold') end\n"
                  "  return view:moves()[1]\n"
                  "end }\n",
                  expression);
    if (!ok) print_error("%s\n  %s\n", expression, table->fault.text);
    return ok;
}

const char *bot_table_error(struct bot_table *table, const char *expression) {
    run(table,
        "return { api = 1, move = function(view)\n"
        "  local _ = %s\n"
        "  return view:moves()[1]\n"
        "end }\n",
        expression);
    return table->fault.text;
}

void bot_table_expect_error(struct bot_table *table, const char *expression, const char *part) {
    const char *text = bot_table_error(table, expression);
    if (!strstr(text, part)) fail_msg("%s\n  says: %s\n  not:  %s", expression, text, part);
    if (strchr(text, '\n')) fail_msg("%s\n  says more than one line: %s", expression, text);
}
