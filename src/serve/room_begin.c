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
    return setup_library_read(&shown, room->edition->rules, text, &random, setup, fault);
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
    for (int side = RED; side <= BLUE; side++) {
        room->laid[side] = asked->setup[side];
        if (asked->setup[side] &&
            !room_read_setup(room, (enum side)side, asked->setup[side], &room->setups[side], fault))
            return fault_within(fault, "in \"setups\", %s", side_name((enum side)side));
    }
    return true;
}

static const char *word_for_player(const struct room *room, enum side side) {
    if (room->asked.name[side]) return room->asked.name[side];
    return room_has_client(room, side) ? "human" : room->asked.player[side];
}

static bool open_player(struct room *room, enum side side, struct fault *fault) {
    const struct room_house *house = room->house;
    const struct chance chance = chance_derive(&room->chance, CHANCE_SEAT, side);
    const struct player_options options = {.folders = &room->edition->folders,
                                           .rules = room->edition->rules,
                                           .limits = house->limits,
                                           .deadline = house->deadline,
                                           .programs = house->programs,
                                           .opponent = word_for_player(room, side_other(side)),
                                           .nursery = room->edition->nursery,
                                           .catches_up = true,
                                           .give_up = &room->stopped};
    struct player player;
    if (!descriptors_left(DESCRIPTORS_NOT_FOR_BOTS, fault)) return false;
    if (!player_open(&player, &options, room->asked.player[side], &chance, fault)) return false;
    pthread_mutex_lock(&room->lock);
    room->players[side] = player;
    room->seated[side] = true;
    pthread_mutex_unlock(&room->lock);
    room->own_army = room->own_army || player.own_setup;
    if (player.own_setup && (room->asked.setup[side] || room->asked.position))
        return fault_set(fault, STATUS_USAGE, "%s lays out its own army", player.name);
    return true;
}

void room_close_players(struct room *room) {
    for (int side = RED; side <= BLUE; side++) {
        pthread_mutex_lock(&room->lock);
        bool seated = room->seated[side];
        room->seated[side] = false;
        pthread_mutex_unlock(&room->lock);
        if (!seated) continue;
        room->players[side].close(room->players[side].self);
        room->players[side] = (struct player){0}; /* the referee may have more to tell */
    }
    bot_slots_give(room->house->slots, &room->claim);
}

static bool open_game(struct room *room, bool bots, struct fault *fault) {
    struct player *players[2] = {NULL, NULL};
    struct referee_options options = {.first = room->first,
                                      .limits = &room->limits,
                                      .seed = room->seed,
                                      .played = room->played,
                                      .played_count = room->played_count,
                                      .ask_anyway = room->played != NULL,
                                      .about = room->about,
                                      .follow = room_follow,
                                      .context = room};
    for (int side = RED; side <= BLUE; side++) {
        if (bots && !room_has_client(room, (enum side)side)) {
            if (!open_player(room, (enum side)side, fault)) return false;
            players[side] = &room->players[side];
        }
        if (!players[side] || room->asked.name[side])
            options.names[side] = word_for_player(room, (enum side)side);
        if (room->laid[side]) options.setups[side] = &room->setups[side];
    }
    if (room->asked.position) {
        options.position = &room->position;
        options.setups[RED] = options.setups[BLUE] = NULL;
    }
    return referee_open(&room->referee, room->edition->rules, players, &options, true, fault);
}

