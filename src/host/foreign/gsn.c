/* gsn.c - Gravon's line format.
 *
 *     #X38FA11 Stratego-Notation v2
 *     type 0
 *     …100 letters…
 *     A4-A5
 *     END
 *     NAME vs NAME result TYPE winner WINNER
 *
 * WINNER is 0 for red, 1 for blue, 2 for a draw. The meaning of TYPE is undocumented; it is kept in
 * the record. END and the players may come before the last moves, or twice; the last players count.
 * A line whose third character is ':' is a rescue of ultimate lightning, which has no documented
 * form: the record ends before it. */
#define _GNU_SOURCE
#include "gsn.h"

#include "base/lines.h"
#include "gravon_field.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char HEAD[] = "#X38FA11 Stratego-Notation v";
static const char *const WINNERS[] = {"0", "1", "2"};
static const enum result RESULTS[] = {RESULT_RED, RESULT_BLUE, RESULT_DRAW};

struct gsn_reader {
    struct foreign *foreign;
    const struct foreign_help *help;
    struct lines lines;
    bool ended, told; /* END and the players' line were read */
    bool late;        /* so was a move behind them */
};

bool gsn_is(const char *text, size_t length) {
    struct lines lines = lines_of(text, length);
    return lines_next(&lines) && lines.line_length >= 8 && !memcmp(lines.line, HEAD, 8);
}

static bool line_is(const struct lines *lines, const char *text) {
    return lines->line_length == strlen(text) && !memcmp(lines->line, text, lines->line_length);
}

static bool line_begins(const struct lines *lines, const char *text) {
    return lines->line_length >= strlen(text) && !memcmp(lines->line, text, strlen(text));
}

static bool is_move(const struct lines *lines, square *from, square *to) {
    size_t used = gravon_square_read(lines->line, lines->line_length, from);
    if (!used || used >= lines->line_length || !strchr("-x", lines->line[used])) return false;
    used++;
    size_t more = gravon_square_read(lines->line + used, lines->line_length - used, to);
    return more && used + more == lines->line_length;
}

/* Complains about the current line, from byte `from` on. */
static void gsn_complain(const struct gsn_reader *reader, size_t from, const char *expected) {
    const struct lines *lines = &reader->lines;
    size_t shown = lines->line_length - from;
    foreign_complain(reader->help, lines->number, lines->column + (int)from, "\"%.*s\": %s",
                     (int)(shown < 40 ? shown : 40), lines->line + from, expected);
}

/* Adds the move of the current line; an unreadable one has no squares. False if memory is short. */
static bool read_gsn_move(struct gsn_reader *reader) {
    const struct lines *lines = &reader->lines;
    struct foreign_move move = {SQUARE_NONE,   SQUARE_NONE,   BATTLE_UNTOLD,
                                lines->number, lines->column, ""};
    square from, to;
    if (is_move(lines, &from, &to)) {
        move.from = from;
        move.to = to;
    } else if (lines->line_length >= 5 && lines->line[2] == ':') {
        gsn_complain(reader, 0, "a rescue, whose form is not known; the game is kept up to there");
    } else {
        gsn_complain(reader, 0, "a move as in \"A4-A5\" or \"END\" is expected");
    }
    return foreign_add(reader->foreign, reader->help, move, lines->line, lines->line_length);
}

static const char *find_words(const char *text, size_t length, const char *words) {
    return memmem(text, length, words, strlen(words));
}

static void read_winner(struct gsn_reader *reader, const char *text, size_t length) {
    const char *winner = find_words(text, length, " winner ");
    size_t type = winner ? (size_t)(winner - text) : length;
    foreign_copy(reader->foreign->ending, reader->help, reader->lines.number, text, type);
    for (int i = 0; winner && i < 3; i++) {
        if (length == type + 8 + 1 && winner[8] == WINNERS[i][0]) {
            reader->foreign->result = RESULTS[i];
            return;
        }
    }
    gsn_complain(reader, (size_t)(text - reader->lines.line),
                 "\"result N winner W\" with 0 (red), 1 (blue) or 2 (draw) for W is expected");
}

static void read_ending(struct gsn_reader *reader) {
    const char *line = reader->lines.line, *end = line + reader->lines.line_length;
    const char *result = find_words(line, reader->lines.line_length, " result ");
    const char *names_end = result ? result : end;
    const char *vs = find_words(line, (size_t)(names_end - line), " vs ");
    if (vs) {
        const int number = reader->lines.number;
        foreign_copy(reader->foreign->names[RED], reader->help, number, line, (size_t)(vs - line));
        foreign_copy(reader->foreign->names[BLUE], reader->help, number, vs + 4,
                     (size_t)(names_end - vs) - 4);
    } else {
        gsn_complain(reader, 0, "\"NAME vs NAME\" is expected");
    }
    if (result) read_winner(reader, result + 8, (size_t)(end - result) - 8);
}

