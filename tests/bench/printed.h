/* printed.h - what a program prints. */
#ifndef BENCH_PRINTED_H
#define BENCH_PRINTED_H

#include <stddef.h>

/* Runs a program with arguments of the shell; what it printed, errors too, ends up in `out`, up to
 * size - 1 bytes. Returns the exit code. */
int printed(const char *program, const char *arguments, char *out, size_t size);

#endif
