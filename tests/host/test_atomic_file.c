/* Whole files: the existing target, planted targets, failures. */
#include "base/files.h"

#include "base/reader.h"
#include "support.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[64], path[128], other[128];

static int enter(void **state) {
    (void)state;
    support_folder(folder);
    snprintf(path, sizeof path, "%s/out", folder);
    snprintf(other, sizeof other, "%s/other", folder);
    return 0;
}

static int leave(void **state) {
    (void)state;
    support_remove(folder);
    return 0;
}

static void put(const char *where, const char *text, mode_t mode) {
    FILE *file = fopen(where, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    assert_int_equal(chmod(where, mode), 0);
}

static void assert_holds(const char *where, const char *text) {
    size_t length;
    char *read = files_read(where, 100000, &length, NULL);
    assert_non_null(read);
    assert_string_equal(read, text);
    free(read);
}

static mode_t mode_of(const char *where) {
    struct stat about;
    assert_int_equal(lstat(where, &about), 0);
    return about.st_mode;
}

static void assert_entries(int expected) {
    DIR *stream = opendir(folder);
    int count = -2;
    assert_non_null(stream);
    while (readdir(stream)) count++;
    closedir(stream);
    assert_int_equal(count, expected);
}

static void assert_written(const char *where, const char *text) {
    struct fault fault = {0};
    if (!files_replace(where, text, strlen(text), &fault)) fail_msg("%s", fault.text);
}

static void assert_refused(const char *where, enum status status, const char *word) {
    struct fault fault = {0};
    assert_false(files_replace(where, "new", 3, &fault));
    assert_int_equal(fault.status, status);
    assert_string_equal(fault.file, where);
    if (!strstr(fault.text, word)) fail_msg("%s", fault.text);
}

static void a_new_file_has_the_permissions_that_any_other_would_have(void **state) {
    (void)state;
    mode_t before = umask(027);
    assert_written(path, "text");
    umask(before);
    assert_int_equal(mode_of(path), S_IFREG | 0640);
    assert_holds(path, "text");
    assert_entries(1);
}

static void a_file_that_is_replaced_keeps_its_permissions(void **state) {
    (void)state;
    put(path, "old and longer", 0604);
    assert_written(path, "text");
    assert_int_equal(mode_of(path), S_IFREG | 0604);
    assert_holds(path, "text");
    assert_entries(1);
}

static void the_file_behind_a_link_is_replaced_and_the_link_stays(void **state) {
    (void)state;
    put(other, "old", 0600);
    assert_int_equal(symlink("other", path), 0);
    assert_written(path, "text");
    assert_true(S_ISLNK(mode_of(path)));
    assert_int_equal(mode_of(other), S_IFREG | 0600);
    assert_holds(other, "text");
    assert_entries(2);
}

static void a_link_that_leads_nowhere_is_refused(void **state) {
    (void)state;
    assert_int_equal(symlink(other, path), 0);
    assert_refused(path, STATUS_USAGE, "dangling link");
    assert_int_not_equal(access(other, F_OK), 0);
    assert_entries(1);
}

static void a_link_laid_where_a_draft_might_lie_is_not_followed(void **state) {
    (void)state;
    char part[160];
    put(other, "precious", 0600);
    snprintf(part, sizeof part, "%s.part", path);
    assert_int_equal(symlink(other, part), 0);
    assert_written(path, "text");
    assert_holds(other, "precious");
    assert_true(S_ISREG(mode_of(path)));
}

static void a_folder_is_refused(void **state) {
    (void)state;
    assert_refused(folder, STATUS_USAGE, "is a folder");
}

static void a_pipe_that_nobody_reads_is_refused_at_once(void **state) {
    (void)state;
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_refused(path, STATUS_USAGE, "without a reader");
    assert_true(S_ISFIFO(mode_of(path)));
    assert_entries(1);
}

static void a_pipe_is_written_through_also_behind_a_link(void **state) {
    (void)state;
    char read_back[16] = "";
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_int_equal(symlink("out", other), 0);
    int reader = open(path, O_RDONLY | O_NONBLOCK);
    assert_written(path, "one ");
    assert_written(other, "two");
    assert_int_equal(read(reader, read_back, 15), 7);
    assert_string_equal(read_back, "one two");
    close(reader);
    assert_true(S_ISFIFO(mode_of(path)));
    assert_entries(2);
}

/* Only root can make one, as only root could replace it. */
static void a_device_is_written_through_and_stays_one(void **state) {
    (void)state;
    if (mknod(path, S_IFCHR | 0666, makedev(1, 3)) != 0) skip();
    int open_here = open(path, O_WRONLY);
    if (open_here < 0) skip(); /* this file system allows none */
    close(open_here);
    assert_written(path, "text");
    assert_true(S_ISCHR(mode_of(path)));
    assert_entries(1);
}

static void a_full_device_is_told(void **state) {
    (void)state;
    assert_int_equal(symlink("/dev/full", path), 0);
    assert_refused(path, STATUS_SYSTEM, strerror(ENOSPC));
    assert_true(S_ISLNK(mode_of(path)));
    assert_true(S_ISCHR(mode_of("/dev/full")));
    assert_entries(1);
}

static void a_descriptor_of_the_process_is_written_to_as_it_stands(void **state) {
    (void)state;
    char name[32];
    int file = open(path, O_RDWR | O_CREAT, 0600);
    assert_int_equal(write(file, "first ", 6), 6);
    snprintf(name, sizeof name, "/dev/fd/%d", file);
    assert_written(name, "second");
    close(file);
    assert_holds(path, "first second");
    assert_refused("/dev/fd/987", STATUS_SYSTEM, strerror(EBADF));
    assert_entries(1);
}

static void a_new_file_takes_no_name_that_is_there(void **state) {
    (void)state;
    struct fault fault = {0};
    put(path, "old", 0600);
    assert_int_equal(symlink("nowhere", other), 0);
    const char *const taken[] = {path, other, folder};
    for (int i = 0; i < 3; i++) {
        assert_false(files_write_new(taken[i], "new", 3, ATOMIC_FILE_DURABLE, &fault));
        assert_int_equal(fault.status, STATUS_USAGE);
        assert_non_null(strstr(fault.text, "already exists"));
    }
    assert_holds(path, "old");
    assert_entries(2);
}

static void a_name_taken_while_a_new_file_was_drafted_is_not_lost(void **state) {
    (void)state;
    struct atomic_file draft;
    struct fault fault = {0};
    assert_true(atomic_file_begin(&draft, path, ATOMIC_FILE_NEW, &fault));
    fputs("mine", draft.out);
    put(path, "theirs", 0600);
    assert_false(atomic_file_end(&draft, NULL, &fault));
    assert_int_equal(fault.status, STATUS_USAGE);
    assert_holds(path, "theirs");
    assert_entries(1);
}

static void a_pipe_laid_there_while_a_file_was_drafted_is_not_replaced(void **state) {
    (void)state;
    struct atomic_file draft;
    struct fault fault = {0};
    assert_true(atomic_file_begin(&draft, path, 0, &fault));
    fputs("mine", draft.out);
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_false(atomic_file_end(&draft, NULL, &fault));
    assert_true(S_ISFIFO(mode_of(path)));
    assert_entries(1);
}

/* A limit on the size of files stands for a disk that is full. */
static void limit_files(rlim_t bytes) {
    const struct rlimit limit = {bytes, RLIM_INFINITY};
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

static void a_full_disk_leaves_the_old_file_and_nothing_else(void **state) {
    (void)state;
    struct fault fault = {0};
    char *much = calloc(1, 100000);
    memset(much, 'x', 99999);
    put(path, "old", 0600);
    void (*before)(int) = signal(SIGXFSZ, SIG_IGN);
    limit_files(20000);
    bool replaced = files_replace(path, much, 99999, &fault);
    bool made = files_write_new(other, much, 99999, ATOMIC_FILE_DURABLE, NULL);
    limit_files(RLIM_INFINITY);
    signal(SIGXFSZ, before);
    free(much);
    assert_false(replaced);
    assert_false(made);
    assert_int_equal(fault.status, STATUS_SYSTEM);
    assert_non_null(strstr(fault.text, strerror(EFBIG)));
    assert_holds(path, "old");
    assert_entries(1);
}

static void drafts_of_the_dead_are_swept_and_those_of_the_living_stay(void **state) {
    (void)state;
    char left[128];
    struct atomic_file draft;
    struct fault fault = {0};
    snprintf(left, sizeof left, "%s/.ensign-0123456789abcdef.part", folder);
    put(left, "half", 0600);
    put(other, "", 0600);
    assert_true(atomic_file_begin(&draft, path, 0, &fault));
    atomic_file_sweep(folder);
    assert_entries(2);
    fputs("text", draft.out);
    assert_true(atomic_file_end(&draft, NULL, &fault));
    assert_holds(path, "text");
}

static void a_pipe_a_device_or_a_socket_is_never_read_as_a_file(void **state) {
    (void)state;
    size_t length;
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_int_equal(symlink("/dev/zero", other), 0);
    const char *const names[] = {path, other, "/dev/zero", "/dev/tty"};
    for (int i = 0; i < 4; i++) {
        struct fault fault = {0};
        assert_null(files_read(names[i], 1000, &length, &fault));
        assert_int_equal(fault.status, STATUS_NOT_FOUND);
        assert_non_null(strstr(fault.text, "a file is expected"));
        char byte;
        assert_int_equal(READER_DISK.size(NULL, names[i]), -1);
        assert_int_equal(READER_DISK.read(NULL, names[i], &byte, 1), -1);
    }
}

static void a_pipe_that_a_shell_gave_is_read(void **state) {
    (void)state;
    int ends[2];
    char name[32];
    size_t length;
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], "text", 4), 4);
    close(ends[1]);
    snprintf(name, sizeof name, "/dev/fd/%d", ends[0]);
    char *text = files_read(name, 100, &length, NULL);
    assert_non_null(text);
    assert_string_equal(text, "text");
    free(text);
    close(ends[0]);
}

