/* Hidden information over the sockets of `ensign serve`: of two games that differ only in what one
 * side cannot know, its seat, a spectator and a stranger are told the same bytes.
 *
 * Each game is played at a server of its own. The servers have the same seed, so that only the ids
 * of games and the secrets of seats differ by chance. All four clients also ask and say what they
 * should not; the enemy asks about its own pieces, which are others in each game. */
#include "company.h"
#include "host/served.h"

#include "core/text/layout.h"
#include "core/text/notation.h"
#include "games/line.h"
#include "games/sanitized.h"
#include "host/support.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum { LINES = 2, REST_MAX = 512, PATH_BYTES = 512, WORDS = 4, WORD_BYTES = 64 };

/* One of the two games; SIDE must not know, ENEMY is not compared. */
struct twin {
    struct company company;
    const struct line *line;
    const struct setup *setups;
    struct random random;           /* the same for both */
    bool restless;                  /* people come, go and offer draws between the turns */
    char former[WORDS][WORD_BYTES]; /* words of the game before this one */
};

static struct served servers[2];
static char folder[64], links[64], data[2][64];

/* A move of the line with other ends, which is hardly a legal one. */
static void odd_move(struct twin *twin, char text[MOVE_TEXT_MAX]) {
    static const char *const odd[] = {"", "e4", "a4-a5-a6", "a1-a1", "z9-a4", "e7@e9=nobody", "♜"};
    enum { ODD = sizeof odd / sizeof *odd };
    const struct line *line = twin->line;
    struct random *random = &twin->random;
    struct move move = line->moves[random_below(random, (uint32_t)line->plies)];
    move.to = (square)random_below(random, (uint32_t)line->rules->board.squares);
    if (random_below(random, 2))
        move.from = (square)random_below(random, (uint32_t)line->rules->board.squares);
    move_text(line->rules, move, random_below(random, 2), text);
    const uint32_t which = random_below(random, 4 * ODD);
    if (which < ODD) strcpy(text, odd[which]);
}

/* Asks one thing that is none of one's business, or answers what was not asked. */
static void ask_around(struct twin *twin, enum who who) {
    static const char *const rests[] = {
        "'type':'view'",
        "'type':'view','eyes':'red'",
        "'type':'view','eyes':'blue'",
        "'type':'view','eyes':'all'",
        "'type':'watch','eyes':'all'",
        "'type':'record'",
        "'type':'analyse'",
        "'type':'analyse','bot':'rookie'",
        "'type':'explore','ply':0,'eyes':'all'",
        "'type':'explore','record':null",
        "'type':'analyse','record':''",
        "'type':'advise','bot':'hunter'",
        "'type':'undo'",
        "'type':'undo','ply':0",
        "'type':'claim'",
        "'type':'rematch'",
        "'type':'join'",
        "'type':'sit','seat':'red'",
        "'type':'sit','seat':''",
        "'type':'setup','setup':null",
        "'type':'draw','accept':true",
        "'type':'move'",
        "'type':'move','move':7",
        "'type':'move','move':'a4-a5','ply':-1",
        "'type':'move','move':'a4-a5','ply':1000",
        "'type':'move','move':'a4-a5','seat':'green'",
        "'type':'list','what':'games'",
        "'type':'list','what':'open'",
        "'type':'list','what':'armies'",
        "'type':'files'",
        "'type':'new','variant':'duel','seed':7",
        "'type':'new','variant':'duel','red':'open','setups':{'red':'random'}",
        "'type':'nothing'",
    };
    const uint32_t which = random_below(&twin->random, sizeof rests / sizeof *rests);
    company_ask(&twin->company, who, rests[which]);
}

/* Says an odd move, after asking for the reason why it is none. */
static void say_odd_move(struct twin *twin, enum who who) {
    char move[MOVE_TEXT_MAX], rest[REST_MAX];
    odd_move(twin, move);
    snprintf(rest, sizeof rest, "'type':'why','move':'%s'", move);
    const bool legal =
        json_is_true(json_object_get(company_ask(&twin->company, who, rest), "legal"));
    snprintf(rest, sizeof rest, "'type':'move','move':'%s'", legal ? "a1-a1" : move);
    company_ask(&twin->company, who, rest);
}

