/* show.c - `ensign show`: the rule sheet of a variant, or how the library numbers its actions and
 * planes, as text or JSON; or the rules as bytes. */
#include "columns.h"
#include "command.h"
#include "core/play/calls.h"
#include "host/seat/message.h"
#include "lib/batch_inside.h"
#include "rulesheet.h"
#include "sheet.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct show_values {
    const char *variant, *lang;
    bool json, actions, planes, bytes;
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
            {"actions", INTO(show, actions),
             "print the actions of the library instead (see src/lib/README.md)",
             .excludes = "bytes"},
            {"planes", INTO(show, planes), "print the library's planes and scalars instead",
             .excludes = "actions"},
            {"bytes", INTO(show, bytes), "write the rules as bytes for the library instead",
             .excludes = "planes"},
            {OPTION_JSON, INTO(show, json), .excludes = "bytes"},
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

static json_t *kinds_json(const struct rules *rules, kindset kinds) {
    json_t *list = json_array();
    for (kind_id kind = 1; kind <= rules->kinds; kind++)
        if (kinds & kindset_of(kind))
            json_array_append_new(list, json_string(rules->kind[kind].name));
    return list;
}

/* {"red": …, "blue": …}: the squares of each side. */
static json_t *sides_json(const struct board *board, const squareset squares[2]) {
    return json_pack("{s:o, s:o}", "red", squares_json(board, squares[RED]), "blue",
                     squares_json(board, squares[BLUE]));
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
                                json_string(outcome_name(rules_outcome_bare(rules, kind, other))));
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

/* Each pair once, as variants write it: "a3-b4". */
static json_t *pairs_json(const struct board *board, const squareset with[BOARD_SQUARES_MAX]) {
    json_t *list = json_array();
    for (square from = 0; from < board->squares; from++) {
        squareset others = with[from];
        while (others) {
            const square to = squareset_pop(&others);
            char a[SQUARE_TEXT_MAX], b[SQUARE_TEXT_MAX];
            if (from >= to) continue;
            square_write(board, from, a);
            square_write(board, to, b);
            json_array_append_new(list, json_sprintf("%s-%s", a, b));
        }
    }
    return list;
}

static json_t *grounds_json(const struct board *board) {
    json_t *grounds = json_object();
    for (int i = 0; i < board->grounds; i++) {
        const struct ground *ground = &board->ground[i];
        json_object_set_new(grounds, ground->name,
                            ground->sided ? sides_json(board, ground->squares)
                                          : squares_json(board, ground->squares[RED]));
    }
    return grounds;
}

static json_t *counters_json(const struct rules *rules) {
    json_t *list = json_array();
    for (int i = 0; i < rules->counters; i++) {
        const struct counter *counter = &rules->counter[i];
        json_array_append_new(list,
                              json_pack("{s:s, s:b, s:i, s:i, s:i}", "name", counter->name, "each",
                                        (int)counter->each, "from", (int)counter->from, "to",
                                        (int)counter->to, "start", (int)counter->start));
    }
    return list;
}

static json_t *goals_json(const struct rules *rules) {
    json_t *list = json_array();
    for (int i = 0; i < rules->goals; i++) {
        const struct goal *goal = &rules->goal[i];
        json_t *it = json_pack("{s:s}", "result", GOAL_RESULT_WORDS[goal->result]);
        if (goal->kinds) {
            json_object_set_new(it, "pieces", kinds_json(rules, goal->kinds));
            json_object_set_new(it, "squares", sides_json(&rules->board, goal->at));
            json_object_set_new(it, "after", json_integer(goal->after));
        } else {
            json_object_set_new(it, "counter", json_string(rules->counter[goal->counter].name));
            json_object_set_new(it, "reaches", json_integer(goal->reaches));
        }
        json_array_append_new(list, it);
    }
    return list;
}

