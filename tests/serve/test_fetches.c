/* Games that are read from the archive: the thread that hears the clients does not wait for the
 * disk, and requests are obeyed in their order all the same. */
#include "people.h"

#include "base/clock.h"
#include "host/support.h"

#include <pthread.h>
#include <setjmp.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

static const struct room_waits USUAL;

/* A disk that stands still: whoever looks for a game in the archive waits at this gate. Its own
 * thread, which hears the clients, passes it, so that the test fails and does not hang. */
static struct {
    pthread_mutex_t lock;
    pthread_cond_t opened;
    pthread_t hears;
    bool closed;
    int waiting, heard; /* looks of others, at the gate now; of the thread that hears, so far */
} disk = {.lock = PTHREAD_MUTEX_INITIALIZER, .opened = PTHREAD_COND_INITIALIZER};

/* Called when a statement begins. */
static int pass_gate(unsigned what, void *context, void *statement, void *text) {
    (void)what, (void)context, (void)statement;
    if (!strstr(text, "FROM game WHERE id =") && !strstr(text, "FROM game WHERE red_secret ="))
        return 0;
    pthread_mutex_lock(&disk.lock);
    if (pthread_equal(pthread_self(), disk.hears)) {
        disk.heard++;
    } else {
        disk.waiting++;
        while (disk.closed) pthread_cond_wait(&disk.opened, &disk.lock);
        disk.waiting--;
    }
    pthread_mutex_unlock(&disk.lock);
    return 0;
}

static int watch_connection(sqlite3 *database, char **error, const void *routines) {
    (void)error, (void)routines;
    return sqlite3_trace_v2(database, SQLITE_TRACE_STMT, pass_gate, NULL);
}

static void set_gate(bool closed) {
    pthread_mutex_lock(&disk.lock);
    disk.closed = closed;
    pthread_cond_broadcast(&disk.opened);
    pthread_mutex_unlock(&disk.lock);
}

