/* words.h - "did you mean": the known word nearest to one that is not known. */
#ifndef ENSIGN_BASE_WORDS_H
#define ENSIGN_BASE_WORDS_H

#include <stdbool.h>
#include <stddef.h>

struct fault;

enum {
    WORD_MAX = 32, /* bytes of a name that variants give to kinds and abilities, with its final 0 */
    WORD_GUESS_MAX = 64,
    WORD_HINT_MAX = 96
};

/* Is it a name as people give it to files: up to WORD_GUESS_MAX - 1 letters, digits, '-' and '_',
 * with no '-' in front? */
bool word_is_name(const char *text);

/* Is it a name for a new file, which is typed in commands as well: a small letter, then small
 * letters, digits, '-' and '_', fewer than WORD_MAX in all? */
bool word_is_new_name(const char *text);

struct word_guess {
    const char *asked; /* the caller's */
    int distance;      /* of `best`; more than any word may have if there is none yet */
    char best[WORD_GUESS_MAX];
};

struct word_guess word_guess_for(const char *asked);

/* Considers a known word. */
void word_offer(struct word_guess *guess, const char *known);

/* Writes ", did you mean "x"?" into `hint`, or nothing when no word is near; returns `hint`. */
const char *word_hint(const struct word_guess *guess, char hint[WORD_HINT_MAX]);

/* Adds the same to a fault, which may be NULL. Returns false. */
bool word_suggest(const struct word_guess *guess, struct fault *fault);

#endif
