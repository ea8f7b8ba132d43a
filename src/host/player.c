/* player.c - opens the player that a text names, and runs a Lua bot in this process through bot.h.
 */
#include "player.h"

#include "base/words.h"
#include "bot/bot.h"
#include "host/program/player_json.h"
#include "host/program/player_ucc.h"
#include "host/setups/setup_library.h"
#include "host/wall/player_child.h"

#include <stdlib.h>
#include <string.h>

struct player_bot {
    struct bot *bot;
    const struct folders *folders;
    char path[FOLDER_PATH_MAX];
};

static bool player_setup(void *player, const struct view *view, struct setup *setup,
                         struct fault *fault) {
    struct player_bot *self = player;
    char name[BOT_SETUP_NAME_MAX];
    return bot_setup(self->bot, view, setup, name, fault) &&
           (!name[0] ||
            setup_library_answer(self->folders, view->rules, name, self->path, setup, fault));
}

static void player_clock(void *player, const struct view *view, const struct game_clock *clock) {
    struct player_bot *self = player;
    const int64_t left = clock->left[view->side];
    bot_clock(self->bot, left, clock->increment, pace_fuel(left));
}

static bool player_start(void *player, const struct view *view, struct fault *fault) {
    struct player_bot *self = player;
    return bot_start(self->bot, view, fault);
}

static bool player_move(void *player, const struct view *view, const struct move *moves,
                        size_t count, struct answer *answer, struct fault *fault) {
    struct player_bot *self = player;
    struct bot_answer given;
    bool moved = bot_move(self->bot, view, moves, count, &given, fault);
    answer->fuel = bot_fuel(self->bot);
    if (!moved) return false;
    answer->type = given.is_text ? ANSWER_TEXT : ANSWER_MOVE;
    if (given.is_text)
        memcpy(answer->text, given.text, sizeof answer->text);
    else
        answer->move = moves[given.chosen];
    return true;
}

static bool player_observe(void *player, const struct view *view, const struct events *events,
                           struct fault *fault) {
    struct player_bot *self = player;
    for (int e = 0; e < events->count; e++)
        if (!bot_observe(self->bot, view, &events->list[e], fault)) return false;
    return true;
}

static bool player_finish(void *player, const struct view *view, struct fault *fault) {
    struct player_bot *self = player;
    return bot_finish(self->bot, view, fault);
}

static void player_close(void *player) {
    struct player_bot *self = player;
    bot_free(self->bot);
    free(self);
}

bool player_bot(struct player *player, const struct folders *folders, const char *name,
                struct sandbox_limits limits, const struct chance *chance, struct fault *fault) {
    struct player_bot *self = calloc(1, sizeof *self);
    if (!self) return fault_set(fault, STATUS_NO_MEMORY, "out of memory");
    self->folders = folders;
    if (folders_resolve(folders, FOLDER_BOTS, name, self->path, fault))
        self->bot = bot_new(folders, self->path, limits, chance, fault);
    if (!self->bot) {
        free(self);
        return false;
    }
    *player = (struct player){.name = bot_name(self->bot),
                              .self = self,
                              .metered = true,
                              .setup = player_setup,
                              .clock = player_clock,
                              .start = player_start,
                              .move = player_move,
                              .observe = player_observe,
                              .finish = player_finish,
                              .close = player_close};
    return true;
}

/* A protocol for external programs, named before the program's command. */
struct protocol {
    const char *prefix;
    bool is_unaware; /* of the repetition rules */
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

static const struct protocol PROTOCOLS[] = {{"ucc:", true, open_ucc}, {"json:", false, open_json}};

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

static bool open_program(struct player *player, const struct player_options *options,
                         const char *text, const struct chance *chance,
                         const struct protocol *protocol, size_t label_length,
                         struct fault *fault) {
    char label[WORD_GUESS_MAX] = "";
    struct program_options program = {.deadline = options->deadline, .confines = options->programs};
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
    if (options->nursery) return player_child(player, options, text, chance, fault);
    return player_bot(player, options->folders, text, options->limits, chance, fault);
}
