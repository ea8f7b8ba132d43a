/* show.c - `ensign show`: the rule sheet of a variant, as text or JSON. */
#include "command.h"
#include "core/play/calls.h"
#include "rulesheet.h"
#include "sheet.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

struct show_values {
    const char *variant, *lang;
    bool json;
};

static int run_show(const void *values);
const struct command command_show = {
    COMMAND(show, .json = false),
    .summary = "print the rule sheet of a variant",
    .synopsis = {"VARIANT [OPTIONS]"},
    .prose = "Prints the rule sheet of a variant: board, army, who beats whom, abilities, endings.",
    .arguments = {{NULL, 0, "VARIANT", VALUE_VARIANT, INTO(show, variant), .needed = true}},
    .options =
        {
            {OPTION_JSON, INTO(show, json)},
            {OPTION_LANG, INTO(show, lang)},
        },
};

static json_t *squares_json(const struct board *board, squareset squares) {
    json_t *list = json_array();
    while (squares) {
        char at[SQUARE_TEXT_MAX];
        square_write(board, squareset_pop(&squares), at);
        json_array_append_new(list, json_string(at));
    }
    return list;
}

static json_t *pieces_json(const struct rules *rules) {
    json_t *list = json_array();
    for (kind_id kind = 1; kind <= rules->kinds; kind++) {
        const struct kind *it = &rules->kind[kind];
        char movement[256], letter[2] = {it->letter, 0};
        sheet_movement(NULL, rules, kind, movement, sizeof movement);
        json_t *abilities = json_array(), *outcomes = json_object();
        for (int i = 0; i < rules->abilities; i++) {
            if (rules->ability[i].actor != kind) continue;
            json_array_append_new(abilities, json_string(rules->ability[i].name));
        }
        for (kind_id other = 1; other <= rules->kinds; other++) {
            if (!(rules->mobile & kindset_of(kind))) break;
            json_object_set_new(outcomes, rules->kind[other].name,
                                json_string(outcome_name(rules_outcome(rules, kind, other))));
        }
        json_t *piece = json_pack(
            "{s:s, s:s, s:s, s:i, s:i, s:b, s:s, s:o, s:o}", "name", it->name, "label", it->label,
            "letter", letter, "rank", (int)it->rank, "count", rules_most(rules, kind), "flag",
            (int)it->flag, "movement", movement, "abilities", abilities, "attacks", outcomes);
        for (int side = RED; side <= BLUE; side++) {
            const struct start *start = &rules->start[side];
            const int count = start->count[kind];
            if (rules->start[RED].count[kind] != rules->start[BLUE].count[kind])
                json_object_set_new(piece, side == RED ? "red" : "blue", json_integer(count));
            if (count && start->only[kind])
                json_object_set_new(
                    piece, side == RED ? "red_start" : "blue_start",
                    squares_json(&rules->board,
                                 board_own_set(&rules->board, (enum side)side, start->on[kind])));
        }
        json_array_append_new(list, piece);
    }
    return list;
}

static json_t *abilities_json(const struct rules *rules) {
    json_t *list = json_array();
    for (int i = 0; i < rules->abilities; i++) {
        const struct ability *ability = &rules->ability[i];
        char text[SHEET_TEXT_MAX];
        sheet_ability(NULL, rules, ability, text, sizeof text);
        json_array_append_new(list, json_pack("{s:s, s:s, s:i, s:b, s:s}", "name", ability->name,
                                              "actor", rules->kind[ability->actor].name, "limit",
                                              (int)ability->limit, "attacks", (int)ability->attacks,
                                              "text", text));
    }
    return list;
}

static json_t *board_json(const struct rules *rules) {
    const struct board *board = &rules->board;
    json_t *lakes = squares_json(board, board->lakes);
    json_t *json = json_pack("{s:i, s:i, s:o, s:i, s:b}", "files", (int)board->files, "ranks",
                             (int)board->ranks, "lakes", lakes, "zone_ranks",
                             (int)board->zone_ranks[RED], "zone_filled", (int)rules->zone_filled);
    for (int side = RED; side <= BLUE; side++) {
        if (!board->zone_only[side] && board->zone_ranks[RED] == board->zone_ranks[BLUE]) continue;
        json_object_set_new(json, side == RED ? "red_zone" : "blue_zone",
                            squares_json(board, board->zone[side]));
    }
    return json;
}

static int print_json(const struct rules *rules) {
    json_t *without = json_array();
    for (kind_id kind = 1; kind <= rules->kinds; kind++) {
        if (!(rules->draw_without & kindset_of(kind))) continue;
        json_array_append_new(without, json_string(rules->kind[kind].name));
    }
    json_t *calls = json_array();
    for (int call = 0; rules->calls && call < CALL_COUNT; call++) {
        if (!(rules->calls->declared >> call & 1)) continue;
        json_array_append_new(calls, json_string(call_name((enum call)call)));
    }
    json_t *sheet = json_pack(
        "{s:s, s:s, s:s, s:s, s:o, s:o, s:o, s:o, s:i, s:s, s:s, s:s, s:o, s:{s:i, s:i}}", "name",
        rules->name, "title", rules->title, "edition", rules->edition, "note", rules->note, "calls",
        calls, "board", board_json(rules), "pieces", pieces_json(rules), "abilities",
        abilities_json(rules), "two_squares", (int)rules->two_squares, "chase",
        chase_name((enum chase_rule)rules->chase), "first", sheet_first(rules), "after_battle",
        sheet_after_battle(rules), "draw_without", without, "limits", "no_attack",
        (int)rules->limits.no_attack, "plies", (int)rules->limits.plies);
    return cli_json(sheet, JSON_INDENT(1));
}

static int run_show(const void *values) {
    const struct show_values *asked = values;
    const struct language *language = cli_tongue();
    struct folders folders;
    int code;
    if (!cli_folders(&folders)) return EXIT_HOST;
    struct rules *rules = cli_variant(&folders, asked->variant, &code);
    if (rules && asked->json)
        code = print_json(rules);
    else if (rules)
        rulesheet_print(stdout, RULESHEET_COLUMNS, language, rules);
    rules_free(rules);
    return code;
}
