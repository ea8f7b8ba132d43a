#include "slow_value.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double least(double a, double b) {
    return a < b ? a : b;
}

static double greatest(double a, double b) {
    return a > b ? a : b;
}

static bool is_mobile(const struct rules *rules, kind_id kind) {
    return rules->mobile >> kind & 1;
}

static bool single(kindset kinds) {
    return __builtin_popcount(kinds) == 1;
}

/* The kinds that an ability can return; none if it does something else. */
static kindset returned_by(const struct ability *ability) {
    kindset kinds = 0;
    for (kind_id choice = 1; choice < KINDS_MAX; choice++)
        if (ability->effects[KIND_NONE][choice] & EFFECT_PLACE) kinds |= kindset_of(choice);
    return kinds & ability->choices;
}

static int returns_left(const struct view *view, enum side side) {
    int most = 0;
    for (int i = 0; i < view->rules->abilities; i++) {
        const struct ability *ability = &view->rules->ability[i];
        const int used = view->uses[side][ability->tally.n];
        const int left = ability->limit ? ability->limit - used : 1000;
        if (returned_by(ability) && left > most) most = left;
    }
    return most;
}

/* An enemy that fell hidden, of these chances. */
static void take_off(struct slow *slow, const int16_t chance[KINDS_MAX]) {
    for (int kind = 1; kind < KINDS_MAX; kind++)
        slow->left[kind] = greatest(0, slow->left[kind] - (double)chance[kind] / CHANCE_ONE);
}

void slow_make(struct slow *slow, const struct view *view, const struct measure *measure,
               const struct belief *belief, const struct terms *weights) {
    memset(slow, 0, sizeof *slow);
    slow->view = view;
    slow->measure = measure;
    slow->weights = weights;
    slow->quiet = view->quiet;
    enum side enemy = side_other((enum side)view->side);
    for (int side = RED; side <= BLUE; side++)
        slow->returns[side] = returns_left(view, (enum side)side);
    for (int kind = 1; kind <= view->rules->kinds; kind++)
        slow->left[kind] = view->start[enemy][kind] - view->captured[enemy][kind];
    for (int i = 0; i < view->count; i++) {
        const struct view_piece *piece = &view->piece[i];
        if (view_piece_fallen(piece) && piece->kind == KIND_NONE)
            take_off(slow, belief->chance[belief->group_of[i]]);
        if (piece->at == SQUARE_NONE) continue;
        if (piece->side == view->side) {
            int n = slow->own++;
            slow->mine[n].kind = piece->kind;
            slow->mine[n].at = piece->at;
            slow->mine[n].open = piece->open;
            slow->mine[n].state = piece->shown || single(piece->open) ? MINE_SHOWN
                                  : piece->moved                      ? MINE_MOVED
                                                                      : MINE_HIDDEN;
            continue;
        }
        int n = slow->enemies++;
        slow->enemy[n].at = piece->at;
        slow->enemy[n].moved = piece->moved;
        slow->enemy[n].known = single(view_may_be(view, i));
        for (int kind = 1; kind < KINDS_MAX; kind++) {
            double chance = (double)belief->chance[belief->group_of[i]][kind] / CHANCE_ONE;
            slow->enemy[n].chance[kind] = chance;
            if (slow->enemy[n].known) slow->told[kind] += chance;
        }
    }
}

/* On a rank or file, without a wall between them. */
static bool next_to(const struct rules *rules, int a, int b) {
    const int files = rules->board.files;
    return a >= 0 && b >= 0 && abs(a % files - b % files) + abs(a / files - b / files) == 1 &&
           !squareset_has(rules->board.walled[a], (square)b);
}

/* The same, or linked. */
static bool beside(const struct rules *rules, int a, int b) {
    return next_to(rules, a, b) ||
           (a >= 0 && b >= 0 && squareset_has(rules->board.linked[a], (square)b));
}

