/* The limits of a visitor, as people in the lobby meet them. */
#include "people.h"

#include "base/clock.h"
#include "host/seat/reply.h"
#include "host/support.h"
#include "serve/alarms.h"
#include "serve/game_list.h"

#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct room_waits USUAL = {0};

/* Says this until it is refused with a time to wait. Returns how often it was not. */
static int say_until_refused(struct person *person, const char *request, const char *why) {
    int times = 0;
    for (;; times++) {
        person_says(person, "%s", request);
        const json_t *reply = person_hears(person);
        while (!json_object_get(reply, "id")) reply = person_hears(person);
        if (json_object_get(reply, "wait")) break;
        assert_true(times < 10000);
    }
    if (!strstr(person_text(person, "message"), why)) fail_msg("%s", person->line);
    return times;
}

static void requests_are_counted_over_all_connections_of_an_address(void **state) {
    (void)state;
    static const char view[] = "{'type':'view','game':'x','id':1}";
    struct house house;
    struct person ana[2], boris;
    struct visitors *visitors = visitors_open((struct visitor_terms){10, 10, 1000, 1});
    house_open(&house, NULL, USUAL);
    person_comes_from(&ana[0], &house, visitors, "192.0.2.1");
    assert_in_range(say_until_refused(&ana[0], view, "too many requests"), 50, 1000);
    person_goes(&ana[0]);
    person_comes_from(&ana[0], &house, visitors, "192.0.2.1");
    person_comes_from(&ana[1], &house, visitors, "192.0.2.1");
    person_comes_from(&boris, &house, visitors, "192.0.2.2");
    assert_in_range(say_until_refused(&ana[0], view, "too many requests"), 0, 40);
    assert_in_range(say_until_refused(&ana[1], view, "too many requests"), 0, 40);
    for (int i = 0; i < 40; i++) {
        person_says(&boris, "{'type':'view','game':'x','id':%d}", i);
        person_is_refused(&boris, "there is no game");
    }
    person_goes(&ana[0]), person_goes(&ana[1]), person_goes(&boris);
    house_close(&house);
    visitors_close(visitors);
}

/* A request of 60 kB that asks for nothing, with an id. */
static const char *long_request(const char *id) {
    enum { BYTES = 60000 };
    static char line[BYTES + 200];
    char *end = line + sprintf(line, "{'type':'view','game':'x','id':%s,'more':'", id);
    memset(end, 'x', BYTES);
    strcpy(end + BYTES, "'}");
    for (char *at = line; *at; at++)
        if (*at == '\'') *at = '"';
    return line;
}

static void say_long(const struct house *house, struct person *person, const char *id) {
    const char *line = long_request(id);
    lobby_hear(house->lobby, person->client, line, strlen(line));
}

/* Each takes the thread of the network a millisecond: of one address it reads few at once, and the
 * short ones of others there all the same. */
static void few_long_requests_of_an_address_are_read_at_once(void **state) {
    (void)state;
    enum { LONG = 40 };
    struct house house;
    struct person ana[2], boris;
    struct visitors *visitors = visitors_open((struct visitor_terms){10, 200, 1000, 1});
    int read = 0;
    house_open(&house, NULL, USUAL);
    for (int i = 0; i < 2; i++) person_comes_from(&ana[i], &house, visitors, "192.0.2.1");
    person_comes_from(&boris, &house, visitors, "192.0.2.2");
    const int64_t since = clock_ms();
    for (int i = 0; i < LONG; i++) {
        char id[32];
        snprintf(id, sizeof id, "'%c%d'", "ab"[i % 2], i);
        say_long(&house, &ana[i % 2], id);
        const json_t *reply = person_hears(&ana[i % 2]);
        while (!json_object_get(reply, "id")) reply = person_hears(&ana[i % 2]);
        if (!json_object_get(reply, "wait")) read++;
        if (json_object_get(reply, "wait"))
            assert_non_null(strstr(person_text(&ana[i % 2], "message"), "too many long requests"));
        snprintf(id, sizeof id, "%c%d", "ab"[i % 2], i);
        assert_string_equal(person_text(&ana[i % 2], "id"), id);
    }
    const int refilled = (int)((clock_ms() - since) * (200 << 10) * 5 / 1000 / 60000);
    assert_in_range(read, 7, 8 + refilled);
    person_says(&ana[0], "{'type':'view','game':'y','id':1}");
    person_is_refused(&ana[0], "there is no game");
    say_long(&house, &boris, "1");
    person_is_refused(&boris, "there is no game");
    for (int i = 0; i < 2; i++) person_goes(&ana[i]);
    person_goes(&boris);
    house_close(&house);
    visitors_close(visitors);
}

