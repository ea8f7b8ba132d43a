/* trial.c - random games that check the core and count the variant's calls.
 *
 * The games use a copy of the rules whose calls go through a witness, which passes on the variant's
 * answers and counts them. */
#include "trial.h"

#include "base/clock.h"
#include "claim.h"
#include "core/know/integrity.h"
#include "host/session.h"
#include "sense.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    PLIES_MAX = 10000,  /* of a game of a variant without limits */
    ASKED_MAX = 400000, /* calls after which no further game is started */
    LIST_EVERY = 8,     /* plies, on average, between move lists that are judged move by move */
    UNDO_EVERY = 4,     /* between moves that are undone and played again */
    VIEW_EVERY = 16     /* between checks of both views */
};

struct witness {
    struct calls calls; /* the ones the core makes */
    struct calls *variant;
    struct trial *trial;
};

static bool changes_something(enum call call, const struct call_answer *answer) {
    if (call == CALL_LEGAL) return !answer->allowed;
    if (call == CALL_ENDING) return answer->result != RESULT_NONE;
    return call == CALL_BATTLE || answer->count > 0;
}

static bool witness_ask(struct calls *calls, enum call call, const struct game *game,
                        const struct play *play, struct call_answer *answer, struct fault *fault) {
    const struct witness *witness = (struct witness *)calls;
    struct trial_call *count = &witness->trial->calls[call];
    if (!witness->variant->ask(witness->variant, call, game, play, answer, fault)) return false;
    count->asked++;
    count->moved += changes_something(call, answer);
    return true;
}

static void witness_place(struct calls *calls, enum call call, struct fault *fault) {
    struct calls *variant = ((struct witness *)calls)->variant;
    variant->place(variant, call, fault);
}

struct trial_stage {
    const struct trial_options *options;
    struct rules rules; /* a shallow copy, with the witness's calls */
    struct witness witness;
    struct trial *trial;
    struct random random;
    struct session *session; /* the game at hand */
};

/* Turns a failed check into a fault of the program. Always false. */
static bool blame_core(const struct trial_stage *stage, struct fault *fault) {
    struct fault why = *fault;
    *fault = (struct fault){0};
    return fault_set(fault, STATUS_SYSTEM,
                     "the program disagrees with itself about this variant: %.300s (game %u, ply "
                     "%u, seed %llu)",
                     why.text, stage->trial->games + 1, stage->session->game.ply_count,
                     (unsigned long long)stage->options->seed);
}

static void count_move(struct trial_stage *stage, struct move move) {
    const struct game *game = &stage->session->game;
    kind_id kind = cell_kind(game->at[move.from]);
    stage->trial->moves[kind]++;
    if (move.to != move.from && game->at[move.to]) stage->trial->attacks[kind]++;
    if (move.ability != ABILITY_NONE) stage->trial->uses[move.ability]++;
}

static bool play_ply(struct trial_stage *stage, struct fault *fault) {
    struct session *session = stage->session;
    struct game *game = &session->game, after;
    size_t count;
    const struct move *moves = session_moves(session, &count, fault);
    if (!moves) return false;
    if (count == 0) {
        fault_set(fault, STATUS_SYSTEM, "no move is legal, and the game goes on");
        return blame_core(stage, fault);
    }
    struct move move = moves[random_below(&stage->random, (uint32_t)count)];
    bool agrees = random_below(&stage->random, LIST_EVERY) ||
                  integrity_moves(game, moves, count, move.from, fault);
    bool again = !random_below(&stage->random, UNDO_EVERY);
    if (agrees && again) agrees = integrity_undo(game, move, &after, fault);
    if (calls_take(fault)) return false;
    if (!agrees) return blame_core(stage, fault);
    count_move(stage, move);
    enum verdict verdict;
    if (!session_play(session, move, &verdict, fault))
        return verdict != LEGAL && blame_core(stage, fault);
    bool look = game_over(game) || !random_below(&stage->random, VIEW_EVERY);
    if ((!again || integrity_same(&after, game, fault)) && integrity_game(game, fault) &&
        (!look || (integrity_view(&session->eyes.view[RED], game, fault) &&
                   integrity_view(&session->eyes.view[BLUE], game, fault))))
        return true;
    return blame_core(stage, fault);
}

