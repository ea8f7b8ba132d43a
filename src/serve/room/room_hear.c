/* room_hear.c - obeys what clients ask of a room: answers of seats, and everything else. */
#include "room_inside.h"

#include "core/know/why.h"
#include "host/seat/reply.h"

#include <stdlib.h>
#include <string.h>

void hearing_reply(const struct hearing *hearing, json_t *message) {
    room_reply(hearing->room, hearing->client, hearing->request, message);
}

bool hearing_holds(const struct hearing *hearing, enum side side) {
    return subscribers_holder(&hearing->room->subscribers, side) == hearing->client;
}

/* Everybody hears of what was done, before a request that has an id gets its reply. */
bool hearing_settle(const struct hearing *hearing) {
    room_settle(hearing->room);
    if (json_object_get(hearing->request, "id"))
        hearing_reply(hearing, json_pack("{s:s}", "type", "done"));
    return true;
}

/* The eyes that a request names under "eyes"; without it those of the client's only seat, else the
 * public's. False with a fault if the client may not have them. */
static bool read_eyes(const struct hearing *hearing, enum onlooker *eyes) {
    const char *name;
    if (!reply_text(hearing->request, "eyes", &name, hearing->fault)) return false;
    *eyes = ONLOOKER_PUBLIC;
    bool red = hearing_holds(hearing, RED), blue = hearing_holds(hearing, BLUE);
    if (!name) {
        if (red != blue) *eyes = red ? ONLOOKER_RED : ONLOOKER_BLUE;
        return true;
    }
    *eyes = onlooker_named(name);
    if (*eyes == ONLOOKERS)
        return fault_set(hearing->fault, STATUS_TEXT,
                         "\"eyes\": expected \"public\", \"red\", \"blue\" or \"all\", got "
                         "\"%.40s\"",
                         name);
    return room_shows(hearing->room, hearing->client, *eyes) ||
           fault_set(hearing->fault, STATUS_USAGE,
                     "only \"public\" eyes may watch this game before its end");
}

static bool obey_watch(const struct hearing *hearing) {
    struct room *room = hearing->room;
    enum onlooker eyes;
    if (!read_eyes(hearing, &eyes)) return false;
    const struct listener *listener =
        subscribers_add(&room->subscribers, hearing->client, eyes, false, hearing->fault);
    if (!listener) return false;
    hearing_reply(hearing,
                  json_pack("{s:s, s:s}", "type", "watching", "eyes", onlooker_name(eyes)));
    room_tell_game(room, listener);
    room_tell_past(room, listener, -1);
    room_tell_end_to(room, listener);
    room_tell_now(room, listener);
    room_tell_company(room, listener);
    return true;
}

static bool obey_view(const struct hearing *hearing) {
    const struct session *session = hearing->session;
    enum onlooker eyes;
    char position[POSITION_TEXT_MAX];
    if (!read_eyes(hearing, &eyes)) return false;
    if (!session->started)
        return fault_set(hearing->fault, STATUS_USAGE, "the armies do not stand yet");
    const struct outlook outlook = outlook_of(eyes, &session->eyes);
    outlook_position(&outlook, position);
    hearing_reply(hearing,
                  json_pack("{s:s, s:s, s:I, s:s, s:s, s:s?, s:s?}", "type", "view", "eyes",
                            onlooker_name(eyes), "ply", (json_int_t)session->game.ply_count,
                            "position", position, "to_move",
                            side_name((enum side)session->game.to_move), "result",
                            session->over ? result_name(session->result) : NULL, "reason",
                            session->over ? reason_name(session->reason) : NULL));
    return true;
}

static json_t *plies_json(const struct evidence *evidence) {
    json_t *plies = json_array();
    for (int i = 0; i < evidence->count; i++)
        json_array_append_new(plies, json_integer((json_int_t)evidence->ply[i]));
    return plies;
}

static bool obey_why(const struct hearing *hearing) {
    struct session *session = hearing->session;
    const char *move;
    size_t count;
    struct why why;
    if (!reply_text(hearing->request, "move", &move, hearing->fault)) return false;
    if (!move) return fault_set(hearing->fault, STATUS_TEXT, "\"move\": expected a move");
    enum side side = (enum side)session->game.to_move;
    if (!session->started || session->over)
        return fault_set(hearing->fault, STATUS_USAGE, "no move can be made now");
    if (!hearing_holds(hearing, side) && !hearing->room->house->open)
        return fault_set(hearing->fault, STATUS_USAGE, "it is the turn of %s", side_name(side));
    const struct move *moves = session_moves(session, &count, hearing->fault);
    if (!moves) return false;
    why_text(&session->eyes.view[side], moves, count, move, strlen(move), &why);
    hearing_reply(hearing, json_pack("{s:s, s:s, s:b, s:s, s:s, s:o}", "type", "why", "move", move,
                                     "legal", (int)why.legal, "rule", why.rule, "message", why.text,
                                     "plies", plies_json(&why.evidence)));
    return true;
}

