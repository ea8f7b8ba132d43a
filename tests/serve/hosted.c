#define _GNU_SOURCE
#include "hosted.h"

#include "question.h"

#include "base/files.h"

#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

enum { PATH_BYTES = 128 };

static void start(struct hosted *hosted, const char *const *options) {
    char data[PATH_BYTES];
    snprintf(data, sizeof data, "%s/data", hosted->folder);
    served_open(&hosted->server, hosted->folder, data, options);
}

void hosted_open(struct hosted *hosted, const char *const *options) {
    *hosted = (struct hosted){.folder = "/tmp/ensign_served_XXXXXX"};
    assert_non_null(mkdtemp(hosted->folder));
    start(hosted, options);
}

void hosted_again(struct hosted *hosted, int signal_number) {
    assert_int_equal(served_end(&hosted->server, signal_number), 0);
    start(hosted, (const char *const[]){NULL});
}

static int remove_file(const char *path, const struct stat *info, int type, struct FTW *place) {
    (void)info, (void)type, (void)place;
    return remove(path);
}

void hosted_remove(struct hosted *hosted) {
    nftw(hosted->folder, remove_file, 8, FTW_DEPTH | FTW_PHYS);
}

void hosted_close(struct hosted *hosted, int signal_number) {
    assert_int_equal(served_end(&hosted->server, signal_number), 0);
    hosted_remove(hosted);
}

void hosted_write(const struct hosted *hosted, const char *folder, const char *name,
                  const char *text) {
    char path[PATH_BYTES];
    struct fault fault = {0};
    snprintf(path, sizeof path, "%s/%s", hosted->folder, folder);
    assert_int_equal(mkdir(path, 0700), 0);
    snprintf(path, sizeof path, "%s/%s/%s", hosted->folder, folder, name);
    if (!files_write_new(path, text, strlen(text), 0, &fault)) fail_msg("%s", fault.text);
}

json_t *hosted_hear_one(struct web *web, const char *type, const char *other) {
    const char *text;
    int why;
    while ((text = web_hear(web, &why))) {
        json_t *message = json_loads(text, 0, NULL);
        const char *got = hosted_text(message, "type");
        assert_non_null(got);
        if (!strcmp(got, type) || !strcmp(got, other)) return message;
        if (!strcmp(got, "error") || !strcmp(got, "end")) fail_msg("%s", text);
        json_decref(message);
    }
    fail_msg("no %s came; the server closed with %d", type, why);
    return NULL;
}

json_t *hosted_hear(struct web *web, const char *type) {
    return hosted_hear_one(web, type, type);
}

void hosted_say(struct web *web, json_t *message) {
    char *text = json_dumps(message, JSON_COMPACT);
    web_say(web, text);
    free(text);
    json_decref(message);
}

const char *hosted_text(const json_t *message, const char *key) {
    return json_string_value(json_object_get(message, key));
}

void hosted_lay_out(struct web *web, const char *game, const char *setup) {
    json_decref(hosted_hear(web, "setup"));
    hosted_say(web, json_pack("{s:s, s:s, s:s?}", "type", "setup", "game", game, "setup", setup));
}

char *hosted_game(struct web *red, struct web *blue, char secret[HOSTED_SECRET_MAX]) {
    hosted_say(red, json_pack("{s:s, s:s, s:s, s:s, s:b}", "type", "new", "variant", "duel", "red",
                              "me", "blue", "open", "public", 0));
    json_t *created = hosted_hear(red, "created");
    char *game = strdup(hosted_text(created, "game"));
    const char *invite = hosted_text(json_object_get(created, "invites"), "blue");
    assert_non_null(invite);
    hosted_say(blue, json_pack("{s:s, s:s}", "type", "join", "invite", invite));
    json_t *joined = hosted_hear(blue, "joined");
    if (secret) snprintf(secret, HOSTED_SECRET_MAX, "%s", hosted_text(joined, "secret"));
    json_decref(joined);
    hosted_lay_out(red, game, "duel-corner");
    hosted_lay_out(blue, game, "duel-corner");
    json_decref(created);
    return game;
}

char *hosted_game_with(struct web *red, const char *bot) {
    hosted_say(red, json_pack("{s:s, s:s, s:s}", "type", "new", "variant", "duel", "blue", bot));
    json_t *created = hosted_hear(red, "created");
    char *game = strdup(hosted_text(created, "game"));
    hosted_lay_out(red, game, "duel-corner");
    json_decref(created);
    return game;
}

json_t *hosted_question(struct web *web, const char *game) {
    json_t *asked = hosted_hear(web, "move");
    while (strcmp(hosted_text(asked, "game"), game)) {
        json_decref(asked);
        asked = hosted_hear(web, "move");
    }
    return asked;
}

int hosted_answer(struct web *web, json_t *asked) {
    const int ply = (int)json_integer_value(json_object_get(asked, "ply"));
    hosted_say(web,
               json_pack("{s:s, s:s, s:s, s:i}", "type", "move", "game", hosted_text(asked, "game"),
                         "move", question_quiet_move(asked), "ply", ply));
    json_decref(asked);
    return ply;
}

int hosted_move(struct web *web, const char *game) {
    return hosted_answer(web, hosted_question(web, game));
}

void hosted_play(struct web *red, struct web *blue, const char *game, int ply, int plies) {
    struct web *both[] = {red, blue};
    for (int end = ply + plies; ply < end; ply++)
        assert_int_equal(hosted_move(both[ply % 2], game), ply);
}
