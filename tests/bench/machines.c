/* machines.c - what a coordinator spends on a game, with a thousand invented workers at a real NATS
 * server.
 *
 * The coordinator is the real one, in a process of its own, with a store. The workers take jobs and
 * send games at their pace, but play none: all pairs were played before. Some fall silent with a
 * job in hand, some send everything twice. */
#define _GNU_SOURCE
#include "base/clock.h"
#include "host/machines/coordinator.h"
#include "host/machines/notices.h"
#include "host/match/store.h"
#include "host/player_process.h"
#include "host/seed.h"
#include "jail/loader.h"

#include <ftw.h>
#include <getopt.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CARRIERS = 8, WORKERS_MAX = 4096, PORT = 4333, JOB_SECONDS = 15 };

static const char VERSION[] = "bench";

struct bench {
    int workers, pair_ms, silent, twice; /* the last two: one in so many; 0: none */
    int store;                           /* 0: none */
    uint32_t pairs;
    char folder[64], url[64];
    pthread_mutex_t lock;
    struct notice_open match; /* as it was announced; protocol 0: not yet. Under the lock */
    struct folders folders;
    struct rules *rules;
    struct template *template;
    struct tournament_options options;
    struct tournament *tournament;
    struct finished *(*games)[2]; /* of all pairs */
    atomic_uint next;             /* pair to be played beforehand */
    atomic_bool stop;
    atomic_ullong messages, bytes;
};

static void fail(const char *what) {
    fprintf(stderr, "bench_machines: %s\n", what);
    exit(EXIT_FAILURE);
}

/* An invented worker. */
struct invented {
    char name[MESSAGES_WORKER_MAX];
    uint8_t key[SEAL_KEY];
    struct seal_keys keys;
    uint8_t nonce[SEAL_NONCE]; /* of the last question */
    bool busy, silent;
    struct letter job;
    uint32_t at, count;
    int64_t due; /* when the next packet of games goes off */
};

/* Keys cost nothing where there is one. */
static const struct seal_secret SECRET = {.given = true, .bytes = {1}};

/* A thread that speaks for some of them. */
struct executor_of {
    struct bench *bench;
    pthread_t thread;
    int first, count;
};

static void load(struct bench *bench) {
    static const char *const players[] = {"rookie", "raider"};
    struct fault fault = {0};
    if (!folders_find(&bench->folders, &fault)) fail(fault.text);
    bench->rules = loader_variant(&bench->folders, "duel", &fault);
    if (!bench->rules) fail(fault.text);
    bench->options = (struct tournament_options){.folders = &bench->folders,
                                                 .rules = bench->rules,
                                                 .players = players,
                                                 .player_count = 2,
                                                 .games = 2 * bench->pairs,
                                                 .jobs = 1,
                                                 .limits = SANDBOX_DEFAULTS,
                                                 .deadline = PLAYER_DEADLINE,
                                                 .chance = {{1}},
                                                 .stop = &bench->stop};
    const struct player_options bots = {
        .folders = &bench->folders, .rules = bench->rules, .limits = SANDBOX_DEFAULTS};
    bench->template = player_template(&bots, &fault);
    if (!bench->template) fail(fault.text);
    bench->options.template = bench->template;
    bench->tournament = tournament_open(&bench->options, &fault);
    if (!bench->tournament) fail(fault.text);
}

static void report(void *context, const struct tournament *match, const char *line) {
    (void)context;
    fprintf(stderr, "%u of %u: %s\n", (unsigned)match->counted, (unsigned)match->game_count, line);
}

/* The coordinator's process. */
static _Noreturn void coordinate(struct bench *bench) {
    struct fault fault = {0};
    struct rusage before, after;
    char store[sizeof bench->folder + 8];
    load(bench);
    snprintf(store, sizeof store, "%.60s/games", bench->folder);
    const struct coordinator_options options = {.server = {.url = bench->url, .part = "bench"},
                                                .variant = "duel",
                                                .version = VERSION,
                                                .secret = SECRET,
                                                .report = report};
    bench->options.sources = sources_open(&READER_DISK);
    struct coordinator *coordinator = coordinator_open(&options, &fault);
    if (!coordinator) fail(fault.text);
    bench->options.executor = coordinator_carrier(coordinator, NULL);
    if (bench->store && !(bench->options.store = store_create(store, &fault))) fail(fault.text);
    getrusage(RUSAGE_SELF, &before);
    const int64_t start = clock_ms();
    if (!tournament_enter(bench->tournament, &fault)) fail(fault.text);
    if (!tournament_play(bench->tournament, &fault)) fail(fault.text);
    const double seconds = (double)(clock_ms() - start) / 1000;
    getrusage(RUSAGE_SELF, &after);
    const double games = 2.0 * bench->pairs;
    const double user = (double)(after.ru_utime.tv_sec - before.ru_utime.tv_sec) +
                        (double)(after.ru_utime.tv_usec - before.ru_utime.tv_usec) / 1e6;
    const double sys = (double)(after.ru_stime.tv_sec - before.ru_stime.tv_sec) +
                       (double)(after.ru_stime.tv_usec - before.ru_stime.tv_usec) / 1e6;
    printf("games %.0f in %.1f s: %.0f/s; coordinator %.1f us a game (%.1f user, %.1f system)\n",
           games, seconds, games / seconds, 1e6 * (user + sys) / games, 1e6 * user / games,
           1e6 * sys / games);
    fflush(stdout);
    coordinator_close(coordinator);
    store_close(bench->options.store);
    _exit(bench->tournament->counted == 2 * bench->pairs ? EXIT_SUCCESS : EXIT_FAILURE);
}

