/* Programs that are registered under a name: their files, and what they stand for. */
#include "host/program/registered.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char root[64]; /* its data/ensign/programs holds the files */
static char before[FOLDER_PATH_MAX];

static void write_file(const char *name, const char *text) {
    char path[256];
    snprintf(path, sizeof path, "%s/%s", root, name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static int lay_out(void **state) {
    char command[512];
    (void)state;
    if (!getcwd(before, sizeof before)) return -1;
    setenv("ENSIGN_DATA", ENSIGN_ROOT, 1);
    snprintf(root, sizeof root, "/tmp/ensign-registered-XXXXXX");
    if (!mkdtemp(root)) return -1;
    snprintf(command, sizeof command, "cd %s && mkdir -p data/ensign/programs/own programs", root);
    if (system(command)) return -1;
    snprintf(command, sizeof command, "%s/data", root);
    setenv("XDG_DATA_HOME", command, 1);
    write_file("data/ensign/programs/own/bot.py", "#\n");
    return chdir(root);
}

static int clear(void **state) {
    char command[128];
    (void)state;
    snprintf(command, sizeof command, "rm -r '%s'", root);
    return chdir(before) || system(command);
}

/* The player of a name; NULL with the fault's text. */
static char *player_of(const char *name, struct fault *fault) {
    struct folders folders;
    *fault = (struct fault){0};
    assert_true(folders_find(&folders, fault));
    return registered_player(&folders, name, fault);
}

static void expect_player(const char *text, const char *expected) {
    struct fault fault;
    char whole[1024];
    write_file("data/ensign/programs/it.toml", text);
    char *player = player_of("it", &fault);
    if (!player) fail_msg("%s: %s", text, fault.text);
    snprintf(whole, sizeof whole, expected, root);
    assert_string_equal(player, whole);
    free(player);
}

static void expect_fault(const char *text, int line, const char *word) {
    struct fault fault;
    write_file("data/ensign/programs/it.toml", text);
    assert_null(player_of("it", &fault));
    assert_int_not_equal(fault.status, STATUS_OK);
    if (!strstr(fault.text, word)) fail_msg("%s: %s", text, fault.text);
    if (line) assert_int_equal(fault.line, line);
}

static void a_name_stands_for_its_command_and_protocol(void **state) {
    (void)state;
    expect_player("command = \"python3 -u\"\n", "it=json:'python3' '-u'");
    expect_player("# old\n command='x y' # now\r\n\nprotocol = \"ucc\"\n", "it=ucc:'x' 'y'");
}

static void words_that_name_files_of_its_folder_become_paths(void **state) {
    (void)state;
    expect_player("command = \"python3 bot.py other.py\"\nfolder = \"own\"\noptions = \"-l5\"\n",
                  "it=json:'python3' '%s/data/ensign/programs/own/bot.py' 'other.py' '-l5'");
    expect_player("command = \"own/bot.py\"\n", "it=json:'%s/data/ensign/programs/own/bot.py'");
}

static void quotes_in_a_word_stay_in_it(void **state) {
    (void)state;
    expect_player("command = \"x \\\"it's one\\\"\"\n", "it=json:'x' 'it'\\''s one'");
}

static void a_broken_file_is_told_with_its_line(void **state) {
    (void)state;
    expect_fault("command = \"x\"\nfoldr = \"y\"\n", 2, "expected command, protocol");
    expect_fault("command = x\n", 1, "= \"VALUE\"");
    expect_fault("command = \"x\" y\n", 1, "= \"VALUE\"");
    expect_fault("command = \"x\n", 1, "= \"VALUE\"");
    expect_fault("command = \"x\"\nprotocol = \"uci\"\n", 2, "\"json\" or \"ucc\"");
    expect_fault("protocol = \"ucc\"\n", 1, "command of a program is expected");
    expect_fault("command = \"x \xff\"\n", 1, "");
    expect_fault("command = \"x 'y\"\n", 0, "is not closed");
}

static void a_bot_keeps_its_name_and_the_current_folder_registers_nothing(void **state) {
    (void)state;
    struct fault fault;
    write_file("data/ensign/programs/rookie.toml", "command = \"x\"\n");
    write_file("programs/near.toml", "command = \"x\"\n");
    static const char *const names[] = {"rookie", "near", "nothing", "json:x", "./it", "human"};
    for (int i = 0; i < 6; i++) {
        assert_null(player_of(names[i], &fault));
        assert_int_equal(fault.status, STATUS_OK);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_name_stands_for_its_command_and_protocol),
        cmocka_unit_test(words_that_name_files_of_its_folder_become_paths),
        cmocka_unit_test(quotes_in_a_word_stay_in_it),
        cmocka_unit_test(a_broken_file_is_told_with_its_line),
        cmocka_unit_test(a_bot_keeps_its_name_and_the_current_folder_registers_nothing),
    };
    return cmocka_run_group_tests(tests, lay_out, clear);
}
