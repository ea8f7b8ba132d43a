/* rulesheet.c - prints the rule sheet of a variant. */
#include "rulesheet.h"

#include "cli/lines/terminal.h"
#include "columns.h"
#include "core/play/calls.h"
#include "sheet.h"

#include <stdint.h>
#include <string.h>

/* One sheet being printed. */
struct sheet {
    FILE *out;
    int columns; /* wrap width of sentences */
    const struct language *language;
    const struct rules *rules;
};

static const char *kind_of(const struct sheet *sheet, kind_id kind) {
    return language_kind(sheet->language, sheet->rules, kind);
}

/* Columns of the longest name of a kind. */
static int names_width(const struct sheet *sheet) {
    int widest = 0;
    for (kind_id kind = 1; kind <= sheet->rules->kinds; kind++) {
        int columns = columns_of(kind_of(sheet, kind), SIZE_MAX);
        if (columns > widest) widest = columns;
    }
    return widest;
}

static void print_heading(const struct sheet *sheet, const char *english) {
    fputc('\n', sheet->out);
    language_line(sheet->out, sheet->language, english);
}

enum { START_INDENT = 6 };

/* How many pieces there are, and how they come to stand. `same`: on both sides. */
static const char *army_heading(const struct rules *rules, bool same) {
    static const char *const headings[][2] = {
        [ARMIES_GIVEN] = {TEXT("Armies, pieces of red: {1}, of blue: {2}; they always start in "
                               "this way"),
                          TEXT("Army, pieces a side: {1}; it always starts in this way")},
        [ARMIES_BY_CHANCE] = {TEXT("Armies, pieces of red: {1}, of blue: {2}; each game draws "
                                   "where they stand"),
                              TEXT("Army, pieces a side: {1}; each game draws where they stand")}};
    if (rules->armies != ARMIES_PLACED) return headings[rules->armies][same];
    if (rules->zone_filled)
        return same ? TEXT("Army, pieces a side: {1}; the set-up fills the zone")
                    : TEXT("Armies, pieces of red: {1}, of blue: {2}; the set-ups fill the zones");
    return same ? TEXT("Army, pieces a side: {1}; the set-up may stand anywhere in the zone")
                : TEXT("Armies, pieces of red: {1}, of blue: {2}; the set-ups may stand anywhere "
                       "in the zones");
}

static void print_army(const struct sheet *sheet) {
    const struct rules *rules = sheet->rules;
    int width = names_width(sheet);
    fputc('\n', sheet->out);
    const struct start *red = &rules->start[RED], *blue = &rules->start[BLUE];
    const bool same = !memcmp(red->count, blue->count, sizeof red->count);
    language_line(sheet->out, sheet->language, army_heading(rules, same), NUMBER_TEXT(red->size),
                  NUMBER_TEXT(blue->size));
    for (kind_id kind = rules->kinds; kind > KIND_NONE; kind--) {
        const struct kind *it = &rules->kind[kind];
        char movement[256], start[SHEET_TEXT_MAX];
        sheet_movement(sheet->language, rules, kind, movement, sizeof movement);
        sheet_start(sheet->language, rules, kind, start, sizeof start);
        if (rules->armies == ARMIES_GIVEN) start[0] = 0; /* the board above shows it */
        fprintf(sheet->out, "  %3d ", red->count[kind]);
        if (!same) fprintf(sheet->out, "%3d ", blue->count[kind]);
        columns_print(sheet->out, it->label, -4);
        fprintf(sheet->out, "  %c  ", it->letter);
        columns_print(sheet->out, kind_of(sheet, kind), width);
        fprintf(sheet->out, "  %s\n", movement);
        if (!start[0]) continue;
        fprintf(sheet->out, "%*s", START_INDENT, "");
        columns_wrap(sheet->out, start, START_INDENT, START_INDENT, sheet->columns);
    }
}

