/* language.h - translations of all texts for users.
 *
 * The program is written in English. A language is one file, scripts/languages/TAG.lua on the
 * search path (see scripts/README.md), with names of pieces and translated texts. A text is a
 * pattern with placeholders {1} to {9}. The English pattern is the key of its translation, and the
 * text shown if there is none.
 *
 * A text for users is written as TEXT("…") or as the pattern of one of the functions below, as one
 * literal: a test collects these and compares them with every language file.
 *
 * A loaded language is read-only and may be shared by threads. In every function here NULL means
 * English. */
#ifndef ENSIGN_LUA_LANGUAGE_H
#define ENSIGN_LUA_LANGUAGE_H

#include "core/play/calls.h"
#include "folders.h"

#include <stdio.h>

enum {
    LANGUAGE_NAME_MAX = 64,  /* bytes of a language's name or a piece's, with the final 0 */
    LANGUAGE_TEXT_MAX = 2048 /* bytes of a text, with the final 0 */
};

struct language;

/* Marks a text that is translated where it is used. */
#define TEXT(english) (english)

/* Loads a language by tag ("uk") or path. NULL with a fault: STATUS_NOT_FOUND with "did you mean",
 * or an error with file and line. Free with language_free(). */
struct language *language_load(const struct folders *folders, const char *tag, struct fault *fault);
void language_free(struct language *language);

/* "uk" of "…/uk.lua". */
void language_tag_of(const char *path, char tag[NAME_TAG_MAX]);

/* For sending a language to another process: language_new() makes an empty one (NULL without
 * memory, or if the name is not printable on one line), language_add() checks entries as those of a
 * file (false: invalid), and language_seal() must come before any lookup. `index` is below
 * language_count(). */
enum language_part {
    LANGUAGE_KINDS,
    LANGUAGE_TEXTS,
    LANGUAGE_PAGE, /* texts that the page of `ensign serve` may show */
    LANGUAGE_PARTS
};
struct language *language_new(const char *tag, const char *name);
bool language_add(struct language *language, enum language_part part, const char *key,
                  const char *text);
void language_seal(struct language *language);
size_t language_count(const struct language *language, enum language_part part);
void language_entry(const struct language *language, enum language_part part, size_t index,
                    const char **key, const char **text);

const char *language_tag(const struct language *language);  /* "uk" */
const char *language_name(const struct language *language); /* "Українська" */

/* The translation of an English text, or that text itself. */
const char *language_text(const struct language *language, const char *english);

/* "Red", "Blue". */
const char *language_side(const struct language *language, enum side side);

/* A kind's name: the variant's in this language, else the language's, else the English one.
 * KIND_NONE is "Piece". Valid as long as the rules and the language. */
const char *language_kind(const struct language *language, const struct rules *rules, kind_id kind);

/* The name of a counter: the variant's in this language, else the English one. */
const char *language_counter(const struct language *language, const struct rules *rules,
                             int counter);

/* The same for a variant's title. */
const char *language_title(const struct language *language, const struct rules *rules);

/* A reason in a word or two, for tables: "flag", "no-attack-limit". */
const char *language_reason(const struct language *language, enum reason reason);

/* A result with its reason in a sentence or two: "Red wins. The flag is captured." The variant's
 * own `words`, unless they are NULL or empty, take the place of the reason. */
void language_end(const struct language *language, enum result result, enum reason reason,
                  const struct ending_words *words, char *out, size_t size);

/* The variant's words for an ending, in the language if it has them. */
const char *language_ending(const struct language *language, const struct ending_words *words);

/* A fault without its place: each part with a known pattern is translated, with those arguments
 * that are texts of several words; the rest stays English.
 * Returns the bytes written; longer output is cut. */
size_t language_fault(const struct language *language, const struct fault *fault, char *out,
                      size_t size);

/* The same with its place, as fault_format(). */
size_t language_fault_line(const struct language *language, const struct fault *fault, char *out,
                           size_t size);

/* Fills in a pattern: the arguments after the size are the pattern and up to nine texts. Output
 * that does not fit is cut at a character boundary; placeholders without a text are left out.
 * Returns the bytes written. */
#define language_fill(out, size, ...)                                                              \
    language_fill_list(out, size, NULL, (const char *const[]){__VA_ARGS__, NULL})

/* The same with the translation of an English pattern. */
#define language_write(out, size, language, ...)                                                   \
    language_fill_list(out, size, language, (const char *const[]){__VA_ARGS__, NULL})

/* The same into a file, with or without the end of a line behind it. */
#define language_print(file, language, ...)                                                        \
    language_print_list(file, language, "", (const char *const[]){__VA_ARGS__, NULL})
#define language_line(file, language, ...)                                                         \
    language_print_list(file, language, "\n", (const char *const[]){__VA_ARGS__, NULL})

/* Behind these macros; `texts` begins with the pattern and ends with NULL. */
size_t language_fill_list(char *out, size_t size, const struct language *language,
                          const char *const *texts);
void language_print_list(FILE *file, const struct language *language, const char *end,
                         const char *const *texts);

/* A number as one of these texts; valid to the end of the block. */
#define NUMBER_TEXT(number) language_number((char[24]){0}, (unsigned long long)(number))
const char *language_number(char out[24], unsigned long long number);

#endif
