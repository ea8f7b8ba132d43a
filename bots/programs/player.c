/* player.c - a program that plays any variant through the seat protocol (README.md in this folder),
 * in C11 without a library.
 *
 *     cc -std=c11 -O2 -o player player.c
 *     ensign match json:./player rookie -v duel -n 100
 *
 * It attacks a known weaker enemy, and else advances at random. The JSON is read where it stands: a
 * `const char *` into the line is a value, and nothing is copied but names. Every function stops at
 * the final 0 of the line, so a damaged line gives nonsense but is never read beyond its end. */
#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LINE_MAX_BYTES = 64 << 20, KINDS = 64, NAME = 64, SIDE = 26 };

/* What the program remembers of the variant and of the position. */
static struct {
    char name[KINDS][NAME];
    char letter[KINDS];
} kinds;
static int kind_count;
static bool beats[256][256]; /* [attacker's letter][defender's letter] */
static bool is_red;
static uint64_t chance = 1;

struct cell {
    char side, letter; /* 'r' or 'b'; 0: no piece. '?': hidden */
};
static struct cell board[SIDE][SIDE]; /* [rank - 1][file] */

/* The end of the value that begins at `at`. */
static const char *skip(const char *at) {
    int depth = 0;
    do {
        if (*at == '"') {
            for (at++; *at && *at != '"'; at++)
                if (*at == '\\' && at[1]) at++;
        } else if (*at == '{' || *at == '[') {
            depth++;
        } else if (*at == '}' || *at == ']') {
            depth--;
        }
        if (*at) at++;
    } while (*at && (depth > 0 || !strchr(",]}", *at)));
    return at;
}

static const char *blanks(const char *at) {
    while (isspace((unsigned char)*at)) at++;
    return at;
}

/* Steps to the first entry of an array or object, and from one entry to the next. NULL at the
 * end. In an object, an entry is its key. */
static const char *first(const char *value) {
    if (!value || (*value != '[' && *value != '{')) return NULL;
    value = blanks(value + 1);
    return *value && *value != ']' && *value != '}' ? value : NULL;
}

static const char *next(const char *entry) {
    entry = skip(entry); /* over a key with its value, too */
    if (*entry != ',') return NULL;
    entry = blanks(entry + 1);
    return *entry ? entry : NULL;
}

/* Does the text at `at` consist of these characters? */
static bool is_text(const char *at, const char *text) {
    size_t length = strlen(text);
    return at && *at == '"' && !strncmp(at + 1, text, length) && at[1 + length] == '"';
}

/* The value that follows a key. */
static const char *value_of(const char *key) {
    for (key++; *key && *key != '"'; key++)
        if (*key == '\\' && key[1]) key++;
    while (*key && *key != ':') key++;
    return *key ? blanks(key + 1) : key;
}

/* The value of a key in an object; NULL if there is none. */
static const char *find(const char *object, const char *key) {
    for (const char *entry = first(object); entry; entry = next(entry))
        if (is_text(entry, key)) return value_of(entry);
    return NULL;
}

/* Copies a text up to its closing quote. False if it is none, has an escape or does not fit. */
static bool copy(const char *at, char *out, size_t size) {
    size_t length = at && *at == '"' ? strcspn(at + 1, "\"\\") : size;
    if (length >= size || at[1 + length] != '"') return false;
    memcpy(out, at + 1, length);
    out[length] = 0;
    return true;
}

static unsigned letter_of(const char *name) {
    for (int i = 0; i < kind_count; i++)
        if (is_text(name, kinds.name[i])) return (unsigned char)kinds.letter[i];
    return 0;
}

static void read_game(const char *message) {
    const char *variant = find(message, "variant"), *seed = find(message, "seed");
    is_red = is_text(find(message, "side"), "red");
    if (seed) chance = strtoull(seed, NULL, 10) | 1;
    kind_count = 0;
    for (const char *kind = first(find(variant, "kinds")); kind; kind = next(kind)) {
        char letter[8];
        if (kind_count == KINDS || !copy(find(kind, "name"), kinds.name[kind_count], NAME))
            continue;
        if (!copy(find(kind, "letter"), letter, sizeof letter)) continue;
        kinds.letter[kind_count++] = letter[0];
    }
    memset(beats, 0, sizeof beats);
    for (const char *row = first(find(variant, "battles")); row; row = next(row))
        for (const char *pair = first(value_of(row)); pair; pair = next(pair))
            beats[letter_of(row)][letter_of(pair)] = is_text(value_of(pair), "attacker");
}

