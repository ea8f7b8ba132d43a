/* playback.c - replays a record through a session.
 *
 * Tags decide only what the rules cannot know: a resignation, an agreed draw, a forfeit, an
 * unfinished game. */
#include "playback.h"

#include "base/fault.h"
#include "core/text/layout.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A fault at the value of a tag, which may be absent. */
__attribute__((format(printf, 3, 4))) static bool tag_fault(struct fault *fault,
                                                            const struct record_tag *tag,
                                                            const char *format, ...) {
    va_list args;
    va_start(args, format);
    fault_setv(fault, STATUS_TEXT, format, args);
    va_end(args);
    if (tag) fault_place(fault, NULL, tag->line, tag->column);
    return false;
}

/* Turns a place within a tag's value into a place in the record. Always false. */
static bool move_fault_into_tag(struct fault *fault, const struct record_tag *tag) {
    if (fault && tag->line) {
        fault_place(fault, NULL, tag->line,
                    fault->column ? tag->column + fault->column - 1 : tag->column);
    }
    return false;
}

/* Is it a reason that the rules cannot find out? */
static bool is_from_outside(enum reason reason) {
    return reason_is_forfeit(reason) || reason == REASON_AGREED || reason == REASON_RESIGNED ||
           reason == REASON_UNFINISHED;
}

static bool read_limits(const struct record *record, const struct rules *rules,
                        struct limits *limits, struct fault *fault) {
    *limits = rules->limits;
    const struct record_tag *tag = record_find_tag(record, "Limits");
    if (!tag) return true;
    if (!strcmp(tag->value, "none")) {
        *limits = (struct limits){0};
        return true;
    }
    /* Digits only (strtoull would take signs), few enough to fit into 64 bits. */
    bool digits = strspn(tag->value, "0123456789 ") == strlen(tag->value);
    if (digits && strlen(tag->value) < 20) {
        char *second, *end;
        unsigned long long no_attack = strtoull(tag->value, &second, 10);
        unsigned long long plies = strtoull(second, &end, 10);
        if (second > tag->value && end > second && !*end && no_attack <= UINT32_MAX &&
            plies <= UINT32_MAX) {
            *limits = (struct limits){(uint32_t)no_attack, (uint32_t)plies};
            return true;
        }
    }
    return tag_fault(fault, tag,
                     "limits \"%s\": \"none\" or two numbers (plies without an attack, plies in "
                     "all) are expected",
                     tag->value);
}

static bool read_setup_tag(const struct record *record, const struct rules *rules, enum side side,
                           struct setup *setup, struct fault *fault) {
    const char *name = side == RED ? "RedSetup" : "BlueSetup";
    const struct record_tag *tag = record_find_tag(record, name);
    if (!tag) {
        const char *reason = record_tag(record, "Reason");
        if (!record->move_count && reason && reason_is_forfeit(reason_named(reason))) {
            *setup = (struct setup){0};
            return true;
        }
        return tag_fault(fault, NULL,
                         "tag \"%s\" is missing; both set-ups or a position are expected", name);
    }
    return (setup_read(rules, side, tag->value, strlen(tag->value), setup, fault) &&
            setup_check(rules, side, setup, fault)) ||
           move_fault_into_tag(fault, tag);
}

/* The first side by the tag "First", or else by the rules. */
static bool read_first(const struct record *record, const struct rules *rules, enum side *first,
                       struct fault *fault) {
    const struct record_tag *tag = record_find_tag(record, "First");
    *first = rules_first(rules);
    if (!tag) return true;
    bool red = !strcmp(tag->value, side_name(RED));
    if (!red && strcmp(tag->value, side_name(BLUE)) != 0) {
        return tag_fault(fault, tag, "first side \"%s\": \"red\" or \"blue\" is expected",
                         tag->value);
    }
    *first = red ? RED : BLUE;
    return true;
}

static bool read_position_tag(const struct record *record, const struct rules *rules,
                              struct position *position, struct fault *fault) {
    const struct record_tag *start = record_find_tag(record, "Position");
    if (position_read(rules, start->value, strlen(start->value), position, fault) &&
        position_check(rules, position, fault))
        return true;
    return move_fault_into_tag(fault, start);
}

bool record_start(const struct record *record, const struct rules *rules, struct position *position,
                  struct limits *limits, struct fault *fault) {
    enum side first;
    if (!read_limits(record, rules, limits, fault) || !read_first(record, rules, &first, fault))
        return false;
    if (record_find_tag(record, "Position")) {
        if (!read_position_tag(record, rules, position, fault)) return false;
        const struct record_tag *tag = record_find_tag(record, "First");
        if (tag && position->to_move != first) {
            return tag_fault(fault, tag, "first side \"%s\": the position says \"%s\"", tag->value,
                             side_name(position->to_move));
        }
        return true;
    }
    struct setup red, blue;
    if (!read_setup_tag(record, rules, RED, &red, fault) ||
        !read_setup_tag(record, rules, BLUE, &blue, fault))
        return false;
    position_from_setups(rules, &red, &blue, first, position);
    return true;
}

