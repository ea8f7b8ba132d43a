#include "real_match.h"

#include "base/random.h"
#include "games/length.h"
#include "program.h"

#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

enum { SAMPLE = 200, LINE_BYTES = 256, SEED = 20 };

int real_match_pairs(void) {
    return at_length() ? REAL_MATCH_PAIRS : REAL_MATCH_FEW;
}

/* Draws that many set-ups uniformly, one a line: reservoir sampling (algorithm R). */
static bool draw_sample(const char *path, char sample[SAMPLE][LINE_BYTES]) {
    FILE *in = fopen(path, "r");
    if (!in) return false;
    struct random random = random_stream(SEED, STREAM_PLAYOUT, 0);
    char line[LINE_BYTES];
    for (uint32_t seen = 0; fgets(line, sizeof line, in);) {
        if (line[0] == '#' || line[0] == '\n') continue;
        uint32_t place = seen < SAMPLE ? seen : random_below(&random, seen + 1);
        if (place < SAMPLE) strcpy(sample[place], line);
        seen++;
    }
    fclose(in);
    return true;
}

/* `path` holds 64 bytes. */
static void write_sample(char *path) {
    static char sample[SAMPLE][LINE_BYTES], text[SAMPLE * LINE_BYTES];
    char source[1024];
    const char *shared = getenv("ENSIGN_SHARED");
    snprintf(source, sizeof source, "%s/data/setups/original.txt",
             shared ? shared : ENSIGN_ROOT "/../shared");
    if (!draw_sample(source, sample)) skip();
    text[0] = 0;
    size_t used = 0;
    for (int i = 0; i < SAMPLE; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s", sample[i]);
    program_file(path, ".txt", text, used);
}

char *real_match_play(const char *folder, int pairs) {
    char setups[64], games[16];
    write_sample(setups);
    snprintf(games, sizeof games, "%d", 2 * pairs);
    const char *const begin[] = {"match",  "raider",   "rookie", "-n",       games,
                                 "--seed", "4",        "-j",     "2",        "-o",
                                 folder,   "--setups", setups,   "--events", NULL};
    const char *const go_on[] = {"match", "--resume", "-o", folder, "-j", "3", "--events", NULL};
    struct program_run run = program_signal(begin, pairs / 2, SIGKILL);
    assert_int_equal(run.exit_code, 128 + SIGKILL);
    program_clear(&run);
    run = program_signal(go_on, pairs, SIGKILL);
    assert_int_equal(run.exit_code, 128 + SIGKILL);
    program_clear(&run);
    run = PROGRAM("match", "--resume", "-o", folder, "-j", "2", "--json");
    unlink(setups);
    if (run.exit_code != 0) fail_msg("exit code %d: %s", run.exit_code, run.err);
    assert_string_equal(run.err, "");
    free(run.err);
    return run.out;
}
