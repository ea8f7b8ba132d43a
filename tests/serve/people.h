/* people.h - a lobby for many clients inside the test, and the people who play there.
 *
 * What people say is written with ' for ", as "{'type':'list',…}". Every function fails the running
 * test when the lobby does not answer within a minute. */
#ifndef ENSIGN_TESTS_SERVE_PEOPLE_H
#define ENSIGN_TESTS_SERVE_PEOPLE_H

#include "serve/lobby.h"

struct house {
    struct archive *archive;
    struct lobby *lobby;
};

/* Opens a lobby with its games in `folder` (NULL: in memory alone). */
void house_open(struct house *house, const char *folder, struct room_waits waits);
void house_open_for(struct house *house, const char *folder, struct room_waits waits,
                    struct slots_terms bots); /* with so many */
void house_close(struct house *house);

struct person {
    struct house *house;
    struct client *client;
    const char *setup; /* what it lays out: "duel-corner", or what a test says */
    char *text;        /* heard and not looked at yet; owned */
    size_t length, at;
    const char *line; /* of the last message */
    json_t *message;  /* the last one; owned */
};

void person_comes(struct person *person, struct house *house);
void person_comes_from(struct person *person, struct house *house, struct visitors *visitors,
                       const char *address);
void person_goes(struct person *person);

__attribute__((format(printf, 2, 3))) void person_says(struct person *person, const char *form,
                                                       ...);

/* The next message. */
const json_t *person_hears(struct person *person);

/* Skips messages up to the next one of this type; fails the test if an error comes before. */
const json_t *person_awaits(struct person *person, const char *type);

/* The same for an `error` that holds `text`. */
void person_is_refused(struct person *person, const char *text);

/* A text of the last message; fails the test if there is none. */
const char *person_text(const struct person *person, const char *key);

/* A number of the last message; -1: null. */
long person_number(const struct person *person, const char *key);

/* Answers the last question: lays out, or makes a quiet move. */
void person_answers(struct person *person);

/* Answers `count` questions for moves, and set-ups before. */
void person_plays(struct person *person, int count);

#endif
