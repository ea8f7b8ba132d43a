/* gate.h - a way to a server that can be cut for a while or be slow, or, to a NATS server, change
 * what a worker sends. */
#ifndef ENSIGN_TESTS_CLI_GATE_H
#define ENSIGN_TESTS_CLI_GATE_H

#include <stdatomic.h>
#include <stdbool.h>

struct gate;

/* Opens it in front of a server at this port of 127.0.0.1. */
struct gate *gate_open(int port);
const char *gate_url(const struct gate *gate); /* of NATS */
int gate_port(const struct gate *gate);

/* Nothing comes through, in either direction, but no connection is closed. */
void gate_cut(struct gate *gate, bool cut);

/* From now on everything comes through so many milliseconds later, in each direction. */
void gate_delay(struct gate *gate, int ms);

/* From now on, each pair of games that passes says that the other side has won its first game. */
void gate_lie(struct gate *gate);

/* Pairs that were changed. */
int gate_lies(const struct gate *gate);

void gate_close(struct gate *gate);

#endif