static void try_out_of_turn(struct twin *twin, enum who who) {
    say_odd_move(twin, who);
    ask_around(twin, who);
}

/* An odd move, and the latest one again; in a whole line fewer messages than the server takes. */
static void try_in_turn(struct twin *twin, enum who who, int ply) {
    struct company *company = &twin->company;
    char move[MOVE_TEXT_MAX], rest[REST_MAX];
    say_odd_move(twin, who);
    assert_string_equal(company_heard(company, who), "refused");
    company_await(company, who, "move", ply); /* is asked again */
    ask_around(twin, who);
    if (ply < 2) return;
    move_text(twin->line->rules, twin->line->moves[ply - 2], false, move);
    snprintf(rest, sizeof rest, "'type':'move','move':'%s','ply':%d", move, ply - 2);
    company_ask(company, who, rest);
}

/* Lays out half of an army, which is refused, then all of it. */
static void lay_out(struct twin *twin, enum who who) {
    struct company *company = &twin->company;
    char army[SETUP_TEXT_MAX], rest[REST_MAX];
    const enum side own = company_side(company, who);
    const size_t length = setup_write(twin->line->rules, own, &twin->setups[own], army);
    snprintf(rest, sizeof rest, "'type':'setup','setup':'%.*s'", (int)length / 2, army);
    company_ask(company, who, rest);
    assert_string_equal(company_heard(company, who), "refused");
    company_await(company, who, "setup", -1);
    snprintf(rest, sizeof rest, "'type':'setup','setup':'%s'", army);
    company_ask(company, who, rest);
}

static void lay_out_both(struct twin *twin) {
    const enum who early = twin->line->number & 8 ? SIDE : ENEMY;
    lay_out(twin, early);
    ask_around(twin, early);
    ask_around(twin, SPECTATOR);
    ask_around(twin, STRANGER);
    lay_out(twin, early == SIDE ? ENEMY : SIDE);
}

/* Both seats and the spectator hear that somebody has come or gone. */
static void hear_presence(struct company *company, enum who but) {
    for (int who = SIDE; who <= SPECTATOR; who++)
        if ((enum who)who != but) company_await(company, (enum who)who, "presence", -1);
}

/* Sits down again with the own secret, and is asked again if it is the one to move. */
static void sit_again(struct twin *twin, enum who who, int ply, bool asked) {
    struct company *company = &twin->company;
    char rest[REST_MAX];
    int length = snprintf(rest, sizeof rest, "'type':'sit','seat':'%s'",
                          company->seat[company_side(company, who)]);
    if (twin->line->number & 2)
        snprintf(rest + length, sizeof rest - (size_t)length, ",'from':%d", ply / 2);
    company_ask(company, who, rest);
    hear_presence(company, PEOPLE);
    if (asked) company_await(company, who, "move", ply);
}

/* A seat loses its connection and comes back. */
static void reload(struct twin *twin, enum who who, int ply, bool asked) {
    struct company *company = &twin->company;
    talker_close(&company->people[who]);
    hear_presence(company, who);
    company_come(company, who);
    sit_again(twin, who, ply, asked);
}

/* The side loses its connection and comes back; the spectator asks for everything again. */
static void come_again(struct twin *twin, int ply, bool asked) {
    struct company *company = &twin->company;
    talker_close(&company->people[SIDE]);
    hear_presence(company, SIDE);
    company_ask(company, SPECTATOR, "'type':'watch'");
    company_await(company, SPECTATOR, "presence", -1);
    company_come(company, SIDE);
    sit_again(twin, SIDE, ply, asked);
}

static void leave_and_return(struct twin *twin, enum who who, int ply, bool asked) {
    company_ask(&twin->company, who, "'type':'leave'");
    hear_presence(&twin->company, who);
    sit_again(twin, who, ply, asked);
}

