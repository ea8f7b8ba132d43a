/* why.c - judges a move by the list of the legal ones, else in a sketch. */
#include "why.h"

#include "core/text/notation.h"
#include "sketch.h"

#include <stdio.h>
#include <string.h>

static bool is_offered(const struct move *moves, size_t count, struct move move) {
    size_t i = 0;
    while (i < count && !move_equal(moves[i], move)) i++;
    return i < count;
}

static void explain_repetition(const struct sketch *sketch, struct move move, struct why *why) {
    repetition_explain(&sketch->game, move, &why->evidence);
    for (int i = 0; i < why->evidence.count; i++) why->evidence.ply[i] += sketch->before;
}

static void why_judged(const struct sketch *sketch, struct move move, bool offered,
                       enum verdict verdict, struct why *why) {
    const char *sentence = verdict_sentence(verdict);
    why->legal = offered;
    why->rule = verdict_name(offered ? LEGAL : verdict);
    if (offered) {
        sentence = verdict_sentence(LEGAL);
    } else if (verdict == LEGAL) {
        why->rule = "unknown";
        sentence = "the move is not among the legal moves";
    }
    snprintf(why->text, sizeof why->text, "%s", sentence);
    why->evidence.count = 0;
    if (offered || verdict == ILLEGAL_TWO_SQUARES || verdict == ILLEGAL_CHASE)
        explain_repetition(sketch, move, why);
}

void why_text(const struct view *view, const struct move *moves, size_t count, const char *text,
              size_t length, struct why *why) {
    struct sketch sketch;
    struct move move;
    struct fault fault = {0};
    sketch_make(&sketch, view);
    enum verdict verdict = move_read(&sketch.game, text, length, &move, &fault);
    if (fault.status != STATUS_TEXT) {
        why_judged(&sketch, move, is_offered(moves, count, move), verdict, why);
        return;
    }
    *why = (struct why){.rule = verdict_name(verdict)};
    snprintf(why->text, sizeof why->text, "%s", fault.text);
}

void why_move(const struct view *view, const struct move *moves, size_t count, struct move move,
              struct why *why) {
    struct sketch sketch;
    sketch_make(&sketch, view);
    why_judged(&sketch, move, is_offered(moves, count, move), game_judge(&sketch.game, move), why);
}
