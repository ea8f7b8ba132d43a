/* table.c - who makes a game, who comes by an invitation, and how they begin. */
#include "table.h"

#include "core/rules/rules.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

void person_copies(char copy[WORD_BYTES], const struct person *person, const char *key) {
    snprintf(copy, WORD_BYTES, "%s", person_text(person, key));
}

void person_copies_invite(char copy[WORD_BYTES], const struct person *maker, const char *side) {
    const char *code =
        json_string_value(json_object_get(json_object_get(maker->message, "invites"), side));
    assert_non_null(code);
    snprintf(copy, WORD_BYTES, "%s", code);
}

struct table table_with_clock(struct person *maker, struct person *friend, const char *variant,
                              const char *clock) {
    struct table table;
    person_says(maker,
                "{'type':'new','variant':'%s','red':'me','blue':'open','public':false,"
                "'names':{'red':'Ana'},'clock':%s}",
                variant, clock);
    const json_t *created = person_awaits(maker, "created");
    const json_t *seats = json_object_get(created, "seats");
    person_copies(table.game, maker, "game");
    snprintf(table.seat[RED], WORD_BYTES, "%s", json_string_value(json_object_get(seats, "red")));
    assert_int_equal(json_object_size(seats), 1); /* no secret but its own */
    person_copies_invite(table.invite, maker, "blue");
    person_says(friend, "{'type':'join','invite':'%s','name':'Boris'}", table.invite);
    person_awaits(friend, "joined");
    person_copies(table.seat[BLUE], friend, "secret");
    return table;
}

struct table table_of(struct person *maker, struct person *friend, const char *variant) {
    return table_with_clock(maker, friend, variant, "null");
}

void person_lays_out(struct person *person) {
    person_awaits(person, "setup");
    person_answers(person);
}

void table_goes_on(struct person *one, struct person *other, int count) {
    for (int i = 0; i < count; i++) {
        person_plays(one, 1);
        person_plays(other, 1);
    }
}

void table_begins(struct person *red, struct person *blue, int count) {
    person_lays_out(red);
    person_lays_out(blue);
    table_goes_on(red, blue, count);
}