/* Takes its own seat over in another window; the older one is told. */
static void move_to_another_window(struct twin *twin, enum who who, int ply, bool asked) {
    struct company *company = &twin->company;
    struct talker older = company->people[who];
    company->people[who] = (struct talker){.web = NULL};
    company_come(company, who);
    sit_again(twin, who, ply, asked);
    do assert_non_null(talker_hear(&older, true));
    while (strcmp(talker_text(&older, "type"), "left") != 0);
    assert_string_equal(talker_text(&older, "reason"), "seat");
    talker_close(&older);
}

static void try_used_invitation(struct twin *twin, enum who who) {
    char rest[REST_MAX];
    snprintf(rest, sizeof rest, "'type':'join','invite':'%s','name':'Eve'", twin->company.invite);
    company_ask(&twin->company, who, rest);
    assert_string_equal(company_heard(&twin->company, who), "error");
}

/* Cuts the number behind a text out. */
static void cut_number(char *text, const char *before) {
    char *at = strstr(text, before);
    if (!at) return;
    at += strlen(before);
    const char *rest = at + strspn(at, "0123456789");
    memmove(at, rest, strlen(rest) + 1);
}

/* Adds the answer to a request for a page, without the age of the server. */
static void look_at(struct buffer *seen, const struct company *company, const char *path) {
    struct web *web = web_open(company->port);
    web_ask(web, "GET", path, "");
    cut_number(web->input, "\r\ncontent-length: ");
    cut_number(web->input, "\nensign_up_seconds ");
    assert_true(buffer_add_text(seen, web->input));
    web_close(web);
}

/* The stranger opens the shared link and its picture, and watches, as anybody may who knows the
 * game's id, and leaves. */
static void look_in(struct twin *twin) {
    static const char *const links_to[] = {"/game/%s", "/game/%s.png"};
    for (int i = 0; i < 2; i++) {
        char path[PATH_BYTES];
        snprintf(path, sizeof path, links_to[i], twin->company.game);
        look_at(&twin->company.told[STRANGER], &twin->company, path);
    }
    company_ask(&twin->company, STRANGER, "'type':'watch'");
    company_ask(&twin->company, STRANGER, "'type':'view'");
    company_ask(&twin->company, STRANGER, "'type':'leave'");
}

/* Something happens between two turns. */
static void happen(struct twin *twin, int ply, enum who mover) {
    struct random *random = &twin->random;
    const enum who who = random_below(random, 2) ? SIDE : ENEMY;
    const enum who anybody = (enum who)random_below(random, PEOPLE);
    switch (random_below(random, 8)) {
    case 0:
        reload(twin, who, ply, who == mover);
        break;
    case 1:
        leave_and_return(twin, who, ply, who == mover);
        break;
    case 2:
        move_to_another_window(twin, who, ply, who == mover);
        break;
    case 3:
        try_used_invitation(twin, anybody);
        break;
    case 4:
        look_in(twin);
        break;
    default:
        ask_around(twin, anybody);
    }
}

/* The mover offers a draw: it is declined, or the move that follows withdraws it. */
static void offer_draw(struct twin *twin, int ply, enum who mover) {
    struct company *company = &twin->company;
    const enum who other = mover == SIDE ? ENEMY : SIDE;
    company_ask(company, mover, "'type':'draw'");
    company_await(company, other, "draw", -1);
    if (random_below(&twin->random, 2)) {
        company_ask(company, other, "'type':'draw','accept':false");
        company_await(company, mover, "refused", -1);
        company_await(company, mover, "move", ply);
    } else if (random_below(&twin->random, 2)) {
        reload(twin, other, ply, false);
        company_await(company, other, "draw", -1);
    }
}

