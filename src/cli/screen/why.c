/* why.c - says of a typed move whether it is legal and, if not, why. */
#include "why.h"

#include "cli/reasons.h"
#include "cli/typed.h"
#include "core/play/calls.h"

#include <stdio.h>
#include <string.h>

static void judge(const struct language *language, const struct session *session, const char *line,
                  char out[REASONS_MAX]) {
    const struct game *game = &session->game;
    struct move_pattern pattern;
    struct move move;
    struct fault fault = {0};
    if (typed_read(language, game->rules, line, &pattern, out, REASONS_MAX) != TYPED_MOVE) return;
    enum verdict verdict = move_resolve(game, &pattern, &move);
    if (verdict != LEGAL ||
        !reasons_contradict(language, &session->eyes.view[game->to_move], &pattern, out))
        reasons_write(language, game, move, verdict, 0, out);
    if (calls_take(&fault)) language_fault_line(language, &fault, out, REASONS_MAX);
}

void why_tell(struct screen *screen, const struct backdrop *behind, const struct language *language,
              const struct session *session, enum eyes_of eyes, const char *line) {
    char reasons[REASONS_MAX];
    bool red = session->game.to_move == RED;
    if (game_over(&session->game)) {
        snprintf(reasons, sizeof reasons, "%s",
                 language_text(language, verdict_sentence(ILLEGAL_GAME_OVER)));
    } else if (eyes != EYES_BOTH && eyes != (red ? EYES_RED : EYES_BLUE)) {
        snprintf(reasons, sizeof reasons, "%s",
                 language_text(language,
                               red ? TEXT("It is red's move, and its pieces are hidden in this "
                                          "view.")
                                   : TEXT("It is blue's move, and its pieces are hidden in this "
                                          "view.")));
    } else {
        judge(language, session, line, reasons);
    }
    dialog_read(screen, behind, line, reasons);
}
