#include "issue.h"

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
    uint32_t job;    /* in which it was given out */
    uint16_t worker;
    bool finished;
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

struct issue {
    const struct consignment *consignment;
    struct known *known; /* by pair */
    uint32_t pairs, left, next;
    struct job *jobs; /* those with pairs left, and free places */
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

struct issue *issue_open(const struct consignment *consignment, struct random chance,
                         uint64_t number) {
    struct issue *issue = calloc(1, sizeof *issue);
    if (!issue) return NULL;
    issue->consignment = consignment;
    issue->chance = chance;
    issue->number = number;
    issue->free = NO_JOB;
    issue->pairs = consignment->match->game_count / 2;
    issue->known = calloc(issue->pairs, sizeof *issue->known);
    if (!issue->known) {
        free(issue);
        return NULL;
    }
    for (uint32_t pair = 0; pair < issue->pairs; pair++) issue->known[pair].finished = true;
    for (uint32_t pair = 0; (pair = consignment_next(consignment, pair)) < issue->pairs; pair++) {
        issue->known[pair].finished = false;
        issue->left++;
    }
    return issue;
}

void issue_close(struct issue *issue) {
    if (!issue) return;
    for (size_t i = 0; i < issue->places; i++) free(issue->jobs[i].pairs);
    free(issue->jobs);
    free(issue->known);
    free(issue->played);
    free(issue);
}

/* A place for a job; NO_JOB if there is none. */
static uint32_t free_place(struct issue *issue) {
    const uint32_t place = issue->free;
    if (place != NO_JOB) {
        issue->free = issue->jobs[place].next_free;
        return place;
    }
    struct job *grown = array_grown(issue->jobs, issue->places, sizeof *grown, JOBS_MAX);
    if (!grown) return NO_JOB;
    issue->jobs = grown;
    return (uint32_t)issue->places++;
}

static void finish_job(struct issue *issue, uint32_t place) {
    struct job *job = &issue->jobs[place];
    if (--job->left) return;
    free(job->pairs);
    *job = (struct job){.next_free = issue->free};
    issue->free = place;
    issue->open--;
}

/* How many pairs the next job has: half a minute's work, but towards the end not more than leaves
 * some for the others. */
static uint32_t job_size(const struct issue *issue, uint32_t waiting, int threads) {
    if (issue->pace <= 0) return 1;
    double size = ISSUE_MS / issue->pace, share = (double)waiting / (2 * (threads + 1));
    if (size > share) size = share;
    return size < 1 ? 1 : size > ISSUE_PAIRS_MAX - 1 ? ISSUE_PAIRS_MAX - 1 : (uint32_t)size;
}

/* Hides a pair that somebody has played before. */
static uint32_t add_check(struct issue *issue, uint32_t *pairs, uint32_t count) {
    issue->checked += count;
    if (!issue->played_count || issue->checked < ISSUE_CHECKED || count >= ISSUE_PAIRS_MAX)
        return count;
    issue->checked = 0;
    const uint32_t place = random_below(&issue->chance, count + 1);
    memmove(pairs + place + 1, pairs + place, (count - place) * sizeof *pairs);
    pairs[place] = issue->played[random_below(&issue->chance, (uint32_t)issue->played_count)];
    return count + 1;
}

static uint32_t unplayed(struct issue *issue) {
    while (issue->next < issue->pairs && issue->known[issue->next].finished) issue->next++;
    return issue->next;
}

/* Makes a job of pairs, whose memory it takes over, and lists them for whoever gets it. 0 if there
 * is no place for it: nothing has changed then. */
static uint32_t open_job(struct issue *issue, struct job job, uint32_t *pairs) {
    const uint32_t place = job.pairs && job.count ? free_place(issue) : NO_JOB;
    if (place == NO_JOB) {
        free(job.pairs);
        return 0;
    }
    memcpy(pairs, job.pairs, job.count * sizeof *pairs);
    for (uint32_t i = 0; i < job.count; i++) issue->known[pairs[i]].job = place;
    job.due = job.count * issue->pace * job.times + (job.times > 1 ? PATIENCE_MS : 0);
    job.left = job.count;
    job.number = issue->number++;
    issue->jobs[place] = job;
    issue->open++;
    return job.count;
}

static uint32_t new_job(struct issue *issue, int64_t now, int threads, uint32_t *pairs) {
    /* All that are left but were not given out, at most. */
    const uint32_t size = job_size(issue, issue->pairs - issue->next, threads);
    struct job job = {.given = now, .times = 1, .pairs = malloc(size * sizeof *job.pairs)};
    uint32_t next = unplayed(issue);
    while (job.pairs && job.count < size && next < issue->pairs) {
        job.pairs[job.count++] = next++;
        while (next < issue->pairs && issue->known[next].finished) next++;
    }
    const uint32_t count = open_job(issue, job, pairs);
    if (!count) return 0;
    issue->next = next;
    return add_check(issue, pairs, count);
}

/* How much threads want that have nothing fresh to play. */
enum hunger {
    HUNGER_NONE,
    HUNGER_SOON, /* a thread will be idle */
    HUNGER_NOW   /* one is: there are fewer jobs than threads */
};

/* The job that has been out longest of those that others should help with: lost, overdue, or long
 * enough to be worth sharing with a thread that is idle. NO_JOB: there is none. */
static uint32_t job_to_share(const struct issue *issue, int64_t now, enum hunger hunger) {
    uint32_t oldest = NO_JOB;
    for (uint32_t i = 0; i < issue->places; i++) {
        const struct job *job = &issue->jobs[i];
        const double age = (double)(now - job->given);
        const bool lost = age > 5 * job->due + LOST_MS;
        const bool late = age > PATIENCE_MS;
        const bool slow = hunger && late && age > 2 * job->due;
        const bool large =
            hunger == HUNGER_NOW && late && job->left > 1 && job->left * issue->pace > PATIENCE_MS;
        if (job->left && (lost || slow || large) &&
            (oldest == NO_JOB || job->given < issue->jobs[oldest].given))
            oldest = i;
    }
    return oldest;
}

/* Gives out some of what is left of a job, the last of it, since whoever has it plays in order. The
 * rest may be the next job. */
static uint32_t old_job(struct issue *issue, int64_t now, int threads, enum hunger hunger,
                        uint32_t *pairs) {
    const uint32_t from = job_to_share(issue, now, hunger);
    if (from == NO_JOB) return 0;
    struct job *old = &issue->jobs[from];
    const uint32_t size = old->given == LONG_AGO ? old->count : job_size(issue, old->left, threads);
    struct job job = {.given = now, .times = old->times + 1};
    job.pairs = malloc(size * sizeof *job.pairs);
    uint32_t rest = old->count;
    for (; job.pairs && job.count < size && rest; rest--) {
        const uint32_t pair = old->pairs[rest - 1];
        if (!issue->known[pair].finished) job.pairs[job.count++] = pair;
    }
    const uint32_t count = open_job(issue, job, pairs);
    if (!count) return 0;
    issue->jobs[from].count = rest;
    for (uint32_t i = 0; i < count; i++) finish_job(issue, from);
    return count;
}

uint32_t issue_job(struct issue *issue, int64_t now, int threads, uint32_t *pairs) {
    const bool enough = issue->open >= (uint32_t)(threads + threads / 4 + SPARE_JOBS);
    const bool fresh = unplayed(issue) < issue->pairs;
    if (fresh && !enough) return new_job(issue, now, threads, pairs);
    const enum hunger hunger = fresh || enough                   ? HUNGER_NONE
                               : issue->open < (uint32_t)threads ? HUNGER_NOW
                                                                 : HUNGER_SOON;
    return old_job(issue, now, threads, hunger, pairs);
}

void issue_hear(struct issue *issue, int64_t now) {
    issue->heard = now;
    issue->silences = 0;
}

int64_t issue_silence(struct issue *issue, int64_t now, int threads) {
    const double patience = (QUIET_MS + 4 * issue->pace) * (1 << issue->silences);
    if (!issue->heard || !threads || !issue->open) issue->heard = now;
    const int64_t silence = now - issue->heard;
    if ((double)silence < patience) return 0;
    issue->heard = now;
    if (issue->silences < SILENCES_MAX) issue->silences++;
    return silence;
}

uint64_t issue_next_number(const struct issue *issue) {
    return issue->number;
}

uint64_t issue_oldest_number(const struct issue *issue) {
    uint64_t oldest = issue->number;
    for (size_t i = 0; i < issue->places; i++)
        if (issue->jobs[i].left && issue->jobs[i].number < oldest) oldest = issue->jobs[i].number;
    return oldest;
}

void issue_lose(struct issue *issue) {
    for (size_t i = 0; i < issue->places; i++) issue->jobs[i].given = LONG_AGO;
}

static void keep_for_checks(struct issue *issue, uint32_t pair) {
    uint32_t *grown =
        array_grown(issue->played, issue->played_count, sizeof *grown, TOURNAMENT_GAMES_MAX);
    if (!grown) return; /* then it is no check */
    issue->played = grown;
    issue->played[issue->played_count++] = pair;
}

/* Who claims to be very slow would have a job that it holds be its own for days. */
static uint32_t believed(struct issue *issue, uint32_t worker, uint32_t ms) {
    if (worker == ISSUE_HERE && ms > issue->longest) issue->longest = ms;
    const uint64_t slow = (uint64_t)SLOWER * issue->longest;
    const uint64_t most = slow > ISSUE_MS ? slow : ISSUE_MS;
    return worker != ISSUE_HERE && ms > most ? (uint32_t)most : ms;
}

static void time_pair(struct issue *issue, uint32_t ms) {
    if (issue->timed < PACE_WEIGHT) issue->timed++;
    issue->pace += ((double)ms + 0.5 - issue->pace) / issue->timed;
}

enum issue_verdict issue_take(struct issue *issue, uint32_t pair, uint64_t digest, uint32_t worker,
                              uint32_t ms) {
    struct known *known = &issue->known[pair];
    if (known->finished)
        return !known->digest || known->digest == digest ? ISSUE_KNOWN : ISSUE_OTHER;
    const uint32_t job = known->job;
    const bool given = pair < issue->next; /* not always: what was given out by a former process */
    *known = (struct known){digest, job, (uint16_t)worker, true};
    issue->left--;
    if (given) finish_job(issue, job);
    time_pair(issue, believed(issue, worker, ms));
    keep_for_checks(issue, pair);
    return ISSUE_NEW;
}

uint32_t issue_worker(const struct issue *issue, uint32_t pair) {
    return issue->known[pair].digest ? issue->known[pair].worker : ISSUE_NOBODY;
}

uint64_t issue_digest(const struct issue *issue, uint32_t pair) {
    return issue->known[pair].digest;
}

bool issue_finished(const struct issue *issue, uint32_t pair) {
    return issue->known[pair].finished;
}

uint32_t issue_left(const struct issue *issue) {
    return issue->left;
}

uint32_t issue_open_jobs(const struct issue *issue) {
    return issue->open;
}
