/* human.c - a person in lines of text.
 *
 * A typed move is looked up among the legal ones. A filled position of the view explains why
 * another move is illegal; if the filled position allows it, the referee judges it. */
#include "human.h"

#include "cli/columns.h"
#include "cli/hint_text.h"
#include "cli/reasons.h"
#include "cli/typed.h"
#include "listing.h"
#include "lua/kind_names.h"

#include <string.h>

enum { NOTES_MAX = 24 };

/* Commands are the same in every language, so that documentation holds for all. */
static const struct {
    const char *command, *what;
} HELP[] = {
    {"a4-a5", TEXT("move; a4xa5 attacks, a4a5 and a4 a5 do either")},
    {"e7@e9=bomb", TEXT("ability: piece, target and, if it asks for one, a kind's letter")},
    {"moves [a4]", TEXT("which pieces can move, or where one of them can go")},
    {"why a4-a5", TEXT("whether a move is legal and, if not, which rule forbids it")},
    {"hint", TEXT("what the strongest bot would do, and why")},
    {"mark c7 bomb", TEXT("mark what you think an enemy is; only you see it")},
    {"board", TEXT("the board again")},
    {"captured", TEXT("the fallen pieces")},
    {"undo", TEXT("take back your last move and the answer to it")},
    {"draw", TEXT("offer a draw")},
    {"resign", TEXT("give up the game")},
    {"save FILE", TEXT("write the record there when the game is over")},
    {"quit", TEXT("leave; the game is saved and can be continued")},
};

static FILE *out_of(const struct human *human) {
    return human->input->terminal.out;
}

static const struct language *language_of(const struct human *human) {
    return human->input->language;
}

static void human_help(const struct human *human) {
    FILE *out = out_of(human);
    for (size_t i = 0; i < sizeof HELP / sizeof HELP[0]; i++) {
        fprintf(out, "  %-12s %s\n", HELP[i].command,
                language_text(language_of(human), HELP[i].what));
    }
    language_line(out, language_of(human),
                  "Red is [10], blue is (10), by label. ## has never moved, ?? has.");
    language_line(
        out, language_of(human),
        "! after one of your pieces: the enemy knows it. > is the last move, ~~~~ a lake.");
}

/* A note beside the board, at most TERMINAL_NOTE_COLUMNS columns. */
typedef char note_text[4 * TERMINAL_NOTE_COLUMNS];

/* Breaks a list into lines of the notes beside the board. */
static int note_list(const char *list, note_text *notes, int count) {
    while (*list && count < NOTES_MAX) {
        size_t length = columns_break(list, TERMINAL_NOTE_COLUMNS - 2);
        int shown = (int)length - (list[length - 1] == ' ');
        snprintf(notes[count++], sizeof notes[0], "  %.*s", shown, list);
        list += length;
    }
    return count;
}

static const char *lost_text(const struct human *human, int side) {
    return language_text(language_of(human),
                         side == RED ? TEXT("Red has lost") : TEXT("Blue has lost"));
}

static int note_fallen(const struct human *human, int side, note_text *notes, int count) {
    char list[256];
    if (count >= NOTES_MAX) return count;
    columns_cut(notes[count++], sizeof notes[0], lost_text(human, side), TERMINAL_NOTE_COLUMNS);
    terminal_fallen(human->view, (enum side)side, list, sizeof list);
    return note_list(list, notes, count);
}

static void human_draw(const struct human *human) {
    const struct view *view = human->view;
    struct picture picture;
    note_text notes[NOTES_MAX];
    const char *lines[NOTES_MAX];
    picture_view(&picture, view);
    if (human->input->marks) suspicions_show(&human->input->marks[human->side], view, &picture);
    picture_mark(&picture, human->story.from, human->story.to, human->story.target);
    int count = note_fallen(human, RED, notes, 0);
    count = note_fallen(human, BLUE, notes, count);
    for (int i = 0; i < view->rules->counters && count < NOTES_MAX; i++) {
        char text[LANGUAGE_TEXT_MAX];
        terminal_counter(language_of(human), view, i, text, sizeof text);
        columns_cut(notes[count++], sizeof notes[0], text, TERMINAL_NOTE_COLUMNS);
    }
    for (int i = 0; i < count; i++) lines[i] = notes[i];
    terminal_draw(&human->input->terminal, &picture, lines, count);
}

