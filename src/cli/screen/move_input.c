/* move_input.c - a person's turn on the screen.
 *
 * Moves are chosen from those the referee offers. For any other move a filled position, built from
 * this side's knowledge, gives the reason; where the filled position finds none, only the referee
 * knows it. */
#include "move_input.h"

#include "cli/columns.h"
#include "cli/reasons.h"
#include "cli/typed.h"

#include <stdio.h>
#include <string.h>

enum { CHOICES_MAX = KINDS_MAX, POINTING_WAYS_MAX = 16 };

/* A way to use the square pointed at. */
struct pointing_way {
    square to;
    uint8_t ability; /* ABILITY_NONE: a plain move */
    square target;   /* SQUARE_NONE if several or none */
    int targets;
};

static struct pointing pointing_of(const struct move *moves, size_t count) {
    return (struct pointing){.moves = moves, .count = count, .from = SQUARE_NONE};
}

/* Can the piece on a square move? */
static bool pointing_movable(const struct pointing *pointing, square from) {
    for (size_t i = 0; i < pointing->count; i++)
        if (pointing->moves[i].from == from) return true;
    return false;
}

/* Does the move fit the choices so far? */
static bool is_meant(const struct pointing *pointing, const struct move *move) {
    if (move->from != pointing->from) return false;
    return !pointing->settled || (move->to == pointing->to && move->ability == pointing->ability);
}

/* Squares to go to; squares to aim at from the piece's square or, once settled, its destination. */
static squareset pointing_targets(const struct pointing *pointing) {
    squareset targets = 0;
    for (size_t i = 0; i < pointing->count && !pointing->settled; i++) {
        const struct move *move = &pointing->moves[i];
        if (is_meant(pointing, move) && move->to != move->from) targets |= squareset_of(move->to);
    }
    return targets;
}

static squareset pointing_aims(const struct pointing *pointing) {
    squareset aims = 0;
    for (size_t i = 0; i < pointing->count; i++) {
        const struct move *move = &pointing->moves[i];
        if (!is_meant(pointing, move) || move->target == SQUARE_NONE) continue;
        if (pointing->settled || move->to == move->from) aims |= squareset_of(move->target);
    }
    return aims;
}

/* Does the move fit the choices so far and the square pointed at? */
static bool leads_through(const struct pointing *pointing, const struct move *move, square at) {
    if (!is_meant(pointing, move)) return false;
    if (pointing->settled || move->to == move->from) return move->target == at;
    return move->to == at;
}

/* The ways that use a square. */
static int pointing_ways(const struct pointing *pointing, square at,
                         struct pointing_way ways[POINTING_WAYS_MAX]) {
    int count = 0;
    for (size_t i = 0; i < pointing->count; i++) {
        const struct move *move = &pointing->moves[i];
        if (!leads_through(pointing, move, at)) continue;
        struct pointing_way *way = NULL;
        for (int j = 0; j < count && !way; j++)
            if (ways[j].to == move->to && ways[j].ability == move->ability) way = &ways[j];
        if (!way) {
            if (count == POINTING_WAYS_MAX) break;
            way = &ways[count++];
            *way = (struct pointing_way){move->to, move->ability, move->target, 1};
        } else if (way->target != move->target) {
            way->target = SQUARE_NONE;
            way->targets++;
        }
    }
    return count;
}

/* The kinds that may be named for a way with a known target; empty if it asks for none. `move`
 * receives the move without its kind. */
static kindset pointing_choices(const struct pointing *pointing, const struct pointing_way *way,
                                struct move *move) {
    kindset choices = 0;
    for (size_t i = 0; i < pointing->count; i++) {
        const struct move *offered = &pointing->moves[i];
        if (offered->from != pointing->from || offered->to != way->to ||
            offered->ability != way->ability || offered->target != way->target)
            continue;
        *move = *offered;
        if (offered->choice != KIND_NONE) choices |= kindset_of((kind_id)offered->choice);
    }
    return choices;
}

void move_input_start(struct move_input *input, const struct board *board, enum side side) {
    const int ranks = board->zone_ranks[side];
    int rank = side == RED ? ranks - 1 : board->ranks - ranks;
    input->cursor = board_square(board, (board->files - 1) / 2, rank);
}

