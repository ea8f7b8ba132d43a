/* show.c - the command "show": the rule sheet of a variant. */
#include "cli.h"
#include "core/notation.h"
#include "options.h"
#include "sheet.h"
#include "terminal.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

enum { SHEET_COLUMNS = 96 };

static const char USAGE[] =
    "usage: ensign show VARIANT [--json]\n\n"
    "Prints the rule sheet of a variant: board, army, who beats whom, abilities, endings.\n";

/* Prints words, broken at `SHEET_COLUMNS`, later lines indented. */
static void print_wrapped(const char *text, int column, int indent) {
    while (*text) {
        size_t word = strcspn(text, " ");
        if (column + (int)word + 1 > SHEET_COLUMNS && column > indent) {
            column = printf("\n%*s", indent, "") - 1;
        } else if (column > indent) {
            column += printf(" ");
        }
        column += printf("%.*s", (int)word, text);
        text += word + strspn(text + word, " ");
    }
    putchar('\n');
}

static int columns_of(const char *text) {
    int columns = 0;
    for (; *text; text++) columns += (*text & 0xC0) != 0x80;
    return columns;
}

static void print_label(const char *label, int width) {
    int columns = columns_of(label);
    printf("%*s%s", width > columns ? width - columns : 0, "", label);
}

static void print_army(const struct rules *rules) {
    printf("\nArmy, %d pieces a side; the set-up %s\n", rules->army_size,
           rules->zone_filled ? "fills the zone" : "may stand anywhere in the zone");
    for (kind_id kind = rules->kinds; kind > KIND_NONE; kind--) {
        const struct kind *it = &rules->kind[kind];
        char movement[64];
        sheet_movement(rules, kind, movement, sizeof movement);
        printf("  %3d ", it->count);
        print_label(it->label, 4);
        printf("  %c  %-14s %s\n", it->letter, it->name, movement);
    }
}

static void print_combat(const struct rules *rules) {
    static const char marks[] = {[ATTACKER_WINS] = '+', [DEFENDER_WINS] = '-', [BOTH_FALL] = '='};
    printf("\nBattles: + the attacker wins, - it falls, = both fall\n  %-18s", "attacker/defender");
    for (kind_id other = rules->kinds; other > KIND_NONE; other--) {
        print_label(rules->kind[other].label, 3);
    }
    putchar('\n');
    for (kind_id kind = rules->kinds; kind > KIND_NONE; kind--) {
        if (!(rules->mobile & kindset_of(kind))) continue;
        printf("  %-15s", rules->kind[kind].name);
        print_label(rules->kind[kind].label, 3);
        for (kind_id other = rules->kinds; other > KIND_NONE; other--) {
            printf("  %c", marks[rules_outcome(rules, kind, other)]);
        }
        putchar('\n');
    }
}

static void print_abilities(const struct rules *rules) {
    if (rules->abilities) printf("\nAbilities\n");
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
            column += printf("%s%s", between, rules->kind[rules->ability[j].actor].name);
            between = ", ";
        }
        column += printf("):");
        sheet_ability(rules, ability, text, sizeof text);
        print_wrapped(text, column, 4);
    }
}

static void print_line(const char *text) {
    printf("  ");
    print_wrapped(text, 2, 2);
}

