/* room_begin.c - from a request to a running game: variant, chance, set-ups, players, referee.
 *
 * A game that is taken back is opened again with the same chance and set-ups: bots lay out and
 * observe as they did, and are not asked again until the ply that was wanted. */
#include "room_inside.h"

#include "base/clock.h"
#include "base/descriptors.h"
#include "base/utf8.h"
#include "core/text/layout.h"
#include "host/players.h"
#include "host/seed.h"
#include "host/setups/setup_library.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BOTS_SECONDS = 5 /* until others may have given some back */ };

bool room_draw_chance(struct room *room, struct fault *fault) {
    if (room->asked.has_seed) {
        room->seed = room->asked.seed;
        return seed_stretch(room->seed, &room->chance, fault);
    }
    room->chance = chance_derive(&room->house->key, CHANCE_GAME, room->number);
    room->seed = chance_number(&room->chance, CHANCE_TOLD, 0) >> 11;
    return true;
}

bool room_read_setup(const struct room *room, enum side side, const char *text, struct setup *setup,
                     struct fault *fault) {
    struct random random = chance_random(&room->chance, CHANCE_SETUP, side);
    struct folders shown = *room->house->shown;
    memcpy(shown.setups, room->edition->folders.setups, sizeof shown.setups);
    return setup_library_read(&shown, room->edition->rules, side, text, &random, setup, fault);
}

/* Reads the position or the set-ups that were given. */
static bool read_start(struct room *room, struct fault *fault) {
    const struct rules *rules = room->edition->rules;
    const struct invitation *asked = &room->asked;
    room->limits = asked->has_limits ? asked->limits : rules->limits;
    room->first = asked->has_first ? asked->first : rules_draw_first(rules, &room->chance);
    if (asked->position) {
        bool read = position_read(rules, asked->position, strlen(asked->position), &room->position,
                                  fault) &&
                    position_check(rules, &room->position, fault);
        room->first = room->position.to_move;
        return read || fault_within(fault, "in \"position\"");
    }
    if ((asked->setup[RED] || asked->setup[BLUE]) && rules->armies == ARMIES_BY_CHANCE)
        return fault_set(fault, STATUS_USAGE, "\"setups\": each game of \"%s\" draws the armies",
                         rules->name);
    for (int side = RED; side <= BLUE; side++)
        if (asked->setup[side] &&
            !room_read_setup(room, (enum side)side, asked->setup[side], &room->setups[side], fault))
            return fault_within(fault, "in \"setups\", %s", side_name((enum side)side));
    return true;
}

static const char *word_for_player(const struct room *room, enum side side) {
    if (room->asked.name[side]) return room->asked.name[side];
    return room_has_client(room, side) ? "human" : room->asked.player[side];
}

void room_close_players(struct room *room) {
    table_close_players(&room->table);
    bot_slots_give(room->house->slots, &room->claim);
}

/* Opens the game; one of the archive gets its bots when it is their turn. */
static bool open_game(struct room *room, struct fault *fault) {
    const struct room_house *house = room->house;
    const struct invitation *asked = &room->asked;
    const struct archived *kept = room->kept;
    struct table_options options = {.rules = room->edition->rules,
                                    .bots = {.folders = &room->edition->folders,
                                             .rules = room->edition->rules,
                                             .limits = house->limits,
                                             .deadline = house->deadline,
                                             .programs = house->programs,
                                             .template = room->edition->template,
                                             .catches_up = true,
                                             .give_up = &room->stopped},
                                    .kept_descriptors = DESCRIPTORS_NOT_FOR_BOTS,
                                    .chance = &room->chance,
                                    .alone = kept,
                                    .has_clock = asked->has_clock,
                                    .clock = room->clock,
                                    .game = {.first = room->first,
                                             .limits = &room->limits,
                                             .seed = room->seed,
                                             .about = room->about,
                                             .position = asked->position ? &room->position : NULL}};
    if (kept && kept->setup[RED] && kept->setup[BLUE]) {
        options.game.played = kept->moves;
        options.game.played_count = kept->move_count;
        options.game.ask_anyway = true;
    }
    for (int side = RED; side <= BLUE; side++) {
        options.told_name[side] = word_for_player(room, (enum side)side);
        options.game.names[side] = asked->name[side];
        if (!room_has_client(room, (enum side)side)) options.player[side] = asked->player[side];
        if (asked->setup[side] && !asked->position) options.game.setups[side] = &room->setups[side];
    }
    room->table.owner = (struct table_listener){room_hear_game, room};
    return table_open(&room->table, &options, fault);
}

