/* player_open.c - which sort of player a text names. */
#include "host/program/player_ucc.h"
#include "host/wall/player_child.h"

#include <string.h>

static const char UCC[] = "ucc:";

bool player_is_program(const char *text) {
    return !strncmp(text, UCC, sizeof UCC - 1);
}

bool player_open(struct player *player, const struct player_options *options, const char *text,
                 const struct chance *chance, struct fault *fault) {
    if (!player_is_program(text)) {
        if (options->nursery) return player_child(player, options, text, chance, fault);
        return player_bot(player, options->folders, text, options->limits, chance, fault);
    }
    struct ucc_options ucc = {
        .rules = options->rules, .opponent = options->opponent, .deadline = options->deadline};
    return player_ucc(player, text + sizeof UCC - 1, &ucc, fault);
}
