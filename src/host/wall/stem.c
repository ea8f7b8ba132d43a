/* stem.c - the host's side: asks for a shoot, gives it an order and waits for its answer.
 *
 * The lock of the stem's socket is held while a shoot is forked, not while it works. A shoot that
 * is late is killed through its pidfd, without the stem. */
#define _GNU_SOURCE
#include "stem.h"

#include "base/clock.h"
#include "base/descriptors.h"
#include "cage.h"
#include "host/check/unsaved.h"
#include "host/stock.h"
#include "oracle.h"
#include "post.h"
#include "shoot.h"
#include "wire_fault.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
    GRACE_SECONDS = 10,   /* for a shoot to notice that its time has passed */
    SCRIPTS_OF_CHECK = 3, /* loaded by a check at most: the kind, the script, a bot's variant */
    GAMES_MAX = 100000,
    BALANCE_MAX = 1000000
};

struct stem {
    struct post post;
    struct stem_work work;
};

/* A shoot as the host sees it. */
struct sprout {
    pid_t pid;
    int socket, from, handle;
    struct frame answer;
};

struct stem *stem_open(const struct folders *folders, const struct folders *shown,
                       struct sandbox_limits bots, struct fault *fault) {
    int socket = -1;
    pid_t pid = -1;
    if (!descriptors_reserve(DESCRIPTORS_OF_PLAY, fault)) return NULL;
    struct stem *stem = calloc(1, sizeof *stem);
    int error = ENOMEM;
    if (stem) {
        stem->work = (struct stem_work){*folders, *shown, bots};
        cage_hide(); /* before there is a game to hide from other processes of the user */
        error = post_fork(stem_serve, &stem->work, &socket, &pid);
    }
    if (error) {
        free(stem);
        fault_set(fault, STATUS_SYSTEM, "cannot start the process that loads variants: %s",
                  strerror(error));
        return NULL;
    }
    post_open(&stem->post, socket, pid, -1);
    return stem;
}

void stem_close(struct stem *stem) {
    if (!stem) return;
    post_close(&stem->post);
    free(stem);
}

pid_t stem_process(const struct stem *stem) {
    return stem->post.pid;
}

/* Opens a shoot. False with a fault. */
static bool sprout_open(struct stem *stem, struct sprout *sprout, struct fault *fault) {
    struct shoot_start start;
    int descriptors[POST_DESCRIPTORS_MAX];
    size_t carried;
    if (!post_ask(&stem->post, "", 1, &start, sizeof start, descriptors, &carried))
        return fault_set(fault, STATUS_SYSTEM,
                         "the process that loads variants was killed or stopped");
    if (start.error || carried != SHOOT_DESCRIPTORS) {
        packet_close(descriptors, carried);
        return fault_set(fault, STATUS_SYSTEM, "cannot start a process to load scripts: %s",
                         strerror(start.error ? start.error : EMFILE));
    }
    *sprout = (struct sprout){.pid = start.pid,
                              .socket = descriptors[SHOOT_SOCKET],
                              .from = descriptors[SHOOT_PIPE],
                              .handle = descriptors[SHOOT_HANDLE]};
    fcntl(sprout->from, F_SETFL, O_NONBLOCK);
    packet_patience(sprout->socket, 1000 * GRACE_SECONDS);
    return frame_open(&sprout->answer, SHOOT_ANSWER_MAX) ||
           fault_set(fault, STATUS_NO_MEMORY, "out of memory");
}

/* Ends the shoot, unless it was given away as a nursery. */
static void sprout_close(struct sprout *sprout) {
    frame_close(&sprout->answer);
    if (sprout->from >= 0) close(sprout->from);
    if (sprout->handle < 0) return;
    syscall(SYS_pidfd_send_signal, sprout->handle, SIGKILL, NULL, 0);
    close(sprout->handle);
    close(sprout->socket);
}

static bool sprout_order(struct sprout *sprout, const struct shoot_order *order, const char *text) {
    bool sent = packet_send(sprout->socket, order, sizeof *order, NULL, 0);
    for (size_t at = 0; at < order->length && sent;) {
        size_t left = order->length - at, size = left < SHOOT_PIECE ? left : SHOOT_PIECE;
        sent = packet_send(sprout->socket, text + at, size, NULL, 0);
        at += size;
    }
    return sent;
}

static bool answer_makes_no_sense(struct fault *fault) {
    return fault_set(fault, STATUS_CRASH,
                     "the process that loads it sent an answer that makes no sense");
}

/* Has a shoot carry out the order; its answer is left in sprout->answer. False with a fault. Close
 * it in either case. */
static bool sprout_run(struct stem *stem, struct sprout *sprout, const struct shoot_order *order,
                       const char *text, int seconds, struct fault *fault) {
    struct fault why;
    uint32_t sequence = SHOOT_SEQUENCE;
    *sprout = (struct sprout){.socket = -1, .from = -1, .handle = -1};
    if (!sprout_open(stem, sprout, fault)) return false;
    enum wire_result result = WIRE_CLOSED;
    if (sprout_order(sprout, order, text))
        result = wire_receive(sprout->from, &sprout->answer, &sequence,
                              clock_ms() + 1000 * (int64_t)seconds);
    switch (result) {
    case WIRE_OK:
        break;
    case WIRE_LATE:
        return fault_set(fault, STATUS_TIME, "takes longer than %d seconds", seconds);
    case WIRE_CLOSED:
    case WIRE_CUT:
        return fault_set(fault, STATUS_KILLED,
                         "the process that loads it was killed or stopped, from outside");
    case WIRE_FAILED:
        return fault_set(fault, STATUS_SYSTEM, "cannot exchange data with its process: %s",
                         strerror(errno));
    default:
        return answer_makes_no_sense(fault);
    }
    if (frame_take_number(&sprout->answer)) return true;
    if (!frame_take_fault(&sprout->answer, &why)) return answer_makes_no_sense(fault);
    if (fault) *fault = why;
    return false;
}

