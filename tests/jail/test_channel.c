/* Frames over pipes: complete ones, and the different failures. */
#include "base/clock.h"
#include "base/standby.h"
#include "host/processes.h"
#include "jail/codec.h"

#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum { ROOM = 1 << 16 };

static int pipes[2];
static struct frame out, in;

static int open_pipe(void **state) {
    (void)state;
    if (pipe(pipes)) return -1;
    fcntl(pipes[0], F_SETFL, O_NONBLOCK);
    fcntl(pipes[1], F_SETFL, O_NONBLOCK);
    return frame_open(&out, 4 * ROOM) && frame_open(&in, ROOM) ? 0 : -1;
}

static int close_pipe(void **state) {
    (void)state;
    close(pipes[0]);
    if (pipes[1] >= 0) close(pipes[1]);
    frame_close(&out);
    frame_close(&in);
    return 0;
}

static void end_writing(void) {
    close(pipes[1]);
    pipes[1] = -1;
}

/* Writes bytes as they are. */
static void write_raw(const void *bytes, size_t size) {
    assert_int_equal(write(pipes[1], bytes, size), size);
}

static enum channel_result receive(uint32_t sequence) {
    return channel_receive(pipes[0], &in, &sequence, clock_ms() + 50);
}

static void a_frame_arrives_with_its_number(void **state) {
    (void)state;
    uint32_t word = 12345, got = 0, sequence = 0;
    frame_clear(&out);
    frame_put(&out, &word, sizeof word);
    assert_int_equal(channel_send(pipes[1], &out, 77, clock_ms() + 50), CHANNEL_OK);
    assert_int_equal(channel_receive(pipes[0], &in, &sequence, clock_ms() + 50), CHANNEL_OK);
    frame_take(&in, &got, sizeof got);
    assert_int_equal(sequence, 77);
    assert_int_equal(got, word);
    assert_false(in.broken);
}

static void a_frame_larger_than_the_pipe_arrives_whole(void **state) {
    (void)state;
    static unsigned char sent[3 * ROOM];
    struct frame wide;
    uint32_t sequence = 0;
    assert_true(frame_open(&wide, sizeof sent));
    for (size_t i = 0; i < sizeof sent; i++) sent[i] = (unsigned char)(i * 31 >> 3);
    frame_clear(&out);
    frame_put(&out, sent, sizeof sent);
    pid_t child = fork();
    if (child == 0) _exit(channel_send(pipes[1], &out, 5, clock_ms() + 5000) != CHANNEL_OK);
    assert_int_equal(channel_receive(pipes[0], &wide, &sequence, clock_ms() + 5000), CHANNEL_OK);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_int_equal(wide.length, sizeof sent);
    assert_memory_equal(wide.bytes + CHANNEL_HEADER, sent, sizeof sent);
    frame_close(&wide);
}

static void taking_more_than_was_sent_breaks_the_frame(void **state) {
    (void)state;
    uint16_t word = 1;
    uint32_t got = 99;
    frame_clear(&out);
    frame_put(&out, &word, sizeof word);
    frame_take(&out, &got, sizeof got);
    assert_true(out.broken);
    assert_int_equal(got, 0);
}

static void putting_more_than_there_is_room_for_breaks_the_frame(void **state) {
    (void)state;
    static unsigned char much[4 * ROOM + 1];
    frame_clear(&out);
    frame_put(&out, much, sizeof much);
    assert_true(out.broken);
    assert_int_equal(out.length, 0);
}

static void silence_is_late(void **state) {
    (void)state;
    int64_t before = clock_ms();
    assert_int_equal(receive(1), CHANNEL_LATE);
    assert_true(clock_ms() - before >= 50);
}

static void half_a_frame_is_late(void **state) {
    (void)state;
    const uint32_t header[2] = {100, 1};
    write_raw(header, sizeof header);
    assert_int_equal(receive(1), CHANNEL_LATE);
}

static void a_full_pipe_is_late(void **state) {
    (void)state;
    static unsigned char much[4 * ROOM];
    frame_clear(&out);
    frame_put(&out, much, sizeof much);
    assert_int_equal(channel_send(pipes[1], &out, 1, clock_ms() + 50), CHANNEL_LATE);
}

static void the_end_without_a_word_is_closed(void **state) {
    (void)state;
    end_writing();
    assert_int_equal(receive(1), CHANNEL_CLOSED);
}

