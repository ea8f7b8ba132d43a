#include "program.h"

#include <setjmp.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

extern char **environ;

enum { ARGUMENTS_MAX = 30 };

/* Files instead of pipes: no output is too long for them. */
static char *read_back(FILE *file) {
    long length = fseek(file, 0, SEEK_END) ? -1 : ftell(file);
    assert_true(length >= 0);
    rewind(file);
    char *text = calloc(1, (size_t)length + 1);
    assert_non_null(text);
    assert_int_equal(fread(text, 1, (size_t)length, file), length);
    fclose(file);
    return text;
}

struct program_run program_run(const char *input, const char *const *arguments) {
    char *argv[ARGUMENTS_MAX + 2] = {(char *)(uintptr_t)ENSIGN_PROGRAM};
    for (int i = 0; arguments[i]; i++) {
        assert_true(i < ARGUMENTS_MAX);
        argv[i + 1] = (char *)(uintptr_t)arguments[i];
    }
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
    return (struct program_run){.exit_code = WIFEXITED(status) ? WEXITSTATUS(status)
                                                               : 128 + WTERMSIG(status),
                                .out = read_back(files[1]),
                                .err = read_back(files[2])};
}

void program_clear(struct program_run *run) {
    free(run->out);
    free(run->err);
    *run = (struct program_run){0};
}

/* Nothing but the lines of a script that may follow a message. */
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