/* The battles of two places; of any where they do not matter. */
static void print_battles(const struct sheet *sheet, int from, int to) {
    static const char marks[] = {[ATTACKER_WINS] = '+',
                                 [DEFENDER_WINS] = '-',
                                 [BOTH_FALL] = '=',
                                 [ASK_THE_VARIANT] = '?',
                                 [CANNOT_ATTACK] = '.'};
    const struct rules *rules = sheet->rules;
    const char *corner = language_text(sheet->language, TEXT("attacker/defender"));
    int width = names_width(sheet), least = columns_of(corner, SIZE_MAX) - 2;
    if (width < least) width = least;
    fprintf(sheet->out, "  ");
    columns_print(sheet->out, corner, width + 3);
    for (kind_id other = rules->kinds; other > KIND_NONE; other--)
        columns_print(sheet->out, rules->kind[other].label, -3);
    fputc('\n', sheet->out);
    for (kind_id kind = rules->kinds; kind > KIND_NONE; kind--) {
        if (!(rules->mobile & kindset_of(kind))) continue;
        fprintf(sheet->out, "  ");
        columns_print(sheet->out, kind_of(sheet, kind), width);
        columns_print(sheet->out, rules->kind[kind].label, -3);
        for (kind_id other = rules->kinds; other > KIND_NONE; other--)
            fprintf(sheet->out, "  %c",
                    marks[rules->battles ? rules->battles->outcome[from][to][kind][other]
                                         : rules_outcome(rules, kind, other)]);
        fputc('\n', sheet->out);
    }
}

enum { PLACE_TEXT_MAX = 256 };

static bool same_battles(const struct rules *rules, int from, int to, int other_from,
                         int other_to) {
    for (kind_id a = 1; a <= rules->kinds; a++)
        for (kind_id d = 1; d <= rules->kinds && (rules->mobile & kindset_of(a)); d++)
            if (rules->battles->outcome[from][to][a][d] !=
                rules->battles->outcome[other_from][other_to][a][d])
                return false;
    return true;
}

/* Is this pair of places the first of those with the same battles? */
static bool is_first_pair(const struct rules *rules, int from, int to) {
    for (int f = 0; f <= from; f++)
        for (int t = 0; t < rules->battles->places; t++) {
            if (f == from && t == to) return true;
            if (same_battles(rules, f, t, from, to)) return false;
        }
    return true;
}

/* A square of the place, and the side for which it is one; SQUARE_NONE if it has none. */
static square square_of(const struct rules *rules, int place, enum side *side) {
    for (int i = RED; i <= BLUE; i++)
        for (square at = 0; at < rules->board.squares; at++)
            if (rules->battles->place[i][at] == place && squareset_has(rules->board.land, at)) {
                *side = (enum side)i;
                return at;
            }
    return SQUARE_NONE;
}

static void name_place(const struct language *language, const struct rules *rules, int place,
                       char out[PLACE_TEXT_MAX]) {
    enum side side = RED;
    const square at = square_of(rules, place, &side);
    size_t used = 0;
    out[0] = 0;
    for (int i = 0; i < rules->board.grounds && at != SQUARE_NONE; i++) {
        const struct ground *ground = &rules->board.ground[i];
        const bool own = squareset_has(ground->squares[side], at);
        const bool enemys = squareset_has(ground->squares[side_other(side)], at);
        if (!own && !enemys) continue;
        if (used && used + 2 < PLACE_TEXT_MAX) used += (size_t)sprintf(out + used, "+");
        const char *form = own && enemys ? "{1}"
                           : own         ? TEXT("{1} of the attacker")
                                         : TEXT("{1} of the enemy");
        language_fill_list(out + used, PLACE_TEXT_MAX - used, language,
                           (const char *const[]){form, ground->name, NULL});
        used = strlen(out);
    }
    if (!used) snprintf(out, PLACE_TEXT_MAX, "%s", language_text(language, TEXT("other squares")));
}

/* Has the row of `from`, or the column of `to`, the battles of the pair everywhere? */
static bool whole_row(const struct rules *rules, int from, int to) {
    for (int t = 0; t < rules->battles->places; t++)
        if (!same_battles(rules, from, t, from, to)) return false;
    return true;
}

