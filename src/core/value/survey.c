/* survey.c - reads a view once a turn, and finds what reaches whom. */
#include "survey.h"

#include <string.h>

#include "core/value/survey_inside.h"

/* Raids on the own flags. They are found once for a view; a move changes few of them. */

static const int32_t PART[PERIL_FAR + 1] = {CHANCE_ONE,
                                            CHANCE_ONE / 4 * 3,
                                            CHANCE_ONE / 16 * 9,
                                            CHANCE_ONE / 64 * 27,
                                            CHANCE_ONE / 256 * 81,
                                            CHANCE_ONE / 1024 * 243,
                                            CHANCE_ONE / 4096 * 729};

static bool is_mobile(const struct survey *survey, int own) {
    return survey->view->rules->mobile & kindset_of(survey->kind[own]);
}

/* How likely no own piece on these squares beats the enemy. */
static int32_t chance_open(const struct survey *survey, squareset posts, int enemy) {
    kindset guards = 0;
    for (posts &= survey->taken; posts;) {
        const int own = survey->own_on[squareset_pop(&posts)];
        if (own != SURVEY_NOBODY && is_mobile(survey, own)) guards |= kindset_of(survey->kind[own]);
    }
    return most(0, CHANCE_ONE - survey_chance_beaten(survey, guards, enemy));
}

static int32_t chance_to_break(const struct survey *survey, kindset breakers, int enemy) {
    int32_t chance = 0;
    for (; breakers; breakers &= breakers - 1)
        chance += survey->chance[enemy][__builtin_ctz(breakers)];
    return chance;
}

/* Squares that are so many steps away, not fewer. */
static squareset ring(const squareset within[PERIL_FAR + 1], int steps) {
    return within[steps] & ~(steps ? within[steps - 1] : 0);
}

static void find_gates(struct raids *raids, const struct survey *survey) {
    const struct board *board = &survey->view->rules->board;
    squareset flags = 0, solid = 0;
    raids->breakers = 0;
    for (int i = 0; i < survey->own; i++) {
        if (survey->at[i] == SURVEY_NOBODY) continue;
        const squareset here = squareset_of(survey->at[i]);
        if (squareset_has(survey->flags, (square)i)) {
            flags |= here;
        } else if (!is_mobile(survey, i)) {
            solid |= here;
            raids->breakers |= survey->measure->foes[survey->kind[i]];
        }
    }
    const squareset land = board->land & ~flags;
    for (squareset beside = board_beside(board, flags) & land; beside;) {
        if (raids->gates == PERIL_GATES) return;
        struct gate *gate = &raids->gate[raids->gates++];
        const squareset here = squareset_of(squareset_pop(&beside));
        gate->open = !(solid & here);
        gate->around[0] = gate->through[0] = here;
        for (int i = 1; i <= PERIL_FAR; i++) {
            const squareset around = gate->around[i - 1], through = gate->through[i - 1];
            gate->around[i] = around | (board_beside(board, around) & land & ~solid);
            gate->through[i] = through | (board_beside(board, through) & land);
        }
    }
}

static void add_raid(struct raid_list *list, const struct survey *survey, const struct gate *gate,
                     int enemy, int steps, int32_t likely) {
    const int32_t chance = likely * PART[steps] / CHANCE_ONE;
    if (!chance || list->count == PERIL_RAIDS) return;
    struct raid *raid = &list->raid[list->count++];
    raid->enemy = (uint8_t)enemy;
    raid->from = survey->enemy_at[enemy];
    raid->chance = (int16_t)chance;
    raid->posts = steps ? gate->around[steps] : 0;
    raid->open = (int16_t)(steps ? chance_open(survey, raid->posts, enemy) : CHANCE_ONE);
}

