/* loader_process.c - loads one file inside the cage and sends the result.
 *
 * Before a game scripts run here and nowhere else. Nothing in this process is worth stealing, and
 * the host checks everything that it sends (loader.c). */
#include "loader_process.h"

#include "base/clock.h"
#include "base/utf8.h"
#include "bot/bot.h"
#include "bot/learned_lua.h"
#include "channel_files.h"
#include "codec.h"
#include "jail.h"
#include "lua/language.h"
#include "lua/logbook.h"
#include "variant/script_kind.h"
#include "variant/variant.h"
#include "variant/variant_calls.h"
#include "variant_codec.h"
#include "zygote.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Address space beyond the cap of the Lua state: rules, the answer, trial games. */
static const size_t SPARE_MEMORY = (size_t)512 << 20;

/* An order as it arrived. */
struct arrived {
    struct loader_order order;
    struct folders folders;
    char path[FOLDER_PATH_MAX];
    struct loader_trial trial;
    bool logs, profiles; /* does the host want them? */
};

struct loader_process {
    struct arrived arrived;
    const struct loader_order *order; /* the same */
    struct folders folders;
    struct channel_files files;
    struct finder finder;
    struct logbook book;
    struct buffer log; /* of whole lines, LOADER_LOG_MAX bytes at most */
    struct sandbox_watch watch;
    struct frame answer;
    struct faults *faults;
    uint32_t sequence;
    int in, out;
};

static void put_faults(struct frame *frame, const struct faults *faults) {
    frame_put_number(frame, (uint32_t)faults->errors);
    frame_put_number(frame, (uint32_t)faults->warnings);
    frame_put_number(frame, (uint32_t)faults->count);
    for (size_t i = 0; i < faults->count; i++) {
        const struct remark *remark = &faults->list[i];
        frame_put_number(frame, remark->warning);
        frame_put_fault(frame, &remark->fault);
        frame_put_text(frame, remark->page);
        frame_put_text(frame, remark->key);
        frame_put_text(frame, remark->value);
        frame_put_text(frame, remark->expected);
        frame_put_text(frame, remark->meant);
    }
}

static void take_printable(struct frame *frame, char *out, size_t size) {
    frame_take_text(frame, out, size);
    utf8_make_safe(out);
}

void loader_take_faults(struct frame *frame, struct faults *faults) {
    uint32_t errors = frame_take_number(frame), warnings = frame_take_number(frame);
    uint32_t count = frame_take_number(frame);
    size_t before = faults->count;
    uint64_t all = (uint64_t)errors + warnings;
    uint32_t listed = 0; /* errors */
    /* As faults_add() leaves them: the list holds as many as fit, errors before warnings. */
    if (count != (all < FAULTS_MAX ? all : FAULTS_MAX)) frame->broken = true;
    for (uint32_t i = 0; i < count && !frame->broken; i++) {
        struct remark *remark = &faults->list[faults->count];
        memset(remark, 0, sizeof *remark);
        uint32_t warning = frame_take_number(frame);
        frame_take_fault(frame, &remark->fault);
        take_printable(frame, remark->page, sizeof remark->page);
        take_printable(frame, remark->key, sizeof remark->key);
        take_printable(frame, remark->value, sizeof remark->value);
        take_printable(frame, remark->expected, sizeof remark->expected);
        take_printable(frame, remark->meant, sizeof remark->meant);
        if (frame->broken) break;
        remark->warning = warning != 0;
        listed += !warning;
        if (faults->count < FAULTS_MAX) faults->count++;
    }
    if (listed != (errors < FAULTS_MAX ? errors : FAULTS_MAX)) frame->broken = true;
    if (frame->broken) {
        faults->count = before;
        return;
    }
    faults->errors += errors;
    faults->warnings += warnings;
}

