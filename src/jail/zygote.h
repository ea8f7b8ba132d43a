/* zygote.h - processes whose children are locked up: the zygote, and templates made from it.
 *
 * The zygote is the first thing that main() forks, before it reads an argument, so it never knows a
 * hidden rank, a seed, or anything else worth hiding. Every locked process comes from it. A
 * template is a fork of the zygote that was told some bytes, such as a variant, which it makes
 * ready once for all of its children. It is told nothing else, and nothing is inherited from the
 * host.
 *
 * Any thread of the host may ask at any time; it stands by while it waits (base/standby.h). A
 * function can be named in a request, since all of these processes run one program. A zygote that
 * is killed or stopped is replaced by a spare one that was forked from it, and without that by this
 * program started anew, not too often; templates go on without it. A template that is killed or
 * stopped is made anew, TEMPLATE_TRIES - 1 times; its children end with it. All of them, and their
 * children, die with the host, even if it is killed. */
#ifndef ENSIGN_JAIL_ZYGOTE_H
#define ENSIGN_JAIL_ZYGOTE_H

#include <stdint.h>
#include <sys/types.h>

#include "base/fault.h"
#include "jail/channel.h"

struct template;

/* How often work that depends on a process is tried while others keep killing that process. */
enum { TEMPLATE_TRIES = 3 };

enum {
    TEMPLATE_TOLD_MAX = 100 << 20, /* bytes */
    ZYGOTE_STARTS = 4,             /* in quick succession; then one in so many seconds */
    ZYGOTE_PAUSE_SECONDS = 5
};

/* The work of a child: `run` gets what its template knows (NULL in a child of the zygote) and the
 * child's pipe ends, descriptors 0 and 1; when it returns, the process exits with 0. The child has
 * its own process group and no other descriptors; further limits are up to `run`. */
typedef void jail_job(const void *known, int in, int out);

struct template_work {
    jail_job *run;
    /* What a template makes of the bytes that it is told; NULL: they make no sense, or no memory.
     * It is never freed. The function may be NULL: then it knows nothing. */
    const void *(*learn)(struct frame *told);
};

/* One child as the host sees it. All descriptors are non-blocking and closed on exec. */
struct locked_process {
    pid_t pid;
    int to, from;
    int held; /* the child's end of `to`: while it is open, writing raises no SIGPIPE */
    struct template
        *parent; /* that forked it; lives as long as the template that it was taken of */
};

/* Forks the zygote, and wipes the arguments and the environment in it. To be called once, first of
 * all, with the arguments of main(): in a program started as a zygote it never returns. In a fork
 * of the host it is called again, without arguments, since the first zygote belongs to the other
 * process; then no program is started. Without the memory or the processes for it everything below
 * fails with a STATUS_SYSTEM fault. */
void zygote_open(int argc, char **argv);

/* The zygote's own process; -1 if there is none. */
pid_t zygote_process(void);

/* Gives it and all that comes from it this priority (setpriority()). */
void zygote_nice(int nice);

/* Can it be asked? Replaces it if need be and possible; else false with a fault. */
bool zygote_is_well(struct fault *fault);

/* Takes a child of the zygote for that job. False with a STATUS_SYSTEM fault. */
bool zygote_take(jail_job *run, struct locked_process *child, struct fault *fault);

/* A template that is told what is in the frame (NULL: nothing). NULL with a STATUS_SYSTEM fault. */
struct template *template_open(struct template_work work, const struct frame *told,
                               struct fault *fault);

/* Another template that knows the same, so that threads need not wait for each other. NULL with a
 * STATUS_SYSTEM fault. */
struct template *template_twin(struct template *template, struct fault *fault);

/* Sets the time limit for the template's answers, in ms, at least 1; the default is 10000. A
 * template that takes longer (another process has stopped it) counts as gone and is killed when
 * closed. */
void template_patience(struct template *template, int milliseconds);

/* Ends all children, including those not given back. NULL is allowed. */
void template_close(struct template *template);

/* Takes a fresh child, allowed to run on the processors of the calling thread. The next two are
 * forked while it works. False with a STATUS_SYSTEM fault. */
bool template_take(struct template *template, struct locked_process *child, struct fault *fault);

/* Gives a child back: kills its process group, closes its descriptors and returns its status from
 * waitpid(), which is its own if it had already ended, and "stopped" if another process had stopped
 * it, even if continued since. -1 if the process that forked it is gone. */
int locked_process_end(struct locked_process *child);

/* Whether a child that has closed its pipe ends by itself within a second, so that
 * locked_process_end() gives its own status. */
bool locked_process_ends(const struct locked_process *child);

/* Whether it has ended, or did not answer in time, and was made anew too often: it gives no more
 * children. */
bool template_is_gone(struct template *template);

/* The template's own process now, to bind it to a processor or to watch for its end. */
pid_t template_process(const struct template *template);

/* How a process names a function or a constant of the program to another one.
 *
 * All processes run one program, but it lies at another address in a zygote that was started anew
 * (zygote.h). So what is told is the place in the program. */

/* The place of what lies at this address, and the address of what has this place. That of NULL is
 * 0. */
uintptr_t place_of(uintptr_t address);
uintptr_t place_find(uintptr_t place);

#endif
