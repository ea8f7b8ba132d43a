/* sitting_continue.c - takes up a game from its file. */
#include "core/text/layout.h"
#include "host/playback.h"
#include "sitting.h"

#include <string.h>

/* Takes the set-ups of a continued game and cuts its record to the playable moves, with the reason
 * in `damage`. False with a fault if the game cannot be continued. */
static bool sitting_understand(struct sitting *sitting, struct fault *damage, struct fault *fault) {
    struct round *round = sitting->round;
    struct record *record = sitting->before;
    struct playback replay;
    struct fault wrong = {0};
    if (record_tag(record, "Position")) {
        return fault_set(fault, STATUS_USAGE,
                         "begins with a position; a game from two set-ups is expected");
    }
    const char *pace = record_tag(record, "Clock");
    if (pace && !pace_read(pace, &sitting->pace, fault)) return false;
    if (!playback_open(&replay, record, round->rules, fault)) return false;
    sitting->limits = replay.session->limits;
    sitting->first = replay.session->start.to_move;
    for (int side = RED; side <= BLUE; side++)
        suspicions_read(&sitting->marks[side], round->rules, (enum side)side, record);
    bool played = playback_run(&replay, UINT32_MAX, &wrong);
    playback_close(&replay);
    for (int side = RED; side <= BLUE; side++) {
        const char *text = record_tag(record, side == RED ? "RedSetup" : "BlueSetup");
        if (!text || !setup_read(round->rules, text, strlen(text), &round->setups[side], fault)) {
            return side == RED ? fault_set(fault, STATUS_TEXT, "the set-up of red is missing")
                               : fault_set(fault, STATUS_TEXT, "the set-up of blue is missing");
        }
    }
    if (!played && replay.illegal_ply) {
        if (damage->status == STATUS_OK) *damage = wrong;
        record->move_count = replay.illegal_ply - 1;
        if (!record->damaged) saved_distrust(&sitting->saved);
    }
    return true;
}

bool sitting_take_up(struct sitting *sitting, const char *path, struct fault *fault) {
    struct round *round = sitting->round;
    struct front *front = round->front;
    struct fault damage = {0};
    char line[512];
    if (!saved_take(&sitting->saved, path, &sitting->before, &damage, fault)) return false;
    if (!sitting_understand(sitting, &damage, fault)) {
        fault_place(fault, path, 0, 0);
        return false;
    }
    if (damage.status == STATUS_OK) return true;
    fault_place(&damage, path, 0, 0);
    front->complain(front->self, &damage);
    if (!front->asks) return true;
    language_write(line, sizeof line, round->language,
                   "Only the first {1} plies of the game can be played. Continue from there?",
                   NUMBER_TEXT(sitting->before->move_count));
    return front->agrees(front->self, line);
}