static void introduce(struct room *room) {
    pthread_mutex_lock(&room->lock);
    for (int side = RED; side <= BLUE; side++) {
        const char *name = room->seated[side] && !room->asked.name[side]
                               ? room->players[side].name
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
            seated = seated &&
                     audience_add(&room->audience, room->maker, (enum onlooker)side, true, fault);
    if (room->asked.watch != ONLOOKERS)
        seated =
            seated && audience_add(&room->audience, room->maker, room->asked.watch, false, fault);
    return seated;
}

/* Plays a game of the archive up to where it was. */
static void take_up(struct room *room) {
    const struct archived *kept = room->kept;
    for (int side = RED; side <= BLUE; side++)
        if (room_has_client(room, (enum side)side) &&
            (room->given_name[side] || room->asked.holder[side] == HELD_BY_MAKER))
            room->gone_since[side] = clock_ms();
    if (room->played) {
        room->quietly = true;
        room_settle(room);
        room->quietly = false;
    }
    struct session *session = room->referee.session;
    const bool runs = !kept->result && !session->over;
    room->asleep = room->claim.bots && runs;
    if (room->owned && room->played && runs) clock_start(room);
    if (!kept->result || session->over) return;
    session_stop_again(session, result_named(kept->result), reason_named(kept->reason),
                       kept->forfeit);
    room->told = session->tellings;
}

bool room_begin(struct room *room, struct fault *fault) {
    const struct invitation *asked = &room->asked;
    room->edition = shelf_take(room->house->shelf, asked->variant, fault);
    if (!room->edition) return false;
    room->clock = clock_asked(asked);
    if (!(room->kept         ? room_restore(room, fault)
          : room->kept_early ? true
                             : room_draw_chance(room, fault)) ||
        !read_start(room, fault) || !open_game(room, !room->kept, fault) ||
        !seat_maker(room, fault))
        return false;
    introduce(room);
    if (room->kept) {
        take_up(room);
        return true;
    }
    if (!room->kept_early) room_keep_new(room);
    reply_created(room);
    for (size_t i = 0; i < room->audience.count; i++) {
        room_tell_game(room, &room->audience.list[i]);
        room_tell_now(room, &room->audience.list[i]);
    }
    return true;
}

/* A game as it is played. */
struct playing {
    struct player players[2];
    bool seated[2];
    struct referee referee;
    struct record_move *played;
    size_t played_count;
    struct record *about;
};

/* Takes players and referee out of the room. */
static struct playing put_aside(struct room *room) {
    struct playing aside = {.referee = room->referee,
                            .played = room->played,
                            .played_count = room->played_count,
                            .about = room->about};
    pthread_mutex_lock(&room->lock);
    memcpy(aside.players, room->players, sizeof aside.players);
    memcpy(aside.seated, room->seated, sizeof aside.seated);
    room->seated[RED] = room->seated[BLUE] = false;
    pthread_mutex_unlock(&room->lock);
    room->referee.session = NULL;
    return aside;
}

/* Puts them back. */
static void take_back(struct room *room, const struct playing *aside) {
    room->referee = aside->referee;
    room->played = aside->played;
    room->played_count = aside->played_count;
    room->about = aside->about;
    pthread_mutex_lock(&room->lock);
    memcpy(room->players, aside->players, sizeof room->players);
    memcpy(room->seated, aside->seated, sizeof room->seated);
    pthread_mutex_unlock(&room->lock);
}

static void close_playing(struct playing *playing) {
    for (int side = RED; side <= BLUE; side++)
        if (playing->seated[side]) playing->players[side].close(playing->players[side].self);
    referee_close(&playing->referee);
    free(playing->played);
    record_free(playing->about);
}

bool room_begin_again(struct room *room, uint32_t plies, struct fault *fault) {
    const struct session *session = room->referee.session;
    if (!bot_slots_take(room->house->slots, &room->claim, false)) {
        fault->wait = BOTS_SECONDS;
        return fault_set(fault, STATUS_USAGE,
                         "the bots of other games take all processes: try again in %d s",
                         BOTS_SECONDS);
    }
    struct record_move *played = session->started ? calloc(plies + 1, sizeof *played) : NULL;
    struct record *about = record_new();
    if ((session->started && !played) || !about || !takeback_go_on(session->record, plies, about)) {
        free(played);
        record_free(about);
        return fault_set(fault, STATUS_NO_MEMORY, "no memory to take moves back");
    }
    if (plies) memcpy(played, session->record->moves, plies * sizeof *played);
    for (int side = RED; side <= BLUE; side++) {
        room->setups[side] = session->setups[side];
        room->laid[side] = session->has_setup[side] &&
                           (session->started || room_has_client(room, (enum side)side));
    }
    struct playing before = put_aside(room);
    room->played = played;
    room->played_count = plies;
    room->about = about;
    bool opened = open_game(room, true, fault);
    struct playing other = before;
    if (!opened) {
        other = put_aside(room);
        other.referee.session = NULL; /* the referee was opened last */
        take_back(room, &before);
    } else {
        room->started = room->ended = room->offered = false;
        room->rematch[RED] = room->rematch[BLUE] = false;
        room_close_eyes(room); /* the end may have opened some */
        room_forget_past(room, false);
        room->asked_for[RED] = room->asked_for[BLUE] = WANT_NOTHING;
    }
    close_playing(&other);
    return opened;
}