static void count_ending(struct trial *trial, const char *text) {
    int i = 0;
    while (i < TRIAL_ENDINGS_MAX && trial->ending[i].games && strcmp(trial->ending[i].text, text))
        i++;
    if (!text[0] || i == TRIAL_ENDINGS_MAX) return;
    snprintf(trial->ending[i].text, CALL_WHY_MAX, "%s", text);
    trial->ending[i].games++;
}

static void trial_count_game(struct trial_stage *stage, enum side first) {
    struct trial *trial = stage->trial;
    const struct game *game = &stage->session->game;
    uint32_t plies = game->ply_count;
    if (!trial->games || plies < trial->shortest) trial->shortest = plies;
    if (plies > trial->longest) trial->longest = plies;
    trial->games++;
    trial->plies += plies;
    trial->stuck += plies == 0;
    trial->reasons[game->reason]++;
    count_ending(trial, stage->session->ending.text);
    for (kind_id kind = 1; kind <= stage->rules.kinds; kind++)
        trial->falls[kind] +=
            (uint64_t)game_captured(game, RED, kind) + game_captured(game, BLUE, kind);
    if (game->result == RESULT_DRAW) {
        trial->draws++;
        return;
    }
    enum side winner = game->result == RESULT_RED ? RED : BLUE;
    trial->wins[winner]++;
    *(winner == first ? &trial->first_wins : &trial->first_losses) += 1;
}

static bool is_late(const struct trial_stage *stage) {
    return stage->options->deadline && clock_ms() >= stage->options->deadline;
}

/* Draws both set-ups. */
static bool trial_lay_out(struct trial_stage *stage, struct fault *fault) {
    struct setup setups[2];
    for (int side = RED; side <= BLUE; side++)
        if (!setup_random(&stage->rules, &stage->random, &setups[side], fault)) return false;
    return session_take_setup(stage->session, RED, &setups[RED], fault) &&
           session_take_setup(stage->session, BLUE, &setups[BLUE], fault);
}

static bool trial_play_game(struct trial_stage *stage, uint32_t number, struct fault *fault) {
    const struct rules *rules = &stage->rules;
    struct session_options options = {
        .rules = rules, .first = rules_first(rules), .plies = PLIES_MAX};
    if (rules->first == FIRST_CHOSEN) options.first = number % 2 ? BLUE : RED;
    stage->random = random_stream(stage->options->seed, STREAM_PLAYOUT, number);
    stage->session = session_open(&options, fault);
    bool played = stage->session && trial_lay_out(stage, fault), late = false;
    while (played && !stage->session->over && !(late = is_late(stage)))
        played = play_ply(stage, fault);
    if (!played) stage->trial->failed = number + 1;
    if (played && !late) trial_count_game(stage, options.first);
    session_close(stage->session);
    return played;
}

static void stage_begin(struct trial_stage *stage, const struct trial_options *options,
                        struct trial *trial) {
    struct calls *variant = options->rules->calls;
    stage->options = options;
    stage->rules = *options->rules;
    stage->trial = trial;
    if (!variant) return;
    stage->witness = (struct witness){
        .calls = {.declared = variant->declared, .ask = witness_ask, .place = witness_place},
        .variant = variant,
        .trial = trial};
    stage->rules.calls = &stage->witness.calls;
}

bool trial_asked_enough(const struct trial *trial) {
    uint64_t asked = 0;
    for (int call = 0; call < CALL_COUNT; call++) asked += trial->calls[call].asked;
    return asked >= ASKED_MAX;
}

bool trial_run(const struct trial_options *options, struct trial *trial, struct fault *fault) {
    *trial = (struct trial){0};
    struct trial_stage *stage = malloc(sizeof *stage);
    bool played = stage != NULL;
    if (played)
        stage_begin(stage, options, trial);
    else
        fault_set(fault, STATUS_NO_MEMORY, "no memory for trial games");
    for (uint32_t i = 0;
         played && i < options->games && !trial_asked_enough(trial) && !is_late(stage); i++)
        played = trial_play_game(stage, i, fault);
    free(stage);
    return played;
}

const struct trial_work TRIAL_WORK = {claim_holds, sense_rules, trial_run, sense_trial};
