/* foreign.c - foreign games into records and back.
 *
 * Every move is judged as in a game of ours, without draw limits. A result by the rules has
 * precedence over that of the text, whose words are kept in tags that replays ignore: Source,
 * SourceEnding and, if it differs, SourceResult. */
#include "foreign.h"

#include "base/buffer.h"
#include "base/utf8.h"
#include "core/text/layout.h"
#include "host/playback.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const FOREIGN_KIND_NAMES[FOREIGN_KINDS] = {"bomb",     "spy",        "scout",   "miner",
                                                       "sergeant", "lieutenant", "captain", "major",
                                                       "colonel",  "general",    "marshal", "flag"};

enum { FOREIGN_MOVES_MAX = 1 << 20 };

void foreign_complain(const struct foreign_help *help, int line, int column, const char *format,
                      ...) {
    struct fault fault = {0};
    va_list args;
    va_start(args, format);
    fault_setv(&fault, STATUS_TEXT, format, args);
    va_end(args);
    fault_place(&fault, NULL, line, column);
    help->complain(help->context, &fault);
}

void foreign_note(const struct foreign_help *help, int line, int column, const char *format, ...) {
    struct fault fault = {0};
    va_list args;
    if (!help->note) return;
    va_start(args, format);
    fault_setv(&fault, STATUS_TEXT, format, args);
    va_end(args);
    fault_place(&fault, NULL, line, column);
    help->note(help->context, &fault);
}

bool foreign_variant(struct foreign *foreign, const struct foreign_help *help, const char *variant,
                     int line) {
    struct fault fault = {0};
    foreign->rules = help->rules(help->context, variant, &fault);
    if (foreign->rules) return true;
    fault_place(&fault, NULL, line, 0);
    help->complain(help->context, &fault);
    return false;
}

bool foreign_add(struct foreign *foreign, const struct foreign_help *help, struct foreign_move move,
                 const char *words, size_t length) {
    struct foreign_move *moves =
        array_grown(foreign->moves, foreign->move_count, sizeof *moves, FOREIGN_MOVES_MAX);
    if (!moves) {
        foreign_complain(help, move.line, move.column,
                         "at most %d moves, and memory for them, are expected", FOREIGN_MOVES_MAX);
        return false;
    }
    foreign->moves = moves;
    snprintf(move.words, sizeof move.words, "%.*s", (int)length, words);
    foreign->moves[foreign->move_count++] = move;
    return true;
}

void foreign_copy(char out[FOREIGN_NAME_MAX], const struct foreign_help *help, int line,
                  const char *text, size_t length) {
    size_t used = 0;
    while (length && strchr(" \t\r\n", text[length - 1])) length--;
    while (length && strchr(" \t\r\n", *text)) {
        text++;
        length--;
    }
    const size_t odd = utf8_part(text, length);
    for (size_t i = 0; i < length; i++) {
        char bytes[4] = {text[i]};
        const size_t count = odd < length ? utf8_write(bytes, utf8_of_windows_1252(text[i])) : 1;
        if (used + count >= FOREIGN_NAME_MAX) break;
        memcpy(out + used, bytes, count);
        used += count;
    }
    out[used] = 0;
    if (used && length > used && odd == length) out[used = utf8_cut(text, used)] = 0;
    if (odd < length)
        foreign_note(help, line, 0, "\"%s\" is not UTF-8 (byte 0x%02x): read as windows-1252", out,
                     (unsigned char)text[odd]);
}

void foreign_clear(struct foreign *foreign) {
    free(foreign->moves);
    *foreign = (struct foreign){0};
}

/* One side's army as a set-up. False with a fault if it is not a legal one. */
static bool take_setup(const struct foreign *foreign, enum side side, struct setup *setup,
                       struct fault *fault) {
    const struct board *board = &foreign->rules->board;
    *setup = (struct setup){0};
    for (square at = 0; at < board->squares; at++) {
        cell piece = foreign->start.at[at];
        if (piece == CELL_EMPTY || cell_side(piece) != side) continue;
        if (!squareset_has(board->zone[side], at)) {
            char name[SQUARE_TEXT_MAX];
            square_write(board, at, name);
            return fault_set(fault, STATUS_SETUP, "the %s on %s is outside its zone",
                             foreign->rules->kind[cell_kind(piece)].name, name);
        }
        setup->at[side == RED ? at : board_turn(board, at)] = cell_kind(piece);
    }
    return setup_check(foreign->rules, side, setup, fault);
}

