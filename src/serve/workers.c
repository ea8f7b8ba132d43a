/* workers.c - one lock, a queue of sources with tasks for the threads of each pace, a condition for
 * each own thread.
 *
 * A task that is woken while it runs is marked and runs again, so no wake is lost and no task runs
 * twice at a time. A queue has more threads than tasks that may run at a time; a thread that stands
 * by gives up its turn and takes the next free one, before any task that has not begun, unless its
 * source has its share by then. In a queue stand those sources that have a task and may run one
 * more; each goes to the end with its next. */
#include "workers.h"

#include "base/standby.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct task_thread {
    pthread_cond_t woken;
    struct task *task;
};

struct task_source {
    atomic_int holders;
    struct task_line {
        struct task *first, *last;
        struct task_source *next; /* in the queue */
        bool queued;
        int running;  /* and not standing by */
        int threads;  /* with those that stand by */
    } line[TASK_OWN]; /* by pace; guarded by the lock of the workers */
};

/* A thread that stood by and waits to go on. */
struct returning {
    pthread_cond_t go;
    struct task_source *source;
    bool goes;
    struct returning *next;
};

/* Tasks that wait for one of the threads that they share. */
struct task_queue {
    struct workers *workers;
    struct standby standby;
    pthread_cond_t work; /* for a task to begin */
    struct task_source *first, *last;
    struct returning *back; /* the first to come back first */
    int all;                /* tasks at a time */
    int sources;            /* of those that run now */
    int most;               /* threads of one source, with those that stand by */
    int waiting;            /* tasks */
    int turns;              /* tasks that may begin or go on now */
};

struct workers {
    pthread_mutex_t lock; /* guards everything here and the private parts of tasks */
    pthread_cond_t quiet;
    struct task_queue queue[TASK_OWN]; /* by pace */
    struct task_source *common;        /* of tasks without a source of their own */
    int busy;                          /* tasks that wait or run */
    int owned;                         /* own threads */
    bool closing;
    int count;
    pthread_t threads[];
};

static bool may_begin(const struct task_queue *queue) {
    return queue->first && queue->turns > 0;
}

struct task_source *task_source_open(void) {
    struct task_source *source = calloc(1, sizeof *source);
    if (source) atomic_init(&source->holders, 1);
    return source;
}

void task_source_release(struct task_source *source) {
    if (source && atomic_fetch_sub(&source->holders, 1) == 1) free(source);
}

static enum task_pace pace_of(const struct task_queue *queue) {
    return (enum task_pace)(queue - queue->workers->queue);
}

/* Tasks of one source at a time: where each source that has some running has no more, as many are
 * left for one that comes. */
static int share_of(const struct task_queue *queue, const struct task_line *line) {
    const int sources = queue->sources + !line->running;
    const int share = queue->all / (sources + 1);
    return share ? share : 1;
}

/* So many more tasks of a source run, and do not stand by. */
static void count_running(struct task_queue *queue, struct task_line *line, int more) {
    queue->sources -= line->running > 0;
    line->running += more;
    queue->sources += line->running > 0;
}

static bool has_its_share(const struct task_queue *queue, const struct task_source *source) {
    const struct task_line *line = &source->line[pace_of(queue)];
    return source != queue->workers->common && line->running >= share_of(queue, line);
}

/* Puts a source into the queue if it has a task that may begin. */
static void queue_source(struct workers *workers, enum task_pace pace, struct task_source *source) {
    struct task_queue *queue = &workers->queue[pace];
    struct task_line *line = &source->line[pace];
    const bool full =
        has_its_share(queue, source) || (source != workers->common && line->threads >= queue->most);
    if (line->queued || !line->first || full) return;
    line->queued = true;
    line->next = NULL;
    *(queue->first ? &queue->last->line[pace].next : &queue->first) = source;
    queue->last = source;
    if (may_begin(queue)) pthread_cond_signal(&queue->work);
}

/* Gives turns to threads that stood by, before tasks begin. */
static void let_go_on(struct task_queue *queue) {
    for (struct returning **link = &queue->back; *link && queue->turns > 0;) {
        struct returning *one = *link;
        if (has_its_share(queue, one->source)) {
            link = &one->next;
            continue;
        }
        *link = one->next;
        queue->turns--;
        count_running(queue, &one->source->line[pace_of(queue)], 1);
        one->goes = true;
        pthread_cond_signal(&one->go);
    }
}

/* A task of the source does not run any more: its turn is free. */
static void leave_line(struct task_queue *queue, struct task_source *source) {
    queue->turns++;
    count_running(queue, &source->line[pace_of(queue)], -1);
    let_go_on(queue);
    queue_source(queue->workers, pace_of(queue), source);
}

static _Thread_local struct task_source *served; /* whose task this thread runs */

/* standby.begin */
static void stand_by(void *context) {
    struct task_queue *queue = context;
    pthread_mutex_lock(&queue->workers->lock);
    leave_line(queue, served);
    if (may_begin(queue)) pthread_cond_signal(&queue->work);
    pthread_mutex_unlock(&queue->workers->lock);
}

