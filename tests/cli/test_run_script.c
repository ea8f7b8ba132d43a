/* test_run_script.c - ./run: installs what is missing, keeps quiet, keeps the current folder.
 *
 * Scripts replace dpkg-query and apt-get, so that nothing is installed. */
#include "console.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/* Runs a shell command in the tests' own folder; returns its exit code and its output. */
static int shell(const char *command, char *out, size_t size) {
    char line[2048];
    snprintf(line, sizeof line, "cd '%s' && { %s; } 2>&1", console_folder(), command);
    FILE *pipe = popen(line, "r");
    assert_non_null(pipe);
    out[fread(out, 1, size - 1, pipe)] = 0;
    int status = pclose(pipe);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void program_write(const char *name, const char *text) {
    assert_int_equal(chmod(console_file(0, name, text), 0755), 0);
}

static void only_what_is_missing_is_installed_or_named(void **state) {
    (void)state;
    char out[4096];
    program_write("dpkg-query", "#!/bin/bash\necho 'installed gcc'\n"
                                "echo 'config-files cmake'\necho 'installed ninja-build'\n");
    program_write("apt-get", "#!/bin/bash\necho \"apt-get $*\"\n");
    program_write("sudo", "#!/bin/bash\nexit 1\n");
    int code = shell("PATH=.:$PATH bash -c 'source " ENSIGN_ROOT "/.ci/packages.sh; "
                     "packages_install gcc cmake ninja-build' </dev/null",
                     out, sizeof out);
    const char *install = geteuid() ? "apt-get install --no-install-recommends cmake\n"
                                    : "install -y --no-install-recommends cmake\n";
    assert_int_equal(code, geteuid() ? 3 : 0);
    if (!strstr(out, install)) fail_msg("%s", out);
}

static void nothing_is_asked_of_apt_when_all_is_there(void **state) {
    (void)state;
    char out[4096];
    program_write("dpkg-query", "#!/bin/bash\necho 'installed gcc'\n");
    program_write("apt-get", "#!/bin/bash\necho \"apt-get $*\"\n");
    assert_int_equal(shell("PATH=.:$PATH bash -c 'source " ENSIGN_ROOT
                           "/.ci/packages.sh; packages_install gcc'",
                           out, sizeof out),
                     0);
    assert_string_equal(out, "");
}

static void run_prints_only_what_the_program_prints_and_keeps_the_folder(void **state) {
    (void)state;
    char out[4096];
    if (access(ENSIGN_ROOT "/build/release/ensign", X_OK)) skip(); /* do not build from a test */
    console_file(1, "here.txt", "# no set-up\n");
    int code = shell(ENSIGN_ROOT "/run --version 2>/dev/null", out, sizeof out);
    assert_int_equal(code, 0);
    assert_int_equal(strncmp(out, "ensign ", 7), 0);
    code = shell(ENSIGN_ROOT "/run play duel --setup here.txt </dev/null", out, sizeof out);
    assert_int_equal(code, 1);
    if (!strstr(out, "here.txt: holds no set-up")) fail_msg("%s", out);
}

/* A file in the place of the folder for builds stands for sources that cannot be written. */
static void sources_that_cannot_be_written_are_built_elsewhere(void **state) {
    (void)state;
    char out[4096];
    program_write("dpkg-query", "#!/bin/bash\nfor p; do echo \"installed $p\"; done\n");
    program_write("cmake", "#!/bin/bash\ntouch \"$4/build.ninja\"\n");
    program_write(
        "ninja",
        "#!/bin/bash\nprintf '#!/bin/bash\\necho \"data $ENSIGN_DATA, $*\"\\n' >\"$3/ensign\"\n"
        "chmod +x \"$3/ensign\"\n");
    int code = shell("mkdir -p sources/.ci && cp " ENSIGN_ROOT "/run sources && "
                     "cp " ENSIGN_ROOT "/.ci/packages.sh sources/.ci && touch sources/build && "
                     "XDG_CACHE_HOME=$PWD/cache PATH=$PWD:$PATH sources/run list",
                     out, sizeof out);
    if (code || !strstr(out, "/sources, ") || !strstr(out, "building in "))
        fail_msg("%d: %s", code, out);
    code = shell("touch nowhere && XDG_CACHE_HOME=$PWD/nowhere PATH=$PWD:$PATH sources/run list",
                 out, sizeof out);
    assert_int_equal(code, 3);
    if (!strstr(out, "can be written; set XDG_CACHE_HOME or copy the sources")) fail_msg("%s", out);
    assert_int_equal(strcspn(out, "\n"), strlen(out) - 1); /* one line */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_what_is_missing_is_installed_or_named),
        cmocka_unit_test(nothing_is_asked_of_apt_when_all_is_there),
        cmocka_unit_test(sources_that_cannot_be_written_are_built_elsewhere),
        cmocka_unit_test(run_prints_only_what_the_program_prints_and_keeps_the_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
