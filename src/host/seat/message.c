/* message.c - one function for each message of the protocol. */
#include "message.h"

#include "base/buffer.h"
#include "base/paths.h"
#include "core/text/notation.h"
#include "embedded.h"
#include "host/safe_json.h"
#include "host/session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *message_schema(void) {
    return (const char *)schema_json;
}

static json_t *square_json(const struct board *board, square at) {
    char text[SQUARE_TEXT_MAX];
    return json_stringn_nocheck(text, square_write(board, at, text));
}

static json_t *squares_json(const struct board *board, squareset set) {
    json_t *list = json_array();
    while (set) json_array_append_new(list, square_json(board, squareset_pop(&set)));
    return list;
}

static json_t *kinds_json(const struct rules *rules, kindset kinds) {
    json_t *list = json_array();
    for (kind_id kind = 1; kind <= rules->kinds; kind++)
        if (kinds & kindset_of(kind))
            json_array_append_new(list, json_string(rules->kind[kind].name));
    return list;
}

/* The words whose bits are in `set`, the first word being bit 0. */
static json_t *words_json(unsigned set, const char *const *words) {
    json_t *list = json_array();
    for (; *words; words++, set >>= 1)
        if (set & 1) json_array_append_new(list, json_string(*words));
    return list;
}

static json_t *ability_json(const struct rules *rules, const struct ability *ability) {
    bool asks = ability->asks != ASKS_NOTHING;
    const char *asked = asks ? ABILITY_ASKS_WORDS[ability->asks - ASKS_KIND] : NULL;
    return json_pack("{s:s, s:o, s:o, s:s?, s:o, s:b, s:i, s:i, s:i}", "name", ability->name,
                     "when", words_json(ability->when, ABILITY_TIME_WORDS), "aims",
                     words_json(ability->aims, ABILITY_AIM_WORDS), "asks", asked, "choices",
                     kinds_json(rules, ability->choices), "attacks", (int)ability->attacks, "limit",
                     (int)ability->limit, "each", (int)ability->each, "rest", (int)ability->rest);
}

/* {"red": …, "blue": …} */
static json_t *sides_json(json_t *red, json_t *blue) {
    return json_pack("{s:o, s:o}", "red", red, "blue", blue);
}

/* How many of a kind each side has, where they differ, and where it may start, if not everywhere in
 * the zone. */
static json_t *add_starts(json_t *json, const struct rules *rules, kind_id kind) {
    const struct start *start = rules->start;
    json_t *on[2];
    if (start[RED].count[kind] != start[BLUE].count[kind])
        json_object_set_new(json, "counts",
                            sides_json(json_integer(start[RED].count[kind]),
                                       json_integer(start[BLUE].count[kind])));
    bool bound = false;
    for (int side = RED; side <= BLUE; side++) {
        const struct board *board = &rules->board;
        bound |= start[side].count[kind] && start[side].only[kind];
        on[side] =
            squares_json(board, start[side].count[kind]
                                    ? board_own_set(board, (enum side)side, start[side].on[kind])
                                    : 0);
    }
    json_t *starts = sides_json(on[RED], on[BLUE]);
    if (bound)
        json_object_set_new(json, "start", starts);
    else
        json_decref(starts);
    return json;
}

/* The ranks of red's set-up and, where a zone is not simply as many back ranks of each side, the
 * ranks and squares of both. */
static json_t *zone_json(const struct rules *rules) {
    const struct board *board = &rules->board;
    json_t *zone = json_pack("{s:i, s:b}", "ranks", (int)board->zone_ranks[RED], "filled",
                             (int)rules->zone_filled);
    const bool plain = !board->zone_only[RED] && !board->zone_only[BLUE] &&
                       board->zone_ranks[RED] == board->zone_ranks[BLUE];
    for (int side = RED; !plain && side <= BLUE; side++)
        json_object_set_new(zone, side_name((enum side)side),
                            json_pack("{s:i, s:o}", "ranks", (int)board->zone_ranks[side],
                                      "squares", squares_json(board, board->zone[side])));
    return zone;
}

