/* setup_list.h - the library of set-ups as a list on the screen: one is chosen, and one's own are
 * renamed and deleted. */
#ifndef ENSIGN_CLI_SCREEN_SETUP_LIST_H
#define ENSIGN_CLI_SCREEN_SETUP_LIST_H

#include "dialog.h"
#include "host/setups/setup_library.h"
#include "lua/language.h"

struct setup_list {
    struct screen *screen;
    const struct backdrop *behind;
    const struct language *language;
    const struct folders *folders;
    const struct rules *rules; /* that the set-ups must fit */
    enum side side;
};

enum setup_list_end {
    SETUP_LIST_CHOSEN, /* `chosen` is set */
    SETUP_LIST_LEFT,   /* without a choice */
    SETUP_LIST_EMPTY,  /* the library has no set-up for these rules */
    SETUP_LIST_FAILED  /* memory is short; with a fault */
};

enum setup_list_end setup_list_choose(const struct setup_list *list, struct library_setup *chosen,
                                      struct fault *fault);

#endif
