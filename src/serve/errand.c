/* errand.c - checks, lists, or asks the workshop, and passes the document on.
 *
 * A page has its text checked while somebody types. So a client of many has one check at a time; of
 * the texts that it sends meanwhile only the newest is checked. */
#include "errand.h"

#include "host/check/inspect_json.h"
#include "host/seat/message.h"
#include "host/seat/reply.h"
#include "host/stock.h"

#include <stdlib.h>
#include <string.h>

/* Of checks while somebody types: enough to see what is wrong, soon enough to be of use. */
enum { TYPING_GAMES = 50, TYPING_BALANCE = 2000, TYPING_SECONDS = 10 };

enum errand_sort { ERRAND_GAMES, ERRAND_LIST, ERRAND_CHECK, ERRAND_WORKROOM };

struct errand {
    struct task task; /* first */
    const struct errands *errands;
    enum errand_sort sort;
    struct client *client;      /* held */
    json_t *request;            /* owned */
    enum stock_part part;       /* of `list` */
    const char *file, *text;    /* of `check` */
    struct inspect_terms terms; /* of `check` */
};

bool errand_is(const char *type) {
    return !strcmp(type, "list") || !strcmp(type, "check") || workroom_obeys(type);
}

bool errand_lists_games(const struct errands *errands, const char *what) {
    return what && (!strcmp(what, "games") || (errands->one_check && !strcmp(what, "open")));
}

static void errand_reply(const struct errand *errand, json_t *message) {
    client_send(errand->client, reply_to(errand->request, message));
}

static json_t *listed(const struct errand *errand, json_t *list) {
    return json_pack("{s:s, s:s, s:O}", "type", "list", "what", stock_part_name(errand->part),
                     "list", list);
}

static json_t *checked(const struct errand *errand, json_t *document) {
    return json_pack("{s:s, s:s, s:O}", "type", "checked", "file", errand->file, "report",
                     document);
}

static void free_errand(struct errand *errand) {
    client_is_answered(errand->client);
    client_release(errand->client);
    json_decref(errand->request);
    free(errand);
}

static json_t *find_answer(const struct errand *errand, struct fault *fault) {
    const struct errands *errands = errand->errands;
    switch (errand->sort) {
    case ERRAND_GAMES:
        return errands->games(errands->context, errand->request, fault);
    case ERRAND_LIST:
        return lists_get(errands->lists, errand->part, fault);
    case ERRAND_CHECK:
        return inspect_json_text(errands->folders, &errand->terms, errand->file, errand->text,
                                 strlen(errand->text), fault);
    default:
        return workroom_answer(errands->workroom, errand->request, fault);
    }
}

/* Does the errand and replies. */
static void errand_do(const struct errand *errand) {
    struct fault fault = {0};
    json_t *answer = find_answer(errand, &fault);
    if (!answer)
        errand_reply(errand, message_error(&fault));
    else if (errand->sort == ERRAND_WORKROOM || errand->sort == ERRAND_GAMES)
        errand_reply(errand, json_incref(answer));
    else
        errand_reply(errand, errand->sort == ERRAND_LIST ? listed(errand, answer)
                                                         : checked(errand, answer));
    json_decref(answer);
}

static bool read_check(struct errand *errand, struct fault *fault);

/* The client's newest text, if it has sent one meanwhile. */
static bool take_next_check(struct errand *errand) {
    if (errand->sort != ERRAND_CHECK || !errand->errands->one_check) return false;
    json_t *next = client_next_check(errand->client);
    if (!next) return false;
    json_decref(errand->request);
    errand->request = next;
    return true;
}

static void errand_repeat(struct errand *errand) {
    struct fault fault = {0};
    if (client_is_gone(errand->client)) return;
    if (read_check(errand, &fault))
        errand_do(errand);
    else
        errand_reply(errand, message_error(&fault));
}

static enum task_result errand_go(struct task *task) {
    struct errand *errand = (struct errand *)task;
    const struct errands *errands = errand->errands;
    if (!client_is_gone(errand->client)) errand_do(errand);
    while (take_next_check(errand)) errand_repeat(errand);
    free_errand(errand);
    errands->done(errands->context);
    return TASK_ENDED;
}

