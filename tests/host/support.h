/* support.h - what the tests of this folder share. Every function fails the running test on
 * an error. */
#ifndef ENSIGN_TESTS_HOST_SUPPORT_H
#define ENSIGN_TESTS_HOST_SUPPORT_H

#include "host/playback.h"
#include "lua/folders.h"

const struct folders *support_folders(void);

/* The rules of a stock variant; the caller frees. */
struct rules *support_rules(const char *name);

/* The rules of duel, for a group of tests that loads them before and drops them after. */
extern struct rules *duel;
int load_duel(void **state);
int drop_duel(void **state);

/* The folder of real data, NULL if it is not there: $ENSIGN_SHARED/data, else beside the sources.
 */
const char *support_data(void);

/* A record that must be free of faults; the caller frees. */
struct record *support_record(const char *text);

/* A fresh empty folder for files; `path` holds 64 bytes. support_remove() removes it with all
 * files in it. */
void support_folder(char path[64]);
void support_remove(const char *path);

/* Such a folder around a single test. */
extern char test_folder[64];
int make_test_folder(void **state);
int remove_test_folder(void **state);

#endif
