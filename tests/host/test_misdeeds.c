/* Processes that break the protocol: each harms only its own side. */
#include "base/clock.h"
#include "host/players.h"
#include "jail/bot_process.h"
#include "jail/channel.h"
#include "jail/variant_codec.h"
#include "processes.h"
#include "walled.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum misdeed {
    SAYS_NOTHING,
    EXITS,
    CRASHES,
    SAYS_TOO_MUCH,
    SAYS_IT_TWICE,
    BREAKS_OFF,
    SAYS_ANOTHER_NUMBER,
    SAYS_IT_EARLY,
    TALKS_NONSENSE,
    CHOOSES_BEYOND,
    EXAGGERATES_ITS_FUEL,
    WRITES_ENDLESSLY,
    BLAMES_THE_HOST,
    SENDS_CONTROL_CHARACTERS,
    NAMES_A_FILE_STRANGELY,
    READS_PASSWORDS,
    LEAVES_ITS_FOLDER,
    FORKS,
    CLOSES_ITS_PIPE,
    MISDEED_COUNT
};

static const struct {
    enum reason reason;
    const char *words;
} ends_of[MISDEED_COUNT] = {
    [SAYS_NOTHING] = {REASON_FORFEIT_TIME, "no answer for 1500 ms"},
    [EXITS] = {REASON_FORFEIT_CRASH, "exited with status 9"},
    [CRASHES] = {REASON_FORFEIT_CRASH, "was killed by SIGSEGV"},
    [SAYS_TOO_MUCH] = {REASON_FORFEIT_CRASH, "too long"},
    [SAYS_IT_TWICE] = {REASON_FORFEIT_CRASH, "sent more than one answer"},
    [BREAKS_OFF] = {REASON_FORFEIT_CRASH, "in the middle of an answer"},
    [SAYS_ANOTHER_NUMBER] = {REASON_FORFEIT_CRASH, "a wrong number"},
    [SAYS_IT_EARLY] = {REASON_FORFEIT_CRASH, "its process"},
    [TALKS_NONSENSE] = {REASON_FORFEIT_CRASH, "makes no sense"},
    [CHOOSES_BEYOND] = {REASON_FORFEIT_CRASH, "makes no sense"},
    [EXAGGERATES_ITS_FUEL] = {REASON_FORFEIT_CRASH, "makes no sense"},
    [WRITES_ENDLESSLY] = {REASON_FORFEIT_CRASH, "makes no sense"},
    [BLAMES_THE_HOST] = {REASON_FORFEIT_CRASH, "makes no sense"},
    [SENDS_CONTROL_CHARACTERS] = {REASON_FORFEIT_CRASH, "makes no sense"},
    [NAMES_A_FILE_STRANGELY] = {REASON_FORFEIT_CRASH, "makes no sense"},
    [READS_PASSWORDS] = {REASON_FORFEIT_CRASH, "a file that is not its own"},
    [LEAVES_ITS_FOLDER] = {REASON_FORFEIT_CRASH, "a file that is not its own"},
    [FORKS] = {REASON_FORFEIT_TIME, "no answer for 1500 ms"},
    [CLOSES_ITS_PIPE] = {REASON_FORFEIT_CRASH, "closed its pipe"},
};

static void say(struct frame *frame, uint32_t sequence) {
    if (channel_send(1, frame, sequence, CHANNEL_FOREVER) != CHANNEL_OK) _exit(1);
}

/* Begins an answer that tells its fuel. */
static void put_metered(struct frame *frame, enum bot_process_answer answer, uint64_t fuel) {
    frame_put_number(frame, answer);
    frame_put(frame, &fuel, sizeof fuel);
}

