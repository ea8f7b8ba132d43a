/* claim.c - one test of a variant: set up, play, compare.
 *
 * Expectations are compared with both views and with the true position. A wrong position is
 * reported by its first differing squares. */
#include "claim.h"

#include "base/words.h"
#include "core/text/layout.h"
#include "host/session.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PLIES_MAX = 4096, DIFFERENCES_MAX = 4 };

struct claim_stage {
    const struct rules *rules;
    const struct claims *claims;
    const struct claim *claim; /* one of them */
    struct faults *faults;
    struct session *session; /* owned; NULL before the start */
};

static const char *said(const struct claim_stage *stage, enum claim_key key) {
    return stage->claim->key[key].text;
}

/* Adds an error at the test's `key`. Always false. */
__attribute__((format(printf, 3, 4))) static bool claim_deny(struct claim_stage *stage,
                                                             enum claim_key key, const char *format,
                                                             ...) {
    const struct source_place place = claims_place(stage->claims, stage->claim, key);
    struct fault fault = {0};
    char text[FAULT_TEXT_MAX];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    fault_set(&fault, STATUS_RULES, "test \"%.80s\": %s", said(stage, CLAIM_TITLE), text);
    fault_place(&fault, stage->claims->file, place.line ? place.line : 1, place.column);
    struct remark *remark = faults_add(stage->faults, &fault);
    remark_explain(remark, "variants/REFERENCE.md#tests");
    claim_path(stage->claim, key, remark->key, sizeof remark->key);
    const char *value = said(stage, key);
    if (value) snprintf(remark->value, sizeof remark->value, "%.60s", value);
    return false;
}

/* "in `position`, 1:7: …", for a fault in a text of the test. */
static bool deny_text(struct claim_stage *stage, enum claim_key key, const struct fault *fault) {
    char text[FAULT_FILE_MAX + FAULT_TEXT_MAX + 32];
    fault_format(fault, text, sizeof text);
    return claim_deny(stage, key, "in `%s`, %.400s", claim_key_name(key), text);
}

/* Reads "a4=rM a5= " into `position` and adds the squares to `named`. */
static bool read_squares(struct claim_stage *stage, enum claim_key key, struct position *position,
                         squareset *named) {
    const struct rules *rules = stage->rules;
    for (const char *at = said(stage, key); *at; at += strcspn(at, " ") + 1) {
        size_t length = strcspn(at, "=");
        const char *piece = at + length + 1;
        square where = SQUARE_NONE;
        if (square_read(&rules->board, at, length, &where) != length || where == SQUARE_NONE)
            return claim_deny(stage, key, "`%s` names \"%.*s\", expected a square of the board",
                              claim_key_name(key), (int)length, at);
        *named |= squareset_of(where);
        if (*piece == ' ') continue;
        kind_id kind = rules_kind(rules, piece + 1, 1);
        if (!kind || (*piece != 'r' && *piece != 'b'))
            return claim_deny(
                stage, key,
                "`%s` has \"%.2s\" on %.*s, expected \"r\" or \"b\" and the letter of a piece",
                claim_key_name(key), piece, (int)length, at);
        position->at[where] = cell_of(*piece == 'r' ? RED : BLUE, kind);
    }
    return true;
}

static bool read_position(struct claim_stage *stage, enum claim_key key,
                          struct position *position) {
    struct fault fault = {0};
    const char *text = said(stage, key);
    return (position_read(stage->rules, text, strlen(text), position, &fault) &&
            position_check(stage->rules, position, &fault)) ||
           deny_text(stage, key, &fault);
}

static bool read_setup(struct claim_stage *stage, enum side side, struct setup *setup) {
    const enum claim_key key = side == RED ? CLAIM_RED : CLAIM_BLUE;
    struct fault fault = {0};
    const char *text = said(stage, key);
    if (!text)
        return claim_deny(stage, key, "`%s` is missing, expected both set-ups",
                          claim_key_name(key));
    return (setup_read(stage->rules, side, text, strlen(text), setup, &fault) &&
            setup_check(stage->rules, side, setup, &fault)) ||
           deny_text(stage, key, &fault);
}

