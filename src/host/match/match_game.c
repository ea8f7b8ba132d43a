/* match_game.c - one game of a match. Independent of other games; runs on any thread.
 *
 * All chance of a game comes from its options and its bots are fresh, so a game cut short by a
 * killed process is repeated exactly. If an external program plays, it may have been the killer and
 * have learnt from the game, so it gets a different one. */
#include "match_game.h"

#include "base/buffer.h"
#include "host/players.h"
#include "jail/call_process.h"
#include "jail/zygote.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* A player that could not be opened: it forfeits when it is started. */
static bool absent_start(void *self, const struct view *view, struct fault *fault) {
    (void)view;
    *fault = *(const struct fault *)self;
    return false;
}

static bool absent_setup(void *self, const struct view *view, struct setup *setup,
                         struct fault *fault) {
    (void)setup;
    return absent_start(self, view, fault);
}

static bool absent_move(void *self, const struct view *view, const struct move *moves, size_t count,
                        struct answer *answer, struct fault *fault) {
    (void)moves, (void)count, (void)answer;
    return absent_start(self, view, fault);
}

enum { LINE_START_MAX = 32 };

static void take_line(void *context, const struct log_line *line) {
    char start[LINE_START_MAX]; /* MATCH_GAME_LOG_MAX has room for it before every line end */
    snprintf(start, sizeof start, "%" PRIu32 " %s: ", line->ply, line->callback);
    buffer_add_text(context, start);
    buffer_add_text(context, line->text);
    buffer_add(context, "\n", 1);
}

/* `absence` and `log` live as long as the player. False if an external program is gone. */
static bool open_player(const struct match_game *game, enum side side, bool spares_crash,
                        const struct log_sink *log, struct player *player, struct fault *absence) {
    struct player_options seat = game->seat;
    seat.spares_crash = spares_crash;
    if (game->logs) seat.log = log;
    seat.opponent = game->name[side_other(side)];
    if (player_open(player, &seat, game->player[side], &game->chance[side], absence)) {
        if (game->renamed) player->name = game->name[side];
        return true;
    }
    if (player_is_program(game->player[side])) return false;
    *player = (struct player){.name = game->name[side],
                              .self = absence,
                              .setup = absent_setup,
                              .start = absent_start,
                              .move = absent_move};
    return true;
}

static bool play_once(struct match_game *game, bool spares_crash, struct fault *fault) {
    struct fault absence[2] = {{0}, {0}};
    struct player players[2] = {{0}, {0}};
    struct buffer lines[MATCH_GAME_LOGS];
    struct log_sink logs[MATCH_GAME_LOGS];
    for (int i = 0; i < MATCH_GAME_LOGS; i++) {
        lines[i] = buffer_of(MATCH_GAME_LOG_MAX);
        logs[i] = (struct log_sink){take_line, &lines[i]};
    }
    struct log calls = {.sink = &logs[MATCH_GAME_LOGS - 1]};
    struct record *record = record_new();
    bool played = record || fault_set(fault, STATUS_NO_MEMORY, "out of memory");
    for (int side = RED; side <= BLUE && played; side++) {
        played = open_player(game, (enum side)side, spares_crash, &logs[side], &players[side],
                             &absence[side]);
        if (!played) *fault = absence[side];
    }
    struct player *const seats[2] = {&players[RED], &players[BLUE]};
    if (game->logs) call_process_listen(&calls);
    played = played &&
             referee_play(game->seat.rules, seats, &game->referee, record, &game->report, fault);
    call_process_listen(NULL);
    for (int side = RED; side <= BLUE; side++)
        if (players[side].close) players[side].close(players[side].self);
    game->record = NULL;
    if (played && game->report.reason != REASON_UNFINISHED) {
        game->record = record_write(record);
        if (!game->record) played = fault_set(fault, STATUS_NO_MEMORY, "out of memory");
    }
    record_free(record);
    for (int i = 0; i < MATCH_GAME_LOGS; i++) {
        if (lines[i].broken) played = fault_set(fault, STATUS_NO_MEMORY, "out of memory");
        game->log[i] = game->record && lines[i].length ? buffer_take(&lines[i]) : NULL;
        buffer_clear(&lines[i]);
    }
    return played;
}

bool match_game_play(struct match_game *game, struct fault *fault) {
    for (int tries = 1;; tries++) {
        *fault = (struct fault){0};
        if (play_once(game, tries < TEMPLATE_TRIES, fault)) return true;
        if (fault->status != STATUS_KILLED) return false;
        for (int side = RED; game->external && side <= BLUE; side++)
            game->chance[side] = chance_derive(&game->chance[side], CHANCE_GAME, (uint64_t)tries);
        if (tries < TEMPLATE_TRIES) continue;
        return fault_add(fault, "; this ended %d games in a row", TEMPLATE_TRIES);
    }
}