/* Steps between squares around lakes; -1: no way. */
static int steps_between(const struct rules *rules, int from, int to) {
    static struct board found_for;
    static int steps[BOARD_SQUARES_MAX][BOARD_SQUARES_MAX];
    const int squares = rules->board.squares;
    if (memcmp(&found_for, &rules->board, sizeof found_for) != 0) {
        memcpy(&found_for, &rules->board, sizeof found_for);
        for (int a = 0; a < squares; a++)
            for (int b = 0; b < squares; b++) steps[a][b] = a == b ? 0 : -1;
        for (int length = 1; length < squares; length++) /* Bellman's way */
            for (int a = 0; a < squares; a++)
                for (int b = 0; b < squares; b++) {
                    if (steps[a][b] >= 0 || squareset_has(rules->board.lakes, (square)b)) continue;
                    for (int c = 0; c < squares; c++)
                        if (steps[a][c] == length - 1 && steps[a][c] >= 0 && beside(rules, b, c))
                            steps[a][b] = length;
                }
    }
    return steps[from][to];
}

/* An influence that keeps this part of itself at each step. */
static double near(const struct rules *rules, int from, int to, double part) {
    int steps = steps_between(rules, from, to);
    return steps < 0 ? 0 : pow(part, steps);
}

static const double PULL = 218.0 / 256, FEAR = 154.0 / 256;

static double worth(const struct slow *slow, kind_id kind) {
    return (double)slow->measure->worth[kind] / WORTH_UNIT;
}

/* Worth of what falls, minus that of one's own. */
static double gain_of(const struct slow *slow, kind_id attacker, kind_id defender) {
    enum outcome outcome = rules_outcome(slow->view->rules, attacker, defender);
    double gain = 0;
    if (outcome != DEFENDER_WINS) gain += worth(slow, defender);
    if (outcome != ATTACKER_WINS) gain -= worth(slow, attacker);
    return gain;
}

double slow_points(const struct slow *slow, kind_id attacker, kind_id defender) {
    enum outcome outcome = rules_outcome(slow->view->rules, attacker, defender);
    return outcome == ATTACKER_WINS ? 1 : outcome == DEFENDER_WINS ? 0 : 0.5;
}

/* Of attacking an enemy with this kind. A known one that wins is left alone. */
static double prey_of(const struct slow *slow, kind_id kind, int enemy) {
    double sum = 0;
    if (!is_mobile(slow->view->rules, kind)) return 0;
    for (kind_id other = 1; other <= slow->view->rules->kinds; other++) {
        double gain = gain_of(slow, kind, other);
        if (slow->enemy[enemy].known) gain = greatest(gain, 0);
        sum += slow->enemy[enemy].chance[other] * gain;
    }
    return greatest(sum, 0);
}

static double fear_of(const struct slow *slow, kind_id kind, int enemy) {
    double sum = 0;
    for (kind_id other = 1; other <= slow->view->rules->kinds; other++)
        if (is_mobile(slow->view->rules, other))
            sum += slow->enemy[enemy].chance[other] * slow_points(slow, other, kind);
    return sum;
}

static double bite_of(const struct slow *slow, kind_id kind, int enemy) {
    double sum = 0;
    for (kind_id other = 1; other <= slow->view->rules->kinds; other++)
        if (is_mobile(slow->view->rules, other))
            sum += slow->enemy[enemy].chance[other] * greatest(0, gain_of(slow, other, kind));
    return sum;
}

double slow_part(const struct slow *slow, int enemy, kindset kinds) {
    double sum = 0;
    for (int kind = 1; kind < KINDS_MAX; kind++)
        if (kinds >> kind & 1) sum += slow->enemy[enemy].chance[kind];
    return sum;
}

/* The terms of a piece where it stands. */
static void piece_terms(const struct slow *slow, int number, struct slow_terms *terms) {
    const struct rules *rules = slow->view->rules;
    const kind_id kind = slow->mine[number].kind;
    const int at = slow->mine[number].at;
    double fear[2] = {0}, prey[2] = {0}, stir[2] = {0}, flag = 0;
    for (int e = 0; e < slow->enemies; e++) {
        const int there = slow->enemy[e].at;
        if (there < 0) continue;
        const bool known = slow->enemy[e].known, moved = slow->enemy[e].moved;
        const double pull = near(rules, at, there, PULL);
        fear[known] = greatest(fear[known], fear_of(slow, kind, e) * near(rules, at, there, FEAR));
        prey[known] = greatest(prey[known], prey_of(slow, kind, e) * pull);
        if (!known) stir[moved] = greatest(stir[moved], pull);
        flag = greatest(flag, slow_part(slow, e, rules->flags) * pull);
    }
    double *own = terms->own[kind];
    const bool shown = slow->mine[number].state == MINE_SHOWN;
    own[shown ? OWN_HUNTED_KNOWN : OWN_FEAR_KNOWN] += fear[1];
    own[shown ? OWN_HUNTED_UNKNOWN : OWN_FEAR_UNKNOWN] += fear[0];
    if (!is_mobile(rules, kind)) return;
    own[OWN_PREY_KNOWN] += prey[1];
    own[OWN_PREY_UNKNOWN] += prey[0];
    own[OWN_STIRRED] += stir[1];
    own[OWN_STILL] += stir[0];
    own[OWN_FLAG] += flag;
    const int ranks = rules->board.ranks, rank = at / rules->board.files;
    own[OWN_ADVANCE] += (double)(slow->view->side == RED ? rank : ranks - 1 - rank) / (ranks - 1);
}

