/* stem.h - loads variants, checks texts and lists files while games run.
 *
 * The program that holds games must not fork processes for bots, and its threads must not wait for
 * a script. So a small process, the stem, is forked once. For each request it forks another, a
 * shoot, that has never held a game: it loads the variant in a locked process (loader.h), sends it
 * to the host and stays, as the nursery of its bots. A variant's calls are answered by processes
 * that the shoot has forked too (oracle.h). From stem_open() on the host forks nothing.
 *
 * All functions but stem_open() and stem_close() may be called by any thread, and wait for their
 * own shoot only. The stem and all that it has started end with the host, even if that is killed. A
 * stem that was killed gives STATUS_SYSTEM faults; nurseries that it has given go on. */
#ifndef ENSIGN_HOST_WALL_STEM_H
#define ENSIGN_HOST_WALL_STEM_H

#include "base/buffer.h"
#include "core/rules/rules.h"
#include "host/check/inspect.h"
#include "lua/sandbox.h"
#include "nursery.h"

struct stem;

enum {
    STEM_TEXT_MAX = 1 << 20, /* bytes of a text to be checked */
    STEM_LIST_SECONDS = 120  /* for stem_list() */
};

/* Forks the stem: before there are threads, a game, or a seed as a number (host/seed.h). Variants
 * and their bots are looked up in `folders`, relative ones in the present current folder; lists are
 * of `shown`, which may be the same. `bots` are the limits of the bots. NULL with a STATUS_SYSTEM
 * fault. */
struct stem *stem_open(const struct folders *folders, const struct folders *shown,
                       struct sandbox_limits bots, struct fault *fault);

/* Ends every process that the stem has started, at once, but for twins of its nurseries and the
 * nurseries of calls, which end with their owners; it waits a second for those. So close nurseries
 * and free rules first; afterwards is allowed too. No other call may be under way. NULL is allowed.
 */
void stem_close(struct stem *stem);

/* Loads the variant of that name or path, within LOADER_SECONDS and a grace. `*nursery` is for its
 * bots (player_options); close it with nursery_close(), and free the rules with rules_free() after
 * that. `nursery` may be NULL. False with a fault of loader_variant(), or STATUS_SYSTEM. */
bool stem_variant(struct stem *stem, const char *name, struct rules **rules,
                  struct nursery **nursery, struct fault *fault);

/* Checks a text with inspect_text() and adds the document that `ensign check --json` prints for
 * such a file, on one line. `name` must be as unsaved_may_be_named() says, terms->variant a name or
 * NULL. Takes terms->seconds and the time to load three scripts at most. False with a fault:
 * STATUS_USAGE if name, terms or length are out of range, STATUS_TIME, STATUS_SYSTEM,
 * STATUS_NO_MEMORY if the document does not fit into the buffer. Errors of the text are in the
 * document. */
bool stem_check(struct stem *stem, const struct inspect_terms *terms, const char *name,
                const char *text, size_t length, struct buffer *json, struct fault *fault);

/* Adds the document of `ensign list --json` with these parts, a set of 1 << enum stock_part
 * (host/stock.h), on one line. Faults as above. */
bool stem_list(struct stem *stem, unsigned parts, struct buffer *json, struct fault *fault);

/* The stem's own process. */
pid_t stem_process(const struct stem *stem);

#endif
