/* Strangers at the sockets of `ensign serve`, who know a game's id, or guess at it and at the
 * secrets of its seats: each request gets one error, and nobody in the game hears of it. */
#include "company.h"
#include "host/served.h"

#include "host/support.h"

#include <ctype.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { REST_MAX = 512, GUESS_MAX = 40 };

static struct served served;

static int open_server(void **state) {
    make_test_folder(state);
    SERVED_OPEN(&served, NULL, test_folder, "--requests-of-address", "1000000",
                "--games-of-address", "1000000", NULL);
    return 0;
}

static int close_server(void **state) {
    assert_int_equal(served_end(&served, SIGTERM), 0);
    return remove_test_folder(state);
}

static struct company open_table(void) {
    struct company company = {.side = RED};
    company_open(&company, served.port);
    company_sit_down(&company, "duel");
    return company;
}

static void lay_out(struct company *company) {
    for (int who = SIDE; who <= ENEMY; who++)
        company_ask(company, (enum who)who, "'type':'setup','setup':'duel-corner'");
    company_await_question(company, 0);
}

/* The seat's holder plays the first move offered. Whoever is asked next has heard the question. */
static void play_first_move(struct company *company, enum who mover, int ply) {
    char move[64];
    const json_t *moves = json_object_get(company->people[mover].message, "moves");
    snprintf(move, sizeof move, "%s", json_string_value(json_array_get(moves, 0)));
    company_move(company, mover, move, ply);
    company_await_question(company, ply + 1);
}

static void expect_error(struct company *company, const char *game, const char *rest) {
    const json_t *reply = company_ask_of(company, STRANGER, game, rest);
    if (strcmp(company_heard(company, STRANGER), "error") != 0 || json_object_size(reply) > 4)
        fail_msg("%s %s: %s", game, rest, company->people[STRANGER].line);
}

/* How often does a text occur in what somebody was told? */
static int count_told(const struct company *company, enum who who, const char *text) {
    int count = 0;
    for (const char *at = company->told[who].text; (at = strstr(at, text)); at++) count++;
    return count;
}

/* Red moved first and all heard the question behind these plies: nothing else was told. */
static void expect_plies(const struct company *company, int plies) {
    static const char *const none[] = {"\"draw\"", "\"end\"",   "\"refused\"",
                                       "\"left\"", "\"error\"", "\"here\":false"};
    for (int who = SIDE; who <= SPECTATOR; who++) {
        assert_int_equal(count_told(company, (enum who)who, "\"events\",\"ply\""), plies);
        for (size_t i = 0; i < sizeof none / sizeof *none; i++)
            assert_int_equal(count_told(company, (enum who)who, none[i]), 0);
    }
    assert_int_equal(count_told(company, SIDE, "\"moves\":["), plies / 2 + 1);
    assert_int_equal(count_told(company, ENEMY, "\"moves\":["), (plies + 1) / 2);
}

static void what_a_player_said_is_refused_to_a_stranger_who_says_it_again(void **state) {
    (void)state;
    static const char *const rests[] = {"'type':'setup','setup':null",
                                        "'type':'setup','setup':'duel-corner','seat':'red'",
                                        "'type':'resign'",
                                        "'type':'resign','seat':'blue'",
                                        "'type':'draw'",
                                        "'type':'draw','accept':true",
                                        "'type':'undo'",
                                        "'type':'claim'",
                                        "'type':'rematch'",
                                        "'type':'record'",
                                        "'type':'join'",
                                        "'type':'view','eyes':'red'",
                                        "'type':'watch','eyes':'all'",
                                        "'type':'sit','seat':'red'",
                                        "'type':'sit','seat':null",
                                        "'type':'sit'"};
    struct company company = open_table();
    char rest[REST_MAX];
    lay_out(&company);
    for (int ply = 0; ply < 4; ply++) {
        const enum who mover = ply % 2 ? ENEMY : SIDE;
        const json_t *moves = json_object_get(company.people[mover].message, "moves");
        for (int side = RED; side <= BLUE; side++) {
            snprintf(rest, sizeof rest, "'type':'move','move':'%s','ply':%d,'seat':'%s'",
                     json_string_value(json_array_get(moves, 0)), ply, side_name((enum side)side));
            expect_error(&company, company.game, rest);
        }
        for (size_t i = 0; i < sizeof rests / sizeof *rests; i++)
            if (ply < 2) expect_error(&company, company.game, rests[i]);
        play_first_move(&company, mover, ply);
    }
    expect_plies(&company, 4);
    company_close(&company);
}

enum { GUESSES = 9 };

