/* Messages of the processes of loaders and of a variant's calls. The target replaces processes and
 * pipes (see CMakeLists.txt). An accepted variant must be playable whatever its calls answer, an
 * accepted language have printable texts, what was learned be within limits, and every refusal have
 * a fault. */
#include "answers.h"
#include "base/utf8.h"
#include "bot/learned_lua.h"
#include "core/play/calls.h"
#include "fuzz.h"
#include "host/match/statistics.h"
#include "jail/channel.h"
#include "jail/loader.h"
#include "jail/loader_process.h"
#include "jail/zygote.h"

#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

enum { PLIES = 40, QUESTIONS_MAX = 100, FAKE_PID = 1 << 30 };

static const char FILE_PATH[] = "fuzz/variant.lua";

static struct {
    const uint8_t *data;
    size_t size, at;
    bool loads; /* else calls are answered */
    bool tries;
    struct answers answers; /* begin where the loader's bytes end */
    int questions;
} process;

static uint8_t take_byte(void) {
    return process.at < process.size ? process.data[process.at++] : 0;
}

static void put_bytes(struct frame *frame, bool as_text) {
    size_t length = take_byte(), left = process.size - process.at;
    if (length > left) length = left;
    if (as_text) frame_put_number(frame, (uint32_t)length);
    if (!length) return;
    frame_put(frame, process.data + process.at, length);
    process.at += length;
}

static void put_numbers(struct frame *frame, int count) {
    while (count--) frame_put_number(frame, take_byte());
}

/* The rules of a stock variant, with a battle that is asked for if there is a call for it. */
static void put_rules(struct frame *frame) {
    const struct rules *rules = fuzz_rules(take_byte());
    uint32_t calls = take_byte() % (1u << CALL_COUNT);
    rules_put(frame, rules);
    size_t outcomes = frame->length - sizeof rules->after_battle - sizeof rules->outcome;
    if (calls >> CALL_BATTLE & 1)
        for (size_t a = 1; a <= rules->kinds; a++)
            frame->bytes[CHANNEL_HEADER + outcomes + a * KINDS_MAX + 1 + a % rules->kinds] =
                ASK_THE_VARIANT;
    frame_put_number(frame, calls);
    for (int call = 0; calls && call < CALL_COUNT; call++) {
        frame_put_text(frame, FILE_PATH);
        frame_put_number(frame, 1);
    }
    if (calls) {
        frame_put_number(frame, 1);
        frame_put_text(frame, FILE_PATH);
    }
}

/* Weights of 0 and valid set-ups, with any bytes changed. */
static void put_learned(struct frame *frame) {
    static struct learned learned;
    uint8_t *bytes = (uint8_t *)&learned;
    struct random random = random_stream(1, STREAM_RED_SETUP, 0);
    memset(&learned, 0, sizeof learned);
    learned.styles = 1 + take_byte() % 3;
    for (uint32_t s = 0; s < learned.styles; s++) {
        struct style *style = &learned.style[s];
        style->share = 1;
        style->setups = take_byte() % 4;
        for (uint32_t i = 0; i < style->setups; i++)
            setup_random(fuzz_rules(0), RED, &random, &style->setup[i], NULL);
    }
    const size_t filled = learned.styles * sizeof *learned.style; /* it may be changed, too */
    while (process.at < process.size) {
        size_t at = (size_t)take_byte() << 16;
        at |= (size_t)take_byte() << 8;
        at |= take_byte();
        bytes[at % filled] = take_byte();
    }
    frame_put_number(frame, LOADER_DONE);
    for (int i = 0; i < 3; i++) frame_put_number(frame, 0);
    frame_put_number(frame, 1);
    frame_put(frame, &learned, sizeof learned);
}