struct sending {
    struct client *client;
    json_t *message; /* owned */
    atomic_bool sends;
    int64_t took; /* ns */
};

static void *send_message(void *context) {
    struct sending *sending = context;
    const int64_t since = clock_ns();
    atomic_store(&sending->sends, true);
    client_send(sending->client, sending->message);
    sending->took = clock_ns() - since;
    atomic_store(&sending->sends, false);
    return NULL;
}

static void wake_nobody(void *context) {
    (void)context;
}

/* The longest time for which a client does not answer while a message is made, as a part of the
 * time for which it is made. */
static double longest_silence(void) {
    enum { TEXTS = 40000, TEXT = 200 };
    char text[TEXT + 1] = "";
    struct sending sending = {.client = client_open(0, wake_nobody, NULL), .message = json_array()};
    pthread_t thread;
    int64_t longest = 0;
    memset(text, '"', TEXT); /* takes two bytes each */
    for (int i = 0; i < TEXTS; i++) json_array_append_new(sending.message, json_string(text));
    assert_int_equal(pthread_create(&thread, NULL, send_message, &sending), 0);
    while (!atomic_load(&sending.sends)) sched_yield();
    while (atomic_load(&sending.sends)) {
        const int64_t since = clock_ns();
        client_is_busy(sending.client);
        const int64_t took = clock_ns() - since;
        if (took > longest) longest = took;
    }
    pthread_join(thread, NULL);
    client_hang_up(sending.client);
    client_release(sending.client);
    return (double)longest / (double)sending.took;
}

/* The thread of the network asks a client for what it has to say: nobody's long reply may hold it,
 * and so all others, up. Other programs may, so the best of some trials counts. */
static void a_client_answers_while_a_long_reply_is_made(void **state) {
    (void)state;
    double least = 1;
    for (int trial = 0; trial < 10 && least > 0.3; trial++) {
        const double silence = longest_silence();
        if (silence < least) least = silence;
    }
    assert_true(least <= 0.3);
}

/* Read, 21,500 objects take 3 MB. */
static void a_request_of_very_many_values_is_not_read(void **state) {
    (void)state;
    enum { OBJECTS = 21500, COMMAS = 10000 };
    static const char start[] = "{\"type\":\"view\",\"game\":\"x\",\"", end[] = "{}]}";
    struct house house;
    struct person ana;
    struct visitors *visitors = visitors_open((struct visitor_terms){10, 100, 1000, 1});
    struct buffer line = buffer_of(REPLY_BYTES_MAX);
    house_open(&house, NULL, USUAL);
    person_comes_from(&ana, &house, visitors, "192.0.2.1");
    buffer_add_text(&line, start);
    buffer_add_text(&line, "y\":[");
    for (int i = 0; i < OBJECTS; i++) buffer_add_text(&line, "{},");
    buffer_add_text(&line, end);
    lobby_hear(house.lobby, ana.client, line.text, line.length);
    person_is_refused(&ana, "more than 100 values");
    line.length = 0;
    buffer_add_text(&line, start); /* within a text they are none */
    buffer_add_text(&line, "z\":\"");
    for (int i = 0; i < COMMAS; i++) buffer_add_text(&line, "\\\"{,");
    buffer_add_text(&line, "\"}");
    lobby_hear(house.lobby, ana.client, line.text, line.length);
    person_is_refused(&ana, "there is no game");
    buffer_clear(&line);
    person_goes(&ana);
    house_close(&house);
    visitors_close(visitors);
}