void record_start_examine(const struct record *record, const struct rules *rules,
                          struct faults *faults) {
    struct position position;
    struct limits limits;
    struct setup setup;
    enum side first;
    struct fault fault = {0};
    size_t before = faults->errors;
    if (!read_limits(record, rules, &limits, &fault)) faults_add(faults, &fault);
    fault = (struct fault){0};
    if (!read_first(record, rules, &first, &fault)) faults_add(faults, &fault);
    for (int side = RED; side <= BLUE && !record_find_tag(record, "Position"); side++) {
        fault = (struct fault){0};
        if (!read_setup_tag(record, rules, (enum side)side, &setup, &fault))
            faults_add(faults, &fault);
    }
    fault = (struct fault){0};
    if (faults->errors == before && !record_start(record, rules, &position, &limits, &fault))
        faults_add(faults, &fault);
}

/* Can a game end so, for a reason outside the rules? */
static bool result_fits(enum result result, enum reason reason) {
    if (reason == REASON_UNFINISHED) return result == RESULT_NONE;
    if (reason == REASON_AGREED) return result == RESULT_DRAW;
    return result == RESULT_RED || result == RESULT_BLUE;
}

/* After all moves: compares result and reason with the tags. */
static bool judge_ending(struct playback *replay, struct fault *fault) {
    const struct record *record = replay->record;
    const struct session *session = replay->session;
    const struct record_tag *result_tag = record_find_tag(record, "Result");
    const struct record_tag *reason_tag = record_find_tag(record, "Reason");
    enum result result = result_tag ? result_named(result_tag->value) : RESULT_NONE;
    enum reason reason = reason_tag ? reason_named(reason_tag->value) : REASON_NONE;
    if (result == RESULT_COUNT) {
        return tag_fault(fault, result_tag,
                         "result \"%s\": \"red\", \"blue\", \"draw\" or \"*\" is expected",
                         result_tag->value);
    }
    if (reason == REASON_COUNT)
        return tag_fault(fault, reason_tag, "unknown reason \"%s\"", reason_tag->value);
    bool before_start = !record->move_count && reason_is_forfeit(reason) &&
                        (!record_tag(record, "RedSetup") || !record_tag(record, "BlueSetup")) &&
                        !record_tag(record, "Position");
    if (is_from_outside(reason) && (!session->over || before_start)) {
        if (!result_fits(result, reason)) {
            return tag_fault(fault, result_tag ? result_tag : reason_tag,
                             "result \"%s\" does not go with reason \"%s\"", result_name(result),
                             reason_tag->value);
        }
        if (result != RESULT_NONE) session_stop(replay->session, result, reason);
        replay->result = result;
        replay->reason = reason;
        return true;
    }
    bool result_differs = result_tag && result != session->result;
    if (result_differs || (reason_tag && reason != session->reason)) {
        return tag_fault(
            fault, result_differs ? result_tag : reason_tag,
            "recorded is \"%s\"%s%s, but after %" PRIu32 " %s the game %s%s%s%s",
            result_name(result), reason_tag ? " by " : "", reason_tag ? reason_tag->value : "",
            replay->plies, replay->plies == 1 ? "ply" : "plies",
            session->over ? "is over with \"" : "is not over",
            session->over ? result_name(session->result) : "", session->over ? "\" by " : "",
            session->over ? reason_name(session->reason) : "");
    }
    return true;
}

static void note_state(struct playback *replay) {
    replay->plies = replay->session->game.ply_count;
    replay->result = replay->session->result;
    replay->reason = replay->session->reason;
}

bool playback_open(struct playback *replay, const struct record *record, const struct rules *rules,
                   struct fault *fault) {
    *replay = (struct playback){.record = record};
    struct position position;
    struct limits limits;
    if (!record_start(record, rules, &position, &limits, fault)) return false;
    const struct session_options options = {.rules = rules,
                                            .position = &position,
                                            .limits = &limits,
                                            .plies = (uint32_t)record->move_count + 1};
    replay->session = session_open(&options, fault);
    if (!replay->session) return false;
    note_state(replay);
    return true;
}

void playback_close(struct playback *replay) {
    session_close(replay->session);
    replay->session = NULL;
}

/* Notes which move is illegal; `fault` (may be NULL) says why. Always false. */
static bool note_illegal(struct playback *replay, enum verdict rule, struct fault *fault) {
    const struct record_move *recorded = &replay->record->moves[replay->plies];
    replay->illegal_ply = replay->plies + 1;
    replay->rule = rule;
    memcpy(replay->illegal_move, recorded->text, sizeof replay->illegal_move);
    if (!fault) return false;
    fault->status = STATUS_ILLEGAL_MOVE;
    fault_within(fault, "ply %" PRIu32, replay->illegal_ply);
    fault_place(fault, NULL, recorded->line, recorded->column);
    return false;
}

bool playback_step(struct playback *replay, struct fault *fault) {
    struct session *session = replay->session;
    const struct record *record = replay->record;
    enum verdict rule = ILLEGAL_GAME_OVER;
    note_state(replay);
    if (replay->plies >= record->move_count) return false;
    const char *text = record->moves[replay->plies].text;
    bool played = false;
    if (session->over)
        fault_set(fault, STATUS_ILLEGAL_MOVE, "%s (game-over): the game was over by then (%s, %s)",
                  text, result_name(session->result), reason_name(session->reason));
    else
        played = session_play_text(session, text, strlen(text), &rule, fault);
    if (!played && rule != LEGAL) return note_illegal(replay, rule, fault);
    note_state(replay);
    return played;
}

bool playback_run(struct playback *replay, uint32_t plies, struct fault *fault) {
    size_t count = replay->record->move_count;
    note_state(replay);
    while (replay->plies < plies && replay->plies < count)
        if (!playback_step(replay, fault)) return false;
    replay->legal = plies < count || judge_ending(replay, fault);
    return replay->legal;
}
