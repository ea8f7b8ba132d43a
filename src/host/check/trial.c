/* trial.c - random games that check the core and count the variant's calls.
 *
 * The games use a copy of the rules whose calls go through a witness, which passes on the variant's
 * answers and counts them. */
#include "trial.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/fault.h"
#include "claim.h"
#include "core/know/integrity.h"
#include "core/play/calls.h"
#include "host/session.h"

/* Warnings about rules that can be played but are probably not meant: a flag that cannot be reached
 * or taken, an ability without a use, a game without an end. They follow from the compiled tables
 * and from random games. Reach is computed on an empty board: a square that is unreachable there is
 * unreachable in every game. Nothing is said about a variant whose calls could do what its tables
 * do not. */
enum { CONCLUSIVE = 50 /* random games */ };

__attribute__((format(printf, 3, 4))) static void sense_warn(struct faults *faults, const char *key,
                                                             const char *format, ...) {
    struct fault fault = {0};
    va_list args;
    va_start(args, format);
    fault_setv(&fault, STATUS_RULES, format, args);
    va_end(args);
    struct remark *remark = faults_warn(faults, &fault);
    snprintf(remark->key, sizeof remark->key, "%s", key);
}

static bool has_effects(const struct rules *rules) {
    return rules->calls && (rules->calls->declared & CALLS_EFFECTS);
}

/* Effects that the ability can have on a target of this kind. */
static unsigned effects_on(const struct rules *rules, const struct ability *ability,
                           kind_id target) {
    unsigned effects = 0;
    unsigned aims = target == KIND_NONE ? AIM_EMPTY : AIM_ENEMY | AIM_OWN;
    if (!(ability->aims & aims)) return 0;
    for (kind_id choice = 0; choice <= rules->kinds; choice++)
        if (ability->asks == ASKS_NOTHING ? !choice : (ability->choices >> choice & 1) != 0)
            effects |= ability->effects[target][choice];
    return effects;
}

static unsigned all_effects(const struct rules *rules, const struct ability *ability) {
    unsigned effects = 0;
    for (kind_id target = 0; target <= rules->kinds; target++)
        effects |= effects_on(rules, ability, target);
    return effects;
}

/* Does the attacker win or tie anywhere? */
static bool may_take(const struct rules *rules, kind_id attacker, kind_id defender) {
    return rules_outcomes(rules, attacker, defender) & ~(1u << DEFENDER_WINS | 1u << CANNOT_ATTACK);
}

/* Mobile kinds whose attack removes this one. */
static kindset takers_of(const struct rules *rules, kind_id kind) {
    kindset takers = 0;
    for (kind_id id = 1; id <= rules->kinds; id++)
        if ((rules->mobile & kindset_of(id)) && may_take(rules, id, kind)) takers |= kindset_of(id);
    return takers;
}

/* Does an ability remove this kind, or decide the game? */
static bool ability_takes(const struct rules *rules, kind_id kind) {
    for (int i = 0; i < rules->abilities; i++) {
        const struct ability *ability = &rules->ability[i];
        if (effects_on(rules, ability, kind) & EFFECT_REMOVE_TARGET) return true;
        if (all_effects(rules, ability) & (EFFECT_WIN | EFFECT_LOSE)) return true;
    }
    return false;
}

/* Squares that any of these kinds of `side` can reach from its zone on an empty board. */
static squareset reach_of(const struct rules *rules, kindset kinds, enum side side) {
    squareset reached = rules->board.zone[side], fresh = reached;
    while (fresh) {
        square from = squareset_pop(&fresh);
        for (kind_id id = 1; id <= rules->kinds; id++) {
            if (!(kinds & rules->mobile & kindset_of(id))) continue;
            const struct movement *movement = &rules->movement[rules->kind[id].movement];
            squareset more = movement_ever(movement, side, from, BAR_STOP) & ~reached;
            reached |= more;
            fresh |= more;
        }
    }
    return reached;
}

static void name_squares(const struct board *board, squareset set, char *out, size_t size) {
    size_t used = 0;
    out[0] = 0;
    for (int i = 0; set && used < size; i++) {
        char name[SQUARE_TEXT_MAX];
        square at = squareset_pop(&set);
        square_write(board, at, name);
        used += (size_t)snprintf(out + used, size - used, "%s%s", i ? " " : "", i < 8 ? name : "…");
        if (i == 8) break;
    }
}

static bool moves_pieces_otherwise(const struct rules *rules) {
    for (int i = 0; i < rules->abilities; i++)
        if (all_effects(rules, &rules->ability[i]) & (EFFECT_SWAP | EFFECT_PLACE)) return true;
    return has_effects(rules);
}