/* Of a kind, of an army without flags; all of it if that is gone. */
static double part_beaten(const struct slow *slow, kind_id kind, const double count[KINDS_MAX]) {
    double beaten = 0, all = 0;
    for (kind_id other = 1; other <= slow->view->rules->kinds; other++) {
        if (slow->view->rules->kind[other].flag) continue;
        all += count[other];
        beaten += count[other] * slow_points(slow, kind, other);
    }
    return all > 0 ? beaten / all : 1;
}

/* Is there no mobile kind, of which more than half a piece is there, that beats or ties it? */
static bool invincible(const struct slow *slow, kind_id kind, const double count[KINDS_MAX]) {
    for (kind_id other = 1; other <= slow->view->rules->kinds; other++)
        if (is_mobile(slow->view->rules, other) && count[other] > 0.5 &&
            slow_points(slow, other, kind) > 0)
            return false;
    return true;
}

static void count_own(const struct slow *slow, double count[KINDS_MAX]) {
    for (int kind = 0; kind < KINDS_MAX; kind++) count[kind] = 0;
    for (int i = 0; i < slow->own; i++)
        if (slow->mine[i].at >= 0) count[slow->mine[i].kind]++;
}

static void counted_terms(const struct slow *slow, struct slow_terms *terms) {
    const struct rules *rules = slow->view->rules;
    double count[KINDS_MAX];
    count_own(slow, count);
    for (int i = 0; i < slow->own; i++)
        if (slow->mine[i].at >= 0)
            terms->own[slow->mine[i].kind][OWN_HIDDEN + slow->mine[i].state]++;
    for (kind_id kind = 1; kind <= rules->kinds; kind++) {
        double *own = terms->own[kind], *enemy = terms->enemy[kind];
        const double left = slow->left[kind];
        own[OWN_PRESENT] = count[kind] > 0;
        enemy[ENEMY_LEFT] = left;
        enemy[ENEMY_KNOWN] = left > 0 ? slow->told[kind] : 0;
        enemy[ENEMY_PRESENT] = least(1, left);
        if (!is_mobile(rules, kind)) continue;
        own[OWN_BEATS] = count[kind] * part_beaten(slow, kind, slow->left);
        own[OWN_INVINCIBLE] = invincible(slow, kind, slow->left) ? count[kind] : 0;
        enemy[ENEMY_BEATS] = left * part_beaten(slow, kind, count);
        enemy[ENEMY_INVINCIBLE] = invincible(slow, kind, count) ? left : 0;
    }
}

/* The greatest and the second of some numbers. */
static void note_top(double number, double *first, double *second) {
    if (number > *first) {
        *second = *first;
        *first = number;
    } else if (number > *second) {
        *second = number;
    }
}

static void engaged_terms(const struct slow *slow, double *whole) {
    const struct rules *rules = slow->view->rules;
    for (int i = 0; i < slow->own; i++) {
        double threat[2] = {0}, gain[2] = {0};
        const bool shown = slow->mine[i].state == MINE_SHOWN;
        for (int e = 0; e < slow->enemies; e++) {
            if (!next_to(rules, slow->mine[i].at, slow->enemy[e].at)) continue;
            const bool known = slow->enemy[e].known;
            double back = 0, bite = bite_of(slow, slow->mine[i].kind, e);
            for (int j = 0; j < slow->own; j++)
                if (j != i && next_to(rules, slow->mine[i].at, slow->mine[j].at))
                    back = greatest(back, prey_of(slow, slow->mine[j].kind, e));
            if (bite > 0) threat[known] = greatest(threat[known], bite - 0.75 * back);
            gain[known] = greatest(gain[known], prey_of(slow, slow->mine[i].kind, e));
        }
        note_top(greatest(threat[0], threat[1]) / (shown ? 1 : 2), &whole[WHOLE_THREAT],
                 &whole[WHOLE_SECOND_THREAT]);
        whole[shown ? WHOLE_SHOWN_UNKNOWN : WHOLE_HIDDEN_UNKNOWN] += threat[0];
        whole[shown ? WHOLE_SHOWN_KNOWN : WHOLE_HIDDEN_KNOWN] += threat[1];
        note_top(gain[1], &whole[WHOLE_CHANCE], &whole[WHOLE_SECOND_CHANCE]);
        whole[WHOLE_UNKNOWN_CHANCE] = greatest(whole[WHOLE_UNKNOWN_CHANCE], gain[0]);
    }
}

