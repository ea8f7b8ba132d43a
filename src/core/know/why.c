/* why.c - judges a move by the list of the legal ones, else in a filled position. */
#include "why.h"

#include "core/text/notation.h"
#include "filled_position.h"

#include <stdio.h>
#include <string.h>

static bool is_offered(const struct move *moves, size_t count, struct move move) {
    size_t i = 0;
    while (i < count && !move_equal(moves[i], move)) i++;
    return i < count;
}

static void explain_repetition(const struct filled_position *filled, struct move move,
                               struct why *why) {
    repetition_explain(&filled->game, move, &why->evidence);
    for (int i = 0; i < why->evidence.count; i++) why->evidence.ply[i] += filled->before;
}

static void why_judged(const struct filled_position *filled, struct move move, bool offered,
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
        explain_repetition(filled, move, why);
}

void why_text(const struct view *view, const struct move *moves, size_t count, const char *text,
              size_t length, struct why *why) {
    struct filled_position filled;
    struct move move;
    struct fault fault = {0};
    filled_position_make(&filled, view);
    enum verdict verdict = move_read(&filled.game, text, length, &move, &fault);
    if (fault.status != STATUS_TEXT) {
        why_judged(&filled, move, is_offered(moves, count, move), verdict, why);
        return;
    }
    *why = (struct why){.rule = verdict_name(verdict)};
    snprintf(why->text, sizeof why->text, "%s", fault.text);
}

void why_move(const struct view *view, const struct move *moves, size_t count, struct move move,
              struct why *why) {
    struct filled_position filled;
    filled_position_make(&filled, view);
    why_judged(&filled, move, is_offered(moves, count, move), game_judge(&filled.game, move), why);
}
