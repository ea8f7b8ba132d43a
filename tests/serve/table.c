/* table.c - clients that wait for each other's messages. */
#include "table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { TOLD_MAX = 16 << 20, REST_MAX = 256 };

enum side table_side(const struct table *table, enum who who) {
    return who == SIDE ? table->side : side_other(table->side);
}

const char *table_heard(const struct table *table, enum who who) {
    return talker_text(&table->people[who], "type");
}

static void hear(struct table *table, enum who who) {
    struct talker *talker = &table->people[who];
    if (!talker_hear(talker, true)) fail_msg("the server hung up");
    if (!strcmp(table_heard(table, who), "end")) return;
    buffer_add_text(&table->told[who], talker->line);
    assert_true(buffer_add_text(&table->told[who], "\n"));
}

void table_await(struct table *table, enum who who, const char *type, int ply) {
    for (;;) {
        hear(table, who);
        if (strcmp(table_heard(table, who), type) != 0) continue;
        const json_t *got = json_object_get(table->people[who].message, "ply");
        if (ply < 0 || json_integer_value(got) == ply) return;
    }
}

const json_t *table_ask_of(struct table *table, enum who who, const char *game, const char *rest) {
    struct talker *talker = &table->people[who];
    const unsigned id = ++table->asked[who];
    talker_say(talker, "{'game':'%s','id':%u,%s}", game, id, rest);
    do hear(table, who);
    while (json_integer_value(json_object_get(talker->message, "id")) != id);
    return talker->message;
}

const json_t *table_ask(struct table *table, enum who who, const char *rest) {
    return table_ask_of(table, who, table->game, rest);
}

void table_come(struct table *table, enum who who) {
    talker_open(&table->people[who], table->port);
    table_await(table, who, "hello", -1);
}

void table_open(struct table *table, int port) {
    table->port = port;
    for (int who = SIDE; who < PEOPLE; who++) {
        table->told[who] = buffer_of(TOLD_MAX);
        table_come(table, (enum who)who);
    }
}

void table_close(struct table *table) {
    for (int who = SIDE; who < PEOPLE; who++) {
        talker_close(&table->people[who]);
        buffer_clear(&table->told[who]);
    }
}

static void copy_text(char copy[64], const json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    assert_non_null(text);
    snprintf(copy, 64, "%s", text);
}

static void make_game(struct table *table, enum who maker, const char *variant) {
    const struct talker *talker = &table->people[maker];
    const enum side side = table_side(table, maker), other = side_other(side);
    talker_say(&table->people[maker],
               "{'type':'new','variant':'%s','%s':'me','%s':'open','public':%s}", variant,
               side_name(side), side_name(other), table->listed ? "true" : "false");
    table_await(table, maker, "created", -1);
    const json_t *seats = json_object_get(talker->message, "seats");
    copy_text(table->game, talker->message, "game");
    copy_text(table->seat[side], seats, side_name(side));
    if (!table->listed) copy_text(table->seat[other], seats, side_name(other));
    table_await(table, maker, "game", -1);
    const json_t *rules = json_object_get(talker->message, "variant");
    const char *first = json_string_value(json_object_get(rules, "first"));
    table->first = strcmp(first, "blue") != 0 ? RED : BLUE;
    table_await(table, maker, "setup", -1);
}

void table_sit_down(struct table *table, const char *variant) {
    const enum who maker = table->enemy_makes ? ENEMY : SIDE, guest = maker == SIDE ? ENEMY : SIDE;
    const enum side side = table_side(table, guest);
    char rest[REST_MAX];
    make_game(table, maker, variant);
    table_ask(table, STRANGER, "'type':'view'"); /* a game is listed once its question is out */
    table_ask(table, STRANGER, "'type':'list','what':'open'");
    snprintf(rest, sizeof rest, "'type':'sit','seat':'%s'", table->seat[side]);
    table_ask(table, guest, table->listed ? "'type':'join'" : rest);
    if (table->listed) copy_text(table->seat[side], table->people[guest].message, "secret");
    table_await(table, guest, "setup", -1);
    table_await(table, maker, "presence", -1);
    table_ask(table, SPECTATOR, "'type':'watch'");
    table_await(table, SPECTATOR, "game", -1);
}

enum who table_await_question(struct table *table, int ply) {
    const enum side side = ply % 2 ? side_other(table->first) : table->first;
    const enum who mover = side == table->side ? SIDE : ENEMY;
    table_await(table, mover, "move", ply);
    return mover;
}

void table_move(struct table *table, enum who mover, const char *move, int ply) {
    talker_say(&table->people[mover], "{'type':'move','game':'%s','ply':%d,'move':'%s'}",
               table->game, ply, move);
    for (int who = SIDE; who <= SPECTATOR; who++)
        table_await(table, (enum who)who, "events", ply + 1);
}

void table_end(struct table *table, bool runs) {
    if (runs) talker_say(&table->people[ENEMY], "{'type':'resign','game':'%s'}", table->game);
    for (int who = SIDE; who <= SPECTATOR; who++) table_await(table, (enum who)who, "end", -1);
}