static void misbehave(enum misdeed misdeed, struct frame *answer, uint32_t sequence) {
    uint32_t header[2] = {(uint32_t)bot_process_answer_max(walled_rules, true) + 1, sequence};
    ssize_t written = 0;
    frame_clear(answer);
    switch (misdeed) {
    case EXITS:
        _exit(9);
    case CRASHES:
        signal(SIGSEGV, SIG_DFL);
        raise(SIGSEGV);
        _exit(0);
    case SAYS_TOO_MUCH:
        written = write(1, header, sizeof header);
        break;
    case BREAKS_OFF:
        header[0] = 100;
        written = write(1, header, sizeof header);
        _exit(0);
    case SAYS_IT_TWICE: {
        const uint32_t twice[12] = {16, sequence, BOT_PROCESS_CHOSE, 0, 0, 0,
                                    16, sequence, BOT_PROCESS_CHOSE, 0, 0, 0};
        written = write(1, twice, sizeof twice);
        break;
    }
    case SAYS_ANOTHER_NUMBER:
        put_metered(answer, BOT_PROCESS_CHOSE, 0);
        frame_put_number(answer, 0);
        say(answer, sequence + 1);
        break;
    case TALKS_NONSENSE:
        frame_put_number(answer, 77);
        say(answer, sequence);
        break;
    case CHOOSES_BEYOND:
    case EXAGGERATES_ITS_FUEL:
        put_metered(answer, BOT_PROCESS_CHOSE, misdeed == EXAGGERATES_ITS_FUEL ? UINT64_MAX : 0);
        frame_put_number(answer, UINT32_MAX);
        say(answer, sequence);
        break;
    case WRITES_ENDLESSLY:
        put_metered(answer, BOT_PROCESS_WROTE, 0);
        frame_put_number(answer, UINT32_MAX);
        say(answer, sequence);
        break;
    case BLAMES_THE_HOST:
    case SENDS_CONTROL_CHARACTERS:
    case NAMES_A_FILE_STRANGELY: {
        const struct fault_form whole = {0};
        put_metered(answer, BOT_PROCESS_FAILED, 0);
        frame_put_number(answer, misdeed == BLAMES_THE_HOST ? STATUS_SYSTEM : STATUS_SCRIPT);
        frame_put_number(answer, 1);
        frame_put_number(answer, 1);
        frame_put_text(answer, misdeed == NAMES_A_FILE_STRANGELY ? "a\nfile" : "");
        frame_put_text(answer, misdeed == SENDS_CONTROL_CHARACTERS ? "\n\033[31m red" : "red");
        frame_put(answer, &whole, sizeof whole);
        say(answer, sequence);
        break;
    }
    case READS_PASSWORDS:
    case LEAVES_ITS_FOLDER:
        frame_put_number(answer, BOT_PROCESS_ASKS);
        frame_put_text(answer,
                       misdeed == READS_PASSWORDS ? "/etc/passwd" : "bots/../variants/duel.lua");
        say(answer, sequence);
        break;
    case FORKS:
        for (int i = 0; i < 3; i++)
            if (fork() == 0) break;
        break;
    case CLOSES_ITS_PIPE:
        close(1);
        break;
    default:
        break;
    }
    (void)written;
    for (;;) pause();
}

/* What a template of such processes is told: one number, and the rules. */
static const void *learn_fake(struct frame *told) {
    static uint32_t number;
    number = frame_take_number(told);
    walled_rules = variant_take(told, "scripts", NULL);
    return walled_rules ? &number : NULL;
}

static struct template *fake_template(jail_job *run, uint32_t number) {
    struct fault fault = {0};
    struct frame told;
    assert_true(frame_open(&told, TEMPLATE_TOLD_MAX));
    frame_put_number(&told, number);
    variant_put(&told, walled_rules);
    struct template *template =
        template_open((struct template_work){run, learn_fake}, &told, &fault);
    if (!template) fail_msg("%s", fault.text);
    frame_close(&told);
    return template;
}

/* A bot's process that answers well until it is asked for a move. */
static void run_fake(const void *known, int in, int out) {
    const uint32_t *misdeed = known;
    struct frame orders, answer;
    (void)out;
    if (!frame_open(&orders, 1 << 20) || !frame_open(&answer, 1 << 16)) _exit(1);
    for (;;) {
        uint32_t sequence = 0, order = 0;
        if (channel_receive(in, &orders, &sequence, CHANNEL_FOREVER) != CHANNEL_OK) _exit(0);
        frame_take(&orders, &order, sizeof order);
        frame_clear(&answer);
        if (order == BOT_PROCESS_OPEN) {
            frame_put_number(&answer, BOT_PROCESS_OPENED);
            for (int i = 0; i < 4; i++) frame_put_number(&answer, 0);
            frame_put_text(&answer, "fake");
        } else if (order == BOT_PROCESS_SETUP) {
            struct setup setup;
            struct random random = random_stream(3, STREAM_RED_SETUP, 0);
            if (!setup_random(walled_rules, RED, &random, &setup, NULL)) _exit(1);
            frame_put_number(&answer, BOT_PROCESS_LAID);
            frame_put(&answer, &setup, sizeof setup);
        } else if (order == BOT_PROCESS_START) {
            frame_put_number(&answer, BOT_PROCESS_DONE);
        } else {
            misbehave((enum misdeed) * misdeed, &answer, sequence);
        }
        say(&answer, sequence);
        if (order == BOT_PROCESS_START && *misdeed == SAYS_IT_EARLY) {
            frame_clear(&answer);
            put_metered(&answer, BOT_PROCESS_CHOSE, 0);
            frame_put_number(&answer, 0);
            say(&answer, sequence + 1);
        }
    }
}