/* A text near to an id or a secret; the first is it itself, for where it is of no use. */
static void guess(char out[GUESS_MAX], const char *word, int number) {
    const int half = (int)strlen(word) / 2;
    const char *const other = word + half;
    switch (number) {
    case 0:
        snprintf(out, GUESS_MAX, "%s", word);
        break;
    case 1: /* in letters of the other case */
        for (; *word; word++, out++)
            *out = (char)(islower((unsigned char)*word) ? toupper(*word) : tolower(*word));
        *out = 0;
        break;
    case 2:
        snprintf(out, GUESS_MAX, "%s0", word);
        break;
    case 3:
        snprintf(out, GUESS_MAX, "%s ", word);
        break;
    case 4:
        snprintf(out, GUESS_MAX, "%.*s", half, word);
        break;
    case 5: /* patterns of databases */
        snprintf(out, GUESS_MAX, "%.*s%%", half, word);
        break;
    case 6:
        snprintf(out, GUESS_MAX, "%.*s_%s", half, word, other + 1);
        break;
    case 7:
        snprintf(out, GUESS_MAX, "%s", other);
        break;
    default:
        *out = 0;
    }
}

/* A text of the same form, near to nothing. */
static void go_far(char text[GUESS_MAX]) {
    for (char *at = text; *at; at++)
        if (isalnum((unsigned char)*at)) *at = 'x';
}

/* The reply to a request that the text is a part of, without it. */
static void copy_reply(char out[REST_MAX], struct company *company, const char *text, bool seat,
                       const char *form) {
    char rest[REST_MAX];
    snprintf(rest, sizeof rest, "'type':'sit','seat':'%s'", text);
    if (seat)
        expect_error(company, "", rest);
    else
        expect_error(company, text, form);
    company->asked[STRANGER]--; /* ids are the same for both */
    snprintf(out, REST_MAX, "%s", company->people[STRANGER].line);
    for (char *at = out; *text && (at = strstr(at, text));) memset(at, '*', strlen(text));
}

/* Is what a stranger reads about a text that is near the same as about one that is not? */
static void compare_guess(struct company *company, const char *near, bool seat, const char *form) {
    char far[GUESS_MAX], replies[2][REST_MAX];
    snprintf(far, sizeof far, "%s", near);
    go_far(far);
    copy_reply(replies[0], company, near, seat, form);
    copy_reply(replies[1], company, far, seat, form);
    assert_string_equal(replies[0], replies[1]);
}

static void compare_guesses(struct company *company) {
    static const char *const forms[] = {"'type':'watch'",   "'type':'view'",
                                        "'type':'join'",    "'type':'move','move':'a4-a5','ply':0",
                                        "'type':'record'",  "'type':'why','move':'a4-a5'",
                                        "'type':'rematch'", "'type':'claim'",
                                        "'type':'leave'",   "'type':'setup','setup':null",
                                        "'type':'resign'",  "'type':'undo'"};
    const char *const words[] = {company->game, company->seat[RED], company->seat[BLUE],
                                 company->invite};
    for (int w = 0; w < 4; w++)
        for (int number = 0; number < GUESSES; number++) {
            char near[GUESS_MAX];
            guess(near, words[w], number);
            if (number && !strcmp(near, words[w])) continue; /* no letter to have another case */
            if (number || !w) compare_guess(company, near, true, NULL);
            for (size_t f = 0; f < sizeof forms / sizeof *forms; f++)
                if (number || w) compare_guess(company, near, false, forms[f]);
            talker_close(&company->people[STRANGER]); /* it may say only so much */
            company_come(company, STRANGER);
        }
}

static void a_near_guess_gets_the_same_words_as_a_far_one(void **state) {
    (void)state;
    struct company company = open_table();
    compare_guesses(&company);
    lay_out(&company);
    play_first_move(&company, SIDE, 0);
    compare_guesses(&company);
    expect_plies(&company, 1);
    company_end(&company, true);
    compare_guesses(&company);
    assert_int_equal(served_end(&served, SIGTERM), 0);
    SERVED_OPEN(&served, NULL, test_folder, "--requests-of-address", "1000000",
                "--games-of-address", "1000000", NULL); /* now the game is on the disk */
    company.port = served.port;
    talker_close(&company.people[STRANGER]);
    company_come(&company, STRANGER);
    compare_guesses(&company);
    company_close(&company);
}

static void sit(struct company *company, enum who who, enum side side, const char *game) {
    char rest[REST_MAX];
    snprintf(rest, sizeof rest, "'type':'sit','seat':'%s'", company->seat[side]);
    company_ask_of(company, who, game, rest);
    assert_string_equal(company_heard(company, who), "sat");
}

static void expect_text(const struct company *company, enum who who, const char *key,
                        const char *text) {
    const char *got = talker_text(&company->people[who], key);
    if (!got || strcmp(got, text) != 0)
        fail_msg("expected %s: %s", text, company->people[who].line);
}

static const char NO_SEAT[] = "you hold no seat in this game";

