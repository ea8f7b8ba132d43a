/* sitting_players.c - the players of a game, what they print, and the bot that gives hints. */
#include "host/players.h"
#include "jail/oracle.h"
#include "sitting.h"

#include <inttypes.h>
#include <stdio.h>

void sitting_close_players(struct sitting *sitting) {
    for (int side = RED; side <= BLUE; side++) {
        struct player *player = &sitting->players[side];
        if (player->close) player->close(player->self);
        *player = (struct player){0};
    }
}

/* Shows a line; of a continued game those about plies played before were shown then. */
static void show_log(void *context, const struct log_line *line) {
    const struct sitting_log *log = context;
    const struct sitting *sitting = log->sitting;
    struct front *front = sitting->round->front;
    if (sitting->before && line->ply <= sitting->before->move_count) return;
    front->log(front->self, (int)log->side, line);
}

/* Shows what a call prints, or keeps it. */
static void show_call(void *context, const struct log_line *line) {
    struct sitting *sitting = context;
    struct front *front = sitting->round->front;
    char words[LOGBOOK_ROOM + 64];
    if (sitting->before && line->ply <= sitting->before->move_count) return;
    if (!round_people(sitting->round)) {
        front->log(front->self, -1, line);
        return;
    }
    snprintf(words, sizeof words, "[variant %" PRIu32 " %s] %s", line->ply, line->callback,
             line->text);
    buffer_add_text(&sitting->calls_lines, words);
    buffer_add(&sitting->calls_lines, "\n", 1);
}

void sitting_hear_calls(struct sitting *sitting) {
    sitting->calls_sink = (struct log_sink){show_call, sitting};
    sitting->calls = (struct log){.sink = &sitting->calls_sink};
    sitting->calls_lines = buffer_of(32 * LOG_GAME_MAX);
    oracle_listen(sitting->round->verbose ? &sitting->calls : NULL);
}

void sitting_show_calls(struct sitting *sitting) {
    struct front *front = sitting->round->front;
    for (char *line = sitting->calls_lines.text, *next; line && *line; line = next) {
        next = line + strcspn(line, "\n");
        if (*next) *next++ = 0;
        front->say(front->self, line);
    }
}

bool sitting_open_players(struct sitting *sitting, struct fault *fault) {
    struct round *round = sitting->round;
    const struct terms *terms = &round->terms;
    for (int side = RED; side <= BLUE; side++) {
        const struct chance chance = chance_derive(&sitting->chance, CHANCE_SEAT, (uint64_t)side);
        const struct player_options seat = {.folders = round->folders,
                                            .rules = round->rules,
                                            .limits = SANDBOX_DEFAULTS,
                                            .deadline = round->deadline,
                                            .programs = round->programs,
                                            .opponent = terms->player[side_other((enum side)side)],
                                            .nursery = round->nursery,
                                            .log = round->verbose ? &sitting->log[side].sink : NULL,
                                            .catches_up = true};
        struct player *player = &sitting->players[side];
        struct sitting_log *log = &sitting->log[side];
        *log = (struct sitting_log){sitting, (enum side)side, {show_log, log}};
        if (round_is_human(round, side)) continue;
        if (!player_open(player, &seat, terms->player[side], &chance, fault)) return false;
        sitting->has_guest = sitting->has_guest || player->program;
        if (sitting->before && player->own_setup) {
            return fault_set(fault, STATUS_USAGE,
                             "%s lays out its own army and cannot take over a game", player->name);
        }
    }
    return true;
}

void sitting_kill_players(struct sitting *sitting) {
    for (int side = RED; side <= BLUE; side++) {
        struct player *player = &sitting->players[side];
        if (player->kill) player->kill(player->self);
    }
}

/* A hint was given, perhaps in another thread: the file notes it with the next turn. */
static void sitting_hinted(void *context, uint32_t ply) {
    struct sitting *sitting = context;
    enum side side = round_is_human(sitting->round, RED) ? RED : BLUE;
    pthread_mutex_lock(&sitting->lock);
    hint_note(sitting->saved.tags, side, sitting->round->adviser, ply);
    sitting->hinted = true;
    pthread_mutex_unlock(&sitting->lock);
}

void sitting_open_hint(struct sitting *sitting) {
    const struct round *round = sitting->round;
    const enum side side = round_is_human(round, RED) ? RED : BLUE;
    sitting->hint.options = (struct hint_options){
        .bot = round->adviser,
        .player = {.folders = round->folders,
                   .rules = round->rules,
                   .limits = SANDBOX_DEFAULTS,
                   .deadline = round->deadline,
                   .nursery = round->nursery},
        .chance = chance_derive(&sitting->chance, CHANCE_HINT, (uint64_t)side),
        .given = sitting_hinted,
        .context = sitting};
}