/* The ply before the latest turn of a side that clients play. */
static uint32_t last_own_ply(const struct hearing *hearing) {
    const struct session *session = hearing->session;
    uint32_t ply = session->game.ply_count;
    while (ply > 0) {
        enum side mover = --ply % 2 ? side_other(session->options.first) : session->options.first;
        if (room_has_client(hearing->room, mover)) break;
    }
    return ply;
}

static bool obey_undo(const struct hearing *hearing) {
    struct room *room = hearing->room;
    const uint32_t now = hearing->session->game.ply_count;
    uint64_t ply = now ? last_own_ply(hearing) : 0;
    bool there, seated = false, all = true;
    if (!reply_number(hearing->request, "ply", now, &there, &ply, hearing->fault)) return false;
    for (int side = RED; side <= BLUE; side++) {
        if (!room_has_client(room, (enum side)side)) continue;
        seated = true;
        all = all && hearing_holds(hearing, (enum side)side);
    }
    if (!seated || !all)
        return fault_set(hearing->fault, STATUS_USAGE,
                         "only a client that holds every seat without a bot can take moves back");
    return table_may_take_back(&room->table, (uint32_t)ply, hearing->fault) &&
           room_begin_again(room, (uint32_t)ply, hearing->fault) && hearing_settle(hearing);
}

/* The text of the game's record, for the caller to free. NULL with a fault. */
static char *write_record(const struct hearing *hearing) {
    struct session *session = hearing->session;
    if (!session->started && !session->over) {
        fault_set(hearing->fault, STATUS_USAGE, "the armies do not stand yet");
        return NULL;
    }
    if (session->over && !session_seal(session, hearing->fault)) return NULL;
    char *text = record_write(session->record);
    if (!text) fault_set(hearing->fault, STATUS_NO_MEMORY, "no memory for a record");
    return text;
}

static bool obey_record(const struct hearing *hearing) {
    if (!hearing->room->ended && !hearing->room->house->open)
        return fault_set(hearing->fault, STATUS_USAGE,
                         "the record holds both armies: it is given when the game is over");
    char *text = write_record(hearing);
    if (!text) return false;
    hearing_reply(hearing, json_pack("{s:s, s:s}", "type", "record", "record", text));
    free(text);
    return true;
}

/* Nobody is helped in a game that runs, whatever may be known of it. */
static bool obey_study(const struct hearing *hearing) {
    const struct room *room = hearing->room;
    if (!room->ended)
        return fault_set(hearing->fault, STATUS_USAGE, "this can be asked when the game is over");
    char *text = write_record(hearing);
    return text && room->house->study(room->house->context, hearing->client, hearing->request,
                                      room->id, text, hearing->fault);
}

static bool obey_leave(const struct hearing *hearing) {
    struct room *room = hearing->room;
    bool seated = hearing_holds(hearing, RED) || hearing_holds(hearing, BLUE);
    room_leave_seats(room, hearing->client);
    subscribers_remove(&room->subscribers, hearing->client);
    hearing_reply(hearing, json_pack("{s:s}", "type", "left"));
    if (!room->house->open) return true; /* it may come back */
    if (seated && !hearing->session->over)
        session_stop(hearing->session, RESULT_NONE, REASON_UNFINISHED);
    room->closed = !room->subscribers.count && hearing->client == room->maker;
    return true;
}

/* The seat that an answer is for. Who resigns need not be asked. */
static bool choose_seat(const struct hearing *hearing, enum want want, bool resigns,
                        enum side *side) {
    const char *name;
    if (!reply_text(hearing->request, "seat", &name, hearing->fault)) return false;
    int seats = 0, asked = 0;
    for (int s = RED; s <= BLUE; s++) {
        if (!hearing_holds(hearing, (enum side)s) ||
            (name && strcmp(name, side_name((enum side)s)) != 0))
            continue;
        bool meant = session_wants(hearing->session, (enum side)s) == want;
        if (!seats++ || (meant && !asked)) *side = (enum side)s;
        asked += meant;
    }
    if (!seats)
        return name ? fault_set(hearing->fault, STATUS_USAGE, "you do not hold the seat \"%.20s\"",
                                name)
                    : fault_set(hearing->fault, STATUS_USAGE, "you hold no seat in this game");
    if (seats < 2 || asked == 1 || (!asked && !resigns)) return true;
    return fault_set(hearing->fault, STATUS_USAGE, "\"seat\": expected \"red\" or \"blue\", %s",
                     asked ? "both are asked" : "neither is asked for a move");
}

/* The answer was for a turn that is over. */
static bool is_stale(const struct hearing *hearing, const struct reply *reply) {
    const uint32_t ply = hearing->session->game.ply_count;
    if (reply->ply < 0 || reply->ply == (int64_t)ply) return false;
    fault_set(hearing->fault, STATUS_USAGE, "an answer for ply %lld, the game is at ply %u",
              (long long)reply->ply, (unsigned)ply);
    return true;
}

/* A wrong answer is refused, and the question asked again. Returns false without a fault. */
static bool refuse_answer(const struct hearing *hearing, enum side side, enum verdict verdict) {
    json_t *refused = message_refused(verdict, hearing->fault);
    if (refused) json_object_set_new(refused, "seat", json_string(side_name(side)));
    hearing_reply(hearing, refused);
    hearing->room->asked_for[side] = WANT_NOTHING;
    *hearing->fault = (struct fault){0};
    return false;
}

