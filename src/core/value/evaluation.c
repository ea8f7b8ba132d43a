/* evaluation.c - reads a view once a turn, and finds what reaches whom. */
#include "evaluation.h"

#include <string.h>

#include "core/value/evaluation_inside.h"

/* Raids on the own flags. They are found once for a view; a move changes few of them. */

static const int32_t PART[PERIL_FAR + 1] = {CHANCE_ONE,
                                            CHANCE_ONE / 4 * 3,
                                            CHANCE_ONE / 16 * 9,
                                            CHANCE_ONE / 64 * 27,
                                            CHANCE_ONE / 256 * 81,
                                            CHANCE_ONE / 1024 * 243,
                                            CHANCE_ONE / 4096 * 729};

static bool is_mobile(const struct evaluation *evaluation, int own) {
    return evaluation->view->rules->mobile & kindset_of(evaluation->kind[own]);
}

/* How likely no own piece on these squares beats the enemy. */
static int32_t chance_open(const struct evaluation *evaluation, squareset posts, int enemy) {
    kindset guards = 0;
    for (posts &= evaluation->taken; posts;) {
        const int own = evaluation->own_on[squareset_pop(&posts)];
        if (own != EVALUATION_NOBODY && is_mobile(evaluation, own))
            guards |= kindset_of(evaluation->kind[own]);
    }
    return most(0, CHANCE_ONE - evaluation_chance_beaten(evaluation, guards, enemy));
}

static int32_t chance_to_break(const struct evaluation *evaluation, kindset breakers, int enemy) {
    int32_t chance = 0;
    for (; breakers; breakers &= breakers - 1)
        chance += evaluation->chance[enemy][__builtin_ctz(breakers)];
    return chance;
}

/* Squares that are so many steps away, not fewer. */
static squareset ring(const squareset within[PERIL_FAR + 1], int steps) {
    return within[steps] & ~(steps ? within[steps - 1] : 0);
}

static void find_gates(struct raids *raids, const struct evaluation *evaluation) {
    const struct board *board = &evaluation->view->rules->board;
    squareset flags = 0, solid = 0;
    raids->breakers = 0;
    for (int i = 0; i < evaluation->own; i++) {
        if (evaluation->at[i] == EVALUATION_NOBODY) continue;
        const squareset here = squareset_of(evaluation->at[i]);
        if (squareset_has(evaluation->flags, (square)i)) {
            flags |= here;
        } else if (!is_mobile(evaluation, i)) {
            solid |= here;
            raids->breakers |= evaluation->measure->foes[evaluation->kind[i]];
        }
    }
    const squareset land = board->land & ~flags;
    for (squareset beside = board_joined(board, flags) & land; beside;) {
        if (raids->gates == PERIL_GATES) return;
        struct gate *gate = &raids->gate[raids->gates++];
        const squareset here = squareset_of(squareset_pop(&beside));
        gate->open = !(solid & here);
        gate->around[0] = gate->through[0] = here;
        for (int i = 1; i <= PERIL_FAR; i++) {
            const squareset around = gate->around[i - 1], through = gate->through[i - 1];
            gate->around[i] = around | (board_joined(board, around) & land & ~solid);
            gate->through[i] = through | (board_joined(board, through) & land);
        }
    }
}

static void add_raid(struct raid_list *list, const struct evaluation *evaluation,
                     const struct gate *gate, int enemy, int steps, int32_t likely) {
    const int32_t chance = likely * PART[steps] / CHANCE_ONE;
    if (!chance || list->count == PERIL_RAIDS) return;
    struct raid *raid = &list->raid[list->count++];
    raid->enemy = (uint8_t)enemy;
    raid->from = evaluation->enemy_at[enemy];
    raid->chance = (int16_t)chance;
    raid->posts = steps ? gate->around[steps] : 0;
    raid->open = (int16_t)(steps ? chance_open(evaluation, raid->posts, enemy) : CHANCE_ONE);
}

/* Adds the raids of the enemies on these squares, the nearest first. */
static void add_raids(struct raid_list *list, const struct evaluation *evaluation,
                      const struct raids *raids, squareset squares) {
    for (int steps = 0; steps <= PERIL_FAR; steps++)
        for (int i = 0; i < raids->gates; i++) {
            const struct gate *gate = &raids->gate[i];
            const squareset walks = gate->open ? gate->around[steps] : 0;
            for (squareset left = ring(gate->through, steps) & ~walks & squares; left;) {
                const int enemy = evaluation->enemy_on[squareset_pop(&left)];
                if (enemy != EVALUATION_NOBODY)
                    add_raid(list, evaluation, gate, enemy, steps,
                             chance_to_break(evaluation, raids->breakers, enemy));
            }
            for (squareset left = gate->open ? ring(gate->around, steps) & squares : 0; left;) {
                const int enemy = evaluation->enemy_on[squareset_pop(&left)];
                if (enemy != EVALUATION_NOBODY)
                    add_raid(list, evaluation, gate, enemy, steps, evaluation->mobile[enemy] / 2);
            }
        }
}