static bool read_list(struct errand *errand, struct fault *fault) {
    const char *what;
    if (!reply_text(errand->request, "what", &what, fault)) return false;
    for (int part = 0; part < STOCK_PARTS && what; part++) {
        if (strcmp(what, stock_part_name((enum stock_part)part)) != 0) continue;
        errand->part = (enum stock_part)part;
        return true;
    }
    return fault_set(
        fault, STATUS_TEXT,
        "\"what\": expected \"games\", \"variants\", \"bots\" or \"setups\", got %s%s%s",
        what ? "\"" : "", what ? what : "nothing", what ? "\"" : "");
}

static bool read_check(struct errand *errand, struct fault *fault) {
    bool there;
    errand->terms = (struct inspect_terms)INSPECT_DEFAULTS;
    if (errand->errands->one_check) {
        errand->terms.games = TYPING_GAMES;
        errand->terms.balance = TYPING_BALANCE;
        errand->terms.seconds = TYPING_SECONDS;
    }
    uint64_t games = errand->terms.games;
    if (!reply_text(errand->request, "file", &errand->file, fault) ||
        !reply_text(errand->request, "text", &errand->text, fault) ||
        !reply_text(errand->request, "variant", &errand->terms.variant, fault) ||
        !reply_number(errand->request, "games", 10000, &there, &games, fault))
        return false;
    errand->terms.games = (uint32_t)games;
    if (!errand->file)
        return fault_set(fault, STATUS_TEXT, "\"file\": expected the name of a file");
    return errand->text || fault_set(fault, STATUS_TEXT, "\"text\": expected the text of the file");
}

static void refuse_outdated(struct client *client, json_t *request) {
    struct fault fault = {0};
    fault_set(&fault, STATUS_TEXT, "outdated: a newer text is checked instead");
    client_send_now(client, reply_to(request, message_error(&fault)));
    json_decref(request);
}

/* A check waits for the one before it. False if it is this one's turn. */
static bool put_off(const struct errand *errand) {
    json_t *outdated;
    if (errand->sort != ERRAND_CHECK || !errand->errands->one_check) return false;
    if (client_may_check(errand->client, errand->request, &outdated)) return false;
    if (outdated) refuse_outdated(errand->client, outdated);
    return true;
}

/* Reads what is asked for. */
static bool errand_read(struct errand *errand, struct fault *fault) {
    const char *type = json_string_value(json_object_get(errand->request, "type"));
    const char *what = json_string_value(json_object_get(errand->request, "what"));
    const bool lists = !strcmp(type, "list");
    errand->sort = lists && errand_lists_games(errand->errands, what) ? ERRAND_GAMES
                   : lists                                            ? ERRAND_LIST
                   : !strcmp(type, "check")                           ? ERRAND_CHECK
                                                                      : ERRAND_WORKROOM;
    if (errand->sort == ERRAND_GAMES) return true;
    if (errand->sort == ERRAND_LIST) return read_list(errand, fault);
    if (errand->sort == ERRAND_CHECK) return read_check(errand, fault);
    return errand->errands->workroom ||
           fault_set(fault, STATUS_USAGE,
                     "\"%s\" is for the workshop: ensign serve --workshop opens it", type);
}

bool errand_run(const struct errands *errands, struct client *client, json_t *request,
                struct fault *fault) {
    struct errand *errand = calloc(1, sizeof *errand);
    if (!errand) return fault_set(fault, STATUS_NO_MEMORY, "no memory for a request");
    *errand = (struct errand){
        .task = {.run = errand_go, .source = visitor_source(client_visitor(client))},
        .errands = errands,
        .client = client_hold(client),
        .request = request};
    client_asks(client);
    const bool read = errand_read(errand, fault), later = read && put_off(errand);
    const enum task_pace pace = errand->sort == ERRAND_GAMES ? TASK_QUICK : TASK_SLOW;
    if (read && !later && task_begin(errands->workers, &errand->task, pace, fault)) {
        task_wake(&errand->task);
        return true;
    }
    if (read && !later && errand->sort == ERRAND_CHECK) json_decref(client_next_check(client));
    errand->request = NULL; /* stays with the caller, or waits */
    free_errand(errand);
    if (later) errands->done(errands->context);
    return later;
}