/* Pairs of joined or parted squares, each once: ["b3-a2", …]. */
static json_t *lines_json(const struct board *board, const squareset lines[BOARD_SQUARES_MAX]) {
    json_t *list = json_array();
    for (square at = 0; at < board->squares; at++)
        for (squareset left = lines[at]; left;) {
            const square other = squareset_pop(&left);
            char text[2 * SQUARE_TEXT_MAX];
            if (other < at) continue;
            size_t used = square_write(board, at, text);
            text[used++] = '-';
            square_write(board, other, text + used);
            json_array_append_new(list, json_string(text));
        }
    return list;
}

/* Adds what a board has besides lakes: each key only if there is something to tell. */
static json_t *add_board(json_t *json, const struct board *board) {
    json_t *grounds = json_object();
    for (int i = 0; i < board->grounds; i++) {
        const struct ground *ground = &board->ground[i];
        json_t *shown = json_pack("{s:s+, s:o}", "sign", (const char[]){ground_sign(i), 0}, "",
                                  "squares", squares_json(board, ground_squares(ground)));
        for (int side = RED; ground->sided && side <= BLUE; side++)
            json_object_set_new(shown, side_name((enum side)side),
                                squares_json(board, ground->squares[side]));
        json_object_set_new(grounds, ground->name, shown);
    }
    const struct {
        const char *key;
        json_t *value;
    } parts[] = {{"ground", grounds},
                 {"links", lines_json(board, board->linked)},
                 {"walls", lines_json(board, board->walled)},
                 {"shelter", squares_json(board, board->shelter)},
                 {"leaves", squares_json(board, board->stays)}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        const bool any = json_array_size(parts[i].value) || json_object_size(parts[i].value);
        if (any) json_object_set(json, parts[i].key, parts[i].value);
        json_decref(parts[i].value);
    }
    return json;
}

static json_t *kind_json(const struct rules *rules, kind_id number) {
    const struct kind *kind = &rules->kind[number];
    const char letter[2] = {kind->letter, 0};
    json_t *abilities = json_array();
    for (int i = 0; i < rules->abilities; i++)
        if (kind->abilities >> i & 1)
            json_array_append_new(abilities, ability_json(rules, &rules->ability[i]));
    json_t *json =
        json_pack("{s:s, s:s, s:o, s:i, s:i, s:b, s:b, s:b, s:o}", "name", kind->name, "letter",
                  letter, "label", safe_json(kind->label), "rank", (int)kind->rank, "count",
                  rules_most(rules, number), "mobile", (rules->mobile & kindset_of(number)) != 0,
                  "runs", (rules->runners & kindset_of(number)) != 0, "flag", (int)kind->flag,
                  "abilities", abilities);
    if (rules->stayers >> number & 1) json_object_set_new(json, "advances", json_false());
    if (rules->fall_shows[number])
        json_object_set_new(json, "shows", kinds_json(rules, rules->fall_shows[number]));
    return add_starts(json, rules, number);
}

static json_t *all_kinds_json(const struct rules *rules) {
    json_t *kinds = json_array();
    for (kind_id kind = 1; kind <= rules->kinds; kind++)
        json_array_append_new(kinds, kind_json(rules, kind));
    return kinds;
}

json_t *message_battles(const struct rules *rules) {
    json_t *battles = json_object();
    for (kind_id attacker = 1; attacker <= rules->kinds; attacker++) {
        if (!(rules->mobile & kindset_of(attacker))) continue;
        json_t *row = json_object();
        for (kind_id defender = 1; defender <= rules->kinds; defender++) {
            enum outcome outcome = rules_outcome_bare(rules, attacker, defender);
            json_object_set_new(row, rules->kind[defender].name,
                                json_string(outcome_name(outcome)));
        }
        json_object_set_new(battles, rules->kind[attacker].name, row);
    }
    return battles;
}

static json_t *add_armies(json_t *variant, const struct rules *rules) {
    if (rules->armies != ARMIES_PLACED)
        json_object_set_new(variant, "setup",
                            json_string(armies_name((enum army_source)rules->armies)));
    return variant;
}

