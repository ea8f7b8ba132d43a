/* hint_text.c - a hint in words. */
#include "hint_text.h"

#include "core/text/notation.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Adds a part in the words of the language, after ", " unless it is the first. */
static void add_part(const struct language *language, const char *english, const char *number,
                     char out[HINT_TEXT_MAX]) {
    size_t length = strlen(out);
    length += (size_t)snprintf(out + length, HINT_TEXT_MAX - length, "%s", length ? ", " : "");
    language_write(out + length, HINT_TEXT_MAX - length, language, english, number);
}

/* "score 2.41, 67 % to win the battle, 3.0 at stake" or "59 % to win, …"; empty if the bot says
 * nothing of its move. */
static void tell_reasons(const struct language *language, const struct advice *advice,
                         struct move move, const struct move *moves, char out[HINT_TEXT_MAX]) {
    char number[64];
    *out = 0;
    for (int i = 0; i < advice->count; i++) {
        const struct candidate *candidate = &advice->list[i];
        if (!move_equal(moves[candidate->chosen], move)) continue;
        snprintf(number, sizeof number, advice->percent ? "%.0f" : "%.2f", candidate->score);
        add_part(language, advice->percent ? TEXT("{1} % to win") : TEXT("score {1}"), number, out);
        snprintf(number, sizeof number, "%.0f", round(100 * candidate->chance));
        if (candidate->chance >= 0)
            add_part(language,
                     move.ability == ABILITY_NONE ? TEXT("{1} % to win the battle")
                                                  : TEXT("{1} % to be right"),
                     number, out);
        snprintf(number, sizeof number, "%.1f", candidate->stake);
        if (candidate->stake >= 0) add_part(language, TEXT("{1} at stake"), number, out);
        return;
    }
}

void hint_tell_move(const struct language *language, const struct view *view, const char *bot,
                    struct move move, char out[HINT_TEXT_MAX]) {
    char text[MOVE_TEXT_MAX];
    move_text(view->rules, move, view_enters_enemy(view, move), text);
    language_write(out, HINT_TEXT_MAX, language, "{1} would play {2}.", bot, text);
}

void hint_tell(const struct language *language, const struct view *view, const char *bot,
               struct move move, const struct advice *advice, const struct move *moves,
               char out[HINT_TEXT_MAX]) {
    char reasons[HINT_TEXT_MAX], others[HINT_TEXT_MAX] = "", text[MOVE_TEXT_MAX];
    tell_reasons(language, advice, move, moves, reasons);
    if (!*reasons) {
        hint_tell_move(language, view, bot, move, out);
    } else {
        move_text(view->rules, move, view_enters_enemy(view, move), text);
        language_write(out, HINT_TEXT_MAX, language, "{1} would play {2}: {3}.", bot, text,
                       reasons);
    }
    for (int i = 0; i < advice->count; i++) {
        const struct candidate *candidate = &advice->list[i];
        size_t used = strlen(others);
        if (move_equal(moves[candidate->chosen], move)) continue;
        const struct move other = moves[candidate->chosen];
        move_text(view->rules, other, view_enters_enemy(view, other), text);
        snprintf(others + used, sizeof others - used,
                 advice->percent ? "%s%s (%.0f %%)" : "%s%s (%.2f)", used ? ", " : "", text,
                 candidate->score);
    }
    if (!*others) return;
    size_t length = strlen(out);
    length += (size_t)snprintf(out + length, HINT_TEXT_MAX - length, " ");
    language_write(out + length, HINT_TEXT_MAX - length, language, "Next best: {1}.", others);
}

void hint_tell_fault(const struct language *language, const char *bot, const struct fault *fault,
                     char out[HINT_TEXT_MAX]) {
    char why[LANGUAGE_TEXT_MAX];
    language_fault(language, fault, why, sizeof why);
    language_write(out, HINT_TEXT_MAX, language, "No hint from {1}: {2}", bot, why);
}
