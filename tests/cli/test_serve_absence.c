/* A player leaves the server's page in Chromium: the other one sees it, and can claim a game with a
 * clock after a while, unless the player comes back. */
#include "host/seed.h"
#include "host/support.h"
#include "serve/server.h"
#include "visitor.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum { IMPATIENCE = 2000 /* ms */ };

/* The page of red's game with blue, whom it waits for to move; the game's fragment is the caller's.
 */
static char *meet(struct browser *red, struct browser *blue) {
    char *link = visitor_invites(red, "duel", "600+5", "chance");
    visitor_accepts(blue, link, "own");
    free(link);
    visitor_lays_out(blue, NULL);
    visitor_moves_on(red);
    visitor_does(blue, "page.ready()");
    return visitor_reads(blue, "location.hash");
}

/* Whether the server lets red claim the game: its words. */
#define CLAIM                                                                                      \
    "import('/link.js').then(({ link }) => link.send({ type: 'claim', game: page.game }))"         \
    ".then(({ type }) => type, ({ message }) => message)"

static void who_leaves_is_missed_and_who_comes_back_plays_on(void **state) {
    (void)state;
    visitor_needed();
    struct browser *red = visitor, *blue = other_visitor;
    char *game = meet(red, blue);
    visitor_expects(red, CLAIM, "blue is here");
    browser_leave(blue); /* the browser may keep the page */
    visitor_awaits(red, "/^has left; in [1-5]?\\d s you can claim the game$/.test(page.notes)");
    visitor_expects(red, "page.prompt", "");
    char *refusal = visitor_reads(red, CLAIM);
    assert_non_null(strstr(refusal, "the game can be claimed in"));
    free(refusal);
    visitor_comes(blue, game, false);
    free(game);
    visitor_awaits(red, "!page.notes");
    visitor_expects(red, "page.said.slice(-2).join(' ')", "Blue: has left Blue: is back");
    visitor_moves_on(blue);
    visitor_does(red, "page.ready()");
    visitor_is_content(red);
    visitor_is_content(blue);
}

static void print_no_sheet(FILE *out, const struct language *language, const struct rules *rules) {
    (void)out, (void)language, (void)rules;
}

/* In the child: a server with less patience than usual, which says its address. */
static void serve_impatiently(int out) {
    struct fault fault = {0};
    bool tidy;
    struct server_options options = {
        .lobby = {.folders = support_folders(),
                  .shown = support_folders(),
                  .limits = SANDBOX_DEFAULTS,
                  .deadline = 10000,
                  .jobs = 2,
                  .bots = {BOT_SLOTS, BOT_SLOTS_OF_VISITOR},
                  .archive = archive_open(visitor_folder, &fault),
                  .waits = {.claim = IMPATIENCE}},
        .address = "127.0.0.1",
        .sheet = print_no_sheet,
        .version = "test",
        .sockets = NET_SOCKETS,
        .visitors = {VISITOR_SOCKETS, VISITOR_REQUESTS, VISITOR_GAMES, VISITOR_STORAGE}};
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    zygote_open(0, NULL); /* the other one is the test's */
    if (!options.lobby.archive || !seed_stretch(7, &options.lobby.key, &fault)) _exit(1);
    struct server *server = server_open(&options, &fault);
    if (!server) _exit(1);
    dprintf(out, "%s\n", server_address(server));
    server_run(server, &tidy, &fault);
    _exit(0);
}

static void start_impatient_server(void) {
    int ends[2];
    served_end(&visitor_server, SIGTERM);
    assert_int_equal(pipe(ends), 0);
    visitor_server.process = fork();
    assert_true(visitor_server.process >= 0);
    if (!visitor_server.process) serve_impatiently(ends[1]);
    close(ends[1]);
    visitor_server.lines = fdopen(ends[0], "r");
    assert_non_null(visitor_server.lines);
    if (!fgets(visitor_server.url, sizeof visitor_server.url, visitor_server.lines))
        fail_msg("the server did not start");
    visitor_server.url[strcspn(visitor_server.url, "\n")] = 0;
}

static void after_a_while_the_game_of_who_left_can_be_claimed(void **state) {
    (void)state;
    visitor_needed();
    struct browser *red = visitor, *blue = other_visitor;
    browser_leave(red), browser_leave(blue);
    start_impatient_server();
    char *game = meet(red, blue);
    visitor_does(red, "page.watchNotes()");
    browser_leave(blue);
    visitor_awaits(red, "page.prompt === 'Claim the game'");
    visitor_expects(red, "page.notesSeen[0]", "has left; in 2 s you can claim the game");
    visitor_expects(red, "page.notes", "has left");
    visitor_comes(blue, game, false);
    free(game);
    visitor_awaits(red, "!page.prompt && !page.notes");
    visitor_expects(red, CLAIM, "blue is here");
    browser_leave(blue);
    visitor_clicks(red, ".prompt [data-action=claim]:not([hidden])");
    visitor_awaits(red, "page.over");
    visitor_expects(red, "page.status", "You won. The other side forfeits: it ran out of time.");
    visitor_expects(red, "page.prompt + page.notes", "");
    char *record = visitor_reads(red, "page.record()");
    assert_non_null(strstr(record, "[Result \"red\"]"));
    assert_non_null(strstr(record, "[Reason \"forfeit-time\"]"));
    free(record);
    visitor_is_content(red);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_leaves_is_missed_and_who_comes_back_plays_on),
        cmocka_unit_test(after_a_while_the_game_of_who_left_can_be_claimed),
    };
    return cmocka_run_group_tests_name("serve_absence", tests, two_visitors_come, visitors_go);
}
