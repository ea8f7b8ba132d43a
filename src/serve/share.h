/* share.h - how the link of a game looks where it is shared: a page with a title and a picture.
 *
 * The page is the page of the server with other words in its head; the picture is the board at the
 * end, as PNG, since other sites show no SVG. Both are made anew for each request. */
#ifndef ENSIGN_SERVE_SHARE_H
#define ENSIGN_SERVE_SHARE_H

#include "serve/net/net.h"
#include "serve/room/room.h"

enum { SHARE_COST = 20 /* pages that a picture counts as */ };

/* Is it "/game/ID", or, with `*picture`, "/game/ID.png"? Then `id` is that of the game, which may
 * not exist. */
bool share_path(const char *path, char id[ROOM_ID_MAX], bool *picture);

/* The page `index` with a card's title, words and picture in its head; `origin` begins the address
 * of the picture, and ends with '/'. False without memory. */
bool share_page(const struct net_page *index, const struct room_card *card, const char *id,
                const char *origin, struct net_page *page);

/* False without memory. */
bool share_picture(const struct room_card *card, struct net_page *page);

#endif