bool raids_hang_on(const struct evaluation *evaluation, int own) {
    return squareset_has(evaluation->flags, (square)own) || !is_mobile(evaluation, own);
}

void raids_find(struct raids *raids, struct evaluation *evaluation) {
    raids->gates = raids->list.count = 0;
    evaluation->raids = raids;
    evaluation->vacated = evaluation->entered = 0;
    evaluation->changed = EVALUATION_NOBODY;
    evaluation->raids_stale = false;
    if (evaluation->weights->whole[WHOLE_FLAG_PERIL] <= 0) return;
    find_gates(raids, evaluation);
    add_raids(&raids->list, evaluation, raids, evaluation->taken);
}

/* The most dangerous raid of one enemy. */
static int32_t peril_by(const struct evaluation *evaluation, int enemy) {
    struct raid_list list;
    int32_t peril = 0;
    list.count = 0;
    add_raids(&list, evaluation, evaluation->raids, squareset_of(evaluation->enemy_at[enemy]));
    for (int i = 0; i < list.count; i++)
        peril = most(peril, list.raid[i].chance * list.raid[i].open / CHANCE_ONE);
    return peril;
}

int32_t evaluation_peril(const struct evaluation *evaluation, int32_t struck) {
    const struct raid_list *list = &evaluation->raids->list;
    const int32_t weight = evaluation->weights->whole[WHOLE_FLAG_PERIL];
    if (weight <= 0) return 0;
    int32_t peril = struck;
    for (int i = 0; i < list->count; i++) {
        const struct raid *raid = &list->raid[i];
        if (raid->chance <= peril || evaluation->enemy_at[raid->enemy] != raid->from ||
            raid->enemy == evaluation->changed)
            continue;
        int32_t open = raid->open;
        if (!(raid->posts & evaluation->vacated) != !(raid->posts & evaluation->entered))
            open = chance_open(evaluation, raid->posts, raid->enemy);
        peril = most(peril, raid->chance * open / CHANCE_ONE);
    }
    if (evaluation->changed != EVALUATION_NOBODY &&
        evaluation->enemy_at[evaluation->changed] != OFF_BOARD)
        peril = most(peril, peril_by(evaluation, evaluation->changed));
    peril = peril < CHANCE_ONE ? peril : CHANCE_ONE;
    return weight < VALUE_LOGIT ? peril * weight / VALUE_LOGIT : peril;
}

/* Integers give the same in any width. For static functions only: clang 14 loses others. Sanitizers
 * have not begun yet when the one for this machine is chosen. */
#if defined(__x86_64__) && !defined(ENSIGN_SANITIZED)
#define WIDE_LOOPS __attribute__((target_clones("avx2", "default")))
#else
#define WIDE_LOOPS
#endif

/* The expectation of a number that each kind has. */
static inline int32_t expected(const int16_t chance[KINDS_MAX], const int16_t of[KINDS_MAX],
                               int kinds) {
    int32_t sum = 0;
    for (int i = 0; i <= kinds; i++) sum += chance[i] * of[i];
    return sum;
}

/* Twice a chance, at most WIDE. */
static int16_t doubled(int32_t chance) {
    return (int16_t)(2 * chance > WIDE ? WIDE : 2 * chance);
}

/* The columns of an enemy, from its chances. What a kind gains from an unknown one may be a loss,
 * and is then no reason to go there. */