bool slow_taken(const struct slow *slow, int at) {
    for (int i = 0; i < slow->own; i++)
        if (slow->mine[i].at == at) return true;
    for (int e = 0; e < slow->enemies; e++)
        if (slow->enemy[e].at == at) return true;
    return false;
}

squareset slow_all_taken(const struct slow *slow) {
    squareset taken = 0;
    for (int at = 0; at < slow->view->rules->board.squares; at++)
        if (slow_taken(slow, at)) taken |= squareset_of((square)at);
    return taken;
}

/* How likely an own piece beats this enemy by attacking it; a tie counts half. */
static double points_against(const struct slow *slow, int own, int enemy) {
    double points = 0;
    for (kind_id kind = 1; kind <= slow->view->rules->kinds; kind++)
        points += slow->enemy[enemy].chance[kind] * slow_points(slow, slow->mine[own].kind, kind);
    return points;
}

/* Is there no own piece that beats this enemy and is as near to the flag, or a step less? The part
 * of a battle that the best of them loses. */
static double unguarded(const struct slow *slow, int enemy, int flag) {
    const struct rules *rules = slow->view->rules;
    double guard = 0;
    for (int i = 0; i < slow->own; i++) {
        const int at = slow->mine[i].at;
        if (at < 0 || !is_mobile(rules, slow->mine[i].kind) || steps_between(rules, at, flag) < 0 ||
            steps_between(rules, at, flag) > steps_between(rules, slow->enemy[enemy].at, flag) + 1)
            continue;
        guard = greatest(guard, points_against(slow, i, enemy));
    }
    return 1 - guard;
}

static void intruder_terms(const struct slow *slow, int flag, double *whole) {
    const struct rules *rules = slow->view->rules;
    const enum side side = side_other((enum side)slow->view->side);
    const squareset taken = slow_all_taken(slow);
    for (int e = 0; e < slow->enemies; e++) {
        const int at = slow->enemy[e].at;
        if (at < 0) continue;
        const kindset walkers = rules_walkers(rules, side, taken, (square)at, (square)flag);
        const int steps = steps_between(rules, at, flag);
        whole[WHOLE_FLAG_STRUCK] = greatest(whole[WHOLE_FLAG_STRUCK], slow_part(slow, e, walkers));
        if (steps < 0 || steps > 5) continue;
        whole[WHOLE_FLAG_LOOSE] =
            greatest(whole[WHOLE_FLAG_LOOSE], slow_part(slow, e, rules->mobile) * pow(FEAR, steps) *
                                                  unguarded(slow, e, flag));
    }
}

/* The nearness of a square to those where a side's pieces can return fallen ones. */
static double near_landing(const struct rules *rules, enum side side, int at) {
    double nearest = 0;
    for (int i = 0; i < rules->abilities; i++)
        for (int to = 0; to < rules->board.squares; to++)
            if (returned_by(&rules->ability[i]) && rules->ability[i].targets[side][to])
                nearest = greatest(nearest, near(rules, to, at, PULL));
    return nearest;
}

