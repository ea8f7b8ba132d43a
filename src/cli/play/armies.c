/* armies.c - the armies that people lay out, kept from one process of `watch` to the next. */
#define _GNU_SOURCE /* memfd_create */
#include "armies.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct kept_armies {
    int files, ranks;
    char letter[2][BOARD_SQUARES_MAX]; /* 0: none */
};

int armies_open(void) {
    return memfd_create("armies", MFD_CLOEXEC);
}

void armies_keep(int file, const struct rules *rules, const struct setup setups[2]) {
    struct kept_armies kept = {rules->board.files, rules->board.ranks, {{0}}};
    for (int side = RED; side <= BLUE; side++) {
        for (square at = 0; at < rules->board.squares; at++) {
            kind_id kind = setups[side].at[at];
            if (kind != KIND_NONE) kept.letter[side][at] = rules->kind[kind].letter;
        }
    }
    if (pwrite(file, &kept, sizeof kept, 0) < (ssize_t)sizeof kept && file >= 0)
        if (ftruncate(file, 0)) return;
}

void armies_take(int file, const struct rules *rules, struct setup setups[2]) {
    struct kept_armies kept;
    memset(setups, 0, 2 * sizeof *setups);
    if (pread(file, &kept, sizeof kept, 0) < (ssize_t)sizeof kept) return;
    if (kept.files != rules->board.files || kept.ranks != rules->board.ranks) return;
    for (int side = RED; side <= BLUE; side++)
        for (square at = 0; at < rules->board.squares; at++)
            if (kept.letter[side][at])
                setups[side].at[at] = rules_kind_of_letter(rules, kept.letter[side][at]);
}
