/* The allowed dependencies, read from the #include lines.
 *
 * Between floors: cli -> serve -> host -> jail -> variant and bot -> lua -> core -> base; cli ->
 * lib
 * -> jail; and the reference, which knows the core's data and is known to tests only. Inside a
 * floor no two rooms include each other, straight or round a corner. A room is a folder of a floor,
 * or a module that lies in the floor itself: its .c and .h files of one name. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum floor { BASE, CORE, REFERENCE, LUA, VARIANT, BOT, JAIL, LIB, HOST, SERVE, CLI, FLOORS };

static const char *const FLOOR[FLOORS] = {"base", "core", "reference", "lua",   "variant", "bot",
                                          "jail", "lib",  "host",      "serve", "cli"};

/* The folder of each. */
static const char *const FOLDER[FLOORS] = {"src/base",    "src/core",  "tests/reference", "src/lua",
                                           "src/variant", "src/bot",   "src/jail",        "src/lib",
                                           "src/host",    "src/serve", "src/cli"};

/* The floors that each may include beside itself. */
enum {
    BELOW_SCRIPTS = 1 << BASE | 1 << CORE | 1 << LUA,
    BELOW_HOST = BELOW_SCRIPTS | 1 << VARIANT | 1 << BOT | 1 << JAIL
};

static const unsigned KNOWS[FLOORS] = {
    [CORE] = 1 << BASE,
    [REFERENCE] = 1 << BASE | 1 << CORE,
    [LUA] = 1 << BASE | 1 << CORE,
    [VARIANT] = BELOW_SCRIPTS,
    [BOT] = BELOW_SCRIPTS,
    [JAIL] = BELOW_SCRIPTS | 1 << VARIANT | 1 << BOT,
    [LIB] = BELOW_HOST,
    [HOST] = BELOW_HOST,
    [SERVE] = BELOW_HOST | 1 << HOST,
    [CLI] = BELOW_HOST | 1 << LIB | 1 << HOST | 1 << SERVE,
};

/* Library and system headers that the core must not include. */
static const char *const NOT_IN_CORE[] = {"lua.h",    "lauxlib.h", "lualib.h", "time.h",
                                          "unistd.h", "pthread.h", "jansson.h"};

enum { ROOMS_MAX = 128, NAME_SIZE = 64 };

/* The rooms of one floor, and which of them includes which. */
struct house {
    char name[ROOMS_MAX][NAME_SIZE];
    bool includes[ROOMS_MAX][ROOMS_MAX];
    int count;
};

/* The room of a path below the floor's folder: up to its first '/' or '.'. */
static int room_of(struct house *house, const char *path) {
    char name[NAME_SIZE];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(path, "/."), path);
    int room = 0;
    while (room < house->count && strcmp(house->name[room], name) != 0) room++;
    assert_true(room < ROOMS_MAX);
    if (room == house->count) strcpy(house->name[house->count++], name);
    return room;
}

/* An include names a file beside the including one, or starts with its floor. */
static void note_include(struct house *house, enum floor floor, const char *path,
                         const char *included) {
    const size_t length = strlen(FLOOR[floor]);
    const int from = room_of(house, path);
    if (!strchr(included, '/')) {
        if (!strchr(path, '/')) house->includes[from][room_of(house, included)] = true;
    } else if (!strncmp(included, FLOOR[floor], length) && included[length] == '/') {
        house->includes[from][room_of(house, included + length + 1)] = true;
    }
}

/* Afterwards `includes` also says what is included round a corner. */
static void follow_includes(struct house *house) {
    for (int by = 0; by < house->count; by++)
        for (int from = 0; from < house->count; from++)
            for (int to = 0; to < house->count; to++)
                house->includes[from][to] |= house->includes[from][by] && house->includes[by][to];
}

static int compare_names(const void *left, const void *right) {
    return strcmp(left, right);
}

/* The knots of a floor: each a set of rooms in the order of the alphabet, and a line. */
static void write_knots(struct house *house, char *out, size_t size) {
    bool seen[ROOMS_MAX] = {false};
    char lines[ROOMS_MAX][1024];
    size_t count = 0;
    follow_includes(house);
    for (int room = 0; room < house->count; room++) {
        char names[ROOMS_MAX][NAME_SIZE];
        size_t held = 0, at = 0;
        for (int other = room; other < house->count; other++) {
            if (seen[other] ||
                (other != room && !(house->includes[room][other] && house->includes[other][room])))
                continue;
            seen[other] = true;
            strcpy(names[held++], house->name[other]);
        }
        if (held < 2) continue;
        qsort(names, held, NAME_SIZE, compare_names);
        for (size_t i = 0; i < held; i++)
            at += (size_t)snprintf(lines[count] + at, sizeof *lines - at, "%s%s", i ? " " : "",
                                   names[i]);
        count++;
    }
    qsort(lines, count, sizeof *lines, compare_names);
    *out = 0;
    for (size_t i = 0, at = 0; i < count; i++)
        at += (size_t)snprintf(out + at, size - at, "%s\n", lines[i]);
}

