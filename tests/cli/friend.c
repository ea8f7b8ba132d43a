#include "friend.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

void friend_comes(struct friend *friend, const struct served *served) {
    socket_open(&friend->socket, served->port);
}

void friend_sits(struct friend *friend, const char *link) {
    const char *slash = strrchr(link, '/');
    socket_say(&friend->socket, "{'type':'sit','seat':'%s','name':'Boris'}",
               slash ? slash + 1 : link);
    friend_hears(friend, "sat");
    snprintf(friend->game, sizeof friend->game, "%s", socket_text(&friend->socket, "game"));
}

void friend_goes(struct friend *friend) {
    socket_close(&friend->socket);
}

const json_t *friend_hears(struct friend *friend, const char *type) {
    while (socket_hear(&friend->socket, true)) {
        const char *got = socket_text(&friend->socket, "type");
        if (!strcmp(got, type)) return friend->socket.message;
        if (!strcmp(got, "error")) fail_msg("%s", socket_text(&friend->socket, "message"));
    }
    fail_msg("the server hung up before \"%s\"", type);
    return NULL;
}

void friend_says(struct friend *friend, const char *type) {
    socket_say(&friend->socket, "{'type':'%s','game':'%s'}", type, friend->game);
}

void friend_lays_out(struct friend *friend) {
    friend_hears(friend, "setup");
    socket_say(&friend->socket, "{'type':'setup','game':'%s','setup':null}", friend->game);
}

void friend_moves(struct friend *friend) {
    const json_t *moves = json_object_get(friend_hears(friend, "move"), "moves");
    socket_say(&friend->socket, "{'type':'move','game':'%s','move':'%s'}", friend->game,
               json_string_value(json_array_get(moves, 0)));
}