static void whatever_a_process_does_its_side_forfeits_and_nothing_stays(void **state) {
    (void)state;
    for (enum misdeed misdeed = 0; misdeed < MISDEED_COUNT; misdeed++) {
        pid_t children[CHILDREN_MAX];
        struct template *template = fake_template(run_fake, misdeed);
        enum reason reason = walled_play(template, QUICK, "rookie");
        if (reason != ends_of[misdeed].reason)
            fail_msg("misdeed %d: %s: %s", misdeed, reason_name(reason), walled_seen);
        walled_assert_seen(ends_of[misdeed].words);
        uint64_t fuel = misdeed == EXAGGERATES_ITS_FUEL ? SANDBOX_DEFAULTS.fuel : 0;
        assert_true(walled_usage.fuel == fuel && walled_usage.calls <= 1);
        if (walled_seen_file[0]) assert_non_null(strstr(walled_seen_file, "rookie.lua"));
        pid_t pid = template_process(template);
        int count = processes_of(pid, children, CHILDREN_MAX);
        assert_true(count <= 8);
        template_close(template);
        assert_true(process_ends(pid));
        for (int i = 0; i < count; i++) assert_true(process_ends(children[i]));
    }
}

static void what_a_bot_forked_is_gone_when_it_is_ended(void **state) {
    (void)state;
    struct fault fault = {0};
    struct template *template = fake_template(run_fake, FORKS);
    struct locked_process child;
    assert_true(template_take(template, &child, &fault));
    struct frame frame;
    assert_true(frame_open(&frame, 64));
    frame_put_number(&frame, BOT_PROCESS_MOVE);
    pid_t pid = child.pid, forked[4] = {0};
    assert_int_equal(channel_send(child.to, &frame, 1, clock_ms() + PATIENT), CHANNEL_OK);
    while (processes_of(pid, forked, 4) < 3) {}
    assert_int_equal(locked_process_end(&child), SIGKILL);
    assert_true(process_ends(pid));
    for (int i = 0; i < 3; i++) assert_true(process_ends(forked[i]));
    frame_close(&frame);
    template_close(template);
}

enum { LIES = 3, LIE_IS_TRUE = 0, LIE_TOO_SHORT = 1, LIE_BEYOND = 2 };

/* A bot's process that says how its chances stand: two for two moves, one for two, too much. */
static void run_liar(const void *known, int in, int out) {
    const uint32_t *lie = known;
    struct frame orders, answer;
    (void)out;
    if (!frame_open(&orders, 1 << 20) || !frame_open(&answer, 1 << 16)) _exit(1);
    for (;;) {
        uint32_t sequence = 0, order = 0;
        const uint16_t chances[2] = {5000, (uint16_t)(APPRAISAL_CERTAIN + (*lie == LIE_BEYOND))};
        if (channel_receive(in, &orders, &sequence, CHANNEL_FOREVER) != CHANNEL_OK) _exit(0);
        frame_take(&orders, &order, sizeof order);
        frame_clear(&answer);
        frame_put_number(&answer,
                         order == BOT_PROCESS_OPEN ? BOT_PROCESS_OPENED : BOT_PROCESS_APPRAISED);
        if (order == BOT_PROCESS_OPEN) {
            for (int i = 0; i < 4; i++) frame_put_number(&answer, 1);
            frame_put_text(&answer, "liar");
        } else {
            frame_put(&answer, chances, sizeof *chances * (*lie == LIE_TOO_SHORT ? 1 : 2));
        }
        say(&answer, sequence);
    }
}

static void chances_that_make_no_sense_are_not_taken(void **state) {
    (void)state;
    for (uint32_t lie = 0; lie < LIES; lie++) {
        struct fault fault = {0};
        struct template *template = fake_template(run_liar, lie);
        const struct player_options options = walled_options(template, PATIENT);
        const struct view view = {.rules = walled_rules};
        const struct move moves[2] = {{0}};
        uint16_t chances[2] = {0};
        struct player player;
        assert_true(player_open(&player, &options, "rookie", &(struct chance){{0}}, &fault));
        assert_int_equal(player.appraise(player.self, &view, moves, 2, chances, &fault),
                         lie == LIE_IS_TRUE);
        if (lie == LIE_IS_TRUE)
            assert_true(chances[0] == 5000 && chances[1] == APPRAISAL_CERTAIN);
        else
            assert_true(
                fault.status == STATUS_CRASH &&
                strstr(fault.text, "in appraise: its process sent an answer that makes no"));
        player.close(player.self);
        template_close(template);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WALLED(whatever_a_process_does_its_side_forfeits_and_nothing_stays),
        WALLED(chances_that_make_no_sense_are_not_taken),
        WALLED(what_a_bot_forked_is_gone_when_it_is_ended),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
