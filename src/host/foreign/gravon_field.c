/* gravon_field.c - letters, squares and game types of both Gravon formats.
 *
 * Rank 10 is one letter, ':', which follows '9' in ASCII. */
#include "gravon_field.h"

#include <string.h>

const struct gravon_type GRAVON_TYPE[GRAVON_TYPES] = {
    {"classic", NULL, "original", false},
    {"barrage", NULL, "barrage", false},
    {"classicfree", "free", "original", true},
    {"ultimate lightning", "ultimate", "lightning", false},
    {"duell", "duel", "duel", false}};

static const char FILES[] = "ABCDEFGHIK";

/* The type with this number of pieces on the board. */
static int type_of_pieces(int pieces) {
    return pieces == 80 ? 0 : pieces == 16 ? 1 : pieces == 40 ? 3 : pieces == 20 ? 4 : 2;
}

void gravon_field_read(struct foreign *foreign, const struct foreign_help *help, int type,
                       const char *field, size_t length, int line, int column) {
    int pieces = 0;
    for (size_t i = 0; i < length; i++) pieces += field[i] >= 'B' && field[i] <= 'Y';
    if (type < 0) type = type_of_pieces(pieces);
    if (!foreign_variant(foreign, help, GRAVON_TYPE[type].variant, line)) return;
    foreign->free = GRAVON_TYPE[type].free;
    if (length != GRAVON_FIELD) {
        foreign_complain(help, line, column, "a field of %zu letters; %d are expected", length,
                         GRAVON_FIELD);
        return;
    }
    const struct rules *rules = foreign->rules;
    bool sound = true;
    foreign->start = (struct position){.to_move = RED};
    for (square at = 0; at < GRAVON_FIELD; at++) {
        char letter = field[at];
        bool lake = squareset_has(rules->board.lakes, at);
        if (lake ? letter == '_' || letter == 'A' : letter == 'A') continue;
        int number = letter - 'B';
        kind_id kind = !lake && number >= 0 && number < 2 * FOREIGN_KINDS
                           ? rules_kind_named(rules, FOREIGN_KIND_NAMES[number % FOREIGN_KINDS])
                           : KIND_NONE;
        if (kind == KIND_NONE) {
            char name[SQUARE_TEXT_MAX];
            square_write(&rules->board, at, name);
            foreign_complain(
                help, line, column ? column + at : 0, "\"%c\" on %s: %s is expected", letter, name,
                lake ? "\"_\" for a lake" : "\"A\" or the letter of a piece of this game");
            sound = false;
            continue;
        }
        foreign->start.at[at] = cell_of(number < FOREIGN_KINDS ? RED : BLUE, kind);
    }
    foreign->stands = sound;
}

void gravon_field_write(const struct foreign *foreign, char *out) {
    const struct rules *rules = foreign->rules;
    for (square at = 0; at < GRAVON_FIELD; at++) {
        cell piece = foreign->start.at[at];
        out[at] = squareset_has(rules->board.lakes, at) ? '_' : 'A';
        for (int i = 0; piece != CELL_EMPTY && i < FOREIGN_KINDS; i++) {
            if (strcmp(rules->kind[cell_kind(piece)].name, FOREIGN_KIND_NAMES[i]) != 0) continue;
            out[at] = (char)('B' + i + (cell_side(piece) == BLUE ? FOREIGN_KINDS : 0));
        }
    }
    out[GRAVON_FIELD] = 0;
}

size_t gravon_square_read(const char *text, size_t length, square *at) {
    if (length < 2) return 0;
    char letter = text[0] >= 'a' && text[0] <= 'z' ? (char)(text[0] - 'a' + 'A') : text[0];
    if (letter == 'J') letter = 'K';
    const char *file = letter ? strchr(FILES, letter) : NULL;
    bool ten = length >= 3 && text[1] == '1' && text[2] == '0';
    if (!file || text[1] < '1' || text[1] > ':') return 0;
    int rank = ten ? 9 : text[1] - '1';
    *at = (square)(10 * rank + (int)(file - FILES));
    return ten ? 3 : 2;
}

void gravon_square_write(square at, char out[3]) {
    out[0] = FILES[at % 10];
    out[1] = (char)('1' + at / 10);
    out[2] = 0;
}
