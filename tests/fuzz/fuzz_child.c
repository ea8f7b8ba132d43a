/* Messages of a bot's process. The target replaces the pipes (see CMakeLists.txt) and plays a game
 * against a random player: the input gives the reply to each frame, and when it is used up the
 * process answers correctly. Accepted values must be in range, faults printable, files only the
 * bot's own, and the record readable. */
#include "base/utf8.h"
#include "fuzz.h"
#include "host/player_process.h"
#include "host/referee.h"
#include "jail/bot_process.h"
#include "jail/channel.h"

#include <stdlib.h>
#include <string.h>

enum { PLIES = 24, QUESTIONS_MAX = 200 /* for files, in a game */ };

/* One byte of the input for each frame, giving the type of the bytes after it. */
enum answer_sort {
    SORT_SOUND,    /* what it should send; nothing */
    SORT_FRAME,    /* a length and as many bytes, as they are */
    SORT_ANSWER,   /* the same, behind the answer that is due */
    SORT_FILE,     /* a length and as many bytes: a path that is asked for */
    SORT_OWN_FILE, /* the bot's own; nothing */
    SORT_MODULE,   /* a length and as many bytes, in the folder of the bot */
    SORT_FAULT,    /* status, line, length and as many bytes: text; the bot's own file */
    SORT_NOTHING,  /* how the wire fails, and how the process ends then */
    SORT_COUNT
};

static const char BOT[] = "bots/rookie.lua";

static struct {
    const uint8_t *data;
    size_t size, at;
    const struct rules *rules;
    struct setup setup;
    enum bot_process_order last;
    uint32_t offered;
    int ending, questions;
} process;

static uint8_t take_byte(void) {
    return process.at < process.size ? process.data[process.at++] : 0;
}

/* A length of two bytes, cut to what is left; the bytes stand at process.at then. */
static size_t take_length(void) {
    size_t length = take_byte();
    length |= (size_t)take_byte() << 8;
    return length < process.size - process.at ? length : process.size - process.at;
}

static const uint8_t *take_bytes(size_t *length) {
    *length = take_length();
    static const uint8_t none[1];
    const uint8_t *bytes = *length ? process.data + process.at : none;
    process.at += *length;
    return bytes;
}

static void put_bytes_as_text(struct frame *frame, const char *before) {
    size_t length;
    const uint8_t *bytes = take_bytes(&length);
    frame_put_number(frame, (uint32_t)(strlen(before) + length));
    frame_put(frame, before, strlen(before));
    frame_put(frame, bytes, length);
}

/* Begins an answer, with fuel where it tells that; beyond any limit for inputs of an odd size. */
static void put_type(struct frame *frame, enum bot_process_answer answer) {
    uint64_t fuel = process.size % 2 ? UINT64_MAX : process.size;
    frame_put_number(frame, answer);
    if (answer == BOT_PROCESS_CHOSE || answer == BOT_PROCESS_WROTE || answer == BOT_PROCESS_FAILED)
        frame_put(frame, &fuel, sizeof fuel);
}

static void put_sound(struct frame *frame) {
    switch (process.last) {
    case BOT_PROCESS_OPEN:
        frame_put_number(frame, BOT_PROCESS_OPENED);
        frame_put_number(frame, process.size % 2);
        for (int i = 0; i < 3; i++) frame_put_number(frame, 0);
        frame_put_text(frame, "fuzz");
        break;
    case BOT_PROCESS_SETUP:
        frame_put_number(frame, BOT_PROCESS_LAID);
        frame_put(frame, &process.setup, sizeof process.setup);
        break;
    case BOT_PROCESS_MOVE:
        put_type(frame, BOT_PROCESS_CHOSE);
        frame_put_number(frame, process.offered / 2);
        break;
    default:
        frame_put_number(frame, BOT_PROCESS_DONE);
    }
}

/* The number that the answer which is due begins with. */
static enum bot_process_answer due(uint8_t other) {
    switch (process.last) {
    case BOT_PROCESS_OPEN:
        return BOT_PROCESS_OPENED;
    case BOT_PROCESS_SETUP:
        return other % 2 ? BOT_PROCESS_NAMED : BOT_PROCESS_LAID;
    case BOT_PROCESS_MOVE:
        return other % 2 ? BOT_PROCESS_WROTE : BOT_PROCESS_CHOSE;
    default:
        return BOT_PROCESS_DONE;
    }
}

