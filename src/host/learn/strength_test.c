/* strength_test.c - when there is no room for another rung, every second of the older ones goes. */
#include "strength_test.h"

const char *const STRENGTH_TEST_RIVALS[TRAINER_RIVALS] = {"hunter", "seer"};

static bool is_noted(const struct trainer_state *state, uint64_t learned, uint32_t games) {
    if (!state->rungs) return false;
    const struct trainer_rung *last = &state->rung[state->rungs - 1];
    const struct statistics *first = &last->against[0];
    return last->games == learned && first->wins + first->draws + first->losses == games;
}

static struct trainer_rung *next_rung(struct trainer_state *state) {
    if (state->rungs == TRAINER_RUNGS) {
        for (int i = 0; i < TRAINER_RUNGS / 2; i++) state->rung[i] = state->rung[2 * i + 1];
        state->rungs = TRAINER_RUNGS / 2;
    }
    return &state->rung[state->rungs++];
}

bool strength_test_play(struct trainer *trainer, const char *path, struct tournament_options match,
                        struct fault *fault) {
    struct trainer_state *state = &trainer->state;
    const uint64_t learned = state->classes * CLASS_GAMES;
    const char *players[1 + TRAINER_RIVALS] = {path};
    if (is_noted(state, learned, match.games)) return true;
    for (int i = 0; i < TRAINER_RIVALS; i++) players[1 + i] = STRENGTH_TEST_RIVALS[i];
    match.rules = trainer->rules;
    match.players = players;
    match.player_count = 1 + TRAINER_RIVALS;
    match.gauntlet = true;
    match.chance = chance_derive(&state->chance, CHANCE_PAIR, state->classes);
    match.limits = SANDBOX_DEFAULTS;
    match.deadline = PLAYER_DEADLINE;
    struct tournament *played = tournament_run(&match, fault);
    if (!played) return false;
    if (tournament_complete(played)) {
        struct trainer_rung *rung = next_rung(state);
        rung->games = learned;
        for (int i = 0; i < TRAINER_RIVALS; i++) rung->against[i] = played->cross[1 + i];
    }
    tournament_free(played);
    return true;
}
