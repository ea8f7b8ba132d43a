#include "schedule.h"

#include "base/buffer.h"

#include <stdlib.h>
#include <string.h>

enum {
    SPARE_JOBS = 2,     /* beyond one for each thread */
    PATIENCE_MS = 3000, /* at least, before a job is given out once more */
    LOST_MS = 60000,    /* beyond five times what a job should take */
    JOBS_MAX = 1 << 16,
    NO_JOB = JOBS_MAX,
    QUIET_MS = 60000, /* and four pairs, without games although some play: jobs or games vanish */
    SILENCES_MAX = 6, /* each is twice as long as the one before, up to so often */
    PACE_WEIGHT = 32, /* pairs over which the pace is a mean */
    SLOWER = 16       /* so many times as slow as this process can a worker be, to be believed */
};

static const int64_t LONG_AGO = -((int64_t)1 << 50);

/* What is known of a pair. */
struct known {
    uint64_t digest; /* 0: played before this process, or not yet */
    uint32_t job;    /* in which it was given out, or NO_JOB */
    uint32_t worker : 31, finished : 1;
};

/* Pairs given out together. */
struct job {
    uint64_t number;
    int64_t given;
    double due; /* ms that it should take */
    uint32_t *pairs;
    uint32_t count; /* those behind have gone to other jobs */
    uint32_t left;
    uint32_t times;     /* that its pairs were given out, this one included */
    uint32_t next_free; /* of a place without a job */
};

struct schedule {
    const struct batch *batch;
    struct known *known;        /* by pair */
    uint32_t pairs, left, next; /* of those from `next` on some wait to be given out */
    struct job *jobs;           /* those with pairs left, and free places */
    size_t places;
    uint32_t free, open; /* the first free place, or NO_JOB; how many jobs */
    uint64_t number;     /* of the next job */
    struct random chance;
    double pace;
    uint32_t longest; /* ms of a pair of this process */
    uint32_t timed;   /* pairs in `pace` */
    int64_t heard;    /* when games came, or none could; 0: not yet */
    int silences;     /* and how often they did not for long since */
    uint32_t checked; /* pairs given out since the last check */
    uint32_t *played; /* pairs that came with a digest, to be checks */
    size_t played_count;
};

struct schedule *schedule_open(const struct batch *batch, struct random chance) {
    struct schedule *schedule = calloc(1, sizeof *schedule);
    if (!schedule) return NULL;
    schedule->batch = batch;
    schedule->chance = chance;
    schedule->free = NO_JOB;
    schedule->pairs = batch->match->game_count / 2;
    schedule->known = calloc(schedule->pairs, sizeof *schedule->known);
    if (!schedule->known) {
        free(schedule);
        return NULL;
    }
    for (uint32_t pair = 0; pair < schedule->pairs; pair++)
        schedule->known[pair] = (struct known){.job = NO_JOB, .finished = true};
    for (uint32_t pair = 0; (pair = consignment_next(batch, pair)) < schedule->pairs; pair++) {
        schedule->known[pair].finished = false;
        schedule->left++;
    }
    return schedule;
}

void schedule_close(struct schedule *schedule) {
    if (!schedule) return;
    for (size_t i = 0; i < schedule->places; i++) free(schedule->jobs[i].pairs);
    free(schedule->jobs);
    free(schedule->known);
    free(schedule->played);
    free(schedule);
}

/* A place for a job; NO_JOB if there is none. */
static uint32_t free_place(struct schedule *schedule) {
    const uint32_t place = schedule->free;
    if (place != NO_JOB) {
        schedule->free = schedule->jobs[place].next_free;
        return place;
    }
    struct job *grown = array_grown(schedule->jobs, schedule->places, sizeof *grown, JOBS_MAX);
    if (!grown) return NO_JOB;
    schedule->jobs = grown;
    return (uint32_t)schedule->places++;
}

static void finish_job(struct schedule *schedule, uint32_t place) {
    struct job *job = &schedule->jobs[place];
    if (--job->left) return;
    free(job->pairs);
    *job = (struct job){.next_free = schedule->free};
    schedule->free = place;
    schedule->open--;
}

/* How many pairs the next job has: half a minute's work, but towards the end not more than leaves
 * some for the others. */
static uint32_t job_size(const struct schedule *schedule, uint32_t waiting, int threads) {
    if (schedule->pace <= 0) return 1;
    double size = SCHEDULE_MS / schedule->pace, share = (double)waiting / (2 * (threads + 1));
    if (size > share) size = share;
    return size < 1 ? 1 : size > SCHEDULE_PAIRS_MAX - 1 ? SCHEDULE_PAIRS_MAX - 1 : (uint32_t)size;
}

