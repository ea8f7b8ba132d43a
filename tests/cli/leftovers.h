/* leftovers.h - finds English words that stayed in a translated output.
 *
 * A word is left over if it stands both in the output in English and in that of another language
 * and is not among the words that stay: names, notation, what is typed (leftovers.c). Words with
 * capitals only, digits or punctuation inside are placeholders, labels or paths and are not looked
 * at. */
#ifndef ENSIGN_TESTS_CLI_LEFTOVERS_H
#define ENSIGN_TESTS_CLI_LEFTOVERS_H

/* The tags of the languages to compare with English; ends with NULL. */
enum { LEFTOVERS_LANGUAGES = 5 };
extern const char *const LEFTOVERS_TAGS[LEFTOVERS_LANGUAGES + 1];

/* Prints the words that are left over, with `where` they stand; returns their number. */
int leftovers_count(const char *tag, const char *where, const char *english,
                    const char *translated);

#endif
