#include "friend.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

void friend_comes(struct friend *friend, const struct served *served) {
    talker_open(&friend->talker, served->port);
}

void friend_joins(struct friend *friend, const char *link) {
    const char *slash = strrchr(link, '/');
    assert_non_null(slash);
    talker_say(&friend->talker, "{'type':'join','invite':'%s','name':'Boris'}", slash + 1);
    friend_hears(friend, "joined");
    snprintf(friend->game, sizeof friend->game, "%s", talker_text(&friend->talker, "game"));
}

void friend_sits(struct friend *friend, const char *secret) {
    talker_say(&friend->talker, "{'type':'sit','seat':'%s','name':'Boris'}", secret);
    friend_hears(friend, "sat");
    snprintf(friend->game, sizeof friend->game, "%s", talker_text(&friend->talker, "game"));
}

void friend_goes(struct friend *friend) {
    talker_close(&friend->talker);
}

const json_t *friend_hears(struct friend *friend, const char *type) {
    while (talker_hear(&friend->talker, true)) {
        const char *got = talker_text(&friend->talker, "type");
        if (!strcmp(got, type)) return friend->talker.message;
        if (!strcmp(got, "error")) fail_msg("%s", talker_text(&friend->talker, "message"));
    }
    fail_msg("the server hung up before \"%s\"", type);
    return NULL;
}

void friend_says(struct friend *friend, const char *type) {
    talker_say(&friend->talker, "{'type':'%s','game':'%s'}", type, friend->game);
}

void friend_lays_out(struct friend *friend) {
    friend_hears(friend, "setup");
    talker_say(&friend->talker, "{'type':'setup','game':'%s','setup':null}", friend->game);
}

void friend_moves(struct friend *friend) {
    const json_t *moves = json_object_get(friend_hears(friend, "move"), "moves");
    talker_say(&friend->talker, "{'type':'move','game':'%s','move':'%s'}", friend->game,
               json_string_value(json_array_get(moves, 0)));
}
