#include "jetstream.h"

#include "base/buffer.h"
#include "base/clock.h"
#include "base/files.h"

#include <inttypes.h>
#include <nats/nats.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    CONNECT_MS = 3000,
    RECONNECT_MS = 250,
    PING_MS = 4000, /* a silent server is given up after two of them */
    REQUEST_MS = 5000,
    CREDENTIALS_MAX = 1 << 16,
    LISTENERS_MAX = 8,
    INBOX_MAX = 128,
    PENDING = 8192,           /* messages of a subject that wait to be heard; more are dropped, */
    PENDING_BYTES = 32 << 20, /* and more than these bytes */
    ANSWERS_PENDING = 64,
    LOOK_MS = 4000,             /* without a message, until the server is asked for the queue */
    MESSAGE_BYTES_MAX = 1 << 20 /* in a stream */
};

static const int64_t KEPT_NS = 48ll * 3600 * 1000000000; /* messages that nobody fetches */

struct listener {
    natsSubscription *subscription;
    struct jetstream *jetstream;
    jetstream_hear *hear;
    void *context;
};

struct jetstream {
    natsConnection *connection;
    jsCtx *stream;
    char url[256];
    char inbox[INBOX_MAX]; /* what the subjects of answers begin with */
    struct listener listeners[LISTENERS_MAX];
    int listening;
    pthread_mutex_t lock;
    pthread_cond_t unheard;
    int hearing; /* listeners that may be called; under the lock */
};

static const char *const STREAMS[] = {
    [STREAM_JOBS] = "ENSIGN_JOBS", [STREAM_RESULTS] = "ENSIGN_RESULTS"};
static const char *SUBJECTS[] = {
    [STREAM_JOBS] = "ensign.jobs.*", [STREAM_RESULTS] = "ensign.results.*"};

/* The address as it may be shown. */
static void hide_password(const char *url, char *out, size_t size) {
    const char *scheme = strstr(url, "://"), *at = strrchr(url, '@');
    if (scheme && at && at > scheme)
        snprintf(out, size, "%.*s%s", (int)(scheme + 3 - url), url, at + 1);
    else
        snprintf(out, size, "%s", url);
}

static bool refuse_connection(const struct jetstream *jetstream, natsStatus status,
                              struct fault *fault) {
    const char *url = jetstream->url;
    switch (status) {
    case NATS_NO_SERVER:
    case NATS_TIMEOUT:
    case NATS_IO_ERROR:
        return fault_set(fault, STATUS_SYSTEM, "no NATS server answers at %s", url);
    case NATS_ADDRESS_MISSING:
    case NATS_INVALID_ARG:
        return fault_set(fault, STATUS_USAGE,
                         "\"%s\": an address like nats://HOST:4222 is expected", url);
    case NATS_CONNECTION_AUTH_FAILED:
        return fault_set(fault, STATUS_USAGE, "the server at %s does not accept the credentials",
                         url);
    case NATS_SECURE_CONNECTION_REQUIRED:
        return fault_set(fault, STATUS_USAGE, "the server at %s wants TLS: tls://…", url);
    case NATS_SECURE_CONNECTION_WANTED:
        return fault_set(fault, STATUS_USAGE, "the server at %s does not speak TLS", url);
    case NATS_SSL_ERROR:
        return fault_set(fault, STATUS_USAGE, "TLS with %s fails: %s", url,
                         nats_GetLastError(NULL) ? nats_GetLastError(NULL) : "unknown");
    default:
        return fault_set(fault, STATUS_SYSTEM, "cannot connect to %s: %s", url,
                         natsStatus_GetText(status));
    }
}

/* The library's own handler writes to standard error. What matters is asked for where it matters
 * (is_denied()). */
static void ignore_error(natsConnection *connection, natsSubscription *subscription,
                         natsStatus status, void *context) {
    (void)connection, (void)subscription, (void)status, (void)context;
}

