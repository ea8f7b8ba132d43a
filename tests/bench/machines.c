/* machines.c - what a coordinator spends on a game, with a thousand invented workers at a real NATS
 * server.
 *
 * The coordinator is the real one, in a process of its own, with a store. The workers take jobs and
 * send games at their pace, but play none: each pair has the games of the match's first pair, under
 * its own number. Some fall silent with a job in hand, some send everything twice. */
#define _GNU_SOURCE
#include "base/clock.h"
#include "host/machines/coordinator.h"
#include "host/match/store.h"
#include "host/seed.h"
#include "host/wall/loader.h"
#include "host/wall/player_child.h"

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
    char folder[64], url[64], match[SLIP_MATCH_MAX];
    struct folders folders;
    struct rules *rules;
    struct nursery *nursery;
    struct tournament_options options;
    struct tournament *tournament;
    struct finished *games[2]; /* of the first pair */
    atomic_bool stop;
    atomic_ullong messages, bytes;
};

static void fail(const char *what) {
    fprintf(stderr, "bench_machines: %s\n", what);
    exit(EXIT_FAILURE);
}

/* An invented worker. */
struct invented {
    char name[SLIP_WORKER_MAX];
    bool busy, silent;
    struct letter job;
    uint32_t at, count;
    int64_t due; /* when the next packet of games goes off */
};