/* The squares of a place, for each side as attacker. */
static json_t *place_json(const struct rules *rules, int place) {
    squareset squares[2] = {0, 0};
    for (int side = RED; side <= BLUE; side++)
        for (square at = 0; at < rules->board.squares; at++)
            if (rules->battles->place[side][at] == place && squareset_has(rules->board.land, at))
                squares[side] |= squareset_of(at);
    return sides_json(squares_json(&rules->board, squares[RED]),
                      squares_json(&rules->board, squares[BLUE]));
}

/* The battles of two places that are not as message_battles() says; NULL if there are none. */
static json_t *changes_json(const struct rules *rules, int from, int to) {
    json_t *battles = NULL;
    for (kind_id a = 1; a <= rules->kinds; a++)
        for (kind_id d = 1; d <= rules->kinds && (rules->mobile & kindset_of(a)); d++) {
            const enum outcome outcome = (enum outcome)rules->battles->outcome[from][to][a][d];
            if (outcome == rules_outcome_bare(rules, a, d)) continue;
            if (!battles) battles = json_object();
            json_t *row = json_object_get(battles, rules->kind[a].name);
            if (!row) json_object_set_new(battles, rules->kind[a].name, row = json_object());
            json_object_set_new(row, rules->kind[d].name, json_string(outcome_name(outcome)));
        }
    return battles;
}

json_t *message_battles_on(const struct rules *rules) {
    json_t *list = json_array();
    for (int from = 0; from < rules->battles->places; from++)
        for (int to = 0; to < rules->battles->places; to++) {
            json_t *changes = changes_json(rules, from, to);
            if (changes)
                json_array_append_new(list,
                                      json_pack("{s:o, s:o, s:o}", "from", place_json(rules, from),
                                                "to", place_json(rules, to), "battles", changes));
        }
    return list;
}

json_t *message_outline(const struct rules *rules) {
    json_t *kinds = json_array();
    for (kind_id number = 1; number <= rules->kinds; number++) {
        const struct kind *kind = &rules->kind[number];
        const char letter[2] = {kind->letter, 0};
        json_t *json =
            json_pack("{s:s, s:s, s:o, s:i}", "name", kind->name, "letter", letter, "label",
                      safe_json(kind->label), "count", rules_most(rules, number));
        json_array_append_new(kinds, add_starts(json, rules, number));
    }
    json_t *outline =
        json_pack("{s:o, s:o, s:o}", "lakes", squares_json(&rules->board, rules->board.lakes),
                  "zone", zone_json(rules), "kinds", kinds);
    return add_board(add_armies(outline, rules), &rules->board);
}

static json_t *counter_json(const struct rules *rules, int number) {
    const struct counter *counter = &rules->counter[number];
    const char *title = rules_called(rules, called_counter(number), "en");
    return json_pack("{s:s, s:o, s:b, s:i, s:i, s:i}", "name", counter->name, "title",
                     safe_json(title ? title : counter->name), "each", (int)counter->each, "from",
                     counter->from, "to", counter->to, "start", counter->start);
}

static json_t *goal_json(const struct rules *rules, const struct goal *goal) {
    const char *result = GOAL_RESULT_WORDS[goal->result];
    if (!goal->kinds)
        return json_pack("{s:s, s:i, s:s}", "counter", rules->counter[goal->counter].name,
                         "reaches", goal->reaches, "result", result);
    return json_pack("{s:o, s:{s:o, s:o}, s:i, s:s}", "kinds", kinds_json(rules, goal->kinds), "at",
                     "red", squares_json(&rules->board, goal->at[RED]), "blue",
                     squares_json(&rules->board, goal->at[BLUE]), "after", (int)goal->after,
                     "result", result);
}

/* What only some variants have. */
static json_t *add_extras(json_t *variant, const struct rules *rules) {
    if (rules->repetition)
        json_object_set_new(variant, "repetition", json_integer(rules->repetition));
    if (rules->counters) {
        json_t *counters = json_array();
        for (int i = 0; i < rules->counters; i++)
            json_array_append_new(counters, counter_json(rules, i));
        json_object_set_new(variant, "counters", counters);
    }
    if (rules->goals) {
        json_t *goals = json_array();
        for (int i = 0; i < rules->goals; i++)
            json_array_append_new(goals, goal_json(rules, &rules->goal[i]));
        json_object_set_new(variant, "goals", goals);
    }
    return variant;
}

