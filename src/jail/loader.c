/* loader.c - has a locked process forked for each file, gives it the files it may read, and checks
 * its answer.
 *
 * A process may read its own file, the variants that it extends, and the modules of all of them
 * (channel_files_may_read()). Every text sent is kept, since a variant's calls are compiled from
 * the same texts (variant_calls_defer()). */
#define _GNU_SOURCE
#include "loader.h"

#include "base/clock.h"
#include "base/paths.h"
#include "base/reader.h"
#include "base/utf8.h"
#include "bot/learned_lua.h"
#include "call_process.h"
#include "channel_files.h"
#include "codec.h"
#include "core/rules/refusal.h"
#include "exchange.h"
#include "jail.h"
#include "loader_process.h"
#include "variant/variant.h"
#include "variant/variant_calls.h"
#include "variant_codec.h"
#include "zygote.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

enum { GRACE_SECONDS = 5 }; /* for a process to notice that its time has passed */

/* A file under the first path by which it was reached. */
struct reached {
    char path[FOLDER_PATH_MAX];
    char *real; /* resolved; owned; NULL if that failed */
};

struct loader {
    const struct loader_order *order;
    struct locked_process process;
    struct channel_watch watch; /* of the process */
    int seconds;                /* allowed for the order */
    int64_t deadline;
    struct frame answer;
    struct reader texts;     /* the order's text and the disk */
    struct file_cache cache; /* the files sent, read through `texts` */
    struct reached reached[CHAIN_MAX + 1];
    int reached_count;
};

/* Reads the order's text at its path, and the disk at all others. */
static long text_size(void *context, const char *path) {
    const struct loader_order *order = context;
    const struct reader *disk = folders_reader(order->folders);
    if (order->text && !strcmp(path, order->path)) return (long)order->length;
    return disk->size(disk->context, path);
}

static long text_read(void *context, const char *path, char *out, size_t size) {
    const struct loader_order *order = context;
    const struct reader *disk = folders_reader(order->folders);
    if (!order->text || strcmp(path, order->path) != 0)
        return disk->read(disk->context, path, out, size);
    if (size > order->length) size = order->length;
    memcpy(out, order->text, size);
    return (long)size;
}

/* Allows the process to read this file. Returns the path by which it may; NULL if there are too
 * many files. */
static const char *loader_reach(struct loader *loader, const char *path) {
    char *real = realpath(path, NULL);
    for (int i = 0; i < loader->reached_count; i++) {
        const struct reached *known = &loader->reached[i];
        bool same = real && known->real ? !strcmp(real, known->real) : !strcmp(path, known->path);
        if (!same) continue;
        free(real);
        return known->path;
    }
    if (loader->reached_count > CHAIN_MAX) {
        free(real);
        return NULL;
    }
    struct reached *fresh = &loader->reached[loader->reached_count++];
    fresh->real = real;
    snprintf(fresh->path, sizeof fresh->path, "%s", path);
    return fresh->path;
}

/* Is it so by this rule of channel_files.h? */
static bool loader_lets(const struct loader *loader, const char *path,
                        bool (*rule)(const char *path, const char *scripts, const char *file)) {
    for (int i = 0; i < loader->reached_count; i++)
        if (rule(path, loader->order->folders->scripts, loader->reached[i].path)) return true;
    return false;
}

/* `context` is a struct loader. */
static bool may_read(const void *context, const char *path) {
    return loader_lets(context, path, channel_files_may_read);
}

static enum channel_result give_file(struct loader *loader) {
    char path[FOLDER_PATH_MAX];
    frame_take_text(&loader->answer, path, sizeof path);
    bool allowed = !loader->answer.broken && may_read(loader, path);
    return channel_files_send(loader->process.to, &loader->cache.reader, allowed ? path : NULL,
                              LOADER_FILE, LOADER_SEQUENCE, loader->deadline, &loader->watch);
}

