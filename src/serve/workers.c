/* workers.c - one lock, a queue of tasks for the threads of each pace, a condition for each own
 * thread.
 *
 * A task that is woken while it runs is marked and runs again, so no wake is lost and no task runs
 * twice at a time. */
#include "workers.h"

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
    pthread_cond_t work;
    struct task *first, *last;
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
    pthread_cond_signal(&queue->work);
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
    pthread_mutex_lock(&workers->lock);
    for (;;) {
        while (!queue->first && !workers->closing) pthread_cond_wait(&queue->work, &workers->lock);
        struct task *task = queue->first;
        if (!task) break;
        queue->first = task->next;
        run_task(workers, task);
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

static bool start_threads(struct workers *workers, int count) {
    for (; workers->count < count; workers->count++) {
        const enum task_pace pace = workers->count < WORKERS_QUICK ? TASK_QUICK : TASK_SLOW;
        if (pthread_create(&workers->threads[workers->count], NULL, run_shared,
                           &workers->queue[pace]))
            return false;
    }
    return true;
}

struct workers *workers_open(int count, struct fault *fault) {
    count += WORKERS_QUICK;
    struct workers *workers = calloc(1, sizeof *workers + (size_t)count * sizeof(pthread_t));
    if (!workers) {
        fault_set(fault, STATUS_NO_MEMORY, "no memory for threads");
        return NULL;
    }
    pthread_mutex_init(&workers->lock, NULL);
    for (int pace = 0; pace < TASK_OWN; pace++) {
        workers->queue[pace].workers = workers;
        pthread_cond_init(&workers->queue[pace].work, NULL);
    }
    pthread_cond_init(&workers->quiet, NULL);
    if (start_threads(workers, count)) return workers;
    fault_set(fault, STATUS_SYSTEM, "cannot start %d threads", count);
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
