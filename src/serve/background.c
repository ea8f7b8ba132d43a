/* background.c - checks, lists, or asks the workshop, and passes the document on.
 *
 * A page has its text checked while somebody types. So a client of many has one check at a time; of
 * the texts that it sends meanwhile only the newest is checked. */
#include "background.h"

#include "host/check/inspect_json.h"
#include "host/seat/message.h"
#include "host/seat/reply.h"
#include "host/stock.h"

#include <stdlib.h>
#include <string.h>

/* Of checks while somebody types: enough to see what is wrong, soon enough to be of use. */
enum { TYPING_GAMES = 50, TYPING_BALANCE = 2000, TYPING_SECONDS = 10 };

enum background_sort { BACKGROUND_GAMES, BACKGROUND_LIST, BACKGROUND_CHECK, BACKGROUND_WORKSPACE };

struct background_work {
    struct task task; /* first */
    const struct background *background;
    enum background_sort sort;
    struct client *client;      /* held */
    json_t *request;            /* owned */
    enum stock_part part;       /* of `list` */
    const char *file, *text;    /* of `check` */
    struct inspect_terms terms; /* of `check` */
};

bool background_is(const char *type) {
    return !strcmp(type, "list") || !strcmp(type, "check") || workspace_obeys(type);
}

bool background_lists_games(const struct background *background, const char *what) {
    return what && (!strcmp(what, "games") || (background->one_check && !strcmp(what, "open")));
}

static void background_reply(const struct background_work *work, json_t *message) {
    client_send(work->client, reply_to(work->request, message));
}

static json_t *listed(const struct background_work *work, json_t *list) {
    return json_pack("{s:s, s:s, s:O}", "type", "list", "what", stock_part_name(work->part), "list",
                     list);
}

static json_t *checked(const struct background_work *work, json_t *document) {
    return json_pack("{s:s, s:s, s:O}", "type", "checked", "file", work->file, "report", document);
}

static void free_background(struct background_work *work) {
    client_is_answered(work->client);
    client_release(work->client);
    json_decref(work->request);
    free(work);
}

static json_t *find_answer(const struct background_work *work, struct fault *fault) {
    const struct background *background = work->background;
    switch (work->sort) {
    case BACKGROUND_GAMES:
        return background->games(background->context, work->request, fault);
    case BACKGROUND_LIST:
        return lists_get(background->lists, work->part, fault);
    case BACKGROUND_CHECK:
        return inspect_json_text(background->folders, &work->terms, work->file, work->text,
                                 strlen(work->text), fault);
    default:
        return workspace_answer(background->workspace, work->request, fault);
    }
}

/* Does the work and replies. */
static void background_do(const struct background_work *work) {
    struct fault fault = {0};
    json_t *answer = find_answer(work, &fault);
    if (!answer)
        background_reply(work, message_error(&fault));
    else if (work->sort == BACKGROUND_WORKSPACE || work->sort == BACKGROUND_GAMES)
        background_reply(work, json_incref(answer));
    else
        background_reply(work, work->sort == BACKGROUND_LIST ? listed(work, answer)
                                                             : checked(work, answer));
    json_decref(answer);
}

static bool read_check(struct background_work *work, struct fault *fault);

/* The client's newest text, if it has sent one meanwhile. */
static bool take_next_check(struct background_work *work) {
    if (work->sort != BACKGROUND_CHECK || !work->background->one_check) return false;
    json_t *next = client_next_check(work->client);
    if (!next) return false;
    json_decref(work->request);
    work->request = next;
    return true;
}

static void background_repeat(struct background_work *work) {
    struct fault fault = {0};
    if (client_is_gone(work->client)) return;
    if (read_check(work, &fault))
        background_do(work);
    else
        background_reply(work, message_error(&fault));
}

static enum task_result background_go(struct task *task) {
    struct background_work *work = (struct background_work *)task;
    const struct background *background = work->background;
    if (!client_is_gone(work->client)) background_do(work);
    while (take_next_check(work)) background_repeat(work);
    free_background(work);
    background->done(background->context);
    return TASK_ENDED;
}

