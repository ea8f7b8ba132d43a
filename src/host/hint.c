/* hint.c - asks a bot in a person's place.
 *
 * The bot's process hears the whole game again for each hint, which takes some 20 us a turn, so
 * that nothing of it has to be kept alive or trusted in between. */
#include "hint.h"

#include "base/buffer.h"
#include "host/players.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TURNS_MAX = 1 << 21, NOTES_MAX = 1 << 16 };

void hint_start(struct hint *hint, const struct view *view) {
    hint->start = *view;
    hint->started = true;
    hint->turn_count = 0;
}

bool hint_observe(struct hint *hint, const struct view *view, const struct events *events) {
    if (!view->plies || events->list[0].type == EVENT_END) return true;
    /* After a turn was taken back the next one takes its place. */
    uint32_t turn = view->plies - 1;
    if (!hint->started || turn > hint->turn_count) return true;
    struct events *turns = array_grown(hint->turns, hint->turn_count, sizeof *turns, TURNS_MAX);
    if (!turns) return false;
    hint->turns = turns;
    hint->turns[turn] = *events;
    hint->turn_count = turn + 1;
    return true;
}

/* The view after so many turns, as the person's side had it then. */
static bool tell_game(const struct hint *hint, struct player *player, uint32_t turns,
                      struct fault *fault) {
    struct view view = hint->start;
    if (player->start && !player->start(player->self, &view, fault)) return false;
    for (uint32_t turn = 0; turn < turns; turn++) {
        view_turn(&view, &hint->turns[turn]);
        if (player->observe && !player->observe(player->self, &view, &hint->turns[turn], fault))
            return false;
    }
    return true;
}

static bool ask_player(const struct hint *hint, struct player *player, const struct view *view,
                       const struct move *moves, size_t count, struct move *move,
                       struct advice *advice, struct fault *fault) {
    struct answer answer = {0};
    if (!tell_game(hint, player, view->plies, fault) ||
        !player->move(player->self, view, moves, count, &answer, fault) ||
        !answer_find(view, &answer, moves, count, move, fault))
        return false;
    if (!player->explain ||
        !player->explain(player->self, view, moves, count, advice, &(struct fault){0}))
        advice->count = 0;
    advice->percent = player->appraise;
    return true;
}

bool hint_ask(struct hint *hint, const struct view *view, const struct move *moves, size_t count,
              const atomic_bool *give_up, struct move *move, struct advice *advice,
              struct fault *fault) {
    struct player player;
    struct player_options options = hint->options.player;
    options.give_up = give_up;
    options.catches_up = false;
    *advice = (struct advice){0};
    if (!hint->started || view->plies > hint->turn_count)
        return fault_set(fault, STATUS_USAGE, "the game so far is not known to it");
    if (!player_open(&player, &options, hint->options.bot, &hint->options.chance, fault))
        return false;
    bool given = ask_player(hint, &player, view, moves, count, move, advice, fault);
    player.close(player.self);
    if (given && hint->options.given) hint->options.given(hint->options.context, view->plies + 1);
    return given;
}

void hint_clear(struct hint *hint) {
    free(hint->turns);
    hint->turns = NULL;
    hint->turn_count = 0;
    hint->started = false;
}

static const char *notes_tag(enum side side) {
    return side == RED ? "RedHints" : "BlueHints";
}

bool hint_note(struct record *tags, enum side side, const char *bot, uint32_t ply) {
    const char *notes = hint_notes(tags, side);
    char note[FOLDER_PATH_MAX + 32];
    int length = snprintf(note, sizeof note, "%s at %u", bot, ply);
    size_t before = notes ? strlen(notes) : 0;
    bool again = before >= (size_t)length && !strcmp(notes + before - length, note);
    if (again || before > NOTES_MAX) return true;
    char *whole = malloc(before + (size_t)length + 3);
    if (whole) sprintf(whole, "%s%s%s", notes ? notes : "", notes ? ", " : "", note);
    bool set = whole && record_set_tag(tags, notes_tag(side), whole);
    free(whole);
    return set;
}

const char *hint_notes(const struct record *record, enum side side) {
    return record_tag(record, notes_tag(side));
}

bool hint_copy(const struct record *from, enum side side, struct record *to) {
    const char *notes = hint_notes(from, side);
    return !notes || record_set_tag(to, notes_tag(side), notes);
}

bool hint_at(const struct record *record, enum side side, uint32_t ply, char bot[HINT_BOT_MAX]) {
    const char *notes = hint_notes(record, side);
    for (const char *at = notes; at && *at;) {
        unsigned noted = 0;
        if (sscanf(at, "%63s at %u", bot, &noted) == 2 && noted == ply) return true;
        at = strstr(at, ", ");
        if (at) at += strlen(", ");
    }
    return false;
}