static json_t *board_json(const struct rules *rules) {
    const struct board *board = &rules->board;
    json_t *lakes = squares_json(board, board->lakes);
    json_t *json = json_pack(
        "{s:i, s:i, s:o, s:i, s:b, s:o, s:o, s:o, s:o, s:o}", "files", (int)board->files, "ranks",
        (int)board->ranks, "lakes", lakes, "zone_ranks", (int)board->zone_ranks[RED], "zone_filled",
        (int)rules->zone_filled, "ground", grounds_json(board), "links",
        pairs_json(board, board->linked), "walls", pairs_json(board, board->walled), "shelter",
        squares_json(board, board->shelter), "leaves", squares_json(board, board->stays));
    for (int side = RED; side <= BLUE; side++) {
        if (!board->zone_only[side] && board->zone_ranks[RED] == board->zone_ranks[BLUE]) continue;
        json_object_set_new(json, side == RED ? "red_zone" : "blue_zone",
                            squares_json(board, board->zone[side]));
    }
    return json;
}

static int print_json(const struct rules *rules) {
    json_t *calls = json_array();
    for (int call = 0; rules->calls && call < CALL_COUNT; call++) {
        if (!(rules->calls->declared >> call & 1)) continue;
        json_array_append_new(calls, json_string(call_name((enum call)call)));
    }
    json_t *sheet = json_pack(
        "{s:s, s:s, s:s, s:s, s:o, s:o, s:o, s:o, s:i, s:s, s:s, s:b, s:s, s:s, s:s, s:o, s:{s:i, s:i}, s:i, "
        "s:o, s:o}",
        "name", rules->name, "title", rules->title, "edition", rules->edition, "note", rules->note,
        "calls", calls, "board", board_json(rules), "pieces", pieces_json(rules), "abilities",
        abilities_json(rules), "two_squares", (int)rules->two_squares, "chase",
        chase_name((enum chase_rule)rules->chase), "first", sheet_first(rules), "open",
        (int)rules->open, "setup", armies_name((enum army_source)rules->armies), "after_battle",
        sheet_after_battle(rules), "fallen", rules->fallen_hidden ? "hidden" : "shown",
        "draw_without", kinds_json(rules, rules->draw_without), "limits", "no_attack",
        (int)rules->limits.no_attack, "plies", (int)rules->limits.plies, "repetition",
        (int)rules->repetition, "counters", counters_json(rules), "goals", goals_json(rules));
    if (rules->battles) json_object_set_new(sheet, "battles_on", message_battles_on(rules));
    return cli_json(sheet, JSON_INDENT(1));
}

/* Actions of one kind, one behind the other. */
struct action_group {
    uint32_t first, count;
    const char *word, *text; /* for JSON; for people */
    const int8_t *by;        /* files and ranks of a displacement; NULL: another kind */
};
enum { ACTION_GROUPS_MAX = WAYS_MAX + 8 };

static int action_groups(const struct actions *actions, struct action_group *group) {
    const uint32_t squares = actions->squares;
    const uint32_t ranks = actions->rules->board.ranks - 1u;
    const uint32_t files = actions->rules->board.files - 1u;
    const struct action_group *const begin = group;
    *group++ = (struct action_group){0, ranks * squares, "rank",
                                     TEXT("to another rank of the file"), NULL};
    *group++ = (struct action_group){ranks * squares, files * squares, "file",
                                     TEXT("to another file of the rank"), NULL};
    for (uint32_t way = ranks + files; way < actions->ways; way++)
        *group++ = (struct action_group){way * squares, squares, "way",
                                         TEXT("files {1}, ranks {2}"), actions->by[way]};
    if (actions->slots) {
        *group++ = (struct action_group){actions->stay, squares, "stay",
                                         TEXT("stay and use an ability"), NULL};
        *group++ = (struct action_group){actions->uses, actions->none - actions->uses, "use",
                                         TEXT("then: the ability and its target"), NULL};
        *group++ = (struct action_group){actions->none, 1, "none", TEXT("then: no ability"), NULL};
    }
    *group++ = (struct action_group){actions->setups, actions->count_all - actions->setups, "setup",
                                     TEXT("set-ups: the kind on the next square"), NULL};
    return (int)(group - begin);
}

static json_t *action_texts(const ensign_rules *handle, int side) {
    json_t *list = json_array();
    char text[ACTION_TEXT_MAX];
    for (uint32_t action = 0; action < handle->actions.count_all; action++) {
        const bool leads = ensign_action_text(handle, action, side, text, sizeof text);
        json_array_append_new(list, leads ? json_string(text) : json_null());
    }
    return list;
}

