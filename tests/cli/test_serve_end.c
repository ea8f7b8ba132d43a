/* The end of `ensign serve --stdio`: whatever ends it, nothing that it started stays behind. */
#define _GNU_SOURCE
#include "driver.h"
#include "program.h"

#include "host/processes.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
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

enum { FAMILY_MAX = 256 };

/* A process and all its descendants. */
struct family {
    pid_t list[FAMILY_MAX];
    int count;
};

static void find_family(struct family *family, pid_t parent) {
    family->list[0] = parent;
    family->count = 1;
    for (int i = 0; i < family->count; i++) {
        family->count +=
            processes_of(family->list[i], family->list + family->count, FAMILY_MAX - family->count);
        assert_true(family->count < FAMILY_MAX);
    }
}

static void assert_all_end(const struct family *family) {
    for (int i = 1; i < family->count; i++)
        if (!process_ends(family->list[i])) fail_msg("process %d goes on", (int)family->list[i]);
}

/* Games in which bots and programs think, clients are asked, and one has not begun yet. */
static void fill_house(struct driver *driver) {
    DRIVER_OPEN(driver, "-j", "3", "--deadline", "100000");
    for (int i = 0; i < 2; i++)
        driver_say(driver,
                   "{'type':'new','variant':'duel','red':'%s','blue':'rookie','watch':'all'}",
                   driver_program("silent"));
    for (int i = 0; i < 2; i++) driver_await(driver, "start");
    driver_say(driver, "{'type':'new','variant':'duel','blue':'hunter','setups':{'red':'random'}}");
    driver_await(driver, "move");
    driver_say(driver, "{'type':'new','variant':'duel','red':'open','blue':'open'}");
    for (int i = 0; i < 4; i++)
        driver_say(driver, "{'type':'new','variant':'original','red':'hunter','blue':'hunter'}");
    for (int i = 0; i < 2; i++) driver_await(driver, "created");
}

static void a_client_that_closes_its_end_ends_everything(void **state) {
    (void)state;
    struct driver driver;
    struct family family;
    fill_house(&driver);
    find_family(&family, driver.pid);
    assert_true(family.count > 5);
    assert_int_equal(driver_close(&driver), 0);
    assert_all_end(&family);
}

static void nothing_outlives_a_host_that_is_killed(void **state) {
    (void)state;
    struct driver driver;
    struct family family;
    fill_house(&driver);
    find_family(&family, driver.pid);
    kill(driver.pid, SIGKILL);
    assert_int_equal(driver_close(&driver), SIGKILL);
    assert_all_end(&family);
}

static void a_client_that_takes_no_more_output_ends_it(void **state) {
    (void)state;
    struct driver driver;
    struct family family;
    int status;
    fill_house(&driver);
    find_family(&family, driver.pid);
    close(driver.out);
    driver_say(&driver, "{'type':'list','what':'games'}");
    assert_int_equal(waitpid(driver.pid, &status, 0), driver.pid);
    assert_int_equal(status, 0);
    assert_all_end(&family);
    close(driver.in);
    json_decref(driver.message);
    free(driver.text);
}

/* Writes requests until the host has taken none for a while. Returns how many bytes it took. */
static size_t flood(const struct driver *driver, const char *request) {
    enum { WHILE_MS = 200, ENOUGH = 64 << 20 };
    size_t taken = 0, length = strlen(request), at = 0;
    struct pollfd ready = {.fd = driver->in, .events = POLLOUT};
    fcntl(driver->in, F_SETFL, O_NONBLOCK);
    while (taken < ENOUGH && poll(&ready, 1, WHILE_MS) == 1) {
        ssize_t put = write(driver->in, request + at, length - at);
        if (put < 0) break;
        taken += (size_t)put;
        at = (at + (size_t)put) % length;
    }
    return taken;
}

/* KiB that the host may have; AddressSanitizer keeps 256 MiB of what was freed. */
#ifdef __SANITIZE_ADDRESS__
enum { MEMORY_MAX = 640 << 10 };
#elif defined(__has_feature)
enum { MEMORY_MAX = (__has_feature(address_sanitizer) ? 640 : 128) << 10 };
#else
enum { MEMORY_MAX = 128 << 10 };
#endif

static void a_client_that_never_reads_is_not_heard_without_end(void **state) {
    (void)state;
    static const char *const requests[] = {"{\"type\":\"watch\",\"game\":\"1\",\"eyes\":\"all\"}\n",
                                           "{\"type\":\"list\",\"what\":\"games\"}\n",
                                           "{\"type\":\"list\",\"what\":\"setups\"}\n",
                                           "nonsense\n"};
    for (int i = 0; i < 4; i++) {
        struct driver driver;
        int status;
        DRIVER_OPEN(&driver, "-j", "2");
        driver_say(&driver, "{'type':'new','variant':'duel','red':'rookie','blue':'rookie'}");
        driver_await(&driver, "end");
        assert_in_range(flood(&driver, requests[i]), 1, 32 << 20);
        assert_in_range(process_status_line(driver.pid, "VmRSS:"), 1, MEMORY_MAX);
        close(driver.in); /* it still does not read */
        assert_int_equal(waitpid(driver.pid, &status, 0), driver.pid);
        assert_int_equal(status, 0);
        close(driver.out);
        json_decref(driver.message);
        free(driver.text);
    }
}