/* Tags of the start: both set-ups, else a position. False if memory is short. */
static bool tag_start(const struct foreign *foreign, const struct foreign_help *help,
                      struct record *record) {
    static const char *const names[] = {"RedSetup", "BlueSetup"};
    const struct rules *rules = foreign->rules;
    struct setup setups[2];
    struct fault fault = {0};
    bool whole = !foreign->free;
    for (int side = RED; side <= BLUE && whole; side++) {
        whole = take_setup(foreign, (enum side)side, &setups[side], &fault);
        if (!whole) {
            foreign_complain(help, 0, 0, "%s's army is no set-up of %s (%s); kept as a position",
                             side_name((enum side)side), rules->name, fault.text);
        }
    }
    if (!whole) {
        char text[POSITION_TEXT_MAX];
        position_write(rules, &foreign->start, text);
        return record_set_tag(record, "Position", text);
    }
    bool made = true;
    for (int side = RED; side <= BLUE; side++) {
        char text[SETUP_TEXT_MAX];
        setup_write(rules, (enum side)side, &setups[side], text);
        made = made && record_set_tag(record, names[side], text);
    }
    return made && (foreign->start.to_move == RED || record_set_tag(record, "First", "blue"));
}

/* The true outcome of a turn. */
static enum foreign_battle battle_of(const struct events *events) {
    for (int e = 0; e < events->count; e++) {
        const struct event *event = &events->list[e];
        if (event->type != EVENT_BATTLE) continue;
        return event->outcome == ATTACKER_WINS   ? BATTLE_WON
               : event->outcome == DEFENDER_WINS ? BATTLE_LOST
                                                 : BATTLE_BOTH_FELL;
    }
    return BATTLE_NONE;
}

static const char *battle_words(enum foreign_battle battle) {
    switch (battle) {
    case BATTLE_WON:
        return "the attacker wins";
    case BATTLE_LOST:
        return "the attacker falls";
    case BATTLE_BOTH_FELL:
        return "both fall";
    case BATTLE_NONE:
    case BATTLE_UNTOLD:
        break;
    }
    return "there is no battle";
}

/* Plays up to the first move that is unreadable, illegal or has another outcome than the text says.
 * False after a complaint about it. */
static bool play_moves(const struct foreign *foreign, const struct foreign_help *help,
                       struct session *session, struct record *record) {
    for (size_t i = 0; i < foreign->move_count; i++) {
        const struct foreign_move *told = &foreign->moves[i];
        if (told->from == SQUARE_NONE) return false; /* the reader has complained */
        struct move move = {told->from, told->to, SQUARE_NONE, ABILITY_NONE, KIND_NONE};
        enum verdict verdict;
        struct fault fault = {0};
        char text[MOVE_TEXT_MAX];
        move_write(&session->game, move, text);
        if (!session_play(session, move, &verdict, &fault)) {
            fault_set(&fault, STATUS_ILLEGAL_MOVE, "ply %zu, %s (%s): %s; kept up to there", i + 1,
                      told->words, verdict_name(verdict), verdict_sentence(verdict));
            fault_place(&fault, NULL, told->line, told->column);
            help->complain(help->context, &fault);
            return false;
        }
        if (!record_add_move(record, text)) {
            foreign_complain(help, 0, 0, "no memory for the record's moves");
            return false;
        }
        enum foreign_battle battle = battle_of(&session->eyes.told[session->teller]);
        if (told->battle != BATTLE_UNTOLD && told->battle != battle) {
            foreign_complain(help, told->line, told->column,
                             "ply %zu, %s: %s, but the text says that %s; kept up to there", i + 1,
                             told->words, battle_words(battle),
                             battle_words((enum foreign_battle)told->battle));
            return false;
        }
    }
    return true;
}

/* Result and reason after the moves; `whole`: all of them were played. */
static void find_ending(const struct foreign *foreign, const struct foreign_help *help,
                        const struct session *session, bool whole, enum result *result,
                        enum reason *reason) {
    if (session->over) {
        *result = session->result;
        *reason = session->reason;
        if (whole && foreign->result != RESULT_NONE && foreign->result != *result) {
            foreign_complain(
                help, 0, 0, "the text's result is \"%s\", but its moves end in \"%s\" by \"%s\"",
                result_name(foreign->result), result_name(*result), reason_name(*reason));
        }
        return;
    }
    *result = whole ? foreign->result : RESULT_NONE;
    *reason = whole ? foreign->reason : REASON_NONE;
    if (*result == RESULT_NONE)
        *reason = REASON_UNFINISHED;
    else if (*reason == REASON_NONE)
        *reason = *result == RESULT_DRAW ? REASON_AGREED : REASON_RESIGNED;
}

static bool tag_game(const struct foreign *foreign, const struct foreign_help *help,
                     struct record *record) {
    static const char *const names[] = {"Red", "Blue"};
    bool made = record_set_tag(record, "Variant", foreign->rules->name);
    for (int side = RED; side <= BLUE; side++) {
        const char *name = foreign->names[side];
        made = made && (!*name || record_set_tag(record, names[side], name));
    }
    return made && record_set_tag(record, "Source", foreign->source) &&
           record_set_tag(record, "Limits", "none") &&
           (!foreign->stands || tag_start(foreign, help, record));
}