static void check_flags(const struct rules *rules, struct faults *faults) {
    for (kind_id kind = 1; kind <= rules->kinds; kind++) {
        if (!rules->kind[kind].flag) continue;
        const char *name = rules->kind[kind].name;
        char key[FAULT_KEY_MAX], squares[64];
        snprintf(key, sizeof key, "pieces.%.31s", name);
        kindset takers = takers_of(rules, kind);
        bool otherwise = ability_takes(rules, kind) || has_effects(rules);
        if (!takers && !otherwise)
            sense_warn(faults, key, "nothing can take %s: no piece that moves wins against it",
                       name);
        if (!takers || otherwise || moves_pieces_otherwise(rules)) continue;
        const squareset only = rules->start[BLUE].only[kind];
        const squareset starts = rules->board.zone[BLUE] & (only ? only : ~(squareset)0);
        squareset safe = starts & (rules->board.shelter | ~reach_of(rules, takers, RED));
        if (!safe) continue;
        name_squares(&rules->board, safe, squares, sizeof squares);
        if (safe == rules->board.zone[BLUE])
            sense_warn(faults, "board",
                       "no piece that can take %s gets from its zone to the enemy's", name);
        else
            sense_warn(faults, "board", "%s is safe on %s: no piece that can take it gets there",
                       name, squares);
    }
}

/* Squares that nothing joins to the board, and to which no piece goes otherwise. */
static void check_islands(const struct rules *rules, struct faults *faults) {
    squareset islands = 0;
    char squares[64];
    for (squareset left = rules->board.land; left;) {
        const square at = squareset_pop(&left);
        if (!rules->board.neighbours[at]) islands |= squareset_of(at);
    }
    for (int i = 0; i < rules->movements; i++)
        for (int side = RED; side <= BLUE; side++)
            for (squareset left = rules->board.land; left;) {
                const square at = squareset_pop(&left);
                const squareset to =
                    movement_ever(&rules->movement[i], (enum side)side, at, BAR_STOP);
                islands &= ~(to ? to | squareset_of(at) : 0);
            }
    if (!islands || moves_pieces_otherwise(rules)) return;
    name_squares(&rules->board, islands, squares, sizeof squares);
    sense_warn(faults, "board", "no piece can enter or leave %s", squares);
}

/* Immobile pieces that cannot be removed can wall in a flag for good. */
static void check_walls(const struct rules *rules, struct faults *faults) {
    for (kind_id kind = 1; kind <= rules->kinds; kind++) {
        const struct kind *it = &rules->kind[kind];
        if (it->flag || (rules->mobile & kindset_of(kind)) || takers_of(rules, kind) ||
            ability_takes(rules, kind) || has_effects(rules))
            continue;
        char key[FAULT_KEY_MAX];
        snprintf(key, sizeof key, "pieces.%.31s", it->name);
        sense_warn(faults, key, "nothing removes %s: a flag behind such pieces cannot be taken",
                   it->name);
    }
}

static void check_fighters(const struct rules *rules, struct faults *faults) {
    for (kind_id kind = 1; kind <= rules->kinds; kind++) {
        const struct kind *it = &rules->kind[kind];
        if (!(rules->mobile & kindset_of(kind)) || it->abilities) continue;
        bool useful = false;
        for (kind_id other = 1; other <= rules->kinds && !useful; other++)
            useful = may_take(rules, kind, other);
        char key[FAULT_KEY_MAX];
        snprintf(key, sizeof key, "pieces.%.31s", it->name);
        if (!useful) sense_warn(faults, key, "%s loses every battle that it begins", it->name);
    }
}

static void check_labels(const struct rules *rules, struct faults *faults) {
    for (kind_id kind = 1; kind <= rules->kinds; kind++) {
        for (kind_id other = 1; other < kind; other++) {
            if (strcmp(rules->kind[kind].label, rules->kind[other].label) != 0) continue;
            char key[FAULT_KEY_MAX];
            snprintf(key, sizeof key, "pieces.%.31s.label", rules->kind[kind].name);
            sense_warn(faults, key,
                       "%s and %s have the same label \"%s\"; players cannot tell them apart",
                       rules->kind[other].name, rules->kind[kind].name, rules->kind[kind].label);
        }
    }
}

static bool has_targets(const struct rules *rules, const struct ability *ability) {
    for (int side = RED; side <= BLUE; side++)
        for (square at = 0; at < rules->board.squares; at++)
            if (ability->targets[side][at] & ~squareset_of(at)) return true;
    return false;
}