static void list_fallen(const struct human *human) {
    for (int side = RED; side <= BLUE; side++) {
        char list[256];
        terminal_fallen(human->view, (enum side)side, list, sizeof list);
        fprintf(out_of(human), "%s: %s\n", lost_text(human, side), list);
    }
}

static void human_list_moves(const struct human *human, const char *from) {
    const struct board *board = &human->view->rules->board;
    square only = SQUARE_NONE;
    if (*from) {
        size_t used = square_read(board, from, strlen(from), &only);
        if (!used || from[used] || only == SQUARE_NONE) {
            language_line(out_of(human), language_of(human),
                          "\"{1}\" is not a square of the board.", from);
            return;
        }
    }
    if (!listing_print(out_of(human), language_of(human), &human->filled.game, human->moves,
                       human->count, only, true))
        language_line(out_of(human), language_of(human), "The piece on {1} cannot move now.", from);
}

/* Makes a typed move or, with `why`, explains it. True when `answer` goes to the referee, which
 * also judges a move that was not offered but that the filled position allows. */
static bool take_move(const struct human *human, const struct move_pattern *pattern, bool why,
                      struct answer *answer) {
    char reasons[REASONS_MAX];
    const struct move *offered = move_offered(pattern, human->moves, human->count);
    answer->type = ANSWER_MOVE;
    if (!offered) {
        if (!reasons_find(language_of(human), &human->filled, pattern, &answer->move, reasons))
            return true;
    } else if (reasons_contradict(language_of(human), human->view, pattern, reasons)) {
        strcat(reasons, "\n");
    } else if (why) {
        reasons_write(language_of(human), &human->filled.game, *offered, LEGAL,
                      human->filled.before, reasons);
    } else {
        answer->move = *offered;
        return true;
    }
    fputs(reasons, out_of(human));
    return false;
}

/* The same for a line, if it is a move; else says why not, or that it is something else. */
static enum typed read_move(const struct human *human, const char *line, bool why, bool *answered,
                            struct answer *answer) {
    struct move_pattern pattern;
    char reasons[REASONS_MAX];
    const enum typed typed =
        typed_read(language_of(human), human->view->rules, line, &pattern, reasons, sizeof reasons);
    *answered = typed == TYPED_MOVE && take_move(human, &pattern, why, answer);
    if (typed == TYPED_WRONG) fprintf(out_of(human), "%s\n", reasons);
    return typed;
}

/* The rest of a line that begins with `word`, else NULL. */
static const char *after_word(const char *line, const char *word) {
    size_t length = strlen(word);
    if (strncmp(line, word, length) || (line[length] && line[length] != ' ')) return NULL;
    return line + length + strspn(line + length, " ");
}

static void keep_save(const struct human *human, const char *path) {
    if (!*path) {
        language_line(out_of(human), language_of(human), "\"save\" takes a file name.");
        return;
    }
    snprintf(human->input->save_as, LINE_INPUT_PATH_MAX, "%s", path);
    language_line(out_of(human), language_of(human),
                  "The record will be written to {1} when the game is over.", path);
}

static void human_complain(const struct human *human, const struct fault *fault) {
    fprintf(out_of(human), "%s\n", language_text(language_of(human), fault->text));
}

/* Back to the position before the last move of this side, if that can be. False if one of two
 * people does not agree. */
static bool take_back(struct human *human) {
    struct fault fault = {0};
    const uint32_t plies = human->view->plies, keep = plies < 2 ? plies : plies - 2;
    if (human->input->people == 2 && plies >= 2 &&
        !line_input_agrees(
            human->input,
            human->side == RED
                ? TEXT("Red wants to take back its last move. Does blue agree? (y/n)")
                : TEXT("Blue wants to take back its last move. Does red agree? (y/n)")))
        return false;
    if (table_take_back(human->table, keep, &fault))
        language_line(out_of(human), language_of(human), "Taken back to ply {1}.",
                      NUMBER_TEXT(keep));
    else
        human_complain(human, &fault); /* the game is as it was */
    return true;
}

