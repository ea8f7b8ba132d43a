/* A Lua bot as a player: passes the referee's questions on to bot.h. */
#include "player.h"
#include "script/bot.h"

#include <string.h>

static bool player_setup(void *self, const struct view *view, struct setup *setup,
                         struct fault *fault) {
    return bot_setup(self, view, setup, fault);
}

static bool player_start(void *self, const struct view *view, struct fault *fault) {
    return bot_start(self, view, fault);
}

static bool player_move(void *self, const struct view *view, const struct move *moves, size_t count,
                        struct answer *answer, struct fault *fault) {
    struct bot_answer given;
    if (!bot_move(self, view, moves, count, &given, fault)) {
        return false;
    }
    *answer =
        (struct answer){.type = given.is_text ? ANSWER_TEXT : ANSWER_MOVE, .move = given.move};
    memcpy(answer->text, given.text, sizeof answer->text);
    return true;
}

static bool player_observe(void *self, const struct view *view, const struct events *events,
                           struct fault *fault) {
    for (int e = 0; e < events->count; e++) {
        if (!bot_observe(self, view, &events->list[e], fault)) return false;
    }
    return true;
}

static bool player_finish(void *self, const struct view *view, struct fault *fault) {
    return bot_finish(self, view, fault);
}

static void player_close(void *self) {
    bot_free(self);
}

bool player_bot(struct player *player, const struct folders *folders, const char *name,
                struct sandbox_limits limits, struct random random, struct fault *fault) {
    char path[FOLDER_PATH_MAX];
    if (!folders_resolve(folders, FOLDER_BOTS, name, path, fault)) return false;
    struct bot *bot = bot_new(folders, path, limits, random, fault);
    if (!bot) return false;
    *player = (struct player){.name = bot_name(bot),
                              .self = bot,
                              .setup = player_setup,
                              .start = player_start,
                              .move = player_move,
                              .observe = player_observe,
                              .finish = player_finish,
                              .close = player_close};
    return true;
}
