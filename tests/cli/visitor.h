/* visitor.h - people at the page of `ensign serve`, each with a browser.
 *
 * serve_page.js looks and waits for them in the page, as "page.…" in expressions; clicks, taps and
 * keys come from the test. Every function fails the running test on an error, and waits for a
 * minute at most. */
#ifndef ENSIGN_TESTS_CLI_VISITOR_H
#define ENSIGN_TESTS_CLI_VISITOR_H

#include "browser.h"
#include "host/served.h"

/* The browsers; NULL where Chromium is not installed. */
extern struct browser *visitor, *other_visitor;
extern struct served visitor_server;
extern char visitor_folder[64]; /* of its games */

/* Around the tests of a program: one browser or two, and a server. */
int one_visitor_comes(void **state);
int two_visitors_come(void **state);
int visitors_go(void **state);

/* Skips the test without Chromium. */
void visitor_needed(void);

/* Opens the page with this fragment, in a window of a desk or of a phone. */
void visitor_comes(struct browser *in, const char *fragment, bool phone);

/* Follows a friend's link and takes the seat, with a choice of "Your army". */
void visitor_accepts(struct browser *in, const char *link, const char *army);

void visitor_does(struct browser *in, const char *script);
bool visitor_sees(struct browser *in, const char *expression);
void visitor_awaits(struct browser *in, const char *expression);

/* A text that is the value of an expression; the caller frees. */
char *visitor_reads(struct browser *in, const char *expression);
void visitor_expects(struct browser *in, const char *expression, const char *text);

struct place {
    double x, y;
};

/* Where an expression of the page says. */
struct place visitor_place(struct browser *in, const char *expression);
struct place visitor_square(struct browser *in, const char *name);

/* Clicks the first element that a selector finds; a square; the first button of a question. */
void visitor_clicks(struct browser *in, const char *selector);
void visitor_clicks_square(struct browser *in, const char *name);
void visitor_agrees(struct browser *in);
void visitor_resigns(struct browser *in);

/* Presses Tab until the element in focus matches. */
void visitor_tabs_to(struct browser *in, const char *selector);

/* From the page of a variant to a game against rookie, up to its button. */
void visitor_chooses_rookie(struct browser *in, const char *variant, bool phone);

/* Makes a game against a friend, with this clock ("600+5", "" for none) and army ("own",
 * "chance"). The fragment of the friend's link; the caller frees. */
char *visitor_invites(struct browser *in, const char *variant, const char *clock, const char *army);

/* The visitor's game of duel with a friend, who comes by the link, until it is the visitor's turn.
 */
struct friend;
void visitor_meets(struct browser *in, struct friend *friend, const char *clock);

/* Lays out an army of infiltrator by its text, or (NULL) any by chance. */
void visitor_lays_out(struct browser *in, const char *army);

/* A move that brings the game on; false once it is over. */
bool visitor_chooses(struct browser *in, char from[8], char to[8]);

/* Makes a move by clicks once it is this side's turn: a given one, or any. */
void visitor_moves(struct browser *in, const char *from, const char *to);
void visitor_moves_on(struct browser *in);

/* Waits until the page shows so many plies. */
void visitor_awaits_ply(struct browser *in, int ply);

/* The game in the page is over: its board after plies of the record, through all eyes, is the
 * record's. `step`: after every ply, every second … */
void visitor_compares(struct browser *in, int step);

/* No error, and no request to anywhere else. */
void visitor_is_content(struct browser *in);

#endif
