/* served.c - starts the server, and reads its address from its first line. */
#include "served.h"

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum { FIXED = 8 /* words that each start has */, OPTIONS_MAX = 8 };

void served_open(struct served *served, const char *folder, const char *data,
                 const char *const *options) {
    static const char host[] = "127.0.0.1:";
    const char *words[OPTIONS_MAX + FIXED + 1] = {"ensign", "serve", "--listen", "127.0.0.1:0",
                                                  "--data", data,    "--seed",   "7"};
    char line[256] = "";
    int ends[2];
    for (int i = 0; options[i]; i++) {
        assert_true(i < OPTIONS_MAX);
        words[i + FIXED] = options[i];
    }
    assert_int_equal(pipe(ends), 0);
    *served = (struct served){.process = fork()};
    assert_true(served->process >= 0);
    if (!served->process) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        dup2(ends[1], STDERR_FILENO);
        close(ends[0]), close(ends[1]);
        if (!folder || !chdir(folder)) execv(ENSIGN_PROGRAM, (char *const *)(uintptr_t)words);
        _exit(127);
    }
    close(ends[1]);
    served->lines = fdopen(ends[0], "r");
    assert_non_null(served->lines);
    const char *port = NULL;
    while (!port && fgets(line, sizeof line, served->lines)) port = strstr(line, host);
    if (!port) fail_msg("the server did not start: %s", line);
    served->port = atoi(port + strlen(host));
    snprintf(served->url, sizeof served->url, "http://%s%d/", host, served->port);
}

int served_end(struct served *served, int number) {
    int status = 0;
    if (number) kill(served->process, number);
    while (waitpid(served->process, &status, 0) < 0 && errno == EINTR) continue;
    fclose(served->lines);
    served->process = 0;
    return status;
}