static enum channel_result give_path(struct loader *loader) {
    char name[FOLDER_PATH_MAX], path[FOLDER_PATH_MAX];
    struct fault fault = {0};
    struct frame reply;
    frame_take_text(&loader->answer, name, sizeof name);
    if (!frame_open(&reply, FOLDER_PATH_MAX + sizeof(struct fault) + 64)) return CHANNEL_FAILED;
    reply.watch = &loader->watch;
    const char *found = NULL;
    if (loader->answer.broken || loader->order->job != LOADER_VARIANT)
        fault_set(&fault, STATUS_NOT_FOUND, "no such file");
    else if (folders_resolve(loader->order->folders, FOLDER_VARIANTS, name, path, &fault) &&
             !(found = loader_reach(loader, path)))
        fault_set(&fault, STATUS_RULES, "more than %d files", CHAIN_MAX);
    frame_put_number(&reply, LOADER_PATH);
    frame_put_number(&reply, found != NULL);
    if (found)
        frame_put_text(&reply, found);
    else
        frame_put_fault(&reply, &fault);
    enum channel_result result =
        channel_send(loader->process.to, &reply, LOADER_SEQUENCE, loader->deadline);
    frame_close(&reply);
    return result;
}

static enum channel_result give_order(struct loader *loader) {
    struct frame order;
    if (!frame_open(&order, LOADER_ORDER_MAX)) return CHANNEL_FAILED;
    order.watch = &loader->watch;
    loader_order_put(&order, loader->order);
    errno = ENOMEM;
    enum channel_result result =
        order.broken ? CHANNEL_FAILED
                     : channel_send(loader->process.to, &order, LOADER_SEQUENCE, loader->deadline);
    frame_close(&order);
    return result;
}

/* Gives the order and answers questions until the process is done. */
static enum channel_result loader_converse(struct loader *loader) {
    enum channel_result given = give_order(loader);
    if (given != CHANNEL_OK) return given;
    for (;;) {
        uint32_t sequence = LOADER_SEQUENCE;
        enum channel_result result =
            channel_receive(loader->process.from, &loader->answer, &sequence, loader->deadline);
        if (result != CHANNEL_OK) return result;
        switch (frame_take_number(&loader->answer)) {
        case LOADER_ASKS_FILE:
            result = give_file(loader);
            break;
        case LOADER_ASKS_PATH:
            result = give_path(loader);
            break;
        case LOADER_DONE:
            return loader->answer.broken ? CHANNEL_CUT : CHANNEL_OK;
        default:
            return CHANNEL_ORDER;
        }
        if (result != CHANNEL_OK) return result;
    }
}

static bool loader_refuse(struct fault *fault) {
    return fault_set(fault, STATUS_CRASH,
                     "the process that loads it sent an answer that makes no sense");
}

/* Says why a process gave no answer. */
static void loader_blame(const struct loader *loader, const struct ending *ending,
                         struct fault *fault) {
    if (ending->kind == ENDING_LATE)
        fault_set(fault, STATUS_TIME, "takes longer than %d seconds", loader->seconds);
    else if (ending->kind == ENDING_ORPHAN)
        fault_set(fault, STATUS_KILLED, "the process that starts others was killed or stopped");
    else if (ending->kind == ENDING_EXIT && WEXITSTATUS(ending->status) == LOADER_EXIT_HOST)
        fault_set(fault, STATUS_SYSTEM,
                  "cannot lock up a process to load scripts: out of memory, or refused by the "
                  "system");
    else if (ending->kind == ENDING_MISDEED)
        loader_refuse(fault);
    else
        fault_set(fault, ending_status(ending), "the process that loads it %s", ending->how);
}

/* Has a process carry out the order. False with a fault; `*again`: it or its zygote may have been
 * ended from outside. */
