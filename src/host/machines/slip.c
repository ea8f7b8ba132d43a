#include "slip.h"

#include "base/utf8.h"
#include "host/record.h"
#include "host/wall/wire_fault.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <xxhash.h>

bool slip_draw_id(char id[SLIP_MATCH_MAX], struct fault *fault) {
    unsigned char bytes[(SLIP_MATCH_MAX - 1) / 2];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
        return fault_set(fault, STATUS_SYSTEM, "no random numbers: %s", strerror(errno));
    for (size_t i = 0; i < sizeof bytes; i++) snprintf(id + 2 * i, 3, "%02x", bytes[i]);
    return true;
}

void slip_put_greeting(struct frame *frame, const struct slip_greeting *greeting) {
    frame_put_number(frame, SLIP_PROTOCOL);
    frame_put_text(frame, greeting->version);
    frame_put_text(frame, greeting->worker);
    frame_put_number(frame, greeting->programs);
    frame_put_number(frame, greeting->trust);
}

bool slip_take_greeting(struct frame *frame, struct slip_greeting *greeting) {
    if (frame_take_number(frame) != SLIP_PROTOCOL) return false;
    frame_take_text(frame, greeting->version, sizeof greeting->version);
    frame_take_text(frame, greeting->worker, sizeof greeting->worker);
    greeting->programs = frame_take_number(frame);
    greeting->trust = frame_take_number(frame);
    return !frame->broken && greeting->worker[0];
}

void terms_put(struct frame *frame, const struct tournament_options *options, const char *variant,
               bool trust) {
    frame_put_text(frame, variant);
    frame_put_text(frame, options->folders->scripts);
    frame_put_number(frame, trust);
    frame_put_number(frame, options->gauntlet);
    frame_put_number(frame, options->no_limits);
    frame_put_number(frame, options->games);
    frame_put_number(frame, options->first);
    frame_put_number(frame, (uint32_t)options->deadline);
    frame_put(frame, &options->chance, sizeof options->chance);
    frame_put(frame, &options->pace, sizeof options->pace);
    frame_put(frame, &options->limits, sizeof options->limits);
    frame_put(frame, &options->programs.memory, sizeof options->programs.memory);
    frame_put_number(frame, options->programs.fresh);
    frame_put_number(frame, options->programs.wall);
    frame_put_number(frame, (uint32_t)options->player_count);
    for (int i = 0; i < options->player_count; i++) frame_put_text(frame, options->players[i]);
    frame_put_number(frame, (uint32_t)options->family_count);
    for (int i = 0; i < options->family_count; i++) {
        const struct tournament_family *family = &options->family[i];
        frame_put_text(frame, family->name);
        frame_put_number(frame, family->setups ? (uint32_t)family->setups->count : 0);
    }
}

static bool take_players(struct frame *frame, struct terms *terms) {
    enum { NAME_BYTES = 1 << 16 };
    struct tournament_options *options = &terms->options;
    char *name = malloc(NAME_BYTES);
    uint32_t count = frame_take_number(frame);
    if (count < 1 || count > TOURNAMENT_PLAYERS_MAX) frame->broken = true;
    for (uint32_t i = 0; name && !frame->broken && i < count; i++) {
        frame_take_text(frame, name, NAME_BYTES);
        terms->players[i] = strdup(name);
        if (!terms->players[i]) frame->broken = true;
    }
    free(name);
    options->players = (const char *const *)terms->players;
    options->player_count = (int)count;
    return name && !frame->broken;
}

static void take_families(struct frame *frame, struct terms *terms) {
    struct tournament_options *options = &terms->options;
    uint32_t count = frame_take_number(frame);
    if (count > 2) frame->broken = true;
    for (uint32_t i = 0; !frame->broken && i < count; i++) {
        frame_take_text(frame, terms->family[i], sizeof terms->family[i]);
        options->family[i].name = terms->family[i];
        terms->setups[i] = frame_take_number(frame);
        if (terms->setups[i] > SETUP_POOL_MAX) frame->broken = true;
    }
    options->family_count = (int)count;
}

/* Whether a match can have these numbers. */
static bool is_sound(const struct tournament_options *options) {
    const bool versus = options->family_count == 2;
    const struct pairing pairing = {versus ? 2 : options->player_count, options->gauntlet};
    return (versus ? options->player_count == 1 : options->player_count >= 2) &&
           options->first <= TOURNAMENT_FIRST_BLUE && options->deadline >= 1 && options->games &&
           options->games % 2 == 0 && pace_is_sound(&options->pace) &&
           (uint64_t)pairing_meetings(&pairing) * options->games <= TOURNAMENT_GAMES_MAX;
}