static void print_limits(const struct rules *rules) {
    char text[SHEET_TEXT_MAX];
    printf("\nRepetition\n");
    if (rules->two_squares) {
        snprintf(text, sizeof text,
                 "Two squares: a piece may not move to and fro between the same two squares more "
                 "than %d times running.",
                 rules->two_squares);
        print_line(text);
    }
    if (rules->chase == CHASE_ISF) {
        print_line("Chase (ISF): a side that threatens without pause may not come back to a "
                   "position that this chase has already seen, except by going straight back.");
    } else if (rules->chase == CHASE_RUSSIAN) {
        print_line("Chase (Russian): a piece that retreats each time may be chased for at most two "
                   "moves.");
    }
    if (!rules->two_squares && rules->chase == CHASE_NONE) print_line("Moves may be repeated.");
    printf("\nEndings\n");
    print_line("Whoever takes the flag wins. A side with nothing left that can move, or with no "
               "legal move, loses; when both armies lose their last mobile pieces together the "
               "game is drawn.");
    if (rules->draw_without) {
        int length = snprintf(text, sizeof text,
                              "Draw when the flags are walled in and neither "
                              "side has any left of:");
        for (kind_id kind = 1; kind <= rules->kinds; kind++) {
            if (!(rules->draw_without & kindset_of(kind))) continue;
            length += snprintf(text + length, sizeof text - (size_t)length, " %s",
                               rules->kind[kind].name);
        }
        print_line(text);
    }
    if (rules->limits.no_attack) {
        snprintf(text, sizeof text, "Draw after %u plies in a row without an attack.",
                 rules->limits.no_attack);
        print_line(text);
    }
    if (rules->limits.plies) {
        snprintf(text, sizeof text, "Draw after %u plies in all.", rules->limits.plies);
        print_line(text);
    }
}

static void print_knowledge(const struct rules *rules) {
    static const struct {
        const char *word, *line;
    } after[] = {
        {"reveal", "After a battle the winner stays revealed."},
        {"conceal", "After a battle the winner is face down again."},
        {"silent", "After a battle only what has fallen is shown, not the winner."},
        {"mixed", "What a battle shows of its winner depends on the pieces."},
    };
    for (size_t i = 0; i < sizeof after / sizeof *after; i++) {
        if (!strcmp(after[i].word, sheet_after_battle(rules))) printf("  %s\n", after[i].line);
    }
    if (rules->sight) puts("  An enemy that none of a side's pieces sees is not shown to it.");
}

static void print_sheet(const struct rules *rules) {
    const struct board *board = &rules->board;
    struct terminal terminal = terminal_of(stdout);
    struct picture picture;
    printf("%s (%s)\n", rules->title, rules->name);
    if (rules->edition[0]) printf("Plays like %s\n", rules->edition);
    printf("\nBoard %d x %d; %d ranks a side for the set-ups of red (r) and blue (b), ~~~~ are "
           "lakes\n",
           board->files, board->ranks, board->zone_ranks);
    picture_board(&picture, board);
    terminal_draw(&terminal, &picture, NULL, 0);
    print_army(rules);
    print_combat(rules);
    print_knowledge(rules);
    print_abilities(rules);
    printf("\n%s\n", rules->first == FIRST_CHOSEN ? "The side that begins is chosen."
                     : rules->first == FIRST_RED  ? "Red begins."
                                                  : "Blue begins.");
    print_limits(rules);
}

static json_t *pieces_json(const struct rules *rules) {
    json_t *list = json_array();
    for (kind_id kind = 1; kind <= rules->kinds; kind++) {
        const struct kind *it = &rules->kind[kind];
        char movement[64], letter[2] = {it->letter, 0};
        sheet_movement(rules, kind, movement, sizeof movement);
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
        sheet_ability(rules, ability, text, sizeof text);
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
        {NULL, 0, NULL, 0},
    };
    bool json = false;
    int letter, code;
    while ((letter = options_next(argc, argv, ":h", options)) != -1) {
        if (letter == 'h') {
            fputs(USAGE, stdout);
            return EXIT_DONE;
        }
        if (letter != 'j') return EXIT_USAGE;
        json = true;
    }
    if (optind >= argc) return cli_misuse("show", "which variant?");
    if (optind + 1 < argc) {
        return cli_misuse("show", "one variant is enough, \"%s\"?", argv[optind + 1]);
    }
    struct folders folders;
    if (!cli_folders(&folders)) return EXIT_HOST;
    struct rules *rules = cli_variant(&folders, argv[optind], &code);
    if (!rules) return code;
    if (json) {
        print_json(rules);
    } else {
        print_sheet(rules);
    }
    rules_free(rules);
    return EXIT_DONE;
}