static enum channel_result fail(void) {
    static const int endings[] = {0, 9, 11, 15, 2 << 8, 3 << 8, 0x137f, -1};
    uint8_t how = take_byte();
    process.ending = endings[how >> 4 & 7];
    return (enum channel_result)(1 + how % CHANNEL_FAILED);
}

static enum channel_result put_answer(struct frame *frame) {
    enum answer_sort sort = (enum answer_sort)(take_byte() % SORT_COUNT);
    bool asks = sort == SORT_FILE || sort == SORT_OWN_FILE || sort == SORT_MODULE;
    if (asks && ++process.questions > QUESTIONS_MAX) sort = SORT_SOUND;
    const uint8_t *bytes;
    size_t length;
    switch (sort) {
    case SORT_FRAME:
        bytes = take_bytes(&length);
        frame_put(frame, bytes, length < BOT_PROCESS_ANSWER_MAX ? length : BOT_PROCESS_ANSWER_MAX);
        break;
    case SORT_ANSWER:
        put_type(frame, due(take_byte()));
        bytes = take_bytes(&length);
        frame_put(frame, bytes,
                  length < BOT_PROCESS_ANSWER_MAX - 12 ? length : BOT_PROCESS_ANSWER_MAX - 12);
        break;
    case SORT_FILE:
        frame_put_number(frame, BOT_PROCESS_ASKS);
        put_bytes_as_text(frame, "");
        break;
    case SORT_OWN_FILE:
        frame_put_number(frame, BOT_PROCESS_ASKS);
        frame_put_text(frame, BOT);
        break;
    case SORT_MODULE:
        frame_put_number(frame, BOT_PROCESS_ASKS);
        put_bytes_as_text(frame, "bots/");
        break;
    case SORT_FAULT:
        put_type(frame, BOT_PROCESS_FAILED);
        frame_put_number(frame, take_byte());
        frame_put_number(frame, take_byte());
        frame_put_number(frame, 0);
        frame_put_text(frame, BOT);
        put_bytes_as_text(frame, "");
        break;
    case SORT_NOTHING:
        return fail();
    default:
        put_sound(frame);
    }
    frame->broken = false; /* what did not fit was not sent */
    return CHANNEL_OK;
}

/* Inputs of some sizes keep the log, for which answers have a tail, or should have one. */
static bool is_logged(void) {
    return process.size % 4 == 3;
}

/* A line of a log must be safe to print. */
static void take_line(void *context, const struct log_line *line) {
    (void)context;
    fuzz_require(utf8_is_safe(line->text, strlen(line->text)), "a log can be shown");
}

/* Finds the last order of a frame. */
static void read_orders(const struct frame *told) {
    struct frame frame = *told;
    frame.at = 0;
    while (frame.at < frame.length) {
        process.last = (enum bot_process_order)frame_take_number(&frame);
        if (process.last == BOT_PROCESS_OPEN)
            frame.at = frame.length;
        else if (process.last == BOT_PROCESS_SETUP || process.last == BOT_PROCESS_START)
            frame.at += sizeof(struct bot_process_table);
        else if (process.last == BOT_PROCESS_TURN || process.last == BOT_PROCESS_STOP)
            frame.at += frame_take_number(&frame) * sizeof(struct event) +
                        (process.rules->sight ? sizeof(squareset) : 0);
        else if (process.last == BOT_PROCESS_MOVE)
            frame.at += (process.offered = frame_take_number(&frame)) * sizeof(struct move);
        fuzz_require(!frame.broken && frame.at <= frame.length, "a frame holds whole orders");
    }
}

enum channel_result __wrap_channel_send(int to, struct frame *frame, uint32_t sequence,
                                        int64_t deadline);
enum channel_result __wrap_channel_receive(int from, struct frame *frame, uint32_t *sequence,
                                           int64_t deadline);
bool __wrap_template_take(struct template *template, struct locked_process *child,
                          struct fault *fault);
