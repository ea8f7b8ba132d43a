/* workers.c - one lock, a queue of tasks for the threads of each pace, a condition for each own
 * thread.
 *
 * A task that is woken while it runs is marked and runs again, so no wake is lost and no task runs
 * twice at a time. A queue has more threads than tasks that may run at a time; a thread that stands
 * by gives up its turn and takes the next free one, before any task that has not begun. */
#include "workers.h"

#include "base/standby.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct task_thread {
    pthread_cond_t woken;
    struct task *task;
};

/* Tasks that wait for one of the threads that they share. */
struct task_queue {
    struct workers *workers;
    struct standby standby;
    pthread_cond_t work, turn; /* for a task to begin; for a thread that stood by to go on */
    struct task *first, *last;
    int turns; /* tasks that may begin or go on now */
    int back;  /* threads that wait to go on */
};

struct workers {
    pthread_mutex_t lock; /* guards everything here and the private parts of tasks */
    pthread_cond_t quiet;
    struct task_queue queue[TASK_OWN]; /* by pace */
    int busy;                          /* tasks that wait or run */
    int owned;                         /* own threads */
    bool closing;
    int count;
    pthread_t threads[];
};

static bool may_begin(const struct task_queue *queue) {
    return queue->first && queue->turns > queue->back;
}

/* standby.begin */
static void stand_by(void *context) {
    struct task_queue *queue = context;
    pthread_mutex_lock(&queue->workers->lock);
    queue->turns++;
    if (queue->back) pthread_cond_signal(&queue->turn);
    if (may_begin(queue)) pthread_cond_signal(&queue->work);
    pthread_mutex_unlock(&queue->workers->lock);
}

/* standby.end */
static void come_back(void *context) {
    struct task_queue *queue = context;
    pthread_mutex_lock(&queue->workers->lock);
    queue->back++;
    while (queue->turns <= 0) pthread_cond_wait(&queue->turn, &queue->workers->lock);
    queue->back--;
    queue->turns--;
    pthread_mutex_unlock(&queue->workers->lock);
}

static void queue_task(struct workers *workers, struct task *task) {
    task->waiting = true;
    task->next = NULL;
    if (task->own) {
        pthread_cond_signal(&task->own->woken);
        return;
    }
    struct task_queue *queue = &workers->queue[task->pace];
    if (queue->first)
        queue->last->next = task;
    else
        queue->first = task;
    queue->last = task;
    if (may_begin(queue)) pthread_cond_signal(&queue->work);
}

/* Runs a task, with the lock held before and after. False once the task has ended. */
static bool run_task(struct workers *workers, struct task *task) {
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
    return result != TASK_ENDED;
}

static void *run_shared(void *context) {
    struct task_queue *queue = context;
    struct workers *workers = queue->workers;
    standby_join(&queue->standby);
    pthread_mutex_lock(&workers->lock);
    for (;;) {
        while (!may_begin(queue) && !workers->closing)
            pthread_cond_wait(&queue->work, &workers->lock);
        struct task *task = queue->first;
        if (!task) break;
        queue->first = task->next;
        queue->turns--;
        run_task(workers, task);
        queue->turns++;
        if (queue->back) pthread_cond_signal(&queue->turn);
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
    queue->turns = turns;
    while (started < turns + WORKERS_SPARE &&
           !pthread_create(&workers->threads[workers->count], NULL, run_shared, queue)) {
        workers->count++;
        started++;
    }
    return started >= turns;
}

struct workers *workers_open(int count, struct fault *fault) {
    const int all = WORKERS_QUICK + count + TASK_OWN * WORKERS_SPARE;
    struct workers *workers = calloc(1, sizeof *workers + (size_t)all * sizeof(pthread_t));
    if (!workers) {
        fault_set(fault, STATUS_NO_MEMORY, "no memory for threads");
        return NULL;
    }
    pthread_mutex_init(&workers->lock, NULL);
    for (int pace = 0; pace < TASK_OWN; pace++) {
        struct task_queue *queue = &workers->queue[pace];
        *queue = (struct task_queue){.workers = workers, .standby = {stand_by, come_back, queue}};
        pthread_cond_init(&queue->work, NULL);
        pthread_cond_init(&queue->turn, NULL);
    }
    pthread_cond_init(&workers->quiet, NULL);
    if (start_threads(workers, TASK_QUICK, WORKERS_QUICK) &&
        start_threads(workers, TASK_SLOW, count))
        return workers;
    fault_set(fault, STATUS_SYSTEM, "cannot start %d threads", WORKERS_QUICK + count);
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
    for (int pace = 0; pace < TASK_OWN; pace++) {
        pthread_cond_destroy(&workers->queue[pace].work);
        pthread_cond_destroy(&workers->queue[pace].turn);
    }
    pthread_cond_destroy(&workers->quiet);
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
    if (pace != TASK_OWN) return true;
    pthread_mutex_lock(&workers->lock);
    bool started = start_own(workers, task);
    pthread_mutex_unlock(&workers->lock);
    return started || fault_set(fault, STATUS_SYSTEM, "cannot start a thread for a program");
}

int workers_waiting(struct workers *workers) {
    int count = 0;
    pthread_mutex_lock(&workers->lock);
    const struct task *task = workers->queue[TASK_SLOW].first;
    for (; task; task = task->next) count++;
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
