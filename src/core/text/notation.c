/* notation.c - reads and writes squares and moves.
 *
 * Readers never look beyond the length they are given and never trust a byte; each says where it
 * stopped understanding. */
#include "notation.h"

#include <stdio.h>
#include <string.h>

size_t square_write(const struct board *board, square at, char *out) {
    return (size_t)snprintf(out, SQUARE_TEXT_MAX, "%c%d", 'a' + board_file(board, at),
                            (board_rank(board, at) + 1) % 100);
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static char upper(char c) {
    return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}

size_t square_read(const struct board *board, const char *text, size_t length, square *at) {
    if (length < 2 || upper(text[0]) < 'A' || upper(text[0]) > 'Z' || !is_digit(text[1])) return 0;
    int rank = text[1] - '0';
    size_t used = 2;
    if (length > 2 && is_digit(text[2])) {
        rank = 10 * rank + text[2] - '0';
        used = 3;
    }
    *at = board_square(board, upper(text[0]) - 'A', rank - 1);
    return used;
}

size_t move_write(const struct game *game, struct move move, char *out) {
    const struct rules *rules = game->rules;
    char from[SQUARE_TEXT_MAX], to[SQUARE_TEXT_MAX], target[SQUARE_TEXT_MAX];
    square_write(&rules->board, move.from, from);
    square_write(&rules->board, move.to, to);
    int used = move.to == move.from ? snprintf(out, MOVE_TEXT_MAX, "%s", from)
                                    : snprintf(out, MOVE_TEXT_MAX, "%s%c%s", from,
                                               game->at[move.to] ? 'x' : '-', to);
    if (move.ability == ABILITY_NONE) return (size_t)used;
    uint16_t has = rules->kind[cell_kind(game->at[move.from])].abilities;
    bool several = (has & (has - 1)) != 0;
    const struct ability *ability = &rules->ability[move.ability];
    square_write(&rules->board, move.target, target);
    used += snprintf(out + used, MOVE_TEXT_MAX - (size_t)used, "@%s%s%s",
                     several ? ability->name : "", several ? ":" : "", target);
    if (move.choice != KIND_NONE)
        used += snprintf(out + used, MOVE_TEXT_MAX - (size_t)used, "=%s",
                         rules->kind[move.choice].name);
    return (size_t)used;
}

/* A move taken apart, before anything is known of the piece that makes it. */
struct parsed {
    square from, to, target;
    bool acts;
    const char *ability; /* NULL if no name was given */
    size_t ability_length;
    kind_id choice;
};

struct reader {
    const struct game *game;
    const char *text;
    size_t length, at;
    struct fault *fault;
};

static enum verdict fail(struct reader *reader, enum verdict verdict, const char *expected) {
    size_t rest = reader->length - reader->at;
    fault_set(reader->fault, STATUS_TEXT, "move \"%.*s\": %s%.*s%s, expected %s",
              (int)(reader->length < 60 ? reader->length : 60), reader->text,
              rest ? "\"" : "ends early", (int)(rest < 20 ? rest : 20), reader->text + reader->at,
              rest ? "\"" : "", expected);
    fault_place(reader->fault, NULL, 1, (int)reader->at + 1);
    return verdict;
}

static enum verdict read_square(struct reader *reader, square *at) {
    const struct board *board = &reader->game->rules->board;
    size_t used = square_read(board, reader->text + reader->at, reader->length - reader->at, at);
    if (used == 0) return fail(reader, ILLEGAL_TEXT, "a square such as a4");
    if (*at == SQUARE_NONE) {
        char expected[48];
        snprintf(expected, sizeof expected, "a square from a1 to %c%d", 'a' + board->files - 1,
                 board->ranks);
        return fail(reader, ILLEGAL_OFF_BOARD, expected);
    }
    reader->at += used;
    return LEGAL;
}

static bool take(struct reader *reader, const char *any_of) {
    if (reader->at >= reader->length || !strchr(any_of, reader->text[reader->at]) ||
        !reader->text[reader->at])
        return false;
    reader->at++;
    return true;
}

static enum verdict read_ability(struct reader *reader, struct parsed *parsed) {
    const char *name = reader->text + reader->at;
    const char *colon = memchr(name, ':', reader->length - reader->at);
    if (colon) {
        parsed->ability = name;
        parsed->ability_length = (size_t)(colon - name);
        reader->at += parsed->ability_length + 1;
    }
    parsed->acts = true;
    enum verdict verdict = read_square(reader, &parsed->target);
    if (verdict != LEGAL || !take(reader, "=")) return verdict;
    parsed->choice =
        rules_kind(reader->game->rules, reader->text + reader->at, reader->length - reader->at);
    if (parsed->choice == KIND_NONE)
        return fail(reader, ILLEGAL_TEXT, "a kind of this variant by name or letter");
    reader->at = reader->length;
    return LEGAL;
}

static enum verdict parse(struct reader *reader, struct parsed *parsed) {
    *parsed = (struct parsed){.target = SQUARE_NONE};
    enum verdict verdict = read_square(reader, &parsed->from);
    if (verdict != LEGAL) return verdict;
    parsed->to = parsed->from;
    bool moves = take(reader, "-xX");
    if (moves) verdict = read_square(reader, &parsed->to);
    if (verdict != LEGAL) return verdict;
    if (take(reader, "@")) verdict = read_ability(reader, parsed);
    if (verdict != LEGAL) return verdict;
    if (reader->at < reader->length || (!moves && !parsed->acts))
        return fail(reader, ILLEGAL_TEXT,
                    parsed->acts ? "the end of the move, or = and a kind"
                    : moves      ? "the end of the move, or @ and a target"
                                 : "- or x and a square, or @ and a target");
    return LEGAL;
}

/* The move with the first ability of the piece that fits what was written. */
static enum verdict choose_ability(const struct game *game, const struct parsed *parsed,
                                   struct move *move) {
    const struct rules *rules = game->rules;
    enum verdict verdict = ILLEGAL_ABILITY;
    for (uint8_t i = 0; i < rules->abilities; i++) {
        const struct ability *ability = &rules->ability[i];
        if (ability->actor != cell_kind(game->at[move->from])) continue;
        if (parsed->ability && (strlen(ability->name) != parsed->ability_length ||
                                memcmp(ability->name, parsed->ability, parsed->ability_length)))
            continue;
        move->ability = i;
        enum verdict judged = game_judge(game, *move);
        if (judged == LEGAL) return LEGAL;
        if (verdict == ILLEGAL_ABILITY) verdict = judged;
    }
    if (move->ability != ABILITY_NONE) return verdict;
    move->ability = 0; /* the piece has none of that name: let the judge find the first reason */
    return game_judge(game, *move);
}

enum verdict move_read(const struct game *game, const char *text, size_t length, struct move *move,
                       struct fault *fault) {
    struct reader reader = {game, text, length, 0, fault};
    struct parsed parsed;
    enum verdict verdict = parse(&reader, &parsed);
    if (verdict != LEGAL) return verdict;
    *move = (struct move){parsed.from, parsed.to, parsed.target, ABILITY_NONE, parsed.choice};
    verdict = parsed.acts ? choose_ability(game, &parsed, move) : game_judge(game, *move);
    char sentence[VERDICT_TEXT_MAX];
    if (verdict != LEGAL)
        fault_set(fault, STATUS_ILLEGAL_MOVE, "move \"%.*s\" is not legal (%s): %s",
                  (int)(length < 60 ? length : 60), text, verdict_name(verdict),
                  verdict_text(game, *move, verdict, sentence));
    return verdict;
}
