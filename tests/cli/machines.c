#define _GNU_SOURCE
#include "machines.h"

#include "program.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

enum { OPTIONS_MAX = 16, ARGUMENTS_MAX = 40, PATIENCE_MS = 60000, STEP_MS = 20 };

static const char *const *nats_options;

void wait_ms(int ms) {
    struct timespec left = {ms / 1000, ms % 1000 * 1000000L};
    while (nanosleep(&left, &left) && errno == EINTR) {}
}

static struct sockaddr_in place(int port) {
    return (struct sockaddr_in){.sin_family = AF_INET,
                                .sin_port = htons((uint16_t)port),
                                .sin_addr = {htonl(INADDR_LOOPBACK)}};
}

static int free_port(void) {
    struct sockaddr_in at = place(0);
    socklen_t size = sizeof at;
    int listening = socket(AF_INET, SOCK_STREAM, 0);
    assert_int_equal(bind(listening, (struct sockaddr *)&at, size), 0);
    assert_int_equal(getsockname(listening, (struct sockaddr *)&at, &size), 0);
    close(listening);
    return ntohs(at.sin_port);
}

static bool answers(int port) {
    struct sockaddr_in at = place(port);
    char greeting[5] = "";
    int to = socket(AF_INET, SOCK_STREAM, 0);
    bool came = !connect(to, (struct sockaddr *)&at, sizeof at) &&
                recv(to, greeting, 4, MSG_WAITALL) == 4 && !strcmp(greeting, "INFO");
    close(to);
    return came;
}

static pid_t start(const char *const *words, const char *program, int out, int err) {
    pid_t process = fork();
    assert_true(process >= 0);
    if (process) return process;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    dup2(out, STDOUT_FILENO);
    dup2(err, STDERR_FILENO);
    execvp(program, (char *const *)(uintptr_t)words);
    _exit(127);
}

void nats_start(struct nats *nats) {
    char port[16];
    const char *words[OPTIONS_MAX + 8] = {"nats-server", "-a", "127.0.0.1", "-p", port};
    int count = 5, nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    snprintf(port, sizeof port, "%d", nats->port);
    if (nats->store[0])
        words[count++] = "-js", words[count++] = "-sd", words[count++] = nats->store;
    for (int i = 0; nats_options && nats_options[i]; i++) words[count++] = nats_options[i];
    /* It lies in /usr/sbin, which is not in everybody's PATH. */
    const char *program =
        access("/usr/sbin/nats-server", X_OK) ? "nats-server" : "/usr/sbin/nats-server";
    nats->process = start(words, program, nowhere, nowhere);
    close(nowhere);
    for (int waited = 0; !answers(nats->port); waited += STEP_MS) {
        if (waited > PATIENCE_MS || waitpid(nats->process, NULL, WNOHANG))
            fail_msg("the NATS server does not start");
        wait_ms(STEP_MS);
    }
}

void nats_open(struct nats *nats, bool jetstream, const char *const *options) {
    *nats = (struct nats){.port = free_port()};
    nats_options = options;
    snprintf(nats->url, sizeof nats->url, "nats://127.0.0.1:%d", nats->port);
    if (jetstream) {
        strcpy(nats->store, "/tmp/ensign-nats-XXXXXX");
        assert_non_null(mkdtemp(nats->store));
    }
    nats_start(nats);
}

void nats_kill(struct nats *nats) {
    kill(nats->process, SIGKILL);
    waitpid(nats->process, NULL, 0);
    nats->process = 0;
}

static int remove_file(const char *path, const struct stat *info, int type, struct FTW *where) {
    (void)info, (void)type, (void)where;
    return remove(path);
}

void nats_close(struct nats *nats) {
    if (nats->process) nats_kill(nats);
    if (nats->store[0]) nftw(nats->store, remove_file, 8, FTW_DEPTH | FTW_PHYS);
}

static int temporary(char path[64]) {
    strcpy(path, "/tmp/ensign-output-XXXXXX");
    int file = mkostemp(path, O_CLOEXEC);
    assert_true(file >= 0);
    return file;
}

struct machine machine_start(const char *const *arguments) {
    const char *words[ARGUMENTS_MAX + 2] = {ENSIGN_PROGRAM};
    struct machine machine = {0};
    for (int i = 0; arguments[i]; i++) {
        assert_true(i < ARGUMENTS_MAX);
        words[i + 1] = arguments[i];
    }
    int out = temporary(machine.out), err = temporary(machine.err);
    machine.process = start(words, ENSIGN_PROGRAM, out, err);
    close(out);
    close(err);
    return machine;
}

bool machine_fork(struct machine *machine) {
    *machine = (struct machine){0};
    int out = temporary(machine->out), err = temporary(machine->err);
    machine->process = fork();
    assert_true(machine->process >= 0);
    if (!machine->process) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        dup2(out, STDOUT_FILENO);
        dup2(err, STDERR_FILENO);
    }
    close(out);
    close(err);
    return !machine->process;
}

struct machine worker_start(const char *url, const char *name, const char *threads) {
    struct machine machine = MACHINE("worker", url, "--name", name, "-j", threads);
    machine_await(&machine, "waits for matches");
    return machine;
}

char *machine_text(const struct machine *machine, bool err) {
    FILE *file = fopen(err ? machine->err : machine->out, "r");
    assert_non_null(file);
    return program_text(file);
}

void machine_await(const struct machine *machine, const char *text) {
    for (int waited = 0;; waited += STEP_MS) {
        char *so_far = machine_text(machine, true);
        bool there = strstr(so_far, text);
        if (!there && waited > PATIENCE_MS) fail_msg("no \"%s\" in: %s", text, so_far);
        free(so_far);
        if (there) return;
        wait_ms(STEP_MS);
    }
}

void machine_await_lines(const struct machine *machine, int lines) {
    for (int waited = 0, count = 0; count < lines; waited += STEP_MS) {
        char *so_far = machine_text(machine, false);
        if (waited > PATIENCE_MS) fail_msg("%d lines", count);
        count = 0;
        for (const char *c = so_far; *c; c++) count += *c == '\n';
        free(so_far);
        wait_ms(STEP_MS);
    }
}

int machine_end(struct machine *machine, int number) {
    int status = 0;
    if (number) kill(machine->process, number);
    while (waitpid(machine->process, &status, 0) < 0 && errno == EINTR) {}
    machine->process = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void machine_clear(struct machine *machine) {
    unlink(machine->out);
    unlink(machine->err);
}

void worker_end(struct machine *worker) {
    assert_int_equal(machine_end(worker, SIGTERM), 0);
    machine_clear(worker);
}
