/* player.c - finds the move that an answer means. */
#include "player.h"

#include <string.h>

bool answer_find(const struct view *view, const struct answer *answer, const struct move *moves,
                 size_t count, struct move *move, struct fault *fault) {
    struct move_pattern pattern;
    *move = answer->move;
    if (answer->type == ANSWER_MOVE) return true;
    const struct move *offered = NULL;
    if (move_parse(view->rules, answer->text, strlen(answer->text), AS_WRITTEN, &pattern, fault) ==
        LEGAL)
        offered = move_offered(&pattern, moves, count);
    if (offered) *move = *offered;
    return offered ||
           fault_set(fault, STATUS_ILLEGAL_MOVE, "its move %s is not legal", answer->text);
}