static bool loader_try_order(struct loader *loader, bool *again, struct fault *fault) {
    *again = false;
    if (!zygote_take(loader_process_run, &loader->process, fault)) return false;
    loader->watch = (struct channel_watch){.pid = loader->process.pid};
    loader->deadline = clock_ms() + 1000 * (int64_t)loader->seconds;
    enum channel_result result = loader_converse(loader);
    if (result == CHANNEL_OK) {
        locked_process_end(&loader->process);
        return true;
    }
    const struct ending ending = exchange_end(&loader->process, result, 1000 * loader->seconds);
    *again = ending_is_doubtful(&ending);
    loader_blame(loader, &ending, fault);
    return false;
}

/* The same, tried again: a script that crashes its process does so each time. */
static bool loader_carry_out(struct loader *loader, struct fault *fault) {
    bool done = false, again = true;
    for (int tries = 0; !done && again && tries < TEMPLATE_TRIES; tries++)
        done = loader_try_order(loader, &again, fault);
    return done;
}

/* Carries out an order and adds the faults of its answer to `faults`; the rest of the answer is
 * left in loader->answer. False after adding a fault of the process or the host. The caller closes
 * in either case. */
static bool loader_open(struct loader *loader, const struct loader_order *order, int seconds,
                        struct faults *faults) {
    struct fault fault = {0};
    *loader = (struct loader){.order = order,
                              .seconds = seconds,
                              .texts = {text_size, text_read, (void *)(uintptr_t)order}};
    file_cache_open(&loader->cache, &loader->texts);
    loader_reach(loader, order->path);
    bool done = frame_open(&loader->answer, LOADER_ANSWER_MAX) ||
                fault_set(&fault, STATUS_NO_MEMORY, "out of memory");
    loader->answer.watch = &loader->watch;
    done = done && loader_carry_out(loader, &fault);
    if (done) {
        loader_take_faults(&loader->answer, faults);
        done = !loader->answer.broken || loader_refuse(&fault);
    }
    if (done) {
        /* Reports quote the lines around a place, so it must be a file that the process may read.
         */
        for (size_t i = 0; i < faults->count; i++) {
            struct fault *told = &faults->list[i].fault;
            /* Only trial games can find the host itself at fault. */
            if (!order->trial && status_exit_code(told->status) == 3) told->status = STATUS_CRASH;
            if (!told->file[0] || loader_lets(loader, told->file, channel_files_may_show)) continue;
            told->line = told->column = 0;
            fault_place(told, order->path, 0, 0);
        }
        return true;
    }
    fault_place(&fault, order->path, 0, 0);
    faults_add(faults, &fault);
    return false;
}

static void loader_close(struct loader *loader) {
    for (int i = 0; i < loader->reached_count; i++) free(loader->reached[i].real);
    file_cache_clear(&loader->cache);
    frame_close(&loader->answer);
}

static void refuse_answer(const struct loader *loader, struct faults *faults) {
    struct fault fault = {0};
    loader_refuse(&fault);
    fault_place(&fault, loader->order->path, 0, 0);
    faults_add(faults, &fault);
}

/* Attaches the calls that the answer declares, if any. */
static bool take_calls(struct loader *loader, struct rules *rules, struct fault *fault) {
    struct variant_calls_source source;
    struct file_cache *cache = &loader->cache;
    if (!calls_codec_take(&loader->answer, rules, may_read, loader, &source)) return false;
    if (!source.declared) return true;
    for (int i = 0; i < source.count; i++)
        if (cache->reader.size(cache, source.path[i]) < 0) return false;
    if (strcmp(source.path[0], loader->order->path) != 0) return false;
    return (variant_calls_defer(rules, &source, loader->order->folders->scripts, cache) &&
            call_process_attach(rules, loader->order->folders->scripts)) ||
           fault_set(fault, STATUS_NO_MEMORY, "no memory for a variant's calls");
}

