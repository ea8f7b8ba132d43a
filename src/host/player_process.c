/* player_process.c - the host's side of a bot in its own process.
 *
 * Turns the referee's questions into frames and checks every answer before it is used; a process
 * that breaks the protocol is ended at once and stays ended. For a bot without `observe` turns are
 * queued until the next question, so that a turn costs one frame each way. The queue is also sent
 * when the largest order might not fit behind it, as in a long game that is continued.
 *
 * A process killed or stopped from outside is no player's fault. It is replaced if it had not
 * answered any frame yet, or if the options ask for it: then the new process gets every frame that
 * the old one answered, without the questions for moves. A crash may be a signal from outside, too:
 * a bot is the same each time, so it is asked again, and blamed if it crashes TEMPLATE_TRIES times.
 */
#include "player_process.h"

#include "base/buffer.h"
#include "base/clock.h"
#include "base/utf8.h"
#include "base/words.h"
#include "host/setups/setup_library.h"
#include "jail/bot_process.h"
#include "jail/channel_files.h"
#include "jail/codec.h"
#include "jail/exchange.h"
#include "jail/jail.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    PAST_MAX = 64 << 20 /* bytes of all frames of a game */
};

struct player_process {
    struct template *template;
    const struct reader *reader; /* of the bot's files */
    struct locked_process process;
    struct channel_watch watch; /* of the process */
    bool ended;
    struct fault end;  /* why, once it has */
    int deadline;      /* milliseconds */
    uint64_t fuel_max; /* of a callback, or left on the clock */
    uint64_t fuel;     /* of the last one whose answer tells it */
    uint32_t sequence; /* of the last frame sent */
    struct random numbers;
    bool opened;
    bool observes, appraises;
    bool heard; /* the process has sent a frame */
    struct frame orders, answer;
    uint32_t wishes; /* set of enum bot_process_wish */
    struct log log;
    uint32_t ply;            /* that its lines are about */
    size_t said_length;      /* of what the last answer brought for the log */
    char said[LOGBOOK_ROOM]; /* not checked yet */
    size_t question;         /* bytes at the end of `orders` that a replacement need not get */
    bool told;               /* this process or one before it answered a frame */
    bool catches_up;         /* a replacement gets `past` */
    bool spares_crash;       /* the game will be played again */
    int crashes;             /* at the question at hand */
    struct buffer past;      /* answered frames, each behind its length */
    char name[TITLE_MAX];
    char path[FOLDER_PATH_MAX];
    int line[2]; /* of `setup` and `move` */
    const struct folders *folders;
};

/* Whether a crash is not blamed on the bot yet. */
static bool is_spared(struct player_process *self) {
    const bool last = ++self->crashes >= TEMPLATE_TRIES;
    return self->spares_crash || (!last && (self->catches_up || !self->told));
}

/* The process has been ended: says why. Always false. */
static bool child_end(struct player_process *self, const struct ending *ending,
                      const char *callback, struct fault *fault) {
    enum status status = ending_status(ending);
    self->ended = true;
    if (ending->kind == ENDING_ORPHAN) {
        fault_set(&self->end, STATUS_KILLED, "the process that starts bots was killed or stopped");
    } else if (ending->kind == ENDING_EXIT && !self->heard) {
        /* It had not asked for its bot's file yet, so no bot can fake this. */
        fault_set(&self->end, STATUS_SYSTEM, "a process for a bot cannot be locked up: it %s",
                  bot_process_exit_text(WEXITSTATUS(ending->status)));
    } else {
        if (ending->kind == ENDING_SIGNAL && is_spared(self)) status = STATUS_KILLED;
        fault_set(&self->end, status, "in %s: its process %s", callback, ending->how);
        fault_place(&self->end, self->path, 0, 0);
    }
    *fault = self->end;
    return false;
}

/* Ends a process that gave no answer. Always false. */
static bool child_end_for(struct player_process *self, enum channel_result why,
                          const char *callback, struct fault *fault) {
    const struct ending ending = exchange_end(&self->process, why, self->deadline);
    return child_end(self, &ending, callback, fault);
}

/* Ends a process that did `what`. Always false. */
static bool child_refuse(struct player_process *self, const char *callback, const char *what,
                         struct fault *fault) {
    const struct ending ending = exchange_refuse(&self->process, ENDING_MISDEED, what);
    return child_end(self, &ending, callback, fault);
}

