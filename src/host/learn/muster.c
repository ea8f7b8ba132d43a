/* muster.c - a trainer that learns set-ups alone: its styles lay out those of one repertoire. */
#include "trainer_inside.h"

#include <stdlib.h>
#include <string.h>

/* The parts of the enemy's armies that may begin anywhere: those who play later meet more that is
 * not in the repertoire than those who learn. */
static const double UNUSUAL = 0.2, UNUSUAL_LATER = 0.5;

/* Each style gets some of the own set-ups, by their weights; and there is one to learn with of each
 * role. */
void muster_deal(struct trainer *trainer) {
    const struct repertoire *repertoire = &trainer->state.repertoire;
    struct league *league = &trainer->state.league;
    const int dealt = league->count * REPERTOIRE_DEALT;
    for (int i = 0; i < league->count; i++) {
        struct style *style = &league->style[i];
        for (enum repertoire_role role = 0; role < REPERTOIRE_ROLES; role++) {
            struct value *value = &trainer->mustered[role][i];
            *value = style->value;
            repertoire_starts(repertoire, role, trainer->rules, UNUSUAL, &value->habits);
        }
        repertoire_starts(repertoire, REPERTOIRE_OWN, trainer->rules, UNUSUAL_LATER,
                          &style->value.habits);
        style->setups = REPERTOIRE_DEALT;
    }
    for (int i = 0; i < dealt; i++)
        league->style[i % league->count].setup[i / league->count] =
            repertoire->setup[repertoire_at(repertoire, REPERTOIRE_OWN, (i + 0.5) / dealt)];
}

static bool holds(const struct setup *setups, int count, const struct setup *setup) {
    for (int i = 0; i < count; i++)
        if (memcmp(&setups[i], setup, sizeof *setup) == 0) return true;
    return false;
}

/* All set-ups of the tables, each once; NULL without memory. */
static struct setup *setups_of(const struct opponent *tables, int table_count, int *count) {
    enum { MOST = OPPONENTS_MAX * LEARNED_STYLES_MAX * LEARNED_SETUPS_MAX };
    struct setup *setups = malloc(MOST * sizeof *setups);
    *count = 0;
    for (int t = 0; setups && t < table_count; t++) {
        const struct learned *learned = &tables[t].learned;
        for (uint32_t s = 0; s < learned->styles; s++) {
            const struct style *style = &learned->style[s];
            for (uint32_t i = 0; i < style->setups; i++)
                if (!holds(setups, *count, &style->setup[i])) setups[(*count)++] = style->setup[i];
        }
    }
    return setups;
}

bool trainer_muster(struct trainer *trainer, const struct opponent *tables, int count,
                    struct fault *fault) {
    struct trainer_state *state = &trainer->state;
    struct random random = chance_random(&state->chance, CHANCE_SETUP, 0);
    int given;
    struct setup *setups = setups_of(tables, count, &given);
    if (!setups) return fault_set(fault, STATUS_NO_MEMORY, "no memory for learning");
    opponents_meet(&trainer->given, tables, 1);
    for (int i = 0; i < trainer->given.count; i++)
        state->league.share[league_join(&state->league, trainer->given.style[i])] =
            trainer->given.share[i];
    league_meet(&trainer->roster, &state->league);
    repertoire_begin(&state->repertoire, &trainer->measure, &random, setups, given);
    free(setups);
    muster_deal(trainer);
    trainer->tables = tables;
    trainer->table_count = count;
    state->made_for ^= ~opponents_mark(tables, count); /* not what --against makes of them */
    return true;
}

/* Seats a style and a rival. Returns the style's side. */
static int seat_for_muster(struct trainer *trainer, uint64_t game, struct pupil *pupil,
                           struct lineup *lineup) {
    const struct style *styles = trainer->state.league.style;
    struct random *random = &pupil->random;
    *random = chance_random(&trainer->state.chance, CHANCE_GAME, game);
    const int own = (int)random_below(random, 2);
    repertoire_lineup(&trainer->state.repertoire, random, lineup);
    pupil->options = trainer_contest(trainer);
    pupil->options.first = trainer_draw_first(trainer, random);
    for (int side = RED; side <= BLUE; side++) {
        const struct style *style = roster_turn(&trainer->roster, random_next(random));
        const enum repertoire_role role = side == own ? REPERTOIRE_OWN : REPERTOIRE_RIVAL;
        pupil->setups[side] = *lineup->setup[role];
        setup_perhaps_mirror(trainer->rules, random, &pupil->setups[side]);
        pupil->options.setups[side] = &pupil->setups[side];
        pupil->options.values[side] = &trainer->mustered[role][style - styles];
    }
    return own;
}

static void note(struct repertoire *repertoire, const struct pupil *pupil, int own,
                 const struct lineup *lineup) {
    for (enum repertoire_role role = 0; role < REPERTOIRE_ROLES; role++) {
        const enum side side = (role == REPERTOIRE_OWN) == (own == RED) ? RED : BLUE;
        if (lineup->judged[role] >= 0)
            repertoire_note(repertoire, role, lineup->judged[role], pupil_points(pupil, side));
    }
}

void muster_class(struct trainer *trainer) {
    enum { WEIGHED_EVERY = 16, RENEWED_EVERY = 4 * WEIGHED_EVERY };
    struct trainer_state *state = &trainer->state;
    struct pupil *pupils = calloc(CLASS_GAMES, sizeof *pupils);
    struct lineup lineup[CLASS_GAMES];
    int own[CLASS_GAMES];
    if (!pupils) {
        fault_set(&trainer->fault, STATUS_NO_MEMORY, "no memory for learning");
        return;
    }
    for (uint32_t i = 0; i < CLASS_GAMES; i++)
        own[i] = seat_for_muster(trainer, state->classes * CLASS_GAMES + i, &pupils[i], &lineup[i]);
    hall_play(trainer->episodes, trainer->jobs, pupils, CLASS_GAMES);
    for (int i = 0; i < CLASS_GAMES; i++) {
        note(&state->repertoire, &pupils[i], own[i], &lineup[i]);
        trainer_count_game(trainer, &pupils[i]);
    }
    free(pupils);
    state->classes++;
    if (state->classes % WEIGHED_EVERY == 0) {
        repertoire_weigh(&state->repertoire);
        if (state->classes % RENEWED_EVERY == 0) {
            struct random random = chance_random(&state->chance, CHANCE_SETUP, state->classes);
            repertoire_renew(&state->repertoire, &trainer->measure, &random);
        }
        muster_deal(trainer);
    }
}
