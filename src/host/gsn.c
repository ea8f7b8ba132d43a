/* gsn.c - Gravon's line format.
 *
 *     #X38FA11 Stratego-Notation v2
 *     type 0
 *     …100 letters…
 *     A4-A5
 *     END
 *     NAME vs NAME result TYPE winner WINNER
 *
 * WINNER is 0 for red, 1 for blue, 2 for a draw. What the numbers of TYPE mean is nowhere written;
 * they are kept in the record. A line with ':' in its third place is a rescue of ultimate
 * lightning, whose form is not known: the game is kept up to there. */
#include "gsn.h"

#include "gravon_field.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char HEAD[] = "#X38FA11 Stratego-Notation v";
static const char *const WINNERS[] = {"0", "1", "2"};
static const enum result RESULTS[] = {RESULT_RED, RESULT_BLUE, RESULT_DRAW};

struct reader {
    struct foreign *foreign;
    const struct foreign_help *help;
    const char *text;
    size_t length, at;
    int number; /* of the line read last */
    const char *line;
    size_t line_length; /* without the line's end and blanks before it */
};

static size_t bom_length(const char *text, size_t length) {
    return length >= 3 && !memcmp(text, "\xEF\xBB\xBF", 3) ? 3 : 0;
}

bool gsn_is(const char *text, size_t length) {
    size_t bom = bom_length(text, length);
    return length - bom >= 8 && !memcmp(text + bom, HEAD, 8);
}

/* The next line that is not blank; false at the end. */
static bool next_line(struct reader *reader) {
    while (reader->at < reader->length) {
        const char *line = reader->text + reader->at;
        const char *end = memchr(line, '\n', reader->length - reader->at);
        size_t length = end ? (size_t)(end - line) : reader->length - reader->at;
        reader->at += length + 1;
        reader->number++;
        while (length && strchr(" \t\r", line[length - 1]) && line[length - 1]) length--;
        reader->line = line;
        reader->line_length = length;
        if (length) return true;
    }
    return false;
}

static bool line_is(const struct reader *reader, const char *text) {
    return reader->line_length == strlen(text) && !memcmp(reader->line, text, reader->line_length);
}

static bool line_begins(const struct reader *reader, const char *text) {
    return reader->line_length >= strlen(text) && !memcmp(reader->line, text, strlen(text));
}

static bool is_move(const struct reader *reader, square *from, square *to) {
    size_t used = gravon_square_read(reader->line, reader->line_length, from);
    if (!used || used >= reader->line_length || !strchr("-x", reader->line[used])) return false;
    used++;
    size_t more = gravon_square_read(reader->line + used, reader->line_length - used, to);
    return more && used + more == reader->line_length;
}

/* The line has been read; a line that is none of a game's is complained of. */
static bool read_move(struct reader *reader) {
    struct foreign_move move = {SQUARE_NONE, SQUARE_NONE, BATTLE_UNTOLD, reader->number, 1, ""};
    int shown = reader->line_length < 40 ? (int)reader->line_length : 40;
    square from, to;
    if (is_move(reader, &from, &to)) {
        move.from = from;
        move.to = to;
    } else if (reader->line_length >= 5 && reader->line[2] == ':') {
        foreign_complain(reader->help, reader->number, 1,
                         "\"%.*s\" is a rescue; its form is not known, so the game is kept up to "
                         "there",
                         shown, reader->line);
    } else {
        foreign_complain(reader->help, reader->number, 1,
                         "\"%.*s\": a move as in \"A4-A5\" or \"END\" is expected", shown,
                         reader->line);
    }
    return foreign_add(reader->foreign, reader->help, move, reader->line, reader->line_length);
}

/* Where `words` begin in a text, NULL if they do not come. */
static const char *find(const char *text, size_t length, const char *words) {
    size_t wanted = strlen(words);
    for (size_t i = 0; i + wanted <= length; i++) {
        if (!memcmp(text + i, words, wanted)) return text + i;
    }
    return NULL;
}

static void read_winner(struct reader *reader, const char *text, size_t length) {
    const char *winner = find(text, length, " winner ");
    size_t type = winner ? (size_t)(winner - text) : length;
    foreign_copy(reader->foreign->ending, text, type);
    for (int i = 0; winner && i < 3; i++) {
        if (length == type + 8 + 1 && winner[8] == WINNERS[i][0]) {
            reader->foreign->result = RESULTS[i];
            return;
        }
    }
    foreign_complain(reader->help, reader->number, (int)(text - reader->line) + 1,
                     "\"result N winner W\" with 0 (red), 1 (blue) or 2 (draw) for W is expected");
}

static void read_ending(struct reader *reader) {
    const char *line = reader->line, *end = line + reader->line_length;
    const char *result = find(line, reader->line_length, " result ");
    const char *names_end = result ? result : end;
    const char *vs = find(line, (size_t)(names_end - line), " vs ");
    if (vs) {
        foreign_copy(reader->foreign->names[RED], line, (size_t)(vs - line));
        foreign_copy(reader->foreign->names[BLUE], vs + 4, (size_t)(names_end - vs) - 4);
    } else {
        foreign_complain(reader->help, reader->number, 1, "\"NAME vs NAME\" is expected");
    }
    if (result) read_winner(reader, result + 8, (size_t)(end - result) - 8);
}

