/* sitting_players.c - the players of a game, what they print, and the bot that gives hints. */
#include "jail/oracle.h"
#include "sitting.h"

#include <inttypes.h>
#include <stdio.h>

/* Of a continued game, what was printed about plies played before was shown then. */
static bool was_shown(const struct sitting *sitting, const struct log_line *line) {
    const struct referee_options *game = &sitting->table.options.game;
    return game->ask_anyway && line->ply <= game->played_count;
}

static void show_log(void *context, const struct log_line *line) {
    const struct sitting_log *log = context;
    const struct sitting *sitting = log->sitting;
    struct front *front = sitting->round->front;
    if (was_shown(sitting, line)) return;
    front->log(front->self, (int)log->side, line);
}

/* Shows what a call prints, or keeps it. */
static void show_call(void *context, const struct log_line *line) {
    struct sitting *sitting = context;
    struct front *front = sitting->round->front;
    char words[LOGBOOK_ROOM + 64];
    if (was_shown(sitting, line)) return;
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

/* What a continued game begins with: its armies and moves. */
static void go_on(const struct sitting *sitting, struct referee_options *game) {
    game->played = sitting->before->moves;
    game->played_count = sitting->before->move_count;
    game->limits = &sitting->limits;
    game->ask_anyway = true;
    for (int side = RED; side <= BLUE; side++) game->setups[side] = &sitting->round->setups[side];
}

bool sitting_open_table(struct sitting *sitting, struct fault *fault) {
    struct round *round = sitting->round;
    struct table_options options = {
        .rules = round->rules,
        .bots = {.folders = round->folders,
                 .rules = round->rules,
                 .limits = SANDBOX_DEFAULTS,
                 .deadline = round->deadline,
                 .programs = round->programs,
                 .nursery = round->nursery,
                 .catches_up = true},
        .chance = &sitting->chance,
        .has_clock = sitting->pace.ms > 0,
        .clock = {{sitting->pace.ms, sitting->pace.ms}, sitting->pace.increment},
        .game = {.first = sitting->first,
                 .seed = sitting->seed,
                 .pace = sitting->pace,
                 .about = sitting->about}};
    for (int side = RED; side <= BLUE; side++) {
        struct sitting_log *log = &sitting->log[side];
        *log = (struct sitting_log){sitting, (enum side)side, {show_log, log}};
        options.told_name[side] = round->terms.player[side];
        if (round->verbose) options.log[side] = &log->sink;
        if (round_is_human(round, side))
            options.game.names[side] = "human";
        else
            options.player[side] = round->terms.player[side];
    }
    if (sitting->before) go_on(sitting, &options.game);
    int64_t left[2];
    if (sitting->before && saved_clock(sitting->before, left))
        memcpy(options.clock.left, left, sizeof left);
    sitting->table.owner = (struct table_listener){sitting_keep, sitting};
    if (!table_open(&sitting->table, &options, fault)) return false;
    for (int side = RED; side <= BLUE; side++)
        sitting->has_guest = sitting->has_guest || sitting->table.players[side].program;
    return true;
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
