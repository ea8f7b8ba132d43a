/* armies.c - letters instead of kinds. */
#include "armies.h"

#include <string.h>

void armies_keep(struct armies *armies, const struct rules *rules, const struct setup setups[2]) {
    *armies = (struct armies){rules->board.files, rules->board.ranks, {{0}}};
    for (int side = RED; side <= BLUE; side++) {
        for (square at = 0; at < rules->board.squares; at++) {
            kind_id kind = setups[side].at[at];
            if (kind != KIND_NONE) armies->letter[side][at] = rules->kind[kind].letter;
        }
    }
}

void armies_take(const struct armies *armies, const struct rules *rules, struct setup setups[2]) {
    memset(setups, 0, 2 * sizeof *setups);
    if (armies->files != rules->board.files || armies->ranks != rules->board.ranks) return;
    for (int side = RED; side <= BLUE; side++)
        for (square at = 0; at < rules->board.squares; at++)
            if (armies->letter[side][at])
                setups[side].at[at] = rules_kind_of_letter(rules, armies->letter[side][at]);
}
