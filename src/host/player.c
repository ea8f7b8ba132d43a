/* player.c - opens the player that a text names, and runs a Lua bot in this process through bot.h.
 */
#include "player.h"

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
                              .start = player_start,
                              .move = player_move,
                              .observe = player_observe,
                              .finish = player_finish,
                              .close = player_close};
    return true;
}

static const char UCC[] = "ucc:", JSON[] = "json:";

bool player_is_program(const char *text) {
    return !strncmp(text, UCC, sizeof UCC - 1) || !strncmp(text, JSON, sizeof JSON - 1);
}

bool player_open(struct player *player, const struct player_options *options, const char *text,
                 const struct chance *chance, struct fault *fault) {
    if (!player_is_program(text)) {
        if (options->nursery) return player_child(player, options, text, chance, fault);
        return player_bot(player, options->folders, text, options->limits, chance, fault);
    }
    if (*text == 'j') {
        struct json_options json = {.rules = options->rules,
                                    .folders = options->folders,
                                    .opponent = options->opponent,
                                    .chance = chance,
                                    .program = {.deadline = options->deadline}};
        return player_json(player, text + sizeof JSON - 1, &json, fault);
    }
    struct ucc_options ucc = {.rules = options->rules,
                              .opponent = options->opponent,
                              .program = {.deadline = options->deadline}};
    return player_ucc(player, text + sizeof UCC - 1, &ucc, fault);
}