/* "b3.bF/r?…": ranks from the top; a piece is its side and its letter, "?" alone is out of sight.
 */
static void read_position(const char *text) {
    int ranks = 1, file = 0;
    memset(board, 0, sizeof board);
    if (!text || *text++ != '"') return;
    for (const char *at = text; *at && *at != ' ' && *at != '"'; at++) ranks += *at == '/';
    for (int rank = ranks - 1; *text && *text != ' ' && *text != '"'; text++) {
        if (*text == '/') {
            rank--;
            file = 0;
            continue;
        }
        bool piece = (*text == 'r' || *text == 'b') && text[1];
        if (piece && rank >= 0 && rank < SIDE && file < SIDE)
            board[rank][file] = (struct cell){text[0], text[1]};
        text += piece;
        file++;
    }
}

/* Reads a square such as "e10" and goes behind it. False if it is none. */
static bool read_square(const char **at, int *rank, int *file) {
    if (!islower((unsigned char)**at)) return false;
    *file = *(*at)++ - 'a';
    for (*rank = 0; isdigit((unsigned char)**at) && *rank < SIDE; (*at)++)
        *rank = 10 * *rank + (**at - '0');
    *rank -= 1;
    return *rank >= 0 && *rank < SIDE && *file < SIDE;
}

/* A number below `limit`: xorshift. */
static unsigned draw(unsigned limit) {
    chance ^= chance << 13;
    chance ^= chance >> 7;
    chance ^= chance << 17;
    return (unsigned)(chance >> 33) % limit;
}

enum merit { ANY, FORWARD, WINS };

static enum merit judge(const char *move) {
    int from_rank, from_file, rank, file;
    const char *at = move + 1;
    if (!read_square(&at, &from_rank, &from_file) || (*at != '-' && *at != 'x')) return ANY;
    bool attack = *at++ == 'x';
    if (!read_square(&at, &rank, &file)) return ANY;
    unsigned mine = (unsigned char)board[from_rank][from_file].letter;
    if (attack && beats[mine][(unsigned char)board[rank][file].letter]) return WINS;
    return (is_red ? rank > from_rank : rank < from_rank) ? FORWARD : ANY;
}

static void answer_move(const char *message) {
    const char *best = NULL, *ply = find(message, "ply");
    enum merit most = ANY;
    unsigned equals = 0;
    read_position(find(message, "position"));
    for (const char *move = first(find(message, "moves")); move; move = next(move)) {
        enum merit merit = judge(move);
        if (best && merit < most) continue;
        if (!best || merit > most) equals = 0;
        most = merit;
        /* The n-th of equal moves replaces the one held with chance 1/n: each is as likely. */
        if (draw(++equals) == 0) best = move;
    }
    char text[128];
    if (!copy(best, text, sizeof text)) return;
    printf("{\"type\":\"move\",\"move\":\"%s\",\"ply\":%ld}\n", text,
           ply ? strtol(ply, NULL, 10) : 0);
}

static void answer(const char *line) {
    const char *message = blanks(line), *type = find(message, "type");
    if (is_text(type, "game")) read_game(message);
    if (is_text(type, "setup")) puts("{\"type\":\"setup\",\"setup\":null}");
    if (is_text(type, "move")) answer_move(message);
    if (is_text(type, "draw")) puts("{\"type\":\"draw\",\"accept\":false}");
    fflush(stdout);
}

/* Lines may be long, a list of moves above all: the buffer grows as they need. */
int main(void) {
    size_t size = 1 << 16, length = 0;
    char *buffer = malloc(size);
    while (buffer) {
        ssize_t got = read(STDIN_FILENO, buffer + length, size - length);
        if (got <= 0) break;
        length += (size_t)got;
        char *line = buffer, *end;
        while ((end = memchr(line, '\n', length - (size_t)(line - buffer)))) {
            *end = 0;
            answer(line);
            line = end + 1;
        }
        length -= (size_t)(line - buffer);
        memmove(buffer, line, length);
        if (length < size) continue;
        char *larger = size < LINE_MAX_BYTES ? realloc(buffer, 2 * size) : NULL;
        if (!larger) break;
        buffer = larger;
        size *= 2;
    }
    free(buffer);
    return 0;
}