/* Gives the referee an answer, which it may refuse. */
static void human_give(struct human *human, struct answer *answer, struct fault *fault) {
    enum verdict verdict;
    if (referee_take(&human->table->referee, human->side, answer, &verdict, fault) ||
        (fault->status != STATUS_ILLEGAL_MOVE && fault->status != STATUS_TEXT))
        return;
    if (!human->input->ended) human_complain(human, fault);
    *fault = (struct fault){0};
}

static void human_hint(const struct human *human) {
    struct hint *hint = human->input->hint;
    struct move move;
    struct advice advice;
    struct fault fault = {0};
    char text[HINT_TEXT_MAX];
    if (!hint) {
        language_line(out_of(human), language_of(human),
                      human->input->people == 2 || human->input->teaches
                          ? TEXT("Hints are for games against a bot.")
                          : TEXT("No bot here gives hints: none has a level."));
        return;
    }
    if (hint_ask(hint, human->view, human->moves, human->count, NULL, &move, &advice, &fault)) {
        hint_tell(language_of(human), human->view, hint->options.bot, move, &advice, human->moves,
                  text);
    } else {
        hint_tell_fault(language_of(human), hint->options.bot, &fault, text);
    }
    fprintf(out_of(human), "%s\n", text);
}

/* "c7 bomb" marks the enemy there, "c7" takes the mark off. */
static void human_mark(const struct human *human, const char *words) {
    const struct language *language = language_of(human);
    const struct view *view = human->view;
    char text[LINE_INPUT_MAX], name[SQUARE_TEXT_MAX];
    square at = SQUARE_NONE;
    typed_move(language, view->rules, words, text, sizeof text);
    size_t used = square_read(&view->rules->board, text, strlen(text), &at);
    const char *word = words + strcspn(words, " ");
    word += strspn(word, " ");
    kind_id kind = *word ? kind_called(language, view->rules, word, strlen(word)) : KIND_NONE;
    if (!used || at == SQUARE_NONE || (*word && kind == KIND_NONE)) {
        language_line(out_of(human), language,
                      "\"mark\" takes a square and a kind, as in \"mark c7 bomb\".");
        return;
    }
    kindset choices = suspicions_choices(view, at);
    square_write(&view->rules->board, at, name);
    if (!choices || !human->input->marks) {
        language_line(out_of(human), language, "No hidden enemy stands on {1}.", name);
    } else if (kind != KIND_NONE && !(choices & kindset_of(kind))) {
        language_line(out_of(human), language, "{1}: {2} is ruled out.", name,
                      language_kind(language, view->rules, kind));
    } else {
        human->input->marks[human->side].kind[suspicions_place(view, at)] = kind;
        human_draw(human);
    }
}

/* Obeys one line of input that is no move. True when `answer` is set for the referee. */
static bool human_obey(struct human *human, const char *line, struct answer *answer) {
    const char *rest;
    bool answered;
    if ((rest = after_word(line, "moves"))) {
        human_list_moves(human, rest);
    } else if ((rest = after_word(line, "why"))) {
        if (read_move(human, rest, true, &answered, answer) != TYPED_OTHER) return answered;
        language_line(out_of(human), language_of(human),
                      "\"why\" takes a move, as in \"why a4-a5\".");
    } else if ((rest = after_word(line, "save"))) {
        keep_save(human, rest);
    } else if (!strcmp(line, "hint")) {
        human_hint(human);
    } else if ((rest = after_word(line, "mark"))) {
        human_mark(human, rest);
    } else if (!strcmp(line, "board")) {
        human_draw(human);
    } else if (!strcmp(line, "captured")) {
        list_fallen(human);
    } else if (!strcmp(line, "undo")) {
        language_line(out_of(human), language_of(human), "No move is taken back in the lesson.");
    } else if (!strcmp(line, "draw")) {
        answer->type = ANSWER_DRAW;
        return true;
    } else if (!strcmp(line, "resign")) {
        answer->type = ANSWER_RESIGN;
        return line_input_agrees(human->input, TEXT("Really resign? (y/n)"));
    } else if (line_input_quits(line)) {
        answer->type = ANSWER_QUIT;
        return true;
    } else if (!strcmp(line, "help") || !strcmp(line, "?")) {
        human_help(human);
    } else {
        language_line(out_of(human), language_of(human),
                      "\"{1}\" is neither a move nor a command, try \"help\".", line);
    }
    return false;
}