static void check_include(enum floor floor, const char *file, const char *line) {
    char name[256];
    if (sscanf(line, " # include \"%255[^\"]\"", name) == 1) {
        const char *slash = strchr(name, '/');
        if (!slash) return;
        for (int other = BASE; other < FLOORS; other++) {
            if (other == (int)floor || KNOWS[floor] >> other & 1) continue;
            if (strncmp(name, FLOOR[other], strlen(FLOOR[other])) == 0 &&
                name[strlen(FLOOR[other])] == '/')
                fail_msg("%s/%s includes %s", FLOOR[floor], file, name);
        }
        if (strstr(name, "..")) fail_msg("%s/%s includes %s", FLOOR[floor], file, name);
    } else if (floor == CORE && sscanf(line, " # include <%255[^>]>", name) == 1) {
        for (size_t i = 0; i < sizeof NOT_IN_CORE / sizeof *NOT_IN_CORE; i++)
            if (strcmp(name, NOT_IN_CORE[i]) == 0) fail_msg("core/%s includes %s", file, name);
    }
}

/* All files of a folder of the floor and of the folders in it; `below` is its path below the
 * floor's, with a final '/', or "". */
static int check_folder(enum floor floor, const char *folder, const char *below,
                        struct house *house) {
    char path[1024], within[512], line[1024], name[256];
    int files = 0;
    DIR *open = opendir(folder);
    assert_non_null(open);
    for (struct dirent *entry; (entry = readdir(open));) {
        struct stat about;
        const char *dot = strrchr(entry->d_name, '.');
        snprintf(path, sizeof path, "%.700s/%s", folder, entry->d_name);
        if (entry->d_name[0] == '.' || stat(path, &about) != 0) continue;
        snprintf(within, sizeof within, "%.200s%.200s%s", below, entry->d_name,
                 S_ISDIR(about.st_mode) ? "/" : "");
        if (S_ISDIR(about.st_mode)) files += check_folder(floor, path, within, house);
        if (!dot || (strcmp(dot, ".c") != 0 && strcmp(dot, ".h") != 0)) continue;
        FILE *file = fopen(path, "r");
        assert_non_null(file);
        while (fgets(line, sizeof line, file)) {
            check_include(floor, entry->d_name, line);
            if (sscanf(line, " # include \"%255[^\"]\"", name) == 1)
                note_include(house, floor, within, name);
        }
        fclose(file);
        files++;
    }
    closedir(open);
    return files;
}

static int check_floor(enum floor floor, struct house *house) {
    char path[1024];
    *house = (struct house){.count = 0};
    snprintf(path, sizeof path, "%s/%s", ENSIGN_ROOT, FOLDER[floor]);
    return check_folder(floor, path, "", house);
}

static void no_floor_includes_one_that_it_may_not_know(void **state) {
    (void)state;
    static struct house house;
    for (int floor = BASE; floor < FLOORS; floor++)
        assert_true(check_floor((enum floor)floor, &house) > 1);
}

static void no_two_rooms_of_a_floor_include_each_other(void **state) {
    (void)state;
    static struct house house;
    char knots[4096];
    for (int floor = BASE; floor < FLOORS; floor++) {
        if (floor == REFERENCE) continue; /* one room */
        check_floor((enum floor)floor, &house);
        write_knots(&house, knots, sizeof knots);
        assert_string_equal(knots, "");
    }
}

static void a_knot_round_a_corner_is_found(void **state) {
    (void)state;
    static struct house house;
    char knots[256];
    house.count = 0;
    note_include(&house, HOST, "zoo/a.c", "host/farm.h");
    note_include(&house, HOST, "farm.c", "host/yard/b.h");
    note_include(&house, HOST, "yard/b.h", "host/zoo/a.h");
    note_include(&house, HOST, "yard/b.h", "b_inside.h"); /* beside it */
    note_include(&house, HOST, "farm.c", "lone.h");
    note_include(&house, HOST, "farm.c", "core/zoo/a.h"); /* of another floor */
    write_knots(&house, knots, sizeof knots);
    assert_string_equal(knots, "farm yard zoo\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(no_floor_includes_one_that_it_may_not_know),
                                       cmocka_unit_test(no_two_rooms_of_a_floor_include_each_other),
                                       cmocka_unit_test(a_knot_round_a_corner_is_found)};
    return cmocka_run_group_tests_name("core/layers", tests, NULL, NULL);
}
