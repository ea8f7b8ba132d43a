/* ladder.c - when there is no room for another rung, every second of the older ones goes. */
#include "ladder.h"

const char *const LADDER_RIVALS[SCHOOL_RIVALS] = {"hunter", "seer"};

static bool is_noted(const struct school_state *state, uint64_t learned, uint32_t games) {
    if (!state->rungs) return false;
    const struct school_rung *last = &state->rung[state->rungs - 1];
    const struct statistics *first = &last->against[0];
    return last->games == learned && first->wins + first->draws + first->losses == games;
}

static struct school_rung *next_rung(struct school_state *state) {
    if (state->rungs == SCHOOL_RUNGS) {
        for (int i = 0; i < SCHOOL_RUNGS / 2; i++) state->rung[i] = state->rung[2 * i + 1];
        state->rungs = SCHOOL_RUNGS / 2;
    }
    return &state->rung[state->rungs++];
}

bool ladder_play(struct school *school, const char *path, struct tournament_options match,
                 struct fault *fault) {
    struct school_state *state = &school->state;
    const uint64_t learned = state->classes * CLASS_GAMES;
    const char *players[1 + SCHOOL_RIVALS] = {path};
    if (is_noted(state, learned, match.games)) return true;
    for (int i = 0; i < SCHOOL_RIVALS; i++) players[1 + i] = LADDER_RIVALS[i];
    match.rules = school->rules;
    match.players = players;
    match.player_count = 1 + SCHOOL_RIVALS;
    match.gauntlet = true;
    match.chance = chance_derive(&state->chance, CHANCE_PAIR, state->classes);
    match.limits = SANDBOX_DEFAULTS;
    match.deadline = PLAYER_DEADLINE;
    struct tournament *played = tournament_run(&match, fault);
    if (!played) return false;
    if (tournament_complete(played)) {
        struct school_rung *rung = next_rung(state);
        rung->games = learned;
        for (int i = 0; i < SCHOOL_RIVALS; i++) rung->against[i] = played->cross[1 + i];
    }
    tournament_free(played);
    return true;
}