json_t *message_variant(const struct rules *rules, enum side first, struct limits limits) {
    const struct board *board = &rules->board;
    json_t *variant = json_pack(
        "{s:s, s:o, s:i, s:i, s:o, s:o, s:s, s:{s:I, s:I}, s:i, s:s, s:b, s:o, s:o}", "name",
        rules->name, "title", safe_json(rules->title), "files", (int)board->files, "ranks",
        (int)board->ranks, "lakes", squares_json(board, board->lakes), "zone", zone_json(rules),
        "first", side_name(first), "limits", "no_attack", (json_int_t)limits.no_attack, "plies",
        (json_int_t)limits.plies, "two_squares", (int)rules->two_squares, "chase",
        chase_name((enum chase_rule)rules->chase), "sight", rules->sight != NULL, "kinds",
        all_kinds_json(rules), "battles", message_battles(rules));
    if (rules->open) json_object_set_new(variant, "open", json_true());
    if (rules->battles) json_object_set_new(variant, "battles_on", message_battles_on(rules));
    if (rules->fallen_hidden) json_object_set_new(variant, "fallen_hidden", json_true());
    return add_extras(add_board(add_armies(variant, rules), board), rules);
}

static json_t *clock_json(const struct game_clock *clock) {
    if (!clock) return json_null();
    return json_pack("{s:I, s:I}", "red", (json_int_t)clock->left[RED], "blue",
                     (json_int_t)clock->left[BLUE]);
}

json_t *message_game(const struct message_table *table, enum onlooker onlooker) {
    bool seat = onlooker == ONLOOKER_RED || onlooker == ONLOOKER_BLUE;
    return json_pack("{s:s, s:i, s:s, s:s?, s:s, s:{s:o, s:o}, s:o, s:o, s:o, s:o}", "type", "game",
                     "protocol", SEAT_PROTOCOL, "game", table->id, "side",
                     table->seed && seat ? onlooker_name(onlooker) : NULL, "eyes",
                     onlooker_name(onlooker), "names", "red", safe_json(table->names[RED]), "blue",
                     safe_json(table->names[BLUE]), "seed",
                     table->seed ? json_integer((json_int_t)*table->seed) : json_null(), "deadline",
                     table->deadline ? json_integer(table->deadline) : json_null(), "clock",
                     clock_json(table->clock), "variant",
                     message_variant(table->rules, table->first, table->limits));
}

json_t *message_counters(const struct view *view) {
    const struct rules *rules = view->rules;
    if (!rules->counters) return NULL;
    json_t *all = json_object();
    for (int i = 0; i < rules->counters; i++) {
        json_t *value = json_integer(view->counters.of[RED][i]);
        if (rules->counter[i].each)
            value = json_pack("{s:o, s:i}", "red", value, "blue", view->counters.of[BLUE][i]);
        json_object_set_new(all, rules->counter[i].name, value);
    }
    return all;
}

/* Adds them to a message, where there are any. */
static json_t *with_counters(json_t *message, const struct view *view) {
    json_t *counters = message_counters(view);
    if (counters) json_object_set_new(message, "counters", counters);
    return message;
}

json_t *message_setup(void) {
    return json_pack("{s:s}", "type", "setup");
}

static json_t *position_json(const struct outlook *outlook) {
    char text[POSITION_TEXT_MAX];
    return json_stringn_nocheck(text, outlook_position(outlook, text));
}

/* The pieces at the start, which both sides know: a game need not start with the rules' army. */
static json_t *army_json(const struct view *view, enum side side) {
    json_t *army = json_object();
    for (kind_id kind = 1; kind <= view->rules->kinds; kind++)
        if (view->start[side][kind])
            json_object_set_new(army, view->rules->kind[kind].name,
                                json_integer(view->start[side][kind]));
    return army;
}

json_t *message_start(const struct outlook *outlook) {
    const struct view *view = outlook_view(outlook);
    json_t *start = json_pack("{s:s, s:i, s:o, s:{s:o, s:o}}", "type", "start", "ply", 0,
                              "position", position_json(outlook), "armies", "red",
                              army_json(view, RED), "blue", army_json(view, BLUE));
    return with_counters(start, view);
}

