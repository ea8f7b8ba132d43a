/* page.h - a self-contained HTML page: the template (page.html), style and scripts beside this
 * file, and data.
 *
 * Names and texts come from bots and records and are untrusted. The data are JSON in script
 * elements of a type that is not run, with every '<' escaped, so that nothing can close the
 * element; the page's scripts treat them as text only; the page's policy allows no requests and no
 * other scripts. */
#ifndef ENSIGN_CLI_REPORT_PAGE_H
#define ENSIGN_CLI_REPORT_PAGE_H

#include "lua/language.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/* What differs between pages. Functions that return false had no memory. */
struct page {
    const struct language *language;     /* NULL: English */
    const unsigned char *const *scripts; /* in this order; ends with NULL */
    void (*title)(const void *context, FILE *out);
    bool (*data)(const void *context, FILE *out);      /* all script elements with data */
    void (*words)(const void *context, json_t *words); /* adds to those of the scripts; or NULL */
    const void *context;
};

/* False without memory; the caller checks ferror(). */
bool page_write(const struct page *page, FILE *out);

/* A text between tags or in an attribute. */
void page_text(const char *text, FILE *out);

/* A script element with data is begun and ended; between, JSON is written and freed. False without
 * memory (also NULL for `document`). */
void page_data_begin(const char *id, FILE *out);
bool page_json(json_t *document, FILE *out);
void page_data_end(FILE *out);

#endif
