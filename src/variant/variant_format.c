/* variant_format.c - the rows, and what can be said about a key from its row. */
#include "variant_format.h"

#include "core/rules/rules.h"
#include "core/text/notation.h"
#include "lua/folders.h"

#include <stdio.h>
#include <string.h>

enum {
    NUMBER = VALUE_NUMBER,
    TEXT = VALUE_TEXT,
    BOOLEAN = VALUE_BOOLEAN,
    OFF = VALUE_OFF,
    TABLE = VALUE_TABLE,
    NAMES = VALUE_NAMES,
    WORDS = VALUE_WORDS,
    SQUARES = VALUE_SQUARES,
    FUNCTION = VALUE_FUNCTION,
    ENTRIES = VALUE_ENTRIES,
    NEEDED = VALUE_NEEDED,
    SIGHT_MAX = 2 * (BOARD_LINES_MAX - 1), /* all of the largest board */
    WORD_BYTES = 32,                       /* more than any of the words below */
    TEST_TEXT_MAX = 4096
};

/* clang-format off */
const struct variant_field VARIANT_FIELDS[] = {
    {"", "api", NUMBER | NEEDED, 1, 1, NULL, NULL, "The form of this file."},
    {"", "extends", TEXT, 0, FOLDER_PATH_MAX - 1, NULL, "the name of a variant",
     "The variant that this one builds on."},
    {"", "title", TEXT, 1, TITLE_MAX - 1, NULL, "a text of 1 to 95 bytes",
     "What people read; the file's name if there is none. Not inherited."},
    {"", "edition", TEXT, 0, TITLE_MAX - 1, NULL, "a text of at most 95 bytes",
     "The printed edition that it plays like. Not inherited."},
    {"", "note", TEXT, 0, NOTE_MAX - 1, NULL, "a text of at most 479 bytes",
     "What `ensign show` tells of rules that it cannot read from the tables."},
    {"", "names", TABLE, 0, 0, NULL,
     "a table from languages to titles, such as { es = \"Duelo\" }",
     "The title in other languages. Not inherited."},
    {"names", "*", TEXT, 1, TITLE_MAX - 1, NULL, "a text of 1 to 95 bytes",
     "The title in this language."},
    {"", "board", TABLE, 0, 0, NULL, "a table with files, ranks and lakes", "The board."},
    {"board", "files", NUMBER | NEEDED, 1, BOARD_LINES_MAX, NULL, NULL,
     "How many files; at most 128 squares in all."},
    {"board", "ranks", NUMBER | NEEDED, 2, BOARD_LINES_MAX, NULL, NULL,
     "How many ranks; at most 128 squares in all."},
    {"board", "lakes", SQUARES, 0, 0, NULL, NULL, "Squares on which nothing stands or passes."},
    {"", "zone", TABLE, 0, 0, NULL, "a table with ranks and filled", "Where set-ups go."},
    {"zone", "ranks", NUMBER | NEEDED, 1, BOARD_LINES_MAX / 2, NULL, NULL,
     "How many of its back ranks a side may use, at most half of the board."},
    {"zone", "filled", BOOLEAN, 0, 0, NULL, NULL, "Whether the army fills the zone."},
    {"", "army", TABLE | NEEDED, 0, 0, NULL, "a table of how many of each piece",
     "How many of each piece a side has."},
    {"army", "*", NUMBER, 0, BOARD_SQUARES_MAX, NULL, NULL,
     "How many of this piece a side has; 0 takes it out of the game."},
    {"", "pieces", TABLE | NEEDED, 0, 0, NULL, "a table of pieces by name",
     "What the pieces are."},
    {"", "combat", FUNCTION | OFF, 0, 0, NULL, "a function of attacker and defender",
     "Who falls in battles that no exception decides; else the lower rank, or both."},
    {"", "two_squares", NUMBER | OFF, TWO_SQUARES_MIN, TWO_SQUARES_MAX, NULL, NULL,
     "How often a piece may go to and fro between two squares."},
    {"", "chase", TEXT | OFF, 0, WORD_BYTES, "isf russian", NULL,
     "The rule against chasing without end."},
    {"", "after_battle", TEXT | FUNCTION, 0, WORD_BYTES, "reveal conceal silent",
     "a function of attacker, defender and outcome", "What is shown of the winner of a battle."},
    {"", "sight", NUMBER | FUNCTION | OFF, 0, SIGHT_MAX, NULL,
     "a function of board, side and square", "How far pieces see; enemies further off are hidden."},
    {"", "first", TEXT, 0, WORD_BYTES, "red blue chosen", NULL, "Who begins."},
    {"", "limits", TABLE, 0, 0, NULL, "a table with no_attack and plies", "When a game is drawn."},
    {"limits", "no_attack", NUMBER | OFF, 1, LIMIT_MAX, NULL, NULL,
     "Draw after so many plies in a row without an attack."},
    {"limits", "plies", NUMBER | OFF, 1, LIMIT_MAX, NULL, NULL, "Draw after so many plies in all."},
    {"", "calls", TABLE, 0, 0, NULL, "a table of functions",
     "What the variant is asked during play, since it depends on the position."},
    {"calls", "legal", FUNCTION | OFF, 0, 0, NULL, "a function of position and move",
     "Whether a move may be made that is legal otherwise."},
    {"calls", "battle", FUNCTION | OFF, 0, 0, NULL, "a function of position and move",
     "Who falls where combat says \"ask\"."},
    {"calls", "after_battle", FUNCTION | OFF, 0, 0, NULL, "a function of position and move",
     "Effects after an attack."},
    {"calls", "after_move", FUNCTION | OFF, 0, 0, NULL, "a function of position and move",
     "Effects after every turn of a side."},
    {"calls", "turn_start", FUNCTION | OFF, 0, 0, NULL, "a function of the position",
     "Effects before every turn but the first."},
    {"calls", "ending", FUNCTION | OFF, 0, 0, NULL, "a function of the position",
     "Whether the game has ended."},
    {"", "draw_without", NAMES | OFF, 0, 0, NULL, NULL,
     "Draw once neither side has any of these left and all flags are walled in."},

    {"pieces", "*", TABLE, 0, 0, NULL, "a table that describes the piece", "One piece."},
    {"pieces.*", "letter", TEXT, 1, 1, NULL, "one letter A-Z or digit as text, such as \"M\"",
     "Its letter in set-ups, positions and moves, that of no other piece."},
    {"pieces.*", "label", TEXT | NUMBER, 0, LABEL_MAX - 1, NULL,
     "a text of at most 7 bytes, such as \"10\"", "What people read on the piece; the letter."},
    {"pieces.*", "names", TABLE, 0, 0, NULL,
     "a table from languages to names, such as { es = \"Jinete\" }",
     "What it is called in each language."},
    {"pieces.*.names", "*", TEXT, 1, 63, NULL, "a text of 1 to 63 bytes",
     "Its name in this language."},
    {"pieces.*", "rank", NUMBER, -RANK_MAX, RANK_MAX, NULL, NULL, "Its strength."},
    {"pieces.*", "flag", BOOLEAN, 0, 0, NULL, NULL, "Whether the game ends when it falls."},
    {"pieces.*", "moves", TEXT | TABLE | FUNCTION, 0, WORD_BYTES, "none step run",
     "{ reach = n, turns = true } or a function", "How it moves."},
    {"pieces.*.moves", "reach", NUMBER, 1, PATH_MAX_SQUARES, NULL, NULL, "Up to so many squares."},
    {"pieces.*.moves", "turns", BOOLEAN, 0, 0, NULL, NULL, "Whether it may turn on the way."},
    {"pieces.*", "beats", NAMES | TEXT | OFF, 0, WORD_BYTES, "all", NULL,
     "As attacker it beats these whatever the ranks."},
    {"pieces.*", "loses_to", NAMES | TEXT | OFF, 0, WORD_BYTES, "all", NULL,
     "As defender it falls to these attackers."},
    {"pieces.*", "repels", NAMES | TEXT | OFF, 0, WORD_BYTES, "all", NULL,
     "As defender it beats these attackers and stays."},
    {"pieces.*", "sight", NUMBER | FUNCTION, 0, SIGHT_MAX, NULL,
     "a function of board, side and square", "How far this piece sees, where sight is limited."},
    {"pieces.*", "abilities", TABLE | OFF, 0, 0, NULL, "a table of abilities by name",
     "What it can do in place of a move or after one."},

    {"pieces.*.abilities", "*", TABLE | OFF, 0, 0, NULL, "a table that describes the ability",
     "One ability."},
    {"pieces.*.abilities.*", "when", TEXT | WORDS, 0, WORD_BYTES, "instead after_step after_attack",
     NULL, "In place of a move, after a step to an empty square, after an attack it survives."},
    {"pieces.*.abilities.*", "aims", TEXT | WORDS, 0, WORD_BYTES, "enemy own empty", NULL,
     "What may stand on the target."},
    {"pieces.*.abilities.*", "asks", TEXT | OFF, 0, WORD_BYTES, "kind captured", NULL,
     "What the player names: a piece of the army, or one that its side has lost."},
    {"pieces.*.abilities.*", "except", NAMES | OFF, 0, 0, NULL, NULL, "Pieces that cannot be named."},
    {"pieces.*.abilities.*", "limit", NUMBER | OFF, 1, UINT8_MAX, NULL, NULL,
     "How often a game a side may use it."},
    {"pieces.*.abilities.*", "attacks", BOOLEAN, 0, 0, NULL, NULL,
     "Whether it counts as an attack for the chase rules and the limit without attacks."},
    {"pieces.*.abilities.*", "targets", FUNCTION, 0, 0, NULL, "a function of board, side and square",
     "The squares that it reaches from there."},
    {"pieces.*.abilities.*", "resolve", FUNCTION, 0, 0, NULL,
     "a function of actor, target and choice", "What then happens: a table of effects."},

    {"", "tests", ENTRIES, 0, 0, NULL, "a list of tests",
     "What must happen in a position, tried by `ensign check`. Not inherited."},
    {"tests.*", "title", TEXT | NEEDED, 1, TEST_TEXT_MAX, NULL, "a text", "What the test shows."},
    {"tests.*", "position", TEXT | TABLE, 1, TEST_TEXT_MAX, NULL,
     "a table such as { a4 = \"rM\" } or a position as text",
     "Where it begins; nothing has moved or been shown. Or give `red` and `blue`."},
    {"tests.*.position", "*", TEXT, 2, 2, NULL, "\"r\" or \"b\" and the letter of a piece",
     "What stands on this square."},
    {"tests.*", "red", TEXT, 1, TEST_TEXT_MAX, NULL, "a set-up", "Red's set-up."},
    {"tests.*", "blue", TEXT, 1, TEST_TEXT_MAX, NULL, "a set-up", "Blue's set-up."},
    {"tests.*", "first", TEXT, 0, WORD_BYTES, "red blue", NULL,
     "Who begins, if a text does not say it; red unless the variant says otherwise."},
    {"tests.*", "moves", TEXT, 0, TEST_TEXT_MAX, NULL, "moves with blanks between them",
     "Played first, by both sides in turn."},
    {"tests.*", "move", TEXT, 1, MOVE_TEXT_MAX - 1, NULL, "a move such as \"a4xa5\"",
     "The move that is tried."},
    {"tests.*", "illegal", TEXT, 0, WORD_BYTES, NULL,
     "the rule that refuses the move, such as \"two-squares\"",
     "The rule that refuses the move; without it the move must be legal."},
    {"tests.*", "after", TEXT | TABLE, 1, TEST_TEXT_MAX, NULL,
     "a table such as { a5 = \"rM\", a4 = false } or a position as text",
     "What stands afterwards; a table says it of the squares that it names."},
    {"tests.*.after", "*", TEXT | OFF, 2, 2, NULL, "\"r\" or \"b\" and the letter of a piece",
     "What stands on this square, or that it is empty."},
    {"tests.*", "falls", TEXT, 0, TEST_TEXT_MAX, NULL,
     "pieces such as \"rM b3\", or nothing: \"\"", "All that falls in the move."},
    {"tests.*", "known", TEXT, 0, TEST_TEXT_MAX, NULL,
     "squares such as \"a5 c7\", or nothing: \"\"",
     "Where all the pieces stand whose kind the enemy knows afterwards."},
    {"tests.*", "seen", TEXT, 0, TEST_TEXT_MAX, NULL,
     "squares such as \"a5 c7\", or nothing: \"\"",
     "Where all the pieces stand that the enemy sees afterwards."},
    {"tests.*", "result", TEXT, 0, WORD_BYTES, "red blue draw none", NULL,
     "How the game has ended with it; \"none\" if it goes on."},
    {"tests.*", "reason", TEXT, 0, WORD_BYTES, NULL, "a reason such as \"flag\"",
     "Why it has ended."},
    {NULL, NULL, 0, 0, 0, NULL, NULL, NULL},
};
/* clang-format on */

