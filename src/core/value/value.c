/* value.c - the names of terms, the first weights, the logistic function. */
#include "value.h"

#include <string.h>

const char *const OWN_TERM_NAMES[OWN_TERMS] = {
    "hidden",  "moved", "shown",      "prey_known",   "prey_unknown", "still",
    "stirred", "flag",  "fear_known", "fear_unknown", "hunted_known", "hunted_unknown",
    "advance", "beats", "invincible", "present"};
const char *const ENEMY_TERM_NAMES[ENEMY_TERMS] = {"left", "known", "beats", "invincible",
                                                   "present"};
const char *const WHOLE_TERM_NAMES[WHOLE_TERMS] = {
    "one",         "threat",        "second_threat",  "hidden_known",  "hidden_unknown",
    "shown_known", "shown_unknown", "chance",         "second_chance", "unknown_chance",
    "flag_danger", "flag_open",     "flag_shown",     "flag_struck",   "flag_loose",
    "flag_peril",  "comeback",      "enemy_comeback", "still",         "stirred",
    "quiet",       "quiet_lead",    "lead",           "plies_0",       "plies_12",
    "plies_24",    "plies_48",      "plies_96",       "plies_192",     "plies_384"};

/* Weights are hundredths of a logit. */
static int32_t hundredths(int32_t number) {
    return number * VALUE_LOGIT / 100;
}

void value_begin(struct value *value, const struct measure *measure) {
    const struct rules *rules = measure->rules;
    memset(&value->weights, 0, sizeof value->weights);
    habits_even(&value->habits);
    for (kind_id kind = 1; kind <= rules->kinds; kind++) {
        int32_t *own = value->weights.own[kind], *enemy = value->weights.enemy[kind];
        int32_t worth = rules->kind[kind].flag ? 0 : hundredths(measure->worth[kind]) / 18;
        bool mobile = rules->mobile & kindset_of(kind);
        own[OWN_HIDDEN] = worth + worth / 8;
        own[OWN_MOVED] = worth + worth / 10;
        own[OWN_SHOWN] = worth;
        own[OWN_PREY_KNOWN] = hundredths(6);
        own[OWN_PREY_UNKNOWN] = hundredths(4);
        own[OWN_FLAG] = hundredths(20);
        own[OWN_FEAR_KNOWN] = own[OWN_FEAR_UNKNOWN] = -worth / 16;
        own[OWN_HUNTED_KNOWN] = own[OWN_HUNTED_UNKNOWN] = -worth / 8;
        own[OWN_ADVANCE] = mobile ? hundredths(1) : 0;
        enemy[ENEMY_LEFT] = -worth - worth / 8;
        enemy[ENEMY_KNOWN] = worth / 12;
    }
    int32_t *whole = value->weights.whole;
    whole[WHOLE_THREAT] = -hundredths(8);
    whole[WHOLE_SECOND_THREAT] = -hundredths(1);
    whole[WHOLE_CHANCE] = hundredths(3);
    whole[WHOLE_UNKNOWN_CHANCE] = hundredths(1);
    whole[WHOLE_FLAG_DANGER] = -hundredths(30);
    whole[WHOLE_FLAG_OPEN] = -hundredths(5);
    whole[WHOLE_FLAG_STRUCK] = -hundredths(40);
    whole[WHOLE_FLAG_LOOSE] = -hundredths(60);
    whole[WHOLE_COMEBACK] = hundredths(2);
    whole[WHOLE_ENEMY_COMEBACK] = -hundredths(2);
}

int32_t value_chance(const struct measure *measure, int64_t sum) {
    const int64_t unit = (int64_t)VALUE_LOGIT * TERM_UNIT, step = unit / LOGISTIC_STEPS;
    int64_t over = sum + LOGISTIC_RANGE * unit;
    if (over < 0) over = 0;
    if (over >= 2 * LOGISTIC_RANGE * unit) over = 2 * LOGISTIC_RANGE * unit - 1;
    int64_t entry = over / step, rest = over % step;
    const int32_t *logistic = measure->logistic;
    return (int32_t)(logistic[entry] + (logistic[entry + 1] - logistic[entry]) * rest / step);
}