static void a_request_that_is_refused_unheard_keeps_its_id_and_pauses_its_client(void **state) {
    (void)state;
    static const char request[] = "{\"type\":\"view\",\"game\":\"x\",\"id\":\"mine\"}";
    struct house house;
    struct person ana;
    struct visitors *visitors = visitors_open((struct visitor_terms){10, 1, 1000, 1});
    house_open(&house, NULL, USUAL);
    person_comes_from(&ana, &house, visitors, "192.0.2.1");
    int wait = 0;
    for (int i = 0; i < 100 && !wait; i++)
        wait = lobby_hear(house.lobby, ana.client, request, sizeof request - 1);
    assert_true(wait > 0);
    while (!json_object_get(person_hears(&ana), "wait")) {}
    assert_string_equal(person_text(&ana, "id"), "mine");
    assert_int_equal(person_number(&ana, "wait"), wait);
    person_goes(&ana);
    house_close(&house);
    visitors_close(visitors);
}

static void games_are_counted_over_all_connections_of_an_address(void **state) {
    (void)state;
    static const char *const games[] = {
        "{'type':'new','variant':'quick','red':'open','blue':'open','id':1}",
        "{'type':'new','variant':'quick','red':'me','blue':'rookie','id':1}",
        "{'type':'new','variant':'quick','red':'rookie','blue':'rookie','id':1}"};
    for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
        struct house house;
        struct person ana, boris;
        struct visitors *visitors = visitors_open((struct visitor_terms){10, 1000, 5, 64});
        house_open(&house, NULL, USUAL);
        person_comes_from(&ana, &house, visitors, "192.0.2.1");
        assert_int_equal(say_until_refused(&ana, games[i], "games from your address"), 5);
        person_goes(&ana);
        person_comes_from(&ana, &house, visitors, "192.0.2.1");
        assert_int_equal(say_until_refused(&ana, games[i], "games from your address"), 0);
        person_comes_from(&boris, &house, visitors, "192.0.2.2");
        person_says(&boris, "%s", games[i]);
        person_awaits(&boris, "created");
        person_goes(&ana), person_goes(&boris);
        house_close(&house);
        visitors_close(visitors);
    }
}

static void games_that_take_too_much_space_make_others_wait(void **state) {
    (void)state;
    struct house house;
    struct person ana;
    struct visitors *visitors = visitors_open((struct visitor_terms){10, 1000, 100000, 1});
    house_open(&house, test_folder, USUAL);
    person_comes_from(&ana, &house, visitors, "192.0.2.1");
    visitor_charge(client_visitor(ana.client), RATE_STORAGE, 1 << 20);
    assert_in_range(
        say_until_refused(&ana, "{'type':'new','variant':'quick','blue':'open','id':1}", "space"),
        0, 2);
    assert_true(person_number(&ana, "wait") > 0);
    person_goes(&ana);
    house_close(&house);
    visitors_close(visitors);
}