/* Adds the raids of the enemies on these squares, the nearest first. */
static void add_raids(struct raid_list *list, const struct survey *survey,
                      const struct raids *raids, squareset squares) {
    for (int steps = 0; steps <= PERIL_FAR; steps++)
        for (int i = 0; i < raids->gates; i++) {
            const struct gate *gate = &raids->gate[i];
            const squareset walks = gate->open ? gate->around[steps] : 0;
            for (squareset left = ring(gate->through, steps) & ~walks & squares; left;) {
                const int enemy = survey->enemy_on[squareset_pop(&left)];
                if (enemy != SURVEY_NOBODY)
                    add_raid(list, survey, gate, enemy, steps,
                             chance_to_break(survey, raids->breakers, enemy));
            }
            for (squareset left = gate->open ? ring(gate->around, steps) & squares : 0; left;) {
                const int enemy = survey->enemy_on[squareset_pop(&left)];
                if (enemy != SURVEY_NOBODY)
                    add_raid(list, survey, gate, enemy, steps, survey->mobile[enemy] / 2);
            }
        }
}

bool raids_hang_on(const struct survey *survey, int own) {
    return squareset_has(survey->flags, (square)own) || !is_mobile(survey, own);
}

void raids_find(struct raids *raids, struct survey *survey) {
    raids->gates = raids->list.count = 0;
    survey->raids = raids;
    survey->vacated = survey->entered = 0;
    survey->changed = SURVEY_NOBODY;
    survey->raids_stale = false;
    if (survey->weights->whole[WHOLE_FLAG_PERIL] <= 0) return;
    find_gates(raids, survey);
    add_raids(&raids->list, survey, raids, survey->taken);
}

/* The most dangerous raid of one enemy. */
static int32_t peril_by(const struct survey *survey, int enemy) {
    struct raid_list list;
    int32_t peril = 0;
    list.count = 0;
    add_raids(&list, survey, survey->raids, squareset_of(survey->enemy_at[enemy]));
    for (int i = 0; i < list.count; i++)
        peril = most(peril, list.raid[i].chance * list.raid[i].open / CHANCE_ONE);
    return peril;
}

int32_t survey_peril(const struct survey *survey, int32_t struck) {
    const struct raid_list *list = &survey->raids->list;
    const int32_t weight = survey->weights->whole[WHOLE_FLAG_PERIL];
    if (weight <= 0) return 0;
    int32_t peril = struck;
    for (int i = 0; i < list->count; i++) {
        const struct raid *raid = &list->raid[i];
        if (raid->chance <= peril || survey->enemy_at[raid->enemy] != raid->from ||
            raid->enemy == survey->changed)
            continue;
        int32_t open = raid->open;
        if (!(raid->posts & survey->vacated) != !(raid->posts & survey->entered))
            open = chance_open(survey, raid->posts, raid->enemy);
        peril = most(peril, raid->chance * open / CHANCE_ONE);
    }
    if (survey->changed != SURVEY_NOBODY && survey->enemy_at[survey->changed] != OFF_BOARD)
        peril = most(peril, peril_by(survey, survey->changed));
    peril = peril < CHANCE_ONE ? peril : CHANCE_ONE;
    return weight < VALUE_LOGIT ? peril * weight / VALUE_LOGIT : peril;
}