/* Whether these are possible figures of at most `games` games, safe to print and calculate with. */
static bool trial_sound(const struct trial *trial, uint32_t games) {
    for (int i = 0; i < TRIAL_ENDINGS_MAX; i++) {
        const char *text = trial->ending[i].text;
        if (!memchr(text, 0, CALL_WHY_MAX) || !utf8_is_safe(text, strlen(text))) return false;
    }
    uint64_t ended = (uint64_t)trial->wins[RED] + trial->wins[BLUE] + trial->draws;
    uint64_t decided = (uint64_t)trial->first_wins + trial->first_losses;
    return trial->games <= games && ended == trial->games && trial->stuck <= trial->games &&
           decided + trial->draws == trial->games && trial->shortest <= trial->longest;
}

static bool take_trial(struct frame *answer, struct loader_trial *trial) {
    uint32_t tests = frame_take_number(answer), tried = frame_take_number(answer);
    uint32_t held = frame_take_number(answer), played = frame_take_number(answer);
    frame_take(answer, &trial->trial, sizeof trial->trial);
    if (answer->broken || tests > INT32_MAX || tried > tests || held > tried ||
        !trial_sound(&trial->trial, trial->games))
        return false;
    trial->tests = (int)tests;
    trial->tried = (int)tried;
    trial->held = (int)held;
    trial->played = played != 0;
    return true;
}

/* The rules of an answer, finished; NULL without a fault if the variant cannot be played. */
static struct rules *take_variant(struct loader *loader, struct loader_trial *trial,
                                  struct fault *fault) {
    struct frame *answer = &loader->answer;
    if (!frame_take_number(answer) && !answer->broken) return NULL;
    struct rules *rules = rules_take(answer, fault);
    if (!rules) return NULL;
    path_script_name(loader->order->path, rules->name, sizeof rules->name);
    struct refusals refusals;
    bool sound =
        take_calls(loader, rules, fault) &&
        (rules_finish(rules, &refusals) || refusal_fault(&refusals.list[0], rules, fault)) &&
        (!trial || take_trial(answer, trial)) &&
        (!trial || !trial->profile ||
         frame_take_profile(answer, trial->profile, may_read, loader)) &&
        answer->at == answer->length;
    if (sound) return rules;
    if (fault->status == STATUS_OK) loader_refuse(fault);
    rules_free(rules);
    return NULL;
}

/* Takes the log off the answer's end. */
static bool take_log(struct frame *answer, struct buffer *log, struct fault *fault) {
    char *text = malloc(LOADER_LOG_MAX + 1);
    if (!text) return fault_set(fault, STATUS_NO_MEMORY, "out of memory");
    text[frame_take_tail(answer, text, LOADER_LOG_MAX)] = 0;
    for (char *line = text, *next; line; line = next) {
        next = strchr(line, '\n');
        if (next) *next++ = 0;
        utf8_make_safe(line);
        if (next) buffer_add_text(log, line), buffer_add(log, "\n", 1);
    }
    free(text);
    return !answer->broken || loader_refuse(fault);
}

/* The rules of the order's variant; NULL after adding a fault. */
static struct rules *loader_rules(const struct loader_order *order, struct loader_trial *trial,
                                  struct faults *faults) {
    struct loader loader;
    struct fault fault = {0};
    struct rules *rules = NULL;
    size_t before = faults->errors;
    int seconds = LOADER_SECONDS + (trial ? trial->seconds + GRACE_SECONDS : 0);
    if (loader_open(&loader, order, seconds, faults)) {
        if (!trial || !trial->log || take_log(&loader.answer, trial->log, &fault))
            rules = take_variant(&loader, trial, &fault);
        if (!rules && fault.status == STATUS_NO_MEMORY)
            faults_add(faults, &fault);
        else if (!rules && (fault.status != STATUS_OK || faults->errors == before))
            refuse_answer(&loader, faults);
    }
    loader_close(&loader);
    return rules;
}

