/* bot_process.c - the bot's side of the wall.
 *
 * Everything that a bot's script can reach lies in this process, along with the limits of
 * sandbox.h; the cage stops a script that gets past them. The process answers orders until its pipe
 * is closed. It trusts the host, so nothing is checked twice here; the host trusts none of its
 * answers. */
#include "bot_process.h"

#include "bot/bot.h"
#include "bot/pace.h"
#include "channel_files.h"
#include "codec.h"
#include "jail.h"
#include "variant/variant_calls.h"
#include "variant_codec.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Address space beyond the cap of the bot's Lua state: allocator overhead, history, buffers, and
 * the state of the variant's calls, with its gaps and its copy. */
static const size_t SPARE_MEMORY = (size_t)512 << 20;

enum { EXIT_NO_CAGE = CHANNEL_EXIT_LOST + 1, EXIT_NO_MEMORY };

enum { TURNS_TOLD = 16 }; /* that fit into a frame before its last order, at least */

struct child {
    const struct bot_process_work *work;
    struct folders folders;
    struct channel_files files;
    struct bot *bot;
    struct view view;
    struct frame orders, answer;
    struct logbook log;
    struct sandbox_watch watch; /* what the host wishes to see */
    struct move *moves;
    uint16_t *chances; /* as many */
    uint32_t sequence;
    int in, out;
};

size_t bot_process_order_max(const struct rules *rules) {
    /* A bound: the data of all orders together. */
    return 5 * sizeof(uint32_t) + rules->moves_max * sizeof(struct move) +
           sizeof(struct bot_process_table) + sizeof(struct events) + sizeof(struct chance) +
           sizeof(struct bot_process_clock) + FOLDER_PATH_MAX;
}

size_t bot_process_frame_max(const struct rules *rules) {
    return bot_process_order_max(rules) + TURNS_TOLD * sizeof(struct events);
}

size_t bot_process_answer_max(const struct rules *rules, bool wished) {
    return BOT_PROCESS_ANSWER_MAX + rules->moves_max * sizeof(uint16_t) +
           (wished ? LOGBOOK_ROOM + CHANNEL_PROFILE_MAX : 0);
}

static void child_begin_answer(struct child *child, enum bot_process_answer answer) {
    frame_clear(&child->answer);
    frame_put_number(&child->answer, answer);
}

/* Begins an answer with the fuel that the bot's last callback used; 0 without a bot. */
static void child_begin_metered(struct child *child, enum bot_process_answer answer) {
    uint64_t fuel = child->bot ? bot_fuel(child->bot) : 0;
    child_begin_answer(child, answer);
    frame_put(&child->answer, &fuel, sizeof fuel);
}

static void child_send_answer(struct child *child) {
    if (child->watch.log) {
        frame_put_tail(&child->answer, child->log.text, child->log.length);
        logbook_clear(&child->log);
    }
    if (child->answer.broken ||
        channel_send(child->out, &child->answer, child->sequence, CHANNEL_FOREVER) != CHANNEL_OK)
        _exit(CHANNEL_EXIT_LOST);
}

static bool obey_open(struct child *child, struct fault *fault) {
    char path[FOLDER_PATH_MAX];
    struct chance chance;
    frame_take(&child->orders, &chance, sizeof chance);
    uint32_t wishes = frame_take_number(&child->orders);
    frame_take_text(&child->orders, path, sizeof path);
    if (wishes & BOT_PROCESS_LOGS) child->watch.log = &child->log;
    if (wishes & BOT_PROCESS_PROFILES && !(child->watch.profile = profile_new()))
        _exit(EXIT_NO_MEMORY);
    child->folders.watch = &child->watch;
    child->bot = bot_new(&child->folders, path, child->work->limits, &chance, fault);
    if (!child->bot) return false;
    child_begin_answer(child, BOT_PROCESS_OPENED);
    frame_put_number(&child->answer, bot_observes(child->bot));
    frame_put_number(&child->answer, bot_appraises(child->bot));
    frame_put_number(&child->answer, (uint32_t)bot_line(child->bot, true));
    frame_put_number(&child->answer, (uint32_t)bot_line(child->bot, false));
    frame_put_text(&child->answer, bot_name(child->bot));
    return true;
}

