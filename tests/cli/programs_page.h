/* programs_page.h - bots/programs for tests: what its page shows, and an environment to run it in.
 * Every function fails the running test on an error. */
#ifndef ENSIGN_TESTS_CLI_PROGRAMS_PAGE_H
#define ENSIGN_TESTS_CLI_PROGRAMS_PAGE_H

#define PROGRAMS ENSIGN_ROOT "/bots/programs/"

/* The environment of the program under test: the module ensign drives it, and the interpreters are
 * those of the Debian packages, not slower wrappers that may precede them on the PATH. */
void programs_environment(void);

/* The whole page; the caller frees. */
char *programs_page(void);

/* The page from the n-th place (from 0) where it reads `beginning` up to the end of that block of
 * code. NULL if there are not so many. The caller frees. */
char *programs_block(const char *beginning, int n);

/* Writes a program of the page, for which `block` is the text, to an executable file. */
void programs_write(const char *path, const char *block);

#endif
