#include "shortage.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmocka.h>

enum { LEFT_MAX = 16, LOOKED_AT = 1024 };

static struct rlimit usual;

void shortage_begin(int left) {
    int taken[LEFT_MAX + 1] = {0};
    assert_in_range(left, 0, LEFT_MAX);
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &usual), 0);
    /* Each is the lowest free number, so below the last there are `left` free ones. */
    for (int i = 0; i <= left; i++) assert_true((taken[i] = open("/", O_RDONLY)) >= 0);
    const struct rlimit few = {(rlim_t)taken[left], usual.rlim_max};
    for (int i = 0; i <= left; i++) close(taken[i]);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
}

void shortage_end(void) {
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &usual), 0);
}

int shortage_open(void) {
    int count = 0;
    for (int d = 0; d < LOOKED_AT; d++) count += fcntl(d, F_GETFD) >= 0;
    return count;
}
