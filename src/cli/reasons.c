/* reasons.c - explains in sentences why a move is legal or not. */
#include "reasons.h"

#include "core/play/calls.h"

#include <stdio.h>
#include <stdlib.h>

struct reason_lines {
    const struct language *language;
    char *out;
    size_t length;
};

#define line(lines, ...) line_list(lines, (const char *const[]){__VA_ARGS__, NULL})

static void line_list(struct reason_lines *lines, const char *const *texts) {
    if (lines->length + 2 > REASONS_MAX) return;
    lines->length += language_fill_list(lines->out + lines->length, REASONS_MAX - 1 - lines->length,
                                        lines->language, texts);
    lines->out[lines->length++] = '\n';
    lines->out[lines->length] = 0;
}

/* Writes the plies of the evidence: "31. a4-a5, 33. a5-a4". */
static void list_plies(const struct game *game, const struct evidence *evidence, uint32_t before,
                       char *out, size_t size) {
    size_t length = 0;
    *out = 0;
    for (int i = 0; i < evidence->count; i++) {
        char move[MOVE_TEXT_MAX];
        move_text(game->rules, game->plies[evidence->ply[i] - 1].move, false, move);
        int wrote = snprintf(out + length, size - length, "%s%u. %s", i ? ", " : "",
                             (unsigned)(evidence->ply[i] + before), move);
        if (wrote < 0 || (size_t)wrote >= size - length) return;
        length += (size_t)wrote;
    }
}

static void tell_earlier(struct reason_lines *lines, const struct game *game,
                         const struct evidence *evidence, uint32_t before) {
    char list[512], border[2][SQUARE_TEXT_MAX];
    list_plies(game, evidence, before, list, sizeof list);
    if (evidence->verdict == ILLEGAL_CHASE && !evidence->count) {
        line(lines,
             "The chase began with ply {1}; the move would bring back the position after "
             "ply {2}.",
             NUMBER_TEXT(evidence->since + before), NUMBER_TEXT(evidence->position + before));
    } else if (evidence->verdict == ILLEGAL_CHASE) {
        line(lines, TEXT("The same piece was chased by these plies: {1}."), list);
    } else if (evidence->count) {
        for (int i = 0; i < 2; i++)
            square_write(&game->rules->board, evidence->border[i], border[i]);
        line(lines,
             TEXT("To and fro between {1} and {2}, in a row: {3} (at most: {4}). Plies: {5}."),
             border[0], border[1], NUMBER_TEXT(evidence->count),
             NUMBER_TEXT(game->rules->two_squares), list);
    }
}

/* The square that a move attacks, if it does. */
static squareset attacked_square(const struct game *game, struct move move) {
    return (game->pieces[RED] | game->pieces[BLUE]) & squareset_of(move.to);
}

/* The piece nearest to move.from that alone keeps the mover from move.to; SQUARE_NONE: none does.
 */
static square piece_between(const struct game *game, const struct movement *movement,
                            struct move move) {
    enum side side = (enum side)game->to_move;
    squareset others = (game->pieces[RED] | game->pieces[BLUE]) &
                       ~(squareset_of(move.from) | squareset_of(move.to));
    square nearest = SQUARE_NONE;
    int least = 2 * BOARD_LINES_MAX;
    while (others) {
        square at = squareset_pop(&others);
        const struct board *board = &game->rules->board;
        int far = abs(board_file(board, at) - board_file(board, move.from)) +
                  abs(board_rank(board, at) - board_rank(board, move.from));
        squareset reached = movement_reach(movement, side, move.from,
                                           squareset_of(at) | attacked_square(game, move));
        if (far >= least || squareset_has(reached, move.to)) continue;
        nearest = at;
        least = far;
    }
    return nearest;
}

/* The first lake on the straight line to move.to, if the piece could go as far elsewhere, through
 * the square that the lake has here; else SQUARE_NONE. */
static square lake_between(const struct game *game, const struct movement *movement,
                           struct move move) {
    const struct board *board = &game->rules->board;
    int file = board_file(board, move.from), rank = board_rank(board, move.from);
    int right = board_file(board, move.to) - file, up = board_rank(board, move.to) - rank;
    int length = abs(right + up), part = 1;
    const bool attacked = attacked_square(game, move) != 0;
    if (right && up) return SQUARE_NONE;
    while (part < length &&
           squareset_has(board->land, board_square(board, file + right * part / length,
                                                   rank + up * part / length)))
        part++;
    if (part >= length) return SQUARE_NONE;
    int across = right * part / length, along = up * part / length;
    for (int from = 0; from < board->squares; from++) {
        int from_file = board_file(board, (square)from),
            from_rank = board_rank(board, (square)from);
        square to = board_square(board, from_file + right, from_rank + up);
        square passed = board_square(board, from_file + across, from_rank + along);
        enum side side = (enum side)game->to_move;
        if (to != SQUARE_NONE &&
            squareset_has(movement_ever(movement, side, (square)from, BAR_STOP), to) &&
            !squareset_has(movement_reach(movement, side, (square)from,
                                          squareset_of(passed) | (attacked ? squareset_of(to) : 0)),
                           to))
            return board_square(board, file + across, rank + along);
    }
    return SQUARE_NONE;
}

