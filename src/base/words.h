/* words.h - valid names, and "did you mean": the known word nearest to an unknown one. */
#ifndef ENSIGN_BASE_WORDS_H
#define ENSIGN_BASE_WORDS_H

#include <stdbool.h>
#include <stddef.h>

struct fault;

enum {
    WORD_MAX = 32, /* bytes of a name in a variant, of a kind or an ability, with its final 0 */
    WORD_GUESS_MAX = 64,
    WORD_HINT_MAX = 96
};

/* Is it a valid file name: up to WORD_GUESS_MAX - 1 letters, digits, '-' and '_', not starting with
 * '-'? */
bool word_is_name(const char *text);

/* Is it a valid name for a new file: a lower-case letter, then lower-case letters, digits, '-' and
 * '_', fewer than WORD_MAX in all? Stricter, since it is typed in commands. */
bool word_is_new_name(const char *text);

struct word_guess {
    const char *asked; /* the caller's */
    int distance;      /* of `best`, or without one the first distance that is too far */
    char best[WORD_GUESS_MAX];
};

struct word_guess word_guess_for(const char *asked);

/* Considers a known word. */
void word_offer(struct word_guess *guess, const char *known);

/* The same for words that come in any order: of equally near ones the one with the same
 * letters stays, else the first by bytes. */
void word_offer_any(struct word_guess *guess, const char *known);

/* Writes ", did you mean "x"?" into `hint`, or nothing when no word is near; returns `hint`. */
const char *word_hint(const struct word_guess *guess, char hint[WORD_HINT_MAX]);

/* Adds the same to a fault, which may be NULL. Returns false. */
bool word_suggest(const struct word_guess *guess, struct fault *fault);

#endif