/* The host looks up the name of a variant. */
static bool resolve_variant(void *context, enum folder_sort sort, const char *name,
                            char path[FOLDER_PATH_MAX], struct fault *fault) {
    struct loader_process *child = context;
    struct frame *frame = &child->files.question;
    if (sort != FOLDER_VARIANTS || strlen(name) >= FOLDER_PATH_MAX)
        return fault_set(fault, STATUS_NOT_FOUND, "the name is too long");
    frame_clear(frame);
    frame_put_number(frame, LOADER_ASKS_PATH);
    frame_put_text(frame, name);
    if (channel_send(child->out, frame, child->sequence, CHANNEL_FOREVER) != CHANNEL_OK ||
        channel_receive(child->in, frame, &child->sequence, CHANNEL_FOREVER) != CHANNEL_OK ||
        frame_take_number(frame) != LOADER_PATH)
        _exit(CHANNEL_EXIT_LOST);
    if (frame_take_number(frame)) {
        frame_take_text(frame, path, FOLDER_PATH_MAX);
        return !frame->broken;
    }
    struct fault why;
    frame_take_fault(frame, &why);
    return fault_repeat(fault, &why);
}

static void job_begin_answer(struct loader_process *child) {
    frame_clear(&child->answer);
    frame_put_number(&child->answer, LOADER_DONE);
    faults_sort(child->faults, child->order->path);
    put_faults(&child->answer, child->faults);
}

/* Moves what was printed to the log, each line behind `when`. */
static void note_log(struct loader_process *child, const char *when) {
    struct logbook *book = &child->book;
    static const char cut[] = "(cut: no more is kept)\n";
    for (const char *line = book->text; *line && !book->closed;) {
        size_t length = strcspn(line, "\n") + 1, start = strlen(when);
        if (child->log.length + start + length + sizeof cut > LOADER_LOG_MAX) {
            buffer_add_text(&child->log, cut);
            book->closed = true;
            break;
        }
        buffer_add_text(&child->log, when);
        buffer_add(&child->log, line, length);
        line += length;
    }
    logbook_clear(book);
}

/* Tries one of the variant's own tests. */
static bool try_claim(struct loader_process *child, struct rules *rules,
                      const struct claims *claims, const struct claim *claim) {
    char when[32];
    bool holds = child->order->trial->work->claim(rules, claims, claim, child->faults);
    snprintf(when, sizeof when, "test %d: ", claim->number);
    note_log(child, when);
    return holds;
}

/* Tries the variant's own tests, then random games, until time runs out. */
static void try_variant(struct loader_process *child, struct rules *rules,
                        const struct claims *claims, struct loader_trial *trial) {
    const int64_t deadline = clock_ms() + 1000 * (int64_t)trial->seconds;
    struct fault fault = {0};
    trial->tests = claims->count;
    for (int i = 0; i < claims->count && clock_ms() < deadline; i++, trial->tried++)
        trial->held += try_claim(child, rules, claims, &claims->list[i]);
    child->book.closed = true; /* random games would fill it */
    if (trial->judge) trial->work->judge(rules, child->faults);
    if (!trial->games) return;
    const struct trial_options options = {rules, trial->games, trial->seed, deadline};
    trial->played = trial->work->play(&options, &trial->trial, &fault);
    if (trial->played) {
        if (trial->judge && trial->trial.games)
            trial->work->judge_games(rules, &trial->trial, child->faults);
        return;
    }
    if (!fault.file[0]) fault_place(&fault, child->order->path, 0, 0);
    if (faults_holds(child->faults, &fault)) return; /* a test has met it */
    if (fault.status != STATUS_SYSTEM && fault.status != STATUS_NO_MEMORY)
        fault_within(&fault, "random game %u", (unsigned)trial->trial.failed);
    remark_explain(faults_add(child->faults, &fault), "variants/REFERENCE.md#calls");
}