/* What is in the way, if a single piece or a lake is. False: something else forbids the move. */
static bool obstacle_write(const struct reason_lines *lines, const struct game *game,
                           struct move move, enum verdict verdict, char *out, size_t size) {
    const struct rules *rules = game->rules;
    if (verdict != ILLEGAL_BLOCKED && verdict != ILLEGAL_MOVEMENT) return false;
    const struct movement *movement =
        &rules->movement[rules->kind[cell_kind(game->at[move.from])].movement];
    bool lake = verdict == ILLEGAL_MOVEMENT;
    square at = (lake ? lake_between : piece_between)(game, movement, move);
    char name[SQUARE_TEXT_MAX];
    if (at == SQUARE_NONE) return false;
    square_write(&rules->board, at, name);
    language_write(out, size, lines->language,
                   lake ? TEXT("the lake on {1} is in the way")
                        : TEXT("the piece on {1} is in the way"),
                   name);
    return true;
}

/* Adds the verdict's sentence and, if the variant's own call refuses the move, the call's reason.
 * Each of the two is translated by itself. */
static void tell_refusal(struct reason_lines *lines, const struct game *game, struct move move,
                         enum verdict verdict) {
    char why[CALL_WHY_MAX] = "", text[REASONS_MAX];
    if (verdict == ILLEGAL_VARIANT) calls_allow(game, move, why);
    if (!obstacle_write(lines, game, move, verdict, text, sizeof text))
        snprintf(text, sizeof text, "%s%s%s",
                 language_text(lines->language, verdict_sentence(verdict)), why[0] ? ": " : "",
                 language_text(lines->language, why));
    line(lines, TEXT("Not legal ({1}): {2}."), verdict_name(verdict), text);
}

void reasons_write(const struct language *language, const struct game *game, struct move move,
                   enum verdict verdict, uint32_t before, char out[REASONS_MAX]) {
    struct reason_lines lines = {language, out, 0};
    bool attack = move.to < game->rules->board.squares && game->at[move.to] && move.to != move.from;
    *out = 0;
    if (verdict != LEGAL)
        tell_refusal(&lines, game, move, verdict);
    else if (move.ability != ABILITY_NONE)
        line(&lines, TEXT("Legal: it uses an ability of this piece."));
    else if (attack)
        line(&lines, TEXT("Legal: it attacks the enemy there."));
    else
        line(&lines, TEXT("Legal: the way is free."));
    if (verdict != LEGAL && verdict != ILLEGAL_TWO_SQUARES && verdict != ILLEGAL_CHASE) return;
    struct evidence evidence;
    repetition_explain(game, move, &evidence);
    tell_earlier(&lines, game, &evidence, before);
}

bool reasons_find(const struct language *language, const struct filled_position *filled,
                  const struct move_pattern *pattern, struct move *move, char out[REASONS_MAX]) {
    enum verdict verdict = move_resolve(&filled->game, pattern, move);
    reasons_write(language, &filled->game, *move, verdict, filled->before, out);
    return verdict != LEGAL;
}

bool reasons_contradict(const struct language *language, const struct view *view,
                        const struct move_pattern *pattern, char out[REASONS_MAX]) {
    uint16_t number = view->number[pattern->to];
    bool empty = number == VIEW_EMPTY && squareset_has(view_sees(view), pattern->to);
    bool enemy = number != VIEW_EMPTY && view->piece[number].side != view->side;
    bool attack = pattern->sign == 'x';
    if (!pattern->sign || !(attack ? empty : enemy)) return false;
    char to[SQUARE_TEXT_MAX], instead[MOVE_TEXT_MAX];
    const struct move move = {pattern->from, pattern->to, SQUARE_NONE, ABILITY_NONE, KIND_NONE};
    square_write(&view->rules->board, pattern->to, to);
    move_text(view->rules, move, !attack, instead);
    language_write(out, REASONS_MAX, language,
                   attack ? TEXT("no enemy on {1}; to move there type {2}")
                          : TEXT("an enemy stands on {1}; to attack it type {2}"),
                   to, instead);
    return true;
}