/* Hides a pair that somebody has played before. */
static uint32_t add_check(struct schedule *schedule, uint32_t *pairs, uint32_t count) {
    schedule->checked += count;
    if (!schedule->played_count || schedule->checked < SCHEDULE_CHECKED ||
        count >= SCHEDULE_PAIRS_MAX)
        return count;
    schedule->checked = 0;
    const uint32_t place = random_below(&schedule->chance, count + 1);
    memmove(pairs + place + 1, pairs + place, (count - place) * sizeof *pairs);
    pairs[place] =
        schedule->played[random_below(&schedule->chance, (uint32_t)schedule->played_count)];
    return count + 1;
}

/* The first pair from `from` on that waits to be given out. */
static uint32_t unplayed(const struct schedule *schedule, uint32_t from) {
    const struct known *known = schedule->known;
    while (from < schedule->pairs && (known[from].finished || known[from].job != NO_JOB)) from++;
    return from;
}

/* Makes a job of pairs, whose memory it takes over, and lists them for whoever gets it. 0 if there
 * is no place for it: nothing has changed then. */
static uint32_t open_job(struct schedule *schedule, struct job job, uint32_t *pairs) {
    const uint32_t place = job.pairs && job.count ? free_place(schedule) : NO_JOB;
    if (place == NO_JOB) {
        free(job.pairs);
        return 0;
    }
    memcpy(pairs, job.pairs, job.count * sizeof *pairs);
    for (uint32_t i = 0; i < job.count; i++) schedule->known[pairs[i]].job = place;
    job.due = job.count * schedule->pace * job.times + (job.times > 1 ? PATIENCE_MS : 0);
    job.left = job.count;
    job.number = schedule->number++;
    schedule->jobs[place] = job;
    schedule->open++;
    return job.count;
}

static uint32_t new_job(struct schedule *schedule, int64_t now, int threads, uint32_t *pairs) {
    const uint32_t behind = schedule->pairs - schedule->next;
    const uint32_t size =
        job_size(schedule, behind < schedule->left ? behind : schedule->left, threads);
    struct job job = {.given = now, .times = 1, .pairs = malloc(size * sizeof *job.pairs)};
    uint32_t next = schedule->next;
    while (job.pairs && job.count < size && next < schedule->pairs) {
        job.pairs[job.count++] = next;
        next = unplayed(schedule, next + 1);
    }
    const uint32_t count = open_job(schedule, job, pairs);
    if (!count) return 0;
    schedule->next = next;
    return add_check(schedule, pairs, count);
}

/* How much threads want that have nothing fresh to play. */
enum hunger {
    HUNGER_NONE,
    HUNGER_SOON, /* a thread will be idle */
    HUNGER_NOW   /* one is: there are fewer jobs than threads */
};

/* The job that has been out longest of those that others should help with: lost, overdue, or long
 * enough to be worth sharing with a thread that is idle. NO_JOB: there is none. */
static uint32_t job_to_share(const struct schedule *schedule, int64_t now, enum hunger hunger) {
    uint32_t oldest = NO_JOB;
    for (uint32_t i = 0; i < schedule->places; i++) {
        const struct job *job = &schedule->jobs[i];
        const double age = (double)(now - job->given);
        const bool lost = age > 5 * job->due + LOST_MS;
        const bool late = age > PATIENCE_MS;
        const bool slow = hunger && late && age > 2 * job->due;
        const bool large = hunger == HUNGER_NOW && late && job->left > 1 &&
                           job->left * schedule->pace > PATIENCE_MS;
        if (job->left && (lost || slow || large) &&
            (oldest == NO_JOB || job->given < schedule->jobs[oldest].given))
            oldest = i;
    }
    return oldest;
}

/* Gives out some of what is left of a job, the last of it, since whoever has it plays in order. The
 * rest may be the next job. */
static uint32_t old_job(struct schedule *schedule, int64_t now, int threads, enum hunger hunger,
                        uint32_t *pairs) {
    const uint32_t from = job_to_share(schedule, now, hunger);
    if (from == NO_JOB) return 0;
    struct job *old = &schedule->jobs[from];
    const uint32_t size =
        old->given == LONG_AGO ? old->count : job_size(schedule, old->left, threads);
    struct job job = {.given = now, .times = old->times + 1};
    job.pairs = malloc(size * sizeof *job.pairs);
    uint32_t rest = old->count;
    for (; job.pairs && job.count < size && rest; rest--) {
        const uint32_t pair = old->pairs[rest - 1];
        const struct known *known = &schedule->known[pair];
        if (!known->finished && known->job == from) job.pairs[job.count++] = pair;
    }
    const uint32_t count = open_job(schedule, job, pairs);
    if (!count) return 0;
    schedule->jobs[from].count = rest;
    for (uint32_t i = 0; i < count; i++) finish_job(schedule, from);
    return count;
}