/* standby.end */
static void come_back(void *context) {
    struct task_queue *queue = context;
    struct returning own = {.source = served};
    pthread_cond_init(&own.go, NULL);
    pthread_mutex_lock(&queue->workers->lock);
    struct returning **end = &queue->back;
    while (*end) end = &(*end)->next;
    *end = &own;
    let_go_on(queue);
    while (!own.goes) pthread_cond_wait(&own.go, &queue->workers->lock);
    pthread_mutex_unlock(&queue->workers->lock);
    pthread_cond_destroy(&own.go);
}

static void queue_task(struct workers *workers, struct task *task) {
    task->waiting = true;
    task->next = NULL;
    if (task->own) {
        pthread_cond_signal(&task->own->woken);
        return;
    }
    struct task_line *line = &task->source->line[task->pace];
    *(line->first ? &line->last->next : &line->first) = task;
    line->last = task;
    workers->queue[task->pace].waiting++;
    queue_source(workers, task->pace, task->source);
}

/* Takes the first task of the first source out of the queue. */
static struct task *take_task(struct task_queue *queue) {
    const enum task_pace pace = pace_of(queue);
    struct task_source *source = queue->first;
    struct task_line *line = &source->line[pace];
    struct task *task = line->first;
    queue->first = line->next;
    line->queued = false;
    line->first = task->next;
    count_running(queue, line, 1);
    line->threads++;
    queue->waiting--;
    queue_source(queue->workers, pace, source);
    return task;
}

/* Runs a task, with the lock held before and after. False once the task has ended. */
static bool run_task(struct workers *workers, struct task *task) {
    struct task_source *source = task->source; /* the task may be freed */
    task->held = &source;
    task->waiting = task->again = false;
    task->running = true;
    pthread_mutex_unlock(&workers->lock);
    enum task_result result = task->run(task);
    pthread_mutex_lock(&workers->lock);
    if (result != TASK_ENDED) task->running = false;
    if (result != TASK_ENDED && (result == TASK_MORE || task->again)) {
        queue_task(workers, task);
        return true;
    }
    if (!--workers->busy) pthread_cond_broadcast(&workers->quiet);
    if (result == TASK_ENDED) task_source_release(source);
    return result != TASK_ENDED;
}

static void *run_shared(void *context) {
    struct task_queue *queue = context;
    struct workers *workers = queue->workers;
    if (pace_of(queue) == TASK_STUDY) nice(WORKERS_NICE); /* of this thread, on Linux */
    standby_join(&queue->standby);
    pthread_mutex_lock(&workers->lock);
    for (;;) {
        while (!may_begin(queue) && !workers->closing)
            pthread_cond_wait(&queue->work, &workers->lock);
        if (!queue->first) break;
        struct task *task = take_task(queue);
        served = task->source;
        atomic_fetch_add(&served->holders, 1);
        queue->turns--;
        run_task(workers, task);
        served->line[pace_of(queue)].threads--;
        leave_line(queue, served);
        task_source_release(served);
    }
    pthread_mutex_unlock(&workers->lock);
    return NULL;
}

static void *run_own(void *context) {
    struct task_thread *own = context;
    struct task *task = own->task;
    struct workers *workers = task->workers;
    bool alive = true;
    pthread_mutex_lock(&workers->lock);
    while (alive) {
        while (!task->waiting) pthread_cond_wait(&own->woken, &workers->lock);
        alive = run_task(workers, task);
    }
    pthread_cond_destroy(&own->woken);
    free(own);
    if (!--workers->owned) pthread_cond_broadcast(&workers->quiet);
    pthread_mutex_unlock(&workers->lock);
    return NULL;
}

/* Starts the threads of a pace, or as many as the system gives. False if they are too few. */
static bool start_threads(struct workers *workers, enum task_pace pace, int turns) {
    struct task_queue *queue = &workers->queue[pace];
    int started = 0;
    queue->turns = queue->all = turns;
    queue->most = turns + WORKERS_SPARE - WORKERS_LEFT;
    while (started < turns + WORKERS_SPARE &&
           !pthread_create(&workers->threads[workers->count], NULL, run_shared, queue)) {
        workers->count++;
        started++;
    }
    return started >= turns;
}