int __wrap_locked_process_end(struct locked_process *child);

enum channel_result __wrap_channel_send(int to, struct frame *frame, uint32_t sequence,
                                        int64_t deadline) {
    (void)to, (void)sequence, (void)deadline;
    struct frame told = *frame;
    told.at = 0;
    if (frame_take_number(&told) != BOT_PROCESS_FILE) read_orders(frame);
    return CHANNEL_OK;
}

enum channel_result __wrap_channel_receive(int from, struct frame *frame, uint32_t *sequence,
                                           int64_t deadline) {
    (void)from, (void)sequence, (void)deadline;
    frame_clear(frame);
    enum channel_result result = put_answer(frame);
    struct frame answer = *frame;
    answer.at = 0;
    if (result != CHANNEL_OK || !is_logged() || frame_take_number(&answer) == BOT_PROCESS_ASKS ||
        take_byte() % 4 == 0)
        return result;
    size_t length;
    const uint8_t *bytes = take_bytes(&length);
    frame_put_tail(frame, (const char *)bytes, length);
    frame->broken = false;
    return CHANNEL_OK;
}

bool __wrap_template_take(struct template *template, struct locked_process *child,
                          struct fault *fault) {
    (void)template, (void)fault;
    *child = (struct locked_process){.pid = 0, .to = -1, .from = -1, .held = -1};
    process.ending = 0;
    return true;
}

int __wrap_locked_process_end(struct locked_process *child) {
    (void)child;
    return process.ending;
}

/* Files, as the host is asked for them: the bot's own, or one that `require` can mean. */
static void require_own(const char *path) {
    const char *const folders[] = {fuzz_folders()->scripts, "bots"};
    if (!strcmp(path, BOT)) return;
    for (int i = 0; i < 2; i++) {
        size_t length = strlen(folders[i]), end = strlen(path);
        if (strncmp(path, folders[i], length) != 0 || path[length] != '/') continue;
        const char *rest = path + length;
        fuzz_require(!strchr(rest, '.') || strchr(rest, '.') == path + end - 4,
                     "no dot but that of the ending");
        fuzz_require(!strstr(rest, "//"), "a file has one name");
        fuzz_require(end > 5 && !strcmp(path + end - 4, ".lua") && path[end - 5] != '/',
                     "a file of Lua");
        return;
    }
    fuzz_require(false, "the file is the bot's own");
}

static long own_size(void *context, const char *path) {
    (void)context;
    require_own(path);
    return strlen(path) % 3 ? 100 : -1;
}

static long own_read(void *context, const char *path, char *out, size_t size) {
    (void)context;
    require_own(path);
    memset(out, 'x', size);
    return (long)size;
}

static bool own_find(void *context, enum folder_sort sort, const char *name,
                     char path[FOLDER_PATH_MAX], struct fault *fault) {
    (void)context;
    if (sort != FOLDER_BOTS) return fault_set(fault, STATUS_NOT_FOUND, "no set-ups here");
    strcpy(path, name);
    return true;
}

/* The process's player, with all that it answers looked at. */
static struct player inner;

static bool require_faultless(bool done, const struct fault *fault) {
    if (!done) fuzz_require_fault(fault);
    fuzz_require(utf8_is_safe(fault->file, strlen(fault->file)), "a place can be shown");
    return done;
}

static bool checked_setup(void *self, const struct view *view, struct setup *setup,
                          struct fault *fault) {
    if (!require_faultless(inner.setup(self, view, setup, fault), fault)) return false;
    for (int at = 0; at < BOARD_SQUARES_MAX; at++)
        fuzz_require(setup->at[at] <= view->rules->kinds, "a set-up is of known kinds");
    return true;
}

static bool checked_start(void *self, const struct view *view, struct fault *fault) {
    return require_faultless(inner.start(self, view, fault), fault);
}

