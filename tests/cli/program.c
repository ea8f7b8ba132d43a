#include "program.h"

#include "host/processes.h"

#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

extern char **environ;

enum { ARGUMENTS_MAX = 30 };

/* Files instead of pipes: no output is too long for them. */
char *program_text(FILE *file) {
    long length = fseek(file, 0, SEEK_END) ? -1 : ftell(file);
    assert_true(length >= 0);
    rewind(file);
    char *text = calloc(1, (size_t)length + 1);
    assert_non_null(text);
    assert_int_equal(fread(text, 1, (size_t)length, file), length);
    fclose(file);
    return text;
}

/* `argv` holds ARGUMENTS_MAX + 2. */
static void fill_arguments(char **argv, const char *const *arguments) {
    argv[0] = (char *)(uintptr_t)ENSIGN_PROGRAM;
    int count = 0;
    for (; arguments[count]; count++) {
        assert_true(count < ARGUMENTS_MAX);
        argv[count + 1] = (char *)(uintptr_t)arguments[count];
    }
    argv[count + 1] = NULL;
}

static int exit_code(int status) {
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

struct program_run program_run(const char *input, const char *const *arguments) {
    char *argv[ARGUMENTS_MAX + 2];
    fill_arguments(argv, arguments);
    FILE *files[3];
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    for (int i = 0; i < 3; i++) {
        files[i] = tmpfile();
        assert_non_null(files[i]);
        if (i == 0 && input) fputs(input, files[0]);
        fflush(files[i]);
        rewind(files[i]);
        posix_spawn_file_actions_adddup2(&actions, fileno(files[i]), i);
    }
    pid_t child;
    int status;
    assert_int_equal(posix_spawn(&child, ENSIGN_PROGRAM, &actions, NULL, argv, environ), 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    posix_spawn_file_actions_destroy(&actions);
    fclose(files[0]);
    return (struct program_run){.exit_code = exit_code(status),
                                .out = program_text(files[1]),
                                .err = program_text(files[2])};
}

struct program_run program_signal(const char *const *arguments, int lines, int signal) {
    char *argv[ARGUMENTS_MAX + 2], piece[4096];
    int ends[2], status, seen = 0;
    pid_t child;
    FILE *out = tmpfile(), *err = tmpfile();
    posix_spawn_file_actions_t actions;
    fill_arguments(argv, arguments);
    assert_true(out && err && pipe(ends) == 0);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, fileno(err), STDERR_FILENO);
    posix_spawn_file_actions_addclose(&actions, ends[0]);
    posix_spawn_file_actions_addclose(&actions, ends[1]);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    assert_int_equal(posix_spawn(&child, ENSIGN_PROGRAM, &actions, NULL, argv, environ), 0);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    for (ssize_t got; (got = read(ends[0], piece, sizeof piece)) > 0;) {
        int before = seen;
        for (ssize_t i = 0; i < got; i++) seen += piece[i] == '\n';
        fwrite(piece, 1, (size_t)got, out);
        if (before < lines && seen >= lines) kill(child, signal);
    }
    close(ends[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(processes_end());
    return (struct program_run){
        .exit_code = exit_code(status), .out = program_text(out), .err = program_text(err)};
}

void program_clear(struct program_run *run) {
    free(run->out);
    free(run->err);
    *run = (struct program_run){0};
}

/* Only lines of a script may follow a message. */
static bool is_excerpt(const char *text) {
    while (*text) {
        if ((text[0] != ' ' && text[0] != '>') || text[1] != ' ') return false;
        const char *end = strchr(text, '\n');
        if (!end) return false;
        text = end + 1;
    }
    return true;
}

void program_expect(struct program_run run, int exit_code, const char *message) {
    const char *line_end = strchr(run.err, '\n');
    if (run.exit_code != exit_code || !strstr(run.err, message) || (!*message && *run.err) ||
        (*message && (!line_end || !is_excerpt(line_end + 1)))) {
        fail_msg("exit code %d, expected %d and \"%s\":\n%s%s", run.exit_code, exit_code, message,
                 run.out, run.err);
    }
    program_clear(&run);
}

void program_file(char path[64], const char *ending, const void *bytes, unsigned long count) {
    snprintf(path, 64, "/tmp/ensign-test-XXXXXX%s", ending);
    int descriptor = mkstemps(path, (int)strlen(ending));
    assert_true(descriptor >= 0);
    assert_int_equal(write(descriptor, bytes, count), count);
    close(descriptor);
}
