/* The allowed dependencies, read from the #include lines: cli -> serve -> host -> variant and
 * bot -> lua -> core -> base; and the reference, which knows the core's data and is known to tests
 * only. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum floor { BASE, CORE, REFERENCE, LUA, VARIANT, BOT, HOST, SERVE, CLI, FLOORS };

static const char *const FLOOR[FLOORS] = {"base", "core", "reference", "lua", "variant",
                                          "bot",  "host", "serve",     "cli"};

/* The folder of each. */
static const char *const FOLDER[FLOORS] = {"src/base", "src/core",    "tests/reference",
                                           "src/lua",  "src/variant", "src/bot",
                                           "src/host", "src/serve",   "src/cli"};

/* The floors that each may include beside itself. */
static const unsigned KNOWS[FLOORS] = {
    [CORE] = 1 << BASE,
    [REFERENCE] = 1 << BASE | 1 << CORE,
    [LUA] = 1 << BASE | 1 << CORE,
    [VARIANT] = 1 << BASE | 1 << CORE | 1 << LUA,
    [BOT] = 1 << BASE | 1 << CORE | 1 << LUA,
    [HOST] = 1 << BASE | 1 << CORE | 1 << LUA | 1 << VARIANT | 1 << BOT,
    [SERVE] = 1 << BASE | 1 << CORE | 1 << LUA | 1 << VARIANT | 1 << BOT | 1 << HOST,
    [CLI] = 1 << BASE | 1 << CORE | 1 << LUA | 1 << VARIANT | 1 << BOT | 1 << HOST | 1 << SERVE,
};

/* Library and system headers that the core must not include. */
static const char *const NOT_IN_CORE[] = {"lua.h",    "lauxlib.h", "lualib.h", "time.h",
                                          "unistd.h", "pthread.h", "jansson.h"};

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

/* All files of a folder of the floor and of the folders in it. */
static int check_folder(enum floor floor, const char *folder) {
    char path[1024], line[1024];
    int files = 0;
    DIR *open = opendir(folder);
    assert_non_null(open);
    for (struct dirent *entry; (entry = readdir(open));) {
        struct stat about;
        const char *dot = strrchr(entry->d_name, '.');
        snprintf(path, sizeof path, "%.700s/%s", folder, entry->d_name);
        if (entry->d_name[0] == '.' || stat(path, &about) != 0) continue;
        if (S_ISDIR(about.st_mode)) files += check_folder(floor, path);
        if (!dot || (strcmp(dot, ".c") != 0 && strcmp(dot, ".h") != 0)) continue;
        FILE *file = fopen(path, "r");
        assert_non_null(file);
        while (fgets(line, sizeof line, file)) check_include(floor, entry->d_name, line);
        fclose(file);
        files++;
    }
    closedir(open);
    return files;
}

static int check_floor(enum floor floor) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", ENSIGN_ROOT, FOLDER[floor]);
    return check_folder(floor, path);
}

static void no_floor_includes_one_that_it_may_not_know(void **state) {
    (void)state;
    for (int floor = BASE; floor < FLOORS; floor++) assert_true(check_floor((enum floor)floor) > 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_floor_includes_one_that_it_may_not_know)};
    return cmocka_run_group_tests_name("core/layers", tests, NULL, NULL);
}