static bool take_position(struct claim_stage *stage, enum side first, struct position *position) {
    struct fault fault = {0};
    squareset named = 0;
    if (said(stage, CLAIM_RED) || said(stage, CLAIM_BLUE))
        return claim_deny(stage, CLAIM_POSITION, "given beside set-ups, expected only one of them");
    if (!stage->claim->key[CLAIM_POSITION].squares) {
        if (said(stage, CLAIM_FIRST))
            return claim_deny(stage, CLAIM_FIRST,
                              "`first` beside a position that names the side to move");
        return read_position(stage, CLAIM_POSITION, position);
    }
    memset(position, 0, sizeof *position);
    position->to_move = first;
    return read_squares(stage, CLAIM_POSITION, position, &named) &&
           (position_check(stage->rules, position, &fault) ||
            deny_text(stage, CLAIM_POSITION, &fault));
}

static bool read_start(struct claim_stage *stage, struct position *position) {
    const char *first = said(stage, CLAIM_FIRST);
    bool setups = said(stage, CLAIM_RED) || said(stage, CLAIM_BLUE);
    enum side side = rules_first(stage->rules);
    if (first) side = strcmp(first, "blue") == 0 ? BLUE : RED;
    if (said(stage, CLAIM_POSITION)) return take_position(stage, side, position);
    if (!setups) return claim_deny(stage, CLAIM_TITLE, "expected `position`, or `red` and `blue`");
    struct setup red, blue;
    bool read = read_setup(stage, RED, &red);
    if (!read_setup(stage, BLUE, &blue) || !read) return false;
    position_from_setups(stage->rules, &red, &blue, side, position);
    return true;
}

/* Reports a call of the variant that failed, with the first test in which it did: what many tests
 * meet is one error. The fault names the ply. Always false. */
static bool blame_call(struct claim_stage *stage, const struct fault *fault) {
    struct fault named = *fault;
    if (faults_holds(stage->faults, fault)) return false;
    fault_within(&named, "test \"%.80s\"", said(stage, CLAIM_TITLE));
    remark_explain(faults_add(stage->faults, &named), "variants/REFERENCE.md#tests");
    return false;
}

static bool claim_start(struct claim_stage *stage, const struct position *position) {
    const struct session_options options = {
        .rules = stage->rules, .position = position, .plies = PLIES_MAX};
    struct fault fault = {0};
    stage->session = session_open(&options, &fault);
    return stage->session || blame_call(stage, &fault);
}

/* Moves to the next word of a text, behind one of `*length` bytes. NULL at the end. */
static const char *next_word(const char *at, size_t *length) {
    static const char blanks[] = " \t\r\n";
    at += *length;
    at += strspn(at, blanks);
    *length = strcspn(at, blanks);
    return *length ? at : NULL;
}

/* Is it "12." in front of a move? */
static bool is_number(const char *word, size_t length) {
    return length > 1 && word[length - 1] == '.' && strspn(word, "0123456789") == length - 1;
}

static bool play_moves(struct claim_stage *stage) {
    size_t length = 0;
    for (const char *at = said(stage, CLAIM_MOVES); (at = next_word(at, &length));) {
        struct fault fault = {0};
        enum verdict verdict = LEGAL;
        if (is_number(at, length)) continue;
        if (stage->session->game.ply_count + 1 >= PLIES_MAX)
            return claim_deny(stage, CLAIM_MOVES, "expected fewer than %d moves", PLIES_MAX);
        if (!session_play_text(stage->session, at, length, &verdict, &fault))
            return verdict == LEGAL ? blame_call(stage, &fault)
                                    : claim_deny(stage, CLAIM_MOVES, "`moves`: %s", fault.text);
    }
    return true;
}

