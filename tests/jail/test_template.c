/* Nurseries: the processes that fork the bots. */
#include "host/match/tournament.h"

#include "host/player_process.h"
#include "host/players.h"
#include "host/processes.h"
#include "host/shortage.h"
#include "host/support.h"

#include <errno.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static struct template *template_for(const struct rules *rules) {
    struct fault fault = {0};
    const struct player_options bots = {
        .folders = support_folders(), .rules = rules, .limits = SANDBOX_DEFAULTS};
    struct template *template = player_template(&bots, &fault);
    if (!template) fail_msg("%s", fault.text);
    return template;
}

static void a_twin_gives_children_and_ends_by_itself(void **state) {
    (void)state;
    struct fault fault = {0};
    struct rules *rules = support_rules("duel");
    struct template *first = template_for(rules), *twin = template_twin(first, &fault);
    if (!twin) fail_msg("%s", fault.text);
    pid_t process = template_process(twin);
    assert_int_not_equal(process, template_process(first));
    const struct player_options seat = {.folders = support_folders(),
                                        .rules = rules,
                                        .limits = SANDBOX_DEFAULTS,
                                        .deadline = PLAYER_DEADLINE,
                                        .template = twin};
    struct player player;
    if (!player_open(&player, &seat, "rookie", &(const struct chance){{1}}, &fault))
        fail_msg("%s", fault.text);
    pid_t children[8];
    assert_true(processes_of(process, children, 8) > 0);
    player.close(player.self);
    template_close(twin);
    assert_true(process_ends(process));
    /* The first one lives on. */
    struct locked_process child;
    assert_true(template_take(first, &child, &fault));
    locked_process_end(&child);
    template_close(first);
    rules_free(rules);
}

static void a_match_on_many_threads_leaves_no_process(void **state) {
    (void)state;
    struct fault fault = {0};
    static const char *const players[] = {"rookie", "raider"};
    struct rules *rules = support_rules("duel");
    struct template *template = template_for(rules);
    pid_t process = template_process(template), children[64];
    struct tournament *match =
        tournament_run(&(struct tournament_options){.folders = support_folders(),
                                                    .rules = rules,
                                                    .players = players,
                                                    .player_count = 2,
                                                    .games = 20,
                                                    .jobs = 5,
                                                    .chance = {{1}},
                                                    .limits = SANDBOX_DEFAULTS,
                                                    .deadline = PLAYER_DEADLINE,
                                                    .template = template},
                       &fault);
    if (!match) fail_msg("%s", fault.text);
    int left = processes_of(process, children, 64);
    template_close(template);
    assert_true(left <= 64);
    assert_true(process_ends(process));
    for (int i = 0; i < left; i++) assert_true(process_ends(children[i]));
    assert_int_equal(processes_of(getpid(), children, 64), 1); /* the zygote */
    tournament_free(match);
    rules_free(rules);
}

/* A bot takes three descriptors, and a fourth while its file is read. Fewer arrive with MSG_CTRUNC.
 */
static void a_bot_that_finds_too_few_descriptors_is_given_back_and_comes_later(void **state) {
    (void)state;
    enum { NEEDED = 4, WAITING = 2 };
    struct rules *rules = support_rules("duel");
    struct template *template = template_for(rules);
    const struct player_options seat = {.folders = support_folders(),
                                        .rules = rules,
                                        .limits = SANDBOX_DEFAULTS,
                                        .deadline = PLAYER_DEADLINE,
                                        .template = template};
    const int open = shortage_open();
    for (int left = 0; left <= NEEDED; left++) {
        struct fault fault = {0};
        struct player player;
        shortage_begin(left);
        bool opened = player_open(&player, &seat, "rookie", &(const struct chance){{1}}, &fault);
        shortage_end();
        assert_int_equal(opened, left == NEEDED);
        if (opened) {
            player.close(player.self);
        } else {
            assert_int_equal(fault.status, STATUS_SYSTEM);
            if (!strstr(fault.text, strerror(EMFILE))) fail_msg("%s", fault.text);
        }
        assert_int_equal(shortage_open(), open);
        assert_int_equal(processes_of(template_process(template), NULL, 0), WAITING);
    }
    template_close(template);
    rules_free(rules);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_twin_gives_children_and_ends_by_itself),
        cmocka_unit_test(a_bot_that_finds_too_few_descriptors_is_given_back_and_comes_later),
        cmocka_unit_test(a_match_on_many_threads_leaves_no_process),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
