/* show.c - the command "show": the rule sheet of a variant. */
#include "cli.h"
#include "columns.h"
#include "core/notation.h"
#include "options.h"
#include "sheet.h"
#include "terminal.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

enum { SHEET_COLUMNS = 96 };

static const char USAGE[] =
    "usage: ensign show VARIANT [OPTIONS]\n\n"
    "Prints the rule sheet of a variant: board, army, who beats whom, abilities, endings.\n\n"
    "  --json           one JSON document\n" LANG_USAGE;

/* Everything that one sheet is printed with. */
struct sheet {
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
    putchar('\n');
    language_line(stdout, sheet->language, english);
}

static void print_army(const struct sheet *sheet) {
    const struct rules *rules = sheet->rules;
    int width = names_width(sheet);
    putchar('\n');
    language_line(stdout, sheet->language,
                  rules->zone_filled
                      ? TEXT("Army, pieces a side: {1}; the set-up fills the zone")
                      : TEXT("Army, pieces a side: {1}; the set-up may stand anywhere in the zone"),
                  NUMBER_TEXT(rules->army_size));
    for (kind_id kind = rules->kinds; kind > KIND_NONE; kind--) {
        const struct kind *it = &rules->kind[kind];
        char movement[256];
        sheet_movement(sheet->language, rules, kind, movement, sizeof movement);
        printf("  %3d ", it->count);
        columns_print(stdout, it->label, -4);
        printf("  %c  ", it->letter);
        columns_print(stdout, kind_of(sheet, kind), width);
        printf("  %s\n", movement);
    }
}

static void print_combat(const struct sheet *sheet) {
    static const char marks[] = {[ATTACKER_WINS] = '+', [DEFENDER_WINS] = '-', [BOTH_FALL] = '='};
    const struct rules *rules = sheet->rules;
    const char *corner = language_text(sheet->language, TEXT("attacker/defender"));
    int width = names_width(sheet), least = columns_of(corner, SIZE_MAX) - 3;
    if (width < least) width = least;
    print_heading(sheet, TEXT("Battles: + the attacker wins, - it falls, = both fall"));
    printf("  ");
    columns_print(stdout, corner, width + 3);
    for (kind_id other = rules->kinds; other > KIND_NONE; other--) {
        columns_print(stdout, rules->kind[other].label, -3);
    }
    putchar('\n');
    for (kind_id kind = rules->kinds; kind > KIND_NONE; kind--) {
        if (!(rules->mobile & kindset_of(kind))) continue;
        printf("  ");
        columns_print(stdout, kind_of(sheet, kind), width);
        columns_print(stdout, rules->kind[kind].label, -3);
        for (kind_id other = rules->kinds; other > KIND_NONE; other--) {
            printf("  %c", marks[rules_outcome(rules, kind, other)]);
        }
        putchar('\n');
    }
}

static void print_abilities(const struct sheet *sheet) {
    const struct rules *rules = sheet->rules;
    if (rules->abilities) print_heading(sheet, TEXT("Abilities"));
    for (int i = 0; i < rules->abilities; i++) {
        const struct ability *ability = &rules->ability[i];
        char text[SHEET_TEXT_MAX];
        bool told = false;
        for (int j = 0; j < i; j++) told |= sheet_same_ability(&rules->ability[j], ability);
        if (told) continue;
        int column = printf("  %s (", ability->name);
        const char *between = "";
        for (int j = i; j < rules->abilities; j++) {
            if (!sheet_same_ability(&rules->ability[j], ability)) continue;
            column += printf("%s", between);
            column += columns_print(stdout, kind_of(sheet, rules->ability[j].actor), 0);
            between = ", ";
        }
        column += printf("):");
        sheet_ability(sheet->language, rules, ability, text, sizeof text);
        columns_wrap(stdout, text, column, 4, SHEET_COLUMNS);
    }
}

/* A sentence in lines of its own: an English text and what it is filled in with. */
#define print_line(sheet, ...)                                                                     \
    print_list((sheet)->language, (const char *const[]){__VA_ARGS__, NULL})