/* A thread that speaks for some of them. */
struct carrier_of {
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
    bench->nursery = player_nursery(&bots, &fault);
    if (!bench->nursery) fail(fault.text);
    bench->options.nursery = bench->nursery;
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
    const struct coordinator_options options = {.server = {.url = bench->url, .name = "bench"},
                                                .variant = "duel",
                                                .version = VERSION,
                                                .report = report};
    bench->options.sources = sources_open(&READER_DISK);
    struct coordinator *coordinator = coordinator_open(&options, &fault);
    if (!coordinator) fail(fault.text);
    bench->options.carrier = coordinator_carrier(coordinator, bench->match);
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

static void greet(struct frame *frame, const char *name) {
    struct slip_greeting greeting = {.programs = false};
    strcpy(greeting.version, VERSION);
    snprintf(greeting.worker, sizeof greeting.worker, "%s", name);
    slip_put_greeting(frame, &greeting);
}

/* The first pair's games under another number. */
static void put_pair(const struct bench *bench, struct frame *frame, struct frame *scratch,
                     uint32_t pair) {
    struct finished copies[2] = {*bench->games[0], *bench->games[1]};
    struct finished *const games[2] = {&copies[0], &copies[1]};
    for (int i = 0; i < 2; i++) copies[i].game.seed = pair;
    frame_clear(scratch);
    games_put(scratch, pair ? games : bench->games);
    frame_put_number(frame, pair);
    frame_put_number(frame, (uint32_t)bench->pair_ms);
    frame_put_number(frame, (uint32_t)scratch->length);
    frame_put(frame, scratch->bytes + WIRE_HEADER, scratch->length);
}

static void admit(struct bench *bench, struct telegraph *telegraph, const char *name,
                  struct frame *frame) {
    char subject[96];
    size_t length;
    snprintf(subject, sizeof subject, "ensign.ask.%s", bench->match);
    frame_clear(frame);
    greet(frame, name);
    frame_put_number(frame, SLIP_SHOWS_KNOWN);
    games_put(frame, bench->games);
    void *answer = NULL;
    while (!answer)
        answer = telegraph_ask(telegraph, subject, frame->bytes + WIRE_HEADER, frame->length, 5000,
                               &length);
    uint32_t yes;
    memcpy(&yes, answer, sizeof yes);
    if (yes != 1) fail("a worker is not admitted");
    free(answer);
}

static void tell(struct bench *bench, struct telegraph *telegraph, const char *name) {
    char text[256], subject[96];
    snprintf(subject, sizeof subject, "ensign.worker.%s", name);
    snprintf(text, sizeof text,
             "{\"worker\":\"%s\",\"version\":\"%s\",\"threads\":1,\"pairs\":0,\"rate\":0,"
             "\"matches\":[\"%s\"]}",
             name, VERSION, bench->match);
    telegraph_say(telegraph, subject, text, strlen(text));
}

/* Sends what a worker has played within a second. */
static void send_games(struct bench *bench, struct telegraph *telegraph, struct invented *worker,
                       struct frame *frame, struct frame *scratch) {
    char subject[96];
    struct fault fault = {0};
    uint32_t count = (uint32_t)(1000 / bench->pair_ms + 1);
    snprintf(subject, sizeof subject, "ensign.results.%s", bench->match);
    frame_clear(frame);
    greet(frame, worker->name);
    for (; count && worker->at < worker->count; count--, worker->at++) {
        uint32_t pair;
        memcpy(&pair, (const char *)worker->job.bytes + worker->at * sizeof pair, sizeof pair);
        put_pair(bench, frame, scratch, pair);
    }
    const bool twice = bench->twice && rand() % bench->twice == 0;
    for (int i = 0; i <= twice && !atomic_load(&bench->stop); i++)
        while (!telegraph_post(telegraph, subject, frame->bytes + WIRE_HEADER, frame->length,
                               &fault) &&
               !atomic_load(&bench->stop)) {}
    atomic_fetch_add(&bench->messages, 1);
    atomic_fetch_add(&bench->bytes, frame->length);
}

static void *speak(void *context) {
    struct carrier_of *carrier = context;
    struct bench *bench = carrier->bench;
    struct fault fault = {0};
    struct invented *workers = calloc((size_t)carrier->count, sizeof *workers);
    struct letter *letters = calloc((size_t)carrier->count, sizeof *letters);
    struct frame frame, scratch;
    char subject[96];
    struct telegraph *telegraph =
        telegraph_open(&(struct telegraph_options){.url = bench->url, .name = "bench"}, &fault);
    if (!telegraph) fail(fault.text);
    if (!frame_open(&frame, SLIP_BYTES_MAX) || !frame_open(&scratch, SLIP_BYTES_MAX))
        fail("no memory");
    for (int i = 0; i < carrier->count; i++) {
        snprintf(workers[i].name, sizeof workers[i].name, "w%d", carrier->first + i);
        admit(bench, telegraph, workers[i].name, &frame);
    }
    snprintf(subject, sizeof subject, "ensign.jobs.%s", bench->match);
    struct queue *queue =
        queue_open(telegraph, STREAM_JOBS, subject, bench->match, JOB_SECONDS, &fault);
    if (!queue) fail(fault.text);
    int64_t told = 0;
    while (!atomic_load(&bench->stop)) {
        const int64_t now = clock_ms();
        int idle = 0;
        for (int i = 0; i < carrier->count; i++) {
            struct invented *worker = &workers[i];
            if (!worker->busy) idle++;
            if (now - told > 1000) tell(bench, telegraph, worker->name);
            if (now - told > 1000 && worker->busy && !worker->silent) letter_keep(&worker->job);
        }
        if (now - told > 1000) told = now;
        int got = idle ? queue_fetch(queue, letters, idle, 20) : 0;
        if (!idle) usleep(20000);
        for (int i = 0; i < carrier->count; i++) {
            struct invented *worker = &workers[i];
            if (!worker->busy && got) {
                worker->job = letters[--got];
                worker->at = 0;
                worker->count = (uint32_t)(worker->job.length / sizeof(uint32_t));
                worker->busy = true;
                worker->silent = bench->silent && rand() % bench->silent == 0;
                worker->due = now + (worker->count < 1000u / (unsigned)bench->pair_ms
                                         ? (int64_t)worker->count * bench->pair_ms
                                         : 1000);
            }
            if (!worker->busy || worker->silent || now < worker->due) continue;
            send_games(bench, telegraph, worker, &frame, &scratch);
            worker->due += 1000;
            if (worker->at < worker->count) continue;
            letter_done(&worker->job);
            worker->busy = false;
        }
    }
    queue_close(queue);
    telegraph_close(telegraph);
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
        .workers = 1000, .pairs = 50000, .pair_ms = 400, .silent = 50, .twice = 100, .store = 1};
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
    struct carrier_of carriers[CARRIERS];
    struct fault fault = {0};
    int status = 0;
    const char *under = getenv("TMPDIR");
    snprintf(bench->folder, sizeof bench->folder, "%.40s/ensign-bench-XXXXXX",
             under ? under : "/tmp");
    if (!mkdtemp(bench->folder)) fail("no folder");
    snprintf(bench->url, sizeof bench->url, "nats://127.0.0.1:%d", PORT);
    if (!slip_draw_id(bench->match, &fault)) fail(fault.text);
    const pid_t server = start_server(bench);
    struct telegraph *telegraph = NULL; /* waits for the server */
    for (int i = 0; i < 100 && !telegraph; i++) {
        pid_t looker = fork();
        if (!looker) {
            struct telegraph *tried = telegraph_open(
                &(struct telegraph_options){.url = bench->url, .name = "bench"}, &fault);
            _exit(tried ? 0 : 1);
        }
        waitpid(looker, &status, 0);
        if (!status) break;
        usleep(100000);
    }
    const pid_t coordinator = fork();
    if (!coordinator) coordinate(bench);
    load(bench);
    struct pair pair = {.match = bench->tournament,
                        .options = &bench->options,
                        .nursery = bench->nursery,
                        .stop = &bench->stop};
    if (!pair_play_both(&pair, bench->games, &fault)) fail(fault.text);
    for (int i = 0; i < CARRIERS; i++) {
        carriers[i] = (struct carrier_of){.bench = bench,
                                          .first = bench->workers * i / CARRIERS,
                                          .count = bench->workers * (i + 1) / CARRIERS -
                                                   bench->workers * i / CARRIERS};
        if (pthread_create(&carriers[i].thread, NULL, speak, &carriers[i])) fail("no thread");
    }
    waitpid(coordinator, &status, 0);
    atomic_store(&bench->stop, true);
    for (int i = 0; i < CARRIERS; i++) pthread_join(carriers[i].thread, NULL);
    printf("%d workers: %llu messages of games, %.0f bytes a game\n", bench->workers,
           (unsigned long long)atomic_load(&bench->messages),
           (double)atomic_load(&bench->bytes) / (2.0 * bench->pairs));
    kill(server, SIGKILL);
    waitpid(server, NULL, 0);
    nursery_close(bench->nursery);
    nftw(bench->folder, remove_file, 8, FTW_DEPTH | FTW_PHYS);
    return status ? EXIT_FAILURE : EXIT_SUCCESS;
}
