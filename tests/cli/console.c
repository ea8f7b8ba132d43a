/* console.c - the program run by a test, through pipes or at a pseudo-terminal.
 *
 * A conversation cannot be driven by handing over all input at once and looking at the output
 * afterwards: the next input depends on the last output, and a prompt that is not flushed must
 * fail the test. */
#define _XOPEN_SOURCE 700 /* nftw */
#include "console.h"

#include "base/files.h"

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

const char *console_terminal = "xterm";

static _Noreturn void start(const char *const *words) {
    execvp(words[0], (char *const *)(uintptr_t)words);
    _exit(127);
}

/* The words, then the program and its arguments. */
static void join(const char *list[ARGUMENTS_MAX], const char *const *words,
                 const char *const *arguments) {
    int count = 0;
    while (*words) list[count++] = *words++;
    list[count++] = ENSIGN_PROGRAM;
    while (*arguments && count + 1 < ARGUMENTS_MAX) list[count++] = *arguments++;
    list[count] = NULL;
}

static void open_terminal(struct console *console, const char *const *words) {
    struct winsize size = {.ws_row = 24, .ws_col = 80};
    console->pid = forkpty(&console->in, NULL, NULL, &size);
    if (console->pid < 0) {
        print_message("no pseudo-terminals here\n");
        console_clear(console);
        skip();
    }
    if (!console->pid) {
        setenv("TERM", console_terminal, 1);
        unsetenv("NO_COLOR");
        /* Tests send crash signals, which a sanitizer must not handle. */
        setenv("ASAN_OPTIONS", "handle_segv=0:handle_abort=0", 1);
        start(words);
    }
    console->out = console->in;
    struct termios state;
    tcgetattr(console->in, &state);
    state.c_lflag &= ~(tcflag_t)ECHO; /* an echo must not be mistaken for an answer */
    tcsetattr(console->in, TCSANOW, &state);
}

static void open_pipes(struct console *console, const char *const *words) {
    int in[2], out[2];
    assert_int_equal(pipe(in), 0);
    assert_int_equal(pipe(out), 0);
    console->pid = fork();
    assert_true(console->pid >= 0);
    if (!console->pid) {
        dup2(in[0], STDIN_FILENO);
        dup2(out[1], STDOUT_FILENO);
        dup2(out[1], STDERR_FILENO);
        close(in[0]), close(in[1]), close(out[0]), close(out[1]);
        start(words);
    }
    close(in[0]), close(out[1]);
    console->in = in[1];
    console->out = out[0];
}

static void reset(struct console *console) {
    signal(SIGPIPE, SIG_IGN);
    memset(console, 0, sizeof *console);
    console->text = calloc(1, 1);
}

void console_open(struct console *console, bool terminal, const char *const *arguments) {
    const char *words[ARGUMENTS_MAX];
    join(words, (const char *const[]){NULL}, arguments);
    reset(console);
    (terminal ? open_terminal : open_pipes)(console, words);
}

void console_open_in_shell(struct console *console, const char *const *arguments) {
    static const char script[] =
        "\"$0\" \"$@\"; while echo 'stopped here' && read line; do fg >/dev/null || exit; done";
    const char *words[ARGUMENTS_MAX];
    join(words, (const char *const[]){"/bin/sh", "-mc", script, NULL}, arguments);
    console_open_other(console, words);
}

void console_open_other(struct console *console, const char *const *words) {
    reset(console);
    open_terminal(console, words);
}

void console_send(struct console *console, const char *text) {
    size_t length = strlen(text);
    while (length) {
        ssize_t written = write(console->in, text, length);
        if (written < 0) return; /* the program has ended; its output decides */
        text += written;
        length -= (size_t)written;
    }
}

/* The end of the output: a cmocka message holds no more. */
static const char *tail(const struct console *console) {
    enum { TAIL = 700 };
    return console->text + (console->length > TAIL ? console->length - TAIL : 0);
}

bool console_receive(struct console *console) {
    struct pollfd ready = {.fd = console->out, .events = POLLIN};
    if (poll(&ready, 1, PATIENCE_MS) <= 0) {
        kill(console->pid, SIGKILL);
        fail_msg("no answer after:\n%s", tail(console));
    }
    char piece[4096];
    ssize_t length = read(console->out, piece, sizeof piece);
    if (length <= 0) return false;
    console->text = realloc(console->text, console->length + (size_t)length + 1);
    assert_non_null(console->text);
    memcpy(console->text + console->length, piece, (size_t)length);
    console->length += (size_t)length;
    console->text[console->length] = 0;
    return true;
}

int console_expect_any(struct console *console, const char *const *words) {
    for (;;) {
        const char *first = NULL;
        int which = -1;
        for (int i = 0; words[i]; i++) {
            const char *found = strstr(console->text + console->seen, words[i]);
            if (!found || (first && found >= first)) continue;
            first = found;
            which = i;
        }
        if (first) {
            console->seen = (size_t)(first - console->text) + strlen(words[which]);
            return which;
        }
        if (!console_receive(console)) fail_msg("expected \"%s\" in:\n%s", words[0], tail(console));
    }
}

void console_expect(struct console *console, const char *word) {
    console_expect_any(console, (const char *const[]){word, NULL});
}

int console_finish(struct console *console) {
    if (console->in == console->out)
        console_send(console, "\004");
    else
        close(console->in);
    while (console_receive(console)) continue;
    close(console->out);
    int status = 0;
    while (waitpid(console->pid, &status, 0) < 0 && errno == EINTR) continue;
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

int console_break(struct console *console, int number) {
    int status = 0;
    if (number) {
        kill(console->pid, number);
        while (console_receive(console)) continue;
    } else if (console->in != console->out) {
        close(console->in);
    }
    close(console->out);
    while (waitpid(console->pid, &status, 0) < 0 && errno == EINTR) continue;
    return status;
}

void console_pick_move(const char *listed, unsigned turn, char move[32]) {
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

void console_clear(struct console *console) {
    free(console->text);
    console->text = NULL;
}

int console_run(struct console *console, const char *input, const char *const *arguments) {
    console_open(console, false, arguments);
    console_send(console, input);
    return console_finish(console);
}

static char folder[64];

static int remove_one(const char *path, const struct stat *about, int type, struct FTW *walk) {
    (void)about, (void)type, (void)walk;
    return remove(path);
}

static void remove_folder(void) {
    nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

const char *console_folder(void) {
    if (!*folder) {
        strcpy(folder, "/tmp/ensign-test-XXXXXX");
        assert_non_null(mkdtemp(folder));
        atexit(remove_folder);
        setenv("HOME", folder, 1);
        setenv("XDG_STATE_HOME", folder, 1);
    }
    return folder;
}

const char *console_file(int slot, const char *name, const char *text) {
    static char paths[4][256];
    snprintf(paths[slot], sizeof paths[slot], "%s/%s", console_folder(), name);
    assert_true(files_folders(paths[slot], 0, NULL));
    FILE *file = fopen(paths[slot], "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
    return paths[slot];
}