static void print_list(const struct language *language, const char *const *texts) {
    char out[SHEET_TEXT_MAX];
    language_fill_list(out, sizeof out, language, texts);
    printf("  ");
    columns_wrap(stdout, out, 2, 2, SHEET_COLUMNS);
}

static void print_repetition(const struct sheet *sheet) {
    const struct rules *rules = sheet->rules;
    print_heading(sheet, TEXT("Repetition"));
    if (rules->two_squares) {
        print_line(
            sheet,
            TEXT(
                "Two squares: a piece may not move to and fro between the same two squares more than {1} times running."),
            NUMBER_TEXT(rules->two_squares));
    }
    if (rules->chase == CHASE_ISF) {
        print_line(sheet,
                   TEXT("Chase (ISF): a side that threatens without pause may not come back to a "
                        "position that this chase has already seen, except by going straight "
                        "back."));
    } else if (rules->chase == CHASE_RUSSIAN) {
        print_line(sheet, TEXT("Chase (Russian): a piece that retreats each time may be chased for "
                               "at most two moves."));
    }
    if (!rules->two_squares && rules->chase == CHASE_NONE) {
        print_line(sheet, TEXT("Moves may be repeated."));
    }
}

static void print_endings(const struct sheet *sheet) {
    const struct rules *rules = sheet->rules;
    print_heading(sheet, TEXT("Endings"));
    print_line(sheet, TEXT("Whoever takes the flag wins. A side with nothing left that can move, "
                           "or with no legal move, loses; when both armies lose their last mobile "
                           "pieces together the game is drawn."));
    if (rules->draw_without) {
        char list[KINDS_MAX * (LANGUAGE_NAME_MAX + 2)] = "";
        size_t length = 0;
        for (kind_id kind = 1; kind <= rules->kinds; kind++) {
            if (!(rules->draw_without & kindset_of(kind))) continue;
            length += (size_t)snprintf(list + length, sizeof list - length, "%s%s",
                                       length ? ", " : "", kind_of(sheet, kind));
        }
        print_line(sheet,
                   TEXT("Draw when the flags are walled in and neither side has any left of: {1}."),
                   list);
    }
    if (rules->limits.no_attack) {
        print_line(sheet, TEXT("Draw after {1} plies in a row without an attack."),
                   NUMBER_TEXT(rules->limits.no_attack));
    }
    if (rules->limits.plies) {
        print_line(sheet, TEXT("Draw after {1} plies in all."), NUMBER_TEXT(rules->limits.plies));
    }
}

static void print_knowledge(const struct sheet *sheet) {
    static const struct {
        const char *word, *line;
    } after[] = {
        {"reveal", TEXT("After a battle the winner stays revealed.")},
        {"conceal", TEXT("After a battle the winner is face down again.")},
        {"silent", TEXT("After a battle only what has fallen is shown, not the winner.")},
        {"mixed", TEXT("What a battle shows of its winner depends on the pieces.")},
    };
    const char *word = sheet_after_battle(sheet->rules);
    for (size_t i = 0; i < sizeof after / sizeof *after; i++) {
        if (!strcmp(after[i].word, word)) print_line(sheet, after[i].line);
    }
    if (sheet->rules->sight) {
        print_line(sheet, TEXT("An enemy that none of a side's pieces sees is not shown to it."));
    }
}

