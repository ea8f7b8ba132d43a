/* players.c - opens the player that a text names, and runs a Lua bot in this process through bot.h.
 */
#include "players.h"

#include "base/words.h"
#include "bot/bot.h"
#include "host/player_process.h"
#include "host/program/player_json.h"
#include "host/program/player_ucc.h"
#include "host/program/ucc_text.h"
#include "host/setups/setup_library.h"
#include "lua/logbook.h"
#include "lua/profile.h"

#include <stdlib.h>
#include <string.h>

struct player_bot {
    struct bot *bot;
    struct folders folders;
    char path[FOLDER_PATH_MAX];
    struct logbook book;
    struct log log;
    struct sandbox_watch watch;
};

/* Passes on what the bot has printed. Returns `done`. */
static bool player_said(struct player_bot *self, uint32_t ply, const char *callback, bool done) {
    if (self->watch.log) log_tell(&self->log, ply, callback, self->book.text, self->book.length);
    logbook_clear(&self->book);
    return done;
}

static bool player_setup(void *player, const struct view *view, struct setup *setup,
                         struct fault *fault) {
    struct player_bot *self = player;
    char name[BOT_SETUP_NAME_MAX];
    bool laid = bot_setup(self->bot, view, setup, name, fault);
    return player_said(self, 0, "setup", laid) &&
           (!name[0] || setup_library_answer(&self->folders, view->rules, (enum side)view->side,
                                             name, self->path, setup, fault));
}

static void player_clock(void *player, const struct view *view, const struct game_clock *clock) {
    struct player_bot *self = player;
    const int64_t left = clock->left[view->side];
    bot_clock(self->bot, left, clock->increment, pace_fuel(left));
}

static bool player_start(void *player, const struct view *view, struct fault *fault) {
    struct player_bot *self = player;
    return player_said(self, view->plies, "start", bot_start(self->bot, view, fault));
}

static bool player_move(void *player, const struct view *view, const struct move *moves,
                        size_t count, struct answer *answer, struct fault *fault) {
    struct player_bot *self = player;
    struct bot_answer given;
    bool moved = bot_move(self->bot, view, moves, count, &given, fault);
    answer->fuel = bot_fuel(self->bot);
    player_said(self, view->plies + 1, "move", moved);
    if (!moved) return false;
    answer->type = given.is_text ? ANSWER_TEXT : ANSWER_MOVE;
    if (given.is_text)
        memcpy(answer->text, given.text, sizeof answer->text);
    else
        answer->move = moves[given.chosen];
    return true;
}

static bool player_explain(void *player, const struct view *view, const struct move *moves,
                           size_t count, struct advice *advice, struct fault *fault) {
    struct player_bot *self = player;
    return bot_explain(self->bot, view, moves, count, advice, fault);
}

static bool player_appraise(void *player, const struct view *view, const struct move *moves,
                            size_t count, uint16_t *chances, struct fault *fault) {
    struct player_bot *self = player;
    return player_said(self, view->plies, "appraise",
                       bot_appraise(self->bot, view, moves, count, chances, fault));
}

static bool player_observe(void *player, const struct view *view, const struct events *events,
                           struct fault *fault) {
    struct player_bot *self = player;
    bool observed = true;
    for (int e = 0; e < events->count && observed; e++)
        observed = bot_observe(self->bot, view, &events->list[e], fault);
    return player_said(self, view->plies, "observe", observed);
}

static bool player_finish(void *player, const struct view *view, struct fault *fault) {
    struct player_bot *self = player;
    return player_said(self, view->plies, "finish", bot_finish(self->bot, view, fault));
}

static bool player_spent(void *player, struct profile *profile, struct fault *fault) {
    const struct player_bot *self = player;
    struct profile_line lines[PROFILE_SHOWN_MAX];
    (void)fault;
    size_t count = profile_greatest(self->watch.profile, lines, PROFILE_SHOWN_MAX);
    uint64_t rest = profile_total(self->watch.profile);
    for (size_t i = 0; i < count; i++) {
        profile_add(profile, lines[i].file, lines[i].line, lines[i].fuel);
        rest -= lines[i].fuel;
    }
    profile_add(profile, NULL, 0, rest);
    profile_clear(self->watch.profile);
    return true;
}

static void player_close(void *player) {
    struct player_bot *self = player;
    bot_free(self->bot);
    profile_free(self->watch.profile);
    free(self);
}