static void the_end_within_a_frame_is_a_cut(void **state) {
    (void)state;
    const uint32_t header[2] = {100, 1};
    write_raw(header, sizeof header);
    write_raw("some", 4);
    end_writing();
    assert_int_equal(receive(1), CHANNEL_CUT);
}

static void the_end_within_a_header_is_a_cut(void **state) {
    (void)state;
    write_raw("abc", 3);
    end_writing();
    assert_int_equal(receive(1), CHANNEL_CUT);
}

static void a_length_beyond_the_room_is_refused_at_once(void **state) {
    (void)state;
    const uint32_t lengths[] = {ROOM + 1, UINT32_MAX};
    for (int i = 0; i < 2; i++) {
        const uint32_t header[2] = {lengths[i], 1};
        write_raw(header, sizeof header);
        assert_int_equal(receive(1), CHANNEL_LONG);
    }
}

static void a_second_frame_is_surplus(void **state) {
    (void)state;
    const uint32_t twice[4] = {0, 1, 0, 1};
    write_raw(twice, sizeof twice);
    assert_int_equal(receive(1), CHANNEL_SURPLUS);
}

/* A frame's memory is as large as a frame can be, or a whole number of pages before it has grown.
 */
static void it_is_surplus_behind_a_frame_of_any_length(void **state) {
    (void)state;
    static unsigned char both[ROOM];
    for (size_t length = 0; length + 2 * CHANNEL_HEADER <= sizeof both; length += 8) {
        const uint32_t header[2] = {(uint32_t)length, 1}, second[2] = {0, 2};
        memcpy(both, header, sizeof header);
        memcpy(both + CHANNEL_HEADER + length, second, sizeof second);
        frame_close(&in);
        assert_true(frame_open(&in, length > ROOM / 2 ? length : ROOM));
        write_raw(both, length + 2 * CHANNEL_HEADER);
        assert_int_equal(receive(1), CHANNEL_SURPLUS);
        while (read(pipes[0], both, sizeof both) > 0) continue; /* what was not read */
    }
}

static void a_frame_takes_memory_for_what_is_in_it(void **state) {
    (void)state;
    static unsigned char body[ROOM];
    assert_true(out.size < ROOM);
    frame_clear(&out);
    for (size_t length = 0; length < sizeof body; length += 64) frame_put(&out, body, 64);
    assert_true(out.size >= CHANNEL_HEADER + sizeof body && out.size <= 3 * sizeof body);
    assert_false(out.broken);
}

static void another_number_is_out_of_order(void **state) {
    (void)state;
    const uint32_t header[2] = {0, 6};
    write_raw(header, sizeof header);
    assert_int_equal(receive(7), CHANNEL_ORDER);
}

static int stood_by, came_back;

/* standby.begin: somebody else answers meanwhile. */
static void answer_meanwhile(void *word) {
    stood_by++;
    frame_clear(&out);
    frame_put(&out, word, sizeof(uint32_t));
    assert_int_equal(channel_send(pipes[1], &out, 3, clock_ms() + 50), CHANNEL_OK);
}

static void count_return(void *word) {
    (void)word;
    came_back++;
}

static void who_waits_for_a_stopped_process_stands_by_until_it_answers(void **state) {
    (void)state;
    uint32_t word = 54321, got = 0, sequence = 3;
    const struct standby standby = {answer_meanwhile, count_return, &word};
    struct channel_watch watch = {.pid = fork()};
    if (!watch.pid) pause(), _exit(0);
    kill(watch.pid, SIGSTOP);
    assert_true(process_stops(watch.pid));
    standby_join(&standby);
    in.watch = &watch;
    for (int i = 1; i <= 2; i++) {
        assert_int_equal(channel_receive(pipes[0], &in, &sequence, clock_ms() + 20000), CHANNEL_OK);
        frame_take(&in, &got, sizeof got);
        assert_int_equal(got, word);
        assert_int_equal(stood_by, i);
        assert_int_equal(came_back, i);
    }
    standby_join(NULL);
    kill(watch.pid, SIGKILL);
    assert_int_equal(waitpid(watch.pid, NULL, 0), watch.pid);
}

/* This process computes: it looks at itself. */
static void who_waits_for_a_process_that_computes_does_not_stand_by(void **state) {
    (void)state;
    uint32_t word = 0;
    const struct standby standby = {answer_meanwhile, count_return, &word};
    struct channel_watch watch = {.pid = getpid()};
    stood_by = came_back = 0;
    standby_join(&standby);
    in.watch = &watch;
    uint32_t sequence = 3;
    int64_t deadline = clock_ms() + 5 * CHANNEL_MOMENT;
    assert_int_equal(channel_receive(pipes[0], &in, &sequence, deadline), CHANNEL_LATE);
    assert_true(clock_ms() >= deadline);
    assert_int_equal(stood_by, 0);
    assert_int_equal(came_back, 0);
    standby_join(NULL);
}

