/* table.h - two people in a game of a lobby. */
#ifndef ENSIGN_TESTS_SERVE_TABLE_H
#define ENSIGN_TESTS_SERVE_TABLE_H

#include "people.h"

enum { WORD_BYTES = 64 };

/* A hidden game that red has made, and invited blue to; `seat` are the secrets. */
struct table {
    char game[WORD_BYTES], seat[2][WORD_BYTES], invite[WORD_BYTES];
};

/* Copies a text of the last message; the invitation to a seat of the game just made. */
void person_copies(char copy[WORD_BYTES], const struct person *person, const char *key);
void person_copies_invite(char copy[WORD_BYTES], const struct person *maker, const char *side);

/* Red, by the name Ana, makes a game with this clock ("null": none), and the friend accepts the
 * invitation by the name Boris. */
struct table table_with_clock(struct person *maker, struct person *friend, const char *variant,
                              const char *clock);
struct table table_of(struct person *maker, struct person *friend, const char *variant);

/* Lays out once asked. */
void person_lays_out(struct person *person);

/* Both lay out, and move `count` times; red first. */
void table_begins(struct person *red, struct person *blue, int count);
void table_goes_on(struct person *one, struct person *other, int count);

#endif