/* Sends the file that the answer at hand asks for. */
static bool serve_file(struct player_process *self, const char *callback, int64_t deadline,
                       struct fault *fault) {
    char path[FOLDER_PATH_MAX];
    frame_take_text(&self->answer, path, sizeof path);
    if (self->answer.broken || !channel_files_may_read(path, self->folders->scripts, self->path))
        return child_refuse(self, callback, "asked for a file that is not its own", fault);
    enum channel_result result =
        channel_files_send(self->process.to, self->reader, path, BOT_PROCESS_FILE, self->sequence,
                           deadline, &self->watch);
    return result == CHANNEL_OK || child_end_for(self, result, callback, fault);
}

/* Takes the fuel of a callback, which a process that lies may put too high. */
static void child_take_fuel(struct player_process *self) {
    uint64_t fuel;
    frame_take(&self->answer, &fuel, sizeof fuel);
    self->fuel = fuel < self->fuel_max ? fuel : self->fuel_max;
}

/* A fault sent by the process, which cannot know of a failure of the host. */
static bool child_take_fault(struct player_process *self, const char *callback,
                             struct fault *fault) {
    child_take_fuel(self);
    bool told = frame_take_fault(&self->answer, fault);
    if (!told || status_exit_code(fault->status) == 3 || fault->status == STATUS_CRASH)
        return child_refuse(self, callback, "sent an answer that makes no sense", fault);
    /* Reports quote the lines around a place, so it must be a file that the process may read. */
    if (fault->file[0] &&
        !channel_files_may_show(fault->file, self->folders->scripts, self->path)) {
        fault->line = fault->column = 0;
        fault_place(fault, self->path, 0, 0);
    }
    return false;
}

/* Never 0. Cannot be predicted, so an answer sent before its question has a wrong number. */
static uint32_t next_number(struct player_process *self) {
    return (uint32_t)random_next(&self->numbers) | 1;
}

/* Sends a frame, serves files and waits for the answer. */
static bool child_exchange(struct player_process *self, struct frame *frame, const char *callback,
                           enum bot_process_answer *given, struct fault *fault) {
    const int64_t deadline = clock_ms() + self->deadline;
    self->watch.held_up = 0;
    const uint32_t sequence = self->sequence = next_number(self);
    for (;; frame = NULL) {
        enum channel_result result =
            exchange(&self->process, frame, &self->answer, sequence, deadline);
        if (result != CHANNEL_OK) return child_end_for(self, result, callback, fault);
        self->heard = true;
        *given = (enum bot_process_answer)frame_take_number(&self->answer);
        if (*given != BOT_PROCESS_ASKS) {
            if (self->wishes & BOT_PROCESS_LOGS)
                self->said_length = frame_take_tail(&self->answer, self->said, sizeof self->said);
            return true;
        }
        if (!serve_file(self, callback, deadline, fault)) return false;
    }
}

/* Keeps the frame just answered for a replacement. */
static bool past_add(struct player_process *self, struct fault *fault) {
    uint32_t length = (uint32_t)(self->orders.length - self->question);
    self->told = true;
    if (!self->catches_up || !length) return true;
    return (buffer_reserve(&self->past, sizeof length + length) &&
            buffer_add(&self->past, &length, sizeof length) &&
            buffer_add(&self->past, self->orders.bytes + CHANNEL_HEADER, length)) ||
           fault_set(fault, STATUS_NO_MEMORY, "no memory for a bot's history");
}

static bool child_can_be_replaced(const struct player_process *self) {
    const atomic_bool *give_up = self->watch.give_up;
    return self->ended && self->end.status == STATUS_KILLED && (self->catches_up || !self->told) &&
           !(give_up && atomic_load(give_up));
}

static bool child_take(struct player_process *self, struct fault *fault) {
    self->ended = !template_take(self->template, &self->process, fault);
    self->watch.pid = self->process.pid;
    return !self->ended;
}

/* Opens a frame that the process is sent, or answers with. */
static bool child_frame(struct player_process *self, struct frame *frame, size_t room) {
    bool opened = frame_open(frame, room);
    frame->watch = &self->watch;
    return opened;
}

/* Replaces a process that was killed and sends the new one all earlier frames, whose answers are
 * known. */
static bool child_replace(struct player_process *self, const char *callback, struct fault *fault) {
    if (!child_take(self, fault)) {
        self->end = *fault;
        return false;
    }
    self->heard = false;
    struct frame frame;
    bool told = child_frame(self, &frame, self->orders.room) ||
                fault_set(fault, STATUS_NO_MEMORY, "out of memory");
    for (size_t at = 0; told && at < self->past.length;) {
        enum bot_process_answer given;
        uint32_t length;
        memcpy(&length, self->past.text + at, sizeof length);
        frame_clear(&frame);
        frame_put(&frame, self->past.text + at + sizeof length, length);
        at += sizeof length + length;
        told = child_exchange(self, &frame, callback, &given, fault);
    }
    frame_close(&frame);
    return told;
}