static void put_variant(struct loader_process *child) {
    const struct loader_order *order = child->order;
    struct claims read, *claims = order->trial ? &read : NULL;
    struct loader_trial trial = {0};
    struct rules *rules =
        order->text ? variant_examine_text(&child->folders, order->path, order->text, order->length,
                                           child->faults, claims)
                    : variant_examine(&child->folders, order->path, child->faults, claims);
    note_log(child, "load: ");
    if (order->trial) trial = *order->trial;
    if (rules && order->trial) try_variant(child, rules, claims, &trial);
    job_begin_answer(child);
    struct frame *answer = &child->answer;
    frame_put_number(answer, rules != NULL);
    if (!rules) return;
    rules_put(answer, rules);
    calls_codec_put(answer, rules);
    if (!order->trial) return;
    frame_put_number(answer, (uint32_t)trial.tests);
    frame_put_number(answer, (uint32_t)trial.tried);
    frame_put_number(answer, (uint32_t)trial.held);
    frame_put_number(answer, trial.played);
    frame_put(answer, &trial.trial, sizeof trial.trial);
    if (child->watch.profile) frame_put_profile(answer, child->watch.profile);
}

static void job_variant(struct loader_process *child) {
    child->log = buffer_of(LOADER_LOG_MAX);
    if (child->arrived.logs) child->watch.log = &child->book;
    if (child->arrived.profiles && !(child->watch.profile = profile_new())) _exit(LOADER_EXIT_HOST);
    child->folders.watch = &child->watch;
    put_variant(child);
    if (child->watch.log) frame_put_tail(&child->answer, child->log.text, child->log.length);
}

static void job_bot(struct loader_process *child) {
    struct bot_card card;
    bool plays =
        bot_examine(&child->folders, child->order->path, SANDBOX_DEFAULTS, &card, child->faults);
    job_begin_answer(child);
    frame_put_number(&child->answer, plays);
    frame_put_text(&child->answer, card.title);
    frame_put_text(&child->answer, card.about);
    frame_put_number(&child->answer, card.level);
    frame_put_number(&child->answer, card.appraises);
}

static void job_language(struct loader_process *child) {
    struct fault fault = {0};
    struct language *language = language_load(&child->folders, child->order->path, &fault);
    if (!language) faults_add(child->faults, &fault);
    job_begin_answer(child);
    struct frame *answer = &child->answer;
    frame_put_number(answer, language != NULL);
    if (!language) return;
    frame_put_text(answer, language_name(language));
    for (int part = 0; part < LANGUAGE_PARTS; part++) {
        size_t count = language_count(language, (enum language_part)part);
        frame_put_number(answer, (uint32_t)count);
        for (size_t i = 0; i < count; i++) {
            const char *key, *text;
            language_entry(language, (enum language_part)part, i, &key, &text);
            frame_put_text(answer, key);
            frame_put_text(answer, text);
        }
    }
}

static void job_script(struct loader_process *child) {
    struct fault fault = {0};
    enum script_kind kind = script_kind(&child->folders, child->order->path, &fault);
    if (kind == SCRIPT_BROKEN) faults_add(child->faults, &fault);
    job_begin_answer(child);
    frame_put_number(&child->answer, kind);
}

static void job_learned(struct loader_process *child) {
    struct fault fault = {0};
    struct learned *learned = malloc(sizeof *learned);
    if (!learned) _exit(LOADER_EXIT_HOST);
    bool read =
        learned_lua_load(&child->folders, child->order->path, child->order->rules, learned, &fault);
    if (!read) faults_add(child->faults, &fault);
    job_begin_answer(child);
    frame_put_number(&child->answer, read);
    if (read) frame_put(&child->answer, learned, sizeof *learned);
    free(learned);
}

/* The order's own path needs no lookup. */
static bool resolve_any(void *context, enum folder_sort sort, const char *name,
                        char path[FOLDER_PATH_MAX], struct fault *fault) {
    const struct loader_process *child = context;
    if (strcmp(name, child->order->path) != 0)
        return resolve_variant(context, sort, name, path, fault);
    memmove(path, name, strlen(name) + 1);
    return true;
}

