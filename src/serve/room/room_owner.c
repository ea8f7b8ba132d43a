/* room_owner.c - whose game it is: the visitor that its place in the memory, its turns on the
 * threads, its bots and its bytes on the disk are counted for.
 *
 * That is the maker as long as it holds a seat or no other player is here. A game from the archive
 * is nobody's until a player sits down, whoever watches it; and so is one whose players have been
 * away for as long as a game without subscribers stays in the memory. Nobody's game can be
 * watched, and no more: it has no bots, and its clock stands still. A game without seats for people
 * is its maker's, or belongs to the visitor for whom it was fetched, until it is over. */
#include "room_inside.h"

#include "base/clock.h"

bool room_has_seats(const struct room *room) {
    return room_has_client(room, RED) || room_has_client(room, BLUE);
}

/* Does the owner hold a seat or, in a game without any, look on? */
static bool owner_is_here(const struct room *room) {
    for (size_t i = 0; i < room->subscribers.count; i++) {
        const struct listener *listener = &room->subscribers.list[i];
        if (client_visitor(listener->client) == room->visitor &&
            (listener->seated || !room_has_seats(room)))
            return true;
    }
    return false;
}

/* The former one is held until nothing is counted for it any more: it may be forgotten then. */
static void change_owner(struct room *room, struct visitor *visitor, bool owned) {
    struct visitor *former = room->visitor;
    room->visitor = visitor_hold(visitor);
    room->away_since = 0;
    bot_slots_move(room->house->slots, &room->claim, visitor_bots(visitor));
    task_move(&room->task, owned ? visitor_source(visitor) : room->house->nobodys);
    atomic_store(&room->owned, owned);
    clock_mind(room);
    visitor_give(former, HOLDS_GAMES);
    visitor_release(former);
}

/* A game that was nobody's goes on: so does its clock, and the absence of players counts from now.
 */
static void go_on(struct room *room) {
    for (int side = RED; side <= BLUE; side++)
        if (room->gone_since[side]) room->gone_since[side] = clock_ms();
    if (!room->started || room->table.referee.session->over) return;
    room_tell_clocks(room);
}

bool room_own(struct room *room, const struct client *client, struct fault *fault) {
    struct visitor *visitor = client_visitor(client);
    const bool owned = room->owned;
    if (owned && (visitor == room->visitor || owner_is_here(room))) return true;
    if (!visitor_take(visitor, HOLDS_GAMES, owned ? NULL : fault)) return owned;
    change_owner(room, visitor, true);
    if (!owned) go_on(room);
    return true;
}

/* Is it a game that can be left as it is, and goes on as if nothing had happened? */
static bool may_stand_still(const struct room *room) {
    const struct session *session = room->table.referee.session;
    return session->over || (room_has_seats(room) && !(room->asked.has_clock && session->started) &&
                             !session->draw_offered && !room->table.own_army);
}

void room_pass_on(struct room *room) {
    if (room->house->open || !room->owned) return;
    const int64_t now = clock_ms();
    if (owner_is_here(room))
        room->away_since = 0;
    else if (!room->away_since)
        room->away_since = now;
    if (!room->away_since || now - room->away_since < room->house->waits.leave) return;
    room->away_since = now;
    struct client *player = subscribers_holder(&room->subscribers, RED);
    if (!player) player = subscribers_holder(&room->subscribers, BLUE);
    if (player) {
        room_own(room, player, NULL);
    } else if (may_stand_still(room)) {
        room_close_players(room);
        room->asleep = room->claim.bots && !room->table.referee.session->over;
        change_owner(room, NULL, false);
    }
}
