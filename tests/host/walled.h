/* walled.h - games of bots in processes of their own, for tests. */
#ifndef ENSIGN_TESTS_HOST_WALLED_H
#define ENSIGN_TESTS_HOST_WALLED_H

#include "host/player.h"
#include "host/usage.h"
#include "jail/zygote.h"

/* Deadlines in ms: one that does not expire on the busiest machine, one that does. */
enum { PATIENT = 20000, QUICK = 1500, CHILDREN_MAX = 64 };

extern struct rules *walled_rules;            /* of the running test */
extern char walled_seen[FAULT_TEXT_MAX];      /* what the last bot forfeited for */
extern char walled_seen_file[FAULT_FILE_MAX]; /* and where */
extern struct usage walled_usage;             /* of red in the last game */

/* Before and after each test. */
int walled_open(void **state);
int walled_close(void **state);

/* Writes a bot's file and returns `path`, which holds 128 bytes. */
const char *walled_bot(const char *name, const char *text, char *path);

struct player_options walled_options(struct template *template, int deadline);
struct template *walled_template(struct sandbox_limits limits);

/* One game; red is the bot at `path`, blue is rookie in this process. */
enum reason walled_play(struct template *template, int deadline, const char *path);

/* The last bot forfeited with these words among its reasons. */
void walled_assert_seen(const char *words);

#define WALLED(test) cmocka_unit_test_setup_teardown(test, walled_open, walled_close)

#endif