void loader_order_put(struct frame *frame, const struct loader_order *order) {
    const struct loader_trial *trial = order->trial;
    frame_put_number(frame, order->job);
    frame_put_text(frame, order->path);
    frame_put_text(frame, order->folders->scripts);
    frame_put_number(frame, trial != NULL);
    if (trial) {
        const uint32_t terms[] = {trial->judge, trial->games, (uint32_t)trial->seconds,
                                  trial->log != NULL, trial->profile != NULL};
        frame_put(frame, terms, sizeof terms);
        frame_put(frame, &trial->seed, sizeof trial->seed);
        const uintptr_t work = place_of((uintptr_t)trial->work);
        frame_put(frame, &work, sizeof work);
    }
    frame_put_number(frame, order->text != NULL);
    if (order->text) {
        frame_put_number(frame, (uint32_t)order->length);
        frame_put(frame, order->text, order->length);
    }
    if (order->rules) variant_put(frame, order->rules);
}

/* The frame stays, since the text lies in it. */
static void take_order(struct frame *frame, struct arrived *arrived) {
    struct loader_order *order = &arrived->order;
    struct fault fault = {0};
    order->job = (enum loader_job)frame_take_number(frame);
    frame_take_text(frame, arrived->path, sizeof arrived->path);
    frame_take_text(frame, arrived->folders.scripts, sizeof arrived->folders.scripts);
    order->path = arrived->path;
    order->folders = &arrived->folders;
    if (frame_take_number(frame)) {
        uint32_t terms[5];
        uintptr_t work;
        struct loader_trial *trial = &arrived->trial;
        frame_take(frame, terms, sizeof terms);
        frame_take(frame, &trial->seed, sizeof trial->seed);
        frame_take(frame, &work, sizeof work);
        trial->work = (const struct trial_work *)place_find(work);
        trial->judge = terms[0] != 0;
        trial->games = terms[1];
        trial->seconds = (int)terms[2];
        arrived->logs = terms[3] != 0;
        arrived->profiles = terms[4] != 0;
        order->trial = trial;
    }
    if (frame_take_number(frame)) {
        order->length = frame_take_number(frame);
        order->text = (const char *)frame->bytes + CHANNEL_HEADER + frame->at;
        frame->at += order->length;
    }
    if (order->job == LOADER_LEARNED &&
        !(order->rules = variant_take(frame, arrived->folders.scripts, &fault)))
        _exit(LOADER_EXIT_HOST);
}

void loader_process_run(const void *known, int in, int out) {
    struct frame order;
    struct loader_process *child = calloc(1, sizeof *child);
    (void)known;
    if (!child) _exit(LOADER_EXIT_HOST);
    child->order = &child->arrived.order;
    child->in = in;
    child->out = out;
    child->sequence = LOADER_SEQUENCE;
    child->faults = faults_new();
    child->finder = (struct finder){resolve_any, child};
    if (!child->faults || !frame_open(&order, LOADER_ORDER_MAX) ||
        !frame_open(&child->answer, LOADER_ANSWER_MAX) ||
        !channel_files_open(&child->files, in, out, LOADER_ASKS_FILE, LOADER_FILE,
                            &child->sequence))
        _exit(LOADER_EXIT_HOST);
    if (!jail_lock(SANDBOX_DEFAULTS.memory + SPARE_MEMORY)) _exit(LOADER_EXIT_HOST);
    if (channel_receive(in, &order, &child->sequence, CHANNEL_FOREVER) != CHANNEL_OK)
        _exit(CHANNEL_EXIT_LOST);
    take_order(&order, &child->arrived);
    child->folders = child->arrived.folders;
    child->folders.reader = &child->files.reader;
    child->folders.finder = &child->finder;
    static void (*const jobs[])(struct loader_process *) = {[LOADER_VARIANT] = job_variant,
                                                            [LOADER_BOT] = job_bot,
                                                            [LOADER_LANGUAGE] = job_language,
                                                            [LOADER_SCRIPT] = job_script,
                                                            [LOADER_LEARNED] = job_learned};
    jobs[child->order->job](child);
    bool sent = !child->answer.broken &&
                channel_send(out, &child->answer, child->sequence, CHANNEL_FOREVER) == CHANNEL_OK;
    _exit(sent ? EXIT_SUCCESS : CHANNEL_EXIT_LOST);
}
