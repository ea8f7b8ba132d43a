/* report_chances.h - adds to a report's films how the chances stood in each game. */
#ifndef ENSIGN_CLI_REPORT_REPORT_CHANCES_H
#define ENSIGN_CLI_REPORT_REPORT_CHANCES_H

#include "host/player.h"
#include "host/report/summary.h"

/* The bots of one variant; empty: nobody asks for chances. */
struct report_chances {
    const char *bot;
    const struct folders *folders;
    const struct rules *rules;
    struct rules *own_rules; /* owned; NULL: `rules` are the caller's */
    struct nursery *nursery; /* owned; NULL: there are no chances */
};

/* Opens the bots. False with a fault of the host. */
bool report_chances_open(struct report_chances *chances, const struct folders *folders,
                         const struct rules *rules, const char *bot, struct fault *fault);

/* The same for the rules of the match in a folder, if they can be loaded: what is wrong with them
 * is said when the match is read. */
bool report_chances_open_match(struct report_chances *chances,
                               const struct summary_options *options, const char *folder,
                               const char *bot, struct fault *fault);
void report_chances_close(struct report_chances *chances);

/* Asks the bot about every game that the report has a film of, whose record is that of the match in
 * `folder`, or, if that is NULL, the one at its number in `paths`. Shows progress on a terminal.
 * False with a fault. */
bool report_chances_add(const struct report_chances *chances, struct summary *report,
                        const char *folder, char *const *paths, struct fault *fault);

#endif