static void of_a_new_game_only_what_makes_it_up_is_kept(void **state) {
    (void)state;
    struct house house;
    struct person ana;
    struct fault fault = {0};
    struct archived kept;
    char *junk = malloc(60001), game[64], line[1 << 16];
    memset(junk, 'x', 60000);
    junk[60000] = 0;
    house_open(&house, test_folder, USUAL);
    person_comes(&ana, &house);
    const int length = snprintf(
        line, sizeof line,
        "{\"type\":\"new\",\"variant\":\"quick\",\"red\":\"me\",\"blue\":\"open\",\"id\":\"%.2000s\","
        "\"names\":{\"red\":\"Ana\",\"green\":\"%.20000s\"},\"clock\":{\"seconds\":60,\"x\":[\"%.20000s\"]},"
        "\"j\":\"%.20000s\",\"public\":false}",
        junk, junk, junk, junk);
    lobby_hear(house.lobby, ana.client, line, (size_t)length);
    person_awaits(&ana, "created");
    assert_int_equal(strlen(person_text(&ana, "id")), 2000);
    snprintf(game, sizeof game, "%s", person_text(&ana, "game"));
    assert_true(archive_find(house.archive, game, &kept, &fault));
    assert_null(strstr(kept.request, "xxxx"));
    assert_non_null(strstr(kept.request, "Ana"));
    assert_true(strlen(kept.request) < 300);
    archived_clear(&kept);
    person_says(&ana, "{'type':'new','variant':'quick','blue':'open','setups':{'red':'%.300s'}}",
                junk);
    person_is_refused(&ana, "bytes are expected");
    free(junk);
    person_goes(&ana);
    house_close(&house);
}

/* The game's first question for a move has come. */
static void plays_a_bot(struct person *person, const char *setup) {
    person->setup = setup;
    person_says(person, "{'type':'new','variant':'quick','blue':'rookie'}");
}

static void a_visitors_many_games_with_bots_do_not_hold_up_anothers_one(void **state) {
    (void)state;
    enum { MANY = 6 };
    struct house house;
    struct person ana[MANY], boris;
    struct visitors *visitors = visitors_open((struct visitor_terms){100, 1000, 100, 64});
    house_open_for(&house, NULL, USUAL, (struct slots_terms){.all = 3, .of_visitor = 2});
    for (int i = 0; i < MANY; i++) {
        person_comes_from(&ana[i], &house, visitors, "192.0.2.1");
        plays_a_bot(&ana[i], "quick-corner");
    }
    person_comes_from(&boris, &house, visitors, "192.0.2.2");
    plays_a_bot(&boris, "quick-corner");
    person_plays(&boris, 3);         /* beside two games that have slots, and four that wait */
    for (int i = 0; i < MANY; i++) { /* each has its turn: others doze, or end */
        person_plays(&ana[i], 1);
        person_says(&ana[i], "{'type':'resign','game':'%s'}", person_text(&ana[i], "game"));
        person_awaits(&ana[i], "end");
    }
    for (int i = 0; i < MANY; i++) person_goes(&ana[i]);
    person_goes(&boris);
    house_close(&house);
    visitors_close(visitors);
}

/* Each of which would take minutes. */
static void games_that_bots_play_alone_give_way_to_those_of_an_address_with_fewer(void **state) {
    (void)state;
    enum { GAMES = 3 };
    struct house house;
    struct person eve, boris;
    struct visitors *visitors = visitors_open((struct visitor_terms){100, 1000, 100, 64});
    house_open_for(&house, NULL, USUAL, (struct slots_terms){.all = 4, .of_visitor = 4});
    person_comes_from(&eve, &house, visitors, "192.0.2.1");
    for (int i = 0; i < GAMES; i++)
        person_says(&eve, "{'type':'new','variant':'classic','red':'admiral','blue':'admiral',"
                          "'watch':'public'}");
    person_awaits(&eve, "events");
    person_comes_from(&boris, &house, visitors, "192.0.2.2");
    plays_a_bot(&boris, "quick-corner");
    person_plays(&boris, 3);
    const long ply = person_number(&eve, "ply");
    do person_awaits(&eve, "events"); /* and go on with what is left */
    while (person_number(&eve, "ply") < ply + 4);
    person_goes(&eve), person_goes(&boris);
    house_close(&house);
    visitors_close(visitors);
}

/* Makes games with a free seat, and waits until so many are listed. */
static void offer(struct person *person, int count) {
    for (int i = 0; i < count; i++) {
        person_says(person, "{'type':'new','variant':'quick','blue':'open'}");
        person_awaits(person, "created");
    }
}