void move_input_take(struct move_input *input, const struct view *view, const struct move *moves,
                     size_t count) {
    input->view = view;
    input->pointing = pointing_of(moves, count);
    filled_position_make(&input->filled, view);
}

void move_input_leave(struct move_input *input) {
    input->view = NULL;
    input->pointing = pointing_of(NULL, 0);
}

void move_input_mark(const struct move_input *input, struct chart_marks *marks) {
    marks->cursor = input->cursor;
    marks->selected = input->pointing.from;
    marks->targets = pointing_targets(&input->pointing);
    marks->aims = pointing_aims(&input->pointing);
}

static void move_input_say(struct move_input *input, const char *english, const char *with) {
    language_write(input->message, sizeof input->message, input->language, english, with);
}

static void move_input_drop(struct move_input *input) {
    input->pointing = pointing_of(input->pointing.moves, input->pointing.count);
}

static void move_input_take_up(struct move_input *input, square at) {
    char name[SQUARE_TEXT_MAX];
    uint16_t number = input->view->number[at];
    square_write(&input->view->rules->board, at, name);
    move_input_drop(input);
    if (number == VIEW_EMPTY) {
        move_input_say(input, TEXT("You have no piece on {1}."), name);
    } else if (input->view->piece[number].side != input->view->side) {
        move_input_say(input, TEXT("The piece on {1} is the enemy's. Choose one of yours first."),
                       name);
    } else if (!pointing_movable(&input->pointing, at)) {
        bool immobile = !(input->view->rules->mobile & kindset_of(input->view->piece[number].kind));
        move_input_say(input,
                       immobile ? TEXT("The piece on {1} never moves.")
                                : TEXT("The piece on {1} cannot move now."),
                       name);
    } else {
        input->pointing.from = at;
    }
}

/* Asks which way, if there are several. -1: none. */
static int choose_way(struct move_input *input, const struct pointing_way *ways, int count) {
    char texts[POINTING_WAYS_MAX][LANGUAGE_TEXT_MAX];
    struct dialog_item items[POINTING_WAYS_MAX];
    const struct rules *rules = input->view->rules;
    if (count < 2) return count - 1;
    for (int i = 0; i < count; i++) {
        char to[SQUARE_TEXT_MAX];
        const char *ability =
            ways[i].ability == ABILITY_NONE
                ? ""
                : language_text(input->language, rules->ability[ways[i].ability].name);
        square_write(&rules->board, ways[i].to, to);
        const char *pattern = TEXT("go to {1}, then {2}");
        bool attack = input->view->number[ways[i].to] != VIEW_EMPTY;
        if (ways[i].ability == ABILITY_NONE) pattern = TEXT("go to {1}");
        if (ways[i].ability == ABILITY_NONE && attack) pattern = TEXT("attack {1}");
        if (ways[i].to == input->pointing.from) pattern = TEXT("stay on {1}: {2}");
        language_write(texts[i], sizeof texts[i], input->language, pattern, to, ability);
        items[i] = (struct dialog_item){texts[i], NULL};
    }
    return dialog_choose(input->screen, input->behind, language_text(input->language, TEXT("How?")),
                         items, count, 0);
}

/* Asks for a kind, the strongest first. KIND_NONE: none. */
static kind_id choose_kind(struct move_input *input, const struct move *move, kindset choices) {
    const struct rules *rules = input->view->rules;
    const struct language *language = input->language;
    bool fallen = rules->ability[move->ability].asks == ASKS_CAPTURED;
    uint16_t number = input->view->number[move->target];
    kindset possible = number == VIEW_EMPTY ? choices : view_may_be(input->view, number);
    char texts[CHOICES_MAX][LANGUAGE_NAME_MAX + LABEL_MAX + 8], at[SQUARE_TEXT_MAX];
    struct dialog_item items[CHOICES_MAX];
    kind_id kinds[CHOICES_MAX];
    int count = 0;
    for (kind_id kind = rules->kinds; kind > KIND_NONE; kind--) {
        if (!(choices & kindset_of(kind))) continue;
        snprintf(texts[count], sizeof texts[count], "%s  %s", rules->kind[kind].label,
                 language_kind(language, rules, kind));
        bool ruled_out = !fallen && !(possible & kindset_of(kind));
        items[count].text = texts[count];
        items[count].hint = ruled_out ? language_text(language, TEXT("ruled out")) : NULL;
        kinds[count++] = kind;
    }
    char title[LANGUAGE_TEXT_MAX];
    square_write(&rules->board, move->target, at);
    language_write(
        title, sizeof title, language,
        fallen ? TEXT("Which fallen piece returns on {1}?") : TEXT("What stands on {1}?"), at);
    int chosen = dialog_choose(input->screen, input->behind, title, items, count, 0);
    return chosen < 0 ? KIND_NONE : kinds[chosen];
}