static bool whole_column(const struct rules *rules, int from, int to) {
    for (int f = 0; f < rules->battles->places; f++)
        if (!same_battles(rules, f, to, from, to)) return false;
    return true;
}

/* All pairs with the battles of this one: "river → other squares; any square → trap of the
 * attacker". What does not fit is left out. */
static void name_places(const struct language *language, const struct rules *rules, int from,
                        int to, char *out, size_t size) {
    size_t used = 0;
    out[0] = 0;
    for (int f = 0; f < rules->battles->places; f++)
        for (int t = 0; t < rules->battles->places; t++) {
            char left[PLACE_TEXT_MAX], right[PLACE_TEXT_MAX];
            if (!same_battles(rules, f, t, from, to)) continue;
            const bool column = whole_column(rules, f, t), row = !column && whole_row(rules, f, t);
            if ((column && f) || (row && t)) continue;
            const char *any = language_text(language, TEXT("any square"));
            name_place(language, rules, f, left);
            name_place(language, rules, t, right);
            const int more = snprintf(out + used, size - used, "%s%s → %s", used ? "; " : "",
                                      column ? any : left, row ? any : right);
            if (more < 0 || used + (size_t)more >= size) {
                out[used] = 0;
                return;
            }
            used += (size_t)more;
        }
}

static void print_list(const struct sheet *sheet, const char *const *texts);

/* Prints a wrapped sentence: an English pattern and its arguments. */
#define print_line(sheet, ...) print_list(sheet, (const char *const[]){__VA_ARGS__, NULL})

static void print_combat(const struct sheet *sheet) {
    const struct rules *rules = sheet->rules;
    bool asks = rules->calls && (rules->calls->declared >> CALL_BATTLE & 1);
    print_heading(sheet,
                  asks ? TEXT("Battles: + the attacker wins, - it falls, = both fall, ? depends on "
                              "the position")
                       : TEXT("Battles: + the attacker wins, - it falls, = both fall"));
    print_battles(sheet, 0, 0);
    if (rules_bar(rules)) print_line(sheet, TEXT("A dot: the attack may not be made."));
    for (int from = 0; rules->battles && from < rules->battles->places; from++)
        for (int to = 0; to < rules->battles->places; to++) {
            char places[SHEET_TEXT_MAX];
            if (!is_first_pair(rules, from, to) || (!from && !to)) continue;
            name_places(sheet->language, rules, from, to, places, sizeof places);
            print_line(sheet,
                       TEXT("On these squares it is otherwise (of the attacker → of the "
                            "defender): {1}"),
                       places);
            print_battles(sheet, from, to);
        }
}

static void list_kinds(const struct sheet *sheet, kindset kinds, char *out, size_t size) {
    size_t length = 0;
    *out = 0;
    for (kind_id kind = 1; kind <= sheet->rules->kinds; kind++)
        if (kinds & kindset_of(kind))
            length += (size_t)snprintf(out + length, size - length, "%s%s", length ? ", " : "",
                                       kind_of(sheet, kind));
}

static void print_abilities(const struct sheet *sheet) {
    const struct rules *rules = sheet->rules;
    if (rules->abilities) print_heading(sheet, TEXT("Abilities"));
    for (int i = 0; i < rules->abilities; i++) {
        const struct ability *ability = &rules->ability[i];
        bool told = false;
        for (int j = 0; j < i; j++) told |= sheet_same_ability(&rules->ability[j], ability);
        if (told) continue;
        const char *name = language_text(sheet->language, ability->name);
        int column = fprintf(sheet->out, "  ") + columns_print(sheet->out, name, 0);
        /* the English name is typed where a piece has several */
        if (strcmp(name, ability->name) != 0) column += fprintf(sheet->out, " [%s]", ability->name);
        char text[SHEET_TEXT_MAX + KINDS_MAX * (LANGUAGE_NAME_MAX + 2)] = "(";
        size_t used = 1;
        for (int j = i; j < rules->abilities; j++) {
            if (!sheet_same_ability(&rules->ability[j], ability)) continue;
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", used > 1 ? ", " : "",
                                     kind_of(sheet, rules->ability[j].actor));
        }
        used += (size_t)snprintf(text + used, sizeof text - used, "): ");
        sheet_ability(sheet->language, rules, ability, text + used, sizeof text - used);
        columns_wrap(sheet->out, text, column, 4, sheet->columns);
    }
}