/* Plays a ply of the line. */
static void play_ply(struct twin *twin, int ply) {
    const struct line *line = twin->line;
    char move[MOVE_TEXT_MAX];
    const enum who mover = company_await_question(&twin->company, ply);
    if (ply == line->plies / 2) come_again(twin, ply, mover == SIDE);
    try_in_turn(twin, mover, ply);
    try_out_of_turn(twin, mover == SIDE ? ENEMY : SIDE);
    try_out_of_turn(twin, ply % 2 ? SPECTATOR : STRANGER);
    if (twin->restless) happen(twin, ply, mover);
    if (twin->restless && !random_below(&twin->random, 4)) offer_draw(twin, ply, mover);
    move_text(line->rules, line->moves[ply], false, move);
    company_move(&twin->company, mover, move, ply);
}

/* Draws a line whose twin exists, and plays one at each server. */
static void play_line(struct twin twins[2], const struct rules *rules, uint64_t number) {
    static struct line line;
    static struct setup other[2];
    assert_int_equal(twins[0].company.first, twins[1].company.first);
    do line_draw(&line, rules, twins[0].company.first, number += 1000); /* for the same side */
    while (!line_twin(&line, other));
    for (int i = 0; i < 2; i++) {
        twins[i].line = &line;
        twins[i].setups = i ? other : line.setups;
        lay_out_both(&twins[i]);
    }
    /* In turns: who is silent for long is taken to be lost. */
    for (int ply = 0; ply < line.plies; ply++)
        for (int i = 0; i < 2; i++) play_ply(&twins[i], ply);
    for (int i = 0; i < 2 && !line.result; i++)
        company_await_question(&twins[i].company, line.plies);
}

/* Plays a line at one server and its twin at the other, up to the next question or the end. */
static void play_twins(struct twin twins[2], const char *variant, const struct rules *rules,
                       uint64_t number, bool restless) {
    for (int i = 0; i < 2; i++) {
        twins[i] = (struct twin){.company = {.side = number & 1 ? BLUE : RED,
                                             .enemy_makes = number & 2,
                                             .listed = number & 4},
                                 .restless = restless,
                                 .random = random_stream(number, STREAM_PLAYOUT, 2)};
        company_open(&twins[i].company, servers[i].port);
        company_sit_down(&twins[i].company, variant);
    }
    play_line(twins, rules, number);
}

static void copy_words(const struct company *company, char words[WORDS][WORD_BYTES]) {
    const char *const all[WORDS] = {company->game, company->seat[RED], company->seat[BLUE],
                                    company->invite};
    for (int i = 0; i < WORDS; i++) snprintf(words[i], WORD_BYTES, "%s", all[i]);
}

static void blot_words(struct buffer *text, char words[WORDS][WORD_BYTES]) {
    for (int i = 0; i < WORDS; i++)
        for (char *at = text->text; *words[i] && at && (at = strstr(at, words[i]));)
            memset(at, '*', strlen(words[i]));
}

/* Blots out what differs by chance. */
static void blot_out(struct buffer *text, struct twin *twin) {
    char words[WORDS][WORD_BYTES];
    copy_words(&twin->company, words);
    blot_words(text, words);
    blot_words(text, twin->former);
}

static void assert_told_alike(struct twin twins[2]) {
    static const char *const names[] = {"the side", "the enemy", "a spectator", "a stranger"};
    struct company *one = &twins[0].company, *other = &twins[1].company;
    for (int who = SIDE; who < PEOPLE; who++) {
        if (who == ENEMY) continue;
        blot_out(&one->told[who], &twins[0]);
        blot_out(&other->told[who], &twins[1]);
        if (!line_same_text(&one->told[who], &other->told[who]))
            fail_msg("%s, game %u: %s is told what is hidden", twins[0].line->rules->name,
                     (unsigned)twins[0].line->number, names[who]);
    }
}

/* "fog" of "variants/examples/fog.lua". */
static const char *name_of(const char *path) {
    static char name[64];
    const char *file = strrchr(path, '/') + 1;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(file, "."), file);
    return name;
}