static void comeback_terms(const struct slow *slow, double *whole) {
    const struct rules *rules = slow->view->rules;
    const enum side own = (enum side)slow->view->side, enemy = side_other(own);
    kindset returned = 0, returners = 0;
    double count[KINDS_MAX], best[2] = {0}, nearest[2] = {0};
    for (int i = 0; i < rules->abilities; i++) {
        if (!returned_by(&rules->ability[i])) continue;
        returned |= returned_by(&rules->ability[i]);
        returners |= kindset_of(rules->ability[i].actor);
    }
    if (!returned) return;
    count_own(slow, count);
    for (kind_id kind = 1; kind <= rules->kinds; kind++) {
        if (!(returned >> kind & 1)) continue;
        const double fallen[2] = {slow->view->start[own][kind] - count[kind],
                                  slow->view->start[enemy][kind] - slow->left[kind]};
        for (int i = 0; i < 2; i++)
            best[i] = greatest(best[i], least(1, fallen[i]) * worth(slow, kind));
    }
    for (int i = 0; i < slow->own; i++)
        if (slow->mine[i].at >= 0 && returners >> slow->mine[i].kind & 1)
            nearest[0] = greatest(nearest[0], near_landing(rules, own, slow->mine[i].at));
    for (int e = 0; e < slow->enemies; e++)
        if (slow->enemy[e].at >= 0)
            nearest[1] = greatest(nearest[1], slow_part(slow, e, returners) *
                                                  near_landing(rules, enemy, slow->enemy[e].at));
    whole[WHOLE_COMEBACK] = slow->returns[own] > 0 ? best[0] * nearest[0] : 0;
    whole[WHOLE_ENEMY_COMEBACK] = slow->returns[enemy] > 0 ? best[1] * nearest[1] : 0;
}

/* The greatest of all flags. */
static void flag_terms(const struct slow *slow, double *whole) {
    const struct rules *rules = slow->view->rules;
    for (int i = 0; i < slow->own; i++) {
        const int at = slow->mine[i].at;
        if (at < 0 || !rules->kind[slow->mine[i].kind].flag) continue;
        int open = 0;
        for (int e = 0; e < slow->enemies; e++)
            if (slow->enemy[e].at >= 0)
                whole[WHOLE_FLAG_DANGER] = greatest(whole[WHOLE_FLAG_DANGER],
                                                    slow_part(slow, e, rules->mobile) *
                                                        near(rules, at, slow->enemy[e].at, FEAR));
        for (int to = 0; to < rules->board.squares; to++)
            open += beside(rules, at, to) && !squareset_has(rules->board.lakes, (square)to) &&
                    !slow_taken(slow, to);
        whole[WHOLE_FLAG_OPEN] = greatest(whole[WHOLE_FLAG_OPEN], open);
        if (slow->mine[i].state == MINE_SHOWN) whole[WHOLE_FLAG_SHOWN] = 1;
        intruder_terms(slow, at, whole);
    }
}

void slow_terms(const struct slow *slow, struct slow_terms *terms) {
    static const uint32_t from[] = {0, 12, 24, 48, 96, 192, 384};
    const struct rules *rules = slow->view->rules;
    double *whole = terms->whole, count[KINDS_MAX], lead = 0;
    memset(terms, 0, sizeof *terms);
    for (int i = 0; i < slow->own; i++)
        if (slow->mine[i].at >= 0) piece_terms(slow, i, terms);
    counted_terms(slow, terms);
    engaged_terms(slow, whole);
    flag_terms(slow, whole);
    comeback_terms(slow, whole);
    whole[WHOLE_ONE] = 1;
    for (int e = 0; e < slow->enemies; e++)
        if (slow->enemy[e].at >= 0 && !slow->enemy[e].known)
            whole[slow->enemy[e].moved ? WHOLE_STIRRED : WHOLE_STILL]++;
    double limit = slow->view->limits.no_attack ? slow->view->limits.no_attack : 200;
    whole[WHOLE_QUIET] = least(slow->quiet, limit) / limit;
    count_own(slow, count);
    for (kind_id kind = 1; kind <= rules->kinds; kind++)
        if (!rules->kind[kind].flag) lead += (count[kind] - slow->left[kind]) * worth(slow, kind);
    whole[WHOLE_LEAD] = greatest(-4, least(4, lead / 8));
    whole[WHOLE_QUIET_LEAD] = whole[WHOLE_QUIET] * whole[WHOLE_LEAD];
    int phase = 0;
    while (phase < 6 && slow->view->plies >= from[phase + 1]) phase++;
    whole[WHOLE_PHASE + phase] = 1;
}