static void a_wait_is_given_up_when_that_is_wished(void **state) {
    (void)state;
    static const atomic_bool wish = true;
    struct channel_watch watch = {.pid = getpid(), .give_up = &wish};
    uint32_t sequence = 3;
    in.watch = &watch;
    assert_int_equal(channel_receive(pipes[0], &in, &sequence, clock_ms() + 20000),
                     CHANNEL_GIVEN_UP);
    static unsigned char much[4 * ROOM];
    frame_clear(&out);
    frame_put(&out, much, sizeof much);
    out.watch = &watch;
    assert_int_equal(channel_send(pipes[1], &out, 1, clock_ms() + 20000), CHANNEL_GIVEN_UP);
}

#define ON_A_PIPE(test) cmocka_unit_test_setup_teardown(test, open_pipe, close_pipe)

static void a_fault_arrives_with_its_place_and_its_form(void **state) {
    (void)state;
    struct fault sent = {0}, taken;
    fault_set(&sent, STATUS_SETUP, "%d pieces of kind %s", 3, "spy");
    fault_within(&sent, "in setup");
    fault_place(&sent, "a.lua", 4, 2);
    frame_clear(&out);
    frame_put_fault(&out, &sent);
    out.at = 0;
    assert_true(frame_take_fault(&out, &taken));
    assert_int_equal(out.at, out.length);
    assert_memory_equal(&taken.form, &sent.form, sizeof sent.form);
    assert_string_equal(taken.text, "in setup: 3 pieces of kind spy");
    assert_string_equal(taken.file, "a.lua");
    assert_int_equal(taken.status, STATUS_SETUP);
    assert_int_equal(taken.line, 4);
    assert_int_equal(taken.column, 2);
}

static void a_fault_that_cannot_be_breaks_the_frame(void **state) {
    (void)state;
    struct fault good = {0}, bad[7], taken;
    fault_set(&good, STATUS_SETUP, "%d pieces", 3);
    for (int i = 0; i < 7; i++) bad[i] = good;
    bad[0].form.part[0].end = FAULT_TEXT_MAX;
    bad[1].form.parts = UINT16_MAX;
    bad[2].text[1] = '\033';
    bad[3].text[0] = 0;
    bad[4].status = STATUS_COUNT;
    bad[5].line = -1;
    bad[6].status = STATUS_START; /* ends a match; only for programs */
    for (int i = 0; i < 7; i++) {
        frame_clear(&out);
        frame_put_fault(&out, &bad[i]);
        out.at = 0;
        assert_false(frame_take_fault(&out, &taken));
        assert_true(out.broken);
        assert_int_equal(taken.status, STATUS_OK);
        assert_string_equal(taken.text, "");
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        ON_A_PIPE(a_frame_arrives_with_its_number),
        ON_A_PIPE(a_fault_arrives_with_its_place_and_its_form),
        ON_A_PIPE(a_fault_that_cannot_be_breaks_the_frame),
        ON_A_PIPE(a_frame_larger_than_the_pipe_arrives_whole),
        ON_A_PIPE(taking_more_than_was_sent_breaks_the_frame),
        ON_A_PIPE(putting_more_than_there_is_room_for_breaks_the_frame),
        ON_A_PIPE(silence_is_late),
        ON_A_PIPE(who_waits_for_a_stopped_process_stands_by_until_it_answers),
        ON_A_PIPE(who_waits_for_a_process_that_computes_does_not_stand_by),
        ON_A_PIPE(a_wait_is_given_up_when_that_is_wished),
        ON_A_PIPE(half_a_frame_is_late),
        ON_A_PIPE(a_full_pipe_is_late),
        ON_A_PIPE(the_end_without_a_word_is_closed),
        ON_A_PIPE(the_end_within_a_frame_is_a_cut),
        ON_A_PIPE(the_end_within_a_header_is_a_cut),
        ON_A_PIPE(a_length_beyond_the_room_is_refused_at_once),
        ON_A_PIPE(a_second_frame_is_surplus),
        ON_A_PIPE(it_is_surplus_behind_a_frame_of_any_length),
        ON_A_PIPE(a_frame_takes_memory_for_what_is_in_it),
        ON_A_PIPE(another_number_is_out_of_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
