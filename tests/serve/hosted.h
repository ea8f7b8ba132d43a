/* hosted.h - `ensign serve` as a program, and games on it over real sockets.
 *
 * Every function fails the running test when the server does not answer in time (websocket.h). */
#ifndef ENSIGN_TESTS_SERVE_HOSTED_H
#define ENSIGN_TESTS_SERVE_HOSTED_H

#include "host/served.h"
#include "websocket.h"

#include <jansson.h>

enum { HOSTED_SECRET_MAX = 64 };

/* The server with a folder for its games and whatever a test needs. */
struct hosted {
    struct served server;
    char folder[32];
};

/* Makes the folder and starts the server in it. */
void hosted_open(struct hosted *hosted, const char *const *options);
#define HOSTED_OPEN(hosted, ...) hosted_open(hosted, (const char *const[]){__VA_ARGS__, NULL})

/* Ends the server by a signal (0: it was sent one), which must succeed, and starts it again. */
void hosted_again(struct hosted *hosted, int signal_number);

/* Ends it and removes the folder; the second, once it has ended. */
void hosted_close(struct hosted *hosted, int signal_number);
void hosted_remove(struct hosted *hosted);

/* Writes a file into a new folder of the current folder of the server. */
void hosted_write(const struct hosted *hosted, const char *folder, const char *name,
                  const char *text);

/* The next message of this type; others before it are dropped. Fails the test if an error or the
 * end of a game comes before. The caller frees. */
json_t *hosted_hear(struct web *web, const char *type);

/* The same for either of two types, which may be "error". */
json_t *hosted_hear_one(struct web *web, const char *type, const char *other);

/* Says it, and frees it. */
void hosted_say(struct web *web, json_t *message);

/* A text of a message; NULL if there is none. */
const char *hosted_text(const json_t *message, const char *key);

/* Red makes a game of duel with a free seat, blue accepts the invitation to it, and both lay out.
 * The game's id is the caller's. `secret` may be NULL. */
char *hosted_game(struct web *red, struct web *blue, char secret[HOSTED_SECRET_MAX]);

/* Red makes a game of duel against a bot and lays out. The id is the caller's. */
char *hosted_game_with(struct web *red, const char *bot);

/* Lays out when asked. */
void hosted_lay_out(struct web *web, const char *game, const char *setup);

/* The next question for a move in this game; those of other games are dropped. It is freed by its
 * answer, which returns its ply. */
json_t *hosted_question(struct web *web, const char *game);
int hosted_answer(struct web *web, json_t *question);

/* Both at once. */
int hosted_move(struct web *web, const char *game);

/* Plays this many plies, from `ply` on. */
void hosted_play(struct web *red, struct web *blue, const char *game, int ply, int plies);

#endif
