/* session.c - the program run by a test, through pipes or at a pseudo-terminal.
 *
 * A conversation cannot be driven by handing over all input at once and looking at the output
 * afterwards: the next input depends on the last output, and a prompt that is not flushed must
 * fail the test. */
#define _XOPEN_SOURCE 700 /* nftw */
#include "session.h"

#include <errno.h>
#include <ftw.h>
#include <poll.h>
#include <pty.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <cmocka.h>

enum { ARGUMENTS_MAX = 24, PATIENCE_MS = 30000 };

static _Noreturn void start(const char *const *arguments) {
    const char *list[ARGUMENTS_MAX] = {ENSIGN_PROGRAM};
    for (int i = 0; arguments[i] && i + 2 < ARGUMENTS_MAX; i++) list[i + 1] = arguments[i];
    execv(ENSIGN_PROGRAM, (char *const *)(uintptr_t)list);
    _exit(127);
}

static void open_terminal(struct session *session, const char *const *arguments) {
    struct winsize size = {.ws_row = 24, .ws_col = 80};
    session->pid = forkpty(&session->in, NULL, NULL, &size);
    if (session->pid < 0) {
        print_message("no pseudo-terminals here\n");
        session_clear(session);
        skip();
    }
    if (!session->pid) {
        setenv("TERM", "xterm", 1);
        unsetenv("NO_COLOR");
        /* Tests send crash signals, which a sanitizer must not handle. */
        setenv("ASAN_OPTIONS", "handle_segv=0:handle_abort=0", 1);
        start(arguments);
    }
    session->out = session->in;
    struct termios state;
    tcgetattr(session->in, &state);
    state.c_lflag &= ~(tcflag_t)ECHO; /* an echo must not be mistaken for an answer */
    tcsetattr(session->in, TCSANOW, &state);
}

static void open_pipes(struct session *session, const char *const *arguments) {
    int in[2], out[2];
    assert_int_equal(pipe(in), 0);
    assert_int_equal(pipe(out), 0);
    session->pid = fork();
    assert_true(session->pid >= 0);
    if (!session->pid) {
        dup2(in[0], STDIN_FILENO);
        dup2(out[1], STDOUT_FILENO);
        dup2(out[1], STDERR_FILENO);
        close(in[0]), close(in[1]), close(out[0]), close(out[1]);
        start(arguments);
    }
    close(in[0]), close(out[1]);
    session->in = in[1];
    session->out = out[0];
}

void session_open(struct session *session, bool terminal, const char *const *arguments) {
    signal(SIGPIPE, SIG_IGN);
    memset(session, 0, sizeof *session);
    session->text = calloc(1, 1);
    if (terminal)
        open_terminal(session, arguments);
    else
        open_pipes(session, arguments);
}

void session_send(struct session *session, const char *text) {
    size_t length = strlen(text);
    while (length) {
        ssize_t written = write(session->in, text, length);
        if (written < 0) return; /* the program has ended; its output decides */
        text += written;
        length -= (size_t)written;
    }
}

/* The end of the output: a cmocka message holds no more. */
static const char *tail(const struct session *session) {
    enum { TAIL = 700 };
    return session->text + (session->length > TAIL ? session->length - TAIL : 0);
}

bool session_receive(struct session *session) {
    struct pollfd ready = {.fd = session->out, .events = POLLIN};
    if (poll(&ready, 1, PATIENCE_MS) <= 0) {
        kill(session->pid, SIGKILL);
        fail_msg("no answer after:\n%s", tail(session));
    }
    char piece[4096];
    ssize_t length = read(session->out, piece, sizeof piece);
    if (length <= 0) return false;
    session->text = realloc(session->text, session->length + (size_t)length + 1);
    assert_non_null(session->text);
    memcpy(session->text + session->length, piece, (size_t)length);
    session->length += (size_t)length;
    session->text[session->length] = 0;
    return true;
}

int session_expect_any(struct session *session, const char *const *words) {
    for (;;) {
        const char *first = NULL;
        int which = -1;
        for (int i = 0; words[i]; i++) {
            const char *found = strstr(session->text + session->seen, words[i]);
            if (!found || (first && found >= first)) continue;
            first = found;
            which = i;
        }
        if (first) {
            session->seen = (size_t)(first - session->text) + strlen(words[which]);
            return which;
        }
        if (!session_receive(session)) fail_msg("expected \"%s\" in:\n%s", words[0], tail(session));
    }
}

void session_expect(struct session *session, const char *word) {
    session_expect_any(session, (const char *const[]){word, NULL});
}

int session_finish(struct session *session) {
    if (session->in == session->out)
        session_send(session, "\004");
    else
        close(session->in);
    while (session_receive(session)) continue;
    close(session->out);
    int status = 0;
    while (waitpid(session->pid, &status, 0) < 0 && errno == EINTR) continue;
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

int session_break(struct session *session, int number) {
    int status = 0;
    if (number) {
        kill(session->pid, number);
        while (session_receive(session)) continue;
    } else if (session->in != session->out) {
        close(session->in);
    }
    close(session->out);
    while (waitpid(session->pid, &status, 0) < 0 && errno == EINTR) continue;
    return status;
}

void session_pick_move(const char *listed, unsigned turn, char move[32]) {
    int count = 0;
    char line[8192];
    snprintf(line, sizeof line, "%s", listed);
    *move = 0;
    for (char *word = strtok(line, " \r\n"); word; word = strtok(NULL, " \r\n")) {
        const char *sign = strpbrk(word, "-x");
        if (strlen(word) > 9 || strlen(word) < 5 || !sign || sign[1] < 'a' || sign[1] > 'p' ||
            word[1] < '0' || word[1] > '9')
            continue;
        count++;
        turn = turn * 1664525u + 1013904223u;
        bool attack = *sign == 'x';
        if (attack || (turn >> 8) % (unsigned)count == 0) snprintf(move, 32, "%s", word);
        if (attack) return;
    }
}

void session_clear(struct session *session) {
    free(session->text);
    session->text = NULL;
}

int session_run(struct session *session, const char *input, const char *const *arguments) {
    session_open(session, false, arguments);
    session_send(session, input);
    return session_finish(session);
}

static char folder[64];

static int remove_one(const char *path, const struct stat *about, int type, struct FTW *walk) {
    (void)about, (void)type, (void)walk;
    return remove(path);
}

static void remove_folder(void) {
    nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

const char *session_folder(void) {
    if (!*folder) {
        strcpy(folder, "/tmp/ensign-test-XXXXXX");
        assert_non_null(mkdtemp(folder));
        atexit(remove_folder);
        setenv("HOME", folder, 1);
        setenv("XDG_STATE_HOME", folder, 1);
    }
    return folder;
}

const char *session_file(int slot, const char *name, const char *text) {
    static char paths[4][256];
    snprintf(paths[slot], sizeof paths[slot], "%s/%s", session_folder(), name);
    FILE *file = fopen(paths[slot], "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
    return paths[slot];
}
