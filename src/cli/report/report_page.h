/* report_page.h - a report as one self-contained HTML page. */
#ifndef ENSIGN_CLI_REPORT_REPORT_PAGE_H
#define ENSIGN_CLI_REPORT_REPORT_PAGE_H

#include "host/report/summary.h"

#include <stdio.h>

/* Writes a page of the reports, each of another variant. False without memory; the caller checks
 * ferror(). */
bool report_page_write(const struct summary *const *reports, size_t count, FILE *out);

#endif