static const json_t *list_page(struct person *person, const char *more) {
    person_says(person, "{'type':'list','what':'open'%s}", more);
    return json_object_get(person_awaits(person, "list"), "list");
}

static void lists_of_games_come_in_pages_that_do_not_shift(void **state) {
    (void)state;
    enum { GAMES = 130, FIRST = 100, PAGE = 20 };
    char more[128], seen[GAMES][32];
    struct house house;
    struct person ana, eve;
    house_open(&house, NULL, USUAL);
    person_comes(&ana, &house), person_comes(&eve, &house);
    offer(&ana, GAMES);
    size_t count;
    do count = json_array_size(list_page(&eve, ",'limit':1000"));
    while (count < GAMES); /* the last is listed a moment after its maker hears of it */
    assert_int_equal(json_array_size(list_page(&eve, "")), FIRST);
    assert_non_null(json_object_get(eve.message, "next"));
    int total = 0;
    for (const char *next = "";; total += PAGE) {
        snprintf(more, sizeof more, ",'limit':%d%s%s%s", PAGE, *next ? ",'after':'" : "", next,
                 *next ? "'" : "");
        const json_t *list = list_page(&eve, more);
        for (size_t i = 0; i < json_array_size(list); i++) {
            const char *game = json_string_value(json_object_get(json_array_get(list, i), "game"));
            snprintf(seen[total + (int)i], sizeof *seen, "%s", game);
            for (int k = 0; k < total + (int)i; k++) assert_string_not_equal(seen[k], game);
        }
        next = json_string_value(json_object_get(eve.message, "next"));
        if (!next) {
            total += (int)json_array_size(list);
            break;
        }
        static char cursor[32];
        snprintf(cursor, sizeof cursor, "%s", next);
        next = cursor;
        /* Newer games come first, and the last of this page goes. */
        offer(&ana, 1);
        person_says(&eve, "{'type':'join','game':'%s'}", seen[total + PAGE - 1]);
        person_awaits(&eve, "joined");
    }
    assert_int_equal(total, GAMES);
    static const char *const wrong[] = {
        ",'limit':0",   ",'limit':1001", ",'limit':'x'",  ",'after':''",
        ",'after':'0'", ",'after':'-1'", ",'after':'1x'", ",'after':'99999999999999999999999'",
        ",'after':7"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        person_says(&eve, "{'type':'list','what':'open'%s}", wrong[i]);
        person_is_refused(&eve, "expected");
    }
    assert_int_equal(json_array_size(list_page(&eve, ",'after':'1'")), 0);
    person_goes(&ana), person_goes(&eve);
    house_close(&house);
}

static void figures_count_games_as_they_stand(void **state) {
    (void)state;
    struct house house;
    struct person ana, boris;
    house_open(&house, NULL, USUAL);
    person_comes(&ana, &house), person_comes(&boris, &house);
    struct lobby_figures figures = lobby_figures(house.lobby);
    assert_int_equal(figures.forming + figures.playing + figures.over, 0);
    offer(&ana, 2);
    while (json_array_size(list_page(&boris, "")) < 2) {}
    figures = lobby_figures(house.lobby);
    assert_int_equal(figures.forming, 2);
    const json_t *line = json_array_get(list_page(&boris, ""), 0);
    person_says(&boris, "{'type':'join','game':'%s'}",
                json_string_value(json_object_get(line, "game")));
    person_awaits(&boris, "joined");
    while (json_array_size(list_page(&ana, "")) != 1) {}
    figures = lobby_figures(house.lobby);
    assert_int_equal(figures.forming, 1);
    assert_int_equal(figures.playing, 1);
    person_goes(&ana), person_goes(&boris);
    house_close(&house);
}