/* Reads head and type, then the next line; false if there is none. `*type` stays if damaged. */
static bool read_head(struct gsn_reader *reader, int *type) {
    struct lines *lines = &reader->lines;
    bool more = lines_next(lines);
    if (more && line_begins(lines, HEAD) && lines->line_length == sizeof HEAD &&
        strchr("12", lines->line[sizeof HEAD - 1])) {
        more = lines_next(lines);
    } else if (more) {
        gsn_complain(reader, 0, "\"#X38FA11 Stratego-Notation v1\" or v2 is expected");
        if (lines->line[0] == '#') more = lines_next(lines);
    }
    if (more && line_begins(lines, "type ") && lines->line_length == 6 && lines->line[5] >= '0' &&
        lines->line[5] < '0' + GRAVON_TYPES) {
        *type = lines->line[5] - '0';
        more = lines_next(lines);
    } else if (more) {
        gsn_complain(reader, 0, "\"type N\" with N from 0 to 4 is expected");
        if (line_begins(lines, "type")) more = lines_next(lines);
    }
    return more;
}

static void read_end(struct gsn_reader *reader) {
    if (reader->ended)
        foreign_note(reader->help, reader->lines.number, 1, "a second \"END\"; reading goes on");
    reader->ended = true;
}

static void read_players(struct gsn_reader *reader) {
    if (reader->told)
        foreign_note(reader->help, reader->lines.number, 1,
                     "a second line with the players; this one counts");
    reader->told = true;
    read_ending(reader);
}

/* A move, a rescue, or an unreadable one. Games of the archive have moves behind their end: it was
 * written too early, and maybe once more. False if memory is short. */
static bool read_turn(struct gsn_reader *reader) {
    square from, to;
    if (reader->ended || reader->told) {
        if (!is_move(&reader->lines, &from, &to)) {
            gsn_complain(reader, 0, "nothing is expected behind the players");
            return true;
        }
        if (!reader->late)
            foreign_note(reader->help, reader->lines.number, 1,
                         "a move behind the game's end; it and those after it are read");
        reader->late = true;
    }
    return read_gsn_move(reader);
}

/* Reads moves, END and the players' line, from the current line on. */
static void read_body(struct gsn_reader *reader) {
    const struct lines *lines = &reader->lines;
    square from, to;
    bool going = true;
    do {
        const bool vs = find_words(lines->line, lines->line_length, " vs ");
        if (line_is(lines, "END"))
            read_end(reader);
        else if (vs || (reader->ended && !reader->told && !is_move(lines, &from, &to)))
            read_players(reader);
        else
            going = read_turn(reader);
    } while (going && lines_next(&reader->lines));
}

void gsn_read(struct foreign *foreign, const struct foreign_help *help, const char *text,
              size_t length) {
    struct gsn_reader reader = {.foreign = foreign, .help = help, .lines = lines_of(text, length)};
    struct lines *lines = &reader.lines;
    int type = -1;
    square from, to;
    foreign->source = "GSN";
    bool more = read_head(&reader, &type);
    if (more && !line_is(lines, "END") && !is_move(lines, &from, &to)) {
        gravon_field_read(foreign, help, type, lines->line, lines->line_length, lines->number,
                          lines->column);
        more = lines_next(lines);
    } else if (type >= 0) {
        foreign_variant(foreign, help, GRAVON_TYPE[type].variant, lines->number);
    } else {
        foreign_complain(help, lines->number, 0, "a field of %d letters is expected", GRAVON_FIELD);
    }
    if (more) read_body(&reader);
    if (!reader.ended)
        foreign_complain(help, lines->number, 0, "\"END\" is expected behind the moves");
    if (!reader.told)
        foreign_complain(help, lines->number, 0, "the line with the players is missing");
}

/* Writes a name without the words that separate it from the rest of the line. */
static void write_name(FILE *out, const char *name) {
    for (; *name; name++) {
        bool word = !strncmp(name, " vs ", 4) || !strncmp(name, " result ", 8);
        fputc(word ? '_' : *name, out);
    }
}

static int type_of(const struct foreign *foreign) {
    for (int type = 0; type < GRAVON_TYPES; type++)
        if (GRAVON_TYPE[type].free == foreign->free &&
            !strcmp(GRAVON_TYPE[type].variant, foreign->rules->name))
            return type;
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
