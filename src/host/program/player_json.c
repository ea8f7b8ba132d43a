/* player_json.c - connects the referee with a program that speaks the seat protocol.
 *
 * message.h makes the lines from the view and events alone, reply.h reads the answers. A line that
 * cannot be read is answered by an `error`, one that answers another question is skipped; only a
 * few of both are allowed before the answer. What is no answer costs the program its time, nothing
 * else. */
#include "player_json.h"

#include "base/buffer.h"
#include "base/clock.h"
#include "host/seat/message.h"
#include "host/seat/reply.h"
#include "host/session.h"
#include "host/setups/setup_library.h"

#include <stdlib.h>
#include <string.h>

struct json {
    struct program *program;
    const struct rules *rules;
    const struct folders *folders;
    const char *opponent;
    struct program_probe *probe;
    struct chance chance;
    int deadline;
    bool clocked; /* the game has a clock: */
    struct game_clock clock;
    bool introduced;
    struct buffer out;            /* a message on its way to the program */
    json_t *said;                 /* the last object read; owned */
    struct fault complaint;       /* about the last line that was no answer to the question */
    char refusal[FAULT_TEXT_MAX]; /* why its last answer loses; else empty */
    int64_t ply;                  /* of the last question for a move */
    bool offered;                 /* its last answer offered a draw */
    int64_t declined;             /* ply at which one was declined; -1: none yet */
    char line[REPLY_BYTES_MAX];
};

static void json_clock(void *self, const struct view *view, const struct game_clock *clock) {
    struct json *json = self;
    (void)view;
    json->clocked = true;
    json->clock = *clock;
}

/* Sends a message with the next flush or question, and frees it. */
static void json_tell(struct json *json, json_t *message) {
    json->out.length = 0;
    if (json->probe && json->probe->keys)
        json_object_set_new(message, "later", json_pack("[{s:n}, i]", "of", -1));
    if (message_write(message, &json->out))
        program_send(json->program, json->out.text, json->out.length);
}

static void json_tell_question(struct json *json, json_t *message) {
    const char *before = json->probe ? json->probe->before : NULL;
    if (before) program_send(json->program, before, strlen(before));
    json_tell(json, message);
}

/* Starts the program and introduces the game. */
static bool json_introduce(struct json *json, const struct view *view, struct fault *fault) {
    enum side side = (enum side)view->side;
    const uint64_t seed = chance_number(&json->chance, CHANCE_GUEST, 0) >> 11;
    if (json->introduced) return true;
    if (!program_start(json->program, fault)) return false;
    json->introduced = true;
    struct message_table table = {.id = "1",
                                  .rules = view->rules,
                                  .first = (enum side)view->to_move,
                                  .limits = view->limits,
                                  .seed = &seed,
                                  .deadline = json->deadline,
                                  .clock = json->clocked ? &json->clock : NULL};
    table.names[side] = program_name(json->program);
    table.names[side_other(side)] = json->opponent;
    json_tell(json, message_game(&table, (enum onlooker)side));
    return true;
}

/* What a question accepts. */
struct question {
    const char *what;  /* the noun of the answer */
    unsigned accepted; /* set of enum reply_type */
    int64_t ply;       /* that an answer must be for, if it says one; -1: any */
    int64_t left;      /* ms on the clock; 0: it does not run */
};

/* Reads a line and decides whether it answers the question; `complaint` says why not. */
static bool json_consider(struct json *json, const struct question *question, struct reply *reply) {
    struct fault *complaint = &json->complaint;
    json_decref(json->said);
    json->said = reply_object(json->line, strlen(json->line), complaint);
    if (!json->said || !reply_read(json->said, reply, complaint)) {
        json_tell(json, message_error(complaint));
        return false;
    }
    bool late = question->ply >= 0 && reply->ply >= 0 && reply->ply != question->ply;
    if (!late && question->accepted >> reply->type & 1) return true;
    return fault_set(complaint, STATUS_TEXT, "it does not answer the question for a %s: %.60s",
                     question->what, json->line);
}

static bool json_ask(struct json *json, const struct question *question, struct reply *reply,
                     struct fault *fault) {
    int64_t due = program_due(json->program);
    /* clock_ms() is up to a millisecond behind: without one more an answer could be late for the
     * program while the referee's clock, in ns, still has a rest. */
    const int64_t flag_fall = clock_ms() + question->left + 1;
    if (question->left && due > flag_fall) due = flag_fall;
    json->complaint = (struct fault){0};
    for (int asides = 0; asides <= JSON_ASIDES_MAX; asides++) {
        if (!program_read_by(json->program, due, json->line, sizeof json->line, question->what,
                             fault)) {
            if (json->complaint.status != STATUS_OK)
                fault_add(fault, "; its last line was no answer: %s", json->complaint.text);
            return false;
        }
        if (json_consider(json, question, reply)) return true;
        if (json->probe && !json->probe->asides++) json->probe->aside = json->complaint;
    }
    fault_set(fault, STATUS_ILLEGAL_MOVE, "more than %d lines without a %s; the last one: %s",
              JSON_ASIDES_MAX, question->what, json->complaint.text);
    return program_blame(json->program, fault);
}

/* A refused answer loses: when asked again, the player fails with the reason. */
static bool json_has_lost(struct json *json, enum status status, struct fault *fault) {
    if (!json->refusal[0]) return false;
    fault_set(fault, status, "the answer is %.100s: %s", json->line, json->refusal);
    program_blame(json->program, fault);
    return true;
}

