/* faults.c - a bounded list of remarks. */
#include "faults.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct faults *faults_new(void) {
    return calloc(1, sizeof(struct faults));
}

static bool is_full(const struct faults *faults) {
    return faults->count == FAULTS_MAX;
}

/* Removes the last warning from the list. */
static void drop_warning(struct faults *faults) {
    size_t i = faults->count;
    while (i > 0 && !faults->list[i - 1].warning) i--;
    if (i == 0) return;
    memmove(&faults->list[i - 1], &faults->list[i], (faults->count - i) * sizeof faults->list[0]);
    faults->count--;
}

static struct remark *faults_append(struct faults *faults, const struct fault *fault,
                                    bool warning) {
    if (is_full(faults) && !warning) drop_warning(faults);
    struct remark *remark = &faults->list[faults->count];
    if (!is_full(faults)) faults->count++;
    *(warning ? &faults->warnings : &faults->errors) += 1;
    memset(remark, 0, sizeof *remark);
    remark->fault = *fault;
    remark->warning = warning;
    return remark;
}

struct remark *faults_add(struct faults *faults, const struct fault *fault) {
    return faults_append(faults, fault, false);
}

struct remark *faults_warn(struct faults *faults, const struct fault *fault) {
    return faults_append(faults, fault, true);
}

void remark_explain(struct remark *remark, const char *page) {
    snprintf(remark->page, sizeof remark->page, "%s", page);
}

bool faults_full(const struct faults *faults) {
    if (!is_full(faults)) return false;
    for (size_t i = 0; i < faults->count; i++)
        if (faults->list[i].warning) return false;
    return true;
}

void faults_miss(struct faults *faults) {
    faults->errors++;
}

/* Is `inner` the key `outer` or something in it? */
static bool holds(const char *outer, const char *inner) {
    size_t length = strlen(outer);
    return strncmp(outer, inner, length) == 0 &&
           (length == 0 || inner[length] == 0 || inner[length] == '.' || inner[length] == '[');
}

bool faults_about(const struct faults *faults, const char *key) {
    for (size_t i = 0; i < faults->count; i++) {
        const struct remark *remark = &faults->list[i];
        if (remark->warning) continue;
        if (holds(remark->key, key) || holds(key, remark->key)) return true;
        if (remark->meant[0] && holds(remark->meant, key)) return true;
    }
    return false;
}

/* Length of the text without " (ply N)" at its end. */
static size_t length_without_ply(const char *text) {
    size_t length = strlen(text);
    const char *last = strrchr(text, '(');
    bool ply = last && last > text && !strncmp(last, "(ply ", 5);
    return ply ? (size_t)(last - text) - 1 : length;
}

bool faults_holds(const struct faults *faults, const struct fault *fault) {
    const size_t length = length_without_ply(fault->text);
    for (size_t i = 0; i < faults->count; i++) {
        const struct fault *listed = &faults->list[i].fault;
        size_t all = length_without_ply(listed->text);
        if (!faults->list[i].warning && listed->line == fault->line &&
            !strcmp(listed->file, fault->file) && all >= length &&
            !strncmp(listed->text + all - length, fault->text, length))
            return true;
    }
    return false;
}

static int fault_compare(const struct fault *a, const struct fault *b, const char *first) {
    bool a_first = strcmp(a->file, first) == 0, b_first = strcmp(b->file, first) == 0;
    if (a_first != b_first) return a_first ? -1 : 1;
    int order = strcmp(a->file, b->file);
    if (order) return order;
    if (a->line != b->line) return a->line < b->line ? -1 : 1;
    return (a->column > b->column) - (a->column < b->column);
}

void faults_sort(struct faults *faults, const char *first) {
    for (size_t i = 1; i < faults->count; i++) {
        struct remark remark = faults->list[i];
        size_t at = i;
        for (; at > 0 && fault_compare(&remark.fault, &faults->list[at - 1].fault, first) < 0; at--)
            faults->list[at] = faults->list[at - 1];
        faults->list[at] = remark;
    }
}

const struct fault *faults_first(const struct faults *faults) {
    for (size_t i = 0; i < faults->count; i++)
        if (!faults->list[i].warning) return &faults->list[i].fault;
    return NULL;
}
