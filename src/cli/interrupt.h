/* interrupt.h - a flag that SIGINT, SIGTERM and SIGHUP set, for commands that end tidily. */
#ifndef ENSIGN_CLI_INTERRUPT_H
#define ENSIGN_CLI_INTERRUPT_H

#include <stdatomic.h>
#include <stdbool.h>

/* Clears the flag and catches the signals; one that is ignored (nohup) stays ignored. The first
 * signal restores the defaults: a second one kills. */
atomic_bool *interrupt_catch(void);

/* Restores what interrupt_catch() found. */
void interrupt_release(void);

#endif