static void introduce(struct room *room) {
    pthread_mutex_lock(&room->lock);
    for (int side = RED; side <= BLUE; side++) {
        const char *name = room->table.opened[side] && !room->asked.name[side]
                               ? room->table.players[side].name
                               : word_for_player(room, (enum side)side);
        snprintf(room->names[side], sizeof room->names[side], "%s", name);
        utf8_make_safe(room->names[side]); /* a long one may have lost half a character */
    }
    snprintf(room->variant, sizeof room->variant, "%s", room->edition->rules->name);
    room->listed = true;
    pthread_mutex_unlock(&room->lock);
}

/* The maker gets the secrets of its own seats, which are all where the clients are the user's own,
 * and the invitations to the others. */
static void reply_created(struct room *room) {
    if (!room->maker) return;
    json_t *created = json_pack("{s:s, s:s, s:{}, s:s}", "type", "created", "game", room->id,
                                "seats", "watch", room->id);
    json_t *seats = json_object_get(created, "seats"), *invites = json_object();
    for (int side = RED; side <= BLUE; side++) {
        const bool own = room->house->open || room->asked.holder[side] == HELD_BY_MAKER;
        const char *name = side_name((enum side)side);
        if (room->secret[side][0] && own)
            json_object_set_new(seats, name, json_string(room->secret[side]));
        if (room->invite[side][0])
            json_object_set_new(invites, name, json_string(room->invite[side]));
    }
    if (json_object_size(invites)) json_object_set(created, "invites", invites);
    json_decref(invites);
    room_reply(room, room->maker, room->opening, created);
}

/* The maker sits down and watches as it asked; a game of the archive has none any more. */
static bool seat_maker(struct room *room, struct fault *fault) {
    bool seated = true;
    if (!room->maker) return true; /* a game of the archive, or a rematch */
    for (int side = RED; side <= BLUE; side++)
        if (room->asked.holder[side] == HELD_BY_MAKER)
            seated = seated && subscribers_add(&room->subscribers, room->maker, (enum onlooker)side,
                                               true, fault);
    if (room->asked.watch != ONLOOKERS)
        seated = seated &&
                 subscribers_add(&room->subscribers, room->maker, room->asked.watch, false, fault);
    return seated;
}

/* Plays a game of the archive up to where it was. */
static void take_up(struct room *room) {
    const struct archived *kept = room->kept;
    for (int side = RED; side <= BLUE; side++)
        if (room_has_client(room, (enum side)side) &&
            (room->given_name[side] || room->asked.holder[side] == HELD_BY_MAKER))
            room->gone_since[side] = clock_ms();
    clock_mind(room);
    if (room->table.options.game.played) {
        room->quietly = true;
        room_settle(room);
        room->quietly = false;
    }
    struct session *session = room->table.referee.session;
    const bool runs = !kept->result && !session->over;
    room->asleep = room->claim.bots && runs;
    if (!kept->result || session->over) return;
    session_stop_again(session, result_named(kept->result), reason_named(kept->reason),
                       kept->forfeit);
    room->told = session->tellings;
}

bool room_begin(struct room *room, struct fault *fault) {
    const struct invitation *asked = &room->asked;
    room->edition = variant_cache_take(room->house->variants, asked->variant, fault);
    if (!room->edition) return false;
    room->clock = clock_asked(asked);
    if (!(room->kept         ? room_restore(room, fault)
          : room->kept_early ? true
                             : room_draw_chance(room, fault)) ||
        !read_start(room, fault) || !open_game(room, fault) || !seat_maker(room, fault))
        return false;
    introduce(room);
    if (room->kept) {
        take_up(room);
        return true;
    }
    if (!room->kept_early) room_keep_new(room);
    reply_created(room);
    for (size_t i = 0; i < room->subscribers.count; i++) {
        room_tell_game(room, &room->subscribers.list[i]);
        room_tell_now(room, &room->subscribers.list[i]);
    }
    return true;
}

bool room_begin_again(struct room *room, uint32_t plies, struct fault *fault) {
    if (!bot_slots_take(room->house->slots, &room->claim, false)) {
        fault->wait = BOTS_SECONDS;
        return fault_set(fault, STATUS_USAGE,
                         "the bots of other games take all processes: try again in %d s",
                         BOTS_SECONDS);
    }
    if (!table_open_again(&room->table, plies, fault)) {
        if (!room_has_bots(room)) bot_slots_give(room->house->slots, &room->claim);
        return false;
    }
    room->started = room->ended = false;
    room->rematch[RED] = room->rematch[BLUE] = false;
    room_close_eyes(room); /* the end may have opened some */
    room_forget_past(room, false);
    room->asked_for[RED] = room->asked_for[BLUE] = WANT_NOTHING;
    return true;
}
