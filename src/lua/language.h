/* language.h - what people read, in their language.
 *
 * The program says everything in English. A language is one file, TAG.lua in scripts/languages/ of
 * the search path (described in scripts/README.md), which names pieces and translates texts. A text
 * is a pattern in which {1} to {9} stand for what is filled in; the English pattern is also the key
 * under which its translation is found, and what people read where a language has none.
 *
 * A text that people read is written as TEXT("…") or as the pattern of one of the functions below,
 * in one literal; a test looks for these and compares them with every file of a language.
 *
 * A language never changes after it is loaded and may be shared by threads. NULL is English, for
 * every function here. */
#ifndef ENSIGN_LUA_LANGUAGE_H
#define ENSIGN_LUA_LANGUAGE_H

#include "core/play/game.h"
#include "folders.h"

#include <stdio.h>

enum {
    LANGUAGE_NAME_MAX = 64,  /* bytes of a language's name or a piece's, with the final 0 */
    LANGUAGE_TEXT_MAX = 1024 /* bytes of a text, with the final 0 */
};

struct language;

/* Marks a text that is translated where it is used. */
#define TEXT(english) (english)

/* The language of that tag ("uk"), or in that file. NULL with a fault: STATUS_NOT_FOUND with "did
 * you mean", or file, line and what is wrong there. The caller frees. */
struct language *language_load(const struct folders *folders, const char *tag, struct fault *fault);
void language_free(struct language *language);

/* "uk" of "…/uk.lua". */
void language_tag_of(const char *path, char tag[NAME_TAG_MAX]);

/* The parts of a language, for whoever carries one from one process to another: a new one without
 * entries (NULL without memory, or if a text cannot be shown on a line), entries that are checked
 * as those of a file are (false: it cannot be one), and language_seal() before anything is looked
 * up. `index` is below language_count(). */
enum language_part { LANGUAGE_KINDS, LANGUAGE_TEXTS };
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

/* What a piece is called: as its variant says in this language, else as the language says, else in
 * English. KIND_NONE is "Piece". Lives as long as the rules and the language. */
const char *language_kind(const struct language *language, const struct rules *rules, kind_id kind);

/* The same for a variant's title. */
const char *language_title(const struct language *language, const struct rules *rules);

/* A result with its reason in a sentence or two: "Red wins. The flag is captured." */
void language_end(const struct language *language, enum result result, enum reason reason,
                  char *out, size_t size);

/* A fault without its place: each part whose pattern the language has is translated, the rest stays
 * English. Returns the bytes written; what does not fit is cut. */
size_t language_fault(const struct language *language, const struct fault *fault, char *out,
                      size_t size);

/* The same with its place, as fault_format(). */
size_t language_fault_line(const struct language *language, const struct fault *fault, char *out,
                           size_t size);

/* Writes a pattern with its placeholders filled in: after the size come the pattern and up to nine
 * texts. What does not fit is cut at a character's border; placeholders without a text are left
 * out. Returns the bytes written. */
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

/* What these stand for; `texts` begins with the pattern and ends with NULL. */
size_t language_fill_list(char *out, size_t size, const struct language *language,
                          const char *const *texts);
void language_print_list(FILE *file, const struct language *language, const char *end,
                         const char *const *texts);

/* A number as one of these texts; it lives to the end of the block. */
#define NUMBER_TEXT(number) language_number((char[24]){0}, (unsigned long long)(number))
const char *language_number(char out[24], unsigned long long number);

#endif
