/* peril.c - raids on the own flags. They are found once for a view; a move changes few of them. */
#include "peril.h"

#include "survey_inside.h"

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
