/* driver.c - lines through two pipes. */
#include "driver.h"

#include "console.h"
#include "host/schema.h"
#include "serve/quoted.h"

#include <errno.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/* A program that plays; its argument says how it treats draws. */
static const char PROGRAM_TEXT[] =
    "import sys, json\n"
    "mode, offered = sys.argv[1], False\n"
    "def say(**message): print(json.dumps(message), flush=True)\n"
    "for line in sys.stdin:\n"
    "    asked = json.loads(line)\n"
    "    if asked['type'] == 'setup': say(type='setup', setup=None)\n"
    "    elif asked['type'] == 'draw': say(type='draw', accept=mode == 'accepts')\n"
    "    elif asked['type'] == 'move':\n"
    "        if mode == 'silent': continue\n"
    "        if mode == 'offers' and not offered:\n"
    "            offered = True\n"
    "            say(type='draw')\n"
    "        else: say(type='move', move=asked['moves'][asked['ply'] % len(asked['moves'])])\n";

enum { PATIENCE_MS = 60000, PIECE = 65536 };
enum { FIXED = 5 /* words that each start has */, OPTIONS_MAX = 8 };

void driver_open(struct driver *driver, const char *const *options) {
    const char *list[FIXED + OPTIONS_MAX + 1] = {ENSIGN_PROGRAM, "serve", "--stdio", "--seed", "7"};
    int in[2], out[2];
    for (int i = 0; options[i] && i < OPTIONS_MAX; i++) list[i + FIXED] = options[i];
    signal(SIGPIPE, SIG_IGN);
    assert_int_equal(pipe(in), 0);
    assert_int_equal(pipe(out), 0);
    *driver = (struct driver){.pid = fork(), .in = in[1], .out = out[0]};
    assert_true(driver->pid >= 0);
    if (!driver->pid) {
        dup2(in[0], STDIN_FILENO);
        dup2(out[1], STDOUT_FILENO);
        close(in[0]), close(in[1]), close(out[0]), close(out[1]);
        execv(ENSIGN_PROGRAM, (char *const *)(uintptr_t)list);
        _exit(127);
    }
    close(in[0]), close(out[1]);
}

void driver_send(struct driver *driver, const void *bytes, size_t length) {
    const char *left = bytes;
    while (length) {
        ssize_t written = write(driver->in, left, length);
        if (written < 0) return; /* the program has ended; its output decides */
        left += written;
        length -= (size_t)written;
    }
}

void driver_say(struct driver *driver, const char *form, ...) {
    char line[QUOTED_MAX + 1], why[SCHEMA_WHY_MAX];
    va_list args;
    va_start(args, form);
    int length = quoted_write(line, form, args);
    va_end(args);
    if (!schema_fits_line("from_client", line, (size_t)length, why)) fail_msg("%s: %s", line, why);
    line[length++] = '\n';
    driver_send(driver, line, (size_t)length);
}

/* Reads a piece. False at the end. */
static bool read_more(struct driver *driver) {
    struct pollfd ready = {.fd = driver->out, .events = POLLIN};
    if (poll(&ready, 1, PATIENCE_MS) <= 0) {
        kill(driver->pid, SIGKILL);
        fail_msg("no answer after: %s", driver->line ? driver->line : "nothing");
    }
    if (driver->at) memmove(driver->text, driver->text + driver->at, driver->length - driver->at);
    driver->length -= driver->at;
    driver->at = 0;
    driver->text = realloc(driver->text, driver->length + PIECE + 1);
    assert_non_null(driver->text);
    ssize_t got = read(driver->out, driver->text + driver->length, PIECE);
    if (got > 0) driver->length += (size_t)got;
    return got > 0;
}