static bool take_setup(struct json *json, enum side side, const char *text, struct setup *setup,
                       struct fault *fault) {
    struct random random = chance_random(&json->chance, CHANCE_SETUP, 0);
    if (setup_library_read(json->folders, json->rules, side, text ? text : "random", &random, setup,
                           fault))
        return true;
    if (fault->status == STATUS_NOT_FOUND) fault->status = STATUS_SETUP;
    return program_blame(json->program, fault);
}

static bool json_setup(void *self, const struct view *view, struct setup *setup,
                       struct fault *fault) {
    static const struct question question = {"set-up", 1 << REPLY_SETUP, -1, 0};
    struct json *json = self;
    struct reply reply;
    if (json_has_lost(json, STATUS_SETUP, fault)) return false;
    program_now(json->program, 0, "setup");
    if (!json_introduce(json, view, fault)) return false;
    json_tell_question(json, message_setup());
    return json_ask(json, &question, &reply, fault) &&
           take_setup(json, (enum side)view->side, reply.text, setup, fault);
}

static bool json_start(void *self, const struct view *view, struct fault *fault) {
    struct json *json = self;
    const struct outlook outlook = outlook_of_side(view, NULL);
    program_now(json->program, 0, "start");
    if (!json_introduce(json, view, fault)) return false;
    json_tell(json, message_start(&outlook));
    program_flush(json->program);
    return true;
}

static bool json_move(void *self, const struct view *view, const struct move *moves, size_t count,
                      struct answer *answer, struct fault *fault) {
    struct json *json = self;
    const struct question question = {
        "move", 1 << REPLY_MOVE | 1 << REPLY_RESIGN | 1 << REPLY_DRAW_OFFER, view->plies,
        json->clocked ? json->clock.left[view->side] : 0};
    struct reply reply;
    json->ply = view->plies;
    program_now(json->program, view->plies + 1, "move");
    if (json_has_lost(json, STATUS_ILLEGAL_MOVE, fault)) return false;
    json_tell_question(json, message_move(view, moves, count, json->clocked ? &json->clock : NULL));
    if (!json_ask(json, &question, &reply, fault)) return false;
    json->offered = reply.type == REPLY_DRAW_OFFER;
    switch (reply.type) {
    case REPLY_RESIGN:
        answer->type = ANSWER_RESIGN;
        break;
    case REPLY_DRAW_OFFER:
        answer->type = ANSWER_DRAW;
        break;
    default:
        answer->type = ANSWER_TEXT;
        snprintf(answer->text, sizeof answer->text, "%s", reply.text);
    }
    return true;
}

/* The events of the opponent's turn go out with the question that follows. */
static bool json_observe(void *self, const struct view *view, const struct events *events,
                         struct fault *fault) {
    struct json *json = self;
    const struct outlook outlook = outlook_of_side(view, events);
    (void)fault;
    if (!json->introduced) return true;
    json_tell(json, message_events(&outlook));
    if (view->to_move != view->side || view->result != RESULT_NONE) program_flush(json->program);
    return true;
}

/* One declined draw in a turn is no fault. */
static void json_refused(void *self, enum verdict verdict, const struct fault *why) {
    struct json *json = self;
    json_tell(json, message_refused(verdict, why));
    if (json->offered && json->declined != json->ply)
        json->declined = json->ply;
    else
        snprintf(json->refusal, sizeof json->refusal, "%s", why->text);
}

static bool json_accepts_draw(void *self, const struct view *view) {
    static const struct question question = {"answer to the offer", 1 << REPLY_DRAW_ANSWER, -1, 0};
    struct json *json = self;
    struct reply reply;
    struct fault fault = {0};
    json_tell_question(json, message_draw(side_other((enum side)view->side)));
    return json_ask(json, &question, &reply, &fault) && reply.accepts;
}

static void json_uncover(void *self, const struct session *session) {
    struct json *json = self;
    if (json->introduced) json_tell(json, message_end(session));
}

static bool json_finish(void *self, const struct view *view, struct fault *fault) {
    struct json *json = self;
    (void)fault;
    program_now(json->program, view->plies, "finish");
    if (json->introduced) program_stop(json->program, JSON_FAREWELL);
    return true;
}

static void json_kill(void *self) {
    struct json *json = self;
    program_kill(json->program);
}

static void json_close(void *self) {
    struct json *json = self;
    program_close(json->program);
    json_decref(json->said);
    buffer_clear(&json->out);
    free(json);
}

bool player_json(struct player *player, const char *command, const struct json_options *options,
                 struct fault *fault) {
    struct json *json = calloc(1, sizeof *json);
    if (!json) return fault_set(fault, STATUS_NO_MEMORY, "no memory for a player");
    json->rules = options->rules;
    json->folders = options->folders;
    json->opponent = options->opponent ? options->opponent : "unknown";
    json->chance = *options->chance;
    json->deadline = options->program.deadline;
    json->probe = options->program.probe;
    json->declined = -1;
    json->out = buffer_of(PROGRAM_SEND_MAX);
    json->program = program_open(command, &options->program, fault);
    if (!json->program) {
        json_close(json);
        return false;
    }
    *player = (struct player){.name = program_name(json->program),
                              .program = program_path(json->program),
                              .self = json,
                              .setup = json_setup,
                              .clock = json_clock,
                              .start = json_start,
                              .move = json_move,
                              .observe = json_observe,
                              .refused = json_refused,
                              .accepts_draw = json_accepts_draw,
                              .uncover = json_uncover,
                              .finish = json_finish,
                              .kill = json_kill,
                              .close = json_close};
    return true;
}
