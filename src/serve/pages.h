/* pages.h - what a browser may fetch: the page's files, and the texts of the languages.
 *
 *     /  /NAME            the files of src/serve/page/, as they were when the program was built
 *     /words/TAG.json     {"tag","name","kinds":{…},"texts":{…}}: a file of scripts/languages/
 *     /rules/TAG/NAME.txt the rule sheet of a variant in that language
 */
#ifndef ENSIGN_SERVE_PAGES_H
#define ENSIGN_SERVE_PAGES_H

#include "serve/net/net.h"

#include "lua/language.h"

#include <jansson.h>
#include <stdio.h>

struct pages;

/* Writes the rule sheet of a variant, each sentence on one line. */
typedef void pages_sheet(FILE *out, const struct language *language, const struct rules *rules);

/* Loads the languages and the variants, each in a locked process. Those
 * that are broken are left out; sheets are those of now, also if a variant changes. `folder` holds
 * other files for the page, read anew for each request; NULL: the program's own. NULL with a
 * fault. */
struct pages *pages_open(const struct folders *folders, const char *folder, pages_sheet *sheet,
                         struct fault *fault);
void pages_close(struct pages *pages); /* NULL is allowed */

/* As net_options.page. */
bool pages_find(const struct pages *pages, const char *path, struct net_page *page);

/* The tags of the languages, English first. A new reference; NULL without memory. */
json_t *pages_languages(const struct pages *pages);

#endif