int main(void) {
#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, enter, leave)
    const struct CMUnitTest tests[] = {
        IN_FOLDER(a_new_file_has_the_permissions_that_any_other_would_have),
        IN_FOLDER(a_file_that_is_replaced_keeps_its_permissions),
        IN_FOLDER(the_file_behind_a_link_is_replaced_and_the_link_stays),
        IN_FOLDER(a_link_that_leads_nowhere_is_refused),
        IN_FOLDER(a_link_laid_where_a_draft_might_lie_is_not_followed),
        IN_FOLDER(a_folder_is_refused),
        IN_FOLDER(a_pipe_that_nobody_reads_is_refused_at_once),
        IN_FOLDER(a_pipe_is_written_through_also_behind_a_link),
        IN_FOLDER(a_device_is_written_through_and_stays_one),
        IN_FOLDER(a_full_device_is_told),
        IN_FOLDER(a_descriptor_of_the_process_is_written_to_as_it_stands),
        IN_FOLDER(a_new_file_takes_no_name_that_is_there),
        IN_FOLDER(a_name_taken_while_a_new_file_was_drafted_is_not_lost),
        IN_FOLDER(a_pipe_laid_there_while_a_file_was_drafted_is_not_replaced),
        IN_FOLDER(a_full_disk_leaves_the_old_file_and_nothing_else),
        IN_FOLDER(drafts_of_the_dead_are_swept_and_those_of_the_living_stay),
        IN_FOLDER(a_pipe_a_device_or_a_socket_is_never_read_as_a_file),
        IN_FOLDER(a_pipe_that_a_shell_gave_is_read),
    };
    return cmocka_run_group_tests_name("host/atomic_file", tests, NULL, NULL);
}
