/* outlook.h - the knowledge of an onlooker: a side, the public, or everybody's together.
 *
 * It reads views and events, never the true position, so it tells nothing that the onlooker may not
 * know. The public knows what each side knows that the other knows too: where the rules limit sight
 * that is battles, uses of abilities, falls and returns, and not where a piece stands. */
#ifndef ENSIGN_HOST_SEAT_OUTLOOK_H
#define ENSIGN_HOST_SEAT_OUTLOOK_H

#include "core/know/eyes.h"
#include "core/text/layout.h"

enum onlooker {
    ONLOOKER_RED = RED,
    ONLOOKER_BLUE = BLUE,
    ONLOOKER_PUBLIC,
    ONLOOKER_ALL,
    ONLOOKERS
};

const char *onlooker_name(enum onlooker onlooker); /* "red", "blue", "public", "all" */

/* ONLOOKERS if `name` is none of these. */
enum onlooker onlooker_named(const char *name);

/* For a side only its own view and events are read; the other pointers may be NULL. */
struct outlook {
    enum onlooker onlooker;
    const struct view *view[2];
    const struct events *told[2];
};

struct outlook outlook_of(enum onlooker onlooker, const struct eyes *eyes);
struct outlook outlook_of_side(const struct view *view, const struct events *told);

/* A view that the onlooker may read: its rules, result and number of plies are known to all. */
const struct view *outlook_view(const struct outlook *outlook);

/* The board as the onlooker knows it, in the form of position_write(). A hidden piece is "r?" or
 * "b?", and "?" a square out of sight. `out` holds POSITION_TEXT_MAX bytes. Returns the length. */
size_t outlook_position(const struct outlook *outlook, char *out);

/* The events of the latest turn that the onlooker may know. */
void outlook_events(const struct outlook *outlook, struct events *events);

#endif