/* Is `illegal` the name of a rule? */
static bool check_rule(struct claim_stage *stage) {
    const char *rule = said(stage, CLAIM_ILLEGAL);
    struct word_guess guess = word_guess_for(rule);
    char hint[WORD_HINT_MAX];
    for (int verdict = LEGAL + 1; verdict < VERDICT_COUNT; verdict++) {
        if (strcmp(verdict_name((enum verdict)verdict), rule) == 0) return true;
        word_offer(&guess, verdict_name((enum verdict)verdict));
    }
    return claim_deny(stage, CLAIM_ILLEGAL, "no rule is called \"%s\"%s", rule,
                      word_hint(&guess, hint));
}

/* Tries the test's `move`. `*played`: it was legal and was played. */
static bool try_move(struct claim_stage *stage, bool *played) {
    const char *text = said(stage, CLAIM_MOVE), *rule = said(stage, CLAIM_ILLEGAL);
    struct fault fault = {0};
    enum verdict verdict;
    *played = false;
    if (rule && !text)
        return claim_deny(stage, CLAIM_ILLEGAL, "expected `move`, which this rule refuses");
    if (!text) return true;
    if (rule && !check_rule(stage)) return false;
    *played = session_play_text(stage->session, text, strlen(text), &verdict, &fault);
    if (*played && rule)
        return claim_deny(stage, CLAIM_MOVE, "expected %s to refuse %s, but it is legal", rule,
                          text);
    if (*played) return true;
    if (verdict == LEGAL) return blame_call(stage, &fault);
    if (!rule) return claim_deny(stage, CLAIM_MOVE, "expected a legal move, but %s", fault.text);
    if (strcmp(verdict_name(verdict), rule) == 0) return true;
    return claim_deny(stage, CLAIM_ILLEGAL, "expected %s to refuse it, but %s", rule, fault.text);
}

static const char *cell_text(const struct rules *rules, cell piece, char out[3]) {
    if (!piece) return "nothing";
    out[0] = cell_side(piece) == RED ? 'r' : 'b';
    out[1] = rules->kind[cell_kind(piece)].letter;
    out[2] = 0;
    return out;
}

__attribute__((format(printf, 3, 4))) static void append_text(char *out, size_t size,
                                                              const char *format, ...) {
    size_t used = strlen(out);
    va_list args;
    va_start(args, format);
    vsnprintf(out + used, size - used, format, args);
    va_end(args);
}

static bool compare_position(struct claim_stage *stage) {
    const struct rules *rules = stage->rules;
    bool whole = !stage->claim->key[CLAIM_AFTER].squares;
    struct position expected = {.to_move = (enum side)stage->session->game.to_move};
    squareset named = whole ? rules->board.land : 0;
    char text[320] = "", here[3], there[3], name[SQUARE_TEXT_MAX];
    int differences = 0;
    if (whole ? !read_position(stage, CLAIM_AFTER, &expected)
              : !read_squares(stage, CLAIM_AFTER, &expected, &named))
        return false;
    for (square at = 0; at < rules->board.squares; at++) {
        cell is = cell_plain(stage->session->game.at[at]);
        if (!squareset_has(named, at) || is == expected.at[at]) continue;
        square_write(&rules->board, at, name);
        if (differences++ < DIFFERENCES_MAX)
            append_text(text, sizeof text, "%s%s holds %s, expected %s", text[0] ? "; " : "", name,
                        cell_text(rules, is, here), cell_text(rules, expected.at[at], there));
    }
    if (differences > DIFFERENCES_MAX)
        append_text(text, sizeof text, "; and %d more", differences - DIFFERENCES_MAX);
    if (stage->session->game.to_move != expected.to_move)
        append_text(text, sizeof text, "%sit is %s's turn, expected %s's", text[0] ? "; " : "",
                    side_name((enum side)stage->session->game.to_move),
                    side_name(expected.to_move));
    return !text[0] || claim_deny(stage, CLAIM_AFTER, "%s", text);
}

struct tally {
    int of[2][KINDS_MAX]; /* pieces by side and kind */
};

