/* hand.c - a person's turn on the screen.
 *
 * Moves are chosen from those the referee offers. For any other move a filled position, built from
 * this side's knowledge, gives the reason; where the filled position finds none, only the referee
 * knows it. */
#include "hand.h"

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

void hand_start(struct hand *hand, const struct board *board, enum side side) {
    int rank = side == RED ? board->zone_ranks - 1 : board->ranks - board->zone_ranks;
    hand->cursor = board_square(board, (board->files - 1) / 2, rank);
}

void hand_take(struct hand *hand, const struct view *view, const struct move *moves, size_t count) {
    hand->view = view;
    hand->pointing = pointing_of(moves, count);
    filled_position_make(&hand->filled, view);
}

void hand_leave(struct hand *hand) {
    hand->view = NULL;
    hand->pointing = pointing_of(NULL, 0);
}

void hand_mark(const struct hand *hand, struct chart_marks *marks) {
    marks->cursor = hand->cursor;
    marks->selected = hand->pointing.from;
    marks->targets = pointing_targets(&hand->pointing);
    marks->aims = pointing_aims(&hand->pointing);
}

static void hand_say(struct hand *hand, const char *english, const char *with) {
    language_write(hand->message, sizeof hand->message, hand->language, english, with);
}

static void hand_drop(struct hand *hand) {
    hand->pointing = pointing_of(hand->pointing.moves, hand->pointing.count);
}

static void hand_take_up(struct hand *hand, square at) {
    char name[SQUARE_TEXT_MAX];
    uint16_t number = hand->view->number[at];
    square_write(&hand->view->rules->board, at, name);
    hand_drop(hand);
    if (number == VIEW_EMPTY) {
        hand_say(hand, TEXT("You have no piece on {1}."), name);
    } else if (hand->view->piece[number].side != hand->view->side) {
        hand_say(hand, TEXT("The piece on {1} is the enemy's. Choose one of yours first."), name);
    } else if (!pointing_movable(&hand->pointing, at)) {
        bool immobile = !(hand->view->rules->mobile & kindset_of(hand->view->piece[number].kind));
        hand_say(hand,
                 immobile ? TEXT("The piece on {1} never moves.")
                          : TEXT("The piece on {1} cannot move now."),
                 name);
    } else {
        hand->pointing.from = at;
    }
}

/* Asks which way, if there are several. -1: none. */
static int choose_way(struct hand *hand, const struct pointing_way *ways, int count) {
    char texts[POINTING_WAYS_MAX][LANGUAGE_TEXT_MAX];
    struct dialog_item items[POINTING_WAYS_MAX];
    const struct rules *rules = hand->view->rules;
    if (count < 2) return count - 1;
    for (int i = 0; i < count; i++) {
        char to[SQUARE_TEXT_MAX];
        const char *ability =
            ways[i].ability == ABILITY_NONE
                ? ""
                : language_text(hand->language, rules->ability[ways[i].ability].name);
        square_write(&rules->board, ways[i].to, to);
        const char *pattern = TEXT("go to {1}, then {2}");
        bool attack = hand->view->number[ways[i].to] != VIEW_EMPTY;
        if (ways[i].ability == ABILITY_NONE) pattern = TEXT("go to {1}");
        if (ways[i].ability == ABILITY_NONE && attack) pattern = TEXT("attack {1}");
        if (ways[i].to == hand->pointing.from) pattern = TEXT("stay on {1}: {2}");
        language_write(texts[i], sizeof texts[i], hand->language, pattern, to, ability);
        items[i] = (struct dialog_item){texts[i], NULL};
    }
    return dialog_choose(hand->screen, hand->behind, language_text(hand->language, TEXT("How?")),
                         items, count, 0);
}

/* Asks for a kind, the strongest first. KIND_NONE: none. */
static kind_id choose_kind(struct hand *hand, const struct move *move, kindset choices) {
    const struct rules *rules = hand->view->rules;
    const struct language *language = hand->language;
    bool fallen = rules->ability[move->ability].asks == ASKS_CAPTURED;
    uint16_t number = hand->view->number[move->target];
    kindset possible = number == VIEW_EMPTY ? choices : view_may_be(hand->view, number);
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
    int chosen = dialog_choose(hand->screen, hand->behind, title, items, count, 0);
    return chosen < 0 ? KIND_NONE : kinds[chosen];
}