static void print_list(const struct sheet *sheet, const char *const *texts) {
    char out[SHEET_TEXT_MAX];
    language_fill_list(out, sizeof out, sheet->language, texts);
    fprintf(sheet->out, "  ");
    columns_wrap(sheet->out, out, 2, 2, sheet->columns);
}

static void print_repetition(const struct sheet *sheet) {
    const struct rules *rules = sheet->rules;
    print_heading(sheet, TEXT("Repetition"));
    if (rules->two_squares) {
        print_line(sheet,
                   TEXT("Two squares: a piece may not move to and fro between the same two "
                        "squares more than {1} times running."),
                   NUMBER_TEXT(rules->two_squares));
    }
    if (rules->chase == CHASE_ISF) {
        print_line(sheet, TEXT("Chase (ISF): a side that threatens without pause may not return to "
                               "an earlier position of the same chase, except by going straight "
                               "back."));
    } else if (rules->chase == CHASE_RUSSIAN) {
        print_line(sheet, TEXT("Chase (Russian): a piece that retreats each time may be chased for "
                               "at most two moves."));
    }
    if (rules->repetition) {
        print_line(sheet, TEXT("Draw when the same position comes up {1} times."),
                   NUMBER_TEXT(rules->repetition));
    }
    if (!rules->two_squares && rules->chase == CHASE_NONE && !rules->repetition)
        print_line(sheet, TEXT("Moves may be repeated."));
}

static void list_squares(const struct board *board, squareset set, char *out, size_t size) {
    size_t length = 0;
    *out = 0;
    while (set && length + SQUARE_TEXT_MAX + 1 < size) {
        if (length) out[length++] = ' ';
        length += square_write(board, squareset_pop(&set), out + length);
        out[length] = 0;
    }
}

static void print_place_goal(const struct sheet *sheet, const struct goal *goal) {
    static const char *const lines[] = {
        [GOAL_WIN] = TEXT("Goal: a side wins by getting one of these pieces: {1}, to one of these "
                          "squares: red {2}; blue {3}."),
        [GOAL_LOSE] = TEXT("A side loses that has one of these pieces: {1}, on one of these "
                           "squares: red {2}; blue {3}."),
        [GOAL_DRAW] = TEXT("Draw when one of these pieces: {1}, stands on one of these squares: "
                           "red {2}; blue {3}."),
    };
    const struct rules *rules = sheet->rules;
    char kinds[KINDS_MAX * (LANGUAGE_NAME_MAX + 2)] = "", squares[2][SHEET_TEXT_MAX / 4];
    size_t length = 0;
    for (kind_id kind = 1; kind <= rules->kinds; kind++)
        if (goal->kinds & kindset_of(kind))
            length += (size_t)snprintf(kinds + length, sizeof kinds - length, "%s%s",
                                       length ? ", " : "", kind_of(sheet, kind));
    for (int side = RED; side <= BLUE; side++)
        if (goal->at[side])
            list_squares(&rules->board, goal->at[side], squares[side], sizeof squares[side]);
        else
            strcpy(squares[side], "–");
    print_line(sheet, lines[goal->result], kinds, squares[RED], squares[BLUE]);
    if (goal->after)
        print_line(sheet,
                   TEXT("It must still stand there when turns of its side begin; turns: {1}."),
                   NUMBER_TEXT(goal->after));
}

static void print_count_goal(const struct sheet *sheet, const struct goal *goal) {
    static const char *const lines[] = {
        [GOAL_WIN] = TEXT("Goal: a side wins when its counter reaches this value: {1}, {2}."),
        [GOAL_LOSE] = TEXT("A side loses when its counter reaches this value: {1}, {2}."),
        [GOAL_DRAW] = TEXT("Draw when a counter reaches this value: {1}, {2}."),
        [GOAL_RED] = TEXT("Red wins when a counter reaches this value: {1}, {2}."),
        [GOAL_BLUE] = TEXT("Blue wins when a counter reaches this value: {1}, {2}."),
    };
    char value[16];
    snprintf(value, sizeof value, "%d", goal->reaches);
    print_line(sheet, lines[goal->result],
               language_counter(sheet->language, sheet->rules, goal->counter), value);
}