static void take_table(struct child *child) {
    struct bot_process_table table;
    frame_take(&child->orders, &table, sizeof table);
    view_start(&child->view, child->work->rules, (enum side)table.side, table.own, table.enemy,
               table.enemy_start, (enum side)table.first, table.limits);
}

static bool obey_setup(struct child *child, struct fault *fault) {
    struct setup setup = {0};
    char name[BOT_SETUP_NAME_MAX];
    take_table(child);
    if (!bot_setup(child->bot, &child->view, &setup, name, fault)) return false;
    child_begin_answer(child, name[0] ? BOT_PROCESS_NAMED : BOT_PROCESS_LAID);
    if (name[0])
        frame_put_text(&child->answer, name);
    else
        frame_put(&child->answer, &setup, sizeof setup);
    return true;
}

static bool obey_turn(struct child *child, enum bot_process_order order, struct fault *fault) {
    struct events events = {.count = (int)frame_take_number(&child->orders)};
    frame_take(&child->orders, events.list, (size_t)events.count * sizeof *events.list);
    if (child->work->rules->sight) frame_take(&child->orders, &events.seen, sizeof events.seen);
    if (order == BOT_PROCESS_TURN) {
        view_turn(&child->view, &events);
    } else {
        child->view.result = events.list[0].result;
        child->view.reason = events.list[0].reason;
    }
    for (int e = 0; e < events.count; e++)
        if (!bot_observe(child->bot, &child->view, &events.list[e], fault)) return false;
    return true;
}

static void obey_clock(struct child *child) {
    struct bot_process_clock clock;
    frame_take(&child->orders, &clock, sizeof clock);
    bot_clock(child->bot, clock.left, clock.increment, pace_fuel(clock.left));
}

static bool obey_move(struct child *child, struct fault *fault) {
    struct bot_answer given;
    uint32_t count = frame_take_number(&child->orders);
    frame_take(&child->orders, child->moves, count * sizeof *child->moves);
    if (!bot_move(child->bot, &child->view, child->moves, count, &given, fault)) return false;
    if (given.is_text) {
        child_begin_metered(child, BOT_PROCESS_WROTE);
        frame_put_text(&child->answer, given.text);
        return true;
    }
    child_begin_metered(child, BOT_PROCESS_CHOSE);
    frame_put_number(&child->answer, (uint32_t)given.chosen);
    return true;
}

static bool obey_spend(struct child *child) {
    child_begin_answer(child, BOT_PROCESS_SPENT);
    frame_put_profile(&child->answer, child->watch.profile);
    profile_clear(child->watch.profile);
    return true;
}

static bool obey_explain(struct child *child, struct fault *fault) {
    struct advice advice;
    uint32_t count = frame_take_number(&child->orders);
    frame_take(&child->orders, child->moves, count * sizeof *child->moves);
    if (!bot_explain(child->bot, &child->view, child->moves, count, &advice, fault)) return false;
    child_begin_answer(child, BOT_PROCESS_EXPLAINED);
    frame_put(&child->answer, &advice, sizeof advice);
    return true;
}

static bool obey_appraise(struct child *child, struct fault *fault) {
    uint32_t count = frame_take_number(&child->orders);
    frame_take(&child->orders, child->moves, count * sizeof *child->moves);
    if (!bot_appraise(child->bot, &child->view, child->moves, count, child->chances, fault))
        return false;
    child_begin_answer(child, BOT_PROCESS_APPRAISED);
    frame_put(&child->answer, child->chances, (count ? count : 1) * sizeof *child->chances);
    return true;
}