const struct variant_field *variant_field_find(const char *table, const char *key) {
    for (const struct variant_field *field = VARIANT_FIELDS; field->table; field++)
        if (strcmp(field->table, table) == 0 &&
            (strcmp(field->key, key) == 0 || strcmp(field->key, "*") == 0))
            return field;
    return NULL;
}

const struct variant_field *variant_field_of(const char *key) {
    const struct variant_field *field = NULL;
    char table[FAULT_KEY_MAX] = "";
    size_t used = 0;
    while (*key) {
        char name[FAULT_KEY_MAX];
        size_t part = strcspn(key, ".");
        snprintf(name, sizeof name, "%.*s", (int)part, key);
        char *index = strchr(name, '[');
        if (index) *index = 0;
        field = variant_field_find(table, name);
        if (!field) return NULL;
        if (used < sizeof table)
            used += (size_t)snprintf(table + used, sizeof table - used, "%s%s%s", used ? "." : "",
                                     field->key, index ? ".*" : "");
        key += part + (key[part] == '.');
    }
    return field;
}

/* Alternatives on their way to "a, b or c". */
struct choices {
    int count;
    char text[8][FAULT_VALUE_MAX];
};

__attribute__((format(printf, 2, 3))) static void offer(struct choices *choices, const char *format,
                                                        ...) {
    va_list args;
    va_start(args, format);
    vsnprintf(choices->text[choices->count++], sizeof choices->text[0], format, args);
    va_end(args);
}