/* Completes a move along a way. True when `answer` is complete. */
static bool move_input_follow(struct move_input *input, struct pointing_way way,
                              struct answer *answer) {
    if (way.targets > 1) {
        input->pointing.settled = true;
        input->pointing.to = way.to;
        input->pointing.ability = way.ability;
        move_input_say(
            input, TEXT("Aim {1}: choose one of the marked squares."),
            language_text(input->language, input->view->rules->ability[way.ability].name));
        return false;
    }
    kindset choices = pointing_choices(&input->pointing, &way, &answer->move);
    answer->type = ANSWER_MOVE;
    if (choices) {
        answer->move.choice = choose_kind(input, &answer->move, choices);
        if (answer->move.choice == KIND_NONE) return false;
    }
    return true;
}

/* Shows why `move` is refused: in a line, or in a dialog if longer. The reasons may name it. */
static void move_input_refuse(struct move_input *input, const char *move, bool named,
                              char *reasons) {
    char *end = strchr(reasons, '\n');
    bool more = end && end[1]; /* the earlier moves that matter */
    if (end && !more) *end = 0;
    language_fill(input->message, sizeof input->message, named ? "{2}" : "{1}: {2}", move, reasons);
    if (more || columns_of(input->message, SIZE_MAX) > input->screen->columns) {
        input->message[0] = 0;
        dialog_read(input->screen, input->behind, move, reasons);
    }
}

/* Shows why a move is illegal. True if only the referee can tell: it will refuse `answer`. */
static bool leave_to_referee(struct move_input *input, const struct move_pattern *pattern,
                             const char *text, struct answer *answer) {
    char reasons[REASONS_MAX];
    answer->type = ANSWER_MOVE;
    if (!reasons_find(input->language, &input->filled, pattern, &answer->move, reasons))
        return true;
    move_input_refuse(input, text, false, reasons);
    return false;
}

bool move_input_point(struct move_input *input, square at, struct answer *answer) {
    struct pointing_way ways[POINTING_WAYS_MAX];
    input->cursor = at;
    input->message[0] = 0;
    if (!input->view) return false;
    if (input->pointing.from == SQUARE_NONE) {
        move_input_take_up(input, at);
        return false;
    }
    int count = pointing_ways(&input->pointing, at, ways);
    if (count) {
        int chosen = choose_way(input, ways, count);
        return chosen >= 0 && move_input_follow(input, ways[chosen], answer);
    }
    uint16_t number = input->view->number[at];
    if (at == input->pointing.from || input->pointing.settled) {
        move_input_drop(input);
        return false;
    }
    if (number != VIEW_EMPTY && input->view->piece[number].side == input->view->side) {
        move_input_take_up(input, at);
        return false;
    }
    const struct move move = {input->pointing.from, at, SQUARE_NONE, ABILITY_NONE, KIND_NONE};
    const struct move_pattern pattern = {.from = move.from, .to = at, .target = SQUARE_NONE};
    char text[MOVE_TEXT_MAX];
    move_text(input->view->rules, move, number != VIEW_EMPTY, text);
    return leave_to_referee(input, &pattern, text, answer);
}

/* Moves the cursor to the next movable piece or, with a piece picked up, to its next target. */
static void next_square(struct move_input *input, int step) {
    int squares = input->view->rules->board.squares;
    squareset marked = pointing_targets(&input->pointing) | pointing_aims(&input->pointing);
    bool in_hand = input->pointing.from != SQUARE_NONE;
    for (int i = 1; i <= squares; i++) {
        square at = (square)((input->cursor + step * i + squares * squares) % squares);
        if (in_hand ? !squareset_has(marked, at) : !pointing_movable(&input->pointing, at))
            continue;
        input->cursor = at;
        return;
    }
}

