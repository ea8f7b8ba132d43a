/* standby.c - the pool of each thread. */
#include "standby.h"

#include <stddef.h>

static _Thread_local const struct standby *own; /* NULL: no pool */

void standby_join(const struct standby *standby) {
    own = standby;
}

void standby_begin(void) {
    if (own) own->begin(own->pool);
}

void standby_end(void) {
    if (own) own->end(own->pool);
}
