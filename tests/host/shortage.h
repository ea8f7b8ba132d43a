/* shortage.h - a process with few file descriptors left. */
#ifndef ENSIGN_TESTS_HOST_SHORTAGE_H
#define ENSIGN_TESTS_HOST_SHORTAGE_H

/* Leaves this process so many more descriptors, at most 16; shortage_end() lifts that. */
void shortage_begin(int left);
void shortage_end(void);

/* The descriptors that this process has open below 1024. */
int shortage_open(void);

#endif