static void check_abilities(const struct rules *rules, struct faults *faults) {
    for (int i = 0; i < rules->abilities; i++) {
        const struct ability *ability = &rules->ability[i];
        const char *piece = rules->kind[ability->actor].name;
        char key[FAULT_KEY_MAX];
        snprintf(key, sizeof key, "pieces.%.31s.abilities.%.31s", piece, ability->name);
        bool moves = (rules->mobile & kindset_of(ability->actor)) != 0;
        if (!has_targets(rules, ability))
            sense_warn(faults, key, "%s of %s has no target from any square", ability->name, piece);
        else if (!moves && !(ability->when & ABILITY_INSTEAD))
            sense_warn(faults, key, "%s of %s comes after a move, and the piece never moves",
                       ability->name, piece);
        else if (!all_effects(rules, ability) && !has_effects(rules))
            sense_warn(faults, key, "%s of %s never does anything", ability->name, piece);
    }
}

static void check_ends(const struct rules *rules, struct faults *faults) {
    if (rules->limits.no_attack || rules->limits.plies) return;
    sense_warn(faults, "limits",
               "both limits are off: a game that neither side can win goes on for ever");
}

/* Adds warnings with keys and without places. */
static void sense_rules(const struct rules *rules, struct faults *faults) {
    check_flags(rules, faults);
    check_islands(rules, faults);
    check_walls(rules, faults);
    check_fighters(rules, faults);
    check_labels(rules, faults);
    check_abilities(rules, faults);
    check_ends(rules, faults);
}

/* Has the kind a way to attack from anywhere? */
static bool has_attacks(const struct rules *rules, kind_id kind) {
    const struct movement *movement = &rules->movement[rules->kind[kind].movement];
    for (int side = RED; side <= BLUE; side++)
        for (square at = 0; at < rules->board.squares; at++)
            if (movement_ever(movement, (enum side)side, at, BAR_ATTACK)) return true;
    return false;
}

static void sense_uses(const struct rules *rules, const struct trial *trial,
                       struct faults *faults) {
    char key[FAULT_KEY_MAX];
    for (int i = 0; i < rules->abilities; i++) {
        const struct ability *ability = &rules->ability[i];
        const char *piece = rules->kind[ability->actor].name;
        uint64_t uses = 0; /* of the ability, by all pieces that share it */
        for (int k = 0; k < rules->abilities; k++)
            if (tally_same(rules->ability[k].tally, ability->tally)) uses += trial->uses[k];
        if (uses || !has_targets(rules, ability)) continue;
        snprintf(key, sizeof key, "pieces.%.31s.abilities.%.31s", piece, ability->name);
        sense_warn(faults, key, "in %u random games %s of %s was never used", trial->games,
                   ability->name, piece);
    }
    for (kind_id kind = 1; kind <= rules->kinds; kind++) {
        const char *name = rules->kind[kind].name;
        snprintf(key, sizeof key, "pieces.%.31s", name);
        if (!(rules->mobile & kindset_of(kind))) continue;
        if (!trial->moves[kind])
            sense_warn(faults, key, "in %u random games no %s ever moved", trial->games, name);
        else if (!trial->attacks[kind] && !rules->kind[kind].flag && has_attacks(rules, kind))
            sense_warn(faults, key, "in %u random games no %s ever attacked", trial->games, name);
    }
    for (enum call call = 0; call < CALL_COUNT; call++)
        if (rules->calls && (rules->calls->declared >> call & 1) && !trial->calls[call].moved)
            sense_warn(faults, call_name(call), "in %u random games %s never changed anything",
                       trial->games, call_name(call));
}

/* The same from the figures of random games; most of them need at least 50 games. */
static void sense_trial(const struct rules *rules, const struct trial *trial,
                        struct faults *faults) {
    if (trial->stuck)
        sense_warn(faults, "army",
                   "%u of %u games from random set-ups are over before the first move",
                   trial->stuck, trial->games);
    for (int call = 0; call < CALL_COUNT; call++)
        if (trial->changed[call][0])
            sense_warn(faults, call_name((enum call)call),
                       "%s changes the variable \"%s\", but a call remembers nothing: it is as "
                       "before at the next one (\"counters\" are the numbers that a game keeps)",
                       call_name((enum call)call), trial->changed[call]);
    if (trial->games < CONCLUSIVE) return;
    sense_uses(rules, trial, faults);
    if (trial->draws * 10 > trial->games * 9)
        sense_warn(faults, "limits", "%u of %u random games are drawn", trial->draws, trial->games);
}

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
        if (!setup_random(&stage->rules, (enum side)side, &stage->random, &setups[side], fault))
            return false;
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
    if (variant->look) variant->look(variant, trial->changed);
}

static void stage_end(const struct trial_stage *stage) {
    struct calls *variant = stage->options->rules->calls;
    if (variant && variant->look) variant->look(variant, NULL);
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
    if (stage) stage_end(stage);
    free(stage);
    return played;
}

const struct trial_work TRIAL_WORK = {claim_holds, sense_rules, trial_run, sense_trial};