/* Completes a move along a way. True when `answer` is complete. */
static bool hand_follow(struct hand *hand, struct pointing_way way, struct answer *answer) {
    if (way.targets > 1) {
        hand->pointing.settled = true;
        hand->pointing.to = way.to;
        hand->pointing.ability = way.ability;
        hand_say(hand, TEXT("Aim {1}: choose one of the marked squares."),
                 language_text(hand->language, hand->view->rules->ability[way.ability].name));
        return false;
    }
    kindset choices = pointing_choices(&hand->pointing, &way, &answer->move);
    answer->type = ANSWER_MOVE;
    if (choices) {
        answer->move.choice = choose_kind(hand, &answer->move, choices);
        if (answer->move.choice == KIND_NONE) return false;
    }
    return true;
}

/* Shows why `move` is refused: in a line, or in a dialog if longer. The reasons may name it. */
static void hand_refuse(struct hand *hand, const char *move, bool named, char *reasons) {
    char *end = strchr(reasons, '\n');
    bool more = end && end[1]; /* the earlier moves that matter */
    if (end && !more) *end = 0;
    language_fill(hand->message, sizeof hand->message, named ? "{2}" : "{1}: {2}", move, reasons);
    if (more || columns_of(hand->message, SIZE_MAX) > hand->screen->columns) {
        hand->message[0] = 0;
        dialog_read(hand->screen, hand->behind, move, reasons);
    }
}

/* Shows why a move is illegal. True if only the referee can tell: it will refuse `answer`. */
static bool leave_to_referee(struct hand *hand, const struct move_pattern *pattern,
                             const char *text, struct answer *answer) {
    char reasons[REASONS_MAX];
    answer->type = ANSWER_MOVE;
    if (!reasons_find(hand->language, &hand->filled, pattern, &answer->move, reasons)) return true;
    hand_refuse(hand, text, false, reasons);
    return false;
}

bool hand_point(struct hand *hand, square at, struct answer *answer) {
    struct pointing_way ways[POINTING_WAYS_MAX];
    hand->cursor = at;
    hand->message[0] = 0;
    if (!hand->view) return false;
    if (hand->pointing.from == SQUARE_NONE) {
        hand_take_up(hand, at);
        return false;
    }
    int count = pointing_ways(&hand->pointing, at, ways);
    if (count) {
        int chosen = choose_way(hand, ways, count);
        return chosen >= 0 && hand_follow(hand, ways[chosen], answer);
    }
    uint16_t number = hand->view->number[at];
    if (at == hand->pointing.from || hand->pointing.settled) {
        hand_drop(hand);
        return false;
    }
    if (number != VIEW_EMPTY && hand->view->piece[number].side == hand->view->side) {
        hand_take_up(hand, at);
        return false;
    }
    const struct move move = {hand->pointing.from, at, SQUARE_NONE, ABILITY_NONE, KIND_NONE};
    const struct move_pattern pattern = {.from = move.from, .to = at, .target = SQUARE_NONE};
    char text[MOVE_TEXT_MAX];
    move_text(hand->view->rules, move, number != VIEW_EMPTY, text);
    return leave_to_referee(hand, &pattern, text, answer);
}

/* Moves the cursor to the next movable piece or, with a piece picked up, to its next target. */
static void next_square(struct hand *hand, int step) {
    int squares = hand->view->rules->board.squares;
    squareset marked = pointing_targets(&hand->pointing) | pointing_aims(&hand->pointing);
    bool in_hand = hand->pointing.from != SQUARE_NONE;
    for (int i = 1; i <= squares; i++) {
        square at = (square)((hand->cursor + step * i + squares * squares) % squares);
        if (in_hand ? !squareset_has(marked, at) : !pointing_movable(&hand->pointing, at)) continue;
        hand->cursor = at;
        return;
    }
}

/* The kinds that complete a typed ability; `move` receives the move without its kind. */
static kindset typed_choices(const struct hand *hand, struct move_pattern pattern,
                             struct move *move) {
    kindset choices = 0;
    for (size_t i = 0; i < hand->pointing.count && pattern.target != SQUARE_NONE; i++) {
        const struct move *offered = &hand->pointing.moves[i];
        pattern.choice = (kind_id)offered->choice;
        if (!move_fits(&pattern, *offered)) continue;
        pattern.abilities = (uint16_t)(1u << offered->ability);
        *move = *offered;
        choices |= kindset_of(pattern.choice);
    }
    return choices;
}