static void await_waiting(int count) {
    const int64_t until = clock_ms() + 60000;
    for (int waiting = 0; waiting < count;) {
        pthread_mutex_lock(&disk.lock);
        waiting = disk.waiting;
        pthread_mutex_unlock(&disk.lock);
        if (clock_ms() > until) fail_msg("%d look for games", waiting);
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
}

/* Ana and Boris have begun, then the server was started anew. */
struct evening {
    struct house house;
    struct person ana, boris, eve;
    char game[64], seat[64]; /* of Ana */
};

static void evening_open(struct evening *evening) {
    *evening = (struct evening){0};
    disk.hears = pthread_self();
    disk.heard = 0;
    assert_int_equal(sqlite3_auto_extension((void (*)(void))watch_connection), SQLITE_OK);
    house_open(&evening->house, test_folder, USUAL);
    person_comes(&evening->ana, &evening->house);
    person_comes(&evening->boris, &evening->house);
    person_says(&evening->ana, "{'type':'new','variant':'duel','blue':'open','public':false}");
    const json_t *created = person_awaits(&evening->ana, "created");
    snprintf(evening->game, 64, "%s", person_text(&evening->ana, "game"));
    const json_t *code = json_object_get(json_object_get(created, "invites"), "blue");
    const json_t *seat = json_object_get(json_object_get(created, "seats"), "red");
    snprintf(evening->seat, 64, "%s", json_string_value(seat));
    person_says(&evening->boris, "{'type':'join','invite':'%s'}", json_string_value(code));
    person_awaits(&evening->ana, "setup");
    person_answers(&evening->ana);
    person_awaits(&evening->boris, "setup");
    person_answers(&evening->boris);
    for (int i = 0; i < 2; i++) person_plays(&evening->ana, 1), person_plays(&evening->boris, 1);
    person_awaits(&evening->ana, "move");
    person_goes(&evening->ana), person_goes(&evening->boris);
    house_close(&evening->house);
    house_open(&evening->house, test_folder, USUAL);
    person_comes(&evening->ana, &evening->house);
    person_comes(&evening->eve, &evening->house);
}

static void evening_close(struct evening *evening) {
    set_gate(false);
    if (evening->ana.client) person_goes(&evening->ana);
    person_goes(&evening->eve);
    house_close(&evening->house);
    sqlite3_reset_auto_extension();
    assert_int_equal(disk.heard, 0);
}

static void assert_answers(struct person *person, long id, const char *type) {
    do person_hears(person);
    while (!json_object_get(person->message, "id"));
    if (person_number(person, "id") != id || strcmp(person_text(person, "type"), type) != 0)
        fail_msg("not %s of %ld: %s", type, id, person->line);
}

static void others_are_heard_while_a_game_is_read(void **state) {
    (void)state;
    struct evening evening;
    evening_open(&evening);
    set_gate(true);
    person_says(&evening.ana, "{'type':'sit','seat':'%s','id':1}", evening.seat);
    await_waiting(1);
    person_says(&evening.eve, "{'type':'list','what':'games'}");
    person_awaits(&evening.eve, "list");
    set_gate(false);
    assert_answers(&evening.ana, 1, "sat");
    person_awaits(&evening.ana, "move");
    evening_close(&evening);
}

static void requests_to_a_game_are_obeyed_in_their_order(void **state) {
    (void)state;
    struct evening evening;
    evening_open(&evening);
    set_gate(true);
    person_says(&evening.ana, "{'type':'watch','game':'nosuchgame','id':1}");
    await_waiting(1);
    person_says(&evening.ana, "{'type':'sit','seat':'%s','id':2}", evening.seat);
    person_says(&evening.ana, "{'type':'view','game':'%s','id':3}", evening.game);
    person_says(&evening.ana, "{'type':'resign','game':'%s','id':4}", evening.game);
    set_gate(false);
    person_is_refused(&evening.ana, "there is no game \"nosuchgame\"");
    assert_int_equal(person_number(&evening.ana, "id"), 1);
    assert_answers(&evening.ana, 2, "sat");
    assert_answers(&evening.ana, 3, "view");
    person_awaits(&evening.ana, "end");
    person_says(&evening.ana, "{'type':'sit','seat':'nobodys','id':5}");
    person_is_refused(&evening.ana, "no seat has this secret");
    assert_int_equal(person_number(&evening.ana, "id"), 5);
    evening_close(&evening);
}

static void many_who_come_to_a_game_at_once_are_in_the_same(void **state) {
    (void)state;
    struct evening evening;
    evening_open(&evening);
    set_gate(true);
    person_says(&evening.eve, "{'type':'watch','game':'%s','id':1}", evening.game);
    await_waiting(1);
    person_says(&evening.ana, "{'type':'sit','seat':'%s','id':1}", evening.seat);
    set_gate(false);
    assert_answers(&evening.eve, 1, "watching");
    assert_answers(&evening.ana, 1, "sat");
    person_awaits(&evening.ana, "move");
    person_answers(&evening.ana);
    while (person_awaits(&evening.eve, "events") && person_number(&evening.eve, "ply") < 5) {}
    assert_int_equal(lobby_figures(evening.house.lobby).playing, 1);
    evening_close(&evening);
}

/* What was said before is done all the same. */
static void who_goes_while_a_game_is_read_has_been_heard(void **state) {
    (void)state;
    struct evening evening;
    evening_open(&evening);
    set_gate(true);
    person_says(&evening.ana, "{'type':'sit','seat':'%s'}", evening.seat);
    person_says(&evening.ana, "{'type':'resign','game':'%s'}", evening.game);
    await_waiting(1);
    person_goes(&evening.ana);
    set_gate(false);
    person_says(&evening.eve, "{'type':'watch','game':'%s'}", evening.game);
    person_awaits(&evening.eve, "end");
    assert_string_equal(person_text(&evening.eve, "result"), "blue");
    evening_close(&evening);
}

/* The state of a card once it is no longer CARD_LATER. */
static enum card_state await_card(struct evening *evening, const char *game) {
    const int64_t until = clock_ms() + 60000;
    static struct room_card card;
    enum card_state state;
    while ((state = lobby_card(evening->house.lobby, NULL, game, &card)) == CARD_LATER) {
        if (clock_ms() > until) fail_msg("no card");
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    return state;
}

static void a_card_is_looked_for_without_waiting(void **state) {
    (void)state;
    struct evening evening;
    struct room_card card;
    evening_open(&evening);
    person_says(&evening.ana, "{'type':'sit','seat':'%s'}", evening.seat);
    person_says(&evening.ana, "{'type':'resign','game':'%s'}", evening.game);
    person_awaits(&evening.ana, "end");
    person_goes(&evening.ana), person_goes(&evening.eve);
    house_close(&evening.house);
    house_open(&evening.house, test_folder, USUAL);
    person_comes(&evening.eve, &evening.house);
    set_gate(true);
    for (int i = 0; i < 3; i++)
        assert_int_equal(lobby_card(evening.house.lobby, NULL, evening.game, &card), CARD_LATER);
    assert_int_equal(lobby_card(evening.house.lobby, NULL, "nosuchgame", &card), CARD_LATER);
    set_gate(false);
    assert_int_equal(await_card(&evening, evening.game), CARD_READY);
    assert_int_equal(await_card(&evening, "nosuchgame"), CARD_NONE);
    evening_close(&evening);
}

/* With a game that is being read. */
static void the_lobby_is_closed_once_the_disk_answers(void **state) {
    (void)state;
    struct evening evening;
    evening_open(&evening);
    set_gate(true);
    person_says(&evening.ana, "{'type':'sit','seat':'%s'}", evening.seat);
    await_waiting(1);
    person_goes(&evening.ana);
    assert_false(lobby_close(evening.house.lobby));
    evening_close(&evening);
}

#define ON_DISK(test) cmocka_unit_test_setup_teardown(test, make_test_folder, remove_test_folder)

int main(void) {
    const struct CMUnitTest tests[] = {
        ON_DISK(others_are_heard_while_a_game_is_read),
        ON_DISK(requests_to_a_game_are_obeyed_in_their_order),
        ON_DISK(many_who_come_to_a_game_at_once_are_in_the_same),
        ON_DISK(who_goes_while_a_game_is_read_has_been_heard),
        ON_DISK(a_card_is_looked_for_without_waiting),
        ON_DISK(the_lobby_is_closed_once_the_disk_answers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
