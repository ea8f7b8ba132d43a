/* ucc_log.c - the contest manager's log.
 *
 *     NAME RED SETUP              four rows, the top one first, or INVALID!
 *     NAME BLUE SETUP             the same
 *     1 RED: 0 3 DOWN OK          X Y DIRECTION [N], then the outcome
 *     1 BLU: 4 6 UP 2 KILLS 3 6
 *     Game ends on RED's turn - REASON: Captured the flag
 *     NAME RED VICTORY 149 0 43
 *
 * The end may stand on the line of the last turn. A malformed or illegal answer, which loses the
 * game, is logged as ILLEGAL or with nothing behind it; it becomes the record's Forfeit. The REASON
 * decides result and reason; the last line is ignored. */
#include "ucc_log.h"

#include "base/lines.h"
#include "host/program/ucc_text.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINES_LOOKED_AT = 16, TURN_TEXT_MAX = 64 };

struct ucc_log_reader {
    struct foreign *foreign;
    const struct foreign_help *help;
    struct ucc_frame frame;
    struct lines lines;
    char line[UCC_TEXT_MAX]; /* the current one, cut if long */
    bool laid[2];            /* set-ups that were read */
    bool ended;              /* a REASON was read */
    bool late;               /* so was a turn behind it */
    bool again;              /* next_line() returns the current line again */
    int doubtful;            /* line of an unreadable move, maybe a forfeit; 0: none */
    char doubt[UCC_TEXT_MAX];
};

/* Endings by the first words of the REASON. */
static const struct {
    const char *words;
    enum { TURN_WINS, TURN_LOSES, NOBODY_WINS, NOT_FINISHED } outcome;
    enum reason reason;
} endings[] = {
    {"Captured the flag", TURN_WINS, REASON_NONE},
    {"Destroyed all mobile", TURN_WINS, REASON_NONE},
    {"This player has surrendered", TURN_LOSES, REASON_RESIGNED},
    {"Game declared a draw because", NOBODY_WINS, REASON_BOTH_IMMOBILE},
    {"Game declared a draw after", NOT_FINISHED, REASON_NONE},
    {"Coords outside", TURN_LOSES, REASON_FORFEIT_ILLEGAL},
    {"Move does not select", TURN_LOSES, REASON_FORFEIT_ILLEGAL},
    {"Selected piece", TURN_LOSES, REASON_FORFEIT_ILLEGAL},
    {"Selected unit", TURN_LOSES, REASON_FORFEIT_ILLEGAL},
    {"Attempted move", TURN_LOSES, REASON_FORFEIT_ILLEGAL},
    {"Unintelli", TURN_LOSES, REASON_FORFEIT_ILLEGAL},
    {"Response timeout", TURN_LOSES, REASON_FORFEIT_TIME},
    {"SIGPIPE", TURN_LOSES, REASON_FORFEIT_CRASH},
};
enum { ENDINGS = sizeof endings / sizeof *endings };

static bool next_line(struct ucc_log_reader *reader) {
    if (!reader->again && !lines_next(&reader->lines)) return false;
    reader->again = false;
    size_t length = reader->lines.line_length;
    if (length >= sizeof reader->line) length = sizeof reader->line - 1;
    for (size_t i = 0; i < length; i++) {
        char c = reader->lines.line[i];
        reader->line[i] = c ? c : '?';
    }
    reader->line[length] = 0;
    return true;
}

/* "NAME RED SETUP": the side, or -1. */
static int setup_side(const char *line) {
    static const char *const words[] = {" RED SETUP", " BLUE SETUP"};
    size_t length = strlen(line);
    for (int side = RED; side <= BLUE; side++) {
        size_t tail = strlen(words[side]);
        if (length > tail && !strcmp(line + length - tail, words[side])) return side;
    }
    return -1;
}

bool ucc_log_is(const char *text, size_t length) {
    struct ucc_log_reader reader = {.lines = lines_of(text, length)};
    for (int i = 0; i < LINES_LOOKED_AT && next_line(&reader); i++)
        if (setup_side(reader.line) >= 0 || strstr(reader.line, " RED: ")) return true;
    return false;
}

static void ucc_log_complain(struct ucc_log_reader *reader, const char *expected) {
    foreign_complain(reader->help, reader->lines.number, 1, "\"%.40s\": %s", reader->line,
                     expected);
}