struct workers *workers_open(int count, struct fault *fault) {
    const int all = WORKERS_QUICK + WORKERS_STUDY + count + TASK_OWN * WORKERS_SPARE;
    struct workers *workers = calloc(1, sizeof *workers + (size_t)all * sizeof(pthread_t));
    if (!workers) {
        fault_set(fault, STATUS_NO_MEMORY, "no memory for threads");
        return NULL;
    }
    pthread_mutex_init(&workers->lock, NULL);
    workers->common = task_source_open();
    for (int pace = 0; pace < TASK_OWN; pace++) {
        struct task_queue *queue = &workers->queue[pace];
        *queue = (struct task_queue){.workers = workers, .standby = {stand_by, come_back, queue}};
        pthread_cond_init(&queue->work, NULL);
    }
    pthread_cond_init(&workers->quiet, NULL);
    if (workers->common && start_threads(workers, TASK_QUICK, WORKERS_QUICK) &&
        start_threads(workers, TASK_STUDY, WORKERS_STUDY) &&
        start_threads(workers, TASK_SLOW, count))
        return workers;
    fault_set(fault, STATUS_SYSTEM, "cannot start %d threads",
              WORKERS_QUICK + WORKERS_STUDY + count);
    workers_close(workers);
    return NULL;
}

void workers_close(struct workers *workers) {
    if (!workers) return;
    pthread_mutex_lock(&workers->lock);
    while (workers->busy) pthread_cond_wait(&workers->quiet, &workers->lock);
    workers->closing = true;
    for (int pace = 0; pace < TASK_OWN; pace++) pthread_cond_broadcast(&workers->queue[pace].work);
    pthread_mutex_unlock(&workers->lock);
    for (int i = 0; i < workers->count; i++) pthread_join(workers->threads[i], NULL);
    pthread_mutex_lock(&workers->lock);
    while (workers->owned) pthread_cond_wait(&workers->quiet, &workers->lock);
    pthread_mutex_unlock(&workers->lock);
    pthread_mutex_destroy(&workers->lock);
    for (int pace = 0; pace < TASK_OWN; pace++) pthread_cond_destroy(&workers->queue[pace].work);
    pthread_cond_destroy(&workers->quiet);
    free(workers->common); /* idle tasks may stay with their owners */
    free(workers);
}

static bool start_own(struct workers *workers, struct task *task) {
    pthread_t thread;
    pthread_attr_t attributes;
    task->own = calloc(1, sizeof *task->own);
    if (!task->own) return false;
    task->own->task = task;
    pthread_cond_init(&task->own->woken, NULL);
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    bool started = !pthread_create(&thread, &attributes, run_own, task->own);
    pthread_attr_destroy(&attributes);
    if (started) {
        workers->owned++;
        return true;
    }
    pthread_cond_destroy(&task->own->woken);
    free(task->own);
    task->own = NULL;
    return false;
}

bool task_begin(struct workers *workers, struct task *task, enum task_pace pace,
                struct fault *fault) {
    task->workers = workers;
    task->pace = pace;
    if (!task->source) task->source = workers->common;
    pthread_mutex_lock(&workers->lock);
    bool started = pace != TASK_OWN || start_own(workers, task);
    pthread_mutex_unlock(&workers->lock);
    if (started) atomic_fetch_add(&task->source->holders, 1);
    return started || fault_set(fault, STATUS_SYSTEM, "cannot start a thread for a program");
}

/* Takes a source that has no task left out of the queue. */
static void unqueue_source(struct task_queue *queue, struct task_source *source) {
    const enum task_pace pace = pace_of(queue);
    struct task_source *before = NULL, *at = queue->first;
    while (at != source) {
        before = at;
        at = at->line[pace].next;
    }
    *(before ? &before->line[pace].next : &queue->first) = source->line[pace].next;
    if (queue->last == source) queue->last = before;
    source->line[pace].queued = false;
}

/* Takes a waiting task out of its source's line. */
static void unqueue_task(struct task *task) {
    struct task_queue *queue = &task->workers->queue[task->pace];
    struct task_line *line = &task->source->line[task->pace];
    struct task *before = NULL, *at = line->first;
    while (at != task) {
        before = at;
        at = at->next;
    }
    *(before ? &before->next : &line->first) = task->next;
    if (line->last == task) line->last = before;
    queue->waiting--;
    if (!line->first && line->queued) unqueue_source(queue, task->source);
}

void task_move(struct task *task, struct task_source *source) {
    struct workers *workers = task->workers;
    pthread_mutex_lock(&workers->lock);
    struct task_source *before = task->source;
    const bool waits = task->waiting && !task->own;
    if (!source) source = workers->common;
    if (waits) unqueue_task(task);
    atomic_fetch_add(&source->holders, 1);
    task->source = source;
    if (task->running) *task->held = source;
    if (waits) queue_task(workers, task);
    task_source_release(before);
    pthread_mutex_unlock(&workers->lock);
}

int workers_waiting(struct workers *workers) {
    pthread_mutex_lock(&workers->lock);
    int count = workers->queue[TASK_SLOW].waiting;
    pthread_mutex_unlock(&workers->lock);
    return count;
}

void task_wake(struct task *task) {
    struct workers *workers = task->workers;
    pthread_mutex_lock(&workers->lock);
    if (task->running) {
        task->again = true;
    } else if (!task->waiting) {
        workers->busy++;
        queue_task(workers, task);
    }
    pthread_mutex_unlock(&workers->lock);
}