WIDE_LOOPS static void find_columns(struct evaluation *evaluation, int enemy, bool known) {
    const struct rules *rules = evaluation->view->rules;
    const struct measure *measure = evaluation->measure;
    const int16_t *chance = evaluation->chance[enemy];
    const uint8_t *start = evaluation->view->start[evaluation->view->side];
    const int kinds = rules->kinds | 7; /* so that loops have no rest; beyond are zeros */
    int32_t mobile = 0, flag = 0, returner = 0;
    for (kind_id other = 1; other <= rules->kinds; other++) {
        if (rules->mobile & kindset_of(other)) mobile += chance[other];
        if (rules->flags & kindset_of(other)) flag += chance[other];
        if (measure->returners & kindset_of(other)) returner += chance[other];
    }
    evaluation->mobile[enemy] = doubled(mobile);
    evaluation->flag_chance[enemy] = doubled(flag);
    evaluation->returner[enemy] = doubled(returner);
    for (kind_id kind = 1; kind <= rules->kinds; kind++) {
        if (!start[kind]) continue;
        bool attacks = rules->mobile & kindset_of(kind);
        int32_t gain = 0;
        if (attacks)
            gain = expected(chance, known ? measure->sure[kind] : measure->gain[kind], kinds);
        int32_t fear = expected(chance, measure->fall[kind], kinds);
        evaluation->against[kind].prey[enemy] = (int16_t)(gain > 0 ? gain / (CHANCE_ONE / 4) : 0);
        evaluation->against[kind].fear[enemy] = (int16_t)(fear > WIDE ? WIDE : fear);
        evaluation->against[kind].bite[enemy] =
            (int16_t)(expected(chance, measure->bite[kind], kinds) / CHANCE_ONE);
    }
}

void evaluation_enemy_columns(struct evaluation *evaluation, int enemy, bool known) {
    find_columns(evaluation, enemy, known);
}

static void copy_columns(struct evaluation *evaluation, int from, int to) {
    evaluation->mobile[to] = evaluation->mobile[from];
    evaluation->flag_chance[to] = evaluation->flag_chance[from];
    evaluation->returner[to] = evaluation->returner[from];
    for (int kind = 1; kind <= evaluation->view->rules->kinds; kind++) {
        evaluation->against[kind].prey[to] = evaluation->against[kind].prey[from];
        evaluation->against[kind].fear[to] = evaluation->against[kind].fear[from];
        evaluation->against[kind].bite[to] = evaluation->against[kind].bite[from];
    }
}

static void add_enemy(struct evaluation *evaluation, int number,
                      const int first_of[BELIEF_GROUPS_MAX]) {
    const struct belief *belief = evaluation->belief;
    int group = belief->group_of[number], enemy = evaluation->enemies++;
    evaluation->enemy_at[enemy] = evaluation->view->piece[number].at;
    evaluation->enemy_on[evaluation->enemy_at[enemy]] = (uint8_t)enemy;
    memcpy(evaluation->chance[enemy], belief->chance[group], sizeof evaluation->chance[enemy]);
    if (first_of[group] < enemy)
        copy_columns(evaluation, first_of[group], enemy);
    else
        evaluation_enemy_columns(evaluation, enemy, belief->known[group]);
}

/* The enemies of one sort: 0 have moved, 1 have not, 2 are known. */
static int sort_of(const struct evaluation *evaluation, int number) {
    if (evaluation->belief->known[evaluation->belief->group_of[number]]) return 2;
    return evaluation->view->piece[number].moved ? 0 : 1;
}

static void add_enemies(struct evaluation *evaluation) {
    const struct view *view = evaluation->view;
    int first_of[BELIEF_GROUPS_MAX];
    for (int group = 0; group < evaluation->belief->groups; group++)
        first_of[group] = EVALUATION_NOBODY;
    for (int sort = 0; sort < 3; sort++) {
        for (int i = 0; i < view->count; i++) {
            const struct view_piece *piece = &view->piece[i];
            if (piece->side == view->side || piece->at == SQUARE_NONE ||
                sort_of(evaluation, i) != sort)
                continue;
            int *first = &first_of[evaluation->belief->group_of[i]];
            if (*first == EVALUATION_NOBODY) *first = evaluation->enemies;
            add_enemy(evaluation, i, first_of);
        }
        if (sort == 0) evaluation->moved = evaluation->enemies;
        if (sort == 1) evaluation->still = evaluation->enemies;
    }
}

static void add_own(struct evaluation *evaluation, const struct view_piece *piece) {
    int number = evaluation->own++;
    evaluation->kind[number] = piece->kind;
    evaluation->at[number] = piece->at;
    evaluation->own_on[piece->at] = (uint8_t)number;
    evaluation->open[number] = piece->open;
    bool shown = piece->shown || !(piece->open & (piece->open - 1));
    evaluation->state[number] = shown ? MINE_SHOWN : piece->moved ? MINE_MOVED : MINE_HIDDEN;
    evaluation->count[piece->kind][evaluation->state[number]] += TERM_UNIT;
    if (evaluation->view->rules->flags & kindset_of(piece->kind))
        evaluation->flags |= squareset_of((square)number);
}