/* The program's file name, without folders. */
static void read_name(struct ucc_log_reader *reader, enum side side) {
    char *end = strstr(reader->line, side == RED ? " RED SETUP" : " BLUE SETUP");
    size_t length = (size_t)(end - reader->line);
    const char *name = reader->line;
    for (size_t i = 0; i < length; i++)
        if (reader->line[i] == '/' && i + 1 < length) name = reader->line + i + 1;
    foreign_copy(reader->foreign->names[side], reader->help, reader->lines.number, name,
                 (size_t)(end - name));
}

/* Reads the four rows after "NAME RED SETUP". */
static void read_setup(struct ucc_log_reader *reader, enum side side) {
    struct setup setup = {0};
    bool sound = true;
    if (reader->laid[side])
        foreign_note(reader->help, reader->lines.number, 1,
                     "a second set-up of %s; this one counts", side_name(side));
    read_name(reader, side);
    for (int row = 0; row < UCC_ROWS; row++) {
        struct fault fault = {0};
        bool more = next_line(reader);
        reader->again = more && (setup_side(reader->line) >= 0 || strchr(reader->line, ':'));
        if (!more || reader->again) {
            foreign_complain(reader->help, reader->lines.number, 1,
                             "%d more rows of a set-up are expected", UCC_ROWS - row);
            return;
        }
        if (!row && !strncmp(reader->line, "INVALID", 7)) return;
        if (ucc_read_row(&reader->frame, side, row, reader->line, &setup, &fault)) continue;
        foreign_complain(reader->help, reader->lines.number, 1, "%s", fault.text);
        sound = false;
    }
    if (!sound) return;
    const struct board *board = &reader->frame.rules->board;
    for (square at = 0; at < board->squares; at++) {
        if (setup.at[at] == KIND_NONE) continue;
        reader->foreign->start.at[side == RED ? at : board_turn(board, at)] =
            cell_of(side, setup.at[at]);
    }
    reader->laid[side] = true;
    reader->foreign->stands = reader->laid[RED] && reader->laid[BLUE];
}

static enum foreign_battle battle_named(const char *word) {
    if (!strcmp(word, "OK")) return BATTLE_NONE;
    if (!strcmp(word, "KILLS") || !strcmp(word, "VICTORY_FLAG")) return BATTLE_WON;
    if (!strcmp(word, "DIES")) return BATTLE_LOST;
    if (!strcmp(word, "BOTHDIE")) return BATTLE_BOTH_FELL;
    return BATTLE_UNTOLD;
}

/* "X Y DIRECTION [N] OUTCOME [A D]" behind "N RED: ". */
static void read_turn(struct ucc_log_reader *reader, const char *turn) {
    char words[5][TURN_TEXT_MAX] = {"", "", "", "", ""}, text[UCC_TEXT_MAX];
    int count =
        sscanf(turn, "%63s %63s %63s %63s %63s", words[0], words[1], words[2], words[3], words[4]);
    bool counted = count > 3 && isdigit((unsigned char)words[3][0]);
    enum foreign_battle battle =
        count > 3 + counted ? battle_named(words[3 + counted]) : BATTLE_UNTOLD;
    struct foreign_move move = {SQUARE_NONE,          SQUARE_NONE, (uint8_t)battle,
                                reader->lines.number, 1,           ""};
    struct ucc_answer answer;
    struct fault fault = {0};
    snprintf(text, sizeof text, "%s %s %s%s%s", words[0], words[1], words[2], counted ? " " : "",
             counted ? words[3] : "");
    if (battle == BATTLE_UNTOLD || !ucc_read_answer(&reader->frame, text, &answer, &fault)) {
        reader->doubtful = reader->lines.number;
        snprintf(reader->doubt, sizeof reader->doubt, "%s", turn);
        return;
    }
    move.from = answer.from;
    move.to = answer.to;
    foreign_add(reader->foreign, reader->help, move, reader->line, strlen(reader->line));
}

/* The game goes on after an unreadable move: it was damaged, not a forfeit. */
static void settle_doubt(struct ucc_log_reader *reader) {
    struct foreign_move move = {SQUARE_NONE, SQUARE_NONE, BATTLE_UNTOLD, reader->doubtful, 1, ""};
    if (!reader->doubtful) return;
    foreign_complain(reader->help, reader->doubtful, 1,
                     "\"%.40s\": X Y DIRECTION [N] and OK, KILLS A D, DIES A D or BOTHDIE A D are "
                     "expected; kept up to there",
                     reader->doubt);
    foreign_add(reader->foreign, reader->help, move, reader->doubt, strlen(reader->doubt));
    reader->doubtful = 0;
}

/* The side by RED or BLUE in a text, -1 for neither. */
static int side_in(const char *text) {
    return strstr(text, "RED") ? RED : strstr(text, "BLU") ? BLUE : -1;
}