static void print_sheet(const struct sheet *sheet) {
    const struct rules *rules = sheet->rules;
    const struct language *language = sheet->language;
    const struct board *board = &rules->board;
    struct terminal terminal = terminal_of(stdout);
    struct picture picture;
    char size[32];
    printf("%s (%s)\n", language_title(language, rules), rules->name);
    if (rules->edition[0]) {
        language_line(stdout, language, "Plays like {1}", language_text(language, rules->edition));
    }
    snprintf(size, sizeof size, "%d x %d", board->files, board->ranks);
    putchar('\n');
    language_line(stdout, language,
                  "Board {1}; ranks for the set-ups of red (r) and blue (b): {2}; ~~~~ are lakes",
                  size, NUMBER_TEXT(board->zone_ranks));
    picture_board(&picture, board);
    terminal_draw(&terminal, &picture, NULL, 0);
    print_army(sheet);
    print_combat(sheet);
    print_knowledge(sheet);
    print_abilities(sheet);
    print_heading(sheet, rules->first == FIRST_CHOSEN ? TEXT("The side that begins is chosen.")
                         : rules->first == FIRST_RED  ? TEXT("Red begins.")
                                                      : TEXT("Blue begins."));
    print_repetition(sheet);
    print_endings(sheet);
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
        static const char *const words[] = {"attacker", "defender", "both"};
        for (kind_id other = 1; other <= rules->kinds; other++) {
            if (!(rules->mobile & kindset_of(kind))) break;
            json_object_set_new(outcomes, rules->kind[other].name,
                                json_string(words[rules_outcome(rules, kind, other)]));
        }
        json_array_append_new(
            list, json_pack("{s:s, s:s, s:s, s:i, s:i, s:b, s:s, s:o, s:o}", "name", it->name,
                            "label", it->label, "letter", letter, "rank", (int)it->rank, "count",
                            (int)it->count, "flag", (int)it->flag, "movement", movement,
                            "abilities", abilities, "attacks", outcomes));
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
    json_t *lakes = json_array();
    for (squareset rest = board->lakes; rest;) {
        char at[SQUARE_TEXT_MAX];
        square_write(board, squareset_pop(&rest), at);
        json_array_append_new(lakes, json_string(at));
    }
    return json_pack("{s:i, s:i, s:o, s:i, s:b}", "files", (int)board->files, "ranks",
                     (int)board->ranks, "lakes", lakes, "zone_ranks", (int)board->zone_ranks,
                     "zone_filled", (int)rules->zone_filled);
}

static void print_json(const struct rules *rules) {
    json_t *without = json_array();
    for (kind_id kind = 1; kind <= rules->kinds; kind++) {
        if (!(rules->draw_without & kindset_of(kind))) continue;
        json_array_append_new(without, json_string(rules->kind[kind].name));
    }
    json_t *sheet = json_pack(
        "{s:s, s:s, s:s, s:o, s:o, s:o, s:i, s:s, s:s, s:s, s:o, s:{s:i, s:i}}", "name",
        rules->name, "title", rules->title, "edition", rules->edition, "board", board_json(rules),
        "pieces", pieces_json(rules), "abilities", abilities_json(rules), "two_squares",
        (int)rules->two_squares, "chase", sheet_chase(rules), "first", sheet_first(rules),
        "after_battle", sheet_after_battle(rules), "draw_without", without, "limits", "no_attack",
        (int)rules->limits.no_attack, "plies", (int)rules->limits.plies);
    json_dumpf(sheet, stdout, JSON_INDENT(1));
    putchar('\n');
    json_decref(sheet);
}

int command_show(int argc, char **argv) {
    static const struct option options[] = {
        {"json", no_argument, NULL, 'j'},
        {"help", no_argument, NULL, 'h'},
        LANG_OPTION,
        {NULL, 0, NULL, 0},
    };
    const char *lang = NULL;
    struct language *language;
    bool json = false;
    int letter, code;
    while ((letter = options_next(argc, argv, ":h", options)) != -1) {
        if (letter == 'h') {
            fputs(USAGE, stdout);
            return EXIT_DONE;
        }
        if (letter == OPTION_WRONG) return EXIT_USAGE;
        if (letter == OPTION_LANG) lang = optarg;
        json = json || letter == 'j';
    }
    if (optind >= argc) return cli_misuse("show", "which variant?");
    if (optind + 1 < argc) {
        return cli_misuse("show", "one variant is enough, \"%s\"?", argv[optind + 1]);
    }
    struct folders folders;
    if (!cli_folders(&folders)) return EXIT_HOST;
    if (!cli_language(&folders, lang, &language, &code)) return code;
    struct rules *rules = cli_variant(&folders, argv[optind], &code);
    if (!rules) {
        language_free(language);
        return code;
    }
    if (json) {
        print_json(rules);
    } else {
        print_sheet(&(struct sheet){language, rules});
    }
    rules_free(rules);
    language_free(language);
    return EXIT_DONE;
}