static void put_pair(const struct bench *bench, struct frame *frame, struct frame *scratch,
                     uint32_t pair) {
    frame_clear(scratch);
    games_put(scratch, bench->games[pair]);
    frame_put_number(frame, pair);
    frame_put_number(frame, (uint32_t)bench->pair_ms);
    frame_put_number(frame, (uint32_t)scratch->length);
    frame_put(frame, scratch->bytes + CHANNEL_HEADER, scratch->length);
}

static bool take_yes(void *context, const void *bytes, size_t length) {
    struct invented *worker = context;
    uint32_t yes = 0;
    unsigned char *opened = malloc(length + 1);
    const bool sealed =
        opened && length >= SEAL_EXTRA + sizeof yes &&
        seal_open(worker->keys.to_worker, MESSAGES_ANSWER, worker->nonce, bytes, length, opened);
    if (sealed) memcpy(&yes, opened, sizeof yes);
    free(opened);
    if (sealed && yes != 1) fail("a worker is refused");
    return sealed;
}

/* Asks a question to which the answer is yes. */
static bool ask(struct bench *bench, struct jetstream *jetstream, struct invented *worker,
                struct frame *frame, enum messages_question question, int ms) {
    struct messages_greeting greeting = {.threads = 1};
    char subject[96];
    size_t length;
    snprintf(subject, sizeof subject, "ensign.ask.%s", bench->match.match);
    strcpy(greeting.version, VERSION);
    snprintf(greeting.worker, sizeof greeting.worker, "%s", worker->name);
    frame_clear(frame);
    messages_put_greeting(frame, &greeting);
    frame_put_number(frame, question);
    if (question == MESSAGES_SHOWS_KNOWN) games_put(frame, bench->games[0]);
    unsigned char *sealed =
        messages_seal(worker->key, &worker->keys, MESSAGES_QUESTION, frame, &length);
    if (!sealed) fail("no memory");
    memcpy(worker->nonce, sealed + MESSAGES_HEAD, SEAL_NONCE);
    const bool said = jetstream_ask(jetstream, subject, sealed, length, ms, take_yes, worker);
    free(sealed);
    return said;
}

static void admit(struct bench *bench, struct jetstream *jetstream, struct invented *worker,
                  struct frame *frame) {
    struct fault fault = {0};
    if (!seal_worker_draw(bench->match.key, &SECRET, worker->key, &worker->keys, &fault))
        fail(fault.text);
    while (!ask(bench, jetstream, worker, frame, MESSAGES_SHOWS_KNOWN, 5000)) {}
}

/* Sends what a worker has played within a second. */
static void send_games(struct bench *bench, struct jetstream *jetstream, struct invented *worker,
                       struct frame *frame, struct frame *scratch) {
    char subject[96];
    struct fault fault = {0};
    uint32_t count = (uint32_t)(1000 / bench->pair_ms + 1);
    snprintf(subject, sizeof subject, "ensign.results.%s", bench->match.match);
    frame_clear(frame);
    for (; count && worker->at < worker->count; count--, worker->at++) {
        uint32_t pair;
        memcpy(&pair,
               (const char *)worker->job.bytes + MESSAGES_JOB_HEAD + worker->at * sizeof pair,
               sizeof pair);
        put_pair(bench, frame, scratch, pair);
    }
    const bool twice = bench->twice && rand() % bench->twice == 0;
    size_t length;
    unsigned char *sealed =
        messages_seal(worker->key, &worker->keys, MESSAGES_GAMES, frame, &length);
    if (!sealed) fail("no memory");
    for (int i = 0; i <= twice && !atomic_load(&bench->stop); i++)
        while (!jetstream_post(jetstream, subject, sealed, length, &fault) &&
               !atomic_load(&bench->stop)) {}
    free(sealed);
    atomic_fetch_add(&bench->messages, 1);
    atomic_fetch_add(&bench->bytes, length);
}