bool terms_take(struct frame *frame, struct terms *terms, struct fault *fault) {
    struct tournament_options *options = &terms->options;
    *terms = (struct terms){.trust = false};
    frame_take_text(frame, terms->variant, sizeof terms->variant);
    frame_take_text(frame, terms->scripts, sizeof terms->scripts);
    terms->trust = frame_take_number(frame);
    options->gauntlet = frame_take_number(frame);
    options->no_limits = frame_take_number(frame);
    options->games = frame_take_number(frame);
    options->first = (enum tournament_first)frame_take_number(frame);
    options->deadline = (int)frame_take_number(frame);
    frame_take(frame, &options->chance, sizeof options->chance);
    frame_take(frame, &options->pace, sizeof options->pace);
    frame_take(frame, &options->limits, sizeof options->limits);
    frame_take(frame, &options->programs.memory, sizeof options->programs.memory);
    options->programs.fresh = frame_take_number(frame);
    options->programs.wall = frame_take_number(frame);
    if (take_players(frame, terms)) take_families(frame, terms);
    if (!frame->broken && frame->at == frame->length && is_sound(options)) return true;
    return fault_set(fault, STATUS_TEXT, "the terms of the match make no sense");
}

void terms_clear(struct terms *terms) {
    for (int i = 0; i < TOURNAMENT_PLAYERS_MAX; i++) free(terms->players[i]);
    *terms = (struct terms){.trust = false};
}

static void game_put(struct frame *frame, const struct finished *finished) {
    const uint32_t length = (uint32_t)strlen(finished->record);
    frame_put(frame, &finished->game, sizeof finished->game);
    frame_put_number(frame, length);
    frame_put(frame, finished->record, length);
    for (int side = RED; side <= BLUE; side++) {
        frame_put_text(frame, finished->setup[side]);
        frame_put(frame, &finished->usage[side], sizeof finished->usage[side]);
    }
    frame_put_number(frame, finished->late_side);
    frame_put_number(frame, finished->fault != NULL);
    if (finished->fault) frame_put_fault(frame, finished->fault);
}

void games_put(struct frame *frame, struct finished *const games[2]) {
    for (int game = 0; game < 2; game++) game_put(frame, games[game]);
}

static bool take_record(struct frame *frame, struct finished *finished) {
    const uint32_t length = frame_take_number(frame);
    if (frame->broken || length > frame->length - frame->at || length > RECORD_BYTES_MAX)
        return false;
    finished->record = malloc(length + 1);
    if (!finished->record) return false;
    frame_take(frame, finished->record, length);
    finished->record[length] = 0;
    return strlen(finished->record) == length &&
           XXH3_64bits(finished->record, length) == finished->game.hash;
}

static bool take_fault(struct frame *frame, struct finished *finished) {
    if (!frame_take_number(frame)) return !frame->broken;
    finished->fault = malloc(sizeof *finished->fault);
    return finished->fault && frame_take_fault(frame, finished->fault);
}

static bool game_fits(const struct tournament *match, const struct finished *finished) {
    const struct tournament_game *game = &finished->game;
    uint8_t players[2];
    const uint32_t second = finished->number % 2;
    pairing_players(&match->pairing, finished->number / 2, players);
    return game->player[RED] == players[second] && game->player[BLUE] == players[1 - second] &&
           game->result <= RESULT_DRAW && game->reason > REASON_NONE &&
           game->reason < REASON_COUNT && finished->late_side <= BLUE;
}

static struct finished *game_take(struct frame *frame, const struct tournament *match,
                                  uint32_t number) {
    struct finished *finished = calloc(1, sizeof *finished);
    if (!finished) return NULL;
    finished->number = number;
    frame_take(frame, &finished->game, sizeof finished->game);
    bool good = take_record(frame, finished);
    for (int side = RED; good && side <= BLUE; side++) {
        frame_take_text(frame, finished->setup[side], sizeof finished->setup[side]);
        good = utf8_is_safe(finished->setup[side], strlen(finished->setup[side]));
        frame_take(frame, &finished->usage[side], sizeof finished->usage[side]);
    }
    if (good) finished->late_side = (enum side)frame_take_number(frame);
    if (good && take_fault(frame, finished) && !frame->broken && game_fits(match, finished))
        return finished;
    finished_free(finished);
    return NULL;
}

bool games_take(struct frame *frame, const struct tournament *match, uint32_t pair,
                struct finished *games[2]) {
    games[0] = game_take(frame, match, 2 * pair);
    games[1] = games[0] ? game_take(frame, match, 2 * pair + 1) : NULL;
    if (games[1]) return true;
    finished_free(games[0]);
    return false;
}

uint64_t games_digest(struct finished *const games[2]) {
    XXH3_state_t *state = XXH3_createState();
    if (!state) return 1;
    XXH3_64bits_reset(state);
    for (int i = 0; i < 2; i++) {
        const struct finished *finished = games[i];
        const struct tournament_game *game = &finished->game;
        const uint64_t told[] = {game->result, game->reason, game->plies, game->seed, game->hash};
        XXH3_64bits_update(state, told, sizeof told);
        for (int side = RED; side <= BLUE; side++) {
            const struct usage *usage = &finished->usage[side];
            const uint64_t used[] = {usage->calls, usage->metered, usage->fuel,
                                     usage->fuel_greatest};
            XXH3_64bits_update(state, used, sizeof used);
            XXH3_64bits_update(state, finished->setup[side], strlen(finished->setup[side]) + 1);
        }
    }
    const uint64_t digest = XXH3_64bits_digest(state);
    XXH3_freeState(state);
    return digest ? digest : 1;
}
