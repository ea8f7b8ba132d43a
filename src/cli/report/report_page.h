/* report_page.h - a report as one self-contained HTML page. */
#ifndef ENSIGN_CLI_REPORT_REPORT_PAGE_H
#define ENSIGN_CLI_REPORT_REPORT_PAGE_H

#include "host/report/summary.h"
#include "lua/language.h"

#include <stdio.h>

/* Reports, each of another variant, and the language of their page. */
struct report_pages {
    const struct summary *const *reports;
    size_t count;
    const struct language *language; /* NULL: English */
};

/* False without memory; the caller checks ferror(). */
bool report_page_write(const struct report_pages *pages, FILE *out);

#endif
