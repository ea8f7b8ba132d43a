/* variant_format.c - the rows, and texts made from them. */
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
    NUMBERS = VALUE_NUMBERS,
    PAIRS = VALUE_PAIRS,
    UNION = VALUE_UNION,
    FUNCTION = VALUE_FUNCTION,
    ENTRIES = VALUE_ENTRIES,
    NEEDED = VALUE_NEEDED,
    SIGHT_MAX = 2 * (BOARD_LINES_MAX - 1), /* steps across the largest board */
    WORD_BYTES = 32,                       /* more than the longest word below */
    TEST_TEXT_MAX = 4096
};

/* clang-format off */
const struct variant_field VARIANT_FIELDS[] = {
    {"", "api", NUMBER | NEEDED, 1, 1, NULL, NULL, "The version of the file format."},
    {"", "extends", TEXT, 0, FOLDER_PATH_MAX - 1, NULL, "the name of a variant",
     "The variant that this one extends."},
    {"", "title", TEXT, 1, TITLE_MAX - 1, NULL, "a text of 1 to 95 bytes",
     "The name that is shown; by default the file's name. Not inherited."},
    {"", "edition", TEXT, 0, TITLE_MAX - 1, NULL, "a text of at most 95 bytes",
     "What sets the game apart, in a few words for players. Not inherited."},
    {"", "note", TEXT, 0, NOTE_MAX - 1, NULL, "a text of at most 479 bytes",
     "Rules for `ensign show` to print that are not in the tables."},
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
    {"board", "lakes", SQUARES, 0, 0, NULL, NULL,
     "Squares that pieces can neither enter nor cross."},
    {"board", "ground", TABLE | OFF, 0, 0, NULL, "a table from names to lists of squares",
     "Named squares, which moves, shelter, battles and functions refer to."},
    {"board.ground", "*", SQUARES | TABLE | OFF, 0, 0, NULL, "a table with red and blue",
     "The squares of this ground."},
    {"board.ground.*", "red", SQUARES, 0, 0, NULL, NULL, "Those that are red's."},
    {"board.ground.*", "blue", SQUARES, 0, 0, NULL, NULL, "Those that are blue's."},
    {"board", "links", PAIRS | OFF, 0, 0, NULL, NULL,
     "Pairs of squares that are joined though they are not neighbours."},
    {"board", "walls", PAIRS | OFF, 0, 0, NULL, NULL,
     "Pairs of neighbours that are not joined."},
    {"board", "shelter", TEXT | NAMES | OFF, 1, WORD_MAX - 1, NULL, "the name of a ground",
     "Grounds on which a piece cannot be attacked."},
    {"board", "leaves", TEXT | NAMES | OFF, 1, WORD_MAX - 1, NULL, "the name of a ground",
     "Grounds that no piece leaves by a move."},
    {"", "zone", TABLE, 0, 0, NULL, "a table with ranks and filled", "Where set-ups are placed."},
    {"zone", "ranks", NUMBER, 1, BOARD_LINES_MAX / 2, NULL, NULL,
     "The number of back ranks in a side's zone, at most half of the board."},
    {"zone", "squares", SQUARES | OFF, 0, 0, NULL, NULL,
     "The squares of red's zone, in place of ranks; blue's are the same, turned."},
    {"zone", "red", TABLE | OFF, 0, 0, NULL, "a table with ranks or squares",
     "Red's zone, if it differs."},
    {"zone", "blue", TABLE | OFF, 0, 0, NULL, "a table with ranks or squares",
     "Blue's zone, if it differs."},
    {"zone.red", "ranks", NUMBER, 1, BOARD_LINES_MAX - 1, NULL, NULL,
     "The number of red's back ranks in its zone."},
    {"zone.red", "squares", SQUARES, 0, 0, NULL, NULL, "The squares of red's zone."},
    {"zone.blue", "ranks", NUMBER, 1, BOARD_LINES_MAX - 1, NULL, NULL,
     "The number of blue's back ranks in its zone."},
    {"zone.blue", "squares", SQUARES, 0, 0, NULL, NULL, "The squares of blue's zone."},
    {"zone", "filled", BOOLEAN, 0, 0, NULL, NULL, "Whether the army fills the zone."},
    {"", "army", TABLE | NEEDED, 0, 0, NULL, "a table from pieces to counts",
     "The number of each piece in a side's army."},
    {"army", "red", TABLE | OFF, 0, 0, NULL, "a table from pieces to counts",
     "The numbers of red's pieces that differ from those of both sides."},
    {"army", "blue", TABLE | OFF, 0, 0, NULL, "a table from pieces to counts",
     "The numbers of blue's pieces that differ from those of both sides."},
    {"army.red", "*", NUMBER, 0, BOARD_SQUARES_MAX, NULL, NULL,
     "The number of this piece in red's army."},
    {"army.blue", "*", NUMBER, 0, BOARD_SQUARES_MAX, NULL, NULL,
     "The number of this piece in blue's army."},
    {"army", "*", NUMBER, 0, BOARD_SQUARES_MAX, NULL, NULL,
     "The number of this piece in a side's army; 0 removes it from the game."},
    {"", "setup", TEXT | TABLE | OFF, 1, TEST_TEXT_MAX, NULL,
     "a set-up, \"chance\", or a table with red and blue",
     "The one way in which the army stands at the start, or by chance; nothing is placed."},
    {"setup", "red", TEXT, 1, TEST_TEXT_MAX, NULL, "a set-up", "How red's stands."},
    {"setup", "blue", TEXT, 1, TEST_TEXT_MAX, NULL, "a set-up", "How blue's stands."},
    {"", "pieces", TABLE | NEEDED, 0, 0, NULL, "a table of pieces by name",
     "The pieces, by name."},
    {"", "combat", FUNCTION | OFF, 0, 0, NULL, "a function of attacker and defender",
     "Decides battles without an exception; by default the lower rank falls, equals both."},
    {"", "two_squares", NUMBER | OFF, TWO_SQUARES_MIN, TWO_SQUARES_MAX, NULL, NULL,
     "How often in a row a piece may move between the same two squares."},
    {"", "chase", TEXT | OFF, 0, WORD_BYTES, "isf russian", NULL,
     "The rule against endless chases."},
    {"", "after_battle", TEXT | FUNCTION, 0, WORD_BYTES, "reveal conceal silent",
     "a function of attacker, defender and outcome", "Whether the winner of a battle is shown."},
    {"", "fallen", TEXT, 0, WORD_BYTES, "shown hidden", NULL,
     "Whether the enemy is told what has fallen, or only that a piece has."},
    {"", "open", BOOLEAN, 0, 0, NULL, NULL, "Whether both sides know all pieces from the start."},
    {"", "fall_of", TABLE | OFF, 0, 0, NULL,
     "a table such as { marshal = { reveal = \"flag\" } }",
     "What the fall of a piece shows of its side."},
    {"fall_of", "*", TABLE | OFF, 0, 0, NULL, "a table such as { reveal = \"flag\" }",
     "What the fall of this piece shows."},
    {"fall_of.*", "reveal", TEXT | NAMES | NEEDED, 1, WORD_BYTES, NULL, "the name of a piece",
     "The pieces of its side that the enemy then knows."},
    {"", "sight", NUMBER | FUNCTION | OFF, 0, SIGHT_MAX, NULL,
     "a function of board, side and square",
     "How far pieces see; enemies farther away are hidden."},
    {"", "first", TEXT, 0, WORD_BYTES, "red blue chosen", NULL, "Who begins."},
    {"", "limits", TABLE, 0, 0, NULL, "a table with no_attack and plies", "When a game is drawn."},
    {"limits", "no_attack", NUMBER | OFF, 1, LIMIT_MAX, NULL, NULL,
     "Draw after this many plies in a row without an attack."},
    {"limits", "plies", NUMBER | OFF, 1, LIMIT_MAX, NULL, NULL,
     "Draw after this many plies in all."},
    {"", "repetition", NUMBER | OFF, REPETITION_MIN, REPETITION_MAX, NULL, NULL,
     "Draw when a position stands for this many times."},
    {"", "counters", TABLE | OFF, 0, 0, NULL, "a table of counters by name",
     "Whole numbers that a game keeps; both sides see them."},
    {"counters", "*", TABLE | OFF, 0, 0, NULL, "a table such as { each = true, to = 3 }",
     "One counter."},
    {"counters.*", "each", BOOLEAN, 0, 0, NULL, NULL, "Whether each side has its own."},
    {"counters.*", "from", NUMBER, -COUNTER_MAX, COUNTER_MAX, NULL, NULL, "Its least value."},
    {"counters.*", "to", NUMBER | NEEDED, -COUNTER_MAX, COUNTER_MAX, NULL, NULL,
     "Its greatest value."},
    {"counters.*", "start", NUMBER, -COUNTER_MAX, COUNTER_MAX, NULL, NULL,
     "Its value at the start of a game; by default the least."},
    {"counters.*", "title", TEXT, 1, 63, NULL, "a text of 1 to 63 bytes",
     "Its name for people; by default from its key."},
    {"counters.*", "names", TABLE, 0, 0, NULL,
     "a table from languages to names, such as { es = \"Puntos\" }", "Its name in other languages."},
    {"counters.*.names", "*", TEXT, 1, 63, NULL, "a text of 1 to 63 bytes",
     "Its name in this language."},
    {"", "goal", ENTRIES | OFF, 0, 0, NULL, "a list of goals",
     "What ends the game besides the fall of a flag."},
    {"goal.*", "piece", TEXT | NAMES, 1, WORD_BYTES, NULL, "the name of a piece",
     "The piece, or one of these, that must stand there; by default any that can move."},
    {"goal.*", "at", TEXT | TABLE | SQUARES, 1, WORD_BYTES, "far_rank",
     "a table such as { red = { \"d9\" }, blue = { \"d1\" } }",
     "Where; a list names red's squares and is turned round for blue."},
    {"goal.*.at", "red", SQUARES | OFF, 0, 0, NULL, NULL,
     "Where pieces of red must stand; without it red has no such goal."},
    {"goal.*.at", "blue", SQUARES | OFF, 0, 0, NULL, NULL,
     "Where pieces of blue must stand; without it blue has no such goal."},
    {"goal.*", "after", NUMBER, 0, MARK_MAX, NULL, NULL,
     "How many turns of its side must begin while it stands there; 0: at once."},
    {"goal.*", "counter", TEXT, 1, WORD_BYTES, NULL, "the name of a counter",
     "In place of a piece: the counter that must come so far."},
    {"goal.*", "reaches", NUMBER, -COUNTER_MAX, COUNTER_MAX, NULL, NULL,
     "The value of the counter, upwards or downwards from its start."},
    {"goal.*", "result", TEXT, 0, WORD_BYTES, "win lose draw red blue", NULL,
     "What the side gets that reaches it; red, blue or draw if both share the counter."},
    {"", "calls", TABLE, 0, 0, NULL, "a table of functions",
     "Functions called during play, for rules that depend on the position."},
    {"calls", "legal", FUNCTION | OFF, 0, 0, NULL, "a function of position and move",
     "Whether an otherwise legal move is allowed."},
    {"calls", "battle", FUNCTION | OFF, 0, 0, NULL, "a function of position and move",
     "Who falls in battles for which combat returns \"ask\"."},
    {"calls", "after_battle", FUNCTION | OFF, 0, 0, NULL, "a function of position and move",
     "Effects after an attack."},
    {"calls", "after_move", FUNCTION | OFF, 0, 0, NULL, "a function of position and move",
     "Effects after every turn of a side."},
    {"calls", "turn_start", FUNCTION | OFF, 0, 0, NULL, "a function of the position",
     "Effects before every turn but the first."},
    {"calls", "ending", FUNCTION | OFF, 0, 0, NULL, "a function of the position",
     "Whether the game has ended."},
    {"", "draw_without", NAMES | OFF, 0, 0, NULL, NULL,
     "Draw when neither side has any of these pieces and all flags are walled in."},

    {"pieces", "*", TABLE, 0, 0, NULL, "a table that describes the piece", "One piece."},
    {"pieces.*", "letter", TEXT, 1, 1, NULL, "one letter A-Z or digit as text, such as \"M\"",
     "Its letter in set-ups, positions and moves; no two pieces share one."},
    {"pieces.*", "label", TEXT | NUMBER, 0, LABEL_MAX - 1, NULL,
     "a text of at most 7 bytes, such as \"10\"", "The text on the piece; by default its letter."},
    {"pieces.*", "names", TABLE, 0, 0, NULL,
     "a table from languages to names, such as { es = \"Jinete\" }",
     "Its name in each language."},
    {"pieces.*.names", "*", TEXT, 1, 63, NULL, "a text of 1 to 63 bytes",
     "Its name in this language."},
    {"pieces.*", "rank", NUMBER, -RANK_MAX, RANK_MAX, NULL, NULL, "Its strength."},
    {"pieces.*", "flag", BOOLEAN, 0, 0, NULL, NULL, "Whether the game ends when it falls."},
    {"pieces.*", "start", TABLE | OFF, 0, 0, NULL, "a table with ranks, not_ranks or squares",
     "Where in the zone it may stand at the start."},
    {"pieces.*.start", "ranks", NUMBERS, 1, BOARD_LINES_MAX, NULL, NULL,
     "Only on these ranks, counted from its owner's back rank."},
    {"pieces.*.start", "not_ranks", NUMBERS, 1, BOARD_LINES_MAX, NULL, NULL,
     "Not on these ranks, counted from its owner's back rank."},
    {"pieces.*.start", "squares", SQUARES, 0, 0, NULL, NULL,
     "Only on these squares: red's, which are turned for blue."},
    {"pieces.*.start", "red", SQUARES, 0, 0, NULL, NULL, "Red's only on these squares."},
    {"pieces.*.start", "blue", SQUARES, 0, 0, NULL, NULL, "Blue's only on these squares."},
    {"pieces.*", "moves", TEXT | TABLE | FUNCTION | UNION, 0, WORD_BYTES, "none step run",
     "a table such as { reach = 2 }, a function or a list of these",
     "How it moves."},
    {"pieces.*.moves", "reach", NUMBER, 1, PATH_MAX_SQUARES, NULL, NULL,
     "The longest move, in squares."},
    {"pieces.*.moves", "turns", BOOLEAN, 0, 0, NULL, NULL, "Whether it may turn during a move."},
    {"pieces.*.moves", "slide", TEXT, 1, WORD_MAX - 1, NULL, "the name of a ground",
     "A line of any length along joined squares of this ground."},
    {"pieces.*.moves", "flood", TEXT, 1, WORD_MAX - 1, NULL, "the name of a ground",
     "Any way along joined squares of this ground, round corners too."},
    {"pieces.*.moves", "only", TEXT, 0, WORD_BYTES, "attack move", NULL,
     "What alone may be done by these ways; by default both."},
    {"pieces.*.moves", "last", TEXT, 0, WORD_BYTES, "attack move", NULL,
     "What alone may be done on the last square of the longest of them."},
    {"pieces.*.moves", "stops", BOOLEAN, 0, 0, NULL, NULL,
     "Whether it may end or attack on the squares before the last."},
    {"pieces.*", "beats", NAMES | TEXT | OFF, 0, WORD_BYTES, "all", NULL,
     "As attacker it beats these, whatever the ranks."},
    {"pieces.*", "kills", NAMES | TEXT | OFF, 0, WORD_BYTES, "all", NULL,
     "As attacker it falls together with these."},
    {"pieces.*", "advances", BOOLEAN, 0, 0, NULL, NULL,
     "Whether it goes to the attacked square when it wins."},
    {"pieces.*", "loses_to", NAMES | TEXT | OFF, 0, WORD_BYTES, "all", NULL,
     "As defender it falls to these attackers."},
    {"pieces.*", "repels", NAMES | TEXT | OFF, 0, WORD_BYTES, "all", NULL,
     "As defender it beats these attackers and stays."},
    {"pieces.*", "sight", NUMBER | FUNCTION, 0, SIGHT_MAX, NULL,
     "a function of board, side and square",
     "How far this piece sees, if the variant limits sight."},
    {"pieces.*", "abilities", TABLE | OFF, 0, 0, NULL, "a table of abilities by name",
     "Actions in place of a move or after one."},

    {"pieces.*.abilities", "*", TABLE | OFF, 0, 0, NULL, "a table that describes the ability",
     "One ability."},
    {"pieces.*.abilities.*", "when", TEXT | WORDS, 0, WORD_BYTES, "instead after_step after_attack",
     NULL, "In place of a move, after a step to an empty square, or after an attack it survives."},
    {"pieces.*.abilities.*", "aims", TEXT | WORDS, 0, WORD_BYTES, "enemy own empty", NULL,
     "What may stand on the target."},
    {"pieces.*.abilities.*", "asks", TEXT | OFF, 0, WORD_BYTES, "kind captured", NULL,
     "The player names a piece: any of the army, or one that the side has lost."},
    {"pieces.*.abilities.*", "except", NAMES | OFF, 0, 0, NULL, NULL, "Pieces that cannot be named."},
    {"pieces.*.abilities.*", "each", NUMBER | OFF, 1, MARK_MAX, NULL, NULL,
     "How often one piece may do it in a game."},
    {"pieces.*.abilities.*", "rest", NUMBER | OFF, 1, MARK_MAX, NULL, NULL,
     "Turns of its side in which the piece may not move afterwards."},
    {"pieces.*.abilities.*", "limit", NUMBER | OFF, 1, UINT8_MAX, NULL, NULL,
     "How often a side may use it in a game."},
    {"pieces.*.abilities.*", "attacks", BOOLEAN, 0, 0, NULL, NULL,
     "Whether it counts as an attack for the chase rules and limits.no_attack."},
    {"pieces.*.abilities.*", "targets", FUNCTION, 0, 0, NULL, "a function of board, side and square",
     "The squares that it can aim at from a square."},
    {"pieces.*.abilities.*", "resolve", FUNCTION, 0, 0, NULL,
     "a function of actor, target and choice", "The result of using it: a table of effects."},

    {"", "tests", ENTRIES, 0, 0, NULL, "a list of tests",
     "Tests that `ensign check` runs. Not inherited."},
    {"tests.*", "title", TEXT | NEEDED, 1, TEST_TEXT_MAX, NULL, "a text",
     "What the test shows, in a sentence."},
    {"tests.*", "position", TEXT | TABLE, 1, TEST_TEXT_MAX, NULL,
     "a table such as { a4 = \"rM\" } or a position as text",
     "The starting position, all pieces unmoved and hidden; or give `red` and `blue`."},
    {"tests.*.position", "*", TEXT, 2, 2, NULL, "\"r\" or \"b\" and the letter of a piece",
     "The piece on this square."},
    {"tests.*", "red", TEXT, 1, TEST_TEXT_MAX, NULL, "a set-up", "Red's set-up."},
    {"tests.*", "blue", TEXT, 1, TEST_TEXT_MAX, NULL, "a set-up", "Blue's set-up."},
    {"tests.*", "first", TEXT, 0, WORD_BYTES, "red blue", NULL,
     "Who begins, if the position does not say; by default as in the variant, or red."},
    {"tests.*", "moves", TEXT, 0, TEST_TEXT_MAX, NULL, "moves with blanks between them",
     "Moves to play first, by both sides in turn."},
    {"tests.*", "move", TEXT, 1, MOVE_TEXT_MAX - 1, NULL, "a move such as \"a4xa5\"",
     "The move to test."},
    {"tests.*", "illegal", TEXT, 0, WORD_BYTES, NULL,
     "the rule that refuses the move, such as \"two-squares\"",
     "The rule that the move breaks; without this key the move must be legal."},
    {"tests.*", "after", TEXT | TABLE, 1, TEST_TEXT_MAX, NULL,
     "a table such as { a5 = \"rM\", a4 = false } or a position as text",
     "The position afterwards; a table checks only the squares it names."},
    {"tests.*.after", "*", TEXT | OFF, 2, 2, NULL, "\"r\" or \"b\" and the letter of a piece",
     "The piece on this square; false if it must be empty."},
    {"tests.*", "falls", TEXT, 0, TEST_TEXT_MAX, NULL,
     "pieces such as \"rM b3\", or nothing: \"\"", "All pieces that fall in the move."},
    {"tests.*", "known", TEXT, 0, TEST_TEXT_MAX, NULL,
     "squares such as \"a5 c7\", or nothing: \"\"",
     "The squares of all pieces whose kind the enemy knows afterwards."},
    {"tests.*", "seen", TEXT, 0, TEST_TEXT_MAX, NULL,
     "squares such as \"a5 c7\", or nothing: \"\"",
     "The squares of all pieces that the enemy sees afterwards."},
    {"tests.*", "counters", TABLE, 0, 0, NULL,
     "a table such as { points = { red = 2, blue = 0 }, round = 3 }",
     "The values of counters afterwards."},
    {"tests.*.counters", "*", NUMBER | TABLE, -COUNTER_MAX, COUNTER_MAX, NULL,
     "a table such as { red = 2, blue = 0 }", "The value of this counter."},
    {"tests.*.counters.*", "red", NUMBER, -COUNTER_MAX, COUNTER_MAX, NULL, NULL, "That of red."},
    {"tests.*.counters.*", "blue", NUMBER, -COUNTER_MAX, COUNTER_MAX, NULL, NULL, "That of blue."},
    {"tests.*", "result", TEXT, 0, WORD_BYTES, "red blue draw none", NULL,
     "The result after the move; \"none\" if the game goes on."},
    {"tests.*", "ending", TEXT, 0, TEST_TEXT_MAX, NULL, "a text", "The words that calls.ending gives."},
    {"tests.*", "reason", TEXT, 0, WORD_BYTES, NULL, "a reason such as \"flag\"",
     "Why the game ended."},
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

/* Alternatives to be joined as "a, b or c". */
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
    if (types & PAIRS) offer(&choices, "a list of pairs of squares such as \"b3-a2\"");
    if ((types & NAMES) && field->form)
        offer(&choices, "a list of names");
    else if (types & NAMES)
        offer(&choices, "a list of pieces");
    if (types & NUMBERS)
        offer(&choices, "a list of whole numbers from %d to %d", field->low, field->high);
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
    if (strncmp(key, "tests", 5) == 0) return "variants/REFERENCE.md#tests";
    if (strncmp(key, "calls", 5) == 0) return "variants/REFERENCE.md#calls";
    if (strncmp(key, "goal", 4) == 0 || strncmp(key, "counters", 8) == 0)
        return "variants/REFERENCE.md#counters-and-goals";
    if (strncmp(key, "pieces.", 7) != 0) return "variants/REFERENCE.md#keys";
    const char *inside = strchr(key + 7, '.');
    if (inside && strncmp(inside, ".abilities.", 11) == 0) return "variants/REFERENCE.md#abilities";
    return "variants/REFERENCE.md#pieces";
}
