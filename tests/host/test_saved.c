/* Running games as files: complete after every turn, found again however they were left. */
#define _XOPEN_SOURCE 700 /* nftw */
#include "host/table/saved.h"

#include "base/files.h"
#include "support.h"

#include <fcntl.h>
#include <ftw.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static char home[64];
static struct record *record;
static struct saved saved;

static int enter(void **state) {
    (void)state;
    strcpy(home, "/tmp/ensign-test-XXXXXX");
    if (!mkdtemp(home)) return -1;
    setenv("XDG_STATE_HOME", home, 1);
    record = record_new();
    record_set_tag(record, "Variant", "duel");
    record_set_tag(record, "Red", "human");
    record_set_tag(record, "Blue", "hunter");
    record_set_tag(record, "RedSetup", "a \\ and a \"quote\"");
    record_set_tag(record, "Result", "*");
    return saved_start(&saved, SAVED_GAMES, NULL) ? 0 : -1;
}

static int remove_one(const char *path, const struct stat *about, int type, struct FTW *walk) {
    (void)about, (void)type, (void)walk;
    return remove(path);
}

static int leave(void **state) {
    (void)state;
    saved_end(&saved, false);
    record_free(record);
    return nftw(home, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

static void play(int moves) {
    for (int i = 0; i < moves; i++) {
        record_add_move(record, record->move_count % 2 ? "b7-b6" : "a4-a5");
        saved_keep(&saved, record);
        assert_int_equal(saved.fault.status, STATUS_OK);
    }
}

/* The file at this moment, which must be a whole record. */
static struct record *on_disk(const char *path) {
    size_t length;
    char *text = files_read(path, RECORD_BYTES_MAX, &length, NULL);
    assert_non_null(text);
    struct record *read = support_record(text);
    free(text);
    return read;
}

/* Another process plays for so many turns and is killed in the middle of the game. */
static void another_plays_and_is_killed(int moves) {
    pid_t other = fork();
    if (!other) {
        play(moves);
        raise(SIGKILL);
    }
    assert_int_equal(waitpid(other, NULL, 0), other);
}

static void a_game_is_whole_in_its_file_after_every_turn(void **state) {
    (void)state;
    saved_keep(&saved, record);
    for (int turn = 1; turn <= 100; turn++) {
        play(1);
        struct record *read = on_disk(saved.path);
        assert_int_equal(read->move_count, turn);
        for (int i = 0; i < turn; i++)
            assert_string_equal(read->moves[i].text, record->moves[i].text);
        assert_int_equal(read->tag_count, record->tag_count);
        assert_string_equal(record_tag(read, "RedSetup"), record_tag(record, "RedSetup"));
        record_free(read);
    }
}

static void only_its_owner_may_read_a_running_game(void **state) {
    (void)state;
    struct stat about;
    char folder[SAVED_PATH_MAX];
    play(2);
    assert_int_equal(stat(saved.path, &about), 0);
    assert_int_equal(about.st_mode & 0777, 0600);
    assert_true(saved_folder("saved", folder, NULL));
    assert_int_equal(stat(folder, &about), 0);
    assert_int_equal(about.st_mode & 0777, 0700);
}

static void a_running_game_is_not_offered_and_one_that_was_left_is(void **state) {
    (void)state;
    struct saved_summary *list;
    record_set_tag(saved.tags, "BluePlayer", "./my bots/x.lua");
    play(3);
    assert_int_equal(saved_list(&list), 0);
    assert_null(list);
    saved_end(&saved, false);
    assert_int_equal(saved_list(&list), 1);
    assert_string_equal(list->variant, "duel");
    assert_string_equal(list->player[RED], "human");
    assert_string_equal(list->player[BLUE], "./my bots/x.lua");
    assert_int_equal(list->plies, 3);
    assert_true(list->when > 0);
    free(list);
}

static void games_side_by_side_have_a_file_each_and_the_latest_comes_first(void **state) {
    (void)state;
    struct saved_summary *list;
    another_plays_and_is_killed(1);
    assert_int_equal(saved_list(&list), 1);
    assert_int_equal(utimensat(AT_FDCWD, list->path, (struct timespec[2]){{0, 0}, {1, 0}}, 0), 0);
    free(list);
    another_plays_and_is_killed(2);
    play(3);
    assert_int_equal(saved_list(&list), 2);
    assert_int_equal(list[0].plies, 2);
    assert_int_equal(list[1].plies, 1);
    assert_string_not_equal(list[0].path, list[1].path);
    free(list);
}

static void a_game_that_was_left_is_taken_up_in_its_file(void **state) {
    (void)state;
    struct saved_summary *list;
    struct fault damage = {0}, fault = {0};
    struct record *before;
    another_plays_and_is_killed(5);
    assert_int_equal(saved_list(&list), 1);
    assert_true(saved_take(&saved, list->path, &before, &damage, &fault));
    assert_int_equal(damage.status, STATUS_OK);
    assert_int_equal(before->move_count, 5);
    struct saved second;
    struct record *nothing;
    assert_true(saved_start(&second, SAVED_GAMES, NULL));
    assert_false(saved_take(&second, list->path, &nothing, &damage, &fault));
    assert_int_equal(fault.status, STATUS_USAGE);
    assert_non_null(strstr(fault.text, "another program is playing"));
    saved_end(&second, false);
    record_free(record);
    record = before;
    play(1);
    assert_string_equal(saved.path, list->path);
    free(list);
    assert_int_equal(saved_list(&list), 0);
    struct record *read = on_disk(saved.path);
    assert_int_equal(read->move_count, 6);
    record_free(read);
}

static void a_torn_file_is_kept_aside_when_its_game_goes_on(void **state) {
    (void)state;
    struct saved_summary *list;
    struct fault damage = {0};
    struct record *before;
    char aside[SAVED_PATH_MAX + 16];
    another_plays_and_is_killed(4);
    assert_int_equal(saved_list(&list), 1);
    FILE *file = fopen(list->path, "a");
    fputs("3. a", file);
    fclose(file);
    assert_true(saved_take(&saved, list->path, &before, &damage, NULL));
    assert_int_equal(damage.status, STATUS_TEXT);
    assert_true(damage.line > 0);
    assert_string_equal(damage.file, list->path);
    record_free(record);
    record = before;
    before->move_count = 4;
    play(1);
    struct record *read = on_disk(list->path);
    assert_int_equal(read->move_count, 5);
    record_free(read);
    snprintf(aside, sizeof aside, "%s.damaged", list->path);
    file = fopen(aside, "r");
    assert_non_null(file);
    fseek(file, -4, SEEK_END);
    char end[8] = "";
    assert_int_equal(fread(end, 1, 7, file), 4);
    assert_string_equal(end, "3. a");
    fclose(file);
    free(list);
    assert_int_equal(saved_list(&list), 0);
}

static void a_file_from_elsewhere_names_no_paths_and_is_not_touched(void **state) {
    (void)state;
    static const char text[] = "[Variant \"/tmp/x.lua\"]\n[Red \"ucc:sh -c date\"]\n"
                               "[Blue \"hunter\"]\n[BluePlayer \"/tmp/evil.lua\"]\n"
                               "[Result \"*\"]\n\n1. a4-a5\n";
    char path[96];
    struct saved_summary summary;
    struct fault damage = {0};
    struct record *before;
    snprintf(path, sizeof path, "%s/game.rec", home);
    assert_true(files_write_new(path, text, strlen(text), 0, NULL));
    assert_true(saved_look(path, &summary, NULL));
    assert_string_equal(summary.variant, "");
    assert_string_equal(summary.player[RED], "");
    assert_string_equal(summary.player[BLUE], "hunter");
    static const char here[] = "[Variant \"x.lua\"]\n[Red \"evil.lua\"]\n[Blue \"a=ucc:x\"]\n"
                               "[Result \"*\"]\n\n1. a4-a5\n";
    char other[112];
    snprintf(other, sizeof other, "%s/here.rec", home);
    assert_true(files_write_new(other, here, strlen(here), 0, NULL));
    assert_true(saved_look(other, &summary, NULL));
    assert_string_equal(summary.variant, "");
    assert_string_equal(summary.player[RED], "");
    assert_string_equal(summary.player[BLUE], "");
    assert_true(saved_take(&saved, path, &before, &damage, NULL));
    record_free(before);
    play(1);
    assert_string_not_equal(saved.path, path);
    size_t length;
    char *same = files_read(path, 1000, &length, NULL);
    assert_string_equal(same, text);
    free(same);
}

static void a_game_that_is_over_leaves_nothing_and_cannot_be_continued(void **state) {
    (void)state;
    char path[SAVED_PATH_MAX];
    struct saved_summary *list, summary;
    struct fault fault = {0};
    play(2);
    snprintf(path, sizeof path, "%s", saved.path);
    saved_end(&saved, true);
    assert_int_not_equal(access(path, F_OK), 0);
    assert_int_equal(saved_list(&list), 0);
    static const char over[] = "[Variant \"duel\"]\n[Result \"red\"]\n";
    assert_true(files_write_new(path, over, strlen(over), 0, NULL));
    assert_false(saved_look(path, &summary, &fault));
    assert_non_null(strstr(fault.text, "is over"));
    assert_int_equal(saved_list(&list), 0);
}

static void what_cannot_be_written_is_told_and_tried_again(void **state) {
    (void)state;
    char blocked[96];
    snprintf(blocked, sizeof blocked, "%s/ensign", home);
    assert_true(files_write_new(blocked, "", 0, 0, NULL)); /* where a folder is wanted */
    record_add_move(record, "a4-a5");
    saved_keep(&saved, record);
    assert_int_equal(saved.fault.status, STATUS_SYSTEM);
    assert_int_equal(unlink(blocked), 0);
    play(1);
    struct record *read = on_disk(saved.path);
    assert_int_equal(read->move_count, 2);
    record_free(read);
}

int main(void) {
#define AT_HOME(test) cmocka_unit_test_setup_teardown(test, enter, leave)
    const struct CMUnitTest tests[] = {
        AT_HOME(a_game_is_whole_in_its_file_after_every_turn),
        AT_HOME(only_its_owner_may_read_a_running_game),
        AT_HOME(a_running_game_is_not_offered_and_one_that_was_left_is),
        AT_HOME(games_side_by_side_have_a_file_each_and_the_latest_comes_first),
        AT_HOME(a_game_that_was_left_is_taken_up_in_its_file),
        AT_HOME(a_torn_file_is_kept_aside_when_its_game_goes_on),
        AT_HOME(a_file_from_elsewhere_names_no_paths_and_is_not_touched),
        AT_HOME(a_game_that_is_over_leaves_nothing_and_cannot_be_continued),
        AT_HOME(what_cannot_be_written_is_told_and_tried_again),
    };
    return cmocka_run_group_tests_name("host/saved", tests, NULL, NULL);
}
