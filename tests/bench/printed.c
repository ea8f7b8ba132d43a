/* printed.c - a pipe from the shell, for a test. */
#include "printed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/wait.h>

#include <cmocka.h>

int printed(const char *program, const char *arguments, char *out, size_t size) {
    char command[1024];
    int length = snprintf(command, sizeof command, "'%s' %s 2>&1", program, arguments);
    assert_true(length > 0 && (size_t)length < sizeof command);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    out[fread(out, 1, size - 1, pipe)] = 0;
    int status = pclose(pipe);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}
