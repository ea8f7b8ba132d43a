/* fuzz.h - what the fuzz targets share.
 *
 * A target is one file with LLVMFuzzerTestOneInput(). Built with clang's libFuzzer it searches;
 * built with corpus.c it runs the kept inputs as an ordinary test. Targets check properties and
 * abort with a message when one does not hold. */
#ifndef ENSIGN_TESTS_FUZZ_FUZZ_H
#define ENSIGN_TESTS_FUZZ_FUZZ_H

#include "base/random.h"
#include "core/text/layout.h"
#include "core/text/notation.h"
#include "variant/variant.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Prints the message and aborts unless `holds`. */
void fuzz_require(bool holds, const char *message);

/* A temporary folder, in memory where there is one, which is removed at the end. */
const char *fuzz_folder(void);

/* Writes the input as a file, and removes what SQLite left beside one of that name. */
void fuzz_write(const char *path, const uint8_t *data, size_t size);

/* The folders of the program's own scripts, found once. */
const struct folders *fuzz_folders(void);

/* One of the stock variants, loaded once; any number selects one. */
const struct rules *fuzz_rules(unsigned number);

/* The stock variant of that name, or NULL. */
const struct rules *fuzz_rules_named(const char *name);

/* A fault of a reader: a status that is no success, and one printable line. */
void fuzz_require_fault(const struct fault *fault);

/* Plays up to `plies` random legal moves from a position that position_check() accepts, judging
 * each and taking all back in the end, when the game must be as it was. */
void fuzz_play(const struct rules *rules, const struct position *position, uint64_t seed,
               uint32_t plies);

#endif
