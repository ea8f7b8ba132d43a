/* exchange.c - ends processes and finds out why they gave no answer. */
#include "exchange.h"

#include "cage.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

enum wire_result exchange(const struct nursery_child *process, struct frame *question,
                          struct frame *answer, uint32_t sequence, int64_t deadline) {
    enum wire_result sent =
        question ? wire_send(process->to, question, sequence, deadline) : WIRE_OK;
    return sent == WIRE_OK ? wire_receive(process->from, answer, &sequence, deadline) : sent;
}

/* How it ended by itself, or by another process. */
static void find_ending(struct ending *ending) {
    char text[128];
    const bool outsider = cage_ended_from_outside(ending->status);
    cage_end_text(ending->status, text, sizeof text);
    snprintf(ending->how, sizeof ending->how, "%s%s", text, outsider ? ", from outside" : "");
    ending->kind = outsider                       ? ENDING_OUTSIDER
                   : cage_crashed(ending->status) ? ENDING_SIGNAL
                                                  : ENDING_EXIT;
}

/* Whether another process had a hand in it. One that is late was killed by the host. */
static bool was_disturbed(enum wire_result why, int status) {
    const bool by_us = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
    return why == WIRE_LATE && !by_us && cage_ended_from_outside(status);
}

static void set_ending(struct ending *ending, enum ending_kind kind, const char *how) {
    ending->kind = kind;
    snprintf(ending->how, sizeof ending->how, "%s", how);
}

struct ending exchange_refuse(struct nursery *nursery, struct nursery_child *process,
                              enum ending_kind kind, const char *what) {
    struct ending ending = {.status = nursery_end(nursery, process)};
    if (ending.status == -1)
        set_ending(&ending, ENDING_ORPHAN, "is gone");
    else
        set_ending(&ending, kind, what);
    return ending;
}

struct ending exchange_end(struct nursery *nursery, struct nursery_child *process,
                           enum wire_result why, int patience) {
    char text[128];
    struct ending ending;
    const bool closed = why == WIRE_CLOSED || why == WIRE_CUT;
    snprintf(text, sizeof text, "cannot be served: %s", strerror(errno));
    switch (why) {
    case WIRE_LONG:
        return exchange_refuse(nursery, process, ENDING_MISDEED, "sent an answer that is too long");
    case WIRE_SURPLUS:
        return exchange_refuse(nursery, process, ENDING_MISDEED, "sent more than one answer");
    case WIRE_ORDER:
        return exchange_refuse(nursery, process, ENDING_MISDEED,
                               "sent an answer with a wrong number");
    case WIRE_GIVEN_UP:
        return exchange_refuse(nursery, process, ENDING_GIVEN_UP, "was not waited for any longer");
    case WIRE_FAILED:
        return exchange_refuse(nursery, process, ENDING_HOST, text);
    default:
        break;
    }
    if (closed && !nursery_child_ends(process))
        return exchange_refuse(nursery, process, ENDING_MISDEED, "closed its pipe");
    snprintf(text, sizeof text, "gave no answer for %d ms", patience);
    ending = exchange_refuse(nursery, process, ENDING_LATE, text);
    if (ending.kind == ENDING_LATE && (closed || was_disturbed(why, ending.status)))
        find_ending(&ending);
    if (why == WIRE_CUT && ending.kind == ENDING_EXIT)
        set_ending(&ending, ENDING_MISDEED, "broke off in the middle of an answer");
    return ending;
}

enum status ending_status(const struct ending *ending) {
    static const enum status statuses[] = {
        [ENDING_LATE] = STATUS_TIME,     [ENDING_OUTSIDER] = STATUS_KILLED,
        [ENDING_SIGNAL] = STATUS_CRASH,  [ENDING_EXIT] = STATUS_CRASH,
        [ENDING_MISDEED] = STATUS_CRASH, [ENDING_GIVEN_UP] = STATUS_KILLED,
        [ENDING_ORPHAN] = STATUS_KILLED, [ENDING_HOST] = STATUS_SYSTEM};
    return statuses[ending->kind];
}