bool player_bot(struct player *player, const struct player_options *options, const char *name,
                const struct chance *chance, struct fault *fault) {
    struct player_bot *self = calloc(1, sizeof *self);
    if (!self) return fault_set(fault, STATUS_NO_MEMORY, "out of memory");
    self->folders = *options->folders;
    self->folders.watch = &self->watch;
    self->log.sink = options->log;
    if (options->log) self->watch.log = &self->book;
    if (options->profiles && !(self->watch.profile = profile_new()))
        fault_set(fault, STATUS_NO_MEMORY, "out of memory");
    else if (folders_resolve(options->folders, FOLDER_BOTS, name, self->path, fault))
        self->bot = bot_new(&self->folders, self->path, options->limits, chance, fault);
    player_said(self, 0, "load", true);
    if (!self->bot) {
        player_close(self);
        return false;
    }
    *player = (struct player){.name = bot_name(self->bot),
                              .self = self,
                              .file = self->path,
                              .setup_line = bot_line(self->bot, true),
                              .move_line = bot_line(self->bot, false),
                              .metered = true,
                              .setup = player_setup,
                              .clock = player_clock,
                              .start = player_start,
                              .move = player_move,
                              .explain = player_explain,
                              .appraise = bot_appraises(self->bot) ? player_appraise : NULL,
                              .observe = player_observe,
                              .finish = player_finish,
                              .spent = options->profiles ? player_spent : NULL,
                              .close = player_close};
    return true;
}

/* A protocol for external programs, named before the program's command. */
struct protocol {
    const char *prefix;
    bool is_unaware; /* of the repetition rules */
    bool has_seed;   /* tells a program the seed of its chance */
    bool (*fits)(const struct rules *rules, struct fault *fault); /* NULL: every variant does */
    bool (*open)(struct player *player, const struct player_options *options, const char *command,
                 const struct chance *chance, const struct program_options *program,
                 struct fault *fault);
};

static bool open_ucc(struct player *player, const struct player_options *options,
                     const char *command, const struct chance *chance,
                     const struct program_options *program, struct fault *fault) {
    (void)chance;
    const struct ucc_options ucc = {options->rules, options->opponent, *program};
    return player_ucc(player, command, &ucc, fault);
}

static bool open_json(struct player *player, const struct player_options *options,
                      const char *command, const struct chance *chance,
                      const struct program_options *program, struct fault *fault) {
    const struct json_options json = {options->rules, options->folders, options->opponent, chance,
                                      *program};
    return player_json(player, command, &json, fault);
}

static const struct protocol PROTOCOLS[] = {{"ucc:", true, false, ucc_fits, open_ucc},
                                            {"json:", false, true, NULL, open_json}};

static const struct protocol *protocol_at(const char *text) {
    for (size_t i = 0; i < sizeof PROTOCOLS / sizeof *PROTOCOLS; i++)
        if (!strncmp(text, PROTOCOLS[i].prefix, strlen(PROTOCOLS[i].prefix))) return &PROTOCOLS[i];
    return NULL;
}

/* Finds the protocol in "[LABEL=]PROTOCOL:COMMAND". NULL if it is another player. */
static const struct protocol *find_protocol(const char *text, size_t *label_length) {
    const struct protocol *protocol = protocol_at(text);
    const char *equals = protocol ? NULL : strchr(text, '=');
    if (equals) protocol = protocol_at(equals + 1);
    *label_length = equals ? (size_t)(equals - text) : 0;
    return protocol;
}

bool player_is_program(const char *text) {
    size_t label_length;
    return find_protocol(text, &label_length);
}

bool player_is_unaware(const char *text, const struct rules *rules) {
    size_t label_length;
    const struct protocol *protocol = find_protocol(text, &label_length);
    return protocol && protocol->is_unaware && (rules->two_squares || rules->chase);
}

bool player_fits(const char *text, const struct rules *rules, struct fault *fault) {
    size_t label_length;
    const struct protocol *protocol = find_protocol(text, &label_length);
    return !protocol || !protocol->fits || protocol->fits(rules, fault);
}

bool player_has_seed(const char *text) {
    size_t label_length;
    const struct protocol *protocol = find_protocol(text, &label_length);
    return !protocol || protocol->has_seed;
}

static bool open_program(struct player *player, const struct player_options *options,
                         const char *text, const struct chance *chance,
                         const struct protocol *protocol, size_t label_length,
                         struct fault *fault) {
    char label[WORD_GUESS_MAX] = "";
    struct program_options program = {.deadline = options->deadline,
                                      .confines = options->programs,
                                      .log = options->log,
                                      .probe = options->probe};
    const char *command = text + strlen(protocol->prefix);
    if (text[label_length] == '=') {
        if (label_length < sizeof label) memcpy(label, text, label_length);
        if (!word_is_name(label))
            return fault_set(fault, STATUS_USAGE,
                             "the name in front of \"=%s\" is \"%.*s\", expected up to %d letters, "
                             "digits, '-' and '_'",
                             protocol->prefix, (int)label_length, text, WORD_GUESS_MAX - 1);
        program.label = label;
        command += label_length + 1;
    }
    return protocol->open(player, options, command, chance, &program, fault);
}

bool player_open(struct player *player, const struct player_options *options, const char *text,
                 const struct chance *chance, struct fault *fault) {
    size_t label_length;
    const struct protocol *protocol = find_protocol(text, &label_length);
    if (protocol) return open_program(player, options, text, chance, protocol, label_length, fault);
    if (options->template) return player_process(player, options, text, chance, fault);
    return player_bot(player, options, text, chance, fault);
}
