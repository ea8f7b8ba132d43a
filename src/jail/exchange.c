/* exchange.c - ends processes and finds out why they gave no answer. */
#include "exchange.h"

#include "jail.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

enum channel_result exchange(const struct locked_process *process, struct frame *question,
                             struct frame *answer, uint32_t sequence, int64_t deadline) {
    enum channel_result sent =
        question ? channel_send(process->to, question, sequence, deadline) : CHANNEL_OK;
    return sent == CHANNEL_OK ? channel_receive(process->from, answer, &sequence, deadline) : sent;
}

/* How it ended by itself, or by another process. */
static void find_ending(struct ending *ending) {
    char text[128];
    const bool outsider = jail_ended_from_outside(ending->status);
    jail_end_text(ending->status, text, sizeof text);
    snprintf(ending->how, sizeof ending->how, "%s%s", text, outsider ? ", from outside" : "");
    ending->kind = outsider                       ? ENDING_OUTSIDER
                   : jail_crashed(ending->status) ? ENDING_SIGNAL
                                                  : ENDING_EXIT;
}

/* Whether another process had a hand in it. One that is late was killed by the host. */
static bool was_disturbed(enum channel_result why, int status) {
    const bool by_us = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
    return why == CHANNEL_LATE && !by_us && jail_ended_from_outside(status);
}

static void set_ending(struct ending *ending, enum ending_kind kind, const char *how) {
    ending->kind = kind;
    snprintf(ending->how, sizeof ending->how, "%s", how);
}

struct ending exchange_refuse(struct locked_process *process, enum ending_kind kind,
                              const char *what) {
    struct ending ending = {.status = locked_process_end(process)};
    if (ending.status == -1)
        set_ending(&ending, ENDING_ORPHAN, "is gone");
    else
        set_ending(&ending, kind, what);
    return ending;
}

struct ending exchange_end(struct locked_process *process, enum channel_result why, int patience) {
    char text[128];
    struct ending ending;
    const bool closed = why == CHANNEL_CLOSED || why == CHANNEL_CUT;
    snprintf(text, sizeof text, "cannot be served: %s", strerror(errno));
    switch (why) {
    case CHANNEL_LONG:
        return exchange_refuse(process, ENDING_MISDEED, "sent an answer that is too long");
    case CHANNEL_SURPLUS:
        return exchange_refuse(process, ENDING_MISDEED, "sent more than one answer");
    case CHANNEL_ORDER:
        return exchange_refuse(process, ENDING_MISDEED, "sent an answer with a wrong number");
    case CHANNEL_GIVEN_UP:
        return exchange_refuse(process, ENDING_GIVEN_UP, "was not waited for any longer");
    case CHANNEL_FAILED:
        return exchange_refuse(process, ENDING_HOST, text);
    default:
        break;
    }
    if (closed && !locked_process_ends(process))
        return exchange_refuse(process, ENDING_MISDEED, "closed its pipe");
    snprintf(text, sizeof text, "gave no answer for %d ms", patience);
    ending = exchange_refuse(process, ENDING_LATE, text);
    if (ending.kind == ENDING_LATE && (closed || was_disturbed(why, ending.status)))
        find_ending(&ending);
    if (why == CHANNEL_CUT && ending.kind == ENDING_EXIT)
        set_ending(&ending, ENDING_MISDEED, "broke off in the middle of an answer");
    return ending;
}

bool ending_is_doubtful(const struct ending *ending) {
    return ending->kind == ENDING_ORPHAN || ending->kind == ENDING_OUTSIDER ||
           ending->kind == ENDING_SIGNAL;
}

enum status ending_status(const struct ending *ending) {
    static const enum status statuses[] = {
        [ENDING_LATE] = STATUS_TIME,     [ENDING_OUTSIDER] = STATUS_KILLED,
        [ENDING_SIGNAL] = STATUS_CRASH,  [ENDING_EXIT] = STATUS_CRASH,
        [ENDING_MISDEED] = STATUS_CRASH, [ENDING_GIVEN_UP] = STATUS_KILLED,
        [ENDING_ORPHAN] = STATUS_KILLED, [ENDING_HOST] = STATUS_SYSTEM};
    return statuses[ending->kind];
}