static void a_list_of_rooms_gives_those_behind_any_place(void **state) {
    (void)state;
    enum { ROOMS = 200 };
    static char rooms[ROOMS + 1];
    struct game_list list = {0};
    for (int i = 0; i < ROOMS; i++) { /* out of order */
        const uint64_t order = (uint64_t)(i * 77 % ROOMS) + 1;
        game_list_add(&list, order, (void *)&rooms[order]);
    }
    for (uint64_t order = 3; order <= ROOMS; order += 3) game_list_drop(&list, order);
    game_list_drop(&list, 3); /* it is not there */
    for (uint64_t order = 1; order <= ROOMS; order++) {
        const uint64_t up = order % 3 == 2 ? order + 2 : order + 1,
                       down = order % 3 == 1 ? order - 2 : order - 1;
        const void *above = up <= ROOMS ? &rooms[up] : NULL;
        const void *beneath = order > 1 ? &rooms[down] : NULL;
        assert_ptr_equal(game_list_next(&list, order, false), above);
        assert_ptr_equal(game_list_next(&list, order, true), beneath);
    }
    game_list_clear(&list);
}

/* Tasks that note in which order they run. */
struct sleeper {
    struct task task; /* first */
    struct alarm alarm;
    int number;
};

static int woken[64], woken_count;

static enum task_result note_waking(struct task *task) {
    woken[woken_count++] = ((struct sleeper *)task)->number;
    return TASK_IDLE;
}

static void alarms_ring_in_their_order_however_they_were_set(void **state) {
    (void)state;
    enum { SLEEPERS = 50 };
    static struct sleeper sleepers[SLEEPERS];
    struct fault fault = {0};
    struct workers *workers = workers_open(1, &fault);
    struct alarms *alarms = alarms_open();
    const int64_t past = clock_ms() - 10000;
    woken_count = 0;
    for (int i = 0; i < SLEEPERS; i++) {
        sleepers[i] = (struct sleeper){.task = {.run = note_waking}, .number = i * 37 % SLEEPERS};
        sleepers[i].alarm.task = &sleepers[i].task;
        assert_true(task_begin(workers, &sleepers[i].task, TASK_SLOW, &fault));
        alarms_set(alarms, &sleepers[i].alarm, clock_ms() + 100000 + i);
        alarms_set(alarms, &sleepers[i].alarm, past + sleepers[i].number);
    }
    assert_true(alarms_set(alarms, &sleepers[0].alarm, past - 1)); /* it was the first: number 0 */
    int taken = 0;
    for (int i = 1; i < SLEEPERS; i += 7, taken++)
        alarms_set(alarms, &sleepers[i].alarm, INT64_MAX);
    assert_int_equal(alarms_ring(alarms), -1);
    workers_close(workers);
    assert_int_equal(woken_count, SLEEPERS - taken);
    for (int i = 1; i < woken_count; i++) assert_true(woken[i - 1] < woken[i]);
    alarms_close(alarms);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(requests_are_counted_over_all_connections_of_an_address),
        cmocka_unit_test(few_long_requests_of_an_address_are_read_at_once),
        cmocka_unit_test(a_client_answers_while_a_long_reply_is_made),
        cmocka_unit_test(a_request_of_very_many_values_is_not_read),
        cmocka_unit_test(a_request_that_is_refused_unheard_keeps_its_id_and_pauses_its_client),
        cmocka_unit_test(games_are_counted_over_all_connections_of_an_address),
        cmocka_unit_test_setup_teardown(games_that_take_too_much_space_make_others_wait,
                                        make_test_folder, remove_test_folder),
        cmocka_unit_test_setup_teardown(of_a_new_game_only_what_makes_it_up_is_kept,
                                        make_test_folder, remove_test_folder),
        cmocka_unit_test(a_visitors_many_games_with_bots_do_not_hold_up_anothers_one),
        cmocka_unit_test(games_that_bots_play_alone_give_way_to_those_of_an_address_with_fewer),
        cmocka_unit_test(lists_of_games_come_in_pages_that_do_not_shift),
        cmocka_unit_test(figures_count_games_as_they_stand),
        cmocka_unit_test(a_list_of_rooms_gives_those_behind_any_place),
        cmocka_unit_test(alarms_ring_in_their_order_however_they_were_set),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
