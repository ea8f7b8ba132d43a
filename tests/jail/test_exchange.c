/* Questions to processes that do not answer as they should, and why there is no answer. */
#include "jail/exchange.h"

#include "base/clock.h"
#include "host/processes.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { ROOM = 64, SHORT = 300 /* ms */, PATIENT = 20000, NUMBER = 7 };

enum misdeed {
    ANSWERS,
    WAITS,
    EXITS,
    CRASHES,
    IS_KILLED,
    IS_STOPPED,
    ANSWERS_TWICE,
    SAYS_TOO_MUCH,
    SAYS_ANOTHER_NUMBER,
    BREAKS_OFF,
    CLOSES_ITS_PIPE,
    LOSES_ITS_PARENT,
    MISDEEDS
};

static const struct {
    enum ending_kind kind;
    enum status status;
    const char *how;
} expected[MISDEEDS] = {
    [WAITS] = {ENDING_LATE, STATUS_TIME, "gave no answer for 300 ms"},
    [EXITS] = {ENDING_EXIT, STATUS_CRASH, "exited with status 9"},
    [CRASHES] = {ENDING_SIGNAL, STATUS_CRASH, "was killed by SIGSEGV"},
    [IS_KILLED] = {ENDING_OUTSIDER, STATUS_KILLED, "was killed by SIGKILL, from outside"},
    [IS_STOPPED] = {ENDING_OUTSIDER, STATUS_KILLED, "was stopped by SIGSTOP, from outside"},
    [ANSWERS_TWICE] = {ENDING_MISDEED, STATUS_CRASH, "sent more than one answer"},
    [SAYS_TOO_MUCH] = {ENDING_MISDEED, STATUS_CRASH, "sent an answer that is too long"},
    [SAYS_ANOTHER_NUMBER] = {ENDING_MISDEED, STATUS_CRASH, "sent an answer with a wrong number"},
    [BREAKS_OFF] = {ENDING_MISDEED, STATUS_CRASH, "broke off in the middle of an answer"},
    [CLOSES_ITS_PIPE] = {ENDING_MISDEED, STATUS_CRASH, "closed its pipe"},
    [LOSES_ITS_PARENT] = {ENDING_ORPHAN, STATUS_KILLED, "is gone"},
};

static const void *learn(struct frame *told) {
    static uint32_t misdeed;
    misdeed = frame_take_number(told);
    return &misdeed;
}

static _Noreturn void wait_for_ever(void) {
    for (;;) pause();
}

/* Answers a question, or does not. */
static void misbehave(const void *known, int in, int out) {
    const enum misdeed misdeed = (enum misdeed) * (const uint32_t *)known;
    struct frame frame;
    uint32_t sequence = 0;
    if (!frame_open(&frame, 4 * ROOM) ||
        channel_receive(in, &frame, &sequence, CHANNEL_FOREVER) != CHANNEL_OK)
        _exit(1);
    frame_clear(&frame);
    frame_put_number(&frame, 5);
    switch (misdeed) {
    case EXITS:
        _exit(9);
    case CRASHES:
        raise(SIGSEGV);
        break;
    case SAYS_TOO_MUCH:
        for (size_t i = 0; i < ROOM; i++) frame_put_number(&frame, 0);
        break;
    case SAYS_ANOTHER_NUMBER:
        sequence++;
        break;
    case ANSWERS_TWICE: {
        const uint32_t twice[] = {4, sequence, 0, 4, sequence, 0};
        if (write(out, twice, sizeof twice) < 0) _exit(1);
        wait_for_ever();
    }
    case BREAKS_OFF:
        if (write(out, &sequence, sizeof sequence) < 0) _exit(1);
        _exit(0);
    case CLOSES_ITS_PIPE:
        close(out);
        wait_for_ever();
    case WAITS:
    case IS_KILLED:
    case IS_STOPPED:
    case LOSES_ITS_PARENT:
        wait_for_ever();
    default:
        break;
    }
    channel_send(out, &frame, sequence, CHANNEL_FOREVER);
    wait_for_ever();
}

static struct template *open_template(uint32_t misdeed) {
    struct fault fault = {0};
    struct frame told;
    assert_true(frame_open(&told, ROOM));
    frame_put_number(&told, misdeed);
    struct template *template =
        template_open((struct template_work){misbehave, learn}, &told, &fault);
    if (!template) fail_msg("%s", fault.text);
    frame_close(&told);
    return template;
}

/* What another process does to it. */
static void disturb(enum misdeed misdeed, const struct template *template, pid_t pid) {
    if (misdeed == IS_KILLED) kill(pid, SIGKILL);
    if (misdeed == LOSES_ITS_PARENT) kill(template_process(template), SIGKILL);
    if (misdeed != IS_STOPPED) return;
    kill(pid, SIGSTOP);
    assert_true(process_stops(pid));
}

static void why_there_is_no_answer_is_found_for_each_way_to_give_none(void **state) {
    (void)state;
    struct frame question, answer;
    assert_true(frame_open(&question, ROOM) && frame_open(&answer, ROOM));
    for (enum misdeed misdeed = ANSWERS; misdeed < MISDEEDS; misdeed++) {
        struct fault fault = {0};
        struct template *template = open_template(misdeed);
        struct locked_process process;
        const bool late = misdeed == WAITS || misdeed == IS_STOPPED;
        assert_true(template_take(template, &process, &fault));
        const pid_t pid = process.pid;
        disturb(misdeed, template, pid);
        frame_clear(&question);
        frame_put_number(&question, 1);
        enum channel_result result =
            exchange(&process, &question, &answer, NUMBER, clock_ms() + (late ? SHORT : PATIENT));
        assert_int_equal(result == CHANNEL_OK, misdeed == ANSWERS);
        if (result == CHANNEL_OK) {
            assert_int_equal(frame_take_number(&answer), 5);
            locked_process_end(&process);
        } else {
            const struct ending ending = exchange_end(&process, result, SHORT);
            assert_string_equal(ending.how, expected[misdeed].how);
            assert_int_equal(ending.kind, expected[misdeed].kind);
            assert_int_equal(ending_status(&ending), expected[misdeed].status);
        }
        assert_true(process_ends(pid));
        template_close(template);
    }
    frame_close(&question);
    frame_close(&answer);
}

static void a_process_that_is_refused_is_ended_with_the_words_given(void **state) {
    (void)state;
    struct fault fault = {0};
    struct template *template = open_template(WAITS);
    struct locked_process process;
    assert_true(template_take(template, &process, &fault));
    const pid_t pid = process.pid;
    const struct ending ending = exchange_refuse(&process, ENDING_MISDEED, "made no sense");
    assert_int_equal(ending.kind, ENDING_MISDEED);
    assert_string_equal(ending.how, "made no sense");
    assert_true(process_ends(pid));
    template_close(template);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(why_there_is_no_answer_is_found_for_each_way_to_give_none),
        cmocka_unit_test(a_process_that_is_refused_is_ended_with_the_words_given),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