/* Steps to a gate over land without these squares, which may hold the gate; -1 if it is too far. */
static void steps_to_gate(const struct rules *rules, int gate, const bool *barred,
                          int steps[BOARD_SQUARES_MAX]) {
    for (int at = 0; at < rules->board.squares; at++) steps[at] = at == gate ? 0 : -1;
    for (int length = 1; length <= PERIL_FAR; length++)
        for (int at = 0; at < rules->board.squares; at++) {
            if (steps[at] >= 0 || barred[at] || squareset_has(rules->board.lakes, (square)at))
                continue;
            for (int by = 0; by < rules->board.squares; by++)
                if (steps[by] == length - 1 && beside(rules, at, by)) steps[at] = length;
        }
}

/* How likely nobody who is at a gate within these steps beats the enemy. */
static double gate_open(const struct slow *slow, int enemy, const int *steps, int within) {
    const struct rules *rules = slow->view->rules;
    double guard = 0;
    for (int i = 0; i < slow->own; i++) {
        const int at = slow->mine[i].at;
        if (at < 0 || !is_mobile(rules, slow->mine[i].kind) || steps[at] < 0 || steps[at] > within)
            continue;
        guard = greatest(guard, points_against(slow, i, enemy));
    }
    return 1 - guard;
}

/* The chance that an own flag falls, by the words of evaluation.h. */
static double slow_peril(const struct slow *slow, double struck) {
    const struct rules *rules = slow->view->rules;
    bool flag[BOARD_SQUARES_MAX] = {false}, barred[BOARD_SQUARES_MAX] = {false};
    kindset breakers = 0;
    for (int i = 0; i < slow->own; i++) {
        const int at = slow->mine[i].at;
        const kind_id kind = slow->mine[i].kind;
        if (at < 0) continue;
        if (rules->kind[kind].flag) flag[at] = true;
        if (rules->kind[kind].flag || !is_mobile(rules, kind)) barred[at] = true;
        for (kind_id by = 1; by <= rules->kinds && barred[at] && !flag[at]; by++)
            if (is_mobile(rules, by) && slow_points(slow, by, kind) > 0) breakers |= kindset_of(by);
    }
    double peril = struck;
    int gates = 0;
    for (int gate = 0; gate < rules->board.squares && gates < PERIL_GATES; gate++) {
        int around[BOARD_SQUARES_MAX], through[BOARD_SQUARES_MAX];
        bool is_gate = false;
        for (int at = 0; at < rules->board.squares; at++)
            is_gate |= flag[at] && beside(rules, at, gate);
        if (!is_gate || flag[gate] || squareset_has(rules->board.lakes, (square)gate)) continue;
        gates++;
        steps_to_gate(rules, gate, barred, around);
        steps_to_gate(rules, gate, flag, through);
        for (int e = 0; e < slow->enemies; e++) {
            const int at = slow->enemy[e].at;
            if (at < 0) continue;
            const int walk = barred[gate] ? -1 : around[at], forced = through[at];
            if (walk >= 0)
                peril = greatest(peril, slow_part(slow, e, rules->mobile) * pow(0.75, walk) *
                                            (walk ? gate_open(slow, e, around, walk) : 1));
            if (forced >= 0 && forced != walk)
                peril = greatest(peril, slow_part(slow, e, breakers) * pow(0.75, forced) *
                                            (forced ? gate_open(slow, e, around, forced) : 1));
        }
    }
    return least(1, peril);
}

double slow_chance(const struct slow *slow) {
    const struct rules *rules = slow->view->rules;
    struct slow_terms terms;
    double sum = 0, own = 0, enemy = 0, count[KINDS_MAX];
    count_own(slow, count);
    for (kind_id kind = 1; kind <= rules->kinds; kind++) {
        if (!is_mobile(rules, kind)) continue;
        own += count[kind];
        enemy += slow->left[kind];
    }
    if (own < 0.01 || enemy < 0.01) return own >= 0.01 ? 1 : enemy >= 0.01 ? 0 : 0.5;
    slow_terms(slow, &terms);
    for (int i = 0; i < TERMS; i++)
        sum += (&terms.own[0][0])[i] * (&slow->weights->own[0][0])[i] / VALUE_LOGIT;
    const double counts = (double)slow->weights->whole[WHOLE_FLAG_PERIL] / VALUE_LOGIT;
    const double stays =
        1 - greatest(0, least(1, counts)) * slow_peril(slow, terms.whole[WHOLE_FLAG_STRUCK]);
    return 1.0 / 512 + 510.0 / 512 * stays / (1 + exp(-sum));
}