/* Integers give the same in any width. For static functions only: clang 14 loses others. */
#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
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
WIDE_LOOPS static void find_columns(struct survey *survey, int enemy, bool known) {
    const struct rules *rules = survey->view->rules;
    const struct measure *measure = survey->measure;
    const int16_t *chance = survey->chance[enemy];
    const uint8_t *start = survey->view->start[survey->view->side];
    const int kinds = rules->kinds | 7; /* so that loops have no rest; beyond are zeros */
    int32_t mobile = 0, flag = 0, returner = 0;
    for (kind_id other = 1; other <= rules->kinds; other++) {
        if (rules->mobile & kindset_of(other)) mobile += chance[other];
        if (rules->flags & kindset_of(other)) flag += chance[other];
        if (measure->returners & kindset_of(other)) returner += chance[other];
    }
    survey->mobile[enemy] = doubled(mobile);
    survey->flag_chance[enemy] = doubled(flag);
    survey->returner[enemy] = doubled(returner);
    for (kind_id kind = 1; kind <= rules->kinds; kind++) {
        if (!start[kind]) continue;
        bool attacks = rules->mobile & kindset_of(kind);
        int32_t gain = 0;
        if (attacks)
            gain = expected(chance, known ? measure->sure[kind] : measure->gain[kind], kinds);
        int32_t fear = expected(chance, measure->fall[kind], kinds);
        survey->against[kind].prey[enemy] = (int16_t)(gain > 0 ? gain / (CHANCE_ONE / 4) : 0);
        survey->against[kind].fear[enemy] = (int16_t)(fear > WIDE ? WIDE : fear);
        survey->against[kind].bite[enemy] =
            (int16_t)(expected(chance, measure->bite[kind], kinds) / CHANCE_ONE);
    }
}

void survey_enemy_columns(struct survey *survey, int enemy, bool known) {
    find_columns(survey, enemy, known);
}

static void copy_columns(struct survey *survey, int from, int to) {
    survey->mobile[to] = survey->mobile[from];
    survey->flag_chance[to] = survey->flag_chance[from];
    survey->returner[to] = survey->returner[from];
    for (int kind = 1; kind <= survey->view->rules->kinds; kind++) {
        survey->against[kind].prey[to] = survey->against[kind].prey[from];
        survey->against[kind].fear[to] = survey->against[kind].fear[from];
        survey->against[kind].bite[to] = survey->against[kind].bite[from];
    }
}

static void add_enemy(struct survey *survey, int number, const int first_of[BELIEF_GROUPS_MAX]) {
    const struct belief *belief = survey->belief;
    int group = belief->group_of[number], enemy = survey->enemies++;
    survey->enemy_at[enemy] = survey->view->piece[number].at;
    survey->enemy_on[survey->enemy_at[enemy]] = (uint8_t)enemy;
    memcpy(survey->chance[enemy], belief->chance[group], sizeof survey->chance[enemy]);
    if (first_of[group] < enemy)
        copy_columns(survey, first_of[group], enemy);
    else
        survey_enemy_columns(survey, enemy, belief->known[group]);
}

/* The enemies of one sort: 0 have moved, 1 have not, 2 are known. */
static int sort_of(const struct survey *survey, int number) {
    if (survey->belief->known[survey->belief->group_of[number]]) return 2;
    return survey->view->piece[number].moved ? 0 : 1;
}

static void add_enemies(struct survey *survey) {
    const struct view *view = survey->view;
    int first_of[BELIEF_GROUPS_MAX];
    for (int group = 0; group < survey->belief->groups; group++) first_of[group] = SURVEY_NOBODY;
    for (int sort = 0; sort < 3; sort++) {
        for (int i = 0; i < view->count; i++) {
            const struct view_piece *piece = &view->piece[i];
            if (piece->side == view->side || piece->at == SQUARE_NONE || sort_of(survey, i) != sort)
                continue;
            int *first = &first_of[survey->belief->group_of[i]];
            if (*first == SURVEY_NOBODY) *first = survey->enemies;
            add_enemy(survey, i, first_of);
        }
        if (sort == 0) survey->moved = survey->enemies;
        if (sort == 1) survey->still = survey->enemies;
    }
}

static void add_own(struct survey *survey, const struct view_piece *piece) {
    int number = survey->own++;
    survey->kind[number] = piece->kind;
    survey->at[number] = piece->at;
    survey->own_on[piece->at] = (uint8_t)number;
    survey->open[number] = piece->open;
    bool shown = piece->shown || !(piece->open & (piece->open - 1));
    survey->state[number] = shown ? MINE_SHOWN : piece->moved ? MINE_MOVED : MINE_HIDDEN;
    survey->count[piece->kind][survey->state[number]] += TERM_UNIT;
    if (survey->view->rules->flags & kindset_of(piece->kind))
        survey->flags |= squareset_of((square)number);
}