static void put_load(struct frame *frame) {
    uint8_t sort = take_byte() % 7;
    if (sort < 2 && ++process.questions > QUESTIONS_MAX) sort = 2;
    switch (sort) {
    case 0: /* asks */
        frame_put_number(frame, take_byte() % 2 ? LOADER_ASKS_FILE : LOADER_ASKS_PATH);
        put_bytes(frame, true);
        break;
    case 1: /* anything */
        put_bytes(frame, false);
        break;
    case 2: /* faults, and anything */
        frame_put_number(frame, LOADER_DONE);
        put_numbers(frame, 3);
        while (process.at < process.size) {
            put_numbers(frame, 4);
            for (int i = 0; i < 7; i++) put_bytes(frame, true);
        }
        break;
    case 3: /* a variant */
        frame_put_number(frame, LOADER_DONE);
        for (int i = 0; i < 3; i++) frame_put_number(frame, 0);
        frame_put_number(frame, 1);
        put_rules(frame);
        if (process.tries) {
            struct trial trial = {0};
            uint8_t *bytes = (uint8_t *)&trial;
            put_numbers(frame, 4);
            for (size_t i = 0; i < 44; i++) bytes[i] = take_byte();
            frame_put(frame, &trial, sizeof trial);
        }
        break;
    case 6:
        put_learned(frame);
        break;
    default: /* a bot, a language or a script */
        frame_put_number(frame, LOADER_DONE);
        for (int i = 0; i < 3; i++) frame_put_number(frame, 0);
        if (sort == 4) {
            frame_put_number(frame, 1);
            put_bytes(frame, true);
            for (int part = 0; part < 2; part++) {
                uint8_t count = take_byte() % 8;
                frame_put_number(frame, count);
                for (int i = 0; i < 2 * count; i++) put_bytes(frame, true);
            }
        } else {
            put_numbers(frame, 1);
            put_bytes(frame, false);
        }
    }
}

enum channel_result __wrap_channel_send(int to, struct frame *frame, uint32_t sequence,
                                        int64_t deadline);
enum channel_result __wrap_channel_receive(int from, struct frame *frame, uint32_t *sequence,
                                           int64_t deadline);
bool __wrap_zygote_take(jail_job *run, struct locked_process *child, struct fault *fault);
struct template *__wrap_template_open(struct template_work work, const struct frame *told,
                                      struct fault *fault);
bool __wrap_template_take(struct template *template, struct locked_process *child,
                          struct fault *fault);
int __wrap_locked_process_end(struct locked_process *child);
void __wrap_template_close(struct template *template);

enum channel_result __wrap_channel_send(int to, struct frame *frame, uint32_t sequence,
                                        int64_t deadline) {
    (void)to, (void)sequence, (void)deadline;
    fuzz_require(!frame->broken, "what is sent fits into its frame");
    if (process.loads) return CHANNEL_OK;
    answers_hear(&process.answers, frame);
    return CHANNEL_OK;
}

enum channel_result __wrap_channel_receive(int from, struct frame *frame, uint32_t *sequence,
                                           int64_t deadline) {
    (void)from, (void)sequence, (void)deadline;
    frame_clear(frame);
    if (process.loads && process.at >= process.size) return CHANNEL_CLOSED;
    if (process.loads)
        put_load(frame);
    else
        answers_give(&process.answers, NULL, frame);
    if (frame->broken) return CHANNEL_LONG;
    return CHANNEL_OK;
}