/* Handles a typed move. True when `answer` is complete. */
static bool take_typed(struct hand *hand, const char *line, const struct move_pattern *pattern,
                       struct answer *answer) {
    const struct move *offered = move_offered(pattern, hand->pointing.moves, hand->pointing.count);
    kindset choices = 0;
    answer->type = ANSWER_MOVE;
    if (!offered && pattern->choice == KIND_NONE)
        choices = typed_choices(hand, *pattern, &answer->move);
    if (!offered && !choices) return leave_to_referee(hand, pattern, line, answer);
    char instead[REASONS_MAX];
    if (reasons_contradict(hand->language, hand->view, pattern, instead)) {
        hand_refuse(hand, line, false, instead);
        return false;
    }
    if (offered) {
        answer->move = *offered;
        return true;
    }
    answer->move.choice = choose_kind(hand, &answer->move, choices);
    return answer->move.choice != KIND_NONE;
}

static bool type_move(struct hand *hand, struct answer *answer) {
    char line[MOVE_TEXT_MAX] = "", why[LANGUAGE_TEXT_MAX];
    struct move_pattern pattern;
    if (!dialog_type(hand->screen, hand->behind, language_text(hand->language, TEXT("Move")),
                     language_text(hand->language, TEXT("a4-a5, or e7@e9=bomb")), line,
                     sizeof line) ||
        !*line)
        return false;
    switch (typed_read(hand->language, hand->view->rules, line, &pattern, why, sizeof why)) {
    case TYPED_MOVE:
        return take_typed(hand, line, &pattern, answer);
    case TYPED_WRONG:
        hand_refuse(hand, line, true, why);
        return false;
    default:
        hand_say(hand, TEXT("\"{1}\" is not a move. A move looks like a4-a5."), line);
        return false;
    }
}

static bool hand_agrees(struct hand *hand, const char *question, const char *yes) {
    return dialog_confirm(hand->screen, hand->behind, language_text(hand->language, question),
                          language_text(hand->language, yes),
                          language_text(hand->language, TEXT("go on playing")));
}

static bool hand_turn_key(struct hand *hand, int key, struct answer *answer, bool *used) {
    switch (key) {
    case SCREEN_ENTER:
    case ' ':
        return hand_point(hand, hand->cursor, answer);
    case SCREEN_TAB:
        next_square(hand, 1);
        return false;
    case SCREEN_BACK_TAB:
        next_square(hand, -1);
        return false;
    case SCREEN_ESCAPE:
        hand_drop(hand);
        return false;
    case ':':
        return type_move(hand, answer);
    case 'r':
        answer->type = ANSWER_RESIGN;
        return hand_agrees(hand, TEXT("Resign this game?"), TEXT("resign"));
    case 'd':
        answer->type = ANSWER_DRAW;
        return hand_agrees(hand, TEXT("Offer a draw?"), TEXT("offer a draw"));
    default:
        *used = false;
        return false;
    }
}

bool hand_key(struct hand *hand, const struct chart *chart, int key, struct answer *answer,
              bool *used) {
    static const struct {
        int key, letter, right, up;
    } moves[] = {{SCREEN_LEFT, 'h', -1, 0},
                 {SCREEN_RIGHT, 'l', 1, 0},
                 {SCREEN_UP, 'k', 0, 1},
                 {SCREEN_DOWN, 'j', 0, -1}};
    bool again = hand->arranged && key == 'd';
    hand->arranged = false;
    *used = true;
    hand->message[0] = 0;
    if (again) {
        hand_say(hand, TEXT("The game has begun. Press d again to offer a draw."), NULL);
        return false;
    }
    for (int i = 0; i < 4; i++) {
        if (key != moves[i].key && key != moves[i].letter) continue;
        hand->cursor = chart_step(chart, hand->cursor, moves[i].right, moves[i].up);
        return false;
    }
    if (hand->view) return hand_turn_key(hand, key, answer, used);
    *used = false;
    return false;
}