/* Sends the queued orders and waits for the answer, whose type, `*given`, must be `first` or
 * `second`. */
static bool child_ask(struct player_process *self, const char *callback,
                      enum bot_process_answer first, enum bot_process_answer second,
                      enum bot_process_answer *given, struct fault *fault) {
    if (self->ended) {
        *fault = self->end;
        return false;
    }
    if (self->orders.broken) {
        const struct ending ending = exchange_refuse(&self->process, ENDING_HOST,
                                                     "cannot be sent an order larger than a frame");
        return child_end(self, &ending, callback, fault);
    }
    bool answered = child_exchange(self, &self->orders, callback, given, fault);
    for (int tries = 1; !answered && tries < TEMPLATE_TRIES && child_can_be_replaced(self);
         tries++) {
        answered = child_replace(self, callback, fault) &&
                   child_exchange(self, &self->orders, callback, given, fault);
        if (answered) *fault = (struct fault){0};
    }
    if (answered) self->crashes = 0;
    if (answered && !past_add(self, fault)) return false;
    if (answered && !self->answer.broken && self->said_length)
        log_tell(&self->log, self->ply, self->opened ? callback : "load", self->said,
                 self->said_length);
    frame_clear(&self->orders);
    self->question = 0;
    if (!answered) return false;
    if (*given == BOT_PROCESS_FAILED && !self->answer.broken)
        return child_take_fault(self, callback, fault);
    if (self->answer.broken || (*given != first && *given != second))
        return child_refuse(self, callback, "sent an answer that makes no sense", fault);
    return true;
}

static bool ask_done(struct player_process *self, const char *callback, struct fault *fault) {
    enum bot_process_answer given;
    return child_ask(self, callback, BOT_PROCESS_DONE, BOT_PROCESS_DONE, &given, fault);
}

static void put_table(struct player_process *self, const struct view *view) {
    /* Set every byte: padding travels too. */
    struct bot_process_table table;
    enum side enemy = side_other((enum side)view->side);
    memset(&table, 0, sizeof table);
    table.side = view->side;
    table.first = view->to_move;
    table.limits = view->limits;
    memcpy(table.enemy_start, view->start[enemy], sizeof table.enemy_start);
    for (int i = 0; i < view->count; i++) {
        const struct view_piece *piece = &view->piece[i];
        if (piece->side == enemy) {
            if (piece->at != SQUARE_NONE) table.enemy |= squareset_of(piece->at);
            if (!view->rules->open) continue;
        }
        table.own[piece->at] = cell_of((enum side)piece->side, piece->kind);
    }
    frame_put(&self->orders, &table, sizeof table);
}

static void bot_process_clock(void *player, const struct view *view,
                              const struct game_clock *clock) {
    struct player_process *self = player;
    const struct bot_process_clock own = {clock->left[view->side], clock->increment};
    self->fuel_max = pace_fuel(own.left);
    frame_put_number(&self->orders, BOT_PROCESS_CLOCK);
    frame_put(&self->orders, &own, sizeof own);
}

static bool child_setup(void *player, const struct view *view, struct setup *setup,
                        struct fault *fault) {
    struct player_process *self = player;
    enum bot_process_answer given;
    frame_put_number(&self->orders, BOT_PROCESS_SETUP);
    put_table(self, view);
    self->ply = 0;
    if (!child_ask(self, "setup", BOT_PROCESS_LAID, BOT_PROCESS_NAMED, &given, fault)) return false;
    bool sound = true;
    if (given == BOT_PROCESS_NAMED) {
        char name[LIBRARY_NAME_MAX];
        frame_take_text(&self->answer, name, sizeof name);
        sound = !self->answer.broken && word_is_name(name);
        if (sound)
            return setup_library_answer(self->folders, view->rules, (enum side)view->side, name,
                                        self->path, setup, fault);
    } else {
        frame_take(&self->answer, setup, sizeof *setup);
        sound = !self->answer.broken;
    }
    for (int at = 0; sound && at < BOARD_SQUARES_MAX; at++)
        sound = setup->at[at] <= view->rules->kinds;
    return sound || child_refuse(self, "setup", "sent an answer that makes no sense", fault);
}