bool __wrap_zygote_take(jail_job *run, struct locked_process *child, struct fault *fault) {
    (void)run;
    return __wrap_template_take(NULL, child, fault);
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

static long own_size(void *context, const char *path) {
    (void)context;
    fuzz_require(!strstr(path, "//") && !strstr(path, ".."), "a file has one name");
    return strlen(path) % 3 && strcmp(path, FILE_PATH) != 0 ? -1 : 10;
}

static long own_read(void *context, const char *path, char *out, size_t size) {
    (void)context, (void)path;
    memset(out, 'x', size);
    return (long)size;
}

static bool own_find(void *context, enum folder_sort sort, const char *name,
                     char path[FOLDER_PATH_MAX], struct fault *fault) {
    (void)context, (void)sort;
    if (!strcmp(name, "base"))
        strcpy(path, "base/other.lua");
    else if (!strcmp(name, "fuzz"))
        strcpy(path, FILE_PATH);
    else
        return fault_set(fault, STATUS_NOT_FOUND, "no \"%.100s\"", name);
    return true;
}

static void require_shown(const char *text) {
    fuzz_require(utf8_is_safe(text, strlen(text)), "a text can be shown");
}

static void require_rules(struct rules *rules) {
    struct random random = random_stream(process.size, STREAM_PLAYOUT, 0);
    struct position position;
    struct setup red, blue;
    struct fault fault = {0};
    require_shown(rules->title);
    for (kind_id kind = 1; kind <= rules->kinds; kind++) require_shown(rules->kind[kind].label);
    process.loads = false;
    process.answers =
        (struct answers){.data = process.data, .size = process.size, .at = process.at};
    if (setup_random(rules, RED, &random, &red, &fault) &&
        setup_random(rules, RED, &random, &blue, &fault)) {
        position_from_setups(rules, &red, &blue, RED, &position);
        if (position_check(rules, &position, &fault))
            fuzz_play(rules, &position, process.size, PLIES);
    }
    if (calls_take(&fault)) fuzz_require_fault(&fault);
    rules_free(rules);
}

static void require_faults(const struct faults *faults) {
    size_t errors = 0;
    for (size_t i = 0; i < faults->count; i++) {
        fuzz_require_fault(&faults->list[i].fault);
        require_shown(faults->list[i].fault.text);
        require_shown(faults->list[i].fault.file);
        require_shown(faults->list[i].value);
        errors += !faults->list[i].warning;
    }
    fuzz_require(faults->count <= FAULTS_MAX && errors <= faults->errors, "errors are counted");
    fuzz_require(!faults->errors || errors, "an error is told");
}

static void load_variant(const struct folders *folders, bool tries) {
    struct loader_trial trial = {.games = 50, .judge = true, .seconds = 1};
    struct faults *faults = faults_new();
    fuzz_require(faults != NULL, "memory");
    process.tries = tries;
    struct rules *rules = loader_try(folders, "fuzz", tries ? &trial : NULL, faults);
    require_faults(faults);
    fuzz_require(rules || faults->errors, "what is refused has an error");
    if (rules && tries) {
        const struct trial *played = &trial.trial;
        struct points points =
            statistics_points(played->first_wins, played->draws, played->first_losses);
        fuzz_require(points.low >= 0 && points.low <= points.high && points.high <= 1,
                     "a score has an interval");
        fuzz_require(trial.held <= trial.tests && trial.trial.games <= 50, "tests are counted");
    }
    if (rules) require_rules(rules);
    free(faults);
}

static void load_language(const struct folders *folders) {
    struct fault fault = {0};
    struct language *language = loader_language(folders, "fuzz", &fault);
    if (!language) fuzz_require_fault(&fault);
    for (int part = 0; language && part < LANGUAGE_PARTS; part++)
        for (size_t i = 0; i < language_count(language, (enum language_part)part); i++) {
            const char *key, *text;
            language_entry(language, (enum language_part)part, i, &key, &text);
            require_shown(text);
        }
    language_free(language);
}

static void load_learned(const struct folders *folders) {
    struct fault fault = {0};
    static struct learned learned;
    const struct rules *rules = fuzz_rules(0);
    if (!loader_learned(folders, FILE_PATH, rules, &learned, &fault)) {
        fuzz_require_fault(&fault);
        return;
    }
    fuzz_require(learned.styles >= 1 && learned.styles <= LEARNED_STYLES_MAX, "styles");
    for (uint32_t s = 0; s < learned.styles; s++) {
        const struct style *style = &learned.style[s];
        const int32_t *weights = &style->value.weights.own[0][0];
        for (int i = 0; i < TERMS; i++)
            fuzz_require(weights[i] >= -WEIGHT_MAX && weights[i] <= WEIGHT_MAX, "a weight");
        fuzz_require(style->share >= 1 && style->share <= LEARNED_SHARE_MAX, "a share");
        fuzz_require(style->setups <= LEARNED_SETUPS_MAX, "as many set-ups as there is room for");
        for (uint32_t i = 0; i < style->setups; i++)
            fuzz_require(setup_check(rules, RED, &style->setup[i], NULL), "a set-up");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const struct reader reader = {own_size, own_read, NULL};
    const struct finder finder = {own_find, NULL};
    struct folders folders = *fuzz_folders();
    struct fault fault = {0};
    struct bot_card card = {0};
    struct faults *faults;
    memset(&process, 0, sizeof process);
    fuzz_rules(0); /* loaded before processes are made up */
    process.data = data;
    process.size = size;
    process.loads = true;
    folders.reader = &reader;
    folders.finder = &finder;
    switch (take_byte() % 6) {
    case 0:
    case 1:
        load_variant(&folders, data && size && data[0] % 6 == 1);
        break;
    case 2:
        load_language(&folders);
        break;
    case 3:
        faults = faults_new();
        fuzz_require(faults != NULL, "memory");
        if (!loader_bot(&folders, FILE_PATH, &card, faults))
            fuzz_require(faults->errors, "what is refused has an error");
        require_faults(faults);
        require_shown(card.title);
        require_shown(card.about);
        fuzz_require(card.level >= LEVEL_NONE && card.level < LEVEL_COUNT, "a level");
        free(faults);
        break;
    case 4:
        if (loader_script(&folders, FILE_PATH, &fault) == SCRIPT_BROKEN) fuzz_require_fault(&fault);
        break;
    default:
        load_learned(&folders);
    }
    return 0;
}