static void write_tally(const struct rules *rules, const struct tally *tally, char *out,
                        size_t size) {
    out[0] = 0;
    for (int side = RED; side <= BLUE; side++)
        for (int kind = 1; kind < KINDS_MAX; kind++)
            for (int i = 0; i < tally->of[side][kind]; i++)
                append_text(out, size, "%s%c%c", out[0] ? " " : "", side == RED ? 'r' : 'b',
                            rules->kind[kind].letter);
    if (!out[0]) append_text(out, size, "nothing");
}

/* What a side has lost in the latest turn, as it was told. */
static void count_fallen(const struct events *told, enum side side, struct tally *tally) {
    for (int i = 0; i < told->count; i++) {
        struct event event = told->list[i];
        const kind_id *fallen = event_fallen(&event, side);
        if (fallen) tally->of[side][*fallen]++;
    }
}

static bool compare_fallen(struct claim_stage *stage) {
    struct tally fallen = {0}, expected = {0};
    size_t length = 0;
    for (const char *at = said(stage, CLAIM_FALLS); (at = next_word(at, &length));) {
        kind_id kind = length == 2 ? rules_kind(stage->rules, at + 1, 1) : KIND_NONE;
        if (!kind || (*at != 'r' && *at != 'b'))
            return claim_deny(
                stage, CLAIM_FALLS,
                "`falls` has \"%.*s\", expected \"r\" or \"b\" and the letter of a piece",
                length < 40 ? (int)length : 40, at);
        expected.of[*at == 'r' ? RED : BLUE][kind]++;
    }
    for (int side = RED; side <= BLUE; side++)
        count_fallen(&stage->session->eyes.told[side], (enum side)side, &fallen);
    if (memcmp(&fallen, &expected, sizeof fallen) == 0) return true;
    char is[200], should[200];
    write_tally(stage->rules, &fallen, is, sizeof is);
    write_tally(stage->rules, &expected, should, sizeof should);
    return claim_deny(stage, CLAIM_FALLS, "expected %s to fall, but %s falls", should, is);
}

static void write_squares(const struct board *board, squareset set, char *out, size_t size) {
    char name[SQUARE_TEXT_MAX];
    out[0] = 0;
    while (set) {
        square_write(board, squareset_pop(&set), name);
        append_text(out, size, "%s%s", out[0] ? " " : "", name);
    }
    if (!out[0]) append_text(out, size, "none");
}

/* Compares the squares of pieces that the enemy knows (CLAIM_KNOWN) or sees (CLAIM_SEEN). */
static bool compare_squares(struct claim_stage *stage, enum claim_key key) {
    const struct board *board = &stage->rules->board;
    squareset found = 0, expected = 0;
    size_t length = 0;
    for (const char *at = said(stage, key); (at = next_word(at, &length));) {
        square where = SQUARE_NONE;
        if (square_read(board, at, length, &where) != length || where == SQUARE_NONE)
            return claim_deny(stage, key, "`%s` has \"%.*s\", expected a square",
                              claim_key_name(key), length < 40 ? (int)length : 40, at);
        expected |= squareset_of(where);
    }
    for (int side = RED; side <= BLUE; side++) {
        const struct view *view = &stage->session->eyes.view[side];
        for (int i = 0; i < view->count; i++) {
            const struct view_piece *piece = &view->piece[i];
            if (piece->side == side || piece->at == SQUARE_NONE) continue;
            if (key == CLAIM_SEEN || piece->kind != KIND_NONE) found |= squareset_of(piece->at);
        }
    }
    if (found == expected) return true;
    char is[200], should[200];
    const char *verb = key == CLAIM_SEEN ? "see" : "know";
    write_squares(board, found, is, sizeof is);
    write_squares(board, expected, should, sizeof should);
    return claim_deny(stage, key, "expected the enemy to %s the pieces on %s, but it %ss %s", verb,
                      should, verb, is);
}