/* Takes over the nursery of the variant's calls. */
static bool take_oracle(struct sprout *sprout, struct rules *rules, struct fault *fault) {
    pid_t pid;
    int descriptors[POST_DESCRIPTORS_MAX];
    size_t carried;
    if (!rules->calls) return true;
    if (!packet_receive(sprout->socket, &pid, sizeof pid, descriptors, &carried))
        return answer_makes_no_sense(fault);
    if (carried != 1)
        return fault_set(fault, STATUS_SYSTEM, "cannot reach the process for a variant's calls: %s",
                         strerror(EMFILE));
    struct nursery *nursery = nursery_join(descriptors[0], pid, -1);
    if (!nursery) return fault_set(fault, STATUS_NO_MEMORY, "out of memory");
    oracle_adopt(rules, nursery);
    return true;
}

/* Makes the shoot the nursery of the variant's bots. */
static bool take_nursery(struct sprout *sprout, struct nursery **nursery, struct fault *fault) {
    *nursery = nursery_join(sprout->socket, sprout->pid, sprout->handle);
    sprout->handle = -1;
    return *nursery || fault_set(fault, STATUS_NO_MEMORY, "out of memory");
}

bool stem_variant(struct stem *stem, const char *name, struct rules **rules,
                  struct nursery **nursery, struct fault *fault) {
    struct sprout sprout;
    struct shoot_order order = {.job = SHOOT_VARIANT, .bots = nursery != NULL};
    *rules = NULL;
    if (nursery) *nursery = NULL;
    if (strlen(name) >= sizeof order.name)
        return fault_set(fault, STATUS_NOT_FOUND, "the name is too long");
    strcpy(order.name, name);
    bool done = sprout_run(stem, &sprout, &order, NULL, LOADER_SECONDS + GRACE_SECONDS, fault);
    if (done) *rules = variant_take(&sprout.answer, stem->work.folders.scripts, fault);
    done = *rules && take_oracle(&sprout, *rules, fault) &&
           (!nursery || take_nursery(&sprout, nursery, fault));
    if (!done) {
        rules_free(*rules);
        *rules = NULL;
    }
    sprout_close(&sprout);
    return done;
}

/* Takes a document out of the answer. */
static bool take_json(struct sprout *sprout, struct buffer *json, struct fault *fault) {
    struct frame *answer = &sprout->answer;
    uint32_t length = frame_take_number(answer);
    const char *text = (const char *)answer->bytes + WIRE_HEADER + answer->at;
    if (answer->broken || length != answer->length - answer->at || length > SHOOT_JSON_MAX)
        return answer_makes_no_sense(fault);
    json_t *document = json_loadb(text, length, 0, NULL);
    json_decref(document);
    if (!document) return answer_makes_no_sense(fault);
    return buffer_add(json, text, length) ||
           fault_set(fault, STATUS_NO_MEMORY, "the answer is too long: %u bytes", length);
}

static bool stem_ask(struct stem *stem, const struct shoot_order *order, const char *text,
                     int seconds, struct buffer *json, struct fault *fault) {
    struct sprout sprout;
    bool done =
        sprout_run(stem, &sprout, order, text, seconds, fault) && take_json(&sprout, json, fault);
    sprout_close(&sprout);
    return done;
}

bool stem_check(struct stem *stem, const struct inspect_terms *terms, const char *name,
                const char *text, size_t length, struct buffer *json, struct fault *fault) {
    struct shoot_order order = {.job = SHOOT_CHECK,
                                .length = length,
                                .has_variant = terms->variant != NULL,
                                .games = terms->games,
                                .balance = terms->balance,
                                .seed = terms->seed,
                                .seconds = terms->seconds};
    if (!unsaved_may_be_named(name))
        return fault_set(fault, STATUS_USAGE,
                         "a file's name is expected, without a folder, that ends in .lua, .txt or "
                         ".rec");
    if (length > STEM_TEXT_MAX)
        return fault_set(fault, STATUS_USAGE, "the text has %zu bytes, at most %d are expected",
                         length, STEM_TEXT_MAX);
    if (terms->games > GAMES_MAX || terms->balance > BALANCE_MAX || terms->seconds < 1 ||
        terms->seconds > 86400 ||
        (terms->variant && strlen(terms->variant) >= sizeof order.variant))
        return fault_set(fault, STATUS_USAGE, "terms of a check out of range");
    strcpy(order.name, name);
    if (terms->variant) strcpy(order.variant, terms->variant);
    int seconds = terms->seconds + SCRIPTS_OF_CHECK * LOADER_SECONDS + GRACE_SECONDS;
    return stem_ask(stem, &order, text, seconds, json, fault);
}

bool stem_list(struct stem *stem, unsigned parts, struct buffer *json, struct fault *fault) {
    const struct shoot_order order = {.job = SHOOT_LIST, .parts = parts};
    return stem_ask(stem, &order, NULL, STEM_LIST_SECONDS, json, fault);
}