WIDE_LOOPS static void find_reach(const struct evaluation *evaluation, kind_id kind, square at,
                                  struct reach *reach) {
    const int16_t *pull = evaluation->measure->pull[at], *close = evaluation->measure->fear[at];
    const int16_t *prey = evaluation->against[kind].prey, *fear = evaluation->against[kind].fear;
    const int still_end = evaluation->still, end = evaluation->enemies;
    int16_t pulls[EVALUATION_ROW], fears[EVALUATION_ROW];
    int16_t fear_known = 0, fear_unknown = 0;
    for (int e = 0; e < end; e++) fears[e] = close[evaluation->enemy_at[e]];
    for (int e = 0; e < still_end; e++)
        fear_unknown = wider(fear_unknown, faded(fear[e], fears[e]));
    for (int e = still_end; e < end; e++) fear_known = wider(fear_known, faded(fear[e], fears[e]));
    *reach = (struct reach){.fear_known = fear_known, .fear_unknown = fear_unknown};
    if (!(evaluation->view->rules->mobile & kindset_of(kind))) return;

    int16_t prey_known = 0, prey_unknown = 0, stirred = 0, still = 0, flag = 0;
    for (int e = 0; e < end; e++) pulls[e] = pull[evaluation->enemy_at[e]];
    for (int e = 0; e < end; e++) flag = wider(flag, faded(evaluation->flag_chance[e], pulls[e]));
    for (int e = 0; e < still_end; e++)
        prey_unknown = wider(prey_unknown, faded(prey[e], pulls[e]));
    for (int e = still_end; e < end; e++) prey_known = wider(prey_known, faded(prey[e], pulls[e]));
    for (int e = 0; e < evaluation->moved; e++) stirred = wider(stirred, pulls[e]);
    for (int e = evaluation->moved; e < still_end; e++) still = wider(still, pulls[e]);
    reach->prey_known = prey_known;
    reach->prey_unknown = prey_unknown;
    reach->stirred = stirred;
    reach->still = still;
    reach->flag = flag;
}

bool evaluation_reach_has(const struct evaluation *evaluation, int number, int enemy, square at) {
    const struct reach *reach = &evaluation->reach[number];
    const kind_id kind = evaluation->kind[number];
    const int16_t pull = evaluation->measure->pull[evaluation->at[number]][at];
    const int16_t prey = faded(evaluation->against[kind].prey[enemy], pull);
    const int16_t fear = faded(evaluation->against[kind].fear[enemy],
                               evaluation->measure->fear[evaluation->at[number]][at]);
    bool mobile = evaluation->view->rules->mobile & kindset_of(kind);
    if (enemy >= evaluation->still) {
        if (fear >= reach->fear_known && fear) return true;
        if (!mobile) return false;
        if (prey >= reach->prey_known && prey) return true;
    } else {
        if (fear >= reach->fear_unknown && fear) return true;
        if (!mobile) return false;
        if (prey >= reach->prey_unknown && prey) return true;
        if (pull >= (enemy < evaluation->moved ? reach->stirred : reach->still)) return true;
    }
    int16_t flag = faded(evaluation->flag_chance[enemy], pull);
    return flag >= reach->flag && flag;
}

/* What this piece may lose to, and gain from, its neighbours. Another own piece that could take the
 * attacker in turn makes a threat smaller. */
void evaluation_engage(struct evaluation *evaluation, int number) {
    const struct board *board = &evaluation->view->rules->board;
    const kind_id kind = evaluation->kind[number];
    int32_t threat[2] = {0, 0}, gain[2] = {0, 0};
    square at = evaluation->at[number];
    for (int i = 0; at != EVALUATION_NOBODY && i < 4; i++) {
        square beside = board->around[at][i];
        int enemy = evaluation->enemy_on[beside];
        if (enemy == EVALUATION_NOBODY) continue;
        bool known = enemy >= evaluation->still;
        gain[known] = most(gain[known], evaluation->against[kind].prey[enemy] / 4);
        int32_t bite = evaluation->against[kind].bite[enemy], back = 0;
        for (int j = 0; bite && j < 4; j++) {
            int other = evaluation->own_on[board->around[at][j]];
            if (other == EVALUATION_NOBODY || other == number) continue;
            back = most(back, evaluation->against[evaluation->kind[other]].prey[enemy] / 4);
        }
        threat[known] = most(threat[known], bite - back * 3 / 4);
    }
    memcpy(evaluation->threat[number], threat, sizeof threat);
    memcpy(evaluation->gain[number], gain, sizeof gain);
    squareset bit = squareset_of((square)number);
    if (threat[0] || threat[1] || gain[0] || gain[1])
        evaluation->engaged |= bit;
    else
        evaluation->engaged &= ~bit;
}

