/* faults.h - all that is wrong with one input, not only the first of it.
 *
 * A remark is a fault with what an editor or a page wants beside its text: the key it is about, the
 * value found there, what was expected, and where that is explained. Errors make the input unusable
 * for what it is; warnings are about what it probably does not mean. Bounded: what comes after
 * FAULTS_MAX remarks is counted only; an error then takes the place of the last warning. */
#ifndef ENSIGN_BASE_FAULTS_H
#define ENSIGN_BASE_FAULTS_H

#include "fault.h"

enum {
    FAULTS_MAX = 20,
    FAULT_KEY_MAX = 256,
    FAULT_VALUE_MAX = 64,
    FAULT_EXPECTED_MAX = 192,
    FAULT_PAGE_MAX = 64
};

struct remark {
    struct fault fault;
    bool warning;
    char page[FAULT_PAGE_MAX]; /* "variants/README.md#pieces"; "" if there is none */
    char key[FAULT_KEY_MAX]; /* names joined with dots, elements of lists in brackets; may be "" */
    char value[FAULT_VALUE_MAX];       /* as the input has it; "" where it is no single value */
    char expected[FAULT_EXPECTED_MAX]; /* "" where only the text says it */
    char meant[FAULT_KEY_MAX]; /* the key that this one is probably a misspelling of, or "" */
};

struct faults {
    size_t errors, warnings;            /* all that were added */
    size_t count;                       /* those in the list */
    struct remark list[FAULTS_MAX + 1]; /* the last is what is written into when all are taken */
};

/* Empty; NULL without memory. The caller frees with free(). */
struct faults *faults_new(void);

/* Adds a copy of an error and returns it for more to be said; never NULL. */
struct remark *faults_add(struct faults *faults, const struct fault *fault);
struct remark *faults_warn(struct faults *faults, const struct fault *fault);

/* Says which page explains it. */
void remark_explain(struct remark *remark, const char *page);

/* Is the list full of errors, so that the text of a further one is not needed? faults_miss() then
 * counts it, which is worth the trouble where there may be hundreds of thousands. */
bool faults_full(const struct faults *faults);
void faults_miss(struct faults *faults);

/* Is there an error about this key, about something in it, or about something it is in? What
 * follows from an error that was named already is not worth a line of its own. */
bool faults_about(const struct faults *faults, const char *key);

/* Orders by place: the file `first`, then others by name; in each by line and column. */
void faults_sort(struct faults *faults, const char *first);

/* The first error in the list, or NULL. */
const struct fault *faults_first(const struct faults *faults);

#endif