const char *variant_field_expected(const struct variant_field *field,
                                   char out[FAULT_EXPECTED_MAX]) {
    struct choices choices = {.count = 0};
    unsigned types = field->types;
    if ((types & NUMBER) && !(types & TEXT)) {
        if (field->low == field->high)
            offer(&choices, "%d", field->low);
        else
            offer(&choices, "a whole number from %d to %d", field->low, field->high);
    }
    if (types & NAMES) offer(&choices, "a list of pieces");
    if (types & SQUARES) offer(&choices, "a list of squares such as \"c5\"");
    for (const char *word = field->words; word && *word;) {
        size_t length = strcspn(word, " ");
        offer(&choices, "\"%.*s\"", (int)length, word);
        word += length + (word[length] == ' ');
    }
    if (types & WORDS) offer(&choices, "a list of them");
    if (field->form) offer(&choices, "%s", field->form);
    if (types & BOOLEAN) offer(&choices, "true");
    if (types & (BOOLEAN | OFF)) offer(&choices, "false");
    size_t used = 0;
    for (int i = 0; i < choices.count; i++) {
        const char *between = i == 0 ? "" : i + 1 < choices.count ? ", " : " or ";
        used += (size_t)snprintf(out + used, FAULT_EXPECTED_MAX - used, "%s%s", between,
                                 choices.text[i]);
        if (used >= FAULT_EXPECTED_MAX) break;
    }
    return out;
}

const char *variant_page(const char *key) {
    if (strncmp(key, "tests", 5) == 0) return "variants/README.md#tests";
    if (strncmp(key, "calls", 5) == 0) return "variants/README.md#calls";
    if (strncmp(key, "pieces.", 7) != 0) return "variants/README.md#reference";
    const char *inside = strchr(key + 7, '.');
    if (inside && strncmp(inside, ".abilities.", 11) == 0) return "variants/README.md#abilities";
    return "variants/README.md#pieces";
}