static bool read_list(struct background_work *work, struct fault *fault) {
    const char *what;
    if (!reply_text(work->request, "what", &what, fault)) return false;
    for (int part = 0; part < STOCK_PARTS && what; part++) {
        if (strcmp(what, stock_part_name((enum stock_part)part)) != 0) continue;
        work->part = (enum stock_part)part;
        return true;
    }
    return fault_set(
        fault, STATUS_TEXT,
        "\"what\": expected \"games\", \"variants\", \"bots\" or \"setups\", got %s%s%s",
        what ? "\"" : "", what ? what : "nothing", what ? "\"" : "");
}

static bool read_check(struct background_work *work, struct fault *fault) {
    bool there;
    work->terms = (struct inspect_terms)INSPECT_DEFAULTS;
    if (work->background->one_check) {
        work->terms.games = TYPING_GAMES;
        work->terms.balance = TYPING_BALANCE;
        work->terms.seconds = TYPING_SECONDS;
    }
    uint64_t games = work->terms.games;
    if (!reply_text(work->request, "file", &work->file, fault) ||
        !reply_text(work->request, "text", &work->text, fault) ||
        !reply_text(work->request, "variant", &work->terms.variant, fault) ||
        !reply_number(work->request, "games", 10000, &there, &games, fault))
        return false;
    work->terms.games = (uint32_t)games;
    if (!work->file) return fault_set(fault, STATUS_TEXT, "\"file\": expected the name of a file");
    return work->text || fault_set(fault, STATUS_TEXT, "\"text\": expected the text of the file");
}

static void refuse_outdated(struct client *client, json_t *request) {
    struct fault fault = {0};
    fault_set(&fault, STATUS_TEXT, "outdated: a newer text is checked instead");
    client_send_now(client, reply_to(request, message_error(&fault)));
    json_decref(request);
}

/* A check waits for the one before it. False if it is this one's turn. */
static bool put_off(const struct background_work *work) {
    json_t *outdated;
    if (work->sort != BACKGROUND_CHECK || !work->background->one_check) return false;
    if (client_may_check(work->client, work->request, &outdated)) return false;
    if (outdated) refuse_outdated(work->client, outdated);
    return true;
}

/* Reads what is asked for. */
static bool background_read(struct background_work *work, struct fault *fault) {
    const char *type = json_string_value(json_object_get(work->request, "type"));
    const char *what = json_string_value(json_object_get(work->request, "what"));
    const bool lists = !strcmp(type, "list");
    work->sort = lists && background_lists_games(work->background, what) ? BACKGROUND_GAMES
                 : lists                                                 ? BACKGROUND_LIST
                 : !strcmp(type, "check")                                ? BACKGROUND_CHECK
                                                                         : BACKGROUND_WORKSPACE;
    if (work->sort == BACKGROUND_GAMES) return true;
    if (work->sort == BACKGROUND_LIST) return read_list(work, fault);
    if (work->sort == BACKGROUND_CHECK) return read_check(work, fault);
    return work->background->workspace ||
           fault_set(fault, STATUS_USAGE,
                     "\"%s\" is for the workshop: ensign serve --workshop opens it", type);
}

bool background_run(const struct background *background, struct client *client, json_t *request,
                    struct fault *fault) {
    struct background_work *work = calloc(1, sizeof *work);
    if (!work) return fault_set(fault, STATUS_NO_MEMORY, "no memory for a request");
    *work = (struct background_work){
        .task = {.run = background_go, .source = visitor_source(client_visitor(client))},
        .background = background,
        .client = client_hold(client),
        .request = request};
    client_asks(client);
    const bool read = background_read(work, fault), later = read && put_off(work);
    const enum task_pace pace = work->sort == BACKGROUND_GAMES ? TASK_QUICK : TASK_SLOW;
    if (read && !later && task_begin(background->workers, &work->task, pace, fault)) {
        task_wake(&work->task);
        return true;
    }
    if (read && !later && work->sort == BACKGROUND_CHECK) json_decref(client_next_check(client));
    work->request = NULL; /* stays with the caller, or waits */
    free_background(work);
    if (later) background->done(background->context);
    return later;
}