static void a_side_spectators_and_strangers_are_told_the_same_whatever_the_enemy_hides(
    void **state) {
    static struct twin twins[2];
    uint64_t number = 0;
    (void)state;
    for (const char *const *path = line_variants(); *path; path++) {
        struct rules *rules = support_rules(*path);
        for (int lines = !line_may_be_given(rules) ? 0 : sanitized() ? 1 : LINES; lines--;) {
            play_twins(twins, name_of(*path), rules, ++number, false);
            for (int i = 0; i < 2; i++) {
                company_end(&twins[i].company, !twins[i].line->result);
                company_ask(&twins[i].company, STRANGER, "'type':'list','what':'games'");
            }
            assert_told_alike(twins);
            for (int i = 0; i < 2; i++) company_close(&twins[i].company);
        }
        rules_free(rules);
    }
}

static void say_rematch(struct company *company, enum who who) {
    company_ask(company, who, "'type':'rematch'");
    for (int other = SIDE; other <= SPECTATOR; other++)
        if ((enum who)other != who) company_await(company, (enum who)other, "rematch", -1);
}

/* The secret of a seat in the next game, which its holder asks for once more. */
static void ask_for_next(struct company *company, enum who who, char next[WORD_BYTES],
                         char secret[WORD_BYTES]) {
    talker_say(&company->people[who], "{'type':'rematch','game':'%s'}", company->game);
    company_await(company, who, "rematch", -1);
    snprintf(next, WORD_BYTES, "%s", talker_text(&company->people[who], "new"));
    snprintf(secret, WORD_BYTES, "%s", talker_text(&company->people[who], "secret"));
}

/* Both agree on a rematch and sit down there, on the other sides. */
static void begin_rematch(struct twin *twin) {
    struct company *company = &twin->company;
    char next[WORD_BYTES], secret[2][WORD_BYTES];
    copy_words(company, twin->former);
    say_rematch(company, ENEMY);
    say_rematch(company, SIDE);
    company->side = side_other(company->side);
    for (int who = SIDE; who <= ENEMY; who++)
        ask_for_next(company, (enum who)who, next, secret[company_side(company, (enum who)who)]);
    for (int who = SPECTATOR; who >= SIDE; who--) /* two rooms tell things in no order */
        company_ask(company, (enum who)who, "'type':'leave'");
    snprintf(company->game, sizeof company->game, "%s", next);
    for (int who = SIDE; who <= ENEMY; who++) {
        char rest[REST_MAX];
        const enum side side = company_side(company, (enum who)who);
        snprintf(company->seat[side], WORD_BYTES, "%s", secret[side]);
        snprintf(rest, sizeof rest, "'type':'sit','seat':'%s'", secret[side]);
        company_ask(company, (enum who)who, rest);
        company_await(company, (enum who)who, "game", -1);
        const json_t *rules = json_object_get(company->people[who].message, "variant");
        const char *first = json_string_value(json_object_get(rules, "first"));
        company->first = strcmp(first, "blue") != 0 ? RED : BLUE;
        company_await(company, (enum who)who, "setup", -1);
    }
    company_await(company, SIDE, "presence", -1);
    company_ask(company, SPECTATOR, "'type':'watch'");
    company_await(company, SPECTATOR, "game", -1);
}

static void end_line(struct twin twins[2]) {
    for (int i = 0; i < 2; i++) company_end(&twins[i].company, !twins[i].line->result);
    assert_told_alike(twins);
    for (int i = 0; i < 2; i++)
        for (int who = SIDE; who < PEOPLE; who++) twins[i].company.told[who].length = 0;
}

static void nor_in_any_order_of_coming_leaving_offering_and_playing_again(void **state) {
    static struct twin twins[2];
    uint64_t number = 500;
    (void)state;
    for (const char *const *path = line_variants(); *path; path++) {
        struct rules *rules = support_rules(*path);
        if (!line_may_be_given(rules)) {
            rules_free(rules);
            continue;
        }
        play_twins(twins, name_of(*path), rules, ++number, true);
        end_line(twins);
        for (int i = 0; i < 2; i++) begin_rematch(&twins[i]);
        play_line(twins, rules, number + 1); /* hides from the other side */
        end_line(twins);
        for (int i = 0; i < 2; i++) company_close(&twins[i].company);
        rules_free(rules);
    }
}

