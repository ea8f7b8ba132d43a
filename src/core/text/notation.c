/* notation.c - writes and parses moves. The text may contain any bytes. */
#include "notation.h"

#include "base/lines.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Does a kind that may have used the ability, as far as is public, have another one? */
static bool is_ambiguous(const struct rules *rules, const struct ability *used) {
    for (kindset left = rules_users(rules, used->tally); left; left &= left - 1) {
        unsigned all = rules->kind[__builtin_ctz(left)].abilities;
        if (all & (all - 1)) return true;
    }
    return false;
}

/* Without printf(), which is most of the time of listing moves for a program. */
size_t move_text(const struct rules *rules, struct move move, bool attack,
                 char out[MOVE_TEXT_MAX]) {
    char at[SQUARE_TEXT_MAX];
    char *end = stpcpy(out, square_text(&rules->board, move.from, at));
    if (move.to != move.from) {
        *end++ = attack ? 'x' : '-';
        end = stpcpy(end, square_text(&rules->board, move.to, at));
    }
    size_t used = (size_t)(end - out);
    if (move.ability == ABILITY_NONE) return used;
    const struct ability *ability = &rules->ability[move.ability];
    bool ambiguous = is_ambiguous(rules, ability), named = move.choice != KIND_NONE;
    used +=
        (size_t)snprintf(end, MOVE_TEXT_MAX - used, "@%s%s%s%s%s", ambiguous ? ability->name : "",
                         ambiguous ? ":" : "", square_text(&rules->board, move.target, at),
                         named ? "=" : "", named ? rules->kind[move.choice].name : "");
    return used;
}

size_t move_write(const struct game *game, struct move move, char out[MOVE_TEXT_MAX]) {
    return move_text(game->rules, move, game->at[move.to] != CELL_EMPTY, out);
}

bool move_of_turn(const struct rules *rules, const struct events *events, struct move *move,
                  bool *attack) {
    *move = (struct move){SQUARE_NONE, SQUARE_NONE, SQUARE_NONE, ABILITY_NONE, KIND_NONE};
    *attack = false;
    if (!events->count || events->list[0].type == EVENT_END) return false;
    for (int i = 0; i < events->count; i++) {
        const struct event *event = &events->list[i];
        if (event->type == EVENT_MOVE || event->type == EVENT_BATTLE) {
            move->from = event->from;
            move->to = event->to;
            *attack = event->type == EVENT_BATTLE;
        } else if (event->type == EVENT_ABILITY) {
            if (move->from == SQUARE_NONE && move->to == SQUARE_NONE)
                move->from = move->to = event->from;
            move->ability = rules_first_sharing(rules, event->tally);
            move->target = event->to;
            move->choice = event->kind;
            break;
        }
    }
    return true;
}

struct parser {
    const struct rules *rules;
    const char *text;
    size_t length, at;
    bool typed;
    struct fault *fault;
};

/* `expected` ends the sentence: ", expected …". */
__attribute__((format(printf, 3, 4))) static enum verdict parser_fail(struct parser *parser,
                                                                      enum verdict verdict,
                                                                      const char *expected, ...) {
    size_t rest = parser->length - parser->at;
    if (rest)
        fault_set(parser->fault, STATUS_TEXT, "\"%.*s\"", (int)(rest < 20 ? rest : 20),
                  parser->text + parser->at);
    else
        fault_set(parser->fault, STATUS_TEXT, "ends early");
    va_list args;
    va_start(args, expected);
    fault_addv(parser->fault, expected, args);
    va_end(args);
    fault_within(parser->fault, "move \"%.*s\"", (int)(parser->length < 60 ? parser->length : 60),
                 parser->text);
    fault_place(parser->fault, NULL, 1, (int)parser->at + 1);
    return verdict;
}

static void parser_skip_blanks(struct parser *parser) {
    while (parser->typed && parser->at < parser->length && lines_blank(parser->text[parser->at]))
        parser->at++;
}

static enum verdict parse_square(struct parser *parser, square *at) {
    const struct board *board = &parser->rules->board;
    size_t used = square_read(board, parser->text + parser->at, parser->length - parser->at, at);
    if (used == 0) return parser_fail(parser, ILLEGAL_TEXT, ", expected a square such as a4");
    if (*at == SQUARE_NONE)
        return parser_fail(parser, ILLEGAL_OFF_BOARD, ", expected a square from a1 to %c%d",
                           'a' + board->files - 1, board->ranks);
    parser->at += used;
    parser_skip_blanks(parser);
    return LEGAL;
}

static bool parser_take(struct parser *parser, const char *any_of) {
    if (parser->at >= parser->length || !strchr(any_of, parser->text[parser->at]) ||
        !parser->text[parser->at])
        return false;
    parser->at++;
    parser_skip_blanks(parser);
    return true;
}

/* "a4a5" */
static bool is_square_next(const struct parser *parser) {
    square at;
    return square_read(&parser->rules->board, parser->text + parser->at,
                       parser->length - parser->at, &at) > 0;
}