static void name_inbox(const struct jetstream_options *options, char inbox[INBOX_MAX]) {
    static const char user_bytes[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
    enum { USER_MAX = 64 };
    const char *scheme = strstr(options->url, "://"), *user = scheme ? scheme + 3 : "";
    const size_t length = strspn(user, user_bytes);
    const bool named = length && length <= USER_MAX && strchr("@:", user[length]) &&
                       strcspn(user, "@") < strcspn(user, ",/");
    snprintf(inbox, INBOX_MAX, "_INBOX.%.32s%s%.*s", options->part, named ? "." : "",
             named ? (int)length : 0, user);
}

/* Sets the options of a connection, until one fails. */
static natsStatus set_up(natsOptions *to, const struct jetstream_options *from, const char *inbox) {
    char name[64];
    snprintf(name, sizeof name, "ensign %s", from->part);
    const struct {
        natsStatus status;
    } steps[] = {
        {natsOptions_SetURL(to, from->url)},
        {natsOptions_SetName(to, name)},
        {natsOptions_SetCustomInboxPrefix(to, inbox)},
        {natsOptions_SetTimeout(to, CONNECT_MS)},
        {natsOptions_SetPingInterval(to, PING_MS)},
        {natsOptions_SetMaxPingsOut(to, 2)},
        {natsOptions_SetMaxReconnect(to, -1)},
        {natsOptions_SetReconnectWait(to, RECONNECT_MS)},
        {natsOptions_SetFailRequestsOnDisconnect(to, true)},
        {natsOptions_SetErrorHandler(to, ignore_error, NULL)},
        {from->creds ? natsOptions_SetUserCredentialsFromFiles(to, from->creds, NULL) : NATS_OK},
        {!strncmp(from->url, "tls://", 6) ? natsOptions_SetSecure(to, true) : NATS_OK},
    };
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        if (steps[i].status != NATS_OK) return steps[i].status;
    return NATS_OK;
}

/* The library would say no more than that there is an error. */
static bool check_credentials(const char *path, struct fault *fault) {
    size_t length;
    char *text = files_read(path, CREDENTIALS_MAX, &length, fault);
    const bool sound = text && strstr(text, "-----BEGIN NATS USER JWT-----") &&
                       strstr(text, "-----BEGIN USER NKEY SEED-----");
    if (text && !sound) {
        fault_set(fault, STATUS_USAGE,
                  "a user's JWT and seed, as \"nsc\" writes them, are expected in a file of "
                  "credentials");
        fault_place(fault, path, 0, 0);
    }
    free(text);
    return sound;
}

static bool connect_to(struct jetstream *jetstream, const struct jetstream_options *options,
                       struct fault *fault) {
    natsOptions *with = NULL;
    if (strncmp(options->url, "nats://", 7) && strncmp(options->url, "tls://", 6))
        return refuse_connection(jetstream, NATS_INVALID_ARG, fault);
    if (options->creds && !check_credentials(options->creds, fault)) return false;
    natsStatus status = natsOptions_Create(&with);
    name_inbox(options, jetstream->inbox);
    if (status == NATS_OK) status = set_up(with, options, jetstream->inbox);
    if (status == NATS_OK) status = natsConnection_Connect(&jetstream->connection, with);
    natsOptions_Destroy(with);
    return status == NATS_OK || refuse_connection(jetstream, status, fault);
}

/* Whether the server has forbidden something to this user. */
static bool is_denied(struct jetstream *jetstream, const char *what, struct fault *fault) {
    const char *text = NULL;
    if (natsConnection_GetLastError(jetstream->connection, &text) != NATS_NOT_PERMITTED)
        return false;
    fault_set(fault, STATUS_USAGE, "the server at %s forbids to %s: %s", jetstream->url, what,
              text ? text : "not permitted");
    return true;
}

/* Why JetStream did not do what it was asked. */
static bool refuse_stream(struct jetstream *jetstream, natsStatus status, jsErrCode code,
                          const char *what, struct fault *fault) {
    if (is_denied(jetstream, what, fault)) return false;
    if (code == JSNotEnabledErr || code == JSNotEnabledForAccountErr ||
        status == NATS_NO_RESPONDERS)
        return fault_set(
            fault, STATUS_SYSTEM,
            "the NATS server at %s has no JetStream: start it with \"nats-server -js\"",
            jetstream->url);
    const char *text = nats_GetLastError(NULL);
    return fault_set(fault, STATUS_SYSTEM, "the server at %s cannot %s: %s", jetstream->url, what,
                     text && *text ? text : natsStatus_GetText(status));
}

/* Whether a stream keeps all that is sent to it until it is taken. */
static bool stream_fits(struct jetstream *jetstream, const jsStreamInfo *info, int number,
                        struct fault *fault) {
    const jsStreamConfig *config = info->Config;
    const bool open = config->MaxMsgs <= 0 && config->MaxBytes <= 0 && config->MaxConsumers <= 0 &&
                      config->MaxMsgsPerSubject <= 0 &&
                      (config->MaxMsgSize <= 0 || config->MaxMsgSize >= MESSAGE_BYTES_MAX) &&
                      (!config->MaxAge || config->MaxAge >= KEPT_NS);
    const bool plain = !config->Sealed && !config->NoAck && !config->DenyDelete &&
                       !config->DenyPurge && !config->Mirror && !config->SourcesLen;
    return (open && plain && config->Retention == js_WorkQueuePolicy && config->SubjectsLen == 1 &&
            !strcmp(config->Subjects[0], SUBJECTS[number])) ||
           fault_set(fault, STATUS_SYSTEM,
                     "the stream %s of the server at %s is not one that ensign makes: remove it",
                     STREAMS[number], jetstream->url);
}

bool jetstream_mend(struct jetstream *jetstream, struct fault *fault) {
    natsStatus status = NATS_OK;
    bool fits = true;
    jsErrCode code = 0;
    for (int i = STREAM_JOBS; status == NATS_OK && fits && i <= STREAM_RESULTS; i++) {
        jsStreamInfo *info = NULL;
        jsStreamConfig config;
        jsStreamConfig_Init(&config);
        config.Name = STREAMS[i];
        config.Subjects = &SUBJECTS[i];
        config.SubjectsLen = 1;
        config.Retention = js_WorkQueuePolicy;
        config.MaxAge = KEPT_NS;
        config.MaxMsgSize = MESSAGE_BYTES_MAX;
        status = js_GetStreamInfo(&info, jetstream->stream, STREAMS[i], NULL, &code);
        if (status == NATS_NOT_FOUND)
            status = js_AddStream(&info, jetstream->stream, &config, NULL, &code);
        if (status == NATS_OK) fits = stream_fits(jetstream, info, i, fault);
        jsStreamInfo_Destroy(info);
    }
    return fits && (status == NATS_OK || refuse_stream(jetstream, status, code,
                                                       "keep streams of jobs and results", fault));
}

static bool open_streams(struct jetstream *jetstream, struct fault *fault) {
    jsOptions options;
    jsOptions_Init(&options);
    options.Wait = REQUEST_MS;
    const natsStatus status =
        natsConnection_JetStream(&jetstream->stream, jetstream->connection, &options);
    return status == NATS_OK
               ? jetstream_mend(jetstream, fault)
               : refuse_stream(jetstream, status, 0, "keep streams of jobs and results", fault);
}

bool jetstream_has_messages(struct jetstream *jetstream, enum jetstream_stream stream,
                            const char *subject) {
    jsStreamInfo *info = NULL;
    jsOptions options;
    jsErrCode code = 0;
    jsOptions_Init(&options);
    options.Stream.Info.SubjectsFilter = subject;
    const natsStatus status =
        js_GetStreamInfo(&info, jetstream->stream, STREAMS[stream], &options, &code);
    const bool has = status == NATS_OK ? info->State.Subjects && info->State.Subjects->Count
                                       : status != NATS_NOT_FOUND;
    jsStreamInfo_Destroy(info);
    return has;
}

struct jetstream *jetstream_open(const struct jetstream_options *options, struct fault *fault) {
    struct jetstream *jetstream = calloc(1, sizeof *jetstream);
    if (!jetstream) {
        fault_set(fault, STATUS_NO_MEMORY, "out of memory");
        return NULL;
    }
    pthread_mutex_init(&jetstream->lock, NULL);
    clock_condition(&jetstream->unheard);
    hide_password(options->url, jetstream->url, sizeof jetstream->url);
    if (connect_to(jetstream, options, fault) &&
        (options->listens || open_streams(jetstream, fault)))
        return jetstream;
    jetstream_close(jetstream);
    return NULL;
}

void jetstream_close(struct jetstream *jetstream) {
    if (!jetstream) return;
    const int64_t until = clock_ms() + REQUEST_MS;
    for (int i = 0; i < jetstream->listening; i++)
        natsSubscription_Destroy(jetstream->listeners[i].subscription);
    pthread_mutex_lock(&jetstream->lock);
    while (jetstream->hearing && clock_wait(&jetstream->unheard, &jetstream->lock, until)) {}
    pthread_mutex_unlock(&jetstream->lock);
    if (jetstream->connection) natsConnection_FlushTimeout(jetstream->connection, 1000);
    jsCtx_Destroy(jetstream->stream);
    natsConnection_Destroy(jetstream->connection);
    pthread_cond_destroy(&jetstream->unheard);
    pthread_mutex_destroy(&jetstream->lock);
    free(jetstream);
}

bool jetstream_stands(const struct jetstream *jetstream) {
    return natsConnection_Status(jetstream->connection) == NATS_CONN_STATUS_CONNECTED;
}

const char *jetstream_url(const struct jetstream *jetstream) {
    return jetstream->url;
}

bool jetstream_say(struct jetstream *jetstream, const char *subject, const void *bytes,
                   size_t length) {
    return natsConnection_Publish(jetstream->connection, subject, bytes, (int)length) == NATS_OK;
}

void jetstream_tell(struct jetstream *jetstream, const char *subject, json_t *told) {
    char *text = told ? json_dumps(told, JSON_COMPACT) : NULL;
    if (text) jetstream_say(jetstream, subject, text, strlen(text));
    free(text);
    json_decref(told);
}

/* Whoever asks says where the answer goes, and this process may publish what the asker may not, or
 * keep in a stream a thousand times what it was sent: it answers workers' inboxes alone. */
static bool can_answer(const char *to) {
    static const char workers[] = "_INBOX.worker.";
    return to && !strncmp(to, workers, strlen(workers));
}

static void hear_message(natsConnection *connection, natsSubscription *subscription,
                         natsMsg *message, void *context) {
    struct listener *listener = context;
    const char *to = natsMsg_GetReply(message);
    void *reply = NULL;
    size_t length = 0;
    (void)subscription;
    listener->hear(listener->context, natsMsg_GetSubject(message), natsMsg_GetData(message),
                   (size_t)natsMsg_GetDataLength(message), &reply, &length);
    if (reply && can_answer(to)) natsConnection_Publish(connection, to, reply, (int)length);
    free(reply);
    natsMsg_Destroy(message);
}

/* The library calls a listener no more: until then a call may go on. */
static void end_hearing(void *context) {
    struct jetstream *jetstream = context;
    pthread_mutex_lock(&jetstream->lock);
    jetstream->hearing--;
    pthread_cond_signal(&jetstream->unheard);
    pthread_mutex_unlock(&jetstream->lock);
}

bool jetstream_listen(struct jetstream *jetstream, const char *subject, jetstream_hear *hear,
                      void *context, struct fault *fault) {
    if (jetstream->listening == LISTENERS_MAX)
        return fault_set(fault, STATUS_SYSTEM, "too many subjects");
    struct listener *listener = &jetstream->listeners[jetstream->listening];
    *listener = (struct listener){.jetstream = jetstream, .hear = hear, .context = context};
    natsConnection *connection = jetstream->connection;
    const natsStatus status = natsConnection_Subscribe(&listener->subscription, connection, subject,
                                                       hear_message, listener);
    if (status != NATS_OK)
        return fault_set(fault, STATUS_SYSTEM, "cannot listen at %s: %s", jetstream->url,
                         natsStatus_GetText(status));
    natsSubscription_SetPendingLimits(listener->subscription, PENDING, PENDING_BYTES);
    jetstream->listening++;
    pthread_mutex_lock(&jetstream->lock);
    if (natsSubscription_SetOnCompleteCB(listener->subscription, end_hearing, jetstream) == NATS_OK)
        jetstream->hearing++;
    pthread_mutex_unlock(&jetstream->lock);
    natsConnection_FlushTimeout(connection, REQUEST_MS);
    return !is_denied(jetstream, "listen", fault);
}

/* Answers come to a subject of their own until the right one does. */
bool jetstream_ask(struct jetstream *jetstream, const char *subject, const void *bytes,
                   size_t length, int ms, jetstream_takes *takes, void *context) {
    const int64_t until = clock_ms() + ms;
    static const char usual[] = "_INBOX";
    char inbox[INBOX_MAX + 64];
    natsInbox *drawn = NULL;
    natsSubscription *answers = NULL;
    natsMsg *answer = NULL;
    bool taken = false;
    natsStatus status = natsInbox_Create(&drawn);
    if (status == NATS_OK) {
        snprintf(inbox, sizeof inbox, "%s%s", jetstream->inbox, drawn + strlen(usual));
        status = natsConnection_SubscribeSync(&answers, jetstream->connection, inbox);
    }
    if (status == NATS_OK) {
        natsSubscription_SetPendingLimits(answers, ANSWERS_PENDING, PENDING_BYTES);
        status = natsConnection_PublishRequest(jetstream->connection, subject, inbox, bytes,
                                               (int)length);
    }
    while (status == NATS_OK && !taken) {
        status = natsSubscription_NextMsg(&answer, answers, clock_left(until));
        if (status == NATS_NO_RESPONDERS) status = NATS_OK; /* anyone can say so */
        if (!answer) continue;
        taken = takes(context, natsMsg_GetData(answer), (size_t)natsMsg_GetDataLength(answer));
        natsMsg_Destroy(answer);
        answer = NULL;
    }
    natsSubscription_Destroy(answers);
    natsInbox_Destroy(drawn);
    return taken;
}

bool jetstream_post(struct jetstream *jetstream, const char *subject, const void *bytes,
                    size_t length, struct fault *fault) {
    jsErrCode code = 0;
    natsStatus status =
        js_Publish(NULL, jetstream->stream, subject, bytes, (int)length, NULL, &code);
    /* The stream may have been removed; where somebody else listens, nobody says so. */
    if ((status == NATS_NO_RESPONDERS || status == NATS_TIMEOUT) &&
        jetstream_mend(jetstream, fault))
        status = js_Publish(NULL, jetstream->stream, subject, bytes, (int)length, NULL, &code);
    if (status == NATS_OK) return true;
    if (status == NATS_MAX_PAYLOAD)
        return fault_set(fault, STATUS_USAGE,
                         "a message of %zu bytes is more than the server at %s takes "
                         "(its max_payload)",
                         length, jetstream->url);
    return fault->status == STATUS_OK
               ? refuse_stream(jetstream, status, code, "keep a message", fault)
               : false;
}

void jetstream_drop(struct jetstream *jetstream, enum jetstream_stream stream, const char *queue) {
    js_DeleteConsumer(jetstream->stream, STREAMS[stream], queue, NULL, NULL);
}

void jetstream_purge(struct jetstream *jetstream, enum jetstream_stream stream, const char *subject,
                     const char *queue) {
    jsOptions options;
    jsOptions_Init(&options);
    options.Stream.Purge.Subject = subject;
    js_PurgeStream(jetstream->stream, STREAMS[stream], &options, NULL);
    if (queue) jetstream_drop(jetstream, stream, queue);
}

struct queue {
    natsSubscription *subscription;
    int64_t looked; /* when it was known to be there */
};

struct queue *queue_open(struct jetstream *jetstream, enum jetstream_stream stream,
                         const char *subject, const char *name, int seconds, struct fault *fault) {
    struct queue *queue = calloc(1, sizeof *queue);
    jsSubOptions options;
    jsErrCode code = 0;
    if (!queue) {
        fault_set(fault, STATUS_NO_MEMORY, "out of memory");
        return NULL;
    }
    jsSubOptions_Init(&options);
    options.Stream = STREAMS[stream];
    options.Config.AckPolicy = js_AckExplicit;
    options.Config.AckWait = (int64_t)seconds * 1000000000;
    options.Config.MaxAckPending = 20000;
    options.Config.MaxWaiting = 20000;
    options.Config.InactiveThreshold = KEPT_NS;
    natsStatus status = js_PullSubscribe(&queue->subscription, jetstream->stream, subject, name,
                                         NULL, &options, &code);
    queue->looked = clock_ms();
    if (status == NATS_OK) return queue;
    refuse_stream(jetstream, status, code, "open a queue", fault);
    free(queue);
    return NULL;
}

void queue_close(struct queue *queue) {
    if (!queue) return;
    natsSubscription_Destroy(queue->subscription); /* a durable queue stays */
    free(queue);
}

/* Whether the server knows the queue no more; a fetch only says that nothing came. */
static bool is_gone(struct queue *queue) {
    const int64_t now = clock_ms();
    jsConsumerInfo *info = NULL;
    if (now - queue->looked < LOOK_MS) return false;
    queue->looked = now;
    const natsStatus status =
        natsSubscription_GetConsumerInfo(&info, queue->subscription, NULL, NULL);
    jsConsumerInfo_Destroy(info);
    return status == NATS_NOT_FOUND;
}

int queue_fetch(struct queue *queue, struct letter *letters, int count, int ms) {
    natsMsgList list = {0};
    const natsStatus status = natsSubscription_Fetch(&list, queue->subscription, count, ms, NULL);
    if (status != NATS_OK) return is_gone(queue) ? -1 : 0;
    queue->looked = clock_ms();
    const int got = list.Count;
    for (int i = 0; i < got; i++) {
        natsMsg *message = list.Msgs[i];
        letters[i] = (struct letter){natsMsg_GetData(message),
                                     (size_t)natsMsg_GetDataLength(message), message};
        list.Msgs[i] = NULL;
    }
    natsMsgList_Destroy(&list);
    return got;
}

void letter_keep(const struct letter *letter) {
    natsMsg_InProgress(letter->message, NULL);
}

void letter_done(struct letter *letter) {
    natsMsg_Ack(letter->message, NULL);
    natsMsg_Destroy(letter->message);
    letter->message = NULL;
}

void letter_return(struct letter *letter, int ms) {
    natsMsg_NakWithDelay(letter->message, ms, NULL);
    natsMsg_Destroy(letter->message);
    letter->message = NULL;
}
