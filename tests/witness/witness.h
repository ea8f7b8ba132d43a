/* witness.h - what witness.c has seen, in a file that test_locked.c reads afterwards. */
#ifndef ENSIGN_TESTS_WITNESS_H
#define ENSIGN_TESTS_WITNESS_H

#include <stdatomic.h>
#include <stdbool.h>

struct witness {
    atomic_uint locked; /* texts run in processes that had locked themselves up */
    atomic_uint open;   /* and in others */
    char first[512];    /* the file of the first of these */
};

#endif
