/* runaway.c - an external program that flees: it says a line, and from then on each process starts
 * another in a session of its own and leaves at once. */
#include <stdio.h>
#include <unistd.h>

int main(void) {
    puts("catch me");
    fflush(stdout);
    for (;;) {
        if (fork() > 0) _exit(0);
        setsid();
    }
}
