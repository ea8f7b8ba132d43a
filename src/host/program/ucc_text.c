/* ucc_text.c - writes and reads the lines of the UCC 2012 protocol.
 *
 * All texts are derived from a view and events, which hold only what the side may know. Readers
 * trust no byte and quote any answer that they cannot read. */
#include "ucc_text.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    char letter;
    uint8_t count;
    uint8_t value; /* in the contest's count */
} pieces[] = {
    {"marshal", '1', 1, 10}, {"general", '2', 1, 9}, {"colonel", '3', 2, 8},
    {"major", '4', 3, 7},    {"captain", '5', 4, 6}, {"lieutenant", '6', 4, 5},
    {"sergeant", '7', 4, 4}, {"miner", '8', 5, 3},   {"scout", '9', 8, 2},
    {"spy", 's', 1, 1},      {"bomb", 'B', 6, 0},    {"flag", 'F', 1, 0},
};
enum { PIECES = sizeof pieces / sizeof *pieces };

static const struct {
    const char *word;
    int x, y;
} directions[] = {{"UP", 0, -1}, {"DOWN", 0, 1}, {"LEFT", -1, 0}, {"RIGHT", 1, 0}};
enum { DIRECTIONS = sizeof directions / sizeof *directions };

/* Index of a kind in `pieces`; PIECES if it is not there. */
static int piece_of(const struct rules *rules, kind_id kind) {
    int piece = 0;
    while (piece < PIECES && strcmp(rules->kind[kind].name, pieces[piece].name)) piece++;
    return piece;
}

static char letter_of(const struct rules *rules, kind_id kind) {
    int piece = piece_of(rules, kind);
    return piece < PIECES ? pieces[piece].letter : '?';
}

static kind_id kind_of(const struct rules *rules, char letter) {
    if (letter == 'S') letter = 's';
    for (kind_id kind = 1; kind <= rules->kinds; kind++)
        if (letter_of(rules, kind) == letter) return kind;
    return KIND_NONE;
}

static const char *colour_of(const struct ucc_frame *frame, enum side side) {
    return side == frame->red ? "RED" : "BLUE";
}

square ucc_square(const struct ucc_frame *frame, int x, int y) {
    if (x < 0 || x >= UCC_SIZE || y < 0 || y >= UCC_SIZE) return SQUARE_NONE;
    square at = (square)(y * UCC_SIZE + UCC_SIZE - 1 - x);
    return frame->red == RED ? at : board_turn(&frame->rules->board, at);
}

static void square_coordinates(const struct ucc_frame *frame, square at, int *x, int *y) {
    if (frame->red != RED) at = board_turn(&frame->rules->board, at);
    *x = UCC_SIZE - 1 - at % UCC_SIZE;
    *y = at / UCC_SIZE;
}

static bool is_standard_board(const struct rules *rules) {
    const struct board *board = &rules->board;
    if (board->files != UCC_SIZE || board->ranks != UCC_SIZE || !rules->same_starts ||
        board->zone_ranks[RED] != UCC_ROWS || rules->start[RED].bound ||
        rules->start[RED].zone_size != UCC_ROWS * UCC_SIZE)
        return false;
    squareset lakes = 0;
    for (int rank = 4; rank <= 5; rank++)
        for (int file = 2; file <= 7; file++)
            if (file != 4 && file != 5) lakes |= squareset_of(board_square(board, file, rank));
    return board->lakes == lakes;
}

static bool moves_straight(const struct rules *rules, kind_id kind) {
    if (rules->kind[kind].movement == MOVEMENT_NONE) return true;
    const struct movement *movement = &rules->movement[rules->kind[kind].movement];
    for (square from = 0; from < rules->board.squares; from++) {
        for (int side = RED; side <= BLUE; side++) {
            if (!squareset_has(rules->board.land, from)) continue;
            for (squareset reach = movement_ever(movement, (enum side)side, from, BAR_STOP);
                 reach;) {
                square to = squareset_pop(&reach);
                if (to % UCC_SIZE != from % UCC_SIZE && to / UCC_SIZE != from / UCC_SIZE)
                    return false;
            }
        }
    }
    return true;
}