void evaluation_settle_piece(struct evaluation *evaluation, int number, bool reach) {
    const square at = evaluation->at[number];
    evaluation->sums -= evaluation->sum[number];
    evaluation->sum[number] = 0;
    if (at == EVALUATION_NOBODY) return;
    const kind_id kind = evaluation->kind[number];
    if (reach) find_reach(evaluation, kind, at, &evaluation->reach[number]);
    evaluation->sum[number] = evaluation_piece_sum(evaluation, kind, at, evaluation->state[number],
                                                   &evaluation->reach[number]);
    evaluation->sums += evaluation->sum[number];
}

/* Works everything out anew. */
static void evaluation_settle(struct evaluation *evaluation) {
    evaluation->sums = 0;
    evaluation->engaged = 0;
    for (int i = 0; i < evaluation->own; i++) {
        evaluation->sum[i] = 0;
        evaluation_settle_piece(evaluation, i, true);
    }
    for (int i = 0; i < evaluation->own; i++) evaluation_engage(evaluation, i);
    evaluation->counted = evaluation_counted_sum(evaluation);
}

/* Uses that are left to each side of abilities that return fallen pieces. */
static void count_returns(struct evaluation *evaluation) {
    enum { NO_LIMIT = 255 };
    const struct rules *rules = evaluation->view->rules;
    for (int side = RED; side <= BLUE; side++) {
        evaluation->returns[side] = 0;
        for (unsigned set = evaluation->measure->returning; set; set &= set - 1) {
            const struct ability *ability = &rules->ability[__builtin_ctz(set)];
            int left = ability->limit - evaluation->view->uses[side][ability->tally.n];
            if (!ability->limit) left = NO_LIMIT;
            if (left > evaluation->returns[side]) evaluation->returns[side] = (uint8_t)left;
        }
    }
}

/* Of an enemy that fell hidden: what is left has these chances less. */
static void count_out(struct evaluation *evaluation, const int16_t chance[KINDS_MAX]) {
    for (kind_id kind = 1; kind <= evaluation->view->rules->kinds; kind++) {
        evaluation->left[kind] -= chance[kind] * TERM_UNIT / CHANCE_ONE;
        if (evaluation->left[kind] < 0) evaluation->left[kind] = 0;
    }
}

void evaluation_make(struct evaluation *evaluation, const struct view *view,
                     const struct measure *measure, const struct belief *belief,
                     const struct terms *weights) {
    evaluation->view = view;
    evaluation->measure = measure;
    evaluation->belief = belief;
    evaluation->weights = weights;
    evaluation->own = evaluation->moved = evaluation->still = evaluation->enemies = 0;
    evaluation->taken = evaluation->stale = evaluation->flags = 0;
    evaluation->quiet = view->quiet;
    memset(evaluation->own_on, EVALUATION_NOBODY, sizeof evaluation->own_on);
    memset(evaluation->enemy_on, EVALUATION_NOBODY, sizeof evaluation->enemy_on);
    memset(evaluation->count, 0, sizeof evaluation->count);
    memset(evaluation->told, 0, sizeof evaluation->told);
    enum side enemy = side_other((enum side)view->side);
    for (kind_id kind = 1; kind <= view->rules->kinds; kind++)
        evaluation->left[kind] =
            (view->start[enemy][kind] - view->captured[enemy][kind]) * TERM_UNIT;
    for (int i = 0; i < view->count; i++) {
        const struct view_piece *piece = &view->piece[i];
        if (piece->side == enemy && view_piece_fallen(piece) && piece->kind == KIND_NONE)
            count_out(evaluation, belief->chance[belief->group_of[i]]);
        if (piece->at == SQUARE_NONE) continue;
        evaluation->taken |= squareset_of(piece->at);
        if (piece->side == view->side) add_own(evaluation, piece);
    }
    add_enemies(evaluation);
    count_returns(evaluation);
    for (int e = evaluation->still; e < evaluation->enemies; e++)
        for (kind_id kind = 1; kind <= view->rules->kinds; kind++)
            evaluation->told[kind] += evaluation->chance[e][kind] * TERM_UNIT / CHANCE_ONE;
    evaluation_settle(evaluation);
    raids_find(&evaluation->found, evaluation);
}
