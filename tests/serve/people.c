/* people.c - clients of a lobby without sockets. */
#include "people.h"

#include "question.h"
#include "quoted.h"

#include "base/clock.h"
#include "host/schema.h"
#include "host/support.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { PATIENCE = 60000, UNREAD = 8 << 20 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t news = PTHREAD_COND_INITIALIZER;
static unsigned long wakes;

static void wake(void *context) {
    (void)context;
    pthread_mutex_lock(&lock);
    wakes++;
    pthread_cond_broadcast(&news);
    pthread_mutex_unlock(&lock);
}

void house_open(struct house *house, const char *folder, struct room_waits waits) {
    house_open_for(house, folder, waits, (struct slots_terms){BOT_SLOTS, BOT_SLOTS_OF_VISITOR});
}

void house_open_for(struct house *house, const char *folder, struct room_waits waits,
                    struct slots_terms bots) {
    struct fault fault = {0};
    house->archive = folder ? archive_open(folder, &fault) : NULL;
    if (folder && !house->archive) fail_msg("%s", fault.text);
    const struct lobby_options options = {.folders = support_folders(),
                                          .shown = support_folders(),
                                          .limits = SANDBOX_DEFAULTS,
                                          .deadline = PATIENCE,
                                          .jobs = 2,
                                          .bots = bots,
                                          .trust = true,
                                          .archive = house->archive,
                                          .waits = waits,
                                          .wake = wake};
    house->lobby = lobby_open(&options, &fault);
    if (!house->lobby) fail_msg("%s", fault.text);
}

void house_close(struct house *house) {
    assert_true(lobby_close(house->lobby));
    archive_close(house->archive);
}

void person_comes(struct person *person, struct house *house) {
    *person = (struct person){
        .house = house, .client = client_open(UNREAD, wake, NULL), .setup = "duel-corner"};
    assert_non_null(person->client);
}

void person_comes_from(struct person *person, struct house *house, struct visitors *visitors,
                       const char *address) {
    struct visitor *visitor = visitors_meet(visitors, address);
    assert_non_null(visitor);
    person_comes(person, house);
    client_is_of(person->client, visitor);
    visitor_release(visitor);
}

void person_goes(struct person *person) {
    lobby_miss(person->house->lobby, person->client);
    client_release(person->client);
    json_decref(person->message);
    free(person->text);
    *person = (struct person){0};
}

void person_says(struct person *person, const char *form, ...) {
    char line[QUOTED_MAX];
    va_list args;
    va_start(args, form);
    int length = quoted_write(line, form, args);
    va_end(args);
    lobby_hear(person->house->lobby, person->client, line, (size_t)length);
}

/* Waits for something to happen, and wakes the rooms whose time has come. */
static void await_news(struct person *person, unsigned long seen) {
    int due = lobby_due(person->house->lobby);
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    const int64_t wait = due < 0 || due > PATIENCE ? PATIENCE : due;
    const int64_t at = until.tv_nsec + wait % 1000 * 1000000;
    until.tv_sec += wait / 1000 + at / 1000000000;
    until.tv_nsec = at % 1000000000;
    pthread_mutex_lock(&lock);
    while (wakes == seen && !pthread_cond_timedwait(&news, &lock, &until)) continue;
    pthread_mutex_unlock(&lock);
}

static void listen_on(struct person *person) {
    const int64_t until = clock_ms() + PATIENCE;
    for (;;) {
        struct buffer heard = {0};
        pthread_mutex_lock(&lock);
        unsigned long seen = wakes;
        pthread_mutex_unlock(&lock);
        bool any = client_take(person->client, &heard);
        if (any) {
            const size_t rest = person->length - person->at;
            char *text = malloc(rest + heard.length + 1);
            assert_non_null(text);
            if (rest) memcpy(text, person->text + person->at, rest);
            memcpy(text + rest, heard.text, heard.length);
            free(person->text);
            person->text = text;
            person->length = rest + heard.length;
            person->at = 0;
        }
        buffer_clear(&heard);
        if (any) return;
        if (clock_ms() > until) fail_msg("no answer after: %s", person->line);
        await_news(person, seen);
    }
}

const json_t *person_hears(struct person *person) {
    char why[SCHEMA_WHY_MAX];
    if (person->at == person->length) listen_on(person);
    char *line = person->text + person->at;
    char *end = memchr(line, '\n', person->length - person->at);
    assert_non_null(end);
    *end = 0;
    person->at += (size_t)(end - line) + 1;
    person->line = line;
    json_decref(person->message);
    person->message = json_loads(line, JSON_REJECT_DUPLICATES, NULL);
    if (!person->message) fail_msg("no JSON: %.300s", line);
    if (!schema_fits("from_host", person->message, why)) fail_msg("%.300s: %s", line, why);
    return person->message;
}

const json_t *person_awaits(struct person *person, const char *type) {
    for (;;) {
        person_hears(person);
        const char *got = person_text(person, "type");
        if (!strcmp(got, type)) return person->message;
        if (!strcmp(got, "error")) fail_msg("expected \"%s\": %.400s", type, person->line);
    }
}

void person_is_refused(struct person *person, const char *text) {
    do person_hears(person);
    while (strcmp(person_text(person, "type"), "error") != 0);
    if (!strstr(person_text(person, "message"), text))
        fail_msg("expected \"%s\": %.400s", text, person->line);
}

const char *person_text(const struct person *person, const char *key) {
    const char *text = json_string_value(json_object_get(person->message, key));
    if (!text) fail_msg("no text \"%s\" in %.300s", key, person->line);
    return text;
}

long person_number(const struct person *person, const char *key) {
    const json_t *number = json_object_get(person->message, key);
    if (json_is_null(number)) return -1;
    if (!json_is_integer(number)) fail_msg("no number \"%s\" in %.300s", key, person->line);
    return (long)json_integer_value(number);
}

void person_answers(struct person *person) {
    const char *game = person_text(person, "game"), *seat = person_text(person, "seat");
    if (!strcmp(person_text(person, "type"), "setup")) {
        person_says(person, "{'type':'setup','game':'%s','seat':'%s','setup':'%s'}", game, seat,
                    person->setup);
        return;
    }
    person_says(person, "{'type':'move','game':'%s','seat':'%s','ply':%ld,'move':'%s'}", game, seat,
                person_number(person, "ply"), question_quiet_move(person->message));
}

void person_plays(struct person *person, int count) {
    while (count) {
        person_hears(person);
        const char *type = person_text(person, "type");
        if (!strcmp(type, "error") || !strcmp(type, "end")) fail_msg("%.300s", person->line);
        bool moves = !strcmp(type, "move");
        if (moves || !strcmp(type, "setup")) person_answers(person);
        count -= moves;
    }
}