bool ucc_fits(const struct rules *rules, struct fault *fault) {
    if (!is_standard_board(rules)) {
        return fault_set(fault, STATUS_USAGE,
                         "%s: the UCC protocol needs the standard board of 10 x 10 squares",
                         rules->name);
    }
    bool army = rules->kinds == PIECES;
    for (kind_id kind = 1; army && kind <= rules->kinds; kind++) {
        int piece = piece_of(rules, kind);
        army = piece < PIECES && rules->start[RED].count[kind] == pieces[piece].count;
    }
    if (!army) {
        return fault_set(fault, STATUS_USAGE,
                         "%s: the UCC protocol needs the army of 40 pieces that \"milton-bradley\" "
                         "and \"original\" have",
                         rules->name);
    }
    if (rules->calls) {
        return fault_set(fault, STATUS_USAGE,
                         "%s: the UCC protocol has no rules that depend on the position",
                         rules->name);
    }
    if (rules->armies != ARMIES_PLACED)
        return fault_set(fault, STATUS_USAGE,
                         "%s: the UCC protocol has no armies that nobody places", rules->name);
    if (rules->open)
        return fault_set(fault, STATUS_USAGE, "%s: the UCC protocol has no open games",
                         rules->name);
    if (rules->abilities)
        return fault_set(fault, STATUS_USAGE, "%s: the UCC protocol has no abilities", rules->name);
    bool shown = !rules->sight && !rules->fallen_hidden;
    for (kind_id a = 1; shown && a <= rules->kinds; a++)
        for (kind_id d = 1; d <= rules->kinds; d++)
            shown = shown && rules->after_battle[a][d] != AFTER_BATTLE_SILENT;
    if (!shown) {
        return fault_set(fault, STATUS_USAGE,
                         "%s: the UCC protocol shows every piece and both ranks of a battle",
                         rules->name);
    }
    for (kind_id kind = 1; kind <= rules->kinds; kind++) {
        if (moves_straight(rules, kind)) continue;
        return fault_set(fault, STATUS_USAGE,
                         "%s: the UCC protocol cannot express the moves of a %s", rules->name,
                         rules->kind[kind].name);
    }
    return true;
}

size_t ucc_write_greeting(const struct ucc_frame *frame, enum side side, const char *opponent,
                          char *out) {
    return (size_t)snprintf(out, UCC_TEXT_MAX, "%s %.*s %d %d\n", colour_of(frame, side),
                            UCC_NAME_MAX - 1, opponent, UCC_SIZE, UCC_SIZE);
}

size_t ucc_write_board(const struct ucc_frame *frame, const struct view *view, char *out) {
    size_t used = 0;
    for (int y = 0; y < UCC_SIZE; y++) {
        for (int x = 0; x < UCC_SIZE; x++) {
            square at = ucc_square(frame, x, y);
            uint16_t number = view->number[at];
            if (!squareset_has(frame->rules->board.land, at)) {
                out[used++] = '+';
            } else if (number == VIEW_EMPTY) {
                out[used++] = '.';
            } else {
                const struct view_piece *piece = &view->piece[number];
                out[used++] =
                    piece->side == view->side ? letter_of(frame->rules, piece->kind) : '#';
            }
        }
        out[used++] = '\n';
    }
    out[used] = 0;
    return used;
}

static size_t write_move(const struct ucc_frame *frame, const struct event *event, char *out) {
    int x, y, to_x, to_y;
    square_coordinates(frame, event->from, &x, &y);
    square_coordinates(frame, event->to, &to_x, &to_y);
    int right = to_x - x, down = to_y - y;
    const char *word = down < 0 ? "UP" : down > 0 ? "DOWN" : right < 0 ? "LEFT" : "RIGHT";
    int distance = down < 0 ? -down : down > 0 ? down : right < 0 ? -right : right;
    int used = snprintf(out, UCC_TEXT_MAX, "%d %d %s", x, y, word);
    if (distance > 1) used += snprintf(out + used, UCC_TEXT_MAX - (size_t)used, " %d", distance);
    return (size_t)used;
}