static void pages_tell_the_same_whatever_is_hidden_and_nothing_of_a_game(void **state) {
    static const char *const pages[] = {"/metrics", "/healthz", "/"};
    static const char *const forms[] = {"/%s",          "/ws?seat=%s",      "/?game=%s",
                                        "/watch/%s",    "/words/%s.json",   "/healthz?%s",
                                        "/variants/%s", "/?type=record&%s", "/game/%s",
                                        "/game/%s.png", "/#/analysis/%s"};
    static struct twin twins[2];
    struct buffer seen[2] = {buffer_of(1 << 20), buffer_of(1 << 20)};
    struct rules *rules = support_rules("barrage");
    (void)state;
    play_twins(twins, "barrage", rules, 1, false);
    for (int i = 0; i < 2; i++) {
        struct company *company = &twins[i].company;
        company_ask(company, STRANGER, "'type':'view'"); /* the last turn is published by now */
        for (size_t p = 0; p < sizeof pages / sizeof *pages; p++)
            look_at(&seen[i], company, pages[p]);
    }
    assert_non_null(strstr(seen[0].text, "\nensign_games_playing 1\n"));
    assert_true(line_same_text(&seen[0], &seen[1]));
    const struct company *company = &twins[0].company;
    const char *const words[][2] = {{company->game, "bcdfghjkmnpq"},
                                    {company->seat[RED], "0123456789abcdef0123456789abcdef"},
                                    {company->seat[BLUE], "0123456789abcdef0123456789abcdef"}};
    for (size_t f = 0; f < sizeof forms / sizeof *forms; f++)
        for (size_t w = 0; w < sizeof words / sizeof *words; w++) {
            char path[PATH_BYTES];
            for (int i = 0; i < 2; i++) {
                seen[i].length = 0;
                snprintf(path, sizeof path, forms[f], words[w][i]);
                look_at(&seen[i], company, path);
            }
            if (!line_same_text(&seen[0], &seen[1])) fail_msg("%s", path);
        }
    for (int i = 0; i < 2; i++) {
        company_close(&twins[i].company);
        buffer_clear(&seen[i]);
    }
    rules_free(rules);
}

static void link_variant(const char *path) {
    char target[PATH_BYTES], name[PATH_BYTES];
    snprintf(target, sizeof target, ENSIGN_ROOT "/%s", path);
    snprintf(name, sizeof name, "%s/%s", links, strrchr(path, '/') + 1);
    assert_int_equal(symlink(target, name), 0);
}

/* Two servers that know all variants by name. */
static int open_servers(void **state) {
    char name[PATH_BYTES];
    (void)state;
    support_folder(folder);
    support_folder(links);
    snprintf(name, sizeof name, "%s/variants", folder);
    assert_int_equal(symlink(links, name), 0);
    for (const char *const *path = line_variants(); *path; path++) link_variant(*path);
    link_variant("tests/data/upheaval.lua");
    for (int i = 0; i < 2; i++) {
        support_folder(data[i]);
        SERVED_OPEN(&servers[i], folder, data[i], "--requests-of-address", "1000000",
                    "--games-of-address", "1000000", NULL);
    }
    return 0;
}

static int close_servers(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        assert_int_equal(served_end(&servers[i], SIGTERM), 0);
        support_remove(data[i]);
    }
    support_remove(folder);
    support_remove(links);
    return 0;
}

#define AT_SERVERS(name) cmocka_unit_test_setup_teardown(name, open_servers, close_servers)

int main(void) {
    const struct CMUnitTest tests[] = {
        AT_SERVERS(a_side_spectators_and_strangers_are_told_the_same_whatever_the_enemy_hides),
        AT_SERVERS(nor_in_any_order_of_coming_leaving_offering_and_playing_again),
        AT_SERVERS(pages_tell_the_same_whatever_is_hidden_and_nothing_of_a_game),
    };
    return cmocka_run_group_tests_name("server_secrets", tests, NULL, NULL);
}