static void print_counters(const struct sheet *sheet) {
    const struct rules *rules = sheet->rules;
    if (rules->counters) print_heading(sheet, TEXT("Counters (public)"));
    for (int i = 0; i < rules->counters; i++) {
        const struct counter *counter = &rules->counter[i];
        char from[16], to[16], start[16];
        snprintf(from, sizeof from, "%d", counter->from);
        snprintf(to, sizeof to, "%d", counter->to);
        snprintf(start, sizeof start, "%d", counter->start);
        print_line(sheet,
                   counter->each
                       ? TEXT("{1}: from {2} to {3}, at the start {4}; each side has its own.")
                       : TEXT("{1}: from {2} to {3}, at the start {4}; both sides share it."),
                   language_counter(sheet->language, rules, i), from, to, start);
    }
}

static void print_endings(const struct sheet *sheet) {
    const struct rules *rules = sheet->rules;
    print_heading(sheet, TEXT("Endings"));
    if (rules->flags) print_line(sheet, TEXT("Capturing the flag wins."));
    print_line(sheet, TEXT("A side with no piece left that can move, or with no legal move, loses; "
                           "if both armies lose their last mobile pieces together, the game is "
                           "drawn."));
    for (int i = 0; i < rules->goals; i++)
        (rules->goal[i].kinds ? print_place_goal : print_count_goal)(sheet, &rules->goal[i]);
    if (rules->draw_without) {
        char list[KINDS_MAX * (LANGUAGE_NAME_MAX + 2)] = "";
        size_t length = 0;
        for (kind_id kind = 1; kind <= rules->kinds; kind++) {
            if (!(rules->draw_without & kindset_of(kind))) continue;
            length += (size_t)snprintf(list + length, sizeof list - length, "%s%s",
                                       length ? ", " : "", kind_of(sheet, kind));
        }
        print_line(
            sheet,
            TEXT("Draw when both flags are walled in and neither side has any of these left: {1}."),
            list);
    }
    if (rules->limits.no_attack) {
        print_line(sheet, TEXT("Draw after {1} plies in a row without an attack."),
                   NUMBER_TEXT(rules->limits.no_attack));
    }
    if (rules->limits.plies)
        print_line(sheet, TEXT("Draw after {1} plies in all."), NUMBER_TEXT(rules->limits.plies));
}

static void print_knowledge(const struct sheet *sheet) {
    static const struct {
        const char *word, *line;
    } after[] = {
        {"open", TEXT("Both sides know all pieces from the start.")},
        {"reveal", TEXT("After a battle the winner stays revealed.")},
        {"conceal", TEXT("After a battle the winner is face down again.")},
        {"silent", TEXT("After a battle only the fallen piece is shown, not the winner.")},
        {"untold", TEXT("After a battle neither side learns what the other's piece is.")},
        {"mixed", TEXT("Whether a battle reveals its winner depends on the pieces.")},
    };
    const char *word = sheet_after_battle(sheet->rules);
    const bool hidden = sheet->rules->fallen_hidden;
    if (hidden && !strcmp(word, "silent")) word = "untold";
    if (sheet->rules->open) word = "open";
    for (size_t i = 0; i < sizeof after / sizeof *after; i++)
        if (!strcmp(after[i].word, word)) print_line(sheet, after[i].line);
    const struct rules *rules = sheet->rules;
    char list[KINDS_MAX * (LANGUAGE_NAME_MAX + 2)];
    if (hidden) print_line(sheet, TEXT("What a fallen piece was is told to its own side alone."));
    if (rules->stayers) {
        list_kinds(sheet, rules->stayers, list, sizeof list);
        print_line(sheet, TEXT("These stay where they are when they win as attackers: {1}."), list);
    }
    for (kind_id kind = 1; kind <= rules->kinds; kind++) {
        if (!rules->fall_shows[kind]) continue;
        list_kinds(sheet, rules->fall_shows[kind], list, sizeof list);
        print_line(
            sheet,
            TEXT("When this piece falls, its side's pieces of these kinds are shown: {1}: {2}."),
            kind_of(sheet, kind), list);
    }
    if (sheet->rules->sight)
        print_line(sheet, TEXT("A side is shown only the enemy pieces that its own pieces see."));
}

