/* The binary interface of libensign.so is the recorded one (ensign.abi): a function or struct of
 * ensign.h that changes breaks programs that were compiled before. The header alone is compiled,
 * each function without a body of its own, so that what is compared is what others see. After a
 * change that is meant:
 *
 *     ENSIGN_RECORD_ABI=1 ./test lib/test_abi
 *
 * Skipped without abidiff and abidw (abigail-tools), and on other processors than the recorded
 * one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEADER ENSIGN_ROOT "/src/lib/ensign.h"
#define RECORDED ENSIGN_ROOT "/tests/lib/ensign.abi"

static char folder[] = "/tmp/ensign-abi-XXXXXX";

/* Runs a shell command in the folder; its status. */
static int run(const char *command) {
    char line[2048];
    snprintf(line, sizeof line, "cd %s && { %s; } >said 2>&1", folder, command);
    return system(line);
}

static void run_well(const char *command) {
    if (!run(command)) return;
    char line[128];
    snprintf(line, sizeof line, "cat %s/said >&2", folder);
    fail_msg("%s: %d", command, system(line));
}

/* Makes NAME.so of the header, changed by a command of sed. */
static void compile(const char *name, const char *change) {
    char line[2048];
    snprintf(line, sizeof line,
             "sed '%s' " HEADER " | awk '/^ENSIGN_API/ { open = 1 } "
             "open && /\\);/ { sub(/\\);/, \") { __builtin_trap(); }\"); open = 0 } 1' >%s.c && "
             "cc -g -O0 -fPIC -shared -fvisibility=hidden -nostdlib %s.c -o %s.so "
             "-Wl,--version-script=" ENSIGN_ROOT "/src/lib/ensign.map -Wl,-soname,libensign.so.0",
             change, name, name, name);
    run_well(line);
}

static int open_folder(void **state) {
    (void)state;
    if (!mkdtemp(folder)) return 1;
    const int missing = system("command -v abidiff >/dev/null && command -v abidw >/dev/null && "
                               "test \"$(uname -m)\" = x86_64");
    if (missing) print_message("skipped: no abidiff, or another processor\n");
    *state = missing ? NULL : folder;
    return 0;
}

static int close_folder(void **state) {
    (void)state;
    char line[128];
    snprintf(line, sizeof line, "rm -rf %s", folder);
    return system(line);
}

static void the_interface_is_the_recorded_one(void **state) {
    if (!*state) skip();
    compile("now", "");
    if (getenv("ENSIGN_RECORD_ABI"))
        run_well("abidw --no-corpus-path --no-comp-dir-path --no-show-locs --no-elf-needed "
                 "--type-id-style hash now.so >" RECORDED);
    run_well("abidiff " RECORDED " now.so");
}

static void a_changed_struct_or_function_is_noticed(void **state) {
    static const char *const changes[] = {"s/uint32_t undo;/uint64_t undo;/",
                                          "s/uint8_t \\*terminated;//",
                                          "s/ENSIGN_BUSY,/ENSIGN_BUSY, ENSIGN_MORE,/",
                                          "s/int side, ensign_out \\*out/ensign_out *out/",
                                          "/^ENSIGN_API ensign_status ensign_undo/d"};
    if (!*state) skip();
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        compile("changed", changes[i]);
        if (!run("abidiff " RECORDED " changed.so")) fail_msg("unnoticed: %s", changes[i]);
    }
}

/* Neither more nor less. */
static void the_library_exports_what_its_header_declares(void **state) {
    (void)state;
    run_well("nm -D --defined-only " ENSIGN_LIBRARY
             " | sed -n 's/.* T \\(ensign_[a-z_]*\\).*/\\1/p' | sort >exported && "
             "grep -v '^#' " HEADER " | tr '\\n' ' ' | sed 's/ENSIGN_API/\\n&/g' | "
             "sed -n 's/^ENSIGN_API [^(]*[ *]\\(ensign_[a-z_]*\\)(.*/\\1/p' | sort >declared && "
             "test -s declared && diff declared exported && "
             "! nm -D --defined-only " ENSIGN_LIBRARY " | grep -v ' A ENSIGN_0$' | "
             "grep -v ' T ensign_[a-z_]*@@ENSIGN_0$'");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_interface_is_the_recorded_one),
        cmocka_unit_test(a_changed_struct_or_function_is_noticed),
        cmocka_unit_test(the_library_exports_what_its_header_declares),
    };
    return cmocka_run_group_tests_name("lib/abi", tests, open_folder, close_folder);
}