json_t *message_move(const struct view *view, const struct move *moves, size_t count,
                     const struct game_clock *clock) {
    const struct outlook outlook = outlook_of_side(view, NULL);
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++) {
        char text[MOVE_TEXT_MAX];
        bool attack = moves[i].to != moves[i].from && view->number[moves[i].to] != VIEW_EMPTY &&
                      view->piece[view->number[moves[i].to]].side != view->side;
        size_t length = move_text(view->rules, moves[i], attack, text);
        json_array_append_new(list, json_stringn_nocheck(text, length));
    }
    json_t *move =
        json_pack("{s:s, s:I, s:o, s:o, s:o}", "type", "move", "ply", (json_int_t)view->plies,
                  "position", position_json(&outlook), "moves", list, "clock", clock_json(clock));
    return with_counters(move, view);
}

static const char *kind_name(const struct rules *rules, kind_id kind) {
    return kind == KIND_NONE ? NULL : rules->kind[kind].name;
}

static void add_square(json_t *object, const char *key, const struct board *board, square at) {
    if (at != SQUARE_NONE) json_object_set_new(object, key, square_json(board, at));
}

/* The side where each has its own; what was added, unless the counter was set. */
static json_t *count_json(const struct rules *rules, const struct event *event) {
    const struct counter *counter = &rules->counter[event->counter];
    json_t *object = json_pack("{s:s, s:s, s:i}", "type", event_name(EVENT_COUNT), "counter",
                               counter->name, "now", event->now);
    if (counter->each)
        json_object_set_new(object, "side", json_string(side_name((enum side)event->side)));
    if (!event->sets) json_object_set_new(object, "by", json_integer(event->by));
    return object;
}

static json_t *event_json(const struct rules *rules, const struct event *event) {
    if (event->type == EVENT_END) {
        return json_pack("{s:s, s:s, s:s}", "type", "end", "result",
                         result_name((enum result)event->result), "reason",
                         reason_name((enum reason)event->reason));
    }
    if (event->type == EVENT_COUNT) return count_json(rules, event);
    bool battle = event->type == EVENT_BATTLE, ability = event->type == EVENT_ABILITY;
    json_t *object = json_pack("{s:s, s:s}", "type", event_name((enum event_type)event->type),
                               "side", side_name((enum side)event->side));
    if (ability) {
        const char *name = rules->ability[rules_first_sharing(rules, event->tally)].name;
        json_object_set_new(object, "ability", json_string(name));
    }
    add_square(object, "from", &rules->board, event->from);
    add_square(object, "to", &rules->board, event->to);
    if (event->kind != KIND_NONE)
        json_object_set_new(object, "kind", json_string(kind_name(rules, event->kind)));
    if (battle && event->other != KIND_NONE)
        json_object_set_new(object, "other", json_string(kind_name(rules, event->other)));
    if (battle)
        json_object_set_new(object, "outcome",
                            json_string(outcome_name((enum outcome)event->outcome)));
    if (battle && event->stays) json_object_set_new(object, "stays", json_true());
    if (event->turns) json_object_set_new(object, "turns", json_integer(event->turns));
    if (event->kinds) json_object_set_new(object, "kinds", kinds_json(rules, event->kinds));
    return object;
}

/* The move's text; null unless all of its squares are known. */
static json_t *turn_json(const struct rules *rules, const struct events *events) {
    struct move move;
    bool attack;
    char text[MOVE_TEXT_MAX];
    bool known = move_of_turn(rules, events, &move, &attack) && move.from != SQUARE_NONE &&
                 move.to != SQUARE_NONE;
    return known ? json_stringn_nocheck(text, move_text(rules, move, attack, text)) : json_null();
}

