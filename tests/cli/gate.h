/* gate.h - a way to a server that can be cut for a while or be slow. */
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

void gate_close(struct gate *gate);

#endif
