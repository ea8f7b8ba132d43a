/* seat.c - turns a second of a trivial program through the seat protocol.
 *
 * The program (tests/host/programs/first_move.c) takes the first of the moves it is sent; its
 * opponent is random, in this process. A turn is everything from the question to the next one:
 * messages, JSON, pipes, both moves. The yardstick is a bare exchange of two bytes with `cat`
 * through the same module of processes. Both are measured in turn, five times over. To compare
 * figures, run it on one core: taskset -c 0. */
#include "base/clock.h"
#include "host/program/player_json.h"
#include "host/program/process.h"
#include "host/referee.h"
#include "variant/variant.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SECONDS_MAX = 3600, ROUNDS = 5, PLIES = 2000, DEADLINE = 10000 };

static const char *const usual[] = {"original", "duel", "infiltrator", "galaxy", NULL};

/* Something done again and again. */
struct tally {
    uint64_t times;
    int64_t ns;
};

static double tally_rate(struct tally tally) {
    return tally.ns ? 1e9 * (double)tally.times / (double)tally.ns : 0;
}

static bool move_at_random(void *self, const struct view *view, const struct move *moves,
                           size_t count, struct answer *answer, struct fault *fault) {
    (void)view, (void)fault;
    *answer = (struct answer){.move = moves[random_below(self, (uint32_t)count)]};
    return true;
}

/* Plays one game of the program against a random opponent. */
static bool measure_game(const struct folders *folders, const struct rules *rules,
                         struct random *random, struct tally *turns, struct fault *fault) {
    static const struct chance chance = {{1}};
    const struct json_options options = {
        .rules = rules, .folders = folders, .chance = &chance, .program.deadline = DEADLINE};
    struct player program = {0}, opponent = {.name = "random", .self = random};
    struct player *const players[2] = {&program, &opponent};
    struct setup setup;
    struct referee_report report;
    const struct referee_options game = {.setups = {NULL, &setup},
                                         .limits = &(struct limits){.plies = PLIES}};
    opponent.move = move_at_random;
    if (!setup_random(rules, RED, random, &setup, fault) ||
        !player_json(&program, ENSIGN_FIRST_MOVE, &options, fault))
        return false;
    const int64_t start = clock_ns();
    bool played = referee_play(rules, players, &game, NULL, &report, fault);
    turns->ns += clock_ns() - start;
    program.close(program.self);
    if (!played) return false;
    turns->times += report.plies / 2;
    *fault = report.forfeit;
    return fault->status == STATUS_OK;
}

static bool measure_exchanges(int64_t ns, struct tally *exchanges, struct fault *fault) {
    char *const words[] = {"cat", NULL};
    char line[16];
    struct process *process = process_start("/bin/cat", "/", words, NULL, fault);
    bool answered = process != NULL;
    const int64_t start = clock_ns();
    int64_t spent = 0;
    for (; answered && spent < ns; spent = clock_ns() - start) {
        process_send(process, "x\n", 2);
        answered = process_line(process, line, sizeof line, DEADLINE) == PROCESS_LINE;
        exchanges->times++;
    }
    exchanges->ns += spent;
    char status[PROCESS_STATUS_MAX];
    process_stop(process, 0, status);
    return answered ||
           (fault->status != STATUS_OK ? false : fault_set(fault, STATUS_CRASH, "cat ended"));
}

static bool measure_variant(const struct folders *folders, const char *name, double seconds,
                            struct fault *fault) {
    const int64_t share = (int64_t)(seconds * 1e9 / ROUNDS);
    struct random random = random_stream(1, STREAM_PLAYOUT, 0);
    struct tally turns = {0}, exchanges = {0};
    struct rules *rules = variant_load(folders, name, fault);
    bool done = rules != NULL;
    for (int round = 1; done && round <= ROUNDS; round++) {
        done = measure_exchanges(share, &exchanges, fault);
        do done = done && measure_game(folders, rules, &random, &turns, fault);
        while (done && turns.ns < round * share);
    }
    if (done)
        printf("%-16s %8.0f turns/s, %6.1f us; a bare exchange %6.1f us; x %.2f\n", name,
               tally_rate(turns), 1e6 / tally_rate(turns), 1e6 / tally_rate(exchanges),
               tally_rate(exchanges) / tally_rate(turns));
    rules_free(rules);
    return done;
}

int main(int argc, char **argv) {
    const char *const *variants = argc > 2 ? (const char *const *)argv + 2 : usual;
    struct folders folders;
    struct fault fault = {0};
    char *end = NULL;
    double seconds = argc > 1 ? strtod(argv[1], &end) : 1;
    if ((end && (end == argv[1] || *end)) || !(seconds > 0 && seconds <= SECONDS_MAX)) {
        fprintf(stderr,
                "usage: bench_seat [SECONDS [VARIANT...]]\n"
                "SECONDS is the time for each figure, above 0 and up to %d (1).\n",
                SECONDS_MAX);
        return 2;
    }
    bool done = folders_find(&folders, &fault);
    for (; done && *variants; variants++)
        done = measure_variant(&folders, *variants, seconds, &fault);
    if (done) return 0;
    char line[FAULT_FILE_MAX + FAULT_TEXT_MAX + 32];
    fault_format(&fault, line, sizeof line);
    fprintf(stderr, "bench_seat: %s\n", line);
    return 1;
}