/* The variant's note and the calls it answers during play, which no table shows. */
static void print_calls(const struct sheet *sheet) {
    static const char *const what[CALL_COUNT] = {
        [CALL_LEGAL] = TEXT("Whether a move may be made."),
        [CALL_BATTLE] = TEXT("Who falls in some battles."),
        [CALL_AFTER_BATTLE] = TEXT("What else happens after a battle."),
        [CALL_AFTER_MOVE] = TEXT("What else happens after a move."),
        [CALL_TURN_START] = TEXT("What happens before a turn."),
        [CALL_ENDING] = TEXT("Whether the game has ended."),
    };
    const struct rules *rules = sheet->rules;
    if (rules->note[0]) {
        fputc('\n', sheet->out);
        columns_wrap(sheet->out, rules->note, 0, 0, sheet->columns);
    }
    if (!rules->calls) return;
    print_heading(sheet, TEXT("Decided by the variant's own functions"));
    for (int call = 0; call < CALL_COUNT; call++)
        if (rules->calls->declared >> call & 1) print_line(sheet, what[call]);
}

void rulesheet_combat(FILE *out, const struct language *language, const struct rules *rules) {
    const struct sheet sheet = {out, RULESHEET_COLUMNS, language, rules};
    print_combat(&sheet);
}

void rulesheet_print(FILE *out, int columns, const struct language *language,
                     const struct rules *rules) {
    const struct sheet page = {out, columns, language, rules}, *sheet = &page;
    const struct board *board = &rules->board;
    struct terminal terminal = terminal_of(sheet->out);
    struct picture picture;
    char size[32];
    fprintf(sheet->out, "%s (%s)\n", language_title(language, rules), rules->name);
    if (rules->edition[0]) {
        language_line(sheet->out, language, "In short: {1}",
                      language_text(language, rules->edition));
    }
    snprintf(size, sizeof size, "%d x %d", board->files, board->ranks);
    fputc('\n', sheet->out);
    if (rules->armies == ARMIES_GIVEN)
        language_line(sheet->out, language,
                      "Board {1}, with the armies at the start; ~~~~ are lakes", size);
    else if (board->zone_only[RED] || board->zone_only[BLUE] ||
             board->zone_ranks[RED] != board->zone_ranks[BLUE])
        language_line(sheet->out, language,
                      "Board {1}; r and b: squares for the set-ups of red and blue; ~~~~ are lakes",
                      size);
    else
        language_line(sheet->out, language,
                      "Board {1}; ranks for the set-ups of red (r) and blue (b): {2}; ~~~~ "
                      "are lakes",
                      size, NUMBER_TEXT(board->zone_ranks[RED]));
    picture_rules(&picture, rules);
    terminal_draw(&terminal, &picture, NULL, 0);
    char ground[SHEET_TEXT_MAX];
    sheet_board(language, rules, ground, sizeof ground);
    if (ground[0]) {
        fprintf(sheet->out, "\n  ");
        columns_wrap(sheet->out, ground, 2, 2, columns);
    }
    print_army(sheet);
    print_combat(sheet);
    print_knowledge(sheet);
    print_abilities(sheet);
    print_counters(sheet);
    print_heading(sheet, rules->first == FIRST_CHOSEN ? TEXT("Either side may begin.")
                         : rules->first == FIRST_RED  ? TEXT("Red begins.")
                                                      : TEXT("Blue begins."));
    print_repetition(sheet);
    print_endings(sheet);
    print_calls(sheet);
}