const json_t *driver_hear(struct driver *driver) {
    char why[SCHEMA_WHY_MAX], *end = NULL;
    while (driver->at == driver->length ||
           !(end = memchr(driver->text + driver->at, '\n', driver->length - driver->at)))
        if (!read_more(driver)) return NULL;
    char *line = driver->text + driver->at;
    *end = 0;
    driver->at += (size_t)(end - line) + 1;
    driver->line = line;
    json_decref(driver->message);
    json_error_t error;
    driver->message = json_loadb(line, (size_t)(end - line), JSON_REJECT_DUPLICATES, &error);
    if (!driver->message) fail_msg("%s: %.300s", error.text, line);
    if (!schema_fits("from_host", driver->message, why)) fail_msg("%.300s: %s", line, why);
    return driver->message;
}

const char *driver_text(const struct driver *driver, const char *key) {
    const char *text = json_string_value(json_object_get(driver->message, key));
    if (!text) fail_msg("no text \"%s\" in %.300s", key, driver->line);
    return text;
}

long driver_number(const struct driver *driver, const char *key) {
    const json_t *number = json_object_get(driver->message, key);
    if (!json_is_integer(number)) fail_msg("no number \"%s\" in %.300s", key, driver->line);
    return (long)json_integer_value(number);
}

const json_t *driver_await(struct driver *driver, const char *type) {
    for (;;) {
        if (!driver_hear(driver)) fail_msg("the program ended before \"%s\"", type);
        const char *got = driver_text(driver, "type");
        if (!strcmp(got, type)) return driver->message;
        if (!strcmp(got, "error")) fail_msg("expected \"%s\": %.400s", type, driver->line);
    }
}

void driver_expect_error(struct driver *driver, const char *text) {
    for (;;) {
        if (!driver_hear(driver)) fail_msg("the program ended before an error of \"%s\"", text);
        if (!strcmp(driver_text(driver, "type"), "error")) break;
    }
    if (!strstr(driver_text(driver, "message"), text))
        fail_msg("expected \"%s\": %.400s", text, driver->line);
}

const char *driver_move(const struct driver *driver, size_t number) {
    const json_t *moves = json_object_get(driver->message, "moves");
    assert_true(json_array_size(moves) > 0);
    return json_string_value(json_array_get(moves, number % json_array_size(moves)));
}

int driver_close(struct driver *driver) {
    int status = 0;
    close(driver->in);
    while (driver_hear(driver)) continue;
    close(driver->out);
    while (waitpid(driver->pid, &status, 0) < 0 && errno == EINTR) continue;
    json_decref(driver->message);
    free(driver->text);
    *driver = (struct driver){.pid = driver->pid};
    return status;
}

const char *driver_program(const char *mode) {
    static char command[512];
    const char *path = console_file(0, "player.py", PROGRAM_TEXT);
    snprintf(command, sizeof command, "json:python3 %s %s", path, mode);
    return command;
}

void driver_answer(struct driver *driver, size_t number) {
    driver_say(driver, "{'type':'move','game':'%s','seat':'%s','move':'%s','ply':%ld}",
               driver_text(driver, "game"), driver_text(driver, "seat"),
               driver_move(driver, number), driver_number(driver, "ply"));
}

void driver_play_until(struct driver *driver, const char *type) {
    for (size_t number = 3;; number = number * 5 + 1) {
        assert_non_null(driver_hear(driver));
        const char *got = driver_text(driver, "type");
        if (!strcmp(got, type)) return;
        if (!strcmp(got, "error") || !strcmp(got, "refused")) fail_msg("%.400s", driver->line);
        if (!strcmp(got, "move")) driver_answer(driver, number >> 3);
        if (!strcmp(got, "setup"))
            driver_say(driver, "{'type':'setup','game':'%s','seat':'%s','setup':null}",
                       driver_text(driver, "game"), driver_text(driver, "seat"));
    }
}

char *driver_record(struct driver *driver, const char *game) {
    driver_say(driver, "{'type':'record','game':'%s'}", game);
    driver_await(driver, "record");
    return strdup(driver_text(driver, "record"));
}