static int print_actions(const ensign_rules *handle, const struct language *language, bool json) {
    static struct action_group groups[ACTION_GROUPS_MAX];
    const struct actions *actions = &handle->actions;
    const int count = action_groups(actions, groups);
    if (json) {
        json_t *list = json_array();
        for (const struct action_group *group = groups; group < groups + count; group++) {
            json_t *it = json_pack("{s:I, s:I, s:s}", "first", (json_int_t)group->first, "count",
                                   (json_int_t)group->count, "decision", group->word);
            if (group->by)
                json_object_set_new(it, "by", json_pack("[i, i]", group->by[0], group->by[1]));
            json_array_append_new(list, it);
        }
        return cli_json(json_pack("{s:s, s:i, s:i, s:i, s:i, s:o, s:o, s:o}", "name",
                                  handle->rules->name, "env_version", ENSIGN_ENV_VERSION, "squares",
                                  (int)actions->squares, "actions", (int)actions->count,
                                  "actions_with_setups", (int)actions->count_all, "groups", list,
                                  "red", action_texts(handle, RED), "blue",
                                  action_texts(handle, BLUE)),
                        JSON_INDENT(1));
    }
    language_line(stdout, language, "{1}: {2} actions, env_version {3}",
                  language_title(language, handle->rules), NUMBER_TEXT(actions->count),
                  NUMBER_TEXT(ENSIGN_ENV_VERSION));
    for (const struct action_group *group = groups; group < groups + count; group++) {
        char range[32], ends[2][ACTION_TEXT_MAX] = {"", ""}, by[2][8] = {"", ""};
        uint32_t first = group->first, last = group->first + group->count - 1;
        while (first < last && !ensign_action_text(handle, first, RED, ends[0], ACTION_TEXT_MAX))
            first++;
        while (last > first && !ensign_action_text(handle, last, RED, ends[1], ACTION_TEXT_MAX))
            last--;
        if (first == last) ensign_action_text(handle, first, RED, ends[0], ACTION_TEXT_MAX);
        snprintf(range, sizeof range, group->count > 1 ? "%" PRIu32 "-%" PRIu32 : "%" PRIu32,
                 group->first, group->first + group->count - 1);
        for (int i = 0; group->by && i < 2; i++) snprintf(by[i], sizeof by[i], "%+d", group->by[i]);
        printf("  %-12s", range);
        char decision[LANGUAGE_TEXT_MAX];
        language_write(decision, sizeof decision, language, group->text, by[0], by[1]);
        columns_print(stdout, decision, 40);
        printf("  %s%s%s\n", ends[0], ends[1][0] ? " … " : "", ends[1]);
    }
    return EXIT_DONE;
}

/* Groups of planes in their order, by the bits of ensign_options.planes. */
static const struct {
    uint32_t bit;
    const char *word, *text;
} PLANE_GROUPS[] = {
    {ENSIGN_OWN_KINDS, "own", TEXT("own pieces of the kind")},
    {ENSIGN_SHOWN_KINDS, "shown", TEXT("enemies known to be of the kind")},
    {ENSIGN_MAY_BE, "may_be", TEXT("enemies that may be of the kind")},
    {ENSIGN_THEY_THINK, "think", TEXT("own pieces that the enemy may take for the kind")},
    {ENSIGN_STATES, "states", TEXT("states of squares")},
    {ENSIGN_MOVES, "moves", TEXT("latest moves: 85 from, 170 to, 255 to with an attack")},
    {ENSIGN_SIGHT, "sight", TEXT("squares in sight (only on request)")},
};
enum {
    PLANE_GROUPS_COUNT = sizeof PLANE_GROUPS / sizeof PLANE_GROUPS[0],
    NAME_COLUMNS = 32,
    LINE_COLUMNS = 100
};

/* A name at the next of the table's columns, or on a new line if it does not fit on this one. `at`
 * is the column on the line, 0 at its beginning. Returns the column behind the name. */