static void hear_open(void *context, const char *subject, const void *bytes, size_t length,
                      void **reply, size_t *reply_length) {
    struct bench *bench = context;
    struct notice_open notice;
    (void)reply, (void)reply_length;
    if (!notice_open_read(subject, bytes, length, &notice)) return;
    pthread_mutex_lock(&bench->lock);
    bench->match = notice;
    pthread_mutex_unlock(&bench->lock);
}

static bool is_announced(struct bench *bench) {
    pthread_mutex_lock(&bench->lock);
    const bool announced = bench->match.protocol;
    pthread_mutex_unlock(&bench->lock);
    return announced;
}

/* Plays pairs beforehand. */
static void *prepare(void *context) {
    struct bench *bench = context;
    struct fault fault = {0};
    for (uint32_t number; (number = atomic_fetch_add(&bench->next, 1)) < bench->pairs;) {
        struct pair pair = {.match = bench->tournament,
                            .options = &bench->options,
                            .stop = &bench->stop,
                            .number = number};
        if (!pair_play_both(&pair, bench->games[number], &fault)) fail(fault.text);
    }
    return NULL;
}

static void *speak(void *context) {
    struct executor_of *executor = context;
    struct bench *bench = executor->bench;
    struct fault fault = {0};
    struct invented *workers = calloc((size_t)executor->count, sizeof *workers);
    struct letter *letters = calloc((size_t)executor->count, sizeof *letters);
    struct frame frame, scratch;
    char subject[96];
    struct jetstream *jetstream =
        jetstream_open(&(struct jetstream_options){.url = bench->url, .part = "worker"}, &fault);
    if (!jetstream) fail(fault.text);
    if (!frame_open(&frame, MESSAGES_BYTES_MAX) || !frame_open(&scratch, MESSAGES_BYTES_MAX))
        fail("no memory");
    for (int i = 0; i < executor->count; i++) {
        snprintf(workers[i].name, sizeof workers[i].name, "w%d", executor->first + i);
        admit(bench, jetstream, &workers[i], &frame);
    }
    snprintf(subject, sizeof subject, "ensign.jobs.%s", bench->match.match);
    struct queue *queue =
        queue_open(jetstream, STREAM_JOBS, subject, bench->match.match, JOB_SECONDS, &fault);
    if (!queue) fail(fault.text);
    int64_t told = 0;
    while (!atomic_load(&bench->stop)) {
        const int64_t now = clock_ms();
        int idle = 0;
        for (int i = 0; i < executor->count; i++) {
            struct invented *worker = &workers[i];
            if (!worker->busy) idle++;
            if (now - told > 3000) ask(bench, jetstream, worker, &frame, MESSAGES_STAYS, 2000);
            if (now - told > 3000 && worker->busy && !worker->silent) letter_keep(&worker->job);
        }
        if (now - told > 3000) told = now;
        int got = idle ? queue_fetch(queue, letters, idle, 20) : 0;
        if (got < 0) fail("the queue is gone");
        if (!idle) usleep(20000);
        for (int i = 0; i < executor->count; i++) {
            struct invented *worker = &workers[i];
            if (!worker->busy && got) {
                worker->job = letters[--got];
                worker->at = 0;
                worker->count =
                    (uint32_t)((worker->job.length - MESSAGES_JOB_HEAD) / sizeof(uint32_t));
                worker->busy = true;
                worker->silent = bench->silent && rand() % bench->silent == 0;
                worker->due = now + (worker->count < 1000u / (unsigned)bench->pair_ms
                                         ? (int64_t)worker->count * bench->pair_ms
                                         : 1000);
            }
            if (!worker->busy || worker->silent || now < worker->due) continue;
            send_games(bench, jetstream, worker, &frame, &scratch);
            worker->due += 1000;
            if (worker->at < worker->count) continue;
            letter_done(&worker->job);
            worker->busy = false;
        }
    }
    queue_close(queue);
    jetstream_close(jetstream);
    return NULL;
}

static pid_t start_server(const struct bench *bench) {
    char port[16], store[sizeof bench->folder + 8];
    pid_t process = fork();
    if (process) return process;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    snprintf(port, sizeof port, "%d", PORT);
    snprintf(store, sizeof store, "%.60s/nats", bench->folder);
    if (!freopen("/dev/null", "w", stderr)) _exit(EXIT_FAILURE);
    execl("/usr/sbin/nats-server", "nats-server", "-js", "-a", "127.0.0.1", "-p", port, "-sd",
          store, (char *)NULL);
    execlp("nats-server", "nats-server", "-js", "-a", "127.0.0.1", "-p", port, "-sd", store,
           (char *)NULL);
    _exit(127);
}

static int remove_file(const char *path, const struct stat *info, int type, struct FTW *where) {
    (void)info, (void)type, (void)where;
    return remove(path);
}

