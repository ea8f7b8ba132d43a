/* learn_page.h - how learning goes, as one self-contained HTML page. */
#ifndef ENSIGN_CLI_REPORT_LEARN_PAGE_H
#define ENSIGN_CLI_REPORT_LEARN_PAGE_H

#include "host/learn/trainer.h"
#include "lua/language.h"

#include <stdio.h>

/* `language` NULL: English. False without memory; the caller checks ferror(). */
bool learn_page_write(const struct trainer *trainer, const struct language *language, FILE *out);

#endif