/* An answer was right and the variant failed: nobody's turn goes on. Returns false without a fault.
 */
static bool fail_answer(const struct hearing *hearing) {
    room_break_off(hearing->room, hearing->fault);
    *hearing->fault = (struct fault){0};
    return false;
}

static bool take_setup(const struct hearing *hearing, enum side side, const char *text) {
    struct room *room = hearing->room;
    struct setup setup;
    if (!room_read_setup(room, side, text ? text : "random", &setup, hearing->fault))
        return refuse_answer(hearing, side, LEGAL);
    if (!session_take_setup(hearing->session, side, &setup, hearing->fault))
        return fail_answer(hearing);
    room_keep_setup(room, side);
    return true;
}

static bool take_answer(const struct hearing *hearing, enum side side, const struct reply *reply) {
    struct referee *referee = &hearing->room->table.referee;
    struct fault *fault = hearing->fault;
    struct answer answer = {.type = ANSWER_RESIGN};
    enum verdict verdict = LEGAL;
    if (reply->type == REPLY_SETUP) return take_setup(hearing, side, reply->text);
    if (reply->type == REPLY_DRAW_ANSWER) {
        referee_answer_draw(referee, reply->accepts);
        return true;
    }
    if (reply->type == REPLY_MOVE) answer.type = ANSWER_TEXT;
    if (reply->type == REPLY_DRAW_OFFER) answer.type = ANSWER_DRAW;
    /* A longer text is no move: the session says so. */
    const bool fits = reply->type != REPLY_MOVE || strlen(reply->text) < sizeof answer.text;
    if (fits && reply->type == REPLY_MOVE) strcpy(answer.text, reply->text);
    if (fits ? referee_take(referee, side, &answer, &verdict, fault)
             : session_play_text(hearing->session, reply->text, strlen(reply->text), &verdict,
                                 fault))
        return true;
    const bool refused = fault->status == STATUS_ILLEGAL_MOVE || fault->status == STATUS_TEXT;
    return refused ? refuse_answer(hearing, side, verdict) : fail_answer(hearing);
}

static bool obey_answer(const struct hearing *hearing) {
    static const enum want wants[] = {[REPLY_SETUP] = WANT_SETUP,
                                      [REPLY_MOVE] = WANT_MOVE,
                                      [REPLY_RESIGN] = WANT_MOVE,
                                      [REPLY_DRAW_OFFER] = WANT_MOVE,
                                      [REPLY_DRAW_ANSWER] = WANT_DRAW_ANSWER};
    static const char *const nouns[] = {"", "a set-up", "a move", "an answer to a draw offer"};
    struct reply reply;
    enum side side = RED;
    if (!reply_read(hearing->request, &reply, hearing->fault)) return false;
    if (referee_watch(&hearing->room->table.referee)) room_settle(hearing->room);
    const enum want want = wants[reply.type];
    const bool resigns = reply.type == REPLY_RESIGN && !hearing->session->over;
    if (!choose_seat(hearing, want, resigns, &side) || is_stale(hearing, &reply)) return false;
    if (!resigns && session_wants(hearing->session, side) != want)
        return fault_set(hearing->fault, STATUS_USAGE, "%s is not asked for %s now",
                         side_name(side), nouns[want]);
    return take_answer(hearing, side, &reply) && hearing_settle(hearing);
}

static const struct {
    const char *type;
    bool (*obey)(const struct hearing *hearing);
    bool plays;
} REQUESTS[] = {{"setup", obey_answer, true},
                {"move", obey_answer, true},
                {"resign", obey_answer, true},
                {"draw", obey_answer, true},
                {"undo", obey_undo, true},
                {"sit", obey_sit, false},
                {"invitation", obey_invitation, false},
                {"join", obey_join, false},
                {"claim", obey_claim, false},
                {"rematch", obey_rematch, false},
                {"watch", obey_watch, false},
                {"view", obey_view, false},
                {"why", obey_why, false},
                {"record", obey_record, false},
                {"analyse", obey_study, false},
                {"explore", obey_study, false},
                {"advise", obey_study, false},
                {"leave", obey_leave, false}};

enum { REQUEST_COUNT = sizeof REQUESTS / sizeof *REQUESTS };

static size_t find_request(const char *type) {
    size_t i = 0;
    while (i < REQUEST_COUNT && strcmp(REQUESTS[i].type, type) != 0) i++;
    return i;
}

bool room_obeys(const char *type) {
    return find_request(type) < REQUEST_COUNT;
}

bool room_plays(const json_t *request) {
    return REQUESTS[find_request(json_string_value(json_object_get(request, "type")))].plays;
}

void room_hear(struct room *room, struct client *client, const json_t *request) {
    struct fault fault = {0};
    const struct hearing hearing = {room, client, request, room->table.referee.session, &fault};
    const size_t i = find_request(json_string_value(json_object_get(request, "type")));
    if (!REQUESTS[i].obey(&hearing) && fault.status != STATUS_OK)
        room_refuse(room, client, request, &fault);
}