static void many_requests_may_be_said_before_anything_is_read(void **state) {
    (void)state;
    enum { GAMES = 1500 };
    struct driver driver;
    DRIVER_OPEN(&driver, "-j", "2", "--trust");
    for (int i = 0; i < GAMES; i++)
        driver_say(&driver, "{'type':'new','variant':'duel','red':'open','blue':'open',"
                            "'names':{'red':'a long name makes the pipe full soon'}}");
    for (int i = 0; i < GAMES; i++) driver_await(&driver, "created");
    assert_int_equal(driver_close(&driver), 0);
}

static const char *const STDIO[] = {"serve", "--stdio", NULL};

/* Runs the host on this input, which ends at once, and fails unless it says these words. */
static void expect_answers(const char *input, const char *const *words, size_t count) {
    struct program_run run = program_run(input, STDIO);
    assert_int_equal(run.exit_code, 0);
    for (size_t i = 0; i < count; i++)
        if (!strstr(run.out, words[i])) fail_msg("%s is not answered:\n%s", words[i], run.out);
    program_clear(&run);
}

static void all_that_was_read_is_answered_before_the_end(void **state) {
    (void)state;
    static const char *const words[] = {"\"list\",\"what\":\"bots\"", "\"id\":2}", "\"id\":3}",
                                        "\"created\"", "\"id\":5}"};
    expect_answers("{\"type\":\"list\",\"what\":\"bots\",\"id\":1}\n"
                   "{\"type\":\"check\",\"file\":\"x.lua\",\"games\":500,\"id\":2,"
                   "\"text\":\"return { api = 1, extends = 'duel', title = 'X' }\"}\n"
                   "{\"type\":\"nonsense\",\"id\":3}\n"
                   "{\"type\":\"new\",\"variant\":\"duel\",\"red\":\"rookie\",\"id\":4}\n"
                   "{\"type\":\"view\",\"game\":\"1\",\"id\":5}\n",
                   words, 5);
}

static void a_last_line_without_an_end_is_answered(void **state) {
    (void)state;
    static const char *const words[] = {"\"what\":\"setups\""};
    expect_answers("{\"type\":\"list\",\"what\":\"setups\"}", words, 1);
}

static void lines_may_begin_with_a_mark_and_end_with_carriage_returns(void **state) {
    (void)state;
    static const char *const words[] = {"\"id\":1}", "\"id\":2}", "\"id\":3}"};
    expect_answers("\xEF\xBB\xBF{\"type\":\"list\",\"what\":\"games\",\"id\":1}\r"
                   "{\"type\":\"list\",\"what\":\"games\",\"id\":2}\r\n"
                   "{\"type\":\"list\",\"what\":\"games\",\"id\":3}\r",
                   words, 3);
    struct program_run run =
        program_run("\xEF\xBB\xBF{\"type\":\"list\",\"what\":\"games\"}\r", STDIO);
    assert_null(strstr(run.out, "error"));
    program_clear(&run);
}

static void more_requests_than_may_wait_are_all_answered_at_the_end(void **state) {
    (void)state;
    enum { REQUESTS = 3000 };
    char *input = malloc(REQUESTS * 64), *end = input;
    for (int i = 0; i < REQUESTS; i++)
        end += sprintf(end, "{\"type\":\"list\",\"what\":\"games\",\"id\":%d}\n", i);
    struct program_run run = program_run(input, STDIO);
    size_t answers = 0;
    for (const char *at = run.out; (at = strstr(at, "\"id\":")); at++) answers++;
    assert_int_equal(answers, REQUESTS);
    program_clear(&run);
    free(input);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_client_that_closes_its_end_ends_everything),
        cmocka_unit_test(nothing_outlives_a_host_that_is_killed),
        cmocka_unit_test(a_client_that_takes_no_more_output_ends_it),
        cmocka_unit_test(a_client_that_never_reads_is_not_heard_without_end),
        cmocka_unit_test(many_requests_may_be_said_before_anything_is_read),
        cmocka_unit_test(all_that_was_read_is_answered_before_the_end),
        cmocka_unit_test(a_last_line_without_an_end_is_answered),
        cmocka_unit_test(lines_may_begin_with_a_mark_and_end_with_carriage_returns),
        cmocka_unit_test(more_requests_than_may_wait_are_all_answered_at_the_end),
    };
    return cmocka_run_group_tests_name("serve_end", tests, NULL, NULL);
}
