/* A program of somebody else's, compiled against what is installed: plays games of original at
 * random until some have ended. */
#include <ensign.h>

#include <stdio.h>

enum { GAMES = 64, STEPS = 4000 };

static uint8_t ended[GAMES];
static float reward[GAMES * 2];

int main(void) {
    ensign_error error = {.size = sizeof error};
    ensign_rules *rules = ensign_rules_load("original", 0, &error);
    if (!rules) return printf("%s\n", error.text), 1;
    const ensign_options options = {
        .size = sizeof options, .games = GAMES, .seed = 3, .flags = ENSIGN_AUTO_RESET};
    ensign_batch *batch = ensign_batch_new(rules, &options, &error);
    if (!batch) return printf("%s\n", error.text), 1;
    ensign_out out = {.size = sizeof out, .terminated = ended, .reward = reward};
    int games = 0;
    if (ensign_reset(batch, NULL, NULL, NULL, &out) != ENSIGN_OK) return 1;
    for (int step = 0; step < STEPS; step++) {
        if (ensign_step_random(batch, NULL, &out) != ENSIGN_OK) return 1;
        for (int game = 0; game < GAMES; game++) games += ended[game];
    }
    printf("%s\n", games > GAMES ? "games have ended" : "too few games have ended");
    ensign_batch_free(batch);
    ensign_rules_free(rules);
    return 0;
}