size_t ucc_write_turn(const struct ucc_frame *frame, const struct event *event, const char *echo,
                      char *out) {
    static const char *const outcomes[] = {
        [ATTACKER_WINS] = "KILLS", [DEFENDER_WINS] = "DIES", [BOTH_FALL] = "BOTHDIE"};
    size_t used =
        echo ? (size_t)snprintf(out, UCC_TEXT_MAX, "%s", echo) : write_move(frame, event, out);
    size_t room = UCC_TEXT_MAX - used;
    if (event->type != EVENT_BATTLE) return used + (size_t)snprintf(out + used, room, " OK\n");
    return used + (size_t)snprintf(out + used, room, " %s %c %c\n", outcomes[event->outcome],
                                   letter_of(frame->rules, event->kind),
                                   letter_of(frame->rules, event->other));
}

static int army_value(const struct view *view, enum side side) {
    int value = 0;
    for (kind_id kind = 1; kind <= view->rules->kinds; kind++) {
        int piece = piece_of(view->rules, kind);
        if (piece == PIECES) continue;
        value += pieces[piece].value * (view->start[side][kind] - view->captured[side][kind]);
    }
    return value;
}

/* The contest manager's word for such an end. */
static const char *result_word(const struct view *view) {
    switch ((enum reason)view->reason) {
    case REASON_FLAG:
    case REASON_IMMOBILE:
        return "VICTORY";
    case REASON_RESIGNED:
        return "SURRENDER";
    case REASON_NO_ATTACK_LIMIT:
    case REASON_PLY_LIMIT:
    case REASON_UNFINISHED:
        return "DRAW_DEFAULT";
    default:
        return view->result == RESULT_DRAW ? "DRAW" : "ILLEGAL";
    }
}

size_t ucc_write_quit(const struct ucc_frame *frame, const struct view *view,
                      const char *const names[2], char *out) {
    const char *word = result_word(view);
    enum side to_move = (enum side)view->to_move;
    enum side winner = view->result == RESULT_RED ? RED : BLUE;
    bool by_move =
        !strcmp(word, "VICTORY") || (view->result == RESULT_DRAW && view->reason != REASON_AGREED);
    uint32_t last = by_move && view->plies ? view->plies - 1 : view->plies;
    /* The manager ended a won game on the winner's turn, any other on that of the last to act. */
    enum side side = !strcmp(word, "VICTORY")      ? winner
                     : view->result == RESULT_NONE ? to_move
                     : view->result != RESULT_DRAW ? side_other(winner)
                     : by_move && view->plies      ? side_other(to_move)
                                                   : to_move;
    return (size_t)snprintf(out, UCC_TEXT_MAX, "QUIT %.*s %s %s %u %d %d\n", UCC_NAME_MAX - 1,
                            names[side], colour_of(frame, side), word, last / 2 + 1,
                            army_value(view, frame->red), army_value(view, side_other(frame->red)));
}

static const char BLANKS[] = " \t\r\v\f";

bool ucc_read_row(const struct ucc_frame *frame, enum side side, int row, const char *text,
                  struct setup *setup, struct fault *fault) {
    text += strspn(text, BLANKS);
    size_t length = strlen(text);
    while (length && strchr(BLANKS, text[length - 1])) length--;
    if (length != UCC_SIZE) {
        return fault_set(fault, STATUS_SETUP,
                         "row %d of the set-up is \"%.*s\", expected %d letters of 123456789sBF",
                         row + 1, (int)(length < 40 ? length : 40), text, UCC_SIZE);
    }
    const struct board *board = &frame->rules->board;
    int y = side == frame->red ? row : UCC_SIZE - UCC_ROWS + row;
    for (int x = 0; x < UCC_SIZE; x++) {
        kind_id kind = kind_of(frame->rules, text[x]);
        if (kind == KIND_NONE) {
            return fault_set(fault, STATUS_SETUP,
                             "row %d of the set-up is \"%.*s\": '%c' is not one of 123456789sBF",
                             row + 1, (int)length, text, text[x]);
        }
        square at = ucc_square(frame, x, y);
        setup->at[side == RED ? at : board_turn(board, at)] = kind;
    }
    return true;
}

