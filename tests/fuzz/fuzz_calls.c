/* Answers of the processes that answer a variant's calls, during whole games. The target replaces
 * processes and pipes (see CMakeLists.txt). Whatever they answer, each game can be played and taken
 * back, and no answer that such a process may give is called senseless. */
#include "answers.h"
#include "core/play/calls.h"
#include "fuzz.h"
#include "jail/call_process.h"
#include "jail/channel.h"
#include "jail/exchange.h"
#include "jail/variant_codec.h"

#include <stdio.h>
#include <string.h>

enum { PLIES = 60, FAKE_PID = 1 << 30 };

static const char *const VARIANTS[] = {"variants/examples/border.lua",
                                       "variants/examples/bounty.lua",
                                       "variants/examples/breakthrough.lua",
                                       "variants/examples/cordon.lua",
                                       "variants/examples/medic.lua",
                                       "variants/examples/phalanx.lua",
                                       "variants/examples/sentry.lua",
                                       "variants/examples/flag_moves_once.lua",
                                       "tests/data/upheaval.lua",
                                       "tests/data/upheaval_in_fog.lua"};
enum { VARIANT_COUNT = sizeof VARIANTS / sizeof *VARIANTS };

static struct {
    struct answers answers;
    const struct rules *rules;
    bool sound; /* the last answer is one that a process may give */
} process;

enum channel_result __wrap_channel_send(int to, struct frame *frame, uint32_t sequence,
                                        int64_t deadline);
enum channel_result __wrap_channel_receive(int from, struct frame *frame, uint32_t *sequence,
                                           int64_t deadline);
struct template *__wrap_template_open(struct template_work work, const struct frame *told,
                                      struct fault *fault);
bool __wrap_template_take(struct template *template, struct locked_process *child,
                          struct fault *fault);
int __wrap_locked_process_end(struct locked_process *child);
void __wrap_template_close(struct template *template);
struct ending __real_exchange_refuse(struct locked_process *process, enum ending_kind kind,
                                     const char *what);
struct ending __wrap_exchange_refuse(struct locked_process *process, enum ending_kind kind,
                                     const char *what);

enum channel_result __wrap_channel_send(int to, struct frame *frame, uint32_t sequence,
                                        int64_t deadline) {
    (void)to, (void)sequence, (void)deadline;
    fuzz_require(!frame->broken, "a question fits into its frame");
    answers_hear(&process.answers, frame);
    return CHANNEL_OK;
}

enum channel_result __wrap_channel_receive(int from, struct frame *frame, uint32_t *sequence,
                                           int64_t deadline) {
    (void)from, (void)sequence, (void)deadline;
    frame_clear(frame);
    process.sound = answers_give(&process.answers, process.rules, frame);
    return frame->broken ? CHANNEL_LONG : CHANNEL_OK;
}

struct template *__wrap_template_open(struct template_work work, const struct frame *told,
                                      struct fault *fault) {
    (void)work, (void)told, (void)fault;
    return (struct template *)&process;
}

bool __wrap_template_take(struct template *template, struct locked_process *child,
                          struct fault *fault) {
    (void)template, (void)fault;
    *child = (struct locked_process){.pid = FAKE_PID, .to = -1, .from = -1, .held = -1};
    return true;
}

int __wrap_locked_process_end(struct locked_process *child) {
    (void)child;
    return 0;
}

void __wrap_template_close(struct template *template) {
    (void)template;
}

struct ending __wrap_exchange_refuse(struct locked_process *child, enum ending_kind kind,
                                     const char *what) {
    fuzz_require(!process.sound, "an answer that may be given makes sense");
    return __real_exchange_refuse(child, kind, what);
}

/* The variant as the host has it: its calls are answered elsewhere. */
static struct rules *load(const char *path) {
    struct fault fault = {0};
    struct frame frame = {0};
    char full[1024];
    snprintf(full, sizeof full, "%s/%s", ENSIGN_ROOT, path);
    struct rules *here = variant_load(fuzz_folders(), full, &fault);
    fuzz_require(here != NULL, fault.text);
    fuzz_require(frame_open(&frame, VARIANT_WIRE_MAX), "memory");
    variant_put(&frame, here);
    rules_free(here);
    struct rules *rules = variant_take(&frame, fuzz_folders()->scripts, &fault);
    frame_close(&frame);
    fuzz_require(rules != NULL, fault.text);
    fuzz_require(call_process_attach(rules, fuzz_folders()->scripts), "memory");
    return rules;
}

/* One of the variants, loaded once, with its calls and those of a set. */
static struct rules *rules_of(unsigned number, unsigned calls) {
    static struct rules *loaded[VARIANT_COUNT];
    static unsigned own[VARIANT_COUNT];
    const unsigned i = number % VARIANT_COUNT;
    if (!loaded[i]) {
        loaded[i] = load(VARIANTS[i]);
        own[i] = loaded[i]->calls->declared;
    }
    /* A battle is asked for where tables say so. */
    loaded[i]->calls->declared = own[i] | (calls & ((1u << CALL_COUNT) - 1) & ~(1u << CALL_BATTLE));
    return loaded[i];
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct fault fault = {0};
    struct setup red, blue;
    struct position position;
    memset(&process, 0, sizeof process);
    process.answers = (struct answers){.data = data, .size = size};
    const uint8_t number = answers_byte(&process.answers), calls = answers_byte(&process.answers);
    const uint8_t seed = answers_byte(&process.answers);
    struct rules *rules = rules_of(number, calls);
    struct random random = random_stream(seed, STREAM_PLAYOUT, 1);
    process.rules = rules;
    if (!setup_random(rules, RED, &random, &red, &fault) ||
        !setup_random(rules, RED, &random, &blue, &fault))
        return 0;
    position_from_setups(rules, &red, &blue, RED, &position);
    if (!position_check(rules, &position, &fault)) return 0;
    /* Some games are imagined by a bot, which pays. */
    uint64_t fuel = (uint64_t)seed << 20;
    if (seed % 4 == 0) calls_pay_from(&fuel);
    fuzz_play(rules, &position, seed, PLIES);
    calls_pay_from(NULL);
    fuzz_require(fuel <= (uint64_t)seed << 20, "no answer gives fuel back");
    return 0;
}