static bool child_start(void *player, const struct view *view, struct fault *fault) {
    struct player_process *self = player;
    self->ply = view->plies;
    frame_put_number(&self->orders, BOT_PROCESS_START);
    put_table(self, view);
    return ask_done(self, "start", fault);
}

/* An order with the legal moves, which a replacement need not get. */
static void put_question(struct player_process *self, enum bot_process_order order,
                         const struct move *moves, size_t count) {
    size_t before = self->orders.length;
    frame_put_number(&self->orders, order);
    frame_put_number(&self->orders, (uint32_t)count);
    frame_put(&self->orders, moves, count * sizeof *moves);
    self->question = self->orders.length - before;
}

static bool child_move(void *player, const struct view *view, const struct move *moves,
                       size_t count, struct answer *answer, struct fault *fault) {
    struct player_process *self = player;
    enum bot_process_answer given;
    self->ply = view->plies + 1;
    put_question(self, BOT_PROCESS_MOVE, moves, count);
    self->fuel = 0; /* of a process that is killed */
    bool answered = child_ask(self, "move", BOT_PROCESS_CHOSE, BOT_PROCESS_WROTE, &given, fault);
    if (answered) child_take_fuel(self);
    answer->fuel = self->fuel;
    if (!answered) return false;
    if (given == BOT_PROCESS_WROTE) {
        answer->type = ANSWER_TEXT;
        frame_take_text(&self->answer, answer->text, sizeof answer->text);
        if (!self->answer.broken) return true;
    } else {
        uint32_t chosen = frame_take_number(&self->answer);
        answer->type = ANSWER_MOVE;
        if (!self->answer.broken && chosen < count) {
            answer->move = moves[chosen];
            return true;
        }
    }
    return child_refuse(self, "move", "sent an answer that makes no sense", fault);
}

static bool child_explain(void *player, const struct view *view, const struct move *moves,
                          size_t count, struct advice *advice, struct fault *fault) {
    struct player_process *self = player;
    enum bot_process_answer given;
    (void)view;
    put_question(self, BOT_PROCESS_EXPLAIN, moves, count);
    *advice = (struct advice){0};
    if (!child_ask(self, "explain", BOT_PROCESS_EXPLAINED, BOT_PROCESS_EXPLAINED, &given, fault))
        return false;
    struct advice told;
    frame_take(&self->answer, &told, sizeof told);
    bool sound = !self->answer.broken && told.count >= 0 && told.count <= ADVICE_MAX;
    for (int i = 0; sound && i < told.count; i++) sound = candidate_is_sound(&told.list[i], count);
    if (sound) *advice = told;
    return sound || child_refuse(self, "explain", "sent an answer that makes no sense", fault);
}

static bool child_appraise(void *player, const struct view *view, const struct move *moves,
                           size_t count, uint16_t *chances, struct fault *fault) {
    struct player_process *self = player;
    enum bot_process_answer given;
    const size_t asked = count ? count : 1;
    self->ply = view->plies;
    put_question(self, BOT_PROCESS_APPRAISE, moves, count);
    if (!child_ask(self, "appraise", BOT_PROCESS_APPRAISED, BOT_PROCESS_APPRAISED, &given, fault))
        return false;
    frame_take(&self->answer, chances, asked * sizeof *chances);
    bool sound = !self->answer.broken;
    for (size_t i = 0; sound && i < asked; i++) sound = chances[i] <= APPRAISAL_CERTAIN;
    return sound || child_refuse(self, "appraise", "sent an answer that makes no sense", fault);
}

static bool child_observe(void *player, const struct view *view, const struct events *events,
                          struct fault *fault) {
    struct player_process *self = player;
    self->ply = view->plies;
    /* A turn cannot begin with the end of the game. */
    frame_put_number(&self->orders,
                     events->list[0].type == EVENT_END ? BOT_PROCESS_STOP : BOT_PROCESS_TURN);
    frame_put_number(&self->orders, (uint32_t)events->count);
    frame_put(&self->orders, events->list, (size_t)events->count * sizeof *events->list);
    if (view->rules->sight) frame_put(&self->orders, &events->seen, sizeof events->seen);
    bool full = self->orders.room - self->orders.length < bot_process_order_max(view->rules);
    return !(self->observes || full) || ask_done(self, "observe", fault);
}

static bool child_finish(void *player, const struct view *view, struct fault *fault) {
    struct player_process *self = player;
    self->ply = view->plies;
    frame_put_number(&self->orders, BOT_PROCESS_FINISH);
    return ask_done(self, "finish", fault);
}

static bool child_may_read(const void *context, const char *path) {
    const struct player_process *self = context;
    return channel_files_may_read(path, self->folders->scripts, self->path);
}

