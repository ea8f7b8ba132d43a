/* guide.c - help on the screen: keys, what is shown, and the rule sheet of the variant. */
#include "guide.h"

#include "cli/columns.h"
#include "cli/rulesheet.h"

#include <stdlib.h>

enum { KEY_COLUMNS = 16, LEAST_COLUMNS = 20 };

struct guide_line {
    const char *key, *what; /* what NULL: the key is a heading; both NULL: the end */
};

static const struct guide_line PLAY[] = {
    {TEXT("Your turn"), NULL},
    {"← → ↑ ↓  h j k l", TEXT("move the cursor")},
    {"Enter  Space", TEXT("pick up a piece; then go to, or aim at, a marked square")},
    {"Tab", TEXT("to the next piece that can move, or square it can go to")},
    {"Esc", TEXT("put the piece down")},
    {":", TEXT("type a move: a4-a5, or e7@e9=bomb")},
    {"i", TEXT("what the strongest bot would do, and why")},
    {"m", TEXT("mark what you think an enemy is; only you see it")},
    {"d  r", TEXT("offer a draw, resign")},
    {TEXT("The mouse points at squares and chooses from lists."), NULL},
    {TEXT("At any time"), NULL},
    {"+  -", TEXT("bots move faster, slower")},
    {"b", TEXT("back: step through the game so far")},
    {"u", TEXT("take back your last move and the answer to it")},
    {"q", TEXT("leave the game")},
    {NULL, NULL},
};

static const struct guide_line WATCH[] = {
    {TEXT("Watching"), NULL},
    {"Space", TEXT("pause, then one move at a time")},
    {"p", TEXT("pause, resume")},
    {"b", TEXT("back: step through the game so far")},
    {":", TEXT("type a move: is it legal now, and if not, why?")},
    {"+  -", TEXT("bots move faster, slower")},
    {"v", TEXT("red's view, blue's view, both")},
    {"← → ↑ ↓", TEXT("see what a piece is")},
    {"q", TEXT("leave the game")},
    {NULL, NULL},
};

static const struct guide_line REVIEW[] = {
    {TEXT("Stepping through a game"), NULL},
    {"← →", TEXT("one ply back, one ply forward")},
    {"PageUp PageDown", TEXT("ten plies back, ten plies forward")},
    {"Home  End", TEXT("to the start, to the end")},
    {"n  N", TEXT("next battle, previous battle")},
    {":", TEXT("go to a ply by its number; or a move: is it legal here?")},
    {"Space", TEXT("play automatically; any other key stops")},
    {"v", TEXT("uncovered, red's view, blue's view")},
    {"h j k l", TEXT("move the cursor; it shows what a piece is")},
    {"q", TEXT("leave")},
    {NULL, NULL},
};

static const struct guide_line ARRANGE[] = {
    {TEXT("Setting up your army"), NULL},
    {"← → ↑ ↓  h j k l", TEXT("move the cursor")},
    {"F B S 2 … M", TEXT("place a piece by its capital letter or its label")},
    {":", TEXT("place a piece by its name")},
    {"Tab", TEXT("take the next kind of piece that is left to place")},
    {"Enter  Space", TEXT("put it down; pick up a piece, swap two")},
    {"Delete", TEXT("take a piece off the board")},
    {"r", TEXT("place the rest at random, or all if none is left")},
    {"m", TEXT("mirror left and right")},
    {"f", TEXT("use a set-up from the library; there F2 renames, Delete deletes your own")},
    {"o  s", TEXT("open a set-up from a file, save this one")},
    {"c", TEXT("clear the board")},
    {"u  y", TEXT("undo, redo")},
    {"d", TEXT("done: begin with this army")},
    {"q", TEXT("leave")},
    {TEXT("The mouse takes pieces from the list and puts them on squares."), NULL},
    {NULL, NULL},
};

static const struct guide_line START[] = {
    {TEXT("The start screen"), NULL},
    {"↑ ↓  j k", TEXT("another field")},
    {"← →  h l", TEXT("another value; on Play: another game")},
    {"Enter  Space", TEXT("choose from a list; on Play: begin")},
    {"p", TEXT("play this game")},
    {"t", TEXT("the lesson: how to play, in five minutes")},
    {"q", TEXT("leave")},
    {TEXT("The mouse points at squares and chooses from lists."), NULL},
    {NULL, NULL},
};

static const struct guide_line BOARD[] = {
    {TEXT("On the board"), NULL},
    {"[10]  (10)", TEXT("red's pieces, blue's pieces, by label")},
    {"##  ??", TEXT("an enemy that has never moved, one that has")},
    {"!", TEXT("below your piece: the enemy knows it")},
    {"?", TEXT("below an enemy: never revealed, but it can only be this")},
    {"*", TEXT("the move of a hint")},
    {"m", TEXT("below an enemy: your own mark")},
    {"+  @", TEXT("where the piece can go, targets of its ability")},
    {">  x", TEXT("the last move, the last battle")},
    {"~", TEXT("a lake")},
    {NULL, NULL},
};

static void print_lines(FILE *out, const struct language *language, const struct guide_line *lines,
                        int columns) {
    for (; lines->key; lines++) {
        if (!lines->what) {
            fputc('\n', out);
            columns_wrap(out, language_text(language, lines->key), 0, 0, columns);
            continue;
        }
        fputs("  ", out);
        columns_print(out, lines->key, KEY_COLUMNS);
        fputs("  ", out);
        columns_wrap(out, language_text(language, lines->what), KEY_COLUMNS + 4, KEY_COLUMNS + 4,
                     columns);
    }
}

void guide_show(struct screen *screen, const struct backdrop *behind,
                const struct language *language, const struct rules *rules,
                enum guide_topic topic) {
    static const struct guide_line *const topics[] = {PLAY, WATCH, REVIEW, ARRANGE, START};
    int columns = dialog_columns(screen);
    if (columns > RULESHEET_COLUMNS) columns = RULESHEET_COLUMNS;
    if (columns < LEAST_COLUMNS) columns = LEAST_COLUMNS;
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    if (!out) return;
    print_lines(out, language, topics[topic], columns);
    print_lines(out, language, BOARD, columns);
    if (rules) {
        fputc('\n', out);
        rulesheet_print(out, columns, language, rules);
    }
    if (!fclose(out)) {
        const char *start = text[0] == '\n' ? text + 1 : text;
        dialog_read(screen, behind, language_text(language, TEXT("Help")), start);
    }
    free(text);
}
