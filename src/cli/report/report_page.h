/* report_page.h - a report as one page for the browser that needs nothing besides itself. */
#ifndef ENSIGN_CLI_REPORT_REPORT_PAGE_H
#define ENSIGN_CLI_REPORT_REPORT_PAGE_H

#include "host/report/summary.h"

#include <stdio.h>

/* Writes the page. False without memory; what was not written is for the caller to see with
 * ferror(). */
bool report_page_write(const struct summary *report, FILE *out);

#endif
