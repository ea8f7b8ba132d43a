/* driver.h - a client of `ensign serve --stdio`, as a test.
 *
 * Every message in both directions is held against the schema. Messages to be sent are written with
 * ' for ". Every function fails the running test when the program does not answer within a minute.
 */
#ifndef ENSIGN_TESTS_CLI_DRIVER_H
#define ENSIGN_TESTS_CLI_DRIVER_H

#include <jansson.h>
#include <sys/types.h>

struct driver {
    pid_t pid;
    int in, out;
    char *text; /* read and not heard yet; owned */
    size_t length, at;
    const char *line; /* of the last message, without its end; valid until the next */
    json_t *message;  /* the last one; owned */
};

/* Starts the program with these options, ended by NULL, behind `serve --stdio` and a fixed seed. */
void driver_open(struct driver *driver, const char *const *options);
#define DRIVER_OPEN(driver, ...) driver_open(driver, (const char *const[]){__VA_ARGS__, NULL})

/* Sends a request that fits the schema, or any bytes. */
__attribute__((format(printf, 2, 3))) void driver_say(struct driver *driver, const char *form, ...);
void driver_send(struct driver *driver, const void *bytes, size_t length);

/* The next message; NULL at the end of the output. */
const json_t *driver_hear(struct driver *driver);

/* Skips messages up to the next one of this type; fails the test if an error comes before. */
const json_t *driver_await(struct driver *driver, const char *type);

/* Skips messages up to the next `error`, whose words must hold `text`. */
void driver_expect_error(struct driver *driver, const char *text);

/* A text of the last message; fails the test if there is none. */
const char *driver_text(const struct driver *driver, const char *key);
long driver_number(const struct driver *driver, const char *key);

/* The n-th move of the last question, counted around. */
const char *driver_move(const struct driver *driver, size_t number);

/* Answers the last question with its n-th move. */
void driver_answer(struct driver *driver, size_t number);

/* Answers every question, set-ups by chance, until a message of this type comes. */
void driver_play_until(struct driver *driver, const char *type);

/* The record of a game; free it. */
char *driver_record(struct driver *driver, const char *game);

/* "json:COMMAND" of a program that plays any legal move and "accepts", "declines" or "offers" draws
 * (once), or that is "silent" when asked for a move. Valid until the next call. */
const char *driver_program(const char *mode);

/* Closes its end, reads what is still said and waits. Returns the status of waitpid(). */
int driver_close(struct driver *driver);

#endif