uint32_t schedule_job(struct schedule *schedule, int64_t now, int threads, uint32_t *pairs) {
    const bool enough = schedule->open >= (uint32_t)(threads + threads / 4 + SPARE_JOBS);
    schedule->next = unplayed(schedule, schedule->next);
    const bool fresh = schedule->next < schedule->pairs;
    if (fresh && !enough) return new_job(schedule, now, threads, pairs);
    const enum hunger hunger = fresh || enough                      ? HUNGER_NONE
                               : schedule->open < (uint32_t)threads ? HUNGER_NOW
                                                                    : HUNGER_SOON;
    return old_job(schedule, now, threads, hunger, pairs);
}

void schedule_hear(struct schedule *schedule, int64_t now) {
    schedule->heard = now;
    schedule->silences = 0;
}

int64_t schedule_silence(struct schedule *schedule, int64_t now, int threads) {
    const double patience = (QUIET_MS + 4 * schedule->pace) * (1 << schedule->silences);
    if (!schedule->heard || !threads || !schedule->open) schedule->heard = now;
    const int64_t silence = now - schedule->heard;
    if ((double)silence < patience) return 0;
    schedule->heard = now;
    if (schedule->silences < SILENCES_MAX) schedule->silences++;
    return silence;
}

uint64_t schedule_next_number(const struct schedule *schedule) {
    return schedule->number;
}

uint64_t schedule_oldest_number(const struct schedule *schedule) {
    uint64_t oldest = schedule->number;
    for (size_t i = 0; i < schedule->places; i++)
        if (schedule->jobs[i].left && schedule->jobs[i].number < oldest)
            oldest = schedule->jobs[i].number;
    return oldest;
}

void schedule_lose(struct schedule *schedule) {
    for (size_t i = 0; i < schedule->places; i++) schedule->jobs[i].given = LONG_AGO;
}

static void keep_for_checks(struct schedule *schedule, uint32_t pair) {
    uint32_t *grown =
        array_grown(schedule->played, schedule->played_count, sizeof *grown, TOURNAMENT_GAMES_MAX);
    if (!grown) return; /* then it is no check */
    schedule->played = grown;
    schedule->played[schedule->played_count++] = pair;
}

/* Who claims to be very slow would have a job that it holds be its own for days. */
static uint32_t believed(struct schedule *schedule, uint32_t worker, uint32_t ms) {
    if (worker == SCHEDULE_HERE && ms > schedule->longest) schedule->longest = ms;
    const uint64_t slow = (uint64_t)SLOWER * schedule->longest;
    const uint64_t most = slow > SCHEDULE_MS ? slow : SCHEDULE_MS;
    return worker != SCHEDULE_HERE && ms > most ? (uint32_t)most : ms;
}

static void time_pair(struct schedule *schedule, uint32_t ms) {
    if (schedule->timed < PACE_WEIGHT) schedule->timed++;
    schedule->pace += ((double)ms + 0.5 - schedule->pace) / schedule->timed;
}

enum schedule_verdict schedule_take(struct schedule *schedule, uint32_t pair, uint64_t digest,
                                    uint32_t worker, uint32_t ms) {
    struct known *known = &schedule->known[pair];
    if (known->finished)
        return !known->digest || known->digest == digest ? SCHEDULE_KNOWN : SCHEDULE_OTHER;
    const uint32_t job = known->job;
    *known = (struct known){digest, job, worker & SCHEDULE_NOBODY, true};
    schedule->left--;
    if (job != NO_JOB) finish_job(schedule, job); /* else a former process has given it out */
    time_pair(schedule, believed(schedule, worker, ms));
    keep_for_checks(schedule, pair);
    return SCHEDULE_NEW;
}

uint32_t schedule_worker(const struct schedule *schedule, uint32_t pair) {
    return schedule->known[pair].digest ? schedule->known[pair].worker : SCHEDULE_NOBODY;
}

uint64_t schedule_digest(const struct schedule *schedule, uint32_t pair) {
    return schedule->known[pair].digest;
}

void schedule_strike(struct schedule *schedule, uint32_t pair) {
    schedule->known[pair] = (struct known){.job = NO_JOB};
    schedule->left++;
    if (pair < schedule->next) schedule->next = pair;
}

void schedule_trust(struct schedule *schedule, uint32_t pair) {
    schedule->known[pair].worker = SCHEDULE_HERE;
}

bool schedule_finished(const struct schedule *schedule, uint32_t pair) {
    return schedule->known[pair].finished;
}

uint32_t schedule_left(const struct schedule *schedule) {
    return schedule->left;
}

uint32_t schedule_open_jobs(const struct schedule *schedule) {
    return schedule->open;
}