static bool child_obey(struct child *child, enum bot_process_order order, struct fault *fault) {
    child_begin_answer(child, BOT_PROCESS_DONE);
    switch (order) {
    case BOT_PROCESS_OPEN:
        return obey_open(child, fault);
    case BOT_PROCESS_SETUP:
        return obey_setup(child, fault);
    case BOT_PROCESS_START:
        take_table(child);
        return bot_start(child->bot, &child->view, fault);
    case BOT_PROCESS_TURN:
    case BOT_PROCESS_STOP:
        return obey_turn(child, order, fault);
    case BOT_PROCESS_CLOCK:
        obey_clock(child);
        return true;
    case BOT_PROCESS_MOVE:
        return obey_move(child, fault);
    case BOT_PROCESS_EXPLAIN:
        return obey_explain(child, fault);
    case BOT_PROCESS_APPRAISE:
        return obey_appraise(child, fault);
    case BOT_PROCESS_FINISH:
        return bot_finish(child->bot, &child->view, fault);
    case BOT_PROCESS_SPEND:
        return obey_spend(child);
    case BOT_PROCESS_FILE:
        break;
    }
    _exit(CHANNEL_EXIT_LOST);
}

static void answer_fault(struct child *child, const struct fault *fault) {
    child_begin_metered(child, BOT_PROCESS_FAILED);
    frame_put_fault(&child->answer, fault);
}

/* Obeys all orders of a frame, even after one failed: a view must not miss a turn. */
static void obey_frame(struct child *child) {
    struct fault first = {0};
    while (child->orders.at < child->orders.length) {
        struct fault fault = {0};
        enum bot_process_order order = (enum bot_process_order)frame_take_number(&child->orders);
        if (!child_obey(child, order, &fault) && first.status == STATUS_OK) first = fault;
        if (!child->bot) break;
    }
    if (first.status != STATUS_OK) answer_fault(child, &first);
    child_send_answer(child);
}

size_t bot_process_memory(struct sandbox_limits limits) {
    return 2 * limits.memory + SPARE_MEMORY; /* free objects leave gaps (lua/object_arena.h) */
}

const char *bot_process_exit_text(int code) {
    if (code == EXIT_NO_MEMORY) return "has no memory";
    return code == EXIT_NO_CAGE ? "could not drop its privileges" : "lost its pipes";
}

static const void *learn(struct frame *told) {
    struct bot_process_work *work = calloc(1, sizeof *work);
    if (!work) return NULL;
    frame_take(told, &work->limits, sizeof work->limits);
    frame_take_text(told, work->folders.scripts, sizeof work->folders.scripts);
    work->rules = variant_take(told, work->folders.scripts, NULL);
    return work->rules ? work : NULL;
}

struct template *bot_process_template(jail_job *run, const struct rules *rules, const char *scripts,
                                      struct sandbox_limits limits, struct fault *fault) {
    struct frame told;
    struct template *template = NULL;
    if (frame_open(&told, TEMPLATE_TOLD_MAX)) {
        frame_put(&told, &limits, sizeof limits);
        frame_put_text(&told, scripts);
        variant_put(&told, rules);
    }
    if (told.bytes && !told.broken)
        template = template_open((struct template_work){run, learn}, &told, fault);
    else
        fault_set(fault, STATUS_NO_MEMORY, "no memory to start processes for bots");
    frame_close(&told);
    return template;
}

void bot_process_run(const void *known, int in, int out) {
    const struct bot_process_work *work = known;
    struct child *child = calloc(1, sizeof *child);
    if (!child) _exit(EXIT_NO_MEMORY);
    child->work = work;
    child->folders = work->folders;
    child->folders.reader = &child->files.reader;
    child->in = in;
    child->out = out;
    child->moves = malloc(work->rules->moves_max * sizeof *child->moves);
    child->chances = malloc(work->rules->moves_max * sizeof *child->chances);
    if (!child->moves || !child->chances ||
        !frame_open(&child->orders, bot_process_frame_max(work->rules)) ||
        !frame_open(&child->answer, bot_process_answer_max(work->rules, true)) ||
        !channel_files_open(&child->files, in, out, BOT_PROCESS_ASKS, BOT_PROCESS_FILE,
                            &child->sequence))
        _exit(EXIT_NO_MEMORY);
    if (!jail_lock(bot_process_memory(work->limits))) _exit(EXIT_NO_CAGE);
    for (;;) {
        child->sequence = 0;
        if (channel_receive(in, &child->orders, &child->sequence, CHANNEL_FOREVER) != CHANNEL_OK)
            break;
        obey_frame(child);
    }
    _exit(EXIT_SUCCESS);
}