static struct bench *read_options(int argc, char **argv) {
    static const struct option longs[] = {{"workers", required_argument, NULL, 'w'},
                                          {"pairs", required_argument, NULL, 'p'},
                                          {"pair-ms", required_argument, NULL, 'm'},
                                          {"silent", required_argument, NULL, 's'},
                                          {"twice", required_argument, NULL, 't'},
                                          {"store", required_argument, NULL, 'o'},
                                          {NULL, 0, NULL, 0}};
    static struct bench bench = {
        .workers = 1000, .pairs = 10000, .pair_ms = 400, .silent = 50, .twice = 100, .store = 1};
    bool given[128] = {false};
    for (int letter; (letter = getopt_long(argc, argv, "", longs, NULL)) != -1;) {
        if (given[letter]) fail("an option is given twice");
        given[letter] = true;
        const int value = optarg ? atoi(optarg) : 0;
        if (letter == 'w') bench.workers = value;
        if (letter == 'p') bench.pairs = (uint32_t)value;
        if (letter == 'm') bench.pair_ms = value;
        if (letter == 's') bench.silent = value;
        if (letter == 't') bench.twice = value;
        if (letter == 'o') bench.store = value;
        if (letter == '?') exit(EXIT_FAILURE);
    }
    if (bench.workers < CARRIERS || bench.workers > WORKERS_MAX || bench.pair_ms < 1)
        fail("--workers 8 to 4096, --pair-ms from 1");
    return &bench;
}

int main(int argc, char **argv) {
    zygote_open(argc, argv);
    struct bench *bench = read_options(argc, argv);
    struct executor_of executors[CARRIERS];
    struct fault fault = {0};
    int status = 0;
    const char *under = getenv("TMPDIR");
    snprintf(bench->folder, sizeof bench->folder, "%.40s/ensign-bench-XXXXXX",
             under ? under : "/tmp");
    if (!mkdtemp(bench->folder)) fail("no folder");
    snprintf(bench->url, sizeof bench->url, "nats://127.0.0.1:%d", PORT);
    pthread_mutex_init(&bench->lock, NULL);
    bench->games = calloc(bench->pairs, sizeof *bench->games);
    if (!bench->games) fail("no memory");
    const pid_t server = start_server(bench);
    struct jetstream *jetstream = NULL; /* waits for the server */
    for (int i = 0; i < 100 && !jetstream; i++) {
        pid_t looker = fork();
        if (!looker) {
            struct jetstream *tried = jetstream_open(
                &(struct jetstream_options){.url = bench->url, .part = "bench"}, &fault);
            _exit(tried ? 0 : 1);
        }
        waitpid(looker, &status, 0);
        if (!status) break;
        usleep(100000);
    }
    int begins[2];
    if (pipe(begins)) fail("no pipe");
    const pid_t coordinator = fork();
    if (!coordinator) {
        char go;
        zygote_open(0, NULL); /* the other one is the workers' */
        if (read(begins[0], &go, 1) != 1) _exit(EXIT_FAILURE);
        coordinate(bench);
    }
    load(bench);
    bench->options.template = NULL; /* bots that are trusted play the same games, faster */
    pthread_t hands[2];
    for (int i = 0; i < 2; i++)
        if (pthread_create(&hands[i], NULL, prepare, bench)) fail("no thread");
    for (int i = 0; i < 2; i++) pthread_join(hands[i], NULL);
    struct jetstream *listener =
        jetstream_open(&(struct jetstream_options){.url = bench->url, .part = "bench"}, &fault);
    if (!listener || !jetstream_listen(listener, "ensign.open.*", hear_open, bench, &fault))
        fail(fault.text);
    if (write(begins[1], "", 1) != 1) fail("no coordinator");
    while (!is_announced(bench)) usleep(10000);
    jetstream_close(listener);
    for (int i = 0; i < CARRIERS; i++) {
        executors[i] = (struct executor_of){.bench = bench,
                                            .first = bench->workers * i / CARRIERS,
                                            .count = bench->workers * (i + 1) / CARRIERS -
                                                     bench->workers * i / CARRIERS};
        if (pthread_create(&executors[i].thread, NULL, speak, &executors[i])) fail("no thread");
    }
    waitpid(coordinator, &status, 0);
    atomic_store(&bench->stop, true);
    for (int i = 0; i < CARRIERS; i++) pthread_join(executors[i].thread, NULL);
    printf("%d workers: %llu messages of games, %.0f bytes a game\n", bench->workers,
           (unsigned long long)atomic_load(&bench->messages),
           (double)atomic_load(&bench->bytes) / (2.0 * bench->pairs));
    kill(server, SIGKILL);
    waitpid(server, NULL, 0);
    template_close(bench->template);
    nftw(bench->folder, remove_file, 8, FTW_DEPTH | FTW_PHYS);
    return status ? EXIT_FAILURE : EXIT_SUCCESS;
}
