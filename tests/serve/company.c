/* company.c - clients that wait for each other's messages. */
#include "company.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { TOLD_MAX = 16 << 20, REST_MAX = 256 };

enum side company_side(const struct company *company, enum who who) {
    return who == SIDE ? company->side : side_other(company->side);
}

const char *company_heard(const struct company *company, enum who who) {
    return talker_text(&company->people[who], "type");
}

static void hear(struct company *company, enum who who) {
    struct talker *talker = &company->people[who];
    if (!talker_hear(talker, true)) fail_msg("the server hung up");
    if (!strcmp(company_heard(company, who), "end")) return;
    buffer_add_text(&company->told[who], talker->line);
    assert_true(buffer_add_text(&company->told[who], "\n"));
}

void company_await(struct company *company, enum who who, const char *type, int ply) {
    for (;;) {
        hear(company, who);
        if (strcmp(company_heard(company, who), type) != 0) continue;
        const json_t *got = json_object_get(company->people[who].message, "ply");
        if (ply < 0 || json_integer_value(got) == ply) return;
    }
}

const json_t *company_ask_of(struct company *company, enum who who, const char *game,
                             const char *rest) {
    struct talker *talker = &company->people[who];
    const unsigned id = ++company->asked[who];
    talker_say(talker, "{'game':'%s','id':%u,%s}", game, id, rest);
    do hear(company, who);
    while (json_integer_value(json_object_get(talker->message, "id")) != id);
    return talker->message;
}

const json_t *company_ask(struct company *company, enum who who, const char *rest) {
    return company_ask_of(company, who, company->game, rest);
}

void company_come(struct company *company, enum who who) {
    talker_open(&company->people[who], company->port);
    company_await(company, who, "hello", -1);
}

void company_open(struct company *company, int port) {
    company->port = port;
    for (int who = SIDE; who < PEOPLE; who++) {
        company->told[who] = buffer_of(TOLD_MAX);
        company_come(company, (enum who)who);
    }
}

void company_close(struct company *company) {
    for (int who = SIDE; who < PEOPLE; who++) {
        talker_close(&company->people[who]);
        buffer_clear(&company->told[who]);
    }
}

static void copy_text(char copy[64], const json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    assert_non_null(text);
    snprintf(copy, 64, "%s", text);
}

static void make_game(struct company *company, enum who maker, const char *variant) {
    const struct talker *talker = &company->people[maker];
    const enum side side = company_side(company, maker), other = side_other(side);
    talker_say(&company->people[maker],
               "{'type':'new','variant':'%s','%s':'me','%s':'open','public':%s}", variant,
               side_name(side), side_name(other), company->listed ? "true" : "false");
    company_await(company, maker, "created", -1);
    copy_text(company->game, talker->message, "game");
    copy_text(company->seat[side], json_object_get(talker->message, "seats"), side_name(side));
    copy_text(company->invite, json_object_get(talker->message, "invites"), side_name(other));
    company_await(company, maker, "game", -1);
    const json_t *rules = json_object_get(talker->message, "variant");
    const char *first = json_string_value(json_object_get(rules, "first"));
    company->first = strcmp(first, "blue") != 0 ? RED : BLUE;
    company_await(company, maker, "setup", -1);
}

void company_sit_down(struct company *company, const char *variant) {
    const enum who maker = company->enemy_makes ? ENEMY : SIDE,
                   guest = maker == SIDE ? ENEMY : SIDE;
    const enum side side = company_side(company, guest);
    char rest[REST_MAX];
    make_game(company, maker, variant);
    company_ask(company, STRANGER, "'type':'view'"); /* a game is listed once its question is out */
    company_ask(company, STRANGER, "'type':'list','what':'open'");
    snprintf(rest, sizeof rest, "'type':'join','invite':'%s'", company->invite);
    company_ask(company, guest, company->listed ? "'type':'join'" : rest);
    copy_text(company->seat[side], company->people[guest].message, "secret");
    company_await(company, guest, "setup", -1);
    company_await(company, maker, "presence", -1);
    company_ask(company, SPECTATOR, "'type':'watch'");
    company_await(company, SPECTATOR, "game", -1);
}

enum who company_await_question(struct company *company, int ply) {
    const enum side side = ply % 2 ? side_other(company->first) : company->first;
    const enum who mover = side == company->side ? SIDE : ENEMY;
    company_await(company, mover, "move", ply);
    return mover;
}

void company_move(struct company *company, enum who mover, const char *move, int ply) {
    talker_say(&company->people[mover], "{'type':'move','game':'%s','ply':%d,'move':'%s'}",
               company->game, ply, move);
    for (int who = SIDE; who <= SPECTATOR; who++)
        company_await(company, (enum who)who, "events", ply + 1);
}

void company_end(struct company *company, bool runs) {
    if (runs) talker_say(&company->people[ENEMY], "{'type':'resign','game':'%s'}", company->game);
    for (int who = SIDE; who <= SPECTATOR; who++) company_await(company, (enum who)who, "end", -1);
}