static bool checked_move(void *self, const struct view *view, const struct move *moves,
                         size_t count, struct answer *answer, struct fault *fault) {
    if (!require_faultless(inner.move(self, view, moves, count, answer, fault), fault))
        return false;
    size_t at = 0;
    if (answer->type == ANSWER_MOVE) {
        while (at < count && !move_equal(moves[at], answer->move)) at++;
        fuzz_require(at < count, "a move is one of those that were offered");
    } else {
        fuzz_require(answer->type == ANSWER_TEXT, "a bot gives a move or a text");
        fuzz_require(memchr(answer->text, 0, sizeof answer->text) != NULL, "a text ends");
    }
    return true;
}

static bool checked_observe(void *self, const struct view *view, const struct events *events,
                            struct fault *fault) {
    return require_faultless(inner.observe(self, view, events, fault), fault);
}

static bool checked_finish(void *self, const struct view *view, struct fault *fault) {
    return require_faultless(inner.finish(self, view, fault), fault);
}

/* The other side. */
static bool enemy_move(void *self, const struct view *view, const struct move *moves, size_t count,
                       struct answer *answer, struct fault *fault) {
    (void)view, (void)fault;
    *answer =
        (struct answer){.type = ANSWER_MOVE, .move = moves[random_below(self, (uint32_t)count)]};
    return true;
}

static void require_record(const struct record *record) {
    struct fault fault = {0};
    char *text = record_write(record);
    fuzz_require(text != NULL, "a record can be written");
    struct record *again = record_read(text, strlen(text), &fault);
    fuzz_require(again && !again->damaged, "what was written can be read");
    for (size_t i = 0; i < record->tag_count; i++)
        fuzz_require(utf8_is_safe(record->tags[i].value, strlen(record->tags[i].value)),
                     "a tag can be shown");
    record_free(again);
    free(text);
}

static void play(enum side side, struct random *random) {
    struct player *players[2];
    struct player checked = inner, enemy = {.name = "enemy", .self = random, .move = enemy_move};
    struct setup other;
    struct referee_report report;
    struct fault fault = {0};
    struct record *record = record_new();
    fuzz_require(record && setup_random(process.rules, RED, random, &other, &fault), "an enemy");
    const struct referee_options options = {
        .setups = {[RED] = side == RED ? NULL : &other, [BLUE] = side == RED ? &other : NULL},
        .first = RED,
        .limits = &(struct limits){0, PLIES}};
    checked.setup = checked_setup;
    checked.start = checked_start;
    checked.move = checked_move;
    checked.observe = checked_observe;
    checked.finish = checked_finish;
    players[side] = &checked;
    players[side_other(side)] = &enemy;
    bool played = referee_play(process.rules, players, &options, record, &report, &fault);
    fuzz_require(report.usage[side].fuel_greatest <= SANDBOX_DEFAULTS.fuel, "fuel in its limit");
    if (!played)
        fuzz_require_fault(&fault);
    else if (report.forfeit.status != STATUS_OK)
        fuzz_require_fault(&report.forfeit);
    require_record(record);
    record_free(record);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct fault fault = {0};
    const struct reader reader = {own_size, own_read, NULL};
    const struct finder finder = {own_find, NULL};
    const struct log_sink log = {take_line, NULL};
    struct folders folders = *fuzz_folders();
    struct random random = random_stream(size, STREAM_PLAYOUT, 0);
    memset(&process, 0, sizeof process);
    process.data = data;
    process.size = size;
    uint8_t first = take_byte();
    process.rules = fuzz_rules(first >> 2);
    folders.reader = &reader;
    folders.finder = &finder;
    folders.count = 0; /* no library of set-ups */
    fuzz_require(setup_random(process.rules, RED, &random, &process.setup, &fault), "a set-up");
    const struct player_options options = {.folders = &folders,
                                           .rules = process.rules,
                                           .limits = SANDBOX_DEFAULTS,
                                           .deadline = 1000,
                                           .template = (struct template *)&process,
                                           .log = is_logged() ? &log : NULL,
                                           .catches_up = first & 1};
    if (!player_process(&inner, &options, BOT, &(const struct chance){{1}}, &fault)) {
        fuzz_require_fault(&fault);
        return 0;
    }
    fuzz_require(utf8_is_safe(inner.name, strlen(inner.name)), "a name can be shown");
    play(first & 2 ? BLUE : RED, &random);
    inner.close(inner.self);
    return 0;
}