json_t *message_events(const struct outlook *outlook) {
    const struct view *view = outlook_view(outlook);
    const struct rules *rules = view->rules;
    struct events events;
    outlook_events(outlook, &events);
    json_t *list = json_array();
    for (int i = 0; i < events.count; i++)
        json_array_append_new(list, event_json(rules, &events.list[i]));
    const enum side mover = (enum side)events.list[0].side;
    json_t *message =
        json_pack("{s:s, s:I, s:s, s:o, s:o}", "type", "events", "ply", (json_int_t)view->plies,
                  "side", side_name(mover), "move", turn_json(rules, &events), "events", list);
    if (rules->sight && outlook->onlooker <= ONLOOKER_BLUE) {
        const squareset dark = rules->board.land & ~view_sees(view);
        json_object_set_new(message, "seen", squares_json(&rules->board, events.seen));
        json_object_set_new(message, "dark", squares_json(&rules->board, dark));
    }
    return message;
}

json_t *message_last(const struct outlook *outlook) {
    struct events events;
    outlook_events(outlook, &events);
    return events.count ? message_events(outlook) : json_null();
}

json_t *message_draw(enum side side) {
    return json_pack("{s:s, s:s}", "type", "draw", "side", side_name(side));
}

static json_t *fault_json(const struct fault *fault) {
    struct fault bare = *fault; /* a file's folder is nobody's business */
    char text[FAULT_FILE_MAX + FAULT_TEXT_MAX + 32];
    snprintf(bare.file, sizeof bare.file, "%s", path_file(fault->file));
    fault_format(&bare, text, sizeof text);
    return safe_json(text);
}

json_t *message_refused(enum verdict verdict, const struct fault *why) {
    return json_pack("{s:s, s:s?, s:o}", "type", "refused", "rule",
                     verdict == LEGAL ? NULL : verdict_name(verdict), "message",
                     safe_json(why->text));
}

/* Null if none was laid out. */
static json_t *setup_json(const struct session *session, enum side side) {
    char text[SETUP_TEXT_MAX];
    if (!session->has_setup[side]) return json_null();
    size_t length =
        setup_write(session->options.rules, (enum side)side, &session->setups[side], text);
    return json_stringn_nocheck(text, length);
}

/* The variant's own words for the ending. */
static void add_ending(json_t *message, const struct ending_words *words) {
    if (!words->text[0]) return;
    json_object_set_new(message, "ending", safe_json(words->text));
    if (!words->count) return;
    json_t *tongues = json_object();
    for (int i = 0; i < words->count; i++)
        json_object_set_new(tongues, words->tongue[i].tag, safe_json(words->tongue[i].text));
    json_object_set_new(message, "endings", tongues);
}

json_t *message_end(const struct session *session) {
    const struct outlook outlook = outlook_of(ONLOOKER_ALL, &session->eyes);
    const struct fault *forfeit = &session->forfeit;
    json_t *message =
        json_pack("{s:s, s:s, s:s, s:o, s:{s:o, s:o}}", "type", "end", "result",
                  result_name(session->result), "reason", reason_name(session->reason), "position",
                  session->started ? position_json(&outlook) : json_null(), "setups", "red",
                  setup_json(session, RED), "blue", setup_json(session, BLUE));
    add_ending(message, &session->ending);
    if (forfeit->status != STATUS_OK) json_object_set_new(message, "message", fault_json(forfeit));
    return message;
}

json_t *message_error(const struct fault *why) {
    json_t *error = json_pack("{s:s, s:o}", "type", "error", "message", fault_json(why));
    if (why->wait) json_object_set_new(error, "wait", json_integer(why->wait));
    return error;
}

bool message_write(json_t *message, struct buffer *out) {
    enum { FLAGS = JSON_COMPACT };
    /* Dumped once if the buffer has the room for it and its end, as it has from the second message
     * on; a buffer that moves is closed at its old length, over what was dumped. */
    const size_t room = out->room ? out->room - 1 - out->length : 0;
    char *end = out->room ? out->text + out->length : NULL;
    size_t length = message ? json_dumpb(message, end, room, FLAGS) : 0;
    bool fits = length && buffer_reserve(out, length + 1);
    if (fits) {
        if (length >= room) json_dumpb(message, out->text + out->length, length, FLAGS);
        out->length += length;
        buffer_add(out, "\n", 1);
    } else if (out->text) {
        out->text[out->length] = 0;
    }
    json_decref(message);
    return fits;
}
