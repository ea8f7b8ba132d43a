/* jetstream.h - a connection to a NATS server with JetStream: messages, questions, and queues that
 * outlast both ends.
 *
 * The only place that knows libnats. A connection that is lost is made again for as long as it
 * takes; what is queued is then sent again by those who were not told that it arrived. Any thread
 * may use it; callbacks come from threads of its own. */
#ifndef ENSIGN_HOST_MACHINES_JETSTREAM_H
#define ENSIGN_HOST_MACHINES_JETSTREAM_H

#include "base/fault.h"

#include <jansson.h>
#include <stdint.h>

struct jetstream;

struct jetstream_options {
    const char *url;   /* "nats://[USER:PASSWORD@]HOST[:PORT]" or "tls://…"; several with ',' */
    const char *creds; /* a file of credentials; NULL: none */
    const char *part;  /* of this end: "match", "worker" */
    bool listens;      /* it sends nothing, and needs neither streams nor JetStream */
};

/* Connects, and makes the streams if they are missing and needed. Answers come to subjects of this
 * part alone, "_INBOX.PART.>", and, with a user in the address (of letters, digits, '-', '_'), to
 * the user's, "_INBOX.PART.USER.>": so the server can keep others from them. In its lists this end
 * is "ensign PART". NULL with a fault of one line:
 * STATUS_USAGE for an address, credentials or rights that do not do, STATUS_SYSTEM for a server
 * that does not answer or has no JetStream. */
struct jetstream *jetstream_open(const struct jetstream_options *options, struct fault *fault);

/* Waits for callbacks that run; none is called any more. NULL is allowed. */
void jetstream_close(struct jetstream *jetstream);

/* Whether there is a connection now. */
bool jetstream_stands(const struct jetstream *jetstream);

/* The address without user and password. */
const char *jetstream_url(const struct jetstream *jetstream);

/* To whoever listens now. False if it cannot be sent. */
bool jetstream_say(struct jetstream *jetstream, const char *subject, const void *bytes,
                   size_t length);

/* The same with a JSON document, which it frees; NULL (no memory) is not sent. */
void jetstream_tell(struct jetstream *jetstream, const char *subject, json_t *told);

/* Calls `hear`, in another thread, with each message to the subject, which may contain '*', until
 * jetstream_close(). An answer is `*reply`, made with malloc() and freed by the jetstream; left
 * NULL there is none. */
typedef void jetstream_hear(void *context, const char *subject, const void *bytes, size_t length,
                            void **reply, size_t *reply_length);
bool jetstream_listen(struct jetstream *jetstream, const char *subject, jetstream_hear *hear,
                      void *context, struct fault *fault);

/* Asks, and waits `ms` for an answer that `takes` accepts: others may answer too. False if none
 * comes. */
typedef bool jetstream_takes(void *context, const void *answer, size_t length);
bool jetstream_ask(struct jetstream *jetstream, const char *subject, const void *bytes,
                   size_t length, int ms, jetstream_takes *takes, void *context);

enum jetstream_stream { STREAM_JOBS, STREAM_RESULTS };

/* Puts a message into a stream; true once the server has it on its disk. False with a fault if that
 * is not told within some seconds (STATUS_SYSTEM: try again) or is refused (STATUS_USAGE: too
 * long). */
bool jetstream_post(struct jetstream *jetstream, const char *subject, const void *bytes,
                    size_t length, struct fault *fault);

/* Makes the streams again if somebody has removed them. False with a fault, also if one is there
 * that is not as this program makes it. */
bool jetstream_mend(struct jetstream *jetstream, struct fault *fault);

/* Whether the stream has messages of a subject, also such as are in hand. True if the server does
 * not say. */
bool jetstream_has_messages(struct jetstream *jetstream, enum jetstream_stream stream,
                            const char *subject);

/* Removes a queue; what it has handed out and nobody has acknowledged stays in the stream. */
void jetstream_drop(struct jetstream *jetstream, enum jetstream_stream stream, const char *queue);

/* Removes all messages of a subject, and its queue, from a stream. */
void jetstream_purge(struct jetstream *jetstream, enum jetstream_stream stream, const char *subject,
                     const char *queue);

/* The messages of a subject in a stream, each for one of those who fetch. One that is not done
 * within `seconds` (letter_keep() begins anew) goes to another. NULL with a STATUS_SYSTEM fault. */
struct queue;
struct queue *queue_open(struct jetstream *jetstream, enum jetstream_stream stream,
                         const char *subject, const char *name, int seconds, struct fault *fault);
void queue_close(struct queue *queue); /* NULL is allowed; the messages stay */

struct letter {
    const void *bytes;
    size_t length;
    void *message;
};

/* Takes up to `count` messages, and waits for the first at most `ms`; how many, or -1 if the queue
 * is gone, or its stream. The caller gives each to letter_done() or letter_return(). */
int queue_fetch(struct queue *queue, struct letter *letters, int count, int ms);

void letter_keep(const struct letter *letter);
void letter_done(struct letter *letter);           /* never again */
void letter_return(struct letter *letter, int ms); /* to another, after so long */

#endif