/* The kinds that complete a typed ability; `move` receives the move without its kind. */
static kindset typed_choices(const struct move_input *input, struct move_pattern pattern,
                             struct move *move) {
    kindset choices = 0;
    for (size_t i = 0; i < input->pointing.count && pattern.target != SQUARE_NONE; i++) {
        const struct move *offered = &input->pointing.moves[i];
        pattern.choice = (kind_id)offered->choice;
        if (!move_fits(&pattern, *offered)) continue;
        pattern.abilities = (uint16_t)(1u << offered->ability);
        *move = *offered;
        choices |= kindset_of(pattern.choice);
    }
    return choices;
}

/* Handles a typed move. True when `answer` is complete. */
static bool take_typed(struct move_input *input, const char *line,
                       const struct move_pattern *pattern, struct answer *answer) {
    const struct move *offered =
        move_offered(pattern, input->pointing.moves, input->pointing.count);
    kindset choices = 0;
    answer->type = ANSWER_MOVE;
    if (!offered && pattern->choice == KIND_NONE)
        choices = typed_choices(input, *pattern, &answer->move);
    if (!offered && !choices) return leave_to_referee(input, pattern, line, answer);
    char instead[REASONS_MAX];
    if (reasons_contradict(input->language, input->view, pattern, instead)) {
        move_input_refuse(input, line, false, instead);
        return false;
    }
    if (offered) {
        answer->move = *offered;
        return true;
    }
    answer->move.choice = choose_kind(input, &answer->move, choices);
    return answer->move.choice != KIND_NONE;
}

static bool type_move(struct move_input *input, struct answer *answer) {
    char line[MOVE_TEXT_MAX] = "", why[LANGUAGE_TEXT_MAX];
    struct move_pattern pattern;
    if (!dialog_type(input->screen, input->behind, language_text(input->language, TEXT("Move")),
                     language_text(input->language, TEXT("a4-a5, or e7@e9=bomb")), line,
                     sizeof line) ||
        !*line)
        return false;
    switch (typed_read(input->language, input->view->rules, line, &pattern, why, sizeof why)) {
    case TYPED_MOVE:
        return take_typed(input, line, &pattern, answer);
    case TYPED_WRONG:
        move_input_refuse(input, line, true, why);
        return false;
    default:
        move_input_say(input, TEXT("\"{1}\" is not a move. A move looks like a4-a5."), line);
        return false;
    }
}

static bool move_input_agrees(struct move_input *input, const char *question, const char *yes) {
    return dialog_confirm(input->screen, input->behind, language_text(input->language, question),
                          language_text(input->language, yes),
                          language_text(input->language, TEXT("go on playing")));
}

static bool move_input_turn_key(struct move_input *input, int key, struct answer *answer,
                                bool *used) {
    switch (key) {
    case SCREEN_ENTER:
    case ' ':
        return move_input_point(input, input->cursor, answer);
    case SCREEN_TAB:
        next_square(input, 1);
        return false;
    case SCREEN_BACK_TAB:
        next_square(input, -1);
        return false;
    case SCREEN_ESCAPE:
        move_input_drop(input);
        return false;
    case ':':
        return type_move(input, answer);
    case 'r':
        answer->type = ANSWER_RESIGN;
        return move_input_agrees(input, TEXT("Resign this game?"), TEXT("resign"));
    case 'd':
        answer->type = ANSWER_DRAW;
        return move_input_agrees(input, TEXT("Offer a draw?"), TEXT("offer a draw"));
    default:
        *used = false;
        return false;
    }
}

bool move_input_key(struct move_input *input, const struct chart *chart, int key,
                    struct answer *answer, bool *used) {
    static const struct {
        int key, letter, right, up;
    } moves[] = {{SCREEN_LEFT, 'h', -1, 0},
                 {SCREEN_RIGHT, 'l', 1, 0},
                 {SCREEN_UP, 'k', 0, 1},
                 {SCREEN_DOWN, 'j', 0, -1}};
    bool again = input->arranged && key == 'd';
    input->arranged = false;
    *used = true;
    input->message[0] = 0;
    if (again) {
        move_input_say(input, TEXT("The game has begun. Press d again to offer a draw."), NULL);
        return false;
    }
    for (int i = 0; i < 4; i++) {
        if (key != moves[i].key && key != moves[i].letter) continue;
        input->cursor = chart_step(chart, input->cursor, moves[i].right, moves[i].up);
        return false;
    }
    if (input->view) return move_input_turn_key(input, key, answer, used);
    *used = false;
    return false;
}