static int print_numbered(uint32_t number, int at, const char *name) {
    char text[4 * WORD_MAX];
    const int length = snprintf(text, sizeof text, "  %3" PRIu32 " %s", number, name);
    int start = (at + NAME_COLUMNS - 1) / NAME_COLUMNS * NAME_COLUMNS;
    if (start + length > LINE_COLUMNS) {
        putchar('\n');
        start = at = 0;
    }
    printf("%*s%s", start - at, "", text);
    return start + length;
}

static int print_planes(const ensign_rules *handle, const struct language *language, bool json) {
    ensign_options options = {.size = sizeof options};
    ensign_shape shape = {.size = sizeof shape};
    char name[3 * WORD_MAX];
    json_t *planes = json_array(), *scalars = json_array();
    ensign_shape_of(handle, &options, &shape);
    if (!json)
        language_line(stdout, language, "{1}: {2} planes, {3} scalars, env_version {4}",
                      language_title(language, handle->rules), NUMBER_TEXT(shape.planes),
                      NUMBER_TEXT(shape.scalars), NUMBER_TEXT(ENSIGN_ENV_VERSION));
    uint32_t number = 0;
    int at = 0;
    for (int i = 0; i < PLANE_GROUPS_COUNT; i++, at = 0) {
        options.planes = PLANE_GROUPS[i].bit;
        if (!json) printf("%s:\n", language_text(language, PLANE_GROUPS[i].text));
        for (uint32_t j = 0; ensign_plane_name(handle, &options, j, name, sizeof name); j++) {
            json_array_append_new(
                planes, json_pack("{s:s, s:s}", "name", name, "group", PLANE_GROUPS[i].word));
            if (!json) at = print_numbered(number, at, name);
            number++;
        }
        if (!json) putchar('\n');
    }
    if (!json) language_line(stdout, language, "scalars:");
    for (uint32_t i = 0; ensign_scalar_name(handle, i, name, sizeof name); i++) {
        json_array_append_new(scalars, json_string(name));
        if (!json) at = print_numbered(i, at, name);
    }
    if (json)
        return cli_json(json_pack("{s:s, s:i, s:i, s:i, s:i, s:o, s:o}", "name",
                                  handle->rules->name, "env_version", ENSIGN_ENV_VERSION, "files",
                                  (int)shape.files, "ranks", (int)shape.ranks, "default_planes",
                                  (int)shape.planes, "planes", planes, "scalars", scalars),
                        JSON_INDENT(1));
    putchar('\n');
    json_decref(planes);
    json_decref(scalars);
    return EXIT_DONE;
}

static int write_bytes(const ensign_rules *handle) {
    struct fault fault = {0};
    const size_t length = ensign_rules_write(handle, NULL, 0);
    unsigned char *bytes = length ? malloc(length) : NULL;
    if (!length)
        fault_set(&fault, STATUS_RULES, "%s: functions that run during play cannot be written",
                  handle->rules->name);
    else if (!bytes)
        fault_set(&fault, STATUS_NO_MEMORY, "out of memory");
    if (!bytes) return cli_fail(&fault);
    ensign_rules_write(handle, bytes, length);
    fwrite(bytes, 1, length, stdout);
    free(bytes);
    return EXIT_DONE;
}

/* The rules become the handle's. */
static int print_encoding(struct rules *rules, const struct language *language,
                          const struct show_values *asked) {
    struct fault fault = {0};
    ensign_rules *handle = rules_handle_new(rules, &fault);
    if (!handle) return cli_fail(&fault);
    const int code = asked->bytes     ? write_bytes(handle)
                     : asked->actions ? print_actions(handle, language, asked->json)
                                      : print_planes(handle, language, asked->json);
    ensign_rules_free(handle);
    return code;
}

static int run_show(const void *values) {
    const struct show_values *asked = values;
    const struct language *language = cli_tongue();
    struct folders folders;
    int code;
    if (!cli_folders(&folders)) return EXIT_HOST;
    struct rules *rules = cli_variant(&folders, asked->variant, &code);
    if (!rules) return code;
    if (asked->actions || asked->planes || asked->bytes)
        return print_encoding(rules, language, asked);
    if (asked->json)
        code = print_json(rules);
    else
        rulesheet_print(stdout, RULESHEET_COLUMNS, language, rules);
    rules_free(rules);
    return code;
}