WIDE_LOOPS static void find_reach(const struct survey *survey, kind_id kind, square at,
                                  struct reach *reach) {
    const int16_t *pull = survey->measure->pull[at], *close = survey->measure->fear[at];
    const int16_t *prey = survey->against[kind].prey, *fear = survey->against[kind].fear;
    const int still_end = survey->still, end = survey->enemies;
    int16_t pulls[SURVEY_ROW], fears[SURVEY_ROW];
    int16_t fear_known = 0, fear_unknown = 0;
    for (int e = 0; e < end; e++) fears[e] = close[survey->enemy_at[e]];
    for (int e = 0; e < still_end; e++)
        fear_unknown = wider(fear_unknown, faded(fear[e], fears[e]));
    for (int e = still_end; e < end; e++) fear_known = wider(fear_known, faded(fear[e], fears[e]));
    *reach = (struct reach){.fear_known = fear_known, .fear_unknown = fear_unknown};
    if (!(survey->view->rules->mobile & kindset_of(kind))) return;

    int16_t prey_known = 0, prey_unknown = 0, stirred = 0, still = 0, flag = 0;
    for (int e = 0; e < end; e++) pulls[e] = pull[survey->enemy_at[e]];
    for (int e = 0; e < end; e++) flag = wider(flag, faded(survey->flag_chance[e], pulls[e]));
    for (int e = 0; e < still_end; e++)
        prey_unknown = wider(prey_unknown, faded(prey[e], pulls[e]));
    for (int e = still_end; e < end; e++) prey_known = wider(prey_known, faded(prey[e], pulls[e]));
    for (int e = 0; e < survey->moved; e++) stirred = wider(stirred, pulls[e]);
    for (int e = survey->moved; e < still_end; e++) still = wider(still, pulls[e]);
    reach->prey_known = prey_known;
    reach->prey_unknown = prey_unknown;
    reach->stirred = stirred;
    reach->still = still;
    reach->flag = flag;
}

bool survey_reach_has(const struct survey *survey, int number, int enemy, square at) {
    const struct reach *reach = &survey->reach[number];
    const kind_id kind = survey->kind[number];
    const int16_t pull = survey->measure->pull[survey->at[number]][at];
    const int16_t prey = faded(survey->against[kind].prey[enemy], pull);
    const int16_t fear =
        faded(survey->against[kind].fear[enemy], survey->measure->fear[survey->at[number]][at]);
    bool mobile = survey->view->rules->mobile & kindset_of(kind);
    if (enemy >= survey->still) {
        if (fear >= reach->fear_known && fear) return true;
        if (!mobile) return false;
        if (prey >= reach->prey_known && prey) return true;
    } else {
        if (fear >= reach->fear_unknown && fear) return true;
        if (!mobile) return false;
        if (prey >= reach->prey_unknown && prey) return true;
        if (pull >= (enemy < survey->moved ? reach->stirred : reach->still)) return true;
    }
    int16_t flag = faded(survey->flag_chance[enemy], pull);
    return flag >= reach->flag && flag;
}

/* What this piece may lose to, and gain from, its neighbours. Another own piece that could take the
 * attacker in turn makes a threat smaller. */
