/* workers.c - `ensign workers`: who plays for matches at a NATS server. */
#include "columns.h"
#include "command.h"
#include "host/machines/jetstream.h"
#include "host/machines/notices.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    LISTEN_MS = 2500, /* each worker speaks once a second */
    LISTED_MAX = 4096 /* workers */
};

struct workers_values {
    const char *url, *creds;
    bool json;
};

static int run_workers(const void *values);
const struct command command_workers = {
    COMMAND(workers, .json = false),
    .summary = "list the workers at a NATS server",
    .synopsis = {"URL [OPTIONS]"},
    .prose = "Listens for some seconds, and lists each worker with its threads, the pairs that it "
             "has played, its pairs a second, and the matches that it plays for.",
    .arguments = {{NULL, 0, "URL", VALUE_TEXT, INTO(workers, url),
                   "the NATS server: nats://HOST[:PORT] or tls://HOST[:PORT]", .needed = true}},
    .options = {{OPTION_CREDS, INTO(workers, creds)}, {OPTION_JSON, INTO(workers, json)}},
};

#if ENSIGN_CLUSTER
/* What the workers said last, by name; sound (notices.h). */
struct heard {
    pthread_mutex_t lock;
    json_t *workers;
    bool more;
};

static void hear(void *context, const char *subject, const void *bytes, size_t length, void **reply,
                 size_t *reply_length) {
    struct heard *heard = context;
    struct notice_worker notice;
    (void)subject, (void)reply, (void)reply_length;
    if (!notice_worker_read(bytes, length, &notice)) return;
    pthread_mutex_lock(&heard->lock);
    const bool room = json_object_get(heard->workers, notice.worker) ||
                      json_object_size(heard->workers) < LISTED_MAX;
    if (room) json_object_set_new(heard->workers, notice.worker, notice_worker_write(&notice));
    heard->more = heard->more || !room;
    pthread_mutex_unlock(&heard->lock);
}

static void print_worker(const json_t *told) {
    const json_t *matches = json_object_get(told, "matches"), *match;
    size_t index;
    columns_print(stdout, json_string_value(json_object_get(told, "worker")), 32);
    printf(" %7" JSON_INTEGER_FORMAT "  %10" JSON_INTEGER_FORMAT "  %8.1f ",
           json_integer_value(json_object_get(told, "threads")),
           json_integer_value(json_object_get(told, "pairs")),
           json_number_value(json_object_get(told, "rate")));
    json_array_foreach(matches, index, match) printf(" %.8s", json_string_value(match));
    if (!json_array_size(matches)) fputs(" waiting", stdout);
    putchar('\n');
}

static int print_workers(const struct heard *heard, bool json) {
    const char *name;
    json_t *told, *list = json_array();
    json_object_foreach(heard->workers, name, told) json_array_append(list, told);
    if (json) {
        json_t *document = json_pack("{s:o}", "workers", list);
        return cli_json(document, JSON_INDENT(2));
    }
    size_t index;
    if (json_array_size(list))
        puts("worker                           threads       pairs   pairs/s  plays for");
    else
        puts("no workers");
    json_array_foreach(list, index, told) print_worker(told);
    if (heard->more) printf("and more than these %d\n", LISTED_MAX);
    json_decref(list);
    return EXIT_DONE;
}

static int run_workers(const void *values) {
    const struct workers_values *asked = values;
    const struct jetstream_options options = {
        .url = asked->url, .creds = asked->creds, .part = "workers", .listens = true};
    struct heard heard = {.workers = json_object()};
    struct fault fault = {0};
    pthread_mutex_init(&heard.lock, NULL);
    struct jetstream *jetstream = jetstream_open(&options, &fault);
    bool heard_them =
        jetstream && jetstream_listen(jetstream, "ensign.worker.*", hear, &heard, &fault);
    if (heard_them) usleep(LISTEN_MS * 1000);
    jetstream_close(jetstream);
    int code = heard_them ? print_workers(&heard, asked->json) : cli_fail(&fault);
    json_decref(heard.workers);
    return code;
}
#else
static int run_workers(const void *values) {
    (void)values;
    return cli_lacks("workers", "ENSIGN_CLUSTER");
}
#endif