void gsn_read(struct foreign *foreign, const struct foreign_help *help, const char *text,
              size_t length) {
    struct reader reader = {foreign, help, text, length, bom_length(text, length), 0, "", 0};
    int type = -1;
    foreign->source = "GSN";
    bool more = next_line(&reader);
    if (more && line_begins(&reader, HEAD) && reader.line_length == sizeof HEAD &&
        strchr("12", reader.line[sizeof HEAD - 1])) {
        more = next_line(&reader);
    } else {
        foreign_complain(help, reader.number, 1, "\"%s1\" or \"%s2\" is expected", HEAD, HEAD);
        if (more && reader.line[0] == '#') more = next_line(&reader);
    }
    if (more && line_begins(&reader, "type ") && reader.line_length == 6 && reader.line[5] >= '0' &&
        reader.line[5] < '0' + GRAVON_TYPES) {
        type = reader.line[5] - '0';
        more = next_line(&reader);
    } else if (more) {
        foreign_complain(help, reader.number, 1, "\"type N\" with N from 0 to %d is expected",
                         GRAVON_TYPES - 1);
        if (line_begins(&reader, "type")) more = next_line(&reader);
    }
    square from, to;
    if (more && !line_is(&reader, "END") && !is_move(&reader, &from, &to)) {
        gravon_field_read(foreign, help, type, reader.line, reader.line_length, reader.number, 1);
        more = next_line(&reader);
    } else if (type >= 0) {
        foreign_variant(foreign, help, GRAVON_TYPE[type].variant, reader.number);
    }
    for (; more && !line_is(&reader, "END"); more = next_line(&reader)) {
        /* In a text cut short before END the ending may be there all the same. */
        if (find(reader.line, reader.line_length, " vs ")) break;
        if (!read_move(&reader)) return;
    }
    if (more && line_is(&reader, "END")) {
        more = next_line(&reader);
    } else {
        foreign_complain(help, reader.number, 1, "\"END\" is expected behind the moves");
    }
    if (more) {
        read_ending(&reader);
    } else {
        foreign_complain(help, reader.number, 1, "the line with the players is missing");
    }
    if (more && next_line(&reader)) {
        foreign_complain(help, reader.number, 1, "nothing is expected behind the players");
    }
}

/* A name that cannot be taken for the words around it. */
static void write_name(FILE *out, const char *name) {
    for (; *name; name++) {
        bool word = !strncmp(name, " vs ", 4) || !strncmp(name, " result ", 8);
        fputc(word ? '_' : *name, out);
    }
}

static int type_of(const struct foreign *foreign) {
    for (int type = 0; type < GRAVON_TYPES; type++) {
        if (GRAVON_TYPE[type].free == foreign->free &&
            !strcmp(GRAVON_TYPE[type].variant, foreign->rules->name)) {
            return type;
        }
    }
    return -1;
}

char *gsn_write(const struct foreign *foreign, struct fault *fault) {
    char field[GRAVON_FIELD + 1], *text = NULL;
    size_t length = 0;
    int type = type_of(foreign);
    if (type < 0) {
        fault_set(
            fault, STATUS_RULES,
            "GSN has no type for %s of \"%s\"; original (also from a position), barrage, duel "
            "and lightning are expected",
            foreign->free ? "a position" : "a game", foreign->rules->name);
        return NULL;
    }
    FILE *out = open_memstream(&text, &length);
    if (!out) {
        fault_set(fault, STATUS_NO_MEMORY, "out of memory");
        return NULL;
    }
    gravon_field_write(foreign, field);
    fprintf(out, "%s2\ntype %d\n%s\n", HEAD, type, field);
    for (size_t i = 0; i < foreign->move_count; i++) {
        char from[3], to[3];
        gravon_square_write(foreign->moves[i].from, from);
        gravon_square_write(foreign->moves[i].to, to);
        fprintf(out, "%s-%s\n", from, to);
    }
    fputs("END\n", out);
    write_name(out, *foreign->names[RED] ? foreign->names[RED] : "red");
    fputs(" vs ", out);
    write_name(out, *foreign->names[BLUE] ? foreign->names[BLUE] : "blue");
    for (int i = 0; i < 3; i++) {
        if (foreign->result != RESULTS[i]) continue;
        bool number =
            *foreign->ending && strspn(foreign->ending, "0123456789") == strlen(foreign->ending);
        fprintf(out, " result %s winner %s", number ? foreign->ending : "0", WINNERS[i]);
    }
    fputc('\n', out);
    bool failed = ferror(out) != 0;
    if (!fclose(out) && !failed) return text;
    free(text);
    fault_set(fault, STATUS_NO_MEMORY, "out of memory");
    return NULL;
}