static enum verdict parse_ability(struct parser *parser, struct move_pattern *pattern) {
    const struct rules *rules = parser->rules;
    const char *name = parser->text + parser->at;
    const char *colon = memchr(name, ':', parser->length - parser->at);
    size_t length = colon ? (size_t)(colon - name) : 0;
    for (int i = 0; i < rules->abilities; i++) {
        const char *known = rules->ability[i].name;
        if (!colon || (strlen(known) == length && !strncasecmp(known, name, length)))
            pattern->abilities |= (uint16_t)(1u << i);
    }
    if (colon) parser->at += length + 1;
    parser_skip_blanks(parser);
    enum verdict verdict = parse_square(parser, &pattern->target);
    if (verdict != LEGAL || !parser_take(parser, "=")) return verdict;
    pattern->choice = rules_kind(rules, parser->text + parser->at, parser->length - parser->at);
    if (pattern->choice == KIND_NONE)
        return parser_fail(parser, ILLEGAL_TEXT,
                           ", expected a kind of this variant by name or letter");
    parser->at = parser->length;
    return LEGAL;
}

static enum verdict parse_move(struct parser *parser, struct move_pattern *pattern) {
    enum verdict verdict = parse_square(parser, &pattern->from);
    if (verdict != LEGAL) return verdict;
    pattern->to = pattern->from;
    if (parser_take(parser, "-"))
        pattern->sign = '-';
    else if (parser_take(parser, "xX"))
        pattern->sign = 'x';
    bool moves = pattern->sign || (parser->typed && is_square_next(parser));
    if (moves) verdict = parse_square(parser, &pattern->to);
    if (verdict != LEGAL) return verdict;
    bool acts = parser_take(parser, "@");
    if (acts) verdict = parse_ability(parser, pattern);
    if (verdict != LEGAL) return verdict;
    if (!moves && !acts)
        return parser_fail(parser, ILLEGAL_TEXT,
                           ", expected - or x and a square, or @ and a target");
    if (parser->at == parser->length) return LEGAL;
    if (acts)
        return parser_fail(parser, ILLEGAL_TEXT, ", expected the end of the move, or = and a kind");
    return parser_fail(parser, ILLEGAL_TEXT, ", expected the end of the move, or @ and a target");
}

enum verdict move_parse(const struct rules *rules, const char *text, size_t length,
                        enum spelling spelling, struct move_pattern *pattern, struct fault *fault) {
    struct parser parser = {rules, text, length, 0, spelling == AS_TYPED, fault};
    while (parser.typed && parser.length && lines_blank(text[parser.length - 1])) parser.length--;
    parser_skip_blanks(&parser);
    *pattern = (struct move_pattern){.target = SQUARE_NONE};
    return parse_move(&parser, pattern);
}

bool move_fits(const struct move_pattern *pattern, struct move move) {
    bool meant = pattern->target == SQUARE_NONE
                     ? move.ability == ABILITY_NONE
                     : move.ability != ABILITY_NONE && pattern->abilities >> move.ability & 1;
    return meant && move.from == pattern->from && move.to == pattern->to &&
           move.target == pattern->target && move.choice == pattern->choice;
}

const struct move *move_offered(const struct move_pattern *pattern, const struct move *moves,
                                size_t count) {
    for (size_t i = 0; i < count; i++)
        if (move_fits(pattern, moves[i])) return &moves[i];
    return NULL;
}

enum verdict move_resolve(const struct game *game, const struct move_pattern *pattern,
                          struct move *move) {
    *move =
        (struct move){pattern->from, pattern->to, pattern->target, ABILITY_NONE, pattern->choice};
    if (pattern->target == SQUARE_NONE) return game_judge(game, *move);
    enum verdict verdict = ILLEGAL_ABILITY;
    for (unsigned left = pattern->abilities; left; left &= left - 1) {
        struct move meant = *move;
        meant.ability = (uint8_t)__builtin_ctz(left);
        if (game->rules->ability[meant.ability].actor != cell_kind(game->at[meant.from])) continue;
        enum verdict judged = game_judge(game, meant);
        if (judged != LEGAL && verdict != ILLEGAL_ABILITY) continue;
        *move = meant;
        verdict = judged;
        if (judged == LEGAL) return LEGAL;
    }
    if (move->ability != ABILITY_NONE) return verdict;
    move->ability = 0; /* the piece lacks the ability: let game_judge() find the first reason */
    return game_judge(game, *move);
}

enum verdict move_read(const struct game *game, const char *text, size_t length, struct move *move,
                       struct fault *fault) {
    struct move_pattern pattern;
    enum verdict verdict = move_parse(game->rules, text, length, AS_WRITTEN, &pattern, fault);
    if (verdict != LEGAL) return verdict;
    verdict = move_resolve(game, &pattern, move);
    char sentence[VERDICT_TEXT_MAX];
    if (verdict == LEGAL) return LEGAL;
    fault_set(fault, STATUS_ILLEGAL_MOVE, "%s", verdict_text(game, *move, verdict, sentence));
    fault_within(fault, "move \"%.*s\" is not legal (%s)", (int)(length < 60 ? length : 60), text,
                 verdict_name(verdict));
    return verdict;
}