enum { WORDS = 4, WORD_SIZE = 8 };

/* Splits at blanks. Returns how many words there are, WORDS + 1 if too many or too long. */
static int split_answer(const char *text, char words[WORDS][WORD_SIZE]) {
    int count = 0;
    for (;;) {
        text += strspn(text, BLANKS);
        size_t length = strcspn(text, BLANKS);
        if (!length) return count;
        /* "SURRENDER", the one longer word, was handled before. */
        if (count == WORDS || length >= WORD_SIZE) return WORDS + 1;
        memcpy(words[count], text, length);
        words[count++][length] = 0;
        text += length;
    }
}

/* A whole number of up to three digits, perhaps negative. */
static bool read_coordinate(const char *word, int *number) {
    bool minus = *word == '-';
    const char *digits = word + minus;
    size_t length = strspn(digits, "0123456789");
    if (!length || length > 3 || digits[length]) return false;
    *number = 0;
    for (; *digits; digits++) *number = 10 * *number + *digits - '0';
    if (minus) *number = -*number;
    return true;
}

static bool is_surrender(const char *text) {
    static const char word[] = "SURRENDER";
    text += strspn(text, BLANKS);
    return !strncmp(text, word, sizeof word - 1) &&
           !text[sizeof word - 1 + strspn(text + sizeof word - 1, BLANKS)];
}

bool ucc_read_answer(const struct ucc_frame *frame, const char *text, struct ucc_answer *answer,
                     struct fault *fault) {
    char words[WORDS][WORD_SIZE];
    *answer = (struct ucc_answer){.from = SQUARE_NONE, .to = SQUARE_NONE};
    if (is_surrender(text)) {
        answer->surrenders = true;
        return true;
    }
    int count = split_answer(text, words), x = 0, y = 0, distance = 1, direction = 0;
    bool readable = (count == WORDS || count == WORDS - 1) && read_coordinate(words[0], &x) &&
                    read_coordinate(words[1], &y);
    while (readable && direction < DIRECTIONS && strcmp(words[2], directions[direction].word))
        direction++;
    if (readable && count == WORDS) readable = read_coordinate(words[3], &distance) && distance > 0;
    if (!readable || direction == DIRECTIONS) {
        return fault_set(fault, STATUS_ILLEGAL_MOVE,
                         "the answer is \"%.60s\", expected \"X Y UP|DOWN|LEFT|RIGHT [N]\" or "
                         "\"SURRENDER\"",
                         text);
    }
    answer->from = ucc_square(frame, x, y);
    answer->to = ucc_square(frame, x + distance * directions[direction].x,
                            y + distance * directions[direction].y);
    if (answer->from == SQUARE_NONE || answer->to == SQUARE_NONE)
        return fault_set(fault, STATUS_ILLEGAL_MOVE, "the answer \"%.60s\" leaves the board", text);
    snprintf(answer->echo, sizeof answer->echo, "%s %s %s%s%s", words[0], words[1], words[2],
             count == WORDS ? " " : "", count == WORDS ? words[3] : "");
    return true;
}

void ucc_name(const char *name, char out[UCC_NAME_MAX]) {
    size_t used = 0;
    for (; *name && used < UCC_NAME_MAX - 1; name++)
        if (*name > ' ' && *name < 0x7F)
            out[used++] = *name;
        else if (used && out[used - 1] != '_')
            out[used++] = '_';
    out[used] = 0;
    if (!used) strcpy(out, "unknown");
}
