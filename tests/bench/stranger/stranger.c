/* stranger.c - an opponent of another kind (tests/bench/learning.md, "A stranger").
 *
 *     ensign match "ucc:build/release/tests/bench/bench_stranger 20" admiral -v milton-bradley
 *
 * The arguments are milliseconds of processor time for a move (20 unless given, 1 to 5000) and a
 * file of set-ups in the letters of original: lines that end in a set-up with its rows joined by
 * "/", and may begin with how often it was seen. Without a file, the set-ups are those of the
 * library that have the army.
 *
 * A relative path is looked up in the program's folder, where `match` runs it.
 *
 * It shares nothing with Ensign but the protocol of the contest of 2012 (bots/programs/README.md).
 * It searches one board, where what is hidden counts by its chances. It draws its set-up by the
 * time of day and stops by the clock, so its games do not repeat. */
#include "belief.h"
#include "search.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SETUPS = 60000, LINE = 512 };

static uint8_t setup[SETUPS][ARMY];
static int setups;
static double seen[ARMY][RANKS];

/* The rank of a letter of original. */
static int rank_of_letter(char letter) {
    static const char letters[] = "?S23456789MBF";
    const char *at = letter ? strchr(letters, letter) : NULL;
    return at ? (int)(at - letters) : RANK_HIDDEN;
}

/* Keeps a set-up of 40 letters, the front row first, if it has the army. */
static void setup_keep(const char *letters, double times) {
    int count[RANKS] = {0};
    if (setups == SETUPS) return;
    for (int i = 0; i < ARMY; i++) {
        setup[setups][i] = (uint8_t)rank_of_letter(letters[i]);
        count[setup[setups][i]]++;
    }
    if (memcmp(count, RANK_COUNT, sizeof count) != 0) return;
    for (int i = 0; i < ARMY; i++) {
        const int mirrored = i / 10 * 10 + 9 - i % 10;
        seen[i][setup[setups][i]] += times;
        seen[mirrored][setup[setups][i]] += times;
    }
    setups++;
}

/* A file has rows of ten, four to a set-up, or lines "TIMES ROW/ROW/ROW/ROW". */
static void setups_read(const char *path) {
    FILE *file = fopen(path, "r");
    char line[LINE], letters[ARMY];
    int count = 0;
    if (!file) {
        fprintf(stderr, "bench_stranger: cannot open %s\n", path);
        exit(2);
    }
    while (fgets(line, sizeof line, file)) {
        const char *at = strrchr(line, ' ');
        if (line[0] == '#') continue;
        const double times = at ? sqrt(strtod(line, NULL)) : 1;
        for (at = at ? at : line; *at; at++)
            if (count < ARMY && rank_of_letter(*at) != RANK_HIDDEN) letters[count++] = *at;
        if (count < ARMY) continue;
        setup_keep(letters, times);
        count = 0;
    }
    fclose(file);
}

static void setups_of_library(void) {
    static const char folder[] = ENSIGN_ROOT "/variants/setups";
    DIR *list = opendir(folder);
    if (!list) return;
    for (const struct dirent *entry; (entry = readdir(list));) {
        char path[sizeof folder + 260];
        if (!strstr(entry->d_name, ".txt")) continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        setups_read(path);
    }
    closedir(list);
}

/* A set-up, or its mirror image, by the time of day. */
static void setup_draw(uint8_t ours[ARMY]) {
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    const uint64_t number =
        ((uint64_t)time.tv_sec * 1000000007u + (uint64_t)time.tv_nsec) * 0x9e3779b97f4a7c15u >> 20;
    const uint8_t *chosen = setup[number / 2 % (uint64_t)setups];
    for (int i = 0; i < ARMY; i++) ours[i] = chosen[number & 1 ? i / 10 * 10 + 9 - i % 10 : i];
}

/* The four rows of our zone from the top, each from the left. */
static void setup_tell(const struct table *table, bool red) {
    for (int y = 0; y < 4; y++) {
        for (int x = 0; x < 10; x++) {
            const int number = table->at[FIRST + (red ? y : 6 + y) * ROW + x];
            putchar(label_of_rank(table->piece[number].rank));
        }
        putchar('\n');
    }
    fflush(stdout);
}

static int step_of(const char *way) {
    if (!strcmp(way, "UP")) return -ROW;
    if (!strcmp(way, "DOWN")) return ROW;
    return !strcmp(way, "LEFT") ? -1 : 1;
}

/* "X Y WAY [N] OUTCOME [A D]"; false if the line is no report of a move. */
static bool follow(struct table *table, const char *line) {
    int x, y, squares = 1, read = 0, more = 0;
    char way[16], outcome[16] = "", attacker = 0, defender = 0;
    if (sscanf(line, "%d %d %15s%n", &x, &y, way, &read) != 3) return false;
    if (sscanf(line + read, " %d%n", &squares, &more) != 1) squares = 1, more = 0;
    sscanf(line + read + more, " %15s %c %c", outcome, &attacker, &defender);
    if (x < 0 || x > 9 || y < 0 || y > 9 || squares < 1 || squares > 9) return true;
    const int from = FIRST + y * ROW + x, to = from + squares * step_of(way);
    if (to < FIRST || to > LAST) return true;
    table_follow(table, from, to, outcome, rank_of_label(attacker), rank_of_label(defender));
    return true;
}

static void answer(struct table *table, const struct places *places, double ms) {
    static struct belief belief;
    belief_make(&belief, table, places);
    const struct choice choice = search_choose(table, &belief, ms);
    const int from = choice.from - FIRST, by = choice.to - choice.from;
    if (choice.from == 0) {
        puts("SURRENDER");
    } else {
        const bool along = by % ROW == 0; /* a file */
        const int squares = along ? abs(by) / ROW : abs(by);
        printf("%d %d %s", from % ROW, from / ROW,
               along ? (by < 0 ? "UP" : "DOWN") : (by < 0 ? "LEFT" : "RIGHT"));
        if (squares > 1) printf(" %d", squares);
        putchar('\n');
    }
    fflush(stdout);
}

int main(int count, char **argument) {
    static struct table table;
    static struct places places;
    char line[LINE];
    uint8_t ours[ARMY];
    const double ms = count > 1 ? strtod(argument[1], NULL) : 20;
    if (count > 3 || !(ms >= 1 && ms <= 5000)) {
        fputs("usage: bench_stranger [MS [SETUPS]]; MS is 1 to 5000\n", stderr);
        return 2;
    }
    if (count > 2)
        setups_read(argument[2]);
    else
        setups_of_library();
    if (setups == 0) {
        fputs("bench_stranger: no set-up with the army of 40\n", stderr);
        return 2;
    }
    places_make(&places, seen);
    if (!fgets(line, sizeof line, stdin)) return 0;
    const bool red = !strncmp(line, "RED", 3);
    setup_draw(ours);
    table_start(&table, ours, red);
    setup_tell(&table, red);
    for (int rows = 0; fgets(line, sizeof line, stdin);) {
        if (!strncmp(line, "QUIT", 4)) break;
        if (follow(&table, line) || strchr(line, ' ') || strlen(line) < 11) continue;
        if (++rows % 10 == 0) answer(&table, &places, ms); /* a whole board was read */
    }
    return 0;
}
