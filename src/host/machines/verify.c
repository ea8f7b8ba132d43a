#include "verify.h"

#include "host/playback.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Must be this text; NULL: must be missing. */
static bool tag_is(const struct record *record, const char *name, const char *text,
                   struct fault *fault) {
    const char *value = record_tag(record, name);
    if (text ? value && !strcmp(value, text) : !value) return true;
    return fault_set(fault, STATUS_TEXT, "its tag %s is not that of the game", name);
}

/* Whatever a record may hold besides is not of a match. */
static bool tags_are_known(const struct record *record, struct fault *fault) {
    static const char *const known[] = {"Variant", "Red",    "Blue",     "Seed",      "Clock",
                                        "First",   "Limits", "RedSetup", "BlueSetup", "Result",
                                        "Reason",  "Ending", "Forfeit"};
    for (size_t i = 0; i < record->tag_count; i++) {
        bool found = false;
        for (size_t k = 0; k < sizeof known / sizeof *known && !found; k++)
            found = !strcmp(record->tags[i].name, known[k]);
        if (!found)
            return fault_set(fault, STATUS_TEXT, "its tag %s is none of a match",
                             record->tags[i].name);
    }
    return true;
}

static bool tags_fit(const struct tournament *match, const struct tournament_options *options,
                     const struct finished *finished, const struct record *record,
                     struct fault *fault) {
    const struct tournament_game *game = &finished->game;
    const bool named = options->family_count != 2; /* else by the bot, which lies in its file */
    const char *const *setup =
        (const char *const[]){finished->setup[RED][0] ? finished->setup[RED] : NULL,
                              finished->setup[BLUE][0] ? finished->setup[BLUE] : NULL};
    char seed[24], pace[PACE_TEXT_MAX];
    snprintf(seed, sizeof seed, "%" PRIu64, game->seed);
    if (options->pace.ms) pace_write(&options->pace, pace);
    return tags_are_known(record, fault) &&
           tag_is(record, "Variant", options->rules->name, fault) &&
           (!named || (tag_is(record, "Red", match->name[game->player[RED]], fault) &&
                       tag_is(record, "Blue", match->name[game->player[BLUE]], fault))) &&
           tag_is(record, "Seed", seed, fault) &&
           tag_is(record, "Clock", options->pace.ms ? pace : NULL, fault) &&
           tag_is(record, "RedSetup", setup[RED], fault) &&
           tag_is(record, "BlueSetup", setup[BLUE], fault) &&
           tag_is(record, "Result", result_name((enum result)game->result), fault) &&
           tag_is(record, "Reason", reason_name((enum reason)game->reason), fault);
}

/* The draw limits; a game without a ply limit ends at the session's own. */
static bool limits_fit(const struct tournament_options *options, const struct finished *finished,
                       const struct limits *limits, struct fault *fault) {
    const struct limits none = {0}, *due = options->no_limits ? &none : &options->rules->limits;
    const bool at_end =
        finished->game.reason == REASON_PLY_LIMIT && finished->game.plies == SESSION_PLIES_MAX;
    return (limits->no_attack == due->no_attack && (limits->plies == due->plies || at_end)) ||
           fault_set(fault, STATUS_TEXT, "its limits are not those of the match");
}

static bool moves_fit(const struct tournament_options *options, const struct finished *finished,
                      const struct record *record, struct fault *fault) {
    const struct tournament_game *game = &finished->game;
    struct playback replay;
    bool fits = playback_open(&replay, record, options->rules, fault);
    if (fits) {
        const struct session *session = replay.session;
        const enum side first = pair_first(options, finished->number / 2);
        fits =
            limits_fit(options, finished, &session->limits, fault) &&
            ((enum side)session->start.to_move == first ||
             fault_set(fault, STATUS_TEXT, "%s moves first", side_name(side_other(first)))) &&
            playback_run(&replay, UINT32_MAX, fault) &&
            ((replay.result == (enum result)game->result &&
              replay.reason == (enum reason)game->reason && replay.plies == game->plies) ||
             fault_set(fault, STATUS_TEXT, "it ends otherwise")) &&
            tag_is(record, "Ending", session->ending.text[0] ? session->ending.text : NULL, fault);
    }
    playback_close(&replay);
    return fits;
}

bool verify_game(const struct tournament *match, const struct tournament_options *options,
                 const struct finished *finished, struct fault *fault) {
    struct record *record = record_read(finished->record, strlen(finished->record), fault);
    char *again = record && !record->damaged ? record_write(record) : NULL;
    bool fits = record && !record->damaged;
    if (again && strcmp(again, finished->record) != 0)
        fits = fault_set(fault, STATUS_TEXT, "it is not written as records are");
    fits = fits && tags_fit(match, options, finished, record, fault) &&
           moves_fit(options, finished, record, fault);
    record_free(record);
    free(again);
    const enum status status = fault->status;
    return fits || status == STATUS_NO_MEMORY || status == STATUS_SYSTEM ||
           status == STATUS_KILLED || status == STATUS_TIME;
}