/* Compares one "points.red=2 " or "round=3 ". */
static bool compare_counter(struct claim_stage *stage, const char *at) {
    const struct rules *rules = stage->rules;
    char name[WORD_MAX] = "";
    size_t length = strcspn(at, ".=");
    if (length < sizeof name) snprintf(name, sizeof name, "%.*s", (int)length, at);
    int counter = rules_counter_named(rules, name);
    if (counter < 0)
        return claim_deny(stage, CLAIM_COUNTERS, "the variant has no counter \"%s\"", name);
    bool each = rules->counter[counter].each, sided = at[length] == '.';
    if (each != sided)
        return claim_deny(stage, CLAIM_COUNTERS, "`counters.%s`: expected %s", name,
                          each ? "{ red = …, blue = … }" : "a number, since both sides share it");
    enum side side = sided && at[length + 1] == 'b' ? BLUE : RED;
    int expected = atoi(strchr(at, '=') + 1);
    int is = counters_get(&stage->session->game.counters, rules, side, counter);
    return is == expected ||
           claim_deny(stage, CLAIM_COUNTERS, "expected %s%s%s to be %d, but it is %d", name,
                      each ? " of " : "", each ? side_name(side) : "", expected, is);
}

static bool compare_counters(struct claim_stage *stage) {
    bool good = true;
    for (const char *at = said(stage, CLAIM_COUNTERS); *at && good; at += strcspn(at, " ") + 1)
        good = compare_counter(stage, at);
    return good;
}

static bool compare_end(struct claim_stage *stage) {
    const char *result = said(stage, CLAIM_RESULT), *reason = said(stage, CLAIM_REASON);
    const struct game *game = &stage->session->game;
    const char *is = game_over(game) ? result_name((enum result)game->result) : "none";
    const char *why = reason_name((enum reason)game->reason);
    if (result && strcmp(result, is) != 0)
        return claim_deny(stage, CLAIM_RESULT, "expected the result %s, but it is %s%s%s", result,
                          is, game_over(game) ? " by " : "", game_over(game) ? why : "");
    if (reason && strcmp(reason, why) != 0)
        return claim_deny(stage, CLAIM_REASON, "expected the reason %s, but it is %s", reason, why);
    const char *ending = said(stage, CLAIM_ENDING), *words = stage->session->ending.text;
    if (ending && strcmp(ending, words) != 0)
        return claim_deny(stage, CLAIM_ENDING, "expected the ending \"%.160s\", but it is \"%s\"",
                          ending, words);
    return true;
}

static bool expects_something(const struct claim_stage *stage) {
    for (enum claim_key key = CLAIM_MOVE; key < CLAIM_KEY_COUNT; key++)
        if (said(stage, key)) return true;
    return false;
}

static bool claim_try(struct claim_stage *stage) {
    struct position position;
    bool played, good = true;
    if (!expects_something(stage))
        return claim_deny(
            stage, CLAIM_TITLE,
            "expects nothing; a test has `move`, `after`, `known`, `seen`, `counters` or `result`");
    if (!read_start(stage, &position) || !claim_start(stage, &position) ||
        (said(stage, CLAIM_MOVES) && !play_moves(stage)) || !try_move(stage, &played))
        return false;
    if (said(stage, CLAIM_FALLS))
        good = played ? compare_fallen(stage)
                      : claim_deny(stage, CLAIM_FALLS,
                                   "expected `move`, a legal one, in which something falls");
    if (said(stage, CLAIM_AFTER)) good &= compare_position(stage);
    if (said(stage, CLAIM_KNOWN)) good &= compare_squares(stage, CLAIM_KNOWN);
    if (said(stage, CLAIM_COUNTERS)) good &= compare_counters(stage);
    if (said(stage, CLAIM_SEEN)) good &= compare_squares(stage, CLAIM_SEEN);
    return compare_end(stage) && good;
}

bool claim_holds(const struct rules *rules, const struct claims *claims, const struct claim *claim,
                 struct faults *faults) {
    struct claim_stage stage = {.rules = rules, .claims = claims, .claim = claim, .faults = faults};
    bool holds = claim_try(&stage);
    session_close(stage.session);
    return holds;
}
