/* faults.h - a list of all faults of one input.
 *
 * A remark is a fault with details for editors and pages: the key, the value found, the value
 * expected, and the page that explains it. Errors make the input unusable; warnings point at
 * probable mistakes. Past FAULTS_MAX remarks, further ones are only counted, except that an error
 * replaces the last warning. */
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
    char page[FAULT_PAGE_MAX]; /* "variants/REFERENCE.md#pieces"; "" if there is none */
    char key[FAULT_KEY_MAX]; /* names joined with dots, elements of lists in brackets; may be "" */
    char value[FAULT_VALUE_MAX];       /* as in the input; "" unless it is a single value */
    char expected[FAULT_EXPECTED_MAX]; /* "" if only the text says it */
    char meant[FAULT_KEY_MAX];         /* the key that this one probably misspells, or "" */
};

struct faults {
    size_t errors, warnings;            /* all added, listed or not */
    size_t count;                       /* of `list` */
    struct remark list[FAULTS_MAX + 1]; /* the last one takes remarks that do not fit */
};

/* Empty; NULL without memory. The caller frees with free(). */
struct faults *faults_new(void);

/* Add a copy of a fault and return the remark, for details to be filled in; never NULL. */
struct remark *faults_add(struct faults *faults, const struct fault *fault);
struct remark *faults_warn(struct faults *faults, const struct fault *fault);

/* Sets the page that explains it. */
void remark_explain(struct remark *remark, const char *page);

/* Is the list full of errors? Then faults_miss() counts a further one without a text: inputs can
 * have hundreds of thousands. */
bool faults_full(const struct faults *faults);
void faults_miss(struct faults *faults);

/* Is there an error about this key, a part of it, or a table that contains it? Used to leave out
 * errors that follow from one already listed. */
bool faults_about(const struct faults *faults, const char *key);

/* Is there an error at the same place with the same text, perhaps behind a part that says where it
 * was met (fault_within()), and at another ply? */
bool faults_holds(const struct faults *faults, const struct fault *fault);

/* Sorts by place: the file `first`, then the others by name; in each by line and column. */
void faults_sort(struct faults *faults, const char *first);

/* The first error in the list, or NULL. */
const struct fault *faults_first(const struct faults *faults);

#endif
