/* comparison.c - the program's strcoll().
 *
 * A function of this name in the program comes before that of the C library for all libraries that
 * are linked to it. The order by bytes is that of strcoll() in the locale "C", the only one in
 * which scripts run; nothing else in this program sorts by a locale.
 *
 * Texts of a million zeros would be a million calls for one instruction, so each call costs at
 * least one. An error may be raised from here: Lua expects one wherever it compares, since values
 * may have metamethods. */
#include "comparison.h"

#include <string.h>

static _Thread_local struct comparison_payer payer;

struct comparison_payer comparison_pays(struct comparison_payer next) {
    const struct comparison_payer before = payer;
    payer = next;
    return before;
}

__attribute__((visibility("default"))) int strcoll(const char *left, const char *right) {
    for (;; left += COMPARISON_BYTES, right += COMPARISON_BYTES) {
        if (payer.charge) payer.charge(payer.lua, 1);
        const int order = strncmp(left, right, COMPARISON_BYTES);
        if (order || memchr(left, 0, COMPARISON_BYTES)) return order;
    }
}
