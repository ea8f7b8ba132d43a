/* words.c - edit distance: letters inserted, deleted or changed, or two neighbours swapped.
 *
 * A word is near if the distance is at most a third of the length asked for, or 1 if that is more.
 */
#include "words.h"

#include "fault.h"

#include <stdio.h>
#include <string.h>

bool word_is_name(const char *text) {
    size_t length =
        strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_");
    return length && text[0] != '-' && length < WORD_GUESS_MAX && !text[length];
}

bool word_is_new_name(const char *text) {
    size_t length = strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789-_");
    return text[0] >= 'a' && text[0] <= 'z' && length < WORD_MAX && !text[length];
}

static int least(int a, int b) {
    return a < b ? a : b;
}

static int word_distance(const char *a, const char *b) {
    int row[3][WORD_GUESS_MAX + 1];
    int a_length = (int)strlen(a), b_length = (int)strlen(b);
    int *before = row[0], *above = row[1], *here = row[2];
    for (int k = 0; k <= b_length; k++) above[k] = k;
    for (int i = 1; i <= a_length; i++) {
        here[0] = i;
        for (int k = 1; k <= b_length; k++) {
            int change = above[k - 1] + (a[i - 1] != b[k - 1]);
            here[k] = least(change, least(above[k], here[k - 1]) + 1);
            if (i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1])
                here[k] = least(here[k], before[k - 2] + 1);
        }
        int *oldest = before;
        before = above;
        above = here;
        here = oldest;
    }
    return above[b_length];
}

struct word_guess word_guess_for(const char *asked) {
    size_t length = strlen(asked);
    struct word_guess guess = {.asked = asked, .distance = (int)(length < 3 ? 1 : length / 3) + 1};
    if (length >= WORD_GUESS_MAX) guess.distance = 0; /* nothing is near */
    return guess;
}

void word_offer(struct word_guess *guess, const char *known) {
    if (guess->distance == 0 || strlen(known) >= WORD_GUESS_MAX) return;
    int found = word_distance(guess->asked, known);
    if (found >= guess->distance) return;
    guess->distance = found;
    snprintf(guess->best, sizeof guess->best, "%s", known);
}

/* Do they have the same letters, as often? */
static bool is_anagram(const char *a, const char *b) {
    int count[256] = {0};
    if (strlen(a) != strlen(b)) return false;
    for (; *a; a++, b++) count[(unsigned char)*a]++, count[(unsigned char)*b]--;
    for (int i = 0; i < 256; i++)
        if (count[i]) return false;
    return true;
}

void word_offer_any(struct word_guess *guess, const char *known) {
    struct word_guess alone = word_guess_for(guess->asked);
    word_offer(&alone, known);
    if (!alone.best[0] || alone.distance > guess->distance) return;
    if (alone.distance == guess->distance) {
        const bool same = is_anagram(alone.asked, alone.best);
        if (same != is_anagram(guess->asked, guess->best) ? !same
                                                          : strcmp(alone.best, guess->best) > 0)
            return;
    }
    *guess = alone;
}

const char *word_hint(const struct word_guess *guess, char hint[WORD_HINT_MAX]) {
    hint[0] = 0;
    if (guess->best[0]) snprintf(hint, WORD_HINT_MAX, ", did you mean \"%s\"?", guess->best);
    return hint;
}

bool word_suggest(const struct word_guess *guess, struct fault *fault) {
    return guess->best[0] && fault_add(fault, ", did you mean \"%s\"?", guess->best);
}
