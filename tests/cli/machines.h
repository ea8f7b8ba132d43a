/* machines.h - a NATS server, workers and a coordinator, each a process of its own.
 *
 * None outlives the test, also one that fails. */
#ifndef ENSIGN_TESTS_CLI_MACHINES_H
#define ENSIGN_TESTS_CLI_MACHINES_H

#include <stdbool.h>
#include <sys/types.h>

/* The server, with JetStream in a folder of its own. */
struct nats {
    pid_t process; /* 0: it does not run */
    int port;
    char store[64], url[64];
};

/* Starts it on a free port of 127.0.0.1 with these further options (NULL: none), and waits until it
 * answers. With `jetstream` false it has none. */
void nats_open(struct nats *nats, bool jetstream, const char *const *options);

/* Kills it; starts it again on its port, with what it had stored. */
void nats_kill(struct nats *nats);
void nats_start(struct nats *nats);

/* Kills it and removes its folder. */
void nats_close(struct nats *nats);

/* The program in the background, with its output in files. */
struct machine {
    pid_t process; /* 0: it has ended */
    char out[64], err[64];
};

/* Starts it with these arguments, up to a NULL. */
struct machine machine_start(const char *const *arguments);
#define MACHINE(...) machine_start((const char *const[]){__VA_ARGS__, (void *)0})

/* The same for a part of the test itself: in the new process it returns true. */
bool machine_fork(struct machine *machine);

/* A worker with this name and number of threads ("2"). */
struct machine worker_start(const char *url, const char *name, const char *threads);

/* Ends it, well, and removes its files. */
void worker_end(struct machine *worker);

/* Waits until its standard error holds the text. */
void machine_await(const struct machine *machine, const char *text);

/* Waits until it has written so many lines to its standard output. */
void machine_await_lines(const struct machine *machine, int lines);

/* What it has written so far; the caller frees. */
char *machine_text(const struct machine *machine, bool err);

/* Sends it a signal (0: none), waits for its end, and returns its exit code, 128 + signal if one
 * ended it. */
int machine_end(struct machine *machine, int number);

/* Removes its files; it must have ended. */
void machine_clear(struct machine *machine);

/* Waits for a while, on a machine that may be busy. */
void wait_ms(int ms);

#endif
