/* pages.h - what a browser may fetch: the page's files, and the texts of the languages.
 *
 *     /  /NAME            the files of src/serve/page/, as they were when the program was built
 *     /words/TAG.json     {"tag","name","kinds":{…},"texts":{…}}: a file of scripts/languages/
 */
#ifndef ENSIGN_SERVE_PAGES_H
#define ENSIGN_SERVE_PAGES_H

#include "net.h"

#include "lua/folders.h"

#include <jansson.h>

struct pages;

/* Loads the languages, each in a locked process: before there are threads. Those that are broken
 * are left out. `folder` holds other files for the page, read anew for each request; NULL: the
 * program's own. NULL with a fault. */
struct pages *pages_open(const struct folders *folders, const char *folder, struct fault *fault);
void pages_close(struct pages *pages); /* NULL is allowed */

/* As net_options.page. */
bool pages_find(const struct pages *pages, const char *path, struct net_page *page);

/* The tags of the languages, English first. A new reference; NULL without memory. */
json_t *pages_languages(const struct pages *pages);

#endif