static void read_reason(struct ucc_log_reader *reader, const char *words) {
    struct foreign *foreign = reader->foreign;
    bool laying = strstr(reader->line, "SETUP phase") != NULL;
    int turn = laying ? side_in(words) : side_in(reader->line);
    if (reader->ended)
        foreign_note(reader->help, reader->lines.number, 1,
                     "a second end of the game; this one counts");
    reader->ended = true;
    foreign_copy(foreign->ending, reader->help, reader->lines.number, words, strlen(words));
    if (laying && !strncmp(words, "An illegal setup", 16)) {
        foreign->reason = REASON_FORFEIT_ILLEGAL;
        if (turn >= 0) foreign->result = result_win(side_other((enum side)turn));
        if (turn < 0) foreign->reason = REASON_NONE; /* both set-ups: no winner */
        return;
    }
    for (int i = 0; i < ENDINGS; i++) {
        if (strncmp(words, endings[i].words, strlen(endings[i].words)) != 0) continue;
        foreign->reason = endings[i].reason;
        if (endings[i].outcome == NOBODY_WINS) foreign->result = RESULT_DRAW;
        if (endings[i].outcome == TURN_WINS && turn >= 0)
            foreign->result = result_win((enum side)turn);
        if (endings[i].outcome == TURN_LOSES && turn >= 0) {
            foreign->result = result_win(side_other((enum side)turn));
            snprintf(foreign->forfeit, sizeof foreign->forfeit, "%.200s", reader->doubt);
            reader->doubtful = 0;
        }
        return;
    }
    ucc_log_complain(reader, "the REASON is not known");
}

static void read_part(struct ucc_log_reader *reader) {
    int side = setup_side(reader->line);
    unsigned turn_number;
    char colour[4] = "";
    int used = 0;
    if (side >= 0) {
        settle_doubt(reader);
        read_setup(reader, (enum side)side);
    } else if (sscanf(reader->line, "%u %3[A-Z]: %n", &turn_number, colour, &used) == 2 && used) {
        settle_doubt(reader);
        if (reader->ended && !reader->late)
            foreign_note(reader->help, reader->lines.number, 1,
                         "a turn behind the game's end; it and those after it are read");
        reader->late = reader->ended;
        read_turn(reader, reader->line + used);
    } else if (!strncmp(reader->line, "Game ends", 9)) {
        const char *reason = strstr(reader->line, "REASON: ");
        if (reason) {
            read_reason(reader, reason + 8);
            settle_doubt(reader);
        } else {
            ucc_log_complain(reader, "\"REASON: …\" is expected");
        }
    } else if (!reader->ended) {
        /* "1 RED:" alone: the program lost because it did not answer. */
        if (sscanf(reader->line, "%u %3[A-Z]:", &turn_number, colour) == 2) {
            settle_doubt(reader);
            reader->doubtful = reader->lines.number;
            reader->doubt[0] = 0;
        } else {
            ucc_log_complain(reader,
                             "a turn, \"N RED: …\" or \"N BLU: …\", or the game's end is expected");
        }
    }
}

/* A manager that was stopped by a signal wrote the end behind "N RED: ". */
static void read_line(struct ucc_log_reader *reader) {
    unsigned turn_number;
    char colour[4];
    char *ending = strstr(reader->line, "Game ends");
    bool turn = sscanf(reader->line, "%u %3[A-Z]:", &turn_number, colour) == 2;
    if (!turn || !ending) {
        read_part(reader);
        return;
    }
    char rest[UCC_TEXT_MAX];
    snprintf(rest, sizeof rest, "%s", ending);
    while (ending > reader->line && lines_blank(ending[-1])) ending--;
    *ending = 0;
    read_part(reader);
    memcpy(reader->line, rest, sizeof rest);
    read_part(reader);
}

void ucc_log_read(struct foreign *foreign, const struct foreign_help *help, const char *text,
                  size_t length) {
    struct ucc_log_reader reader = {
        .foreign = foreign, .help = help, .lines = lines_of(text, length)};
    foreign->source = "UCC log";
    if (!foreign_variant(foreign, help, "milton-bradley", 0)) return;
    reader.frame = (struct ucc_frame){foreign->rules, RED};
    foreign->start.to_move = RED;
    bool begun = false;
    while (next_line(&reader)) {
        begun = begun || setup_side(reader.line) >= 0;
        if (begun) read_line(&reader);
    }
    settle_doubt(&reader);
    if (!reader.ended)
        foreign_complain(help, reader.lines.number, 1, "\"Game ends on …\" is expected at the end");
}