/* The file of the script of that name or path. */
static bool loader_find(const struct folders *folders, enum folder_sort sort, const char *name,
                        char path[FOLDER_PATH_MAX], struct faults *faults) {
    struct fault fault = {0};
    if (folders_resolve(folders, sort, name, path, &fault)) return true;
    faults_add(faults, &fault);
    return false;
}

struct rules *loader_examine(const struct folders *folders, const char *name,
                             struct faults *faults) {
    return loader_try(folders, name, NULL, faults);
}

struct rules *loader_try(const struct folders *folders, const char *name,
                         struct loader_trial *trial, struct faults *faults) {
    char path[FOLDER_PATH_MAX];
    if (!loader_find(folders, FOLDER_VARIANTS, name, path, faults)) return NULL;
    return loader_rules(
        &(struct loader_order){
            .job = LOADER_VARIANT, .folders = folders, .path = path, .trial = trial},
        trial, faults);
}

/* For callers that want the first fault only. */
static struct faults *list_new(struct fault *fault) {
    struct faults *faults = faults_new();
    if (!faults) fault_set(fault, STATUS_NO_MEMORY, "no memory to load a script");
    return faults;
}

static void list_first(struct faults *faults, struct fault *fault) {
    const struct fault *first = faults_first(faults);
    if (fault && first) *fault = *first;
    free(faults);
}

struct rules *loader_variant(const struct folders *folders, const char *name, struct fault *fault) {
    struct faults *faults = list_new(fault);
    if (!faults) return NULL;
    struct rules *rules = loader_examine(folders, name, faults);
    list_first(faults, fault);
    return rules;
}

struct rules *loader_variant_text(const struct folders *folders, const char *path, const char *text,
                                  size_t length, struct fault *fault) {
    struct faults *faults = list_new(fault);
    if (!faults) return NULL;
    struct rules *rules = loader_rules(&(struct loader_order){.job = LOADER_VARIANT,
                                                              .folders = folders,
                                                              .path = path,
                                                              .text = text,
                                                              .length = length},
                                       NULL, faults);
    list_first(faults, fault);
    return rules;
}

/* Safe to print whatever the process says. */
static void take_card(struct frame *answer, struct bot_card *card) {
    frame_take_text(answer, card->title, sizeof card->title);
    frame_take_text(answer, card->about, sizeof card->about);
    uint32_t level = frame_take_number(answer);
    utf8_make_safe(card->title);
    utf8_make_safe(card->about);
    if (level >= LEVEL_COUNT) answer->broken = true;
    card->level = answer->broken ? LEVEL_NONE : (enum bot_level)level;
    card->appraises = frame_take_number(answer) != 0 && !answer->broken;
}

bool loader_bot(const struct folders *folders, const char *path, struct bot_card *card,
                struct faults *faults) {
    struct loader loader;
    const struct loader_order order = {.job = LOADER_BOT, .folders = folders, .path = path};
    bool plays = false;
    size_t before = faults->errors;
    if (loader_open(&loader, &order, LOADER_SECONDS, faults)) {
        plays = frame_take_number(&loader.answer) != 0;
        take_card(&loader.answer, card);
        plays = plays && faults->errors == before;
        if (loader.answer.broken || (!plays && faults->errors == before)) {
            plays = false;
            refuse_answer(&loader, faults);
        }
    }
    loader_close(&loader);
    return plays;
}

/* NULL if the answer is invalid. */
static struct language *take_language(const struct loader *loader, struct frame *answer) {
    char name[LANGUAGE_NAME_MAX], tag[NAME_TAG_MAX];
    char key[LANGUAGE_TEXT_MAX], text[LANGUAGE_TEXT_MAX];
    frame_take_text(answer, name, sizeof name);
    language_tag_of(loader->order->path, tag);
    struct language *language = answer->broken ? NULL : language_new(tag, name);
    bool sound = language != NULL;
    for (int part = 0; sound && part < LANGUAGE_PARTS; part++) {
        for (uint32_t left = frame_take_number(answer); sound && left; left--) {
            frame_take_text(answer, key, sizeof key);
            frame_take_text(answer, text, sizeof text);
            sound = !answer->broken && language_add(language, (enum language_part)part, key, text);
        }
    }
    if (!sound || answer->broken) {
        language_free(language);
        return NULL;
    }
    language_seal(language);
    return language;
}

