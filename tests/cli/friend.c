#include "friend.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

void friend_comes(struct friend *friend, const struct served *served) {
    visitor_open(&friend->visitor, served->port);
}

void friend_sits(struct friend *friend, const char *link) {
    const char *slash = strrchr(link, '/');
    visitor_say(&friend->visitor, "{'type':'sit','seat':'%s','name':'Boris'}",
                slash ? slash + 1 : link);
    friend_hears(friend, "sat");
    snprintf(friend->game, sizeof friend->game, "%s", visitor_text(&friend->visitor, "game"));
}

void friend_goes(struct friend *friend) {
    visitor_close(&friend->visitor);
}

const json_t *friend_hears(struct friend *friend, const char *type) {
    while (visitor_hear(&friend->visitor, true)) {
        const char *got = visitor_text(&friend->visitor, "type");
        if (!strcmp(got, type)) return friend->visitor.message;
        if (!strcmp(got, "error")) fail_msg("%s", visitor_text(&friend->visitor, "message"));
    }
    fail_msg("the server hung up before \"%s\"", type);
    return NULL;
}

void friend_says(struct friend *friend, const char *type) {
    visitor_say(&friend->visitor, "{'type':'%s','game':'%s'}", type, friend->game);
}

void friend_lays_out(struct friend *friend) {
    friend_hears(friend, "setup");
    visitor_say(&friend->visitor, "{'type':'setup','game':'%s','setup':null}", friend->game);
}

void friend_moves(struct friend *friend) {
    const json_t *moves = json_object_get(friend_hears(friend, "move"), "moves");
    visitor_say(&friend->visitor, "{'type':'move','game':'%s','move':'%s'}", friend->game,
                json_string_value(json_array_get(moves, 0)));
}
