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

void friend_sits(struct friend *friend, const char *link_or_secret) {
    const char *slash = strrchr(link_or_secret, '/');
    talker_say(&friend->talker, "{'type':'%s','%s':'%s','name':'Boris'}", slash ? "join" : "sit",
               slash ? "invite" : "seat", slash ? slash + 1 : link_or_secret);
    friend_hears(friend, slash ? "joined" : "sat");
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