struct language *loader_language(const struct folders *folders, const char *tag,
                                 struct fault *fault) {
    char path[FOLDER_PATH_MAX];
    struct loader loader;
    struct language *language = NULL;
    struct faults *faults = list_new(fault);
    if (!faults) return NULL;
    if (loader_find(folders, FOLDER_LANGUAGES, tag, path, faults)) {
        const struct loader_order order = {
            .job = LOADER_LANGUAGE, .folders = folders, .path = path};
        if (loader_open(&loader, &order, LOADER_SECONDS, faults) && !faults->errors) {
            bool usable = frame_take_number(&loader.answer) != 0;
            language = usable ? take_language(&loader, &loader.answer) : NULL;
            if (!language) refuse_answer(&loader, faults);
        }
        loader_close(&loader);
    }
    list_first(faults, fault);
    return language;
}

enum script_kind loader_script(const struct folders *folders, const char *path,
                               struct fault *fault) {
    struct loader loader;
    const struct loader_order order = {.job = LOADER_SCRIPT, .folders = folders, .path = path};
    enum script_kind kind = SCRIPT_BROKEN;
    struct faults *faults = list_new(fault);
    if (!faults) return SCRIPT_BROKEN;
    if (loader_open(&loader, &order, LOADER_SECONDS, faults) && !faults->errors) {
        uint32_t told = frame_take_number(&loader.answer);
        bool known = !loader.answer.broken && (told == SCRIPT_BOT || told == SCRIPT_VARIANT);
        if (known) kind = (enum script_kind)told;
        if (!known) refuse_answer(&loader, faults);
    }
    loader_close(&loader);
    list_first(faults, fault);
    return kind;
}

/* Within the limits of values, and the set-ups valid? */
static bool style_sound(const struct style *style, const struct rules *rules) {
    const int32_t *weights = &style->value.weights.own[0][0];
    for (int i = 0; i < TERMS; i++)
        if (weights[i] < -WEIGHT_MAX || weights[i] > WEIGHT_MAX) return false;
    if (style->share < 1 || style->share > LEARNED_SHARE_MAX) return false;
    if (style->setups > LEARNED_SETUPS_MAX) return false;
    for (uint32_t i = 0; i < style->setups; i++)
        if (!setup_check(rules, RED, &style->setup[i], NULL)) return false;
    return true;
}

static bool learned_sound(const struct learned *learned, const struct rules *rules) {
    if (learned->styles < 1 || learned->styles > LEARNED_STYLES_MAX) return false;
    for (uint32_t i = 0; i < learned->styles; i++)
        if (!style_sound(&learned->style[i], rules)) return false;
    return true;
}

bool loader_learned(const struct folders *folders, const char *path, const struct rules *rules,
                    struct learned *learned, struct fault *fault) {
    struct loader loader;
    const struct loader_order order = {
        .job = LOADER_LEARNED, .folders = folders, .path = path, .rules = rules};
    bool sound = false;
    struct faults *faults = list_new(fault);
    if (!faults) return false;
    if (loader_open(&loader, &order, LOADER_SECONDS, faults) && !faults->errors) {
        bool usable = frame_take_number(&loader.answer) != 0;
        frame_take(&loader.answer, learned, sizeof *learned);
        sound = usable && !loader.answer.broken && learned_sound(learned, rules);
        if (!sound) refuse_answer(&loader, faults);
    }
    loader_close(&loader);
    list_first(faults, fault);
    return sound;
}
