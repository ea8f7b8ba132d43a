/* place.h - how a process names a function or a constant of the program to another one.
 *
 * All processes run one program, but it lies at another address in a zygote that was started anew
 * (nursery.h). So what is told is the place in the program. */
#ifndef ENSIGN_JAIL_PLACE_H
#define ENSIGN_JAIL_PLACE_H

#include <stdint.h>

/* The place of what lies at this address, and the address of what has this place. That of NULL is
 * 0. */
uintptr_t place_of(uintptr_t address);
uintptr_t place_find(uintptr_t place);

#endif