void survey_engage(struct survey *survey, int number) {
    const struct board *board = &survey->view->rules->board;
    const kind_id kind = survey->kind[number];
    int32_t threat[2] = {0, 0}, gain[2] = {0, 0};
    square at = survey->at[number];
    for (int i = 0; at != SURVEY_NOBODY && i < 4; i++) {
        square beside = board->around[at][i];
        int enemy = survey->enemy_on[beside];
        if (enemy == SURVEY_NOBODY) continue;
        bool known = enemy >= survey->still;
        gain[known] = most(gain[known], survey->against[kind].prey[enemy] / 4);
        int32_t bite = survey->against[kind].bite[enemy], back = 0;
        for (int j = 0; bite && j < 4; j++) {
            int other = survey->own_on[board->around[at][j]];
            if (other == SURVEY_NOBODY || other == number) continue;
            back = most(back, survey->against[survey->kind[other]].prey[enemy] / 4);
        }
        threat[known] = most(threat[known], bite - back * 3 / 4);
    }
    memcpy(survey->threat[number], threat, sizeof threat);
    memcpy(survey->gain[number], gain, sizeof gain);
    squareset bit = squareset_of((square)number);
    if (threat[0] || threat[1] || gain[0] || gain[1])
        survey->engaged |= bit;
    else
        survey->engaged &= ~bit;
}

void survey_settle_piece(struct survey *survey, int number, bool reach) {
    const square at = survey->at[number];
    survey->sums -= survey->sum[number];
    survey->sum[number] = 0;
    if (at == SURVEY_NOBODY) return;
    const kind_id kind = survey->kind[number];
    if (reach) find_reach(survey, kind, at, &survey->reach[number]);
    survey->sum[number] =
        survey_piece_sum(survey, kind, at, survey->state[number], &survey->reach[number]);
    survey->sums += survey->sum[number];
}

/* Works everything out anew. */
static void survey_settle(struct survey *survey) {
    survey->sums = 0;
    survey->engaged = 0;
    for (int i = 0; i < survey->own; i++) {
        survey->sum[i] = 0;
        survey_settle_piece(survey, i, true);
    }
    for (int i = 0; i < survey->own; i++) survey_engage(survey, i);
    survey->counted = survey_counted_sum(survey);
}

/* Uses that are left to each side of abilities that return fallen pieces. */
static void count_returns(struct survey *survey) {
    enum { NO_LIMIT = 255 };
    const struct rules *rules = survey->view->rules;
    for (int side = RED; side <= BLUE; side++) {
        survey->returns[side] = 0;
        for (unsigned set = survey->measure->returning; set; set &= set - 1) {
            const struct ability *ability = &rules->ability[__builtin_ctz(set)];
            int left = ability->limit - survey->view->uses[side][ability->tally.n];
            if (!ability->limit) left = NO_LIMIT;
            if (left > survey->returns[side]) survey->returns[side] = (uint8_t)left;
        }
    }
}

void survey_make(struct survey *survey, const struct view *view, const struct measure *measure,
                 const struct belief *belief, const struct terms *weights) {
    survey->view = view;
    survey->measure = measure;
    survey->belief = belief;
    survey->weights = weights;
    survey->own = survey->moved = survey->still = survey->enemies = 0;
    survey->taken = survey->stale = survey->flags = 0;
    survey->quiet = view->quiet;
    memset(survey->own_on, SURVEY_NOBODY, sizeof survey->own_on);
    memset(survey->enemy_on, SURVEY_NOBODY, sizeof survey->enemy_on);
    memset(survey->count, 0, sizeof survey->count);
    memset(survey->told, 0, sizeof survey->told);
    enum side enemy = side_other((enum side)view->side);
    for (kind_id kind = 1; kind <= view->rules->kinds; kind++)
        survey->left[kind] = (view->start[enemy][kind] - view->captured[enemy][kind]) * TERM_UNIT;
    for (int i = 0; i < view->count; i++) {
        const struct view_piece *piece = &view->piece[i];
        if (piece->at == SQUARE_NONE) continue;
        survey->taken |= squareset_of(piece->at);
        if (piece->side == view->side) add_own(survey, piece);
    }
    add_enemies(survey);
    count_returns(survey);
    for (int e = survey->still; e < survey->enemies; e++)
        for (kind_id kind = 1; kind <= view->rules->kinds; kind++)
            survey->told[kind] += survey->chance[e][kind] * TERM_UNIT / CHANCE_ONE;
    survey_settle(survey);
    raids_find(&survey->found, survey);
}