/* Obeys one line of input. True when the question was answered, or with a fault. */
static bool human_obey_line(struct human *human, const char *line, struct fault *fault) {
    struct answer answer = {0};
    if (!*line) return false;
    if (!strcmp(line, "undo") && !human->input->teaches) return take_back(human);
    bool answered;
    if (read_move(human, line, false, &answered, &answer) == TYPED_OTHER)
        answered = human_obey(human, line, &answer);
    if (answered) human_give(human, &answer, fault);
    return answered;
}

static void show_clock(const struct human *human, struct stopwatch *watch) {
    char left[2][STOPWATCH_TEXT_MAX];
    const struct game_clock clock = stopwatch_look(watch);
    for (int side = RED; side <= BLUE; side++) stopwatch_text(clock.left[side], left[side]);
    language_line(out_of(human), language_of(human), "Clock: red {1}, blue {2}.", left[RED],
                  left[BLUE]);
}

/* Once a turn: the board, for this person alone. */
static void show_board(struct human *human) {
    human->asked = true;
    filled_position_make(&human->filled, human->view);
    if (human->view->rules->open)
        human->input->seated = (int)human->side; /* nothing is hidden from the other one */
    else
        line_input_hand_over(human->input, human->side, human->story.text);
    fprintf(out_of(human), "\n%s", human->story.text);
    human_draw(human);
    story_clear(&human->story);
    if (human->view->plies < 2)
        language_line(out_of(human), language_of(human), "Type a move such as a4-a5, or \"help\".");
}

bool human_move(struct human *human, struct fault *fault) {
    struct session *session = human->table->referee.session;
    struct stopwatch *watch = table_watch(human->table);
    human->moves = session_moves(session, &human->count, fault);
    if (!human->moves) return false;
    human->view = &session->eyes.view[human->side];
    if (referee_declined(&human->table->referee, fault) && !human->input->ended)
        human_complain(human, fault);
    *fault = (struct fault){0};
    if (!human->asked) show_board(human);
    if (watch) {
        stopwatch_go(watch);
        show_clock(human, watch);
    }
    char line[LINE_INPUT_MAX], prompt[128];
    snprintf(prompt, sizeof prompt, "%u. %s> ", human->view->plies / 2 + 1,
             language_text(language_of(human),
                           human->side == RED ? TEXT("red to move") : TEXT("blue to move")));
    while (line_input_ask(human->input, prompt, line))
        if (human_obey_line(human, line, fault)) return fault->status == STATUS_OK;
    human_give(human, &(struct answer){.type = ANSWER_QUIT}, fault);
    return fault->status == STATUS_OK;
}

void human_hear(struct human *human, const struct session *session) {
    const struct view *view = &session->eyes.view[human->side];
    const size_t played = human->table->options.game.played_count;
    if (!session->tellings) {
        human->heard = 0;
        story_clear(&human->story);
    }
    human->asked = false;
    if (human->heard == session->tellings) return;
    human->heard = session->tellings;
    if (view->plies + 2 <= played) story_clear(&human->story); /* the last two turns are repeated */
    story_add(&human->story, language_of(human), view->rules, &session->eyes.told[human->side]);
}

bool human_accepts_draw(struct human *human) {
    return line_input_agrees(
        human->input, human->side == BLUE ? TEXT("Red offers a draw. Does blue accept it? (y/n)")
                                          : TEXT("Blue offers a draw. Does red accept it? (y/n)"));
}

void human_finish(const struct human *human) {
    bool teller = human->input->people == 1 || human->side == RED;
    if (teller && human->story.length) fprintf(out_of(human), "\n%s", human->story.text);
}

void human_sit(struct human *human, struct line_input *input, struct table *table, enum side side) {
    *human = (struct human){.input = input, .table = table, .side = side};
    story_clear(&human->story);
}