static void whoever_lost_its_seat_is_told_no_more_and_plays_no_more(void **state) {
    (void)state;
    struct company company = open_table();
    char move[64], rest[REST_MAX];
    lay_out(&company);
    const json_t *moves = json_object_get(company.people[SIDE].message, "moves");
    snprintf(move, sizeof move, "%s", json_string_value(json_array_get(moves, 0)));
    snprintf(rest, sizeof rest, "'type':'move','move':'%s','ply':0", move);
    sit(&company, STRANGER, company.side, company.game); /* somebody whom the secret was given */
    company_await(&company, SIDE, "left", -1);
    company_ask(&company, SIDE, rest);
    expect_text(&company, SIDE, "message", NO_SEAT);
    company_await(&company, STRANGER, "move", 0);
    company_ask(&company, STRANGER, rest);
    company_await(&company, ENEMY, "move", 1);
    const size_t before = company.told[SIDE].length;
    company_ask(&company, SIDE, "'type':'list','what':'open'");
    assert_null(strstr(company.told[SIDE].text + before, company.game));
    company_ask(&company, ENEMY, "'type':'leave'"); /* gives its seat up */
    company_await(&company, STRANGER, "presence", -1);
    company_ask(&company, ENEMY, "'type':'resign'");
    expect_text(&company, ENEMY, "message", NO_SEAT);
    company_ask(&company, ENEMY, "'type':'join'");
    expect_text(&company, ENEMY, "message", "no seat of this game is free");
    company_close(&company);
}

static void say_rematch(struct company *company, enum who who) {
    talker_say(&company->people[who], "{'type':'rematch','game':'%s'}", company->game);
    for (int other = SIDE; other <= SPECTATOR; other++)
        company_await(company, (enum who)other, "rematch", -1);
}

static void an_old_secret_opens_nothing_of_the_next_game(void **state) {
    (void)state;
    struct company company = open_table();
    char next[64];
    lay_out(&company);
    company_end(&company, true);
    say_rematch(&company, SIDE);
    say_rematch(&company, ENEMY);
    snprintf(next, sizeof next, "%s", talker_text(&company.people[SPECTATOR], "new"));
    assert_null(talker_text(&company.people[SPECTATOR], "secret"));
    for (int who = SIDE; who <= ENEMY; who++) {
        const char *secret = talker_text(&company.people[who], "secret");
        assert_non_null(secret);
        for (int side = RED; side <= BLUE; side++)
            assert_string_not_equal(secret, company.seat[side]);
    }
    sit(&company, STRANGER, RED, next);
    expect_text(&company, STRANGER, "game", company.game);
    company_await(&company, STRANGER, "end", -1);
    for (int who = SIDE; who < PEOPLE; who++) {
        company_ask_of(&company, (enum who)who, next, "'type':'resign'");
        expect_text(&company, (enum who)who, "message", NO_SEAT);
        company_ask_of(&company, (enum who)who, next, "'type':'join'");
        expect_text(&company, (enum who)who, "message", "no seat of this game is free");
    }
    company_close(&company);
}

static void a_page_of_another_site_reads_the_same_whatever_it_asks_for(void **state) {
    (void)state;
    static const char *const headers[] = {"Origin: http://evil.example\r\n",
                                          "Origin: http://evil.example\r\nHost: evil.example\r\n",
                                          "Origin: null\r\n"};
    static const char *const forms[] = {"/ws?game=%s", "/%s", "/ws?seat=%s"};
    struct company company = open_table();
    const char *const words[] = {"xxxxxxxxxxxx", company.game, company.seat[RED],
                                 company.seat[BLUE]};
    for (size_t h = 0; h < sizeof headers / sizeof *headers; h++)
        for (size_t f = 0; f < sizeof forms / sizeof *forms; f++) {
            char *first = NULL, path[128];
            for (size_t w = 0; w < sizeof words / sizeof *words; w++) {
                struct web *web = web_open(served.port);
                snprintf(path, sizeof path, forms[f], words[w]);
                assert_int_equal(web_upgrade(web, path, headers[h]), 403);
                if (!first) first = strdup(web->input);
                assert_string_equal(web->input, first);
                web_close(web);
            }
            free(first);
        }
    company_close(&company);
}

#define AT_SERVER(name) cmocka_unit_test_setup_teardown(name, open_server, close_server)

int main(void) {
    const struct CMUnitTest tests[] = {
        AT_SERVER(what_a_player_said_is_refused_to_a_stranger_who_says_it_again),
        AT_SERVER(a_near_guess_gets_the_same_words_as_a_far_one),
        AT_SERVER(whoever_lost_its_seat_is_told_no_more_and_plays_no_more),
        AT_SERVER(an_old_secret_opens_nothing_of_the_next_game),
        AT_SERVER(a_page_of_another_site_reads_the_same_whatever_it_asks_for),
    };
    return cmocka_run_group_tests_name("server_strangers", tests, NULL, NULL);
}