static bool tag_ending(const struct foreign *foreign, struct record *record, enum result result,
                       enum reason reason) {
    const char *ending = foreign->ending, *forfeit = foreign->forfeit;
    bool made = record_set_tag(record, "Result", result_name(result)) &&
                record_set_tag(record, "Reason", reason_name(reason));
    if (made && result != foreign->result && foreign->result != RESULT_NONE)
        made = record_set_tag(record, "SourceResult", result_name(foreign->result));
    return made && (!*ending || record_set_tag(record, "SourceEnding", ending)) &&
           (!*forfeit || record_set_tag(record, "Forfeit", forfeit));
}

static bool fill_record(const struct foreign *foreign, const struct foreign_help *help,
                        struct record *record) {
    enum result result = foreign->result;
    enum reason reason = foreign->reason;
    bool made = tag_game(foreign, help, record);
    if (made && foreign->stands) {
        const struct limits none = {0};
        const struct session_options options = {.rules = foreign->rules,
                                                .position = &foreign->start,
                                                .limits = &none,
                                                .plies = (uint32_t)foreign->move_count + 1};
        struct session *session = session_open(&options, NULL);
        made = session != NULL;
        bool whole = made && play_moves(foreign, help, session, record);
        if (made) find_ending(foreign, help, session, whole, &result, &reason);
        session_close(session);
    }
    return made && tag_ending(foreign, record, result, reason);
}

struct record *foreign_record(const struct foreign *foreign, const struct foreign_help *help) {
    struct fault fault = {0};
    if (!foreign->rules) return NULL; /* the reader has complained */
    /* A game that was forfeited before both set-ups were accepted makes a record too. */
    bool forfeited = reason_is_forfeit(foreign->reason) &&
                     (foreign->result == RESULT_RED || foreign->result == RESULT_BLUE);
    if (!foreign->stands && (!forfeited || foreign->move_count)) {
        foreign_complain(help, 0, 0, "an army is missing: there is no game to keep");
        return NULL;
    }
    struct foreign ours = *foreign;
    if (foreign->move_count && foreign->moves[0].from != SQUARE_NONE) {
        cell mover = foreign->start.at[foreign->moves[0].from];
        ours.start.to_move = mover != CELL_EMPTY ? cell_side(mover) : RED;
    }
    if (foreign->stands && !position_check(foreign->rules, &foreign->start, &fault)) {
        foreign_complain(help, 0, 0, "no position of %s: %s", foreign->rules->name, fault.text);
        return NULL;
    }
    struct record *record = record_new();
    if (record && fill_record(&ours, help, record)) return record;
    foreign_complain(help, 0, 0, "no memory for a record");
    record_free(record);
    return NULL;
}

static bool is_usual(const char *kind) {
    for (int i = 0; i < FOREIGN_KINDS; i++)
        if (!strcmp(kind, FOREIGN_KIND_NAMES[i])) return true;
    return false;
}

bool foreign_take(struct foreign *foreign, const struct record *record, const struct game *game,
                  struct fault *fault) {
    static const char *const names[] = {"Red", "Blue"};
    static const struct foreign_help silent = {0};
    const struct rules *rules = game->rules;
    struct limits limits;
    *foreign = (struct foreign){.rules = rules,
                                .stands = true,
                                .free = record_tag(record, "Position") != NULL,
                                .result = (enum result)game->result,
                                .reason = (enum reason)game->reason};
    if (rules->board.files != 10 || rules->board.ranks != 10) {
        return fault_set(fault, STATUS_RULES, "a board of %d x %d; one of 10 x 10 is expected",
                         rules->board.files, rules->board.ranks);
    }
    for (kind_id kind = 1; kind <= rules->kinds; kind++) {
        if (!is_usual(rules->kind[kind].name)) {
            return fault_set(fault, STATUS_RULES, "there is no word for the kind \"%s\"",
                             rules->kind[kind].name);
        }
    }
    if (!record_start(record, rules, &foreign->start, &limits, fault)) return false;
    for (int side = RED; side <= BLUE; side++) {
        const char *name = record_tag(record, names[side]);
        if (name) foreign_copy(foreign->names[side], &silent, 0, name, strlen(name));
    }
    const char *ending = record_tag(record, "SourceEnding");
    if (ending) foreign_copy(foreign->ending, &silent, 0, ending, strlen(ending));
    foreign->moves = malloc((game->ply_count + 1) * sizeof *foreign->moves);
    if (!foreign->moves) return fault_set(fault, STATUS_NO_MEMORY, "out of memory");
    for (uint32_t i = 0; i < game->ply_count; i++) {
        struct move move = game->plies[i].move;
        const struct record_move *recorded = &record->moves[i];
        if (move.ability != ABILITY_NONE) {
            fault_set(fault, STATUS_TEXT, "ply %u, %s: there is no word for an ability", i + 1,
                      recorded->text);
            fault_place(fault, NULL, recorded->line, recorded->column);
            return false;
        }
        foreign->moves[foreign->move_count++] = (struct foreign_move){
            .from = move.from, .to = move.to, .line = recorded->line, .column = recorded->column};
    }
    return true;
}