static bool child_spent(void *player, struct profile *profile, struct fault *fault) {
    struct player_process *self = player;
    enum bot_process_answer given;
    frame_put_number(&self->orders, BOT_PROCESS_SPEND);
    return child_ask(self, "the profile", BOT_PROCESS_SPENT, BOT_PROCESS_SPENT, &given, fault) &&
           (frame_take_profile(&self->answer, profile, child_may_read, self) ||
            child_refuse(self, "the profile", "sent an answer that makes no sense", fault));
}

static void child_close(void *player) {
    struct player_process *self = player;
    if (!self->ended) locked_process_end(&self->process);
    frame_close(&self->orders);
    frame_close(&self->answer);
    buffer_clear(&self->past);
    free(self);
}

/* A line of the bot's file, as far as it can be one. */
static int take_line(struct frame *frame) {
    const uint32_t line = frame_take_number(frame);
    return line <= READER_FILE_MAX ? (int)line : 0;
}

/* Has the process load its bot, and learns the bot's name. */
static bool open_bot(struct player_process *self, const struct chance *chance,
                     struct fault *fault) {
    enum bot_process_answer given;
    frame_put_number(&self->orders, BOT_PROCESS_OPEN);
    frame_put(&self->orders, chance, sizeof *chance);
    frame_put_number(&self->orders, self->wishes);
    frame_put_text(&self->orders, self->path);
    if (!child_ask(self, "its file", BOT_PROCESS_OPENED, BOT_PROCESS_OPENED, &given, fault))
        return false;
    self->opened = true;
    self->observes = frame_take_number(&self->answer) != 0;
    self->appraises = frame_take_number(&self->answer) != 0;
    for (int i = 0; i < 2; i++) self->line[i] = take_line(&self->answer);
    frame_take_text(&self->answer, self->name, sizeof self->name);
    utf8_make_safe(self->name);
    if (!self->answer.broken) return true;
    return child_refuse(self, "its file", "sent an answer that makes no sense", fault);
}

struct template *player_template(const struct player_options *options, struct fault *fault) {
    if (!jail_fits(bot_process_memory(options->limits), fault)) return NULL;
    return bot_process_template(bot_process_run, options->rules, options->folders->scripts,
                                options->limits, fault);
}

bool player_process(struct player *player, const struct player_options *options, const char *name,
                    const struct chance *chance, struct fault *fault) {
    struct fault local = {0};
    struct player_process *self = calloc(1, sizeof *self);
    if (!fault) fault = &local;
    if (!self) return fault_set(fault, STATUS_NO_MEMORY, "out of memory");
    self->template = options->template;
    self->reader = folders_reader(options->folders);
    self->deadline = options->deadline;
    self->fuel_max = options->limits.fuel;
    self->catches_up = options->catches_up;
    self->spares_crash = options->spares_crash;
    self->watch.give_up = options->give_up;
    self->past = buffer_of(PAST_MAX);
    self->log.sink = options->log;
    self->wishes =
        (options->log ? BOT_PROCESS_LOGS : 0) | (options->profiles ? BOT_PROCESS_PROFILES : 0);
    self->ended = true; /* until there is a process */
    if (getrandom(&self->numbers, sizeof self->numbers, 0) != sizeof self->numbers)
        self->numbers = random_stream((uint64_t)clock_ms(), STREAM_PLAYOUT, 0);
    self->folders = options->folders;
    if (!child_frame(self, &self->orders, bot_process_frame_max(options->rules)) ||
        !child_frame(self, &self->answer, bot_process_answer_max(options->rules, self->wishes))) {
        fault_set(fault, STATUS_NO_MEMORY, "out of memory");
    } else if (folders_resolve(options->folders, FOLDER_BOTS, name, self->path, fault) &&
               child_take(self, fault)) {
        if (open_bot(self, chance, fault)) {
            *player = (struct player){.name = self->name,
                                      .self = self,
                                      .file = self->path,
                                      .setup_line = self->line[0],
                                      .move_line = self->line[1],
                                      .metered = true,
                                      .setup = child_setup,
                                      .clock = bot_process_clock,
                                      .start = child_start,
                                      .move = child_move,
                                      .explain = child_explain,
                                      .appraise = self->appraises ? child_appraise : NULL,
                                      .observe = child_observe,
                                      .finish = child_finish,
                                      .spent = options->profiles ? child_spent : NULL,
                                      .close = child_close};
            return true;
        }
    }
    child_close(self);
    return false;
}
