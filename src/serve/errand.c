/* errand.c - asks the stem and passes its document on. */
#include "errand.h"

#include "host/seat/message.h"
#include "host/seat/reply.h"
#include "host/stock.h"

#include <stdlib.h>
#include <string.h>

enum { DOCUMENT_MAX = 16 << 20 };

struct errand {
    struct task task; /* first */
    struct stem *stem;
    struct client *client;      /* held */
    json_t *request;            /* owned */
    enum stock_part part;       /* of `list`; STOCK_PARTS: `check` */
    const char *file, *text;    /* of `check` */
    struct inspect_terms terms; /* of `check` */
    void (*done)(void *context);
    void *context;
};

bool errand_is(const char *type) {
    return !strcmp(type, "list") || !strcmp(type, "check");
}

static void errand_reply(const struct errand *errand, json_t *message) {
    json_t *id = json_object_get(errand->request, "id");
    if (message && id) json_object_set(message, "id", id);
    client_send(errand->client, message);
}

static json_t *listed(const struct errand *errand, json_t *document) {
    const char *what = stock_part_name(errand->part);
    return json_pack("{s:s, s:s, s:O}", "type", "list", "what", what, "list",
                     json_object_get(document, what));
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

/* Asks the stem and replies. */
static void errand_do(struct errand *errand) {
    struct buffer json = buffer_of(DOCUMENT_MAX);
    struct fault fault = {0};
    bool lists = errand->part != STOCK_PARTS;
    bool done = lists ? stem_list(errand->stem, 1u << errand->part, &json, &fault)
                      : stem_check(errand->stem, &errand->terms, errand->file, errand->text,
                                   strlen(errand->text), &json, &fault);
    json_t *document = done ? json_loadb(json.text, json.length, 0, NULL) : NULL;
    if (done && !document) fault_set(&fault, STATUS_NO_MEMORY, "no memory for the answer");
    errand_reply(errand, !document ? message_error(&fault)
                         : lists   ? listed(errand, document)
                                   : checked(errand, document));
    json_decref(document);
    buffer_clear(&json);
}

static enum task_result errand_go(struct task *task) {
    struct errand *errand = (struct errand *)task;
    if (!client_is_gone(errand->client)) errand_do(errand);
    errand->done(errand->context);
    free_errand(errand);
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

bool errand_run(struct workers *workers, struct stem *stem, struct client *client, json_t *request,
                void (*done)(void *context), void *context, struct fault *fault) {
    struct errand *errand = calloc(1, sizeof *errand);
    bool lists = !strcmp(json_string_value(json_object_get(request, "type")), "list");
    if (!errand) return fault_set(fault, STATUS_NO_MEMORY, "no memory for a request");
    *errand = (struct errand){.task = {.run = errand_go},
                              .stem = stem,
                              .client = client_hold(client),
                              .request = request,
                              .part = STOCK_PARTS,
                              .terms = INSPECT_DEFAULTS,
                              .done = done,
                              .context = context};
    client_asks(client);
    bool read = lists ? read_list(errand, fault) : read_check(errand, fault);
    if (read && task_begin(workers, &errand->task, TASK_SLOW, fault)) {
        task_wake(&errand->task);
        return true;
    }
    errand->request = NULL; /* stays with the caller */
    free_errand(errand);
    return false;
}
